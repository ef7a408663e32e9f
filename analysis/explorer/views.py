"""The explorer's views: what they count and how they show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, unknown
from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ...simulator.runs.run_folder import OPTIONS
from ..pages.report_parts import Source
from ..questions.expansion import OF_WONDER, kind_of, read_effects, table_in
from ..stats.inference import Sums, of_intervals, rate_difference
from ..stats.rates import SMALL_SAMPLE, in_words, quantile_of_counts, rate_columns, wilson
from ..stats.verdicts import KEY, differs
from ..tables import expansion, focus_card_use, victory_cards, win_rates
from ..tables.column_meanings import declared
from ..tables.decoded_games import SEPARATOR, WHOLE, CodeNames
from ..tables.expansion import CARD_ROUND
from ..tables.kept_answers import EFFECTS_FILE
from ..tables.read import Sample, Selection, added
from ..tables.rendering import as_called, for_reading, rows_of
from ..tables.win_rates import GROUPINGS, bits, lengths, seats_of
from . import filters
from .filters import SHOWN as explorer_SHOWN
from .filters import Filter

# --- Tables as sections of the page: cells with text, interval and the games behind them, for one run or two

Row = Mapping[str, Any]
Links = Callable[[Row], Mapping[str, "Filter | str"]]  # by column: the games behind the figure, or the address of a page
# Columns left out when two runs are shown side by side, for room.
ALONE = ("fair_share", "difference", "rank", "revealed", "median_seen", "round_p25", "round_p75", "captures", "type", "era")
EVENTS = ("unfinished", "captures", "revealed")  # counts; a column of zeros is left out
WON = ("win_rate", "adjusted_rate")  # drawn beside the fair share
FIRST, SECOND = "the first run", "the second run"  # until they have names (`with_names`)
DARKEST = 20.0  # percentage points of the darkest shade
SHOWN = 0.998  # share of the cases with a bar of their own number
DIFFERENCE = (
    "percentage points",
    "second run minus first; Newcombe's intervals, together for all rows; the games of the two are taken as separate",
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
    """Return a section with a table: of one frame, or of two side by side with the difference of their rates."""
    if len(frames) > 1:
        shape = replace(shape, columns=tuple(name for name in shape.columns if name not in ALONE))
    shape = replace(shape, columns=tuple(name for name in shape.columns if not (name in EVENTS and _none(frames, name))))
    whole, order = _beside(shape, frames)
    columns = [column_of(shape, key, None) for key in shape.keys]
    rows: list[dict[str, Any]] = [{"few": False, "cells": []} for _ in range(len(order))]
    for i, row in enumerate(rows):
        first = next(entry for side in whole if (entry := side[i]) is not None)
        targets = links(first["row"])
        row["cells"] = [_key_cell(first, key, targets.get(key)) for key in shape.keys]
    for number, side in enumerate(whole):
        columns += [column_of(shape, key, number if len(frames) > 1 else None) for key in shape.columns]
        for row, entry in zip(rows, side, strict=True):
            row["cells"] += _cells(shape, entry, links, number)
            row["few"] |= entry is not None and bool(entry["row"].get("small_sample", False))
    for i, column in enumerate(columns):
        column["text"] |= any(isinstance(row["cells"][i]["value"], str) for row in rows)
    if len(frames) == 2 and shape.rate and rows:
        _add_difference(shape, whole, columns, rows)
    return {
        "kind": "table", "tiers": _tiers(shape, whole, rows), "name": name, "title": title, "note": note, "rate": shape.rate,
        "keys": len(shape.keys), "columns": columns, "rows": rows,
    }  # fmt: skip


def _none(frames: Sequence[pd.DataFrame], name: str) -> bool:
    """Return whether a column of counts is 0 in every row of all tables."""
    columns = [frame[name] for frame in frames if name in frame]
    return bool(columns) and not any(column.any() for column in columns)


def _tiers(shape: Shape, whole: Sequence[Sequence[Any]], rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the groups of the rows: of leaders alone by the fair share; of two runs by the difference (see `with_names`)."""
    if len(whole) == 2:
        keys = len(shape.keys)
        differences = [tuple(cell["value"] for cell in row["cells"][keys : keys + 2]) for row in rows] if shape.rate else []
        return filters.by_difference(differences, FIRST, SECOND)
    if "verdict" not in shape.columns:
        return []
    return filters.by_verdict([entry["row"] for entry in whole[0]])


def with_names(section: dict[str, Any], first: str, second: str) -> dict[str, Any]:
    """Replace FIRST and SECOND in a section by the names of the two runs; return it."""
    for tier in section.get("tiers", ()):
        tier["title"] = tier["title"].replace(FIRST, first).replace(SECOND, second)
    for column in section.get("columns", ()):
        column["label"] = column["label"].replace(FIRST, first).replace(SECOND, second)
    return section


