"""Economy cards (B7): caravans, their moves and arrivals."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import happen, is_forbidden, may_count_through
from .choosing import EXPLORER_CARAVAN, LOG_ARRIVAL, LOG_CARAVAN, choose, log
from .combat import conquer_city_state
from .compile.jit import expansion, inline, jit
from .culture import no_slot
from .diplomacy import take_city_state_card, take_player_card
from .exploring import explore, lay_water_token, may_explore
from .industry import found_city, may_build_city, may_hold_city
from .map import (
    BLOCKED,
    END_ONLY,
    PASSABLE,
    close_forts,
    flood,
    flood_over_edge,
    flood_through_anything,
    ground_difficulty,
    is_city,
)
from .pieces import beat_barbarian, caravan_comes_home, caravan_to_card, is_mature
from .science import learn_from
from .trade import ask_spend, gain_resource, gain_trade, pay_resource, take_resource
from .winning import settle


@inline
def caravan_steps(r, g, p, card):
    """Return the steps of each caravan of seat `p` with this card."""
    return int(r.card_move[card]) + int(g.power[p, codes.CARAVAN_STEPS])


@jit
def mark_caravan(r, g, w, p, card, slot):
    """Mark the spaces that a caravan of seat `p` may enter (B7.3): not water, difficulty above the slot or barbarians, unless
    the card says so."""
    passable = 0  # bits by next to water, terrain
    water = r.card_water[card] != 0 or may_count_through(g, p, codes.THROUGH_CARAVAN_WATER)
    for coastal in range(2):
        for t in range(names.N_TERRAINS):
            through = ground_difficulty(r, g, p, codes.MOVE_CARAVAN, t, coastal) <= slot and (t != names.WATER or water)
            passable |= int(through) << (coastal * names.N_TERRAINS + t)
    enter = r.card_enter_barbarian[card] != 0 or may_count_through(g, p, codes.THROUGH_CARAVAN_BARBARIANS)
    barbarian = END_ONLY if enter else BLOCKED
    for s in range(g.n_spaces):
        barbarians = g.barbarians[s]
        mark = (passable >> (int(g.coastal[s]) * names.N_TERRAINS + int(g.terrain[s]))) & 1
        w.mark[s] = barbarian if barbarians != 0 and mark == PASSABLE else mark
    if enter and r.currency_kept_out != 0:
        for s in range(g.n_spaces):
            if g.barbarians[s] != 0 and g.city_state[s] >= 0:  # B7.6
                w.mark[s] = BLOCKED
    if slot < r.fort_enter_slot:
        close_forts(g, w)


@jit
def queue_start(r, g, w, p, c):
    """Put the spaces caravan `c` sets out from into ``w.queue`` (B7.2); return how many."""
    if g.caravan[p, c] >= 0:
        w.queue[0] = g.caravan[p, c]
        return 1
    n = 0
    for i in range(g.city_count[p]):
        s = g.cities[p, i]
        if s == g.capital[p] or g.power[p, codes.CARAVANS_FROM_ANY_CITY] != 0 or is_mature(r, g, p, s):
            w.queue[n] = s
            n += 1
    return n


@inline
def flood_caravan(g, w, p, layer, n, steps):
    """Count the distances for a caravan of seat `p` from the `n` spaces in ``w.queue`` (Indonesia: edge waters are linked)."""
    if g.power[p, codes.EDGE_WATER_LINKED] != 0:
        return flood_over_edge(g, w, layer, n, steps)
    return flood(g, w, layer, n, steps)


@inline
def may_stop(r, g, s):
    """May a caravan end its move on the space (B7.3, B7.4)? Also on a barbarian, which it removes."""
    return not (g.city_state[s] >= 0 or is_city(g, s)) or g.arrived[s] < r.caravans_per_target


@jit
def list_destinations(r, g, w, p, c, card, slot, steps):
    """List the spaces caravan `c` can reach with `steps`; return how many. ``w.dist[0]`` holds the distances."""
    mark_caravan(r, g, w, p, card, slot)
    flood_caravan(g, w, p, 0, queue_start(r, g, w, p, c), steps)
    n = 0
    for s in range(g.n_spaces):
        if w.dist[0, s] > 0 and may_stop(r, g, s):
            w.option[n] = s
            n += 1
    return n


@jit
def conquer_visited(r, g, w, bots, p, s):
    """Orszaghaz: the city-state just visited may be conquered (B10.1), without an attack."""
    w.option[0] = 0
    w.option[1] = 1
    w.ask_space = s
    if choose(r, g, w, bots, p, decisions.CONQUER_VISITED, 2) == 1:
        conquer_city_state(r, g, w, bots, p, s)
        settle(r, g, w, bots)


@jit
def arrive_at_city_state(r, g, w, bots, p, c, s, cs):
    """B7.5: two trade tokens on the card of the city-state's type, and perhaps its diplomacy card."""
    g.stat_arrivals[p, 0] += 1
    log(w, LOG_ARRIVAL, p, c, s, cs, -1, 0)
    gain_trade(r, g, w, bots, p, r.city_state_type[cs], r.arrival_city_state_trade, decisions.SOURCE_ARRIVAL)
    for _ in range(r.arrival_diplomacy):
        take_city_state_card(r, g, w, bots, p, cs)
    settle(r, g, w, bots)
    happen(r, g, w, bots, p, codes.ARRIVAL, state.TARGET_CITY_STATE, int(r.city_state_type[cs]), s,
           codes.CITY_STATE_GIVER + cs)  # fmt: skip
    if g.power[p, codes.CONQUERS_VISITED] != 0 and g.city_state[s] >= 0:
        conquer_visited(r, g, w, bots, p, s)


