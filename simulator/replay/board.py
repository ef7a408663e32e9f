"""The board as a picture: plain shapes (`Scene`), written as SVG or PNG."""

from __future__ import annotations

import io
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin, sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from .. import names
from ..engine.map import is_fort
from ..engine.pieces import is_mature
from ..errors import FIRST_SEAT, UserError
from ..file_ownership import write_alone
from ..rules.ruleset_contents import PRINTED, written
from .expansion_words import named
from .space_names import space_name

# --- A list of simple shapes that can be written as SVG (real text) or as PNG (through matplotlib)

FONT = "DejaVu Sans"
DPI = 100
Point = tuple[float, float]


@dataclass
class Scene:
    """Shapes in drawing order; lengths in pixels, y grows downwards. `kind` says what a shape stands for."""

    width: float
    height: float
    shapes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def polygon(self, points, fill="none", stroke="none", width=1.0, kind="", dash=False):
        """Add a closed polygon."""
        self.shapes.append(
            ("polygon", {"points": points, "fill": fill, "stroke": stroke, "width": width, "kind": kind, "dash": dash})
        )

    def line(self, start, end, stroke="#000000", width=1.0, kind=""):
        """Add a straight line with round ends."""
        self.shapes.append(("line", {"start": start, "end": end, "stroke": stroke, "width": width, "kind": kind}))

    def circle(self, centre, radius, fill="none", stroke="none", width=1.0, kind=""):
        """Add a circle."""
        self.shapes.append(
            (
                "circle",
                {"centre": centre, "radius": radius, "fill": fill, "stroke": stroke, "width": width, "kind": kind},
            )
        )

    def box(self, x, y, width, height, fill="none", stroke="none", line=1.0, kind=""):
        """Add a rectangle given by its upper left corner."""
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        self.polygon(corners, fill, stroke, line, kind)

    def text(self, at, words, size, fill="#111111", anchor="middle", bold=False, kind=""):
        """Add text whose middle line runs through `at`; anchor: start, middle or end."""
        self.shapes.append(
            (
                "text",
                {
                    "at": at,
                    "words": str(words),
                    "size": size,
                    "fill": fill,
                    "anchor": anchor,
                    "bold": bold,
                    "kind": kind,
                },
            )
        )


