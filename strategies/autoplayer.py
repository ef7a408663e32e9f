"""The autoplayer: the publisher's rule for the opponent in solitaire games, as a yardstick.

Opening, middle and end are the same: it resolves the card in the last slot, every turn, and never changes its mind.
The publisher's rule orders what a card is used for, the first difference deciding:

- control tokens: natural wonder, resource, barbarian symbol, most own cities beside the space, the city nearest to
  maturity, hardest terrain;
- world wonders: the fewest still missing for an agenda of a victory card it has not claimed, then the cheapest;
- cities: most wonder and resource tokens beside the space, barbarian symbol, best defence;
- caravans: a city-state whose diplomacy card it lacks, then a rival city, then another city-state.

What the rule leaves open is answered so that nothing is wasted: trade tokens go where they work and are spent as soon
as they can be, in combat only if they turn the result; it builds a wonder when it can pay for one, else a city; it
attacks what it beats at least as often as not, the likeliest first, else reinforces the tokens with most rivals and
barbarians beside them; new cards replace what is resolved soonest; offers are accepted, cards and tokens are never
swapped or moved for their own sake. Map tiles are laid at random.
"""

from ..simulator import names
from ..simulator.engine import decisions
from ..simulator.engine.choosing import below_bits
from ..simulator.engine.combat import attack_range, may_be_attacked, queue_attack
from ..simulator.engine.compile.jit import jit, strategy
from ..simulator.engine.counts import metric
from ..simulator.engine.economy import mark_caravan
from ..simulator.engine.industry import is_wonder_option, space_of_city, wonder_cost
from ..simulator.engine.map import difficulty, flood, is_token
from ..simulator.engine.pieces import holder_of
from ..simulator.engine.turn import place_of
from .planning.cards import REACH_LAYER, attack_lead, spaces_before
from .planning.plan import win_chance
from .planning.planner import CAPITAL_TILE

STEP = 100  # one unit of an earlier criterion outweighs all later ones
EVEN = 50  # percent
FAR = 99
NEW_CITY_STATE, RIVAL_CITY, OTHER_CITY_STATE = 3, 2, 1  # caravans, the best first


@jit
def is_barbarian_symbol(g, s):
    """Do barbarians come into play on the space?"""
    for b in range(names.MAX_BARBARIANS):
        if g.barbarian_home[b] == s and g.barbarian_space[b] > -2:
            return 1
    return 0


@jit
def immature_neighbours(r, g, p, city):
    """Count the land spaces beside the city of seat `p` that keep it from being mature: no control token of its own there."""
    n = 0
    for d in range(6):
        t = g.neighbour[city, d]
        if t < 0 or g.terrain[t] == names.WATER:
            continue
        counts = is_token(g, t) or r.city_counts_for_maturity != 0
        if g.owner[t] != p or not counts:
            n += 1
    return n


@jit
def token_order(r, g, p, s):
    """Return how early the space comes in the order for control tokens."""
    n = g.natural_wonder[s]
    order = 1 if n >= 0 and g.natural_wonder_owner[n] < 0 else 0
    order = order * STEP + (1 if g.resource[s] >= 0 else 0)
    order = order * STEP + is_barbarian_symbol(g, s)
    cities = 0
    missing = STEP
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.owner[t] == p and g.piece[t] >= names.CITY:
            cities += 1
            missing = min(missing, immature_neighbours(r, g, p, t))
    return ((order * STEP + cities) * STEP - missing) * STEP + int(difficulty(r, g, p, s))


@jit
def city_order(r, g, p, s):
    """Return how early the space comes in the order for cities."""
    prizes = 0
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0:
            n = g.natural_wonder[t]
            prizes += 1 if g.resource[t] >= 0 or (n >= 0 and g.natural_wonder_owner[n] < 0) else 0
    return (prizes * STEP + is_barbarian_symbol(g, s)) * STEP + int(r.terrain_difficulty[g.terrain[s]])


@jit
def missing_for_agenda(r, g, p, kind):
    """Count the world wonders of the type still missing for an agenda on a victory card not claimed (FAR: no such agenda)."""
    missing = FAR
    for i in range(g.victory_count):
        card = int(g.victory_card[i])
        for a in range(2):
            if (
                g.claimed[p, i] == 0
                and r.agenda_metric[card, a] == names.METRIC_WONDERS_OF_TYPE
                and r.agenda_type[card, a] == kind
            ):
                target = int(r.agenda_target[card, a])
                missing = min(missing, target - metric(r, g, p, names.METRIC_WONDERS_OF_TYPE, kind))
    return missing