def chart(name: str, title: str, unit: str, counts: Sequence[np.ndarray], wanted: Filter | None = None) -> dict[str, Any]:
    """Return a section with bars: the share of each whole number; a bar links to the games of that length."""
    total = [int(count.sum()) for count in counts]
    first, last = _ends(counts)
    bars = []
    for value in range(first, last + 1):
        rest = value == last  # the last bar has all longer games
        here = [int(count[value:].sum() if rest else count[value : value + 1].sum()) for count in counts]
        longest = max(len(count) for count in counts) - 1
        shares = [n / of if of else 0 for n, of in zip(here, total, strict=True)]
        games = wanted.narrowed(rounds=f"{value}-{longest}" if rest else str(value)).query() if wanted is not None else None
        bars.append({"at": f"{value}+" if rest and longest > value else str(value), "n": here, "share": shares, "games": games})
    return {"kind": "chart", "name": name, "title": title, "note": "", "unit": unit, "bars": bars, "n": total}


def _ends(counts: Sequence[np.ndarray]) -> tuple[int, int]:
    """Return the first and the last number with a bar of its own; a few very long games share the last one."""
    values = [np.flatnonzero(count) for count in counts if count.any()]
    ends = [int(quantile_of_counts(np.arange(len(count)), count, SHOWN)) for count in counts if count.any()]
    longest = max((int(present[-1]) for present in values), default=0)
    return min((int(present[0]) for present in values), default=0), min(longest, max(ends, default=0) + 1)


def _beside(shape: Shape, frames: Sequence[pd.DataFrame]) -> tuple[list[list[dict[str, Any] | None]], list[Any]]:
    """Return for each frame its entries in the order of the first frame; rows that only the second has come last."""
    sides: list[dict[Any, dict[str, Any]]] = []
    order: dict[Any, None] = {}
    wanted = {*shape.keys, *shape.columns, shape.rate, shape.of, "fair_share", "small_sample", shape.shade}
    wanted |= {f"{name}{end}" for name in shape.columns for end in ("_all", KEY)}
    for full in frames:
        frame = full[[name for name in full.columns if name.removesuffix("_low").removesuffix("_high") in wanted]]
        read = for_reading(frame)
        entries = zip(rows_of(frame), read.to_dict("records"), strict=True)
        side = {tuple(row[key] for key in shape.keys): {"row": row, "text": text} for row, text in entries}
        sides.append(side)
        order |= dict.fromkeys(side)
    return [[side.get(key) for key in order] for side in sides], list(order)


def column_of(shape: Shape, name: str, side: int | None) -> dict[str, Any]:
    """Return the label, unit and meaning of a column."""
    unit, meaning, *_ = declared(shape.function, name)
    label, text = name.replace("_", " "), name in shape.keys
    return {"name": name, "label": label, "side": side, "unit": unit, "meaning": meaning, "text": text}


def _key_cell(entry: Mapping[str, Any], key: str, link: Filter | str | None) -> dict[str, Any]:
    value = entry["row"][key]
    return {"text": str(value), "value": value, **_link(link, None)}


def _cells(shape: Shape, entry: Mapping[str, Any] | None, links: Links, side: int) -> list[dict[str, Any]]:
    if entry is None:
        return [{"text": "-", "value": None} for _ in shape.columns]
    row, targets = entry["row"], links(entry["row"])
    return [
        {"text": entry["text"][name.replace("_", " ")].strip(), "value": row[name],
         **{end: row[f"{name}_{end}"] for end in ("low", "high") if f"{name}_{end}" in row},
         **({"fair": row["fair_share"]} if name == shape.rate in WON and row.get("fair_share") is not None else {}),
         **(_all_together(row) if name == shape.rate == "adjusted_rate" else {}),
         **(_shade(row, shape.shade) if name == shape.rate and shape.shade else {}),
         **_link(targets.get(name), side)}
        for name in shape.columns
    ]  # fmt: skip


def _all_together(row: Row) -> dict[str, Any]:
    """Return the ends of a win rate's interval for all rows together, if it has one."""
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
    label = f"{shape.rate.replace('_', ' ')}: {SECOND} minus {FIRST}"
    points: dict[str, Any] = {"name": "points", "label": label, "side": None, "signed": True}
    points = {**points, "unit": DIFFERENCE[0], "meaning": DIFFERENCE[1], "text": False}
    columns[keys:keys] = [points, column_of(shape, "p_adjusted", None)]
    read = for_reading(frame).to_dict("records")
    for row, values, text in zip(rows, rows_of(frame), read, strict=True):
        ends = {"low": values["points_all_low"], "high": values["points_all_high"]}
        difference = {"text": text["points"].strip(), "value": values["points"], **ends}
        row["cells"][keys:keys] = [difference, {"text": text["p adjusted"], "value": values["p_adjusted"]}]


# --- Figures of the explorer besides the tables of `analysis.tables`

QUARTILES = {"p25": 0.25, "median": 0.5, "p75": 0.75}


def overview(sample: Sample) -> dict[str, Any]:
    """Return how many games and seats are chosen, how the games ended, and in which rounds."""
    counts = added(lengths(s) for s in sample)
    rounds, unfinished = counts["victories"] + counts["unfinished"], int(counts["unfinished"].sum())
    games = int(rounds.sum())
    low, high = wilson(unfinished, games)
    figures: dict[str, Any] = {"games": games, "seats": sum(int(np.count_nonzero(s.counting)) for s in sample)}
    figures |= {"unfinished": unfinished, "unfinished_rate": unfinished / games if games else np.nan}
    figures |= {"unfinished_rate_low": float(low), "unfinished_rate_high": float(high)}
    return figures | _spread("rounds_mean", "rounds_", np.arange(len(rounds)), rounds) | {"small_sample": games < SMALL_SAMPLE}


