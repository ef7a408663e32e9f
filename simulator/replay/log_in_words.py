"""The turn log in words: every decision, and what effects without a decision did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import atan2, pi, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from .. import names
from ..compile_cache import same_games, source_digest
from ..engine import choosing, decisions, state
from ..engine.pieces import CONQUERED
from ..engine.start_effects import NTH, start_ability
from ..errors import FIRST_SEAT, UserError, listed
from ..rules import codes
from ..rules.ruleset_contents import PRINTED, name_of, written
from ..runs import manifest, run_folder
from ..runs.run import Player
from ..runs.run_folder import Place
from ..runs.verify import sample_games
from .expansion_words import COMBAT_CHOICES, EXPANSION_CHOICES, CombatWords, ExpansionWords, figure_to, named
from .space_names import place_name, space_name

# --- The turn log in plain English
#
# Spaces are named by their axial coordinates (spaces.py), the same names the board picture prints: a letter for the column q
# and a number for the row r. One step east or west changes the letter, one step south-east or north-west the number, one step
# north-east or south-west both. Seats are numbered from 1, as people count; the program and its tables count from 0.

ROMAN = ("0", "I", "II", "III", "IV")
SIDES = "AB"
DIRECTIONS = ("east", "south-east", "south-west", "west", "north-west", "north-east")
SIXTY = 60
ICON_WORDS = {
    names.ICON_BARBARIANS_APPEAR: "beaten barbarians appear again",
    names.ICON_BARBARIANS_MOVE: "barbarians move",
    names.ICON_TRADE: "trade: a token for each mature city",
    names.ICON_DISTRICTS: "districts",
    names.ICON_GOVERNMENT: "government",
    names.ICON_WONDER: "a trade token on each face-up wonder",
}
CARD_WHY = ("plays", "Estadio do Maracana: resolves", "Venetian Arsenal: resolves again", "Capitalism: resolves")
WHY_EFFECTS = (-1, codes.EXTRA_CARD, codes.REPEAT_CARD, -1)  # what house rules may give others, too
BARBARIAN_DEEDS = (
    "barbarian {0} moves from {1} to {2}",
    "barbarian {0} appears at {2}",
    "barbarian {0} is beaten at {1} and leaves the map",
    "barbarian {0} is thrown back from {1} to {2}",
    "barbarian {0} is pushed from {1} to {2}",
    "barbarian {0} is barred and turns round, from {1} to {2}",
    "barbarian {0} turns back at the map's edge, from {1} to {2}",
)
CITY_STATE_DEEDS = (
    "conquers {}",
    "frees {}",
    "{} is free again",
    "uses {} as its own city this turn",
    "has {} as its own city no longer",
)

CODES = {name: value for name, value in vars(choosing).items() if name.startswith("LOG_") and name != "LOG_COLUMNS"}

# Choices of these kinds leave no other row in the log, so they always get a line.
TOLD_CHOICES = {
    decisions.START_EFFECT: "at the start of the turn: {}",
    decisions.STRIKE: "strikes around {}",
    decisions.NAME_TOKEN: "names the control token on {}",
    decisions.YIELD_TOKEN: "gives up the control token on {}",
    decisions.MILITARY: "chooses to {}",
    decisions.ALLY: "chooses {} as an ally",
}
# What effects at the start of a turn do, where they have no card's name.
START_DEEDS = {
    decisions.START_EFFECTS[decisions.START_KIND[code]]: effect.does
    for code, effect in enumerate(codes.EFFECT.values())
    if effect.does
}
# Rows that end what was going on.
BEGINNINGS = frozenset(
    {
        choosing.LOG_ROUND,
        choosing.LOG_TURN,
        choosing.LOG_EVENT,
        choosing.LOG_CARD,
        choosing.LOG_RESET,
        choosing.LOG_DISTRICT_USED,
        choosing.LOG_ABILITY,
    }
)
# Declining these is worth a line: it explains a turn in which little happens.
TOLD_PASSES = frozenset({decisions.INDUSTRY, decisions.MILITARY, decisions.UPGRADE})
# Declining these leaves no trace and reads like noise.
YES_NO = frozenset({decisions.EXTRA_ECONOMY, decisions.REPEAT_CARD, decisions.CONQUER_VISITED})


# Trade tokens given for these pay for a control token, which the log has before them.
PAYS_FOR_TOKENS = frozenset({decisions.SOURCE_CULTURE, decisions.SOURCE_BORDER})

# Where abilities are, in the RULES record: `leader_first`, `leader_n` …
HOLDERS = ("leader", "given_card", "wonder", "city_state", "natural_wonder", "diplomacy", "card")
# Keys of an ability by which it is held back at its moment (abilities.BY_*).
HELD_BACK = ("", "target", "type", "terrain", "giver", "once", "if unless", "cause")
# Deeds whose doing leaves no row, so that they are told anyway.
WITHOUT_A_ROW = frozenset({codes.ALLIANCE, codes.OWN_FUNCTION})


def own_ability(row: Sequence[int]) -> int:
    """Return the row in RULES of the ability of house rules that a row of the log names, or -1."""
    if row[0] == choosing.LOG_ABILITY:
        return int(row[2])
    if row[0] == choosing.LOG_RESOURCE:
        return int(row[4]) - 1
    if row[0] == choosing.LOG_TRADE:
        return int(row[6]) - 1 if row[3] > 0 else -1
    return int(row[5]) - 1 if row[0] == choosing.LOG_TRADE_LOST else -1


def changes_hands(row: Sequence[int], earlier: Sequence[int] | None = None) -> bool:
    """Say whether a row sets a wonder free; with `earlier`, whether it gives the wonder freed there a new owner."""
    if row[0] not in (choosing.LOG_WONDER_MOVED, choosing.LOG_NATURAL_WONDER):
        return False
    if earlier is None:
        return row[1] < 0
    return row[1] >= 0 and row[0] == earlier[0] and list(row[2:4]) == list(earlier[2:4])


def nothing_done(later: Iterable[Sequence[int]], districts: bool = False) -> bool:
    """Say whether the rows hold nothing but choices up to the next of BEGINNINGS; with `districts`, using one is a deed."""
    for row in later:
        if row[0] in BEGINNINGS and not (districts and row[0] == choosing.LOG_DISTRICT_USED):
            return True
        if row[0] == choosing.LOG_CHOICE and row[2] == decisions.START_EFFECT:
            return True
        if row[0] != choosing.LOG_CHOICE:
            return False
    return True


def is_named_after(row: Sequence[int], later: Iterable[Sequence[int]]) -> bool:
    """Say whether a choice at the start of a turn uses an ability of house rules, which the row after it names."""
    if row[2] != decisions.START_EFFECT:
        return False
    effect = next((other for other in later if other[0] != choosing.LOG_CHOICE), row)
    return own_ability(effect) >= 0


def has_come_true(row: Sequence[int], later: Iterable[Sequence[int]]) -> bool:
    """Say whether a choice of TOLD_CHOICES had an effect, by the rows after it.

    An alliance always has one, and a user's own function is taken to have one.
    """
    kind, value = row[2], row[3]
    if kind not in TOLD_CHOICES or value == decisions.PASS or kind == decisions.ALLY:
        return True
    if kind == decisions.START_EFFECT and value % NTH == decisions.FX_OWN_FUNCTION:
        return True
    return not nothing_done(later, districts=True)


def before_token(rows: Sequence[Sequence[int]], seat: int) -> int:
    """Return the place before the control token of the seat that came last, and what it took; the end if that was not all."""
    taken = (choosing.LOG_RESOURCE, choosing.LOG_NATURAL_WONDER)
    place = len(rows)
    while place > 0 and rows[place - 1][0] in taken and rows[place - 1][1] == seat:
        place -= 1
    is_token = place > 0 and rows[place - 1][0] == choosing.LOG_TOKEN and rows[place - 1][1] == seat
    return place - 1 if is_token else len(rows)


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return "1 token", "2 tokens"."""
    return f"{number} {noun if abs(number) == 1 else nouns or noun + 's'}"


