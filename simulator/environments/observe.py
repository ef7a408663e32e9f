"""What observations hold and actions mean, one declaration each; and filling an observation with what a seat knows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from .. import names
from ..engine import decisions, state
from ..engine.choosing import GAMMA, below_bits, mix
from ..engine.compile.argument_types import STATE_TYPE, WORK_TYPE, declare_parameters, record_type
from ..engine.compile.jit import inline, jit, record_from
from ..engine.counts import metric
from ..engine.known_to_seat import hide_unknown
from ..engine.pieces import controls, mature_cities
from ..engine.turn import slot_in_place

# --- What an observation holds and what an action means, one declaration each

# --- The arrays of an observation
#
# Each is declared once, with its name, shape, range and meaning.
#
# The record of an observation, the spaces of the environments and the table in docs/how-to/environments.md follow from that.
# Seats count from the one that looks, clockwise: 0 is its own. -1 is nobody, nothing or no space unless something else is
# said.

ACTIONS = 1 + state.MAX_OPTIONS
SEATS, SPACES, HOLDERS = names.MAX_PLAYERS, names.MAX_SPACES, names.N_TYPES
ABOUT = tuple(name.removeprefix("ask_") for name in state.WORK.names or () if name.startswith("ask_"))
NUMBER = 2**31 - 1


@dataclass(frozen=True)
class Array:
    """An array of the observation; all its numbers lie from `low` to `high`."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    text: str

    @property
    def dtype(self) -> np.dtype:
        """The smallest kind of whole number that holds them."""
        return next(kind for kind in map(np.dtype, ("i1", "i2", "i4")) if np.iinfo(kind).max >= self.high)


