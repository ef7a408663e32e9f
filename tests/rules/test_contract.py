"""What abilities ask and how they act together: refused where they ask in vain, once for each holder, once for each cause."""

import json

import pytest
from table import BOTS, PASS, Table, rome_with

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, culture, decisions, economy, industry, science, start_effects, state, turn
from newdawn.simulator.engine.map import ground_difficulty
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes, contract
from newdawn.simulator.rules.load import load_ruleset, problems, with_overlay
from newdawn.simulator.rules.schema import schema
from newdawn.simulator.rules.sentences import sentences
from newdawn.simulator.runs import guard

PRINTED = load_ruleset()
OIL = {"effect": "resources", "amount": 1, "resource": "oil"}


def rules(box="base", **overlay):
    """Return the printed rules with house rules."""
    return with_overlay(load_ruleset(box=box), overlay, "house").compile()


def oil(t):
    """Return how much oil each seat has."""
    return t.g.resources[: t.g.players, names.RESOURCES.index("oil")].tolist()


# --- what is refused


@pytest.mark.parametrize(
    ("stem", "ability", "message"),
    [
        ("leaders", {**OIL, "moment": "end_of_turn", "target": ["barbarian"]}, "target: says nothing: end_of_turn"),
        ("leaders", {**OIL, "moment": "city_built", "target": ["capital"]}, "target: says nothing: city_built knows no target"),
        ("leaders", {**OIL, "moment": "start_of_turn", "terrain": ["desert"]}, "terrain: says nothing: start_of_turn"),
        ("leaders", {**OIL, "moment": "defence_won", "target": ["city_state"]}, "never has the target city_state; expected"),
        ("leaders", {**OIL, "moment": "arrival", "type": ["science"]}, "only a city-state has a type"),
        ("leaders", {**OIL, "moment": "end_of_round", "if": {"attacks_won_this_turn": 1}}, "if: says nothing: end_of_round"),
        ("leaders", {**OIL, "moment": "end_of_turn", "unless": {"other_cities_on_tile": 1}}, "unless: says nothing"),
        ("leaders", {**OIL, "moment": "end_of_turn", "if": {"newest_era": 4}}, "if: is never so: newest_era is at most 3"),
        ("leaders", {**OIL, "moment": "end_of_turn", "if": {"cities": 3}, "unless": {"cities": 2}}, "unless: leaves nothing"),
        ("leaders", {**OIL, "moment": "first_turn", "from_round": 2}, "from_round: the first turn is in round 1"),
        ("leaders", {**OIL, "moment": "end_of_turn", "from_round": 9, "until_round": 4}, "until_round: expected at least 9"),
        ("leaders", {**OIL, "moment": "end_of_turn", "new_type": True}, "new_type: says nothing beside `resource`"),
        ("leaders", {**OIL, "moment": "attack_won", "target": ["barbarian"], "if": {"reinforced_lead": 1}}, "is about another"),
        ("leaders", {**OIL, "moment": "attack_won", "if": {"other_has_given_card": 1}}, "leaders with a `given_card`"),
        ("leaders", {"effect": "combat", "amount": 1, "within": 2}, "within: says nothing without per: settlement_near"),
        ("leaders", {"effect": "combat", "amount": 1, "per": "settlement_near"}, "within: is missing"),
        ("leaders", {"effect": "combat", "amount": 1, "when": ["defend"], "target": ["barbarian"]}, "defending never has"),
        ("leaders", {"effect": "culture_tokens", "amount": 1, "per": "wonders_of_its_type"}, "it is for wonder_cost"),
        ("leaders", {"effect": "spares", "target": ["city"], "per": "own_wonders"}, "unknown key: spares has"),
        ("leaders", {"effect": "difficulty", "amount": 1, "per": "own_wonders"}, "unknown key: difficulty has"),
        ("leaders", {"effect": "convert_token", "amount": 1, "limit": 2, "moment": "end_of_turn"}, "limit: expected at most 1"),
        ("diplomacy", {**OIL, "moment": "dial_turned", "giver": "only"}, "giver: says nothing: dial_turned"),
        ("diplomacy", {**OIL, "moment": "arrival", "target": ["city_state"], "giver": "only"}, "giver: is never so"),
        ("city_states", {**OIL, "moment": "defence_won", "giver": "only"}, "giver: is never so"),
    ],
)  # fmt: skip
def test_what_can_never_act_or_is_not_asked_is_refused_with_the_way_that_works(stem, ability, message):
    entries = {
        "leaders": {"rome": {"abilities": [ability]}},
        "diplomacy": {"concord": {"name": "Concord", "abilities": [ability]}},
        "city_states": {"havana": {"name": "Havana", "type": "economy", "in_place_of": "kabul", "abilities": [ability]}},
    }
    with pytest.raises(UserError, match=message):
        rules(**{stem: entries[stem]})


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ({"type": "science", "dial": 9}, "dial: is a note that changes nothing; expected 'slot'"),
        ({"type": "military", "reinforce": 9}, "reinforce: is a note that changes nothing; expected 'slot'"),
        ({"type": "industry", "mode": "nonsense"}, "mode: is a note"),
        ({"type": "economy", "terrain_limit": "none"}, "terrain_limit: is a note"),
    ],
)
def test_notes_of_focus_cards_are_taken_only_where_they_are_true(card, message):
    new = {"name": "Caravel", "level": 2, **card}
    with pytest.raises(UserError, match=message):
        rules(focus_cards={"caravel": new})
    note = next(key for key in card if key != "type")
    true = {"mode": "choose_one"}.get(note, "slot")
    rules(focus_cards={"caravel": new | {note: true}})


