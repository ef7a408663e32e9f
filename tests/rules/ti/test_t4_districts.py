"""T4.5 to T4.10: the districts' section of the dial and what each of the five districts does."""

from functools import partial

import pytest
from battles import changed
from table import BOTS, FIRST_SPACE, LAST_SPACE, PASS, Table, rome_with, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import culture, decisions, districts, growth, pieces, start_effects, state, turn
from newdawn.simulator.engine.science import replace_card
from newdawn.simulator.engine.winning import settle

FIRST, SECOND = 0, 1  # options of a district
PEAKS = {(0, 0): "hills", (1, 0): "mountain", (0, 1): "mountain", (-1, 1): "mountain"}

table = partial(ti_table_with, (-3, 0), (3, 0))


def use(t, name, *choices, p=0):
    """Let seat `p` use its district of the name."""
    t.script(*choices)
    t.call(districts.use_district, p, names.DISTRICTS.index(name))
    t.require_script_done()


def effects(t, nth=0):
    """Return which options of the district were offered."""
    return t.options(decisions.DISTRICT_EFFECT, nth)


# --- T4.5: whose turn, what is near


@pytest.mark.rule("T4.5")
@pytest.mark.effect("districts")
def test_everybody_uses_all_districts_before_the_next_does_from_the_first_player_clockwise():
    t = table(leaders=("Rome", "Egypt", "France"), terrain={(-2, 0): "mountain", (2, 0): "mountain", (0, -2): "forest"})
    t.capital(2, (0, -3))
    t.district(0, "Campus", (-2, 0))
    t.district(1, "Campus", (2, 0))
    t.district(1, "Industrial Zone", (2, 1))
    t.district(2, "Industrial Zone", (0, -2))
    t.token(1, (1, 1))
    t.g.terrain[t.at((1, 1))] = names.FOREST
    t.g.first = t.g.current = 1
    t.script((decisions.DISTRICT, (2, 1)), *[(decisions.DISTRICT_EFFECT, FIRST)] * 4)
    t.call(turn.use_districts)
    t.require_script_done()
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.DISTRICT_EFFECT] == [1, 1, 2, 0]
    assert t.options(decisions.DISTRICT) == t.spaces((2, 0), (2, 1))
    assert (t.trade_on(1, "industry"), t.trade_on(1, "science")) == (1, 1)


@pytest.mark.rule("T4.5")
def test_each_district_is_used_once_and_may_be_used_to_no_effect():
    t = table(terrain={(-2, 0): "mountain"})
    t.district(0, "Campus", (-2, 0))
    t.script((decisions.DISTRICT_EFFECT, PASS))
    t.call(turn.use_districts)
    assert t.asked_kinds() == ["district_effect"]
    assert t.trade_on(0, "science") == 0


@pytest.mark.rule("T4.5")
def test_within_counts_through_water_rivals_and_any_terrain_but_not_off_the_map():
    t = table(terrain={(1, 0): "water", (0, 1): "mountain"})
    t.district(0, "Encampment", (0, 0))
    t.token(1, (0, 1))
    t.barbarian("A", (2, 0))
    t.barbarian("B", (0, 2))
    t.barbarian("C", (3, -1))
    t.barbarian("D", (0, 0))
    t.script((decisions.DISTRICT_EFFECT, FIRST), (decisions.DISTRICT_SPACE, decisions.BARBARIAN_OPTION + t.at((2, 0))))
    t.call(districts.use_district, 0, names.DISTRICTS.index("Encampment"))
    assert t.options(decisions.DISTRICT_SPACE) == {decisions.BARBARIAN_OPTION + s for s in t.spaces((2, 0), (0, 2), (0, 0))}
    far = [(0, 0), (1, 0), (0, 2), (-3, 0), (3, 0), (1, 2), (3, 1), (2, 2)]  # (0, 0) to (0, 2): a gap between
    t = Table(rules=ti_rules(), spaces=far)
    t.capital(0, (-3, 0))
    t.capital(1, (3, 0))
    t.district(0, "Encampment", (0, 0))
    t.barbarian("A", (0, 2))
    use(t, "Encampment")
    assert FIRST not in effects(t)


@pytest.mark.rule("T4.5")
def test_a_district_without_trade_tokens_brings_none():
    t = ti_table_with((0, 0), (3, 0))
    for district in range(names.N_DISTRICTS):
        for option in (0, 1):
            assert districts.trade_tokens_of(t.r, t.g, 0, district, t.at((0, 1)), option) >= 0


@pytest.mark.rule("T4.5")
def test_a_district_used_is_not_offered_again():
    t = ti_table_with((0, 0), (3, 0), terrain={(1, 0): "mountain", (-1, 0): "forest", (0, 1): "desert"})
    t.district(0, "Campus", (1, 0))
    t.district(0, "Industrial Zone", (-1, 0))
    t.district(0, "Commercial Hub", (0, 1))
    first, second = (decisions.DISTRICT_EFFECT, FIRST), (decisions.DISTRICT_EFFECT, SECOND)
    t.script((decisions.DISTRICT, (-1, 0)), first, (decisions.DISTRICT, (0, 1)), second, first)
    t.call(turn.use_districts)
    t.require_script_done()
    assert t.options(decisions.DISTRICT) == t.spaces((1, 0), (-1, 0), (0, 1))
    assert t.options(decisions.DISTRICT, 1) == t.spaces((1, 0), (0, 1))
    assert [t.trade_on(0, kind) for kind in ("science", "industry", "economy")] == [1, 1, 1]


