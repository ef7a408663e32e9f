"""What a search may change in the rules, and which changes can be played at its table. Start at `levers` and `Playable`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from operator import getitem
from typing import Any

from ...simulator.errors import UserError, listed
from ...simulator.rules.edit import Parameter, change, empties, number_at, parameters
from ...simulator.rules.load import Ruleset
from ...simulator.runs.run_plan import Plan, unplayable

# --- Changes that cannot be played at a table are left out of a search, which goes on without them


class Unplayable(UserError):
    """Games by some rules ended with an error."""


@dataclass
class Playable:
    """Says whether changed rules can be played at the tables of a search, and remembers what was left out, and why."""

    plans: Sequence[Plan]
    left_out: dict[str, str] = field(default_factory=dict)  # reasons by the change

    def allows(self, what: str, ruleset: Ruleset) -> bool:
        """Return whether the rules with the change can be played at every table; leave the change out if not."""
        r = ruleset.compile()
        reason = next((why for plan in self.plans if (why := unplayable(plan, r))), "")
        if reason:
            self.leave_out(what, reason)
        return not reason

    def leave_out(self, what: str, reason: object) -> None:
        """Remember a change that cannot be played."""
        self.left_out[what] = str(reason)

    def words(self) -> str:
        """Return a sentence on what was left out; "" if nothing was."""
        return left_out_words(self.left_out)


def left_out_words(left_out: Mapping[str, str]) -> str:
    """Return a sentence on changes that cannot be played at the table, those with the same reason together; "" for none."""
    by_reason: dict[str, list[str]] = {}
    for what, reason in left_out.items():
        by_reason.setdefault(reason, []).append(what)
    named = [f"{listed(whats)} ({reason})" for reason, whats in by_reason.items()]
    return f"Left out, because it cannot be played at this table: {'; '.join(named)}." if named else ""


# --- Numbers of the rules, and blocks of them


def reach_of(value: int) -> int:
    """Return how far a number of this value is moved at most: half of it, at least 3."""
    return max(3, abs(value) // 2)


@dataclass(frozen=True)
class Lever:
    """A number of the rules, or several beside each other that have one value and move together."""

    name: str
    parameters: tuple[Parameter, ...]
    keep: bool = True  # a value that leaves an ability without effect is not allowed

    @property
    def value(self) -> int:
        """The value under the rules."""
        return self.parameters[0].value

    def allows(self, value: int) -> bool:
        """Return whether a value may be tried: with `keep`, unless it leaves an ability without effect."""
        return not (self.keep and any(empties(number.path, number.value, value) for number in self.parameters))

    def moved(self, ruleset: Ruleset, value: int) -> Ruleset | None:
        """Return the ruleset with another value; None if that is not legal or not allowed."""
        if not self.allows(value):
            return None
        try:
            return change(ruleset, dict.fromkeys(self.parameters, value))
        except UserError:
            return None

    def in_rules(self, ruleset: Ruleset) -> int:
        """Return its value under other rules."""
        path = self.parameters[0].path
        value: Any = reduce(getitem, path.split("."), ruleset.data)
        number = number_at(ruleset, path, value)
        assert number is not None
        return number

    @property
    def reach(self) -> int:
        """How far it is moved at most."""
        return reach_of(self.value)

    def near_and_far(self, ruleset: Ruleset, side: int) -> list[Ruleset]:
        """Return the rulesets with the value moved by a step to the side, and as far as is legal within reach."""
        step = self.parameters[0].step
        near = self.moved(ruleset, self.value + side * step)
        if near is None:
            return []
        further = (self.moved(ruleset, self.value + side * far) for far in range(self.reach, step, -1))
        far = next((moved for moved in further if moved is not None), None)
        return [near] if far is None else [near, far]


def levers(ruleset: Ruleset, globs: tuple[str, ...] = ("*",), keep: bool = True) -> list[Lever]:
    """Return the numbers whose paths fit the patterns, and blocks of them: all children of a node, with one value."""
    numbers = parameters(ruleset, globs)
    single = [Lever(number.path, (number,), keep) for number in numbers]
    blocks = []
    for node, children in groupby(numbers, key=lambda number: number.path.rsplit(".", 1)[0]):
        block = tuple(children)
        siblings: Any = reduce(getitem, node.split("."), ruleset.data)
        if 1 < len(block) == len(siblings) and len({number.value for number in block}) == 1:
            blocks.append(Lever(f"{node}.*", block, keep))
    return [*single, *blocks]
