"""T4.1 to T4.4: growth cards, reinforcing with them, and districts as control tokens."""

from functools import partial

import pytest
from table import AROUND, FIRST_SPACE, LAST_SPACE, PASS, Table, disc, rome_with, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, counts, culture, decisions, growth, pieces, turn

EVERY_TYPE = {0, 1, 2, 3, 4}

table = partial(ti_table_with, (0, 0), (3, 0))


def place(t, space, district=names.CAMPUS):
    """Return the option of placing the district on the space."""
    return t.at(space) * 8 + district


def build(t, space, district=names.CAMPUS, *more, card="Irrigation", slot=1, part=decisions.GROWTH_DISTRICT):
    """Let seat 0 place the district on the space with a growth card."""
    t.script((decisions.GROWTH, part), (decisions.PLACE_DISTRICT, place(t, space, district)), *more)
    t.resolve(0, card, slot)


def offered(t, nth=0):
    """Return the spaces and the types of districts that were offered."""
    options = t.options(decisions.PLACE_DISTRICT, nth)
    return {option // 8 for option in options}, {option % 8 for option in options}


def ask_district(t, slot=1):
    """Resolve Irrigation for a district, take the last option, and return the spaces offered."""
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT))
    t.resolve(0, "Irrigation", slot)
    return offered(t)[0]


# --- the cards


@pytest.mark.effect("Irrigation")
@pytest.mark.rule("T4.3")
def test_irrigation_places_a_district_of_any_type_next_to_a_friendly_city():
    t = table()
    build(t, (1, 0), names.ENCAMPMENT)
    assert offered(t) == (t.spaces(*AROUND), EVERY_TYPE)
    assert t.district_on((1, 0)) == "Encampment"
    assert (t.owner((1, 0)), t.piece((1, 0))) == (0, "token")
    assert t.g.district_space[0, names.ENCAMPMENT] == t.at((1, 0))


@pytest.mark.rule("T4.2")
@pytest.mark.rule("T11.6")
@pytest.mark.parametrize("card", ["Irrigation", "Engineering"])
def test_a_player_with_all_five_districts_on_the_map_cannot_lift_one(card):
    t = table()
    for district, space in zip(names.DISTRICTS, AROUND, strict=False):
        t.district(0, district, space)
    before = t.g.district_space[0].tolist()
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT))
    t.resolve(0, card, 5)
    assert not {"place_district", "take_off"} & set(t.asked_kinds())
    assert t.g.district_space[0].tolist() == before
    pieces.take_token_off(t.r, t.g, t.w, t.at(AROUND[0]), -1)  # one that has come back may be placed again
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT))
    t.resolve(0, card, 5)
    assert offered(t)[1] == {0}


@pytest.mark.effect("Irrigation")
def test_irrigation_places_or_reinforces_but_not_both():
    t = table()
    t.token(0, (1, 0))
    t.script((decisions.GROWTH, decisions.GROWTH_REINFORCE), (decisions.REINFORCE, (1, 0)))
    t.resolve(0, "Irrigation", 1)
    assert t.options(decisions.GROWTH) == {decisions.GROWTH_DISTRICT, decisions.GROWTH_REINFORCE}
    assert t.piece((1, 0)) == "reinforced_token"
    assert "place_district" not in t.asked_kinds()
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT))
    t.resolve(0, "Irrigation", 1)
    assert "reinforce" not in t.asked_kinds()


@pytest.mark.effect("Irrigation")
@pytest.mark.rule("T11.5")
def test_a_growth_card_may_be_resolved_to_no_effect():
    t = table()
    t.token(0, (1, 0))
    t.script((decisions.GROWTH, PASS))
    t.resolve(0, "Irrigation", 5)
    assert t.asked_kinds() == ["growth"]
    assert t.g.district.sum() == 0


@pytest.mark.effect("Irrigation")
@pytest.mark.parametrize("slot", [1, 2, 3])
def test_a_growth_card_reinforces_up_to_its_slot_number(slot):
    t = table()
    t.token(0, *AROUND[:4])
    t.script((decisions.GROWTH, decisions.GROWTH_REINFORCE), *[(decisions.REINFORCE, space) for space in AROUND[:slot]])
    t.resolve(0, "Irrigation", slot)
    assert sum(t.piece(space) == "reinforced_token" for space in AROUND) == slot
    assert t.asked_kinds() == ["growth"] + ["reinforce"] * slot


