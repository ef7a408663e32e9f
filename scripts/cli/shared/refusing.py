"""What the command line says to wrong input: a line for people and, where JSON was asked for, an object for programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from ....simulator.errors import facts, nearest

ASKED = "newdawn.asked"  # the words of the command, in click's context
WRONG = 2  # exit code


def remember(ctx: click.Context, words: Sequence[str]) -> None:
    """Keep the words of the command: whether JSON is wanted counts even if they cannot be understood."""
    ctx.meta[ASKED] = list(words)


def refuse(ctx: click.Context, message: str, file: str = "", field: str = "") -> NoReturn:
    """Say what is wrong and end with exit code 2: a line on standard error; with --json also an object on standard output."""
    click.echo(f"error: {message}", err=True)
    words = ctx.meta.get(ASKED, [])
    if wants_json(words):
        from .screen import tell_json

        begins = _place(message, words)
        tell_json(facts(message, file or begins.get("file", ""), field or begins.get("field", "")))
    ctx.exit(WRONG)


def _place(message: str, words: Sequence[str]) -> dict[str, str]:
    """Return the file or option that a message begins with, as in `results/first: not a run folder`."""
    head = message.partition(": ")[0]
    if head.startswith("--"):
        return {"field": head.partition(" ")[0]}
    return {"file": head} if head in words or Path(head).exists() else {}


def wants_json(words: Sequence[str]) -> bool:
    """Say whether the words of a command ask for JSON."""
    words = list(words[: words.index("--")] if "--" in words else words)
    pairs = zip(["", *words], words, strict=False)
    return any(word in ("--json", "--format=json") or (before, word) == ("--format", "json") for before, word in pairs)


def usage(error: click.UsageError) -> dict[str, str]:
    """Return what is wrong with the words of a command, and with which; an error that only asks for help is raised again."""
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())):
        raise error
    path = error.ctx.command_path if error.ctx else "newdawn"
    return {"message": f"{_said(error)}; see {path} --help", "field": _field(error)}


def _said(error: click.UsageError) -> str:
    """Return what click says, in the words of our own errors where there are names to choose from."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        return f"No such option '{error.option_name}'{nearest(error.option_name, error.possibilities)}"
    group = error.ctx.command if error.ctx else None
    if isinstance(group, click.Group) and error.ctx and (given := re.match(r"No such command '(.*?)'", error.message)):
        return f"No such command '{given[1]}'{nearest(given[1], group.list_commands(error.ctx))}"
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    if isinstance(kind, click.Choice) and (given := re.search(r"'(.*)' is not one of", error.message)):
        close = nearest(given[1], kind.choices)
        return f"Invalid value for '{_field(error)}': '{given[1]}': expected one of {', '.join(kind.choices)}{close}"
    if given := re.search(r"'(.*)' is not a valid (integer|float)", error.message):
        number = "a whole number such as 1000" if given[2] == "integer" else "a number such as 0.5"
        return f"Invalid value for '{_field(error)}': '{given[1]}': expected {number}"
    return error.format_message().removesuffix(".")


def _field(error: click.UsageError) -> str:
    param: Any = getattr(error, "param", None)
    return str(param.opts[-1] if param is not None else getattr(error, "option_name", ""))
