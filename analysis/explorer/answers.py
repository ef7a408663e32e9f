"""The tables of `analysis.summaries` for selected games and seats: counted here, made into rates there.

Several selections (of runs that are pooled) are added up. Where only some seats of a game count, what they built and claimed
counts, and who sat beside them does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ..statistics.inference import Sums, rate_difference
from ..statistics.rates import SMALL_SAMPLE, median_of_counts, quantile_of_counts, rate_columns, wilson
from ..summaries.counts import SEPARATOR, builder_table, leader_table, victory_table, wonder_table
from ..summaries.expansion import QUESTIONS, Question, association_table, products, with_card, with_medians
from ..summaries.wins import times_table
from .columns import CARD_ROUND, HOLDINGS, WHOLE, Events, Words
from .filters import Selection

OUTCOMES = 2 * (WHOLE + 1)  # of a seat: its share of the win, and whether anyone won
GAMES_AT_ONCE = 1 << 15  # few enough for a processor's cache
Selections = Sequence[Selection]


def overview(selections: Selections) -> dict[str, Any]:
    """Return how many games and seats are chosen, how the games ended, and how often each number of rounds occurs."""
    rounds = _added([np.bincount(s.games.rounds[s.chosen]) for s in selections])
    games = int(rounds.sum())
    victories = sum(int(np.count_nonzero(s.games.decided & s.chosen)) for s in selections)
    sums = Sums.by_group(np.zeros(len(rounds), np.int64), 1, np.arange(len(rounds)), rounds)
    low, high = wilson(games - victories, games)
    found: dict[str, Any] = {"games": games, "seats": sum(int(np.count_nonzero(s.counted)) for s in selections)}
    found |= {"unfinished": games - victories, "unfinished_rate": (games - victories) / games if games else np.nan}
    found |= {"unfinished_rate_low": float(low), "unfinished_rate_high": float(high)}
    found |= {name: float(value[0]) for name, value in sums.mean_columns("rounds_mean").items()}
    for name, share in (("rounds_p25", 0.25), ("rounds_median", 0.5), ("rounds_p75", 0.75)):
        found[name] = quantile_of_counts(np.arange(len(rounds)), rounds, share)
    return found | {"small_sample": games < SMALL_SAMPLE}


def length_counts(selections: Selections) -> np.ndarray:
    """Return how many of the chosen games ended in each round, from 0."""
    return _added([np.bincount(s.games.rounds[s.chosen]) for s in selections])


def _added(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Return the sum of arrays of different lengths along their last axis; what is missing is 0."""
    wide = max(array.shape[-1] for array in arrays)
    total = np.zeros((*arrays[0].shape[:-1], wide), np.int64)
    for array in arrays:
        total[..., : array.shape[-1]] += array
    return total


# --- Seats


