"""Which test proves which rule and effect, and where in the program a rule, card or leader is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ... import simulator
from .. import names
from ..errors import UserError, nearest, unknown
from ..reading import text_of
from .contents import agenda_names, card_codes, entries, names_of, parts_of, section, slug
from .load import load_ruleset
from .packaged import printed_data
from .sentences import sentences
from .show import statements

# --- Which test proves which rule
#
# The matrix behind `newdawn rules coverage`.
#
# Tests say what they prove with `@pytest.mark.rule("B8.4")` and `@pytest.mark.effect("Petra")`, on a function, a class, the
# module (`pytestmark`) or a case (`pytest.param(..., marks=...)`, also in a list of cases that the file keeps by name). The
# files are parsed, not imported: that needs no pytest, compiles no engine, takes a fraction of a second, and a file that
# fails to import still shows what it claims. The price is that a marker's argument must be a plain text, or run over a
# constant list of the file (`[pytest.param(w, marks=pytest.mark.effect(w)) for w in WONDERS]`); any other is an error, so
# nothing is lost in silence.
#
# Skipped tests and tests expected to fail prove nothing and are not counted. What tests in a folder `ti` claim, they claim of
# Terra Incognita; others speak of the base game, and with it of what the expansion leaves as it is.

MARKERS = ("rule", "effect")
IDLE = ("skip", "skipif", "xfail")
TECH_DIAL = "tech dial"
TI_FOLDER = "ti"
ICONS = {
    "barbarians_appear": "Beaten barbarians come back where their letter is printed.",
    "barbarians_move": "Every barbarian moves one space in a rolled direction.",
    "trade": "Trade tokens for every mature city.",
    "districts": "Everyone resolves all own districts.",
    "government": "Everyone may choose a government for a card in the first slot.",
    "wonder": "A trade token on each face-up wonder; the second one takes it out of the game.",
}


@dataclass(frozen=True)
class Claim:
    """A marker on a test."""

    marker: str
    name: str
    test: str  # tests/rules/test_b8_cities.py::test_a_city_takes_an_unused_piece
    line: int


@dataclass
class Entry:
    """A line of the matrix: a rule or a printed effect, and the tests that prove it."""

    marker: str
    kind: str
    name: str
    text: str
    tests: list[str] = field(default_factory=list)
    made_of: tuple[str, ...] = ()
    proven: bool = False
    in_base: bool = True  # the base game has it, too, just the same


@dataclass(frozen=True)
class Coverage:
    """The matrix, and the markers that name nothing known."""

    entries: list[Entry]
    problems: list[str]

    @property
    def uncovered(self) -> list[Entry]:
        """Return the entries that no test proves."""
        return [entry for entry in self.entries if not entry.proven]


def find_tests() -> Path:
    """Return the folder of the test suite; raise UserError where there is none, as in an installed package."""
    root = Path(simulator.__file__).resolve().parents[1]
    if not ((root / "tests").is_dir() and (root / "pyproject.toml").is_file()):
        raise UserError(
            f"{root}: no tests here, as an installed package has none; run this in a checkout of the project, "
            "or name its folder with --tests"
        )
    return root / "tests"


def coverage(folder: Path, box: str = names.BOXES[names.BASE_BOX]) -> Coverage:
    """Return the matrix of the tests in the folder for the rules that a box brings and all that is printed in it."""
    files = sorted(folder.rglob("test_*.py"))
    if not files:
        raise UserError(f"{folder}: no test files (test_*.py) in this folder")
    entries = expected(box)
    by_name = {(entry.marker, entry.name): entry for entry in entries}
    effects = {entry.name: None for one in names.BOXES for entry in expected(one) if entry.marker == "effect"}
    known = {"rule": list(statements()), "effect": list(effects)}
    problems = []
    for file in files:
        source = file.relative_to(folder.parent).as_posix()
        claims, wrong = read_claims(text_of(file, "tests"), source)
        problems += wrong
        of = names.BOXES[names.TI_BOX if TI_FOLDER in file.relative_to(folder).parts else names.BASE_BOX]
        for claim in claims:
            if claim.name not in known[claim.marker]:
                hint = nearest(claim.name, known[claim.marker])
                problems.append(f"{source}:{claim.line}: unknown {claim.marker} '{claim.name}' in a marker{hint}")
            elif (entry := by_name.get((claim.marker, claim.name))) and _speaks_of(entry, of, box):
                entry.tests += [] if claim.test in entry.tests else [claim.test]
    for entry in entries:
        parts = [by_name["rule", number] for number in entry.made_of]
        entry.proven = bool(entry.tests) or (bool(parts) and all(part.tests for part in parts))
    return Coverage(entries, problems)


def _speaks_of(entry: Entry, of: str, box: str) -> bool:
    """Does a test of the box `of` speak of an entry of `box`?"""
    return of == box or (entry.in_base and of == names.BOXES[names.BASE_BOX])


def expected(box: str = names.BOXES[names.BASE_BOX]) -> list[Entry]:
    """Return an entry for every rule that the box brings and every effect printed in it, with no tests yet."""
    rules = [
        Entry("rule", f"{rule.section} {rule.title}", rule.number, rule.text, made_of=rule.made_of)
        for rule in statements().values()
        if rule.box == box
    ]
    return [*rules, *printed_effects(box)]


def printed_effects(box: str) -> Iterator[Entry]:
    """Yield an entry for everything printed in a box that does something of its own."""
    from .contents import agenda_names, entries, names_of, section
    from .packaged import printed_data

    data = printed_data(box)
    part = section(data)
    for card in data["focus_cards"][part].values():
        yield _printed("focus card", card["name"], card)
    for what in ("leader", "wonder", "diplomacy card", "city-state"):
        kind = what.removesuffix(" card").replace("-", "_")
        for name, entry in zip(names_of(data, kind), entries(data, kind).values(), strict=True):
            yield _printed(what, name, entry)
    agendas = {a["name"]: (card, a) for card in data["victory_cards"][part].values() for a in card["agendas"].values()}
    for name in agenda_names(data):
        card, agenda = agendas[name]
        in_base = card.get("set") != "ti" or name == "Scholarly"  # the same on the expansion's card
        yield Entry("effect", "agenda", name, agenda["effect"], in_base=in_base)
    if part == "ti":
        yield from _expansion_effects(data)
    icons = {icon for one in data["dials"][f"event_dial_{part}"]["sections"] for icon in one["icons"]}
    for name, meaning in ICONS.items():
        if name in icons:
            yield Entry("effect", "dial icon", name, meaning)
    meaning = "Levels gained on reaching or passing their spaces; after the last space it runs on."
    yield Entry("effect", "dial", TECH_DIAL, meaning)


def _expansion_effects(data: Mapping[str, Any]) -> Iterator[Entry]:
    for leader in data["leaders"].values():
        yield Entry("effect", "unique card", leader["unique_card"]["name"], leader["unique_card"]["effect"])
        if extra := leader.get("given_card"):
            yield Entry("effect", "leader's card", extra["name"], extra["effect"])
    for district in data["districts"]["districts"].values():
        yield Entry("effect", "district", district["name"], district["effect"])


def _printed(kind: str, name: str, entry: Mapping[str, Any]) -> Entry:
    """Return the entry of a card; `source` and `set` say in which box it was printed as it is."""
    return Entry("effect", kind, name, entry["effect"], in_base=entry.get("source", entry.get("set")) != "ti")


# --- reading the test files


@cache
def read_claims(text: str, source: str) -> tuple[list[Claim], list[str]]:
    """Return the claims in a test file, and what is wrong with its markers."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return [], [f"{source}:{error.lineno or 1}: not valid Python: {error.msg}"]
    except (ValueError, RecursionError, MemoryError) as error:  # zero bytes, brackets without end
        return [], [f"{source}:1: not valid Python: {str(error) or type(error).__name__}"]
    reader = _Reader(source, tree)
    reader.body(tree.body, "", [], idle=False)
    reader.strays(tree)
    return reader.claims, reader.problems


