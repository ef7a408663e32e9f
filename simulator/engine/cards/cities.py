"""Cities of industry cards (B8.1 to B8.4): where they may stand, and founding them."""

from ... import limits, names
from ...rules import ability_codes as codes
from ..board.abilities import may_count_through
from ..board.agendas import settle
from ..board.counts import water_beside
from ..board.events import happen
from ..board.hexes import BLOCKED, PASSABLE, at_fort, flood, ground_difficulty, is_token, next_to_any_city, queue_friendly
from ..board.pieces import army_on, caravan_on, put_city, return_army, return_caravan, rival_army_on
from ..core import decisions, state
from ..core.jit import expansion, inline, jit
from .culture import place_tokens

ANY_DIFFICULTY = 99
ON_CARAVAN, ON_ARMY = 1, 2  # bits of `card_city_on_figure`


@inline
def is_wonder_option(v):
    """Does the option of an industry card build a world wonder, and no city?"""
    return decisions.WONDER_OPTION <= v < decisions.CITY_ON_CARAVAN


@inline
def space_of_city(v):
    """Return the space of an option of an industry card that builds a city, in place of an own figure or not."""
    return v - (
        decisions.CITY_ON_ARMY
        if v >= decisions.CITY_ON_ARMY
        else decisions.CITY_ON_CARAVAN
        if v >= decisions.CITY_ON_CARAVAN
        else 0
    )


@inline
def city_difficulty(r, g, p, terrain, coastal):
    """Return the difficulty of a terrain, next to water or not, for building a city with an industry card."""
    return ground_difficulty(r, g, p, codes.BUILD_CITY, terrain, coastal)


@jit
def eased_by_water(r, g, p, s, slot):
    """Auckland: is the space next to water, and therefore easy enough for a city of seat `p`?"""
    eased = int(g.power[p, codes.WATERSIDE_CITIES])  # 1 + the difficulty it then has
    return eased > 0 and eased - 1 <= slot and g.current == p and g.terrain[s] != names.WATER and water_beside(g, s) > 0


@inline
def may_hold_city(r, g, p, s, slot):
    """B8.3, B8.4, T11.2: may seat `p` build a city on the space, distance aside?"""
    if g.terrain[s] == names.WATER or (g.armies[s] != 0 and rival_army_on(g, p, s)):
        return False
    if g.barbarians[s] != 0 or g.resource[s] >= 0 or g.city_state[s] >= 0:
        return False
    if g.owner[s] >= 0:
        if g.owner[s] != p or not is_token(g, s):
            return False
    else:
        n = g.natural_wonder[s]
        if n >= 0 and g.natural_wonder_owner[n] < 0:
            return False
    if g.wonder_token[s] >= 0 and g.owner[s] < 0 and r.ruin_blocks_city != 0:
        return False
    easy = city_difficulty(r, g, p, int(g.terrain[s]), int(g.coastal[s])) <= slot
    if not (easy or eased_by_water(r, g, p, s, slot)) or next_to_any_city(g, s):
        return False
    return r.box != names.TI_BOX or not at_fort(g, s)


@jit
def mark_waterside(r, g, w, p, slot):
    """Auckland: the distance of a city may be counted through land next to water, too."""
    for s in range(g.n_spaces):
        held = g.barbarians[s] != 0 or (g.owner[s] >= 0 and g.owner[s] != p)
        if not held and eased_by_water(r, g, p, s, slot):
            w.mark[s] = PASSABLE


@jit
def mark_city(r, g, w, p, card, slot):
    """Mark the spaces the distance of a city may be counted through (B8.2)."""
    passable = 0  # bits by next to water, terrain: a look-up that the compiler does for many spaces at once
    through_water = r.card_city_through_water[card] != 0 or may_count_through(g, p, codes.THROUGH_CITY_WATER)
    for coastal in range(2):
        for t in range(names.N_TERRAINS):
            through = city_difficulty(r, g, p, t, coastal) <= slot if t != names.WATER else through_water
            passable |= int(through) << (coastal * names.N_TERRAINS + t)
    for s in range(g.n_spaces):
        terrain = int(g.terrain[s])
        owner = g.owner[s]
        barbarians = g.barbarians[s]
        mark = (passable >> (int(g.coastal[s]) * names.N_TERRAINS + terrain)) & 1
        held = (barbarians != 0) | ((owner >= 0) & (owner != p))
        w.mark[s] = BLOCKED if held & (terrain != names.WATER) else mark
    if g.power[p, codes.WATERSIDE_CITIES] != 0:
        mark_waterside(r, g, w, p, slot)


