"""The culture wonders of the base game, from both sides: who controls one, and who does not."""

import pytest
from table import (
    AROUND,
    FIRST_SPACE,
    LAST_SPACE,
    PAIRS,
    PASS,
    Table,
    rules_with,
    table_of_three,
    table_with,
    table_with_wonder,
)

from newdawn.simulator.engine import culture, decisions, start_effects
from newdawn.simulator.engine.choosing import LOG_TOKEN_OFF

HOME, AWAY = (0, 0), (-4, 0)  # capitals of seats 0 and 1
HOLDERS = ["own", "rival", "nobody"]


board = table_with_wonder


# --- Stonehenge

HILLS = {(1, 0): "hills", (2, 0): "hills", (3, 0): "hills", (2, -1): "hills", (0, 3): "hills"}


@pytest.mark.effect("Stonehenge")
def test_stonehenge_spreads_over_neighbouring_hills_again_and_again():
    t = board("Stonehenge", terrain=HILLS)
    # one free token, three more by Stonehenge (two in a chain, one from the middle), then the second free token
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (2, 0)),
        (decisions.PLACE_TOKEN, (3, 0)),
        (decisions.PLACE_TOKEN, (2, -1)),
        (decisions.PLACE_TOKEN, (0, 1)),
    )
    t.resolve(0, "Early Empire", slot=2)
    assert t.options(decisions.PLACE_TOKEN, nth=1) == t.spaces((2, 0), (2, -1))  # hills next to the token, no grassland
    assert t.options(decisions.PLACE_TOKEN, nth=2) == t.spaces((3, 0), (2, -1))
    for space in [(1, 0), (2, 0), (3, 0), (2, -1), (0, 1)]:
        assert t.piece(space) == "token"
    assert t.piece((0, 3)) == "none"
    assert t.asked_kinds().count("place_token") == 5


@pytest.mark.effect("Stonehenge")
@pytest.mark.parametrize("holder", ["rival", "nobody"])
def test_no_spreading_without_controlling_stonehenge(holder):
    t = board("Stonehenge", holder, terrain=HILLS)
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=2)
    assert t.at((2, 0)) not in t.options(decisions.PLACE_TOKEN, nth=1)
    assert t.asked_kinds().count("place_token") == 2


@pytest.mark.effect("Stonehenge")
def test_stonehenge_does_not_spread_from_other_terrain():
    t = board("Stonehenge", terrain={(0, 2): "hills", (1, 1): "hills"})
    t.script((decisions.PLACE_TOKEN, (0, 1)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=2)
    assert t.asked_kinds().count("place_token") == 2
    assert t.g.space_count[0] == 2


@pytest.mark.effect("Stonehenge")
def test_the_spreading_may_stop_and_costs_nothing():
    t = board("Stonehenge", terrain=HILLS)
    t.trade(0, "culture", 2)
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (2, 0)),
        (decisions.PLACE_TOKEN, PASS),
        (decisions.PLACE_TOKEN, PASS),
    )
    t.resolve(0, "Early Empire", slot=2)
    assert t.trade_on(0, "culture") == 2
    assert t.g.space_count[0] == 3


@pytest.mark.effect("Stonehenge")
@pytest.mark.rule("B5.2")
def test_stonehenge_does_not_spread_onto_occupied_hills():
    t = board("Stonehenge", terrain=HILLS)
    t.token(1, (2, 0))
    t.barbarian("A", (2, -1))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=2)
    assert t.asked_kinds().count("place_token") == 2


@pytest.mark.effect("Stonehenge")
@pytest.mark.effect("Drama and Poetry")
def test_stonehenge_does_not_follow_a_moved_token():
    t = board("Stonehenge", terrain={(2, 0): "hills", (3, 0): "hills"})
    t.token(0, (1, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, t.at((1, 0)) * 256 + t.at((2, 0))))
    t.resolve(0, "Drama and Poetry", slot=2)
    assert t.owner((2, 0)) == 0
    assert t.asked_kinds() == ["place_token", "move_token"]


@pytest.mark.effect("Stonehenge")
def test_stonehenge_does_not_follow_a_replaced_token():
    t = board("Stonehenge", terrain={(2, 0): "hills", (3, 0): "hills"})
    t.token(1, (2, 0))
    t.beat((2, 0))
    assert "place_token" not in t.asked_kinds()
    t = board("Stonehenge", terrain={(2, 0): "hills", (3, 0): "hills"})
    t.token(1, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (2, 0)))
    t.resolve(0, "Mass Media", slot=2)
    assert t.owner((2, 0)) == 0
    assert t.asked_kinds() == ["place_token", "rival_token"]


