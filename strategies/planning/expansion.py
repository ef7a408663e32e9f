"""The planner in Terra Incognita: districts, growth cards, governments, and decisions of its leaders and cards.

Districts go where they will bring trade tokens; governments to the card the plan needs most; armies are in
`strategies.planning.armies`. Needs are those of the plan (`strategies.planning.plan`), prices the weights of the profile.
"""

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.compile.jit import expansion, inline, jit
from ...simulator.engine.counts import districts_on_map
from ...simulator.engine.culture import mark_around
from ...simulator.engine.districts import FIRST, is_polder, trade_tokens_of
from ...simulator.engine.growth import district_fits
from ...simulator.engine.map import hex_distance
from ...simulator.engine.pieces import is_own_land
from ...simulator.rules import codes
from . import plan, weights
from .armies import NOTHING, armies_worth, choose_army_space, choose_combat_spending, choose_target, danger, piece_worth, stake
from .plan import cards_claimed
from .worth import base, city_worth, reinforce_worth, sum_of_best, target_worth, tile_worth, token_worth, type_worth

# --- growth and districts

# Counts of the lands for Campus, Commercial Hub and Industrial Zone, packed into one number.
LAND_BITS = 8
DESERT_BITS, FOREST_BITS, FREE_BITS = LAND_BITS, 2 * LAND_BITS, 3 * LAND_BITS
MUCH_ROOM = 4  # of `free_near`, for half of a Theater Square's worth
LAND_MASK = (1 << LAND_BITS) - 1
ONE_OF_EACH = 1 | 1 << DESERT_BITS | 1 << FOREST_BITS
BITS_OF = {names.MOUNTAIN: 0, names.NATURAL_WONDER: 0, names.DESERT: DESERT_BITS, names.FOREST: FOREST_BITS}
ONE_OF = tuple(1 << BITS_OF[terrain] if terrain in BITS_OF else 0 for terrain in range(names.N_TERRAINS))

LEAST_YIELD = 1  # halves below which a district brings nothing
PLACES_AHEAD, WAR, CLAIM, STEADY = 20, 20, 4, 3  # rivals to fight: nearness, the plan, victory cards, habit


@inline
def is_free_land(g, s):
    """May a control token lie on the space one day: land that nobody has?"""
    return (g.owner[s] < 0) & (g.terrain[s] != names.WATER) & (g.city_state[s] < 0)


@inline
def free_near(g, s):
    """Return the free land within two spaces, as room for a Theater Square; spaces on two paths count twice."""
    n = 0
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t < 0:
            continue
        n += int(is_free_land(g, t))
        for e in range(6):
            f = int(g.neighbour[t, e])
            n += int(is_free_land(g, f)) if f >= 0 and f != s else 0
    return n


@jit
def lands_around(g, p, s):
    """Return what the lands of the districts around the space count, LAND_BITS bits each (`ONE_OF`): 2 if friendly, 1 if free.

    As `districts.spaces_around`, for all three at once; above them (FREE_BITS) the free land near, for a Theater Square.
    """
    polders = g.power[p, codes.DISTRICT_WATER] != 0
    lands = 2 * ONE_OF[g.terrain[s]]
    if g.district_space[p, names.THEATER_SQUARE] < 0:
        lands += free_near(g, s) << FREE_BITS
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t < 0:
            continue
        if polders and is_polder(g, p, t):
            lands += 2 * ONE_OF_EACH
        elif is_own_land(g, p, t):
            lands += 2 * ONE_OF[g.terrain[t]]
        elif g.owner[t] < 0:
            lands += ONE_OF[g.terrain[t]]
    return lands


