"""Rules on the board that breaking the engine on purpose showed to be untested: map edges, barbarians, caravans, tokens.

The engine keeps spaces, city-states, natural wonders and players in lists; many tests here put what a rule is about at
the first or last place of its list, where a loop that stops short would miss it.
"""

from functools import partial

import pytest
from table import BOTS, PASS, Table, disc, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import (
    agendas,
    barbarians,
    combat,
    counts,
    culture,
    decisions,
    map,
    pieces,
    start_effects,
    state,
    trade,
    turn,
    winning,
)
from newdawn.simulator.engine.pieces import held_natural_wonders
from newdawn.simulator.rules.contents import written

STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
FIRST, LAST = (-3, 0), (3, 0)  # of the list of spaces of a disc of radius 3
ENDS = [FIRST, LAST]

board = partial(table_with, (0, 0))


def beside(space):
    """Return the neighbour of a corner towards the middle."""
    return (space[0] - (1 if space[0] > 0 else -1), 0)


def test_the_ends_of_the_list_are_where_these_tests_think():
    assert (disc(3)[0], disc(3)[-1]) == (FIRST, LAST)


def test_control_tokens_on_the_map_are_counted_and_nothing_else():
    t = board()
    assert [counts.tokens_on_map(t.g, p) for p in (0, 1)] == [0, 0]
    t.city(0, (2, 0))
    t.token(0, FIRST, (1, 0))
    t.token(1, LAST, reinforced=True)
    assert [counts.tokens_on_map(t.g, p) for p in (0, 1)] == [2, 1]


# --- barbarians


def move(t, *dice):
    t.dice(*dice)
    t.call(barbarians.move_barbarians)


def where(t, letter):
    s = int(t.g.barbarian_space[names.LETTERS.index(letter)])
    return t.coordinates[s] if s >= 0 else None


@pytest.mark.rule("B11.1")
@pytest.mark.parametrize("direction", range(6))
def test_at_every_edge_a_barbarian_goes_the_opposite_way(direction):
    q, r = STEPS[direction]
    t = Table()
    t.barbarian("A", (3 * q, 3 * r))
    move(t, direction + 1)
    assert where(t, "A") == (2 * q, 2 * r)


@pytest.mark.rule("B11.2")
@pytest.mark.effect("Petra")
@pytest.mark.parametrize("direction", range(6))
def test_petra_turns_a_barbarian_round_whatever_its_way(direction):
    q, r = STEPS[direction]
    t = Table()
    t.city(0, (0, 0))
    t.wonder("Petra", (0, 0))
    t.barbarian("A", (-q, -r))
    move(t, direction + 1)
    assert where(t, "A") == (-2 * q, -2 * r)
    assert t.owner((0, 0)) == 0


@pytest.mark.rule("B11.1")
@pytest.mark.parametrize("space", ENDS)
@pytest.mark.parametrize("barred", [False, pytest.param(True, marks=pytest.mark.effect("Petra"))])
def test_a_barbarian_moves_to_either_end_unless_petra_is_there(space, barred):
    t = Table()
    if barred:
        t.city(0, space)
        t.wonder("Petra", space)
    t.barbarian("A", beside(space))
    move(t, 1 if space == LAST else 4)
    assert where(t, "A") == (beside(beside(space)) if barred else space)


@pytest.mark.rule("B11.3b")
@pytest.mark.parametrize(("option", "first"), [("by_letter", "A"), ("reverse", "last")])
def test_the_first_and_the_last_letter_take_part_in_the_moving_order(tmp_path, option, first):
    t = Table(rules=rules_with(tmp_path, rulings={"barbarian_order": option}))
    last = names.LETTERS[-1]
    starts = {"A": (3, 0), last: (1, 0)}
    for letter, space in starts.items():
        t.barbarian(letter, space)
    t.token(0, (2, 0), reinforced=True)
    move(t, 1)
    early, late = ("A", last) if first == "A" else (last, "A")
    assert (where(t, early), where(t, late)) == (starts[early], (2, 0))


