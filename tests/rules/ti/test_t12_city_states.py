"""T12.3-T12.5: diplomacy cards: Auckland, Antananarivo, Palenque, Open Borders, and the Non-Aggression Pact against effects
(against attacks: test_t12_battle.py; Akkad: test_t12_armies.py)."""

from functools import partial

import pytest
from battles import WIN, fight
from table import BOTS, LAST_SPACE, PASS, Table, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import (
    abilities,
    armies,
    audit,
    barbarians,
    decisions,
    districts,
    economy,
    pieces,
    start_effects,
    state,
    trade,
    turn,
    winning,
)
from newdawn.simulator.engine.pieces import count_capture
from newdawn.simulator.rules.ruleset_contents import written

FREE = 1
MARBLE, MERCURY, OIL, DIAMOND = range(4)
HOME, SPACE = (0, 0), (3, 0)  # the capital of seat 0, and a city-state
THREE = ("Scythia", "Sumeria", "France")

table = partial(ti_table_with, HOME, (0, 5), (0, -5), radius=5, leaders=THREE)


def industry(t, *choices, p=0, slot=5) -> None:
    """Let seat `p` resolve its industry card from the slot."""
    t.g.current = p
    t.script(*choices)
    place = abilities.place_of_slot(t.r, slot)
    turn.resolve_card(t.r, t.g, t.w, BOTS, p, t.holder(p, "industry"), place, turn.CHOSEN)
    t.require_script_done()


def sites(t, p=0, slot=1) -> set[int]:
    """Return the spaces where seat `p` may build a city with its industry card from the slot."""
    industry(t, p=p, slot=slot)
    return {option for option in t.options(decisions.INDUSTRY) if option < decisions.WONDER_OPTION}


# --- Auckland


@pytest.mark.effect("Auckland")
def test_auckland_the_distance_of_a_city_is_counted_through_water():
    sea = {(1, r): "water" for r in range(-5, 5)}
    t = table(terrain=sea)
    assert t.at((2, 0)) not in sites(t)
    t.city_state_card(0, "Auckland")
    assert t.at((2, 0)) in sites(t)
    t.g.current = 1
    assert t.at((2, 0)) not in sites(t, p=1)  # the card is seat 0's, and that place is far from seat 1


@pytest.mark.effect("Auckland")
@pytest.mark.parametrize("terrain", ["hills", "forest", "desert", "mountain"])
def test_auckland_land_next_to_water_counts_one_for_cities(terrain):
    t = table(terrain={(0, 2): terrain, (1, 2): "water", (0, -2): terrain, (-5, 0): "mountain"})
    t.token(0, (-4, 0))
    assert t.at((0, 2)) not in sites(t)
    t.city_state_card(0, "Auckland")
    found = sites(t)
    assert t.at((0, 2)) in found
    assert t.at((0, -2)) not in found  # away from water
    assert t.at((-5, 0)) not in found  # the map's edge is no water


@pytest.mark.effect("Auckland")
def test_auckland_counts_distances_through_such_land_too():
    ring = dict.fromkeys([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], "mountain")
    t = table(terrain={**ring, (1, 1): "water"})  # (1, 0) and (0, 1) are next to it
    assert sites(t) == set()
    t.city_state_card(0, "Auckland")
    found = sites(t)
    assert t.at((2, 0)) in found  # through (1, 0)
    assert t.at((-2, 0)) not in found


@pytest.mark.effect("Auckland")
def test_auckland_is_for_cities_alone():
    t = table(terrain={(0, 1): "mountain", (1, 1): "water"})
    t.city_state_card(0, "Auckland")
    t.resolve(0, "Early Empire", 1)
    assert t.at((0, 1)) not in t.options(decisions.PLACE_TOKEN)


# --- Antananarivo


def guest(p=0, *, on=True, rules=None, **kw) -> Table:
    """Return a table on which Antananarivo lies at (3, 0) and seat `p` holds its card; `on`: it is that player's turn."""
    t = table(rules=rules, **kw)
    t.city_state("Antananarivo", SPACE)
    t.city_state_card(p, "Antananarivo")
    if on:
        begin(t, p)
    return t


def begin(t, p) -> None:
    """Begin the turn of seat `p` as far as loans go."""
    t.g.current = p
    t.g.in_turn = 1
    t.g.arrived[:] = 0
    pieces.settle_loans(t.r, t.g, t.w)
    t.refresh()
    t.call(lambda r, g, w, bots: None)


