"""The headline figures of games: rounds, unfinished games, and the rates of leaders, agendas and world wonders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.contents import written
from ..stats import rates
from .columns import SEPARATOR, WHOLE, Games, Words, wanted
from .focus_cards import takers

ROUNDS, UNFINISHED, FIRST_PLAYER, WIN_RATE = "rounds", "unfinished games", "win rate of the first player", "win rate of "
CLAIM_RATE, BUILD_RATE = "claim rate of ", "build rate of "
GROUPS = ("game", "skill", "places", "leaders", "agendas", "wonders", "cards")
FIRST_LEADER = 3


@dataclass(frozen=True)
class Subjects:
    """Whose figures are compared: leaders, agendas and world wonders, by name."""

    leaders: tuple[str, ...] = names.LEADERS
    agendas: tuple[str, ...] = names.AGENDAS
    wonders: tuple[str, ...] = names.WONDERS
    # Focus cards with the leader who has each alone, where they are counted.
    cards: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    # Players whose wins say how much skill decides, where different ones sit at one table.
    players: tuple[str, ...] = field(default=(), kw_only=True)
    # Places where seats begin, of a fixed map.
    starts: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """Group and name of each figure, in the order of `game_figures`."""
        return (
            ("game", ROUNDS),
            ("game", UNFINISHED),
            ("game", FIRST_PLAYER),
            *(("leaders", f"{WIN_RATE}{name}") for name in self.leaders),
            *(("agendas", f"{CLAIM_RATE}{name}") for name in self.agendas),
            *(("wonders", f"{BUILD_RATE}{name}") for name in self.wonders),
            *(("cards", f"take rate of {name}") for name, _ in self.cards),
            *(("skill", f"{WIN_RATE}{name}") for name in self.players),
            *(("places", f"{WIN_RATE}{name}") for name in self.starts),
        )

    @property
    def first_agenda(self) -> int:
        return FIRST_LEADER + len(self.leaders)

    @property
    def first_wonder(self) -> int:
        return self.first_agenda + len(self.agendas)

    @property
    def first_card(self) -> int:
        return self.first_wonder + len(self.wonders)

    @property
    def first_player(self) -> int:
        return self.first_card + len(self.cards)

    @property
    def first_start(self) -> int:
        return self.first_player + len(self.players)

    @property
    def needed(self) -> dict[str, list[str]]:
        """The columns of the tables that the figures are made of."""
        more = {"held": self.cards, "strategy": self.players, "at_places": self.starts}
        return wanted((*COLUMNS, *(name for name, asked in more.items() if asked)))

    @property
    def leader_figures(self) -> slice:
        return slice(FIRST_LEADER, self.first_agenda)


def subjects_of(*records: Any) -> Subjects:
    """Return all that any of the compiled rulesets has: the printed names first, then own ones in the order they appear."""
    found: dict[str, dict[str, None]] = {"leader": {}, "agenda": {}, "wonder": {}}
    for r in records:
        for kind, known in found.items():
            known.update(dict.fromkeys(written(r, kind)))
    return Subjects(*(tuple(known) for known in found.values()))


PRINTED = Subjects()
FIGURES = PRINTED.figures
LEADER_FIGURES = PRINTED.leader_figures
SPREAD = ("game", "leader spread")
Frames = Mapping[str, pd.DataFrame]
COLUMNS = ("rounds", "decided", "order", "leader", "won", "present", "cards", "claims", "deck", "erected")
WANTED = wanted(COLUMNS)


def game_figures(frames: Frames, first: int, n: int, subjects: Subjects = PRINTED) -> np.ndarray:
    """Return (games, figures, 2): numerator and denominator of each figure in the games first … first + n - 1."""
    at = frames["games"]["game_id"].to_numpy() - first
    if len(at) != n or not np.array_equal(np.sort(at), np.arange(n)):
        raise UserError(f"games {first} to {first + n - 1}: not all of them are in the tables")
    values = np.empty((n, len(subjects.figures), 2))
    values[at] = figures_of(Games(frames, len(frames["seats"]) // n, Words()), subjects)
    return values


def figures_of(games: Games, subjects: Subjects) -> np.ndarray:
    """Return (games, figures, 2): numerator and denominator of each figure in each of the games."""
    values = np.zeros((len(games), len(subjects.figures), 2))
    values[:, :2, 1] = 1
    values[:, 0, 0] = games.rounds
    values[:, 1, 0] = ~games.decided
    values[:, 2, 1] = games.decided  # of win rates only decided games count
    values[:, 2, 0] = _won(games, games.order == 1)
    present, cards, claims, deck, built = games.present, games.cards, games.claims, games.deck, games.erected
    for code, name in enumerate(games.words.leader):
        place = FIRST_LEADER + subjects.leaders.index(name)
        values[:, place, 0], values[:, place, 1] = _won(games, games.leader == code), (present >> code & 1) * games.decided
    for code, card in enumerate(games.words.card):
        for agenda in card.split(SEPARATOR):
            values[cards >> code & 1 == 1, subjects.first_agenda + subjects.agendas.index(agenda), 1] = 1
    agendas = np.array([subjects.agendas.index(name) for name in games.words.agenda], np.int64)
    values[claims.at // games.players, subjects.first_agenda + agendas[claims.what], 0] = 1
    for code, name in enumerate(games.words.wonder):
        place = subjects.first_wonder + subjects.wonders.index(name)
        values[:, place, 0], values[:, place, 1] = (deck & built) >> code & 1, deck >> code & 1
    for place, (_, took, might) in enumerate(takers(games, subjects.cards) if subjects.cards else (), subjects.first_card):
        values[:, place, 0], values[:, place, 1] = took, might
    for place, name in enumerate(subjects.players, subjects.first_player):
        playing, known = games.strategy, games.words.strategy
        mine = playing == (known.index(name) if name in known else -1)
        values[:, place, 0], values[:, place, 1] = _won(games, mine), mine.any(axis=1) * games.decided
    for place, name in enumerate(subjects.starts, subjects.first_start):
        events, known = games.at_places, games.words.place
        mine = np.zeros(games.leader.shape, bool)
        mine.flat[events.at[events.what == (known.index(name) if name in known else -1)]] = True
        values[:, place, 0], values[:, place, 1] = _won(games, mine), mine.any(axis=1) * games.decided
    return values


def _won(games: Games, seats: np.ndarray) -> np.ndarray:
    """Return the share of the win that these seats have in each game."""
    return (games.won * seats).sum(axis=1) / WHOLE


def margin_of(figure: str) -> float:
    """Return what counts as a change that matters: one round, or two percentage points."""
    return rates.ROUNDS if figure == ROUNDS else rates.POINTS / 100