@pytest.mark.rule("T4.1")
@pytest.mark.parametrize("more", [0, 2])
def test_a_growth_card_reinforces_as_many_tokens_as_its_slot_and_what_abilities_add(more):
    t = rome_with({"effect": "reinforcements", "amount": more}, seats=2, box="terra-incognita")
    around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    t.token(0, *around)
    t.g.trade[0] = 0
    t.script((decisions.GROWTH, decisions.GROWTH_REINFORCE), *[(decisions.REINFORCE, space) for space in around[: 2 + more]])
    t.resolve(0, "Irrigation", 2)
    assert sum(t.piece(space) == "reinforced_token" for space in around) == 2 + more
    assert t.asked_kinds().count("reinforce") == 2 + more


@pytest.mark.effect("Engineering")
@pytest.mark.rule("T11.4")
def test_engineering_adds_a_token_next_to_any_own_district():
    t = table()
    t.district(0, "Campus", (2, -2))
    build(t, (-1, 0), names.ENCAMPMENT, (decisions.PLACE_TOKEN, (3, -3)), card="Engineering")
    near_new = [(-2, 0), (-2, 1), (-1, 1), (-1, -1), (0, -1)]
    near_old = [(3, -3), (2, -3), (3, -2), (2, -1), (1, -1), (1, -2)]
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*near_new, *near_old)
    assert t.piece((3, -3)) == "token"


@pytest.mark.effect("Engineering")
@pytest.mark.rule("T11.4")
@pytest.mark.rule("T11.5")
def test_engineerings_token_needs_no_new_district_and_is_not_optional():
    t = table()
    for district, space in zip(names.DISTRICTS, AROUND, strict=False):
        t.district(0, district, space)
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), (decisions.PLACE_TOKEN, (2, 0)))
    t.resolve(0, "Engineering", 1)
    assert "place_district" not in t.asked_kinds()
    assert PASS not in t.asked()[-1][2]
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("Engineering")
def test_engineerings_token_obeys_the_slot():
    t = table(terrain={(2, 0): "hills", (2, -1): "grassland"})
    build(t, (1, 0), names.CAMPUS, (decisions.PLACE_TOKEN, (2, -1)), card="Engineering", slot=1)
    assert t.at((2, 0)) not in t.options(decisions.PLACE_TOKEN)
    t = table(terrain={(2, 0): "hills"})
    build(t, (1, 0), names.CAMPUS, (decisions.PLACE_TOKEN, (2, 0)), card="Engineering", slot=2)
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("Engineering")
def test_engineerings_token_does_not_come_with_reinforcing():
    t = table()
    t.district(0, "Campus", (1, 0))
    t.script((decisions.GROWTH, decisions.GROWTH_REINFORCE), (decisions.REINFORCE, (1, 0)))
    t.resolve(0, "Engineering", 1)
    assert "place_token" not in t.asked_kinds()


@pytest.mark.effect("Sanitation")
def test_sanitation_places_a_district_and_then_reinforces_it_too():
    t = table()
    build(t, (1, 0), names.CAMPUS, (decisions.REINFORCE, (1, 0)), card="Sanitation", part=decisions.GROWTH_ALL)
    assert t.options(decisions.GROWTH) == {decisions.GROWTH_ALL}
    assert t.piece((1, 0)) == "reinforced_token"


@pytest.mark.effect("Sanitation")
@pytest.mark.rule("T11.4")
def test_sanitation_reinforces_without_a_new_district():
    t = table()
    for district, space in zip(names.DISTRICTS, AROUND, strict=False):
        t.district(0, district, space)
    t.script((decisions.GROWTH, decisions.GROWTH_ALL), (decisions.REINFORCE, (1, 0)), (decisions.REINFORCE, (0, 1)))
    t.resolve(0, "Sanitation", 2)
    assert (t.piece((1, 0)), t.piece((0, 1)), t.piece((-1, 1))) == ("reinforced_token", "reinforced_token", "token")


@pytest.mark.effect("Globalization")
@pytest.mark.rule("T12.22")
def test_globalization_lets_everybody_use_the_named_district_from_its_owner_clockwise():
    t = table(leaders=("Rome", "Egypt", "France"), terrain={(0, 1): "mountain", (3, -1): "mountain", (-3, 1): "mountain"})
    t.capital(2, (-3, 0))
    t.district(0, "Campus", (0, 1))
    t.district(2, "Campus", (-3, 1))
    t.district(1, "Campus", (3, -1))
    t.g.current = 1
    choices = [
        (decisions.GROWTH, decisions.GROWTH_ALL),
        (decisions.PLACE_DISTRICT, place(t, (2, 0), names.ENCAMPMENT)),
        (decisions.NAME_DISTRICT, names.CAMPUS),
    ]
    t.script(*choices, *[(decisions.DISTRICT_EFFECT, 0)] * 3)
    t.resolve(1, "Globalization", 1)
    assert t.options(decisions.NAME_DISTRICT) == {names.CAMPUS, names.ENCAMPMENT}
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.DISTRICT_EFFECT] == [1, 2, 0]
    assert [t.trade_on(p, "science") for p in range(3)] == [1, 1, 1]


