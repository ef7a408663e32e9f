"""Showing a DataFrame: as a table for the eye, as CSV, JSON or Markdown."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

FORMATS = ("table", "csv", "json", "markdown")
# How columns are shown; `<name>_low` and `<name>_high` beside any of them are its interval.
PER_CENT = frozenset(
    {
        "fair_share", "winner_share", "share", "share_so_far", "share_where_possible", "agenda_share", "lead_share", "auc",
        "skill", "chance_first", "rate_with", "rate_without", "expected", "rate",
    }
)  # fmt: skip
POINTS = frozenset({"points", "surplus", "remainder", "rounds_difference"})  # signed, as they are
P_VALUES = frozenset({"p", "p_holm"})
PRECISE = frozenset({"odds_ratio", "log_odds", "error", "changes"})


def render(frame: pd.DataFrame, how: str) -> str:
    """Return the frame as text. CSV and JSON hold every column in full; the other two are rounded for reading."""
    if how == "csv":
        return frame.to_csv(index=False, lineterminator="\n").rstrip("\n")
    if how == "json":
        return json.dumps(rows_of(frame), indent=1)
    shown = for_reading(frame)
    return _markdown(shown) if how == "markdown" else _table(shown)


def for_reading(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame as text, rates in per cent, intervals in the column of their figure."""
    columns: dict[str, list[str]] = {}
    for name in frame.columns:
        if name.endswith(("_low", "_high")) and name.rsplit("_", 1)[0] in frame.columns:
            continue
        columns[name.replace("_", " ")] = [_cell(name, row) for row in frame.to_dict("records")]
    if "small sample" in columns and not any(columns["small sample"]):
        del columns["small sample"]
    return pd.DataFrame(columns)


def _cell(name: str, row: dict[Any, Any]) -> str:
    """Return one value as text, with its interval if it has one."""
    value = row[name]
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "few" if value else ""
    if pd.isna(value):
        return "-"
    text = _number(name, value)
    low, high = (row.get(f"{name}_{end}") for end in ("low", "high"))
    if low is None or pd.isna(low):
        return text
    return f"{text:>6} [{_number(name, low)}, {_number(name, high)}]"


def _number(name: str, value: Any) -> str:
    if name.endswith("_rate") or name in PER_CENT:
        return f"{value:.1%}"
    if name == "difference":
        return f"{100 * value:+.1f}"
    if name in POINTS:
        return f"{value:+.1f}"
    if name in P_VALUES:
        return f"{value:.3f}" if value >= 0.001 else "<0.001"
    if name in PRECISE:
        return f"{value:.2f}"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    return f"{value:,.1f}"


def _is_text(column: pd.Series) -> bool:
    return any(value[:1].isalpha() for value in column)


def _table(shown: pd.DataFrame) -> str:
    """Return aligned columns, text to the left and numbers to the right."""
    lines = [""] * (len(shown) + 1)
    for name in shown.columns:
        cells = [name, *shown[name]]
        width = max(len(cell) for cell in cells)
        align = "<" if _is_text(shown[name]) else ">"
        lines = [f"{line}  {cell:{align}{width}}" for line, cell in zip(lines, cells, strict=True)]
    return "\n".join(line[2:].rstrip() for line in lines)


def _markdown(shown: pd.DataFrame) -> str:
    rule = ["---" if _is_text(shown[name]) else "---:" for name in shown.columns]
    rows = [list(shown.columns), rule, *shown.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(cell.strip().replace("|", "\\|") for cell in row) + " |" for row in rows)


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as JSON knows them."""
    return [{str(key): _json_value(value) for key, value in row.items()} for row in frame.to_dict("records")]


def _json_value(value: Any) -> Any:
    """Return the value as JSON knows it: NaN becomes null."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and np.isnan(value) else value
