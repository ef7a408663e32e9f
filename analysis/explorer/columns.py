"""A run in memory, as columns of small integers by game and seat: 1,000,000 four-player games take about 0.4 GB.

Who sat where is dense, an array by (game, seat). What happens now and then - a wonder turned up or built, an agenda
claimed - is a list of events. Names are numbers in lists that all runs of a desk share and that grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ..summaries.counts import CARDS
from ..summaries.expansion import QUESTIONS
from ..tables.grid import card_bits, encode, places, seat_grid
from ..tables.read import Run

WHOLE = 60  # a win in parts: 60 alone, 30, 20, 15, 12 when two, three, four, five share it; twice that is a byte
HOLDINGS = (
    "cities", "mature_cities", "tokens", "wonders", "natural_wonders", "city_states", "diplomacy_cards", "dial", "trade_gained",
    "cities_lost", "capitals_beaten",
)  # fmt: skip
WANTED = {
    "games": ["game_id", "rounds", "ending", *CARDS],
    "seats": ["game_id", "seat", "leader", "strategy", "order", "won", *HOLDINGS],
    "wonders": ["game_id", "wonder", "type", "era", "in_deck", "round_revealed", "round_built", "builder", "captures"],
    "agendas": ["game_id", "seat", "agenda", "round"],
}
CARD_ROUND = "unique_card_round"
DEEDS = (*(column for columns, _ in QUESTIONS.values() for column in columns), CARD_ROUND)  # of seats of Terra Incognita
MOST = 127  # of what is kept in a byte
NEVER = -1
CHUNK = 1 << 17  # events that are worked on at a time
MOST_WORDS = 63  # cards or wonders: one bit each


@dataclass
class Words:
    """The names that numbers stand for, and what is known about wonders."""

    leader: list[str] = field(default_factory=list)
    strategy: list[str] = field(default_factory=list)
    card: list[str] = field(default_factory=list)
    agenda: list[str] = field(default_factory=list)
    wonder: list[str] = field(default_factory=list)
    facts: dict[str, tuple[str, str]] = field(default_factory=dict)  # type and era by wonder


@dataclass
class Events:
    """Things that happened: `at` is the number of the game, or game * players + seat; `what` a name; `when` a round."""

    at: np.ndarray
    what: np.ndarray
    when: np.ndarray

    @classmethod
    def of(cls, at: Any, what: Any, when: Any) -> Events:
        """Return events of whole numbers in as few bytes as they need."""
        return cls(np.asarray(at, np.int32), np.asarray(what, np.int8), np.asarray(when, np.int16))

    @cached_property
    def wide(self) -> int:
        """Return how many values `when` may have."""
        return int(self.when.max(initial=0)) + 1

    @cached_property
    def key(self) -> np.ndarray:
        """Return 1 + what * wide + when: multiplied by 0 where an event does not count, it falls into a place of its own."""
        kind = "i2" if (int(self.what.max(initial=0)) + 1) * self.wide < 2**15 else "i4"
        return np.asarray(1 + self.what.astype(kind) * self.wide + self.when.astype(kind), kind)

    def counts(self, places: np.ndarray, words: int) -> np.ndarray:
        """Return how often (what, when) occurs among the places that are kept, as an array of these two."""
        size = words * self.wide + 1
        total = np.zeros(size, np.int64)
        for part in self.chunks():
            total += np.bincount(self.key[part] * places[self.at[part]], minlength=size)
        return total[1:].reshape(words, self.wide)

    def sums(self, value: np.ndarray, words: int) -> np.ndarray:
        """Return by name the sum of a value of the events' places."""
        total = np.zeros(words)
        for part in self.chunks():
            total += np.bincount(self.what[part], value[self.at[part]], words)
        return total

    def chunks(self) -> Iterator[slice]:
        """Yield parts of the events that are small enough for a processor's cache."""
        yield from (slice(low, low + CHUNK) for low in range(0, len(self.at), CHUNK))


