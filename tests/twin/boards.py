"""Random boards for the twin: games played at random for a while, and set-up maps with random legal pieces strewn on them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, choosing, pieces, setup, state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.archetypes import choose_random

SEED = 6


@cache
def printed_rules() -> Any:
    """Return the printed rules, compiled."""
    return load_ruleset().compile()


@cache
def random_bots() -> Any:
    return seat_strategies(choose_random)


def started(r: Any, w: Any, game: int, players: int, bots: Any = None, round_cap: int = 60) -> Any:
    """Set up a game with random leaders and a map laid at random."""
    g = state.new_state()
    choosing.seed_streams(g, SEED, game)
    g.players = players
    g.round_cap = round_cap
    g.leader[:players] = np.random.default_rng([SEED, game]).permutation(len(names.LEADERS))[:players]
    setup.start_game(r, g, w, bots if bots is not None else random_bots())
    return g


def played(r: Any, w: Any, game: int, players: int, turns: int) -> Any:
    """Return a game after so many turns of random play (or at its end)."""
    g = started(r, w, game, players)
    for _ in range(turns):
        if play_step(r, g, w, random_bots()) == 0:
            break
    return g


def strewn(r: Any, game: int, players: int) -> Any:
    """Return a set-up map with random pieces, cards, wonders and tokens: situations that random play seldom reaches."""
    w = state.new_work()
    g = started(r, w, game, players)
    dice = np.random.default_rng([SEED + 1, game])
    strew_cities(r, g, w, dice)
    strew_city_states(r, g, w, dice)
    strew_tokens(g, w, dice)
    strew_wonders(g, dice)
    strew_figures(g, dice)
    strew_cards(r, g, dice)
    g.current = dice.integers(players)
    g.stale = abilities.ALL_SEATS
    abilities.refresh(r, g)
    g.dirty = 0
    return g


def free_land(g: Any, dice: Any) -> list[int]:
    """Return the land spaces that hold no piece, city-state or barbarian, in random order."""
    n = g.n_spaces
    free = (g.terrain[:n] != names.WATER) & (g.owner[:n] < 0) & (g.city_state[:n] < 0) & (g.barbarians[:n] == 0)
    return [int(s) for s in dice.permutation(np.flatnonzero(free))]


def settled(g: Any, s: int) -> bool:
    """Is the space next to a city or city-state?"""
    near = [x for x in g.neighbour[s].tolist() if x >= 0]
    return any(g.piece[x] >= names.CITY or g.city_state[x] >= 0 for x in near)


def strew_cities(r: Any, g: Any, w: Any, dice: Any) -> None:
    for p in range(g.players):
        for _ in range(dice.integers(0, r.cities_per_player)):
            sites = [s for s in free_land(g, dice) if not settled(g, s) and g.resource[s] < 0]
            if sites:
                pieces.put_city(r, g, w, p, sites[0])


def strew_city_states(r: Any, g: Any, w: Any, dice: Any) -> None:
    """Conquer some of the city-states, hand out cards of the others."""
    for cs in range(r.n_city_states):
        if g.city_state_owner[cs] == -2:
            for p in dice.permutation(int(g.players))[: dice.integers(0, 2)]:
                g.city_state_cards[cs, p] = 1
            continue
        p, s = int(dice.integers(g.players)), int(g.city_state_space[cs])
        if dice.random() < 0.3 and g.cities_left[p] > 0 and g.barbarians[s] == 0:
            g.city_state[s] = -1
            g.city_state_owner[cs] = p
            g.city_state_holder[cs] = pieces.holder_of(r, g, p, r.city_state_type[cs])
            g.city_state_used[cs] = dice.integers(0, 2)
            pieces.put_city(r, g, w, p, s)
        else:
            for q in dice.permutation(int(g.players))[: dice.integers(0, r.city_state_copies[cs] + 1)]:
                g.city_state_cards[cs, q] = 1
                g.city_state_cards_left[cs] -= 1


def strew_tokens(g: Any, w: Any, dice: Any) -> None:
    """Control tokens around own cities (so that some mature) and anywhere."""
    for p in range(g.players):
        near = [x for s in g.cities[p, : g.city_count[p]].tolist() for x in g.neighbour[s].tolist() if x >= 0]
        wanted = [x for x in near if dice.random() < 0.75] + free_land(g, dice)[: dice.integers(0, 12)]
        for s in wanted:
            legal = g.terrain[s] != names.WATER and g.owner[s] < 0 and g.city_state[s] < 0 and g.barbarians[s] == 0
            if legal and g.tokens_left[p] > g.victory_count:  # enough for the victory cards: nobody takes tokens off
                pieces.put_token(g, w, p, s, names.TOKEN if dice.random() < 0.6 else names.REINFORCED)
                g.taken[s] = dice.random() < 0.15
    for i in range(len(names.NATURAL_WONDERS)):
        if g.natural_wonder_owner[i] >= 0:
            p = g.natural_wonder_owner[i]
            g.natural_wonder_used[i] = dice.integers(0, 2)
            g.natural_wonder_holder[i] = dice.integers(0, 5) if g.leader[p] == names.AMERICA else -1


def strew_wonders(g: Any, dice: Any) -> None:
    """Build the first wonders of each deck, under cities, control tokens or ruins."""
    for kind in range(names.N_TYPES):
        built = int(dice.integers(0, g.deck_size[kind] + 1)) if g.deck_size[kind] > 0 else 0
        for k in range(g.deck_size[kind]):
            wonder = int(g.deck[kind, k])
            g.wonder_place[wonder] = state.WONDER_DECK
            if k < built:
                place_wonder(g, wonder, dice)
            elif k == built:
                g.wonder_place[wonder] = state.WONDER_FACE_UP
        g.deck_next[kind] = built


def place_wonder(g: Any, wonder: int, dice: Any) -> None:
    n = g.n_spaces
    cities = g.piece[:n] >= names.CITY
    tokens = (g.piece[:n] == names.TOKEN) | (g.piece[:n] == names.REINFORCED)
    ruins = (g.owner[:n] < 0) & (g.terrain[:n] != names.WATER) & (g.city_state[:n] < 0)
    kinds = [cities, cities, cities, tokens, ruins]
    spaces = np.flatnonzero(kinds[dice.integers(len(kinds))] & (g.wonder_token[:n] < 0))
    if len(spaces) == 0:
        spaces = np.flatnonzero(ruins & (g.wonder_token[:n] < 0))
    s = int(dice.choice(spaces))
    g.wonder_place[wonder] = state.WONDER_BUILT
    g.wonder_space[wonder] = s
    g.wonder_token[s] = wonder


def strew_figures(g: Any, dice: Any) -> None:
    """Barbarians anywhere they may stand (some on capitals, some off the map), caravans on any land."""
    n = g.n_spaces
    for b in range(len(g.barbarian_space)):
        if g.barbarian_space[b] < 0:
            continue
        g.barbarians[g.barbarian_space[b]] -= 1
        g.barbarian_space[b] = -1
        open_space = (g.terrain[:n] != names.WATER) & (g.barbarians[:n] == 0)
        spaces = np.flatnonzero(open_space & ((g.owner[:n] < 0) | (g.piece[:n] == names.CAPITAL)))
        if dice.random() < 0.8:
            s = int(dice.choice(spaces))
            g.barbarian_space[b] = s
            g.barbarians[s] += 1
    for p in range(g.players):
        for c in range(names.MAX_CARAVANS):
            places = [state.NOT_OWNED, state.ON_CARD, int(dice.integers(n)), int(dice.integers(n))]
            place = places[dice.integers(1 if c == 0 else 0, 4)]  # everyone has at least one
            if place >= 0:
                stands = g.city_state[place] >= 0 or (g.piece[place] >= names.CITY and g.owner[place] != p)
                place = state.ON_CARD if stands or g.barbarians[place] else place
            g.caravan[p, c] = place
            if place >= 0:
                g.caravans[place] += 1
    for s in range(n):
        if g.city_state[s] >= 0 or g.piece[s] >= names.CITY:
            g.arrived[s] = dice.random() < 0.2


def strew_cards(r: Any, g: Any, dice: Any) -> None:
    """Levels and order of the row, trade tokens, resources, diplomacy cards, the dial."""
    for p in range(g.players):
        for kind in range(5):
            g.card[p, kind] = kind * names.N_LEVELS + dice.integers(names.N_LEVELS)
            g.trade[p, kind] = dice.integers(0, r.max_trade + 1)
        if dice.random() < 0.25:  # Oxford University can bring a second card of a type
            g.card[p, names.CULTURE] = names.MILITARY * names.N_LEVELS + (g.card[p, names.MILITARY] + 1) % names.N_LEVELS
        g.row[p, :5] = dice.permutation(5)
        for k in range(names.N_RESOURCES):
            amount = int(dice.integers(0, g.supply[k] + 1)) // 2
            g.resources[p, k] += amount
            g.supply[k] -= amount
        g.dial[p] = dice.integers(0, r.dial_last + 1)
        g.dial_reached[p] = max(g.dial[p], dice.integers(0, r.dial_last + 1))
        g.capitals_beaten[p] = dice.random() < 0.1
        for giver in range(g.players):
            if giver != p:
                for k in dice.permutation(int(r.n_diplomacy))[: dice.integers(0, 3)]:
                    if g.diplomacy[giver, k] < 0:
                        g.diplomacy[giver, k] = p
