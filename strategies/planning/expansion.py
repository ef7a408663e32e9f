"""What the planner thinks of Terra Incognita: armies, districts, forts, exploring, governments.

Armies attack what promises most by the odds and otherwise go nearer to it, or guard what a rival may take; caravans and armies
explore when nothing better is in reach; districts go where they will bring trade tokens; governments to the card the plan
needs most. Needs are those of the plan (`strategies.planning.plan`), prices the weights of the profile.
"""

from newdawn.simulator.engine.board.hexes import is_fort
from newdawn.simulator.engine.board.pieces import armies_of, holder_of
from newdawn.simulator.engine.cards.armies import count_army
from newdawn.simulator.engine.cards.battle import defence_on, list_targets_on
from newdawn.simulator.engine.cards.combat import attack_bonus, combat_bonus
from newdawn.simulator.engine.cards.districts import has_terrain, spaces_around, trade_tokens_of
from newdawn.simulator.engine.cards.growth import district_fits
from newdawn.simulator.engine.core import decisions
from newdawn.simulator.engine.core.decisions import BARBARIAN_OPTION, EXPLORE, PASS
from newdawn.simulator.engine.core.jit import expansion, jit
from newdawn.simulator.engine.core.state import (
    ON_CARD,
    TARGET_ARMY,
    TARGET_BARBARIAN,
    TARGET_CARAVAN,
    TARGET_CITY_STATE,
    TARGET_FORT,
)
from newdawn.simulator.limits import MAX_ARMIES
from newdawn.simulator.names import (
    CAMPUS,
    COMMERCIAL_HUB,
    DESERT,
    ENCAMPMENT,
    FOREST,
    INDUSTRIAL_ZONE,
    MILITARY,
    MOUNTAIN,
    N_DISTRICTS,
    N_TARGETS,
    TOKEN,
)
from newdawn.simulator.rules.ability_codes import DEFEND
from newdawn.strategies.planning import plan, weights
from newdawn.strategies.planning.features import (
    cards_claimed,
    hex_distance,
    military_tokens,
    win_chance,
)
from newdawn.strategies.planning.worth import (
    base,
    city_worth,
    holder_worth,
    loss_worth,
    reinforce_worth,
    target_worth,
    token_worth,
    type_worth,
)

NOTHING = -(1 << 30)
FAR = 12  # what is farther off draws no army
GOOD_DIE = 4  # a die as high is not rolled again


# --- attacks of armies


@jit
def piece_worth(r, g, p, s, target, q):
    """Worth of beating the target of seat `q` on the space."""
    if target == TARGET_FORT:
        return int(g.weights[p, weights.FORT_BASE]) + int(g.notes[p, plan.NEED_FORT]) + city_worth(r, g, p, s)
    if target == TARGET_CARAVAN or target == TARGET_ARMY:
        return int(g.weights[p, weights.FIGURE_BASE])
    worth = target_worth(r, g, p, s)
    if target == TARGET_BARBARIAN or target == TARGET_CITY_STATE or not is_fort(g, s):
        return worth
    return worth + int(g.notes[p, plan.NEED_FORT])


@jit
def lead_against(r, g, w, p, h, slot, s, target, q):
    """Return how far an attack of seat `p` with the military card leads before the dice and any trade tokens."""
    lead = slot + int(attack_bonus(r, g, w, p, g.card[p, h], s, target, q)) - int(defence_on(r, g, p, s, target, q))
    return lead - int(combat_bonus(r, g, w, q, DEFEND, s, target, p)) if q >= 0 else lead


@jit
def promised(r, g, w, p, h, slot, s, target, q):
    """Return what an attack promises: its worth times the chance, trade tokens counted on both sides."""
    worth = piece_worth(r, g, p, s, target, q)
    if worth <= 0:
        return 0
    lead = lead_against(r, g, w, p, h, slot, s, target, q)
    if worth >= g.weights[p, weights.FIGHT_WORTH]:
        lead += int(g.trade[p, h])
    if q >= 0:
        lead -= military_tokens(r, g, q)
    return worth * win_chance(r, lead) // 100 * g.weights[p, weights.ATTACK_PERCENT] // 100