class LogSentences(CombatWords, ExpansionWords):
    """Turns the log rows of one game into sentences; keeps what later sentences need: cards, the running attack."""

    def __init__(self, r: Any, g: Any, card_names: Sequence[str] | None = None, choices: bool = False) -> None:
        self.r = r
        self.g = g
        self.titles = SimpleNamespace(**{kind: written(r, kind) for kind in (*PRINTED, "agenda")})
        self.card_names = tuple(card_names or (name_of(r, "card", code) for code in range(names.MAX_CARDS)))
        self.choices = choices
        self.current = -1
        self.part = "set-up"  # of the game: "set-up", "event" or "turn"
        self.acting_slot = 0
        self.attack: dict[str, int] = {}
        self.spent = [0] * len(g.leader)
        self.cards = [[int(card) for card in seat] for seat in g.card]
        self.teller: dict[int, Callable[..., str]] = {value: getattr(self, name.lower()) for name, value in CODES.items()}

    # ------------------------------------------------------------------ names of things

    def leader(self, seat: int) -> str:
        if seat < 0:
            return "nobody"
        return named(self.titles.leader, int(self.g.leader[seat]), "player") + f" (seat {seat + FIRST_SEAT})"

    def short(self, seat: int) -> str:
        return named(self.titles.leader, int(self.g.leader[seat]), "player") if seat >= 0 else "nobody"

    def place(self, space: int) -> str:
        """Return a space's coordinates and what it is: ``C12 (hills)``."""
        if space < 0:
            return "off the map"
        if space >= int(self.g.n_spaces):
            return space_name(self.g, space)
        return f"{space_name(self.g, space)} ({self.ground(space)})"

    def ground(self, space: int) -> str:
        g = self.g
        if g.natural_wonder[space] >= 0:
            return self.titles.natural_wonder[g.natural_wonder[space]]
        for cs in range(int(self.r.n_city_states)):
            if g.city_state_owner[cs] > -2 and g.city_state_space[cs] == space:
                return self.titles.city_state[cs]
        return names.TERRAINS[g.terrain[space]]

    def card(self, card: int) -> str:
        if not 0 <= card < int(self.r.n_cards):
            return "no card"
        return f"{self.card_names[card]} ({names.FOCUS_TYPES[self.r.card_type[card]]} {ROMAN[self.r.card_level[card]]})"

    def held(self, seat: int, holder: int) -> str:
        if holder == decisions.BANK:
            return "Great Zimbabwe"
        if seat < 0 or not 0 <= holder < names.N_TYPES:
            return "no card"
        return self.card(self.cards[seat][holder])

    def slot_of(self, place: int) -> int:
        return int(self.r.slot_number[place]) if 0 <= place < len(self.r.slot_number) else place + 1

    def slot(self, place: int) -> str:
        """Return a place of the row by its slot number; of two slots with the same number (T2.1) also which (T2.2)."""
        number = self.slot_of(place)
        twin = place in (0, 1) and self.slot_of(0) == self.slot_of(1)
        return f"{number} ({('far left', 'second')[place]})" if twin else str(number)

    def token(self, district: int) -> str:
        """Return the name of a district (1 + its code), or "control token" for 0."""
        return named(names.DISTRICTS, district - 1, "control token")

    def holder_of(self, row: int) -> str:
        """Return the name of the leader, wonder, card or token that has the ability in this row of RULES."""
        for kind in HOLDERS:
            firsts, numbers = self.r[f"{kind}_first"], self.r[f"{kind}_n"]
            for code in range(len(firsts)):
                if int(firsts[code]) <= row < int(firsts[code]) + int(numbers[code]):
                    return self.card_names[code] if kind == "card" else name_of(self.r, kind, code)
        return "everyone"

    def ability(self, row: int) -> str:
        """Return whose ability is in this row of RULES, and its effect: ``Rome: trade tokens``."""
        return f"{self.holder_of(row)}: {codes.EFFECTS[self.r.ability_effect[row]].replace('_', ' ')}"

    def because(self, source: int, row: int) -> str:
        """Return the end of a sentence that says why: the ability of house rules in this row of RULES, or a SOURCE_*."""
        if row >= 0:
            return f" [{self.ability(row)}]"
        return f" [{decisions.SOURCES[source]}]" if 0 <= source < len(decisions.SOURCES) else ""

    def who(self, seat: int) -> str:
        """Return the subject of a sentence: "" for the player whose turn it is."""
        return "" if seat == self.current or seat < 0 else self.leader(seat) + " "

    # ------------------------------------------------------------------ rows to lines

    def lines(self, rows: Iterable[Sequence[int]]) -> list[str]:
        """Return the indented lines of the rows, in order; rows that repeat another give no line."""
        lines = []
        rows = self.condensed([[int(number) for number in row] for row in rows])
        for k, row in enumerate(rows):
            text = self.sentence(row)
            if text:
                lines.append("  " * self.depth(row[0]) + text + self.vainly(row, rows[k + 1 :]))
        return lines

    def vainly(self, row: Sequence[int], later: Sequence[Sequence[int]]) -> str:
        """Return the end of a sentence about a deed without effect, by the rows after it; "" for others."""
        if row[0] == choosing.LOG_CARD and later and later[0][0] in (choosing.LOG_RESET, choosing.LOG_CARD):
            return " and does nothing"
        if row[0] == choosing.LOG_DISTRICT_USED and row[4] >= 0 and nothing_done(later):
            return ", and nothing comes of it"
        if row[0] == choosing.LOG_ABILITY and self.r.ability_effect[row[2]] not in WITHOUT_A_ROW and nothing_done(later):
            return ", and nothing comes of it"
        return ""

    def condensed(self, rows: list[list[int]]) -> list[list[int]]:
        """Return the rows without those that the next rows undo, with trade tokens gained or given one by one added up.

        Where not all choices are shown, trade tokens stand before the control token that they pay for (B5.1).
        """
        condensed: list[list[int]] = []
        for k, row in enumerate(rows):
            if changes_hands(row) and any(changes_hands(other, row) for other in rows[k + 1 : k + 6]):
                continue
            if self.choices:
                condensed.append(row)
                continue
            if row[0] == choosing.LOG_CHOICE:
                later = rows[k + 1 :]
                if self.is_told(row[2], row[3]) and not is_named_after(row, later) and has_come_true(row, later):
                    condensed.append(row)
                continue
            last = condensed[-1] if condensed else row
            same = last is not row and row[0] == choosing.LOG_TRADE and [*last[:3], last[4]] == [*row[:3], row[4]]
            if same and last[3] * row[3] > 0 and own_ability(last) == own_ability(row):
                resources = last[6] if row[3] > 0 else last[6] + row[6]
                condensed[-1] = [*last[:3], last[3] + row[3], last[4], last[5] + row[5], resources]
            elif row[0] == choosing.LOG_TRADE and row[3] < 0 and row[4] in PAYS_FOR_TOKENS:
                condensed.insert(before_token(condensed, row[1]), row)
            else:
                condensed.append(row)
        return condensed

    def is_told(self, kind: int, value: int) -> bool:
        """Say whether a choice gets a line where not all choices are shown."""
        declined = value == decisions.PASS and kind not in YES_NO
        return kind in (TOLD_PASSES if declined else TOLD_CHOICES)

    def depth(self, code: int) -> int:
        if code in (choosing.LOG_ROUND, choosing.LOG_WIN):
            return 0
        once_a_round = (choosing.LOG_TURN, choosing.LOG_EVENT, choosing.LOG_FIRST, choosing.LOG_WONDER_DRAFTED)
        if code in once_a_round or self.part == "set-up":
            return 1
        return 2 if self.part == "event" or code in (choosing.LOG_CARD, choosing.LOG_RESET, choosing.LOG_AGENDA) else 3

    def sentence(self, row: Sequence[int]) -> str:
        """Return the sentence of one row; "" for a choice without a line."""
        code, seat, *rest = (int(number) for number in row)
        tell = self.teller.get(code)
        if tell is None:
            return f"unknown log code {code}: {rest}"
        return tell(seat, *rest)

    def log_round(self, seat, number, *_):
        self.current = -1
        return f"Round {number}"

    def log_turn(self, seat, number, *_):
        self.current, self.part = seat, "turn"
        return f"Turn {number}: {self.leader(seat)}"

    def log_event(self, seat, section, icons, *_):
        events = [text for bit, text in ICON_WORDS.items() if icons & bit]
        self.current, self.part = -1, "event"
        return f"Event dial to section {section + 1}: {', '.join(events) or 'nothing happens'}"

    def log_card(self, seat, place, slot, card, why, acts, *_):
        self.acting_slot = acts
        acting = "" if self.slot_of(place) == acts else f", acting as slot {acts}"
        return f"{self.who(seat)}{self.card_why(seat, why)} {self.card(card)} from slot {self.slot(place)}{acting}"

    def card_why(self, seat: int, why: int) -> str:
        """Return by what a card is resolved: that it is played, or the card or ability of house rules that adds it."""
        text = named(CARD_WHY, why, "plays")
        own = [row for row in self.own_rows() if self.r.ability_effect[row] == WHY_EFFECTS[why] and self.may_have(seat, row)]
        if why == 0 or not own:
            return text
        printed, deed = text.split(": ")
        holders = [self.holder_of(row) for row in own]
        built = any(self.g.wonder_space[k] >= 0 for k, name in enumerate(self.titles.wonder) if name == printed)
        return f"{' or '.join(dict.fromkeys([*holders, *[printed] * built]))}: {deed}"

    def own_rows(self) -> list[int]:
        """Return the rows in RULES of the abilities of house rules."""
        return [row for row in range(int(self.r.n_abilities)) if self.r.ability_own[row]]

    def may_have(self, seat: int, row: int) -> bool:
        """Say whether a seat may have the ability: those of another leader are out."""
        leader = int(self.g.leader[seat])
        firsts, numbers = self.r.leader_first, self.r.leader_n
        others = [code for code in range(len(firsts)) if int(firsts[code]) <= row < int(firsts[code]) + int(numbers[code])]
        return not others or others[0] == leader

    def log_reset(self, seat, holder, place, *_):
        return f"{self.who(seat)}resets {self.held(seat, holder)} from slot {self.slot(place)}"

    def log_token(self, seat, space, piece, *_):
        side = "reinforced " if piece == names.REINFORCED else ""
        return f"{self.who(seat)}places a {side}control token on {self.place(space)}"

    def log_token_off(self, seat, space, cause, district, *_):
        if cause == seat:
            return f"{self.who(seat)}takes its own {self.token(district)} off {self.place(space)}"
        by = "a barbarian" if cause < 0 else self.short(cause)
        return f"the {self.token(district)} of {self.leader(seat)} on {self.place(space)} is removed by {by}"

    def log_token_flip(self, seat, space, piece, district, *_):
        side = "reinforced" if piece == names.REINFORCED else "turned to its unreinforced side"
        return f"the {self.token(district)} of {self.leader(seat)} on {self.place(space)} is {side}"

    def log_city(self, seat, space, displaced, district, *_):
        instead = f" in place of its own {self.token(district)}" if displaced else ""
        return f"{self.who(seat)}places a city on {self.place(space)}{instead}"

    def log_city_lost(self, seat, space, taker, *_):
        how = "destroyed by a barbarian" if taker < 0 else f"lost to {self.short(taker)}"
        return f"the city of {self.leader(seat)} on {self.place(space)} is {how}"

    def log_resource(self, seat, resource, amount, ability, *_):
        verb = "gets" if amount >= 0 else "pays"
        return f"{self.who(seat)}{verb} {abs(amount)} {named(names.RESOURCES, resource)}{self.because(-1, ability - 1)}"

    def log_ability(self, seat, row, *_):
        return f"{self.who(seat)}uses an ability{self.because(-1, row)}"

    def log_moment(self, seat, row, space, why, *_):
        by = f"is held back by its {named(HELD_BACK, why)}" if why else "acts"
        return f"an ability of {self.leader(seat)} {by}{self.because(-1, row)}"

    def log_natural_wonder(self, seat, wonder, space, *_):
        name = named(self.titles.natural_wonder, wonder)
        if seat < 0:
            return f"the token of {name} goes back to its space at {space_name(self.g, space)}"
        return f"{self.who(seat)}takes the token of {name} from {space_name(self.g, space)}"

    def log_trade(self, seat, holder, amount, source, staying, resources, *_):
        if amount < 0 and seat >= 0 and self.attack:
            self.spent[seat] -= amount
        because = self.because(source, resources - 1 if amount >= 0 else -1)
        card = self.held(seat, holder)
        if amount >= 0:
            return f"{self.who(seat)}gets {count(amount, 'trade token')} on {card}{because}"
        given = -amount - staying - resources
        spent = [f"gives {count(given, 'trade token')} from {{}}"] * (given > 0)
        if staying:
            spent.append(f"uses {count(staying, 'token')} that stay{'s' * (staying == 1)} on {{}}")
        if resources:
            spent.append(
                f"uses {count(resources, 'resource')} as {'a trade token' if resources == 1 else 'trade tokens'} of {{}}"
            )
        deeds = ", ".join(deed.format("it" if k else card) for k, deed in enumerate(spent))
        return f"{self.who(seat)}{deeds}{because}"

    def log_dial(self, seat, old, new, *_):
        return f"{self.who(seat)}moves the technology dial from {old} to {new}"

    def log_upgrade(self, seat, holder, old, new, caravans, armies):
        if seat >= 0 and 0 <= holder < names.N_TYPES:
            self.cards[seat][holder] = new
        brought = [count(caravans, "caravan")] * (caravans > 0) + [count(armies, "army", "armies")] * (armies > 0)
        bringing = f", which brings {listed(brought)}" if brought else ""
        return f"{self.who(seat)}replaces {self.card(old)} with {self.card(new)}{bringing}"

    def log_caravan(self, seat, caravan, start, end, *_):
        whose = f"caravan {caravan + 1}" if seat == self.current else f"caravan {caravan + 1} of {self.leader(seat)}"
        if end == state.NOT_OWNED:
            return f"{whose} leaves the game" + (" from its card" if start < 0 else f" from {self.place(start)}")
        if end < 0:
            return f"{whose} goes back to its card" + ("" if start < 0 else f" from {self.place(start)}")
        return f"{whose} moves from {'its card' if start < 0 else self.place(start)} to {self.place(end)}"

    def log_arrival(self, seat, caravan, space, state, owner, *_):
        goal = named(self.titles.city_state, state) if state >= 0 else f"a city of {self.short(owner)}"
        return f"{self.who(seat)}caravan {caravan + 1} arrives at {goal} on {space_name(self.g, space)}"

    def log_diplomacy(self, seat, kind, giver, card, taken, *_):
        if kind == 1:
            card_name = f"the diplomacy card of {named(self.titles.city_state, giver)}"
        else:
            card_name = f"{named(self.titles.diplomacy, card)} of {self.short(giver)}"
        return f"{self.who(seat)}{'takes' if taken else 'gives back'} {card_name}"

    def log_wonder(self, seat, wonder, space, *_):
        return f"{self.who(seat)}builds {self.wonder(wonder)} in the city on {self.place(space)}"

    def log_wonder_moved(self, seat, wonder, space, old, *_):
        if seat < 0:
            return f"{self.wonder(wonder)} lies in ruins on {self.place(space)}, lost by {self.short(old)}"
        before = f", which {self.short(old)} had" if old >= 0 and old != seat else ""
        return f"{self.leader(seat)} now controls {self.wonder(wonder)} on {self.place(space)}{before}"

    def log_wonder_revealed(self, seat, wonder, *_):
        return f"{self.wonder(wonder)} is turned up"

    def log_wonder_drafted(self, seat, wonder, *_):
        return f"{self.leader(seat)} drafts {self.wonder(wonder)}"

    def log_first(self, seat, *_):
        return f"{self.leader(seat)} is the first player"

    def start_effect(self, seat: int, value: int) -> str:
        """Return the printed name of what is used at the start of a turn; of an ability of house rules, whose it is and its
        effect."""
        place = int(start_ability(self.r, self.g, seat, value)) if seat >= 0 else -1
        row = int(self.g.listed[seat][place]) if place >= 0 else -1
        if row >= 0 and self.r.ability_own[row]:
            return self.ability(row)
        return named(decisions.START_EFFECTS, value)

    def wonder(self, wonder: int) -> str:
        if not 0 <= wonder < len(self.titles.wonder):
            return "no wonder"
        r = self.r
        kind = names.FOCUS_TYPES[r.wonder_type[wonder]]
        era = named(names.ERAS, int(r.wonder_era[wonder]))
        return f"{self.titles.wonder[wonder]} ({era} {kind} wonder, cost {int(r.wonder_cost[wonder])})"

    def log_city_state(self, seat, state, event, holder, *_):
        deed = named(CITY_STATE_DEEDS, event).format(named(self.titles.city_state, state))
        token = f", whose token goes on {self.held(seat, holder)}" if event == CONQUERED else ""
        return self.who(seat) * (event != 2) + deed + token

    # ------------------------------------------------------------------ barbarians, victory, set-up

    def log_barbarian(self, seat, letter, start, end, event, *_):
        name = named(names.LETTERS, letter, "?")
        if start == end:
            return f"barbarian {name} is {'barred' if event == 5 else 'turned back at the edge'} and stays on {self.place(end)}"
        return named(BARBARIAN_DEEDS, event, BARBARIAN_DEEDS[0]).format(name, self.place(start), self.place(end))

    def log_barbarian_die(self, seat, die, direction, *_):
        return f"the barbarian die shows {die}: {named(DIRECTIONS, direction)}"

    def agenda(self, card: int, which: int) -> str:
        return named(self.titles.agenda, int(self.r.agenda_name[card, which]))

    def victory_card(self, card: int) -> str:
        return " / ".join(dict.fromkeys((self.agenda(card, 0), self.agenda(card, 1))))

    def log_agenda(self, seat, place, agenda, card, *_):
        name = self.agenda(card, max(agenda - 1, 0))
        return f"*** {self.leader(seat)} claims {name} (victory card {place + 1}: {self.victory_card(card)})"

    def log_win(self, seat, share, *_):
        return f"{self.leader(seat)} wins" + ("" if share == SIXTY else f" a share of {share}/{SIXTY}")

    def log_swap(self, seat, place, other, *_):
        return f"{self.who(seat)}swaps the cards in slots {self.slot(place)} and {self.slot(other)}"

    def log_leader_banned(self, seat, leader, *_):
        return f"Seat {seat + FIRST_SEAT} bans {self.titles.leader[leader]}"

    def log_leader(self, seat, leader, pick, *_):
        if pick > 0:
            return f"Seat {seat + FIRST_SEAT} chooses {self.titles.leader[leader]} from all leaders left"
        dealt = [self.titles.leader[code] for code in self.g.leader_offer[seat][: self.r.leaders_dealt]]
        if len(dealt) == 1:
            return f"Seat {seat + FIRST_SEAT} is dealt {dealt[0]}"
        return f"Seat {seat + FIRST_SEAT} is dealt {listed(dealt)}, and plays {self.titles.leader[leader]}"

    def log_tile(self, seat, tile, side, rotation, q, r):
        start = self.leader(seat) + " lays" if seat >= 0 else "Core:"
        return f"{start} tile {tile}{SIDES[side & 1]} with its space 0 on {place_name(q, r)}, turned {60 * rotation}°"

    def log_capital(self, seat, space, *_):
        return f"{self.leader(seat)} places the capital on {self.place(space)}"

    def log_hole(self, seat, space, *_):
        if seat >= 0:
            return f"{self.who(seat)}lays a water token on {space_name(self.g, space)}"
        return f"the hole at {space_name(self.g, space)} is filled with water"

    def log_natural_wonder_used(self, seat, wonder, *_):
        resource = named(names.RESOURCES, int(self.r.natural_wonder_resource[wonder]))
        return f"{self.who(seat)}uses {named(self.titles.natural_wonder, wonder)} as {resource}"

    def log_natural_wonder_card(self, seat, wonder, holder, *_):
        name = named(self.titles.natural_wonder, wonder)
        return f"{self.who(seat)}puts the token of {name} on {self.held(seat, holder)}"

    def log_trade_lost(self, seat, kind, amount, source, ability, *_):
        because = self.because(source, ability - 1)
        card = f"on the {names.FOCUS_TYPES[kind]} card" if kind >= 0 else "on any card"
        return f"{self.who(seat)}loses {count(amount, 'trade token')}, for which there is no room {card}{because}"

    # ------------------------------------------------------------------ decisions

    def log_choice(self, seat, kind, value, space, options, source):
        if not self.choices:
            return self.who(seat) + self.told_choice(seat, kind, value, space, source) if self.is_told(kind, value) else ""
        return f"· {self.leader(seat)} {self.choice(seat, kind, value, space, source)} [1 of {options}]"

    def told_choice(self, seat: int, kind: int, value: int, space: int, source: int) -> str:
        """Return a decision as a sentence about the player."""
        if kind not in TOLD_CHOICES or value == decisions.PASS:
            return self.choice(seat, kind, value, space, source)
        option = self.option(seat, kind, value, space)
        if kind == decisions.START_EFFECT:
            option = START_DEEDS.get(option, f"uses {option}")
        return TOLD_CHOICES[kind].format(option)

    def choice(self, seat: int, kind: int, value: int, space: int, source: int) -> str:
        """Return a decision in words: its kind and the option picked."""
        question = named(decisions.KINDS, kind, f"matter {kind}").replace("_", " ")
        if value == decisions.PASS and kind not in YES_NO:
            return f"declines: {question}"
        return f"{question}: {self.option(seat, kind, value, space)}"

    def option(self, seat: int, kind: int, value: int, space: int) -> str:
        """Return one option of a decision in words."""
        if value == decisions.PASS and kind not in YES_NO:
            return "pass"
        tell = CHOICE_WORDS.get(kind)
        return tell(self, seat, value, space) if tell else str(value)


