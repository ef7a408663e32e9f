"""Tuning a rule: which value of a number brings a figure nearest to what is wanted.

Search. The numbers of the rules are small whole numbers, their legal values are few, and every look at one is noisy. So the
search is successive halving (Z. Karnin, T. Koren and O. Somekh, ICML 2013; K. Jamieson and A. Talwalkar, AISTATS 2016) over all
values in the range: all play a few games, the better half plays twice as many, and so on. Unlike the continuous
minimisers of SciPy it never asks for a value that is not there and does not take noise for slope; unlike a model-based
search (Optuna) it shows every value in the table. All values play the same seeds, so they are compared in pairs of games, and
games played in an earlier stage are used again. The value that the rules have stays in to the end.

Loss. What is made small: the variance of the true win rates (`leader-spread`, `seat-spread`), or the distance of the mean
length, of a rate or of an effect from the wanted one. For an effect each game is played in pairs, too, as in
experiments.py. Differences of losses from the best value have the error of the pairs (linearised) and p values corrected by
Holm's method over all pairs of values, for any of them might have come out best by luck; a value that is not significantly
worse is *within noise*.

The winner of a search looks better than it is, because luck helped to choose it. So the best value, the runner-up and that of
the rules play fresh games at the end, by which none of them was chosen: these figures (`confirmed`, confirm.py) are
the ones to believe. They say whether a value reaches the target, and the one nearest to it there is the one to take.
"""

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

from ...simulator import names
from ...simulator.batch.run import Observer, Silent
from ...simulator.errors import UserError
from ...simulator.games.plan import Plan
from ...simulator.rules.contents import names_of
from ...simulator.rules.loading.load import Ruleset
from ...simulator.rules.loading.parameters import Parameter, change, empties
from ..statistics.inference import holm, two_sided
from ..statistics.rates import CONFIDENCE
from .compare import SPREAD, Z
from .confirm import advised, confirm, level, too_few
from .experiments import play_pairs
from .headline import CHUNK, ROUNDS, figures_with, levels, play_figures
from .questions import Experiment, grant
from .target import Target

SIGNIFICANT = 0.05
FRESH = 3  # times as many games confirm as the search played last: a verdict needs a narrower interval than a choice
FEWEST = 100  # games of the first stage at least
MOST_VALUES = 64
# Places in the search, which luck has helped to; whether a value is good is said by fresh games.
FIRST, SECOND, NOISE, WORSE = "first in the search", "second in the search", "within noise of the first", "worse"


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

    `margin` is how near to the target is near enough (a share, or rounds; by default what headline.py calls a change
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
    return WORSE if row["p_holm"] <= SIGNIFICANT and row["loss_difference"] > 0 else NOISE
