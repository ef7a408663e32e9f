"""The military card and combat of the base game (B9, B10)."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import combat_on_the_spot, happen, may_count_through, other_side, refresh
from .choosing import LOG_ATTACK, LOG_COMBAT, LOG_WONDER_MOVED, choose, clear_combat, log, roll
from .compile.jit import inline, jit
from .culture import replace_city
from .diplomacy import gain_city_state_card, return_cards, return_city_state_card
from .industry import place_wonder, wonder_is_captured
from .map import difficulty, flood, hex_distance, is_city, mark_attack, next_to_city_of, queue_friendly
from .pieces import (
    barbarian_on,
    beat_barbarian,
    claim_city_state,
    conquered_city_state,
    controls,
    count_capture,
    flip_token,
    free_city_state,
    holder_of,
    is_partner,
    put_city,
    put_token,
    swap_token,
    take_city_off,
    take_token_off,
)
from .trade import ask_spend, gain_trade, loot_trade
from .winning import have_token, settle

# --- Combat in both boxes: bonuses (B9.5, B9.6) and effects of a victory (B9.9-B9.12, B10)
#
# The attack itself is by a military card of the base game (below) or by an army of the expansion (`battle.py`).

LEAST = -(1 << 15)  # below any bonus

# --- combat values


@inline
def target_of(g, s, barbarian):
    """Return the TARGET_* code of an attack on the space."""
    if barbarian != 0:
        return state.TARGET_BARBARIAN
    if g.city_state[s] >= 0:
        return state.TARGET_CITY_STATE
    if g.piece[s] == names.CAPITAL:
        return state.TARGET_CAPITAL
    return state.TARGET_CITY if is_city(g, s) else state.TARGET_TOKEN


@inline
def may_attack(r, g, p, target):
    """Do house rules and its abilities allow seat `p` to attack such targets?"""
    return (r.may_attack[target] != 0) & (g.power[p, codes.SPARES] >> target & 1 == 0)


@inline
def may_be_attacked(r, g, p, s, barbarian):
    """May seat `p` attack the barbarian, or else the piece, on the space (`may_attack`)?"""
    return may_attack(r, g, p, target_of(g, s, barbarian)) & ((barbarian != 0) | (not is_partner(r, p, g.owner[s])))


@inline
def wins(r, total, against):
    """B9.8: does the attacker's total beat the defender's?"""
    return total + r.attacker_wins_ties > against


@inline
def bonus_on(r, g, w, p, side, s, target, q, terrain):
    """Return the bonus of leader, wonders and diplomacy of seat `p` in a combat over the space, as if it had this terrain."""
    bonus = int(g.combat[p, side, target, terrain])
    if g.moments[p] >> codes.ASKS_COMBAT & 1 != 0:
        bonus += combat_on_the_spot(r, g, w, p, side, s, target, q, terrain)
    return bonus


@inline
def combat_bonus(r, g, w, p, side, s, target, q):
    """Return the bonus of leader, wonders and diplomacy of seat `p` in a combat over the space (`q`: the other seat, or -1)."""
    return bonus_on(r, g, w, p, side, s, target, q, int(g.terrain[s]))


@jit
def likely_terrains(r, g, p, card, s):
    """Return the terrains, as bits, from which seat `p` may come to attack the space: of own spaces within the card's range, in
    Terra Incognita of those beside it."""
    terrains = 0
    reach = 1 if r.box == names.TI_BOX else int(r.card_attack_range[card]) + int(g.power[p, codes.ATTACK_RANGE])
    for t in range(g.n_spaces):
        if (g.owner[t] == p or r.box == names.TI_BOX) and t != s and hex_distance(g, s, t) <= reach:
            terrains |= 1 << int(g.terrain[t])
    return terrains


@jit
def bonus_from(r, g, w, p, card, s, target, q):
    """Return the bonus of leader, wonders and diplomacy of seat `p` if the terrain of the space attacked from counts, for the
    best space the attack can come from."""
    terrains = int(g.attack_terrains)
    if terrains == 0:
        terrains = likely_terrains(r, g, p, card, s)
    best = LEAST
    for terrain in range(names.N_TERRAINS):
        if terrains >> terrain & 1 != 0:
            best = max(best, bonus_on(r, g, w, p, codes.ATTACK, s, target, q, terrain))
    return best


@jit
def attack_bonus(r, g, w, p, card, s, target, q):
    """B9.5: bonuses of card, leader, wonders and diplomacy for an attack on the space (`q`: defending seat, or -1)."""
    bonus = int(r.card_combat_barbarian[card] if target == state.TARGET_BARBARIAN else r.card_combat[card])
    if r.attack_from_terrain != 0:
        return bonus + bonus_from(r, g, w, p, card, s, target, q)
    return bonus + combat_bonus(r, g, w, p, codes.ATTACK, s, target, q)


@inline
def reinforced_worth(r, g, q):
    """Return the bonus of each reinforced token that counts in the defence of seat `q`."""
    return int(r.reinforced_bonus) + int(g.power[q, codes.REINFORCED_WORTH])


@jit
def held_ground(r, g, p, s, target, worth):
    """B9.6: the defence of a token's or city's space against seat `p`; `worth`: bonus of a reinforced token."""
    total = difficulty(r, g, p, s)
    if target != state.TARGET_TOKEN:
        total = total * r.city_defence_factor + r.target_bonus[target]
    elif g.piece[s] == names.REINFORCED:
        total += worth
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.owner[t] == g.owner[s] and g.piece[t] == names.REINFORCED:
            total += worth
    return total


@jit
def ground_defence(r, g, p, s, target):
    """B9.6: the defence of the space itself against seat `p`: terrain, doubled for a city, and reinforced tokens."""
    if target == state.TARGET_CITY_STATE:
        return int(r.city_state_defence)
    if target == state.TARGET_BARBARIAN:
        return difficulty(r, g, p, s) + int(r.barbarian_bonus)
    return held_ground(r, g, p, s, target, reinforced_worth(r, g, int(g.owner[s])))


@jit
def defence_bonus(r, g, w, q, s, p):
    """B9.6: the bonuses of the defending seat `q` against the attacking seat `p`."""
    return combat_bonus(r, g, w, q, codes.DEFEND, s, target_of(g, s, 0), p)


# --- effects of a victory


@jit
def beat_a_barbarian(r, g, w, bots, p, s):
    """B9.9: the barbarian leaves the map, 1 trade token on any card, and gains by abilities (Sumeria)."""
    beat_barbarian(g, w, p, s)
    gain_trade(r, g, w, bots, p, -1, r.barbarian_reward, decisions.SOURCE_BARBARIAN)
    happen(r, g, w, bots, p, codes.BARBARIAN_DEFEATED, state.TARGET_BARBARIAN, -1, s, -1)


@jit
def settle_conquest(r, g, w, bots, p, s):
    """Put an unused city on the conquered space, empty or a rival city, or a reinforced control token if there is none (B9.11).

    A player who has no token left either, and takes none off the map, leaves the space empty: a city-state there is free then.
    """
    g.taken[s] = 1
    if is_city(g, s):
        if replace_city(r, g, w, bots, p, s) != 0:
            return
    elif g.cities_left[p] > 0:
        put_city(r, g, w, p, s)
        return
    if have_token(r, g, w, bots, p, decisions.SOURCE_CONQUEST, r.conqueror_may_keep_tokens):
        put_token(g, w, p, s, names.REINFORCED)
        return
    cs = conquered_city_state(g, s)
    if cs >= 0:
        free_city_state(g, w, cs, 2)


@jit
def conquer_city_state(r, g, w, bots, p, s):
    """B10.1: token onto the own card, an own city on the space, both diplomacy cards out of the game for now."""
    cs = g.city_state[s]
    g.city_state[s] = -1
    claim_city_state(r, g, w, p, cs)
    for q in range(g.players):
        return_city_state_card(g, w, q, cs)
    settle_conquest(r, g, w, bots, p, s)


@jit
def carry_off_wonder(r, g, w, bots, p, q, s):
    """Move the world wonder of seat `q` on the space under a city of seat `p` that has room; else it stays (B9.10)."""
    wonder = g.wonder_token[s]
    if wonder >= 0 and place_wonder(r, g, w, bots, p, wonder) != 0:
        g.wonder_token[s] = -1
        count_capture(g, wonder)
        g.wonders_gained |= 1 << int(wonder)
        log(w, LOG_WONDER_MOVED, p, wonder, g.wonder_space[wonder], q, 0, 0)


@jit
def beat_conquered_city_state(r, g, w, bots, p, s, cs):
    """B10.3: a rival's conquered city-state is beaten: take it, or free it and take one of its cards."""
    w.option[0] = 0
    w.option[1] = 1
    w.ask_space = s
    fate = choose(r, g, w, bots, p, decisions.CITY_STATE_FATE, 2)
    if fate == 1 and r.liberator_takes_wonder != 0:
        carry_off_wonder(r, g, w, bots, p, g.owner[s], s)
    if fate == 0 and is_city(g, s):
        settle_conquest(r, g, w, bots, p, s)
        return
    g.city_state_owner[cs] = -1
    if is_city(g, s):
        take_city_off(g, w, s, p)
    else:
        take_token_off(r, g, w, s, p)
    if fate == 0:
        claim_city_state(r, g, w, p, cs)
        settle_conquest(r, g, w, bots, p, s)
    else:
        free_city_state(g, w, cs, 1)
        gain_city_state_card(g, w, p, cs)


