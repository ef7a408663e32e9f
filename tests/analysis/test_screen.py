"""What is printed fits the terminal, loses no figure, and is JSON where that is asked for."""

import io
import json
import re

import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import write_run

from newdawn.analysis import open_run
from newdawn.analysis.tables import rendering
from newdawn.scripts.cli.main import COMMANDS, main
from newdawn.scripts.cli.progress import Leading, ProgressLine
from newdawn.scripts.cli.run import show
from newdawn.simulator.errors import counted

SUMMARIES = [
    ("leaders",), ("leaders", "--by", "order"), ("leaders", "--by", "agendas"), ("leaders", "--by", "timing"), ("wonders",),
    ("wonders", "--by", "leader"), ("victory",), ("victory", "--by", "leader"), ("victory", "--by", "combination"),
    ("game", "--part", "reasons"),
    ("game", "--part", "length"), ("game", "--part", "lead"), ("matchups",), ("strengths",),
]  # fmt: skip


def call(*arguments, columns=None):
    return CliRunner(env={"COLUMNS": columns and str(columns)}).invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("screen") / "run")


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", SUMMARIES, ids=" ".join)
def test_tables_fit_the_terminal(folder, command, columns):
    result = call(*command, folder, columns=columns)
    assert result.exit_code == 0, result.output
    assert [line for line in result.output.splitlines() if len(line) > columns] == []


def test_wide_shows_every_column_and_a_narrow_table_names_those_it_leaves_out(folder):
    narrow, wide = call("wonders", folder, columns=80).output, call("wonders", folder, "--wide", columns=80).output
    heads = next(line for line in wide.splitlines() if line.startswith("wonder "))
    assert {"captures", "type", "fair share"} <= set(re.split(r" {2,}", heads))
    left_out = re.search(r"\((\d+) more columns with --wide: ([^)]*)\)", narrow)
    assert left_out is not None
    assert "--wide" not in wide
    assert "captures" in " ".join(left_out[2].split())
    assert len(left_out[2].split(",")) == int(left_out[1])


NAMES = st.sampled_from(["n", "win_rate", "small_sample", "p", "p_holm", "wins", "Scythia", "unfinished", "verdict", "cards"])


@settings(deadline=None)
@given(st.lists(NAMES, min_size=1, unique=True), st.integers(20, 100))
def test_no_figure_interval_n_or_mark_is_ever_left_out(names, width):
    """Whatever the columns: only those of the two lists go, the first one never, and each is either shown or named."""
    frame = pd.DataFrame({"leader": ["Egypt", "Rome"]} | {name: [0.25, 0.5] for name in names})
    frame = frame.assign(**{name: [True, False] for name in names if name == "small_sample"})
    if "win_rate" in names:
        frame = frame.assign(win_rate_low=[0.2, 0.4], win_rate_high=[0.3, 0.6])
    text = rendering.render(frame, "table", rendering.Screen(width))
    shown, _, note = text.partition("\n(")
    named = re.split(r": |, ", " ".join(note.split()).removesuffix(")"))
    headings = {cell for line in shown.split("\n") for cell in re.split(r" {2,}", line.strip())}
    for heading in (name.replace("_", " ") for name in names):
        assert (heading in headings) != (heading in named)
        assert heading in headings or heading in rendering.DETAIL or heading in rendering.GIVES_WAY
    assert "Egypt" in shown
    assert ("win_rate" in names) == ("25.0% [20.0%, 30.0%]" in shown)


@pytest.mark.parametrize("command", [("leaders",), ("game", "--part", "length"), ("matchups",)], ids=" ".join)
def test_json_is_short_for_format_json(folder, command):
    assert json.loads(call(*command, folder, "--json").stdout) == json.loads(call(*command, folder, "--format", "json").output)
    refused = call(*command, folder, "--json", "--format", "csv")
    assert refused.exit_code == 2
    assert refused.output.startswith("error: --json and --format csv: expected one of the two")


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (("rules", "diff", "cheaper_wonders"), None), (("rules", "check", "cheaper_wonders"), "digest"),
        (("rules", "show", "Petra"), None), (("rules", "where", "Petra"), None), (("rules", "list", "Petra"), None),
        (("strategies",), None),
        (("strategies", "--traits"), None), (("strategies", "show", "warrior"), "plays"), (("strategies", "weights"), "deny"),
        (("plan",), None),
    ],
)  # fmt: skip
def test_facts_are_printed_as_json_too(command, key):
    result = call(*command, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found
    assert key is None or key in found


OTHERS = {"new", "replay", "rules", "strategies", "experiment", "play", "plays", "explore", "web"}  # print no table themselves


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in OTHERS])
def test_every_command_that_prints_figures_knows_json(name):
    assert "--json" in call(name, "--help").output


def test_a_run_ends_with_a_screenful(folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    show(folder)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("Rome ") for line in lines)
    assert "Petra 100.0% [98.1%, 100.0%]" in " ".join(lines)


def test_one_game_is_no_games(tmp_path):
    assert (counted(1, "game"), counted(0, "game"), counted(1200, "city", "cities")) == ("1 game", "0 games", "1,200 cities")
    one = write_run(tmp_path / "one", games=1)
    for command in ("leaders", "victory", "wonders"):
        output = call(command, one).output
        assert output.startswith("1 game: ")
        assert not re.search(r"\b1 (games|rounds|pairs|turns)\b", output)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_shows_who_is_ahead_in_one_line(folder, monkeypatch):
    """In the synthetic run Rome wins 13 of 20 games, shared ones in parts, and Egypt 5."""
    leading = Leading(folder)
    assert leading.line() == "Rome 65%, Egypt 25%"
    assert leading.line() == "Rome 65%, Egypt 25%"  # counted once
    assert Leading(folder / "not there").line() == ""
    monkeypatch.setenv("COLUMNS", "60")
    stream = Terminal()
    progress = ProgressLine(stream, leading.line)
    progress.begin(1000, 0)
    progress.last = -1.0
    progress.add(400)
    line = stream.getvalue().split("\r")[-1]
    assert "; Rome 65%" in line
    assert len(line) < 60


def test_a_run_says_what_it_holds(folder):
    run = open_run(folder)
    assert repr(run).startswith(f"<Run {folder}: 200 games, 2 players, ")
    assert "&lt;Run " in run._repr_html_()
