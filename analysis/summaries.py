"""The first answers of a run: how leaders, world wonders and victory cards did.

Every function takes a run (or several, which are pooled) and returns a DataFrame with one row an entry; shards are read
one after the other, so memory does not grow with the number of games. Unfinished games (stopped at the round cap)
count as games in which nobody won: they stay in every denominator `n`; a column `unfinished` says how many they are.

Columns `<rate>_low` and `<rate>_high` are the 95% interval of `<rate>` (`analysis/rates.py`). Rates of players who
built or claimed something are associations: who builds more may win more for other reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from analysis.rates import SMALL_SAMPLE, median_of_counts, ranks, rate_columns
from analysis.read import Run
from simulator.errors import unknown
from simulator.limits import MAX_IN_PLAY

GROUPINGS = ("seat", "order", "players", "strategy")
CARDS = [f"card_{i + 1}" for i in range(MAX_IN_PLAY)]
SEPARATOR = " / "  # between the two agendas in a victory card's name

Runs = Run | Sequence[Run]


def _runs(runs: Runs) -> list[Run]:
    return [runs] if isinstance(runs, Run) else list(runs)


def _grouping(by: str | None) -> str | None:
    if by is not None and by not in GROUPINGS:
        raise unknown("grouping", by, GROUPINGS)
    return by


def _total(parts: Iterable[pd.DataFrame], keys: list[str]) -> pd.DataFrame:
    """Add the shards' partial sums up, keys as columns, sorted by them."""
    whole = pd.concat([part.reset_index() for part in parts], ignore_index=True)
    return whole.groupby(keys, observed=True, sort=True).sum().reset_index()


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn categorical columns into text: shards may differ in their categories."""
    texts = [name for name in frame.columns if isinstance(frame[name].dtype, pd.CategoricalDtype)]
    return frame.astype(dict.fromkeys(texts, object))


def _unfinished(games: pd.DataFrame) -> pd.Series:
    return (games["ending"] != "victory").astype(np.int64)


def overview(runs: Runs) -> dict[str, Any]:
    """Return how many games there are, how they ended and how long they took."""
    planned, unfinished, rounds = 0, 0, []
    for run in _runs(runs):
        planned += run.planned_games
        for piece in run.pieces({"games": ["rounds", "ending"]}):
            unfinished += int(_unfinished(piece["games"]).sum())
            rounds.append(piece["games"]["rounds"].to_numpy())
    length = np.concatenate(rounds)
    return {
        "planned": planned,
        "games": len(length),
        "victories": len(length) - unfinished,
        "unfinished": unfinished,
        "rounds": {f"{q}%": float(np.percentile(length, q)) for q in (5, 25, 50, 75, 95)},
        "rounds_mean": float(length.mean()),
    }


def leaders(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return the win rate of each leader against the fair share, optionally by seat, order, players or strategy."""
    keys = [key for key in (_grouping(by), "leader") if key]
    wanted = {
        "seats": ["game_id", "leader", "won", *([by] if by in ("seat", "order", "strategy") else [])],
        "games": ["game_id", "ending"],
    }
    parts = []
    for run in _runs(runs):
        for piece in run.pieces(wanted):
            games = piece["games"].assign(unfinished=_unfinished(piece["games"]))
            seats = _plain(piece["seats"]).merge(games[["game_id", "unfinished"]], on="game_id")
            seats = seats.assign(players=run.players, n=1, fair=1 / run.players).rename(columns={"won": "wins"})
            parts.append(seats.groupby(keys)[["n", "wins", "fair", "unfinished"]].sum())
    total = _total(parts, keys)
    frame = total[[*keys, "n", "wins"]].assign(
        **rate_columns(total["wins"], total["n"], "win_rate"), fair_share=total["fair"] / total["n"]
    )
    frame["difference"] = frame["win_rate"] - frame["fair_share"]
    if by is None:
        frame = frame.sort_values(["win_rate", "leader"], ascending=[False, True])
        frame["rank"] = ranks(frame["win_rate_low"], frame["win_rate_high"])
    frame["unfinished"] = total["unfinished"]
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.reset_index(drop=True)


