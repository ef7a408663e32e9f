"""Several rulesets on the same seeds: sums over their games, and how they stand against the best. Start with `Tally`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from ..stats import best
from ..stats.inference import ALL, SIGNIFICANT, normal_together
from ..stats.rates import POINTS, SMALL_SAMPLE
from ..stats.sample_sizes import Looks
from ..stats.verdicts import CHANGE, FAR, JUDGEMENT, STRENGTH, Verdict, having, judged, lies_below, verdict_cells, weakest
from .paired_figures import (
    ROUNDS,
    Moments,
    Subjects,
    compared,
    leaders_rates,
    spread_of_leaders,
)

# --- Sums over games
#
# Game k of every ruleset has the same seed. The first ruleset is the one that the others are compared with. A variant that has
# left a race is no longer played: its sums, and those with it, stand as they are.


class Tally:
    """Sums over the games of several rulesets, from which every pair of them can be compared."""

    def __init__(self, rulesets: int, subjects: Subjects) -> None:
        """Begin with no games; `subjects` are those of all rulesets together."""
        self.subjects = subjects
        self.leaders = subjects.leader_figures
        self.games = np.zeros(rulesets, np.int64)
        self.against = [Moments.empty(len(subjects.figures), self.leaders) for _ in range(rulesets)]  # the first and each
        size = len(subjects.leaders)
        self._sums = np.zeros((rulesets, size, 2))  # of each leader: wins, decided games
        self._products = np.zeros((rulesets, rulesets, 2 * size, 2 * size))
        self._changed = np.zeros((rulesets, rulesets), np.int64)  # games in which a leader's win differs

    def add(self, played: Sequence[int], figures: Sequence[np.ndarray]) -> None:
        """Add games of the rulesets `played`, as `game_figures` returns them, all of the same seeds."""
        own = [part[:, self.leaders] for part in figures]
        flat = [part.reshape(len(part), -1) for part in own]
        for i, at in enumerate(played):
            self.games[at] += len(own[i])
            self._sums[at] += own[i].sum(axis=0)
            if played[0] == 0:
                self.against[at].add(figures[0], figures[i])
            for j, other in enumerate(played):
                self._products[at, other] += np.einsum("ni,nj->ij", flat[i], flat[j])  # BLAS would start threads
                self._changed[at, other] += int(np.any(own[i][:, :, 0] != own[j][:, :, 0], axis=1).sum())

    def pair(self, i: int, j: int) -> Moments:
        """Return the sums of the leaders' wins of two rulesets that were played equally often."""
        sums = np.concatenate([self._sums[i], self._sums[j]], axis=1)
        size = len(sums)
        blocks = np.array([[self._products[a, b] for b in (i, j)] for a in (i, j)])
        joint = blocks.reshape(2, 2, size, 2, size, 2).transpose(2, 0, 3, 4, 1, 5).reshape(4 * size, 4 * size)
        none = np.zeros(size)
        products = np.zeros((size, 4, 4))
        return Moments(int(self.games[i]), sums, products, none, none, slice(0, size), joint, int(self._changed[i, j]))


# --- What is to be small: the leader spread, or one leader's distance from its fair share


@dataclass(frozen=True)
class Goal:
    """What the best variant has least of: the leader spread, or the distance of one leader (its name) from its fair share."""

    leader: str = ""

    def ends(self, tally: Tally, players: int) -> best.Ends:
        """Return the function that gives the interval of the difference between two rulesets, in shares."""

        def of(i: int, j: int, confidence: float) -> tuple[float, float]:
            pair = tally.pair(i, j)
            if not self.leader:
                spread = spread_of_leaders(pair)
                low, high = (np.nan, np.nan) if spread is None else spread(confidence)[3:5]
                return (-np.inf, np.inf) if np.isnan(low) else (-high, -low)  # that of the second less the first, turned round
            seated, rates, covariance = leaders_rates(pair)
            code = tally.subjects.leaders.index(self.leader)
            if not all(code in who for who in seated):  # no decided game with this leader
                return (-np.inf, np.inf)
            at = [int(np.flatnonzero(who == code)[0]) + len(seated[0]) * side for side, who in enumerate(seated)]
            variance = covariance[np.ix_(at, at)]
            error = np.sqrt(np.maximum(np.diag(variance), 1e-300))
            far = np.concatenate(rates)[at] - 1 / players
            reach = -special.ndtri((1 - confidence) / 2) * error
            return best.distance_difference(far[0], reach[0], far[1], reach[1], variance[0, 1] / error.prod())

        return of


LEAST_SPREAD = Goal()


# --- The table

NONE = "none"
DEAD = 0.05  # share of the games that have an agenda or a world wonder: claimed or built in fewer, it is dead
TABLE_GROUPS = ("agendas", "wonders")


def placed(
    tally: Tally, playing: Sequence[int], goal: Goal, players: int, rivals: int, looks: Looks | None = None, tables: int = 1
) -> list[best.Place]:
    """Return the places of the rulesets in `playing` against the best of them.

    `rivals`: others that there were at first; `tables`: at how many tables (numbers of players) it is asked.
    """
    ends = goal.ends(tally, players)
    confidence = best.one_sided(rivals, looks, tables)
    return best.with_the_best(lambda i, j, c: ends(playing[i], playing[j], c), len(playing), POINTS / 100, confidence)


