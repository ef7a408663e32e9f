"""Science cards (B6): the technology dial, upgrades, and the strike of Nuclear Power."""

from __future__ import annotations

from .. import names
from ..rules import codes
from . import decisions
from .abilities import happen
from .choosing import LOG_DIAL, LOG_GOVERNMENT, LOG_UPGRADE, choose, log
from .compile.jit import expansion, inline, jit
from .exploring import look_at_tiles
from .map import flood_through_anything, is_token
from .pieces import dismiss_surplus, flip_token, gain_armies, gain_caravans, is_guarded, take_token_off, wonder_held
from .trade import ask_spend, gain_resource, gain_trade
from .winning import settle

NO_GOVERNMENT = -1


@jit
def in_row(g, p, card):
    """Is the focus card in the row of seat `p`?"""
    for h in range(names.N_TYPES):
        if g.card[p, h] == card:
            return True
    return False


@jit
def replace_card(r, g, w, p, h, card):
    """Replace a card by one of the own deck, which keeps the tokens and gains new caravans and armies (B6.2)."""
    old = int(g.card[p, h])
    if r.card_n[old] + r.card_n[card] > 0:
        g.stale |= 1 << p
    g.card[p, h] = card
    caravans = gain_caravans(r, g, p, card)
    armies = gain_armies(r, g, p, card)
    log(w, LOG_UPGRADE, p, h, old, card, caravans, armies)
    if r.card_unique[card] >= 0 and g.unique_round[p] == 0:
        g.unique_round[p] = max(1, int(g.round_number))
    g.cards_replaced += 1 if g.current == p and g.in_turn != 0 else 0
    if g.government[p] == h and (r.government_leaves != 0 or g.government_type[p] != r.card_type[card]):  # T2.6
        g.government[p] = NO_GOVERNMENT
        log(w, LOG_GOVERNMENT, p, -1, g.government_type[p], h, 0, 0)
    dismiss_surplus(r, g, w, p)
    g.dirty = 1


@inline
def in_deck(r, g, p, card):
    """Is the focus card in the deck of seat `p`, or its unique card, and not in its row?"""
    if r.card_level[card] == 0 or r.card_unavailable[card] != 0 or in_row(g, p, card):
        return False
    return r.card_unique[card] < 0 or r.card_unique[card] == g.leader[p]


@jit
def list_upgrades(r, g, w, p, n, level, only_from):
    """Append the cards of this level that seat `p` may take, each with the holder it would replace; return the count.

    `only_from`: level that the replaced card must have, or 0. By Oxford University a card gained for a level of the dial may
    replace any non-science card.
    """
    oxford = g.power[p, codes.ANY_TYPE_UPGRADE] if only_from == 0 else 0  # bits of the types that may be replaced
    for card in range(r.n_cards):
        if r.card_level[card] != level or not in_deck(r, g, p, card):
            continue
        kind = r.card_type[card]
        for h in range(names.N_TYPES):
            old = g.card[p, h]
            if old < 0 or (only_from > 0 and r.card_level[old] != only_from):
                continue
            if r.card_type[old] == kind or oxford >> r.card_type[old] & 1 != 0:
                w.option[n] = card * 8 + h
                n += 1
    return n


