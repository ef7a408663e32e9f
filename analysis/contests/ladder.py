"""All strategies against each other at mixed tables: who is how strong, who beats whom, and how each wins.

Design. `analysis.contests.arena.line_ups` draws the tables without replacement and rotates the seats; leaders are drawn evenly,
whoever plays them. So strategies meet as often as chance and the number of games allow, and neither seat nor leader
favours one of them.

Strength. Only the winner of a game is known, not who came second: the Plackett-Luce model (R. Luce, "Individual choice
behavior", 1959; R. Plackett, Applied Statistics 24, 1975) of the first place alone, which is the conditional logit of
`analysis.models.logit`, with turn order and leader as further factors. Errors are those of the sandwich with the game as the
cluster; `p_adjusted` (as strong as the average?) and the intervals it belongs to (`inference.together`) hold for all
strategies together, the ranks simultaneously, single intervals are 95% each. The rating is 400 log10 of the odds ratio
against the average strategy, as in chess: 200 more means odds of 3.2 to 1 between the two when one of them wins. Who never
won has no rating.

Mixture. `analysis.contests.mixture` finds the mixture that no strategy beats, from who wins where two of them sit.

Pairs. `win_rate` is the share of a strategy's wins in the games in which the other one sat at the table, too, n such
games, whoever else did. Wilson's intervals, 95% each, not corrected: look for patterns, not for the largest of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.batch.run import Observer
from ...simulator.errors import UserError
from ...strategies.registry import Strategy
from ..models.logit import fit_logit
from ..models.seatings import Outcomes, decided, outcomes
from ..statistics import answer, margins
from ..statistics.inference import around, normal_ends, simultaneous_ranks, together, two_sided
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, hardly_any, rate_columns, wilson
from . import arena
from .arena import Played
from .characters import characters
from .mixture import mixture

RATING = 400 / np.log(10)  # points of a rating for one unit of log odds


@dataclass(frozen=True)
class Ladder:
    """What the games of a ladder tell, as far as they were played."""

    games: int
    planned: int
    victories: int
    ratings: pd.DataFrame | None  # None: too few games
    why_none: str
    pairs: pd.DataFrame
    mixture: pd.DataFrame  # that no strategy beats; no rows: two of them never met
    ways: pd.DataFrame  # how each wins
    agendas: pd.DataFrame  # the agendas of its wins
    characters: pd.DataFrame

    @property
    def stopped(self) -> bool:
        """Was it stopped before the end?"""
        return self.games < self.planned


def play(
    strategies: Sequence[Strategy],
    r: np.record,
    *,
    players: int,
    games: int,
    seed: int,
    jobs: int = 1,
    observer: Observer | None = None,
) -> Played | None:
    """Play the games of a ladder, or what is done of them at Ctrl-C; None if that is nothing."""
    if len({strategy.name for strategy in strategies}) < 2:
        raise UserError("strategies: a ladder needs two or more different ones")
    plan = arena.mixed_plan(r, strategies, players, games, seed)
    seated = arena.line_ups(len(plan.library()), players, games, seed)
    pieces, _ = arena.until_stopped(arena.seated_pieces(plan, r, "strategies", seated, jobs, observer))
    return arena.played(plan, r, arena.joined(pieces)) if pieces else None


def report(played: Played, planned: int) -> Ladder:
    """Return what the games tell."""
    ratings, why_none = None, ""
    try:
        ratings = rated(played)
    except UserError as error:
        why_none = str(error)
    return Ladder(
        games=played.games,
        planned=planned,
        victories=int((played.frames["games"]["ending"] == "victory").sum()),
        ratings=ratings,
        why_none=why_none,
        pairs=pairs(played.frames["seats"]),
        mixture=mixture(by_game(played.frames["seats"])),
        ways=ways(played),
        agendas=agendas_used(played),
        characters=characters(played.frames),
    )


def rated(runs: Any) -> pd.DataFrame:
    """Return the strategies by strength; `runs` are games in memory or runs (see the module docstring).

    `rating` with its intervals compares with the average of those that won at all, `p_adjusted` is the p value of "as strong
    as that average" for all of them together, `rank_best` to `rank_worst` are the ranks that remain possible among them, and
    `chance_first` says how often each is the first among draws from the estimates' distribution. All of these are null
    for a strategy that never won: the games only say that it is weak. Hardly a win, or hardly a loss, is flagged.
    """
    data = outcomes(runs, cards=False)
    names = data.levels["strategy"]
    counts = _counts(data)
    won = counts["wins"].to_numpy() > 0
    if won.sum() < 2:
        raise UserError(
            f"only {names[int(np.argmax(won))] if won.any() else 'nobody'} ever won, so there is nothing to compare"
        )
    fit = fit_logit(data)
    log_odds, covariance = fit.effects("strategy")
    contrast = np.eye(int(won.sum())) - 1 / won.sum()
    log_odds = contrast @ log_odds[won]
    covariance = contrast @ covariance[np.ix_(won, won)] @ contrast
    error = np.sqrt(np.diag(covariance))
    best, worst, first = simultaneous_ranks(log_odds, covariance)
    rating = RATING * log_odds, RATING * error
    columns = around("rating", *rating) | together("rating", two_sided(*rating), normal_ends(*rating))
    columns |= {"log_odds": log_odds, "error": error, "rank_best": best, "rank_worst": worst, "chance_first": first}
    frame = counts.assign(**dict.fromkeys(columns, np.nan))
    for name, values in columns.items():
        frame.loc[won, name] = values
    frame["small_sample"] = (frame["n"] < SMALL_SAMPLE) | hardly_any(frame["wins"], decided(data, "strategy"))
    frame["unfinished"] = fit.games - fit.finished
    frame = frame.sort_values("log_odds", ascending=False, ignore_index=True)
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    return answer.judged(frame, "rating", margins.RATING, fit.games, answer.RATING)


def _counts(data: Outcomes) -> pd.DataFrame:
    """Return games and wins of each strategy as they were, with the win rate and its interval."""
    names = data.levels["strategy"]
    n, wins = np.zeros(len(names)), np.zeros(len(names))
    for t in data.tables:
        codes = t.codes["strategy"].ravel()
        n += np.bincount(codes, np.repeat(t.games, t.players), len(names))
        wins += np.bincount(codes, t.wins.ravel(), len(names))
    frame = pd.DataFrame({"strategy": names, "n": n.astype(np.int64), "wins": wins})
    return frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))


def by_game(seats: pd.DataFrame) -> pd.DataFrame:
    """Return the mean win share of a strategy's seats, a row a game and a column a strategy; NaN where it did not sit."""
    return seats.assign(strategy=seats["strategy"].astype(str)).pivot_table(
        index="game_id", columns="strategy", values="won", aggfunc="mean"
    )


