"""Decision audit of Terra Incognita: the twin (`frontier.py`) lists what random games should be asked and how fights add up."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import frontier
from audit import AUDITORS, caravans, come_home, play_until_looked_at
from compare import describe
from frontier import Frontier
from frontier_boards import started, strewn

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.choosing import LOG_CARD, LOG_CHOICE, LOG_COMBAT, LOG_EXPLORE, LOG_REROLL, LOG_TURN
from newdawn.simulator.engine.turn import BY_MARACANA, CHOSEN
from newdawn.simulator.rules import load_ruleset

TARGETS = ("barbarian", "city_state", "token", "city", "capital", "fort", "caravan", "army")  # words of T5.6, by their codes
NOBODY = 7


@cache
def expansion() -> Any:
    """Return the printed rules of the expansion, compiled."""
    return load_ruleset(box="terra-incognita").compile()


@cache
def shapes() -> list[list[tuple[int, int]]]:
    """Return the offsets of a tile's spaces by side and rotation, turned by the rule the data files state."""
    out = []
    for side in ("side_a", "side_b"):
        spaces = [tuple(space) for space in frontier.printed("tiles")["geometry"][side]]
        for _ in range(6):
            out.append(spaces)
            spaces = [(-r, q + r) for q, r in spaces]
    return out


def code_of(target: tuple[str, int | None]) -> int:
    """Return a target as the engine codes it."""
    return TARGETS.index(target[0]) * 8 + (NOBODY if target[1] is None else target[1])