class _Reader:
    """Walks one file."""

    def __init__(self, source: str, tree: ast.Module) -> None:
        self.source = source
        self.runs_over = _runs_over(tree)
        self.cases = {name: calls for name, value in _assignments(tree) if (calls := _markers(value))}
        self.claims: list[Claim] = []
        self.problems: list[str] = []
        self.seen: set[ast.Call] = set()

    def body(self, body: Iterable[ast.stmt], prefix: str, outer: list[ast.Call], *, idle: bool) -> None:
        """Read the tests of a module or class; `outer` are the markers around them."""
        body = list(body)
        marks = [value for node in body if (value := _pytestmark(node))]
        outer = [*outer, *(call for value in marks for call in _markers(value))]
        idle = idle or any(_is_idle(value) for value in marks)
        for node in body:
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                own = [call for decorator in node.decorator_list for call in self.marks(decorator)]
                asleep = idle or any(_is_idle(decorator) for decorator in node.decorator_list)
                self.body(node.body, f"{prefix}{node.name}::", [*outer, *own], idle=asleep)
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
                own = [call for decorator in node.decorator_list for call in self.marks(decorator)]
                asleep = idle or any(_is_idle(decorator) for decorator in node.decorator_list)
                for call in [*outer, *own]:
                    self.claim(call, f"{self.source}::{prefix}{node.name}", counts=not asleep)

    def marks(self, decorator: ast.expr) -> list[ast.Call]:
        """Return the markers in a decorator and in the lists of cases it names."""
        named = [node.id for node in ast.walk(decorator) if isinstance(node, ast.Name)]
        return [*_markers(decorator), *(call for name in named for call in self.cases.get(name, []))]

    def claim(self, call: ast.Call, test: str, *, counts: bool) -> None:
        """Note what a marker on a test says."""
        first = call not in self.seen
        self.seen.add(call)
        texts = [self.texts(call, argument) for argument in call.args]
        if first and (not texts or not all(texts) or call.keywords):
            message = 'expected plain texts in the marker, such as mark.rule("B8.4"), or a constant list of this file'
            self.problems.append(f"{self.source}:{call.lineno}: {message}")
        if counts:
            self.claims += [Claim(_mark(call.func), text, test, call.lineno) for found in texts for text in found]

    def texts(self, call: ast.Call, argument: ast.expr) -> list[str]:
        """Return the texts an argument of a marker stands for; an empty list where they cannot be read off."""
        if isinstance(argument, ast.Name):
            return self.runs_over.get(call, {}).get(argument.id, [])
        return [argument.value] if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else []

    def strays(self, tree: ast.Module) -> None:
        """Complain about markers that are on no test: what they claim would be lost."""
        for call in _markers(tree):
            if call not in self.seen:
                name = _mark(call.func)
                message = f"the marker '{name}' is on no test; write it above a test, its class or in pytestmark"
                self.problems.append(f"{self.source}:{call.lineno}: {message}")


