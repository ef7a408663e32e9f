"""Decided games are what every question counts: one side leaves four games in ten unfinished, and who wins is the same."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from known import known_run
from test_experiments import pairs_of
from test_ladder import drawn

from newdawn.analysis.pages.sentences import unfinished_findings
from newdawn.analysis.questions import coalition, restricted_play
from newdawn.analysis.questions import depends_on_players as words
from newdawn.analysis.questions.compare import compared_findings, in_units
from newdawn.analysis.questions.experiment import effects
from newdawn.analysis.report import answer_page
from newdawn.analysis.stats.verdicts import DIFFERENT, Verdict, having, verdict_of
from newdawn.analysis.tables import strategy_strength
from newdawn.analysis.tables.decoded_games import CodeNames, Games
from newdawn.analysis.tables.figures_by_strategy import NUMBERS, verdicts, ways
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.analysis.tables.paired_figures import (
    FIGURES,
    LEADER_FIGURES,
    PRINTED,
    UNFINISHED,
    Fours,
    Moments,
    changes,
    compared,
    game_figures,
)
from newdawn.analysis.tables.paired_figures import figures_of as headline_of
from newdawn.analysis.tables.targets import BEFORE_LEADERS, side_effects, unfinished_beside
from newdawn.analysis.tables.targets import figures_with as search_figures

CUT, GAMES = 0.4, 6_000
SAID = "Games that nobody won: "


def without_some(won, rng, nothing=np.nan):
    """Return the wins with some of the games unfinished."""
    return np.where(rng.random(len(won)) < CUT, nothing, won)


@pytest.fixture(scope="module")
def sides():
    """Return a run and its games again, of which some are unfinished."""
    rng = np.random.default_rng(5)
    run = known_run(rng, GAMES, np.zeros(8))
    run.tables["seats"] = run.tables["seats"].assign(**dict.fromkeys(NUMBERS, 1))
    cut = np.flatnonzero(rng.random(GAMES) < CUT)
    other = {name: table.copy() for name, table in run.tables.items()}
    other["seats"].loc[other["seats"]["game_id"].isin(cut), "won"] = 0.0
    ending = other["games"]["ending"].astype(str).to_numpy(object)
    ending[cut] = "round_cap"
    other["games"]["ending"] = pd.Categorical(ending, ["victory", "round_cap"])
    return run, type(run)(other, run.players)


def figures(run):
    return game_figures(run.tables, 0, GAMES)


def winners(frame):
    """Return the rows on win rates."""
    return frame[frame["figure"].str.startswith("win rate")]


def test_compare(sides):
    moments = Moments.empty(leaders=LEADER_FIGURES)
    moments.add(*map(figures, sides))
    frame = compared(moments)
    assert not having(winners(frame), DIFFERENT).any()
    assert compared_findings(in_units(frame))[0].text.startswith(SAID)


def test_players_who_adapt(sides):
    fours = Fours.empty(len(FIGURES), LEADER_FIGURES)
    one, other = map(figures, sides)
    fours.add((one, one, one, other))
    frame = changes(fours)
    assert not having(winners(frame), DIFFERENT).any()
    assert verdict_of(frame.set_index("figure").loc[UNFINISHED]) in DIFFERENT


def test_what_a_search_moves(sides):
    """Of places in the turn order and of leaders; the game's figures are read the same way."""
    one, other = (headline_of(Games(run.tables, 4, CodeNames()), PRINTED) for run in sides)
    place = {figure: k for k, figure in enumerate(search_figures(PRINTED.leaders))}
    known = [k for k, figure in enumerate(PRINTED.figures) if figure in place]
    values = np.zeros((2, GAMES, len(place), 2), np.float32)
    for side, found in enumerate((one, other)):
        values[side][:, [place[PRINTED.figures[k]] for k in known]] = found[:, known]
    frame = side_effects(list(values), PRINTED.leaders)
    assert not having(winners(frame), DIFFERENT).any()
    assert having(frame[frame["figure"] == UNFINISHED], DIFFERENT).all()


