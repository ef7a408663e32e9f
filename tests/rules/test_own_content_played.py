"""`rules check --play` says what new and changed things did: won, built, claimed."""

import json
import re

from click.testing import CliRunner

from newdawn.analysis.questions.own import deeds
from newdawn.scripts.cli.main import main
from newdawn.simulator.rules import load_ruleset


def test_each_new_thing_is_told_with_its_number():
    files = ["crystal_palace", "seafarer", "three_leaders"]
    result = CliRunner().invoke(main, ["rules", "check", *files, "--play", "25"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    for leader in ("atlantis", "carthago", "phoenicia"):
        said = next(line for line in lines if line.startswith(f"leaders.{leader}: "))
        assert re.search(r"won \d+\.\d% \[\d+\.\d%, \d+\.\d%\] of \d+ games? \(fair share: 33\.3%\)$", said), said
    assert any(re.match(r"wonders\.crystal_palace: built in .+%\] of the \d+ games? with it", line) for line in lines)
    assert any(
        re.match(r"victory_cards\.base\.seafarer_hermit\.agendas\.seafarer: claimed \d+ times? in", line) for line in lines
    )
    did = json.loads(CliRunner().invoke(main, ["rules", "check", *files, "--play", "25", "--json"]).stdout)["did"]
    assert {deed["what"] for deed in did} == {"leader", "wonder", "agenda"}
    assert all(0 <= deed["wins"] <= max(deed["n"], deed["times"]) for deed in did)


def test_what_is_changed_is_told_and_what_is_not_is_left_out(tmp_path):
    house = tmp_path / "house.yaml"
    house.write_text("wonders: {petra: {cost: 1}}\n", "utf-8")
    assert [deed.path for deed in deeds(load_ruleset([house]), 25)] == ["wonders.petra"]
    assert deeds(load_ruleset(), 25) == []


def test_kinds_of_new_content_are_listed_for_an_unknown_one_whether_it_has_a_name_or_not():
    for name in ([], ["Foo"]):
        result = CliRunner().invoke(main, ["rules", "new", "X", *name])
        assert result.exit_code == 2
        assert "goals" in result.output
