"""What the explorer counts beside the tables of `analysis.summaries`, which it asks for the same sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..report.part import Source
from ..statistics.inference import Sums, rate_difference
from ..statistics.rates import SMALL_SAMPLE, in_words, quantile_of_counts, rate_columns, wilson
from ..summaries.counts import bits, lengths, seats_of
from ..summaries.expansion import CARD_ROUND
from ..tables.cases import Sample, Selection, added
from ..tables.columns import SEPARATOR, WHOLE
from .loaded import SHOWN

QUARTILES = {"p25": 0.25, "median": 0.5, "p75": 0.75}


def overview(sample: Sample) -> dict[str, Any]:
    """Return how many games and seats are chosen, how the games ended, and in which rounds."""
    counts = added(lengths(s) for s in sample)
    rounds, unfinished = counts["victories"] + counts["unfinished"], int(counts["unfinished"].sum())
    games = int(rounds.sum())
    low, high = wilson(unfinished, games)
    found: dict[str, Any] = {"games": games, "seats": sum(int(np.count_nonzero(s.counting)) for s in sample)}
    found |= {"unfinished": unfinished, "unfinished_rate": unfinished / games if games else np.nan}
    found |= {"unfinished_rate_low": float(low), "unfinished_rate_high": float(high)}
    return found | _spread("rounds_mean", "rounds_", np.arange(len(rounds)), rounds) | {"small_sample": games < SMALL_SAMPLE}


def _spread(mean: str, prefix: str, values: np.ndarray, counts: np.ndarray) -> dict[str, float]:
    """Return the mean of values that occur so often, with Student's interval, and their quartiles."""
    sums = Sums.by_group(np.zeros(len(counts), np.int64), 1, values, counts)
    found = {name: float(value[0]) for name, value in sums.mean_columns(mean).items()}
    return found | {f"{prefix}{name}": quantile_of_counts(values, counts, share) for name, share in QUARTILES.items()}


def judged_leaders(sample: Sample, teams: bool = False) -> pd.DataFrame | None:
    """Return the leaders with the verdicts of `newdawn leaders` on them; None where the model cannot be asked of these seats.

    That is where only some seats of a table are counted, partners win together, or nobody won.
    """
    if teams or not all(s.all_seats for s in sample):
        return None
    source = Source(sample)
    if not source.decided or not source.several_leaders:
        return None
    found = source.judged
    return found.assign(rank=in_words(found["rank_best"], found["rank_worst"]))


def length_counts(sample: Sample) -> np.ndarray:
    """Return how many of the chosen games ended in each round, from 0."""
    counts = added(lengths(s) for s in sample)
    return counts["victories"] + counts["unfinished"]


# --- Seats


def opponents(sample: Sample) -> pd.DataFrame:
    """Return how the counted seats fared with each leader in another seat of the table, and the difference to the games
    without it."""
    frame = _with_and_without("opponent", sample.words.leader, added(_opponents(s) for s in sample))
    return frame.assign(fair_share=frame["fair"] / frame["n"]).drop(columns="fair")


def _opponents(s: Selection) -> dict[str, np.ndarray]:
    """Return the tally without a leader in another seat (0) and with it (1), by that leader."""
    present, own = s.games.present[s.game], s.of_seats(s.games.leader)
    both = [s.tally(present >> code & 1, (2,), own != code) for code in range(len(s.games.words.leader))]
    return {name: np.stack([tally[name] for tally in both], axis=1) for name in ("n", "wins", "fair")}


def by_card(sample: Sample) -> pd.DataFrame:
    """Return how the counted seats fared with each victory card in play, and the difference to their other games."""
    return _with_and_without("card", sample.words.card, added(_by_card(s) for s in sample))


def _by_card(s: Selection) -> dict[str, np.ndarray]:
    """Return the tally without a card in play (0) and with it (1), by card."""
    cards = s.games.cards[s.game]
    both = [s.tally(cards >> code & 1, (2,)) for code in range(len(s.games.words.card))]
    return {name: np.stack([tally[name] for tally in both], axis=1) for name in ("n", "wins")}


def leaders_with_card(sample: Sample, card: str) -> pd.DataFrame:
    """Return how the counted seats of each leader fared with the card in play, and the difference to their other games."""
    bit, names = sample.words.card.index(card), sample.words.leader
    shape = 2, len(names)
    total = added(s.tally((s.games.cards[s.game] >> bit & 1) * shape[1] + s.of_seats(s.games.leader), shape) for s in sample)
    return _with_and_without("leader", names, total)


