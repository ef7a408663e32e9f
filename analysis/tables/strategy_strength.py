"""Strategies by their games: how strong each is, whom it beats, how it wins, and the mixture that none of them beats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from scipy import special

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.runs.columns import ARRIVALS, CARD_TYPES, SLOTS, card_column
from ..stats import rates, verdicts
from ..stats.claims import WholeTable
from ..stats.inference import holm, normal_together, rate_spread, simultaneous_ranks
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE, hardly_any, rate_columns
from .logit import Fit, Outcomes, fit_logit, outcomes

# --- How strategies play: what each does in a game, against the others at its tables
#
# A figure is the mean over the games a strategy sat in. `difference` compares it with the mean of the other seats of the same
# game, so that long games and rich maps cancel; its error treats a game as one observation (a strategy's seats in a game are
# averaged first). Intervals are Student's, 95% each; `p_holm` is that of the t test, corrected for all figures of all
# strategies. Below SMALL_SAMPLE games nothing is tested: the counts of a few games are far from normal.

ON_PLAYERS = ("token", "city", "capital")

MEASURES = (
    *(f"{kind} cards" for kind in CARD_TYPES),
    "attacks on barbarians",
    "attacks on city-states",
    "attacks on players",
    "caravans arrived",
    "diplomacy cards",
    "cities",
    "mature cities",
    "world wonders",
    "natural wonders",
    "control tokens",
    *(f"{agenda} claimed" for agenda in names.AGENDAS),
)


def measures(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return one row per seat: its game, its strategy, and every measure (a count per game)."""
    seats, agendas = frames["seats"], frames["agendas"]
    columns: dict[str, Any] = {"game_id": seats["game_id"], "strategy": seats["strategy"].astype(str)}
    for kind in CARD_TYPES:
        columns[f"{kind} cards"] = seats[[card_column(kind, slot) for slot in SLOTS]].sum(axis=1)
    columns["attacks on barbarians"] = seats["attacks_barbarian"]
    columns["attacks on city-states"] = seats["attacks_city_state"]
    columns["attacks on players"] = seats[[f"attacks_{target}" for target in ON_PLAYERS]].sum(axis=1)
    columns["caravans arrived"] = seats[[f"arrivals_{goal}" for goal in ARRIVALS]].sum(axis=1)
    for measure, column in (
        ("diplomacy cards", "diplomacy_cards"), ("cities", "cities"), ("mature cities", "mature_cities"),
        ("world wonders", "wonders"), ("natural wonders", "natural_wonders"), ("control tokens", "tokens"),
    ):  # fmt: skip
        columns[measure] = seats[column]
    claimed = pd.MultiIndex.from_frame(agendas[["game_id", "seat"]])
    here = pd.MultiIndex.from_frame(seats[["game_id", "seat"]])
    of_the_box = names.TI_AGENDAS if "districts" in seats else ()
    for agenda in (*names.AGENDAS, *of_the_box):
        columns[f"{agenda} claimed"] = here.isin(claimed[(agendas["agenda"] == agenda).to_numpy()])
    frame = pd.DataFrame(columns)
    return frame.astype(dict.fromkeys(frame.columns[2:], float))


