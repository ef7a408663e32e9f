"""Boards of Terra Incognita that random play seldom reaches: pieces, cards and tokens strewn over a game played for a while."""

from __future__ import annotations

from typing import Any

import frontier
import numpy as np

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, choosing, pieces, setup, state
from newdawn.simulator.engine.turn import play_step

SEED = 14


def started(r: Any, w: Any, game: int, players: int, bots: Any, rounds: int) -> Any:
    """Set up a game with random leaders."""
    g = state.new_state()
    choosing.seed_streams(g, SEED, game)
    g.players, g.round_cap = players, rounds
    g.leader[:players] = np.random.default_rng([SEED, game]).permutation(len(frontier.LEADERS))[:players]
    setup.start_game(r, g, w, bots)
    return g


def strewn(r: Any, w: Any, game: int, players: int, bots: Any) -> Any:
    """Return a game after some random turns, with pieces, cards, wonders and tokens strewn over it."""
    dice = np.random.default_rng([SEED + 1, game])
    g = started(r, w, game, players, bots, 200)
    for _ in range(int(dice.integers(0, 12 * players))):
        play_step(r, g, w, bots)
    strew_cards(r, g, w, dice)
    strew_cities(r, g, w, dice)
    strew_tokens(g, w, dice)
    strew_wonders(g, dice)
    strew_figures(g, w, dice)
    g.stale, g.dirty = abilities.ALL_SEATS, 0
    abilities.refresh(r, g)
    return g


def free_land(g: Any, dice: Any) -> list[int]:
    """Return the land spaces, no forts, that hold no piece, figure, city-state or barbarian, in random order."""
    n = g.n_spaces
    free = (g.terrain[:n] != names.WATER) & (g.owner[:n] < 0) & (g.city_state[:n] < 0) & (g.barbarians[:n] == 0)
    free &= (g.tile[:n] < frontier.FIRST_FORT_TILE) & (g.armies[:n] == 0) & (g.caravans[:n] == 0)
    return [int(s) for s in dice.permutation(np.flatnonzero(free))]


def settled(g: Any, s: int) -> bool:
    """Is the space next to a city, city-state or fort?"""
    near = [int(x) for x in g.neighbour[s] if x >= 0]
    return any(g.piece[x] >= names.CITY or g.city_state[x] >= 0 or g.tile[x] >= frontier.FIRST_FORT_TILE for x in near)


def strew_cities(r: Any, g: Any, w: Any, dice: Any) -> None:
    """Cities on land, and on forts (T6.3)."""
    for p in range(g.players):
        for _ in range(int(dice.integers(0, 3))):
            sites = [s for s in free_land(g, dice) if g.resource[s] < 0 and not settled(g, s)]
            if sites and g.cities_left[p] > 0:
                pieces.put_city(r, g, w, p, sites[0])
    for s in range(g.n_spaces):
        p = int(dice.integers(g.players))
        bare = g.owner[s] < 0 and g.barbarians[s] == 0 and g.armies[s] == 0
        if g.tile[s] >= frontier.FIRST_FORT_TILE and bare and g.cities_left[p] > 0 and dice.random() < 0.4:
            pieces.put_city(r, g, w, p, s)


