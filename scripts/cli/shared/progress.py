"""The progress line of a run: games done, games a second, time left."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TextIO

import click

from ....simulator.wording import counted

TTY_SECONDS = 0.2  # between two refreshes on a terminal
LINE_SECONDS = 10.0  # between two lines in a log file


def clock(seconds: float) -> str:
    """Return a duration such as '45 s', '3 min 20 s' or '2 h 05 min'."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


class ProgressLine:
    """An observer of a run that writes to stderr: one line renewed on a terminal, sparse lines elsewhere."""

    def __init__(self, stream: TextIO | None = None, top: Callable[[], str] | None = None) -> None:
        """Write to `stream`; `top` says who is ahead so far, and is asked on a terminal only."""
        self.top = top
        self.stream = stream or sys.stderr
        self.tty = self.stream.isatty()
        self.lock = threading.Lock()
        self.games = self.done = self.before = 0
        self.started = self.last = 0.0
        self.width = 0

    def begin(self, games: int, done: int) -> None:
        """Start the clock."""
        self.games, self.done, self.before = games, done, done
        self.started = self.last = time.monotonic()
        if done:
            self.stream.write(f"continuing: {done:,} of {counted(games, 'game')} already played\n")

    def add(self, games: int) -> None:
        """Count, and show the line if it is time to."""
        with self.lock:
            self.done += games
            now = time.monotonic()
            if now - self.last >= (TTY_SECONDS if self.tty else LINE_SECONDS):
                self.last = now
                self._show(now)

    def note(self, text: str) -> None:
        """Write a line of its own."""
        with self.lock:
            lead = "\r" + " " * self.width + "\r" if self.tty else ""
            self.stream.write(f"{lead}note: {text}\n")
            self.stream.flush()

    def end(self) -> None:
        """Show the last state and end the line; nothing if no game was played."""
        with self.lock:
            if self.done > self.before or self.done == self.games:
                self._show(time.monotonic())
            if self.tty and self.width:
                self.stream.write("\n")
            self.stream.flush()

    def line(self, seconds: float) -> str:
        """Return the text after so many seconds."""
        speed = (self.done - self.before) / seconds if seconds > 0 else 0.0
        parts = [f"{self.done:,} of {counted(self.games, 'game')}", f"{speed:,.0f} games/s"]
        if self.done < self.games and speed > 0:
            parts.append(f"{clock((self.games - self.done) / speed)} left")
        elif self.done == self.games:
            parts.append(f"done in {clock(seconds)}")
        return ", ".join(parts)

    def _ahead(self, text: str) -> str:
        """Return the line with who is ahead, as much of it as the terminal has room for."""
        ahead = self.top() if self.top is not None and self.tty and self.done < self.games else ""
        room = shutil.get_terminal_size().columns - 1
        return f"{text}; {ahead}"[:room] if ahead else text[:room]

    def _show(self, now: float) -> None:
        text = self.line(now - self.started)
        if self.tty:
            text = self._ahead(text)
            self.stream.write("\r" + text.ljust(self.width))
            self.width = len(text)
        else:
            self.stream.write(text + "\n")
        self.stream.flush()


def observer(quiet: bool) -> Any:
    """Return what shows how the games of a command get on: nothing, if that is wanted."""
    from ....simulator.batch.run import Silent

    return Silent() if quiet else ProgressLine()


class Diary:
    """Says on stderr, with the seconds since it began, what a command is at; nothing, if that is wanted."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.began = time.monotonic()

    def say(self, text: str) -> None:
        """Show how it gets on."""
        if not self.quiet:
            click.echo(f"{time.monotonic() - self.began:6.0f} s  {text}", err=True)
