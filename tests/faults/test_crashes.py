"""Commands killed before a file operation and given again: the same bytes, and nothing left behind."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="commands are killed and forked as only Unix does")
if not os.path.isdir("/proc/self/fd"):
    pytest.skip("the path of an open file is asked of Linux", allow_module_level=True)

from newdawn.scripts.checks import crashes, faults


def killed(*options):
    command = [sys.executable, "-m", "newdawn.scripts.checks.crashes", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_commands_killed_before_some_of_their_file_operations_can_be_given_again():
    few = [word for name in ("run", "plays import", "new") for word in ("--only", name)]
    assert killed("--draw", "5", *few).stdout.split() == ["5", "sound"]


@pytest.mark.soak
@pytest.mark.parametrize("name", crashes.TRIED)
def test_every_command_killed_before_some_of_its_file_operations_can_be_given_again(name):
    killed("--only", name, "--most", "6")


def test_every_command_that_writes_is_killed():
    words = {tuple(command.words[:2]) for command in crashes.TRIED.values()} | {
        command.words[0] for command in crashes.TRIED.values()
    }
    for name, (given, _) in faults.COMMANDS.items():
        assert given[0] in words or tuple(given[:2]) in words, name
    assert {"adapt", "play", "resume"} <= words
    assert ("web", "build") in words
