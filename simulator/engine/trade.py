"""Trade tokens and resources: gaining, placing and spending them (B13)."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions
from .choosing import LOG_RESOURCE, LOG_TRADE, LOG_TRADE_LOST, choose, log
from .compile.jit import inline, jit
from .pieces import PENDING

BANK = decisions.BANK
KEPT_NATURAL_WONDER, KEPT_CITY_STATE = decisions.KEPT_NATURAL_WONDER, decisions.KEPT_CITY_STATE
PLAIN_TOKEN, RESOURCE_TOKEN = decisions.PLAIN_TOKEN, decisions.RESOURCE_TOKEN


@inline
def natural_wonder_spends(r, g, p, h, i, wonder):
    """Does America's natural wonder token spend as a trade token of the card now?

    While a wonder is paid for (`wonder` >= 0), not a token whose resource the wonder accepts.
    """
    if g.natural_wonder_owner[i] != p or g.natural_wonder_holder[i] != h or g.natural_wonder_used[i] != 0:
        return False
    return wonder < 0 or r.wonder_pays[wonder, r.natural_wonder_resource[i]] == 0


@inline
def city_state_spends(g, p, h, cs):
    """Does the conquered city-state's token spend as a trade token of the card now (B10.2)?"""
    return g.city_state_owner[cs] == p and g.city_state_holder[cs] == h and g.city_state_used[cs] == 0


@jit
def resource_spends(r, g, p, kind, wonder):
    """Does a resource token spend as a trade token of the card that seat `p` is resolving (Palenque)? Not in defence (T12.5).

    While a wonder is paid for (`wonder` >= 0), not a resource that it accepts.
    """
    if g.current != p or g.resources[p, kind] <= 0:
        return False
    return wonder < 0 or r.wonder_pays[wonder, kind] == 0


@jit
def spendable(r, g, p, h, wonder):
    """Return the number of trade tokens that seat `p` can spend from the card now, tokens that stay on it included."""
    n = int(g.trade[p, h])
    for cs in range(r.n_city_states):
        if city_state_spends(g, p, h, cs):
            n += 1
    for i in range(r.n_natural_wonders):
        if natural_wonder_spends(r, g, p, h, i, wonder):
            n += 1
    if g.power[p, codes.RESOURCES_AS_TRADE] != 0:
        for kind in range(names.N_RESOURCES):
            n += int(g.resources[p, kind]) if resource_spends(r, g, p, kind, wonder) else 0
    return n


@jit
def list_spendable(r, g, w, p, h, wonder):
    """List the tokens that seat `p` can spend from the card, those that stay on it first; return how many kinds."""
    n = 0
    for i in range(r.n_natural_wonders):
        if natural_wonder_spends(r, g, p, h, i, wonder):
            w.option[n] = KEPT_NATURAL_WONDER + i
            n += 1
    for cs in range(r.n_city_states):
        if city_state_spends(g, p, h, cs):
            w.option[n] = KEPT_CITY_STATE + cs
            n += 1
    if g.trade[p, h] > 0:
        w.option[n] = PLAIN_TOKEN
        n += 1
    if g.power[p, codes.RESOURCES_AS_TRADE] != 0:
        for kind in range(names.N_RESOURCES):
            if resource_spends(r, g, p, kind, wonder):
                w.option[n] = RESOURCE_TOKEN + kind
                n += 1
    return n


@jit
def pay_resource(g, w, p, kind):
    """Return one resource token to the supply."""
    g.resources[p, kind] -= 1
    g.supply[kind] += 1
    log(w, LOG_RESOURCE, p, kind, -1, 0, 0, 0)


@jit
def spend_token(g, w, p, h, token):
    """Spend one token of the card: trade tokens and resources go to the supply, others are used for this turn."""
    if token >= RESOURCE_TOKEN:
        pay_resource(g, w, p, token - RESOURCE_TOKEN)
    elif token == PLAIN_TOKEN:
        g.trade[p, h] -= 1
    elif token >= KEPT_CITY_STATE:
        g.city_state_used[token - KEPT_CITY_STATE] = 1
    else:
        g.natural_wonder_used[token - KEPT_NATURAL_WONDER] = 1
        g.natural_wonder_holder[token - KEPT_NATURAL_WONDER] = PENDING
        g.dirty = 1


@jit
def spend(r, g, w, bots, p, h, amount, wonder, source):
    """Spend trade tokens from a card, of the player's choice unless all are spent or a ruling gives the order."""
    g.stat_trade_spent[p] += amount
    staying = resources = 0
    asks = r.spender_chooses != 0 and amount < spendable(r, g, p, h, wonder)
    for _ in range(amount):
        n = list_spendable(r, g, w, p, h, wonder)
        token = w.option[0]
        if asks:
            w.ask_holder = h
            w.ask_source = source
            token = choose(r, g, w, bots, p, decisions.SPEND_TOKEN, n)
        spend_token(g, w, p, h, token)
        resources += int(token >= RESOURCE_TOKEN)
        staying += int(token != PLAIN_TOKEN and token < RESOURCE_TOKEN)
    if amount > 0:
        log(w, LOG_TRADE, p, h, -amount, source, staying, resources)