@jit
def best_on(r, g, w, p, h, slot, s):
    """Return what the best attack on the space promises (0: none)."""
    targets = list_targets_on(r, g, p, s)
    best = 0
    for target in range(N_TARGETS):
        for seat in range(8):
            if targets >> (target * 8 + seat) & 1 != 0:
                best = max(best, promised(r, g, w, p, h, slot, s, target, seat if seat < 7 else -1))
    return best


@jit
def army_reaches(r, g, w, p, h, a, slot):
    """Return what the best attack promises that army `a` can make with the card now."""
    count_army(r, g, w, p, a, int(g.card[p, h]), slot, int(r.card_army_move[g.card[p, h]]))
    best = 0
    for s in range(g.n_spaces):
        if w.dist[0, s] > 0:
            best = max(best, best_on(r, g, w, p, h, slot, s))
    return best


@jit
def armies_worth(r, g, w, p, h, slot):
    """Return what the military card brings in the slot: the best attacks of the own armies, at most two of them counted."""
    first = second = 0
    on_card = 0
    for a in range(MAX_ARMIES):
        if g.army[p, a] < ON_CARD:
            continue
        if g.army[p, a] == ON_CARD:
            on_card += 1
        best = army_reaches(r, g, w, p, h, a, slot)
        second = max(second, min(first, best))
        first = max(first, best)
    return first + second // 2 + on_card * g.weights[p, weights.EXPLORING] // 3


@jit
def lure(r, g, w, p, h, slot, s):
    """Return how strongly what can be attacked draws an army that stands on the space: near and promising."""
    best = 0
    for t in range(g.n_spaces):
        far = hex_distance(g, s, t)
        if far > FAR or list_targets_on(r, g, p, t) == 0:
            continue
        best = max(best, best_on(r, g, w, p, h, slot, t) - far * int(g.weights[p, weights.ARMY_STEP]))
    return best


@jit
def guarded(r, g, p, s):
    """Worth of an army as the only guard of an own piece on the space."""
    if g.owner[s] != p or armies_of(g, p, s) > 0:
        return 0
    return loss_worth(r, g, p, s) * g.weights[p, weights.GUARD] // 100


@jit
def choose_stand(r, g, w, p, n, h, slot):
    """Return the index of the free space where the army stands best, PASS (the last option) if it stands well."""
    a = int(w.ask_space)
    here = int(g.army[p, a])
    best = n - 1
    last = int(r.slot_number[r.slots - 1])
    best_worth = NOTHING if here < 0 else lure(r, g, w, p, h, last, here)
    for k in range(n - 1):
        v = int(w.option[k])
        if list_targets_on(r, g, p, v) != 0:
            continue
        worth = max(lure(r, g, w, p, h, last, v), guarded(r, g, p, v))
        if worth > best_worth + int(g.weights[p, weights.ARMY_STEP]) // 2:
            best = k
            best_worth = worth
    return best


@jit
def choose_army_space(r, g, w, p, n):
    """Return the index of where the army goes: the best attack, else exploring, else towards what is worth an attack."""
    h = int(w.ask_holder)
    slot = int(w.ask_slot)
    best = -1
    best_worth = int(g.weights[p, weights.FIGHT_WORTH]) // 4
    explore = -1
    for k in range(n - 1):
        v = int(w.option[k])
        if v >= EXPLORE:
            explore = k
            continue
        worth = best_on(r, g, w, p, h, slot, v)
        if worth > best_worth:
            best = k
            best_worth = worth
    if best >= 0:
        return best
    if explore >= 0:
        return explore
    return choose_stand(r, g, w, p, n, h, slot)


