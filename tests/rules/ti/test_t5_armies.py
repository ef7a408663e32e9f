"""T5.1-T5.5, T5.10, T5.12: armies move space by space, storm what stops them, and stand where they may afterwards."""

import pytest
from table import (
    FIRST_SPACE,
    LAST_SPACE,
    PASS,
    Table,
    rome_with,
    row_with_capital,
    table_with_the_rival_far_off,
    ti_rules,
    ti_rules_with,
    ti_table_with,
)

from newdawn.simulator import names
from newdawn.simulator.engine import armies, audit, decisions, growth, pieces, state, turn
from newdawn.simulator.engine.armies import stopped_by
from newdawn.simulator.engine.combat import conquer_city_state
from newdawn.simulator.engine.science import replace_card
from newdawn.simulator.engine.winning import have_token
from newdawn.simulator.rules.ruleset_contents import written

WIN, LOSE = (6, 1), (1, 6)

table = table_with_the_rival_far_off


def go(t, *spaces, card="Masonry", slot=5, dice=None, more=(), p=0):
    """Let seat `p` resolve the military card and move its first army to one space after the other."""
    if dice:
        t.dice(*dice)
    first = [(decisions.ARMY, int(t.g.army_lost.argmin()))]
    t.script(*first, *((decisions.ARMY_TO, s) for s in spaces), *more)
    t.resolve(p, card, slot)


def where(t, p=0, a=0):
    """Return the space of the army, or None for its card."""
    s = int(t.g.army[p, a])
    assert s != state.NOT_OWNED
    return t.coordinates[s] if s >= 0 else None


def reach(t, nth=0):
    """Return the spaces that the nth question where to go has offered."""
    return {t.coordinates[s] for s in t.options(decisions.ARMY_TO, nth)}


def ring(radius):
    """Return the spaces at most `radius` steps from the middle."""
    return {(q, r) for q in range(-radius, radius + 1) for r in range(-radius, radius + 1) if abs(q + r) <= radius}


# --- T5.1


@pytest.mark.rule("T5.1")
@pytest.mark.effect("Masonry")
def test_a_game_begins_with_one_army_on_the_military_card():
    t = table()
    assert t.g.army[0].tolist() == [state.ON_CARD, state.NOT_OWNED, state.NOT_OWNED, state.NOT_OWNED]


@pytest.mark.rule("T5.1")
@pytest.mark.effect("Iron Working")
def test_a_better_card_brings_the_new_army_onto_it_and_leaves_the_others():
    t = table()
    t.army(0, (1, 0))
    h = t.holder(0, "military")
    for level in (2, 3, 4):
        replace_card(t.r, t.g, t.w, 0, h, names.MILITARY * names.N_LEVELS + level - 1)
        assert (where(t), where(t, a=1)) == ((1, 0), None)
        assert t.g.army[0, 2] == state.NOT_OWNED


@pytest.mark.rule("T5.1")
def test_each_army_moves_once_and_finishes_before_the_next_starts():
    t = table()
    t.token(1, (2, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)), (decisions.ARMY, 1), (decisions.ARMY_TO, (0, 2)))
    t.resolve(0, "Iron Working", 3)
    assert (where(t), where(t, a=1)) == ((2, 0), (0, 2))
    kinds = [kind for kind in t.asked_kinds() if kind.startswith(("army", "combat"))]
    assert kinds[:3] == ["army", "army_to", "army"]
    assert t.options(decisions.ARMY, 1) == {1}
    assert len(t.combats()) == 1


@pytest.mark.rule("T5.1")
def test_an_army_may_stay_where_it_is():
    t = table()
    t.army(0, (1, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, PASS))
    t.resolve(0, "Masonry", 5)
    assert where(t) == (1, 0)
    t.script((decisions.ARMY, PASS))
    t.resolve(0, "Masonry", 5)
    assert where(t) == (1, 0)


@pytest.mark.rule("T5.1")
def test_armies_on_the_card_are_alike():
    t = table()
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Iron Working", 5)
    assert t.options(decisions.ARMY) == {0}
    t.army(0, (1, 0), a=1)
    t.script((decisions.ARMY, 1))
    t.resolve(0, "Iron Working", 5)
    assert t.options(decisions.ARMY) == {0, 1}


LAST_ARMY = names.MAX_ARMIES - 1


