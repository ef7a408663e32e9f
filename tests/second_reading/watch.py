"""One game watched: at every moment, what the abilities in force should do, and what the engine did.

`Watch` is told of each engine function that is called (`hooks`) and keeps what differs. Begin with `on_happen`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import meanings
import places
from content import Ability, Content
from meanings import Deed, Moment
from pieces_out import TARGETS, TYPES, Source, Table, Words

from newdawn.simulator import names
from newdawn.simulator.engine import decisions
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.ruleset_contents import written

MOMENTS = tuple(codes.MOMENT)
EFFECTS = tuple(codes.EFFECT)
CODE = {effect: code for code, effect in enumerate(EFFECTS)}
ROWS = ("leader", "given_card", "wonder", "city_state", "natural_wonder", "diplomacy", "card")
MOST_KEPT = 40
GAINED = ("resource_types", "resources_held", "trade_tokens_on_cards")  # counts that what is gained at once changes
MANY = 99  # of a deed whose amount is not known here
LOSSES = ("city_lost", "token_lost", "caravan_lost", "army_lost")
COMPARED_AT = (
    "card_reset",
    "wonder_built",
    "attack_won",
    "end_of_round",
)  # and at the start of a turn: all numbers of the seats
Gain = tuple[str, int, Any, int]  # effect, who gains, on which card or of what (None: of choice), who chooses


def words_of(r: Any) -> Words:
    """Return the names that a compiled ruleset's codes stand for."""
    cards = {code: bytes(row).rstrip(b"\0").decode() for code, row in enumerate(r.card_name)}
    named = {kind: written(r, kind) for kind in ("leader", "wonder", "city_state", "natural_wonder", "diplomacy")}
    return Words(
        card={code: name for code, name in cards.items() if name},
        card_type=r.card_type.tolist(),
        card_level=r.card_level.tolist(),
        **named,
    )


