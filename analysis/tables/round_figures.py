"""Games round by round: who is ahead, who comes back, and when a game is decided (table `rounds`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, unknown
from ..stats.inference import against_share, around, normal_together, points_above
from ..stats.rates import (
    SMALL_SAMPLE,
    as_cases,
    clustered_rate_columns,
    quantile_of_counts,
    rate_columns,
)
from .decoded_games import WHOLE, CodeNames, Games, places, wanted
from .game import median_interval
from .logit import chances
from .read import Runs, Sample, as_runs

# --- The course of games by what each seat has at the end of each round: winners and others, who is ahead, who is behind
#
# Runs have the table `rounds` if played with `newdawn run --rounds`. A round is read after the turns of all seats; figures on
# what follows a round are about the games that continued after it. All are associations: who is ahead in cities is ahead in
# other things, too.
#
# Favourites. After each round the seats' chances to win are estimated from all that they have, by a conditional logit (D.
# McFadden, 1974) of the differences at the table. Games are forecast by the fit to the other half of the games, so no game
# forecasts itself. The favourite is the seat with the best chance. `skill` is Brier's score (G. Brier, Monthly Weather Review
# 78, 1950) against that of the fair share, 1 - Σ(p - y)² / Σ(fair - y)²: 0, no better; 1, certain.

MEASURES = ("cities", "spaces", "dial", "wonders", "trade", "agendas", "combats_won")
CHANCE = "chance"
# Size of a step of deficit, which is a row.
DEFICITS = {"cities": 1, "spaces": 5, "dial": 4, "wonders": 1, "trade": 3, "agendas": 1, "combats_won": 3}
MOST_BEHIND = 4  # the last step, without an upper limit
MOST_FORECAST = 20_000  # games forecast at most
STEPS, RIDGE = 25, 1e-3


def measures_of(runs: Runs | RoundGames) -> list[str]:
    """Return the measures of the runs' rounds: the usual columns, the chance to win, and the user's columns."""
    if isinstance(runs, RoundGames):
        return runs.measures
    own = [[str(column["name"]) for column in run.manifest.get("plan", {}).get("columns", ())] for run in as_runs(runs)]
    return [*MEASURES, CHANCE, *(name for name in own[0] if all(name in others for others in own))]


def _measure(runs: Runs | RoundGames, measures: Sequence[str] | None) -> list[str]:
    possible = measures_of(runs)
    for name in measures or ():
        if name not in possible:
            raise unknown("measure", name, possible)
    return list(measures or possible)


class Courses:
    """Games with what their seats have at the end of each round."""

    def __init__(self, games: Games, rows: pd.DataFrame) -> None:
        self.games, self.rows = games, rows
        self.rounds = games.rounds.astype(np.int64)
        self.won = games.won / WHOLE
        self.wide = int(self.rounds.max(initial=0))
        self.at = (  # game, seat, round
            places(games.game_id, rows["game_id"]),
            rows["seat"].to_numpy(np.int64),
            rows["round"].to_numpy(np.int64) - 1,
        )

    def of(self, name: str) -> np.ndarray:
        """Return a column by game, seat and round, NaN where the game is over or the value missing."""
        values = np.full((len(self.games), self.games.players, self.wide), np.nan)
        values[self.at] = self.rows[name].to_numpy(float)
        return values

    @property
    def going(self) -> np.ndarray:
        """Return which decided games continue after each round."""
        return (np.arange(1, self.wide + 1) < self.rounds[:, None]) & self.games.decided[:, None]


@dataclass(frozen=True)
class RoundGames:
    """Games read for several questions, and the measures of their rounds."""

    measures: list[str]
    courses: list[Courses]

    @property
    def games(self) -> int:
        """Return the number of games."""
        return sum(len(course.games) for course in self.courses)


def read(runs: Runs) -> RoundGames:
    """Return the games of the runs with all measures of their rounds."""
    measures = measures_of(runs)
    return RoundGames(measures, list(courses_of(runs, measures)))


def courses_of(runs: Runs | RoundGames, measures: Sequence[str]) -> Iterator[Courses]:
    """Yield the games of the runs, shard by shard; raise UserError if a run has no rounds."""
    if isinstance(runs, RoundGames):
        yield from runs.courses
        return
    if isinstance(runs, Sample):
        raise TypeError("rounds are read from runs")
    tables = wanted(("won", "decided", "rounds")) | {"rounds": ["game_id", "round", "seat", *measures]}
    for run in as_runs(runs):
        for piece in run.pieces(tables):
            yield Courses(Games(piece, run.players, CodeNames()), piece["rounds"])


def _together(parts: Iterator[tuple[str, np.ndarray]], width: int) -> dict[str, np.ndarray]:
    """Return sums of arrays (…, rounds) by name; later parts may have more rounds."""
    totals: dict[str, np.ndarray] = {}
    for name, values in parts:
        current = totals.get(name)
        if current is None or current.shape[-1] < values.shape[-1]:
            total = np.zeros((*values.shape[:-1], max(values.shape[-1], width)))
            if current is not None:
                total[..., : current.shape[-1]] += current
            totals[name] = current = total
        current[..., : values.shape[-1]] += values
    return totals


def trajectories(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each measure and round what winners and others have on average, over games that someone won.

    `n` counts the games that had the round. Seats that share a win count for their shares; the others are those that did not
    win. `lead` is the mean difference of winners and others within games; it is tested for all rows together, before `measures`
    selects among them.
    """
    names, wanted = measures_of(runs), _measure(runs, measures)

    def sums() -> Iterator[tuple[str, np.ndarray]]:
        for course in courses_of(runs, names):
            share = course.won[:, :, None]
            everybody = np.all(course.won > 0, axis=1, keepdims=True)[
                :, :, None
            ]  # if all share the win, all are the others, too
            lost = (share == 0) | everybody
            rest = lost / np.maximum(lost.sum(axis=1, keepdims=True), 1)
            for name in names:
                value = course.of(name)
                won, other = (np.sum(weight * value, axis=1) for weight in (share, rest))
                counts = course.games.decided[:, None] & ~np.isnan(won)
                a, b = np.where(counts, won, 0.0), np.where(counts, other, 0.0)
                yield name, np.stack([part.sum(axis=0) for part in (counts, a, a * a, b, b * b, a - b, (a - b) ** 2)])

    parts = []
    for name, total in _together(sums(), 1).items():
        n = total[0]
        columns: dict[str, Any] = {"measure": name, "round": np.arange(1, len(n) + 1), "n": n.astype(np.int64)}
        for place, word in enumerate(("winners", "others")):
            columns |= around(word, *_mean(n, total[1 + 2 * place], total[2 + 2 * place]))
        columns |= dict(zip(("lead", "error"), _mean(n, *total[5:7]), strict=True))
        parts.append(pd.DataFrame(columns)[n > 0])
    frame = pd.concat(parts, ignore_index=True).assign(small_sample=lambda table: table["n"] < SMALL_SAMPLE)
    tested = normal_together("lead", frame["lead"], frame.pop("error"), frame["small_sample"], family="winners' courses")
    return _of(wanted, frame.assign(**tested))


