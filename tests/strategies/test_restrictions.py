"""Restrictions that no option shows: agendas ignored, waiting, looking ahead."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import begin_round, open_turn, play_step
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.strategies import registry
from newdawn.strategies.learned import facts as at
from newdawn.strategies.learned.candidate_turns import WAYS, allowed_way, choose_stray, choose_way
from newdawn.strategies.learned.lookahead import choose_learned, imagine
from newdawn.strategies.learned.situation import new_facts, read_situation
from newdawn.strategies.planning import plan, restrictions, weights
from newdawn.strategies.planning.cards import card_gain
from newdawn.strategies.planning.plan import make_plan, title_mark

RULES = load_ruleset().compile()
BOX = load_ruleset(box=names.BOXES[names.TI_BOX]).compile()
OWN = load_ruleset(["new_shores"]).compile()
BY = {"base": RULES, "box": BOX, "own": OWN}
WORK = state.new_work()
BOTS = seat_strategies(choose_way)
NEEDS = [*range(plan.NEED_CITY, plan.NEED_WONDER + 6), *range(plan.NEED_GIVER, plan.NEED_FIGHT + 1)]


@cache
def opinions_in(box, without, name):
    """The weights of a seat with restrictions, in the box."""
    profile = replace(registry.find(name).resolved(), restrictions=list(without))
    return registry.of_profile("mine", profile).weights(4, box)[0]


def opinions(r, *without, name="planner"):
    """The weights of a seat with restrictions."""
    return opinions_in(names.BOXES[r.box], without, name)


def board(r, game, turns=0, name="planner"):
    """A game between two turns, after so many of them, all seats unrestricted."""
    g = state.new_state()
    seed_streams(g, 5, game)
    g.players, g.round_cap = 4, 60
    for p in range(4):
        g.leader[p] = (game + p) % 8
        g.weights[p] = opinions(r, name=name)
    start_game(r, g, WORK, BOTS)
    for _ in range(turns):
        if play_step(r, g, WORK, BOTS) == 0:
            break
    return g


def at_its_card(r, game, turns, *without, name="planner"):
    """A game in which seat `p` has to choose its card, and is restricted."""
    g = board(r, game, turns, name)
    if g.current == g.first:
        begin_round(r, g, WORK, BOTS)
    assert g.ending == names.RUNNING
    p = open_turn(r, g, WORK, BOTS)
    g.weights[p] = opinions(r, *without, name=name)
    return g, p


def planned(r, g, p, *without):
    """What seat `p` notes when it plans with these restrictions."""
    g.weights[p] = opinions(r, *without)
    g.notes[p] = 0
    make_plan(r, g, WORK, p)
    return g.notes[p].copy()


@pytest.mark.parametrize("r", BY.values(), ids=BY)
def test_an_agenda_is_known_by_its_name_whoever_made_it(r):
    for code, name in enumerate(written(r, "agenda")):
        assert title_mark(r, code) == restrictions.mark(name)
    assert len({restrictions.mark(name) for name in written(r, "agenda")}) == len(written(r, "agenda"))


@pytest.mark.parametrize("r", BY.values(), ids=BY)
def test_an_ignored_agenda_is_never_chosen_and_needs_nothing(r):
    names, turned, spared = written(r, "agenda"), 0, 0
    for game in range(8):
        g = board(r, game, 20)
        for i in range(g.victory_count):
            codes = r.agenda_name[g.victory_card[i]]
            for a in range(2):
                if g.claimed[0, i] != 0 or codes[0] == codes[1]:
                    continue
                free, found = planned(r, g, 0), planned(r, g, 0, f"agenda {names[codes[a]]}")
                assert found[plan.CHOSEN + i] == 2 - a
                assert found[plan.TURNS + 2 * i + a] == weights.OUT_OF_THE_QUESTION
                turned += free[plan.CHOSEN + i] == a + 1
                spared += free[NEEDS].sum() > found[NEEDS].sum()
    assert turned > 8  # and the plan would have gone for it
    assert spared > 8


def test_a_card_that_has_but_the_ignored_agenda_is_not_gone_for():
    names, seen = written(BOX, "agenda"), 0
    for game in range(12):
        g = board(BOX, game)
        for i in range(g.victory_count):
            first, second = BOX.agenda_name[g.victory_card[i]]
            if first == second:
                seen += 1
                found = planned(BOX, g, 0, f"agenda {names[first]}")
                assert list(found[plan.TURNS + 2 * i : plan.TURNS + 2 * i + 2]) == [weights.OUT_OF_THE_QUESTION] * 2
    assert seen > 0


def test_learned_players_do_not_see_the_agenda_that_they_ignore():
    g = board(RULES, 2)
    code = int(RULES.agenda_name[g.victory_card[0], 1])
    g.weights[1] = opinions(RULES, f"agenda {written(RULES, 'agenda')[code]}")
    facts = new_facts()
    read_situation(RULES, g, WORK, facts)
    assert list(facts[:4, at.OPEN + code]) == [1, 0, 1, 1]
    other = int(RULES.agenda_name[g.victory_card[0], 0])
    assert list(facts[:4, at.OPEN + other]) == [1, 1, 1, 1]


@pytest.mark.parametrize("name", ["planner", "quick", "adept", "thinker"])
@pytest.mark.parametrize("without", ["waiting", "looking ahead"])
def test_the_card_is_the_one_that_brings_most_at_once(without, name):
    choose = choose_way if name == "planner" else choose_learned
    others = 0
    for turns in range(8, 24):
        g, p = at_its_card(RULES, 1, turns, without, name=name)
        made = choose(RULES, g, WORK, p, decisions.CARD, RULES.slots, turns)
        gains = [card_gain(RULES, g, WORK, p, place) for place in range(RULES.slots)]
        assert gains[made] == max(gains)
        g, p = at_its_card(RULES, 1, turns, name=name)
        others += made != choose(RULES, g, WORK, p, decisions.CARD, RULES.slots, turns)
    assert others > 2  # it costs the better one


@pytest.mark.parametrize("choose", [choose_way, choose_learned, choose_stray])
def test_no_turn_of_training_breaks_a_restriction_of_cards(choose):
    for turns in range(8, 24):
        g, p = at_its_card(RULES, 3, turns, "early cards", name="adept")
        g.weights[p, weights.STRAY] = 100
        assert choose(RULES, g, WORK, p, decisions.CARD, RULES.slots, 977 * turns) == RULES.slots - 1


def test_who_looks_no_turn_ahead_goes_for_a_victory_card_only_when_one_step_is_missing():
    wanted = [(c, a) for c in range(16) for a in range(2) if RULES.agenda_metric[c, a] == names.METRIC_CITIES]
    (card, a), cities = wanted[0], {}
    g = board(RULES, 1)
    g.victory_card[0] = card
    for missing in (0, 1, 2, 3):
        g.city_count[0] = RULES.agenda_target[card, a] - missing
        g.cities[0] = g.capital[0]
        cities[missing] = [planned(RULES, g, 0, *without)[plan.NEED_CITY] for without in ((), ("looking ahead",))]
    assert cities[0] == [0, 0]
    assert cities[1][0] == cities[1][1] > 0
    assert cities[2][0] > cities[2][1] == 0
    assert cities[3][0] > cities[3][1] == 0


def test_who_looks_no_turn_ahead_aims_at_nothing_out_of_reach():
    aims = np.zeros(2, int)
    for game in range(12):
        g = board(RULES, game, 24)
        for k, without in enumerate(((), ("looking ahead",))):
            found = planned(RULES, g, 0, *without)
            aims[k] += (found[plan.WAR_TARGET] >= 0) + (found[plan.LAND_TARGET] >= 0)
    assert aims[0] > 0
    assert aims[1] == 0


def test_rivals_are_imagined_without_the_own_restrictions():
    g, p = at_its_card(RULES, 1, 9, "cities", "agenda Paranoid", name="adept")
    imagined = state.new_state()
    imagine(RULES, g, p, 1, imagined)
    for seat in range(4):
        own = [int(imagined.weights[seat, place]) for place in (weights.FORBIDDEN, weights.IGNORED)]
        assert own == ([restrictions.CITIES, restrictions.mark("Paranoid")] if seat == p else [0, 0])


def test_studies_of_a_restricted_turn_try_no_card_that_is_ruled_out():
    g, p = at_its_card(RULES, 1, 9, "early cards", name="adept")
    choose_way(RULES, g, WORK, p, decisions.CARD, RULES.slots, 1)  # makes the plan of the turn
    for way in (0, 5, 2 * WAYS + 7):
        assert allowed_way(RULES, g, WORK, p, RULES.slots, way) == (RULES.slots - 1) * WAYS + way % WAYS
    g.weights[p] = opinions(RULES, "attacks")
    assert allowed_way(RULES, g, WORK, p, RULES.slots, 2 * WAYS + 7) == 2 * WAYS + 7


def test_a_learned_player_that_looks_no_turn_ahead_asks_no_policy():
    assert opinions(RULES, name="quick")[weights.POLICY] != 0
    assert opinions(RULES, "looking ahead", name="quick")[weights.POLICY] == 0


def test_every_restriction_has_its_bit():
    bits = [int(opinions(RULES, name)[weights.FORBIDDEN]) for name in restrictions.RESTRICTIONS]
    assert bits == [1 << k for k in range(len(restrictions.RESTRICTIONS))]
