"""How often: leaders, wonders, victory cards, claims by round, leaders by strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd

from ...simulator.errors import unknown
from ..stats.inference import against_share, normal_together
from ..stats.rates import (
    CONFIDENCE,
    SMALL_SAMPLE,
    as_cases,
    clustered_rate_columns,
    hardly_any,
    median_of_counts,
    quantile_of_counts,
    ranks,
    rate_columns,
    share_between,
    wilson,
)
from .decoded_games import SEPARATOR, WHOLE, Events
from .read import Runs, Selection, added, as_runs, by_name, sample_of

# --- How leaders, world wonders and victory cards did
#
# Every function takes a run (or several, which are pooled) and returns a DataFrame with one row per entry; shards are read one
# after the other, so memory does not grow with the number of games. Unfinished games (stopped at the round cap) count as games
# in which nobody won: they stay in every denominator `n`; a column `unfinished` gives their number.
#
# Columns `<rate>_low` and `<rate>_high` are the 95% interval of `<rate>` (`analysis/stats/rates.py`). Rates of players who
# built or claimed something are associations: who builds more may win more for other reasons.
#
# Functions also take a sample (`tables/read.py`), games in which only some seats count: what other seats built or claimed is
# then left out.

GROUPINGS = ("seat", "order", "players", "strategy")


def bits(numbers: np.ndarray, size: int) -> np.ndarray:
    """Return how many of the numbers have each bit: counted byte by byte, eight bits at once."""
    table = np.arange(256)[:, None] >> np.arange(8) & 1
    octets = numbers.astype("<i8", copy=False).view(np.uint8).reshape(-1, 8)
    counts = [np.bincount(octets[:, i], minlength=256) @ table for i in range(-(-size // 8))]
    return np.concatenate(counts or [np.zeros(0, np.int64)])[:size]


def seats_of(events: Events, code: int, s: Selection) -> np.ndarray:
    """Return the counted seats at which something happened, once for each event."""
    at = events.at[events.what == code]
    return at[s.counting.ravel()[at]]


def quantiles(counts: np.ndarray, quantile: Callable[[np.ndarray, np.ndarray], float]) -> list[float]:
    """Return a quantile of each row of counts by round."""
    return [quantile(np.arange(counts.shape[1]), row) for row in counts]


# --- Games


def lengths(s: Selection) -> dict[str, np.ndarray]:
    """Return, by round, how many chosen games ended in it: `victories` and `unfinished`."""
    rounds, decided = s.games.rounds, s.games.decided
    wide = int(rounds.max(initial=0)) + 1
    kinds = {"victories": decided, "unfinished": ~decided}
    return {name: np.bincount(rounds[s.chosen & kind], minlength=wide) for name, kind in kinds.items()}


LENGTH = ("rounds", "decided")


def overview(runs: Runs) -> dict[str, Any]:
    """Return how many games there are, how they ended and how long they took."""
    counts = added(lengths(s) for s in sample_of(runs, LENGTH))
    number, unfinished = counts["victories"] + counts["unfinished"], int(counts["unfinished"].sum())
    rounds, games = np.arange(len(number)), int(number.sum())
    rounds_at = {f"{q}%": quantile_of_counts(rounds, number, q / 100) for q in (5, 25, 75, 95)}
    rounds_at["50%"] = median_of_counts(rounds, number)
    return {
        "planned": sum(run.planned_games for run in as_runs(runs)),
        "games": games,
        "victories": games - unfinished,
        "unfinished": unfinished,
        "rounds": rounds_at,
        # Rounds are whole numbers, so more than 90% of the games may lie between these quantiles.
        "rounds_share": share_between(rounds, number, rounds_at["5%"], rounds_at["95%"]),
        "rounds_mean": float(rounds @ number / games),
    }


def number_of_games(runs: Runs) -> int:
    """Return the number of games, reading as little as possible."""
    return sum(len(s.games) for s in sample_of(runs, ("decided",)))


# --- Leaders


def leaders(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return the win rate of each leader against the fair share, optionally by seat, order, players or strategy.

    `rank` and the interval of `difference` (win rate less fair share) hold for all rows together with 95% (Bonferroni).
    """
    return leader_table(leader_sums(runs, by), by)


