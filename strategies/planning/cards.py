"""Choosing a focus card and moving caravans."""

from __future__ import annotations

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.abilities import is_forbidden
from ...simulator.engine.combat import (
    attack_bonus,
    attack_range,
    defence_bonus,
    ground_defence,
    may_be_attacked,
    number_of_attacks,
    queue_attack,
    target_of,
)
from ...simulator.engine.compile.jit import expansion, inline, jit
from ...simulator.engine.culture import token_difficulty
from ...simulator.engine.economy import caravan_steps, flood_caravan, mark_caravan, queue_start
from ...simulator.engine.industry import city_range, mark_city, may_build_city, may_hold_city, most_production, wonder_cost
from ...simulator.engine.map import flood, queue_friendly
from ...simulator.engine.pieces import face_up_end, has_drafted, holder_of
from ...simulator.engine.turn import slot_in_place
from ...simulator.rules import codes
from . import plan, weights
from .armies import nearest_exploration
from .expansion import ti_card_worth
from .plan import military_tokens, win_chance
from .worth import (
    base,
    city_worth,
    moment_worth,
    own_words_worth,
    reinforce_worth,
    sum_of_best,
    target_worth,
    token_worth,
    upgrade_worth,
    wonder_worth,
)

# --- What each focus card would bring now, and in the best slot; the choice of the turn's card

REACH_LAYER = 2  # layer of w.dist: a search


@jit
def list_token_worths(r, g, w, p):
    """List worth and difficulty of the spaces for a token next to own cities as `sum_of_best` reads them; return how many."""
    n = 0
    for s in range(g.n_spaces):
        w.mark[s] = 0
    for i in range(g.city_count[p]):
        for d in range(6):
            s = g.neighbour[g.cities[p, i], d]
            if s < 0 or w.mark[s] != 0 or g.terrain[s] == names.WATER or g.owner[s] >= 0:
                continue
            w.mark[s] = 1
            if g.barbarians[s] == 0 and g.city_state[s] < 0:
                w.space_worth[n] = token_worth(r, g, p, s)
                w.space_difficulty[n] = token_difficulty(r, g, p, s, codes.TOKEN_BY_CARD)
                n += 1
    return n


@jit
def science_worth(r, g, p, h, slot):
    """Worth of moving the dial by the slot number and the trade tokens on the card."""
    steps = slot + int(g.trade[p, h]) + int(g.power[p, codes.DIAL_SPACES])
    worth = steps * (g.weights[p, weights.DIAL_BASE] + int(g.notes[p, plan.NEED_DIAL]))
    card = g.card[p, h]
    worth += int(r.card_trade_first[card]) * g.weights[p, weights.TRADE_TOKEN]
    worth += int(r.card_resource_first[card]) * g.weights[p, weights.RESOURCE]
    levels = 0
    at = int(g.dial[p])
    for _ in range(steps):
        at = at + 1 if at < r.dial_last else int(r.dial_after_last)
        if r.dial_level[at] > 0:
            levels += 1
    fade = max(30, 100 - g.weights[p, weights.UPGRADE_FADE] * int(g.round_number))
    return worth + levels * base(g, p, weights.UPGRADE) * fade // 100


