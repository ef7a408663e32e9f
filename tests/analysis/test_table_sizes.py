"""Several tables at once: which verdicts hold at all of them, how sure that is, and what is said of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newdawn.analysis.questions.table_sizes import TABLES, answer_of, findings, of_comparison, page
from newdawn.analysis.stats.player_counts import NOT_EVERYWHERE, for_tables, in_common, joined
from newdawn.analysis.stats.verdicts import CHANGE, STRENGTH, Verdict, judged, read
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.analysis.tables.paired_figures import FIRST_LEADER, Moments, compared
from newdawn.scripts.checks.planted_variants import SUBJECTS, figures, strengths

MARGIN = 2.0


def table(**sizes: tuple[float, float]) -> pd.DataFrame:
    """Return a judged table of differences: names with value and half-width of the interval that holds for all rows."""
    frame = pd.DataFrame(
        [
            {"what": what, "points": value, "points_all_low": value - reach, "points_all_high": value + reach}
            for what, (value, reach) in sizes.items()
        ]
    )
    errors = np.array([reach for _, reach in sizes.values()]) / 2.5
    frame["p"] = [
        0.01 if abs(row["points"]) > 2.5 * error else 0.5 for row, error in zip(frame.to_dict("records"), errors, strict=True)
    ]
    frame["p_adjusted"] = np.minimum(1, frame["p"] * len(frame))
    return judged(frame, "points", MARGIN, 1_000, STRENGTH)


@given(st.lists(st.tuples(st.floats(-20, 20), st.floats(0.01, 10)), min_size=1, max_size=4))
def test_what_holds_at_all_tables_is_implied_by_each(sizes):
    """Whatever the intervals: if the joint verdict says which side, or within, each interval does."""
    ends = [(value - reach, value + reach) for value, reach in sizes]
    common = in_common([read(low, high, MARGIN) for low, high in ends])
    implied = {
        Verdict.FAR_ABOVE: all(low > MARGIN for low, _ in ends), Verdict.ABOVE: all(low > 0 for low, _ in ends),
        Verdict.WITHIN: all(low >= -MARGIN and high <= MARGIN for low, high in ends),
        Verdict.BELOW: all(high < 0 for _, high in ends), Verdict.FAR_BELOW: all(high < -MARGIN for _, high in ends),
    }  # fmt: skip
    if common in implied:
        assert implied[common]
    else:
        assert not any(implied[kind] for kind in (Verdict.FAR_ABOVE, Verdict.WITHIN, Verdict.FAR_BELOW))


@pytest.mark.parametrize(
    ("at3", "at4", "verdict", "holds"),
    [
        ((5, 1), (6, 1), "too strong", "at 3 and 4 players"),
        ((5, 1), (2, 1), "above, size unclear", "at 3 and 4 players"),
        ((5, 1), (1, 3), NOT_EVERYWHERE, "too strong at 3 players; undecided at 4 players"),
        ((5, 1), (-5, 1), NOT_EVERYWHERE, "too strong at 3 players; too weak at 4 players"),
        ((0, 1), (5, 1), NOT_EVERYWHERE, "too strong at 4 players; balanced at 3 players"),
        ((0, 1), (0, 1), "balanced", "at 3 and 4 players"),
        ((0, 4), (0, 4), "undecided", "at 3 and 4 players"),
    ],
)
def test_the_joint_verdict_says_where_it_holds(at3, at4, verdict, holds):
    row = joined({3: table(Scythia=at3), 4: table(Scythia=at4)}, ["what"]).iloc[0]
    assert (row["verdict"], row["holds"]) == (verdict, holds)


def test_a_figure_that_a_table_lacks_is_not_compared_there():
    rows = joined({3: table(Scythia=(5, 1)), 4: table(Rome=(5, 1))}, ["what"]).set_index("what")
    assert rows.loc["Scythia", "holds"] == "too strong at 3 players; not compared at 4 players"
    assert rows.loc["Rome", "holds"] == "too strong at 4 players; not compared at 3 players"


def test_intervals_of_two_tables_are_wider_and_the_verdicts_follow():
    one = table(Scythia=(3.02, 1), Rome=(0, 1))
    two = for_tables(one, "points", MARGIN, 1_000, 2)
    assert (one["verdict"].tolist(), two["verdict"].tolist()) == (
        ["too strong", "balanced"],
        ["above, size unclear", "balanced"],
    )
    assert (two["points_all_high"] - two["points_all_low"] > one["points_all_high"] - one["points_all_low"]).all()
    assert for_tables(one, "points", MARGIN, 1_000, 1)["verdict"].tolist() == one["verdict"].tolist()


# --- Planted changes: at 3 players a leader is mended, at 4 it is not


def comparison(before: float, after: float, seed: int, games: int = 6_000) -> pd.DataFrame:
    """Return the comparison of two rulesets of these leader spreads, one of two tables."""
    moments = Moments.empty(len(SUBJECTS.figures), SUBJECTS.leader_figures)
    for first in range(0, games, 500):
        moments.add(*(figures(strengths(spread), first, 500, seed, at) for at, spread in enumerate((before, after))))
    return of_comparison(compared(moments, figures=SUBJECTS.figures, tables=2))


@pytest.fixture(scope="module")
def planted():
    return answer_of({3: comparison(0.5, 0.1, 1), 4: comparison(0.5, 0.5, 2)}), answer_of(
        {3: comparison(0.5, 0.1, 1), 4: comparison(0.5, 0.1, 2)}
    )


def test_a_change_at_one_table_is_said_of_that_table_only(planted):
    texts = [finding.text for finding in findings(planted[0], "compare")]
    assert texts[0].startswith("No figure changes at 3 and 4 players; 9 at only one of the two.")
    spread = next(text for text in texts if text.startswith("The leader spread") or "win rate of" in text)
    assert "at 3 players; " in spread


def test_a_change_at_both_tables_holds_at_both(planted):
    texts = [finding.text for finding in findings(planted[1], "compare")]
    assert texts[0].startswith("9 of 14 figures change at 3 and 4 players.")
    assert all("is lowered at 3 and 4 players: " in text or "is raised at 3 and 4 players: " in text for text in texts[1:])
    verdicts = planted[1][TABLES[1]]
    assert set(verdicts.loc[verdicts["what"].str.contains("leader spread"), "verdict"]) == {CHANGE.far_below}


def test_the_page_has_a_badge_a_verdict_and_says_which_table(planted):
    kept = KeptAnswer("compare --players", "B against A", {"players": "3 and 4", "strategies": "planner"}, planted[0])
    parts, screen, method = page(kept)
    assert [part.key for part in parts][:2] == ["tables-game", "tables-leaders"]
    badge = next(badge for badge in screen.verdicts if badge.words == NOT_EVERYWHERE)
    assert any("at 3 players" in name for name in badge.names)
    assert len(method) == 2
    leaders = parts[1].frame(None)
    assert len(leaders) == SUBJECTS.leader_figures.stop - FIRST_LEADER
