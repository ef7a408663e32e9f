"""Finding and changing numbers of the rules: every key with its sentence, search by words, steps of a parameter."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import yaml

from .. import names
from ..errors import UserError, nearest
from ..reading import yaml_of
from ..wording import counted, listed
from . import codes
from .compile import ATTACKABLE, START_BONUS_FOR, TIES, cards_needed
from .content import Problem
from .contents import section
from .load import Ruleset, compiled, load_ruleset, with_overlay
from .models import described
from .overlay import apply_overlay, changeable
from .packaged import leaves, printed_data, ruling_options

# --- The numbers of a ruleset as parameters
#
# Listing them, finding one by its path, and rulesets with other values.
#
# A parameter is a whole number that the engine reads, addressed by the path of an overlay: ``wonders.petra.cost``. Spaces of
# the technology dial at which a level is reached are parameters, too: ``dials.tech_dial.level_spaces.5`` is the 5. So are the
# switches of combat (the number of the word, 0 for the printed one, or 0 and 1 for false and true) and the victory cards
# needed to win, which are as many as in play where the rules say "all in play".

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


# --- Looking for keys of the rules by words
#
# Those of their paths and sentences, and synonyms from other games (synonyms.yaml).

LONGEST = 5  # words of a phrase
SHORTEST = 3  # letters of a word that keeps its last s


@dataclass(frozen=True)
class Key:
    """A key that house rules can change."""

    path: str
    value: Any
    allowed: str  # what it may be, in words
    text: str

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"key": self.path, "value": self.value, "allowed": self.allowed, "text": self.text}

    def has(self, words: str) -> bool:
        """Say whether words, or the beginnings of them, stand in path or sentence one after the other."""
        text = f"{self.path} {self.path.replace('_', ' ')} {self.text}".lower()
        return re.search(rf"\b{re.escape(words)}", text) is not None


@dataclass(frozen=True)
class Phrase:
    """A word or phrase that people look for, and where what it means is found."""

    keys: Sequence[str] = field(default=())  # words of keys, or patterns for their paths
    note: str = ""  # what the engine cannot do

    def means(self, key: Key) -> bool:
        """Say whether the key is one of those that the phrase stands for."""
        return any(fnmatchcase(key.path, word) if "*" in word else key.has(word) for word in self.keys)


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("newdawn.simulator") / "data" / "synonyms.yaml").read_text("utf-8")
    return dict(yaml_of(text, "synonyms.yaml"))


@cache
def phrases() -> dict[str, Phrase]:
    """Return the phrases with synonyms, in lower case and singular."""
    found: dict[str, Phrase] = {}
    for entry in _table()["phrases"]:
        phrase = Phrase(entry.get("keys", ()), entry.get("note", ""))
        found |= dict.fromkeys(entry["words"].split(", "), phrase)
    return found


def ignored_words() -> list[str]:
    """Return the words that say nothing in a search."""
    return str(_table()["ignored"]).split()


class Search:
    """The words somebody looks for: a pattern of paths (with a *), or words that a key must all have."""

    def __init__(self, words: str) -> None:
        self.pattern = words.lower() if "*" in words else ""
        self.terms = [] if self.pattern else _terms(words)  # each as it is written, and as the table of phrases has it

    def among(self, listed: Sequence[Key]) -> list[Key]:
        """Return the keys that fit."""
        if self.pattern:
            return [key for key in listed if fnmatchcase(key.path.lower(), self.pattern)]
        return [key for key in listed if all(_fits(term, key) for term in self.terms)]

    def each(self, listed: Sequence[Key]) -> dict[str, int]:
        """Return how many keys each of several words finds alone."""
        found = {written: sum(_fits((written, phrase), key) for key in listed) for written, phrase in self.terms}
        return found if len(found) > 1 else {}

    def best(self, listed: Sequence[Key]) -> list[Key]:
        """Return the keys that fit most of several words, and of as many words the rarest."""
        sets = [[_fits(term, key) for key in listed] for term in self.terms]
        weights = [1 + 1 / (1 + sum(fits)) for fits in sets]
        scores = [sum(weight for weight, fits in zip(weights, sets, strict=True) if fits[k]) for k in range(len(listed))]
        most = max(scores, default=0.0)
        return [key for key, score in zip(listed, scores, strict=True) if score == most] if most and len(sets) > 1 else []

    def notes(self, box: str) -> list[str]:
        """Return what is to be said to the phrases: what the engine cannot do in a box, what comes nearest, which box can."""
        said = (phrases()[phrase].note for _, phrase in self.terms if phrase in phrases())
        return [note for note in dict.fromkeys(said) if note and f"--box {box}" not in note]

    @property
    def is_answered(self) -> bool:
        """Say whether a phrase stands for nothing that can be changed: its note is the answer."""
        return any(phrase in phrases() and not phrases()[phrase].keys for _, phrase in self.terms)

    def abilities(self) -> list[str]:
        """Return the effects of abilities whose word or meaning has all that is looked for."""
        about = {word: Key(word, None, "", effect.meaning) for word, effect in codes.EFFECT.items()}
        return [word for word, key in about.items() if self.terms and all(key.has(written) for written, _ in self.terms)]


def _fits(term: tuple[str, str], key: Key) -> bool:
    return any(key.has(words) for words in term) or (term[1] in phrases() and phrases()[term[1]].means(key))


def _terms(words: str) -> list[tuple[str, str]]:
    """Return the phrases of the table that the words hold, the longest first, and every other word by itself."""
    left = re.sub(r"[-\s]+", " ", words.lower()).split()
    terms = []
    while left:
        lengths = range(min(LONGEST, len(left)), 0, -1)
        length, between = next(
            ((n, space) for n in lengths for space in (" ", "") if _singular(space.join(left[:n])) in phrases()), (1, " ")
        )
        terms.append((" ".join(left[:length]), _singular(between.join(left[:length]))))
        left = left[length:]
    counting = [term for term in terms if term[0] not in ignored_words()]
    return counting or terms


def _singular(words: str) -> str:
    """Return a phrase as the table has it, in the singular; a word that it does not have without its last s."""
    for end, other in (("", ""), ("ies", "y"), ("s", "")):
        if words.endswith(end) and words.removesuffix(end) + other in phrases():
            return words.removesuffix(end) + other
    return words.removesuffix("s") if len(words) > SHORTEST else words


# --- Every key of the rules that house rules can change, with its value, what it may be, and a sentence
#
# `newdawn rules list`.
#
# The keys are the values that the engine reads; what each may be is read off the models that check it, so the list cannot
# promise what would be refused. Limits that depend on other values (no more victory cards in play than there are) are checked
# when house rules are laid over, and not in the list.

UNIQUE_CARD = re.compile(r"leaders\.\w+\.unique_card\.")
LONGEST_VALUE = 60  # characters of a value shown; JSON has the whole


def keys(ruleset: Ruleset) -> list[Key]:
    """Return every key that can be changed, in the order of the data."""
    rulings = ruling_options(ruleset.box)
    listed = []
    for one in changeable(ruleset.data):
        said = described(one.kind, one.meta)
        text = f"{one.about}: {said}." if one.about else said or sentence(one.path)
        stem, _, rest = one.path.partition(".")
        listed.append(Key(one.path, one.value, one.allowed, str(rulings[rest]["text"]) if stem == "rulings" else text))
    return listed


def matching(ruleset: Ruleset, words: str) -> list[Key]:
    """Return the keys that fit the words of a search, or else most of them; all of them if there are none."""
    return found(ruleset, words)[0]


def found(ruleset: Ruleset, words: str) -> tuple[list[Key], list[str]]:
    """Return the keys that fit the words of a search, and what is to be said to it.

    If none fits all of them, those that fit most; with words that mean what the engine cannot do, none.
    Raises UserError, with the nearest word or the box that has such keys, if there is nothing.
    """
    listed = keys(ruleset)
    search = Search(words)
    said = search.notes(ruleset.box)
    if fit := search.among(listed):
        return fit, said
    for box in names.BOXES:
        if box != ruleset.box and search.among(keys(load_ruleset(box=box))):
            raise UserError(f"'{words}': no key of the box {ruleset.box} matches; the box {box} has some: add --box {box}")
    if not search.is_answered and (near := search.best(listed)):
        counts = ", ".join(f"{term}: {n or 'none'}" for term, n in search.each(listed).items())
        return near, [*said, f"No key matches all of it ({counts}); these match most."]
    if said:
        raise UserError(f"'{words}': {' '.join(said)}")
    if able := search.abilities():
        raise UserError(f"'{words}': no key of the game matches; abilities can do it: {', '.join(able)} (docs/abilities.md)")
    if "." in words:
        known = {key.path for key in listed}
    else:
        known = {word for key in listed for step in key.path.split(".") for word in (step, *step.split("_"))} | set(phrases())
    close = nearest(words, sorted(known), cutoff=0.7) or "; try 'cost', 'trade tokens' or 'wonders.*.cost'"
    raise UserError(f"'{words}': no key matches in path or meaning{close}")


def lines(some: list[Key]) -> list[str]:
    """Return the keys as text, those that one sentence describes together."""
    groups: dict[tuple[str, str], list[Key]] = {}
    for key in some:
        groups.setdefault((key.text, key.allowed), []).append(key)
    text = []
    for (said, allowed), group in groups.items():
        text.append(f"{said} ({allowed})")
        text += [f"    {key.path} = {_shown(key.value)}" for key in group]
    return [*text, f"{counted(len(some), 'key')} that house rules can change"]


def _shown(value: Any) -> str:
    """Return a value as it is written in YAML, cut where it is long."""
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
