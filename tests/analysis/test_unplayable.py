"""A change that cannot be played at the table never ends a search: it is left out and named with its reason."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from newdawn.analysis.questions import sensitivity as moving
from newdawn.analysis.questions import tuning
from newdawn.analysis.questions.possible_changes import Playable, Unplayable, left_out_words
from newdawn.scripts.cli.main import main
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import change, find
from newdawn.simulator.runs.run_plan import plan_by, unplayable

DEALT, BANS = (f"components.leader_deal.base.{name}_per_player" for name in ("leaders", "bans"))
SMALL = ["--players", "4", "--strategies", "planner", "--jobs", "1", "--quiet"]
REASON = "the rules deal 4 leaders to each of 4 players, 16 in all; there are 8"


def test_what_cannot_be_played_at_a_table_is_known_before_its_first_game():
    rules = load_ruleset()
    dealt = change(rules, {find(rules, DEALT): 4})
    plans = [plan_by(rules.compile(), players=players, games=1, seed=1, strategies=["planner"]) for players in (2, 4)]
    assert [unplayable(plan, dealt.compile()) for plan in plans] == ["", f"leader pool: {REASON}"]
    playable = Playable(plans)
    assert not playable.allows("four leaders", dealt)
    assert playable.allows("none", rules)
    assert playable.words() == (f"Left out, because it cannot be played at this table: four leaders (leader pool: {REASON}).")
    pool = plan_by(rules.compile(), players=2, games=1, seed=1, leader_pool=["Rome", "Egypt", "Aztec"])
    two = change(rules, {find(rules, DEALT): 2})
    assert "4 in all; there are 3" in unplayable(pool, two.compile())


def test_changes_with_one_reason_are_named_together():
    assert left_out_words({"a": "x", "b": "y", "c": "x"}) == (
        "Left out, because it cannot be played at this table: a and c (x); b (y)."
    )
    assert left_out_words({}) == ""


@pytest.mark.parametrize(
    "words",
    [
        ["sensitivity", "--parameters", "components.leader_deal.*,wonders.petra.cost", "--games", "8"],
        ["tune", "--parameter", DEALT, "--range", "1:4", "--target", "game-length=15", "--games", "8", "--fresh", "8"],
    ],
    ids=["sensitivity", "tune"],
)
def test_a_search_ends_without_what_cannot_be_played(tmp_path, words):
    found = CliRunner().invoke(main, [*words, *SMALL, "--out", str(tmp_path / "out")])
    assert found.exit_code == 0, found.output
    if words[0] == "tune":  # three leaders for each of four players are too many, too
        told = " ".join(found.output.split())
        assert f"{DEALT} = 4 (leader pool: {REASON})" in told
        assert f"{DEALT} = 3 (leader pool: the rules deal 3 leaders" in told


def failing(monkeypatch, fails):
    """Let games of some rules end with an error, as an own ability's function may."""
    plain = tuning.play_figures

    def play(plan, ruleset, *others, **more):
        if fails(ruleset):
            raise Unplayable("ability 'x' of Petra raised ZeroDivisionError")
        return plain(plan, ruleset, *others, **more)

    for module in (moving, tuning):
        monkeypatch.setattr(module, "play_figures", play)


def test_what_fails_in_its_games_is_left_out_and_the_rest_goes_on(monkeypatch):
    rules = load_ruleset()
    cost = find(rules, "wonders.petra.cost")
    plan = plan_by(rules.compile(), players=2, games=20, seed=1, strategies=["planner"])
    target = tuning.parse_target("game-length=12")
    failing(monkeypatch, lambda ruleset: ruleset.data["wonders"]["petra"]["cost"] == 8)
    tuned = tuning.tune(plan, rules, [cost], target, [range(6, 10)], fresh=20)
    assert tuned.left_out == {"wonders.petra.cost = 8": "ability 'x' of Petra raised ZeroDivisionError"}
    assert tuned.table["wonders.petra.cost"].tolist() == [6, 7, 9]
    playable = Playable([plan])
    moved = moving.planned(plan, rules, ("wonders.petra.cost",), playable)
    frame = moving.sensitivity(plan, rules, moved, playable=playable)
    assert set(frame["value"]) == {6}
    assert "wonders.petra.cost = 8" in playable.left_out
    failing(monkeypatch, lambda ruleset: True)
    with pytest.raises(Unplayable, match="ZeroDivisionError"):  # the rules themselves must be playable
        tuning.tune(plan, rules, [cost], target, [range(6, 10)], fresh=20)


def test_goals_are_sought_without_what_cannot_be_played(tmp_path):
    goals = tmp_path / "goals.yaml"
    goals.write_text(
        "players: 4\nways: [planner]\ngoals: [{figure: game-length, between: [4, 5]}]\n"
        f"changes: {{at_most: 1, numbers: [{{path: {DEALT}, from: 1, to: 4}}, {{path: wonders.petra.cost, by: 1}}]}}\n"
    )
    asked = ["goals", str(goals), "--all-games", "4000", "--fresh", "40", "--jobs", "1", "--quiet"]
    found = CliRunner().invoke(main, [*asked, "--out", str(tmp_path / "out")])
    assert found.exit_code == 0, found.output
    assert f"{DEALT} = 3 (leader pool" in " ".join(found.output.split())


def test_a_change_under_which_the_target_never_occurs_is_left_out_too(tmp_path):
    agenda = "victory_cards.base.technophile_scholarly_base.agendas.scholarly"
    asked = ["balance", "--target", "claim-rate:Scholarly=70%", "--parameters", f"{agenda}.available,wonders.petra.cost"]
    small = ["--screen", "10", "--games", "20", "--fresh", "20", "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(main, [*asked, *small, *SMALL])
    assert found.exit_code == 0, found.output
    told = " ".join(found.output.split())
    assert f"what is asked about occurs in none of the games that it played: {agenda}.available = false." in told


def test_a_rare_target_gets_games_enough_to_be_seen(tmp_path):
    asked = ["balance", "--box", "terra-incognita", "--leader", "Poland", "--to", "40%", "--parameters", "wonders.petra.cost"]
    small = ["--screen", "2", "--games", "2000", "--fresh", "10", "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(main, [*asked, *small, *SMALL[2:], "--players", "2"])
    assert found.exit_code == 0, found.output
