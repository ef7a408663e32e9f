"""An answer on a terminal is one screen: what is said, the first rows of its tables, what to do next; `--all` shows all.

Start with `begin`, which the option --all (`shared.all_option`) calls. Into a file or a pipe goes everything.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any, TextIO, cast

import click

LINES = 25  # of a screen
AFTERWARDS = 5  # kept free after a table: what to do next, and that there is more
FOR_ROWS = 5  # kept free for a table
MORE = "(More: the same command with --all.)"
SCREEN = "newdawn.screen"


def width() -> int | None:
    """Return the width of a line: COLUMNS if set, else that of the terminal; None if the output is not a terminal."""
    if not os.environ.get("COLUMNS", "").isdecimal() and not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


class OneScreen:
    """Standard output with room for a screen of lines; what comes after them is not printed, and the last line says so.

    Lines too long for the terminal are broken, so that they are counted as they are seen.
    """

    def __init__(self, stream: TextIO, context: click.Context) -> None:
        self.stream, self.context = stream, context
        self.left, self.promised, self.tables = LINES - 1, 0, 0  # `promised` to tables that are not yet printed
        self.begun = ""  # a line without its end
        self.cut = False  # whether something was left out without a word

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    @property
    def short(self) -> bool:
        """Whether what is printed is for people, not for a program."""
        return self.context.params.get("how", "table") == "table" and not self.context.params.get("as_json")

    @property
    def room(self) -> int:
        """The lines that are still free."""
        return max(0, self.left - self.promised)

    def write(self, text: str) -> int:
        """Print the lines that there is room for."""
        if not isinstance(text, str):  # click asks so whether the stream takes bytes
            raise TypeError("expected a text")
        if not self.short:
            return self.stream.write(text)
        *lines, self.begun = f"{self.begun}{text}".split("\n")
        for line in lines:
            self._line(line)
        return len(text)

    def _line(self, line: str) -> None:
        from ...analysis.tables.rendering import prose

        wide = width()
        parts = (prose(line, wide) if wide is not None and len(line) > wide else line).split("\n")
        if len(parts) > self.left:  # a sentence is not broken off; a shorter line after it may find room
            self.cut |= bool(line.strip())
            return
        for part in parts:
            self.stream.write(f"{part}\n")
            self.left, self.promised = self.left - 1, max(0, self.promised - 1)

    def prose(self, text: str) -> str:
        """Return the first of these sentences that fit here; before a table they leave it room."""
        lines = text.split("\n")
        room = self.room if self.tables else self.room - AFTERWARDS - FOR_ROWS
        if len(lines) <= room:
            return text
        self.cut = True
        kept = [line for line in lines if line.strip()][: max(room, 1)]
        while len(kept) > 1 and not kept[-1].rstrip().endswith((".", ":", "`", ";", ")")):
            kept.pop()
        return "\n".join(kept)

    def table(self, render: Callable[[int], str]) -> str:
        """Return as much of a table as fits (`render` of a number of lines), and keep its room."""
        text = render(max(1, self.room - AFTERWARDS))
        self.promised += text.count("\n") + 1
        self.tables += 1
        return text

    def close(self) -> None:
        """Print a line that was not ended, and say that there is more if something was left out."""
        if self.begun:
            self._line(self.begun)
        if self.cut and self.short:
            self.stream.write(f"{MORE}\n")


def begin(context: click.Context, _: click.Parameter, everything: bool) -> None:
    """Put a screen before standard output, on a terminal."""
    if everything or width() is None or context.resilient_parsing:
        return
    screen = OneScreen(sys.stdout, context)
    context.call_on_close(screen.close)
    context.with_resource(redirect_stdout(cast(TextIO, screen)))
    context.meta[SCREEN] = screen


def screen_of(context: click.Context | None) -> OneScreen | None:
    """Return the screen that a command prints on; None where everything is shown."""
    found: OneScreen | None = None if context is None else context.meta.get(SCREEN)
    return found if found is not None and found.short else None


def on_one_screen() -> bool:
    """Return whether the command that runs prints one screen: the answer comes first there."""
    return screen_of(click.get_current_context(silent=True)) is not None
