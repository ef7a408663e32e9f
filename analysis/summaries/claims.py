"""Victory cards: which leader uses which agenda, and what the combination of cards in play changes.

All of it is association: a leader's seats claim an agenda for all reasons there are. Only which cards are in play is
drawn at random, so differences between combinations are due to the cards: to these cards instead of the others, for as
many are always in play. Verdicts hold for all rows of a table together.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..statistics.inference import FEW, Sums, newcombe, normal_ends, rate_difference, together, two_sided, with_few
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, quantile_of_counts, rate_columns
from ..tables.grid import bit_names, card_bits, encode, places, seat_grid
from ..tables.read import Runs, listed
from .counts import CARDS, SEPARATOR

BETWEEN = " | "  # between the cards of a combination


# --- Who uses which agenda


def agenda_users(runs: Runs) -> pd.DataFrame:
    """Return for each agenda and leader how often the leader claimed it, against the other seats of the same games.

    `n` counts the games with the leader at the table and the card in play. `points` is the leader's claim rate less
    `others_rate`, that of the other seats of these games (percentage points, mean of the games' differences ± z standard
    errors: a game is one observation; with fewer than 25 claims, or games without one, Newcombe's interval and, if it says
    less, the exact test). `agenda_share` is the share of the leader's claims of the card that used this agenda.
    """
    wanted = {
        "games": ["game_id", *CARDS],
        "seats": ["game_id", "seat", "leader"],
        "agendas": ["game_id", "seat", "agenda"],
    }
    words: dict[str, list[str]] = {"leader": [], "card": [], "agenda": []}
    parts = [_users_piece(piece, run.players, words) for run in listed(runs) for piece in run.pieces(wanted)]
    total = pd.concat(parts).groupby(["card", "agenda", "leader"], as_index=False).sum().query("n > 0")
    n = total["n"].to_numpy()
    frame = total[["card", "agenda", "leader"]].assign(n=n.astype(np.int64), claims=total["claims"].astype(np.int64))
    frame = frame.assign(**rate_columns(total["claims"], total["n"], "claim_rate"), others_rate=total["others"] / n)
    frame = frame.assign(**_against_others(total))
    of_card = total.groupby(["card", "leader"])["claims"].transform("sum")
    frame = frame.assign(**rate_columns(total["claims"], of_card, "agenda_share"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["card", "agenda", "claim_rate"], ascending=[True, True, False], ignore_index=True)


def _against_others(total: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the columns `points`, its interval and `p`: a leader's claims less those of the other seats."""
    claims, n, seats = (total[name].to_numpy() for name in ("claims", "n", "seats"))
    mean = (claims - total["others"].to_numpy()) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.clip(total["squares"].to_numpy() / n - mean**2, 0, None) / (n - 1))
    counts = (claims, n, total["others"].to_numpy() * seats / n, seats)
    usual, rare = normal_ends(100 * mean, 100 * error), newcombe(*counts)
    few = np.minimum(claims, n - claims) < FEW

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = (np.where(few, *sides) for sides in zip(rare(confidence), usual(confidence), strict=True))
        return low, high

    low, high = ends(CONFIDENCE)
    p = with_few(two_sided(mean, error), *counts)
    return {"points": 100 * mean, "points_low": low, "points_high": high} | together("points", p, ends)


def _users_piece(piece: dict[str, pd.DataFrame], players: int, words: dict[str, list[str]]) -> pd.DataFrame:
    """Return a shard's sums by agenda and leader: games, claims, other seats and their mean claims, squared differences."""
    games, claims = piece["games"], piece["agendas"]
    ids = games["game_id"]
    bits = card_bits(games, CARDS, words["card"])
    leader = seat_grid(piece["seats"], ids, players, encode(piece["seats"]["leader"], words["leader"]))
    code, at = encode(claims["agenda"], words["agenda"]), places(ids, claims["game_id"])
    parts = []
    for place, card in enumerate(words["card"]):
        in_play = bits >> place & 1 == 1
        who = leader[in_play].ravel()
        for agenda in card.split(SEPARATOR):
            claimed = np.zeros((len(games), players))
            mine = code == words["agenda"].index(agenda) if agenda in words["agenda"] else np.zeros(len(code), bool)
            claimed[at[mine], claims["seat"].to_numpy()[mine]] = 1
            own = claimed[in_play]
            others = (own.sum(axis=1, keepdims=True) - own) / (players - 1)
            values = {"n": np.ones_like(own), "claims": own, "others": others, "squares": (own - others) ** 2}
            values["seats"] = np.full_like(own, players - 1)
            sums = {name: np.bincount(who, value.ravel(), len(words["leader"])) for name, value in values.items()}
            parts.append(pd.DataFrame({"card": card, "agenda": agenda, "leader": words["leader"], **sums}))
    return pd.concat(parts)


