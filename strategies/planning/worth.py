"""What things are worth: tiles, gains, spaces, wonders, agendas."""

from __future__ import annotations

from ...simulator import names
from ...simulator.engine import state
from ...simulator.engine.choosing import below_bits
from ...simulator.engine.combat import target_of
from ...simulator.engine.compile.jit import inline, jit
from ...simulator.engine.exploring import counts_as_touched, is_free
from ...simulator.engine.map import SHAPES, distance_to, hex_distance, is_fort, is_token
from ...simulator.rules import codes
from . import plan, weights
from .plan import barbarian_distance, cards_claimed, missing_tokens, progress, too_hard

# --- Worths of abilities of house rules: their effects at the prices of the profile
#
# Printed abilities do not count here, because the weights were tuned with them in the game.

TURNS = 4  # a deed of every turn, or a lasting number, counts so many times
OFTEN = 2  # what helps with every card of a type


@jit
def deed_worth(r, g, p, row):
    """Worth of doing an ability's deed once (its conditions aside), at the profile's prices."""
    effect = r.ability_effect[row]
    amount = int(r.ability_amount[row])
    if effect == codes.TRADE_TOKENS:
        return 0 if r.ability_for_giver[row] != 0 else amount * int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.STEAL_TRADE_TOKENS:
        return amount * int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.PAY_TRADE_TOKENS:
        return -amount * int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.RESOURCES:
        return amount * int(g.weights[p, weights.RESOURCE])
    if effect == codes.CONTROL_TOKENS or effect == codes.REMOVE_RIVAL_TOKENS or effect == codes.CONVERT_TOKEN:
        return amount * int(g.weights[p, weights.TOKEN_BASE])
    if effect == codes.REINFORCE:
        return amount * int(g.weights[p, weights.REINFORCE_BASE])
    if effect == codes.ADVANCE_DIAL:
        return amount * int(g.weights[p, weights.DIAL_BASE])
    if effect == codes.OWN_FUNCTION:
        return int(r.ability_worth[row]) * int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.UPGRADE_CARDS or effect == codes.RAISE_CARDS:
        return amount * int(g.weights[p, weights.UPGRADE])
    if effect == codes.TAKE_DIPLOMACY or effect == codes.ALLIANCE:
        return amount * int(g.weights[p, weights.DIPLOMACY])
    return int(g.weights[p, weights.TRADE_TOKEN]) // 2  # swaps and pushes: better than nothing


@jit
def held_worth(r, g, p, row):
    """Worth of an effect that holds: roughly what its number saves or brings, at the profile's prices."""
    effect = r.ability_effect[row]
    amount = int(r.ability_amount[row])
    trade = int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.COMBAT:
        sides = int(r.ability_when[row] & 1) + int(r.ability_when[row] >> 1 & 1)
        return TURNS * amount * trade * sides // 2
    if effect == codes.WONDER_COST:
        return -OFTEN * amount * trade
    if effect == codes.FORBIDS:
        return -TURNS * trade
    if effect == codes.DIFFICULTY or effect == codes.DIFFICULTY_CHANGE:
        return TURNS * trade
    if effect == codes.PRODUCTION or effect == codes.DIAL_SPACES or effect == codes.SLOT_SHIFT:
        return TURNS * amount * trade
    if effect == codes.CULTURE_TOKENS:
        return TURNS * amount * int(g.weights[p, weights.TOKEN_BASE])
    return OFTEN * max(1, amount) * trade if codes.ADDS_UP[effect] else TURNS * trade


@jit
def own_words_worth(r, g, p, first, n):
    """Worth of the abilities of house rules among the `n` from row `first` on: those of a wonder, a card …"""
    worth = 0
    for row in range(first, first + n):
        if r.ability_own[row] == 0:
            continue
        moment = r.ability_moment[row]
        if moment == codes.HELD:
            worth += held_worth(r, g, p, row)
        else:
            times = 1 if moment == codes.BUILT else (TURNS if moment == codes.START_OF_TURN else OFTEN)
            worth += times * deed_worth(r, g, p, row)
    return worth