def characters(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return for each strategy and measure the mean a game, and its difference from the other seats of its games (t tests)."""
    seats = measures(frames)
    names = list(seats.columns[2:])
    per_game = seats.groupby("game_id", observed=True)[names].agg("sum")
    size = seats.groupby("game_id", observed=True).size()
    parts = []
    for strategy, own in seats.groupby("strategy", observed=True):
        sums = own.groupby("game_id", observed=True)[names].sum()
        count = own.groupby("game_id", observed=True).size()
        mean = sums.div(count, axis=0)
        others = size.loc[sums.index] - count
        rest = (per_game.loc[sums.index] - sums).div(others.where(others > 0), axis=0)
        gap = mean - rest
        n = gap.notna().sum().to_numpy()
        with np.errstate(divide="ignore", invalid="ignore"):
            error = (gap.std(ddof=1) / np.sqrt(n)).to_numpy()
        parts.append(
            pd.DataFrame(
                {"strategy": strategy, "measure": names, "n": len(sums), "mean": mean.mean().to_numpy(),
                 "others": rest.mean().to_numpy(), "difference": gap.mean().to_numpy(), "error": error}
            )
        )  # fmt: skip
    frame = pd.concat(parts, ignore_index=True)
    reach = scipy.stats.t.ppf(0.5 + CONFIDENCE / 2, np.maximum(frame["n"] - 1, 1)) * frame["error"]
    frame["difference_low"], frame["difference_high"] = frame["difference"] - reach, frame["difference"] + reach
    frame["p"] = _p_values(frame)
    frame["p_holm"] = holm(frame["p"])
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


def _p_values(frame: pd.DataFrame) -> np.ndarray:
    """Return the p values of the t test against no difference; NaN in small samples and where all games agree."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (frame["difference"] / frame["error"]).abs().to_numpy()
    p = 2 * scipy.stats.t.sf(t, frame["n"].to_numpy() - 1)
    return np.where((frame["error"] > 0) & (frame["n"] >= SMALL_SAMPLE), p, np.nan)


def characters_matrix(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the means as a square for readers: one row per measure, one column per strategy.

    A star marks a difference from the other seats (Holm, 5%) outside of small samples.
    """
    rows = []
    for measure in frame["measure"].unique():
        row = {"measure": measure}
        for entry in frame[frame["measure"] == measure].to_dict("records"):
            starred = verdicts.differs(entry, "p_holm") and not entry["small_sample"]
            row[entry["strategy"]] = f"{entry['mean']:.2f}{'*' if starred else ''}"
        rows.append(row)
    return pd.DataFrame(rows)


# --- The mixture of strategies that none of them beats, from who wins more often where both sit at the table
#
# Balduzzi, Tuyls, Perolat and Graepel ("Re-evaluating evaluation", NeurIPS 2018) rate players by the log odds of each against
# each, an antisymmetric table, as a game of its own: its Nash equilibrium of maximum entropy is a mixture of players that no
# player has an edge over. Copies of a player, and players beaten by the others, do not change it, and players that beat each
# other in a circle share it. `alpha_rank` (Omidshafiei and others, Scientific Reports 9, 2019) is the share of time that a
# population spends with each player, while better players take it over again and again.
#
# The odds of a pair are the wins of one to those of the other, in games with both at the table, whoever else sat there.
# Intervals are percentiles of the mixtures of tables of resampled games (the bootstrap). SciPy's linear programs find who can
# have a share at all, and its sequential quadratic programming how even the shares can be.

UNSURE = 0.5  # wins added to each side of a pair, so that the odds of one who never won are finite (J. Haldane 1956)
COLUMNS = ("strategy", "n", "share", "share_low", "share_high", "share_mean", "alpha_rank", "against")
POOL = 20  # places of a pool that plays like the mixture
DRAWS = 200  # resampled tables for the intervals
EDGE = 1e-9  # log odds up to which there is no advantage
EQUAL = 1e-7  # shares that differ by less are equal
SELECTION, POPULATION = 100.0, 50  # of alpha-rank: intensity of selection, size of the population


def advantages(wins: np.ndarray) -> np.ndarray:
    """Return the log odds of each against each, antisymmetric, from `wins` of the row in games with the column."""
    smoothed = np.asarray(wins, float) + UNSURE
    return np.log(smoothed) - np.log(smoothed.T)


def unbeaten(advantage: np.ndarray) -> np.ndarray:
    """Return the shares of the maximum-entropy mixture that none has an advantage over (Balduzzi and others, 2018).

    `advantage` is antisymmetric.
    """
    advantage = np.asarray(advantage, float)
    n = len(advantage)
    if (best := (advantage > EDGE).sum(axis=1) == n - 1).any():
        return best.astype(float)  # it beats each of the others
    limits = {"A_ub": advantage, "b_ub": np.full(n, EDGE), "A_eq": np.ones((1, n)), "b_eq": [1.0]}
    most = np.array([scipy.optimize.linprog(-unit, **limits).x for unit in np.eye(n)])  # the largest share of each
    start = np.where(most.mean(axis=0) > EQUAL, most.mean(axis=0), 0)
    if np.ptp(most, axis=0).max() < EQUAL:
        return start / start.sum()
    inside = start > 0
    among = advantage[:, inside]
    solution = scipy.optimize.minimize(
        lambda shares: float(-special.entr(shares).sum()), start[inside], jac=lambda shares: np.log(shares) + 1,
        bounds=[(EQUAL, 1.0)] * int(inside.sum()), method="SLSQP", options={"ftol": 1e-12, "maxiter": 500},
        constraints=({"type": "eq", "fun": lambda shares: shares.sum() - 1, "jac": lambda shares: np.ones(len(shares))},
                     {"type": "ineq", "fun": lambda shares: EDGE - among @ shares, "jac": lambda shares: -among}),
    )  # fmt: skip
    shares = np.zeros(n)
    shares[inside] = solution.x
    return shares / shares.sum()


def alpha_rank(won: np.ndarray) -> np.ndarray:
    """Return the share of time of each in a population (Omidshafiei and others, 2019).

    `won`: the row's share of the wins of row and column.
    """
    won = np.asarray(won, float)
    n = len(won)
    ahead = SELECTION * (won.T - won)  # of a column player in a population of row players
    with np.errstate(over="ignore", invalid="ignore"):
        taken_over = np.where(
            ahead == 0, 1 / POPULATION, special.exprel(-ahead) / special.exprel(-POPULATION * ahead) / POPULATION
        )
    steps = np.nan_to_num(taken_over) / max(1, n - 1)
    np.fill_diagonal(steps, 0)
    np.fill_diagonal(steps, 1 - steps.sum(axis=1))
    stays = np.abs(scipy.linalg.null_space(steps.T - np.eye(n), rcond=EDGE)[:, 0])
    return stays / stays.sum()


def meetings(won: np.ndarray, times: np.ndarray | None = None) -> np.ndarray:
    """Return the wins of each in games with each other; `won`: shares by game and strategy, NaN where it did not sit.

    `times`: the weight of each game [1].
    """
    seated = ~np.isnan(won)
    shares = np.nan_to_num(won) if times is None else np.nan_to_num(won) * times[:, None]
    return shares.T @ seated.astype(float)


def mixture(won: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Return one row per strategy of `won` (`by_game`): its share of the mixture that none beats.

    Columns: strategy, n (games it sat in), share with 95% interval, share_mean (over resampled tables), alpha_rank, against
    (its share of the wins where it meets the mixture; at most a half). No rows if two of them never met.
    """
    games = won.to_numpy(float)
    seated = (~np.isnan(games)).astype(float)
    if won.shape[1] < 2 or (seated.T @ seated == 0).any():
        return pd.DataFrame(columns=COLUMNS)
    wins = meetings(games)
    advantage = advantages(wins)
    shares = unbeaten(advantage)
    rng = np.random.default_rng(seed)
    drawn = [unbeaten(advantages(meetings(games, times))) for times in _draws(rng, len(games))]
    low, high = np.percentile(drawn, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)], axis=0)
    values = (
        won.columns, seated.sum(axis=0).astype(np.int64), shares, low, high, np.mean(drawn, axis=0),
        alpha_rank(special.expit(advantage)), special.expit(advantage @ shares),
    )  # fmt: skip
    return pd.DataFrame(dict(zip(COLUMNS, values, strict=True)))


