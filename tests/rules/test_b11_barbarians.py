"""B11: barbarians move, plunder and come back. Die face 1 means east on these tables, the others follow clockwise."""

import pytest
from table import AROUND, ENDS, LAST_SPACE, Table, inwards, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, decisions, state
from newdawn.simulator.engine.choosing import LOG_BARBARIAN_DIE
from newdawn.simulator.rules.ruleset_contents import written

EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST, NORTH_EAST = range(1, 7)
LAKE = names.NATURAL_WONDERS.index("Crater Lake")


def move(t, *dice, choices=()):
    """Let the barbarians move with the dice; return how many dice were rolled."""
    before = dice_rolled(t)
    t.script(*choices)
    t.dice(*dice)
    t.call(barbarians.move_barbarians)
    t.require_script_done()
    return dice_rolled(t) - before


def dice_rolled(t):
    return sum(1 for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_BARBARIAN_DIE)


def beaten(t, letter, home):
    """Let the barbarian of the letter wait off the map."""
    t.barbarian(letter, home)
    t.g.barbarian_space[names.LETTERS.index(letter)] = -1
    t.g.barbarians[t.at(home)] -= 1


def raid(piece, rules=None, **kw):
    """Return a table with a barbarian at (0, 0) and the piece of seat 0 east of it."""
    t = Table(rules=rules, **kw)
    t.barbarian("A", (0, 0))
    if piece == "city":
        t.city(0, (1, 0))
    elif piece == "capital":
        t.capital(0, (1, 0))
    elif piece:
        t.token(0, (1, 0), reinforced=piece == "reinforced")
    return t


# --- B11.1 moving


@pytest.mark.rule("B11.1")
@pytest.mark.rule("B2.4")
@pytest.mark.parametrize(
    ("face", "step"),
    [
        (EAST, (1, 0)),
        (SOUTH_EAST, (0, 1)),
        (SOUTH_WEST, (-1, 1)),
        (WEST, (-1, 0)),
        (NORTH_WEST, (0, -1)),
        (NORTH_EAST, (1, -1)),
    ],
)
def test_one_die_moves_every_barbarian_one_space_the_same_way(face, step):
    t = Table()
    starts = {"A": (0, 0), "E": (-1, 2), "I": (1, -2)}
    for letter, space in starts.items():
        t.barbarian(letter, space)
    assert move(t, face) == 1
    for letter, (q, r) in starts.items():
        assert t.barbarian_at(letter) == (q + step[0], r + step[1])
        assert t.g.barbarians[t.at(t.barbarian_at(letter))] == 1
        assert t.g.barbarians[t.at((q, r))] == 0


@pytest.mark.rule("B11.1")
def test_the_direction_token_says_what_a_die_face_means():
    t = Table()
    t.barbarian("A", (0, 0))
    t.g.barbarian_die[1:] = [3, 4, 5, 0, 1, 2]
    move(t, 1)
    assert t.barbarian_at("A") == (-1, 0)


@pytest.mark.rule("B11.1")
def test_a_beaten_barbarian_does_not_move():
    t = Table()
    beaten(t, "A", (0, 0))
    move(t, EAST)
    assert t.barbarian_at("A") is None


@pytest.mark.rule("B11.1")
@pytest.mark.parametrize("terrain", ["mountain", "desert"])
def test_difficulty_does_not_stop_a_barbarian(terrain):
    t = Table(terrain={(1, 0): terrain})
    t.barbarian("A", (0, 0))
    move(t, EAST)
    assert t.barbarian_at("A") == (1, 0)


@pytest.mark.rule("B11.1")
@pytest.mark.parametrize("waters", [1, 2])
def test_over_water_it_goes_on_the_same_way_to_the_first_land(waters):
    t = Table(terrain={(q, 0): "water" for q in range(1, 1 + waters)})
    t.barbarian("A", (0, 0))
    move(t, EAST)
    assert t.barbarian_at("A") == (1 + waters, 0)


@pytest.mark.rule("B11.1")
def test_at_the_edge_it_goes_one_space_the_opposite_way():
    t = Table()
    t.barbarian("A", (3, 0))
    move(t, EAST)
    assert t.barbarian_at("A") == (2, 0)


@pytest.mark.rule("B11.1")
def test_going_back_it_goes_on_over_water_again():
    t = Table(terrain={(2, 0): "water", (1, 0): "water"})
    t.barbarian("A", (3, 0))
    move(t, EAST)
    assert t.barbarian_at("A") == (0, 0)


