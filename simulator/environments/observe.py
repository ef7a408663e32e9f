"""Filling an observation (arrays.py) with what a seat knows: of a game from which all else was taken out (`hide_unknown`)."""

from numba import types

from .. import limits, names
from ..engine import state
from ..engine.compile.argument_types import STATE_TYPE, declare_parameters, record_type
from ..engine.compile.jit import inline, jit, record_from
from ..engine.counts import metric
from ..engine.known import hide_unknown
from ..engine.pieces import controls, mature_cities
from ..engine.turn import slot_in_place
from .arrays import KIND, OBSERVATION, OPTIONS, SEAT, action_of, work_at

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
    for k in range(limits.MAX_BARBARIANS):
        o.barbarian_space[k] = g.barbarian_space[k]
        o.barbarian_home[k] = g.barbarian_home[k]
    for k in range(6):
        o.barbarian_direction[k] = g.barbarian_die[k + 1]


@jit
def observe_victory(r, g, o, seat):
    """The victory cards, who has claimed them, and what everybody has of what they ask for."""
    o.claims_needed = max(g.victory_count - r.claims_spared, 0)
    for place in range(limits.MAX_IN_PLAY):
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
    for s in range(n, limits.MAX_SPACES):
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
    for place in range(limits.MAX_SLOTS):
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
    for k in range(limits.MAX_CARAVANS):
        o.caravan[at, k] = g.caravan[p, k]
    for k in range(limits.MAX_ARMIES):
        o.army[at, k] = g.army[p, k]
    for k in range(names.N_DISTRICTS):
        o.district_space[at, k] = g.district_space[p, k]
    for k in range(4):
        o.tile_hand[at, k] = g.tile_hand[p, k]
    for k in range(limits.MAX_CITY_STATES):
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
    for at in range(limits.MAX_PLAYERS):
        if at >= g.players:
            observe_no_seat(o, at)
            continue
        p = (seat + at) % int(g.players)
        observe_seat(r, g, o, at, p)
        observe_row(r, g, o, at, p)
        for card in range(limits.MAX_DIPLOMACY):
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
    for k in range(limits.MAX_NATURAL_WONDERS):
        o.natural_wonder_owner[k] = seen_from(g, seat, int(g.natural_wonder_owner[k]))
        o.natural_wonder_holder[k] = g.natural_wonder_holder[k]
    for k in range(limits.MAX_CITY_STATES):
        o.city_state_owner[k] = seen_from(g, seat, int(g.city_state_owner[k]))
        o.city_state_holder[k] = g.city_state_holder[k]
        o.city_state_cards_left[k] = g.city_state_cards_left[k]
    for wonder in range(limits.MAX_WONDERS):
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