def write_scene(scene: Scene, path: Path | str) -> Path:
    """Write the scene to a file; the suffix, .svg or .png, decides the format."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise UserError(f"board file '{path}': expected a name that ends in .svg or .png")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if suffix == ".svg":
            write_alone(path, svg_text(scene).encode())
        else:
            content = io.BytesIO()
            _canvas(scene).print_png(content, metadata={"Software": None})
            write_alone(path, content.getvalue())
    except OSError as error:
        raise UserError(f"board file '{path}' cannot be written: {error.strerror or error}") from None
    return path


# --- SVG


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _svg_shape(shape: str, s: dict[str, Any]) -> str:
    kind = f" class={quoteattr(s['kind'])}" if s["kind"] else ""
    if shape == "text":
        weight = ' font-weight="bold"' if s["bold"] else ""
        x, y = s["at"]
        # The middle line: 0.35 em above the base line, as `dominant-baseline` is not drawn alike everywhere.
        return (
            f'<text x="{_number(x)}" y="{_number(y + 0.35 * s["size"])}" font-size="{_number(s["size"])}"'
            f' text-anchor="{s["anchor"]}" fill="{s["fill"]}"{weight}{kind}>{escape(s["words"])}</text>'
        )
    if shape == "line":
        (x1, y1), (x2, y2) = s["start"], s["end"]
        ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        return f'<line {ends} stroke="{s["stroke"]}" stroke-width="{_number(s["width"])}" stroke-linecap="round"{kind}/>'
    paint = f'fill="{s["fill"]}" stroke="{s["stroke"]}" stroke-width="{_number(s["width"])}"{kind}'
    if shape == "circle":
        x, y = s["centre"]
        return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(s["radius"])}" {paint}/>'
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in s["points"])
    dash = ' stroke-dasharray="4 3"' if s["dash"] else ""
    return f'<polygon points="{points}" {paint}{dash}/>'


def svg_text(scene: Scene) -> str:
    """Return the scene as an SVG document."""
    width, height = _number(scene.width), _number(scene.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f" font-family=\"'{FONT}', Verdana, sans-serif\">"
    )
    body = [f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
    return "\n".join([head, *body, *svg_shapes(scene).splitlines(), "</svg>"]) + "\n"


def svg_shapes(scene: Scene) -> str:
    """Return the shapes of a scene as SVG elements, a line each."""
    return "\n".join(_svg_shape(shape, settings) for shape, settings in scene.shapes)


# --- PNG


def _paint(s: dict[str, Any]) -> dict[str, Any]:
    return {
        "facecolor": s["fill"],
        "edgecolor": s["stroke"],
        "linewidth": s["width"] * 72 / DPI if s["stroke"] != "none" else 0,
    }


def pixels(scene: Scene) -> np.ndarray:
    """Return the scene as a uint8 array (height, width, 3): red, green, blue."""
    canvas = _canvas(scene)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _canvas(scene: Scene) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Polygon

    figure = Figure(figsize=(scene.width / DPI, scene.height / DPI), dpi=DPI)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    align = {"start": "left", "middle": "center", "end": "right"}
    for order, (shape, s) in enumerate(scene.shapes):
        artist: Any
        if shape == "polygon":
            style = {"linestyle": (0, (4, 3))} if s["dash"] else {}
            artist = Polygon(s["points"], closed=True, joinstyle="round", **_paint(s), **style)
        elif shape == "circle":
            artist = Circle(s["centre"], s["radius"], **_paint(s))
        elif shape == "line":
            (x1, y1), (x2, y2) = s["start"], s["end"]
            points = s["width"] * 72 / DPI
            artist = Line2D([x1, x2], [y1, y2], color=s["stroke"], linewidth=points, solid_capstyle="round")
        else:
            x, y = s["at"]
            axes.text(
                x,
                y + 0.35 * s["size"],
                s["words"].replace("$", r"\$"),
                fontsize=s["size"] * 72 / DPI,
                color=s["fill"],
                ha=align[s["anchor"]],
                va="baseline",
                fontweight="bold" if s["bold"] else "normal",
                fontfamily=FONT,
                zorder=order,
            )
            continue
        artist.set_zorder(order)
        axes.add_artist(artist)
    return canvas


# --- The map as a picture: spaces, what lies on them, and the signs for both

WIDTH = 1400
MARGIN = 18
TITLE = 44
LEGEND = 270
ROW_HEIGHT = 2 / sqrt(3) * 0.75
HALF_HEIGHT = 1 / sqrt(3)

# Pale grounds, so that pieces stand out; every space also bears its letter.
TERRAIN_FILL = {
    names.GRASSLAND: "#d9ecbf",
    names.HILLS: "#e9d8b4",
    names.FOREST: "#a9cfa4",
    names.DESERT: "#fbf3c0",
    names.MOUNTAIN: "#c9c5c2",
    names.WATER: "#bfdcf2",
    names.NATURAL_WONDER: "#dccbe8",
    names.FORT: "#d6bfa6",
}
TERRAIN_INK = {
    names.GRASSLAND: "#8fb35f",
    names.HILLS: "#b08d4f",
    names.FOREST: "#4f8f55",
    names.DESERT: "#c9b548",
    names.MOUNTAIN: "#77726e",
    names.WATER: "#6fa8d6",
    names.NATURAL_WONDER: "#9a77b8",
    names.FORT: "#7d5f3e",
}
TERRAIN_LETTER = ("G", "H", "F", "D", "M", "W", "N", "Fo")
# Okabe and Ito's palette, distinct with every common colour blindness; the seat number is printed as well.
SEAT_FILL = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#f0e442")
SEAT_INK = ("#ffffff", "#111111", "#111111", "#111111", "#111111")
RESOURCE_LETTERS = ("Ma", "Me", "Oi", "Di")
RESOURCE_FILL = ("#f5f5f5", "#c7c7c7", "#333333", "#aee7f5")
RESOURCE_INK = ("#111111", "#111111", "#ffffff", "#111111")
WONDER_FILL = "#5b2a86"


def initials(name: str) -> str:
    """Return a mark of two letters or more for a name: "HG" for Hanging Gardens, "Pe" for Petra."""
    parts = [part for part in name.replace(".", " ").split() if part[0].isupper()]
    return "".join(part[0] for part in parts) if len(parts) > 1 else name[:2]


def wonder_mark(name: str, every: Sequence[str]) -> str:
    """Return the mark of a world wonder; where two of them share their first two letters, a longer one."""
    mark = initials(name)
    same = [other for other in every if initials(other) == mark]
    return mark if len(same) == 1 else name[:3]


DISTRICT_MARKS = tuple(initials(name) for name in names.DISTRICTS)


class Board:
    """Where each space lies in the picture."""

    def __init__(self, r: Any, g: Any, unit: float | None = None) -> None:
        """Fit the map into the picture beside its legend.

        With a `unit`, the width of a space, spaces keep their places in the picture while the map grows; those above or to
        the left of its first corner then have negative coordinates.
        """
        self.r, self.g = r, g
        self.titles = SimpleNamespace(**{kind: written(r, kind) for kind in (*PRINTED, "agenda")})
        self.n = int(g.n_spaces)
        seats = range(int(g.players))
        self.caravans, self.armies = ([[int(s) for s in places[seat]] for seat in seats] for places in (g.caravan, g.army))
        self.x = [float(g.axial_q[s]) + float(g.axial_r[s]) / 2 for s in range(self.n)]
        self.y = [ROW_HEIGHT * float(g.axial_r[s]) for s in range(self.n)]
        first_x, first_y = min(self.x, default=0.0), min(self.y, default=0.0)
        across = max(self.x, default=0.0) - first_x + 1
        self.unit = unit or min((WIDTH - LEGEND - 3 * MARGIN) / across, 92.0)
        self.left, self.top = (0.0, 0.0) if unit else (first_x, first_y)
        self.corner = ((first_x - self.left) * self.unit, TITLE + (first_y - self.top) * self.unit)  # of map and margin
        self.map_width = across * self.unit
        self.map_height = (max(self.y, default=0.0) - first_y + 2 * HALF_HEIGHT) * self.unit

    def leader(self, seat: int) -> str:
        return named(self.titles.leader, int(self.g.leader[seat]), "player")

    def held_by(self, seat: int) -> str:
        return f": {self.leader(seat)} ({seat + FIRST_SEAT})" if seat >= 0 else ""

    def centre(self, space: int) -> Point:
        return self._at(self.x[space], self.y[space])

    def centre_of(self, q: int, r: int) -> Point:
        """Return the centre of a place of the grid, on the map or beside it."""
        return self._at(q + r / 2, ROW_HEIGHT * r)

    def _at(self, x: float, y: float) -> Point:
        left, top = MARGIN + (x - self.left + 0.5) * self.unit, TITLE + MARGIN + (y - self.top + HALF_HEIGHT) * self.unit
        return left, top

    def spot(self, space: int, dx: float, dy: float) -> Point:
        """Return a point of a space, measured from its centre in widths of a space."""
        x, y = self.centre(space)
        return x + dx * self.unit, y + dy * self.unit

    def hexagon(self, space: int, size: float = 1.0) -> list[Point]:
        """Return the corners from the upper right one; the edge in direction d runs from corner d to d + 1."""
        return hexagon(self.centre(space), size * HALF_HEIGHT * self.unit)


def hexagon(centre: Point, radius: float) -> list[Point]:
    """Return the corners of a pointy-top hexagon, clockwise from the upper right one."""
    return [(centre[0] + radius * cos(pi / 3 * k - pi / 6), centre[1] + radius * sin(pi / 3 * k - pi / 6)) for k in range(6)]


# --- map


def draw_ground(scene: Scene, board: Board, s: int) -> None:
    """Draw a space as printed: terrain, coordinates."""
    g, unit = board.g, board.unit
    terrain = names.FORT if is_fort(g, s) else int(g.terrain[s])
    scene.polygon(board.hexagon(s), TERRAIN_FILL[terrain], "#8a8a8a", 0.8, f"space terrain-{names.TERRAINS[terrain]}")
    _draw_pattern(scene, board, s, int(g.terrain[s]))
    if terrain == names.FORT:
        fort_mark(scene, board.spot(s, 0, -0.15), 0.14 * unit)
    scene.text(board.spot(s, 0, -0.345), space_name(g, s), 0.15 * unit, "#222222", kind="coordinate")
    ink = "#222222" if terrain != names.WATER else "#3b6f9e"
    scene.text(board.spot(s, 0, 0.36), TERRAIN_LETTER[terrain], 0.145 * unit, ink, bold=True, kind="terrain-letter")


def _draw_pattern(scene: Scene, board: Board, space: int, terrain: int) -> None:
    """Draw faint signs along the space's sides: the terrain can be told without its colour."""
    ink, unit = TERRAIN_INK[terrain], board.unit

    def stroke(*points: Point) -> None:
        for start, end in itertools.pairwise(points):
            scene.line(board.spot(space, *start), board.spot(space, *end), ink, 0.016 * unit, "pattern")

    for x, y in ((-0.34, 0.02), (0.34, 0.02), (-0.18, 0.33), (0.18, 0.33)):
        if terrain == names.MOUNTAIN:
            stroke((x - 0.07, y + 0.05), (x, y - 0.06), (x + 0.07, y + 0.05))
        elif terrain == names.HILLS:
            stroke((x - 0.07, y + 0.03), (x - 0.035, y - 0.015), (x + 0.035, y - 0.015), (x + 0.07, y + 0.03))
        elif terrain == names.FOREST:
            stroke((x, y + 0.06), (x, y - 0.05))
            stroke((x - 0.05, y + 0.02), (x, y - 0.05), (x + 0.05, y + 0.02))
        elif terrain == names.WATER:
            stroke((x - 0.08, y), (x - 0.04, y - 0.03), (x, y), (x + 0.04, y - 0.03), (x + 0.08, y))
        elif terrain == names.DESERT:
            for dx, dy in ((-0.05, 0.03), (0.0, -0.03), (0.05, 0.03)):
                scene.circle(board.spot(space, x + dx, y + dy), 0.014 * unit, ink, kind="pattern")


