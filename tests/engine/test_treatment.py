"""Treatments of randomised experiments: given by the rules' bookkeeping, and nothing differs before them."""

from __future__ import annotations

import numpy as np
import pytest
from started_games import BOTS, start

from newdawn.simulator import names
from newdawn.simulator.engine import audit, state, treatment
from newdawn.simulator.engine.choosing import LOG_ROUND, seed_streams
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_game, play_step
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.archetypes import choose_random

R = load_ruleset().compile()
OWN = ("treatment", "treatment_what", "treatment_amount", "treatment_round", "treated", "treated_seat")


@pytest.fixture
def started():
    """A game of two players before its first round: some wonders are in the box."""
    g, w = start(R, players=2, seed=4)
    g.round_number = 1
    return g, w


def where(g, place):
    return [i for i in range(len(names.WONDERS)) if g.wonder_place[i] == place]


def audited(g, w):
    w.violation = 0
    audit.audit(R, g, w)
    return audit.VIOLATIONS[w.violation]


@pytest.mark.parametrize("place", [state.WONDER_FACE_UP, state.WONDER_DECK, state.WONDER_BOX])
def test_a_wonder_is_given_wherever_its_card_lies(started, place):
    g, w = started
    wonder = where(g, place)[0]
    kind = R.wonder_type[wonder]
    face_up = g.deck[kind, 0]
    before = list(g.deck[kind, : g.deck_size[kind]])
    assert treatment.give_wonder(R, g, w, BOTS, 1, wonder) == 1
    assert g.wonder_place[wonder] == state.WONDER_BUILT
    assert g.wonder_space[wonder] == g.capital[1]
    assert g.wonder_token[g.capital[1]] == wonder
    assert (g.wonder_builder[wonder], g.wonder_round_built[wonder], g.wonder_round_revealed[wonder]) == (1, 1, 1)
    now = before[1] if place == state.WONDER_FACE_UP else face_up  # the next is turned up, or the same still lies there
    assert g.deck[kind, g.deck_next[kind]] == now
    assert g.wonder_place[now] == state.WONDER_FACE_UP
    assert sorted(g.deck[kind, : g.deck_size[kind]]) == sorted({*before, wonder})
    rest = [card for card in before if card not in (wonder, now)]
    assert list(g.deck[kind, g.deck_next[kind] + 1 : g.deck_size[kind]]) == rest  # in their old order
    assert audited(g, w) == "none"


def test_the_last_card_of_a_deck_leaves_none_face_up(started):
    g, w = started
    kind = R.wonder_type[names.PETRA]
    spaces = [int(g.capital[0]), int(g.capital[1])]
    for _ in range(int(g.deck_size[kind])):
        g.wonder_token[spaces] = -1
        g.wonder_space[:] = -1
        assert treatment.give_wonder(R, g, w, BOTS, 0, int(g.deck[kind, g.deck_next[kind]])) == 1
    assert g.deck_next[kind] == g.deck_size[kind]
    boxed = next(i for i in where(g, state.WONDER_BOX) if R.wonder_type[i] == kind)
    g.wonder_token[spaces] = -1
    g.wonder_space[:] = -1
    assert treatment.give_wonder(R, g, w, BOTS, 0, boxed) == 1
    assert g.deck_next[kind] == g.deck_size[kind]


def test_a_wonder_is_not_given_twice_nor_without_a_free_city(started):
    g, w = started
    first, second = where(g, state.WONDER_FACE_UP)[:2]
    assert treatment.give_wonder(R, g, w, BOTS, 0, first) == 1
    before = bare(g)
    assert treatment.give_wonder(R, g, w, BOTS, 1, first) == 0  # built already
    assert treatment.give_wonder(R, g, w, BOTS, 0, second) == 0  # the capital is taken
    assert bare(g) == before


@pytest.mark.parametrize("wonder", [names.PYRAMIDS, names.PORCELAIN_TOWER, names.POTALA_PALACE])
def test_effects_on_building_take_place(started, wonder):
    g, w = started
    cards, diplomacy = g.card[0].copy(), g.diplomacy.copy()
    w.script_n = 0
    for _ in range(20):  # a random player takes what is offered sooner or later
        if not np.array_equal(cards, g.card[0]) or not np.array_equal(diplomacy, g.diplomacy):
            break
        copy = np.asarray(g).copy().view(np.recarray).reshape(1)[0]
        treatment.give_wonder(R, copy, w, BOTS, 0, wonder)
        if not np.array_equal(cards, copy.card[0]) or not np.array_equal(diplomacy, copy.diplomacy):
            return
        g.rng[:] += np.uint64(1)
    pytest.fail("nothing was taken")


