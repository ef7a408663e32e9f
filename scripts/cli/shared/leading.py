"""Who is ahead in a run that goes on: the leaders' win rates in the shards finished so far."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

TOP = 3


class Leading:
    """Counts the wins in the finished shards of a run folder, each shard once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: set[str] = set()
        self.games: Counter[str] = Counter()
        self.wins: defaultdict[str, float] = defaultdict(float)

    def line(self) -> str:
        """Return the leaders with the highest win rates so far, or nothing as long as no shard is finished."""
        self._count()
        rates = sorted(((self.wins[name] / n, name) for name, n in self.games.items()), reverse=True)[:TOP]
        return ", ".join(f"{name} {rate:.0%}" for rate, name in rates)

    def _count(self) -> None:
        """Count the shards that have been finished since the last time; `games` is the last table of a shard to appear."""
        from ....simulator.batch.tables import read_table

        for path in sorted((self.folder / "games").glob("part-*.parquet")):
            if path.name in self.seen:
                continue
            self.seen.add(path.name)
            try:
                seats = read_table(self.folder / "seats" / path.name, ["leader", "won"]).to_pandas()
            except Exception:  # a damaged shard of an earlier run is played again, and said so elsewhere
                continue
            for name, won in seats.groupby("leader", observed=True)["won"]:
                self.games[str(name)] += len(won)
                self.wins[str(name)] += float(won.sum())
