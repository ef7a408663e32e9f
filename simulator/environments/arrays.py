"""What an observation holds and what an action means, one declaration each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from .. import limits, names
from ..engine import decisions, state
from ..engine.choosing import GAMMA, below_bits, mix
from ..engine.compile.argument_types import WORK_TYPE, declare_parameters
from ..engine.compile.jit import inline, jit, record_from

# --- The arrays of an observation
#
# Each is declared once, with its name, shape, range and meaning.
#
# The record of an observation, the spaces of the environments and the table in docs/how-to/environments.md follow from that.
# Seats count from the one that looks, clockwise: 0 is its own. -1 is nobody, nothing or no space unless something else is
# said.

ACTIONS = 1 + state.MAX_OPTIONS
SEATS, SPACES, HOLDERS = limits.MAX_PLAYERS, limits.MAX_SPACES, names.N_TYPES
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
    Array("event", (), 0, limits.MAX_SECTIONS - 1, "section of the event dial"),
    Array("supply", (names.N_RESOURCES,), 0, 127, "resource tokens left, by resource"),
    Array("water_tokens", (), 0, 127, "water tokens left"),
    Array("stack", (limits.MAX_TILES + 1,), 0, 1, "1 = the tile of this number lies in the stack, nobody knows where"),
    Array("barbarian_space", (limits.MAX_BARBARIANS,), -2, SPACES - 1, "by letter; -1 = off the map, -2 = not in the game"),
    Array("barbarian_home", (limits.MAX_BARBARIANS,), -1, SPACES - 1, "space with its letter"),
    Array("barbarian_direction", (6,), 0, 5, "direction that each face of the die means, clockwise from east"),
    # --- victory cards
    Array("claims_needed", (), 0, limits.MAX_IN_PLAY, "victory cards to claim for winning"),
    Array("victory_card", (limits.MAX_IN_PLAY,), -1, limits.MAX_VICTORY_CARDS - 1, "victory cards in play"),
    Array("agenda", (limits.MAX_IN_PLAY, 2), -1, 127, "name of each agenda (`names.AGENDAS`, then those of Terra Incognita)"),
    Array("agenda_target", (limits.MAX_IN_PLAY, 2), 0, NUMBER, "what it asks for"),
    Array("agenda_has", (SEATS, limits.MAX_IN_PLAY, 2), 0, NUMBER, "what each seat has of it"),
    Array("claimed", (SEATS, limits.MAX_IN_PLAY), 0, 2, "1, 2 = the seat has claimed the card by its first, second agenda"),
    # --- the map, by space
    Array("spaces", (), 0, SPACES, "spaces of the map: further entries are empty"),
    Array("terrain", (SPACES,), -1, names.N_TERRAINS - 1, "`names.TERRAINS`; -1 = no such space"),
    Array("q", (SPACES,), -limits.GRID_ORIGIN, limits.GRID_ORIGIN, "axial coordinate: column"),
    Array("r", (SPACES,), -limits.GRID_ORIGIN, limits.GRID_ORIGIN, "axial coordinate: row"),
    Array("neighbour", (SPACES, 6), -1, SPACES - 1, "spaces around, clockwise from east; -1 = off the map"),
    Array("tile", (SPACES,), -1, limits.FORT_TILE + SEATS, "tile number; 0 = a water token, above 30 = a fort"),
    Array("coastal", (SPACES,), 0, 1, "1 = next to water or on the map edge"),
    Array("edge", (SPACES,), 0, 1, "1 = on the map edge"),
    Array("owner", (SPACES,), -1, SEATS - 1, "seat of the city or control token"),
    Array("piece", (SPACES,), 0, len(names.PIECES) - 1, "`names.PIECES`"),
    Array("district", (SPACES,), 0, names.N_DISTRICTS, "1 + `names.DISTRICTS`; 0 = none"),
    Array("resource", (SPACES,), -1, names.N_RESOURCES - 1, "resource token lying there"),
    Array("natural_wonder", (SPACES,), -1, limits.MAX_NATURAL_WONDERS - 1, "natural wonder whose space it is"),
    Array("city_state", (SPACES,), -1, limits.MAX_CITY_STATES - 1, "city-state there, not conquered"),
    Array("wonder", (SPACES,), -1, limits.MAX_WONDERS - 1, "world wonder whose token lies there"),
    Array("barbarians", (SPACES,), 0, 127, "barbarians there"),
    Array("caravans", (SPACES,), 0, 127, "caravans there, of all seats"),
    Array("armies", (SPACES,), 0, 127, "armies there, of all seats"),
    # --- seats
    Array("leader", (SEATS,), -1, limits.MAX_LEADERS - 1, "leader; -1 = nobody sits there"),
    Array("dial", (SEATS,), 0, limits.MAX_DIAL, "space of the technology dial"),
    Array("row_card", (SEATS, limits.MAX_SLOTS), -1, limits.MAX_CARDS - 1, "focus cards from the left"),
    Array("row_type", (SEATS, limits.MAX_SLOTS), -1, names.N_TYPES - 1, "focus type of each (`names.FOCUS_TYPES`)"),
    Array("row_level", (SEATS, limits.MAX_SLOTS), 0, names.N_LEVELS, "level of each, 1 to 4"),
    Array("row_slot", (SEATS, limits.MAX_SLOTS), 0, 127, "slot number that each acts with"),
    Array("row_holder", (SEATS, limits.MAX_SLOTS), -1, HOLDERS - 1, "holder of each: what options name a card by"),
    Array("row_trade", (SEATS, limits.MAX_SLOTS), 0, 127, "trade tokens on each"),
    Array("resources", (SEATS, names.N_RESOURCES), 0, 127, "resource tokens, by resource"),
    Array("tokens_left", (SEATS,), 0, 127, "control tokens not on the map"),
    Array("cities_left", (SEATS,), 0, 127, "cities not on the map"),
    Array("cities", (SEATS,), 0, limits.MAX_CITIES, "cities on the map, with the capital"),
    Array("mature", (SEATS,), 0, limits.MAX_CITIES, "of these mature"),
    Array("friendly", (SEATS,), 0, SPACES, "friendly spaces"),
    Array("coast", (SEATS,), 0, SPACES, "of these next to water or on the edge"),
    Array("capital", (SEATS,), -1, SPACES - 1, "space of the capital"),
    Array("caravan", (SEATS, limits.MAX_CARAVANS), -2, SPACES - 1, "space of each; -1 = on its card, -2 = not in the game"),
    Array("army", (SEATS, limits.MAX_ARMIES), -2, SPACES - 1, "space of each; -1 = on its card, -2 = not in the game"),
    Array("government", (SEATS,), -1, HOLDERS - 1, "holder that carries the government token"),
    Array("government_type", (SEATS,), 0, names.N_TYPES - 1, "focus type of that token"),
    Array("district_space", (SEATS, names.N_DISTRICTS), -1, SPACES - 1, "space of each district"),
    Array("tile_hand", (SEATS, 4), 0, limits.MAX_TILES, "numbers of tiles still to be laid, 0 = none"),
    Array("best_attack", (SEATS,), 0, 32_767, "highest total of a won attack"),
    # --- beside the map
    Array("natural_wonder_owner", (limits.MAX_NATURAL_WONDERS,), -2, SEATS - 1, "-1 = lies on its space, -2 = not in the game"),
    Array("natural_wonder_holder", (limits.MAX_NATURAL_WONDERS,), -2, HOLDERS - 1, "America: where it lies; -2 = to be chosen"),
    Array("city_state_owner", (limits.MAX_CITY_STATES,), -2, SEATS - 1, "conqueror; -1 = free, -2 = not in the game"),
    Array("city_state_holder", (limits.MAX_CITY_STATES,), -1, HOLDERS - 1, "holder that its token lies on"),
    Array("city_state_cards", (SEATS, limits.MAX_CITY_STATES), 0, 1, "1 = the seat holds a diplomacy card of the city-state"),
    Array("city_state_cards_left", (limits.MAX_CITY_STATES,), 0, 127, "its cards that lie beside the map"),
    Array("diplomacy", (SEATS, limits.MAX_DIPLOMACY), -1, SEATS - 1, "by giver: seat that holds the card; -1 = the giver"),
    Array("wonder_place", (limits.MAX_WONDERS,), 0, 3, "0 = out of the game, 1 = not seen yet, 2 = face up, 3 = built"),
    Array("wonder_owner", (limits.MAX_WONDERS,), -1, SEATS - 1, "seat that controls the world wonder"),
    Array("wonder_trade", (limits.MAX_WONDERS,), 0, 127, "trade tokens on a face-up wonder"),
    Array("deck_left", (names.N_TYPES,), 0, limits.DECK_SIZE, "cards of each deck of wonders, the upper one included"),
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