def draw_tile_edges(scene: Scene, board: Board, s: int) -> None:
    """Draw the edges of the map and of tiles along a space; an edge between two spaces is drawn with the first of them."""
    g = board.g
    corners = board.hexagon(s)
    for d in range(6):
        other = int(g.neighbour[s, d])
        if other < 0:
            scene.line(corners[d], corners[(d + 1) % 6], "#111111", 3.2, "map-edge")
        elif other > s and g.tile[s] != g.tile[other]:
            scene.line(corners[d], corners[(d + 1) % 6], "#333333", 2.2, "tile-edge")


# --- pieces


def piece_mark(scene: Scene, at: Point, size: float, piece: int, seat: int) -> None:
    """Draw a control token (disc), a reinforced one (disc in two rings), a city (house) or a capital (star)."""
    fill, ink = SEAT_FILL[seat], SEAT_INK[seat]
    kind = f"{names.PIECES[piece]} seat-{seat + FIRST_SEAT}"
    x, y = at
    if piece in (names.TOKEN, names.REINFORCED):
        if piece == names.REINFORCED:
            scene.circle(at, 0.86 * size, "#ffffff", "#111111", 0.09 * size, "reinforced-ring")
        scene.circle(at, 0.7 * size, fill, "#111111", 0.09 * size, kind)
    elif piece == names.CITY:
        house = [(-0.72, 0.72), (-0.72, -0.18), (0, -0.9), (0.72, -0.18), (0.72, 0.72)]
        scene.polygon([(x + a * size, y + b * size) for a, b in house], fill, "#111111", 0.1 * size, kind)
        y += 0.14 * size
    else:
        star = [(x + k * size * cos(pi / 5 * i - pi / 2), y + k * size * sin(pi / 5 * i - pi / 2))
                for i, k in enumerate((1.1, 0.66) * 5)]  # fmt: skip
        scene.polygon(star, fill, "#111111", 0.1 * size, kind)
    scene.text((x, y), seat + FIRST_SEAT, 0.82 * size, ink, bold=True, kind="seat-number")


