"""What a search may change in the rules, whose card it is on, and which changes can be played. Start at `moves_of`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import reduce
from itertools import combinations, groupby
from operator import getitem
from typing import Any, Literal, get_args, get_origin

from ...simulator import names
from ...simulator.errors import UserError, counted, listed
from ...simulator.rules.board_models import alternatives
from ...simulator.rules.edit import Parameter, change, empties, overlay_of, parameters, same_play
from ...simulator.rules.load import Ruleset, house_rule, with_overlay
from ...simulator.rules.overlay import Changeable, changeable
from ...simulator.rules.printed_game import leaves
from ...simulator.runs.run_plan import Plan, unplayable
from ..tables.targets import NEVER

# --- Changes that cannot be played at a table are left out of a search, which continues without them


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
    never = [what for reason in [each for each in by_reason if each.startswith(NEVER)] for what in by_reason.pop(reason)]
    named = [f"{listed(whats)} ({reason})" for reason, whats in by_reason.items()]
    said = [f"Left out, because it cannot be played at this table: {'; '.join(named)}."] if named else []
    said += [f"Left out, because {NEVER} the games that it played: {listed(never)}."] if never else []
    return " ".join(said)


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

    @property
    def paths(self) -> frozenset[str]:
        """The numbers that it moves."""
        return frozenset(number.path for number in self.parameters)

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

    @property
    def reach(self) -> int:
        """How far it is moved at most."""
        return reach_of(self.value)

    def near_and_far(self, ruleset: Ruleset, side: int) -> list[tuple[int, Ruleset]]:
        """Return the values a step to the side, and as far as is legal within reach, with their rulesets."""
        step = self.parameters[0].step
        near = self.moved(ruleset, self.value + side * step)
        if near is None:
            return []
        further = ((value, self.moved(ruleset, value)) for value in self.further(side, step))
        far = next(((value, moved) for value, moved in further if moved is not None), None)
        return [(self.value + side * step, near), *([far] if far is not None else [])]

    def further(self, side: int, step: int) -> Iterator[int]:
        """Yield the values beyond a step, the furthest within reach first."""
        yield from (self.value + side * far for far in range(self.reach, step, -1))


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


# --- Lists, orders and switches
#
# A switch takes each of its other words; an order (of the focus row, say) has two of its places exchanged; a list loses one of
# its words or gains one. What is tried has to be legal, as for numbers.

MOST_WORDS = 12  # of a switch or list; with more of them (metrics, moments) another word is another rule
# Not tried: where things lie, open readings of the rules, and what is in the game at all.
APART = ("tiles.*", "map.*", "map_layouts.*", "rulings.*", "teams.*", "*.ranking", "*.sections", "*.any_of", "*.all_of",
         "*.metric", "*.effect", "leaders.*.available")  # fmt: skip
EMPTIED = ("*.works", "*.ability_works")  # which leave an ability without effect


@dataclass(frozen=True)
class ValueChoices:
    """A value of the rules that is not a number, and its other values that are worth a try."""

    path: str
    value: Any
    others: tuple[Any, ...]


@dataclass(frozen=True)
class WordLever:
    """A list, an order or a switch with one of its other values, as a lever: 0 is the rules' value, 1 the other one."""

    entry: ValueChoices
    to: Any
    value: int = 0
    parameters: tuple[Parameter, ...] = ()  # it moves no number

    @property
    def name(self) -> str:
        """The change in words: 'leaders.scythia.abilities.combat.terrain = [hills]'."""
        return f"{self.entry.path} = {value_words(self.to)}"

    @property
    def paths(self) -> frozenset[str]:
        """What it changes."""
        return frozenset({self.entry.path})


@dataclass(frozen=True)
class FileLever:
    """A file of house rules as a lever: 0 is without it, 1 with it."""

    name: str
    content: Mapping[str, Any] = field(compare=False)
    paths: frozenset[str]  # what it changes
    value: int = 0
    parameters: tuple[Parameter, ...] = ()  # it moves no number

    @classmethod
    def of(cls, ruleset: Ruleset, file: str) -> FileLever:
        """Return the lever of a file, or of a packaged example; raise UserError if it is not a house rule for these rules."""
        content = {key: value for key, value in house_rule(file).items() if key not in ("name", "description", "box")}
        new, old = (dict(leaves(rules.data)) for rules in (with_overlay(ruleset, content, file), ruleset))
        changed = [path for path in {*new, *old} if new.get(path) != old.get(path)]
        return cls(file, content, frozenset(changed))


