"""A small table to test rules on: a hand-made board, pieces put where a test wants them, scripted choices, chosen dice.

Spaces are named by axial coordinates (q, r). The board is a disc of grassland around (0, 0) unless told otherwise:

    t = Table(radius=3, leaders=["Rome", "Egypt"], terrain={(1, 0): "water"})
    t.capital(0, (0, 0)); t.capital(1, (3, 0))
    t.script((PLACE_TOKEN, t.at((1, 1))), (PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=2)
    assert t.options(PLACE_TOKEN) == t.spaces((1, 1), ...)

What the script does not foresee is declined (the last option, PASS where passing is possible). `resolve` fails if a
scripted choice was never asked for.
"""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

import numpy as np
import yaml

from newdawn.simulator import names
from newdawn.simulator.engine import (
    abilities,
    choosing,
    culture,
    decisions,
    map,
    pieces,
    setup,
    start_effects,
    state,
    turn,
    winning,
)
from newdawn.simulator.engine.choosing import LOG_COMBAT
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.rules import load_ruleset, ruleset_contents
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.strategies.archetypes import choose_scripted, observe_options

BOTS = seat_strategies(choose_scripted, observe_options)
PASS = decisions.PASS
AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]  # the neighbours of (0, 0), clockwise from east
PAIRS = [(0, 1), (1, 0), (2, 0), (1, 2)]  # who acts, and against whom: a rule holds for every seat


class Combat(NamedTuple):
    """How a combat went: dice, totals with everything, and whether the attacker won."""

    attack_die: int
    attack: int
    defence_die: int
    defence: int
    won: bool


@cache
def printed_rules() -> np.record:
    """Return the printed rules, compiled once for all tests. Do not change them: use `Table.rules`."""
    return load_ruleset().compile()


@cache
def ti_rules() -> np.record:
    """Return the printed rules of Terra Incognita, compiled once for all tests. Do not change them: use `Table.rules`."""
    return load_ruleset(box="terra-incognita").compile()


@cache
def card_codes(box="base") -> dict[str, int]:
    """Return the code of each focus card of the box by its printed name, unique cards included."""
    data = load_ruleset(box=box).data
    standard = data["focus_cards"]["base" if box == "base" else "ti"].values()
    codes = {c["name"]: names.FOCUS_TYPES.index(c["type"]) * names.N_LEVELS + c["level"] - 1 for c in standard}
    if box != "base":
        leaders = ruleset_contents.entries(data, "leader")
        codes |= {data["leaders"][k]["unique_card"]["name"]: names.N_CARDS + i for i, k in enumerate(leaders)}
    return codes


def disc(radius: int) -> list[tuple[int, int]]:
    """Return the axial coordinates at most `radius` steps from (0, 0)."""
    line = range(-radius, radius + 1)
    return [(q, r) for q in line for r in line if abs(q + r) <= radius]


# The engine keeps spaces in a list. What a rule is about lies at both ends of it, where a loop that stops short misses it.
ENDS = [FIRST_SPACE, LAST_SPACE] = [disc(3)[0], disc(3)[-1]]  # (-3, 0) and (3, 0)


def inwards(space):
    """Return the neighbour of an end of the list towards the middle."""
    return (space[0] - (1 if space[0] > 0 else -1), 0)


def rules_with(tmp_path, box="base", **overlay) -> np.record:
    """Return the printed rules with an overlay, for example ``rules_with(tmp_path, rulings={"...": "..."})``."""
    path = tmp_path / "overlay.yaml"
    path.write_text(yaml.safe_dump(overlay), "utf-8")
    return load_ruleset([path], box=box).compile()


def ti_rules_with(tmp_path, **overlay) -> np.record:
    """Return the printed rules of Terra Incognita with an overlay."""
    return rules_with(tmp_path, "terra-incognita", **overlay)


