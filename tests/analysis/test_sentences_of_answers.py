"""Pages of answers: every sentence of compare, experiment, sensitivity and ladder agrees with the row it names."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from said import disagreement
from test_ladder import STRENGTHS, drawn
from test_sensitivity import rows_of
from test_sentences_of_parts import drawn_effects
from test_sentences_of_trials import fresh_games

from newdawn.analysis.contests import ladder
from newdawn.analysis.report import comparisons
from newdawn.analysis.report.part import evidence
from newdawn.analysis.tables.kept import Kept
from newdawn.analysis.trials import compare, sensitivity
from newdawn.simulator import names

SEEDS = range(4)


def differences(seed, games):
    a, b = fresh_games(np.random.default_rng([seed, games]), games, 2, compare.FIGURES)
    moments = compare.Moments.empty()
    moments.add(a, b)
    frame = compare.differences(moments, 0.02)
    return frame.assign(verdict=[compare.verdict(row) for row in frame.to_dict("records")])


def effects(seed, games):
    return drawn_effects(np.random.default_rng([seed, games]), list(names.WONDERS[:9]), games).assign(not_given=0.0)


def changes(seed, games):
    rng = np.random.default_rng([seed, games])
    rows = rows_of({value: (rng.normal(0, 0.5), rng.normal(0, 0.04)) for value in range(8)})
    return sensitivity.table([row | {"n": games} for row in rows])


# table of the answer, size that the sentences are ranked by, what is said where nothing is shown
ANSWERS = {
    "compare": ("differences", differences, "No figure is shown to change"),
    "experiment": ("effects", effects, "Not shown: that any wonder changes the chance to win"),
    "sensitivity": ("changes", changes, "Not shown: that any number matters"),
}


@pytest.mark.parametrize("games", [60, 3000])
@pytest.mark.parametrize("command", ANSWERS)
def test_what_a_page_says_first_is_what_its_rows_show_the_largest_first(command, games):
    name, made, nothing = ANSWERS[command]
    for seed in SEEDS:
        kept = Kept(command, "x", {}, {name: made(seed, games)}, words={"a": "A", "b": "B", "kind": "wonder"})
        report = comparisons.build(kept, Path("x"))
        rows = [row for part in comparisons.PAGES[command](kept)[0] for row in part.frame(kept).to_dict("records")]
        size = "points" if command == "experiment" else "matter"
        clear = sorted((row for row in rows if row["p_adjusted"] <= 0.05), key=lambda row: -abs(row[size]))
        said = report.first.findings
        if not clear:
            assert said[0].text.startswith(nothing)
            assert [one.certainty for one in said] == ["open"]
            continue
        assert len(said) == min(5, len(clear)) + (len(clear) > 5)
        for finding, row in zip(said[:5], clear, strict=False):
            assert disagreement(command, pd.DataFrame([row]), [finding]) is None
            assert finding.certainty == ("few" if row.get("small_sample") else evidence(row["p_adjusted"]))
        if len(clear) > 5:
            assert said[5].text == f"{len(clear) - 5} more of {len(rows)} are shown to differ."


def test_the_ladders_page_says_ratings_as_they_are():
    for seed in SEEDS:
        frame = ladder.rated(drawn(np.random.default_rng(seed), 300, STRENGTHS))
        kept = Kept("ladder", "x", {}, {"ratings": frame})
        report = comparisons.build(kept, Path("x"))
        assert disagreement("ladder", frame, report.first.findings) is None
        for finding, row in zip(report.first.findings, frame.to_dict("records"), strict=False):
            assert finding.text.startswith(f"{row['strategy']}: rating ")
            assert finding.certainty == ("few" if row["small_sample"] else evidence(row["p_adjusted"]))
        told = {name: verdict.words for verdict in report.first.verdicts for name in verdict.names}
        for row in frame.to_dict("records"):
            assert (told[row["strategy"]] == "stronger than the average") == (row["rating_all_low"] > 0)
            assert (told[row["strategy"]] == "weaker") == (row["rating_all_high"] < 0)