class Watch:
    """Keeps what was compared (`counts`), what differed (`differences`), how often each effect was there to act (`acted`)."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.differences: list[str] = []
        self.acted: Counter[str] = Counter()
        self.content: Content | None = None
        self.told: set[str] = set()
        self.asked_by = 0

    def begin(self, r: Any, g: Any, content: Content, title: str) -> None:
        """Watch a game from now on."""
        if content is not self.content:
            self.content, self.words = content, words_of(r)
            self.identity = self._identities(r)
            self.numbers: dict[Any, Any] = {}
            self.alike: set[Any] = set()  # numbers of the engine and the reading that were compared before
            self.told.clear()
        self.title = title
        self.table = Table(g, self.words, content)
        self.pending: list[Waiting] = []  # deeds that wait for the end of a card
        self.causes: meanings.Causes = frozenset()  # of the deed that is being done
        self.used: set[Any] = set()
        self.turn = -1
        self.gains: list[Gain] | None = None  # what is gained, while it is noted
        self.doing: places.Doing | None = None
        self.asked_by = 0  # strategies that are being asked: what they call is no deed
        self.following = 0
        self.lost: list[tuple[Moment, meanings.Causes]] = []  # losses that wait for the end of a card
        self.batch = 0  # number of the moment: the order of what different cards do at one is open
        self.played: Played | None = None  # the card that is being played
        self.by_wonder: list[places.Doing] = []
        self.start: StartOfTurn | None = None
        self.flow: Counter[str] = Counter()

    def is_asking(self) -> bool:
        """Say whether a strategy is being asked: what it calls does nothing."""
        return self.asked_by > 0

    def _identities(self, r: Any) -> dict[int, tuple[Ability, Source]]:
        """Return what each row of the compiled abilities is: those of one entry lie one behind the other, in their order."""
        found: dict[int, tuple[Ability, Source]] = {}
        assert self.content is not None
        for kind in ROWS:
            listed = (
                self.words.card
                if kind == "card"
                else dict(enumerate(getattr(self.words, kind.replace("given_card", "leader"))))
            )
            for code, name in listed.items():
                self._identify(found, r, kind, code, name)
        self._identify(found, r, "everyone", 0, "")
        return found

    def _identify(self, found: dict[int, tuple[Ability, Source]], r: Any, kind: str, code: int, name: str) -> None:
        first, n = (int(r[f"{kind}_{part}"][code]) for part in ("first", "n"))
        own = list(self.content.of(kind, name))  # type: ignore[union-attr]
        if n != len(own):
            self.differ(f"{kind} {name}: the engine has {n} abilities, the page says {[key for key, _ in own]}")
        for place, (_, ability) in enumerate(own[:n]):
            found[first + place] = (ability, Source(kind, name))

    def differ(self, what: str) -> None:
        self.counts["differences"] += 1
        if what in self.told or len(self.differences) >= MOST_KEPT:
            return
        self.told.add(what)
        where = (
            f"{self.title}, round {self.table['round_number']}, turn of seat {self.table['current']}: "
            if hasattr(self, "table")
            else ""
        )
        self.differences.append(where + what)

    def same(self, what: str, engine: Any, own: Any, *where: Any) -> None:
        self.counts[what] += 1
        if engine != own:
            self.differ(f"{what} {' '.join(map(str, where))}: the engine {engine}, the reading {own}")

    def fresh(self) -> Table:
        """Return the table as it lies now."""
        self.table.forget()
        if self.table["turn"] != self.turn:  # once a turn: a new one begins
            self.turn = self.table["turn"]
            self.used.clear()
        return self.table

    # --- moments

    def moment_of(self, word: str, p: int, target: int, kind: int, s: int, q: int) -> Moment:
        known = meanings.KNOWN[word]
        target_word = TARGETS[target] if "target" in known else None
        other: Any = q if q >= 0 else None
        if target_word == "city_state" and s >= 0:
            other = self.words.city_state[self.table["city_state_space"].index(s)]
        return Moment(word, p, s if s >= 0 else None, target_word, TYPES[kind] if kind >= 0 else None, other)

    def on_happen(
        self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, moment: int, target: int, kind: int, s: int, q: int
    ) -> None:
        """Something happens: what is gained comes at once, other deeds wait until the card is finished."""
        if self.asked_by:
            call()
            return
        t = self.fresh()
        if self.played is not None:
            self.played.look(t)
        at = self.moment_of(MOMENTS[moment], p, target, kind, s, q)
        self.flow[at.word] += 1
        if at.word in COMPARED_AT:
            self.compare_numbers(g)
        self.batch += 1
        now: list[Gain] = []
        told: list[Ability] = []
        counted = False  # does one count what another of these has just brought?
        causes = self._lost(at) if at.word in LOSSES else self.causes
        for ability, deed in meanings.deeds(t, at, self.used, causes=causes):
            counted = counted or (bool(now) and any(word in json.dumps(ability) for word in GAINED))
            self.acted[f"{ability['effect']} at {at.word}{' of the giver' if ability.get('by') else ''}"] += 1
            told.append(ability)
            if deed.effect in meanings.AT_ONCE:
                now += meanings.gains(t, deed.holder, ability, deed)
            else:
                self.pending.append(Waiting(ability, deed, self.batch, causes, counted))
        before, self.gains = self.gains, []
        outer, self.causes = self.causes, causes
        call()
        self.causes = outer
        done, self.gains = self.gains, before
        if not counted:
            self.same(f"at once: {at.word}", sorted(done, key=str), sorted(now, key=str), at, told)

    # --- losses: they are told at the end of a card

    def _loses(self, word: str, seat: int | None, space: int, by: int) -> None:
        """A piece of the seat goes, by another seat or (-1) a barbarian; told is who waits for it."""
        if self.asked_by or seat is None:
            return
        at = Moment(word, seat, space, other=by if by >= 0 else None)
        if any(True for _ in meanings.waiting(self.fresh(), at)):
            self.lost.append((at, self.causes))

    def _lost(self, at: Moment) -> meanings.Causes:
        """A loss is told: it has to be the first that waits. Return what is behind it."""
        if not self.lost:
            self.differ(f"told, though nothing was lost: {at}")
            return frozenset()
        lost, causes = self.lost.pop(0)
        if at.word in ("caravan_lost", "army_lost"):  # between turns a district may have done it, for a player
            lost = replace(lost, other=at.other)
        self.same("loss that waited", at, lost)
        return causes

    def on_take_token_off(self, call: Any, r: Any, g: Any, w: Any, s: int, by: int) -> None:
        owner = self.fresh().owner(s)
        if owner != by:  # a player may take own ones off to place them elsewhere
            self._loses("token_lost", owner, s, by)
        call()

    def on_swap_token(self, call: Any, g: Any, w: Any, p: int, s: int, piece: int) -> None:
        self._loses("token_lost", self.fresh().owner(s), s, p)
        call()

    def on_take_city_off(self, call: Any, g: Any, w: Any, s: int, by: int) -> None:
        self._loses("city_lost", self.fresh().owner(s), s, by)
        call()

    def on_return_caravan(self, call: Any, g: Any, w: Any, p: int, c: int) -> None:
        self._figure("caravan_lost", "caravan", p, c)
        call()

    def on_return_army(self, call: Any, g: Any, w: Any, p: int, a: int) -> None:
        self._figure("army_lost", "army", p, a)
        call()

    def _figure(self, word: str, figures: str, p: int, number: int) -> None:
        """In the own turn it goes back by own doing; in another's that player does it, between turns a barbarian."""
        t = self.fresh()
        mine = t["in_turn"] and t["current"] == p
        if not mine:
            self._loses(word, p, t[figures][p][number], t["current"] if t["in_turn"] else -1)

    # --- gains

    def on_loot_trade(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, q: int, amount: int, source: int) -> None:
        if self.asked_by:
            call()
            return
        before, outer, self.gains = self._tokens(q), self.gains, None
        call()
        self.gains = outer
        self.note(("stolen", p, q, amount))
        taken = before - self._tokens(q)
        if not 0 <= taken <= min(amount, before):
            self.differ(f"seat {p} took {taken} trade tokens of seat {q}, of {before}, {amount} at most")

    def on_give_up_trade(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, amount: int, source: int) -> None:
        if self.asked_by:
            call()
            return
        before = self._tokens(p)
        call()
        self.note(("paid", p, None, amount))
        self.same("trade tokens given up", before - self._tokens(p), min(amount, before), p)

    def _tokens(self, p: int) -> int:
        return sum(self.fresh()["trade"][p])

    def note(self, *gains: Gain) -> None:
        if self.gains is not None:
            self.gains += gains

    def on_gain_trade(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, kind: int, amount: int, source: int) -> None:
        if self.asked_by:
            call()
            return
        self.note(*[("trade_tokens", p, TYPES[kind] if kind >= 0 else None, p)] * amount)
        t = self.fresh()
        room = sum(
            max(0, int(r.max_trade) - t["trade"][p][h])
            for h, card in enumerate(t["card"][p])
            if card >= 0 and (kind < 0 or self.words.card_type[card] == kind)
        )
        bank = max(0, max((a["amount"] for a, _ in t.held(p) if a["effect"] == "trade_bank"), default=0) - t["wonder_bank"])
        before = sum(t["trade"][p]) + t["wonder_bank"]
        call()
        t.forget()
        self.same(
            "trade tokens gained", sum(t["trade"][p]) + t["wonder_bank"] - before, max(0, min(amount, room + bank)), p, amount
        )

    def on_give_trade(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, q: int, kind: int, source: int) -> None:
        if not self.asked_by:
            self.note(("trade_tokens", q, TYPES[kind] if kind >= 0 else None, p))
        call()

    def on_gain_resource(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, only_new: int, source: int) -> None:
        if not self.asked_by:
            self.note(("resources", p, "new" if only_new else None, p))
        call()

    def on_gain_resource_of(self, call: Any, g: Any, w: Any, p: int, kind: int) -> None:
        if not self.asked_by:
            self.note(("resources", p, names.RESOURCES[kind], p))
        call()

    # --- deeds that wait

    def on_follow_up(self, call: Any, r: Any, g: Any, w: Any, bots: Any) -> None:
        self.following += 1
        call()
        self.following -= 1
        waiting = [one.ability for one in self.pending if one.deed.amount > 0 and not one.counted]
        if not self.following and not self.doing:
            if waiting:
                self.differ(f"not done: {waiting}")
            if self.lost:
                self.differ(f"not told: {self.lost}")
                self.lost.clear()
            self.pending.clear()

    def on_do_deed(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, row: int, s: int, *more: int) -> None:
        if self.asked_by:
            call()
            return
        ability, source = self.identity[row]
        t = self.fresh()
        causes: meanings.Causes = frozenset()
        if self.following:
            amount, s, causes = self._its_turn(p, ability, s)
        else:
            amount = self._chosen(t, p, ability)
            self.acted[f"{ability['effect']} at start_of_turn"] += 1
        outer_causes, self.causes = self.causes, causes
        outer, self.doing = self.doing, places.Doing(t, p, ability, amount, s)
        before, self.gains = self.gains, []
        call()
        done, self.gains = self.gains, before
        doing, self.doing = self.doing, outer
        self.causes = outer_causes
        self.counts[f"deed: {ability['effect']}"] += 1
        deed = Deed(p, ability["effect"], amount, None, id(ability), source)
        own = meanings.gains(t, p, ability, deed) if ability["effect"] in meanings.AT_ONCE else []
        if ability["effect"] in meanings.AT_ONCE:
            self.same("gained by a deed", done, own, ability)
        for wrong in doing.wrong(self.fresh()):
            self.differ(f"{wrong}: {ability} of seat {p}, {amount} at {s}")

    def on_wonder_acts(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, wonder: int, built: int) -> None:
        """A world wonder was built or captured: its own abilities act, those first that need not wait."""
        t = self.fresh()
        s = t["wonder_space"][wonder]
        entry = t.content.entries["wonder"][self.words.wonder[wonder]]
        now: list[Gain] = []
        for word in ("built", "built_or_captured") if built else ("built_or_captured",):
            at = Moment(word, p, s, None, entry["type"])
            self.flow[word] += 1
            for ability, deed in meanings.deeds(t, at, self.used, self.words.wonder[wonder], self.causes):
                self.acted[f"{ability['effect']} at {word}"] += 1
                if deed.effect in meanings.AT_ONCE:
                    now += meanings.gains(t, p, ability, deed)
                elif deed.effect in meanings.BY_A_WONDER:
                    self.by_wonder.append(places.Doing(t, p, ability, deed.amount, s))
                else:
                    self.pending.append(Waiting(ability, deed, self.batch, self.causes, False))
        before, self.gains = self.gains, []
        call()
        done, self.gains = self.gains, before
        self.same("at once: built", done, now, entry["name"])
        for doing in self.by_wonder:
            for wrong in doing.wrong(self.fresh()):
                self.differ(f"{wrong}: {doing.ability} of seat {p}, {doing.amount} at {s}")
        self.by_wonder.clear()

    def _its_turn(self, p: int, ability: Ability, s: int) -> tuple[int, int, meanings.Causes]:
        """A deed that was set off is done: it has to be the first that waits. Return its amount, its space, what is behind it.

        What comes to nothing (amount 0) may be left out.
        """
        while self.pending and self.pending[0].ability is not ability:
            if self.pending[0].deed.amount > 0 and not self.pending[0].counted:
                break
            self.pending.pop(0)
        if not self.pending:
            self.differ(f"done, though nothing waits: {ability} of seat {p}")
            return 0, s, frozenset()
        together = [k for k, one in enumerate(self.pending) if one.batch == self.pending[0].batch]
        this = [k for k in together if self.pending[k].ability is ability and self.pending[k].deed.who == p]
        first = self.pending.pop((this or together)[0])
        space = -1 if first.deed.space is None else first.deed.space
        self.same("deed that waited", (p, ability, s if space >= 0 else space), (first.deed.who, first.ability, space))
        return MANY if first.counted else first.deed.amount, space, first.causes | {(p, id(ability))}

    # --- the start of a turn

    def on_start_of_turn(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int) -> None:
        self.compare_numbers(g)
        outer, self.start = self.start, StartOfTurn(p)
        call()
        self.start = outer

    def _chosen(self, t: Table, p: int, ability: Ability) -> int:
        """The player uses an ability at the start of the turn; return its amount."""
        if ability["effect"] == "trade_bank":
            return 0
        at = Moment("start_of_turn", p)
        fitting = [source for own, source in t.held(p) if own is ability and meanings.acts_at_start(t, p, own, source, at)]
        if not fitting or self.start is None or self.start.used[id(ability)] >= len(fitting):
            self.differ(f"used at the start of the turn, though it may not be: {ability} of seat {p}")
        if self.start is not None:
            self.start.used[id(ability)] += 1
        return meanings.amount(t, p, ability, at)

    def _offered(self, t: Table, p: int, options: list[int]) -> None:
        """Compare what a player is offered at the start of the turn with what may be used."""
        assert self.start is not None
        offered = Counter(decisions.START_EFFECTS[option % 64] for option in options if option != decisions.PASS)
        of_effect = {
            decisions.START_EFFECTS[kind]: EFFECTS[code] for code, kind in enumerate(decisions.START_KIND) if kind >= 0
        }
        engine = Counter({of_effect[name]: n for name, n in offered.items()})
        own = meanings.usable_at_start(t, p, self.start.used)
        for effect in {*engine, *own}:
            least, most = own.get(effect, (0, 0))
            self.counts["offers at the start"] += 1
            if not least <= engine[effect] <= most:
                self.differ(f"offered at the start to seat {p}: {effect} {engine[effect]} times, the reading {least} to {most}")

    # --- questions

    def on_choose(self, call: Any, r: Any, g: Any, w: Any, bots: Any, seat: int, kind: int, n: int) -> int:
        if self.asked_by:
            return int(call())
        doings = [self.doing] if self.doing is not None else self.by_wonder
        wanted = bool(doings) or (self.start is not None and kind == decisions.START_EFFECT)
        options = w.option[:n].tolist() if wanted or kind == decisions.INDUSTRY else []
        self._forbidden(kind, seat, options)
        if kind == decisions.START_EFFECT and self.start is not None and not self.doing:
            self._offered(self.fresh(), seat, options)
        asked = next((one for one in doings if one.is_about(decisions.KINDS[kind], seat)), None)
        if asked is not None:
            asked.ask(self.fresh(), seat, options)
        self.asked_by += 1
        holder = int(w.ask_holder)
        picked = int(call())
        self.asked_by -= 1
        if self.played is not None and seat == self.played.seat:
            self.played.ask(self.fresh(), decisions.KINDS[kind], holder, picked)
        if asked is not None:
            asked.answer(picked)
        return picked

    def _forbidden(self, kind: int, seat: int, options: list[int]) -> None:
        """Is a player asked for what its abilities forbid?"""
        if kind not in (decisions.INDUSTRY, decisions.CARAVAN):
            return
        forbidden = meanings.words(self.fresh(), seat, "forbids")
        cities = [o for o in options if o != decisions.PASS and not decisions.WONDER_OPTION <= o < decisions.CITY_ON_CARAVAN]
        wonders = [o for o in options if decisions.WONDER_OPTION <= o < decisions.CITY_ON_CARAVAN]
        offered = {"cities": cities, "wonders": wonders, "caravans": kind == decisions.CARAVAN}
        self.counts["asked what could be forbidden"] += 1
        if wrong := [what for what in sorted(forbidden) if offered[what]]:
            self.differ(f"offered though forbidden to seat {seat}: {wrong}")

    def on_play_card(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, h: int) -> None:
        """Whether another card, or this one again, is offered (`extra_card`, `repeat_card`)."""
        played = self.played = Played(self.fresh(), p, h)
        call()
        self.played = None
        for question, engine, own, *where in played.compared(self.fresh()):
            self.same(f"asked: {question}", engine, own, p, *where)

    def on_advance_dial(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int, steps: int) -> None:
        if self.doing is not None and not self.asked_by:
            self.doing.steps.append((p, steps))
        if self.asked_by:
            call()
            return
        dial = self.fresh()["dial"][p]
        outer, self.doing = self.doing, None
        call()
        self.doing = outer
        if not outer or not outer.steps[:-1]:  # nothing that is set off meanwhile turns it before it is read again
            self.same("technology dial", self.fresh()["dial"][p], meanings.dial_after(dial, steps), p, dial, steps)

    # --- moments that have to come

    def on_close_turn(self, call: Any, r: Any, g: Any, w: Any, bots: Any, p: int) -> None:
        self._has_to_come(call, [Moment("end_of_turn", p)])

    def on_end_round(self, call: Any, r: Any, g: Any, w: Any, bots: Any) -> None:
        t = self.fresh()
        n = t["players"]
        self._has_to_come(call, [Moment("end_of_round", (t["first"] + k) % n) for k in range(n)])

    def _has_to_come(self, call: Any, moments: list[Moment]) -> None:
        """The engine may leave a moment out at which nothing acts, and no other."""
        t = self.fresh()
        due = [at for at in moments if any(True for _ in meanings.deeds(t, at, set(self.used)))]
        before = self.flow[moments[0].word]
        call()
        came = self.flow[moments[0].word] - before
        if came < len(due) and len(moments) == 1:
            self.differ(f"{moments[0].word} did not come for seat {moments[0].seat}")
        elif due and not came:
            self.differ(f"{moments[0].word} did not come for anybody")

    # --- what holds as long as its card is held

    def on_attack_bonus(self, call: Any, r: Any, g: Any, w: Any, p: int, card: int, s: int, target: int, q: int) -> int:
        answer = int(call())
        if not self.asked_by and not g.stale:
            by_card = int(r.card_combat_barbarian[card] if TARGETS[target] == "barbarian" else r.card_combat[card])
            self._compare_combat(answer - by_card, p, "attack", s, TARGETS[target], q)
        return answer

    def on_defence_bonus(self, call: Any, r: Any, g: Any, w: Any, q: int, s: int, p: int) -> int:
        answer = int(call())
        if not self.asked_by and not g.stale:
            target = self.fresh().piece(s).replace("reinforced_", "")
            self._compare_combat(answer, q, "defend", s, target, p)
        return answer

    def _compare_combat(self, engine: int, p: int, side: str, s: int, target: str, q: int) -> None:
        t = self.fresh()
        other: Any = q if q >= 0 else None
        if target == "city_state":
            other = self.words.city_state[t["city_state_space"].index(s)]
        own = meanings.combat(t, p, side, s, target, other)
        self.counts[f"combat {side}: {own != 0}"] += 1
        self.same("combat", engine, own, p, side, t.terrain(s), target, other)

    def compare_numbers(self, g: Any) -> None:
        """Compare the numbers that the engine keeps of every seat, where none of them waits to be computed anew."""
        if g.stale:
            return
        t = self.fresh()
        for p in t.seats:
            sources = tuple(t.sources(p))
            key = (p, sources, t["round_number"] if self.content.timed else 0)  # type: ignore[union-attr]
            own = self.numbers.get(key)
            if own is None:
                own = self.numbers[key] = places.Numbers(t, p)
                self.acted.update(ability["effect"] for ability, _ in t.held(p) if "moment" not in ability)
            self.counts["numbers of a seat"] += 1
            engine = b"".join(t.array(field)[p].tobytes() for field in places.COMPARED)
            if (key, engine) in self.alike:
                continue
            self.alike.add((key, engine))
            for wrong in own.differences(g, p, CODE):
                with_it = [
                    ability
                    for ability, _ in t.held(p)
                    if ability["effect"] in wrong or ("acting" in wrong and "slot" in ability["effect"])
                ]
                self.differ(f"seat {p}: {wrong} {with_it}")


