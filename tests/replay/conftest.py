"""A fabricated position: every kind of piece on a round map, without playing a game."""

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.abilities import refresh_seat
from newdawn.simulator.rules import load_ruleset

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
RADIUS = 7


def round_map(g):
    """Fill a round map of RADIUS with all terrains."""
    spaces = [(q, r) for r in range(-RADIUS, RADIUS + 1) for q in range(-RADIUS, RADIUS + 1) if abs(q + r) <= RADIUS]
    index = {space: s for s, space in enumerate(spaces)}
    g.n_spaces = len(spaces)
    g.neighbour[:] = -1
    for (q, r), s in index.items():
        g.axial_q[s], g.axial_r[s] = q, r
        g.terrain[s] = (3 * q * q + 5 * r + 7 * q * r) % 6
        g.tile[s] = 1 + ((q + 9) // 3 * 5 + (r + 9) // 4) % 21
        for d, (dq, dr) in enumerate(DIRECTIONS):
            g.neighbour[s, d] = index.get((q + dq, r + dr), -1)


@pytest.fixture(scope="session")
def rules():
    return load_ruleset().compile()


@pytest.fixture
def game(rules):
    """A position of four players in which every kind of piece stands somewhere."""
    g = state.new_state()
    round_map(g)
    g.players, g.round_number, g.victory_count = 4, 7, 3
    g.leader[:4] = names.EGYPT, names.ROME, names.AMERICA, names.SCYTHIA
    for field in ("owner", "resource", "natural_wonder", "city_state", "wonder_token"):
        getattr(g, field)[:] = -1
    g.barbarian_space[:] = -2
    g.natural_wonder_owner[:] = -2
    g.city_state_owner[:] = -2
    g.diplomacy[:] = -1
    g.caravan[:] = g.army[:] = -2
    g.card[:] = -1
    g.wonder_space[:] = -1
    g.victory_card[:3] = 0, 1, 3
    rng = np.random.default_rng(1)
    free = list(rng.permutation(int(g.n_spaces)))
    for seat in range(4):
        for place in range(5):
            g.row[seat, place] = place
            g.card[seat, place] = place * names.N_LEVELS + (seat + place) % 4
            g.trade[seat, place] = (seat + place) % 4
        g.dial[seat] = 3 + seat
        g.resources[seat] = [seat, 0, 1, 2]
        for piece in (names.CAPITAL, names.CITY, names.CITY, names.TOKEN, names.TOKEN, names.TOKEN, names.REINFORCED):
            s = free.pop()
            g.owner[s], g.piece[s] = seat, piece
            g.space_count[seat] += 1
            if piece in (names.CITY, names.CAPITAL):
                g.cities[seat, g.city_count[seat]] = s
                g.city_count[seat] += 1
        g.caravan[seat, :3] = (int(free[-1]), int(free[-1]), -1) if seat == 0 else (int(free[-1]), -1, -2)
    g.caravans[free.pop()] = 5
    city = g.cities[0, 0]
    g.terrain[[n for n in g.neighbour[city] if n >= 0]] = names.WATER
    for n in g.neighbour[city]:
        if n >= 0:
            g.owner[n], g.piece[n] = -1, 0
    g.wonder_token[city], g.wonder_space[names.PYRAMIDS], g.wonder_place[names.PYRAMIDS] = names.PYRAMIDS, city, 3
    g.wonder_place[names.PETRA] = 2
    for resource in range(4):
        g.resource[free.pop()] = resource
    for wonder, owner in ((0, -1), (4, 1)):
        s = int(np.flatnonzero((g.owner == owner) & (g.piece == (0 if owner < 0 else 1)))[5 if owner < 0 else 0])
        g.terrain[s] = names.NATURAL_WONDER
        g.natural_wonder[s], g.natural_wonder_owner[wonder], g.natural_wonder_space[wonder] = wonder, owner, s
    for code in (3, 5):
        s = free.pop()
        g.city_state[s], g.city_state_owner[code], g.city_state_space[code] = code, -1, s
    g.barbarian_space[0], g.barbarian_space[4] = g.city_state_space[3], free.pop()
    g.claimed[1, 2], g.claimed_round[1, 2] = 2, 6
    g.diplomacy[1, names.EMBASSY] = 0
    for seat in range(4):
        refresh_seat(rules, g, seat)
    return g
