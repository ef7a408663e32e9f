"""Attacks of armies in Terra Incognita: the target, the combat, and the effects of a victory (T5.6-T5.13, T6.3-T6.5).

An army attacks on the space it enters (`armies.py` moves it there, and back or home afterwards). A target is the code
`target * 8 + seat`, with the seat NOBODY for barbarians, city-states and uncontrolled forts.
"""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import happen, other_side, refresh
from .choosing import LOG_ATTACK, LOG_COMBAT, LOG_FORT, LOG_REROLL, choose, clear_combat, log, roll
from .combat import (
    ask_combat,
    attack_bonus,
    beat_target,
    break_ties,
    combat_bonus,
    ground_defence,
    held_ground,
    keep_won_wonder,
    may_attack,
    reinforced_worth,
    target_of,
    wins,
    wonder_to_win,
)
from .compile.jit import inline, jit
from .culture import replace_city
from .map import difficulty, is_city, is_fort, is_free_fort
from .pieces import (
    armies_of,
    army_on,
    barbarian_on,
    caravan_on,
    conquered_city_state,
    has_pact,
    holder_of,
    lose_army,
    lose_caravan,
    note_strike,
    put_city,
    put_token,
    take_token_off,
)
from .trade import pay_resource, spend, spendable
from .winning import have_token, settle

NOBODY = 7  # seat in the code of a target without an owner
TARGET_CODES = names.N_TARGETS * 8
LOST, WON, MOVES_ON = 0, 1, 2  # how a fight ends; MOVES_ON: won, and the army sets out once more (Scorched Earth)
FORT_EMPTY, FORT_TOKEN, FORT_STAYS = 0, 1, 2  # T6.5: who beats a fort without an unused city (r.fort_no_city)


# --- targets (T5.6)


@inline
def option_bit(r, g, p, target, seat):
    """Return the bit of the option `target * 8 + seat`, or 0 if seat `p` may not attack such a target."""
    return (1 << (target * 8 + seat)) * int(may_attack(r, g, p, target))


@inline
def may_hold_target(g, p, s):
    """May there be something on the space that an army of seat `p` attacks? Most spaces are empty."""
    rival = (g.owner[s] >= 0) & (g.owner[s] != p)  # without branches, as it is called for every space of the map
    figures = (g.armies[s] != 0) | (g.caravans[s] != 0) | (g.barbarians[s] != 0)
    return rival | figures | (g.city_state[s] >= 0) | is_fort(g, s)


@jit
def list_targets_on(r, g, p, s):
    """Return what an army of seat `p` may attack on the space, as bits of the codes `target * 8 + seat` (T5.6).

    A barbarian always comes first. Pieces of players whose Non-Aggression Pact `p` holds are no targets (T12.4).
    """
    if g.barbarians[s] != 0:
        return option_bit(r, g, p, state.TARGET_BARBARIAN, NOBODY)
    targets = 0
    if g.city_state[s] >= 0:
        targets |= option_bit(r, g, p, state.TARGET_CITY_STATE, NOBODY)
    if is_free_fort(g, s) and (g.owner[s] < 0 or g.owner[s] == p):
        targets |= option_bit(r, g, p, state.TARGET_FORT, NOBODY)
    owner = int(g.owner[s])
    if owner >= 0 and owner != p and not has_pact(g, p, owner):
        targets |= option_bit(r, g, p, target_of(g, s, 0), owner)
    if g.caravans[s] == 0 and g.armies[s] == 0:
        return targets
    for q in range(g.players):
        if q == p or has_pact(g, p, q):
            continue
        if caravan_on(g, q, s) >= 0:
            targets |= option_bit(r, g, p, state.TARGET_CARAVAN, q)
        if army_on(g, q, s) >= 0:
            targets |= option_bit(r, g, p, state.TARGET_ARMY, q)
    return targets


@jit
def choose_target(r, g, w, bots, p, s):
    """Let seat `p` choose what its army attacks on the space it has entered; return `target * 8 + seat`, or -1 for nothing."""
    targets = list_targets_on(r, g, p, s)
    n = 0
    for code in range(TARGET_CODES):
        if targets >> code & 1 != 0:
            w.option[n] = code
            n += 1
    if n == 0:
        return -1
    w.ask_space = s
    return choose(r, g, w, bots, p, decisions.ARMY_TARGET, n)


# --- the combat (T5.7-T5.9)


@jit
def siege(r, g):
    """Return the change of everybody's reinforced tokens in defence by the current player's cards (Siege Tactics)."""
    change = 0
    for h in range(names.N_TYPES):
        card = g.card[g.current, h]
        if card >= 0:
            change += int(r.card_reinforced_change[card])
    return change


@jit
def defence_on(r, g, p, s, target, q):
    """T5.7: the defence of the target of seat `q` (-1: nobody's) against seat `p`: terrain, reinforced tokens and guard."""
    if target == state.TARGET_FORT:
        return int(r.fort_defence)
    if q < 0:
        return ground_defence(r, g, p, s, target)
    guards = armies_of(g, q, s)
    if target == state.TARGET_ARMY or target == state.TARGET_CARAVAN:
        total = difficulty(r, g, p, s)
        guards -= 1 if target == state.TARGET_ARMY else 0
    else:
        total = held_ground(r, g, p, s, target, max(0, reinforced_worth(r, g, q) + siege(r, g)))
    return total + int(r.guard_bonus) if guards > 0 else total


