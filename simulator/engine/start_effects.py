"""Deeds of abilities: at the start of a turn, in any order (B4.1), or when a card has been resolved."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions
from .abilities import ACTS, BY_COUNT, gain_by, happen, is_at_once, note_moment, use_bit
from .barbarians import list_pushes, push_barbarians
from .choosing import LOG_ABILITY, LOG_SWAP, LOG_TRADE, choose, log
from .combat import list_plain_tokens, reinforce
from .compile.jit import call_deed, inline, jit
from .counts import amount_of, conditions_hold, counted_amount, districts_on_map
from .culture import keep_terrains, list_cities_to_take, list_token_spaces, no_slot, place_by_ability, take_cities, turn_over
from .diplomacy import give_card, list_diplomacy_swaps, list_receivers, make_alliance, swap_diplomacy, take_diplomacy
from .districts import use_any_district
from .industry import explore_anywhere, wonders_are_gained
from .map import is_token, next_to_friendly
from .pieces import is_guarded, take_token_off
from .science import advance_dial, raise_cards, upgrade_cards
from .trade import list_room, put_trade
from .winning import have_token, settle

NTH = 64  # the option of a further ability of the same kind is the kind plus a multiple of this


# --- Forbidden City, Eiffel Tower


@jit
def list_border_rivals(g, w, p):
    """List the unguarded rival control tokens (T5.14) next to a friendly space of seat `p`."""
    n = 0
    for s in range(g.n_spaces):
        if g.owner[s] < 0 or g.owner[s] == p or is_guarded(g, p, s):
            continue
        if is_token(g, s) and next_to_friendly(g, p, s):
            w.option[n] = s
            n += 1
    return n


@jit
def remove_tokens(r, g, w, bots, p, amount):
    """Forbidden City: remove rival control tokens next to a friendly space."""
    for _ in range(amount):
        n = list_border_rivals(g, w, p)
        w.option[n] = decisions.PASS
        w.ask_source = decisions.SOURCE_FORBIDDEN_CITY
        s = choose(r, g, w, bots, p, decisions.RIVAL_TOKEN, n + 1)
        if s == decisions.PASS:
            return
        take_token_off(r, g, w, s, p)
        settle(r, g, w, bots)


@jit
def list_named(g, w, p, amount):
    """List the unguarded control tokens (T5.14) of rivals that have `amount` or more of them."""
    n = 0
    for q in range(g.players):
        if q == p:
            continue
        start = n
        for s in range(g.n_spaces):
            if g.owner[s] == q and is_token(g, s) and not is_guarded(g, p, s):
                w.option[n] = s
                n += 1
        if n - start < amount:
            n = start
    return n


@jit
def name_tokens(r, g, w, bots, p, amount):
    """Eiffel Tower: write the tokens of one rival that seat `p` names into ``w.chain``; return how many, 0 for none."""
    n = list_named(g, w, p, amount)
    w.option[n] = decisions.PASS
    w.ask_space = -1
    first = choose(r, g, w, bots, p, decisions.NAME_TOKEN, n + 1)
    if first == decisions.PASS:
        return 0
    w.chain[0] = first
    for k in range(1, amount):
        n = 0
        for s in range(g.n_spaces):
            if g.owner[s] != g.owner[first] or not is_token(g, s) or is_guarded(g, p, s):
                continue
            named = False
            for i in range(k):
                named = named or w.chain[i] == s
            if not named:
                w.option[n] = s
                n += 1
        w.ask_space = first
        w.chain[k] = choose(r, g, w, bots, p, decisions.NAME_TOKEN, n)
    return amount


@jit
def convert_token(r, g, w, bots, p, amount, converted):
    """Eiffel Tower: the rival replaces one of the two named tokens by an unreinforced one of seat `p`."""
    named = name_tokens(r, g, w, bots, p, amount)
    if named == 0 or not have_token(r, g, w, bots, p, decisions.SOURCE_EIFFEL, 1):
        return
    q = g.owner[w.chain[0]]
    for i in range(named):
        w.option[i] = w.chain[i]
    w.ask_seat = p
    for _ in range(converted):
        turn_over(r, g, w, p, choose(r, g, w, bots, q, decisions.YIELD_TOKEN, named))
    settle(r, g, w, bots)


# --- Oracle (and Aztec's swap), Great Zimbabwe


@inline
def type_in_place(r, g, p, place):
    """Return the focus type of the card in the place of the row."""
    return int(r.card_type[g.card[p, g.row[p, place]]])


@jit
def swap_cards(r, g, w, bots, p, adjacent, among, source):
    """Swap two cards of the row (adjacent ones only: Oracle; of the types in the bits of `among` only: Sankore)."""
    n = 0
    for a in range(r.slots):
        for b in range(a + 1, r.slots):
            fits = among >> type_in_place(r, g, p, a) & among >> type_in_place(r, g, p, b) & 1
            if fits != 0 and (adjacent == 0 or b == a + 1):
                w.option[n] = a * 8 + b
                n += 1
    w.option[n] = decisions.PASS
    w.ask_source = source
    picked = choose(r, g, w, bots, p, decisions.SWAP_CARDS, n + 1)
    if picked == decisions.PASS:
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
    for h in range(names.N_TYPES):
        if g.card[p, h] >= 0 and g.trade[p, h] < r.max_trade:
            return True
    return False


@jit
def withdraw(r, g, w, bots, p):
    """Great Zimbabwe: move stored trade tokens to the row."""
    while bank_has_room(r, g, p):
        n = list_room(r, g, w, p, -1)
        w.option[n] = decisions.PASS
        w.ask_source = decisions.SOURCE_BANK
        h = choose(r, g, w, bots, p, decisions.PLACE_TRADE, n + 1)
        if h == decisions.PASS:
            return
        g.wonder_bank -= 1
        log(w, LOG_TRADE, p, decisions.BANK, -1, decisions.SOURCE_BANK, 0, 0)
        put_trade(g, w, p, h, decisions.SOURCE_BANK)


# --- all of them


@inline
def kind_of(r, row):
    """Return the ability's option at the start of a turn (decisions.START_EFFECTS)."""
    return decisions.START_KIND[r.ability_effect[row]]


