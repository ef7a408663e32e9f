"""The first screen of a report: headline, verdicts, sentences and what to do next."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ...simulator.errors import listed
from ...simulator.rules.load import why_unfinished
from ..pages.cells import counted_margin, points, points_of, rate, rate_of
from ..pages.chart_messages import headlined
from ..pages.report_parts import Finding, Source
from ..pages.screen_parts import Answer, First, Stands, who
from ..pages.sentences import MOST, in_a_list, in_short, of_row, some_of
from ..questions.leaders import not_compared
from ..stats.claims import Limit, Stand, Undecided
from ..stats.inference import ALL
from ..stats.rates import ENOUGH
from ..stats.verdicts import (
    FAR,
    HIGHER,
    LOWER,
    STRENGTH,
    TOLD,
    TONES,
    Verdict,
    by_words,
    far,
    having,
    sure_to_differ,
    verdict_words,
)
from ..tables import game
from .next_steps import MANY_UNFINISHED, steps

# --- The first screen of a report: verdicts, at most three sentences, what to do next, and terms

SENTENCES = 3


def first(frames: Mapping[str, pd.DataFrame], source: Source, out: Path | None = None, answers: Sequence[Answer] = ()) -> First:
    """Return the first screen of a run; `frames` are the tables of the report's parts by key."""
    headings, rows, note = _table(frames, source)
    return replace(
        first_sentences(frames, source), headings=headings, rows=rows, note=note, steps=steps(frames, source, out, answers),
        meanings=meanings(frames.get("leaders"), source), change="What to change",
    )  # fmt: skip


SOON = ("leaders", "leaders-with-strategies", "order", "effects")  # parts whose tables `first_sentences` reads


def first_sentences(frames: Mapping[str, pd.DataFrame], source: Source) -> First:
    """Return headline, verdicts and sentences of the first screen, which need the tables of SOON alone."""
    sized = [
        *_headline_of_leaders(frames.get("leaders"), source),
        *_outside(_headlined(frames.get("leaders-with-strategies"), source), source.margin, _pair, "interaction"),
        *_outside(frames.get("order"), source.margin, _place),
        *_outside(frames.get("effects"), source.margin, _wonder),
    ]
    cut = _unfinished(source)
    ranked = [finding for _, finding in sorted(sized, key=lambda pair: -pair[0])][: SENTENCES - len(cut)]
    leaders = frames.get("leaders")
    return First([*cut, *ranked], verdicts=_verdicts(leaders, source), chart="leaders", headline=headline(leaders, source))


def headline(frame: pd.DataFrame | None, source: Source) -> str:
    """Return the verdict on the game in one short sentence: how many leaders are off, or that none is."""
    if frame is None:
        return ""
    if source.untestable:
        return "No verdict: leaders cannot be distinguished from who played them, or from their places"
    if not source.decided:
        return "No verdict: nobody won any of these games"
    many, margin = len(frame), counted_margin(source.margin, "point")
    strong, weak = (int(having(far(frame), kind).sum()) for kind in (HIGHER, LOWER))
    if strong or weak:
        sides = [f"{strong} {'is' if strong == 1 else 'are'} {STRENGTH.far_above}"] if strong else []
        sides += [f"{weak} {'' if sides else 'is ' if weak == 1 else 'are '}{STRENGTH.far_below}"] if weak else []
        return f"Not balanced: of {many} leaders {', '.join(sides)}"
    if having(frame, {Verdict.WITHIN}).all():
        return f"Balanced: all {many} leaders win within {margin} of {rate(float(frame['fair_share'].iloc[0]))}"
    return f"Undecided: of {many} leaders none is shown to be {STRENGTH.far_above} or {STRENGTH.far_below}"


def _unfinished(source: Source) -> list[Finding]:
    """Say how many games nobody won if they are many: all other sentences are about the others."""
    unfinished = source.games - round(source.decided * source.games)
    if unfinished <= MANY_UNFINISHED * source.games:
        return []
    row = game.length(source.run).iloc[0]
    text = (
        f"Nobody won {rate_of(row, 'unfinished_rate')} of the games (n = {source.games:,}): they were "
        "stopped at the round cap, and win rates leave them out."
    )
    why = why_unfinished(source.run.rules)
    if why:
        why = f"{why[0].upper()}{why[1:]}."
        text += f" {why}"
    return [Finding(Limit(pd.DataFrame([row]), beside=[source.games], named=[why]), text)]