@jit
def loot_capital(r, g, w, bots, p, q, s):
    """B9.9, B9.10: take up to two of the loser's trade tokens, and the wonder if an own city has room for it."""
    g.capitals_beaten[p] += 1
    g.dirty = 1
    loot_trade(r, g, w, bots, p, q, r.capital_loot, decisions.SOURCE_LOOT)
    carry_off_wonder(r, g, w, bots, p, q, s)


@jit
def wonder_to_win(g, p, s):
    """Return the world wonder on the space if seat `p` does not have it, or -1."""
    wonder = int(g.wonder_token[s])
    return -1 if wonder < 0 or controls(g, p, wonder) else wonder


@jit
def keep_won_wonder(r, g, w, bots, p, wonder):
    """T11.3: a wonder that seat `p` has gained by a won attack is captured."""
    if wonder >= 0 and controls(g, p, wonder):
        wonder_is_captured(r, g, w, bots, p, wonder)


@jit
def take_token_space(r, g, w, bots, p, s):
    """B9.9: replace the beaten control token by an own, unreinforced one, or leave the space empty without one (B1.6)."""
    if have_token(r, g, w, bots, p, decisions.SOURCE_CONQUEST, r.conqueror_may_keep_tokens):
        swap_token(g, w, p, s, names.TOKEN)
    else:
        take_token_off(r, g, w, s, p)
    g.taken[s] = 1


