"""The twin's part T: armies, forts, districts, exploring, caravans and shifted slots of Terra Incognita.

Written from the numbered rules and the printed data, like `twin.py`: it reads a game record and says what the rules allow.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import twin
import twin_words as words
from twin import Board, Fields, printed, spread

from newdawn.simulator import names
from newdawn.simulator.engine import state

LEADERS = names.LEADERS + names.TI_LEADERS
WONDERS = names.WONDERS + names.TI_WONDERS
CITY_STATES = names.CITY_STATES + names.TI_CITY_STATES
DIPLOMACY = names.DIPLOMACY_CARDS + names.TI_DIPLOMACY_CARDS
NATURAL_WONDERS = names.NATURAL_WONDERS + names.TI_NATURAL_WONDERS
FIRST_FORT_TILE = 22  # the box has 21 tiles; a fort is a tile of its own (T3.4)
ANY = 99  # no slot is named, so any land will do (T4.10)
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


@cache
def box() -> dict[str, Any]:
    """Return the printed game with the expansion, by name."""
    wonders = {w["name"]: w for w in printed("wonders")["wonders"] if not w.get("replaced_in_ti")}
    cards: dict[Any, Any] = {(c["type"], c["level"]): c for c in printed("focus_cards")["ti"]}
    leaders = {x["civ"]: x for x in printed("leaders")["leaders"]}
    return {
        "wonder": wonders,
        "leader": leaders,
        "city_state": {c["name"]: c for c in printed("city_states")["city_states"]},
        "diplomacy": {d["name"]: d for d in printed("diplomacy")["ti"]},
        "natural_wonder": {n["name"]: n["resource"] for n in printed("natural_wonders")["natural_wonders"]},
        "card": cards,
        "unique": {civ: x["unique_card"] for civ, x in leaders.items()},
        "shift": {x["focus_type"]: x["shift"] for x in printed("governments")["governments"]},
        "slots": twin.base_game()["parts"]["per_player"]["ti"]["focus_bar_slots"],
    }


class Frontier(Board):
    """A game of Terra Incognita as it lies on the table."""

    def __init__(self, record: Any) -> None:
        self.g = g = Fields(record)
        self.content = box()
        self.rulings = twin.default_rulings()
        self.n = g["n_spaces"]
        self.seats = range(g["players"])
        self.turn_of = g["current"]
        self.way, self.near, self.terrain = twin.read_map(self.n, record["neighbour"].tobytes(), record["terrain"].tobytes())
        self.tile = g["tile"][: self.n]
        self.forts = {s for s in range(self.n) if self.tile[s] >= FIRST_FORT_TILE}
        self.owner = [x if x >= 0 else None for x in g["owner"][: self.n]]
        self.piece = [names.PIECES[x] for x in g["piece"][: self.n]]
        self.district = [names.DISTRICTS[x - 1] if x else None for x in g["district"][: self.n]]
        self.barbarian = {b: s for b, s in enumerate(g["barbarian_space"]) if s >= 0}
        self.barbarian_spaces = set(self.barbarian.values())
        self.resource_on = {s: names.RESOURCES[x] for s, x in enumerate(g["resource"][: self.n]) if x >= 0}
        self.leader = [LEADERS[x] for x in g["leader"][: len(self.seats)]]
        self.caravans = [[x for x in row if x != state.NOT_OWNED] for row in g["caravan"][: len(self.seats)]]
        self.caravan_spaces = {s for row in self.caravans for s in row if s != state.ON_CARD}
        self.armies = [[x for x in row if x != state.NOT_OWNED] for row in g["army"][: len(self.seats)]]
        self.city_state_owner = dict(zip(CITY_STATES, g["city_state_owner"], strict=False))
        self.city_state_space = dict(zip(CITY_STATES, g["city_state_space"], strict=False))
        lent = dict(zip(CITY_STATES, g["city_state_lent"], strict=False))
        self.lent = {self.city_state_space[c] for c, own in lent.items() if own}
        free = [c for c, owner in self.city_state_owner.items() if owner == -1 and not lent[c]]
        self.free_city_state = {self.city_state_space[c]: c for c in free}
        built = [i for i in range(len(WONDERS)) if g["wonder_place"][i] == state.WONDER_BUILT]
        self.wonder_space = {WONDERS[i]: g["wonder_space"][i] for i in built}
        self.wonder_at = {s: w for w, s in self.wonder_space.items()}
        self.natural_wonder_owner = dict(zip(NATURAL_WONDERS, g["natural_wonder_owner"], strict=False))
        self.natural_wonder_space = dict(zip(NATURAL_WONDERS, g["natural_wonder_space"], strict=False))

    # --- pieces

    def armies_on(self, seat: int, s: int) -> int:
        return self.armies[seat].count(s)

    def rival_army(self, seat: int, s: int) -> bool:
        return any(self.armies_on(q, s) for q in self.seats if q != seat)

    def empty(self, s: int) -> bool:
        return super().empty(s) and not any(self.armies_on(q, s) for q in self.seats)

    def free_fort(self, s: int) -> bool:
        """T6.4: a fort without a city."""
        return s in self.forts and not self.is_city(s)

    # --- what a seat has

    def holds(self, seat: int, city_state: str) -> bool:
        return bool(self.g["city_state_cards"][CITY_STATES.index(city_state)][seat])

    def givers(self, seat: int, card: str) -> list[int]:
        k = DIPLOMACY.index(card)
        return [p for p in self.seats if p != seat and self.g["diplomacy"][p][k] == seat]

    def abilities(self, seat: int) -> list[tuple[dict[str, Any], Any]]:
        found: list[tuple[dict[str, Any], Any]] = [(x, None) for x in self.content["leader"][self.leader[seat]]["abilities"]]
        found += [(x, None) for w in self.wonders(seat) for x in self.content["wonder"][w]["abilities"]]
        found += [(x, c) for c in CITY_STATES if self.holds(seat, c) for x in self.content["city_state"][c]["abilities"]]
        for name in DIPLOMACY:
            found += [(x, p) for p in self.givers(seat, name) for x in self.content["diplomacy"][name]["abilities"]]
        return found

    def wonders(self, seat: int) -> set[str]:
        """B8.7, T12.3: between turns a wonder on Antananarivo stays with the player who had the turn."""
        guest = dict(zip(CITY_STATES, self.g["city_state_guest"], strict=False))
        kept = {self.city_state_space[c]: guest[c] for c in self.free_city_state.values()}
        return {w for w, s in self.wonder_space.items() if self.owner[s] == seat or kept.get(s) == seat}

    def has(self, seat: int, wonder: str) -> bool:
        return wonder in self.wonders(seat)

    def mature(self, seat: int) -> list[int]:
        return [s for s in self.cities(seat) if is_mature(self, seat, s)]

    def land(self, seat: int) -> set[int]:
        """Open Borders: what counts as own land for districts and maturity."""
        lands = {seat} | {giver for _, giver in words.having(self, seat, "shared_land")}
        return {s for s in range(self.n) if self.owner[s] in lands}

    def pacts(self, seat: int) -> set[int]:
        """T12.4: whose Non-Aggression Pact the seat holds."""
        return {giver for _, giver in words.having(self, seat, "non_aggression")}

    # --- the row

    def row(self, seat: int) -> list[tuple[int, str, int]]:
        return [(h, *self.type_and_level(self.g["card"][seat][h])) for h in self.g["row"][seat][: len(box()["slots"])]]

    def type_and_level(self, code: int) -> tuple[str, int]:
        if code >= names.N_CARDS:
            unique = box()["unique"][LEADERS[code - names.N_CARDS]]
            return unique["type"], unique["level"]
        return names.FOCUS_TYPES[code // names.N_LEVELS], code % names.N_LEVELS + 1

    def card(self, seat: int, holder: int) -> dict[str, Any]:
        code = self.g["card"][seat][holder]
        if code >= names.N_CARDS:
            return box()["unique"][LEADERS[code - names.N_CARDS]]
        return box()["card"][self.type_and_level(code)]

    def spendable(self, seat: int, holder: int) -> int:
        """B13, B10.2, America, Palenque: how many trade tokens the seat can spend from the card."""
        g = self.g
        count = g["trade"][seat][holder]
        for i in range(len(CITY_STATES)):
            own = g["city_state_owner"][i] == seat and g["city_state_holder"][i] == holder
            count += own and not g["city_state_used"][i]
        if words.has(self, seat, "roosevelt_corollary"):
            for i in range(len(NATURAL_WONDERS)):
                own = g["natural_wonder_owner"][i] == seat and g["natural_wonder_holder"][i] == holder
                count += own and not g["natural_wonder_used"][i]
        if words.has(self, seat, "resources_as_trade") and seat == self.turn_of:
            count += sum(g["resources"][seat])
        return int(count)


def is_mature(b: Frontier, seat: int, s: int) -> bool:
    """B1.4, Sydney Opera House, Open Borders."""
    counts = {seat} | {giver for _, giver in words.having(b, seat, "shared_land")}
    if words.has(b, seat, "matures_with"):
        counts |= set(b.seats)
    return all(b.terrain[x] == "water" or (b.is_token(x) and b.owner[x] in counts) for x in b.near[s])


# --- T2 the row


def acting_slot(b: Frontier, seat: int, holder: int, place: int) -> int:
    """T2.2, T8.2: the slot number of a card resolved from the place of the row (0 = far left)."""
    numbers = box()["slots"]
    kind = next(t for h, t, _ in b.row(seat) if h == holder)
    shift = 0
    for ability, _ in words.having(b, seat, "slot_shift"):
        if words.allows(ability, "slots", numbers[place]) and words.allows(ability, "type", kind):
            befriended = {b.content["city_state"][c]["type"] for c in CITY_STATES if b.holds(seat, c)}
            if "if" not in ability or kind in befriended:
                shift += ability["amount"] * words.times(b, seat, ability.get("per"), kind=kind)
    if b.g["government"][seat] == holder:
        shift += box()["shift"][names.FOCUS_TYPES[b.g["government_type"][seat]]]
    return int(numbers[min(len(numbers) - 1, place + shift)])


# --- T5 armies


def stoppers(b: Frontier, seat: int, s: int) -> set[str]:
    """T5.4: what on the space makes entering it an attack."""
    found = set()
    if s in b.barbarian_spaces:
        found.add("barbarian")
    if s in b.free_city_state:
        found.add("city_state")
    if b.free_fort(s):
        found.add("free_fort")
    if b.rival(seat, s):
        kinds = {"token": "unreinforced_control_token", "reinforced_token": "reinforced_control_token"}
        found.add(kinds.get(b.piece[s], "rival_city"))
    if any(s in b.caravans[q] for q in b.seats if q != seat):
        found.add("caravan")
    if b.rival_army(seat, s):
        found.add("rival_army")
    return found


def targets(b: Frontier, seat: int, s: int) -> set[tuple[str, int | None]]:
    """T5.6, T12.4: what an army may attack on the space: the kind of target and whose it is."""
    if s in b.barbarian_spaces:
        return {("barbarian", None)}
    found: set[tuple[str, int | None]] = set()
    if s in b.free_city_state:
        found.add(("city_state", None))
    if b.free_fort(s) and not b.rival(seat, s):
        found.add(("fort", None))
    for q in set(b.seats) - {seat} - b.pacts(seat):
        if b.owner[s] == q:
            found.add((twin.what_stands(b, s), q))
        if s in b.caravans[q]:
            found.add(("caravan", q))
        if b.armies_on(q, s):
            found.add(("army", q))
    return found


def passed_by(b: Frontier, seat: int, card: dict[str, Any]) -> set[str]:
    """T12.2: what does not stop an army (Flight, Akkad)."""
    through = set(card.get("pass_through", ()))
    for ability, _ in words.having(b, seat, "count_through"):
        if "army_tokens" in ability["through"]:
            through |= {"unreinforced_control_token", "reinforced_control_token"}
    return through


def sails(b: Frontier, seat: int, figure: str) -> bool:
    """Indonesia: do the seat's caravans or armies go over water?"""
    return any(f"{figure}_water" in ability["through"] for ability, _ in words.having(b, seat, "count_through"))