@dataclass
class Games:
    """The finished games of a run. `n` games and `p` seats; arrays are (n,) or (n, p)."""

    game_id: np.ndarray
    rounds: np.ndarray
    decided: np.ndarray  # whether anyone won
    cards: np.ndarray  # victory cards in play, one bit each
    deck: np.ndarray  # world wonders in a deck, one bit each
    present: np.ndarray  # leaders at the table, one bit each
    leader: np.ndarray
    strategy: np.ndarray
    order: np.ndarray
    won: np.ndarray  # share of the win, in sixtieths
    outcome: np.ndarray  # twice that, plus 1 where nobody won
    claim_number: np.ndarray  # of each claim: the seat's first, second, …
    claims: Events  # by seat
    built: Events  # by seat
    revealed: Events  # by game
    captured: Events  # by game; `when` is how often
    holdings: dict[str, np.ndarray]
    deeds: dict[str, np.ndarray]  # what seats did in Terra Incognita, MOST at most; the round of the unique card, or NEVER

    def __len__(self) -> int:
        return len(self.game_id)

    @property
    def players(self) -> int:
        """Seats of a game."""
        return int(self.leader.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(_nbytes(getattr(self, each.name)) for each in fields(self))


def _nbytes(value: Any) -> int:
    if isinstance(value, Events):
        return int(value.at.nbytes + value.what.nbytes + value.when.nbytes)
    return sum(array.nbytes for array in value.values()) if isinstance(value, dict) else int(value.nbytes)


class Loaded:
    """A run and those of its games that have been read; `look` reads what has been finished since."""

    def __init__(self, run: Run, words: Words) -> None:
        self.run, self.words = run, words
        self.shards: list[str] = []
        self.games = joined([], run.players)

    def look(self, stop_after: int | None = None) -> int:
        """Read shards that are there and have not been read; return how many games are new."""
        fresh = Run(self.run.path)  # its list of shards is as new as it
        new = [shard for shard in fresh.shards if shard not in self.shards][:stop_after]
        parts = []
        wanted = dict(WANTED)
        if fresh.box == names.BOXES[names.TI_BOX]:
            wanted["seats"] = [*WANTED["seats"], *DEEDS]
        for shard in new:
            piece = {table: fresh.read_shard(shard, table, columns).to_pandas() for table, columns in wanted.items()}
            parts.append(numbered(piece, fresh.players, self.words))
        before = len(self.games)
        if parts:
            self.games = joined([self.games, *parts], fresh.players)
            self.run, self.shards = fresh, [*self.shards, *new]
        return len(self.games) - before


def numbered(piece: dict[str, pd.DataFrame], players: int, words: Words) -> Games:
    """Return the tables of a shard as columns of numbers; new names are added to `words`."""
    games, seats = piece["games"], piece["seats"]
    ids = games["game_id"].to_numpy(np.int64)

    def grid(values: Any, kind: Any = np.int8) -> np.ndarray:
        return seat_grid(seats, ids, players, np.asarray(values).astype(kind))

    wonders = _wonder_columns(piece["wonders"], ids, players, words)
    claims, number = _claims(piece["agendas"], ids, players, words)
    cards = card_bits(games, CARDS, words.card)
    leader = grid(encode(seats["leader"], words.leader))
    won, decided = grid(np.rint(seats["won"].to_numpy() * WHOLE)), (games["ending"] == "victory").to_numpy(bool)
    for known in (words.card, words.wonder, words.leader):
        if len(known) > MOST_WORDS:
            raise UserError(f"explore: {len(known)} names such as '{known[-1]}'; expected at most {MOST_WORDS} of a kind")
    return Games(
        game_id=ids,
        rounds=games["rounds"].to_numpy(np.int16),
        decided=decided,
        cards=cards,
        present=np.bitwise_or.reduce(np.int64(1) << leader.astype(np.int64), axis=1),
        leader=leader,
        strategy=grid(encode(seats["strategy"], words.strategy)),
        order=grid(seats["order"]),
        won=won,
        outcome=2 * won + ~decided[:, None],
        claims=claims,
        claim_number=number,
        holdings={name: grid(seats[name], np.int16) for name in HOLDINGS},
        deeds={name: grid(np.minimum(seats[name].fillna(NEVER), MOST)) for name in DEEDS if name in seats},
        **wonders,
    )


def _wonder_columns(wonders: pd.DataFrame, ids: np.ndarray, players: int, words: Words) -> dict[str, Any]:
    """Return the columns about world wonders."""
    at, code = places(ids, wonders["game_id"]), encode(wonders["wonder"], words.wonder)
    for row in wonders.drop_duplicates("wonder").itertuples():
        words.facts.setdefault(str(row.wonder), (str(row.type), str(row.era)))
    there = wonders["in_deck"].to_numpy(bool)
    deck = np.zeros(len(ids), np.int64)
    for wonder in range(len(words.wonder)):
        deck[at[there & (code == wonder)]] |= 1 << wonder
    seen, built = wonders["round_revealed"].notna().to_numpy(), wonders["round_built"].notna().to_numpy()
    taken = wonders["captures"].to_numpy() != 0
    builder = at[built] * players + wonders["builder"][built].to_numpy(np.int64)
    return {
        "deck": deck,
        "built": Events.of(builder, code[built], wonders["round_built"][built]),
        "revealed": Events.of(at[seen], code[seen], wonders["round_revealed"][seen]),
        "captured": Events.of(at[taken], code[taken], wonders["captures"][taken]),
    }


def _claims(claims: pd.DataFrame, ids: np.ndarray, players: int, words: Words) -> tuple[Events, np.ndarray]:
    """Return the claims of victory cards in the order of seats and rounds, and which one of its seat each is."""
    seat = places(ids, claims["game_id"]) * players + claims["seat"].to_numpy(np.int64)
    code, when = encode(claims["agenda"], words.agenda), claims["round"].to_numpy()
    order = np.lexsort((when, seat))
    seat = seat[order]
    first = np.r_[True, seat[1:] != seat[:-1]][: len(seat)]
    start = np.maximum.accumulate(np.where(first, np.arange(len(seat)), 0)) if len(seat) else seat
    return Events.of(seat, code[order], when[order]), (np.arange(len(seat)) - start + 1).astype(np.int8)


def joined(parts: Iterable[Games], players: int) -> Games:
    """Return the games of all parts, in their order."""
    parts = [part for part in parts if len(part)] or [_nothing(players)]
    starts = np.cumsum([0, *(len(part) for part in parts)])[:-1]
    whole: dict[str, Any] = {}
    for each in fields(Games):
        values = [getattr(part, each.name) for part in parts]
        if isinstance(values[0], Events):
            stride = 1 if each.name in ("revealed", "captured") else players
            at = [value.at + np.int32(start * stride) for value, start in zip(values, starts, strict=True)]
            ends = ([value.what for value in values], [value.when for value in values])
            whole[each.name] = Events(np.concatenate(at), *(np.concatenate(end) for end in ends))
        elif isinstance(values[0], dict):
            whole[each.name] = {name: np.concatenate([value[name] for value in values]) for name in values[0]}
        else:
            whole[each.name] = np.concatenate(values)
    return Games(**whole)


def _nothing(players: int) -> Games:
    """Return no games."""
    none, seats = np.zeros(0, np.int64), np.zeros((0, players), np.int8)
    events = Events.of(none, none, none)
    return Games(
        none, none.astype(np.int16), none.astype(bool), none, none, none, seats, seats, seats, seats, seats,
        none.astype(np.int8), events, events, events, events, {name: seats.astype(np.int16) for name in HOLDINGS},
        {},
    )  # fmt: skip