@jit
def arrive_at_city(r, g, w, bots, p, c, s, q):
    """B7.5: two trade tokens on any cards, perhaps a diplomacy card of the rival; then Embassy in the giver's capital."""
    g.stat_arrivals[p, 1] += 1
    log(w, LOG_ARRIVAL, p, c, s, -1, q, 0)
    gain_trade(r, g, w, bots, p, -1, r.arrival_city_trade, decisions.SOURCE_ARRIVAL)
    for _ in range(r.arrival_diplomacy):
        take_player_card(r, g, w, bots, p, q)
    happen(r, g, w, bots, p, codes.ARRIVAL, state.TARGET_CAPITAL if s == g.capital[q] else state.TARGET_CITY, -1, s, q)
    if g.power[p, codes.LEARNS_FROM_VISITED] != 0:
        learn_from(r, g, w, bots, p, q)


@jit
def remove_barbarian(r, g, w, bots, p, s):
    """Currency: a caravan that enters a barbarian's space removes it, without the trade token (B9.9)."""
    beat_barbarian(g, w, p, s)
    if r.currency_counts_as_defeat != 0:
        happen(r, g, w, bots, p, codes.BARBARIAN_DEFEATED, 0, -1, s, -1)


@jit
def build_near(r, g, w, bots, p, card, s):
    """Cartography, once a turn: a city on a legal space of any terrain (T11.2) near the rival city on the space `s`, if that is
    far enough from the own capital."""
    distance = r.card_arrival_city_distance[card]
    flood_through_anything(g, w, 0, int(g.capital[p]), distance - 1)
    if w.dist[0, s] >= 0 or not may_build_city(g, p) or g.used_this_turn[codes.USED_ARRIVAL_CITY] != 0:
        return
    flood_through_anything(g, w, 0, s, r.card_arrival_city_range[card])
    n = 0
    for t in range(g.n_spaces):
        if w.dist[0, t] >= 0 and may_hold_city(r, g, p, t, no_slot(r)):
            w.option[n] = t
            n += 1
    w.option[n] = decisions.PASS
    w.ask_source = decisions.SOURCE_UNIQUE
    w.ask_space = s
    t = choose(r, g, w, bots, p, decisions.CITY_SPACE, n + 1)
    if t != decisions.PASS:
        g.used_this_turn[codes.USED_ARRIVAL_CITY] = 1
        found_city(r, g, w, bots, p, -1, 0, 0, t)


@expansion
def reward_arrival(r, g, w, bots, p, card, s, q) -> None:
    """Carry out what a unique card adds to an arrival at the space of seat `q` (-1: a city-state): resources (Wheel, Banking),
    a city (Cartography)."""
    where = int(r.card_arrival_where[card])
    pays = where & (codes.ARRIVAL_CITY_STATE if q < 0 else codes.ARRIVAL_RIVAL_CITY) != 0
    if q >= 0 and where & codes.ARRIVAL_IBRAHIM != 0:
        pays = s == g.capital[q] and g.given_card[p] == q
    if not pays:
        return
    for _ in range(r.card_arrival_resources[card]):
        gain_resource(r, g, w, bots, p, 0, decisions.SOURCE_UNIQUE)
    if r.card_arrival_city[card] > 0:
        build_near(r, g, w, bots, p, card, s)


