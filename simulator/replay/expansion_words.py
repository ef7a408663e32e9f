"""The turn log in words: fights, armies, districts, exploring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import names
from ..engine import choosing, decisions, state
from ..rules import codes
from ..rules.ruleset_contents import name_of
from .space_names import place_name, space_name

# --- Words for Terra Incognita: armies, forts, exploring, districts, governments


def named(titles: Sequence[str], code: int, otherwise: str = "nothing") -> str:
    """Return the name with this code, `otherwise` if there is none."""
    return titles[code] if 0 <= code < len(titles) else otherwise


# What the options of each district do (T4.6 to T4.10), in the order of names.DISTRICTS.
DISTRICT_OPTIONS = (
    ("a control token near itself", "a control token near its own city with a world wonder"),
    ("science tokens for the mountains around",),
    ("a trade token for each mature city", "economy tokens for the deserts around"),
    ("industry tokens for the forests around", "a city for three trade tokens"),
    ("strikes a foe within reach", "reinforces its own control token within reach"),
)
assert len(DISTRICT_OPTIONS) == len(names.DISTRICTS)


def district_option(district: int, option: int) -> str:
    """Return what an option of a district does, in words."""
    return named(DISTRICT_OPTIONS[district], option, f"option {option + 1}")


class ExpansionWords:
    """The sentences of Terra Incognita's rows, for `LogSentences`, which has the fields."""

    r: Any
    g: Any
    who: Any
    short: Any
    leader: Any
    place: Any
    held: Any
    wonder: Any

    def log_army(self, seat, army, start, end, back, *_):
        if end == state.NOT_OWNED:
            origin = "its card" if start < 0 else self.place(start)
            return f"army {army + 1} of {self.leader(seat)} leaves the game from {origin}"
        if end < 0:
            return f"army {army + 1} of {self.leader(seat)} returns from {self.place(start)} to its card"
        if back:
            return f"army {army + 1} of {self.leader(seat)} goes back from {self.place(start)} to {self.place(end)}"
        origin = "the military card" if start < 0 else self.place(start)
        return f"{self.who(seat)}moves army {army + 1} from {origin} to {self.place(end)}"

    def log_fort(self, seat, space, *_):
        if seat < 0:
            return f"the fort at {self.place(space)} is uncontrolled again"
        return f"{self.who(seat)}lays the fort at {self.place(space)}"

    def log_explore(self, seat, space, tile, fits, explorer, *_):
        start = f" from {self.place(space)}" if space >= 0 else ""
        fate = "" if fits else ", which fits nowhere and goes on top of the stack"
        figure = ""
        if explorer >= choosing.EXPLORER_ARMY:
            figure = f"army {explorer - choosing.EXPLORER_ARMY + 1} "
        elif explorer >= choosing.EXPLORER_CARAVAN:
            figure = f"caravan {explorer - choosing.EXPLORER_CARAVAN + 1} "
        return f"{self.who(seat)}{figure}explores{start}: tile {tile}{fate}"

    def log_district(self, seat, space, district, displaced, *_):
        instead = " in place of its own control token" if displaced else ""
        return f"{self.who(seat)}places the {named(names.DISTRICTS, district)} on {self.place(space)}{instead}"

    def log_district_used(self, seat, space, district, option, *_):
        how = "does nothing" if option < 0 else district_option(district, option)
        return f"{self.who(seat)}uses the {named(names.DISTRICTS, district)} on {self.place(space)}: {how}"

    def log_government(self, seat, holder, kind, *_):
        token = named(names.GOVERNMENTS, kind)
        if holder < 0:
            return f"{self.who(seat)}takes back {token}"
        return f"{self.who(seat)}lays {token} on {self.held(seat, holder)}"

    def log_wonder_trade(self, seat, wonder, tokens, *_):
        if tokens > 1:
            return f"{self.wonder(wonder)} gets a second trade token and leaves the game"
        return f"{self.wonder(wonder)} gets a trade token"

    def log_agenda_lost(self, seat, place, *_):
        return f"{self.leader(seat)} takes the token back from victory card {place + 1}: its condition is lost"

    def log_ibrahim(self, seat, holder, *_):
        card = name_of(self.r, "given_card", int(self.g.leader[seat]))
        return f"{self.who(seat)}gives {card} to {self.leader(holder)}"

    def log_city_taken(self, seat, space, old, *_):
        return f"{self.who(seat)}replaces the city of {self.short(old)} on {self.place(space)} with one of its own"


def _free_place(log: Any, seat: int, value: int, space: int) -> str:
    q, r = divmod(value, names.GRID)
    return str(place_name(q - names.GRID_ORIGIN, r - names.GRID_ORIGIN))