def end(t) -> None:
    t.g.in_turn = 0
    pieces.settle_loans(t.r, t.g, t.w)


def sound(t) -> None:
    """Assert that the state keeps all its invariants."""
    t.w.violation = 0
    t.g.dirty = 0
    audit.audit_pieces(t.r, t.g, t.w, 0)
    audit.audit_spaces(t.g, t.w)
    audit.audit_figures(t.r, t.g, t.w)
    audit.audit_numbers(t.r, t.g, t.w, 0)
    assert audit.VIOLATIONS[t.w.violation] == "none"


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_antananarivo_is_an_own_city_in_its_holders_turn_only():
    t = guest(on=False)
    before = (int(t.g.space_count[0]), int(t.g.coast_count[0]), int(t.g.city_count[0]), int(t.g.cities_left[0]))
    assert (t.owner(SPACE), t.piece(SPACE)) == (-1, "none")
    begin(t, 0)
    assert (t.owner(SPACE), t.piece(SPACE)) == (0, "city")
    assert int(t.g.city_state[t.at(SPACE)]) == -1
    assert int(t.g.city_count[0]) == before[2] + 1
    assert int(t.g.cities_left[0]) == before[3]  # no piece of the player's
    sound(t)
    end(t)
    assert (t.owner(SPACE), t.piece(SPACE)) == (-1, "none")
    assert int(t.g.city_state[t.at(SPACE)]) == t.city_state_code("Antananarivo")
    assert (int(t.g.space_count[0]), int(t.g.coast_count[0]), int(t.g.city_count[0]), int(t.g.cities_left[0])) == before
    begin(t, 1)  # another player, without the card
    assert t.owner(SPACE) == -1


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_a_whole_turn_lends_antananarivo_and_gives_it_back():
    t = guest(on=False)
    t.card(0, "Early Empire")
    t.script((decisions.CARD, t.row(0).index("culture")), (decisions.PLACE_TOKEN, (3, 1)), (decisions.PLACE_TOKEN, PASS))
    t.take_turn(0)
    assert t.owner((3, 1)) == 0  # beside Antananarivo
    assert t.owner(SPACE) == -1
    t.script((decisions.CARD, t.row(1).index("culture")))
    t.take_turn(1)
    assert not {t.at((4, 0)), t.at((3, -1))} & t.options(decisions.PLACE_TOKEN)


@pytest.mark.rule("B3.2", "T12.3")
@pytest.mark.effect("Antananarivo")
def test_antananarivo_counts_for_agendas_the_moment_the_turn_begins():
    t = guest(on=False, victory=(names.AGENDAS.index("Civilized") // 2,))
    for city in [(-4, 0), (-2, -2), (-2, 2), (1, -3), (4, -4), (-4, 4)]:
        t.city(0, city)
    t.call(lambda r, g, w, bots: None)
    assert t.g.claimed[0, 0] == 0  # seven cities on the map
    begin(t, 0)
    assert t.g.claimed[0, 0] == 1


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_other_city_states_are_no_cities_and_a_conquered_one_is_its_owners():
    t = table()
    t.city_state("Geneva", SPACE)
    t.city_state_card(0, "Geneva")
    begin(t, 0)
    assert t.owner(SPACE) == -1
    t = table()
    t.conquered(1, "Antananarivo", SPACE)
    begin(t, 0)
    assert t.owner(SPACE) == 1


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_antananarivo_matures_and_starts_armies_and_caravans():
    t = guest()
    around = [(4, 0), (3, 1), (2, 1), (2, 0), (3, -1), (4, -1)]
    t.token(0, *around[:-1])
    assert not t.mature(0, SPACE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, PASS))
    t.resolve(0, "Masonry", 5)
    assert t.at((5, -1)) not in t.options(decisions.ARMY_TO)
    t.token(0, around[-1])
    assert t.mature(0, SPACE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (5, -1)))
    t.resolve(0, "Masonry", 5)
    assert int(t.g.army[0, 0]) == t.at((5, -1))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (5, 0)))
    t.resolve(0, "Foreign Trade", 5)
    assert int(t.g.caravan[0, 0]) == t.at((5, 0))


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_armies_pass_antananarivo_but_do_not_end_there():
    t = guest(terrain={(2, 1): "water", (3, -1): "water", (2, -1): "water", (3, 1): "water"})
    t.token(0, (4, 0), (4, -1), (2, 0))  # mature: all else around is water
    assert t.mature(0, SPACE)
    t.army(0, (2, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (4, 0)))
    t.resolve(0, "Masonry", 5)
    assert t.at(SPACE) not in t.options(decisions.ARMY_TO)
    assert int(t.g.army[0, 0]) == t.at((4, 0))
    t.army(0, None)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, PASS))
    t.resolve(0, "Masonry", 5)
    assert t.at(SPACE) not in t.options(decisions.ARMY_TO)  # nor may it step out there
    assert t.at(HOME) in t.options(decisions.ARMY_TO)
    assert t.combats() == []


