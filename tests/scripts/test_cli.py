"""The command line: results, messages and exit codes."""

import csv
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import SECTIONS, main
from newdawn.strategies.registry import DEFAULT

ROOT = Path(__file__).resolve().parents[2]
RUN = ("run", "--players", 2, "--games", 60, "--strategies", "random", "--round-cap", 60)
HEAVY = ("numba", "numpy", "pandas", "pyarrow", "yaml")


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("cli") / "run"
    result = call(*RUN, "--jobs", 1, "--out", out)
    assert result.exit_code == 0, result.output
    return out


def test_help_lists_the_commands():
    result = call("--help")
    assert result.exit_code == 0
    assert all(f"\n  {name} " in result.output for section in SECTIONS.values() for name in section)


@pytest.mark.parametrize("option", ["--jobs", "--box", "--rules", "--map", "--strategy-pool"])
def test_an_option_that_commands_share_is_declared_once(option):
    there = [path.name for path in (ROOT / "scripts" / "cli").rglob("*.py") if f'"{option}",' in path.read_text("utf-8")]
    assert set(there) - {"bench.py", "web.py"} == {"shared.py"}  # what is measured is no run, and a page has several boxes


def commands(command=main, words=()):
    """Yield every command, groups too, with the words that call it."""
    yield " ".join(("newdawn", *words)), command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from commands(command.get_command(click.Context(command), name), (*words, name))


def test_help_begins_with_a_short_sentence_and_an_example():
    wrong = []
    for words, command in commands():
        sentence, example, *_ = inspect.cleandoc(command.help).split("\n\n")
        short = sentence.count(". ") == 0 and len(sentence.split()) <= 25 and sentence[-1] in ".]"
        if not (short and example.startswith("\b\nnewdawn ") and words in example):
            wrong.append((words, sentence, example))
    assert wrong == []


def listed(text):
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE)


@pytest.mark.parametrize("words", [words.split()[1:] for words, command in commands() if not isinstance(command, click.Group)])
def test_first_page_of_help_has_fifteen_options_at_most_and_help_all_the_others(words):
    first, whole = (listed(call(*words, page).output) for page in ("--help", "--help-all"))
    command = dict(commands())[" ".join(("newdawn", *words))]
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert all(set(option.opts) & set(whole) for option in options)
    assert len(set(first) - {"--help", "--help-all"}) <= 15
    assert ("--help-all" in first) == (set(first) != set(whole))
    assert "[default: (" not in call(*words, "--help-all").output


def test_help_all_is_a_name_like_any_after_two_dashes():
    assert call("report", "--", "--help-all").output.startswith("error: --help-all: not a run folder")


def test_help_does_not_load_the_engine():
    code = f"import sys, newdawn.scripts.cli.main; print([m for m in {HEAVY} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_run_prints_summaries_and_where_the_tables_are(folder):
    result = call(*RUN, "--out", folder)
    assert result.exit_code == 0
    assert "continuing: 60 of 60 games already played" in result.output
    assert all(title in result.output for title in ("Leaders", "World wonders", "Victory cards", "unfinished"))
    assert f"tables: {folder}" in result.output


@pytest.mark.parametrize("command", ["leaders", "wonders", "victory"])
def test_formats_hold_the_same_rows(folder, command):
    rows = json.loads(call(command, folder, "--format", "json").stdout)
    lines = list(csv.DictReader(call(command, folder, "--format", "csv").output.splitlines()))
    markdown = call(command, folder, "--format", "markdown").output.splitlines()
    assert len(rows) == len(lines) == len(markdown) - 2
    assert list(rows[0]) == list(lines[0])
    table = call(command, folder).output
    assert all(str(row.get("leader") or row.get("wonder") or row.get("agenda")) in table for row in rows)


