"""The game as a whole: how long it takes, how it is won, what it runs out of.

Functions take a run (or several) and return a DataFrame; `by="players"` gives each player count its own rows. Who goes
first is in `analysis.models.order.turn_order`, corrected for leaders and strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator.errors import UserError
from ...simulator.rules.contents import section
from ..statistics.inference import Sums
from ..statistics.rates import (
    CONFIDENCE,
    SMALL_SAMPLE,
    clustered_rate_columns,
    median_of_counts,
    quantile_of_counts,
    rate_columns,
    share_between,
    wilson,
)
from ..tables.cases import Runs, Selection, added, as_runs, asked, counted_together
from ..tables.columns import WHOLE
from ..tables.grid import bit_names
from .counts import LENGTH, by_players, lengths


def grouped(runs: Runs, by: str | None, one: Callable[[Runs], pd.DataFrame]) -> pd.DataFrame:
    """Return the summary of the runs together, or of those of each player count, one below the other."""
    if by is None:
        return one(runs)
    if by != "players":
        raise UserError(f"by '{by}': expected players")
    return by_players(one, runs)


# --- Length


def rounds(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return how many games ended in each round: won (`victories`) or stopped (`unfinished`), and their shares of all."""
    return grouped(runs, by, _rounds)


def _rounds(runs: Runs) -> pd.DataFrame:
    counts = added(lengths(s) for s in asked(runs, LENGTH))
    frame = pd.DataFrame({"rounds": np.arange(len(counts["victories"])), **counts})
    frame = frame[frame["victories"] + frame["unfinished"] > 0].reset_index(drop=True)
    n = frame["victories"] + frame["unfinished"]
    frame["share"] = n / n.sum()
    frame["share_so_far"] = frame["share"].cumsum()
    return frame


