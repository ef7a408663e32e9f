"""Military cards (B9): reinforcing, attacking, and what a victory changes (B9.9-B9.12, B10)."""

from newdawn.simulator.engine.board.abilities import combat_on_the_spot, may_count_through, refresh
from newdawn.simulator.engine.board.agendas import have_token, settle
from newdawn.simulator.engine.board.events import happen
from newdawn.simulator.engine.board.hexes import difficulty, flood, is_city, mark_attack, queue_friendly
from newdawn.simulator.engine.board.pieces import (
    barbarian_on,
    beat_barbarian,
    claim_city_state,
    conquered_city_state,
    controls,
    flip_token,
    free_city_state,
    holder_of,
    put_city,
    put_token,
    swap_token,
    take_city_off,
    take_token_off,
)
from newdawn.simulator.engine.board.trade import ask_spend, gain_trade
from newdawn.simulator.engine.cards.diplomacy import gain_city_state_card, return_cards, return_city_state_card
from newdawn.simulator.engine.cards.industry import place_wonder, wonder_is_captured
from newdawn.simulator.engine.cards.taking import take_tokens_beside
from newdawn.simulator.engine.core import decisions
from newdawn.simulator.engine.core.decide import choose
from newdawn.simulator.engine.core.decisions import (
    BARBARIAN_OPTION,
    PASS,
    SOURCE_ATTACK,
    SOURCE_BARBARIAN,
    SOURCE_CONQUEST,
    SOURCE_DEFENCE,
    SOURCE_LOOT,
)
from newdawn.simulator.engine.core.jit import inline, jit
from newdawn.simulator.engine.core.log import LOG_ATTACK, LOG_CITY_STATE, LOG_COMBAT, LOG_TRADE, LOG_WONDER_MOVED, log
from newdawn.simulator.engine.core.rng import roll
from newdawn.simulator.engine.core.state import (
    STREAM_DICE,
    TARGET_BARBARIAN,
    TARGET_CAPITAL,
    TARGET_CITY,
    TARGET_CITY_STATE,
    TARGET_TOKEN,
)
from newdawn.simulator.limits import MAX_SPACES
from newdawn.simulator.names import CAPITAL, MILITARY, N_TYPES, REINFORCED, TOKEN
from newdawn.simulator.rules.ability_codes import (
    ASKS_COMBAT,
    ATTACK,
    ATTACK_ANYWHERE,
    ATTACK_RANGE,
    ATTACK_WON,
    ATTACKS,
    BARBARIAN_DEFEATED,
    DEFENCE_WON,
    DEFEND,
    REINFORCED_WORTH,
    REINFORCEMENTS,
    THROUGH_ATTACK_BARBARIANS,
    THROUGH_ATTACK_RIVALS,
    THROUGH_ATTACK_WATER,
)

# --- reinforcing


@jit
def reinforce(r, g, w, bots, p, slot, amount):
    """B9.1: turn up to `amount` own control tokens to their reinforced side."""
    for k in range(amount):
        n = 0
        for s in range(g.n_spaces):
            if g.owner[s] == p and g.piece[s] == TOKEN:
                w.option[n] = s
                n += 1
        w.option[n] = PASS
        w.ask_slot = slot
        w.ask_left = amount - k
        s = choose(r, g, w, bots, p, decisions.REINFORCE, n + 1)
        if s == PASS:
            return
        flip_token(g, w, s, REINFORCED)


# --- combat values


@inline
def target_of(g, s, barbarian):
    """Return the TARGET_* code of what is attacked on the space."""
    if barbarian != 0:
        return TARGET_BARBARIAN
    if g.city_state[s] >= 0:
        return TARGET_CITY_STATE
    if g.piece[s] == CAPITAL:
        return TARGET_CAPITAL
    return TARGET_CITY if is_city(g, s) else TARGET_TOKEN


@inline
def may_be_attacked(r, g, s, barbarian):
    """Do the rules allow attacks on what is there, the barbarian or what stands on the space (house rules may not)?"""
    return r.may_attack[target_of(g, s, barbarian)] != 0


@inline
def wins(r, total, against):
    """B9.8: does the attacker's total beat the defender's?"""
    return total + r.attacker_wins_ties > against


