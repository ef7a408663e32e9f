"""House rules of both boxes may use the words that the wonders, city-states and diplomacy cards of the expansion brought."""

import pytest
from battles import LOSE, fight
from table import PASS, Table, rules_with, ti_rules_with

from newdawn.simulator.engine import decisions, pieces
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.rules.sentences import sentences

BOXES = {"base": rules_with, "terra-incognita": ti_rules_with}
EVERYWHERE = (
    {"effect": "waterside_cities", "amount": 2},
    {"effect": "resources_as_trade"},
    {"effect": "conquers_visited"},
    {"effect": "learns_from_visited"},
    {"effect": "tokens_of_taken_cities"},
    {"effect": "founds_city", "amount": 1},
    {"effect": "take_city", "amount": 1, "within": 2, "moment": "built_or_captured"},
    {"effect": "reinforce", "amount": 2, "next_to": "friendly_city", "moment": "end_of_turn"},
    {"effect": "swap_cards", "moment": "end_of_turn", "among": ["culture", "science"], "if": {"cards_replaced_this_turn": 1}},
)
EXPANSION = (
    {"effect": "combat_per_resource", "amount": 1},
    {"effect": "explore", "amount": 1, "limit": 2, "moment": "start_of_turn"},
    {"effect": "count_through", "through": ["army_tokens"]},
)


def own_wonder(*abilities) -> dict:
    """Return a house rule with a world wonder of its own."""
    wonder = {"name": "Obelisk", "type": "culture", "era": "ancient", "cost": 5, "resources": ["marble", "oil"]}
    return {"wonders": {"obelisk": {**wonder, "abilities": list(abilities)}}}


def own_card(*abilities) -> dict:
    """Return a house rule with a diplomacy card of its own."""
    return {"diplomacy": {"concord": {"name": "Concord", "abilities": list(abilities)}}}


def said(r, kind, name) -> list[str]:
    return sentences(r, kind, written(r, kind).index(name))


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("ability", EVERYWHERE, ids=lambda ability: ability["effect"])
def test_a_wonder_of_either_box_may_have_the_word(tmp_path, box, ability):
    r = BOXES[box](tmp_path, **own_wonder(ability))
    assert len(said(r, "wonder", "Obelisk")) == 1


@pytest.mark.parametrize("ability", EXPANSION, ids=lambda ability: ability["effect"])
def test_words_of_the_expansion_are_refused_in_the_base_game(tmp_path, ability):
    assert len(said(ti_rules_with(tmp_path, **own_wonder(ability)), "wonder", "Obelisk")) == 1
    with pytest.raises(UserError, match="Terra Incognita"):
        rules_with(tmp_path, **own_wonder(ability))


@pytest.mark.parametrize("defender", [0, 1])
def test_a_beaten_army_is_a_won_defence_to_abilities_whoever_it_is(tmp_path, defender):
    token = {"effect": "trade_tokens", "amount": 1, "moment": "defence_won"}
    t = Table(rules=ti_rules_with(tmp_path, **own_wonder(token)))
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    city = (1, 1) if defender == 0 else (2, -1)
    t.city(defender, city)
    t.wonder("Obelisk", city)
    before = t.g.trade.sum(axis=1).tolist()
    fight(t, city, LOSE, p=1 - defender, target="city", q=defender)
    assert (t.g.trade.sum(axis=1) - before).tolist()[:2] == [int(defender == 0), int(defender == 1)]


def test_diplomacy_cards_may_share_land_and_forbid_strikes(tmp_path):
    land, peace = ({"effect": effect, "whose": "giver"} for effect in ("shared_land", "non_aggression"))
    assert len(said(ti_rules_with(tmp_path, **own_card(land, peace)), "diplomacy", "Concord")) == 2
    assert len(said(rules_with(tmp_path, **own_card(land)), "diplomacy", "Concord")) == 1


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        ({"leaders": {"rome": {"abilities": {"founds_city": {"effect": "founds_city", "amount": 1}}}}}, "world wonders only"),
        ({"wonders": {"oracle": {"abilities": {"city_state_as_city": {"effect": "city_state_as_city"}}}}}, "city-states only"),
        (own_wonder({"effect": "shared_land", "whose": "giver"}), "diplomacy cards"),
        (
            {"leaders": {"rome": {"abilities": {"take_city": {
                "effect": "take_city", "amount": 1, "within": 2, "moment": "built_or_captured"}}}}},
            "for world wonders",
        ),
        (own_wonder({"effect": "take_city", "amount": 1, "moment": "start_of_turn"}), "within"),
        (own_wonder({"effect": "swap_cards", "moment": "start_of_turn", "among": ["culture"]}), "at least 2"),
    ],
)  # fmt: skip
def test_a_word_that_means_nothing_there_is_refused(tmp_path, overlay, message):
    with pytest.raises(UserError, match=message):
        ti_rules_with(tmp_path, **overlay)


