"""Games of a known game: what changes of the rules move is known, so what a search for goals must find is known, too."""

from functools import partial

import numpy as np

from newdawn.analysis.goals import games as playing
from newdawn.analysis.goals import stages
from newdawn.analysis.goals.games import Choice, Space
from newdawn.analysis.goals.model import search
from newdawn.analysis.goals.wishes import read_goals
from newdawn.analysis.questions.balance import FRESH_FROM, OtherFigures
from newdawn.analysis.questions.possible_changes import levers
from newdawn.simulator.rules import load_ruleset

PRINTED = load_ruleset()
COMBAT = "leaders.scythia.abilities.combat.amount"
TOKENS = "leaders.america.start_trade_tokens.*"
PETRA = "wonders.petra.cost"
COLOSSUS = "wonders.colossus.cost"
NUMBERS = (COMBAT, TOKENS, PETRA, COLOSSUS)
# log odds: of the figure under the printed rules, and what a step of each number moves of it
CHANCES = {
    "win rate of Scythia": (-1.1, {COMBAT: 0.25}),
    "win rate of America": (-1.1, {TOKENS: 0.3}),
    "build rate of Petra": (0.0, {PETRA: -0.3}),
    "build rate of Colossus": (0.0, {COLOSSUS: -0.3}),
}
MEAN_ROUNDS = 16.0


def values_of(ruleset):
    """Return how many steps each number is away from the printed game; of several the mean."""
    found = {}
    for path in NUMBERS:
        own, printed = (at(one.data, path) for one in (ruleset, PRINTED))
        found[path] = own - printed
    return found


def at(data, path):
    for key in path.split("."):
        if key == "*":
            return sum(data.values()) / len(data)
        data = data[key]
    return data


class KnownGames:
    """Plays them: each figure is drawn by the luck of its game, which is the same under all rules."""

    def __init__(self, seed=1, stop=None):
        self.played, self.stop, self.seed = 0, stop, seed
        self.chances = {}

    def asked(self, figures):
        """Stand in for `asked_of`."""
        titles = tuple(figure.title for figure in figures)
        known = [(place, title) for place, title in enumerate(titles) if title in CHANCES]

        def play(plan, ruleset, first, n, jobs, observer):
            if self.stop is not None and self.played + n > self.stop:
                raise KeyboardInterrupt
            self.played += n
            observer.add(n)
            return self.values(plan, ruleset, first, n, titles, known)

        return OtherFigures(titles, play)

    def values(self, plan, ruleset, first, n, titles, known):
        fresh = first >= FRESH_FROM
        kind = sum(map(ord, plan.strategies[0]))
        rng = np.random.default_rng([self.seed, plan.seed, plan.players, kind, fresh])
        begin = first - FRESH_FROM * fresh
        luck = rng.random((begin + n, len(CHANCES) + 1))[begin:]
        values = np.zeros((n, len(titles), 2), np.float32)
        values[:, :, 1] = 1
        steps = self.chances.setdefault(ruleset.digest(), values_of(ruleset))
        for (place, title), own in zip(known, luck.T, strict=False):
            odds, moves = CHANCES[title]
            odds += sum(size * steps[number] for number, size in moves.items())
            values[:, place, 0] = own < 1 / (1 + np.exp(-odds))
        values[:, titles.index("rounds"), 0] = np.round(MEAN_ROUNDS + 8 * (luck[:, -1] - 0.5))
        return values


def known_games(monkeypatch, **settings):
    """Let tables be played by the known game."""
    games = KnownGames(**settings)
    monkeypatch.setattr(playing, "asked_of", games.asked)
    monkeypatch.setattr(stages, "search", partial(search, population=30, generations=15))
    return games


GOALS = """
name: known
goals:
  - {{figure: win-rate, of: [Scythia, America], between: [20%, 30%]}}
  - {{figure: build-rate, of: [Petra, Colossus], between: [40%, 60%]}}
  - {{figure: median-length, between: [13, 19]}}
changes:
  at_most: 3
  numbers:
    - {{path: {combat}, by: 3}}
    - {{path: '{tokens}', by: 4}}
    - {{path: {petra}, by: 3}}
    - {{path: {colossus}, by: 3}}
"""


def goals_file(folder, text=GOALS, name="goals.yaml"):
    path = folder / name
    path.write_text(text.format(combat=COMBAT, tokens=TOKENS, petra=PETRA, colossus=COLOSSUS), "utf-8")
    return path


def goals_of(folder, ruleset=PRINTED, text=GOALS):
    return read_goals(goals_file(folder, text), ruleset)


def toy_space(sizes=(3, 3, 3), at_most=2, price=1.0):
    """Return a space of numbers whose rulesets nobody plays."""
    found = levers(PRINTED, ("wonders.*.cost",))
    choices = [
        Choice(one, tuple(one.value + k for k in range(-far, far + 1) if k), price)
        for one, far in zip(found, sizes, strict=False)
    ]
    return Space(PRINTED, choices, at_most)
