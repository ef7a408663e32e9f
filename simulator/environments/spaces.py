"""What all environments have in common: name and version, the plan of their games, spaces, observations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from .. import names
from ..engine.core.state import STATE
from ..errors import UserError
from ..games.plan import MAX_SEED, ROUND_CAP, Plan, check_number, plan_by
from ..rules import Ruleset, load_ruleset
from ..sitting.question import Question
from ..sitting.sitting import ME, seated
from .actions import option_of
from .arrays import ACTIONS, ARRAYS, MASK, OBSERVATION
from .observe import observe_as
from .tables import Asked, Tables, addresses

# Raised when the printed rules, what is observed or what an action means change the games that agents see; what belongs to a
# version is noted in VERSIONS (`python -m newdawn.simulator.environments.versions` tells the digests of today).
VERSION = 2

_PARTS = [(array.name, array.shape, array.dtype, OBSERVATION.fields[array.name][1]) for array in ARRAYS]  # type: ignore[index]


def name_of(ruleset: Ruleset) -> str:
    """Return the name of the environment, with its version; under house rules with the beginning of their digest."""
    box = "" if ruleset.box == names.BOXES[0] else "_" + ruleset.box.replace("-", "_")
    own = "" if ruleset.digest() == load_ruleset(box=ruleset.box).digest() else f"_{ruleset.digest()[:8]}"
    return f"newdawn{box}{own}_v{VERSION}"


class Setting:
    """Which games an environment plays: by which rules, who sits where."""

    def __init__(
        self,
        box: str = names.BOXES[0],
        seats: Sequence[str] = (ME, ME),
        rules: Sequence[Path | str] = (),
        leaders: Sequence[str] | None = None,
        round_cap: int = ROUND_CAP,
    ) -> None:
        """`seats`: the line-up, `me` for a seat that agents play; it moves on by one seat from game to game."""
        if box not in names.BOXES:
            raise UserError(f"box: '{box}' is not known; expected {' or '.join(names.BOXES)}")
        if ME not in seats:
            raise UserError(f"seats: {', '.join(seats)}; expected '{ME}' at least once, for whom the environment asks")
        self.seats, self.leaders, self.round_cap = tuple(seats), leaders, round_cap
        self.ruleset = load_ruleset(rules, box=box)
        self.name = name_of(self.ruleset)

    def plan(self, seed: int = 0) -> Plan:
        """Return the plan of the games."""
        settings = {"leaders": self.leaders, "strategies": seated(self.seats), "round_cap": self.round_cap}
        return plan_by(self.ruleset.compile(), players=len(self.seats), games=1, seed=seed, **settings)

    def tables(self, n: int, seed: int = 0) -> Tables:
        """Return tables for games of the setting."""
        return Tables(self.ruleset, self.plan(seed), n, {ME})


class Count:
    """Which game comes next: game 0 of a seed that is given, else the next one of the last seed."""

    def __init__(self) -> None:
        self.seed, self.game = -1, -1

    def next(self, seed: int | None) -> tuple[int, int]:
        """Return seed and number of the next game; without any seed so far it is a random one."""
        if seed is not None:
            check_number("seed", seed, 0, MAX_SEED)
        if seed is not None or self.seed < 0:
            self.seed = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else int(seed)
            self.game = -1
        self.game += 1
        return self.seed, self.game

    @property
    def info(self) -> dict[str, int]:
        """Which game it is, as `newdawn run` and `newdawn replay` count."""
        return {"seed": self.seed, "game": self.game}


def action_space() -> gymnasium.spaces.Discrete:
    """Return a space of actions (actions.py)."""
    return gymnasium.spaces.Discrete(ACTIONS)


def observation_space() -> gymnasium.spaces.Dict:
    """Return a space of observations: `observation`, the arrays by name (arrays.py), and `action_mask`."""
    spaces: dict[str, gymnasium.spaces.Space[Any]] = {
        array.name: gymnasium.spaces.Box(array.low, array.high, array.shape, array.dtype.type) for array in ARRAYS
    }
    mask = gymnasium.spaces.Box(0, 1, spaces.pop(MASK).shape, np.int8)
    return gymnasium.spaces.Dict({"observation": gymnasium.spaces.Dict(spaces), MASK: mask})


def look(r: Any, g: Any, w: Any, seat: int, asked: Asked) -> dict[str, Any]:
    """Return what a seat knows of a game that asks `asked`: rules, game and workspace are those of simulator/engine/core."""
    memory, copy = np.zeros(1, OBSERVATION), np.frombuffer(bytearray(g.tobytes()), STATE)
    work = addresses(w.option[None])  # its first field
    observe_as(r, addresses(copy), work, addresses(memory), np.array([asked], np.int64), seat)
    found: dict[str, Any] = {name: np.ndarray(shape, dtype, memory, at) for name, shape, dtype, at in _PARTS}
    mask = found.pop(MASK)
    return {"observation": found, MASK: mask}


def seen_by(question: Question) -> dict[str, Any]:
    """Return what an environment shows to the one who is asked: for a function of a user's that plays by a trained policy."""
    table = question.table
    return look(table.rules, table.game, table.work, question.seat, (question.seat, question.code, len(question)))


def option_for(question: Question, action: int) -> int:
    """Return the index of the option that an action is, below zero if it is none."""
    return int(option_of(question.table.work, question.code, len(question), int(action)))
