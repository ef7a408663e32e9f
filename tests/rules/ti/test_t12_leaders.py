"""The powers of the ten new leaders of Terra Incognita."""

import pytest
from leader_boards import board, march, place, play, visit
from table import AROUND, PASS, ti_rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import culture, decisions, diplomacy, districts, state, turn
from newdawn.simulator.engine.choosing import LOG_IBRAHIM
from newdawn.simulator.rules.ruleset_contents import written

WIN, LOSE, TIE = (6, 1), (1, 6), (3, 3)


def tiles(t, **of):
    """Put the spaces (lists by tile number, as tile2=[...]) on other tiles than the rest of the board."""
    for name, spaces in of.items():
        for space in spaces:
            t.g.tile[t.at(space)] = int(name.removeprefix("tile"))


# --- China: Great Wall


def defence_of(leader, *reinforced, target=(1, 0), city=False, army=False, card="Masonry", attacker="Egypt"):
    """Return what the leader's space gives in defence beyond die and terrain, with reinforced tokens on the spaces."""
    t = board(leader, attacker)
    if city:
        t.city(0, target)
    elif target not in reinforced:
        t.token(0, target)
    t.token(0, *reinforced, reinforced=True)
    if army:
        t.army(0, target)
    t.army(1, (2, 0))
    combat = march(t, 1, target, LOSE, card=card)
    return combat.defence - combat.defence_die


@pytest.mark.effect("China")
@pytest.mark.parametrize(
    ("reinforced", "china", "rome"),
    [([], 1, 1), ([(1, 0)], 3, 2), ([(0, 1)], 3, 2), ([(1, 0), (0, 1), (1, -1)], 7, 4), ([(-1, 0)], 1, 1)],
)
def test_china_counts_two_for_each_reinforced_token(reinforced, china, rome):
    assert defence_of("China", *reinforced) == china
    assert defence_of("Rome", *reinforced) == rome


@pytest.mark.effect("China")
def test_china_counts_two_for_the_reinforced_tokens_next_to_its_city():
    assert defence_of("China", (1, 1), (2, -1), target=(1, 0), city=True) == 2 + 4
    assert defence_of("Rome", (1, 1), (2, -1), target=(1, 0), city=True) == 2 + 2


@pytest.mark.effect("China")
def test_china_gains_nothing_attacking():
    t = board("China", "Egypt")
    t.token(0, (1, 0), (0, 1), reinforced=True)
    t.token(1, (1, 1))
    t.army(0, (0, 1))
    combat = march(t, 0, (1, 1), WIN, slot=3)
    assert combat.attack == combat.attack_die + 3


@pytest.mark.effect("China")
@pytest.mark.effect("Siege Tactics")
@pytest.mark.rule("T12.7")
def test_siege_tactics_take_one_off_each_reinforced_token_of_china():
    around = [(1, 0), (0, 1), (1, -1)]
    assert defence_of("China", *around, card="Siege Tactics", attacker="Georgia") == 1 + 3
    assert defence_of("Rome", *around, card="Siege Tactics", attacker="Georgia") == 1


# --- England: Pax Britannica


def found(t, at=(2, -2), token=None, slot=1, card="Pottery"):
    """Let seat 0 build a city with an industry card and place the token (None: decline)."""
    more = () if token is None else ((decisions.PLACE_TOKEN, token),)
    t.script((decisions.INDUSTRY, at), *more)
    t.resolve(0, card, slot)


@pytest.mark.effect("England")
@pytest.mark.rule("T12.18")
def test_englands_first_city_on_a_tile_brings_a_reinforced_token_on_any_land_next_door():
    t = board("England", "Egypt", terrain={(2, -3): "mountain", (3, -3): "water", (1, -2): "desert"})
    tiles(t, tile2=[(2, -2), (3, -2)])
    t.barbarian("A", (3, -2))
    found(t, token=(2, -3))
    assert t.piece((2, -3)) == "reinforced_token"
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((2, -3), (1, -1), (1, -2), (2, -1))
    assert t.asked_kinds().count("place_token") == 1


@pytest.mark.effect("England")
def test_englands_token_may_be_left():
    t = board("England", "Egypt")
    tiles(t, tile2=[(2, -2)])
    found(t)
    assert t.options(decisions.PLACE_TOKEN)
    assert t.g.space_count[0] == 2