@pytest.mark.parametrize("space", [FIRST_SPACE, LAST_SPACE])
def test_the_last_army_that_a_player_may_have_is_one_like_the_first(space):
    t = ti_table_with((0, 0), (0, 3))
    for a in (0, LAST_ARMY):
        t.army(1, space, a)
        s = t.at(space)
        assert (pieces.army_on(t.g, 1, s), pieces.armies_of(t.g, 1, s), t.g.armies[s]) == (a, 1, 1)
        assert pieces.rival_army_on(t.g, 0, s)
        assert not pieces.rival_army_on(t.g, 1, s)
        assert growth.army_beside(t.g, 1, s)
        pieces.destroy_armies(t.g, t.w, s)
        assert (t.g.army[1, a], t.g.armies[s], pieces.army_on(t.g, 1, s)) == (state.ON_CARD, 0, -1)
        assert not growth.army_beside(t.g, 1, s)
        t.g.army[1, a] = state.NOT_OWNED


# --- T5.2


@pytest.mark.rule("T5.2")
@pytest.mark.parametrize(
    ("card", "steps", "leader"),
    [
        pytest.param("Masonry", 3, "Rome", marks=pytest.mark.effect("Masonry")),
        pytest.param("Iron Working", 4, "Rome", marks=pytest.mark.effect("Iron Working")),
        pytest.param("Mass Production", 5, "Rome", marks=pytest.mark.effect("Mass Production")),
        pytest.param("Flight", 6, "Rome", marks=pytest.mark.effect("Flight")),
        pytest.param("Horseback Riding", 6, "Scythia", marks=pytest.mark.effect("Horseback Riding")),
        pytest.param("Siege Tactics", 5, "Georgia", marks=pytest.mark.effect("Siege Tactics")),
        pytest.param("Scorched Earth", 4, "Zulu", marks=pytest.mark.effect("Scorched Earth")),
    ],
)
def test_an_army_goes_as_far_as_the_card_says(card, steps, leader):
    t = table(leaders=(leader, "Egypt"), radius=7)
    t.army(0, (0, 0))
    t.trade(0, "military", 3)  # lengthens no move
    t.script((decisions.ARMY, 0))
    t.resolve(0, card, 5)
    assert reach(t) == ring(steps) - {(0, 0)}
    assert "spend_trade" not in t.asked_kinds()


@pytest.mark.rule("T5.2")
def test_what_is_left_of_the_distance_serves_the_next_steps():
    t = table()
    t.army(0, (0, 0))
    go(t, (1, 0), (2, 0))
    assert where(t) == (2, 0)
    assert reach(t, 1) == {(q + 1, r) for q, r in ring(2)} - {(1, 0)}
    assert reach(t, 2) == {(q + 2, r) for q, r in ring(1)} - {(2, 0)}
    go(t, (1, 1), (1, 2), (1, 3))
    assert where(t) == (1, 3)
    assert t.asked_kinds().count("army_to") == 3  # nothing is left to ask about


@pytest.mark.rule("T5.2")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_an_army_enters_no_terrain_above_the_slot(slot):
    ground = {(1, 0): "grassland", (0, 1): "hills", (-1, 1): "forest", (-1, 0): "desert", (0, -1): "mountain", (1, -1): "water"}
    t = table(terrain=ground | {(2, -2): "water", (1, -2): "water", (0, -2): "water", (2, -1): "water"})
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", slot)
    beside = reach(t) & set(ground)
    assert beside == {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)} - {
        s for s, word in ground.items() if t.r.terrain_difficulty[names.TERRAINS.index(word)] > slot
    }


@pytest.mark.rule("T5.2")
def test_difficult_ground_is_gone_round():
    t = table(terrain={(1, 0): "mountain", (1, -1): "mountain"})
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 3)
    assert (1, 0) not in reach(t)
    assert (2, 0) in reach(t)  # by (0, 1) and (1, 1): 3 steps
    assert (2, -1) not in reach(t)


