"""`newdawn rules show`, `disputes` and patch notes: statements of the rules, open readings, changes in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from importlib import resources
from itertools import groupby
from typing import Any

import numpy as np

from .. import names
from ..errors import UserError, listed, nearest, with_minus
from ..reading import yaml_of
from . import codes, patch_words, sentences
from .compile import SIDES, victory_card_ids
from .content_models import Problem
from .edit import SWITCHES
from .load import Ruleset, from_data, load_ruleset
from .overlay import apply_overlay
from .printed_game import leaves, printed_data, ruling_options
from .record import RULES, Draft
from .ruleset_contents import (
    SECTIONS,
    ability_holders,
    agenda_names,
    box_of,
    card_codes,
    entries,
    names_of,
    section,
    slug,
    write_row,
)
from .sentences import sentence

# --- The rules by number, from `data/rules.yaml`
#
# Tests cite the numbers of the rules they prove (`coverage.py`), `newdawn rules show` prints them.

FILE = "rules.yaml"
PARTS = dict(zip(("B", "T"), names.BOXES, strict=True))  # the box that brings the rules of a part
KEYS = ("sections", "made_of", "numbers")
SECTION_KEYS = ("section", "part", "title", "rules")
NUMBER = re.compile(r"(?P<section>[BT]\d+)\.(?P<item>\d+)(?P<ruling>[a-z]?)")


@dataclass(frozen=True)
class Statement:
    """One rule: its number, its text in one line, and its section."""

    number: str
    text: str
    part: str
    section: str
    title: str  # of the section
    made_of: tuple[str, ...] = ()  # the rules it consists of: it is proven when all of them are
    numbers: tuple[str, ...] = ()  # fields of the RULES record that hold its figures

    @property
    def box(self) -> str:
        """Return the box that brings the rule; one of the base game may hold in the expansion, too."""
        return PARTS[self.part]


@cache
def statements() -> dict[str, Statement]:
    """Return the packaged rules by number, in the order of the specification."""
    return parse((resources.files("newdawn.simulator") / "data" / FILE).read_text("utf-8"), FILE)


def parse(text: str, source: str = FILE) -> dict[str, Statement]:
    """Return the rules in a YAML text by number; raise UserError for a wrong entry."""
    content = yaml_of(text, source)
    _check_keys(source, content, KEYS)
    rules: dict[str, tuple[Mapping[str, Any], str]] = {}  # section and line, by number
    for part in content["sections"]:
        _check_keys(f"{source}: section {part.get('section', '?')}", part, SECTION_KEYS)
        for number, line in _section(source, part):
            if number in rules:
                raise UserError(f"{source}: {number} appears twice")
            rules[number] = (part, line)
    made_of = _references(source, "made_of", content["made_of"], rules, rules)
    numbers = _references(source, "numbers", content["numbers"], rules, dict(RULES.fields or {}))
    return {
        number: Statement(
            number, line, part["part"], part["section"], part["title"], made_of.get(number, ()),
            numbers.get(number, ()),
        )
        for number, (part, line) in rules.items()
    }  # fmt: skip


def _check_keys(where: str, content: Any, expected: tuple[str, ...]) -> None:
    if not isinstance(content, Mapping) or set(content) != set(expected):
        raise UserError(f"{where}: expected a mapping with the keys {', '.join(expected)}")


def _section(source: str, section: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield number and line of a section's rules, checked to be in order, each ruling behind the rule it settles."""
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
    source: str, key: str, entries: Any, rules: Mapping[str, Any], valid: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return the lists under `key` by the number of a rule; raise UserError for a word that is not valid."""
    for number, words in entries.items():
        if number not in rules:
            raise UserError(f"{source}: {key}: unknown rule '{number}'{nearest(number, rules)}")
        for word in words:
            if word not in valid:
                raise UserError(f"{source}: {key}.{number}: unknown name '{word}'{nearest(word, valid)}")
    return {number: tuple(words) for number, words in entries.items()}


# --- Everything about a name: `newdawn rules show NAME`

Describe = Callable[[np.record], list[str]]
INFERRED = "its figures are those of the standard card of its level, as no source prints them"
TILE = re.compile(r"(?:tile\s*)?(\d+)\s*([ab]?)", re.IGNORECASE)


@dataclass(frozen=True)
class Describable:
    """Something with a name, the function that describes it from the record, and its line in the data."""

    name: str
    describe: Describe
    effect: str = ""
    note: str = ""


@cache
def _printed(box: str) -> tuple[Ruleset, np.record]:
    """Return the printed rules of a box and their record, read once."""
    ruleset = load_ruleset(box=box)
    return ruleset, ruleset.compile()


def show(ruleset: Ruleset, name: str) -> list[str]:
    """Return the lines about the subject of a name; raise UserError with the nearest name if there is none."""
    listed_subjects = list(subjects(ruleset.data))
    subject = _tile(ruleset, name) or _by_name(listed_subjects, name)
    if subject is None:
        raise _unknown(ruleset.data, name, [subject.name for subject in listed_subjects])
    original, record = _printed(box_of(ruleset.data))
    tile = TILE.fullmatch(name.strip())
    printed_names = [other.name for other in subjects(original.data)]
    is_printed = tile[1] in original.data["tiles"]["tiles"] if tile else subject.name in printed_names
    now = subject.describe(ruleset.compile())
    printed = subject.describe(record) if is_printed else []
    lines = [subject.name, *(f"  {line}" for line in now)]
    if subject.effect:
        lines.append(f"  card text, in short: {subject.effect}")
    if subject.note:
        lines.append(f"  {subject.note}")
    changed = [line for line in printed if line not in now]
    if changed:
        lines += ["house rules change this; the printed game:", *(f"  {line}" for line in changed)]
    lines += [
        f"open question ({doubt.kind}) {doubt.name}: chosen {doubt.chosen}; other reading {doubt.other}"
        for doubt in doubts_about(ruleset, subject.name)
    ]
    return lines


def subjects(data: dict[str, Any]) -> Iterator[Describable]:
    """Yield everything that has a name."""
    part = section(data)
    for key, code in card_codes(data).items():
        card = data["focus_cards"][part][key]
        yield Describable(card["name"], partial(sentences.focus_card, code=code), card["effect"])
    for leader, entry in enumerate(entries(data, "leader").values()):
        if card := entry.get("unique_card"):
            code = names.N_CARDS + leader
            note = INFERRED if card.get("figures_inferred") else ""
            yield Describable(card["name"], partial(sentences.focus_card, code=code), card["effect"], note)
    for kind, function in (
        ("leader", sentences.leader),
        ("wonder", sentences.wonder),
        ("city_state", sentences.city_state),
        ("diplomacy", sentences.diplomacy_card),
        ("natural_wonder", sentences.natural_wonder),
    ):
        for code, (name, entry) in enumerate(zip(names_of(data, kind), entries(data, kind).values(), strict=True)):
            effect = _leaders_text(entry) if kind == "leader" else entry.get("effect", "")
            yield Describable(name, partial(function, code=code), effect)
    yield from _victory(data)
    yield Describable("tech dial", sentences.tech_dial)
    yield Describable("event dial", sentences.event_dial)
    icons = [icon for place in data["dials"][f"event_dial_{part}"]["sections"] for icon in place["icons"]]
    for code, name in enumerate(names.EVENT_ICONS):
        if name in icons:
            yield Describable(name, partial(sentences.event_icon, code=code))
    if part == "ti":
        yield from _expansion(data)
    for key, ruling in ruling_options(box_of(data)).items():
        yield Describable(key, partial(_ruling, ruling=ruling), "")
    sections: dict[str, list[Statement]] = {}
    for statement in statements().values():
        sections.setdefault(statement.section, []).append(statement)
        yield Describable(statement.number, partial(_rule, statement=statement))
    for section_name, rules in sections.items():
        yield Describable(section_name, partial(_show_section, rules=rules))


def _leaders_text(entry: dict[str, Any]) -> str:
    """Return a leader's ability and its text, and that of the card it gives away."""
    if not entry["effect"]:
        return ""
    given = entry.get("given_card")
    card = f" {given['name']}: {given['effect']}" if given else ""
    return f"{entry['ability_name']} ({entry['leader']}). {entry['effect']}{card}"