@pytest.mark.rule("B11.1")
def test_going_back_it_plunders_what_it_meets():
    t = Table()
    t.barbarian("A", (3, 0))
    t.token(0, (2, 0))
    move(t, EAST)
    assert t.barbarian_at("A") == (2, 0)
    assert t.owner((2, 0)) == -1


@pytest.mark.rule("B11.1")
@pytest.mark.parametrize("direction", range(6))
def test_at_every_edge_a_barbarian_goes_the_opposite_way(direction):
    q, r = AROUND[direction]
    t = Table()
    t.barbarian("A", (3 * q, 3 * r))
    move(t, direction + 1)
    assert t.barbarian_at("A") == (2 * q, 2 * r)


@pytest.mark.rule("B11.1")
@pytest.mark.parametrize("space", ENDS)
@pytest.mark.parametrize("barred", [False, pytest.param(True, marks=pytest.mark.effect("Petra"))])
def test_a_barbarian_moves_to_either_end_unless_petra_is_there(space, barred):
    t = Table()
    if barred:
        t.city(0, space)
        t.wonder("Petra", space)
    t.barbarian("A", inwards(space))
    move(t, 1 if space == LAST_SPACE else 4)
    assert t.barbarian_at("A") == (inwards(inwards(space)) if barred else space)


# --- B11.2 what it meets


@pytest.mark.rule("B11.2")
def test_a_caravan_is_destroyed_and_returns_to_its_card():
    t = raid(None)
    t.caravan(0, (1, 0), c=0)
    t.caravan(1, (1, 0), c=0)
    t.caravan(0, (2, 0), c=1)
    move(t, EAST)
    assert t.g.caravan[0, 0] == t.g.caravan[1, 0] == state.ON_CARD
    assert t.g.caravan[0, 1] == t.at((2, 0))
    assert (t.g.caravans[t.at((1, 0))], t.barbarian_at("A")) == (0, (1, 0))


@pytest.mark.rule("B11.2")
@pytest.mark.rule("B7.2")
def test_a_caravan_jumped_over_on_water_is_safe():
    t = Table(terrain={(1, 0): "water"})
    t.barbarian("A", (0, 0))
    t.caravan(0, (1, 0))
    move(t, EAST)
    assert t.g.caravan[0, 0] == t.at((1, 0))


@pytest.mark.rule("B11.2")
def test_an_unreinforced_token_is_destroyed_and_returns_to_its_owner():
    t = raid("token")
    left = t.g.tokens_left[0]
    move(t, EAST)
    assert (t.owner((1, 0)), t.piece((1, 0)), t.barbarian_at("A")) == (-1, "none", (1, 0))
    assert t.g.tokens_left[0] == left + 1


@pytest.mark.rule("B11.2")
@pytest.mark.rule("B5.3")
@pytest.mark.parametrize(("piece", "owner"), [("token", -1), ("reinforced", 0)])
def test_the_natural_wonder_of_a_destroyed_token_returns_to_its_space(piece, owner):
    t = raid(piece)
    t.natural_wonder("Crater Lake", (1, 0))
    move(t, EAST)
    assert t.g.natural_wonder_owner[LAKE] == owner


@pytest.mark.rule("B11.2")
def test_a_city_is_destroyed_and_returns_to_its_owner():
    t = raid("city")
    left = t.g.cities_left[0]
    move(t, EAST)
    assert (t.owner((1, 0)), t.piece((1, 0)), t.barbarian_at("A")) == (-1, "none", (1, 0))
    assert t.g.cities_left[0] == left + 1


@pytest.mark.rule("B11.2")
def test_reinforced_neighbours_do_not_save_a_city():
    t = raid("city")
    t.token(0, (2, 0), (2, -1), reinforced=True)
    move(t, EAST)
    assert t.piece((1, 0)) == "none"


@pytest.mark.rule("B11.2")
@pytest.mark.rule("B8.7")
def test_the_wonder_of_a_destroyed_city_stays_on_the_space_for_the_next_owner():
    t = raid("city")
    t.wonder("Oracle", (1, 0))
    move(t, EAST)
    assert t.g.wonder_token[t.at((1, 0))] == names.WONDERS.index("Oracle")
    assert not t.controls(0, "Oracle")
    move(t, EAST)
    t.capital(1, (1, 1))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(1, "Early Empire", slot=1)
    assert t.controls(1, "Oracle")