@pytest.mark.rule("B11.4")
@pytest.mark.parametrize("letters", ["AB", names.LETTERS[0] + names.LETTERS[-1]])
def test_the_dice_go_on_until_every_barbarian_is_alone(letters):
    t = Table()
    t.barbarian(letters[0], (3, 0))
    t.barbarian(letters[1], (1, 0))
    move(t, 1, 2)
    assert len({where(t, letter) for letter in letters}) == 2
    assert sum(t.g.barbarians.tolist()) == 2


@pytest.mark.rule("B11.4")
@pytest.mark.parametrize("space", ENDS)
def test_a_crowd_at_either_end_of_the_list_is_broken_up(space):
    t = Table()
    t.barbarian("A", beside(space))  # moves onto the corner
    t.barbarian("B", beside(space), home=(0, 0))
    towards, away = (1, 4) if space == LAST else (4, 1)
    move(t, towards, away)
    assert {where(t, "A"), where(t, "B")} == {space, beside(space)}
    assert max(t.g.barbarians.tolist()) == 1


@pytest.mark.rule("B11.2")
@pytest.mark.effect("Petra")
@pytest.mark.parametrize("space", ENDS)
def test_between_two_cities_of_petras_owner_a_barbarian_stays(space):
    t = Table()
    t.city(0, space)
    t.token(0, beside(beside(space)), reinforced=True)
    t.wonder("Petra", space)
    t.barbarian("A", beside(space))
    move(t, 4 if space == LAST else 1)
    assert where(t, "A") == beside(space)
    assert t.piece(beside(beside(space))) == "reinforced_token"


@pytest.mark.rule("B11.2")
@pytest.mark.parametrize("types", [["culture"], ["economy", "military"], ["culture", "science", "industry"]])
def test_a_raided_capital_gives_up_tokens_of_cards_that_have_some(types):
    t = Table()
    t.capital(0, (1, 0))
    for kind in types:
        t.trade(0, kind, 2)
    t.barbarian("A", (0, 0))
    t.script()
    move(t, 1)
    asked = [options for kind, _, options in t.asked() if kind == decisions.LOSE_TRADE]
    holders = [t.holder(0, kind) for kind in types]
    assert asked == ([holders, holders] if len(types) > 1 else [])
    assert sum(t.trade_on(0, kind) for kind in types) == 2 * len(types) - 2


@pytest.mark.rule("B9.11")
@pytest.mark.rule("B11.3c")
@pytest.mark.parametrize("option", [None, "frees_it", "owner_keeps_token"])
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_destroyed_token_on_a_conquered_city_state_frees_it_too(tmp_path, name, option):
    """Whoever had no unused city left holds the city-state with a control token."""
    rules = rules_with(tmp_path, rulings={"destroyed_city_on_city_state": option}) if option else None
    t = Table(rules=rules)
    cs = names.CITY_STATES.index(name)
    t.conquered(0, name, (1, 0))
    t.g.city_count[0] = 0
    t.g.owner[t.at((1, 0))] = -1
    t.g.piece[t.at((1, 0))] = names.NO_PIECE
    t.token(0, (1, 0))
    t.barbarian("A", (0, 0))
    move(t, 1)
    freed = option != "owner_keeps_token"
    assert int(t.g.city_state_owner[cs]) == (-1 if freed else 0)
    assert int(t.g.city_state[t.at((1, 0))]) == (cs if freed else -1)


@pytest.mark.rule("B11.2")
@pytest.mark.rule("B11.3c")
def test_a_destroyed_token_elsewhere_frees_no_city_state():
    t = Table()
    t.conquered(0, "Kabul", (-2, 0))
    t.token(0, (1, 0))
    t.barbarian("A", (0, 0))
    before = t.g.city_state.tolist()
    move(t, 1)
    assert t.owner((1, 0)) == -1
    assert t.g.city_state.tolist() == before
    assert int(t.g.city_state_owner[names.KABUL]) == 0


# --- attacks