def _wonder_piece(piece: dict[str, pd.DataFrame], players: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a shard's sums by wonder, and its counts by wonder and round of building."""
    wonders = _plain(piece["wonders"])
    games = piece["games"].assign(unfinished=_unfinished(piece["games"]))
    wonders = wonders.merge(games[["game_id", "unfinished"]], on="game_id")
    seats = piece["seats"].rename(columns={"seat": "builder"})
    built = wonders[wonders["round_built"].notna()].astype({"builder": np.int8}).merge(seats, on=["game_id", "builder"])
    sums = wonders.assign(
        in_deck=wonders["in_deck"].astype(np.int64),
        revealed=wonders["round_revealed"].notna().astype(np.int64),
        unfinished=wonders["unfinished"] * wonders["in_deck"],
    )
    keys = ["wonder", "type", "era"]
    sums = sums.groupby(keys)[["in_deck", "revealed", "captures", "unfinished"]].sum()
    of_built = built.assign(built=1, builder_wins=built["won"], fair=1 / players).groupby(keys)
    sums = sums.join(of_built[["built", "builder_wins", "fair"]].sum()).fillna(0)
    return sums, built.assign(count=1).groupby(["wonder", "round_built"])[["count"]].sum()


def wonders(runs: Runs, by: Literal["players"] | None = None) -> pd.DataFrame:
    """Return for each world wonder how often and when it was built, and how its builders fared.

    `n` counts the games that had it in a deck; `builder_win_rate` has `built` as its denominator.
    """
    if by is not None:
        return _by_players(wonders, runs)
    wanted = {
        "wonders": [
            "game_id",
            "wonder",
            "type",
            "era",
            "in_deck",
            "round_revealed",
            "round_built",
            "builder",
            "captures",
        ],
        "seats": ["game_id", "seat", "won"],
        "games": ["game_id", "ending"],
    }
    pieces = [_wonder_piece(piece, run.players) for run in _runs(runs) for piece in run.pieces(wanted)]
    total = _total([one for one, _ in pieces], ["wonder", "type", "era"])
    total = total.astype(dict.fromkeys(["in_deck", "revealed", "built", "captures", "unfinished"], np.int64))
    median = _medians(_total([two for _, two in pieces], ["wonder", "round_built"]), "wonder", "round_built")
    frame = total[["wonder", "type", "era"]].assign(
        n=total["in_deck"], revealed=total["revealed"], built=total["built"]
    )
    frame = frame.assign(**rate_columns(frame["built"], frame["n"], "build_rate"))
    frame["median_round"] = frame["wonder"].map(median)
    frame = frame.assign(**rate_columns(total["builder_wins"], total["built"], "builder_win_rate"))
    frame["fair_share"] = total["fair"] / total["built"].where(total["built"] > 0)
    frame["captures"] = total["captures"]
    frame["unfinished"] = total["unfinished"]
    frame["small_sample"] = frame["built"] < SMALL_SAMPLE
    return frame.sort_values(["build_rate", "wonder"], ascending=[False, True], ignore_index=True)


def _medians(counts: pd.DataFrame, key: str, value: str) -> pd.Series:
    """Return the median of `value` by the key, from counts."""
    found = {name: median_of_counts(group[value], group["count"]) for name, group in counts.groupby(key, observed=True)}
    return pd.Series(found, dtype=float)


def _by_players(summary: Callable[[Runs], pd.DataFrame], runs: Runs) -> pd.DataFrame:
    """Make the summary of the runs of each player count, one below the other."""
    parts = []
    for count in sorted({run.players for run in _runs(runs)}):
        part = summary([run for run in _runs(runs) if run.players == count])
        part.insert(0, "players", count)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _victory_piece(piece: dict[str, pd.DataFrame], players: int) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return a shard's games by card, its claims by agenda, and its counts by agenda and round."""
    games = _plain(piece["games"]).melt(["game_id", "ending"], CARDS, value_name="card").dropna(subset="card")
    in_play = games.assign(n=1, unfinished=_unfinished(games)).groupby("card")[["n", "unfinished"]].sum()
    claims = _plain(piece["agendas"]).merge(piece["seats"], on=["game_id", "seat"])
    keys = ["card", "agenda"]
    by_agenda = claims.assign(claims=1, claimant_wins=claims["won"], fair=1 / players).groupby(keys)
    sums = by_agenda[["claims", "claimant_wins", "fair"]].sum()
    games_claimed = claims.drop_duplicates(["game_id", *keys]).groupby(keys).size().rename("games_claimed")
    return in_play, sums.join(games_claimed), claims.assign(count=1).groupby(["agenda", "round"])[["count"]].sum()


def victory(runs: Runs, by: Literal["players"] | None = None) -> pd.DataFrame:
    """Return for each victory card and agenda how often it was claimed, when, and how its claimants fared.

    `n` counts the games with the card in play; `claim_rate` is the share of them in which anyone claimed it by this
    agenda; `claimant_win_rate` has `claims` as its denominator; `winner_share` is the share of the wins in those games
    that used it.
    """
    if by is not None:
        return _by_players(victory, runs)
    wanted = {
        "games": ["game_id", "ending", *CARDS],
        "agendas": ["game_id", "seat", "agenda", "card", "round"],
        "seats": ["game_id", "seat", "won"],
    }
    pieces = [_victory_piece(piece, run.players) for run in _runs(runs) for piece in run.pieces(wanted)]
    in_play = _total([one for one, _, _ in pieces], ["card"])
    claims = _total([two for _, two, _ in pieces], ["card", "agenda"])
    median = _medians(_total([three for _, _, three in pieces], ["agenda", "round"]), "agenda", "round")
    # An agenda that nobody claimed is listed, too.
    frame = in_play.assign(agenda=in_play["card"].str.split(SEPARATOR)).explode("agenda", ignore_index=True)
    frame = frame.merge(claims, on=["card", "agenda"], how="left").fillna(0)
    whole = dict.fromkeys(["claims", "games_claimed"], np.int64)
    total = frame.astype(whole)
    frame = total[["card", "agenda", "n", "claims"]].assign(
        **rate_columns(total["games_claimed"], total["n"], "claim_rate")
    )
    frame["median_round"] = frame["agenda"].map(median)
    frame = frame.assign(**rate_columns(total["claimant_wins"], total["claims"], "claimant_win_rate"))
    frame["fair_share"] = total["fair"] / total["claims"].where(total["claims"] > 0)
    victories = (total["n"] - total["unfinished"]).astype(float)
    frame["winner_share"] = total["claimant_wins"] / victories.where(victories > 0)
    frame["unfinished"] = total["unfinished"]
    frame["small_sample"] = frame["claims"] < SMALL_SAMPLE
    return frame
