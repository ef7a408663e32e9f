"""T2.5, T12.12, T12.13, T12.23: the world wonders of Terra Incognita, and what base ones do in its box."""

import pytest
from battles import WIN, fight
from table import BOTS, LAST_SPACE, PASS, Table, card_codes, table_with, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, decisions, economy, industry, science, turn
from newdawn.simulator.engine.science import advance_dial
from newdawn.simulator.rules.ruleset_contents import written

CARD_CODES = card_codes("terra-incognita")


def table(**how) -> Table:
    """Return a table in a turn, with the capitals of seats 0 and 1 at (0, 0) and (3, 0)."""
    t = ti_table_with((0, 0), (3, 0), **how)
    t.g.in_turn = 1
    return t


def acts(t, kind, place, p=0) -> int:
    """Return the slot number that the card of the focus type acts with from the place of the row."""
    return int(turn.acting_slot(t.r, t.g, p, t.holder(p, names.FOCUS_TYPES[kind]), place))


def wonder(t, name) -> int:
    return written(t.r, "wonder").index(name)


def upgrade(t, p, name, over) -> int:
    """Return the UPGRADE option of the card in place of the one of the focus type `over`."""
    return CARD_CODES[name] * 8 + t.holder(p, over)


# --- Colosseum


@pytest.mark.effect("Colosseum")
def test_colosseum_reinforces_one_own_token_beside_an_own_city():
    t = table()
    t.wonder("Colosseum", (0, 0))
    t.token(0, (1, 0), (0, 1), (0, 2))
    t.token(0, (-1, 0), reinforced=True)
    t.district(0, "Campus", (0, -1))
    t.token(1, (2, 0))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_REINFORCE), (decisions.REINFORCE, (0, -1)))
    assert t.options(decisions.REINFORCE) == t.spaces((1, 0), (0, 1), (0, -1))
    assert t.piece((0, -1)) == "reinforced_token"
    assert t.piece((1, 0)) == "token"


@pytest.mark.effect("Colosseum")
def test_colosseum_may_be_left_and_is_of_no_use_without_a_token_to_turn():
    t = table()
    t.wonder("Colosseum", (0, 0))
    t.token(0, (1, 0))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_REINFORCE), (decisions.REINFORCE, PASS))
    assert t.piece((1, 0)) == "token"
    t = table()
    t.wonder("Colosseum", (0, 0))
    t.token(0, (0, 2))  # beside no city
    t.start_of_turn()
    assert t.asked_kinds() == []


# --- Taj Mahal, Machu Picchu, Venetian Arsenal


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Taj Mahal")
def test_taj_mahal_cards_act_a_slot_higher_for_each_own_wonder_of_their_type():
    t = table()
    t.city(0, (-2, 0))
    t.city(0, (0, -2))
    t.city(1, (0, 2))
    before = [acts(t, kind, 2) for kind in (names.CULTURE, names.SCIENCE, names.ECONOMY, names.GROWTH)]
    assert before == [2, 2, 2, 2]
    t.wonder("Taj Mahal", (0, 0))
    t.wonder("Stonehenge", (-2, 0))
    t.wonder("Oracle", (0, -2))
    t.wonder("Colossus", (0, 2))  # a rival's
    assert [acts(t, kind, 2) for kind in (names.CULTURE, names.SCIENCE, names.ECONOMY, names.GROWTH)] == [4, 3, 2, 2]
    assert acts(t, names.CULTURE, 5) == 5  # no more than the last slot
    assert acts(t, names.CULTURE, 0) == 2  # T2.2: two places from the far left


@pytest.mark.effect("Taj Mahal")
def test_taj_mahal_serves_whoever_controls_it():
    t = table()
    t.wonder("Taj Mahal", (3, 0))
    assert acts(t, names.CULTURE, 2) == 2
    assert acts(t, names.CULTURE, 2, p=1) == 3