def _spread(mean: str, prefix: str, values: np.ndarray, counts: np.ndarray) -> dict[str, float]:
    """Return the mean of values with these counts, with Student's interval, and their quartiles."""
    sums = Sums.by_group(np.zeros(len(counts), np.int64), 1, values, counts)
    figures = {name: float(value[0]) for name, value in sums.mean_columns(mean).items()}
    return figures | {f"{prefix}{name}": quantile_of_counts(values, counts, share) for name, share in QUARTILES.items()}


def judged_leaders(sample: Sample, teams: bool = False) -> pd.DataFrame | None:
    """Return the leaders with the verdicts of `newdawn leaders`; None if the model cannot be fitted to these seats.

    It cannot if only some seats of a table are counted, partners win together, or nobody won.
    """
    if teams or not all(s.all_seats for s in sample):
        return None
    source = Source(sample)
    if not source.decided or not source.several_leaders:
        return None
    judged = source.judged
    return judged.assign(rank=in_words(judged["rank_best"], judged["rank_worst"]))


def length_counts(sample: Sample) -> np.ndarray:
    """Return how many of the chosen games ended in each round, from 0."""
    counts = added(lengths(s) for s in sample)
    return counts["victories"] + counts["unfinished"]


# --- Seats


def opponents_of(sample: Sample) -> pd.DataFrame:
    """Return how the counted seats fared with each leader in another seat of the table, and the difference to the games
    without it."""
    frame = _with_and_without("opponent", sample.words.leader, added(_opponents(s) for s in sample))
    return frame.assign(fair_share=frame["fair"] / frame["n"]).drop(columns="fair")


def _opponents(s: Selection) -> dict[str, np.ndarray]:
    """Return the tally without a leader in another seat (0) and with it (1), by that leader."""
    present, own = s.games.present[s.game], s.of_seats(s.games.leader)
    both = [s.tally(present >> code & 1, (2,), own != code) for code in range(len(s.games.words.leader))]
    return {name: np.stack([tally[name] for tally in both], axis=1) for name in ("n", "wins", "fair")}


def by_card(sample: Sample) -> pd.DataFrame:
    """Return how the counted seats fared with each victory card in play, and the difference to their other games."""
    return _with_and_without("card", sample.words.card, added(_by_card(s) for s in sample))


def _by_card(s: Selection) -> dict[str, np.ndarray]:
    """Return the tally without a card in play (0) and with it (1), by card."""
    cards = s.games.cards[s.game]
    both = [s.tally(cards >> code & 1, (2,)) for code in range(len(s.games.words.card))]
    return {name: np.stack([tally[name] for tally in both], axis=1) for name in ("n", "wins")}


def leaders_with_card(sample: Sample, card: str) -> pd.DataFrame:
    """Return how the counted seats of each leader fared with the card in play, and the difference to their other games."""
    bit, names = sample.words.card.index(card), sample.words.leader
    shape = 2, len(names)
    total = added(s.tally((s.games.cards[s.game] >> bit & 1) * shape[1] + s.of_seats(s.games.leader), shape) for s in sample)
    return _with_and_without("leader", names, total)


def _with_and_without(key: str, names: list[str], total: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return the win rates of seats with something (second row of the sums), and their difference from those without it."""
    (other_n, n), (other_wins, wins) = total["n"], total["wins"]
    more = {name: values[1] for name, values in total.items() if name not in ("n", "wins")}
    frame = pd.DataFrame({key: names, "n": n, "wins": wins, **more}).assign(**rate_columns(wins, n, "win_rate"))
    frame["others_rate"] = other_wins / np.where(other_n > 0, other_n, np.nan)
    some = n > 0
    frame = frame[some].assign(**rate_difference("points", wins[some], n[some], other_wins[some], other_n[some]))
    frame["small_sample"] = np.minimum(n, other_n)[some] < SMALL_SAMPLE
    return frame.sort_values(["win_rate", key], ascending=[False, True], ignore_index=True)


def rates_apart(wins: Any, n: Any, other_wins: Any, other_n: Any) -> pd.DataFrame:
    """Return the differences of two runs' rates, first less other, in percentage points."""
    return pd.DataFrame(rate_difference("points", wins, n, other_wins, other_n))


def holdings(sample: Sample) -> pd.DataFrame:
    """Return what the counted seats had at the end: means with Student's interval, and quartiles."""
    rows = []
    for name in [name for name in explorer_SHOWN if all(name in s.games.numbers for s in sample)]:
        count = added({"seats": np.bincount(s.of_seats(s.games.number(name)))} for s in sample)["seats"]
        spread = _spread("mean", "", np.arange(len(count)), count)
        rows.append({"what": name.replace("_", " "), "n": int(count.sum()), **spread})
    frame = pd.DataFrame(rows)
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


# --- World wonders and victory cards


def wonder_by_card(sample: Sample, wonder: str) -> pd.DataFrame:
    """Return how often counted seats built the wonder with each victory card in play."""
    code, cards = sample.words.wonder.index(wonder), sample.words.card
    total = pd.DataFrame(added(_built_by_card(s, code) for s in sample)).assign(card=cards).query("n > 0")
    frame = total[["card", "n", "built"]].assign(**rate_columns(total["built"], total["n"], "build_rate"))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE).sort_values("card", ignore_index=True)


