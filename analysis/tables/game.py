"""The course of games: length, endings, shortages, who is ahead and when, comebacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used

from ...simulator.errors import UserError
from ...simulator.rules.ruleset_contents import section
from ..stats.inference import QUANTILE, Sums, against_share
from ..stats.rates import (
    CONFIDENCE,
    SMALL_SAMPLE,
    clustered_rate_columns,
    median_of_counts,
    quantile_of_counts,
    rate_columns,
    share_between,
    wilson,
)
from .decoded_games import WHOLE, bit_names
from .read import Runs, Selection, added, as_runs, counted_together, sample_of
from .win_rates import LENGTH, by_players, lengths

# --- The game as a whole: how long it takes, how it is won, what it runs out of
#
# Functions take a run (or several) and return a DataFrame; `by="players"` gives each player count its own rows. Who goes
# first is in `analysis.tables.leader_strength.turn_order`, corrected for leaders and strategies.


def grouped(runs: Runs, by: str | None, summary: Callable[[Runs], pd.DataFrame]) -> pd.DataFrame:
    """Return the summary of the runs together, or of the runs of each player count, one below the other."""
    if by is None:
        return summary(runs)
    if by != "players":
        raise UserError(f"by '{by}': expected players")
    return by_players(summary, runs)


def rounds(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return how many games ended in each round: won (`victories`) or stopped (`unfinished`), and their shares of all."""
    return grouped(runs, by, _rounds)


def _rounds(runs: Runs) -> pd.DataFrame:
    counts = added(lengths(s) for s in sample_of(runs, LENGTH))
    frame = pd.DataFrame({"rounds": np.arange(len(counts["victories"])), **counts})
    frame = frame[frame["victories"] + frame["unfinished"] > 0].reset_index(drop=True)
    n = frame["victories"] + frame["unfinished"]
    frame["share"] = n / n.sum()
    frame["share_so_far"] = frame["share"].cumsum()
    return frame


