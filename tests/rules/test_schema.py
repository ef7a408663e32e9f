"""The JSON Schema of house rules: what it and the loader say to the same files, and that editors find it."""

from __future__ import annotations

import json
import re
from functools import cache

import jsonschema
import pytest
from click.testing import CliRunner
from house_rule_files import files, nested, right_files

from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.overlay import changeable
from newdawn.simulator.rules.ruleset_contents import slug
from newdawn.simulator.rules.schema import COMMENT, FILE, NOT_SAID, TEMPLATES, any_spelling, schema, share, template

PRINTED = {box: load_ruleset(box=box) for box in names.BOXES}


@cache
def validator():
    return jsonschema.Draft7Validator(schema())


def loader_says(file):
    """Return what the loader has against a file: the field, a colon, the message; nothing if it takes the file."""
    box = file.get("box") if file.get("box") in names.BOXES else names.BOXES[0]
    try:
        with_overlay(PRINTED[box], file, "mine.yaml")
    except UserError as error:
        return str(error).removeprefix("mine.yaml: ")
    return ""


def slugged(node):
    """Return the file with every key as the data spell it; A and B are sides of tiles."""
    if isinstance(node, dict):
        return {slug(key) if len(key) > 1 else key: slugged(value) for key, value in node.items()}
    return [slugged(one) for one in node] if isinstance(node, list) else node


def test_it_is_a_schema():
    jsonschema.Draft7Validator.check_schema(schema())


@pytest.mark.parametrize("file", right_files())
def test_it_takes_what_is_right(file):
    assert loader_says(file) == ""
    assert [error.message for error in validator().iter_errors(file)] == []


@pytest.mark.parametrize("count", [150, pytest.param(1_000, marks=pytest.mark.soak)])
def test_it_agrees_with_the_loader_on_any_file(count):
    """Of those that only one refuses: the reason is one that no schema can say, or a spelling that no editor proposes."""
    verdicts = {True: 0, False: 0}
    for file in files(count, seed=35):
        said, fits = loader_says(file), validator().is_valid(file)
        if said and fits:
            assert any(re.search(pattern, said) for pattern in NOT_SAID.values()), (said, file)
        elif not said and not fits:
            assert validator().is_valid(slugged(file)), file
        else:
            verdicts[fits] += 1
    assert min(verdicts.values()) > 0.3 * count
    assert sum(verdicts.values()) > 0.9 * count


@pytest.mark.parametrize("box", names.BOXES)
def test_every_key_that_can_be_changed_is_in_it(box):
    for one in changeable(PRINTED[box].data):
        file = {"box": box} | nested(one.path, one.value)
        errors = [error.message for error in validator().iter_errors(file)]
        assert errors == [] or loader_says(file), (one.path, errors)


@pytest.mark.parametrize(
    ("path", "value"),
    [("wonders.petra.cost", 100), ("wonders.petra.cost", "7"), ("wonders.petra.costs", 7), ("components.combat.tie", "nobody"),
     ("leaders.romm.available", False), ("leaders.rome.name", "Rome"), ("components.mature_city", 3),
     ("leaders.china.available", True),     ("leaders.atlantis", {"name": "Atlantis"}), ("rulings.win_check", "never")],
)  # fmt: skip
def test_it_refuses_what_is_wrong(path, value):
    assert not validator().is_valid(nested(path, value))


def described(node):
    return "description" in node or any(described(one) for one in node.get("anyOf", ()))


def test_keys_come_with_their_sentences():
    definitions = schema()["definitions"]
    petra = definitions["base.wonders.petra"]["properties"]
    assert petra["cost"]["description"] == "Production that building the world wonder takes."
    rulings = definitions["base"]["properties"]["rulings"]["properties"]
    assert rulings["win_check"]["description"].startswith("The first player looks")
    assert all(described(one) for name, one in petra.items() if "$ref" not in one)


def test_names_may_be_spelled_in_any_way():
    for name in ("Great Lighthouse", "great_lighthouse", " GREAT-lighthouse"):
        assert re.search(any_spelling("great_lighthouse"), name)
    assert not re.search(any_spelling("great_lighthouse"), "greatlighthouse")


def test_what_is_said_twice_is_shared():
    long = {"description": "x" * 200}
    definitions = {"a": {"properties": {"one": long, "two": {"properties": {"three": long}}}}}
    share(definitions)
    assert definitions == {
        "a": {"properties": {"one": {"$ref": "#/definitions/one_1"},
                             "two": {"properties": {"three": {"$ref": "#/definitions/one_1"}}}}},
        "one_1": long,
    }  # fmt: skip


def test_references_need_no_escapes():
    refs = set(re.findall(r'"#/definitions/([^"]*)"', json.dumps(schema())))
    assert refs == set(schema()["definitions"])
    assert all(re.fullmatch(r"[\w.-]+", ref) for ref in refs)


def test_the_command_prints_it():
    result = CliRunner().invoke(main, ["rules", "schema"])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == schema()


@pytest.mark.parametrize("kind", TEMPLATES)
def test_templates_tell_editors_where_it_is(kind):
    text = template(kind, "Foo Bar")
    assert text.startswith(COMMENT)
    assert re.match(rf"# yaml-language-server: \$schema={re.escape(FILE)}\n", text)


@pytest.mark.parametrize(
    "text",
    [{"wonders": {"petra": {"abilities": [{"effect": ["combat"]}]}}},
     {"focus_cards": {"foo": {"name": "Foo", "type": "science", "level": 2, "first": None}}},
     {"victory_cards": {"Civilized": {"condition": {"any_of": None}}}},
     {"tiles": {5: {"sides": {"A": {"features": [{"space": 0, "resource": None}]}}}}}],
)  # fmt: skip
def test_what_mutated_files_brought_down_is_one_line_now(text):
    assert loader_says(json.loads(json.dumps(text))).count("\n") == 0
