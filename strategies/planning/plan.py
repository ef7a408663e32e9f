"""The plan of a turn: features of the position, the agendas to go for, and the needs that follow."""

from __future__ import annotations

from ...simulator import names
from ...simulator.engine import state
from ...simulator.engine.combat import attack_range, may_be_attacked, target_of
from ...simulator.engine.compile.jit import beyond, inline, jit
from ...simulator.engine.counts import counted_beyond, is_taken, metric
from ...simulator.engine.industry import may_hold_city, most_production, wonder_cost
from ...simulator.engine.map import hex_distance, is_fort, is_token
from ...simulator.engine.pieces import face_up_end, has_drafted, holder_of, is_mature
from . import restrictions, weights

# --- Features of the position: distances, odds, progress
#
# All of this only reads the state. Worths are whole numbers in hundredths of a turn (see `weights`).


@jit
def title_mark(r, agenda):
    """Return the mark (`restrictions.mark`) of the name of the agenda with this code."""
    mark = restrictions.MARK_SEED
    for k in range(names.MAX_NAME):
        letter = int(r.agenda_title[agenda, k])
        if letter == 0:
            break
        mark = (mark ^ letter) * restrictions.MARK_PRIME & restrictions.MARK_BITS
    return mark & restrictions.MARK_MASK | 1


@inline
def ignores(r, g, p, card, a):
    """Is agenda `a` of the victory card the one that seat `p` does not go for?"""
    return g.weights[p, weights.IGNORED] != 0 and title_mark(r, int(r.agenda_name[card, a])) == g.weights[p, weights.IGNORED]


@jit
def barbarian_distance(g, s):
    """Return how far the nearest barbarian on the map is from the space (99: none)."""
    near = 99
    for b in range(names.MAX_BARBARIANS):
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
    return int(r.win_percent[names.MAX_LEAD + max(-names.MAX_LEAD, min(names.MAX_LEAD, lead))])


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


# --- Which agendas to go for, and what a step towards them is worth
#
# `make_plan` runs once a turn. It estimates the turns to both agendas of every victory card in play, takes the quicker one of
# each card (with a small advantage for the agenda chosen before, so that plans are stable), and notes the worth of one more
# city, coastal space, dial space … in the seat's notes. All other decisions compare options by these worths.

# Places in a seat's notes, where the plan leaves its results. Needs are the worth of one more unit.
STAMP = 0  # turn the plan was made in, plus one; 0 = never
NEED_CITY, NEED_COAST, NEED_MATURE, NEED_NATURAL_WONDER, NEED_DIAL, NEED_CITY_STATE, NEED_CAPITAL = range(1, 8)
NEED_WONDER = 8  # … 13, by focus type
WAR_TARGET, WAR_DISTANCE = 14, 15  # space the plan wants to attack (-1 = none), and how far it is
LAND_TARGET, LAND_DISTANCE = 16, 17  # natural wonder the plan wants to settle beside
TYPE_WORTH = 18  # … 23: what a trade token on a card of the type is worth
RESOURCE_WORTH = 24  # … 27
# Needs of Terra Incognita: another giver's diplomacy card, a resource token kept, a reinforced token, a district, a fort.
NEED_GIVER, NEED_PRIZE, NEED_REINFORCED, NEED_DISTRICT, NEED_FORT = range(64, 69)
# Needs of house rules: another space, of one terrain only (its code plus one, 0: any), an arrival, a trade token, a won attack.
NEED_SPACE, NEED_TERRAIN, NEED_ARRIVAL, NEED_TRADE, NEED_FIGHT = range(69, 74)
WAYS_NOTED = 48  # … 63: which way of playing the turn is tried (learned/candidate_turns.py)
STANDING = 74  # turn and army that has gone where it stands best
LATER = 46  # worth of a card in a later slot, by `cards.card_worth`
SECOND_STEP, SECOND_AT = 44, 45  # search: the second best first step is wanted, and where it was taken
BASE_PERCENT = 43  # percent of worths that the plan does not need
CHOSEN = 28  # … 32: agenda chosen on each victory card, plus one
TURNS = 33  # … 42: estimate for each agenda of each victory card in play

# Marks of `sites_nearby` on a space (w.mark): it or a site beside it is done; its neighbours are done; it may be a site.
LOOKED_AT, LOOKED_AROUND, OPEN = 1, 2, 4


