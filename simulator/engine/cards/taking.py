"""Taking rival cities by an effect (Cristo Redentor, Radio), what goes before any replacement of a rival city, and what unique
culture cards do last."""

from ... import names
from ...rules import ability_codes as codes
from ..board.agendas import have_token, settle
from ..board.hexes import PASSABLE, flood, is_token
from ..board.pieces import claim_city_state, conquered_city_state, is_guarded, mature_cities, put_city, take_city_off
from ..board.trade import gain_trade
from ..core import decisions
from ..core.decide import choose
from ..core.jit import expansion, jit
from ..core.log import LOG_CITY_TAKEN, log
from .culture import place_tokens, turn_over

LAST_SLOT = 5  # what is printed for "the fifth slot"
FROM_OWN_CITIES = -1

# --- Statue of Liberty


@jit
def list_tokens_beside(g, w, p, s):
    """List the rival control tokens next to the space that seat `p` may replace."""
    n = 0
    for d in range(6):
        t = int(g.neighbour[s, d])
        if t >= 0 and g.owner[t] >= 0 and g.owner[t] != p and is_token(g, t) and not is_guarded(g, p, t):
            w.option[n] = t
            n += 1
    return n


@jit
def take_tokens_beside(r, g, w, bots, p, s):
    """Statue of Liberty, before seat `p` replaces the rival city on the space: all rival control tokens next to it, as long as
    there are own ones, become own unreinforced ones. Which, is asked only if they are too few."""
    if g.power[p, codes.TOKENS_OF_TAKEN_CITIES] == 0:
        return
    n = list_tokens_beside(g, w, p, s)
    while n > 0 and have_token(r, g, w, bots, p, decisions.SOURCE_LIBERTY, 1):
        n = list_tokens_beside(g, w, p, s)
        t = w.option[0]
        if n > g.tokens_left[p]:
            w.ask_source = decisions.SOURCE_LIBERTY
            w.ask_space = s
            t = choose(r, g, w, bots, p, decisions.RIVAL_TOKEN, n)
        turn_over(r, g, w, p, t)
        n -= 1
    settle(r, g, w, bots)


# --- Cristo Redentor, Radio


@jit
def list_cities_to_take(g, w, p, start, reach):
    """List the rival cities, no capitals, without an army within `reach` of the space `start`, or (-1) of own cities."""
    for s in range(g.n_spaces):
        w.mark[s] = PASSABLE
    n = 1
    w.queue[0] = start
    if start < 0:
        n = int(g.city_count[p])
        for i in range(n):
            w.queue[i] = g.cities[p, i]
    flood(g, w, 0, n, reach)
    n = 0
    for s in range(g.n_spaces):
        if g.piece[s] == names.CITY and g.owner[s] != p and w.dist[0, s] >= 0 and not is_guarded(g, p, s):
            w.option[n] = s
            n += 1
    return n


@jit
def replace_city(r, g, w, bots, p, s):
    """Replace the rival city on the space by an unused one of seat `p`; return 1, or 0: it has none, the space is empty now.

    Only where a city is put down, Statue of Liberty acts before (T12.25). A wonder under the city comes along, and so does a
    conquered city-state's token.
    """
    replaces = int(g.cities_left[p] > 0)
    if replaces != 0:
        take_tokens_beside(r, g, w, bots, p, s)
    cs = conquered_city_state(g, s)
    take_city_off(g, w, s, p)
    if cs >= 0:
        claim_city_state(r, g, w, p, cs)
    if replaces != 0:
        put_city(r, g, w, p, s)
    return replaces


@jit
def take_rival_city(r, g, w, bots, p, source, start, reach, may_pass):
    """T12.10: seat `p` replaces a rival city within `reach` of the space `start`, or (-1) of own cities, if it has an unused
    city; it must, unless `may_pass`. Return 1 if it did."""
    if g.cities_left[p] <= 0:
        return 0
    n = list_cities_to_take(g, w, p, start, reach)
    if n == 0:
        return 0
    if may_pass != 0:
        w.option[n] = decisions.PASS
        n += 1
    w.ask_source = source
    w.ask_space = start
    s = choose(r, g, w, bots, p, decisions.TAKE_CITY, n)
    if s == decisions.PASS:
        return 0
    log(w, LOG_CITY_TAKEN, p, s, g.owner[s], source, 0, 0)
    replace_city(r, g, w, bots, p, s)
    settle(r, g, w, bots)
    return 1


@jit
def take_cities(r, g, w, bots, p, row, amount, s):
    """Let an ability of seat `p` take rival cities, counted from the space `s` or (-1) from own cities (Cristo Redentor)."""
    for _ in range(amount):
        if take_rival_city(r, g, w, bots, p, int(r.ability_source[row]), s, int(r.ability_within[row]), 0) == 0:
            return


# --- unique culture cards


@expansion
def finish_unique_culture(r, g, w, bots, p, h, slot) -> None:
    """From slot 5 a token on a mountain next to a friendly space (State Workforce) or a rival city (Radio); a trade token for
    each own mature city (Humanism)."""
    card = g.card[p, h]
    if slot >= LAST_SLOT:
        place_tokens(r, g, w, bots, p, h, slot, r.card_slot5_mountain_token[card], decisions.SOURCE_MOUNTAIN, -1)
        for _ in range(r.card_take_city[card]):
            take_rival_city(
                r, g, w, bots, p, decisions.SOURCE_RADIO, FROM_OWN_CITIES, r.card_take_city_range[card], r.radio_may_pass
            )
    gain_trade(r, g, w, bots, p, -1, r.card_trade_per_mature[card] * mature_cities(r, g, p), decisions.SOURCE_UNIQUE)
