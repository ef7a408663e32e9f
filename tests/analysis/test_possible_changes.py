"""What a search may change: whose card it is on, lists, orders and switches, what was not looked at."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.analysis.questions.balance import alike_of
from newdawn.analysis.questions.possible_changes import (
    OTHERS,
    OWN,
    RULES,
    USED,
    Playable,
    between,
    concerned,
    grouped,
    left_alone,
    moves_of,
    not_looked_at,
    subject_of,
    words_of,
)
from newdawn.analysis.questions.tuning import play_figures, play_some
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import names_of
from newdawn.simulator.runs.run import Silent
from newdawn.simulator.runs.run_plan import plan_by

RULESET = load_ruleset()
PLAYABLE = Playable([plan_by(RULESET.compile(), players=4, games=1, seed=1, strategies=["planner"])])
SCYTHIA = subject_of(RULESET, "win rate of Scythia")


def test_what_is_on_the_own_card_is_told_from_what_it_uses_and_from_other_cards():
    scopes = {
        "leaders.scythia.abilities.combat.amount": OWN, "leaders.scythia.start_row": OWN,
        "components.combat.dice": USED, "focus_cards.base.masonry.combat_bonus": USED,
        "wonders.petra.cost": RULES, "focus_cards.base.early_empire.tokens": RULES,
        "leaders.egypt.start_bonus.cities": OTHERS,
    }  # fmt: skip
    assert {path: SCYTHIA.scope(RULESET, path) for path in scopes} == scopes
    petra = subject_of(RULESET, "build rate of Petra")
    assert petra.scope(RULESET, "wonders.petra.cost") == OWN
    explorer = subject_of(RULESET, "claim rate of Explorer")
    place = "victory_cards.base.explorer_aesthetic.agendas.explorer.condition.at_least"
    assert explorer.scope(RULESET, place) == OWN
    nobody = subject_of(RULESET, "rounds")
    assert nobody.path == ""
    assert nobody.scope(RULESET, "leaders.rome.start_bonus.cities") == OTHERS


def test_lists_orders_and_switches_get_other_words():
    found = {entry.path: entry.others for entry in words_of(RULESET)}
    terrains = found["leaders.scythia.abilities.combat.terrain"]
    assert ["hills"] in terrains  # a word less
    assert ["grassland", "hills", "forest"] in terrains  # a word more
    rows = found["leaders.scythia.start_row"]
    assert len(rows) == 10  # any two of five exchanged
    assert ["military", "culture", "science", "economy", "industry"] in rows
    assert all(sorted(row) == sorted(RULESET.data["leaders"]["scythia"]["start_row"]) for row in rows)
    assert found["focus_cards.base.currency.water"] == (True,)
    assert "leaders.scythia.ability_works" not in found
    assert "leaders.scythia.ability_works" in {entry.path for entry in words_of(RULESET, keep=False)}


def test_patterns_choose_what_may_change():
    def paths(*globs, others=False):
        return {move.path for move in moves_of(RULESET, PLAYABLE, SCYTHIA, globs, others)}

    own = paths("leaders.scythia.*")
    assert {"leaders.scythia.abilities.combat.amount", "leaders.scythia.abilities.combat.terrain"} <= own
    assert paths("leaders.scythia.start_row") == {"leaders.scythia.start_row"}
    assert paths("leaders.egypt.abilities.*") == {"leaders.egypt.abilities.wonder_cost.amount"}  # named, so asked for
    with pytest.raises(UserError, match=r"no number of the ruleset matches leaders\.scytia\.\*.*leaders\.scythia"):
        paths("leaders.scytia.*")


@pytest.mark.soak
def test_other_leaders_stay_as_they_are_unless_asked():
    usual, asked = (moves_of(RULESET, PLAYABLE, SCYTHIA, others=others) for others in (False, True))
    assert not any(move.scope == OTHERS for move in usual)
    assert any(move.path.startswith("leaders.egypt.") for move in asked)
    assert [move.scope for move in usual] == sorted(move.scope for move in usual)
    said = not_looked_at(RULESET, usual, PLAYABLE, SCYTHIA, False)
    assert "other leaders' cards (--leaders all)" in said
    assert "leaders' cards" not in not_looked_at(RULESET, asked, PLAYABLE, SCYTHIA, True)


def test_values_between_lie_on_the_side_that_helped():
    moves = moves_of(RULESET, PLAYABLE, SCYTHIA, ("leaders.scythia.abilities.combat.amount",))
    up = next(move for move in moves if move.value == 6)
    assert [move.value for move in between(RULESET, PLAYABLE, up, 6)] == [4, 5]
    assert [move.value for move in between(RULESET, PLAYABLE, up, 1)] == [4]


def test_games_without_the_leader_are_the_same():
    row = moves_of(RULESET, PLAYABLE, SCYTHIA, ("leaders.scythia.start_row",))[0]
    assert concerned(RULESET.data, row.ruleset.data) == [("win-rate", "Scythia")]
    rule = moves_of(RULESET, PLAYABLE, SCYTHIA, ("components.combat.dice",))[0]
    assert concerned(RULESET.data, rule.ruleset.data) is None


def test_figures_of_games_with_gaps_between_are_those_of_the_games():
    row = moves_of(RULESET, PLAYABLE, SCYTHIA, ("leaders.scythia.start_row",))[0].ruleset
    plan = PLAYABLE.plans[0]
    whole = play_figures(plan, row, 0, 60, 1, Silent())
    some = np.array([1, 4, 5, 30, 59])
    assert np.array_equal(play_some(plan, row, some, 1, Silent()), whole[some])
    base = play_figures(plan, RULESET, 0, 60, 1, Silent())
    alike = alike_of(base, RULESET, row, tuple(names_of(RULESET.data, "leader")))
    assert 0 < alike.other.sum() < 60
    assert np.array_equal(whole[~alike.other], base[~alike.other])


def test_what_was_not_looked_at_is_a_pattern_where_several_cards_have_it():
    paths = ["wonders.petra.abilities.combat.works", "wonders.oracle.abilities.swap_cards.works", "wonders.oracle.type"]
    assert grouped(paths) == ["wonders.*.abilities.*.works", "wonders.oracle.type"]
    tried = {path for path in paths if path.endswith("works")}
    said = left_alone(RULESET, tried, ("wonders.oracle.type", "wonders.oracle.cost"))
    assert said == "Not looked at: wonders.oracle.type, wonders.oracle.cost and what the goals do not let change."
