"""Weights tuned for one leader: the candidate always plays it, nobody else does, and other leaders are played as before."""

import numpy as np
import pytest

from newdawn.analysis.learning import tune_weights
from newdawn.analysis.questions import ladder
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.strategies import registry

NAMES = ["attack_percent", "city_base"]


@pytest.fixture(scope="module")
def rules():
    return load_ruleset().compile()


def task(rules, leader):
    planner = registry.find("planner")
    return tune_weights.Task(rules, planner.resolved(), NAMES, [registry.find("random")], 4, games=40, seed=3, leader=leader)


def test_only_the_leaders_weights_move(rules):
    moved = task(rules, "Egypt").strategy_at(np.ones(2))
    planner = registry.find("planner")
    rows = np.flatnonzero((moved.weights(4) != planner.weights(4)).any(axis=1))
    assert rows.tolist() == [written(rules, "leader").index("Egypt")]


def test_the_candidate_always_plays_the_leader_and_nobody_else_does(rules):
    one, other = registry.find("random"), registry.find("autoplayer")
    plan = ladder.table_plan(rules, [one, other, other], 60, 5)
    dealt = ladder.deals(rules, "Egypt", plan)
    rows = ladder.joined(list(ladder.seated_pieces(plan, rules, "leaders", dealt, 1)))
    tables = ladder.played(plan, rules, rows).frames["seats"]
    assert set(tables.loc[tables["strategy"] == "random", "leader"]) == {"Egypt"}
    rivals = tables.loc[tables["strategy"] == "autoplayer"]
    assert "Egypt" not in set(rivals["leader"])
    assert rivals["leader"].nunique() == 7
    assert not tables.duplicated(["game_id", "leader"]).any()
    assert (tables.loc[tables["strategy"] == "random", "seat"].value_counts() == 20).all()


def test_a_leader_that_never_attacks_wins_less(rules):
    start = task(rules, "Scythia")
    peaceful = np.array([-40.0, 0.0])  # attack_percent near 0
    assert start.profile_at(peaceful).leaders["Scythia"]["attack_percent"] == 0
    free, bound = (start.meet(point, registry.find("planner"), 400, 11).mean() for point in (np.zeros(2), peaceful))
    assert free > bound + 0.1


def test_a_search_begins_at_what_the_profile_says_for_the_leader(rules, tmp_path):
    (tmp_path / "mine.yaml").write_text("like: planner\nleaders: {Egypt: {city_base: 123}}\n", "utf-8")
    mine = registry.find(str(tmp_path / "mine.yaml")).resolved()
    begun = tune_weights.Task(rules, mine, NAMES, [registry.find("random")], 4, games=4, seed=1, leader="Egypt")
    assert begun.start[NAMES.index("city_base")] == 123
