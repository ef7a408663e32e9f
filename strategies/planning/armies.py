"""The planner's armies (T5): where they attack, explore, wait or stand guard, and what a combat is worth.

Spaces with targets, the prey, are listed once for a card (`list_prey`), each with the expected worth of its best target now and
from the best slot. An army attacks the best prey; else it explores; else it guards a piece that a rival may attack, or moves
towards prey.
"""

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.armies import army_steps, mark_army, mark_ground, mark_stop, may_attack_anything, may_pass, queue_army
from ...simulator.engine.battle import NOBODY, defence_on, list_targets_on, may_hold_target
from ...simulator.engine.combat import attack_bonus, combat_bonus
from ...simulator.engine.compile.jit import inline, jit, lowest_bit
from ...simulator.engine.counts import metric
from ...simulator.engine.exploring import may_explore
from ...simulator.engine.map import flood, hex_distance, is_fort, rebuild_grid
from ...simulator.engine.pieces import armies_of, has_pact, holder_of
from ...simulator.rules import codes
from . import plan, weights
from .plan import barbarian_distance, cards_claimed, military_tokens, win_chance, wins_soon
from .worth import city_worth, deny_worth, diplomacy_lost, leading_percent, loss_worth, target_worth, tile_fits_beside

NOTHING = -(1 << 30)
NOT_WEIGHED = -1
FIRST_LURE, SECOND_LURE = 5, 6  # layers: distances from the two spaces that draw an army most
MARCH_LAYER = 7  # layer: spaces an army reaches (weighing a combat may use the engine's layers, by Carthage)
FAR = 8  # prey farther off draws no army
STRIKING_DISTANCE = 6  # spaces from which a rival's army is a danger
RAIDING_DISTANCE = 2  # and a barbarian
STANDING_SHARE = 2  # divides the worth of standing, beside that of an action at once
STANDS = 8  # armies in the note of who stands


# --- forts


@jit
def claims_on_forts(r, g, q):
    """Return how many victory cards seat `q` would lose with one of its forts (T3.3)."""
    held = metric(r, g, q, names.METRIC_FORTS, -1)
    n = 0
    for i in range(g.victory_count):
        a = int(g.claimed[q, i]) - 1
        card = int(g.victory_card[i])
        if a >= 0 and r.agenda_metric[card, a] == names.METRIC_FORTS and r.agenda_target[card, a] == held:
            n += 1
    return n


@jit
def fort_stake(r, g, p, q, s):
    """Worth to seat `p` of the victory cards that seat `q` would lose with its fort on the space."""
    if not is_fort(g, s):
        return 0
    rescue = int(g.weights[p, weights.RESCUE])
    if rescue > 0 and wins_soon(r, g, q) and (q == p or cards_claimed(g, q) >= cards_claimed(g, p)):
        return rescue
    lost = claims_on_forts(r, g, q) * int(g.weights[p, weights.FORT_TURNS])
    if q == p or lost == 0:
        return lost * int(g.weights[p, weights.FORT_HOLD]) // 100
    percent = int(g.weights[p, weights.FORT_DENY]) + int(g.weights[p, weights.LEADER_DENY]) * cards_claimed(g, q)
    return lost * (percent + leading_percent(g, p, q)) // 100


@jit
def stake(r, g, p, s):
    """Worth of what seat `p` would lose with its piece on the space, the victory cards that hang on a fort included."""
    return loss_worth(r, g, p, s) + fort_stake(r, g, p, p, s)


# --- what can be attacked


@inline
def unfound_loot(r, g, p, q):
    """Return by how much `target_worth` overrates the loot of rival `q`'s capital, which may have fewer trade tokens."""
    tokens = 0
    for h in range(names.N_TYPES):
        tokens += int(g.trade[q, h]) if g.card[q, h] >= 0 else 0
    return max(0, int(r.capital_loot) - tokens) * int(g.weights[p, weights.TRADE_TOKEN])