def enterable(b: Frontier, seat: int, s: int, slot: int, water: bool, doing: str) -> bool:
    """T5.2, B7.3, T6.2: does the terrain let a figure in?"""
    if b.terrain[s] == "water" and not water:
        return False
    return twin.difficulty(b, seat, s, doing) <= slot and (s not in b.forts or slot >= 3)


def starts(b: Frontier, seat: int, place: int) -> set[int]:
    """T5.2: the spaces an army sets out from."""
    if place != state.ON_CARD:
        return {place}
    return set(b.mature(seat)) | {s for s in b.cities(seat) if b.piece[s] == "capital"}


def army_distance(b: Frontier, seat: int, place: int, steps: int, slot: int, card: dict[str, Any]) -> dict[int, int]:
    """T5.2-T5.4, T12.2: {space: steps} of every space the army can enter."""
    water = card["water"] or sails(b, seat, "army")
    through = passed_by(b, seat, card)

    def may_enter(s: int) -> bool:
        open_to_attack = not stoppers(b, seat, s) or targets(b, seat, s)
        return bool(enterable(b, seat, s, slot, water, "move_army") and open_to_attack)

    return spread(b, starts(b, seat, place), steps, may_enter, lambda s: stoppers(b, seat, s) <= through)


def on_capital_tile(b: Frontier, s: int) -> bool:
    """T7.1: an edge space of a tile that holds any player's capital."""
    capitals = {b.tile[x] for x in range(b.n) if b.piece[x] == "capital"}
    return b.at_edge(s) and b.tile[s] in capitals