@pytest.mark.rule("T5.2")
@pytest.mark.parametrize(
    ("card", "leader", "sails"),
    [
        ("Masonry", "Rome", False), ("Iron Working", "Rome", False), ("Mass Production", "Rome", True),
        ("Flight", "Rome", True), ("Masonry", "Indonesia", True), ("Scorched Earth", "Zulu", False),
        ("Siege Tactics", "Georgia", True), ("Horseback Riding", "Scythia", False),
    ],
)  # fmt: skip
@pytest.mark.effect("Indonesia")
def test_water_is_entered_by_some_cards_and_by_indonesia(card, leader, sails):
    t = table(leaders=(leader, "Egypt"), terrain={(1, 0): "water"})
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, card, 1)
    assert ((1, 0) in reach(t)) == sails


@pytest.mark.rule("T5.2")
def test_terrain_made_easier_for_armies_counts_in_the_own_turn():
    t = table(leaders=("Japan", "Egypt"), terrain={(1, 0): "mountain", (2, 0): "water"})
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 3)
    assert (1, 0) in reach(t)
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 2)
    assert (1, 0) not in reach(t)


@pytest.mark.rule("T5.2")
def test_a_house_rule_lets_armies_go_farther(tmp_path):
    roads = {"roads": {"effect": "attack_range", "amount": 2}}
    t = table(rules=ti_rules_with(tmp_path, leaders={"rome": {"abilities": roads}}), radius=6, leaders=("Rome", "Egypt"))
    t.army(0, (0, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    assert {q for q, r in reach(t) if r == 0 and q > 0} == {1, 2, 3, 4, 5}


@pytest.mark.rule("T5.2")
def test_from_the_card_an_army_starts_in_the_capital_or_a_mature_city():
    t = table()
    t.city(0, (0, 4))
    t.city(0, (4, -4))
    t.token(0, (4, -3), (3, -3), (3, -4))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 1)
    assert t.mature(0, (4, -4))
    assert not t.mature(0, (0, 4))
    far = {(q, r) for q, r in t.coordinates if abs(q - 4) <= 3 and abs(r + 4) <= 3 and abs(q + r) <= 3}
    rival = {(-4, 0), (-4, 1), (-3, -1)}
    assert ring(3) - rival <= reach(t)
    assert far <= reach(t)
    assert (0, 4) not in reach(t)  # four steps, and no start
    assert (1, 3) not in reach(t)


@pytest.mark.rule("T5.2")
def test_with_no_movement_an_army_may_step_out_into_its_city(tmp_path):
    t = table()
    go(t, (0, 0))
    assert where(t) == (0, 0)
    assert reach(t, 1) == ring(3) - {(0, 0)}  # nothing was spent
    t = table(ti_rules_with(tmp_path, rulings={"deploy_zero": "forbidden"}))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    assert reach(t) == ring(3) - {(0, 0)}
    assert where(t) is None


# --- T5.3


@pytest.mark.rule("T5.3")
def test_own_pieces_stop_no_army_and_share_spaces_with_it():
    t = table()
    t.army(0, (0, 0))
    t.army(0, (1, 0), a=1)
    t.token(0, (2, 0))
    t.caravan(0, (0, 2))
    go(t, (3, 0), card="Iron Working")
    assert where(t) == (3, 0)
    for space in ((1, 0), (2, 0), (0, 2), (0, 0)):
        t.army(0, (0, 1))
        go(t, space, card="Iron Working")
        assert where(t) == space
        assert t.combats() == []


@pytest.mark.rule("T5.3")
def test_an_army_makes_no_space_friendly_or_rival():
    t = table()
    before = (t.g.owner.tolist(), t.g.space_count.tolist())
    t.army(0, (2, 0))
    t.army(1, (3, 0))
    assert (t.g.owner.tolist(), t.g.space_count.tolist()) == before


# --- T5.4, T5.5


def put_obstacle(t, what, space):
    if what == "barbarian":
        t.barbarian("A", space)
    elif what == "city-state":
        t.city_state("Kumasi", space)
    elif what == "fort":
        t.fort(space)
    elif what == "army":
        t.army(1, space)
    elif what == "caravan":
        t.caravan(1, space)
    elif what == "city":
        t.city(1, space)
    elif what == "district":
        t.district(1, "Campus", space)
    else:
        t.token(1, space, reinforced=what == "reinforced token")


OBSTACLES = ["barbarian", "city-state", "fort", "army", "caravan", "city", "token", "reinforced token", "district"]


@pytest.mark.rule("T5.4")
@pytest.mark.parametrize("what", OBSTACLES)
def test_entering_what_does_not_belong_to_the_player_is_an_attack_and_ends_the_move(what):
    t = table()
    t.army(0, (1, 0))
    put_obstacle(t, what, (2, 0))
    go(t, (2, 0), dice=LOSE)
    assert len(t.combats()) == 1
    assert t.asked_kinds().count("army_to") == 1
    assert (2, 0) in reach(t)


@pytest.mark.rule("T5.4")
@pytest.mark.parametrize("what", OBSTACLES)
def test_no_army_goes_through_what_stops_it(what):
    wall = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
    t = table(terrain=dict.fromkeys(wall, "mountain"))
    t.army(0, (0, 0))
    put_obstacle(t, what, (1, -1))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 4)
    assert reach(t) == {(1, -1)}


