"""A run in memory: 1,000,000 four-player games take about 0.4 GB."""

from __future__ import annotations

from ...simulator.batch.schema import tables_in
from ...simulator.games import columns
from ...simulator.rules.contents import has_points
from ..summaries.expansion import CARD_ROUND, QUESTIONS
from ..tables.columns import Games, Words, joined, wanted
from ..tables.read import Run

KEPT = (
    "rounds", "decided", "cards", "there", "leader", "present", "strategy", "order", "won", "outcome", "deck", "facts",
    "revealed", "built", "captured", "claims", "claim_number",
)  # fmt: skip
DEEDS = (*(number for numbers, _ in QUESTIONS.values() for number in numbers), CARD_ROUND)  # of seats of Terra Incognita
SHOWN = tuple(column.name for column in (*columns.SEATS, *columns.EXPANSION) if column.shown)


def shown_columns(games: Games) -> list[str]:
    """Return the columns of `seats` that are shown of these games, in the order of their declarations."""
    return [name for name in SHOWN if name in games.numbers]


class Loaded:
    """A run and those of its games that have been read; `look` reads what has been finished since."""

    def __init__(self, run: Run, words: Words) -> None:
        self.run, self.words = run, words
        self.shards: list[str] = []
        known = [c for c in tables_in(run.box)["seats"].columns if c.name != columns.POINTS or has_points(run.rules)]
        self.numbers = dict.fromkeys(column.name for column in known if column.shown or column.name in DEEDS)
        nothing = {name: table.arrow_schema().empty_table().to_pandas() for name, table in tables_in(run.box).items()}
        self.games = self._joined([Games(nothing, run.players, words)])

    def _joined(self, parts: list[Games]) -> Games:
        return joined(parts, KEPT, self.numbers)

    def look(self, stop_after: int | None = None) -> int:
        """Read shards that are there and have not been read; return how many games are new."""
        fresh = Run(self.run.path)  # its list of shards is as new as it
        new = [shard for shard in fresh.shards if shard not in self.shards][:stop_after]
        before, parts, tables = len(self.games), [self.games], wanted(KEPT, self.numbers)
        for shard in new:
            piece = {name: fresh.read_shard(shard, name, columns).to_pandas() for name, columns in tables.items()}
            parts.append(self._joined([Games(piece, fresh.players, self.words)]))  # without the tables themselves
        if new:
            self.games = self._joined(parts)
            self.run, self.shards = fresh, [*self.shards, *new]
        return len(self.games) - before
