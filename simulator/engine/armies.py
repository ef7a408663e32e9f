"""Armies (T5): a military card of Terra Incognita moves them; entering what does not belong to their player is an attack.

The player of an army chooses its next space: one it may stay on, followed by the next choice with the steps left, or one that
it attacks, which ends its move. So every way can be gone, and the space the army came from is known after the fight (T5.12).
"""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions, state
from .abilities import may_count_through
from .battle import LOST, MOVES_ON, NOBODY, choose_target, fight, list_targets_on, may_hold_target
from .choosing import EXPLORER_ARMY, choose
from .combat import may_attack
from .compile.jit import expansion, inline, jit
from .exploring import explore, may_explore
from .map import BLOCKED, END_ONLY, PASSABLE, close_forts, flood, ground_difficulty, is_city, is_free_fort
from .pieces import is_lent, is_mature, put_army, return_army, rival_army_on, rival_caravan_on

NOWHERE = -1
# Bits of TARGET_* say what stops an army; there TARGET_TOKEN is an unreinforced control token, and this a reinforced one.
REINFORCED_BIT = 1 << names.N_TARGETS


# --- what stops an army, and what it may pass


@jit
def stopped_by(r, g, p, s):
    """Return what stops an army of seat `p` on the space (T5.4), as bits of TARGET_*; 0: nothing."""
    stops = 1 << state.TARGET_BARBARIAN if g.barbarians[s] != 0 else 0
    if g.city_state[s] >= 0:
        stops |= 1 << state.TARGET_CITY_STATE
    if is_free_fort(g, s):
        stops |= 1 << state.TARGET_FORT
    if g.owner[s] >= 0 and g.owner[s] != p:
        if is_city(g, s):
            stops |= 1 << state.TARGET_CITY
        else:
            stops |= REINFORCED_BIT if g.piece[s] == names.REINFORCED else 1 << state.TARGET_TOKEN
    if rival_caravan_on(g, p, s):
        stops |= 1 << state.TARGET_CARAVAN
    return stops | 1 << state.TARGET_ARMY if rival_army_on(g, p, s) else stops


@inline
def may_stay(r, g, p, s):
    """May an army of seat `p` stay on the space: nothing there stops it, and it is no city on loan (T12.3)?"""
    return stopped_by(r, g, p, s) == 0 and not is_lent(g, s)


@inline
def may_end(r, g, p, s):
    """May an army of seat `p` end its move on the space: by an attack there, or to stay (T5.4)?"""
    return may_stay(r, g, p, s) or list_targets_on(r, g, p, s) != 0


@inline
def may_pass(r, g, p, card):
    """Return what armies of seat `p` may pass with this card (Flight, Akkad), as bits like those of `stopped_by` (T12.2)."""
    tokens = 1 << state.TARGET_TOKEN | REINFORCED_BIT if may_count_through(g, p, codes.THROUGH_ARMY_TOKENS) else 0
    return int(r.card_pass_through[card]) | tokens


@inline
def army_steps(r, g, p, card):
    """Return how far each army of seat `p` may go with this card (T5.2); Pentagon: any distance."""
    if g.power[p, codes.ATTACK_ANYWHERE] != 0:
        return int(g.n_spaces)
    return int(r.card_army_move[card]) + int(g.power[p, codes.ATTACK_RANGE])


# --- where an army may go


@jit
def mark_ground(r, g, w, p, card, slot):
    """Mark the spaces whose terrain an army of seat `p` may enter (T5.2)."""
    passable = 0  # bits by next to water, terrain
    water = r.card_army_water[card] != 0 or may_count_through(g, p, codes.THROUGH_ARMY_WATER)
    for coastal in range(2):
        for t in range(names.N_TERRAINS):
            through = ground_difficulty(r, g, p, codes.MOVE_ARMY, t, coastal) <= slot and (t != names.WATER or water)
            passable |= int(through) << (coastal * names.N_TERRAINS + t)
    for s in range(g.n_spaces):
        w.mark[s] = (passable >> (int(g.coastal[s]) * names.N_TERRAINS + int(g.terrain[s]))) & 1
    if slot < r.fort_enter_slot:
        close_forts(g, w)


@inline
def may_attack_anything(r, g, p):
    """May seat `p` attack whatever stops its armies: no rule forbids a target, and it holds no Non-Aggression Pact (T12.4)?"""
    for target in range(names.N_TARGETS):
        if not may_attack(r, g, p, target):
            return False
    return g.power[p, codes.NON_AGGRESSION] == 0


