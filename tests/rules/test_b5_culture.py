"""B5: culture cards."""

from functools import partial

import pytest
from table import (
    AROUND,
    ENDS,
    LAST_SPACE,
    PAIRS,
    PASS,
    Table,
    bare_state,
    inwards,
    rules_with,
    table_of_three,
    table_with,
    ti_rules,
    used_work,
)

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, culture, decisions, pieces
from newdawn.simulator.engine.choosing import LOG_CHOICE
from newdawn.simulator.engine.pieces import held_natural_wonders
from newdawn.simulator.rules.ruleset_contents import written

LAKE = "Crater Lake"

settled = partial(table_with, (0, 0))


def holder_of_wonder(t, name=LAKE):
    """Return the seat that holds the natural wonder, -1 while its token lies on its space."""
    return int(t.g.natural_wonder_owner[names.NATURAL_WONDERS.index(name)])


def step_of(t, start, end):
    return t.at(start) * 256 + t.at(end)


# --- B5.1


@pytest.mark.rule("B5.1")
@pytest.mark.effect("Early Empire")
def test_two_tokens_next_to_any_friendly_city():
    t = Table(radius=3)
    t.capital(0, (0, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    assert t.piece((1, 0)) == t.piece((0, 1)) == "token"
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.rule("B5.1")
def test_a_trade_token_adds_a_control_token():
    t = Table(radius=3)
    t.capital(0, (0, 0))
    t.trade(0, "culture", 2)
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (0, 1)),
        (decisions.PLACE_TOKEN, (-1, 1)),
        (decisions.PLACE_TOKEN, PASS),
    )
    t.resolve(0, "Early Empire", slot=1)
    assert t.trade_on(0, "culture") == 1


@pytest.mark.rule("B5.1")
def test_trade_tokens_are_only_spent_for_tokens_beyond_those_of_the_card():
    t = settled()
    t.trade(0, "culture", 2)
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=1)
    assert t.trade_on(0, "culture") == 2


@pytest.mark.rule("B5.1")
def test_tokens_go_next_to_different_cities_and_not_next_to_control_tokens_or_rival_cities():
    t = Table(spaces=[(q, 0) for q in range(12)])
    t.capital(0, (0, 0))
    t.city(0, (4, 0))
    t.token(0, (7, 0))
    t.city(1, (10, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (5, 0)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (3, 0), (5, 0))
    assert t.owner((1, 0)) == t.owner((5, 0)) == 0


@pytest.mark.rule("B5.1")
@pytest.mark.parametrize("placed", [0, 1])
def test_fewer_tokens_may_be_placed(placed):
    t = settled()
    t.script(*[(decisions.PLACE_TOKEN, (1, 0))] * placed, (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=5)
    assert int(t.g.tokens_left[0]) == 31 - placed


@pytest.mark.rule("B5.1")
@pytest.mark.parametrize("space", ENDS)
def test_tokens_are_placed_at_either_end_of_the_list_of_spaces(space):
    t = Table()
    t.city(0, inwards(space))
    t.script((decisions.PLACE_TOKEN, space))
    t.resolve(0, "Early Empire", 1)
    assert t.owner(space) == 0


@pytest.mark.rule("B5.1")
@pytest.mark.rule("B1.6")
def test_the_last_trade_token_pays_for_a_control_token_taken_off_the_map():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.token(0, (3, 0))
    t.trade(0, "culture", 1)
    t.g.tokens_left[0] = 2
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (0, 1)),
        (decisions.TAKE_OFF, (3, 0)),
        (decisions.PLACE_TOKEN, (-1, 0)),
    )
    t.resolve(0, "Early Empire", 1)
    assert [t.owner(s) for s in [(1, 0), (0, 1), (-1, 0), (3, 0)]] == [0, 0, 0, -1]
    assert t.trade_on(0, "culture") == 0