@pytest.mark.effect("Stonehenge")
@pytest.mark.effect("Hanging Gardens")
def test_stonehenge_follows_the_token_of_hanging_gardens():
    t = board("Stonehenge", terrain=HILLS)
    t.city(0, (0, -3))
    t.wonder("Hanging Gardens", (0, -3))
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_HANGING_GARDENS),
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (2, 0)),
        (decisions.PLACE_TOKEN, PASS),
    )
    assert t.owner((1, 0)) == t.owner((2, 0)) == 0


@pytest.mark.effect("Stonehenge")
@pytest.mark.effect("Urbanization")
def test_stonehenge_follows_the_tokens_of_urbanization():
    t = board("Stonehenge", terrain=HILLS)
    t.script(
        (decisions.INDUSTRY, (1, 1)),
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (2, 0)),
        (decisions.PLACE_TOKEN, (3, 0)),
    )
    t.resolve(0, "Urbanization", slot=2)
    assert t.owner((3, 0)) == 0


@pytest.mark.effect("Stonehenge")
@pytest.mark.parametrize(("start", "then"), [((-2, 0), FIRST_SPACE), ((2, 0), LAST_SPACE)])
def test_stonehenge_spreads_to_the_hills_beside_the_token_only(start, then):
    """Other hills next to a city wait for a free token; the first and the last space of the list are spaces, too."""
    t = Table(terrain=dict.fromkeys([start, then, (0, 1)], "hills"))
    middle = (start[0] // 2, 0)
    t.capital(0, middle)
    t.city(0, (0, 2))
    t.wonder("Stonehenge", middle)
    t.script((decisions.PLACE_TOKEN, start), (decisions.PLACE_TOKEN, then))
    t.resolve(0, "Early Empire", slot=2)
    asked = [options for kind, _, options in t.asked() if kind == decisions.PLACE_TOKEN]
    assert asked[1] == [t.at(then), PASS]


@pytest.mark.effect("Stonehenge")
def test_stonehenge_spreads_from_every_token_of_the_chain_when_a_later_one_is_done():
    hills = [(1, 0), (2, 0), (3, 0), (2, 1), (1, 1), (-2, 0)]
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), terrain=dict.fromkeys(hills, "hills"))
    t.wonder("Stonehenge", (0, 0))
    t.w.chain[:] = t.at((-3, 0))  # an earlier chain went by there
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (2, 0)),
        (decisions.PLACE_TOKEN, (3, 0)),
        (decisions.PLACE_TOKEN, PASS),  # nothing more from (3, 0)
        (decisions.PLACE_TOKEN, PASS),  # nor from (2, 0)
        (decisions.PLACE_TOKEN, PASS),  # nor from (1, 0)
        (decisions.PLACE_TOKEN, PASS),
    )
    t.resolve(0, "Early Empire", 2)
    expected = [
        t.spaces((2, 0), (1, 1)),  # from (1, 0)
        t.spaces((3, 0), (2, 1), (1, 1)),  # from (2, 0)
        t.spaces((2, 1)),  # from (3, 0)
        t.spaces((2, 1), (1, 1)),  # back at (2, 0)
        t.spaces((1, 1)),  # back at (1, 0)
    ]
    assert [t.options(decisions.PLACE_TOKEN, nth) for nth in range(1, 6)] == expected


@pytest.mark.rule("B5.1")
@pytest.mark.effect("Stonehenge")
def test_tokens_that_follow_by_stonehenge_cost_no_trade_token():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), terrain={(1, 0): "hills", (2, 0): "hills"})
    t.wonder("Stonehenge", (0, 0))
    t.trade(0, "culture", 1)
    t.script((decisions.PLACE_TOKEN, (2, 0)))
    t.w.ask_cost = 7
    t.call(culture.spread_tokens, 0, 1, t.at((1, 0)))
    assert t.owner((2, 0)) == 0
    assert t.w.ask_cost == 0
    assert t.trade_on(0, "culture") == 1


# --- Hanging Gardens


