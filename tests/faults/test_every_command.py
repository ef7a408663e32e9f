"""Every command that writes is disturbed by `scripts/checks/faults.py`, or it is said why not."""

import click
import pytest

pytest.importorskip("resource", reason="commands are killed and forked as only Unix does")

from newdawn.scripts.checks import faults
from newdawn.scripts.cli.main import main

WRITTEN = {"out", "html", "board", "every_round", "log_file", "save"}  # options and arguments that name what is written
PLACES = {"extend", "resume", "new", "plays new", "web build"}  # which write what their argument names


def leaves(command, path=()):
    """Yield every command that does something, by its words."""
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from leaves(command.get_command(context, name), (*path, name))


def test_every_command_that_writes_is_disturbed():
    known = dict(leaves(main))
    writes = {name for name, command in known.items() if WRITTEN & {parameter.name for parameter in command.params}} | PLACES
    assert writes <= set(known)
    tried = {name for name in writes for words, _ in faults.COMMANDS.values() if words[: len(name.split())] == name.split()}
    tried |= {name for name in writes if name.startswith("experiment ")}  # one way for all of them
    assert writes - tried - set(faults.UNTRIED) == set()
    assert not set(faults.UNTRIED) & tried
    assert {words[0] for words, _ in faults.COMMANDS.values()} <= {name.split()[0] for name in writes}


def test_what_is_asked_of_folders_is_asked_of_known_ones():
    assert set(faults.READERS) <= set(faults.COMMANDS)
    assert set(faults.COMMANDS) >= faults.ONCE
