"""Where a word of the game is in the program: `newdawn rules where NAME`.

Everything is read off the program, so it is never out of date: the name and its code in `names.py`, its facts and abilities
in the YAML, the functions of the engine that have its constant, an effect or moment of its abilities or a number of its own,
the rules their docstrings cite, the strategies that reckon with it, and the tests that claim its effect. A rule by its number
is in the functions whose docstrings cite it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .... import simulator
from ... import names
from ...errors import UserError, unknown
from ..contents import agenda_names, card_codes, entries, names_of, parts_of, section, slug
from ..loading.load import load_ruleset
from ..loading.packaged import printed_data
from .ability_sentences import sentences
from .coverage import coverage, find_tests

NAMES = "simulator/names.py"
RULE = re.compile(r"\b[BT]\d+\.\d+[a-z]?\b")
ROOMS = ("engine", "rules", "replay")  # of `simulator`, in which docstrings cite rules
KINDS = {"wonder": "wonders", "leader": "leaders", "city-state": "city_states", "diplomacy card": "diplomacy"}  # data files

DISTRICT_NUMBERS = dict(zip(names.DISTRICTS, ("theater_", "campus_", "hub_", "zone_", "camp_"), strict=True))
NAMED = (*KINDS, "agenda", "district", "government")  # with a name in names.py


@dataclass(frozen=True)
class Word:
    """A word of the game: what the engine calls it, and how its part of the engine is recognised."""

    name: str
    kind: str
    code: str  # code 12, names.PETRA
    data: str  # simulator/data/wonders.yaml
    effect: str
    uses: tuple[str, ...]  # names whose use in a function is a use of the word
    own: str = ""  # fields of the RULES record that begin so are its numbers


@dataclass(frozen=True)
class Place:
    """A function in which a word is used."""

    file: str
    line: int
    function: str
    rules: tuple[str, ...]  # cited in its docstring

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}" + (f" ({', '.join(self.rules)})" if self.rules else "")


def root() -> Path:
    """Return the folder in which `simulator` lies."""
    return Path(simulator.__file__).resolve().parents[1]


def constant(name: str, code: int) -> str:
    """Return the constant of names.py for a printed name: its words, or the last of them; "" if there is none."""
    key = slug(name).upper()
    found = [word for word, value in vars(names).items() if type(value) is int and value == code and key.endswith(word)]
    return max(found, key=len, default="")


def metric_constant(metric: str) -> str:
    """Return the constant of names.py for what an agenda counts."""
    code = names.METRICS.index(metric)
    return next(word for word, value in vars(names).items() if word.startswith("METRIC_") and value == code)


def words(box: str = names.BOXES[0]) -> Iterator[Word]:
    """Yield every card, leader, city-state and agenda of a box."""
    data = printed_data(box)
    part = section(data)
    for kind, stem in KINDS.items():
        for code, entry in enumerate(entries(data, kind.split()[0].replace("-", "_")).values()):
            name = entry.get("civ", entry.get("name"))
            known = constant(name, code)
            file, uses = f"simulator/data/{stem}.yaml", (*([known] if known else []), *abilities_of(entry))
            what = f"code {code}" + (f", names.{known}" if known else "")
            yield Word(name, kind, what, file, entry["effect"], uses, f"{slug(name)}_")
            if "unique_card" in entry:
                card = entry["unique_card"]
                yield _focus_card(card, "unique card", names.N_CARDS + code, "simulator/data/leaders.yaml")
    for key, code in card_codes(data).items():
        card = data["focus_cards"][part][key]
        yield _focus_card(card, "focus card", code, "simulator/data/focus_cards.yaml")
    for stem, group in (("districts", "DISTRICTS"), ("governments", "GOVERNMENTS")):
        for entry in data.get(stem, {}).get(stem, {}).values():
            code = getattr(names, group).index(entry["name"])
            what = f"code {code}, of {entry['focus_type']} cards"
            known = constant(entry["name"], code)
            uses = (known,) if known else ("government_shift", "government")
            effect = entry.get("effect") or f"The card it lies on acts {entry['shift']} slots further right."
            own = DISTRICT_NUMBERS.get(entry["name"], "")
            yield Word(entry["name"], stem[:-1], what, f"simulator/data/{stem}.yaml", effect, uses, own)
    codes = agenda_names(data)
    for card in data["victory_cards"][part].values():
        for agenda in card["agendas"].values():
            conditions = parts_of(agenda["condition"])
            uses = tuple(metric_constant(one["metric"]) for one in conditions)
            what = f"code {codes.index(agenda['name'])}, counts names.{' or names.'.join(uses)}"
            yield Word(agenda["name"], "agenda", what, "simulator/data/victory_cards.yaml", agenda["effect"], uses)


def _focus_card(card: Mapping[str, Any], kind: str, code: int, file: str) -> Word:
    what = f"code {code}, {card['type']} of level {card['level']}"
    return Word(card["name"], kind, what, file, card["effect"], (f"resolve_{card['type']}",))


def abilities_of(entry: Mapping[str, Any]) -> list[str]:
    """Return the constants of ability_codes.py that stand for the effects and moments of an entry's abilities."""
    abilities = entry.get("abilities", {}).values()
    return [ability[key].upper() for ability in abilities for key in ("effect", "moment") if key in ability]