@pytest.mark.rule("B4.1")
@pytest.mark.effect("Hanging Gardens")
def test_hanging_gardens_one_token_next_to_a_city_on_difficulty_up_to_4():
    terrain = {(1, 0): "hills", (0, 1): "forest", (-1, 1): "desert", (-1, 0): "mountain", (0, -1): "water"}
    t = board("Hanging Gardens", terrain=terrain)
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_HANGING_GARDENS), (decisions.PLACE_TOKEN, (-1, 1)))
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((1, 0), (0, 1), (-1, 1), (1, -1))
    assert t.piece((-1, 1)) == "token"
    assert t.g.space_count[0] == 2
    assert t.asked_kinds() == ["start_effect", "place_token"]  # once


@pytest.mark.effect("Hanging Gardens")
@pytest.mark.parametrize("holder", ["rival", "nobody"])
def test_no_token_without_controlling_hanging_gardens(holder):
    t = board("Hanging Gardens", holder)
    t.start_of_turn()
    assert t.asked_kinds() == []


@pytest.mark.effect("Hanging Gardens")
def test_hanging_gardens_may_be_declined_and_needs_a_free_space():
    t = board("Hanging Gardens")
    t.start_of_turn((decisions.START_EFFECT, PASS))
    assert t.g.space_count[0] == 1
    t.token(0, (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    t.start_of_turn()
    assert t.asked_kinds() == []


# --- Forbidden City


@pytest.mark.effect("Forbidden City")
@pytest.mark.parametrize("reinforced", [False, True])
def test_forbidden_city_removes_one_rival_token_next_to_a_friendly_space(reinforced):
    t = board("Forbidden City")
    t.token(0, (1, 0))
    t.token(1, (2, 0), (0, 1), reinforced=reinforced)
    t.token(1, (3, 0))
    left = int(t.g.tokens_left[1])
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (2, 0)))
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((2, 0), (0, 1))
    assert t.owner((2, 0)) == -1
    assert t.owner((0, 1)) == t.owner((3, 0)) == 1
    assert t.g.tokens_left[1] == left + 1
    assert t.asked_kinds() == ["start_effect", "rival_token"]


@pytest.mark.effect("Forbidden City")
def test_forbidden_city_touches_no_city_and_nothing_farther_off():
    t = board("Forbidden City")
    t.token(0, (1, 0))
    t.city(1, (2, 0))
    t.token(1, (-2, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []


@pytest.mark.effect("Forbidden City")
@pytest.mark.parametrize("holder", ["rival", "nobody"])
def test_no_removal_without_controlling_forbidden_city(holder):
    t = board("Forbidden City", holder)
    t.token(1, (1, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []
    assert t.owner((1, 0)) == 1


@pytest.mark.rule("B4.1")
@pytest.mark.effect("Forbidden City")
def test_who_leaves_forbidden_city_unused_after_all_takes_nothing_off_the_map():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder("Forbidden City", (0, 0))
    t.token(1, (1, 0))
    logged = t.w.log_n
    t.script((decisions.RIVAL_TOKEN, PASS))
    t.call(start_effects.remove_tokens, 0, 1)
    t.require_script_done()
    assert t.owner((1, 0)) == 1
    assert LOG_TOKEN_OFF not in t.w.log[logged : t.w.log_n, 0]


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.effect("Forbidden City")
def test_forbidden_city_removes_tokens_of_every_seat(p, q):
    t = table_of_three(p, q)
    t.wonder("Forbidden City", (0, 0))
    t.token(q, (1, 0))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (1, 0)), p=p)
    assert t.owner((1, 0)) == -1


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.effect("Forbidden City")
def test_forbidden_city_may_be_declined_after_all(p, q):
    t = table_of_three(p, q)
    t.wonder("Forbidden City", (0, 0))
    t.token(q, (1, 0))
    before = t.g.owner.tolist()
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, PASS), p=p)
    assert t.g.owner.tolist() == before


# --- Chichen Itza

FORESTS = {(1, 0): "forest", (3, 0): "forest", (0, 3): "forest", (-2, 3): "forest", (3, -3): "forest"}


@pytest.mark.effect("Chichen Itza")
@pytest.mark.rule("B1.3")
def test_chichen_itza_opens_every_empty_forest():
    t = board("Chichen Itza", terrain=FORESTS)
    t.resource("oil", (0, 3))
    t.caravan(1, (-2, 3))
    t.token(1, (3, -3))
    t.script((decisions.PLACE_TOKEN, (3, 0)))
    t.resolve(0, "Early Empire", slot=3)
    beside = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    assert t.options(decisions.PLACE_TOKEN) == t.spaces(*beside, (3, 0))
    assert t.owner((3, 0)) == 0
    assert t.owner((2, 0)) == -1