def _place_tile(log: LogSentences, seat: int, value: int, space: int) -> str:
    rest, r = divmod(value, names.GRID)
    turn, q = divmod(rest, names.GRID)
    where = place_name(q - names.GRID_ORIGIN, r - names.GRID_ORIGIN)
    return f"tile {space}{SIDES[turn // 6 & 1]} on {where}, turned {60 * (turn % 6)}°"


def _space(log: LogSentences, seat: int, value: int, space: int) -> str:
    return log.place(value)


def _holder(log: LogSentences, seat: int, value: int, space: int) -> str:
    return log.held(seat, value)


def _industry(log: LogSentences, seat: int, value: int, space: int) -> str:
    for option, figure in ((decisions.CITY_ON_ARMY, "army"), (decisions.CITY_ON_CARAVAN, "caravan")):
        if value >= option:
            return f"city on {log.place(value - option)} in place of its own {figure}"
    if value >= decisions.WONDER_OPTION:
        return "build " + log.wonder(value - decisions.WONDER_OPTION)
    return "city on " + log.place(value)


def _pay(log: LogSentences, seat: int, value: int, space: int) -> str:
    if value >= decisions.PAY_TRADE:
        return "a trade token"
    if value >= decisions.PAY_NATURAL_WONDER:
        return named(log.titles.natural_wonder, value - decisions.PAY_NATURAL_WONDER)
    return named(names.RESOURCES, value)


