"""Train an agent against `random` with MaskablePPO, show its curve, measure it, and let it play as a strategy.

    pip install -e '.[gym]' sb3-contrib
    python train_agent.py                     trains for ten minutes: agent.zip, curve.csv, curve.png
    newdawn ladder --strategies train_agent.py:choose,random,planner --players 2

docs/how-to/train-an-agent.md tells what it does.
"""

import sys
import time
from collections import deque
from functools import cache
from pathlib import Path

import numpy as np
from gymnasium.spaces import Box, Discrete
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from newdawn.analysis.statistics.rates import wilson
from newdawn.simulator import names
from newdawn.simulator.engine.core import decisions
from newdawn.simulator.environments.batch import Batch
from newdawn.simulator.environments.spaces import option_for, seen_by

HERE = Path(__file__).resolve().parent
AGENT, CURVE, PICTURE = (HERE / name for name in ("agent.zip", "curve.csv", "curve.png"))
GAMES = 64  # side by side
CHOICES = 128  # the agent chooses the k-th legal action: a small space learns faster, and nothing here looks at the map
MINUTES = 10.0
GOAL = 0.95  # to win so many games
CLAIM = 0.1  # reward for a victory card claimed, beside 1 for the win: it shows the way


def one_hot(codes, n):
    """Return a row of zeros with a one for each code; none for -1."""
    return (np.asarray(codes)[..., None] == np.arange(n)).astype(np.float32)


def features(seen, mask):
    """Return what the agent looks at, one row a game: the question, its own row of cards, what both seats have. No map."""
    n = len(seen["kind"])
    both = slice(0, 2)  # the own seat and the next one
    target = np.maximum(seen["agenda_target"], 1)[:, None]
    parts = [
        one_hot(seen["kind"], len(decisions.KINDS)),
        one_hot(seen["row_type"][:, 0], names.N_TYPES),
        seen["row_level"][:, 0] / 4,
        seen["row_slot"][:, 0] / 5,
        seen["row_trade"][:, 0] / 3,
        np.minimum(seen["agenda_has"][:, both] / target, 1.5),
        seen["claimed"][:, both] > 0,
        np.stack([seen[name][:, both] for name in ("dial", "tokens_left", "friendly", "coast")], -1) / 20,
        np.stack([seen[name][:, both] for name in ("cities", "cities_left", "mature")], -1) / 5,
        seen["resources"][:, both] / 3,
        np.clip(seen["about"], -1, 5) / 5,
        seen["round"] / 50,
        mask[:, 0],  # 1: the first choice is to pass
    ]
    return np.concatenate([np.asarray(part, np.float32).reshape(n, -1) for part in parts], axis=1)


def action_at(mask, k):
    """Return the k-th legal action of each game."""
    return (np.cumsum(mask, axis=1, dtype=np.int16) == np.asarray(k)[:, None] + 1).argmax(axis=1)


def choices(mask):
    """Return which choices there are."""
    return np.arange(CHOICES) < mask.sum(axis=1, dtype=np.int64)[:, None]


class Games(VecEnv):
    """A batch of games as Stable-Baselines3 takes them."""

    def __init__(self, against, n=GAMES, seed=0):
        self.batch = Batch(n, seats=("me", *against))
        self.seed_of_games = seed
        first = features(self.batch.observations, self.batch.mask)
        super().__init__(n, Box(-2, 10, first.shape[1:], np.float32), Discrete(CHOICES))

    def reset(self):
        self.batch.reset(self.seed_of_games)
        self.claimed = self._claimed()
        return features(self.batch.observations, self.batch.mask)

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        batch, seats = self.batch, self.batch.seat.copy()
        batch.step(action_at(batch.mask, self.actions))
        over = batch.ended | batch.stopped
        self.won = batch.rewards[np.arange(batch.n), seats]
        claimed = self._claimed()
        gained = np.where(over, self.won, (claimed - self.claimed) * CLAIM)
        self.claimed = claimed
        seen = features(batch.observations, batch.mask)
        told = [{"TimeLimit.truncated": bool(batch.stopped[i]), "terminal_observation": seen[i]} if over[i] else {}
                for i in range(batch.n)]  # fmt: skip
        return seen, gained.astype(np.float32), over, told

    def _claimed(self):
        return (self.batch.observations["claimed"][:, 0] > 0).sum(1)

    def env_method(self, method_name, *arguments, indices=None, **more):
        return list(choices(self.batch.mask))  # the one that MaskablePPO calls: action_masks

    def get_attr(self, attr_name, indices=None):
        return [None] * self.num_envs

    def set_attr(self, attr_name, value, indices=None):
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * self.num_envs

    def close(self):
        self.batch.close()


