"""The table of a game in plain words and numbers: what lies where, who holds what. Read from a game's record, field by field.

`Table` has no rules in it but those of the pieces (B1.1 to B1.4, B8.7); what abilities mean is in `meanings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from content import EXPANSION, Content, printed

TERRAINS = ("grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder", "fort")
TYPES = ("culture", "science", "economy", "industry", "military", "growth")
RESOURCES = ("marble", "mercury", "oil", "diamond")
PIECES = ("none", "token", "reinforced_token", "city", "capital")
TARGETS = ("barbarian", "city_state", "token", "city", "capital", "fort", "caravan", "army")
ERAS = ("ancient", "medieval", "modern")
BUILT = 3  # where a world wonder is
LAST_OF_THE_ROW = {"base": 5, EXPANSION: 6}
FIRST_FORT = 31  # forts are tiles of their own, numbered after all others


@dataclass(frozen=True)
class Words:
    """The names of what the codes of a record stand for."""

    leader: list[str]
    wonder: list[str]
    city_state: list[str]
    natural_wonder: list[str]
    diplomacy: list[str]
    card: dict[int, str]
    card_type: list[int]
    card_level: list[int]


@dataclass(frozen=True)
class Source:
    """Where an ability is: on a leader, a wonder, a diplomacy card …; `giver`: the seat that gave the card."""

    kind: str
    name: str
    giver: int | None = None


class Table:
    """One game as it lies on the table now. Fields of the record are read when they are asked for."""

    def __init__(self, record: Any, words: Words, content: Content) -> None:
        self.words, self.content = words, content
        alone = record.base.view(np.ndarray)  # of the one game; its fields are faster to read than the record's
        self._fields = {field: alone[field] for field in record.dtype.names}
        self._read: dict[Any, Any] = {}

    def __getitem__(self, field: str) -> Any:
        if field not in self._read:
            self._read[field] = self._fields[field].tolist()[0]
        return self._read[field]

    def array(self, field: str) -> Any:
        return self._fields[field][0]

    def forget(self) -> None:
        """The record has changed: read it anew."""
        self._read.clear()

    # --- the map

    @property
    def seats(self) -> range:
        return range(self["players"])

    @property
    def spaces(self) -> range:
        return range(self["n_spaces"])

    def near(self, s: int) -> list[int]:
        return [x for x in self["neighbour"][s] if x >= 0]

    def terrain(self, s: int) -> str:
        return TERRAINS[self["terrain"][s]]

    def within(self, s: int, steps: int) -> set[int]:
        """Spaces at most so many steps away, through anything, the space itself among them."""
        found, ring = {s}, {s}
        for _ in range(steps):
            ring = {x for y in ring for x in self.near(y)} - found
            found |= ring
        return found

    # --- pieces

    def owner(self, s: int) -> int | None:
        seat: int = self["owner"][s]
        return seat if seat >= 0 else None

    def piece(self, s: int) -> str:
        return PIECES[self["piece"][s]]

    def is_city(self, s: int) -> bool:
        return self.piece(s) in ("city", "capital")

    def is_token(self, s: int) -> bool:
        return self.piece(s) in ("token", "reinforced_token")

    def own(self, p: int) -> list[int]:
        """B1.2: spaces with a city or control token of the seat."""
        return [s for s in self.spaces if self["owner"][s] == p]

    def cities(self, p: int) -> list[int]:
        return [s for s in self.own(p) if self.is_city(s)]

    def lent(self) -> list[int]:
        """City-states that are an own city of who has the turn (Antananarivo): the map says so, too."""
        return [self["city_state_space"][i] for i, lent in enumerate(self["city_state_lent"]) if lent]

    def reinforced(self, p: int) -> int:
        return sum(self.piece(s) == "reinforced_token" for s in self.own(p))

    def mature(self, p: int, s: int) -> bool:
        """B1.4: every space around is water or has an own control token, or one that counts."""
        counting = {p}
        for ability, source in self.held(p):
            if ability["effect"] == "matures_with":
                counting |= set(self.seats) if ability["whose"] == "rivals" else {source.giver}
        shared = {source.giver for ability, source in self.held(p) if ability["effect"] == "shared_land"}
        rulings = self.content.rulings
        beside_city = rulings.get("mature_beside_city") == "city_counts"
        like_tokens = rulings.get("open_borders_cities") == "like_tokens"

        def fills(x: int) -> bool:
            if self.terrain(x) == "water":
                return True
            if self.is_token(x):
                return self["owner"][x] in counting | shared
            theirs = self["owner"][x] in shared
            return self.is_city(x) and ((theirs and (like_tokens or beside_city)) or (beside_city and self["owner"][x] == p))

        return all(fills(x) for x in self.near(s))

    def empty(self, s: int) -> bool:
        """B1.3: no token and no figure of any kind."""
        wonders = self["natural_wonder_space"]
        lies = any(self["natural_wonder_owner"][i] == -1 and x == s for i, x in enumerate(wonders))
        fields = ("barbarians", "caravans", "armies")
        tokens = self["owner"][s] >= 0 or self["resource"][s] >= 0 or self["city_state"][s] >= 0 or self["wonder_token"][s] >= 0
        return not (tokens or lies or any(self[field][s] for field in fields))

    def is_fort(self, s: int) -> bool:
        return bool(self["tile"][s] >= FIRST_FORT)

    def rival_army(self, p: int, s: int) -> bool:
        return any(x == s for q in self.seats if q != p for x in self["army"][q])

    def difficulty(self, p: int, s: int, doing: str) -> int:
        """B1.1, in the player's own turn with what eases it."""
        import meanings

        terrain = self.terrain(s)
        value = int(printed("components")["terrain_difficulty"]["city_state" if self["city_state"][s] >= 0 else terrain])
        if p != self["current"]:
            return value
        return meanings.difficulty(self, p, value, doing, bool(self["coastal"][s]), terrain)

    # --- what a seat holds

    def wonders(self, p: int) -> list[str]:
        """B8.7: the wonders whose token lies under an own city or control token (or a lent city-state)."""
        if BUILT not in self["wonder_place"]:
            return []
        return [self.words.wonder[i] for i, place in enumerate(self["wonder_place"]) if place == BUILT and self._has(p, i)]

    def _has(self, p: int, wonder: int) -> bool:
        s = self["wonder_space"][wonder]
        if s < 0:
            return False
        state = self["city_state"][s]
        if state >= 0 and self["owner"][s] < 0:
            return bool(self["city_state_guest"][state] == p)
        return bool(self["owner"][s] == p)

    def row(self, p: int) -> list[int]:
        """The codes of the focus cards in the row from the left."""
        return [self["card"][p][h] for h in self["row"][p][: LAST_OF_THE_ROW[self.content.box]]]

    def sources(self, p: int) -> list[Source]:
        """Everything that gives the seat abilities."""
        if ("sources", p) not in self._read:
            self._read["sources", p] = self._sources(p)
        return self._read["sources", p]  # type: ignore[no-any-return]

    def _sources(self, p: int) -> list[Source]:
        words = self.words
        found = [Source("everyone", "")]
        found += [Source("leader", words.leader[self["leader"][p]])]
        found += [Source("wonder", name) for name in self.wonders(p)]
        held = self["city_state_cards"]
        found += [Source("city_state", name) for i, name in enumerate(words.city_state) if held[i][p]]
        holder = self["natural_wonder_owner"]
        found += [Source("natural_wonder", name) for i, name in enumerate(words.natural_wonder) if holder[i] == p]
        for giver in self.seats:
            if p in self["diplomacy"][giver]:
                given = self["diplomacy"][giver]
                found += [Source("diplomacy", name, giver) for k, name in enumerate(words.diplomacy) if given[k] == p]
            if giver != p and self["given_card"][giver] == p:
                found.append(Source("given_card", words.leader[self["leader"][giver]], giver))
        found += [Source("card", words.card[code]) for code in self.row(p) if code in words.card]
        return found

    def held(self, p: int) -> list[tuple[dict[str, Any], Source]]:
        """The abilities in force for the seat: those it holds, in the rounds in which they act."""
        if ("held", p) not in self._read:
            self._read["held", p] = self._held(p)
        return self._read["held", p]  # type: ignore[no-any-return]

    def _held(self, p: int) -> list[tuple[dict[str, Any], Source]]:
        now = self["round_number"]
        return [
            (ability, source)
            for source in self.sources(p)
            for _, ability in self.content.of(source.kind, source.name)
            if ability.get("from_round", now) <= now <= ability.get("until_round", now)
        ]

    def held_of(self, p: int, effect: str) -> list[tuple[dict[str, Any], Source]]:
        """The abilities of an effect in force for the seat."""
        if ("effects", p) not in self._read:
            by_effect: dict[str, list[tuple[dict[str, Any], Source]]] = {}
            for ability, source in self.held(p):
                by_effect.setdefault(ability["effect"], []).append((ability, source))
            self._read["effects", p] = by_effect
        return self._read["effects", p].get(effect, [])  # type: ignore[no-any-return]

    def room(self, p: int, kind: str | None) -> int:
        """B13.1: how many trade tokens the seat's cards (of the type) still take."""
        most = printed("components")["limits"]["trade_tokens_per_focus_card"]
        cards = [(h, code) for h, code in enumerate(self["card"][p]) if code >= 0]
        fitting = [h for h, code in cards if kind in (None, TYPES[self.words.card_type[code]])]
        return sum(max(0, most - self["trade"][p][h]) for h in fitting)
