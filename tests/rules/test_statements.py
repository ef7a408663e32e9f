"""The rules by number: complete, in order, one line each; and what is refused."""

import re

import pytest
import yaml

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.printed_game import ruling_options
from newdawn.simulator.rules.show import parse, statements

RULES = {"B1.1": "One.", "B1.2": "Two.", "B1.2a": "Ruling."}
GOOD = {
    "sections": [{"section": "B1", "part": "B", "title": "Words", "rules": RULES}],
    "made_of": {"B1.2": ["B1.2a"]},
    "numbers": {"B1.1": ["max_trade"]},
}


def text(**section):
    return yaml.safe_dump({**GOOD, "sections": [{**GOOD["sections"][0], **section}]}, sort_keys=False)


def test_rules_of_both_parts_are_there_each_of_its_box():
    found = statements()
    assert {rule.box for rule in found.values()} == set(names.BOXES)
    assert all((rule.box == "base") == number.startswith("B") for number, rule in found.items())
    assert {rule.section for rule in found.values()} == {f"B{n}" for n in range(1, 15)} | {f"T{n}" for n in range(1, 13)}


def test_every_ruling_is_about_a_rule():
    assert all(ruling["rule"] in statements() for box in names.BOXES for ruling in ruling_options(box).values())


def test_rulings_of_the_rulebook_are_switches():
    switched = {ruling["rule"] for ruling in ruling_options().values()}
    assert {number for number in statements() if number[-1].isalpha()} <= switched


def test_every_number_cited_in_the_sources_exists():
    from pathlib import Path

    from newdawn import simulator

    root = Path(simulator.__file__).parents[1]
    files = [file for folder in ("simulator", "strategies") for file in (root / folder).rglob("*.py")]
    cited = {(number, file.name) for file in files for number in re.findall(r"\b[BT]\d+\.\d+[a-z]?\b", file.read_text("utf-8"))}
    assert not {(number, file) for number, file in cited if number not in statements()}


def test_a_good_file_is_read():
    found = parse(text())
    assert list(found) == ["B1.1", "B1.2", "B1.2a"]
    assert found["B1.2"].made_of == ("B1.2a",)
    assert found["B1.1"].numbers == ("max_trade",)
    assert found["B1.1"].title == "Words"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (text(rules={"B1.1": "One.", "B1.3": "Three."}), "expected rule B1.2 next, got B1.3"),
        (text(rules={"B1.1": "One.", "B1.1b": "b."}), "expected rule B1.2 next, got B1.1b"),
        (text(rules={"B1.1a": "a."}), "expected rule B1.1 next, got B1.1a"),
        (text(rules={"B2.1": "One."}), "expected rule B1.1 next, got B2.1"),
        (text(rules={"B1.1": 3, "B1.2": "x", "B1.2a": "x"}), "B1.1: expected one line of text, got 3"),
        (text(rules={"B1.1": "a\nb", "B1.2": "x", "B1.2a": "x"}), "B1.1: expected one line"),
        (text(part="C"), "section B1: expected part B or T"),
        (text(part="T"), "section B1: expected part B or T"),
        (text(colour="red"), "section B1: expected a mapping with the keys"),
        (text().replace("B1.2: Two", "B1.1: Two"), "'B1.1' appears twice"),
        (text().replace("max_trade", "max_trad"), "numbers.B1.1: unknown name 'max_trad'; did you mean 'max_trade'?"),
        (text().replace("- B1.2a", "- B1.2b"), "made_of.B1.2: unknown name 'B1.2b'"),
        ("sections: [", "not valid YAML"),
        ("[]", "expected a mapping with the keys sections, made_of, numbers"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused(content, message):
    with pytest.raises(UserError, match=re.escape(message)):
        parse(content)


def test_a_section_that_is_there_twice_is_refused():
    twice = yaml.safe_dump({**GOOD, "sections": GOOD["sections"] * 2}, sort_keys=False)
    with pytest.raises(UserError, match=r"B1\.1 appears twice"):
        parse(twice)