@pytest.mark.rule("B9.2")
def test_a_barbarian_that_stayed_on_the_own_capital_can_be_attacked():
    t = board()
    t.barbarian("A", (0, 0))
    attack = t.attack(0, "Masonry", 3, (0, 0), (6, 1), barbarian=True)
    assert attack.won
    assert where(t, "A") is None
    assert t.piece((0, 0)) == "capital"


@pytest.mark.rule("B9.3")
@pytest.mark.parametrize("wall", [None, 0, 2])
def test_the_count_of_an_attack_goes_through_no_rivals_space_whoever_the_rival_is(wall):
    t = Table(spaces=[(q, 0) for q in range(5)], leaders=("Rome", "Egypt", "Aztec"))
    t.capital(1, (0, 0))
    t.token(2, (2, 0))
    if wall is not None:
        t.token(wall, (1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(1, "Masonry", 1)
    assert t.options(decisions.ATTACK) == (t.spaces((2, 0)) if wall is None else t.spaces((1, 0)))


@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("space", ENDS)
@pytest.mark.parametrize("what", ["token", "city", "city-state", "barbarian"])
def test_every_kind_of_target_is_found_wherever_it_stands(space, what):
    t = board()
    t.token(0, beside(space))
    if what == "token":
        t.token(1, space)
    elif what == "city":
        t.city(1, space)
    elif what == "city-state":
        t.city_state("Carthage", space)
    else:
        t.barbarian("A", space)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", 1)
    assert t.options(decisions.ATTACK) == {t.at(space) + (decisions.BARBARIAN_OPTION if what == "barbarian" else 0)}


@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("space", ENDS)
def test_an_attack_is_counted_from_every_friendly_space(space):
    t = Table()
    t.city(0, space)
    t.token(1, (1 if space[0] > 0 else -1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", 1)
    assert len(t.options(decisions.ATTACK)) == 1


@pytest.mark.rule("B9.9")
@pytest.mark.parametrize("types", [["culture"], ["science"], ["culture", "industry"]])
def test_what_may_be_looted_are_the_losers_cards_with_trade_tokens(types):
    t = board()
    t.capital(1, (2, 0))
    for kind in types:
        t.trade(1, kind, 1)
    t.attack(0, "Masonry", 5, (2, 0), (6, 1), (decisions.LOOT, PASS))
    asked = [options for kind, _, options in t.asked() if kind == decisions.LOOT]
    assert asked == [[*(t.holder(1, kind) for kind in types), PASS]]


@pytest.mark.rule("B9.1")
@pytest.mark.parametrize("space", ENDS)
def test_a_token_is_reinforced_wherever_it_lies(space):
    t = board()
    t.token(0, space)
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), (decisions.REINFORCE, space))
    t.resolve(0, "Masonry", 1)
    assert t.piece(space) == "reinforced_token"


@pytest.mark.rule("B9.1")
def test_who_stops_reinforcing_is_not_asked_again():
    t = board()
    t.token(0, (1, 0), (2, 0))
    before = t.g.piece.tolist()
    t.script((decisions.MILITARY, decisions.MILITARY_REINFORCE), (decisions.REINFORCE, PASS))
    t.resolve(0, "Masonry", 3)
    assert t.asked_kinds().count("reinforce") == 1
    assert t.g.piece.tolist() == before


# --- control tokens


@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("space", ENDS)
def test_a_token_is_taken_off_the_map_wherever_it_lies(space):
    t = board()
    t.token(0, space, (0, 2))
    t.g.tokens_left[0] = 0
    t.script((decisions.TAKE_OFF, space), (decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", 1)
    assert t.options(decisions.TAKE_OFF) == t.spaces(space, (0, 2))
    assert (t.owner(space), t.owner((1, 0))) == (-1, 0)


@pytest.mark.rule("B1.6")
def test_without_a_token_in_hand_or_on_the_map_none_is_placed():
    t = board()
    t.g.tokens_left[0] = 0
    assert not t.call(agendas.have_token, 0, decisions.SOURCE_CULTURE, 0)
    assert not t.call(agendas.have_token, 0, decisions.SOURCE_CULTURE, 1)
    assert int(t.g.tokens_left[0]) == 0
    t.script()
    t.resolve(0, "Early Empire", 1)
    assert t.asked_kinds().count("place_token") == 0


@pytest.mark.rule("B1.6")
def test_who_keeps_the_tokens_on_the_map_places_none():
    t = board()
    t.token(0, (2, 0), (0, 2))
    t.g.tokens_left[0] = 0
    before = t.g.owner.tolist()
    t.script((decisions.TAKE_OFF, PASS))
    t.resolve(0, "Early Empire", 1)
    assert "place_token" not in t.asked_kinds()
    assert (t.g.owner.tolist(), int(t.g.tokens_left[0])) == (before, 0)


@pytest.mark.rule("B5.1")
@pytest.mark.parametrize("space", ENDS)
def test_tokens_are_placed_at_either_end_of_the_list_of_spaces(space):
    t = Table()
    t.city(0, beside(space))
    t.script((decisions.PLACE_TOKEN, space))
    t.resolve(0, "Early Empire", 1)
    assert t.owner(space) == 0


@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize("space", ENDS)
def test_drama_and_poetry_moves_a_token_to_and_from_either_end(space):
    for start, end, reinforced in [(space, beside(space), True), (beside(space), space, False)]:
        t = board()
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
    t = board()
    t.token(0, (2, 0))
    t.natural_wonder(name, (3, 0))
    if taken:
        t.g.natural_wonder_owner[names.NATURAL_WONDERS.index(name)] = 1
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Drama and Poetry", 1)
    assert ((t.at((2, 0)) * 256 + t.at((3, 0))) in t.options(decisions.MOVE_TOKEN)) == taken


@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("space", ENDS)
def test_mass_media_finds_rival_tokens_at_either_end_and_nothing_without_an_owner(space):
    t = board()
    t.token(0, beside(space))
    t.token(1, space)
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, PASS))
    t.resolve(0, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces(space)


@pytest.mark.rule("B10.3")
@pytest.mark.effect("Mass Media")
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_token_turned_over_on_a_conquered_city_state_takes_the_city_state_along(name):
    t = board()
    cs = names.CITY_STATES.index(name)
    t.conquered(1, name, (2, 0))
    t.g.city_count[1] = 0
    t.g.owner[t.at((2, 0))] = -1
    t.token(1, (2, 0))
    t.g.city_state_holder[cs] = -1
    culture.turn_over(t.r, t.g, t.w, 0, t.at((2, 0)))
    assert int(t.g.city_state_owner[cs]) == 0
    assert int(t.g.city_state_holder[cs]) == t.holder(0, names.FOCUS_TYPES[t.r.city_state_type[cs]])


# --- caravans and cities


@pytest.mark.rule("B7.4")
def test_in_one_turn_only_one_caravan_goes_to_the_same_city_and_again_the_next_turn():
    t = Table(leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.capital(1, (2, 0))
    t.card(0, "Currency")
    place = t.row(0).index("economy")
    t.script((decisions.CARD, place), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.CARAVAN, 1))
    t.take_turn(0)
    assert int(t.g.stat_arrivals[0, 1]) == 1
    assert t.at((2, 0)) in t.options(decisions.CARAVAN_TO, 0)
    assert t.at((2, 0)) not in t.options(decisions.CARAVAN_TO, 1)
    t.script((decisions.CARD, t.row(0).index("economy")), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)))
    t.take_turn(0)
    assert int(t.g.stat_arrivals[0, 1]) == 2


@pytest.mark.rule("B7.3")
@pytest.mark.parametrize("space", ENDS)
def test_a_caravan_may_go_to_either_end(space):
    t = Table(leaders=("Egypt", "Aztec"))
    t.capital(0, beside(space))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, space))
    t.resolve(0, "Foreign Trade", 1)
    assert int(t.g.caravan[0, 0]) == t.at(space)


