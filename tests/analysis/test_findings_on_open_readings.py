"""A finding about a leader names the open reading of the rules that it rests on, and its measured weight."""

import copy
from types import SimpleNamespace

import pandas as pd
import pytest

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions.leaders import open_readings
from newdawn.analysis.report import next_steps
from newdawn.analysis.stats.verdicts import STRENGTH, Verdict, verdict_columns
from newdawn.analysis.tables import reference_results
from newdawn.scripts.cli import run_tables
from newdawn.simulator import names
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.rules.show import doubts_about


def source(box=names.BOXES[0], margin=2.0):
    return SimpleNamespace(ruleset=load_ruleset(box=box).data, run=SimpleNamespace(box=box), margin=margin)


def measured(monkeypatch, low, high):
    """Let the reference results say that the other reading changes Scythia's win rate by so much (shares)."""
    row = {
        "doubt": "attack_terrain", "measure": "win rate of Scythia", "n": "1000", "change": str((low + high) / 2),
        "change_low": str(low), "change_high": str(high),
    }  # fmt: skip
    monkeypatch.setattr(reference_results, "readings", lambda box: [row])


@pytest.mark.parametrize("box", names.BOXES)
def test_the_reading_behind_scythias_bonus_is_found_by_what_the_rulings_say(box):
    ruleset = load_ruleset(box=box)
    assert [doubt.name for doubt in doubts_about(ruleset, "Scythia")] == ["attack_terrain"]
    assert doubts_about(ruleset, "Rome") == []


def test_a_measured_weight_is_told_with_its_interval(monkeypatch):
    measured(monkeypatch, -0.08, -0.02)
    (said,) = open_readings(source(), ["Rome", "Scythia", "Scythia"])
    assert said.certainty == "limit"
    assert said.text == (
        "An open reading of the rules, “attack terrain”: the other reading changes the win rate of Scythia by −5.0 "
        "[−8.0, −2.0] points (played by quick, n = 1,000 pairs of games)."
    )


def test_a_weight_below_the_margin_is_not_worth_a_sentence(monkeypatch):
    measured(monkeypatch, -0.01, 0.015)
    assert open_readings(source(), ["Scythia"]) == []
    assert len(open_readings(source(margin=1.0), ["Scythia"])) == 1


def test_a_weight_not_measured_is_told_with_the_command_that_measures_it(monkeypatch):
    monkeypatch.setattr(reference_results, "readings", lambda box: [])
    (said,) = open_readings(source("terra-incognita"), ["Scythia"])
    assert "newdawn rules disputes --box terra-incognita --games 2000 --only attack_terrain" in said.text
    (england,) = open_readings(source("terra-incognita"), ["England"])
    assert "(England)" in england.text
    assert "newdawn rules disputes" not in england.text, "no switch plays the other reading"
    (both,) = open_readings(source("terra-incognita"), ["England", "Scythia"])
    assert both.text.startswith("Open readings of the rules whose weight is not known: ")
    assert both.text.endswith(" --only attack_terrain` weighs them.")


def test_of_rules_that_this_version_does_not_know_nothing_is_said():
    old = source()
    old.ruleset = copy.deepcopy(old.ruleset)
    del old.ruleset["rulings"]["attack_terrain"]
    assert open_readings(old, ["Scythia"]) == []


def test_the_first_screen_names_it_for_leaders_outside_the_margin_only(monkeypatch):
    measured(monkeypatch, -0.08, -0.02)
    frame = pd.DataFrame({"leader": ["Scythia", "Rome"], "points": [20.0, 1.0]})
    frame = frame.assign(**verdict_columns([Verdict.FAR_ABOVE, Verdict.UNDECIDED], STRENGTH))
    (reading,) = next_steps.readings(frame, source())
    (step,) = next_steps.weighed([reading])
    assert step.question == "Does it matter how an open rule about Scythia is read?"
    assert step.answer.startswith(
        "The other reading changes the win rate of Scythia by −5.0 [−8.0, −2.0] points (played by quick, n = "
    )
    frame = frame.assign(**verdict_columns([Verdict.UNDECIDED, Verdict.FAR_BELOW], STRENGTH))
    assert next_steps.readings(frame, source()) == []
    assert next_steps.readings(None, source()) == []


@pytest.mark.parametrize("box", names.BOXES)
def test_the_weights_at_hand_are_of_readings_that_the_rules_have(box):
    known = {doubt.name for leader in ("Scythia",) for doubt in doubts_about(load_ruleset(box=box), leader)}
    rows = [row for row in reference_results.readings(box) if row["measure"] == "win rate of Scythia"]
    assert {row["doubt"] for row in rows} >= known


def test_the_verdict_on_the_screen_names_the_reading_too(monkeypatch):
    measured(monkeypatch, -0.08, -0.02)
    rules = load_ruleset().data
    run = SimpleNamespace(manifest={"ruleset": {"data": rules}}, rules=rules, box=names.BOXES[0])
    frame = pd.DataFrame({"leader": ["Scythia", "Rome"], "verdict_key": ["FAR_ABOVE", "FAR_BELOW"], "points": [20.0, -9.0]})
    asked = Source([run], margin=2.0)
    assert "“attack terrain”" in run_tables._open_readings(asked, frame)
    assert run_tables._open_readings(asked, frame.assign(verdict_key="UNDECIDED")) == ""
    assert run_tables._open_readings(asked, frame.drop(columns="verdict_key")) == ""


def test_a_change_that_may_be_none_is_not_said_to_change(monkeypatch):
    """'The other one changes the win rate of Scythia by +6.3 [−1.7, +14.2] points' says more than its interval."""
    measured(monkeypatch, -0.017, 0.142)
    (said,) = open_readings(source(), ["Scythia"])
    asked = "An open reading of the rules, “attack terrain”: it is undecided whether the other reading changes the win rate of"
    assert said.text.startswith(f"{asked} Scythia: ")
