"""Breaks of the code for growth cards and districts that the other tests of T4 let through.

The space with the number 0, from which sloppy comparisons tell "none", is (-3, 0) on these tables.
"""

import numpy as np
import pytest
from table import BOTS, PASS, Table, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import counts, decisions, districts, growth, state, turn
from newdawn.simulator.engine.agendas import settle
from newdawn.simulator.engine.science import replace_card

ZERO = (-3, 0)
FIRST, SECOND = 0, 1


def table(capital=(0, 0), **how):
    t = ti_table_with(capital, (3, 0), **how)
    assert t.at(ZERO) == 0
    return t


def use(t, district, *choices, p=0):
    t.script(*choices)
    t.call(districts.use_district, p, district)
    t.require_script_done()


# --- the space with the number 0


@pytest.mark.rule("T4.3")
def test_a_district_may_lie_on_space_0_and_is_used_there():
    t = table((-2, 0), terrain={ZERO: "mountain"})
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), (decisions.PLACE_DISTRICT, t.at(ZERO) * 8 + names.CAMPUS))
    t.resolve(0, "Irrigation", 5)
    assert t.district_on(ZERO) == "Campus"
    assert counts.districts_on_map(t.g, 0) == 1
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT))
    t.resolve(0, "Irrigation", 5)
    assert {option % 8 for option in t.options(decisions.PLACE_DISTRICT)} == {0, 2, 3, 4}
    t.script((decisions.DISTRICT_EFFECT, FIRST))
    t.call(turn.use_districts)
    assert t.trade_on(0, "science") == 1


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


@pytest.mark.rule("T12.14")
def test_a_displaced_token_may_be_laid_on_space_0():
    t = table((-1, 0), leaders=("Aztec", "Egypt"))
    t.token(0, (-2, 0))
    t.script(
        (decisions.GROWTH, decisions.GROWTH_DISTRICT),
        (decisions.PLACE_DISTRICT, t.at((-2, 0)) * 8 + names.CAMPUS),
        (decisions.DISPLACED_TOKEN, ZERO),
    )
    t.resolve(0, "Mysticism", 1)
    assert t.owner(ZERO) == 0


@pytest.mark.rule("T4.8")
def test_an_encampment_strikes_the_army_of_seat_0_on_space_0():
    t = table()
    t.district(1, "Encampment", (-2, 0), reinforced=True)
    t.army(0, ZERO)
    use(t, names.ENCAMPMENT, (decisions.DISTRICT_EFFECT, FIRST), p=1)
    assert t.g.army[0, 0] == state.ON_CARD


@pytest.mark.rule("T4.8")
def test_an_encampment_strikes_the_right_one_of_two_armies():
    t = table(leaders=("Rome", "Egypt", "France"))
    t.capital(2, (0, 3))
    t.district(0, "Encampment", (-2, 0))
    t.token(0, ZERO)
    for p in (1, 2):
        t.army(p, ZERO)
    army = decisions.ARMY_OPTION + 2 * 256
    use(
        t,
        names.ENCAMPMENT,
        (decisions.DISTRICT_EFFECT, FIRST),
        (decisions.DISTRICT_SPACE, army),
        (decisions.DISTRICT_EFFECT, SECOND),
        (decisions.DISTRICT_SPACE, ZERO),
    )
    assert (t.g.army[1, 0], t.g.army[2, 0]) == (0, state.ON_CARD)
    assert t.piece(ZERO) == "reinforced_token"


@pytest.mark.rule("T4.9")
@pytest.mark.rule("T4.10")
def test_cities_and_tokens_of_districts_may_go_on_space_0():
    t = table()
    t.district(0, "Industrial Zone", (-2, 0))
    t.trade(0, "industry", 3)
    use(t, names.INDUSTRIAL_ZONE, (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, ZERO))
    assert t.piece(ZERO) == "city"
    t = table()
    t.district(0, "Theater Square", (-2, 0))
    use(t, names.THEATER_SQUARE, (decisions.DISTRICT_EFFECT, FIRST), (decisions.PLACE_TOKEN, ZERO))
    assert t.owner(ZERO) == 0


@pytest.mark.rule("T12.22")
@pytest.mark.effect("Globalization")
def test_the_named_district_on_space_0_is_used():
    t = table((-2, 0), terrain={ZERO: "mountain"})
    t.district(0, "Campus", ZERO)
    t.script((decisions.DISTRICT_EFFECT, FIRST))
    t.call(growth.use_everywhere, 0, names.CAMPUS)
    t.require_script_done()
    assert t.trade_on(0, "science") == 1