def _attack(log: LogSentences, seat: int, value: int, space: int) -> str:
    if value >= decisions.BARBARIAN_OPTION:
        return "barbarian on " + log.place(value - decisions.BARBARIAN_OPTION)
    return log.place(value)


def _geneva(log: LogSentences, seat: int, value: int, space: int) -> str:
    old, new = (named(log.titles.diplomacy, card) for card in divmod(value % 64, 8))
    return f"{old} of {log.short(value // 64)} for {new}"


def _card_of_capital(log: LogSentences, holder: int, space: int) -> str:
    """Return the card of the player whose capital stands on the space."""
    rival = int(log.g.owner[space])
    return f"{log.held(rival, holder)} of {log.short(rival)}"


def _spend_token(log: LogSentences, seat: int, value: int, space: int) -> str:
    if value >= decisions.RESOURCE_TOKEN:
        return named(names.RESOURCES, value - decisions.RESOURCE_TOKEN)
    if value >= decisions.PLAIN_TOKEN:
        return "a trade token"
    if value >= decisions.KEPT_CITY_STATE:
        return "the token of " + named(log.titles.city_state, value - decisions.KEPT_CITY_STATE)
    return "the token of " + named(log.titles.natural_wonder, value - decisions.KEPT_NATURAL_WONDER)