@pytest.mark.rule("T12.3", "T5.12")
@pytest.mark.effect("Antananarivo")
@pytest.mark.parametrize("name", ["Antananarivo", "Geneva"])
def test_an_army_does_not_stay_where_it_has_freed_a_city_state_and_got_its_card(name):
    """Its card makes Antananarivo a city of the liberator at once, and of the rest of this turn only."""
    t = table()
    t.conquered(1, name, SPACE)
    begin(t, 0)
    t.army(0, (1, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)), (decisions.ARMY_TO, SPACE), (decisions.CITY_STATE_FATE, FREE))
    t.resolve(0, "Masonry", 5)
    assert int(t.g.army[0, 0]) == t.at((2, 0))
    end(t)
    assert int(t.g.city_state[t.at(SPACE)]) == t.city_state_code(name)
    assert t.owner(SPACE) == -1


@pytest.mark.rule("T12.3", "T12.15")
@pytest.mark.effect("Antananarivo")
def test_military_engineering_puts_no_army_into_antananarivo():
    t = guest()
    t.city(0, (-3, 0))
    t.script()
    t.call(armies.armies_into_cities, 0)
    assert t.options(decisions.ARMY_CITY) == t.spaces(HOME, (-3, 0))


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_a_caravan_of_the_holder_does_not_arrive_there_that_of_another_does():
    t = guest()
    t.caravan(0, (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, SPACE))
    t.resolve(0, "Foreign Trade", 5)
    assert int(t.g.caravan[0, 0]) == t.at(SPACE)
    assert t.trade_on(0, "culture") == 0
    end(t)
    begin(t, 1)
    t.caravan(1, (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, SPACE), (decisions.TAKE_DIPLOMACY, PASS))
    t.resolve(1, "Foreign Trade", 5)
    assert int(t.g.caravan[1, 0]) == state.ON_CARD
    assert t.trade_on(1, "culture") == 2


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo", "Orszaghaz")
def test_whoever_takes_the_card_has_a_city_there_for_the_rest_of_the_turn():
    t = table()
    t.city_state("Antananarivo", SPACE)
    t.wonder("Orszaghaz", HOME)
    begin(t, 0)
    t.caravan(0, (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, SPACE), (decisions.TAKE_DIPLOMACY, 0))
    t.resolve(0, "Foreign Trade", 5)
    assert (t.owner(SPACE), t.piece(SPACE)) == (0, "city")
    assert "conquer_visited" not in t.asked_kinds()  # it is no city-state now
    sound(t)
    t = table()
    t.city_state("Antananarivo", SPACE)
    t.wonder("Orszaghaz", HOME)
    begin(t, 0)
    t.caravan(0, (2, 0))
    t.script(
        (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, SPACE), (decisions.TAKE_DIPLOMACY, PASS), (decisions.CONQUER_VISITED, 1)
    )
    t.resolve(0, "Foreign Trade", 5)
    assert int(t.g.city_state_owner[t.city_state_code("Antananarivo")]) == 0