def test_all_wrong_abilities_of_an_entry_are_told_at_once_by_their_keys_in_the_file(tmp_path):
    path = tmp_path / "rules.yaml"
    listed = [
        {**OIL, "moment": "end_of_turn", "terrain": ["hills"], "target": ["city"]},
        {"effect": "combt", "amount": 1},
        {**OIL, "moment": "end_of_turn"},
        {**OIL, "moment": "end_of_turn", "from_round": 3, "until_round": 2},
    ]
    path.write_text(json.dumps({"leaders": {"rome": {"abilities": listed}}}), "utf-8")
    fields = [error.field.removeprefix("leaders.rome.abilities.") for error in problems([path], "base")]
    assert fields == ["resources.terrain", "resources.target", "combt.effect", "resources_3.until_round"]


# --- once for each holder


def test_once_a_turn_is_once_for_each_player():
    t = Table(
        leaders=("Egypt", "Rome", "Aztec"),
        rules=rules(everyone={"abilities": [{**OIL, "moment": "end_of_round", "once": True}]}),
    )
    t.capital(0, (0, 0))
    t.refresh()
    t.call(turn.end_round)
    t.call(turn.end_round)
    assert oil(t) == [1, 1, 1]


def test_once_a_turn_is_once_for_each_card_that_has_it():
    gift = {**OIL, "moment": "dial_turned", "once": True}
    r = rules(diplomacy={"concord": {"name": "Concord", "abilities": [gift]}}, leaders={"rome": {"abilities": []}})
    t = Table(leaders=("Rome", "Rome", "Rome"), rules=r)
    t.capital(0, (0, 0))
    t.diplomacy(0, 1, "Concord")
    t.diplomacy(0, 2, "Concord")
    t.diplomacy(2, 0, "Concord")
    for _ in range(2):
        t.call(science.advance_dial, 0, 1)
        t.call(science.advance_dial, 2, 1)
    assert oil(t) == [2, 0, 1]


def test_what_its_condition_held_back_is_not_used_up():
    t = rome_with({**OIL, "moment": "token_placed", "once": True, "if": {"cities": 2}})
    t.token(0, (1, 0))
    t.call(culture.token_placed, 0, 5, t.at((1, 0)))
    t.city(0, (-2, 0))
    t.call(culture.token_placed, 0, 5, t.at((1, 0)))
    assert oil(t)[0] == 1


