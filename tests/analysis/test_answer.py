"""Verdicts against a margin, how sure they are, and the games that decide: checked on figures drawn with a known truth."""

import json
import re
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from newdawn.analysis.explorer import filters
from newdawn.analysis.pages.sentences import GROUPS, by_verdict
from newdawn.analysis.stats import verdicts
from newdawn.analysis.stats.inference import (
    against_share,
    distinct,
    exact_ends,
    normal_ends,
    rate_difference,
    together,
    two_sided,
)
from newdawn.analysis.stats.verdicts import (
    CHANGE,
    DECIDED,
    DIFFERENT,
    FAR,
    HIGHER,
    ORDER,
    POWER,
    STRENGTH,
    TOLD,
    Labels,
    Nearness,
    Outcome,
    Verdict,
    as_verdict,
    by_words,
    cases_to_differ,
    certainty_of,
    chances,
    error_that_decides,
    far,
    for_reading,
    games_to_decide,
    games_words,
    having,
    judged,
    likely_decided,
    p_words,
    quantile_for,
    read,
    sure_to_differ,
    verdict_cells,
    verdict_columns,
    verdict_of,
    verdict_words,
    weakest,
)


def judged_figures(estimate, error, margin=2.0, games=1000, small=False, questions=None, words=STRENGTH):
    estimate, error = np.broadcast_arrays(np.asarray(estimate, float), error)
    p = two_sided(estimate, error)
    frame = pd.DataFrame({"points": estimate, "small_sample": small})
    ends = normal_ends(estimate, error)
    frame = frame.assign(**dict(zip(("points_low", "points_high"), ends(0.95), strict=True)))
    return judged(frame.assign(**together("points", p, ends, questions)), "points", margin, games, words)


def test_the_verdicts():
    frame = judged_figures([0.0, 5.0, -5.0, 1.9, 0.5, -2.2, 0.3], [0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 3.0])
    names = ["balanced", "too strong", "too weak", "above, size unclear", "balanced", "below, size unclear", "undecided"]
    assert frame["verdict"].tolist() == names
    open_ones = [False, False, False, True, False, True, True]
    assert frame["games_fewest"].notna().tolist() == frame["games_most"].notna().tolist() == open_ones
    assert frame["certainty"].tolist() == ["strong", "strong", "strong", "strong", "strong", "strong", "open"]
    few = judged_figures([1.9, 9.0], 0.3, small=True)
    assert few["verdict"].tolist() == ["not compared"] * 2
    assert few["certainty"].tolist() == ["untested"] * 2
    assert few["games_fewest"].isna().all()
    assert judged_figures([0.0, 5.0, -5.0], 0.3, words=CHANGE)["verdict"].tolist() == ["unchanged", "raised", "lowered"]


def test_how_many_games_is_said_as_a_range_or_that_no_number_decides():
    said = {"verdict": "undecided", "games_fewest": 12345.0, "games_most": 51234.0}
    assert verdict_words(said) == "undecided (13,000 to 52,000 games)"
    assert verdict_words(said | {"games_most": np.inf}) == "undecided (at least 13,000 games)"
    assert verdict_words(said | {"games_fewest": np.nan}) == "undecided"
    assert [games_words(x, x) for x in (7, 1200, 1e11)] == [
        "about 7 games", "about 1,200 games", "no number of games that can be played decides"
    ]  # fmt: skip
    assert [p_words(x) for x in (np.nan, 0.0004, 0.0123)] == ["–", "<0.001", "0.012"]


@pytest.mark.parametrize("played", [1, 9, 10, 99, 100, 199, 200, 600, 999, 1_000, 30_000, 123_456, 999_999])
@pytest.mark.parametrize("times", [1.0, 1.2, 30.0, np.inf])
def test_games_that_are_needed_are_more_than_were_played(played, times):
    """'At least 600 games' was said after 600."""
    fewest, _ = games_to_decide(1.0, 1.0, 0.3, played, 2.0, 2.0)
    assert fewest == played + 1, "the next game might decide"
    numbers = re.findall(r"\d[\d,]*", games_words(float(fewest), float(fewest) * times))
    assert int(numbers[0].replace(",", "")) > played


def test_games_that_are_needed_are_counted_by_row_where_the_rows_were_played_apart():
    fewest, _ = games_to_decide([1.0, 1.0], [1.0, 1.0], [0.3, 0.3], np.array([100, 4_000]), 2.0, 2.0)
    assert fewest.tolist() == [101, 4_001]


