"""Games as columns of numbers, decoded once, for summaries of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.runs.columns import SLOTS

# --- From the rows of a shard to arrays by game and seat: lookups without joins


def places(ids: Any, wanted_ids: Any) -> np.ndarray:
    """Return the position in `ids` (all different, in any order) of each wanted id; all must be there."""
    ids, wanted_ids = np.asarray(ids), np.asarray(wanted_ids)
    if len(ids) and ids[-1] - ids[0] == len(ids) - 1 and np.all(ids[1:] > ids[:-1]):
        return wanted_ids - ids[0]  # consecutive, as in the shards of a run
    order = np.argsort(ids)
    return np.asarray(order[np.searchsorted(ids[order], wanted_ids)])


def encode(column: pd.Series, names: list[str]) -> np.ndarray:
    """Return the codes of a column's values in `names`, which grows by new values; -1 for null."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        values, local = list(column.cat.categories), column.cat.codes.to_numpy()
    else:
        local, uniques = pd.factorize(column)
        values = list(uniques)
    for i in np.unique(local[local >= 0]):
        if str(values[i]) not in names:
            names.append(str(values[i]))
    lookup = np.array([names.index(str(value)) if str(value) in names else -1 for value in values] + [-1])
    return np.asarray(lookup[local])


def card_bits(games: pd.DataFrame, columns: list[str], names: list[str]) -> np.ndarray:
    """Return the victory cards in play in each game, one bit each, by their codes in `names`."""
    bits = np.zeros(len(games), np.int64)
    for column in columns:
        code = encode(games[column], names)
        bits |= np.where(code >= 0, 1 << np.maximum(code, 0), 0)
    return bits


def bit_names(bits: int, names: list[str], joint: str) -> str:
    """Return the names of the bits in alphabetical order, or 'none'."""
    return joint.join(sorted(name for i, name in enumerate(names) if int(bits) >> i & 1)) or "none"


# --- The games of a run as columns of small integers by game and seat, each made when it is first needed
#
# Who sat where is dense, an array by (game, seat). What happens now and then - a wonder turned up or built, an agenda claimed -
# is a list of events. Names are codes in lists that all games of one question share and that grow.

T = TypeVar("T")
WHOLE = 60  # a win in parts: 60 alone, 30, 20, 15, 12 when two, three, four, five share it; twice that is a byte
CARDS = [f"card_{i + 1}" for i in range(names.MAX_IN_PLAY)]
SEPARATOR = " / "  # between the two agendas in a victory card's name
NEVER = -1  # in place of a number of `seats` that may be null
RESOLVED = [f"slot_{slot}" for slot in SLOTS]
CHUNK = 1 << 17  # events processed at a time
MOST_WORDS = 63  # cards, wonders or leaders: one bit each


@dataclass
class CodeNames:
    """The names that codes stand for, and facts about wonders and focus cards."""

    leader: list[str] = field(default_factory=list)
    strategy: list[str] = field(default_factory=list)
    card: list[str] = field(default_factory=list)
    agenda: list[str] = field(default_factory=list)
    wonder: list[str] = field(default_factory=list)
    place: list[str] = field(default_factory=list)  # natural wonders, city-states, tiles where seats began
    focus: list[str] = field(default_factory=list)
    focus_facts: dict[str, tuple[str, int, str]] = field(default_factory=dict)  # by card: type, level, its only leader
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

    def counts(self, places: np.ndarray, names: int) -> np.ndarray:
        """Return how often (what, when) occurs among the places that `places` marks, as an array of these two."""
        size = names * self.wide + 1
        total = np.zeros(size, np.int64)
        for part in self.chunks():
            total += np.bincount(self.key[part] * places[self.at[part]], minlength=size)
        return total[1:].reshape(names, self.wide)

    def sums(self, value: np.ndarray, names: int) -> np.ndarray:
        """Return, by name, the sum over the events of a value of their places."""
        total = np.zeros(names)
        for part in self.chunks():
            total += np.bincount(self.what[part], value[self.at[part]], names)
        return total

    def chunks(self) -> Iterator[slice]:
        """Yield parts of the events that are small enough for a processor's cache."""
        yield from (slice(low, low + CHUNK) for low in range(0, len(self.at), CHUNK))