@pytest.mark.rule("T12.19")
def test_water_beside_a_district_on_space_0_is_a_polder():
    t = table(leaders=("Netherlands", "Egypt"), terrain={(-2, 0): "water"})
    t.district(0, "Campus", ZERO)
    assert districts.is_polder(t.g, 0, t.at((-2, 0)))


@pytest.mark.rule("T4.6")
@pytest.mark.rule("T12.15")
def test_space_0_lies_around_and_beside_like_any_other():
    t = table(terrain={ZERO: "mountain"})
    t.token(0, ZERO)
    t.district(0, "Campus", (-2, 0))
    assert districts.spaces_around(t.g, 0, t.at((-2, 0)), names.MOUNTAIN) == 1
    t.army(0, (-2, 0))
    assert growth.army_beside(t.g, 0, t.at(ZERO))
    t.army(0, ZERO)
    assert growth.army_beside(t.g, 0, t.at((-2, 0)))
    t.army(0, None)
    assert not any(growth.army_beside(t.g, 0, s) for s in range(t.g.n_spaces))


# --- exactly what is offered


def within(t, distance, *middles):
    """Return the spaces so near to one of the middles."""
    steps = [(q - a, r - b, (q, r)) for q, r in t.coordinates for a, b in middles]
    return {space for q, r, space in steps if max(abs(q), abs(r), abs(q + r)) <= distance}


@pytest.mark.rule("T4.9")
@pytest.mark.rule("T11.2")
def test_a_zones_cities_are_exactly_the_legal_spaces_near():
    t = table((-3, 1), terrain={(1, 0): "water"})
    t.district(0, "Industrial Zone", (0, 0))
    t.token(1, (0, 1))
    t.trade(0, "industry", 3)
    use(t, names.INDUSTRIAL_ZONE, (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 0)))
    assert t.options(decisions.CITY_SPACE) == t.spaces(
        *within(t, 2, (0, 0), (-3, 1)) - within(t, 1, (-3, 1), (3, 0)) - {(1, 0), (0, 1)}
    )


@pytest.mark.rule("T4.9")
def test_a_zone_without_the_second_option_sells_no_city():
    rules = np.asarray(ti_rules()).reshape(1).copy().view(np.recarray)[0]
    rules.zone_city = 0
    t = table(rules=rules)
    t.district(0, "Industrial Zone", (-2, 0))
    t.trade(0, "industry", 3)
    use(t, names.INDUSTRIAL_ZONE)
    assert t.asked() == []


@pytest.mark.rule("T4.5")
def test_a_district_used_is_not_offered_again():
    t = table(terrain={(1, 0): "mountain", (-1, 0): "forest", (0, 1): "desert"})
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


@pytest.mark.rule("T4.9")
def test_a_zones_city_is_paid_from_an_industry_card_in_the_place_of_the_culture_card():
    """As Oxford University lets it be gained."""
    t = table()
    t.district(0, "Industrial Zone", (1, 0))
    culture = t.holder(0, "culture")
    assert culture == 0
    replace_card(t.r, t.g, t.w, 0, culture, names.INDUSTRY * names.N_LEVELS + 1)
    t.g.trade[0, culture] = 3
    use(t, names.INDUSTRIAL_ZONE, (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, (0, 2)))
    assert (t.piece((0, 2)), t.g.trade[0, culture]) == ("city", 0)


# --- trade tokens of the growth card


@pytest.mark.rule("T4.1")
def test_a_house_rule_lets_a_trade_token_reinforce_two(tmp_path):
    effect = {"growth": {"reinforce_tokens": 2}}
    t = table(rules=ti_rules_with(tmp_path, focus_cards={"trade_token_effect": effect}))
    t.token(0, (1, 0), (0, 1), (-1, 0), (0, -1))
    t.trade(0, "growth", 2)
    t.script(
        (decisions.GROWTH, PASS),
        *[(decisions.REINFORCE, space) for space in ((1, 0), (0, 1), (-1, 0))],
        (decisions.REINFORCE, PASS),
    )
    t.resolve(0, "Irrigation", 1)
    assert t.trade_on(0, "growth") == 0
    assert sum(t.piece(space) == "reinforced_token" for space in ((1, 0), (0, 1), (-1, 0), (0, -1))) == 3


@pytest.mark.rule("T4.1")
@pytest.mark.rule("T12.20")
def test_americas_natural_wonder_reinforces_whatever_its_resource():
    t = table(leaders=("America", "Egypt"))
    # The world wonder with the number 0 takes its resource.
    wonder = next(i for i in range(t.r.n_natural_wonders) if t.r.wonder_pays[0, t.r.natural_wonder_resource[i]])
    t.natural_wonder(names.NATURAL_WONDERS[wonder], (-1, 0))
    t.token(0, (-1, 0), reinforced=True)
    t.token(0, (1, 0))
    t.g.natural_wonder_holder[wonder] = t.holder(0, "growth")
    t.script((decisions.GROWTH, PASS), (decisions.REINFORCE, (1, 0)))
    t.resolve(0, "Irrigation", 1)
    assert t.piece((1, 0)) == "reinforced_token"


