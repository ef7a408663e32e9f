"""Every kind of figure that a goals file may name is asked of real games, in a search as small as it can be."""

import numpy as np
import pytest
from wished import goals_file

from newdawn.analysis.goals.seek import seek
from newdawn.analysis.goals.stages import GoalsEffort
from newdawn.analysis.goals.wishes import KINDS, MET, MISSED, OPEN, read_goals
from newdawn.simulator.rules import load_ruleset

SMALL = GoalsEffort(20, 20, 20, 40)
BASE = """
name: all kinds
players: 2
ways: [planner, warrior]
goals:
  - {{figure: win-rate, of: Scythia, players: [4, 3], between: [5%, 20%]}}
  - {{figure: win-rate, players: 2, between: [30%, 60%]}}
  - {{figure: seat-win-rate, between: [45%, 55%]}}
  - {{figure: matchup, of: Scythia, against: Egypt, between: [45%, 55%]}}
  - {{figure: matchup, wanted: {{Rome: {{Japan: 50%}}}}, within: 5%}}
  - {{figure: claim-rate, between: [10%, 90%]}}
  - {{figure: build-rate, at_least: 5%}}
  - {{figure: effect, of: Petra, between: [50%, 90%]}}
  - {{figure: card-use, at_least: 10%}}
  - {{figure: take-rate, at_least: 10%}}
  - {{figure: median-length, between: [14, 18]}}
  - {{figure: game-length, between: [14, 18]}}
  - {{figure: longer-than, rounds: 24, at_most: 10%}}
  - {{figure: unfinished, at_most: 1%}}
  - {{figure: capitals-beaten, at_most: 0.5}}
  - {{figure: lead-changes, at_least: 1}}
  - {{figure: comebacks, at_least: 20%}}
  - {{figure: lead-for-good, at_least: 60%}}
  - {{figure: skill, of: planner, against: warrior, between: [40%, 60%]}}
changes: {{at_most: 1, numbers: [{{path: {combat}, by: 1}}]}}
"""
WIDE = """
name: all kinds of the expansion
box: terra-incognita
players: 2
ways: [planner]
goals:
  - {{figure: win-rate, of: Scythia, between: [5%, 20%]}}
  - {{figure: unique-card-rate, at_least: 5%}}
  - {{figure: government-rate, at_least: 5%}}
  - {{figure: district-rate, at_least: 5%}}
changes: {{at_most: 1, numbers: [{{path: {combat}, by: 1}}]}}
"""


@pytest.mark.soak
@pytest.mark.parametrize(("text", "box", "expansion"), [(BASE, "base", False), (WIDE, "terra-incognita", True)])
def test_every_kind_is_judged(tmp_path, text, box, expansion):
    ruleset = load_ruleset(box=box)
    goals = read_goals(goals_file(tmp_path, text), ruleset)
    named = {wish.kind.word for wish in goals.wishes}
    assert named >= {kind.word for kind in KINDS.values() if kind.expansion == expansion}
    sought = seek(goals, ruleset, effort=SMALL)
    answer = sought.answer.goals
    assert set(answer["verdict"]) <= {MET, MISSED, OPEN}
    seated = {" against ".join(wish.seated) for wish in goals.wishes if wish.seated}
    assert set(answer["way"]) == {*goals.ways, *seated}
    known = answer[answer["n"] > 0]
    assert np.isfinite(known["value"]).all()
    assert (known["low"] <= known["value"] + 1e-9).all()
    assert (known["value"] <= known["high"] + 1e-9).all()
    # In forty games each kind has cases: no figure is asked of games that do not know it.
    assert {wish.kind.word for place, wish in enumerate(goals.wishes) if (known["wish"] == place).any()} == named
    # Of several ways of playing the worst counts.
    if len(goals.ways) > 1:
        of_rules = answer[answer["point"] == 0].groupby("wish")["verdict"].agg(set)
        met = sum(words == {MET} for words in of_rules)
        assert sought.answer.front["met"].iloc[0] == met