@jit
def source_of(r, row):
    """Return the source (SOURCE_*) by whose rule the ability's control tokens are placed (culture.token_fits)."""
    if r.ability_next_to[row] == codes.BESIDE_FRIENDLY:
        return decisions.SOURCE_BORDER
    return decisions.SOURCE_NEW_CITY if r.ability_next_to[row] == codes.BESIDE_THAT else int(r.ability_source[row])


@inline
def token_limit(r, row):
    """Return the highest difficulty of spaces for the ability's control tokens: its own limit, or as without a slot."""
    limit = int(r.ability_limit[row])
    return no_slot(r) if limit == codes.NO_LIMIT else limit


@inline
def comes_to_nothing(r, g, p, row):
    """Is there none of what the ability's amount is counted for (`per`)?"""
    return r.ability_per[row] != codes.NOTHING and amount_of(r, g, p, row, -1, -1) == 0


@jit
def has_use(r, g, w, p, row):
    """Would the ability have an effect if seat `p` used it now?"""
    effect = r.ability_effect[row]
    if effect == codes.TRADE_BANK:
        return bank_has_room(r, g, p)
    if not conditions_hold(r, g, p, row, -1, -1) or comes_to_nothing(r, g, p, row):
        return False
    if effect == codes.CONTROL_TOKENS:
        n = list_token_spaces(r, g, w, p, -1, token_limit(r, row), source_of(r, row), -1)
        return keep_terrains(g, w, n, int(r.ability_on_terrain[row])) > 0
    if effect == codes.REMOVE_RIVAL_TOKENS:
        return list_border_rivals(g, w, p) > 0
    if effect == codes.CONVERT_TOKEN:
        return list_named(g, w, p, int(r.ability_amount[row])) > 0
    if effect == codes.PUSH_BARBARIAN:
        return list_pushes(r, g, w) > 0
    if effect == codes.SWAP_DIPLOMACY:
        return list_diplomacy_swaps(r, g, w, p) > 0
    if effect == codes.GIVE_CARD:
        return list_receivers(g, w, p) > 0
    if effect == codes.RESOLVE_DISTRICT:
        return districts_on_map(g, p) > 0
    if effect == codes.REINFORCE:
        return list_plain_tokens(g, w, p, r.ability_next_to[row]) > 0
    if effect == codes.TAKE_CITY:
        return g.cities_left[p] > 0 and list_cities_to_take(g, w, p, -1, int(r.ability_within[row])) > 0
    if effect == codes.EXPLORE:
        return g.stack_n > 0
    return True