KINDS = {name: labels for name, labels in vars(verdicts).items() if isinstance(labels, Labels)}
SCALES = [(Verdict, labels) for labels in KINDS.values()] + [(Outcome, None), (Nearness, None)]


LISTS = st.sampled_from(SCALES).flatmap(lambda of: st.tuples(st.just(of), st.lists(st.sampled_from(list(of[0])), min_size=1)))


@settings(deadline=None)
@given(LISTS)
def test_a_verdict_that_is_kept_is_the_verdict_that_is_read_back(case):
    """Words are read by people; 10 of 40 verdicts read back by their words alone were others."""
    (scale, labels), given_verdicts = case
    frame = pd.DataFrame(verdict_columns(given_verdicts, labels, "own_verdict")).assign(own_certainty="open")
    kept = pd.read_csv(StringIO(frame.to_csv(index=False)))
    assert [scale[key] for key in kept["own_verdict_key"]] == given_verdicts
    assert [scale[row["own_verdict_key"]] for row in json.loads(frame.to_json(orient="records"))] == given_verdicts
    for verdict in scale:
        assert having(kept, {verdict}, "own_verdict").tolist() == [one is verdict for one in given_verdicts]
    if scale is Verdict:
        assert [verdict_of(row) for row in as_verdict(kept, "own").to_dict("records")] == given_verdicts
        assert kept["own_verdict"].tolist() == [labels.of(verdict) for verdict in given_verdicts]


@pytest.mark.parametrize("labels", KINDS.values(), ids=KINDS)
def test_verdicts_are_listed_in_one_order(labels):
    """'Undecided' stood before 'lowered': what is open comes after what is shown. Verdicts of the same words are one group."""
    assert set(TOLD) == set(Verdict)
    frame = pd.DataFrame(verdict_columns(reversed(TOLD), labels))
    groups = by_words(frame)
    assert [words for words, _, _ in groups] == list(dict.fromkeys(labels.of(verdict) for verdict in TOLD))
    for words, first, rows in groups:
        assert set(rows["verdict"]) == {words}
        assert first is min((Verdict[key] for key in rows["verdict_key"]), key=TOLD.index)
    assert sum(len(rows) for _, _, rows in groups) == len(TOLD)


def test_pages_list_verdicts_in_this_order():
    frame = pd.DataFrame(verdict_columns(Verdict, CHANGE)).assign(leader=range(len(Verdict)))
    shown, names = by_verdict(frame, "leader"), frame["verdict"].tolist()
    assert [stands.words for stands in shown] == [CHANGE.of(verdict) for verdict in TOLD]
    assert [stands.names for stands in shown] == [[str(names.index(stands.words))] for stands in shown]
    assert list(GROUPS) == list(TOLD)
    tiers = filters.by_verdict([verdict_cells(verdict, STRENGTH) for verdict in Verdict])
    assert [tier["title"].lower() for tier in tiers] == [STRENGTH.of(verdict) for verdict in TOLD]


def test_an_interval_is_read_on_both_sides():
    assert [read(*ends, 2.0) for ends in ((2.1, 9.0), (0.1, 9.0), (-2.0, 2.0), (-9.0, 2.1), (-9.0, -0.1), (-9.0, -2.1))] == [
        Verdict.FAR_ABOVE, Verdict.ABOVE, Verdict.WITHIN, Verdict.UNDECIDED, Verdict.BELOW, Verdict.FAR_BELOW
    ]  # fmt: skip
    assert read(np.nan, 1.0, 2.0) is Verdict.NOT_COMPARED
    assert read(27.1, 30.0, 2.0, against=25.0) is Verdict.FAR_ABOVE


@pytest.mark.calibration
@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.floats(-12, 12), st.floats(0.05, 4), st.booleans()), min_size=1, max_size=12), st.floats(0.2, 5))
def test_no_verdict_is_surer_than_the_difference_it_rests_on_and_all_are_at_most_five_per_cent(rows, margin):
    estimate, error, small = (np.array(column) for column in zip(*rows, strict=True))
    frame = judged_figures(estimate, error, margin, small=small)
    for row in frame.to_dict("records"):
        verdict = verdict_of(row)
        if verdict in DIFFERENT:
            assert row["certainty"] in ("strong", "shown")
            assert ORDER.index(row["certainty"]) >= ORDER.index(sure_to_differ(row))
        assert (verdict in DECIDED) <= (row["certainty"] in ("strong", "shown"))
        assert (verdict is Verdict.UNDECIDED) == (row["certainty"] == "open")
        ends = row["points_all_low"], row["points_all_high"]
        assert verdict in (read(*ends, margin), Verdict.NOT_COMPARED)
    assert weakest(frame["certainty"]) == max(frame["certainty"], key=ORDER.index)
    assert far(frame)["points"].abs().is_monotonic_decreasing
    assert set(far(frame).index) == set(frame.index[having(frame, FAR)])


