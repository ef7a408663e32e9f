"""Both readings of an open rule, played on the same seeds: what the other one changes. Start with `measure`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, with_minus, with_sign
from ...simulator.rules.load import Ruleset
from ...simulator.rules.record import RULES
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.rules.show import Doubt, other_ruleset
from ...simulator.runs.run import Rows, Silent, play_range
from ...simulator.runs.run_plan import Plan
from ..stats import rates
from ..stats.inference import changes_together, mean_change, median_change, share_changed
from ..stats.verdicts import CHANGE, DIFFERENT, for_reading, having, judged
from .open_readings import RATE_OF

# --- How much a doubt about the rules matters: both readings are played on the same seeds
#
# The two games of a seed have the same leaders in the same seats and the same random numbers, and are the same until the
# reading first matters. So differences, other reading less chosen one, are taken within pairs (`stats.paired`). For a leader
# the pairs are the games the leader takes part in that someone won with both readings, with the difference in the share of
# the win. Verdicts hold for all changes of the table together; the median length has none.

SLICE = 250  # games a worker plays at a time
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
