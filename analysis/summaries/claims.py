"""Victory cards: which leader uses which agenda, and what the combination of cards in play changes.

All of it is association: a leader's seats claim an agenda for all reasons there are. Only which cards are in play is
drawn at random, so differences between combinations are due to the cards: to these cards instead of the others, for as
many are always in play. Verdicts hold for all rows of a table together.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..statistics.inference import FEW, Sums, newcombe, normal_ends, rate_difference, together, two_sided, with_few
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, as_cases, quantile_of_counts, rate_columns
from ..tables.cases import Runs, Selection, asked, counted_together
from ..tables.columns import SEPARATOR, WHOLE
from ..tables.grid import bit_names

BETWEEN = " | "  # between the cards of a combination


# --- Who uses which agenda


def agenda_users(runs: Runs) -> pd.DataFrame:
    """Return for each agenda and leader how often the leader claimed it, against the other seats of the same games.

    `n` counts the games with the leader at the table and the card in play. `points` is the leader's claim rate less
    `others_rate`, that of the other seats of these games (percentage points, mean of the games' differences ± z standard
    errors: a game is one observation; with fewer than 25 claims, or games without one, Newcombe's interval and, if it says
    less, the exact test). `agenda_share` is the share of the leader's claims of the card that used this agenda.
    """
    sample = asked(runs, ("there", "leader", "cards", "claims"))
    total = counted_together((_users(s) for s in sample), ["card", "agenda", "leader"]).query("n > 0")
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


def _users(s: Selection) -> pd.DataFrame:
    """Return sums by agenda and leader: games, claims, other seats and their mean claims, squared differences."""
    games, words = s.games, s.games.words
    leader, cards, claims, rivals = games.leader.ravel(), games.cards[s.game], games.claims, games.players - 1
    parts = []
    for code, card in enumerate(words.card):
        seats, game = (places[cards >> code & 1 == 1] for places in (s.seats, s.game))
        for agenda in card.split(SEPARATOR):
            claimed = np.zeros(len(leader), np.int8)
            if agenda in words.agenda:
                claimed[claims.at[claims.what == words.agenda.index(agenda)]] = 1
            own = claimed[seats].astype(float)
            others = (claimed.reshape(len(games), -1).sum(axis=1)[game] - own) / rivals
            values = {"n": np.ones(len(own)), "claims": own, "others": others, "squares": (own - others) ** 2}
            sums = {name: np.bincount(leader[seats], value, len(words.leader)) for name, value in values.items()}
            sums["seats"] = sums["n"] * rivals
            parts.append(pd.DataFrame({"card": card, "agenda": agenda, "leader": words.leader, **sums}))
    return pd.concat(parts)


# --- Combinations of cards in play


def card_sets(runs: Runs) -> pd.DataFrame:
    """Return for each combination of victory cards in play how long the games are, the longest first.

    `rounds_mean` has Student's interval. `rounds_difference` is its distance from the mean of all games with other cards
    (Welch's interval and test; no p value below 100 games). Games stopped at the round cap count with the rounds they had.
    """
    sample = asked(runs, ("rounds", "decided", "cards"))
    counts = counted_together((_card_sets(s) for s in sample), ["bits", "rounds"])
    cards = sample.words.card
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


def _card_sets(s: Selection) -> pd.DataFrame:
    """Return how many chosen games there are, and how many of them unfinished, by cards in play and rounds."""
    games = s.games
    table = pd.DataFrame({"bits": games.cards, "rounds": games.rounds, "unfinished": (~games.decided).astype(np.int64), "n": 1})
    return table[s.chosen].groupby(["bits", "rounds"], as_index=False).sum()


def card_set_leaders(runs: Runs) -> pd.DataFrame:
    """Return for each combination of victory cards and leader the win rate, against the leader's games with other cards.

    `n` counts the leader's games with these cards that somebody won; `points` is the win rate less
    `others_rate` in percentage points, with Newcombe's interval.
    """
    sample = asked(runs, ("there", "leader", "won", "decided", "cards"))
    total = counted_together((_set_leaders(s) for s in sample), ["bits", "leader"])
    total, words = total.assign(wins=total["wins"] / WHOLE), sample.words
    whole = total.groupby("leader")[["n", "wins", "squares"]].transform("sum")
    other_n, other_wins = whole["n"] - total["n"], whole["wins"] - total["wins"]
    names = {bits: bit_names(bits, words.card, BETWEEN) for bits in total["bits"].unique()}
    frame = pd.DataFrame({"cards": total["bits"].map(names), "leader": np.array(words.leader, object)[total["leader"]]})
    squares = whole["squares"] - whole["wins"] ** 2 / whole["n"]  # of the leader, whatever the cards
    _, cases = as_cases(whole["wins"], whole["n"], squares)
    effect = whole["n"].to_numpy() / cases
    frame = frame.assign(n=total["n"], wins=total["wins"])
    frame = frame.assign(**rate_columns(total["wins"] / effect, total["n"] / effect, "win_rate"))
    frame["others_rate"] = other_wins / other_n.where(other_n > 0)
    won, n, other_won, other = (value / effect for value in (total["wins"], total["n"], other_wins, other_n))
    frame = frame.assign(**rate_difference("points", won, n, other_won, other, frame["leader"]))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["cards", "win_rate"], ascending=[True, False], ignore_index=True)


def _set_leaders(s: Selection) -> pd.DataFrame:
    """Return the counted seats of decided games and their wins, in sixtieths, by cards in play and leader."""
    kept = s.games.decided[s.game]
    table = {"bits": s.games.cards[s.game], "leader": s.of_seats(s.games.leader), "n": 1}
    won = s.wins[s.seats].astype(np.int64)
    whole = pd.DataFrame(table | {"wins": won, "squares": won**2 / WHOLE**2})
    return whole[kept].groupby(["bits", "leader"], as_index=False).sum()