@jit
def industry_order(r, g, p, v):
    """Return how early a city or a world wonder comes: wonders first."""
    if not is_wonder_option(v):
        return city_order(r, g, p, space_of_city(v))
    wonder = v - decisions.WONDER_OPTION
    cheap = (FAR - missing_for_agenda(r, g, p, int(r.wonder_type[wonder]))) * STEP + FAR - int(wonder_cost(r, g, p, wonder))
    return STEP * STEP * STEP + cheap


@jit
def shelter_order(r, g, p, s):
    """Return how early a city comes as the home of a world wonder: the capital cannot be lost, then the best defence."""
    return int(r.terrain_difficulty[g.terrain[s]]) + (STEP if g.piece[s] == names.CAPITAL else 0)


@jit
def dangers(g, p, s):
    """Count the barbarians and the rivals' pieces beside the space."""
    n = 0
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and (g.barbarians[t] != 0 or (g.owner[t] >= 0 and g.owner[t] != p)):
            n += 1
    return n


@jit
def strike_order(g, p, middle):
    """Count the rivals' control tokens a strike hits, less the own ones."""
    n = 0
    for d in range(-1, 6):
        s = middle if d < 0 else int(g.neighbour[middle, d])
        if s >= 0 and is_token(g, s):
            n += -1 if g.owner[s] == p else 1
    return n


# --- caravans


@jit
def visit_order(g, p, s):
    """Return how early the space comes as the goal of a caravan; 0 if it is none."""
    cs = g.city_state[s]
    if cs >= 0:
        return NEW_CITY_STATE if g.city_state_cards[cs, p] == 0 and g.city_state_cards_left[cs] > 0 else OTHER_CITY_STATE
    return RIVAL_CITY if g.owner[s] >= 0 and g.owner[s] != p and g.piece[s] >= names.CITY else 0


@jit
def count_from_goals(r, g, w, p, order):
    """Count how far every space is, for a caravan, from the nearest goal of that order (layer REACH_LAYER)."""
    mark_caravan(r, g, w, p, g.card[p, holder_of(r, g, p, names.ECONOMY)], int(r.slot_number[r.slots - 1]))
    n = 0
    for s in range(g.n_spaces):
        if w.mark[s] != 0 and visit_order(g, p, s) == order:
            w.queue[n] = s
            n += 1
    flood(g, w, REACH_LAYER, n, g.n_spaces)


@jit
def choose_destination(r, g, w, p, n):
    """Return the index of the best goal within reach, else of one to explore from, else of the nearest to the best goal."""
    spaces = spaces_before(w, n - 1)
    best = n - 1
    order = 0
    for k in range(spaces):
        here = visit_order(g, p, w.option[k])
        if here > order:
            best = k
            order = here
    if order > 0:
        return best
    if spaces < n - 1:
        return spaces
    for wanted in range(NEW_CITY_STATE, 0, -1):
        count_from_goals(r, g, w, p, wanted)
        near = FAR
        for k in range(spaces):
            far = int(w.dist[REACH_LAYER, w.option[k]])
            if 0 <= far < near:
                best = k
                near = far
        if near < FAR:
            return best
    return best


# --- combat


@jit
def chance(r, g, w, p, h, slot, v):
    """Return the chance, in percent, to win the attack that the option stands for, all trade tokens of the card spent."""
    barbarian = 1 if v >= decisions.BARBARIAN_OPTION else 0
    lead = attack_lead(r, g, w, p, g.card[p, h], slot, v - barbarian * decisions.BARBARIAN_OPTION, barbarian)
    return win_chance(r, lead + int(g.trade[p, h]) * int(r.trade_effect[names.MILITARY]))


@jit
def best_chance(r, g, w, p, h, slot):
    """Return the best chance, in percent, that any attack with the military card has."""
    card = g.card[p, h]
    flood(g, w, REACH_LAYER, queue_attack(r, g, w, p, card), attack_range(r, g, p, card))
    best = 0
    for s in range(g.n_spaces):
        if w.dist[REACH_LAYER, s] < 0:
            continue
        if g.barbarians[s] != 0 and may_be_attacked(r, g, p, s, 1):
            best = max(best, chance(r, g, w, p, h, slot, decisions.BARBARIAN_OPTION + s))
        if (g.city_state[s] >= 0 or (g.owner[s] >= 0 and g.owner[s] != p)) and may_be_attacked(r, g, p, s, 0):
            best = max(best, chance(r, g, w, p, h, slot, s))
    return best


@jit
def choose_military(r, g, w, p, n):
    """Return the index of attacking if a fair chance is in reach, else of reinforcing."""
    attack = best_chance(r, g, w, p, w.ask_holder, w.ask_slot) >= EVEN
    for k in range(n - 1):
        if (w.option[k] == decisions.MILITARY_ATTACK) == attack:
            return k
    return n - 1