@inline
def combat_bonus(r, g, w, p, side, s, target, q):
    """Return what leader, wonders and diplomacy give seat `p` in a combat over the space (`q`: the other seat, or -1)."""
    bonus = int(g.combat[p, side, target, g.terrain[s]])
    if g.moments[p] >> ASKS_COMBAT & 1 != 0:
        bonus += combat_on_the_spot(r, g, w, p, side, s, target, q)
    return bonus


@jit
def attack_bonus(r, g, w, p, card, s, target, q):
    """B9.5: bonuses of card, leader, wonders and diplomacy for an attack on the space (`q`: defending seat, or -1)."""
    bonus = int(r.card_combat_barbarian[card] if target == TARGET_BARBARIAN else r.card_combat[card])
    return bonus + combat_bonus(r, g, w, p, ATTACK, s, target, q)


@jit
def ground_defence(r, g, p, s, target):
    """B9.6: what the space itself gives the defender against seat `p`: terrain, doubled for a city, and reinforced tokens."""
    if target == TARGET_CITY_STATE:
        return int(r.city_state_defence)
    total = difficulty(r, g, p, s)
    if target == TARGET_BARBARIAN:
        return total
    reinforced = int(r.reinforced_bonus) + int(g.power[g.owner[s], REINFORCED_WORTH])
    if target != TARGET_TOKEN:
        total = total * r.city_defence_factor + r.target_bonus[target]
    elif g.piece[s] == REINFORCED:
        total += reinforced
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.owner[t] == g.owner[s] and g.piece[t] == REINFORCED:
            total += reinforced
    return total


@jit
def defence_bonus(r, g, w, q, s, p):
    """B9.6: the bonuses of the defending seat `q` against the attacking seat `p`."""
    return combat_bonus(r, g, w, q, DEFEND, s, target_of(g, s, 0), p)


# --- what a victory changes


@jit
def beat_a_barbarian(r, g, w, bots, p, s):
    """B9.9: the barbarian leaves the map, 1 trade token on any card, and what abilities add (Sumeria)."""
    beat_barbarian(g, w, p, s)
    gain_trade(r, g, w, bots, p, -1, r.barbarian_reward, SOURCE_BARBARIAN)
    happen(r, g, w, bots, p, BARBARIAN_DEFEATED, TARGET_BARBARIAN, -1, s, -1)


@jit
def settle_conquest(r, g, w, bots, p, s):
    """Put an unused city on the conquered, now empty space, or a reinforced control token if there is none (B9.11).

    Whoever has no token left either, and takes none off the map, leaves the space empty: a city-state there is free then.
    """
    g.taken[s] = 1
    if g.cities_left[p] > 0:
        put_city(r, g, w, p, s)
        return
    if have_token(r, g, w, bots, p, SOURCE_CONQUEST, r.conqueror_may_keep_tokens):
        put_token(g, w, p, s, REINFORCED)
        return
    cs = conquered_city_state(g, s)
    if cs >= 0:
        free_city_state(g, w, cs, 2)


@jit
def conquer_city_state(r, g, w, bots, p, s):
    """B10.1: token onto the own card, an own city on the space, both diplomacy cards out of the game for now."""
    cs = g.city_state[s]
    for q in range(g.players):
        return_city_state_card(g, w, q, cs)
    g.city_state[s] = -1
    claim_city_state(r, g, p, cs)
    log(w, LOG_CITY_STATE, p, cs, 0, 0, 0, 0)
    settle_conquest(r, g, w, bots, p, s)


@jit
def carry_off_wonder(r, g, w, bots, p, q, s):
    """Move the world wonder of seat `q` on the space under a city of seat `p` that has room; else it stays (B9.10)."""
    wonder = g.wonder_token[s]
    if wonder >= 0 and place_wonder(r, g, w, bots, p, wonder) != 0:
        g.wonder_token[s] = -1
        g.wonder_captures[wonder] += 1
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
        take_tokens_beside(r, g, w, bots, p, s)
    g.city_state_owner[cs] = -1
    if is_city(g, s):
        take_city_off(g, w, s, p)
    else:
        take_token_off(r, g, w, s, p)
    if fate == 0:
        claim_city_state(r, g, p, cs)
        log(w, LOG_CITY_STATE, p, cs, 0, 0, 0, 0)
        settle_conquest(r, g, w, bots, p, s)
    else:
        free_city_state(g, w, cs, 1)
        gain_city_state_card(g, w, p, cs)


