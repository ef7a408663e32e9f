"""What sentences claim of rows: how sure that is, held against planted truths; a figure from elsewhere is refused."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.pages.report_parts import Finding, UnfoundedFigure, unfounded
from newdawn.analysis.stats.claims import (
    AmongBest,
    AsMeasured,
    Deviate,
    Differ,
    FewCases,
    Lie,
    Limit,
    Nothing,
    Quoted,
    Stand,
    Undecided,
    Untested,
    WholeTable,
    extreme_first,
    first_round,
    gate,
    most,
    near_ends,
    whole_table,
)
from newdawn.analysis.stats.inference import SIGNIFICANT, normal_together, weight_of
from newdawn.analysis.stats.verdicts import judged, significant

ROWS = pd.DataFrame({
    "leader": ["Rome", "Fort 2"], "n": [12_345, 80], "points": [4.26, -1.5], "points_all_low": [3.1, -4.0],
    "points_all_high": [5.4, 1.0], "rate": [0.2926, 0.235], "p_adjusted": [0.0001, 1.0], "small_sample": [False, False],
})  # fmt: skip


def test_a_figure_that_the_rows_do_not_have_is_refused():
    text = (
        "Rome wins 29.3%, +4.3 points [3.1, 5.4] above the fair share (n = 12,345); Fort 2 is open: `newdawn run --games 99`."
    )
    assert Finding(Differ(ROWS), text).certainty == "open"
    for wrong, figure in (
        (text.replace("4.3", "4.2"), "+4.2"),
        (text.replace("12,345", "12,346"), "12,346"),
        (text + " 7.", "7"),
    ):
        assert unfounded(Differ(ROWS), wrong) == [figure]
        with pytest.raises(UnfoundedFigure, match="no figure of what Differ claims"):
            Finding(Differ(ROWS), wrong)
    assert unfounded(AsMeasured(ROWS, beside=[25]), "25% would be fair.") == []
    assert unfounded(AsMeasured(pd.DataFrame({"forts": ["1", "2"]})), "With 1 or 2 forts 13.8 points.") == ["13.8"]


def test_the_badge_follows_from_the_rows():
    rows = judged(ROWS, "points", 2.0, 1_000)
    assert Finding(Differ(rows.head(1)), "It does.").certainty == "strong"
    assert Finding(Differ(rows), "They do.").certainty == "open"
    assert Finding(Stand(rows), "They do.").certainty == max(rows["certainty"], key=["strong", "shown", "open"].index)
    assert [Finding(claim, "So.").certainty for claim in (Nothing(rows), Untested(rows), AsMeasured(rows))] == [
        "open", "untested", "measured"
    ]  # fmt: skip
    assert [WholeTable(rows, p).certainty for p in (1e-4, 0.01, 0.2)] == ["strong", "shown", "open"]


TRUTH = np.array([-0.4, -0.2, 0.0, 0.3, 0.7, 1.1, 1.6, 2.0, 2.2, 2.3])  # of rounds 1 to 10; at least 1 from round 6 on


def rounds_drawn(rng, error):
    estimate = TRUTH + error * rng.normal(size=len(TRUTH))
    return pd.DataFrame({"round": np.arange(1, 11), "lead": estimate, **normal_together("lead", estimate, np.full(10, error))})


@pytest.mark.parametrize("error", [0.5, 0.1, 0.02])
def test_the_first_round_of_a_size_lies_between_its_ends_and_does_not_move_with_the_number_of_games(error):
    """The first round of a mere difference went from 12 to 3 as games grew."""
    rng, held, width = np.random.default_rng(3), 0, []
    for _ in range(400):
        claim = first_round(rounds_drawn(rng, error), "lead", 1.0)
        held += claim.earliest <= 6 and not claim.shown < 6
        width.append((claim.shown if claim.shown == claim.shown else 11) - claim.earliest)
    assert held >= 0.95 * 400 - 3 * np.sqrt(400 * 0.05 * 0.95)
    assert error > 0.02 or np.mean(width) < 0.5
    below = first_round(rounds_drawn(rng, 0.02), "lead", 0.3, sign=-1)
    assert (below.earliest, below.shown) == (1, 1)


def test_an_effect_that_no_round_has_is_never_shown():
    claim = first_round(rounds_drawn(np.random.default_rng(1), 0.05), "lead", 5.0)
    assert np.isnan(claim.shown)
    assert np.isnan(claim.earliest)
    assert claim.certainty == "open"


def test_the_whole_table_is_tested_as_often_as_promised_and_sees_what_no_row_shows():
    """Scores of 28 pairs of 8 leaders whose strengths are fitted: 7 directions are used up."""
    pairs = np.array([[1 if a == i else -1 if b == i else 0 for i in range(8)] for a in range(8) for b in range(a + 1, 8)])
    left = np.eye(28) - pairs @ np.linalg.pinv(pairs)
    rng = np.random.default_rng(5)
    null = [whole_table(left @ rng.normal(size=28), left) for _ in range(2_000)]
    assert {df for _, df, _ in null} == {21}
    assert np.mean([p < 0.05 for *_, p in null]) == pytest.approx(0.05, abs=0.015)
    planted = [whole_table(left @ (rng.normal(size=28) + 1.5 * rng.choice([-1, 1], 28)), left)[2] for _ in range(200)]
    assert np.mean([p < 0.001 for p in planted]) > 0.7


def test_a_gate_keeps_the_error_of_the_family_and_lets_a_single_strong_row_through():
    rng, weight, family = np.random.default_rng(8), 3, ""
    false = 0
    for _ in range(4_000):
        z = rng.normal(size=12)
        rows = np.minimum(1, weight * 12 * np.array([2 * _tail(abs(one)) for one in z]))
        false += significant(gate(rows, whole_table(z, np.eye(12))[2], weight))
    assert false / 4_000 <= SIGNIFICANT / weight + 3 * np.sqrt(0.0167 / 4_000)
    strong = np.r_[6.0, np.zeros(11)]
    rows = np.minimum(1, weight_of("pairs of leaders") * 12 * np.array([2 * _tail(one) for one in strong]))
    assert significant(gate(rows, whole_table(strong, np.eye(12))[2], weight_of("pairs of leaders")))
    assert weight_of(family) == 1


def _tail(z):
    from scipy.special import ndtr

    return float(ndtr(-z))


def test_the_extreme_is_the_one_that_is_large_beyond_doubt_not_the_smallest_sample():
    """Maracanã, 43.7% of 334 builds, was named above Machu Picchu, 35.1% of 11,516."""
    rate, n = (
        np.array([0.437, 0.351, 0.27, 0.262, 0.255, 0.26, 0.24, 0.25]),
        np.array([30, 11_516, 9_000, 8_000, 700, 60, 4_000, 9_000]),
    )
    error = np.sqrt(rate * (1 - rate) / n)
    frame = pd.DataFrame({"points": 100 * (rate - 0.25), "points_low": 100 * (rate - 0.25 - 1.96 * error),
                          "points_high": 100 * (rate - 0.25 + 1.96 * error)})  # fmt: skip
    assert extreme_first(frame, "points").index[0] == 1
    assert (near_ends(frame["points"], frame["points_low"], frame["points_high"]) <= frame["points"].abs() + 1e-9).all()


def test_near_ends_of_many_equal_figures_are_nothing():
    rng = np.random.default_rng(2)
    value = rng.normal(size=30)
    assert (near_ends(value, value - 1.96, value + 1.96) > 0.5).sum() <= 1


def test_those_that_cannot_be_told_from_the_largest_are_named_with_it():
    frame = pd.DataFrame({"agenda": ["A", "B", "C"], "use": [0.983, 0.984, 0.5], "use_low": [0.975, 0.976, 0.4],
                          "use_high": [0.99, 0.991, 0.6]})  # fmt: skip
    claim = most(frame, "use")
    assert claim.rows["agenda"].tolist() == ["B", "A"]
    assert (claim.certainty, most(frame.iloc[1:], "use").certainty) == ("measured", "shown")


def test_a_finding_is_made_of_a_claim_and_never_of_text_alone():
    for arguments in (("Rome wins 29.3%.",), ("Rome wins more.", "strong")):
        with pytest.raises((TypeError, AttributeError)):
            Finding(*arguments)
    with pytest.raises(UnfoundedFigure, match="no figure of what Differ claims"):
        replace(Finding(Differ(ROWS), "Rome wins 29.3%."), text="Rome wins 29.4%.")
    for claim in (Limit(), Quoted(ROWS.head(0)), AsMeasured(ROWS.head(0)), Stand(ROWS.assign(certainty="shown"))):
        assert unfounded(claim, "Of 123 players 45% won.") == ["123", "45"]


def test_a_kept_sentence_is_quoted_whole_or_not_at_all():
    kept = Quoted(pd.DataFrame({"sentence": ["Rome wins 29.3% of 500 games."]}))
    assert Finding(kept, "Rome wins 29.3% of 500 games.").certainty == "measured"
    assert unfounded(kept, "Rome wins 29.4% of 500 games.") == ["29.4", "500"]


def test_what_is_known_of_the_best_is_that_of_those_spoken_of():
    rows = pd.DataFrame({"variant": ["a", "b 2", "c"], "standing": ["as good as the best", "could be the best", None]})
    assert [AmongBest(rows, of).certainty for of in (["a"], ["a", "b 2"], ["a", "c"])] == ["shown", "open", "shown"]
    assert Finding(AmongBest(rows, ["a"]), "a is as good as b 2.").certainty == "shown"


def test_where_a_figure_lies_is_read_from_its_own_interval():
    rows = pd.DataFrame({"spread": [3.0, 2.0], "spread_low": [1.0, 0.0], "spread_high": [4.0, 3.5], "small_sample": False})
    assert [Lie(part, "spread").certainty for part in (rows.head(1), rows, rows.assign(small_sample=True))] == [
        "shown", "open", "few"
    ]  # fmt: skip
    assert Lie(rows, "spread", 5.0).certainty == "shown"
    assert unfounded(Lie(rows, "spread", 5.0), "Both lie below 5.") == []


def test_a_verdict_of_several_has_its_own_certainty():
    rows = ROWS.assign(certainty="strong", stands_certainty=["strong", "shown"], deviates=["quick; v8", "quick"])
    assert (Stand(rows).certainty, Stand(rows, "stands").certainty) == ("strong", "shown")
    assert [Deviate(rows, player).certainty for player in ("quick", "v8")] == ["shown", "open"]
    assert unfounded(Deviate(rows, "v8"), "v8 deviates.") == []
    assert (Undecided(rows).certainty, FewCases(rows).certainty, Limit(rows).certainty) == ("open", "few", "limit")


def test_rows_that_a_sentence_counts_and_does_not_name_are_fewer_than_there_are():
    rows = pd.DataFrame({"leader": ["Rome", "Egypt", "Aztec", "Japan", "France"]})
    assert unfounded(AsMeasured(rows), "Not compared: Rome, Egypt (3 more: table); 2 others are.") == []
    assert unfounded(AsMeasured(rows), "Not compared: Rome, Egypt (7 more: table).") == ["7"]


def test_where_no_test_looks_an_unfounded_sentence_is_measured_only():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnfoundedFigure)
        assert Finding(Differ(ROWS), "Rome wins 99.9%.").certainty == "measured"