def test_what_is_beside_cities_or_districts_is_marked_and_all_where_borders_count():
    r = ti_rules()
    for source, expected in (
        (decisions.SOURCE_CULTURE, [0, 2, 4, 6]),
        (decisions.SOURCE_DISTRICT_TOKEN, [0, 2, 5]),
        (decisions.SOURCE_NEW_CITY, [2, 4]),
        (decisions.SOURCE_BORDER, list(range(7))),
        (decisions.SOURCE_MOUNTAIN, list(range(7))),
        (decisions.SOURCE_APADANA, [0, 6]),
    ):
        g, w = bare_state(line=7), used_work()
        g.cities[1, :2], g.city_count[1] = (1, 5), 2
        g.district_space[1, 0], g.district_space[1, names.N_DISTRICTS - 1] = 1, 6
        g.tile[[0, 6]] = 9
        anchor = 9 if source == decisions.SOURCE_APADANA else 3
        culture.mark_beside(r, g, w, 1, source, anchor)
        assert [s for s in range(7) if w.mark[s]] == expected, source


def test_around_a_space_is_what_lies_on_its_six_sides():
    for d in range(6):
        for n in (0, 5):
            g, w = bare_state(), used_work()
            g.neighbour[3, d] = n
            w.mark[:] = 0
            culture.mark_around(g, w, 3)
            assert [s for s in range(names.MAX_SPACES) if w.mark[s]] == [n]


# --- B5.2


@pytest.mark.rule("B5.2")
def test_never_on_water():
    t = settled(terrain={(1, 0): "water"})
    t.resolve(0, "Early Empire", slot=5)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*AROUND[1:])


@pytest.mark.rule("B5.2")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_not_on_difficulty_above_the_slot(slot):
    by_difficulty = dict(zip(AROUND, ["grassland", "hills", "forest", "desert", "mountain"], strict=False))
    t = settled(terrain={**by_difficulty, AROUND[5]: "water"})
    t.resolve(0, "Early Empire", slot)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*AROUND[:slot])


@pytest.mark.rule("B5.2")
def test_spent_trade_tokens_do_not_raise_the_difficulty_allowed():
    t = settled(terrain=dict.fromkeys(AROUND[2:], "hills"))
    t.trade(0, "culture", 3)
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.trade_on(0, "culture") == 3
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.rule("B5.2")
def test_not_where_a_barbarian_city_city_state_or_control_token_is():
    t = settled()
    t.barbarian("A", (1, 0))
    t.city(1, (0, 1))
    t.city_state("Seoul", (-1, 1))
    t.token(0, (-1, 0))
    t.token(1, (0, -1), reinforced=True)
    t.resolve(0, "Early Empire", slot=5)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, -1))


