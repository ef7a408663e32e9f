"""Open readings of the rules: how much does a doubt matter, and which reading moves which verdict on a leader?"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, counted, with_minus, with_sign
from ...simulator.reading import content_of, csv_of
from ...simulator.rules.load import Ruleset, from_data
from ...simulator.rules.record import RULES
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.rules.show import Doubt, doubts, other_ruleset, titled
from ...simulator.runs.run import Rows, Silent, play_range
from ...simulator.runs.run_plan import Plan
from ..pages.report_parts import Column, Finding, Part, Source, chapter
from ..pages.sentences import MOST, some_of
from ..stats import rates
from ..stats.claims import Limit
from ..stats.inference import changes_together, mean_change, median_change, share_changed
from ..stats.verdicts import CHANGE, DIFFERENT, STRENGTH, for_reading, having, judged, read, verdict_columns
from ..tables import reference_results

# --- How much a doubt about the rules matters: both readings are played on the same seeds
#
# The two games of a seed have the same leaders in the same seats and the same random numbers, and are the same until the
# reading first matters. So differences, other reading less chosen one, are taken within pairs (`stats.paired`). For a leader
# the pairs are the games the leader takes part in that someone won with both readings, with the difference in the share of
# the win. Verdicts hold for all changes of the table together; the median length has none.

SLICE = 250  # games a worker plays at a time
RATE_OF = "win rate of "
ALL_CHANGE = ("change", "change_all_low", "change_all_high")
COLUMNS = (
    "doubt", "reading", "measure", "n", "chosen", "change", "change_low", "change_high", "p", "p_adjusted", "change_all_low",
    "change_all_high", "margin", "verdict", "verdict_key", "certainty", "games_fewest", "games_most", "small_sample",
)  # fmt: skip


@dataclass(frozen=True)
class ReadingGames:
    """The rows of games and of seats under one reading, in the order of the games."""

    games: np.ndarray
    seats: np.ndarray


def play_reading(plan: Plan, ruleset: Ruleset, jobs: int | None = None) -> ReadingGames:
    """Play the plan's games with a ruleset, in memory."""
    rules = np.zeros(1, RULES)
    rules[0] = ruleset.compile()
    r = rules.view(np.recarray)[0]
    slices = [(first, min(SLICE, plan.games - first)) for first in range(0, plan.games, SLICE)]
    workers = max(1, min(jobs or joblib.cpu_count(), len(slices)))
    parallel = joblib.Parallel(workers, backend="threading")
    parts: list[Rows | None] = parallel(joblib.delayed(play_range)(plan, r, first, n, Silent()) for first, n in slices)
    whole = [part for part in parts if part is not None]
    return ReadingGames(np.concatenate([part.games for part in whole]), np.concatenate([part.seats for part in whole]))


def measure(plan: Plan, ruleset: Ruleset, doubts: Sequence[Doubt], jobs: int | None = None) -> pd.DataFrame:
    """Return, for each doubt, how its other reading changes win rates and game length; the columns are COLUMNS."""
    others = [other_ruleset(ruleset, doubt) for doubt in doubts]  # before any game, for a doubt may have no switch
    chosen, leaders = play_reading(plan, ruleset, jobs), names_of(ruleset.data, "leader")
    played = (play_reading(plan, other, jobs) for other in others)
    tables = [compare(doubt, chosen, other, leaders) for doubt, other in zip(doubts, played, strict=True)]
    return verdicts(pd.concat(tables, ignore_index=True), plan.games)


def verdicts(frame: pd.DataFrame, games: int) -> pd.DataFrame:
    """Return the changes of one or more doubts with verdicts that hold for all of them together; the columns are COLUMNS."""
    margin = np.where(frame["measure"].str.contains("rounds"), rates.ROUNDS, rates.POINTS / 100)
    frame = changes_together(frame).assign(margin=margin)
    return judged(frame, "change", margin, games, CHANGE)[list(COLUMNS)]


