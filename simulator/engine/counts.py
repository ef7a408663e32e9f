"""Counting for a seat: the metrics of agendas, and the counts of abilities for `per`, `if` and `unless`."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import state
from .compile.jit import beyond, inline, jit
from .map import flood_through_anything, is_city, is_fort, is_token
from .pieces import (
    claims,
    controls,
    held_city_states,
    held_natural_wonders,
    is_mature,
    mature_cities,
    reinforced_tokens,
    wonder_held,
)

# --- The metrics of agendas (names.METRICS)

ERA_BITS = 8
ERA_MASK = (1 << ERA_BITS) - 1


@jit
def cards_of_level(r, g, p, level):
    """Return the number of focus cards of the level in the row of seat `p`."""
    n = 0
    for h in range(names.N_TYPES):
        n += 1 if g.card[p, h] >= 0 and r.card_level[g.card[p, h]] == level else 0
    return n


@jit
def rival_givers(g, p):
    """Return the number of players whose diplomacy cards seat `p` holds."""
    n = 0
    for q in range(g.players):
        gives = 0
        for c in range(names.MAX_DIPLOMACY):
            gives |= 1 if g.diplomacy[q, c] == p else 0
        n += gives
    return n


@jit
def givers(g, p):
    """Return the number of players and city-states whose diplomacy cards seat `p` holds (T3.4)."""
    n = rival_givers(g, p)
    for cs in range(names.MAX_CITY_STATES):
        n += 1 if g.city_state_cards[cs, p] != 0 else 0
    return n


@jit
def held_resources(r, g, p):
    """Return the number of resource and natural wonder tokens of seat `p`."""
    n = held_natural_wonders(r, g, p)
    for kind in range(names.N_RESOURCES):
        n += int(g.resources[p, kind])
    return n


@jit
def city_tiles(r, g, p, mature):
    """Return the number of tiles with cities (`mature` 1: mature ones) of seat `p`; a fort is a tile of its own (T3.4)."""
    tiles = 0  # bits by tile number
    n = 0
    for i in range(g.city_count[p]):
        s = g.cities[p, i]
        if mature == 0 or is_mature(r, g, p, s):
            bit = 1 << int(g.tile[s])
            n += 1 if tiles & bit == 0 else 0
            tiles |= bit
    return n


@jit
def wonders_by_era(r, g, p):
    """Return the numbers of world wonders of seat `p` by era, in ERA_BITS bits an era."""
    by_era = 0
    for i in range(r.n_wonders):
        if controls(g, p, i):
            by_era += 1 << (ERA_BITS * int(r.wonder_era[i]))
    return by_era


@jit
def most_of_one_era(r, g, p):
    """Return the number of world wonders of seat `p` in the era with most."""
    by_era = wonders_by_era(r, g, p)
    most = 0
    for era in range(names.N_ERAS):
        most = max(most, by_era >> ERA_BITS * era & ERA_MASK)
    return most


@jit
def eras_held(r, g, p):
    """Return the number of eras of which seat `p` controls a world wonder."""
    by_era = wonders_by_era(r, g, p)
    n = 0
    for era in range(names.N_ERAS):
        n += 1 if by_era >> ERA_BITS * era & ERA_MASK != 0 else 0
    return n


@jit
def wonder_types_held(g, p):
    """Return the number of types of which seat `p` controls a world wonder."""
    n = 0
    for kind in range(names.N_TYPES):
        n += 1 if g.wonders_held[p, kind] > 0 else 0
    return n


@jit
def districts_on_map(g, p):
    """Return the number of districts of seat `p` on the map."""
    n = 0
    for d in range(names.N_DISTRICTS):
        n += 1 if g.district_space[p, d] >= 0 else 0
    return n


@jit
def forts_held(g, p):
    """Return the number of forts that seat `p` controls: those with a city of its own on them (T6.4)."""
    n = 0
    for i in range(g.city_count[p]):
        n += 1 if is_fort(g, g.cities[p, i]) else 0
    return n


@jit
def tokens_on_map(g, p):
    """Return the number of control tokens of seat `p` on the map."""
    n = 0
    for s in range(g.n_spaces):
        n += 1 if g.owner[s] == p and is_token(g, s) else 0
    return n


@jit
def spaces_of_terrain(g, p, terrain):
    """Return the number of friendly spaces of the terrain."""
    n = 0
    for s in range(g.n_spaces):
        n += 1 if g.owner[s] == p and g.terrain[s] == terrain else 0
    return n


@jit
def diplomacy_cards(r, g, p):
    """Return the number of diplomacy cards that seat `p` holds, of players and city-states."""
    n = 0
    for cs in range(r.n_city_states):
        n += 1 if g.city_state_cards[cs, p] != 0 else 0
    for q in range(g.players):
        for c in range(r.n_diplomacy):
            n += 1 if q != p and g.diplomacy[q, c] == p else 0
    return n


@jit
def trade_tokens(g, p):
    """Return the number of trade tokens on the cards of seat `p`."""
    n = 0
    for h in range(names.N_TYPES):
        n += int(g.trade[p, h]) if g.card[p, h] >= 0 else 0
    return n


@jit
def caravans_out(g, p):
    """Return the number of caravans of seat `p` on the map."""
    n = 0
    for c in range(names.MAX_CARAVANS):
        n += 1 if g.caravan[p, c] >= 0 else 0
    return n


@jit
def cards_from_level(r, g, p, level):
    """Return the number of focus cards of the level or a higher one in the row of seat `p`."""
    n = 0
    for h in range(names.N_TYPES):
        n += 1 if g.card[p, h] >= 0 and r.card_level[g.card[p, h]] >= level else 0
    return n


@beyond
def fought_metric(g, p, what) -> int:
    """Return the value for seat `p` of a metric of attacks that only house rules have."""
    if what == names.METRIC_DEFENCES_WON:
        return int(g.stat_defences_won[p])
    if what == names.METRIC_BARBARIANS:
        return int(g.stat_attacks_won[p, state.TARGET_BARBARIAN])
    if what == names.METRIC_RIVAL_CITIES:
        return int(g.stat_attacks_won[p, state.TARGET_CITY]) + int(g.stat_attacks_won[p, state.TARGET_CAPITAL])
    won = 0
    for target in range(names.N_TARGETS):
        won += int(g.stat_attacks_won[p, target])
    return won


@beyond
def own_metric(r, g, p, what, kind) -> int:
    """Return the value for seat `p` of a metric that only house rules have."""
    if what == names.METRIC_TOKENS:
        return tokens_on_map(g, p)
    if what == names.METRIC_SPACES:
        return int(g.space_count[p])
    if what == names.METRIC_TERRAIN:
        return spaces_of_terrain(g, p, kind)
    if what == names.METRIC_WONDERS:
        return wonder_held(r, g, p, -1)
    if what == names.METRIC_DIPLOMACY:
        return diplomacy_cards(r, g, p)
    if what == names.METRIC_TRADE:
        return trade_tokens(g, p)
    if what == names.METRIC_TRADE_GAINED:
        return int(g.stat_trade_gained[p])
    if what == names.METRIC_CARAVANS:
        return caravans_out(g, p)
    if what == names.METRIC_ARRIVALS:
        return int(g.stat_arrivals[p, 0]) + int(g.stat_arrivals[p, 1])
    if what == names.METRIC_CITIES_BUILT:
        return int(g.stat_cities_built[p])
    if what == names.METRIC_CARDS_FROM_LEVEL:
        return cards_from_level(r, g, p, kind)
    if what == names.METRIC_CLAIMS:
        return claims(g, p)
    return fought_metric(g, p, what)


@beyond
def expansion_metric(r, g, p, what, kind) -> int:
    """Return the value for seat `p` of a metric of Terra Incognita (T3.3, T3.4) or of house rules."""
    if what == names.METRIC_CARDS_OF_LEVEL:
        return cards_of_level(r, g, p, kind)
    if what == names.METRIC_REINFORCED:
        return reinforced_tokens(g, p)
    if what == names.METRIC_BEST_ATTACK:
        return int(g.best_attack[p])
    if what == names.METRIC_GIVERS:
        return givers(g, p)
    if what == names.METRIC_RESOURCES:
        return held_resources(r, g, p)
    if what == names.METRIC_TILES:
        return city_tiles(r, g, p, 0)
    if what == names.METRIC_ERA:
        return most_of_one_era(r, g, p)
    if what == names.METRIC_DISTRICTS:
        return districts_on_map(g, p)
    if what == names.METRIC_ERAS:
        return eras_held(r, g, p)
    if what == names.METRIC_MATURE_TILES:
        return city_tiles(r, g, p, 1)
    if what == names.METRIC_WONDER_TYPES:
        return wonder_types_held(g, p)
    if what == names.METRIC_FORTS:
        return forts_held(g, p)
    return own_metric(r, g, p, what, kind)


@jit
def metric(r, g, p, what, kind):
    """Return the value for seat `p` of a metric (names.METRICS); `kind`: the focus type, card level or terrain it counts by."""
    if what == names.METRIC_CITIES:
        return int(g.city_count[p])
    if what == names.METRIC_WONDERS_OF_TYPE:
        return wonder_held(r, g, p, kind)
    if what == names.METRIC_CAPITALS_DEFEATED:
        return int(g.capitals_beaten[p])
    if what == names.METRIC_CITY_STATES:
        return held_city_states(g, p)
    if what == names.METRIC_COAST:
        return int(g.coast_count[p])
    if what == names.METRIC_MATURE_CITIES:
        return mature_cities(r, g, p)
    if what == names.METRIC_NATURAL_WONDERS:
        return held_natural_wonders(r, g, p)
    if what == names.METRIC_DIAL:
        return int(g.dial_reached[p])
    return expansion_metric(r, g, p, what, kind)


@inline
def agenda_met(r, g, p, card, a):
    """Does seat `p` satisfy agenda `a` (0 or 1) of the victory card now: its condition, one of a pair, or both?"""
    first = metric(r, g, p, r.agenda_metric[card, a], r.agenda_kind[card, a]) >= r.agenda_target[card, a]
    other = r.agenda_metric2[card, a]
    if other == names.METRIC_NONE or first != (r.agenda_both[card, a] != 0):
        return first
    return metric(r, g, p, other, r.agenda_kind2[card, a]) >= r.agenda_target2[card, a]


@jit
def is_taken(r, g, i, a):
    """Have as many players claimed agenda `a` of the victory card in place `i` as house rules allow?"""
    card = g.victory_card[i]
    room = int(r.agenda_room[card, a])
    if room == 0:
        return False
    for p in range(g.players):
        claimed = int(g.claimed[p, i]) - 1  # a card with one agenda out of the game shows the other twice
        room -= 1 if claimed >= 0 and r.agenda_name[card, claimed] == r.agenda_name[card, a] else 0
    return room <= 0


@inline
def counted_beyond(box, what):
    """Has no printed agenda of the box this metric?"""
    return names.BEYOND_PRINT[box] >> int(what) & 1 != 0


@inline
def counts_beyond(r, card, a):
    """Has the agenda a metric of no printed agenda of the box? Then it is checked only when `settle` is called."""
    return counted_beyond(r.box, r.agenda_metric[card, a]) or counted_beyond(r.box, r.agenda_metric2[card, a])


assert names.MAX_WONDERS <= ERA_MASK
assert names.N_ERAS * ERA_BITS < 64


# --- The counts of abilities (codes.COUNTS)

BEHIND = codes.CLAIMS_BEHIND, codes.CITIES_BEHIND, codes.SPACES_BEHIND
AHEAD = codes.CLAIMS_AHEAD, codes.CITIES_AHEAD, codes.SPACES_AHEAD
OF_METRICS = (
    codes.FRIENDLY_SPACES, codes.TOKENS_ON_MAP, codes.RESOURCES_HELD, codes.TRADE_ON_CARDS, codes.CARAVANS_OUT, codes.OWN_FORTS,
    codes.DIAL_SPACE,
)  # fmt: skip
IN_CLAIMS, IN_CITIES = (codes.CLAIMS_BEHIND, codes.CLAIMS_AHEAD), (codes.CITIES_BEHIND, codes.CITIES_AHEAD)


@inline
def held_alone(what):
    """Does the count depend on the cards and wonders held alone, so that it changes only when one changes hands?"""
    return codes.COUNTED_BY_CARDS >> int(what) & 1 != 0


@jit
def held_count(r, g, p, what, kind):
    """Return a count that is `held_alone` for seat `p`; `kind`: focus type of the card or wonder in question, or -1."""
    if what == codes.OWN_WONDERS:
        n = 0
        for t in range(names.N_TYPES):
            n += g.wonders_held[p, t]
        return n
    if what == codes.NEWEST_ERA:
        return int(g.newest_era[p])
    if what == codes.WONDERS_OF_ITS_TYPE:
        return int(g.wonders_held[p, kind]) if kind >= 0 else 0
    if what == codes.DIPLOMACY_CARDS:
        return diplomacy_cards(r, g, p)
    if what == codes.CARD_GIVERS:
        return givers(g, p)
    if what == codes.RIVAL_CARD_GIVERS:
        return rival_givers(g, p)
    n = 0
    for cs in range(r.n_city_states):
        if g.city_state_cards[cs, p] != 0 and r.city_state_type[cs] == kind:
            n += 1
    return n


@jit
def lead(g, p, what):
    """Return how far seat `p` is behind the best rival, or ahead of all (0: it is not), in claims, cities or spaces."""
    in_claims, in_cities = what in IN_CLAIMS, what in IN_CITIES
    own, most = 0, 0
    for q in range(g.players):
        has = claims(g, q) if in_claims else int(g.city_count[q]) if in_cities else int(g.space_count[q])
        if q == p:
            own = has
        else:
            most = max(most, has)
    return max(0, own - most if what in AHEAD else most - own)


@jit
def metric_count(r, g, p, what):
    """Return a count that an agenda can ask for, too (OF_METRICS)."""
    if what == codes.FRIENDLY_SPACES:
        return int(g.space_count[p])
    if what == codes.TOKENS_ON_MAP:
        return tokens_on_map(g, p)
    if what == codes.RESOURCES_HELD:
        return held_resources(r, g, p)
    if what == codes.TRADE_ON_CARDS:
        return trade_tokens(g, p)
    if what == codes.CARAVANS_OUT:
        return caravans_out(g, p)
    if what == codes.OWN_FORTS:
        return forts_held(g, p)
    return int(g.dial_reached[p])


@jit
def count(r, g, p, what, kind, q):
    """Return a count that needs no space (codes.COUNTS) for seat `p`; `q`: the other player concerned, or -1."""
    if held_alone(what):
        return held_count(r, g, p, what, kind)
    if what == codes.CITIES:
        return int(g.city_count[p])
    if what == codes.MATURE_CITIES:
        return mature_cities(r, g, p)
    if what == codes.CITY_STATES:
        return held_city_states(g, p)
    if what == codes.NATURAL_WONDERS:
        return held_natural_wonders(r, g, p)
    if what == codes.COASTAL_SPACES:
        return int(g.coast_count[p])
    if what == codes.CAPITALS_DEFEATED:
        return int(g.capitals_beaten[p])
    if what == codes.REINFORCED_TOKENS:
        return reinforced_tokens(g, p)
    if what == codes.REINFORCED_LEAD:
        return max(0, reinforced_tokens(g, p) - reinforced_tokens(g, q)) if q >= 0 else 0
    if what == codes.ATTACKS_WON:
        return int(g.attacks_won_this_turn) if g.current == p else 0
    if what == codes.CARDS_REPLACED:
        return int(g.cards_replaced) if g.current == p else 0
    if what in AHEAD or what in BEHIND:
        return lead(g, p, what)
    n = 0
    if what == codes.RESOURCE_TYPES:
        for k in range(names.N_RESOURCES):
            n += 1 if g.resources[p, k] > 0 else 0
        return n
    if what == codes.OWN_DISTRICTS:
        return districts_on_map(g, p)
    if what == codes.OTHER_HAS_GIVEN_CARD:
        return 1 if q >= 0 and g.given_card[p] == q else 0
    if what in OF_METRICS:
        return metric_count(r, g, p, what)
    return claims(g, p)


@jit
def settlements_near(r, g, w, p, s, within):
    """Return the number of city-state tokens and own cities within a distance of the space, through anything.

    T12.6: by another reading the city-state tokens that the player has won count instead, wherever they were.
    """
    n = held_city_states(g, p) if r.carthage_won_tokens != 0 else 0
    for i in range(flood_through_anything(g, w, 0, s, within)):
        t = w.queue[i]
        if t == s and r.carthage_counts_space == 0:
            continue
        if (g.city_state[t] >= 0 and r.carthage_won_tokens == 0) or (g.owner[t] == p and is_city(g, t)):
            n += 1
    return n


@jit
def caravans_beside(g, p, s):
    """Return the number of own caravans next to the space."""
    n = 0
    for d in range(6):
        t = g.neighbour[s, d]
        for c in range(names.MAX_CARAVANS):
            if t >= 0 and g.caravan[p, c] == t:
                n += 1
    return n


@jit
def water_beside(g, s):
    """Return the number of water spaces next to the space."""
    n = 0
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.terrain[t] == names.WATER:
            n += 1
    return n


@jit
def other_cities_on_tile(g, s):
    """Return the number of anyone's cities on the tile of the space, that space aside."""
    n = 0
    for t in range(g.n_spaces):
        if t != s and g.tile[t] == g.tile[s] and is_city(g, t):
            n += 1
    return n