def _verdicts(frame: pd.DataFrame | None, source: Source) -> list[Stands]:
    """Return which leaders have which verdict."""
    if frame is None:
        return []
    fair, margin = rate(float(frame["fair_share"].iloc[0])), counted_margin(source.margin, "point")
    unclear = f"not {fair}; by more than {margin} or less is open"
    meanings = {
        Verdict.FAR_ABOVE: f"more than {margin} above {fair}", Verdict.FAR_BELOW: f"more than {margin} below {fair}",
        Verdict.ABOVE: unclear, Verdict.BELOW: unclear, Verdict.WITHIN: f"within {margin} of {fair}",
        Verdict.UNDECIDED: "these games do not say which", Verdict.NOT_COMPARED: _why_untested(source),
    }  # fmt: skip
    named = [(verdict, [str(name) for name in frame.loc[having(frame, {verdict}), "leader"]]) for verdict in TOLD]
    return [Stands(STRENGTH.of(verdict), names, TONES[verdict], meanings[verdict]) for verdict, names in named if names]


def _why_untested(source: Source) -> str:
    if source.players_of:
        return "players of their own"
    return "places of their own" if source.places_of else "too few games"


# --- Terms


def meanings(frame: pd.DataFrame | None, source: Source) -> list[tuple[str, str]]:
    """Return who played, and the terms of the first screen with their meanings."""
    players = [("Who played", who(source.strategies, source.run.box, source.run.players))]
    if frame is None:
        return players
    fair, margin = rate(float(frame["fair_share"].iloc[0])), counted_margin(source.margin, "point")
    equal = ", by equally strong players" if len(source.strategies) > 1 and "strategy" in source.factors else ""
    return [
        *players,
        ("Win rate", f"Of the games that somebody won, with all other leaders met equally often, in all orders{equal}. "
                     f"The fair share is {fair}; points are points of per cent."),
        ("[…, …]", "With 95% certainty the true figures of all leaders lie between these two; in the picture: the bars."),
        ("Margin", f"±{margin} (`--margin`): less does not matter."),
    ]  # fmt: skip


# --- Sentences


Sized = tuple[float, Finding]  # a size in margins, and the finding
Row = Mapping[Any, Any]


def _points(row: Row, name: str = "points") -> str:
    return f"{points_of(row, name)} points"


def _outside(frame: pd.DataFrame | None, margin: float, sentence: Callable[[Row], str], name: str = "points") -> list[Sized]:
    """Return one sentence on the largest of the rows outside the margin, if there are any."""
    outside = pd.DataFrame() if frame is None else far(frame, name)
    if outside.empty:
        return []
    row = outside.to_dict("records")[0]
    return [(float(abs(row[name])) / margin, of_row(row, f"{sentence(row)}."))]


def _headlined(frame: pd.DataFrame | None, source: Source) -> pd.DataFrame | None:
    """Return the rows whose figures may be a headline: those of enough games."""
    if frame is None:
        return None
    return headlined(frame, len(source.outcomes.levels["leader"]), ("decided", "n_with", "n_without"))


def _pair(row: Row) -> str:
    size = _points(row, "interaction")
    pair = f"{row['leader']} with {row['strategy']}"
    return f"{pair} wins {size} beyond what leader and strategy are worth alone (n = {row['decided']:,.0f})"


def _place(row: Row) -> str:
    return f"The turn order matters: place {row['order']} is {_points(row)} off the fair share (n = {row['n']:,})"


def _wonder(row: Row) -> str:
    return f"World wonders decide games: {row['wonder']} changes the chance to win by {_points(row)} (n = {row['n']:,})"