@pytest.mark.rule("T5.4")
def test_there_is_no_attack_without_entering():
    t = table()
    t.token(1, (2, 0))
    t.script((decisions.ARMY, PASS))
    t.resolve(0, "Masonry", 5)
    assert t.asked_kinds() == ["army"]
    t.army(0, (1, 0))
    go(t, (1, 1))
    assert t.combats() == []


@pytest.mark.rule("T5.4")
@pytest.mark.rule("T12.4")
def test_a_space_where_nothing_may_be_attacked_cannot_be_entered():
    t = table()
    t.army(0, (0, 0))
    t.token(1, (1, 0))
    t.caravan(1, (1, 0))
    t.diplomacy(0, 1, "Non-Aggression Pact")
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    assert (1, 0) not in reach(t)
    assert (2, 0) in reach(t)  # round it
    t.barbarian("A", (1, 0))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    assert (1, 0) in reach(t)


@pytest.mark.rule("T5.4")
def test_every_city_state_stops_an_army():
    for name in written(ti_rules(), "city_state"):
        t = Table(rules=ti_rules(), leaders=("Rome", "Egypt"), spaces=[(q, 0) for q in range(5)])
        t.capital(0, (0, 0))
        t.army(0, (0, 0))
        t.city_state(name, (1, 0))
        t.script((decisions.ARMY, 0))
        t.resolve(0, "Masonry", 5)
        assert reach(t) == {(1, 0)}, name


@pytest.mark.rule("T5.4")
def test_each_thing_that_stops_an_army_is_told_apart():
    def there(put):
        t = ti_table_with((0, 0), (0, 3))
        put(t)
        return int(armies.stopped_by(t.r, t.g, 0, t.at((2, 0))))

    for name, put in {
        "barbarian": lambda t: t.barbarian("A", (2, 0)),
        "city_state": lambda t: t.city_state("Carthage", (2, 0)),
        "token": lambda t: t.token(1, (2, 0)),
        "city": lambda t: t.city(1, (2, 0)),
        "fort": lambda t: t.fort((2, 0)),
        "caravan": lambda t: t.caravan(1, (2, 0)),
        "army": lambda t: t.army(1, (2, 0)),
    }.items():
        assert there(put) == 1 << names.TARGETS.index(name), name
    assert there(lambda t: t.token(1, (2, 0), reinforced=True)) == armies.REINFORCED_BIT
    for own in (lambda t: t.token(0, (2, 0)), lambda t: t.caravan(0, (2, 0)), lambda t: t.army(0, (2, 0)), lambda t: None):
        assert there(own) == 0


@pytest.mark.parametrize("target", ["city_state", "token", "city", "fort", "caravan", "army", "barbarian"])
def test_an_army_does_not_enter_what_its_player_may_not_attack(target):
    for spares in ([], [target]):
        t = rome_with(
            *([{"effect": "spares", "target": spares}] if spares else []),
            spaces=[(q, 0) for q in range(-1, 4)] + [(0, 3)],
            seats=2,
            box="terra-incognita",
        )
        there = (2, 0)
        if target == "city_state":
            t.city_state("Seoul", there)
        elif target == "token":
            t.token(1, there)
        elif target == "city":
            t.city(1, there)
        elif target == "fort":
            t.fort(there)
        elif target == "caravan":
            t.caravan(1, there)
        elif target == "army":
            t.army(1, there)
        else:
            t.barbarian("A", there)
        t.army(0, (0, 0))
        t.refresh()
        t.script((decisions.ARMY, 0))
        t.resolve(0, "Masonry", 5)
        offered = {t.coordinates[s] for s in t.options(decisions.ARMY_TO) if s < decisions.EXPLORE}
        assert (there in offered) == (not spares), (target, spares)