@cache
def state_that_rolls(faces: tuple[int, ...], dice: int, sides: int) -> int:
    """Return the first state of a stream whose next rolls, each of so many dice, are these."""
    mix, below_bits = (getattr(function, "py_func", function) for function in (choosing.mix, choosing.below_bits))
    for start in range(1, 10_000_000, 5_000):
        states = np.arange(start, start + 5_000, dtype=np.uint64)
        drawn, fits = states, np.ones(len(states), bool)
        for face in faces:
            total = np.full(len(states), dice)
            for _ in range(dice):
                drawn = drawn + choosing.GAMMA
                total += below_bits(mix(drawn), sides)
            fits &= total == face
        if fits.any():
            return int(states[fits][0])
    raise AssertionError("no such dice")


def used_work() -> np.record:
    """Return a workspace in which earlier decisions have left something: nothing there may be relied on."""
    w = state.new_work()
    for field in ("option", "dist", "mark", "queue", "fresh"):
        w[field][:] = 3
    w.chain[:] = 3 + culture.CHAINED  # a token on space 3 that others may follow
    return w


class Table:
    """A game in the middle of nowhere. `g`, `r`, `w` are the game, the rules and the workspace."""

    def __init__(self, radius=3, leaders=("Rome", "Egypt"), terrain=None, spaces=None, victory=(), rules=None) -> None:
        """`terrain`: {(q, r): word}; `spaces`: list of (q, r) instead of the disc; `victory`: victory card codes in play."""
        self.r = printed_rules() if rules is None else rules
        self.g, self.w = state.new_state(), used_work()
        g = self.g
        g.players = len(leaders)
        g.round_cap = 100
        g.round_number = 1
        choosing.seed_streams(g, 1, 0)
        choosing.clear_question(self.w)
        setup.clear_spaces(g)
        setup.clear_things(self.r, g)
        setup.clear_seats(g)
        for p, leader in enumerate(leaders):
            g.leader[p] = written(self.r, "leader").index(leader)
            setup.seat_player(self.r, g, p)
        for face in range(1, 7):
            g.barbarian_die[face] = face - 1
        g.event = self.r.event_start
        g.supply[:] = self.r.resources_per_type
        self._lay(spaces if spaces is not None else disc(radius), terrain or {})
        g.victory_count = len(victory)
        g.victory_card[: len(victory)] = victory
        self.w.log_on = 1
        g.dirty = 0

    def _lay(self, spaces, terrain) -> None:
        g = self.g
        g.n_spaces = len(spaces)
        self.index = {}
        for s, (q, r) in enumerate(spaces):
            self.index[q, r] = s
            g.axial_q[s], g.axial_r[s], g.tile[s] = q, r, 1
            g.terrain[s] = names.TERRAINS.index(terrain.get((q, r), "grassland"))
        self.coordinates = list(spaces)
        map.rebuild_grid(g, self.w)
        map.connect(g, self.w)
        map.clear_grid(self.w)

    # --- names

    def at(self, space) -> int:
        """Return the index of the space at (q, r)."""
        return self.index[space]

    def spaces(self, *spaces) -> set[int]:
        """Return the indices of several spaces."""
        return {self.index[s] for s in spaces}

    def row_spaces(self, *columns) -> set[int]:
        """Return the indices of the spaces (q, 0)."""
        return self.spaces(*((q, 0) for q in columns))

    def holder(self, p, kind) -> int:
        """Return the holder of seat `p` with a card of the focus type (a word)."""
        return int(pieces.holder_of(self.r, self.g, p, names.FOCUS_TYPES.index(kind)))

    def refresh(self) -> None:
        """Write anew what everybody's leader, wonders and diplomacy cards give."""
        self.g.stale = abilities.ALL_SEATS
        abilities.refresh(self.r, self.g)

    def barbarian_at(self, letter):
        """Return the (q, r) of the barbarian, or None if it is not on the map."""
        s = int(self.g.barbarian_space[names.LETTERS.index(letter)])
        return self.coordinates[s] if s >= 0 else None

    # --- pieces

    def capital(self, p, space) -> None:
        pieces.found_capital(self.g, self.w, p, self.at(space))
        self.refresh()

    def city(self, p, space) -> None:
        pieces.put_city(self.r, self.g, self.w, p, self.at(space))
        self.refresh()

    def token(self, p, *spaces, reinforced=False) -> None:
        for space in spaces:
            pieces.put_token(self.g, self.w, p, self.at(space), names.REINFORCED if reinforced else names.TOKEN)
        self.refresh()

    def district(self, p, name, space, reinforced=False) -> None:
        """Put the district (a printed name) of seat `p` on the space."""
        pieces.put_district(self.g, self.w, p, self.at(space), names.DISTRICTS.index(name))
        if reinforced:
            pieces.flip_token(self.g, self.w, self.at(space), names.REINFORCED)
        self.refresh()

    def district_on(self, space) -> str | None:
        """Return the name of the district on the space, if there is one."""
        code = int(self.g.district[self.at(space)])
        return names.DISTRICTS[code - 1] if code else None

    def army(self, p, space, a=0) -> None:
        """Put army `a` of seat `p` on the space, or on its card for None."""
        pieces.army_to_card(self.g, p, a)
        if space is not None:
            pieces.put_army(self.g, self.w, p, a, self.at(space), 0)

    def fort(self, space, seat=0) -> None:
        """Make the space the fort that the seat has laid."""
        self.g.tile[self.at(space)] = names.FORT_TILE + seat
        self.g.terrain[self.at(space)] = names.FOREST

    def barbarian(self, letter, space, home=None) -> None:
        """Put the barbarian of the letter on the space; its printed space is `home`, or the same."""
        b, s = names.LETTERS.index(letter), self.at(space)
        self.g.barbarian_space[b] = s
        self.g.barbarian_home[b] = self.at(home) if home is not None else s
        self.g.barbarians[s] += 1

    def resource(self, kind, space) -> None:
        k = names.RESOURCES.index(kind)
        self.g.resource[self.at(space)] = k
        self.g.supply[k] -= 1

    def give_resources(self, p, **amounts) -> None:
        for kind, amount in amounts.items():
            self.g.resources[p, names.RESOURCES.index(kind)] += amount
            self.g.supply[names.RESOURCES.index(kind)] -= amount

    def natural_wonder(self, name, space) -> None:
        """Put the natural wonder on the space (its terrain becomes natural_wonder)."""
        i, s = written(self.r, "natural_wonder").index(name), self.at(space)
        self.g.natural_wonder[s] = i
        self.g.natural_wonder_space[i] = s
        self.g.natural_wonder_owner[i] = self.g.owner[s]
        self.g.terrain[s] = names.NATURAL_WONDER

    def city_state_code(self, name) -> int:
        return written(self.r, "city_state").index(name)

    def city_state(self, name, space) -> None:
        cs, s = self.city_state_code(name), self.at(space)
        self.g.city_state[s] = cs
        self.g.city_state_space[cs] = s
        self.g.city_state_owner[cs] = -1
        self.g.city_state_cards_left[cs] = self.r.city_state_copies[cs]

    def conquered(self, p, name, space) -> None:
        """Make the space a city-state that seat `p` has conquered: token on p's card, a city of p on the space."""
        self.city_state(name, space)
        cs = self.city_state_code(name)
        self.g.city_state[self.at(space)] = -1
        self.g.city_state_owner[cs] = p
        self.g.city_state_holder[cs] = pieces.holder_of(self.r, self.g, p, self.r.city_state_type[cs])
        self.city(p, space)

    def caravan(self, p, space, c=0) -> None:
        """Put caravan `c` of seat `p` on the space, or on its card for None, ready to set out."""
        pieces.caravan_to_card(self.g, p, c)
        self.g.caravan_home[c] = 0
        if space is not None:
            self.g.caravan[p, c] = self.at(space)
            self.g.caravans[self.at(space)] += 1

    def wonder(self, name, space) -> None:
        """Put the world wonder's token on the space: whoever has a city or token there controls it."""
        i, s = written(self.r, "wonder").index(name), self.at(space)
        self.g.wonder_space[i] = s
        self.g.wonder_token[s] = i
        self.g.wonder_place[i] = state.WONDER_BUILT
        self.refresh()

    def deck(self, *wonders) -> None:
        """Make the named wonders (all of one type) the deck of their type, as many face up as the rules say."""
        codes = [written(self.r, "wonder").index(name) for name in wonders]
        kind = self.r.wonder_type[codes[0]]
        self.g.deck[kind, : len(codes)] = codes
        self.g.deck_size[kind], self.g.deck_next[kind] = len(codes), 0
        self.g.wonder_place[codes] = state.WONDER_DECK
        self.g.wonder_place[codes[: self.r.face_up_wonders]] = state.WONDER_FACE_UP

    def diplomacy(self, p, giver, card) -> None:
        """Seat `p` holds the giver's diplomacy card (a printed name)."""
        self.g.diplomacy[giver, written(self.r, "diplomacy").index(card)] = p
        self.refresh()

    def city_state_card(self, p, name) -> None:
        """Seat `p` holds a diplomacy card of the city-state (which need not be on the map)."""
        cs = self.city_state_code(name)
        self.g.city_state_cards[cs, p] = 1
        self.g.city_state_cards_left[cs] -= 1
        self.refresh()

    # --- cards

    def card(self, p, name) -> int:
        """Put the focus card into the row of seat `p` in place of the one of its type; return its holder."""
        code = card_codes(names.BOXES[self.r.box])[name]
        h = self.holder(p, names.FOCUS_TYPES[self.r.card_type[code]])
        self.g.card[p, h] = code
        for c in range(max(0, int(self.r.card_caravans[code]))):
            if self.g.caravan[p, c] < state.ON_CARD:
                self.g.caravan[p, c] = state.ON_CARD
        pieces.gain_armies(self.r, self.g, p, code)
        return h

    def card_in_place_of(self, p, kind, name) -> int:
        """Put a card of another type in the place of the one of this type, as Oxford University allows; return its holder."""
        h = self.holder(p, kind)
        self.g.card[p, h] = card_codes()[name]
        return h

    def trade(self, p, kind, amount) -> None:
        """Set the trade tokens on the card of the focus type."""
        self.g.trade[p, self.holder(p, kind)] = amount

    def trade_on(self, p, kind) -> int:
        return int(self.g.trade[p, self.holder(p, kind)])

    def slot_of(self, p, kind) -> int:
        """Return the slot number where the card of the focus type lies now."""
        return int(self.r.slot_number[turn.place_of(self.r, self.g, p, self.holder(p, kind))])

    def row(self, p) -> list[str]:
        """Return the focus types of the row from the left."""
        return [names.FOCUS_TYPES[self.r.card_type[self.g.card[p, h]]] for h in self.g.row[p, : self.r.slots]]

    # --- play

    def script(self, *choices) -> None:
        """Script choices as (decision kind, option value); values may be (q, r) for spaces. Replaces an earlier script."""
        w = self.w
        w.script_pos, w.script_n, w.asked_n, w.asked_options_n = 0, len(choices), 0, 0
        for i, (kind, value) in enumerate(choices):
            w.script[i, 0] = kind
            w.script[i, 1] = self.index[value] if isinstance(value, tuple) else value

    def script_done(self) -> bool:
        """Was every scripted choice asked for, in order?"""
        return self.w.script_pos == self.w.script_n

    def require_script_done(self) -> None:
        w = self.w
        if not self.script_done():
            kind, value = w.script[w.script_pos]
            raise AssertionError(
                f"never asked: {decisions.KINDS[kind]} {value} (choice {w.script_pos}); asked: {self.asked_kinds()}"
            )

    def dice(self, *faces) -> None:
        """Choose the next dice of the dice stream."""
        self.g.rng[state.STREAM_DICE] = state_that_rolls(faces, int(self.r.dice), int(self.r.die_sides))

    def resolve(self, p, card, slot) -> None:
        """Let seat `p` resolve the named focus card as if from the slot; then settle agendas."""
        self.g.current = p
        h = self.card(p, card)
        winning.settle(self.r, self.g, self.w, BOTS)
        turn.resolve_card(self.r, self.g, self.w, BOTS, p, h, abilities.place_of_slot(self.r, slot), turn.CHOSEN)
        self.require_script_done()

    def attack(self, p, card, slot, target, dice, *choices, barbarian=False) -> Combat:
        """Let seat `p` attack the target with the card from the slot; dice: attacker's, defender's; then more choices."""
        option = self.at(target) + (decisions.BARBARIAN_OPTION if barbarian else 0)
        code = card_codes(names.BOXES[self.r.box])[card]
        first = [] if self.r.card_attack_and_reinforce[code] else [(decisions.MILITARY, decisions.MILITARY_ATTACK)]
        self.script(*first, (decisions.ATTACK, option), *choices)
        self.dice(*dice)
        self.resolve(p, card, slot)
        return self.combats()[-1]

    def beat(self, space, by=0) -> None:
        """Let seat `by` take the city or token on the space by an attack that cannot fail."""
        self.dice(6, 1)
        self.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, space))
        self.resolve(by, "Flight", slot=5)
        assert self.owner(space) == by

    def combats(self) -> list[Combat]:
        """Return every combat since the table was laid."""
        rows = self.w.log[: self.w.log_n].tolist()
        return [Combat(row[2], row[3], row[4], row[5], bool(row[6])) for row in rows if row[0] == LOG_COMBAT]

    def start_of_turn(self, *choices, p=0) -> None:
        """Let seat `p` use what it may use at the start of its turn."""
        self.g.current = p
        self.script(*choices)
        self.call(start_effects.start_of_turn, p)
        self.require_script_done()

    def take_turn(self, p) -> None:
        """Let seat `p` take a whole turn (script the CARD choice: place in the row, 0 = leftmost)."""
        self.g.current = p
        winning.settle(self.r, self.g, self.w, BOTS)
        turn.take_turn(self.r, self.g, self.w, BOTS)
        self.require_script_done()

    def call(self, function, *arguments):
        """Call an engine function of the form f(r, g, w, bots, …) and settle."""
        result = function(self.r, self.g, self.w, BOTS, *arguments)
        winning.settle(self.r, self.g, self.w, BOTS)
        return result

    # --- what was asked

    def asked(self) -> list[tuple[int, int, list[int]]]:
        """Return every decision asked since the last `script`: (kind, seat, options)."""
        w = self.w
        out = []
        for kind, seat, n, start in w.asked[: w.asked_n].tolist():
            out.append((kind, seat, w.asked_options[start : start + n].tolist()))
        return out

    def asked_kinds(self) -> list[str]:
        return [decisions.KINDS[kind] for kind, _, _ in self.asked()]

    def offers(self, kind) -> list[list[int]]:
        """Return the options (with PASS) of every decision of the kind."""
        return [options for k, _, options in self.asked() if k == kind]

    def options(self, kind, nth=0) -> set[int]:
        """Return the options (without PASS) of the nth decision of the kind; empty if it was never asked.

        A matter with a single option (PASS included) is settled without asking.
        """
        found = [options for k, _, options in self.asked() if k == kind]
        return set(found[nth]) - {PASS} if nth < len(found) else set()

    # --- what holds

    def owner(self, space) -> int:
        return int(self.g.owner[self.at(space)])

    def piece(self, space) -> str:
        return names.PIECES[self.g.piece[self.at(space)]]

    def controls(self, p, wonder) -> bool:
        return bool(pieces.controls(self.g, p, written(self.r, "wonder").index(wonder)))

    def mature(self, p, space) -> bool:
        return bool(pieces.is_mature(self.r, self.g, p, self.at(space)))

    def difficulty(self, p, space) -> int:
        return int(map.difficulty(self.r, self.g, p, self.at(space)))