@jit
def piece_worth(r, g, p, s, target, q):
    """Worth of beating the target of seat `q` on the space."""
    if target == state.TARGET_FORT:
        return int(g.weights[p, weights.FORT_BASE]) + int(g.notes[p, plan.NEED_FORT]) + city_worth(r, g, p, s)
    if target == state.TARGET_CARAVAN or target == state.TARGET_ARMY:
        figure = int(g.weights[p, weights.FIGURE_BASE])
        return figure + deny_worth(r, g, p, q, figure)
    worth = target_worth(r, g, p, s)
    if target == state.TARGET_CAPITAL:
        return worth - unfound_loot(r, g, p, q)
    if target == state.TARGET_BARBARIAN or target == state.TARGET_CITY_STATE or not is_fort(g, s):
        return worth
    return worth + int(g.notes[p, plan.NEED_FORT]) + fort_stake(r, g, p, q, s)


@jit
def lead_against(r, g, w, p, h, slot, s, target, q):
    """Return how far an attack of seat `p` with the military card leads before the dice and any trade tokens."""
    lead = slot + int(attack_bonus(r, g, w, p, g.card[p, h], s, target, q)) - int(defence_on(r, g, p, s, target, q))
    return lead - int(combat_bonus(r, g, w, q, codes.DEFEND, s, target, p)) if q >= 0 else lead


@inline
def setback(r, g, p, s, q):
    """Return what a lost attack on the space costs seat `p`: the army's way, and diplomacy cards (T5.13)."""
    return max(0, int(g.weights[p, weights.SETBACK]) + diplomacy_lost(r, g, p, q, int(g.city_state[s])))


@inline
def promised(r, g, p, worth, lead, lost):
    """Return the expected worth of an attack with that lead; `lost`: the cost of a lost attack."""
    chance = win_chance(r, lead)
    rescue = int(g.weights[p, weights.RESCUE])
    if chance < g.weights[p, weights.LEAST_CHANCE] and not 0 < rescue <= worth:
        return 0
    return (worth * chance - lost * (100 - chance)) // 100 * int(g.weights[p, weights.ATTACK_PERCENT]) // 100


@jit
def lead_with_tokens(r, g, w, p, h, slot, s, target, q, worth):
    """Return how far an attack leads, the trade tokens of both sides counted."""
    lead = lead_against(r, g, w, p, h, slot, s, target, q)
    if worth >= g.weights[p, weights.FIGHT_WORTH]:
        lead += int(g.trade[p, h])
    return lead - military_tokens(r, g, q) if q >= 0 else lead