@pytest.mark.rule("T5.5")
def test_an_army_joined_by_a_rival_caravan_does_not_attack_it():
    t = table()
    t.army(0, (1, 0))
    t.caravan(1, (1, 0))
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, PASS))
    t.resolve(0, "Masonry", 5)
    assert t.combats() == []
    assert (1, 0) not in reach(t)
    go(t, (2, 0))
    assert where(t) == (2, 0)
    assert t.combats() == []


@pytest.mark.rule("T5.5")
@pytest.mark.rule("T5.2")
def test_stepping_out_into_a_shared_city_is_no_entering():
    t = table()
    t.caravan(1, (0, 0))
    go(t, (0, 0))
    assert t.combats() == []
    assert where(t) == (0, 0)
    assert t.g.caravan[1, 0] == t.at((0, 0))


@pytest.mark.rule("T5.5")
def test_coming_back_to_such_a_space_is_entering_it():
    t = table()
    t.army(0, (1, 0))
    t.caravan(1, (1, 0))
    go(t, (2, 0), (1, 0), dice=WIN)
    assert len(t.combats()) == 1
    assert where(t) == (1, 0)


# --- T5.10


@pytest.mark.rule("T5.10")
def test_a_beaten_army_returns_to_its_card_and_does_not_move_again_this_turn():
    t = table()
    t.army(0, (1, 0))
    t.token(1, (2, 0))
    go(t, (2, 0), dice=LOSE)
    assert where(t) is None
    assert t.g.armies[t.at((2, 0))] == 0
    assert (t.piece((2, 0)), t.owner((2, 0))) == ("token", 1)
    t.script()
    t.resolve(0, "Masonry", 5)  # a second time in the same turn
    assert t.asked_kinds() == []
    turn.begin_turn(t.r, t.g)
    go(t, (1, 0))
    assert where(t) == (1, 0)


@pytest.mark.rule("T5.10")
def test_the_other_army_still_moves():
    t = table()
    t.army(0, (1, 0))
    t.token(1, (2, 0))
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)), (decisions.ARMY, 1), (decisions.ARMY_TO, (0, 1)))
    t.resolve(0, "Iron Working", 5)
    assert (where(t), where(t, a=1)) == (None, (0, 1))
    assert t.options(decisions.ARMY, 1) == {1}


# --- T5.12


@pytest.mark.rule("T5.8", "T5.13")
@pytest.mark.parametrize("p", [0, 1])
def test_who_attacks_what_is_nobodys_leaves_the_other_player_out_of_it(p):
    """Neither is the other asked for trade tokens, nor does its card go back."""
    t = table()
    t.trade(1 - p, "military", 3)
    t.diplomacy(p, 1 - p, "Embassy")
    t.army(p, (1, 0))
    t.barbarian("A", (2, 0))
    go(t, (2, 0), p=p, dice=WIN)
    assert {seat for _, seat, _ in t.asked()} == {p}
    assert t.g.diplomacy[1 - p].max() == p


@pytest.mark.rule("T5.12")
@pytest.mark.parametrize("what", ["barbarian", "city-state", "fort", "army", "caravan", "city", "token", "district"])
def test_after_a_victory_the_army_stays_where_nothing_of_others_is_left(what):
    t = table()
    t.army(0, (1, 0))
    put_obstacle(t, what, (2, 0))
    go(t, (2, 0), dice=WIN, slot=5)
    assert t.combats()[-1].won
    assert where(t) == (2, 0)


@pytest.mark.rule("T5.12")
def test_it_goes_back_from_a_capital():
    t = table()
    t.army(0, (-2, 0))
    go(t, (-4, 0), dice=WIN)
    assert t.combats()[-1].won
    assert where(t) == (-3, 0)


@pytest.mark.rule("T5.12")
def test_it_goes_back_from_a_city_whose_guard_was_beaten():
    t = table()
    t.army(0, (0, 0))
    t.city(1, (2, 0))
    t.army(1, (2, 0))
    go(t, (1, 0), (2, 0), dice=WIN, more=[(decisions.ARMY_TARGET, state.TARGET_ARMY * 8 + 1)])
    assert where(t, 1) is None
    assert where(t) == (1, 0)
    assert (t.piece((2, 0)), t.owner((2, 0))) == ("city", 1)