@pytest.mark.rule("B8.1")
@pytest.mark.parametrize("space", ENDS)
def test_a_city_may_be_built_at_either_end(space):
    t = Table(leaders=("Egypt", "Aztec"))
    t.token(0, beside(space))
    t.script((decisions.INDUSTRY, space))
    t.resolve(0, "Pottery", 1)
    assert t.piece(space) == "city"


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B8.1")
def test_without_an_unused_city_only_wonders_are_offered():
    t = board(leaders=("Aztec", "Egypt"))
    t.g.cities_left[0] = 0
    t.deck("Stonehenge")
    t.give_resources(0, marble=4, diamond=4, oil=4, mercury=4)
    t.script()
    t.resolve(0, "Pottery", 1)
    asked = [options for kind, _, options in t.asked() if kind == decisions.INDUSTRY]
    assert asked == [[decisions.WONDER_OPTION + names.WONDERS.index("Stonehenge"), PASS]]


# --- more of the same


@pytest.mark.rule("B11.1")
@pytest.mark.rule("B11.2")
@pytest.mark.parametrize("option", ["stays", "goes_back"])
def test_a_barbarian_that_cannot_leave_a_capital_does_not_raid_it_again(tmp_path, option):
    t = Table(spaces=[(0, 0)], rules=rules_with(tmp_path, rulings={"barbarian_at_capital": option}))
    t.capital(0, (0, 0))
    t.trade(0, "culture", 3)
    t.barbarian("A", (0, 0))
    move(t, 1)
    assert (where(t, "A"), t.trade_on(0, "culture")) == ((0, 0), 3)