def words_of(ruleset: Ruleset, keep: bool = True) -> list[ValueChoices]:
    """Return the lists, orders and switches of the rules with what to try; with `keep` no ability is left without effect."""
    apart = (*APART, *(EMPTIED if keep else ()))
    numbers = {number.path for number in parameters(ruleset)}
    found = []
    for entry in changeable(ruleset.data):
        if entry.path in numbers or any(fnmatchcase(entry.path, pattern) for pattern in apart):
            continue
        others = tuple(other for other in _others(entry) if other != entry.value)
        if others:
            found.append(ValueChoices(entry.path, entry.value, others))
    return found


def _others(entry: Changeable) -> Iterator[Any]:
    """Yield the other values of a switch, an order or a list."""
    for kind, meta in alternatives(entry.kind, entry.meta):
        if kind is bool:
            yield not entry.value
        elif get_origin(kind) is Literal and len(get_args(kind)) <= MOST_WORDS:
            yield from get_args(kind)
        elif get_origin(kind) is list and isinstance(entry.value, list):
            part, _ = next(alternatives(get_args(kind)[0], ()))
            if get_origin(part) is Literal and len(get_args(part)) <= MOST_WORDS:
                yield from _lists(entry.value, get_args(part), meta)


def _lists(value: list[Any], words: Sequence[Any], meta: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield a list with two places exchanged if its length is fixed, else with one word less, and with one more."""
    least, most = (
        next((getattr(part, end) for part in meta if hasattr(part, end)), None) for end in ("min_length", "max_length")
    )
    if least is not None and least == most:
        for one, other in combinations(range(len(value)), 2):
            swapped = list(value)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            yield swapped
        return
    yield from (value[:at] + value[at + 1 :] for at in range(len(value)))
    yield from ([*value, word] for word in words if word not in value)


# --- Whose a change is: what a designer means by "mend Scythia" is first of all on Scythia's card
#
# *What it uses*: rules that share a word with the leader's own abilities (combat, caravans, difficulty …), and the focus cards
# of the types that these and its unique card are about.

OWN, USED, RULES, OTHERS = range(4)
SCOPES = ("on its own card", "what it uses", "a rule for all", "another leader's card")
WORKED_BY = {"combat": "military", "attack": "military", "caravan": "economy", "wonder": "industry", "dial": "science"}
PLAIN = frozenset({"from", "that", "with", "amount", "when", "this", "each", "turn", "card", "type", "built", "start", "first",
                   "city"})  # fmt: skip
TYPES = frozenset(names.FOCUS_TYPES)


@dataclass(frozen=True)
class Subject:
    """The leader, wonder or agenda that a target is about (path "" for none), and the words of what it uses."""

    path: str = ""
    name: str = ""
    words: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()

    def scope(self, ruleset: Ruleset, path: str) -> int:
        """Return whose a value of the rules is: OWN, USED, RULES or OTHERS."""
        if self.path and path.startswith(f"{self.path}."):
            return OWN
        if path.startswith("leaders."):
            return OTHERS
        steps = path.split(".")
        card = reduce(getitem, steps[:3], ruleset.data) if steps[0] == "focus_cards" and len(steps) > 3 else {}
        if isinstance(card, Mapping) and card.get("type") in self.types:
            return USED
        return USED if self.words & {word for step in steps for word in _stems(step)} else RULES


def subject_of(ruleset: Ruleset, figure: str) -> Subject:
    """Return what a figure such as "win rate of Scythia" is about; nothing for "rounds"."""
    name = figure.rpartition(" of ")[2]
    for section, key in (("leaders", "civ"), ("wonders", "name")):
        for slug, entry in ruleset.data[section].items():
            if entry.get(key) == name and f" of {name}" in figure:
                words, types = _used(entry)
                return Subject(f"{section}.{slug}", name, words, types)
    for place, agenda in _agendas(ruleset.data["victory_cards"], "victory_cards"):
        if agenda == name and figure.startswith("claim rate"):
            return Subject(place, name)
    return Subject()


def _agendas(node: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for key, entry in node.items():
        if isinstance(entry, Mapping) and path.endswith(".agendas"):
            yield f"{path}.{key}", str(entry.get("name"))
        elif isinstance(entry, Mapping):
            yield from _agendas(entry, f"{path}.{key}")


def _stems(step: str) -> Iterator[str]:
    yield from (word.removesuffix("s") for word in re.split(r"[^a-z]+", step.lower()) if len(word) > 3)


def _used(entry: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that a card's abilities are about, and the types of focus cards."""
    said = " ".join(
        f"{ability.get('effect', '')} {ability.get('moment', '')} {' '.join(ability.get('type', ()))} {ability.get('card', '')}"
        for ability in (entry.get("abilities") or {}).values()
    )
    words = frozenset(word for word in _stems(said) if word not in PLAIN)
    types = {kind for kind in TYPES if kind in said} | {kind for word, kind in WORKED_BY.items() if word in said}
    types |= {card["type"]} if isinstance(card := entry.get("unique_card"), Mapping) else set()
    return words - TYPES, frozenset(types)


# --- Moves: single changes, with their rulesets


@dataclass(frozen=True)
class Move:
    """A single change of the rules: another value of a number, of a block of numbers, of a list, an order or a switch."""

    path: str
    was: Any
    value: Any
    scope: int
    ruleset: Ruleset
    overlay: Mapping[str, Any]
    lever: Lever | None = None  # of numbers
    end: bool = False  # as far as the number goes: a value between may do as well

    @property
    def label(self) -> str:
        """The change in words: 'wonders.petra.cost = 5'."""
        return f"{self.path} = {value_words(self.value)}"

    @property
    def side(self) -> int:
        """The direction in which a number is moved; 0 for what is not a number."""
        return 0 if self.lever is None else (self.value > self.was) - (self.value < self.was)


def value_words(value: Any) -> str:
    """Return a value of the rules as house rules write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


def moves_of(
    ruleset: Ruleset, playable: Playable, subject: Subject, globs: Sequence[str] = ("*",), others: bool = False,
    keep: bool = True,
) -> list[Move]:  # fmt: skip
    """Return the single changes that a search begins with, what is on the subject's own card first.

    Numbers of the card are moved by a step and as far as they go, others as far as they go. `globs`: which values may change;
    without a pattern for them the cards of (other) leaders stay as they are, unless `others`. Raises UserError for a pattern
    that fits nothing.
    """
    everything = tuple(globs) == ("*",)
    words = [entry for entry in words_of(ruleset, keep) if any(fnmatchcase(entry.path, glob.lower()) for glob in globs)]
    patterns = tuple(globs) if everything else fitting(ruleset, globs, keep)[0]
    numbers = levers(ruleset, patterns, keep) if patterns else []
    found: list[Move] = []
    for lever in numbers:
        scope = subject.scope(ruleset, lever.name)
        if everything and scope == OTHERS and not others:
            continue
        for side in (-1, 1):
            ends = lever.near_and_far(ruleset, side)
            for value, changed in ends if scope == OWN else ends[-1:]:
                far = len(ends) > 1 and value == ends[-1][0]
                found.append(move_to(ruleset, lever, value, scope, far, changed))
    for entry in words:
        scope = subject.scope(ruleset, entry.path)
        if not (everything and scope == OTHERS and not others):
            found += _word_moves(ruleset, entry, scope)
    count = playable.plans[0].players
    legal = [
        move for move in found if not same_play(ruleset, move.ruleset, count) and playable.allows(move.label, move.ruleset)
    ]
    return sorted(legal, key=lambda move: move.scope)


def fitting(ruleset: Ruleset, globs: Sequence[str], keep: bool = True) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the patterns that fit numbers, and those of lists, orders and switches; UserError for one that fits neither."""
    paths = [entry.path for entry in words_of(ruleset, keep)]
    words = tuple(glob for glob in globs if any(fnmatchcase(path, glob.lower()) for path in paths))
    numbers = []
    for glob in globs:
        try:
            parameters(ruleset, (glob,))
        except UserError:
            if glob not in words:
                raise
            continue
        numbers.append(glob)
    return tuple(numbers), words


def move_to(ruleset: Ruleset, lever: Lever, value: int, scope: int, end: bool, changed: Ruleset) -> Move:
    """Return the move of a number to a value."""
    overlay = overlay_of(ruleset, dict.fromkeys(lever.parameters, value))
    return Move(lever.name, lever.value, value, scope, changed, overlay, lever, end)


def _word_moves(ruleset: Ruleset, entry: ValueChoices, scope: int) -> Iterator[Move]:
    for value in entry.others:
        overlay = overlay_of(ruleset, {}, {entry.path: value})
        try:
            changed = with_overlay(ruleset, overlay, f"{entry.path} = {value_words(value)}")
        except UserError:
            continue
        yield Move(entry.path, entry.value, value, scope, changed, overlay)


def between(ruleset: Ruleset, playable: Playable, move: Move, most: int) -> list[Move]:
    """Return other values of a moved number on its side of the rules' value, evenly spaced, at most this many."""
    lever = move.lever
    if lever is None:
        return []
    reach = abs(move.value - lever.value) if move.end else lever.reach
    values = [lever.value + move.side * far for far in range(1, reach + 1)]
    values = [value for value in values if value != move.value]
    step = max(1, -(-len(values) // most))
    found = []
    for value in values[::step]:
        changed = lever.moved(ruleset, value)
        if changed is None or same_play(ruleset, changed, playable.plans[0].players):
            continue
        new = move_to(ruleset, lever, value, move.scope, False, changed)
        if playable.allows(new.label, changed):
            found.append(new)
    return found


# --- Games that a change cannot touch

OWN_KEYS = {
    "leaders": ("abilities", "start_trade_tokens", "start_bonus", "head_start", "unique_card", "start_row"),
    "wonders": ("abilities", "cost"),
}
RATES = {"leaders": ("win-rate", "civ"), "wonders": ("build-rate", "name")}


def concerned(rules: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """Return the leaders and wonders by which rules differ, as ("win-rate", "Rome"); None if they differ elsewhere.

    A leader not at the table, or a wonder in no deck, changes no game.
    """
    if any(rules[key] != other[key] for key in rules if key not in OWN_KEYS) or rules.keys() != other.keys():
        return None
    found = []
    for section, keys in OWN_KEYS.items():
        word, called = RATES[section]
        if rules[section].keys() != other[section].keys():
            return None
        for key, entry in rules[section].items():
            unlike = [name for name, value in entry.items() if other[section][key].get(name) != value]
            if not set(unlike) <= set(keys) or len(entry) != len(other[section][key]):
                return None
            if unlike:
                found.append((word, str(entry[called])))
    return found


# --- What was not looked at


def not_looked_at(
    ruleset: Ruleset, moves: Sequence[Move], playable: Playable, subject: Subject, others: bool, everything: bool = True
) -> str:
    """Return a sentence on what may be changed and was not tried: on the subject's own card by name, else by kind."""
    tried = {move.path for move in moves} | {number.path for move in moves if move.lever for number in move.lever.parameters}
    if not everything:
        return ""  # the patterns say what was looked at
    tried |= {what.partition(" = ")[0] for what in playable.left_out}
    untried = [entry.path for entry in changeable(ruleset.data) if entry.path not in tried]
    own = [path.removeprefix(f"{subject.path}.") for path in untried if subject.path and path.startswith(f"{subject.path}.")]
    parts = [f"on {subject.name}'s card {listed(own)}"] if own else []
    if any(path.startswith("leaders.") and subject.scope(ruleset, path) == OTHERS for path in untried) and not others:
        parts.append(f"{'other ' if subject.path.startswith('leaders.') else ''}leaders' cards (--leaders all)")
    kinds = {
        "map tiles and layouts": ("tiles.*", "map*"), "open readings of the rules (`newdawn rules disputes`)": ("rulings.*",),
        "what agendas count": ("victory_cards.*.condition.*",), "teams": ("teams.*",),
    }  # fmt: skip
    rest = [path for path in untried if not path.startswith(("leaders.", f"{subject.path}." if subject.path else "leaders."))]
    for kind, patterns in kinds.items():
        fit = [path for path in rest if any(fnmatchcase(path, pattern) for pattern in patterns)]
        parts += [kind] if fit else []
        rest = [path for path in rest if path not in set(fit)]
    numbers = {number.path for number in parameters(ruleset)}
    words = [path for path in rest if path not in numbers]
    parts += [listed(grouped(words))] if words else []
    if fixed := len(set(rest) & numbers):
        parts.append(f"{counted(fixed, 'number')} that can have no other value or change nothing at this table")
    return f"Not looked at: {'; '.join(parts)}." if parts else ""


CARDS = {"leaders": 1, "wonders": 1, "city_states": 1, "natural_wonders": 1, "focus_cards": 2, "diplomacy": 2,
         "victory_cards": 2}  # the step of a path that names a card  # fmt: skip


def grouped(paths: Sequence[str]) -> list[str]:
    """Return paths with what is the same on several cards as one pattern: 'wonders.*.abilities.*.works'."""
    by_pattern: dict[str, list[str]] = {}
    for path in paths:
        steps = path.split(".")
        named = CARDS.get(steps[0])
        pattern = ["*" if at == named or (at and steps[at - 1] in ("abilities", "agendas")) else step
                   for at, step in enumerate(steps)]  # fmt: skip
        by_pattern.setdefault(".".join(pattern), []).append(path)
    return [pattern if len(fit) > 1 else fit[0] for pattern, fit in by_pattern.items()]


def left_alone(ruleset: Ruleset, tried: Collection[str], patterns: Sequence[str]) -> str:
    """Return a sentence on what patterns name and a search did not move, and on what they do not name."""
    values = [entry.path for entry in changeable(ruleset.data)]
    named = [path for path in values if any(fnmatchcase(path, pattern.lower()) for pattern in patterns)]
    parts = grouped([path for path in named if path not in tried])
    beside = ["what the goals do not let change"] if len(named) < len(values) else []
    return f"Not looked at: {listed([*parts, *beside])}." if parts or beside else ""