@pytest.mark.rule("T5.12")
def test_it_goes_back_from_a_freed_city_state():
    t = table()
    t.conquered(1, "Kumasi", (2, 0))
    t.army(0, (1, 0))
    go(t, (2, 0), dice=WIN, more=[(decisions.CITY_STATE_FATE, 1)])
    assert t.g.city_state[t.at((2, 0))] >= 0
    assert where(t) == (1, 0)


@pytest.mark.rule("T5.12")
def test_it_goes_back_from_the_second_of_two_pieces():
    t = table()
    t.army(0, (0, 0))
    t.caravan(1, (1, 0))
    t.caravan(1, (1, 0), c=1)
    go(t, (1, 0), dice=WIN)
    assert t.g.caravans[t.at((1, 0))] == 1
    assert where(t) == (0, 0)


@pytest.mark.rule("T5.12")
def test_it_goes_back_from_under_a_beaten_barbarian():
    t = table()
    t.army(0, (1, 1))
    t.barbarian("A", (1, 0))
    t.token(1, (1, 0))
    go(t, (1, 0), dice=WIN)
    assert t.g.barbarians[t.at((1, 0))] == 0
    assert t.owner((1, 0)) == 1
    assert where(t) == (1, 1)


@pytest.mark.rule("T5.12")
def test_the_space_it_goes_back_to_is_the_players_choice_of_way():
    for way in ((1, -1), (0, 1), (1, 0)):
        t = table()
        t.army(0, (0, 0))
        t.city(1, (2, -1) if way == (1, -1) else (1, 1))
        target = (2, -1) if way == (1, -1) else (1, 1)
        t.caravan(1, target)
        go(t, way, target, dice=WIN, more=[(decisions.ARMY_TARGET, state.TARGET_CARAVAN * 8 + 1)])
        assert where(t) == way


@pytest.mark.rule("T5.12")
def test_without_a_chosen_way_it_comes_along_a_shortest_one():
    t = table(terrain={(1, 0): "mountain"})
    t.army(0, (0, 0))
    t.city(1, (1, 1))
    t.caravan(1, (1, 1))
    go(t, (1, 1), dice=WIN, slot=4, more=[(decisions.ARMY_TARGET, state.TARGET_CARAVAN * 8 + 1)])
    assert where(t) == (0, 1)  # (1, 0) is too difficult


@pytest.mark.rule("T5.12")
def test_back_in_the_city_it_set_out_from_it_is_a_piece_on_the_map():
    t = table()
    t.city(1, (1, 0))
    t.caravan(1, (1, 0))
    go(t, (1, 0), dice=WIN, more=[(decisions.ARMY_TARGET, state.TARGET_CARAVAN * 8 + 1)])
    assert where(t) == (0, 0)
    assert t.g.armies[t.at((0, 0))] == 1


@pytest.mark.rule("T5.12")
@pytest.mark.parametrize(("reading", "space"), [("to_card", None), ("to_start", (1, 0))])
def test_an_army_whose_start_was_shared_has_nowhere_to_go(tmp_path, reading, space):
    t = table(ti_rules_with(tmp_path, rulings={"no_retreat": reading}))
    t.army(0, (1, 0))
    t.caravan(1, (1, 0))
    t.city(1, (2, 0))
    t.caravan(1, (2, 0), c=1)
    go(t, (2, 0), dice=WIN, more=[(decisions.ARMY_TARGET, state.TARGET_CARAVAN * 8 + 1)])
    assert where(t) == space


@pytest.mark.rule("T5.12")
def test_with_a_free_space_on_its_way_the_shared_start_does_not_matter():
    t = table()
    t.army(0, (1, 0))
    t.caravan(1, (1, 0))
    t.city(1, (3, 0))
    t.caravan(1, (3, 0), c=1)
    go(t, (3, 0), dice=WIN, more=[(decisions.ARMY_TARGET, state.TARGET_CARAVAN * 8 + 1)])
    assert where(t) == (2, 0)


