"""What the words of abilities count for a player (ability_codes.COUNTS), and how much an ability brings it.

What a player holds is known until a card changes hands; all else is counted on the spot, some of it around a space.
"""

from ... import limits, names
from ...rules import ability_codes as codes
from ..core.jit import inline, jit
from .hexes import flood_through_anything, is_city
from .metrics import districts_on_map
from .pieces import claims, held_city_states, held_natural_wonders, mature_cities, reinforced_tokens

# --- what is counted

BEHIND = codes.CLAIMS_BEHIND, codes.CITIES_BEHIND, codes.SPACES_BEHIND
AHEAD = codes.CLAIMS_AHEAD, codes.CITIES_AHEAD, codes.SPACES_AHEAD
IN_CLAIMS, IN_CITIES = (codes.CLAIMS_BEHIND, codes.CLAIMS_AHEAD), (codes.CITIES_BEHIND, codes.CITIES_AHEAD)


@inline
def held_alone(what):
    """Is it counted by the cards and wonders that a player holds, so that it is known until one changes hands?"""
    return codes.COUNTED_BY_CARDS >> int(what) & 1 != 0


@jit
def held_count(r, g, p, what, kind):
    """Count what seat `p` holds (`held_alone`); `kind`: focus type of the card or wonder in question, or -1."""
    if what == codes.OWN_WONDERS:
        n = 0
        for t in range(names.N_TYPES):
            n += g.wonders_held[p, t]
        return n
    if what == codes.NEWEST_ERA:
        return int(g.newest_era[p])
    if what == codes.WONDERS_OF_ITS_TYPE:
        return int(g.wonders_held[p, kind]) if kind >= 0 else 0
    n = 0
    for cs in range(r.n_city_states):
        if g.city_state_cards[cs, p] != 0 and r.city_state_type[cs] == kind:
            n += 1
    return n


@jit
def lead(g, p, what):
    """Return by how much seat `p` is behind the best rival, or ahead of all (0: it is not), in claims, cities or spaces."""
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
def count(r, g, p, what, kind, q):
    """Count anything that needs no space (ability_codes.COUNTS) for seat `p`; `q`: the other player concerned, or -1."""
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
        return reinforced_tokens(g, p) - reinforced_tokens(g, q) if q >= 0 else 0
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
    return claims(g, p)


@jit
def settlements_near(r, g, w, p, s, within):
    """Count the city-state tokens on the map and the own cities within a distance of the space, through anything.

    T12.6: another reading counts the city-state tokens that the player has won, wherever, instead of those on the map.
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
    """Count own caravans next to the space."""
    n = 0
    for d in range(6):
        t = g.neighbour[s, d]
        for c in range(limits.MAX_CARAVANS):
            if t >= 0 and g.caravan[p, c] == t:
                n += 1
    return n


@jit
def water_beside(g, s):
    """Count the water spaces next to the space."""
    n = 0
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.terrain[t] == names.WATER:
            n += 1
    return n


@jit
def other_cities_on_tile(g, s):
    """Count the cities of anyone on the tile of the space, that space aside."""
    n = 0
    for t in range(g.n_spaces):
        if t != s and g.tile[t] == g.tile[s] and is_city(g, t):
            n += 1
    return n


@jit
def count_at(r, g, w, p, what, s, within):
    """Count for seat `p` what lies around the space `s` (-1: there is none, so nothing)."""
    if s < 0:
        return 0
    if what == codes.OTHER_CITIES_ON_TILE:
        return other_cities_on_tile(g, s)
    if what == codes.CARAVAN_BESIDE:
        return caravans_beside(g, p, s)
    if what == codes.SETTLEMENT_NEAR:
        return settlements_near(r, g, w, p, s, within)
    return water_beside(g, s)


# --- how much an ability brings


@inline
def in_its_time(r, g, row):
    """Does the ability act in this round (`from_round`, `until_round`)? What comes before the first round belongs to it."""
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
    """Return what an ability brings seat `p`: its amount, times what `per` counts, or 0 if a condition fails."""
    if not conditions_hold(r, g, p, row, kind, q):
        return 0
    if r.ability_per[row] == codes.NOTHING:
        return int(r.ability_amount[row])
    return int(r.ability_amount[row]) * count(r, g, p, r.ability_per[row], kind, q)


@jit
def count_anything(r, g, w, p, what, kind, q, s, within):
    """Count anything (ability_codes.COUNTS) for seat `p`: what it holds, or what lies around the space `s`."""
    if codes.COUNTED_AT_A_SPACE >> int(what) & 1 != 0:
        return count_at(r, g, w, p, what, s, within)
    return count(r, g, p, what, kind, q)


@jit
def conditions_hold_at(r, g, w, p, row, kind, q, s):
    """Do the ability's `if` and `unless` hold for seat `p` at the space, what lies around it included?"""
    what = r.ability_if[row]
    if what != codes.NOTHING and count_anything(r, g, w, p, what, kind, q, s, 0) < r.ability_if_least[row]:
        return False
    what = r.ability_unless[row]
    return what == codes.NOTHING or count_anything(r, g, w, p, what, kind, q, s, 0) < r.ability_unless_least[row]


@jit
def counted_amount(r, g, w, p, row, kind, q, s):
    """Return what an ability whose conditions hold brings seat `p`: its amount, times what `per` counts, also around `s`."""
    what = r.ability_per[row]
    if what == codes.NOTHING:
        return int(r.ability_amount[row])
    return int(r.ability_amount[row]) * count_anything(r, g, w, p, what, kind, q, s, r.ability_within[row])


@jit
def amount_at(r, g, w, p, row, kind, q, s):
    """Return what an ability brings seat `p` at the space, where `per`, `if` and `unless` may count what lies around it."""
    return counted_amount(r, g, w, p, row, kind, q, s) if conditions_hold_at(r, g, w, p, row, kind, q, s) else 0