# --- what follows


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Encampment")
def test_the_giver_of_a_pact_strikes_with_its_encampment_and_the_holder_answers():
    t = table()
    t.diplomacy(1, 0, "Non-Aggression Pact")
    t.district(0, "Encampment", (1, 0), reinforced=True)
    t.army(1, (2, 0))
    place = 0 if t.row(1)[0] != "military" else 1
    use(t, names.ENCAMPMENT, (decisions.DISTRICT_EFFECT, FIRST), (decisions.NON_AGGRESSION, place))
    assert t.row(1)[place] == "military"
    assert t.g.diplomacy[0].tolist().count(1) == 0


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


@pytest.mark.effect("Scholarly")
def test_wonders_of_a_type_are_asked_for_in_this_box_too():
    r = ti_rules()
    card = next(c for c in range(r.n_victory_cards) if r.agenda_type[c, 1] == names.SCIENCE)
    t = table()
    t.city(0, (-2, 0))
    t.wonder("Oracle", (0, 0))
    t.wonder("Stonehenge", (-2, 0))
    assert not counts.agenda_met(t.r, t.g, 0, card, 1)
    t.city(0, (0, 2))
    t.wonder("Pyramids", (0, 2))
    assert counts.agenda_met(t.r, t.g, 0, card, 1)


@pytest.mark.effect("Civilized")
@pytest.mark.effect("Preservationist")
def test_cities_and_natural_wonders_are_counted_in_this_box_too():
    t = table()
    t.city(0, (-2, 0))
    t.natural_wonder("Mt. Everest", (-1, 1))
    t.token(0, (-1, 1))
    counted = {what: counts.metric(t.r, t.g, 0, what, -1) for what in (names.METRIC_CITIES, names.METRIC_NATURAL_WONDERS)}
    assert counted == {names.METRIC_CITIES: 2, names.METRIC_NATURAL_WONDERS: 1}


# --- the last space, other numbers of house rules, and what else was let through

LAST = (3, 0)


@pytest.mark.rule("T4.8")
@pytest.mark.rule("T4.9")
def test_the_last_space_is_looked_at_too():
    t = Table(rules=ti_rules(), leaders=("Rome", "Egypt"))
    assert t.at(LAST) == t.g.n_spaces - 1
    t.capital(0, (0, 0))
    t.capital(1, ZERO)
    t.district(0, "Encampment", (2, 0))
    t.district(0, "Industrial Zone", (1, 1))
    t.trade(0, "industry", 3)
    t.army(1, LAST)
    use(t, names.ENCAMPMENT, (decisions.DISTRICT_EFFECT, FIRST))
    assert t.g.army[1, 0] == state.ON_CARD
    use(t, names.INDUSTRIAL_ZONE, (decisions.DISTRICT_EFFECT, SECOND), (decisions.CITY_SPACE, LAST))
    assert t.piece(LAST) == "city"


@pytest.mark.rule("T4.8")
def test_an_encampments_two_reaches_are_two_numbers():
    rules = np.asarray(ti_rules()).reshape(1).copy().view(np.recarray)[0]
    rules.camp_reinforce_range = 1
    t = table(rules=rules)
    t.district(0, "Encampment", (-2, 0))
    t.token(0, (-2, 1), (-1, 1))
    t.barbarian("A", (-2, 2))
    use(
        t,
        names.ENCAMPMENT,
        (decisions.DISTRICT_EFFECT, FIRST),
        (decisions.DISTRICT_EFFECT, SECOND),
        (decisions.DISTRICT_SPACE, (-2, 0)),
    )
    assert t.options(decisions.DISTRICT_SPACE) == t.spaces((-2, 0), (-2, 1))


@pytest.mark.rule("T4.3")
def test_a_house_rules_card_places_two_districts():
    rules = np.asarray(ti_rules()).reshape(1).copy().view(np.recarray)[0]
    rules.card_districts[names.GROWTH * names.N_LEVELS] = 2
    t = table(rules=rules)
    places = [(decisions.PLACE_DISTRICT, t.at(space) * 8 + d) for d, space in enumerate(((1, 0), (0, 1)))]
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), *places)
    t.resolve(0, "Irrigation", 1)
    assert (t.district_on((1, 0)), t.district_on((0, 1))) == ("Theater Square", "Campus")


