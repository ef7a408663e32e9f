"""What belongs to a moment and what does not: an ability is kept back only by a condition that its moment knows.

A leader waits for every moment with a condition that it can answer; one that it cannot answer is refused: a focus type where no
card, wonder or city-state is concerned, a terrain where no space is, the giver of a diplomacy card where no other player is.
"""

import json
from functools import cache

import pytest
from table import BOTS, Table, bare_state, printed_rules, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import battle, culture, decisions, economy, industry, pieces, science, start_effects, state, turn
from newdawn.simulator.engine.compile import user_functions
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes, contract
from newdawn.simulator.rules.load import load_ruleset, with_overlay

LEFT_OUT = {"held", "start_of_turn", *codes.TI_WORDS}  # army_lost: tests/rules/test_losses.py
MOMENTS = [word for word, moment in codes.MOMENT.items() if word not in LEFT_OUT and not moment.only]
BARBARIAN, SPACE = (0, 1), (1, 0)


@cache
def rules_of(box, condition):
    """Return rules where Rome, or who holds the card Concord, has an ability at every moment, with the condition (as JSON)."""
    of_card = "giver" in condition
    each = [{"effect": "resources", "amount": 0, "moment": moment, **json.loads(condition)} for moment in MOMENTS]
    wait = [ability for ability in each if not list(contract.faults(ability, "diplomacy" if of_card else "leaders"))]
    overlay = {
        "leaders": {"rome": {"abilities": [] if of_card else wait}, "egypt": {"abilities": []}},
        "diplomacy": {"concord": {"name": "Concord", "abilities": wait if of_card else []}},
    }
    return with_overlay(load_ruleset(box=box), overlay, "test").compile()


def waiting(condition, box="base"):
    """Return a table where seat 1, Rome, which holds the card Concord of seat 0, waits for every moment."""
    t = Table(radius=4, leaders=("Egypt", "Rome"), rules=rules_of(box, json.dumps(condition)))
    t.capital(1, (0, 0))
    t.capital(0, (4, 0))
    t.diplomacy(1, 0, "Concord")
    t.g.current = 1
    return t


def came(t):
    """Return the moments at which an ability of seat 1 has acted."""
    rows = [int(row) for row in t.g.listed[1, : t.g.listed_n[1]]]
    return {codes.MOMENTS[t.r.ability_moment[row]] for row in rows if t.g.ability_used[row]}


# --- how the moments come about


def fight_barbarian(t, dice):
    t.barbarian("A", BARBARIAN)
    t.attack(1, "Masonry", 1, BARBARIAN, dice, barbarian=True)


def beat_off(t):
    t.token(1, SPACE)
    t.token(0, (2, 0))
    t.attack(0, "Masonry", 1, SPACE, (1, 6))


def arrive(t):
    t.city(0, (2, 0))
    t.card(1, "Foreign Trade")
    t.call(economy.arrive_at_city, 1, 0, t.at((2, 0)), 0)


def arrive_at_city_state(t):
    t.city_state("Kabul", (2, 0))
    t.card(1, "Foreign Trade")
    t.call(economy.arrive_at_city_state, 1, 0, t.at((2, 0)), t.city_state_code("Kabul"))


def build_wonder(t):
    t.deck("Oracle")
    t.give_resources(1, mercury=4)
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + names.WONDERS.index("Oracle")))
    t.resolve(1, "Pottery", slot=5)


def spread(t):
    """Place a token on hills, and with Stonehenge another one."""
    t.wonder("Stonehenge", (0, 0))
    for space in (SPACE, (2, 0)):
        t.g.terrain[t.at(space)] = names.HILLS
    t.g.ability_used[:] = 0
    t.script((decisions.PLACE_TOKEN, (2, 0)))
    t.call(culture.spread_tokens, 1, 5, t.at(SPACE))
    t.require_script_done()


def lose_city(t):
    t.city(1, (-2, 0))
    pieces.take_city_off(t.g, t.w, t.at((-2, 0)), 0)
    t.call(start_effects.follow_up)