def test_leaders_by_seat(folder):
    rows = json.loads(call("leaders", folder, "--by", "seat", "--format", "json").stdout)
    assert {row["seat"] for row in rows} == {0, 1}
    assert sum(row["n"] for row in rows) == 120


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--leaders", "Romans,Egypt"], "unknown leader 'Romans'"),
        (["run", "--players", "6"], "players: 6 is not valid"),
        (["run", "--players", "2", "--leaders", "Rome"], "leaders: 1 named for 2 players"),
        (["run", "--players", "2", "--leaders", "Rome,Rome"], "named twice"),
        (["run", "--strategies", "oportunist"], "did you mean 'opportunist'"),
        (["run", "--rules", "/no/such.yaml"], "/no/such.yaml"),
        (["run", "--map", "/no/such.yaml"], "/no/such.yaml"),
        (["run", "--games", "many"], "--games': 'many': expected a whole number such as 1000; see"),
        (["run", "--games", "1e3"], "--games': '1e3': expected a whole number such as 1000; see"),
        (["new", ""], "'': expected the name of a file or folder"),
        (["rules", "new", "x", "Atlantis"], "unknown kind of content 'x': expected one of .*, tile, goals"),
        (["run", "--leaders", "Rome,,Egypt"], "expected names separated by commas"),
        (["leaders", "/no/such/run"], "not a run folder"),
        (["rules", "check", "/no/such.yaml"], "/no/such.yaml"),
        (["bench", "--players", "9"], "players: '9' is not valid"),
        (["leader", "x"], "unknown command 'leader'.*did you mean 'leaders'"),
    ],
)
def test_bad_input_ends_with_code_2_and_one_line(tmp_path, arguments, message):
    out = ["--out", str(tmp_path / "out")] if arguments[0] == "run" else []
    result = call(*arguments, *out)
    assert result.exit_code == 2, result.output
    last = result.output.strip().splitlines()[-1]
    assert last.lower().startswith("error: ")
    assert re.search(message, last)
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--jobs", "0"], r"error: .*'--jobs': 0 is not in the range x>=1; see .* run --help"),
        (["run", "--player", "3"], r"error: No such option '--player'.*--players.*; see .* run --help"),
        (["extend", "run"], r"error: Missing option '--games'.*; see .* extend --help"),
        (["extend", "run", "--games", "9" * 40], r"error: run: not a run folder: expected a file manifest\.json in it.*"),
        (["strategies", "shw"], r"error: No such command 'shw'.*; see .* strategies --help"),
        (["--foo"], r"error: No such option.*--foo.*; see .* --help"),
    ],
)
def test_wrong_words_of_a_command_are_one_line_too(arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert re.fullmatch(message, result.output.strip()), result.output


def test_a_group_alone_shows_its_help():
    assert "Commands:" in call("rules").output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_cannot_be_written_is_one_line_and_code_2():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "newdawn.scripts.cli.start", "strategies"]
        result = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 2, result.stderr
    assert re.fullmatch(r"error: the output cannot be written: .+\n", result.stderr)


def test_a_report_into_a_file_or_of_wrong_effects_is_refused_before_the_work(folder, tmp_path):
    file = tmp_path / "effects.csv"
    file.write_text("wonder\n")
    for option, message in (("--out", "is a file; expected a folder"), ("--effects", "no column 'effect'")):
        result = call("report", folder, option, file)
        assert result.exit_code == 2
        assert re.fullmatch(rf"error: {file}: {message}.*\n", result.output), result.output


@pytest.mark.parametrize("table", ["wonders", "agendas"])
@pytest.mark.soak
def test_a_report_of_a_damaged_run_says_first_what_is_left_out_and_ends_with_code_1(folder, tmp_path, table):
    run = tmp_path / "run"
    shutil.copytree(folder, run)
    short = run / table / "part-000000.parquet"
    short.write_bytes(short.read_bytes()[:-100])
    result = call("report", run, "--boards", 0, "--quiet", "--out", tmp_path / "report")
    assert result.exit_code == 1, result.output
    damaged = rf"Left out: [A-Z].*\. {re.escape(str(short))}: has changed since it was written"
    assert re.search(rf"^damaged: {damaged}", result.output, re.MULTILINE)
    first = (
        (tmp_path / "report" / "report.md").read_text("utf-8").partition("## At first sight")[2].partition("\n## Leaders")[0]
    )
    assert re.search(rf"^- {damaged}", first, re.MULTILINE)
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    screen = page.partition('<section id="first"')[2].partition("</section>")[0]
    assert f"{short}: has changed since it was written" in screen
    again = call("report", run, "--boards", 0, "--quiet", "--no-page", "--out", tmp_path / "report", "--json")
    assert len(json.loads(again.output.partition("\ndamaged")[0])["damage"]) == 1