def test_beyond_the_margin_is_as_sure_as_the_interval_is_clear_of_the_margin():
    """Six points with an error of one: surely above 0, and above 2 with p = 0.0005 of eight questions; 5.2 only hardly."""
    frame = judged_figures([6.0, 5.2, 30.0], 1.0, questions=8)
    p = 8 * 2 * special.ndtr(-np.array([4.0, 3.2, 28.0]))
    assert frame["certainty"].tolist() == [certainty_of(one) for one in p] == ["strong", "shown", "strong"]
    assert [sure_to_differ(row) for row in frame.to_dict("records")] == ["strong"] * 3


def test_a_verdict_that_is_open_is_told_with_the_games_that_would_decide_it():
    frame = judged_figures([0.3, 5.0], [3.0, 0.3])
    rome, egypt = (verdict_words(row) for row in frame.to_dict("records"))
    assert re.fullmatch(r"undecided \(at least [\d,]+ games\)", rome)
    assert egypt == "too strong"
    assert for_reading(frame)["verdict"].tolist() == [rome, egypt]


# --- What plans promise


@pytest.mark.parametrize("truth", [0.0, 0.5, 3.0, 4.0, 9.0])
@pytest.mark.parametrize("questions", [1, 8, 60])
def test_the_planned_error_decides_with_the_planned_chance(truth, questions):
    quantile = quantile_for(questions)
    error = float(error_that_decides(truth, 2.0, quantile))
    drawn = truth + error * np.random.default_rng(5).normal(size=20_000)
    found = pd.Series([read(x - quantile * error, x + quantile * error, 2.0) for x in drawn])
    assert found.isin(list(DECIDED)).mean() == pytest.approx(POWER, abs=0.015)
    for verdict, chance in chances(truth, error, 2.0, quantile).items():
        assert (found == verdict).mean() == pytest.approx(float(chance), abs=0.015)


@pytest.mark.calibration
@pytest.mark.parametrize("estimate", [0.0, 0.9, -1.2, 2.8, -3.5])
def test_so_many_games_decide_with_the_promised_chance_what_is_decided_soonest(estimate):
    """Eight figures together, drawn with the error that so many games have, at the value of the interval that is best."""
    needed = judged_figures([estimate] + [10.0] * 7, 1.0)["games_fewest"].iloc[0]
    error = np.sqrt(1000 / needed)
    ends = np.clip([0.0, -9.0, 9.0], estimate - 1.96, estimate + 1.96)
    found = []
    for truth in ends:
        drawn = truth + error * np.random.default_rng(1).normal(size=2000)
        frame = judged_figures(drawn, error, questions=8)
        right = {Verdict.WITHIN} if abs(truth) < 2 else {Verdict.FAR_ABOVE} if truth > 0 else {Verdict.FAR_BELOW}
        found.append(having(frame, right).mean())
    assert 0.77 < max(found) < 0.83


@pytest.mark.parametrize("truth", [0.0, 1.0, 1.9, 3.5, 6.0])
def test_the_range_of_games_holds_what_is_needed_in_95_of_100_pilots(truth):
    """What is needed were the truth known; of a figure near the margin it was said to be thousands to millions."""
    drawn = truth + np.random.default_rng(4).normal(size=4000)
    frame = judged_figures(drawn, 1.0, questions=8)
    needed = 1000 / float(error_that_decides(truth, 2.0, stats.norm.isf(0.025 / 8))) ** 2
    said = frame[frame["games_fewest"].notna()]
    assert (said["games_fewest"] > max(np.ceil(needed), 1001)).sum() / len(drawn) < 0.055
    assert (said["games_most"] < np.floor(needed)).sum() / len(drawn) < 0.055