class FrontierAuditor:
    """Watches one game: `look` is called by the observer, `after_turn` by the player of the game."""

    def __init__(self, g: Any, w: Any) -> None:
        self.g, self.w = g, w
        self.counts: Counter[str] = Counter()
        self.differences: list[tuple] = []
        self.moves: dict[int, tuple[dict[int, int], int, int]] = {}  # by army: distances offered, steps left, answers so far
        self.fights: list[tuple[int, str, int]] = []

    def same(self, what: str, engine: Any, own: Any) -> None:
        self.counts[what] += 1
        if engine != own:
            self.differences.append((what, int(self.g.turn), int(self.g.current), describe(engine, own)))

    def look(self, seat: int, kind: int, n: int) -> None:
        """Compare one decision, and the slot of a card that has just begun to act, with what the twin expects."""
        self.b = b = Frontier(self.g)
        self.log = self.w.log[: int(self.w.log_n)].tolist()
        if self.log and self.log[-1][0] == LOG_CARD:
            _, who, place, _, _, why, acting = self.log[-1]
            stands = why in (CHOSEN, BY_MARACANA)
            self.same("acting slot", acting, frontier.acting_slot(b, who, b.row(who)[place][0], place if stands else 0))
        expected = getattr(self, "asked_" + decisions.KINDS[kind], None)
        if expected is None:
            return
        options = self.w.option[:n].tolist()
        self.same(decisions.KINDS[kind] + ": listed once", len(set(options)), n)
        own = expected(seat)
        if own is not None:
            self.same(decisions.KINDS[kind], set(options), own)

    def word(self, name: str) -> int:
        return int(self.w[f"ask_{name}"])

    def card(self, seat: int) -> dict[str, Any]:
        return self.b.card(seat, self.word("holder"))

    def resolving(self) -> list[list[int]]:
        """Return the log since the card now resolved began to act."""
        begins = [i for i, row in enumerate(self.log) if row[0] == LOG_CARD]
        return self.log[begins[-1] :] if begins else []

    # --- what each kind of decision should offer

    def asked_army(self, seat: int) -> set[int]:
        """T5.1: the armies that have not moved; those of the card are alike."""
        g, card = self.b.g, self.card(seat)
        if not frontier.words.has(self.b, seat, "attack_anywhere"):
            self.same("army steps", self.word("left"), card["move"])
        moved = {
            row[3] for row in self.resolving() if row[0] == LOG_CHOICE and row[2] in (decisions.ARMY, decisions.ARMY_AGAIN)
        }
        ready = [
            a
            for a in range(names.MAX_ARMIES)
            if g["army"][seat][a] != state.NOT_OWNED and a not in moved and not g["army_lost"][a]
        ]
        alike: dict[Any, int] = {}
        for a in ready:
            home = g["army"][seat][a] == state.ON_CARD
            alike.setdefault(("card", g["army_explored"][a]) if home else a, a)
        return set(alike.values()) | {decisions.PASS}

    def asked_army_again(self, seat: int) -> set[int] | None:
        """T12.9: an army beaten this turn and back on the card, unless one has set out again this turn."""
        if self.word("source") != decisions.SOURCE_MASS_PRODUCTION:
            return None
        before = [
            row
            for row in self.this_turn()
            if row[0] == LOG_CHOICE and row[2] == decisions.ARMY_AGAIN and row[3] != decisions.PASS
        ]
        again = [row for row in before if row[6] == decisions.SOURCE_MASS_PRODUCTION]
        self.same("armies sent again", len(again), 0)
        g = self.b.g
        return {a for a in range(names.MAX_ARMIES) if g["army_lost"][a] and g["army"][seat][a] == state.ON_CARD} | {
            decisions.PASS
        }

    def this_turn(self) -> list[list[int]]:
        begins = [i for i, row in enumerate(self.log) if row[0] == LOG_TURN]
        return self.log[begins[-1] :] if begins else []

    def asked_army_to(self, seat: int) -> set[int]:
        """T5.2-T5.5, T7.1; and the army stands where it last went, with the steps that took away."""
        a, left = self.word("space"), self.word("left")
        self.check_step(seat, a, left)
        go, explore = frontier.army_spaces(self.b, seat, a, left, self.word("slot"), self.card(seat))
        distance = frontier.army_distance(self.b, seat, self.b.g["army"][seat][a], left, self.word("slot"), self.card(seat))
        self.moves[a] = (distance, left, len(self.army_choices()))
        return go | {decisions.EXPLORE + s for s in explore} | {decisions.PASS}

    def army_choices(self) -> list[list[int]]:
        """Return the answers about armies that the log holds."""
        return [
            row
            for row in self.log
            if row[0] == LOG_CHOICE and row[2] in (decisions.ARMY_TO, decisions.ARMY, decisions.ARMY_AGAIN)
        ]

    def check_step(self, seat: int, a: int, left: int) -> None:
        """The army stands where it went last, with the steps left: known if the question before this one was compared, too."""
        last = self.army_choices()
        distance, had, before = self.moves.get(a, ({}, 0, -1))
        if before >= 0 and len(last) == before + 1 and last[-1][2] == decisions.ARMY_TO:
            to, price = last[-1][3] % decisions.EXPLORE, int(last[-1][3] >= decisions.EXPLORE)
            explored_at_home = price and distance[to] == 0
            place = self.b.g["army"][seat][a]
            if not explored_at_home and left != self.card(seat)["move"]:  # not one that has just burnt a token
                self.same("army stands", place, to)
            if left != self.card(seat)["move"]:
                self.same("army steps left", left, had - distance[to] - price)

    def asked_army_target(self, seat: int) -> set[int]:
        return {code_of(x) for x in frontier.targets(self.b, seat, self.word("space"))}

    def asked_combat_spend(self, seat: int) -> set[int]:
        """T5.9: +1 or the die again for a trade token of the military card, Jebel Barkal's resources; and T5.7's sums."""
        attacks = self.word("source") == decisions.SOURCE_ATTACK
        self.check_sums(seat, attacks)
        h = self.word("holder")
        out = {decisions.SPEND_ONE, decisions.SPEND_REROLL} if h >= 0 and self.b.spendable(seat, h) > 0 else set()
        if frontier.words.has(self.b, seat, "combat_per_resource"):
            out |= {decisions.SPEND_RESOURCE + k for k, held in enumerate(self.b.g["resources"][seat]) if held}
        return out | {decisions.PASS}

    def check_sums(self, seat: int, attacks: bool) -> None:
        """First question of a side: its total without the die."""
        if any(row[0] == LOG_CHOICE and row[2] == decisions.COMBAT_SPEND and row[1] == seat for row in self.this_fight()):
            return
        s, target, other = self.word("space"), TARGETS[self.word("target")], self.word("seat")
        attacker = seat if attacks else other
        victim = (other if other >= 0 else None) if attacks else seat
        card = self.resolving()[0]
        holder = self.b.row(attacker)[card[2]][0]
        if attacks:
            value = frontier.attack_value(self.b, seat, s, target, victim, card[6], self.b.card(seat, holder))
            self.same("attack value", self.word("attack") - self.word("die"), value)
            rolled = self.word("defence") - frontier.defence_value(self.b, seat, s, target, victim)
            self.fights.append((len(self.log), "defence die", rolled))
        else:
            value = frontier.defence_value(self.b, attacker, s, target, seat)
            self.same("defence value", self.word("defence") - self.word("die"), value)

    def this_fight(self) -> list[list[int]]:
        ended = [i for i, row in enumerate(self.log) if row[0] == LOG_COMBAT]
        return self.log[ended[-1] + 1 :] if ended else self.log

    def asked_place_district(self, seat: int) -> set[int]:
        """T4.3: every district that is not on the map, on every space that may hold one."""
        spare = [d for d, s in enumerate(self.b.g["district_space"][seat]) if s < 0]
        return {s * 8 + d for s in frontier.district_spaces(self.b, seat, self.word("slot")) for d in spare}

    def asked_district_effect(self, seat: int) -> set[int]:
        s = self.word("space")
        used = set()
        for row in reversed(self.log):  # Encampment: what it has done since its turn came
            if row[0] == LOG_CARD or (row[0] == LOG_CHOICE and row[2] in (decisions.DISTRICT, decisions.NAME_DISTRICT)):
                break
            if row[0] == LOG_CHOICE and row[2] == decisions.DISTRICT_EFFECT and row[4] == s and row[1] == seat:
                used.add(row[3])
        return (frontier.district_options(self.b, seat, s) - used) | {decisions.PASS}

    def asked_district_space(self, seat: int) -> set[int]:
        """T4.8: what the Encampment may strike, or reinforce; the options tell which."""
        s = self.word("space")
        if self.w.option[0] >= decisions.BARBARIAN_OPTION:
            found = frontier.foes(self.b, seat, s)
            return {decisions.BARBARIAN_OPTION + x if q is None else decisions.ARMY_OPTION + q * 256 + x for _, q, x in found}
        return frontier.plain_tokens(self.b, seat, s)

    def asked_city_space(self, seat: int) -> set[int] | None:
        return frontier.zone_cities(self.b, seat) if self.word("source") == decisions.SOURCE_DISTRICT else None

    def asked_place_token(self, seat: int) -> set[int] | None:
        source, slot = self.word("source"), self.word("slot")
        if source == decisions.SOURCE_THEATER:
            s = self.word("space")
            return frontier.theater_spaces(self.b, seat, {s} if s >= 0 else frontier.wonder_homes(self.b, seat)) | {
                decisions.PASS
            }
        if source == decisions.SOURCE_CULTURE:
            return frontier.culture_spaces(self.b, seat, slot) | {decisions.PASS}
        return None

    def asked_reinforce(self, seat: int) -> set[int] | None:
        """T4.1: any own unreinforced control token."""
        card = self.resolving()
        growth = card and self.b.type_and_level(card[0][4])[0] == "growth" and card[0][1] == seat
        return {s for s in self.b.tokens(seat) if self.b.piece[s] == "token"} | {decisions.PASS} if growth else None

    def asked_government(self, seat: int) -> set[int]:
        """T8.1: the two cards in the first slot, but the token that already lies where it belongs."""
        g, row = self.b.g, self.b.row(seat)
        there = (g["government"][seat], g["government_type"][seat])
        return {h for h, kind, _ in row[:2] if there != (h, names.FOCUS_TYPES.index(kind))} | {decisions.PASS}

    def asked_caravan(self, seat: int) -> set[int]:
        """B7.2, B7.4: caravans that have not moved by this card and did not come home this turn."""
        moved = {row[3] for row in self.resolving() if row[0] == LOG_CHOICE and row[2] == decisions.CARAVAN}
        return caravans(self.b.g["caravan"][seat], moved | come_home(self.log, seat)) | {decisions.PASS}

    def asked_spend_trade(self, seat: int) -> set[int]:
        """B7.2: also in the middle of a move, when a tile has been explored."""
        on_the_way = self.word("caravan")
        if on_the_way >= 0:
            chosen = [row[3] for row in self.log if row[0] == LOG_CHOICE and row[2] == decisions.CARAVAN_TO]
            if chosen:  # where it could go to one space only, nobody was asked
                self.same("caravan stands", self.b.g["caravan"][seat][on_the_way], chosen[-1] % decisions.EXPLORE)
        return set(range(self.b.spendable(seat, self.word("holder")) + 1))

    def asked_caravan_to(self, seat: int) -> set[int]:
        c, card = self.word("space"), self.card(seat)
        go, explore = frontier.caravan_spaces(self.b, seat, c, self.word("left"), self.word("slot"), card)
        return go | {decisions.EXPLORE + s for s in explore} | {decisions.PASS}

    def asked_place_tile(self, seat: int) -> set[int] | None:
        """T7.2: where an explored tile may lie; tiles of the set-up and of cards are compared elsewhere."""
        rows = [row for row in self.log if row[0] == LOG_EXPLORE]
        if not rows or rows[-1][2] < 0:
            return None
        places = frontier.tile_places(self.b, {rows[-1][2]}, shapes())
        return {(k * names.GRID + q + names.GRID_ORIGIN) * names.GRID + r + names.GRID_ORIGIN for k, q, r in places}

    # --- at the end of a turn

    def after_turn(self) -> None:
        """Compare the dice that the sums left over with those rolled, and who won with the totals (T5.9: ties defend)."""
        log = self.w.log[: self.w.log_n].tolist()
        for begin, what, die in self.fights:
            end = next(i for i in range(begin, len(log)) if log[i][0] == LOG_COMBAT)
            rolled = [row[3] for row in log[begin:end] if row[0] == LOG_REROLL and row[2] == 1]
            self.same(what, rolled[0] if rolled else log[end][4], die)
        for row in log:
            if row[0] == LOG_COMBAT:
                self.same("who won", bool(row[6]), row[3] > row[5])
        self.fights, self.moves = [], {}