@pytest.mark.effect("Orszaghaz")
def test_a_visited_city_state_need_not_be_conquered():
    t = table()
    t.city_state("Geneva", SPACE)
    t.w.option[:2] = 7
    t.script((decisions.CONQUER_VISITED, 0))
    t.call(economy.conquer_visited, 0, t.at(SPACE))
    t.require_script_done()
    assert t.g.city_state_owner[t.city_state_code("Geneva")] == -1


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 2), (2, 0)])
def test_what_a_wonder_there_gives_goes_from_holder_to_holder_as_their_turns_begin(first, second):
    t = table()
    t.city_state("Antananarivo", SPACE)
    for p in (first, second):
        t.city_state_card(p, "Antananarivo")
    begin(t, first)
    t.wonder("Alhambra", SPACE)
    end(t)
    for p, other in ((second, first), (first, second)):
        t.g.current, t.g.in_turn = p, 1
        pieces.settle_loans(t.r, t.g, t.w)
        t.call(lambda r, g, w, bots: None)
        assert [int(t.g.wonders_held[q, names.MILITARY]) for q in (p, other)] == [1, 0]
        end(t)


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_cities_are_built_at_a_distance_from_antananarivo():
    t = guest()
    assert t.at((5, 0)) in sites(t)
    assert t.at((4, 0)) not in sites(t)  # next to it
    end(t)
    begin(t, 1)
    assert t.at((5, 0)) not in sites(t, p=1)


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_a_wonder_is_built_there_and_belongs_to_the_last_holder_at_turn():
    t = guest(leaders=("Scythia", "Sumeria", "France"))
    t.city_state_card(1, "Antananarivo")
    t.wonder("Stonehenge", HOME)  # so that only Antananarivo has room
    t.deck("Alhambra")
    t.give_resources(0, oil=8, marble=8)
    industry(t, (decisions.INDUSTRY, decisions.WONDER_OPTION + written(t.r, "wonder").index("Alhambra")))
    alhambra = written(t.r, "wonder").index("Alhambra")
    assert int(t.g.wonder_space[alhambra]) == t.at(SPACE)
    assert [t.controls(p, "Alhambra") for p in range(3)] == [True, False, False]
    sound(t)
    end(t)
    assert [t.controls(p, "Alhambra") for p in range(3)] == [True, False, False]  # between turns
    assert int(t.g.wonders_held[0, names.MILITARY]) == 1
    begin(t, 2)  # no holder
    assert [t.controls(p, "Alhambra") for p in range(3)] == [True, False, False]
    end(t)
    begin(t, 1)
    assert [t.controls(p, "Alhambra") for p in range(3)] == [False, True, False]
    assert (int(t.g.wonders_held[0, names.MILITARY]), int(t.g.wonders_held[1, names.MILITARY])) == (0, 1)
    assert int(t.g.wonder_captures[alhambra]) == 0  # nobody has taken it
    end(t)
    assert [t.controls(p, "Alhambra") for p in range(3)] == [False, True, False]
    begin(t, 0)
    assert [t.controls(p, "Alhambra") for p in range(3)] == [True, False, False]


@pytest.mark.rule("T11.3", "T12.3")
@pytest.mark.effect("Antananarivo")
def test_a_wonder_that_changes_hands_with_the_turn_is_not_captured():
    t = guest()
    t.city_state_card(1, "Antananarivo")
    t.wonder("Cristo Redentor", SPACE)
    t.city(2, (4, -3))
    end(t)
    begin(t, 1)
    t.call(start_effects.follow_up)
    assert t.controls(1, "Cristo Redentor")
    assert t.owner((4, -3)) == 2


@pytest.mark.rule("T12.3")
@pytest.mark.effect("Antananarivo")
def test_when_antananarivo_is_conquered_the_wonder_goes_with_the_space():
    t = guest()
    t.wonder("Alhambra", SPACE)
    end(t)
    t.g.in_turn = 1
    fight(t, SPACE, WIN, p=2, target="city_state", slot=5)
    assert t.owner(SPACE) == 2
    assert [t.controls(p, "Alhambra") for p in range(3)] == [False, False, True]
    assert int(t.g.wonders_held[0, names.MILITARY]) == 0
    assert int(t.g.city_state_cards[t.city_state_code("Antananarivo")].sum()) == 0


@pytest.mark.rule("B1.1", "T12.3")
@pytest.mark.effect("Antananarivo")
def test_a_barbarian_on_antananarivo_harms_nothing():
    t = guest()
    t.barbarian("A", SPACE)
    sound(t)
    end(t)
    t.barbarian("B", (4, 0))
    t.call(barbarians.raid, 1, 3)  # west, onto the city-state
    assert int(t.g.city_state[t.at(SPACE)]) == t.city_state_code("Antananarivo")


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
        winning.read_anew(t.r, t.g, t.w)
        assert t.g.stale == 0
        assert [t.controls(q, "Ruhr Valley") for q in range(2)] == [q == p for q in range(2)]
        gifts.append([int(t.g.wonders_held[q].sum()) for q in range(2)])
        t.g.in_turn = 0
        pieces.settle_loans(t.r, t.g, t.w)
    assert gifts == [[1, 0], [0, 1], [1, 0]]


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


