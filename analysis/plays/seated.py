"""Plays as arrays by play and seat. Tables of different sizes lie in arrays as wide as the largest; `there` says which seats
are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

NOBODY = -1


@dataclass(frozen=True)
class Seated:
    """Plays: (n,) of each, (n, k) of each seat; NOBODY where there is no seat, or nobody known by name."""

    leaders: tuple[str, ...]  # names of the codes, in alphabetical order
    people: tuple[str, ...]
    leader: np.ndarray
    person: np.ndarray
    order: np.ndarray  # place in the turn order from 0, NOBODY where it is not known
    won: np.ndarray  # shares of the win

    @property
    def there(self) -> np.ndarray:
        """Return which seats there are."""
        return self.leader != NOBODY

    @property
    def players(self) -> np.ndarray:
        """Return how many seats each play has."""
        return self.there.sum(axis=1)

    @property
    def ordered(self) -> np.ndarray:
        """Return of which plays the turn order is known."""
        return (self.order >= 0).sum(axis=1) == self.players

    def __len__(self) -> int:
        return len(self.leader)

    def where(self, keep: np.ndarray) -> Seated:
        """Return some of the plays."""
        return Seated(self.leaders, self.people, *(column[keep] for column in (self.leader, self.person, self.order, self.won)))

    def counts(self, values: np.ndarray) -> np.ndarray:
        """Return the sums of seats' values by leader."""
        return np.bincount(self.leader[self.there], values[self.there], len(self.leaders))


def seated(seats: pd.DataFrame) -> Seated:
    """Return the plays of a table `seats` (game_id, seat, leader, player, order, won)."""
    game, games = pd.factorize(seats["game_id"], sort=True)
    place = seats.groupby("game_id").cumcount().to_numpy()
    leader, leaders = pd.factorize(seats["leader"].astype(str), sort=True)
    person, people = pd.factorize(seats["player"].astype(object), sort=True)
    shape = len(games), int(place.max(initial=0)) + 1

    def grid(values: np.ndarray, empty: float, kind: Any) -> np.ndarray:
        found = np.full(shape, empty, kind)
        found[game, place] = values
        return found

    order = seats["order"].fillna(0).to_numpy(float) - 1
    return Seated(
        tuple(map(str, leaders)), tuple(map(str, people)), grid(leader, NOBODY, int), grid(person, NOBODY, int),
        grid(order, NOBODY, int), grid(seats["won"].to_numpy(float), 0, float),
    )  # fmt: skip


def coded(names: Sequence[str], known: Mapping[str, int]) -> np.ndarray:
    """Return the codes of names, NOBODY of one that is not known; the last entry stands for no seat."""
    return np.array([*(known.get(name, NOBODY) for name in names), NOBODY])
