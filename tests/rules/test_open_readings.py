"""Readings that the rulebook leaves open: each switch in both readings."""

import re
from functools import cache
from pathlib import Path

import pytest
from table import AROUND, PASS, Table, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, culture, decisions, start_effects, trade
from newdawn.simulator.engine.choosing import LOG_CARD
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.printed_game import ruling_options
from newdawn.simulator.rules.ruleset_contents import written

DISPUTES = Path(__file__).parents[2] / "docs" / "disputes.md"
HOME, AWAY = (0, 0), (3, 0)
EAST, SOUTH_EAST = 1, 2
WIN = (6, 1)
FREE = 1
A, B = 0, 1


def table(tmp_path, ruling=None, option=None, leaders=("Egypt", "Aztec"), **kw):
    """Two capitals, and one ruling chosen."""
    rules = rules_with(tmp_path, rulings={ruling: option}) if option else None
    return table_with(HOME, AWAY, rules=rules, leaders=leaders, **kw)


def test_every_reading_is_weighed_on_the_page_of_disputes():
    rows = [line for line in DISPUTES.read_text("utf-8").splitlines() if line.startswith("| ")]
    keys = dict.fromkeys(key for box in names.BOXES for key in ruling_options(box))
    assert [key for key in keys if not any(re.search(rf"\b{key}\b", row) for row in rows)] == []


# --- B1.4a cities side by side


@pytest.mark.rule("B1.4a")
@pytest.mark.parametrize(("option", "mature"), [(None, False), ("never", False), ("city_counts", True)])
def test_a_city_beside_an_own_city(tmp_path, option, mature):
    t = table(tmp_path, "mature_beside_city", option)
    t.conquered(0, "Seoul", AROUND[0])
    t.token(0, *AROUND[1:5])
    assert not t.mature(0, HOME)  # a space is still bare
    t.token(0, AROUND[5])
    assert t.mature(0, HOME) == mature


@pytest.mark.rule("B1.4a")
def test_a_rivals_city_next_door_never_counts(tmp_path):
    t = table(tmp_path, "mature_beside_city", "city_counts")
    t.conquered(1, "Seoul", AROUND[0])
    t.token(0, *AROUND[1:])
    t.diplomacy(0, 1, "Open Borders")
    assert not t.mature(0, HOME)


# --- B11.1a the edge behind water


@pytest.mark.rule("B11.1a")
@pytest.mark.parametrize(("option", "goal"), [(None, (1, 1)), ("turns_at_edge", (1, 1)), ("counts_from_start", (0, 1))])
def test_a_barbarian_that_meets_the_edge_behind_water(tmp_path, option, goal):
    t = table(tmp_path, "barbarian_over_water", option, terrain={(2, 1): "water"})
    t.barbarian("A", (1, 1))
    t.token(0, (0, 1))
    t.dice(EAST)
    t.call(barbarians.move_barbarians)
    assert t.coordinates[t.g.barbarian_space[A]] == goal
    assert (t.owner((0, 1)) == -1) == (goal == (0, 1))


@pytest.mark.rule("B11.1a")
def test_back_on_its_space_it_has_not_plundered_the_capital_there_again(tmp_path):
    t = table(tmp_path, terrain={(1, 0): "water", (2, 0): "water"}, spaces=[(q, 0) for q in range(3)] + [AWAY, (5, 5)])
    t.g.terrain[t.at(AWAY)] = names.WATER
    t.barbarian("A", HOME)
    t.trade(0, "culture", 3)
    t.dice(EAST)
    t.call(barbarians.move_barbarians)
    assert t.coordinates[t.g.barbarian_space[A]] == HOME
    assert t.trade_on(0, "culture") == 3


@pytest.mark.rule("B11.1")
@pytest.mark.parametrize("option", ["turns_at_edge", "counts_from_start"])
def test_at_the_very_edge_both_readings_agree(tmp_path, option):
    t = table(tmp_path, "barbarian_over_water", option)
    t.barbarian("A", (2, 1))
    t.dice(EAST)
    t.call(barbarians.move_barbarians)
    assert t.coordinates[t.g.barbarian_space[A]] == (1, 1)


# --- Carthage


