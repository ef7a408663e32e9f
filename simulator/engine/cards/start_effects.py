"""Effects at the start of a turn, in any order the player likes (B4.1)."""

from newdawn.simulator.engine.board.agendas import have_token, settle
from newdawn.simulator.engine.board.barbarians import list_pushes, seoul
from newdawn.simulator.engine.board.hexes import is_token, next_to_friendly
from newdawn.simulator.engine.board.pieces import controls, take_token_off
from newdawn.simulator.engine.board.trade import list_room, put_trade
from newdawn.simulator.engine.cards.culture import list_token_spaces, place_tokens, turn_over
from newdawn.simulator.engine.cards.diplomacy import geneva, list_geneva
from newdawn.simulator.engine.core import decisions
from newdawn.simulator.engine.core.decide import choose
from newdawn.simulator.engine.core.decisions import (
    FX_EIFFEL_TOWER,
    FX_FORBIDDEN_CITY,
    FX_GREAT_ZIMBABWE,
    FX_HANGING_GARDENS,
    FX_ORACLE,
    FX_SEOUL,
    PASS,
    SOURCE_BANK,
    SOURCE_FORBIDDEN_CITY,
    SOURCE_HANGING_GARDENS,
    SOURCE_ORACLE,
)
from newdawn.simulator.engine.core.jit import jit
from newdawn.simulator.engine.core.log import LOG_SWAP, LOG_TRADE, log
from newdawn.simulator.names import (
    EIFFEL_TOWER,
    FORBIDDEN_CITY,
    GENEVA,
    GREAT_ZIMBABWE,
    HANGING_GARDENS,
    N_TYPES,
    ORACLE,
    SEOUL,
)

N_START_EFFECTS = 7


# --- Forbidden City, Eiffel Tower


@jit
def list_border_rivals(g, w, p):
    """List the rival control tokens next to a friendly space of seat `p`."""
    n = 0
    for s in range(g.n_spaces):
        if g.owner[s] >= 0 and g.owner[s] != p and is_token(g, s) and next_to_friendly(g, p, s):
            w.option[n] = s
            n += 1
    return n


@jit
def forbidden_city(r, g, w, bots, p):
    """Forbidden City: remove a rival control token next to a friendly space."""
    for _ in range(r.wonder_amount[FORBIDDEN_CITY]):
        n = list_border_rivals(g, w, p)
        w.option[n] = PASS
        w.ask_source = SOURCE_FORBIDDEN_CITY
        s = choose(r, g, w, bots, p, decisions.RIVAL_TOKEN, n + 1)
        if s == PASS:
            return
        take_token_off(r, g, w, s, p)
        settle(r, g, w, bots)


@jit
def list_named(r, g, w, p):
    """List the control tokens of rivals that have at least as many on the map as Eiffel Tower names."""
    n = 0
    for q in range(g.players):
        if q == p:
            continue
        start = n
        for s in range(g.n_spaces):
            if g.owner[s] == q and is_token(g, s):
                w.option[n] = s
                n += 1
        if n - start < r.wonder_amount[EIFFEL_TOWER]:
            n = start
    return n


@jit
def name_tokens(r, g, w, bots, p):
    """Eiffel Tower: name tokens of one rival into ``w.chain``; return how many (0 = declined)."""
    n = list_named(r, g, w, p)
    w.option[n] = PASS
    w.ask_space = -1
    first = choose(r, g, w, bots, p, decisions.NAME_TOKEN, n + 1)
    if first == PASS:
        return 0
    w.chain[0] = first
    for k in range(1, r.wonder_amount[EIFFEL_TOWER]):
        n = 0
        for s in range(g.n_spaces):
            if g.owner[s] != g.owner[first] or not is_token(g, s):
                continue
            named = False
            for i in range(k):
                named = named or w.chain[i] == s
            if not named:
                w.option[n] = s
                n += 1
        w.ask_space = first
        w.chain[k] = choose(r, g, w, bots, p, decisions.NAME_TOKEN, n)
    return int(r.wonder_amount[EIFFEL_TOWER])


@jit
def eiffel_tower(r, g, w, bots, p):
    """Eiffel Tower: the rival turns one of the two named tokens into an unreinforced one of seat `p`."""
    named = name_tokens(r, g, w, bots, p)
    if named == 0 or not have_token(r, g, w, bots, p, decisions.SOURCE_EIFFEL, 1):
        return
    q = g.owner[w.chain[0]]
    for i in range(named):
        w.option[i] = w.chain[i]
    w.ask_seat = p
    for _ in range(r.wonder_limit[EIFFEL_TOWER]):
        turn_over(r, g, w, p, choose(r, g, w, bots, q, decisions.YIELD_TOKEN, named))
    settle(r, g, w, bots)


