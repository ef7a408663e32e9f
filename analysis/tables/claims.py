"""Who claims and wins by what: agendas, sets of cards, cities around the capital; and the parts of Terra Incognita."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.runs.columns import DISTRICT_NAMES, GOVERNMENT_NAMES
from ..stats.inference import (
    FEW,
    QUANTILE,
    Sums,
    newcombe,
    normal_ends,
    normal_together,
    rate_difference,
    rate_spread,
    together,
    two_sided,
    with_few,
)
from ..stats.rates import (
    CONFIDENCE,
    SMALL_SAMPLE,
    as_cases,
    clustered_rate_columns,
    hardly_any,
    median_of_counts,
    quantile_of_counts,
    rate_columns,
)
from .decoded_games import SEPARATOR, WHOLE, Games, bit_names
from .read import Run, Runs, Sample, Selection, added, as_runs, counted_together, sample_of
from .win_rates import leaders, quantiles

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

    `n` counts the leader's games with these cards that somebody won; `points` is the win rate less
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


# --- Where winners found and conquer their cities, and where the others do, seen from the capital
#
# Winners and others sit at the same tables and compete for the same spaces, so they are compared table by table: for each space
# the share of the winners with a city there less that of the others in the same game; the error of the mean difference is that
# of a mean over games. Games that nobody won are left out. Verdicts hold for all spaces with enough games together.

REACH = 5  # spaces from the capital that are shown


def settling(spaces: pd.DataFrame, reach: int = REACH) -> pd.DataFrame:
    """Return one row a space within `reach` of the capital: how often winners and others had a city there at the end.

    `spaces` are the rows of `simulator.replay.log_in_words.settled(run.path, games)`, which replays so many games of the run.
    `winners` and `others` count the seats in whose game that space was on the map; `winner_rate` and `other_rate` are the
    shares of them with a city there at the end, capitals not counted. `difference` (a share, with its interval) compares the
    two over the `games` whose map had the space for both.
    """
    distance = np.maximum.reduce([spaces["q"].abs(), spaces["r"].abs(), (spaces["q"] + spaces["r"]).abs()])
    won = spaces.groupby("game_id")["won"].transform("max") > 0
    compared = spaces[(distance <= reach) & won].assign(winner=lambda frame: frame["won"] > 0)
    counts = compared.groupby(["q", "r", "winner"])["city"].agg(["size", "sum"]).unstack("winner", fill_value=0)
    counts = counts.reindex(columns=pd.MultiIndex.from_product([["size", "sum"], [False, True]]), fill_value=0)
    frame = pd.DataFrame({"distance": 0, "winners": counts["size", True], "others": counts["size", False]})
    frame = frame.assign(**rate_columns(counts["sum", True], frame["winners"], "winner_rate"))
    squares = _squares(compared[~compared["winner"]], counts["sum", False] / counts["size", False])
    frame = frame.assign(**clustered_rate_columns(counts["sum", False], frame["others"], squares, "other_rate"))
    frame = frame.join(_differences(compared)).reset_index()
    frame["distance"] = np.maximum.reduce([frame["q"].abs(), frame["r"].abs(), (frame["q"] + frame["r"]).abs()])
    ends = normal_ends(frame["difference"], frame["error"])
    tested = together("difference", frame["p"], ends, family="cities of winners")
    frame = frame.assign(**tested).drop(columns="error")
    frame["small_sample"] = ~(frame["games"] >= SMALL_SAMPLE)
    return frame.sort_values(["distance", "q", "r"], ignore_index=True)


def _squares(others: pd.DataFrame, rate: pd.Series) -> pd.Series:
    """Return Σ (y - rate · m)² over games by space: y cities among m seats of the game."""
    of_game = others.groupby(["q", "r", "game_id"])["city"].agg(["sum", "size"])
    expected = rate.reindex(of_game.reset_index("game_id").index).to_numpy() * of_game["size"]
    residual = of_game["sum"] - expected
    return (residual**2).groupby(level=["q", "r"]).sum().reindex(rate.index, fill_value=0)


def _differences(compared: pd.DataFrame) -> pd.DataFrame:
    """Return winners less others by space, paired by game."""
    shares = compared.groupby(["q", "r", "game_id", "winner"])["city"].mean().unstack("winner")
    shares = shares.reindex(columns=[False, True])
    gap = (shares[True] - shares[False]).dropna().groupby(level=["q", "r"]).agg(["mean", "std", "size"])
    error = gap["std"] / np.sqrt(gap["size"])
    margin = QUANTILE * error
    # The mean of a few games is not normal, and the same number in all of them has no spread.
    p = np.where(gap["size"] < SMALL_SAMPLE, np.nan, two_sided(gap["mean"], error))
    columns = {"games": gap["size"], "difference": gap["mean"], "error": error, "p": p}
    return pd.DataFrame(columns).assign(difference_low=gap["mean"] - margin, difference_high=gap["mean"] + margin)


# --- Do two sets of games agree on the leaders? Rank correlation of their win rates
#
# The ranks of estimated rates agree less than those of the true ones, because chance shuffles them. So the interval is not that
# of the estimates: pairs of true rates are drawn from their distribution given the games (normal around the means of all
# leaders, with the spreads of `rate_spread` and the covariance of the two estimates; empirical Bayes: B. Efron and C. Morris,
# JASA 70, 1975), and the interval holds the middle 95% of the rank correlations of these draws.

DRAWS = 4000
PRIORS = 100  # draws of the covariance, which few leaders estimate only roughly
LEAST_SPREAD = 1e-3
MOST_CORRELATED = 0.99
SEED = 1


def agreement(runs: Mapping[str, Run]) -> pd.DataFrame:
    """Return Spearman's rank correlation of the leaders' win rates for each pair of the named runs, with its 95% interval."""
    tables = {name: leaders(run).set_index("leader") for name, run in runs.items()}
    rows = []
    for pair in combinations(tables, 2):
        both = tables[pair[0]].index.intersection(tables[pair[1]].index)
        a, b = (tables[name].loc[both] for name in pair)
        rank, low, high = rank_agreement(a["win_rate"], a["n"], b["win_rate"], b["n"])
        n = int(min(a["n"].min(), b["n"].min())) if len(both) else 0
        rows.append(
            {
                "one": pair[0], "other": pair[1], "leaders": len(both), "rank_correlation": rank, "rank_correlation_low": low,
                "rank_correlation_high": high, "n": n, "small_sample": n < SMALL_SAMPLE,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def rank_agreement(rate: Any, n: Any, other: Any, other_n: Any) -> tuple[float, float, float]:
    """Return Spearman's rank correlation of two lists of win rates and its 95% interval (empirical Bayes, see above).

    NaN for fewer than two leaders, which have no ranks, and for equal rates.
    """
    if len(rate) < 2:
        return np.nan, np.nan, np.nan
    draws = _draws(np.column_stack([rate, other]).astype(float), np.column_stack([n, other_n]).astype(float))
    places = draws.argsort(axis=1).argsort(axis=1) - (draws.shape[1] - 1) / 2
    correlations = places.prod(axis=2).sum(axis=1) / (places[:, :, 0] ** 2).sum(axis=1)
    low, high = np.quantile(correlations, [0.025, 0.975])
    ranked = np.ptp(rate) > 0 and np.ptp(other) > 0
    return float(stats.spearmanr(rate, other).statistic) if ranked else np.nan, float(low), float(high)


def _draws(rates: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Return draws of the true rates: draws x leaders x 2. `rates` and `n`: leaders x 2."""
    # The error is that of one win and one loss more each (A. Agresti and B. Coull, American Statistician 52, 1998): a leader
    # who won none of five games may still win.
    likely = (rates * n + 1) / (n + 2)
    noise = likely * (1 - likely) / n
    spread = [max(rate_spread(rates[:, k], np.diag(noise[:, k]))[0], LEAST_SPREAD) for k in (0, 1)]
    rng = np.random.default_rng(SEED)
    total = rates.var(axis=0, ddof=1)
    covariance = np.cov(rates.T)[0, 1]
    error = np.sqrt((total.prod() + covariance**2) / (len(rates) - 1))
    most = MOST_CORRELATED * spread[0] * spread[1]
    middle = rates.mean(axis=0)
    draws = np.empty((PRIORS, DRAWS // PRIORS, *rates.shape))
    for part, shared in zip(draws, np.clip(rng.normal(covariance, error, PRIORS), -most, most), strict=True):
        prior = np.array([[spread[0] ** 2, shared], [shared, spread[1] ** 2]])
        for k, (rate, variance) in enumerate(zip(rates, noise, strict=True)):
            gain = prior @ np.linalg.inv(prior + np.diag(variance))
            part[:, k] = rng.multivariate_normal(middle + gain @ (rate - middle), prior - gain @ prior, len(part))
    return draws.reshape(-1, *rates.shape)


# --- Questions of Terra Incognita: districts, governments, exploring, forts, unique cards, wonders that leave the game
#
# What seats did is compared with how often they won: associations, which are never called effects. Who is ahead explores and
# builds more; what a district, a fort or a card is worth only `newdawn experiment` says.
#
# Seats that did something and seats that did not sit at the same tables, and one wins what the other does not. So the
# difference of their win rates gets the error of its linearised terms, game by game (delta method): with y wins among m such
# seats of a game and Y among M others, a game adds (y - r m) / Σm - (Y - R M) / ΣM, squared and summed.

MANY = 3  # forts or tiles: this many or more share a row
GAMES_AT_ONCE = 1 << 15  # fits a processor's cache
CARD_ROUND = "unique_card_round"
Question = tuple[str, np.ndarray, np.ndarray]  # name of the row; the seats with it, the seats without it
Ask = Callable[[Games], list[Question]]
PLACED = {f"placed_{name}": name.replace("_", " ") for name in DISTRICT_NAMES}
GOVERNED = {f"turns_{name}": name for name in GOVERNMENT_NAMES}


def districts(runs: Runs) -> pd.DataFrame:
    """Return for each district how often seats placed it, and how often those won against seats that did not."""
    return associations(runs, "district")


def governments(runs: Runs) -> pd.DataFrame:
    """Return for each government how many seats had it when a turn of theirs began, and how often those won."""
    return associations(runs, "government")


def exploring(runs: Runs) -> pd.DataFrame:
    """Return how often seats won that explored no, one, two … tiles, against all seats that explored another number."""
    return associations(runs, "tiles")


def forts(runs: Runs) -> pd.DataFrame:
    """Return how often seats won that took no, one, two … forts, against all seats that took another number."""
    return associations(runs, "forts")


def unique_cards(runs: Runs) -> pd.DataFrame:
    """Return for each leader how often its unique card was taken and when, and how often it won with it and without it.

    Seats that have the card from the beginning count as having taken it in round 1.
    """
    sample = sample_of(_boxed(runs), ("occupied", "leader", "won"), [CARD_ROUND])
    total = added(_unique(s) for s in sample)
    if not total:
        return pd.DataFrame()
    frame = _association_table("leader", sample.words.leader, total, "unique cards")
    frame.insert(list(frame.columns).index("wins"), "median_round", quantiles(total["rounds"], median_of_counts))
    return frame[frame["n"] + frame["n_without"] > 0].sort_values("leader", ignore_index=True)


def _unique(s: Selection) -> dict[str, np.ndarray]:
    """Return what is counted of the seats of each leader with the unique card and without, and when it was taken."""
    leader, taken, size = s.games.leader, s.games.number(CARD_ROUND), len(s.games.words.leader)
    wide, here = int(taken.max(initial=0)) + 1, s.counting & (taken > 0)
    rounds = np.bincount(leader[here].astype(np.int64) * wide + taken[here], minlength=size * wide).reshape(size, wide)
    questions = [(str(code), (leader == code) & (taken > 0), (leader == code) & (taken <= 0)) for code in range(size)]
    return _counted(s, questions) | {"rounds": rounds}


def wonders_left(runs: Runs) -> pd.DataFrame:
    """Return for each world wonder how often it left the game unbuilt, with a second trade token of the wonder icon (T9.2).

    A face-up wonder that leaves is followed by the next one of its deck, so a wonder that was turned up, not built, and
    followed by another has left. The last wonder of a deck may have left or still lie there, which looks the same: neither is
    counted.
    """
    wanted = {"wonders": ["game_id", "wonder", "type", "era", "in_deck", "round_revealed", "round_built"]}
    parts = (_left(piece["wonders"]) for run in as_runs(_boxed(runs)) for piece in run.pieces(wanted))
    total = counted_together(parts, ["wonder", "type", "era"]).query("n > 0")
    frame = total.assign(**rate_columns(total["left"], total["revealed"], "left_rate"))
    frame["small_sample"] = frame["revealed"] < SMALL_SAMPLE
    return frame.sort_values(["left_rate", "wonder"], ascending=[False, True], ignore_index=True)


def _left(wonders: pd.DataFrame) -> pd.DataFrame:
    """Return a shard's counts by wonder: games in a deck (`n`), games in which it was turned up, built, or left the game."""
    shown = wonders.assign(revealed=wonders["round_revealed"].notna(), built=wonders["round_built"].notna())
    # Of two wonders turned up in one round the first was built in it: the icon removes none within a round.
    order = shown[shown["revealed"]].sort_values(["round_revealed", "built"], ascending=[True, False], kind="stable")
    last = ~order.duplicated(["game_id", "type"], keep="last")
    shown["left"] = False
    shown.loc[order.index, "left"] = ~order["built"] & ~last
    keys = ["wonder", "type", "era"]
    counts = shown.assign(n=shown["in_deck"])[[*keys, "n", "revealed", "built", "left"]]
    sums = counts.groupby(keys, as_index=False, sort=False, observed=True).sum()
    return sums.astype(dict.fromkeys(keys, str))  # shards have categories of their own


def _boxed(runs: Runs) -> Runs:
    """Return the runs; raise UserError if one was played without Terra Incognita."""
    for run in [] if isinstance(runs, Sample) else as_runs(runs):
        if run.box != names.BOXES[names.TI_BOX]:
            raise UserError(f"{run.path}: a run of the base game; expected one with --box {names.BOXES[names.TI_BOX]}")
    return runs


def _done(named: Mapping[str, str]) -> Ask:
    """Return the function that asks of each column whether it is more than 0."""
    return lambda games: [(name, games.number(column) > 0, games.number(column) == 0) for column, name in named.items()]


def _numbers(column: str) -> Ask:
    """Return the function that asks of each number up to MANY whether the column has it; MANY stands for all above."""

    def ask(games: Games) -> list[Question]:
        capped = np.minimum(games.number(column), MANY)
        return [(f"{k}{' or more' if k == MANY else ''}", capped == k, capped != k) for k in range(MANY + 1)]

    return ask


# By subject of a row: the columns of `seats`, the questions on them, and the family of the answers (`weight_of`).
QUESTIONS: dict[str, tuple[Sequence[str], Ask, str]] = {
    "district": (list(PLACED), _done(PLACED), "districts"),
    "government": (list(GOVERNED), _done(GOVERNED), "governments"),
    "tiles": (["tiles_explored"], _numbers("tiles_explored"), "exploring"),
    "forts": (["forts_taken"], _numbers("forts_taken"), "forts"),
}


def associations(runs: Runs, subject: str) -> pd.DataFrame:
    """Return a row a question: the seats that did it, how often these and the others won, the difference with intervals."""
    numbers, ask, family = QUESTIONS[subject]
    names: list[str] = []
    parts = []
    for s in sample_of(_boxed(runs), ("occupied", "won"), numbers):
        questions = ask(s.games)
        names = [name for name, _, _ in questions]
        parts.append(_counted(s, questions))
    return _association_table(subject, names, added(parts), family) if parts else pd.DataFrame()


def _counted(s: Selection, questions: Sequence[Question]) -> dict[str, np.ndarray]:
    """Return a row of `products` of the counted seats for each question, and the number of games."""
    with ThreadPoolExecutor() as threads:  # NumPy releases the interpreter's lock
        rows = list(threads.map(lambda question: _of_question(s, *question[1:]), questions))
    return {"products": np.array(rows), "games": np.array([np.count_nonzero(s.chosen)])}


def _of_question(s: Selection, with_: np.ndarray, without: np.ndarray) -> np.ndarray:
    """Return the `products` of the counted seats with something, and of those without it."""
    total = np.zeros(20)
    for low in range(0, len(s.games), GAMES_AT_ONCE):
        part = slice(low, low + GAMES_AT_ONCE)
        rows = []
        for seats in (with_[part] & s.counting[part], without[part] & s.counting[part]):
            rows += [_by_game(s.games.won[part] * seats) / WHOLE, _by_game(seats.view(np.int8))]
        total += _products(np.array(rows, float))
    return total


def _by_game(seats: np.ndarray) -> np.ndarray:
    """Return the sums over the seats of each game: seat by seat, which is faster than along so short an axis."""
    total = seats[:, 0].copy()  # the shares of a win are WHOLE in all, which a byte holds
    for seat in range(1, seats.shape[1]):
        total += seats[:, seat]
    return total


def _products(per_game: np.ndarray) -> np.ndarray:
    """Return the sums of y, m, Y, M, (4, n), over the games, and of all their products (for the delta method above)."""
    return np.concatenate([per_game.sum(axis=1), (per_game @ per_game.T).ravel()])


def _association_table(subject: str, names: Sequence[str], total: Mapping[str, np.ndarray], family: str) -> pd.DataFrame:
    """Return the table of questions from their names, their `products`, (questions, 20), and the number of games."""
    sums, games = total["products"], int(total["games"][0])
    y, m, others_y, others_m = sums[:, :4].T
    product = sums[:, 4:].reshape(-1, 4, 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        r, q, share = y / m, others_y / others_m, m / (m + others_m)
        terms = np.stack([1 / m, -r / m, -1 / others_m, q / others_m], axis=1)  # of y, m, Y, M in a game's residual
        square = np.einsum("ki,kij,kj->k", terms, product, terms)
        error = 100 * np.sqrt(np.maximum(square, 0) * games / max(games - 1, 1))
        gap = 100 * (r - q)
    own = product[:, 0, 0] - 2 * r * product[:, 0, 1] + r**2 * product[:, 1, 1]
    spread = (1 - share) ** 2 * product[:, 1, 1] - 2 * share * (1 - share) * product[:, 1, 3] + share**2 * product[:, 3, 3]
    n, n_without = m.astype(np.int64), others_m.astype(np.int64)
    frame = pd.DataFrame({subject: list(names), "n": n, "n_without": n_without})
    frame = frame.assign(**clustered_rate_columns(m, m + others_m, spread, "share"), wins=y)
    frame = frame.assign(**clustered_rate_columns(y, m, own, "win_rate"), rate_without=q)
    few = (np.minimum(n, n_without) < SMALL_SAMPLE) | hardly_any(y, m) | hardly_any(others_y, others_m)
    frame["small_sample"] = few
    return frame.assign(**normal_together("association", gap, error, few, family=family))