def watch(r: Any, w: Any, bots: Any, game: int, players: int, rounds: int, rate: int = 1) -> FrontierAuditor:
    """Play one random game of the expansion and compare one decision in `rate`."""
    w.script_n, w.log_on, w.log_n = 0, 0, 0
    return watch_from(r, started(r, w, game, players, bots, rounds), w, bots, rate)


def watch_strewn(r: Any, w: Any, bots: Any, game: int, players: int, rounds: int = 2) -> FrontierAuditor:
    """Play some rounds from a board strewn with pieces and compare every decision."""
    w.script_n, w.log_on, w.log_n = 0, 0, 0
    g = strewn(r, w, game, players, bots)
    g.round_cap = g.round_number + rounds
    return watch_from(r, g, w, bots, 1)


def watch_from(r: Any, g: Any, w: Any, bots: Any, rate: int) -> FrontierAuditor:
    """Play the game on to its end under the eyes of an auditor."""
    w.script_n, w.log_on, w.log_n = rate, 1, 0
    auditor = FrontierAuditor(g, w)
    AUDITORS.append(auditor)  # type: ignore[arg-type]
    try:
        while play_until_looked_at(r, g, w, bots) != 0:
            auditor.after_turn()
    finally:
        AUDITORS.pop()
        w.script_n, w.log_on, w.log_n = 0, 0, 0
    return auditor