def fort_mark(scene: Scene, at: Point, size: float) -> None:
    """Draw the battlements of a fort."""
    tops = [(left + x, y) for left in (-1.5, -0.4, 0.7) for x, y in ((0, -0.2), (0, -0.7), (0.8, -0.7), (0.8, -0.2))]
    wall = [(at[0] + x * size, at[1] + y * size) for x, y in (*tops, (1.5, 0.6), (-1.5, 0.6))]
    scene.polygon(wall, TERRAIN_INK[names.FORT], "#111111", 0.08 * size, "fort")


def mature_mark(scene: Scene, at: Point, size: float) -> None:
    """Draw the sign of a mature city: a white disc with a tick."""
    x, y = at
    scene.circle(at, size, "#ffffff", "#111111", 0.16 * size, "mature")
    scene.line((x - 0.5 * size, y), (x - 0.1 * size, y + 0.42 * size), "#111111", 0.26 * size, "mature-tick")
    scene.line((x - 0.1 * size, y + 0.42 * size), (x + 0.5 * size, y - 0.42 * size), "#111111", 0.26 * size, "mature-tick")


def district_mark(scene: Scene, at: Point, size: float, mark: str) -> None:
    """Draw the sign that tells a district from other control tokens: a white plate with its initials."""
    scene.box(at[0] - 1.1 * size, at[1] - 0.8 * size, 2.2 * size, 1.6 * size, "#ffffff", "#111111", 0.12 * size, "district")
    scene.text(at, mark, 1.1 * size, "#111111", bold=True, kind="district-mark")