def figure_to(log: Any, seat: int, value: int, space: int) -> str:
    """Return the space a figure goes to, or explores from."""
    if value >= decisions.EXPLORE:
        return f"explore from {log.place(value - decisions.EXPLORE)}"
    return str(log.place(value))


def _figure(log: Any, seat: int, value: int, space: int) -> str:
    return f"number {value + 1}"


def _space(log: Any, seat: int, value: int, space: int) -> str:
    return str(log.place(value))


def _district_effect(log: Any, seat: int, value: int, space: int) -> str:
    district = int(log.g.district[space]) - 1
    effect = district_option(district, value) if district >= 0 else f"option {value + 1}"
    return f"{effect}, by the district on {log.place(space)}"


def _district_space(log: Any, seat: int, value: int, space: int) -> str:
    if value >= decisions.ARMY_OPTION:
        rival, where = divmod(value - decisions.ARMY_OPTION, 256)
        return f"army of {log.short(rival)} on {log.place(where)}"
    if value >= decisions.BARBARIAN_OPTION:
        return f"barbarian on {log.place(value - decisions.BARBARIAN_OPTION)}"
    return f"control token on {log.place(value)}"


EXPANSION_CHOICES: dict[int, Callable[[Any, int, int, int], str]] = {
    decisions.PLACE_FORT: _free_place,
    decisions.ARMY: _figure,
    decisions.ARMY_TO: figure_to,
    decisions.ARMY_AGAIN: _figure,
    decisions.ARMY_CITY: _space,
    decisions.ARMY_LOST: _figure,
    decisions.EXPLORED_TILE: lambda log, seat, value, space: f"tile {value}",
    decisions.STACK_ORDER: lambda log, seat, value, space: f"tile {value // 2} {('at the bottom', 'on top')[value % 2]}",
    decisions.WATER_SPACE: _free_place,
    decisions.GROWTH: lambda log, seat, value, space: named(("a district", "reinforce", "a district, and reinforce"), value),
    decisions.PLACE_DISTRICT: lambda log, seat, value, space: f"{named(names.DISTRICTS, value % 8)} on {log.place(value // 8)}",
    decisions.DISPLACED_TOKEN: _space,
    decisions.DISTRICT: _space,
    decisions.DISTRICT_EFFECT: _district_effect,
    decisions.DISTRICT_SPACE: _district_space,
    decisions.NAME_DISTRICT: lambda log, seat, value, space: named(names.DISTRICTS, value),
    decisions.CITY_SPACE: _space,
    decisions.GOVERNMENT: lambda log, seat, value, space: str(log.held(seat, value)),
    decisions.TAKE_CITY: _space,
    decisions.CONQUER_VISITED: lambda log, seat, value, space: ("no", "yes")[value == 1],
    decisions.GIVE_IBRAHIM: lambda log, seat, value, space: f"to {log.short(value)}",
    decisions.ALLY: lambda log, seat, value, space: str(log.short(value)),
    decisions.DIAL_ANYWAY: lambda log, seat, value, space: "the dial advances",
}


# --- Words for combats

TARGET_WORDS = ("barbarian", "city-state", "control token", "city", "capital", "fort", "caravan", "army")
assert len(TARGET_WORDS) == len(names.TARGETS)


class CombatWords:
    """The sentences of combats, for `LogSentences`, which has the fields."""

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
            return f"the city-state {self.ground(space)} at {space_name(self.g, space)}"
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
        attack_sum = self.sum_of(die, total, paid, self.acting_slot, "slot")
        base, reason = self.ground_defence(attack)
        defence_sum = self.sum_of(rival_die, rival_total, rival_paid, base, reason)
        return f"{attack_sum} against {defence_sum}: {'the attacker wins' if won else 'the attack fails'}"

    def ground_defence(self, attack: dict[str, int]) -> tuple[int, str]:
        """Return the defence that the attacked space gives (B9.6), and what to call it."""
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


def _spending(log: Any, seat: int, value: int, space: int) -> str:
    if value >= decisions.SPEND_RESOURCE:
        return named(names.RESOURCES, value - decisions.SPEND_RESOURCE)
    return ("a trade token for +1", "a trade token to roll again")[value == decisions.SPEND_REROLL]


COMBAT_CHOICES: dict[int, Callable[[Any, int, int, int], str]] = {
    decisions.COMBAT_SPEND: _spending,
    # -1: a barbarian is never one of several targets
    decisions.ARMY_TARGET: lambda log, seat, value, space: str(
        log.target(value // 8, space, value % 8, -1, log.g.district[space])
    ),
    decisions.NON_AGGRESSION: lambda log, seat, value, space: f"the military card for the one in slot {log.slot(value)}",
}