def test_trade_tokens_and_resources_come_from_where_they_should(started):
    g, w = started
    assert treatment.give_trade(R, g, w, BOTS, 0, 4) == 1
    assert g.trade[0].sum() == g.stat_trade_gained[0] == 4
    assert treatment.give_trade(R, g, w, BOTS, 0, 99) == 1
    assert g.trade[0].sum() == R.max_trade * R.slots
    assert treatment.give_trade(R, g, w, BOTS, 0, 1) == 0  # no room (B13.1)
    supply = g.supply.copy()
    assert treatment.give_resources(R, g, w, BOTS, 1, 2, 3) == 1
    assert g.resources[1].tolist() == [0, 0, 3, 0]
    assert treatment.give_resources(R, g, w, BOTS, 1, -1, 2) == 1
    assert g.resources[1].sum() == 5
    assert supply.sum() - g.supply.sum() == 5
    assert treatment.give_resources(R, g, w, BOTS, 1, 2, 99) == 1
    assert treatment.give_resources(R, g, w, BOTS, 1, 2, 1) == 0  # the supply is used up (B2.7)
    assert audited(g, w) == "none"


def game(number, treated, what=-1, amount=1, at_round=1, players=None, observer=None, log=False, stop=200):
    """Play a random game with a treatment to its end, or to the beginning of a round; return it and its workspace."""
    states, w = np.zeros(1, state.STATE).view(np.recarray), state.new_work()
    g = states[0]
    g.players = players or 2 + number % 3
    g.leader[: g.players] = (number + np.arange(g.players)) % len(names.LEADERS)
    g.round_cap = stop
    g.treatment, g.treatment_what, g.treatment_amount, g.treatment_round = treated, what, amount, at_round
    seed_streams(g, 11, number)
    bots = seat_strategies(choose_random, observer)
    w.log_on = int(log)
    start_game(R, g, w, bots)
    play_game(R, g, w, bots)
    return g, w


def test_treated_games_keep_every_invariant():
    outcomes = set()
    for number in range(120):
        kind = (names.TREAT_WONDER, names.TREAT_WONDER, names.TREAT_TRADE, names.TREAT_RESOURCE)[number % 4]
        what = number % len(names.WONDERS) if kind == names.TREAT_WONDER else number % (names.N_RESOURCES + 1) - 1
        g, w = game(number, kind, what, 1 + number % 9, (1, 1 + number % 40)[number % 2], observer=audit.observe_audit)
        assert w.violation == 0, (number, audit.VIOLATIONS[w.violation], w.violation_at)
        outcomes.add(int(g.treated))
    assert outcomes == {names.TREATED_YES}  # random players build few wonders: all could be given


def bare(g):
    """Return all fields of the game but those of the treatment and the stream of its seat."""
    copy = {name: np.array(g[name]).tolist() for name in state.STATE.names if name not in OWN}
    copy["rng"] = copy["rng"][:-1]
    return copy


def test_the_untreated_arm_is_the_normal_game():
    for number in range(6):
        normal, _ = game(number, names.TREAT_NONE, at_round=0, stop=12)
        arm, _ = game(number, names.TREAT_NONE, at_round=5, stop=12)
        assert (int(normal.treated), int(arm.treated)) == (names.TREATED_NOT_YET, names.TREATED_YES)
        assert bare(normal) == bare(arm)


@pytest.mark.parametrize("kind", [names.TREAT_WONDER, names.TREAT_TRADE, names.TREAT_RESOURCE])
def test_both_arms_are_the_same_until_the_treatment(kind):
    for number in range(6):
        logs, games = [], []
        for given in (names.TREAT_NONE, kind):
            g, w = game(number, given, names.PETRA if kind == names.TREAT_WONDER else -1, 2, at_round=7, log=True, stop=9)
            games.append(g)
            rows = np.array(w.log[: w.log_n])
            cut = np.flatnonzero((rows[:, 0] == LOG_ROUND) & (rows[:, 2] == 7))[0]
            logs.append((rows[: cut + 1], rows[cut + 1 :]))
        assert np.array_equal(logs[0][0], logs[1][0])
        assert games[0].treated_seat == games[1].treated_seat
        assert bare(games[0]) != bare(games[1])
        # Field by field: stopped before the round, both are in the same state.
        early = [game(number, given, names.PETRA, 2, at_round=7, stop=6)[0] for given in (names.TREAT_NONE, kind)]
        assert bare(early[0]) == bare(early[1])


def test_the_seat_is_drawn_evenly():
    seats = [int(game(number, names.TREAT_NONE, at_round=1, players=4, stop=1)[0].treated_seat) for number in range(400)]
    counts = np.bincount(seats, minlength=4)
    assert np.all(np.abs(counts - 100) < 4 * np.sqrt(400 * 0.25 * 0.75))


def test_a_step_at_a_time_is_the_same_game():
    whole, _ = game(3, names.TREAT_WONDER, names.PETRA, at_round=4, stop=8)
    states, w = np.zeros(1, state.STATE).view(np.recarray), state.new_work()
    g = states[0]
    g.players, g.round_cap = 2, 8
    g.leader[:2] = (3, 4)
    g.treatment, g.treatment_what, g.treatment_amount, g.treatment_round = names.TREAT_WONDER, names.PETRA, 1, 4
    seed_streams(g, 11, 3)
    bots = seat_strategies(choose_random)
    start_game(R, g, w, bots)
    assert g.ending == names.RUNNING
    while play_step(R, g, w, bots):
        pass
    assert bare(g) == bare(whole)
    assert g.treated == whole.treated == names.TREATED_YES