@pytest.mark.effect("Carthage")
@pytest.mark.rule("B9.5")
@pytest.mark.parametrize(("option", "counted"), [(None, 2), ("counts", 2), ("does_not_count", 1)])
def test_carthage_and_the_attacked_space_itself(tmp_path, option, counted):
    t = table(tmp_path, "carthage_defended_space", option, leaders=("Egypt", "Aztec", "Rome"))
    t.city_state("Seoul", (0, 2))  # the attacker's capital lies within 2
    t.city_state_card(0, "Carthage")
    assert t.attack(0, "Masonry", 1, (0, 2), (1, 6)).attack == 1 + 1 + counted


@pytest.mark.effect("Carthage")
@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("option", "counted"), [(None, 1), ("counts", 1), ("does_not_count", 0)])
def test_carthage_and_the_own_city_that_is_defended(tmp_path, option, counted):
    t = table(tmp_path, "carthage_defended_space", option)
    t.city_state_card(1, "Carthage")
    t.token(0, (2, 0))
    assert t.attack(0, "Masonry", 1, AWAY, (1, 6)).defence == 6 + 2 + counted


@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("option", ["counts", "does_not_count"])
def test_carthage_does_not_help_against_itself(tmp_path, option):
    t = table(tmp_path, "carthage_defended_space", option)
    t.city_state("Carthage", (0, 2))
    t.city_state_card(0, "Carthage")
    t.g.city_state_cards[names.CARTHAGE, 0] = 1
    assert t.attack(0, "Masonry", 1, (0, 2), (1, 6)).attack == 1 + 1


# --- Machu Picchu and "as if in slot 1"


def acting(t):
    """Return (slot number, number it acts with) of each card resolved."""
    return [(row[3], row[6]) for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CARD]


@pytest.mark.effect("Machu Picchu")
@pytest.mark.effect("Capitalism")
@pytest.mark.rule("B1.5")
@pytest.mark.parametrize(("option", "slot"), [(None, 3), ("acts", 3), ("does_not_act", 1)])
def test_machu_picchu_and_the_second_card_of_capitalism(tmp_path, option, slot):
    t = table(tmp_path, "machu_picchu_as_if", option)
    t.wonder("Machu Picchu", HOME)
    t.card(0, "Capitalism")
    t.script((decisions.CARD, t.row(0).index("economy")), (decisions.CARAVAN, PASS), (decisions.OTHER_CARD, 1))  # science
    t.take_turn(0)
    assert acting(t) == [(2, 3), (1, slot)]
    assert t.g.dial[0] == slot
    assert t.w.ask_slot == slot  # what the strategy was told


@pytest.mark.effect("Machu Picchu")
@pytest.mark.effect("Venetian Arsenal")
@pytest.mark.parametrize(("option", "slot"), [("acts", 3), ("does_not_act", 1)])
def test_machu_picchu_and_the_second_time_by_venetian_arsenal(tmp_path, option, slot):
    t = table(tmp_path, "machu_picchu_as_if", option)
    t.wonder("Machu Picchu", HOME)
    t.city(0, (0, 2))
    t.wonder("Venetian Arsenal", (0, 2))
    t.script((decisions.CARD, 4), (decisions.PLACE_TOKEN, PASS), (decisions.REPEAT_CARD, 1))
    t.take_turn(0)
    assert acting(t) == [(5, 5), (1, slot)]


# --- a conquest without a control token left


def spent(t, p=0):
    """Every control token of the player that is not on the map is somewhere else, and so are the cities."""
    t.g.tokens_left[p] = t.g.cities_left[p] = 0
    return t


def storm(t, space, *choices):
    """Seat 0 beats what stands on the space."""
    t.dice(*WIN)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, space), *choices)
    t.resolve(0, "Flight", slot=5)


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B9.9")
def test_the_conqueror_of_a_control_token_may_keep_the_own_ones_on_the_map(tmp_path):
    t = table(tmp_path)
    t.token(0, (-2, 0), (-2, 1))
    t.token(1, (1, 0))
    storm(spent(t), (1, 0), (decisions.TAKE_OFF, PASS))
    assert t.asked()[2][2] == [*sorted(t.spaces((-2, 0), (-2, 1))), PASS]
    assert (t.owner((1, 0)), t.owner((-2, 0)), t.owner((-2, 1))) == (-1, 0, 0)
    assert t.g.tokens_left[1] == 31