@pytest.mark.effect("Globalization")
@pytest.mark.rule("T11.4")
def test_globalization_names_a_district_without_placing_one_and_then_reinforces():
    t = table(terrain={(1, 0): "mountain"})
    for district, space in zip(names.DISTRICTS, AROUND, strict=False):
        t.district(0, district, space)
    campus = AROUND[names.CAMPUS]
    t.script(
        (decisions.GROWTH, decisions.GROWTH_ALL),
        (decisions.NAME_DISTRICT, names.CAMPUS),
        (decisions.DISTRICT_EFFECT, 0),
        (decisions.REINFORCE, campus),
    )
    t.resolve(0, "Globalization", 1)
    assert "place_district" not in t.asked_kinds()
    assert t.options(decisions.NAME_DISTRICT) == EVERY_TYPE
    assert (t.trade_on(0, "science"), t.piece(campus)) == (1, "reinforced_token")


@pytest.mark.effect("Globalization")
def test_globalization_names_nothing_while_no_district_is_on_the_map():
    t = table()
    t.g.cities_left[0] = 0
    for space in AROUND:
        t.g.terrain[t.at(space)] = names.WATER
    t.script((decisions.GROWTH, decisions.GROWTH_ALL))
    t.resolve(0, "Globalization", 1)
    assert t.asked_kinds() == ["growth"]


@pytest.mark.rule("T12.22")
@pytest.mark.effect("Globalization")
def test_the_named_district_on_space_0_is_used():
    t = ti_table_with((-2, 0), (3, 0), terrain={FIRST_SPACE: "mountain"})
    t.district(0, "Campus", FIRST_SPACE)
    t.script((decisions.DISTRICT_EFFECT, FIRST))
    t.call(growth.use_everywhere, 0, names.CAMPUS)
    t.require_script_done()
    assert t.trade_on(0, "science") == 1


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


@pytest.mark.rule("T12.22")
@pytest.mark.effect("Globalization")
def test_a_district_that_only_the_last_player_has_may_be_named():
    t = table(terrain={(2, 0): "mountain"})
    t.district(1, "Campus", (2, 0))
    t.script((decisions.DISTRICT_EFFECT, FIRST))
    t.call(growth.name_district, 0)
    t.require_script_done()
    assert t.trade_on(1, "science") == 1


@pytest.mark.rule("T12.22")
def test_where_no_district_lies_none_is_named():
    t = ti_table_with((0, 0), LAST_SPACE)
    t.script()
    t.call(growth.name_district, 0)
    assert t.asked() == []
    t.district(1, "Encampment", (2, 0))
    t.token(1, (1, 0))
    t.script((decisions.DISTRICT_EFFECT, 1), (decisions.DISTRICT_SPACE, (1, 0)))
    t.call(growth.name_district, 0)
    assert t.piece((1, 0)) == "reinforced_token"


# --- Mysticism, Military Engineering


def displace(t, *more, card="Mysticism", space=(1, 0)):
    """Let seat 0 place a campus in place of its control token on the space."""
    t.token(0, space, reinforced=True)
    build(t, space, names.CAMPUS, *more, card=card)


@pytest.mark.effect("Mysticism")
@pytest.mark.rule("T12.14")
def test_mysticism_lays_the_displaced_token_next_to_the_new_district_on_any_terrain():
    t = table(leaders=("Aztec", "Egypt"), terrain={(2, 0): "mountain", (2, -1): "water"})
    displace(t, (decisions.DISPLACED_TOKEN, (2, 0)))
    assert t.options(decisions.DISPLACED_TOKEN) == t.spaces((2, 0), (0, 1), (1, 1), (1, -1))
    assert (t.piece((2, 0)), t.owner((2, 0)), t.district_on((2, 0))) == ("token", 0, None)
    assert t.district_on((1, 0)) == "Campus"
    assert t.g.tokens_left[0] == t.r.tokens_per_player - 1


@pytest.mark.effect("Mysticism")
@pytest.mark.rule("T12.14")
def test_mysticisms_token_may_go_to_any_free_side_of_the_new_district():
    t = table(leaders=("Aztec", "Egypt"))
    displace(t, (decisions.DISPLACED_TOKEN, (2, -1)))
    assert t.options(decisions.DISPLACED_TOKEN) == t.spaces((2, 0), (2, -1), (0, 1), (1, 1), (1, -1))
    assert t.owner((2, -1)) == 0


