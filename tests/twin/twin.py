"""A plain-Python twin of the rules where mistakes hide: it reads a game record and says what the specification allows.

Written from the numbered rules and the printed data (YAML), not from the compiled engine. It is slow and simple on
purpose: words instead of codes, sets instead of bit tricks, one rule a function. Tests compare it with the engine.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import twin_words as words
import yaml

from newdawn.simulator import names
from newdawn.simulator.engine import state

BY_CARD = "culture_or_industry_card"


@cache
def printed(stem: str) -> Any:
    """Return one file of the printed game."""
    text = (resources.files("newdawn.simulator") / "data" / f"{stem}.yaml").read_text("utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@cache
def base_game() -> dict[str, Any]:
    """Return the printed base game by name."""
    base = [w for w in printed("wonders")["wonders"] if w["set"] == "base"]
    return {
        "wonder": {w["name"]: w for w in base},
        "leader": {x["civ"]: x for x in printed("leaders")["leaders"] if x["set"] == "base"},
        "city_state": {c["name"]: c for c in printed("city_states")["city_states"]},
        "diplomacy": {d["name"]: d for d in printed("diplomacy")["base"]},
        "natural_wonder": {n["name"]: n["resource"] for n in printed("natural_wonders")["natural_wonders"]},
        "card": {(c["type"], c["level"]): c for c in printed("focus_cards")["base"]},
        "victory": printed("victory_cards")["base"],
        "parts": printed("components"),
        "tech": printed("dials")["tech_dial"],
    }


@cache
def default_rulings() -> dict[str, str]:
    """Return the reading of each ruling that is used unless a user chooses another."""
    return {key: entry["default"] for key, entry in printed("rulings").items()}


def power(name: str, effect: str) -> dict[str, Any]:
    """Return the ability of a printed wonder with the effect."""
    return next(x for x in base_game()["wonder"][name]["abilities"] if x["effect"] == effect)


# --- the table


@cache
def read_map(n: int, neighbours: bytes, terrain: bytes) -> tuple[list, list, list]:
    """Return (the six neighbours or None, the existing neighbours, the terrain word) of each space."""
    grid = np.frombuffer(neighbours, "i2").reshape(-1, 6)[:n].tolist()
    way = [[x if x >= 0 else None for x in line] for line in grid]
    near = [[x for x in line if x is not None] for line in way]
    return way, near, [names.TERRAINS[t] for t in terrain[:n]]


class Fields(dict):
    """The fields of a game record as plain numbers and lists, read when first asked for."""

    def __init__(self, record: Any) -> None:
        super().__init__()
        self.record = record

    def __missing__(self, name: str) -> Any:
        self[name] = self.record[name].tolist()
        return self[name]


class Board:
    """One game as it lies on the table. Spaces and seats are numbers, everything else has its printed name."""

    def __init__(self, record: Any, rulings: dict[str, str] | None = None) -> None:
        self.g = g = Fields(record)
        self.content = base_game()
        self.rulings = default_rulings() | (rulings or {})
        self.n = g["n_spaces"]
        self.seats = range(g["players"])
        self.turn_of = g["current"]
        self.way, self.near, self.terrain = read_map(self.n, record["neighbour"].tobytes(), record["terrain"].tobytes())
        self.owner = [x if x >= 0 else None for x in g["owner"][: self.n]]
        self.piece = [names.PIECES[x] for x in g["piece"][: self.n]]
        self.barbarian = {b: s for b, s in enumerate(g["barbarian_space"]) if s >= 0}
        self.barbarian_spaces = set(self.barbarian.values())
        self.resource_on = {s: names.RESOURCES[x] for s, x in enumerate(g["resource"][: self.n]) if x >= 0}
        self.leader = [names.LEADERS[x] for x in g["leader"][: len(self.seats)]]
        self.caravans = [[x for x in row if x != state.NOT_OWNED] for row in g["caravan"][: len(self.seats)]]
        self.caravan_spaces = {s for row in self.caravans for s in row if s != state.ON_CARD}
        self.city_state_owner = {names.CITY_STATES[i]: g["city_state_owner"][i] for i in range(8)}
        self.city_state_space = {names.CITY_STATES[i]: g["city_state_space"][i] for i in range(8)}
        self.free_city_state = {self.city_state_space[c]: c for c, owner in self.city_state_owner.items() if owner == -1}
        self.wonder_space = {
            names.WONDERS[i]: g["wonder_space"][i] for i in range(24) if g["wonder_place"][i] == state.WONDER_BUILT
        }
        self.wonder_at = {s: w for w, s in self.wonder_space.items()}
        self.natural_wonder_owner = {names.NATURAL_WONDERS[i]: g["natural_wonder_owner"][i] for i in range(8)}
        self.natural_wonder_space = {names.NATURAL_WONDERS[i]: g["natural_wonder_space"][i] for i in range(8)}

    # --- pieces

    def is_city(self, s: int) -> bool:
        return self.piece[s] in ("city", "capital")

    def is_token(self, s: int) -> bool:
        return self.piece[s] in ("token", "reinforced_token")

    def friendly(self, seat: int) -> set[int]:
        """B1.2: the spaces with a city or control token of the seat."""
        return {s for s in range(self.n) if self.owner[s] == seat}

    def rival(self, seat: int, s: int) -> bool:
        return self.owner[s] is not None and self.owner[s] != seat

    def cities(self, seat: int) -> list[int]:
        return [s for s in range(self.n) if self.owner[s] == seat and self.is_city(s)]

    def tokens(self, seat: int) -> list[int]:
        return [s for s in range(self.n) if self.owner[s] == seat and self.is_token(s)]

    def reinforced(self, seat: int) -> list[int]:
        return [s for s in self.tokens(seat) if self.piece[s] == "reinforced_token"]

    def natural_wonder_lies_on(self, s: int) -> bool:
        return any(self.natural_wonder_space[x] == s for x, owner in self.natural_wonder_owner.items() if owner == -1)

    def empty(self, s: int) -> bool:
        """B1.3: no token and no figure of any kind."""
        return not (
            self.owner[s] is not None
            or s in self.barbarian_spaces
            or s in self.caravan_spaces
            or s in self.resource_on
            or s in self.free_city_state
            or s in self.wonder_at
            or self.natural_wonder_lies_on(s)
        )

    # --- what a seat has

    def wonders(self, seat: int) -> set[str]:
        """B8.7: the wonders whose token lies under a friendly city or control token."""
        return {w for w, s in self.wonder_space.items() if self.owner[s] == seat}

    def abilities(self, seat: int) -> list[tuple[dict[str, Any], Any]]:
        """Return every ability the seat has, with the giver of the diplomacy card it is on (a seat, a city-state, or None)."""
        found = [(x, None) for x in self.content["leader"][self.leader[seat]]["abilities"]]
        found += [(x, None) for w in self.wonders(seat) for x in self.content["wonder"][w]["abilities"]]
        for name, city_state in self.content["city_state"].items():
            if name in names.CITY_STATES and self.holds(seat, name):
                found += [(x, name) for x in city_state["abilities"]]
        for name, card in self.content["diplomacy"].items():
            found += [(x, giver) for giver in self.givers(seat, name) for x in card["abilities"]]
        return found

    def mature(self, seat: int) -> list[int]:
        return mature_cities(self, seat)

    def has(self, seat: int, wonder: str) -> bool:
        return wonder in self.wonder_space and self.owner[self.wonder_space[wonder]] == seat

    def holds(self, seat: int, city_state: str) -> bool:
        """Does the seat hold a diplomacy card of the city-state?"""
        return bool(self.g["city_state_cards"][names.CITY_STATES.index(city_state)][seat])

    def givers(self, seat: int, card: str) -> list[int]:
        """Return the seats whose diplomacy card of this name the seat holds."""
        k = names.DIPLOMACY_CARDS.index(card)
        return [p for p in self.seats if p != seat and self.g["diplomacy"][p][k] == seat]

    def cards_with(self, giver: int, holder: int) -> list[int]:
        """Return the codes of the giver's diplomacy cards that `holder` (-1 = the giver) has."""
        row = self.g["diplomacy"][giver]
        return [k for k in range(len(names.DIPLOMACY_CARDS)) if row[k] == holder]

    def natural_wonders(self, seat: int) -> list[str]:
        return [x for x, owner in self.natural_wonder_owner.items() if owner == seat]

    def row(self, seat: int) -> list[tuple[int, str, int]]:
        """Return (holder, type, level) of the focus row from the left."""
        slots = len(base_game()["parts"]["per_player"]["base"]["focus_bar_slots"])
        out = []
        for h in self.g["row"][seat][:slots]:
            code = self.g["card"][seat][h]
            out.append((h, names.FOCUS_TYPES[code // names.N_LEVELS], code % names.N_LEVELS + 1))
        return out

    def holder(self, seat: int, kind: str) -> int | None:
        """Return the holder of the seat's card of the type (with Oxford University there may be none or several)."""
        return next((h for h, t, _ in self.row(seat) if t == kind), None)

    def card(self, seat: int, holder: int) -> dict[str, Any]:
        """Return the printed focus card on the holder."""
        kind, level = next((t, lv) for h, t, lv in self.row(seat) if h == holder)
        return base_game()["card"][kind, level]

    def unspent_city_states(self, seat: int, holder: int) -> list[int]:
        """B10.2: city-state tokens on the card that were not spent this turn."""
        g = self.g
        return [
            i
            for i in range(8)
            if g["city_state_owner"][i] == seat and g["city_state_holder"][i] == holder and not g["city_state_used"][i]
        ]

    def unused_natural_wonders(self, seat: int) -> list[int]:
        g = self.g
        return [i for i in range(8) if g["natural_wonder_owner"][i] == seat and not g["natural_wonder_used"][i]]

    def spendable(self, seat: int, holder: int) -> int:
        """B13, B10.2, America: how many trade tokens the seat can spend from the card."""
        count = self.g["trade"][seat][holder] + len(self.unspent_city_states(seat, holder))
        if words.has(self, seat, "roosevelt_corollary"):
            count += sum(self.g["natural_wonder_holder"][i] == holder for i in self.unused_natural_wonders(seat))
        return count

    # --- the map

    def at_edge(self, s: int) -> bool:
        return len(self.near[s]) < 6

    def at_coast_or_edge(self, s: int) -> bool:
        return self.at_edge(s) or any(self.terrain[x] == "water" for x in self.near[s])

    def within(self, start: set[int], steps: int) -> dict[int, int]:
        """Return the distance, through anything, of every space at most so many steps from one of `start`."""
        return spread(self, start, steps, lambda s: True, lambda s: True)


def spread(board: Board, start: set[int], steps: int, may_enter: Any, may_pass: Any) -> dict[int, int]:
    """Return {space: distance} of what can be reached from `start`: each space must be enterable, and to go on, passable."""
    distance = dict.fromkeys(start, 0)
    ring = sorted(start)
    for step in range(1, steps + 1):
        reached = []
        for s in ring:
            for x in board.near[s]:
                if x not in distance and may_enter(x):
                    distance[x] = step
                    if may_pass(x):
                        reached.append(x)
        ring = reached
    return distance


# --- B1 terrain and maturity


def difficulty(b: Board, seat: int, s: int, doing: str = "fight") -> int:
    """B1.1: how hard the space is for what the seat does, with what eases it."""
    return words.difficulty(b, seat, s, base_game()["parts"]["terrain_difficulty"][b.terrain[s]], doing)


def is_mature(b: Board, seat: int, s: int) -> bool:
    """B1.4, Sydney Opera House, Open Borders: every space around holds a control token that counts, or is water."""
    counts = {seat}
    for ability, giver in words.having(b, seat, "matures_with"):
        counts |= set(b.seats) if ability["whose"] == "rivals" else {giver}
    enough = {x for x in b.near[s] if b.terrain[x] == "water" or (b.is_token(x) and b.owner[x] in counts)}
    if b.rulings["mature_beside_city"] == "city_counts":
        enough |= set(b.cities(seat))
    return set(b.near[s]) <= enough


def mature_cities(b: Board, seat: int) -> list[int]:
    return [s for s in b.cities(seat) if is_mature(b, seat, s)]


# --- B4 the card acts


def acting_slot(b: Board, seat: int, slot: int) -> int:
    """Machu Picchu: cards of the named slots act as from another."""
    for ability, _ in words.having(b, seat, "acts_as_slot"):
        if slot in ability["slots"]:
            return int(ability["amount"])
    return slot


# --- B5 control tokens


def can_take_token(b: Board, seat: int, s: int, limit: int, doing: str) -> bool:
    """B5.2: may a control token be placed on this space at all?"""
    hard = difficulty(b, seat, s, doing)
    taken = b.owner[s] is not None or s in b.barbarian_spaces or s in b.free_city_state
    return b.terrain[s] != "water" and hard <= limit and not taken


def next_to(b: Board, spaces: Any) -> set[int]:
    return {x for s in spaces for x in b.near[s]}


def chichen_itza_spaces(b: Board, seat: int, limit: int, doing: str) -> set[int]:
    """Chichen Itza: empty forests anywhere (the slot limits them too, unless the ruling says otherwise)."""
    if b.rulings["chichen_itza_difficulty"] == "ignored":
        limit = 99
    open_to = {t for ability, _ in words.having(b, seat, "tokens_without_city") for t in ability["terrain"]}
    forests = [s for s in range(b.n) if b.terrain[s] in open_to]
    return {s for s in forests if b.empty(s) and can_take_token(b, seat, s, limit, doing)}


def token_spaces(b: Board, seat: int, around: Any, limit: int, doing: str) -> set[int]:
    """B5.1, B5.2: where a control token may go that has to be next to one of the spaces `around`."""
    legal = {s for s in next_to(b, around) if can_take_token(b, seat, s, limit, doing)}
    return legal | chichen_itza_spaces(b, seat, limit, doing)


def culture_spaces(b: Board, seat: int, slot: int) -> set[int]:
    """B5.1: tokens of a culture card, next to friendly cities."""
    return token_spaces(b, seat, b.cities(seat), slot, BY_CARD)


def border_spaces(b: Board, seat: int, slot: int) -> set[int]:
    """Civil Service: a token next to any friendly space."""
    return token_spaces(b, seat, b.friendly(seat), slot, BY_CARD)


def hanging_gardens_spaces(b: Board, seat: int) -> set[int]:
    """Hanging Gardens: a token at the start of the turn, while no card is resolved."""
    return token_spaces(b, seat, b.cities(seat), power("Hanging Gardens", "control_tokens")["limit"], "token_by_effect")


def new_city_spaces(b: Board, seat: int, city: int, slot: int) -> set[int]:
    """Urbanization: tokens around the city just built."""
    return token_spaces(b, seat, [city], slot, BY_CARD)


def stonehenge_spaces(b: Board, seat: int, spread_from: Any, limit: int, doing: str) -> set[int]:
    """Stonehenge: hills next to a token just placed on hills."""
    hills = power("Stonehenge", "chain_tokens")["terrain"][0]
    sources = [s for s in spread_from if b.terrain[s] == hills]
    return {s for s in next_to(b, sources) if b.terrain[s] == hills and can_take_token(b, seat, s, limit, doing)}


def token_steps(b: Board, seat: int) -> set[tuple[int, int]]:
    """Drama and Poetry: an own control token to an adjacent empty land space; what holds a city-state stays (a ruling)."""
    bound = {b.city_state_space[each] for each, owner in b.city_state_owner.items() if owner >= 0}
    if b.rulings["conqueror_of_city_state"] != "stays":
        bound = set()
    return {(s, x) for s in b.tokens(seat) if s not in bound for x in b.near[s] if b.terrain[x] != "water" and b.empty(x)}


def mass_media_targets(b: Board, seat: int) -> set[int]:
    """Mass Media: rival control tokens near own land."""
    reach = base_game()["card"]["culture", 4]["then"]["range"]
    if b.rulings["mass_media_range"] == "like_an_attack":
        near = attack_distance(b, seat, reach, [])
    else:
        near = b.within(b.friendly(seat), reach)
    return {s for s in near if b.rival(seat, s) and b.is_token(s)}


def forbidden_city_targets(b: Board, seat: int) -> set[int]:
    """Forbidden City: rival control tokens next to own land."""
    return {s for s in next_to(b, b.friendly(seat)) if b.rival(seat, s) and b.is_token(s)}


def extra_culture_tokens(b: Board, seat: int) -> int:
    """France: more tokens by the newest era among the own wonders."""
    return words.total(b, seat, "culture_tokens")


# --- B6 science


def upgrades_to(b: Board, seat: int, level: int) -> set[tuple[str, int, int]]:
    """B6.2, Oxford University: (type, level, holder replaced) for a level space of the dial."""
    out = set()
    in_row = {(t, lv) for _, t, lv in b.row(seat)}
    for h, kind, _ in b.row(seat):
        for new in focus_types():
            fits = new == kind or any(kind in ability["type"] for ability, _ in words.having(b, seat, "any_type_upgrade"))
            if fits and (new, level) not in in_row:
                out.add((new, level, h))
    return out


def focus_types() -> list[str]:
    return sorted({kind for kind, _ in base_game()["card"]})


def raised(b: Board, seat: int, level: int | None) -> set[tuple[str, int, int]]:
    """Pyramids (cards of that level), Porcelain Tower (None = any): (type, level, holder) with one level more.

    Oxford University lies below both in their deck, so it is never there when they are built.
    """
    in_row = {(t, lv) for _, t, lv in b.row(seat)}
    out = {(t, lv + 1, h) for h, t, lv in b.row(seat) if level in (None, lv) and lv < names.N_LEVELS}
    return {(t, lv, h) for t, lv, h in out if (t, lv) not in in_row}


def dial_after(position: int, steps: int) -> tuple[int, list[int]]:
    """B6.3: where the dial stands after so many steps, and the levels it paid on the way."""
    tech = base_game()["tech"]
    paid = []
    for _ in range(steps):
        position = tech["after_last"] if position == tech["last_space"] else position + 1
        if position in tech["level_spaces"]:
            paid.append(tech["level_spaces"][position])
    return position, paid


# --- B7 caravans


def caravan_starts(b: Board, seat: int) -> set[int]:
    """B7.2, Rome: where a caravan on its card sets out from."""
    if words.has(b, seat, "caravans_from_any_city"):
        return set(b.cities(seat))
    return set(mature_cities(b, seat)) | {s for s in b.cities(seat) if b.piece[s] == "capital"}


def barbarian_keeps_out(b: Any, s: int, enters: bool) -> bool:
    """B7.3, B7.6: does a barbarian there keep a caravan out, also one that may enter its space (a ruling, on a city-state)?"""
    if s not in b.barbarian_spaces:
        return False
    return not enters or (b.rulings["currency_at_city_state"] == "kept_out" and s in b.city_state_space.values())


def caravan_distance(b: Board, seat: int, start: set[int], steps: int, slot: int, card: dict[str, Any]) -> dict[int, int]:
    """B7.2, B7.3: {space: steps} a caravan can enter. A barbarian that is removed has to be stopped at first."""

    def may_enter(s: int) -> bool:
        if b.terrain[s] == "water" and not card["water"]:
            return False
        if barbarian_keeps_out(b, s, bool(card.get("may_enter_barbarian"))):
            return False
        return difficulty(b, seat, s, "move_caravan") <= slot

    return spread(b, start, steps, may_enter, lambda s: s not in b.barbarian_spaces)


def caravan_spaces(b: Board, seat: int, caravan: int, steps: int, slot: int, card: dict[str, Any]) -> set[int]:
    """B7.2-B7.4: where the caravan (its space, or ON_CARD) can be after its move."""
    start = caravan_starts(b, seat) if caravan == state.ON_CARD else {caravan}
    distance = caravan_distance(b, seat, start, steps, slot, card)
    most = base_game()["parts"]["limits"]["caravans_into_one_place_per_turn"]
    full = {s for s in distance if (s in b.free_city_state or b.is_city(s)) and b.g["arrived"][s] >= most}
    return {s for s, d in distance.items() if d > 0} - full


# --- B8 cities and wonders


def city_distance(b: Board, seat: int, start: set[int], steps: int, slot: int, water: bool) -> dict[int, int]:
    """B8.2: the count for a new city."""

    def open_space(s: int) -> bool:
        if b.terrain[s] == "water":
            return water
        return not b.rival(seat, s) and s not in b.barbarian_spaces and difficulty(b, seat, s, "build_city") <= slot

    return spread(b, start, steps, open_space, lambda s: True)


def city_fits(b: Board, seat: int, s: int, slot: int) -> bool:
    """B8.3, B8.4: may a city stand here?"""
    if b.terrain[s] == "water" or difficulty(b, seat, s, "build_city") > slot:
        return False
    if any(b.is_city(x) or x in b.free_city_state for x in b.near[s]):
        return False
    if b.owner[s] is not None and not (b.owner[s] == seat and b.is_token(s)):
        return False
    if s in b.wonder_at and b.owner[s] is None and b.rulings["city_on_wonder_ruin"] == "forbidden":
        return False
    in_the_way = s in b.barbarian_spaces or s in b.resource_on or s in b.free_city_state or b.natural_wonder_lies_on(s)
    return not in_the_way


def city_spaces(b: Board, seat: int, slot: int, card: dict[str, Any]) -> set[int]:
    """B8.1-B8.4, Animal Husbandry, Great Lighthouse: where a city can be built."""
    if b.g["cities_left"][seat] == 0:
        return set()
    start = b.friendly(seat)
    if "friendly_caravan" in card["city_range_from"]:
        start |= {s for s in b.caravans[seat] if s != state.ON_CARD}
    near = set(city_distance(b, seat, start, card["city_range"], slot, card["count_through_water"]))
    if any(ability["amount"] <= card["city_range"] for ability, _ in words.having(b, seat, "edge_cities")):
        near |= {s for s in range(b.n) if b.at_edge(s) and b.empty(s)}
    return {s for s in near if city_fits(b, seat, s, slot)}


def wonder_cities(b: Board, seat: int) -> set[int]:
    """B8.6: friendly cities without a wonder."""
    return {s for s in b.cities(seat) if s not in b.wonder_at}


def wonder_cost(b: Board, seat: int, wonder: str) -> int:
    """B8.5, Egypt, Brussels, Buenos Aires: what the wonder costs the seat."""
    card = base_game()["wonder"][wonder]
    return int(card["cost"]) + words.wonder_cost(b, seat, card)


def payments(b: Board, seat: int, holder: int, wonder: str) -> list[tuple[str, int, int]]:
    """B8.5: everything the seat can spend on the wonder: (what, its code, production)."""
    parts = base_game()["parts"]["production"]
    accepted = base_game()["wonder"][wonder]["resources"]
    out = []
    for k, resource in enumerate(names.RESOURCES):
        if resource in accepted:
            out += [("resource", k, parts["resource"])] * b.g["resources"][seat][k]
    american = words.has(b, seat, "roosevelt_corollary")
    for i in b.unused_natural_wonders(seat):
        if base_game()["natural_wonder"][names.NATURAL_WONDERS[i]] in accepted:
            out.append(("natural wonder", i, parts["resource"]))
        elif american and b.g["natural_wonder_holder"][i] == holder:
            out.append(("trade", 0, parts["trade_token"]))
    tokens = b.g["trade"][seat][holder] + len(b.unspent_city_states(seat, holder))
    return out + [("trade", 0, parts["trade_token"])] * tokens


def affordable_wonders(b: Board, seat: int, holder: int, slot: int, card: dict[str, Any]) -> set[str]:
    """B8.5, B8.6: face-up wonders the seat can pay and house."""
    if not wonder_cities(b, seat):
        return set()
    out = set()
    for i in range(24):
        if b.g["wonder_place"][i] == state.WONDER_FACE_UP:
            w = names.WONDERS[i]
            production = card["wonder_production"][slot] + sum(worth for _, _, worth in payments(b, seat, holder, w))
            if production >= wonder_cost(b, seat, w):
                out.add(w)
    return out


# --- B9 attacks


def attack_distance(b: Board, seat: int, steps: int, through: list[str]) -> dict[int, int]:
    """B9.3: {space: distance} of the count of an attack, which ends at what stops it."""
    start = {s for s in b.friendly(seat) if not b.g["taken"][s]}

    def passable(s: int) -> bool:
        return not (
            (b.terrain[s] == "water" and "water" not in through)
            or (b.rival(seat, s) and "rival_space" not in through)
            or (s in b.barbarian_spaces and "barbarian" not in through)
        )

    return spread(b, start, steps, lambda s: True, passable)


def attack_targets(b: Board, seat: int, card: dict[str, Any]) -> set[tuple[str, int]]:
    """B9.2: what can be attacked: ("barbarian", space) or ("other", space). Pentagon: at any distance."""
    if words.has(b, seat, "attack_anywhere"):
        near = set(range(b.n))
    else:
        near = set(attack_distance(b, seat, card["attack_range"], card["count_through"]))
    barbarians = {("barbarian", s) for s in near if s in b.barbarian_spaces}
    free = {("other", s) for s in near if s in b.free_city_state and s not in b.barbarian_spaces}
    return barbarians | free | {("other", s) for s in near if b.rival(seat, s)}


def attack_value(b: Board, seat: int, target: tuple[str, int], slot: int, card: dict[str, Any]) -> int:
    """B9.5 without the die: the attacker's slot and bonuses."""
    kind, s = target
    barbarian = kind == "barbarian"
    victim = None if barbarian else b.owner[s]
    total = slot + card["combat_bonus_vs_barbarian" if barbarian else "combat_bonus"]
    kind_of_target = "barbarian" if barbarian else "city_state" if s in b.free_city_state else what_stands(b, s)
    other = b.free_city_state.get(s) if kind_of_target == "city_state" else victim
    return total + words.combat(b, seat, "attack", s, kind_of_target, other)


def what_stands(b: Board, s: int) -> str:
    """Name a player's piece as a target of attacks."""
    return "token" if b.is_token(s) else b.piece[s]


def defence_value(b: Board, attacker: int, target: tuple[str, int]) -> int:
    """B9.6 without the die. On Japan's turn its Divine Wind is how hard a space is."""
    kind, s = target
    rules = base_game()["parts"]["combat"]["defence"]
    if kind == "barbarian":
        return difficulty(b, attacker, s)
    if s in b.free_city_state:
        return rules["city_state"]
    seat = b.owner[s]
    assert seat is not None
    total = difficulty(b, attacker, s) * (rules["city_difficulty_factor"] if b.is_city(s) else 1)
    walls = [x for x in (s, *b.near[s]) if b.owner[x] == seat and b.piece[x] == "reinforced_token"]
    total += rules["reinforced_token"] * len(walls)
    return total + words.combat(b, seat, "defend", s, what_stands(b, s), attacker)


# --- B3.2 agendas


def agenda_holds(b: Board, seat: int, condition: dict[str, Any]) -> bool:
    """Is the condition of an agenda satisfied?"""
    if "any_of" in condition:
        return any(agenda_holds(b, seat, part) for part in condition["any_of"])
    metric = condition["metric"]
    if metric == "wonders_of_type":
        count = sum(base_game()["wonder"][w]["type"] == condition["type"] for w in b.wonders(seat))
    else:
        count = METRICS[metric](b, seat)
    return count >= condition["at_least"]


METRICS = {
    "cities_on_map_with_capital": lambda b, seat: len(b.cities(seat)),
    "rival_capitals_defeated": lambda b, seat: b.g["capitals_beaten"][seat],
    "conquered_city_states_held": lambda b, seat: sum(owner == seat for owner in b.city_state_owner.values()),
    "controlled_spaces_next_to_water_or_map_edge": lambda b, seat: sum(map(b.at_coast_or_edge, b.friendly(seat))),
    "mature_cities": lambda b, seat: len(mature_cities(b, seat)),
    "natural_wonders_held": lambda b, seat: len(b.natural_wonders(seat)),
    "tech_dial_space_reached": lambda b, seat: b.g["dial_reached"][seat],
}


# --- B11 barbarians


def land_towards(b: Board, s: int, direction: int) -> int | None:
    """B11.1: the first land from the space in the direction, over water; None off the map."""
    x = b.way[s][direction]
    while x is not None and b.terrain[x] == "water":
        x = b.way[x][direction]
    return x


def barred(b: Board, s: int) -> bool:
    """Petra: barbarians stay out of its owner's cities and reinforced tokens."""
    strong = b.is_city(s) or b.piece[s] == "reinforced_token"
    return strong and words.has(b, b.owner[s], "barbarians_barred")


def barbarian_goal(b: Board, s: int, direction: int) -> int | None:
    """B11.1, Petra: the space a barbarian enters when the die shows the direction; None = it stays."""
    back = (direction + 3) % 6
    goal = land_towards(b, s, direction)
    turned = goal is None
    if turned:
        if b.way[s][direction] is not None and b.rulings["barbarian_over_water"] == "turns_at_edge":
            return None  # B11.1a: there and back again over water
        goal = land_towards(b, s, back)
    if goal is None or goal == s:
        return None
    if barred(b, goal):
        if turned or b.rulings["petra_barred_barbarian"] == "stays":
            return None
        goal = land_towards(b, s, back)
        if goal is None or barred(b, goal):
            return None
    return goal


class Raid:
    """B11: barbarians appear and march over a board, which is changed. (What capitals give up is their owners' choice.)"""

    def __init__(self, b: Board) -> None:
        self.b = b

    def step(self, letter: int, direction: int) -> None:
        """Move one barbarian and let it meet what stands there."""
        b = self.b
        came_from = b.barbarian[letter]
        goal = barbarian_goal(b, came_from, direction)
        if goal is None:
            return
        self.meet_caravans(goal)
        piece = b.piece[goal]
        if piece == "reinforced_token":
            b.piece[goal] = "token"
            return
        if piece == "capital" and b.rulings["barbarian_at_capital"] == "goes_back":
            return
        if piece in ("token", "city"):
            self.destroy(goal)
        b.barbarian[letter] = goal
        b.barbarian_spaces = set(b.barbarian.values())

    def meet_caravans(self, s: int) -> None:
        b = self.b
        for seat in b.seats:
            for c, place in enumerate(b.caravans[seat]):
                if place == s:
                    b.caravans[seat][c] = state.ON_CARD

    def destroy(self, s: int) -> None:
        """The piece returns to its owner; natural wonders and city-states are free again (B5.3, B11.3c)."""
        b = self.b
        seat = b.owner[s]
        for city_state, owner in b.city_state_owner.items():
            frees = b.rulings["destroyed_city_on_city_state"] == "frees_it"
            if owner == seat and b.city_state_space[city_state] == s and frees:
                b.city_state_owner[city_state] = -1
                b.free_city_state[s] = city_state
        for wonder, owner in b.natural_wonder_owner.items():
            if owner == seat and b.natural_wonder_space[wonder] == s:
                b.natural_wonder_owner[wonder] = -1
        b.owner[s], b.piece[s] = None, "none"

    def appear(self) -> None:
        """B11.5: beaten barbarians come back, and destroy caravans there."""
        for letter, home in appearing(self.b).items():
            self.meet_caravans(home)
            self.b.barbarian[letter] = home
        self.b.barbarian_spaces = set(self.b.barbarian.values())

    def march(self, directions: list[int], moved_on: list[int | None]) -> None:
        """B11.1, B11.4: the first die moves all, every further one any of those that share a space.

        `moved_on`: the barbarian that each further die moved, None if it moved nobody.
        """
        backwards = self.b.rulings["barbarian_order"] == "reverse"
        for letter in sorted(self.b.barbarian, reverse=backwards):
            self.step(letter, directions[0])
        for direction, letter in zip(directions[1:], moved_on, strict=True):
            crowd = [x for x, s in self.b.barbarian.items() if s in self.shared()]
            assert crowd, "a die was rolled for nobody"
            if self.b.rulings["crowded_barbarian"] == "last_in_order":
                crowd = [min(crowd) if backwards else max(crowd)]
            stuck = [x for x in crowd if barbarian_goal(self.b, self.b.barbarian[x], direction) is None]
            assert letter in crowd or (letter is None and stuck), "a barbarian that shares no space moved on"
            if letter is not None:
                self.step(letter, direction)
        assert not self.shared() or len(directions) > 100, "barbarians still share a space"

    def shared(self) -> list[int]:
        """Return the spaces where several barbarians stand (B11.4)."""
        places = list(self.b.barbarian.values())
        return sorted({s for s in places if places.count(s) > 1})


def appearing(b: Board) -> dict[int, int]:
    """B11.5: {letter: space} of the waiting barbarians that come back."""
    out: dict[int, int] = {}
    for letter, s in enumerate(b.g["barbarian_space"]):
        home = b.g["barbarian_home"][letter]
        free = b.owner[home] is None and home not in b.barbarian_spaces and home not in out.values()
        if s == -1 and free and home not in b.wonder_at:
            out[letter] = home
    return out


# --- B4.1 effects at the start of a turn


def nameable(b: Board, seat: int) -> set[int]:
    """Eiffel Tower: control tokens of rivals that have as many as have to be named."""
    count = power("Eiffel Tower", "convert_token")["amount"]
    return {s for p in b.seats if p != seat and len(b.tokens(p)) >= count for s in b.tokens(p)}


def seoul_pushes(b: Board) -> set[tuple[int, int]]:
    """Seoul: (barbarian, adjacent empty land space)."""
    return {(k, x) for k, s in b.barbarian.items() for x in b.near[s] if b.terrain[x] != "water" and b.empty(x)}


def geneva_swaps(b: Board, seat: int) -> set[tuple[int, int, int]]:
    """Geneva: (giver, card given back, another card of the same giver)."""
    rivals = [p for p in b.seats if p != seat]
    return {(p, old, new) for p in rivals for old in b.cards_with(p, seat) for new in b.cards_with(p, -1)}


def roomy_cards(b: Board, seat: int) -> set[int]:
    """B13.1: holders of the row that can take one more trade token."""
    most = base_game()["parts"]["limits"]["trade_tokens_per_focus_card"]
    return {h for h, _, _ in b.row(seat) if b.g["trade"][seat][h] < most}


def start_effect_usable(b: Board, seat: int, effect: str) -> bool:
    """Can the seat do anything with the effect now?"""
    if effect == "Hanging Gardens":
        return b.has(seat, effect) and bool(hanging_gardens_spaces(b, seat))
    if effect == "Forbidden City":
        return b.has(seat, effect) and bool(forbidden_city_targets(b, seat))
    if effect == "Eiffel Tower":
        return b.has(seat, effect) and bool(nameable(b, seat))
    if effect == "Great Zimbabwe":
        return b.has(seat, effect) and b.g["wonder_bank"] > 0 and bool(roomy_cards(b, seat))
    if effect == "Seoul":
        return b.holds(seat, effect) and bool(seoul_pushes(b))
    if effect == "Geneva":
        return b.holds(seat, effect) and bool(geneva_swaps(b, seat))
    return b.has(seat, effect)
