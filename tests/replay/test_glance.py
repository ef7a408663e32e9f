"""A turn at a glance: what a line says of the lines of a turn, and that the log still has such lines."""

import pytest

from newdawn.simulator import names
from newdawn.simulator.replay.film import DEEDS, glance
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run_plan import plan_by

TURN = """
  Turn 37: France (seat 1)
    plays Iron Working (military II) from slot 5
      attacks the city of Japan (seat 4) at J15 (grassland)
      die 6 + slot 5 + bonuses 1 = 12 against die 1 + grassland 2 × 1 = 3: the attacker wins
      attacks barbarian D at K16 (hills)
      die 1 + slot 5 = 6 against die 6 + hills 2 = 8: the attack fails
      gets 1 trade token on Iron Working (military II) [barbarian]
      *** France (seat 1) claims Preservationist (victory card 3: Populous / Preservationist)
    resets Iron Working (military II) from slot 5
"""


def test_a_turn_is_told_in_a_line():
    assert glance(TURN.splitlines()) == (
        "Iron Working in slot 5; attacks barbarian D; 1 attack won; 1 attack lost; 1 trade token; claims Preservationist"
    )


def test_several_of_a_kind_are_counted():
    tokens = ["plays Early Empire (culture I) from slot 5", *(f"places a control token on C{k} (hills)" for k in (1, 2))]
    assert glance(tokens) == "Early Empire in slot 5; 2 control tokens"


def test_what_others_do_is_not_told():
    assert glance(["Rome (seat 2) places a control token on C1 (hills)"]) == ""


@pytest.mark.parametrize("box", names.BOXES)
def test_every_turn_of_a_game_is_told_and_so_are_all_deeds_of_its_log(box):
    ruleset = load_ruleset(box=box)
    met = set()
    for number in range(3):
        plan = plan_by(ruleset.compile(), players=3, games=3, seed=3, strategies=["planner"], round_cap=25)
        for lines in Game(ruleset, plan, number).turns():
            if any(line.strip().startswith("plays ") for line in lines):
                assert " in slot " in glance(lines)
            met |= {pattern for pattern, _ in DEEDS for line in lines if pattern.fullmatch(line.strip())}
    expansion = {"places the", "the (?:control", "(?:(?:caravan|army)"}
    unmet = [pattern.pattern for pattern, _ in DEEDS if pattern not in met]
    assert [pattern for pattern in unmet if box != names.BOXES[0] or not pattern.startswith(tuple(expansion))] == []