def length(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return one row: games, mean and quantiles of their rounds with intervals, share unfinished with its interval.

    The median's interval is that of order statistics (distribution-free; there is none for fewer than 6 games). Games
    stopped at the round cap count with the rounds they had. `middle` is the share of the games from `p5` to `p95`, both
    included: more than 90%, for rounds are whole numbers.
    """
    return grouped(runs, by, _length)


def _length(runs: Runs) -> pd.DataFrame:
    counts = _rounds(runs)
    number = (counts["victories"] + counts["unfinished"]).to_numpy()
    values, n = counts["rounds"].to_numpy(float), int(number.sum())
    sums = Sums.by_group(np.zeros(len(values), np.int64), 1, values, number)
    row: dict[str, Any] = {"n": n} | {name: float(value[0]) for name, value in sums.mean_columns("mean").items()}
    for name, q in (("p5", 0.05), ("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("p95", 0.95)):
        row[name] = quantile_of_counts(values, number, q)
    row["middle"] = share_between(values, number, row["p5"], row["p95"])
    row["median_low"], row["median_high"] = median_interval(values, number)
    unfinished = int(counts["unfinished"].sum())
    low, high = wilson(unfinished, n)
    row |= {"unfinished": unfinished, "unfinished_rate": unfinished / n}
    return pd.DataFrame([row | {"unfinished_rate_low": float(low), "unfinished_rate_high": float(high)}])


def median_interval(values: np.ndarray, number: np.ndarray) -> tuple[float, float]:
    """Return the order statistics that hold the median with at least 95% (H. David and H. Nagaraja, Order Statistics, 7.1).

    The k-th smallest and the k-th largest value, with the largest k for which fewer than k of n values lie on one side of
    the median with a chance of at most 2.5%; NaN where even the smallest and the largest do not hold it so often.
    """
    n = int(number.sum())
    k = int(stats.binom.ppf((1 - CONFIDENCE) / 2, n, 0.5))
    if k == 0:
        return np.nan, np.nan
    order, reached = np.argsort(values), np.cumsum(number[np.argsort(values)])
    low, high = (values[order[np.searchsorted(reached, place)]] for place in (k, n - k + 1))
    return float(low), float(high)


# --- Reasons of victory


def reasons(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return the combinations of agendas the winners claimed, the most frequent first.

    `wins` counts shared wins in parts; `share` is out of all wins, `share_where_possible` out of the wins of games with
    the same victory cards in play, with its 95% interval; `median_round` is the length of those games. With
    `by="leader"` the shares are those within each leader's wins.
    """
    if by not in (None, "leader", "players"):
        raise UserError(f"reasons by '{by}': expected leader or players")
    sample = asked(runs, ("there", "leader", "won", "rounds", "cards", "claims"))
    wins = counted_together((_wins(s) for s in sample), [*_WIN_KEYS, "rounds"])
    wins = wins.assign(won=wins["won"] / WHOLE)
    words = {"leader": sample.words.leader, "cards": sample.words.card, "agendas": sample.words.agenda}
    keys = [by] if by else []
    groups = wins.groupby([*keys, "cards", "agendas"])
    frame = groups[["won"]].sum().rename(columns={"won": "wins"}).reset_index()
    frame["median_round"] = [median_of_counts(group["rounds"], group["winners"]) for _, group in groups]
    for name in ("cards", "agendas"):
        frame[name] = [bit_names(mask, words[name], " | " if name == "cards" else " + ") for mask in frame[name]]
    if by == "leader":
        frame["leader"] = np.array(words["leader"], object)[frame["leader"]]
    whole = frame.groupby(keys)["wins"].transform("sum") if keys else frame["wins"].sum()
    possible = frame.groupby([*keys, "cards"])["wins"].transform("sum")
    frame["share"] = frame["wins"] / whole
    frame = frame.assign(**rate_columns(frame["wins"], possible, "share_where_possible"), n=possible)
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    frame = frame.sort_values([*keys, "wins", "agendas"], ascending=[*[True] * len(keys), False, True], ignore_index=True)
    ordered = [*keys, "agendas", "wins", "share", "share_where_possible", "share_where_possible_low"]
    return frame[[*ordered, "share_where_possible_high", "n", "median_round", "cards", "small_sample"]]


_WIN_KEYS = ["players", "leader", "cards", "agendas"]


def _wins(s: Selection) -> pd.DataFrame:
    """Return the counted winners by leader, cards in play, agendas claimed (one bit each) and rounds."""
    games = s.games
    agendas = np.zeros(games.leader.size, np.int64)
    np.bitwise_or.at(agendas, games.claims.at, np.int64(1) << games.claims.what.astype(np.int64))
    at = s.seats[s.wins[s.seats] > 0]
    game = at // games.players
    found = {"players": games.players, "leader": games.leader.ravel()[at], "cards": games.cards[game], "agendas": agendas[at]}
    frame = pd.DataFrame(found | {"rounds": games.rounds[game], "won": s.wins[at].astype(np.int64), "winners": 1})
    return frame.groupby([*_WIN_KEYS, "rounds"], as_index=False).sum()


# --- What runs out


def shortages(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return how often components were used up at the end of the game.

    `n` counts seats for pieces of a player (city pieces, control tokens) and games for what all share (a type's wonder
    deck, all of it built). The tables hold the state at the end only: a piece that was used up and came back is missed,
    so the rates are lower bounds of "ran out at any time". Seats of one game are one case in the interval.
    """
    return grouped(runs, by, _shortages)


def _shortages(runs: Runs) -> pd.DataFrame:
    parts: list[tuple[str, int, int, int, int, int]] = []
    for run in as_runs(runs):
        data = run.manifest["ruleset"]["data"]
        pieces = data["components"]["per_player"][section(data)]
        # The capital is a piece of its own.
        limits = {"cities": pieces["cities"] + pieces["capital"], "tokens": pieces["control_tokens"]}
        for s in asked(run, ("there", "deck", "erected", "facts"), limits):
            parts += _used_up(s, limits)
    columns = ["component", "n", "used_up", "yy", "ym", "mm"]
    total = pd.DataFrame(parts, columns=columns).groupby("component", as_index=False).sum()
    rate = total["used_up"] / total["n"]
    squares = total["yy"] - 2 * rate * total["ym"] + rate**2 * total["mm"]
    frame = total[columns[:3]].assign(**clustered_rate_columns(total["used_up"], total["n"], squares, "rate"))
    return frame.sort_values(["rate", "component"], ascending=[False, True], ignore_index=True)


def _used_up(s: Selection, limits: dict[str, int]) -> Iterator[tuple[str, int, int, int, int, int]]:
    """Yield component, cases, used up, and sums over games of y², ym and m² (y used up among m cases of a game)."""
    games, names = s.games, {"cities": "city pieces of a player", "tokens": "control tokens of a player"}
    for column, limit in limits.items():
        y, m = (games.number(column) >= limit).sum(axis=1), s.counting.sum(axis=1)
        yield names[column], int(m.sum()), int(y.sum()), int(y @ y), int(y @ m), int(m @ m)
    deck, unbuilt, facts = games.deck, games.deck & ~games.erected, games.facts
    cards: dict[str, int] = {}  # the wonders of each type, one bit each
    for code, name in enumerate(games.words.wonder):
        kind = facts[name][0]
        cards[kind] = cards.get(kind, 0) | 1 << code
    for kind, bits in cards.items():
        dealt = deck & bits > 0
        n, built = int(np.count_nonzero(dealt)), int(np.count_nonzero(dealt & (unbuilt & bits == 0)))
        if n:
            yield f"deck of {kind} wonders", n, built, built, built, n
