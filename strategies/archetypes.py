"""Strategies that lean towards one way to win, on top of the planner; and the simplest ones, random play and scripts for
tests.
"""

from __future__ import annotations

from ..simulator import names
from ..simulator.engine import decisions, state
from ..simulator.engine.armies import mark_army, queue_army
from ..simulator.engine.choosing import below_bits
from ..simulator.engine.combat import attack_range, may_be_attacked, queue_attack
from ..simulator.engine.compile.jit import jit, strategy
from ..simulator.engine.counts import districts_on_map, metric
from ..simulator.engine.economy import caravan_steps, mark_caravan
from ..simulator.engine.industry import is_wonder_option
from ..simulator.engine.map import flood, is_fort
from ..simulator.engine.turn import slot_in_place
from .planning import plan, weights
from .planning.armies import MARCH_LAYER, lead_against, nearest_exploration
from .planning.cards import REACH_LAYER, arrival_worth, attack_lead, best_city, best_wonder, choose_upgrade, search_caravan
from .planning.expansion import best_district
from .planning.plan import military_tokens, progress, win_chance
from .planning.planner import choose_planner, industry_worth, plan_is_old
from .planning.worth import target_worth

# --- The simplest strategies
#
# Random play, and scripted play for tests.


@strategy
def choose_random(r, g, w, seat, kind, n, u):
    """Pick any legal option with equal chance: tests the engine, and is the weakest on the ladder."""
    return below_bits(u, n)


@strategy
def choose_scripted(r, g, w, seat, kind, n, u):
    """Follow the script in `w.script`: pairs of decision kind and option value.

    An entry is used when its kind is asked and its value is offered. Any other question is answered with the last option,
    PASS where passing is possible. Tests check that `w.script_pos` reached the end.
    """
    if w.script_pos < w.script_n and w.script[w.script_pos, 0] == kind:
        value = w.script[w.script_pos, 1]
        for k in range(n):
            if w.option[k] == value:
                w.script_pos += 1
                return k
    return n - 1


@strategy
def observe_options(r, g, w, seat, kind, n, u):
    """Observer (`seat_strategies`): record the questions in `w.asked` and `w.asked_options`, for tests."""
    if w.asked_n < state.MAX_ASKED and w.asked_options_n + n <= state.MAX_ASKED * 16:
        w.asked[w.asked_n, 0] = kind
        w.asked[w.asked_n, 1] = seat
        w.asked[w.asked_n, 2] = n
        w.asked[w.asked_n, 3] = w.asked_options_n
        w.asked_n += 1
        for i in range(n):
            w.asked_options[w.asked_options_n] = w.option[i]
            w.asked_options_n += 1
    return 0


# --- Strategies that prefer one way to win, on top of the planner

# --- What the archetypes share
#
# An archetype is the planner with a taste: its profile holds the weights of it, its function takes the decisions for which it
# has a rule of its own and leaves the others to the planner.

LONG_GAME = 30  # rounds


@jit
def fresh_plan(r, g, w, p, kind):
    """Make the plan of the turn if it is old, not while the map is laid; return whether it was old."""
    if kind == decisions.PLACE_TILE or kind == decisions.LAY_TILE or not plan_is_old(g, p):
        return False
    plan.make_plan(r, g, w, p)
    return True


@jit
def is_urgent(r, g):
    """Is a player one victory card from the win, or the game long? Then tastes do not count."""
    if g.round_number > LONG_GAME:
        return True
    for q in range(g.players):
        if g.victory_count - progress(r, g, q) <= 1:
            return True
    return False


@jit
def drop_tastes(g, p):
    """Count only what the plan needs for the rest of the turn, and no tastes."""
    g.notes[p, plan.BASE_PERCENT] = 0


@jit
def still_wanted(r, g, p, what, kind):
    """Is an agenda that counts `what` (names.METRICS, of a focus type or -1) in play, not claimed and not yet satisfied?"""
    for i in range(g.victory_count):
        card = int(g.victory_card[i])
        for a in range(2):
            if g.claimed[p, i] != 0 or r.agenda_metric[card, a] != what:
                continue
            if metric(r, g, p, what, kind) < r.agenda_target[card, a]:
                return True
    return False


@jit
def option_of_type(r, g, w, p, n, kind):
    """Return the index of the option whose place of the row holds a card of the focus type; -1 if there is none."""
    for k in range(n):
        if r.card_type[g.card[p, g.row[p, w.option[k]]]] == kind:
            return k
    return -1


