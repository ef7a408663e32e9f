"""Draw the house: folders as rooms, what they import as arrows.

    python -m newdawn.scripts.house.import_graph --out docs/house.svg

A room stands above all it imports, within its own top folder. What follows from other arrows is not drawn: if `a` imports
from `b` and `b` from `c`, an import of `c` in `a` adds no arrow. Everything is read from the sources; the program is not run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import click

ROOT = Path(__file__).resolve().parents[2]
TOPS = ("simulator", "strategies", "analysis", "scripts")  # from the ground up
WIDTH, LEFT, ROOM, FLOOR = 760, 90, 28, 56  # of the picture, where rooms begin, a room's and a floor's height
SWEEPS = 24  # up and down through the floors, to put things near each other
TINTS = dict(zip(TOPS, ("#e3eee6", "#e4eaf3", "#f3ecdd", "#efe4ea"), strict=True))

LATE = re.compile(r'\b(?:Late|late\.module)\(\s*"([\w.]+):?(\w*)"')

Arrows = dict[str, set[str]]
Floors = list[list[str]]


@cache
def sources() -> dict[str, Path]:
    """Return the file of every module of the program by its dotted name (without `newdawn.`)."""
    found = {}
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def is_door(module: str) -> bool:
    """Is the module the `__init__` of its room?"""
    return sources()[module].name == "__init__.py"


def room(module: str) -> str:
    """Return the room of a module: its folder, or the one below the top folder that this is in."""
    folder = module if is_door(module) else module.rpartition(".")[0]
    return ".".join(folder.split(".")[:2])


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a module, those within others too; expressions are not looked at."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield node
            yield from statements(node)


def late_names(module: str) -> list[tuple[str, str]]:
    """Return what a module names to be imported late (`simulator/late.py`): modules, and their functions ("": the module)."""
    return LATE.findall(sources()[module].read_text("utf-8"))


def imports(module: str) -> Iterator[str]:
    """Yield the modules of the program that a module imports, anywhere in it, or names to be imported late."""
    path = sources()[module]
    yield from (name for name, _ in late_names(module))
    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            folder = path.relative_to(ROOT).parents[node.level - 1]
            place = ".".join([*folder.parts, *([node.module] if node.module else [])])
            for alias in node.names:
                name = f"{place}.{alias.name}".removeprefix(".")
                yield name if name in sources() else place


@cache
def arrows() -> dict[str, set[str]]:
    """Return which other modules each module imports."""
    return {module: {target for target in imports(module) if target in sources() and target != module} for module in sources()}


def between_rooms() -> Arrows:
    """Return from which rooms each room imports. Doors do not count, because they may offer what is inside."""
    found: Arrows = {room(module): set() for module in sources() if not is_door(module)}
    for module, targets in arrows().items():
        if not is_door(module):
            found[room(module)] |= {room(target) for target in targets} & found.keys() - {room(module)}
    return found


def reached(here: str, among: Arrows) -> set[str]:
    """Return every room that one imports from, itself or through others."""
    found: set[str] = set()
    ahead = [here]
    while ahead:
        new = among[ahead.pop()] - found
        found |= new
        ahead += new
    return found


def bare(among: Arrows) -> Arrows:
    """Return the arrows that do not follow from others."""
    far = {here: set().union(*(reached(there, among) for there in among[here])) for here in among}
    return {here: among[here] - far[here] for here in among}


def floors(among: Arrows) -> list[list[str]]:
    """Return the rooms of each floor from the ground up: above all they import, and above the top folders before their own."""

    @cache
    def height(here: str) -> int:
        return max((1 + height(there) for there in among[here] if top_of(there) == top_of(here)), default=0)

    found = []
    for top in TOPS:
        own = [here for here in among if top_of(here) == top]
        found += [[here for here in own if height(here) == level] for level in range(1 + max(map(height, own)))]
    return found


def top_of(here: str) -> str:
    """Return the top folder a room is in."""
    return here.partition(".")[0]


# --- where things are drawn: a thing is a room, or where an arrow passes a floor


def routes(levels: Floors, among: Arrows) -> list[list[str]]:
    """Return each arrow as the things it goes through, from above; the floors it passes get a thing each."""
    floor = {here: level for level, names in enumerate(levels) for here in names}
    found = []
    for here in among:
        for there in sorted(among[here]):
            passed = {level: f"{here} > {there} {level}" for level in range(floor[here] - 1, floor[there], -1)}
            for level, thing in passed.items():
                levels[level].append(thing)
            found.append([here, *passed.values(), there])
    return found


def places(levels: Floors, lines: list[list[str]]) -> dict[str, float]:
    """Return how far right the middle of each thing is: near those it is tied to, in an order with few crossings."""
    tied: Arrows = {thing: set() for names in levels for thing in names}
    for line in lines:
        for above, below in pairwise(line):
            tied[above].add(below)
            tied[below].add(above)
    found = {thing: (LEFT + WIDTH) / 2 for names in levels for thing in names}
    for sweep in range(SWEEPS):
        for names in levels if sweep % 2 else reversed(levels):
            wanted = {thing: fmean(found[other] for other in tied[thing]) if tied[thing] else found[thing] for thing in names}
            names.sort(key=lambda thing: (wanted[thing], thing))
            found |= apart(names, wanted)
    return found


def apart(names: list[str], wanted: dict[str, float]) -> dict[str, float]:
    """Return places near the wanted ones, in this order, that leave each thing its breadth: between pushing right and left."""
    right, left = {}, {}
    edge = float(LEFT)
    for thing in names:
        right[thing] = max(wanted[thing], edge + breadth(thing) / 2)
        edge = right[thing] + breadth(thing) / 2
    edge = float(WIDTH)
    for thing in reversed(names):
        left[thing] = min(wanted[thing], edge - breadth(thing) / 2)
        edge = left[thing] - breadth(thing) / 2
    return {thing: (right[thing] + left[thing]) / 2 for thing in names}


def breadth(thing: str) -> float:
    """Return how much space a thing needs."""
    return 18 if " > " in thing else 7.4 * len(label(thing)) + 44


def label(here: str) -> str:
    """Return what stands in a room."""
    return here.partition(".")[2] or here


# --- the picture


def drawn() -> str:
    """Return the picture as SVG."""
    among = between_rooms()
    levels = floors(among)
    rooms = [list(names) for names in levels]
    lines = routes(levels, bare(among))
    at = places(levels, lines)
    down = {thing: (len(levels) - level - 0.5) * FLOOR for level, names in enumerate(levels) for thing in names}
    height = len(levels) * FLOOR
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13">',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0 0L8 4L0 8z" fill="#5b6770"/></marker></defs>',
            *(_ground(top, rooms) for top in TOPS),
            *(_arrow([(at[thing], down[thing]) for thing in line]) for line in lines),
            *(_room(label(here), at[here], down[here], breadth(here) - 22) for names in rooms for here in names),
            "</svg>\n",
        ]
    )


def _ground(top: str, rooms: Floors) -> str:
    own = [level for level, names in enumerate(rooms) if top_of(names[0]) == top]
    y = (len(rooms) - own[-1] - 1) * FLOOR
    tint = f'<rect x="0" y="{y}" width="{WIDTH}" height="{len(own) * FLOOR}" fill="{TINTS[top]}"/>'
    return f'{tint}<text x="12" y="{y + 22}" font-weight="bold" fill="#37424a">{top}</text>'


def _arrow(points: list[tuple[float, float]]) -> str:
    (x, y), *between, (to, end) = points
    path, y = f"M{x:.0f} {y + ROOM / 2:.0f}", y + ROOM / 2
    for x_next, y_next in [*between, (to, end - ROOM / 2)]:
        bend = (y_next - y) / 2
        path += f"C{x:.0f} {y + bend:.0f} {x_next:.0f} {y_next - bend:.0f} {x_next:.0f} {y_next:.0f}"
        x, y = x_next, y_next
    return f'<path d="{path}" fill="none" stroke="#5b6770" stroke-width="1.2" marker-end="url(#tip)"/>'


def _room(text: str, x: float, y: float, broad: float) -> str:
    box = f'x="{x - broad / 2:.0f}" y="{y - ROOM / 2:.0f}" width="{broad:.0f}" height="{ROOM}"'
    frame = f'<rect {box} rx="5" fill="#ffffff" stroke="#37424a"/>'
    return f'{frame}<text x="{x:.0f}" y="{y + 4.5:.1f}" text-anchor="middle" fill="#1c2328">{text}</text>'


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=ROOT / "docs" / "house.svg", help="The file to write.")
def main(out: Path) -> None:
    """Draw the folders of the program and what they import."""
    out.write_text(drawn(), "utf-8")


if __name__ == "__main__":
    main()