# --- Palenque


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Palenque")
def test_palenque_resources_are_trade_tokens_of_the_card_being_resolved():
    t = table()
    t.city_state_card(0, "Palenque")
    t.give_resources(0, marble=1, oil=2)
    t.trade(0, "science", 1)
    t.script(
        (decisions.SCIENCE, 1),
        (decisions.SPEND_TRADE, 2),
        (decisions.SPEND_TOKEN, decisions.RESOURCE_TOKEN + OIL),
        (decisions.SPEND_TOKEN, decisions.RESOURCE_TOKEN + OIL),
    )
    t.resolve(0, "Astrology", 1)
    assert t.options(decisions.SPEND_TRADE) == {0, 1, 2, 3, 4}
    assert t.options(decisions.SPEND_TOKEN) == {200, decisions.RESOURCE_TOKEN + MARBLE, decisions.RESOURCE_TOKEN + OIL}
    assert int(t.g.dial[0]) == 1 + 2
    assert t.g.resources[0].tolist() == [1, 0, 0, 0]
    assert t.trade_on(0, "science") == 1
    assert int(t.g.supply[OIL]) == t.r.resources_per_type


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Palenque")
@pytest.mark.parametrize("case", ["no card", "natural wonder", "other player's turn"])
def test_palenque_is_the_holders_in_its_own_turn_and_no_natural_wonder_pays(case):
    t = table()
    if case != "no card":
        t.city_state_card(0, "Palenque")
    if case == "natural wonder":
        t.natural_wonder("Crater Lake", (1, 0))
        t.token(0, (1, 0))
    else:
        t.give_resources(0, oil=2)
    t.g.current = 1 if case == "other player's turn" else 0
    assert trade.spendable(t.r, t.g, 0, t.holder(0, "science"), -1) == 0


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Palenque")
def test_palenque_pays_one_for_a_wonder_that_takes_other_resources():
    t = table()
    t.city_state_card(0, "Palenque")
    t.deck("Stonehenge")  # 7; marble and mercury pay
    t.give_resources(0, oil=2)
    stonehenge = decisions.WONDER_OPTION + written(t.r, "wonder").index("Stonehenge")
    h = t.holder(0, "industry")
    production = int(t.r.card_production[t.g.card[0, h], 5])
    t.g.trade[0, h] = 0
    missing = 7 - production
    assert missing > 0
    t.give_resources(0, oil=max(0, missing - 2))
    industry(t, (decisions.INDUSTRY, stonehenge))
    assert t.controls(0, "Stonehenge")
    t = table()
    t.deck("Stonehenge")
    t.give_resources(0, oil=5)
    industry(t)
    assert stonehenge not in t.options(decisions.INDUSTRY)


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Palenque")
def test_palenque_a_resource_that_the_wonder_takes_still_pays_two():
    t = table()
    t.city_state_card(0, "Palenque")
    t.deck("Stonehenge")
    t.give_resources(0, marble=2, oil=2)
    h = t.holder(0, "industry")
    stonehenge = written(t.r, "wonder").index("Stonehenge")
    t.g.current = 0
    assert trade.spendable(t.r, t.g, 0, h, stonehenge) == 2  # the two oil
    industry(t, (decisions.INDUSTRY, decisions.WONDER_OPTION + stonehenge), (decisions.PAY, MARBLE), slot=4)
    assert t.options(decisions.PAY) == {MARBLE, decisions.PAY_TRADE}


# --- Open Borders


@pytest.mark.effect("Open Borders")
def test_open_borders_tokens_of_the_giver_help_own_cities_to_mature():
    t = table()
    ring = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    t.token(0, *ring[:4])
    t.token(1, *ring[4:])
    assert not t.mature(0, HOME)
    t.diplomacy(0, 2, "Open Borders")
    assert not t.mature(0, HOME)  # another giver's
    t.diplomacy(0, 1, "Open Borders")
    assert t.mature(0, HOME)


