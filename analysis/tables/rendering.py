"""Tables for readers: as text of any width, CSV, Markdown or JSON. Start with `render`."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...simulator.errors import FIRST_SEAT, counted, printable, with_minus, with_sign
from ..stats.verdicts import KEY, verdict_words
from .column_meanings import format_of

# --- Showing a DataFrame as an aligned table, CSV, JSON or Markdown
#
# A table may be narrowed (`narrow`): it then leaves out details (DETAIL), gives up further columns if that is not enough for
# the width (GIVES_WAY), and names them. Figures, intervals, n and marks of small samples always stay; a table still too wide,
# such as a matrix, is continued below under its first column.

FORMATS = ("table", "csv", "json", "markdown")
# How a column is shown `meanings` says. `<name>_low` and `<name>_high` beside any of them are its interval; where it has
# another one that holds for all rows together, `<name>_all_low` and `<name>_all_high`, that is shown: verdicts come from it.
VERDICT = "verdict"  # of `analysis.stats.verdicts`: one cell with the games that would decide it, without its certainty
BESIDE_VERDICT = frozenset({"games_fewest", "games_most", "certainty"})
# Columns by their headings: those a narrowed table leaves out, and those that make room in it, the first one first.
DETAIL = frozenset(
    {
        "p", "log odds", "error", "odds ratio", "captures", "round p25", "round p75", "rounds p25", "rounds p75",
        "lead round p25", "lead round p75", "chance first", "chi2", "df",
    }
)  # fmt: skip
GIVES_WAY = (
    "unfinished", "unfinished rate", "cards", "games needed", "pairs needed", "pairing", "not given", "per production",
    "type", "median seen", "era", "p5", "p25", "p75", "p95", "leads in", "copies finish", "fair share", "others rate",
    "expected", "wins", "cost", "revealed", "decided", "rounds median", "claim 5", "claim 4", "claim 3", "rank best",
    "rank worst", "median round", "p adjusted", "p holm", "p (Holm)", "built", "claims", "winner share", "B", "A",
)  # fmt: skip
IN_FAVOUR = {"win rate": "adjusted rate"}  # makes room, too, if the other column is in the table
KEPT = ("n", VERDICT)  # columns that a short table keeps beside those that name its rows and the first with an interval
SHORTEST = 20  # fewest characters on a line of a broken text
GAP = 2  # spaces between two columns


class Screen(NamedTuple):
    """The width that a table is shown on, in characters (None: any), and whether every column is wanted.

    `lines`: the lines that are free for the table, which then is short (None: any number).
    """

    width: int | None = None
    wide: bool = False
    lines: int | None = None


def render(frame: pd.DataFrame, how: str, screen: Screen | None = None) -> str:
    """Return the frame as text; CSV and JSON hold every column in full, the other two formats are for people.

    A table is narrowed if it is for a screen that does not want every column.
    """
    if how == "csv":
        return frame.to_csv(index=False, lineterminator="\n").rstrip("\n")
    if how == "json":
        return json.dumps(rows_of(frame), indent=1)
    shown = for_reading(as_called(frame))
    if how == "markdown":
        return _markdown(shown)
    if screen is None or (screen.wide and screen.lines is None):
        return _table(shown)
    if screen.lines is not None and screen.width is not None:
        return short(shown, screen.width, screen.lines)
    return narrow(shown, screen.width)


def as_called(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with seats by the numbers that people call them by."""
    return frame.assign(seat=frame["seat"] + FIRST_SEAT) if "seat" in frame else frame