class StartOfTurn:
    """What a seat has used at the start of its turn."""

    def __init__(self, p: int) -> None:
        self.seat = p
        self.used: Counter[int] = Counter()


@dataclass
class Waiting:
    """A deed that was set off and waits: with the number of its moment, and what is behind it."""

    ability: Ability
    deed: Deed
    batch: int
    causes: meanings.Causes
    counted: bool  # may it count what its moment has just brought? Then its amount is not known here


class Played:
    """A card while it is played, and those that are resolved along with it."""

    def __init__(self, t: Table, p: int, card: int) -> None:
        self.seat, self.card = p, card
        self.extra = meanings.extra_card(t, p, card)
        self.asked_for_extra = False
        self.wavers = False  # may it be other than at the start, for a diplomacy card that comes or goes meanwhile?
        # By the holder of the card for which it was asked: the answer, and whether it should have been as things stood then.
        self.repeats: dict[int, tuple[bool, bool | None]] = {}
        self.slots: dict[int, int | None] = {}  # of the card, and of those that come with it, as they lay
        self.expected: dict[int, bool | None] = {}  # may they be repeated, as things stood then?
        self.place(t, card)

    def place(self, t: Table, card: int) -> None:
        """Note where a card lies before it is resolved; of one that is resolved twice nothing is known."""
        again = card in self.slots
        self.slots[card] = None if again else meanings.slot_for_repeat(t, self.seat, card, t["row"][self.seat].index(card))
        self.expected[card] = meanings.may_be_repeated(t, self.seat, self.slots[card])

    def look(self, t: Table) -> None:
        """Something happens while the card is played."""
        self.wavers = self.wavers or self.extra != meanings.extra_card(t, self.seat, self.card)

    def ask(self, t: Table, question: str, card: int, picked: int) -> None:
        self.look(t)
        if question == "extra_economy":
            self.asked_for_extra = True
            if picked:
                extra = card if picked == 1 else picked - decisions.EXTRA_OTHER
                self.place(t, extra)
        elif question == "repeat_card":
            # A diplomacy card that is taken along with the first time may allow the second, and go before the end.
            self.repeats[card] = picked == 1, meanings.may_be_repeated(t, self.seat, self.slots[card])

    def compared(self, t: Table) -> Iterator[tuple[Any, ...]]:
        """Yield question, whether it was asked, whether it should have been, and where: of what the card itself left alone."""
        self.look(t)
        if self.extra is not None and not self.wavers:
            yield "extra_economy", self.asked_for_extra, self.extra
        once = [card for card, (yes, _) in self.repeats.items() if yes]
        for card, slot in self.slots.items():
            own = self.expected[card]
            if card in self.repeats:
                own = self.repeats[card][1]
            elif own != meanings.may_be_repeated(t, self.seat, slot) or once:
                continue  # not known for when it would have been asked; after another card was repeated this one is not
            if own is not None:
                yield "repeat_card", card in self.repeats, own, slot
        if len(once) > 1:
            yield "repeat_card", len(once), 1