# --- Builder

OPENING_CITIES = 2


@jit
def building_card(r, g, w, p, n):
    """Return the index of the industry card if it pays for a wonder worth building now; -1 if it does not."""
    k = option_of_type(r, g, w, p, n, names.INDUSTRY)
    if k < 0:
        return -1
    place = int(w.option[k])
    slot = slot_in_place(r, g, p, place)
    return k if best_wonder(r, g, p, int(g.row[p, place]), slot, slot) > 0 else -1


@jit
def wonder_to_build(r, g, w, p, n):
    """Return the index of the wonder of the highest worth; -1 if none is worth anything."""
    best = -1
    best_worth = 0
    for k in range(n):
        v = int(w.option[k])
        if is_wonder_option(v):
            worth = industry_worth(r, g, w, p, v)
            if worth > best_worth:
                best = k
                best_worth = worth
    return best


@strategy
def choose_builder(r, g, w, seat, kind, n, u):
    """The builder: world wonders, early and many.

    Opening: a second city as a home for the second wonder, trade tokens onto the industry card, resources rather than land;
    then the first wonder it can pay for.

    Priorities: the industry card is for wonders. It is resolved as soon as it pays for one that is worth it, and builds a
    city only when no wonder can be paid, or no city has room for one. Resources and trade tokens are gathered for wonders
    whatever their type, and the wonder agendas are preferred to the others.

    It changes its mind when a player is one victory card from the win or the game drags on: a wonder that serves none of
    the victory cards it lacks is then worth nothing to it.
    """
    if fresh_plan(r, g, w, seat, kind) and is_urgent(r, g):
        drop_tastes(g, seat)
    k = -1
    if g.city_count[seat] >= OPENING_CITIES:
        if kind == decisions.CARD:
            k = building_card(r, g, w, seat, n)
        elif kind == decisions.INDUSTRY:
            k = wonder_to_build(r, g, w, seat, n)
    return k if k >= 0 else choose_planner(r, g, w, seat, kind, n, u)


# --- Castellan

FAIR_CHANCE = 28  # percent
FORTS_WANTED = 3
TASTE_PERCENT = 60  # of what a fort is worth to one who needs it


@jit
def fort_in_reach(r, g, w, p, h, slot):
    """Does an army of seat `p` reach a fort that nobody controls and that it beats with a fair chance?"""
    card = int(g.card[p, h])
    for a in range(names.MAX_ARMIES):
        if g.army[p, a] < state.ON_CARD:
            continue
        mark_army(r, g, w, p, card, slot)
        flood(g, w, MARCH_LAYER, queue_army(r, g, w, p, a), int(r.card_army_move[card]))
        for s in range(g.n_spaces):
            if w.dist[MARCH_LAYER, s] <= 0 or not is_fort(g, s) or g.owner[s] >= 0:
                continue
            lead = lead_against(r, g, w, p, h, slot, s, state.TARGET_FORT, -1) + int(g.trade[p, h])
            if win_chance(r, lead) >= FAIR_CHANCE:
                return True
    return False


@strategy
def choose_castellan(r, g, w, seat, kind, n, u):
    """The castellan (Terra Incognita only): forts, taken early and held.

    Opening: the military card as soon as an army reaches a fort with a fair chance, until it controls three; the first
    cities towards the nearest fort.

    Priorities: forts that nobody controls before those of rivals; armies march on to the next fort, and stand guard on the
    one that decides the round; tokens beside forts are reinforced, trade tokens go to the military card; the fort of a
    rival who is about to win is attacked at any odds.

    It changes its mind when it controls three forts, a player is one victory card from the win or the game drags on:
    another fort is then worth what the plan says, and those it has are guarded all the same.
    """
    wants = metric(r, g, seat, names.METRIC_FORTS, -1) < FORTS_WANTED
    if fresh_plan(r, g, w, seat, kind):
        if is_urgent(r, g):
            drop_tastes(g, seat)
        elif wants:
            g.notes[seat, plan.NEED_FORT] += g.weights[seat, weights.FORT_TURNS] * TASTE_PERCENT // 100
    if kind == decisions.CARD and wants and g.cities_left[seat] > 0 and not is_urgent(r, g):
        k = option_of_type(r, g, w, seat, n, names.MILITARY)
        if k >= 0:
            place = int(w.option[k])
            if fort_in_reach(r, g, w, seat, int(g.row[seat, place]), slot_in_place(r, g, seat, place)):
                return k
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Expander

