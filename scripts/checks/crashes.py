"""Every command that writes, killed before each of its file operations and given again: the same bytes, nothing left behind?

    python -m newdawn.scripts.checks.crashes --only run --only merge
    python -m newdawn.scripts.checks.crashes --draw 10 --seed 3

An operation is what Python's audit hooks report: a file opened to be written, made, renamed, linked, cut or removed, a folder
made or removed; and a file forced to disk, before which what was written is cut in half. Each trial is a fork that ends itself
there, another that is given the same command, and a comparison with an undisturbed one. Begin with `Check.trial`.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from . import faults
from .faults import COMMANDS, GAME, Child, differing

KILLED = 99  # exit code of a command that was ended
SMALL = [*GAME, "--jobs", "1", "--quiet"]
WRITTEN = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NAMED = {"os.mkdir": 0, "os.rmdir": 0, "os.remove": 0, "os.truncate": 0, "os.rename": 1, "os.link": 1, "os.symlink": 1}
RUN = ["run", *SMALL, "--games", "200", "--out", "run"]
OTHER = [*RUN[:4], "4", *RUN[5:-1], "other"]
ENDED = [*RUN[:5], "--strategies", "planner", "--games", "60", "--jobs", "1", "--quiet", "--out", "ended"]
PLAYS = ["plays", "import", "log.csv", "--out", "plays"]
TABLE = ["play", "--seats", "me,random", "--seed", "3", "--no-open", "--port", "0"]


@dataclass(frozen=True)
class Command:
    """A command to be killed: its words, the folders and files of others it needs, and what is done in its process before."""

    words: Sequence[str]
    needs: tuple[str, ...] = ()
    before: Callable[[], None] = lambda: None
    once: bool = False  # refused in a line if it was done already
    then: Sequence[str] = ()  # given in its place, if it was refused so


def of_faults(name: str) -> Sequence[str]:
    """Return the words of a command of `faults`, with one worker."""
    words = list(COMMANDS[name][0])
    if "--jobs" in words:
        words[words.index("--jobs") + 1] = "1"
    return words


def small_page() -> None:
    """Let `web build` write its files without translating the engine, which takes minutes."""
    from ...analysis.web import build
    from ...simulator.engine.compile import webassembly

    webassembly.built = lambda *_: b"engine"
    build.cached_form = lambda box: b'{"left": []}'


def choices(number: int) -> None:
    """Let someone at the table of `play` answer questions until there are this many choices in the game, and leave."""
    from ...analysis.explorer import play

    def serve(server: Any) -> None:
        played = server.table.played
        while len(played.kept.choices) < number:
            server.table.answer(server.table.do(lambda: played.stamp), 0)
        raise KeyboardInterrupt

    play.TableServer.serve_forever = serve  # type: ignore[method-assign,assignment]


def half_a_run() -> None:
    """Leave one of the two shards of `run` to be played."""
    from ...simulator.runs import run_folder

    run_folder.begin(Path("run"))
    run_folder.drop(Path("run"), 1)


TRIED: dict[str, Command] = {
    "run": Command([*RUN[:-1], "new"]),
    "run, all tables": Command([*RUN[:-1], "new", "--rounds", "--focus-cards", "--places"]),
    "extend": Command(["extend", "run", "--games", "300", "--jobs", "1", "--quiet"], ("run",)),
    "resume": Command(["resume", "run", "--jobs", "1", "--quiet"], ("run",), half_a_run),
    "merge": Command(of_faults("merge"), ("run", "other")),
    "report": Command(of_faults("report"), ("run",)),
    "one-file": Command([*of_faults("report"), "--one-file"], ("run",)),
    "zip": Command([*of_faults("report"), "--zip"], ("run",)),
    "compare": Command(["compare", "printed", "cheaper_wonders", "--games", "100", *SMALL, "--out", "new"]),
    "experiment": Command(["experiment", "grant", "--wonder", "Petra", "--games", "300", *SMALL, "--out", "new"]),
    "balance": Command(of_faults("balance")),
    "goals": Command(of_faults("goals")),
    "ways": Command(of_faults("ways")),
    "restrict": Command(of_faults("restrict")),
    "adapt": Command(["adapt", "printed", "cheaper_wonders", "--adapt-games", "20", "--games", "8", *SMALL[:4], "--jobs", "1",
                      "--training", "training", "--quiet", "--out", "new"]),
    "fair": Command(of_faults("fair")),
    "ladder": Command(of_faults("ladder")),
    "tune": Command(of_faults("tune")),
    "strategies tune": Command(of_faults("strategies tune")),
    "train": Command(of_faults("train")),
    "strategies average": Command(of_faults("strategies average"), once=True),
    "sensitivity": Command(["sensitivity", "--parameters", "wonders.petra.cost", "--games", "60", *SMALL, "--out", "new"]),
    "coalition": Command(of_faults("coalition")),
    "plays import": Command(of_faults("plays import")),
    "plays import, over another": Command([*PLAYS[:2], "shorter.csv", "--out", "plays"], ("plays",)),
    "plays compare": Command(of_faults("plays compare"), ("plays", "ended")),
    "plays new": Command(of_faults("plays new"), once=True),
    "play": Command([*TABLE, "--save", "game.json"], (), partial(choices, 2), True,
                    ["play", "--continue", "game.json", "--no-open"]),
    "play, continued": Command(["play", "--continue", "saved.json", "--no-open"], ("saved.json",), partial(choices, 4)),
    "replay": Command(of_faults("replay"), ("run",)),
    "replay, pictures": Command([*of_faults("replay, pictures"), "--round", "2"], ("run",)),
    "new": Command(of_faults("new"), once=True),
    "web build": Command(["web", "build", "new"], before=small_page),
    "web pack": Command(of_faults("web pack")),
}  # fmt: skip
MADE = {"run": RUN, "other": OTHER, "ended": ENDED, "plays": PLAYS, "saved.json": [*TABLE, "--save", "saved.json"]}


def writes(event: str, arguments: tuple[Any, ...]) -> Any:
    """Return the path of a file operation that changes something, None of any other."""
    if event == "open":
        path, _, flags = arguments
        unnamed = getattr(os, "O_TMPFILE", -1)
        return path if flags & WRITTEN and flags & unnamed != unnamed else None
    return arguments[NAMED[event]] if event in NAMED else None


class Operations:
    """Counts the file operations below a folder, writes down what they are, and ends the process before one of them."""

    def __init__(self, work: Path, journal: int, end_at: int | None) -> None:
        self.work, self.journal, self.end_at, self.number = str(work), journal, end_at, 0
        self.sizes: dict[str, int] = {}  # of files when they were opened, to be cut back to

    def listen(self) -> None:
        """Begin to count, in this process and for good."""
        sys.addaudithook(self._hear)
        fsync = os.fsync

        def forced(descriptor: int) -> None:
            self._comes("force", os.readlink(f"/proc/self/fd/{descriptor}"), descriptor)
            fsync(descriptor)

        os.fsync = forced  # type: ignore[assignment]

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        path = writes(event, arguments)
        if isinstance(path, str | os.PathLike):
            self._comes(event, os.path.abspath(path))

    def _comes(self, what: str, path: str, descriptor: int = -1) -> None:
        if not path.startswith(self.work):
            return
        if self.number == self.end_at:
            if descriptor >= 0:
                before = self.sizes.get(path, 0)
                os.ftruncate(descriptor, before + (os.fstat(descriptor).st_size - before) // 2)
            os._exit(KILLED)
        self.number += 1
        if what == "open":
            self.sizes[path] = os.path.getsize(path) if os.path.exists(path) else 0
        os.write(self.journal, f"{what} {path[len(self.work) + 1 :]}\n".encode())


def lying(work: Path) -> dict[str, bytes]:
    """Return everything below a folder: the bytes of files, and folders with a slash behind their names."""
    found = {}
    for path in work.rglob("*"):
        name = path.relative_to(work).as_posix()
        if not name.startswith(".said"):
            found[name + "/" if path.is_dir() else name] = b"" if path.is_dir() else path.read_bytes()
    return found


class Check:
    """Kills commands before their file operations."""

    def __init__(self, folder: Path, only: Sequence[str]) -> None:
        self.folder, self.only = folder, only
        self.bare = folder / "bare"
        self.bare.mkdir()
        (self.bare / "goals.yaml").write_text(faults.GOALS)
        (self.bare / "log.csv").write_text(faults.LOG)
        (self.bare / "shorter.csv").write_text("".join(faults.LOG.splitlines(keepends=True)[:9]))
        (self.bare / "house.yaml").write_text(faults.HOUSE)
        faults.warm(folder)
        for name in dict.fromkeys(need for command in only for need in TRIED[command].needs):
            self._done(MADE[name], self.bare, partial(choices, 2))
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.wanted: dict[str, dict[str, bytes]] = {}
        self.operations: dict[str, list[str]] = {}

    def _done(self, words: Sequence[str], work: Path, before: Callable[[], None]) -> str:
        child = Child(words, work, before)
        code, output = child.wait(), child.said()
        if code:
            raise RuntimeError(f"{' '.join(words)}: exit code {code}: {output[-800:]}")
        return output

    def _work(self, name: str) -> Path:
        """Return a folder, always of the same name, with what a command needs; before it, its own preparations."""
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        for path in self.bare.iterdir():
            if path.name in TRIED[name].needs or path.name not in MADE:
                shutil.copytree(path, work / path.name) if path.is_dir() else shutil.copy(path, work)
        if TRIED[name].before is half_a_run:
            os.chdir(work)
            half_a_run()
            os.chdir(self.folder)
        return work

    def _before(self, name: str, operations: Operations) -> Callable[[], None]:
        first = TRIED[name].before

        def before() -> None:
            if first is not half_a_run:
                first()
            operations.listen()

        return before

    def undisturbed(self, name: str) -> list[str]:
        """Give a command, and return its file operations."""
        if name not in self.operations:
            work, journal = self._work(name), self.folder / "journal"
            file = os.open(journal, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            self._done(TRIED[name].words, work, self._before(name, Operations(work, file, None)))
            os.close(file)
            self.operations[name] = journal.read_text().splitlines()
            self.wanted[name] = lying(work)
        return self.operations[name]

    def trial(self, name: str, at: int) -> str:
        """End a command before its operation `at` and give it again; return what is wrong then, "" if nothing."""
        command, work = TRIED[name], self._work(name)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        child = Child(command.words, work, self._before(name, Operations(work, nowhere, at)))
        os.close(nowhere)
        code, output = child.wait(), child.said()
        if code != KILLED:
            return f"was not killed, but ended with {code}: {output[-300:]}"
        child = Child(command.words, work, command.before if command.before is not half_a_run else lambda: None)
        code, output = child.wait(), child.said()
        refused = command.once and code == 2 and len(output.splitlines()) == 1
        if refused and command.then:
            child = Child(command.then, work, command.before)
            code, output, refused = child.wait(), child.said(), False
        if code and not refused:
            return f"stuck: {output[-300:]}"
        return differing(lying(work), self.wanted[name])

    def run(self, name: str, places: Sequence[int]) -> None:
        """Kill a command before these operations, and tell the result."""
        operations, began = self.undisturbed(name), time.monotonic()
        for at in places:
            fault = self.trial(name, at)
            self.counts["stuck" if fault.startswith("stuck") else "other bytes or left behind" if fault else "sound"] += 1
            if fault:
                self.wrong.append(f"{name}: killed before operation {at} ({operations[at]}): {fault}")
                click.echo(self.wrong[-1], err=True)
        seconds = time.monotonic() - began
        click.echo(f"{name}: {len(places)} of {len(operations)} operations tried in {seconds:.0f} s", err=True)


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(TRIED)), help="Only these commands.")
@click.option("--most", type=click.IntRange(1), help="Of each command, this many operations at random [default: all].")
@click.option("--draw", type=click.IntRange(1), help="So many operations at random, of all commands together.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of what is drawn.")
def main(only: tuple[str, ...], most: int | None, draw: int | None, seed: int) -> None:
    """Kill every command that writes before each of its file operations; exit code 1 if one cannot be repeated."""
    chance = random.Random(seed)
    names = list(only or TRIED)
    drawn = Counter(chance.choice(names) for _ in range(draw)) if draw else None
    with tempfile.TemporaryDirectory(prefix="newdawn-crashes-") as place:
        check = Check(Path(place).resolve(), [name for name in names if drawn is None or name in drawn])
        for name in check.only:
            number = len(check.undisturbed(name))
            some = min(number, drawn[name] if drawn is not None else most or number)
            check.run(name, sorted(chance.sample(range(number), some)))
    for what, count in sorted(check.counts.items()):
        click.echo(f"{count:5}  {what}")
    click.echo("\n".join(check.wrong))
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()
