"""How strong leaders are, corrected for seat, opponents and strategy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from scipy import special

from ...simulator.errors import UserError, counted, listed
from ..stats.inference import (
    ENDS,
    against_share,
    around,
    distinct,
    exact_against_share,
    exact_ends,
    holm,
    normal_ends,
    normal_together,
    partial_pooling,
    points_above,
    rate_spread,
    score_against_share,
    score_ends,
    simultaneous_ranks,
    together,
)
from ..stats.rates import (
    CONFIDENCE,
    ENOUGH,
    MANY_LEADERS,
    SMALL_SAMPLE,
    as_cases,
    clustered_rate_columns,
    hardly_any,
    places,
    rate_columns,
)
from ..stats.sample_sizes import Looks, held, looks_of
from .logit import (
    DEFAULT_FACTORS,
    FACTORS,
    NOTHING_LEFT,
    Fit,
    Inseparable,
    Outcomes,
    Runs,
    TableOutcomes,
    balanced,
    balanced_rates,
    decided,
    expected_shares,
    fit_logit,
    left_over,
    observed,
    observed_rates,
    order_factor,
    outcomes,
    present,
    slopes,
)
from .read import Run, Sample
from .win_rates import leader_sums, leader_table

# --- What the others would win if one leader won its fair share
#
# Wins are zero-sum, so one strong leader makes others look weak.
#
# In the model of who wins (`logit`) the leader's log odds are moved until it wins the fair share at balanced tables; all other
# effects stay. Errors are by the delta method and include that of the move. Side effects of the rule change that mends the
# leader are not modelled; `newdawn balance` plays them.

MOST_STEPS = 50
NEAR = 1e-10  # of the fair share


def once_mended(data: Outcomes, leader: str, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return how all other leaders would stand if `leader` won its fair share, the strongest first.

    `mended` names the leader, `decided` counts games that somebody won. `rate_now` and `points_now` are the present win rate at
    balanced tables and its distance from the fair share; `adjusted_rate` and `points` are those with the leader mended, with
    intervals; `p` and `p_adjusted` test whether it is the fair share. Leaders with few games, wins or losses are not tested.
    """
    data = present(data)
    fit, names = fit_logit(data, factors), data.levels["leader"]
    at = names.index(leader)
    now, _, fair = balanced(fit, data, "leader")
    moved = _with_fair_share(fit, data, at, fair)
    rate, jacobian, _ = balanced(moved, data, "leader")
    step = jacobian @ _direction(fit, at)
    # The leader's rate is held: its own log odds absorb any change of the estimates.
    slopes = jacobian - np.outer(step, jacobian[at] / step[at])
    error = np.sqrt(np.einsum("kp,pq,kq->k", slopes, fit.covariance, slopes).clip(0))
    others = np.arange(len(names)) != at
    rate, error, games = rate[others], error[others], decided(data, "leader")
    few = np.asarray((games < SMALL_SAMPLE) | hardly_any(observed(data, "leader")["wins"], games))[others]
    points, ends = 100 * (rate - fair), score_ends(rate, error)
    (low, high), p = normal_ends(points, 100 * error)(CONFIDENCE), score_against_share(rate, error, fair)
    frame = pd.DataFrame({"leader": np.array(names)[others], "mended": leader, "decided": games[others].astype(np.int64)})
    frame = frame.assign(small_sample=few, fair_share=fair, rate_now=now[others], points_now=100 * (now[others] - fair))
    frame = frame.assign(points=points, points_low=low, points_high=high)

    def in_points(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = ends(confidence)
        return 100 * (low - fair), 100 * (high - fair)

    p = np.where(few, np.nan, p)
    frame = frame.assign(**together("points", p, in_points, family="leaders once one is mended"))
    for end in ENDS:
        frame[f"adjusted_rate{end}"] = fair + frame[f"points{end}"] / 100
    return frame.sort_values("points", ascending=False, ignore_index=True)


def _direction(fit: Fit, at: int) -> np.ndarray:
    """Return the change of the parameters when the log odds of one leader rise by 1 against all others."""
    place = fit.places["leader"]
    direction = np.zeros(len(fit.parameters))
    size = place.stop - place.start
    direction[place] = (np.arange(size) == at) - 1 / (size + 1)
    return direction


def _with_fair_share(fit: Fit, data: Outcomes, at: int, fair: float) -> Fit:
    """Return the fit with the log odds of one leader such that it wins the fair share at balanced tables (Newton)."""
    direction = _direction(fit, at)
    for _ in range(MOST_STEPS):
        rate, jacobian, _ = balanced(fit, data, "leader")
        gap = fair - rate[at]
        if abs(gap) < NEAR:
            break
        fit = replace(fit, parameters=fit.parameters + np.clip(gap / float(jacobian[at] @ direction), -1, 1) * direction)
    return fit


# --- Strength of leaders, corrected for seat, opponents and strategies (`logit`)
#
# Intervals `_low` to `_high` are 95% each; `_all_low` to `_all_high`, `p_adjusted` and the ranks hold for all rows together
# (`stats.inference`). Rows with hardly a win or a loss are small samples (`stats.rates.hardly_any`).


def _strengths(data: Outcomes, factors: Iterable[str], factor: str = "leader") -> pd.DataFrame:
    data = present(data)
    frame = observed(data, factor)
    if len(data.levels[factor]) < 2:
        raise UserError(f"{factor}: only '{data.levels[factor][0]}' played, so there is nothing to compare")
    fit = fit_logit(data, factors)
    frame["decided"] = decided(data, factor).astype(np.int64)
    few = (frame["decided"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["decided"])
    log_odds, covariance = fit.effects(factor)
    error = np.sqrt(np.diag(covariance))
    frame = frame.assign(**observed_rates(data, factor), small_sample=few)
    balanced_rate, balanced_covariance, fair = balanced_rates(fit, data, factor)
    frame = frame.join(against_fair_share(balanced_rate, balanced_covariance, fair))
    frame = frame.assign(**around("pooled_rate", *partial_pooling(balanced_rate, balanced_covariance, fair)))
    expected = among_players(data, factor, factors, frame["fair_share"])
    frame = points_together(frame.assign(expected=expected), family="strategies" if factor == "strategy" else "")
    odds = around("odds_ratio", log_odds, error)
    frame = frame.assign(log_odds=log_odds, error=error, **{name: np.exp(value) for name, value in odds.items()})
    best, worst, first = simultaneous_ranks(log_odds, covariance)
    if few.any():
        best, worst = places(frame["adjusted_rate_all_low"], frame["adjusted_rate_all_high"])
    frame = frame.assign(rank_best=best, rank_worst=worst, chance_first=first)
    frame["unfinished"] = fit.games - fit.finished
    frame = frame.sort_values("log_odds", ascending=False, ignore_index=True)
    frame.insert(1, "rank", np.arange(1, len(frame) + 1))
    return frame


def against_fair_share(rate: np.ndarray, covariance: np.ndarray, fair: float) -> pd.DataFrame:
    """Return win rates at balanced tables, the fair share, `points` (their difference) and its error `points_error`."""
    error = np.sqrt(np.diag(covariance))
    columns = around("adjusted_rate", rate, error) | {"fair_share": fair} | around("points", 100 * (rate - fair), 100 * error)
    return pd.DataFrame(columns | {"points_error": 100 * error})


def among_players(data: Outcomes, factor: str, factors: Iterable[str], fair: Any) -> Any:
    """Return the share of its games each level should win given who played; the fair share if one strategy played all.

    NaN if several strategies played and their strength is not among the factors or cannot be estimated.
    """
    factors = tuple(factors)
    if factor == "strategy" or len(data.levels.get("strategy", ())) < 2:
        return fair
    if "strategy" not in factors:
        return np.nan
    for others in dict.fromkeys((tuple(name for name in factors if name not in (factor, "leader")), ("strategy",))):
        try:
            return expected_shares(data, factor, fit_logit(data, others))
        except UserError:
            continue
    return np.nan


def points_together(frame: pd.DataFrame, group: str | None = None, family: str = "") -> pd.DataFrame:
    """Return the table with tests of its `points` and simultaneous intervals of points and rates.

    `group`: see `distinct`; `family`: see `weight_of`. Intervals and tests are score intervals and score tests, with the error
    that the rate would have at the fair share: the estimate's own error is too small where a rate is low by chance (false
    positives in 8% of tables of 500 games decided by lot). The model's errors are far too small in small samples, so these have
    exact intervals and tests of the decided games against their `expected` share, which are conservative where chances differ
    between games (W. Hoeffding, Annals of Mathematical Statistics 27, 1956). Their rate has the odds ratio to the fair share
    that the observed rate has to the expected one. Rows without an expected share are not tested.
    """
    few, fair = frame["small_sample"].to_numpy(bool), frame["fair_share"].to_numpy(float)
    wins, n = frame["wins"].to_numpy(float), frame["decided"].to_numpy(float)
    rate, error = fair + frame["points"].to_numpy(float) / 100, frame["points_error"].to_numpy(float) / 100
    expected = frame["expected"].to_numpy(float)
    unknown, expected = np.isnan(expected), np.where(np.isnan(expected), fair, expected)
    score, as_played = score_ends(rate, error), exact_ends(wins, n)

    def at_fair_odds(share: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore"):
            return np.asarray(special.expit(special.logit(share) + special.logit(fair) - special.logit(expected)))

    def exact(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = as_played(confidence)
        return at_fair_odds(low), at_fair_odds(high)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        pairs = zip(score(confidence), exact(confidence), strict=True)
        low, high = (100 * (np.where(few, exact_alone, model) - fair) for model, exact_alone in pairs)
        return low, high

    p = np.where(few, exact_against_share(wins, n, expected), score_against_share(rate, error, fair))
    p = np.where(few & unknown, np.nan, p)
    played = 100 * (at_fair_odds(np.divide(wins, n, out=expected.copy(), where=n > 0)) - fair)
    points = np.where(few, played, frame["points"])
    (low, high), exact_alone = normal_ends(frame["points"], frame["points_error"])(CONFIDENCE), exact(CONFIDENCE)
    low, high = (
        np.where(few, 100 * (exact_end - fair), model) for model, exact_end in ((low, exact_alone[0]), (high, exact_alone[1]))
    )
    frame = frame.assign(points=points, points_low=low, points_high=high)
    for end in ("", "_low", "_high"):
        frame[f"adjusted_rate{end}"] = fair + frame[f"points{end}"] / 100
    questions = distinct(points, p, None if group is None else frame[group])
    frame = frame.assign(**together("points", p, ends, questions, family=family))
    for end in ("all_low", "all_high"):
        frame[f"adjusted_rate_{end}"] = frame["fair_share"] + frame[f"points_{end}"] / 100
    return frame.drop(columns=["points_error", "expected"])


def strengths(
    runs: Runs, by: str | None = None, factors: Iterable[str] = DEFAULT_FACTORS, factor: str = "leader"
) -> pd.DataFrame:
    """Return the leaders by strength, corrected for turn order, opponents and strategies.

    `decided` counts the leader's games that somebody won; the model uses only these. `adjusted_rate` is the share of them
    the leader would win if every line-up of leaders played equally often in every turn order; `points` is that less the fair
    share, in percentage points, and `p` asks whether it is 0; `odds_ratio` compares the odds with those of the average leader.
    `rank_best` to `rank_worst` are the ranks that remain possible (simultaneously for all leaders). `small_sample` marks
    leaders with fewer than 10 wins or losses, too: their intervals are much too narrow. `pooled_rate` is the better estimate
    where leaders have few games, some 500 or fewer: the rate shrunk towards the fair share (`stats.inference.partial_pooling`);
    its intervals hold on average over the leaders. `unfinished` counts the games of the whole table that nobody won. With
    `by="players"` each player count has a model of its own. `factor` may be 'strategy'.
    """
    factors = tuple(factors)
    data = outcomes(runs, dict.fromkeys((*factors, factor)), cards=False)
    if by is None:
        return _strengths(data, factors, factor)
    if by != "players":
        raise UserError(f"strengths by '{by}': expected players")
    parts = []
    for players, own in data.by_players().items():
        part = _strengths(own, factors, factor)
        part.insert(0, "players", players)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def plain_strengths(runs: Run | Sequence[Run] | Sample) -> pd.DataFrame:
    """Return the leaders' plain win rates in the columns of `strengths`, for games that no model fits.

    As in the model, rates are of the games that somebody won. The test is the score test, which Wilson's interval inverts.
    """
    sums = leader_sums(runs)
    frame = leader_table(sums).assign(decided=lambda table: table["n"] - table["unfinished"])
    wins, n, fair = frame["wins"], frame["decided"], frame["fair_share"]
    squares = sums.set_index("leader")["squares"].loc[frame["leader"]].to_numpy() - wins**2 / n
    frame = frame.assign(**clustered_rate_columns(wins, n, squares, "adjusted_rate"))
    frame = frame.assign(**against_share("adjusted_rate", *as_cases(wins, n, squares), fair))
    frame["small_sample"] = n < SMALL_SAMPLE
    rate, cases = frame["adjusted_rate"].to_numpy(), as_cases(wins, n, squares)[1]
    pooled = partial_pooling(rate, np.diag(fair * (1 - fair) / np.maximum(cases, 1)), fair)
    frame = frame.assign(**around("pooled_rate", *pooled))
    frame = frame.assign(**points_above(frame, "adjusted_rate", fair))
    frame["rank_best"], frame["rank_worst"] = places(frame["adjusted_rate_all_low"], frame["adjusted_rate_all_high"])
    return frame.assign(rank=np.arange(1, len(frame) + 1))


def leader_spread(runs: Runs, by: str | None = None, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return the standard deviation of the leaders' true win rates at balanced tables.

    `spread` is in percentage points, chance removed; its interval begins at 0 where equal leaders are possible
    (`stats.inference.rate_spread`). `widest` is the range of the adjusted rates as estimated, chance included. With
    `by="players"` each player count has a row of its own.
    """
    data = outcomes(runs, factors, cards=False)
    if by not in (None, "players"):
        raise UserError(f"spread by '{by}': expected players")
    rows = []
    for part in data.by_players().values() if by else [data]:
        own = present(part)
        if len(own.levels["leader"]) < 2:
            raise UserError(f"leader: only '{own.levels['leader'][0]}' played, so there is nothing to compare")
        fit = fit_logit(own, factors)
        rate, covariance, _ = balanced_rates(fit, own, "leader")
        value, low, high = (100 * x for x in rate_spread(rate, covariance))
        row: dict[str, Any] = {"players": next(iter(part.finished))} if by else {}
        row |= {"leaders": len(rate), "n": fit.games, "spread": value, "spread_low": low, "spread_high": high}
        few = fit.games < SMALL_SAMPLE or hardly_any(observed(own, "leader")["wins"], decided(own, "leader")).any()
        rows.append(row | {"widest": 100 * float(rate.max() - rate.min()), "small_sample": bool(few)})
    return pd.DataFrame(rows)


def factor_tests(runs: Runs, factors: Iterable[str] = FACTORS) -> pd.DataFrame:
    """Return for each factor the Wald test that all its levels are equally strong.

    'seat' is the place at the table, which should not matter by the rules: a check of the simulator.
    """
    data = present(outcomes(runs, factors, cards=False))
    fit = fit_logit(data, factors)
    rows = []
    for key, place in fit.places.items():
        estimate, covariance = fit.parameters[place], fit.covariance[place, place]
        df = len(estimate)
        # Games that do not vary (all seats share every win) leave no error to test with.
        sure = np.linalg.matrix_rank(covariance, hermitian=True) == df
        chi2 = float(estimate @ np.linalg.solve(covariance, estimate)) if sure else np.nan
        rows.append({"factor": key, "levels": df + 1, "chi2": chi2, "df": df, "p": float(scipy.stats.chi2.sf(chi2, df))})
    return pd.DataFrame(rows).assign(p_holm=lambda frame: holm(frame["p"]))


def by_cards(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each victory card and leader the adjusted win rate with the card in play and without it.

    `points` is their difference in percentage points: the effect of this card instead of another, since as many are always in
    play. The leaders' log odds with the card are one scoring step from the fit without cards (`logit.left_over`), taken for all
    leaders jointly because wins are zero-sum. The correction is over all cards and leaders. Cards that are always or never in
    play are left out. A row with hardly an expected win or loss on either side is a `small_sample` and not tested.
    """
    data, factors, parts = present(outcomes(runs, factors)), tuple(factors), []
    fit = fit_logit(data, factors)
    for code, card in enumerate(data.cards):
        sides = [data.where_card(code, in_play) for in_play in (True, False)]
        if all(side.tables for side in sides):
            parts.append(_with_card(data, fit, sides[0], sides[1]).assign(card=card))
    if not parts:
        raise UserError("every game had the same victory cards in play, so there is nothing to compare")
    whole = pd.concat(parts, ignore_index=True)
    tested = (whole["points"], whole["error"], whole["small_sample"])
    whole = whole.assign(**normal_together("points", *tested, family="leaders by card"))
    whole.insert(0, "card", whole.pop("card"))
    return whole.drop(columns="error").sort_values(["card", "leader"], ignore_index=True)


def _with_card(data: Outcomes, fit: Fit, inside: Outcomes, outside: Outcomes) -> pd.DataFrame:
    """Return the rows of a card: `inside` are the games with it, `outside` those without; `fit` is of all games."""
    leaders = len(data.levels["leader"])

    def seats_of(t: TableOutcomes, part: slice, chance: np.ndarray) -> np.ndarray:
        return (t.codes["leader"][part][:, :, None] == np.arange(leaders)).astype(float)

    scores = left_over(lambda: slopes(inside, fit), seats_of, fit.inverse, fit.score)
    # The gains sum to zero: a card worth the same to every leader decides no game.
    covariance = np.linalg.pinv(scores.information, rcond=NOTHING_LEFT / 100, hermitian=True)
    gain = covariance @ scores.score
    place, share = fit.places["leader"], sum(inside.finished.values()) / fit.finished
    rates, slope = [], np.zeros((leaders, leaders - 1))
    for part in (1 - share, -share):
        moved = replace(fit, parameters=fit.parameters.copy())
        moved.parameters[place] += part * (gain - gain.mean())[:-1]
        rate, jacobian, _ = balanced(moved, data, "leader")
        rates.append(rate)
        slope += abs(part) * jacobian[:, place]
    error = 100 * np.sqrt(np.einsum("li,ij,lj->l", slope, covariance[:-1, :-1], slope).clip(0))
    counts = [(observed(side, "leader")["n"], decided(side, "leader")) for side in (inside, outside)]
    few = np.full(leaders, False)
    for side, (seats, games) in zip((inside, outside), counts, strict=True):
        expected = games * expected_shares(side, "leader", fit)
        few |= (seats < SMALL_SAMPLE) | hardly_any(np.nan_to_num(expected), games)
    gap = 100 * (rates[0] - rates[1])
    columns: dict[str, Any] = {"leader": data.levels["leader"], "n_with": counts[0][0], "n_without": counts[1][0]}
    columns |= {"rate_with": rates[0], "rate_without": rates[1], "points": gap, "error": error, "small_sample": few}
    return pd.DataFrame(columns)


# --- What the place in the turn order is worth, corrected for leaders and strategies (`logit`)


def turn_order(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return the advantage of each place in the turn order, corrected for leaders and strategies, by player count."""
    data, parts = outcomes(runs, dict.fromkeys(("order", *factors)), cards=False), []
    for players, part in data.by_players().items():
        own = present(part)
        fit = fit_logit(own, factors)
        log_odds, covariance = fit.effects(order_factor(players))
        error = np.sqrt(np.diag(covariance))
        wins = sum(t.wins.sum(axis=0) for t in own.tables)
        frame = pd.DataFrame({"players": players, "order": np.arange(1, players + 1), "n": own.games, "wins": wins})
        frame = frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))
        frame = frame.join(against_fair_share(*balanced_rates(fit, own, "order")))
        odds = {name: np.exp(value) for name, value in around("odds_ratio", log_odds, error).items()}
        decided = own.finished[players]
        few = (decided < SMALL_SAMPLE) | hardly_any(wins, decided)
        frame = frame.assign(log_odds=log_odds, error=error, **odds, decided=int(decided), small_sample=few)
        frame["expected"] = among_players(own, "order", factors, frame["fair_share"])
        parts.append(frame)
    return points_together(pd.concat(parts, ignore_index=True), "players", "turn order")


# --- How the leaders stand: the one answer that the report, its first screen and `newdawn leaders` give
#
# Leaders are compared among equal players: by the model of who wins, corrected for all factors that the games can separate.
# Nothing is tested where each leader was played by strategies of its own, because a strategy's strength would count as the
# leader's; nor where each leader has its own places in the turn order, as under house rules by which leaders are chosen one
# after the other. Where no model fits, the rates are plain ones.

PLAYED, PLACED = ("leader", "strategy"), ("leader", "order")


@dataclass
class Standing:
    """The leaders of one or more runs, computed once; `notes` says what could not be corrected for."""

    runs: Runs
    notes: list[str] = field(default_factory=list)

    @cached_property
    def outcomes(self) -> Outcomes:
        """The games, equal tables counted together."""
        return outcomes(self.runs, cards=False)

    @cached_property
    def games(self) -> int:
        """Number of games."""
        return self.outcomes.games

    @cached_property
    def decided(self) -> float:
        """Share of the games that somebody won."""
        return sum(self.outcomes.finished.values()) / self.games

    @cached_property
    def strategies(self) -> list[str]:
        """Names of the strategies that played."""
        return self.outcomes.levels["strategy"]

    @property
    def several_leaders(self) -> bool:
        """Whether there are leaders to compare."""
        return len(self.outcomes.levels["leader"]) > 1

    @cached_property
    def factors(self) -> tuple[str, ...]:
        """The factors of the model of who wins: those that these games can separate."""
        try:
            fit_logit(present(self.outcomes), DEFAULT_FACTORS)
        except UserError as error:
            if len(self.strategies) > 1:
                self.notes.append(
                    f"Not corrected for strategies, so leaders' figures include those of players, and none is tested: {error}."
                )
            return ("leader", "order")
        return DEFAULT_FACTORS

    @property
    def among_equals(self) -> bool:
        """Whether strategies differ and the leaders' rates are corrected for them."""
        return len(self.strategies) > 1 and "strategy" in self.factors

    @cached_property
    def players_of(self) -> dict[str, str]:
        """Who played each leader, if the games cannot separate strategies from leaders; else empty."""
        if len(self.strategies) < 2 or not self.several_leaders:
            return {}
        return self._confounded(PLAYED, self.strategies)

    @cached_property
    def places_of(self) -> dict[str, str]:
        """The places of each leader in the turn order, if the games cannot separate the two; else empty."""
        if self.factors == DEFAULT_FACTORS or not self.several_leaders:
            return {}
        return self._confounded(PLACED, [str(1 + place) for place in range(max(self.outcomes.finished))])

    @property
    def untestable(self) -> bool:
        """Whether leaders cannot be distinguished from who played them, or from their places in the turn order."""
        return bool(self.players_of or self.places_of)

    def _confounded(self, factors: tuple[str, str], levels: Sequence[str]) -> dict[str, str]:
        """Return each leader's levels of the other factor if the games cannot separate the two; else empty."""
        try:
            fit_logit(present(self.outcomes), factors)
        except Inseparable:
            pairs = {pair for t in self.outcomes.tables for pair in zip(*(t.codes[x].ravel() for x in factors), strict=True)}
            return {
                leader: listed([levels[other_code] for leader_code, other_code in sorted(pairs) if leader_code == index])
                for index, leader in enumerate(self.outcomes.levels["leader"])
            }
        except UserError:  # too few games for any verdict
            pass
        return {}

    @cached_property
    def looks(self) -> Looks:
        """The looks at a run that was played until it was decided; the leaders' intervals hold over all of them."""
        runs = self.runs if isinstance(self.runs, Sequence) else [self.runs]
        manifests = (
            self.runs.manifests if isinstance(self.runs, Sample) else [getattr(source, "manifest", {}) for source in runs]
        )
        series = [looks for source in manifests if (looks := looks_of(source)).at]
        if not series:
            return Looks(1)
        if len(manifests) > 1:
            self.notes.append(
                "Some of these runs were played until they were decided: intervals of all games together do not hold."
            )
            return Looks(1)
        self.notes.append(
            f"Played until it was decided, with {counted(len(series[0].at), 'look')}: the leaders' intervals and verdicts hold "
            "over all of them, so they are wider than those of as many games played at once; other intervals are of one look."
        )
        return series[0]

    @cached_property
    def leaders(self) -> pd.DataFrame:
        """The leaders by strength, corrected as far as these games allow, or by their plain win rates.

        With many leaders, one of whom has few games, there are partially pooled rates, too (`pooled_rate`). Leaders that cannot
        be distinguished from who played them, or from their places in the turn order, are not tested: `played_by` and `places`
        name these.
        """
        self.need_winners()
        try:
            frame = strengths(self.outcomes, factors=self.factors)
        except UserError as error:
            self.notes.append(f"Leaders: plain win rates, not corrected for turn order, opponents and strategies: {error}.")
            assert not isinstance(self.runs, Outcomes)
            frame = plain_strengths(self.runs)
        frame = self.over_looks(frame)
        if len(frame) < MANY_LEADERS or (frame["decided"] >= ENOUGH).all():
            frame = frame.drop(columns=[f"pooled_rate{end}" for end in ("", "_low", "_high")])
        if len(self.strategies) > 1 and "strategy" not in self.factors:
            frame = frame.assign(p=np.nan, p_adjusted=np.nan)
        for column, of_leader in (("played_by", self.players_of), ("places", self.places_of)):
            if of_leader:
                frame = frame.assign(p=np.nan, p_adjusted=np.nan, **{column: frame["leader"].map(of_leader)})
        return frame

    def over_looks(self, frame: pd.DataFrame, family: str = "") -> pd.DataFrame:
        """Return a table of leaders with intervals and ranks that hold over all looks at the run."""
        if not self.looks.at:
            return frame
        frame = held(frame, {"points": 0.0, "adjusted_rate": frame["fair_share"]}, self.looks, family)
        if "rank_best" in frame:
            frame["rank_best"], frame["rank_worst"] = places(frame["adjusted_rate_all_low"], frame["adjusted_rate_all_high"])
        return frame

    def need_winners(self) -> None:
        """Raise UserError if nobody won any of the games."""
        if self.decided == 0:
            raise UserError("nobody won any of these games")