def lose_token(t):
    t.token(1, SPACE)
    t.token(0, (2, 0))
    pieces.swap_token(t.g, t.w, 0, t.at(SPACE), names.TOKEN)
    t.call(start_effects.follow_up)


def lose_caravan(t):
    t.caravan(1, SPACE)
    pieces.destroy_caravans(t.g, t.w, t.at(SPACE))
    t.call(start_effects.follow_up)


def whole_turn(t):
    t.script((decisions.CARD, t.row(1).index("science")))
    t.take_turn(1)


ACTS = {
    "attack_won": ("attack_won", lambda t: fight_barbarian(t, (6, 1))),
    "barbarian_defeated": ("barbarian_defeated", lambda t: fight_barbarian(t, (6, 1))),
    "attack_lost": ("attack_lost", lambda t: fight_barbarian(t, (1, 6))),
    "defence_won": ("defence_won", beat_off),
    "city_built": ("city_built", lambda t: t.call(industry.build_city, 1, t.holder(1, "industry"), 1, t.at((2, 0)))),
    "wonder_built": ("wonder_built", build_wonder),
    "arrival": ("arrival", arrive),
    "arrival at a city-state": ("arrival", arrive_at_city_state),
    "token_placed": ("token_placed", lambda t: t.call(culture.token_placed, 1, 5, t.at(SPACE))),
    "token_placed after another": ("token_placed", spread),
    "trade_icon": ("trade_icon", lambda t: t.call(turn.pay_mature_cities)),
    "dial_turned": ("dial_turned", lambda t: t.call(science.advance_dial, 1, 1)),
    "first_turn": ("first_turn", lambda t: t.call(start_effects.start_of_turn, 1)),
    "end_of_round": ("end_of_round", lambda t: t.call(turn.end_round)),
    "end_of_turn": ("end_of_turn", lambda t: turn.close_turn(t.r, t.g, t.w, BOTS, 1)),
    "city_lost": ("city_lost", lose_city),
    "token_lost": ("token_lost", lose_token),
    "caravan_lost": ("caravan_lost", lose_caravan),
    "card_resolved": ("card_resolved", whole_turn),
    "card_reset": ("card_reset", whole_turn),
}
TYPED = {"wonder_built", "arrival at a city-state", "card_resolved", "card_reset"}
WITHOUT_SPACE = {"trade_icon", "dial_turned", "first_turn", "end_of_round", "end_of_turn", "card_resolved", "card_reset"}
LOSSES = {"city_lost", "token_lost", "caravan_lost"}
WITH_TARGETS = {"attack_won", "attack_lost", "defence_won", "arrival", "arrival at a city-state"}
WITH_OTHERS = WITH_TARGETS | LOSSES
AGAINST_SOMEBODY = {"defence_won", "arrival", "city_lost", "token_lost"}
CONDITIONS = {"type": ["science"], "terrain": ["hills"], "target": ["city"], "giver": "never"}


def test_a_moment_knows_what_comes_with_it():
    """Written by hand: the contract says the same."""
    knows = {
        "type": {ACTS[act][0] for act in TYPED},
        "terrain": set(MOMENTS) - WITHOUT_SPACE,
        "target": {ACTS[act][0] for act in WITH_TARGETS},
        "giver": {ACTS[act][0] for act in WITH_OTHERS},
    }
    assert {key: set(contract.knowing(fact)) & set(MOMENTS) for key, fact in contract.ASKS.items()} == knows


@pytest.mark.parametrize("moment", [*MOMENTS, "start_of_turn"])
@pytest.mark.parametrize("key", CONDITIONS)
def test_what_a_moment_does_not_know_is_refused_with_the_moments_that_do(moment, key):
    ability = {"effect": "trade_tokens", "amount": 1, "moment": moment, key: CONDITIONS[key]}
    card = {"concord": {"name": "Concord", "abilities": [ability]}}
    asked = contract.ASKS[key] in codes.MOMENT[moment].knows and (key, moment) != ("type", "arrival")
    if asked:
        with_overlay(load_ruleset(), {"diplomacy": card}, "test")
        return
    with pytest.raises(UserError, match=f"trade_tokens.{key}: (says nothing: {moment} knows no .* asked at|only a city-state)"):
        with_overlay(load_ruleset(), {"diplomacy": card}, "test")