EXPANDER_OPENING_CITIES = 4


@jit
def founding_card(r, g, w, p, n):
    """Return the index of the industry card if it founds a city now; -1 if it does not."""
    k = option_of_type(r, g, w, p, n, names.INDUSTRY)
    if k < 0:
        return -1
    place = int(w.option[k])
    slot = slot_in_place(r, g, p, place)
    return k if best_city(r, g, w, p, g.card[p, g.row[p, place]], slot) > 0 else -1


@strategy
def choose_expander(r, g, w, seat, kind, n, u):
    """The expander: as many cities as the land holds, and control tokens all around them.

    Opening: industry from whatever slot as soon as a city can be founded, until it has four cities; culture in between.

    Priorities: sites with room, then the tokens that make cities mature (mature cities earn trade tokens and start
    caravans); Civilized and Populous rather than the other agendas of their cards; few world wonders, few fights.

    It changes its mind when a player is one victory card from the win or the game drags on: from then on it only does what
    brings the victory cards it still lacks nearest, and a city is worth no more than its agenda.
    """
    if fresh_plan(r, g, w, seat, kind) and is_urgent(r, g):
        drop_tastes(g, seat)
    if kind == decisions.CARD and g.city_count[seat] < EXPANDER_OPENING_CITIES:
        k = founding_card(r, g, w, seat, n)
        if k >= 0:
            return k
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Explorer

OPENING_PLACE = 2  # places left of it are too weak a slot for culture
OPENING_COAST = 7  # spaces
ENOUGH_COAST = 12  # spaces, when no agenda asks for more
EXPLORER_TASTE_PERCENT = 60  # of what a coastal space is worth to one who needs it


@strategy
def choose_explorer(r, g, w, seat, kind, n, u):
    """The explorer: spaces by the water and at the edge of the map.

    Opening: culture from the third slot on, until it holds seven such spaces; cities on the coast.

    Priorities: control tokens on coast and edge, whether or not Explorer is in play, rather than anywhere else; new cities
    where such spaces are near; Explorer rather than Aesthetic. It cares little for inland spaces and for mature cities.

    It changes its mind when it holds all the coast it wanted, or a player is one victory card from the win, or the game
    drags on: a space is then worth what the plan says, by the water or not.
    """
    if fresh_plan(r, g, w, seat, kind):
        if is_urgent(r, g):
            drop_tastes(g, seat)
        elif g.coast_count[seat] < ENOUGH_COAST or still_wanted(r, g, seat, names.METRIC_COAST, -1):
            g.notes[seat, plan.NEED_COAST] += g.weights[seat, weights.COAST_TURNS] * EXPLORER_TASTE_PERCENT // 100
    if kind == decisions.CARD and g.coast_count[seat] < OPENING_COAST:
        k = option_of_type(r, g, w, seat, n, names.CULTURE)
        if k >= 0 and w.option[k] >= OPENING_PLACE:
            return k
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Merchant

LATER_PLACE = 2  # places left of it are too weak a slot for economy, unless it brings a new diplomacy card


@jit
def brings_card(r, g, p, s):
    """Does a caravan that arrives on the space bring a first diplomacy card of its owner home?"""
    cs = g.city_state[s]
    if cs >= 0:
        return g.city_state_cards_left[cs] > 0 and g.city_state_cards[cs, p] == 0
    for c in range(r.n_diplomacy):
        if g.diplomacy[g.owner[s], c] == p:
            return False
    return True


@jit
def can_arrive(r, g, w, p, place):
    """Can a caravan arrive this turn with the economy card in this place: with a new diplomacy card, from any slot?"""
    h = int(g.row[p, place])
    steps = caravan_steps(r, g, p, g.card[p, h]) + int(g.trade[p, h]) * int(r.trade_effect[names.ECONOMY])
    mark_caravan(r, g, w, p, g.card[p, h], slot_in_place(r, g, p, place))
    for c in range(names.MAX_CARAVANS):
        if g.caravan[p, c] < state.ON_CARD:
            continue
        search_caravan(r, g, w, p, c, steps)
        for s in range(g.n_spaces):
            goal = g.city_state[s] >= 0 or (g.piece[s] >= names.CITY and g.owner[s] != p)
            if not goal or w.dist[REACH_LAYER, s] <= 0 or arrival_worth(r, g, p, s) <= 0:
                continue
            if place >= LATER_PLACE or brings_card(r, g, p, s):
                return True
    return False