def test_using_a_district_at_the_start_of_a_turn_is_offered_to_who_has_one():
    t = rome_with({"effect": "resolve_district", "amount": 1, "moment": "start_of_turn"}, seats=2, box="terra-incognita")
    t.script()
    t.call(start_effects.start_of_turn, 0)
    assert t.asked() == []
    t.district(0, "Encampment", (1, 0))
    t.script()
    t.call(start_effects.start_of_turn, 0)
    assert t.options(decisions.START_EFFECT) == {decisions.FX_RESOLVE_DISTRICT}


def test_districts_are_used_one_after_the_other_until_none_is_left():
    use = {"effect": "resolve_district", "amount": 3, "moment": "end_of_turn"}
    t = rome_with(use, seats=2, box="terra-incognita")
    turn.close_turn(t.r, t.g, t.w, BOTS, 0)
    assert t.asked() == []
    t.district(0, "Encampment", (1, 0))
    t.token(0, (2, 0))
    t.script((decisions.DISTRICT_EFFECT, 1))
    turn.close_turn(t.r, t.g, t.w, BOTS, 0)
    assert t.asked_kinds().count("district") == 0
    assert t.piece((2, 0)) == "reinforced_token"
    assert districts.choose_district(t.r, t.g, t.w, BOTS, 0, 1 << names.ENCAMPMENT) == -1


# --- T4.6: Campus


@pytest.mark.rule("T4.6")
@pytest.mark.effect("Campus")
def test_a_campus_counts_own_mountains_around_it():
    t = table(terrain=PEAKS)
    t.district(0, "Campus", (0, 0))
    t.token(0, (1, 0), (0, 1))
    t.token(1, (-1, 1))
    use(t, "Campus", (decisions.DISTRICT_EFFECT, FIRST))
    assert t.trade_on(0, "science") == 2


@pytest.mark.rule("T4.6")
@pytest.mark.effect("Campus")
def test_a_campus_counts_its_own_space_and_own_cities():
    t = table(terrain={(0, 0): "mountain", (1, 0): "mountain", (2, 0): "mountain"})
    t.district(0, "Campus", (0, 0))
    t.city(0, (1, 0))
    t.token(0, (2, 0))
    use(t, "Campus", (decisions.DISTRICT_EFFECT, FIRST))
    assert t.trade_on(0, "science") == 2


@pytest.mark.rule("T4.6")
@pytest.mark.effect("Campus")
@pytest.mark.parametrize("taken", [True, False])
def test_a_campus_counts_natural_wonder_spaces_with_or_without_the_token(taken):
    t = table()
    t.district(0, "Campus", (0, 0))
    t.natural_wonder("Mt. Everest", (1, 0))
    t.token(0, (1, 0))
    if not taken:
        t.g.natural_wonder_owner[names.NATURAL_WONDERS.index("Mt. Everest")] = -1
    use(t, "Campus", (decisions.DISTRICT_EFFECT, FIRST))
    assert t.trade_on(0, "science") == 1


@pytest.mark.rule("T4.6")
@pytest.mark.effect("Campus")
def test_a_campus_without_peaks_and_free_mountains_does_nothing():
    t = table(terrain={(1, 0): "mountain", (0, 1): "forest"})
    t.district(0, "Campus", (0, 0))
    t.token(0, (0, 1))
    use(t, "Campus")
    assert t.asked() == []
    assert t.g.trade[0].sum() == 0


@pytest.mark.rule("T4.6")
@pytest.mark.rule("T12.15")
def test_space_0_lies_around_and_beside_like_any_other():
    t = ti_table_with((0, 0), (3, 0), terrain={FIRST_SPACE: "mountain"})
    t.token(0, FIRST_SPACE)
    t.district(0, "Campus", (-2, 0))
    assert districts.spaces_around(t.g, 0, t.at((-2, 0)), names.MOUNTAIN) == 1
    t.army(0, (-2, 0))
    assert growth.army_beside(t.g, 0, t.at(FIRST_SPACE))
    t.army(0, FIRST_SPACE)
    assert growth.army_beside(t.g, 0, t.at((-2, 0)))
    t.army(0, None)
    assert not any(growth.army_beside(t.g, 0, s) for s in range(t.g.n_spaces))


# --- T4.7: Commercial Hub


@pytest.mark.rule("T4.7")
@pytest.mark.effect("Commercial Hub")
def test_a_hub_pays_for_mature_cities_on_any_cards():
    t = table()
    t.token(0, (-2, 0), (-3, 1))
    t.district(0, "Commercial Hub", (-2, -1))
    assert t.mature(0, (-3, 0))
    use(t, "Commercial Hub", (decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TRADE, t.holder(0, "military")))
    assert effects(t) == {FIRST}
    assert t.trade_on(0, "military") == 1


@pytest.mark.rule("T4.7")
@pytest.mark.effect("Commercial Hub")
def test_a_hub_pays_for_own_deserts_around_it_on_the_economy_card_instead():
    t = table(terrain={(-2, -1): "desert", (-1, -1): "desert", (-1, -2): "desert", (1, 0): "desert"})
    t.token(0, (-2, 0), (-3, 1), (-1, -1), (1, 0))
    t.district(0, "Commercial Hub", (-2, -1))
    use(t, "Commercial Hub", (decisions.DISTRICT_EFFECT, SECOND))
    assert effects(t) == {FIRST, SECOND}
    assert t.asked_kinds() == ["district_effect"]
    assert (t.trade_on(0, "economy"), t.g.trade[0].sum()) == (2, 2)