def army_spaces(b: Frontier, seat: int, a: int, steps: int, slot: int, card: dict[str, Any]) -> tuple[set[int], set[int]]:
    """T5.2, T7.1: where the army can go, and from where it can explore, with the steps it has left."""
    place = b.g["army"][seat][a]
    reached = army_distance(b, seat, place, steps, slot, card)
    # T12.3: on a city on loan it may attack what stands there, and nothing else.
    reached = {s: d for s, d in reached.items() if s not in b.lent or (d > 0 and stoppers(b, seat, s))}
    out = {s for s, d in reached.items() if d > 0 or place == state.ON_CARD}
    price = twin.base_game()["parts"]["explore"]["price_steps"]
    able = b.g["stack_n"] > 0 and not b.g["army_explored"][a]
    ready = {s for s, d in reached.items() if d + price <= steps and (d == 0 or not stoppers(b, seat, s))}
    return out, {s for s in ready if able and on_capital_tile(b, s)}


# --- T5.7 combat


def attack_value(b: Frontier, seat: int, s: int, target: str, other: int | None, slot: int, card: dict[str, Any]) -> int:
    """T5.7 without the die: slot, card, leader, wonders, diplomacy."""
    bonus = card["combat_bonus_vs_barbarian" if target == "barbarian" else "combat_bonus"]
    versus: Any = b.free_city_state.get(s) if target == "city_state" else other
    return int(slot + bonus + words.combat(b, seat, "attack", s, target, versus))


