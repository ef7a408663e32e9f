"""Finding and changing numbers of the rules: parameters, search by words, every key with its sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import yaml

from .. import names
from ..errors import UserError, counted, listed, nearest
from ..reading import yaml_of
from . import codes, unsayable
from .board_models import described
from .compile import ATTACKABLE, START_BONUS_FOR, TIES, cards_needed
from .content_models import Problem
from .load import Ruleset, compiled, load_ruleset, with_overlay
from .overlay import apply_overlay, changeable
from .printed_game import leaves, printed_data, ruling_options
from .ruleset_contents import section

# --- The numbers of a ruleset as parameters
#
# A parameter is a whole number that the engine reads, addressed by the path of an overlay: ``wonders.petra.cost``. Spaces of
# the technology dial at which a level is reached are parameters, too: ``dials.tech_dial.level_spaces.5`` is the 5. So are the
# switches of combat (the index of the word, 0 for the printed one, or 0 and 1 for false and true) and the victory cards needed
# to win ("all in play" counts as the number of cards in play).

LEVEL_SPACES = "dials.tech_dial.level_spaces"
CARDS_NEEDED = re.compile(r"victory_cards\.rules\.\w+\.cards_needed")
SWITCHES: dict[str, tuple[Any, ...]] = {
    "components.combat.tie": TIES,
    **{f"components.combat.may_be_attacked.{target}": (False, True) for target in ATTACKABLE},
}
ABILITY = re.compile(r"\.(abilities|unique_card)\..*\b(amount|limit|tokens|resources)$")
NOTHING_LEFT = ", which leaves the ability without effect"
MOST_LOOKED_AT = 60  # values of house rules that are put back one by one, 20 ms each
STEP = 0.1  # share of a number by which a step changes it


@dataclass(frozen=True)
class Parameter:
    """A number of a ruleset."""

    path: str
    value: int

    @property
    def step(self) -> int:
        """The step of a sensitivity analysis: a tenth of the value, at least 1."""
        return max(1, round(STEP * abs(self.value)))


def empties(path: str, was: int, value: int) -> bool:
    """Say whether another value leaves an ability's number at a path without effect: it becomes 0 or changes its sign."""
    return was != 0 and value * was <= 0 and ABILITY.search(path) is not None


def is_number(value: Any) -> bool:
    """Say whether a value of the data is a number, and not a switch."""
    return isinstance(value, int) and not isinstance(value, bool)


def number_at(ruleset: Ruleset, path: str, value: Any) -> int | None:
    """Return the value at a path as a parameter's number; None if it is no parameter."""
    if path in SWITCHES:
        return SWITCHES[path].index(value)
    if CARDS_NEEDED.fullmatch(path):
        return cards_needed(ruleset.data["victory_cards"]["rules"][section(ruleset.data)])
    return value if is_number(value) else None


def parameters(ruleset: Ruleset, globs: tuple[str, ...] = ("*",)) -> list[Parameter]:
    """Return the numbers of the ruleset whose paths fit one of the patterns; raise UserError for a pattern that fits none."""
    read = compiled(ruleset.data)[1]
    listed = []
    for path, value in leaves(ruleset.data):
        if path.startswith(f"{LEVEL_SPACES}."):
            listed.append(Parameter(path, int(path.rsplit(".", 1)[1])))
        elif path in read and (number := number_at(ruleset, path, value)) is not None:
            listed.append(Parameter(path, number))
    for glob in globs:
        if not any(_matches(parameter.path, glob) for parameter in listed):
            if not set("*?[") & set(glob):
                find(ruleset, glob)  # raises a more exact error
            near = _nearest_pattern(glob, [parameter.path for parameter in listed]) or "; try 'wonders.*.cost'"
            raise UserError(f"--parameters: no number of the ruleset matches {glob}{near}")
    return [parameter for parameter in listed if any(_matches(parameter.path, glob) for glob in globs)]


def _matches(path: str, glob: str) -> bool:
    return fnmatchcase(path.lower(), glob.lower())


def _nearest_pattern(glob: str, paths: Sequence[str]) -> str:
    """Return `nearest` for a pattern that fits no path, among those that fit one with another name at one place of it."""
    parts, split = glob.split("."), [path.split(".") for path in paths]
    others = {
        ".".join([*parts[:at], name, *parts[at + 1 :]])
        for at in range(len(parts))
        for name in {path[at] for path in split if len(path) > at}
    }
    return nearest(glob, sorted(other for other in others if any(_matches(path, other) for path in paths)))


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
    """Return the ruleset with these values; raise UserError if one of them is not legal."""
    changed = ruleset
    for parameter, value in values.items():
        changed = with_overlay(changed, _overlay(changed, parameter, value), f"{parameter.path} = {value}")
    return changed


