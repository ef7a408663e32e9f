"""The numbers of a ruleset as parameters: listing them, finding one by its path, and rulesets with other values.

A parameter is a whole number that the engine reads, addressed by the path of an overlay: ``wonders.petra.cost``. Spaces of
the technology dial at which a level is reached are parameters, too: ``dials.tech_dial.level_spaces.5`` is the 5. So are
the switches of combat (the number of the word, 0 for the printed one, or 0 and 1 for false and true) and the victory cards
needed to win, which are as many as in play where the rules say "all in play".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from ... import names
from ...errors import UserError
from ...wording import listed
from ..contents import section
from ..models.problem import Problem
from ..node import leaves
from .compile import ATTACKABLE, START_BONUS_FOR, TIES, cards_needed
from .load import Ruleset, compiled, with_overlay
from .overlay import apply_overlay
from .packaged import printed_data

LEVEL_SPACES = "dials.tech_dial.level_spaces"
CARDS_NEEDED = re.compile(r"victory_cards\.rules\.\w+\.cards_needed")
SWITCHES: dict[str, tuple[Any, ...]] = {
    "components.combat.tie": TIES,
    **{f"components.combat.may_be_attacked.{target}": (False, True) for target in ATTACKABLE},
}
ABILITY = re.compile(r"\.(abilities|unique_card)\..*\b(amount|limit|tokens|resources)$")
NOTHING_LEFT = ", which leaves the ability without effect"
MOST_LOOKED_AT = 60  # values of house rules that are put back one by one, 20 ms each
STEP = 0.1  # numbers are moved by a tenth, at least by 1


@dataclass(frozen=True)
class Parameter:
    """A number of a ruleset."""

    path: str
    value: int

    @property
    def step(self) -> int:
        """How far a sensitivity analysis moves it: a tenth, at least 1."""
        return max(1, round(STEP * abs(self.value)))


def empties(path: str, was: int, value: int) -> bool:
    """Say whether the number of an ability at a path loses its effect with another value: it comes to 0, or beyond."""
    return was != 0 and value * was <= 0 and ABILITY.search(path) is not None


def is_number(value: Any) -> bool:
    """Say whether a value of the data is a number, and not a switch."""
    return isinstance(value, int) and not isinstance(value, bool)


def number_at(ruleset: Ruleset, path: str, value: Any) -> int | None:
    """Return the value at a path as the number it is as a parameter, None if it is none (see the module docstring)."""
    if path in SWITCHES:
        return SWITCHES[path].index(value)
    if CARDS_NEEDED.fullmatch(path):
        return cards_needed(ruleset.data["victory_cards"]["rules"][section(ruleset.data)])
    return value if is_number(value) else None


def parameters(ruleset: Ruleset, globs: tuple[str, ...] = ("*",)) -> list[Parameter]:
    """Return the numbers of the ruleset whose paths fit one of the patterns; raise UserError if none does."""
    read = compiled(ruleset.data)[1]
    found = []
    for path, value in leaves(ruleset.data):
        if path.startswith(f"{LEVEL_SPACES}."):
            found.append(Parameter(path, int(path.rsplit(".", 1)[1])))
        elif path in read and (number := number_at(ruleset, path, value)) is not None:
            found.append(Parameter(path, number))
    chosen = [parameter for parameter in found if any(fnmatchcase(parameter.path.lower(), glob.lower()) for glob in globs)]
    if not chosen:
        for glob in globs:
            if not set("*?[") & set(glob):
                find(ruleset, glob)  # says what is wrong with it
        raise UserError(f"--parameters: no number of the ruleset matches {' or '.join(globs)}; try 'wonders.*.cost'")
    return chosen


def find(ruleset: Ruleset, path: str) -> Parameter:
    """Return the number that the path of an overlay addresses; raise UserError that names the nearest one."""
    if path.startswith(f"{LEVEL_SPACES}."):
        listed = {parameter.path: parameter for parameter in parameters(ruleset, (f"{LEVEL_SPACES}.*",))}
        if path in listed:
            return listed[path]
    data = json.loads(json.dumps(ruleset.data))
    try:
        changed = apply_overlay(data, _nested(path, 1))
    except Problem as problem:
        raise UserError(f"parameter {problem}") from None
    value: Any = _value(ruleset.data, changed[0]) if len(changed) == 1 else None
    number = number_at(ruleset, changed[0], value) if len(changed) == 1 else None
    if number is None:
        raise UserError(f"parameter {path}: expected the path of a whole number, such as wonders.petra.cost; this is {value!r}")
    return Parameter(changed[0], number)


def change(ruleset: Ruleset, values: Mapping[Parameter, int]) -> Ruleset:
    """Return the ruleset with other values; raise UserError if one of them is not legal."""
    changed = ruleset
    for parameter, value in values.items():
        changed = with_overlay(changed, _overlay(changed, parameter, value), f"{parameter.path} = {value}")
    return changed


def overlay_of(ruleset: Ruleset, values: Mapping[Parameter, int]) -> dict[str, Any]:
    """Return the overlay (a house rule's content) that gives the numbers these values."""
    whole: dict[str, Any] = {}
    for parameter, value in values.items():
        _merge(whole, _overlay(ruleset, parameter, value))
    return whole


def _merge(into: dict[str, Any], overlay: Mapping[str, Any]) -> None:
    for key, value in overlay.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def steps(ruleset: Ruleset, parameter: Parameter, players: int) -> Iterator[tuple[int, Ruleset]]:
    """Yield the legal values one step below and above the parameter's, with their rulesets.

    A value that changes nothing with so many players (the decks of other tables) is left out.
    """
    for value in (parameter.value - parameter.step, parameter.value + parameter.step):
        try:
            changed = change(ruleset, {parameter: value})
        except UserError:
            continue
        if not same_play(ruleset, changed, players):
            yield value, changed


def vain_at(ruleset: Ruleset, counts: Sequence[int]) -> list[str]:
    """Say which values of house rules matter at other tables only than those of so many players."""
    printed, found = dict(leaves(printed_data(ruleset.box))), dict(leaves(ruleset.data))
    asked = [path for path in ruleset.changed if path in printed and found.get(path) != printed[path]]
    if not asked or len(asked) > MOST_LOOKED_AT:
        return []
    notes, words = [], f"with {listed([str(count) for count in counts], 'or')} players it changes nothing"
    for path in asked:
        data = json.loads(json.dumps(ruleset.data))
        *steps, last = path.split(".")
        _value(data, ".".join(steps))[last] = printed[path]
        try:
            other = Ruleset(ruleset.name, data)
            alike = all(same_play(ruleset, other, count) for count in counts)
        except Exception:  # what is printed does not go with the rest of the house rules
            continue
        if alike and ruleset.compile().tobytes() != other.compile().tobytes():
            notes.append(f"{path}: matters at other tables; {words}")
    return notes


def same_play(one: Ruleset, other: Ruleset, players: int) -> bool:
    """Say whether two rulesets are the same for so many players: the decks of other tables do not matter."""
    return _of_players(one.compile(), players) == _of_players(other.compile(), players)


def _overlay(ruleset: Ruleset, parameter: Parameter, value: int) -> dict[str, Any]:
    if parameter.path in SWITCHES:
        words = SWITCHES[parameter.path]
        if not 0 <= value < len(words):
            raise UserError(f"{parameter.path}: expected 0 to {len(words) - 1}, got {value}")
        return _nested(parameter.path, words[value])
    if not parameter.path.startswith(f"{LEVEL_SPACES}."):
        return _nested(parameter.path, value)
    spaces = _value(ruleset.data, LEVEL_SPACES)
    if str(value) in spaces:
        raise UserError(f"{LEVEL_SPACES}: space {value} already has a level")
    return _nested(LEVEL_SPACES, {str(value) if key == str(parameter.value) else key: level for key, level in spaces.items()})


def _nested(path: str, value: Any) -> dict[str, Any]:
    for key in reversed(path.split(".")):
        value = {key: value}
    return value


def _value(data: Any, path: str) -> Any:
    for key in path.split("."):
        data = data[key]
    return data


def _of_players(r: np.record, players: int) -> bytes:
    """Return the record as bytes, without what is for other numbers of players."""
    for count in range(len(r.deck_count)):
        if count != players:
            r.deck_count[count] = 0
            r.fixed_players[:, count] = 0
            r.core_tiles_for[count] = r.core_q_for[count] = r.core_r_for[count] = r.core_rotation_for[count] = 0
    r.start_bonus[START_BONUS_FOR.index(f"{names.PLACES[0]}_in_turn_order") + players : len(START_BONUS_FOR)] = 0
    r.deck_size_max = 0
    return r.tobytes()