@pytest.mark.effect("Mysticism")
def test_mysticisms_token_is_not_offered_a_place_off_the_map():
    t = Table(rules=ti_rules(), leaders=("Aztec", "Egypt"), spaces=[(0, 0), (1, 0), (2, 0), (3, 0)])
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    displace(t, (decisions.DISPLACED_TOKEN, PASS))
    assert [options for kind, _, options in t.asked() if kind == decisions.DISPLACED_TOKEN] == [[t.at((2, 0)), PASS]]


@pytest.mark.effect("Mysticism")
@pytest.mark.rule("T12.14")
def test_mysticisms_token_may_stay_at_home():
    t = table(leaders=("Aztec", "Egypt"))
    displace(t, (decisions.DISPLACED_TOKEN, PASS))
    assert t.g.tokens_left[0] == t.r.tokens_per_player


@pytest.mark.effect("Mysticism")
@pytest.mark.rule("T12.14")
def test_only_mysticism_moves_a_token_and_only_a_displaced_one():
    t = table()
    displace(t, card="Irrigation")
    assert "displaced_token" not in t.asked_kinds()
    t = table(leaders=("Aztec", "Egypt"))
    build(t, (1, 0), card="Mysticism")
    assert "displaced_token" not in t.asked_kinds()


@pytest.mark.effect("Mysticism")
@pytest.mark.rule("T12.14")
def test_a_district_that_mysticism_displaces_is_no_displaced_token(tmp_path):
    t = table(rules=ti_rules_with(tmp_path, rulings={"district_over_district": "allowed"}), leaders=("Aztec", "Egypt"))
    t.district(0, "Encampment", (1, 0))
    build(t, (1, 0), names.CAMPUS, card="Mysticism")
    assert "displaced_token" not in t.asked_kinds()


@pytest.mark.rule("T12.14")
def test_a_displaced_token_may_be_laid_on_space_0():
    t = ti_table_with((-1, 0), (3, 0), leaders=("Aztec", "Egypt"))
    t.token(0, (-2, 0))
    t.script(
        (decisions.GROWTH, decisions.GROWTH_DISTRICT),
        (decisions.PLACE_DISTRICT, t.at((-2, 0)) * 8 + names.CAMPUS),
        (decisions.DISPLACED_TOKEN, FIRST_SPACE),
    )
    t.resolve(0, "Mysticism", 1)
    assert t.owner(FIRST_SPACE) == 0


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


@pytest.mark.effect("Military Engineering")
@pytest.mark.rule("T12.15")
def test_military_engineering_reinforces_every_own_token_on_or_next_to_an_own_army():
    t = table(leaders=("Rome", "Egypt"))
    t.token(0, (-2, 0), (-3, 0), (-1, -1), (2, -2))
    t.token(1, (-3, 1))
    t.army(0, (-2, 0))
    t.army(1, (2, -2))
    build(t, (-1, 0), names.CAMPUS, card="Military Engineering", part=decisions.GROWTH_ALL)
    for space in ((-2, 0), (-3, 0), (-1, -1), (-1, 0)):
        assert t.piece(space) == "reinforced_token", space
    assert (t.piece((2, -2)), t.piece((-3, 1))) == ("token", "token")
    assert "reinforce" not in t.asked_kinds()


@pytest.mark.effect("Military Engineering")
@pytest.mark.rule("T12.15")
def test_armies_that_land_in_own_cities_reinforce_around_them():
    t = table()
    t.city(0, (-3, 0))
    t.token(0, (-2, 0), (0, 1))
    build(t, (1, 0), names.CAMPUS, (decisions.ARMY_CITY, (-3, 0)), card="Military Engineering", part=decisions.GROWTH_ALL)
    assert t.options(decisions.ARMY_CITY) == t.spaces((0, 0), (-3, 0))  # mature or not
    assert (t.piece((-2, 0)), t.piece((0, 1)), t.piece((1, 0))) == ("reinforced_token", "token", "token")


@pytest.mark.effect("Military Engineering")
@pytest.mark.rule("T12.15")
@pytest.mark.rule("T11.4")
def test_military_engineering_reinforces_without_a_new_district():
    t = table()
    for district, space in zip(names.DISTRICTS, AROUND, strict=False):
        t.district(0, district, space)
    t.script((decisions.GROWTH, decisions.GROWTH_ALL), (decisions.ARMY_CITY, (0, 0)))
    t.resolve(0, "Military Engineering", 1)
    assert t.options(decisions.GROWTH) == {decisions.GROWTH_ALL}
    assert [t.piece(space) for space in AROUND[:5]] == ["reinforced_token"] * 5