def test_every_moment_is_among_them():
    assert {moment for moment, _ in ACTS.values()} == set(MOMENTS)


@pytest.mark.parametrize("act", sorted(ACTS))
def test_every_moment_comes(act):
    t = waiting({})
    assert came(t) == set()
    ACTS[act][1](t)
    assert ACTS[act][0] in came(t)


@pytest.mark.parametrize("kind", names.FOCUS_TYPES[:5])
@pytest.mark.parametrize("act", sorted(TYPED))
def test_the_focus_type_of_a_card_a_wonder_and_a_city_state_is_asked_for(act, kind):
    mine = "military" if act == "arrival at a city-state" else "science"
    t = waiting({"type": [kind]} | ({"target": ["city_state"]} if act == "arrival at a city-state" else {}))
    ACTS[act][1](t)
    assert (ACTS[act][0] in came(t)) == (kind == mine)


@pytest.mark.parametrize("act", sorted(ACTS.keys() - WITHOUT_SPACE))
def test_a_moment_with_a_space_asks_for_its_terrain(act):
    t = waiting({"terrain": ["desert"]})
    ACTS[act][1](t)
    assert ACTS[act][0] not in came(t)


@pytest.mark.parametrize("act", sorted(WITH_OTHERS))
@pytest.mark.parametrize("word", ["never", "only"])
def test_a_moment_without_another_player_is_not_the_givers(act, word):
    t = waiting({"giver": word})
    ACTS[act][1](t)
    assert (ACTS[act][0] in came(t)) == ((act in AGAINST_SOMEBODY) == (word == "only"))


def test_a_barbarian_that_a_caravan_removes_is_a_barbarian_defeated_where_the_ruling_says_so():
    conditions = [{}, {"terrain": ["desert"]}]
    for condition in conditions:
        t = waiting(condition)
        t.r = t.r.copy()
        t.r.currency_counts_as_defeat = 1
        t.barbarian("A", BARBARIAN)
        economy.remove_barbarian(t.r, t.g, t.w, BOTS, 1, t.at(BARBARIAN))
        assert came(t) == (set() if "terrain" in condition else {"barbarian_defeated"})


DEED = """from newdawn.strategies import deed


@deed
def act(r, g, w, bots, p, s, amount):
    g.resources[p, 0] += s  # -1: no space
    g.resources[p, 1] += amount
"""