def _expansion(data: dict[str, Any]) -> Iterator[Describable]:
    for district in data["districts"]["districts"].values():
        code = names.DISTRICTS.index(district["name"])
        yield Describable(district["name"], partial(sentences.district, code=code), district["effect"])
    for government in data["governments"]["governments"].values():
        kind = names.FOCUS_TYPES.index(government["focus_type"])
        yield Describable(government["name"], partial(sentences.government, kind=kind))
    yield Describable("fort", sentences.fort)
    yield Describable("exploring", sentences.exploring)


def _victory(data: dict[str, Any]) -> Iterator[Describable]:
    cards = data["victory_cards"][section(data)]
    effects = {agenda["name"]: agenda["effect"] for card in cards.values() for agenda in card["agendas"].values()}
    for code, name in enumerate(agenda_names(data)):
        yield Describable(name, partial(sentences.agenda, code=code), effects[name])
    for code, key in enumerate(victory_card_ids(data)):
        title = " / ".join(agenda["name"] for agenda in cards[key]["agendas"].values())
        yield Describable(title, partial(sentences.victory_card, code=code))


def _by_name(listed_subjects: Iterable[Describable], name: str) -> Describable | None:
    """Return the subject of the name in any spelling, None if there is none."""
    return next((subject for subject in listed_subjects if slug(subject.name) == slug(name)), None)