@pytest.mark.effect("Military Engineering")
@pytest.mark.rule("T12.15")
def test_other_growth_cards_reinforce_by_no_army():
    t = table()
    t.token(0, (-2, 0))
    t.army(0, (-2, 0))
    build(t, (-1, 0), names.CAMPUS, card="Sanitation", part=decisions.GROWTH_ALL)
    assert t.piece((-2, 0)) == "token"


# --- T4.1: trade tokens


@pytest.mark.rule("T4.1")
def test_each_trade_token_of_the_growth_card_reinforces_an_own_token_anywhere():
    t = table()
    t.token(0, (-2, 0), (2, -2))
    t.trade(0, "growth", 2)
    build(t, (1, 0), names.CAMPUS, (decisions.REINFORCE, (-2, 0)), (decisions.REINFORCE, (1, 0)))
    assert t.options(decisions.REINFORCE) == t.spaces((-2, 0), (2, -2), (1, 0))
    assert [t.piece(space) for space in ((-2, 0), (1, 0), (2, -2))] == ["reinforced_token", "reinforced_token", "token"]
    assert t.trade_on(0, "growth") == 0


@pytest.mark.rule("T4.1")
@pytest.mark.parametrize("part", [decisions.GROWTH_REINFORCE, PASS])
def test_trade_tokens_reinforce_whatever_else_the_card_does(part):
    t = table()
    t.token(0, (1, 0), (-1, 0))
    t.trade(0, "growth", 1)
    first = [(decisions.REINFORCE, (1, 0))] if part == decisions.GROWTH_REINFORCE else []
    t.script((decisions.GROWTH, part), *first, (decisions.REINFORCE, (-1, 0)))
    t.resolve(0, "Irrigation", 1)
    assert (t.piece((-1, 0)), t.trade_on(0, "growth")) == ("reinforced_token", 0)


@pytest.mark.rule("T4.1")
def test_trade_tokens_of_the_growth_card_may_be_kept_and_change_nothing_else():
    t = table(terrain={(1, 0): "hills"})
    t.token(0, (-1, 0))
    t.trade(0, "growth", 3)
    t.script(
        (decisions.GROWTH, decisions.GROWTH_DISTRICT), (decisions.PLACE_DISTRICT, place(t, (0, 1))), (decisions.REINFORCE, PASS)
    )
    t.resolve(0, "Irrigation", 1)
    assert t.at((1, 0)) not in offered(t)[0]  # trade tokens ease no terrain
    assert (t.trade_on(0, "growth"), t.piece((-1, 0))) == (3, "token")


@pytest.mark.rule("T4.1", "B3.2")
def test_an_agenda_of_reinforced_tokens_is_claimed_before_trade_tokens_reinforce_more():
    r = ti_rules()
    defensive = next(c for c in range(r.n_victory_cards) if names.METRIC_REINFORCED in r.agenda_metric[c])
    t = table(victory=(defensive,))
    near = [space for space in disc(2) if space not in ((0, 0), (1, 0))]
    t.token(0, *near[:14], reinforced=True)
    t.token(0, *near[14:])
    t.g.tokens_left[0] = 0  # the claim takes one off the map
    t.trade(0, "growth", 1)
    t.script(
        (decisions.GROWTH, decisions.GROWTH_REINFORCE),
        (decisions.REINFORCE, near[14]),
        (decisions.TAKE_OFF, near[15]),
        (decisions.REINFORCE, near[16]),
    )
    t.resolve(0, "Irrigation", 1)
    assert t.g.claimed[0, 0] == 1
    assert t.options(decisions.REINFORCE, 1) == t.spaces(near[16])


@pytest.mark.rule("T4.1")
def test_nothing_is_spent_without_a_token_to_reinforce():
    t = table()
    t.token(0, (1, 0), reinforced=True)
    t.trade(0, "growth", 1)
    t.script((decisions.GROWTH, PASS))
    t.resolve(0, "Irrigation", 1)
    assert t.trade_on(0, "growth") == 1


@pytest.mark.rule("T4.1")
def test_a_city_state_token_reinforces_once_a_turn_and_stays():
    t = table()
    t.token(0, (1, 0), (-1, 0))
    t.conquered(0, "Carthage", (-3, 0))
    cs = t.city_state_code("Carthage")
    t.g.city_state_holder[cs] = t.holder(0, "growth")
    t.script((decisions.GROWTH, PASS), (decisions.REINFORCE, (1, 0)))
    t.resolve(0, "Irrigation", 1)
    assert (t.piece((1, 0)), t.piece((-1, 0))) == ("reinforced_token", "token")