@pytest.mark.rule("T4.7")
@pytest.mark.rule("B13.1")
@pytest.mark.effect("Commercial Hub")
def test_a_card_holds_no_more_than_three_of_a_hubs_tokens():
    t = table(terrain={(-2, -1): "desert", (-1, -1): "desert"})
    t.token(0, (-1, -1))
    t.district(0, "Commercial Hub", (-2, -1))
    t.trade(0, "economy", 2)
    use(t, "Commercial Hub", (decisions.DISTRICT_EFFECT, SECOND))
    assert t.trade_on(0, "economy") == 3


# --- T4.8: Encampment


def camp(reinforced=False, **kw):
    t = table(**kw)
    t.district(0, "Encampment", (0, 0), reinforced=reinforced)
    return t


@pytest.mark.rule("T4.8")
@pytest.mark.effect("Encampment")
def test_an_encampment_destroys_a_barbarian_within_two_for_a_trade_token():
    t = camp()
    t.barbarian("A", (2, 0))
    t.barbarian("B", (3, -1))
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TRADE, t.holder(0, "growth")))
    assert (t.g.barbarian_space[0], t.g.barbarian_space[1]) == (-1, t.at((3, -1)))
    assert t.trade_on(0, "growth") == 1


@pytest.mark.rule("T4.8")
@pytest.mark.effect("Encampment")
def test_an_encampment_sends_a_rival_army_home_without_a_trade_token():
    t = camp(reinforced=True, leaders=("Rome", "Egypt", "France"))
    t.capital(2, (0, -3))
    t.army(1, (1, 0))
    t.army(2, (1, 0))
    t.army(0, (0, 1))
    t.army(1, (3, -1), a=1)
    option = decisions.ARMY_OPTION + 2 * 256 + t.at((1, 0))
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, FIRST), (decisions.DISTRICT_SPACE, option))
    assert t.options(decisions.DISTRICT_SPACE) == {decisions.ARMY_OPTION + 256 + t.at((1, 0)), option}
    assert (t.g.army[2, 0], t.g.army[1, 0]) == (state.ON_CARD, t.at((1, 0)))
    assert t.g.armies[t.at((1, 0))] == 1
    assert t.g.trade.sum() == 0


@pytest.mark.rule("T4.8")
@pytest.mark.effect("Encampment")
def test_an_encampment_reinforces_an_own_token_within_two_itself_too():
    t = camp()
    t.token(0, (2, 0), (3, -1))
    t.token(0, (1, 0), reinforced=True)
    t.token(1, (0, 1))
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, SECOND), (decisions.DISTRICT_SPACE, (0, 0)))
    assert t.options(decisions.DISTRICT_SPACE) == t.spaces((0, 0), (2, 0))
    assert t.piece((0, 0)) == "reinforced_token"


@pytest.mark.rule("T4.8")
@pytest.mark.effect("Encampment")
@pytest.mark.parametrize("order", [(FIRST, SECOND), (SECOND, FIRST)])
def test_an_encampment_does_both_in_either_order_each_once(order):
    t = camp()
    t.token(0, (1, 0))
    t.barbarian("A", (2, 0))
    t.barbarian("B", (-2, 0))
    uses = {
        FIRST: (decisions.DISTRICT_SPACE, decisions.BARBARIAN_OPTION + t.at((2, 0))),
        SECOND: (decisions.DISTRICT_SPACE, (1, 0)),
    }
    use(t, "Encampment", *[c for option in order for c in ((decisions.DISTRICT_EFFECT, option), uses[option])])
    assert effects(t, 1) == {order[1]}
    assert t.asked_kinds().count("district_effect") == 2
    assert (t.g.barbarian_space[0], t.piece((1, 0))) == (-1, "reinforced_token")


@pytest.mark.rule("T4.8")
@pytest.mark.effect("Encampment")
def test_an_encampment_may_do_one_of_both():
    t = camp()
    t.barbarian("A", (2, 0))
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, SECOND), (decisions.DISTRICT_EFFECT, PASS))
    assert t.g.barbarian_space[0] >= 0
    assert t.piece((0, 0)) == "reinforced_token"


@pytest.mark.effect("Encampment")
def test_an_encampment_without_foes_and_with_nothing_to_reinforce_asks_nothing():
    t = camp(reinforced=True)
    use(t, "Encampment")
    assert t.asked_kinds() == []


@pytest.mark.effect("Encampment")
@pytest.mark.parametrize(("number", "left"), [("camp_strike", {SECOND}), ("camp_reinforce", {FIRST})])
def test_house_rules_may_take_one_use_from_the_encampment(number, left):
    rules = ti_rules().copy()
    rules[number] = 0
    t = camp(rules=rules)
    t.barbarian("A", (2, 0))
    use(t, "Encampment")
    assert effects(t) == left


@pytest.mark.rule("T4.8", "T12.1")
def test_an_encampment_that_beats_a_barbarian_sends_no_army_home():
    t = Table(leaders=("Rome", "Egypt", "Aztec", "France", "Sumeria"), rules=ti_rules(), radius=4)
    for p, space in enumerate([(0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)]):
        t.capital(p, space)
    t.district(0, "Encampment", (1, 0))
    t.barbarian("A", (2, 0))
    before = t.g.army.tolist()
    t.script((decisions.DISTRICT_EFFECT, 0))
    t.call(districts.use_district, 0, names.ENCAMPMENT)
    assert t.g.barbarians.sum() == 0
    assert t.g.army.tolist() == before