@jit
def place_by_deed(r, g, w, bots, p, row, amount, s):
    """Let seat `p` place the ability's control tokens; `s`: the space of its moment, or -1."""
    piece = names.REINFORCED if r.ability_reinforced[row] != 0 else names.TOKEN
    terrains = int(r.ability_on_terrain[row])
    place_by_ability(r, g, w, bots, p, token_limit(r, row), amount, source_of(r, row), s, terrains, piece)


@jit
def use_some_districts(r, g, w, bots, p, amount):
    """Seat `p` uses so many of its districts, one after the other in any order."""
    done = 0
    for _ in range(amount):
        if done >= 0:
            done = use_any_district(r, g, w, bots, p, done)


@jit
def do_deed(r, g, w, bots, p, row, s, amount):
    """Let seat `p` do the ability's deed with an amount, its conditions checked; `s`: the space of its moment, or -1."""
    effect = r.ability_effect[row]
    if r.ability_own[row] != 0 and not is_at_once(r, row):  # rows of tokens that change hands name it
        log(w, LOG_ABILITY, p, row, 0, 0, 0, 0)
    if effect == codes.TRADE_BANK:
        withdraw(r, g, w, bots, p)
    elif is_at_once(r, row):
        gain_by(r, g, w, bots, p, row, codes.NO_GIVER, amount, -1)
    elif effect == codes.CONTROL_TOKENS:
        place_by_deed(r, g, w, bots, p, row, amount, s)
    elif effect == codes.REINFORCE:
        reinforce(r, g, w, bots, p, 0, amount, r.ability_next_to[row])
    elif effect == codes.ADVANCE_DIAL:
        advance_dial(r, g, w, bots, p, amount)
    elif effect == codes.SWAP_CARDS:
        for _ in range(amount):
            swap_cards(r, g, w, bots, p, r.ability_adjacent[row], int(r.ability_among[row]), r.ability_source[row])
    elif effect == codes.REMOVE_RIVAL_TOKENS:
        remove_tokens(r, g, w, bots, p, amount)
    elif effect == codes.CONVERT_TOKEN:
        convert_token(r, g, w, bots, p, amount, r.ability_limit[row])
    elif effect == codes.PUSH_BARBARIAN:
        push_barbarians(r, g, w, bots, p, amount)
    elif effect == codes.SWAP_DIPLOMACY:
        swap_diplomacy(r, g, w, bots, p, amount)
    elif effect == codes.UPGRADE_CARDS:
        upgrade_cards(r, g, w, bots, p, row, amount)
    elif effect == codes.RAISE_CARDS:
        raise_cards(r, g, w, bots, p, row, amount)
    elif effect == codes.GIVE_CARD:
        give_card(r, g, w, bots, p)
    elif effect == codes.ALLIANCE:
        make_alliance(r, g, w, bots, p, amount)
    elif effect == codes.RESOLVE_DISTRICT:
        use_some_districts(r, g, w, bots, p, amount)
    elif effect == codes.TAKE_CITY:
        take_cities(r, g, w, bots, p, row, amount, s)
    elif effect == codes.EXPLORE:
        explore_anywhere(r, g, w, bots, p, row, amount)
    elif effect == codes.OWN_FUNCTION:
        call_deed(r.function_address[r.ability_function[row]], r, g, w, bots, p, s, amount)
    else:
        take_diplomacy(r, g, w, bots, p, amount)
    settle(r, g, w, bots)


@jit
def losses_happen(r, g, w, bots):
    """Let the abilities act that wait for the losses noted (`pieces.note_loss`), in the order in which they came."""
    k = 0
    while k < g.lost_n:
        p, moment, s, other = int(g.lost[k, 0]), int(g.lost[k, 1]), int(g.lost[k, 2]), int(g.lost[k, 3])
        g.doing = g.lost[k, 4]
        k += 1
        happen(r, g, w, bots, p, moment, 0, -1, s, other)
    g.doing = 0
    g.lost_n = 0


