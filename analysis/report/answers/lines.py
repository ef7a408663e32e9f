"""An answer in one line: what a comparison changed, what a search advises, else the first thing that was kept of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from ....simulator.wording import counted
from ...statistics.inference import ALL, SIGNIFICANT
from ...tables.kept import TARGET_ROW, Kept
from ...trials.confirm import advised
from ...trials.headline import ROUNDS, margin_of
from ..first import who
from ..part import number, points_of

NUMBERS = dict(enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 2))
AS_IT_IS = "the rules as they are"


def line(kept: Kept) -> str:
    """Return the answer in one line."""
    if kept.command in ("balance", "tune") and SEARCHED[kept.command] in kept.tables:
        return advice_line(kept)
    if kept.command in ("compare", "ban"):
        return leaders_line(in_units(kept.tables["differences"]))
    return kept.sentences[0] if kept.sentences else kept.title


def who_played(kept: Kept) -> tuple[str, str]:
    """Return the entry on who played, among what the words of a page mean."""
    return "Who played", who(kept.facts.get("strategies", "").split(", "), kept.box, kept.players)


# --- Comparisons


def in_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Return differences in rounds or percentage points, figures in rounds or per cent; `matter` in units of what matters."""
    matter = frame["difference"] / frame["figure"].map(margin_of)
    found = scaled(frame, ("a", "b", *(f"difference{end}" for end in ALL)))
    return found.assign(n=frame[["n_a", "n_b"]].min(axis=1), matter=matter)[frame["difference"].notna()]


def scaled(frame: pd.DataFrame, sizes: Iterable[str]) -> pd.DataFrame:
    """Return the table with these sizes of its figures in rounds or percentage points, and their `unit`."""
    scale = np.where(frame["figure"] == ROUNDS, 1.0, 100.0)
    return frame.assign(**{name: frame[name] * scale for name in sizes}, unit=np.where(scale == 1, "rounds", "points"))


def changed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are shown to change, the largest first."""
    return frame[frame["p_adjusted"] <= SIGNIFICANT].sort_values("matter", key=np.abs, ascending=False, kind="stable")


def change(row: Any) -> str:
    """Return a change of a figure: before, after, difference with its interval, n."""
    mark = "" if row["unit"] == "rounds" else "%"
    size = points_of(row, "difference")
    return f"{row['a']:.1f}{mark} → {row['b']:.1f}{mark}, {size} {row['unit']} (n = {row['n']:,})"


def leaders_line(frame: pd.DataFrame) -> str:
    """Sum a comparison up for the leaders; where there are none, for all figures."""
    leaders = frame[frame["group"] == "leaders"]
    if len(leaders):
        return group_line(leaders, "leaders' win rates", int(frame["n"].max()))
    return group_line(frame, "figures", int(frame["n"].max()))


def group_line(frame: pd.DataFrame, what: str, games: int) -> str:
    """Say how many figures changed and which the most; if none did, how large a change could be missed."""
    found = changed(frame)
    if len(found):
        row = found.to_dict("records")[0]
        many = f"{len(found)} of {len(frame)} {what}" if len(frame) > 1 else f"The {what.removesuffix('s')}"
        return f"{many} changed{', most' if len(found) > 1 else ':'} the {row['figure']}, {change(row)}."
    missed = " or ".join(f"{_span(part)} {unit}" for unit, part in frame.groupby("unit", sort=False))
    none = f"None of the {NUMBERS.get(len(frame), len(frame))} {what} changed measurably"
    none = none if len(frame) > 1 else f"The {what.removesuffix('s')} did not change measurably"
    return f"{none}; with {counted(games, 'game')} changes up to {missed} could be missed."


def _span(frame: pd.DataFrame) -> str:
    """Return how large a change the intervals leave possible: the least and the most of the rows."""
    reach = np.maximum(frame["difference_all_low"].abs(), frame["difference_all_high"].abs())
    low, high = (f"{end:.0f}" if end >= 1 else f"{end:.1f}" for end in (reach.min(), reach.max()))
    return low if low == high else f"{low}–{high}"


# --- Searches

SEARCHED = {"balance": "moves", "tune": "confirmed"}  # the table of the values that fresh games judged


def judged(kept: Kept) -> tuple[pd.DataFrame, int]:
    """Return the values that fresh games judged, in the figure's unit, the rules first, and which of them is advised.

    Columns: what (a patch note), keys, house_rule, figure, figure_low, figure_high, n, verdict, loss; of `balance` also what
    else moves.
    """
    found = kept.tables[SEARCHED[kept.command]].rename(columns={"low": "figure_low", "high": "figure_high"})
    if kept.command == "balance":
        found = found.rename(columns={"value": "moved", "target_value": "figure"})
        found = found.assign(keys=found["lever"] + " = " + found["moved"].astype(str))
        own = kept.tables["rules"].set_index("figure").loc[TARGET_ROW]
        rules = {"figure": own["value"], "figure_low": own["low"], "figure_high": own["high"], "n": own["n"]}
        rules |= {"verdict": own["verdict"], "loss": np.inf}
        found, at = pd.concat([pd.DataFrame([rules]), found], ignore_index=True), 1
    else:
        found = found.rename(columns={"value": "figure"})
        at = advised(found)
    found["what"] = found["what"].fillna("").replace("", AS_IT_IS)
    scale = 1.0 if kept.words["figure"] == ROUNDS else 100.0
    sizes = ("figure", "figure_low", "figure_high")
    found = found.assign(**{name: scale * found[name] for name in sizes}, n=found["n"].astype(int))
    return found.fillna({"keys": "", "house_rule": ""}), at


def sized(row: Any, figure: str) -> str:
    """Return a figure with its interval, in its unit."""
    return number(row["figure"], row["figure_low"], row["figure_high"]).replace(" [", f"{_percent(figure)} [")


def _percent(figure: str) -> str:
    return "" if figure == ROUNDS else "%"


def wanted(kept: Kept) -> str:
    """Return the target in words: '25.0% ± 2 points'; '' where a figure is wanted as small as possible."""
    if "wanted" not in kept.words:
        return ""
    rounds = kept.words["figure"] == ROUNDS
    scale = 1 if rounds else 100
    value, margin = scale * float(kept.words["wanted"]), scale * float(kept.words["margin"])
    return f"{value:.1f} ± {margin:g} rounds" if rounds else f"{value:.1f}% ± {margin:g} points"


def before_and_after(kept: Kept) -> str:
    """Say what the advised change does to the figure, on fresh games."""
    frame, at = judged(kept)
    figure, row, own = kept.words["figure"], frame.iloc[at], frame[frame["what"] == AS_IT_IS].iloc[0]
    if row["what"] == AS_IT_IS:
        return f"The {figure} is {sized(row, figure)} (n = {row['n']:,})."
    return f"The {figure} goes from {number(own['figure'])}{_percent(figure)} to {sized(row, figure)} (n = {row['n']:,})."


def advice_line(kept: Kept) -> str:
    """Return what a search advises: the change, what it does, and how that stands to the target."""
    frame, at = judged(kept)
    row, figure, target = frame.iloc[at], kept.words["figure"], wanted(kept)
    against = f" ({target} wanted)" if target else ""
    return f"{row['what']}: {figure} {sized(row, figure)} (n = {row['n']:,}), {row['verdict']}{against}."
