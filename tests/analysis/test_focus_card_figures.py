"""Take rates of focus cards in comparisons and goals, and what a focus card is worth by experiment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from table import BOTS, card_codes, table_with

from newdawn.analysis.goals import wishes
from newdawn.analysis.questions import experiment
from newdawn.analysis.questions.compare import compare
from newdawn.analysis.tables.focus_card_use import focus_cards, takeable
from newdawn.analysis.tables.read import open_run
from newdawn.simulator.engine import treatment
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.runs.run import Silent, play_range, run_games
from newdawn.simulator.runs.run_plan import plan_by

PRINTED = load_ruleset()
COUNTED = ("focus_cards",)


def plan_of(ruleset, games=100, tables=COUNTED):
    return replace(plan_by(ruleset.compile(), players=3, games=games, seed=3, strategies=["planner"]), tables=tables)


def test_what_can_be_taken_is_every_card_above_the_first_level():
    known = dict(takeable(PRINTED.compile()))
    assert len(known) == 15
    assert "Astrology" not in known
    assert set(known.values()) == {""}


def test_a_comparison_has_the_take_rates_of_a_run(tmp_path):
    banned = with_overlay(PRINTED, {"focus_cards": {"base": {"mathematics": {"available": False}}}}, "without")
    plans = (plan_of(PRINTED), plan_of(banned))
    frame = compare(plans, (PRINTED, banned), 100).frame.set_index("figure")
    rows = frame[frame["group"] == "cards"]
    assert len(rows) == 15
    assert (rows.loc["take rate of Mathematics", "b"], rows.loc["take rate of Mathematics", "verdict"]) == (0, "lowered")
    run_games(plans[0], PRINTED, tmp_path / "run", 1)
    table = focus_cards(open_run(tmp_path / "run")).set_index("card")
    for name in ("Mathematics", "Steam Power", "Urbanization"):
        assert rows.loc[f"take rate of {name}", "a"] == pytest.approx(table.loc[name, "take_rate"])


def test_a_comparison_without_counting_is_as_before():
    plans = (plan_of(PRINTED, 20, ()), plan_of(PRINTED, 20, ()))
    assert "cards" not in set(compare(plans, (PRINTED, PRINTED), 20).frame["group"])


def test_no_dead_card_is_a_goal(tmp_path):
    file = tmp_path / "goals.yaml"
    file.write_text("goals:\n- {figure: take-rate, at_least: 10%}\n", "utf-8")
    goals = wishes.read_goals(file, PRINTED)
    assert {wish.band for wish in goals.wishes} == {"at least 10.0%"}
    figures = wishes.catalogue(PRINTED, wishes.named_in(goals))
    plan = plan_of(PRINTED, 60)
    r = PRINTED.compile()
    values = wishes.read(plan, r, play_range(plan, r, 0, 60, Silent()), figures)
    rates = dict(zip((figure.title for figure in figures), values.sum(axis=0), strict=True))
    y, m = rates["take rate of Mathematics"]
    assert (m, y / m) == (180, pytest.approx(1, abs=0.02))
    assert rates["take rate of Nationalism"][1] == 180


# --- given by experiment


def test_a_focus_card_is_given_in_place_of_the_one_of_its_type():
    t = table_with((0, 0), (3, 0))
    code, h = card_codes(), t.holder(0, "economy")
    t.trade(0, "economy", 2)
    assert treatment.give_card(t.r, t.g, t.w, BOTS, 0, code["Steam Power"]) == 1
    assert (int(t.g.card[0, h]), t.trade_on(0, "economy")) == (code["Steam Power"], 2)
    assert treatment.give_card(t.r, t.g, t.w, BOTS, 0, code["Steam Power"]) == 0  # the seat has it
    assert treatment.give_card(t.r, t.g, t.w, BOTS, 0, code["Currency"]) == 0  # what it has is better
    assert treatment.give_card(t.r, t.g, t.w, BOTS, 0, code["Capitalism"]) == 1


def test_the_effect_of_a_focus_card_is_measured():
    plan = plan_of(PRINTED, 60, ())
    asked = experiment.grant_card(plan, PRINTED, ["steam power", "Flight"], 4)
    assert [arm.name for arm in asked.arms] == ["Steam Power", "Flight"]
    pairs = experiment.run(asked)
    assert set(pairs["outcome"]) <= {"given", "impossible", "not reached"}
    assert (pairs["outcome"] == "given").mean() > 0.5
    frame = experiment.effects(pairs)
    assert np.isfinite(frame["effect"]).all()
    assert len(experiment.grant_card(plan, PRINTED).arms) == 15
    with pytest.raises(UserError, match="Steam Power"):
        experiment.grant_card(plan, PRINTED, ["Steam"])
