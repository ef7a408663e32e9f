"""Players reckon with house rules by themselves: odds, ties, defence, what may be attacked, how many claims are needed."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import audit, decisions, state
from newdawn.simulator.engine.audit import observe_audit
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_game
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.strategies.autoplayer import choose_spending
from newdawn.strategies.planning import plan, weights
from newdawn.strategies.planning.plan import progress, rough_defence, win_chance
from newdawn.strategies.planning.planner import choose_planner, combat_tokens, turns_left
from newdawn.strategies.registry import find

PRINTED = load_ruleset()
OPINIONS = find("opportunist").weights(4)[0]
WORK = state.new_work()


def rules(components=None, base=None):
    """Return the printed rules with an overlay over the components and the rules about winning."""
    overlay = {"components": components or {}, "victory_cards": {"rules": {"base": base or {}}}}
    return with_overlay(PRINTED, overlay, "house").compile()


def board(r, players=3, bots=None):
    """Return a game before its first turn, all players with the opportunist's weights."""
    g = state.new_state()
    seed_streams(g, 7, 1)
    g.players, g.round_cap = players, 60
    for p in range(players):
        g.leader[p] = p
        g.weights[p] = OPINIONS
    start_game(r, g, WORK, bots or seat_strategies(choose_planner))
    return g


@pytest.mark.parametrize("combat", [{"die_sides": 20}, {"dice": 2}, {"die_sides": 20, "dice": 2}, {"tie": "attacker"}])
def test_the_odds_follow_the_dice_and_who_wins_ties(combat):
    r = rules({"combat": combat})
    dice, sides, ties = combat.get("dice", 1), combat.get("die_sides", 6), int("tie" in combat)
    rng = np.random.default_rng(1)
    thrown = rng.integers(1, sides + 1, (2, 40_000, dice)).sum(axis=2)
    for lead in (-30, -7, -3, 0, 3, 7, 30):
        won = (thrown[0] + lead + ties > thrown[1]).mean()
        assert win_chance(r, lead) / 100 == pytest.approx(won, abs=0.022)


def test_defences_of_capitals_and_cities_follow_their_bonuses():
    r, printed = rules({"combat": {"defence": {"capital_bonus": 3, "city_bonus": 1}}}), PRINTED.compile()
    g = board(printed)
    s = int(g.capital[0])
    assert rough_defence(r, g, s) - rough_defence(printed, g, s) == 3
    g.piece[s] = names.CITY
    assert rough_defence(r, g, s) - rough_defence(printed, g, s) == 1
    g.piece[s] = names.TOKEN
    assert rough_defence(r, g, s) == rough_defence(printed, g, s)


def test_nobody_plans_to_beat_capitals_or_city_states_that_may_not_be_attacked():
    printed = PRINTED.compile()
    g = board(printed)
    no_capitals = rules({"combat": {"may_be_attacked": {"capital": False}}})
    no_city_states = rules({"combat": {"may_be_attacked": {"city_state": False}}})
    assert plan.capital_turns(printed, g, 0) < weights.OUT_OF_THE_QUESTION
    assert plan.capital_turns(no_capitals, g, 0) == weights.OUT_OF_THE_QUESTION
    assert plan.city_state_turns(printed, g, 0, 1) < weights.OUT_OF_THE_QUESTION
    assert plan.city_state_turns(no_city_states, g, 0, 1) == weights.OUT_OF_THE_QUESTION


def fight(source, attack, defence):
    """Make the question how many trade tokens to spend in an attack of seat 0 on the capital of seat 1."""
    WORK.ask_source, WORK.ask_attack, WORK.ask_defence = source, attack, defence
    WORK.ask_target, WORK.ask_seat = 4, 1


