"""Fights of armies on strewn boards: what they come to by the twin (T5.7 to T5.13, T6.3), and by the engine."""

from __future__ import annotations

import copy
from typing import Any

import frontier
import twin_words as words
from compare import Comparison
from frontier import Frontier
from frontier_audit import TARGETS
from twin import spread

from newdawn.simulator.engine import abilities, armies, decisions, pieces, state
from newdawn.simulator.engine.choosing import LOG_ATTACK, LOG_CHOICE, LOG_COMBAT

LOST, WON, BURNT = 0, 1, 2


def poor(g: Any) -> Any:
    """Return a copy of the game in which nobody can spend anything in a combat."""
    after = g.copy()
    after.trade[:] = 0
    after.resources[:] = 0
    after.city_state_used[:] = 1
    after.natural_wonder_used[:] = 1
    return after


def compare_fights(r: Any, g: Any, w: Any, bots: Any, dice: Any, out: Comparison) -> None:
    """Let armies of every seat storm some of the spaces they can enter, each on a copy of the board."""
    for seat in range(g.players):
        g.current, g.in_turn = seat, 1
        pieces.settle_loans(r, g, w)  # T12.3: Antananarivo is a city of its holder's turn
        abilities.refresh(r, g)
        b = Frontier(g)
        h = b.holder(seat, "military")
        if h is None:
            continue
        card, slot = b.card(seat, h), int(dice.integers(1, 6))
        steps = b.n if words.has(b, seat, "attack_anywhere") else card["move"]
        for a in range(2):
            place = int(g.army[seat, a])
            if place == state.NOT_OWNED:
                continue
            reached = frontier.army_distance(b, seat, place, steps, slot, card)
            foes = [s for s, d in reached.items() if d > 0 and frontier.stoppers(b, seat, s) and s not in b.lent]
            for s in dice.permutation(foes)[:4]:
                Fight(b, seat, h, slot, a, int(s), steps).compare(r, g, w, bots, out)