@inline
def mark_stop(r, g, w, p, s, through, anything):
    """Mark a space where something may stop an army of seat `p`; `through`: `may_pass`, `anything`: `may_attack_anything`."""
    if w.mark[s] == BLOCKED:
        return
    stops = stopped_by(r, g, p, s)
    passes = stops & ~through == 0
    barred = stops != 0 and not anything and list_targets_on(r, g, p, s) == 0
    if barred and not (passes and r.pact_lets_pass != 0):
        w.mark[s] = BLOCKED
    elif not passes:
        w.mark[s] = END_ONLY


@jit
def mark_army(r, g, w, p, card, slot):
    """Mark the spaces that an army of seat `p` may enter; it enters those END_ONLY to attack (T5.4)."""
    mark_ground(r, g, w, p, card, slot)
    through = may_pass(r, g, p, card)
    anything = may_attack_anything(r, g, p)
    for s in range(g.n_spaces):
        if may_hold_target(g, p, s):
            mark_stop(r, g, w, p, s, through, anything)


@jit
def queue_army(r, g, w, p, a):
    """Put the spaces that army `a` sets out from into ``w.queue`` (T5.2); return how many."""
    if g.army[p, a] >= 0:
        w.queue[0] = g.army[p, a]
        return 1
    n = 0
    for i in range(g.city_count[p]):
        s = g.cities[p, i]
        if s == g.capital[p] or is_mature(r, g, p, s):
            w.queue[n] = s
            n += 1
    return n


@jit
def count_army(r, g, w, p, a, card, slot, left):
    """Count the distances of the spaces army `a` can reach with the steps left into ``w.dist[0]``."""
    mark_army(r, g, w, p, card, slot)
    flood(g, w, 0, queue_army(r, g, w, p, a), left)


@jit
def list_army_spaces(r, g, w, p, a, card, slot, left):
    """List the spaces that army `a` can go to with the steps left; return how many. ``w.dist[0]`` holds the distances.

    An army of the card may just step out into a city it starts from, unless the ruling says otherwise (T5.2).
    """
    count_army(r, g, w, p, a, card, slot, left)
    steps_out = g.army[p, a] == state.ON_CARD and r.deploy_zero != 0
    n = 0
    for s in range(g.n_spaces):
        far = w.dist[0, s]
        if (far > 0 and may_end(r, g, p, s)) or (far == 0 and steps_out and not is_lent(g, s)):
            w.option[n] = s
            n += 1
    return n


@jit
def goes_on(r, g, w, p, s, left):
    """Can an army of seat `p` pass the space, by what ``w.mark`` says, and end its move somewhere with the steps left?"""
    if w.mark[s] != PASSABLE:
        return False
    if list_targets_on(r, g, p, s) != 0:
        return True
    w.queue[0] = s
    flood(g, w, 1, 1, left)
    for t in range(g.n_spaces):
        if w.dist[1, t] > 0 and may_end(r, g, p, t):
            return True
    return False


@jit
def list_army_explorations(r, g, w, p, a, n, left):
    """Append to the `n` destinations, as EXPLORE + space, the spaces that army `a` can reach and explore from with the steps
    left (T7.1); return how many options there are.

    It has to be able to stay there, unless a ruling lets it explore in passing; then it has to go on or attack.
    """
    if g.army_explored[a] != 0:
        return n
    for s in range(g.n_spaces):
        far = w.dist[0, s]
        after = left - int(far) - int(r.explore_price)
        if far < 0 or after < 0 or not may_explore(r, g, p, s):
            continue
        stays = not is_lent(g, s) and (far == 0 or stopped_by(r, g, p, s) == 0)
        if stays or (far > 0 and r.explores_in_passing != 0 and goes_on(r, g, w, p, s, after)):
            w.option[n] = decisions.EXPLORE + s
            n += 1
    return n


@jit
def step_before(g, w, s):
    """Return the space before `s` on a shortest way in ``w.dist[0]``."""
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and w.dist[0, t] == w.dist[0, s] - 1 and (w.dist[0, t] == 0 or w.mark[t] == PASSABLE):
            return int(t)
    return s


@jit
def first_space(g, w, s):
    """Return the first space of the way to `s` in ``w.dist[0]``."""
    while w.dist[0, s] > 0:
        s = step_before(g, w, s)
    return s


@jit
def count_crowded(r, g, w, p, a, card, slot, left):
    """Count distances of army `a` through only those spaces that it may pass but not stay on."""
    mark_army(r, g, w, p, card, slot)
    for s in range(g.n_spaces):
        if w.mark[s] == PASSABLE and may_stay(r, g, p, s):
            w.mark[s] = BLOCKED
    flood(g, w, 0, queue_army(r, g, w, p, a), left)


@jit
def last_free(r, g, w, p, a, card, slot, left, s):
    """Return the last space where army `a` can stay on its way to `s`, its start included (T5.12), or NOWHERE.

    A way without such a space is preferred, however long: its player can first go to another space to come from there.
    ``w.dist[0]`` holds the distances of the way taken.
    """
    count_crowded(r, g, w, p, a, card, slot, left)
    if w.dist[0, s] < 0:
        count_army(r, g, w, p, a, card, slot, left)
    while w.dist[0, s] > 0:
        s = step_before(g, w, s)
        if may_stay(r, g, p, s):
            return s
    return NOWHERE


