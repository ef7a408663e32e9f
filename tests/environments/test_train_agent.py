"""The example that trains an agent: what of it is ours works. The library that learns is none of ours, and not here."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from newdawn.simulator.engine.compile.user_functions import GameRecords
from newdawn.simulator.environments.spaces import Setting
from newdawn.simulator.replay.interactive_game import Question

FILE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "train_agent.py"


class VecEnv:
    """As much of the library's base class as the example counts on."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()


class Drawing:
    """An agent that draws a choice, in place of one that has learned."""

    chance = np.random.default_rng(1)

    def predict(self, seen, action_masks):
        assert len(seen) == len(action_masks)
        return (self.chance.random(action_masks.shape) * action_masks).argmax(1), None


@pytest.fixture
def example(monkeypatch):
    """The example, with something in place of the library."""
    for name, parts in (
        ("sb3_contrib", {"MaskablePPO": object}),
        ("stable_baselines3.common.callbacks", {"BaseCallback": object}),
        ("stable_baselines3.common.vec_env", {"VecEnv": VecEnv}),
    ):
        for place in range(1, name.count(".") + 2):
            part = ".".join(name.split(".")[:place])
            monkeypatch.setitem(sys.modules, part, sys.modules.get(part) or ModuleType(part))
        vars(sys.modules[name]).update(parts)
    spec = importlib.util.spec_from_file_location("train_agent", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.trained = Drawing
    return module


def test_the_library_gets_games_it_can_learn_from(example):
    games = example.Games(["random"], n=8)
    seen = games.reset()
    ended, rewards = 0, []
    for _ in range(500):
        mask = np.array(games.env_method("action_masks"))
        assert (mask.sum(1) == np.minimum(games.batch.options, example.CHOICES)).all()
        assert games.observation_space.contains(seen[0])
        seen, reward, over, told = games.step(Drawing().predict(seen, mask)[0])
        ended += over.sum()
        rewards += reward[~over].tolist()
        assert [bool(each) for each in told] == over.tolist()
        assert np.isin(games.won[over], (0, 0.5, 1)).all()
    assert ended > 2
    assert {round(reward, 6) for reward in rewards} >= {0.0, 0.1}
    games.close()


def test_a_choice_is_the_k_th_legal_action(example):
    mask = np.array([[0, 1, 0, 1, 1], [1, 0, 0, 0, 1]], np.int8)
    assert example.action_at(mask, [2, 0]).tolist() == [4, 0]
    assert example.choices(mask)[:, :4].tolist() == [[True, True, True, False], [True, True, False, False]]


def test_the_agent_answers_questions_as_a_strategy(example):
    tables = Setting(seats=("me", "random")).tables(1)
    asked = tables.begin(0, 0, 3)
    for _ in range(200):
        question = Question(GameRecords(*tables.records(0)), *asked, 0)
        chosen = example.choose(question)
        assert 0 <= chosen < len(question)
        asked = tables.answer(0, chosen)


def test_the_agent_is_measured_on_whole_games_and_its_curve_is_drawn(example, capsys, tmp_path):
    example.PICTURE = tmp_path / "curve.png"
    example.measure(games=3)
    assert "of 3 new games against random" in capsys.readouterr().out
    example.draw([(60, 50, 1000, 10, 0.5), (120, 90, 2000, 20, 0.96)])
    assert example.PICTURE.stat().st_size > 5000