@strategy
def choose_merchant(r, g, w, seat, kind, n, u):
    """The merchant: caravans to city-states and rival cities, trade tokens, diplomacy cards.

    Opening: economy from whatever slot as soon as a caravan can reach somebody of whom it has no diplomacy card yet.

    Priorities: economy from the third slot on whenever a caravan can arrive somewhere; the trade tokens make every other
    card stronger, and it spends them on whatever the plan asks for. It fights little, least of all those whose diplomacy
    cards it holds; two economy wonders (Money Grubber) rather than eight cities.

    It changes its mind when a player is one victory card from the win or the game drags on: its caravans then leave only
    when that is the best use of a turn.
    """
    urgent = is_urgent(r, g)
    if fresh_plan(r, g, w, seat, kind) and urgent:
        drop_tastes(g, seat)
    if kind == decisions.CARD and not urgent:
        k = option_of_type(r, g, w, seat, n, names.ECONOMY)
        if k >= 0 and can_arrive(r, g, w, seat, int(w.option[k])):
            return k
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Pathfinder

PATHFINDER_OPENING_PLACE = 2  # places left of it take caravans nowhere
OPENING_TILES = 2
ENOUGH_TILES = 5


@strategy
def choose_pathfinder(r, g, w, seat, kind, n, u):
    """The pathfinder (Terra Incognita only): whatever lies beyond the edge of the map.

    Opening: caravans explore wherever they can, before they trade, and the economy card comes as soon as it lies in the
    third place, until two tiles are found; armies explore rather than go far.

    Priorities: tiles beside the own capital, cities on them, Expansionist and Explorer rather than their counterparts;
    natural wonders and resources of new tiles. Up to five tiles a caravan explores rather than trade; what it finds it
    settles.

    It changes its mind when it has found five tiles, a player is one victory card from the win or the game drags on:
    caravans then do what the plan says.
    """
    urgent = is_urgent(r, g)
    if fresh_plan(r, g, w, seat, kind) and urgent:
        drop_tastes(g, seat)
    if kind == decisions.CARAVAN_TO and not urgent and g.stat_tiles[seat] < ENOUGH_TILES:
        k = nearest_exploration(r, g, w, seat, n)
        if k >= 0:
            return k
    if kind == decisions.CARD and not urgent and g.stack_n > 0 and g.stat_tiles[seat] < OPENING_TILES:
        k = option_of_type(r, g, w, seat, n, names.ECONOMY)
        if k >= 0 and w.option[k] >= PATHFINDER_OPENING_PLACE:
            return k
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Scholar

SCHOLAR_OPENING_PLACE = 2  # places left of it are too weak a slot for science
OPENING_LEVEL = 3


@jit
def best_level(r, g, p):
    """Return the level of the best focus card in the row."""
    best = 0
    for h in range(names.N_TYPES):
        if g.card[p, h] >= 0:
            best = max(best, int(r.card_level[g.card[p, h]]))
    return best


@strategy
def choose_scholar(r, g, w, seat, kind, n, u):
    """The scholar: the technology dial, and focus cards of the highest levels.

    Opening: science from the third slot on, again and again, until it has its first card of level III.

    Priorities: the dial, trade tokens for the science card, every upgrade it is offered; Technophile and Scholarly rather
    than the other agendas; with its better cards it then does whatever the plan asks for.

    It changes its mind when the dial has gone to its end, or a player is one victory card from the win, or the game drags
    on: science is then a card like the others.
    """
    if fresh_plan(r, g, w, seat, kind) and (is_urgent(r, g) or g.dial_reached[seat] >= r.dial_last):
        drop_tastes(g, seat)
    if kind == decisions.CARD and best_level(r, g, seat) < OPENING_LEVEL:
        k = option_of_type(r, g, w, seat, n, names.SCIENCE)
        if k >= 0 and w.option[k] >= SCHOLAR_OPENING_PLACE:
            return k
    if kind == decisions.UPGRADE:
        k = choose_upgrade(r, g, w, seat, n)
        return k if k < n - 1 else 0
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Urbanist

URBANIST_OPENING_PLACE = 2  # places left of it are too weak a slot for growth
OPENING_DISTRICTS = 3
URBANIST_TASTE_PERCENT = 50  # of what a district is worth to one who needs it