def length(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return one row: games, mean and quantiles of their rounds with intervals, share unfinished with its interval.

    The median's interval is that of order statistics (distribution-free; there is none for fewer than 6 games). Games
    stopped at the round cap count with the rounds they had. `middle` is the share of the games from `p5` to `p95`, both
    included: more than 90%, for rounds are whole numbers.
    """
    return grouped(runs, by, _length)


def _length(runs: Runs) -> pd.DataFrame:
    counts = _rounds(runs)
    number = (counts["victories"] + counts["unfinished"]).to_numpy()
    values, n = counts["rounds"].to_numpy(float), int(number.sum())
    sums = Sums.by_group(np.zeros(len(values), np.int64), 1, values, number)
    row: dict[str, Any] = {"n": n} | {name: float(value[0]) for name, value in sums.mean_columns("mean").items()}
    for name, q in (("p5", 0.05), ("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("p95", 0.95)):
        row[name] = quantile_of_counts(values, number, q)
    row["middle"] = share_between(values, number, row["p5"], row["p95"])
    row["median_low"], row["median_high"] = median_interval(values, number)
    unfinished = int(counts["unfinished"].sum())
    low, high = wilson(unfinished, n)
    row |= {"unfinished": unfinished, "unfinished_rate": unfinished / n}
    return pd.DataFrame([row | {"unfinished_rate_low": float(low), "unfinished_rate_high": float(high)}])


def median_interval(values: np.ndarray, number: np.ndarray) -> tuple[float, float]:
    """Return the order statistics that hold the median with at least 95% (H. David and H. Nagaraja, Order Statistics, 7.1).

    The k-th smallest and the k-th largest value, with the largest k for which fewer than k of n values lie on one side of the
    median with a chance of at most 2.5%; NaN where even the smallest and the largest value do not suffice.
    """
    n = int(number.sum())
    k = int(scipy.stats.binom.ppf((1 - CONFIDENCE) / 2, n, 0.5))
    if k == 0:
        return np.nan, np.nan
    order, reached = np.argsort(values), np.cumsum(number[np.argsort(values)])
    low, high = (values[order[np.searchsorted(reached, place)]] for place in (k, n - k + 1))
    return float(low), float(high)


# --- Reasons of victory


def reasons(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return the combinations of agendas that winners claimed, the most frequent first.

    `wins` counts shared wins in parts; `share` is out of all wins, `share_where_possible` out of the wins of games with the
    same victory cards in play, with its 95% interval; `median_round` is the length of those games. With `by="leader"` the
    shares are those within each leader's wins.
    """
    if by not in (None, "leader", "players"):
        raise UserError(f"reasons by '{by}': expected leader or players")
    sample = sample_of(runs, ("occupied", "leader", "won", "rounds", "cards", "claims"))
    wins = counted_together((_wins(s) for s in sample), [*_WIN_KEYS, "rounds"])
    wins = wins.assign(won=wins["won"] / WHOLE)
    labels = {"leader": sample.words.leader, "cards": sample.words.card, "agendas": sample.words.agenda}
    keys = [by] if by else []
    groups = wins.groupby([*keys, "cards", "agendas"])
    frame = groups[["won"]].sum().rename(columns={"won": "wins"}).reset_index()
    frame["median_round"] = [median_of_counts(group["rounds"], group["winners"]) for _, group in groups]
    for name in ("cards", "agendas"):
        frame[name] = [bit_names(mask, labels[name], " | " if name == "cards" else " + ") for mask in frame[name]]
    if by == "leader":
        frame["leader"] = np.array(labels["leader"], object)[frame["leader"]]
    total = frame.groupby(keys)["wins"].transform("sum") if keys else frame["wins"].sum()
    possible = frame.groupby([*keys, "cards"])["wins"].transform("sum")
    frame["share"] = frame["wins"] / total
    frame = frame.assign(**rate_columns(frame["wins"], possible, "share_where_possible"), n=possible)
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    frame = frame.sort_values([*keys, "wins", "agendas"], ascending=[*[True] * len(keys), False, True], ignore_index=True)
    ordered = [*keys, "agendas", "wins", "share", "share_where_possible", "share_where_possible_low"]
    return frame[[*ordered, "share_where_possible_high", "n", "median_round", "cards", "small_sample"]]


_WIN_KEYS = ["players", "leader", "cards", "agendas"]


def _wins(s: Selection) -> pd.DataFrame:
    """Return the counted winners by leader, cards in play, agendas claimed (one bit each) and rounds."""
    games = s.games
    agendas = np.zeros(games.leader.size, np.int64)
    np.bitwise_or.at(agendas, games.claims.at, np.int64(1) << games.claims.what.astype(np.int64))
    at = s.seats[s.wins[s.seats] > 0]
    game = at // games.players
    columns = {"players": games.players, "leader": games.leader.ravel()[at], "cards": games.cards[game], "agendas": agendas[at]}
    frame = pd.DataFrame(columns | {"rounds": games.rounds[game], "won": s.wins[at].astype(np.int64), "winners": 1})
    return frame.groupby([*_WIN_KEYS, "rounds"], as_index=False).sum()


# --- What runs out


def shortages(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return how often components were used up at the end of the game.

    `n` counts seats for pieces of a player (city pieces, control tokens) and games for what all share (a type's wonder deck,
    all of it built). The tables hold the state at the end only: a piece that was used up and came back is missed, so the rates
    are lower bounds of "ran out at any time". Seats of one game are one case in the interval.
    """
    return grouped(runs, by, _shortages)


def _shortages(runs: Runs) -> pd.DataFrame:
    parts: list[tuple[str, int, int, int, int, int]] = []
    for run in as_runs(runs):
        data = run.manifest["ruleset"]["data"]
        pieces = data["components"]["per_player"][section(data)]
        # The capital is a piece of its own.
        limits = {"cities": pieces["cities"] + pieces["capital"], "tokens": pieces["control_tokens"]}
        for s in sample_of(run, ("occupied", "deck", "erected", "facts"), limits):
            parts += _used_up(s, limits)
    columns = ["component", "n", "used_up", "yy", "ym", "mm"]
    total = pd.DataFrame(parts, columns=columns).groupby("component", as_index=False).sum()
    rate = total["used_up"] / total["n"]
    squares = total["yy"] - 2 * rate * total["ym"] + rate**2 * total["mm"]
    frame = total[columns[:3]].assign(**clustered_rate_columns(total["used_up"], total["n"], squares, "rate"))
    return frame.sort_values(["rate", "component"], ascending=[False, True], ignore_index=True)


def _used_up(s: Selection, limits: dict[str, int]) -> Iterator[tuple[str, int, int, int, int, int]]:
    """Yield component, cases, used up, and sums over games of y², ym and m² (y used up among m cases of a game)."""
    games, names = s.games, {"cities": "city pieces of a player", "tokens": "control tokens of a player"}
    for column, limit in limits.items():
        y, m = (games.number(column) >= limit).sum(axis=1), s.counting.sum(axis=1)
        yield names[column], int(m.sum()), int(y.sum()), int(y @ y), int(y @ m), int(m @ m)
    deck, unbuilt, facts = games.deck, games.deck & ~games.erected, games.facts
    cards: dict[str, int] = {}  # the wonders of each type, one bit each
    for code, name in enumerate(games.words.wonder):
        kind = facts[name][0]
        cards[kind] = cards.get(kind, 0) | 1 << code
    for kind, bits in cards.items():
        dealt = deck & bits > 0
        n, built = int(np.count_nonzero(dealt)), int(np.count_nonzero(dealt & (unbuilt & bits == 0)))
        if n:
            yield f"deck of {kind} wonders", n, built, built, built, n


# --- How early a game is decided: who leads in victory cards claimed, and does that seat go on to win?
#
# The lead is read at the end of each round: a seat leads if it has claimed more victory cards than every other. Standings
# follow from the rounds of the claims. A win shared by k seats counts as k games of weight 1/k; the intervals are then a little
# too wide. Figures after round r are about the games that continued after it.
#
# Two scores say how well the claims predict the winner, without and with a model:
#
# - `auc`: the chance that the later winner has claimed more than another seat of the same game, picked at random, equal numbers
# counting half. 50% is a coin toss. Interval: mean over games ± z standard errors.
#
# - `skill`: Brier's score (G. Brier, Monthly
# Weather Review 78, 1950) of the best forecast that the claims allow against that of the fair share, 1 - Σ(p - y)² / Σ(fair -
# y)². The best forecast gives each seat the true chance of its standing (the claims of all seats, in order) after that round;
# its expected score needs the squares of those chances only, which pairs of games of the same standing estimate without bias
# (W. Hoeffding, Annals of Mathematical Statistics 19, 1948), also from few games. 0: no better than the fair share; 1: certain.
# Interval: variance between standings and of the pairs within them, a ratio of means over games (delta method). Standings seen
# once carry no information on their chances and are left out.

NOBODY = -1  # the winner's claims in an unfinished game
BITS = 4  # of a code, for the claims of a seat
MOST_ROUNDS = 2**20  # bound in a code

COLUMNS = ("occupied", "rounds", "won", "claims")


def standings(s: Selection) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the claims at the end of each round (seats, games, rounds), the games' rounds, and shares of the win."""
    games, claims = s.games, s.games.claims
    rounds = games.rounds.astype(np.int64)
    made = np.zeros((games.players, len(games), int(rounds.max(initial=0)) + 1), np.int8)
    np.add.at(made, (claims.at % games.players, claims.at // games.players, claims.when), 1)
    return np.cumsum(made, axis=2, dtype=np.int8)[:, :, 1:], rounds, games.won / WHOLE


def predictability(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return for each round how well the victory cards claimed so far predict the winner.

    `n` counts the games that continued after the round; in `leading` of them one seat led alone (`leading_rate`), and
    `leader_win_rate` is how often that seat won in the end (Wilson's interval; unfinished games count as not won). `fair_share`
    is the win rate of a seat picked at random; `p`, `p_adjusted` and the interval `_all_` compare it with that of the leader,
    for all rounds together. `auc` and `skill` are about games that someone won.
    """
    return grouped(runs, by, _predictability)


_STATE = ["players", "round", "standing", "winner"]


def _state_counts(claims: np.ndarray, rounds: np.ndarray, won: np.ndarray) -> pd.DataFrame:
    """Return a shard's games counted by round, standing (claims in falling order, coded) and claims of the later winner."""
    standing = np.zeros(claims.shape[1:], np.int32)
    for place, own in enumerate(np.sort(claims, axis=0)[::-1]):
        standing |= own.astype(np.int32) << (BITS * place)
    going = np.arange(1, claims.shape[2] + 1) < rounds[:, None]
    seats = [(won[:, seat], claims[seat]) for seat in range(len(claims))]
    seats.append((1.0 - (won.sum(axis=1) > 0), np.full_like(claims[0], NOBODY)))
    parts = []
    for weight, own in seats:
        game, index = np.nonzero((weight > 0)[:, None] & going)
        key = (standing[game, index].astype(np.int64) * 16 + own[game, index] + 1) * MOST_ROUNDS + index + 1
        codes, inverse = np.unique(key, return_inverse=True)
        sums = {"games": weight[game], "squares": weight[game] ** 2}
        parts.append(pd.DataFrame({"key": codes} | {k: np.bincount(inverse, v, len(codes)) for k, v in sums.items()}))
    whole = pd.concat(parts).groupby("key", as_index=False).sum()
    key = whole["key"].to_numpy()
    columns = {"round": key % MOST_ROUNDS, "winner": key // MOST_ROUNDS % 16 - 1, "standing": key // (16 * MOST_ROUNDS)}
    return pd.DataFrame({"players": len(claims), **columns, "games": whole["games"], "squares": whole["squares"]})


def _predictability(runs: Runs) -> pd.DataFrame:
    counts = counted_together((_state_counts(*standings(s)) for s in sample_of(runs, COLUMNS)), _STATE)
    if counts.empty:
        raise UserError("every game ended in its first round; there is nothing to predict")
    claims = counts["standing"].to_numpy()[:, None] >> (BITS * np.arange(int(counts["players"].max()))) & (2**BITS - 1)
    seated = np.arange(claims.shape[1]) < counts["players"].to_numpy()[:, None]
    counts = counts.assign(fair=counts["games"] / counts["players"], **_scores(counts, claims, seated))
    counts["leading"] = counts["games"] * (claims[:, 0] > claims[:, 1])
    counts["leader_wins"] = counts["leading"] * (counts["winner"] == claims[:, 0])
    counts["leader_fair"] = counts["leading"] / counts["players"]
    rows = [{"round": number, **_one_round(group)} for number, group in counts.groupby("round")]
    frame = pd.DataFrame(rows).astype({"n": np.int64, "leading": np.int64})
    fair = frame.pop("leader_fair") / frame["leading"].where(frame["leading"] > 0)
    asked = (frame["leader_wins"], frame["leading"], fair, SMALL_SAMPLE, "who leads alone")
    return frame.assign(**against_share("leader_win_rate", *asked))


def _scores(counts: pd.DataFrame, claims: np.ndarray, occupied: np.ndarray) -> dict[str, np.ndarray]:
    """Return for each kind of game its AUC, and the number of seats with as many claims as the winner."""
    winner = counts["winner"].to_numpy()
    decided, players = winner != NOBODY, counts["players"].to_numpy()
    above = ((winner[:, None] > claims) + 0.5 * (winner[:, None] == claims)) * occupied
    auc = (above.sum(axis=1) - 0.5) / (players - 1)  # less the winner against itself
    alike = ((claims == winner[:, None]) & occupied).sum(axis=1)
    return {"auc": np.where(decided, auc, np.nan), "alike": alike}


def _skill(decided: pd.DataFrame) -> dict[str, float]:
    """Return the columns of `skill`, from the decided games of one round by players, standing and claims of the winner.

    With y of a standing's n games won by one of a seats with the same claims, the chances of that class are q = y / n, and Σ
    q²/a over classes is the gain of the best forecast (`gain`): the mean of 1/a over pairs of games whose winners are in one
    class.
    """
    games, squares, alike, players, standing = (
        decided[name].to_numpy() for name in ("games", "squares", "alike", "players", "standing")
    )
    _, index, state = np.unique(standing * 2**BITS + players, return_index=True, return_inverse=True)
    terms = (games, (games**2 - squares) / alike, games**3 / alike**2, games**2 / alike**2)
    n, pairs, first, second = (np.bincount(state, term, len(index)) for term in terms)
    repeated = n > 1.5  # n is whole except for rounding
    n, pairs, first, second, players = (part[repeated] for part in (n, pairs, first, second, players[index]))
    total = float(n.sum())
    if not total:
        return dict.fromkeys(("skill", "skill_low", "skill_high"), np.nan)
    gain = pairs / (n * (n - 1))
    plain = np.clip(gain, 0, 1)
    of_one, of_both = np.clip(first / n**3 - plain**2, 0, None), np.clip(second / n**2 - plain**2, 0, None)
    within = (4 * (n - 2) * of_one + 2 * of_both) / (n * (n - 1))
    weight, fair = n / total, 1 - 1 / players
    scale = float(weight @ fair)
    ratio = float(weight @ (1 - gain)) / scale
    between = float(weight @ (1 - gain - ratio * fair) ** 2) / total
    reach = QUANTILE * float(np.sqrt(between + weight**2 @ within)) / scale
    return {"skill": 1 - ratio, "skill_low": 1 - ratio - reach, "skill_high": 1 - ratio + reach}


def _one_round(group: pd.DataFrame) -> dict[str, Any]:
    n, leading, wins = (float(group[name].sum()) for name in ("games", "leading", "leader_wins"))
    row: dict[str, Any] = {"n": round(n), "leading": round(leading)}
    row |= _rate("leading_rate", leading, n) | {"leader_wins": wins} | _rate("leader_win_rate", wins, leading)
    row |= {"fair_share": float(group["fair"].sum()) / n, "leader_fair": float(group["leader_fair"].sum())}
    decided = group[group["winner"] != NOBODY]
    weight = decided["games"].to_numpy()
    row |= _ratio("auc", decided["auc"].to_numpy(), np.ones(len(decided)), weight)
    row |= _skill(decided)
    return row | {"small_sample": n < SMALL_SAMPLE}


def _rate(name: str, wins: float, n: float) -> dict[str, float]:
    low, high = wilson(wins, n)
    return {name: wins / n if n else np.nan, f"{name}_low": float(low), f"{name}_high": float(high)}


def _ratio(name: str, above: np.ndarray, below: np.ndarray, weight: np.ndarray) -> dict[str, float]:
    """Return Σ above / Σ below over games that occur `weight` times, with its interval (delta method)."""
    n = weight.sum()
    if not n:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), np.nan)
    ratio = float(weight @ above / (weight @ below))
    if n <= 1:  # one game has no spread
        return {name: ratio, f"{name}_low": np.nan, f"{name}_high": np.nan}
    terms = (above - ratio * below) / (weight @ below / n)
    reach = QUANTILE * float(np.sqrt(weight @ terms**2 / (n - 1) / n))
    return {name: ratio, f"{name}_low": ratio - reach, f"{name}_high": ratio + reach}


# --- Lead changes and comebacks

STORY = ("rounds", "changes", "behind", "lead_round")


def stories(claims: np.ndarray, rounds: np.ndarray, won: np.ndarray) -> pd.DataFrame:
    """Return one row per game: rounds, lead changes, and of won games the round of the last lead and the worst deficit."""
    number = np.arange(1, claims.shape[2] + 1, dtype=np.int16)[None, :]
    going, before = number <= rounds[:, None], number < rounds[:, None]
    best, leader = claims.max(axis=0), claims.argmax(axis=0).astype(np.int8)
    alone = ((claims == best).sum(axis=0, dtype=np.int8) == 1) & going
    # Rounds without a sole leader keep the last one; a change is another seat's lead.
    last = np.maximum.accumulate(np.where(alone, number, 0), axis=1)
    held = np.where(last > 0, np.take_along_axis(leader, np.maximum(last, 1).astype(np.int64) - 1, axis=1), -1)
    changed = (held[:, 1:] != held[:, :-1]) & (held[:, :-1] >= 0) & going[:, 1:]
    winners = (won.T > 0)[:, :, None]
    gap = np.where(winners, -1, claims).max(axis=0) - np.where(winners, claims, 127).min(axis=0)
    # The last round is left out: its claims or the tie-break decide the game.
    behind = np.where(before, gap, 0).max(axis=1, initial=0)
    not_ahead = np.where(before & (gap >= 0), number, 0).max(axis=1, initial=0)
    decided = won.sum(axis=1) > 0
    return pd.DataFrame(
        {
            "rounds": rounds,
            "changes": changed.sum(axis=1),
            "behind": np.where(decided, behind, NOBODY),
            "lead_round": np.where(decided, not_ahead + 1, NOBODY),
        }
    )


def courses(runs: Runs) -> pd.DataFrame:
    """Return the games counted by their stories, for `lead_of` and `comebacks_of`."""
    return counted_together((stories(*standings(s)).assign(games=1) for s in sample_of(runs, COLUMNS)), STORY)


def lead(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return one row: how often the lead changes, and when the winner takes it for the last time.

    `changes` is the mean number of times that another seat became the only leader (± z standard errors); `steady_rate` the
    share of games in which that never happened. `lead_round` is the median round from the end of which the winner led until the
    game ended; in the share `lead_middle` of the won games it is from `lead_round_p25` to `lead_round_p75` (quartiles, both
    included: more than half, because rounds are whole numbers), and `lead_share` is its median as a share of the game's rounds.
    `last_round_rate` is the share of won games in which the winner took the lead in the last round only.
    """
    return grouped(runs, by, lambda group: lead_of(courses(group)))


def lead_of(courses: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `lead` from `courses`."""
    games = courses["games"].to_numpy()
    n = int(games.sum())
    row: dict[str, Any] = {"n": n}
    row |= _ratio("changes", courses["changes"].to_numpy(float), np.ones(len(courses)), games.astype(float))
    row |= _rate("steady_rate", float(games[courses["changes"] == 0].sum()), n)
    decided = courses[courses["behind"] != NOBODY]
    row["victories"] = int(decided["games"].sum())
    for name, share in (("lead_round", 0.5), ("lead_round_p25", 0.25), ("lead_round_p75", 0.75)):
        row[name] = quantile_of_counts(decided["lead_round"], decided["games"], share)
    quartiles = (row["lead_round_p25"], row["lead_round_p75"])
    row["lead_middle"] = share_between(decided["lead_round"], decided["games"], *quartiles)
    row["lead_share"] = quantile_of_counts(decided["lead_round"] / decided["rounds"], decided["games"], 0.5)
    late = decided.loc[decided["lead_round"] == decided["rounds"], "games"].sum()
    row |= _rate("last_round_rate", float(late), row["victories"])
    return pd.DataFrame([row | {"small_sample": n < SMALL_SAMPLE}])


def comebacks(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return how often winners had been behind: by at least `behind` victory cards at the end of some earlier round.

    `n` counts the games that someone won; of seats that share a win, the one furthest behind counts, against the others.
    """
    return grouped(runs, by, lambda group: comebacks_of(courses(group)))


def comebacks_of(courses: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `comebacks` from `courses`."""
    decided = courses[courses["behind"] != NOBODY]
    n, most = int(decided["games"].sum()), max([2, *decided["behind"]])
    wins = [int(decided.loc[decided["behind"] >= least, "games"].sum()) for least in range(1, most + 1)]
    frame = pd.DataFrame({"behind": np.arange(1, most + 1), "n": n, "wins": wins})
    frame = frame.assign(**rate_columns(frame["wins"], frame["n"], "comeback_rate"))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)