# --- at its moment, for its cause


def test_a_deed_done_later_has_the_amount_of_its_moment():
    t = rome_with({"effect": "control_tokens", "amount": 1, "moment": "wonder_built", "per": "wonders_of_its_type"})
    t.wonder("Stonehenge", (0, 0))
    t.city(0, (0, 2))
    t.wonder("Hanging Gardens", (0, 2))
    t.call(industry.wonder_is_built, 0, names.WONDERS.index("Stonehenge"))
    amount = 2 if t.r.wonder_type[names.WONDERS.index("Hanging Gardens")] == names.CULTURE else 1
    assert t.g.to_do[0, 3] == amount
    t.script(*[(decisions.PLACE_TOKEN, space) for space in [(1, 0), (0, 1)][:amount]])
    t.call(start_effects.follow_up)
    t.require_script_done()


def test_an_ability_that_turns_the_dial_when_the_dial_turns_does_so_once_each_time():
    t = rome_with({"effect": "advance_dial", "amount": 1, "moment": "dial_turned"})
    before = int(t.g.dial[0])
    for turned in (2, 4):
        t.call(science.advance_dial, 0, 1)
        t.call(start_effects.follow_up)
        assert (t.g.dial[0] - before, t.g.to_do_n) == (turned, 0)


def test_abilities_that_set_each_other_off_act_once_for_each_cause():
    t = rome_with(
        {"effect": "advance_dial", "amount": 1, "moment": "token_placed"},
        {"effect": "control_tokens", "amount": 2, "moment": "dial_turned"},
    )
    before = int(t.g.dial[0])
    t.script(*[(decisions.PLACE_TOKEN, space) for space in ((1, 0), (0, 1))])
    t.call(science.advance_dial, 0, 1)
    t.call(start_effects.follow_up)
    t.require_script_done()
    assert t.g.dial[0] - before == 3  # the cause, and one for each of two tokens, whose dials place no more


def test_a_deed_without_room_ends_the_game_with_an_error():
    t = rome_with({"effect": "advance_dial", "amount": 1, "moment": "token_placed"})
    t.token(0, (1, 0))
    for _ in range(names.MAX_TO_DO):
        t.call(culture.token_placed, 0, 5, t.at((1, 0)))
    assert t.w.fault_n == 0
    t.call(culture.token_placed, 0, 5, t.at((1, 0)))
    assert (t.w.fault_n, t.g.to_do_n) == (state.OVERFULL, names.MAX_TO_DO)


def test_abilities_of_a_player_without_room_are_an_error():
    waiting = [{**OIL, "moment": "end_of_turn", "from_round": n + 1} for n in range(names.MAX_LISTED)]
    with pytest.raises(UserError, match=r"leaders.*abilities: a player has room for 60 that wait for a moment; .*there are 61"):
        rules(everyone={"abilities": waiting[:1]}, leaders={"rome": {"abilities": waiting}})
    work = {"name": "Folly", "type": "culture", "era": "ancient", "cost": 3, "resources": ["oil", "marble"],
            "abilities": [{**OIL, "moment": "card_reset"}]}  # fmt: skip
    at_any_time = [{**OIL, "moment": "city_built", "if": {"cities": n + 1}} for n in range(names.MAX_LISTED)]
    r = rules(leaders={"rome": {"abilities": at_any_time}}, wonders={"folly": work})
    t = Table(leaders=("Rome", "Egypt"), rules=r)
    t.capital(0, (0, 0))
    abilities.require_room(t.g, t.w)
    assert t.w.fault_n == 0
    t.wonder("Folly", (0, 0))
    abilities.require_room(t.g, t.w)
    assert (t.w.fault_n, t.w.fault_seat) == (state.OVERLISTED, 0)
    assert "more than 60 abilities" in str(guard.illegal_answer(t.w, ("planner", "planner"), 7))