@inline
def mark_free_land(g, w, p):
    """Mark (OPEN) the spaces whose terrain, pieces and tokens allow a city of seat `p`."""
    for s in range(g.n_spaces):
        owner = g.owner[s]
        piece = g.piece[s]
        own_token = (owner == p) & ((piece == names.TOKEN) | (piece == names.REINFORCED))
        land = (g.terrain[s] != names.WATER) & (g.barbarians[s] == 0) & (g.resource[s] < 0) & (g.city_state[s] < 0)
        w.mark[s] = OPEN if land & ((owner < 0) | own_token) else 0


@jit
def sites_nearby(r, g, w, p):
    """Return about how many more cities seat `p` could found within three spaces of its land (``w.mark``: LOOKED_AT, …)."""
    n = 0
    mark_free_land(g, w, p)
    for s in range(g.n_spaces):
        if g.owner[s] != p:
            continue
        for d in range(6):
            t = g.neighbour[s, d]
            if t < 0 or w.mark[t] & LOOKED_AROUND != 0:
                continue
            w.mark[t] |= LOOKED_AROUND
            for e in range(6):
                f = g.neighbour[t, e]
                if f < 0 or w.mark[f] & LOOKED_AT != 0:
                    continue
                w.mark[f] |= LOOKED_AT
                if w.mark[f] & OPEN != 0 and may_hold_city(r, g, p, f, names.N_LEVELS):
                    n += 1
                    for k in range(6):
                        if g.neighbour[f, k] >= 0:
                            w.mark[g.neighbour[f, k]] |= LOOKED_AT
    return n


@jit
def city_turns(r, g, w, p, target):
    """Turns until seat `p` has `target` cities on the map (Civilized)."""
    missing = target - int(g.city_count[p])
    sites = min(missing, sites_nearby(r, g, w, p))
    return sites * g.weights[p, weights.CITY_TURNS] + (missing - sites) * g.weights[p, weights.CITY_WITHOUT_SITE]


@jit
def wonder_short(r, g, p, h, wonder):
    """Return the production that seat `p`, with its industry card `h` in the best slot, lacks for the world wonder."""
    return int(wonder_cost(r, g, p, wonder)) - int(most_production(r, g, p, h, r.slot_number[r.slots - 1], wonder))


@jit
def easiest_wonder(r, g, p, kind):
    """Return which of several face-up world wonders of a focus type seat `p` lacks the least production for."""
    h = holder_of(r, g, p, names.INDUSTRY)
    best = int(g.deck[kind, g.deck_next[kind]])
    for k in range(int(g.deck_next[kind]) + 1, face_up_end(r, g, kind)):
        wonder = int(g.deck[kind, k])
        if h >= 0 and wonder_short(r, g, p, h, wonder) < wonder_short(r, g, p, h, best):
            best = wonder
    return best


@inline
def face_up(r, g, p, kind):
    """Return the face-up world wonder of a focus type, of several the easiest for seat `p`; -1 if there is none."""
    if g.deck_next[kind] >= g.deck_size[kind]:
        return -1
    return int(g.deck[kind, g.deck_next[kind]]) if r.face_up_wonders == 1 else easiest_wonder(r, g, p, kind)


@jit
def one_wonder_turns(r, g, p, wonder):
    """Turns until seat `p` can build this world wonder from the best slot."""
    h = holder_of(r, g, p, names.INDUSTRY)
    if h < 0:
        return weights.OUT_OF_THE_QUESTION
    short = int(wonder_short(r, g, p, h, wonder))
    return g.weights[p, weights.WONDER_TURNS] + max(0, short) * g.weights[p, weights.WONDER_PRODUCTION_TURNS]


@jit
def wonder_turns(r, g, p, kind, target):
    """Turns until seat `p` controls `target` world wonders of a type (the four wonder agendas)."""
    missing = target - metric(r, g, p, names.METRIC_WONDERS_OF_TYPE, kind)
    left = int(g.deck_size[kind]) - int(g.deck_next[kind])
    turns = 0
    if r.drafted_wonders != 0:
        for wonder in range(r.n_wonders):
            if missing > 0 and r.wonder_type[wonder] == kind and has_drafted(g, p, wonder):
                turns += one_wonder_turns(r, g, p, wonder)
                missing -= 1
    if left < missing:
        return g.weights[p, weights.WONDERS_SOLD_OUT]
    shown = int(face_up_end(r, g, kind)) - int(g.deck_next[kind])
    for k in range(missing):
        turns += one_wonder_turns(r, g, p, face_up(r, g, p, kind)) if k < shown else g.weights[p, weights.HIDDEN_WONDER_TURNS]
    for q in range(g.players):
        if q != p:
            turns += metric(r, g, q, names.METRIC_WONDERS_OF_TYPE, kind) * g.weights[p, weights.WONDER_RIVAL_TURNS]
    if metric(r, g, p, names.METRIC_WONDERS_OF_TYPE, -1) >= g.city_count[p]:
        turns += g.weights[p, weights.WONDER_NO_CITY]
    return turns