def standing(moments: Moments, players: int, leaders: Sequence[str], tables: int, looks: Looks | None) -> pd.DataFrame:
    """Return the leaders of the second ruleset against their fair share, judged together with this many such tables."""
    seated, rates, covariance = leaders_rates(moments)
    k = len(seated[0])
    points = 100 * (rates[1] - 1 / players)
    error = 100 * np.sqrt(np.maximum(np.diag(covariance)[k:], 0))
    questions = tables * max(1, len(points))  # none where no game is decided
    corrected = questions if looks is None else looks.questions(questions)
    frame = pd.DataFrame({"leader": [leaders[code] for code in seated[1]], "n": moments.sums[moments.leaders][seated[1], 3]})
    frame = frame.assign(**normal_together("points", points, error, questions=corrected))
    return judged(frame.assign(small_sample=frame["n"] < SMALL_SAMPLE), "points", POINTS, moments.n, STRENGTH)


def variants(
    tally: Tally, names: Sequence[str], places: Mapping[int, best.Place], goal: Goal, players: int,
    looks: Looks | None = None, tables: int = 1,
) -> pd.DataFrame:  # fmt: skip
    """Return one row per ruleset, the first one first; all intervals and verdicts hold for all of `tables` such tables.

    Columns: players, variant, n (games), spread (the leaders' standard deviation, points), spread_change against the first
    ruleset with the interval that holds for all variants and `spread_verdict`; too_strong, too_weak, open_leaders
    (leaders, by verdicts that hold for all leaders of all variants); leader_points with interval and `leader_verdict` (of the
    goal's leader, above its fair share); rounds_change with interval and `rounds_verdict`; dead (agendas and world wonders that
    hardly anybody claims or builds any more, by name) with `dead_certainty`; figures (how many of the game's figures change) of
    `compared`; standing
    (`best.Standing`) and at_most (by how many points at most it is worse than the best).
    """
    rows = []
    changes, all_leaders = tables * max(1, len(names) - 1), tables * len(names)
    for at, name in enumerate(names):
        moments = tally.against[at]
        frame = compared(moments, figures=tally.subjects.figures, tables=changes, looks=looks)
        leaders = standing(moments, players, tally.subjects.leaders, all_leaders, looks)
        place = places[at]
        row: dict[str, Any] = {"players": players, "variant": name, "n": int(tally.games[at])}
        row |= _spread(moments, at == 0, changes, looks)
        row |= _rounds(frame, at == 0)
        row |= {
            "too_strong": int(having(leaders, {Verdict.FAR_ABOVE}).sum()),
            "too_weak": int(having(leaders, {Verdict.FAR_BELOW}).sum()),
            "open_leaders": int((~having(leaders, FAR | {Verdict.WITHIN})).sum()),
        }
        if goal.leader:
            own = leaders.set_index("leader").reindex([goal.leader]).iloc[0]  # without numbers if no game of it is decided
            row |= {f"leader_points{end}": own[f"points{end}"] for end in ALL}
            told = verdict_cells(Verdict.NOT_COMPARED, STRENGTH) | {"certainty": "untested"} if pd.isna(own["points"]) else own
            row |= {f"leader_{name}": told[name] for name in JUDGEMENT}
        dead = dying(frame) if at else frame.head(0)
        row["dead"] = ", ".join(str(name).split(" rate of ", 1)[1] for name in dead["figure"]) or NONE
        row["dead_certainty"] = weakest(dead["certainty"]) if len(dead) else "untested"
        row["figures"] = int(having(frame, {v for v in Verdict if v not in UNCHANGED}).sum()) if at else 0
        row |= {"standing": place.standing.value, "at_most": 100 * place.at_most}
        rows.append(row)
    return pd.DataFrame(rows)


UNCHANGED = (Verdict.WITHIN, Verdict.UNDECIDED, Verdict.NOT_COMPARED)


def dying(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of agendas and world wonders that are in use under the first ruleset and dead under the second.

    In use: the rate lies above DEAD there; dead: the interval of its change ends below DEAD.
    """
    rows = frame[frame["group"].isin(TABLE_GROUPS) & (frame["a"] > DEAD)]
    return rows[lies_below(rows, "difference", DEAD - rows["a"], "_all")]


def _spread(moments: Moments, first: bool, changes: int, looks: Looks | None) -> dict[str, Any]:
    """Return the spread of the second ruleset's leaders, and its change; the changes of all variants hold together."""
    spread = spread_of_leaders(moments)
    questions = changes if looks is None else looks.questions(changes)
    estimate = (np.nan,) * 6 if spread is None else spread(1 - SIGNIFICANT / questions)
    _, own, gap, low, high, p = (100 * value for value in estimate)
    table = {"difference": [gap], "difference_all_low": [low], "difference_all_high": [high], "p": [p / 100]}
    frame = judged(pd.DataFrame(table), "difference", POINTS, moments.n, CHANGE, questions=max(1, round(questions)))
    return {"spread": own} | _change("spread", frame.iloc[0], first)


def _rounds(frame: pd.DataFrame, first: bool) -> dict[str, Any]:
    row = frame[frame["figure"] == ROUNDS].iloc[0]
    return {"rounds": row["b"]} | _change("rounds", row, first)


def _change(name: str, row: Any, first: bool) -> dict[str, Any]:
    """Return a figure's change against the first ruleset, its verdict and certainty; of that ruleset itself there is none."""
    change = {f"{name}_change{end}": np.nan if first else row[f"difference{end}"] for end in ALL}
    without = verdict_cells(Verdict.NOT_COMPARED, CHANGE) | {"certainty": "untested"}
    return change | {f"{name}_{column}": value if first else str(row[column]) for column, value in without.items()}
