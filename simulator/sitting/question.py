"""What a player is asked, as Python sees it: for functions of users (`bot`) and for games that wait (`sitting`)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from ..engine.core import decisions
from ..engine.core.functions import Table
from ..replay.player_board import player_board
from ..replay.words import Coordinates, Words
from . import asking

PREFIX = "ask_"


class Question:
    """A decision of the seat `seat` among `options`; to be used until it is answered.

    `options` are numbers: simulator/engine/core/decisions.py says what they mean, `words` puts them in words. `bits` are 64
    random bits, the same when the same game is played again; `random` draws from them.
    """

    __slots__ = ("bits", "code", "coordinates", "options", "seat", "table")

    def __init__(self, table: Table, seat: int, code: int, n: int, bits: int) -> None:
        self.table, self.seat, self.code, self.bits = table, seat, code, bits
        self.options: list[int] = table.options[:n].tolist()
        self.coordinates: Coordinates | None = None  # of the log, once the map is laid; else those of the map as it is

    def __len__(self) -> int:
        return len(self.options)

    def __repr__(self) -> str:
        return f"Question({self.told.leader(self.seat)}: {self.text} {'; '.join(self.words)})"

    @property
    def kind(self) -> str:
        """What kind of decision it is: one of `decisions.KINDS`."""
        return decisions.KINDS[self.code]

    @property
    def rules(self) -> Any:
        """The rules (simulator/rules/record.py)."""
        return self.table.rules

    @property
    def game(self) -> Any:
        """The game as it stands (simulator/engine/core/state.py). A function of a user's cannot write to it."""
        return self.table.game

    @property
    def about(self) -> dict[str, int]:
        """What else the question says, by name: the `ask_…` fields that decisions.py names for its kind; others are old."""
        work = self.table.work
        return {name.removeprefix(PREFIX): int(work[name]) for name in work.dtype.names if name.startswith(PREFIX)}

    @property
    def notes(self) -> np.ndarray:
        """The seat's own row of numbers, all 0 when a game begins: the only memory that it has."""
        row: np.ndarray = self.table.notes[self.seat]
        return row

    @property
    def random(self) -> Random:
        """A source of chance, new at each call: the same question draws the same numbers."""
        return Random(self.bits)

    @property
    def told(self) -> Words:
        """What names the things of the game as it stands."""
        words = Words(self.rules, self.game)
        words.at = self.coordinates or words.at
        return words

    @property
    def words(self) -> list[str]:
        """The options in words."""
        told, about = self.told, self.about
        return [asking.option(told, self.seat, self.code, value, about) for value in self.options]

    def word(self, index: int) -> str:
        """One of the options in words."""
        return asking.option(self.told, self.seat, self.code, self.options[index], self.about)

    @property
    def text(self) -> str:
        """The question as a sentence."""
        return asking.sentence(self.told, self.seat, self.code, self.about)

    def board(self, seat: int | None = None) -> dict[str, Any]:
        """Return what lies in front of a player, in words (replay/player_board.py); of the asked one if none is named."""
        return player_board(self.told, self.seat if seat is None else seat)

    def put(self, strategy: Callable[..., int]) -> int:
        """Return the index that a compiled strategy answers with; it makes its notes as if the seat were its own."""
        table = self.table
        return int(strategy(table.rules, table.game, table.work, self.seat, self.code, len(self), np.uint64(self.bits)))