# --- Oracle (and Aztec's swap), Great Zimbabwe


@jit
def swap_cards(r, g, w, bots, p, adjacent, source):
    """Swap two cards of the row (adjacent ones only: Oracle; any two: Aztec)."""
    n = 0
    for a in range(r.slots):
        for b in range(a + 1, r.slots):
            if adjacent == 0 or b == a + 1:
                w.option[n] = a * 8 + b
                n += 1
    w.option[n] = PASS
    w.ask_source = source
    picked = choose(r, g, w, bots, p, decisions.SWAP_CARDS, n + 1)
    if picked == PASS:
        return
    a = picked // 8
    b = picked % 8
    h = g.row[p, a]
    g.row[p, a] = g.row[p, b]
    g.row[p, b] = h
    log(w, LOG_SWAP, p, a, b, 0, 0, 0)


@jit
def bank_has_room(r, g, p):
    """Is there a trade token on Great Zimbabwe and a card with room for it?"""
    if g.wonder_bank <= 0:
        return False
    for h in range(N_TYPES):
        if g.card[p, h] >= 0 and g.trade[p, h] < r.max_trade:
            return True
    return False


@jit
def withdraw(r, g, w, bots, p):
    """Great Zimbabwe: move stored trade tokens to the row."""
    while bank_has_room(r, g, p):
        n = list_room(r, g, w, p, -1)
        w.option[n] = PASS
        w.ask_source = SOURCE_BANK
        h = choose(r, g, w, bots, p, decisions.PLACE_TRADE, n + 1)
        if h == PASS:
            return
        g.wonder_bank -= 1
        log(w, LOG_TRADE, p, decisions.BANK, -1, SOURCE_BANK, 0, 0)
        put_trade(g, w, p, h, SOURCE_BANK)


# --- all of them


@jit
def usable(r, g, w, p, effect):
    """Can seat `p` use the start-of-turn effect to any purpose now?"""
    if effect == FX_HANGING_GARDENS:
        return controls(g, p, HANGING_GARDENS) and (
            list_token_spaces(r, g, w, p, r.wonder_limit[HANGING_GARDENS], SOURCE_HANGING_GARDENS, -1) > 0
        )
    if effect == FX_FORBIDDEN_CITY:
        return controls(g, p, FORBIDDEN_CITY) and list_border_rivals(g, w, p) > 0
    if effect == FX_EIFFEL_TOWER:
        return controls(g, p, EIFFEL_TOWER) and list_named(r, g, w, p) > 0
    if effect == FX_ORACLE:
        return controls(g, p, ORACLE)
    if effect == FX_GREAT_ZIMBABWE:
        return controls(g, p, GREAT_ZIMBABWE) and bank_has_room(r, g, p)
    if effect == FX_SEOUL:
        return g.city_state_cards[SEOUL, p] != 0 and list_pushes(r, g, w) > 0
    return g.city_state_cards[GENEVA, p] != 0 and list_geneva(r, g, w, p) > 0


@jit
def use(r, g, w, bots, p, effect):
    """Resolve one start-of-turn effect."""
    if effect == FX_HANGING_GARDENS:
        limit = r.wonder_limit[HANGING_GARDENS]
        place_tokens(r, g, w, bots, p, -1, limit, r.wonder_amount[HANGING_GARDENS], SOURCE_HANGING_GARDENS, -1)
    elif effect == FX_FORBIDDEN_CITY:
        forbidden_city(r, g, w, bots, p)
    elif effect == FX_EIFFEL_TOWER:
        eiffel_tower(r, g, w, bots, p)
    elif effect == FX_ORACLE:
        swap_cards(r, g, w, bots, p, 1, SOURCE_ORACLE)
    elif effect == FX_GREAT_ZIMBABWE:
        withdraw(r, g, w, bots, p)
    elif effect == FX_SEOUL:
        seoul(r, g, w, bots, p)
    else:
        geneva(r, g, w, bots, p)


@jit
def start_of_turn(r, g, w, bots, p):
    """Let seat `p` use each start-of-turn effect once, in any order."""
    used = 0
    while True:
        mask = 0
        for effect in range(N_START_EFFECTS):
            if used >> effect & 1 == 0 and usable(r, g, w, p, effect):
                mask |= 1 << effect
        if mask == 0:
            return
        n = 0
        for effect in range(N_START_EFFECTS):
            if mask >> effect & 1 != 0:
                w.option[n] = effect
                n += 1
        w.option[n] = PASS
        picked = choose(r, g, w, bots, p, decisions.START_EFFECT, n + 1)
        if picked == PASS:
            return
        used |= 1 << picked
        use(r, g, w, bots, p, picked)
        settle(r, g, w, bots)
