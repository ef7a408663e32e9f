"""Breaks of the code for exploring in passing, pacts and guests of Antananarivo that other tests let through."""

import pytest
from table import BOTS, HOME_TILE, STACK, Table, card_codes, ti_rules, ti_table_with

from newdawn.simulator import limits, names
from newdawn.simulator.engine import (
    agendas,
    armies,
    barbarians,
    culture,
    decisions,
    districts,
    economy,
    exploring,
    industry,
    map,
    pieces,
    setup,
    state,
)

ROW = [(q, 0) for q in range(7)]


def row(**fields):
    """Return a row of seven spaces of grassland with the capital of seat 0 in the west, with other numbers of the rules."""
    t = Table(rules=ti_rules().copy(), spaces=ROW)
    for field, value in fields.items():
        t.r[field] = value
    t.capital(0, (0, 0))
    return t


# --- exploring in passing


def goes_on_from(t, which, space, left):
    """Can seat 0's army or caravan pass the space and end its move with the steps left?"""
    s = t.at(space)
    if which == "army":
        armies.mark_army(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "military")], 6)
        return bool(armies.goes_on(t.r, t.g, t.w, 0, s, left))
    economy.mark_caravan(t.r, t.g, t.w, 0, t.g.card[0, t.holder(0, "economy")], 6)
    return bool(economy.caravan_goes_on(t.r, t.g, t.w, 0, s, left))