def test_each_card_is_raised_once():
    t = rome_with({"effect": "raise_cards", "amount": 3, "moment": "end_of_turn"})
    h = [t.holder(0, kind) for kind in ("culture", "science")]
    row = int(t.r.leader_first[names.ROME])
    t.script(*[(decisions.UPGRADE, (int(t.g.card[0, k]) + 1) * 8 + k) for k in h])
    t.call(science.raise_cards, 0, row, 3)
    assert {v % 8 for v in t.options(decisions.UPGRADE, 2)} & set(h) == set()


def test_attacks_and_cards_of_a_turn_are_forgotten_at_its_end():
    t = rome_with()
    t.g.attacks_won_this_turn, t.g.cards_replaced = 2, 1
    turn.close_turn(t.r, t.g, t.w, BOTS, 0)
    assert (t.g.attacks_won_this_turn, t.g.cards_replaced) == (0, 0)


@pytest.mark.parametrize(("giver", "comes"), [("only", [1, 0]), ("never", [0, 1])])
def test_a_city_state_is_the_other_side_where_a_caravan_arrives(giver, comes):
    gift = {**OIL, "moment": "arrival", "target": ["city_state"], "giver": giver}
    r = rules(city_states={"havana": {"name": "Havana", "type": "economy", "in_place_of": "kabul", "abilities": [gift]}})
    gained = []
    for name in ("Havana", "Seoul"):
        t = Table(leaders=("Rome", "Egypt"), rules=r)
        t.capital(0, (0, 0))
        t.city_state(name, (2, 0))
        t.city_state_card(0, "Havana")
        t.card(0, "Foreign Trade")
        t.call(economy.arrive_at_city_state, 0, 0, t.at((2, 0)), t.city_state_code(name))
        gained.append(oil(t)[0])
    assert gained == comes


@pytest.mark.parametrize(("key", "eased"), [("if", False), ("unless", True)])
def test_a_difficulty_whose_condition_fails_leaves_the_ground_as_it_is(key, eased):
    t = rome_with({"effect": "difficulty", "amount": 2, key: {"own_wonders": 1}})
    assert ground_difficulty(t.r, t.g, 0, codes.FIGHT, names.MOUNTAIN, 0) == (2 if eased else 5)


@pytest.mark.parametrize("more", [0, 1])
def test_what_comes_to_nothing_is_not_offered_at_the_start_of_the_turn(more):
    t = rome_with({**OIL, "moment": "start_of_turn", "per": "cities_ahead"})
    if more:
        t.city(0, (-2, 0))
    t.start_of_turn(*[(decisions.START_EFFECT, decisions.FX_RESOURCES)] * more)
    assert oil(t)[0] == more


# --- several of one effect


def test_of_several_slots_that_a_card_acts_as_the_highest_holds_in_any_order():
    for low, high in (([1], [1, 2]), ([1, 2], [1])):
        t = rome_with(
            {"effect": "acts_as_slot", "amount": 2, "slots": low}, {"effect": "acts_as_slot", "amount": 4, "slots": high}
        )
        h = t.holder(0, "science")
        acts = [turn.acting_slot(t.r, t.g, 0, h, place) for place in range(5)]
        assert acts == [4, 4 if high == [1, 2] else 2, 3, 4, 5]
    t = rome_with({"effect": "acts_as_slot", "amount": 1, "slots": [5]})  # one alone may be a bad one
    assert turn.acting_slot(t.r, t.g, 0, t.holder(0, "science"), 4) == 1


def test_a_card_is_repeated_from_the_slots_of_all_sources_at_the_highest_number():
    t = rome_with(
        {"effect": "repeat_card", "amount": 3, "slots": [5]},
        {"effect": "repeat_card", "amount": 1, "slots": [4, 5]},
        {"effect": "repeat_card", "amount": 2, "slots": [1]},
    )
    repeats = int(t.g.power[0, codes.REPEAT_CARD])
    assert [abilities.slot_repeated(repeats, slot) for slot in range(7)] == [0, 2, 0, 0, 1, 3, 0]


