"""Tuning a rule: which value of a number brings a figure nearest to what is wanted.

Search. The numbers of the rules are small whole numbers, their legal values are few, and every look at one is noisy. So the
search is successive halving (Z. Karnin, T. Koren and O. Somekh, ICML 2013; K. Jamieson and A. Talwalkar, AISTATS 2016) over all
values in the range: all play a few games, the better half plays twice as many, and so on. Unlike the continuous
minimisers of SciPy it never asks for a value that is not there and does not take noise for slope; unlike a model-based
search (Optuna) it shows every value in the table. All values play the same seeds, so they are compared in pairs of games, and
games played in an earlier stage are used again. The value that the rules have stays in to the end.

Loss. What is made small: the variance of the true win rates (`leader-spread`), or the distance of the mean
length or of a leader's win rate from the wanted one. Differences of losses from the best value have the error of the pairs
(linearised) and p values corrected by Holm's method over all pairs of values, for any of them might have come out best by
luck; a value that is not significantly worse is *within noise*.

The winner of a search looks better than it is, because luck helped to choose it. So the best value and that of the rules
play fresh games at the end, which neither was chosen by: these figures (`confirmed`) are the ones to believe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pandas as pd

from newdawn.analysis.statistics.inference import holm, two_sided
from newdawn.analysis.trials.compare import SPREAD, Z
from newdawn.analysis.trials.headline import changes, figures_with, leader_rates, levels, play_figures
from newdawn.simulator.batch.run import Observer, Silent
from newdawn.simulator.errors import UserError, unknown
from newdawn.simulator.games.plan import Plan
from newdawn.simulator.names import LEADERS
from newdawn.simulator.rules.contents import names_of
from newdawn.simulator.rules.loading.load import Ruleset
from newdawn.simulator.rules.loading.parameters import Parameter, change

SIGNIFICANT = 0.05
FEWEST = 100  # games of the first stage at least
MOST_VALUES = 64
TARGETS = ("leader-spread", "game-length=ROUNDS", "win-rate:LEADER=SHARE")


@dataclass(frozen=True)
class Target:
    """What is wanted: a figure, and the value it should have (None: as small as possible)."""

    text: str
    figure: str
    wanted: float | None = None
    leaders: tuple[str, ...] = LEADERS  # of the ruleset, by their codes

    def loss(self, values: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss in the games (analysis/trials/headline.py), and its linearised term for each game."""
        if self.figure == SPREAD[1]:
            return leader_rates(values).variance()
        index = [figure for _, figure in figures_with(self.leaders)].index(self.figure)
        y, m = values[:, index, 0].astype(float), values[:, index, 1].astype(float)
        if m.sum() == 0:
            raise UserError(f"target {self.text}: the leader is at none of the tables")
        value = y.sum() / m.sum()
        terms = (y - value * m) / m.mean()
        if self.wanted is None:
            return float(value), terms
        return abs(float(value) - self.wanted), np.sign(value - self.wanted) * terms


def parse_target(text: str, leaders: Sequence[str] = LEADERS) -> Target:
    """Return the target that a text such as 'win-rate:Egypt=25%' means; raise UserError if it means none."""
    known = tuple(leaders)
    what, _, number = text.partition("=")
    word, _, leader = what.strip().partition(":")
    if word == "leader-spread":
        if number or leader:
            raise UserError(f"target '{text}': leader-spread takes no value; it is made as small as possible")
        return Target(text, SPREAD[1], leaders=known)
    if word == "game-length" and not leader:
        rounds = _number(text, number) if number else None
        if rounds is not None and not 0 < rounds < float("inf"):
            raise UserError(f"target '{text}': expected a number of rounds above 0; game-length alone: the shortest")
        return Target(text, "rounds", rounds, known)
    if word == "win-rate":
        name = next((name for name in known if name.lower() == leader.strip().lower()), None)
        if name is None:
            raise unknown("leader", leader, known)
        if not number:
            raise UserError(f"target '{text}': expected the win rate wanted, such as win-rate:{name}=25%")
        share = _number(text, number.strip().removesuffix("%")) / (100 if number.strip().endswith("%") else 1)
        if not 0 < share < 1:
            raise UserError(f"target '{text}': expected a share between 0% and 100%")
        return Target(text, f"win rate of {name}", share, known)
    raise unknown("target", text, TARGETS)