@inline
def possible_yield(r, g, p, district, lands):
    """Return, in halves, the trade tokens the district would bring at a time among the `lands_around` a space.

    Theater Square's control token counts like one if there is room for several, Encampment's blow and reinforced token like
    half of one.
    """
    if district == names.ENCAMPMENT:
        return 1
    if district == names.THEATER_SQUARE:
        return min(2, (lands >> FREE_BITS) // MUCH_ROOM)
    if district == names.CAMPUS:
        return lands & LAND_MASK
    if district == names.INDUSTRIAL_ZONE:
        return lands >> FOREST_BITS & LAND_MASK
    return max(lands >> DESERT_BITS & LAND_MASK, 2 * trade_tokens_of(r, g, p, names.COMMERCIAL_HUB, 0, FIRST) + 1)


@jit
def ground_worth(r, g, p, s):
    """Worth of a district on the space for the space itself, whatever its type."""
    if g.owner[s] != p:
        return token_worth(r, g, p, s)
    return -int(g.weights[p, weights.REINFORCE_BASE]) if g.piece[s] != names.TOKEN else 0


@inline
def type_of_district_worth(r, g, p, district, lands):
    """Worth of a district of that type among the `lands_around` a space, the space itself aside."""
    worth = base(g, p, weights.DISTRICT_BASE + district)
    yield_halves = possible_yield(r, g, p, district, lands)
    if yield_halves < LEAST_YIELD:
        worth = worth * int(g.weights[p, weights.BARREN]) // 100
    return worth + int(g.notes[p, plan.NEED_DISTRICT]) + yield_halves * g.weights[p, weights.DISTRICT_YIELD] // 2


@jit
def rate_districts(r, g, w, p, n):
    """Fill ``w.option_worth`` with the worth of districts and spaces (`decisions.PLACE_DISTRICT`); return the best's index.

    The lands around a space are counted once.
    """
    best = 0
    space = -1
    lands = ground = 0
    for k in range(n):
        s = int(w.option[k]) // 8
        if s != space:
            space = s
            lands = lands_around(g, p, s)
            ground = ground_worth(r, g, p, s)
        w.option_worth[k] = type_of_district_worth(r, g, p, int(w.option[k]) % 8, lands) + ground
        if w.option_worth[k] > w.option_worth[best]:
            best = k
    return best


@jit
def mark_district_sites(g, w, p):
    """Mark the spaces where seat `p` may have a district, terrain and pieces aside: next to its cities, or anywhere."""
    anywhere = 1 if g.power[p, codes.TOKENS_WITHOUT_CITY] != 0 else 0
    for s in range(g.n_spaces):
        w.mark[s] = anywhere
    for i in range(g.city_count[p]):
        mark_around(g, w, g.cities[p, i])


@jit
def best_type_worth(r, g, p, s):
    """Worth of the best of the districts that seat `p` has not placed yet on the space, the space itself aside."""
    worth = NOTHING
    lands = lands_around(g, p, s)
    for d in range(names.N_DISTRICTS):
        if g.district_space[p, d] < 0:
            worth = max(worth, type_of_district_worth(r, g, p, d, lands))
    return worth


@jit
def best_district(r, g, w, p, slot, later):
    """Return the worth of the best district seat `p` could place from the slot (0: none).

    Notes (`plan.LATER`) that from the slot `later`, which is no lower.
    """
    best = then = 0
    mark_district_sites(g, w, p)
    for s in range(g.n_spaces if districts_on_map(g, p) < names.N_DISTRICTS else 0):
        rival = g.owner[s] >= 0 and g.owner[s] != p
        if w.mark[s] == 0 or rival or g.terrain[s] == names.WATER or not district_fits(r, g, p, s, later):
            continue
        worth = best_type_worth(r, g, p, s) + ground_worth(r, g, p, s)
        then = max(then, worth)
        if worth > best and (slot >= later or district_fits(r, g, p, s, slot)):
            best = worth
    g.notes[p, plan.LATER] = then
    return best


@jit
def list_plain(r, g, w, p):
    """List what reinforcing each own control token is worth, as `sum_of_best` reads it; return how many."""
    n = 0
    for s in range(g.n_spaces):
        if g.owner[s] == p and g.piece[s] == names.TOKEN:
            w.space_worth[n] = reinforce_worth(r, g, p, s) + int(g.notes[p, plan.NEED_REINFORCED])
            w.space_difficulty[n] = 0
            n += 1
    return n


@jit
def reinforcing_worth(r, g, w, p, amount):
    """Worth of reinforcing the best so many control tokens."""
    return sum_of_best(w, list_plain(r, g, w, p), amount, 0)


@jit
def parts_worth(r, g, w, p, h, slot, n, district):
    """Return what the growth card brings with that district in the slot, the `n` plain tokens being listed."""
    card = g.card[p, h]
    tokens = int(g.trade[p, h])
    reinforced = sum_of_best(w, n, (slot if r.card_growth_reinforce[card] != 0 else 0) + tokens, 0)
    if r.card_growth_all[card] != 0:
        return district + reinforced
    return max(district + sum_of_best(w, n, tokens, 0), reinforced)


@jit
def growth_worth(r, g, w, p, h, slot, later):
    """Return what the growth card brings in the slot: a district, reinforced tokens, or both if the card does both.

    Notes (`plan.LATER`) what it brings with the slot `later`.
    """
    district = then = 0
    if r.card_districts[g.card[p, h]] > 0:
        district = best_district(r, g, w, p, slot, later)
        then = int(g.notes[p, plan.LATER])
    n = list_plain(r, g, w, p)
    g.notes[p, plan.LATER] = parts_worth(r, g, w, p, h, later, n, then)
    return parts_worth(r, g, w, p, h, slot, n, district)


@jit
def effect_worth(r, g, w, p, s, option):
    """Worth of an option of the own district on the space."""
    district = int(g.district[s]) - 1
    tokens = trade_tokens_of(r, g, p, district, s, option)
    if tokens > 0:
        return tokens * int(g.weights[p, weights.TRADE_TOKEN])
    if district == names.INDUSTRIAL_ZONE:
        return base(g, p, weights.CITY_BASE) + int(g.notes[p, plan.NEED_CITY]) - 3 * int(g.weights[p, weights.TRADE_TOKEN]) // 2
    if district == names.ENCAMPMENT:
        return int(g.weights[p, weights.REINFORCE_BASE]) + 1
    return int(g.weights[p, weights.TOKEN_BASE])


@jit
def foe_army_worth(r, g, p, q, s):
    """Worth of sending home an army of rival `q` on the space: more, the more it threatens there."""
    worth = piece_worth(r, g, p, s, state.TARGET_ARMY, q)
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t >= 0 and g.owner[t] == p:
            worth += stake(r, g, p, t) * int(g.weights[p, weights.GUARD]) // 100
    return worth


@jit
def foe_worth(r, g, p, v):
    """Worth of what an Encampment does on the space: a barbarian or army less, or a token reinforced."""
    if v >= decisions.ARMY_OPTION:
        return foe_army_worth(r, g, p, (v - decisions.ARMY_OPTION) // 256, (v - decisions.ARMY_OPTION) % 256)
    if v >= decisions.BARBARIAN_OPTION:
        return target_worth(r, g, p, v - decisions.BARBARIAN_OPTION)
    return reinforce_worth(r, g, p, v)


@jit
def district_gain(r, g, p, district):
    """Return what naming the district type brings seat `p` ahead of its rivals (Globalization)."""
    gain = 0
    for q in range(g.players):
        s = int(g.district_space[q, district])
        if s >= 0:
            gain += 3 if q == p else -1
    return gain


# --- governments and what single leaders and cards ask


@jit
def government_worth(r, g, p, h):
    """Worth of a government on the card of holder `h`."""
    kind = int(r.card_type[g.card[p, h]])
    worth = int(r.government_shift[kind]) * (type_worth(r, g, p, h) + int(g.weights[p, weights.UPGRADE_TYPE + kind]) // 8)
    return worth + 1 if g.government[p] != h else worth + worth // 3


@jit
def rank_rival(g, p, q):
    """Return how much rival `q` is to be feared: its victory cards."""
    return cards_claimed(g, q) if q != p else -1


@jit
def quarrel(g, p, q):
    """Return how likely seat `p` is to attack rival `q`: it is near, ahead, or holds what the plan wants to attack."""
    near = PLACES_AHEAD - hex_distance(g, int(g.capital[p]), int(g.capital[q]))
    target = int(g.notes[p, plan.WAR_TARGET])
    aimed = WAR if target >= 0 and g.owner[target] == q else 0
    return near + aimed + CLAIM * cards_claimed(g, q)


@jit
def ibrahim_worth(g, p, q):
    """Worth of giving Ibrahim to rival `q`, whom seat `p` then fights better, instead of who has him; at first to anybody."""
    now = int(g.given_card[p])
    return quarrel(g, p, q) - quarrel(g, p, now) - STEADY if now >= 0 else PLACES_AHEAD + quarrel(g, p, q)


@jit
def place_of_type(r, g, p, kind):
    """Return the place of the row of seat `p` where a card of the focus type lies, -1 for none."""
    for place in range(r.slots):
        h = int(g.row[p, place])
        if h >= 0 and r.card_type[g.card[p, h]] == kind:
            return place
    return -1


@jit
def exchange_worth(r, g, p, place):
    """Worth of swapping the military card with that of another place: what matters more should stand farther right."""
    now = place_of_type(r, g, p, names.MILITARY)
    if now < 0:
        return 0
    steps = int(r.slot_number[place]) - int(r.slot_number[now])
    return steps * (type_worth(r, g, p, int(g.row[p, now])) - type_worth(r, g, p, int(g.row[p, place])))


@jit
def option_worth(r, g, w, p, kind, v):
    """Worth of an option of a decision that only Terra Incognita asks."""
    if kind == decisions.GROWTH:
        slot = int(w.ask_slot)
        return best_district(r, g, w, p, slot, slot) if v != decisions.GROWTH_REINFORCE else reinforcing_worth(r, g, w, p, slot)
    if kind == decisions.DISTRICT_EFFECT:
        return effect_worth(r, g, w, p, int(w.ask_space), v)
    if kind == decisions.DISTRICT_SPACE:
        return foe_worth(r, g, p, v)
    if kind == decisions.CITY_SPACE:
        return city_worth(r, g, p, v)
    if kind == decisions.GOVERNMENT:
        return government_worth(r, g, p, v)
    if kind == decisions.TAKE_CITY:
        return piece_worth(r, g, p, v, state.TARGET_CITY, int(g.owner[v]))
    if kind == decisions.DISPLACED_TOKEN:
        return token_worth(r, g, p, v)
    if kind == decisions.NAME_DISTRICT:
        return district_gain(r, g, p, v)
    if kind == decisions.ARMY_CITY:
        return stake(r, g, p, v) * max(1, danger(r, g, p, v))
    if kind == decisions.GIVE_IBRAHIM:
        return ibrahim_worth(g, p, v)
    if kind == decisions.ALLY:
        return rank_rival(g, p, v)
    if kind == decisions.CONQUER_VISITED:
        return v * (target_worth(r, g, p, int(w.ask_space)) + 1)
    if kind == decisions.EXPLORED_TILE:
        return max(1, tile_worth(r, g, p, v))
    if kind == decisions.ARMY or kind == decisions.ARMY_AGAIN or kind == decisions.DIAL_ANYWAY:
        return 1
    return exchange_worth(r, g, p, v) if kind == decisions.NON_AGGRESSION else 0


@jit
def choose_by_worth(r, g, w, p, kind, n):
    """Return the index of the option of the highest worth; PASS counts 0 where it is offered."""
    best = n - 1
    best_worth = NOTHING
    if w.option[n - 1] == decisions.PASS:
        best_worth = 0
        n -= 1
    for k in range(n):
        worth = option_worth(r, g, w, p, kind, int(w.option[k]))
        if worth > best_worth:
            best = k
            best_worth = worth
    return best


@expansion
def choose_expansion(r, g, w, p, kind, n) -> int:
    """Choose an option of a decision that only Terra Incognita asks."""
    if kind == decisions.ARMY_TO:
        return choose_army_space(r, g, w, p, n)
    if kind == decisions.ARMY_TARGET:
        return choose_target(r, g, w, p, n)
    if kind == decisions.COMBAT_SPEND:
        return choose_combat_spending(r, g, w, p, n)
    if kind == decisions.PLACE_DISTRICT:
        return rate_districts(r, g, w, p, n)
    return choose_by_worth(r, g, w, p, kind, n)


@expansion
def ti_card_worth(r, g, w, p, h, slot, later) -> int:
    """Return what a military or growth card brings in the slot; notes (`plan.LATER`) what it brings with the slot `later`."""
    if r.card_type[g.card[p, h]] == names.MILITARY:
        return armies_worth(r, g, w, p, h, slot, later)
    return growth_worth(r, g, w, p, h, slot, later)


assert names.N_DISTRICTS <= 8
