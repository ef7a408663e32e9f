"""PettingZoo's environment of agents that act one after the other: whoever is asked acts (`env`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .. import names
from ..errors import UserError
from ..replay.sitting import ME
from ..runs.plan import ROUND_CAP
from .arrays import NO_OPTION, option_of
from .spaces import METADATA, Count, Setting, action_space, look, observation_space, rendered
from .tables import OVER, Asked

MOST_CYCLES = 1_000_000


def agents_of(players: int) -> list[str]:
    """Return the names of the agents, one a seat."""
    return [f"player_{seat}" for seat in range(players)]


class NewDawn(AECEnv[str, dict[str, Any], int]):
    """A game whose seats are all agents. The reward is the share of the win, at the end; a game stopped early has none."""

    metadata = METADATA

    def __init__(
        self,
        players: int = 2,
        box: str = names.BOXES[0],
        rules: Sequence[Path | str] = (),
        leaders: Sequence[str] | None = None,
        round_cap: int = ROUND_CAP,
        max_cycles: int = MOST_CYCLES,
        render_mode: str | None = None,
    ) -> None:
        """`max_cycles`: the game is stopped after so many questions."""
        super().__init__()
        self.setting = Setting(box, (ME,) * players, rules, leaders, round_cap)
        self.metadata = {**METADATA, "name": self.setting.name, "is_parallelizable": False}
        self.tables = self.setting.tables(1)
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self.possible_agents = agents_of(players)
        self._action_spaces = {agent: action_space() for agent in self.possible_agents}
        self._observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self._count = Count()
        self.asked: Asked = OVER

    def __str__(self) -> str:
        return self.setting.name

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of the agent's actions."""
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of what the agent observes."""
        return self._observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin game 0 of the seed; without one the next game of the last seed."""
        seed, game = self._count.next(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict(self._count.info) for agent in self.agents}
        self.cycles = 0
        self._ask(self.tables.begin(0, game, seed))

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what the agent knows; who is not asked has no legal action."""
        return look(*self.tables.records(0), self.possible_agents.index(agent), self.asked)

    def option_of(self, action: int) -> int:
        """Return the index of the option that an action is for the agent who is asked, below zero if it is none."""
        return int(option_of(self.tables.works[0], self.asked[1], self.asked[2], int(action)))

    def step(self, action: int | None) -> None:
        """Act for the agent who is asked."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        option = NO_OPTION if action is None else self.option_of(action)
        if option == NO_OPTION:
            raise UserError(f"action: {action} is not legal; expected one of the action mask")
        self._clear_rewards()
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.cycles += 1
        self._ask(self.tables.answer(0, option))
        self._accumulate_rewards()

    def _ask(self, asked: Asked) -> None:
        self.asked = asked
        if asked[2]:
            self.agent_selection = self.possible_agents[asked[0]]
            if self.cycles >= self.max_cycles:
                self.truncations = dict.fromkeys(self.agents, True)
            return
        won = self.tables.game(0).ending == names.VICTORY
        self.terminations = dict.fromkeys(self.agents, bool(won))
        self.truncations = dict.fromkeys(self.agents, not won)
        self.rewards = dict(zip(self.possible_agents, self.tables.shares(0), strict=True))

    def render(self) -> str | np.ndarray | None:
        """Return the game as a text or a picture, by the render mode."""
        return rendered(self.tables, 0, self.asked, self.render_mode)

    def close(self) -> None:
        """Leave the game."""
        self.tables.close()


def raw_env(**settings: Any) -> NewDawn:
    """Return the environment without wrappers: an illegal action raises UserError."""
    return NewDawn(**settings)


def env(**settings: Any) -> AECEnv[str, dict[str, Any], int]:
    """Return the environment: an illegal action ends the game, with -1 for who made it."""
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1))
