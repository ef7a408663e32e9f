"""Words for combats: who attacks what, how the totals came about, and what is decided on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import names
from ..engine.core import decisions, state
from ..rules import ability_codes as codes
from .expansion_words import named

TARGET_WORDS = ("barbarian", "city-state", "control token", "city", "capital", "fort", "caravan", "army")
assert len(TARGET_WORDS) == len(names.TARGETS)


class CombatWords:
    """The sentences of combats; `words.Words` gives the rest of what they need."""

    g: Any
    r: Any
    at: Any
    who: Any
    leader: Any
    place: Any
    ground: Any
    acting_slot: int
    token: Any
    attack: dict[str, int]
    spent: list[int]

    def target(self, target: int, space: int, defender: int, barbarian: int, district: int) -> str:
        if target == state.TARGET_BARBARIAN:
            return f"barbarian {named(names.LETTERS, barbarian, '?')} at {self.place(space)}"
        if target == state.TARGET_CITY_STATE:
            return f"the city-state {self.ground(space)} at {self.at.space(self.g, space)}"
        if target == state.TARGET_FORT:
            return f"the uncontrolled fort at {self.place(space)}"
        piece = self.token(district) if target == state.TARGET_TOKEN else named(TARGET_WORDS, target)
        return f"the {piece} of {self.leader(defender)} at {self.place(space)}"

    def log_attack(self, seat, target, space, defender, barbarian, district, *_):
        self.attack = {"attacker": seat, "target": target, "space": space, "defender": defender}
        self.spent = [0] * len(self.spent)
        return f"{self.who(seat)}attacks {self.target(target, space, defender, barbarian, district)}"

    def log_combat(self, seat, die, total, rival_die, rival_total, won):
        attack, self.attack = self.attack, {}
        defender = attack.get("defender", -1)
        paid = self.spent[seat] if seat >= 0 else 0
        rival_paid = self.spent[defender] if defender >= 0 else 0
        left = self.sum_of(die, total, paid, self.acting_slot, "slot")
        base, reason = self.ground_defence(attack)
        right = self.sum_of(rival_die, rival_total, rival_paid, base, reason)
        return f"{left} against {right}: {'the attacker wins' if won else 'the attack fails'}"

    def ground_defence(self, attack: dict[str, int]) -> tuple[int, str]:
        """Return what the attacked space itself gives its defender (B9.6) and its name."""
        space, target = attack.get("space", -1), attack.get("target", -1)
        if not 0 <= space < int(self.g.n_spaces):
            return 0, ""
        if target == state.TARGET_CITY_STATE:
            return int(self.r.city_state_defence), "city-state"
        if target == state.TARGET_FORT:
            return int(self.r.fort_defence), "fort"
        terrain, coastal = self.g.terrain[space], self.g.coastal[space]
        base, ground = int(self.r.terrain_difficulty[terrain]), self.ground(space)
        attacker = attack.get("attacker", -1)
        eased = int(self.g.ground[attacker, codes.FIGHT, coastal, terrain]) if attacker >= 0 else base
        if eased != base:
            base, ground = eased, f"{'coastal ' * bool(coastal)}{ground}"
        if target in (state.TARGET_CITY, state.TARGET_CAPITAL):
            factor, bonus = int(self.r.city_defence_factor), int(self.r.target_bonus[target])
            walls = f" + {named(TARGET_WORDS, target)} {bonus}" if bonus else ""
            return factor * base + bonus, f"{ground} {factor} × {base}{walls},"
        return base, ground

    def sum_of(self, die: int, total: int, paid: int, base: int, reason: str) -> str:
        dice = "die" if self.r.dice == 1 else "dice"
        parts = [f"{dice} {die}", f"{reason} {base}" if not reason.endswith(",") else reason[:-1]]
        bonus = total - die - base - paid
        if bonus:
            parts.append(f"bonuses {bonus}")
        if paid:
            parts.append(f"trade {paid}")
        return " + ".join(parts) + f" = {total}"

    def log_reroll(self, seat, side, before, now, *_):
        self.spent[seat] -= 1  # the token paid for the roll, it adds nothing
        return f"{self.leader(seat)} rolls the {named(('attack', 'defence'), side)} die again: {before}, now {now}"


def _spending(words: Any, seat: int, value: int, space: int) -> str:
    if value >= decisions.SPEND_RESOURCE:
        return named(names.RESOURCES, value - decisions.SPEND_RESOURCE)
    return ("a trade token for +1", "a trade token to roll again")[value == decisions.SPEND_REROLL]


def _army_target(words: Any, seat: int, value: int, space: int) -> str:
    # -1: a barbarian is never one of several targets
    return str(words.target(value // 8, space, value % 8, -1, words.g.district[space]))


COMBAT_CHOICES: dict[int, Callable[[Any, int, int, int], str]] = {
    decisions.COMBAT_SPEND: _spending,
    decisions.ARMY_TARGET: _army_target,
    decisions.NON_AGGRESSION: lambda words, seat, value, space: f"the military card for the one in slot {words.slot(value)}",
}