@pytest.mark.rule("B5.2")
@pytest.mark.parametrize("whose", [0, 1])
def test_a_caravan_there_does_not_matter(whose):
    t = settled()
    t.caravan(whose, (1, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.owner((1, 0)) == 0
    assert int(t.g.caravan[whose, 0]) == t.at((1, 0))


# --- B5.3


@pytest.mark.rule("B5.3")
def test_a_resource_token_goes_to_the_player():
    t = settled()
    t.resource("oil", (1, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=1)
    assert int(t.g.resources[0, names.RESOURCES.index("oil")]) == 1
    assert int(t.g.resource[t.at((1, 0))]) == -1
    assert int(t.g.supply[names.RESOURCES.index("oil")]) == 7


@pytest.mark.rule("B5.3")
def test_a_natural_wonder_token_goes_to_the_player():
    t = settled()
    t.natural_wonder(LAKE, (1, 0))
    assert holder_of_wonder(t) == -1
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=5)
    assert holder_of_wonder(t) == 0


def lake_of(p, reinforced=False, **kw):
    """Return a table where seat `p` holds Crater Lake at (2, 0) with a control token; seat 0's capital is in the middle."""
    t = settled(**kw)
    t.capital(1, (3, -3))
    t.natural_wonder(LAKE, (2, 0))
    t.token(p, (2, 0), reinforced=reinforced)
    assert holder_of_wonder(t) == p
    return t


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize(("reinforced", "holder"), [(False, -1), (True, 1)])
def test_an_effect_that_removes_the_token_returns_the_natural_wonder_to_its_space(reinforced, holder):
    t = lake_of(1, reinforced)
    t.script((decisions.STRIKE, (2, 0)))
    t.resolve(0, "Nuclear Power", slot=5)
    assert holder_of_wonder(t) == holder


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize(("reinforced", "holder"), [(False, -1), (True, 1)])
def test_a_barbarian_that_destroys_the_token_returns_the_natural_wonder_to_its_space(reinforced, holder):
    t = lake_of(1, reinforced)
    t.barbarian("A", (1, 0))
    t.call(barbarians.raid, 0, 0)
    assert holder_of_wonder(t) == holder


@pytest.mark.rule("B5.3")
def test_an_attacker_that_takes_the_space_takes_the_natural_wonder():
    t = lake_of(1)
    t.dice(6, 1)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.resolve(0, "Masonry", slot=5)
    assert (t.owner((2, 0)), holder_of_wonder(t)) == (0, 0)


@pytest.mark.rule("B5.3")
def test_a_beaten_attacker_does_not():
    t = lake_of(1)
    t.dice(1, 6)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.resolve(0, "Masonry", slot=1)
    assert holder_of_wonder(t) == 1


@pytest.mark.rule("B5.3")
def test_a_returned_natural_wonder_can_be_taken_again():
    t = settled()
    t.natural_wonder(LAKE, (1, 0))
    t.token(0, (1, 0))
    t.script((decisions.STRIKE, (1, 0)))
    t.resolve(0, "Nuclear Power", slot=5)
    assert holder_of_wonder(t) == -1
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=5)
    assert holder_of_wonder(t) == 0


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize("place", [0, -1])
def test_the_first_and_the_last_natural_wonder_go_to_whoever_holds_their_space(place):
    t = settled()
    wonder = written(t.r, "natural_wonder")[place]
    t.natural_wonder(wonder, (1, 0))
    held = [held_natural_wonders(t.r, t.g, 0)]
    t.token(0, (1, 0))
    held.append(held_natural_wonders(t.r, t.g, 0))
    pieces.take_token_off(t.r, t.g, t.w, t.at((1, 0)), -1)
    held.append(held_natural_wonders(t.r, t.g, 0))
    assert held == [0, 1, 0]


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize("name", names.NATURAL_WONDERS)
def test_every_natural_wonder_goes_to_who_places_a_token_there_and_back_when_it_leaves(name):
    t = table_of_three(0, 1)
    t.natural_wonder(name, (1, 0))
    i = names.NATURAL_WONDERS.index(name)
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", 5)
    assert int(t.g.natural_wonder_owner[i]) == 0
    t.wonder("Forbidden City", (3, 0))
    t.token(1, (2, 0))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (1, 0)), p=1)
    assert int(t.g.natural_wonder_owner[i]) == -1


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize("kind", names.RESOURCES)
def test_a_control_token_collects_a_resource_of_any_type(kind):
    t = table_of_three(0, 1)
    t.resource(kind, (1, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", 1)
    assert t.g.resources[0].tolist() == [int(name == kind) for name in names.RESOURCES]
    assert int(t.g.resource[t.at((1, 0))]) == -1


# --- B5.3a


def city_on_lake(rules=None):
    """Seat 0 builds a city over its own control token on Crater Lake."""
    t = lake_of(0, rules=rules)
    t.script((decisions.INDUSTRY, (2, 0)))
    t.resolve(0, "Pottery", slot=5)
    assert t.piece((2, 0)) == "city"
    return t


@pytest.mark.rule("B5.3a")
def test_a_city_over_the_own_token_keeps_the_natural_wonder():
    assert holder_of_wonder(city_on_lake()) == 0


@pytest.mark.rule("B5.3a")
def test_with_the_other_ruling_it_returns_to_its_space(tmp_path):
    assert holder_of_wonder(city_on_lake(rules_with(tmp_path, rulings={"city_on_natural_wonder": "gives_it_back"}))) == -1


@pytest.mark.rule("B5.3a")
def test_it_returns_when_the_city_is_destroyed():
    t = city_on_lake()
    t.barbarian("A", (1, 0))
    t.call(barbarians.raid, 0, 0)
    assert t.owner((2, 0)) == -1
    assert holder_of_wonder(t) == -1


@pytest.mark.rule("B5.3a")
def test_it_goes_with_a_conquered_city():
    t = city_on_lake()
    t.token(1, (3, 0))
    t.dice(6, 1)
    t.trade(1, "military", 3)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)), (decisions.SPEND_TRADE, 3))
    t.resolve(1, "Flight", slot=5)  # 6 + 5 + 3 + 3 against 1 + 2 * 5
    assert (t.owner((2, 0)), t.piece((2, 0))) == (1, "city")
    assert holder_of_wonder(t) == 1