def overlay_of(ruleset: Ruleset, values: Mapping[Parameter, int], words: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the overlay (a house rule's content) that gives the numbers, and other values by path (`words`), these values."""
    whole: dict[str, Any] = {}
    for parameter, value in values.items():
        _merge(whole, _overlay(ruleset, parameter, value))
    for path, other in (words or {}).items():
        _merge(whole, _nested(path, other))
    return whole


def merged(overlays: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return several overlays as one, later ones win."""
    whole: dict[str, Any] = {}
    for overlay in overlays:
        _merge(whole, json.loads(json.dumps(overlay)))
    return whole


def _merge(into: dict[str, Any], overlay: Mapping[str, Any]) -> None:
    for key, value in overlay.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def steps(ruleset: Ruleset, parameter: Parameter, players: int) -> Iterator[tuple[int, Ruleset]]:
    """Yield the legal values one step below and above the parameter's, with their rulesets.

    Left out are values that change nothing with so many players, as of the decks for other numbers.
    """
    for value in (parameter.value - parameter.step, parameter.value + parameter.step):
        try:
            changed = change(ruleset, {parameter: value})
        except UserError:
            continue
        if not same_play(ruleset, changed, players):
            yield value, changed


def vain_at(ruleset: Ruleset, counts: Sequence[int]) -> list[str]:
    """Return a note for each value of the house rules that changes nothing with these numbers of players."""
    printed, values = dict(leaves(printed_data(ruleset.box))), dict(leaves(ruleset.data))
    changed = [path for path in ruleset.changed if path in printed and values.get(path) != printed[path]]
    if not changed or len(changed) > MOST_LOOKED_AT:
        return []
    notes, end = [], f"with {listed([str(count) for count in counts], 'or')} players it changes nothing"
    for path in changed:
        data = json.loads(json.dumps(ruleset.data))
        *steps, last = path.split(".")
        _value(data, ".".join(steps))[last] = printed[path]
        try:
            other = Ruleset(ruleset.name, data)
            alike = all(same_play(ruleset, other, count) for count in counts)
        except Exception:  # the printed value does not go with the other house rules
            continue
        if alike and ruleset.compile().tobytes() != other.compile().tobytes():
            notes.append(f"{path}: matters at other tables; {end}")
    return notes


def same_play(ruleset: Ruleset, other: Ruleset, players: int) -> bool:
    """Say whether two rulesets are the same for so many players: the decks for other numbers do not matter."""
    return _of_players(ruleset.compile(), players) == _of_players(other.compile(), players)


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
    """Return the record as bytes, its values for other numbers of players set to 0."""
    for count in range(len(r.deck_count)):
        if count != players:
            r.deck_count[count] = 0
            r.fixed_players[:, count] = 0
            r.core_tiles_for[count] = r.core_q_for[count] = r.core_r_for[count] = r.core_rotation_for[count] = 0
    r.start_bonus[START_BONUS_FOR.index(f"{names.PLACES[0]}_in_turn_order") + players : len(START_BONUS_FOR)] = 0
    r.deck_size_max = 0
    return r.tobytes()


# --- Search for keys by words of their paths and sentences, and by synonyms from other games (synonyms.yaml)

LONGEST = 5  # words of a phrase
SHORTEST = 3  # letters of a word that keeps its last s
POSSESSIVE = re.compile(r"['’]s?(?!\w)")  # "Petra's", "players’"


@dataclass(frozen=True)
class ChangeableKey:
    """A key that house rules can change."""

    path: str
    value: Any
    allowed: str  # its legal values, in words
    text: str

    def as_dict(self) -> dict[str, Any]:
        """Return the key for JSON."""
        return {"key": self.path, "value": self.value, "allowed": self.allowed, "text": self.text}

    def has(self, words: str) -> bool:
        """Say whether the words, or the beginning of the last one, stand in path or sentence."""
        text = f"{self.path} {self.path.replace('_', ' ')} {self.text}".lower().replace("’", "'")
        return re.search(rf"\b{re.escape(words)}", text) is not None


@dataclass(frozen=True)
class Phrase:
    """A synonym that people look for, and the keys it stands for."""

    keys: Sequence[str] = field(default=())  # words of keys, or patterns for their paths
    note: str = ""  # what the engine cannot do, or what comes nearest

    def means(self, key: ChangeableKey) -> bool:
        """Say whether the phrase stands for the key."""
        return any(fnmatchcase(key.path, word) if "*" in word else key.has(word) for word in self.keys)


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("newdawn.simulator") / "data" / "synonyms.yaml").read_text("utf-8")
    return dict(yaml_of(text, "synonyms.yaml"))


@cache
def phrases() -> dict[str, Phrase]:
    """Return the synonyms, in lower case and singular."""
    by_words: dict[str, Phrase] = {}
    for entry in _table()["phrases"]:
        phrase = Phrase(entry.get("keys", ()), entry.get("note", ""))
        by_words |= dict.fromkeys(entry["words"].split(", "), phrase)
    return by_words


def ignored_words() -> list[str]:
    """Return the words that a search ignores."""
    return str(_table()["ignored"]).split()


class KeySearch:
    """A search: a pattern of paths (with a *), or words that a key must all have."""

    def __init__(self, words: str) -> None:
        self.pattern = words.lower() if "*" in words else ""
        self.terms = [] if self.pattern else _terms(words)  # each as written, and as in the table of phrases

    def among(self, listed: Sequence[ChangeableKey]) -> list[ChangeableKey]:
        """Return the keys that fit."""
        if self.pattern:
            return [key for key in listed if fnmatchcase(key.path.lower(), self.pattern)]
        return [key for key in listed if all(_fits(term, key) for term in self.terms)]

    def each(self, listed: Sequence[ChangeableKey]) -> dict[str, int]:
        """Return the number of keys that each of several words fits alone."""
        counts = {written: sum(_fits((written, phrase), key) for key in listed) for written, phrase in self.terms}
        return counts if len(counts) > 1 else {}

    def best(self, listed: Sequence[ChangeableKey]) -> list[ChangeableKey]:
        """Return the keys that fit most of several words; with equally many, those that fit the rarest."""
        sets = [[_fits(term, key) for key in listed] for term in self.terms]
        weights = [1 + 1 / (1 + sum(fits)) for fits in sets]
        scores = [sum(weight for weight, fits in zip(weights, sets, strict=True) if fits[k]) for k in range(len(listed))]
        most = max(scores, default=0.0)
        return [key for key, score in zip(listed, scores, strict=True) if score == most] if most and len(sets) > 1 else []

    def notes(self, box: str) -> list[str]:
        """Return the notes of the phrases: what the engine cannot do, what comes nearest, which other box can."""
        notes = (phrases()[phrase].note for _, phrase in self.terms if phrase in phrases())
        return [note for note in dict.fromkeys(notes) if note and f"--box {box}" not in note]

    @property
    def is_answered(self) -> bool:
        """Say whether a phrase stands for no key, so that its note is the answer."""
        return any(phrase in phrases() and not phrases()[phrase].keys for _, phrase in self.terms)

    def abilities(self) -> list[str]:
        """Return the effects of abilities whose word or meaning has all words."""
        about = {word: ChangeableKey(word, None, "", effect.meaning) for word, effect in codes.EFFECT.items()}
        return [word for word, key in about.items() if self.terms and all(key.has(written) for written, _ in self.terms)]


def _fits(term: tuple[str, str], key: ChangeableKey) -> bool:
    return any(key.has(words) for words in term) or (term[1] in phrases() and phrases()[term[1]].means(key))


def _terms(words: str) -> list[tuple[str, str]]:
    """Split words into phrases of the table, the longest possible, and single words; each as written and as in the table."""
    rest = re.sub(r"[-\s]+", " ", POSSESSIVE.sub("", words.lower()).replace("’", "'")).split()
    terms = []
    while rest:
        lengths = range(min(LONGEST, len(rest)), 0, -1)
        length, between = next(
            ((n, space) for n in lengths for space in (" ", "") if _singular(space.join(rest[:n])) in phrases()), (1, " ")
        )
        terms.append((" ".join(rest[:length]), _singular(between.join(rest[:length]))))
        rest = rest[length:]
    return [term for term in terms if term[0] not in ignored_words()] or terms


def _singular(words: str) -> str:
    """Return a phrase in the singular, as in the table; another word without its last s."""
    for end, other in (("", ""), ("ies", "y"), ("s", "")):
        if words.endswith(end) and words.removesuffix(end) + other in phrases():
            return words.removesuffix(end) + other
    return words.removesuffix("s") if len(words) > SHORTEST else words


# --- Every key that house rules can change, with its value, its legal values and a sentence: `newdawn rules list`
#
# The keys are the values that the engine reads; legal values are read off the models that check them. Limits that depend on
# other values (no more victory cards in play than there are) are not in the list: they are checked when house rules are read.

UNIQUE_CARD = re.compile(r"leaders\.\w+\.unique_card\.")
LONGEST_VALUE = 60  # characters shown of a value; JSON has all


def keys(ruleset: Ruleset) -> list[ChangeableKey]:
    """Return every key that can be changed, in the order of the data."""
    rulings = ruling_options(ruleset.box)
    listed = []
    for entry in changeable(ruleset.data):
        text = described(entry.kind, entry.meta)
        text = f"{entry.about}: {text}." if entry.about else text or sentence(entry.path)
        stem, _, rest = entry.path.partition(".")
        listed.append(
            ChangeableKey(entry.path, entry.value, entry.allowed, str(rulings[rest]["text"]) if stem == "rulings" else text)
        )
    return listed


def matching(ruleset: Ruleset, words: str) -> list[ChangeableKey]:
    """Return the keys that fit the words of a search, or else most of them; every key for no words."""
    return search(ruleset, words)[0]


def search(ruleset: Ruleset, words: str) -> tuple[list[ChangeableKey], list[str]]:
    """Return the keys that fit all words of a search, or else most of them, and notes on the search.

    Raises UserError if there are none: with the note on what the engine cannot do, the box that has such keys, or the nearest
    word.
    """
    listed = keys(ruleset)
    query = KeySearch(words)
    notes = query.notes(ruleset.box)
    if fit := query.among(listed):
        return fit, notes
    if not notes and (entry := unsayable.find(words, whole=True)):
        raise UserError(f"'{words}': nothing says this ({entry.wish}); the nearest: {entry.way} (docs/abilities.md)")
    for box in names.BOXES:
        if box != ruleset.box and query.among(keys(load_ruleset(box=box))):
            raise UserError(f"'{words}': no key of the box {ruleset.box} matches; the box {box} has some: add --box {box}")
    if not query.is_answered and (near := query.best(listed)):
        counts = ", ".join(f"{term}: {n or 'none'}" for term, n in query.each(listed).items())
        return near, [*notes, f"No key matches all of it ({counts}); these match most."]
    if notes:
        raise UserError(f"'{words}': {' '.join(notes)}")
    if able := query.abilities():
        raise UserError(f"'{words}': no key of the game matches; abilities can do it: {', '.join(able)} (docs/abilities.md)")
    if "." in words:
        valid = {key.path for key in listed}
    else:
        valid = {word for key in listed for step in key.path.split(".") for word in (step, *step.split("_"))} | set(phrases())
    close = nearest(words, sorted(valid), cutoff=0.7) or "; try 'cost', 'trade tokens' or 'wonders.*.cost'"
    raise UserError(f"'{words}': no key matches in path or meaning{close}")


def lines(listed: list[ChangeableKey]) -> list[str]:
    """Return lines about the keys, those with the same sentence together."""
    groups: dict[tuple[str, str], list[ChangeableKey]] = {}
    for key in listed:
        groups.setdefault((key.text, key.allowed), []).append(key)
    shown = []
    for (text, allowed), group in groups.items():
        shown.append(f"{text} ({allowed})")
        shown += [f"    {key.path} = {_shown(key.value)}" for key in group]
    return [*shown, f"{counted(len(listed), 'key')} that house rules can change"]


def _shown(value: Any) -> str:
    """Return a value in YAML, cut if it is long."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False).removesuffix("...\n").strip()
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


# --- sentences


@cache
def _sentences() -> dict[str, str]:
    text = (resources.files("newdawn.simulator") / "data" / "keys.yaml").read_text("utf-8")
    return dict(yaml_of(text, "keys.yaml"))


def sentence(path: str) -> str:
    """Return the sentence of keys.yaml about a path, '' if it has none."""
    place = UNIQUE_CARD.sub("focus_cards.ti.unique.", path)
    return next((text for pattern, text in _sentences().items() if fnmatchcase(place, pattern)), "")