def table_with(*capitals, rules=None, **how) -> Table:
    """Return a table with the capitals of seats 0, 1, … on these spaces."""
    t = Table(rules=rules, **how)
    for p, space in enumerate(capitals):
        t.capital(p, space)
    return t


def ti_table_with(*capitals, rules=None, **how) -> Table:
    """Return a table of Terra Incognita with the capitals of seats 0, 1, … on these spaces."""
    return table_with(*capitals, rules=ti_rules() if rules is None else rules, **how)


def row_with_capital(length=8, **how) -> Table:
    """Return a single row of spaces from (0, 0) eastwards, the capital of seat 0 at its west end."""
    return table_with((0, 0), spaces=[(q, 0) for q in range(length)], **how)


def table_with_the_rival_far_off(rules=None, radius=4, **how) -> Table:
    """Return a table of Terra Incognita: the capital of seat 0 in the middle, that of seat 1 at the west end."""
    return ti_table_with((0, 0), (-radius, 0), rules=rules, radius=radius, **how)


def table_with_wonder(wonder=None, holder="own", radius=4, leaders=("Egypt", "Aztec"), **how) -> Table:
    """Return a table with capitals at (0, 0) and (-4, 0); the wonder is seat 0's ("own"), the "rival"'s or "nobody"'s."""
    t = table_with((0, 0), (-4, 0), radius=radius, leaders=leaders, **how)
    if wonder:
        t.wonder(wonder, {"own": (0, 0), "rival": (-4, 0), "nobody": (0, 4)}[holder])
    return t