@pytest.mark.rule("B11.5")
@pytest.mark.parametrize("letter", [names.LETTERS[0], names.LETTERS[-1]])
def test_the_beaten_barbarian_of_the_first_and_the_last_letter_appears_again(letter):
    t = board()
    t.barbarian(letter, (1, 0), home=(2, 0))
    t.attack(0, "Masonry", 3, (1, 0), (6, 1), barbarian=True)
    assert where(t, letter) is None
    t.call(barbarians.barbarians_appear)
    assert where(t, letter) == (2, 0)


@pytest.mark.effect("Seoul")
@pytest.mark.parametrize("letter", ["A", "C", names.LETTERS[-1]])
@pytest.mark.parametrize("space", ENDS)
def test_seoul_pushes_any_barbarian_to_either_end(letter, space):
    t = board()
    t.city_state_card(0, "Seoul")
    t.barbarian(letter, beside(space))
    t.script(
        (decisions.START_EFFECT, decisions.FX_SEOUL), (decisions.SEOUL_MOVE, names.LETTERS.index(letter) * 256 + t.at(space))
    )
    t.call(start_effects.start_of_turn, 0)
    t.require_script_done()
    assert where(t, letter) == space
    assert sum(t.g.barbarians.tolist()) == 1


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B5.1")
def test_nobody_takes_a_token_off_the_map_when_there_is_no_space_to_place_one():
    t = board(spaces=[(0, 0), (1, 0)])
    t.token(0, (1, 0))
    t.g.tokens_left[0] = 0
    t.script()
    t.resolve(0, "Early Empire", 5)
    assert "take_off" not in t.asked_kinds()
    assert t.owner((1, 0)) == 0


@pytest.mark.rule("B1.3")
@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
def test_the_space_of_a_city_state_is_not_empty(name):
    t = board()
    t.token(0, (2, 0))
    t.city_state(name, (3, 0))
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Drama and Poetry", 1)
    assert t.options(decisions.MOVE_TOKEN)
    assert t.at((3, 0)) not in {move % 256 for move in t.options(decisions.MOVE_TOKEN)}


@pytest.mark.rule("B9.3")
@pytest.mark.rule("B11.3a")
def test_an_attack_sets_out_from_a_capital_on_which_a_barbarian_stayed():
    t = board(spaces=[(0, 0), (1, 0)])
    t.barbarian("A", (0, 0))
    t.token(1, (1, 0))
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", 1)
    assert t.at((1, 0)) in t.options(decisions.ATTACK)