ARRAYS = (
    # --- the game
    Array("box", (), 0, len(names.BOXES) - 1, "0 = base game, 1 = Terra Incognita"),
    Array("players", (), 2, SEATS, "players at the table"),
    Array("seat", (), 0, SEATS - 1, "number of the own seat: options and `about` name seats by such numbers"),
    Array("round", (), 0, 30_000, "the round, 0 while the map is built"),
    Array("at_turn", (), 0, SEATS - 1, "seat whose turn it is"),
    Array("first", (), 0, SEATS - 1, "first player"),
    Array("event", (), 0, names.MAX_SECTIONS - 1, "section of the event dial"),
    Array("supply", (names.N_RESOURCES,), 0, 127, "resource tokens left, by resource"),
    Array("water_tokens", (), 0, 127, "water tokens left"),
    Array("stack", (names.MAX_TILES + 1,), 0, 1, "1 = the tile of this number lies in the stack, nobody knows where"),
    Array("barbarian_space", (names.MAX_BARBARIANS,), -2, SPACES - 1, "by letter; -1 = off the map, -2 = not in the game"),
    Array("barbarian_home", (names.MAX_BARBARIANS,), -1, SPACES - 1, "space with its letter"),
    Array("barbarian_direction", (6,), 0, 5, "direction that each face of the die means, clockwise from east"),
    # --- victory cards
    Array("claims_needed", (), 0, names.MAX_IN_PLAY, "victory cards to claim for winning"),
    Array("victory_card", (names.MAX_IN_PLAY,), -1, names.MAX_VICTORY_CARDS - 1, "victory cards in play"),
    Array("agenda", (names.MAX_IN_PLAY, 2), -1, 127, "name of each agenda (`names.AGENDAS`, then those of Terra Incognita)"),
    Array("agenda_target", (names.MAX_IN_PLAY, 2), 0, NUMBER, "what it asks for"),
    Array("agenda_has", (SEATS, names.MAX_IN_PLAY, 2), 0, NUMBER, "what each seat has of it"),
    Array("claimed", (SEATS, names.MAX_IN_PLAY), 0, 2, "1, 2 = the seat has claimed the card by its first, second agenda"),
    # --- the map, by space
    Array("spaces", (), 0, SPACES, "spaces of the map: further entries are empty"),
    Array("terrain", (SPACES,), -1, names.N_TERRAINS - 1, "`names.TERRAINS`; -1 = no such space"),
    Array("q", (SPACES,), -names.GRID_ORIGIN, names.GRID_ORIGIN, "axial coordinate: column"),
    Array("r", (SPACES,), -names.GRID_ORIGIN, names.GRID_ORIGIN, "axial coordinate: row"),
    Array("neighbour", (SPACES, 6), -1, SPACES - 1, "spaces around, clockwise from east; -1 = off the map"),
    Array("tile", (SPACES,), -1, names.FORT_TILE + SEATS, "tile number; 0 = a water token, above 30 = a fort"),
    Array("coastal", (SPACES,), 0, 1, "1 = next to water or on the map edge"),
    Array("edge", (SPACES,), 0, 1, "1 = on the map edge"),
    Array("owner", (SPACES,), -1, SEATS - 1, "seat of the city or control token"),
    Array("piece", (SPACES,), 0, len(names.PIECES) - 1, "`names.PIECES`"),
    Array("district", (SPACES,), 0, names.N_DISTRICTS, "1 + `names.DISTRICTS`; 0 = none"),
    Array("resource", (SPACES,), -1, names.N_RESOURCES - 1, "resource token lying there"),
    Array("natural_wonder", (SPACES,), -1, names.MAX_NATURAL_WONDERS - 1, "natural wonder whose space it is"),
    Array("city_state", (SPACES,), -1, names.MAX_CITY_STATES - 1, "city-state there, not conquered"),
    Array("wonder", (SPACES,), -1, names.MAX_WONDERS - 1, "world wonder whose token lies there"),
    Array("barbarians", (SPACES,), 0, 127, "barbarians there"),
    Array("caravans", (SPACES,), 0, 127, "caravans there, of all seats"),
    Array("armies", (SPACES,), 0, 127, "armies there, of all seats"),
    # --- seats
    Array("leader", (SEATS,), -1, names.MAX_LEADERS - 1, "leader; -1 = nobody sits there"),
    Array("dial", (SEATS,), 0, names.MAX_DIAL, "space of the technology dial"),
    Array("row_card", (SEATS, names.MAX_SLOTS), -1, names.MAX_CARDS - 1, "focus cards from the left"),
    Array("row_type", (SEATS, names.MAX_SLOTS), -1, names.N_TYPES - 1, "focus type of each (`names.FOCUS_TYPES`)"),
    Array("row_level", (SEATS, names.MAX_SLOTS), 0, names.N_LEVELS, "level of each, 1 to 4"),
    Array("row_slot", (SEATS, names.MAX_SLOTS), 0, 127, "slot number that each acts with"),
    Array("row_holder", (SEATS, names.MAX_SLOTS), -1, HOLDERS - 1, "holder of each: what options name a card by"),
    Array("row_trade", (SEATS, names.MAX_SLOTS), 0, 127, "trade tokens on each"),
    Array("resources", (SEATS, names.N_RESOURCES), 0, 127, "resource tokens, by resource"),
    Array("tokens_left", (SEATS,), 0, 127, "control tokens not on the map"),
    Array("cities_left", (SEATS,), 0, 127, "cities not on the map"),
    Array("cities", (SEATS,), 0, names.MAX_CITIES, "cities on the map, with the capital"),
    Array("mature", (SEATS,), 0, names.MAX_CITIES, "of these mature"),
    Array("friendly", (SEATS,), 0, SPACES, "friendly spaces"),
    Array("coast", (SEATS,), 0, SPACES, "of these next to water or on the edge"),
    Array("capital", (SEATS,), -1, SPACES - 1, "space of the capital"),
    Array("caravan", (SEATS, names.MAX_CARAVANS), -2, SPACES - 1, "space of each; -1 = on its card, -2 = not in the game"),
    Array("army", (SEATS, names.MAX_ARMIES), -2, SPACES - 1, "space of each; -1 = on its card, -2 = not in the game"),
    Array("government", (SEATS,), -1, HOLDERS - 1, "holder that carries the government token"),
    Array("government_type", (SEATS,), 0, names.N_TYPES - 1, "focus type of that token"),
    Array("district_space", (SEATS, names.N_DISTRICTS), -1, SPACES - 1, "space of each district"),
    Array("tile_hand", (SEATS, 4), 0, names.MAX_TILES, "numbers of tiles still to be laid, 0 = none"),
    Array("best_attack", (SEATS,), 0, 32_767, "highest total of a won attack"),
    # --- beside the map
    Array("natural_wonder_owner", (names.MAX_NATURAL_WONDERS,), -2, SEATS - 1, "-1 = lies on its space, -2 = not in the game"),
    Array("natural_wonder_holder", (names.MAX_NATURAL_WONDERS,), -2, HOLDERS - 1, "America: where it lies; -2 = to be chosen"),
    Array("city_state_owner", (names.MAX_CITY_STATES,), -2, SEATS - 1, "conqueror; -1 = free, -2 = not in the game"),
    Array("city_state_holder", (names.MAX_CITY_STATES,), -1, HOLDERS - 1, "holder that its token lies on"),
    Array("city_state_cards", (SEATS, names.MAX_CITY_STATES), 0, 1, "1 = the seat holds a diplomacy card of the city-state"),
    Array("city_state_cards_left", (names.MAX_CITY_STATES,), 0, 127, "its cards that lie beside the map"),
    Array("diplomacy", (SEATS, names.MAX_DIPLOMACY), -1, SEATS - 1, "by giver: seat that holds the card; -1 = the giver"),
    Array("wonder_place", (names.MAX_WONDERS,), 0, 3, "0 = out of the game, 1 = not seen yet, 2 = face up, 3 = built"),
    Array("wonder_owner", (names.MAX_WONDERS,), -1, SEATS - 1, "seat that controls the world wonder"),
    Array("wonder_trade", (names.MAX_WONDERS,), 0, 127, "trade tokens on a face-up wonder"),
    Array("deck_left", (names.N_TYPES,), 0, names.DECK_SIZE, "cards of each deck of wonders, the upper one included"),
    Array("wonder_bank", (), 0, 32_767, "trade tokens on Great Zimbabwe"),
    # --- the question
    Array("asked", (), -1, SEATS - 1, "seat that is asked; -1 = the game is over"),
    Array("kind", (), -1, len(decisions.KINDS) - 1, "kind of the question (`decisions.KINDS`) if the seat itself is asked"),
    Array("options", (), 0, state.MAX_OPTIONS, "its number of options"),
    Array("option", (state.MAX_OPTIONS,), -1, NUMBER, "the options; further entries are 0"),
    Array("about", (len(ABOUT),), -NUMBER, NUMBER, f"what else it says: {', '.join(ABOUT)}; some may be old, but of no dice"),
    Array("action_mask", (ACTIONS,), 0, 1, "1 = a legal action"),
)  # fmt: skip

