"""What is said, shown and kept of restricted play: every sentence agrees with its row, two tables stand beside each other."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from said import unreadable

from newdawn.analysis.questions import restrict as words
from newdawn.analysis.questions.restricted_play import FREE, RestrictedWins, side_by_side, table
from newdawn.analysis.report import answer_page
from newdawn.analysis.stats.verdicts import CHANGE, DIFFERENT, Verdict, verdict_cells
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.scripts.cli.main import main
from newdawn.scripts.cli.restrict import names_of
from newdawn.simulator import kept_files, names
from newdawn.simulator.errors import with_sign
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.planning import restrictions

PLAY = ["--games", "20", "--players", "2", "--jobs", "1", "--quiet"]


def drawn(rng, n, rates):
    """What seats with these chances to win have won in n games that share half of their luck."""
    luck = rng.random(n)
    own = {name: np.where(rng.random(n) < 0.5, luck, rng.random(n)) for name in rates}
    return RestrictedWins({name: (own[name] < rate).astype(float) for name, rate in rates.items()})


def told(size, p):
    return Verdict.UNDECIDED if p > 0.05 else Verdict.FAR_ABOVE if size > 0 else Verdict.FAR_BELOW


def row_of(points, p, **more):
    return {
        "restriction": "cities", "n": 500, "points": points, "points_all_low": points - 1.5, "points_all_high": points + 1.5,
        "p_adjusted": p, "share": 0.25, "share_low": 0.2, "share_high": 0.3, "restricted": 0.25 + points / 100,
        "restricted_low": 0.0, "restricted_high": 0.4, "small_sample": False, **verdict_cells(told(points, p), CHANGE), **more,
    }  # fmt: skip


def test_both_tables_stand_beside_each_other_and_what_differs_is_compared_game_by_game():
    rng = np.random.default_rng(1)
    a = drawn(rng, 400, {FREE: 0.25, "cities": 0.1, "attacks": 0.02})
    b = drawn(rng, 400, {FREE: 0.25, "cities": 0.25, "attacks": 0.02})
    found = side_by_side(a, b)
    assert found["restriction"].tolist() == ["cities", "attacks"]
    for key, won in (("a", a), ("b", b)):
        for name in ("share", "restricted", "points", "points_low", "points_all_high"):
            assert np.array_equal(found[f"{key}_{name}"], table(won)[name])
    each = 100 * ((b.shares["cities"] - b.shares[FREE]) - (a.shares["cities"] - a.shares[FREE]))
    assert found["change"][0] == pytest.approx(each.mean())
    assert found["change_high"][0] - found["change"][0] == pytest.approx(1.96 * each.std(ddof=1) / 20, rel=1e-3)
    outside = (found["change_all_low"] > 0) | (found["change_all_high"] < 0)
    assert (outside == (found["p_adjusted"] <= 0.05)).tolist() == [True, True]
    assert found["p_adjusted"][0] <= 0.05 < found["p_adjusted"][1]
    assert not found["small_sample"].any()


def test_where_nothing_changes_the_interval_of_a_change_says_how_little_is_known():
    won = drawn(np.random.default_rng(2), 50, {FREE: 0.5, "cities": 0.1})
    found = side_by_side(won, won)
    assert found["change"][0] == 0
    assert found["change_high"][0] == pytest.approx(100 * 3.69 / 50, rel=1e-2)  # of 50 seeds none changed


@pytest.mark.calibration
def test_no_more_false_changes_than_promised():
    rng, rates, wrong = np.random.default_rng(3), {FREE: 0.25, "cities": 0.1, "attacks": 0.05, "caravans": 0.2}, 0
    for _ in range(200):
        found = side_by_side(drawn(rng, 300, rates), drawn(rng, 300, rates))
        wrong += bool((found["p_adjusted"] <= 0.05).any())
    assert wrong <= 18  # 5% and two and a half standard errors


@pytest.mark.calibration
def test_a_few_changed_pairs_are_as_rarely_taken_for_a_loss_as_promised():
    """Four pairs in a thousand change, either way by chance, in each of five rows: any finding in 5% of 400 tables at most."""
    rng, wrong = np.random.default_rng(4), 0
    for _ in range(400):
        free = (rng.random(1_000) < 0.25).astype(float)
        rows = {FREE: free}
        for name in ("attacks", "cities", "caravans", "world wonders", "looking ahead"):
            changed = rng.random(1_000) < 0.004
            rows[name] = np.where(changed, rng.integers(0, 2, 1_000), free).astype(float)
        found = table(RestrictedWins(rows))
        wrong += bool(((found["points_all_low"] > 0) | (found["points_all_high"] < 0)).any())
    assert wrong <= 33  # 5% and three standard errors


@pytest.mark.parametrize(
    ("points", "p", "word"),
    [(-8.0, 0.001, "loses 8.0"), (3.0, 0.01, "gains 3.0"), (-1.0, 0.4, "does not win detectably more or less often")],
)
def test_sentences_agree_with_their_row(points, p, word):
    text = words.sentence(row_of(points, p), 4)
    assert word in text
    assert restrictions.RESTRICTIONS["cities"] in text
    ends = sorted(abs(points + reach) if p < 0.05 else points + reach for reach in (-1.5, 1.5))
    assert (f"[{ends[0]:.1f}, {ends[1]:.1f}]" if p < 0.05 else f"[{with_sign(ends[0])}, {with_sign(ends[1])}]") in text


def test_a_row_that_is_not_compared_is_not_said_to_be_without_a_difference():
    row = row_of(-1.0, 0.4, **verdict_cells(Verdict.NOT_COMPARED, CHANGE))
    assert "has played too few games to be compared" in words.sentence(row, 4)
    both = {"a_points": 1.0, "b_points": 0.0, "change": -1.0, "change_all_low": -2.0, "change_all_high": 0.0}
    assert "Too few games were played to compare the two" in words.beside(row | both, 4, "printed", "mine")


@pytest.mark.parametrize(
    ("change", "p", "rules", "training"),
    [
        (4.0, 0.01, "Under mine doing without costs 4.0 points [3.0, 5.0] less", "Training makes up for 4.0 points [3.0, 5.0]"),
        (-4.0, 0.01, "Under mine doing without costs 4.0 points [3.0, 5.0] more", "Training adds 4.0 points [3.0, 5.0]"),
        (
            0.5,
            0.9,
            "The difference is not detectable: +0.5 points [−0.5, +1.5]",
            "is not shown to make a difference: +0.5 points [−0.5, +1.5]",
        ),
    ],
)
def test_sentences_about_both_tables_agree_with_their_row(change, p, rules, training):
    row = {"restriction": "agenda Paranoid", "change": change, "change_all_low": change - 1, "change_all_high": change + 1,
           "p_adjusted": p, **verdict_cells(told(change, p), CHANGE)}  # fmt: skip
    for key, points in (("a", -8.0), ("b", -8.0 + change)):
        row |= {f"{key}_points": points, f"{key}_points_all_low": points - 2, f"{key}_points_all_high": points + 2}
    for text, tail in ((words.beside(row, 4, "printed", "mine"), rules), (words.trained(row, 4), training)):
        assert text.startswith("Of 4 players, one who does not go for Paranoid: −8.0 points of its chance to win")
        assert f", {with_sign(-8 + change)} " in text.partition(". ")[0]
        assert text.count("[") == 1
        assert text.endswith(f"{tail}.")


@pytest.mark.parametrize(
    ("points", "p", "war", "wonders"),
    [
        (-20.0, 0.001, "For these players, yes: ", "Hardly: "),
        (-12.0, 0.001, "It helps; whether by half is undecided: ", "Less often; whether half"),
        (-5.0, 0.001, "It helps, for less than half of the wins: ", "Yes, but less often: "),
        (5.0, 0.001, "No: ", "Yes, even more often: "),
        (-1.0, 0.6, "Undecided: ", "No detectable difference: "),
    ],
)
def test_questions_are_answered_by_the_interval_of_their_row(points, p, war, wonders):
    row = row_of(points, p)
    for restriction, question, start in (("attacks", words.WAR, war), ("world wonders", words.WONDERS, wonders)):
        asked, said = words.answer(row | {"restriction": restriction})
        assert unreadable([said]) == []
        assert asked == question
        assert said.startswith(start)
        assert f"wins {25 + points:.1f}% of its games, others 25.0%: {with_sign(points)} points [" in said
        assert said.count("[") == 1
        assert "n = 500 pairs" in said
    assert words.answer(row) is None


@pytest.mark.parametrize(
    ("points", "p", "start"),
    [
        (-16.0, 0.001, "Looking ahead is worth 16.0 points [14.5, 17.5]: one who looks no turn ahead wins 9.0%"),
        (4.0, 0.001, "Looking ahead does not help these players: "),
        (-1.0, 0.5, "Looking ahead is not shown to make a difference: "),
    ],
)
def test_skill_is_what_looking_ahead_is_worth_and_no_more(points, p, start):
    question, said = words.answer(row_of(points, p) | {"restriction": "looking ahead"})
    assert unreadable([said]) == []
    assert question == "How much is skill, how much is luck?"
    assert said.startswith(start)
    assert (words.LEFT in said) == (points < 0 and p <= 0.05)


@pytest.mark.parametrize("kind", ["alone", "rules", "training"])
def test_the_page_says_what_the_sentences_of_the_rows_say(kind):
    rng = np.random.default_rng(4)
    rates = {FREE: 0.3, "attacks": 0.02, "world wonders": 0.28, "looking ahead": 0.1}
    a, b = (drawn(rng, 600, rates | {"attacks": rate}) for rate in (0.02, 0.25))
    name = "restricted" if kind == "alone" else "beside"
    frame = table(a) if kind == "alone" else side_by_side(a, b)
    kept = KeptAnswer(
        "restrict", "x", {"players": "3"}, {name: frame}, [*"abc", "control"], words={"a": "A", "b": "B", "kind": kind}
    )
    report = answer_page.build(kept, Path("x"))
    rows = frame.to_dict("records")
    say = {"alone": words.sentence, "training": words.trained, "rules": lambda row, n: words.beside(row, n, "A", "B")}[kind]
    ((section,),) = ([one for one in report.sections if one.part.key == name],)
    assert [one.text for one in section.findings] == [say(row, 3) for row in rows]
    first = [one.text for one in report.first.findings]
    shown = [CHANGE.of(one) for one in DIFFERENT]
    assert {say(row, 3) for row in rows if row["verdict"] in shown} <= set(first)
    for finding in report.first.findings:
        own = [row for row in rows if finding.text == say(row, 3)]
        assert not own or finding.certainty == own[0]["certainty"]
    if kind == "alone":
        assert first[:3] == [" ".join(words.answer(row)) for row in rows]
    assert ("control" in first) == (kind == "training")
    listed = {name: verdict.words for verdict in report.first.verdicts for name in verdict.names}
    assert listed == dict(zip(frame["restriction"], frame["verdict"], strict=True))


def test_the_command_shows_a_table_and_sentences_and_keeps_them(tmp_path):
    out = tmp_path / "kept"
    result = CliRunner().invoke(main, ["restrict", "--without", "cities,attacks", *PLAY, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "Of 2 players, one who founds no cities" in result.output
    assert "Is war necessary? " in result.output
    frame = pd.read_csv(out / "restricted.csv")
    assert frame["restriction"].tolist() == ["cities", "attacks"]
    assert json.loads((out / "findings.json").read_text())["command"] == "restrict"
    page = CliRunner().invoke(main, ["report", str(out)])
    assert page.exit_code == 0, page.output
    text = (out / "report" / "report.md").read_text()
    for row in frame.to_dict("records"):
        assert words.sentence(row, 2) in text
    assert " ".join(words.answer(frame.to_dict("records")[1])) in text


def test_the_command_asks_under_a_house_rule_beside_the_print(tmp_path):
    asked = ["restrict", "--without", "attacks on capitals,caravans", *PLAY, "--rules", "no_attacks_on_capitals"]
    result = CliRunner().invoke(main, [*asked, "--beside", "printed", "--out", str(tmp_path / "kept")])
    assert result.exit_code == 0, result.output
    assert "under printed" in result.output
    assert re.search(r"attacks rivals' capitals: .* under printed, 0\.0 under no attacks on capitals\.", result.output)
    frame = pd.read_csv(tmp_path / "kept" / "beside.csv")
    assert frame["b_points"][0] == 0  # nobody may attack them anyway
    assert frame["b_points"][1] != 0
    page = CliRunner().invoke(main, ["report", str(tmp_path / "kept")])
    assert page.exit_code == 0, page.output


def test_what_is_asked_is_what_all_of_the_rules_know():
    base, own, box = (
        load_ruleset(*words_of).compile() for words_of in ((), (["new_shores"],), ((), None, names.BOXES[names.TI_BOX]))
    )
    assert names_of([base], None, False, False) == list(restrictions.valid_in(names.BASE_BOX))
    assert "forts" in names_of([box], None, False, False)
    assert "forts" not in names_of([box, base], None, False, False)
    assert "agenda Landlord" in names_of([own], None, True, False)
    assert "agenda Landlord" not in names_of([own, base], None, True, False)
    assert len(names_of([base], None, True, False)) == len(names.AGENDAS)
    assert names_of([base], ("cities",), True, False)[:2] == ["cities", f"agenda {names.AGENDAS[0]}"]
    assert "looking ahead" not in names_of([base], None, False, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--beside", "printed"], "--beside printed: the same rules as those of --rules; expected different ones"),
        (["--beside", "no_barbarians", "--adapt"], "--adapt and --beside: expected one of the two"),
        (["--beside", "no_barbarian"], "did you mean 'no_barbarians'"),
        (["--adapt", "--player", "planner"], "planner has nothing to train"),
        (["--adapt", "--without", "looking ahead"], "--adapt: without 'looking ahead' a player asks no network"),
        (["--rules", "new_shores", "--beside", "printed", "--without", "agenda Landlord"], "unknown agenda 'Landlord'"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_a_game_is_played(options, said):
    result = CliRunner().invoke(main, ["restrict", *PLAY, *options])
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output


@pytest.fixture(scope="module")
def run_and_answer(tmp_path_factory):
    """A run, and an answer under its rules."""
    folder = tmp_path_factory.mktemp("chapter")
    for words_of in (
        ["run", "--games", "20", "--players", "2", "--out", str(folder / "run"), "--jobs", "1", "--quiet"],
        ["restrict", "--without", "attacks,looking ahead", *PLAY, "--out", str(folder / "answer")],
    ):
        result = CliRunner().invoke(main, words_of)
        assert result.exit_code == 0, result.output
    return folder / "run", folder / "answer"


@pytest.mark.soak
def test_the_report_of_a_run_has_a_chapter_on_restricted_play(run_and_answer, tmp_path):
    run, answer = run_and_answer
    made = CliRunner().invoke(main, ["report", str(run), "--restricted", str(answer), "--boards", "0", "--out", str(tmp_path)])
    assert made.exit_code == 0, made.output
    text = (tmp_path / "report.md").read_text()
    frame = pd.read_csv(answer / "restricted.csv")
    for row in frame.to_dict("records"):
        assert " ".join(words.answer(row)) in text
        assert words.sentence(row, 2) in text
    assert "All of this holds for games of quick: 20 pairs of games for each restriction." in text
    assert "Jaffe and others, AIIDE 2012" in text
    assert pd.read_csv(tmp_path / "restricted.csv").equals(frame)


def test_the_chapter_is_of_the_same_game_as_the_run(run_and_answer, tmp_path):
    run, answer = run_and_answer

    def refused(folder):
        made = CliRunner().invoke(main, ["report", str(run), "--restricted", str(folder), "--out", str(tmp_path / "report")])
        assert made.exit_code == 2
        assert "Traceback" not in made.output
        return " ".join(made.output.split())

    assert "holds no answer of `newdawn restrict --out`" in refused(run)
    for name, text, said in (
        ("three", '"players": "2"', "games of 3 players; expected 2 as in the run"),
        ("rules", '"rules": "printed', "asked under other rules"),
    ):
        folder = tmp_path / name
        shutil.copytree(answer, folder)
        kept = (folder / "findings.json").read_text()
        other = '"players": "3"' if name == "three" else '"rules": "printed, SHA-256 0", "were": "printed'
        changed = json.loads(kept.replace(text, other))
        del changed["digest"]
        kept_files.write(folder / "findings.json", changed)
        assert said in refused(folder)
    result = CliRunner().invoke(main, ["report", str(answer), "--restricted", str(answer)])
    assert result.exit_code == 2
    assert "--restricted expects a run" in result.output