@pytest.mark.rule("B1.6")
def test_ruling_the_conqueror_must_take_one_off(tmp_path):
    t = table(tmp_path, "conquest_without_token", "must")
    t.token(0, (-2, 0), (-2, 1))
    t.token(1, (1, 0))
    storm(spent(t), (1, 0), (decisions.TAKE_OFF, (-2, 1)))
    assert t.asked()[2][2] == sorted(t.spaces((-2, 0), (-2, 1)))
    assert (t.owner((1, 0)), t.owner((-2, 0)), t.owner((-2, 1))) == (0, 0, -1)


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B9.11")
@pytest.mark.parametrize("takes_off", [True, False])
def test_a_city_beaten_without_a_piece_left(tmp_path, takes_off):
    t = table(tmp_path)
    t.token(0, (-2, 0))
    t.city(1, (1, 0))
    storm(spent(t), (1, 0), (decisions.TAKE_OFF, (-2, 0) if takes_off else PASS))
    assert (t.piece((1, 0)), t.owner((1, 0))) == (("reinforced_token", 0) if takes_off else ("none", -1))
    assert t.g.taken[t.at((1, 0))] == 1
    assert t.g.cities_left[1] == 7


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B10.1")
@pytest.mark.parametrize("owner", ["nobody", "rival"])
@pytest.mark.parametrize("takes_off", [True, False])
def test_a_city_state_beaten_without_a_piece_left_is_free_if_none_is_put_there(tmp_path, takes_off, owner):
    t = table(tmp_path)
    t.token(0, (-2, 0))
    if owner == "rival":
        t.conquered(1, "Seoul", (1, 0))
    else:
        t.city_state("Seoul", (1, 0))
    fate = [(decisions.CITY_STATE_FATE, 0)] if owner == "rival" else []
    storm(spent(t), (1, 0), *fate, (decisions.TAKE_OFF, (-2, 0) if takes_off else PASS))
    assert t.g.city_state_owner[names.SEOUL] == (0 if takes_off else -1)
    assert t.g.city_state[t.at((1, 0))] == (-1 if takes_off else names.SEOUL)
    assert t.piece((1, 0)) == ("reinforced_token" if takes_off else "none")


# --- a control token that holds a conquered city-state