@jit
def enter(r, g, w, bots, p, c, s, card):
    """Put the caravan on the space and resolve its arrival or the barbarian there; return 1 if it may go on."""
    log(w, LOG_CARAVAN, p, c, g.caravan[p, c], s, 0, 0)
    caravan_to_card(g, p, c)
    beaten = g.barbarians[s] != 0
    if beaten:
        remove_barbarian(r, g, w, bots, p, s)
    cs = g.city_state[s]
    q = g.owner[s]
    if cs >= 0 or (is_city(g, s) and q != p):
        caravan_comes_home(g, p, c)
        g.arrived[s] += 1
        if cs >= 0:
            arrive_at_city_state(r, g, w, bots, p, c, s, cs)
        else:
            arrive_at_city(r, g, w, bots, p, c, s, q)
        if r.box == names.TI_BOX:
            reward_arrival(r, g, w, bots, p, card, s, -1 if cs >= 0 else q)
        settle(r, g, w, bots)
        return 0
    g.caravan[p, c] = s
    g.caravans[s] += 1
    settle(r, g, w, bots)
    return 1 if beaten and r.currency_ends_move == 0 else 0


@inline
def may_stand(r, g, p, c, s):
    """May caravan `c` of seat `p` stand on the space amid its move? Arriving at a city-state or rival city would end it."""
    if g.caravan[p, c] == s:
        return True
    return g.city_state[s] < 0 and not (is_city(g, s) and g.owner[s] != p) and g.barbarians[s] == 0 and may_stop(r, g, s)


@jit
def caravan_goes_on(r, g, w, p, s, left):
    """Can a caravan of seat `p` pass the space, by what ``w.mark`` says, and arrive or stay somewhere with the steps left?"""
    if w.mark[s] != PASSABLE:
        return False
    if may_stop(r, g, s):
        return True
    w.queue[0] = s
    flood_caravan(g, w, p, 1, 1, left)
    for t in range(g.n_spaces):
        if w.dist[1, t] > 0 and may_stop(r, g, t):
            return True
    return False


@expansion
def list_explorations(r, g, w, p, c, n, left) -> int:
    """Append to the `n` destinations, as EXPLORE + space, the spaces that caravan `c` can reach and explore from with `left`
    steps (T7.1); return how many options there are. ``w.dist[0]`` holds the distances.

    It has to be able to stay there, unless a ruling lets it explore in passing; then it has to arrive or go on.
    """
    if g.caravan_explored[c] != 0:
        return n
    for s in range(g.n_spaces):
        far = w.dist[0, s]
        after = left - int(far) - int(r.explore_price)
        if far < 0 or after < 0 or not may_explore(r, g, p, s):
            continue
        if may_stand(r, g, p, c, s) or (r.explores_in_passing != 0 and caravan_goes_on(r, g, w, p, s, after)):
            w.option[n] = decisions.EXPLORE + s
            n += 1
    return n


@expansion
def pass_by(g, w, p, c, s) -> None:
    """Put the caravan on a space that it only passes: it does not arrive there."""
    log(w, LOG_CARAVAN, p, c, g.caravan[p, c], s, 0, 0)
    caravan_to_card(g, p, c)
    g.caravan[p, c] = s
    g.caravans[s] += 1


@expansion
def explore_with_caravan(r, g, w, bots, p, c, card, s) -> None:
    """Caravan `c`, which stands on the space, explores (T7.1), with Shipbuilding after a water token."""
    g.caravan_explored[c] = 1
    if g.water_laid < r.card_water_token[card]:
        g.water_laid += lay_water_token(r, g, w, bots, p, s)
    explore(r, g, w, bots, p, s, EXPLORER_CARAVAN + c)


@jit
def ask_steps(r, g, w, bots, p, h, slot, c, left, moved):
    """Let seat `p` spend trade tokens for more steps of every caravan that is not done (B7.2); return how many steps.

    `c`: the caravan that is moving, with the steps `left`, or -1; `moved`: bits of those that are done.
    """
    w.ask_slot = slot
    w.ask_left = left
    w.ask_moved = moved
    w.ask_caravan = c
    more = int(ask_spend(r, g, w, bots, p, h, decisions.SOURCE_ECONOMY) * r.trade_effect[names.ECONOMY])
    g.caravan_steps += more
    settle(r, g, w, bots)
    return more


