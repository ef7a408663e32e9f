"""The progress of a command that plays games, on stderr: games a second, time left, who is ahead. Start with `ProgressLine`."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click

from ...simulator.errors import counted

# --- The progress line of a run: games done, games a second, time left

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
        """Write to `stream`; `top` returns who is ahead so far, and is called on a terminal only."""
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
        """Count games, and show the line if it is time."""
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
        """Return the text after this many seconds."""
        speed = (self.done - self.before) / seconds if seconds > 0 else 0.0
        parts = [f"{self.done:,} of {counted(self.games, 'game')}", f"{speed:,.0f} games/s"]
        if self.done < self.games and speed > 0:
            parts.append(f"{clock((self.games - self.done) / speed)} left")
        elif self.done == self.games:
            parts.append(f"done in {clock(seconds)}")
        return ", ".join(parts)

    def _ahead(self, text: str) -> str:
        """Return the line with who is ahead, cut to the terminal's width."""
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
    """Return the observer of a command's games: a progress line, or nothing if `quiet`."""
    from ...simulator.runs.run import Silent

    return Silent() if quiet else ProgressLine()


class Diary:
    """Writes the steps of a command to stderr, with the seconds since it began; nothing if `quiet`."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.began = time.monotonic()

    def say(self, text: str) -> None:
        """Write a step."""
        if not self.quiet:
            click.echo(f"{time.monotonic() - self.began:6.0f} s  {text}", err=True)


# --- Who is ahead in a run: the leaders' win rates in the shards finished so far

TOP = 3


class Leading:
    """Counts the wins in the finished shards of a run folder, each shard once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: set[str] = set()
        self.games: Counter[str] = Counter()
        self.wins: defaultdict[str, float] = defaultdict(float)

    def line(self) -> str:
        """Return the leaders with the highest win rates so far; '' until a shard is finished."""
        self._count()
        rates = sorted(((self.wins[name] / n, name) for name, n in self.games.items()), reverse=True)[:TOP]
        return ", ".join(f"{name} {rate:.0%}" for rate, name in rates)

    def _count(self) -> None:
        """Count the shards finished since the last time; `games` is the last table of a shard to appear."""
        from ...simulator.runs.run_folder import read_table

        for path in sorted((self.folder / "games").glob("part-*.parquet")):
            if path.name in self.seen:
                continue
            self.seen.add(path.name)
            try:
                seats = read_table(self.folder / "seats" / path.name, ["leader", "won"]).to_pandas()
            except Exception:  # a damaged shard of an earlier run is played again, with a message elsewhere
                continue
            for name, won in seats.groupby("leader", observed=True)["won"]:
                self.games[str(name)] += len(won)
                self.wins[str(name)] += float(won.sum())
