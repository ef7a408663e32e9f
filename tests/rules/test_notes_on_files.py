"""What is said of house rules and of others' files: what cannot matter at a table, and what is a program."""

import json

import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator import user_modules
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import vain_at
from newdawn.simulator.rules.load import own_functions
from newdawn.simulator.rules.ruleset_contents import digest_of
from newdawn.simulator.runs import manifest
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import plan_by

PROGRAM = '''"""A blessing."""

from newdawn.strategies import deed


@deed
def tribute(r, g, w, seat):
    pass
'''


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.mark.parametrize(
    ("rule", "counts", "idle"),
    [
        ("components: {start_bonus: {fourth_in_turn_order: {trade_tokens: 1}}}", [3], True),
        ("components: {start_bonus: {fourth_in_turn_order: {trade_tokens: 1}}}", [2, 3], True),
        ("components: {start_bonus: {fourth_in_turn_order: {trade_tokens: 1}}}", [3, 4], False),
        ("components: {start_bonus: {third_in_turn_order: {trade_tokens: 1}}}", [3], False),
        ("components: {start_bonus: {last_in_turn_order: {trade_tokens: 1}}}", [2], False),
        ("wonders: {petra: {cost: 5}}", [2], False),
    ],
)
def test_a_rule_that_cannot_matter_at_the_table_is_named(tmp_path, rule, counts, idle):
    file = tmp_path / "house.yaml"
    file.write_text(rule)
    found = vain_at(load_ruleset([file]), counts)
    words = " or ".join(map(str, counts))
    assert found == (
        [f"components.start_bonus.fourth_in_turn_order.trade_tokens: matters at other tables; with {words} players it changes "
         "nothing"] if idle else []
    )  # fmt: skip


def test_the_command_that_asks_for_the_table_says_it(tmp_path):
    file = tmp_path / "house.yaml"
    file.write_text("components: {start_bonus: {fourth_in_turn_order: {trade_tokens: 1}}}")
    words = ["run", "--games", 2, "--strategies", "random", "--round-cap", 2, "--quiet", "--jobs", 1, "--rules", file]
    said = call(*words, "--players", 3, "--out", tmp_path / "three")
    assert said.exit_code == 0
    assert (
        "note: components.start_bonus.fourth_in_turn_order.trade_tokens: matters at other tables; with 3 players" in said.output
    )
    assert "matters at other tables" not in call(*words, "--players", 4, "--out", tmp_path / "four").output


def test_a_file_that_names_a_function_is_said_to_be_a_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(user_modules.TOLD, raising=False)
    (tmp_path / "blessings_of_mine.py").write_text(PROGRAM)
    ability = "{effect: own_function, function: 'blessings_of_mine:tribute', moment: end_of_round, amount: 1}"
    (tmp_path / "house.yaml").write_text(f"everyone: {{abilities: [{ability}]}}")
    ruleset = load_ruleset(["house.yaml"])
    assert own_functions(ruleset.data) == ["blessings_of_mine:tribute"]
    (note,) = [note for note in ruleset.notes if "a program" in note]
    assert note.startswith("these rules name blessings_of_mine:tribute: a program, which may do on this machine what you may")


def test_a_profile_of_somebodys_with_a_function_is_said_to_be_one_once(tmp_path, monkeypatch, capsys):
    from newdawn.strategies import registry

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(user_modules.TOLD, raising=False)
    (tmp_path / "bot_of_mine.py").write_text("def choose(question):\n    return 0\n")
    (tmp_path / "mine.yaml").write_text("like: planner\nfunction: bot_of_mine:choose\n")
    for _ in range(2):
        registry.find("mine.yaml")
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("note: mine.yaml names bot_of_mine:choose: a program, which may do on this machine what you may")
    registry.find("planner")
    assert capsys.readouterr().err == ""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    ruleset = load_ruleset()
    out = tmp_path_factory.mktemp("run") / "run"
    plan = plan_by(ruleset.compile(), players=2, games=2, seed=1, strategies=["random"], round_cap=2)
    run_games(plan, ruleset, out, 1)
    return out


def crafted(run, out, change):
    """Copy a manifest with a change, and digests that fit."""
    found = json.loads((run / manifest.FILE).read_text("utf-8"))
    change(found)
    found["ruleset"]["digest"] = digest_of(found["ruleset"]["data"])
    out.mkdir()
    manifest.write(out, {key: value for key, value in found.items() if key != manifest.DIGEST})
    return out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found["ruleset"]["data"]["wonders"]["petra"].update(cost=-3), "wonders.petra.cost"),
        (lambda found: found["ruleset"]["data"]["leaders"]["rome"].update(more=1), "leaders.rome.more"),
        (lambda found: found["ruleset"]["data"]["components"]["limits"].clear(), "components.limits"),
        (lambda found: found["plan"].update(strategies=["random"] * 3), "3 named for 2 players"),
        (lambda found: found["plan"].update(strategies=[]), "strategies: none named"),
        (lambda found: found["plan"].update(leaders=["Rome", "Rome"]), "named twice"),
        (lambda found: found["segments"][0].update(shard_games=0), "a shard of at least 1 game"),
        (lambda found: found["segments"][0].update(first=-1), "expected whole numbers from 0"),
    ],
)
def test_a_manifest_with_a_fitting_digest_is_checked_like_house_rules(run, tmp_path, change, said):
    out = crafted(run, tmp_path / "crafted", change)
    with pytest.raises(UserError) as raised:
        manifest.playable(out)
    assert said in str(raised.value)
    assert str(out) in str(raised.value)
    assert manifest.playable(run).plan.games == 2