@pytest.mark.effect("Chichen Itza")
@pytest.mark.parametrize("holder", ["rival", "nobody"])
def test_distant_forests_stay_closed_without_chichen_itza(holder):
    t = board("Chichen Itza", holder, terrain=FORESTS)
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", slot=5)
    assert t.at((3, 0)) not in t.options(decisions.PLACE_TOKEN)


@pytest.mark.effect("Chichen Itza")
@pytest.mark.rule("B5.2")
@pytest.mark.parametrize("slot", [1, 2, 3])
def test_as_ruled_the_slot_limits_the_forests_of_chichen_itza(slot):
    t = board("Chichen Itza", terrain=FORESTS)
    t.script()
    t.resolve(0, "Early Empire", slot=slot)
    assert (t.at((3, 0)) in t.options(decisions.PLACE_TOKEN)) == (slot >= 3)


@pytest.mark.effect("Chichen Itza")
def test_ruling_the_difficulty_of_the_forests_of_chichen_itza_is_ignored(tmp_path):
    rules = rules_with(tmp_path, rulings={"chichen_itza_difficulty": "ignored"})
    t = board("Chichen Itza", terrain={**FORESTS, (0, 1): "hills"}, rules=rules)
    t.script()
    t.resolve(0, "Early Empire", slot=1)
    assert t.at((3, 0)) in t.options(decisions.PLACE_TOKEN)
    assert t.at((0, 1)) not in t.options(decisions.PLACE_TOKEN)  # other terrain keeps its limit
    t = board("Chichen Itza", "rival", terrain=FORESTS, rules=rules)
    t.script()
    t.resolve(0, "Early Empire", slot=1)
    assert not t.options(decisions.PLACE_TOKEN) & t.spaces((3, 0), (1, 0))


@pytest.mark.effect("Chichen Itza")
@pytest.mark.effect("Hanging Gardens")
def test_chichen_itza_helps_hanging_gardens_too():
    t = board("Chichen Itza", terrain=FORESTS)
    t.city(0, (0, -3))
    t.wonder("Hanging Gardens", (0, -3))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_HANGING_GARDENS), (decisions.PLACE_TOKEN, (3, 0)))
    assert t.owner((3, 0)) == 0


# --- Sydney Opera House


@pytest.mark.effect("Sydney Opera House")
@pytest.mark.rule("B1.4")
@pytest.mark.parametrize("holder", HOLDERS)
def test_rival_tokens_help_cities_to_mature_for_the_holder_of_sydney_opera_house(holder):
    t = board("Sydney Opera House", holder)
    t.token(0, *AROUND[:3])
    t.token(1, *AROUND[3:])
    assert t.mature(0, HOME) == (holder == "own")


@pytest.mark.effect("Sydney Opera House")
def test_empty_spaces_do_not_help_a_city_of_sydney_opera_house_to_mature():
    t = board("Sydney Opera House")
    t.token(0, *AROUND[:3])
    t.token(1, *AROUND[3:5])
    assert not t.mature(0, HOME)


@pytest.mark.effect("Sydney Opera House")
def test_caravans_start_from_a_city_that_matured_by_sydney_opera_house():
    t = board("Sydney Opera House", radius=5)
    t.city(0, (3, 0))
    around = [(4, 0), (3, 1), (2, 1), (2, 0), (3, -1), (4, -1)]
    t.token(1, *around)
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (5, 0)))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.at((5, 0)) in t.options(decisions.CARAVAN_TO)
    assert t.g.caravan[0, 0] == t.at((5, 0))


@pytest.mark.rule("B1.4")
@pytest.mark.effect("Sydney Opera House")
@pytest.mark.parametrize("controlled", [False, True])
@pytest.mark.parametrize("rivals", [1, 2, 6])
def test_sydney_lets_every_rivals_token_count(controlled, rivals):
    t = Table(leaders=("Egypt", "Aztec", "Rome"))
    t.capital(0, (0, 0))
    for k, space in enumerate(AROUND):
        t.token(0 if k >= rivals else 1 + k % 2, space)
    if controlled:
        t.wonder("Sydney Opera House", (0, 0))
    assert t.mature(0, (0, 0)) == controlled


# --- Eiffel Tower