def _tile(ruleset: Ruleset, name: str) -> Describable | None:
    match = TILE.fullmatch(name.strip())
    if match is None:
        return None
    number, letter = int(match[1]), match[2].upper()
    numbers = [int(key) for key in ruleset.data["tiles"]["tiles"]]
    if number not in numbers:
        box = names.BOXES[names.TI_BOX]
        hint = f" (it is in the box {box}: add --box {box})" if str(number) in printed_data(box)["tiles"]["tiles"] else ""
        raise UserError(f"unknown tile {number}{hint}: expected {min(numbers)} to {max(numbers)}, with a side such as 12B")
    sides = [SIDES.index(letter)] if letter else list(range(len(SIDES)))
    return Describable(f"tile {number}{letter}", partial(sentences.tile, number=number, sides=sides))


def _unknown(data: dict[str, Any], name: str, valid: list[str]) -> UserError:
    for box in names.BOXES:
        if box != box_of(data) and _by_name(subjects(printed_data(box)), name):
            return UserError(f"'{name}' is in the box {box}: add --box {box}")
    kinds = "card, leader, wonder, city-state, agenda, dial, ruling, tile (12B) or rule number (B8.4)"
    return UserError(f"unknown name '{name}': expected a {kinds}{nearest(name, valid)}")


# --- rules and rulings


def _rule(r: np.record, statement: Statement) -> list[str]:
    lines = [f"{statement.section} {statement.title}", statement.text]
    lines += [f"in force: {field.replace('_', ' ')}: {sentences.numbers(r, field)}" for field in statement.numbers]
    for key, ruling in ruling_options(names.BOXES[r.box]).items():
        if ruling["rule"] == statement.number:
            lines.append(f"switch {key}: {_chosen(r, ruling)}")
    if statement.made_of:
        lines.append(f"see {listed(statement.made_of)}")
    return lines


def _show_section(r: np.record, rules: list[Statement]) -> list[str]:
    return [rules[0].title, *(f"{rule.number} {rule.text}" for rule in rules)]


def _ruling(r: np.record, ruling: dict[str, Any]) -> list[str]:
    return [
        f"ruling about {ruling['rule']}: {ruling['text']}",
        f"in force: {_chosen(r, ruling)}",
        f"options: {listed(ruling['options'], 'or')}; default {ruling['default']}",
    ]


def _chosen(r: np.record, ruling: dict[str, Any]) -> str:
    """Return the option of a ruling that is in force."""
    value = int(getattr(r, ruling["field"]))
    return next(str(option) for option, code in ruling["options"].items() if code == value)


# --- The doubts about the rules: every ruling and every place where the sources differ
#
# The other reading is an overlay of house rules, so it can be written to a file, read by a person, and measured
# (`analysis/questions/open_readings.py`).

KINDS = ("ruling", "dispute", "tile space")
PLAY = {
    "changes": "yes",
    "same": "no, only words differ",
    "impossible": "no, the other reading cannot be meant",
}


