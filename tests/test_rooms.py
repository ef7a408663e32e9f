"""The rooms of the program: imports point one way only, and each room says what it is for."""

import ast
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from newdawn.scripts.house import import_graph as house
from newdawn.scripts.house.import_graph import TOPS, arrows, room, sources

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 900  # lines of a module, about
DEEPEST = 3  # folders: `simulator/engine/compile`

# From the ground up: a room imports from those before it and from itself. Folders within a room belong to it.
ORDER = (
    "simulator", "simulator.rules", "simulator.engine", "simulator.runs", "simulator.replay", "simulator.plays",
    "strategies.planning", "strategies.learned", "strategies", "simulator.environments",
    "analysis.stats", "analysis.tables", "analysis.pages", "analysis.questions", "analysis", "analysis.learning",
    "analysis.goals", "analysis.report", "analysis.explorer", "analysis.web",
    "scripts", "scripts.cli", "scripts.bench", "scripts.house", "scripts.checks",
)  # fmt: skip
ONLY_IN_CLONES = re.compile(r"newdawn\.scripts\.(bench|checks|house)\b")  # tests and measurements: not installed


SOURCES = sources()


def up(module: str, target: str) -> bool:
    """Say whether an import runs up. An `__init__` is the door of its room: it may offer what lies in the rooms within."""
    here, there = room(module), room(target)
    if SOURCES[module].name == "__init__.py" and there.startswith(f"{here}"):
        return False
    return ORDER.index(there) > ORDER.index(here)


def test_every_folder_is_in_the_order():
    assert {room(module) for module in SOURCES} == set(ORDER)


def test_no_import_runs_back_up():
    assert [f"{module} -> {target}" for module in SOURCES for target in arrows()[module] if up(module, target)] == []


def circle(among: dict[str, set[str]]) -> list[str]:
    """Return modules that import each other in a circle, or nothing."""
    state: dict[str, int] = {}

    def visit(module: str, trail: list[str]) -> list[str]:
        if state.get(module) == 1:
            return trail[trail.index(module) :]
        if state.get(module) == 2:
            return []
        state[module] = 1
        for target in sorted(among[module]):
            found = visit(target, [*trail, module])
            if found:
                return found
        state[module] = 2
        return []

    return next((found for module in among if (found := visit(module, []))), [])


def test_no_modules_import_each_other_in_a_circle():
    doors = {module for module, path in SOURCES.items() if path.name == "__init__.py"}
    inside = {module: targets - doors if module in doors else targets for module, targets in arrows().items()}
    assert circle(inside) == []


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


FOLDERS = sorted({path.parent for path in SOURCES.values()})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_a_folder_says_what_it_is_for(folder):
    assert len(folder.relative_to(ROOT).parts) <= DEEPEST
    said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
    assert said
    if folder.relative_to(ROOT).parts[0] == "scripts":  # a module a command, a check or a measurement
        return
    inside = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    inside |= {path.name for path in folder.iterdir() if (path / "__init__.py").is_file()}
    assert inside - set(re.findall(r"\w+", said)) == set(), "the docstring draws the way through the room"