def _of(measures: Sequence[str], frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of these measures, in their order."""
    return pd.concat([frame[frame["measure"] == name] for name in measures], ignore_index=True)


def _mean(n: np.ndarray, total: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return means over games and their standard errors."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        return mean, np.sqrt(np.maximum(squares / n - mean**2, 0) / (n - 1))


def ahead(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each measure and round how often the seat that leads alone in it wins in the end.

    `n` counts the decided games that continued after the round; in `leading` of them one seat had more than every other.
    `points` is the seat's win rate less the fair share, in percentage points, tested for all rows together, before `measures`
    selects among them.
    """
    names, wanted = measures_of(runs), _measure(runs, measures)

    def sums() -> Iterator[tuple[str, np.ndarray]]:
        for course in courses_of(runs, names):
            for name in names:
                value = course.of(name)
                valid = course.going & ~np.isnan(value).any(axis=1)
                best = np.max(value, axis=1)
                top = value == best[:, None]
                alone = valid & (top.sum(axis=1) == 1)
                wins = np.where(alone, (top * course.won[:, :, None]).sum(axis=1), 0.0)
                fair = alone / course.games.players
                yield name, np.stack([part.sum(axis=0) for part in (valid, alone, wins, fair)])

    parts = []
    for name, (n, leading, wins, fair) in _together(sums(), 1).items():
        columns = {"measure": name, "round": np.arange(1, len(n) + 1), "n": n, "leading": leading, "wins": wins, "fair": fair}
        parts.append(pd.DataFrame(columns)[n > 0])
    frame = pd.concat(parts, ignore_index=True).astype({"n": np.int64, "leading": np.int64})
    frame = frame.assign(**rate_columns(frame["leading"], frame["n"], "leading_rate"))
    frame = frame.assign(**rate_columns(frame["wins"], frame["leading"], "win_rate"))
    return _of(wanted, _points(frame, frame["wins"], frame["leading"], "who is ahead"))


def _points(frame: pd.DataFrame, wins: Any, cases: Any, family: str) -> pd.DataFrame:
    """Return the table with tests of the win rates less the fair share; `fair` are the wins expected by it."""
    n = frame["leading"] if "leading" in frame else frame["n"]
    fair = frame["fair"] / n.where(n > 0)
    tested = against_share("win_rate", wins, cases, fair, SMALL_SAMPLE, family)
    frame = frame.drop(columns="fair").assign(fair_share=fair, **tested, small_sample=n < SMALL_SAMPLE)
    return frame.assign(**points_above(frame, "win_rate", fair))


def behind(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each measure, round and deficit how often seats so far behind the best other seat win in the end.

    `behind` is the least deficit of the row, `behind_most` the largest (empty: no limit); 0 are seats that nobody is ahead of.
    `n` counts the seats of decided games that continued after the round; seats of one game are one case in the intervals.
    `points` is the win rate less the fair share, tested for all rows of the usual measures together, before `measures` selects
    among them; other measures, such as the chance to win, are tested by themselves.
    """
    wanted = _measure(runs, measures) if measures else list(DEFICITS)
    usual, others = list(DEFICITS), [name for name in wanted if name not in DEFICITS]
    families = [names for names in (usual, others) if set(names) & set(wanted)]
    return _of(wanted, pd.concat([_behind(runs, names) for names in families], ignore_index=True))


def _behind(runs: Runs | RoundGames, names: Sequence[str]) -> pd.DataFrame:
    """Return the rows of these measures, tested together."""

    def sums() -> Iterator[tuple[str, np.ndarray]]:
        for course in courses_of(runs, names):
            for name in names:
                yield name, np.stack(list(_deficits(course, name)))

    parts = []
    for name, total in _together(sums(), 1).items():
        width = DEFICITS.get(name, 1)
        for step, (n, wins, yy, ym, mm, fair) in enumerate(total):
            columns: dict[str, Any] = {"measure": name, "round": np.arange(1, len(n) + 1)}
            columns |= {"behind": 0 if step == 0 else 1 + (step - 1) * width}
            columns["behind_most"] = 0 if step == 0 else np.nan if step == MOST_BEHIND else step * width
            columns |= {"n": n, "wins": wins, "yy": yy, "ym": ym, "mm": mm, "fair": fair}
            parts.append(pd.DataFrame(columns)[n > 0])
    frame = pd.concat(parts, ignore_index=True).astype({"n": np.int64, "behind": np.int64})
    rate = frame["wins"] / frame["n"]
    squares = frame["yy"] - 2 * rate * frame["ym"] + rate**2 * frame["mm"]
    frame = frame.drop(columns=["yy", "ym", "mm"]).assign(
        **clustered_rate_columns(frame["wins"], frame["n"], squares, "win_rate")
    )
    frame = _points(frame, *as_cases(frame["wins"], frame["n"], squares), "who is behind")
    return frame.sort_values(["round", "behind"], kind="stable", ignore_index=True)


def _deficits(course: Courses, name: str) -> Iterator[np.ndarray]:
    """Yield for each step of deficit, by round: seats, wins, sums over games of y², y m and m², and wins by the fair share."""
    value, width = course.of(name), DEFICITS.get(name, 1)
    valid = course.going & ~np.isnan(value).any(axis=1)
    with np.errstate(invalid="ignore"):
        gap = np.max(value, axis=1)[:, None] - value
        step = np.where(gap <= 0, 0, np.minimum(1 + np.floor((np.maximum(gap, 1) - 1) / width), MOST_BEHIND))
    for number in range(MOST_BEHIND + 1):
        seats = (step == number) & valid[:, None]
        m, y = seats.sum(axis=1).astype(float), (seats * course.won[:, :, None]).sum(axis=1)
        yield np.stack([part.sum(axis=0) for part in (m, y, y * y, y * m, m * m, m / course.games.players)])


def decided(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return `favourites` and `settled`, from one forecast."""
    total, first, rounds = _forecasts(runs, measures)
    return _favourites(total), _settled(first, rounds)


def favourites(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return for each round how well all that the seats have forecasts the winner, and how many games are settled.

    `n` counts the games that continued after the round; in `favourite_rate` of them the seat with the best chance won, against
    `fair_share`. `forecast_rate` is its mean forecast chance. `settled_rate` is the share of these games whose winner was the
    favourite from this round to the end. At most 20,000 games are forecast. With `measures`, from these alone.
    """
    return decided(runs, measures)[0]


def _favourites(total: dict[str, np.ndarray]) -> pd.DataFrame:
    n = total["n"]
    frame = pd.DataFrame({"round": np.arange(1, len(n) + 1), "n": n.astype(np.int64)})
    with np.errstate(divide="ignore", invalid="ignore"):
        frame = frame.assign(**rate_columns(total["right"], n, "favourite_rate"), fair_share=total["fair"] / n)
        frame["forecast_rate"] = total["chance"] / n
        frame = frame.assign(**_skill(total), **rate_columns(total["settled"], n, "settled_rate"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame[frame["n"] > 0].reset_index(drop=True)


def settled(runs: Runs | RoundGames, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return one row: from the end of which round on the later winner was the favourite (`favourites`).

    `n` counts the games that someone won. `settled_round` is the median of these rounds with its interval, `settled_round_p25`
    and `settled_round_p75` their quartiles; `settled_share` the median of their share of the game's rounds; `last_round_rate`
    the share of the games that only their last round decided.
    """
    return decided(runs, measures)[1]


def _settled(first: np.ndarray, rounds: np.ndarray) -> pd.DataFrame:
    n = len(first)
    row: dict[str, Any] = {"n": n}
    for name, share in (("settled_round", 0.5), ("settled_round_p25", 0.25), ("settled_round_p75", 0.75)):
        row[name] = quantile_of_counts(*np.unique(first, return_counts=True), share)
    row["settled_round_low"], row["settled_round_high"] = median_interval(*np.unique(first.astype(float), return_counts=True))
    row["settled_share"] = float(np.median(first / rounds))
    frame = pd.DataFrame([row])
    late = np.array([np.count_nonzero(first == rounds)])
    return frame.assign(**rate_columns(late, np.array([n]), "last_round_rate"), small_sample=n < SMALL_SAMPLE)


def _forecasts(runs: Runs | RoundGames, measures: Sequence[str] | None) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Return sums of the forecasts by round, and for each game the round that settled it and its last round."""
    names = [name for name in _measure(runs, measures) if measures or name in MEASURES]
    tables: dict[int, list[DecidedGames]] = {}
    games = 0
    for course in courses_of(runs, names):
        tables.setdefault(course.games.players, []).append(_facts(course, names))
        games += len(tables[course.games.players][-1].won)
        if games >= MOST_FORECAST:
            break
    total: dict[str, np.ndarray] = {}
    when: list[np.ndarray] = []
    for parts in tables.values():
        sums, first = _forecast(parts)
        when.append(np.stack([first, np.concatenate([part.rounds for part in parts])]))
        for name, values in sums.items():
            old = total.get(name, np.zeros(0))
            total[name] = np.zeros(max(len(old), len(values)))
            for part in (old, values):
                total[name][: len(part)] += part
    if not total or not total["n"].any():
        raise UserError(f"fewer than {SMALL_SAMPLE} games that somebody won went on after round 1: too few to forecast")
    first, last = np.concatenate(when, axis=1)
    return total, first, last


@dataclass(frozen=True)
class DecidedGames:
    """Decided games: shares of the win, rounds, and rows of what a seat of a game has at the end of a round."""

    won: np.ndarray
    rounds: np.ndarray
    at: tuple[np.ndarray, np.ndarray, np.ndarray]  # round, game, seat
    values: np.ndarray


def _facts(course: Courses, names: Sequence[str]) -> DecidedGames:
    """Return the decided games, with the measures to forecast from."""
    usable = course.games.decided & (course.rounds > 0)
    game, seat, number = course.at
    rows = usable[game]
    at = number[rows], (np.cumsum(usable) - 1)[game[rows]], seat[rows]
    return DecidedGames(course.won[usable], course.rounds[usable], at, course.rows[list(names)].to_numpy(np.float32)[rows])


def _forecast(parts: Sequence[DecidedGames]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return sums of the forecasts by round, and the round that settled each game."""
    won, rounds = (np.concatenate([getattr(part, name) for part in parts]) for name in ("won", "rounds"))
    wide, players = int(rounds.max(initial=0)), won.shape[1]
    facts = np.full((wide, *won.shape, parts[0].values.shape[1]), np.nan, np.float32)
    before = 0
    for part in parts:
        number, game, seat = part.at
        facts[number, game + before, seat] = part.values
        before += len(part.won)
    best = np.zeros((len(won), wide), bool)  # whether the favourite is among the winners
    totals = {name: np.zeros(wide) for name in ("n", "right", "fair", "chance", "gain", "loss", "gg", "gl", "ll")}
    weights = [np.zeros(facts.shape[3])] * 2  # start: those of the round before
    half = np.arange(len(won)) % 2
    for at in range(wide):
        going = np.flatnonzero(rounds > at + 1)
        last = np.flatnonzero(rounds == at + 1)  # ends with this round: the winner is the favourite
        best[last, at] = True
        if len(going) < SMALL_SAMPLE:
            best[going, at] = False
            continue
        x = facts[at, going].astype(float)
        x = np.nan_to_num((x - x.mean(axis=1, keepdims=True)) / np.maximum(x.std(axis=(0, 1)), 1e-9))
        chance = np.zeros((len(going), players))
        for side in range(2):
            own = half[going] == side
            weights[side] = _fitted(x[~own], won[going][~own], weights[side])
            chance[own] = chances(x[own] @ weights[side])
        favourite = chance.argmax(axis=1)
        rows = np.arange(len(going))
        share = won[going][rows, favourite]
        best[going, at] = share > 0
        loss, fair = ((chance - won[going]) ** 2).sum(axis=1), ((1 / players - won[going]) ** 2).sum(axis=1)
        sums = {"n": np.ones(len(going)), "right": share, "fair": np.full(len(going), 1 / players), "loss": fair, "gain": loss}
        sums |= {"chance": chance[rows, favourite], "gg": loss * loss, "gl": loss * fair, "ll": fair * fair}
        for name, values in sums.items():
            totals[name][at] = values.sum()
    settled = np.flip(np.logical_and.accumulate(np.flip(best | (np.arange(1, wide + 1) >= rounds[:, None]), 1), 1), 1)
    totals["settled"] = (settled & (np.arange(1, wide + 1) < rounds[:, None])).sum(axis=0).astype(float)
    totals["settled"] = np.where(totals["n"] > 0, totals["settled"], 0)
    return totals, 1 + np.argmax(settled, axis=1)


def _fitted(x: np.ndarray, won: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the weights of a conditional logit by Newton's method, with a slight ridge, as a column may be constant."""
    size = x.shape[2]
    penalty = RIDGE * len(x) * np.eye(size)
    for _ in range(STEPS):
        chance = chances(x @ weight)
        mean = np.einsum("gs,gsk->gk", chance, x)
        gradient = np.einsum("gs,gsk->k", won - won.sum(axis=1, keepdims=True) * chance, x) - penalty @ weight
        flat = x.reshape(-1, size)
        information = flat.T @ (flat * chance.reshape(-1, 1)) - mean.T @ mean + penalty
        step = np.linalg.solve(information, gradient)
        weight = weight + step
        if np.abs(step).max(initial=0) < 1e-6:
            break
    return weight


def _skill(total: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the columns of `skill`, a ratio of means over games (delta method)."""
    n, loss, fair = total["n"], total["gain"], total["loss"]
    ratio = loss / fair
    square = total["gg"] - 2 * ratio * total["gl"] + ratio**2 * total["ll"]
    return around("skill", 1 - ratio, np.sqrt(np.maximum(square, 0) * n / np.maximum(n - 1, 1)) / fair)