def three_seats(holder="own"):
    t = Table(radius=4, leaders=("Egypt", "Aztec", "Rome"))
    t.capital(0, HOME)
    t.capital(1, AWAY)
    t.capital(2, (4, 0))
    t.wonder("Eiffel Tower", HOME if holder == "own" else AWAY)
    return t


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_the_rival_chooses_which_named_token_turns():
    t = three_seats()
    t.token(1, (-3, 0), (-2, 2), (-2, 0))
    t.token(1, (-3, 3), reinforced=True)
    t.token(2, (3, 0))  # a single token of seat 2 cannot be one of two
    left = int(t.g.tokens_left[1])
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, (-3, 3)),
        (decisions.NAME_TOKEN, (-2, 0)),
        (decisions.YIELD_TOKEN, (-3, 3)),
    )
    assert t.options(decisions.NAME_TOKEN, nth=0) == t.spaces((-3, 0), (-2, 2), (-2, 0), (-3, 3))
    assert t.options(decisions.NAME_TOKEN, nth=1) == t.spaces((-3, 0), (-2, 2), (-2, 0))
    assert t.options(decisions.YIELD_TOKEN) == t.spaces((-3, 3), (-2, 0))
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.YIELD_TOKEN] == [1]
    assert (t.owner((-3, 3)), t.piece((-3, 3))) == (0, "token")
    assert t.owner((-2, 0)) == 1
    assert t.g.tokens_left[1] == left + 1


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_names_two_tokens_of_the_same_rival():
    t = three_seats()
    t.token(1, (-3, 0), (-2, 0))
    t.token(2, (3, 0), (2, 0), (3, -1))
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, (3, 0)),
        (decisions.NAME_TOKEN, (2, 0)),
        (decisions.YIELD_TOKEN, (2, 0)),
    )
    assert t.options(decisions.NAME_TOKEN, nth=1) == t.spaces((2, 0), (3, -1))
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.YIELD_TOKEN] == [2]
    assert t.owner((2, 0)) == 0


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_needs_two_tokens_and_may_be_declined():
    t = three_seats()
    t.token(1, (-3, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []
    t.token(1, (-2, 0))
    t.start_of_turn((decisions.START_EFFECT, PASS))
    assert t.owner((-3, 0)) == t.owner((-2, 0)) == 1


@pytest.mark.effect("Eiffel Tower")
def test_no_token_turns_without_controlling_eiffel_tower():
    t = three_seats("rival")
    t.token(1, (-3, 0), (-2, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_may_be_declined_after_all():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (-3, 0), (0, 3), (3, 0))
    before = t.g.owner.tolist()
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER), (decisions.NAME_TOKEN, PASS))
    assert t.g.owner.tolist() == before
    assert t.asked_kinds() == ["start_effect", "name_token"]


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_names_tokens_of_every_seat(p, q):
    t = table_of_three(p, q)
    t.wonder("Eiffel Tower", (0, 0))
    first, last = (-3, 0), (2, 1)
    t.token(q, first, last, (0, 3))
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, first),
        (decisions.NAME_TOKEN, last),
        (decisions.YIELD_TOKEN, last),
        p=p,
    )
    assert t.options(decisions.NAME_TOKEN) == t.spaces(first, last, (0, 3))
    assert (t.owner(first), t.owner(last)) == (q, p)


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_finds_tokens_at_the_ends_of_the_list_of_spaces():
    t = Table(leaders=("Egypt", "Aztec", "Egypt"))
    t.capital(0, (0, 0))
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (-3, 0), (3, 0))
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER), (decisions.NAME_TOKEN, (3, 0)), (decisions.YIELD_TOKEN, (3, 0))
    )
    assert t.owner((3, 0)) == 0


@pytest.mark.rule("B1.6")
@pytest.mark.effect("Eiffel Tower")
def test_who_has_no_token_left_may_leave_eiffel_tower_alone_even_after_naming():
    t = table_of_three(0, 1)
    t.wonder("Eiffel Tower", (0, 0))
    t.token(0, (-1, 0), (0, -1))
    t.token(1, (-3, 0), (0, 3), (2, 1))
    t.g.tokens_left[0] = 0
    before = t.g.owner.tolist()
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, (-3, 0)),
        (decisions.NAME_TOKEN, (0, 3)),
        (decisions.TAKE_OFF, PASS),
    )
    assert t.g.owner.tolist() == before