@jit
def list_spending(r, g, w, p, h):
    """List what seat `p`, with the military card of the holder (-1: none), may spend in a combat, and PASS; return how many."""
    n = 0
    if h >= 0 and spendable(r, g, p, h, -1) > 0:
        w.option[0] = decisions.SPEND_ONE
        w.option[1] = decisions.SPEND_REROLL
        n = 2 if r.reroll_allowed != 0 else 1
    if g.power[p, codes.COMBAT_PER_RESOURCE] != 0:
        for kind in range(names.N_RESOURCES):
            if g.resources[p, kind] > 0:
                w.option[n] = decisions.SPEND_RESOURCE + kind
                n += 1
    w.option[n] = decisions.PASS
    return n + 1


@jit
def spend_in_combat(r, g, w, bots, p, h, die, total, against, side, target, s, other):
    """T5.9: seat `p` spends its trade tokens one by one, each for +1 or to roll its die again; Jebel Barkal: resources too.

    `die` and `total` are its own, `against` is the other side's total. Return its new total; ``w.ask_die`` holds its die.
    """
    source = decisions.SOURCE_ATTACK if side == codes.ATTACK else decisions.SOURCE_DEFENCE
    w.ask_die = die
    picked = decisions.SPEND_ONE
    while picked != decisions.PASS:
        n = list_spending(r, g, w, p, h)
        ask_combat(w, total if side == codes.ATTACK else against, against if side == codes.ATTACK else total, target, s, other)
        w.ask_holder = h
        w.ask_source = source
        picked = choose(r, g, w, bots, p, decisions.COMBAT_SPEND, n)
        if picked >= decisions.SPEND_RESOURCE:
            pay_resource(g, w, p, picked - decisions.SPEND_RESOURCE)
            total += int(g.power[p, codes.COMBAT_PER_RESOURCE])
        elif picked == decisions.SPEND_ONE:
            spend(r, g, w, bots, p, h, 1, -1, source)
            total += int(r.trade_effect[names.MILITARY])
        elif picked == decisions.SPEND_REROLL:
            spend(r, g, w, bots, p, h, 1, -1, source)
            rolled = roll(r, g, state.STREAM_DICE)
            log(w, LOG_REROLL, p, side, w.ask_die, rolled, 0, 0)
            total += rolled - w.ask_die
            w.ask_die = rolled
    return total


# --- effects of a victory (T5.11, T6.3-T6.5)


@jit
def send_home(g, w, p, q, s):
    """Seat `p` returns every figure of seat `q` on the space to its card."""
    if army_on(g, q, s) >= 0 or caravan_on(g, q, s) >= 0:
        note_strike(g, p, q)
    while army_on(g, q, s) >= 0:
        lose_army(g, w, q, army_on(g, q, s), p)
    while caravan_on(g, q, s) >= 0:
        lose_caravan(g, w, q, caravan_on(g, q, s), p)


@jit
def sweep(r, g, w, p, s, target):
    """T5.11: when a city or control token is beaten, figures of others there go home, but not those of givers of seat `p`'s
    pacts (T12.4)."""
    if (
        target != state.TARGET_TOKEN
        and target != state.TARGET_CITY
        and (target != state.TARGET_CAPITAL or r.capital_sweep == 0)
    ):
        return
    for q in range(g.players):
        if q != p and not has_pact(g, p, q):
            send_home(g, w, p, q, s)


@jit
def take_fort(r, g, w, bots, p, s):
    """Put an unused city on the beaten fort, in place of a rival's piece (T6.3); without one see T6.5."""
    if g.cities_left[p] <= 0 and r.fort_no_city == FORT_STAYS:
        return
    controlled = is_city(g, s)
    has_city = g.cities_left[p] > 0
    if controlled:
        replace_city(r, g, w, bots, p, s)
    elif g.owner[s] >= 0 and g.owner[s] != p:
        take_token_off(r, g, w, s, p)
    if has_city:
        if not controlled:
            put_city(r, g, w, p, s)
        g.stat_forts[p] += 1
        return
    if controlled:
        log(w, LOG_FORT, -1, s, 0, 0, 0, 0)
    keeps = r.fort_no_city == FORT_TOKEN and g.owner[s] < 0
    if keeps and have_token(r, g, w, bots, p, decisions.SOURCE_CONQUEST, r.conqueror_may_keep_tokens):
        put_token(g, w, p, s, names.REINFORCED)