@pytest.mark.effect("England")
@pytest.mark.rule("T12.18")
@pytest.mark.parametrize(
    ("prepare", "token"),
    [
        (lambda t: t.city(0, (2, 1)), False),
        (lambda t: t.city(1, (2, 1)), False),
        (lambda t: t.conquered(1, "Seoul", (2, 1)), False),
        (lambda t: t.city_state("Seoul", (2, 1)), True),
        (lambda t: t.token(1, (2, 1)), True),
    ],
)
def test_no_other_city_of_anyone_may_be_on_the_tile_and_city_states_are_none(prepare, token):
    t = board("England", "Egypt")
    tiles(t, tile2=[(2, -2), (2, 1)])
    prepare(t)
    found(t)
    assert bool(t.options(decisions.PLACE_TOKEN)) == token


@pytest.mark.effect("England")
def test_the_capitals_tile_has_a_city_and_others_build_without_a_token():
    t = board("England", "Egypt")
    found(t)
    assert not t.options(decisions.PLACE_TOKEN)
    t = board("Rome", "Egypt")
    tiles(t, tile2=[(2, -2)])
    found(t)
    assert not t.options(decisions.PLACE_TOKEN)


@pytest.mark.effect("England")
@pytest.mark.rule("T12.18")
def test_a_conquered_city_was_not_built_by_england():
    t = board("England", "Egypt")
    tiles(t, tile2=[(2, -2)])
    t.city(1, (2, -2))
    t.army(0, (1, -1))
    march(t, 0, (2, -2), WIN)
    assert (t.owner((2, -2)), t.piece((2, -2))) == (0, "city")
    assert not t.options(decisions.PLACE_TOKEN)


@pytest.mark.effect("England")
@pytest.mark.rule("T4.9")
def test_englands_city_of_the_industrial_zone_brings_its_token_too():
    t = board("England", "Egypt")
    tiles(t, tile2=[(-2, 2)])
    t.district(0, "Industrial Zone", (-1, 1))
    t.trade(0, "industry", 3)
    t.script((decisions.DISTRICT_EFFECT, 1), (decisions.CITY_SPACE, (-2, 2)), (decisions.PLACE_TOKEN, (-2, 3)))
    t.call(turn.use_districts)
    t.require_script_done()
    assert t.piece((-2, 3)) == "reinforced_token"


@pytest.mark.effect("England")
@pytest.mark.rule("T12.18", "T4.5")
def test_the_token_of_englands_city_comes_before_its_next_district_is_used():
    t = board("England", "Egypt", terrain={(-1, -1): "mountain", (-2, 3): "mountain"})
    tiles(t, tile2=[(-2, 2)])
    t.district(0, "Industrial Zone", (-1, 1))
    t.district(0, "Campus", (-1, 2))
    t.trade(0, "industry", 3)
    t.script(
        (decisions.DISTRICT, (-1, 1)),
        (decisions.DISTRICT_EFFECT, 1),
        (decisions.CITY_SPACE, (-2, 2)),
        (decisions.PLACE_TOKEN, (-2, 3)),
        (decisions.DISTRICT_EFFECT, 0),
    )
    t.call(turn.use_districts)
    t.require_script_done()
    assert t.trade_on(0, "science") == 1, "for the mountain that the token has just made its own"


@pytest.mark.effect("England")
@pytest.mark.rule("T12.18", "T12.22")
def test_with_globalization_it_comes_before_the_next_player_uses_the_district():
    t = board("England", "Egypt")
    tiles(t, tile2=[(-2, 2), (0, 2)])
    t.district(0, "Industrial Zone", (-1, 1))
    t.district(1, "Industrial Zone", (1, 1))
    for p in (0, 1):
        t.trade(p, "industry", 3)
    own = (decisions.DISTRICT_EFFECT, 1), (decisions.CITY_SPACE, (-2, 2)), (decisions.PLACE_TOKEN, (-2, 3))
    rival = (decisions.DISTRICT_EFFECT, 1), (decisions.CITY_SPACE, (0, 2))
    first = (
        (decisions.GROWTH, decisions.GROWTH_ALL),
        (decisions.PLACE_DISTRICT, t.at((1, -1)) * 8 + names.CAMPUS),
        (decisions.NAME_DISTRICT, names.INDUSTRIAL_ZONE),
    )
    t.script(*first, *own, *rival)
    t.resolve(0, "Globalization", 1)
    assert t.owner((0, 2)) == 1
    assert t.piece((-2, 3)) == "reinforced_token"


@pytest.mark.effect("England")
@pytest.mark.rule("T4.10")
def test_englands_token_is_placed_without_a_slot(tmp_path):
    rules = ti_rules_with(tmp_path, rulings={"no_slot_terrain": "grassland_only"})
    t = board("England", "Egypt", rules=rules, terrain={(2, -3): "mountain", (1, -2): "hills"})
    tiles(t, tile2=[(2, -2)])
    found(t)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((3, -3), (3, -2), (1, -1), (2, -1))