CHOICE_WORDS: dict[int, Callable[[LogSentences, int, int, int], str]] = {
    decisions.LAY_TILE: lambda log, seat, value, space: f"tile {value}",
    decisions.PLACE_TILE: _place_tile,
    decisions.START_EFFECT: lambda log, seat, value, space: log.start_effect(seat, value),
    decisions.CARD: lambda log, seat, value, space: f"slot {log.slot(value)}",
    decisions.PLACE_TOKEN: _space,
    decisions.TAKE_OFF: _space,
    decisions.MOVE_TOKEN: lambda log, seat, value, space: f"from {log.place(value // 256)} to {log.place(value % 256)}",
    decisions.RIVAL_TOKEN: _space,
    decisions.STRIKE: _space,
    decisions.NAME_TOKEN: _space,
    decisions.YIELD_TOKEN: _space,
    decisions.SPEND_TRADE: lambda log, seat, value, space: count(value, "trade token"),
    decisions.UPGRADE: lambda log, seat, value, space: f"{log.card(value // 8)} in place of {log.held(seat, value % 8)}",
    decisions.GAIN_RESOURCE: lambda log, seat, value, space: named(names.RESOURCES, value),
    decisions.SWAP_RESOURCE: lambda log, seat, value, space: (
        f"{named(names.RESOURCES, value // 8)} for {named(names.RESOURCES, value % 8)}"
    ),
    decisions.PLACE_TRADE: _holder,
    decisions.NATURAL_WONDER_CARD: lambda log, seat, value, space: (
        f"{named(log.titles.natural_wonder, space)} onto {log.held(seat, value)}"
    ),
    decisions.CARAVAN: lambda log, seat, value, space: f"number {value + 1}",
    decisions.CARAVAN_TO: figure_to,
    decisions.TAKE_DIPLOMACY: lambda log, seat, value, space: (
        named(log.titles.city_state, space) if space >= 0 else named(log.titles.diplomacy, value)
    ),
    decisions.RETURN_DIPLOMACY: lambda log, seat, value, space: named(log.titles.diplomacy, value),
    decisions.INDUSTRY: _industry,
    decisions.PAY: _pay,
    decisions.WONDER_CITY: _space,
    decisions.MILITARY: lambda log, seat, value, space: ("reinforce", "attack")[value == decisions.MILITARY_ATTACK],
    decisions.REINFORCE: _space,
    decisions.ATTACK: _attack,
    decisions.CITY_STATE_FATE: lambda log, seat, value, space: ("take it", "free it")[value == 1],
    decisions.LOOT: lambda log, seat, value, space: f"from {_card_of_capital(log, value, space)}",
    decisions.LOSE_TRADE: _holder,
    decisions.SWAP_CARDS: lambda log, seat, value, space: f"slots {log.slot(value // 8)} and {log.slot(value % 8)}",
    decisions.GENEVA_SWAP: _geneva,
    decisions.SEOUL_MOVE: lambda log, seat, value, space: (
        f"barbarian {named(names.LETTERS, value // 256, '?')} to {log.place(value % 256)}"
    ),
    decisions.OTHER_CARD: lambda log, seat, value, space: f"slot {log.slot(value)}",
    decisions.EXTRA_ECONOMY: lambda log, seat, value, space: (
        f"yes, {log.held(seat, value - decisions.EXTRA_OTHER)}" if value >= decisions.EXTRA_OTHER else ("no", "yes")[value]
    ),
    decisions.REPEAT_CARD: lambda log, seat, value, space: ("no", "yes")[value == 1],
    decisions.POTALA: lambda log, seat, value, space: f"{named(log.titles.diplomacy, value % 8)} of {log.short(value // 8)}",
    decisions.SPEND_TOKEN: _spend_token,
    decisions.GIVE_TRADE: lambda log, seat, value, space: f"onto {_card_of_capital(log, value, space)}",
    decisions.SCIENCE: lambda log, seat, value, space: ("do nothing", "carry it out")[value == 1],
    decisions.MOVE_ON: lambda log, seat, value, space: f"barbarian {named(names.LETTERS, value, '?')}",
    **EXPANSION_CHOICES,
    **COMBAT_CHOICES,
}