@jit
def choose_target(r, g, w, p, n):
    """Return the index of the piece on the space that the army attacks."""
    best = 0
    best_worth = NOTHING
    h = holder_of(r, g, p, MILITARY)
    for k in range(n):
        v = int(w.option[k])
        worth = promised(r, g, w, p, h, int(w.ask_slot), int(w.ask_space), v // 8, v % 8 if v % 8 < 7 else -1)
        if worth > best_worth:
            best = k
            best_worth = worth
    return best


@jit
def fight_is_worth(r, g, w, p):
    """Is the combat worth trade tokens to seat `p`?"""
    s = int(w.ask_space)
    if w.ask_source == decisions.SOURCE_DEFENCE:
        return loss_worth(r, g, p, s) >= g.weights[p, weights.FIGHT_WORTH] if g.owner[s] == p else False
    seat = int(w.ask_seat)
    return piece_worth(r, g, p, s, int(w.ask_target), seat) >= g.weights[p, weights.FIGHT_WORTH]


@jit
def choose_combat_spending(r, g, w, p, n):
    """Return the index of what is spent in a combat: +1 while that turns it, else another roll of a low die, else nothing."""
    ties = int(r.attacker_wins_ties)
    if w.ask_source == decisions.SOURCE_DEFENCE:
        short = int(w.ask_attack) - int(w.ask_defence) + ties
    else:
        short = int(w.ask_defence) - int(w.ask_attack) + 1 - ties
    if short <= 0 or not fight_is_worth(r, g, w, p):
        return n - 1
    h = holder_of(r, g, p, MILITARY)
    tokens = int(g.trade[p, h]) if h >= 0 else 0
    wanted = decisions.SPEND_ONE if short <= tokens else decisions.SPEND_REROLL
    if wanted == decisions.SPEND_REROLL and (int(w.ask_die) >= GOOD_DIE or short > 5):
        return n - 1
    for k in range(n - 1):
        if w.option[k] == wanted:
            return k
    return n - 1


# --- growth and districts


@jit
def land_of(district):
    """Return the terrain whose spaces around it a district counts, or -1."""
    if district == CAMPUS:
        return MOUNTAIN
    if district == COMMERCIAL_HUB:
        return DESERT
    return FOREST if district == INDUSTRIAL_ZONE else -1


@jit
def possible_yield(r, g, p, district, s):
    """Return, in halves, the trade tokens the district would bring at a time on the space: friendly land, and free land."""
    land = land_of(district)
    if land < 0:
        return 0
    now = spaces_around(g, p, s, land)
    if g.owner[s] != p and has_terrain(g, s, land):
        now += 1
    soon = 0
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t >= 0 and g.owner[t] < 0 and has_terrain(g, t, land):
            soon += 1
    found = 2 * now + soon
    if district == COMMERCIAL_HUB:
        found = max(found, 2 * trade_tokens_of(r, g, p, COMMERCIAL_HUB, s, 0) + 1)
    return found


@jit
def district_worth(r, g, p, district, s):
    """Worth of the district of seat `p` on the space."""
    worth = base(g, p, weights.DISTRICT_BASE + district) + int(g.notes[p, plan.NEED_DISTRICT])
    worth += possible_yield(r, g, p, district, s) * g.weights[p, weights.DISTRICT_YIELD] // 2
    if g.owner[s] != p:
        return worth + token_worth(r, g, p, s)
    return worth - int(g.weights[p, weights.REINFORCE_BASE]) if g.piece[s] != TOKEN else worth


@jit
def best_district(r, g, p, slot):
    """Return the worth of the best district seat `p` could place from the slot (0: none)."""
    best = 0
    for s in range(g.n_spaces):
        if district_fits(r, g, p, s, slot):
            for d in range(N_DISTRICTS):
                if g.district_space[p, d] < 0:
                    best = max(best, district_worth(r, g, p, d, s))
    return best


@jit
def reinforcing_worth(r, g, w, p, amount):
    """Worth of reinforcing the best so many control tokens."""
    total = 0
    last = 1 << 30
    for _ in range(amount):
        best = 0
        for s in range(g.n_spaces):
            if g.owner[s] == p and g.piece[s] == TOKEN:
                worth = reinforce_worth(r, g, p, s) + int(g.notes[p, plan.NEED_REINFORCED])
                if best < worth < last:
                    best = worth
        if best == 0:
            return total
        total += best
        last = best
    return total


@jit
def growth_worth(r, g, w, p, h, slot):
    """Return what the growth card brings in the slot: a district, reinforced tokens, or both if the card does both."""
    card = g.card[p, h]
    tokens = int(g.trade[p, h])
    district = best_district(r, g, p, slot) if r.card_districts[card] > 0 else 0
    reinforced = reinforcing_worth(r, g, w, p, (slot if r.card_growth_reinforce[card] != 0 else 0) + tokens)
    if r.card_growth_all[card] != 0:
        return district + reinforced
    return max(district + reinforcing_worth(r, g, w, p, tokens), reinforced)


@jit
def effect_worth(r, g, w, p, s, option):
    """Worth of an option of the own district on the space."""
    district = int(g.district[s]) - 1
    tokens = trade_tokens_of(r, g, p, district, s, option)
    if tokens > 0:
        return tokens * int(g.weights[p, weights.TRADE_TOKEN])
    if district == INDUSTRIAL_ZONE:
        return base(g, p, weights.CITY_BASE) + int(g.notes[p, plan.NEED_CITY]) - 3 * int(g.weights[p, weights.TRADE_TOKEN]) // 2
    if district == ENCAMPMENT:
        return int(g.weights[p, weights.REINFORCE_BASE]) + 1
    return int(g.weights[p, weights.TOKEN_BASE])


@jit
def foe_worth(r, g, p, v):
    """Worth of what an Encampment does on the space: a barbarian or army less, or a token reinforced."""
    if v >= BARBARIAN_OPTION:
        return target_worth(r, g, p, v - BARBARIAN_OPTION)
    if g.owner[v] == p:
        return reinforce_worth(r, g, p, v)
    return int(g.weights[p, weights.FIGURE_BASE])


@jit
def district_gain(r, g, p, district):
    """Return what naming the district type brings seat `p` ahead of its rivals (Globalization)."""
    gain = 0
    for q in range(g.players):
        s = int(g.district_space[q, district])
        if s >= 0:
            gain += 3 if q == p else -1
    return gain


# --- governments, forts, the rest


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
def option_worth(r, g, w, p, kind, v):
    """Worth of an option of a decision that only Terra Incognita asks."""
    if kind == decisions.GROWTH:
        slot = int(w.ask_slot)
        return best_district(r, g, p, slot) if v == decisions.GROWTH_DISTRICT else reinforcing_worth(r, g, w, p, slot)
    if kind == decisions.PLACE_DISTRICT:
        return district_worth(r, g, p, v % 8, v // 8)
    if kind == decisions.DISTRICT_EFFECT:
        return effect_worth(r, g, w, p, int(w.ask_space), v)
    if kind == decisions.DISTRICT_SPACE:
        return foe_worth(r, g, p, v)
    if kind == decisions.CITY_SPACE:
        return city_worth(r, g, p, v)
    if kind == decisions.GOVERNMENT:
        return government_worth(r, g, p, v)
    if kind == decisions.TAKE_CITY:
        return target_worth(r, g, p, v)
    if kind == decisions.DISPLACED_TOKEN:
        return token_worth(r, g, p, v)
    if kind == decisions.NAME_DISTRICT:
        return district_gain(r, g, p, v)
    if kind == decisions.ARMY_CITY:
        return loss_worth(r, g, p, v)
    if kind == decisions.GIVE_IBRAHIM or kind == decisions.ALLY:
        return rank_rival(g, p, v)
    if kind == decisions.CONQUER_VISITED:
        return v * (target_worth(r, g, p, int(w.ask_space)) + 1)
    if kind == decisions.EXPLORED_TILE or kind == decisions.ARMY or kind == decisions.ARMY_AGAIN:
        return 1
    if kind == decisions.NON_AGGRESSION:
        return holder_worth(r, g, p, int(g.row[p, v])) - 1
    return 0


@jit
def choose_by_worth(r, g, w, p, kind, n):
    """Return the index of the option of the highest worth; PASS counts 0 where it is offered."""
    best = n - 1
    best_worth = NOTHING
    if w.option[n - 1] == PASS:
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
    return choose_by_worth(r, g, w, p, kind, n)


@expansion
def ti_card_worth(r, g, w, p, h, slot, later) -> int:
    """Return what a military or growth card brings in the slot; notes (`plan.LATER`) what it brings with the slot `later`."""
    if r.card_type[g.card[p, h]] == MILITARY:
        g.notes[p, plan.LATER] = armies_worth(r, g, w, p, h, later)
        return armies_worth(r, g, w, p, h, slot)
    g.notes[p, plan.LATER] = growth_worth(r, g, w, p, h, later)
    return growth_worth(r, g, w, p, h, slot)


assert N_DISTRICTS <= 8