@pytest.mark.rule("B11.2")
def test_a_reinforced_token_is_turned_and_the_barbarian_goes_back():
    t = raid("reinforced")
    left = t.g.tokens_left[0]
    move(t, EAST)
    assert (t.owner((1, 0)), t.piece((1, 0)), t.barbarian_at("A")) == (0, "token", (0, 0))
    assert t.g.tokens_left[0] == left
    move(t, EAST)
    assert (t.piece((1, 0)), t.barbarian_at("A")) == ("none", (1, 0))


@pytest.mark.rule("B11.2")
def test_a_barbarian_thrown_back_over_water_returns_to_where_it_came_from():
    t = Table(terrain={(1, 0): "water"})
    t.barbarian("A", (0, 0))
    t.token(0, (2, 0), reinforced=True)
    move(t, EAST)
    assert (t.piece((2, 0)), t.barbarian_at("A")) == ("token", (0, 0))


@pytest.mark.rule("B11.2")
def test_a_capital_stands_and_its_owner_gives_up_two_trade_tokens_of_own_choice():
    t = raid("capital")
    for kind, amount in [("culture", 2), ("science", 1), ("military", 1)]:
        t.trade(0, kind, amount)
    t.trade(1, "culture", 2)
    culture, military = t.holder(0, "culture"), t.holder(0, "military")
    move(t, EAST, choices=[(decisions.LOSE_TRADE, culture), (decisions.LOSE_TRADE, military)])
    assert {seat for kind, seat, _ in t.asked() if kind == decisions.LOSE_TRADE} == {0}
    assert t.options(decisions.LOSE_TRADE) == {culture, t.holder(0, "science"), military}
    assert (t.trade_on(0, "culture"), t.trade_on(0, "science"), t.trade_on(0, "military")) == (1, 1, 0)
    assert (t.piece((1, 0)), t.trade_on(1, "culture")) == ("capital", 2)


@pytest.mark.rule("B11.2")
@pytest.mark.parametrize("tokens", [0, 1, 2])
def test_a_capital_gives_up_no_more_trade_tokens_than_it_has(tokens):
    t = raid("capital")
    t.trade(0, "culture", tokens)
    move(t, EAST)
    assert t.g.trade[0].sum() == 0


@pytest.mark.rule("B11.2")
def test_a_city_that_is_no_capital_costs_no_trade_tokens():
    t = raid("city")
    t.trade(0, "culture", 3)
    move(t, EAST)
    assert t.trade_on(0, "culture") == 3


@pytest.mark.rule("B11.2")
def test_a_city_state_is_not_harmed():
    t = raid(None)
    t.city_state("Seoul", (1, 0))
    move(t, EAST)
    assert (t.barbarian_at("A"), t.g.city_state[t.at((1, 0))]) == ((1, 0), names.SEOUL)


@pytest.mark.rule("B11.2")
@pytest.mark.parametrize("space", ENDS)
@pytest.mark.parametrize("caravan", [0, 1, 2])
def test_a_barbarian_sends_each_of_three_caravans_home_from_either_end(space, caravan):
    t = table_with((0, 0))
    t.caravan(0, space, c=caravan)
    t.barbarian("A", inwards(space))
    move(t, 1 if space == LAST_SPACE else 4)
    assert t.barbarian_at("A") == space
    assert int(t.g.caravan[0, caravan]) == state.ON_CARD
    assert int(t.g.caravans[t.at(space)]) == 0


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


# --- B11.3 the three rulings, both ways


@pytest.mark.rule("B11.3a")
@pytest.mark.parametrize(("option", "end"), [(None, (1, 0)), ("stays", (1, 0)), ("goes_back", (0, 0))])
def test_after_a_capital_the_barbarian_stays_there_or_goes_back(tmp_path, option, end):
    t = raid("capital", rules=rules_with(tmp_path, rulings={"barbarian_at_capital": option}) if option else None)
    t.trade(0, "culture", 3)
    move(t, EAST)
    assert t.barbarian_at("A") == end
    assert t.trade_on(0, "culture") == 1


@pytest.mark.rule("B11.1")
@pytest.mark.rule("B11.2")
@pytest.mark.parametrize("option", ["stays", "goes_back"])
def test_a_barbarian_that_cannot_leave_a_capital_does_not_raid_it_again(tmp_path, option):
    t = Table(spaces=[(0, 0)], rules=rules_with(tmp_path, rulings={"barbarian_at_capital": option}))
    t.capital(0, (0, 0))
    t.trade(0, "culture", 3)
    t.barbarian("A", (0, 0))
    move(t, 1)
    assert (t.barbarian_at("A"), t.trade_on(0, "culture")) == ((0, 0), 3)