# --- Georgia: Strength in Unity


def acting(t, kind, place, p=0):
    """Return the slot number with which the card of the focus type acts from the place."""
    return turn.acting_slot(t.r, t.g, p, t.holder(p, kind), place)


@pytest.mark.effect("Georgia")
@pytest.mark.rule("T12.21")
def test_georgias_cards_act_a_slot_higher_with_a_city_states_card_of_their_type():
    t = board("Georgia", "Egypt")
    assert [acting(t, "culture", place) for place in range(6)] == [1, 1, 2, 3, 4, 5]
    kind = names.FOCUS_TYPES[t.r.city_state_type[t.city_state_code("Brussels")]]
    t.city_state_card(0, "Brussels")
    assert [acting(t, kind, place) for place in range(6)] == [1, 2, 3, 4, 5, 5]
    others = set(names.FOCUS_TYPES) - {kind}
    assert all([acting(t, other, place) for place in range(6)] == [1, 1, 2, 3, 4, 5] for other in others)


@pytest.mark.effect("Georgia")
@pytest.mark.rule("T12.21")
def test_georgia_gains_one_slot_however_many_cards_fit():
    t = board("Georgia", "Egypt")
    of_type = {}
    for cs in range(t.r.n_city_states):
        of_type.setdefault(int(t.r.city_state_type[cs]), []).append(written(t.r, "city_state")[cs])
    kind, states = next((kind, states) for kind, states in of_type.items() if len(states) > 1)
    for code in states:
        t.city_state_card(0, code)
    assert acting(t, names.FOCUS_TYPES[kind], 2) == 3
    assert names.GROWTH not in of_type


@pytest.mark.effect("Georgia")
def test_other_leaders_gain_no_slot_and_georgia_none_with_a_rivals_card():
    t = board("Rome", "Georgia")
    t.city_state_card(0, "Brussels")
    kind = names.FOCUS_TYPES[t.r.city_state_type[t.city_state_code("Brussels")]]
    assert acting(t, kind, 2) == 2
    assert acting(t, kind, 2, p=1) == 2


@pytest.mark.effect("Georgia")
@pytest.mark.rule("T2.2")
def test_georgias_dial_goes_by_the_slot_shifted():
    t = board("Georgia", "Egypt")
    science = next(cs for cs in range(t.r.n_city_states) if t.r.city_state_type[cs] == names.SCIENCE)
    t.city_state_card(0, written(t.r, "city_state")[science])
    t.script((decisions.SCIENCE, 1))
    t.resolve(0, "Astrology", 3)
    assert t.g.dial[0] == 4


# --- Inca: Terrace Farms

RIDGE = {(1, 0): "mountain", (2, -1): "mountain", (1, 1): "desert", (2, 0): "water", (0, 1): "hills"}


@pytest.mark.effect("Inca")
@pytest.mark.rule("T12.18")
def test_a_token_of_the_inca_on_a_mountain_may_be_followed_on_any_land_beside_it_again_and_again():
    t = board("Inca", "Egypt", terrain=RIDGE)
    place(t, (1, 0), (2, -1), (3, -2), (0, 1))
    assert t.options(decisions.PLACE_TOKEN, 1) == t.spaces(
        (2, -1), (1, 1), (0, 1), (1, -1)
    )  # no city and no slot, but no water
    assert t.options(decisions.PLACE_TOKEN, 2) == t.spaces(
        (3, -2), (2, -2), (1, -1), (3, -1)
    )  # next to the second mountain only
    assert t.options(decisions.PLACE_TOKEN, 3) == t.spaces(*AROUND[1:])  # grassland sets nothing off: the card's second token
    assert t.g.space_count[0] == 1 + 4
    assert t.piece((2, -1)) == "token"


@pytest.mark.effect("Inca")
@pytest.mark.rule("T12.18")
def test_a_token_of_the_inca_that_follows_costs_no_trade_token():
    t = board("Inca", "Egypt", terrain=RIDGE)
    t.trade(0, "culture", 1)
    t.w.ask_cost = 7
    t.script((decisions.PLACE_TOKEN, (0, 1)))
    t.call(culture.spread_tokens, 0, 1, t.at((1, 0)))
    assert t.owner((0, 1)) == 0
    assert t.w.ask_cost == 0
    assert t.trade_on(0, "culture") == 1