@pytest.mark.rule("T4.1")
def test_trade_tokens_may_be_spent_before_globalization_fills_the_card():
    t = table()
    t.token(0, (1, 0))
    t.district(0, "Campus", (-1, 0))
    t.trade(0, "growth", 1)
    t.script(
        (decisions.GROWTH, decisions.GROWTH_ALL),
        (decisions.PLACE_DISTRICT, place(t, (0, 1), names.ENCAMPMENT)),
        (decisions.REINFORCE, (1, 0)),
    )
    t.resolve(0, "Globalization", 1)
    kinds = t.asked_kinds()
    assert kinds.index("reinforce") < kinds.index("name_district")


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


# --- T4.2: districts are control tokens


@pytest.mark.rule("T4.2")
def test_a_district_is_a_friendly_space_and_matures_a_city():
    t = table()
    for district, space in zip(names.DISTRICTS, AROUND, strict=False):
        t.district(0, district, space)
    t.token(0, AROUND[5])
    assert t.mature(0, (0, 0))
    assert t.g.space_count[0] == 7


@pytest.mark.rule("T4.2")
def test_districts_are_not_among_the_control_tokens():
    t = table()
    t.district(0, "Campus", (1, 0))
    assert t.g.tokens_left[0] == t.r.tokens_per_player == 34


@pytest.mark.rule("T4.2")
def test_a_barbarian_sends_an_unreinforced_district_home_and_it_can_be_placed_again():
    t = table()
    t.district(0, "Campus", (1, 0))
    t.barbarian("A", (2, 0))
    t.call(barbarians.raid, 0, 3)  # west
    assert (t.district_on((1, 0)), t.owner((1, 0)), t.g.district_space[0, names.CAMPUS]) == (None, -1, -1)
    assert t.g.tokens_left[0] == t.r.tokens_per_player
    t.g.barbarians[t.at((1, 0))], t.g.barbarian_space[0] = 0, -1
    build(t, (1, 0), names.CAMPUS)
    assert t.district_on((1, 0)) == "Campus"


@pytest.mark.rule("T4.2")
def test_a_barbarian_turns_a_reinforced_district_over():
    t = table()
    t.district(0, "Campus", (1, 0), reinforced=True)
    t.barbarian("A", (2, 0))
    t.call(barbarians.raid, 0, 3)
    assert (t.district_on((1, 0)), t.piece((1, 0))) == ("Campus", "token")


@pytest.mark.rule("T4.2")
def test_a_reinforced_district_counts_as_a_reinforced_token():
    t = table()
    t.district(0, "Campus", (1, 0), reinforced=True)
    assert pieces.reinforced_tokens(t.g, 0) == 1


@pytest.mark.rule("T4.2")
def test_a_city_may_be_built_over_an_own_district_which_goes_home():
    t = table()
    t.district(0, "Campus", (-2, 0))
    t.city(0, (-2, 0))
    assert (t.piece((-2, 0)), t.district_on((-2, 0)), t.g.district_space[0, names.CAMPUS]) == ("city", None, -1)