@pytest.mark.rule("T12.14")
@pytest.mark.effect("Stonehenge")
def test_a_displaced_token_is_placed_and_sets_off_what_waits_for_that():
    t = table(leaders=("Aztec", "Egypt"), terrain={(2, 0): "hills", (3, -1): "hills"})
    t.wonder("Stonehenge", (0, 0))
    t.token(0, (1, 0))
    options = [
        (decisions.GROWTH, decisions.GROWTH_DISTRICT),
        (decisions.PLACE_DISTRICT, t.at((1, 0)) * 8 + names.CAMPUS),
        (decisions.DISPLACED_TOKEN, (2, 0)),
    ]
    t.script(*options, (decisions.PLACE_TOKEN, (3, -1)))
    t.resolve(0, "Mysticism", 1)
    assert (t.owner((2, 0)), t.owner((3, -1))) == (0, 0)


@pytest.mark.rule("T12.14")
@pytest.mark.effect("Mysticism")
def test_the_displaced_token_may_be_the_only_one_at_home():
    t = table(leaders=("Aztec", "Egypt"))
    t.token(0, (1, 0))
    t.g.tokens_left[0] = 0
    t.script(
        (decisions.GROWTH, decisions.GROWTH_DISTRICT),
        (decisions.PLACE_DISTRICT, t.at((1, 0)) * 8 + names.CAMPUS),
        (decisions.DISPLACED_TOKEN, (2, 0)),
    )
    t.resolve(0, "Mysticism", 1)
    assert (t.owner((2, 0)), t.g.tokens_left[0]) == (0, 0)


@pytest.mark.rule("T12.22")
@pytest.mark.effect("Globalization")
def test_who_lacks_the_named_district_gets_nothing():
    t = table()
    t.district(0, "Commercial Hub", (1, 0))
    t.token(1, (2, 0), (2, 1), (3, -1))
    assert t.mature(1, (3, 0))
    t.script(*[(decisions.DISTRICT_EFFECT, FIRST)] * 2)
    t.call(growth.use_everywhere, 0, names.COMMERCIAL_HUB)
    assert t.g.trade[1].sum() == 0
    assert t.asked() == []


@pytest.mark.rule("T9.2")
def test_a_used_up_deck_tempts_nobody():
    t = table()
    t.deck("Stonehenge")
    for _ in range(4):
        t.call(turn.resolve_icons, names.ICON_WONDER)
    assert t.g.wonder_trade.sum() == 0


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Prolific")
@pytest.mark.effect("Progressive")
@pytest.mark.parametrize(
    ("wonders", "most", "eras", "types"),
    [
        ((), 0, 0, 0), (("Big Ben",), 1, 1, 1), (("Big Ben", "Sydney Opera House"), 2, 1, 2),
        (("Big Ben", "Stonehenge"), 1, 2, 2),
    ],
)  # fmt: skip
def test_wonders_are_counted_by_era_and_type(wonders, most, eras, types):
    t = table()
    for space, wonder in zip(((0, 0), (-2, 0)), wonders, strict=False):
        if space != (0, 0):
            t.city(0, space)
        t.wonder(wonder, space)
    assert counts.most_of_one_era(t.r, t.g, 0) == most
    assert counts.eras_held(t.r, t.g, 0) == eras
    assert counts.wonder_types_held(t.g, 0) == types


# --- T12.22 Globalization, T4.3 Chichen Itza


@pytest.mark.rule("T12.22")
@pytest.mark.effect("Globalization")
def test_a_district_that_only_the_last_player_has_may_be_named():
    t = table(terrain={(2, 0): "mountain"})
    t.district(1, "Campus", (2, 0))
    t.script((decisions.DISTRICT_EFFECT, FIRST))
    t.call(growth.name_district, 0)
    t.require_script_done()
    assert t.trade_on(1, "science") == 1


@pytest.mark.rule("T4.3")
@pytest.mark.rule("B5.2")
@pytest.mark.effect("Chichen Itza")
@pytest.mark.parametrize("ignored", [False, True])
def test_the_slot_limits_the_forests_of_chichen_itza_for_districts_unless_the_ruling_says_otherwise(ignored):
    rules = ti_rules().copy()
    rules["chichen_itza_ignores_difficulty"] = ignored
    t = table(rules=rules, terrain={ZERO: "forest"})
    t.wonder("Chichen Itza", (0, 0))
    assert growth.district_fits(t.r, t.g, 0, t.at(ZERO), 1) == ignored
    assert growth.district_fits(t.r, t.g, 0, t.at(ZERO), 3)
