"""The `newdawn` command; and Ctrl-C, `kill` or a closed terminal, which first let a command finish what it is writing."""

from __future__ import annotations

import codecs
import errno
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import FrameType

import click

from ...simulator.errors import UserError
from .shared import HELP_ALL, refuse, remember, usage

# --- Ctrl-C, or `kill`: the first one lets a command finish what it is writing, the second one ends it at once. A terminal that
# is closed asks like the first one, often twice.

STOPPED = 130  # exit code of a command that was stopped, as in a shell
IMPORTING = "<frozen importlib._bootstrap>"
CALLED_FROM_C = {"numpy", "numba"}  # whose functions are called from compiled code, which may drop what they raise
SOON = 0.01  # seconds
ENDING = (signal.SIGINT, signal.SIGTERM)
HANGUP = getattr(signal, "SIGHUP", None)  # Windows has none
ROOT = Path(__file__).parents[3]  # of this program, which lets exceptions pass


def watch() -> None:
    """Make Ctrl-C and `kill` (a cluster's scheduler) work as described. Call it in the main thread."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    # Python handles a signal only between two of its own instructions, which an endless loop in compiled code never
    # reaches; the descriptor gets it at once, and another thread reads it.
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    threading.Thread(target=_count, args=(reader,), daemon=True).start()
    for number in ENDING:
        signal.signal(number, _stop)
    if HANGUP is not None and signal.getsignal(HANGUP) != signal.SIG_IGN:  # nohup
        signal.signal(HANGUP, _stop)


@contextmanager
def continuable(folder: Path) -> Iterator[None]:
    """End a command that Ctrl-C stops with a line that says where its work is kept."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"stopped: what is finished is in {folder}; the same command continues", err=True)
        raise SystemExit(STOPPED) from None


def _count(reader: socket.socket) -> None:
    """Read the numbers of signals; end the process after the second that asks for the end. Workers notice, and end, too."""
    seen = 0
    while seen < 2:
        got = reader.recv(64)
        seen += sum(got.count(number) for number in ENDING)
    _end("stopped at once; finished work is kept")