def compare(doubt: Doubt, chosen: ReadingGames, other: ReadingGames, leaders: Sequence[str] = names.LEADERS) -> pd.DataFrame:
    """Compare two readings pair by pair, for `verdicts`. A single pair has no interval. `leaders`: their names by code."""
    if not np.array_equal(chosen.seats["leader"], other.seats["leader"]):
        raise UserError(f"'{doubt.name}': the readings do not deal the same leaders, so games cannot be compared in pairs")
    victory = names.ENDINGS.index("victory")
    decided = [played.games["ending"] == victory for played in (chosen, other)]
    won_by_both = np.repeat(decided[0] & decided[1], len(chosen.seats) // len(chosen.games))
    rounds = chosen.games["rounds"].astype(float), other.games["rounds"].astype(float)
    rows = [
        {"measure": "games that differ"} | share_changed(_differs(chosen, other)),
        {"measure": "unfinished games"} | mean_change(~decided[0], ~decided[1]),
        {"measure": "mean length (rounds)"} | mean_change(*rounds, share=False),
        {"measure": "median length (rounds)"} | median_change(*rounds),
    ]
    for leader in np.unique(chosen.seats["leader"]):
        mine = (chosen.seats["leader"] == leader) & won_by_both
        if not mine.any():
            continue
        won = chosen.seats["won"][mine], other.seats["won"][mine]
        rows.append({"measure": f"{RATE_OF}{leaders[leader]}"} | mean_change(*won))
    return pd.DataFrame(rows).assign(doubt=doubt.name, reading=doubt.other)


def _differs(chosen: ReadingGames, other: ReadingGames) -> np.ndarray:
    """Return for each game whether anything in its rows differs, except for the number of decisions."""
    before, after = chosen.games.copy(), other.games.copy()
    before["decisions"] = after["decisions"] = 0
    games = before != after
    return games | (chosen.seats != other.seats).reshape(len(chosen.games), -1).any(axis=1)


def as_text(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table as text, with shares in per cent and changes in percentage points."""

    def cell(row: dict[Any, Any]) -> dict[str, str]:
        rounds = "rounds" in row["measure"]
        scale, digits = (1, 2) if rounds else (100, 1)
        change, low, high = (with_sign(scale * row[key], digits) for key in _ends(row))
        return {
            "doubt": row["doubt"],
            "other reading": row["reading"],
            "measure": row["measure"],
            "n": f"{row['n']:,}",
            "chosen": "-" if np.isnan(row["chosen"]) else f"{row['chosen']:.2f}" if rounds else f"{row['chosen']:.1%}",
            "change": f"{change} [{low}, {high}]" if row["n"] > 1 else change,
            "verdict": row["verdict"] if tested(row) else "",
        }

    return pd.DataFrame([cell(row) for row in for_reading(frame).to_dict("records")])


def tested(row: Any) -> bool:
    """Return whether a row is tested, and not only measured."""
    return not np.isnan(row["p"])


def _ends(row: Any) -> tuple[str, str, str]:
    """Return the columns of a change and its interval: the one for all rows, or its own if the row is not tested."""
    return ALL_CHANGE if tested(row) else ("change", "change_low", "change_high")


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `measure` as text, a row for each doubt: share of games that differ, change of the mean length, the
    largest change of a leader's win rate, and what changes; the doubts that change most games first."""
    shares = frame[frame["measure"] == "games that differ"].sort_values("change", ascending=False, kind="stable")
    return pd.DataFrame([_summary(frame[frame["doubt"] == name]) for name in shares["doubt"]])


def _summary(rows: pd.DataFrame) -> dict[str, str]:
    def change(row: Any, scale: float, form: str) -> str:
        value, low, high = (with_minus(format(scale * row[key], form)) for key in _ends(row))
        return f"{value} [{low}, {high}]"

    by_measure = rows.set_index("measure", drop=False)
    leaders = by_measure[by_measure["measure"].str.startswith(RATE_OF)]
    largest = "–"  # nobody won any of the games
    if len(leaders):
        row = leaders.iloc[int(leaders["change"].abs().argmax())]
        largest = f"{row['measure'].removeprefix(RATE_OF)} {change(row, 100, '+.1f')}"
    changed = rows[having(rows, DIFFERENT)]
    names = zip(changed["measure"].str.removeprefix(RATE_OF), changed["verdict"], strict=True)
    return {
        "doubt": rows["doubt"].iloc[0],
        "other reading": rows["reading"].iloc[0],
        "games that differ, %": change(by_measure.loc["games that differ"], 100, ".1f"),
        "mean length, rounds": change(by_measure.loc["mean length (rounds)"], 1, "+.2f"),
        "largest change of a leader, points": largest,
        "changes": ", ".join(f"{name} {verdict}" for name, verdict in names) or "–",
    }


# --- Which open reading of the rules moves which verdict on a leader
#
# The weight of a reading is its effect as measured by `newdawn rules disputes --games`: in the file `readings.csv` beside the
# run, or else in the reference results. The verdict *with the other reading* is that of the run's figure plus the weight,
# with the uncertainty of both; a weight that is not shown to differ from 0 moves nothing.

FILE = "readings.csv"
NEEDED = ("doubt", "measure", "n", "change", "change_low", "change_high")
GAMES = 2000  # in the command proposed


def weights(source: Source) -> pd.DataFrame:
    """Return the weights of readings for leaders' win rates: doubt, leader, n, points with interval, source (`measured`).

    Raises UserError if the file beside the run cannot be read.
    """
    parts = [pd.DataFrame(reference_results.readings(source.run.box), columns=list(NEEDED)).assign(measured="reference")]
    path = source.run.path / FILE
    if isinstance(path, Path) and path.is_file():
        expected = "what `newdawn rules disputes --games … --format csv` writes"
        table = csv_of(content_of(path, expected=expected), path, expected)
        missing = [name for name in NEEDED if name not in table]
        if missing:
            raise UserError(f"{path}: no column '{missing[0]}'; expected {expected}")
        parts.insert(0, table[list(NEEDED)].assign(measured="beside the run"))
    whole = pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)
    whole = whole[whole["measure"].astype(str).str.startswith(RATE_OF)]
    for name in NEEDED[2:]:
        whole[name] = pd.to_numeric(whole[name], errors="coerce")
    whole = whole.dropna(subset=list(NEEDED[2:])).drop_duplicates(["doubt", "measure"])
    ends = {f"change{end}": 100 * whole[f"change{end}"] for end in ("", "_low", "_high")}
    return whole.assign(leader=whole["measure"].str.removeprefix(RATE_OF), **ends).reset_index(drop=True)


def open_doubts(source: Source) -> list[Doubt]:
    """Return the open readings that change play and have a switch; none for rules that this version cannot read."""
    try:
        ruleset = from_data(source.ruleset, "")
    except UserError:
        return []
    return [doubt for doubt in doubts(ruleset) if doubt.play == "changes" and doubt.overlay is not None]


def moved(source: Source) -> pd.DataFrame | None:
    """Return the verdicts on leaders that another reading moves; None if leaders are not compared, or nothing is open."""
    doubts_here = open_doubts(source)
    if source.untestable or not source.several_leaders or not doubts_here:
        return None
    measured = weights(source)
    measured = measured[measured["doubt"].isin([doubt.name for doubt in doubts_here])]
    columns = ["leader", "points", "points_all_low", "points_all_high", "verdict", "verdict_key"]
    frame = measured.merge(source.judged[columns], on="leader")
    frame = frame.merge(
        pd.DataFrame([(doubt.name, doubt.other) for doubt in doubts_here], columns=["doubt", "other"]), on="doubt"
    )
    middle = frame["points"] + frame["change"]
    below = np.hypot(frame["points"] - frame["points_all_low"], frame["change"] - frame["change_low"])
    above = np.hypot(frame["points_all_high"] - frame["points"], frame["change_high"] - frame["change"])
    ends = zip(middle - below, middle + above, strict=True)
    frame = frame.assign(**verdict_columns([read(low, high, source.margin) for low, high in ends], STRENGTH, "moved"))
    sure = np.array(
        [read(*ends, 0.0) in DIFFERENT for ends in zip(frame["change_low"], frame["change_high"], strict=True)], bool
    )
    return frame[sure & (frame["verdict_key"] != frame["moved_key"])].sort_values(["doubt", "leader"], ignore_index=True)


def findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which verdicts another reading moves, and which readings were not measured."""
    open_ones = open_doubts(source)
    weighed = set(weights(source)["doubt"]) & {doubt.name for doubt in open_ones}
    findings = []
    for doubt, rows in frame.groupby("doubt"):
        moves = [f"{row['leader']} ({row['verdict']} → {row['moved']})" for row in rows.to_dict("records")]
        claim = Limit(rows, beside=[len(moves) - MOST])
        findings.append(Finding(claim, f"The other reading of {titled(str(doubt))} moves the verdict on {some_of(moves)}."))
    if weighed and frame.empty:
        names = some_of(list(map(titled, sorted(weighed))))
        text = f"No other reading of those that were weighed ({names}) is shown to move a verdict on a leader."
        findings.append(Finding(Limit(beside=[len(weighed) - MOST]), text))
    unweighed = len(open_ones) - len(weighed)
    if unweighed:
        beside = shlex.quote(f"{source.run.path}/{FILE}")
        command = f"newdawn rules disputes --box {source.run.box} --games {GAMES} --format csv > {beside}"
        what = f"{counted(unweighed, 'open reading')} of the rules {'was' if unweighed == 1 else 'were'} not weighed"
        findings.append(Finding(Limit(beside=[unweighed]), f"{what}: `{command}`."))
    return findings


OPEN_READINGS = chapter(
    "Open readings of the rules",
    Part(
        "open-readings", "Which reading moves which verdict", moved,
        (
            ("doubt", "open reading"), "other", "leader", ("n", "pairs of games"),
            Column("change", "changes its win rate, points [95%]", "points"), Column("verdict", "verdict here", "text"),
            ("moved", "with the other reading"), ("measured", "weighed in"),
        ),
        note="Readings that the rulebook leaves open; `newdawn rules disputes` says what speaks for each.",
        method="Open readings: the leader's figure moved by the weight of the reading, both uncertainties together.",
        findings=findings,
    ),
)  # fmt: skip
