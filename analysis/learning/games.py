"""Positions to learn from, in memory and as files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HELD_OUT = 10  # one game in so many is kept from the fit, to measure the loss


@dataclass(frozen=True)
class Games:
    """Positions to learn from: facts (n, seats, N_FACTS), share of the win (n, seats), and game, round and mover (n, 3)."""

    facts: np.ndarray
    shares: np.ndarray
    moments: np.ndarray

    @property
    def held_out(self) -> np.ndarray:
        """Which positions are of games kept from the fit."""
        return np.asarray(self.moments[:, 0] % HELD_OUT == 0)

    def only(self, chosen: np.ndarray) -> Games:
        """Return the chosen positions."""
        return Games(self.facts[chosen], self.shares[chosen], self.moments[chosen])

    def small(self) -> Games:
        """Return the same with facts in half the room."""
        return Games(self.facts.astype(np.float16), self.shares, self.moments)


def joined(games: Iterable[Games]) -> Games:
    """Return the positions of all, one after the other."""
    each = list(games)
    parts = ([one.facts for one in each], [one.shares for one in each], [one.moments for one in each])
    return Games(*(np.concatenate(part) for part in parts))


def save(path: Path, positions: Games, studies: Games) -> None:
    """Write the positions of games and of studies into a file."""
    arrays: dict[str, Any] = {}
    for name, games in (("position", positions), ("study", studies)):
        arrays |= {f"{name}_facts": games.facts, f"{name}_shares": games.shares, f"{name}_moments": games.moments}
    write_whole(path, lambda file: np.savez(file, **arrays))


def load(path: Path) -> tuple[Games, Games]:
    """Read what `save` wrote."""
    with np.load(path) as kept:
        positions, studies = (
            Games(*(kept[f"{name}_{part}"] for part in ("facts", "shares", "moments"))) for name in ("position", "study")
        )
    return positions, studies


def write_whole(path: Path, write: Callable[[Any], None]) -> None:
    """Write a file under another name first: what has its name is whole."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with unfinished.open("wb") as file:
        write(file)
    unfinished.replace(path)