@jit
def take_card(r, g, w, bots, p, n, level, source):
    """Let seat `p` take one of the `n` listed upgrades; return 1 if it did."""
    if n == 0:
        return 0
    w.option[n] = decisions.PASS
    w.ask_level = level
    w.ask_source = source
    picked = choose(r, g, w, bots, p, decisions.UPGRADE, n + 1)
    if picked == decisions.PASS:
        return 0
    replace_card(r, g, w, p, picked % 8, picked // 8)
    settle(r, g, w, bots)
    return 1


@jit
def upgrade_cards(r, g, w, bots, p, row, amount):
    """Pyramids: up to three cards of level I become level II."""
    for _ in range(amount):
        level = int(r.ability_limit[row])
        n = list_upgrades(r, g, w, p, 0, level, r.ability_from_level[row])
        if take_card(r, g, w, bots, p, n, level, r.ability_source[row]) == 0:
            return


@jit
def raise_cards(r, g, w, bots, p, row, amount):
    """Porcelain Tower: up to two cards rise one level; each card once."""
    done = 0  # bits of the holders
    levels = int(r.ability_limit[row])
    for _ in range(amount):
        n = 0
        for level in range(1 + levels, names.N_LEVELS + 1):
            n = list_upgrades(r, g, w, p, n, level, level - levels)
        k = 0
        for i in range(n):
            if done >> (w.option[i] % 8) & 1 == 0:
                w.option[k] = w.option[i]
                k += 1
        if k == 0:
            return
        w.option[k] = decisions.PASS
        w.ask_level = 0
        w.ask_source = r.ability_source[row]
        picked = choose(r, g, w, bots, p, decisions.UPGRADE, k + 1)
        if picked == decisions.PASS:
            return
        done |= 1 << (picked % 8)
        replace_card(r, g, w, p, picked % 8, picked // 8)
        settle(r, g, w, bots)


@jit
def has_like(r, g, q, card):
    """Is a card of the same type and level in the row of seat `q`?"""
    for h in range(names.N_TYPES):
        other = g.card[q, h]
        if other >= 0 and r.card_type[other] == r.card_type[card] and r.card_level[other] == r.card_level[card]:
            return True
    return False


@jit
def learn_from(r, g, w, bots, p, q):
    """Great Library: seat `p` may take a card from the own deck of the type and level of any card in the row of seat `q`."""
    n = 0
    for card in range(r.n_cards):
        if not in_deck(r, g, p, card) or not has_like(r, g, q, card):
            continue
        for h in range(names.N_TYPES):
            if g.card[p, h] >= 0 and r.card_type[g.card[p, h]] == r.card_type[card]:
                w.option[n] = card * 8 + h
                n += 1
    w.ask_seat = q
    take_card(r, g, w, bots, p, n, 0, decisions.SOURCE_GREAT_LIBRARY)


@inline
def next_dial_space(r, space):
    """Return the next space of the dial (B6.3)."""
    return int(r.dial_after_last) if space >= r.dial_last else int(space) + 1


@jit
def advance_dial(r, g, w, bots, p, steps):
    """B6.1-B6.3: move the dial space by space; every level space reached or passed gains a card."""
    old = int(g.dial[p])
    for _ in range(steps):
        g.dial[p] = next_dial_space(r, g.dial[p])
        if g.dial[p] > g.dial_reached[p]:
            g.dial_reached[p] = g.dial[p]
            g.dirty = 1
    if steps > 0:
        log(w, LOG_DIAL, p, old, g.dial[p], 0, 0, 0)
    settle(r, g, w, bots)
    space = old
    for _ in range(steps):
        space = next_dial_space(r, space)
        level = int(r.dial_level[space])
        if level > 0:
            take_card(r, g, w, bots, p, list_upgrades(r, g, w, p, 0, level, 0), level, decisions.SOURCE_LEVEL)
    if steps > 0:
        happen(r, g, w, bots, p, codes.DIAL_TURNED, 0, -1, -1, -1)


@jit
def strike(r, g, w, bots, p, radius):
    """Nuclear Power: control tokens on a space and around it are destroyed, reinforced ones turned."""
    for s in range(g.n_spaces):
        w.option[s] = s
    n = g.n_spaces
    w.option[n] = decisions.PASS
    w.ask_source = decisions.SOURCE_STRIKE
    middle = choose(r, g, w, bots, p, decisions.STRIKE, n + 1)
    if middle == decisions.PASS:
        return
    flood_through_anything(g, w, 0, middle, radius)
    for s in range(g.n_spaces):
        if w.dist[0, s] < 0 or not is_token(g, s) or (g.owner[s] == p and r.strike_spares_own != 0):
            continue
        if g.piece[s] == names.REINFORCED:
            flip_token(g, w, s, names.TOKEN)
        elif not is_guarded(g, p, s):  # T12.17
            take_token_off(r, g, w, s, p)
    settle(r, g, w, bots)


@expansion
def look_ahead(r, g, w, bots, p, card) -> None:
    """Astronomy: look at tiles of the stack and perhaps lay one (T12.12)."""
    look_at_tiles(r, g, w, bots, p, r.card_look_tiles[card], r.card_lay_tiles[card])


@expansion
def unique_spaces(r, g, p, card) -> int:
    """Return the dial spaces that a unique card adds: with a world wonder (Writing), for each type of resource held, natural
    wonders included (Natural History)."""
    spaces = int(r.card_dial_with_wonder[card]) if wonder_held(r, g, p, -1) > 0 else 0
    for kind in range(names.N_RESOURCES):
        held = g.resources[p, kind] > 0
        for i in range(r.n_natural_wonders):
            held = held or (g.natural_wonder_owner[i] == p and r.natural_wonder_resource[i] == kind)
        spaces += int(r.card_dial_per_resource[card]) if held else 0
    return spaces


@jit
def resolve_science(r, g, w, bots, p, h, slot):
    """B6: the card's first effects, then the dial by slot number and trade tokens spent; or nothing at all."""
    card = g.card[p, h]
    w.option[0] = 0
    w.option[1] = 1
    if choose(r, g, w, bots, p, decisions.SCIENCE, 2) == 0:
        return
    gain_trade(r, g, w, bots, p, -1, r.card_trade_first[card], decisions.SOURCE_FIRST)
    for _ in range(r.card_resource_first[card]):
        gain_resource(r, g, w, bots, p, 1, decisions.SOURCE_REPLACEABLE)
    if r.card_strike_slot[card] > 0 and slot >= r.card_strike_slot[card]:
        strike(r, g, w, bots, p, r.card_strike_radius[card])
    if r.card_look_tiles[card] > 0:
        look_ahead(r, g, w, bots, p, card)
    w.ask_slot = slot
    extra = ask_spend(r, g, w, bots, p, h, decisions.SOURCE_SCIENCE) * r.trade_effect[names.SCIENCE]
    settle(r, g, w, bots)
    if r.box == names.TI_BOX:
        extra += unique_spaces(r, g, p, card)
    advance_dial(r, g, w, bots, p, slot + extra + g.power[p, codes.DIAL_SPACES])