def _draws(rng: np.random.Generator, games: int) -> np.ndarray:
    """Return the weight of each game in each of the resampled tables."""
    return rng.multinomial(games, np.full(games, 1 / games), DRAWS).astype(float)


def pool(frame: pd.DataFrame, size: int) -> Sequence[str]:
    """Return the strategies of `mixture` as a pool of this many places, each named in proportion to its mean share.

    The mean over resampled tables, because in a single table chance decides which of two equals takes all. Places are allotted
    by largest remainders (A. Hamilton 1792).
    """
    exact = size * frame["share_mean"].to_numpy(float)
    places = np.floor(exact).astype(int)
    for k in np.argsort(places - exact, kind="stable")[: size - places.sum()]:
        places[k] += 1
    return [name for name, n in zip(frame["strategy"], places, strict=True) for _ in range(n)]


# --- Strength, pairs, and how each wins
#
# Strength. Only the winner of a game is known, not who came second: the Plackett-Luce model (R. Luce, "Individual choice
# behavior", 1959; R. Plackett, Applied Statistics 24, 1975) of the first place alone, which is the conditional logit of
# `tables.logit`, with turn order and leader as further factors. Errors are those of the sandwich with the game as the cluster;
# `p_adjusted` (as strong as the average?) and the intervals it belongs to (`inference.together`) hold for all strategies
# together, the ranks simultaneously, single intervals are 95% each. The rating is 400 log10 of the odds ratio against the
# average strategy, as in chess: 200 more means odds of 3.2 to 1 between the two when one of them wins. Strategies that never
# won have no rating.
#
# Pairs. `win_rate` is the share of a strategy's wins in the n decided games in which the other one sat at the table, too,
# whoever else did. Wilson's intervals, 95% each, not corrected: look for patterns, not for the largest of them.

