"""Words and card parts are declared once: what is derived from the declarations, and the templates of their sentences."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, decisions, start_effects
from newdawn.simulator.names import Words
from newdawn.simulator.rules import codes, load_ruleset
from newdawn.simulator.rules.card_parts import COLUMNS, NOTES, PARTS, parts_of
from newdawn.simulator.rules.content_models import model_of
from newdawn.simulator.rules.edit import keys
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.record import RULES
from newdawn.simulator.rules.ruleset_contents import column_value
from newdawn.simulator.rules.sentences import Chosen, Number, Switch, sentences


def test_a_word_is_declared_once_and_keeps_its_code():
    words = Words()
    assert (words.add("fight", "in combat"), words.add("rest")) == (0, 1)
    assert list(words.items()) == [("fight", "in combat"), ("rest", "rest")]
    with pytest.raises(ValueError, match="'fight' is declared twice"):
        words.add("fight")


@pytest.mark.parametrize(
    ("value", "phrase", "said"),
    [
        (Number(2), "", "2"),
        (Number(2), "+d", "+2"),
        (Number(1), "trade token", "1 trade token"),
        (Number(2), "army", "2 armies"),
        (Number(3, 99), "at most *|any", "at most 3"),
        (Number(0, 99), "at most *|any", "at most 0"),
        (Number(99, 99), "at most *|any", "any"),
        (Number(0, 99), "up to *|any|none", "none"),
        (Switch(True), "yes|no", "yes"),
        (Switch(False), "yes|no", "no"),
        (Switch(False), "yes", ""),
        (Switch(None), "yes|no", ""),
        (Chosen(["a", "b", "c"]), ", on *|anywhere", ", on a, b or c"),
        (Chosen(["a", "b"]), "&", "a and b"),
        (Chosen([], ["a", "b"]), "*|anywhere", "anywhere"),
        (Chosen([], ["a", "b"]), "&|&", "a and b"),
        (Chosen([]), "on *", ""),
    ],
)
def test_a_phrase_says_what_is_given(value, phrase, said):
    assert format(value, phrase) == said


def test_a_place_in_a_phrase_is_filled_in_as_well():
    assert "{limit:, up to {limit:token}||}".format_map({"limit": Number(2)}) == ", up to 2 tokens"
    assert "{limit:, up to {limit:token}||}".format_map({"limit": Number(0)}) == ""


@pytest.mark.parametrize("effect", codes.EFFECTS)
def test_an_effect_has_its_keys_in_model_and_record(effect):
    found = codes.EFFECT[effect].keys
    fields = model_of(effect).model_fields
    assert {field.alias or name for name, field in fields.items()} == {"effect", "works", *found}
    assert {f"ability_{name}" for name, key in found.items() if key.kind != "text"} <= set(RULES.names)


def test_what_is_not_given_means_all_none_or_the_absent_value():
    keys_of = codes.KEYS
    given = {"terrain": 0xFF, "coastal": 3, "amount": 1, "limit": codes.NO_LIMIT, "card": -1, "once": 0, "per": 0}
    assert {name: column_value(keys_of[name], None) for name in given} == given
    assert column_value(keys_of["coastal"], True) == 2
    assert column_value(keys_of["coastal"], False) == 1
    assert column_value(keys_of["amount"], 0) == 0
    assert column_value(keys_of["if"], {"cities": 3}) == codes.CITIES


def test_every_count_is_known_with_the_cards_or_on_the_spot_or_at_a_space():
    by_cards, at_a_space = codes.COUNTED_BY_CARDS, codes.COUNTED_AT_A_SPACE
    assert by_cards & at_a_space == 0
    assert by_cards == 1 | 1 << codes.OWN_WONDERS | 1 << codes.NEWEST_ERA | (
        1 << codes.WONDERS_OF_ITS_TYPE | 1 << codes.CITY_STATE_CARD_OF_ITS_TYPE
    ) | (1 << codes.DIPLOMACY_CARDS | 1 << codes.CARD_GIVERS | 1 << codes.RIVAL_CARD_GIVERS)
    assert at_a_space == sum(
        1 << codes.COUNTS.index(word)
        for word in ("own_caravan_beside", "settlement_near", "water_beside", "other_cities_on_tile")
    )


def test_a_player_has_room_for_a_number_of_every_effect_that_holds():
    holding = [code for code, deed in enumerate(codes.IS_DEED) if not deed]
    assert max(holding) == codes.N_POWERS - 1


def test_a_wonder_type_stands_apart_in_the_sentence_of_a_moment():
    ability = {"effect": "trade_tokens", "amount": 1, "moment": "wonder_built", "type": ["culture"]}
    rules = with_overlay(load_ruleset(), {"leaders": {"rome": {"abilities": [ability]}}}, "test").compile()
    assert sentences(rules, "leader", names.ROME) == ["for each world wonder built, culture: 1 trade token on any own cards"]


def test_what_no_agenda_of_a_box_counts():
    beyond = [[word for code, word in enumerate(names.METRICS) if bits >> code & 1] for bits in names.BEYOND_PRINT]
    assert beyond[names.BASE_BOX] == list(names.METRICS[names.METRIC_CARDS_OF_LEVEL :])
    assert beyond[names.TI_BOX] == list(names.METRICS[names.METRIC_TOKENS :])


def test_codes_of_sources_and_start_effects_are_their_places():
    assert decisions.SOURCES[decisions.SOURCE_CULTURE] == "culture card"
    assert decisions.SOURCES[decisions.SOURCE_POLAND] == "Poland"
    assert decisions.START_EFFECTS[decisions.FX_OWN_FUNCTION] == "own function"
    assert decisions.START_KIND[codes.SWAP_CARDS] == decisions.FX_ORACLE
    assert decisions.START_KIND[codes.COMBAT] == -1


@pytest.mark.parametrize("box", ["base", "ti"])
@pytest.mark.parametrize("kind", names.FOCUS_TYPES)
def test_the_parts_of_a_card_have_a_path_each_and_columns_of_the_record(kind, box):
    paths = [part.path for part in parts_of(kind, box) if part.path]
    assert len(set(paths)) == len(paths)
    assert not set(paths) & set(NOTES[kind].split())
    assert all(f"card_{column}" in RULES.names for part in PARTS for column in part.columns)


def test_every_column_of_cards_is_filled_by_some_printed_card():
    filled = set()
    for box in names.BOXES:
        rules = load_ruleset(box=box).compile()
        filled |= {column for column in COLUMNS if np.asarray(rules[f"card_{column}"]).any()}
    assert filled == set(COLUMNS)


def test_each_part_of_a_card_is_listed_with_a_sentence_of_its_own():
    said = {key.path: key.text for key in keys(load_ruleset(box="terra-incognita"))}
    assert said["focus_cards.ti.engineering.then.tokens"] == "Control tokens placed afterwards next to own districts."
    assert said["focus_cards.ti.civil_service.then.tokens"] == "Control tokens placed afterwards next to any friendly spaces."
    redeployed = [text for path, text in said.items() if path.endswith("redeploy_defeated.armies")]
    assert redeployed == ["Beaten armies that may set out again at a time."]


def engine_names(source):
    """Return the words whose constants the source of the engine names."""
    return {word for word in codes.EFFECTS if re.search(rf"\bcodes\.{word.upper()}\b", source)}


def test_every_deed_is_done_by_its_name():
    """The last branch of `do_deed` is that of one deed: another one without a branch would take diplomacy cards."""
    functions = [getattr(done, "py_func", done) for done in (start_effects.do_deed, abilities.is_at_once)]
    source = "".join(map(inspect.getsource, functions))
    deeds = {word for word, effect in codes.EFFECT.items() if effect.deed}
    assert deeds - engine_names(source) == {"take_diplomacy"}


def test_every_effect_that_holds_is_asked_for_in_the_engine():
    sources = [path.read_text("utf-8") for path in Path(start_effects.__file__).parent.glob("*.py")]
    holding = {word for word, effect in codes.EFFECT.items() if not effect.deed}
    assert holding - engine_names("\n".join(sources)) == set()


def test_every_effect_has_a_noun_of_its_own():
    nouns = [effect.noun for effect in codes.EFFECT.values()]
    assert len(set(nouns)) == len(nouns)
    assert not [noun for noun in nouns if not noun or "_" in noun]