@pytest.mark.parametrize(
    ("tie", "source", "attack", "defence", "spent"),
    [
        ("defender", decisions.SOURCE_ATTACK, 5, 5, 1),
        ("attacker", decisions.SOURCE_ATTACK, 5, 5, 0),
        ("defender", decisions.SOURCE_ATTACK, 5, 7, 3),
        ("attacker", decisions.SOURCE_ATTACK, 5, 7, 2),
        ("defender", decisions.SOURCE_DEFENCE, 5, 5, 0),
        ("attacker", decisions.SOURCE_DEFENCE, 5, 5, 1),
        ("defender", decisions.SOURCE_DEFENCE, 7, 5, 2),
        ("attacker", decisions.SOURCE_DEFENCE, 7, 5, 3),
    ],
)
def test_trade_tokens_spent_in_combat_follow_who_wins_ties(tie, source, attack, defence, spent):
    r = rules({"combat": {"tie": tie}})
    g = board(r)
    g.weights[:, weights.FIGHT_WORTH] = -1000  # any fight is worth them
    g.weights[:, weights.PREMIUM_WORTH] = 30_000
    fight(source, attack, defence)
    p = 0 if source == decisions.SOURCE_ATTACK else 1
    WORK.ask_space = g.capital[1]
    plan.make_plan(r, g, WORK, p)
    assert combat_tokens(r, g, WORK, p, 3) == spent
    assert choose_spending(r, WORK, 4) == spent


def test_with_a_card_to_spare_a_player_aims_at_the_quickest_ones():
    two, printed = rules(base={"cards_needed": 2}), PRINTED.compile()
    g = board(printed)
    plan.make_plan(printed, g, WORK, 0)
    turns = [plan.chosen_turns(g, 0, i) for i in range(3)]
    assert [bool(plan.is_aimed_at(printed, g, 0, i)) for i in range(3)] == [True] * 3
    aimed = [i for i in range(3) if plan.is_aimed_at(two, g, 0, i)]
    assert aimed == sorted(sorted(range(3), key=lambda i: (turns[i], i))[:2])
    g.claimed[0, aimed[0]] = 1
    assert [i for i in range(3) if not g.claimed[0, i] and plan.is_aimed_at(two, g, 0, i)] == [aimed[1]]


def test_a_card_that_is_not_aimed_at_is_needed_less():
    two, printed = rules(base={"cards_needed": 1}), PRINTED.compile()
    needs = {}
    for name, r in (("one", two), ("all", printed)):
        g = board(printed)
        plan.make_plan(r, g, WORK, 0)
        needs[name] = g.notes[0, plan.NEED_CITY : plan.WAR_TARGET].sum()
    assert needs["one"] < needs["all"]


@pytest.mark.parametrize("needed", [1, 2])
def test_the_turns_left_are_those_of_the_quickest_cards(needed):
    printed = PRINTED.compile()
    g = board(printed)
    each = []
    for i in range(3):
        card = int(g.victory_card[i])
        each.append(min(int(plan.agenda_turns(printed, g, WORK, 0, card, a)) for a in (0, 1)))
    assert turns_left(printed, g, WORK, 0) == sum(each)
    assert turns_left(rules(base={"cards_needed": needed}), g, WORK, 0) == sum(sorted(each)[:needed])


def test_progress_counts_the_cards_that_are_spared():
    printed, two = PRINTED.compile(), rules(base={"cards_needed": 2})
    g = board(printed)
    g.claimed[1, 0] = 2
    assert [int(progress(printed, g, p)) for p in (0, 1)] == [0, 1]
    assert [int(progress(two, g, p)) for p in (0, 1)] == [1, 2]


@pytest.mark.parametrize("name", ["planner", "warrior", "autoplayer"])
def test_games_under_all_of_it_at_once_are_played_without_a_violation(name):
    give = dict.fromkeys(names.START_BONUSES, 1)
    r = rules(
        {
            "combat": {
                "die_sides": 20,
                "dice": 2,
                "tie": "attacker",
                "may_be_attacked": {"capital": False, "barbarian": False},
                "defence": {"capital_bonus": 3, "city_bonus": 1},
            },
            "per_player": {"base": {"caravans": 5}},
            "start_bonus": {"everyone": give, "last_in_turn_order": give},
        },
        {"cards_needed": 2, "round_limit": 5},
    )
    WORK.violation = 0
    bots = seat_strategies(find(name).load(), observe_audit)
    g = board(r, bots=bots)
    play_game(r, g, WORK, bots)
    assert audit.VIOLATIONS[WORK.violation] == "none"
    assert (int(g.ending), int(g.round_number) <= 5) == (names.VICTORY, True)
    assert not g.stat_attacks[:, [0, 4]].any()
    assert g.stat_cities_built[:3].min() >= 1