def test_wrong_verdicts_are_rare_at_the_margin():
    """Eight leaders exactly at the margin: any verdict on any of them, in either direction, in at most 5% of tables."""
    truth = np.tile([2.0, -2.0], (1000, 4))
    drawn = truth + 0.2 * np.random.default_rng(2).normal(size=truth.shape)
    frame = judged_figures(drawn.ravel(), 0.2, questions=8)
    wrong_side = having(frame, HIGHER) != (truth.ravel() > 0)
    wrong = np.asarray(having(frame, DECIDED) | (having(frame, DIFFERENT) & wrong_side)).reshape(truth.shape)
    assert wrong.any(axis=1).mean() < 0.065


@pytest.mark.calibration
@pytest.mark.parametrize("times", [2.0, 4.0, 16.0])
def test_as_many_are_decided_as_more_games_are_expected_to(times):
    """Truths drawn around 0, pilots around them; then the games go on: of the open ones so many are decided as was said."""
    rng, said, done, cases = np.random.default_rng(6), 0.0, 0, 0
    for _ in range(100):
        truth = rng.normal(0, 6, 18)
        pilot = truth + rng.normal(size=18)
        more = truth + rng.normal(size=18) / np.sqrt(times - 1)
        before = judged_figures(pilot, 1.0)
        after = judged_figures(pilot / times + more * (1 - 1 / times), 1 / np.sqrt(times))
        open_ones = before["games_fewest"].notna()
        said += likely_decided(before, "points", 2.0, times)
        done += int(having(after, DECIDED)[open_ones].sum())
        cases += int(open_ones.sum())
    assert done / cases == pytest.approx(said / cases, abs=0.04)
    assert likely_decided(judged_figures([9.0], 0.1), "points", 2.0, times) == 0


@pytest.mark.parametrize(
    ("rate", "share", "questions"), [(0.36, 0.25, 150), (0.28, 0.25, 60), (0.19, 0.25, 150), (0.6, 0.5, 1)]
)
def test_so_many_cases_leave_the_share_out_with_the_planned_chance(rate, share, questions):
    n = cases_to_differ(rate, share, questions)
    wins = np.random.default_rng(7).binomial(n, rate, 20_000)
    low, high = exact_ends(wins, np.full(20_000, n))(1 - 0.05 / questions)
    assert 0.79 < ((low > share) if rate > share else (high < share)).mean() < 0.83


# --- The intervals that verdicts are read off


def test_two_sides_of_one_question_count_once():
    assert distinct([1.0, -1.0], [0.1, 0.1]) == 1
    assert distinct([1.0, -2.0], [0.1, 0.1]) == 2
    assert distinct([1.0, -1.0, 3.0, -3.0, 5.0], [0.1, 0.1, 0.1, np.nan, 0.1], list("aabbc")) == 3
    found = rate_difference("points", [30, 70], [100, 100], [50, 50], [100, 100], ["x", "x"])
    assert found["p_adjusted"].tolist() == found["p"].tolist()


def test_the_more_careful_of_test_and_interval_decides_for_both():
    """Newcombe's interval and the exact test of few cases disagree near 5%: p and interval say the same in the end."""
    rng = np.random.default_rng(3)
    n, other = rng.integers(20, 400, 3000), rng.integers(20, 4000, 3000)
    wins, other_wins = rng.binomial(n, 0.05), rng.binomial(other, 0.02)
    found = rate_difference("points", wins, n, other_wins, other)
    alone = [rate_difference("points", *([x[i]] for x in (wins, n, other_wins, other))) for i in range(300)]
    for one in (found, {name: np.concatenate([a[name] for a in alone]) for name in found}):
        out = (one["points_all_low"] > 0) | (one["points_all_high"] < 0)
        assert (out == (one["p_adjusted"] <= 0.05)).all()
    assert 0 < sum(float(a["p"][0]) <= 0.05 for a in alone) < 300


def test_a_rate_is_tested_against_a_share_by_its_own_interval():
    found = against_share("rate", [30, 50, 5], [100, 100, 10], 0.3, least=20)
    assert np.isnan(found["p"][2])
    assert found["p"][0] == 1
    assert found["p_adjusted"][1] == pytest.approx(2 * found["p"][1])
    z = float(stats.norm.isf(0.0125))
    low = (0.5 + z**2 / 200 - z * np.sqrt(0.25 / 100 + z**2 / 4e4)) / (1 + z**2 / 100)
    assert found["rate_all_low"][1] == pytest.approx(low)