# Columns of the tables that each column of Games is made from.
NEEDS: dict[str, Mapping[str, Sequence[str]]] = {}


def made_from(**tables: Sequence[str]) -> Callable[[Callable[[Games], T]], cached_property[T]]:
    """Return a decorator of a column of Games, made on first use, that notes the columns of tables it needs.

    A column or table that is not there is named with what needs it (KeyError).
    """

    def declare(make: Callable[[Games], T]) -> cached_property[T]:
        NEEDS[make.__name__] = tables

        @wraps(make)
        def made(games: Games) -> T:
            try:
                return make(games)
            except KeyError as error:
                if lacking := [
                    f"{table}.{column}" for table, columns in tables.items() for column in columns
                    if column not in games.piece.get(table, ())
                ]:  # fmt: skip
                    raise KeyError(f"Games.{make.__name__} needs {', '.join(lacking)}, which these tables lack") from error
                raise

        return cached_property(made)

    return declare


class Games:
    """Finished games. `n` games and `p` seats; columns are (n,) or (n, p)."""

    def __init__(self, piece: Mapping[str, pd.DataFrame], players: int, words: CodeNames) -> None:
        self.piece, self.players, self.words = piece, players, words
        self.numbers: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.game_id)

    @made_from(games=[])
    def game_id(self) -> np.ndarray:
        """Return the games' numbers within their run."""
        return self.piece["games"]["game_id"].to_numpy(np.int64)

    @made_from(games=["rounds"])
    def rounds(self) -> np.ndarray:
        """Return in which round each game ended."""
        return self.piece["games"]["rounds"].to_numpy(np.int16)

    @made_from(games=["ending"])
    def decided(self) -> np.ndarray:
        """Return whether anyone won each game."""
        return (self.piece["games"]["ending"] == "victory").to_numpy(bool)

    @made_from(games=CARDS)
    def cards(self) -> np.ndarray:
        """Return the victory cards in play, one bit each."""
        return _checked(card_bits(self.piece["games"], CARDS, self.words.card), self.words.card)

    # --- By seat

    @made_from(seats=["seat"])
    def _place(self) -> np.ndarray:
        """Return the place of each row of `seats` among the games' seats, one after the other."""
        seats = self.piece["seats"]
        return places(self.game_id, seats["game_id"]) * self.players + seats["seat"].to_numpy(np.int64)

    @cached_property
    def _in_order(self) -> bool:
        """Return whether the rows of `seats` are those of all seats in their order, as a run has them."""
        return np.array_equal(self._place, np.arange(len(self) * self.players))

    def _grid(self, values: Any, kind: Any = np.int8) -> np.ndarray:
        """Return values of the rows of `seats` by game and seat; 0 for a seat without a row."""
        values = np.asarray(values).astype(kind)
        if not self._in_order:
            grid = np.zeros(len(self) * self.players, kind)
            grid[self._place] = values
            values = grid
        return values.reshape(-1, self.players)

    @made_from(seats=["seat"])
    def occupied(self) -> np.ndarray:
        """Return which seats have a row."""
        return self._grid(np.ones(len(self._place), bool), bool)

    @made_from(seats=["seat", "leader"])
    def leader(self) -> np.ndarray:
        """Return the leaders."""
        return self._grid(encode(self.piece["seats"]["leader"], self.words.leader))

    @made_from(seats=["seat", "leader"])
    def present(self) -> np.ndarray:
        """Return the leaders at the table, one bit each."""
        bits = np.where(self.occupied, np.int64(1) << self.leader.astype(np.int64), 0)
        return _checked(np.bitwise_or.reduce(bits, axis=1), self.words.leader)

    @made_from(seats=["seat", "strategy"])
    def strategy(self) -> np.ndarray:
        """Return the strategies."""
        return self._grid(encode(self.piece["seats"]["strategy"], self.words.strategy))

    @made_from(seats=["seat", "order"])
    def order(self) -> np.ndarray:
        """Return the places in the turn order, from 1."""
        return self._grid(self.piece["seats"]["order"])

    @made_from(seats=["seat", "won"])
    def won(self) -> np.ndarray:
        """Return the shares of the win, in sixtieths."""
        return self._grid(np.rint(self.piece["seats"]["won"].to_numpy() * WHOLE))

    @made_from(seats=["seat", "won"], games=["ending"])
    def outcome(self) -> np.ndarray:
        """Return twice the share of the win, plus 1 where nobody won."""
        return 2 * self.won + ~self.decided[:, None]

    def number(self, name: str) -> np.ndarray:
        """Return a column of `seats` that holds numbers, NEVER where it is null."""
        if name not in self.numbers:
            self.numbers[name] = self._grid(self.piece["seats"][name].fillna(NEVER), np.int16)
        return self.numbers[name]

    # --- World wonders and claims

    @made_from(wonders=["wonder"])
    def _wonder(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the game of each row of `wonders`, and the wonder."""
        wonders = self.piece["wonders"]
        at, code = places(self.game_id, wonders["game_id"]), encode(wonders["wonder"], self.words.wonder)
        return at.astype(np.int32), code.astype(np.int8)  # the longest of the tables

    def _wonder_bits(self, rows: np.ndarray) -> np.ndarray:
        """Return for each game the wonders of the marked rows, one bit each."""
        at, code = self._wonder
        bits = np.zeros(len(self), np.int64)
        for wonder in range(len(self.words.wonder)):
            bits[at[rows & (code == wonder)]] |= 1 << wonder
        return _checked(bits, self.words.wonder)

    @made_from(wonders=["wonder", "in_deck"])
    def deck(self) -> np.ndarray:
        """Return the world wonders in a deck, one bit each."""
        return self._wonder_bits(self.piece["wonders"]["in_deck"].to_numpy(bool))

    @made_from(wonders=["wonder", "round_built"])
    def erected(self) -> np.ndarray:
        """Return the world wonders that were built, one bit each."""
        return self._wonder_bits(self.piece["wonders"]["round_built"].notna().to_numpy())

    @made_from(wonders=["wonder", "type", "era"])
    def facts(self) -> dict[str, tuple[str, str]]:
        """Return type and era of each wonder."""
        for row in self.piece["wonders"].drop_duplicates("wonder").itertuples():
            self.words.facts.setdefault(str(row.wonder), (str(row.type), str(row.era)))
        return self.words.facts

    def _of_wonders(self, rows: np.ndarray, at: np.ndarray, when: str) -> Events:
        return Events.of(at[rows], self._wonder[1][rows], self.piece["wonders"][when].to_numpy()[rows])

    @made_from(wonders=["wonder", "round_revealed"])
    def revealed(self) -> Events:
        """Return the wonders that were turned up, by game."""
        return self._of_wonders(self.piece["wonders"]["round_revealed"].notna().to_numpy(), self._wonder[0], "round_revealed")

    @made_from(wonders=["wonder", "round_built", "builder"])
    def built(self) -> Events:
        """Return the wonders that were built, by seat."""
        wonders = self.piece["wonders"]
        seat = self._wonder[0] * self.players + wonders["builder"].fillna(0).to_numpy(np.int64)
        return self._of_wonders(wonders["round_built"].notna().to_numpy(), seat, "round_built")

    @made_from(wonders=["wonder", "captures"])
    def captured(self) -> Events:
        """Return the wonders that changed hands, by game; `when` is how often."""
        return self._of_wonders(self.piece["wonders"]["captures"].to_numpy() != 0, self._wonder[0], "captures")

    @made_from(agendas=["seat", "agenda", "round"])
    def claims(self) -> Events:
        """Return the claims of victory cards by seat, in the order of seats and rounds."""
        claims = self.piece["agendas"]
        seat = places(self.game_id, claims["game_id"]) * self.players + claims["seat"].to_numpy(np.int64)
        code, when = encode(claims["agenda"], self.words.agenda), claims["round"].to_numpy()
        order = np.lexsort((when, seat))
        return Events.of(seat[order], code[order], when[order])

    @made_from(agendas=["seat", "agenda", "round"])
    def claim_number(self) -> np.ndarray:
        """Return for each claim its number among the claims of its seat, from 1."""
        seat = self.claims.at
        first = np.r_[True, seat[1:] != seat[:-1]][: len(seat)]
        start = np.maximum.accumulate(np.where(first, np.arange(len(seat)), 0)) if len(seat) else seat
        return (np.arange(len(seat)) - start + 1).astype(np.int8)

    # --- Focus cards, in runs with that table; the three columns have the same order

    @made_from(focus_cards=["seat", "card", "taken"])
    def held(self) -> Events:
        """Return the focus cards that seats had in their rows, by seat; `when` is the round each came in, 0 at the start."""
        rows = self.piece["focus_cards"]
        seat = places(self.game_id, rows["game_id"]) * self.players + rows["seat"].to_numpy(np.int64)
        return Events.of(seat, encode(rows["card"], self.words.focus), rows["taken"].fillna(0))

    @made_from(focus_cards=["replaced"])
    def held_replaced(self) -> np.ndarray:
        """Return whether each card held was replaced by another."""
        return self.piece["focus_cards"]["replaced"].notna().to_numpy()

    @made_from(focus_cards=RESOLVED)
    def held_resolved(self) -> np.ndarray:
        """Return how often each card held was resolved, by slot number."""
        return self.piece["focus_cards"][RESOLVED].to_numpy(np.int16)

    # --- Places, in runs with that table

    @made_from(places=["seat", "place"])
    def at_places(self) -> Events:
        """Return the places that seats held at the end or began on, by seat."""
        rows = self.piece["places"]
        seat = places(self.game_id, rows["game_id"]) * self.players + rows["seat"].to_numpy(np.int64)
        return Events.of(seat, encode(rows["place"], self.words.place), np.zeros(len(rows)))


FOCUS_COLUMNS = ("held", "held_replaced", "held_resolved")  # of runs with the table `focus_cards`


def _checked(bits: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Return the bits; raise UserError if there are more names than bits."""
    if len(names) > MOST_WORDS:
        raise UserError(f"{len(names)} names such as '{names[-1]}'; expected at most {MOST_WORDS} of a kind")
    return bits


def wanted(columns: Iterable[str], numbers: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return the columns, by table, that these columns and numbers of Games are made from."""
    tables: dict[str, dict[str, None]] = {"games": {"game_id": None}}
    seats = {"seats": ["seat", *numbers]} if numbers else {}
    for of_column in (*(NEEDS[name] for name in columns), seats):
        for table, table_columns in of_column.items():
            tables.setdefault(table, {"game_id": None}).update(dict.fromkeys(table_columns))
    return {table: list(table_columns) for table, table_columns in tables.items()}


def joined(parts: Sequence[Games], columns: Iterable[str], numbers: Iterable[str]) -> Games:
    """Return the games of all parts, in their order, with only these columns and numbers."""
    whole = Games({}, parts[0].players, parts[0].words)
    starts = np.cumsum([0, *(len(part) for part in parts)])[:-1]
    for name in ("game_id", *columns):
        values = [getattr(part, name) for part in parts]
        if isinstance(values[0], Events):
            vars(whole)[name] = _events(name, values, starts, whole.players)
        else:
            vars(whole)[name] = values[0] if isinstance(values[0], dict) else np.concatenate(values)
    whole.numbers = {name: np.concatenate([part.number(name) for part in parts]) for name in numbers}
    return whole


def _events(name: str, values: Sequence[Events], starts: np.ndarray, players: int) -> Events:
    """Return the events of several parts, whose first games have the numbers `starts`."""
    stride = 1 if name in ("revealed", "captured") else players
    at = [value.at + np.int32(start * stride) for value, start in zip(values, starts, strict=True)]
    ends = ([value.what for value in values], [value.when for value in values])
    return Events(np.concatenate(at), *(np.concatenate(end) for end in ends))
