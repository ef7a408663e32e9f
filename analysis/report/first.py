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
from ..statistics.answer import FAR, STRENGTH, TONES, far, having, sure_to_differ, verdict_words, weakest
from ..statistics.answer import Verdict as Reading
from ..statistics.inference import ALL
from ..summaries import game
from ..summaries.claims import BETWEEN
from .findings import in_a_list, in_short, not_compared, some_of
from .next import MANY_UNFINISHED, Answer, Step, steps
from .part import Finding, Source, points, points_of, rate, rate_of
from .shared import ENOUGH, headlined

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
    """A verdict and whom it concerns; `tone` is how it looks (answer.TONES); `meaning` says when it is given."""

    words: str
    names: list[str]
    tone: str
    meaning: str = ""


def first(frames: Mapping[str, pd.DataFrame], source: Source, out: Path | None = None, answers: Sequence[Answer] = ()) -> First:
    """Return the first screen of a run; `frames` are the tables of the report's parts by key, `answers` what was asked."""
    found = [
        *_leaders(frames.get("leaders"), source),
        *_outside(_headlined(frames.get("leaders-with-strategies"), source), source.margin, _pair, "interaction"),
        *_outside(frames.get("order"), source.margin, _place),
        *_outside(_headlined(frames.get("leaders-by-card"), source), source.margin, _card),
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
    row = game.length(source.run).iloc[0]
    text = (
        f"Nobody won {rate_of(row, 'unfinished_rate')} of the games (n = {source.games:,}): they were "
        "stopped at the round cap, and win rates leave them out."
    )
    return [Finding(text, "limit")]


def _verdicts(frame: pd.DataFrame | None, source: Source) -> list[Verdict]:
    """Return which leaders have which verdict."""
    if frame is None:
        return []
    fair, margin = rate(float(frame["fair_share"].iloc[0])), counted_margin(source.margin, "point")
    unclear = f"not {fair}; whether by more than {margin} is open"
    meanings = {
        Reading.FAR_ABOVE: f"more than {margin} above {fair}", Reading.FAR_BELOW: f"more than {margin} below {fair}",
        Reading.ABOVE: unclear, Reading.BELOW: unclear, Reading.WITHIN: f"within {margin} of {fair}",
        Reading.UNDECIDED: "these games do not say which", Reading.NOT_COMPARED: _why_untested(source),
    }  # fmt: skip
    order = sorted(meanings, key=lambda verdict: verdict not in FAR)  # who is off first
    named = [(verdict, [str(name) for name in frame.loc[having(frame, {verdict}), "leader"]]) for verdict in order]
    return [Verdict(STRENGTH.of(one), names, TONES[one], meanings[one]) for one, names in named if names]


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
        ("Bars", f"[95% all]: hold for all leaders together. Filled dots lie beyond the margin, squares within it; half-filled "
                 f"dots differ from {fair}, size unclear."),
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
    found = pd.DataFrame() if frame is None else far(frame, name)
    if found.empty:
        return []
    row = found.to_dict("records")[0]
    return [(float(abs(row[name])) / margin, Finding(f"{said(row)}.", row["certainty"]))]


def _headlined(frame: pd.DataFrame | None, source: Source) -> pd.DataFrame | None:
    """Return the rows whose figures may be a headline, by the games that each is of."""
    if frame is None:
        return None
    return headlined(frame, len(source.outcomes.levels["leader"]), ("decided", "n_with", "n_without"))


def counted_margin(margin: float, unit: str) -> str:
    """Return '2 points'."""
    return f"{margin:g} {unit}{'' if margin == 1 else 's'}"


def _pair(row: Row) -> str:
    size = _points(row, "interaction")
    pair = f"{row['leader']} with {row['strategy']}"
    return f"{pair} wins {size} beyond what leader and strategy are worth alone (n = {row['decided']:,.0f})"


def _place(row: Row) -> str:
    return f"Turn order matters: place {row['order']} is {_points(row)} off the fair share (n = {row['n']:,})"


def _card(row: Row) -> str:
    counts = f"n = {row['n_with']:,} and {row['n_without']:,} without it"
    return f"Victory cards matter to {row['leader']}: {_points(row)} with {row['card']} in play ({counts})"


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
    off = far(frame)
    if off.empty:
        return [(0.0, _within(frame, source))]
    outside = headlined(frame)
    outside = outside[having(outside, FAR)].sort_values("points", key=abs, ascending=False, kind="stable")
    if outside.empty:
        return [(float(off["points"].abs().iloc[0]) / source.margin, _without_figures(off, len(frame)))]
    row = outside.to_dict("records")[0]
    side = "above" if row["points"] > 0 else "below"
    won, n = rate_of(row, "adjusted_rate", ALL), f"{row['decided']:,.0f}"
    distance = f"{abs(row['points']):.1f} points {side} the fair share of {rate(row['fair_share'])}"
    wins = f"it wins {won} of its decided games (n = {n})"
    if source.among_equals:
        wins = f"among equal players it would win {won} (n = {n} decided games)"
    text = f"{row['leader']} is {row['verdict']}: {wins}, {distance}."
    size, mended = float(abs(row["points"])) / source.margin, source.mended
    found = [(size, Finding(text, row["certainty"]))]
    if mended is None or (mended["mended"] != row["leader"]).any():
        return found
    return [*found, (size, in_short(mended))]


def _without_figures(off: pd.DataFrame, pool: int) -> Finding:
    """Say who is off where no rate may be a headline: of many leaders the largest rate in few games is so by chance, too."""
    named = [f"{some_of([str(name) for name in part['leader']])} {'is' if len(part) == 1 else 'are'} {word}"
             for word, part in off.groupby("verdict", sort=False)]  # fmt: skip
    text = f"{listed(named)}; by how much, fewer than {ENOUGH} games of each of {pool} leaders do not say."
    return Finding(text, weakest(off["certainty"]))


def _within(frame: pd.DataFrame, source: Source) -> Finding:
    """Say that no leader is shown to lie outside the margin, and what is known."""
    names: dict[str, list[str]] = {}
    for row in frame.to_dict("records"):
        names.setdefault(str(row["verdict"]), []).append(str(row["leader"]))
    margin = f"±{counted_margin(source.margin, 'point')}"
    if len(names.get(STRENGTH.within, ())) == len(frame):
        widest = f"{points(frame['points_all_low'].min())} to {points(frame['points_all_high'].max())}"
        text = f"All {len(frame)} leaders are {STRENGTH.within} within {margin} of the fair share ({widest})."
        return Finding(text, weakest(frame["certainty"]))
    said = listed([f"{len(some)} {'is' if len(some) == 1 else 'are'} {in_a_list(verdict)}" for verdict, some in names.items()])
    return Finding(f"No leader is detectably off the fair share by more than {margin}: {said}.", "open")


# --- Rates under each strategy


MENDED = "With the one furthest off at its fair share: by the model of who wins, all else as it is."


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
    mended = source.mended
    if mended is not None:
        headings.append(f"with {mended['mended'].iloc[0]} at {rate(mended['fair_share'].iloc[0])} [95% all]")
        then = {
            str(row["leader"]): f"{rate_of(row, 'adjusted_rate', ALL)}, {row['verdict']}" for row in mended.to_dict("records")
        }
        for row in rows:
            row.append(then.get(row[0], "–"))
    if hands is None:
        return headings, rows, MENDED if mended is not None else ""
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
    if mended is not None:
        note = f"{MENDED} {note}"
    return headings, rows, note


def _mark(row: Row) -> str:
    """Return an arrow if the leader differs from the others that the same strategy played."""
    if sure_to_differ(row) not in ("strong", "shown"):
        return ""
    return " ▲" if row["points"] > 0 else " ▼"