@inline
def standard_card(r, card):
    """Return the printed focus card of the type and level of one that house rules have added."""
    return int(r.card_type[card]) * names.N_LEVELS + int(r.card_level[card]) - 1


@jit
def numbers_worth(r, g, p, card):
    """Worth of a focus card's numbers, resolved once, to compare two of a type and level."""
    trade = int(g.weights[p, weights.TRADE_TOKEN])
    tokens = int(r.card_tokens[card]) + int(r.card_border_tokens[card]) + int(r.card_weaken[card])
    worth = (tokens + int(r.card_city_tokens[card])) * int(g.weights[p, weights.TOKEN_BASE])
    worth += int(r.card_trade_first[card]) * trade + int(r.card_resource_first[card]) * int(g.weights[p, weights.RESOURCE])
    worth += (int(r.card_caravans[card]) * int(r.card_move[card]) + int(r.card_city_range[card])) * trade // 3
    for slot in range(1, int(r.slot_number[r.slots - 1]) + 1):
        worth += int(r.card_production[card, slot]) * trade // 4
    worth += (int(r.card_combat[card]) + int(r.card_combat_barbarian[card])) * trade // 2
    worth += (2 * int(r.card_attacks[card]) + 2 * int(r.card_armies[card]) + int(r.card_attack_range[card])) * trade
    return worth + (int(r.card_army_move[card]) + 2 * int(r.card_districts[card])) * trade // 2


@jit
def add_up_moment(r, g, p, moment, target, kind, terrain):
    """Worth of the own abilities of seat `p` that act at the moment (arguments as of `events.happen`; -1: any)."""
    worth = 0
    for k in range(g.listed_n[p]):
        row = g.listed[p, k]
        if r.ability_own[row] == 0 or r.ability_moment[row] != moment or r.ability_target[row] >> target & 1 == 0:
            continue
        if r.ability_by[row] != codes.OWN_MOMENT:
            continue
        if (kind < 0 or r.ability_type[row] >> kind & 1 != 0) and (terrain < 0 or r.ability_terrain[row] >> terrain & 1 != 0):
            worth += deed_worth(r, g, p, row)
    return worth


@inline
def moment_worth(r, g, p, moment, target, kind, terrain):
    """Worth to seat `p` of bringing the moment about: nothing unless an own ability waits for it."""
    return add_up_moment(r, g, p, moment, target, kind, terrain) if g.moments[p] >> moment & 1 != 0 else 0


# --- Laying tiles: the capital where there is room, every other tile where its spaces serve the capital

NOTHING = -(1 << 30)


@jit
def tile_space_worth(r, g, p, tile, side, i):
    """Worth of having space `i` of a tile near: prizes and room, no barbarians."""
    worth = g.weights[p, weights.TILE_LAND]
    if r.tile_terrain[tile - 1, side, i] == names.WATER:
        worth = 0
    if r.tile_resource[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_RESOURCE]
    if r.tile_natural_wonder[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_NATURAL_WONDER]
    if r.tile_city_state[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_CITY_STATE]
    if r.tile_barbarian[tile - 1, side, i] >= 0:
        worth += g.weights[p, weights.TILE_BARBARIAN]
    return worth


@jit
def room_worth(r, g, p, q, row):
    """Worth of the laid spaces around a capital at (q, row): land, prizes, and no rival capital or barbarian near."""
    worth = 0
    far_off = int(g.weights[p, weights.ROOM_FAR])
    near_by = int(g.weights[p, weights.ROOM_NEAR])
    for s in range(g.n_spaces):
        far = distance_to(g, s, q, row)
        if far > far_off:
            continue
        here = 0 if g.terrain[s] == names.WATER else g.weights[p, weights.TILE_LAND]
        if g.resource[s] >= 0:
            here += g.weights[p, weights.TILE_RESOURCE]
        if g.natural_wonder[s] >= 0:
            here += g.weights[p, weights.TILE_NATURAL_WONDER]
        if g.city_state[s] >= 0:
            here += g.weights[p, weights.TILE_CITY_STATE]
        if g.barbarians[s] != 0:
            here += g.weights[p, weights.TILE_BARBARIAN]
        if is_fort(g, s):
            here += g.weights[p, weights.TILE_FORT]
        worth += here if far > near_by else 2 * here
    for rival in range(g.players):
        if g.capital[rival] >= 0:
            far = distance_to(g, int(g.capital[rival]), q, row)
            if far <= far_off:
                worth += g.weights[p, weights.TILE_RIVAL] * (1 if far > near_by else 2)
    return worth


