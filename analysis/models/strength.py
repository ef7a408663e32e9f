"""How strong the leaders are once seat, opponents and strategies are taken out (model: `analysis.models.logit`).

Intervals `_low` to `_high` are 95% each; those `_all_low` to `_all_high`, `p_adjusted` and the ranks hold for all rows together
(`analysis.statistics.inference`).
Rows with hardly a win, or hardly a loss, are flagged as small samples (`analysis.statistics.rates.hardly_any`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator.errors import UserError
from ..statistics.inference import (
    against_share,
    around,
    distinct,
    exact_against_share,
    exact_ends,
    holm,
    normal_ends,
    score_against_share,
    score_ends,
    simultaneous_ranks,
    together,
    two_sided,
)
from ..statistics.rate_spread import rate_spread
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, hardly_any, places, rate_columns
from ..summaries.counts import leaders
from ..tables.cases import Sample
from ..tables.read import Run
from .logit import balanced_rates, fit_logit
from .seatings import DEFAULT_FACTORS, FACTORS, Outcomes, Runs, decided, observed, observed_rates, outcomes, present


def _strengths(data: Outcomes, factors: Iterable[str], factor: str = "leader") -> pd.DataFrame:
    data = present(data)
    frame = observed(data, factor)
    if len(data.levels[factor]) < 2:
        raise UserError(f"{factor}: only '{data.levels[factor][0]}' played, so there is nothing to compare")
    fit = fit_logit(data, factors)
    frame["decided"] = decided(data, factor)
    few = (frame["decided"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["decided"])
    log_odds, covariance = fit.effects(factor)
    error = np.sqrt(np.diag(covariance))
    frame = frame.assign(**observed_rates(data, factor), small_sample=few)
    frame = points_together(frame.join(against_fair_share(*balanced_rates(fit, data, factor))))
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
    """Return win rates at balanced tables, the fair share, and `points`, their difference; each with its own interval.

    `points_error` is the standard error of `points`: intervals and tests are those of the difference that is shown.
    """
    error = np.sqrt(np.diag(covariance))
    columns = around("adjusted_rate", rate, error) | {"fair_share": fair} | around("points", 100 * (rate - fair), 100 * error)
    return pd.DataFrame(columns | {"points_error": 100 * error})


def points_together(frame: pd.DataFrame, group: str | None = None) -> pd.DataFrame:
    """Test the `points` of all rows and give points and rates their simultaneous intervals. `group`: see `distinct`.

    Simultaneous intervals are score intervals, and the test is theirs: with the error that the rate would have at the fair
    share. That of the estimate is too small where a rate is low by chance, which shows in the tails: it found something in 8%
    of tables of 500 games by lot. In small samples the model's errors are far too small: their rates are those of the decided
    games as played, with exact intervals and tests.
    """
    few, fair = frame["small_sample"].to_numpy(bool), frame["fair_share"].to_numpy(float)
    wins, n = frame["wins"].to_numpy(float), frame["decided"].to_numpy(float)
    rate, error = fair + frame["points"].to_numpy(float) / 100, frame["points_error"].to_numpy(float) / 100
    score, exact = score_ends(rate, error), exact_ends(wins, n)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        pairs = zip(score(confidence), exact(confidence), strict=True)
        low, high = (100 * (np.where(few, alone, usual) - fair) for usual, alone in pairs)
        return low, high

    p = np.where(few, exact_against_share(wins, n, fair), score_against_share(rate, error, fair))
    played = 100 * (np.divide(wins, n, out=fair.copy(), where=n > 0) - fair)
    points = np.where(few, played, frame["points"])
    (low, high), alone = normal_ends(frame["points"], frame["points_error"])(CONFIDENCE), exact(CONFIDENCE)
    low, high = (np.where(few, 100 * (own - fair), usual) for usual, own in ((low, alone[0]), (high, alone[1])))
    frame = frame.assign(points=points, points_low=low, points_high=high)
    for end in ("", "_low", "_high"):
        frame[f"adjusted_rate{end}"] = fair + frame[f"points{end}"] / 100
    questions = distinct(points, p, None if group is None else frame[group])
    frame = frame.assign(**together("points", p, ends, questions))
    for end in ("all_low", "all_high"):
        frame[f"adjusted_rate_{end}"] = frame["fair_share"] + frame[f"points_{end}"] / 100
    return frame.drop(columns="points_error")


def strengths(
    runs: Runs, by: str | None = None, factors: Iterable[str] = DEFAULT_FACTORS, factor: str = "leader"
) -> pd.DataFrame:
    """Return the leaders by strength, corrected for turn order, opponents and strategies.

    `decided` counts the leader's games that somebody won; the model uses only these. `adjusted_rate` is the share of them
    the leader would win if every line-up of leaders played equally often in every turn order; `points` is that less the fair
    share, in percentage points, and `p` asks whether it is 0; `odds_ratio` compares the odds with those of the average leader.
    `rank_best` to `rank_worst` are the ranks that remain possible (simultaneously for all leaders). `small_sample` marks
    leaders with fewer than 10 wins or losses, too: their intervals are much too narrow. `unfinished` counts the games of the
    whole table that nobody won. With `by="players"` each player count has a model of its own. `factor` may be 'strategy'.
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
    frame = leaders(runs).assign(decided=lambda found: found["n"] - found["unfinished"])
    wins, n, fair = frame["wins"], frame["decided"], frame["fair_share"]
    frame = frame.assign(**rate_columns(wins, n, "adjusted_rate"), **against_share("adjusted_rate", wins, n, fair))
    frame["small_sample"] = n < SMALL_SAMPLE
    for end in ("", "_low", "_high", "_all_low", "_all_high"):
        frame[f"points{end}"] = 100 * (frame[f"adjusted_rate{end}"] - fair)
    frame["rank_best"], frame["rank_worst"] = places(frame["adjusted_rate_all_low"], frame["adjusted_rate_all_high"])
    return frame.assign(rank=np.arange(1, len(frame) + 1))


