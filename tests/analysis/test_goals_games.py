"""Games that a change cannot touch are those of the rules, and are not played again."""

import numpy as np
import pytest
from wished import COMBAT, PETRA, TOKENS

from newdawn.analysis.goals.games import GoalsTable, GoalsTables, differing, plan_of
from newdawn.analysis.goals.wishes import KINDS, Figure, asked_of, catalogue
from newdawn.analysis.questions import tuning
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import change, parameters
from newdawn.simulator.runs.run import Silent, play_listed

PRINTED = load_ruleset()
FIGURES = catalogue(PRINTED)
TABLE = GoalsTable(2, "planner")
GAMES = 60
SCYTHIA, AMERICA = (Figure(KINDS["win-rate"], (name,)) for name in ("Scythia", "America"))
THE_PETRA = Figure(KINDS["build-rate"], ("Petra",))


def changed(values, ruleset=PRINTED):
    for path, value in values.items():
        ruleset = change(ruleset, dict.fromkeys(parameters(ruleset, (path,)), value))
    return ruleset


@pytest.mark.parametrize("values", [{COMBAT: 6}, {PETRA: 4}, {COMBAT: 0, PETRA: 10}, {TOKENS: 3}])
def test_they_are_the_games_that_would_have_been_played(values):
    ruleset = changed(values)
    tables = GoalsTables(PRINTED, FIGURES, 1)
    with tables.open():
        found = tables.play(TABLE, ruleset, GAMES)
        share = tables.share(TABLE, ruleset, GAMES)
    whole = asked_of(FIGURES).play(plan_of(PRINTED, TABLE, 1), ruleset, 0, GAMES, 1, Silent())
    assert np.array_equal(found, whole)
    assert 0.1 < share < 0.9


@pytest.fixture
def lengths(monkeypatch):
    """How many games were played, call by call."""
    found, listed = [], play_listed

    def counted(plan, r, games, *more):
        found.append(len(games))
        return listed(plan, r, games, *more)

    monkeypatch.setattr(tuning, "play_listed", counted)
    return found


def test_games_like_those_of_other_rules_are_the_ones_that_would_have_been_played(lengths):
    like = changed({COMBAT: 6, TOKENS: 3})
    ruleset = changed({PETRA: 4}, like)
    tables = GoalsTables(PRINTED, FIGURES, 1)
    with tables.open():
        found = tables.play(TABLE, ruleset, GAMES, like=like)
        share = tables.share(TABLE, ruleset, GAMES, like)
        assert share < tables.share(TABLE, ruleset, GAMES)
    assert lengths[-1] == round(share * GAMES)
    whole = asked_of(FIGURES).play(plan_of(PRINTED, TABLE, 1), ruleset, 0, GAMES, 1, Silent())
    assert np.array_equal(found, whole)


def test_only_the_others_are_played(lengths):
    tables = GoalsTables(PRINTED, FIGURES, 1)
    ruleset = changed({COMBAT: 6})
    with tables.open():
        tables.play(TABLE, ruleset, GAMES)
        share = tables.share(TABLE, ruleset, GAMES)
    assert lengths == [GAMES, round(share * GAMES)]


def test_what_differs_is_named_and_other_rules_touch_every_game():
    assert differing(PRINTED.data, changed({COMBAT: 6, PETRA: 4}).data) == [SCYTHIA, THE_PETRA]
    assert differing(PRINTED.data, changed({TOKENS: 2}).data) == [AMERICA]
    assert differing(PRINTED.data, changed({"victory_cards.rules.base.cards_in_play": 2}).data) is None
    other = changed({COMBAT: 6}).data
    gone = {**other, "leaders": {**other["leaders"], "rome": {**other["leaders"]["rome"], "available": False}}}
    assert differing(PRINTED.data, gone) is None  # others sit at the tables then