@dataclass(frozen=True)
class Doubt:
    """One question with a chosen reading and another one."""

    kind: str  # one of KINDS
    name: str
    about: str
    chosen: str
    other: str
    play: str  # a key of PLAY
    overlay: dict[str, Any] | None = None  # house rules that play the other reading
    why: str = ""  # reason for the choice
    note: str = ""  # about the switch, or why there is none
    ruling: str = ""  # the ruling about the same question

    @property
    def title(self) -> str:
        """Return the name in quotation marks."""
        return titled(self.name)

    @property
    def switch(self) -> str:
        """Return the switch or data value that expresses the other reading, in words."""
        if self.ruling:
            return f"rulings.{self.ruling}, see there"
        if self.overlay is None:
            return f"none: {self.note}" if self.play == "changes" else (self.note or "none needed")
        text = ", ".join(f"{path}: {json.dumps(value).replace(chr(34), '')}" for path, value in leaves(self.overlay))
        return f"{text} ({self.note})" if self.note else text


def doubts(ruleset: Ruleset) -> list[Doubt]:
    """Return all doubts, with the readings chosen in the ruleset."""
    notes = ruleset.data["disputes"]
    spaces = list(_tile_spaces(ruleset.data))
    return [*_rulings(ruleset), *(_dispute(entry) for entry in notes["general"]), *spaces, _all_terrains(ruleset.data)]


def doubts_about(ruleset: Ruleset, name: str) -> list[Doubt]:
    """Return the doubts that name a leader, a wonder, a rule … and change play."""

    def is_about(doubt: Doubt) -> bool:
        itself = doubt.kind == "ruling" and doubt.name == name
        return not itself and _has_name(doubt.about if doubt.kind == "ruling" else doubt.name, name)

    return [doubt for doubt in doubts(ruleset) if doubt.play == "changes" and is_about(doubt)]


def _has_name(text: str, name: str) -> bool:
    """Say whether the text has the name as a whole word; 12B is not tile 1, and B8.3 is not B8."""
    name = re.sub(r"^tile ", "", name)
    side = "[AB]?" if name.isdigit() else ""
    return re.search(rf"(?<![\w.]){re.escape(name)}{side}(?![\w.]\w|\w)", text) is not None


def find_doubt(ruleset: Ruleset, name: str) -> Doubt:
    """Return the doubt of that name; raise UserError with the nearest name if there is none."""
    by_name = {doubt.name.lower(): doubt for doubt in doubts(ruleset)}
    if name.strip().lower() not in by_name:
        hint = nearest(name, [doubt.name for doubt in by_name.values()])
        raise UserError(f"unknown ruling or dispute '{name}': see `newdawn rules disputes` for the names{hint}")
    return by_name[name.strip().lower()]


def other_ruleset(ruleset: Ruleset, doubt: Doubt) -> Ruleset:
    """Return the rules with the other reading of the doubt."""
    if doubt.overlay is None:
        raise UserError(f"'{doubt.name}' cannot be played the other way: {doubt.switch}")
    data = json.loads(json.dumps(ruleset.data))
    try:
        apply_overlay(data, doubt.overlay)
    except Problem as problem:
        raise UserError(f"'{doubt.name}' cannot be played the other way with these rules: {problem}") from None
    return from_data(data, f"{ruleset.name}, other reading of {doubt.name}")


def titled(doubt: str) -> str:
    """Return the name of a doubt in quotation marks."""
    return f"“{doubt.replace('_', ' ')}”"


def _rulings(ruleset: Ruleset) -> Iterator[Doubt]:
    chosen = ruleset.data["rulings"]
    for key, ruling in ruling_options(box_of(ruleset.data)).items():
        others = [option for option in ruling["options"] if option != chosen[key]]
        for option in others:
            name = key if len(others) == 1 else f"{key}: {option}"
            yield Doubt(
                "ruling", name, f"{ruling['rule']}: {ruling['text']}", chosen[key], option, "changes",
                {"rulings": {key: option}},
            )  # fmt: skip


def _dispute(entry: Mapping[str, Any]) -> Doubt:
    readings = "; ".join(f"{source}: {value}" for source, value in entry["readings"].items())
    note = str(entry.get("other_note") or entry.get("no_switch") or "")
    return Doubt(
        "dispute", entry["what"], f"sources - {readings}", str(entry["chosen"]), _others(entry), entry["play"],
        entry.get("other"), entry["why"], note, entry.get("ruling", ""),
    )  # fmt: skip