def test_a_module_is_one_thing():
    long = {module: len(path.read_text("utf-8").splitlines()) for module, path in SOURCES.items()}
    assert {module: lines for module, lines in long.items() if lines > LONGEST} == {}
    assert [module for module, path in SOURCES.items() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


def test_a_class_name_means_one_thing():
    """Exceptions have their reasons in docs/contributing/house.md."""
    where: dict[str, set[str]] = {}
    for module, path in SOURCES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                where.setdefault(node.name, set()).add(module)
    twice = {name: modules for name, modules in where.items() if len(modules) > 1}
    page = (ROOT / "docs" / "contributing" / "house.md").read_text("utf-8")
    assert {name: modules for name, modules in twice.items() if f"| `{name}` |" not in page} == {}
    assert len(twice) <= 5


def test_every_package_that_users_need_is_installed_under_one_name():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packages = {f"newdawn.{path.parent.relative_to(ROOT).as_posix().replace('/', '.')}"
                for top in TOPS for path in (ROOT / top).rglob("__init__.py")}  # fmt: skip
    assert set(project["packages"]) == {"newdawn", *(name for name in packages if not ONLY_IN_CLONES.match(name))}
    assert project["package-dir"] == {"newdawn": "."}
    assert (ROOT / "py.typed").is_file()


def test_what_is_installed_imports_nothing_that_is_not():
    left_out = {module for module in SOURCES if ONLY_IN_CLONES.match(f"newdawn.{module}")}
    assert {module: found for module in SOURCES if module not in left_out and (found := arrows()[module] & left_out)} == {}


def test_imports_within_the_program_are_relative():
    """Editors and other tools follow them from a plain clone: there is no folder `newdawn` (docs/contributing/imports.md)."""
    absolute = [
        f"{module}: {ast.unparse(node)}"
        for module, path in SOURCES.items()
        for node in house.statements(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and not node.level and node.module.partition(".")[0] == "newdawn"
    ]
    assert absolute == []


def bound(path: Path) -> set[str]:
    """Return the names that an `__init__` binds itself, or offers by its `__getattr__`."""
    nodes = list(ast.walk(ast.Module(ast.parse(path.read_text("utf-8")).body[1:], [])))
    read = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    given = {getattr(node, "name", getattr(node, "id", None)) for node in nodes}
    return {*read, *given, *(node.asname for node in nodes if isinstance(node, ast.alias) and node.asname)}


def vanished(module: str, text: str) -> list[str]:
    """Return the modules of the program that the text of a module imports, and that are not there."""
    gone = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = SOURCES[module].relative_to(ROOT).parents[node.level - 1]
            place = ".".join([*folder.parts, *([node.module] if node.module else [])])
            if place not in SOURCES:
                gone += [place] * bool(place)
            elif SOURCES[place].name == "__init__.py":
                own = bound(SOURCES[place])
                gone += [
                    f"{place}.{one.name}" for one in node.names if f"{place}.{one.name}" not in SOURCES and one.name not in own
                ]
    return gone


def test_every_module_that_is_imported_is_there():
    """Those that a function imports, too: mypy looks into functions with annotations only."""
    assert [gone for module, path in SOURCES.items() for gone in vanished(module, path.read_text("utf-8"))] == []


def test_an_import_of_a_module_that_has_gone_is_found():
    lines = "from . import gone", "from ..runs.gone import x", "from ..runs import gone", "from ..runs import manifest, load"
    text = "\n".join(f"def f{i}():\n    {line}" for i, line in enumerate(lines))
    expected = ["simulator.rules.gone", "simulator.runs.gone", "simulator.runs.gone", "simulator.runs.load"]
    assert vanished("simulator.rules.load", text) == expected


def test_what_is_named_to_be_imported_late_is_there():
    """Modules and functions (`simulator/late.py`); the order of the rooms holds for them, too (`import_graph.imports`)."""
    named = {(module, *late) for module in SOURCES for late in house.late_names(module)}
    assert len(named) > 10
    gone = []
    for module, target, function in sorted(named):
        body = ast.parse(SOURCES[target].read_text("utf-8")).body if target in SOURCES else []
        if not body or (function and function not in {getattr(node, "name", "") for node in body}):
            gone.append(f"{module}: {target}:{function}")
    assert gone == []


def test_no_module_names_the_folders_as_if_they_were_installed():
    """`import analysis` would find a folder of the user's own."""
    old = re.compile(rf"^\s*(?:from|import) (?:{'|'.join(TOPS)})\b", re.MULTILINE)
    files = [*SOURCES.values(), *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    assert [path for path in files if old.search(path.read_text("utf-8"))] == []


def test_the_picture_of_the_house_shows_the_rooms_and_their_imports():
    """`python -m newdawn.scripts.house.import_graph` draws it anew."""
    assert house.drawn() == (ROOT / "docs" / "house.svg").read_text("utf-8")
    among = house.between_rooms()
    assert {here: house.reached(here, house.bare(among)) for here in among} == {
        here: house.reached(here, among) for here in among
    }
    floor = {here: level for level, names in enumerate(house.floors(among)) for here in names}
    assert set(floor) <= set(ORDER)
    assert all(floor[here] > floor[there] and ORDER.index(here) > ORDER.index(there) for here in among for there in among[here])


def test_an_arrow_that_follows_from_others_is_not_drawn():
    among = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert house.bare(among) == {"a": {"b"}, "b": {"c"}, "c": set()}
    assert house.routes([["c"], ["b"], ["a"]], {"a": {"c"}, "b": set(), "c": set()}) == [["a", "a > c 1", "c"]]


def test_no_room_is_drawn_over_another():
    for names in house.floors(house.between_rooms()):
        at = house.apart(names, dict.fromkeys(names, 300.0))
        assert all(at[b] - at[a] >= (house.breadth(a) + house.breadth(b)) / 2 - 1e-9 for a, b in pairwise(names))