@jit
def loot_capital(r, g, w, bots, p, q, s):
    """B9.9, B9.10: take up to two of the loser's trade tokens, and the wonder if an own city has room for it."""
    g.capitals_beaten[p] += 1
    g.dirty = 1
    for _ in range(r.capital_loot):
        n = 0
        for h in range(N_TYPES):
            if g.card[q, h] >= 0 and g.trade[q, h] > 0:
                w.option[n] = h
                n += 1
        if n == 0:
            break
        w.option[n] = PASS
        w.ask_seat = q
        w.ask_space = s
        h = choose(r, g, w, bots, p, decisions.LOOT, n + 1)
        if h == PASS:
            break
        g.trade[q, h] -= 1
        log(w, LOG_TRADE, q, h, -1, SOURCE_LOOT, 0, 0)
        gain_trade(r, g, w, bots, p, -1, 1, SOURCE_LOOT)
    carry_off_wonder(r, g, w, bots, p, q, s)


@jit
def win_attack(r, g, w, bots, p, s, target, q):
    """B9.9: the attacker wins."""
    g.attacks_won_this_turn += 1
    g.stat_attacks_won[p, target] += 1
    cs = conquered_city_state(g, s)
    wonder = int(g.wonder_token[s])
    was_own = wonder >= 0 and controls(g, p, wonder)
    if target == TARGET_BARBARIAN:
        beat_a_barbarian(r, g, w, bots, p, s)
    elif target == TARGET_CITY_STATE:
        conquer_city_state(r, g, w, bots, p, s)
    elif target == TARGET_CAPITAL:
        loot_capital(r, g, w, bots, p, q, s)
    elif cs >= 0 and g.city_state_owner[cs] == q:
        beat_conquered_city_state(r, g, w, bots, p, s, cs)
    elif target == TARGET_CITY:
        take_tokens_beside(r, g, w, bots, p, s)
        take_city_off(g, w, s, p)
        settle_conquest(r, g, w, bots, p, s)
    else:
        if have_token(r, g, w, bots, p, SOURCE_CONQUEST, r.conqueror_may_keep_tokens):
            swap_token(g, w, p, s, TOKEN)
        else:
            take_token_off(r, g, w, s, p)
        g.taken[s] = 1
    settle(r, g, w, bots)
    if wonder >= 0 and not was_own and controls(g, p, wonder):
        wonder_is_captured(r, g, w, bots, p, wonder)
    happen(r, g, w, bots, p, ATTACK_WON, target, -1, s, q)


# --- the attack


@jit
def break_ties(r, g, w, p, s, target, q):
    """B9.12: an attack returns every diplomacy card the attacker has from that player or city-state."""
    if q >= 0:
        return_cards(r, g, w, p, q)
    elif target == TARGET_CITY_STATE:
        return_city_state_card(g, w, p, g.city_state[s])


@jit
def ask_combat(w, total, against, target, s, other):
    """Tell the strategy that is asked next how the combat stands."""
    w.ask_attack = total
    w.ask_defence = against
    w.ask_target = target
    w.ask_space = s
    w.ask_seat = other


@jit
def attack(r, g, w, bots, p, h, slot, s, barbarian):
    """Resolve one attack of seat `p` on the space (B9.4-B9.9); return 1 if it is won."""
    target = target_of(g, s, barbarian)
    q = g.owner[s] if target != TARGET_BARBARIAN and target != TARGET_CITY_STATE else -1
    g.stat_attacks[p, target] += 1
    log(w, LOG_ATTACK, p, target, s, q, barbarian_on(g, s) if barbarian != 0 else -1, 0)
    break_ties(r, g, w, p, s, target, q)
    if g.stale != 0:
        refresh(r, g)
    attack_die = roll(r, g, STREAM_DICE)
    defence_die = roll(r, g, STREAM_DICE)
    total = attack_die + slot + attack_bonus(r, g, w, p, g.card[p, h], s, target, q)
    against = defence_die + ground_defence(r, g, p, s, target)
    if q >= 0:
        against += defence_bonus(r, g, w, q, s, p)
        g.stat_defences[q] += 1
    ask_combat(w, total, against, target, s, q)
    total += ask_spend(r, g, w, bots, p, h, SOURCE_ATTACK) * r.trade_effect[MILITARY]
    if q >= 0:
        ask_combat(w, total, against, target, s, p)
        against += ask_spend(r, g, w, bots, q, holder_of(r, g, q, MILITARY), SOURCE_DEFENCE) * r.trade_effect[MILITARY]
    settle(r, g, w, bots)
    won = 1 if wins(r, total, against) else 0
    log(w, LOG_COMBAT, p, attack_die, total, defence_die, against, won)
    if won != 0:
        win_attack(r, g, w, bots, p, s, target, q)
    elif q >= 0:
        g.stat_defences_won[q] += 1
        happen(r, g, w, bots, q, DEFENCE_WON, target, -1, s, p)
    return won