@pytest.mark.rule("T4.2")
def test_no_district_is_taken_off_the_map_for_a_control_token():
    t = table()
    t.district(0, "Campus", (1, 0))
    t.token(0, (-1, 0))
    t.token(0, (-1, -1))
    t.g.tokens_left[0] = 0
    t.script((decisions.TAKE_OFF, (-1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", 1)
    assert t.options(decisions.TAKE_OFF) == t.spaces((-1, 0), (-1, -1))
    assert t.district_on((1, 0)) == "Campus"


# --- T4.3: placing


@pytest.mark.rule("T4.3")
def test_districts_obey_the_slot():
    t = table(terrain={(1, 0): "hills", (0, 1): "forest"})
    assert ask_district(t, 2) == t.spaces(*AROUND) - t.spaces((0, 1))


@pytest.mark.rule("T4.3")
def test_districts_go_where_control_tokens_may_go():
    t = table(terrain={(1, 0): "water"}, leaders=("Rome", "Egypt"))
    t.city_state("Carthage", (0, 1))
    t.barbarian("A", (-1, 1))
    t.token(1, (-1, 0))
    t.caravan(1, (0, -1))
    assert ask_district(t, 5) == t.spaces((0, -1), (1, -1))


@pytest.mark.rule("T4.3")
@pytest.mark.parametrize("reinforced", [False, True])
def test_a_district_replaces_an_own_token_and_lies_unreinforced(reinforced):
    t = table()
    t.token(0, (1, 0), reinforced=reinforced)
    build(t, (1, 0), names.CAMPUS)
    assert (t.district_on((1, 0)), t.piece((1, 0))) == ("Campus", "token")
    assert t.g.tokens_left[0] == t.r.tokens_per_player
    assert t.g.space_count[0] == 2


@pytest.mark.rule("T4.3")
def test_a_district_replaces_only_tokens_next_to_a_friendly_city():
    t = table()
    t.token(0, (-2, 0))
    assert t.at((-2, 0)) not in ask_district(t, 5)


@pytest.mark.rule("T4.3")
@pytest.mark.parametrize(("ruling", "more"), [("forbidden", []), ("allowed", [(1, 0)])])
def test_a_district_in_place_of_a_district_is_a_ruling(tmp_path, ruling, more):
    t = table(rules=ti_rules_with(tmp_path, rulings={"district_over_district": ruling}))
    t.district(0, "Campus", (1, 0))
    assert ask_district(t) == t.spaces(*AROUND[1:], *more)
    assert offered(t)[1] == EVERY_TYPE - {names.CAMPUS}


@pytest.mark.rule("T4.3")
def test_the_district_it_replaces_goes_home(tmp_path):
    t = table(rules=ti_rules_with(tmp_path, rulings={"district_over_district": "allowed"}))
    t.district(0, "Campus", (1, 0))
    build(t, (1, 0), names.ENCAMPMENT)
    assert (t.district_on((1, 0)), t.g.district_space[0, names.CAMPUS]) == ("Encampment", -1)
    assert t.g.tokens_left[0] == t.r.tokens_per_player


@pytest.mark.rule("T4.3")
def test_a_district_takes_resource_and_natural_wonder():
    t = table()
    t.resource("oil", (1, 0))
    build(t, (1, 0))
    assert (t.g.resources[0, names.RESOURCES.index("oil")], t.g.resource[t.at((1, 0))]) == (1, -1)
    t = table()
    t.natural_wonder("Mt. Everest", (1, 0))
    build(t, (1, 0), slot=5)
    assert t.g.natural_wonder_owner[names.NATURAL_WONDERS.index("Mt. Everest")] == 0


@pytest.mark.rule("T4.3")
def test_a_district_over_the_own_token_keeps_the_natural_wonder():
    t = table()
    t.natural_wonder("Mt. Everest", (1, 0))
    t.token(0, (1, 0))
    build(t, (1, 0), slot=5)
    assert t.g.natural_wonder_owner[names.NATURAL_WONDERS.index("Mt. Everest")] == 0


@pytest.mark.rule("T4.3")
def test_culture_cards_place_no_district_and_none_goes_over_a_district():
    t = table()
    t.district(0, "Campus", (1, 0))
    t.script((decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", 1)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*AROUND[1:])
    assert t.district_on((0, 1)) is None


@pytest.mark.rule("T4.3")
@pytest.mark.parametrize(("ruling", "spread"), [("triggers", True), ("does_not_trigger", False)])
def test_placing_a_district_sets_off_stonehenge_by_ruling(tmp_path, ruling, spread):
    rules = ti_rules_with(tmp_path, rulings={"district_triggers_placing": ruling})
    t = table(rules=rules, terrain={(1, 0): "hills", (2, 0): "hills"})
    t.wonder("Stonehenge", (0, 0))
    more = [(decisions.PLACE_TOKEN, (2, 0))] if spread else []
    build(t, (1, 0), names.CAMPUS, *more, slot=2)
    assert (t.owner((2, 0)) == 0) == spread


@pytest.mark.rule("T4.3")
def test_chichen_itza_lets_districts_into_forests_without_a_city():
    t = table(terrain={(-3, 0): "forest"})
    t.wonder("Chichen Itza", (0, 0))
    assert ask_district(t, 1) == t.spaces(*AROUND) | ({t.at((-3, 0))} if t.r.chichen_itza_ignores_difficulty else set())
    assert ask_district(t, 3) >= t.spaces((-3, 0))


FIRST, SECOND = 0, 1


FIRST, SECOND = 0, 1


@pytest.mark.rule("T4.3")
def test_a_district_may_lie_on_space_0_and_is_used_there():
    t = ti_table_with((-2, 0), (3, 0), terrain={FIRST_SPACE: "mountain"})
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), (decisions.PLACE_DISTRICT, t.at(FIRST_SPACE) * 8 + names.CAMPUS))
    t.resolve(0, "Irrigation", 5)
    assert t.district_on(FIRST_SPACE) == "Campus"
    assert counts.districts_on_map(t.g, 0) == 1
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT))
    t.resolve(0, "Irrigation", 5)
    assert {option % 8 for option in t.options(decisions.PLACE_DISTRICT)} == {0, 2, 3, 4}
    t.script((decisions.DISTRICT_EFFECT, FIRST))
    t.call(turn.use_districts)
    assert t.trade_on(0, "science") == 1


@pytest.mark.rule("T4.3")
def test_a_house_rules_card_places_two_districts():
    rules = ti_rules().copy()
    rules.card_districts[names.GROWTH * names.N_LEVELS] = 2
    t = table(rules=rules)
    places = [(decisions.PLACE_DISTRICT, t.at(space) * 8 + d) for d, space in enumerate(((1, 0), (0, 1)))]
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), *places)
    t.resolve(0, "Irrigation", 1)
    assert (t.district_on((1, 0)), t.district_on((0, 1))) == ("Theater Square", "Campus")