@pytest.mark.rule("T6.6")
@pytest.mark.effect("Open Borders")
@pytest.mark.parametrize(("reading", "mature"), [("never", False), ("city_counts", True)])
def test_open_borders_a_city_of_the_giver_next_door_counts_like_an_own_one(tmp_path, reading, mature):
    t = table(rules=ti_rules_with(tmp_path, rulings={"mature_beside_city": reading}))
    t.token(0, (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    t.conquered(1, "Geneva", (1, 0))
    assert not t.mature(0, HOME)
    t.diplomacy(0, 1, "Open Borders")
    assert t.mature(0, HOME) is mature


@pytest.mark.rule("T4.5", "T4.6")
@pytest.mark.effect("Open Borders")
@pytest.mark.parametrize(("giver", "tokens"), [(None, 1), (2, 1), (1, 3)])
def test_open_borders_the_givers_spaces_are_friendly_around_own_districts(giver, tokens):
    t = table(terrain=dict.fromkeys([(2, 0), (3, 0), (2, 1), (1, 1)], "mountain"))
    t.district(0, "Campus", (2, 0))
    t.token(1, (3, 0))
    t.city(1, (2, 1))
    t.token(2, (1, 1))
    if giver is not None:
        t.diplomacy(0, giver, "Open Borders")
    around = int(districts.spaces_around(t.g, 0, t.at((2, 0)), names.MOUNTAIN))
    assert around == tokens + (1 if giver == 2 else 0)


@pytest.mark.rule("T4.9", "T4.10")
@pytest.mark.effect("Open Borders")
def test_open_borders_serves_industrial_zone_and_theater_square():
    t = table()
    t.district(0, "Industrial Zone", (-1, 0))
    t.district(0, "Theater Square", (0, 1))
    t.token(1, (3, -3))
    t.city(1, (-3, 4))
    t.wonder("Oracle", (-3, 4))
    zone = {t.w.option[i] for i in range(districts.list_zone_cities(t.r, t.g, t.w, 0))}
    assert t.at((5, -4)) not in zone
    t.diplomacy(0, 1, "Open Borders")
    zone = {t.w.option[i] for i in range(districts.list_zone_cities(t.r, t.g, t.w, 0))}
    assert t.at((5, -4)) in zone  # within 2 of the giver's token


# --- the Non-Aggression Pact and effects (T12.4)


def pact(**kw) -> Table:
    """Return a table on which seat 0 holds the pact of seat 1."""
    t = table(**kw)
    t.diplomacy(0, 1, "Non-Aggression Pact")
    return t


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Non-Aggression Pact", "Forbidden City")
def test_forbidden_city_of_the_holder_spares_the_giver():
    t = pact()
    t.wonder("Forbidden City", HOME)
    t.token(1, (1, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []
    t.token(2, (0, 1))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (0, 1)))
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((0, 1))


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Non-Aggression Pact", "Eiffel Tower")
def test_eiffel_tower_of_the_holder_names_no_tokens_of_the_giver():
    t = pact()
    t.wonder("Eiffel Tower", HOME)
    t.token(1, (1, 0), (2, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []
    t.token(2, (0, 1), (0, 2))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER))
    assert t.at((1, 0)) not in t.options(decisions.NAME_TOKEN)


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Non-Aggression Pact", "Mass Media")
def test_mass_media_of_the_holder_may_turn_the_givers_token_over_but_not_replace_it():
    t = pact()
    t.token(1, (1, 0))
    t.token(1, (0, 1), reinforced=True)
    t.token(2, (0, -1))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (0, 1)))
    t.resolve(0, "Mass Media", 5)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((0, 1), (0, -1))
    assert (t.owner((0, 1)), t.piece((0, 1))) == (1, "token")


@pytest.mark.rule("T12.4", "T12.17")
@pytest.mark.effect("Non-Aggression Pact", "Nuclear Power")
def test_nuclear_power_of_the_holder_skips_the_givers_plain_tokens():
    t = pact()
    t.token(1, (3, 0))
    t.token(1, (3, 1), reinforced=True)
    t.token(2, (2, 0))
    t.script((decisions.SCIENCE, 1), (decisions.STRIKE, (3, 0)))
    t.resolve(0, "Nuclear Power", 5)
    assert (t.owner((3, 0)), t.owner((2, 0))) == (1, -1)
    assert t.piece((3, 1)) == "token"