# --- the cards


@pytest.mark.effect("Early Empire")
def test_early_empire_places_two_tokens_and_no_third():
    t = settled()
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=5)
    assert int(t.g.tokens_left[0]) == 29


@pytest.mark.effect("Drama and Poetry")
def test_drama_and_poetry_moves_one_own_token_to_an_adjacent_empty_land_space_of_any_difficulty():
    t = settled(terrain={(2, 1): "water", (3, 0): "mountain", (3, -1): "hills"})
    t.token(0, (2, 0), reinforced=True)
    t.token(1, (-2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, step_of(t, (2, 0), (3, 0))))
    t.resolve(0, "Drama and Poetry", slot=1)
    targets = [(1, 0), (1, 1), (3, 0), (3, -1), (2, -1)]  # not onto the water, no rival token
    assert t.options(decisions.MOVE_TOKEN) == {step_of(t, (2, 0), s) for s in targets}
    assert (t.owner((2, 0)), t.owner((3, 0))) == (-1, 0)
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Drama and Poetry")
def test_drama_and_poetry_places_two_tokens_first_and_may_move_one_of_them():
    t = settled()
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), (decisions.MOVE_TOKEN, step_of(t, (1, 0), (2, 0)))
    )
    t.resolve(0, "Drama and Poetry", slot=1)
    assert t.asked_kinds() == ["place_token", "place_token", "move_token"]
    assert (t.owner((1, 0)), t.owner((2, 0)), t.owner((0, 1))) == (-1, 0, 0)


@pytest.mark.effect("Drama and Poetry")
def test_the_move_of_drama_and_poetry_is_optional():
    t = settled()
    t.token(0, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, PASS))
    t.resolve(0, "Drama and Poetry", slot=1)
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("Drama and Poetry")
@pytest.mark.rule("B5.3")
def test_a_token_that_moves_off_a_natural_wonder_leaves_it():
    t = lake_of(0)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, step_of(t, (2, 0), (2, 1))))
    t.resolve(0, "Drama and Poetry", slot=1)
    assert holder_of_wonder(t) == -1


@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize("space", ENDS)
def test_drama_and_poetry_moves_a_token_to_and_from_either_end(space):
    for start, end, reinforced in [(space, inwards(space), True), (inwards(space), space, False)]:
        t = settled()
        t.token(0, start, reinforced=reinforced)
        t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, t.at(start) * 256 + t.at(end)))
        t.resolve(0, "Drama and Poetry", 1)
        assert (t.owner(start), t.owner(end)) == (-1, 0)
        assert t.piece(end) == ("reinforced_token" if reinforced else "token")


@pytest.mark.rule("B1.3")
@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize("name", [names.NATURAL_WONDERS[0], names.NATURAL_WONDERS[-1]])
@pytest.mark.parametrize("taken", [False, True])
def test_a_space_with_its_natural_wonders_token_is_not_empty(name, taken):
    t = settled()
    t.token(0, (2, 0))
    t.natural_wonder(name, (3, 0))
    if taken:
        t.g.natural_wonder_owner[names.NATURAL_WONDERS.index(name)] = 1
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Drama and Poetry", 1)
    assert ((t.at((2, 0)) * 256 + t.at((3, 0))) in t.options(decisions.MOVE_TOKEN)) == taken


