"""The audit of the expansion's map: tiles, forts, neighbours, edges (see `invariants`)."""

from ... import limits, names
from ..board.exploring import holds_capital
from ..board.hexes import is_fort
from ..board.loans import is_lent
from ..board.mapping import KIND_CAPITAL, STEP_Q, STEP_R
from ..board.pieces import conquered_city_state
from ..core.jit import expansion, jit
from . import violations


@jit
def printed_settlement(g, s):
    """Is it the space of a capital, city-state or fort? Tiles may bring such spaces next to each other (T6.6)."""
    return (
        g.piece[s] == names.CAPITAL or g.city_state[s] >= 0 or conquered_city_state(g, s) >= 0 or is_fort(g, s) or is_lent(g, s)
    )


@jit
def belongs(r, g, tile):
    """Is the tile on the map or in the stack of this game (T1.5)? On a user's map only what that says."""
    if r.map_mode != 0:
        for i in range(r.fixed_tiles):
            if r.fixed_tile[i] + 1 == tile and r.fixed_players[i, g.players] != 0:
                return True
        if r.fixed_stack_n >= 0:
            for k in range(r.fixed_stack_n):
                if r.fixed_stack[k] == tile:
                    return True
            return False
    if r.tile_kind[tile - 1] == KIND_CAPITAL:
        return r.map_mode == 0 and holds_capital(g, tile)
    return r.tile_in_set[tile - 1] != 0


@jit
def audit_fort(g, w, s):
    """A fort is forest with nothing printed on it; no fort and no built city lies next to it (T1.7, T6.1)."""
    if g.terrain[s] != names.FOREST or g.resource[s] >= 0 or g.natural_wonder[s] >= 0 or g.city_state[s] >= 0:
        violations.report(w, violations.FORT, s)
    for d in range(6):
        n = g.neighbour[s, d]
        if n >= 0 and (is_fort(g, n) or (g.piece[n] == names.CITY and not printed_settlement(g, n))):
            violations.report(w, violations.FORT, s)


@jit
def audit_ground(g, w, s):
    """The neighbours of a space lie next to it, and edge and coast are what they are."""
    edge = 0
    coastal = 0
    for d in range(6):
        n = g.neighbour[s, d]
        if n < 0:
            edge = 1
        elif g.terrain[n] == names.WATER:
            coastal = 1
        if n >= 0 and (g.axial_q[n] - g.axial_q[s] != STEP_Q[d] or g.axial_r[n] - g.axial_r[s] != STEP_R[d]):
            violations.report(w, violations.GROUND, s)
        if n >= 0 and g.neighbour[n, (d + 3) % 6] != s:
            violations.report(w, violations.GROUND, s)
    if g.edge[s] != edge or g.coastal[s] != max(edge, coastal):
        violations.report(w, violations.GROUND, s)


@expansion
def audit_map(r, g, w) -> None:
    """Terra Incognita: every tile is laid whole or in the stack, once; forts and the ground are as they must be."""
    laid = 0
    forts = 0
    run = 0  # spaces of the tile so far: they were laid one after the other
    for s in range(g.n_spaces):
        tile = int(g.tile[s])
        run = run + 1 if s > 0 and g.tile[s - 1] == tile else 1
        if tile >= limits.FORT_TILE:
            audit_fort(g, w, s)
            if forts >> tile & 1 != 0 or tile - limits.FORT_TILE >= g.players:
                violations.report(w, violations.FORT, s)
            forts |= 1 << tile
        elif tile > 0:
            whole = run <= limits.TILE_SPACES and (run > 1 or laid >> tile & 1 == 0)
            last = s + 1 == g.n_spaces or g.tile[s + 1] != tile
            if not whole or (last and run != limits.TILE_SPACES):
                violations.report(w, violations.TILES, s)
            laid |= 1 << tile
        audit_ground(g, w, s)
    for k in range(g.stack_n):
        bit = 1 << int(g.stack[k])
        if laid & bit != 0:
            violations.report(w, violations.TILES, g.stack[k])
        laid |= bit
    for tile in range(1, limits.MAX_TILES + 1):
        if (laid >> tile & 1 != 0) != belongs(r, g, tile):
            violations.report(w, violations.TILES, tile)
    if g.water_tokens < 0 or g.n_spaces > limits.MAX_SPACES:
        violations.report(w, violations.TILES, -1)