def for_reading(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame as text, rates in per cent, intervals in the column of their figure."""
    columns: dict[str, list[str]] = {}
    records = frame.to_dict("records")
    for name in frame.columns:
        if name.endswith(("_low", "_high")) and name.removesuffix("_low").removesuffix("_high").removesuffix("_all") in frame:
            continue
        if ("games_fewest" in frame and name in BESIDE_VERDICT) or (name.endswith(KEY) and name.removesuffix(KEY) in frame):
            continue
        columns[name.replace("_", " ")] = [_cell(name, row) for row in records]
    if "small sample" in columns and not any(columns["small sample"]):
        del columns["small sample"]
    return pd.DataFrame(columns)


def _cell(name: str, row: dict[Any, Any]) -> str:
    """Return one value as text, with its interval if it has one."""
    value = row[name]
    if name == VERDICT and isinstance(value, str):
        return verdict_words(row)
    if isinstance(value, str):
        return printable(value)  # may hold names from users' files
    if isinstance(value, bool | np.bool_):
        return "few" if value else ""
    if pd.isna(value):
        return "-"
    text = _number(name, value)
    kind = "_all" if f"{name}_all_low" in row else ""
    low, high = (row.get(f"{name}{kind}_{end}") for end in ("low", "high"))
    if low is None or pd.isna(low):
        return text
    return f"{text:>6} [{_number(name, low)}, {_number(name, high)}]"


def _number(name: str, value: Any) -> str:
    return with_minus(_plain_number(name, value))


def _plain_number(name: str, value: Any) -> str:
    kind = format_of(name)
    if kind == "rate" or name == "skill":
        return f"{value:.1%}"
    if kind == "points":
        return with_sign(100 * value if name == "difference" else value)
    if kind == "p":
        return f"{value:.3f}" if value >= 0.001 else "<0.001"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if kind == "ratio":
        return f"{value:.2f}"
    return f"{value:,.1f}"


def _is_text(column: pd.Series) -> bool:
    return any(value[:1].isalpha() for value in column)


def narrow(shown: pd.DataFrame, width: int | None) -> str:
    """Return the table without details and, if there is a width, fitted to it."""
    hidden = [name for name in shown.columns if name in DETAIL or (name == "unfinished" and set(shown[name]) == {"0"})]
    table = shown.drop(columns=hidden)
    for name in (*GIVES_WAY, *IN_FAVOUR):
        if width is None or _width(table) <= width:
            break
        if name in table.columns[1:] and IN_FAVOUR.get(name, name) in table.columns:
            hidden.append(name)
            table = table.drop(columns=name)
    if width is not None and _width(table) > width:
        table = _with_short_lines(table, max(SHORTEST, width // 4))
    text = "\n\n".join(_table(part) for part in _parts(table, width))
    if not hidden:
        return text
    left_out = ", ".join(name for name in shown.columns if name in hidden)
    note = f"({counted(len(hidden), 'more column')} with --wide: {left_out})"
    return f"{text}\n{prose(note, width)}"


def short(shown: pd.DataFrame, width: int, lines: int) -> str:
    """Return so much of a table as fits the width, side by side, and this many lines; the last one says what is left out.

    Columns give way as in `narrow`, then from the right; rows from below.
    """
    table = shown.drop(columns=[name for name in shown.columns if name in DETAIL])
    table = table.rename(columns={"small sample": "few?"})
    gives_way = [name for name in (*GIVES_WAY, *IN_FAVOUR) if IN_FAVOUR.get(name, name) in table.columns]
    labels = next((k for k in (1, 2, 3) if not table.iloc[:, :k].duplicated().any()), 1)  # columns that identify a row
    spare = [name for name in reversed(table.columns[labels:]) if name not in KEPT]
    sized = [name for name in spare if table[name].str.contains("[", regex=False).any()]
    gives_way += [name for name in spare if name not in sized] + sized[:-1]
    longest = max(SHORTEST, width // 3)

    def fitted(table: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
        for name in names:
            if _width(_shortened(table, longest)) <= width:
                break
            if name in table.columns[labels:]:
                table = table.drop(columns=name)
        return table

    table = fitted(table, gives_way)
    if VERDICT in table.columns and _width(_shortened(table, longest)) > width:  # without how many games would decide
        table = table.assign(**{VERDICT: table[VERDICT].str.replace(r" \(.*\)$", "", regex=True)})
    table = fitted(table, KEPT)
    whole = _table(_shortened(table, longest)).split("\n")
    left_out = len(shown.columns) - len(table.columns)
    if len(whole) <= lines - bool(left_out) and not left_out:
        return "\n".join(whole)
    rows = max(0, min(len(shown), lines - 2))
    columns = f", {len(table.columns)} of {counted(len(shown.columns), 'column')}" if left_out else ""
    note = f"({f'{rows} of ' if rows < len(shown) else ''}{counted(len(shown), 'row')}{columns}; everything: --all)"
    return "\n".join([*(whole[: rows + 1] if rows else []), note])


def _shortened(shown: pd.DataFrame, longest: int) -> pd.DataFrame:
    """Return the table with its long texts cut off."""

    def cut(cell: str) -> str:
        line = " ".join(cell.split("\n"))
        return line if len(line) <= longest else f"{line[: longest - 1]}…"

    return shown.apply(lambda column: column.map(cut) if _is_text(column) and column.name != VERDICT else column)


def prose(text: str, width: int | None) -> str:
    """Return the text with its lines broken at the width, if there is one."""
    if width is None:
        return text
    broken = (textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""] for line in text.split("\n"))
    return "\n".join("\n".join(lines) for lines in broken)


def _with_short_lines(shown: pd.DataFrame, longest: int) -> pd.DataFrame:
    """Return the table with its long texts broken into lines."""
    return shown.apply(lambda column: column.map(lambda cell: prose(cell, longest)) if _is_text(column) else column)


def _width(shown: pd.DataFrame) -> int:
    """Return the width of the table in characters."""
    return sum(_widths(shown)) + GAP * (len(shown.columns) - 1)


def _widths(shown: pd.DataFrame) -> list[int]:
    return [max(len(line) for cell in (name, *shown[name]) for line in cell.split("\n")) for name in shown.columns]


def _parts(shown: pd.DataFrame, width: int | None) -> list[pd.DataFrame]:
    """Return the table in parts that fit the width, each with the first column and as many others as fit."""
    if width is None or _width(shown) <= width:
        return [shown]
    first, *widths = _widths(shown)
    parts, used = [[0]], first
    for column, wide in enumerate(widths, 1):
        if used + GAP + wide > width and len(parts[-1]) > 1:
            parts.append([0])
            used = first
        parts[-1].append(column)
        used += GAP + wide
    return [shown.iloc[:, part] for part in parts]


def _table(shown: pd.DataFrame) -> str:
    """Return aligned columns, text to the left and numbers to the right; a cell may have several lines."""
    widths, sides = _widths(shown), ["<" if _is_text(shown[name]) else ">" for name in shown.columns]
    lines = []
    for cells in (list(shown.columns), *shown.to_numpy().tolist()):
        for row in zip_longest(*(cell.split("\n") for cell in cells), fillvalue=""):
            padded = (f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True))
            lines.append((" " * GAP).join(padded).rstrip())
    return "\n".join(lines)


TAG = re.compile(r"(```.*?```|`[^`\n]*`)|(?<!\\)<(?=[A-Za-z/!?])", re.DOTALL)


def without_tags(markdown: str) -> str:
    """Return Markdown in which no user's name begins HTML; what is code stays as it is."""
    return TAG.sub(lambda match: match[1] or "\\<", markdown)


def _markdown(shown: pd.DataFrame) -> str:
    rule = ["---" if _is_text(shown[name]) else "---:" for name in shown.columns]
    rows = [list(shown.columns), rule, *shown.to_numpy().tolist()]
    return without_tags("\n".join("| " + " | ".join(cell.strip().replace("|", "\\|") for cell in row) + " |" for row in rows))


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as JSON values."""
    return [{str(key): _json_value(value) for key, value in row.items()} for row in frame.to_dict("records")]


def _json_value(value: Any) -> Any:
    """Return the value as a JSON value: NaN becomes null."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value


# --- Answers of commands that play games: `findings.json`, and a CSV and a JSON file a table
#
# `newdawn report` makes a page of such a folder (analysis/report/answer_page.py), and of the folders of `newdawn experiment`
# and `newdawn ladder`, which have files of their own.

EFFECTS, EFFECTS_TABLE = "effects.json", "effects"  # the digests of an experiment's effects; its table