@pytest.mark.rule("B1.3")
@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
def test_the_space_of_a_city_state_is_not_empty(name):
    t = settled()
    t.token(0, (2, 0))
    t.city_state(name, (3, 0))
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Drama and Poetry", 1)
    assert t.options(decisions.MOVE_TOKEN)
    assert t.at((3, 0)) not in {move % 256 for move in t.options(decisions.MOVE_TOKEN)}


@pytest.mark.rule("B1.3")
@pytest.mark.effect("Drama and Poetry")
def test_drama_and_poetry_offers_each_step_once_and_then_to_leave_the_tokens_where_they_are():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.token(0, (3, 0))
    t.w.option[:] = 77
    t.script((decisions.MOVE_TOKEN, PASS))
    t.call(culture.move_token, 0)
    steps = [t.at((3, 0)) * 256 + t.at(s) for s in [(2, 0), (2, 1), (3, -1)]]
    (offer,) = t.offers(decisions.MOVE_TOKEN)
    assert sorted(offer[:-1]) == sorted(steps)
    assert offer[-1] == PASS


@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_token_that_holds_any_city_state_does_not_step_off(name):
    t = table_with((0, 0), LAST_SPACE)
    t.g.cities_left[0] = 0
    t.token(0, (2, 0))
    t.city_state(name, (2, 0))
    cs = t.city_state_code(name)
    t.g.city_state[t.at((2, 0))], t.g.city_state_owner[cs] = -1, 0
    t.script()
    t.call(culture.move_token, 0)
    assert t.options(decisions.MOVE_TOKEN) == set()


@pytest.mark.effect("Civil Service")
def test_civil_service_adds_one_token_next_to_any_friendly_space():
    t = settled(terrain={(3, 0): "mountain"})
    t.token(0, (2, 0))
    t.token(1, (-2, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)), (decisions.PLACE_TOKEN, (3, -1)))
    t.resolve(0, "Civil Service", slot=4)
    assert t.options(decisions.PLACE_TOKEN, nth=0) == t.spaces(*AROUND)
    border = t.options(decisions.PLACE_TOKEN, nth=2)
    assert t.spaces((3, -1), (2, 1), (0, 2), (-1, 0)) <= border  # beside tokens, beside the capital
    assert not border & t.spaces((3, 0), (-3, 0), (1, -2))  # too difficult, beside a rival token only, beside nothing
    assert t.owner((3, -1)) == 0
    assert int(t.g.tokens_left[0]) == 27


@pytest.mark.effect("Civil Service")
def test_civil_service_adds_exactly_one_even_if_the_first_two_are_declined():
    t = settled()
    t.token(0, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.PLACE_TOKEN, (3, 0)))
    t.resolve(0, "Civil Service", slot=1)
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.effect("Civil Service")
def test_a_token_beside_any_friendly_space_is_asked_for_without_a_space_it_spreads_from():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.w.ask_space = 7
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS), (decisions.PLACE_TOKEN, (2, 0)))
    t.resolve(0, "Civil Service", slot=1)
    rows = [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CHOICE]
    assert [row[4] for row in rows] == [-1] * len(rows)
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("Mass Media")
def test_mass_media_places_three_tokens_and_then_turns_a_rival_token_into_an_own_one():
    t = settled()
    t.token(1, (0, 2))
    t.script(*[(decisions.PLACE_TOKEN, s) for s in AROUND[:3]], (decisions.RIVAL_TOKEN, (0, 2)))
    t.resolve(0, "Mass Media", slot=1)
    assert t.asked_kinds() == ["place_token"] * 3 + ["rival_token"]
    assert (t.owner((0, 2)), t.piece((0, 2))) == (0, "token")
    assert (int(t.g.tokens_left[0]), int(t.g.tokens_left[1])) == (27, 31)


