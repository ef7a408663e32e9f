"""What may be changed: numbers of the rules with their legal values and prices, and the rulesets of several changes at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import numpy as np

from ...simulator.errors import UserError, nearest
from ...simulator.rules.loading.load import Ruleset, with_overlay
from ...simulator.rules.loading.parameters import LEVEL_SPACES, NOTHING_LEFT, Parameter, change, empties, overlay_of, same_play
from ...simulator.rules.showing.notes import moved, named
from ..trials.balance import Lever, levers
from .wishes import Goals, NumberEntry

Point = tuple[tuple[int, int], ...]  # changes: (lever, value), by lever
NOTHING: Point = ()


@dataclass(frozen=True)
class Choice:
    """A lever, the values that it may have besides its own, in order, and what a change of it costs."""

    lever: Lever
    values: tuple[int, ...]
    price: float

    @property
    def reach(self) -> int:
        """Return how far its values lie from its own at most."""
        return max(abs(value - self.lever.value) for value in self.values)

    def at_end(self, value: int) -> bool:
        """Say whether a value is the first or the last of its range."""
        return value in (self.values[0], self.values[-1])

    def screened(self) -> list[int]:
        """Return the values that are tried first: as far as it goes, down and up."""
        below = [value for value in self.values if value < self.lever.value]
        above = [value for value in self.values if value > self.lever.value]
        return [*below[:1], *above[-1:]]

    def between(self, most: int) -> list[int]:
        """Return at most so many values, as far apart as they can be, without the ends."""
        inner = [value for value in self.values if value not in self.screened()]
        return [inner[round(at)] for at in np.linspace(0, len(inner) - 1, min(most, len(inner)))]


class Space:
    """The changes that goals allow, over a ruleset."""

    def __init__(self, ruleset: Ruleset, choices: Sequence[Choice], at_most: int) -> None:
        self.ruleset, self.choices, self.at_most = ruleset, tuple(choices), at_most
        self.known: dict[Point, Ruleset | None] = {NOTHING: ruleset}

    @classmethod
    def of(cls, ruleset: Ruleset, goals: Goals) -> Space:
        """Return the changes that goals allow; raise UserError naming the entry that allows none."""
        choices: dict[str, Choice] = {}
        counts = goals.players
        for at, entry in enumerate(goals.numbers):
            where = f"{goals.file}: changes.numbers.{at}.path"
            try:
                found = levers(ruleset, (entry.path,), not goals.empty_abilities)
            except UserError as error:
                raise UserError(f"{where}: {str(error).removeprefix('--parameters: ')}", file=goals.file) from None
            made = [one for lever in found if (one := _choice(ruleset, lever, entry, counts)) is not None]
            if not made:
                none = f"none of the {len(found)} numbers like {entry.path} has another legal value in its range"
                raise UserError(
                    f"{where}: {none}; expected a wider one (by, from, to)", file=goals.file, field=f"changes.numbers.{at}"
                )
            # A later entry may give numbers of an earlier one another price or range.
            choices |= {choice.lever.name: choice for choice in made}
        choices = _without(choices, goals)
        if not choices:
            raise UserError(
                f"{goals.file}: changes: nothing is left to change; expected fewer patterns under leave", file=goals.file
            )
        return cls(ruleset, list(choices.values()), goals.at_most)

    def __len__(self) -> int:
        return len(self.choices)

    @cached_property
    def options(self) -> list[tuple[int, int]]:
        """Return every single change, values of a number beside each other."""
        return [(at, value) for at, choice in enumerate(self.choices) for value in choice.values]

    @cached_property
    def paths(self) -> list[frozenset[str]]:
        """Return the numbers that each lever moves."""
        return [frozenset(one.path for one in choice.lever.parameters) for choice in self.choices]

    def point(self, changes: Sequence[tuple[int, int]]) -> Point:
        """Return changes as a point: of changes of one number the first counts."""
        kept: list[tuple[int, int]] = []
        for lever, value in changes:
            if all(self.paths[lever].isdisjoint(self.paths[other]) for other, _ in kept):
                kept.append((lever, value))
        return tuple(sorted(kept))

    def price(self, point: Point) -> float:
        """Return what the changes cost."""
        return sum(self.choices[lever].price for lever, _ in point)

    def scaled(self, points: Sequence[Point]) -> np.ndarray:
        """Return how far each lever is moved by each point, (points, levers): 1 is the end of its range."""
        found = np.zeros((len(points), len(self.choices)))
        for row, point in enumerate(points):
            for lever, value in point:
                choice = self.choices[lever]
                found[row, lever] = (value - choice.lever.value) / choice.reach
        return found

    def ruleset_of(self, point: Point) -> Ruleset | None:
        """Return the rules with the changes; None if they are not legal together."""
        if point not in self.known:
            values = {one: value for lever, value in point for one in self.choices[lever].lever.parameters}
            self.known[point] = changed(self.ruleset, values)
        return self.known[point]

    def overlay(self, point: Point) -> dict[str, Any]:
        """Return the changes as the content of a house rule."""
        return overlay_of(self.ruleset, {one: value for lever, value in point for one in self.choices[lever].lever.parameters})

    def notes(self, point: Point) -> list[str]:
        """Return the changes as patch notes, in the game's words."""
        return [
            f"{moved(self.ruleset.data, one.lever.name, one.lever.value, value)}"
            f"{NOTHING_LEFT if empties(one.lever.name, one.lever.value, value) else ''}"
            for one, value in self._pairs(point)
        ]

    def at_ends(self, point: Point) -> list[str]:
        """Return the numbers of a point that stand at an end of their range, in the game's words."""
        return [named(self.ruleset.data, one.lever.name) for one, value in self._pairs(point) if one.at_end(value)]

    def _pairs(self, point: Point) -> list[tuple[Choice, int]]:
        return [(self.choices[lever], value) for lever, value in point]