@jit
def arrival_worth(r, g, p, s):
    """Worth of a caravan's arrival at the city-state or rival city on the space (0: neither)."""
    cs = g.city_state[s]
    if cs >= 0:
        h = holder_of(r, g, p, r.city_state_type[cs])
        worth = int(g.notes[p, plan.NEED_ARRIVAL])
        if g.city_state_cards_left[cs] > 0 and g.city_state_cards[cs, p] == 0:
            worth += int(g.weights[p, weights.DIPLOMACY])
            worth += own_words_worth(r, g, p, r.city_state_first[cs], r.city_state_n[cs])
        if h >= 0:
            room = min(int(r.arrival_city_state_trade), int(r.max_trade) - int(g.trade[p, h]))
            worth += room * int(g.notes[p, plan.TYPE_WORTH + r.city_state_type[cs]])
        return worth + moment_worth(r, g, p, codes.ARRIVAL, state.TARGET_CITY_STATE, int(r.city_state_type[cs]), -1)
    q = int(g.owner[s])
    if q < 0 or q == p or g.piece[s] < names.CITY:
        return 0
    worth = int(r.arrival_city_trade) * g.weights[p, weights.TRADE_TOKEN] * g.weights[p, weights.ARRIVAL] // 100
    worth += int(g.notes[p, plan.NEED_ARRIVAL])
    worth += moment_worth(r, g, p, codes.ARRIVAL, state.TARGET_CAPITAL if s == g.capital[q] else state.TARGET_CITY, -1, -1)
    if s == g.capital[q] and g.diplomacy[q, names.EMBASSY] == p:
        worth += g.weights[p, weights.RESOURCE]
    for c in range(r.n_diplomacy):
        if g.diplomacy[q, c] == p:
            return worth
    return worth + g.weights[p, weights.DIPLOMACY]


@inline
def search_caravan(r, g, w, p, c, steps):
    """Count how far every space is for caravan `c` (layer REACH_LAYER) where `mark_caravan` lets it go; return how many
    ``w.queue`` lists within reach."""
    return flood_caravan(g, w, p, REACH_LAYER, queue_start(r, g, w, p, c), steps)


@jit
def economy_worth(r, g, w, p, h, slot, steps, moved):
    """Worth of moving caravans up to `steps`, without those done (bits of `moved`): arrivals, or at least a way.

    In the own turn caravans that came back to the card are done, too (B7.4).
    """
    worth = 0
    on_card = 0
    if is_forbidden(g, p, codes.FORBIDDEN_CARAVANS):
        return 0
    mark_caravan(r, g, w, p, g.card[p, h], slot)
    for c in range(names.MAX_CARAVANS):
        if g.caravan[p, c] < state.ON_CARD or moved >> c & 1 != 0 or (g.caravan_home[c] != 0 and p == g.current):
            continue
        if g.caravan[p, c] == state.ON_CARD:
            on_card += 1
            if on_card > 1:
                worth += g.weights[p, weights.CARAVAN_ON_THE_WAY]
                continue
        best = g.weights[p, weights.CARAVAN_ON_THE_WAY]
        for i in range(search_caravan(r, g, w, p, c, steps)):
            s = w.queue[i]
            if w.dist[REACH_LAYER, s] > 0 and (g.city_state[s] >= 0 or g.piece[s] >= names.CITY):
                best = max(best, arrival_worth(r, g, p, s))
        worth += best
    return worth


@jit
def best_city(r, g, w, p, card, slot):
    """Return the worth of the best city seat `p` could found with this industry card (0: none)."""
    if not may_build_city(g, p):
        return 0
    mark_city(r, g, w, p, card, slot)
    best = 0
    for i in range(flood(g, w, REACH_LAYER, queue_friendly(g, w, p, 0), city_range(r, g, p, card))):
        s = w.queue[i]
        if may_hold_city(r, g, p, s, slot):
            best = max(best, city_worth(r, g, p, s))
    return best


@jit
def best_wonder(r, g, p, h, slot, later):
    """Return the worth of the best world wonder seat `p` could pay with this slot (0: none).

    Notes (`plan.LATER`) the worth of the best one with the slot number `later`.
    """
    g.notes[p, plan.LATER] = 0
    room = 0
    for i in range(g.city_count[p]):
        if g.wonder_token[g.cities[p, i]] < 0:
            room = 1
    if room == 0 or is_forbidden(g, p, codes.FORBIDDEN_WONDERS):
        return 0
    best = 0
    then_best = 0
    gain = int(r.card_production[g.card[p, h], later]) - int(r.card_production[g.card[p, h], slot])
    for kind in range(names.N_TYPES):
        for k in range(g.deck_next[kind], face_up_end(r, g, kind)):
            wonder = int(g.deck[kind, k])
            worth = wonder_worth(r, g, p, wonder)
            if worth <= best and worth <= then_best:
                continue
            short = int(wonder_cost(r, g, p, wonder)) - int(most_production(r, g, p, h, slot, wonder))
            if short <= 0:
                best = max(best, worth)
            if short <= gain:
                then_best = max(then_best, worth)
    if r.drafted_wonders != 0:
        for wonder in range(r.n_wonders):
            if has_drafted(g, p, wonder):
                worth = int(wonder_worth(r, g, p, wonder))
                short = int(wonder_cost(r, g, p, wonder)) - int(most_production(r, g, p, h, slot, wonder))
                best = max(best, worth) if short <= 0 else best
                then_best = max(then_best, worth) if short <= gain else then_best
    g.notes[p, plan.LATER] = then_best
    return best