def _number(text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise UserError(f"target '{text}': '{number}' is no number") from None


def value_range(parameter: Parameter) -> range:
    """Return the values searched unless told otherwise: half as much to half as much again, at least three steps each way."""
    reach = max(3, abs(parameter.value) // 2)
    return range(parameter.value - reach, parameter.value + reach + 1)


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


@dataclass
class Tuned:
    """What a search found: a row a value (`table`), and fresh games of the best value against the rules' own (`confirmed`)."""

    parameters: list[Parameter]
    target: Target
    table: pd.DataFrame
    best: tuple[int, ...]
    confirmed: pd.DataFrame | None
    reason: str


def candidates(ruleset: Ruleset, numbers: Sequence[Parameter], ranges: Sequence[range]) -> list[Candidate]:
    """Return every legal combination of values, the rules' own first; raise UserError if there are too many or too few."""
    if prod(len(values) for values in ranges) > MOST_VALUES:
        raise UserError(f"--range: more than {MOST_VALUES} combinations of values; expected narrower ranges")
    own = tuple(parameter.value for parameter in numbers)
    leaders = names_of(ruleset.data, "leader")
    found, problem = [Candidate(own, ruleset, np.zeros((0, len(figures_with(leaders)), 2), np.float32))], ""
    for values in product(*ranges):
        if values == own:
            continue
        try:
            changed = change(ruleset, dict(zip(numbers, values, strict=True)))
        except UserError as error:
            problem = str(error)
            continue
        found.append(Candidate(values, changed, found[0].figures))
    if len(found) == 1:
        raise UserError(f"--range: no other legal value in it{f' ({problem})' if problem else ''}")
    return found


def stages(values: int, games: int) -> list[int]:
    """Return the games of each stage: the last has them all, each earlier one half as many, one stage a halving."""
    halvings = max(1, int(np.ceil(np.log2(values))))
    planned = [max(min(FEWEST, games), games >> (halvings - 1 - stage)) for stage in range(halvings)]
    return sorted(set(planned))


Play = Callable[[Ruleset, int, int], np.ndarray]  # (ruleset, first game, number of games) -> figures


def tune(
    plan: Plan, ruleset: Ruleset, numbers: Sequence[Parameter], target: Target, ranges: Sequence[range] | None = None,
    jobs: int = 1, observer: Observer | None = None,
) -> Tuned:  # fmt: skip
    """Search the values of the numbers for the smallest loss; the best ones play `plan.games` games.

    On Ctrl-C the search ends with what every value has played so far.
    """
    observer = observer or Silent()
    found = candidates(ruleset, numbers, ranges or [value_range(parameter) for parameter in numbers])
    total = _games_to_play(len(found), plan.games)

    def play(rules: Ruleset, first: int, n: int) -> np.ndarray:
        return play_figures(plan, rules, first, n, jobs, observer)

    observer.begin(total, 0)
    try:
        return search(play, found, list(numbers), target, plan.games)
    finally:
        observer.end()


def search(play: Play, found: list[Candidate], numbers: list[Parameter], target: Target, games: int) -> Tuned:
    """Do the search with the games that `play` plays; the first candidate is the rules' own."""
    alive, ruleset, reason, confirmed = list(found), found[0].ruleset, "the games asked for", None
    try:
        for goal in stages(len(found), games):
            for one in alive:
                one.figures = np.concatenate([one.figures, play(one.ruleset, one.games, goal - one.games)])
            ranked = sorted(alive, key=lambda one: target.loss(one.figures)[0])
            kept = ranked[: max(2, -(-len(alive) // 2))]
            alive = kept if found[0] in kept or goal == games else [*kept, found[0]]
        best = min((one for one in found if one.games == games), key=lambda one: target.loss(one.figures)[0])
        if best is not found[0]:
            confirmed = changes(play(ruleset, games, games), play(best.ruleset, games, games), leaders=target.leaders)
    except KeyboardInterrupt:
        found = [one for one in found if one.games > 1]
        if len(found) < 2:
            raise
        best = _best_so_far(found, target)
        reason = "stopped early by hand: do not choose the moment by the results"
    return Tuned(numbers, target, _table(found, best, numbers, target), best.values, confirmed, reason)


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
    return total + 2 * games


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
        row |= {"printed": one is found[0], "best": one is best}
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
    if row["best"]:
        return "best"
    return "worse" if row["p_holm"] <= SIGNIFICANT and row["loss_difference"] > 0 else "within noise of the best"
