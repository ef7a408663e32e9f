"""Twin against engine on one board: every count, list and value that can be asked without playing on."""

from __future__ import annotations

from collections import Counter
from typing import Any

import twin
from twin import Board

from newdawn.simulator import names
from newdawn.simulator.engine import (
    barbarians,
    combat,
    counts,
    culture,
    decisions,
    diplomacy,
    economy,
    industry,
    map,
    pieces,
    science,
    state,
)
from newdawn.simulator.engine import start_effects as effects
from newdawn.simulator.engine.choosing import LOG_BARBARIAN, LOG_BARBARIAN_DIE
from newdawn.simulator.engine.combat import attack_bonus, defence_bonus, ground_defence, target_of
from newdawn.simulator.engine.compile.jit import jit
from newdawn.simulator.engine.industry import list_city_spaces
from newdawn.simulator.engine.turn import acting_slot
from newdawn.simulator.rules import codes

LEVELS = range(1, names.N_LEVELS + 1)


@jit
def every_difficulty(r, g, w, p):
    """Write the difficulty of every space for the seat into ``w.option`` (one call from Python, not one a space)."""
    for s in range(g.n_spaces):
        w.option[s] = map.difficulty(r, g, p, s)


@jit
def every_empty(r, g, w):
    """Write 1 for every empty space into ``w.option``."""
    for s in range(g.n_spaces):
        w.option[s] = 1 if map.is_empty(g, s) else 0


@jit
def every_goal(r, g, w, d):
    """Write into ``w.option`` where a barbarian on each space would go in the direction."""
    for s in range(g.n_spaces):
        w.option[s] = barbarians.destination(r, g, s, d)


class Comparison:
    """Counts what was compared and keeps what differed."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.differences: list[tuple] = []

    def same(self, what: str, engine: Any, own: Any, *where: Any) -> None:
        self.counts[what] += 1
        if engine != own:
            self.differences.append((what, where, describe(engine, own)))

    def total(self) -> int:
        return sum(self.counts.values())


def describe(engine: Any, own: Any) -> str:
    if isinstance(engine, set) and isinstance(own, set):
        return f"only engine {sorted(engine - own)[:8]}, only twin {sorted(own - engine)[:8]}"
    if isinstance(engine, dict) and isinstance(own, dict):
        return "; ".join(f"{key}: {describe(engine[key], own[key])}" for key in engine if engine[key] != own[key])
    if isinstance(engine, list) and isinstance(own, list) and len(engine) == len(own):
        return ", ".join(f"[{i}] engine {x}, twin {y}" for i, (x, y) in enumerate(zip(engine, own, strict=True)) if x != y)
    return f"engine {engine}, twin {own}"


def code(kind: str, level: int) -> int:
    """Return the engine's code of a focus card."""
    return names.FOCUS_TYPES.index(kind) * names.N_LEVELS + level - 1


def listed(w: Any, n: int) -> set[int]:
    options = w.option[: int(n)].tolist()
    assert len(set(options)) == len(options), "an option is listed twice"
    return set(options)


def upgrade_codes(upgrades: set[tuple[str, int, int]]) -> set[int]:
    return {code(kind, level) * 8 + h for kind, level, h in upgrades}


def compare_board(r: Any, g: Any, w: Any, dice: Any, out: Comparison, rulings: dict[str, str] | None = None) -> None:
    """Compare everything on one board; for each seat with one random slot."""
    b = Board(g, rulings)
    out.counts["boards"] += 1
    compare_map(r, g, w, b, out)
    for seat in b.seats:
        slot = int(dice.integers(1, 6))
        compare_seat(r, g, w, b, seat, out)
        compare_tokens(r, g, w, b, seat, slot, out)
        compare_science(r, g, w, b, seat, out)
        compare_caravans(r, g, w, b, seat, slot, out)
        compare_industry(r, g, w, b, seat, slot, out)
        compare_attacks(r, g, w, b, seat, out)
        compare_start_effects(r, g, w, b, seat, out)
    compare_barbarians(r, g, w, b, out)


def compare_map(r: Any, g: Any, w: Any, b: Board, out: Comparison) -> None:
    out.same("map edge", g.edge[: b.n].tolist(), [int(b.at_edge(s)) for s in range(b.n)])
    out.same("coast", g.coastal[: b.n].tolist(), [int(b.at_coast_or_edge(s)) for s in range(b.n)])
    every_empty(r, g, w)
    out.same("empty", w.option[: b.n].tolist(), [int(b.empty(s)) for s in range(b.n)])