def wall_worth(b: Frontier, seat: int) -> int:
    """B9.6, China, Siege Tactics (T12.7): what one reinforced token gives its owner in defence."""
    worth = twin.base_game()["parts"]["combat"]["defence"]["reinforced_token"] + words.total(b, seat, "reinforced_worth")
    for h, _, _ in b.row(b.turn_of):
        worth += b.card(b.turn_of, h).get("own_turn_reinforced_bonus_change", 0)
    return max(0, worth)


def defence_value(b: Frontier, attacker: int, s: int, target: str, other: int | None) -> int:
    """T5.7 without the die."""
    parts = twin.base_game()["parts"]["combat"]
    if target in ("city_state", "fort"):
        return int(parts["defence"]["city_state" if target == "city_state" else "free_fort"])
    total = twin.difficulty(b, attacker, s)
    if other is None:
        return total
    guards = b.armies_on(other, s) - (target == "army")
    if target in ("city", "capital"):
        total *= parts["defence"]["city_difficulty_factor"]
    if target in ("city", "capital", "token"):
        walls = [x for x in (s, *b.near[s]) if b.owner[x] == other and b.piece[x] == "reinforced_token"]
        total += wall_worth(b, other) * len(walls)
    total += parts["guard_bonus"]["combat"] * (guards > 0)
    return total + words.combat(b, other, "defend", s, target, attacker)


# --- T4 districts


def may_hold_token(b: Frontier, seat: int, s: int) -> bool:
    """B5.2, T5.15, T6.1, whatever the terrain's difficulty."""
    free = b.owner[s] is None and s not in b.barbarian_spaces and s not in b.free_city_state
    return free and b.terrain[s] != "water" and s not in b.forts and not b.rival_army(seat, s)


def wild(b: Frontier, seat: int, s: int) -> bool:
    """Chichen Itza: an empty space of a terrain on which tokens need no city."""
    open_to = {t for ability, _ in words.having(b, seat, "tokens_without_city") for t in ability["terrain"]}
    return b.terrain[s] in open_to and b.empty(s)