def changed(ruleset: Ruleset, values: Mapping[Parameter, int]) -> Ruleset | None:
    """Return the rules with other values, checked once for all of them; None if they are not legal."""
    try:
        if any(one.path.startswith(LEVEL_SPACES) for one in values):  # whose names are their values: one after the other
            return change(ruleset, values)
        name = ", ".join(f"{one.path} = {value}" for one, value in values.items())
        return with_overlay(ruleset, overlay_of(ruleset, values), name)
    except UserError:
        return None


def _without(choices: dict[str, Choice], goals: Goals) -> dict[str, Choice]:
    """Return the choices that are not to be left alone; raise UserError for a pattern that leaves nothing alone."""
    found = dict(choices)
    for at, pattern in enumerate(goals.leave):
        left = [name for name, choice in choices.items() if _fits(choice.lever, pattern)]
        if not left:
            path = f"changes.leave.{at}"
            near = nearest(pattern, [one.path for choice in choices.values() for one in choice.lever.parameters])
            raise UserError(
                f"{goals.file}: {path}: no number that may change is like {pattern}{near}", file=goals.file, field=path
            )
        for name in left:
            found.pop(name, None)
    return found


def _fits(lever: Lever, pattern: str) -> bool:
    return any(fnmatchcase(one.path.lower(), pattern.lower()) for one in lever.parameters)


def _choice(ruleset: Ruleset, lever: Lever, entry: NumberEntry, players: Sequence[int]) -> Choice | None:
    """Return the legal values of a lever in the range of an entry; None if there are none.

    Values are tried away from the number's own; beyond the first that is not legal there are no others.
    """
    reach = entry.by or lever.reach
    found: list[int] = []
    for side in (-1, 1):
        for far in range(entry.step, reach + 1, entry.step):
            value = lever.value + side * far
            if (entry.lowest is not None and value < entry.lowest) or (entry.highest is not None and value > entry.highest):
                break
            other = changed(ruleset, dict.fromkeys(lever.parameters, value)) if lever.allows(value) else None
            if other is None:
                break
            if far > entry.step or any(not same_play(ruleset, other, count) for count in players):
                found.append(value)
            else:
                break
    return Choice(lever, tuple(sorted(found)), entry.price) if found else None