@pytest.mark.effect("Inca")
def test_the_following_token_may_be_left_and_each_mountain_brings_only_one():
    t = board("Inca", "Egypt", terrain=RIDGE)
    place(t, (1, 0), PASS, (0, 1))
    assert t.options(decisions.PLACE_TOKEN, 2) == t.spaces(*AROUND[1:])
    t = board("Inca", "Egypt", terrain=RIDGE)
    place(t, (1, 0), (1, -1), (0, 1))
    assert t.asked_kinds().count("place_token") == 3


@pytest.mark.effect("Inca")
@pytest.mark.rule("B1.6")
@pytest.mark.parametrize(("left", "placed"), [(1, [(1, 0)]), (2, [(1, 0), (2, -1)]), (3, [(1, 0), (2, -1), (3, -2)])])
def test_no_token_is_taken_off_the_map_to_follow_another(left, placed):
    t = board("Inca", "Egypt", terrain=RIDGE)
    t.token(0, (0, -1))
    t.g.tokens_left[0] = left
    place(t, *placed)  # what the card itself still places may take the place of an own token
    assert t.asked_kinds().count("place_token") == left
    assert t.asked_kinds()[left:] == ["take_off"]
    assert t.g.tokens_left[0] == 0
    assert t.owner((0, -1)) == 0


@pytest.mark.effect("Inca")
def test_only_mountains_of_the_inca_are_followed():
    t = board("Inca", "Egypt", terrain=RIDGE)
    place(t, (0, 1), (-1, 0))
    assert t.asked_kinds().count("place_token") == 2
    t = board("Rome", "Egypt", terrain=RIDGE)
    place(t, (1, 0), (0, 1))
    assert t.asked_kinds().count("place_token") == 2


@pytest.mark.effect("Inca")
def test_the_incas_slot_limits_the_mountain_of_the_card_but_not_what_follows():
    t = board("Inca", "Egypt", terrain={**RIDGE, (1, 0): "hills"})
    place(t, (1, 0), slot=4)
    assert t.at((2, -1)) not in t.options(decisions.PLACE_TOKEN, 0)
    t = board("Inca", "Egypt", terrain=RIDGE)
    t.call(culture.place_tokens, 0, -1, 1, 0, 0, -1)
    place(t, slot=4)
    assert t.at((1, 0)) not in t.options(decisions.PLACE_TOKEN)


@pytest.mark.effect("Inca")
def test_what_follows_comes_at_once_so_civil_service_may_go_on_from_there():
    t = board("Inca", "Egypt", terrain=RIDGE)
    place(t, (1, 0), (2, -1), PASS, (0, 1), (3, -1), card="Civil Service")
    assert t.owner((3, -1)) == 0


@pytest.mark.effect("Inca")
def test_the_inca_without_a_token_left_take_none_off_to_follow():
    t = board("Inca", "Egypt", terrain=RIDGE)
    t.token(0, (-1, 0))
    t.g.tokens_left[0] = 1
    place(t, (1, 0))
    assert t.g.tokens_left[0] == 0
    assert "take_off" not in t.asked_kinds()[: t.asked_kinds().index("place_token") + 1]
    assert t.asked_kinds().count("place_token") <= 1


@pytest.mark.effect("Inca")
@pytest.mark.rule("T4.3")
@pytest.mark.parametrize(("option", "follows"), [("triggers", True), ("does_not_trigger", False)])
def test_a_district_on_a_mountain_is_followed_by_a_token_if_it_counts_as_placed(tmp_path, option, follows):
    t = board("Inca", "Egypt", terrain=RIDGE, rules=ti_rules_with(tmp_path, rulings={"district_triggers_placing": option}))
    more = [(decisions.PLACE_TOKEN, (2, -1))] if follows else []
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), (decisions.PLACE_DISTRICT, t.at((1, 0)) * 8 + names.CAMPUS), *more)
    t.resolve(0, "Irrigation", 5)
    assert (t.owner((2, -1)) == 0) == follows
    assert bool(t.options(decisions.PLACE_TOKEN)) == follows


@pytest.mark.effect("Inca")
@pytest.mark.rule("T4.10")
def test_a_token_of_the_theater_square_is_followed_and_grassland_only_is_a_ruling(tmp_path):
    t = board("Inca", "Egypt", terrain=RIDGE, rules=ti_rules_with(tmp_path, rulings={"no_slot_terrain": "grassland_only"}))
    t.g.terrain[t.at((1, 0))] = names.MOUNTAIN
    place(t, (1, 0))
    assert t.options(decisions.PLACE_TOKEN, 1) == t.spaces((1, -1))
    t = board("Inca", "Egypt", terrain=RIDGE)
    t.district(0, "Theater Square", (0, 1))
    t.script((decisions.DISTRICT_EFFECT, 0), (decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (2, -1)))
    t.call(districts.use_district, 0, names.THEATER_SQUARE)
    t.require_script_done()
    assert t.owner((2, -1)) == 0


