"""What a deed of an ability does, step by step, and the numbers of what holds: both held against the engine.

`Doing` is told of every question that is asked during a deed; `Numbers` are those of a seat with the cards that it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import meanings
from content import Ability, printed
from pieces_out import LAST_OF_THE_ROW, TARGETS, TERRAINS, TYPES, Table

from newdawn.simulator.engine.decisions import PASS

# The question whose answers are what a deed does, so many of them at most.
QUESTION = {
    "control_tokens": "place_token", "reinforce": "reinforce", "swap_cards": "swap_cards", "remove_rival_tokens": "rival_token",
    "push_barbarian": "seoul", "swap_diplomacy": "geneva", "upgrade_cards": "upgrade", "raise_cards": "upgrade",
    "take_diplomacy": "potala", "resolve_district": "district", "take_city": "take_city", "give_card": "give_ibrahim",
}  # fmt: skip


class Doing:
    """One deed while it is done."""

    def __init__(self, t: Table, p: int, ability: Ability, amount: int, s: int) -> None:
        self.table, self.seat, self.ability, self.amount = t, p, ability, amount
        self.space = s if s >= 0 else None
        self.effect = ability["effect"]
        self.found: list[str] = []
        self.answers: list[int] = []
        self.passed = False
        self.steps: list[tuple[int, int]] = []  # of the technology dial, with the seat
        self.spread = bool(meanings.words(t, p, "chain_tokens") or meanings.words(t, p, "following_token"))

    def is_about(self, kind: str, seat: int) -> bool:
        """Do the answers to this question do what the deed does?"""
        return kind == QUESTION.get(self.effect) and seat == self.seat

    def ask(self, t: Table, seat: int, options: list[int]) -> None:
        """The question is put during the deed."""
        follow = ("chain_tokens", "following_token")
        self.spread = self.spread or any(meanings.words(t, self.seat, effect) for effect in follow)
        engine = {option for option in options if option != PASS}
        own: Any = None
        if self.effect == "control_tokens" and not (self.spread and self.answers):
            own = meanings.token_spaces(t, self.seat, self.ability, self.space)
        elif self.effect == "reinforce":
            own = meanings.plain_tokens(t, self.seat, self.ability)
        elif self.effect == "remove_rival_tokens":
            own = meanings.border_rivals(t, self.seat)
        elif self.effect == "swap_cards":
            engine = {tuple(sorted((option // 8, option % 8))) for option in engine}  # type: ignore[misc]
            own = meanings.swaps(t, self.seat, self.ability)
        elif self.effect in ("upgrade_cards", "raise_cards"):
            self.found += meanings.wrong_upgrades(t, self.seat, self.ability, sorted(engine))
        if own is not None and engine != own:
            self.found.append(f"offered only by the engine {sorted(engine - own)}, only by the reading {sorted(own - engine)}")

    def answer(self, picked: int) -> None:
        if picked == PASS:
            self.passed = True
        else:
            self.answers.append(picked)

    def wrong(self, after: Table) -> Iterator[str]:
        """Yield what was done otherwise than the ability says."""
        yield from self.found
        if self.effect == "advance_dial" and self.steps != [(self.seat, self.amount)]:
            yield f"the dial was advanced {self.steps}"
        if self.effect not in QUESTION or (self.effect == "control_tokens" and self.spread):
            return
        done = len(self.answers)
        most = 1 if self.effect == "give_card" else self.amount
        if done > most:
            yield f"done {done} times"
        elif done < most and not self.passed and self._left(after):
            yield f"done {done} times only, though nobody declined and {self._left(after)} are left"
        if self.effect == "control_tokens":
            piece = "reinforced_token" if self.ability.get("reinforced") else "token"
            placed = [s for s in self.answers if after.owner(s) == self.seat and after.is_token(s)]
            if any(after.piece(s) != piece for s in placed):
                yield f"placed {[after.piece(s) for s in placed]}"

    def _left(self, after: Table) -> Any:
        """What could still be chosen."""
        if self.effect == "control_tokens":
            return (
                meanings.token_spaces(after, self.seat, self.ability, self.space) if after["tokens_left"][self.seat] > 0 else ()
            )
        if self.effect == "reinforce":
            return meanings.plain_tokens(after, self.seat, self.ability)
        return meanings.border_rivals(after, self.seat) if self.effect == "remove_rival_tokens" else ()


class Numbers:
    """The numbers of a seat that hold as long as its cards do, as far as they do not ask for the situation."""

    def __init__(self, t: Table, p: int) -> None:
        self.added = {effect: meanings.added(t, p, effect) for effect in meanings.ADDED}
        self.there = {effect: meanings.is_there(t, p, effect) for effect in meanings.THERE}
        self.bits = {effect: bits_of(meanings.words(t, p, effect), words) for effect, words in BITS.items()}
        self.ground = self._ground(t, p)
        slots = meanings.SLOTS[t.content.box]
        moved = t.held_of(p, "acts_as_slot") or t.held_of(p, "slot_shift")
        self.acting = [
            [meanings.acting_slot(t, p, kind, place, slots) if moved else place for place in range(len(slots))]
            for kind in TYPES
        ]
        self.slots = LAST_OF_THE_ROW[t.content.box]
        self.best = {
            effect: best for effect in (*meanings.LEAST, *meanings.MOST) if (best := meanings.best(t, p, effect)) is not None
        }

    @staticmethod
    def _ground(t: Table, p: int) -> list[list[list[int]]]:
        """Return difficulties by what is done, whether it is coastal, and terrain."""
        printed_values = printed("components")["terrain_difficulty"]
        if not (t.held_of(p, "difficulty") or t.held_of(p, "difficulty_change")):
            return [[[printed_values[terrain] for terrain in TERRAINS]] * 2] * len(meanings.DOINGS)
        return [
            [
                [meanings.difficulty(t, p, printed_values[terrain], doing, coastal, terrain) for terrain in TERRAINS]
                for coastal in (False, True)
            ]
            for doing in meanings.DOINGS
        ]

    def differences(self, g: Any, p: int, code: dict[str, int]) -> Iterator[str]:
        """Yield what the engine's numbers of the seat say otherwise."""
        power = g.power[p].tolist()
        for effect, own in self.added.items():
            if power[code[effect]] != own:
                yield f"{effect}: the engine {power[code[effect]]}, the reading {own}"
        for effect, there in self.there.items():
            if (power[code[effect]] != 0) != there:
                yield f"{effect}: the engine {power[code[effect]]}, the reading {there}"
        for effect, bits in self.bits.items():
            if power[code[effect]] != bits:
                yield f"{effect}: the engine {power[code[effect]]:b}, the reading {bits:b}"
        for effect, best in self.best.items():
            kept = power[code[effect]] - (effect in ONE_MORE)
            if kept != best:
                yield f"{effect}: the engine {kept}, the reading {best}"
        if g.ground[p].tolist() != self.ground:
            yield f"difficulties: {unlike(g.ground[p].tolist(), self.ground)}"
        acting = [row[: self.slots] for row in g.acting_place[p].tolist()]
        if acting != self.acting:
            yield f"acting places by type: the engine {acting}, the reading {self.acting}"


COMPARED = ("power", "ground", "acting_place")  # fields of a game
ONE_MORE = ("waterside_cities",)  # the engine keeps one more: 0 is none
BITS = {
    "count_through": (
        "attack_water", "attack_rivals", "attack_barbarians", "city_water", "caravan_water", "caravan_barbarians", "army_water",
        "army_tokens",
    ),
    "tokens_without_city": TERRAINS, "chain_tokens": TERRAINS, "following_token": TERRAINS, "spares": TARGETS,
    "forbids": ("cities", "wonders", "caravans"),
    "any_type_upgrade": TYPES,
}  # fmt: skip


def bits_of(words: set[str], listed: tuple[str, ...]) -> int:
    return sum(1 << place for place, word in enumerate(listed) if word in words)


def unlike(engine: Any, own: Any) -> list[str]:
    return [
        f"{doing}, {'coastal' if coast else 'inland'}, {terrain}: engine {engine[d][coast][k]}, reading {own[d][coast][k]}"
        for d, doing in enumerate(meanings.DOINGS)
        for coast in range(2)
        for k, terrain in enumerate(TERRAINS)
        if engine[d][coast][k] != own[d][coast][k]
    ]
