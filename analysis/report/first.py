"""The first screen of a report: verdicts, at most three sentences, what to do next, and what the words mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from ...simulator.wording import listed
from ..contests import players
from ..statistics.inference import ALL
from ..statistics.rates import wilson
from ..summaries.claims import BETWEEN
from ..trials.relevance import BALANCED, OUTSIDE, UNDECIDED, UNTESTED, verdict_words
from .findings import not_compared
from .next import MANY_UNFINISHED, Answer, Step, largest, steps
from .part import Finding, Source, evidence, points, points_of, rate, rate_of

SENTENCES = 3
MOST_CARDS = 3  # named in a sentence


@dataclass(frozen=True)
class First:
    """The first screen: verdicts with the names they concern, a chart (its key), sentences, and a table of texts.

    The table of a run has the leaders' rates under each strategy. `changed` are the changes of the rules that it is
    about, as patch notes, `house_rule` the change advised, as YAML. `steps` are what to do next, `meanings` words explained.
    """

    findings: list[Finding]
    headings: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    note: str = ""
    verdicts: list[Verdict] = field(default_factory=list)
    chart: str = ""
    change: str = "What is changed"
    changed: list[str] = field(default_factory=list)
    house_rule: str = ""
    steps: list[Step] = field(default_factory=list)
    meanings: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)  # that lie beside the page, besides the change that is advised


@dataclass(frozen=True)
class Verdict:
    """A verdict and whom it concerns; `tone` is how it looks: up, down, even or open; `meaning` says when it is given."""

    words: str
    names: list[str]
    tone: str
    meaning: str = ""


def first(frames: Mapping[str, pd.DataFrame], source: Source, out: Path | None = None, answers: Sequence[Answer] = ()) -> First:
    """Return the first screen of a run; `frames` are the tables of the report's parts by key, `answers` what was asked."""
    found = [
        *_leaders(frames.get("leaders"), source),
        *_outside(frames.get("leaders-with-strategies"), source.margin, _pair, "interaction"),
        *_outside(frames.get("order"), source.margin, _place),
        *_outside(frames.get("leaders-by-card"), source.margin, _card),
        *_outside(frames.get("card-sets"), source.margin_rounds, _set, ROUNDS),
        *_outside(frames.get("effects"), source.margin, _wonder),
    ]
    cut = _unfinished(source)
    ranked = [finding for _, finding in sorted(found, key=lambda one: -one[0])][: SENTENCES - len(cut)]
    headings, rows, note = _table(frames, source)
    return First(
        [*cut, *ranked], headings, rows, note, _verdicts(frames.get("leaders"), source), "leaders",
        steps=steps(frames, source, out, answers), meanings=meanings(frames.get("leaders"), source),
    )  # fmt: skip


def _unfinished(source: Source) -> list[Finding]:
    """Say first how many games nobody won, if they are more than a few: all that follows is about the others."""
    unfinished = source.games - round(source.decided * source.games)
    if unfinished <= MANY_UNFINISHED * source.games:
        return []
    low, high = wilson(unfinished, source.games)
    text = (
        f"Nobody won {rate(unfinished / source.games, float(low), float(high))} of the games (n = {source.games:,}): they were "
        "stopped at the round cap, and win rates leave them out."
    )
    return [Finding(text, "limit")]


def _verdicts(frame: pd.DataFrame | None, source: Source) -> list[Verdict]:
    """Return which leaders are too strong, too weak, balanced, and undecided."""
    if frame is None:
        return []
    fair, margin = rate(float(frame["fair_share"].iloc[0])), counted_margin(source.margin, "point")
    outside, above = frame["verdict"] == OUTSIDE, frame["points"] > 0
    groups = (
        ("too strong", outside & above, "up", f"more than {margin} above {fair}"),
        ("too weak", outside & ~above, "down", f"more than {margin} below {fair}"),
        (BALANCED, frame["verdict"] == BALANCED, "even", f"within {margin} of {fair}"),
        (UNDECIDED, frame["verdict"] == UNDECIDED, "open", "these games do not say which"),
        (UNTESTED, frame["verdict"] == UNTESTED, "open", _why_untested(source)),
    )  # fmt: skip
    return [Verdict(words, [str(x) for x in frame.loc[rows, "leader"]], tone, meaning)
            for words, rows, tone, meaning in groups if rows.any()]  # fmt: skip


