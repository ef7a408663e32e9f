"""PettingZoo's environment in which all agents act in every step, for libraries that know no other (`parallel_env`).

One question is asked at a time: the action of the agent who is asked counts. All others wait: whatever they do is ignored, and
their masks allow action 0 only. An action of the asked one that is not legal counts as the first legal one; `illegal` in its
info says so.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from .aec import NewDawn
from .arrays import MASK, NO_OPTION, action_of
from .spaces import METADATA

WAIT = 0  # the action of those who are not asked
Told = dict[str, Any]


class Together(ParallelEnv[str, dict[str, Any], int]):
    """The game of aec.py, seen by all agents at once."""

    metadata = METADATA

    def __init__(self, **settings: Any) -> None:
        """Take the settings of `aec.NewDawn`."""
        self.game = NewDawn(**settings)
        self.metadata = {**METADATA, "name": str(self.game)}
        self.possible_agents, self.render_mode = self.game.possible_agents, self.game.render_mode

    def __str__(self) -> str:
        return str(self.game)

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of the agent's actions."""
        return self.game.action_space(agent)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of what the agent observes."""
        return self.game.observation_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Told, Told]:
        """Begin game 0 of the seed; without one the next game of the last seed."""
        self.game.reset(seed, options)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos(False)

    def step(self, actions: dict[str, int]) -> tuple[Told, Told, Told, Told, Told]:
        """Let the agent who is asked act."""
        option = self.game.option_of(actions[self.game.agent_selection])
        illegal = option == NO_OPTION
        legal = action_of(self.game.tables.works[0], self.game.asked[1], max(option, 0))
        self.game.step(legal)
        rewards, ended, stopped = (dict(each) for each in (self.game.rewards, self.game.terminations, self.game.truncations))
        infos = self._infos(illegal)
        observations = self._observations()
        if any(ended.values()) or any(stopped.values()):
            self.agents = []
        return observations, rewards, ended, stopped, infos

    def render(self) -> str | np.ndarray | None:
        """Return the game as a text or a picture, by the render mode."""
        return self.game.render()

    def close(self) -> None:
        """Leave the game."""
        self.game.close()

    def _observations(self) -> Told:
        found = {agent: self.game.observe(agent) for agent in self.agents}
        for seen in found.values():
            if not seen[MASK].any():
                seen[MASK][WAIT] = 1
        return found

    def _infos(self, illegal: bool) -> Told:
        return {agent: {**self.game.infos[agent], "illegal": illegal} for agent in self.agents}


def parallel_env(**settings: Any) -> Together:
    """Return the environment."""
    return Together(**settings)


def env(**settings: Any) -> AECEnv[str, dict[str, Any], int]:
    """Return the same environment for agents that act one after the other, all of them in every step."""
    found: AECEnv[str, dict[str, Any], int] = parallel_to_aec(parallel_env(**settings))
    return found