@jit
def count_at(r, g, w, p, what, s, within):
    """Return a count around the space `s` for seat `p`; 0 without a space (-1)."""
    if s < 0:
        return 0
    if what == codes.OTHER_CITIES_ON_TILE:
        return other_cities_on_tile(g, s)
    if what == codes.CARAVAN_BESIDE:
        return caravans_beside(g, p, s)
    if what == codes.SETTLEMENT_NEAR:
        return settlements_near(r, g, w, p, s, within)
    return water_beside(g, s)


# --- amounts of abilities


@inline
def in_its_time(r, g, row):
    """Does the ability act in this round (`from_round`, `until_round`)? The set-up belongs to the first round."""
    now = max(1, int(g.round_number))
    until = r.ability_until_round[row]
    return now >= r.ability_from_round[row] and (until == 0 or now <= until)


@jit
def conditions_hold(r, g, p, row, kind, q):
    """Do the ability's `if` and `unless` hold for seat `p`?"""
    what = r.ability_if[row]
    if what != codes.NOTHING and count(r, g, p, what, kind, q) < r.ability_if_least[row]:
        return False
    what = r.ability_unless[row]
    return what == codes.NOTHING or count(r, g, p, what, kind, q) < r.ability_unless_least[row]


@jit
def amount_of(r, g, p, row, kind, q):
    """Return the amount of an ability for seat `p`, times the count of `per`; 0 if a condition fails."""
    if not conditions_hold(r, g, p, row, kind, q):
        return 0
    if r.ability_per[row] == codes.NOTHING:
        return int(r.ability_amount[row])
    return int(r.ability_amount[row]) * count(r, g, p, r.ability_per[row], kind, q)