@jit
def mature_turns(r, g, w, p, target):
    """Turns until `target` cities of seat `p` are mature (Populous): the easiest of the others, then new cities."""
    cities = int(g.city_count[p])
    for i in range(cities):
        w.city_lack[i] = missing_tokens(r, g, p, g.cities[p, i])
    turns = 0
    for _ in range(min(target, cities)):
        easiest = 0
        for i in range(cities):
            if w.city_lack[i] < w.city_lack[easiest]:
                easiest = i
        turns += int(w.city_lack[easiest]) * g.weights[p, weights.MATURE_TOKEN_TURNS]
        w.city_lack[easiest] = weights.OUT_OF_THE_QUESTION
    return turns + max(0, target - cities) * (g.weights[p, weights.CITY_TURNS] + 4 * g.weights[p, weights.MATURE_TOKEN_TURNS])


@jit
def attack_turns(r, g, p, s, distance):
    """Turns until seat `p` has beaten what stands on the space, `distance` from its land."""
    h = holder_of(r, g, p, names.MILITARY)
    if h < 0:
        return weights.OUT_OF_THE_QUESTION
    card = g.card[p, h]
    lead = int(r.slot_number[r.slots - 1]) + int(r.card_combat[card]) + min(2, int(g.trade[p, h]))
    lead -= rough_defence(r, g, s)
    if g.owner[s] >= 0:
        lead -= military_tokens(r, g, int(g.owner[s])) // 2
    chance = win_chance(r, lead)
    both = 100 - (100 - chance) * (100 - chance) // 100  # two attacks a card
    reach = int(r.card_army_move[card]) if r.box == names.TI_BOX else attack_range(r, g, p, card)
    far = max(0, distance - reach)
    return g.weights[p, weights.ATTACK_TURNS] * 100 // max(12, both) + far * g.weights[p, weights.APPROACH_STEP]


@jit
def aim_at(g, p, target, distance, s, far):
    """Note the space as a target of the plan (`target`, `distance`: notes to write)."""
    g.notes[p, target] = s
    g.notes[p, distance] = far


@jit
def capital_turns(r, g, p):
    """Turns until seat `p` has beaten a rival capital; notes the easiest as the target of war."""
    best = weights.OUT_OF_THE_QUESTION
    for q in range(g.players):
        s = int(g.capital[q])
        if q == p or not may_be_attacked(r, g, p, s, 0):
            continue
        far = friendly_distance(g, p, s)
        turns = attack_turns(r, g, p, s, far)
        if turns < best:
            best = turns
            aim_at(g, p, WAR_TARGET, WAR_DISTANCE, s, far)
    return best


@jit
def city_state_turns(r, g, p, target):
    """Turns until seat `p` holds `target` conquered city-states; notes the easiest free one as the target of war."""
    missing = target - metric(r, g, p, names.METRIC_CITY_STATES, -1)
    first = weights.OUT_OF_THE_QUESTION
    second = weights.OUT_OF_THE_QUESTION
    for cs in range(names.MAX_CITY_STATES):
        if g.city_state_owner[cs] == -2 or g.city_state_owner[cs] == p:
            continue
        s = int(g.city_state_space[cs])
        if not may_be_attacked(r, g, p, s, 0):
            continue
        far = friendly_distance(g, p, s)
        turns = attack_turns(r, g, p, s, far)
        if turns < first:
            second = first
            first = turns
            aim_at(g, p, WAR_TARGET, WAR_DISTANCE, s, far)
        elif turns < second:
            second = turns
    return first if missing <= 1 else first + second


