"""Commands that the lab prints run to their end: a draw; all of them: `python -m newdawn.scripts.checks.printed_commands`."""

import zlib

import pytest

from newdawn.scripts.checks.printed_commands import (
    UNTRIED,
    of_help,
    of_texts,
    prepared,
    problem,
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