def _why_untested(source: Source) -> str:
    if source.players_of:
        return "players of their own"
    return "places of their own" if source.places_of else "too few games"


# --- Words explained


def meanings(frame: pd.DataFrame | None, source: Source) -> list[tuple[str, str]]:
    """Return who played, and what the words of the first screen mean."""
    found = [("Who played", who(source.strategies, source.run.box, source.run.players))]
    if frame is None:
        return found
    fair, margin = rate(float(frame["fair_share"].iloc[0])), counted_margin(source.margin, "point")
    equal = ", by equally strong players" if len(source.strategies) > 1 and "strategy" in source.factors else ""
    return [
        *found,
        ("Win rate", f"What a leader would win if all line-ups met equally often, in all orders{equal}; {fair} is fair."),
        ("Margin", f"±{margin}: what counts as mattering (`--margin`)."),
        ("Bars", f"[95% all]: hold for all leaders together. Filled dots differ from {fair}, perhaps by less than the margin."),
    ]  # fmt: skip


def who(strategies: Sequence[str], box: str, seats: int) -> str:
    """Say who played, how strong that is, and whether a better player may change the answer."""
    names = listed([f"`{name}`" for name in strategies])
    one = len(strategies) == 1
    played = f"{'All seats' if one else 'Seats'} were played by {names}, {'a program' if one else 'programs'} of this tool."
    return " ".join([played, *players.described(strategies, box, seats), players.about_better(strategies, box, seats)])


# --- Sentences


ROUNDS = "rounds_difference"
Sized = tuple[float, Finding]  # the size of what is found, in margins
Row = Mapping[Any, Any]


def _points(row: Row, name: str = "points") -> str:
    return f"{points_of(row, name)} {'rounds' if name == ROUNDS else 'points'}"


def _outside(frame: pd.DataFrame | None, margin: float, said: Callable[[Row], str], name: str = "points") -> list[Sized]:
    """Return one sentence on the largest of the rows outside the margin, if there are any."""
    found = pd.DataFrame() if frame is None else largest(frame, name)
    if found.empty:
        return []
    row = found.to_dict("records")[0]
    return [(float(abs(row[name])) / margin, Finding(f"{said(row)}.", evidence(row["p_adjusted"])))]


def counted_margin(margin: float, unit: str) -> str:
    """Return '2 points'."""
    return f"{margin:g} {unit}{'' if margin == 1 else 's'}"


def _pair(row: Row) -> str:
    size = _points(row, "interaction")
    pair = f"{row['leader']} with {row['strategy']}"
    return f"The strongest interaction is {pair}: {size} beyond leader and strategy alone (n = {row['decided']:,.0f})"


def _place(row: Row) -> str:
    return f"Turn order matters: place {row['order']} is {_points(row)} off the fair share (n = {row['n']:,})"


def _card(row: Row) -> str:
    counts = f"n = {row['n_with']:,} and {row['n_without']:,} without it"
    return f"Victory cards matter most to {row['leader']}: {_points(row)} with {row['card']} in play ({counts})"


def _set(row: Row) -> str:
    cards = row["cards"].split(BETWEEN)
    cards = listed(cards if len(cards) <= MOST_CARDS else [*cards[:2], f"{len(cards) - 2} more"])
    return f"Game length depends on the victory cards: {_points(row, ROUNDS)} with {cards} (n = {row['n']:,})"


def _wonder(row: Row) -> str:
    return f"World wonders decide games: {row['wonder']} changes the chance to win by {_points(row)} (n = {row['n']:,})"


