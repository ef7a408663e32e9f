"""`newdawn rules list`: every key that can be changed, what it may be, and what it means."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import edit as showing
from newdawn.simulator.rules.checks import validate
from newdawn.simulator.rules.content_models import Problem
from newdawn.simulator.rules.edit import ChangeableKey, keys, matching
from newdawn.simulator.rules.load import compiled, load_ruleset, with_overlay
from newdawn.simulator.rules.printed_game import leaves, printed_data

# What the engine reads and a house rule cannot change on its own: the names of things, what an ability is, and values that the
# models know one of.
NO_CHOICE = (
    "*.name", "*.civ", "*.abilities.*.effect", "*.whose", "tiles.geometry.*", "components.limits.wonders_per_city",
    "components.terrain_difficulty.city_state", "components.map_setup.base.core_tiles", "focus_cards.base.*.next_to",
    "*.reinforce", "*.extra_dial.condition", "*.extra_dial.per", "*.armies_from_card",
)  # fmt: skip
# Sentences about what only own content has.
NOT_PRINTED = ("victory_cards.*.condition.terrain", "victory_cards.*.condition.all_of")


@pytest.fixture(scope="module", params=names.BOXES)
def box(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def listed(box: str) -> list[ChangeableKey]:
    return keys(load_ruleset(box=box))


def call(*words: str) -> Any:
    return CliRunner().invoke(main, ["rules", "list", *words])


def test_every_key_has_a_range_and_a_sentence_of_its_own_kind(listed: list[ChangeableKey]) -> None:
    assert len(listed) == len({key.path for key in listed})
    for key in listed:
        assert key.allowed, key
        assert key.text.endswith("."), key
        assert ": ." not in key.text, key


def test_what_the_engine_reads_is_listed_unless_there_is_no_choice(box: str, listed: list[ChangeableKey]) -> None:
    data, paths = printed_data(box), {key.path for key in listed}
    read = compiled(data)[1]
    missing = [path for path, _ in leaves(data) if path in read and path not in paths]
    assert [path for path in missing if not any(fnmatchcase(path, pattern) for pattern in NO_CHOICE)] == []


def test_no_sentence_is_about_nothing() -> None:
    used = {showing.sentence(key.path) for box in names.BOXES for key in keys(load_ruleset(box=box))}
    unused = [pattern for pattern, text in showing._sentences().items() if text not in used]
    assert sorted(unused) == sorted(NOT_PRINTED)


def ends(key: ChangeableKey) -> Iterator[int]:
    """Yield the numbers just outside of a key's range."""
    low, _, high = key.allowed.partition(" to ")
    yield from (int(low) - 1, int(high) + 1)


def test_numbers_outside_of_a_range_are_refused(box: str, listed: list[ChangeableKey]) -> None:
    in_range = [key for key in listed if type(key.value) is int and re.fullmatch(r"-?\d+ to \d+", key.allowed)]
    numbers = [key for key in in_range if "level_spaces" not in key.path]
    for key in random.Random(11).sample(numbers, 20):
        for number in ends(key):
            data = printed_data(box)
            *steps, last = key.path.split(".")
            node = data
            for step in steps:
                node = node[step]
            node[last] = number
            with pytest.raises(Problem):
                validate(data)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("components.combat.die_sides", (1, 20)), ("wonders.petra.cost", (1, 99)), ("components.combat.tie", ("attacker",)),
     ("rulings.maracana_order", ("before", "after")), ("wonders.petra.available", (False,)),
     ("wonders.petra.abilities.combat.works", (False,)), ("tiles.tiles.12.available", (True,))],
)  # fmt: skip
def test_what_is_in_a_range_may_be_given(path: str, allowed: tuple[Any, ...]) -> None:
    printed = load_ruleset()
    key = next(key for key in keys(printed) if key.path == path)
    for value in allowed:
        assert (str(value).lower() if isinstance(value, bool) else str(value)) in key.allowed
        overlay: Any = value
        for step in reversed(path.split(".")):
            overlay = {step: overlay}
        changed = with_overlay(printed, overlay, "test")
        assert next(key for key in keys(changed) if key.path == path).value == value


def test_words_are_looked_for_in_paths_and_sentences() -> None:
    ruleset = load_ruleset()
    assert {key.path for key in matching(ruleset, "Petra cost")} == {"wonders.petra.cost"}
    assert {key.path for key in matching(ruleset, "equal totals")} == {"components.combat.tie"}
    assert all("cities" not in key.path for key in matching(ruleset, "tie"))  # words, not letters
    assert len(matching(ruleset, "wonders.*.cost")) == 24
    assert len(matching(ruleset, "")) == len(keys(ruleset))


@pytest.mark.parametrize(
    ("word", "said"),
    [("petar", "did you mean 'petra'?"), ("wonders.petra.cots", "did you mean 'wonders.petra.cost'?"),
     ("districts", "the box terra-incognita has some: add --box terra-incognita")],
)  # fmt: skip
def test_a_word_that_nothing_has_is_answered_with_the_nearest_one(word: str, said: str) -> None:
    with pytest.raises(UserError, match="no key") as error:
        matching(load_ruleset(), word)
    assert str(error.value).endswith(said)


def test_the_command_shows_values_under_house_rules() -> None:
    done = call("die_sides")
    assert done.exit_code == 0
    assert "(1 to 20)\n    components.combat.die_sides = 6\n1 key that" in done.output
    rows = json.loads(call("petra.cost", "--rules", "cheaper_wonders", "--json").output)
    assert [row["key"] for row in rows] == ["wonders.petra.cost"]
    assert rows[0]["value"] < json.loads(call("wonders.petra.cost", "--json").output)[0]["value"]
    assert set(rows[0]) == {"key", "value", "allowed", "text"}
