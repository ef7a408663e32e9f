"""How often the better player wins, as a goal: it seats its own players, and its interval holds the truth."""

import numpy as np
import pytest
from wished import GOALS, PRINTED, goals_of

from newdawn.analysis.goals.games import Bands, FigureColumn, GoalsTable, GoalsTables, plan_of
from newdawn.analysis.goals.seek import seek
from newdawn.analysis.goals.stages import GoalsEffort, of_wishes, ratio_of
from newdawn.analysis.goals.wishes import KINDS, MET, MISSED, OPEN, Figure, catalogue, named_in, read
from newdawn.simulator.runs.run import Silent, play_range, tables_of

SKILL = Figure(KINDS["skill"], ("planner", "random"))
WISH = "goals:\n  - {{figure: skill, of: planner, against: random, between: [35%, 45%]}}\n"
CHANGES = "changes: {{at_most: 1, numbers: [{{path: {combat}, by: 1}}]}}\n"


def test_the_better_player_has_one_seat_and_the_weaker_all_others(tmp_path):
    goals = goals_of(tmp_path, text="players: [4, 2]\nways: [quick]\n" + WISH)
    assert [wish.title for wish in goals.wishes] == ["wins of planner against random"] * 2
    bands = Bands(goals, catalogue(PRINTED, named_in(goals)))
    assert bands.tables == [GoalsTable(4, "planner", against="random"), GoalsTable(2, "planner", against="random")]
    assert plan_of(PRINTED, bands.tables[0], 1).strategies == ("planner", "random", "random", "random")
    assert goals.of_ways.wishes == ()


def test_each_of_several_ways_is_asked_of_the_other_goals_only(tmp_path):
    goals = goals_of(tmp_path, text="ways: [planner, warrior]\n" + GOALS.replace("goals:", WISH.rstrip(), 1))
    bands = Bands(goals, catalogue(PRINTED, named_in(goals)))
    assert [table.who for table in bands.tables] == ["planner against random", "planner", "warrior"]
    assert len([entry for entry in bands.entries if entry.wish == 0]) == 1


def test_its_figure_is_the_share_of_decided_games_that_its_seat_wins():
    plan, r = plan_of(PRINTED, GoalsTable(3, "planner", against="warrior"), 7), PRINTED.compile()
    rows = play_range(plan, r, 0, 60, Silent())
    figures = catalogue(PRINTED, [Figure(KINDS["skill"], ("planner", "warrior")), SKILL])
    values = read(plan, r, rows, figures)
    seats = tables_of(plan, r, rows)["seats"].to_pandas()
    won = seats.loc[seats["strategy"].astype(str) == "planner", "won"]
    y, m = values[:, figures.index(figures[-2])].sum(axis=0)
    assert (y, m) == (pytest.approx(won.sum()), 60)
    assert values[:, -1].sum() == 0  # random does not sit here


@pytest.mark.calibration
def test_its_intervals_cover():
    rng, column = np.random.default_rng(48), FigureColumn(GoalsTable(4, "planner", against="random"), 0, KINDS["skill"])
    held = 0
    for _ in range(2_000):
        values = np.ones((400, 1, 2))
        values[:, 0, 1] = rng.random(400) < 0.97  # decided
        values[:, 0, 0] = (rng.random(400) < 0.4) * values[:, 0, 1]
        _, low, high, _ = ratio_of(column, {column.table: values}).interval()
        held += low <= 0.4 <= high
    assert 0.93 <= held / 2_000 <= 0.97


@pytest.mark.parametrize(("share", "verdict"), [(0.4, MET), (0.6, MISSED), (0.45, OPEN)])
def test_its_verdict_is_that_of_its_band(tmp_path, share, verdict):
    goals = goals_of(tmp_path, text=WISH)
    bands = Bands(goals, (Figure(KINDS["game-length"]), SKILL))
    values = np.ones((4_000, 2, 2))
    values[:, 1, 0] = np.random.default_rng(1).permutation(np.arange(4_000) < share * 4_000)
    row = of_wishes(bands, {bands.tables[0]: values}, 1).iloc[0]
    assert (row["verdict"], row["way"], row["value"]) == (verdict, "planner against random", pytest.approx(share))
    assert row["low"] < share < row["high"]


def test_undecided_games_without_the_leader_that_is_changed_are_played_again():
    figures = catalogue(PRINTED)
    place, over = figures.index(Figure(KINDS["win-rate"], ("Rome",))), figures.index(Figure(KINDS["unfinished"]))
    games = np.zeros((3, len(figures), 2))
    games[0, place, 1] = 1
    games[1, over, 0] = 1  # of Rome at this table nothing is known
    assert GoalsTables(PRINTED, figures, 1)._may_differ(games, [place]).tolist() == [True, True, False]


def test_a_search_for_it_plays_its_own_table(tmp_path):
    text = "players: 2\nothers: [warrior]\n" + WISH + CHANGES
    sought = seek(goals_of(tmp_path, text=text), PRINTED, effort=GoalsEffort(20, 20, 20, 40))
    assert sought.played_by == ["planner against random"]
    rules = sought.answer.goals.iloc[0]
    assert rules["value"] > 0.9
    assert rules["verdict"] == MISSED
    assert sought.answer.moved.empty
    assert sought.held.empty