@jit
def choose_spending(r, w, n):
    """Return how many trade tokens to spend: all, but in combat only what turns the result."""
    behind = 0
    if w.ask_source == decisions.SOURCE_ATTACK:
        behind = max(0, w.ask_defence - w.ask_attack + 1 - r.attacker_wins_ties)
    elif w.ask_source == decisions.SOURCE_DEFENCE:
        behind = max(0, w.ask_attack - w.ask_defence + r.attacker_wins_ties)
    else:
        return n - 1
    effect = max(1, int(r.trade_effect[names.MILITARY]))
    need = (behind + effect - 1) // effect
    return need if need < n else 0


# --- everything else


@jit
def order_of(r, g, w, p, kind, v):
    """Return how early the option comes among those of its kind."""
    if kind == decisions.CARD or kind == decisions.OTHER_CARD:
        return v
    if kind == decisions.PLACE_TOKEN or kind == decisions.RIVAL_TOKEN or kind == decisions.NAME_TOKEN:
        return token_order(r, g, p, v)
    if kind == decisions.YIELD_TOKEN or kind == decisions.TAKE_OFF:
        return -token_order(r, g, p, v)
    if kind == decisions.INDUSTRY:
        return industry_order(r, g, p, v)
    if kind == decisions.WONDER_CITY:
        return shelter_order(r, g, p, v)
    if kind == decisions.REINFORCE:
        return dangers(g, p, v)
    if kind == decisions.ATTACK:
        return chance(r, g, w, p, w.ask_holder, w.ask_slot, v)
    if kind == decisions.STRIKE:
        return strike_order(g, p, v)
    if kind == decisions.UPGRADE:
        return place_of(r, g, p, v % 8)
    if kind == decisions.PLACE_TRADE or kind == decisions.NATURAL_WONDER_CARD:
        return place_of(r, g, p, v)
    if kind == decisions.LOSE_TRADE:
        return -place_of(r, g, p, v)
    if kind == decisions.GAIN_RESOURCE:
        return -int(g.resources[p, v])
    if kind == decisions.PAY:  # natural wonders are kept, trade tokens serve any card
        return FAR if decisions.PAY_NATURAL_WONDER <= v < decisions.PAY_TRADE else -v
    if kind == decisions.LOOT:
        return int(g.trade[w.ask_seat, v])
    if kind == decisions.GIVE_TRADE:  # what the giver resolves last
        return -place_of(r, g, int(w.ask_seat), v)
    if kind == decisions.EXTRA_ECONOMY or kind == decisions.REPEAT_CARD or kind == decisions.SCIENCE:
        return v
    return 0


@jit
def least_order(kind):
    """Return what an option has to beat where passing is possible."""
    if kind == decisions.ATTACK:
        return EVEN - 1
    if kind == decisions.STRIKE:
        return 0
    return -(1 << 62)


@jit
def is_declined(w, kind):
    """Is the offer one to move or swap things for their own sake? A conquest is worth the token it takes."""
    if kind == decisions.TAKE_OFF:
        return w.ask_source != decisions.SOURCE_CONQUEST
    return (
        kind == decisions.MOVE_TOKEN or kind == decisions.SWAP_RESOURCE
        or kind == decisions.SWAP_CARDS or kind == decisions.GENEVA_SWAP or kind == decisions.SEOUL_MOVE
    )  # fmt: skip


@jit
def choose_first(r, g, w, p, kind, n):
    """Return the index of the option that comes first in the order of its kind, the first if several are equal."""
    best = n - 1
    order = -(1 << 62)
    if w.option[n - 1] == decisions.PASS:
        if is_declined(w, kind):
            return n - 1
        order = least_order(kind)
        n -= 1
    for k in range(n):
        here = order_of(r, g, w, p, kind, int(w.option[k]))
        if here > order:
            best = k
            order = here
    return best


@strategy
def choose_autoplayer(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    if kind == decisions.PLACE_TILE:
        return below_bits(u, n)
    if kind == decisions.LAY_TILE:
        for k in range(n):
            if r.tile_kind[w.option[k] - 1] == CAPITAL_TILE:
                return k
        return 0
    if kind == decisions.CARAVAN_TO:
        return choose_destination(r, g, w, seat, n)
    if kind == decisions.MILITARY:
        return choose_military(r, g, w, seat, n)
    if kind == decisions.SPEND_TRADE:
        return choose_spending(r, w, n)
    return choose_first(r, g, w, seat, kind, n)