def _pytestmark(node: ast.stmt) -> ast.expr | None:
    names = node.targets if isinstance(node, ast.Assign) else []
    return node.value if isinstance(node, ast.Assign) and any(_is_name(name, "pytestmark") for name in names) else None


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _mark(node: ast.AST) -> str:
    """Return X where the node is `pytest.mark.X`, else an empty text."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "mark"):
        return ""
    return node.attr


def _markers(tree: ast.AST) -> list[ast.Call]:
    """Return the markers of ours in a piece of code."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _mark(node.func) in MARKERS]


def _assignments(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names a file gives values to, and the values."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))


def _runs_over(tree: ast.Module) -> dict[ast.Call, dict[str, list[str]]]:
    """Return, for each marker inside a comprehension, the texts its variable takes."""
    constants = {name: texts for name, value in _assignments(tree) if (texts := _literal_texts(value))}
    found: dict[ast.Call, dict[str, list[str]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            variables = dict(_variable(generator, constants) for generator in node.generators)
            for call in _markers(node):
                found.setdefault(call, {}).update(variables)
    return found


def _variable(generator: ast.comprehension, constants: dict[str, list[str]]) -> tuple[str, list[str]]:
    """Return the variable of a `for` and the texts it takes; of `for key, value in X.items()` that is the key."""
    source, target = generator.iter, generator.target
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and source.func.attr == "items":
        source = source.func.value
        target = target.elts[0] if isinstance(target, ast.Tuple) else target
    texts = constants.get(source.id, []) if isinstance(source, ast.Name) else _literal_texts(source)
    # With a condition not every text is taken, and which is not to be read off.
    return (target.id, texts) if isinstance(target, ast.Name) and not generator.ifs else ("", [])


def _literal_texts(node: ast.expr) -> list[str]:
    """Return the texts of a literal list, tuple or set, or the keys of a literal dictionary; none if others are among them."""
    entries = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    texts = [entry.value for entry in entries if isinstance(entry, ast.Constant) and isinstance(entry.value, str)]
    return texts if len(texts) == len(entries) else []


def _is_idle(decorator: ast.expr) -> bool:
    """Say whether a decorator keeps the whole test from proving anything: a skip of one case does not."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    entries = decorator.elts if isinstance(decorator, ast.List | ast.Tuple) else []
    return _mark(node) in IDLE or any(_is_idle(entry) for entry in entries)


# --- Where a word of the game is in the program
#
# `newdawn rules where NAME`.
#
# Everything is read off the program, so it is never out of date: the name and its code in `names.py`, its facts and abilities
# in the YAML, the functions of the engine that have its constant, an effect or moment of its abilities or a number of its
# own, the rules their docstrings cite, the strategies that reckon with it, and the tests that claim its effect. A rule by its
# number is in the functions whose docstrings cite it.

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
    """Return the constants of codes.py that stand for the effects and moments of an entry's abilities."""
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
