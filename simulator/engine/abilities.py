"""Abilities that hold, and the moments at which others act."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import state
from .choosing import LOG_MOMENT, log
from .compile.jit import inline, jit
from .counts import amount_at, amount_of, conditions_hold, conditions_hold_at, counted_amount, held_alone, in_its_time
from .pieces import controls, end_without_room, has_partner, partner_of
from .trade import gain_resource, gain_resource_of, gain_trade, give_trade, give_up_trade, loot_trade

# --- Abilities as numbers of a player
#
# RULES holds every ability of the ruleset as a row (`ability_…`). STATE holds, for each seat, the sums of those that hold
# (`power`, and tables for combat, cost, difficulty and slots), and the list of those that wait for a moment or depend on the
# situation. Both are computed anew when a wonder or a card changes hands (`STATE.stale`), so that the rules read numbers and
# name no card.

ALL_SEATS = (1 << names.MAX_PLAYERS) - 1
GIVER_BITS = names.MAX_PLAYERS + 1
SLOT_BITS = 3  # of a slot number
UNNAMED = 16  # added to a place of the row that no ability has named yet


@inline
def giver_fits(r, row, giver, other):
    """May the ability of a diplomacy card act when `other` (a seat, CITY_STATE_GIVER + city-state, or -1) is concerned?"""
    wanted = r.ability_giver[row]
    return wanted == 0 or (wanted == codes.GIVER_ONLY) == (giver == other)


@inline
def use_bit(p, giver):
    """Return the bit of ``ability_used`` for seat `p` with a card of the giver: a player has a bit, all others have one."""
    return 1 << (int(p) * GIVER_BITS + (int(giver) if 0 <= giver < names.MAX_PLAYERS else names.MAX_PLAYERS))


@inline
def other_side(g, s, target, q):
    """Return the other side of an attack on the space for `happen`: seat `q` (-1: nobody), or CITY_STATE_GIVER + city-state."""
    return codes.CITY_STATE_GIVER + int(g.city_state[s]) if target == state.TARGET_CITY_STATE else int(q)


@jit
def require_room(g, w):
    """Let the game end with an error if a player has had more abilities than there is room for."""
    if g.unlisted != 0:
        full = 0
        for p in range(g.players):
            full = p if g.listed_n[p] >= names.MAX_LISTED else full
        end_without_room(g, w, state.OVERLISTED, full, g.unlisted - 1)


# --- writing a player's numbers


@inline
def waits_for_giver(r, row):
    """Does the ability of a diplomacy card wait for a moment of who gave the card?"""
    return r.ability_by[row] == codes.GIVERS_MOMENT


@jit
def list_ability(r, g, p, row, giver, bit):
    """Enter an ability that waits for a moment of its own or of its giver, or depends on the situation, into a list."""
    n = int(g.listed_n[p])
    if n < names.MAX_LISTED:
        g.listed[p, n] = row
        g.listed_giver[p, n] = giver
        g.listed_n[p] = n + 1
    else:
        g.unlisted = row + 1
    if waits_for_giver(r, row):
        g.watched[giver] |= 1 << int(bit)
    else:
        g.moments[p] |= 1 << int(bit)


@inline
def on_the_spot(r, row):
    """Does the ability depend on the situation, on more than the cards and wonders its owner holds?"""
    held = held_alone(r.ability_per[row]) and held_alone(r.ability_if[row]) and held_alone(r.ability_unless[row])
    return not held or r.ability_giver[row] != 0


@jit
def add_combat(r, g, p, row):
    """Add a bonus in combat to the table by side, target and terrain."""
    amount = amount_of(r, g, p, row, -1, -1)
    for side in range(2):
        if r.ability_when[row] >> side & 1 == 0:
            continue
        for target in range(names.N_TARGETS):
            if r.ability_target[row] >> target & 1 == 0:
                continue
            for terrain in range(names.N_TERRAINS):
                g.combat[p, side, target, terrain] += amount * (r.ability_terrain[row] >> terrain & 1)


@jit
def add_cost(r, g, p, row):
    """Add a change of the cost of world wonders to the table by type and era."""
    for kind in range(names.N_TYPES):
        if r.ability_type[row] >> kind & 1 == 0:
            continue
        amount = amount_of(r, g, p, row, kind, -1)
        for era in range(names.N_ERAS):
            g.cost_change[p, kind, era] += amount * (r.ability_era[row] >> era & 1)


@jit
def change_difficulty(r, g, p, row):
    """Limit (or change) difficulties in the table by purpose, coast and terrain."""
    if not conditions_hold(r, g, p, row, -1, -1):
        return
    change = r.ability_effect[row] == codes.DIFFICULTY_CHANGE
    amount = amount_of(r, g, p, row, -1, -1)
    for doing in range(codes.N_DOINGS):
        if r.ability_doing[row] >> doing & 1 == 0:
            continue
        for coastal in range(2):
            if r.ability_coastal[row] >> coastal & 1 == 0:
                continue
            for terrain in range(names.N_TERRAINS):
                if r.ability_terrain[row] >> terrain & 1 != 0:
                    old = g.ground[p, doing, coastal, terrain]
                    g.ground[p, doing, coastal, terrain] = old + amount if change else min(old, amount)


@inline
def place_of_slot(r, slot):
    """Return the leftmost place of the row with the slot number (T2.4), or the last place."""
    for place in range(r.slots):
        if r.slot_number[place] == slot:
            return place
    return int(r.slots) - 1


@inline
def number_seen(r, place):
    """Return the slot number of a place of the row for abilities; a ruling lets them count places (T2.5)."""
    return min(place + 1, int(r.slot_number[r.slots - 1])) if r.machu_two_left != 0 else int(r.slot_number[place])


@jit
def change_slots(r, g, p, row):
    """Change the places from which cards act, in the table by focus type and place of the row (T2.2 counts places)."""
    for kind in range(names.N_TYPES):
        if r.ability_type[row] >> kind & 1 == 0:
            continue
        for place in range(r.slots):
            if r.ability_slots[row] >> number_seen(r, place) & 1 == 0:
                continue
            if r.ability_effect[row] == codes.ACTS_AS_SLOT:
                named = int(g.acting_place[p, kind, place])
                to = int(place_of_slot(r, r.ability_amount[row]))
                g.acting_place[p, kind, place] = to if named >= UNNAMED else max(named, to)
            else:
                acting = g.acting_place[p, kind, place] + amount_of(r, g, p, row, kind, -1)
                g.acting_place[p, kind, place] = max(0, min(r.slots - 1, acting))


@inline
def slot_repeated(repeats, slot):
    """Return the slot number that a card in the slot has the second time, 0 if it is not repeated (``power[REPEAT_CARD]``)."""
    if slot < 1 or slot > names.MAX_REPEATED:
        return 0
    return repeats >> (SLOT_BITS * (slot - 1)) & ((1 << SLOT_BITS) - 1)


@jit
def with_repeats(repeats, slots, amount):
    """Return the numbers of `slot_repeated` with another source: the highest of each slot in the bits of `slots`."""
    for slot in range(1, names.MAX_REPEATED + 1):
        old = int(slot_repeated(repeats, slot))
        if slots >> slot & 1 != 0 and amount > old:
            repeats += (amount - old) << (SLOT_BITS * (slot - 1))
    return repeats


@jit
def add_power(r, g, p, row, giver):
    """Add an effect that is one number: a sum, a greatest or smallest value, or a set of bits."""
    effect = r.ability_effect[row]
    old = int(g.power[p, effect])
    if effect == codes.DIPLOMACY_LIMIT:
        g.power[p, effect] = max(old, int(r.ability_amount[row]))
    elif effect == codes.EDGE_CITIES:
        g.power[p, effect] = r.ability_amount[row] if old == 0 else min(old, int(r.ability_amount[row]))
    elif effect == codes.COUNT_THROUGH:
        g.power[p, effect] = old | r.ability_through[row]
    elif effect == codes.TOKENS_WITHOUT_CITY or effect == codes.CHAIN_TOKENS or effect == codes.FOLLOWING_TOKEN:
        g.power[p, effect] = old | r.ability_terrain[row]
    elif effect == codes.SPARES:
        if conditions_hold(r, g, p, row, -1, -1):
            g.power[p, effect] = old | r.ability_target[row]
    elif effect == codes.FORBIDS:
        if conditions_hold(r, g, p, row, -1, -1):
            g.power[p, effect] = old | r.ability_what[row]
    elif effect == codes.ANY_TYPE_UPGRADE:
        g.power[p, effect] = old | r.ability_type[row]
    elif effect == codes.MATURES_WITH:
        g.power[p, effect] = old | (ALL_SEATS if r.ability_whose[row] == codes.RIVALS else 1 << giver)
    elif effect == codes.SHARED_LAND or effect == codes.NON_AGGRESSION:
        g.power[p, effect] = old | 1 << giver
        if effect == codes.SHARED_LAND:
            g.power[p, codes.MATURES_WITH] |= 1 << giver
    elif effect == codes.CITY_STATE_AS_CITY:
        g.power[p, effect] = old | 1 << (giver - codes.CITY_STATE_GIVER)
    elif effect == codes.WATERSIDE_CITIES:
        g.power[p, effect] = min(old, 1 + int(r.ability_amount[row])) if old > 0 else 1 + int(r.ability_amount[row])
    elif effect == codes.EXTRA_CARD:
        g.power[p, effect] = old | 1 << int(r.ability_card[row])
    elif effect == codes.REPEAT_CARD:
        g.power[p, effect] = with_repeats(old, int(r.ability_slots[row]), int(r.ability_amount[row]))
    else:
        g.power[p, effect] = old + amount_of(r, g, p, row, -1, -1)


@jit
def add_ability(r, g, p, row, giver, second):
    """Add an ability to the numbers of seat `p`: in the first pass all but changes, in the second the changes.

    Returns 1 if the ability needs the second pass.
    """
    if not in_its_time(r, g, row):
        return 0
    effect = r.ability_effect[row]
    changes = effect == codes.DIFFICULTY_CHANGE or effect == codes.SLOT_SHIFT
    if second != 0:
        if effect == codes.DIFFICULTY_CHANGE:
            change_difficulty(r, g, p, row)
        elif effect == codes.SLOT_SHIFT:
            change_slots(r, g, p, row)
        return 0
    moment = r.ability_moment[row]
    if moment == codes.BUILT:
        return 0
    if moment != codes.HELD:
        list_ability(r, g, p, row, giver, moment)
    elif effect == codes.COMBAT:
        if on_the_spot(r, row):
            list_ability(r, g, p, row, giver, codes.ASKS_COMBAT)
        else:
            add_combat(r, g, p, row)
    elif effect == codes.WONDER_COST:
        if on_the_spot(r, row):
            list_ability(r, g, p, row, giver, codes.ASKS_COST)
        else:
            add_cost(r, g, p, row)
    elif effect == codes.DIFFICULTY:
        change_difficulty(r, g, p, row)
    elif effect == codes.ACTS_AS_SLOT:
        change_slots(r, g, p, row)
    elif not changes:
        add_power(r, g, p, row, giver)
        if effect == codes.TRADE_BANK:
            list_ability(r, g, p, row, giver, codes.START_OF_TURN)
    return 1 if changes else 0


@jit
def add_abilities(r, g, p, second):
    """Add the abilities of everything that seat `p` has; return how many need the second pass."""
    again = 0
    leader = g.leader[p]
    for row in range(r.leader_first[leader], r.leader_first[leader] + r.leader_n[leader]):
        again += add_ability(r, g, p, row, codes.NO_GIVER, second)
    for row in range(r.everyone_first[0], r.everyone_first[0] + r.everyone_n[0]):
        again += add_ability(r, g, p, row, codes.NO_GIVER, second)
    for i in range(r.n_wonders):
        if r.wonder_n[i] > 0 and controls(g, p, i):
            for row in range(r.wonder_first[i], r.wonder_first[i] + r.wonder_n[i]):
                again += add_ability(r, g, p, row, codes.NO_GIVER, second)
    for cs in range(r.n_city_states):
        if g.city_state_cards[cs, p] != 0:
            for row in range(r.city_state_first[cs], r.city_state_first[cs] + r.city_state_n[cs]):
                again += add_ability(r, g, p, row, codes.CITY_STATE_GIVER + cs, second)
    for i in range(r.n_natural_wonders):
        if r.natural_wonder_n[i] > 0 and g.natural_wonder_owner[i] == p:
            for row in range(r.natural_wonder_first[i], r.natural_wonder_first[i] + r.natural_wonder_n[i]):
                again += add_ability(r, g, p, row, codes.NO_GIVER, second)
    for h in range(names.N_TYPES):
        card = int(g.card[p, h])
        if card >= 0 and r.card_n[card] > 0:
            for row in range(r.card_first[card], r.card_first[card] + r.card_n[card]):
                again += add_ability(r, g, p, row, codes.NO_GIVER, second)
    for giver in range(g.players):
        for c in range(r.n_diplomacy):
            if g.diplomacy[giver, c] == p:
                for row in range(r.diplomacy_first[c], r.diplomacy_first[c] + r.diplomacy_n[c]):
                    again += add_ability(r, g, p, row, giver, second)
        if g.given_card[giver] == p:
            leader = g.leader[giver]
            for row in range(r.given_card_first[leader], r.given_card_first[leader] + r.given_card_n[leader]):
                again += add_ability(r, g, p, row, giver, second)
    return again


@jit
def clear_numbers(r, g, p):
    """Set the numbers of a player to those without any ability."""
    g.power[p] = 0
    g.combat[p] = 0
    g.cost_change[p] = 0
    for kind in range(names.N_TYPES):
        for place in range(r.slots):
            g.acting_place[p, kind, place] = UNNAMED + place
    for doing in range(codes.N_DOINGS):
        for coastal in range(2):
            for terrain in range(names.N_TERRAINS):
                g.ground[p, doing, coastal, terrain] = r.terrain_difficulty[terrain]
    g.listed_n[p] = 0
    g.moments[p] = 0


@jit
def close_slots(r, g, p):
    """Let cards act from where they lie if no ability names their slot."""
    for kind in range(names.N_TYPES):
        for place in range(r.slots):
            if g.acting_place[p, kind, place] >= UNNAMED:
                g.acting_place[p, kind, place] = place


@jit
def count_wonders(r, g, p):
    """Count the world wonders of seat `p` by focus type, and note their newest era (1 = ancient; 0 = none)."""
    for kind in range(names.N_TYPES):
        g.wonders_held[p, kind] = 0
    g.newest_era[p] = 0
    for i in range(r.n_wonders):
        if controls(g, p, i):
            g.wonders_held[p, r.wonder_type[i]] += 1
            g.newest_era[p] = max(int(g.newest_era[p]), 1 + int(r.wonder_era[i]))


@jit
def refresh_seat(r, g, p):
    """Compute the numbers of seat `p` anew."""
    matures_with = g.power[p, codes.MATURES_WITH]
    count_wonders(r, g, p)
    clear_numbers(r, g, p)
    if has_partner(r):  # as if each held the other's Non-Aggression Pact
        g.power[p, codes.NON_AGGRESSION] = 1 << partner_of(r, p)
    changes = add_abilities(r, g, p, 0)
    close_slots(r, g, p)
    if changes > 0:
        add_abilities(r, g, p, 1)
    if g.power[p, codes.MATURES_WITH] != matures_with:  # agendas count mature cities
        g.dirty = 1


@jit
def refresh(r, g):
    """Compute anew the numbers of every seat for which a card or wonder changed hands."""
    for p in range(g.players):
        if g.stale >> p & 1 != 0:
            refresh_seat(r, g, p)
    g.stale = 0


# --- abilities that depend on the situation


@inline
def may_count_through(g, p, what):
    """May seat `p` count a distance through what stops others (`what`: codes.THROUGH)?"""
    return g.power[p, codes.COUNT_THROUGH] >> what & 1 != 0


@inline
def is_forbidden(g, p, what):
    """Do its abilities forbid seat `p` to do this (`what`: codes.FORBIDDEN)?"""
    return g.power[p, codes.FORBIDS] >> what & 1 != 0


@inline
def asks_for(r, row, what):
    """Does the ability count this (codes.COUNTS)?"""
    return r.ability_per[row] == what or r.ability_if[row] == what or r.ability_unless[row] == what


@jit
def combat_on_the_spot(r, g, w, p, side, s, target, q, terrain):
    """Return the combat bonuses of seat `p` that depend on the situation: neighbours, opponent, giver of the card."""
    other = other_side(g, s, target, q)
    ground = q  # Kremlin counts against the owner of the space attacked, which a figure's owner need not be (T12.23)
    if target > state.TARGET_CAPITAL and side == codes.ATTACK:
        ground = g.owner[s] if g.owner[s] != p else -1
    bonus = 0
    for k in range(g.listed_n[p]):
        row = g.listed[p, k]
        if r.ability_effect[row] != codes.COMBAT or r.ability_when[row] >> side & 1 == 0:
            continue
        if r.ability_target[row] >> target & 1 == 0 or r.ability_terrain[row] >> terrain & 1 == 0:
            continue
        if giver_fits(r, row, g.listed_giver[p, k], other):
            bonus += amount_at(r, g, w, p, row, -1, ground if asks_for(r, row, codes.REINFORCED_LEAD) else q, s)
    return bonus


@jit
def cost_on_the_spot(r, g, p, kind, era):
    """Return the changes of a wonder's cost that depend on the situation."""
    change = 0
    for k in range(g.listed_n[p]):
        row = g.listed[p, k]
        if r.ability_effect[row] == codes.WONDER_COST:
            fits = (r.ability_type[row] >> kind & 1) * (r.ability_era[row] >> era & 1)
            change += amount_of(r, g, p, row, kind, -1) if fits != 0 else 0
    return change