@pytest.mark.rule("T4.8")
@pytest.mark.parametrize("strikes", [1, 3])
def test_an_encampment_strikes_as_long_as_there_is_a_foe(strikes):
    t = ti_table_with((0, 0), (0, 3))
    t.r = t.r.copy()
    t.r.camp_strike = strikes
    t.district(0, "Encampment", (1, 0))
    t.barbarian("A", (2, 0))
    t.script((decisions.DISTRICT_EFFECT, 0))
    t.call(districts.use_district, 0, names.ENCAMPMENT)
    assert "district_space" not in t.asked_kinds()  # one foe: nothing to choose
    assert t.g.barbarians.sum() == 0


@pytest.mark.rule("T4.8")
def test_an_encampment_strikes_the_army_of_seat_0_on_space_0():
    t = ti_table_with((0, 0), (3, 0))
    t.district(1, "Encampment", (-2, 0), reinforced=True)
    t.army(0, FIRST_SPACE)
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, FIRST), p=1)
    assert t.g.army[0, 0] == state.ON_CARD


@pytest.mark.rule("T4.8")
def test_an_encampment_strikes_the_right_one_of_two_armies():
    t = ti_table_with((0, 0), (3, 0), leaders=("Rome", "Egypt", "France"))
    t.capital(2, (0, 3))
    t.district(0, "Encampment", (-2, 0))
    t.token(0, FIRST_SPACE)
    for p in (1, 2):
        t.army(p, FIRST_SPACE)
    army = decisions.ARMY_OPTION + 2 * 256
    use(
        t,
        "Encampment",
        (decisions.DISTRICT_EFFECT, FIRST),
        (decisions.DISTRICT_SPACE, army),
        (decisions.DISTRICT_EFFECT, SECOND),
        (decisions.DISTRICT_SPACE, FIRST_SPACE),
    )
    assert (t.g.army[1, 0], t.g.army[2, 0]) == (0, state.ON_CARD)
    assert t.piece(FIRST_SPACE) == "reinforced_token"


@pytest.mark.rule("T4.8")
def test_an_encampments_two_reaches_are_two_numbers():
    rules = changed(camp_reinforce_range=1)
    t = ti_table_with((0, 0), (3, 0), rules=rules)
    t.district(0, "Encampment", (-2, 0))
    t.token(0, (-2, 1), (-1, 1))
    t.barbarian("A", (-2, 2))
    use(
        t,
        "Encampment",
        (decisions.DISTRICT_EFFECT, FIRST),
        (decisions.DISTRICT_EFFECT, SECOND),
        (decisions.DISTRICT_SPACE, (-2, 0)),
    )
    assert t.options(decisions.DISTRICT_SPACE) == t.spaces((-2, 0), (-2, 1))


# --- T4.9: Industrial Zone


def zone(rules=None, trade=3, **kw):
    t = table(rules=rules, **kw)
    t.district(0, "Industrial Zone", (0, 0))
    t.trade(0, "industry", trade)
    return t


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
def test_a_zone_pays_for_own_forests_around_it():
    t = zone(trade=0, terrain={(0, 0): "forest", (1, 0): "forest", (0, 1): "forest", (2, 0): "forest"})
    t.token(0, (1, 0), (2, 0))
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, FIRST))
    assert (t.trade_on(0, "industry"), t.g.trade.sum()) == (2, 2)


@pytest.mark.rule("T4.9")
@pytest.mark.rule("T11.2")
@pytest.mark.effect("Industrial Zone")
def test_a_zone_buys_a_city_on_a_legal_space_within_two_of_a_friendly_space_on_any_terrain():
    t = zone(terrain={(1, 0): "water", (2, 0): "mountain", (0, -1): "mountain"})
    t.resource("oil", (0, -2))
    t.token(1, (0, 2))
    t.barbarian("A", (1, 1))
    t.token(0, (-1, 2))
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, -1)))
    offers = t.options(decisions.CITY_SPACE)
    assert offers >= t.spaces((0, 0), (0, -1), (-1, 2), (-3, 2), (-1, -1))
    illegal = [(1, 0), (0, -2), (0, 2), (1, 1), (2, 0), (-2, 0), (-3, 1)]  # the last three: next to a capital
    assert not offers & t.spaces(*illegal)
    assert (t.piece((0, -1)), t.owner((0, -1)), t.trade_on(0, "industry")) == ("city", 0, 0)


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
def test_a_zones_city_is_no_more_than_two_away():
    t = zone(radius=4)
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 2)))
    assert t.at((0, 3)) not in t.options(decisions.CITY_SPACE)


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
@pytest.mark.parametrize("trade", [0, 2])
def test_a_zones_city_costs_three_trade_tokens_of_the_industry_card(trade):
    t = zone(trade=trade)
    t.trade(0, "growth", 3)
    use(t, "Industrial Zone")
    assert t.asked() == []


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
def test_a_zone_needs_an_unused_city():
    t = zone()
    t.g.cities_left[0] = 0
    use(t, "Industrial Zone")
    assert t.asked() == []


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
def test_a_zones_city_may_take_the_place_of_the_zone():
    t = zone()
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 0)))
    assert (t.piece((0, 0)), t.district_on((0, 0))) == ("city", None)


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
@pytest.mark.parametrize(("ruling", "pays"), [("trade_tokens_only", False), ("pays_one", True)])
@pytest.mark.parametrize("plain", [2, 3])
def test_a_city_state_token_pays_one_of_the_three_by_ruling(tmp_path, ruling, pays, plain):
    t = zone(ti_rules_with(tmp_path, rulings={"zone_city_state_token": ruling}), trade=plain)
    t.conquered(0, "Brussels", (-1, -2))
    cs = t.city_state_code("Brussels")
    choices = [(decisions.DISTRICT_EFFECT, SECOND)]
    if pays and plain == 3:
        choices.append((decisions.SPEND_TOKEN, decisions.KEPT_CITY_STATE + cs))
    if not pays and plain == 2:
        use(t, "Industrial Zone")
        assert t.asked() == []
        return
    use(t, "Industrial Zone", *choices, (decisions.CITY_SPACE, (0, 0)))
    assert t.options(decisions.SPEND_TOKEN) == (
        {decisions.KEPT_CITY_STATE + cs, decisions.PLAIN_TOKEN} if pays and plain == 3 else set()
    )
    assert t.g.city_state_used[cs] == int(pays)
    assert t.trade_on(0, "industry") == (plain - 2 if pays else 0)
    assert t.g.city_state_owner[cs] == 0


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
def test_a_used_city_state_token_pays_nothing(tmp_path):
    t = zone(ti_rules_with(tmp_path, rulings={"zone_city_state_token": "pays_one"}), trade=2)
    t.conquered(0, "Brussels", (-1, -2))
    t.g.city_state_used[t.city_state_code("Brussels")] = 1
    use(t, "Industrial Zone")
    assert t.asked() == []


