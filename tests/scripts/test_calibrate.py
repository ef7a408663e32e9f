"""`scripts.checks.calibrate` on games drawn from a known model: what it measures is what was put in."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "analysis"))

from known import draw, seated, tables

from newdawn.analysis.stats.verdicts import DEPENDS
from newdawn.analysis.tables import figures_by_strategy as by_way
from newdawn.scripts.checks import calibrate
from newdawn.scripts.checks.calibrate import MEASURES, SampledRun, _ask, measured

PAGES = {"the first screen", "the report"}


@pytest.fixture(scope="module")
def whole():
    rng = np.random.default_rng(1)
    leaders, order, cards = seated(rng, 12_000, 4)
    won = draw(rng, np.linspace(-0.4, 0.6, 8)[leaders])
    manifest = {"plan": {"players": 4, "games": 12_000}}
    return SampledRun(SimpleNamespace(path=Path(), manifest=manifest), tables(leaders, order, cards, won, rng=rng))


@pytest.mark.soak
def test_intervals_hold_the_figures_of_the_whole(whole):
    truth = {name: _ask(name, whole) for name in ("leaders", "strengths")}
    frame = MEASURES["coverage"].table(measured("coverage", whole, 400, range(25), 2, truth))
    points = frame.set_index(["table", "figure"]).loc[("strengths", "points")]
    assert points["rows"] == 8 * 25
    assert 0.90 < points["each_rate"] < 0.99
    assert points["together_rate"] > 0.8
    assert frame["wrong_rate"].dropna().max() < 0.2


def test_winners_by_lot_leave_the_wins_and_nothing_to_find(whole):
    sample = whole.drawn(np.random.default_rng(3), 300)
    lot = sample.by_lot(np.random.default_rng(4))
    won = lot.frames["seats"]["won"].to_numpy().reshape(-1, 4)
    assert (won.sum(axis=1) == 1).all()
    assert not np.array_equal(won.ravel(), sample.frames["seats"]["won"])
    frame = MEASURES["lot"].table(measured("lot", whole, 300, range(3), 5, None))
    assert frame["false_rate"].max() < 1


def test_players_of_an_unbalanced_pool_win_by_their_strength_and_leaders_do_not(whole):
    pooled = whole.of_pool(np.random.default_rng(8), "tied").frames["seats"]
    rates = pooled.groupby("strategy", observed=True)["won"].mean()
    assert rates["first"] > rates["second"] > rates["third"]
    own = pooled["leader"].cat.codes % 3 == pooled["strategy"].cat.codes
    assert own.mean() > 0.9
    frame = MEASURES["pools"].table(measured("pools", whole, 120, range(2), 5, None)).set_index("table")
    assert len(frame) == 3 * (6 + 2)
    assert frame["false_rate"].max() < 1


def test_games_that_nobody_wins_and_leaders_dealt_anew():
    whole = mixed(3_000)
    rng = np.random.default_rng(7)
    stopped = whole.drawn(rng, 1_000).stopped(rng, 0.3)
    open_ = stopped.frames["games"]["ending"] != "victory"
    assert 0.25 < open_.mean() < 0.35
    won = stopped.frames["seats"].groupby("game_id")["won"].sum()
    assert (won[stopped.frames["games"]["game_id"][open_]] == 0).all()
    assert (won[stopped.frames["games"]["game_id"][~open_]] == 1).all()
    before = whole.frames["seats"].sort_values(["game_id", "seat"])
    after = whole.dealt_anew(rng).frames["seats"]
    assert (before["won"].to_numpy() == after["won"].to_numpy()).all()
    assert (before["strategy"].astype(str).to_numpy() == after["strategy"].astype(str).to_numpy()).all()
    dealt = [frame["leader"].astype(str).to_numpy().reshape(-1, 4) for frame in (before, after)]
    assert (np.sort(dealt[0], axis=1) == np.sort(dealt[1], axis=1)).all()
    assert (dealt[0] != dealt[1]).any()


def mixed(games):
    """Return games of leaders and strategies of different strength."""
    rng = np.random.default_rng(8)
    leaders, order, cards = seated(rng, games, 4)
    strategy = rng.integers(0, 3, leaders.shape)
    won = draw(rng, np.linspace(-1, 1, 8)[leaders] + strategy)
    frames = tables(leaders, order, cards, won, strategies=strategy, rng=rng)
    for table, column in by_way.DEEDS.values():
        if column != "round_built":
            frames[table][column] = rng.poisson(1.0, len(frames[table]))
    return SampledRun(SimpleNamespace(path=Path(), manifest={"plan": {"players": 4, "games": games}}), frames)


@pytest.mark.soak
def test_what_is_there_is_found_and_what_is_undone_is_not():
    """Strong leaders are found in any sample; dealt anew they are told apart in few of twelve, whoever plays."""
    whole = mixed(6_000)
    there = calibrate._said(whole.drawn(np.random.default_rng(1), 2_000), ["leaders"])
    assert there["leaders"].all()
    frame = MEASURES["mixed"].table(measured("mixed", whole, 500, range(12), 9, None)).set_index("table")
    assert frame.loc["leaders", "repeats"] == 12
    assert frame.loc["leaders", "false_rate"] <= 0.25
    few = MEASURES["lot"].table(measured("lot", whole, 15, range(3), 9, None))
    assert set(few["table"]) == {*calibrate.BY_LOT, *PAGES}


@pytest.mark.soak
def test_ways_that_are_one_and_ways_at_the_margin_are_hardly_ever_told_wrongly():
    whole = mixed(6_000)
    known = MEASURES["ways"].known(whole)
    frame = MEASURES["ways"].table(measured("ways", whole, 1_500, range(12), 10, known))
    assert frame["wrong_rate"].max() <= 0.25
    # A way that does differ is told: what is measured is not silence.
    one, other = known[0][:3_000], known[0][3_000:].copy()
    other[:, 2, 0] = 1  # the first player always wins
    found = calibrate._verdicts([one, other], whole, known[1]).set_index("figure")
    assert found.loc["win rate of the first player", "verdict"] == DEPENDS.far_above


@pytest.mark.soak
def test_what_is_planned_is_found_more_often_than_not(whole):
    power = MEASURES["power"]
    frame = power.table(measured("power", whole, 500, range(12), 6, power.known(whole))).set_index("table")
    planned = ["plan, two rulesets", "plan, against the fair share"]
    promised = [f"fresh games that tell, {truth:g} points off" for truth in calibrate.TRUTHS]
    assert {*planned, *promised, "sensitivity, difference found", "plays, the nearest of 3"} < set(frame.index)
    assert len(frame) == 16
    assert frame["power_rate"].min() > 0.4


@pytest.mark.soak
def test_games_taken_for_real_plays_are_like_their_run(whole):
    plays = MEASURES["plays"]
    frame = plays.table(measured("plays", whole, 100, range(12), 11, plays.known(whole))).set_index("what")
    assert set(calibrate.OF_PLAYS.values()) < set(frame.index)
    assert frame.loc[list(calibrate.OF_PLAYS.values()), "held_rate"].min() > 0.88
    assert frame.loc["no wrong difference by the test", "held_rate"] > 0.7


@pytest.mark.soak
def test_looks_are_counted_with_and_without_holding(whole):
    """Doubling until something is found is wrong more often by intervals of one look than by those that hold over the looks."""
    frame = MEASURES["looks"].table(measured("looks", whole, 3_200, range(12), 3, None)).set_index("table")["false_rate"]
    assert len(frame) == 2 * calibrate.MOST_LOOKS
    for number in range(1, calibrate.MOST_LOOKS + 1):
        assert frame[f"{number} looks, intervals that hold over them"] <= frame[f"{number} looks, intervals of one"]


@pytest.mark.soak
def test_intervals_of_many_leaders_and_of_players_are_counted(whole):
    many = MEASURES["many"].table(measured("many", whole, 800, range(6), 5, None)).set_index("intervals")
    assert len(many) == 6
    assert many["held_rate"].min() > 0.6
    assert many.loc["log odds 0 apart: each, pooled", "error"] < many.loc["log odds 0 apart: each", "error"]
    players = MEASURES["players"].table(measured("players", whole, 1, range(10), 5, None))
    assert len(players) == len(calibrate.PLAYERS) * len(calibrate.PLAYERS_APART)
    assert players["next_rate"].mean() > 0.85
    assert players["named_rate"].mean() < 0.2