class Curve(BaseCallback):
    """Note how many of the last games were won, and stop when the time is up."""

    def __init__(self, minutes):
        super().__init__()
        self.seconds, self.begun = 60 * minutes, time.time()
        self.last, self.games = deque(maxlen=200), 0
        self.rows = []

    def _on_step(self):
        over = np.flatnonzero(self.locals["dones"])
        self.last.extend(self.training_env.won[over])
        self.games += len(over)
        return time.time() - self.begun < self.seconds

    def _on_rollout_end(self):
        won = float(np.mean(self.last or [0.0]))
        row = (time.time() - self.begun, time.process_time(), self.num_timesteps, self.games, won)
        self.rows.append(row)
        print("{:5.0f} s, {:5.0f} of a core {:9,} decisions {:6,} games, won of the last 200: {:.1%}".format(*row), flush=True)


def train(minutes):
    """Train for so many minutes, and keep the agent and its curve."""
    agent = MaskablePPO(
        "MlpPolicy", Games(["random"]), n_steps=128, batch_size=1024, n_epochs=4, gamma=0.998, gae_lambda=0.95,
        learning_rate=1e-3, ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]}, device="cpu", seed=1,
    )  # fmt: skip
    curve = Curve(minutes)
    try:
        agent.learn(10**9, callback=curve)
    except KeyboardInterrupt:
        print("stopped early")
    agent.save(AGENT)
    np.savetxt(CURVE, curve.rows, delimiter=",", header="seconds,core_seconds,decisions,games,won", comments="", fmt="%.4f")
    draw(curve.rows)


def measure(against="random", games=1000, seed=2):
    """Let the agent that was trained play games that it has not seen, and say how many it wins."""
    agent, table = trained(), Games([against], seed=seed)
    seen, won = table.reset(), {}
    while len(won) < games:
        numbers = table.batch.game.copy()
        actions, _ = agent.predict(seen, action_masks=choices(table.batch.mask))
        seen, _, over, _ = table.step(actions)
        won |= {int(numbers[i]): table.won[i] for i in np.flatnonzero(over) if numbers[i] < games}  # long games, too
    table.close()
    low, high = wilson(sum(won.values()), games)
    print(f"wins {sum(won.values()) / games:.1%} [{low:.1%}, {high:.1%}] of {games:,} new games against {against}")


def draw(rows):
    """Draw the curve."""
    from matplotlib.figure import Figure

    _, seconds, _, games, won = np.array(rows).T
    above = seconds[won >= GOAL]
    message = f"wins {GOAL:.0%} after {above[0] / 60:.1f} minutes of a core" if len(above) else f"wins {won[-1]:.0%} in the end"
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot(xlabel="minutes of a core", ylabel="won of the last 200 games, %", ylim=(0, 102))
    axes.plot(seconds / 60, 100 * won, color="#0072b2")
    axes.axhline(100 * GOAL, color="#999999", linewidth=1, linestyle="--")
    axes.set_title(f"Against random, two players: {message} ({int(games[-1]):,} games)", fontsize=10)
    figure.savefig(PICTURE, dpi=120)


@cache
def trained():
    """Return the agent that was trained."""
    return MaskablePPO.load(AGENT, device="cpu")


def choose(question):
    """Play by the trained policy: the way into `newdawn run` and `newdawn ladder`."""
    seen = seen_by(question)
    rows = {name: array[None] for name, array in seen["observation"].items()}
    mask = seen["action_mask"][None]
    k, _ = trained().predict(features(rows, mask), action_masks=choices(mask))
    return option_for(question, int(action_at(mask, k)[0]))


if __name__ == "__main__":
    train(float(sys.argv[1]) if len(sys.argv) > 1 else MINUTES)
    measure()
elif AGENT.exists():
    trained()  # before the first question: an answer is expected within ten seconds