@pytest.mark.effect("Mass Media")
def test_mass_media_only_turns_a_reinforced_token_over():
    t = settled()
    t.token(1, (0, 2), reinforced=True)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (0, 2)))
    t.resolve(0, "Mass Media", slot=1)
    assert (t.owner((0, 2)), t.piece((0, 2))) == (1, "token")
    assert int(t.g.tokens_left[0]) == 31


@pytest.mark.effect("Mass Media")
def test_mass_media_reaches_rival_tokens_within_2_of_a_friendly_space_and_no_cities():
    t = settled()
    t.token(0, (-1, 0))
    t.token(1, (2, 0), (3, 0), (-3, 0), (-3, 2))
    t.city(1, (0, 2))
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Mass Media", slot=1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((2, 0), (-3, 0), (-3, 2))
    assert t.owner((2, 0)) == 1  # declined


@pytest.mark.effect("Mass Media")
def test_the_tokens_just_placed_extend_the_reach_of_mass_media():
    t = settled()
    t.token(1, (3, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (3, 0)))
    t.resolve(0, "Mass Media", slot=1)
    assert t.owner((3, 0)) == 0


@pytest.mark.effect("Mass Media")
@pytest.mark.rule("B5.3")
def test_a_natural_wonder_goes_to_who_replaces_the_token():
    t = lake_of(1)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (2, 0)))
    t.resolve(0, "Mass Media", slot=1)
    assert holder_of_wonder(t) == 0


def behind(what, rules=None):
    """A rival token two spaces away, with something between."""
    terrain = {(1, 0): "water"} if what == "water" else {}
    t = Table(spaces=[(0, 0), (1, 0), (2, 0)], terrain=terrain, leaders=("Rome", "Egypt", "France"), rules=rules)
    t.capital(0, (0, 0))
    t.token(1, (2, 0))
    if what == "rival space":
        t.city(2, (1, 0))
    elif what == "barbarian":
        t.barbarian("A", (1, 0))
    t.resolve(0, "Mass Media", slot=1)
    return t.spaces((2, 0)) == t.options(decisions.RIVAL_TOKEN)


BETWEEN = ["nothing", "water", "rival space", "barbarian"]


@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("what", BETWEEN)
def test_the_distance_of_mass_media_goes_through_anything(what):
    assert behind(what)


@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("what", BETWEEN)
def test_with_the_other_ruling_it_is_counted_like_an_attack(what, tmp_path):
    assert behind(what, rules_with(tmp_path, rulings={"mass_media_range": "like_an_attack"})) == (what == "nothing")


@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("space", ENDS)
def test_mass_media_finds_rival_tokens_at_either_end_and_nothing_without_an_owner(space):
    t = settled()
    t.token(0, inwards(space))
    t.token(1, space)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, PASS))
    t.resolve(0, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces(space)


@pytest.mark.rule("B10.3")
@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_token_turned_over_on_a_conquered_city_state_takes_the_city_state_along(name):
    t = settled()
    cs = names.CITY_STATES.index(name)
    t.conquered(1, name, (2, 0))
    t.g.city_count[1] = 0
    t.g.owner[t.at((2, 0))] = -1
    t.token(1, (2, 0))
    t.g.city_state_holder[cs] = -1
    culture.turn_over(t.r, t.g, t.w, 0, t.at((2, 0)))
    assert int(t.g.city_state_owner[cs]) == 0
    assert int(t.g.city_state_holder[cs]) == t.holder(0, names.FOCUS_TYPES[t.r.city_state_type[cs]])


@pytest.mark.rule("B9.3")
@pytest.mark.effect("Mass Media")
def test_mass_media_counts_from_a_space_taken_this_turn_too():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.token(0, (2, 0))
    t.token(1, (3, 0))
    t.g.taken[t.at((2, 0))] = 1  # only an attack does not set out from there
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((3, 0))


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.effect("Mass Media")
def test_mass_media_weakens_tokens_of_every_seat_but_the_own(p, q):
    t = table_of_three(p, q)
    t.token(p, (0, 1))
    t.token(q, (1, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (1, 0)))
    t.resolve(p, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((1, 0))
    assert t.owner((1, 0)) == p
