"""Focus cards: how often they are taken and resolved, and how often those who take them win (table `focus_cards`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.rules.ruleset_contents import section, written
from ..stats.inference import against_share
from ..stats.rates import (
    SMALL_SAMPLE,
    as_cases,
    clustered_rate_columns,
    median_of_counts,
    quantile_of_counts,
    rate_columns,
)
from .associations import Holding, associated
from .decoded_games import RESOLVED, CodeNames, Games
from .read import Runs, Sample, Selection, added, as_runs, sample_of
from .win_rates import quantiles

# --- Focus cards: how often they are taken, when, from which slot they are resolved, and win rates of those who have them
#
# Runs have the table `focus_cards` if played with `newdawn run --focus-cards`.

FACTS = ["card", "type", "level", "leader"]
UNUSED = 0.1  # share of the seats that might take a card below which it is hardly ever taken
COUNTED = ("occupied", "leader", "held", "held_replaced", "held_resolved")


def facts_of(rules: Mapping[str, Any]) -> pd.DataFrame:
    """Return the available focus cards of the rules: card, type, level, leader ("" for all)."""
    if not rules:
        return pd.DataFrame(columns=FACTS)
    cards = [(card, "") for card in rules["focus_cards"][section(rules)].values()]
    cards += [(leader["unique_card"], leader["civ"]) for leader in rules["leaders"].values() if "unique_card" in leader]
    return pd.DataFrame(
        [(card["name"], card["type"], int(card["level"]), leader) for card, leader in cards if card.get("available", True)],
        columns=FACTS,
    )


def _card_facts(runs: Runs, rules: Mapping[str, Any] | None) -> pd.DataFrame:
    """Return the focus cards of the rules, of the first run's rules, or of a sample."""
    if rules is None and isinstance(runs, Sample):
        cards = pd.DataFrame([(card, *facts) for card, facts in runs.words.focus_facts.items()], columns=FACTS)
        return cards[cards["card"].isin(runs.words.focus)].reset_index(drop=True)
    return facts_of(as_runs(runs)[0].manifest.get("ruleset", {}).get("data", {}) if rules is None else rules)


def _words(runs: Runs, facts: pd.DataFrame) -> CodeNames:
    """Return names that hold every focus card from the start, so that seats without a later card are counted, too."""
    words = CodeNames(focus=list(facts["card"]))
    for s in sample_of(runs, ("held",), words=words) if not len(facts) else ():
        s.games.held  # noqa: B018
    return words