@pytest.mark.rule("B8.2")
def test_a_city_is_counted_from_a_space_taken_this_turn_too():
    t = board(spaces=[(q, 0) for q in range(8)])
    t.token(0, (6, 0))
    t.g.taken[t.at((6, 0))] = 1  # only an attack does not set out from there
    t.script()
    t.resolve(0, "Pottery", 5)
    assert t.at((7, 0)) in t.options(decisions.INDUSTRY)


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
def test_carthage_counts_any_city_state_near_the_battle(name):
    t = board()
    t.city_state_card(0, "Carthage")
    t.token(1, (3, 0))
    t.token(0, (2, 0))
    before = t.attack(0, "Masonry", 3, (3, 0), (1, 6)).attack
    t.city_state(name, (3, -1))
    assert t.attack(0, "Masonry", 3, (3, 0), (1, 6)).attack == before + 1


@pytest.mark.rule("B9.6")
@pytest.mark.parametrize("space", ENDS)
def test_a_reinforced_token_at_either_end_helps_its_neighbour(space):
    t = board()
    t.token(1, beside(space))
    t.token(0, (1, 0), (-1, 0))
    before = t.attack(0, "Masonry", 1, beside(space), (1, 6)).defence
    t.token(1, space, reinforced=True)
    assert t.attack(0, "Masonry", 1, beside(space), (1, 6)).defence == before + 1


@pytest.mark.rule("B1.4")
@pytest.mark.parametrize("space", ENDS)
def test_a_city_is_not_mature_while_either_end_beside_it_is_empty(space):
    t = Table()
    q, r = beside(space)
    t.city(0, (q, r))
    t.token(0, *[(q + dq, r + dr) for dq, dr in STEPS if (q + dq, r + dr) in t.index and (q + dq, r + dr) != space])
    assert not t.mature(0, (q, r))
    t.token(0, space)
    assert t.mature(0, (q, r))


