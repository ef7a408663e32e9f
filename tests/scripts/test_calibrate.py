"""`scripts.checks.calibrate` on games drawn from a known model: what it measures is what was put in."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "analysis"))

from known import draw, seated, tables

from newdawn.scripts.checks.calibrate import MEASURES, Sample, _ask, measured


@pytest.fixture(scope="module")
def whole():
    rng = np.random.default_rng(1)
    leaders, order, cards = seated(rng, 12_000, 4)
    won = draw(rng, np.linspace(-0.4, 0.6, 8)[leaders])
    manifest = {"plan": {"players": 4, "games": 12_000}}
    return Sample(SimpleNamespace(path=Path(), manifest=manifest), tables(leaders, order, cards, won, rng=rng))


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
    frame = MEASURES["false"].table(measured("false", whole, 300, range(3), 5, None))
    assert frame["false_rate"].max() < 1


def test_what_is_planned_is_found_more_often_than_not(whole):
    power = MEASURES["power"]
    frame = power.table(measured("power", whole, 500, range(12), 6, power.known(whole))).set_index("table")
    assert set(frame.index) == {"two rulesets", "against the fair share"}
    assert frame["power_rate"].min() > 0.4