@jit
def beat_target(r, g, w, bots, p, s, target, q):
    """B9.9: carry out the attacker's victory over the target, of seat `q` or nobody (-1)."""
    cs = conquered_city_state(g, s)
    if target == state.TARGET_BARBARIAN:
        beat_a_barbarian(r, g, w, bots, p, s)
    elif target == state.TARGET_CITY_STATE:
        conquer_city_state(r, g, w, bots, p, s)
    elif target == state.TARGET_CAPITAL:
        loot_capital(r, g, w, bots, p, q, s)
    elif cs >= 0 and g.city_state_owner[cs] == q:
        beat_conquered_city_state(r, g, w, bots, p, s, cs)
    elif target == state.TARGET_CITY:
        settle_conquest(r, g, w, bots, p, s)
    else:
        take_token_space(r, g, w, bots, p, s)


# --- around the attack


@jit
def break_ties(r, g, w, p, s, target, q):
    """B9.12: an attack returns every diplomacy card the attacker has from that player or city-state."""
    if q >= 0:
        return_cards(r, g, w, p, q)
    elif target == state.TARGET_CITY_STATE:
        return_city_state_card(g, w, p, g.city_state[s])


@jit
def ask_combat(w, total, against, target, s, other):
    """Set the fields about a combat for the next question."""
    w.ask_attack = total
    w.ask_defence = against
    w.ask_target = target
    w.ask_space = s
    w.ask_seat = other


# --- Military cards of the base game (B9)


@jit
def list_plain_tokens(g, w, p, beside):
    """List the unreinforced control tokens of seat `p`, or only those next to own cities (`beside` BESIDE_CITY)."""
    n = 0
    for s in range(g.n_spaces):
        if g.owner[s] == p and g.piece[s] == names.TOKEN and (beside != codes.BESIDE_CITY or next_to_city_of(g, p, s)):
            w.option[n] = s
            n += 1
    return n


