"""The first answers of a run: how leaders, world wonders and victory cards did.

Every function takes a run (or several, which are pooled) and returns a DataFrame with one row an entry; shards are read
one after the other, so memory does not grow with the number of games. Unfinished games (stopped at the round cap)
count as games in which nobody won: they stay in every denominator `n`; a column `unfinished` says how many they are.

Columns `<rate>_low` and `<rate>_high` are the 95% interval of `<rate>` (`analysis/statistics/rates.py`). Rates of players who
built or claimed something are associations: who builds more may win more for other reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
import pandas as pd

from ...simulator import limits
from ...simulator.errors import unknown
from ..statistics.rates import (
    CONFIDENCE,
    SMALL_SAMPLE,
    clustered_rate_columns,
    median_of_counts,
    quantile_of_counts,
    ranks,
    rate_columns,
    wilson,
)
from ..tables.grid import encode, places, seat_grid
from ..tables.read import Runs, listed

GROUPINGS = ("seat", "order", "players", "strategy")
CARDS = [f"card_{i + 1}" for i in range(limits.MAX_IN_PLAY)]
SEPARATOR = " / "  # between the two agendas in a victory card's name


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
    for run in listed(runs):
        planned += run.planned_games
        for piece in run.pieces({"games": ["rounds", "ending"]}):
            unfinished += int(_unfinished(piece["games"]).sum())
            rounds.append(piece["games"]["rounds"].to_numpy())
    length = np.concatenate(rounds)
    # Rounds that games had; only the median may lie between two.
    rounds_at = {f"{q}%": float(np.percentile(length, q, method="inverted_cdf")) for q in (5, 25, 75, 95)}
    rounds_at["50%"] = float(np.median(length))
    return {
        "planned": planned,
        "games": len(length),
        "victories": len(length) - unfinished,
        "unfinished": unfinished,
        "rounds": rounds_at,
        # Rounds are whole numbers, so that between two quantiles lie more of the games than the quantiles say.
        "rounds_share": float(((length >= rounds_at["5%"]) & (length <= rounds_at["95%"])).mean()),
        "rounds_mean": float(length.mean()),
    }


def leaders(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return the win rate of each leader against the fair share, optionally by seat, order, players or strategy.

    `rank` and the interval of `difference` hold for all rows together with 95%: intervals corrected for their number
    (Bonferroni), those of the win rates less the fair share.
    """
    keys = [key for key in (_grouping(by), "leader") if key]
    wanted = {
        "seats": ["game_id", "leader", "won", *([by] if by in ("seat", "order", "strategy") else [])],
        "games": ["game_id", "ending"],
    }
    parts = []
    for run in listed(runs):
        for piece in run.pieces(wanted):
            games = piece["games"].assign(unfinished=_unfinished(piece["games"]))
            at = places(games["game_id"], piece["seats"]["game_id"])
            seats = _plain(piece["seats"]).assign(unfinished=games["unfinished"].to_numpy()[at])
            seats = seats.assign(players=run.players, n=1, fair=1 / run.players).rename(columns={"won": "wins"})
            parts.append(seats.groupby(keys)[["n", "wins", "fair", "unfinished"]].sum())
    return leader_table(_total(parts, keys), by)