def _tally(s: Selection, key: np.ndarray, size: int, kept: np.ndarray | None = None) -> pd.DataFrame:
    """Return `n`, `wins`, `fair` and `unfinished` of the counted seats (of those kept) by a key, a small number of each."""
    code = key.astype(np.int16 if size * OUTCOMES < 2**15 else np.int64) * OUTCOMES + s.of_seats(s.games.outcome)
    count = np.bincount(code if kept is None else code[kept], minlength=size * OUTCOMES).reshape(size, OUTCOMES)
    n = count.sum(axis=1)
    wins = (count * (np.arange(OUTCOMES) // 2)).sum(axis=1) / WHOLE
    return pd.DataFrame({"n": n, "wins": wins, "fair": n / s.games.players, "unfinished": count[:, 1::2].sum(axis=1)})


def _bits(bits: np.ndarray, size: int) -> np.ndarray:
    """Return how many of the numbers have each bit: counted byte by byte, eight bits at once."""
    table = np.arange(256)[:, None] >> np.arange(8) & 1
    octets = bits.astype("<i8", copy=False).view(np.uint8).reshape(-1, 8)
    counts = [np.bincount(octets[:, i], minlength=256) @ table for i in range(-(-size // 8))]
    return np.concatenate(counts or [np.zeros(0, np.int64)])[:size]


def _total(parts: Sequence[pd.DataFrame], keys: list[str]) -> pd.DataFrame:
    """Add the sums of several selections up; rows without a case are left out."""
    return pd.concat(parts).groupby(keys, as_index=False, sort=True).sum().query("n > 0").reset_index(drop=True)


def leaders(selections: Selections, words: Words, by: str | None = None) -> pd.DataFrame:
    """Return `summaries.counts.leaders` of the counted seats, optionally by seat, order, players or strategy."""
    parts = []
    for s in selections:
        groups, group = _groups(s, words, by)
        key = group * np.int16(len(words.leader)) + s.of_seats(s.games.leader)
        part = _tally(s, key, len(groups) * len(words.leader))
        index = pd.MultiIndex.from_product([groups, words.leader], names=[by or "all", "leader"]).to_frame(index=False)
        parts.append(pd.concat([index, part], axis=1))
    total = _total(parts, [by or "all", "leader"])
    return leader_table(total.drop(columns="all", errors="ignore"), by)


def _groups(s: Selection, words: Words, by: str | None) -> tuple[list[Any], np.ndarray]:
    """Return the values of a grouping, and the number of that of each seat."""
    players = s.games.players
    if by is None or by == "players":
        return ["" if by is None else players], np.zeros(1, np.int16)
    if by == "seat":
        return list(range(players)), (s.seats % players).astype(np.int16)
    if by == "order":
        return list(range(players + 1)), s.of_seats(s.games.order).astype(np.int16)
    return list(words.strategy), s.of_seats(s.games.strategy).astype(np.int16)


def opponents(selections: Selections, words: Words) -> pd.DataFrame:
    """Return how the counted seats fared with each leader in another seat of the table."""
    parts = []
    for s in selections:
        present, own, alike = s.games.present[s.game], s.of_seats(s.games.leader), np.zeros(len(s.seats), np.int16)
        for code, name in enumerate(words.leader):
            parts.append(_tally(s, alike, 1, (present >> code & 1 == 1) & (own != code)).assign(opponent=name))
    total = _total(parts, ["opponent"])
    frame = total[["opponent", "n", "wins"]].assign(**rate_columns(total["wins"], total["n"], "win_rate"))
    frame = frame.assign(fair_share=total["fair"] / total["n"], small_sample=total["n"] < SMALL_SAMPLE)
    return frame.sort_values(["win_rate", "opponent"], ascending=[False, True], ignore_index=True)


def by_card(selections: Selections, words: Words) -> pd.DataFrame:
    """Return how the counted seats fared with each victory card in play, and the difference to their other games."""
    parts = []
    for s in selections:
        cards = s.games.cards[s.game]
        for code, name in enumerate(words.card):
            both = _tally(s, cards >> code & 1, 2)
            row = {"n": both["n"][1], "wins": both["wins"][1], "other_n": both["n"][0], "other_wins": both["wins"][0]}
            parts.append(pd.DataFrame([{"card": name, **row}]))
    return _with_and_without(_total(parts, ["card"]), "card")


def _with_and_without(total: pd.DataFrame, key: str) -> pd.DataFrame:
    """Return the win rates of seats with something, and their difference to those without it."""
    frame = total[[key, "n", "wins"]].assign(**rate_columns(total["wins"], total["n"], "win_rate"))
    frame["others_rate"] = total["other_wins"] / total["other_n"].where(total["other_n"] > 0)
    frame = frame.assign(**rate_difference("points", total["wins"], total["n"], total["other_wins"], total["other_n"]))
    frame["small_sample"] = np.minimum(total["n"], total["other_n"]) < SMALL_SAMPLE
    return frame.sort_values(["win_rate", key], ascending=[False, True], ignore_index=True)


def leaders_with_card(selections: Selections, words: Words, card: str) -> pd.DataFrame:
    """Return how the counted seats of each leader fared with the card in play, and the difference to their other games."""
    bit, size, parts = words.card.index(card), len(words.leader), []
    for s in selections:
        key = (s.games.cards[s.game] >> bit & 1) * size + s.of_seats(s.games.leader)
        both = _tally(s, key, 2 * size)[["n", "wins"]]
        others = both[:size].add_prefix("other_")
        parts.append(pd.concat([both[size:].reset_index(drop=True), others], axis=1).assign(leader=words.leader))
    return _with_and_without(_total(parts, ["leader"]), "leader")


def holdings(selections: Selections) -> pd.DataFrame:
    """Return what the counted seats had at the end: means with Student's interval, and quartiles."""
    rows = []
    for name in HOLDINGS:
        least = min(int(s.games.holdings[name].min(initial=0)) for s in selections)
        count = _added([np.bincount(s.of_seats(s.games.holdings[name]) - least) for s in selections])
        values = np.arange(len(count)) + least
        sums = Sums.by_group(np.zeros(len(count), np.int64), 1, values, count)
        row: dict[str, Any] = {"what": name.replace("_", " "), "n": int(count.sum())}
        row |= {key: float(value[0]) for key, value in sums.mean_columns("mean").items()}
        for key, share in (("p25", 0.25), ("median", 0.5), ("p75", 0.75)):
            row[key] = quantile_of_counts(values, count, share)
        rows.append(row)
    frame = pd.DataFrame(rows)
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


def winning_times(selections: Selections, words: Words) -> pd.DataFrame:
    """Return `summaries.wins.winning_times` of the counted seats."""
    parts = [_times(s, len(words.leader)) for s in selections]
    counts = pd.concat(parts).groupby(["leader", "claim", "round"], as_index=False).sum()
    return times_table(counts, words.leader)


def _times(s: Selection, leaders: int) -> pd.DataFrame:
    """Return how often counted winners made their k-th claim (0: ended the game) in each round, by leader."""
    games = s.games
    at = s.seats[s.of_seats(games.won) > 0]
    winners = np.zeros(games.leader.size, bool)
    winners[at] = True
    here = np.flatnonzero(winners[games.claims.at])
    leader = games.leader.ravel()
    who = np.concatenate([leader[at], leader[games.claims.at[here]]]).astype(np.int32)
    claim = np.concatenate([np.zeros(len(at), np.int32), games.claim_number[here]])
    when = np.concatenate([games.rounds[at // games.players], games.claims.when[here]])
    wide, most = int(when.max(initial=0)) + 1, int(claim.max(initial=0)) + 1
    count = np.bincount((who * most + claim) * wide + when, minlength=leaders * most * wide)
    found = np.flatnonzero(count)
    pair, round_ = np.divmod(found, wide)
    return pd.DataFrame({"leader": pair // most, "claim": pair % most, "round": round_, "count": count[found]})


# --- World wonders and victory cards


def wonders(selections: Selections, words: Words) -> pd.DataFrame:
    """Return `summaries.counts.wonders` of the chosen games: what counted seats built."""
    size = len(words.wonder)
    parts, seen, built = [], [], []
    for s in selections:
        games, seats = s.games, s.counted.ravel()
        seen.append(games.revealed.counts(s.chosen, size))
        built.append(games.built.counts(seats, size))
        number = built[-1].sum(axis=1)
        parts.append(pd.DataFrame({
            "wonder": words.wonder,
            "in_deck": _bits(games.deck[s.chosen], size), "unfinished": _bits(games.deck[s.chosen & ~games.decided], size),
            "revealed": seen[-1].sum(axis=1), "built": number, "captures": _captures(s, size),
            "builder_wins": games.built.sums(s.wins, size) / WHOLE, "fair": number / games.players,
        }))  # fmt: skip
    total = pd.concat(parts).groupby("wonder", as_index=False, sort=True).sum()
    facts = [words.facts[name] for name in total["wonder"]]
    total = total.assign(type=[kind for kind, _ in facts], era=[era for _, era in facts])
    names = words.wonder
    return wonder_table(total, _when(_added(seen), "wonder", names), _when(_added(built), "wonder", names))


def _captures(s: Selection, size: int) -> np.ndarray:
    """Return how often each wonder changed hands in the chosen games."""
    events = s.games.captured
    return np.bincount(events.what, events.when * s.chosen[events.at], size)


def _when(counts: np.ndarray, key: str, names: list[str]) -> pd.DataFrame:
    """Return counts by (name, round) as rows."""
    code, when = np.nonzero(counts)
    return pd.DataFrame({key: np.array(names, object)[code], "round": when, "count": counts[code, when]})


def _seats_of(events: Events, code: int, s: Selection) -> np.ndarray:
    """Return the counted seats at which something happened, once for each time."""
    at = events.at[events.what == code]
    return at[s.counted.ravel()[at]]


def wonder_builders(selections: Selections, words: Words, wonder: str) -> pd.DataFrame:
    """Return the rows of `summaries.counts.wonder_builders` of one wonder."""
    code, size, parts = words.wonder.index(wonder), len(words.leader), []
    for s in selections:
        games = s.games
        there = games.deck[s.game] >> code & 1 == 1
        mine = _seats_of(games.built, code, s)
        who = games.leader.ravel()[mine]
        wins = np.bincount(who, games.won.ravel()[mine], size) / WHOLE
        columns = {"n": np.bincount(s.of_seats(games.leader)[there], minlength=size), "built": np.bincount(who, minlength=size)}
        parts.append(pd.DataFrame({"wonder": wonder, "leader": words.leader, **columns, "wins": wins}))
    return builder_table(pd.concat(parts).groupby(["wonder", "leader"], as_index=False).sum())


def wonder_by_card(selections: Selections, words: Words, wonder: str) -> pd.DataFrame:
    """Return how often counted seats built the wonder with each victory card in play."""
    code, parts = words.wonder.index(wonder), []
    for s in selections:
        games = s.games
        there = s.chosen & (games.deck >> code & 1 == 1)
        mine = _seats_of(games.built, code, s) // games.players
        for bit, card in enumerate(words.card):
            n, built = games.cards[there] >> bit & 1, games.cards[mine] >> bit & 1
            parts.append(pd.DataFrame([{"card": card, "n": int(n.sum()), "built": int(built.sum())}]))
    total = _total(parts, ["card"])
    frame = total.assign(**rate_columns(total["built"], total["n"], "build_rate"))
    return frame.assign(small_sample=frame["n"] < SMALL_SAMPLE)


def wonder_times(selections: Selections, words: Words, wonder: str) -> np.ndarray:
    """Return in how many chosen games counted seats built the wonder in each round, from 0."""
    size, code = len(words.wonder), words.wonder.index(wonder)
    return _added([s.games.built.counts(s.counted.ravel(), size)[code] for s in selections])


def claim_times(selections: Selections, words: Words, agenda: str) -> np.ndarray:
    """Return how many claims by the agenda counted seats made in each round, from 0."""
    size, code = len(words.agenda), words.agenda.index(agenda)
    return _added([s.games.claims.counts(s.counted.ravel(), size)[code] for s in selections])


def victory(selections: Selections, words: Words) -> pd.DataFrame:
    """Return `summaries.counts.victory` of the chosen games: what counted seats claimed."""
    in_play, claims, when = [], [], []
    size = len(words.agenda)
    for s in selections:
        games, players = s.games, s.games.players
        seats, shown = s.counted.ravel(), len(words.card)
        counts = {"n": _bits(games.cards[s.chosen], shown), "unfinished": _bits(games.cards[s.chosen & ~games.decided], shown)}
        in_play.append(pd.DataFrame({"card": words.card, **counts}))
        when.append(games.claims.counts(seats, size))
        when_claimed = when[-1].sum(axis=1)
        m, y = np.zeros((size, len(games)), np.int8), np.zeros((size, len(games)), np.float32)
        won = s.wins.ravel()
        for part in games.claims.chunks():
            here = seats[games.claims.at[part]]
            seat = games.claims.at[part][here]
            where = (games.claims.what[part][here], seat // players)
            np.add.at(m, where, 1)
            np.add.at(y, where, won[seat] / WHOLE)
        sums = {"claims": when_claimed, "claimant_wins": y.sum(axis=1, dtype=float), "fair": when_claimed / players}
        sums["games_claimed"] = (m > 0).sum(axis=1)
        # Claimants of one game share its win: a game is one case.
        sums |= {"yy": (y * y).sum(axis=1, dtype=float), "ym": (y * m).sum(axis=1, dtype=float)}
        sums["mm"] = (m * m).sum(axis=1, dtype=float)
        claims.append(pd.DataFrame({"agenda": words.agenda, **sums}))
    total = [pd.concat(parts).groupby(key, as_index=False).sum() for key, parts in (("card", in_play), ("agenda", claims))]
    return victory_table(total[0].query("n > 0"), total[1], _when(_added(when), "agenda", words.agenda))


def claimants(selections: Selections, words: Words, card: str) -> pd.DataFrame:
    """Return for each agenda of a card and leader how often the leader's counted seats claimed the card by it."""
    bit, size, parts = words.card.index(card), len(words.leader), []
    agendas = [name for name in card.split(SEPARATOR) if name in words.agenda]
    for s in selections:
        games = s.games
        n = np.bincount(s.of_seats(games.leader)[games.cards[s.game] >> bit & 1 == 1], minlength=size)
        for agenda in agendas:
            at = _seats_of(games.claims, words.agenda.index(agenda), s)
            who = games.leader.ravel()[at]
            wins = np.bincount(who, games.won.ravel()[at], size) / WHOLE
            sums = {"n": n, "claims": np.bincount(who, minlength=size), "wins": wins}
            parts.append(pd.DataFrame({"agenda": agenda, "leader": words.leader, **sums}))
    if not parts:
        return pd.DataFrame()
    total = _total(parts, ["agenda", "leader"])
    frame = total[["agenda", "leader", "n", "claims"]].assign(**rate_columns(total["claims"], total["n"], "claim_rate"))
    frame = frame.assign(**rate_columns(total["wins"], total["claims"], "claimant_win_rate"))
    frame["small_sample"] = frame["n"] < SMALL_SAMPLE
    return frame.sort_values(["agenda", "claim_rate", "leader"], ascending=[True, False, True], ignore_index=True)


# --- Terra Incognita


def boxed(selections: Selections) -> list[Selection]:
    """Return the selections of runs of Terra Incognita."""
    return [s for s in selections if s.games.deeds]


def deeds(selections: Selections, what: str) -> pd.DataFrame:
    """Return the table of `summaries.expansion` about districts, governments, tiles or forts, of the counted seats."""
    found = boxed(selections)
    asked = QUESTIONS[what][1]
    return _associated(what, found, [asked(s.games.deeds) for s in found])


def unique_cards(selections: Selections, words: Words) -> pd.DataFrame:
    """Return `summaries.expansion.unique_cards` of the counted seats; leaders without a seat are left out."""
    found, codes = boxed(selections), range(len(words.leader))
    taken = [s.games.deeds[CARD_ROUND] > 0 for s in found]
    asked = [with_card(codes, s.games.leader, there) for s, there in zip(found, taken, strict=True)]
    frame = _associated("leader", found, asked)
    if frame.empty:
        return frame
    medians = []
    for code in codes:
        own = [s.counted & there & (s.games.leader == code) for s, there in zip(found, taken, strict=True)]
        rounds = _added([np.bincount(s.games.deeds[CARD_ROUND][here]) for s, here in zip(found, own, strict=True)])
        medians.append(median_of_counts(np.arange(len(rounds)), rounds))
    frame = with_medians(frame.assign(leader=words.leader), pd.Series(medians))
    return frame[frame["n"] + frame["n_without"] > 0].sort_values("leader", ignore_index=True)


def _associated(what: str, selections: Selections, questions: Sequence[Sequence[Question]]) -> pd.DataFrame:
    """Return `association_table` of the questions that were asked of each selection."""
    if not selections:
        return pd.DataFrame()
    with ThreadPoolExecutor() as threads:  # NumPy lets go of the interpreter
        total = sum(
            np.array(list(threads.map(partial(_products, s), asked))) for s, asked in zip(selections, questions, strict=True)
        )
    games = sum(int(np.count_nonzero(s.chosen)) for s in selections)
    return association_table(what, [name for name, _, _ in questions[0]], np.asarray(total), games)


def _products(s: Selection, question: Question) -> np.ndarray:
    """Return the `products` of the counted seats with something, and of those without it."""
    _, with_, without = question
    total = np.zeros(20)
    for low in range(0, len(s.games), GAMES_AT_ONCE):
        part = slice(low, low + GAMES_AT_ONCE)
        rows = []
        for seats in (with_[part] & s.counted[part], without[part] & s.counted[part]):
            rows += [_by_game(s.games.won[part] * seats) / WHOLE, _by_game(seats.view(np.int8))]
        total += products(np.array(rows, float))
    return total


def _by_game(seats: np.ndarray) -> np.ndarray:
    """Return the sums over the seats of each game: seat by seat, which is quicker than along so short an axis."""
    total = seats[:, 0].copy()  # the shares of a win are WHOLE in all, which a byte holds
    for seat in range(1, seats.shape[1]):
        total += seats[:, seat]
    return total