@pytest.mark.rule("T2.3", "T2.5")
@pytest.mark.effect("Machu Picchu")
def test_machu_picchu_and_taj_mahal_add_up():
    t = table()
    t.city(0, (-2, 0))
    t.wonder("Machu Picchu", (0, 0))
    t.wonder("Taj Mahal", (-2, 0))
    assert [acts(t, names.ECONOMY, place) for place in range(6)] == [3, 4, 5, 4, 5, 5]
    assert [acts(t, names.GROWTH, place) for place in range(6)] == [2, 3, 4, 3, 4, 5]


def row_of(t, p, *kinds) -> None:
    """Put the cards of the focus types into the places of the row, from the left."""
    for place, kind in enumerate(kinds):
        t.g.row[p, place] = t.holder(p, names.FOCUS_TYPES[kind])


@pytest.mark.rule("T2.4", "T12.23")
@pytest.mark.effect("Venetian Arsenal")
def test_venetian_arsenal_repeats_the_card_of_the_sixth_place_as_from_the_far_left():
    t = table()
    t.wonder("Venetian Arsenal", (0, 0))
    row_of(t, 0, names.GROWTH, names.CULTURE, names.ECONOMY, names.INDUSTRY, names.MILITARY, names.SCIENCE)
    t.script((decisions.CARD, 5), (decisions.SCIENCE, 1), (decisions.REPEAT_CARD, 1), (decisions.SCIENCE, 1))
    t.take_turn(0)
    assert int(t.g.dial[0]) == 5 + 1


@pytest.mark.rule("T2.4", "T12.23")
@pytest.mark.effect("Venetian Arsenal")
def test_shifts_count_from_the_far_left_when_venetian_arsenal_repeats_a_card():
    t = table()
    t.city(0, (-2, 0))
    t.wonder("Venetian Arsenal", (0, 0))
    t.wonder("Machu Picchu", (-2, 0))
    row_of(t, 0, names.GROWTH, names.CULTURE, names.ECONOMY, names.INDUSTRY, names.MILITARY, names.SCIENCE)
    t.script((decisions.CARD, 5), (decisions.SCIENCE, 1), (decisions.REPEAT_CARD, 1), (decisions.SCIENCE, 1))
    t.take_turn(0)
    assert int(t.g.dial[0]) == 5 + 2


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Venetian Arsenal")
def test_venetian_arsenal_looks_at_the_shifted_slot():
    t = table()
    t.city(0, (-2, 0))
    t.wonder("Venetian Arsenal", (0, 0))
    t.wonder("Oracle", (-2, 0))
    t.city(0, (0, -2))
    t.wonder("Taj Mahal", (0, -2))  # the science card in slot 4 acts as from slot 5
    row_of(t, 0, names.GROWTH, names.CULTURE, names.ECONOMY, names.INDUSTRY, names.SCIENCE, names.MILITARY)
    t.script((decisions.START_EFFECT, PASS), (decisions.CARD, 4), (decisions.SCIENCE, 1), (decisions.REPEAT_CARD, 0))
    t.take_turn(0)
    assert int(t.g.dial[0]) == 5
    assert "repeat_card" in t.asked_kinds()


# --- Kilwa Kisiwani, Orszaghaz, Great Library: caravans


def visit(t, space, *choices, p=0, slot=5) -> None:
    """Let caravan 0 of the seat, on the card, go to the space with Foreign Trade; then more choices."""
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, space), *choices)
    t.resolve(p, "Foreign Trade", slot)


@pytest.mark.effect("Kilwa Kisiwani")
def test_kilwa_kisiwani_a_city_state_gives_one_more_trade_token_on_any_card():
    t = table()
    t.wonder("Kilwa Kisiwani", (0, 0))
    t.city_state("Geneva", (0, 2))
    visit(t, (0, 2), (decisions.PLACE_TRADE, t.holder(0, "growth")))
    assert (t.trade_on(0, "science"), t.trade_on(0, "growth")) == (2, 1)