@jit
def reinforce(r, g, w, bots, p, slot, amount, beside):
    """B9.1: turn up to `amount` own control tokens (`beside`: codes.BESIDE) to their reinforced side."""
    for k in range(amount):
        n = list_plain_tokens(g, w, p, beside)
        w.option[n] = decisions.PASS
        w.ask_slot = slot
        w.ask_left = amount - k
        s = choose(r, g, w, bots, p, decisions.REINFORCE, n + 1)
        if s == decisions.PASS:
            return
        flip_token(g, w, s, names.REINFORCED)


# --- the attack


@jit
def win_attack(r, g, w, bots, p, s, target, q):
    """B9.9: carry out the attacker's victory, and let abilities act."""
    g.attacks_won_this_turn += 1
    g.stat_attacks_won[p, target] += 1
    other = other_side(g, s, target, q)
    wonder = wonder_to_win(g, p, s)
    beat_target(r, g, w, bots, p, s, target, q)
    settle(r, g, w, bots)
    keep_won_wonder(r, g, w, bots, p, wonder)
    happen(r, g, w, bots, p, codes.ATTACK_WON, target, -1, s, other)


@jit
def attack(r, g, w, bots, p, h, slot, s, barbarian):
    """Resolve one attack of seat `p` on the space (B9.4-B9.9); return 1 if it is won."""
    target = target_of(g, s, barbarian)
    q = g.owner[s] if target != state.TARGET_BARBARIAN and target != state.TARGET_CITY_STATE else -1
    g.stat_attacks[p, target] += 1
    log(w, LOG_ATTACK, p, target, s, q, barbarian_on(g, s) if barbarian != 0 else -1, 0)
    break_ties(r, g, w, p, s, target, q)
    if g.stale != 0:
        refresh(r, g)
    attack_die = roll(r, g, state.STREAM_DICE)
    defence_die = roll(r, g, state.STREAM_DICE)
    total = attack_die + slot + attack_bonus(r, g, w, p, g.card[p, h], s, target, q)
    against = defence_die + ground_defence(r, g, p, s, target)
    if q >= 0:
        against += defence_bonus(r, g, w, q, s, p)
        g.stat_defences[q] += 1
    ask_combat(w, total, against, target, s, q)
    total += ask_spend(r, g, w, bots, p, h, decisions.SOURCE_ATTACK) * r.trade_effect[names.MILITARY]
    if q >= 0:
        ask_combat(w, total, against, target, s, p)
        against += (
            ask_spend(r, g, w, bots, q, holder_of(r, g, q, names.MILITARY), decisions.SOURCE_DEFENCE)
            * r.trade_effect[names.MILITARY]
        )
    settle(r, g, w, bots)
    won = 1 if wins(r, total, against) else 0
    log(w, LOG_COMBAT, p, attack_die, total, defence_die, against, won)
    clear_combat(w)
    if won != 0:
        win_attack(r, g, w, bots, p, s, target, q)
    elif q >= 0:
        g.stat_defences_won[q] += 1
        happen(r, g, w, bots, q, codes.DEFENCE_WON, target, -1, s, p)
    if won == 0:
        happen(r, g, w, bots, p, codes.ATTACK_LOST, target, -1, s, other_side(g, s, target, q))
    return won


@inline
def attack_range(r, g, p, card):
    """Return the range of attacks of seat `p` with this card, from friendly spaces."""
    return int(r.card_attack_range[card]) + int(g.power[p, codes.ATTACK_RANGE])


@jit
def queue_attack(r, g, w, p, card):
    """Mark the spaces that an attack's distance may be counted through, queue those it is counted from; return how many."""
    water = r.card_through_water[card] != 0 or may_count_through(g, p, codes.THROUGH_ATTACK_WATER)
    rivals = r.card_through_rival[card] != 0 or may_count_through(g, p, codes.THROUGH_ATTACK_RIVALS)
    barbarians = r.card_through_barbarian[card] != 0 or may_count_through(g, p, codes.THROUGH_ATTACK_BARBARIANS)
    mark_attack(g, w, p, int(water), int(rivals), int(barbarians))
    return queue_friendly(g, w, p, 1)