def strew_tokens(g: Any, w: Any, dice: Any) -> None:
    """Control tokens and districts around own cities (so that some mature) and anywhere."""
    for p in range(g.players):
        near = [int(x) for s in g.cities[p, : g.city_count[p]] for x in g.neighbour[s] if x >= 0]
        free = set(free_land(g, dice))
        for s in [x for x in near if x in free and dice.random() < 0.7] + sorted(free)[:: max(1, len(free) // 5)]:
            if g.owner[s] >= 0 or g.tokens_left[p] <= g.victory_count + 4:
                continue
            spare = [d for d in range(names.N_DISTRICTS) if g.district_space[p, d] < 0]
            if spare and dice.random() < 0.25:
                pieces.put_district(g, w, p, s, int(dice.choice(spare)))
            else:
                pieces.put_token(g, w, p, s, names.TOKEN if dice.random() < 0.6 else names.REINFORCED)


def strew_wonders(g: Any, dice: Any) -> None:
    """Build the wonders that lie face up, most of them, in own cities without one; then the next ones."""
    for kind in [*range(names.N_TYPES)] * 3:
        homes = [s for s in range(g.n_spaces) if g.piece[s] >= names.CITY and g.wonder_token[s] < 0]
        if g.deck_next[kind] >= g.deck_size[kind] or not homes or dice.random() < 0.4:
            continue
        wonder, s = int(g.deck[kind, g.deck_next[kind]]), int(dice.choice(homes))
        g.wonder_place[wonder], g.wonder_space[wonder], g.wonder_token[s], g.wonder_trade[wonder] = (
            state.WONDER_BUILT,
            s,
            wonder,
            0,
        )
        g.deck_next[kind] += 1
        if g.deck_next[kind] < g.deck_size[kind]:
            g.wonder_place[g.deck[kind, g.deck_next[kind]]] = state.WONDER_FACE_UP


def strew_figures(g: Any, w: Any, dice: Any) -> None:
    """Armies and caravans anywhere their owners could have got them, some side by side on a space."""
    for p in range(g.players):
        free = [s for s in range(g.n_spaces) if quiet(g, p, s)]
        for a in range(2):
            if g.army[p, a] != state.NOT_OWNED and dice.random() < 0.7 and free:
                pieces.put_army(g, w, p, a, int(dice.choice(free)), 0)
        for c in range(3):
            if g.caravan[p, c] == state.ON_CARD and dice.random() < 0.6 and free:
                s = int(dice.choice(free))
                g.caravan[p, c] = s
                g.caravans[s] += 1


def quiet(g: Any, p: int, s: int) -> bool:
    """May a figure of the seat stand on the space: nothing there that is not its own?"""
    if g.barbarians[s] or g.city_state[s] >= 0 or g.owner[s] not in (-1, p) or g.armies[s] or g.caravans[s]:
        return False
    return bool(g.owner[s] == p or g.tile[s] < frontier.FIRST_FORT_TILE)


def strew_cards(r: Any, g: Any, w: Any, dice: Any) -> None:
    """Levels and order of the row, trade tokens, resources, governments, diplomacy cards."""
    for p in range(g.players):
        unique = frontier.box()["unique"][frontier.LEADERS[g.leader[p]]]
        for h in range(names.N_TYPES):
            kind = int(r.card_type[g.card[p, h]])
            own = names.FOCUS_TYPES[kind] == unique["type"] and dice.random() < 0.4
            g.card[p, h] = names.N_CARDS + g.leader[p] if own else kind * names.N_LEVELS + dice.integers(names.N_LEVELS)
            g.trade[p, h] = dice.integers(0, r.max_trade + 1)
            owned_figures(r, g, w, p, kind, int(g.card[p, h]))
        g.row[p, : r.slots] = dice.permutation(int(r.slots))
        for k in range(names.N_RESOURCES):
            taken = min(int(g.supply[k]), int(dice.integers(0, 2)))
            g.resources[p, k] += taken
            g.supply[k] -= taken
        if dice.random() < 0.5:
            g.government[p] = dice.integers(names.N_TYPES)
            g.government_type[p] = r.card_type[g.card[p, g.government[p]]]
        for giver in set(range(g.players)) - {p}:
            k = int(dice.integers(r.n_diplomacy))
            if g.diplomacy[giver, k] < 0 and p not in g.diplomacy[giver] and dice.random() < 0.4:
                g.diplomacy[giver, k] = p
        for cs in range(r.n_city_states):
            free = g.city_state_owner[cs] == -1 and g.city_state_cards[cs, p] == 0
            if free and g.city_state_cards_left[cs] > 0 and dice.random() < 0.25:
                g.city_state_cards[cs, p] = 1
                g.city_state_cards_left[cs] -= 1


def owned_figures(r: Any, g: Any, w: Any, p: int, kind: int, card: int) -> None:
    """Give the seat as many armies or caravans as its new card shows, those that are new on the card."""
    if kind == names.MILITARY:
        for a in range(2):
            if a >= r.card_armies[card] and g.army[p, a] >= 0:
                pieces.return_army(g, w, p, a)
            g.army[p, a] = state.NOT_OWNED if a >= r.card_armies[card] else max(int(g.army[p, a]), state.ON_CARD)
    if kind == names.ECONOMY:
        for c in range(3):
            if c >= r.card_caravans[card] and g.caravan[p, c] >= 0:
                pieces.return_caravan(g, w, p, c)
            g.caravan[p, c] = state.NOT_OWNED if c >= r.card_caravans[card] else max(int(g.caravan[p, c]), state.ON_CARD)