def _headline_of_leaders(frame: pd.DataFrame | None, source: Source) -> list[Sized]:
    """Return the finding on the leader furthest from its fair share; if none is shown to be off, on all of them."""
    if frame is None:
        return []
    if source.untestable:
        finding = not_compared(source)
        return [(math.inf, replace(finding, text=f"{finding.text.partition(' (')[0]}."))]
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
    findings = [(size, of_row(row, text))]
    if mended is None or (mended["mended"] != row["leader"]).any():
        return findings
    return [*findings, (size, replace(in_short(mended), place="change"))]


def _without_figures(off: pd.DataFrame, pool: int) -> Finding:
    """Say who is off without their rates: in few games the largest rate of many leaders owes much to chance."""
    parts = {words: rows["leader"] for words, _, rows in by_words(off)}
    named = [f"{some_of([str(name) for name in part])} {'is' if len(part) == 1 else 'are'} {word}"
             for word, part in parts.items()]  # fmt: skip
    text = f"{listed(named)}; by how much, fewer than {ENOUGH} games of each of {pool} leaders do not say."
    return Finding(Stand(off, beside=[ENOUGH, pool, *(len(part) - MOST for part in parts.values())]), text)


def _within(frame: pd.DataFrame, source: Source) -> Finding:
    """Say that no leader is shown to lie outside the margin, and how many have each verdict."""
    margin = f"±{counted_margin(source.margin, 'point')}"
    if having(frame, {Verdict.WITHIN}).all():
        widest = f"{points(frame['points_all_low'].min())} to {points(frame['points_all_high'].max())}"
        text = f"All {len(frame)} leaders are {STRENGTH.within} within {margin} of the fair share ({widest})."
        return Finding(Stand(frame, beside=[source.margin]), text)
    groups = by_words(frame)
    counts = listed(f"{len(some)} {'is' if len(some) == 1 else 'are'} {in_a_list(words)}" for words, _, some in groups)
    claim = Undecided(frame, beside=[source.margin, *(len(some) for *_, some in groups)])
    return Finding(claim, f"No leader is detectably off the fair share by more than {margin}: {counts}.")


# --- Rates under each strategy


MENDED = "With the one furthest off at its fair share: by the model of who wins, all else as it is."


def _table(frames: Mapping[str, pd.DataFrame], source: Source) -> tuple[list[str], list[list[str]], str]:
    """Return headings, rows and a note: the leaders' rates over all games, and by strategy."""
    leaders, by_strategy = frames.get("leaders"), frames.get("leaders-by-strategy")
    if leaders is None:
        return [], [], ""
    margin = counted_margin(source.margin, "point")
    headings = ["leader", "decided games", "win rate at balanced tables [95% all]", f"±{margin}?"]
    rows = [
        [str(row["leader"]), f"{row['decided']:,.0f}", rate_of(row, "adjusted_rate", ALL), verdict_words(row)]
        for row in leaders.to_dict("records")
    ]
    mended = source.mended
    if "pooled_rate" in leaders:
        headings.append("drawn to the fair share [95%]")
        for row, own in zip(rows, leaders.to_dict("records"), strict=True):
            row.append(rate_of(own, "pooled_rate"))
    if mended is not None:
        headings.append(f"with {mended['mended'].iloc[0]} at {rate(mended['fair_share'].iloc[0])} [95% all]")
        then = {
            str(row["leader"]): f"{rate_of(row, 'adjusted_rate', ALL)}, {row['verdict']}" for row in mended.to_dict("records")
        }
        for row in rows:
            row.append(then.get(row[0], "–"))
    if by_strategy is None:
        return headings, rows, MENDED if mended is not None else ""
    by = {(row["leader"], row["strategy"]): row for row in by_strategy.to_dict("records")}
    for strategy in by_strategy["strategy"].unique():
        mean = by_strategy.loc[by_strategy["strategy"] == strategy]
        headings.append(f"{strategy} (all leaders {rate(mean['wins'].sum() / mean['n'].sum())}) [95%]")
        for row in rows:
            played = by.get((row[0], strategy))
            row.append("–" if played is None else f"{rate_of(played, 'win_rate')}, n = {played['n']:,}{_mark(played)}")
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