def pairs(seats: pd.DataFrame) -> pd.DataFrame:
    """Return for each strategy and opponent the games both sat in and the strategy's win rate in them, with interval."""
    won = by_game(seats)
    rows = []
    for one in won.columns:
        for other in won.columns:
            both = won[one].notna() & won[other].notna()
            if one != other and both.any():
                rows.append({"strategy": one, "opponent": other, "n": int(both.sum()), "wins": float(won[one][both].sum())})
    frame = pd.DataFrame(rows)
    frame = frame.assign(**rate_columns(frame["wins"], frame["n"], "win_rate"))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


def pairs_matrix(frame: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """Return the win rates of `pairs` (or `against`) as text: row against column."""
    columns = [name for name in order if name in set(frame["opponent"])]
    rows = []
    for one in (name for name in order if name in set(frame["strategy"])):
        row = {"strategy": one}
        for other in columns:
            found = frame[(frame["strategy"] == one) & (frame["opponent"] == other)]
            row[other] = f"{found['win_rate'].iloc[0]:.1%}" if len(found) else "-"
        rows.append(row)
    return pd.DataFrame(rows)


def ways(played: Played) -> pd.DataFrame:
    """Return for each strategy its wins and in which round they came; a win shared by k seats counts 1/k."""
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
    """Return half of the 95% interval of a weighted mean (Student's for equal weights), from the values less it."""
    n = len(gaps)
    if n < 2:
        return float("nan")
    error = np.sqrt(((weights * gaps) ** 2).sum() * n / (n - 1)) / weights.sum()
    return float(stats.t.ppf(0.5 + CONFIDENCE / 2, n - 1) * error)


def agendas_used(played: Played) -> pd.DataFrame:
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
    """Return the shares of `agendas_used` as text: a row an agenda, a column a strategy."""
    rows = []
    for agenda in (*names.AGENDAS, *names.TI_AGENDAS):
        found = frame[frame["agenda"] == agenda]
        rows.append({"agenda": agenda} | {row["strategy"]: f"{row['share']:.0%}" for row in found.to_dict("records")})
    return pd.DataFrame(rows).fillna("-")


# --- one against copies of another


def against(
    strategies: Sequence[Strategy],
    opponents: Sequence[Strategy],
    r: np.record,
    *,
    players: int,
    games: int,
    seed: int,
    jobs: int = 1,
    observer: Observer | None = None,
) -> tuple[pd.DataFrame, bool]:
    """Play each strategy against tables full of copies of each opponent; return the win rates and whether Ctrl-C ended it.

    Every pair plays the same games (seed and number), so their maps, decks and leaders are the same. What is done of a
    pair at Ctrl-C counts.
    """
    meetings = [(one, other) for one in strategies for other in opponents if one.name != other.name]
    if not meetings:
        raise UserError("strategies: no opponent left; expected a strategy that is not also in --against")
    rows = []
    stopped = False
    for one, other in meetings:
        plan = arena.table_plan(r, [one, *[other] * (players - 1)], games, seed)
        pieces, stopped = arena.until_stopped(arena.table_pieces(plan, r, jobs, observer))
        if pieces:
            rows.append(_meeting(one, other, plan, arena.joined(pieces)))
        if stopped:
            break
    return pd.DataFrame(rows), stopped


def _meeting(one: Strategy, other: Strategy, plan: Any, rows: Any) -> dict[str, Any]:
    won = arena.shares(rows, plan, one.name)
    low, high = wilson(won.sum(), len(won))
    return {
        "strategy": one.name, "opponent": other.name, "copies": plan.players - 1, "n": len(won), "wins": float(won.sum()),
        "win_rate": float(won.mean()), "win_rate_low": float(low), "win_rate_high": float(high),
        "fair_share": 1 / plan.players, "rounds": float(rows.games["rounds"].mean()),
        "unfinished": int((rows.games["winner"].sum(axis=1) == 0).sum()), "small_sample": len(won) < SMALL_SAMPLE,
    }  # fmt: skip
