"""The rules by number: `data/rules.yaml`, loaded and checked.

Tests cite the numbers to say what they prove (`coverage.py`), `newdawn rules show` prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from ... import names
from ...errors import UserError, nearest
from ...reading import yaml_of

FILE = "rules.yaml"
PARTS = dict(zip(("B", "T"), names.BOXES, strict=True))  # the box that brings the rules of a part
KEYS = ("sections", "made_of", "numbers")
SECTION_KEYS = ("section", "part", "title", "rules")
NUMBER = re.compile(r"(?P<section>[BT]\d+)\.(?P<item>\d+)(?P<ruling>[a-z]?)")


@dataclass(frozen=True)
class Statement:
    """One rule: its number, what it says in one line, and where it belongs."""

    number: str
    text: str
    part: str
    section: str
    title: str  # of the section
    made_of: tuple[str, ...] = ()  # the rules it only names: proven when all of them are
    numbers: tuple[str, ...] = ()  # fields of the RULES record that hold its figures

    @property
    def box(self) -> str:
        """Return the box that brings the rule; what the expansion does not change holds there, too."""
        return PARTS[self.part]


@cache
def statements() -> dict[str, Statement]:
    """Return the packaged rules by number, in the order of the specification."""
    return parse((resources.files("newdawn.simulator") / "data" / FILE).read_text("utf-8"), FILE)


def parse(text: str, source: str = FILE) -> dict[str, Statement]:
    """Read and check the rules in a YAML text; raise UserError naming what is wrong."""
    content = yaml_of(text, source)
    _keys(source, content, KEYS)
    found: dict[str, tuple[Mapping[str, Any], str]] = {}
    for section in content["sections"]:
        _keys(f"{source}: section {section.get('section', '?')}", section, SECTION_KEYS)
        for number, line in _section(source, section):
            if number in found:
                raise UserError(f"{source}: {number} appears twice")
            found[number] = (section, line)
    made_of = _references(source, "made_of", content["made_of"], found, found)
    numbers = _references(source, "numbers", content["numbers"], found, _fields())
    return {
        number: Statement(
            number, line, section["part"], section["section"], section["title"], made_of.get(number, ()),
            numbers.get(number, ()),
        )
        for number, (section, line) in found.items()
    }  # fmt: skip


def _keys(where: str, content: Any, expected: tuple[str, ...]) -> None:
    if not isinstance(content, Mapping) or set(content) != set(expected):
        raise UserError(f"{where}: expected a mapping with the keys {', '.join(expected)}")


def _section(source: str, section: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield number and line of a section's rules: none skipped, each ruling behind the rule it settles."""
    name, part, item, ruling = section["section"], section["part"], 0, ""
    if part not in PARTS or not str(name).startswith(part):
        raise UserError(f"{source}: section {name}: expected part {' or '.join(PARTS)}, as its name begins")
    for number, line in section["rules"].items():
        match = NUMBER.fullmatch(str(number))
        following = (f"{name}.{item + 1}", f"{name}.{item}{chr(ord(ruling or chr(96)) + 1)}")
        if match is None or number not in following[: 1 + (item > 0)]:
            raise UserError(f"{source}: section {name}: expected rule {following[0]} next, got {number}")
        item, ruling = int(match["item"]), match["ruling"]
        if not isinstance(line, str) or not line.strip() or "\n" in line.strip():
            raise UserError(f"{source}: {number}: expected one line of text, got {line!r}")
        yield str(number), line.strip()


def _references(
    source: str, key: str, entries: Any, rules: Mapping[str, Any], known: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return the lists under `key`, all of whose words must be known."""
    for number, words in entries.items():
        if number not in rules:
            raise UserError(f"{source}: {key}: unknown rule '{number}'{nearest(number, rules)}")
        for word in words:
            if word not in known:
                raise UserError(f"{source}: {key}.{number}: unknown name '{word}'{nearest(word, known)}")
    return {number: tuple(words) for number, words in entries.items()}


def _fields() -> dict[str, Any]:
    """Return the fields of the RULES record. Imported here: reading statements should not wait for NumPy elsewhere."""
    from ..record import RULES

    return dict(RULES.fields or {})
