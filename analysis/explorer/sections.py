"""From tables to what the browser shows: cells with text, interval and the games behind them, for one run or two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ..guide import COLUMNS
from ..statistics.answer import differs
from ..statistics.rates import quantile_of_counts
from ..tables.render import for_reading, rows_of
from . import tiers
from .answers import rates_apart
from .filters import Filter

Row = Mapping[str, Any]
Links = Callable[[Row], Mapping[str, "Filter | str"]]  # by column: the games behind the figure, or the address of a page
# Columns that are left out where two runs stand beside each other, for room.
ALONE = ("fair_share", "difference", "rank", "revealed", "median_seen", "round_p25", "round_p75", "captures", "type", "era")
WON = ("win_rate", "adjusted_rate")  # drawn beside the fair share
FIRST, SECOND = "the first run", "the second run"  # until they have names (`with_names`)
DARKEST = 20.0  # percentage points of the darkest shade
SHOWN = 0.998  # of the cases have a bar of their own number
DIFFERENCE = (
    "percentage points",
    "second run less first; Newcombe's intervals, together for all rows; the games of the two are taken as separate",
)


@dataclass(frozen=True)
class Shape:
    """How a table is shown: its keys, its columns, and the rate that is drawn and compared (with what it is a share of)."""

    function: str  # of `analysis`, for the meaning of columns
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    rate: str = ""
    of: str = "n"
    shade: str = ""  # column, in percentage points, by which the rate is shaded


def nothing(_: Row) -> dict[str, Filter | str]:
    """Return no links."""
    return {}


def table(
    name: str, title: str, shape: Shape, frames: Sequence[pd.DataFrame], links: Links = nothing, note: str = ""
) -> dict[str, Any]:
    """Return a section with a table: of one frame, or of two beside each other with the difference of their rates."""
    if len(frames) > 1:
        shape = replace(shape, columns=tuple(name for name in shape.columns if name not in ALONE))
    whole, order = _beside(shape, frames)
    columns = [_column(shape, key, None) for key in shape.keys]
    rows: list[dict[str, Any]] = [{"few": False, "cells": []} for _ in range(len(order))]
    for i, row in enumerate(rows):
        first = next(entry for side in whole if (entry := side[i]) is not None)
        found = links(first["row"])
        row["cells"] = [_key_cell(first, key, found.get(key)) for key in shape.keys]
    for number, side in enumerate(whole):
        columns += [_column(shape, key, number if len(frames) > 1 else None) for key in shape.columns]
        for row, entry in zip(rows, side, strict=True):
            row["cells"] += _cells(shape, entry, links, number)
            row["few"] |= entry is not None and bool(entry["row"].get("small_sample", False))
    for i, column in enumerate(columns):
        column["text"] |= any(isinstance(row["cells"][i]["value"], str) for row in rows)
    if len(frames) == 2 and shape.rate and rows:
        _add_difference(shape, whole, columns, rows)
    facts = {
        "kind": "table",
        "tiers": _tiers(shape, whole, rows),
        "name": name,
        "title": title,
        "note": note,
        "rate": shape.rate,
        "keys": len(shape.keys),
    }
    return {**facts, "columns": columns, "rows": rows}


def _tiers(shape: Shape, whole: Sequence[Sequence[Any]], rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the groups of the rows: of leaders alone by the fair share; of two runs by the difference (see `with_names`)."""
    if len(whole) == 2:
        keys = len(shape.keys)
        differences = [tuple(cell["value"] for cell in row["cells"][keys : keys + 2]) for row in rows] if shape.rate else []
        return tiers.by_difference(differences, FIRST, SECOND)
    if "verdict" not in shape.columns:
        return []
    return tiers.by_verdict([entry["row"] for entry in whole[0]])


def with_names(section: dict[str, Any], first: str, second: str) -> dict[str, Any]:
    """Put the names of the two runs where a section says in which direction they differ."""
    for tier in section.get("tiers", ()):
        tier["title"] = tier["title"].replace(FIRST, first).replace(SECOND, second)
    for column in section.get("columns", ()):
        column["label"] = column["label"].replace(FIRST, first).replace(SECOND, second)
    return section


def chart(name: str, title: str, unit: str, counts: Sequence[np.ndarray], wanted: Filter | None = None) -> dict[str, Any]:
    """Return a section with bars: how often each whole number occurs, as shares; a bar leads to the games that long."""
    total = [int(count.sum()) for count in counts]
    first, last = _ends(counts)
    bars = []
    for value in range(first, last + 1):
        rest = value == last  # what is longer stands with the last bar
        here = [int(count[value:].sum() if rest else count[value : value + 1].sum()) for count in counts]
        longest = max(len(count) for count in counts) - 1
        shares = [n / of if of else 0 for n, of in zip(here, total, strict=True)]
        games = wanted.narrowed(rounds=f"{value}-{longest}" if rest else str(value)).query() if wanted is not None else None
        bars.append({"at": f"{value}+" if rest and longest > value else str(value), "n": here, "share": shares, "games": games})
    return {"kind": "chart", "name": name, "title": title, "note": "", "unit": unit, "bars": bars, "n": total}