# --- Indonesia: Jongs

SEA = {(1, 0): "water", (1, -1): "water", (0, 1): "water", (-1, 1): "water", (-1, 0): "water", (0, -1): "water"}


@pytest.mark.effect("Indonesia")
@pytest.mark.rule("T5.2")
def test_indonesias_caravans_and_armies_sail():
    for leader, sails in (("Indonesia", True), ("Rome", False)):
        t = board(leader, "Egypt", terrain=SEA)
        t.script((decisions.CARAVAN, 0))
        t.resolve(0, "Foreign Trade", 5)
        assert t.spaces((1, 0), (2, 0), (-2, 0)) <= t.options(decisions.CARAVAN_TO) or not sails
        assert bool(t.options(decisions.CARAVAN_TO) & t.spaces((1, 0), (2, 0))) == sails
        t.script((decisions.ARMY, 0))
        t.resolve(0, "Masonry", 5)
        assert bool(t.options(decisions.ARMY_TO) & t.spaces((1, 0), (2, 0))) == sails


@pytest.mark.effect("Indonesia")
def test_for_indonesias_caravans_all_water_at_the_maps_edge_lies_side_by_side():
    terrain = {(-3, 1): "water", (0, 3): "water", (3, -3): "water", (1, 0): "water"}
    t = board("Indonesia", "Egypt", terrain=terrain)
    t.caravan(0, (-3, 1))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 5)
    reached = t.options(decisions.CARAVAN_TO)
    assert t.spaces((0, 3), (3, -3), (1, 2), (-1, 3), (2, -2), (2, -1), (0, 1)) <= reached  # one step to the others
    assert not t.spaces((2, 0), (1, 0)) & reached  # water inside the map is linked to nothing
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 1)))
    t.resolve(0, "Foreign Trade", 5)
    assert t.g.caravan[0, 0] == t.at((2, 1))


@pytest.mark.effect("Indonesia")
def test_armies_and_other_leaders_caravans_do_not_jump_from_edge_to_edge():
    terrain = {(-3, 1): "water", (0, 3): "water"}
    t = board("Indonesia", "Egypt", terrain=terrain)
    t.army(0, (-3, 1))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    assert t.at((0, 3)) not in t.options(decisions.ARMY_TO)
    t = board("Rome", "Egypt", terrain=terrain)
    t.caravan(0, (-3, 1))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Steam Power", 5)  # sails, too
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 5)
    assert t.at((0, 3)) not in t.options(decisions.CARAVAN_TO)


@pytest.mark.effect("Indonesia")
def test_water_inside_the_map_is_linked_to_nothing():
    t = board("Indonesia", "Egypt", terrain={(1, 0): "water", (0, 3): "water"})
    t.caravan(0, (1, 0))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 5)
    assert t.at((0, 3)) in t.options(decisions.CARAVAN_TO)  # three steps
    t.caravan(0, (1, -1))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 1)
    assert t.at((0, 3)) not in t.options(decisions.CARAVAN_TO)


# --- Netherlands: Polders


@pytest.mark.effect("Netherlands")
@pytest.mark.rule("T12.19")
def test_water_next_to_a_district_of_the_netherlands_is_of_every_terrain():
    for leader, tokens in (("Netherlands", 2), ("Rome", 0)):
        t = board(leader, "Egypt", terrain={(1, 0): "water", (0, 1): "water", (-1, 0): "water"})
        t.district(0, "Campus", (1, -1))
        t.district(0, "Encampment", (0, 2))
        t.script((decisions.DISTRICT_EFFECT, 0))
        t.call(districts.use_district, 0, names.CAMPUS)
        assert t.trade_on(0, "science") == min(tokens, 1)  # (1, 0) lies beside it
        t = board(leader, "Egypt", terrain={(1, 0): "water", (0, 1): "water"})
        t.district(0, "Campus", (1, 1))
        t.script((decisions.DISTRICT_EFFECT, 0))
        t.call(districts.use_district, 0, names.CAMPUS)
        assert t.trade_on(0, "science") == tokens


@pytest.mark.effect("Netherlands")
@pytest.mark.rule("T12.19")
def test_the_water_of_the_netherlands_counts_for_districts_only():
    t = board("Netherlands", "Egypt", terrain={(2, 0): "water"})
    t.district(0, "Campus", (1, 0))
    assert t.owner((2, 0)) == -1
    assert t.g.space_count[0] == 2
    place(t)
    assert t.at((2, 0)) not in t.options(decisions.PLACE_TOKEN)