@pytest.mark.rule("T4.9")
@pytest.mark.effect("Industrial Zone")
def test_a_city_state_token_pays_no_more_than_one_of_the_three(tmp_path):
    t = zone(ti_rules_with(tmp_path, rulings={"zone_city_state_token": "pays_one"}), trade=1)
    t.conquered(0, "Brussels", (-1, -2))
    use(t, "Industrial Zone")
    assert t.asked() == []


def narrow_zone():
    """Return a table where seat 0's Industrial Zone may build a city on one space only: (2, 0)."""
    spaces = [(0, 0), (1, 0), (2, 0), (0, 3)]
    t = Table(rules=ti_rules(), spaces=spaces)
    t.capital(0, (0, 0))
    t.capital(1, (0, 3))
    t.district(0, "Industrial Zone", (1, 0))
    return t


@pytest.mark.rule("T4.9")
def test_a_zones_city_is_built_on_the_only_space_there_is_and_brings_no_token():
    t = narrow_zone()
    t.trade(0, "industry", 3)
    t.script((decisions.DISTRICT_EFFECT, 1))
    t.call(districts.use_district, 0, names.INDUSTRIAL_ZONE)
    t.require_script_done()
    assert t.piece((2, 0)) == "city"
    assert t.asked_kinds() == ["district_effect"]


@pytest.mark.rule("T4.9")
def test_without_an_industry_card_no_zones_city_is_paid_by_another_card():
    t = narrow_zone()
    t.g.trade[0] = 3
    assert districts.may_buy_city(t.r, t.g, t.w, 0)
    t.g.card[0, names.INDUSTRY] = names.GROWTH * names.N_LEVELS
    assert not districts.may_buy_city(t.r, t.g, t.w, 0)


@pytest.mark.rule("T4.3", "T4.8", "T4.9")
@pytest.mark.parametrize("listed", ["districts", "tokens", "cities"])
def test_the_last_space_is_listed_too(listed):
    last = (3, 0)
    t = ti_table_with((2, 0) if listed == "districts" else (0, 0), (-3, 0), terrain={last: "mountain"})
    assert t.at(last) == t.g.n_spaces - 1
    if listed == "districts":
        n = growth.list_district_spaces(t.r, t.g, t.w, 0, 5)
        spaces = {int(option) // 8 for option in t.w.option[:n]}
    elif listed == "tokens":
        t.token(0, last)
        n = districts.list_plain_tokens(t.r, t.g, t.w, 0, t.at((2, 0)))
        spaces = set(t.w.option[:n].tolist())
    else:
        t.token(0, (1, 0))
        n = districts.list_zone_cities(t.r, t.g, t.w, 0)
        spaces = set(t.w.option[:n].tolist())
    assert t.at(last) in spaces


def within(t, distance, *middles):
    """Return the spaces so near to one of the middles."""
    steps = [(q - a, r - b, (q, r)) for q, r in t.coordinates for a, b in middles]
    return {space for q, r, space in steps if max(abs(q), abs(r), abs(q + r)) <= distance}


@pytest.mark.rule("T4.9")
@pytest.mark.rule("T11.2")
def test_a_zones_cities_are_exactly_the_legal_spaces_near():
    t = ti_table_with((-3, 1), (3, 0), terrain={(1, 0): "water"})
    t.district(0, "Industrial Zone", (0, 0))
    t.token(1, (0, 1))
    t.trade(0, "industry", 3)
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 0)))
    assert t.options(decisions.CITY_SPACE) == t.spaces(
        *within(t, 2, (0, 0), (-3, 1)) - within(t, 1, (-3, 1), (3, 0)) - {(1, 0), (0, 1)}
    )


@pytest.mark.rule("T4.9")
def test_a_zone_without_the_second_option_sells_no_city():
    rules = changed(zone_city=0)
    t = ti_table_with((0, 0), (3, 0), rules=rules)
    t.district(0, "Industrial Zone", (-2, 0))
    t.trade(0, "industry", 3)
    use(t, "Industrial Zone")
    assert t.asked() == []