def find(name: str, box: str = names.BOXES[0]) -> Word:
    """Return the word of the name, in any case; raise UserError with the nearest one if there is none."""
    known = {slug(word.name): word for word in words(box)}
    elsewhere = box_with(name, box)
    if slug(name) not in known and elsewhere:
        raise UserError(f"'{name}' is in the box {elsewhere}: add --box {elsewhere}")
    if slug(name) not in known:
        raise unknown("rule, card, leader, city-state or agenda", name, [word.name for word in known.values()])
    return known[slug(name)]


def places(word: Word, folder: str) -> list[Place]:
    """Return the functions below a folder that use the word or define what it uses."""
    return [
        place
        for place, used in functions(folder)
        if not used.isdisjoint(word.uses) or (word.own and any(name.startswith(word.own) for name in used))
    ]


@cache
def functions(folder: str) -> list[tuple[Place, frozenset[str]]]:
    """Return every function below a folder, and the names that stand in it, its own among them."""
    found = []
    for path in sorted((root() / folder).rglob("*.py")):
        for function in ast.parse(path.read_text("utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                rules = tuple(dict.fromkeys(RULE.findall(ast.get_docstring(function) or "")))
                place = Place(path.relative_to(root()).as_posix(), function.lineno, function.name, rules)
                found.append((place, frozenset(_names(function))))
    return found


def _names(function: ast.FunctionDef) -> Iterator[str]:
    yield function.name
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def line_of(file: str, name: str) -> int:
    """Return the line of a file on which the name stands as a word; 0 if on none."""
    pattern = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])")
    lines = (root() / file).read_text("utf-8").splitlines()
    return next((i for i, line in enumerate(lines, 1) if pattern.search(line.partition("#")[0])), 0)


def box_with(name: str, box: str) -> str:
    """Return another box than `box` that has a card, leader, city-state or agenda of the name; "" if none has."""
    others = (other for other in names.BOXES if other != box)
    return next((other for other in others if any(slug(word.name) == slug(name) for word in words(other))), "")


def tests_of(word: Word, box: str) -> list[str]:
    """Return the tests that claim the word's effect; none where the program is installed without its tests."""
    try:
        folder = find_tests()
    except UserError:
        return []
    matrix = coverage(folder, box).entries
    return next((entry.tests for entry in matrix if (entry.marker, entry.name) == ("effect", word.name)), [])


def told(word: Word, box: str) -> list[str]:
    """Return the abilities that the data give a leader, wonder or card, in words."""
    if word.kind not in KINDS:
        return []
    kind = word.kind.split()[0].replace("-", "_")
    ruleset = load_ruleset(box=box)
    return sentences(ruleset.compile(), kind, names_of(ruleset.data, kind).index(word.name))


def where(name: str, box: str = names.BOXES[0]) -> list[str]:
    """Return the lines about where a word or a rule is in the program; raise UserError if it is none."""
    if RULE.fullmatch(name):
        return where_rule(name)
    word = find(name, box)
    engine = places(word, "simulator/engine")
    rules = list(dict.fromkeys(rule for place in engine for rule in place.rules))
    named = [f"{NAMES}:{line_of(NAMES, word.name)}"] if word.kind in NAMED else []
    listed = {
        "name": named,
        "data": [f"{word.data}:{line_of(word.data, word.name)}"],
        "abilities": told(word, box),
        "engine": [str(place) for place in engine],
        "rules": [", ".join(rules)] if rules else [],
        "strategies": [str(place) for place in places(word, "strategies")],
        "tests": tests_of(word, box),
    }
    return _shown([f"{word.name}: {word.kind}, {word.code}", f"  {word.effect}"], listed)


def where_rule(number: str) -> list[str]:
    """Return the lines about where a rule of any box is in the program; raise UserError if none has the number."""
    try:
        matrices = [coverage(find_tests(), box) for box in names.BOXES]
        rules = [entry for matrix in matrices for entry in matrix.entries if entry.marker == "rule"]
    except UserError:  # installed without the tests, which list the rules
        rules = []
    found = next((entry for entry in rules if entry.name == number), None)
    cited = {folder: [str(place) for place, _ in functions(f"simulator/{folder}") if number in place.rules] for folder in ROOMS}
    if found is None and (rules or not any(cited.values())):
        raise unknown("rule", number, [entry.name for entry in rules])
    text = f"{number}: rule" + (f", {found.text}" if found and found.text else "")
    return _shown([text], cited | {"tests": found.tests if found else []})


def _shown(lines: list[str], listed: Mapping[str, list[str]]) -> list[str]:
    """Return the lines, followed by those of each heading."""
    for what, texts in listed.items():
        lines += [f"  {what if i == 0 else '':<11}{text}" for i, text in enumerate(texts)]
    return lines