# --- Moments at which abilities act: gains come at once, deeds wait until the card has been resolved


@jit
def is_own_cause(g, p, row):
    """Is the ability of seat `p` among what has set off the deed being done? It acts once for each cause."""
    number = int(g.doing)
    while number > 0:
        if g.to_do[number - 1, 0] == p and g.to_do[number - 1, 1] == row:
            return True
        number = int(g.to_do[number - 1, 4])
    return False


@jit
def note_deed(g, w, p, row, s, amount):
    """Note a deed to do when the card has been resolved; the game ends at one for which there is no room."""
    n = int(g.to_do_n)
    if n >= names.MAX_TO_DO:
        end_without_room(g, w, state.OVERFULL, p, row)
        return
    g.to_do[n, 0] = p
    g.to_do[n, 1] = row
    g.to_do[n, 2] = s
    g.to_do[n, 3] = amount
    g.to_do[n, 4] = g.doing
    g.to_do_n = n + 1


@jit
def give_by(r, g, w, bots, p, row, giver, amount, q):
    """Let seat `p`, or the giver of its card, gain the ability's trade tokens or resources (`gain_by`), or lose some."""
    effect = r.ability_effect[row]
    if effect == codes.PAY_TRADE_TOKENS:
        give_up_trade(r, g, w, bots, p, amount, r.ability_source[row])
        return
    if effect == codes.STEAL_TRADE_TOKENS:
        loot_trade(r, g, w, bots, p, q, amount, r.ability_source[row])
        return
    if effect == codes.TRADE_TOKENS and r.ability_giver_places[row] != 0:
        gain_trade(r, g, w, bots, giver, r.ability_card[row], amount, r.ability_source[row])
        return
    if effect == codes.TRADE_TOKENS and r.ability_for_giver[row] != 0:
        for _ in range(amount):
            give_trade(r, g, w, bots, p, giver, r.ability_card[row], r.ability_source[row])
        return
    if effect == codes.TRADE_TOKENS:
        gain_trade(r, g, w, bots, p, r.ability_card[row], amount, r.ability_source[row])
        return
    for _ in range(amount):
        if r.ability_resource[row] < 0:
            gain_resource(r, g, w, bots, p, r.ability_new_type[row], r.ability_source[row])
        else:
            gain_resource_of(g, w, p, r.ability_resource[row])


