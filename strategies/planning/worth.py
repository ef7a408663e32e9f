"""What spaces, pieces, cards and tokens are worth to a seat, given the needs its plan has noted (see `plan`)."""

from ...simulator import limits, names
from ...simulator.engine.board.hexes import hex_distance, is_token
from ...simulator.engine.cards.combat import target_of
from ...simulator.engine.core import state
from ...simulator.engine.core.jit import inline, jit
from ...simulator.rules import ability_codes as codes
from . import plan, weights
from .features import barbarian_distance, cards_claimed, missing_tokens, progress, too_hard
from .gains import moment_worth, numbers_worth, own_words_worth, standard_card

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
    """Return what winning another city or capital still counts to seat `p`, in percent: two that only take from each other
    would go on for ever."""
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
        for k in range(limits.MAX_CITY_STATES):
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