def test_extra_cards_of_two_types_come_both():
    t = rome_with({"effect": "extra_card", "card": "science"}, {"effect": "extra_card", "card": "economy"})
    t.script(
        (decisions.CARD, t.row(0).index("culture")),
        (decisions.EXTRA_ECONOMY, 1),
        (decisions.SCIENCE, 0),
        (decisions.EXTRA_ECONOMY, 1),
        (decisions.CARAVAN, PASS),
    )
    t.take_turn(0)
    t.require_script_done()
    assert t.row(0)[:3] == ["culture", "economy", "science"]


@pytest.mark.rule("T12.24")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize("other", [0, 1])
def test_maracana_with_two_economy_cards_asks_its_owner_which_one(other):
    t = Table(leaders=("Aztec", "Egypt"))
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    t.wonder("Estadio do Maracana", (0, 0))
    h = t.holder(0, "military")
    t.g.card[0, h] = names.ECONOMY * names.N_LEVELS + 1  # by Oxford University
    both = sorted([h, t.holder(0, "economy")])
    value = decisions.EXTRA_OTHER + both[1] if other else 1
    t.script((decisions.CARD, t.row(0).index("culture")), (decisions.EXTRA_ECONOMY, value), (decisions.CARAVAN, PASS))
    t.take_turn(0)
    assert t.options(decisions.EXTRA_ECONOMY) == {0, 1, decisions.EXTRA_OTHER + both[1]}
    assert t.g.row[0, 1] == both[other]  # reset before the culture card


def test_an_own_card_does_what_only_unique_cards_are_printed_with():
    card = {"name": "Lyceum", "type": "science", "level": 2, "in_place_of": "mathematics", "extra_dial": {"spaces": 3,
            "condition": "controls a world wonder"}}  # fmt: skip
    data = load_ruleset(box="terra-incognita").data
    card["in_place_of"] = next(
        key for key, entry in data["focus_cards"]["ti"].items() if (entry["type"], entry["level"]) == ("science", 2)
    )
    r = rules("terra-incognita", focus_cards={"lyceum": card})
    t = Table(leaders=("Rome", "Egypt"), rules=r)
    t.capital(0, (0, 0))
    t.wonder("Oracle", (0, 0))
    h = t.holder(0, "science")
    t.g.card[0, h] = names.SCIENCE * names.N_LEVELS + 1
    before = int(t.g.dial[0])
    t.script((decisions.SCIENCE, 1))
    t.call(science.resolve_science, 0, h, 1)
    assert t.g.dial[0] - before == 4


# --- the contract and what is made of it


@pytest.mark.parametrize("word", codes.MOMENTS[1:])
def test_the_sentence_of_a_moment_has_every_condition_that_it_knows(word):
    moment = codes.MOMENT[word]
    for key in ("terrain", "target", "type"):
        assert (f"{{{key}:" in moment.says) == (contract.ASKS[key] in moment.knows), key


def test_what_sets_itself_off_says_that_it_acts_once_for_each_cause():
    r = rules(leaders={"rome": {"abilities": [{"effect": "advance_dial", "amount": 1, "moment": "dial_turned"}]}})
    assert sentences(r, "leader", names.ROME) == [
        "each time the technology dial is turned: the dial advances by 1, not for what it has set off itself"
    ]


def test_the_schema_refuses_what_a_moment_does_not_know():
    from jsonschema import Draft7Validator

    validator = Draft7Validator(schema())
    for ability, right in (
        ({**OIL, "moment": "city_built", "terrain": ["hills"]}, True),
        ({**OIL, "moment": "end_of_turn", "terrain": ["hills"]}, False),
        ({**OIL, "moment": "attack_won", "if": {"reinforced_lead": 1}}, True),
        ({**OIL, "moment": "end_of_turn", "if": {"reinforced_lead": 1}}, False),
        ({"effect": "culture_tokens", "amount": 1, "per": "wonders_of_its_type"}, False),
    ):
        file = {"leaders": {"atlantis": {"name": "Atlantis", "start_row": list(names.FOCUS_TYPES[:5]), "abilities": [ability]}}}
        assert validator.is_valid(file) == right, ability