class Fight:
    """One army that enters a space."""

    def __init__(self, b: Frontier, seat: int, h: int, slot: int, a: int, s: int, steps: int) -> None:
        self.b, self.seat, self.h, self.slot, self.a, self.s, self.steps = b, seat, h, slot, a, s, steps
        self.card = b.card(seat, h)

    def compare(self, r: Any, g: Any, w: Any, bots: Any, out: Comparison) -> None:
        """Let the engine fight and compare the sums, the winner and the board."""
        seat, a, s = self.seat, self.a, self.s
        after = poor(g)
        after.army_start[a], after.army_back[a] = after.army[seat, a], -1
        w.log_on, w.log_n = 1, 0
        outcome = int(armies.storm(r, after, w, bots, seat, self.h, self.slot, a, self.steps, s))
        if outcome == WON and after.army[seat, a] >= 0:
            armies.fall_back(r, after, w, seat, a)
        log = w.log[: w.log_n].tolist()
        w.log_on, w.log_n = 0, 0
        attacked = next(row for row in log if row[0] == LOG_ATTACK)
        rolled = next(row for row in log if row[0] == LOG_COMBAT)
        self.target, self.other = TARGETS[attacked[2]], attacked[4] if attacked[4] >= 0 else None
        out.same("target", (self.target, self.other) in frontier.targets(self.b, seat, s), True, seat, s)
        self.compare_sums(rolled, outcome, g, out)
        fates = [row[3] for row in log if row[0] == LOG_CHOICE and row[2] == decisions.CITY_STATE_FATE]
        self.compare_board(Frontier(after), outcome, bool(fates) and fates[0] == 1, out)

    def compare_sums(self, rolled: list[int], outcome: int, g: Any, out: Comparison) -> None:
        """T5.7, T5.9: with nothing to spend; the army is on the space, the diplomacy cards have gone back (T5.13)."""
        entered = poor(g)
        entered.army[self.seat, self.a] = self.s
        if self.other is not None:
            cards = entered.diplomacy[self.other]
            cards[cards == self.seat] = -1
        if self.target == "city_state":
            entered.city_state_cards[int(entered.city_state[self.s]), self.seat] = 0
        b = Frontier(entered)
        own = frontier.attack_value(b, self.seat, self.s, self.target, self.other, self.slot, self.card)
        against = frontier.defence_value(b, self.seat, self.s, self.target, self.other)
        where = (self.seat, self.s, self.target)
        out.same("attack total", rolled[3], rolled[2] + own, *where)
        out.same("defence total", rolled[5], rolled[4] + against, *where)
        out.same("who won", outcome != LOST, rolled[3] > rolled[5], *where)

    # --- what the twin expects of the board

    def sends_home(self, b: Frontier, q: int) -> None:
        """Every figure of the seat on the space goes to its card."""
        b.armies[q] = [state.ON_CARD if x == self.s else x for x in b.armies[q]]
        b.caravans[q] = [state.ON_CARD if x == self.s else x for x in b.caravans[q]]

    def expected(self, outcome: int, freed: bool) -> Frontier:
        """T5.11, T6.3, T6.5, B9.9: the board after the fight, but for the army that fought it."""
        b, s, seat = copy.deepcopy(self.b), self.s, self.seat
        if outcome == LOST:
            return b
        if self.target in ("caravan", "army"):
            figures = b.caravans if self.target == "caravan" else b.armies
            figures[self.other][figures[self.other].index(s)] = state.ON_CARD  # type: ignore[index]
            return b
        if self.target == "barbarian":
            b.barbarian_spaces.discard(s)
            return b
        for q in set(b.seats) - {seat} - b.pacts(seat):
            if self.target in ("token", "city", "capital"):
                self.sends_home(b, q)
        city = b.g["cities_left"][seat] > 0
        if self.target == "token":
            b.owner[s], b.piece[s], b.district[s] = (None, "none", None) if outcome == BURNT else (seat, "token", None)
        elif self.target == "capital":
            pass
        elif s in b.forts:
            b.owner[s], b.piece[s] = (seat, "city") if city else (None, "none")
        elif freed:
            b.owner[s], b.piece[s] = None, "none"
        else:
            b.owner[s], b.piece[s] = seat, "city" if city else "reinforced_token"
        return b

    def compare_board(self, after: Frontier, outcome: int, freed: bool, out: Comparison) -> None:
        own, s, seat, where = self.expected(outcome, freed), self.s, self.seat, (self.seat, self.s, self.target)
        takes = words.has(self.b, seat, "tokens_of_taken_cities") and self.target == "city"
        near = set(self.b.near[s]) if takes else set()  # Statue of Liberty: tests/rules/ti look at those
        for what in ("owner", "piece", "district"):
            engine, twin = getattr(after, what), getattr(own, what)
            changed = [x for x in range(own.n) if engine[x] != twin[x] and x not in near]
            out.same(what, changed, [], outcome, *where, engine[s], twin[s])
        old = {x for x in after.barbarian_spaces if x < own.n}  # a captured wonder may have explored (Apadana)
        out.same("barbarians", old, own.barbarian_spaces, *where)
        out.same("caravans", after.caravans, own.caravans, *where)
        rest = [sorted(after.armies[q]) for q in after.seats if q != seat]
        out.same("armies", rest, [sorted(own.armies[q]) for q in own.seats if q != seat], *where)
        stands = s in self.b.free_city_state and not (outcome == WON and self.target == "city_state")
        out.same("free city-state", s in after.free_city_state, freed or stands, *where)
        if self.other is not None and not freed:
            given = [k for k, holder in enumerate(after.g["diplomacy"][self.other]) if holder == seat]
            out.same("cards returned", given, [], *where)
        self.compare_army(after, outcome, out)

    def compare_army(self, after: Frontier, outcome: int, out: Comparison) -> None:
        """T5.10, T5.12: a beaten army is on its card, another stays, or goes back to the last space where it could."""
        place, where = after.g["army"][self.seat][self.a], (self.seat, self.s, self.target)
        if outcome == LOST:
            out.same("beaten army", place, state.ON_CARD, *where)
        elif outcome == BURNT or not frontier.stoppers(after, self.seat, self.s):
            out.same("army stays", place, self.s, *where)
        else:
            out.same("army goes back", place in self.ways_back(), True, *where, place)

    def ways_back(self) -> set[int]:
        """T5.12: where it could stay, with a way to the fight over spaces where it could not; without any: its card."""
        b, seat = self.b, self.seat
        reached = frontier.army_distance(b, seat, b.g["army"][seat][self.a], self.steps, self.slot, self.card)
        crowded = {x for x in reached if frontier.stoppers(b, seat, x) or x in b.lent}
        passes = {x for x in crowded if frontier.stoppers(b, seat, x) <= frontier.passed_by(b, seat, self.card)}
        out = set()
        for x in reached.keys() - crowded:
            on = spread(b, {x}, self.steps - reached[x], lambda y: y in crowded, lambda y: y in passes)
            if self.s in on:
                out.add(x)
        return out or {state.ON_CARD}