def leader_sums(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return the sums that `leader_table` is made of: `n`, `wins`, their `squares`, `fair` (shares), `unfinished`."""
    if by is not None and by not in GROUPINGS:
        raise unknown("grouping", by, GROUPINGS)
    sample = sample_of(runs, ("occupied", "leader", "outcome", *([by] if by in ("order", "strategy") else [])))
    total = added(_leaders(s, by) for s in sample)
    group, leader = np.nonzero(total["n"])
    names = {"leader": np.array(sample.words.leader, object)[leader]}
    if by is not None:
        names[by] = np.array(sample.words.strategy, object)[group] if by == "strategy" else group
    frame = pd.DataFrame(names | {name: values[group, leader] for name, values in total.items()})
    return frame.sort_values([by, "leader"] if by else "leader", ignore_index=True)


def _leaders(s: Selection, by: str | None) -> dict[str, np.ndarray]:
    """Return the tally of the counted seats by group and leader."""
    leader, group = s.of_seats(s.games.leader), _group(s, by)
    shape = int(group.max(initial=0)) + 1, len(s.games.words.leader)
    return s.tally(group * np.int16(shape[1]) + leader, shape)


def _group(s: Selection, by: str | None) -> np.ndarray:
    """Return the group of each counted seat, a small number."""
    if by is None or by == "players":
        return np.full(1, 0 if by is None else s.games.players, np.int16)
    if by == "seat":
        return (s.seats % s.games.players).astype(np.int16)
    return s.of_seats(s.games.order if by == "order" else s.games.strategy).astype(np.int16)


def leader_table(total: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Return the table of `leaders` from the sums of its rows (`leader_sums`)."""
    keys = [key for key in (by, "leader") if key]
    squares = total["squares"] - total["wins"] ** 2 / total["n"]
    frame = total[[*keys, "n", "wins"]].assign(
        **clustered_rate_columns(total["wins"], total["n"], squares, "win_rate"), fair_share=total["fair"] / total["n"]
    )
    # Simultaneous: with eight equal leaders, single intervals exclude one from a rank in more than one run in ten.
    low, high = wilson(*as_cases(total["wins"], total["n"], squares), 1 - (1 - CONFIDENCE) / len(frame))
    fair = frame["fair_share"]
    frame = frame.assign(difference=frame["win_rate"] - fair, difference_all_low=low - fair, difference_all_high=high - fair)
    if by is None:
        frame["rank"] = ranks(low, high)
        frame = frame.sort_values(["win_rate", "leader"], ascending=[False, True])
    frame["unfinished"] = total["unfinished"]
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.reset_index(drop=True)


# --- World wonders


def wonders(runs: Runs, by: str | None = None) -> pd.DataFrame:
    """Return for each world wonder how often and when it was seen and built, and how often its builders won.

    `n` counts the games that had it in a deck, `revealed` those in which it was turned up, from the start or later.
    `builder_win_rate` has `built` as its denominator. It is an association: players who are ahead build more, so it does
    not say what a wonder is worth. `average_share` is what the average seat of these games won, the fair share of the decided
    ones; `p` asks whether builders of a wonder won as much, where it was built often enough. With `by="leader"`: see
    `wonder_builders`.
    """
    if by == "players":
        return by_players(wonders, runs)
    if by == "leader":
        return wonder_builders(runs)
    if by is not None:
        raise unknown("grouping", by, ("players", "leader"))
    sample = sample_of(runs, ("occupied", "won", "decided", "facts", "deck", "revealed", "built", "captured"))
    return _wonder_table(added(_wonders(s) for s in sample), sample.words.wonder, sample.words.facts)


def _wonders(s: Selection) -> dict[str, np.ndarray]:
    """Return sums by wonder, and by wonder and round: of the chosen games, and of what counted seats built in them."""
    games = s.games
    deck, _, size = games.deck, games.facts, len(games.words.wonder)
    built = games.built.counts(s.counting.ravel(), size)
    return {
        "in_deck": bits(deck[s.chosen], size), "unfinished": bits(deck[s.chosen & ~games.decided], size),
        "revealed": games.revealed.counts(s.chosen, size), "built": built, "fair": built.sum(axis=1) / games.players,
        "builder_wins": games.built.sums(s.wins, size) / WHOLE,
        "games": np.array([s.chosen.sum(), (s.chosen & games.decided).sum()]),
        "captures": np.bincount(games.captured.what, games.captured.when * s.chosen[games.captured.at], size),
    }  # fmt: skip


def _wonder_table(total: Mapping[str, np.ndarray], names: Sequence[str], facts: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Return the table of `wonders` from its sums."""
    n, built = total["in_deck"], total["built"].sum(axis=1)
    kinds = {"type": [facts[name][0] for name in names], "era": [facts[name][1] for name in names]}
    frame = pd.DataFrame({"wonder": list(names), **kinds, "n": n, "revealed": total["revealed"].sum(axis=1)})
    frame["median_seen"] = quantiles(total["revealed"], median_of_counts)
    frame["built"] = built
    frame = frame.assign(**rate_columns(frame["built"], frame["n"], "build_rate"))
    frame["median_round"] = quantiles(total["built"], median_of_counts)
    frame = frame.assign(**rate_columns(pd.Series(total["builder_wins"]), frame["built"], "builder_win_rate"))
    frame["fair_share"] = total["fair"] / frame["built"].where(frame["built"] > 0)
    games, decided = total["games"]
    average = frame["fair_share"] * decided / max(games, 1)
    tested = against_share("builder_win_rate", total["builder_wins"], frame["built"], average, SMALL_SAMPLE, "world wonders")
    frame = frame.assign(average_share=average, **tested)
    frame = frame.assign(captures=total["captures"].astype(np.int64), unfinished=total["unfinished"])
    frame["small_sample"] = frame["built"] < SMALL_SAMPLE
    return frame.sort_values(["build_rate", "wonder"], ascending=[False, True], ignore_index=True)


def wonder_builders(runs: Runs, only: str | None = None) -> pd.DataFrame:
    """Return for each world wonder (or one) and leader how often the leader built it, and how often it then won.

    `n` counts the games with the leader at the table and the wonder in a deck. `builder_win_rate` is an association, as
    in `wonders`.
    """
    sample = sample_of(runs, ("occupied", "leader", "won", "deck", "built"))
    total = added(_builders(s, only) for s in sample)
    wonder, leader = np.nonzero(total["n"])
    frame = pd.DataFrame({name: values[wonder, leader] for name, values in total.items()})
    frame.insert(0, "wonder", np.array(sample.words.wonder, object)[wonder])
    frame.insert(1, "leader", np.array(sample.words.leader, object)[leader])
    frame = frame.sort_values(["wonder", "leader"], ignore_index=True)
    table = frame[["wonder", "leader", "n", "built"]].assign(**rate_columns(frame["built"], frame["n"], "build_rate"))
    table = table.assign(**rate_columns(frame["wins"], frame["built"], "builder_win_rate"))
    table["small_sample"] = table["built"] < SMALL_SAMPLE
    return table.sort_values(["wonder", "build_rate"], ascending=[True, False], ignore_index=True)


def _builders(s: Selection, only: str | None) -> dict[str, np.ndarray]:
    """Return, by wonder and leader, seats with the wonder in a deck, wonders the leader built, wins of these builders."""
    games = s.games
    leader, decks, words = games.leader, games.deck[s.game], games.words
    own, size = s.of_seats(leader), len(words.leader)
    sums = {name: np.zeros((len(words.wonder), size), kind) for name, kind in (("n", int), ("built", int), ("wins", float))}
    for code, name in enumerate(words.wonder):
        if only is None or name == only:
            building = seats_of(games.built, code, s)
            who = leader.ravel()[building]
            sums["n"][code] = np.bincount(own[decks >> code & 1 == 1], minlength=size)
            sums["built"][code] = np.bincount(who, minlength=size)
            sums["wins"][code] = np.bincount(who, games.won.ravel()[building], size) / WHOLE
    return sums


def by_players(summary: Callable[[Runs], pd.DataFrame], runs: Runs) -> pd.DataFrame:
    """Return the summary of the runs of each player count, one below the other."""
    parts = []
    for count in sorted({run.players for run in as_runs(runs)}):
        part = summary([run for run in as_runs(runs) if run.players == count])
        part.insert(0, "players", count)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


# --- Victory cards


def victory(runs: Runs, by: Literal["players"] | None = None) -> pd.DataFrame:
    """Return for each victory card and agenda how often it was claimed, when, and how often its claimants won.

    `n` counts the games with the card in play; `claim_rate` is the share of them in which anyone claimed it by this
    agenda; `round_p25` and `round_p75` are quartiles of the rounds of the claims; `claimant_win_rate` has `claims` as its
    denominator and a game as one case: its claimants share one win. It is an association, and says
    little, because winners must have claimed. `winner_share` is the share of the wins in those games that used the agenda.
    """
    if by == "players":
        return by_players(victory, runs)
    if by is not None:
        raise unknown("grouping", by, ("players",))
    sample = sample_of(runs, ("occupied", "won", "decided", "cards", "claims"))
    total = added(_victory(s) for s in sample)
    cards = by_name(sample.words.card, "card", {"n": total.pop("n"), "unfinished": total.pop("unfinished")})
    return _victory_table(cards.query("n > 0"), total, sample.words.agenda)


def _victory(s: Selection) -> dict[str, np.ndarray]:
    """Return sums by card (`n`, `unfinished`), by agenda and round (`claims`), and by agenda: how its claimants fared."""
    games, players, seats = s.games, s.games.players, s.counting.ravel()
    cards, claims = games.cards, games.claims
    number, size = len(games.words.card), len(games.words.agenda)
    m, y = np.zeros((size, len(games)), np.int8), np.zeros((size, len(games)), np.int16)
    for part in claims.chunks():
        here = seats[claims.at[part]]
        seat = claims.at[part][here]
        where = (claims.what[part][here], seat // players)
        np.add.at(m, where, 1)
        np.add.at(y, where, s.wins[seat].astype(np.int16))
    when = claims.counts(seats, size)
    # Claimants of one game share its win: a game is one case.
    products = {"yy": (y * y).sum(axis=1) / WHOLE**2, "ym": (y * m).sum(axis=1) / WHOLE, "mm": (m * m).sum(axis=1)}
    return {
        "n": bits(cards[s.chosen], number), "unfinished": bits(cards[s.chosen & ~games.decided], number), "claims": when,
        "claimant_wins": y.sum(axis=1) / WHOLE, "fair": when.sum(axis=1) / players,
        "games_claimed": (m > 0).sum(axis=1), **products,
    }  # fmt: skip


def _victory_table(in_play: pd.DataFrame, total: Mapping[str, np.ndarray], agendas: list[str]) -> pd.DataFrame:
    """Return the table of `victory` from games by card, and its sums by agenda."""
    claims = by_name(agendas, "agenda", dict(total) | {
        "claims": total["claims"].sum(axis=1), "median_round": np.array(quantiles(total["claims"], median_of_counts)),
        **{name: np.array(quantiles(total["claims"], partial(quantile_of_counts, share=share)))
           for name, share in (("round_p25", 0.25), ("round_p75", 0.75))},
    })  # fmt: skip
    # Agendas that nobody claimed are listed, too.
    frame = in_play.assign(agenda=in_play["card"].str.split(SEPARATOR)).explode("agenda", ignore_index=True)
    whole = frame.merge(claims, on="agenda", how="left")
    whole = whole.fillna(dict.fromkeys(total, 0)).astype(dict.fromkeys(["n", "claims", "games_claimed"], np.int64))
    frame = whole[["card", "agenda", "n", "claims"]].assign(**rate_columns(whole["games_claimed"], whole["n"], "claim_rate"))
    for name in ("median_round", "round_p25", "round_p75"):
        frame[name] = whole[name]
    claimants = whole["claimant_wins"] / whole["claims"].where(whole["claims"] > 0)
    squares = whole["yy"] - 2 * claimants * whole["ym"] + claimants**2 * whole["mm"]
    frame = frame.assign(**clustered_rate_columns(whole["claimant_wins"], whole["claims"], squares, "claimant_win_rate"))
    frame["fair_share"] = whole["fair"] / whole["claims"].where(whole["claims"] > 0)
    frame = frame.assign(**rate_columns(whole["claimant_wins"], whole["n"] - whole["unfinished"], "winner_share"))
    frame["unfinished"] = whole["unfinished"]
    frame["small_sample"] = frame["claims"] < SMALL_SAMPLE
    return frame


# --- When agendas are claimed

QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def claim_rounds(runs: Runs) -> pd.DataFrame:
    """Return for each agenda how often it was claimed and in which rounds: quantiles of its claims, earliest first."""
    sample = sample_of(runs, ("occupied", "claims"))
    counts = added({"claims": s.games.claims.counts(s.counting.ravel(), len(s.games.words.agenda))} for s in sample)["claims"]
    frame = pd.DataFrame({"agenda": sample.words.agenda, "claims": counts.sum(axis=1)})
    for name, share in QUANTILES.items():
        frame[name] = quantiles(counts, partial(quantile_of_counts, share=share))
    frame["small_sample"] = frame["claims"] < SMALL_SAMPLE
    return frame.sort_values(["median", "agenda"], ignore_index=True)


# --- Leaders by strategy: who is strong with one strategy only?
#
# In a run that mixes strategies, a leader's wins when played by one of them are compared with those of all other leaders played
# by the same one, which removes the strategy's own strength. Both rates are ratios over the same games, so their difference
# gets the error of its linearised terms, game by game (the delta method): what one leader wins, another at the table does not.


def leaders_by_strategy(runs: Runs) -> pd.DataFrame:
    """Return for each strategy and leader how often the leader won, against the other leaders that it played.

    `n` counts seats of games that someone won. `points` is the win rate less `others_rate` (percentage points). Leaders always
    played by one strategy, and strategies that played one leader only, are left out. Rows with fewer than 10 wins or losses are
    not tested.
    """
    sample = sample_of(runs, ("occupied", "strategy", "leader", "won", "decided"))
    parts = [_sums(s) for s in sample]
    games = sum(n for n, _, _ in parts)
    labels = {"strategy": sample.words.strategy, "leader": sample.words.leader}
    own = pd.concat([frame for _, frame, _ in parts]).groupby(["strategy", "leader"]).sum()
    whole = pd.concat([frame for _, _, frame in parts]).groupby("strategy").sum()
    frame = own.reset_index()
    totals = whole.loc[frame["strategy"]].reset_index(drop=True)
    comparable = ((totals["m"] > frame["m"]) & (frame.groupby("leader")["m"].transform("sum") > frame["m"])).to_numpy()
    frame, totals = frame[comparable].reset_index(drop=True), totals[comparable].reset_index(drop=True)
    table = pd.DataFrame({name: np.array(labels[name], object)[frame[name].to_numpy(int)] for name in labels})
    table = table.assign(n=frame["m"].astype(np.int64), wins=frame["y"], **rate_columns(frame["y"], frame["m"], "win_rate"))
    others = (totals["y"] - frame["y"]) / (totals["m"] - frame["m"])
    points, error = 100 * (table["win_rate"] - others), 100 * _errors(frame, totals, games)
    table["small_sample"] = (table["n"] < SMALL_SAMPLE) | hardly_any(table["wins"], table["n"])
    tested = (points.to_numpy(), error.to_numpy(), table["small_sample"])
    table = table.assign(others_rate=others, **normal_together("points", *tested, family="leaders by strategy"))
    return table.sort_values(["strategy", "points"], ascending=[True, False], ignore_index=True)


def _sums(s: Selection) -> tuple[int, pd.DataFrame, pd.DataFrame]:
    """Return the decided games, the sums of their counted seats by strategy and leader, and by strategy alone."""
    decided, games = s.games.decided[s.game], len(s.games)
    game = s.game[decided]
    strategy, leader = (s.of_seats(column)[decided].astype(np.int64) for column in (s.games.strategy, s.games.leader))
    won, size = s.wins[s.seats][decided] / WHOLE, len(s.games.words.strategy)
    at = game * size + strategy
    wins, played = np.bincount(at, won, games * size), np.bincount(at, minlength=games * size).astype(float)
    y, m = won, np.ones(len(won))
    rest_y, rest_m = wins[at] - y, played[at] - m
    values = {"y": y, "m": m, "yy": y * y, "yY": y * rest_y, "yM": y * rest_m, "Y": rest_y, "M": rest_m}
    values |= {"YY": rest_y**2, "YM": rest_y * rest_m, "MM": rest_m**2}
    # Contributions of all of the strategy's seats in these games; its sums less these are of the other games.
    values |= {"in_yy": wins[at] ** 2, "in_ym": wins[at] * played[at], "in_mm": played[at] ** 2}
    own = pd.DataFrame({"strategy": strategy, "leader": leader, **values}).groupby(["strategy", "leader"]).sum()
    every = pd.DataFrame({"strategy": np.tile(np.arange(size), games), "y": wins, "m": played})
    every = every.assign(yy=wins**2, ym=wins * played, mm=played**2).groupby("strategy").sum()
    return int(np.count_nonzero(s.chosen & s.games.decided)), own.reset_index(), every.reset_index()


def _errors(frame: pd.DataFrame, totals: pd.DataFrame, games: int) -> Any:
    """Return the standard errors of the rates less the others' rates (delta method).

    A game adds (y - r m) / Σm - (Y - R M) / ΣM; squared, summed over the games with the leader played so (all products), and
    over those without it (the others' seats alone).
    """
    n, other = frame["m"], totals["m"] - frame["m"]
    r, q = frame["y"] / n, (totals["y"] - frame["y"]) / other
    own = frame["yy"] - 2 * r * frame["y"] + r**2 * n
    cross = frame["yY"] - q * frame["yM"] - r * frame["Y"] + r * q * frame["M"]
    rest = frame["YY"] - 2 * q * frame["YM"] + q**2 * frame["MM"]
    absent = totals["yy"] - frame["in_yy"] - 2 * q * (totals["ym"] - frame["in_ym"]) + q**2 * (totals["mm"] - frame["in_mm"])
    square = own / n**2 - 2 * cross / (n * other) + (rest + absent) / other**2
    return np.sqrt(np.maximum(square, 0) * games / (games - 1))