@inline
def attack_range(r, g, p, card):
    """Return how far from a friendly space seat `p` may attack with this card."""
    return int(r.card_attack_range[card]) + int(g.power[p, ATTACK_RANGE])


@jit
def queue_attack(r, g, w, p, card):
    """Mark what the distance of an attack may be counted through and queue where it is counted from; return how many."""
    water = r.card_through_water[card] != 0 or may_count_through(g, p, THROUGH_ATTACK_WATER)
    rivals = r.card_through_rival[card] != 0 or may_count_through(g, p, THROUGH_ATTACK_RIVALS)
    barbarians = r.card_through_barbarian[card] != 0 or may_count_through(g, p, THROUGH_ATTACK_BARBARIANS)
    mark_attack(g, w, p, int(water), int(rivals), int(barbarians))
    return queue_friendly(g, w, p, 1)


@jit
def list_targets(r, g, w, p, card):
    """List what seat `p` may attack with this card (B9.2, B9.3); return how many."""
    flood(g, w, 0, queue_attack(r, g, w, p, card), attack_range(r, g, p, card))
    anywhere = g.power[p, ATTACK_ANYWHERE] != 0
    n = 0
    for s in range(g.n_spaces):
        if w.dist[0, s] < 0 and not anywhere:
            continue
        if g.barbarians[s] != 0:
            w.option[n] = BARBARIAN_OPTION + s
            n += int(may_be_attacked(r, g, s, 1))
        elif g.city_state[s] >= 0:
            w.option[n] = s
            n += int(may_be_attacked(r, g, s, 0))
        if g.owner[s] >= 0 and g.owner[s] != p:
            w.option[n] = s
            n += int(may_be_attacked(r, g, s, 0))
    return n


@inline
def number_of_attacks(r, g, p, card):
    """Return how many attacks seat `p` may make with this card."""
    return int(r.card_attacks[card]) + int(g.power[p, ATTACKS]) if r.card_attacks[card] > 0 else 0


@jit
def attack_up_to(r, g, w, bots, p, h, slot):
    """Make up to the card's number of attacks; return how many were made."""
    card = g.card[p, h]
    most = number_of_attacks(r, g, p, card)
    for k in range(most):
        n = list_targets(r, g, w, p, card)
        w.option[n] = PASS
        w.ask_slot = slot
        w.ask_holder = h
        w.ask_left = most - k
        picked = choose(r, g, w, bots, p, decisions.ATTACK, n + 1)
        if picked == PASS:
            return k
        barbarian = 1 if picked >= BARBARIAN_OPTION else 0
        attack(r, g, w, bots, p, h, slot, picked - barbarian * BARBARIAN_OPTION, barbarian)
    return most


@jit
def resolve_military(r, g, w, bots, p, h, slot):
    """B9: reinforce or attack (Mass Production: attack, then reinforce with what is left of the slot number)."""
    card = g.card[p, h]
    if r.card_attack_and_reinforce[card] != 0:
        made = attack_up_to(r, g, w, bots, p, h, slot)
        reinforce(r, g, w, bots, p, slot, max(0, slot + g.power[p, REINFORCEMENTS] - made))
        return
    targets = list_targets(r, g, w, p, card) if number_of_attacks(r, g, p, card) > 0 else 0
    n = 0
    if r.card_reinforce[card] != 0:
        w.option[n] = decisions.MILITARY_REINFORCE
        n += 1
    if targets > 0:
        w.option[n] = decisions.MILITARY_ATTACK
        n += 1
    w.option[n] = PASS
    w.ask_slot = slot
    w.ask_holder = h
    picked = choose(r, g, w, bots, p, decisions.MILITARY, n + 1)
    if picked == decisions.MILITARY_REINFORCE:
        reinforce(r, g, w, bots, p, slot, slot + g.power[p, REINFORCEMENTS])
    elif picked == decisions.MILITARY_ATTACK:
        attack_up_to(r, g, w, bots, p, h, slot)


assert BARBARIAN_OPTION > MAX_SPACES