MASK = "action_mask"
OBSERVATION = np.dtype([(array.name, array.dtype, array.shape) for array in ARRAYS], align=True)


def table() -> str:
    """Return the arrays as a table in Markdown."""
    lines = ["| array | shape | from | to | says |", "|---|---|---|---|---|"]
    for array in ARRAYS:
        shape = " × ".join(map(str, array.shape)) or "–"
        lines.append(f"| `{array.name}` | {shape} | {array.low} | {array.high} | {array.text} |")
    return "\n".join(lines)


# --- Options as actions of a fixed space
#
# What is legal is a mask over it.
#
# Action 0 is to pass. Any other is 1 + the number of the option, as engine/decisions.py explains it: 1 + the space, 1 +
# the place in the row … Places on the plane and pairs of spaces are too many for that: there the action is 1 + the place of
# the option in its list, which the observation has.

NO_OPTION = -1
SEAT, KIND, OPTIONS, ASKED = range(4)  # columns of `asked`: what each game waits for; no options: it is over

work_at = record_from(WORK_TYPE, state.WORK)

declare_parameters(
    __name__,
    works_at=types.int64[::1],
    asked=types.int64[:, ::1],
    actions=types.int64[::1],
    chosen_options=types.int64[::1],
)


@inline
def is_listed(kind):
    """Is an option of the kind told by its place in the list?"""
    return (
        kind == decisions.PLACE_TILE
        or kind == decisions.MOVE_TOKEN
        or kind == decisions.PLACE_FORT
        or kind == decisions.WATER_SPACE
    )


