"""Figures as text: numbers, rates and points with their intervals, and the cells of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import half, with_minus, with_sign
from ..stats.inference import ALL
from ..stats.verdicts import p_words, verdict_words
from .report_parts import Column

# --- A table for readers


@dataclass(frozen=True)
class Cell:
    """Text of a cell, and its sort key."""

    text: str
    key: str | float


def cells(frame: pd.DataFrame, columns: Sequence[Column]) -> list[list[Cell]]:
    """Return the rows of the frame as cells of these columns."""
    return [[cell(row, column) for column in columns] for row in frame.to_dict("records")]


def cell(row: Any, column: Column) -> Cell:
    """Return one cell of a row."""
    value = row[column.name]
    if column.kind == "flag":
        return Cell("few" if value else "", float(bool(value)))
    if column.kind == "verdict":
        return Cell(verdict_words(row), str(value))
    if isinstance(value, str):
        return Cell(value, value)
    if pd.isna(value):
        return Cell("–", "")
    if column.kind == "range":
        worst = row[column.name.replace("best", "worst")]
        return Cell(f"{value:.0f}" if value == worst else f"{value:.0f}–{worst:.0f}", float(value))
    return Cell(_number(row, column), float(value))


def _number(row: Any, column: Column) -> str:
    name, kind = column.name, column.kind
    value = row[name]
    all_rows = "_all" if f"{name}_all_low" in row else ""  # the interval that the verdict is read from
    low, high = (row.get(f"{name}{all_rows}_{end}", np.nan) for end in ("low", "high"))
    if kind == "rate":
        return rate(value, low, high)
    if kind == "points":
        return points(value, low, high)
    if kind == "p":
        return p_words(value)
    if kind == "count":
        return with_minus(f"{value:,.0f}")
    if kind == "rounds":
        return half(value)
    return number(value, low, high, 2 if kind == "ratio" else 1)


def number(value: float, low: float = np.nan, high: float = np.nan, digits: int = 1) -> str:
    """Return a number with this many digits and its interval, if it has one."""
    interval = "" if np.isnan(low) else f" [{low:,.{digits}f}, {high:,.{digits}f}]"
    return with_minus(f"{value:,.{digits}f}{interval}")


def rate(value: float, low: float = np.nan, high: float = np.nan) -> str:
    """Return a share in per cent with its interval, if it has one."""
    low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)  # a normal interval may reach beyond 0 or 1
    interval = "" if np.isnan(low) else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{100 * value:.1f}%{interval}"


def points(value: float, low: float = np.nan, high: float = np.nan) -> str:
    """Return percentage points with sign and interval, if there is one."""
    interval = "" if np.isnan(low) else f" [{with_sign(low)}, {with_sign(high)}]"
    return f"{with_sign(value)}{interval}"


def rate_of(row: Any, name: str, ends: Sequence[str] = ("", "_low", "_high")) -> str:
    """Return a row's share with its interval: that of this row, or with `ALL` that of all rows."""
    return rate(*(row[f"{name}{end}"] for end in ends))


def points_of(row: Any, name: str = "points") -> str:
    """Return a row's percentage points with the interval that holds for all rows."""
    return points(*(row[f"{name}{end}"] for end in ALL))


def counted_margin(margin: float, unit: str) -> str:
    """Return '2 points'."""
    return f"{margin:g} {unit}{'' if margin == 1 else 's'}"