@pytest.mark.rule("T4.8", "T12.4")
@pytest.mark.effect("Non-Aggression Pact", "Encampment")
def test_the_holders_encampment_spares_the_givers_armies():
    t = pact()
    t.district(0, "Encampment", (1, 0))
    t.army(1, (2, 0))
    t.army(2, (1, 1))
    foes = {int(t.w.option[i]) for i in range(districts.list_foes(t.r, t.g, t.w, 0, t.at((1, 0))))}
    assert {(foe - 2000) // 256 for foe in foes} == {2}


def swap_with_growth(t, p=0) -> tuple[int, int]:
    return decisions.NON_AGGRESSION, t.row(p).index("growth")


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Non-Aggression Pact")
@pytest.mark.parametrize("deed", ["Forbidden City", "Mass Media", "Nuclear Power", "army sent home"])
def test_when_an_effect_of_the_giver_destroys_a_piece_the_holder_may_swap_its_military_card(deed):
    t = pact()
    t.token(0, (0, 4))  # beside the giver's capital
    row = t.row(0)
    swap = swap_with_growth(t)
    if deed == "Forbidden City":
        t.wonder(deed, (0, 5))
        t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (0, 4)), swap, p=1)
    elif deed == "army sent home":
        t.army(0, (0, 3))
        t.g.current = 1
        t.script(swap)
        t.call(districts.strike_foe, 1, t.at((0, 4)))
        t.require_script_done()
    else:
        steps = {
            "Mass Media": [(decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (0, 4))],
            "Nuclear Power": [(decisions.SCIENCE, 1), (decisions.STRIKE, (0, 4))],
        }
        t.script(*steps[deed], swap)
        t.resolve(1, deed, 5)
    assert int(t.g.diplomacy[1, written(t.r, "diplomacy").index("Non-Aggression Pact")]) == -1
    military, growth = row.index("military"), row.index("growth")
    assert (t.row(0)[growth], t.row(0)[military]) == ("military", "growth")


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Non-Aggression Pact")
def test_turning_a_token_over_is_no_strike_and_others_strikes_do_not_count():
    t = pact()
    t.token(0, (0, 4), reinforced=True)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (0, 4)))
    t.resolve(1, "Mass Media", 5)
    assert t.piece((0, 4)) == "token"
    assert "non_aggression" not in t.asked_kinds()
    t.token(0, (0, -4))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (0, -4)))
    t.resolve(2, "Mass Media", 5)
    assert "non_aggression" not in t.asked_kinds()
    pieces.take_token_off(t.r, t.g, t.w, t.at((0, 4)), -1)  # a barbarian
    t.script()
    t.call(lambda r, g, w, bots: None)
    assert t.asked_kinds() == []


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Non-Aggression Pact")
def test_one_strike_that_destroys_several_pieces_is_answered_once():
    t = pact()
    t.token(0, (2, 0), (3, 0), (4, 0))
    t.script((decisions.SCIENCE, 1), (decisions.STRIKE, (3, 0)), (decisions.NON_AGGRESSION, PASS))
    t.resolve(1, "Nuclear Power", 5)
    assert t.asked_kinds().count("non_aggression") == 1
    assert int(t.g.diplomacy[1, written(t.r, "diplomacy").index("Non-Aggression Pact")]) == 0


@pytest.mark.rule("T12.4")
@pytest.mark.parametrize("piece", ["token", "city"])
def test_what_barbarians_destroy_is_no_strike_of_a_player(piece):
    t = ti_table_with((0, 0), LAST_SPACE)
    t.diplomacy(1, 0, "Non-Aggression Pact")
    getattr(t, piece)(1, (2, 0))
    t.barbarian("A", (1, 0))
    t.g.strikes = 0
    barbarians.raid(t.r, t.g, t.w, BOTS, 0, 0)
    assert t.owner((2, 0)) == -1
    assert t.g.strikes == 0


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
    t.call(winning.answer_strike, 1, 0)
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
    t.call(winning.answer_strike, 1, 0)
    assert t.asked() == []
    assert t.g.row[1].tolist() == before


def test_a_count_of_captures_that_is_full_stays_so():
    t = guest()
    for seen in (126, 127, 127):
        t.g.wonder_captures[0] = seen
        count_capture(t.g, 0)
        assert int(t.g.wonder_captures[0]) == 127