@inline
def action_of(w, kind, k):
    """Return the action that option `k` of the question is."""
    if w.option[k] == decisions.PASS:
        return 0
    return 1 + (k if is_listed(kind) else w.option[k])


@jit
def option_of(w, kind, n, action):
    """Return the index of the option that an action is, NO_OPTION if it is none of the question's."""
    if action > 0 and is_listed(kind):
        k = action - 1
        return k if k < n and action_of(w, kind, k) == action else NO_OPTION
    for k in range(n):
        if action_of(w, kind, k) == action:
            return k
    return NO_OPTION


@jit
def options_of(works_at, asked, actions, chosen_options):
    """Write the options that the actions of all games are; return the first game that has no such option, -1 if all have."""
    for i in range(len(asked)):
        chosen_options[i] = option_of(work_at(works_at[i]), asked[i, KIND], asked[i, OPTIONS], actions[i])
        if chosen_options[i] == NO_OPTION:
            return i
    return -1


@jit
def draw_actions(works_at, asked, u, actions):
    """Draw a legal action for each game from 64 random bits for all of them."""
    for i in range(len(asked)):
        k = below_bits(mix(u + np.uint64(i) * GAMMA), asked[i, OPTIONS])
        actions[i] = action_of(work_at(works_at[i]), asked[i, KIND], k)


# --- Filling an observation with what a seat knows
#
# Of a game from which all else was taken out (`hide_unknown`).

NOBODY = -1
OBSERVATION_TYPE = record_type(OBSERVATION)

game_at = record_from(STATE_TYPE, state.STATE)
observation_at = record_from(OBSERVATION_TYPE, OBSERVATION)

declare_parameters(
    __name__,
    o=OBSERVATION_TYPE,
    copies_at=types.int64[::1],
    works_at=types.int64[::1],
    observations_at=types.int64[::1],
    asked=types.int64[:, ::1],
)


@inline
def seen_from(g, seat, p):
    """Return seat `p` (below zero: nobody) as the seat that looks counts: clockwise from itself."""
    return (p - seat + g.players) % int(g.players) if p >= 0 else p


@jit
def observe_game(r, g, o, seat):
    """The course of the game, and what lies beside the map for all."""
    o.box = r.box
    o.players = g.players
    o.seat = seat
    o.round = g.round_number
    o.at_turn = seen_from(g, seat, int(g.current))
    o.first = seen_from(g, seat, int(g.first))
    o.event = g.event
    o.water_tokens = g.water_tokens
    o.wonder_bank = g.wonder_bank
    for k in range(names.N_RESOURCES):
        o.supply[k] = g.supply[k]
    for k in range(g.stack_n):
        o.stack[g.stack[k]] = 1
    for k in range(names.MAX_BARBARIANS):
        o.barbarian_space[k] = g.barbarian_space[k]
        o.barbarian_home[k] = g.barbarian_home[k]
    for k in range(6):
        o.barbarian_direction[k] = g.barbarian_die[k + 1]


@jit
def observe_victory(r, g, o, seat):
    """The victory cards, who has claimed them, and what everybody has of what they ask for."""
    o.claims_needed = max(g.victory_count - r.claims_spared, 0)
    for place in range(names.MAX_IN_PLAY):
        o.victory_card[place] = NOBODY
        o.agenda[place, :] = NOBODY
    for place in range(g.victory_count):
        card = int(g.victory_card[place])
        o.victory_card[place] = card
        for a in range(2):
            o.agenda[place, a] = r.agenda_name[card, a]
            o.agenda_target[place, a] = r.agenda_target[card, a]
        for p in range(g.players):
            at = seen_from(g, seat, p)
            o.claimed[at, place] = g.claimed[p, place]
            for a in range(2):
                o.agenda_has[at, place, a] = metric(r, g, p, int(r.agenda_metric[card, a]), int(r.agenda_kind[card, a]))