RATING = 400 / np.log(10)  # rating points per unit of log odds


def rated(runs: Any) -> pd.DataFrame:
    """Return the strategies by strength (Plackett-Luce; see above); `runs` are games in memory or runs.

    `rating` with its intervals compares with the average of those that won at all, `p_adjusted` is the p value of "as strong as
    that average" for all of them together, `rank_best` to `rank_worst` are the ranks that remain possible among them, and
    `chance_first` is the share of draws from the estimates' distribution in which each is first. All of these are null for a
    strategy that never won. Strategies with hardly a win, or a loss, are small samples.
    """
    data = outcomes(runs, cards=False)
    counts = _counts(data)
    won = counts["wins"].to_numpy() > 0
    fit, log_odds, covariance = _strengths(data, won)
    error = np.sqrt(np.diag(covariance))
    best, worst, first = simultaneous_ranks(log_odds, covariance)
    rating = RATING * log_odds, RATING * error
    columns = normal_together("rating", *rating)
    columns |= {"log_odds": log_odds, "error": error, "rank_best": best, "rank_worst": worst, "chance_first": first}
    frame = counts.assign(**dict.fromkeys(columns, np.nan))
    for name, values in columns.items():
        frame.loc[won, name] = values
    frame["small_sample"] = (frame["n"] < SMALL_SAMPLE) | hardly_any(frame["wins"], frame["n"])
    frame["unfinished"] = fit.games - fit.finished
    frame = frame.sort_values("log_odds", ascending=False, ignore_index=True)
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    return verdicts.judged(frame, "rating", rates.RATING, fit.games, verdicts.RATING)


def _strengths(data: Outcomes, won: np.ndarray) -> tuple[Fit, np.ndarray, np.ndarray]:
    """Return the fit, and log odds less their mean with their covariance, of the strategies that won at all."""
    names = data.levels["strategy"]
    if won.sum() < 2:
        raise UserError(
            f"only {names[int(np.argmax(won))] if won.any() else 'nobody'} ever won, so there is nothing to compare"
        )
    fit = fit_logit(data)
    log_odds, covariance = fit.effects("strategy")
    contrast = np.eye(int(won.sum())) - 1 / won.sum()
    return fit, contrast @ log_odds[won], contrast @ covariance[np.ix_(won, won)] @ contrast


