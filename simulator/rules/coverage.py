"""Which tests prove a rule or an effect, and where in the program a rule, card or leader is."""

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
from .load import load_ruleset
from .printed_game import printed_data
from .ruleset_contents import agenda_names, card_codes, entries, names_of, parts_of, section, slug
from .sentences import sentences
from .show import statements

# --- Which tests prove a rule: the matrix behind `newdawn rules coverage`
#
# Tests claim rules with `@pytest.mark.rule("B8.4")` and `@pytest.mark.effect("Petra")`, on a function, a class, the module
# (`pytestmark`) or a case (`pytest.param(..., marks=...)`, also in a named list of cases). The files are parsed, not imported:
# that needs no pytest, compiles no engine, takes a fraction of a second, and works for a file that fails to import. So a
# marker's argument must be a plain text, or run over a constant list of the file
# (`[pytest.param(w, marks=pytest.mark.effect(w)) for w in WONDERS]`); any other is an error.
#
# Skipped tests and tests expected to fail are not counted. Tests in a folder `ti` are about Terra Incognita; others are about
# the base game, and about what the expansion leaves as it is.

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
class Marker:
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
    in_base: bool = True  # it is the same in the base game


@dataclass(frozen=True)
class Coverage:
    """The matrix, and the problems with markers."""

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
    """Return the matrix of the tests in the folder for the rules and printed effects of a box."""
    files = sorted(folder.rglob("test_*.py"))
    if not files:
        raise UserError(f"{folder}: no test files (test_*.py) in this folder")
    entries = expected(box)
    by_name = {(entry.marker, entry.name): entry for entry in entries}
    effects = {entry.name: None for any_box in names.BOXES for entry in expected(any_box) if entry.marker == "effect"}
    valid = {"rule": list(statements()), "effect": list(effects)}
    problems = []
    for file in files:
        source = file.relative_to(folder.parent).as_posix()
        claims, wrong = read_claims(text_of(file, "tests"), source)
        problems += wrong
        test_box = names.BOXES[names.TI_BOX if TI_FOLDER in file.relative_to(folder).parts else names.BASE_BOX]
        for claim in claims:
            entry = by_name.get((claim.marker, claim.name))
            if claim.name not in valid[claim.marker]:
                hint = nearest(claim.name, valid[claim.marker])
                problems.append(f"{source}:{claim.line}: unknown {claim.marker} '{claim.name}' in a marker{hint}")
            elif entry and (test_box == box or (entry.in_base and test_box == names.BOXES[names.BASE_BOX])):
                entry.tests += [] if claim.test in entry.tests else [claim.test]
    for entry in entries:
        parts = [by_name["rule", number] for number in entry.made_of]
        entry.proven = bool(entry.tests) or (bool(parts) and all(part.tests for part in parts))
    return Coverage(entries, problems)


def expected(box: str = names.BOXES[names.BASE_BOX]) -> list[Entry]:
    """Return an entry, without tests, for every rule and every printed effect of the box."""
    rules = [
        Entry("rule", f"{rule.section} {rule.title}", rule.number, rule.text, made_of=rule.made_of)
        for rule in statements().values()
        if rule.box == box
    ]
    return [*rules, *printed_effects(box)]


def printed_effects(box: str) -> Iterator[Entry]:
    """Yield an entry for everything printed in a box that has an effect."""
    data = printed_data(box)
    part = section(data)
    for card in data["focus_cards"][part].values():
        yield _printed("focus card", card["name"], card)
    for title in ("leader", "wonder", "diplomacy card", "city-state"):
        kind = title.removesuffix(" card").replace("-", "_")
        for name, entry in zip(names_of(data, kind), entries(data, kind).values(), strict=True):
            yield _printed(title, name, entry)
    agendas = {a["name"]: (card, a) for card in data["victory_cards"][part].values() for a in card["agendas"].values()}
    for name in agenda_names(data):
        card, agenda = agendas[name]
        in_base = card.get("set") != "ti" or name == "Scholarly"  # the same on the expansion's card
        yield Entry("effect", "agenda", name, agenda["effect"], in_base=in_base)
    if part == "ti":
        yield from _expansion_effects(data)
    icons = {icon for place in data["dials"][f"event_dial_{part}"]["sections"] for icon in place["icons"]}
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
    """Return the entry of a card; `source` and `set` name the box it was printed in."""
    return Entry("effect", kind, name, entry["effect"], in_base=entry.get("source", entry.get("set")) != "ti")


# --- reading the test files