# --- Combinations of cards in play


def card_sets(runs: Runs) -> pd.DataFrame:
    """Return for each combination of victory cards in play how long the games are, the longest first.

    `rounds_mean` has Student's interval. `rounds_difference` is its distance from the mean of all games with other cards
    (Welch's interval and test; no p value below 100 games). Games stopped at the round cap count with the rounds they had.
    """
    cards: list[str] = []
    parts = []
    for run in listed(runs):
        for piece in run.pieces({"games": ["rounds", "ending", *CARDS]}):
            games = piece["games"]
            table = {"bits": card_bits(games, CARDS, cards), "rounds": games["rounds"].to_numpy(np.int64)}
            frame = pd.DataFrame(table | {"unfinished": (games["ending"] != "victory").astype(np.int64), "n": 1})
            parts.append(frame.groupby(["bits", "rounds"], as_index=False).sum())
    counts = pd.concat(parts).groupby(["bits", "rounds"], as_index=False).sum()
    group, found = pd.factorize(counts["bits"], sort=True)
    sums = Sums.by_group(group, len(found), counts["rounds"], counts["n"])
    n = sums.n.astype(np.int64)
    unfinished = np.bincount(group, counts["unfinished"], len(found)).astype(np.int64)
    frame = pd.DataFrame({"cards": [bit_names(bits, cards, BETWEEN) for bits in found], "n": n, "share": n / n.sum()})
    frame = frame.assign(**sums.mean_columns("rounds_mean"))
    frame["rounds_median"] = [quantile_of_counts(g["rounds"], g["n"], 0.5) for _, g in counts.groupby("bits")]
    frame = frame.assign(**sums.difference_columns("rounds_difference", least=SMALL_SAMPLE))
    frame = frame.assign(unfinished=unfinished, **rate_columns(pd.Series(unfinished), pd.Series(n), "unfinished_rate"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["rounds_mean", "cards"], ascending=[False, True], ignore_index=True)


def card_set_leaders(runs: Runs) -> pd.DataFrame:
    """Return for each combination of victory cards and leader the win rate, against the leader's games with other cards.

    `n` counts the leader's games with these cards, unfinished ones included; `points` is the win rate less
    `others_rate` in percentage points, with Newcombe's interval.
    """
    words: dict[str, list[str]] = {"leader": [], "card": []}
    parts = []
    for run in listed(runs):
        for piece in run.pieces({"games": ["game_id", *CARDS], "seats": ["game_id", "leader", "won"]}):
            seats, games = piece["seats"], piece["games"]
            bits = card_bits(games, CARDS, words["card"])[places(games["game_id"], seats["game_id"])]
            table = {"bits": bits, "leader": encode(seats["leader"], words["leader"]), "n": 1, "wins": seats["won"].to_numpy()}
            parts.append(pd.DataFrame(table).groupby(["bits", "leader"], as_index=False).sum())
    total = pd.concat(parts).groupby(["bits", "leader"], as_index=False).sum()
    whole = total.groupby("leader")[["n", "wins"]].transform("sum")
    other_n, other_wins = whole["n"] - total["n"], whole["wins"] - total["wins"]
    names = {bits: bit_names(bits, words["card"], BETWEEN) for bits in total["bits"].unique()}
    frame = pd.DataFrame({"cards": total["bits"].map(names), "leader": np.array(words["leader"], object)[total["leader"]]})
    frame = frame.assign(n=total["n"], wins=total["wins"], **rate_columns(total["wins"], total["n"], "win_rate"))
    frame["others_rate"] = other_wins / other_n.where(other_n > 0)
    frame = frame.assign(**rate_difference("points", total["wins"], total["n"], other_wins, other_n, frame["leader"]))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["cards", "win_rate"], ascending=[True, False], ignore_index=True)