@jit
def natural_wonder_turns(r, g, p, target):
    """Turns until seat `p` holds `target` natural wonders (Preservationist); notes the nearest one out of reach."""
    missing = target - metric(r, g, p, names.METRIC_NATURAL_WONDERS, -1)
    first = weights.OUT_OF_THE_QUESTION
    second = weights.OUT_OF_THE_QUESTION
    nearest = weights.OUT_OF_THE_QUESTION
    for i in range(r.n_natural_wonders):
        q = int(g.natural_wonder_owner[i])
        if q == -2 or q == p or (q < 0 and too_hard(r, names.NATURAL_WONDER)):
            continue
        s = int(g.natural_wonder_space[i])
        far = 99
        for k in range(g.city_count[p]):
            far = min(far, hex_distance(g, s, int(g.cities[p, k])))
        turns = g.weights[p, weights.NATURAL_WONDER_NEAR] + (far - 1) * g.weights[p, weights.NATURAL_WONDER_STEP]
        if q >= 0:
            turns += g.weights[p, weights.NATURAL_WONDER_HELD]
        elif far > 1 and turns < nearest:
            nearest = turns
            aim_at(g, p, LAND_TARGET, LAND_DISTANCE, s, far)
        if turns < first:
            second = first
            first = turns
        elif turns < second:
            second = turns
    return first if missing <= 1 else first + second


@jit
def army_distance(r, g, p, s):
    """Return how far the space is from the nearest army of seat `p`, or from where one on its card would set out."""
    near = 99
    for a in range(names.MAX_ARMIES):
        if g.army[p, a] >= 0:
            near = min(near, hex_distance(g, s, int(g.army[p, a])))
    for i in range(g.city_count[p]):
        city = int(g.cities[p, i])
        if city == g.capital[p] or is_mature(r, g, p, city):
            near = min(near, hex_distance(g, s, city))
    return near


@jit
def fort_turns(r, g, p, missing):
    """Turns until seat `p` controls so many more forts; notes the easiest as the target of war."""
    first = second = weights.OUT_OF_THE_QUESTION
    for s in range(g.n_spaces):
        if not is_fort(g, s) or g.owner[s] == p or g.cities_left[p] <= 0:
            continue
        far = army_distance(r, g, p, s)
        turns = int(g.weights[p, weights.FORT_TURNS]) - int(g.weights[p, weights.ATTACK_TURNS]) + attack_turns(r, g, p, s, far)
        if turns < first:
            second = first
            first = turns
            aim_at(g, p, WAR_TARGET, WAR_DISTANCE, s, far)
        elif turns < second:
            second = turns
    return first if missing <= 1 else first + second


@jit
def any_wonder_turns(r, g, p, missing):
    """Turns until seat `p` has built so many more world wonders of whatever type is quickest."""
    best = weights.OUT_OF_THE_QUESTION
    for kind in range(names.N_TYPES):
        if g.deck_next[kind] < g.deck_size[kind]:
            best = min(best, wonder_turns(r, g, p, kind, metric(r, g, p, names.METRIC_WONDERS_OF_TYPE, kind) + 1))
    return best * missing


@beyond
def own_metric_turns(g, p, what, missing) -> int:
    """Turns until seat `p` has `missing` more units of a metric that only agendas of house rules count."""
    if what == names.METRIC_CARDS_FROM_LEVEL or what == names.METRIC_CLAIMS:
        return missing * g.weights[p, weights.LEVEL_TURNS]
    if what == names.METRIC_CITIES_BUILT:
        return missing * g.weights[p, weights.CITY_TURNS]
    if what == names.METRIC_DIPLOMACY:
        return missing * g.weights[p, weights.GIVER_TURNS]
    if what == names.METRIC_CARAVANS or what == names.METRIC_ARRIVALS:
        return missing * g.weights[p, weights.PRIZE_TURNS]
    if what == names.METRIC_TRADE or what == names.METRIC_TRADE_GAINED:
        return missing * g.weights[p, weights.TRADE_TOKEN]
    if what == names.METRIC_RIVAL_CITIES:
        return missing * g.weights[p, weights.ATTACK_TURNS] * 2
    if what == names.METRIC_ATTACKS_WON or what == names.METRIC_BARBARIANS or what == names.METRIC_DEFENCES_WON:
        return missing * g.weights[p, weights.ATTACK_TURNS]
    return missing * g.weights[p, weights.COAST_TURNS]


