"""Copies of a run, whose summaries are measured: all of its games again, other leaders at the tables."""

import numpy as np

from newdawn import analysis
from newdawn.scripts.bench import summaries
from newdawn.scripts.bench.explorer import write_run


def test_copies_hold_the_games_again_and_seat_others(tmp_path):
    run = analysis.open_run(write_run(tmp_path / "run", 60, 25))
    large = analysis.open_run(summaries.copied(run, tmp_path / "copies", 150))
    assert (large.planned_games, len(large.shards)) == (180, 3)
    seats = large.read("seats")
    leaders = seats["leader"].cat.codes.to_numpy().reshape(-1, run.players)
    assert all(len(set(row)) == run.players for row in leaders)
    assert len(np.unique(leaders[[0, 60, 120]], axis=0)) > 1
    assert seats["won"].sum() == 3 * run.read("seats")["won"].sum()
    rates = analysis.victory(large)
    assert (rates["claims"] == 3 * analysis.victory(run)["claims"]).all()


def test_the_cost_of_a_summary_is_that_of_its_process(tmp_path):
    seconds, mb = summaries.cost("wonders", write_run(tmp_path / "run", 60, 60))
    assert 0.1 < seconds < 60
    assert 50 < mb < 2000
