"""How each leader wins: by which agendas, and when. All figures are about winners, and are associations."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..statistics.inference import Sums, rate_difference
from ..statistics.rates import SMALL_SAMPLE, quantile_of_counts, rate_columns
from ..tables.grid import card_bits, encode, places, seat_grid
from ..tables.read import Runs, listed
from .counts import CARDS, SEPARATOR


def winning_agendas(runs: Runs) -> pd.DataFrame:
    """Return for each leader and agenda in how many of the leader's wins it was claimed.

    `n` counts the leader's wins in games with the card in play, shared wins in parts. `points` is `use_rate` less
    `others_rate`, that of all other leaders' wins (percentage points, Newcombe's interval). Where every win has claimed a
    card by one of its two agendas, their rows mirror each other and are one question.
    """
    wanted = {
        "games": ["game_id", *CARDS],
        "seats": ["game_id", "seat", "leader", "won"],
        "agendas": ["game_id", "seat", "agenda"],
    }
    words: dict[str, list[str]] = {"leader": [], "card": [], "agenda": []}
    parts = [_agendas_piece(piece, run.players, words) for run in listed(runs) for piece in run.pieces(wanted)]
    total = pd.concat(parts).groupby(["card", "agenda", "leader"], as_index=False).sum().query("n > 0")
    whole = total.groupby("agenda")[["n", "wins"]].transform("sum")
    other_n, other_wins = whole["n"] - total["n"], whole["wins"] - total["wins"]
    frame = total[["leader", "card", "agenda", "n", "wins"]].assign(**rate_columns(total["wins"], total["n"], "use_rate"))
    frame["others_rate"] = other_wins / other_n.where(other_n > 0)
    question = frame["leader"] + frame["card"]
    frame = frame.assign(**rate_difference("points", total["wins"], total["n"], other_wins, other_n, question))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["leader", "use_rate", "agenda"], ascending=[True, False, True], ignore_index=True)


def _agendas_piece(piece: dict[str, pd.DataFrame], players: int, words: dict[str, list[str]]) -> pd.DataFrame:
    """Return a shard's wins by agenda and leader: with the card in play, and with the agenda claimed."""
    games, seats, claims = piece["games"], piece["seats"], piece["agendas"]
    ids = games["game_id"]
    bits = card_bits(games, CARDS, words["card"])[places(ids, seats["game_id"])]
    leader, won = encode(seats["leader"], words["leader"]), seats["won"].to_numpy(float)
    at = (places(ids, claims["game_id"]), claims["seat"].to_numpy())
    who, share = seat_grid(seats, ids, players, leader)[at], seat_grid(seats, ids, players, won)[at]
    code, size, parts = encode(claims["agenda"], words["agenda"]), len(words["leader"]), []
    for place, card in enumerate(words["card"]):
        n = np.bincount(leader, won * (bits >> place & 1), size)
        for agenda in card.split(SEPARATOR):
            mine = code == words["agenda"].index(agenda) if agenda in words["agenda"] else np.zeros(len(code), bool)
            wins = np.bincount(who[mine], share[mine], size)
            parts.append(pd.DataFrame({"card": card, "agenda": agenda, "leader": words["leader"], "n": n, "wins": wins}))
    return pd.concat(parts)


def winning_times(runs: Runs) -> pd.DataFrame:
    """Return for each leader when it wins, the fastest first.

    `winners` counts winning seats, those of shared wins fully. `rounds_mean` is the mean length of the games they won
    (Student's interval), `rounds_p25` and `rounds_p75` their quartiles; `rounds_difference` compares the mean with all
    other leaders' wins (Welch; no p value below 100 wins). `claim_1`, `claim_2`, … are the median rounds of the winners'
    first, second, … claim.
    """
    wanted = {
        "games": ["game_id", "rounds"],
        "seats": ["game_id", "seat", "leader", "won"],
        "agendas": ["game_id", "seat", "round"],
    }
    leaders: list[str] = []
    pieces = [_times_piece(piece, run.players, leaders) for run in listed(runs) for piece in run.pieces(wanted)]
    keys = ["leader", "claim", "round"]
    return times_table(pd.concat(pieces).groupby(keys, as_index=False).sum(), leaders)


def times_table(counts: pd.DataFrame, leaders: list[str]) -> pd.DataFrame:
    """Return the table of `winning_times` from counts by code of the leader, number of the claim (0: the end) and round."""
    ends, claims = counts[counts["claim"] == 0], counts[counts["claim"] > 0]
    place, found = pd.factorize(ends["leader"], sort=True)
    sums = Sums.by_group(place, len(found), ends["round"], ends["count"])
    frame = pd.DataFrame({"leader": np.array(leaders, object)[found], "winners": sums.n.astype(np.int64)})
    frame = frame.assign(**sums.mean_columns("rounds_mean"))
    for name, share in (("rounds_p25", 0.25), ("rounds_median", 0.5), ("rounds_p75", 0.75)):
        frame[name] = [quantile_of_counts(g["round"], g["count"], share) for _, g in ends.groupby("leader")]
    for k in range(1, int(claims["claim"].max()) + 1 if len(claims) else 1):
        medians = {}
        for code, group in claims[claims["claim"] == k].groupby("leader"):
            medians[code] = quantile_of_counts(group["round"], group["count"], 0.5)
        frame[f"claim_{k}"] = [medians.get(code, np.nan) for code in found]
    frame = frame.assign(**sums.difference_columns("rounds_difference", least=SMALL_SAMPLE))
    frame["small_sample"] = frame["winners"] < SMALL_SAMPLE
    return frame.sort_values(["rounds_mean", "leader"], ignore_index=True)


def _times_piece(piece: dict[str, pd.DataFrame], players: int, leaders: list[str]) -> pd.DataFrame:
    """Return a shard's counts by leader, number of the winner's claim (0: the end of the game) and round."""
    games, seats, claims = piece["games"], piece["seats"], piece["agendas"]
    ids = games["game_id"]
    leader, won = encode(seats["leader"], leaders), seats["won"].to_numpy(float)
    game, seat = places(ids, claims["game_id"]), claims["seat"].to_numpy(np.int64)
    order = np.lexsort((claims["round"].to_numpy(), seat, game))
    owner = (game * players + seat)[order]
    first = np.r_[True, owner[1:] != owner[:-1]][: len(owner)]
    start = np.maximum.accumulate(np.where(first, np.arange(len(owner)), 0))
    number = np.arange(len(owner)) - start + 1
    at = (game[order], seat[order])
    who, share = seat_grid(seats, ids, players, leader)[at], seat_grid(seats, ids, players, won)[at]
    made = pd.DataFrame({"leader": who, "claim": number, "round": claims["round"].to_numpy(np.int64)[order]})[share > 0]
    ends = games["rounds"].to_numpy(np.int64)[places(ids, seats["game_id"])]
    ended = pd.DataFrame({"leader": leader, "claim": 0, "round": ends})[won > 0]
    return pd.concat([made, ended]).groupby(["leader", "claim", "round"]).size().rename("count").reset_index()