@pytest.mark.rule("B9.11")
@pytest.mark.effect("Drama and Poetry")
@pytest.mark.parametrize(("option", "moves"), [(None, False), ("stays", False), ("moves_and_frees", True)])
def test_the_token_that_holds_a_city_state_and_drama_and_poetry(tmp_path, option, moves):
    t = table(tmp_path, "conqueror_of_city_state", option)
    t.g.cities_left[0] = 0
    t.city_state("Seoul", (1, 0))
    storm(t, (1, 0))
    assert t.piece((1, 0)) == "reinforced_token"
    step = t.at((1, 0)) * 256 + t.at((1, 1))
    t.token(0, (-1, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.MOVE_TOKEN, step if moves else PASS))
    t.resolve(0, "Drama and Poetry", slot=1)
    assert (step in t.options(decisions.MOVE_TOKEN)) == moves
    assert t.at((-1, 0)) in {option // 256 for option in t.options(decisions.MOVE_TOKEN)}  # others may move as ever
    assert t.g.city_state[t.at((1, 0))] == (names.SEOUL if moves else -1)
    assert t.g.city_state_owner[names.SEOUL] == (-1 if moves else 0)


# --- a freed city-state's wonder


@pytest.mark.rule("B9.10")
@pytest.mark.rule("B10.3")
@pytest.mark.parametrize(("option", "moves"), [(None, False), ("stays", False), ("attacker_takes_it", True)])
def test_the_wonder_on_a_freed_city_state(tmp_path, option, moves):
    t = table(tmp_path, "freed_city_state_wonder", option)
    t.city(0, (0, 2))
    t.conquered(1, "Seoul", (1, 0))
    t.wonder("Petra", (1, 0))
    storm(t, (1, 0), (decisions.CITY_STATE_FATE, FREE), *([(decisions.WONDER_CITY, (0, 2))] if moves else []))
    assert t.g.city_state[t.at((1, 0))] == names.SEOUL
    assert t.controls(0, "Petra") == moves
    assert t.g.wonder_space[names.PETRA] == t.at((0, 2) if moves else (1, 0))
    assert t.g.wonder_token[t.at((1, 0))] == (-1 if moves else names.PETRA)
    assert not t.controls(1, "Petra")


@pytest.mark.rule("B9.10")
def test_a_wonder_that_finds_no_city_stays_on_the_freed_city_state(tmp_path):
    t = table(tmp_path, "freed_city_state_wonder", "attacker_takes_it")
    t.wonder("Colossus", HOME)
    t.conquered(1, "Seoul", (1, 0))
    t.wonder("Petra", (1, 0))
    storm(t, (1, 0), (decisions.CITY_STATE_FATE, FREE))
    assert t.g.wonder_space[names.PETRA] == t.at((1, 0))
    assert not t.controls(0, "Petra")


@pytest.mark.rule("B9.10")
@pytest.mark.parametrize("option", ["stays", "attacker_takes_it"])
def test_the_wonder_on_a_city_state_that_is_taken_goes_with_the_space(tmp_path, option):
    t = table(tmp_path, "freed_city_state_wonder", option)
    t.conquered(1, "Seoul", (1, 0))
    t.wonder("Petra", (1, 0))
    storm(t, (1, 0), (decisions.CITY_STATE_FATE, 0))
    assert t.controls(0, "Petra")
    assert t.g.wonder_space[names.PETRA] == t.at((1, 0))


# --- B11.4 which of several barbarians moves on


def crowd(tmp_path, option=None, first=1):
    """A and B come to the same space when the die says east."""
    t = table(tmp_path, "crowded_barbarian", option, leaders=("Egypt", "Aztec", "Rome"))
    t.g.first = first
    t.barbarian("A", (2, 1))  # at the edge it turns round
    t.barbarian("B", (0, 1))
    return t


@pytest.mark.rule("B11.4")
@pytest.mark.parametrize("letter", [A, B])
def test_any_barbarian_of_a_crowd_moves_on_as_the_first_player_likes(tmp_path, letter):
    t = crowd(tmp_path)
    t.script((decisions.MOVE_ON, letter))
    t.dice(EAST, SOUTH_EAST)
    t.call(barbarians.move_barbarians)
    assert t.asked() == [(decisions.MOVE_ON, 1, [A, B])]
    assert t.coordinates[t.g.barbarian_space[letter]] == (1, 2)
    assert t.coordinates[t.g.barbarian_space[1 - letter]] == (1, 1)


@pytest.mark.rule("B11.4")
def test_ruling_the_last_to_move_moves_on(tmp_path):
    t = crowd(tmp_path, "last_in_order")
    t.script()
    t.dice(EAST, SOUTH_EAST)
    t.call(barbarians.move_barbarians)
    assert t.asked() == []
    assert t.coordinates[t.g.barbarian_space[B]] == (1, 2)


@pytest.mark.rule("B11.4")
def test_ruling_a_die_says_which_moves_on(tmp_path):
    moved = set()
    for third in range(1, 7):
        t = crowd(tmp_path, "by_die")
        t.script()
        t.dice(EAST, SOUTH_EAST, third)
        t.call(barbarians.move_barbarians)
        assert t.asked() == []
        moved.add(int(t.g.barbarian_space[A] == t.at((1, 2))))
        assert {t.coordinates[t.g.barbarian_space[b]] for b in (A, B)} == {(1, 1), (1, 2)}
    assert moved == {0, 1}


# --- B10.2 which tokens are spent


def armed(tmp_path, option=None, leaders=("Egypt", "Aztec"), plain=1):
    """Carthage's token and trade tokens lie on the military card; a rival's token can be attacked."""
    t = table(tmp_path, "tokens_spent_first", option, leaders=leaders)
    t.conquered(0, "Carthage", (0, 2))
    t.token(1, (1, 0))
    t.trade(0, "military", plain)
    return t


def state(t):
    return t.trade_on(0, "military"), int(t.g.city_state_used[names.CARTHAGE])


@pytest.mark.rule("B10.2")
@pytest.mark.parametrize(
    ("token", "left"), [(decisions.PLAIN_TOKEN, (0, 0)), (decisions.KEPT_CITY_STATE + names.CARTHAGE, (1, 1))]
)
def test_the_player_chooses_which_token_to_spend(tmp_path, token, left):
    t = armed(tmp_path)
    combat = t.attack(0, "Masonry", 1, (1, 0), (1, 6), (decisions.SPEND_TRADE, 1), (decisions.SPEND_TOKEN, token))
    assert t.options(decisions.SPEND_TRADE) == {0, 1, 2}
    assert t.options(decisions.SPEND_TOKEN) == {decisions.KEPT_CITY_STATE + names.CARTHAGE, decisions.PLAIN_TOKEN}
    assert combat.attack == 1 + 1 + 1
    assert state(t) == left


@pytest.mark.rule("B10.2")
def test_who_spends_all_is_not_asked_which(tmp_path):
    t = armed(tmp_path)
    t.attack(0, "Masonry", 1, (1, 0), (1, 6), (decisions.SPEND_TRADE, 2))
    assert "spend_token" not in t.asked_kinds()
    assert state(t) == (0, 1)


@pytest.mark.rule("B10.2")
def test_plain_tokens_alone_leave_no_choice(tmp_path):
    t = armed(tmp_path, plain=3)
    t.g.city_state_used[names.CARTHAGE] = 1
    t.attack(0, "Masonry", 1, (1, 0), (1, 6), (decisions.SPEND_TRADE, 2))
    assert "spend_token" not in t.asked_kinds()
    assert state(t) == (1, 1)


@pytest.mark.rule("B10.2")
@pytest.mark.effect("America")
@pytest.mark.parametrize("lake", [0, len(names.NATURAL_WONDERS) - 1])
def test_only_tokens_that_lie_on_the_card_are_offered(tmp_path, lake):
    t = armed(tmp_path, leaders=("America", "Aztec"), plain=0)
    t.natural_wonder(names.NATURAL_WONDERS[lake], (0, -1))
    t.token(0, (0, -1))
    t.g.natural_wonder_holder[lake] = t.holder(0, "military")
    kept = decisions.KEPT_CITY_STATE + names.CARTHAGE
    t.attack(0, "Masonry", 1, (1, 0), (1, 6), (decisions.SPEND_TRADE, 1), (decisions.SPEND_TOKEN, kept))
    assert t.options(decisions.SPEND_TOKEN) == {decisions.KEPT_NATURAL_WONDER + lake, kept}
    assert (t.g.natural_wonder_used[lake], t.g.city_state_used[names.CARTHAGE]) == (0, 1)


@pytest.mark.rule("B10.2")
@pytest.mark.parametrize("name", names.CITY_STATES)
def test_the_token_of_each_city_state_can_be_spent(tmp_path, name):
    t = table(tmp_path)
    t.conquered(0, name, (0, 2))
    cs = names.CITY_STATES.index(name)
    h = int(t.g.city_state_holder[cs])
    t.g.trade[0, h] = 1
    assert trade.list_spendable(t.r, t.g, t.w, 0, h, -1) == 2
    assert t.w.option[:2].tolist() == [decisions.KEPT_CITY_STATE + cs, decisions.PLAIN_TOKEN]


@pytest.mark.rule("B10.2")
def test_each_token_is_chosen_by_itself(tmp_path):
    t = armed(tmp_path, plain=2)
    kept = decisions.KEPT_CITY_STATE + names.CARTHAGE
    t.attack(
        0,
        "Masonry",
        1,
        (1, 0),
        (1, 6),
        (decisions.SPEND_TRADE, 2),
        (decisions.SPEND_TOKEN, decisions.PLAIN_TOKEN),
        (decisions.SPEND_TOKEN, kept),
    )
    assert state(t) == (1, 1)


@pytest.mark.rule("B10.2")
def test_ruling_tokens_that_are_kept_go_first(tmp_path):
    t = armed(tmp_path, "kept_ones")
    t.attack(0, "Masonry", 1, (1, 0), (1, 6), (decisions.SPEND_TRADE, 1))
    assert "spend_token" not in t.asked_kinds()
    assert state(t) == (1, 1)


@pytest.mark.rule("B4.3")
@pytest.mark.effect("America")
@pytest.mark.parametrize("option", [None, "kept_ones"])
def test_america_chooses_too_whether_a_natural_wonder_is_spent(tmp_path, option):
    t = table(tmp_path, "tokens_spent_first", option, leaders=("America", "Aztec"))
    t.natural_wonder("Crater Lake", (0, 1))
    t.token(0, (0, 1))
    lake = names.NATURAL_WONDERS.index("Crater Lake")
    h = t.holder(0, "culture")
    t.g.natural_wonder_holder[lake] = h
    t.trade(0, "culture", 1)
    choice = [] if option else [(decisions.SPEND_TOKEN, decisions.PLAIN_TOKEN)]
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (-1, 0)),
        (decisions.PLACE_TOKEN, (0, -1)),
        *choice,
        (decisions.PLACE_TOKEN, PASS),
    )
    t.resolve(0, "Early Empire", slot=1)
    assert t.options(decisions.SPEND_TOKEN) == (
        set() if option else {decisions.KEPT_NATURAL_WONDER + lake, decisions.PLAIN_TOKEN}
    )
    assert t.g.natural_wonder_used[lake] == (1 if option else 0)
    assert t.trade_on(0, "culture") == (1 if option else 0)