@pytest.mark.effect("Kilwa Kisiwani")
def test_kilwa_kisiwani_does_not_pay_for_rival_cities_nor_for_others_caravans():
    t = table()
    t.wonder("Kilwa Kisiwani", (0, 0))
    t.city(1, (2, -2))
    t.g.trade[0] = 0
    visit(t, (2, -2))
    assert int(t.g.trade[0].sum()) == 2
    t = table()
    t.wonder("Kilwa Kisiwani", (0, 0))
    t.city_state("Geneva", (2, 1))
    visit(t, (2, 1), p=1)
    assert int(t.g.trade[1].sum()) == 2


@pytest.mark.effect("Orszaghaz")
def test_orszaghaz_a_city_state_just_visited_may_be_conquered():
    t = table()
    t.wonder("Orszaghaz", (0, 0))
    t.city_state("Geneva", (0, 2))
    t.city_state_card(1, "Geneva")
    visit(t, (0, 2), (decisions.CONQUER_VISITED, 1))
    assert (t.owner((0, 2)), t.piece((0, 2))) == (0, "city")
    geneva = t.city_state_code("Geneva")
    assert int(t.g.city_state_owner[geneva]) == 0
    assert int(t.g.city_state_holder[geneva]) == t.holder(0, "science")
    assert int(t.g.city_state_cards[geneva].sum()) == 0  # B10.1: everybody's cards go back
    assert t.trade_on(0, "science") == 2  # the caravan has arrived first
    assert int(t.g.armies[t.at((0, 2))]) == 0
    assert t.combats() == []


@pytest.mark.effect("Orszaghaz")
@pytest.mark.parametrize(("whose", "choices"), [(0, [(decisions.CONQUER_VISITED, 0)]), (1, [])])
def test_orszaghaz_need_not_conquer_and_serves_its_owner_only(whose, choices):
    t = table()
    t.wonder("Orszaghaz", ((0, 0), (3, 0))[whose])
    t.city_state("Geneva", (0, 2))
    visit(t, (0, 2), *choices)
    assert t.owner((0, 2)) == -1
    assert t.city_state_code("Geneva") == t.g.city_state[t.at((0, 2))]


@pytest.mark.effect("Orszaghaz")
def test_orszaghaz_without_a_city_left_a_reinforced_token_conquers():
    t = table()
    t.wonder("Orszaghaz", (0, 0))
    t.city_state("Geneva", (0, 2))
    t.g.cities_left[0] = 0
    visit(t, (0, 2), (decisions.CONQUER_VISITED, 1))
    assert (t.owner((0, 2)), t.piece((0, 2))) == (0, "reinforced_token")
    assert int(t.g.city_state_owner[t.city_state_code("Geneva")]) == 0


@pytest.mark.effect("Orszaghaz")
@pytest.mark.parametrize("name", ["Carthage", "Palenque"])
def test_any_city_state_just_visited_may_be_conquered(name):
    t = ti_table_with((0, 0), LAST_SPACE)
    t.wonder("Orszaghaz", (0, 0))
    t.city_state(name, (2, 0))
    t.script((decisions.CONQUER_VISITED, 1))
    t.call(economy.arrive_at_city_state, 0, 0, t.at((2, 0)), t.city_state_code(name))
    assert t.owner((2, 0)) == 0