@pytest.mark.rule("B11.3b")
@pytest.mark.parametrize(("option", "first"), [(None, "A"), ("by_letter", "A"), ("reverse", "B")])
def test_barbarians_move_in_letter_order_or_the_other_way_round(tmp_path, option, first):
    t = Table(rules=rules_with(tmp_path, rulings={"barbarian_order": option}) if option else None)
    starts = {"A": (3, 0), "B": (1, 0)}  # A turns round at the edge: both come to (2, 0)
    for letter, space in starts.items():
        t.barbarian(letter, space)
    t.token(0, (2, 0), reinforced=True)
    assert move(t, EAST) == 1
    second = "B" if first == "A" else "A"
    assert (t.barbarian_at(first), t.barbarian_at(second)) == (starts[first], (2, 0))
    assert t.owner((2, 0)) == -1


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
    assert (t.barbarian_at(early), t.barbarian_at(late)) == (starts[early], (2, 0))


@pytest.mark.rule("B11.3c")
@pytest.mark.parametrize("option", [None, "frees_it", "owner_keeps_token"])
def test_a_destroyed_city_on_a_city_state_sets_it_free_or_leaves_its_token(tmp_path, option):
    t = raid(None, rules=rules_with(tmp_path, rulings={"destroyed_city_on_city_state": option}) if option else None)
    t.conquered(0, "Seoul", (1, 0))
    holder = t.g.city_state_holder[names.SEOUL]
    move(t, EAST)
    state = int(t.g.city_state_owner[names.SEOUL]), int(t.g.city_state[t.at((1, 0))])
    assert state == ((0, -1) if option == "owner_keeps_token" else (-1, names.SEOUL))
    assert t.g.city_state_holder[names.SEOUL] == (holder if option == "owner_keeps_token" else -1)
    assert t.g.city_state_cards_left[names.SEOUL] == 2
    assert (t.owner((1, 0)), t.piece((1, 0)), t.barbarian_at("A")) == (-1, "none", (1, 0))


@pytest.mark.rule("B11.3c")
def test_another_destroyed_city_sets_no_city_state_free():
    t = raid("city")
    t.conquered(0, "Seoul", (-2, 0))
    move(t, EAST)
    assert t.g.city_state_owner[names.SEOUL] == 0


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


@pytest.mark.rule("B11.3c")
@pytest.mark.parametrize("name", ["Carthage", "Kabul"])
def test_a_city_that_barbarians_destroy_frees_the_city_state_whichever_it_is(name):
    t = table_with((0, 0), (3, 0))
    t.conquered(0, name, (2, 0))
    t.call(lambda r, g, w, bots: barbarians.destroy_city(r, g, w, t.at((2, 0))))
    cs = t.city_state_code(name)
    assert (t.g.city_state_owner[cs], t.g.city_state[t.at((2, 0))]) == (-1, cs)


# --- B11.4 several on one space


@pytest.mark.rule("B11.4")
def test_of_several_on_a_space_a_die_moves_one_on():
    t = Table()
    t.barbarian("A", (3, 0))
    t.barbarian("B", (1, 0))
    assert move(t, EAST, SOUTH_WEST) == 2
    assert {t.barbarian_at("A"), t.barbarian_at("B")} == {(2, 0), (1, 1)}


@pytest.mark.rule("B11.4")
def test_the_die_is_repeated_until_each_is_alone():
    t = Table()
    t.barbarian("A", (3, 0))
    t.barbarian("B", (1, 0))
    t.token(0, (1, 1), reinforced=True)  # throws the first one back
    assert move(t, EAST, SOUTH_WEST, WEST) == 3
    assert t.piece((1, 1)) == "token"
    assert {t.barbarian_at("A"), t.barbarian_at("B")} == {(2, 0), (1, 0)}


@pytest.mark.rule("B11.4")
def test_the_one_moved_on_plunders():
    t = Table()
    t.barbarian("A", (3, 0))
    t.barbarian("B", (1, 0))
    t.token(0, (1, 1))
    move(t, EAST, SOUTH_WEST)
    assert t.owner((1, 1)) == -1


@pytest.mark.rule("B11.4")
def test_a_meeting_that_passes_needs_no_die():
    t = Table()
    t.barbarian("A", (0, 0))
    t.barbarian("B", (1, 0))  # A comes here while B is still there, then B goes on
    assert move(t, EAST) == 1
    assert (t.barbarian_at("A"), t.barbarian_at("B")) == ((1, 0), (2, 0))