@jit
def tile_place_worth(r, g, w, p, tile, place):
    """Worth of laying the tile in a place (coded as decisions.PLACE_TILE says); its spaces' worth is in ``w.tile_worth``."""
    row = place % names.GRID - names.GRID_ORIGIN
    q = place // names.GRID % names.GRID - names.GRID_ORIGIN
    shape = place // (names.GRID * names.GRID)
    side = shape // 6
    if r.tile_capital[tile - 1, side] >= 0:
        star = int(r.tile_capital[tile - 1, side])
        return room_worth(r, g, p, q + int(r.offset_q[shape, star]), row + int(r.offset_r[shape, star]))
    worth = 0
    capital = int(g.capital[p])
    for i in range(names.TILE_SPACES):
        far = distance_to(g, capital, q + int(r.offset_q[shape, i]), row + int(r.offset_r[shape, i]))
        worth += max(0, int(g.weights[p, weights.TILE_REACH]) - far) * int(w.tile_worth[side, i])
    return worth


@jit
def choose_tile_place(r, g, w, p, n, u):
    """Look at an even sample of the places and return the index of the best."""
    tile = int(w.ask_space)
    for side in range(2):
        for i in range(names.TILE_SPACES):
            w.tile_worth[side, i] = tile_space_worth(r, g, p, tile, side, i)
    step = max(1, n // weights.TILE_SAMPLE)
    k = below_bits(u, step)
    best = k
    best_worth = NOTHING
    while k < n:
        worth = tile_place_worth(r, g, w, p, tile, int(w.option[k]))
        if worth > best_worth:
            best = k
            best_worth = worth
        k += step
    return best


@inline
def touched_by(r, g, w, shape, q, row):
    """Return how many laid spaces a tile with space 0 at (q, row) would touch (T7.2)."""
    touched = 0
    for i in range(r.ring_n[shape]):
        s = w.grid[q + int(r.ring_q[shape, i]) + names.GRID_ORIGIN, row + int(r.ring_r[shape, i]) + names.GRID_ORIGIN]
        touched += 1 if s >= 0 and counts_as_touched(r, g, s) else 0
    return touched


@jit
def tile_fits_beside(r, g, w, s):
    """Would a tile explored from the space fit beside it? All tiles have the same shape, so only the place matters.

    ``w.grid`` shows the map.
    """
    for shape in range(SHAPES):
        for k in range(r.ring_n[shape]):
            q = int(g.axial_q[s]) - int(r.ring_q[shape, k])
            row = int(g.axial_r[s]) - int(r.ring_r[shape, k])
            if is_free(r, w, shape, q, row) and touched_by(r, g, w, shape, q, row) >= r.explore_touch:
                return True
    return False


@jit
def tile_worth(r, g, p, tile):
    """Worth of the spaces of a tile, with the better of its sides up."""
    best = 0
    for side in range(2):
        worth = 0
        for i in range(names.TILE_SPACES):
            worth += tile_space_worth(r, g, p, tile, side, i)
        best = max(best, worth)
    return best


# --- What spaces, pieces, cards and tokens are worth to a seat, given the needs its plan has noted (see `plan`)

SIEGE_FADE = 5  # percent that each city or capital won beyond weights.SIEGES counts less


@inline
def base(g, p, which):
    """Return what a thing is worth to seat `p` in any plan: less, the nearer the seat is to its end."""
    return int(g.weights[p, which]) * int(g.notes[p, plan.BASE_PERCENT]) // 100


@inline
def approach_worth(g, p, s):
    """Worth of coming nearer, with a piece on this space, to the targets of war and settlement."""
    worth = 0
    if int(g.notes[p, plan.WAR_TARGET]) >= 0:
        gain = int(g.notes[p, plan.WAR_DISTANCE]) - max(2, hex_distance(g, s, int(g.notes[p, plan.WAR_TARGET])))
        worth += max(0, gain) * g.weights[p, weights.APPROACH_VALUE]
    if int(g.notes[p, plan.LAND_TARGET]) >= 0:
        gain = int(g.notes[p, plan.LAND_DISTANCE]) - max(1, hex_distance(g, s, int(g.notes[p, plan.LAND_TARGET])))
        worth += max(0, gain) * g.weights[p, weights.APPROACH_VALUE] // 2
    return worth


@inline
def prize_worth(r, g, p, s):
    """Worth of the resource or natural wonder seat `p` would get with the space."""
    worth = 0
    if g.resource[s] >= 0:
        worth += int(g.notes[p, plan.RESOURCE_WORTH + g.resource[s]]) + int(g.notes[p, plan.NEED_PRIZE])
    n = g.natural_wonder[s]
    if n >= 0 and g.natural_wonder_owner[n] != p:
        worth += base(g, p, weights.NATURAL_WONDER_BASE) + int(g.notes[p, plan.NEED_NATURAL_WONDER])
        if r.natural_wonder_n[n] > 0:
            worth += own_words_worth(r, g, p, r.natural_wonder_first[n], r.natural_wonder_n[n])
    return worth


@inline
def maturity_worth(r, g, p, city):
    """Worth of one of the control tokens the city still lacks: more, the fewer are lacking."""
    missing = missing_tokens(r, g, p, city)
    if missing == 0:
        return 0
    return (base(g, p, weights.MATURE_BASE) + int(g.notes[p, plan.NEED_MATURE])) // (missing + 1)


@inline
def space_worth(g, p, s):
    """Worth of one more friendly space to an agenda of house rules that counts them, those of one terrain perhaps."""
    wanted = int(g.notes[p, plan.NEED_TERRAIN])
    return int(g.notes[p, plan.NEED_SPACE]) if wanted == 0 or wanted - 1 == g.terrain[s] else 0


@jit
def token_worth(r, g, p, s):
    """Worth of a control token of seat `p` on the space."""
    worth = base(g, p, weights.TOKEN_BASE) + prize_worth(r, g, p, s)
    if g.coastal[s] != 0:
        worth += int(g.notes[p, plan.NEED_COAST])
    if g.notes[p, plan.NEED_SPACE] != 0:
        worth += space_worth(g, p, s)
    for d in range(6):
        t = g.neighbour[s, d]
        if t < 0:
            continue
        if g.owner[t] == p and g.piece[t] >= names.CITY:
            worth += maturity_worth(r, g, p, t)
        if g.barbarians[t] != 0:
            worth -= g.weights[p, weights.BARBARIAN_NEAR]
    worth += moment_worth(r, g, p, codes.TOKEN_PLACED, state.TARGET_TOKEN, -1, g.terrain[s])
    return worth + approach_worth(g, p, s)


@jit
def city_worth(r, g, p, s):
    """Worth of a new city of seat `p` on the space: room around it, coast, prizes to reach, no barbarians near."""
    worth = base(g, p, weights.CITY_BASE) + int(g.notes[p, plan.NEED_CITY])
    worth += base(g, p, weights.CITY_EXTRA_BASE) * max(0, g.weights[p, weights.CITIES_WANTED] - int(g.city_count[p]))
    if g.coastal[s] != 0 and g.owner[s] != p:
        worth += int(g.notes[p, plan.NEED_COAST])
    easy = 6
    for d in range(6):
        t = g.neighbour[s, d]
        if t < 0 or g.terrain[t] == names.WATER or (g.owner[t] == p and is_token(g, t)):
            continue
        if g.owner[t] >= 0 or g.barbarians[t] != 0 or too_hard(r, g.terrain[t]):
            easy -= g.weights[p, weights.MATURE_BLOCKED]
            continue
        easy -= 1
        worth += prize_worth(r, g, p, t) * g.weights[p, weights.PRIZE_NEAR] // 100
        if g.coastal[t] != 0:
            worth += int(g.notes[p, plan.NEED_COAST]) // 6
    mature = base(g, p, weights.MATURE_BASE) + int(g.notes[p, plan.NEED_MATURE])
    worth += mature * max(0, easy) * g.weights[p, weights.ROOM] // 600
    if barbarian_distance(g, s) <= 2:
        worth -= g.weights[p, weights.BARBARIAN_CITY]
    worth += moment_worth(r, g, p, codes.CITY_BUILT, state.TARGET_CITY, -1, g.terrain[s])
    return worth + approach_worth(g, p, s)


@jit
def wonder_worth(r, g, p, wonder):
    """Worth of controlling a world wonder."""
    kind = int(r.wonder_type[wonder])
    worth = base(g, p, weights.WONDER_BASE) + int(r.wonder_era[wonder]) * base(g, p, weights.WONDER_ERA)
    worth += own_words_worth(r, g, p, r.wonder_first[wonder], r.wonder_n[wonder])
    worth += moment_worth(r, g, p, codes.WONDER_BUILT, 0, kind, -1)
    return worth + int(g.notes[p, plan.NEED_WONDER + kind])


@inline
def leading_percent(g, p, q):
    """Return how much more it is worth to seat `p` to hinder rival `q` because it is ahead of everybody else."""
    most = 0
    claimed = int(cards_claimed(g, q))
    for other in range(g.players if claimed > 0 else 0):
        if other != q:
            most = max(most, int(cards_claimed(g, other)))
    return int(g.weights[p, weights.LEADING]) * max(0, claimed - most)


@jit
def deny_worth(r, g, p, q, worth):
    """Worth of taking from rival `q` something of this worth: more against who has claimed more victory cards."""
    percent = g.weights[p, weights.DENY] + g.weights[p, weights.LEADER_DENY] * progress(r, g, q) + leading_percent(g, p, q)
    return worth * percent // 100


@jit
def loss_worth(r, g, p, s):
    """What seat `p` would lose with its piece on the space."""
    if g.piece[s] == names.CAPITAL:
        return 2 * g.weights[p, weights.TRADE_TOKEN] + g.weights[p, weights.FIGHT_WORTH]
    worth = g.weights[p, weights.TOKEN_BASE]
    if g.coastal[s] != 0:
        worth += int(g.notes[p, plan.NEED_COAST])
    if g.natural_wonder[s] >= 0:
        worth += g.weights[p, weights.NATURAL_WONDER_BASE] + int(g.notes[p, plan.NEED_NATURAL_WONDER])
    if g.wonder_token[s] >= 0:
        worth += wonder_worth(r, g, p, g.wonder_token[s])
    if g.piece[s] >= names.CITY:
        return worth + g.weights[p, weights.CITY_BASE] + int(g.notes[p, plan.NEED_CITY])
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.owner[t] == p and g.piece[t] >= names.CITY:
            worth += g.weights[p, weights.MATURE_BASE] // 4 + int(g.notes[p, plan.NEED_MATURE]) // 4
    return worth


@inline
def diplomacy_lost(r, g, p, q, cs):
    """What the diplomacy cards are worth that an attack on rival `q` or city-state `cs` costs seat `p` (B9.12)."""
    n = 0
    if q >= 0:
        for c in range(r.n_diplomacy):
            if g.diplomacy[q, c] == p:
                n += 1
    elif cs >= 0 and g.city_state_cards[cs, p] != 0:
        n += 1
    return n * g.weights[p, weights.ATTACK_BREAKS_DIPLOMACY]


@inline
def own_target_worth(r, g, p, s):
    """Worth of what own abilities do when seat `p` wins an attack on the space."""
    waiting = (1 << codes.ATTACK_WON) | (1 << codes.BARBARIAN_DEFEATED)
    if g.moments[p] & waiting == 0:
        return 0
    barbarian = 1 if g.barbarians[s] != 0 else 0
    worth = moment_worth(r, g, p, codes.ATTACK_WON, target_of(g, s, barbarian), -1, g.terrain[s])
    if barbarian != 0:
        worth += moment_worth(r, g, p, codes.BARBARIAN_DEFEATED, 0, -1, g.terrain[s])
    return worth


@inline
def siege_percent(g, p):
    """Return the percent that one more city or capital won counts to seat `p`; else two could take from each other for ever."""
    won = int(g.stat_attacks_won[p, state.TARGET_CITY]) + int(g.stat_attacks_won[p, state.TARGET_CAPITAL])
    return max(0, min(100, 100 - SIEGE_FADE * (won - int(g.weights[p, weights.SIEGES]))))


@jit
def target_worth(r, g, p, s):
    """Worth to seat `p` of winning an attack on the space."""
    worth = own_target_worth(r, g, p, s) + int(g.notes[p, plan.NEED_FIGHT])
    if g.barbarians[s] != 0:
        worth += g.weights[p, weights.BARBARIAN_REWARD]
        for d in range(6):
            t = g.neighbour[s, d]
            if t >= 0 and g.owner[t] == p:
                worth += g.weights[p, weights.BARBARIAN_NEAR]
        return worth
    cs = int(g.city_state[s])
    if cs >= 0:
        worth += g.weights[p, weights.CITY_BASE] + int(g.notes[p, plan.NEED_CITY]) + 2 * g.weights[p, weights.TRADE_TOKEN]
        return worth + int(g.notes[p, plan.NEED_CITY_STATE]) - diplomacy_lost(r, g, p, -1, cs)
    q = int(g.owner[s])
    if q < 0 or q == p:
        return 0
    if g.piece[s] == names.CAPITAL:
        worth += 2 * g.weights[p, weights.TRADE_TOKEN] + int(g.notes[p, plan.NEED_CAPITAL])
        worth += deny_worth(r, g, p, q, g.weights[p, weights.FIGHT_WORTH])
    elif g.piece[s] >= names.CITY:
        worth += city_worth(r, g, p, s) + deny_worth(r, g, p, q, g.weights[p, weights.CITY_BASE] * 2)
        for k in range(names.MAX_CITY_STATES):
            if g.city_state_owner[k] == q and g.city_state_space[k] == s:
                worth += int(g.notes[p, plan.NEED_CITY_STATE])
    else:
        worth += token_worth(r, g, p, s) + deny_worth(r, g, p, q, g.weights[p, weights.TOKEN_BASE] * 2)
    if g.wonder_token[s] >= 0:
        worth += wonder_worth(r, g, p, g.wonder_token[s])
    if g.piece[s] >= names.CITY:
        worth = worth * siege_percent(g, p) // 100
    return worth - diplomacy_lost(r, g, p, q, -1)


@jit
def reinforce_worth(r, g, p, s):
    """Worth of turning the own control token on the space to its reinforced side: what stands beside it counts too."""
    worth = g.weights[p, weights.REINFORCE_BASE] + loss_worth(r, g, p, s) // 12
    for d in range(6):
        t = g.neighbour[s, d]
        if t < 0:
            continue
        if g.owner[t] == p and g.piece[t] >= names.CITY:
            worth += g.weights[p, weights.REINFORCE_CITY]
            if g.wonder_token[t] >= 0 or g.piece[t] == names.CAPITAL:
                worth += g.weights[p, weights.REINFORCE_CITY]
        elif g.barbarians[t] != 0:
            worth += g.weights[p, weights.REINFORCE_BARBARIAN]
        elif g.owner[t] >= 0 and g.owner[t] != p:
            worth += g.weights[p, weights.REINFORCE_CITY] // 2
    return worth


@jit
def upgrade_worth(r, g, p, card, h):
    """Worth of a new focus card in the place of the card of holder `h`; below zero if it is no better."""
    old = int(g.card[p, h])
    kind = int(r.card_type[card])
    better = int(r.card_level[card]) - int(r.card_level[old])
    worth = (base(g, p, weights.UPGRADE) + int(g.weights[p, weights.UPGRADE_TYPE + kind])) * better
    if r.card_unique[card] >= 0:
        worth += g.weights[p, weights.UNIQUE_CARD]
    if r.card_type[old] != kind:  # Oxford University: two cards of a type leave another type without one
        worth -= 3 * g.weights[p, weights.UPGRADE]
    if r.card_n[card] + r.card_n[old] > 0:
        worth += own_words_worth(r, g, p, r.card_first[card], r.card_n[card])
        worth -= own_words_worth(r, g, p, r.card_first[old], r.card_n[old])
    if card >= names.N_CARDS and r.card_unique[card] < 0:
        worth += numbers_worth(r, g, p, card) - numbers_worth(r, g, p, standard_card(r, card))
    return worth + better * int(g.notes[p, plan.TYPE_WORTH + kind])


@inline
def type_worth(r, g, p, h):
    """What the plan thinks of the focus type of holder `h`: worth of a trade token on its card."""
    return int(g.notes[p, plan.TYPE_WORTH + int(r.card_type[g.card[p, h]])])


@jit
def holder_worth(r, g, p, h):
    """Worth of one more trade token on the card of holder `h`."""
    if h >= names.N_TYPES:
        return g.weights[p, weights.TRADE_TOKEN] // 2
    return type_worth(r, g, p, h) * (5 - int(g.trade[p, h])) // 4


@jit
def pact_worth(g, p, c):
    """Worth of holding a rival's Joint War, Defensive Pact or Non-Aggression Pact in Terra Incognita."""
    worth = int(g.weights[p, weights.DIPLOMACY])
    if c > names.OPEN_BORDERS:
        return worth + int(g.weights[p, weights.NON_AGGRESSION])
    if g.players == 2:
        return 1  # the others help against anybody but their giver
    if c == names.DEFENSIVE_PACT:
        return worth + 3 * int(g.city_count[p]) + int(g.weights[p, weights.DEFENSIVE_PACT])
    war = int(g.notes[p, plan.NEED_CAPITAL]) + int(g.notes[p, plan.NEED_CITY_STATE])
    return worth + war // 12 + int(g.weights[p, weights.JOINT_WAR])


@jit
def diplomacy_worth(r, g, p, giver, c):
    """Worth of holding a rival's diplomacy card."""
    if c >= len(names.DIPLOMACY_CARDS) + len(names.TI_DIPLOMACY_CARDS) or (r.box == names.BASE_BOX and c > names.OPEN_BORDERS):
        return g.weights[p, weights.DIPLOMACY] + own_words_worth(r, g, p, r.diplomacy_first[c], r.diplomacy_n[c])
    if c == names.EMBASSY:
        return g.weights[p, weights.DIPLOMACY] + g.weights[p, weights.RESOURCE]
    if r.box == names.TI_BOX and c != names.OPEN_BORDERS:
        return pact_worth(g, p, c)
    if c == names.JOINT_WAR:
        war = int(g.notes[p, plan.NEED_CAPITAL]) + int(g.notes[p, plan.NEED_CITY_STATE])
        return g.weights[p, weights.DIPLOMACY] + war // 12
    if c == names.DEFENSIVE_PACT:
        return g.weights[p, weights.DIPLOMACY] + 3 * int(g.city_count[p])
    return g.weights[p, weights.DIPLOMACY] + int(g.notes[p, plan.NEED_MATURE]) // 10


@jit
def sum_of_best(w, n, k, slot):
    """Add up the `k` highest of the `n` worths of spaces (``w.space_worth``) whose difficulty the slot allows."""
    total = 0
    for i in range(n):
        w.mark[i] = 0
    for _ in range(k):
        best = -1
        for i in range(n):
            if w.mark[i] == 0 and w.space_difficulty[i] <= slot and (best < 0 or w.space_worth[i] > w.space_worth[best]):
                best = i
        if best < 0:
            break
        w.mark[best] = 1
        total += max(0, int(w.space_worth[best]))
    return total