def wonder_piece(scene: Scene, at: Point, size: float, mark: str) -> None:
    """Draw a world wonder token: a violet plate with its mark."""
    scene.box(at[0] - 1.15 * size, at[1] - 0.7 * size, 2.3 * size, 1.4 * size, WONDER_FILL, "#ffffff", 0.12 * size, "wonder")
    scene.text(at, mark, 0.95 * size, "#ffffff", bold=True, kind="wonder-mark")


def resource_piece(scene: Scene, at: Point, size: float, resource: int) -> None:
    """Draw a resource token: a lozenge with two letters."""
    x, y = at
    points = [(x, y - 1.25 * size), (x + 1.25 * size, y), (x, y + 1.25 * size), (x - 1.25 * size, y)]
    kind = f"resource resource-{names.RESOURCES[resource]}"
    scene.polygon(points, RESOURCE_FILL[resource], "#111111", 0.12 * size, kind)
    scene.text(at, RESOURCE_LETTERS[resource], 0.9 * size, RESOURCE_INK[resource], bold=True, kind="resource-letters")


def barbarian_piece(scene: Scene, at: Point, size: float, letter: str) -> None:
    """Draw a barbarian: a black triangle on its point, with its letter."""
    x, y = at
    points = [(x - 1.2 * size, y - 0.8 * size), (x + 1.2 * size, y - 0.8 * size), (x, y + 1.25 * size)]
    scene.polygon(points, "#111111", "#ffffff", 0.14 * size, "barbarian")
    scene.text((x, y - 0.22 * size), letter, 0.95 * size, "#ffffff", bold=True, kind="barbarian-letter")


def caravan_piece(scene: Scene, at: Point, size: float, seat: int, number: int) -> None:
    """Draw a seat's caravans on a space: a triangle in its colour, with their number if there are several."""
    x, y = at
    points = [(x, y - 1.1 * size), (x + 1.05 * size, y + 0.8 * size), (x - 1.05 * size, y + 0.8 * size)]
    scene.polygon(points, SEAT_FILL[seat], "#111111", 0.14 * size, f"caravan seat-{seat + FIRST_SEAT}")
    text = f"{seat + FIRST_SEAT}" if number == 1 else f"{number}×"
    scene.text(
        (x, y + 0.25 * size), text, 1.0 * size if number == 1 else 0.8 * size, SEAT_INK[seat], bold=True, kind="caravan-count"
    )