@pytest.mark.rule("T4.9")
def test_a_zones_city_is_paid_from_an_industry_card_in_the_place_of_the_culture_card():
    """As Oxford University lets it be gained."""
    t = ti_table_with((0, 0), (3, 0))
    t.district(0, "Industrial Zone", (1, 0))
    culture = t.holder(0, "culture")
    assert culture == 0
    replace_card(t.r, t.g, t.w, 0, culture, names.INDUSTRY * names.N_LEVELS + 1)
    t.g.trade[0, culture] = 3
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 2)))
    assert (t.piece((0, 2)), t.g.trade[0, culture]) == ("city", 0)


@pytest.mark.rule("T4.9")
@pytest.mark.rule("B3.2")
def test_a_zones_city_claims_and_sets_off_what_waits_for_cities():
    r = ti_rules()
    civilized = next(c for c in range(r.n_victory_cards) if r.agenda_metric[c, 0] == names.METRIC_CITIES)
    t = Table(rules=r, leaders=("England", "Egypt"), victory=(civilized,), radius=6)
    t.capital(0, (0, 0))
    t.capital(1, (6, 0))
    for space in ((-2, 0), (0, 2), (2, -2), (0, -3), (-4, 2), (-3, 5)):
        t.city(0, space)
    t.district(0, "Industrial Zone", (-5, 0))
    t.trade(0, "industry", 3)
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] == 0
    t.g.tile[t.at((-5, 0))] = 9
    t.script((decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (-5, 0)), (decisions.PLACE_TOKEN, (-6, 0)))
    t.call(turn.use_districts)
    t.require_script_done()
    assert t.g.claimed[0, 0] == 1
    assert t.piece((-6, 0)) == "reinforced_token"  # England: the only city on its tile


@pytest.mark.rule("T4.8")
@pytest.mark.rule("T4.9")
def test_the_last_space_is_looked_at_too():
    t = Table(rules=ti_rules(), leaders=("Rome", "Egypt"))
    assert t.at(LAST_SPACE) == t.g.n_spaces - 1
    t.capital(0, (0, 0))
    t.capital(1, FIRST_SPACE)
    t.district(0, "Encampment", (2, 0))
    t.district(0, "Industrial Zone", (1, 1))
    t.trade(0, "industry", 3)
    t.army(1, LAST_SPACE)
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, FIRST))
    assert t.g.army[1, 0] == state.ON_CARD
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, LAST_SPACE))
    assert t.piece(LAST_SPACE) == "city"


@pytest.mark.rule("T4.10")
@pytest.mark.parametrize(("ruling", "hilly"), [("any_land", True), ("grassland_only", False)])
def test_without_a_slot_any_terrain_or_only_grassland_is_a_ruling(tmp_path, ruling, hilly):
    rules = ti_rules_with(tmp_path, rulings={"no_slot_terrain": ruling})
    t = zone(rules, terrain={(0, 1): "hills"})
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 0)))
    assert (t.at((0, 1)) in t.options(decisions.CITY_SPACE)) == hilly
    t = theater(rules, terrain={(0, 1): "hills"})
    use(t, "Theater Square", (decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TOKEN, (1, 0)))
    assert (t.at((0, 1)) in t.options(decisions.PLACE_TOKEN)) == hilly


# --- T4.10: Theater Square


def theater(rules=None, **kw):
    t = table(rules=rules, **kw)
    t.district(0, "Theater Square", (0, 0))
    return t


@pytest.mark.rule("T4.10")
@pytest.mark.effect("Theater Square")
def test_a_theater_places_a_token_two_away_on_a_mountain_across_a_lake():
    t = theater(terrain={(1, 0): "water", (2, 0): "mountain"})
    use(t, "Theater Square", (decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TOKEN, (2, 0)))
    assert effects(t) == {FIRST}
    assert (t.owner((2, 0)), t.piece((2, 0))) == (0, "token")


@pytest.mark.rule("T4.10")
@pytest.mark.effect("Theater Square")
def test_a_theaters_token_goes_where_tokens_may_go_within_two():
    t = theater(terrain={(1, 0): "water"}, radius=4)
    t.token(1, (0, 1))
    t.barbarian("A", (0, 2))
    t.city_state("Carthage", (-1, 2))
    use(t, "Theater Square", (decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TOKEN, (2, 0)))
    within = [(q, r) for q, r in t.coordinates if max(abs(q), abs(r), abs(q + r)) <= 2]
    barred = [(0, 0), (1, 0), (0, 1), (0, 2), (-1, 2)]
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*within) - t.spaces(*barred)


@pytest.mark.rule("T4.10")
@pytest.mark.effect("Theater Square")
def test_a_theater_may_instead_place_it_within_two_of_an_own_city_with_a_wonder():
    t = theater(radius=4)
    t.city(0, (-1, 3))
    t.wonder("Stonehenge", (-1, 3))
    use(t, "Theater Square", (decisions.DISTRICT_EFFECT, SECOND), (decisions.PLACE_TOKEN, (0, 3)))
    within = [(q, r) for q, r in t.coordinates if max(abs(q + 1), abs(r - 3), abs(q + r - 2)) <= 2]
    assert effects(t) == {FIRST, SECOND}
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*within) - t.spaces((-1, 3))


@pytest.mark.rule("T4.10")
@pytest.mark.effect("Theater Square")
def test_a_rivals_wonder_city_and_a_wonder_under_a_token_do_not_serve():
    t = theater()
    t.wonder("Stonehenge", (3, 0))
    t.token(0, (-1, 0))
    t.wonder("Chichen Itza", (-1, 0))
    t.g.power[0, :] = 0  # not what Chichen Itza does
    use(t, "Theater Square")
    assert effects(t) == {FIRST}


