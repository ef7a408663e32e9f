"""Victory cards: who claims and wins by which agendas, and what the cards in play change."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..stats.inference import (
    FEW,
    Sums,
    newcombe,
    normal_ends,
    rate_difference,
    together,
    two_sided,
    with_few,
)
from ..stats.rates import (
    CONFIDENCE,
    SMALL_SAMPLE,
    as_cases,
    quantile_of_counts,
    rate_columns,
)
from .decoded_games import SEPARATOR, WHOLE, bit_names
from .read import Runs, Selection, added, counted_together, sample_of

# --- Victory cards: which leader uses which agenda, and what the combination of cards in play changes
#
# Claims are associations: a leader's seats claim an agenda for many reasons. Only the cards in play are drawn at random, so
# differences between combinations are effects of these cards instead of others, as many being always in play. Verdicts hold for
# all rows of a table together.

BETWEEN = " | "  # between the cards of a combination


def agenda_users(runs: Runs) -> pd.DataFrame:
    """Return for each agenda and leader how often the leader claimed it, against the other seats of the same games.

    `n` counts the games with the leader at the table and the card in play. `points` is the leader's claim rate less
    `others_rate`, that of the other seats of these games (percentage points, mean of the games' differences ± z standard
    errors: a game is one observation; with fewer than 25 games with a claim, or without one, Newcombe's interval, and the exact
    test if its p is larger). `agenda_share` is the share of the leader's claims of the card that used this agenda.
    """
    sample = sample_of(runs, ("occupied", "leader", "cards", "claims"))
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
    return {"points": 100 * mean, "points_low": low, "points_high": high} | together(
        "points", p, ends, family="agendas of leaders"
    )


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

    `rounds_mean` has Student's interval. `rounds_difference` is its difference from the mean of all games with other cards
    (Welch's interval and test; no p value below 100 games). Games stopped at the round cap count with the rounds they had.
    """
    sample = sample_of(runs, ("rounds", "decided", "cards"))
    counts = counted_together((_card_sets(s) for s in sample), ["bits", "rounds"])
    cards = sample.words.card
    group, sets = pd.factorize(counts["bits"], sort=True)
    sums = Sums.by_group(group, len(sets), counts["rounds"], counts["n"])
    n = sums.n.astype(np.int64)
    unfinished = np.bincount(group, counts["unfinished"], len(sets)).astype(np.int64)
    frame = pd.DataFrame({"cards": [bit_names(bits, cards, BETWEEN) for bits in sets], "n": n, "share": n / n.sum()})
    frame = frame.assign(**sums.mean_columns("rounds_mean"))
    frame["rounds_median"] = [quantile_of_counts(g["rounds"], g["n"], 0.5) for _, g in counts.groupby("bits")]
    frame = frame.assign(**sums.difference_columns("rounds_difference", SMALL_SAMPLE, "length by card set"))
    frame = frame.assign(unfinished=unfinished, **rate_columns(pd.Series(unfinished), pd.Series(n), "unfinished_rate"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["rounds_mean", "cards"], ascending=[False, True], ignore_index=True)


def _card_sets(s: Selection) -> pd.DataFrame:
    """Return the numbers of chosen games and of unfinished ones, by cards in play and rounds."""
    games = s.games
    table = pd.DataFrame({"bits": games.cards, "rounds": games.rounds, "unfinished": (~games.decided).astype(np.int64), "n": 1})
    return table[s.chosen].groupby(["bits", "rounds"], as_index=False).sum()


def card_set_leaders(runs: Runs) -> pd.DataFrame:
    """Return for each combination of victory cards and leader the win rate, against the leader's games with other cards.

    `n` counts the leader's games with these cards that someone won; `points` is the win rate less
    `others_rate` in percentage points, with Newcombe's interval.
    """
    sample = sample_of(runs, ("occupied", "leader", "won", "decided", "cards"))
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
    frame = frame.assign(**rate_difference("points", won, n, other_won, other, frame["leader"], "leaders by card set"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["cards", "win_rate"], ascending=[True, False], ignore_index=True)


def _set_leaders(s: Selection) -> pd.DataFrame:
    """Return the counted seats of decided games and their wins, in sixtieths, by cards in play and leader."""
    decided = s.games.decided[s.game]
    table = {"bits": s.games.cards[s.game], "leader": s.of_seats(s.games.leader), "n": 1}
    won = s.wins[s.seats].astype(np.int64)
    whole = pd.DataFrame(table | {"wins": won, "squares": won**2 / WHOLE**2})
    return whole[decided].groupby(["bits", "leader"], as_index=False).sum()


# --- How each leader wins: by which agendas, and when. All figures are associations among winners.


def winning_agendas(runs: Runs) -> pd.DataFrame:
    """Return for each leader and agenda in how many of the leader's wins it was claimed.

    `n` counts the leader's wins in games with the card in play, shared wins in parts. `points` is `use_rate` less
    `others_rate`, that of all other leaders' wins (percentage points, Newcombe's interval). If every win claimed a card by
    exactly one of its two agendas, their rows mirror each other and count as one question.
    """
    sample = sample_of(runs, ("occupied", "leader", "won", "cards", "claims"))
    sums = added(_agendas(s) for s in sample)
    words, parts = sample.words, []
    for code, card in enumerate(words.card):
        for agenda in card.split(SEPARATOR):
            wins = sums["claimed"][words.agenda.index(agenda)] if agenda in words.agenda else np.zeros(len(words.leader))
            row = {"card": card, "agenda": agenda, "leader": words.leader, "n": sums["n"][code], "wins": wins}
            parts.append(pd.DataFrame(row))
    total = pd.concat(parts).sort_values(["card", "agenda", "leader"]).query("n > 0")
    whole = total.groupby("agenda")[["n", "wins"]].transform("sum")
    other_n, other_wins = whole["n"] - total["n"], whole["wins"] - total["wins"]
    frame = total[["leader", "card", "agenda", "n", "wins"]].assign(**rate_columns(total["wins"], total["n"], "use_rate"))
    frame["others_rate"] = other_wins / other_n.where(other_n > 0)
    question = frame["leader"] + frame["card"]
    counts = (total["wins"], total["n"], other_wins, other_n)
    frame = frame.assign(**rate_difference("points", *counts, question, "agendas of winners"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["leader", "use_rate", "agenda"], ascending=[True, False, True], ignore_index=True)


def _agendas(s: Selection) -> dict[str, np.ndarray]:
    """Return wins by card in play and leader (`n`), and by agenda claimed and leader (`claimed`)."""
    games, words = s.games, s.games.words
    leader, cards, claims = games.leader.ravel(), games.cards[s.game], games.claims
    own, won, size = leader[s.seats], s.wins[s.seats], len(words.leader)
    n = [np.bincount(own, won * (cards >> code & 1), size) for code in range(len(words.card))]
    claimed = np.bincount(claims.what.astype(np.int64) * size + leader[claims.at], s.wins[claims.at], len(words.agenda) * size)
    return {"n": np.array(n).reshape(-1, size) / WHOLE, "claimed": claimed.reshape(-1, size) / WHOLE}


def winning_times(runs: Runs) -> pd.DataFrame:
    """Return for each leader when it wins, the fastest first.

    `winners` counts winning seats, those of shared wins fully. `rounds_mean` is the mean length of the games they won
    (Student's interval), `rounds_p25` and `rounds_p75` their quartiles; `rounds_difference` compares the mean with all
    other leaders' wins (Welch; no p value below 100 wins). `claim_1`, `claim_2`, … are the median rounds of the winners'
    first, second, … claim.
    """
    sample = sample_of(runs, ("occupied", "leader", "won", "rounds", "claims", "claim_number"))
    return _times_table(counted_together((_times(s) for s in sample), TIMES), sample.words.leader)


def _times_table(counts: pd.DataFrame, leaders: list[str]) -> pd.DataFrame:
    """Return the table of `winning_times` from counts by leader code, number of the claim (0: end of the game) and round."""
    ends, claims = counts[counts["claim"] == 0], counts[counts["claim"] > 0]
    place, present = pd.factorize(ends["leader"], sort=True)
    sums = Sums.by_group(place, len(present), ends["round"], ends["count"])
    frame = pd.DataFrame({"leader": np.array(leaders, object)[present], "winners": sums.n.astype(np.int64)})
    frame = frame.assign(**sums.mean_columns("rounds_mean"))
    for name, share in (("rounds_p25", 0.25), ("rounds_median", 0.5), ("rounds_p75", 0.75)):
        frame[name] = [quantile_of_counts(g["round"], g["count"], share) for _, g in ends.groupby("leader")]
    for k in range(1, int(claims["claim"].max()) + 1 if len(claims) else 1):
        medians = {}
        for code, group in claims[claims["claim"] == k].groupby("leader"):
            medians[code] = quantile_of_counts(group["round"], group["count"], 0.5)
        frame[f"claim_{k}"] = [medians.get(code, np.nan) for code in present]
    frame = frame.assign(**sums.difference_columns("rounds_difference", SMALL_SAMPLE, "times of winners"))
    frame["small_sample"] = frame["winners"] < SMALL_SAMPLE
    return frame.sort_values(["rounds_mean", "leader"], ignore_index=True)


TIMES = ("leader", "claim", "round")


def _times(s: Selection) -> pd.DataFrame:
    """Return how often counted winners made their k-th claim (0: ended the game) in each round, by leader."""
    games = s.games
    at = s.seats[s.of_seats(games.won) > 0]
    winners = np.zeros(games.leader.size, bool)
    winners[at] = True
    here = np.flatnonzero(winners[games.claims.at])
    leader, leaders = games.leader.ravel(), len(games.words.leader)
    who = np.concatenate([leader[at], leader[games.claims.at[here]]]).astype(np.int32)
    claim = np.concatenate([np.zeros(len(at), np.int32), games.claim_number[here]])
    when = np.concatenate([games.rounds[at // games.players], games.claims.when[here]])
    wide, most = int(when.max(initial=0)) + 1, int(claim.max(initial=0)) + 1
    count = np.bincount((who * most + claim) * wide + when, minlength=leaders * most * wide)
    cells = np.flatnonzero(count)
    pair, round_ = np.divmod(cells, wide)
    return pd.DataFrame({"leader": pair // most, "claim": pair % most, "round": round_, "count": count[cells]})