def library(**kw) -> Table:
    t = table(**kw)
    t.wonder("Great Library", (0, 0))
    t.city(1, (0, 2))
    for kind in names.FOCUS_TYPES:
        t.g.trade[0, t.holder(0, kind)] = 3  # no questions about trade tokens
    return t


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Great Library")
def test_great_library_offers_cards_of_type_and_level_of_the_visited_players_row():
    t = library()
    t.card(1, "Mass Media")
    t.card(1, "Engineering")
    visit(t, (0, 2), (decisions.UPGRADE, upgrade(t, 0, "Mass Media", "culture")))
    offered = {option // 8 for option in t.options(decisions.UPGRADE)}
    levels = {(int(t.r.card_type[c]), int(t.r.card_level[c])) for c in offered}
    rivals = {(int(t.r.card_type[c]), int(t.r.card_level[c])) for c in t.g.card[1] if c >= 0}
    assert levels <= rivals
    assert (names.CULTURE, 4) in levels
    assert int(t.g.card[0, t.holder(0, "culture")]) == CARD_CODES["Mass Media"]


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Great Library")
def test_great_library_may_bring_a_lower_card():
    t = library()
    t.card(0, "Mass Media")
    early = int(t.g.card[1, t.holder(1, "culture")])
    assert t.r.card_level[early] == 1
    h = t.holder(0, "culture")
    visit(t, (0, 2), (decisions.UPGRADE, early * 8 + h))
    assert int(t.g.card[0, h]) == early


@pytest.mark.rule("T2.7", "T12.23")
@pytest.mark.effect("Great Library")
def test_great_library_offers_the_own_unique_card_not_another_leaders():
    t = library(leaders=("America", "Egypt"))  # America's Radio is a culture card of level IV
    t.card(1, "Mass Media")
    visit(t, (0, 2), (decisions.UPGRADE, upgrade(t, 0, "Radio", "culture")))
    assert int(t.g.card[0, t.holder(0, "culture")]) == CARD_CODES["Radio"]
    t = library(leaders=("Rome", "America"))
    t.card(1, "Radio")  # of the rival's row only type and level count
    visit(t, (0, 2), (decisions.UPGRADE, upgrade(t, 0, "Mass Media", "culture")))
    assert CARD_CODES["Radio"] not in {option // 8 for option in t.options(decisions.UPGRADE)}


@pytest.mark.effect("Great Library")
def test_great_library_may_be_left_and_needs_a_rival_city():
    t = library()
    t.card(1, "Mass Media")
    before = t.g.card[0].copy()
    visit(t, (0, 2), (decisions.UPGRADE, PASS))
    assert t.g.card[0].tolist() == before.tolist()
    t = library()
    t.card(1, "Mass Media")
    t.city_state("Geneva", (0, -2))
    visit(t, (0, -2))
    assert "upgrade" not in t.asked_kinds()


@pytest.mark.effect("Great Library")
@pytest.mark.parametrize("kind", names.FOCUS_TYPES[:5])
def test_a_card_learnt_replaces_one_card_of_its_type(kind):
    t = table_with((0, 0), (3, 0))
    k = names.FOCUS_TYPES.index(kind)
    t.g.card[1] = -1
    t.g.card[1, k] = k * names.N_LEVELS + 2
    t.script()
    t.call(science.learn_from, 0, 1)
    assert t.asked() == [(decisions.UPGRADE, 0, [(k * names.N_LEVELS + 2) * 8 + k, PASS])]


# --- University of Sankore


def sankore(*kinds) -> Table:
    t = table()
    t.wonder("University of Sankore", (0, 0))
    row_of(t, 0, *(kinds or (names.GROWTH, names.CULTURE, names.ECONOMY, names.INDUSTRY, names.MILITARY, names.SCIENCE)))
    return t


@pytest.mark.effect("University of Sankore")
def test_sankore_after_a_turn_with_a_new_card_two_cards_but_science_change_places():
    t = sankore()
    t.g.dial[0] = t.g.dial_reached[0] = 2  # the next level space is near
    t.script(
        (decisions.CARD, 5),
        (decisions.SCIENCE, 1),
        (decisions.UPGRADE, upgrade(t, 0, "Drama and Poetry", "culture")),
        (decisions.SWAP_CARDS, 1 * 8 + 5),
    )
    t.take_turn(0)
    # after the reset science lies at the far left, the others one place further right
    assert t.row(0) == ["science", "military", "culture", "economy", "industry", "growth"]
    places = {divmod(option, 8) for option in t.options(decisions.SWAP_CARDS)}
    assert places == {(a, b) for a in range(1, 6) for b in range(a + 1, 6)}


@pytest.mark.effect("University of Sankore")
def test_sankore_may_be_left_and_needs_a_replaced_card():
    t = sankore()
    t.g.dial[0] = t.g.dial_reached[0] = 2
    t.script(
        (decisions.CARD, 5),
        (decisions.SCIENCE, 1),
        (decisions.UPGRADE, upgrade(t, 0, "Drama and Poetry", "culture")),
        (decisions.SWAP_CARDS, PASS),
    )
    t.take_turn(0)
    assert t.row(0) == ["science", "growth", "culture", "economy", "industry", "military"]
    t.script((decisions.CARD, 0), (decisions.SCIENCE, 0))
    t.take_turn(0)  # the card of the turn before no longer counts
    assert "swap_cards" not in t.asked_kinds()


@pytest.mark.effect("University of Sankore")
def test_sankore_sees_cards_replaced_by_any_effect():
    t = sankore()
    t.city(0, (-2, 0))
    t.wonder("Great Library", (-2, 0))
    t.card(1, "Mass Media")
    t.city(1, (0, 2))
    t.g.trade[0] = 3
    row_of(t, 0, names.GROWTH, names.CULTURE, names.SCIENCE, names.INDUSTRY, names.MILITARY, names.ECONOMY)
    t.card(0, "Foreign Trade")
    t.script(
        (decisions.CARD, 5),
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (0, 2)),
        (decisions.UPGRADE, upgrade(t, 0, "Mass Media", "culture")),
    )
    t.take_turn(0)
    assert "swap_cards" in t.asked_kinds()


# --- Oxford University, Potala Palace


@pytest.mark.effect("Oxford University")
def test_oxford_university_lets_a_growth_card_be_replaced_by_any_and_science_by_none():
    t = table()
    t.wonder("Oxford University", (0, 0))
    t.g.dial[0] = t.g.dial_reached[0] = int(t.r.dial_level.nonzero()[0][0]) - 1
    t.g.current = 0
    t.script()
    t.call(advance_dial, 0, 1)
    found = t.options(decisions.UPGRADE)
    growth, science = t.holder(0, "growth"), t.holder(0, "science")
    assert {int(t.r.card_type[option // 8]) for option in found if option % 8 == growth} == set(range(names.N_TYPES))
    assert {int(t.r.card_type[option // 8]) for option in found if option % 8 == science} == {names.SCIENCE}


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Potala Palace")
def test_potala_palace_takes_three_cards_and_lets_four_of_five_be_held():
    t = table(leaders=("Rome", "France"))
    t.deck("Potala Palace")
    t.give_resources(0, mercury=5, marble=5)
    t.diplomacy(0, 1, "Joint War")
    build(t, "Potala Palace", (decisions.POTALA, 1 * 8 + 1), (decisions.POTALA, 1 * 8 + 2), (decisions.POTALA, 1 * 8 + 3))
    assert sum(int(t.g.diplomacy[1, c]) == 0 for c in range(5)) == 4
    assert t.r.n_diplomacy == 5


def build(t, name, *choices, p=0, slot=5) -> None:
    """Let seat `p` build the face-up wonder with its industry card of level I; then more choices."""
    h = t.holder(p, "industry")
    t.g.current = p
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + wonder(t, name)), *choices)
    turn.resolve_card(t.r, t.g, t.w, BOTS, p, h, abilities.place_of_slot(t.r, slot), turn.CHOSEN)
    t.require_script_done()


# --- Amundsen-Scott Research Station


NAME = "Amundsen-Scott Research Station"


def lone(rules=None, **kw) -> Table:
    """Return a table of one player's capital in the middle of a disc of radius 2, the station face up and paid for."""
    t = Table(rules=ti_rules() if rules is None else rules, radius=2, **kw)
    t.capital(0, (0, 0))
    t.capital(1, (0, -2))
    t.deck(NAME)
    t.give_resources(0, mercury=8, diamond=8)
    return t


EDGE_SITES = {(2, -2), (2, 0), (1, 1), (0, 2), (-1, 2), (-2, 2), (-2, 1), (-2, 0), (2, -1)}  # not next to (0, -2)


@pytest.mark.rule("T11.2", "T12.13")
@pytest.mark.effect("Amundsen-Scott Research Station")
def test_amundsen_scott_is_built_with_a_city_at_the_map_edge_and_two_tokens_beside_it():
    t = lone()
    build(t, NAME, (decisions.CITY_SPACE, (2, 0)), (decisions.PLACE_TOKEN, (2, -1)), (decisions.PLACE_TOKEN, (1, 1)))
    assert t.options(decisions.CITY_SPACE) == t.spaces(*EDGE_SITES)
    assert (t.owner((2, 0)), t.piece((2, 0))) == (0, "city")
    assert int(t.g.wonder_space[wonder(t, NAME)]) == t.at((2, 0))
    assert t.controls(0, NAME)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((2, -1), (1, 1), (1, 0))
    assert t.piece((2, -1)) == t.piece((1, 1)) == "token"
    assert int(t.g.wonder_captures[wonder(t, NAME)]) == 0
    assert int(t.g.stat_cities_built[0]) == 1


@pytest.mark.rule("T12.13")
@pytest.mark.effect("Amundsen-Scott Research Station")
def test_amundsen_scott_any_terrain_will_do_and_the_tokens_may_be_left():
    t = lone(terrain={(2, 0): "mountain", (1, 0): "mountain", (1, 1): "water"})
    build(t, NAME, (decisions.CITY_SPACE, (2, 0)), (decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS))
    assert t.piece((1, 0)) == "token"
    assert t.owner((2, -1)) == -1


@pytest.mark.rule("T4.10")
@pytest.mark.effect("Amundsen-Scott Research Station")
def test_a_ruling_leaves_only_grassland_to_what_names_no_slot(tmp_path):
    rules = ti_rules_with(tmp_path, rulings={"no_slot_terrain": "grassland_only"})
    t = lone(rules, terrain={(2, 0): "hills", (2, -1): "hills"})
    build(t, NAME, (decisions.CITY_SPACE, (1, 1)))
    assert t.options(decisions.CITY_SPACE) == t.spaces(*(EDGE_SITES - {(2, 0), (2, -1)}))
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (0, 1), (0, 2))


def offered(t, p=0) -> bool:
    """Is the station offered with the industry card?"""
    h = t.holder(p, "industry")
    t.g.current = p
    t.script()
    turn.resolve_card(t.r, t.g, t.w, BOTS, p, h, abilities.place_of_slot(t.r, 5), turn.CHOSEN)
    return decisions.WONDER_OPTION + wonder(t, NAME) in t.options(decisions.INDUSTRY)


@pytest.mark.rule("T12.13")
@pytest.mark.effect("Amundsen-Scott Research Station")
def test_amundsen_scott_cannot_be_built_without_a_legal_edge_space_or_a_city_piece():
    assert offered(lone())
    t = lone()
    for space in EDGE_SITES:
        t.barbarian("ABCDEFGHIJK"[sorted(EDGE_SITES).index(space)], space)
    assert not offered(t)
    for left in (1, 0):
        t = lone()
        t.g.cities_left[0] = left
        assert offered(t) == left


@pytest.mark.rule("T12.13")
@pytest.mark.effect("Amundsen-Scott Research Station")
@pytest.mark.parametrize("ruin", ["Stonehenge", "Petra"])
def test_amundsen_scott_is_not_built_where_a_wonder_lies(ruin):
    t = lone()
    t.wonder(ruin, (2, 0))
    build(t, NAME, (decisions.CITY_SPACE, (1, 1)))
    assert t.options(decisions.CITY_SPACE) == t.spaces(*(EDGE_SITES - {(2, 0)}))


@pytest.mark.rule("T12.13")
@pytest.mark.effect("Amundsen-Scott Research Station")
@pytest.mark.parametrize(("reading", "possible"), [("not_needed", True), ("needed", False)])
def test_whether_amundsen_scott_needs_a_city_without_a_wonder_is_a_switch(tmp_path, reading, possible):
    t = lone(ti_rules_with(tmp_path, rulings={"amundsen_needs_city": reading}))
    t.wonder("Oracle", (0, 0))  # the only city has a wonder
    assert offered(t) is possible


@pytest.mark.effect("Amundsen-Scott Research Station")
@pytest.mark.parametrize("tokens", [0, 1])
def test_a_wonder_with_a_city_of_its_own_needs_a_site_at_the_edge_the_last_space_included(tokens):
    t = Table(rules=ti_rules().copy(), spaces=[(q, 0) for q in range(4)])
    t.capital(0, (0, 0))
    wonder = next(i for i in range(t.r.n_wonders) if industry.tokens_of_founding(t.r, t.g, i) >= 0)
    row = int(t.r.wonder_first[wonder])
    t.r.ability_amount[row] = tokens
    assert industry.tokens_of_founding(t.r, t.g, wonder) == tokens
    t.token(0, (1, 0), (2, 0))
    t.g.edge[:3] = 0
    t.g.cities_left[0] = 1
    assert industry.has_home(t.r, t.g, 0, wonder, 0) == (not t.r.amundsen_needs_city)
    t.g.edge[:] = 0
    assert not industry.has_home(t.r, t.g, 0, wonder, 1)
    other = 0
    assert [bool(industry.has_home(t.r, t.g, 0, other, room)) for room in (0, 1)] == [False, True]


# --- Apadana


def edge_table(**kw) -> Table:
    """Return a table with a stack of two tiles to explore."""
    t = table(**kw)
    t.g.stack[:2] = 5, 6
    t.g.stack_n = 2
    return t


def laid(t) -> dict[tuple[int, int], int]:
    """Return the spaces of the map by place."""
    return {(int(t.g.axial_q[s]), int(t.g.axial_r[s])): s for s in range(t.g.n_spaces)}


@pytest.mark.rule("T12.12")
@pytest.mark.effect("Apadana")
def test_apadana_explores_when_built_and_lays_a_token_on_an_empty_space_of_the_new_tile():
    t = edge_table()
    t.deck("Apadana")
    t.give_resources(0, diamond=8, marble=8)
    before = int(t.g.n_spaces)
    build(t, "Apadana")
    assert int(t.g.stack_n) == 1
    new = [s for s in range(before, t.g.n_spaces) if t.g.tile[s] == 5]
    assert len(new) == 10
    assert len([s for s in new if t.g.owner[s] == 0]) == 1
    bare = {s for s in new if t.g.resource[s] < 0 and t.g.barbarians[s] == 0}
    assert len(bare) < 10, "the tile brings a resource"
    assert t.options(decisions.PLACE_TOKEN) == {s for s in bare if t.g.terrain[s] != names.WATER}
    _, _, asked = next(row for row in t.asked() if row[0] == decisions.PLACE_TOKEN)
    assert PASS not in asked  # T11.5: it has no "may"


@pytest.mark.rule("T12.12")
@pytest.mark.effect("Apadana")
def test_apadana_from_any_edge_space_of_any_tile():
    t = edge_table()
    t.deck("Apadana")
    t.give_resources(0, diamond=8, marble=8)
    build(t, "Apadana")
    columns = {option // names.GRID % names.GRID - names.GRID_ORIGIN for option in t.options(decisions.PLACE_TILE)}
    assert min(columns) < -3  # on both sides of the map
    assert max(columns) > 2


@pytest.mark.rule("T12.12")
@pytest.mark.effect("Apadana", "Chichen Itza")
def test_apadanas_token_goes_on_the_new_tile_though_chichen_itza_opens_every_forest():
    t = edge_table(terrain={(-2, 0): "forest"})
    t.city(0, (0, 2))
    t.wonder("Chichen Itza", (0, 2))
    t.deck("Apadana")
    t.give_resources(0, diamond=8, marble=8)
    build(t, "Apadana")
    options = t.options(decisions.PLACE_TOKEN)
    assert options
    assert {int(t.g.tile[s]) for s in options} == {5}


@pytest.mark.rule("T12.12", "T11.6")
@pytest.mark.effect("Apadana")
def test_apadana_with_an_empty_stack_does_nothing_and_without_a_token_one_comes_off_the_map():
    t = table()
    t.deck("Apadana")
    t.give_resources(0, diamond=8, marble=8)
    build(t, "Apadana")
    assert "place_tile" not in t.asked_kinds()
    assert t.controls(0, "Apadana")
    t = edge_table()
    t.deck("Apadana")
    t.give_resources(0, diamond=8, marble=8)
    t.token(0, (1, 0))
    t.g.tokens_left[0] = 0
    build(t, "Apadana", (decisions.TAKE_OFF, (1, 0)))
    assert t.owner((1, 0)) == -1


@pytest.mark.rule("T11.3", "T12.12")
@pytest.mark.effect("Apadana")
def test_apadana_explores_when_captured_in_a_won_attack():
    t = edge_table()
    t.city(1, (0, 2))
    t.wonder("Apadana", (0, 2))
    fight(t, (0, 2), WIN, target="city", q=1)
    assert t.controls(0, "Apadana")
    assert int(t.g.stack_n) == 1
    t = edge_table()
    t.city(1, (0, 2))
    t.wonder("Apadana", (0, 2))
    fight(t, (0, 2), (1, 6), target="city", q=1)
    assert int(t.g.stack_n) == 2


# --- Huey Teocalli, Great Lighthouse


@pytest.mark.effect("Huey Teocalli")
@pytest.mark.parametrize(("water", "bonus"), [([], 0), ([(0, 1)], 1), ([(0, 1), (2, -1), (2, 0)], 3)])
def test_huey_teocalli_adds_one_in_defence_for_each_water_space_beside_the_defender(water, bonus):
    t = Table(rules=ti_rules(), terrain=dict.fromkeys(water, "water"))
    t.capital(0, (0, 0))
    t.capital(1, (-3, 0))
    t.token(1, (1, 0))
    t.wonder("Huey Teocalli", (-3, 0))
    assert fight(t, (1, 0), WIN, target="token", q=1).defence == 1 + 1 + bonus


@pytest.mark.effect("Huey Teocalli")
def test_huey_teocalli_serves_figures_too_and_no_attacker():
    t = Table(rules=ti_rules(), terrain={(0, 1): "water"})
    t.capital(0, (0, 0))
    t.capital(1, (-3, 0))
    t.army(1, (1, 0))
    t.wonder("Huey Teocalli", (-3, 0))
    assert fight(t, (1, 0), WIN, target="army", q=1).defence == 1 + 1 + 1
    t.token(0, (1, 0))
    assert fight(t, (1, 0), WIN, p=1, target="token", q=0).attack == 6 + 1


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Great Lighthouse")
@pytest.mark.parametrize("figure", ["nothing", "army", "caravan"])
def test_great_lighthouse_an_edge_space_with_a_figure_is_not_empty(figure):
    t = Table(rules=ti_rules(), radius=4)
    t.capital(0, (0, 0))
    t.capital(1, (0, 3))
    t.wonder("Great Lighthouse", (0, 0))
    if figure != "nothing":
        getattr(t, figure)(0, (4, -2))
    t.g.current = 0
    t.script()
    turn.resolve_card(t.r, t.g, t.w, BOTS, 0, t.holder(0, "industry"), abilities.place_of_slot(t.r, 5), turn.CHOSEN)
    assert (t.at((4, -2)) in t.options(decisions.INDUSTRY)) is (figure == "nothing")


# --- Capitalism's second card sees shifts from the far left (T2.4)


@pytest.mark.rule("T2.4")
@pytest.mark.effect("Taj Mahal")
def test_capitalism_counts_taj_mahal_from_the_far_left():
    t = table()
    t.wonder("Taj Mahal", (0, 0))
    t.city(0, (-2, 0))
    t.wonder("Oracle", (-2, 0))
    t.card(0, "Capitalism")
    t.g.caravan[0] = -2
    row_of(t, 0, names.GROWTH, names.CULTURE, names.INDUSTRY, names.SCIENCE, names.MILITARY, names.ECONOMY)
    t.script((decisions.START_EFFECT, PASS), (decisions.CARD, 5), (decisions.OTHER_CARD, 4), (decisions.SCIENCE, 1))
    t.take_turn(0)
    assert int(t.g.dial[0]) == 1  # the far left, one place on: still the first slot
