"""Commands that the lab prints run to their end: a draw, a larger one with `-m soak`.

All of them: `python -m newdawn.scripts.checks.printed_commands`.
"""

import zlib

import pytest

from newdawn.scripts.checks.printed_commands import (
    UNTRIED,
    Table,
    followed,
    of_answers,
    of_help,
    of_reports,
    of_texts,
    prepared,
    problem,
    shape,
    small,
    tried,
)

PRINTED = tried(iter([*of_help(), *of_texts()]))
QUICK = ("experiment", "sensitivity", "tune", "rules", "leaders", "wonders", "victory", "matchups", "strengths")


def drawn(commands, n):
    """Return n of the commands, the same ones each time."""
    return sorted(commands, key=lambda command: zlib.crc32(command.encode()))[:n]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return prepared(tmp_path_factory.mktemp("runs"))


def test_commands_are_found_where_they_are_printed():
    assert len(PRINTED) > 80
    assert "newdawn balance --leader Scythia --to 25%" in PRINTED
    words = [command.split() for command in (*of_help(), *of_texts())]
    assert set(UNTRIED) <= {each[1] for each in words} | {" ".join(each[1:3]) for each in words}


def test_only_the_numbers_of_a_command_are_made_small():
    line = "newdawn experiment grant --wonder Petra --games 4000"
    assert small(line) == ["experiment", "grant", "--wonder", "Petra", "--games", "24", "--quiet"]
    assert small("newdawn ways --strategies planner,warrior --games 4000,4000")[-3:] == ["--games", "24,24", "--quiet"]
    assert small("newdawn rules show B8.4") == ["rules", "show", "B8.4"]


@pytest.mark.parametrize("command", drawn([one for one in PRINTED if one.split()[1] in QUICK], 5))
def test_a_printed_command_runs_to_its_end(command, runs, tmp_path):
    assert problem(command, runs, tmp_path / "here") == ""


def test_what_an_answer_proposes_is_run_too_once_for_all_folders(tmp_path):
    (tmp_path / "report.html").write_text(
        "says <code>newdawn leaders</code><pre class=\"copied\">newdawn ways <span>--games 2000</span> --out 'a/b'</pre>",
        "utf-8",
    )
    found = of_answers("note: as you like\nNext: newdawn plays compare x --with y\nnewdawn leaders x\n", tmp_path)
    assert found == ["newdawn plays compare x --with y", "newdawn leaders x", "newdawn ways --games 2000 --out 'a/b'"]
    assert shape("newdawn ways --players 3 --games 2700 --out a/b") == shape("newdawn ways --players 3 --games 4700 --out c/d")
    assert shape("newdawn ways --players 3") != shape("newdawn ways --players 2")


@pytest.mark.soak
@pytest.mark.parametrize("command", drawn(PRINTED, 24))
def test_a_printed_command_and_what_its_answer_proposes_run_to_their_end(command, runs, tmp_path):
    assert followed(command, runs, tmp_path / "here", {}, tmp_path / "ended.jsonl") == []


@pytest.mark.soak
@pytest.mark.parametrize(
    "table", [Table("base", 2, ("Scythia", "Rome")), Table("base", 4, own=True)], ids=lambda each: each.name
)
def test_the_next_steps_of_a_report_run_to_their_end(table, runs, tmp_path):
    commands = tried(of_reports(tmp_path, [table]))
    assert len(commands) > 1
    assert [wrong for command in commands if (wrong := problem(command, runs, tmp_path / "here"))] == []
