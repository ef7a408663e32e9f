"""Tune: which value of a number meets a target? Targets, the search, and its confirmation by fresh games."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import joblib
import numpy as np
import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.errors import UserError, named, unknown
from ...simulator.rules.contents import names_of, printed_names, written
from ...simulator.rules.edit import Parameter, change, empties
from ...simulator.rules.load import Ruleset
from ...simulator.runs.plan import Plan
from ...simulator.runs.run import Observer, Player, Rows, Silent, play_listed, tables_of
from ...simulator.wording import counted
from ..stats import rates
from ..stats.answer import (
    MOST_GAMES,
    POWER,
    Verdict,
    Words,
    chances,
    error_that_decides,
    games_words,
    judged,
    quantile_for,
    round_up,
)
from ..stats.inference import QUANTILE, centring, holm, rate_spread, two_sided
from ..stats.rates import CONFIDENCE, wilson
from .compare import ROUNDS, SPREAD, Moments, Z, differences, game_figures, margin_of, subjects_of
from .experiment import Experiment, grant, play_pairs

# --- The headline figures of games played in memory
#
# Rounds, unfinished games, first player, leaders, and their spread.
#
# For questions that play many rulesets on the same seeds (balance.py). A ruleset's games are an array (games,
# figures, 2) of numerators and denominators, as in `analysis.questions.compare`, with the figures of FIGURES.

BEFORE_LEADERS = (
    ("game", ROUNDS),
    ("game", "unfinished games"),
    ("game", "win rate of the first player"),
    *(("seats", f"win rate of the {place} player") for place in ("second", "third", "fourth", "fifth")),
    # Of both boxes: what is not in a game is in none of the cases that its rate counts.
    *(("agendas", f"claim rate of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "agenda")),
    *(("wonders", f"build rate of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "wonder")),
    # Of pairs of games, with and without the wonder given to a seat: only a search for an effect plays them (tuning.py).
    *(("effects", f"effect of {name}") for name in printed_names(names.BOXES[names.TI_BOX], "wonder")),
)
FIRST_LEADER = len(BEFORE_LEADERS)
PLACES = slice(2, 7)  # the win rates by turn order
SEAT_SPREAD = ("seats", "seat spread")


def figures_with(leaders: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return group and name of each figure of a ruleset with these leaders, by their codes."""
    return (*BEFORE_LEADERS, *(("leaders", f"win rate of {name}") for name in leaders))


FIGURES = figures_with(names.LEADERS)
GROUPS = ("game", "leaders")
MARGIN = rates.POINTS / 100  # of shares: a change of so much matters to a designer
CHUNK, MOST = 100, 500  # games that a worker plays at a time: few for many workers, many because each piece has its price
Read = Callable[[Any, np.record, Rows], np.ndarray]  # (plan, rules, rows of some games) -> (games, figures, 2)


def is_mean(figure: str) -> bool:
    """Say whether a figure is a mean of numbers, and no share: rounds, and effects, which may be below 0."""
    return figure == ROUNDS or figure.startswith("effect of ")


def figures_of(plan: Any, r: np.record, rows: Rows) -> np.ndarray:
    """Return (games, figures, 2) of the rows of some games, as the comparison reads them off the tables."""
    frames = {name: part.to_pandas() for name, part in tables_of(plan, r, rows).items()}
    subjects = subjects_of(r)
    found = game_figures(frames, int(rows.games["game_id"][0]), len(rows.games), subjects)
    place = {figure: index for index, figure in enumerate(figures_with(subjects.leaders))}
    values = np.zeros((len(rows.games), len(place), 2), np.float32)
    known = [index for index, figure in enumerate(subjects.figures) if figure in place]
    values[:, [place[subjects.figures[index]] for index in known]] = found[:, known]
    seats = frames["seats"]
    at = (seats["game_id"].to_numpy() - int(rows.games["game_id"][0]), PLACES.start + seats["order"].to_numpy() - 1)
    values[(*at, 0)], values[(*at, 1)] = seats["won"], 1
    return values


def play_figures(
    plan: Any, ruleset: Any, first: int, n: int, jobs: int, observer: Observer, read: Read = figures_of
) -> np.ndarray:
    """Play games first … first + n - 1 of the plan under the ruleset; return their figures, as `read` finds them, in order."""
    return play_some(plan, ruleset, np.arange(first, first + n), jobs, observer, read)


