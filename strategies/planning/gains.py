"""What abilities of one's own making are worth: their effects at the prices of the profile.

The printed abilities are left out, because the weights were tuned with them in the game: what a printed wonder does, or a
leader does at a moment, is in the weights already. An ability that a house rule adds is seen through its numbers alone.
"""

from ...simulator import names
from ...simulator.engine.core.jit import inline, jit
from ...simulator.rules import ability_codes as codes
from . import weights

TURNS = 4  # a deed of every turn, or a number that holds, counts as so many times
OFTEN = 2  # what helps with every card of a type


@jit
def deed_worth(r, g, p, row):
    """Worth of doing an ability's deed once (its conditions aside), at the profile's prices."""
    effect = r.ability_effect[row]
    amount = int(r.ability_amount[row])
    if effect == codes.TRADE_TOKENS:
        return 0 if r.ability_for_giver[row] != 0 else amount * int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.RESOURCES:
        return amount * int(g.weights[p, weights.RESOURCE])
    if effect == codes.CONTROL_TOKENS or effect == codes.REMOVE_RIVAL_TOKENS or effect == codes.CONVERT_TOKEN:
        return amount * int(g.weights[p, weights.TOKEN_BASE])
    if effect == codes.REINFORCE:
        return amount * int(g.weights[p, weights.REINFORCE_BASE])
    if effect == codes.ADVANCE_DIAL:
        return amount * int(g.weights[p, weights.DIAL_BASE])
    if effect == codes.OWN_FUNCTION:
        return int(r.ability_worth[row]) * int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.UPGRADE_CARDS or effect == codes.RAISE_CARDS:
        return amount * int(g.weights[p, weights.UPGRADE])
    if effect == codes.TAKE_DIPLOMACY or effect == codes.ALLIANCE:
        return amount * int(g.weights[p, weights.DIPLOMACY])
    return int(g.weights[p, weights.TRADE_TOKEN]) // 2  # swaps and pushes: better than nothing


@jit
def held_worth(r, g, p, row):
    """Worth of an effect that holds: roughly what its number saves or brings, at the profile's prices."""
    effect = r.ability_effect[row]
    amount = int(r.ability_amount[row])
    trade = int(g.weights[p, weights.TRADE_TOKEN])
    if effect == codes.COMBAT:
        sides = int(r.ability_when[row] & 1) + int(r.ability_when[row] >> 1 & 1)
        return TURNS * amount * trade * sides // 2
    if effect == codes.WONDER_COST:
        return -OFTEN * amount * trade
    if effect == codes.DIFFICULTY or effect == codes.DIFFICULTY_CHANGE:
        return TURNS * trade
    if effect == codes.PRODUCTION or effect == codes.DIAL_SPACES or effect == codes.SLOT_SHIFT:
        return TURNS * amount * trade
    if effect == codes.CULTURE_TOKENS:
        return TURNS * amount * int(g.weights[p, weights.TOKEN_BASE])
    return OFTEN * max(1, amount) * trade if codes.ADDS_UP[effect] else TURNS * trade


@jit
def own_words_worth(r, g, p, first, n):
    """Worth of what house rules have added to the `n` abilities from row `first` on: those of a wonder, a card …"""
    worth = 0
    for row in range(first, first + n):
        if r.ability_own[row] == 0:
            continue
        moment = r.ability_moment[row]
        if moment == codes.HELD:
            worth += held_worth(r, g, p, row)
        else:
            times = 1 if moment == codes.BUILT else (TURNS if moment == codes.START_OF_TURN else OFTEN)
            worth += times * deed_worth(r, g, p, row)
    return worth


@inline
def standard_card(r, card):
    """Return the printed focus card of the type and level of one that house rules have added."""
    return int(r.card_type[card]) * names.N_LEVELS + int(r.card_level[card]) - 1


@jit
def numbers_worth(r, g, p, card):
    """Worth of a focus card's numbers, resolved once, to compare two of a type and level."""
    trade = int(g.weights[p, weights.TRADE_TOKEN])
    tokens = int(r.card_tokens[card]) + int(r.card_border_tokens[card]) + int(r.card_weaken[card])
    worth = (tokens + int(r.card_city_tokens[card])) * int(g.weights[p, weights.TOKEN_BASE])
    worth += int(r.card_trade_first[card]) * trade + int(r.card_resource_first[card]) * int(g.weights[p, weights.RESOURCE])
    worth += (int(r.card_caravans[card]) * int(r.card_move[card]) + int(r.card_city_range[card])) * trade // 3
    for slot in range(1, int(r.slot_number[r.slots - 1]) + 1):
        worth += int(r.card_production[card, slot]) * trade // 4
    worth += (int(r.card_combat[card]) + int(r.card_combat_barbarian[card])) * trade // 2
    worth += (2 * int(r.card_attacks[card]) + 2 * int(r.card_armies[card]) + int(r.card_attack_range[card])) * trade
    return worth + (int(r.card_army_move[card]) + 2 * int(r.card_districts[card])) * trade // 2


@jit
def add_up_moment(r, g, p, moment, target, kind, terrain):
    """Worth of the own abilities of seat `p` that act at the moment (arguments as of `events.happen`; -1: any)."""
    worth = 0
    for k in range(g.listed_n[p]):
        row = g.listed[p, k]
        if r.ability_own[row] == 0 or r.ability_moment[row] != moment or r.ability_target[row] >> target & 1 == 0:
            continue
        if (kind < 0 or r.ability_type[row] >> kind & 1 != 0) and (terrain < 0 or r.ability_terrain[row] >> terrain & 1 != 0):
            worth += deed_worth(r, g, p, row)
    return worth


@inline
def moment_worth(r, g, p, moment, target, kind, terrain):
    """Worth to seat `p` of bringing the moment about: nothing unless an own ability waits for it."""
    return add_up_moment(r, g, p, moment, target, kind, terrain) if g.moments[p] >> moment & 1 != 0 else 0