# --- Where the cities of a run stand: a sample of its games played again, seen from each capital

COLUMNS = ("game_id", "seat", "won", "q", "r", "city")


def settled(out: Place, games: int) -> pd.DataFrame:
    """Replay about `games` of the finished games, spread over the run, and return the spaces of their last boards.

    A row is one space of the map seen from one seat: `q`, `r` are its axial coordinates from the seat's capital, turned
    in steps of 60° so that the middle of the map lies to the east; `city` says whether a city of the seat, other than
    the capital, stands there at the end. The capital's own space is left out. Raises UserError if the run was played by
    another version of the program.
    """
    run = manifest.playable(out)
    if not same_games(run.engine):
        raise UserError(
            f"{out}: was played by another version of this program (engine {run.engine}, this is {source_digest()}), "
            "so its games cannot be replayed"
        )
    r = run.ruleset.compile()
    finished = run_folder.finished(out)
    done = [shard for shard in run.shards if shard.index in finished]
    players: dict[int, Player] = {}
    parts = []
    for shard, places in sample_games(done, games):
        if shard.seed not in players:
            players[shard.seed] = Player(replace(run.plan, seed=shard.seed), r)
        player = players[shard.seed]
        rows = player.rows(1)
        for at in places:
            player.play(shard.game + at, 1, rows, 0, 0)
            for seat, row in enumerate(rows.seats):
                parts.append(_seen_from(player.states[0], seat, shard.first_id + at, row))
    columns = np.concatenate(parts, axis=1) if parts else np.zeros((len(COLUMNS), 0))
    frame = pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))
    return frame.astype(dict.fromkeys(["game_id", "seat", "q", "r"], np.int64) | {"city": bool})