@beyond
def expansion_turns(r, g, w, p, what, missing) -> int:
    """Turns until seat `p` has `missing` more units of a metric of Terra Incognita or of house rules."""
    if what == names.METRIC_WONDERS:
        return any_wonder_turns(r, g, p, missing)
    if counted_beyond(names.TI_BOX, what):
        return own_metric_turns(g, p, what, missing)
    if what == names.METRIC_CARDS_OF_LEVEL:
        return missing * g.weights[p, weights.LEVEL_TURNS]
    if what == names.METRIC_REINFORCED:
        return missing * g.weights[p, weights.REINFORCED_TURNS]
    if what == names.METRIC_BEST_ATTACK:
        return g.weights[p, weights.BIG_WIN_TURNS]
    if what == names.METRIC_GIVERS:
        return missing * g.weights[p, weights.GIVER_TURNS]
    if what == names.METRIC_RESOURCES:
        return missing * g.weights[p, weights.PRIZE_TURNS]
    if what == names.METRIC_TILES:
        return city_turns(r, g, w, p, int(g.city_count[p]) + missing)
    if what == names.METRIC_MATURE_TILES:
        return mature_turns(r, g, w, p, metric(r, g, p, names.METRIC_MATURE_CITIES, -1) + missing)
    if what == names.METRIC_DISTRICTS:
        return missing * g.weights[p, weights.DISTRICT_TURNS]
    if what == names.METRIC_FORTS:
        return fort_turns(r, g, p, missing)
    return any_wonder_turns(r, g, p, missing)


@jit
def metric_turns(r, g, w, p, what, kind, target):
    """Turns until seat `p` has reached `target` of what an agenda counts; 0 if it has."""
    now = metric(r, g, p, what, kind)
    if now >= target:
        return 0
    if counted_beyond(names.BASE_BOX, what):
        return expansion_turns(r, g, w, p, what, target - now)
    if what == names.METRIC_CITIES:
        return city_turns(r, g, w, p, target)
    if what == names.METRIC_WONDERS_OF_TYPE:
        return wonder_turns(r, g, p, kind, target)
    if what == names.METRIC_CAPITALS_DEFEATED:
        return capital_turns(r, g, p)
    if what == names.METRIC_CITY_STATES:
        return city_state_turns(r, g, p, target)
    if what == names.METRIC_COAST:
        return (target - now) * g.weights[p, weights.COAST_TURNS]
    if what == names.METRIC_MATURE_CITIES:
        return mature_turns(r, g, w, p, target)
    if what == names.METRIC_NATURAL_WONDERS:
        return natural_wonder_turns(r, g, p, target)
    return (target - now) * g.weights[p, weights.DIAL_TURNS]


@jit
def agenda_turns(r, g, w, p, card, a):
    """Turns until seat `p` satisfies agenda `a` of the victory card: the quicker of its two ways, or both."""
    kind = int(r.agenda_kind[card, a])
    turns = weights.OUT_OF_THE_QUESTION
    if r.agenda_metric2[card, a] != names.METRIC_NONE:
        other, target = int(r.agenda_metric2[card, a]), int(r.agenda_target2[card, a])
        turns = metric_turns(r, g, w, p, other, int(r.agenda_kind2[card, a]), target)
    if r.agenda_both[card, a] != 0:
        return turns + metric_turns(r, g, w, p, r.agenda_metric[card, a], kind, int(r.agenda_target[card, a]))
    before = int(g.notes[p, WAR_TARGET])
    distance = int(g.notes[p, WAR_DISTANCE])
    first = metric_turns(r, g, w, p, r.agenda_metric[card, a], kind, int(r.agenda_target[card, a]))
    if turns < first:
        aim_at(g, p, WAR_TARGET, WAR_DISTANCE, before, distance)
        return turns
    return first


@jit
def claim_turns(r, g, w, p, i, a):
    """Turns until seat `p` claims the victory card in place `i` by its agenda `a`, which house rules may have given away."""
    if is_taken(r, g, i, a):
        return weights.OUT_OF_THE_QUESTION
    return agenda_turns(r, g, w, p, int(g.victory_card[i]), a)


@inline
def raise_need(g, p, note, unit, percent):
    """Add to the noted worth of one more unit."""
    now = int(g.notes[p, note]) + int(g.weights[p, unit]) * percent // 100
    g.notes[p, note] = now
    return now