def play_some(plan: Any, ruleset: Any, games: np.ndarray, jobs: int, observer: Observer, read: Read = figures_of) -> np.ndarray:
    """Play the games of these numbers, which ascend; return their figures in this order."""
    r = ruleset.compile()
    leaders = len(written(r, "leader"))
    Player(plan, r)  # imports the engine here, once, and checks that the plan fits the rules
    stop = threading.Event()

    def played(part: np.ndarray) -> np.ndarray | None:
        rows = play_listed(plan, r, part, observer, stop)
        return None if rows is None else read(plan, r, rows)

    size = min(MOST, max(CHUNK, -(-len(games) // jobs)))
    pieces = [games[start : start + size] for start in range(0, len(games), size)]
    parallel = joblib.Parallel(max(1, min(jobs, len(pieces))), backend="threading")
    try:
        parts: list[np.ndarray] = parallel(joblib.delayed(played)(piece) for piece in pieces)
    finally:
        stop.set()  # after Ctrl-C: the threads end within one chunk
    return np.concatenate(parts) if parts else np.zeros((0, FIRST_LEADER + leaders, 2), np.float32)


@dataclass(frozen=True)
class WinRates:
    """The win rates of the leaders that sat at the tables, or of the places in the turn order, and their errors."""

    rate: np.ndarray  # (rates,)
    terms: np.ndarray  # (games, rates) linearised terms of the rates

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of the errors of the rates; games are the clusters, so one's win is the others' loss."""
        n = len(self.terms)
        return self.terms.T @ self.terms / (n * (n - 1))

    def variance(self) -> tuple[float, np.ndarray]:
        """Return the variance of the true rates, without bias (stats/inference.py), and its term for each game."""
        centre = centring(len(self.rate))
        found = self.rate @ centre @ self.rate - np.trace(centre @ self.covariance)
        return float(found) / (len(self.rate) - 1), 2 / (len(self.rate) - 1) * self.terms @ centre @ self.rate


def leader_rates(values: np.ndarray) -> WinRates:
    """Return the leaders' win rates in games as `figures_of` returns them."""
    return _rates(values[:, FIRST_LEADER:])


def seat_rates(values: np.ndarray) -> WinRates:
    """Return the win rates by turn order in games as `figures_of` returns them."""
    return _rates(values[:, PLACES])


def _rates(values: np.ndarray) -> WinRates:
    found = values.astype(float)
    found = found[:, found[:, :, 1].sum(axis=0) > 0]
    y, m = found[:, :, 0], found[:, :, 1]
    rate = y.sum(axis=0) / m.sum(axis=0)
    return WinRates(rate, (y - rate * m) / m.mean(axis=0))


def mean_interval(y: np.ndarray, m: np.ndarray, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return the mean of `y` over the games that count (`m` 1, else 0) with its t interval; NaN without such a game."""
    n = int(m.sum())
    if n == 0:
        return np.nan, np.nan, np.nan
    values = y[m > 0]
    value = float(values.sum() / n)
    reach = float(stats.t.ppf(0.5 + confidence / 2, n - 1) * values.std(ddof=1) / np.sqrt(n)) if n > 1 else np.inf
    return value, value - reach, value + reach


def levels(values: np.ndarray, leaders: Sequence[str] = names.LEADERS) -> pd.DataFrame:
    """Return each figure with its 95% interval and n, under one ruleset; a leader that never sat at the table is left out."""
    rows = []
    for index, (group, figure) in enumerate(figures_with(leaders)):
        y, m = values[:, index, 0].astype(float), float(values[:, index, 1].sum())
        if m == 0:
            continue
        if is_mean(figure):
            value, low, high = mean_interval(y, values[:, index, 1])
        else:
            value = float(y.sum() / m)
            low, high = (float(end) for end in wilson(y.sum(), m))
        rows.append((group, figure, value, low, high, int(m)))
    before = sum(row[0] != "leaders" for row in rows)
    for spread, found in ((SPREAD, leader_rates(values)), (SEAT_SPREAD, seat_rates(values))):
        rows.insert(before, (*spread, *rate_spread(found.rate, found.covariance), len(values)))
    return pd.DataFrame(rows, columns=["group", "figure", "value", "low", "high", "n"])


def changes(
    a: np.ndarray, b: np.ndarray, groups: Sequence[str] = GROUPS, leaders: Sequence[str] = names.LEADERS
) -> pd.DataFrame:
    """Return each figure under two rulesets and its difference b - a; row k of both is the game of the same seed.

    Columns: group, figure, a, b, difference, low, high, p, n, changed (pairs that differ). p values are those of single
    questions.
    """
    figures = figures_with(leaders)
    moments = Moments.empty(len(figures), slice(FIRST_LEADER, len(figures)))
    moments.add(a.astype(float), b.astype(float))
    frame = differences(moments, figures=figures).rename(columns={"n_a": "n"})
    order = {figure: place for place, (_, figure) in enumerate([*figures[:FIRST_LEADER], SPREAD])}
    frame = frame.sort_values("figure", key=lambda column: column.map(order).fillna(len(order)), kind="stable")
    frame = frame[["group", "figure", "a", "b", "difference", "low", "high", "p", "n", "changed"]]
    return frame[frame["group"].isin(list(groups))].reset_index(drop=True)


# --- What a search for a rule is to reach
#
# A figure (`headline`), and the value it should have.

# Word of a target: what it is the rate of, and the figure's name.
RATES = {
    "win-rate": ("leader", "win rate of"),
    "claim-rate": ("agenda", "claim rate of"),
    "build-rate": ("wonder", "build rate of"),
}
FIRST_PLAYER = "win rate of the first player"
SPREADS = {"leader-spread": (SPREAD[1], leader_rates), "seat-spread": (SEAT_SPREAD[1], seat_rates)}
TARGETS = (
    *SPREADS, "game-length=ROUNDS", "first-player=SHARE",
    *(f"{word}:{what.upper()}=SHARE" for word, (what, *_) in RATES.items()), "effect:WONDER=POINTS",
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """What is wanted: a figure, and the value it should have (None: as small as possible)."""

    text: str
    figure: str
    wanted: float | None = None
    leaders: tuple[str, ...] = names.LEADERS  # of the ruleset, by their codes
    granted: str | None = None  # the wonder whose effect is asked for: each game is played with it given to a seat, too

    def loss(self, values: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss in the games, and its linearised term for each game."""
        for figure, rates_of in SPREADS.values():
            if self.figure == figure:
                return rates_of(values).variance()
        index = [figure for _, figure in figures_with(self.leaders)].index(self.figure)
        y, m = values[:, index, 0].astype(float), values[:, index, 1].astype(float)
        if m.sum() == 0:
            raise UserError(f"target {self.text}: what it asks about occurs in none of the games")
        value = y.sum() / m.sum()
        terms = (y - value * m) / m.mean()
        if self.wanted is None:
            return float(value), terms
        return abs(float(value) - self.wanted), np.sign(value - self.wanted) * terms


def parse_target(text: str, leaders: Sequence[str] = names.LEADERS, box: str = names.BOXES[0]) -> Target:
    """Return the target that a text such as 'win-rate:Egypt=25%' means in the box; raise UserError if it means none."""
    known = tuple(leaders)
    what, _, number = text.partition("=")
    word, _, name = what.strip().partition(":")
    if word in SPREADS:
        if number or name:
            raise UserError(f"target '{text}': {word} takes no value; it is made as small as possible")
        return Target(text, SPREADS[word][0], leaders=known)
    if word == "game-length" and not name:
        rounds = _number(text, number) if number else None
        if rounds is not None and not 0 < rounds < float("inf"):
            raise UserError(f"target '{text}': expected a number of rounds above 0; game-length alone: the shortest")
        return Target(text, "rounds", rounds, known)
    if word == "first-player" and not name:
        return Target(text, FIRST_PLAYER, _share(text, number), known)
    if word in RATES:
        what, figure = RATES[word]
        found = named(what, name, known if word == "win-rate" else printed_names(box, what))
        return Target(text, f"{figure} {found}", _share(text, number), known)
    if word == "effect":
        found = named("wonder", name, printed_names(box, "wonder"))
        return Target(text, f"effect of {found}", _points(text, number), known, granted=found)
    raise unknown("target", text, TARGETS)


def _points(text: str, number: str) -> float:
    """Return the effect wanted, as a share."""
    if not number:
        raise UserError(f"target '{text}': expected the points wanted of a seat's chance to win, such as {text.strip()}=5%")
    points = _number(text, number.strip().removesuffix("%")) / (100 if number.strip().endswith("%") else 1)
    if not -1 < points < 1:
        raise UserError(f"target '{text}': expected points between -100% and 100%")
    return points


def _share(text: str, number: str) -> float:
    """Return the share wanted."""
    if not number:
        rate = text.strip().partition(":")[0].replace("-", " ")
        raise UserError(f"target '{text}': expected the {rate} wanted, such as {text.strip()}=25%")
    share = _number(text, number.strip().removesuffix("%")) / (100 if number.strip().endswith("%") else 1)
    if not 0 < share < 1:
        raise UserError(f"target '{text}': expected a share between 0% and 100%")
    return share


def parse_margin(target: Target, text: str | None) -> float | None:
    """Return how near to the target is near enough, from a text such as '2%' (shares) or '0.5' (rounds); None: the default."""
    if text is None:
        return None
    if target.wanted is None:
        raise UserError(f"--margin: target {target.text} has no value to be near; leave --margin out")
    is_share = target.figure != ROUNDS
    number = text.strip().removesuffix("rounds").removesuffix("%").strip()
    try:
        found = float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        found = float("nan")
    if not 0 < found < (0.5 if is_share else float("inf")) or (not is_share and "%" in text):
        raise UserError(f"--margin '{text}': expected {'a share such as 2%' if is_share else 'a number of rounds such as 0.5'}")
    return found


def _number(text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise UserError(f"target '{text}': '{number}' is no number") from None


# --- Values of a rule on fresh games
#
# Does one bring a figure to its target?
#
# Whatever was chosen by some games looks better in them than it is, so the values chosen play other games, and these are
# judged: each figure with an interval, all of them together with 95% (Bonferroni), since the one that looks best is picked
# out.
#
# Verdicts are those of `statistics.answer`, against the target and a margin that says what is near enough: the whole interval
# within the margin of the target: *on target*; no part of it: *off target*; else *undecided*, with the fewest and the most
# fresh games that would decide with a probability of 80%. Targets without a number (the smallest leader spread, the shortest
# game) have no such verdict: values are compared with the rules' own, game by game on the same seeds.

ON, OFF, OPEN = "on target", "off target", "undecided"
RULES, BETTER, WORSE = "the rules", "better than the rules", "worse than the rules"
ALIKE = "no detectable difference from the rules"
TARGET = Words(OFF, OPEN, ON, OPEN, OFF, OPEN)  # of a figure against the value that it should have
BESIDE = Words(WORSE, ALIKE, ALIKE, ALIKE, BETTER, ALIKE)  # of a loss against that of the rules


def level(
    values: np.ndarray, figure: str, confidence: float = CONFIDENCE, leaders: Sequence[str] = names.LEADERS
) -> tuple[float, float, float, int]:
    """Return a figure in games (analysis/questions/tuning.py) with its interval, and how many games it is out of."""
    if figure in (SPREAD[1], SEAT_SPREAD[1]):
        rates = leader_rates(values) if figure == SPREAD[1] else seat_rates(values)
        return (*rate_spread(rates.rate, rates.covariance, confidence), len(values))
    index = [name for _, name in figures_with(leaders)].index(figure)
    y, n = values[:, index, 0].astype(float), int(values[:, index, 1].sum())
    if n == 0:
        return np.nan, np.nan, np.nan, 0
    if is_mean(figure):
        return (*mean_interval(y, values[:, index, 1], confidence), n)
    value = float(y.sum()) / n
    low, high = wilson(y.sum(), n, confidence)
    return value, float(low), float(high), n


def near_enough(target: Target, margin: float | None) -> float:
    """Return the margin of the target: the one asked for, or what matters of its figure."""
    return margin_of(target.figure) if margin is None else margin


def confirm(fresh: Sequence[np.ndarray], target: Target, margin: float | None = None) -> pd.DataFrame:
    """Judge the fresh games of several values against the target; the first are those of the rules.

    One row for each, in their order: `value` of the target's figure with `low` and `high` (together 95%), `loss`, `n`, and
    what `answer.judged` says: `verdict`, `certainty`, and the fewest and the most fresh games that would decide
    (`games_fewest`, `games_most`; NaN if the verdict is clear, or if no value is wanted).
    """
    together = 1 - (1 - CONFIDENCE) / len(fresh)
    rows = []
    for values in fresh:
        (value, low, high, n), alone = (level(values, target.figure, one, target.leaders) for one in (together, CONFIDENCE))
        rows.append({"value": value, "value_all_low": low, "value_all_high": high, "loss": target.loss(values)[0], "n": n,
                     "value_low": alone[1], "value_high": alone[2]})  # fmt: skip
    frame = pd.DataFrame(rows)
    if target.wanted is None:
        frame = pd.concat([frame, _against_rules(fresh, target)], axis=1)
    else:
        reach = near_enough(target, margin)
        frame = judged(frame, "value", reach, len(fresh[0]), TARGET, target.wanted, questions=len(fresh))
    return frame.drop(columns=["value_low", "value_high"]).rename(columns={f"value_all_{end}": end for end in ("low", "high")})


def too_few(games: np.ndarray, target: Target, margin: float | None, fresh: int, values: int) -> str:
    """Return that so many fresh games of several values are too few for the margin, by the spread of some games; '' if enough.

    They are enough if a value exactly on target is called so with a probability of 80%.
    """
    if target.wanted is None:
        return ""
    _, low, high, _ = level(games, target.figure, leaders=target.leaders)
    reach, quantile = near_enough(target, margin), quantile_for(values)
    error = (high - low) / 2 / QUANTILE * np.sqrt(len(games) / fresh)
    if not np.isfinite(error) or float(chances(0.0, error, reach, quantile)[Verdict.WITHIN]) >= POWER:
        return ""
    needed = fresh * (error / float(error_that_decides(0.0, reach, quantile, {Verdict.WITHIN}))) ** 2
    each = figure_words(quantile * error, target.figure).removesuffix("%")
    unit = "rounds" if target.figure == ROUNDS else "points"
    return (
        f"the margin of {figure_words(reach, target.figure).removesuffix('%')} {unit} is narrower than {fresh:,} fresh games "
        f"resolve (±{each} {unit}): a value on target may stay undecided; expected --fresh {round_up(needed)} or a wider margin"
    )


def _against_rules(fresh: Sequence[np.ndarray], target: Target) -> pd.DataFrame:
    """Return what is said of the values beside the rules' own, by the pairs of games, all of them together."""
    least, own = target.loss(fresh[0])
    quantile, rows = quantile_for(max(1, len(fresh) - 1)), []
    for values in fresh[1:]:
        loss, terms = target.loss(values)
        n = min(len(terms), len(own))
        reach = quantile * float((terms[:n] - own[:n]).std(ddof=1) / np.sqrt(n))
        rows.append({"gap": loss - least, "gap_all_low": loss - least - reach, "gap_all_high": loss - least + reach})
    columns = pd.Index(["gap", "gap_all_low", "gap_all_high"])
    found = judged(pd.DataFrame(rows, columns=columns), "gap", 0.0, len(own), BESIDE, questions=max(1, len(rows)))
    rules = pd.DataFrame([{"verdict": RULES, "certainty": "untested"}])
    found = pd.concat([rules, found[["verdict", "certainty"]]], ignore_index=True)
    return found.assign(games_fewest=np.nan, games_most=np.nan)


def advised(confirmed: pd.DataFrame) -> int:
    """Return the place of the value to take: the nearest to the target on fresh games, of those with the best verdict."""
    order = [ON, BETTER, OPEN, RULES, ALIKE, OFF, WORSE]
    rank = confirmed["verdict"].map(order.index)
    return int(pd.DataFrame({"rank": rank, "loss": confirmed["loss"]}).sort_values(["rank", "loss"], kind="stable").index[0])


def figure_words(value: float, figure: str, signed: bool = False) -> str:
    """Return a value of a figure in its unit: rounds, or per cent."""
    number = value if figure == ROUNDS else 100 * value
    text = f"{number:+.1f}" if signed else f"{number:.1f}"
    return text if figure == ROUNDS else f"{text}%"


def _none(values: int) -> str:
    """Return the subject of a sentence on values of which none …; of those that the search left, fresh games say nothing."""
    return f"Of {counted(values, 'value')} played on fresh games none"


def conclusion(
    words: Sequence[str], confirmed: pd.DataFrame, target: Target, margin: float | None = None, at: int | None = None
) -> str:
    """Return what fresh games say about the target; `words` name the values, `at` the one to take."""
    at = advised(confirmed) if at is None else at
    row = confirmed.iloc[at]
    figure, n = target.figure, f"n = {row['n']:,.0f}"
    interval = f"{figure_words(row['value'], figure)} [{figure_words(row['low'], figure)}, {figure_words(row['high'], figure)}]"
    if target.wanted is None:
        if row["verdict"] == BETTER:
            return f"Take {words[at]}: {figure} {interval}, less than under the rules ({n})."
        return f"{_none(len(confirmed) - 1)} does measurably better than the rules ({words[at]}): {figure} {interval} ({n})."
    unit = "rounds" if figure == ROUNDS else "points"
    reach = near_enough(target, margin) * (1 if figure == ROUNDS else 100)
    wanted = f"{figure_words(target.wanted, figure)} ± {reach:g} {unit}"
    if row["verdict"] == ON:
        return f"Take {words[at]}: {figure} {interval} reaches {wanted} ({n})."
    if row["verdict"] == OFF:
        return f"{_none(len(confirmed))} reaches {wanted}. The nearest is {words[at]} with {figure} {interval} ({n})."
    return (
        f"Undecided whether a value reaches {wanted}. The nearest is {words[at]} with {figure} {interval} ({n}). "
        f"{deciding(row)}"
    )


def deciding(row: Any) -> str:
    """Return how many fresh games would decide an open verdict, as a sentence."""
    words = games_words(row["games_fewest"], row["games_most"])
    return f"{words[0].upper()}{words[1:]}{' would decide (--fresh)' if row['games_fewest'] <= MOST_GAMES else ''}."


# --- Tuning a rule
#
# Which value of a number brings a figure nearest to what is wanted.
#
# Search. The numbers of the rules are small whole numbers, their legal values are few, and every look at one is noisy. So the
# search is successive halving (Z. Karnin, T. Koren and O. Somekh, ICML 2013; K. Jamieson and A. Talwalkar, AISTATS 2016) over
# all values in the range: all play a few games, the better half plays twice as many, and so on. Unlike the continuous
# minimisers of SciPy it never asks for a value that is not there and does not take noise for slope; unlike a model-based
# search (Optuna) it shows every value in the table. All values play the same seeds, so they are compared in pairs of games,
# and games played in an earlier stage are used again. The value that the rules have stays in to the end.
#
# Loss. What is made small: the variance of the true win rates (`leader-spread`, `seat-spread`), or the distance of the mean
# length, of a rate or of an effect from the wanted one. For an effect each game is played in pairs, too, as in
# experiment.py. Differences of losses from the best value have the error of the pairs (linearised) and p values corrected by
# Holm's method over all pairs of values, for any of them might have come out best by luck; a value that is not significantly
# worse is *within noise*.
#
# The winner of a search looks better than it is, because luck helped to choose it. So the best value, the runner-up and that
# of the rules play fresh games at the end, by which none of them was chosen: these figures (`confirmed`) are the
# ones to believe. They say whether a value reaches the target, and the one nearest to it there is the one to take.

SIGNIFICANT = 0.05
FRESH = 3  # times as many games confirm as the search played last: a verdict needs a narrower interval than a choice
FEWEST = 100  # games of the first stage at least
MOST_VALUES = 64
# Places in the search, which luck has helped to; whether a value is good is said by fresh games.
FIRST, SECOND, NOISE, TUNING_WORSE = "first in the search", "second in the search", "within noise of the first", "worse"


def value_range(parameter: Parameter) -> range:
    """Return the values searched unless told otherwise: half as much to half as much again, at least three steps each way.

    Those that leave an ability without effect are not among them.
    """
    own, reach = parameter.value, max(3, abs(parameter.value) // 2)
    kept = [value for value in range(own - reach, own + reach + 1) if not empties(parameter.path, own, value)]
    return range(kept[0], kept[-1] + 1)


@dataclass
class Candidate:
    """Values of the parameters, their ruleset, and the figures of the games played with them."""

    values: tuple[int, ...]
    ruleset: Ruleset
    figures: np.ndarray

    @property
    def games(self) -> int:
        """Games played so far."""
        return len(self.figures)


def candidate_of(values: tuple[int, ...], ruleset: Ruleset) -> Candidate:
    """Return a candidate that has not played yet."""
    figures = figures_with(names_of(ruleset.data, "leader"))
    return Candidate(values, ruleset, np.zeros((0, len(figures), 2), np.float32))


@dataclass
class Tuned:
    """What a search found: a row a value (`table`), and the figures of fresh games (`confirmed`, None if there are none).

    `best` came out first in the search; `confirmed` has a row for the rules' values, the first and the second (`values`,
    `role`, the columns of `confirm`), and `advice` is the place of the one to take in it.
    """

    parameters: list[Parameter]
    target: Target
    table: pd.DataFrame
    best: tuple[int, ...]
    confirmed: pd.DataFrame | None
    reason: str
    margin: float | None = None

    @property
    def advice(self) -> int:
        """Return the row of `confirmed` to take."""
        assert self.confirmed is not None
        return advised(self.confirmed)


def candidates(ruleset: Ruleset, numbers: Sequence[Parameter], ranges: Sequence[range]) -> list[Candidate]:
    """Return every legal combination of values, the rules' own first; raise UserError if there are too many or too few."""
    if prod(len(values) for values in ranges) > MOST_VALUES:
        raise UserError(f"--range: more than {MOST_VALUES} combinations of values; expected narrower ranges")
    own = tuple(parameter.value for parameter in numbers)
    found, problem = [candidate_of(own, ruleset)], ""
    for values in product(*ranges):
        if values == own:
            continue
        try:
            changed = change(ruleset, dict(zip(numbers, values, strict=True)))
        except UserError as error:
            problem = str(error)
            continue
        found.append(candidate_of(values, changed))
    if len(found) == 1:
        raise UserError(f"--range: it contains no other legal value{f' ({problem})' if problem else ''}")
    return found


def stages(values: int, games: int) -> list[int]:
    """Return the games of each stage: the last has them all, each earlier one half as many, one stage a halving."""
    halvings = max(1, int(np.ceil(np.log2(values))))
    planned = [max(min(FEWEST, games), games >> (halvings - 1 - stage)) for stage in range(halvings)]
    return sorted(set(planned))


Play = Callable[[Ruleset, int, int], np.ndarray]  # (ruleset, first game, number of games) -> figures


def tune(
    plan: Plan, ruleset: Ruleset, numbers: Sequence[Parameter], target: Target, ranges: Sequence[range] | None = None,
    jobs: int = 1, observer: Observer | None = None, margin: float | None = None,
    fresh: int | None = None,
) -> Tuned:  # fmt: skip
    """Search the values of the numbers for the smallest loss; the best ones play `plan.games` games.

    `margin` is how near to the target is near enough (a share, or rounds; by default what `margin_of` calls a change
    that matters), `fresh` how many games confirm (default: FRESH times as many). On Ctrl-C the search ends with what every
    value has played so far.
    """
    observer = observer or Silent()
    found = candidates(ruleset, numbers, ranges or [value_range(parameter) for parameter in numbers])
    fresh = fresh or FRESH * plan.games
    total = (_games_to_play(len(found), plan.games) + 3 * fresh) * (1 if target.granted is None else 2)

    def play(rules: Ruleset, first: int, n: int) -> np.ndarray:
        values = play_figures(plan, rules, first, n, jobs, observer)
        if target.granted is not None:
            figure = [name for _, name in figures_with(target.leaders)].index(target.figure)
            values[:, figure] = play_effect(grant(plan, rules, [target.granted]), first, n, jobs, observer)
        return values

    observer.begin(total, 0)
    try:
        return search(play, found, list(numbers), target, plan.games, margin, fresh, observer)
    finally:
        observer.end()


def play_effect(experiment: Experiment, first: int, n: int, jobs: int, observer: Observer) -> np.ndarray:
    """Play pairs of games, with and without the experiment's one treatment; return (n, 2): the effect in each, and 1 if it was
    given, else 0.
    """
    stop = threading.Event()
    starts = range(first, first + n, CHUNK)
    parallel = joblib.Parallel(max(1, min(jobs, len(starts))), backend="threading")
    try:
        parts = parallel(
            joblib.delayed(play_pairs)(experiment, start, min(CHUNK, first + n - start), stop, observer) for start in starts
        )
    finally:
        stop.set()  # after Ctrl-C: the threads end within one chunk
    values = np.zeros((n, 2), np.float32)
    for pairs in parts:
        given = pairs[pairs["outcome"] == names.TREATED_YES]
        at = given["game_id"] - first
        values[at, 0], values[at, 1] = given["won_with"] - given["won_without"], 1
    return values


def search(
    play: Play, found: list[Candidate], numbers: list[Parameter], target: Target, games: int, margin: float | None = None,
    fresh: int | None = None, observer: Observer | None = None,
) -> Tuned:  # fmt: skip
    """Do the search with the games that `play` plays; the first candidate is the rules' own."""
    reason, confirmed = "the games asked for", None
    try:
        own = found[0]
        own.figures = play(own.ruleset, 0, stages(len(found), games)[0])
        if (note := too_few(own.figures, target, margin, fresh or games, 3)) and observer is not None:
            observer.note(note)
        best, second = halve(play, found, target, games)[:2]

        def play_fresh(rules: Ruleset) -> np.ndarray:
            return play(rules, games, fresh or games)

        confirmed = _confirmed(play_fresh, found[0], best, second, target, margin)
    except KeyboardInterrupt:
        found = [one for one in found if one.games > 1]
        if len(found) < 2:
            raise
        best = _best_so_far(found, target)
        reason = "stopped early by hand: results are biased if you chose the moment by them"
    return Tuned(numbers, target, _table(found, best, numbers, target), best.values, confirmed, reason, margin)


def halve(play: Play, found: list[Candidate], target: Target, games: int) -> list[Candidate]:
    """Play the stages; return those that have played all games, the smallest loss first. The first candidate stays in."""
    alive = list(found)
    for goal in stages(len(found), games):
        for one in (one for one in alive if one.games < goal):
            one.figures = np.concatenate([one.figures, play(one.ruleset, one.games, goal - one.games)])
        ranked = sorted(alive, key=lambda one: target.loss(one.figures)[0])
        kept = ranked[: max(2, -(-len(alive) // 2))]
        alive = kept if found[0] in kept or goal == games else [*kept, found[0]]
    return sorted((one for one in found if one.games == games), key=lambda one: target.loss(one.figures)[0])


def _confirmed(
    play: Callable[[Ruleset], np.ndarray], own: Candidate, best: Candidate, second: Candidate, target: Target,
    margin: float | None,
) -> pd.DataFrame:  # fmt: skip
    """Return the figures of fresh games: of the rules' values, the first and the second of the search, each once."""
    roles: dict[tuple[int, ...], list[str]] = {}
    for one, role in ((own, "rules"), (best, FIRST), (second, SECOND)):
        roles.setdefault(one.values, []).append(role)
    rulesets = {one.values: one.ruleset for one in (own, best, second)}
    fresh = [play(rulesets[values]) for values in roles]
    frame = confirm(fresh, target, margin)
    frame.insert(0, "values", list(roles))
    frame.insert(1, "role", [" and ".join(words) for words in roles.values()])
    for figure in (ROUNDS, SPREAD[1]):
        found = [level(values, figure, 1 - (1 - CONFIDENCE) / len(fresh), target.leaders) for values in fresh]
        name = figure.replace(" ", "_")
        frame = frame.assign(**{f"{name}{end}": [row[i] for row in found] for i, end in enumerate(("", "_low", "_high"))})
    return frame


def _best_so_far(found: list[Candidate], target: Target) -> Candidate:
    """Return the best of the candidates that have played most."""
    most = max(one.games for one in found)
    return min((one for one in found if one.games == most), key=lambda one: target.loss(one.figures)[0])


def _games_to_play(values: int, games: int) -> int:
    """Return how many games a search plays, at most."""
    total, alive, before = 0, values, 0
    for goal in stages(values, games):
        total += alive * (goal - before)
        before, alive = goal, max(2, -(-alive // 2)) + 1
    return total


def _table(found: list[Candidate], best: Candidate, numbers: Sequence[Parameter], target: Target) -> pd.DataFrame:
    """Return a row a candidate: its values, headline figures with intervals, and how its loss differs from the best one's."""
    rows = []
    for one in found:
        row: dict[str, Any] = {parameter.path: value for parameter, value in zip(numbers, one.values, strict=True)}
        n = min(one.games, best.games)
        (loss, terms), (least, others) = (target.loss(each.figures[:n]) for each in (one, best))
        error = float((terms - others).std(ddof=1) / np.sqrt(n))
        gap = loss - least
        p = np.nan if one is best else float(two_sided(gap, error))
        row |= {"loss": target.loss(one.figures)[0], "loss_difference": gap, "loss_difference_low": gap - Z * error}
        row |= {"loss_difference_high": gap + Z * error, "p": p, "n": one.games}
        for figure in levels(one.figures, target.leaders).to_dict("records"):
            name = figure["figure"].replace(" ", "_")
            row |= {name: figure["value"], f"{name}_low": figure["low"], f"{name}_high": figure["high"]}
        row |= {"printed": one is found[0], "first": one is best}
        rows.append(row)
    frame = pd.DataFrame(rows)
    frame["p_holm"] = _over_all_pairs(frame["p"].to_numpy())
    frame["verdict"] = [_verdict(row) for _, row in frame.iterrows()]
    return frame.sort_values([parameter.path for parameter in numbers], ignore_index=True)


def _over_all_pairs(p: np.ndarray) -> np.ndarray:
    """Return p values corrected by Holm; pairs without the best value are not tested and count as tests without a finding."""
    unseen = np.ones(len(p) * (len(p) - 1) // 2 - int((~np.isnan(p)).sum()))
    return holm(np.concatenate([p, unseen]))[: len(p)]


def _verdict(row: pd.Series) -> str:
    if row["first"]:
        return FIRST
    return TUNING_WORSE if row["p_holm"] <= SIGNIFICANT and row["loss_difference"] > 0 else NOISE
