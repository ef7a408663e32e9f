"""How much a doubt about the rules matters: both readings played on the same seeds, and compared game by game.

The two games of a seed have the same leaders in the same seats and the same random numbers, and go the same way until the
reading first matters. So differences are taken within pairs: with d the difference of a pair (other reading less chosen
one), the change is the mean of d over the n pairs that count, and its interval

    mean ± z s / √n        (s: standard deviation of d, z: normal quantile)

which is as wide as the games really differ. Where fewer than FEW pairs differ, a share's interval is that of two Poisson
counts (`rare_interval`): pairs that all agree do not prove that none ever differs. For a leader the pairs
are the games the leader takes part in that somebody won with both readings, with d the difference in the share of the win.
Verdicts (`statistics.answer`) are read off intervals that hold for all changes of the table together (`inference.together`).
The median length has an interval from resampled pairs (bootstrap, percentiles, fixed seed), and no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.contents import names_of
from ...simulator.rules.load import Ruleset
from ...simulator.rules.record import RULES
from ...simulator.rules.show import Doubt, other_ruleset
from ...simulator.runs.plan import Plan
from ...simulator.runs.run import Rows, Silent, play_range
from ..stats import rates
from ..stats.answer import CHANGE, DIFFERENT, for_reading, having, judged
from ..stats.inference import RARE_FEW, normal_ends, rare_interval, sign_test, together, two_sided
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE, wilson

SLICE = 250  # games a worker plays at a time
RESAMPLES = 1000
RATE_OF = "win rate of "
ALL_CHANGE = ("change", "change_all_low", "change_all_high")
COLUMNS = (
    "doubt", "reading", "measure", "n", "chosen", "change", "change_low", "change_high", "p", "p_adjusted", "change_all_low",
    "change_all_high", "margin", "verdict", "certainty", "games_fewest", "games_most", "small_sample",
)  # fmt: skip


@dataclass(frozen=True)
class Played:
    """What a comparison needs of the games of one reading, in the order of the games."""

    games: np.ndarray
    seats: np.ndarray


def play_reading(plan: Plan, ruleset: Ruleset, jobs: int | None = None) -> Played:
    """Play the plan's games with a ruleset, in memory."""
    rules = np.zeros(1, RULES)
    rules[0] = ruleset.compile()
    r = rules.view(np.recarray)[0]
    slices = [(first, min(SLICE, plan.games - first)) for first in range(0, plan.games, SLICE)]
    workers = max(1, min(jobs or joblib.cpu_count(), len(slices)))
    parallel = joblib.Parallel(workers, backend="threading")
    parts: list[Rows | None] = parallel(joblib.delayed(play_range)(plan, r, first, n, Silent()) for first, n in slices)
    whole = [part for part in parts if part is not None]
    return Played(np.concatenate([part.games for part in whole]), np.concatenate([part.seats for part in whole]))


def measure(plan: Plan, ruleset: Ruleset, doubts: Sequence[Doubt], jobs: int | None = None) -> pd.DataFrame:
    """Return, for each doubt, how its other reading changes win rates and game length; the columns are COLUMNS."""
    others = [other_ruleset(ruleset, doubt) for doubt in doubts]  # before any game: a doubt may have no switch
    chosen, leaders = play_reading(plan, ruleset, jobs), names_of(ruleset.data, "leader")
    played = (play_reading(plan, other, jobs) for other in others)
    tables = [compare(doubt, chosen, other, leaders) for doubt, other in zip(doubts, played, strict=True)]
    return verdicts(pd.concat(tables, ignore_index=True), plan.games)


def verdicts(frame: pd.DataFrame, games: int) -> pd.DataFrame:
    """Return the changes of one or more doubts with verdicts that hold for all of them together; the columns are COLUMNS."""
    error, p = frame["error"].to_numpy(), frame["p"].to_numpy()
    change, rare, ups, downs, n = (frame[name].to_numpy() for name in ("change", "rare", "ups", "downs", "n"))

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = normal_ends(change, error)(confidence)
        below, above = rare_interval(ups, downs, n, confidence)
        return np.where(rare, below, low), np.where(rare, above, high)

    low, high = ends(CONFIDENCE)
    own = frame["change_low"].notna()  # measured, and tested against nothing
    margin = np.where(frame["measure"].str.contains("rounds"), rates.ROUNDS, rates.POINTS / 100)
    frame = frame.assign(
        change_low=np.where(own, frame["change_low"], low), change_high=np.where(own, frame["change_high"], high),
        margin=margin, small_sample=n < SMALL_SAMPLE, **together("change", p, ends),
    )  # fmt: skip
    return judged(frame, "change", margin, games, CHANGE)[list(COLUMNS)]