@beyond
def add_own_need(g, p, what, kind, percent) -> None:
    """Note the worth of one more unit of a metric that only agendas of house rules count."""
    if what == names.METRIC_TERRAIN:
        g.notes[p, NEED_TERRAIN] = kind + 1
    if what == names.METRIC_TOKENS or what == names.METRIC_SPACES or what == names.METRIC_TERRAIN:
        raise_need(g, p, NEED_SPACE, weights.COAST_TURNS, percent)
    elif what == names.METRIC_CITIES_BUILT:
        raise_need(g, p, NEED_CITY, weights.CITY_TURNS, percent)
    elif what == names.METRIC_CARDS_FROM_LEVEL:
        raise_need(g, p, NEED_DIAL, weights.DIAL_TURNS, percent)
    elif what == names.METRIC_DIPLOMACY:
        raise_need(g, p, NEED_GIVER, weights.GIVER_TURNS, percent)
    elif what == names.METRIC_CARAVANS or what == names.METRIC_ARRIVALS:
        raise_need(g, p, NEED_ARRIVAL, weights.PRIZE_TURNS, percent)
    elif what == names.METRIC_TRADE or what == names.METRIC_TRADE_GAINED:
        raise_need(g, p, NEED_TRADE, weights.TRADE_TOKEN, percent)
    elif what != names.METRIC_CLAIMS:  # the other cards have needs of their own
        raise_need(g, p, NEED_FIGHT, weights.ATTACK_TURNS, percent)


@beyond
def add_expansion_need(g, p, what, kind, percent) -> int:
    """Note the worth of one more unit of a metric of Terra Incognita or of house rules."""
    if counted_beyond(names.TI_BOX, what) and what != names.METRIC_WONDERS:
        add_own_need(g, p, what, kind, percent)
        return 0
    if what == names.METRIC_REINFORCED:
        return raise_need(g, p, NEED_REINFORCED, weights.REINFORCED_TURNS, percent)
    if what == names.METRIC_GIVERS:
        return raise_need(g, p, NEED_GIVER, weights.GIVER_TURNS, percent)
    if what == names.METRIC_RESOURCES:
        return raise_need(g, p, NEED_PRIZE, weights.PRIZE_TURNS, percent)
    if what == names.METRIC_TILES:
        return raise_need(g, p, NEED_CITY, weights.CITY_TURNS, percent)
    if what == names.METRIC_MATURE_TILES:
        return raise_need(g, p, NEED_MATURE, weights.MATURE_TOKEN_TURNS, 4 * percent)
    if what == names.METRIC_DISTRICTS:
        return raise_need(g, p, NEED_DISTRICT, weights.DISTRICT_TURNS, percent)
    if what == names.METRIC_FORTS:
        return raise_need(g, p, NEED_FORT, weights.FORT_TURNS, percent)
    if what == names.METRIC_CARDS_OF_LEVEL:
        return raise_need(g, p, NEED_DIAL, weights.DIAL_TURNS, percent)
    if what == names.METRIC_BEST_ATTACK:
        return raise_need(g, p, NEED_CAPITAL, weights.ATTACK_TURNS, percent)
    for kind in range(names.N_TYPES):
        raise_need(g, p, NEED_WONDER + kind, weights.WONDER_TURNS, percent)
    return 0


@jit
def is_in_sight(r, what, missing):
    """Can a turn's work bring what is missing? One piece, or spaces of dial or coast up to the last slot's number."""
    spaces = what == names.METRIC_DIAL or what == names.METRIC_COAST
    return missing <= (int(r.slot_number[r.slots - 1]) if spaces else 1)