def test_a_report_of_a_whole_run_says_nothing_of_damage(folder, tmp_path):
    result = call("report", folder, "--boards", 0, "--quiet", "--out", tmp_path / "report")
    assert result.exit_code == 0, result.output
    assert "Left out: " not in (tmp_path / "report" / "report.md").read_text("utf-8").partition("\n## Leaders")[0]


def test_a_report_to_a_place_that_cannot_be_written_is_refused_before_the_work(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("newdawn.analysis.report.build", None)  # it would be the work
    (tmp_path / "file").write_text("")
    nowhere = [Path("/proc/report")] if Path("/proc").is_dir() else []
    for out in (tmp_path / "file" / "report", *nowhere):
        result = call("report", folder, "--out", out)
        assert result.exit_code == 2
        assert re.fullmatch(rf"error: {out}: the report cannot be written there: .*\(--out\)\n", result.output), result.output


def test_a_misspelt_run_folder_is_named_with_the_nearest(folder):
    result = call("leaders", folder.parent / "rn")
    assert result.exit_code == 2
    assert f"did you mean '{folder}'" in result.output
    assert "did you mean" not in call("leaders", folder.parent).output  # it is there, and no run


def test_unwritable_folder_is_refused_before_playing(tmp_path):
    (tmp_path / "file").write_text("")
    result = call("run", "--games", 10**9, "--strategies", "random", "--out", tmp_path / "file" / "out")
    assert result.exit_code == 2
    assert "cannot be written to" in result.output


def test_strategies_are_listed():
    result = call("strategies")
    assert re.search(rf"^{DEFAULT} .*\(default\)", result.output, re.MULTILINE)
    assert "opportunist " in result.output
    assert "random " in result.output


def test_rules_check_and_diff(tmp_path):
    rules = tmp_path / "cheap.yaml"
    rules.write_text("name: cheap\nwonders: {petra: {cost: 5}}\n")
    assert call("rules", "check", rules).output.startswith(f"{rules}: fine")
    assert re.fullmatch(r"wonders\.petra\.cost: \d+ -> 5\n", call("rules", "diff", rules).output)
    rules.write_text("nonsense: 1\n")
    result = call("rules", "check", rules)
    assert result.exit_code == 2
    assert "nonsense" in result.output


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(("jobs", "asks"), [(1, signal.SIGTERM), (2, signal.SIGINT)])
def test_ctrl_c_and_kill_leave_finished_games_readable(tmp_path, jobs, asks):
    out = tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        "newdawn.scripts.cli.start",
        "run",
        "--games",
        "1000000",
        "--players",
        "2",
        "--strategies",
        "random",
    ]
    command += ["--round-cap", "3", "--jobs", str(jobs), "--out", str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 300
        while not list(out.glob("games/part-*.parquet")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(asks)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    done = len(pd.read_parquet(out / "games"))
    assert 0 < done < 1_000_000
    assert f"stopped: {done:,} of 1,000,000 games" in errors
    assert call("leaders", out).exit_code == 0


@pytest.mark.parametrize("command", ["ladder", "restrict", "coalition", "ways", "strategies train", "strategies tune quick"])
def test_a_wrong_number_of_players_is_one_line_before_anything_is_played(command, tmp_path):
    out = ["--out", tmp_path / "out.yaml"] if command.startswith("strategies") else []
    result = call(*command.split(), "--players", 9, *out)
    assert (result.exit_code, result.output) == (2, "error: players: 9 is not valid; expected a whole number from 2 to 4\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "- a list\n"])
def test_a_file_of_house_rules_without_any_says_what_to_write(tmp_path, text):
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    result = call("rules", "check", str(file))
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "expected a mapping of what to change, such as `wonders: {petra: {cost: 5}}`; `newdawn rules list`" in result.output