@pytest.mark.rule("T5.12")
@pytest.mark.parametrize(("reading", "space"), [("to_card", None), ("to_start", (0, 0))])
def test_an_army_of_the_card_that_starts_in_a_shared_city(tmp_path, reading, space):
    t = table(ti_rules_with(tmp_path, rulings={"no_retreat": reading}))
    t.caravan(1, (0, 0))
    t.city(1, (1, 0))
    t.caravan(1, (1, 0), c=1)
    go(t, (1, 0), dice=WIN, more=[(decisions.ARMY_TARGET, state.TARGET_CARAVAN * 8 + 1)])
    assert where(t) == space


@pytest.mark.rule("T5.12")
def test_the_way_of_an_army_is_followed_back_from_all_six_sides():
    t = table()
    t.army(0, (1, 1))
    h = t.card(0, "Masonry")
    armies.count_army(t.r, t.g, t.w, 0, 0, t.g.card[0, h], 5, 1)
    for space in ((2, 1), (1, 2), (0, 2), (0, 1), (1, 0), (2, 0)):
        assert armies.step_before(t.g, t.w, t.at(space)) == t.at((1, 1)), space


@pytest.mark.rule("T5.12")
def test_the_start_of_an_army_of_the_card_is_the_city_it_sets_out_from_and_of_another_where_it_stood():
    for begins in (armies.NOWHERE, 5):
        t = row_with_capital(7, rules=ti_rules())
        t.city(0, (4, 0))
        t.token(0, (3, 0), (5, 0))  # so that the city is mature
        t.g.army[0, 0], t.g.army_start[0] = state.ON_CARD, begins
        card = t.g.card[0, t.holder(0, "military")]
        armies.count_army(t.r, t.g, t.w, 0, 0, card, 6, 3)
        assert armies.go(t.r, t.g, t.w, 0, 0, t.at((6, 0))) == 2
        assert t.g.army_start[0] == (t.at((4, 0)) if begins == armies.NOWHERE else begins)


# --- the audit


def pieces_apart(t):
    """Return a table with an army each, on own ground."""
    t.army(0, (1, 0))
    t.army(1, (3, 0))
    return t


def lose_an_army(t):
    t.g.armies[t.at((1, 0))] = 0


def misplace_an_army(t):
    t.g.armies[t.at((2, 2))] = 1


def one_too_many(t):
    t.army(0, (1, 0), a=2)


def army_of_nowhere(t):
    t.g.army[0, 1] = -5


def token_under_a_rival(t):
    t.token(0, (3, 0))


def city_under_a_rival(t):
    t.city(0, (3, 0))


def armies_together(t):
    t.army(0, (3, 0))


def army_in_a_city_state(t):
    t.city_state("Kumasi", (1, 0))


def army_in_a_free_fort(t):
    t.fort((1, 0))


@pytest.mark.parametrize(
    ("spoil", "seen"),
    [
        (lambda t: None, audit.OK),
        (lose_an_army, audit.ARMY_SPACE),
        (misplace_an_army, audit.ARMY_SPACE),
        (one_too_many, audit.ARMY_SPACE),
        (army_of_nowhere, audit.ARMY_SPACE),
        (token_under_a_rival, audit.UNDER_ARMY),
        (city_under_a_rival, audit.UNDER_ARMY),
        (armies_together, audit.ARMY_STAYS),
        (army_in_a_city_state, audit.ARMY_STAYS),
        (army_in_a_free_fort, audit.ARMY_STAYS),
    ],
)
def test_the_audit_sees_armies_where_they_cannot_be(spoil, seen):
    t = pieces_apart(table())
    spoil(t)
    audit.audit_armies(t.r, t.g, t.w)
    audit.audit_at_rest(t.r, t.g, t.w)
    assert t.w.violation == seen


def held_city_state():
    """Return a table on which a control token of seat 0 holds Kumasi at (1, 0), with an army of that seat."""
    t = pieces_apart(table())
    t.city_state("Kumasi", (1, 0))
    conquer_city_state_without_cities(t, (1, 0))
    return t


def conquer_city_state_without_cities(t, space):
    left, t.g.cities_left[0] = int(t.g.cities_left[0]), 0
    t.call(conquer_city_state, 0, t.at(space))
    t.g.cities_left[0] = left


