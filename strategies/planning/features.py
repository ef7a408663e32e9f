"""What a board looks like to a player: distances, odds, and what spaces and cards are good for whatever the plan.

Everything here only reads the state. Values are whole numbers in hundredths of a turn (see `weights`).
"""

from ...simulator import limits, names
from ...simulator.engine.board.hexes import hex_distance, is_fort, is_token
from ...simulator.engine.board.pieces import holder_of, is_mature
from ...simulator.engine.cards.combat import target_of
from ...simulator.engine.core.jit import inline, jit
from . import restrictions, weights


@jit
def title_mark(r, agenda):
    """Return the number that stands for the name of the agenda of this code (`restrictions.mark`)."""
    mark = restrictions.MARK_SEED
    for k in range(limits.MAX_NAME):
        letter = int(r.agenda_title[agenda, k])
        if letter == 0:
            break
        mark = (mark ^ letter) * restrictions.MARK_PRIME & restrictions.MARK_BITS
    return mark & restrictions.MARK_KEPT | 1


@inline
def ignores(r, g, p, card, a):
    """Is agenda `a` of the victory card the one that seat `p` does not go for?"""
    return g.weights[p, weights.IGNORED] != 0 and title_mark(r, int(r.agenda_name[card, a])) == g.weights[p, weights.IGNORED]


@jit
def barbarian_distance(g, s):
    """Return how far the nearest barbarian on the map is from the space (99: none)."""
    near = 99
    for b in range(limits.MAX_BARBARIANS):
        if g.barbarian_space[b] >= 0:
            near = min(near, hex_distance(g, s, int(g.barbarian_space[b])))
    return near


@jit
def friendly_distance(g, p, s):
    """Return how far the space is from the nearest friendly space of seat `p` (99: none)."""
    near = 99
    for t in range(g.n_spaces):
        far = hex_distance(g, s, t)
        near = min(near, far if g.owner[t] == p else 99)
    return near


@inline
def too_hard(r, terrain):
    """Is the terrain too difficult for every slot, as a house rule may make it?"""
    return r.terrain_difficulty[terrain] > r.slot_number[r.slots - 1]


@jit
def missing_tokens(r, g, p, city):
    """Return how many control tokens the city of seat `p` lacks to be mature; a blocked neighbour counts as several."""
    missing = 0
    for d in range(6):
        t = g.neighbour[city, d]
        if t < 0 or g.terrain[t] == names.WATER:
            continue
        if g.owner[t] < 0:
            blocked = g.barbarians[t] != 0 or g.city_state[t] >= 0 or too_hard(r, g.terrain[t])
            missing += g.weights[p, weights.MATURE_BLOCKED] if blocked else 1
        elif g.owner[t] != p or not (is_token(g, t) or r.city_counts_for_maturity != 0):
            missing += g.weights[p, weights.MATURE_BLOCKED]
    if missing > 0 and is_mature(r, g, p, city):  # Sydney Opera House, Open Borders
        return 0
    return missing


@inline
def win_chance(r, lead):
    """Return the chance, in percent, that the attacker wins with totals `lead` ahead before the dice."""
    return int(r.win_percent[limits.MAX_LEAD + max(-limits.MAX_LEAD, min(limits.MAX_LEAD, lead))])


@inline
def reinforced_around(g, s):
    """Return the reinforced tokens next to the space that help its owner defend it (B9.6)."""
    n = 0
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.owner[t] == g.owner[s] and g.piece[t] == names.REINFORCED:
            n += 1
    return n


@jit
def rough_defence(r, g, s):
    """Return the defence of what stands on the space before the die, without its owner's special bonuses (B9.6)."""
    hard = int(r.terrain_difficulty[g.terrain[s]])
    if g.city_state[s] >= 0:
        return int(r.city_state_defence)
    if g.owner[s] < 0:
        return int(r.fort_defence) if is_fort(g, s) else hard
    if g.piece[s] >= names.CITY:
        hard = hard * int(r.city_defence_factor) + int(r.target_bonus[target_of(g, s, 0)])
    elif g.piece[s] == names.REINFORCED:
        hard += int(r.reinforced_bonus)
    return hard + reinforced_around(g, s) * int(r.reinforced_bonus)


@inline
def military_tokens(r, g, p):
    """Return the trade tokens on the military card of seat `p`: what it can add in combat."""
    h = holder_of(r, g, p, names.MILITARY)
    return int(g.trade[p, h]) if h >= 0 else 0


@inline
def cards_claimed(g, p):
    """Return how many victory cards seat `p` has claimed."""
    n = 0
    for i in range(g.victory_count):
        if g.claimed[p, i] != 0:
            n += 1
    return n


@inline
def progress(r, g, p):
    """Return how far seat `p` is on its way to the win: its claims, and those that house rules spare everybody."""
    return cards_claimed(g, p) + int(r.claims_spared)


@inline
def wins_soon(r, g, p):
    """Does seat `p` win at the end of the round if it keeps the victory cards it has claimed?"""
    return progress(r, g, p) >= g.victory_count


@inline
def nearly_wins(r, g, p):
    """Does seat `p` need one victory card more to win?"""
    return progress(r, g, p) >= g.victory_count - 1
