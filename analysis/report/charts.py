"""Charts as SVG inside a page: real text, and colours that follow the page's light or dark theme."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from typing import Any
from xml.sax.saxutils import escape

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from .. import plots

WIDTH = 4.8  # inches: wide enough for a screen's half, and legible when shrunk to a telephone's width
INK, LINE = "#0a0b0c", "#3a3b3c"

STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "axes.edgecolor": LINE,
    "grid.color": LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "axes.titlesize": 10,
    "legend.fontsize": 8.5,
}

# What is drawn in these colours takes the page's: its ink, its lines, and series colours light enough for a dark page.
THEME = {
    INK: "var(--ink)",
    LINE: "var(--line)",
    plots.MUTED: "var(--muted)",
    "#ffffff": "var(--paper)",
    plots.BLUE: "var(--blue)",
    plots.ORANGE: "var(--orange)",
}

# A file of its own brings the colours of the page (report.html.j2) with it.
LIGHT = {"ink": "#1a1c20", "line": "#9aa0a9", "muted": "#808080", "paper": "#ffffff", "blue": "#0072b2", "orange": "#d55e00"}
DARK = {"ink": "#e6e8eb", "line": "#7d838c", "muted": "#9a9a9a", "paper": "#17191d", "blue": "#56b4e9", "orange": "#f0883e"}


def svg(draw: Callable[[Any], None], key: str, title: str, height: float, width: float = WIDTH) -> str:
    """Return what `draw(ax)` draws as an `<svg>` element of so many inches. `key` keeps ids of several charts apart."""
    style: Any = {**STYLE, "svg.hashsalt": key}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.subplots())
        text = StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _embedded(text.getvalue(), key, title, width)


def _embedded(text: str, key: str, title: str, width: float) -> str:
    """Cut the document down to its element, themed, with ids of its own and a title for those who cannot see it."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{key}-", text)
    for colour, variable in THEME.items():
        text = re.sub(rf"(?<=[ :]){colour}\b", variable, text, flags=re.IGNORECASE)
    view = re.search(r'viewBox="[^"]*"', text)
    assert view
    head = (
        f'<svg class="chart" role="img" aria-labelledby="{key}-name" {view[0]} style="max-width:{96 * width:.0f}px" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<title id="{key}-name">{escape(title)}</title>'
    )
    return head + text[text.index(">") + 1 :].strip()


def as_file(element: str) -> str:
    """Return an element of `svg` as a picture that can be linked: its own colours, light and dark, in one line."""
    light, dark = ("".join(f"--{name}:{colour};" for name, colour in colours.items()) for colours in (LIGHT, DARK))
    colours = f"<style>svg{{{light}background:var(--paper)}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    element = re.sub(r'style="max-width:(\d+)px"', r'width="\1"', element, count=1)
    element = element.replace("<defs>", f"{colours}<defs>", 1)
    return re.sub(r"\s*\n\s*", " ", element) + "\n"
