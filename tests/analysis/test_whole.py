"""What a change does to the whole game: sharing is no side effect, what goes beyond it is; what is thrown off is named."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.analysis.questions.tuning import parse_target
from newdawn.analysis.tables.targets import FIGURES, FIRST_LEADER
from newdawn.analysis.tables.whole import shares_of, whole_of, without_luck
from newdawn.simulator import names

LEADERS, PLAYERS, N = names.LEADERS, 4, 40_000
SCYTHIA, EGYPT = LEADERS.index("Scythia"), LEADERS.index("Egypt")
TARGET = parse_target("win-rate:Scythia=25%")
STRENGTHS = np.array([1.0, 1.2, 0.6, 0.8, 1.6, 0.7, 3.0, 1.0])


def played(strengths, rounds=15.0, seed=1):
    """Games whose winner is drawn in proportion to strengths: of leaders dealt at random, on common seeds."""
    rng = np.random.default_rng(seed)
    dealt = np.argsort(rng.random((N, len(LEADERS))), axis=1)[:, :PLAYERS]
    chance = strengths[dealt] / strengths[dealt].sum(axis=1, keepdims=True)
    winner = dealt[np.arange(N), (rng.random((N, 1)) > chance.cumsum(axis=1)).sum(axis=1)]
    games = np.zeros((N, len(FIGURES), 2), np.float32)
    games[:, 0, 0], games[:, :3, 1] = rounds + rng.normal(0, 3, N), 1
    games[:, 2, 0] = rng.random(N) < 1 / PLAYERS
    games[np.arange(N)[:, None], FIRST_LEADER + dealt, 1] = 1
    games[np.arange(N), FIRST_LEADER + winner, 0] = 1
    return games


@pytest.fixture(scope="module")
def base():
    return played(STRENGTHS)


def with_strength(**other):
    strengths = STRENGTHS.copy()
    for name, value in other.items():
        strengths[LEADERS.index(name)] = value
    return strengths


def test_what_others_win_because_one_wins_less_is_no_side_effect(base):
    """Scythia's strength falls; all others share its wins, the strong ones more: none of them is thrown off."""
    whole = whole_of(base, played(with_strength(Scythia=1.0)), TARGET, shares_of(TARGET, base))
    assert whole.mended > 10  # more than twenty points
    assert whole.gain == pytest.approx(whole.mended + whole.others)
    assert whole.gain > whole.mended  # most others come nearer to their shares
    assert whole.spoils == ""
    assert dict(whole.thrown) == {}
    assert max(whole.beyond.values()) < 0.7


def test_a_leader_that_gains_beyond_sharing_is_spoiled(base):
    whole = whole_of(base, played(with_strength(Egypt=4.0)), TARGET, shares_of(TARGET, base))
    assert whole.mended > 0  # Scythia does win less
    assert whole.spoils == "win rate of Egypt"
    assert whole.gain < 0


def test_length_counts_as_far_as_it_is_thrown_off(base):
    mending = with_strength(Scythia=1.0)
    shares = shares_of(TARGET, base)
    alone, longer = (whole_of(base, played(mending, rounds), TARGET, shares) for rounds in (15.0, 18.0))
    assert alone.gain - longer.gain == pytest.approx(3, abs=0.1)
    assert longer.thrown["rounds"] == pytest.approx(3, abs=0.1)
    assert longer.spoils == ""  # it mends more than that
    much = whole_of(base, played(mending, 60.0), TARGET, shares)
    assert much.spoils == "rounds"


def test_nothing_changes_where_no_game_does(base):
    whole = whole_of(base, base, TARGET, shares_of(TARGET, base))
    assert (whole.mended, whole.others, whole.gain, whole.error, whole.spoils) == (0, 0, 0, 0, "")


def test_shares_add_up_to_all_wins(base):
    seats = base[:, FIRST_LEADER:, 1].sum(axis=0)
    for wanted in (0.25, 0.35):
        target = parse_target(f"win-rate:Scythia={wanted}")
        shares = shares_of(target, base)
        assert shares[SCYTHIA] == wanted
        assert float((shares * seats).sum()) == pytest.approx(N, rel=1e-5)
    own = shares_of(TARGET, base, {"Egypt": 0.1})
    assert own[EGYPT] == 0.1
    assert np.allclose(shares_of(parse_target("game-length=12"), base), 0.25, atol=1e-6)


def test_what_chance_explains_of_others_counts_for_nothing():
    assert without_luck(10.0, 0.0) == 10.0
    assert without_luck(3.0, 4.0) == without_luck(-3.0, 4.0) == without_luck(0.0, 0.0) == 0.0
    assert without_luck(-10.0, 5.0) == -7.5