# --- the first of a kind, which has the number 0, and the last piece


@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
def test_any_city_state_is_free_if_its_conqueror_puts_no_piece_there(tmp_path, name):
    t = table(tmp_path)
    t.city_state(name, (1, 0))
    storm(spent(t), (1, 0))
    assert t.g.city_state[t.at((1, 0))] == names.CITY_STATES.index(name)
    assert t.g.city_state_owner[names.CITY_STATES.index(name)] == -1


@pytest.mark.rule("B9.11")
def test_the_last_city_goes_on_the_conquered_space(tmp_path):
    t = table(tmp_path)
    t.city(1, (1, 0))
    t.g.cities_left[0] = 1
    storm(t, (1, 0))
    assert (t.piece((1, 0)), int(t.g.cities_left[0])) == ("city", 0)


@pytest.mark.rule("B9.10")
def test_the_first_wonder_is_carried_off_too(tmp_path):
    t = table(tmp_path, "freed_city_state_wonder", "attacker_takes_it")
    t.conquered(1, "Seoul", (1, 0))
    t.wonder("Stonehenge", (1, 0))
    storm(t, (1, 0), (decisions.CITY_STATE_FATE, FREE))
    assert t.controls(0, "Stonehenge")


@pytest.mark.rule("B11.1a")
def test_water_that_is_the_first_space_of_the_list_is_water_too(tmp_path):
    spaces = [(3, 1), *((q, 1) for q in range(3)), HOME, AWAY]
    t = table(tmp_path, spaces=spaces, terrain={(3, 1): "water"})
    t.barbarian("A", (2, 1))
    t.dice(EAST)
    t.call(barbarians.move_barbarians)
    assert t.coordinates[t.g.barbarian_space[A]] == (2, 1)