def compare_seat(r: Any, g: Any, w: Any, b: Board, seat: int, out: Comparison) -> None:
    every_difficulty(r, g, w, seat)
    out.same("difficulty", w.option[: b.n].tolist(), [twin.difficulty(b, seat, s) for s in range(b.n)], seat)
    cities = g.cities[seat, : g.city_count[seat]].tolist()
    out.same("cities", set(cities), set(b.cities(seat)), seat)
    out.same("mature", {s for s in cities if pieces.is_mature(r, g, seat, s)}, set(twin.mature_cities(b, seat)), seat)
    for slot in range(1, 6):
        acts = int(acting_slot(r, g, seat, int(g.row[seat, slot - 1]), slot - 1))
        out.same("acting slot", acts, twin.acting_slot(b, seat, slot), seat, slot)
    for card, printed in enumerate(twin.base_game()["victory"]):
        for a, agenda in enumerate(printed["agendas"]):
            met = bool(counts.agenda_met(r, g, seat, card, a))
            out.same("agenda", met, twin.agenda_holds(b, seat, agenda["condition"]), seat, agenda["name"])


def compare_tokens(r: Any, g: Any, w: Any, b: Board, seat: int, slot: int, out: Comparison) -> None:
    def engine(source: int, limit: int = slot, anchor: int = -1) -> set[int]:
        card = int(g.row[seat, slot - 1])
        return listed(w, culture.list_token_spaces(r, g, w, seat, card, limit, source, anchor))

    out.same("culture", engine(decisions.SOURCE_CULTURE), twin.culture_spaces(b, seat, slot), seat, slot)
    out.same("border", engine(decisions.SOURCE_BORDER), twin.border_spaces(b, seat, slot), seat, slot)
    gardens = engine(decisions.SOURCE_HANGING_GARDENS, twin.power("Hanging Gardens", "control_tokens")["limit"])
    out.same("hanging gardens", gardens, twin.hanging_gardens_spaces(b, seat), seat)
    for s in b.cities(seat)[:3]:
        out.same("new city", engine(decisions.SOURCE_NEW_CITY, slot, s), twin.new_city_spaces(b, seat, s, slot), seat, s)
    hills = [s for s in b.tokens(seat) if b.terrain[s] == "hills"]
    for s in hills[:3] if b.has(seat, "Stonehenge") else ():
        own = twin.stonehenge_spaces(b, seat, [s], 2, twin.BY_CARD)
        out.same("stonehenge", engine(decisions.SOURCE_STONEHENGE, 2, s), own, seat, s)
    out.same("France", int(g.power[seat, codes.CULTURE_TOKENS]), twin.extra_culture_tokens(b, seat), seat)


def compare_science(r: Any, g: Any, w: Any, b: Board, seat: int, out: Comparison) -> None:
    for level in LEVELS[1:]:
        engine = listed(w, science.list_upgrades(r, g, w, seat, 0, level, 0))
        out.same("upgrade", engine, upgrade_codes(twin.upgrades_to(b, seat, level)), seat, level)
    if not b.has(seat, "Oxford University"):
        for level in LEVELS[:-1]:
            engine = listed(w, science.list_upgrades(r, g, w, seat, 0, level + 1, level))
            out.same("raise", engine, upgrade_codes(twin.raised(b, seat, level)), seat, level)


def compare_caravans(r: Any, g: Any, w: Any, b: Board, seat: int, slot: int, out: Comparison) -> None:
    for c, place in enumerate(g.caravan[seat].tolist()):
        for level in LEVELS:
            card = twin.base_game()["card"]["economy", level]
            if place != state.NOT_OWNED:
                n = economy.list_destinations(r, g, w, seat, c, code("economy", level), slot, card["move"])
                engine = {(s, int(w.dist[0, s])) for s in listed(w, n)}
                start = twin.caravan_starts(b, seat) if place < 0 else {place}
                distance = twin.caravan_distance(b, seat, start, card["move"], slot, card)
                own = {(s, distance[s]) for s in twin.caravan_spaces(b, seat, place, card["move"], slot, card)}
                out.same("caravan", engine, own, seat, slot, place, level)


def compare_industry(r: Any, g: Any, w: Any, b: Board, seat: int, slot: int, out: Comparison) -> None:
    for level in LEVELS:
        card = twin.base_game()["card"]["industry", level]
        engine = listed(w, list_city_spaces(r, g, w, seat, code("industry", level), slot))
        out.same("city", engine, twin.city_spaces(b, seat, slot, card), seat, slot, level)
    housed = listed(w, industry.city_without_wonder(r, g, w, seat))
    out.same("wonder city", housed, twin.wonder_cities(b, seat), seat)
    for i, wonder in enumerate(names.WONDERS):
        cost = max(0, twin.wonder_cost(b, seat, wonder))
        out.same("wonder cost", int(industry.wonder_cost(r, g, seat, i)), cost, seat, wonder)
    h = b.holder(seat, "industry")
    if h is not None:
        card = b.card(seat, h)
        for i, wonder in enumerate(names.WONDERS):
            own = card["wonder_production"][slot] + sum(worth for _, _, worth in twin.payments(b, seat, h, wonder))
            out.same("production", int(industry.most_production(r, g, seat, h, slot, i)), own, seat, slot, wonder)