@jit
def move_caravan(r, g, w, bots, p, h, slot, c, bonus, moved):
    """Move one caravan up to the card's steps and, with Colossus, up to `bonus` steps more; return the bonus steps used.

    In Terra Incognita it may explore on its way, once a turn, for a step. Before each further choice on its way, trade tokens
    may be spent (B7.2). `moved`: bits of the caravans that are done.
    """
    card = g.card[p, h]
    left = int(g.caravan_steps) + bonus
    went = passing = False
    while True:
        n = list_destinations(r, g, w, p, c, card, slot, left)
        if r.box == names.TI_BOX:
            n = list_explorations(r, g, w, p, c, n, left)
        if n == 0 and not passing:
            break
        if not passing:
            w.option[n] = decisions.PASS
            n += 1
        elif may_stop(r, g, g.caravan[p, c]):
            w.option[n] = g.caravan[p, c]
            n += 1
        w.ask_slot = slot
        w.ask_left = left
        w.ask_space = c
        w.ask_source = decisions.SOURCE_ECONOMY
        s = choose(r, g, w, bots, p, decisions.CARAVAN_TO, n)
        if s == decisions.PASS:
            break
        mark_caravan(r, g, w, p, card, slot)
        flood_caravan(g, w, p, 0, queue_start(r, g, w, p, c), left)
        explores = s >= decisions.EXPLORE
        if explores:
            s -= decisions.EXPLORE
        left -= w.dist[0, s]
        if explores and not may_stand(r, g, p, c, s):
            went = passing = True
            pass_by(g, w, p, c, s)
        elif passing or g.caravan[p, c] != s:
            went = True
            passing = False
            if enter(r, g, w, bots, p, c, s, card) == 0 and not explores:
                break
        if explores:
            left -= int(r.explore_price)
            explore_with_caravan(r, g, w, bots, p, c, card, s)
        left += ask_steps(r, g, w, bots, p, h, slot, c, left, moved)
    s = g.caravan[p, c]
    if went and s >= 0 and is_city(g, s):
        g.arrived[s] += 1
    return max(0, bonus - left)


@jit
def list_caravans(g, w, p, moved):
    """List the caravans of seat `p` that may still move, of those on the card one.

    Those in the bits of `moved` have moved by this card; one that came back to its card this turn stays there (B7.4).
    """
    n = 0
    on_card = False
    if is_forbidden(g, p, codes.FORBIDDEN_CARAVANS):
        return 0
    for c in range(names.MAX_CARAVANS):
        if moved >> c & 1 != 0 or g.caravan[p, c] < state.ON_CARD or g.caravan_home[c] != 0:
            continue
        if g.caravan[p, c] == state.ON_CARD:
            if on_card:
                continue
            on_card = True
        w.option[n] = c
        n += 1
    return n


@jit
def next_caravan(r, g, w, bots, p, slot, moved):
    """Let seat `p` choose which caravan moves next."""
    n = list_caravans(g, w, p, moved)
    w.option[n] = decisions.PASS
    w.ask_slot = slot
    w.ask_left = g.caravan_steps
    w.ask_source = decisions.SOURCE_ECONOMY
    w.ask_space = -1
    return choose(r, g, w, bots, p, decisions.CARAVAN, n + 1)


@jit
def swap_resource(r, g, w, bots, p):
    """Steam Power: one held resource may be swapped for any other in the supply."""
    n = 0
    for give in range(names.N_RESOURCES):
        for take in range(names.N_RESOURCES):
            if give != take and g.resources[p, give] > 0 and g.supply[take] > 0:
                w.option[n] = give * 8 + take
                n += 1
    w.option[n] = decisions.PASS
    w.ask_source = decisions.SOURCE_STEAM
    picked = choose(r, g, w, bots, p, decisions.SWAP_RESOURCE, n + 1)
    if picked != decisions.PASS:
        pay_resource(g, w, p, picked // 8)
        take_resource(g, w, p, picked % 8)


@jit
def resolve_economy(r, g, w, bots, p, h, slot):
    """B7: every caravan may move once; a trade token adds steps to all that are not done when it is spent."""
    card = g.card[p, h]
    g.caravan_steps = caravan_steps(r, g, p, card)
    bonus = int(g.power[p, codes.SHARED_CARAVAN_STEPS])
    moved = 0
    g.water_laid = 0
    while list_caravans(g, w, p, moved) > 0:
        ask_steps(r, g, w, bots, p, h, slot, -1, int(g.caravan_steps), moved)
        c = next_caravan(r, g, w, bots, p, slot, moved)
        if c == decisions.PASS:
            break
        bonus -= move_caravan(r, g, w, bots, p, h, slot, c, bonus, moved)
        moved |= 1 << c
    for _ in range(r.card_swap_resources[card]):
        swap_resource(r, g, w, bots, p)
