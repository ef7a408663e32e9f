"""Games of many rulesets at several tables: so many players, played in one way or another, kept on disk as they are played.

A table is a number of players and a strategy; for the effect of a wonder it plays pairs of games. Each table's games lie
in a folder of their own (`Games` of trials/balance.py): whatever stops the search, the next one begins where it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...simulator import ours
from ...simulator.batch.run import Observer, Silent
from ...simulator.games.plan import Plan, plan_by
from ...simulator.keeping import usable
from ...simulator.rules.loading.load import Ruleset
from ..trials.balance import Alike, Games
from .figures import KINDS, Figure, asked_of, effect_of


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
    return plan_by(ruleset.compile(), players=table.players, games=1, seed=seed, strategies=[table.way])


OWN = {
    "leaders": ("abilities", "start_trade_tokens", "start_bonus", "head_start", "unique_card"),
    "wonders": ("abilities", "cost"),
}


def differing(rules: Mapping[str, Any], other: Mapping[str, Any]) -> list[Figure] | None:
    """Return the win rates and build rates of the leaders and wonders by which rules differ; None if not by these alone.

    What stands on the card of a leader that is not at the table, or of a wonder that is in no deck, moves nothing.
    """
    if any(rules[key] != other[key] for key in rules if key not in OWN) or rules.keys() != other.keys():
        return None
    found = []
    for section, word in (("leaders", "win-rate"), ("wonders", "build-rate")):
        if rules[section].keys() != other[section].keys():
            return None
        for key, entry in rules[section].items():
            unlike = [name for name, value in entry.items() if other[section][key].get(name) != value]
            if not set(unlike) <= set(OWN[section]) or len(entry) != len(other[section][key]):
                return None
            if unlike:
                found.append(Figure(KINDS[word], (str(entry["civ" if section == "leaders" else "name"]),)))
    return found


class Spent(Exception):
    """The games that the search may play are played."""


class Tables:
    """Plays and keeps the games of all tables; a figure of a table is a column of its arrays."""

    def __init__(
        self, ruleset: Ruleset, figures: Sequence[Figure], seed: int, out: Path | None = None, jobs: int = 1,
        observer: Observer | None = None,
    ) -> None:  # fmt: skip
        self.ruleset, self.figures, self.seed, self.out, self.jobs = ruleset, tuple(figures), seed, out, jobs
        self.observer = observer or Silent()
        self.kept: dict[Table, Games] = {}
        self.places: dict[tuple[int, int], tuple[Ruleset, Ruleset, list[int] | None]] = {}
        self.stack = ExitStack()
        self.played, self.limit = 0, float("inf")

    def charge(self, games: int) -> None:
        """Count games before they are played; raise Spent if they are more than may be played."""
        if self.played + games > self.limit:
            raise Spent
        self.played += games

    @contextmanager
    def open(self) -> Iterator[Tables]:
        """Hold the folder, and those of the games in it."""
        with ExitStack() as self.stack:
            if self.out is not None:
                with usable(self.out):
                    self.out.mkdir(parents=True, exist_ok=True)
                    self.stack.enter_context(ours.held(self.out))
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
            games.charge = self.charge
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

    def play(
        self, table: Table, ruleset: Ruleset, n: int, fresh: bool = False, like: Ruleset | None = None
    ) -> np.ndarray:  # fmt: skip
        """Return (games, figures, 2) of the first n games of a table under a ruleset; fresh ones have other seeds.

        Games without the leaders and wonders by which it differs from the rules `like` it (by default those of the tables) are
        those of these, and not played again.
        """
        games, like = self._games(table), like or self.ruleset
        play = games.fresh if fresh else games.search
        known = games.ready(ruleset, fresh) >= n and self.limit == float("inf")  # a budget counts what a first search played
        if known or (places := self._places(table, ruleset, like)) is None:
            return play(ruleset, n)
        rules = self.play(table, like, n, fresh)
        return play(ruleset, n, Alike(rules, _there(rules, places)))

    def share(self, table: Table, ruleset: Ruleset, n: int, like: Ruleset | None = None) -> float:
        """Return the share of a table's games that a ruleset may play otherwise than that like it, of their first n games."""
        places = self._places(table, ruleset, like or self.ruleset)
        return 1.0 if places is None else float(_there(self.play(table, self.ruleset, n), places).mean())

    def _places(self, table: Table, ruleset: Ruleset, like: Ruleset) -> list[int] | None:
        """Return the figures that are asked of the games that a ruleset may play otherwise than that like it; None: of all."""
        if table.granted or ruleset is self.ruleset:
            return None
        key = id(like), id(ruleset)
        if key not in self.places:
            own = differing(like.data, ruleset.data)
            places = None if own is None else [place for place, one in enumerate(self.figures) if one in own]
            self.places[key] = like, ruleset, places
        return self.places[key][-1]


def _there(games: np.ndarray, places: Sequence[int]) -> np.ndarray:
    """Return which games any of these figures is asked of."""
    return np.asarray((games[:, places, 1] > 0).any(axis=1))