@jit
def follow_up(r, g, w, bots):
    """Do the deeds that abilities have set off, one after the other, then those that these set off; losses first."""
    k = 0
    while k < g.to_do_n or g.wonders_gained != 0 or g.lost_n != 0:
        if g.lost_n != 0:
            losses_happen(r, g, w, bots)
            continue
        if g.wonders_gained != 0:
            wonders_are_gained(r, g, w, bots)
            continue
        p, row, s, amount = int(g.to_do[k, 0]), int(g.to_do[k, 1]), int(g.to_do[k, 2]), int(g.to_do[k, 3])
        k += 1
        g.doing = k
        do_deed(r, g, w, bots, p, row, s, amount)
        g.doing = 0
    g.to_do_n = 0


@inline
def starts(r, row):
    """Is the ability used at the start of a turn?"""
    return r.ability_moment[row] == codes.START_OF_TURN or r.ability_effect[row] == codes.TRADE_BANK


@jit
def start_ability(r, g, p, option):
    """Return the place in the list of the ability of an option, its kind plus NTH for each earlier ability of the kind."""
    left = option // NTH
    for k in range(g.listed_n[p]):
        row = int(g.listed[p, k])
        if starts(r, row) and kind_of(r, row) == option % NTH:
            if left == 0:
                return k
            left -= 1
    return -1


@inline
def is_used(g, p, k):
    """Was the ability in place `k` of the list used this turn? If two cards have the same one, each may be used."""
    return g.ability_used[g.listed[p, k]] & use_bit(p, g.listed_giver[p, k]) != 0


@jit
def list_start_effects(r, g, w, p):
    """Return the start-of-turn abilities that seat `p` can still use with effect, as bits of their places in its list."""
    usable = 0
    for k in range(g.listed_n[p]):
        row = int(g.listed[p, k])
        if starts(r, row) and not is_used(g, p, k) and has_use(r, g, w, p, row):
            usable |= 1 << k
    return usable


@jit
def note_held_back(r, g, w, p):
    """Note the abilities of the start of the turn whose conditions do not hold when it begins."""
    for k in range(g.listed_n[p]):
        row = int(g.listed[p, k])
        if starts(r, row) and not conditions_hold(r, g, p, row, -1, -1):
            note_moment(w, p, row, -1, BY_COUNT, 0)


@jit
def offer_start_effects(r, g, w, p, usable):
    """List the usable abilities by kind: the kind plus NTH for each earlier ability of the kind; return how many."""
    n = 0
    for kind in range(len(decisions.START_EFFECTS)):
        nth = 0
        for k in range(g.listed_n[p]):
            row = int(g.listed[p, k])
            if starts(r, row) and kind_of(r, row) == kind:
                if usable >> k & 1 != 0:
                    w.option[n] = kind + NTH * nth
                    n += 1
                nth += 1
    return n


@jit
def start_of_turn(r, g, w, bots, p):
    """Let the abilities of the first turn act; then let seat `p` use each start-of-turn ability once, in any order."""
    if g.round_number == 1:
        happen(r, g, w, bots, p, codes.FIRST_TURN, 0, -1, -1, -1)
        follow_up(r, g, w, bots)
    if w.log_on > 1:
        note_held_back(r, g, w, p)
    while g.moments[p] >> codes.START_OF_TURN & 1 != 0:
        usable = list_start_effects(r, g, w, p)
        if usable == 0:
            return
        n = offer_start_effects(r, g, w, p, usable)
        w.option[n] = decisions.PASS
        picked = choose(r, g, w, bots, p, decisions.START_EFFECT, n + 1)
        if picked == decisions.PASS:
            return
        k = int(start_ability(r, g, p, picked))
        row = int(g.listed[p, k])
        g.ability_used[row] |= use_bit(p, g.listed_giver[p, k])
        amount = int(counted_amount(r, g, w, p, row, -1, -1, -1))
        note_moment(w, p, row, -1, ACTS, amount)
        do_deed(r, g, w, bots, p, row, -1, amount)
        follow_up(r, g, w, bots)