def _built_by_card(s: Selection, code: int) -> dict[str, np.ndarray]:
    games, size = s.games, len(s.games.words.card)
    there = s.chosen & (games.deck >> code & 1 == 1)
    mine = seats_of(games.built, code, s) // games.players
    return {"n": bits(games.cards[there], size), "built": bits(games.cards[mine], size)}


def wonder_times(sample: Sample, wonder: str) -> np.ndarray:
    """Return in how many chosen games counted seats built the wonder in each round, from 0."""
    size, code = len(sample.words.wonder), sample.words.wonder.index(wonder)
    return added({"games": s.games.built.counts(s.counting.ravel(), size)[code]} for s in sample)["games"]


def claim_times(sample: Sample, agenda: str) -> np.ndarray:
    """Return how many claims by the agenda counted seats made in each round, from 0."""
    size, code = len(sample.words.agenda), sample.words.agenda.index(agenda)
    return added({"claims": s.games.claims.counts(s.counting.ravel(), size)[code]} for s in sample)["claims"]


def claimants_of(sample: Sample, card: str) -> pd.DataFrame:
    """Return for each agenda of a card and leader how often the leader's counted seats claimed the card by it."""
    bit, words = sample.words.card.index(card), sample.words
    agendas = [name for name in card.split(SEPARATOR) if name in words.agenda]
    if not agendas:
        return pd.DataFrame()
    total = added(_claimants(s, bit, [words.agenda.index(name) for name in agendas]) for s in sample)
    agenda, leader = np.nonzero(np.broadcast_to(total["n"] > 0, total["claims"].shape))
    n, claims, wins = total["n"][leader], total["claims"][agenda, leader], total["wins"][agenda, leader]
    frame = pd.DataFrame({"agenda": np.array(agendas)[agenda], "leader": np.array(words.leader, object)[leader], "n": n})
    frame = frame.assign(claims=claims, **rate_columns(claims, n, "claim_rate"))
    frame = frame.assign(**rate_columns(wins, claims, "claimant_win_rate"), small_sample=frame["n"] < SMALL_SAMPLE)
    return frame.sort_values(["agenda", "claim_rate", "leader"], ascending=[True, False, True], ignore_index=True)


def _claimants(s: Selection, bit: int, agendas: list[int]) -> dict[str, np.ndarray]:
    """Return the counted seats with the card in play by leader, and claims and wins of claimants by agenda and leader."""
    games, size = s.games, len(s.games.words.leader)
    n = np.bincount(s.of_seats(games.leader)[games.cards[s.game] >> bit & 1 == 1], minlength=size)
    sums: dict[str, list[np.ndarray]] = {"claims": [], "wins": []}
    for code in agendas:
        at = seats_of(games.claims, code, s)
        who = games.leader.ravel()[at]
        sums["claims"].append(np.bincount(who, minlength=size))
        sums["wins"].append(np.bincount(who, games.won.ravel()[at], size) / WHOLE)
    return {"n": n, **{name: np.array(values) for name, values in sums.items()}}


# --- Terra Incognita


def boxed(sample: Sample) -> Sample:
    """Return the selections of runs of Terra Incognita."""
    return Sample(sample.words, [s for s in sample if CARD_ROUND in s.games.numbers])


# --- Effects of experiments, for the pages of world wonders and leaders

PRINTED = (*names.LEADERS, *names.TI_LEADERS)
COLUMNS = ("arm", "effect", "effect_low", "effect_high", "n", "p")


def effects_of(paths: Iterable[Path]) -> dict[str, pd.DataFrame]:
    """Return the effects of experiments by kind, "wonder" and "leader"; raise UserError for others.

    A path is the folder of `newdawn experiment grant` or `ablate`, or a CSV file of effects of wonders.
    """
    effects: dict[str, pd.DataFrame] = {}
    for path in paths:
        kind = _kind(path)
        if kind in effects:
            raise UserError(f"{path}: effects of {kind}s are given twice; expected one experiment of each kind")
        effects[kind] = _leader_effects(path / EFFECTS_FILE) if kind == "leader" else read_effects(path)
    return effects


def _kind(path: Path) -> str:
    """Return what an experiment is about; raise UserError if no page of the explorer shows it."""
    kind = kind_of(path)
    if kind not in (OF_WONDER, "leader"):
        raise UserError(f"{path}: an experiment on a {kind}; expected one on wonders (grant) or leaders (ablate)")
    return kind