@jit
def attack_lead(r, g, w, p, card, slot, s, barbarian):
    """Return how far seat `p` is ahead of the defender of the space before both dice and any trade tokens."""
    target = target_of(g, s, barbarian)
    q = int(g.owner[s]) if target != state.TARGET_BARBARIAN and target != state.TARGET_CITY_STATE else -1
    lead = slot + int(attack_bonus(r, g, w, p, card, s, target, q)) - int(ground_defence(r, g, p, s, target))
    return lead - int(defence_bonus(r, g, w, q, s, p)) if q >= 0 else lead


@inline
def promise(r, g, p, h, s, barbarian, worth, lead):
    """Return what an attack of this worth promises: its worth times the chance, trade tokens counted on both sides."""
    if worth >= g.weights[p, weights.FIGHT_WORTH]:
        lead += int(g.trade[p, h])
    q = int(g.owner[s])
    if q >= 0 and barbarian == 0:
        lead -= military_tokens(r, g, q)
    return worth * win_chance(r, lead) // 100 * g.weights[p, weights.ATTACK_PERCENT] // 100


@jit
def attack_value(r, g, w, p, h, slot, s, barbarian):
    """Return what an attack on the space promises in the slot (`promise`)."""
    worth = target_worth(r, g, p, s)
    if worth <= 0:
        return 0
    return promise(r, g, p, h, s, barbarian, worth, attack_lead(r, g, w, p, g.card[p, h], slot, s, barbarian))


@jit
def list_enemies(r, g, w, p, reached):
    """List the spaces with something to attack among the `reached` ones of ``w.queue`` in ``w.enemy``; return how many."""
    anywhere = g.power[p, codes.ATTACK_ANYWHERE] != 0
    n = 0
    for i in range(g.n_spaces if anywhere else reached):
        s = i if anywhere else int(w.queue[i])
        if g.barbarians[s] != 0 or g.city_state[s] >= 0 or (g.owner[s] >= 0 and g.owner[s] != p):
            w.enemy[n] = s
            n += int(may_be_attacked(r, g, p, s, g.barbarians[s]))
    return n