def district_spaces(b: Frontier, seat: int, slot: int) -> set[int]:
    """T4.3: next to a friendly city, or in place of an own control token that is no district."""
    beside = twin.next_to(b, b.cities(seat))
    out = set()
    for s in range(b.n):
        own = b.owner[s] == seat and b.is_token(s) and b.district[s] is None
        legal = (own and not b.rival_army(seat, s)) or may_hold_token(b, seat, s)
        easy = twin.difficulty(b, seat, s, "token_by_effect") <= slot
        if legal and easy and (s in beside or wild(b, seat, s)):
            out.add(s)
    return out


def culture_spaces(b: Frontier, seat: int, slot: int) -> set[int]:
    """B5.1, T5.15, T6.1: tokens of a culture card, next to friendly cities."""
    beside = twin.next_to(b, b.cities(seat))
    easy = {s for s in range(b.n) if twin.difficulty(b, seat, s, twin.BY_CARD) <= slot}
    return {s for s in easy if may_hold_token(b, seat, s) and (s in beside or wild(b, seat, s))}


def polders(b: Frontier, seat: int) -> set[int]:
    """T12.19, Netherlands: water next to any own district."""
    if not words.has(b, seat, "district_water"):
        return set()
    own = [s for s in range(b.n) if b.district[s] is not None and b.owner[s] == seat]
    return {x for x in twin.next_to(b, own) if b.terrain[x] == "water"}


def around(b: Frontier, seat: int, s: int, terrain: set[str]) -> int:
    """T4.5: friendly spaces of the terrain in and next to the district on the space."""
    friendly = b.land(seat) | {s}
    fits = {x for x in (s, *b.near[s]) if x in friendly and b.terrain[x] in terrain}
    return len(fits | {x for x in b.near[s] if x in polders(b, seat)})


def zone_cities(b: Frontier, seat: int) -> set[int]:
    """T4.9, T11.2: legal spaces for a city within 2 of any friendly space."""
    if b.g["cities_left"][seat] == 0:
        return set()
    return {s for s in b.within(b.land(seat) | polders(b, seat), 2) if city_fits(b, seat, s)}


def city_fits(b: Frontier, seat: int, s: int) -> bool:
    """T11.2: a legal space for a city."""
    if b.terrain[s] == "water" or s in b.forts or b.rival_army(seat, s):
        return False
    if any(b.is_city(x) or x in b.free_city_state or x in b.forts for x in b.near[s]):
        return False
    held = b.owner[s] is not None and not (b.owner[s] == seat and b.is_token(s))
    return not (held or s in b.barbarian_spaces or s in b.resource_on or s in b.free_city_state or b.natural_wonder_lies_on(s))


def theater_spaces(b: Frontier, seat: int, start: set[int]) -> set[int]:
    """T4.10: any land within 2, and the forests of Chichen Itza."""
    near = set(b.within(start, 2)) if start else set()
    return {s for s in range(b.n) if may_hold_token(b, seat, s) and (s in near or wild(b, seat, s))}


def wonder_homes(b: Frontier, seat: int) -> set[int]:
    """T4.10, Open Borders: own cities with a world wonder."""
    return {s for s in b.land(seat) if b.is_city(s) and s in b.wonder_at}


def foes(b: Frontier, seat: int, s: int) -> set[tuple[str, int | None, int]]:
    """T4.8: barbarians and rival armies within 2; no pact partner's (T12.4)."""
    near = b.within({s}, 2)
    armies = {("army", q, x) for q in set(b.seats) - {seat} - b.pacts(seat) for x in near if b.armies_on(q, x)}
    return {("barbarian", None, x) for x in near if x in b.barbarian_spaces} | armies


def plain_tokens(b: Frontier, seat: int, s: int) -> set[int]:
    """T4.8: own unreinforced control tokens within 2."""
    return {x for x in b.within({s}, 2) if b.owner[x] == seat and b.piece[x] == "token"}