def _leader_effects(path: Path) -> pd.DataFrame:
    """Return the effects on leaders' chances of switching off their ability."""
    content = table_in(path)
    missing = [name for name in COLUMNS if name not in content.columns]
    if missing:
        raise UserError(f"{path}: no column '{missing[0]}'; expected {', '.join(COLUMNS)}")
    numbers = content[list(COLUMNS[1:])].apply(pd.to_numeric, errors="coerce")
    frame = numbers.assign(leader=content["arm"].astype(str))[numbers["n"] > 0]
    for name in frame["leader"]:
        if name not in PRINTED:
            raise UserError(f"{path}: '{name}' is not a leader; expected {', '.join(PRINTED)}")
    ends = {f"points{end}": 100 * frame[f"effect{end}"] for end in ("", "_low", "_high")}
    frame = frame.assign(**ends, **of_intervals("points", ends["points"], ends["points_low"], ends["points_high"], frame["p"]))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE).reset_index(drop=True)


# --- Views: sections of tables and charts for one side or two, under a filter

ASSOCIATION = (
    "an association: who is ahead builds and claims more, so it does not say what a wonder or an agenda is worth; "
    "experiments measure effects"
)
RATE = ("n", "wins", "win_rate", "fair_share")
LEADERS = Shape("leaders", ("leader",), (*RATE, "difference", "unfinished"), "win_rate")
JUDGED = Shape(
    "strengths", ("leader",), ("n", "decided", "adjusted_rate", "points", "verdict", "rank", "win_rate"), "adjusted_rate"
)
WONDER_COLUMNS = (
    "n", "revealed", "median_seen", "built", "build_rate", "median_round", "builder_win_rate", "fair_share", "captures",
    "unfinished",
)  # fmt: skip
WONDERS = Shape("wonders", ("wonder",), (*WONDER_COLUMNS, "type", "era"), "build_rate")
CLAIMED = ("n", "claims", "claim_rate", "median_round", "round_p25", "round_p75")
VICTORY = Shape("victory", ("card", "agenda"), (*CLAIMED, "claimant_win_rate", "fair_share", "unfinished"), "claim_rate")
OWN_COLUMNS = ("n", "built", "build_rate", "median_round", "builder_win_rate", "fair_share")
OWN_WONDERS = Shape("wonders", ("wonder",), OWN_COLUMNS, "build_rate")
TIMES = ("winners", "rounds_mean", "rounds_p25", "rounds_median", "rounds_p75")
WITH_CARD = ("n", "wins", "win_rate", "others_rate", "points", "p_adjusted")


@dataclass(frozen=True)
class Side:
    """The runs of one side of the page, pooled, under the filter."""

    title: str
    sample: Sample
    teams: bool = False  # a house rule lets partners win together


@dataclass(frozen=True)
class ViewRequest:
    """The request for a view: the filter, the names of the runs, `sides_of` any filter, and effects of experiments."""

    wanted: Filter
    words: CodeNames
    sides_of: Callable[[Filter], Sequence[Side]]
    effects: Mapping[str, pd.DataFrame]

    def frames(self, function: Callable[..., Any], *more: Any, wanted: Filter | None = None) -> list[Any]:
        """Return a function's table of each side."""
        return [as_called(function(side.sample, *more)) for side in self.sides_of(wanted or self.wanted)]

    @property
    def several_players(self) -> bool:
        """Whether the runs of a side differ in their number of players."""
        return any(len({s.games.players for s in side.sample}) > 1 for side in self.sides_of(self.wanted))


def page_of(kind: str, name: str) -> str:
    """Return the address, within the page, of the view of a leader, wonder or card."""
    return f"{kind}/{quote(name, safe='')}"


def view(request: ViewRequest, path: Sequence[str], by: str | None) -> dict[str, Any]:
    """Return the view of a path such as ("leaders",) or ("wonder", "Petra"); raise UserError if there is none."""
    name = path[0]
    if by is not None and (name != "leaders" or by not in GROUPINGS):
        raise unknown("grouping of the leaders", by[:40], GROUPINGS)
    if len(path) == 1 and name in VIEWS:
        title, sections = VIEWS[name]
        arguments = (request, by) if name == "leaders" else (request,)
        return _answer(request, title, request.wanted, lambda: sections(*arguments))
    if len(path) == 2 and name in PAGES:
        condition, kind, page = PAGES[name]
        if path[1] not in getattr(request.words, kind):
            raise unknown(name, path[1][:40], getattr(request.words, kind))
        narrow = request.wanted.narrowed(**{condition: path[1]})
        return _answer(request, path[1], narrow, lambda: page(request, path[1], narrow))
    raise unknown("view", "/".join(path)[:60], [*VIEWS, "games", *(f"{each}/NAME" for each in PAGES)])