@pytest.mark.rule("T4.10")
@pytest.mark.rule("B1.6")
def test_without_a_token_left_a_theater_may_move_one():
    t = theater()
    t.token(0, (-2, 0), (-2, -1))
    t.g.tokens_left[0] = 0
    use(t, "Theater Square", (decisions.DISTRICT_EFFECT, FIRST), (decisions.TAKE_OFF, (-2, 0)), (decisions.PLACE_TOKEN, (1, 0)))
    assert (t.owner((-2, 0)), t.owner((1, 0))) == (-1, 0)


def steps_between(t, s, space):
    q, r = t.coordinates[s]
    dq, dr = q - space[0], r - space[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


@pytest.mark.rule("T4.10")
@pytest.mark.parametrize("space", [FIRST_SPACE, (0, 1)])
@pytest.mark.parametrize("tokens", [0, 1])
def test_a_theater_square_wherever_it_lies_places_near_itself_or_near_a_wonders_city(space, tokens):
    t = ti_table_with((0, -3), LAST_SPACE)
    t.r = t.r.copy()
    t.r.theater_range[:] = (1, 2)
    t.r.theater_tokens[:] = tokens
    t.district(0, "Theater Square", space)
    t.wonder("Petra", (0, -3))
    s = t.at(space)
    near = {int(n) for n in t.g.neighbour[s] if n >= 0}
    for option, expected in ((0, near), (1, None)):
        assert districts.may_place_by_theater(t.r, t.g, t.w, 0, s, option) == (tokens > 0)
        anchor = s if option == 0 else -1
        n = culture.list_token_spaces(t.r, t.g, t.w, 0, -1, 9, decisions.SOURCE_THEATER, anchor)
        found = set(t.w.option[:n].tolist())
        if expected is None:
            assert found == {k for k in range(t.g.n_spaces) if t.g.owner[k] < 0 and steps_between(t, k, (0, -3)) <= 2}
        else:
            assert found == expected


@pytest.mark.rule("T4.9")
@pytest.mark.rule("T4.10")
def test_cities_and_tokens_of_districts_may_go_on_space_0():
    t = ti_table_with((0, 0), (3, 0))
    t.district(0, "Industrial Zone", (-2, 0))
    t.trade(0, "industry", 3)
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, FIRST_SPACE))
    assert t.piece(FIRST_SPACE) == "city"
    t = ti_table_with((0, 0), (3, 0))
    t.district(0, "Theater Square", (-2, 0))
    use(t, "Theater Square", (decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TOKEN, FIRST_SPACE))
    assert t.owner(FIRST_SPACE) == 0


@pytest.mark.rule("T4.5")
@pytest.mark.rule("T4.10")
@pytest.mark.effect("Theater Square")
def test_a_theater_square_is_used_where_a_single_space_is_left_for_its_token():
    t = Table(rules=ti_rules(), leaders=("Rome", "Egypt"), spaces=[(q, 0) for q in range(4)])
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    t.district(0, "Theater Square", (1, 0))
    t.script((decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TOKEN, (2, 0)))
    t.call(turn.use_districts)
    t.require_script_done()
    assert t.owner((2, 0)) == 0


@pytest.mark.rule("T4.5")
@pytest.mark.rule("T4.10")
@pytest.mark.effect("Theater Square")
@pytest.mark.parametrize("terrain", ["grassland", "desert", "forest", "mountain"])
def test_a_theater_square_without_a_space_for_its_token_is_of_no_use_whatever_lies_around_it(terrain):
    t = Table(rules=ti_rules(), leaders=("Rome", "Egypt"), spaces=[(q, 0) for q in range(3)], terrain={(1, 0): terrain})
    t.capital(0, (0, 0))
    t.capital(1, (2, 0))
    t.district(0, "Theater Square", (1, 0))
    t.script()
    t.call(turn.use_districts)
    assert t.asked() == []


# --- T12.19: Netherlands; T12.22: Nubia


BY_LEADER = pytest.mark.parametrize(("leader", "polders"), [("Netherlands", True), ("Rome", False)])


@pytest.mark.rule("T12.19")
@pytest.mark.effect("Netherlands")
@BY_LEADER
@pytest.mark.parametrize(
    ("name", "option", "card"),
    [("Campus", FIRST, "science"), ("Industrial Zone", FIRST, "industry"), ("Commercial Hub", SECOND, "economy")],
)
def test_water_by_own_districts_is_every_terrain_for_the_netherlands(leader, polders, name, option, card):
    t = table(leaders=(leader, "Egypt"), terrain={(1, 0): "water", (0, 1): "water", (2, 0): "water"})
    t.district(0, name, (0, 0))
    use(t, name, *[(decisions.DISTRICT_EFFECT, option)] * polders)
    assert t.trade_on(0, card) == (2 if polders else 0)


@pytest.mark.rule("T12.19")
@pytest.mark.effect("Netherlands")
@BY_LEADER
def test_water_by_any_own_district_serves_the_effects_of_all(leader, polders):
    t = table(leaders=(leader, "Egypt"), terrain={(1, 0): "water", (2, 0): "water", (-1, 1): "water"})
    t.district(0, "Campus", (0, 0))
    t.district(0, "Encampment", (2, -1))  # beside both waters in the east
    t.token(1, (-1, 2))
    assert districts.spaces_around(t.g, 0, t.at((0, 0)), names.MOUNTAIN) == 2 * polders
    assert districts.is_polder(t.g, 0, t.at((2, 0))) == polders
    assert not districts.is_polder(t.g, 1, t.at((2, 0)))
    pieces.take_token_off(t.r, t.g, t.w, t.at((2, -1)), 0)
    assert not districts.is_polder(t.g, 0, t.at((2, 0)))