@jit
def count_anything(r, g, w, p, what, kind, q, s, within):
    """Return any count (codes.COUNTS) for seat `p`, also around the space `s`."""
    if codes.COUNTED_AT_A_SPACE >> int(what) & 1 != 0:
        return count_at(r, g, w, p, what, s, within)
    return count(r, g, p, what, kind, q)


@jit
def conditions_hold_at(r, g, w, p, row, kind, q, s):
    """Do the ability's `if` and `unless` hold for seat `p` at the space? They may count around it."""
    what = r.ability_if[row]
    if what != codes.NOTHING and count_anything(r, g, w, p, what, kind, q, s, 0) < r.ability_if_least[row]:
        return False
    what = r.ability_unless[row]
    return what == codes.NOTHING or count_anything(r, g, w, p, what, kind, q, s, 0) < r.ability_unless_least[row]


@jit
def counted_amount(r, g, w, p, row, kind, q, s):
    """Return the amount for seat `p` of an ability whose conditions hold, times the count of `per`, also around `s`."""
    what = r.ability_per[row]
    if what == codes.NOTHING:
        return int(r.ability_amount[row])
    return int(r.ability_amount[row]) * count_anything(r, g, w, p, what, kind, q, s, r.ability_within[row])


@jit
def amount_at(r, g, w, p, row, kind, q, s):
    """Return the amount of an ability for seat `p` at the space, where `per`, `if` and `unless` may count around it."""
    return counted_amount(r, g, w, p, row, kind, q, s) if conditions_hold_at(r, g, w, p, row, kind, q, s) else 0