def test_a_function_is_told_where_no_space_belongs_to_its_moment(tmp_path, monkeypatch):
    (tmp_path / "spaceless_deeds.py").write_text(DEED, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    act = {"effect": "own_function", "function": "spaceless_deeds:act", "amount": 1}
    abilities = [{**act, "moment": moment} for moment in sorted(WITHOUT_SPACE)]
    r = with_overlay(load_ruleset(), {"leaders": {"rome": {"abilities": abilities}}}, "test").compile()
    user_functions.load(r)
    for moment in sorted(WITHOUT_SPACE):
        t = Table(leaders=("Egypt", "Rome"), rules=r)
        t.capital(1, (0, 0))
        t.g.current = 1
        t.g.resources[1] = 20
        ACTS[moment][1](t)
        t.call(start_effects.follow_up)
        acted = int(t.g.resources[1, 1]) - 20
        assert acted > 0, moment
        assert t.g.resources[1, 0] == 20 - acted, moment


# --- battles of armies


def army_fights(t, dice, p=1):
    """Let an army of the seat attack a control token of the other one."""
    t.token(1 - p, SPACE)
    t.army(p, SPACE)
    t.g.current = p
    t.dice(*dice)
    h = t.card(p, "Masonry")
    assert t.call(battle.fight, p, h, 1, t.at(SPACE), state.TARGET_TOKEN, 1 - p, 0) == (dice[0] > dice[1])


BATTLES = {
    "attack_won": lambda t: army_fights(t, (6, 1)),
    "attack_lost": lambda t: army_fights(t, (1, 6)),
    "defence_won": lambda t: army_fights(t, (1, 6), p=0),
}


@pytest.mark.parametrize("moment", BATTLES)
@pytest.mark.parametrize(
    ("condition", "acts"),
    [
        ({}, True),
        ({"terrain": ["grassland"]}, True),
        ({"terrain": ["desert"]}, False),
        ({"target": ["token"]}, True),
        ({"target": ["army"]}, False),
        ({"giver": "only"}, True),
        ({"giver": "never"}, False),
    ],
)
def test_a_battle_of_armies_asks_for_its_target_its_space_and_its_other_side(moment, condition, acts):
    t = waiting(condition, box="terra-incognita")
    BATTLES[moment](t)
    gone = "giver" in condition and moment != "defence_won"  # an attack gives the card back (B9.12)
    assert (moment in came(t)) == (acts and not gone)


# --- what a moment tells, on a state with nothing else in it


def listening(moment, **conditions):
    """Return rules and a bare state where seat 1 waits for the moment with an ability, in row 0, under these conditions."""
    r, g, w = printed_rules().copy(), bare_state(line=3), used_work()
    w.log_on = 0
    r.ability_moment[0], r.ability_effect[0], r.ability_amount[0] = moment, codes.RESOURCES, 0
    r.ability_target[0], r.ability_type[0], r.ability_terrain[0], r.ability_giver[0] = 255, 255, 255, 0
    r.ability_if[0], r.ability_unless[0], r.ability_per[0], r.ability_once[0] = 0, 0, 0, 0
    for field, value in conditions.items():
        r[field][0] = value
    g.listed[1, 0], g.listed_n[1], g.moments[1], g.listed_giver[1, 0] = 0, 1, 1 << moment, 0
    return r, g, w


NOT_CULTURE = 255 & ~(1 << names.CULTURE)


@pytest.mark.parametrize(
    ("conditions", "acts"),
    [
        ({}, True),
        ({"ability_type": NOT_CULTURE}, True),
        ({"ability_giver": codes.GIVER_NEVER}, True),
        ({"ability_giver": codes.GIVER_ONLY}, False),
        ({"ability_terrain": 1 << names.HILLS}, True),
        ({"ability_terrain": 1}, False),
    ],
)
def test_a_control_token_placed_is_heard_of_with_its_space_and_nothing_else(conditions, acts):
    r, g, w = listening(codes.TOKEN_PLACED, **conditions)
    g.terrain[1], g.dirty, g.stale = names.HILLS, 0, 0
    culture.token_placed(r, g, w, BOTS, 1, 5, 1)
    assert bool(g.ability_used[0]) == acts


@pytest.mark.parametrize("sees", [0, 1])
@pytest.mark.parametrize(("why", "shifted"), [(turn.CHOSEN, True), (turn.BY_MARACANA, True), (turn.BY_CAPITALISM, False)])
@pytest.mark.parametrize(
    ("conditions", "acts"),
    [
        ({}, True),
        ({"ability_giver": codes.GIVER_NEVER}, True),
        ({"ability_terrain": 2}, True),
        ({"ability_type": 1 << names.SCIENCE}, True),
        ({"ability_type": NOT_CULTURE & ~(1 << names.SCIENCE)}, False),
    ],
)
def test_a_card_acts_from_its_shifted_slot_where_it_lies_or_sees_it_and_is_heard_of_when_it_is_done(
    sees, why, shifted, conditions, acts
):
    r, g, w = listening(codes.CARD_RESOLVED, **conditions)
    r.machu_picchu_sees_as_if = sees
    h = names.SCIENCE
    g.card[1, h], g.row[1, 2] = h * names.N_LEVELS, h
    g.acting_place[1, h, 2] = 3
    g.current, g.dirty, g.stale, w.script_n = 1, 0, 0, 0
    turn.resolve_card(r, g, w, BOTS, 1, h, 2, why)
    assert w.ask_slot == r.slot_number[3 if shifted or sees else 2]
    assert bool(g.ability_used[0]) == acts