@pytest.mark.rule("T5.5")
@pytest.mark.rule("B1.6")
def test_an_army_stays_where_its_player_takes_the_token_off_a_city_state():
    t = held_city_state()
    t.w.violation = audit.OK
    audit.watch_armies(t.g, t.w)
    t.token(0, (0, 1))
    t.g.tokens_left[0] = 0
    t.script((decisions.TAKE_OFF, (1, 0)))
    assert t.call(have_token, 0, decisions.SOURCE_LIBERTY, 0)
    t.require_script_done()
    assert t.g.city_state[t.at((1, 0))] == t.city_state_code("Kumasi")
    assert where(t) == (1, 0)
    audit.watch_armies(t.g, t.w)
    audit.audit_at_rest(t.r, t.g, t.w)
    assert t.w.violation == audit.OK
    go(t, (2, 0))  # and it may leave as from any space
    assert where(t) == (2, 0)
    assert t.combats() == []


@pytest.mark.rule("T5.11")
@pytest.mark.parametrize(("since", "seen"), [(False, audit.OK), (True, audit.UNDER_ARMY)])
def test_an_army_left_in_a_city_state_stays_when_another_seat_conquers_it(since, seen):
    """Only a city, control token or district that is beaten sends figures home; the audit sees whoever came there since."""
    t = held_city_state()
    t.w.violation = audit.OK
    audit.watch_armies(t.g, t.w)
    free_city_state_from(t, (1, 0))
    if since:
        t.army(0, (0, 1))
        audit.watch_armies(t.g, t.w)
        t.army(0, (1, 0))
    t.call(conquer_city_state, 1, t.at((1, 0)))
    assert t.g.owner[t.at((1, 0))] == 1
    assert where(t) == (1, 0)
    audit.watch_armies(t.g, t.w)
    audit.audit_at_rest(t.r, t.g, t.w)
    assert t.w.violation == seen


def test_the_audit_sees_a_city_under_an_army_that_held_ground_which_is_no_city_state():
    t = pieces_apart(table())
    t.token(0, (1, 0))
    audit.watch_armies(t.g, t.w)
    assert t.w.held_ground[0, 0] == t.at((1, 0))
    pieces.set_owner(t.g, t.w, 1, t.at((1, 0)), names.CITY)
    audit.watch_armies(t.g, t.w)
    audit.audit_at_rest(t.r, t.g, t.w)
    assert t.w.violation == audit.UNDER_ARMY


def test_the_audit_sees_an_army_that_has_come_to_a_city_state_since():
    t = held_city_state()
    audit.watch_armies(t.g, t.w)
    t.army(0, (0, 1))
    free_city_state_from(t, (1, 0))
    audit.watch_armies(t.g, t.w)
    t.army(0, (1, 0))
    audit.watch_armies(t.g, t.w)
    audit.audit_at_rest(t.r, t.g, t.w)
    assert t.w.violation == audit.ARMY_STAYS


def test_the_audit_sees_an_army_that_stays_in_a_city_on_loan():
    t = pieces_apart(table())
    t.city_state("Antananarivo", (1, 0))
    t.city_state_card(0, "Antananarivo")
    t.g.current, t.g.in_turn = 0, 1
    pieces.settle_loans(t.r, t.g, t.w)
    audit.watch_armies(t.g, t.w)
    t.g.in_turn = 0
    pieces.settle_loans(t.r, t.g, t.w)
    audit.watch_armies(t.g, t.w)
    audit.audit_at_rest(t.r, t.g, t.w)
    assert t.w.violation == audit.ARMY_STAYS


def free_city_state_from(t, space):
    pieces.take_token_off(t.r, t.g, t.w, t.at(space), 0)
    assert t.g.city_state[t.at(space)] >= 0


# --- the base game


def test_in_the_base_game_nobody_has_an_army():
    t = Table()
    assert set(t.g.army[:2].ravel().tolist()) == {state.NOT_OWNED}


def test_what_stops_an_army_is_told_by_target():
    t = table()
    t.army(1, (2, 0))
    t.city(1, (1, 1))
    s = [t.at((2, 0)), t.at((1, 1)), t.at((0, 0))]
    assert [stopped_by(t.r, t.g, 0, x) for x in s] == [1 << state.TARGET_ARMY, 1 << state.TARGET_CITY, 0]
    assert [stopped_by(t.r, t.g, 1, x) for x in s] == [0, 0, 1 << state.TARGET_CITY]