def _others(entry: Mapping[str, Any]) -> str:
    """Return the readings that were not chosen."""
    values = dict.fromkeys(str(value) for value in entry["readings"].values())
    return " or ".join(value for value in values if value != str(entry["chosen"])) or str(entry["why"])


def _tile_spaces(data: Mapping[str, Any]) -> Iterator[Doubt]:
    for entry in data["disputes"]["tile_spaces"]:
        tile = data["tiles"]["tiles"][str(entry["tile"])]
        name = f"{entry['tile']}{entry['side']} space {entry['space']}"
        readings = "; ".join(f"{source}: {value}" for source, value in entry["readings"].items())
        play, overlay, note = "changes", None, ""
        other = next(value for value in entry["readings"].values() if value != entry["chosen"])
        if entry["what"] == "terrain":
            terrain = list(tile["sides"][entry["side"]]["terrain"])
            terrain[entry["space"]] = other
            overlay = _face(entry, "terrain", terrain)
        elif other.startswith("natural_wonder"):
            note = "the token lies on the tile's other side; which token belongs to which side is fixed"
        elif other.startswith("barbarian") and not other.endswith(entry["chosen"][-1]):
            none = "none" in entry["readings"].values()
            other = "none" if none else other
            note = "" if none else "the letter belongs to another tile"
        if other == "none" and play == "changes":
            features = [f for f in tile["sides"][entry["side"]]["features"] if f["space"] != entry["space"]]
            overlay = _face(entry, "features", features)
        yield Doubt(
            "tile space", name, f"{entry['what']}; sources - {readings}", str(entry["chosen"]), str(other), play,
            overlay, str(entry["basis"]), note,
        )  # fmt: skip


def _all_terrains(data: Mapping[str, Any]) -> Doubt:
    """Return the doubt about all disputed terrains at once: one alone changes few games."""
    overlay: dict[str, Any] = {"tiles": {}}
    number = 0
    for entry in data["disputes"]["tile_spaces"]:
        tile = data["tiles"]["tiles"][str(entry["tile"])]
        if entry["what"] != "terrain":
            continue
        sides = overlay["tiles"].setdefault(str(entry["tile"]), {"sides": {}})["sides"]
        face = sides.setdefault(entry["side"], {"terrain": list(tile["sides"][entry["side"]]["terrain"])})
        face["terrain"][entry["space"]] = next(v for v in entry["readings"].values() if v != entry["chosen"])
        number += 1
    about = f"the {number} disputed terrains of tiles, all read the other way at once"
    return Doubt("tile space", "all terrains", about, "as listed", "the other reading of each", "changes", overlay)


