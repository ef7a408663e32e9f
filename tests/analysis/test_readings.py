"""Comparing two readings of a rule: hand-made pairs of games with a known answer."""

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.questions.reading_effects import ReadingGames, compare, summary, verdicts
from newdawn.analysis.stats.inference import mean_change
from newdawn.analysis.stats.verdicts import CHANGE, DIFFERENT, having
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.show import Doubt
from newdawn.simulator.runs.columns import GAME_ROW, SEAT_ROW

DOUBT = Doubt("ruling", "x", "about", "this", "that", "changes")


def played(winners, rounds, leaders=(names.ROME, names.EGYPT), ending="victory"):
    games, seats = np.zeros(len(winners), GAME_ROW), np.zeros(2 * len(winners), SEAT_ROW)
    games["rounds"], games["ending"] = rounds, names.ENDINGS.index(ending)
    seats["leader"] = np.tile(leaders, len(winners))
    seats["won"] = [float(seat == winner) for winner in winners for seat in range(2)]
    return ReadingGames(games, seats)


def rows(chosen, other):
    return verdicts(compare(DOUBT, chosen, other), len(chosen.games)).set_index("measure").to_dict("index")


def clear(row):
    return row["verdict"] in [CHANGE.of(one) for one in DIFFERENT]


def test_equal_games_do_not_differ_but_do_not_prove_that_none_ever_does():
    games = played([0, 1] * 50, 20)
    found = rows(games, games)
    assert found["games that differ"]["change"] == 0
    assert found["mean length (rounds)"]["change"] == 0
    assert found["win rate of Rome"]["change"] == 0
    assert found["win rate of Rome"]["change_high"] == pytest.approx(0.037, abs=0.001)
    assert not any(clear(row) for row in found.values())


def test_a_reading_that_only_asks_more_questions_plays_the_same_games():
    games, asked = played([0, 1] * 50, 20), played([0, 1] * 50, 20)
    asked.games["decisions"] = 7
    assert rows(games, asked)["games that differ"]["change"] == 0


def test_changes_are_the_other_reading_less_the_chosen_one():
    found = rows(played([0] * 100, 20), played([0] * 60 + [1] * 40, [22] * 100))
    assert found["win rate of Rome"]["change"] == pytest.approx(-0.4)
    assert found["win rate of Egypt"]["change"] == pytest.approx(0.4)
    assert found["win rate of Rome"]["chosen"] == 1
    assert found["win rate of Rome"]["verdict"] == CHANGE.far_below
    assert found["win rate of Rome"]["change_all_low"] < found["win rate of Rome"]["change_low"]
    assert found["mean length (rounds)"]["change"] == 2
    assert found["median length (rounds)"]["change"] == 2
    assert found["median length (rounds)"]["verdict"] == CHANGE.not_compared  # measured, and not asked about


def test_the_interval_is_that_of_paired_differences():
    d = np.array([1.0] * 10 + [0.0] * 70 + [-1.0] * 20)
    chosen = [0 if x < 0 else 1 for x in d]  # Rome wins where it will lose
    other = [0 if x > 0 else 1 for x in d]
    row = rows(played(chosen, 20), played(other, 20))["win rate of Rome"]
    half = 1.959964 * d.std(ddof=1) / 10
    assert row["change"] == pytest.approx(-0.1)
    assert row["change_low"] == pytest.approx(-0.1 - half, abs=1e-5)
    assert row["change_high"] == pytest.approx(-0.1 + half, abs=1e-5)


def test_a_few_changed_games_are_not_clear():
    found = rows(played([0] * 100, 20), played([0] * 98 + [1] * 2, 20))
    assert not clear(found["win rate of Rome"])
    assert found["games that differ"]["change"] == pytest.approx(0.02)


def test_unfinished_games_are_reported():
    found = rows(played([0] * 10, 20), played([9] * 10, 200, ending="round_cap"))
    assert found["unfinished games"]["change"] == 1
    assert "win rate of Rome" not in found  # of no game that somebody won by both readings


def test_other_leaders_cannot_be_compared():
    with pytest.raises(UserError, match="same leaders"):
        compare(DOUBT, played([0], 20), played([0], 20, leaders=(names.EGYPT, names.ROME)))


def judged(found):
    return verdicts(pd.DataFrame(found).assign(doubt="", reading=""), 500)


@pytest.mark.parametrize("expected", [1, 4, 8, 15, 40])
def test_the_interval_covers_where_few_pairs_differ(expected):
    """Pairs that change one way only, `expected` of 500: mean ± errors would miss 8 of them in more than one of ten."""
    rng, share = np.random.default_rng(expected), expected / 500
    found = judged([{"measure": "win rate"} | mean_change(np.zeros(500), rng.random(500) < share) for _ in range(1000)])
    assert ((found["change_low"] <= share) & (share <= found["change_high"])).mean() > 0.93


@pytest.mark.calibration
def test_a_change_is_clear_only_among_all_that_are_looked_at():
    """60 doubts that change nothing, eight leaders each: something is clear in one table of twenty."""
    rng, repeats, false, single = np.random.default_rng(1), 200, 0, 0
    for _ in range(repeats):
        moved = rng.choice([-1, 0, 1], (480, 300), p=[0.2, 0.6, 0.2])
        frame = judged([{"measure": "win rate"} | mean_change(np.zeros(300), change) for change in moved])
        false += bool(having(frame, DIFFERENT).any())
        single += bool((np.minimum(1, 8 * frame["p"]) <= 0.05).any())
    assert false / repeats < 0.09
    assert single / repeats > 0.7  # what a correction over the eight leaders of each doubt would find


def test_one_pair_has_no_interval():
    found = rows(played([0], 20), played([1], 20))
    assert np.isnan(found["win rate of Rome"]["change_low"])
    assert not any(clear(row) for row in found.values())


def test_the_summary_has_a_line_for_each_doubt_the_most_changing_first():
    quiet = compare(DOUBT, played([0] * 100, 20), played([0] * 98 + [1] * 2, 20))
    loud = compare(Doubt("ruling", "y", "", "", "those", "changes"), played([0] * 100, 20), played([0] * 60 + [1] * 40, 22))
    first, second = summary(verdicts(pd.concat([quiet, loud], ignore_index=True), 100)).to_dict("records")
    assert (first["doubt"], first["other reading"], second["doubt"]) == ("y", "those", "x")
    assert first["games that differ, %"].startswith("100.0 [96.3, 100.0]")
    assert first["mean length, rounds"].startswith("+2.00 [")
    assert first["largest change of a leader, points"].startswith(("Rome −40.0 [", "Egypt +40.0 ["))
    assert first["changes"] == "mean length (rounds) raised, Egypt raised, Rome lowered"
    assert second["changes"] == "–"
