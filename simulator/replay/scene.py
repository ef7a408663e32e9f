"""A list of simple shapes that can be written as SVG (real text) or as PNG (through matplotlib)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from ..errors import UserError
from ..ours import write_alone

if TYPE_CHECKING:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

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
            _write_png(scene, path)
    except OSError as error:
        raise UserError(f"board file '{path}' cannot be written: {error.strerror or error}") from None
    return path


# ---------------------------------------------------------------------- SVG


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


# ---------------------------------------------------------------------- PNG


def _paint(s: dict[str, Any]) -> dict[str, Any]:
    return {
        "facecolor": s["fill"],
        "edgecolor": s["stroke"],
        "linewidth": s["width"] * 72 / DPI if s["stroke"] != "none" else 0,
    }


def _write_png(scene: Scene, path: Path) -> None:
    _canvas(scene).print_png(str(path), metadata={"Software": None})


def pixels(scene: Scene) -> np.ndarray:
    """Return the scene as an array of heights, widths and colours (red, green, blue; uint8)."""
    canvas = _canvas(scene)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _canvas(scene: Scene) -> FigureCanvasAgg:
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