@pytest.mark.rule("T4.3")
@pytest.mark.rule("B5.2")
@pytest.mark.effect("Chichen Itza")
@pytest.mark.parametrize("ignored", [False, True])
def test_the_slot_limits_the_forests_of_chichen_itza_for_districts_unless_the_ruling_says_otherwise(ignored):
    rules = ti_rules().copy()
    rules["chichen_itza_ignores_difficulty"] = ignored
    t = table(rules=rules, terrain={FIRST_SPACE: "forest"})
    t.wonder("Chichen Itza", (0, 0))
    assert growth.district_fits(t.r, t.g, 0, t.at(FIRST_SPACE), 1) == ignored
    assert growth.district_fits(t.r, t.g, 0, t.at(FIRST_SPACE), 3)


# --- T4.4: losing a district


@pytest.mark.rule("T4.4")
def test_a_district_replaced_by_an_effect_becomes_the_rivals_plain_token():
    t = table()
    t.district(1, "Campus", (1, 0), reinforced=True)
    culture.turn_over(t.r, t.g, t.w, 0, t.at((1, 0)))
    assert (t.owner((1, 0)), t.piece((1, 0)), t.district_on((1, 0))) == (0, "token", None)
    assert (t.g.district_space[1, names.CAMPUS], t.g.tokens_left[1], t.g.tokens_left[0]) == (-1, 34, 33)


@pytest.mark.rule("T4.4")
@pytest.mark.effect("Mass Media")
def test_mass_media_turns_and_then_replaces_a_district():
    t = table()
    t.district(1, "Campus", (1, 0), reinforced=True)
    t.script((decisions.RIVAL_TOKEN, (1, 0)))
    t.call(culture.weaken_token, 0, 2)
    assert (t.piece((1, 0)), t.district_on((1, 0)), t.owner((1, 0))) == ("token", "Campus", 1)
    t.script((decisions.RIVAL_TOKEN, (1, 0)))
    t.call(culture.weaken_token, 0, 2)
    assert (t.owner((1, 0)), t.district_on((1, 0))) == (0, None)


@pytest.mark.rule("T4.4")
def test_drama_and_poetry_moves_a_district_on_a_large_map(tmp_path):
    t = table(rules=ti_rules_with(tmp_path, rulings={"move_district": "moves"}), radius=8)
    t.district(0, "Campus", (7, 0))
    t.script((decisions.MOVE_TOKEN, t.at((7, 0)) * 256 + t.at((8, 0))))
    t.call(culture.move_token, 0)
    assert t.district_on((8, 0)) == "Campus"


@pytest.mark.rule("T4.4")
@pytest.mark.parametrize(("ruling", "moves"), [("moves", True), ("stays", False)])
@pytest.mark.parametrize("reinforced", [False, True])
def test_drama_and_poetry_moves_a_district_by_ruling(tmp_path, ruling, moves, reinforced):
    t = table(rules=ti_rules_with(tmp_path, rulings={"move_district": ruling}))
    t.district(0, "Campus", (1, 0), reinforced=reinforced)
    t.token(0, (-1, 0))
    step = t.at((1, 0)) * 256 + t.at((2, 0))
    t.script((decisions.MOVE_TOKEN, step if moves else t.at((-1, 0)) * 256 + t.at((-2, 0))))
    t.call(culture.move_token, 0)
    assert (step in t.options(decisions.MOVE_TOKEN)) == moves
    assert t.district_on((2, 0) if moves else (1, 0)) == "Campus"
    assert t.g.piece[t.at((2, 0) if moves else (1, 0))] == (names.REINFORCED if reinforced else names.TOKEN)
    assert t.g.tokens_left[0] == t.r.tokens_per_player - 1


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