def _stop(_number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; but end at once in the middle of an import, where there is nothing to tidy up.

    Where it might get lost, it is raised a little later, by a signal that does not count as another Ctrl-C.
    """
    if hasattr(signal, "SIGALRM") and _might_be_dropped(frame):
        signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, SOON)
        return
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            _end("stopped")
        frame = frame.f_back
    raise KeyboardInterrupt


def _might_be_dropped(frame: FrameType | None) -> bool:
    """Return whether the frame belongs to a function called from C, directly or by way of another library."""
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if not CALLED_FROM_C.isdisjoint(file.parts):
            return True
        if ROOT in file.parents:
            return False
        frame = frame.f_back
    return False


def _end(message: str) -> None:
    with suppress(OSError):  # the terminal may be gone
        os.write(2, f"\n{message}\n".encode())
    os._exit(STOPPED)


# --- The `newdawn` command: a module is imported only when one of its commands is used, so `newdawn --help` answers at once

SCRIPTS = "newdawn.scripts"
SECTIONS = {  # section of the help: {command: (module of SCRIPTS, attribute, one line)}
    "Play games": {
        "run": ("cli.run", "run", "Play games and write their results as tables."),
        "resume": ("cli.run", "resume", "Continue a stopped run."),
        "extend": ("cli.run", "extend", "Add games to a run."),
        "play": ("cli.play", "play", "Play a game yourself, against the strategies, in the browser."),
        "replay": ("cli.play", "replay", "Show one game: turn log and board."),
    },
    "Read results": {
        "report": ("cli.report", "report", "Write a run's report, one HTML page: findings, charts, tables."),
        "explore": ("cli.explore", "explore", "Explore runs in the browser: filters, leaders, cards, replays."),
        "leaders": ("cli.run_tables", "leaders", "Show the leaders' win rates."),
        "strengths": ("cli.run_tables", "strengths", "Rank the leaders by strength, corrected for seat and opponents."),
        "matchups": ("cli.run_tables", "matchups", "Show leader against leader."),
        "wonders": ("cli.run_tables", "wonders", "Show how often world wonders are built, and by whom."),
        "victory": ("cli.run_tables", "victory", "Show how victory cards and agendas are claimed."),
        "cards": ("cli.run_tables", "cards", "Show how focus cards are taken and resolved, and which are dead."),
        "places": ("cli.run_tables", "map_places", "Show what start places win, and what goes with holding places."),
        "rounds": ("cli.run_tables", "rounds", "Show who is ahead, who comes back, and when games are decided."),
        "game": ("cli.run_tables", "game", "Show length, reasons of victory, lead changes, comebacks, shortages."),
        "plan": ("cli.compare", "plan", "Calculate how many games a question needs."),
    },
    "Change the game": {
        "new": ("cli.rules", "new_folder", "Create a folder to start from: a house rule, a notebook, the next steps."),
        "rules": ("cli.rules", "rules", "Check house rules, look up rules, show their tests and open questions."),
        "compare": (
            "cli.compare",
            "compare",
            "What does a house rule change, and which of several rules is best? All on the same seeds.",
        ),
        "adapt": ("cli.adapt", "adapt", "Compare two rulesets by players who have adapted to each, and by others."),
        "experiment": ("cli.experiment", "experiment", "Measure effects: of a wonder, an ability, a gift or a ban."),
        "balance": ("cli.balance", "balance", "Find what to change to bring a figure to its target."),
        "goals": ("cli.goals", "goals", "Find the few changes that meet many wishes for the whole game."),
        "tune": ("cli.balance", "tune", "Search for the value of a number that meets a target."),
        "sensitivity": ("cli.balance", "sensitivity", "Find the numbers of the rules that matter most."),
    },
    "Players": {
        "strategies": ("cli.strategies", "strategies", "List, check, tune and train strategies."),
        "ladder": ("cli.ladder", "ladder", "Rate strategies by letting them play each other."),
        "ways": ("cli.ladder", "ways", "Find which figures hold for all strategies, and which do not."),
        "coalition": ("cli.restrict", "coalition", "Measure what a leader wins when the whole table plays against it."),
        "restrict": ("cli.restrict", "restrict", "Measure what a part of the game is worth to a player."),
        "fair": ("cli.balance", "fair", "Propose leaders and head starts that give everybody the same chance."),
        "plays": ("cli.plays", "plays", "Read logs of real plays, and compare them with the simulation."),
    },
    "Files": {
        "verify": ("cli.run", "verify", "Check a run: checksums, counts, a sample of games replayed."),
        "merge": ("cli.run", "merge", "Merge runs of different seeds."),
        "web": ("cli.web", "web", "Write the lab as a page that plays games in the browser."),
    },
}
HIDDEN = {"bench": ("cli.bench", "bench", "Measure speed, memory, start-up time and bytes a game.")}
COMMANDS = {name: where for section in (*SECTIONS.values(), HIDDEN) for name, where in section.items()}
TOO_LITTLE = "there is too little memory, or room for threads; fewer workers (--jobs 1) take less; finished games are kept"


BYTES_AS_NAMED = "newdawn-names"


def _as_bytes(error: UnicodeError) -> tuple[bytes, int]:
    """Return what is written for letters that are no text: the bytes of a name that the locale could not read, else "?"."""
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return b"".join(bytes([ord(x) - 0xDC00]) if 0xDC80 <= ord(x) <= 0xDCFF else b"?" for x in letters), error.end


codecs.register_error(BYTES_AS_NAMED, _as_bytes)


def lacks_memory(error: Exception) -> bool:
    """Return whether an error means that there is no memory, or no room for a thread; libraries word that differently."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    return any(text in str(error) for text in ("start new thread", "launch worker thread", "annot allocate memory"))


class LazyGroup(click.Group):
    """A group that imports a command when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"{SCRIPTS}.{module}"), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by what they are for, without importing them."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, _, text) in commands.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        from ...simulator.errors import unknown

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise unknown("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Turn a wrong option before the command into one line and exit code 2."""
        remember(ctx, args)
        own = args[: args.index("--")] if "--" in args else args
        if HELP_ALL in own:
            args = ["--help" if word == HELP_ALL else word for word in own]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            refuse(ctx, **usage(error))

    def invoke(self, ctx: click.Context) -> object:
        """Turn an error of the user's into one line and exit code 2."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            refuse(ctx, str(error), error.file, error.field)
        except click.UsageError as error:
            refuse(ctx, **usage(error))
        except KeyboardInterrupt:
            click.echo("\nstopped", err=True)
            ctx.exit(130)
        except Exception as error:
            if lacks_memory(error):
                refuse(ctx, TOO_LITTLE)
            if not isinstance(error, OSError):
                raise
            # Only errors of the output have no file name; click handles a reader that went away (head).
            if error.filename is not None:
                refuse(ctx, f"{error.filename}: {error.strerror}", str(error.filename))
            if error.errno in (None, errno.EPIPE):
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would write, and fail, once more at its end
            refuse(ctx, f"the output cannot be written: {error.strerror}")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="newdawn-balance-lab", prog_name="newdawn")
def main() -> None:
    """Simulate the board game Civilization: A New Dawn and measure its balance.

    \b
    newdawn run --games 10000 --out results/first
    newdawn report results/first

    `newdawn COMMAND --help` lists the options of a command, `newdawn COMMAND --help-all` the rare ones, too.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors=BYTES_AS_NAMED)