def table_of_three(p, q, **how) -> Table:
    """Return a table of three seats with the capitals of seats `p` and `q`, three spaces apart."""
    t = Table(leaders=("Egypt", "Aztec", "Egypt"), **how)
    t.capital(p, (0, 0))
    t.capital(q, (3, 0))
    return t


@cache
def rules_of_rome(abilities, box="base") -> np.record:
    """Return the rules of the box under which Rome has the abilities (as JSON), Egypt and the Aztecs none."""
    leaders = {"rome": {"abilities": json.loads(abilities)}, "egypt": {"abilities": []}, "aztec": {"abilities": []}}
    return with_overlay(load_ruleset(box=box), {"leaders": leaders}, "test").compile()


def rome_with(*abilities, p=0, q=1, seats=3, box="base", **how) -> Table:
    """Return a table where seat `p` is Rome with the abilities, its capital in the middle, that of seat `q` at (0, 3)."""
    leaders = ["Egypt", "Egypt", "Aztec"][:seats]
    leaders[p] = "Rome"
    t = Table(leaders=leaders, rules=rules_of_rome(json.dumps(abilities), box), **how)
    t.capital(p, (0, 0))
    t.capital(q, (0, 3))
    t.g.current = p
    return t


NOWHERE = (
    "owner", "natural_wonder", "wonder_token", "city_state", "resource", "wonder_space", "city_state_guest", "neighbour",
    "card", "diplomacy", "natural_wonder_holder", "city_state_holder", "natural_wonder_space", "city_state_space",
    "district_space", "row", "cities", "capital", "government", "given_card", "barbarian_space",
)  # fmt: skip
NOT_THERE = ("natural_wonder_owner", "city_state_owner", "caravan", "army")


