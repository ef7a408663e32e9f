"""Games drawn from a model that is known: what an analysis of them must find is known, too."""

import numpy as np
import pandas as pd

from newdawn.analysis.tables.decoded_games import CARDS
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import names_of
from newdawn.simulator.runs.columns import START

VICTORY_CARDS = [f"{names.AGENDAS[i]} / {names.AGENDAS[i + 1]}" for i in range(0, len(names.AGENDAS), 2)]


class KnownRun:
    """Tables in memory with the interface of a run folder, cut into pieces."""

    def __init__(self, tables, players, pieces=3, manifest=None):
        self.tables, self.players, self.manifest = tables, players, manifest or {}
        self.planned_games = len(tables["games"])
        self.edges = np.linspace(0, self.planned_games, pieces + 1).astype(int)

    def pieces(self, wanted):
        for low, high in zip(self.edges, self.edges[1:], strict=False):
            yield {
                name: table.loc[(table["game_id"] >= low) & (table["game_id"] < high), self._there(name, wanted[name])]
                for name, table in self.tables.items()
                if name in wanted
            }

    def first(self, games):
        return self

    def read(self, name, columns=None):
        return self.tables[name][self._there(name, columns or self.tables[name].columns)]

    def _there(self, name, columns):
        """Return the columns as a list; a line for those that these games do not have."""
        missing = [column for column in columns if column not in self.tables[name]]
        if missing:
            has = ", ".join(self.tables[name].columns)
            raise KeyError(f"table {name}: these games have no column {', '.join(missing)}, only {has}; draw it, too")
        return list(columns)


def category(codes, words):
    return pd.Categorical.from_codes(codes, list(words))