@cache
def read_claims(text: str, source: str) -> tuple[list[Marker], list[str]]:
    """Return the claims in a test file, and the problems with its markers."""
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return [], [f"{source}:{error.lineno or 1}: not valid Python: {error.msg}"]
    except (ValueError, RecursionError, MemoryError) as error:  # zero bytes, brackets without end
        return [], [f"{source}:1: not valid Python: {str(error) or type(error).__name__}"]
    reader = _CoverageVisitor(source, tree)
    reader.body(tree.body, "", [], idle=False)
    reader.strays(tree)
    return reader.claims, reader.problems


class _CoverageVisitor:
    """Walks one file."""

    def __init__(self, source: str, tree: ast.Module) -> None:
        self.source = source
        self.runs_over = _runs_over(tree)
        self.cases = {name: calls for name, value in _assignments(tree) if (calls := _markers(value))}
        self.claims: list[Marker] = []
        self.problems: list[str] = []
        self.seen: set[ast.Call] = set()

    def body(self, body: Iterable[ast.stmt], prefix: str, outer: list[ast.Call], *, idle: bool) -> None:
        """Read the tests of a module or class; `outer` are the markers around them."""
        body = list(body)
        assignments = [node for node in body if isinstance(node, ast.Assign)]
        marks = [node.value for node in assignments if any(getattr(name, "id", "") == "pytestmark" for name in node.targets)]
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
        """Note the claims of a marker on a test."""
        first = call not in self.seen
        self.seen.add(call)
        texts = [self.texts(call, argument) for argument in call.args]
        if first and (not texts or not all(texts) or call.keywords):
            message = 'expected plain texts in the marker, such as mark.rule("B8.4"), or a constant list of this file'
            self.problems.append(f"{self.source}:{call.lineno}: {message}")
        if counts:
            self.claims += [Marker(_mark(call.func), text, test, call.lineno) for listed in texts for text in listed]

    def texts(self, call: ast.Call, argument: ast.expr) -> list[str]:
        """Return the texts that an argument of a marker stands for; an empty list for an argument that is no constant."""
        if isinstance(argument, ast.Name):
            return self.runs_over.get(call, {}).get(argument.id, [])
        return [argument.value] if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else []

    def strays(self, tree: ast.Module) -> None:
        """Note a problem for each marker that is on no test: its claim would be lost."""
        for call in _markers(tree):
            if call not in self.seen:
                name = _mark(call.func)
                message = f"the marker '{name}' is on no test; write it above a test, its class or in pytestmark"
                self.problems.append(f"{self.source}:{call.lineno}: {message}")


def _mark(node: ast.AST) -> str:
    """Return X if the node is `pytest.mark.X`, else an empty text."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "mark"):
        return ""
    return node.attr


def _markers(tree: ast.AST) -> list[ast.Call]:
    """Return the calls of our markers in a piece of code."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _mark(node.func) in MARKERS]