@jit
def observe_map(g, o, seat):
    """The spaces and what lies on them."""
    n = int(g.n_spaces)
    o.spaces = n
    for s in range(n):
        o.terrain[s] = g.terrain[s]
        o.q[s] = g.axial_q[s]
        o.r[s] = g.axial_r[s]
        o.tile[s] = g.tile[s]
        o.coastal[s] = g.coastal[s]
        o.edge[s] = g.edge[s]
        o.owner[s] = seen_from(g, seat, int(g.owner[s]))
        o.piece[s] = g.piece[s]
        o.district[s] = g.district[s]
        o.resource[s] = g.resource[s]
        o.natural_wonder[s] = g.natural_wonder[s]
        o.city_state[s] = g.city_state[s]
        o.wonder[s] = g.wonder_token[s]
        o.barbarians[s] = g.barbarians[s]
        o.caravans[s] = g.caravans[s]
        o.armies[s] = g.armies[s]
        for d in range(6):
            o.neighbour[s, d] = g.neighbour[s, d]
    for s in range(n, names.MAX_SPACES):
        o.terrain[s] = NOBODY
        o.tile[s] = NOBODY
        o.owner[s] = NOBODY
        o.resource[s] = NOBODY
        o.natural_wonder[s] = NOBODY
        o.city_state[s] = NOBODY
        o.wonder[s] = NOBODY
        for d in range(6):
            o.neighbour[s, d] = NOBODY


@jit
def observe_row(r, g, o, at, p):
    """The focus row of a seat, in front of which it lies at place `at`."""
    for place in range(names.MAX_SLOTS):
        h = int(g.row[p, place]) if place < r.slots else NOBODY
        card = int(g.card[p, h]) if h >= 0 else NOBODY
        o.row_holder[at, place] = h
        o.row_card[at, place] = card
        o.row_type[at, place] = NOBODY
        if card >= 0:
            o.row_type[at, place] = r.card_type[card]
            o.row_level[at, place] = r.card_level[card]
            o.row_slot[at, place] = slot_in_place(r, g, p, place)
            o.row_trade[at, place] = g.trade[p, h]


@jit
def observe_seat(r, g, o, at, p):
    """What a seat has."""
    o.leader[at] = g.leader[p]
    o.dial[at] = g.dial[p]
    o.tokens_left[at] = g.tokens_left[p]
    o.cities_left[at] = g.cities_left[p]
    o.cities[at] = g.city_count[p]
    o.mature[at] = mature_cities(r, g, p)
    o.friendly[at] = g.space_count[p]
    o.coast[at] = g.coast_count[p]
    o.capital[at] = g.capital[p]
    o.government[at] = g.government[p]
    o.government_type[at] = g.government_type[p]
    o.best_attack[at] = g.best_attack[p]
    for k in range(names.N_RESOURCES):
        o.resources[at, k] = g.resources[p, k]
    for k in range(names.MAX_CARAVANS):
        o.caravan[at, k] = g.caravan[p, k]
    for k in range(names.MAX_ARMIES):
        o.army[at, k] = g.army[p, k]
    for k in range(names.N_DISTRICTS):
        o.district_space[at, k] = g.district_space[p, k]
    for k in range(4):
        o.tile_hand[at, k] = g.tile_hand[p, k]
    for k in range(names.MAX_CITY_STATES):
        o.city_state_cards[at, k] = g.city_state_cards[k, p]


@jit
def observe_no_seat(o, at):
    """Nobody sits there."""
    o.leader[at] = NOBODY
    o.capital[at] = NOBODY
    o.government[at] = NOBODY
    o.row_holder[at, :] = NOBODY
    o.row_card[at, :] = NOBODY
    o.row_type[at, :] = NOBODY
    o.caravan[at, :] = state.NOT_OWNED
    o.army[at, :] = state.NOT_OWNED
    o.district_space[at, :] = NOBODY
    o.diplomacy[at, :] = NOBODY