def _with_and_without(key: str, names: list[str], total: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return the win rates of seats with something (second row of the sums), and their difference to those without it."""
    (other_n, n), (other_wins, wins) = total["n"], total["wins"]
    more = {name: values[1] for name, values in total.items() if name not in ("n", "wins")}
    frame = pd.DataFrame({key: names, "n": n, "wins": wins, **more}).assign(**rate_columns(wins, n, "win_rate"))
    frame["others_rate"] = other_wins / np.where(other_n > 0, other_n, np.nan)
    there = n > 0
    frame = frame[there].assign(**rate_difference("points", wins[there], n[there], other_wins[there], other_n[there]))
    frame["small_sample"] = np.minimum(n, other_n)[there] < SMALL_SAMPLE
    return frame.sort_values(["win_rate", key], ascending=[False, True], ignore_index=True)


def rates_apart(wins: Any, n: Any, other_wins: Any, other_n: Any) -> pd.DataFrame:
    """Return the differences of two runs' rates, first less other, in percentage points."""
    return pd.DataFrame(rate_difference("points", wins, n, other_wins, other_n))


def holdings(sample: Sample) -> pd.DataFrame:
    """Return what the counted seats had at the end: means with Student's interval, and quartiles."""
    rows = []
    for name in [name for name in SHOWN if all(name in s.games.numbers for s in sample)]:
        count = added({"seats": np.bincount(s.of_seats(s.games.number(name)))} for s in sample)["seats"]
        spread = _spread("mean", "", np.arange(len(count)), count)
        rows.append({"what": name.replace("_", " "), "n": int(count.sum()), **spread})
    frame = pd.DataFrame(rows)
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


# --- World wonders and victory cards


def wonder_by_card(sample: Sample, wonder: str) -> pd.DataFrame:
    """Return how often counted seats built the wonder with each victory card in play."""
    code, cards = sample.words.wonder.index(wonder), sample.words.card
    total = pd.DataFrame(added(_built_by_card(s, code) for s in sample)).assign(card=cards).query("n > 0")
    frame = total[["card", "n", "built"]].assign(**rate_columns(total["built"], total["n"], "build_rate"))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE).sort_values("card", ignore_index=True)


def _built_by_card(s: Selection, code: int) -> dict[str, np.ndarray]:
    games, size = s.games, len(s.games.words.card)
    there = s.chosen & (games.deck >> code & 1 == 1)
    mine = seats_of(games.built, code, s) // games.players
    return {"n": bits(games.cards[there], size), "built": bits(games.cards[mine], size)}


def wonder_times(sample: Sample, wonder: str) -> np.ndarray:
    """Return in how many chosen games counted seats built the wonder in each round, from 0."""
    size, code = len(sample.words.wonder), sample.words.wonder.index(wonder)
    return added({"games": s.games.built.counts(s.counting.ravel(), size)[code]} for s in sample)["games"]


def claim_times(sample: Sample, agenda: str) -> np.ndarray:
    """Return how many claims by the agenda counted seats made in each round, from 0."""
    size, code = len(sample.words.agenda), sample.words.agenda.index(agenda)
    return added({"claims": s.games.claims.counts(s.counting.ravel(), size)[code]} for s in sample)["claims"]


def claimants(sample: Sample, card: str) -> pd.DataFrame:
    """Return for each agenda of a card and leader how often the leader's counted seats claimed the card by it."""
    bit, words = sample.words.card.index(card), sample.words
    agendas = [name for name in card.split(SEPARATOR) if name in words.agenda]
    if not agendas:
        return pd.DataFrame()
    total = added(_claimants(s, bit, [words.agenda.index(name) for name in agendas]) for s in sample)
    agenda, leader = np.nonzero(np.broadcast_to(total["n"] > 0, total["claims"].shape))
    n, claims, wins = total["n"][leader], total["claims"][agenda, leader], total["wins"][agenda, leader]
    frame = pd.DataFrame({"agenda": np.array(agendas)[agenda], "leader": np.array(words.leader, object)[leader], "n": n})
    frame = frame.assign(claims=claims, **rate_columns(claims, n, "claim_rate"))
    frame = frame.assign(**rate_columns(wins, claims, "claimant_win_rate"), small_sample=frame["n"] < SMALL_SAMPLE)
    return frame.sort_values(["agenda", "claim_rate", "leader"], ascending=[True, False, True], ignore_index=True)


def _claimants(s: Selection, bit: int, agendas: list[int]) -> dict[str, np.ndarray]:
    """Return by leader the counted seats with the card in play, and by agenda and leader claims and wins of claimants."""
    games, size = s.games, len(s.games.words.leader)
    n = np.bincount(s.of_seats(games.leader)[games.cards[s.game] >> bit & 1 == 1], minlength=size)
    found: dict[str, list[np.ndarray]] = {"claims": [], "wins": []}
    for code in agendas:
        at = seats_of(games.claims, code, s)
        who = games.leader.ravel()[at]
        found["claims"].append(np.bincount(who, minlength=size))
        found["wins"].append(np.bincount(who, games.won.ravel()[at], size) / WHOLE)
    return {"n": n, **{name: np.array(values) for name, values in found.items()}}


# --- Terra Incognita


def boxed(sample: Sample) -> Sample:
    """Return the selections of runs of Terra Incognita."""
    return Sample(sample.words, [s for s in sample if CARD_ROUND in s.games.numbers])