@pytest.mark.rule("T7.1")
@pytest.mark.parametrize(("left", "goes"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_caravan_passes_a_city_where_one_has_arrived_if_it_gets_to_a_space_where_it_may_stop(left, goes):
    t = row()
    for space in ((2, 0), (3, 0)):
        t.city(0, space)
        t.g.arrived[t.at(space)] = 1
    t.g.terrain[t.at((1, 0))] = names.WATER
    assert goes_on_from(t, "caravan", (2, 0), left) == goes
    t.g.arrived[t.at((2, 0))] = 0
    assert goes_on_from(t, "caravan", (2, 0), 0)
    t.g.terrain[t.at((2, 0))] = names.WATER
    assert not goes_on_from(t, "caravan", (2, 0), 3)


@pytest.mark.rule("T7.1")
@pytest.mark.parametrize(("left", "goes"), [(0, False), (1, True)])
def test_an_army_passes_a_space_only_if_it_can_end_its_move_elsewhere(left, goes):
    t = row()
    assert goes_on_from(t, "army", (3, 0), left) == goes
    t.g.terrain[t.at((3, 0))] = names.WATER
    assert not goes_on_from(t, "army", (3, 0), left)


def test_the_last_tile_there_can_be_is_among_those_that_astronomy_sees():
    t = row(explore_touch=1)
    t.g.tile[: t.g.n_spaces] = HOME_TILE
    t.g.stack[:3], t.g.stack_n = (STACK[0], limits.MAX_TILES, STACK[1]), 3
    t.script()
    exploring.lay_one_seen(t.r, t.g, t.w, BOTS, 0, 1 << STACK[0] | 1 << limits.MAX_TILES)
    assert t.options(decisions.EXPLORED_TILE) == {STACK[0], limits.MAX_TILES}


# --- pacts


@pytest.mark.rule("T12.4")
@pytest.mark.parametrize("place", range(6))
def test_who_answers_a_strike_swaps_its_military_card_wherever_that_lies(place):
    t = ti_table_with((0, 0), (3, 0))
    t.diplomacy(1, 0, "Non-Aggression Pact")
    h, at = t.holder(1, "military"), t.row(1).index("military")
    t.g.row[1, at], t.g.row[1, place] = t.g.row[1, place], h
    other = 5 if place != 5 else 0
    before = t.row(1)
    t.script((decisions.NON_AGGRESSION, other))
    t.call(agendas.answer_strike, 1, 0)
    t.require_script_done()
    before[place], before[other] = before[other], before[place]
    assert t.row(1) == before
    assert t.options(decisions.NON_AGGRESSION) == set(range(6)) - {place}


@pytest.mark.rule("T12.4")
def test_who_has_no_military_card_does_not_answer():
    t = ti_table_with((0, 0), (3, 0))
    t.diplomacy(1, 0, "Non-Aggression Pact")
    t.g.card[1, t.holder(1, "military")] = names.GROWTH * names.N_LEVELS + 1
    before = t.g.row[1].tolist()
    t.script()
    t.call(agendas.answer_strike, 1, 0)
    assert t.asked() == []
    assert t.g.row[1].tolist() == before


# --- armies, figures


@pytest.mark.rule("T5.16")
def test_the_last_army_is_among_those_that_a_barbarian_may_send_home():
    t = ti_table_with((0, 0), (3, 0))
    for a in (0, limits.MAX_ARMIES - 1):
        t.army(1, (1, 0), a)
    assert barbarians.list_armies_on(t.g, t.w, 1, t.at((1, 0))) == 2
    assert t.w.option[:2].tolist() == [0, limits.MAX_ARMIES - 1]


@pytest.mark.effect("Animal Husbandry")
def test_a_city_is_offered_on_every_own_figure():
    t = ti_table_with((0, 0), (0, -3))
    card = card_codes("terra-incognita")["Animal Husbandry"]
    both = int(t.r.card_city_on_figure[card]) == industry.ON_CARAVAN | industry.ON_ARMY
    t.caravan(0, (2, 0), 0)
    t.caravan(0, (-2, 0), 1)
    t.army(0, (0, 2), 0)
    n = industry.list_cities_on_figures(t.r, t.g, t.w, 0, card, 0)
    expected = {decisions.CITY_ON_CARAVAN + s for s in t.spaces((2, 0), (-2, 0))}
    if both:
        expected |= {decisions.CITY_ON_ARMY + t.at((0, 2))}
    assert t.r.card_city_on_figure[card] & industry.ON_CARAVAN
    assert set(t.w.option[:n].tolist()) == expected


@pytest.mark.rule("T4.5")
def test_a_district_without_trade_tokens_brings_none():
    t = ti_table_with((0, 0), (3, 0))
    for district in range(names.N_DISTRICTS):
        for option in (0, 1):
            assert districts.trade_tokens_of(t.r, t.g, 0, district, t.at((0, 1)), option) >= 0


# --- guests


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_a_wonder_in_antananarivo_goes_from_guest_to_guest_and_its_gifts_with_it():
    t = ti_table_with((-3, 0), (3, 0))
    t.city_state("Antananarivo", (0, 0))
    t.wonder("Ruhr Valley", (0, 0))
    gifts = []
    for p in (0, 1, 0):
        t.city_state_card(p, "Antananarivo")
        t.g.current, t.g.in_turn = p, 1
        agendas.read_anew(t.r, t.g, t.w)
        assert t.g.stale == 0
        assert [t.controls(q, "Ruhr Valley") for q in range(2)] == [q == p for q in range(2)]
        gifts.append([int(t.g.wonders_held[q].sum()) for q in range(2)])
        t.g.in_turn = 0
        pieces.settle_loans(t.r, t.g, t.w)
    assert gifts == [[1, 0], [0, 1], [1, 0]]


# --- setting up


@pytest.mark.rule("T1.7")
@pytest.mark.parametrize("p", [0, 1])
def test_who_lays_its_fort_is_at_turn(p):
    t = ti_table_with((0, 0), (3, 0))
    t.g.tile[: t.g.n_spaces] = 13
    t.g.current = 1 - p
    t.script()
    setup.lay_fort(t.r, t.g, t.w, BOTS, p)
    assert t.g.current == p


# --- what stops an army, where it comes from


@pytest.mark.rule("T5.4")
def test_each_thing_that_stops_an_army_is_told_apart():
    def there(put):
        t = ti_table_with((0, 0), (0, 3))
        put(t)
        return int(armies.stopped_by(t.r, t.g, 0, t.at((2, 0))))

    for name, put in {
        "barbarian": lambda t: t.barbarian("A", (2, 0)),
        "city_state": lambda t: t.city_state("Carthage", (2, 0)),
        "token": lambda t: t.token(1, (2, 0)),
        "city": lambda t: t.city(1, (2, 0)),
        "fort": lambda t: t.fort((2, 0)),
        "caravan": lambda t: t.caravan(1, (2, 0)),
        "army": lambda t: t.army(1, (2, 0)),
    }.items():
        assert there(put) == 1 << names.TARGETS.index(name), name
    assert there(lambda t: t.token(1, (2, 0), reinforced=True)) == armies.REINFORCED_BIT
    for own in (lambda t: t.token(0, (2, 0)), lambda t: t.caravan(0, (2, 0)), lambda t: t.army(0, (2, 0)), lambda t: None):
        assert there(own) == 0


@pytest.mark.rule("T12.15")
def test_an_army_on_the_map_is_not_put_into_a_city():
    t = ti_table_with((0, 0), (0, 3))
    t.army(0, (2, 0), 0)
    t.g.army[0, 1] = state.ON_CARD
    t.script((decisions.ARMY_CITY, (0, 0)))
    t.call(armies.armies_into_cities, 0)
    assert t.asked_kinds() == ["army_city"]
    assert t.g.army[0, :2].tolist() == [t.at((2, 0)), t.at((0, 0))]


@pytest.mark.rule("T5.12")
def test_the_start_of_an_army_of_the_card_is_the_city_it_sets_out_from_and_of_another_where_it_stood():
    for begins in (armies.NOWHERE, 5):
        t = row()
        t.city(0, (4, 0))
        t.token(0, (3, 0), (5, 0))  # so that the city is mature
        t.g.army[0, 0], t.g.army_start[0] = state.ON_CARD, begins
        card = t.g.card[0, t.holder(0, "military")]
        armies.count_army(t.r, t.g, t.w, 0, 0, card, 6, 3)
        assert armies.go(t.r, t.g, t.w, 0, 0, t.at((6, 0))) == 2
        assert t.g.army_start[0] == (t.at((4, 0)) if begins == armies.NOWHERE else begins)


def test_when_the_map_has_grown_everybodys_coast_is_counted_anew():
    t = Table(leaders=("Rome", "Egypt", "Aztec", "France", "Sumeria"), rules=ti_rules(), radius=4)
    for p, space in enumerate([(0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)]):
        t.capital(p, space)
    t.token(4, (1, -4), (1, -1))
    t.g.coast_count[:] = 9
    map.rebuild_grid(t.g, t.w)
    t.call(exploring.map_has_grown)
    assert t.g.coast_count.tolist() == [0, 1, 1, 1, 2]


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
@pytest.mark.parametrize("space", [(0, 0), (3, -3)])
def test_a_city_on_loan_counts_as_a_friendly_space_and_one_at_the_coast(space):
    t = ti_table_with((-2, 0), (2, 0))
    t.city_state("Antananarivo", space)
    t.city_state_card(0, "Antananarivo")
    before = int(t.g.space_count[0]), int(t.g.coast_count[0]), int(t.g.city_count[0])
    for in_turn in (1, 0):
        t.g.current, t.g.in_turn = 0, in_turn
        pieces.settle_loans(t.r, t.g, t.w)
        coast = int(t.g.coastal[t.at(space)])
        after = int(t.g.space_count[0]), int(t.g.coast_count[0]), int(t.g.city_count[0])
        assert after == (before[0] + in_turn, before[1] + in_turn * coast, before[2] + in_turn)


@pytest.mark.effect("Drama and Poetry")
def test_where_the_ruling_lets_districts_move_each_stays_one():
    for district in (0, names.N_DISTRICTS - 1):
        t = ti_table_with((0, 0), (0, 3))
        t.r = t.r.copy()
        t.r.district_moves = 1
        t.district(0, names.DISTRICTS[district], (2, 0), reinforced=True)
        left = int(t.g.tokens_left[0])
        t.script((decisions.MOVE_TOKEN, t.at((2, 0)) * 256 + t.at((3, 0))))
        t.call(culture.move_token, 0)
        assert (t.district_on((3, 0)), t.piece((3, 0)), t.piece((2, 0))) == (
            names.DISTRICTS[district],
            "reinforced_token",
            "none",
        )
        assert t.g.tokens_left[0] == left