def army_piece(scene: Scene, at: Point, size: float, seat: int, number: int) -> None:
    """Draw a seat's armies on a space: a shield in its colour, with their number if there are several."""
    x, y = at
    shield = [(-0.95, -0.95), (0.95, -0.95), (0.95, 0.2), (0, 1.15), (-0.95, 0.2)]
    points = [(x + a * size, y + b * size) for a, b in shield]
    scene.polygon(points, SEAT_FILL[seat], "#111111", 0.14 * size, f"army seat-{seat + FIRST_SEAT}")
    text = f"{seat + FIRST_SEAT}" if number == 1 else f"{number}×"
    scene.text(
        (x, y - 0.1 * size), text, 1.0 * size if number == 1 else 0.8 * size, SEAT_INK[seat], bold=True, kind="army-count"
    )


def city_state_piece(scene: Scene, at: Point, size: float, name: str) -> None:
    """Draw a free city-state: a white pentagon and its name."""
    points = [(at[0] + size * sin(2 * pi / 5 * k), at[1] - size * cos(2 * pi / 5 * k)) for k in range(5)]
    scene.polygon(points, "#ffffff", "#111111", 0.1 * size, "city-state")
    scene.text(at, "CS", 0.75 * size, bold=True, kind="city-state-mark")
    scene.text((at[0], at[1] + 1.3 * size), name, 0.66 * size, bold=True, kind="city-state-name")


def natural_wonder_piece(scene: Scene, at: Point, size: float, mark: str, held: bool) -> None:
    """Draw a natural wonder's token, or, when somebody has taken it, its outline."""
    fill = "#ffffff" if held else "#7b4fa3"
    scene.polygon(hexagon(at, size), fill, "#4b2a68", 0.12 * size, "natural-wonder-taken" if held else "natural-wonder")
    ink = "#4b2a68" if held else "#ffffff"
    scene.text(at, mark, 0.72 * size, ink, bold=True, kind="natural-wonder-mark")


def draw_pieces(scene: Scene, board: Board, s: int) -> None:
    """Draw everything that lies or stands on a space, framed in its owner's colour."""
    r, g, unit = board.r, board.g, board.unit
    piece, owner = int(g.piece[s]), int(g.owner[s])
    held = piece != names.NO_PIECE and owner >= 0
    if owner >= 0:
        scene.polygon(board.hexagon(s, 0.9), "none", SEAT_FILL[owner], 0.07 * unit, f"owner owner-{owner + FIRST_SEAT}")
    if held:
        piece_mark(scene, board.spot(s, 0, 0.05), 0.3 * unit, piece, owner)
        if g.district[s] > 0:
            district_mark(scene, board.spot(s, 0.24, 0.2), 0.19 * unit, DISTRICT_MARKS[g.district[s] - 1])
        if piece in (names.CITY, names.CAPITAL) and is_mature(r, g, owner, s):
            mature_mark(scene, board.spot(s, 0.26, 0.22), 0.11 * unit)
    if g.natural_wonder[s] >= 0:
        wonder = int(g.natural_wonder[s])
        mark = initials(board.titles.natural_wonder[wonder])
        at = board.spot(s, -0.26, 0.22) if held else board.spot(s, 0, 0)
        natural_wonder_piece(scene, at, (0.21 if held else 0.24) * unit, mark, g.natural_wonder_owner[wonder] >= 0)
    if g.city_state[s] >= 0:
        city_state_piece(scene, board.spot(s, 0, -0.06), 0.23 * unit, board.titles.city_state[g.city_state[s]])
    if g.wonder_token[s] >= 0:
        every = board.titles.wonder
        wonder_piece(scene, board.spot(s, -0.25, -0.2), 0.185 * unit, wonder_mark(every[g.wonder_token[s]], every))
    if g.resource[s] >= 0:
        resource_piece(scene, board.spot(s, 0, 0) if not held else board.spot(s, 0.26, 0.22), 0.165 * unit, int(g.resource[s]))
    _draw_figures(scene, board, s)
    letters = [letter for letter in range(names.MAX_BARBARIANS) if g.barbarian_space[letter] == s]
    for k, letter in enumerate(letters):
        barbarian_piece(scene, board.spot(s, 0.24, -0.12 + 0.24 * k), 0.175 * unit, names.LETTERS[letter])