def rating_spread(runs: Any) -> pd.DataFrame:
    """Return the standard deviation of the strategies' true ratings, without what chance adds (`inference.rate_spread`).

    One row: strategies (that won at all), n (games), spread with its interval, which begins at 0 where equal strategies are
    possible. For the same strategies, it says under which rules skill decides more.
    """
    data = outcomes(runs, cards=False)
    fit, log_odds, covariance = _strengths(data, _counts(data)["wins"].to_numpy() > 0)
    value, low, high = (RATING * end for end in rate_spread(log_odds, covariance))
    row = {"strategies": len(log_odds), "n": fit.games, "spread": value, "spread_low": low, "spread_high": high}
    return pd.DataFrame([row | {"small_sample": fit.games < SMALL_SAMPLE}])


def spread_words(row: Any) -> str:
    """Return a sentence on how much the strategies differ, from a row of `rating_spread`."""
    size = f"{row['spread']:.0f} [{row['spread_low']:.0f}, {row['spread_high']:.0f}]"
    return (
        f"Spread of the ratings: {size} (standard deviation without chance, {row['strategies']} strategies, n = {row['n']:,}). "
        "The larger it is with the same strategies under other rules, the more skill decides."
    )


def _counts(data: Outcomes) -> pd.DataFrame:
    """Return the observed decided games and wins of each strategy, with the win rate and its interval."""
    names = data.levels["strategy"]
    n, wins = np.zeros(len(names)), np.zeros(len(names))
    for t in data.tables:
        codes = t.codes["strategy"].ravel()
        n += np.bincount(codes, np.repeat(t.finished, t.players), len(names))
        wins += np.bincount(codes, t.wins.ravel(), len(names))
    frame = pd.DataFrame({"strategy": names, "n": n.astype(np.int64), "wins": wins})
    return frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))


def by_game(seats: pd.DataFrame) -> pd.DataFrame:
    """Return the mean win share of a strategy's seats, one row per decided game, one column per strategy; NaN: not there."""
    seats = seats[seats.groupby("game_id", observed=True)["won"].transform("sum") > 0]
    return seats.assign(strategy=seats["strategy"].astype(str)).pivot_table(
        index="game_id", columns="strategy", values="won", aggfunc="mean"
    )


def pairs(seats: pd.DataFrame) -> pd.DataFrame:
    """Return for each strategy and opponent the decided games of both and the strategy's win rate in them, with interval."""
    won = by_game(seats)
    rows = []
    for own, other in permutations(won.columns, 2):
        both = won[own].notna() & won[other].notna()
        if both.any():
            rows.append({"strategy": own, "opponent": other, "n": int(both.sum()), "wins": float(won[own][both].sum())})
    frame = pd.DataFrame(rows, columns=["strategy", "opponent", "n", "wins"])
    frame = frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