@jit
def observe_seats(r, g, o, seat):
    """What everybody has, and whose diplomacy cards."""
    for at in range(names.MAX_PLAYERS):
        if at >= g.players:
            observe_no_seat(o, at)
            continue
        p = (seat + at) % int(g.players)
        observe_seat(r, g, o, at, p)
        observe_row(r, g, o, at, p)
        for card in range(names.MAX_DIPLOMACY):
            o.diplomacy[at, card] = seen_from(g, seat, int(g.diplomacy[p, card]))


@inline
def owner_of(r, g, wonder):
    """Return the seat that controls a world wonder, or NOBODY."""
    if g.wonder_space[wonder] >= 0:
        for p in range(g.players):
            if controls(g, p, wonder):
                return p
    return NOBODY


@jit
def observe_cards(r, g, o, seat):
    """Natural wonders, city-states and world wonders."""
    for k in range(names.MAX_NATURAL_WONDERS):
        o.natural_wonder_owner[k] = seen_from(g, seat, int(g.natural_wonder_owner[k]))
        o.natural_wonder_holder[k] = g.natural_wonder_holder[k]
    for k in range(names.MAX_CITY_STATES):
        o.city_state_owner[k] = seen_from(g, seat, int(g.city_state_owner[k]))
        o.city_state_holder[k] = g.city_state_holder[k]
        o.city_state_cards_left[k] = g.city_state_cards_left[k]
    for wonder in range(names.MAX_WONDERS):
        o.wonder_place[wonder] = g.wonder_place[wonder]
        o.wonder_trade[wonder] = g.wonder_trade[wonder]
        o.wonder_owner[wonder] = seen_from(g, seat, owner_of(r, g, wonder))
    for kind in range(names.N_TYPES):
        o.deck_left[kind] = g.deck_size[kind] - g.deck_next[kind]


@jit
def observe_question(w, o, kind, n):
    """What the seat itself is asked."""
    o.kind = kind
    o.options = n
    for k in range(n):
        o.option[k] = w.option[k]
        o.action_mask[action_of(w, kind, k)] = 1
    o.about[0] = w.ask_slot
    o.about[1] = w.ask_holder
    o.about[2] = w.ask_left
    o.about[3] = w.ask_cost
    o.about[4] = w.ask_source
    o.about[5] = w.ask_space
    o.about[6] = w.ask_target
    o.about[7] = w.ask_seat
    o.about[8] = w.ask_attack
    o.about[9] = w.ask_defence
    o.about[10] = w.ask_die
    o.about[11] = w.ask_wonder
    o.about[12] = w.ask_level
    o.about[13] = w.ask_moved
    o.about[14] = w.ask_caravan


@jit
def observe(r, g, w, o, seat, asked_seat, kind, n):
    """Fill an observation, all zero before, with what the seat knows; `g` is a copy of the game, from which all else is taken.

    `asked_seat` is asked a question of the kind with `n` options, NOBODY when the game is over. Others learn no more of it.
    """
    hide_unknown(r, g, seat)
    observe_game(r, g, o, seat)
    observe_victory(r, g, o, seat)
    observe_map(g, o, seat)
    observe_seats(r, g, o, seat)
    observe_cards(r, g, o, seat)
    o.asked = seen_from(g, seat, asked_seat)
    o.kind = NOBODY
    if asked_seat == seat:
        observe_question(w, o, kind, n)


@jit
def observe_as(r, copies_at, works_at, observations_at, asked, seat):
    """Fill an observation with what a seat knows, of records that lie at addresses: `observe`."""
    g, w, o = game_at(copies_at[0]), work_at(works_at[0]), observation_at(observations_at[0])
    observe(r, g, w, o, seat, asked[0, SEAT], asked[0, KIND], asked[0, OPTIONS])


@jit
def observe_asked(r, copies_at, works_at, observations_at, asked):
    """Fill the observation of every game for the seat that it asks."""
    for i in range(len(asked)):
        g, w, o = game_at(copies_at[i]), work_at(works_at[i]), observation_at(observations_at[i])
        observe(r, g, w, o, asked[i, SEAT], asked[i, SEAT], asked[i, KIND], asked[i, OPTIONS])
