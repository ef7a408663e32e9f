"""Plays and runs drawn from a model that is known: what a comparison of them must find is known, too."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from newdawn.analysis.tables.logit import chances
from newdawn.analysis.tables.real_plays import SeatedPlays, StrategyRuns
from newdawn.simulator import names

LEADERS = tuple(sorted(names.LEADERS))
STRENGTH = np.linspace(-0.5, 0.5, len(LEADERS))
ORDER = np.array([0.2, 0.1, -0.1, -0.2])
LIKED = np.array([3, 1, 1, 2, 1, 1, 2, 3.0])  # how often people take each leader
GAMES = 8_000


class Light:
    """A run in memory: who sat where and who won."""

    def __init__(self, seats, players, strategy):
        self.seats, self.players, self.path = seats, players, strategy
        self.manifest = {"plan": {"strategies": [strategy]}}

    def pieces(self, wanted):
        games = pd.DataFrame({"game_id": self.seats["game_id"].unique()})
        yield {"games": games, "seats": self.seats[["game_id", *(c for c in wanted["seats"] if c != "game_id")]]}


def drawn(rng, n, players, strength, liked=None, skill=None, people=6, favourite=False):
    """Draw who sits where in n games of so many, and who wins; `skill`: of people, who may have a leader of their own."""
    keys = rng.gumbel(size=(n, len(LEADERS))) + np.log(LIKED if liked is None else liked)
    leader = np.argsort(-keys, axis=1)[:, :players]
    leader = rng.permuted(leader, axis=1)
    order = np.argsort(rng.random((n, players)), axis=1)
    person = np.argsort(rng.random((n, people)), axis=1)[:, :players]
    if favourite:
        leader = _favoured(leader, person)
    utility = np.asarray(strength)[leader] + ORDER[order]
    if skill is not None:
        utility = utility + np.asarray(skill)[person]
    chance = chances(utility)
    winner = (rng.random((n, 1)) > np.cumsum(chance, axis=1)).sum(axis=1)
    won = np.zeros((n, players))
    won[np.arange(n), np.minimum(winner, players - 1)] = 1
    return leader, order, person, won, chance


def _favoured(leader, person):
    """Give the first person the last leader in each game, by exchange with whoever has it."""
    found, last = leader.copy(), len(LEADERS) - 1
    for game, seat in zip(*np.nonzero(person == 0), strict=True):
        found[game][leader[game] == last] = leader[game, seat]
        found[game, seat] = last
    return found


def run_of(rng, players, strength=STRENGTH, strategy="quick", games=GAMES):
    """Return a run whose leaders are dealt evenly."""
    leader, order, _, won, _ = drawn(rng, games, players, strength, np.ones(len(LEADERS)))
    ids, seat = np.divmod(np.arange(games * players), players)
    seats = {"game_id": ids, "seat": seat.astype(np.int8), "order": order.ravel().astype(np.int8) + 1, "won": won.ravel()}
    frame = pd.DataFrame(seats | {"leader": pd.Categorical.from_codes(leader.ravel(), LEADERS)})
    return Light(frame, players, strategy)


def way_of(seed, strength=STRENGTH, strategy="quick", sizes=(2, 3, 4), games=GAMES):
    """Return a way of playing with games of several sizes."""
    rng = np.random.default_rng(seed)
    return StrategyRuns(strategy, [run_of(rng, players, strength, strategy, games) for players in sizes])


def planted(rng, n, strength=STRENGTH, sizes=(2, 3, 4), known=False, ordered=True, **more):
    """Return plays of mixed sizes, chosen leaders, and each seat's true chance; `known`: people are known by name."""
    parts = [drawn(rng, k, players, strength, **more) for players, k in zip(sizes, _shares(n, len(sizes)), strict=True)]
    wide = max(sizes)

    def padded(which, empty):
        rows = [np.pad(part[which], ((0, 0), (0, wide - part[which].shape[1])), constant_values=empty) for part in parts]
        return np.concatenate(rows)

    leader, person = padded(0, -1), padded(2, -1)
    names_of = tuple("ABCDEFGHIJKLMNOP"[: person.max() + 1])
    order = padded(1, -1) if ordered else np.full_like(leader, -1)
    people = person if known else np.full_like(person, -1)
    plays = SeatedPlays(LEADERS, names_of, leader, people, order, padded(3, 0.0))
    return SimpleNamespace(plays=plays, chance=padded(4, 0.0))


def _shares(n, parts):
    return [n // parts + (k < n % parts) for k in range(parts)]