@pytest.mark.rule("T12.19")
@pytest.mark.effect("Netherlands")
@BY_LEADER
def test_the_netherlands_count_a_zones_city_from_water_by_districts(leader, polders):
    t = table(leaders=(leader, "Egypt"), terrain={(0, 1): "water"})
    t.district(0, "Industrial Zone", (0, 0))
    t.trade(0, "industry", 3)
    use(t, "Industrial Zone", (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 0)))
    assert (t.at((0, 3)) in t.options(decisions.CITY_SPACE)) == polders  # two from the water, three from the zone


@pytest.mark.rule("T4.9", "T12.19")
@pytest.mark.effect("Netherlands")
def test_a_zones_cities_for_the_netherlands_are_exactly_the_legal_spaces_near():
    t = table(leaders=("Netherlands", "Egypt"), terrain={(0, 1): "water"})
    t.district(0, "Industrial Zone", (0, 0))
    t.w.queue[:] = t.at((0, -3))  # as an earlier count of distances may have left it
    n = districts.list_zone_cities(t.r, t.g, t.w, 0)
    near = within(t, 2, (0, 0), (0, 1), (-3, 0)) - within(t, 1, (-3, 0), (3, 0)) - {(0, 1)}
    assert set(t.w.option[:n].tolist()) == t.spaces(*near)


@pytest.mark.rule("T12.19")
def test_water_beside_a_district_on_space_0_is_a_polder():
    t = ti_table_with((0, 0), (3, 0), leaders=("Netherlands", "Egypt"), terrain={(-2, 0): "water"})
    t.district(0, "Campus", FIRST_SPACE)
    assert districts.is_polder(t.g, 0, t.at((-2, 0)))


@pytest.mark.rule("T12.22")
@pytest.mark.effect("Nubia")
@pytest.mark.parametrize(
    ("leader", "kind", "uses"), [("Nubia", "growth", True), ("Nubia", "culture", False), ("Rome", "growth", False)]
)
def test_nubia_uses_one_own_district_of_its_choice_after_the_reset_of_a_growth_card(leader, kind, uses):
    t = table(leaders=(leader, "Egypt"), terrain={(0, 0): "mountain", (0, 2): "forest"})
    t.district(0, "Campus", (0, 0))
    t.district(0, "Industrial Zone", (0, 2))
    t.district(1, "Encampment", (2, 0))
    place = list(t.g.row[0]).index(t.holder(0, kind))
    t.script((decisions.CARD, place), *[(decisions.DISTRICT, (0, 2)), (decisions.DISTRICT_EFFECT, FIRST)] * uses)
    t.take_turn(0)
    assert t.options(decisions.DISTRICT) == (t.spaces((0, 0), (0, 2)) if uses else set())
    assert (t.trade_on(0, "industry"), t.trade_on(0, "science")) == (int(uses), 0)
    assert t.row(0)[0] == kind


# --- T12.1, T12.4: what an Encampment's blow sets off, and whom it may not hit


@pytest.mark.rule("T12.1")
@pytest.mark.effect("Encampment")
@pytest.mark.effect("Sumeria")
@pytest.mark.parametrize("leader", ["Sumeria", "Rome"])
def test_a_barbarian_the_encampment_destroys_is_defeated(leader):
    t = camp(leaders=(leader, "Egypt"))
    t.barbarian("A", (1, 0))
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, FIRST))
    assert t.g.resources[0].sum() == (leader == "Sumeria")


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Encampment")
@pytest.mark.effect("Non-Aggression Pact")
@pytest.mark.parametrize("giver", [1, 2])
def test_the_holder_of_a_pact_strikes_no_army_of_its_giver(giver):
    t = camp(reinforced=True, leaders=("Rome", "Egypt", "France"))
    t.capital(2, (0, -3))
    t.army(1, (1, 0))
    t.diplomacy(0, giver, "Non-Aggression Pact")
    use(t, "Encampment", *[(decisions.DISTRICT_EFFECT, FIRST)] * (giver == 2))
    assert (t.g.army[1, 0] == state.ON_CARD) == (giver == 2)


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Encampment")
def test_the_giver_of_a_pact_strikes_with_its_encampment_and_the_holder_answers():
    t = ti_table_with((0, 0), (3, 0))
    t.diplomacy(1, 0, "Non-Aggression Pact")
    t.district(0, "Encampment", (1, 0), reinforced=True)
    t.army(1, (2, 0))
    place = 0 if t.row(1)[0] != "military" else 1
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, FIRST), (decisions.NON_AGGRESSION, place))
    assert t.row(1)[place] == "military"
    assert t.g.diplomacy[0].tolist().count(1) == 0


@pytest.mark.rule("T5.14")
@pytest.mark.effect("Encampment")
def test_an_encampment_sends_an_army_home_from_its_own_city():
    t = camp(reinforced=True)
    t.city(1, (1, 0))
    t.army(1, (1, 0))
    use(t, "Encampment", (decisions.DISTRICT_EFFECT, FIRST))
    assert (t.g.army[1, 0], t.piece((1, 0))) == (state.ON_CARD, "city")