def _assignments(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield name and value of each assignment at the top of a file."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))


def _runs_over(tree: ast.Module) -> dict[ast.Call, dict[str, list[str]]]:
    """Return, for each marker inside a comprehension, the texts that its variables take."""
    constants = {name: texts for name, value in _assignments(tree) if (texts := _literal_texts(value))}
    by_call: dict[ast.Call, dict[str, list[str]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            variables = dict(_variable(generator, constants) for generator in node.generators)
            for call in _markers(node):
                by_call.setdefault(call, {}).update(variables)
    return by_call


def _variable(generator: ast.comprehension, constants: dict[str, list[str]]) -> tuple[str, list[str]]:
    """Return the variable of a `for` and the texts it takes; of `for key, value in X.items()` that is the key."""
    source, target = generator.iter, generator.target
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and source.func.attr == "items":
        source = source.func.value
        target = target.elts[0] if isinstance(target, ast.Tuple) else target
    texts = constants.get(source.id, []) if isinstance(source, ast.Name) else _literal_texts(source)
    # With a condition, the texts taken are unknown.
    return (target.id, texts) if isinstance(target, ast.Name) and not generator.ifs else ("", [])


def _literal_texts(node: ast.expr) -> list[str]:
    """Return the texts of a literal list, tuple or set, or a literal dictionary's keys; none if some are no texts."""
    entries = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    texts = [entry.value for entry in entries if isinstance(entry, ast.Constant) and isinstance(entry.value, str)]
    return texts if len(texts) == len(entries) else []


def _is_idle(decorator: ast.expr) -> bool:
    """Say whether a decorator skips the whole test, or expects it to fail; a skip of one case does not count."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    entries = decorator.elts if isinstance(decorator, ast.List | ast.Tuple) else []
    return _mark(node) in IDLE or any(_is_idle(entry) for entry in entries)


# --- Where a word of the game is in the program: `newdawn rules where NAME`
#
# Read off the program, so that it is never out of date: the name and its code in `names.py`, its facts and abilities in the
# YAML, the functions of the engine that name its constant, an effect or moment of its abilities or a number of its own, the
# rules that their docstrings cite, the strategies that use the same names, and the tests that claim its effect. A rule is in
# the functions whose docstrings cite it.

NAMES = "simulator/names.py"
RULE = re.compile(r"\b[BT]\d+\.\d+[a-z]?\b")
ROOMS = ("engine", "rules", "replay")  # of `simulator`, in which docstrings cite rules
KINDS = {"wonder": "wonders", "leader": "leaders", "city-state": "city_states", "diplomacy card": "diplomacy"}  # data files

DISTRICT_NUMBERS = dict(zip(names.DISTRICTS, ("theater_", "campus_", "hub_", "zone_", "camp_"), strict=True))
NAMED = (*KINDS, "agenda", "district", "government")  # with a name in names.py


@dataclass(frozen=True)
class Word:
    """A word of the game, and the names by which its part of the engine is recognised."""

    name: str
    kind: str
    code: str  # code 12, names.PETRA
    data: str  # simulator/data/wonders.yaml
    effect: str
    uses: tuple[str, ...]  # names whose use in a function is a use of the word
    own: str = ""  # the beginning of the names of its fields in the RULES record


@dataclass(frozen=True)
class UsePlace:
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
    constants = [word for word, value in vars(names).items() if type(value) is int and value == code and key.endswith(word)]
    return max(constants, key=len, default="")


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
            in_names = constant(name, code)
            file, uses = f"simulator/data/{stem}.yaml", (*([in_names] if in_names else []), *abilities_of(entry))
            code_text = f"code {code}" + (f", names.{in_names}" if in_names else "")
            yield Word(name, kind, code_text, file, entry["effect"], uses, f"{slug(name)}_")
            if "unique_card" in entry:
                card = entry["unique_card"]
                yield _focus_card(card, "unique card", names.N_CARDS + code, "simulator/data/leaders.yaml")
    for key, code in card_codes(data).items():
        card = data["focus_cards"][part][key]
        yield _focus_card(card, "focus card", code, "simulator/data/focus_cards.yaml")
    for stem, group in (("districts", "DISTRICTS"), ("governments", "GOVERNMENTS")):
        for entry in data.get(stem, {}).get(stem, {}).values():
            code = getattr(names, group).index(entry["name"])
            code_text = f"code {code}, of {entry['focus_type']} cards"
            in_names = constant(entry["name"], code)
            uses = (in_names,) if in_names else ("government_shift", "government")
            effect = entry.get("effect") or f"The card it lies on acts {entry['shift']} slots further right."
            own = DISTRICT_NUMBERS.get(entry["name"], "")
            yield Word(entry["name"], stem[:-1], code_text, f"simulator/data/{stem}.yaml", effect, uses, own)
    codes = agenda_names(data)
    for card in data["victory_cards"][part].values():
        for agenda in card["agendas"].values():
            uses = tuple(metric_constant(condition["metric"]) for condition in parts_of(agenda["condition"]))
            code_text = f"code {codes.index(agenda['name'])}, counts names.{' or names.'.join(uses)}"
            yield Word(agenda["name"], "agenda", code_text, "simulator/data/victory_cards.yaml", agenda["effect"], uses)


def _focus_card(card: Mapping[str, Any], kind: str, code: int, file: str) -> Word:
    code_text = f"code {code}, {card['type']} of level {card['level']}"
    return Word(card["name"], kind, code_text, file, card["effect"], (f"resolve_{card['type']}",))


def abilities_of(entry: Mapping[str, Any]) -> list[str]:
    """Return the constants of codes.py for the effects and moments of an entry's abilities."""
    abilities = entry.get("abilities", {}).values()
    return [ability[key].upper() for ability in abilities for key in ("effect", "moment") if key in ability]


def find(name: str, box: str = names.BOXES[0]) -> Word:
    """Return the word of the name, in any case; raise UserError with the nearest one if there is none."""
    by_slug = {slug(word.name): word for word in words(box)}
    elsewhere = box_with(name, box)
    if slug(name) not in by_slug and elsewhere:
        raise UserError(f"'{name}' is in the box {elsewhere}: add --box {elsewhere}")
    if slug(name) not in by_slug:
        raise unknown("rule, card, leader, city-state or agenda", name, [word.name for word in by_slug.values()])
    return by_slug[slug(name)]


def places(word: Word, folder: str) -> list[UsePlace]:
    """Return the functions below a folder that use the word, or define a function that it uses."""
    return [
        place
        for place, used in functions(folder)
        if not used.isdisjoint(word.uses) or (word.own and any(name.startswith(word.own) for name in used))
    ]


@cache
def functions(folder: str) -> list[tuple[UsePlace, frozenset[str]]]:
    """Return every function below a folder, and the names in it, its own among them."""
    listed = []
    for path in sorted((root() / folder).rglob("*.py")):
        for function in ast.parse(path.read_text("utf-8")).body:
            if isinstance(function, ast.FunctionDef):
                rules = tuple(dict.fromkeys(RULE.findall(ast.get_docstring(function) or "")))
                place = UsePlace(path.relative_to(root()).as_posix(), function.lineno, function.name, rules)
                listed.append((place, frozenset(_names(function))))
    return listed


def _names(function: ast.FunctionDef) -> Iterator[str]:
    yield function.name
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def line_of(file: str, name: str) -> int:
    """Return the first line of a file with the name as a word of its own; 0 if there is none."""
    pattern = re.compile(rf"(?<![\w.]){re.escape(name)}(?![\w.])")
    lines = (root() / file).read_text("utf-8").splitlines()
    return next((i for i, line in enumerate(lines, 1) if pattern.search(line.partition("#")[0])), 0)


def box_with(name: str, box: str) -> str:
    """Return another box than `box` that has a card, leader, city-state or agenda of the name; "" if none has."""
    others = (other for other in names.BOXES if other != box)
    return next((other for other in others if any(slug(word.name) == slug(name) for word in words(other))), "")


def tests_of(word: Word, box: str) -> list[str]:
    """Return the tests that claim the word's effect; none if the program is installed without its tests."""
    try:
        folder = find_tests()
    except UserError:
        return []
    matrix = coverage(folder, box).entries
    return next((entry.tests for entry in matrix if (entry.marker, entry.name) == ("effect", word.name)), [])


def ability_sentences(word: Word, box: str) -> list[str]:
    """Return the abilities of a leader, wonder or card as sentences."""
    if word.kind not in KINDS:
        return []
    kind = word.kind.split()[0].replace("-", "_")
    ruleset = load_ruleset(box=box)
    return sentences(ruleset.compile(), kind, names_of(ruleset.data, kind).index(word.name))


def where(name: str, box: str = names.BOXES[0]) -> list[str]:
    """Return the lines about where a word or a rule is in the program; raise UserError for any other name."""
    if RULE.fullmatch(name):
        return where_rule(name)
    word = find(name, box)
    engine = places(word, "simulator/engine")
    rules = list(dict.fromkeys(rule for place in engine for rule in place.rules))
    named = [f"{NAMES}:{line_of(NAMES, word.name)}"] if word.kind in NAMED else []
    listed = {
        "name": named,
        "data": [f"{word.data}:{line_of(word.data, word.name)}"],
        "abilities": ability_sentences(word, box),
        "engine": [str(place) for place in engine],
        "rules": [", ".join(rules)] if rules else [],
        "strategies": [str(place) for place in places(word, "strategies")],
        "tests": tests_of(word, box),
    }
    return _shown([f"{word.name}: {word.kind}, {word.code}", f"  {word.effect}"], listed)


def where_rule(number: str) -> list[str]:
    """Return the lines about where a rule of any box is in the program; raise UserError for an unknown number."""
    try:
        matrices = [coverage(find_tests(), box) for box in names.BOXES]
        rules = [entry for matrix in matrices for entry in matrix.entries if entry.marker == "rule"]
    except UserError:  # installed without the tests, which list the rules
        rules = []
    rule = next((entry for entry in rules if entry.name == number), None)
    cited = {folder: [str(place) for place, _ in functions(f"simulator/{folder}") if number in place.rules] for folder in ROOMS}
    if rule is None and (rules or not any(cited.values())):
        raise unknown("rule", number, [entry.name for entry in rules])
    text = f"{number}: rule" + (f", {rule.text}" if rule and rule.text else "")
    return _shown([text], cited | {"tests": rule.tests if rule else []})


def _shown(lines: list[str], listed: Mapping[str, list[str]]) -> list[str]:
    """Return the lines, followed by the texts under each heading."""
    for heading, texts in listed.items():
        lines += [f"  {heading if i == 0 else '':<11}{text}" for i, text in enumerate(texts)]
    return lines