def pairs_matrix(frame: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return the win rates of `pairs` (or `against`) as text: row against column."""
    rows, columns = ([name for name in order if name in set(frame[side])] for side in ("strategy", "opponent"))
    square = frame.assign(text=frame["win_rate"].map("{:.1%}".format)).pivot(
        index="strategy", columns="opponent", values="text"
    )
    return square.reindex(index=rows, columns=columns).fillna("-").rename_axis(columns=None).reset_index()


def ways(played: Any) -> pd.DataFrame:
    """Return for each strategy its wins and their rounds; a win shared by k seats counts 1/k."""
    seats = played.frames["seats"].merge(played.frames["games"][["game_id", "rounds"]], on="game_id")
    rows = []
    for strategy, own in seats.assign(strategy=seats["strategy"].astype(str)).groupby("strategy"):
        won = own[own["won"] > 0]
        weights, rounds = won["won"].to_numpy(), won["rounds"].to_numpy(float)
        mean = float(np.average(rounds, weights=weights)) if len(won) else np.nan
        reach = _reach_of_mean(rounds - mean, weights)
        rows.append(
            {"strategy": strategy, "n": len(own), "wins": float(weights.sum()), "rounds": mean,
             "rounds_low": mean - reach, "rounds_high": mean + reach,
             "agendas": float(own["agendas"].mean()), "small_sample": len(won) < SMALL_SAMPLE}
        )  # fmt: skip
    return pd.DataFrame(rows)


def _reach_of_mean(gaps: np.ndarray, weights: np.ndarray) -> float:
    """Return the half-width of the 95% interval of a weighted mean (Student's), from the deviations of the values."""
    n = len(gaps)
    if n < 2:
        return float("nan")
    error = np.sqrt(((weights * gaps) ** 2).sum() * n / (n - 1)) / weights.sum()
    return float(scipy.stats.t.ppf(0.5 + CONFIDENCE / 2, n - 1) * error)


def agendas_used(played: Any) -> pd.DataFrame:
    """Return for each strategy and agenda how often the strategy won with it.

    `n` counts the wins (of any share) in games that had the agenda's victory card in play, `used` those of them in which
    the winner claimed the card by this agenda; `share` with Wilson's interval.
    """
    seats, games, claims = (played.frames[name] for name in ("seats", "games", "agendas"))
    won = seats.loc[seats["won"] > 0, ["game_id", "seat", "strategy"]].astype({"strategy": str})
    cards = games.set_index("game_id")[[name for name in games.columns if name.startswith("card_")]].astype(str)
    rows = []
    for agenda in (*names.AGENDAS, *names.TI_AGENDAS):
        in_play = cards.apply(lambda column, word=agenda: column.str.contains(word, regex=False)).any(axis=1)
        able = won[in_play.loc[won["game_id"]].to_numpy()]
        claimed = able.merge(claims.loc[claims["agenda"] == agenda, ["game_id", "seat"]], on=["game_id", "seat"])
        used = claimed["strategy"].value_counts()
        for strategy, n in able["strategy"].value_counts().sort_index().items():
            rows.append({"strategy": strategy, "agenda": agenda, "n": int(n), "used": int(used.get(strategy, 0))})
    frame = pd.DataFrame(rows, columns=["strategy", "agenda", "n", "used"])
    frame = frame.assign(**rate_columns(frame["used"], frame["n"], "share"))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


def agendas_matrix(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the shares of `agendas_used` as text: one row per agenda of the winners' games, one column per strategy."""
    rows = []
    for agenda in frame["agenda"].unique():
        own = frame[frame["agenda"] == agenda]
        rows.append({"agenda": agenda} | {row["strategy"]: f"{row['share']:.0%}" for row in own.to_dict("records")})
    return pd.DataFrame(rows, columns=["agenda", *frame["strategy"].unique()]).fillna("-")


def unfinished_apart(frame: pd.DataFrame) -> tuple[WholeTable, pd.DataFrame]:
    """Return the claim that meetings differ in their shares of unfinished games, and the rows with least and most.

    By the chi-squared test of K. Pearson; no rows where they are not shown to differ.
    """
    games = frame["n"] + frame["unfinished"]
    counts = frame[["n", "unfinished"]].to_numpy(float)
    rows = (
        frame.assign(unfinished_share=frame["unfinished"] / games).sort_values("unfinished_share", kind="stable").iloc[[0, -1]]
    )
    p = float(scipy.stats.chi2_contingency(counts).pvalue) if len(frame) > 1 and (counts.sum(axis=0) > 0).all() else 1.0
    return WholeTable(rows, p), rows if verdicts.significant(p) else rows[:0]


def meeting(own: str, other: str, players: int, won: np.ndarray, decided: np.ndarray, rounds: np.ndarray) -> dict[str, Any]:
    """Return the row of one seat of a strategy against copies of another: its win rate in the decided games, with n."""
    n, wins = int(decided.sum()), float(won[decided].sum())
    rate = {name: float(value) for name, value in rate_columns(wins, n, "win_rate").items()}
    return {
        "strategy": own, "opponent": other, "copies": players - 1, "n": n, "wins": wins, **rate, "fair_share": 1 / players,
        "rounds": float(rounds.mean()), "unfinished": len(won) - n, "small_sample": n < SMALL_SAMPLE,
    }  # fmt: skip
