"""Pages of answers: every sentence of compare, experiment, sensitivity and ladder agrees with the row it names."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from said import close, disagreement, unreadable
from test_ladder import STRENGTHS, drawn
from test_sensitivity import rows_of
from test_sentences_of_parts import drawn_effects
from test_sentences_of_trials import fresh_games

from newdawn.analysis.questions import sensitivity
from newdawn.analysis.questions.compare import NUMBERS
from newdawn.analysis.report import answer_page
from newdawn.analysis.stats.verdicts import CHANGE, DIFFERENT, Verdict, judged, verdict_cells, weakest
from newdawn.analysis.tables import paired_figures, targets
from newdawn.analysis.tables import strategy_strength as strength
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.simulator import names

SEEDS = range(4)
SHOWN = [CHANGE.of(one) for one in DIFFERENT]
MOST = 3  # examples of what changes


def differences(seed, games):
    a, b = fresh_games(np.random.default_rng([seed, games]), games, 2, paired_figures.FIGURES)
    moments = paired_figures.Moments.empty()
    moments.add(a, b)
    return paired_figures.compared(moments, 0.02)


def effects(seed, games):
    found = drawn_effects(np.random.default_rng([seed, games]), list(names.WONDERS[:9]), games).assign(not_given=0.0)
    return judged(found, "effect", 0.02, games, CHANGE)


def changes(seed, games):
    rng = np.random.default_rng([seed, games])
    rows = rows_of({value: (rng.normal(0, 1.0), rng.normal(0, 0.04)) for value in range(8)})
    return sensitivity.table([row | {"n": games} for row in rows])


def check_sensitivity(report, rows):
    """What matters is said first, the largest on top; the last sentence counts the verdicts."""
    matters = sorted((row for row in rows if row["verdict"] == targets.MATTERS), key=lambda row: -abs(row["matter"]))
    *said, counts = report.first.findings
    assert len(said) == min(MOST, len(matters))
    for finding, row in zip(said, matters, strict=False):
        assert disagreement("sensitivity", pd.DataFrame([row]), [finding]) is None
        assert finding.certainty == row["certainty"]
        ends = row["difference_all_low"], row["difference_all_high"]
        assert min(ends) > row["difference"] / row["matter"] or max(ends) < -row["difference"] / row["matter"]
    assert counts.text.startswith("No number matters detectably.") == (not matters)
    each = [sum(row["verdict"] == one for row in rows) for one in (targets.MATTERS, targets.TOO_SMALL)]
    told = re.search(
        r"(\d+) of (\d+) differences matters?, .*; (\d+) (?:is|are) too small to matter; (\d+) (?:is|are) undecided",
        counts.text,
    )
    assert [int(text) for text in told.groups()] == [each[0], len(rows), each[1], len(rows) - sum(each)]


# table of the answer, size that the sentences are ranked by, what is said where nothing is shown
ANSWERS = {
    "experiment": ("effects", effects, "No wonder changes the chance to win measurably"),
    "sensitivity": ("changes", changes, ""),
}


@pytest.mark.parametrize("games", [60, 3000])
@pytest.mark.parametrize("command", ANSWERS)
def test_what_a_page_says_first_is_what_its_rows_show_the_largest_first(command, games):
    name, made, nothing = ANSWERS[command]
    for seed in SEEDS:
        kept = KeptAnswer(command, "x", {}, {name: made(seed, games)}, words={"a": "A", "b": "B", "kind": "wonder"})
        report = answer_page.build(kept, Path("x"))
        rows = [row for part in answer_page.PAGES[command](kept)[0] for row in part.frame(kept).to_dict("records")]
        if command == "sensitivity":
            check_sensitivity(report, rows)
            continue
        size = "points" if command == "experiment" else "matter"
        clear = sorted((row for row in rows if row["verdict"] in SHOWN), key=lambda row: -abs(row[size]))
        said = report.first.findings
        if not clear:
            few = all(row["verdict"] == CHANGE.not_compared for row in rows)
            assert said[0].text.startswith("Not enough games for a test: " if few else nothing)
            assert [one.certainty for one in said] == ["untested" if few else "open"]
            continue
        assert len(said) == min(MOST, len(clear)) + (len(clear) > MOST)
        for finding, row in zip(said[:MOST], clear, strict=False):
            assert disagreement(command, pd.DataFrame([row]), [finding]) is None
            assert finding.certainty == row["certainty"]
        if len(clear) > MOST:
            more = len(clear) - MOST
            assert said[MOST].certainty == weakest(row["certainty"] for row in clear[MOST:])
            assert said[MOST].text == f"{more} more of {len(rows)} differ{'s' if more == 1 else ''}: table."


@pytest.mark.parametrize("games", [60, 900, pytest.param(3000, marks=pytest.mark.soak)])
def test_a_comparison_is_summed_up_in_a_line_on_the_leaders_and_one_on_the_rest(games):
    """How many changed, the largest of them; where none did, how large a change the intervals leave possible."""
    for seed in SEEDS:
        frame = differences(seed, games)
        frame = frame.assign(**verdict_cells(Verdict.UNDECIDED, CHANGE)) if seed == SEEDS[-1] else frame
        kept = KeptAnswer("compare", "x", {}, {"differences": frame}, words={"a": "A", "b": "B"})
        report = answer_page.build(kept, Path("x"))
        rows = pd.concat([part.frame(kept) for part in answer_page.PAGES["compare"](kept)[0]])
        said = report.first.findings
        cut = rows[(rows["figure"] == "unfinished games") & rows["verdict"].isin(SHOWN)]
        assert len(said) == 2 + len(cut)
        if len(cut):
            assert said[0].text.startswith("Games that nobody won: ")
            assert disagreement("cut", cut, said[:1]) is None
            assert said[0].certainty == cut["certainty"].iloc[0]
        others = (rows["group"] != "leaders") & ((rows["figure"] != "unfinished games") | cut.empty)
        # What changed in the game comes before the leaders.
        parts = (others, rows["group"] == "leaders")
        parts = parts if rows.loc[others, "verdict"].isin(SHOWN).any() else parts[::-1]
        for finding, own in zip(said[len(cut) :], parts, strict=True):
            part = rows[own]
            clear = part[part["verdict"].isin(SHOWN)]
            if len(clear):
                row = clear.loc[[clear["matter"].abs().idxmax()]]
                assert finding.text.startswith(f"{len(clear)} of {len(part)} ")
                assert disagreement("compare", row, [finding]) is None
                assert finding.certainty == weakest(clear["certainty"])
                continue
            compared = part[part["verdict"] != CHANGE.not_compared]
            few = len(part) - len(compared)
            many = NUMBERS.get(len(compared), len(compared))
            if compared.empty:
                assert finding.text.endswith(f" has enough games for a comparison; n = {games} games.")
                assert finding.certainty == "untested"
                continue
            assert finding.certainty == "open"
            assert re.match(rf"None of the {many} .* changed measurably; with {games:,} games changes", finding.text)
            assert ("too few games for a comparison." in finding.text) == bool(few)
            if few:
                assert re.search(rf" {few} of {len(part)} .* ha(s|ve) too few games for a comparison\.$", finding.text)
            reach = compared[["difference_all_low", "difference_all_high"]].abs().max(axis=1)
            for unit, some in reach.groupby(compared["unit"]):
                one = unit.removesuffix("s")
                ends = re.search(rf"([\d.]+)(?:–([\d.]+))? {one}s?\b", finding.text).groups()
                assert close(ends[0], some.min())
                assert close(ends[1] or ends[0], some.max())


def test_a_section_of_a_comparison_says_its_largest_changes():
    for seed in SEEDS:
        kept = KeptAnswer("compare", "x", {}, {"differences": differences(seed, 3000)}, words={"a": "A", "b": "B"})
        for part in answer_page.PAGES["compare"](kept)[0]:
            frame = part.frame(kept)
            clear = frame[frame["verdict"].isin(SHOWN)].sort_values("matter", key=abs, ascending=False, kind="stable")
            said = part.findings(frame, kept)
            if clear.empty:
                (nothing,) = said
                frame = frame[frame["verdict"] != CHANGE.not_compared]
                if frame.empty:
                    assert nothing.text.startswith("Not enough games for a test: ")
                    assert nothing.certainty == "untested"
                    continue
                assert nothing.text.startswith(f"None of these changes measurably ({len(frame)} tested). Differences of up to ")
                for missed, unit in re.findall(r"([\d.]+) (points|rounds)", nothing.text):
                    some = frame[frame["unit"] == unit]
                    assert close(missed, some[["difference_all_low", "difference_all_high"]].abs().max().max())
                continue
            assert len(said) == min(MOST, len(clear)) + (len(clear) > MOST)
            for finding, row in zip(said[:MOST], clear.to_dict("records"), strict=False):
                assert disagreement("compare", pd.DataFrame([row]), [finding]) is None


def heard(report):
    """All findings of a page."""
    return [*report.first.findings, *(finding for section in report.sections for finding in section.findings), *report.limits]


def check_charts(kept):
    """What a chart says has a row that differs; the same table without one falls back on what is drawn."""
    for part in answer_page.PAGES[kept.command](kept)[0]:
        frame = part.frame(kept)
        for chart in part.charts:
            shown = frame[frame["p_adjusted"] <= 0.05] if "p_adjusted" in frame else frame.iloc[:0]
            said = chart.message(frame)
            assert not said or len(shown), said
            if "p_adjusted" in frame and "rank_best" not in frame:
                nothing = frame.assign(p_adjusted=1.0, **verdict_cells(Verdict.UNDECIDED, CHANGE))
                assert chart.heading(nothing) == (chart.title, chart.caption)


@pytest.mark.parametrize("games", [60, 3000])
@pytest.mark.parametrize("command", ["compare", "experiment", "sensitivity"])
def test_answers_speak_in_short_sentences_and_their_charts_say_what_they_show(command, games):
    name, made = {
        "compare": ("differences", differences),
        "experiment": ("effects", effects),
        "sensitivity": ("changes", changes),
    }[command]
    messages = []
    for seed in SEEDS:
        kept = KeptAnswer(command, "x", {}, {name: made(seed, games)}, words={"a": "A", "b": "B", "kind": "wonder"})
        report = answer_page.build(kept, Path("x"))
        assert unreadable(heard(report)) == []
        check_charts(kept)
        messages += [chart.message(part.frame(kept)) for part in answer_page.PAGES[command](kept)[0] for chart in part.charts]
    assert any(messages) == (games == 3000) or command == "sensitivity"


def test_the_ladders_page_says_ratings_as_they_are():
    for seed in SEEDS:
        frame = strength.rated(drawn(np.random.default_rng(seed), 300, STRENGTHS))
        kept = KeptAnswer("ladder", "x", {}, {"ratings": frame})
        report = answer_page.build(kept, Path("x"))
        assert disagreement("ladder", frame, report.first.findings) is None
        assert unreadable(heard(report)) == []
        chart = answer_page.PAGES["ladder"](kept)[0][0].charts[0]
        first = frame.loc[frame["rank_best"] == 1, "strategy"]
        assert chart.message(frame) == (f"{first.iloc[0]} is the strongest" if len(first) == 1 else "")
        assert chart.message(frame.assign(rank_best=1)) == ""
        for finding, row in zip(report.first.findings, frame.to_dict("records"), strict=False):
            assert finding.text.startswith(f"{row['strategy']}: rating ")
            assert finding.certainty == row["certainty"]
        told = {name: verdict.words for verdict in report.first.verdicts for name in verdict.names}
        for row in frame.to_dict("records"):
            assert told[row["strategy"]] == row["verdict"]
            assert (row["verdict"] == "stronger") == (row["rating_all_low"] > 18 and not row["small_sample"])
            assert (row["verdict"] == "weaker") == (row["rating_all_high"] < -18 and not row["small_sample"])