@jit
def ask_spend(r, g, w, bots, p, h, source):
    """Let seat `p` choose how many trade tokens of the card to spend, spend them and return the number."""
    if h < 0:
        return 0
    most = spendable(r, g, p, h, -1)
    for k in range(most + 1):
        w.option[k] = k
    w.ask_holder = h
    w.ask_source = source
    amount = choose(r, g, w, bots, p, decisions.SPEND_TRADE, most + 1)
    spend(r, g, w, bots, p, h, amount, -1, source)
    return amount


@jit
def put_trade(g, w, p, h, source):
    """Put one trade token on the card, or on Great Zimbabwe."""
    if h == BANK:
        g.wonder_bank += 1
    else:
        g.trade[p, h] += 1
    log(w, LOG_TRADE, p, h, 1, source, 0, w.giving)


@jit
def list_room(r, g, w, p, kind):
    """List the holders of seat `p` with a card of focus type `kind` (-1: any) that has room for a trade token (B13.1)."""
    n = 0
    for h in range(names.N_TYPES):
        card = g.card[p, h]
        if card >= 0 and (kind < 0 or r.card_type[card] == kind) and g.trade[p, h] < r.max_trade:
            w.option[n] = h
            n += 1
    return n


@jit
def gain_trade(r, g, w, bots, p, kind, amount, source):
    """Seat `p` gains trade tokens for cards of focus type `kind` (-1: any card); those without room are lost (B13.1)."""
    for k in range(amount):
        n = list_room(r, g, w, p, kind)
        if g.wonder_bank < g.power[p, codes.TRADE_BANK]:
            w.option[n] = BANK
            n += 1
        if n == 0:
            log(w, LOG_TRADE_LOST, p, kind, amount - k, source, w.giving, 0)
            return
        w.ask_source = source
        g.stat_trade_gained[p] += 1
        put_trade(g, w, p, choose(r, g, w, bots, p, decisions.PLACE_TRADE, n), source)


@jit
def give_trade(r, g, w, bots, p, q, kind, source):
    """Seat `p` puts a trade token on a card of seat `q` of its choice (`kind`: focus type, or -1), if one has room (B13.1)."""
    n = list_room(r, g, w, q, kind)
    if n == 0:
        log(w, LOG_TRADE_LOST, q, kind, 1, source, w.giving, 0)
        return
    w.ask_seat = q
    w.ask_space = g.capital[q]
    w.ask_source = source
    g.stat_trade_gained[q] += 1
    put_trade(g, w, q, choose(r, g, w, bots, p, decisions.GIVE_TRADE, n), source)


@jit
def list_with_trade(g, w, p):
    """List the holders of seat `p` with a trade token on their card; return how many."""
    n = 0
    for h in range(names.N_TYPES):
        if g.card[p, h] >= 0 and g.trade[p, h] > 0:
            w.option[n] = h
            n += 1
    return n


@jit
def give_up_trade(r, g, w, bots, p, amount, source):
    """Seat `p` gives up trade tokens of own choice, as far as there are any (B11.2)."""
    for _ in range(amount):
        n = list_with_trade(g, w, p)
        if n == 0:
            return
        w.ask_source = source
        h = choose(r, g, w, bots, p, decisions.LOSE_TRADE, n)
        g.trade[p, h] -= 1
        log(w, LOG_TRADE, p, h, -1, source, 0, 0)


@jit
def loot_trade(r, g, w, bots, p, q, amount, source):
    """Seat `p` may take up to `amount` trade tokens from cards of seat `q`, each onto any own card (B9.9)."""
    for _ in range(amount):
        n = list_with_trade(g, w, q)
        if n == 0:
            return
        w.option[n] = decisions.PASS
        w.ask_seat = q
        w.ask_space = g.capital[q]
        h = choose(r, g, w, bots, p, decisions.LOOT, n + 1)
        if h == decisions.PASS:
            return
        g.trade[q, h] -= 1
        log(w, LOG_TRADE, q, h, -1, source, 0, 0)
        gain_trade(r, g, w, bots, p, -1, 1, source)


@jit
def take_resource(g, w, p, kind):
    """Take one resource token from the supply."""
    g.resources[p, kind] += 1
    g.supply[kind] -= 1
    g.dirty = 1
    log(w, LOG_RESOURCE, p, kind, 1, w.giving, 0, 0)


@jit
def holds_resource(r, g, p, kind):
    """Does seat `p` hold a resource of the type (natural wonders count if the ruling says so)?"""
    if g.resources[p, kind] > 0:
        return True
    if r.natural_wonder_counts_as_held != 0:
        for i in range(r.n_natural_wonders):
            if g.natural_wonder_owner[i] == p and r.natural_wonder_resource[i] == kind:
                return True
    return False


@jit
def gain_resource_of(g, w, p, kind):
    """Seat `p` takes one resource of the type, if the supply has one."""
    if g.supply[kind] > 0:
        take_resource(g, w, p, kind)


@jit
def gain_resource(r, g, w, bots, p, only_new, source):
    """Seat `p` takes one resource of own choice from the supply (`only_new`: of a type not held)."""
    n = 0
    for kind in range(names.N_RESOURCES):
        if g.supply[kind] > 0 and not (only_new != 0 and holds_resource(r, g, p, kind)):
            w.option[n] = kind
            n += 1
    if n == 0:
        return
    w.ask_source = source
    take_resource(g, w, p, choose(r, g, w, bots, p, decisions.GAIN_RESOURCE, n))
