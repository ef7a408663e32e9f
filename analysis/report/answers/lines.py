"""An answer in one line: what a comparison changed, what a search advises, else the first thing that was kept of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from ....simulator.wording import counted
from ...statistics.answer import DIFFERENT, TONES, Verdict, games_words, having, still_needed, verdict_of, weakest
from ...statistics.inference import ALL
from ...tables.kept import TARGET_ROW, Kept, again
from ...trials.confirm import advised
from ...trials.headline import ROUNDS
from ..first import Verdict as Stands
from ..first import who
from ..next import Step
from ..part import Finding, number, points, points_of

NUMBERS = dict(enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 2))
AS_IT_IS = "the rules as they are"
UNFINISHED, WIN_RATE = "unfinished games", "win rate of "


def line(kept: Kept) -> str:
    """Return the answer in one line."""
    if kept.command in ("balance", "tune") and SEARCHED[kept.command] in kept.tables:
        return advice_line(kept)
    if kept.command in ("compare", "ban"):
        return compared_findings(in_units(kept.tables["differences"]))[0].text
    return kept.sentences[0] if kept.sentences else kept.title


def who_played(kept: Kept) -> tuple[str, str]:
    """Return the entry on who played, among what the words of a page mean."""
    return "Who played", who(kept.facts.get("strategies", "").split(", "), kept.box, kept.players)


# --- Comparisons


SHIFTS = ("shared", *(f"own{end}" for end in ALL))
CHANGED = ("a", "b", *(f"difference{end}" for end in ALL), *SHIFTS)


def in_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Return differences in rounds or percentage points, figures in rounds or per cent; `matter` in units of what matters."""
    shifts = {name: np.nan for name in (*SHIFTS, "own_certainty", "own_verdict") if name not in frame}
    found = frame.assign(matter=frame["difference"] / frame["margin"], **shifts)
    return scaled(found, CHANGED)[frame["difference"].notna()]


def scaled(frame: pd.DataFrame, sizes: Iterable[str]) -> pd.DataFrame:
    """Return the table with these sizes of its figures in rounds or percentage points, and their `unit`."""
    scale = np.where(frame["figure"] == ROUNDS, 1.0, 100.0)
    return frame.assign(**{name: frame[name] * scale for name in sizes}, unit=np.where(scale == 1, "rounds", "points"))


def by_verdict(frame: pd.DataFrame, label: str) -> list[Stands]:
    """Return whom each verdict of a table concerns, from the top of the scale to its bottom."""
    found: dict[str, Stands] = {}
    for one in Verdict:
        for row in frame[[verdict_of(name) is one for name in frame["verdict"]]].to_dict("records"):
            found.setdefault(row["verdict"], Stands(row["verdict"], [], TONES[one])).names.append(str(row[label]))
    return list(found.values())


def more_games(kept: Kept, frame: pd.DataFrame) -> list[Step]:
    """Return the step that decides what is open: the command that found it, with more games."""
    needed = still_needed(frame)
    command = again(kept.line, needed[0]) if needed else ""
    if not needed or not command:
        return []
    return [Step(f"Which way is what is open? {_sentence(games_words(*needed))} would decide.", command)]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def changed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are shown to change, the largest first."""
    return frame[having(frame, DIFFERENT)].sort_values("matter", key=np.abs, ascending=False, kind="stable")


def change(row: Any) -> str:
    """Return a change of a figure: before, after, difference with its interval, n."""
    mark = "" if row["unit"] == "rounds" else "%"
    size = points_of(row, "difference")
    return f"{row['a']:.1f}{mark} → {row['b']:.1f}{mark}, {size} {row['unit']} (n = {row['n']:,})"


def compared_findings(frame: pd.DataFrame) -> list[Finding]:
    """Sum a comparison up: unfinished games where they differ, the leaders, what of their changes is shared, all the rest."""
    leaders, cut = frame[frame["group"] == "leaders"], frame["figure"] == UNFINISHED
    games = int(frame["n"].max())
    found = [
        Finding(f"Games that nobody won: {change(row)}. Win rates are of decided games only.", row["certainty"])
        for row in frame[cut & having(frame, DIFFERENT)].to_dict("records")
    ]
    rest = frame[(frame["group"] != "leaders") & ~(cut & bool(found))]
    if len(leaders):
        found += [group_finding(leaders, "leaders' win rates", games), *shift_findings(leaders)]
    if len(rest):
        found.append(group_finding(rest, "other figures" if len(leaders) else "figures", games))
    return found


def group_finding(frame: pd.DataFrame, what: str, games: int) -> Finding:
    """Say how many figures changed and which the most; if none did, how large a change could be missed."""
    found, one = changed(frame), what.removesuffix("s")
    if len(found):
        row = found.to_dict("records")[0]
        many = f"{len(found)} of {len(frame)} {what}" if len(frame) > 1 else f"The {one}"
        text = f"{many} changed{', most' if len(found) > 1 else ':'} the {row['figure']}, {change(row)}."
        return Finding(text, weakest(found["certainty"]))
    every = f"{NUMBERS.get(len(frame), len(frame))} {what}"
    if all(verdict_of(name) is Verdict.WITHIN for name in frame["verdict"]):
        alike = f"All {every} are" if len(frame) > 1 else f"The {one} is"
        return Finding(f"{alike} unchanged within the margin; n = {counted(games, 'game')}.", weakest(frame["certainty"]))
    missed = " or ".join(f"{_span(part)} {unit}" for unit, part in frame.groupby("unit", sort=False))
    none = f"None of the {every} changed measurably" if len(frame) > 1 else f"The {one} did not change measurably"
    needed = still_needed(frame)
    whom = "all of them" if len(frame) > 1 else "it"
    more = "" if needed is None else f" {_sentence(games_words(*needed))} would decide {whom}."
    return Finding(f"{none}; with {counted(games, 'game')} changes up to {missed} could be missed.{more}", "open")


def shift_findings(leaders: pd.DataFrame) -> list[Finding]:
    """Tell apart what of the other leaders' changes is only what the one that changes most no longer wins, or wins more."""
    others = leaders[leaders["own"].notna()]
    if others.empty:
        return []
    most = leaders[leaders["own"].isna()].sort_values("difference", key=np.abs, kind="stable").iloc[-1]
    name, size = most["figure"].removeprefix(WIN_RATE), points(others["shared"].iloc[0])
    way = "more" if most["difference"] > 0 else "less"
    start = f"Wins are zero-sum: as {name} wins {way}, the others change by {size} points on average."
    own = others.assign(verdict=others["own_verdict"], certainty=others["own_certainty"], matter=others["own"])
    beyond = changed(own).to_dict("records")
    if beyond:
        row, more = beyond[0], f" ({len(beyond) - 1} more: table)" if len(beyond) > 1 else ""
        text = f"Beyond that {row['figure'].removeprefix(WIN_RATE)} changes by {points_of(row, 'own')} points{more}."
        return [Finding(f"{start} {text}", weakest([row["certainty"], most["certainty"]]))]
    within = all(verdict_of(one) is Verdict.WITHIN for one in own["verdict"])
    text = "Beyond that all stay within the margin." if within else "Beyond that none changes measurably."
    return [Finding(f"{start} {text}", weakest([*own["certainty"], most["certainty"]]) if within else "open")]


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