# --- B9.5 the terrain that an attacker's bonus looks at


def steppe(tmp_path, option, terrain, leaders=("Scythia", "Aztec"), card="Masonry", **kw):
    """Return the attack of seat 0 from its capital in a forest on the token two steps away, where all else is forest, too."""
    spaces = [(q, 0) for q in range(5)]
    t = table(
        tmp_path, "attack_terrain", option, leaders=leaders, spaces=spaces,
        terrain=dict.fromkeys(spaces, "forest") | terrain, **kw,
    )  # fmt: skip
    t.token(1, (2, 0))
    return t.attack(0, card, 1, (2, 0), WIN)


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Scythia")
@pytest.mark.parametrize(("option", "from_hills", "onto_hills"), [(None, 0, 3), ("fought_over", 0, 3), ("attacked_from", 3, 0)])
def test_which_terrain_gives_an_attacker_its_bonus(tmp_path, option, from_hills, onto_hills):
    assert steppe(tmp_path, option, {}).attack == 6 + 1
    assert steppe(tmp_path, option, {HOME: "hills"}).attack == 6 + 1 + from_hills
    assert steppe(tmp_path, option, {(2, 0): "hills"}).attack == 6 + 1 + onto_hills
    assert steppe(tmp_path, option, {(1, 0): "hills"}).attack == 6 + 1, "nobody's hills in between"


@pytest.mark.rule("B9.5", "B9.2")
@pytest.mark.effect("Scythia")
def test_the_friendly_space_that_serves_best_counts_if_it_is_near_enough(tmp_path):
    def attack(hills):
        spaces = [(q, 0) for q in range(5)] + [(2, -1), (0, 1), (-1, 1), (-2, 2)]
        t = table(
            tmp_path, "attack_terrain", "attacked_from", leaders=("Scythia", "Aztec"), spaces=spaces,
            terrain=dict.fromkeys(spaces, "forest") | {hills: "hills"},
        )  # fmt: skip
        t.token(1, (2, 0))
        t.token(0, hills)
        return t.attack(0, "Masonry", 1, (2, 0), WIN).attack - 6 - 1

    assert attack((2, -1)) == 3
    assert attack((-2, 2)) == 0, "too far for Masonry"


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Scythia")
@pytest.mark.parametrize("option", ["fought_over", "attacked_from"])
def test_a_defenders_bonus_looks_at_the_own_space(tmp_path, option):
    attack = steppe(tmp_path, option, {(2, 0): "hills"}, leaders=("Aztec", "Scythia"))
    assert attack.defence == 1 + 2 + 3


