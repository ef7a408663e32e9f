"""The game as a whole: how long it takes, how it is won, what it runs out of.

Functions take a run (or several) and return a DataFrame; `by="players"` gives each player count its own rows. Who goes
first is in `analysis.order.turn_order`, corrected for leaders and strategies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.rates import CONFIDENCE, SMALL_SAMPLE, rate_columns, wilson
from analysis.read import Run
from analysis.summaries import CARDS
from simulator.errors import UserError

Runs = Run | Sequence[Run]
ALL = "all"  # the key of rows that are not split by player count
QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def _groups(runs: Runs, by: str | None) -> Iterator[tuple[int | str, list[Run]]]:
    listed = list(runs) if isinstance(runs, Sequence) else [runs]
    if by is None:
        yield ALL, listed
    elif by == "players":
        for players in sorted({run.players for run in listed}):
            yield players, [run for run in listed if run.players == players]
    else:
        raise UserError(f"by '{by}': expected players")


def _grouped(runs: Runs, by: str | None, one: Any) -> pd.DataFrame:
    parts = []
    for key, group in _groups(runs, by):
        part = one(group)
        if by is not None:
            part.insert(0, by, key)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


# --- Length


def rounds(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return how many games ended in each round: won (`victories`) or stopped (`unfinished`), and their shares of all."""
    return _grouped(runs, by, _rounds)


def _rounds(runs: list[Run]) -> pd.DataFrame:
    counts = []
    for run in runs:
        for piece in run.pieces({"games": ["rounds", "ending"]}):
            games = piece["games"]
            won = (games["ending"] == "victory").astype(np.int64)
            counts.append(pd.DataFrame({"rounds": games["rounds"], "victories": won, "unfinished": 1 - won}))
    frame = pd.concat(counts).groupby("rounds", as_index=False).sum()
    n = frame["victories"] + frame["unfinished"]
    frame["share"] = n / n.sum()
    frame["share_so_far"] = frame["share"].cumsum()
    return frame


