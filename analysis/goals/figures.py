"""The figures that goals may name: of each game a numerator and a denominator, so that a figure is a ratio Σy / Σm over games.

They are read off the columns of the tables and the stories of the games, which the summaries count from, too. What depends on a
number of rounds (games of more than so many, the median) is made from the rounds of each game when it is asked for (`bands`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...simulator import names
from ...simulator.batch.run import Observer, Rows, tables_of
from ...simulator.games.plan import Plan
from ...simulator.rules.contents import agenda_names, focus_types, names_of
from ...simulator.rules.loading.load import Ruleset
from ..statistics import margins
from ..summaries.expansion import CARD_ROUND, GOVERNED, PLACED
from ..summaries.leading import NOBODY, standings, stories
from ..tables.cases import Everything
from ..tables.columns import WHOLE, Games, Words
from ..trials.balance import Asked
from ..trials.compare import figures_of as compared
from ..trials.compare import subjects_of
from ..trials.headline import play_figures, play_some
from ..trials.questions import grant
from ..trials.tuning import play_effect

POINTS = margins.POINTS / 100
PLACES = ("first", "second", "third", "fourth", "fifth")
ROUNDS = "rounds"
Pair = tuple[str, str]


@dataclass(frozen=True)
class Kind:
    """A word of the goals file: of what it is a figure, how the figure is called, and what matters of it."""

    word: str
    of: str  # "leader", "wonder" …; "": of the game
    title: str
    margin: float = POINTS
    unit: str = "share"  # or "rounds", "number"
    mean: bool = False  # a mean over games, and no share of cases
    expansion: bool = False


KINDS = {
    kind.word: kind
    for kind in (
        Kind("win-rate", "leader", "win rate of {}"),
        Kind("seat-win-rate", "place", "win rate of the {} player"),
        Kind("matchup", "pair", "wins of {} against {}"),
        Kind("claim-rate", "agenda", "claim rate of {}"),
        Kind("build-rate", "wonder", "build rate of {}"),
        Kind("effect", "wonder", "effect of {}", mean=True),
        Kind("card-use", "focus type", "use of {} cards"),
        Kind("unique-card-rate", "leader", "use of the unique card of {}", expansion=True),
        Kind("government-rate", "government", "use of {}", expansion=True),
        Kind("district-rate", "district", "use of the {}", expansion=True),
        Kind("game-length", "", ROUNDS, margins.ROUNDS, "rounds", True),
        Kind("median-length", "", "median length", margins.ROUNDS, "rounds"),
        Kind("longer-than", "", "games of more than {} rounds"),
        Kind("unfinished", "", "unfinished games"),
        Kind("capitals-beaten", "", "capitals beaten a game", margins.DEEDS, "number", True),
        Kind("lead-changes", "", "lead changes a game", margins.DEEDS, "number", True),
        Kind("comebacks", "", "games won from behind"),
        Kind("lead-for-good", "", "share of the game before the winner's last lead", mean=True),
    )
}
MADE_OF_ROUNDS = ("median-length", "longer-than")
NEEDS_SUBJECT = ("effect", "matchup")  # not read off the games that all others are read off, or not all of them


@dataclass(frozen=True)
class Figure:
    """A figure of the games: its kind, and of whom or what it is."""

    kind: Kind
    subject: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return what it is called."""
        return self.kind.title.format(*self.subject)


def subjects(ruleset: Ruleset, kind: Kind, players: int) -> list[str]:
    """Return the names that a kind of figure knows under the rules, at tables of so many players."""
    data = ruleset.data
    known = {
        "leader": lambda: names_of(data, "leader"),
        "pair": lambda: names_of(data, "leader"),
        "wonder": lambda: names_of(data, "wonder"),
        "agenda": lambda: agenda_names(data),
        "place": lambda: list(PLACES[:players]),
        "focus type": lambda: list(focus_types(data)),
        "government": lambda: list(GOVERNED.values()),
        "district": lambda: list(PLACED.values()),
    }
    return known[kind.of]() if kind.of else []


def catalogue(ruleset: Ruleset, pairs: Sequence[Pair] = ()) -> tuple[Figure, ...]:
    """Return the figures that every game of the ruleset is asked for, and the pairs of leaders that a goal names."""
    most = names.MOST_PLAYERS[ruleset.box]
    ti = ruleset.box == names.BOXES[names.TI_BOX]
    asked = [
        kind for kind in KINDS.values() if kind.word not in (*MADE_OF_ROUNDS, *NEEDS_SUBJECT) and (ti or not kind.expansion)
    ]
    found = [Figure(kind, (name,)) for kind in asked for name in subjects(ruleset, kind, most)]
    return (*(Figure(kind) for kind in asked if not kind.of), *found, *(Figure(KINDS["matchup"], pair) for pair in pairs))


