"""What the engine remembers of players equals what it would work out anew, after every kind of change on the board.

What cards and wonders give a player is kept in tables, written anew only for seats that are noted down as changed. Here each
change is made for several seats, what was noted down is written anew, and nothing may differ when everything is.
"""

from functools import cache

import numpy as np
import pytest
from table import BOTS, Table

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, combat, culture, diplomacy, industry, pieces, science, winning
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.ruleset_contents import entries, written

REMEMBERED = (
    "power", "combat", "cost_change", "acting_place", "ground", "wonders_held", "newest_era", "moments", "listed_n",
    "space_count", "coast_count",
)  # fmt: skip
PAIRS = [(0, 1), (1, 0), (2, 0), (1, 2)]
WONDERS = ("Stonehenge", "Ruhr Valley", "Pentagon")
FIRST, LAST, MIDDLE = (-3, 0), (3, 0), (1, 0)


@cache
def rules():
    """Return rules under which every natural wonder, city-state, diplomacy card and wonder of the test gives something."""
    gives = {"effect": "attacks", "amount": 1}
    printed = load_ruleset().data
    kinds = {"natural_wonder": "natural_wonders", "city_state": "city_states", "diplomacy": "diplomacy"}
    overlay = {kinds[kind]: {key: {"abilities": {"gift": gives}} for key in entries(printed, kind)} for kind in kinds}
    overlay["focus_cards"] = {"moon_school": {"name": "Moon School", "type": "science", "level": 2, "abilities": [gives]}}
    return with_overlay(load_ruleset(), overlay, "test").compile()


def board(p, q):
    t = Table(leaders=("Egypt", "Aztec", "Egypt"), rules=rules())
    t.capital(p, (0, 3))
    t.capital(q, (0, -3))
    return t


def worked_out_anew(t):
    """Return what is remembered when all of it is written anew."""
    again = np.frombuffer(t.g.tobytes(), t.g.dtype).copy().view(np.recarray)[0]
    again.stale = abilities.ALL_SEATS
    abilities.refresh(t.r, again)
    held = np.arange(len(again.owner)) < again.n_spaces
    for p in range(again.players):
        again.space_count[p] = int((held & (again.owner == p)).sum())
        again.coast_count[p] = int((again.coastal * (held & (again.owner == p))).sum())
    return again


def audit(t, change, *arguments, looks=True):
    """Make the change; refuse any number that differs when worked out anew, or a change after which nobody looks at agendas."""
    t.g.dirty = t.g.stale = 0
    change(*arguments)
    assert not looks or t.g.dirty != 0
    abilities.refresh(t.r, t.g)
    again = worked_out_anew(t)
    for field in REMEMBERED:
        assert np.array_equal(t.g[field], again[field]), field


each_pair = pytest.mark.parametrize(("p", "q"), PAIRS)
each_end = pytest.mark.parametrize("space", [FIRST, LAST, MIDDLE])


def lay(t, wonder, space):
    """Put a world wonder's token, or a natural wonder's, on the space."""
    if wonder in WONDERS:
        t.wonder(wonder, space)
    else:
        t.natural_wonder(wonder, space)
        t.refresh()


@each_pair
@each_end
@pytest.mark.parametrize("wonder", [*WONDERS, "Cliffs of Dover", "Pantanal"])
def test_a_wonder_goes_with_its_space_whatever_happens_there(p, q, space, wonder):
    t = board(p, q)
    t.token(q, space)
    lay(t, wonder, space)
    s = t.at(space)
    audit(t, pieces.swap_token, t.g, t.w, p, s, names.TOKEN)
    audit(t, pieces.put_city, t.r, t.g, t.w, p, s)
    audit(t, pieces.take_city_off, t.g, t.w, s, q)
    audit(t, pieces.put_token, t.g, t.w, q, s, names.REINFORCED)
    audit(t, pieces.take_token_off, t.r, t.g, t.w, s, -1)


@each_pair
@pytest.mark.parametrize("wonder", WONDERS)
def test_a_wonder_is_carried_off_or_built(p, q, wonder):
    t = board(p, q)
    t.city(p, MIDDLE)
    t.city(q, FIRST)
    t.wonder(wonder, FIRST)
    audit(t, combat.carry_off_wonder, t.r, t.g, t.w, BOTS, p, q, t.at(FIRST), looks=True)
    assert t.controls(p, wonder)
    other = next(name for name in WONDERS if name != wonder)
    audit(t, industry.put_wonder, t.g, written(t.r, "wonder").index(other), t.at(FIRST))
    assert t.controls(q, other)


@each_pair
def test_diplomacy_cards_are_taken_and_given_back(p, q):
    t = board(p, q)
    for c in range(t.r.n_diplomacy):
        audit(t, pieces.move_card, t.g, t.w, p, q, c, 1)
    assert diplomacy.held_from(t.r, t.g, p, q) == t.r.n_diplomacy
    for c in range(t.r.n_diplomacy):
        audit(t, pieces.move_card, t.g, t.w, p, q, c, 0)
    assert diplomacy.held_from(t.r, t.g, p, q) == 0


@each_pair
def test_cards_of_city_states_are_gained_and_given_back(p, q):
    t = board(p, q)
    for cs in range(t.r.n_city_states):
        t.g.city_state_cards_left[cs] = 1
        audit(t, diplomacy.gain_city_state_card, t.g, t.w, p, cs)
        audit(t, diplomacy.return_city_state_card, t.g, t.w, p, cs, looks=False)


@each_pair
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_city_state_is_conquered_and_freed(p, q, name):
    t = board(p, q)
    t.city_state(name, MIDDLE)
    t.city_state_card(q, name)
    audit(t, combat.conquer_city_state, t.r, t.g, t.w, BOTS, p, t.at(MIDDLE))
    assert t.owner(MIDDLE) == p
    assert t.g.city_state_cards[:, q].sum() == 0
    audit(t, pieces.take_city_off, t.g, t.w, t.at(MIDDLE), q)
    audit(t, pieces.free_city_state, t.g, t.w, t.city_state_code(name), 1)


@each_pair
@each_end
def test_tokens_are_turned_and_turned_over(p, q, space):
    t = board(p, q)
    t.token(q, space)
    audit(t, pieces.flip_token, t.g, t.w, t.at(space), names.REINFORCED)
    audit(t, culture.turn_over, t.r, t.g, t.w, p, t.at(space))
    assert (t.owner(space), t.piece(space)) == (p, "token")


@pytest.mark.parametrize("p", range(3))
def test_a_card_with_abilities_comes_into_the_row_and_goes(p):
    t = board(p, (p + 1) % 3)
    card, h = int(t.r.n_cards) - 1, t.holder(p, "science")
    assert t.r.card_n[card] > 0
    audit(t, science.replace_card, t.r, t.g, t.w, p, h, card)
    audit(t, science.replace_card, t.r, t.g, t.w, p, h, names.SCIENCE * names.N_LEVELS + 2)


@pytest.mark.parametrize("p", range(3))
def test_settling_writes_anew_what_is_noted_down_for_a_single_seat(p):
    t = board(p, (p + 1) % 3)
    t.g.dirty = t.g.stale = 0
    t.g.diplomacy[(p + 1) % 3, 0] = p
    t.g.stale = 1 << p
    winning.settle(t.r, t.g, t.w, BOTS)
    assert t.g.stale == 0
    audit(t, lambda: None, looks=False)