# --- B5.2 the forests of Chichen Itza


@pytest.mark.rule("B5.2", "B8.1")
@pytest.mark.effect("Chichen Itza", "Urbanization")
@pytest.mark.parametrize(("option", "forest"), [(None, True), ("any_effect", True), ("beside_cities", False)])
def test_tokens_around_a_new_city_on_the_forests_of_chichen_itza(tmp_path, option, forest):
    far = (-3, 0)
    t = table(tmp_path, "chichen_itza_effects", option, terrain={far: "forest"})
    t.wonder("Chichen Itza", HOME)
    t.script((decisions.INDUSTRY, (0, 2)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Urbanization", 3)
    assert (t.at(far) in t.options(decisions.PLACE_TOKEN)) == forest
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", 3)
    assert t.at(far) in t.options(decisions.PLACE_TOKEN), (
        "a culture card places its tokens beside cities, and so in the forests"
    )


# --- T11.3 what a wonder brings that is taken by an effect


@cache
def rules_of_gifts():
    """Return rules under which Stonehenge and the Kremlin bring oil when built or captured."""
    gift = {"oil": {"effect": "resources", "amount": 1, "resource": "oil", "moment": "built_or_captured"}}
    overlay = {"wonders": {key: {"abilities": gift} for key in ("stonehenge", "kremlin")}}
    return with_overlay(load_ruleset(), overlay, "test").compile()


def gifts(p, q, ruling):
    t = Table(leaders=("Egypt", "Rome", "Aztec"), rules=rules_of_gifts().copy())
    t.r.effects_capture = ruling
    t.capital(p, (0, 0))
    t.capital(q, (0, 3))
    t.g.wonders_gained = 0
    return t


@pytest.mark.rule("T11.3")
@pytest.mark.parametrize(("p", "q"), [(0, 1), (2, 0), (1, 2)])
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin"])
@pytest.mark.parametrize("ruling", [0, 1])
def test_a_wonder_taken_by_an_effect_acts_by_one_ruling_only(p, q, wonder, ruling):
    t = gifts(p, q, ruling)
    t.token(q, (2, 0))
    t.wonder(wonder, (2, 0))
    t.call(lambda r, g, w, bots: culture.turn_over(r, g, w, p, t.at((2, 0))))
    t.call(start_effects.follow_up)
    assert t.g.resources[:, 2].sum() == t.g.resources[p, 2] == ruling


@pytest.mark.rule("T11.3")
@pytest.mark.parametrize(("p", "q"), [(0, 1), (2, 0)])
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin"])
@pytest.mark.parametrize("ruling", [0, 1])
@pytest.mark.parametrize("target", ["token", "city", "capital"])
def test_a_wonder_won_by_an_attack_acts_once_by_either_ruling(p, q, wonder, ruling, target):
    t = gifts(p, q, ruling)
    there = (0, 3) if target == "capital" else (0, 2)
    if target == "token":
        t.token(q, there)
    elif target == "city":
        t.city(q, there)
    t.wonder(wonder, there)
    t.token(p, (1, 1))
    t.g.wonders_gained = 0
    t.attack(p, "Masonry", 5, there, (6, 1))
    assert t.combats()[-1].won
    assert t.controls(p, wonder)
    assert t.g.resources[:, 2].sum() == t.g.resources[p, 2] == 1


@pytest.mark.rule("B8.6")
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin"])
def test_a_wonder_built_acts_once(wonder):
    t = gifts(0, 1, 1)
    t.deck(wonder)
    i = written(t.r, "wonder").index(wonder)
    t.g.resources[0] = 9
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + i))
    t.g.resources[0, 2] = 0
    t.resolve(0, "Urbanization", 5)
    assert t.controls(0, wonder)
    assert t.g.resources[0, 2] == 1