@jit
def gain_by(r, g, w, bots, p, row, giver, amount, q):
    """Let seat `p`, or the giver of its card, gain the ability's trade tokens or resources, or lose some; the log names an own
    ability. `q`: the other player, or -1."""
    if r.ability_own[row] != 0:
        w.giving = row + 1
    give_by(r, g, w, bots, p, row, giver, amount, q)
    w.giving = 0


# By what an ability is held back at its moment (LOG_MOMENT); 0: it acts.
ACTS, BY_TARGET, BY_TYPE, BY_TERRAIN, BY_GIVER, BY_ONCE, BY_COUNT, BY_CAUSE = range(8)


@jit
def held_back(r, g, w, p, row, giver, moment, target, kind, s, q):
    """Return by which condition an ability of seat `p` is held back at a moment (see `happen`), ACTS if it acts."""
    if codes.KNOWS_TARGET >> moment & 1 != 0 and r.ability_target[row] >> target & 1 == 0:
        return BY_TARGET
    if r.ability_effect[row] == codes.STEAL_TRADE_TOKENS and (q < 0 or q >= names.MAX_PLAYERS or q == p):
        return BY_TARGET  # nobody's, or the holder's own
    if kind >= 0 and r.ability_type[row] >> kind & 1 == 0:
        return BY_TYPE
    if s >= 0 and r.ability_terrain[row] >> g.terrain[s] & 1 == 0:
        return BY_TERRAIN
    if not giver_fits(r, row, giver, q):
        return BY_GIVER
    if r.ability_once[row] != 0 and g.ability_used[row] & use_bit(p, giver) != 0:
        return BY_ONCE
    if not conditions_hold_at(r, g, w, p, row, kind, q if q < names.MAX_PLAYERS else -1, s):
        return BY_COUNT
    return BY_CAUSE if is_own_cause(g, p, row) else ACTS


