"""Weights tuned for Terra Incognita are written as those of that box; the base game's stay."""

import numpy as np

from newdawn.analysis.learning import tune_weights
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies import profiles, registry
from newdawn.strategies.planning import weights

TI = names.BOXES[names.TI_BOX]
NAMES = ["city_base", "exploring"]


def task(box):
    planner = registry.find("planner")
    return tune_weights.Task(load_ruleset(box=box).compile(), planner.resolved(), NAMES, [planner], players=4, games=4, seed=1)


def test_what_is_tuned_for_the_box_leaves_the_base_game_alone(tmp_path):
    moved = task(TI).profile_at(np.ones(len(NAMES)))
    profiles.write(tmp_path / "mine.yaml", moved, {})
    mine, planner = registry.find(str(tmp_path / "mine.yaml")), registry.find("planner")
    assert (mine.weights(4) == planner.weights(4)).all()
    changed = np.flatnonzero(mine.weights(4, TI)[0] != planner.weights(4, TI)[0])
    assert {weights.NAMES[k] for k in changed} == set(NAMES)


def test_a_search_in_the_box_begins_at_what_the_profile_says_for_it(tmp_path):
    (tmp_path / "mine.yaml").write_text("like: planner\nboxes: {terra-incognita: {exploring: 123}}\n", "utf-8")
    mine = registry.find(str(tmp_path / "mine.yaml"))
    begun = tune_weights.Task(load_ruleset(box=TI).compile(), mine.resolved(), NAMES, [mine], players=4, games=4, seed=1)
    assert begun.start[NAMES.index("exploring")] == 123
    assert begun.strategy_at(np.zeros(2)).weights(4, TI)[0, weights.NAMES.index("exploring")] == 123


def test_what_only_the_box_asks_for_is_tuned_in_the_box_only():
    base, box = tune_weights.select(None), tune_weights.select(None, TI)
    assert not set(base) & set(weights.DEFAULTS)
    assert {"guard", "fort_turns", "district_yield", "play_growth_4"} <= set(box) - set(base)
    assert set(base) <= set(box)