@jit
def may_grow(r, g, w, p, place):
    """Can seat `p` place a district with the card in that place of the row?"""
    slot = slot_in_place(r, g, p, place)
    return r.card_districts[g.card[p, g.row[p, place]]] > 0 and best_district(r, g, w, p, slot, slot) > 0


@strategy
def choose_urbanist(r, g, w, seat, kind, n, u):
    """The urbanist (Terra Incognita only): all five districts, where they bring most.

    Opening: the growth card from the third place on, until three districts lie; control tokens on mountains, deserts and
    forests beside the sites of districts.

    Priorities: another district before another city; Prolific and Populous rather than their counterparts; Monarchy, and
    better growth cards early; control tokens where a district counts them.

    It changes its mind when all districts lie, a player is one victory card from the win or the game drags on: growth is
    then worth what the plan says.
    """
    if fresh_plan(r, g, w, seat, kind):
        if is_urgent(r, g):
            drop_tastes(g, seat)
        elif districts_on_map(g, seat) < names.N_DISTRICTS:
            g.notes[seat, plan.NEED_DISTRICT] += g.weights[seat, weights.DISTRICT_TURNS] * URBANIST_TASTE_PERCENT // 100
    if kind == decisions.CARD and not is_urgent(r, g) and districts_on_map(g, seat) < OPENING_DISTRICTS:
        k = option_of_type(r, g, w, seat, n, names.GROWTH)
        if k >= 0 and w.option[k] >= URBANIST_OPENING_PLACE and may_grow(r, g, w, seat, int(w.option[k])):
            return k
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Warrior

WARRIOR_FAIR_CHANCE = 55  # percent
WARRIOR_LATER_PLACE = 3  # once its war is won, places left of it are too weak a slot for another


@jit
def is_prey(g, p, s):
    """Does the space hold a city-state, a rival capital or a rival's world wonder?"""
    if g.city_state[s] >= 0:
        return True
    return g.owner[s] >= 0 and g.owner[s] != p and (g.piece[s] == names.CAPITAL or g.wonder_token[s] >= 0)


@jit
def prey_in_reach(r, g, w, p, h, slot):
    """Is there prey that the military card beats with a fair chance, if both sides spend all their trade tokens?"""
    card = g.card[p, h]
    flood(g, w, REACH_LAYER, queue_attack(r, g, w, p, card), attack_range(r, g, p, card))
    for s in range(g.n_spaces):
        if w.dist[REACH_LAYER, s] < 0 or not is_prey(g, p, s) or not may_be_attacked(r, g, p, s, 0):
            continue
        if target_worth(r, g, p, s) <= 0:
            continue
        lead = attack_lead(r, g, w, p, card, slot, s, 0) + int(g.trade[p, h])
        if g.owner[s] >= 0:
            lead -= military_tokens(r, g, int(g.owner[s]))
        if win_chance(r, lead) >= WARRIOR_FAIR_CHANCE:
            return True
    return False


@strategy
def choose_warrior(r, g, w, seat, kind, n, u):
    """The warrior: rival capitals, city-states and the cities that hold rivals' world wonders.

    Opening: control tokens towards the nearest prey, trade tokens for the military card; the first attack as soon as it
    wins more often than not.

    Priorities: the military card whenever it wins a capital, a city-state or a world wonder with a fair chance, whatever
    the slot while Warmonger can be claimed, from the last two places otherwise; else the plan, in which fights rate higher
    than with others, Warmonger comes before Paranoid, and what is taken from a rival who is ahead counts more.

    It changes its mind when a player is one victory card from the win or the game drags on: then only what its own last
    cards need counts, and blows against that player.
    """
    urgent = is_urgent(r, g)
    if fresh_plan(r, g, w, seat, kind) and urgent:
        drop_tastes(g, seat)
    if kind == decisions.CARD and not urgent:
        k = option_of_type(r, g, w, seat, n, names.MILITARY)
        if k >= 0 and (w.option[k] >= WARRIOR_LATER_PLACE or still_wanted(r, g, seat, names.METRIC_CAPITALS_DEFEATED, -1)):
            place = int(w.option[k])
            slot = slot_in_place(r, g, seat, place)
            if prey_in_reach(r, g, w, seat, int(g.row[seat, place]), slot):
                return k
    return choose_planner(r, g, w, seat, kind, n, u)
