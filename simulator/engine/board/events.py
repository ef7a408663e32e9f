"""Moments at which abilities act: what a player gains comes at once, deeds wait until the card has been resolved."""

from ... import limits
from ...rules import ability_codes as codes
from ..core.jit import jit
from .abilities import giver_fits
from .counts import conditions_hold_at, counted_amount
from .trade import gain_resource, gain_resource_of, gain_trade, give_trade


@jit
def act(r, g, w, bots, p, row, giver, kind, s, q):
    """Let an ability of seat `p` act, its moment having come: gains at once; anything else is noted as a deed to do.

    Its conditions are asked now, also for a deed that is done later.
    """
    if not conditions_hold_at(r, g, w, p, row, kind, q, s):
        return
    effect = r.ability_effect[row]
    if effect != codes.TRADE_TOKENS and effect != codes.RESOURCES:
        n = int(g.to_do_n)
        if n < limits.MAX_TO_DO:
            g.to_do[n, 0] = p
            g.to_do[n, 1] = row
            g.to_do[n, 2] = s
            g.to_do_n = n + 1
        return
    amount = counted_amount(r, g, w, p, row, kind, q, s)
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
def happen(r, g, w, bots, p, moment, target, kind, s, q):
    """Let the abilities of seat `p` act that wait for the moment.

    `target`: TARGET_* attacked, visited or built; `kind`: focus type of the card, wonder or city-state, or -1; `s`: the space,
    or -1; `q`: the other player, or -1.
    """
    if g.moments[p] >> moment & 1 == 0:
        return
    for k in range(g.listed_n[p]):
        row = g.listed[p, k]
        if r.ability_moment[row] != moment or r.ability_target[row] >> target & 1 == 0:
            continue
        if kind >= 0 and r.ability_type[row] >> kind & 1 == 0:
            continue
        if s >= 0 and r.ability_terrain[row] >> g.terrain[s] & 1 == 0:
            continue
        if not giver_fits(r, row, g.listed_giver[p, k], q) or (r.ability_once[row] != 0 and g.ability_used[row] != 0):
            continue
        g.ability_used[row] = 1
        act(r, g, w, bots, p, row, g.listed_giver[p, k], kind, s, q)