def district_options(b: Frontier, seat: int, s: int) -> set[int]:
    """T4.6-T4.10: which of the options of the own district on the space (0, 1) would change anything."""
    # With Oxford University several cards may be industry cards: any of them may pay.
    paid = any(b.g["trade"][seat][h] >= 3 for h, kind, _ in b.row(seat) if kind == "industry")
    useful = {
        "Campus": (around(b, seat, s, {"mountain", "natural_wonder"}) > 0, False),
        "Commercial Hub": (bool(b.mature(seat)), around(b, seat, s, {"desert"}) > 0),
        "Encampment": (bool(foes(b, seat, s)), bool(plain_tokens(b, seat, s))),
        "Industrial Zone": (around(b, seat, s, {"forest"}) > 0, paid and bool(zone_cities(b, seat))),
        "Theater Square": (bool(theater_spaces(b, seat, {s})), bool(theater_spaces(b, seat, wonder_homes(b, seat)))),
    }
    name = b.district[s]
    assert name is not None
    return {k for k, useful_now in enumerate(useful[name]) if useful_now}


# --- B7, T6.2, T7.1 caravans


def caravan_distance(b: Frontier, seat: int, place: int, steps: int, slot: int, card: dict[str, Any]) -> dict[int, int]:
    """B7.2, B7.3, T6.2, Indonesia: {space: steps} of every space the caravan can enter."""
    water = card["water"] or sails(b, seat, "caravan")
    beasts = bool(card.get("may_enter_barbarian"))

    def may_enter(s: int) -> bool:
        return enterable(b, seat, s, slot, water, "move_caravan") and not twin.barbarian_keeps_out(b, s, beasts)

    any_city = words.has(b, seat, "caravans_from_any_city")
    start = (set(b.cities(seat)) if any_city else starts(b, seat, state.ON_CARD)) if place == state.ON_CARD else {place}
    old = b.near
    if words.has(b, seat, "edge_water_linked"):
        rim = [s for s in range(b.n) if b.terrain[s] == "water" and b.at_edge(s)]
        b.near = [near + [x for x in rim if x != s] if s in rim else near for s, near in enumerate(old)]
    try:
        return spread(b, start, steps, may_enter, lambda s: s not in b.barbarian_spaces)
    finally:
        b.near = old


def arrives(b: Frontier, seat: int, s: int) -> bool:
    """B7.4: would a caravan that stops there arrive, or remove a barbarian, and so end its move?"""
    return s in b.free_city_state or s in b.barbarian_spaces or (b.is_city(s) and b.owner[s] != seat)


def caravan_spaces(b: Frontier, seat: int, c: int, steps: int, slot: int, card: dict[str, Any]) -> tuple[set[int], set[int]]:
    """B7.2-B7.4, T7.1: where the caravan can be, and from where it can explore, with the steps it has left."""
    distance = caravan_distance(b, seat, b.g["caravan"][seat][c], steps, slot, card)
    most = twin.base_game()["parts"]["limits"]["caravans_into_one_place_per_turn"]
    full = {s for s in distance if (s in b.free_city_state or b.is_city(s)) and b.g["arrived"][s] >= most}
    able = b.g["stack_n"] > 0 and not b.g["caravan_explored"][c]
    price = twin.base_game()["parts"]["explore"]["price_steps"]
    ready = {s for s, d in distance.items() if d + price <= steps and not (d > 0 and (arrives(b, seat, s) or s in full))}
    return {s for s, d in distance.items() if d > 0} - full, {s for s in ready if able and on_capital_tile(b, s)}


# --- T7 exploring


def tile_places(b: Frontier, beside: set[int], shapes: list[list[tuple[int, int]]]) -> set[tuple[int, int, int]]:
    """T7.2: (shape, q, r) of every place where a tile covers nothing, touches four laid spaces and one of `beside`."""
    least = twin.base_game()["parts"]["explore"]["tile_touches_spaces_min"]
    cells = list(zip(b.g["axial_q"][: b.n], b.g["axial_r"][: b.n], strict=True))
    laid = {cell: s for s, cell in enumerate(cells)}
    goals = [(cells[s][0] + dq, cells[s][1] + dr) for s in beside for dq, dr in STEPS]
    out = set()
    for k, offsets in enumerate(shapes):
        for q, r in {(gq - dq, gr - dr) for gq, gr in goals for dq, dr in offsets}:
            covers = {(q + dq, r + dr) for dq, dr in offsets}
            if not covers & laid.keys():
                touched = {laid[x] for cq, cr in covers for x in ((cq + dq, cr + dr) for dq, dr in STEPS) if x in laid}
                if len(touched) >= least and touched & beside:
                    out.add((k, q, r))
    return out