def chances(utility):
    raised = np.exp(utility - utility.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def seated(rng, n, players):
    """Draw leaders for every seat, the first player, and three victory cards for every game."""
    leaders = np.argsort(rng.random((n, len(names.LEADERS))), axis=1)[:, :players]
    order = (np.arange(players)[None, :] - rng.integers(0, players, n)[:, None]) % players
    cards = np.argsort(rng.random((n, len(VICTORY_CARDS))), axis=1)[:, :3]
    return leaders, order, cards


def draw(rng, utility, shared=0.0, unfinished=0.0):
    """Return shares of the win: usually one winner, sometimes two (drawn one after the other), sometimes nobody."""
    n, players = utility.shape
    # The largest of u + Gumbel noise wins: exactly the conditional logit.
    noisy = utility + rng.gumbel(size=utility.shape)
    ranked = np.argsort(-noisy, axis=1)
    won = np.zeros((n, players))
    won[np.arange(n), ranked[:, 0]] = 1
    two = rng.random(n) < shared
    won[two] = 0
    for place in (0, 1):
        won[np.flatnonzero(two), ranked[two, place]] = 0.5
    won[rng.random(n) < unfinished] = 0
    return won


def tables(leaders, order, cards, won, *, strategies=None, rounds=None, rng=None):
    """Return the four tables of such games; what is not given is constant or drawn at random."""
    rng = rng or np.random.default_rng(0)
    n, players = leaders.shape
    ids = np.repeat(np.arange(n), players)
    strategy = np.zeros_like(leaders) if strategies is None else strategies
    seats = pd.DataFrame(
        {
            "game_id": ids,
            "seat": np.tile(np.arange(players), n).astype(np.int8),
            "leader": category(leaders.ravel(), names.LEADERS),
            "strategy": category(strategy.ravel(), ["bold", "calm", "wild"]),
            "order": (order.ravel() + 1).astype(np.int8),
            "won": won.ravel(),
        }
    )
    decided = won.sum(axis=1) > 0
    games = pd.DataFrame({"game_id": np.arange(n), "players": players})
    games["rounds"] = rng.poisson(20, n) + 5 if rounds is None else rounds
    games["ending"] = category(np.where(decided, 0, 1), ["victory", "round_cap"])
    for i, name in enumerate(CARDS):
        code = cards[:, i] if i < cards.shape[1] else np.full(n, -1)
        games[name] = category(code, VICTORY_CARDS)
    wonders = pd.DataFrame({"game_id": np.repeat(np.arange(n), len(names.WONDERS))})
    wonders["wonder"] = category(np.tile(np.arange(len(names.WONDERS)), n), names.WONDERS)
    wonders["type"] = category(np.tile(np.arange(len(names.WONDERS)) // 6, n), ["culture", "economy", "military", "science"])
    wonders["era"] = "early"
    wonders["in_deck"] = rng.random(len(wonders)) < 0.75
    built = wonders["in_deck"] & (rng.random(len(wonders)) < 0.3)
    wonders["round_revealed"] = np.where(wonders["in_deck"], 1.0, np.nan)
    wonders["round_built"] = np.where(built, 9.0, np.nan)
    wonders["builder"] = np.where(built, np.random.default_rng(0).integers(0, players, len(wonders)), np.nan)
    wonders["captures"] = 0
    game, seat = np.nonzero(won)
    claims = cards[game]
    agenda = 2 * claims + (rng.random(claims.shape) < 0.3)
    agendas = pd.DataFrame(
        {
            "game_id": np.repeat(game, claims.shape[1]),
            "seat": np.repeat(seat, claims.shape[1]).astype(np.int8),
            "agenda": category(agenda.ravel(), names.AGENDAS),
            "card": category(claims.ravel(), VICTORY_CARDS),
            "round": 9,
        }
    )
    return {"games": games, "seats": seats, "wonders": wonders, "agendas": agendas}


def known_run(rng, n, strength, *, players=4, order_effect=None, shared=0.0, unfinished=0.0, pieces=3):
    """Return a run whose leaders have these log odds, in the order of LEADERS."""
    leaders, order, cards = seated(rng, n, players)
    utility = np.asarray(strength)[leaders]
    if order_effect is not None:
        utility = utility + np.asarray(order_effect)[order]
    won = draw(rng, utility, shared, unfinished)
    return KnownRun(tables(leaders, order, cards, won, rng=rng), players, pieces)


def with_places(n, seed, start=0.0, wonder=0.0, players=4):
    """Games in which starting on tile 5, and holding the first natural wonder, add to the log odds."""
    rng, rules = np.random.default_rng(seed), load_ruleset()
    leaders, order, _ = seated(rng, n, players)
    tiles = np.argsort(rng.random((n, players)), axis=1)  # which of four start places each seat has
    holder = rng.integers(0, players, n)
    has = np.arange(players) == holder[:, None]
    won = draw(rng, start * (tiles == 0) + wonder * has)
    every = np.arange(n)
    games = pd.DataFrame({"game_id": every, "players": players, "rounds": 15, "unfinished": False})
    games["ending"] = category(np.full(n, names.ENDINGS.index("victory")), names.ENDINGS)
    seats = pd.DataFrame({"game_id": np.repeat(every, players), "seat": np.tile(np.arange(players), n)})
    seats["leader"], seats["strategy"] = (
        category(leaders.ravel(), names.LEADERS),
        category(np.zeros(n * players, int), ["planner"]),
    )
    seats["order"], seats["won"] = order.ravel() + 1, won.ravel()
    wonders = names_of(rules.data, "natural_wonder")
    known = [*wonders, *(START.format(tile) for tile in range(1, 9))]
    began = pd.DataFrame({"game_id": seats["game_id"], "seat": seats["seat"], "place": len(wonders) + 4 + tiles.ravel()})
    held = pd.DataFrame({"game_id": every, "seat": holder, "place": 0})
    rows = pd.concat([began, held], ignore_index=True).sort_values("game_id", kind="stable", ignore_index=True)
    rows["place"] = category(rows["place"].to_numpy(), known)
    manifest = {"ruleset": {"data": rules.data, "box": "base"}}
    return KnownRun({"games": games, "seats": seats, "places": rows}, players, manifest=manifest)