def _ends(counts: Sequence[np.ndarray]) -> tuple[int, int]:
    """Return the first and the last number that gets a bar of its own: a few games that last for ever squash no picture."""
    there = [np.flatnonzero(count) for count in counts if count.any()]
    ends = [int(quantile_of_counts(np.arange(len(count)), count, SHOWN)) for count in counts if count.any()]
    longest = max((int(found[-1]) for found in there), default=0)
    return min((int(found[0]) for found in there), default=0), min(longest, max(ends, default=0) + 1)


def _beside(shape: Shape, frames: Sequence[pd.DataFrame]) -> tuple[list[list[dict[str, Any] | None]], list[Any]]:
    """Return for each frame its entries in the order of the first, what only the second has at the end."""
    sides: list[dict[Any, dict[str, Any]]] = []
    order: dict[Any, None] = {}
    wanted = {*shape.keys, *shape.columns, shape.rate, shape.of, "fair_share", "small_sample", shape.shade}
    wanted |= {f"{name}_all" for name in shape.columns}
    for whole in frames:
        frame = whole[[name for name in whole.columns if name.removesuffix("_low").removesuffix("_high") in wanted]]
        read = for_reading(frame)
        entries = zip(rows_of(frame), read.to_dict("records"), strict=True)
        side = {tuple(row[key] for key in shape.keys): {"row": row, "text": text} for row, text in entries}
        sides.append(side)
        order |= dict.fromkeys(side)
    return [[side.get(key) for key in order] for side in sides], list(order)


def _column(shape: Shape, name: str, side: int | None) -> dict[str, Any]:
    unit, meaning = COLUMNS.get(f"{shape.function}.{name}") or COLUMNS.get(name) or ("", "")
    label, text = name.replace("_", " "), name in shape.keys
    return {"name": name, "label": label, "side": side, "unit": unit, "meaning": meaning, "text": text}


def _key_cell(entry: Mapping[str, Any], key: str, link: Filter | str | None) -> dict[str, Any]:
    value = entry["row"][key]
    return {"text": str(value), "value": value, **_link(link, None)}


def _cells(shape: Shape, entry: Mapping[str, Any] | None, links: Links, side: int) -> list[dict[str, Any]]:
    if entry is None:
        return [{"text": "-", "value": None} for _ in shape.columns]
    row, found = entry["row"], links(entry["row"])
    return [
        {"text": entry["text"][name.replace("_", " ")].strip(), "value": row[name],
         **{end: row[f"{name}_{end}"] for end in ("low", "high") if f"{name}_{end}" in row},
         **({"fair": row["fair_share"]} if name == shape.rate in WON and row.get("fair_share") is not None else {}),
         **(_all_together(row) if name == shape.rate == "adjusted_rate" else {}),
         **(_shade(row, shape.shade) if name == shape.rate and shape.shade else {}),
         **_link(found.get(name), side)}
        for name in shape.columns
    ]  # fmt: skip


def _all_together(row: Row) -> dict[str, Any]:
    """Return the ends of a win rate's interval for all rows together, where there are some."""
    if row.get("adjusted_rate_all_low") is None:
        return {}
    return {"all": [row[f"adjusted_rate_all_{end}"] for end in ("low", "high")]}


def _shade(row: Row, column: str) -> dict[str, Any]:
    """Return how strongly a rate is shaded, from -1 to 1, and whether its difference is detected."""
    points = row[column]
    if points is None:
        return {}
    return {"shade": max(-1.0, min(1.0, points / DARKEST)), "clear": bool(differs(row))}


def _link(link: Filter | str | None, side: int | None) -> dict[str, Any]:
    if link is None:
        return {}
    return {"page": link} if isinstance(link, str) else {"games": link.query(), "side": side}


def _add_difference(shape: Shape, whole: Sequence[Sequence[Any]], columns: list[Any], rows: list[dict[str, Any]]) -> None:
    """Add, behind the keys, the difference of the two runs' rates, its interval, and p corrected over the rows."""
    counts = []
    for side in whole:
        n = np.array([entry["row"][shape.of] if entry else 0 for entry in side], float)
        rate = np.array([(entry["row"][shape.rate] if entry else None) or 0.0 for entry in side], float)
        counts.append((rate * n, n))
    (wins, n), (other_wins, other_n) = counts
    frame = rates_apart(other_wins, other_n, wins, n)
    keys = len(shape.keys)
    label = f"{shape.rate.replace('_', ' ')}: {SECOND} less {FIRST}"
    points: dict[str, Any] = {"name": "points", "label": label, "side": None, "signed": True}
    points = {**points, "unit": DIFFERENCE[0], "meaning": DIFFERENCE[1], "text": False}
    columns[keys:keys] = [points, _column(shape, "p_adjusted", None)]
    read = for_reading(frame).to_dict("records")
    for row, values, text in zip(rows, rows_of(frame), read, strict=True):
        ends = {"low": values["points_all_low"], "high": values["points_all_high"]}
        difference = {"text": text["points"].strip(), "value": values["points"], **ends}
        row["cells"][keys:keys] = [difference, {"text": text["p adjusted"], "value": values["p_adjusted"]}]