# --- moving


@jit
def fall_back(r, g, w, p, a):
    """T5.12: after its fight the army leaves a space where it cannot stay for the last one of its move where it could.

    This includes Antananarivo, just freed with its card gained: that is a city in the own turn only (T12.3).
    """
    if may_stay(r, g, p, int(g.army[p, a])):
        return
    to = int(g.army_back[a])
    if to == NOWHERE and r.no_retreat_to_start != 0:
        to = int(g.army_start[a])
        to = NOWHERE if to >= 0 and is_lent(g, to) else to
    if to == NOWHERE:
        return_army(g, w, p, a)
    else:
        put_army(g, w, p, a, to, 1)


@jit
def is_stormed(r, g, w, p, to):
    """Does an army that goes to the space attack it, by the distances in ``w.dist[0]``?

    Not in the city where it steps out of its card, unless a ruling has it attack a barbarian there.
    """
    return (w.dist[0, to] > 0 or r.step_out_attacks != 0) and stopped_by(r, g, p, to) != 0


@jit
def go(r, g, w, p, a, to):
    """Move army `a` to a space where it may stay; return the steps it takes, by ``w.dist[0]``."""
    if g.army_start[a] == NOWHERE:
        g.army_start[a] = first_space(g, w, to)
    put_army(g, w, p, a, to, 0)
    return int(w.dist[0, to])


@jit
def pass_by(r, g, w, p, card, slot, a, left, s):
    """Move army `a` to a space that it only passes; return the steps it takes, by ``w.dist[0]``."""
    steps = int(w.dist[0, s])
    g.army_back[a] = last_free(r, g, w, p, a, card, slot, left, s)
    count_army(r, g, w, p, a, card, slot, left)
    go(r, g, w, p, a, s)
    return steps


@jit
def explore_with_army(r, g, w, bots, p, card, slot, a, left, s, passing):
    """Let army `a` go to the space, to stay or in `passing`, and explore from there (T7.1); return the steps of both."""
    steps = int(r.explore_price)
    if passing != 0:
        steps += pass_by(r, g, w, p, card, slot, a, left, s)
    elif g.army[p, a] != s:
        steps += go(r, g, w, p, a, s)
    g.army_explored[a] = 1
    explore(r, g, w, bots, p, s, EXPLORER_ARMY + a)
    return steps


@jit
def terrains_before(g, w, s, left):
    """Return the terrains, as bits, from which an army can enter the space with the steps left, by ``w.dist[0]``."""
    terrains = 0
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and 0 <= w.dist[0, t] < left and (w.dist[0, t] == 0 or w.mark[t] == PASSABLE):
            terrains |= 1 << int(g.terrain[t])
    return terrains