def focus_cards(runs: Runs, rules: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Return for each focus card how often it was taken and when, and how often it was resolved, from which slot.

    `n` counts the seats that might take it, those that do not begin with it; of a unique card, seats of its leader; of a card
    of level I none. `take_rate` is tested against 10%, below which a card is hardly ever taken. `had` counts the seats that had
    it in their row, `resolved` is how often these resolved it on average; `slot_1_rate` to `slot_5_rate` are the shares by slot
    number. `unused_rate` is the share of them that never resolved it, `replaced_rate` that of those that replaced it by another
    card. `rules` names the cards, and which are unique; by default those of the first run.
    """
    facts = _card_facts(runs, rules)
    sample = sample_of(runs, COUNTED, words=_words(runs, facts))
    owner = dict(zip(facts["card"], facts["leader"], strict=True))
    total = added(_counted(s) for s in sample)
    names = list(sample.words.focus)
    counts = pd.DataFrame({name: total[name] for name in ("taken", "kk", "started", "had", "unused", "replaced")})
    counts["median_round"] = quantiles(total["rounds"], median_of_counts)
    for name, share in (("round_p25", 0.25), ("round_p75", 0.75)):
        counts[name] = quantiles(total["rounds"], partial(quantile_of_counts, share=share))
    times = total["resolved"].sum(axis=1)
    counts["resolved"] = np.divide(times, total["had"], out=np.full(len(names), np.nan), where=total["had"] > 0)
    for slot, name in enumerate(RESOLVED):
        counts[f"{name}_rate"] = np.divide(total["resolved"][:, slot], times, out=np.full(len(names), np.nan), where=times > 0)
    cards = pd.concat([facts, pd.DataFrame({"card": [name for name in names if name not in owner]})], ignore_index=True)
    frame = cards.fillna({"type": "", "level": 0, "leader": ""}).merge(counts.assign(card=names), on="card", how="left")
    whole = ["taken", "kk", "started", "had", "unused", "replaced"]
    frame = frame.fillna(dict.fromkeys(whole, 0)).astype(dict.fromkeys([*whole, "level"], np.int64))
    leaders = dict(zip(sample.words.leader, total["seats"], strict=True))
    seats = np.array([leaders.get(name, 0) if name else int(total["seats"].sum()) for name in frame["leader"]])
    games = np.array([leaders.get(name, 0) if name else int(total["games"][0]) for name in frame["leader"]])
    # Cards of level I, where a leader's unique card replaces one, cannot be taken: the dial pays for higher levels.
    n = np.where(frame["level"] == 1, 0, np.maximum(seats - frame["started"].to_numpy(), 0))
    taken = frame["taken"].to_numpy(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, each = taken / n, n / games
        # As if the seats that may take it were as many in each game.
        squares = frame["kk"] - 2 * rate * each * taken + rate**2 * each * n
    cases = as_cases(taken, n, squares)
    frame = frame.assign(n=n, **clustered_rate_columns(taken, n, squares, "take_rate"))
    frame = frame.assign(**against_share("take_rate", *cases, UNUSED, SMALL_SAMPLE, "focus cards"))
    frame = frame.assign(**rate_columns(frame["unused"], frame["had"], "unused_rate"))
    frame = frame.assign(**rate_columns(frame["replaced"], frame["had"], "replaced_rate"), small_sample=n < SMALL_SAMPLE)
    ordered = ["card", "type", "level", "leader", "n", "taken", "take_rate", "take_rate_low", "take_rate_high"]
    ordered += ["p", "p_adjusted", "take_rate_all_low", "take_rate_all_high", "median_round", "round_p25", "round_p75", "had"]
    ordered += [
        "resolved",
        *(f"{name}_rate" for name in RESOLVED),
        *(f"{name}_rate{end}" for name in ("unused", "replaced") for end in ("", "_low", "_high")),
    ]
    return frame[[*ordered, "small_sample"]].sort_values(["type", "level", "leader", "card"], ignore_index=True)


def _counted(s: Selection) -> dict[str, np.ndarray]:
    """Return the counts by focus card, and by leader (`seats`), of the counted seats."""
    games, held = s.games, s.games.held
    size, counting = len(games.words.focus), s.counting.ravel()
    counted = counting[held.at]
    what, when, at = held.what[counted].astype(np.int64), held.when[counted].astype(np.int64), held.at[counted]
    taken, resolved = when > 0, games.held_resolved[counted].astype(np.int64)
    # The number of seats of a game that took a card: seats of one game are one case.
    key, count = np.unique(at[taken].astype(np.int64) // games.players * size + what[taken], return_counts=True)
    kk = np.bincount(key % size, count.astype(float) ** 2, size) if size else np.zeros(0)
    wide = int(when.max(initial=0)) + 1
    rounds = np.bincount(what[taken] * wide + when[taken], minlength=size * wide).reshape(size, wide)

    def sums(values: np.ndarray) -> np.ndarray:
        return np.bincount(what, values, size)

    return {
        "taken": sums(taken), "kk": kk, "started": sums(~taken), "had": sums(np.ones(len(what))), "rounds": rounds,
        "unused": sums(resolved.sum(axis=1) == 0), "replaced": sums(games.held_replaced[counted]),
        "resolved": np.stack([sums(resolved[:, slot]) for slot in range(len(RESOLVED))], axis=1),
        "seats": np.bincount(s.of_seats(games.leader), minlength=len(games.words.leader)),
        "games": np.array([np.count_nonzero(s.chosen)]),
    }  # fmt: skip


def takers(games: Games, cards: Iterable[tuple[str, str]]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield for each focus card (`takeable`) the numbers of seats of each game that took it, and that might.

    Seats that begin with the card might not; of a unique card only its leader's might.
    """
    held, words, size = games.held, games.words, len(games)
    game = held.at // games.players
    for name, leader in cards:
        of_card = held.what == (words.focus.index(name) if name in words.focus else -1)
        took, began = (np.bincount(game[of_card & when], minlength=size) for when in (held.when > 0, held.when == 0))
        seats = games.occupied
        if leader:
            seats = seats & (games.leader == (words.leader.index(leader) if leader in words.leader else -1))
        yield name, took, seats.sum(axis=1) - began


def takeable(r: np.record) -> list[tuple[str, str]]:
    """Return the focus cards of the compiled rules above level I, each with its only leader, or ""."""
    leaders = written(r, "leader")
    codes = [card for card in range(r.n_cards) if r.card_level[card] > 1 and r.card_unavailable[card] == 0]
    owners = (leaders[owner] if (owner := int(r.card_unique[card])) >= 0 else "" for card in codes)
    return list(zip((bytes(r.card_name[card]).rstrip(b"\0").decode() for card in codes), owners, strict=True))


def focus_card_wins(runs: Runs, rules: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Return for each focus card how often seats won that had it, against comparable seats without it (`associated`).

    `n` counts the seats of decided games with the card in their row at any time, `n_without` the others; of a unique card,
    those of its leader.
    """
    facts = _card_facts(runs, rules)
    owner = dict(zip(facts["card"], facts["leader"], strict=True))
    frame = associated(runs, _words(runs, facts), Holding("held", lambda words: words.focus, owner), "focus cards of winners")
    frame = frame.rename(columns={"name": "card"})
    named = facts if len(facts) else pd.DataFrame({"card": frame["card"], "type": "", "level": 0, "leader": ""})
    return named.merge(frame, on="card").sort_values(["type", "level", "leader", "card"], ignore_index=True)