def _face(entry: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """Return the overlay that changes one side of a tile."""
    return {"tiles": {str(entry["tile"]): {"sides": {entry["side"]: {key: value}}}}}


# --- Changes between two rulesets as patch notes: "Scythia: trade tokens on each card 3 → 1"
#
# A value is named by the innermost thing around it with a printed name (a leader, a card, a wonder) and by its own name there;
# the path, which house rules use, comes second. Equal changes of all values of a node are one note, a new ability is one
# sentence.

BLOCK = "*"  # ends the path of a note about all values of a node
NAMES = ("name", "civ")
AGAIN = re.compile(r"_\d+$")  # of the key of a second ability of one effect
CARD = re.compile(r"focus_cards\.(base|ti)\.\w+|leaders\.\w+\.unique_card")
LEFT_OUT = {"abilities", "agendas", "options", *SECTIONS.values()}  # steps of a path that mean nothing to a player
LONG = "(a list)"
NUMBER_OR_NONE = re.compile(r"−?[\d.]+|–")
EVERYONE = "Every player"


@dataclass(frozen=True)
class Note:
    """A change: the name of a value, the value before and after, and its path in house rules."""

    what: str
    old: str
    new: str
    path: str

    def __str__(self) -> str:
        if self.old == self.new == LONG:
            return f"{self.what}: changed"
        if not self.old:
            return f"{self.what}: {self.new}"
        plain = all(NUMBER_OR_NONE.fullmatch(value) for value in (self.old, self.new))
        return f"{self.what} {self.old} → {self.new}" if plain else f"{self.what} ({self.old} → {self.new})"


def patch_notes(new: Mapping[str, Any], old: Mapping[str, Any]) -> list[Note]:
    """Return the changes from the data of one ruleset to another's; lines for people to read are left out."""
    before, after = dict(leaves(old)), dict(leaves(new))
    paths = [*before, *(path for path in after if path not in before)]
    changed = [path for path in paths if before.get(path) != after.get(path) or (path in before) != (path in after)]
    changed = [path for path in changed if not path.endswith((".effect", ".disputed")) or ".abilities." in path]
    notes = [*_whole_things(new, old, "new"), *_whole_things(old, new, "removed")]
    notes += [*_single_abilities(new, old, "{}"), *_single_abilities(old, new, "no longer: {}")]
    apart = tuple(f"{note.path}." for note in notes)
    changed = [path for path in changed if not path.startswith(apart)]
    for node, group in groupby(changed, key=lambda path: path.rpartition(".")[0]):
        part = list(group)
        block = len(part) > 1 and len(part) == sum(path.rpartition(".")[0] == node for path in paths)
        pairs = [(_shown(before, path), _shown(after, path)) for path in part]
        if block and len(set(pairs)) == 1:
            notes.append(Note(named(new, f"{node}.{BLOCK}"), *pairs[0], f"{node}.{BLOCK}"))
        else:
            notes += [Note(named(new, path, patch_words.LEVELS), *pair, path) for path, pair in zip(part, pairs, strict=True)]
    return notes


def moved(data: Mapping[str, Any], path: str, old: int, new: int) -> Note:
    """Return the change of a parameter (rules/edit.py), or of a block of them, from one number to another."""
    words = next((words for switch, words in SWITCHES.items() if fnmatchcase(switch, path)), None)
    before, after = (_text(words[value] if words else value, path) for value in (old, new))
    return Note(named(data, path), before, after, path)


def _whole_things(data: Mapping[str, Any], other: Mapping[str, Any], word: str) -> list[Note]:
    """Return a note for each named thing that is in the data and not in the other."""
    return [Note(name, "", word, path) for path, name in _named_things(data) if _at(other, path) is None]


def _single_abilities(data: Mapping[str, Any], other: Mapping[str, Any], form: str) -> list[Note]:
    """Return a note for each ability that a thing in both has in the data and not in the other."""
    held = dict(ability_holders(other))
    notes = []
    for path, entry in ability_holders(data):
        for key, ability in entry["abilities"].items():
            if path in held and key not in held[path]["abilities"]:
                draft = Draft()
                write_row(draft, 0, ability, "ability", own=True)
                whose = _holder(data, [*path.split("."), "abilities"])[0] or EVERYONE
                notes.append(Note(whose, "", form.format(sentence(draft.record(), 0)), f"{path}.abilities.{key}"))
    return notes


def _named_things(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and name of the outermost things with a name."""
    if not isinstance(value, Mapping):
        return
    if path and (name := _name(value)):
        yield path, name
        return
    for key, inner in value.items():
        yield from _named_things(inner, f"{path}.{key}" if path else str(key))


def _at(data: Any, path: str) -> Any:
    for step in path.split("."):
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def _name(value: Any) -> str:
    """Return the printed name of a thing, '' if it has none."""
    if not isinstance(value, Mapping):
        return ""
    name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), "")
    agendas = value.get("agendas")
    return name or (" / ".join(map(_name, agendas.values())) if isinstance(agendas, Mapping) else "")


def named(data: Mapping[str, Any], path: str, words_of: Mapping[str, str] | None = None) -> str:
    """Return the name of a value by its path: "Scythia: trade tokens on the culture card"; a block's path ends with a star.

    `words_of`: names by pattern that replace those of WORDS.
    """
    holder, inner = _holder(data, path.split("."))
    steps = [step.replace("_", " ") for step in path.split(".")]
    whole = path.endswith(f".{BLOCK}")
    searched = place(data, path)
    tables = (words_of or {}, patch_words.EACH if whole else {}, patch_words.WORDS)
    words = next((phrase for table in tables for pattern, phrase in table.items() if fnmatchcase(searched, pattern)), "")
    if words:
        words = words.format(*["each value" if whole else steps[-1], *reversed(steps[:-1])], **_terms(data, path, searched))
    else:
        words = ", ".join([*(step for step in steps[inner:-1] if step not in LEFT_OUT), "each value" if whole else steps[-1]])
    return f"{holder}: {words}" if holder else f"{words[0].upper()}{words[1:]}"


def place(data: Mapping[str, Any], path: str) -> str:
    """Return the path to search WORDS for: an ability's begins with its effect, a focus card's with its type."""
    head, ability, rest = path.rpartition(".abilities.")
    if ability:
        key, _, inner = rest.partition(".")
        entry = _at(data, f"{head}.abilities.{key}")
        effect = entry.get("effect", "") if isinstance(entry, Mapping) else ""
        return f"ability.{effect or AGAIN.sub('', key)}.{inner}"
    if card := CARD.match(path):
        entry = _at(data, card[0])
        if isinstance(entry, Mapping) and "type" in entry:
            return f"card.{entry['type']}{path[card.end() :]}"
    return path


def _terms(data: Mapping[str, Any], path: str, searched: str) -> dict[str, str]:
    """Return the terms that a path's phrase may name besides its steps (patch_words.py); `searched`: `place` of the path."""
    last = path.rpartition(".")[2]
    node = _at(data, path.rpartition(".")[0])
    entry = node if isinstance(node, Mapping) else {}
    metric = str(entry.get("metric", "amount"))
    kind = next((str(entry[key]) for key in ("type", "level", "terrain") if key in entry), "")
    counting = names.METRIC[metric].text if metric in names.METRIC else metric.replace("_", " ")
    plain = last.replace("_", " ")
    effect = searched.split(".")[1] if searched.startswith("ability.") else ""
    noun = codes.EFFECT[effect].noun if effect in codes.EFFECT else effect.replace("_", " ")
    counted = names.METRICS[names.POINTS.get(last, 0)]
    return {
        "noun": noun,
        "short": noun.removesuffix(", at most"),
        "moment": _moment(entry) if last == "amount" and "moment" in entry else "",
        "needed": patch_words.NEEDED.get(last, plain),
        "metric": patch_words.METRICS.get(metric, counting).format(kind=kind),
        "point": patch_words.METRICS.get(counted, names.METRIC[counted].text).rstrip(","),
        "land": patch_words.LAND.get(last, plain),
        "around": patch_words.LAND.get(path.split(".")[-2], ""),
        "many": patch_words.MANY.get(last, plain),
    }


def _moment(ability: Mapping[str, Any]) -> str:
    """Return the moment of a deed, as the end of a phrase."""
    draft = Draft()
    write_row(draft, 0, ability, "ability", own=True)
    whose = " for the giver" if ability.get("for_giver") else ""
    return f"{whose} {sentences.AbilityRow(draft.record(), 0).moment().removesuffix(': ')}"


def _holder(data: Mapping[str, Any], steps: Sequence[str]) -> tuple[str, int]:
    """Return the name of the innermost thing around a value with a name, and the step at which its values begin.

    The name of a victory card is that of its agendas.
    """
    holder, value = ("", 1), data
    for place, step in enumerate(steps[:-1], 1):
        if not isinstance(value, Mapping) or step not in value:
            break
        value = value[step]
        holder = (_name(value), place) if _name(value) else holder
    return holder


def _shown(values: Mapping[str, Any], path: str) -> str:
    if path not in values:
        return "–"
    return _text(values[path], path)


def _text(value: Any, path: str) -> str:
    if value == 0 and not isinstance(value, bool):
        return next((words for pattern, words in patch_words.ZEROS.items() if fnmatchcase(path, pattern)), "0")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return ", ".join(word.replace("_", " ") for word in value) or "none"
    if isinstance(value, list | dict):
        return LONG
    return value.replace("_", " ") if isinstance(value, str) else with_minus(json.dumps(value))


def shortened(notes: Iterable[Note | str], most: int = 5) -> list[str]:
    """Return at most `most` notes as lines, and the number of further ones."""
    lines = [str(note) for note in notes]
    return lines if len(lines) <= most else [*lines[:most], f"{len(lines) - most} more"]