@jit
def storm(r, g, w, bots, p, h, slot, a, left, s):
    """Let army `a` enter the space and attack (T5.4, T5.6); a beaten army returns to its card. Return LOST, WON or MOVES_ON."""
    g.attack_terrains = terrains_before(g, w, s, left)
    free = last_free(r, g, w, p, a, int(g.card[p, h]), slot, left, s)
    if g.army_start[a] == NOWHERE:
        g.army_start[a] = first_space(g, w, s)
    if free != NOWHERE:
        g.army_back[a] = free
    put_army(g, w, p, a, s, 0)
    picked = choose_target(r, g, w, bots, p, s)
    seat = picked % 8
    outcome = fight(r, g, w, bots, p, h, slot, s, picked // 8, seat if seat != NOBODY else -1, a)
    if outcome == LOST:
        g.army_lost[a] = 1
        return_army(g, w, p, a)
    return outcome


@jit
def ask_army(r, g, w, bots, p, h, slot, a, left, passing):
    """Let seat `p` choose what army `a` does with the steps left: a space, EXPLORE + the space to explore from, or PASS.

    If it is `passing` the space it stands on, it has to go on or attack there.
    """
    n = list_army_spaces(r, g, w, p, a, int(g.card[p, h]), slot, left)
    n = list_army_explorations(r, g, w, p, a, n, left)
    if passing == 0:
        w.option[n] = decisions.PASS
        n += 1
    elif list_targets_on(r, g, p, int(g.army[p, a])) != 0:
        w.option[n] = g.army[p, a]
        n += 1
    w.ask_slot = slot
    w.ask_holder = h
    w.ask_left = left
    w.ask_space = a
    return choose(r, g, w, bots, p, decisions.ARMY_TO, n)


@jit
def march(r, g, w, bots, p, h, slot, a):
    """Move army `a` up to the card's distance (T5.2). It may explore; entering what stops it is an attack and the end (T5.4).

    Return LOST (also without an attack), WON or MOVES_ON.
    """
    card = int(g.card[p, h])
    left = army_steps(r, g, p, card)
    passing = 0
    while True:
        to = ask_army(r, g, w, bots, p, h, slot, a, left, passing)
        if to == decisions.PASS:
            return LOST
        count_army(r, g, w, p, a, card, slot, left)
        if to >= decisions.EXPLORE:
            s = to - decisions.EXPLORE
            passing = 1 if w.dist[0, s] > 0 and not may_stay(r, g, p, s) else 0
            left -= explore_with_army(r, g, w, bots, p, card, slot, a, left, s, passing)
        elif is_stormed(r, g, w, p, to) or (passing != 0 and to == g.army[p, a]):
            return storm(r, g, w, bots, p, h, slot, a, left, to)
        else:
            left -= go(r, g, w, p, a, to)
            passing = 0


@jit
def move_army(r, g, w, bots, p, h, slot, a):
    """Let army `a` move, and once more if its attack has burnt a control token (Scorched Earth, T12.8)."""
    g.army_start[a] = g.army[p, a]  # `go` notes the city in which one on its card begins
    g.army_back[a] = NOWHERE
    outcome = march(r, g, w, bots, p, h, slot, a)
    if outcome == LOST:
        return
    if outcome == MOVES_ON:
        march(r, g, w, bots, p, h, slot, a)
    if g.army[p, a] >= 0:
        fall_back(r, g, w, p, a)


@jit
def list_armies(g, w, p, moved):
    """List the armies of seat `p` that may still move (not those in the bits of `moved`), of equal ones on the card one."""
    n = 0
    on_card = 0  # bits: one that has not explored this turn, one that has
    for a in range(names.MAX_ARMIES):
        if moved >> a & 1 != 0 or g.army_lost[a] != 0 or g.army[p, a] < state.ON_CARD:
            continue
        if g.army[p, a] == state.ON_CARD:
            kind = 1 + int(g.army_explored[a])
            if on_card & kind != 0:
                continue
            on_card |= kind
        w.option[n] = a
        n += 1
    return n


@jit
def next_army(r, g, w, bots, p, h, slot, moved):
    """Let seat `p` choose which army moves next (T5.1), or PASS."""
    n = list_armies(g, w, p, moved)
    w.option[n] = decisions.PASS
    w.ask_slot = slot
    w.ask_holder = h
    w.ask_left = army_steps(r, g, p, int(g.card[p, h]))
    w.ask_space = -1
    return choose(r, g, w, bots, p, decisions.ARMY, n + 1)


@jit
def beaten_army(r, g, w, bots, p):
    """Mass Production, once a turn: let seat `p` choose an army that has lost this turn to set out again (T12.9), or PASS."""
    n = 0
    for a in range(names.MAX_ARMIES):
        if g.army_lost[a] != 0 and g.army[p, a] == state.ON_CARD:
            w.option[n] = a
            n += 1
    w.option[n] = decisions.PASS
    w.ask_space = -1
    w.ask_source = decisions.SOURCE_MASS_PRODUCTION
    return choose(r, g, w, bots, p, decisions.ARMY_AGAIN, n + 1)


@expansion
def resolve_armies(r, g, w, bots, p, h, slot) -> None:
    """T5.1: every army of seat `p` may move, each finished before the next starts."""
    moved = 0
    while True:
        again = r.card_redeploy[g.card[p, h]] * r.card_redeploy_times[g.card[p, h]]
        offered = again > g.used_this_turn[codes.USED_SECOND_START]
        a = beaten_army(r, g, w, bots, p) if offered else decisions.PASS
        if a != decisions.PASS:
            g.used_this_turn[codes.USED_SECOND_START] += 1
            g.army_lost[a] = 0
        else:
            a = next_army(r, g, w, bots, p, h, slot, moved)
            if a == decisions.PASS:
                return
        moved |= 1 << a
        move_army(r, g, w, bots, p, h, slot, a)


@jit
def armies_into_cities(r, g, w, bots, p):
    """Military Engineering: each army on the card may be put into an own city, mature or not (T12.15)."""
    for a in range(names.MAX_ARMIES):
        if g.army[p, a] != state.ON_CARD:
            continue
        n = 0
        for i in range(g.city_count[p]):
            if not is_lent(g, g.cities[p, i]):
                w.option[n] = g.cities[p, i]
                n += 1
        w.option[n] = decisions.PASS
        w.ask_space = a
        s = choose(r, g, w, bots, p, decisions.ARMY_CITY, n + 1)
        if s == decisions.PASS:
            return
        put_army(g, w, p, a, s, 0)
