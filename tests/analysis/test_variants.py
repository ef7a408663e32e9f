"""Several rulesets at once: sums of every pair, who can be best, and races on games whose answer is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.questions.variants import findings, raced
from newdawn.analysis.stats import best
from newdawn.analysis.stats.best import Standing
from newdawn.analysis.tables.paired_figures import Moments
from newdawn.analysis.tables.variants import LEAST_SPREAD, Goal, Tally
from newdawn.scripts.checks.planted_variants import PLAYERS, SUBJECTS, figures, games_of, strengths


def play_of(truths: Sequence[np.ndarray], seed: int) -> Any:
    """Return the function that plays rulesets of these strengths."""
    return partial(games_of, truths, seed)


def race_of(spreads: Sequence[float], games: int, seed: int, goal: Goal = LEAST_SPREAD, until_best: bool = True) -> Any:
    truths = [strengths(spread) for spread in spreads]
    names = ["printed", *(f"variant {k}" for k in range(1, len(spreads)))]
    return raced(play_of(truths, seed), len(truths), names, games, goal, PLAYERS, SUBJECTS, until_best=until_best)


def standings(race: Any) -> list[Standing]:
    return [Standing(name) for name in race.frame["standing"]]


def test_the_sums_of_a_pair_are_those_of_the_two_rulesets_alone():
    tally = Tally(3, SUBJECTS)
    sides = [figures(strengths(spread), 0, 400, 1, at) for at, spread in enumerate((0.5, 0.3, 0.1))]
    for start in (0, 200):
        tally.add([0, 1, 2], [side[start : start + 200] for side in sides])
    leaders = SUBJECTS.leader_figures
    alone = Moments.empty(len(SUBJECTS.figures), leaders)
    alone.add(sides[1], sides[2])
    pair = tally.pair(1, 2)
    assert np.array_equal(pair.joint, alone.joint)
    assert np.array_equal(pair.sums, alone.sums[leaders])
    assert pair.changed == alone.changed > 0


def test_a_best_one_is_named_and_leaves_the_others_behind():
    whole = race_of((0.6, 0.5, 0.1), 4_000, 3, until_best=False)
    assert standings(whole) == [Standing.NOT_BEST, Standing.NOT_BEST, Standing.BEST]
    assert findings(whole.frame)[0].text.startswith("variant 2 is the best of 3: none of the others")
    race = race_of((0.6, 0.5, 0.1), 4_000, 3)
    assert [standing in best.CHOSEN for standing in standings(race)] == [False, False, True]
    assert race.games < whole.games / 3
    assert findings(race.frame)[0].text.startswith("variant 2 is the best of 3")


def test_two_that_are_alike_are_told_as_alike_and_cost_no_more_than_equal_shares():
    whole = race_of((0.6, 0.2, 0.2), 8_000, 4, until_best=False)
    assert standings(whole)[1:] == [Standing.AS_GOOD, Standing.AS_GOOD]
    assert "as good as each other" in findings(whole.frame)[0].text
    race = race_of((0.6, 0.2, 0.2), 8_000, 4)
    assert race.games < whole.games
    assert any(standing in best.CHOSEN for standing in standings(race)[1:])
    assert "within the margin" in findings(race.frame)[0].text


def test_where_games_are_few_nobody_is_named_the_best():
    race = race_of((0.3, 0.15, 0.22), 20, 5)
    assert Standing.BEST not in standings(race)
    assert "could be the best" in findings(race.frame)[0].text


def test_who_lies_within_the_margin_of_the_best_ends_the_race():
    race = race_of((0.6, 0.2, 0.21), 40_000, 4)
    assert Standing.AS_GOOD in standings(race)[1:]
    assert race.games < 3 * 40_000 / 3
    assert "within the margin" in findings(race.frame)[0].text


def at_both(three: Sequence[float], four: Sequence[float], games: int = 6_000) -> list[str]:
    """Return the sentences on rulesets of these spreads at 3 and at 4 players."""
    races = {}
    for players, spreads in ((3, three), (4, four)):
        truths = [strengths(spread) for spread in spreads]
        names = ["printed", *(f"variant {k}" for k in range(1, len(spreads)))]
        play = play_of(truths, players)
        races[players] = raced(play, len(truths), names, games, LEAST_SPREAD, PLAYERS, SUBJECTS, tables=2).frame
        races[players]["players"] = players
    return [finding.text for finding in findings(pd.concat(races.values(), ignore_index=True))]


def test_at_two_tables_the_best_is_the_best_at_both():
    assert at_both((0.6, 0.5, 0.1), (0.7, 0.4, 0.1))[0].startswith("variant 2 is the best of 3 at 3 and 4 players")


def test_at_two_tables_with_a_best_of_their_own_none_is_the_best():
    told = at_both((0.6, 0.1, 0.5), (0.6, 0.5, 0.1))
    assert told[0].startswith("None of 3 is the best at 3 and 4 players: at 3 variant 1 and at 4 variant 2 could be")
    assert any(text.startswith("At 3 players: variant 1 is the best of 3") for text in told)


def test_bounds_for_two_tables_are_wider():
    assert best.one_sided(3, tables=2) > best.one_sided(3)


@pytest.mark.parametrize(
    ("standings", "joint"),
    [
        ((Standing.BEST, Standing.BEST), Standing.BEST), ((Standing.BEST, Standing.AS_GOOD), Standing.AS_GOOD),
        ((Standing.BEST, Standing.POSSIBLE), Standing.POSSIBLE), ((Standing.BEST, Standing.NOT_BEST), None),
        ((Standing.NOT_BEST, Standing.NOT_BEST), Standing.NOT_BEST),
    ],
)  # fmt: skip
def test_what_holds_at_both_tables_is_what_each_implies(standings, joint):
    assert best.in_common(standings) is joint


def test_the_distance_of_one_leader_can_be_what_counts():
    truths = [np.array([2.5, 1, 1, 1, 1, 1, 1, 1]), np.array([1.0] * 8), np.array([0.2, 1, 1, 1, 1, 1, 1, 1])]
    race = raced(play_of(truths, 6), 3, ["printed", "even", "weak"], 14_000, Goal("leader 0"), PLAYERS, SUBJECTS)
    assert standings(race) == [Standing.NOT_BEST, Standing.BEST, Standing.NOT_BEST]
    assert race.frame["leader_verdict"].tolist() == ["too strong", "balanced", "too weak"]


def test_distances_on_both_sides_of_zero_are_compared_as_distances():
    low, high = best.distance_difference(-0.10, 0.01, 0.02, 0.01, 0.0)
    assert low < 0.08 < high
    assert low > 0.06
    assert best.distance_difference(0.001, 0.01, -0.001, 0.01, 0.5) == pytest.approx((-0.011, 0.011))  # both contain zero


@pytest.mark.calibration
def test_the_best_leaves_a_race_in_at_most_one_of_twenty():
    """The true best is among those that could be best at every look, in 400 races whose best is ahead by little."""
    lost = sum(standings(race_of((0.30, 0.27, 0.24, 0.27), 3_000, seed))[2] is Standing.NOT_BEST for seed in range(400))
    assert lost <= 29  # 5% of 400, and two standard errors