@pytest.mark.rule("B3.2")
@pytest.mark.effect("Mass Media")
def test_a_token_turned_over_elsewhere_brings_no_city_state():
    t = board(victory=(names.AGENDAS.index("Warmonger") // 2,))
    t.conquered(0, "Seoul", (-2, 0))
    t.token(1, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (2, 0)))
    t.resolve(0, "Mass Media", 2)
    assert t.owner((2, 0)) == 0
    assert int(t.g.claimed[0, 0]) == 0  # two conquered city-states are asked for


@pytest.mark.rule("B11.2")
@pytest.mark.parametrize("space", ENDS)
@pytest.mark.parametrize("caravan", [0, 1, 2])
def test_a_barbarian_sends_each_of_three_caravans_home_from_either_end(space, caravan):
    t = board()
    t.caravan(0, space, c=caravan)
    t.barbarian("A", beside(space))
    move(t, 1 if space == LAST else 4)
    assert where(t, "A") == space
    assert int(t.g.caravan[0, caravan]) == state.ON_CARD
    assert int(t.g.caravans[t.at(space)]) == 0


@pytest.mark.effect("Nuclear Power")
def test_a_strike_may_hit_any_space_or_none():
    t = board(radius=1)
    t.w.option[:] = 7  # as an earlier question may have left it
    t.script((decisions.STRIKE, PASS))
    t.resolve(0, "Nuclear Power", 5)
    asked = next(options for kind, _, options in t.asked() if kind == decisions.STRIKE)
    assert asked == [*range(t.g.n_spaces), PASS]


# --- where cities and control tokens may stand


def sites(t, p=0):
    """Return where seat `p` may found a city with Pottery in slot 5."""
    t.resolve(p, "Pottery", slot=5)
    return {t.coordinates[s] for s in t.options(decisions.INDUSTRY)}


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("name", [*names.CITY_STATES, *names.NATURAL_WONDERS])
def test_no_city_on_any_city_state_or_unclaimed_natural_wonder(name):
    t = board()
    assert {(2, 0), (-2, 0)} <= sites(t)
    put = t.city_state if name in names.CITY_STATES else t.natural_wonder
    put(name, (2, 0))
    t.script()
    found = sites(t)
    assert (2, 0) not in found
    assert (-2, 0) in found


@pytest.mark.rule("B8.2")
@pytest.mark.parametrize("p", [0, 1, 2])
def test_the_distance_of_a_city_does_not_lead_through_a_space_of_any_rival(p):
    for rival in range(3):
        t = Table(spaces=[(q, 0) for q in range(-2, 3)], leaders=["Rome", "Egypt", "Japan"])
        t.capital(p, (0, 0))
        t.token(rival, (1, 0))
        assert sites(t, p) == ({(2, 0), (-2, 0)} if rival == p else {(-2, 0)})


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("p", [0, 1])
def test_a_forbidden_ruin_is_one_that_nobody_holds(tmp_path, p):
    t = Table(rules=rules_with(tmp_path, rulings={"city_on_wonder_ruin": "forbidden"}))
    t.capital(p, (0, 0))
    t.token(p, (2, 0))
    t.wonder("Stonehenge", (2, 0))
    t.wonder("Oracle", (-2, 0))
    found = sites(t, p)
    assert {(2, 0), (0, 2)} <= found
    assert (-2, 0) not in found


@pytest.mark.effect("Stonehenge")
@pytest.mark.parametrize(("start", "then"), [((-2, 0), FIRST), ((2, 0), LAST)])
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


@pytest.mark.effect("Kremlin")
@pytest.mark.parametrize("space", ENDS)
def test_every_reinforced_token_of_the_seat_counts(space):
    t = board(leaders=["Rome", "Egypt"])
    t.token(0, (1, 0), (0, 1))
    t.token(1, (2, 0), reinforced=True)
    assert pieces.reinforced_tokens(t.g, 0) == 0
    t.token(0, space, (-1, 0), reinforced=True)
    assert pieces.reinforced_tokens(t.g, 0) == 2


@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("space", [s for s in disc(2) if s != (0, 0)])
def test_carthage_counts_any_space_within_its_range(space):
    t = Table()
    assert t.r.ability_within[t.r.city_state_first[names.CARTHAGE]] == 2
    t.city_state("Seoul", space)
    t.city(0, FIRST)
    t.w.queue[:] = t.at(FIRST)  # as an earlier count may have left it
    assert counts.settlements_near(t.r, t.g, t.w, 0, t.at((0, 0)), 2) == 1


# --- at the ends of the lists, once more


@pytest.mark.rule("B3.2")
@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("space", ENDS)
def test_the_only_control_token_left_comes_off_the_map_for_a_victory_card(space):
    t = board(victory=(names.AGENDAS.index("Scholarly") // 2,))
    t.city(0, (0, 2))
    t.token(0, space)
    t.g.tokens_left[0] = 0
    t.wonder("Oracle", (0, 0))
    t.wonder("Pyramids", (0, 2))
    t.g.dirty = 1
    t.call(agendas.settle)
    assert t.g.claimed[0, 0] != 0
    assert t.owner(space) == -1


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize("place", [0, -1])
def test_the_first_and_the_last_natural_wonder_go_to_whoever_holds_their_space(place):
    t = board()
    wonder = written(t.r, "natural_wonder")[place]
    t.natural_wonder(wonder, (1, 0))
    held = [held_natural_wonders(t.r, t.g, 0)]
    t.token(0, (1, 0))
    held.append(held_natural_wonders(t.r, t.g, 0))
    pieces.take_token_off(t.r, t.g, t.w, t.at((1, 0)), -1)
    held.append(held_natural_wonders(t.r, t.g, 0))
    assert held == [0, 1, 0]


@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("space", ENDS)
def test_a_barbarian_at_either_end_of_the_list_is_attacked_where_it_stands(space):
    t = board()
    t.token(0, beside(space))
    t.barbarian("A", space)
    combat = t.attack(0, "Masonry", 5, space, (6, 1), barbarian=True)
    assert combat.won
    assert where(t, "A") is None


@pytest.mark.rule("B11.3")
@pytest.mark.rule("B9.2")
def test_a_barbarian_that_stays_on_the_own_capital_is_attacked_there():
    t = board()
    t.barbarian("A", (1, 0))
    move(t, 4)
    assert where(t, "A") == (0, 0)
    assert t.attack(0, "Masonry", 5, (0, 0), (6, 1), barbarian=True).won
    assert where(t, "A") is None


@pytest.mark.rule("B9.2")
def test_distances_lead_to_no_space_beyond_the_edge_whatever_was_counted_before():
    t = board()
    t.w.fresh[:] = 1
    assert map.flood_through_anything(t.g, t.w, 0, t.at(FIRST), 1) == 4
    assert map.flood_through_anything(t.g, t.w, 0, t.at(FIRST), 6) == t.g.n_spaces


def test_diplomacy_cards_in_hand_are_counted_and_no_others():
    t = board()
    assert counts.diplomacy_cards(t.r, t.g, 0) == 0
    t.diplomacy(0, 1, "Embassy")
    t.diplomacy(1, 0, "Embassy")
    t.city_state_card(0, "Seoul")
    t.city_state_card(1, "Geneva")
    assert counts.diplomacy_cards(t.r, t.g, 0) == 2


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize("kind", names.RESOURCES)
def test_a_resource_token_of_any_kind_goes_to_whoever_takes_its_space(kind):
    t = table_with((0, 0), (3, 0))
    t.resource(kind, (1, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", 1)
    assert int(t.g.resources[0, names.RESOURCES.index(kind)]) == 1
    assert int(t.g.resource[t.at((1, 0))]) == -1


@pytest.mark.rule("B9.12")
@pytest.mark.parametrize("victim", [0, 1])
def test_an_attack_on_any_seat_gives_its_diplomacy_card_back(victim):
    attacker = 1 - victim
    t = table_with((0, 0), (3, 0))
    t.g.diplomacy[victim, 0] = attacker
    space = [(0, 0), (3, 0)][victim]
    combat.break_ties(t.r, t.g, t.w, attacker, t.at(space), state.TARGET_CAPITAL, victim)
    assert int(t.g.diplomacy[victim, 0]) == -1


def test_every_turn_counts_once():
    t = table_with((0, 0), (3, 0))
    t.g.current = 0
    turn.open_turn(t.r, t.g, t.w, BOTS)
    assert int(t.g.turn) == 1


@pytest.mark.parametrize("place", [0, -1])
def test_no_barbarian_appears_where_a_wonders_token_lies(place):
    t = table_with((0, 0), (3, 0))
    t.barbarian("A", (1, 1))
    t.g.barbarian_space[names.LETTERS.index("A")] = -1
    t.g.barbarians[t.at((1, 1))] = 0
    t.wonder(written(t.r, "wonder")[place], (1, 1))
    t.call(barbarians.barbarians_appear)
    assert int(t.g.barbarians[t.at((1, 1))]) == 0


def test_a_round_limit_of_one_ends_the_game_after_the_first_round():
    t = table_with((0, 0), (3, 0))
    t.r = t.r.copy()
    t.r.round_limit = 1
    assert winning.at_round_limit(t.r, t.g)


def test_points_that_win_at_once_win_nothing_where_the_rules_name_none():
    t = table_with((0, 0), (3, 0))
    assert t.r.points_to_win == 0
    assert not winning.points_decide(t.r, t.g)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_turn_order_as_a_ranking_is_counted_from_the_first_player(first):
    t = table_with((0, 0), (3, 0), (-3, 0), leaders=("Rome", "Egypt", "Aztec"))
    t.g.first = first
    order = sorted(range(3), key=lambda p: winning.ranked(t.r, t.g, p, names.RANK_LAST))
    assert order == [(first + k) % 3 for k in range(3)]


@pytest.mark.rule("B6.1")
@pytest.mark.parametrize("place", [0, -1])
def test_any_natural_wonder_counts_as_a_resource_held_where_the_ruling_says_so(place):
    t = table_with((0, 0), (3, 0))
    t.r = t.r.copy()
    t.r.natural_wonder_counts_as_held = 1
    i = range(t.r.n_natural_wonders)[place]
    t.g.natural_wonder_owner[i] = 0
    assert trade.holds_resource(t.r, t.g, 0, t.r.natural_wonder_resource[i])
