"""Charts as SVG inside a page: real text, and colours that follow the page's light or dark theme."""

from __future__ import annotations

import re
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable
from io import StringIO
from typing import Any
from xml.sax.saxutils import escape

from . import plots

# --- Charts as SVG inside a page: real text, and colours that follow the page's light or dark theme

WIDTH = 4.8  # inches: wide enough for a screen's half, and legible when shrunk to a telephone's width
WIDE = 6.0  # inches: what is wider gets a row of its own
COLUMN = 0.34  # inches a column of a matrix: three digits and some room
LETTER = 0.55  # width of a letter on average, in sizes of the font
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

# The page's colours that replace those of the drawing.
THEME = {
    INK: "var(--ink)",
    LINE: "var(--line)",
    plots.MUTED: "var(--muted)",
    "#ffffff": "var(--paper)",
    plots.BLUE: "var(--blue)",
    plots.ORANGE: "var(--orange)",
}

# The page's colours (report.html.j2), for charts in files of their own.
LIGHT = {"ink": "#1a1c20", "line": "#9aa0a9", "muted": "#808080", "paper": "#ffffff", "blue": "#0072b2", "orange": "#d55e00"}
DARK = {"ink": "#e6e8eb", "line": "#7d838c", "muted": "#9a9a9a", "paper": "#17191d", "blue": "#56b4e9", "orange": "#f0883e"}


def matrix_width(columns: int) -> float:
    """Return the width of a matrix with names on the left and a colour bar on the right, in inches."""
    return max(WIDTH, 1.9 + COLUMN * columns)


def svg(draw: Callable[[Any], None], key: str, title: str, height: float, width: float = WIDTH) -> str:
    """Return what `draw(ax)` draws as an `<svg>` element of this many inches. `key` keeps ids of several charts apart."""
    import matplotlib  # takes a second, which commands without charts should not wait
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style: Any = {**STYLE, "svg.hashsalt": key}
    with matplotlib.rc_context(style), warnings.catch_warnings():
        # Letters missing from the fonts here are set by the browser; the boxes measured instead are wide enough for them.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.subplots())
        wrap_labels(figure)
        text = StringIO()
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return _embedded(text.getvalue(), key, title, width)


def wrap_labels(figure: Any) -> None:
    """Break the labels of axes and colour bars into lines where the picture's edge would cut them."""
    sides = [(part.label, k) for ax in figure.axes for k, part in enumerate((ax.xaxis, ax.yaxis))]
    inches = figure.get_size_inches()
    if not any(len(label.get_text()) * LETTER * label.get_size() > 72 * inches[k] * 0.6 for label, k in sides):
        return
    figure.draw_without_rendering()
    for label, k in sides:
        box, whole = label.get_window_extent(), figure.bbox
        size, middle, end = (box.width, box.x0 + box.x1, whole.x1) if k == 0 else (box.height, box.y0 + box.y1, whole.y1)
        room = min(middle, 2 * end - middle) * 0.98  # the label lies around the middle of its axis
        if label.get_text() and size > room:
            label.set_text(textwrap.fill(label.get_text(), int(len(label.get_text()) * room / size), break_long_words=False))


def _embedded(text: str, key: str, title: str, width: float) -> str:
    """Return the document's `<svg>` element, themed, with ids of its own and a title for screen readers."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = text.replace(' target="_blank"', "")  # what is linked from a chart is on the page
    text = re.sub(r'\b(id="|url\(#|href="#)', rf"\g<1>{key}-", text)
    for colour, variable in THEME.items():
        text = re.sub(rf"(?<=[ :]){colour}\b", variable, text, flags=re.IGNORECASE)
    text, family = _slim(text, key)
    view = re.search(r'viewBox="[^"]*"', text)
    assert view
    head = (
        f'<svg class="chart{" wide" * (width > WIDE)}" role="img" aria-labelledby="{key}-name" {view[0]} '
        f'style="--width:{96 * width:.0f}px" font-family="{family}" '
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<title id="{key}-name">{escape(title)}</title>'
    )
    return head + text[text.index(">") + 1 :].strip()


OFTEN = 3  # uses of a style from which it becomes a class


def _slim(text: str, key: str) -> tuple[str, str]:
    """Return a drawing in fewer characters, and its font family, which would stand in each text."""
    family = re.search(r"font-family: ([^;\"]+)", text)
    text = re.sub(r"font-family: [^;\"]+;? ?", "", text)
    text = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", tag[0]), text)
    text = re.sub(r' (?:d|x|y)="[^"]*"', lambda attribute: re.sub(r"(\.\d)\d+", r"\1", attribute[0]).replace(' "', '"'), text)
    own = set(re.findall(rf'id="({key}-\w+)"', text))  # other links lead elsewhere on the page
    for number, name in enumerate(dict.fromkeys(name for name in re.findall(rf'href="#({key}-\w+)"', text) if name in own)):
        text = re.sub(rf'(id="|href="#){name}"', rf'\g<1>{key}-{number}"', text)
    return _ungrouped(_named_styles(text, key)), family[1] if family else "sans-serif"


def _named_styles(text: str, key: str) -> str:
    """Return a drawing whose frequent styles are written once, as classes."""
    frequent = [style for style, n in Counter(re.findall(r' style="([^"]*)"', text)).items() if n >= OFTEN]
    classes = {style: f"{key}-{number}" for number, style in enumerate(frequent)}
    text = re.sub(r' style="([^"]*)"', lambda style: f' class="{classes[style[1]]}"' if style[1] in classes else style[0], text)
    rules = "".join(f".{name}{{{style}}}" for style, name in classes.items())
    return text.replace("</style>", f"{rules}</style>", 1)


def _ungrouped(text: str) -> str:
    """Return a drawing without groups that have no attributes, and without spaces between its elements."""
    parts, plain = [], []
    for part in re.split(r"(<[^>]*>)", re.sub(r'(<g) id="[^"]*"', r"\1", text)):
        if part.startswith(("<g>", "<g ")) and not part.endswith("/>"):
            plain.append(part == "<g>")
        if part in ("<g>", "<g/>") or (part == "</g>" and plain.pop()):
            continue
        parts.append(part if part.strip() else "")
    return "".join(parts)


def as_file(element: str) -> str:
    """Return an element of `svg` as the content of a file: with its own colours, light and dark, in one line."""
    light, dark = ("".join(f"--{name}:{colour};" for name, colour in colours.items()) for colours in (LIGHT, DARK))
    colours = f"<style>svg{{{light}background:var(--paper)}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    element = re.sub(r'style="--width:(\d+)px"', r'width="\1"', element, count=1)
    element = element.replace("<defs>", f"{colours}<defs>", 1)
    return re.sub(r"\s*\n\s*", " ", element) + "\n"
