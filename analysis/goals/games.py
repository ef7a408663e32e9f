"""Games of many rulesets at several tables: so many players, played in one way or another, kept on disk as they are played.

A table is a number of players and a strategy; for the effect of a wonder it plays pairs of games. Each table's games lie
in a folder of their own (`Games` of trials/balance.py): whatever stops the search, the next one begins where it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...simulator.batch.run import Observer, Silent
from ...simulator.games.plan import Plan, available_leaders, check_deal, make_plan, player_counts
from ...simulator.rules.loading.load import Ruleset
from ..trials.balance import Games
from .figures import Figure, asked_of, effect_of


@dataclass(frozen=True)
class Table:
    """Who plays: a number of players, a strategy; and the wonder whose effect is asked for, if it is."""

    players: int
    way: str
    granted: str = ""

    @property
    def folder(self) -> str:
        """Return the name of the folder of its games."""
        way = Path(self.way).parent.name if self.way.endswith(".yaml") else self.way  # players trained have a file
        words = "-".join(word for word in (f"{self.players}p", way, self.granted) if word)
        return re.sub(r"[^A-Za-z0-9]+", "-", words).strip("-").lower()


def plan_of(ruleset: Ruleset, table: Table, seed: int) -> Plan:
    """Return the plan of a table's games; raise UserError if the rules do not allow it."""
    r = ruleset.compile()
    plan = make_plan(
        players=table.players, games=1, seed=seed, strategies=[table.way], available_leaders=available_leaders(r),
        player_counts=player_counts(r), box=ruleset.box,
    )  # fmt: skip
    check_deal(plan, r)
    return plan


class Tables:
    """Plays and keeps the games of all tables; a figure of a table is a column of its arrays."""

    def __init__(
        self, ruleset: Ruleset, figures: Sequence[Figure], seed: int, out: Path | None = None, jobs: int = 1,
        observer: Observer | None = None,
    ) -> None:  # fmt: skip
        self.ruleset, self.figures, self.seed, self.out, self.jobs = ruleset, tuple(figures), seed, out, jobs
        self.observer = observer or Silent()
        self.kept: dict[Table, Games] = {}
        self.stack = ExitStack()

    @contextmanager
    def open(self) -> Iterator[Tables]:
        """Hold the folders of the games."""
        with ExitStack() as self.stack:
            yield self
        self.kept.clear()

    def _games(self, table: Table) -> Games:
        if table not in self.kept:
            asked = effect_of(table.granted) if table.granted else asked_of(self.figures)
            out = None if self.out is None else self.out / "games" / table.folder
            plan = plan_of(self.ruleset, table, self.seed)
            games = Games(out, plan, self.ruleset, self.jobs, self.observer, asked)
            if out is not None:
                out.parent.mkdir(parents=True, exist_ok=True)
            self.kept[table] = self.stack.enter_context(games.open())
        return self.kept[table]

    @contextmanager
    def stage(self, words: str, wanted: Sequence[tuple[Table, Ruleset, int]], fresh: bool = False) -> Iterator[None]:
        """Tell the observer what comes, and how many of its games are there already."""
        ready = sum(min(n, self._games(table).ready(ruleset, fresh)) for table, ruleset, n in wanted)
        self.observer.note(words)
        self.observer.begin(sum(n for *_, n in wanted), ready)
        try:
            yield
        finally:
            self.observer.end()

    def play(self, table: Table, ruleset: Ruleset, n: int, fresh: bool = False) -> np.ndarray:
        """Return (games, figures, 2) of the first n games of a table under a ruleset; fresh ones have other seeds."""
        games = self._games(table)
        return games.fresh(ruleset, n) if fresh else games.search(ruleset, n)
