"""Commands killed before a file operation, on a full disk or stopped, given again: the same bytes, nothing left behind."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="commands are killed and forked as only Unix does")
if not os.path.isdir("/proc/self/fd"):
    pytest.skip("the path of an open file is asked of Linux", allow_module_level=True)

from newdawn.scripts.checks import crashes, faults

WAYS = (crashes.KILLED, crashes.FULL, crashes.STOPPED)


def disturbed(*options, module="crashes"):
    command = [sys.executable, "-m", f"newdawn.scripts.checks.{module}", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.split()


def test_commands_disturbed_at_some_of_their_file_operations_can_be_given_again():
    few = [word for name in ("run", "plays import", "new") for word in ("--only", name)]
    ways = [word for way in WAYS for word in ("--disturbed", way)]
    assert disturbed("--draw", "3", *few, *ways) == ["3", "full:", "sound", "3", "killed:", "sound", "3", "stopped:", "sound"]


def test_commands_with_short_files_or_in_a_folder_that_can_only_be_read_can_be_given_again():
    few = [word for name in ("run", "plays import") for word in ("--only", name)]
    options = ["--kills", "0", "--twice", "0", "--flips", "0", "--short", "--closed"]
    assert disturbed(*options, *few, module="faults") == ["2", "closed:", "sound", "2", "short:", "sound"]


WHOLE = "NEWDAWN_WHOLE_SOAK" in os.environ  # every command in every way; otherwise each in one of them, in turn
IN_TURN = [(name, way) for k, name in enumerate(crashes.TRIED) for way in (WAYS if WHOLE else [WAYS[k % len(WAYS)]])]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "way"), IN_TURN)
def test_every_command_disturbed_at_some_of_its_file_operations_can_be_given_again(name, way):
    disturbed("--only", name, "--disturbed", way, "--most", "6" if way == crashes.KILLED else "2")


@pytest.mark.soak
@pytest.mark.parametrize("name", faults.COMMANDS)
def test_every_command_with_short_files_or_in_a_folder_that_can_only_be_read_can_be_given_again(name):
    disturbed("--kills", "0", "--twice", "0", "--flips", "0", "--short", "--closed", "--only", name, module="faults")


def test_every_command_that_writes_is_killed():
    words = {tuple(command.words[:2]) for command in crashes.TRIED.values()} | {
        command.words[0] for command in crashes.TRIED.values()
    }
    for name, (given, _) in faults.COMMANDS.items():
        assert given[0] in words or tuple(given[:2]) in words, name
    assert {"adapt", "play", "resume"} <= words
    assert ("web", "build") in words