def _answer(request: ViewRequest, title: str, wanted: Filter, make: Callable[[], list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the answer: a summary of the games, warnings on how they were chosen, and the sections, if each side has games."""
    summary = []
    for side in request.sides_of(wanted):
        facts = pd.DataFrame([overview(side.sample)])
        text = for_reading(facts).iloc[0].to_dict()
        summary.append({"title": side.title, "text": text, **rows_of(facts)[0]})
    warnings = []
    if request.wanted.outcomes:
        outcomes = ", ".join(request.wanted.outcomes)
        warnings.append(f"Games chosen by what happened in them ({outcomes}): every rate below is an association among these.")
    sides = request.sides_of(request.wanted)
    if any(not s.all_seats for side in sides for s in side.sample):
        warnings.append("Only seats that the filter names are counted: what others at their tables built and claimed is not.")
    sections = make() if all(side["games"] for side in summary) else []
    if len(sides) == 2:
        sections = [with_names(section, *(side.title for side in sides)) for section in sections]
    return {"title": title, "summary": summary, "warnings": warnings, "sections": sections}


# --- Views of the whole


def leaders_view(request: ViewRequest, by: str | None) -> list[dict[str, Any]]:
    """Return the leaders' win rates, by a grouping if asked for."""

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = request.wanted.narrowed(leader=row["leader"])
        if by is not None:
            here = here.narrowed(**{by: str(row[by])})
        return {"leader": page_of("leader", row["leader"]), "n": here, "wins": here.narrowed(won="yes"),
                "unfinished": here.narrowed(winner="nobody")}  # fmt: skip

    sides = request.sides_of(request.wanted)
    if by is None and len(sides) == 1 and (judged := judged_leaders(sides[0].sample, sides[0].teams)) is not None:
        note = f"n counts seats, those of unfinished games included, which decided leaves out. {filters.FAIR}"
        return [table("leaders", "", _judged_shape(judged), [judged], links, note)]
    shape = Shape("leaders", ((by, "leader") if by else ("leader",)), LEADERS.columns, "win_rate")
    frames = request.frames(win_rates.leaders, by)
    note = "n counts seats, those of unfinished games included; the dotted mark is the fair share"
    if len(frames) == 1 and by is None:
        note = f"{note}. {filters.WITHOUT}"
    elif len(frames) == 2:
        note = f"{note}. {filters.DIFFERENCE}"
    return [table("leaders", "", shape, frames, links, note)]


def _judged_shape(judged: pd.DataFrame) -> Shape:
    """Return the shape of judged leaders, with rates by partial pooling if there are any."""
    pooled = ("pooled_rate",) if "pooled_rate" in judged else ()
    return replace(JUDGED, columns=(*JUDGED.columns, *pooled))


def wonders_view(request: ViewRequest) -> list[dict[str, Any]]:
    """Return how often world wonders were seen and built."""

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = request.wanted.narrowed(deck=row["wonder"])
        return {"wonder": page_of("wonder", row["wonder"]), "n": here, "unfinished": here.narrowed(winner="nobody"),
                "built": request.wanted.narrowed(built=row["wonder"])}  # fmt: skip

    frames = request.frames(win_rates.wonders)
    return [table("wonders", "", WONDERS, frames, links, f"Builder win rate is {ASSOCIATION}.")]


def victory_view(request: ViewRequest) -> list[dict[str, Any]]:
    """Return how victory cards were claimed."""
    frames = request.frames(win_rates.victory)
    return [table("victory", "", VICTORY, frames, _claims(request.wanted), f"Claimant win rate is {ASSOCIATION}.")]


def _claims(wanted: Filter) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return the links of a row about a card and an agenda."""

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = wanted.narrowed(card=row["card"])
        return {"card": page_of("card", row["card"]), "n": here, "claims": wanted.narrowed(claimed=row["agenda"]),
                "unfinished": here.narrowed(winner="nobody")}  # fmt: skip

    return links


def length_view(request: ViewRequest) -> list[dict[str, Any]]:
    """Return how long games take."""
    return [chart("length", "Rounds in which games ended", "games", request.frames(length_counts), request.wanted)]


def expansion_view(request: ViewRequest) -> list[dict[str, Any]]:
    """Return what seats did in Terra Incognita, and how often those won that did it."""
    if not any(boxed(side.sample).selections for side in request.sides_of(request.wanted)):
        raise UserError(
            f"expansion: no run here was played with the expansion; expected one with --box {names.BOXES[names.TI_BOX]}"
        )
    note = "association: win rate minus that of the other seats; who is ahead builds and explores more"
    sections = []
    for what, (function, title) in DEEDS.items():
        # With a fort card in play nobody wins without a fort, so seats are not compared by their forts.
        shape = Shape(function, (what,), ASSOCIATED[:4] if what == "forts" else ASSOCIATED, "win_rate")
        sections.append(table(function, title, shape, request.frames(_of_the_box(expansion.associations), what), note=note))
    shape = Shape("unique_cards", ("leader",), ("n", "share", "median_round", *ASSOCIATED[2:]), "win_rate")

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        return {"leader": page_of("leader", row["leader"])}

    frames = request.frames(_of_the_box(expansion.unique_cards))
    cards = table("unique_cards", "Unique cards, by the leader they belong to", shape, frames, links,
                  "n: seats of the leader that took the card; association: win rate with it less that without it")  # fmt: skip
    return [*sections, cards]


def _of_the_box(function: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
    """Return the function restricted to runs of Terra Incognita."""
    return lambda sample, *more: function(boxed(sample), *more)


def focus_view(request: ViewRequest) -> list[dict[str, Any]]:
    """Return how focus cards are taken and resolved, and how often seats that have them win."""

    def counted(function: Callable[..., pd.DataFrame]) -> Callable[[Sample], pd.DataFrame]:
        return lambda sample: function(Sample(sample.words, [s for s in sample if "held" in vars(s.games)]))

    if not all(any("held" in vars(s.games) for s in side.sample) for side in request.sides_of(request.wanted)):
        raise UserError(f"focus: no run here has counted focus cards; expected one of newdawn run {OPTIONS[FOCUS_CARDS_TABLE]}")
    won = "association: win rate minus that of seats of the same leader, strategy and place in the turn order without the card"
    return [
        table("focus_cards", "How often they are taken and resolved", FOCUS,
              request.frames(counted(focus_card_use.focus_cards))),
        table("focus_card_wins", "How often seats win that have them", FOCUS_WINS,
              request.frames(counted(focus_card_use.focus_card_wins)), note=f"{won}; who is ahead takes more cards"),
    ]  # fmt: skip


FOCUS = Shape(
    "focus_cards", ("card",),
    ("type", "level", "n", "taken", "take_rate", "median_round", "had", "resolved", "unused_rate", "replaced_rate"),
    "take_rate",
)  # fmt: skip
FOCUS_WINS = Shape(
    "focus_card_wins", ("card",), ("n", "n_without", "win_rate", "rate_without", "association", "p_adjusted"), "win_rate"
)
ASSOCIATED = ("n", "share", "wins", "win_rate", "rate_without", "association", "p_adjusted")
DEEDS = {  # by what a row is about: function of `analysis`, heading
    "district": ("districts", "Districts placed"), "government": ("governments", "Governments at the start of a turn"),
    "tiles": ("exploring", "Tiles explored"), "forts": ("forts", "Forts taken"),
}  # fmt: skip
VIEWS: dict[str, tuple[str, Callable[..., list[dict[str, Any]]]]] = {
    "leaders": ("Leaders", leaders_view), "wonders": ("World wonders", wonders_view),
    "victory": ("Victory cards", victory_view), "length": ("Length of the games", length_view),
    "expansion": ("Terra Incognita", expansion_view), "focus": ("Focus cards", focus_view),
}  # fmt: skip


# --- Pages of one thing


def leader_page(request: ViewRequest, name: str, wanted: Filter) -> list[dict[str, Any]]:
    """Return the page of a leader: rates by seat, opponent and card, how and when it wins, what it builds and ends with."""

    def rates(by: str) -> dict[str, Any]:
        shape = Shape("leaders", (by,), (*RATE, "difference", "unfinished"), "win_rate")
        frames = request.frames(win_rates.leaders, by, wanted=wanted)
        title = "By turn order" if by == "order" else f"By {by}"
        return table(f"by-{by}", title, shape, frames, lambda row: _won(wanted.narrowed(**{by: str(row[by])})))

    sides = request.sides_of(request.wanted)
    judged = judged_leaders(sides[0].sample, sides[0].teams) if len(sides) == 1 else None
    if judged is not None and (judged["leader"] == name).any():  # the row of the leaders' table
        alone = table("rate", "Win rate", _judged_shape(judged), [judged[judged["leader"] == name]], lambda _: _won(wanted))
    else:
        alone = table(
            "rate", "Win rate", LEADERS_ALONE, request.frames(win_rates.leaders, wanted=wanted), lambda _: _won(wanted)
        )
    opponents = [frame[frame["opponent"] != name] for frame in request.frames(opponents_of, wanted=wanted)]
    winners = wanted.narrowed(won="yes")
    sections = [
        alone,
        *(rates(by) for by in ("seat", "order", *(["players"] if request.several_players else []))),
        *(each for each in [rates("strategy")] if len(each["rows"]) > 1),
        table("opponents", "By opponent", OPPONENTS, opponents,
              lambda row: {"opponent": page_of("leader", row["opponent"]), **_won(wanted.narrowed(table=row["opponent"]))},
              f"{name}'s win rate in games with the opponent at the table; others rate: in those without it; points: the "
              "difference, by which the rate is shaded; framed: p, corrected over the opponents, is at most 0.05"),
        table("cards", "By victory card in play", Shape("card_set_leaders", ("card",), WITH_CARD, "win_rate"),
              request.frames(by_card, wanted=wanted),
              lambda row: {"card": page_of("card", row["card"]), **_won(wanted.narrowed(card=row["card"]))},
              "others rate: in games without the card; points: the difference of the two, p corrected over the cards"),
        table("claims", f"How {name} wins: agendas in games it won", VICTORY_WINS,
              request.frames(win_rates.victory, wanted=winners), _claims(winners),
              "claim rate: share of its won games with the card in play in which it claimed the card by the agenda"),
        table("times", f"When {name} wins", Shape("winning_times", ("leader",), TIMES),
              request.frames(victory_cards.winning_times, wanted=winners)),
        chart("ends", f"Rounds of the games {name} won", "games", request.frames(length_counts, wanted=winners), winners),
        table("wonders", f"World wonders {name} builds", OWN_WONDERS, request.frames(win_rates.wonders, wanted=wanted),
              lambda row: {"wonder": page_of("wonder", row["wonder"]), "n": wanted.narrowed(deck=row["wonder"]),
                           "built": wanted.narrowed(built=row["wonder"])}, f"Builder win rate is {ASSOCIATION}."),
        table("holdings", "At the end of the game", Shape("holdings", ("what",), ("n", "mean", "p25", "median", "p75")),
              request.frames(holdings, wanted=wanted),
              note="means with Student's interval; trade gained, cities lost and capitals beaten are over the whole game"),
    ]  # fmt: skip
    return [*sections, *_effects(request, "leader", name, "Effect of its ability being switched off")]


OPPONENTS = Shape("card_set_leaders", ("opponent",), WITH_CARD, "win_rate", shade="points")
LEADERS_ALONE = Shape("leaders", ("leader",), (*RATE, "difference", "unfinished"), "win_rate")
VICTORY_WINS = Shape("victory", ("card", "agenda"), CLAIMED, "claim_rate")


def _won(here: Filter) -> dict[str, Any]:
    """Return the links of a row of win rates."""
    return {"n": here, "wins": here.narrowed(won="yes"), "unfinished": here.narrowed(winner="nobody")}


def wonder_page(request: ViewRequest, name: str, wanted: Filter) -> list[dict[str, Any]]:
    """Return the page of a world wonder: how often it is built, by whom, when, with which cards; effects if known."""
    whole = [frame[frame["wonder"] == name] for frame in request.frames(win_rates.wonders, wanted=wanted)]
    builders = Shape("wonder_builders", ("leader",), ("n", "built", "build_rate", "builder_win_rate"), "build_rate")

    def links(row: Mapping[str, Any]) -> dict[str, Any]:
        here = wanted.narrowed(leader=row["leader"])
        return {"leader": page_of("leader", row["leader"]), "n": here, "built": here.narrowed(built=name)}

    times = request.frames(wonder_times, name, wanted=wanted)
    return [
        *_effects(request, "wonder", name, "Effect of being given the wonder"),
        table("rate", "How often it is built", Shape("wonders", ("wonder",), WONDER_COLUMNS, "build_rate"), whole,
              lambda _: {"n": wanted, "built": wanted.narrowed(built=name)}, f"Builder win rate is {ASSOCIATION}."),
        chart("times", "Rounds in which it was built", "games", times),
        table("builders", "By leader", builders, request.frames(win_rates.wonder_builders, name, wanted=wanted), links,
              "n: games with the leader at the table and the wonder in a deck; builder win rate is an association"),
        table("cards", "By victory card in play", Shape("wonders", ("card",), ("n", "built", "build_rate"), "build_rate"),
              request.frames(wonder_by_card, name, wanted=wanted),
              lambda row: {"card": page_of("card", row["card"]), "n": wanted.narrowed(card=row["card"]),
                           "built": wanted.narrowed(card=row["card"], built=name)}),
    ]  # fmt: skip


def card_page(request: ViewRequest, name: str, wanted: Filter) -> list[dict[str, Any]]:
    """Return the page of a victory card: its agendas' claims, by leader, when, and how leaders fare with it in play."""
    whole = [frame[frame["card"] == name] for frame in request.frames(win_rates.victory, wanted=wanted)]
    claimants = Shape("agenda_users", ("agenda", "leader"), ("n", "claims", "claim_rate", "claimant_win_rate"), "claim_rate")

    def claims(row: Mapping[str, Any]) -> dict[str, Any]:
        here = wanted.narrowed(leader=row["leader"])
        return {"leader": page_of("leader", row["leader"]), "n": here, "claims": here.narrowed(claimed=row["agenda"])}

    def fared(row: Mapping[str, Any]) -> dict[str, Any]:
        return {"leader": page_of("leader", row["leader"]), **_won(wanted.narrowed(leader=row["leader"]))}

    agendas = [agenda for agenda in name.split(SEPARATOR) if agenda in request.words.agenda]
    return [
        table("rate", "How often it is claimed", VICTORY, whole, _claims(wanted), f"Claimant win rate is {ASSOCIATION}."),
        *(chart(f"times-{agenda}", f"Rounds of the claims by {agenda}", "claims",
                request.frames(claim_times, agenda, wanted=wanted)) for agenda in agendas),
        table("claimants", "Who claims it", claimants, request.frames(claimants_of, name, wanted=wanted), claims,
              "n: games with the leader at the table and the card in play; claimant win rate is an association"),
        table("leaders", "Leaders with the card in play", Shape("card_set_leaders", ("leader",), WITH_CARD, "win_rate"),
              request.frames(leaders_with_card, name), fared,
              "others rate: in games without the card; points: the difference of the two, p corrected over the leaders"),
    ]  # fmt: skip


PAGES: dict[str, tuple[str, str, Callable[..., list[dict[str, Any]]]]] = {
    "leader": ("leader", "leader", leader_page), "wonder": ("deck", "wonder", wonder_page), "card": ("card", "card", card_page),
}  # fmt: skip


def _effects(request: ViewRequest, kind: str, name: str, title: str) -> list[dict[str, Any]]:
    """Return the section on an experiment's effect, if there is one."""
    frame = request.effects.get(kind)
    if frame is None:
        return []
    shape = Shape("effects", (kind,), ("n", "points", "p_adjusted"))
    note = "percentage points of the chance to win, in the experiment's games, which are not filtered; p corrected over these"
    return [table("effects", title, shape, [frame[frame[kind] == name]], note=note)]