@jit
def most_promised(r, g, p, s):
    """Return the worth of the best attack on the space if it were won; 0: nothing to attack."""
    targets = list_targets_on(r, g, p, s) if may_hold_target(g, p, s) else 0
    most = 0
    while targets != 0:
        code = lowest_bit(targets)
        targets &= targets - 1
        most = max(most, piece_worth(r, g, p, s, code // 8, code % 8 if code % 8 != NOBODY else -1))
    return most * int(g.weights[p, weights.ATTACK_PERCENT]) // 100


@jit
def weigh_prey(r, g, w, p, h, slot, later, s):
    """Note what the best attack on the space promises now and with the slot `later` (``w.prey_now``, ``w.prey_later``); return
    if there is one."""
    targets = list_targets_on(r, g, p, s) if may_hold_target(g, p, s) else 0
    now = then = 0
    while targets != 0:
        code = lowest_bit(targets)
        targets &= targets - 1
        target = code // 8
        q = code % 8 if code % 8 != NOBODY else -1
        worth = piece_worth(r, g, p, s, target, q)
        if worth > 0:
            lead = lead_with_tokens(r, g, w, p, h, slot, s, target, q, worth)
            lost = setback(r, g, p, s, q)
            now = max(now, promised(r, g, p, worth, lead, lost))
            then = max(then, promised(r, g, p, worth, lead + later - slot, lost))
    w.prey_now[s] = now
    w.prey_later[s] = then
    return then > 0


@jit
def list_prey(g, w, p):
    """List the spaces with something to attack in ``w.prey``, none of them weighed yet; return how many."""
    n = 0
    for s in range(g.n_spaces):
        w.prey_now[s] = NOT_WEIGHED
        w.prey_most[s] = NOT_WEIGHED
        w.prey[n] = s
        n += 1 if may_hold_target(g, p, s) else 0
    return n


@inline
def most_of(r, g, w, p, s):
    """Return what an attack on the listed space promises at most (`most_promised`); kept in ``w.prey_most``."""
    if w.prey_most[s] == NOT_WEIGHED:
        w.prey_most[s] = most_promised(r, g, p, s)
    return int(w.prey_most[s])


# --- the worth of the card


@jit
def best_in_reach(r, g, w, p, h, slot, later, n, waits):
    """Return what the best of the `n` prey promises that the last count reaches; `waits`: with the slot `later`."""
    best = 0
    for i in range(n):
        s = int(w.prey[i])
        if w.dist[MARCH_LAYER, s] > 0 and most_of(r, g, w, p, s) > best:
            if w.prey_now[s] == NOT_WEIGHED:
                weigh_prey(r, g, w, p, h, slot, later, s)
            best = max(best, int(w.prey_later[s] if waits else w.prey_now[s]))
    return best


@jit
def scouts(r, g, w, p, a, steps):
    """Does the last count reach a space from which army `a` can explore?"""
    if g.army_explored[a] != 0 or g.stack_n == 0:
        return False
    for s in range(g.n_spaces):
        if g.edge[s] != 0 and 0 <= w.dist[MARCH_LAYER, s] <= steps - int(r.explore_price) and may_explore(r, g, p, s):
            return True
    return False


@jit
def mark_prey(r, g, w, p, card, slot, n):
    """Mark where an army may go, as `mark_army` does, the `n` spaces with something to attack being listed."""
    mark_ground(r, g, w, p, card, slot)
    through = may_pass(r, g, p, card)
    anything = may_attack_anything(r, g, p)
    for i in range(n):
        mark_stop(r, g, w, p, int(w.prey[i]), through, anything)


@jit
def marches(r, g, w, p, h, slot, later, n, waits):
    """Return what the armies bring with the card in the slot, or (`waits`) in the one later: the best attack, half of the
    second, and exploring."""
    card = int(g.card[p, h])
    steps = army_steps(r, g, p, card)
    mark_prey(r, g, w, p, card, later if waits else slot, n)
    first = second = 0
    best = from_card = -1
    for a in range(names.MAX_ARMIES):
        if g.army[p, a] < state.ON_CARD:
            continue
        if g.army[p, a] != state.ON_CARD or from_card < 0:  # those on the card are alike
            flood(g, w, MARCH_LAYER, queue_army(r, g, w, p, a), steps)
            best = best_in_reach(r, g, w, p, h, slot, later, n, waits)
            if best < g.weights[p, weights.EXPLORING] and scouts(r, g, w, p, a, steps):
                best = int(g.weights[p, weights.EXPLORING])
            from_card = best if g.army[p, a] == state.ON_CARD else from_card
        else:
            best = from_card
        second = max(second, min(first, best))
        first = max(first, best)
    return first + second // 2


@jit
def armies_worth(r, g, w, p, h, slot, later):
    """Return what the military card brings in the slot; notes (`plan.LATER`) what it brings with the slot `later`."""
    n = list_prey(g, w, p)
    now = marches(r, g, w, p, h, slot, later, n, False)
    waits = later != slot and g.notes[p, plan.WAR_TARGET] >= 0  # nothing to wait for else (`cards.can_wait`)
    g.notes[p, plan.LATER] = marches(r, g, w, p, h, slot, later, n, True) if waits else now
    return now


# --- where an army goes


@jit
def draw(r, g, w, p, h, n, a, layer):
    """Count ways from the prey that draws army `a` most, the nearer the more, and strike it off; return what it promises."""
    here = int(g.army[p, a]) if g.army[p, a] >= 0 else int(g.capital[p])
    last = int(r.slot_number[r.slots - 1])
    best = -1
    best_worth = 0
    for i in range(n):
        s = int(w.prey[i])
        far = hex_distance(g, here, s)
        if far > FAR or (best >= 0 and most_of(r, g, w, p, s) - far * int(g.weights[p, weights.ARMY_STEP]) <= best_worth):
            continue
        if w.prey_now[s] == NOT_WEIGHED:
            weigh_prey(r, g, w, p, h, last, last, s)
        worth = int(w.prey_later[s]) - far * int(g.weights[p, weights.ARMY_STEP])
        if w.prey_later[s] > 0 and (best < 0 or worth > best_worth):
            best = s
            best_worth = worth
    if best < 0:
        return 0
    promise = int(w.prey_later[best])
    w.prey_later[best] = 0
    w.queue[0] = best
    flood(g, w, layer, 1, g.n_spaces)
    return promise


@inline
def pull(g, w, p, layer, promise, s):
    """Return how strongly a lure draws an army that stands on the space: what it promises, less the steps to it."""
    if promise == 0 or w.dist[layer, s] < 0:
        return 0
    return max(0, promise - int(w.dist[layer, s]) * int(g.weights[p, weights.ARMY_STEP]))


@jit
def danger(r, g, p, s):
    """Return, in percent, how near rivals' armies are to the space; those on a card set out from a capital."""
    percent = 0
    for q in range(g.players):
        if q == p or has_pact(g, q, p):
            continue
        for a in range(names.MAX_ARMIES):
            if g.army[q, a] >= state.ON_CARD:
                t = int(g.army[q, a]) if g.army[q, a] != state.ON_CARD else int(g.capital[q])
                far = max(1, hex_distance(g, s, t))
                percent = max(percent, 100 * (STRIKING_DISTANCE + 1 - far) // STRIKING_DISTANCE)
    return percent


@inline
def raid_danger(g, s):
    """Return, in percent, how near barbarians are to the space, if it is none of the capitals, which they cannot destroy."""
    if g.piece[s] == names.CAPITAL:
        return 0
    return max(0, 100 * (RAIDING_DISTANCE + 1 - max(1, int(barbarian_distance(g, s)))) // RAIDING_DISTANCE)


@jit
def guard_worth(r, g, p, s, others):
    """Worth of an army as a guard of an own piece on the space, where `others` own armies stand already: barbarians that come
    send it home instead (T5.16)."""
    if g.owner[s] != p or others > 0:
        return 0
    feared = max(danger(r, g, p, s), raid_danger(g, s))
    return stake(r, g, p, s) * int(g.weights[p, weights.GUARD]) // 100 * feared // 100


@jit
def stand_worth(r, g, w, p, first, second, s, others):
    """Worth of an army on the space, where `others` own armies stand: its guard, or what draws it on."""
    drawn = max(pull(g, w, p, FIRST_LURE, first, s), pull(g, w, p, SECOND_LURE, second, s))
    return max(drawn, guard_worth(r, g, p, s, others))


@jit
def staying_worth(r, g, w, p, a, first, second):
    """Worth of leaving army `a` where it is: on the card it is as near as the best space it can set out from."""
    here = int(g.army[p, a])
    if here >= 0:
        return stand_worth(r, g, w, p, first, second, here, armies_of(g, p, here) - 1)
    best = 0
    for i in range(queue_army(r, g, w, p, a)):
        s = int(w.queue[i])
        best = max(best, max(pull(g, w, p, FIRST_LURE, first, s), pull(g, w, p, SECOND_LURE, second, s)))
    return best


@jit
def choose_stand(r, g, w, p, n, h):
    """Return the index of the free space where the army stands best, PASS (the last option) if it stands well."""
    a = int(w.ask_space)
    n_prey = list_prey(g, w, p)
    mark_army(r, g, w, p, int(g.card[p, h]), int(r.slot_number[r.slots - 1]))
    first = draw(r, g, w, p, h, n_prey, a, FIRST_LURE)
    second = draw(r, g, w, p, h, n_prey, a, SECOND_LURE)
    best = n - 1
    best_worth = staying_worth(r, g, w, p, a, first, second) + int(g.weights[p, weights.ARMY_STEP]) // 2
    for k in range(n - 1):
        v = int(w.option[k])
        if v >= decisions.EXPLORE or (may_hold_target(g, p, v) and list_targets_on(r, g, p, v) != 0):
            continue
        worth = stand_worth(r, g, w, p, first, second, v, armies_of(g, p, v))
        if worth > best_worth:
            best = k
            best_worth = worth
    return best


@jit
def nearest_exploration(r, g, w, p, n):
    """Return the index of the option to explore, where a tile fits, nearest to the own capital, which it serves; -1: none."""
    best = -1
    nearest = g.n_spaces
    shown = False  # does the grid show the map?
    for k in range(n - 1):
        v = int(w.option[k])
        far = hex_distance(g, v - decisions.EXPLORE, int(g.capital[p])) if v >= decisions.EXPLORE else nearest
        if far >= nearest:
            continue
        if not shown:
            rebuild_grid(g, w)
            shown = True
        if tile_fits_beside(r, g, w, v - decisions.EXPLORE):
            best = k
            nearest = far
    return best


@jit
def best_guard(r, g, w, p, n):
    """Return the worth of the best guard the army could be among the options, as much of it as counts against an attack."""
    best = 0
    for k in range(n - 1):
        v = int(w.option[k])
        if v < decisions.EXPLORE and g.owner[v] == p:
            best = max(best, guard_worth(r, g, p, v, armies_of(g, p, v)))
    return best * int(g.weights[p, weights.GUARD_FIRST]) // 100


@jit
def choose_army_space(r, g, w, p, n):
    """Return the index of where the army goes: the best attack, else exploring, unless a guard is worth more; else where it
    stands best."""
    h = int(w.ask_holder)
    slot = int(w.ask_slot)
    here = int(g.army[p, w.ask_space])
    best = nearest_exploration(r, g, w, p, n)
    best_worth = int(g.weights[p, weights.EXPLORING]) if best >= 0 else int(g.weights[p, weights.FIGHT_WORTH]) // 4
    if here >= 0:
        best_worth = max(best_worth, guard_worth(r, g, p, here, armies_of(g, p, here) - 1))
    guarding = best_guard(r, g, w, p, n) if g.weights[p, weights.GUARD_FIRST] > 0 else 0
    if guarding > best_worth:
        best = -1
        best_worth = guarding
    for k in range(n - 1):
        v = int(w.option[k])
        if v < decisions.EXPLORE and most_promised(r, g, p, v) > best_worth and weigh_prey(r, g, w, p, h, slot, slot, v):
            if w.prey_now[v] > best_worth:
                best = k
                best_worth = int(w.prey_now[v])
    if best >= 0:
        return best
    standing = STANDS * int(g.turn) + int(w.ask_space) + 1
    if g.notes[p, plan.STANDING] == standing:  # it has just moved to its best space
        return n - 1
    g.notes[p, plan.STANDING] = standing
    return choose_stand(r, g, w, p, n, h)


@jit
def rate_army_spaces(r, g, w, p, n):
    """Fill ``w.option_worth`` with what the army is worth where it may go: by an attack, a tile, or where it stands."""
    a = int(w.ask_space)
    h = int(w.ask_holder)
    slot = int(w.ask_slot)
    n_prey = list_prey(g, w, p)
    mark_army(r, g, w, p, int(g.card[p, h]), int(r.slot_number[r.slots - 1]))
    first = draw(r, g, w, p, h, n_prey, a, FIRST_LURE)
    second = draw(r, g, w, p, h, n_prey, a, SECOND_LURE)
    for k in range(n):
        v = int(w.option[k])
        if v == decisions.PASS:
            w.option_worth[k] = NOTHING
        elif v >= decisions.EXPLORE:
            far = hex_distance(g, v - decisions.EXPLORE, int(g.capital[p]))
            w.option_worth[k] = max(1, int(g.weights[p, weights.EXPLORING]) - far)
        elif may_hold_target(g, p, v) and list_targets_on(r, g, p, v) != 0:
            w.option_worth[k] = int(w.prey_now[v]) if weigh_prey(r, g, w, p, h, slot, slot, v) else 0
        else:
            w.option_worth[k] = stand_worth(r, g, w, p, first, second, v, armies_of(g, p, v)) // STANDING_SHARE


@jit
def army_target_worth(r, g, w, p, v):
    """Worth of attacking a piece (`decisions.ARMY_TARGET`) on the space asked about."""
    h = holder_of(r, g, p, names.MILITARY)
    s = int(w.ask_space)
    q = v % 8 if v % 8 != NOBODY else -1
    worth = piece_worth(r, g, p, s, v // 8, q)
    lead = lead_with_tokens(r, g, w, p, h, int(w.ask_slot), s, v // 8, q, worth)
    return promised(r, g, p, worth, lead, setback(r, g, p, s, q))


@jit
def choose_target(r, g, w, p, n):
    """Return the index of the piece on the space that the army attacks."""
    best = 0
    best_worth = NOTHING
    for k in range(n):
        worth = army_target_worth(r, g, w, p, int(w.option[k]))
        if worth > best_worth:
            best = k
            best_worth = worth
    return best


# --- the combat


@inline
def price(g, p, tokens):
    """Return what it costs seat `p` to spend so many trade tokens in a combat."""
    return tokens * int(g.weights[p, weights.TRADE_TOKEN]) * int(g.weights[p, weights.FIGHT_PRICE]) // 100


@jit
def option_of(w, n, value):
    """Return the index of the option of that value, the last one (PASS) if it is not there."""
    for k in range(n - 1):
        if w.option[k] == value:
            return k
    return n - 1


@jit
def resource_to_spend(g, w, p, n):
    """Return the index of the option to spend the resource the plan needs least (Jebel Barkal), PASS without one."""
    best = n - 1
    for k in range(n - 1):
        v = int(w.option[k]) - decisions.SPEND_RESOURCE
        if v >= 0 and (best == n - 1 or g.resources[p, v] > g.resources[p, w.option[best] - decisions.SPEND_RESOURCE]):
            best = k
    return best


@jit
def reroll_percent(r, w, short, tokens):
    """Return the chance, in percent, that another roll, with the trade tokens left after it, makes up for `short`."""
    needed = int(w.ask_die) + short - (tokens - 1)
    highest = int(r.dice) * int(r.die_sides)  # as if all totals were equally likely, as with one die
    return 100 * max(0, min(highest, highest + 1 - needed)) // highest


@jit
def fight_worth(r, g, w, p):
    """Worth to seat `p` of winning the combat."""
    s = int(w.ask_space)
    if w.ask_source != decisions.SOURCE_DEFENCE:
        return piece_worth(r, g, p, s, int(w.ask_target), int(w.ask_seat))
    if w.ask_target == state.TARGET_ARMY or w.ask_target == state.TARGET_CARAVAN:
        return int(g.weights[p, weights.FIGURE_BASE])
    return stake(r, g, p, s)


@jit
def still_short(r, g, w):
    """Return by how much the total of who is asked is too low to be sure of the combat: the defender answers the attacker."""
    ties = int(r.attacker_wins_ties)
    if w.ask_source == decisions.SOURCE_DEFENCE:
        return int(w.ask_attack) - int(w.ask_defence) + ties
    short = int(w.ask_defence) - int(w.ask_attack) + 1 - ties
    return short + military_tokens(r, g, int(w.ask_seat)) if w.ask_seat >= 0 else short


@jit
def choose_combat_spending(r, g, w, p, n):
    """Return the index of what is spent in a combat: what makes it sure, if it is worth that; else another roll."""
    short = still_short(r, g, w)
    worth = fight_worth(r, g, w, p)
    if short <= 0 or worth < g.weights[p, weights.FIGHT_WORTH]:
        return n - 1
    tokens = int(g.trade[p, w.ask_holder]) if w.ask_holder >= 0 else 0
    resources = 0
    for kind in range(names.N_RESOURCES if g.power[p, codes.COMBAT_PER_RESOURCE] != 0 else 0):
        resources += int(g.resources[p, kind]) * int(g.power[p, codes.COMBAT_PER_RESOURCE])
    if short <= tokens + resources and worth > price(g, p, short - resources):
        return resource_to_spend(g, w, p, n) if resources > 0 else option_of(w, n, decisions.SPEND_ONE)
    if worth * reroll_percent(r, w, short, tokens) // 100 > price(g, p, 1) and tokens > 0:
        return option_of(w, n, decisions.SPEND_REROLL)
    return n - 1
