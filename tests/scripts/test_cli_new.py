"""`newdawn new`: what it writes works when it is followed literally, and nothing is overwritten."""

from __future__ import annotations

import re
import shlex

import jsonschema
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.scripts.cli.rules import GOALS_FILE, NOTEBOOK, README, RULE
from newdawn.simulator.reading import yaml_of
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import not_aimed_at
from newdawn.simulator.rules.schema import COMMENT, FILE, schema


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new") / "my game"
    assert call("new", folder).exit_code == 0
    return folder


def test_all_files_are_there_and_the_readme_has_six_lines(folder):
    assert {path.name for path in folder.iterdir()} == {RULE, NOTEBOOK, README, GOALS_FILE, FILE}
    steps = (folder / README).read_text("utf-8").splitlines()[2:]
    assert [step[:3] for step in steps] == ["1. ", "2. ", "3. ", "4. ", "5. ", "6. "]


@pytest.mark.soak
def test_the_readme_can_be_followed_to_its_end(folder, monkeypatch):
    """With 40 games instead of 2,000, and goals that one number serves; the notebook's cells are run instead of opened."""
    monkeypatch.chdir(folder)
    goals = (folder / GOALS_FILE).read_text("utf-8")
    one = re.sub(
        r"numbers: .*?# leave",
        "numbers: [{path: leaders.scythia.abilities.combat.amount, by: 1}]\n  # leave",
        goals,
        flags=re.S,
    )
    one = one.replace("others: [quick]", "others: []")
    (folder / GOALS_FILE).write_text(f"{one}budget: {{games: 1200}}\n", "utf-8")
    commands = re.findall(r"`newdawn ([^`]+)`", (folder / README).read_text("utf-8"))
    assert len(commands) == 7
    for command in commands:
        words = shlex.split(command.replace("--games 2000", "--games 40"))
        result = call(*words)
        assert result.exit_code == 0, (command, result.output)
    assert (folder / "answer" / "report" / "report.html").is_file()
    assert (folder / "games" / "report" / "report.html").is_file()
    client = pytest.importorskip("nbclient", reason="pip install -e '.[notebooks]'")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(folder / NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    client.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    printed = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "40 games; median" in printed


def test_every_line_of_the_house_rule_is_understood(folder, tmp_path):
    text = (folder / RULE).read_text("utf-8").removeprefix(COMMENT)
    assert load_ruleset([folder / RULE]).data["wonders"]["petra"]["cost"] == 5
    lines = re.findall(r"^# ( *\w+: *(?:[{\d].*)?)", re.sub(r"^# box.*", "", text, flags=re.M), re.M)
    uncommented = "\n".join(lines)
    (tmp_path / "all.yaml").write_text(uncommented, "utf-8")
    ruleset = load_ruleset([tmp_path / "all.yaml"])
    assert ruleset.notes == (
        "leaders: 7 are available, 2 for each player: not enough for 4 players",
        *not_aimed_at(ruleset.data),
    )
    assert jsonschema.Draft7Validator(schema()).is_valid(yaml_of(uncommented, "all.yaml"))
    assert len(lines) == 14


def test_printed_values_in_the_comments_are_those_of_the_game(folder):
    data = load_ruleset().data
    text = (folder / RULE).read_text("utf-8")
    assert f"instead of {data['wonders']['petra']['cost']}" in text
    assert f"printed: {data['leaders']['scythia']['abilities']['combat']['amount']}\n" in text
    assert f"printed: {data['components']['combat']['tie']}\n" in text


@pytest.mark.parametrize("name", [RULE, NOTEBOOK, README, FILE])
def test_nothing_is_overwritten(tmp_path, name):
    (tmp_path / name).write_text("mine")
    result = call("new", tmp_path)
    assert result.exit_code == 2
    assert f"{name}: already exists and is not overwritten" in result.output
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "mine").write_text("mine")
    result = call("new", tmp_path / "mine")
    assert result.exit_code == 2
    assert "is a file; expected a folder" in result.output


def test_what_a_killed_command_has_left_is_completed_and_nothing_of_others_is_written_over(folder, tmp_path):
    half = tmp_path / folder.name
    half.mkdir()
    for name in (README, RULE):
        (half / name).write_bytes((folder / name).read_bytes())
    assert call("new", half).exit_code == 0
    assert {path.name: path.read_bytes() for path in half.iterdir()} == {p.name: p.read_bytes() for p in folder.iterdir()}
    whole = call("new", half)
    assert whole.exit_code == 2
    assert whole.output.startswith(f"error: {half / README}: already exists and is not overwritten")
    (half / NOTEBOOK).unlink()
    (half / RULE).write_text("name: mine\n")
    other = call("new", half)
    assert other.output.startswith(f"error: {half / RULE}: already exists and is not overwritten")
    assert not (half / NOTEBOOK).exists()
