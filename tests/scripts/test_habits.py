"""The counts of habits: what is counted is what the log tells."""

import re
from collections import Counter

import pytest

from newdawn.scripts.checks.habits import Habits, read_games
from newdawn.simulator.games.plan import available_leaders, make_plan
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules.loading.load import load_ruleset
from newdawn.strategies.registry import find

GAMES, SEED = 4, 77101


@pytest.fixture(scope="module")
def habits() -> Habits:
    return read_games("planner", GAMES, SEED)


@pytest.fixture(scope="module")
def turns() -> list[list[str]]:
    """The turns of each game in words, one list a game."""
    ruleset = load_ruleset()
    plan = make_plan(
        players=4, games=GAMES, seed=SEED, available_leaders=available_leaders(ruleset.compile()), strategies=[find("planner")]
    )
    return [["\n".join(lines) for lines in Game(ruleset, plan, game).turns()] for game in range(GAMES)]


def test_military_cards_world_wonders_and_paid_attacks_are_those_of_the_log(habits, turns):
    told = [turn for game in turns for turn in game]
    military = [turn for turn in told if re.search(r"(plays|resolves) .*\(military", turn)]
    assert habits.counts["military"] == len(military) > 20
    reinforce = [turn for turn in military if "is reinforced" in turn and "attacks " not in turn]
    assert habits.counts["reinforce"] == len(reinforce)
    assert habits.counts["wonders"] == sum(" builds " in turn for turn in told) > 5
    combats = [combat for turn in told for combat in re.split(r"attacks (?=the|barbarian)", turn)[1:]]
    paid = [combat for combat in combats if "[attack]" in combat]
    assert habits.counts["paid attacks"] == len(paid) > 5
    assert habits.counts["paid and lost"] == sum("the attack fails" in combat for combat in paid)
    assert habits.counts["answered"] == sum("the attack fails" in combat and "[defence]" in combat for combat in paid)


def test_a_city_is_counted_as_often_as_it_is_taken(habits, turns):
    for game, most in zip(turns, habits.city_most, strict=True):
        lost = Counter(re.findall(r"the city of .* on (\w+) \(.*\) is lost to", "\n".join(game)))
        assert most == max(lost.values(), default=0)
    assert max(habits.city_most) > 1


def test_shares_are_of_what_they_are_said_to_be(habits):
    c = habits.counts
    assert c["games"] == GAMES == len(habits.natural_most)
    assert 0 < c["threats reduced"] <= c["threats"]
    assert 0 < c["could reduce"] <= c["tried"] == c["threats"]
    assert 0 < c["carried out"] <= c["threatening turns"]
    homes = [name for name in c if name.startswith("in ")]
    assert sum(c[name] for name in homes) == c["wonders"]
    assert all(c[f"lost {name[3:]}"] <= c[name] for name in homes)
    table = habits.table()
    assert table["… that reinforce"].endswith(f"({c['reinforce']} of {c['military']})")
    assert {1.0 <= level <= 4.0 for level in table["levels"].values()} == {True}