# --- Nubia: Kandake of Meroe


@pytest.mark.effect("Nubia")
@pytest.mark.rule("T12.22")
def test_nubia_uses_one_district_after_the_reset_of_its_growth_card():
    t = board("Nubia", "Egypt", terrain={(1, 0): "mountain"})
    t.district(0, "Campus", (1, 0))
    t.district(0, "Encampment", (-1, 0))
    play(t, 0, (decisions.DISTRICT, (1, 0)), (decisions.DISTRICT_EFFECT, 0))
    assert t.trade_on(0, "science") == 1
    assert t.asked_kinds().count("district") == 1
    assert t.options(decisions.DISTRICT) == t.spaces((1, 0), (-1, 0))


@pytest.mark.effect("Nubia")
def test_nubias_districts_rest_with_other_cards_and_other_leaders_rest():
    t = board("Nubia", "Egypt", terrain={(1, 0): "mountain"})
    t.district(0, "Campus", (1, 0))
    play(t, 1)
    assert "district_effect" not in t.asked_kinds()
    t = board("Rome", "Egypt", terrain={(1, 0): "mountain"})
    t.district(0, "Campus", (1, 0))
    play(t, 0)
    assert "district_effect" not in t.asked_kinds()


@pytest.mark.effect("Nubia")
def test_nubia_may_use_the_district_just_placed():
    t = board("Nubia", "Egypt", terrain={(1, 0): "mountain"})
    t.token(0, (1, 0))
    play(
        t,
        0,
        (decisions.GROWTH, decisions.GROWTH_DISTRICT),
        (decisions.PLACE_DISTRICT, t.at((0, 1)) * 8 + names.CAMPUS),
        (decisions.DISTRICT_EFFECT, 0),
    )
    assert t.asked_kinds().index("place_district") < t.asked_kinds().index("district_effect")


# --- Ottoman: Grand Vizier, Ibrahim


def ottoman(*others, give_to=1, **kw):
    t = board("Ottoman", *(others or ("Egypt", "Rome")), **kw)
    if give_to is not None:
        t.g.given_card[0] = give_to
        t.refresh()
    return t


