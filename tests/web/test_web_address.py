"""The address of the lab's page that asks a command's question."""

from __future__ import annotations

from urllib.parse import parse_qsl

from newdawn.analysis.web.lab_address import address_of, address_of_variants
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.runs.run_plan import plan_by


def asked(ruleset, against=None, **settings):
    plan = plan_by(ruleset.compile(), **({"players": 3, "games": 400, "seed": 7, "strategies": ("planner",)} | settings))
    return dict(parse_qsl(address_of(ruleset, plan, against).partition("#")[2]))


def test_the_address_is_the_whole_question():
    printed = load_ruleset()
    cheap = with_overlay(printed, {"wonders": {"petra": {"cost": 5}}}, "cheap")
    wanted = {"box": "base", "players": "3", "play": "planner", "games": "400", "seed": "7"}
    assert asked(printed) == wanted
    assert asked(cheap, printed) == wanted | {"rule.wonders.petra.cost": "5"}
    assert asked(cheap) == wanted | {"rule.wonders.petra.cost": "5", "compare": "no"}
    assert asked(printed, leader_pool=("Rome", "Egypt", "Aztec", "Japan"))["leaders"] == "pool:Rome,Egypt,Aztec,Japan"
    assert asked(printed, strategies=("planner", "quick", "quick"))["play"] == "seats:planner,quick,quick"


def test_variants_have_letters():
    printed = load_ruleset()
    others = [with_overlay(printed, {"wonders": {"petra": {"cost": cost}}}, f"for {cost}") for cost in (5, 6)]
    plan = plan_by(printed.compile(), players=3, games=400, seed=7, strategies=("planner",))
    asked = dict(parse_qsl(address_of_variants([printed, *others], plan).partition("#")[2]))
    assert {key: value for key, value in asked.items() if "rule" in key} == {
        "rule.wonders.petra.cost": "5", "B.rule.wonders.petra.cost": "6",
    }  # fmt: skip
    assert address_of_variants([others[0], printed], plan) == ""
    for_rome = address_of_variants([printed, *others], plan, "Rome")
    assert dict(parse_qsl(for_rome.partition("#")[2])) == asked | {"leader": "Rome"}


def test_what_the_page_cannot_play_has_no_address():
    printed = load_ruleset()
    cheap = with_overlay(printed, {"wonders": {"petra": {"cost": 5}}}, "cheap")
    assert asked(printed, against=cheap) == {}
    assert asked(load_ruleset(["no_barbarians"]), against=printed) == {}
