"""Who holds and controls what: spaces, wonders, cards, figures, each on a state with nothing else in it."""

import pytest
from table import bare_state, printed_rules, ti_rules, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import pieces, state
from newdawn.simulator.rules import codes


@pytest.mark.rule("B8.7")
@pytest.mark.parametrize("s", [0, 1, 200])
@pytest.mark.parametrize("wonder", [0, 23])
def test_a_wonder_is_controlled_by_who_holds_its_space(s, wonder):
    g = bare_state()
    assert not any(pieces.controls(g, p, wonder) for p in range(names.MAX_PLAYERS))
    g.owner[-1] = 1  # where no space is
    assert not any(pieces.controls(g, p, wonder) for p in range(names.MAX_PLAYERS))
    g.wonder_space[wonder], g.wonder_token[s] = s, wonder
    assert not any(pieces.controls(g, p, wonder) for p in range(names.MAX_PLAYERS))
    for owner in range(names.MAX_PLAYERS):
        g.owner[s] = owner
        assert [p for p in range(names.MAX_PLAYERS) if pieces.controls(g, p, wonder)] == [owner]
    g.owner[s] = -1
    for cs in (0, 7):
        g.city_state[s] = cs
        assert not any(pieces.controls(g, p, wonder) for p in range(names.MAX_PLAYERS))
        g.city_state_guest[cs] = 2
        assert [p for p in range(names.MAX_PLAYERS) if pieces.controls(g, p, wonder)] == [2]


def test_figures_are_found_wherever_they_stand():
    for s in [0, 1, 200]:
        for k in (0, names.MAX_CARAVANS - 1):
            g = bare_state()
            assert (pieces.caravan_on(g, 1, s), pieces.caravans_of(g, 1, s)) == (-1, 0)
            assert not pieces.rival_caravan_on(g, 0, s)
            g.caravan[1, k], g.caravans[s] = s, 1
            assert (pieces.caravan_on(g, 1, s), pieces.caravans_of(g, 1, s)) == (k, 1)
            assert [p for p in range(3) if pieces.rival_caravan_on(g, p, s)] == [0, 2]
        for k in (0, names.MAX_ARMIES - 1):
            g = bare_state()
            assert (pieces.army_on(g, 1, s), pieces.armies_of(g, 1, s)) == (-1, 0)
            assert not pieces.rival_army_on(g, 0, s)
            g.army[1, k], g.armies[s] = s, 1
            assert (pieces.army_on(g, 1, s), pieces.armies_of(g, 1, s)) == (k, 1)
            assert [p for p in range(3) if pieces.rival_army_on(g, p, s)] == [0, 2]
            pieces.army_to_card(g, 1, k)
            assert (g.army[1, k], g.armies.sum()) == (state.ON_CARD, 0)
            pieces.army_to_card(g, 1, k)
            assert g.armies.sum() == 0


def test_the_holder_of_a_card_is_the_fullest_of_its_type():
    r = printed_rules()
    for kind in range(5):
        g = bare_state()
        assert pieces.holder_of(r, g, 1, kind) == -1
        for h in (0, 4, 2):
            g.card[1, h] = kind * names.N_LEVELS
            assert pieces.holder_of(r, g, 1, kind) == min(h for h in range(6) if g.card[1, h] >= 0)
        for h in (4, 2):
            g.trade[1] = 0
            g.trade[1, h] = 1
            assert pieces.holder_of(r, g, 1, kind) == h
        assert pieces.holder_of(r, g, 1, (kind + 1) % 5) == -1


def test_every_victory_card_claimed_counts():
    g = bare_state()
    g.victory_count = 3
    assert pieces.claims(g, 1) == 0
    for i, agenda in ((0, 1), (2, 2)):
        g.claimed[1, i] = agenda
    assert [pieces.claims(g, p) for p in range(3)] == [0, 2, 0]


def test_wonders_held_are_those_of_the_type_or_all():
    g = bare_state()
    g.wonders_held[1] = (1, 0, 2, 0, 3, 0)
    assert [pieces.wonder_held(printed_rules(), g, 1, kind) for kind in range(-1, 6)] == [6, 1, 0, 2, 0, 3, 0]


@pytest.mark.parametrize("s", [0, 1, 200])
@pytest.mark.parametrize(("old", "new"), [(-1, 0), (-1, 2), (0, 1), (2, 0), (1, -1), (1, 1)])
def test_a_space_that_changes_hands_takes_its_wonders_along(s, old, new):
    for n, wonder in ((0, 0), (7, 23)):
        g, w = bare_state(), used_work()
        w.log_on = 0
        g.owner[s], g.coastal[s] = old, 1
        g.space_count[:3], g.coast_count[:3] = 5, 3
        g.natural_wonder[s], g.wonder_token[s] = n, wonder
        g.natural_wonder_owner[n], g.natural_wonder_holder[n] = old, 4
        g.wonders_gained = g.dirty = g.stale = 0
        pieces.set_owner(g, w, new, s, names.TOKEN)
        assert (g.owner[s], g.piece[s], g.dirty) == (new, names.TOKEN, 1)
        change = [(p == new) - (p == old) for p in range(3)]
        assert g.space_count[:3].tolist() == [5 + k for k in change]
        assert g.coast_count[:3].tolist() == [3 + k for k in change]
        assert g.natural_wonder_owner[n] == new
        assert g.natural_wonder_holder[n] == (4 if old == new else -1)
        assert g.stale == (0 if old == new else sum(1 << p for p in {old, new} - {-1}))
        assert g.wonders_gained == (1 << wonder if new >= 0 and old != new else 0)
        assert g.wonder_captures[wonder] == (new >= 0 and old != new)


@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (3, 4)])
def test_own_land_is_the_own_and_that_of_who_shares_it(p, q):
    for s in [0, 1, 200]:
        g = bare_state(5)
        g.power[p, codes.SHARED_LAND] = 1 << q
        for owner in range(-1, 5):
            g.owner[s] = owner
            assert [a for a in range(names.MAX_PLAYERS) if pieces.is_own_land(g, a, s)] == [
                a for a in range(names.MAX_PLAYERS) if a == owner or (a == p and owner == q)
            ]


@pytest.mark.rule("B10.1")
@pytest.mark.parametrize("guest", [-1, 0, 2])
def test_a_city_state_that_is_claimed_has_no_guest_any_more(guest):
    r = ti_rules()
    for cs in (0, int(r.n_city_states) - 1):
        g = bare_state()
        g.city_state_guest[cs] = guest
        g.card[1, 2] = int(r.city_state_type[cs]) * names.N_LEVELS
        g.stale = g.dirty = 0
        pieces.claim_city_state(r, g, state.new_work(), 1, cs)
        assert (g.city_state_owner[cs], g.city_state_holder[cs], g.city_state_guest[cs], g.dirty) == (1, 2, -1, 1)
        assert g.stale == (1 << guest if guest >= 0 else 0)