@jit
def list_targets(r, g, w, p, card):
    """List the targets of seat `p` with this card (B9.2, B9.3); return how many."""
    flood(g, w, 0, queue_attack(r, g, w, p, card), attack_range(r, g, p, card))
    anywhere = g.power[p, codes.ATTACK_ANYWHERE] != 0
    n = 0
    for s in range(g.n_spaces):
        if w.dist[0, s] < 0 and not anywhere:
            continue
        if g.barbarians[s] != 0:
            w.option[n] = decisions.BARBARIAN_OPTION + s
            n += int(may_be_attacked(r, g, p, s, 1))
        elif g.city_state[s] >= 0:
            w.option[n] = s
            n += int(may_be_attacked(r, g, p, s, 0))
        if g.owner[s] >= 0 and g.owner[s] != p:
            w.option[n] = s
            n += int(may_be_attacked(r, g, p, s, 0))
    return n


@jit
def terrains_of_attack(r, g, w, p, card, s):
    """Return the terrains, as bits, of the friendly spaces from which seat `p` can attack the space with this card (B9.2)."""
    terrains = 0
    for terrain in range(names.N_TERRAINS):
        n = 0
        for k in range(queue_attack(r, g, w, p, card)):
            if g.terrain[w.queue[k]] == terrain:
                w.queue[n] = w.queue[k]
                n += 1
        flood(g, w, 0, n, attack_range(r, g, p, card))
        if w.dist[0, s] >= 0 or (n > 0 and g.power[p, codes.ATTACK_ANYWHERE] != 0):
            terrains |= 1 << terrain
    return terrains


@inline
def number_of_attacks(r, g, p, card):
    """Return how many attacks seat `p` may make with this card."""
    return int(r.card_attacks[card]) + int(g.power[p, codes.ATTACKS]) if r.card_attacks[card] > 0 else 0


@jit
def attack_up_to(r, g, w, bots, p, h, slot):
    """Make up to the card's number of attacks; return how many were made."""
    card = g.card[p, h]
    most = number_of_attacks(r, g, p, card)
    for k in range(most):
        n = list_targets(r, g, w, p, card)
        w.option[n] = decisions.PASS
        w.ask_slot = slot
        w.ask_holder = h
        w.ask_left = most - k
        picked = choose(r, g, w, bots, p, decisions.ATTACK, n + 1)
        if picked == decisions.PASS:
            return k
        barbarian = 1 if picked >= decisions.BARBARIAN_OPTION else 0
        s = picked - barbarian * decisions.BARBARIAN_OPTION
        if r.attack_from_terrain != 0:
            g.attack_terrains = terrains_of_attack(r, g, w, p, card, s)
        attack(r, g, w, bots, p, h, slot, s, barbarian)
        g.attack_terrains = 0
    return most


@jit
def resolve_military(r, g, w, bots, p, h, slot):
    """B9: reinforce or attack (Mass Production: attack, then reinforce up to the slot number less the attacks made)."""
    card = g.card[p, h]
    if r.card_attack_and_reinforce[card] != 0:
        attacks = attack_up_to(r, g, w, bots, p, h, slot)
        reinforce(r, g, w, bots, p, slot, max(0, slot + g.power[p, codes.REINFORCEMENTS] - attacks), codes.BESIDE_ANYTHING)
        return
    targets = list_targets(r, g, w, p, card) if number_of_attacks(r, g, p, card) > 0 else 0
    n = 0
    if r.card_reinforce[card] != 0:
        w.option[n] = decisions.MILITARY_REINFORCE
        n += 1
    if targets > 0:
        w.option[n] = decisions.MILITARY_ATTACK
        n += 1
    w.option[n] = decisions.PASS
    w.ask_slot = slot
    w.ask_holder = h
    picked = choose(r, g, w, bots, p, decisions.MILITARY, n + 1)
    if picked == decisions.MILITARY_REINFORCE:
        reinforce(r, g, w, bots, p, slot, slot + g.power[p, codes.REINFORCEMENTS], codes.BESIDE_ANYTHING)
    elif picked == decisions.MILITARY_ATTACK:
        attack_up_to(r, g, w, bots, p, h, slot)


assert decisions.BARBARIAN_OPTION > names.MAX_SPACES