def compare(doubt: Doubt, chosen: Played, other: Played, leaders: Sequence[str] = names.LEADERS) -> pd.DataFrame:
    """Compare two readings pair by pair, for `verdicts`. A single pair has no interval. `leaders`: their names by code."""
    if not np.array_equal(chosen.seats["leader"], other.seats["leader"]):
        raise UserError(f"'{doubt.name}': the readings do not deal the same leaders, so games cannot be compared in pairs")
    victory = names.ENDINGS.index("victory")
    decided = [played.games["ending"] == victory for played in (chosen, other)]
    won_by_both = np.repeat(decided[0] & decided[1], len(chosen.seats) // len(chosen.games))
    rounds = chosen.games["rounds"].astype(float), other.games["rounds"].astype(float)
    rows = [
        _differing_row(_differs(chosen, other)),
        _row("unfinished games", ~decided[0], ~decided[1]),
        _row("mean length (rounds)", *rounds, share=False),
        _median_row("median length (rounds)", *rounds),
    ]
    for leader in np.unique(chosen.seats["leader"]):
        mine = (chosen.seats["leader"] == leader) & won_by_both
        if not mine.any():
            continue
        won = chosen.seats["won"][mine], other.seats["won"][mine]
        rows.append(_row(f"{RATE_OF}{leaders[leader]}", *won))
    return pd.DataFrame(rows).assign(doubt=doubt.name, reading=doubt.other)


def _differs(chosen: Played, other: Played) -> np.ndarray:
    """Say for each game whether anything in its rows differs but the number of decisions: a question more is no other game."""
    before, after = chosen.games.copy(), other.games.copy()
    before["decisions"] = after["decisions"] = 0
    games = before != after
    return games | (chosen.seats != other.seats).reshape(len(chosen.games), -1).any(axis=1)


def _differing_row(differ: np.ndarray) -> dict[str, Any]:
    """Return the share of the games in which anything at all differs, if only the last event before a win."""
    low, high = wilson(differ.sum(), len(differ))
    return {
        "measure": "games that differ", "n": len(differ), "chosen": np.nan, "change": differ.mean(),
        "change_low": float(low), "change_high": float(high), "p": np.nan, "error": np.nan, "rare": False, "ups": 0.0,
        "downs": 0.0,
    }  # fmt: skip


def _row(measure: str, before: Any, after: Any, *, share: bool = True) -> dict[str, Any]:
    before, difference = np.asarray(before, float), np.asarray(after, float) - np.asarray(before, float)
    n, change, changed = len(difference), difference.mean(), int((difference != 0).sum())
    error = difference.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    p, ups = float(two_sided(change, error)), int((difference > 0).sum())
    rare = n > 1 and changed < RARE_FEW
    p = max(p, sign_test(ups, changed)) if rare and changed else p
    return {
        "measure": measure, "n": n, "chosen": before.mean(), "change": change, "change_low": np.nan, "change_high": np.nan,
        "p": p, "error": error, "rare": rare and share, "ups": float(ups), "downs": float(changed - ups),
    }  # fmt: skip


def _median_row(measure: str, before: np.ndarray, after: np.ndarray) -> dict[str, Any]:
    """Return the change of the median with a bootstrap interval."""
    rng = np.random.default_rng(0)
    n, tail = len(before), (1 - CONFIDENCE) / 2
    changes = np.empty(RESAMPLES)
    for index in range(RESAMPLES):
        drawn = rng.integers(0, n, n)
        changes[index] = np.median(after[drawn]) - np.median(before[drawn])
    low, high = np.quantile(changes, [tail, 1 - tail])
    return {
        "measure": measure, "n": n, "chosen": np.median(before), "change": np.median(after) - np.median(before),
        "change_low": low, "change_high": high, "p": np.nan, "error": np.nan, "rare": False, "ups": 0.0, "downs": 0.0,
    }  # fmt: skip


def as_text(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table as text, with shares in per cent and changes in percentage points."""

    def cell(row: dict[Any, Any]) -> dict[str, str]:
        rounds = "rounds" in row["measure"]
        scale, digits = (1, 2) if rounds else (100, 1)
        change, low, high = (f"{scale * row[key]:+.{digits}f}" for key in _ends(row))
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
    """Say whether a row is asked about, and not only measured."""
    return not np.isnan(row["p"])


def _ends(row: Any) -> tuple[str, str, str]:
    """Return the columns of a change and of the interval that its verdict is read off; its own where there is no verdict."""
    return ALL_CHANGE if tested(row) else ("change", "change_low", "change_high")


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `measure` as text, a row for each doubt: share of games that differ, change of the mean length, the
    largest change of a leader's win rate, and what changes; the doubts that change most games first."""
    shares = frame[frame["measure"] == "games that differ"].sort_values("change", ascending=False, kind="stable")
    return pd.DataFrame([_summary(frame[frame["doubt"] == name]) for name in shares["doubt"]])


def _summary(rows: pd.DataFrame) -> dict[str, str]:
    def change(row: Any, scale: float, form: str) -> str:
        value, low, high = (format(scale * row[key], form) for key in _ends(row))
        return f"{value} [{low}, {high}]"

    by_measure = rows.set_index("measure", drop=False)
    leaders = by_measure[by_measure["measure"].str.startswith(RATE_OF)]
    largest = "–"  # nobody won any of the games
    if len(leaders):
        row = leaders.iloc[int(leaders["change"].abs().argmax())]
        largest = f"{row['measure'].removeprefix(RATE_OF)} {change(row, 100, '+.1f')}"
    told = rows[having(rows, DIFFERENT)]
    names = zip(told["measure"].str.removeprefix(RATE_OF), told["verdict"], strict=True)
    return {
        "doubt": rows["doubt"].iloc[0],
        "other reading": rows["reading"].iloc[0],
        "games that differ, %": change(by_measure.loc["games that differ"], 100, ".1f"),
        "mean length, rounds": change(by_measure.loc["mean length (rounds)"], 1, "+.2f"),
        "largest change of a leader, points": largest,
        "changes": ", ".join(f"{name} {verdict}" for name, verdict in names) or "–",
    }