def _draw_figures(scene: Scene, board: Board, s: int) -> None:
    """Draw the caravans and the armies on a space, one picture a seat with their number."""
    caravans, armies = (board.caravans, caravan_piece, -0.25, 0.2, 0.2), (board.armies, army_piece, -0.02, -0.17, 0.22)
    for figures, piece, right, up, size in (caravans, armies):
        numbers = {seat: places.count(s) for seat, places in enumerate(figures)}
        for drawn, seat in enumerate(seat for seat, number in numbers.items() if number):
            piece(scene, board.spot(s, right + 0.24 * drawn, up), size * board.unit, seat, numbers[seat])


# --- legend


def draw_terrain_legend(scene: Scene, r: Any, x: float, y: float) -> float:
    """Draw the terrains below each other; return the y below them."""
    for terrain in range(names.NATURAL_WONDER + 1):
        scene.polygon(hexagon((x + 10, y), 11), TERRAIN_FILL[terrain], "#8a8a8a", 1, "legend")
        scene.text((x + 10, y), TERRAIN_LETTER[terrain], 10, bold=True, kind="legend")
        difficulty = int(r.terrain_difficulty[terrain])
        label = f"{names.TERRAINS[terrain].replace('_', ' ')}, difficulty {difficulty}"
        scene.text((x + 28, y), label, 11.5, anchor="start", kind="legend")
        y += 22
    if r.box == names.TI_BOX:
        scene.polygon(hexagon((x + 10, y), 11), TERRAIN_FILL[names.FORT], "#8a8a8a", 1, "legend")
        fort_mark(scene, (x + 10, y), 5)
        scene.text((x + 28, y), "fort, a forest", 11.5, anchor="start", kind="legend")
        y += 22
    return y


def draw_piece_legend(scene: Scene, r: Any, x: float, y: float) -> float:
    """Draw the pieces below each other; return the y below them."""
    middle = x + 12
    for piece in (names.TOKEN, names.REINFORCED, names.CITY, names.CAPITAL):
        piece_mark(scene, (middle, y), 10, piece, 0)
        scene.text((x + 30, y), PIECE_WORDS[piece], 11.5, anchor="start", kind="legend")
        y += 25
    mature_mark(scene, (middle, y), 7)
    scene.text((x + 30, y), "mature city", 11.5, anchor="start", kind="legend")
    caravan_piece(scene, (x + 140, y), 9, 0, 1)
    scene.text((x + 155, y), "caravan (2× = two)", 11.5, anchor="start", kind="legend")
    y += 24
    barbarian_piece(scene, (middle, y), 8, "A")
    scene.text((x + 30, y), "barbarian", 11.5, anchor="start", kind="legend")
    wonder_piece(scene, (x + 140, y), 9, "St")
    scene.text((x + 155, y), "world wonder", 11.5, anchor="start", kind="legend")
    y += 24
    if r.box == names.TI_BOX:
        army_piece(scene, (middle, y), 8, 0, 1)
        scene.text((x + 30, y), "army (2× = two)", 11.5, anchor="start", kind="legend")
        y += 24
    natural_wonder_piece(scene, (middle, y), 10, "CD", False)
    scene.text((x + 30, y), "natural wonder", 11.5, anchor="start", kind="legend")
    natural_wonder_piece(scene, (x + 140, y), 10, "CD", True)
    scene.text((x + 155, y), "its token taken", 11.5, anchor="start", kind="legend")
    y += 24
    for resource, word in enumerate(names.RESOURCES):
        left = x + 128 * (resource % 2)
        resource_piece(scene, (left + 12, y), 9, resource)
        scene.text((left + 30, y), word, 11.5, anchor="start", kind="legend")
        y += 25 * (resource % 2)
    return y


PIECE_WORDS = {
    names.TOKEN: "control token (with its seat's number)",
    names.REINFORCED: "reinforced control token",
    names.CITY: "city",
    names.CAPITAL: "capital",
}
