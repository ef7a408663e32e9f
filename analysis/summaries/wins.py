"""How each leader wins: by which agendas, and when. All figures are about winners, and are associations."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..statistics.inference import Sums, rate_difference
from ..statistics.rates import SMALL_SAMPLE, quantile_of_counts, rate_columns
from ..tables.cases import Runs, Selection, added, asked, counted_together
from ..tables.columns import SEPARATOR, WHOLE


def winning_agendas(runs: Runs) -> pd.DataFrame:
    """Return for each leader and agenda in how many of the leader's wins it was claimed.

    `n` counts the leader's wins in games with the card in play, shared wins in parts. `points` is `use_rate` less
    `others_rate`, that of all other leaders' wins (percentage points, Newcombe's interval). Where every win has claimed a
    card by one of its two agendas, their rows mirror each other and are one question.
    """
    sample = asked(runs, ("there", "leader", "won", "cards", "claims"))
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
    frame = frame.assign(**rate_difference("points", total["wins"], total["n"], other_wins, other_n, question))
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
    sample = asked(runs, ("there", "leader", "won", "rounds", "claims", "claim_number"))
    return _times_table(counted_together((_times(s) for s in sample), TIMES), sample.words.leader)


def _times_table(counts: pd.DataFrame, leaders: list[str]) -> pd.DataFrame:
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
    found = np.flatnonzero(count)
    pair, round_ = np.divmod(found, wide)
    return pd.DataFrame({"leader": pair // most, "claim": pair % most, "round": round_, "count": count[found]})
