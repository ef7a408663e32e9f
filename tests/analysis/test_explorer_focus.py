"""The explorer's view of focus cards says what the functions say of the same games, and only of runs that counted them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from newdawn.analysis.explorer.server import ExplorerRuns
from newdawn.analysis.tables.focus_card_use import focus_card_wins, focus_cards
from newdawn.analysis.tables.read import open_run
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import plan_by


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    ruleset = load_ruleset()
    plan = plan_by(ruleset.compile(), players=3, games=200, seed=1, strategies=["planner"])
    folder = tmp_path_factory.mktemp("focus")
    run_games(replace(plan, tables=("focus_cards",)), ruleset, folder / "counted", 1)
    run_games(replace(plan, games=100), ruleset, folder / "plain", 1)
    return [open_run(folder / name) for name in ("counted", "plain")]


def column(section, name):
    """Return what a table of the view holds, by card."""
    names = [each["name"] for each in section["columns"]]
    return {row["cells"][0]["value"]: row["cells"][names.index(name)]["value"] for row in section["rows"]}


def test_the_view_says_what_the_functions_say(runs):
    desk = ExplorerRuns([runs[0]])
    use, wins = desk.answer("focus", "run=0")["sections"]
    frame = focus_cards(runs[0]).set_index("card")
    assert column(use, "taken") == frame["taken"].to_dict()
    assert column(use, "type") == frame["type"].to_dict()
    known = focus_card_wins(runs[0]).set_index("card")["n"]
    assert column(wins, "n") == known.to_dict()


def test_a_filter_leaves_its_seats(runs):
    desk = ExplorerRuns([runs[0]])
    section = desk.answer("focus", "run=0&leader=Rome")["sections"][0]
    seats = runs[0].read("seats", ["leader"])
    assert column(section, "n")["Mathematics"] == int((seats["leader"] == "Rome").sum())


def test_a_run_that_has_not_counted_says_how_to(runs):
    desk = ExplorerRuns(runs)
    assert [run["focus"] for run in desk.about()["runs"]] == [True, False]
    assert desk.answer("leaders", "run=0&beside=1")["sections"]
    with pytest.raises(UserError, match="newdawn run --focus-cards"):
        desk.answer("focus", "run=1")
