"""Gymnasium's environment: one seat, against strategies on the others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from .. import names
from ..errors import UserError
from ..replay.interactive_game import ME
from ..runs.run_plan import ROUND_CAP
from .observe import MASK, NO_OPTION, option_of
from .spaces import METADATA, OVER, VERSION, Asked, GameCounter, Setting, action_space, look, observation_space, rendered

ILLEGAL = -1.0  # the reward of an action that is not legal, which ends the game
Observation = dict[str, Any]


class Seat(gymnasium.Env[Observation, Any]):
    """A game of one agent against strategies. The reward is the share of the win, at the end; a game stopped early has none.

    An action that is not legal ends the game with ILLEGAL.
    """

    metadata = METADATA

    def __init__(
        self,
        against: Sequence[str] = ("planner",),
        box: str = names.BOXES[0],
        rules: Sequence[Path | str] = (),
        leaders: Sequence[str] | None = None,
        round_cap: int = ROUND_CAP,
        render_mode: str | None = None,
    ) -> None:
        """`against`: the strategies on the other seats. Who sits where moves on by one seat from game to game."""
        if ME in against:
            raise UserError(f"against: {', '.join(against)}; expected strategies only, the one seat of the agent is added")
        self.setting = Setting(box, (ME, *against), rules, leaders, round_cap)
        self.tables = self.setting.tables(1)
        self.action_space = action_space()
        self.observation_space = observation_space()
        self.render_mode = render_mode
        self._count = GameCounter()
        self.asked: Asked = OVER
        self.seat = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin game 0 of the seed; without one the next game of the last seed."""
        super().reset(seed=seed)
        seed, game = self._count.next(seed)
        self.asked = self.tables.begin(0, game, seed)
        self.seat = self.asked[0]
        return self._look(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act, and let the others act until the seat is asked again."""
        option = int(option_of(self.tables.works[0], self.asked[1], self.asked[2], int(action)))
        if option == NO_OPTION:
            self.tables.leave(0)
            self.asked = OVER
            return self._look(), ILLEGAL, True, False, {**self._info(), "illegal": True}
        self.asked = self.tables.answer(0, option)
        over = not self.asked[2]
        won = over and self.tables.game(0).ending == names.VICTORY
        return self._look(), self.tables.shares(0)[self.seat], bool(won), bool(over and not won), self._info()

    def action_masks(self) -> np.ndarray:
        """Return the legal actions, as MaskablePPO of sb3-contrib asks for them."""
        mask: np.ndarray = self._look()[MASK].astype(bool)
        return mask

    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """Return the game as a text or a picture, by the render mode."""
        return rendered(self.tables, 0, self.asked, self.render_mode)

    def close(self) -> None:
        """Leave the game."""
        self.tables.close()

    def _look(self) -> Observation:
        return look(*self.tables.records(0), self.seat, self.asked)

    def _info(self) -> dict[str, Any]:
        return {**self._count.info, "seat": self.seat}


def register() -> None:
    """Tell Gymnasium of the environments, for `gymnasium.make`."""
    for box, name in zip(names.BOXES, ("NewDawn", "NewDawnTerraIncognita"), strict=True):
        gymnasium.register(f"{name}-v{VERSION}", f"{__name__}:Seat", kwargs={"box": box}, order_enforce=True)


register()
