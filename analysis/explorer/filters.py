"""Which games are looked at, and which of their seats count: the filter of the page, as it stands in an address.

A filter says two things. Conditions on the game (leaders at the table, victory cards in play, who won …) choose games.
Conditions on the seat (leader, seat, strategy …) choose the seats that are counted in them, all of them holding for one
and the same seat; a game in which no seat counts is left out. Every rate is about the seats that count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...simulator import names
from ...simulator.errors import UserError, unknown
from ...simulator.games.plan import MIN_PLAYERS
from ..tables.cases import Selection
from ..tables.columns import Games, Words

NOBODY = "nobody"  # won: the game was stopped unfinished
YES = "yes"
SEATS, PLAYERS = range(max(names.MOST_PLAYERS.values())), range(MIN_PLAYERS, max(names.MOST_PLAYERS.values()) + 1)
MOST_VALUES = 20  # of one condition
ROUNDS = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
# Conditions on what happened: rates among the games they choose are associations.
OUTCOMES = ("winner", "rounds", "won", "built", "claimed")


@dataclass(frozen=True)
class Filter:
    """Conditions by their names in an address; () where there is none."""

    table: tuple[str, ...] = ()  # leaders who sit at the table, all of them
    card: tuple[str, ...] = ()  # victory cards in play, all of them
    deck: tuple[str, ...] = ()  # world wonders in a deck, all of them
    players: tuple[str, ...] = ()  # numbers of players, any of them
    winner: tuple[str, ...] = ()  # leaders who won, any of them, or `nobody`
    rounds: tuple[str, ...] = ()  # in which the game ended: "17", or "13-23"
    leader: tuple[str, ...] = ()  # the seat's, any of them
    seat: tuple[str, ...] = ()  # its number, any of them
    order: tuple[str, ...] = ()  # its place in the turn order, any of them
    strategy: tuple[str, ...] = ()  # that played it, any of them
    won: tuple[str, ...] = ()  # "yes": the seat won, alone or with others
    built: tuple[str, ...] = ()  # world wonders that the seat built, all of them
    claimed: tuple[str, ...] = ()  # agendas that the seat claimed a card by, all of them

    def narrowed(self, **more: str) -> Filter:
        """Return the filter with these conditions, too. One of several values, of which any would do, takes their place."""
        both = {name: (value,) if name in ANY else (*getattr(self, name), value) for name, value in more.items()}
        return replace(self, **{name: tuple(dict.fromkeys(values)) for name, values in both.items()})

    def query(self) -> list[tuple[str, str]]:
        """Return the conditions as pairs for an address."""
        return [(name, value) for name in NAMES for value in getattr(self, name)]

    @property
    def outcomes(self) -> list[str]:
        """Return the conditions on what happened that are set."""
        return [name for name in OUTCOMES if getattr(self, name)]


NAMES = tuple(each.name for each in fields(Filter))
ANY = ("players", "winner", "rounds", "leader", "seat", "order", "strategy", "won")  # any of the values; of others all


def read_filter(query: Mapping[str, Sequence[str]], words: Words) -> Filter:
    """Return the filter of an address; raise UserError naming a condition or a value that is not known."""
    known: dict[str, Sequence[Any]] = {
        "table": words.leader, "leader": words.leader, "card": words.card, "deck": words.wonder, "built": words.wonder,
        "claimed": words.agenda, "strategy": words.strategy, "winner": [*words.leader, NOBODY], "won": [YES],
        "seat": SEATS, "order": [seat + 1 for seat in SEATS], "players": PLAYERS,
    }  # fmt: skip
    for name, values in query.items():
        if name not in NAMES:
            raise unknown("condition", name[:40], NAMES)
        if len(values) > MOST_VALUES:
            raise UserError(f"{name}: {len(values)} values; expected at most {MOST_VALUES}")
        for value in values:
            if name == "rounds":
                span(value)
            elif value not in [str(word) for word in known[name]]:
                raise unknown(name, value[:40], known[name])
    if len(query.get("rounds", ())) > 1:
        raise UserError("rounds: appears twice; expected one round, or a range such as 13-23")
    return Filter(**{name: tuple(dict.fromkeys(values)) for name, values in query.items()})


def span(text: str) -> tuple[int, int]:
    """Return the first and the last round of "17" or "13-23"."""
    found = ROUNDS.fullmatch(text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if first > last:
        raise UserError(f"rounds: '{text[:40]}': expected a round, or a range such as 13-23")
    return first, last


def select(games: Games, wanted: Filter, words: Words) -> Selection:
    """Return the games and seats that the filter chooses."""
    chosen = np.ones(len(games), bool)
    keeps = np.ones(games.leader.shape, bool)
    for keep in _of_games(games, wanted, words):
        chosen &= keep
    for keep in _of_seats(games, wanted, words):
        keeps &= keep
    keeps &= chosen[:, None]
    return Selection(games, np.asarray(keeps.any(axis=1)), keeps)


def _of_games(games: Games, wanted: Filter, words: Words) -> list[np.ndarray]:
    """Return for each condition on the game where it holds."""
    found = [games.present >> words.leader.index(name) & 1 == 1 for name in wanted.table]
    found += [games.cards >> words.card.index(name) & 1 == 1 for name in wanted.card]
    found += [games.deck >> words.wonder.index(name) & 1 == 1 for name in wanted.deck]
    if wanted.players:
        found.append(np.full(len(games), str(games.players) in wanted.players))
    if wanted.winner:
        leaders = [words.leader.index(name) for name in wanted.winner if name != NOBODY]
        won = (_among(games.leader, leaders) & (games.won > 0)).any(axis=1)
        found.append(won | ~games.decided if NOBODY in wanted.winner else won)
    for text in wanted.rounds:
        first, last = span(text)
        found.append((games.rounds >= first) & (games.rounds <= last))
    return found


def _of_seats(games: Games, wanted: Filter, words: Words) -> list[np.ndarray]:
    """Return for each condition on the seat where it holds."""
    found = []
    if wanted.leader:
        found.append(_among(games.leader, [words.leader.index(name) for name in wanted.leader]))
    if wanted.seat:
        found.append(np.isin(np.arange(games.players), [int(seat) for seat in wanted.seat])[None, :])
    if wanted.order:
        found.append(_among(games.order, [int(order) for order in wanted.order]))
    if wanted.strategy:
        found.append(_among(games.strategy, [words.strategy.index(name) for name in wanted.strategy]))
    if wanted.won:
        found.append(games.won > 0)
    for chosen, known, events in ((wanted.built, words.wonder, games.built), (wanted.claimed, words.agenda, games.claims)):
        for name in chosen:
            did = np.zeros(games.leader.size, bool)
            did[events.at[events.what == known.index(name)]] = True
            found.append(did.reshape(games.leader.shape))
    return found


def _among(codes: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """Return where a code is one of a few: by comparisons, which are many times faster than a search here."""
    found = np.zeros(codes.shape, bool)
    for code in wanted:
        found |= codes == code
    return found
