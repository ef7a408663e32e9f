"""Military cards of the base game (B9): reinforcing and attacking; how a combat goes on is in `combat.py`."""

from ... import limits, names
from ...rules import ability_codes as codes
from ..board.abilities import may_count_through, refresh
from ..board.agendas import settle
from ..board.events import happen
from ..board.hexes import flood, mark_attack, next_to_city_of, queue_friendly
from ..board.pieces import barbarian_on, flip_token, holder_of
from ..board.trade import ask_spend
from ..core import decisions, state
from ..core.decide import choose, clear_combat
from ..core.jit import inline, jit
from ..core.log import LOG_ATTACK, LOG_COMBAT, log
from ..core.rng import roll
from .combat import (
    ask_combat,
    attack_bonus,
    beat_target,
    break_ties,
    defence_bonus,
    ground_defence,
    keep_won_wonder,
    may_be_attacked,
    target_of,
    wins,
    wonder_to_win,
)

# --- reinforcing


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
    """B9.1: turn up to `amount` own control tokens (`beside`: ability_codes.BESIDE) to their reinforced side."""
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
    """B9.9: the attacker wins."""
    g.attacks_won_this_turn += 1
    g.stat_attacks_won[p, target] += 1
    wonder = wonder_to_win(g, p, s)
    beat_target(r, g, w, bots, p, s, target, q)
    settle(r, g, w, bots)
    keep_won_wonder(r, g, w, bots, p, wonder)
    happen(r, g, w, bots, p, codes.ATTACK_WON, target, -1, s, q)


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
        happen(r, g, w, bots, p, codes.ATTACK_LOST, target, -1, s, q)
    return won


@inline
def attack_range(r, g, p, card):
    """Return how far from a friendly space seat `p` may attack with this card."""
    return int(r.card_attack_range[card]) + int(g.power[p, codes.ATTACK_RANGE])


@jit
def queue_attack(r, g, w, p, card):
    """Mark what the distance of an attack may be counted through and queue where it is counted from; return how many."""
    water = r.card_through_water[card] != 0 or may_count_through(g, p, codes.THROUGH_ATTACK_WATER)
    rivals = r.card_through_rival[card] != 0 or may_count_through(g, p, codes.THROUGH_ATTACK_RIVALS)
    barbarians = r.card_through_barbarian[card] != 0 or may_count_through(g, p, codes.THROUGH_ATTACK_BARBARIANS)
    mark_attack(g, w, p, int(water), int(rivals), int(barbarians))
    return queue_friendly(g, w, p, 1)


@jit
def list_targets(r, g, w, p, card):
    """List what seat `p` may attack with this card (B9.2, B9.3); return how many."""
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
    """B9: reinforce or attack (Mass Production: attack, then reinforce with what is left of the slot number)."""
    card = g.card[p, h]
    if r.card_attack_and_reinforce[card] != 0:
        made = attack_up_to(r, g, w, bots, p, h, slot)
        reinforce(r, g, w, bots, p, slot, max(0, slot + g.power[p, codes.REINFORCEMENTS] - made), codes.BESIDE_ANYTHING)
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


assert decisions.BARBARIAN_OPTION > limits.MAX_SPACES