def leader_table(total: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Return the table of `leaders` from the sums of its rows: `n`, `wins`, `fair` (shares), `unfinished` by its keys."""
    keys = [key for key in (by, "leader") if key]
    frame = total[[*keys, "n", "wins"]].assign(
        **rate_columns(total["wins"], total["n"], "win_rate"), fair_share=total["fair"] / total["n"]
    )
    # All together: of eight equal leaders, single intervals shut one out of a place in more than one run of ten.
    low, high = wilson(frame["wins"], frame["n"], 1 - (1 - CONFIDENCE) / len(frame))
    fair = frame["fair_share"]
    frame = frame.assign(difference=frame["win_rate"] - fair, difference_all_low=low - fair, difference_all_high=high - fair)
    if by is None:
        frame["rank"] = ranks(low, high)
        frame = frame.sort_values(["win_rate", "leader"], ascending=[False, True])
    frame["unfinished"] = total["unfinished"]
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.reset_index(drop=True)


def _sums(names: list[str], key: str, code: np.ndarray, **values: Any) -> pd.DataFrame:
    """Return the sums of the values by name, names as index."""
    table = {name: np.bincount(code, value, len(names)) for name, value in values.items()}
    return pd.DataFrame(table, index=pd.Index(names, name=key))


def _counts(names: list[str], key: str, code: np.ndarray, rounds: Any) -> pd.DataFrame:
    """Return how often each name occurs with each round: columns `key`, `round`, `count`."""
    rounds = np.asarray(rounds, np.int64)
    wide = int(rounds.max(initial=0)) + 1
    count = np.bincount(code * wide + rounds, minlength=len(names) * wide)
    pair = np.flatnonzero(count)
    table = {key: np.array(names, object)[pair // wide], "round": pair % wide, "count": count[pair]}
    return pd.DataFrame(table).set_index([key, "round"])


def _wonder_piece(
    piece: dict[str, pd.DataFrame], players: int, names: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return a shard's sums by wonder, its counts by wonder and round of being seen and built, and the wonders' facts."""
    wonders, games = piece["wonders"], piece["games"]
    code, in_deck = encode(wonders["wonder"], names), wonders["in_deck"].to_numpy(float)
    at = places(games["game_id"], wonders["game_id"])
    seen, built = wonders["round_revealed"].notna().to_numpy(), wonders["round_built"].notna().to_numpy()
    won = seat_grid(piece["seats"], games["game_id"], players, piece["seats"]["won"])
    wins = np.zeros(len(wonders))
    wins[built] = won[at[built], wonders["builder"][built].to_numpy(np.int64)]
    sums = _sums(
        names, "wonder", code, in_deck=in_deck, revealed=seen, built=built, captures=wonders["captures"],
        unfinished=_unfinished(games).to_numpy()[at] * in_deck, builder_wins=wins, fair=built / players,
    )  # fmt: skip
    seen_when = _counts(names, "wonder", code[seen], wonders["round_revealed"][seen])
    built_when = _counts(names, "wonder", code[built], wonders["round_built"][built])
    some = np.zeros(len(names), np.int64)  # a row of each wonder
    some[code] = np.arange(len(code))
    facts = wonders[["wonder", "type", "era"]].iloc[some].astype(object)
    return sums, seen_when, built_when, facts


def wonders(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return for each world wonder how often and when it was seen and built, and how its builders fared.

    `n` counts the games that had it in a deck, `revealed` those in which it was turned up, from the start or later.
    `builder_win_rate` has `built` as its denominator. It is an association: players who are ahead build more, so it does
    not say what a wonder is worth. With `by="leader"`: see `wonder_builders`.
    """
    if by == "players":
        return _by_players(wonders, runs)
    if by == "leader":
        return wonder_builders(runs)
    if by is not None:
        raise unknown("grouping", by, ("players", "leader"))
    wanted = {"wonders": WONDER_COLUMNS, "seats": ["game_id", "seat", "won"], "games": ["game_id", "ending"]}
    names: list[str] = []
    pieces = [_wonder_piece(piece, run.players, names) for run in listed(runs) for piece in run.pieces(wanted)]
    sums, seen, built, facts = zip(*pieces, strict=True)
    total = _total(sums, ["wonder"]).merge(pd.concat(facts).drop_duplicates("wonder"), on="wonder")
    return wonder_table(total, _total(seen, ["wonder", "round"]), _total(built, ["wonder", "round"]))


def wonder_table(total: pd.DataFrame, seen: pd.DataFrame, built: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `wonders` from its sums by wonder, and its counts (`count`) by wonder and round."""
    total = total.astype(dict.fromkeys(["in_deck", "revealed", "built", "captures", "unfinished"], np.int64))
    frame = total[["wonder", "type", "era"]].assign(n=total["in_deck"], revealed=total["revealed"])
    frame["median_seen"] = frame["wonder"].map(_medians(seen, "wonder", "round"))
    frame["built"] = total["built"]
    frame = frame.assign(**rate_columns(frame["built"], frame["n"], "build_rate"))
    frame["median_round"] = frame["wonder"].map(_medians(built, "wonder", "round"))
    frame = frame.assign(**rate_columns(total["builder_wins"], total["built"], "builder_win_rate"))
    frame["fair_share"] = total["fair"] / total["built"].where(total["built"] > 0)
    frame["captures"] = total["captures"]
    frame["unfinished"] = total["unfinished"]
    frame["small_sample"] = frame["built"] < SMALL_SAMPLE
    return frame.sort_values(["build_rate", "wonder"], ascending=[False, True], ignore_index=True)


WONDER_COLUMNS = ["game_id", "wonder", "type", "era", "in_deck", "round_revealed", "round_built", "builder", "captures"]


def _builders_piece(
    piece: dict[str, pd.DataFrame], players: int, names: list[str], leaders: list[str]
) -> tuple[np.ndarray, ...]:
    """Return a shard's counts by wonder and leader: games with both, built by the leader, wins of these builders."""
    wonders, seats = piece["wonders"], piece["seats"]
    wonders = wonders[wonders["in_deck"].to_numpy(bool)]
    ids = seats["game_id"].unique()
    at = places(ids, wonders["game_id"])
    leader = seat_grid(seats, ids, players, encode(seats["leader"], leaders))
    won = seat_grid(seats, ids, players, seats["won"])
    code = encode(wonders["wonder"], names)
    built = wonders["round_built"].notna().to_numpy()
    by = (at[built], wonders["builder"][built].to_numpy(np.int64))
    shape = (len(names), len(leaders))
    size = shape[0] * shape[1]
    n = np.bincount((code[:, None] * shape[1] + leader[at]).ravel(), minlength=size)
    key = code[built] * shape[1] + leader[by]
    counts = (n, np.bincount(key, minlength=size), np.bincount(key, won[by], size))
    return tuple(count.reshape(shape) for count in counts)


def wonder_builders(runs: Runs) -> pd.DataFrame:
    """Return for each world wonder and leader how often the leader built it, and how often it then won.

    `n` counts the games with the leader at the table and the wonder in a deck. `builder_win_rate` is an association, as
    in `wonders`.
    """
    wanted = {
        "wonders": ["game_id", "wonder", "in_deck", "round_built", "builder"],
        "seats": ["game_id", "seat", "leader", "won"],
    }
    names: list[str] = []
    leaders: list[str] = []
    parts = []
    for run in listed(runs):
        for piece in run.pieces(wanted):
            counts = _builders_piece(piece, run.players, names, leaders)
            index = pd.MultiIndex.from_product([names, leaders], names=["wonder", "leader"])
            columns = dict(zip(("n", "built", "wins"), (count.ravel() for count in counts), strict=True))
            parts.append(pd.DataFrame(columns, index=index))
    return builder_table(_total(parts, ["wonder", "leader"]))


def builder_table(total: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `wonder_builders` from the sums `n`, `built` and `wins` by wonder and leader."""
    total = total.query("n > 0").astype({"n": np.int64, "built": np.int64})
    frame = total[["wonder", "leader", "n", "built"]].assign(**rate_columns(total["built"], total["n"], "build_rate"))
    frame = frame.assign(**rate_columns(total["wins"], total["built"], "builder_win_rate"))
    frame["small_sample"] = frame["built"] < SMALL_SAMPLE
    return frame.sort_values(["wonder", "build_rate"], ascending=[True, False], ignore_index=True)


def _medians(counts: pd.DataFrame, key: str, value: str) -> pd.Series:
    """Return the median of `value` by the key, from counts."""
    found = {name: median_of_counts(group[value], group["count"]) for name, group in counts.groupby(key, observed=True)}
    return pd.Series(found, dtype=float)


def _by_players(summary: Callable[[Runs], pd.DataFrame], runs: Runs) -> pd.DataFrame:
    """Make the summary of the runs of each player count, one below the other."""
    parts = []
    for count in sorted({run.players for run in listed(runs)}):
        part = summary([run for run in listed(runs) if run.players == count])
        part.insert(0, "players", count)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _victory_piece(
    piece: dict[str, pd.DataFrame], players: int, cards: list[str], agendas: list[str]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return a shard's games by card, its claims by agenda, and its counts by agenda and round."""
    games, claims = piece["games"], piece["agendas"]
    shown = [encode(games[name], cards) for name in CARDS]
    unfinished = _unfinished(games).to_numpy()
    parts = [_sums(cards, "card", c[c >= 0], n=np.ones((c >= 0).sum()), unfinished=unfinished[c >= 0]) for c in shown]
    code = encode(claims["agenda"], agendas)
    at = places(games["game_id"], claims["game_id"])
    won = seat_grid(piece["seats"], games["game_id"], players, piece["seats"]["won"])
    wins = won[at, claims["seat"].to_numpy()]
    ones = np.ones(len(code))
    sums = _sums(agendas, "agenda", code, claims=ones, claimant_wins=wins, fair=ones / players)
    found, game = np.unique(code * 2**40 + at, return_inverse=True)
    once = found >> 40
    sums["games_claimed"] = np.bincount(once, minlength=len(agendas))
    # Claimants of one game share its win: a game is one case.
    y, m = np.bincount(game, wins), np.bincount(game)
    for name, product in (("yy", y * y), ("ym", y * m), ("mm", m * m)):
        sums[name] = np.bincount(once, product, len(agendas))
    return sum(parts[1:], parts[0]), sums, _counts(agendas, "agenda", code, claims["round"])


def victory(runs: Runs, by: Literal["players"] | None = None) -> pd.DataFrame:
    """Return for each victory card and agenda how often it was claimed, when, and how its claimants fared.

    `n` counts the games with the card in play; `claim_rate` is the share of them in which anyone claimed it by this
    agenda; `round_p25` and `round_p75` are quartiles of the rounds of the claims; `claimant_win_rate` has `claims` as its
    denominator and a game as one case: its claimants share one win. It is an association, and next to a tautology, for who
    wins must have claimed. `winner_share` is the share of the wins in those games that used the agenda.
    """
    if by == "players":
        return _by_players(victory, runs)
    if by is not None:
        raise unknown("grouping", by, ("players",))
    wanted = {
        "games": ["game_id", "ending", *CARDS],
        "agendas": ["game_id", "seat", "agenda", "round"],
        "seats": ["game_id", "seat", "won"],
    }
    cards: list[str] = []
    agendas: list[str] = []
    pieces = [_victory_piece(piece, run.players, cards, agendas) for run in listed(runs) for piece in run.pieces(wanted)]
    in_play, claims, when = (_total(part, keys) for part, keys in zip(zip(*pieces, strict=True), VICTORY_KEYS, strict=True))
    return victory_table(in_play, claims, when)


def victory_table(in_play: pd.DataFrame, claims: pd.DataFrame, when: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `victory` from games by card, claims by agenda, and counts (`count`) by agenda and round."""
    # An agenda that nobody claimed is listed, too.
    frame = in_play.assign(agenda=in_play["card"].str.split(SEPARATOR)).explode("agenda", ignore_index=True)
    total = frame.merge(claims, on="agenda", how="left").fillna(0)
    total = total.astype(dict.fromkeys(["n", "claims", "games_claimed", "unfinished"], np.int64))
    frame = total[["card", "agenda", "n", "claims"]].assign(**rate_columns(total["games_claimed"], total["n"], "claim_rate"))
    frame["median_round"] = frame["agenda"].map(_medians(when, "agenda", "round"))
    for name, share in (("round_p25", 0.25), ("round_p75", 0.75)):
        found = {agenda: quantile_of_counts(g["round"], g["count"], share) for agenda, g in when.groupby("agenda")}
        frame[name] = frame["agenda"].map(pd.Series(found, dtype=float))
    claimants = total["claimant_wins"] / total["claims"].where(total["claims"] > 0)
    squares = total["yy"] - 2 * claimants * total["ym"] + claimants**2 * total["mm"]
    frame = frame.assign(**clustered_rate_columns(total["claimant_wins"], total["claims"], squares, "claimant_win_rate"))
    frame["fair_share"] = total["fair"] / total["claims"].where(total["claims"] > 0)
    frame = frame.assign(**rate_columns(total["claimant_wins"], total["n"] - total["unfinished"], "winner_share"))
    frame["unfinished"] = total["unfinished"]
    frame["small_sample"] = frame["claims"] < SMALL_SAMPLE
    return frame


VICTORY_KEYS = (["card"], ["agenda"], ["agenda", "round"])