def bare_state(players=3, line=0) -> np.record:
    """Return a state with nothing in it; `line`: that many spaces of grassland in a row."""
    g = state.new_state()
    for field in NOWHERE:
        g[field] = -1
    for field in NOT_THERE:
        g[field] = -2
    g.players, g.round_number, g.n_spaces = players, 1, line
    for s in range(line):
        g.neighbour[s, 0] = s + 1 if s + 1 < line else -1
        g.neighbour[s, 3] = s - 1
        g.axial_q[s], g.tile[s] = s, 1
    return g


HOME_TILE, AWAY_TILE, WILD_TILE = 7, 9, 3  # two capital tiles and one without a star
STACK = [13, 12, 5]  # tiles that can be explored


def three_tiles(stack=STACK, rules=None, **how) -> Table:
    """Return a disc of three tiles of the expansion: seat 0's home around (-2, 0), seat 1's around (2, 0), a tile without a
    capital between."""
    t = ti_table_with((-2, 0), (2, 0), rules=rules, **how)
    for (q, r), s in t.index.items():
        t.g.tile[s] = HOME_TILE if q + r / 2 < -1 else AWAY_TILE if q + r / 2 > 1 else WILD_TILE
    t.g.stack[: len(stack)] = stack
    t.g.stack_n = len(stack)
    return t


assert names.CITY < names.CAPITAL