def target_codes(targets: set[tuple[str, int]]) -> set[int]:
    return {s + decisions.BARBARIAN_OPTION * (kind == "barbarian") for kind, s in targets}


def compare_attacks(r: Any, g: Any, w: Any, b: Board, seat: int, out: Comparison) -> None:
    for level in LEVELS:
        card = twin.base_game()["card"]["military", level]
        targets = twin.attack_targets(b, seat, card)
        engine = listed(w, combat.list_targets(r, g, w, seat, code("military", level)))
        out.same("targets", engine, target_codes(targets), seat, level)
    for kind, s in sorted(targets):
        barbarian = kind == "barbarian"
        target = target_of(g, s, int(barbarian))
        victim = -1 if barbarian else int(g.owner[s])
        attack = int(attack_bonus(r, g, w, seat, code("military", level), s, target, victim))
        out.same("attack value", attack, twin.attack_value(b, seat, (kind, s), 0, card), seat, s, kind)
        defence = int(ground_defence(r, g, seat, s, target))
        if target != state.TARGET_BARBARIAN and victim >= 0:
            defence += int(defence_bonus(r, g, w, victim, s, seat))
        out.same("defence value", defence, twin.defence_value(b, seat, (kind, s)), seat, s, kind)


def compare_start_effects(r: Any, g: Any, w: Any, b: Board, seat: int, out: Comparison) -> None:
    g.ability_used[:] = 0
    engine = listed(w, effects.offer_start_effects(r, g, w, seat, effects.list_start_effects(r, g, w, seat)))
    own = {fx for fx, name in enumerate(decisions.START_EFFECTS) if twin.start_effect_usable(b, seat, name)}
    out.same("start effects", engine, own, seat)
    out.same("forbidden city", listed(w, effects.list_border_rivals(g, w, seat)), twin.forbidden_city_targets(b, seat), seat)
    named = twin.power("Eiffel Tower", "convert_token")["amount"]
    out.same("eiffel tower", listed(w, effects.list_named(g, w, seat, named)), twin.nameable(b, seat), seat)
    own = {letter * 256 + s for letter, s in twin.seoul_pushes(b)}
    out.same("seoul", listed(w, barbarians.list_pushes(r, g, w)), own)
    own = {giver * 64 + back * 8 + new for giver, back, new in twin.geneva_swaps(b, seat)}
    out.same("geneva", listed(w, diplomacy.list_diplomacy_swaps(r, g, w, seat)), own, seat)


def compare_barbarians(r: Any, g: Any, w: Any, b: Board, out: Comparison) -> None:
    for d in range(6):
        every_goal(r, g, w, d)
        for s, engine in enumerate(w.option[: b.n].tolist()):
            if b.terrain[s] != "water":
                own = twin.barbarian_goal(b, s, d)
                out.same("barbarian goal", engine, s if own is None else own, s, d)


def table_after(b: Board) -> dict[str, Any]:
    """Return what barbarians can change, in a form that compares."""
    return {
        "owners": b.owner,
        "pieces": b.piece,
        "barbarians": [b.barbarian.get(letter, -1) for letter in range(len(b.g["barbarian_space"]))],
        "caravans": b.caravans,
        "city-states": list(b.city_state_owner.values()),
        "natural wonders": list(b.natural_wonder_owner.values()),
    }


def moved_on(log: list[list[int]]) -> list[int | None]:
    """Return, for each barbarian die but the first, the barbarian it moved; None if none."""
    found: list[int | None] = []
    for row in log:
        if row[0] == LOG_BARBARIAN_DIE:
            found.append(None)
        elif row[0] == LOG_BARBARIAN and found[-1] is None:
            found[-1] = row[2]
    return found[1:]


def compare_march(r: Any, g: Any, w: Any, bots: Any, out: Comparison, rulings: dict[str, str] | None = None) -> None:
    """Barbarians appear and move on a copy of the board (B11); the twin gets the dice the engine rolled."""
    after = g.copy()
    own = Board(g.copy(), rulings)
    barbarians.barbarians_appear(r, after, w, bots)
    raid = twin.Raid(own)
    raid.appear()
    out.same("barbarians appear", table_after(Board(after, rulings)), table_after(own))
    w.log_on, w.log_n = 1, 0
    barbarians.move_barbarians(r, after, w, bots)
    log = w.log[: w.log_n].tolist()
    w.log_on, w.log_n = 0, 0
    raid.march([row[3] for row in log if row[0] == LOG_BARBARIAN_DIE], moved_on(log))
    out.same("barbarians move", table_after(Board(after, rulings)), table_after(own))