def length(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return one row: games, mean and quantiles of their rounds with intervals, share unfinished with its interval.

    The median's interval is that of order statistics (distribution-free). Games stopped at the round cap count with the
    rounds they had.
    """
    return _grouped(runs, by, _length)


def _length(runs: list[Run]) -> pd.DataFrame:
    counts = _rounds(runs)
    number = (counts["victories"] + counts["unfinished"]).to_numpy()
    values, n = counts["rounds"].to_numpy(float), int(number.sum())
    mean = float(values @ number) / n
    error = float(np.sqrt(((values - mean) ** 2) @ number / max(n - 1, 1) / n))
    reached = np.cumsum(number)
    low, high = wilson(n / 2, n, CONFIDENCE)  # of the ranks that the median may have
    row: dict[str, Any] = {"n": n, "mean": mean, "mean_low": mean - 1.96 * error, "mean_high": mean + 1.96 * error}
    for name, q in QUANTILES.items():
        row[name] = _quantile(values, reached, q)
    row["median_low"], row["median_high"] = (_quantile(values, reached, float(q)) for q in (low, high))
    unfinished = int(counts["unfinished"].sum())
    low, high = wilson(unfinished, n)
    row |= {"unfinished": unfinished, "unfinished_rate": unfinished / n}
    return pd.DataFrame([row | {"unfinished_rate_low": float(low), "unfinished_rate_high": float(high)}])


def _quantile(values: np.ndarray, reached: np.ndarray, q: float) -> float:
    """Return the smallest value that at least the share q of the games do not exceed."""
    return float(values[np.searchsorted(reached, max(1, np.ceil(q * reached[-1])))])


# --- Reasons of victory


def reasons(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return the combinations of agendas the winners claimed, the most frequent first.

    `wins` counts shared wins in parts; `share` is out of all wins, `share_where_possible` out of the wins of games with
    the same victory cards in play, with its 95% interval; `median_round` is the length of those games. With
    `by="leader"` the shares are those within each leader's wins.
    """
    runs = list(runs) if isinstance(runs, Sequence) else [runs]
    if by not in (None, "leader", "players"):
        raise UserError(f"reasons by '{by}': expected leader or players")
    keys = [by] if by else []
    wins = pd.concat([_wins(piece, run.players) for run in runs for piece in run.pieces(_FOR_REASONS)], ignore_index=True)
    groups = wins.groupby([*keys, "cards", "agendas"], sort=False)
    frame = groups.agg(wins=("won", "sum"), median_round=("rounds", "median")).reset_index()
    whole = frame.groupby(keys)["wins"].transform("sum") if keys else frame["wins"].sum()
    possible = frame.groupby([*keys, "cards"])["wins"].transform("sum")
    frame["share"] = frame["wins"] / whole
    frame = frame.assign(**rate_columns(frame["wins"], possible, "share_where_possible"), n=possible)
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    frame = frame.sort_values([*keys, "wins", "agendas"], ascending=[*[True] * len(keys), False, True], ignore_index=True)
    ordered = [*keys, "agendas", "wins", "share", "share_where_possible", "share_where_possible_low"]
    return frame[[*ordered, "share_where_possible_high", "n", "median_round", "cards", "small_sample"]]


_FOR_REASONS = {
    "games": ["game_id", "rounds", *CARDS],
    "seats": ["game_id", "seat", "leader", "won"],
    "agendas": ["game_id", "seat", "agenda"],
}


def _wins(piece: dict[str, pd.DataFrame], players: int) -> pd.DataFrame:
    """Return one row for each winner, with the names of the agendas claimed and the cards in play."""
    seats = piece["seats"]
    winners = seats[seats["won"] > 0].astype({"leader": object})
    claims = piece["agendas"].astype({"agenda": object}).merge(winners[["game_id", "seat"]], on=["game_id", "seat"])
    claims = claims.sort_values(["game_id", "seat", "agenda"])
    names = claims.groupby(["game_id", "seat"], sort=False)["agenda"].agg(" + ".join).rename("agendas").reset_index()
    games = piece["games"]
    cards = games[CARDS].astype(object).to_numpy()
    in_play = [" | ".join(sorted(card for card in row if isinstance(card, str))) for row in cards]
    found = winners.merge(names, on=["game_id", "seat"], how="left").fillna({"agendas": "none"})
    found = found.merge(games[["game_id", "rounds"]].assign(cards=in_play), on="game_id")
    return found.assign(players=players)


# --- When agendas are claimed


def claim_rounds(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return for each agenda how often it was claimed and in which rounds: quantiles of its claims, earliest first."""
    return _grouped(runs, by, _claim_rounds)


def _claim_rounds(runs: list[Run]) -> pd.DataFrame:
    wanted = {"agendas": ["agenda", "round"]}
    pieces = [piece["agendas"].astype({"agenda": object}) for run in runs for piece in run.pieces(wanted)]
    counts = pd.concat([piece.groupby(["agenda", "round"], as_index=False).size() for piece in pieces])
    rows = []
    for agenda, group in counts.groupby(["agenda", "round"], as_index=False)["size"].sum().groupby("agenda"):
        values, reached = group["round"].to_numpy(float), np.cumsum(group["size"].to_numpy())
        rows.append({"agenda": agenda, "claims": int(reached[-1])})
        rows[-1] |= {name: _quantile(values, reached, q) for name, q in QUANTILES.items()}
    frame = pd.DataFrame(rows, columns=["agenda", "claims", *QUANTILES])
    frame["small_sample"] = frame["claims"] < SMALL_SAMPLE
    return frame.sort_values(["median", "agenda"], ignore_index=True)


# --- What runs out


def shortages(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return how often components were used up at the end of the game.

    `n` counts seats for pieces of a player (city pieces, control tokens) and games for what all share (a type's wonder
    deck, all of it built). The tables hold the state at the end only: a piece that was used up and came back is missed,
    so the rates are lower bounds of "ran out at any time".
    """
    return _grouped(runs, by, _shortages)


def _shortages(runs: list[Run]) -> pd.DataFrame:
    parts = []
    for run in runs:
        pieces = run.manifest["ruleset"]["data"]["components"]["per_player"]["base"]
        # The capital is a piece of its own.
        limits = {"cities": pieces["cities"] + pieces["capital"], "tokens": pieces["control_tokens"]}
        wanted = {"seats": ["game_id", *limits], "wonders": ["game_id", "type", "in_deck", "round_built"]}
        parts += [part for piece in run.pieces(wanted) for part in _used_up(piece, limits)]
    frame = pd.DataFrame(parts, columns=["component", "n", "used_up"]).groupby("component", as_index=False).sum()
    frame = frame.assign(**rate_columns(frame["used_up"], frame["n"], "rate"))
    return frame.sort_values(["rate", "component"], ascending=[False, True], ignore_index=True)


def _used_up(piece: dict[str, pd.DataFrame], limits: dict[str, int]) -> Iterator[tuple[str, int, int]]:
    names = {"cities": "city pieces of a player", "tokens": "control tokens of a player"}
    for column, limit in limits.items():
        yield names[column], len(piece["seats"]), int((piece["seats"][column] >= limit).sum())
    wonders = piece["wonders"]
    wonders = wonders[wonders["in_deck"]].assign(built=lambda frame: frame["round_built"].notna())
    decks = wonders.astype({"type": object}).groupby(["type", "game_id"])["built"].all()
    for kind, built in decks.groupby(level="type"):
        yield f"deck of {kind} wonders", len(built), int(built.sum())