@pytest.mark.rule("B11.4")
@pytest.mark.parametrize("letters", ["AB", names.LETTERS[0] + names.LETTERS[-1]])
def test_the_dice_go_on_until_every_barbarian_is_alone(letters):
    t = Table()
    t.barbarian(letters[0], (3, 0))
    t.barbarian(letters[1], (1, 0))
    move(t, 1, 2)
    assert len({t.barbarian_at(letter) for letter in letters}) == 2
    assert sum(t.g.barbarians.tolist()) == 2


@pytest.mark.rule("B11.4")
@pytest.mark.parametrize("space", ENDS)
def test_a_crowd_at_either_end_of_the_list_is_broken_up(space):
    t = Table()
    t.barbarian("A", inwards(space))  # moves onto the corner
    t.barbarian("B", inwards(space), home=(0, 0))
    towards, away = (1, 4) if space == LAST_SPACE else (4, 1)
    move(t, towards, away)
    assert {t.barbarian_at("A"), t.barbarian_at("B")} == {space, inwards(space)}
    assert max(t.g.barbarians.tolist()) == 1


# --- B11.5 appearing


@pytest.mark.rule("B11.5")
def test_beaten_barbarians_return_to_the_spaces_of_their_letters():
    t = Table()
    beaten(t, "A", (2, 0))
    beaten(t, "F", (0, 2))
    t.barbarian("B", (1, 0), home=(-2, 0))  # not beaten: stays where it is
    t.call(barbarians.barbarians_appear)
    assert (t.barbarian_at("A"), t.barbarian_at("F"), t.barbarian_at("B")) == ((2, 0), (0, 2), (1, 0))
    assert t.barbarian_at("C") is None  # never in this game
    assert t.g.barbarians[t.at((2, 0))] == 1


@pytest.mark.rule("B11.5")
def test_a_barbarian_that_appears_destroys_caravans():
    t = Table()
    beaten(t, "A", (2, 0))
    t.caravan(1, (2, 0))
    t.call(barbarians.barbarians_appear)
    assert t.barbarian_at("A") == (2, 0)
    assert (t.g.caravan[1, 0], t.g.caravans[t.at((2, 0))]) == (state.ON_CARD, 0)


@pytest.mark.rule("B11.5")
@pytest.mark.parametrize("piece", ["token", "reinforced", "city", "capital"])
def test_a_barbarian_waits_while_a_city_or_token_is_there(piece):
    t = raid(piece)
    beaten(t, "C", (1, 0))
    t.caravan(1, (1, 0))
    t.call(barbarians.barbarians_appear)
    assert t.barbarian_at("C") is None
    assert t.owner((1, 0)) == 0
    assert t.g.caravan[1, 0] == t.at((1, 0))


@pytest.mark.rule("B11.5")
def test_a_barbarian_that_waited_appears_when_the_space_is_free():
    t = raid("token")
    beaten(t, "C", (1, 0))
    t.call(barbarians.barbarians_appear)
    assert t.barbarian_at("C") is None
    move(t, EAST)  # destroys the token
    move(t, EAST)
    t.call(barbarians.barbarians_appear)
    assert t.barbarian_at("C") == (1, 0)


@pytest.mark.rule("B11.5")
@pytest.mark.parametrize("letter", [names.LETTERS[0], names.LETTERS[-1]])
def test_the_beaten_barbarian_of_the_first_and_the_last_letter_appears_again(letter):
    t = table_with((0, 0))
    t.barbarian(letter, (1, 0), home=(2, 0))
    t.attack(0, "Masonry", 3, (1, 0), (6, 1), barbarian=True)
    assert t.barbarian_at(letter) is None
    t.call(barbarians.barbarians_appear)
    assert t.barbarian_at(letter) == (2, 0)


@pytest.mark.parametrize("place", [0, -1])
def test_no_barbarian_appears_where_a_wonders_token_lies(place):
    t = table_with((0, 0), (3, 0))
    t.barbarian("A", (1, 1))
    t.g.barbarian_space[names.LETTERS.index("A")] = -1
    t.g.barbarians[t.at((1, 1))] = 0
    t.wonder(written(t.r, "wonder")[place], (1, 1))
    t.call(barbarians.barbarians_appear)
    assert int(t.g.barbarians[t.at((1, 1))]) == 0