def _seen_from(g: Any, seat: int, game_id: int, row: Any) -> np.ndarray:
    """Return the spaces of a finished game seen from a seat's capital: an array (COLUMNS, spaces)."""
    n, capital = int(g["n_spaces"]), int(g["capital"][seat])
    assert g["piece"][capital] == names.CAPITAL
    q = g["axial_q"][:n].astype(np.int64) - int(g["axial_q"][capital])
    r = g["axial_r"][:n].astype(np.int64) - int(g["axial_r"][capital])
    q, r = turned(q, r, sixths_to_east(float(q.mean()), float(r.mean())))
    city = np.zeros(n)
    city[g["cities"][seat][: int(g["city_count"][seat])]] = 1
    same = [np.full(n, value) for value in (game_id, seat, row["won"])]
    return np.delete(np.stack([*same, q, r, city]), capital, axis=1)


def sixths_to_east(q: float, r: float) -> int:
    """Return the steps of 60° clockwise that turn the point nearest to the east."""
    # Pointy-top hexagons, r to the south-east, y downwards: angles grow clockwise.
    angle = atan2(r * sqrt(3) / 2, q + r / 2)
    return round(-angle / (pi / 3)) % 6


def turned(q: np.ndarray, r: np.ndarray, sixths: int) -> tuple[np.ndarray, np.ndarray]:
    """Return axial coordinates turned clockwise around (0, 0)."""
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r