@inline
def is_at_once(r, row):
    """Does the ability move trade tokens or resources? They change hands at once."""
    effect = r.ability_effect[row]
    gains = (effect == codes.TRADE_TOKENS) | (effect == codes.RESOURCES)
    return gains | (effect == codes.STEAL_TRADE_TOKENS) | (effect == codes.PAY_TRADE_TOKENS)


@inline
def note_moment(w, p, row, s, why, amount):
    """Note that the moment of an ability has come, and whether it acts, for who asks for that (``w.log_on`` 2)."""
    if w.log_on > 1:
        log(w, LOG_MOMENT, p, row, s, why, amount, 0)


@jit
def act(r, g, w, bots, p, row, giver, s, amount, q):
    """Let an ability of seat `p` act that nothing holds back: tokens change hands at once, anything else is noted.

    `q`: the other player, CITY_STATE_GIVER + city-state, or -1.
    """
    if is_at_once(r, row):
        gain_by(r, g, w, bots, p, row, giver, amount, q)
    else:
        note_deed(g, w, p, row, s, amount)


@jit
def let_act(r, g, w, bots, p, doer, moment, target, kind, s, q):
    """Let the abilities of seat `p` act that wait for this moment of seat `doer`: itself, or who gave their card (`happen`)."""
    for k in range(g.listed_n[p]):
        row, giver = g.listed[p, k], g.listed_giver[p, k]
        if r.ability_moment[row] != moment or (giver if waits_for_giver(r, row) else p) != doer:
            continue
        why = held_back(r, g, w, p, row, giver, moment, target, kind, s, q)
        other = q if q < names.MAX_PLAYERS else -1
        amount = int(counted_amount(r, g, w, p, row, kind, other, s)) if why == ACTS else 0
        note_moment(w, p, row, s, why, amount)
        if why == ACTS:
            act(r, g, w, bots, p, row, giver, s, amount, q)
            g.ability_used[row] |= use_bit(p, giver)


@jit
def happen(r, g, w, bots, p, moment, target, kind, s, q):
    """Let the abilities act that wait for the moment of seat `p`: its own, then those of cards that it gave, seat by seat.

    `target`: TARGET_* attacked or visited; `kind`: focus type of the card, wonder or city-state, or -1; `s`: the space, or -1;
    `q`: the other player, CITY_STATE_GIVER + city-state, or -1. Asked is what the moment knows (codes.MOMENT).
    """
    if g.moments[p] >> moment & 1 != 0:
        let_act(r, g, w, bots, p, p, moment, target, kind, s, q)
    if g.watched[p] >> moment & 1 != 0:
        for holder in range(g.players):
            if holder != p:
                let_act(r, g, w, bots, holder, p, moment, target, kind, s, q)
