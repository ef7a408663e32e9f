"""Many games in one call: actions of all of them in, what all of them ask next out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import names
from ..engine.state import STATE
from ..errors import UserError
from ..replay.interactive_game import ME
from ..runs.run_plan import MAX_SEED, ROUND_CAP, check_number
from .observe import ARRAYS, KIND, MASK, OBSERVATION, OPTIONS, SEAT, draw_actions, observe_asked, options_of
from .spaces import Setting, addresses

MOST_GAMES = 4096  # half a megabyte each


class Batch:
    """`n` games at once, of which each asks for one action at a time; one that ends is followed by the next of the seed.

    After `reset` and each `step`:

    - `seat`, `kind`, `options` (n each): who is asked, what kind of question (`decisions.KINDS`), among how many options
    - `observations`: what each of these seats knows, by name (observe.py) with a row a game; `mask`: the legal actions
    - `ended`, `stopped` (n each): a game ended with a victory, or at the round cap, by this step: the row is of its successor
    - `rewards` (n x players): what it brought every seat, its share of the win
    - `game` (n): the number of each game, as `newdawn run` counts
    """

    def __init__(
        self,
        n: int,
        seats: Sequence[str] = (ME, ME),
        box: str = names.BOXES[0],
        rules: Sequence[Path | str] = (),
        leaders: Sequence[str] | None = None,
        round_cap: int = ROUND_CAP,
        observe: bool = True,
    ) -> None:
        """`seats`: `me` or a strategy, see spaces.py; without `observe` there are no observations and no mask."""
        check_number("games", n, 1, MOST_GAMES)
        self.setting = Setting(box, seats, rules, leaders, round_cap)
        self.name, self.n, self.players = self.setting.name, n, len(seats)
        self.tables = self.setting.tables(n)
        self.observations: dict[str, np.ndarray] = {}
        self._observed = np.zeros(n if observe else 0, OBSERVATION)
        if observe:
            self.observations = {array.name: self._observed[array.name] for array in ARRAYS}
            self.mask = self.observations.pop(MASK)
        self._copies = np.zeros(len(self._observed), STATE)
        self._works_at, self._copies_at, self._observed_at = (
            addresses(records) for records in (self.tables.works, self._copies, self._observed)
        )
        self._copied, self._blank = self._copies.view(np.uint8).reshape(-1, STATE.itemsize), self._observed.view(np.uint8)
        self._asked = np.zeros((n, 3), np.int64)
        self._chosen = np.zeros(n, np.int64)
        self.seat, self.kind, self.options = (self._asked[:, column] for column in (SEAT, KIND, OPTIONS))
        self.ended, self.stopped = np.zeros(n, bool), np.zeros(n, bool)
        self.rewards = np.zeros((n, self.players))
        self.game = np.zeros(n, np.int64)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin games 0 … n - 1 of the seed."""
        check_number("seed", seed, 0, MAX_SEED)
        self.seed, self._next = seed, 0
        self.ended[:], self.stopped[:], self.rewards[:] = False, False, 0.0
        self._asked[:] = [self._begin(i) for i in range(self.n)]
        self._observe()

    def step(self, actions: np.ndarray) -> None:
        """Take an action in every game (observe.py)."""
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.n,):
            raise UserError(f"actions: an array of {actions.shape}; expected one action for each of {self.n} games")
        bad = int(options_of(self._works_at, self._asked, actions, self._chosen))
        if bad >= 0:
            raise UserError(f"actions: {actions[bad]} is not legal in game {self.game[bad]}; expected one of its mask")
        if self.ended.any() or self.stopped.any():
            self.ended[:], self.stopped[:], self.rewards[:] = False, False, 0.0
        asked = self.tables.answer_all(self._chosen.tolist())
        for i in [i for i, question in enumerate(asked) if not question[OPTIONS]]:
            self.rewards[i] = self.tables.shares(i)
            won = self.tables.game(i).ending == names.VICTORY
            self.ended[i], self.stopped[i] = won, not won
            asked[i] = self._begin(i)
        self._asked[:] = asked
        self._observe()

    def sample(self, bits: int) -> np.ndarray:
        """Draw a legal action for every game, by chance that follows from 64 random bits and the game's row."""
        actions = np.zeros(self.n, np.int64)
        draw_actions(self._works_at, self._asked, np.uint64(bits), actions)
        return actions

    def close(self) -> None:
        """Leave all games."""
        self.tables.close()

    def _begin(self, i: int) -> Any:
        self.game[i] = self._next
        self._next += 1
        return self.tables.begin(i, int(self.game[i]), self.seed)

    def _observe(self) -> None:
        if not len(self._observed):
            return
        # As bytes: NumPy would copy records field by field.
        self._copied[:] = self.tables.bytes
        self._blank[:] = 0
        observe_asked(self.tables.rules, self._copies_at, self._works_at, self._observed_at, self._asked)