def leader_spread(runs: Runs, by: str | None = None, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return how far apart the leaders are: the standard deviation of their true win rates at balanced tables.

    `spread` is in percentage points, without what chance adds; its interval begins at 0 where equal leaders are possible
    (`rate_spread.py`). `widest` is the range of the adjusted rates as estimated, chance included. With `by="players"`
    each player count has a row of its own.
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
        # Games that do not vary, such as wins that all seats share, have no error to test with.
        sure = np.linalg.matrix_rank(covariance, hermitian=True) == df
        chi2 = float(estimate @ np.linalg.solve(covariance, estimate)) if sure else np.nan
        rows.append({"factor": key, "levels": df + 1, "chi2": chi2, "df": df, "p": float(stats.chi2.sf(chi2, df))})
    return pd.DataFrame(rows).assign(p_holm=lambda frame: holm(frame["p"]))


def by_cards(runs: Runs, factors: Iterable[str] = DEFAULT_FACTORS) -> pd.DataFrame:
    """Return for each victory card and leader the adjusted win rate with the card in play and without it.

    `points` (the difference in percentage points) and its interval compare the two sets of games, which share none. It is
    the effect of the card instead of another one: without it another card is in play.
    The correction is over all cards and leaders. Cards that are always or never in play are left out. Where a leader
    has hardly a win or hardly a loss on a side, the interval is much too narrow: `small_sample`, and nothing is tested.
    """
    data, parts = present(outcomes(runs, factors)), []
    for code, card in enumerate(data.cards):
        sides = [data.where_card(code, True), data.where_card(code, False)]
        if not all(side.tables for side in sides):
            continue
        rates = []
        for side in sides:
            side = present(side)
            rate, covariance, _ = balanced_rates(fit_logit(side, factors), side, "leader")
            seen = observed(side, "leader")
            few = (seen["n"] < SMALL_SAMPLE) | hardly_any(seen["wins"], decided(side, "leader"))
            part = {"rate": rate, "error": np.sqrt(np.diag(covariance)), "n": seen["n"].to_numpy(), "few": few.to_numpy()}
            rates.append(pd.DataFrame(part, side.levels["leader"]))
        with_card, without = rates
        gap = 100 * (with_card["rate"] - without["rate"])
        error = 100 * np.sqrt(with_card["error"] ** 2 + without["error"] ** 2)
        columns: dict[str, Any] = {"card": card, "leader": gap.index, "n_with": with_card["n"], "n_without": without["n"]}
        columns |= {"rate_with": with_card["rate"], "rate_without": without["rate"]}
        few = with_card["few"] | without["few"]
        columns |= around("points", np.asarray(gap), np.asarray(error))
        columns |= {"error": error, "p": np.where(few, np.nan, two_sided(gap, error)), "small_sample": few}
        parts.append(pd.DataFrame(columns).reset_index(drop=True))
    if not parts:
        raise UserError("every game had the same victory cards in play, so there is nothing to compare")
    whole = pd.concat(parts, ignore_index=True)
    whole = whole.assign(**together("points", whole["p"], normal_ends(whole["points"], whole["error"])))
    return whole.drop(columns="error").sort_values(["card", "leader"], ignore_index=True)