@jit
def best_attacks(r, g, w, p, h, slot, later):
    """Return what the attacks of the military card promise together: its best targets, at most two of them counted.

    Notes (`plan.LATER`) what they promise with the slot number `later`.
    """
    card = g.card[p, h]
    reached = flood(g, w, REACH_LAYER, queue_attack(r, g, w, p, card), attack_range(r, g, p, card))
    first = second = then_first = then_second = 0
    for i in range(list_enemies(r, g, w, p, reached)):
        s = int(w.enemy[i])
        worth = target_worth(r, g, p, s)
        if worth <= 0:
            continue
        barbarian = 1 if g.barbarians[s] != 0 else 0
        lead = attack_lead(r, g, w, p, card, slot, s, barbarian)
        value = promise(r, g, p, h, s, barbarian, worth, lead)
        second = max(second, min(first, value))
        first = max(first, value)
        value = promise(r, g, p, h, s, barbarian, worth, lead + later - slot)
        then_second = max(then_second, min(then_first, value))
        then_first = max(then_first, value)
    if number_of_attacks(r, g, p, card) < 2:
        g.notes[p, plan.LATER] = then_first
        return first
    g.notes[p, plan.LATER] = then_first + max(then_second, then_first // 3)
    return first + max(second, first // 3)


@jit
def list_reinforcements(r, g, w, p):
    """List the worths of turning own control tokens as `sum_of_best` reads them; return how many."""
    n = 0
    for s in range(g.n_spaces):
        if g.owner[s] == p and g.piece[s] == names.TOKEN:
            w.space_worth[n] = reinforce_worth(r, g, p, s)
            w.space_difficulty[n] = 0
            n += 1
    return n


@jit
def culture_worth(r, g, w, p, h, slot, n):
    """Worth of the control tokens the card places; `n` spaces are listed by `list_token_worths`."""
    card = g.card[p, h]
    tokens = (
        int(r.card_tokens[card]) + int(r.card_border_tokens[card]) + int(g.power[p, codes.CULTURE_TOKENS]) + int(g.trade[p, h])
    )
    weakened = int(r.card_weaken[card]) * g.weights[p, weights.TOKEN_BASE]
    return sum_of_best(w, n, min(int(g.tokens_left[p]) + 1, tokens), slot) + weakened


@jit
def card_worth(r, g, w, p, h, slot, later):
    """Worth of resolving the card of holder `h` with this slot number.

    Notes (`plan.LATER`) its worth with the slot number `later`; a new city is as good from any slot, so that waiting can
    only bring a world wonder, and caravans can as well go now.
    """
    kind = int(r.card_type[g.card[p, h]])
    if r.box == names.TI_BOX and (kind == names.MILITARY or kind == names.GROWTH):
        return ti_card_worth(r, g, w, p, h, slot, later)
    if kind == names.CULTURE:
        n = list_token_worths(r, g, w, p)
        g.notes[p, plan.LATER] = culture_worth(r, g, w, p, h, later, n)
        return culture_worth(r, g, w, p, h, slot, n)
    if kind == names.SCIENCE:
        g.notes[p, plan.LATER] = science_worth(r, g, p, h, later)
        return science_worth(r, g, p, h, slot)
    if kind == names.INDUSTRY:
        return max(best_wonder(r, g, p, h, slot, later), best_city(r, g, w, p, g.card[p, h], slot))
    if kind == names.MILITARY:
        attacks = best_attacks(r, g, w, p, h, slot, later)
        n = list_reinforcements(r, g, w, p)
        g.notes[p, plan.LATER] = max(int(g.notes[p, plan.LATER]), sum_of_best(w, n, later, 0))
        return max(attacks, sum_of_best(w, n, slot, 0))
    g.notes[p, plan.LATER] = 0
    if kind != names.ECONOMY:
        return 0
    steps = caravan_steps(r, g, p, g.card[p, h]) + int(g.trade[p, h]) * int(r.trade_effect[names.ECONOMY])
    return economy_worth(r, g, w, p, h, slot, steps, 0)


@jit
def can_wait(r, g, p, h):
    """Does a better slot later matter to the card? Caravans and, without a target, soldiers can as well go now."""
    kind = int(r.card_type[g.card[p, h]])
    return kind != names.ECONOMY and (kind != names.MILITARY or g.notes[p, plan.WAR_TARGET] >= 0)


@jit
def card_gain(r, g, w, p, place):
    """Return what resolving the card in a place of the row brings at once; notes (`plan.LATER`) its worth in the best slot."""
    h = int(g.row[p, place])
    kind = int(r.card_type[g.card[p, h]])
    now = card_worth(r, g, w, p, h, slot_in_place(r, g, p, place), int(r.slot_number[r.slots - 1]))
    return now + moment_worth(r, g, p, codes.CARD_RESOLVED, 0, kind, -1) + moment_worth(r, g, p, codes.CARD_RESET, 0, kind, -1)


@jit
def score_of_gain(r, g, p, place, now):
    """Return the score of the card in a place of the row that brings this now; `card_gain` has noted what it brings later."""
    h = int(g.row[p, place])
    kind = int(r.card_type[g.card[p, h]])
    later = int(g.notes[p, plan.LATER]) if can_wait(r, g, p, h) else 0
    timing = weights.PLAY + kind * weights.ROW_PLACES + min(int(r.slot_number[place]), weights.ROW_PLACES) - 1
    score = now + place * g.weights[p, weights.ADVANCE] + g.weights[p, timing]
    return score - max(0, later - now) * g.weights[p, weights.WAIT_PERCENT] // 100


@jit
def card_score(r, g, w, p, place):
    """Score resolving the card in a place of the row now: its worth, less what waiting for the best slot would add."""
    return score_of_gain(r, g, p, place, int(card_gain(r, g, w, p, place)))


@jit
def choose_card(r, g, w, p, n):
    """Return the index of the card to resolve this turn; the options are places of the row."""
    best = 0
    best_score = -(1 << 30)
    for k in range(n):
        score = card_score(r, g, w, p, int(w.option[k]))
        if score > best_score:
            best = k
            best_score = score
    return best


@jit
def choose_upgrade(r, g, w, p, n):
    """Return the index of the best new focus card, or of PASS if none is better than the old one (B6.2)."""
    best = n - 1
    best_worth = 0
    for k in range(n - 1):
        worth = upgrade_worth(r, g, p, int(w.option[k]) // 8, int(w.option[k]) % 8)
        if worth > best_worth:
            best = k
            best_worth = worth
    return best


# --- Where the planner's caravans go


@jit
def search_from_targets(r, g, w, p):
    """Count how far every space is, for a caravan, from the nearest city-state or rival city that is worth a visit."""
    h = holder_of(r, g, p, names.ECONOMY)
    mark_caravan(r, g, w, p, g.card[p, h], int(r.slot_number[r.slots - 1]))
    n = 0
    for s in range(g.n_spaces):
        if (g.city_state[s] >= 0 or g.piece[s] >= names.CITY) and w.mark[s] != 0 and arrival_worth(r, g, p, s) > 0:
            w.queue[n] = s
            n += 1
    flood(g, w, REACH_LAYER, n, g.n_spaces)


@jit
def nearest_to_visit(r, g, w, p, spaces):
    """Return which of the first `spaces` options, all of them spaces, is nearest to an arrival; -1 if none can be reached."""
    search_from_targets(r, g, w, p)
    best = -1
    nearest = g.n_spaces
    for k in range(spaces):
        far = w.dist[REACH_LAYER, w.option[k]]
        if 0 <= far < nearest:
            best = k
            nearest = far
    return best


@jit
def choose_destination(r, g, w, p, n):
    """Return the index of the space a caravan goes to: the best arrival, else the space nearest to one."""
    best = n - 1
    best_worth = 0
    for k in range(n - 1):
        worth = arrival_worth(r, g, p, w.option[k])
        if worth > best_worth:
            best = k
            best_worth = worth
    if best_worth == 0:
        best = nearest_to_visit(r, g, w, p, n - 1)
    return best if best >= 0 else n - 1


@inline
def spaces_before(w, n):
    """Return how many of the `n` options of a caravan are spaces; those to explore from come after them (T7.1)."""
    while n > 0 and w.option[n - 1] >= decisions.EXPLORE:
        n -= 1
    return n


@expansion
def choose_caravan_space(r, g, w, p, n) -> int:
    """Return the index of where a caravan goes: the best arrival or exploring, else towards the nearest arrival."""
    best = nearest_exploration(r, g, w, p, n)
    best_worth = int(g.weights[p, weights.EXPLORING]) if best >= 0 else 0
    spaces = spaces_before(w, n - 1)
    for k in range(spaces):
        worth = arrival_worth(r, g, p, w.option[k])
        if worth > best_worth:
            best = k
            best_worth = worth
    if best < 0:
        best = nearest_to_visit(r, g, w, p, spaces)
    return best if best >= 0 else n - 1