# --- played


@pytest.mark.parametrize("box", BOXES)
def test_taking_a_city_at_the_start_of_a_turn_is_counted_from_own_cities(tmp_path, box):
    ability = {"effect": "take_city", "amount": 1, "within": 2, "moment": "start_of_turn"}
    t = Table(rules=BOXES[box](tmp_path, leaders={"rome": {"abilities": [ability]}}))
    t.capital(0, (0, 0))
    t.capital(1, (-3, 0))
    t.city(1, (2, 0))
    t.city(1, (0, 2))
    t.refresh()
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_TAKE_CITY), (decisions.TAKE_CITY, (0, 2)))
    assert (t.owner((0, 2)), t.owner((2, 0))) == (0, 1)
    t.g.ability_used[:] = 0
    t.start_of_turn((decisions.START_EFFECT, PASS))  # the next turn: it may be left
    t.g.ability_used[:] = 0
    t.g.cities_left[0] = 0
    t.start_of_turn()
    assert t.asked_kinds() == []


def test_exploring_at_the_start_of_a_turn_needs_a_tile(tmp_path):
    ability = {"effect": "explore", "amount": 1, "moment": "start_of_turn"}
    t = Table(rules=ti_rules_with(tmp_path, leaders={"rome": {"abilities": [ability]}}))
    t.capital(0, (0, 0))
    t.refresh()
    t.start_of_turn()
    assert t.asked_kinds() == []
    t.g.stack[0] = 5
    t.g.stack_n = 1
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_EXPLORE))
    assert int(t.g.stack_n) == 0


@pytest.mark.parametrize("won", [True, False])
def test_in_the_base_game_a_wonder_is_captured_and_tokens_beside_a_city_taken_in_a_won_attack(tmp_path, won):
    r = rules_with(
        tmp_path,
        **own_wonder({"effect": "take_city", "amount": 1, "within": 2, "moment": "built_or_captured"}),
        leaders={"egypt": {"abilities": [{"effect": "tokens_of_taken_cities"}]}},
    )
    t = Table(rules=r, leaders=("Egypt", "Rome"))
    t.capital(0, (0, 0))
    t.capital(1, (-3, 0))
    t.city(1, (2, 0))
    t.city(1, (1, 2))
    t.token(1, (3, -1))
    t.wonder("Obelisk", (2, 0))
    t.attack(0, "Flight", 2, (2, 0), (6, 1) if won else (1, 6))
    assert [t.owner(space) for space in ((2, 0), (3, -1), (1, 2))] == [0 if won else 1] * 3


@pytest.mark.parametrize("choice", [0, 1])
def test_in_the_base_game_a_visited_city_state_may_be_conquered(tmp_path, choice):
    t = Table(rules=rules_with(tmp_path, leaders={"rome": {"abilities": [{"effect": "conquers_visited"}]}}))
    t.capital(0, (0, 0))
    t.capital(1, (-3, 0))
    t.city_state("Geneva", (2, 0))
    t.refresh()
    t.script(
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (2, 0)),
        (decisions.TAKE_DIPLOMACY, PASS),
        (decisions.CONQUER_VISITED, choice),
    )
    t.resolve(0, "Foreign Trade", 5)
    assert t.owner((2, 0)) == (0 if choice else -1)


def test_in_the_base_game_a_city_state_may_be_an_own_city_in_the_turn(tmp_path):
    overlay = {"city_states": {"geneva": {"abilities": [{"effect": "city_state_as_city"}]}}}
    t = Table(rules=rules_with(tmp_path, **overlay))
    t.capital(0, (0, 0))
    t.capital(1, (-3, 0))
    t.city_state("Geneva", (2, 0))
    t.city_state_card(0, "Geneva")
    t.resolve(0, "Early Empire", 5)
    t.g.in_turn = 1
    t.refresh()
    pieces.settle_loans(t.r, t.g, t.w)
    assert (t.owner((2, 0)), t.piece((2, 0))) == (0, "city")