@jit
def add_need(r, g, p, what, kind, target, percent):
    """Note what one more unit towards `target` is worth; the last missing unit more than the first."""
    missing = target - metric(r, g, p, what, kind)
    if missing <= 0:
        return 0
    if g.weights[p, weights.FORBIDDEN] & restrictions.LOOKING_AHEAD and not is_in_sight(r, what, missing):
        return 0
    percent = percent * (100 + g.weights[p, weights.FINISH_PERCENT] // missing) // 100
    if counted_beyond(names.BASE_BOX, what):
        return add_expansion_need(g, p, what, kind, percent)
    note = NEED_DIAL
    unit = g.weights[p, weights.DIAL_TURNS]
    if what == names.METRIC_CITIES:
        note = NEED_CITY
        unit = g.weights[p, weights.CITY_TURNS]
    elif what == names.METRIC_WONDERS_OF_TYPE:
        note = NEED_WONDER + kind
        unit = g.weights[p, weights.WONDER_TURNS]
    elif what == names.METRIC_CAPITALS_DEFEATED:
        note = NEED_CAPITAL
        unit = g.weights[p, weights.ATTACK_TURNS] * 2
    elif what == names.METRIC_CITY_STATES:
        note = NEED_CITY_STATE
        unit = g.weights[p, weights.ATTACK_TURNS] * 2
    elif what == names.METRIC_COAST:
        note = NEED_COAST
        unit = g.weights[p, weights.COAST_TURNS]
    elif what == names.METRIC_MATURE_CITIES:
        note = NEED_MATURE
        unit = g.weights[p, weights.MATURE_TOKEN_TURNS] * 4
    elif what == names.METRIC_NATURAL_WONDERS:
        note = NEED_NATURAL_WONDER
        unit = g.weights[p, weights.NATURAL_WONDER_NEAR]
    g.notes[p, note] += unit * percent // 100
    return int(g.notes[p, note])


@jit
def add_agenda_need(r, g, p, card, a, percent):
    """Note the needs of an agenda (both ways, if it has two), unless the seat does not go for it."""
    if ignores(r, g, p, card, a):
        return
    add_need(r, g, p, r.agenda_metric[card, a], int(r.agenda_kind[card, a]), int(r.agenda_target[card, a]), percent)
    if r.agenda_metric2[card, a] != names.METRIC_NONE:
        add_need(r, g, p, r.agenda_metric2[card, a], int(r.agenda_kind2[card, a]), int(r.agenda_target2[card, a]), percent)


@inline
def chosen_turns(g, p, i):
    """Return the turns estimated for the agenda chosen on victory card `i`."""
    return int(g.notes[p, TURNS + 2 * i + int(g.notes[p, CHOSEN + i]) - 1])


@jit
def is_aimed_at(r, g, p, i):
    """Is card `i`, not yet claimed, among the quickest that seat `p` still has to claim? All are, unless rules spare some."""
    mine = chosen_turns(g, p, i)
    quicker = 0
    for k in range(g.victory_count):
        turns = -1 if g.claimed[p, k] != 0 else chosen_turns(g, p, k)
        if turns < mine or (k < i and turns == mine):
            quicker += 1
    return quicker < g.victory_count - r.claims_spared


@inline
def agenda_percent(r, g, p, agenda):
    """Return the percent at which seat `p` counts the estimate for an agenda: 100 for agendas of house rules."""
    if agenda < len(names.AGENDAS):
        return int(g.weights[p, weights.AGENDA + agenda])
    if r.box == names.TI_BOX and agenda < len(names.AGENDAS) + len(names.TI_AGENDAS):
        return int(g.weights[p, weights.TI_AGENDA + agenda - len(names.AGENDAS)])
    return 100


@jit
def turn_to_other(r, g, p, i):
    """Choose the agenda of victory card `i` that seat `p` does not ignore, if it has another."""
    card = int(g.victory_card[i])
    for a in range(2):
        if ignores(r, g, p, card, a):
            g.notes[p, TURNS + 2 * i + a] = weights.OUT_OF_THE_QUESTION
            if not ignores(r, g, p, card, 1 - a):
                g.notes[p, CHOSEN + i] = 2 - a


@jit
def choose_agendas(r, g, w, p):
    """Estimate both agendas of every card not yet claimed and choose the quicker; note the needs that follow."""
    for i in range(g.victory_count):
        old = int(g.notes[p, CHOSEN + i])
        g.notes[p, CHOSEN + i] = 0
        if g.claimed[p, i] != 0:
            continue
        card = int(g.victory_card[i])
        first = claim_turns(r, g, w, p, i, 0)
        second = claim_turns(r, g, w, p, i, 1)
        g.notes[p, TURNS + 2 * i] = first
        g.notes[p, TURNS + 2 * i + 1] = second
        first = first * agenda_percent(r, g, p, int(r.agenda_name[card, 0])) // 100
        second = second * agenda_percent(r, g, p, int(r.agenda_name[card, 1])) // 100
        if old == 1:
            first = first * g.weights[p, weights.KEEP_PLAN] // 100
        elif old == 2:
            second = second * g.weights[p, weights.KEEP_PLAN] // 100
        g.notes[p, CHOSEN + i] = 1 if first <= second else 2
        if g.weights[p, weights.IGNORED] != 0:
            turn_to_other(r, g, p, i)
    for i in range(g.victory_count):
        if g.claimed[p, i] == 0:
            card = int(g.victory_card[i])
            a = int(g.notes[p, CHOSEN + i]) - 1
            percent = int(g.weights[p, weights.SIDE_PERCENT])
            if is_aimed_at(r, g, p, i):
                percent = int(g.weights[p, weights.NEED_PERCENT])
                percent += int(g.weights[p, weights.LAST_PERCENT]) if nearly_wins(r, g, p) else 0
            add_agenda_need(r, g, p, card, a, percent)
            add_agenda_need(r, g, p, card, 1 - a, g.weights[p, weights.SIDE_PERCENT])


@jit
def weigh_type(g, p, kind, need):
    """Note what a trade token on a card of the type is worth: something in any plan, and more where it serves a need."""
    worth = g.weights[p, weights.TRADE_TOKEN] * g.weights[p, weights.SUPPLY + kind] // 100
    worth += need * g.weights[p, weights.SUPPLY_NEED + kind] // 1000
    g.notes[p, TYPE_WORTH + kind] = worth + g.notes[p, NEED_TRADE]


@jit
def weigh_supplies(r, g, p):
    """Note what trade tokens and resources are worth: those that feed the plan more."""
    for kind in range(names.N_RESOURCES):
        worth = g.weights[p, weights.RESOURCE]
        for t in range(names.N_TYPES):
            wonder = face_up(r, g, p, t)
            if wonder >= 0 and r.wonder_pays[wonder, kind] != 0:
                worth += g.weights[p, weights.RESOURCE_WANTED] * min(100, int(g.notes[p, NEED_WONDER + t]) // 4) // 100
        g.notes[p, RESOURCE_WORTH + kind] = worth
    wonders = 0
    for t in range(names.N_TYPES):
        wonders = max(wonders, int(g.notes[p, NEED_WONDER + t]))
    land = max(int(g.notes[p, NEED_COAST]), int(g.notes[p, NEED_MATURE]) // 4, int(g.notes[p, NEED_SPACE]))
    weigh_type(g, p, names.CULTURE, land)
    weigh_type(g, p, names.SCIENCE, int(g.notes[p, NEED_DIAL]))
    weigh_type(g, p, names.ECONOMY, int(g.notes[p, NEED_ARRIVAL]))
    weigh_type(g, p, names.INDUSTRY, wonders)
    war = max(int(g.notes[p, NEED_CAPITAL]), int(g.notes[p, NEED_CITY_STATE]))
    war = max(war, int(g.notes[p, NEED_FORT]), int(g.notes[p, NEED_FIGHT]))
    weigh_type(g, p, names.MILITARY, war)
    weigh_type(g, p, names.GROWTH, int(g.notes[p, NEED_DISTRICT]))


@jit
def make_plan(r, g, w, p):
    """Make the plan of the turn (see the module docstring)."""
    for k in range(NEED_CITY, CHOSEN):
        g.notes[p, k] = 0
    for k in range(NEED_GIVER, NEED_FIGHT + 1):
        g.notes[p, k] = 0
    g.notes[p, WAR_TARGET] = -1
    g.notes[p, LAND_TARGET] = -1
    g.notes[p, BASE_PERCENT] = max(0, 100 - g.weights[p, weights.BASE_FADE] * progress(r, g, p))
    choose_agendas(r, g, w, p)
    war = int(g.notes[p, NEED_CAPITAL]) + int(g.notes[p, NEED_CITY_STATE]) + int(g.notes[p, NEED_FORT])
    near = g.weights[p, weights.FORBIDDEN] & restrictions.LOOKING_AHEAD  # targets out of reach do not count
    if near or war < g.weights[p, weights.ATTACK_TURNS]:
        g.notes[p, WAR_TARGET] = -1
    if near or int(g.notes[p, NEED_NATURAL_WONDER]) < g.weights[p, weights.NATURAL_WONDER_NEAR] // 2:
        g.notes[p, LAND_TARGET] = -1
    weigh_supplies(r, g, p)
    g.notes[p, STAMP] = g.turn + 1


assert TURNS + 2 * names.MAX_IN_PLAY <= BASE_PERCENT < state.NOTES
