"""What learned players pay in combat and where they house world wonders: positions of replays in which they once did badly."""

import numpy as np
import pytest
from table import Table, table_with

from newdawn.simulator.engine import decisions, state
from newdawn.strategies.learned.candidate_turns import choose_way
from newdawn.strategies.registry import find

LEARNED = ("quick", "adept", "thinker", "master")
FIELD = (2, 0)  # where the combats are: a control token, or a barbarian, between the two capitals


def table(player):
    """Return a table of two of the player, with seat 1's control token on FIELD."""
    t = table_with((0, 0), (4, 0), radius=5)
    t.token(1, FIELD)
    t.g.weights[:2] = find(player).weights(2)[0]
    return t


def paid(t, attack, defence, mine, theirs, target=state.TARGET_TOKEN):
    """Ask seat 0 how many of its tokens it spends on an attack with these totals."""
    t.trade(0, "military", mine)
    t.trade(1, "military", theirs)
    about = {
        "attack": attack, "defence": defence, "target": target, "space": t.at(FIELD), "holder": t.holder(0, "military"),
        "source": decisions.SOURCE_ATTACK, "seat": -1 if target == state.TARGET_BARBARIAN else 1,
    }  # fmt: skip
    for name, value in about.items():
        t.w[f"ask_{name}"] = value
    t.w.option[: mine + 1] = range(mine + 1)
    return choose_way(t.r, t.g, t.w, 0, decisions.SPEND_TRADE, mine + 1, np.uint64(1))


@pytest.mark.parametrize("player", LEARNED)
def test_nothing_is_paid_by_who_is_ahead_by_more_than_the_defender_can_pay(player):
    """Seed 77101, game 2, round 10: Rome paid three tokens for a combat won by four, and lacked one in the next."""
    assert paid(table(player), 12, 8, mine=3, theirs=3) == 0
    assert paid(table(player), 12, 8, mine=3, theirs=0) == 0


@pytest.mark.parametrize("player", LEARNED)
def test_what_the_defender_can_pay_is_topped_exactly(player):
    """Game 1, round 11: ahead by two, against three tokens, two were enough and three were paid."""
    assert paid(table(player), 12, 10, mine=3, theirs=3) == 2
    assert paid(table(player), 10, 10, mine=3, theirs=1) == 2


@pytest.mark.parametrize("player", LEARNED)
def test_nothing_is_paid_for_a_lead_that_the_defender_answers(player):
    """Game 1, round 12: three tokens to be one ahead of a defender with a token; game 9, round 12: one against one."""
    assert paid(table(player), 7, 9, mine=3, theirs=1) == 0
    assert paid(table(player), 10, 10, mine=1, theirs=1) == 0
    assert paid(table(player), 7, 9, mine=3, theirs=0) == 3


@pytest.mark.parametrize("player", LEARNED)
def test_a_token_that_stays_answers_like_any_other(player):
    """Game 5, round 14: the token of a conquered city-state answered the attacker's."""
    t = table(player)
    t.conquered(1, "Kabul", (3, 2))  # a military city-state
    assert paid(t, 9, 9, mine=1, theirs=0) == 0
    assert paid(t, 9, 9, mine=2, theirs=0) == 2


@pytest.mark.parametrize("player", LEARNED)
def test_a_barbarian_answers_nothing(player):
    t = table(player)
    t.barbarian("A", FIELD)
    assert paid(t, 7, 8, mine=3, theirs=3, target=state.TARGET_BARBARIAN) == 2


def test_the_planner_goes_on_as_its_weights_were_tuned():
    assert paid(table("planner"), 12, 8, mine=3, theirs=3) in (0, 3)
    assert paid(table("planner"), 7, 9, mine=3, theirs=1) == 3


# --- homes of world wonders


def home(player, *cities, guarded=()):
    """Ask which of seat 0's cities, the capital and others by terrain, gets a world wonder."""
    t = Table(radius=5, terrain={(-3, 0): "hills", (0, 3): "forest", (0, -3): "desert"})
    t.capital(0, (0, 0))
    t.capital(1, (5, 0))
    t.g.weights[:2] = find(player).weights(2)[0]
    for city in cities:
        t.city(0, city)
    t.token(0, *guarded, reinforced=True)
    options = [(0, 0), *cities]
    t.w.option[: len(options)] = [t.at(city) for city in options]
    return options[choose_way(t.r, t.g, t.w, 0, decisions.WONDER_CITY, len(options), np.uint64(1))]


@pytest.mark.parametrize("player", LEARNED)
def test_a_world_wonder_stands_in_hills_before_a_capital_in_grassland(player):
    assert home(player, (-3, 0)) == (-3, 0)


@pytest.mark.parametrize("player", LEARNED)
def test_two_reinforced_tokens_do_not_make_hills_as_safe_as_a_desert(player):
    """Game 8, round 10: Chichen Itza went into hills beside two reinforced tokens, and was lost; a desert stood empty."""
    assert home(player, (-3, 0), (0, -3), guarded=((-4, 0), (-3, 1))) == (0, -3)