def _leaders(frame: pd.DataFrame | None, source: Source) -> list[Sized]:
    """Name the leader that is furthest too strong or too weak; if none is shown to be, say what is known of them."""
    if frame is None:
        return []
    if source.untestable:
        finding = not_compared(source)
        return [(math.inf, Finding(f"{finding.text.partition(' (')[0]}.", finding.certainty))]
    outside = largest(frame, "points")
    if outside.empty:
        return [(0.0, _within(frame, source))]
    row = outside.to_dict("records")[0]
    word, side = ("strong", "above") if row["points"] > 0 else ("weak", "below")
    won, n = rate_of(row, "adjusted_rate", ALL), f"{row['decided']:,.0f}"
    off = f"{abs(row['points']):.1f} points {side} the fair share of {rate(row['fair_share'])}"
    wins = f"it wins {won} of its decided games (n = {n})"
    if source.among_equals:
        wins = f"among equal players it would win {won} (n = {n} decided games)"
    text = f"{row['leader']} is too {word}: {wins}, {off}."
    return [(float(abs(row["points"])) / source.margin, Finding(text, evidence(row["p_adjusted"])))]


def _within(frame: pd.DataFrame, source: Source) -> Finding:
    """Say that no leader is shown to lie outside the margin, and what is known."""
    names: dict[str, list[str]] = {}
    for row in frame.to_dict("records"):
        names.setdefault(str(row["verdict"]), []).append(str(row["leader"]))
    margin = f"±{counted_margin(source.margin, 'point')}"
    if len(names.get(BALANCED, ())) == len(frame):
        widest = f"{points(frame['points_all_low'].min())} to {points(frame['points_all_high'].max())}"
        return Finding(f"All {len(frame)} leaders are balanced within {margin} of the fair share ({widest}).", "shown")
    said = listed([f"{len(some)} {'is' if len(some) == 1 else 'are'} {verdict}" for verdict, some in names.items()])
    return Finding(f"No leader is detectably off the fair share by more than {margin}: {said}.", "open")


# --- Rates under each strategy


def _table(frames: Mapping[str, pd.DataFrame], source: Source) -> tuple[list[str], list[list[str]], str]:
    """Return headings, rows and a note: the leaders' rates over all games, and by strategy."""
    leaders, hands = frames.get("leaders"), frames.get("leaders-by-strategy")
    if leaders is None:
        return [], [], ""
    margin = counted_margin(source.margin, "point")
    headings = ["leader", "decided games", "win rate at balanced tables [95% all]", f"±{margin}?"]
    rows = [
        [str(row["leader"]), f"{row['decided']:,.0f}", rate_of(row, "adjusted_rate", ALL), verdict_words(row)]
        for row in leaders.to_dict("records")
    ]
    if hands is None:
        return headings, rows, ""
    by = {(row["leader"], row["strategy"]): row for row in hands.to_dict("records")}
    for strategy in hands["strategy"].unique():
        mean = hands.loc[hands["strategy"] == strategy]
        headings.append(f"{strategy} (all leaders {rate(mean['wins'].sum() / mean['n'].sum())}) [95%]")
        for row in rows:
            one = by.get((row[0], strategy))
            row.append("–" if one is None else f"{rate_of(one, 'win_rate')}, n = {one['n']:,}{_mark(one)}")
    note = "Right: wins as played, by strategy; ▲ ▼ differ from the other leaders that the same strategy played."
    if source.among_equals:
        note = f"Win rates at balanced tables are the model's, among equal players. {note}"
    return headings, rows, note


def _mark(row: Row) -> str:
    """Return an arrow if the leader differs from the others that the same strategy played."""
    if row["points_all_low"] > 0 and row["p"] == row["p"]:
        return " ▲"
    return " ▼" if row["points_all_high"] < 0 and row["p"] == row["p"] else ""