@pytest.mark.effect("Ottoman")
def test_the_ottoman_player_may_give_ibrahim_at_the_start_of_the_turn_and_move_it_later():
    t = ottoman(give_to=None)
    play(t, 0)
    assert t.options(decisions.START_EFFECT) == {decisions.FX_IBRAHIM}
    assert t.g.given_card[0] == -1
    t.script((decisions.START_EFFECT, decisions.FX_IBRAHIM), (decisions.GIVE_IBRAHIM, 2), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.options(decisions.GIVE_IBRAHIM) == {1, 2}
    assert t.g.given_card[0] == 2
    t.script((decisions.START_EFFECT, decisions.FX_IBRAHIM), (decisions.GIVE_IBRAHIM, 1), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.g.given_card[0] == 1  # the only other player left
    assert [row[2] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_IBRAHIM] == [2, 1]


@pytest.mark.effect("Ottoman")
@pytest.mark.parametrize("p", range(3))
def test_ibrahims_text_moves_with_the_card_at_once(p):
    leaders = ["Egypt", "Rome", "France"]
    leaders[p] = "Ottoman"
    t = board(*leaders)
    first, second = (q for q in range(3) if q != p)
    without = [t.g.listed_n[q] for q in range(3)]
    for holder in (first, second, first):
        t.script((decisions.GIVE_IBRAHIM, holder))
        t.call(diplomacy.give_card, p)
        t.require_script_done()
        given = [q for q in range(3) if t.g.listed_n[q] != without[q]]
        assert given == [holder]


@pytest.mark.effect("Ottoman")
def test_nobody_else_gives_ibrahim_and_with_the_only_rival_it_stays():
    t = board("Ottoman", "Egypt")
    play(t, 0, p=1)
    assert not t.options(decisions.START_EFFECT)
    t.g.given_card[0] = 1
    t.refresh()
    play(t, 0)
    assert not t.options(decisions.START_EFFECT)


@pytest.mark.effect("Ottoman")
@pytest.mark.parametrize(("holder", "bonus"), [(1, 2), (2, 0), (None, 0)])
def test_the_ottoman_player_fights_who_has_ibrahim_with_two_more(holder, bonus):
    t = ottoman(give_to=holder)
    t.token(1, (1, 0))
    combat = march(t, 0, (1, 0), LOSE, slot=3)
    assert combat.attack == combat.attack_die + 3 + bonus
    t = ottoman(give_to=holder)
    t.token(0, (1, 0))
    t.army(1, (2, 0))
    combat = march(t, 1, (1, 0), LOSE)
    assert combat.defence == combat.defence_die + 1 + bonus


@pytest.mark.effect("Ottoman")
def test_ibrahim_does_not_help_against_barbarians_nor_the_one_who_has_it():
    t = ottoman()
    t.barbarian("A", (1, 0))
    combat = march(t, 0, (1, 0), LOSE, slot=3)
    assert combat.attack == combat.attack_die + 3
    t = ottoman()
    t.token(0, (1, 0))
    t.army(1, (2, 0))
    combat = march(t, 1, (1, 0), LOSE, slot=3)
    assert combat.attack == combat.attack_die + 3


@pytest.mark.effect("Ottoman")
def test_figures_are_fought_with_two_more_as_well():
    t = ottoman()
    t.army(1, (1, 0))
    combat = march(t, 0, (1, 0), LOSE, slot=3)
    assert combat.attack == combat.attack_die + 3 + 2


@pytest.mark.effect("Ibrahim")
@pytest.mark.rule("T12.20")
@pytest.mark.parametrize("city", [(0, 0), (1, -1)])
def test_ibrahim_brings_both_a_trade_token_when_its_holders_caravan_reaches_an_ottoman_city(city):
    t = ottoman()
    if city != (0, 0):
        t.city(0, city)
    t.caravan(1, (2, -1))
    growth = t.holder(1, "growth")
    visit(t, 1, city, (decisions.PLACE_TRADE, growth), (decisions.PLACE_TRADE, growth))
    assert t.g.trade[1].sum() == 2 + 1
    assert t.g.trade[0].sum() == 1
    seats = [seat for kind, seat, _ in t.asked() if kind == decisions.PLACE_TRADE]
    assert seats == [1, 1, 1, 0]  # each chooses the own card


@pytest.mark.effect("Ibrahim")
@pytest.mark.rule("T12.20")
def test_ibrahim_does_nothing_for_others_elsewhere_or_the_ottoman_player():
    t = ottoman()
    t.caravan(2, (-1, 0))
    visit(t, 2, (0, 0))
    assert (t.g.trade[2].sum(), t.g.trade[0].sum()) == (2, 0)
    t = ottoman()
    t.caravan(1, (-2, 0))
    visit(t, 1, (-3, 0))
    assert (t.g.trade[1].sum(), t.g.trade[2].sum(), t.g.trade[0].sum()) == (2, 0, 0)
    t = ottoman()
    t.caravan(0, (2, 0))
    visit(t, 0, (3, 0))
    assert (t.g.trade[0].sum(), t.g.trade[1].sum()) == (2, 0)


@pytest.mark.effect("Ibrahim")
def test_ibrahim_leaves_its_old_holder_and_an_attack_does_not_return_it():
    t = ottoman()
    t.script((decisions.START_EFFECT, decisions.FX_IBRAHIM), (decisions.GIVE_IBRAHIM, 2), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.g.given_card[0] == 2
    t.caravan(1, (1, 0))
    visit(t, 1, (0, 0))
    assert (t.g.trade[1].sum(), t.g.trade[0].sum()) == (2, 0)
    t = ottoman()
    t.token(0, (1, 0))
    t.army(1, (2, 0))
    march(t, 1, (1, 0), WIN)
    assert t.g.given_card[0] == 1


# --- Poland: Lithuanian Union


def held(t, p, giver):
    return int((t.g.diplomacy[giver] == p).sum())


@pytest.mark.effect("Poland")
def test_poland_takes_a_card_of_a_chosen_player_at_the_start_of_its_first_turn():
    t = board("Poland", "Egypt", "Rome")
    embassy = written(t.r, "diplomacy").index("Embassy")
    t.script((decisions.ALLY, 2), (decisions.TAKE_DIPLOMACY, embassy), (decisions.CARD, 0))
    t.take_turn(0)
    assert t.options(decisions.ALLY) == {1, 2}
    assert all(PASS not in options for kind, _, options in t.asked() if kind == decisions.TAKE_DIPLOMACY)
    assert t.g.diplomacy[2, embassy] == 0
    assert held(t, 0, 1) == 0


@pytest.mark.effect("Poland")
def test_poland_does_so_in_its_first_turn_only_and_nobody_else_does():
    t = board("Poland", "Egypt", "Rome")
    t.g.round_number = 2
    play(t, 0)
    assert held(t, 0, 1) + held(t, 0, 2) == 0
    t = board("Rome", "Egypt", "France")
    play(t, 0)
    assert "ally" not in t.asked_kinds()


@pytest.mark.effect("Poland")
@pytest.mark.rule("B7.5")
def test_poland_may_hold_any_number_of_cards_of_its_ally_but_one_of_others():
    t = board("Poland", "Egypt", "Rome")
    t.script((decisions.ALLY, 1), (decisions.TAKE_DIPLOMACY, 0), (decisions.CARD, 0))
    t.take_turn(0)
    for card in range(1, t.r.n_diplomacy):
        t.caravan(0, (2, 0))
        visit(t, 0, (3, 0), (decisions.TAKE_DIPLOMACY, card))
        t.g.arrived[:] = 0
    assert held(t, 0, 1) == t.r.n_diplomacy
    assert not t.options(decisions.RETURN_DIPLOMACY)
    for card in range(2):
        t.caravan(0, (-2, 0))
        visit(t, 0, (-3, 0), (decisions.TAKE_DIPLOMACY, card))
        t.g.arrived[:] = 0
    assert held(t, 0, 2) == 1


@pytest.mark.effect("Poland")
@pytest.mark.rule("T5.13")
def test_polands_ally_attacked_gets_all_its_cards_back_and_the_limit_stays_lifted():
    t = board("Poland", "Egypt", "Rome")
    t.g.allies[0] = 1 << 1
    t.diplomacy(0, 1, "Embassy")
    t.diplomacy(0, 1, "Joint War")
    t.token(1, (1, 0))
    march(t, 0, (1, 0), LOSE)
    assert held(t, 0, 1) == 0
    for card in range(2):
        t.caravan(0, (2, 0))
        visit(t, 0, (3, 0), (decisions.TAKE_DIPLOMACY, card))
        t.g.arrived[:] = 0
    assert held(t, 0, 1) == 2


# --- Zulu: Isibongo


@pytest.mark.effect("Zulu")
@pytest.mark.rule("T12.20")
@pytest.mark.parametrize(
    ("prepare", "tokens"),
    [
        (lambda t: t.barbarian("A", (1, 0)), 1),
        (lambda t: t.token(1, (1, 0)), 1),
        (lambda t: t.district(1, "Campus", (1, 0)), 1),
        (lambda t: t.army(1, (1, 0)), 1),
        (lambda t: t.caravan(1, (1, 0)), 1),
        (lambda t: t.fort((1, 0), 1), 1),
        (lambda t: t.city(1, (1, 0)), 2),
        (lambda t: t.city_state("Seoul", (1, 0)), 2),
    ],
)
def test_the_zulu_get_a_token_on_the_military_card_for_an_attack_won_and_two_for_cities(prepare, tokens):
    t = board("Zulu", "Egypt")
    prepare(t)
    military = t.holder(0, "military")
    others = {(decisions.PLACE_TRADE, t.holder(0, "growth"))} if t.g.barbarians[t.at((1, 0))] else ()
    assert march(t, 0, (1, 0), WIN, *others).won
    assert t.g.trade[0, military] == tokens


@pytest.mark.effect("Zulu")
def test_the_zulu_get_two_for_a_capital_and_what_finds_no_room_is_lost():
    t = board("Zulu", "Egypt")
    t.army(0, (2, 0))
    march(t, 0, (3, 0), WIN)
    assert t.trade_on(0, "military") == 2
    t.army(0, (2, 0))
    march(t, 0, (3, 0), WIN)
    assert t.trade_on(0, "military") == 3


@pytest.mark.effect("Zulu")
@pytest.mark.rule("T12.20")
def test_the_zulus_second_token_goes_by_the_target_not_by_the_space():
    t = board("Zulu", "Egypt")
    t.city(1, (1, 0))
    t.army(1, (1, 0))
    assert march(t, 0, (1, 0), WIN, (decisions.ARMY_TARGET, state.TARGET_ARMY * 8 + 1)).won
    assert t.piece((1, 0)) == "city"
    assert t.trade_on(0, "military") == 1


@pytest.mark.effect("Zulu")
def test_the_zulu_get_nothing_for_an_attack_lost_or_beaten_off_and_others_nothing():
    t = board("Zulu", "Egypt")
    t.city(1, (1, 0))
    assert not march(t, 0, (1, 0), LOSE).won
    assert t.trade_on(0, "military") == 0
    t = board("Zulu", "Egypt")
    t.token(0, (1, 0))
    t.army(1, (2, 0))
    assert not march(t, 1, (1, 0), LOSE, slot=1).won
    assert t.trade_on(0, "military") == 0
    t = board("Rome", "Egypt")
    t.token(1, (1, 0))
    assert march(t, 0, (1, 0), WIN).won
    assert t.trade_on(0, "military") == 0