def test_values_of_a_number():
    """The page of `tune` says of the value that is advised how many games it leaves unfinished, before all else."""
    rng, place = np.random.default_rng(4), [name for _, name in BEFORE_LEADERS].index(UNFINISHED)
    fresh = np.ones((2, 2_000, len(BEFORE_LEADERS), 2))
    fresh[:, :, place, 0] = rng.random((2, 2_000)) < np.array([[0.0], [CUT]])
    frame = unfinished_beside(list(fresh))
    assert frame["unfinished"].iloc[0] == 0
    assert verdict_of(frame.iloc[0], "unfinished_verdict") is Verdict.WITHIN
    (told,) = unfinished_findings(frame.assign(what=["", "Petra: cost 7 → 6"]), "what")
    assert told.text.startswith(f"{SAID}Petra: cost 7 → 6 0.0% → ")


def test_experiments():
    rng = np.random.default_rng(1)
    won = (rng.random(GAMES) < 0.25).astype(float)
    cut = rng.random(GAMES) < CUT
    pairs = pairs_of(won, np.where(cut, 0.0, won)).assign(decided_with=~cut)
    (row,) = effects(pairs).to_dict("records")
    assert verdict_of(row) not in DIFFERENT
    assert row["with"] == pytest.approx(won[~cut].mean())
    assert (row["n"], row["not_given"]) == ((~cut).sum(), 0)
    assert row["unfinished_b"] == pytest.approx(100 * cut.mean())
    (told,) = unfinished_findings(pd.DataFrame([row]), "arm")
    assert told.text.startswith(f"{SAID}Petra 0.0% → {100 * cut.mean():.1f}%, +")
    assert told.certainty == row["unfinished_certainty"]
    same = effects(pairs_of(won, won))
    assert unfinished_findings(same, "arm") == []


def test_restrictions():
    rng = np.random.default_rng(2)
    free = (rng.random(GAMES) < 0.25).astype(float)
    frame = restricted_play.table(
        restricted_play.RestrictedWins({restricted_play.FREE: free, "attacks": without_some(free, rng)})
    )
    assert not having(frame, DIFFERENT).any()
    assert frame["restricted"].iloc[0] == pytest.approx(0.25, abs=0.03)
    assert unfinished_findings(frame, "restriction")[0].text.startswith(SAID)


def test_coalitions():
    rng = np.random.default_rng(3)
    alone = (rng.random(GAMES) < 0.25).astype(float)
    frame = coalition.table({"Rome": coalition.CoalitionWins(alone, without_some(alone, rng))}, 4)
    row = frame.to_dict("records")[0]
    assert verdict_of(row, "effect") not in DIFFERENT
    assert row["against_rate"] == pytest.approx(0.25, abs=0.03)
    assert unfinished_findings(frame, "leader", " against all")[0].text.startswith(f"{SAID}Rome against all 0.0% → ")


def test_ways(sides):
    table = ways({"planner": sides[0], "fast": sides[1]}, PRINTED)
    found = verdicts(table)
    assert not having(winners(found), DIFFERENT).any()
    assert words.findings(table, found)[0].text.startswith(SAID)


def test_ladders():
    """Who plays on until the end of all games is not weaker than who does not."""
    strength = np.zeros(4)
    played = drawn(np.random.default_rng(7), 2_000, strength)
    seats = played.frames["seats"]
    cut = np.random.default_rng(8).random(2_000) < CUT
    cut &= seats.groupby("game_id")["strategy"].first().astype(str).to_numpy() == str(seats["strategy"].cat.categories[0])
    played.frames["seats"] = seats.assign(won=np.where(cut[seats["game_id"]], 0.0, seats["won"]))
    frame = strategy_strength.rated(played)
    assert frame["win_rate"].to_numpy() == pytest.approx(0.25, abs=0.04)
    assert frame["n"].sum() == 4 * (~cut).sum()
    pairs = strategy_strength.pairs(played.frames["seats"])
    assert pairs["win_rate"].to_numpy() == pytest.approx(0.25, abs=0.05)
    won = np.repeat([1.0, 0.0], 50)
    row = strategy_strength.meeting("a", "c", 4, won, won > 0, np.full(100, 9))
    assert (row["n"], row["win_rate"], row["unfinished"]) == (50, 1.0, 50)
    other = strategy_strength.meeting("b", "c", 4, won, np.full(100, True), np.full(100, 9))
    report = answer_page.build(KeptAnswer("against", "x", {}, {"against": pd.DataFrame([row, other])}), Path("x"))
    assert report.first.findings[0].text.startswith(f"{SAID}0.0% with b against c to 50.0% with a against c.")
    assert strategy_strength.unfinished_apart(pd.DataFrame([row, row]))[1].empty