def asked_of(figures: Sequence[Figure]) -> Asked:
    """Return what plays games and reads these figures off them."""
    titles = tuple(figure.title for figure in figures)
    reads = partial(read, figures=figures)
    return Asked(titles, partial(play_figures, read=reads), partial(play_some, read=reads))


def effect_of(wonder: str) -> Asked:
    """Return what plays pairs of games, with and without the wonder given to a seat, for its effect."""
    return Asked((KINDS["effect"].title.format(wonder),), partial(_play_effect, wonder=wonder))


def _play_effect(plan: Plan, ruleset: Ruleset, first: int, n: int, jobs: int, observer: Observer, wonder: str) -> np.ndarray:
    return play_effect(grant(plan, ruleset, [wonder]), first, n, jobs, observer)[:, None, :]


# --- Reading figures off games


def read(plan: Plan, r: np.record, rows: Rows, figures: Sequence[Figure]) -> np.ndarray:
    """Return (games, figures, 2) of the rows of some games, in the order of the games."""
    frames = {name: part.to_pandas() for name, part in tables_of(plan, r, rows).items()}
    games = Games(frames, plan.players, Words())
    known = subjects_of(r)
    values = np.zeros((len(games), len(figures), 2), np.float32)
    found = {title: column for (_, title), column in zip(known.figures, compared(games, known).transpose(1, 0, 2), strict=True)}
    for title, (y, m) in _others(games, figures):
        found[title] = np.stack([np.broadcast_to(y, len(games)), np.broadcast_to(m, len(games))], axis=1)
    for place, figure in enumerate(figures):
        values[:, place] = found.get(figure.title, 0)
    order = np.argsort(games.game_id)
    return values[order]


def _others(games: Games, figures: Sequence[Figure]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield title, and numerators and denominators by game, of the figures that comparisons do not have."""
    yield from _courses(games)
    yield from _seats(games)
    yield from _cards(games)
    words = games.words.leader
    for figure in figures:
        if figure.kind.word == "matchup":
            yield figure.title, _pair(games, figure.subject)
    if any(figure.kind.expansion for figure in figures):
        for columns, title in ((PLACED, KINDS["district-rate"].title), (GOVERNED, KINDS["government-rate"].title)):
            for column, name in columns.items():
                yield title.format(name), ((games.number(column) > 0).sum(axis=1), games.players)
        taken = games.number(CARD_ROUND) > 0
        for code, name in enumerate(words):
            own = games.leader == code
            yield KINDS["unique-card-rate"].title.format(name), ((own & taken).sum(axis=1), own.sum(axis=1))


def _courses(games: Games) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield what the course of each game was: lead changes, comebacks, when the winner took the lead for good."""
    leads = stories(*standings(Everything(games)))
    won = (leads["behind"] != NOBODY).to_numpy()
    yield KINDS["lead-changes"].title, (leads["changes"].to_numpy(), 1)
    yield KINDS["comebacks"].title, (won & (leads["behind"] > 0).to_numpy(), won)
    yield KINDS["lead-for-good"].title, (np.where(won, leads["lead_round"] / leads["rounds"], 0), won)
    yield KINDS["capitals-beaten"].title, (games.number("capitals_beaten").sum(axis=1), 1)


def _seats(games: Games) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield the win rates by place in the turn order."""
    for place, name in enumerate(PLACES[: games.players], 1):
        won = (games.won * (games.order == place)).sum(axis=1) / WHOLE
        yield KINDS["seat-win-rate"].title.format(name), (won, 1)


def _cards(games: Games) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Yield of each focus type the share of its cards in all that were resolved."""
    kinds = [kind for kind in names.FOCUS_TYPES if f"{kind}_slot1" in games.piece["seats"]]
    used = {kind: sum(games.number(f"{kind}_slot{slot}").sum(axis=1) for slot in range(1, 6)) for kind in kinds}
    every = sum(used.values())
    for kind, uses in used.items():
        yield KINDS["card-use"].title.format(kind), (uses, every)


def _pair(games: Games, pair: Sequence[str]) -> tuple[Any, Any]:
    """Return the wins of the first of two leaders, and the wins of both, in games with both at the table."""
    own, other = (games.leader == games.words.leader.index(name) if name in games.words.leader else None for name in pair)
    if own is None or other is None:
        return 0, 0
    met = own.any(axis=1) & other.any(axis=1)
    wins = [(games.won * seats).sum(axis=1) / WHOLE * met for seats in (own, other)]
    return wins[0], wins[0] + wins[1]
