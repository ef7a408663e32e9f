"""PettingZoo's environments: `env`, where agents act one after the other, and `parallel_env`, where all act in every step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import parallel_to_aec

from .. import names
from ..errors import UserError
from ..replay.interactive_game import ME
from ..runs.run_plan import ROUND_CAP
from .observe import MASK, NO_OPTION, action_of, option_of
from .spaces import METADATA, OVER, Asked, GameCounter, Setting, action_space, look, observation_space, rendered

# --- PettingZoo's environment of agents that act one after the other
#
# Whoever is asked acts (`env`).

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
        self._count = GameCounter()
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


# --- PettingZoo's environment in which all agents act in every step, for libraries that know no other (`parallel_env`)
#
# One question is asked at a time: the action of the agent who is asked counts. All others wait: whatever they do is ignored,
# and their masks allow action 0 only. An action of the asked one that is not legal counts as the first legal one; `illegal`
# in its info says so.

WAIT = 0  # the action of those who are not asked
Told = dict[str, Any]


class Together(ParallelEnv[str, dict[str, Any], int]):
    """The game of `env`, seen by all agents at once."""

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


def turned_env(**settings: Any) -> AECEnv[str, dict[str, Any], int]:
    """Return the same environment for agents that act one after the other, all of them in every step."""
    found: AECEnv[str, dict[str, Any], int] = parallel_to_aec(parallel_env(**settings))
    return found