@jit
def queued(w, n, s):
    """Is the space among the first `n` of the queue?"""
    for i in range(n):
        if w.queue[i] == s:
            return True
    return False


@inline
def city_range(r, g, p, card):
    """Return how far from a friendly space seat `p` may build a city with this card."""
    return int(r.card_city_range[card]) + int(g.power[p, codes.CITY_RANGE])


@jit
def count_city_distance(r, g, w, p, card, slot):
    """Write into ``w.dist[0]`` how far every space is from a friendly space (or caravan, if the card says so)."""
    mark_city(r, g, w, p, card, slot)
    n = queue_friendly(g, w, p, 0)
    if r.card_city_from_caravan[card] != 0:
        for c in range(limits.MAX_CARAVANS):
            s = g.caravan[p, c]
            if s >= 0 and g.owner[s] != p and not queued(w, n, s):
                w.queue[n] = s
                n += 1
    flood(g, w, 0, n, city_range(r, g, p, card))


@jit
def list_city_spaces(r, g, w, p, card, slot):
    """List the spaces where seat `p` may build a city with this card; return how many."""
    if g.cities_left[p] <= 0:
        return 0
    count_city_distance(r, g, w, p, card, slot)
    lighthouse = 0 < g.power[p, codes.EDGE_CITIES] <= city_range(r, g, p, card)  # Great Lighthouse
    n = 0
    for s in range(g.n_spaces):
        near = w.dist[0, s] >= 0
        if not near and lighthouse and g.edge[s] != 0 and g.owner[s] < 0 and g.caravans[s] == 0 and g.armies[s] == 0:
            near = g.wonder_token[s] < 0
        if near and may_hold_city(r, g, p, s, slot):
            w.option[n] = s
            n += 1
    return n


@expansion
def list_cities_on_figures(r, g, w, p, card, n) -> int:
    """Animal Husbandry: append the spaces of own figures where a city is legal, however far, of any terrain (T12.16)."""
    if g.cities_left[p] <= 0:
        return n
    for s in range(g.n_spaces):
        if (g.caravans[s] == 0 and g.armies[s] == 0) or not may_hold_city(r, g, p, s, ANY_DIFFICULTY):
            continue
        if r.card_city_on_figure[card] & ON_CARAVAN != 0 and caravan_on(g, p, s) >= 0:
            w.option[n] = decisions.CITY_ON_CARAVAN + s
            n += 1
        if r.card_city_on_figure[card] & ON_ARMY != 0 and army_on(g, p, s) >= 0:
            w.option[n] = decisions.CITY_ON_ARMY + s
            n += 1
    return n


@jit
def found_city(r, g, w, bots, p, h, slot, tokens, s):
    """Place the city and up to `tokens` control tokens around it; what else a new city sets off."""
    put_city(r, g, w, p, s)
    g.stat_cities_built[p] += 1
    settle(r, g, w, bots)
    place_tokens(r, g, w, bots, p, h, slot, tokens, decisions.SOURCE_NEW_CITY, s)
    happen(r, g, w, bots, p, codes.CITY_BUILT, state.TARGET_CITY, -1, s, -1)


@jit
def build_city(r, g, w, bots, p, h, slot, s):
    """B8.1: place the city; Urbanization adds control tokens around it."""
    found_city(r, g, w, bots, p, h, slot, r.card_city_tokens[g.card[p, h]], s)


@expansion
def build_city_on_figure(r, g, w, bots, p, h, slot, picked) -> None:
    """Animal Husbandry: one own figure on the space returns to its card and a city is built there (T12.16)."""
    if picked >= decisions.CITY_ON_ARMY:
        s = picked - decisions.CITY_ON_ARMY
        return_army(g, w, p, army_on(g, p, s))
    else:
        s = picked - decisions.CITY_ON_CARAVAN
        return_caravan(g, w, p, caravan_on(g, p, s))
    build_city(r, g, w, bots, p, h, slot, s)
