"""Every value of simulator/data is read by something: played, checked or shown. Or the models say that it only describes.

A field of the type `Words`, or with one possible value, describes what the engine does whatever is written there: house rules
cannot change it. Any other field that nobody reads would be a choice without an effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from newdawn.simulator import names
from newdawn.simulator.rules import checks
from newdawn.simulator.rules.board_models import DESCRIBES, allowed, inside
from newdawn.simulator.rules.compile import compile_rules
from newdawn.simulator.rules.load import Ruleset, check_printed_layouts
from newdawn.simulator.rules.overlay import _models
from newdawn.simulator.rules.printed_game import leaves, packaged, printed_data, ruling_options
from newdawn.simulator.rules.show import doubts, subjects

# What the printed sources leave open, for who edits the data: nothing is made of it, since the value beside it is played.
ABOUT_SOURCES = re.compile(
    r".*\.(disputed|confidence|gaps|figures_inferred|source|replaces_base|disputed_spaces)|disputes\.tile_reliability\..*"
)
# What becomes the path of an entry while the files are read (`packaged.keyed`).
KEYS = re.compile(r"victory_cards\.\w+\.\w+\.id")


class Watched(dict):
    """A dictionary of the data that notes which of its values are read."""

    def __init__(self, value: dict[str, Any], path: str, seen: set[str]) -> None:
        place = f"{path}." if path else ""
        super().__init__({key: Watched(one, place + key, seen) if isinstance(one, dict) else one for key, one in value.items()})
        self.place, self.seen = place, seen

    def _note(self, *keys: str) -> None:
        self.seen.update(self.place + key for key in keys)

    def __getitem__(self, key: str) -> Any:
        self._note(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._note(key)
        return super().get(key, default)

    def items(self) -> Any:
        self._note(*self)
        return super().items()

    def values(self) -> Any:
        self._note(*self)
        return super().values()


@cache
def played(box: str) -> frozenset[str]:
    """Return the paths of the values that are compiled."""
    seen: set[str] = set()
    compile_rules(Watched(printed_data(box), "", seen), ruling_options(box), packaged(box))
    return frozenset(seen)


@cache
def read(box: str) -> frozenset[str]:
    """Return the paths of the values that are compiled, compared with others or shown."""
    seen: set[str] = set()
    data = Watched(printed_data(box), "", seen)
    for cross_check in checks.CROSS_CHECKS:
        cross_check(data)
    check_printed_layouts(data)
    list(checks.parts(data))
    list(subjects(data))
    doubts(Ruleset("watched", data))
    return frozenset(seen) | played(box)


def kind_of(path: str, models: list[tuple[str, Any, str]]) -> tuple[Any, Any]:
    """Return the type of a value by its model, with what is said of it; (None, ()) if there is no model."""
    place, kind, _ = next((part for part in models if path.startswith(f"{part[0]}.")), ("", None, ""))
    meta: Any = ()
    for step in path.removeprefix(f"{place}.").split(".") if place else ():
        if DESCRIBES not in meta:  # what a description is made of describes, too
            kind, meta = inside(kind, step, meta)
    return kind, meta


def values(box: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield path, type and its bounds of every value of the box."""
    data = printed_data(box)
    models = sorted(_models(data), key=lambda part: -len(part[0]))
    for path, _ in leaves(data):
        yield path, *kind_of(path, models)


def describes(kind: Any, meta: Any) -> bool:
    """Does the model say that there is no other value?"""
    return DESCRIBES in meta or (kind not in (None, Any, str) and allowed(kind, meta) == "")


@pytest.mark.parametrize("box", names.BOXES)
def test_every_value_is_read_or_said_to_describe(box):
    of_either = read(names.BOXES[0]) | read(names.BOXES[1])  # some values that both boxes have are one box's only
    unread = [path for path, kind, meta in values(box) if path not in of_either and not describes(kind, meta)]
    assert [path for path in unread if not ABOUT_SOURCES.fullmatch(path) and not KEYS.fullmatch(path)] == []


@pytest.mark.parametrize("box", names.BOXES)
def test_what_is_said_to_describe_is_not_played(box):
    assert [path for path, _, meta in values(box) if DESCRIBES in meta and path in played(box)] == []


def test_the_watch_sees_what_is_read():
    seen: set[str] = set()
    data = Watched({"a": {"b": 1, "c": 2}, "d": 3}, "", seen)
    assert seen == set()
    assert data["a"]["b"] == 1
    assert seen == {"a", "a.b"}
    assert dict(data["a"].items()) == {"b": 1, "c": 2}
    assert seen == {"a", "a.b", "a.c"}