@jit
def burns(r, g, w, bots, p, h, s, target, a):
    """Scorched Earth, once a turn: does seat `p` leave the beaten token's space empty, so that its army sets out once more
    (T12.8)?"""
    offered = r.card_second_move[g.card[p, h]] > g.used_this_turn[codes.USED_SECOND_MOVE]
    if not offered or target != state.TARGET_TOKEN or is_fort(g, s) or conquered_city_state(g, s) >= 0:
        return False
    w.option[0] = a
    w.option[1] = decisions.PASS
    w.ask_space = s
    w.ask_source = decisions.SOURCE_SCORCHED_EARTH
    if choose(r, g, w, bots, p, decisions.ARMY_AGAIN, 2) == decisions.PASS:
        return False
    g.used_this_turn[codes.USED_SECOND_MOVE] += 1
    return True


@jit
def beat(r, g, w, bots, p, h, s, target, q, a):
    """T5.11: carry out the victory over the target; return WON or MOVES_ON."""
    if target == state.TARGET_ARMY:
        lose_army(g, w, q, army_on(g, q, s), p)
    elif target == state.TARGET_CARAVAN:
        lose_caravan(g, w, q, caravan_on(g, q, s), p)
    elif is_fort(g, s) and target != state.TARGET_BARBARIAN:
        take_fort(r, g, w, bots, p, s)
    elif burns(r, g, w, bots, p, h, s, target, a):
        take_token_off(r, g, w, s, p)
        return MOVES_ON
    else:
        beat_target(r, g, w, bots, p, s, target, q)
    return WON


# --- the fight


@jit
def open_fight(r, g, w, p, s, target, q):
    """Note the attack, and return the diplomacy cards it costs (B9.12, T5.13)."""
    g.in_attack = 1
    g.stat_attacks[p, target] += 1
    if q >= 0:
        g.stat_defences[q] += 1
    log(w, LOG_ATTACK, p, target, s, q, barbarian_on(g, s) if target == state.TARGET_BARBARIAN else -1, g.district[s])
    figure = target == state.TARGET_ARMY or target == state.TARGET_CARAVAN
    if not figure or r.figure_attack_returns_cards != 0:
        break_ties(r, g, w, p, s, target, q)
    if g.stale != 0:
        refresh(r, g)


@jit
def win_fight(r, g, w, bots, p, h, s, target, q, a, total):
    """Carry out the victory of seat `p` with the total, and let abilities act; return WON or MOVES_ON."""
    g.attacks_won_this_turn += 1
    g.stat_attacks_won[p, target] += 1
    g.best_attack[p] = max(int(g.best_attack[p]), total)
    g.dirty = 1
    other = other_side(g, s, target, q)
    wonder = wonder_to_win(g, p, s)
    outcome = beat(r, g, w, bots, p, h, s, target, q, a)
    settle(r, g, w, bots)
    keep_won_wonder(r, g, w, bots, p, wonder)
    happen(r, g, w, bots, p, codes.ATTACK_WON, target, -1, s, other)
    return outcome


@jit
def close_fight(r, g, w, bots, p, q):
    """After the attack, seats may answer a strike of the giver of their Non-Aggression Pact (T12.4)."""
    g.attack_terrains = 0
    g.in_attack = 0
    if q >= 0:
        note_strike(g, p, q)
    if g.strikes != 0:
        g.dirty = 1
        settle(r, g, w, bots)


@jit
def fight(r, g, w, bots, p, h, slot, s, target, q, a):
    """Let army `a` of seat `p`, which has entered the space, attack the target of seat `q` (-1: nobody's) (T5.7-T5.13).

    `h`: holder of the military card, which acts with the slot number. Return LOST, WON or MOVES_ON. The army does not move:
    going home, staying and retreating belong to its movement (T5.10, T5.12).
    """
    open_fight(r, g, w, p, s, target, q)
    attack_die = roll(r, g, state.STREAM_DICE)
    defence_die = roll(r, g, state.STREAM_DICE)
    total = attack_die + slot + attack_bonus(r, g, w, p, g.card[p, h], s, target, q)
    against = defence_die + defence_on(r, g, p, s, target, q)
    if q >= 0:
        against += combat_bonus(r, g, w, q, codes.DEFEND, s, target, p)
    total = spend_in_combat(r, g, w, bots, p, h, attack_die, total, against, codes.ATTACK, target, s, q)
    attack_die = int(w.ask_die)
    if q >= 0:
        own = holder_of(r, g, q, names.MILITARY)
        against = spend_in_combat(r, g, w, bots, q, own, defence_die, against, total, codes.DEFEND, target, s, p)
        defence_die = int(w.ask_die)
    settle(r, g, w, bots)
    won = wins(r, total, against)
    log(w, LOG_COMBAT, p, attack_die, total, defence_die, against, 1 if won else 0)
    clear_combat(w)
    outcome = LOST
    if won:
        sweep(r, g, w, p, s, target)
        outcome = win_fight(r, g, w, bots, p, h, s, target, q, a, total)
    elif q >= 0:
        g.stat_defences_won[q] += 1
        happen(r, g, w, bots, q, codes.DEFENCE_WON, target, -1, s, p)
    if not won:
        happen(r, g, w, bots, p, codes.ATTACK_LOST, target, -1, s, other_side(g, s, target, q))
    close_fight(r, g, w, bots, p, q)
    return outcome


assert TARGET_CODES <= 64  # bits of an integer
