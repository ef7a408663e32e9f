"""Every command that writes, disturbed at each of its file operations and given again: the same bytes, nothing left behind?

    python -m newdawn.scripts.checks.crashes --only run --only merge
    python -m newdawn.scripts.checks.crashes --draw 10 --seed 3
    python -m newdawn.scripts.checks.crashes --most 3 --disturbed full --disturbed stopped

An operation is what Python's audit hooks report: a file opened to be written, made, renamed, linked, cut or removed, a folder
made or removed; and a file forced to disk, before which what was written is cut in half. A command is

killed   before it: what lies there then is kept while an undisturbed command goes by, and laid out for another one;
full     the disk is full from then on: nothing new can be made or written, only renamed and removed;
stopped  before it (SIGSTOP), given a second time, and continued.

Each time it is given again in the end, and what lies there is compared with what an undisturbed one leaves. Begin with
`Check.trial`.
"""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from ...simulator.file_ownership import FILE, UNFINISHED
from . import faults
from .faults import COMMANDS, GAME, Child, differing, succeeds

KILLED, FULL, STOPPED = "killed", "full", "stopped"
SMALL = [*GAME, "--jobs", "1", "--quiet"]
WRITTEN = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
NAMED = {"os.mkdir": 0, "os.rmdir": 0, "os.remove": 0, "os.truncate": 0, "os.rename": 1, "os.link": 1, "os.symlink": 1}
NEW = ("open", "os.mkdir", "os.link", "os.symlink", "force")  # what a full disk has no room for
RUN = ["run", *SMALL, "--games", "200", "--out", "run"]
OTHER = [*RUN[:4], "4", *RUN[5:-1], "other"]
ENDED = [*RUN[:5], "--strategies", "planner", "--games", "60", "--jobs", "1", "--quiet", "--out", "ended"]
PLAYS = ["plays", "import", "log.csv", "--out", "plays"]
ASKED = ["plays", "import", "asked.csv", "--columns", "won=best", "--out", "asked"]
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


def worked_out_once(module: Any, *names: str) -> None:
    """Let functions return what they returned to the same words before: it is asked what is written, not how it is found."""
    for name in names:
        if not isinstance(function := getattr(module, name), Once):
            setattr(module, name, Once(function))


class Once:
    """A function that works out once what it returns to the same words; it is given the same other things each time."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.known = function, dict[str, Any]()

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Return what was returned before."""
        words = repr([value for value in (*arguments, *options.values()) if isinstance(value, str | bool)])
        if words not in self.known:
            self.known[words] = self.function(*arguments, **options)
        return self.known[words]


def small_page() -> None:
    """Let `web build` write its files without translating the engine, which takes minutes."""
    from ...analysis.web import build
    from ...simulator.engine.compile import webassembly

    webassembly.built = lambda *_: b"engine"
    build.cached_form = lambda box: b'{"left": []}'
    worked_out_once(build, "networks_of", "about_box", "about_engine", "table_files", "words", "page_files")


def small_report() -> None:
    """Let `report` write its files without working its chapters out again and again."""
    from ...analysis.report import page
    from ...analysis.web import onefile

    worked_out_once(page, "build", "all_files", "html")
    worked_out_once(onefile, "page")


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
    "report": Command(of_faults("report"), ("run",), small_report),
    "one-file": Command([*of_faults("report"), "--one-file"], ("run",), small_report),
    "zip": Command([*of_faults("report"), "--zip"], ("run",), small_report),
    "compare": Command(["compare", "printed", "cheaper_wonders", "--games", "100", *SMALL, "--out", "new"]),
    "compare, several": Command(["compare", "printed", "--vary", "wonders.petra.cost=5,6", "--until-best", "--games", "100",
                                 *SMALL, "--out", "new"]),
    "compare, by ways": Command(["compare", "printed", "cheaper_wonders", "--ways", "random,autoplayer", "--games", "40",
                                 *GAME[:4], *GAME[6:], "--jobs", "1", "--quiet", "--out", "new"]),
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
    "plays import, answered": Command([*ASKED[:-1], "new"]),
    "plays import, answered before": Command([*PLAYS[:2], "asked.csv", "--out", "asked"], ("asked",)),
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
MADE = {
    "run": RUN,
    "other": OTHER,
    "ended": ENDED,
    "plays": PLAYS,
    "asked": ASKED,
    "saved.json": [*TABLE, "--save", "saved.json"],
}


def writes(event: str, arguments: tuple[Any, ...]) -> Any:
    """Return the path of a file operation that changes something, None of any other."""
    if event == "open":
        path, _, flags = arguments
        unnamed = getattr(os, "O_TMPFILE", -1)
        return path if flags & WRITTEN and flags & unnamed != unnamed else None
    return arguments[NAMED[event]] if event in NAMED else None


class Operations:
    """Writes down the file operations below a folder; `meet` is told the number of each before it happens, and its file."""

    def __init__(self, work: Path, journal: int, meet: Callable[[int, str, str, int], None] = lambda *_: None) -> None:
        self.work, self.journal, self.meet, self.number = f"{work}/", journal, meet, 0

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
        if path.startswith(self.work):
            self.number += 1
            os.write(self.journal, f"{what} {path[len(self.work) :]}\n".encode())
            self.meet(self.number - 1, what, path, descriptor)


class Copies:
    """What lies in a folder before each operation; of a file that is forced to disk, half of what was written since."""

    def __init__(self, work: Path, copies: Path) -> None:
        self.work, self.copies = work, copies
        self.sizes: dict[str, int] = {}  # of files when they were opened, to be cut back to

    def keep(self, number: int, what: str, path: str, _: int) -> None:
        """Keep a copy of the folder."""
        copy = self.copies / str(number)
        shutil.copytree(self.work, copy, symlinks=True)
        there = copy / Path(path).relative_to(self.work)
        if what == "open":
            self.sizes[path] = there.stat().st_size if there.is_file() else 0
        elif what == "force":
            before = self.sizes.get(path, 0)
            os.truncate(there, before + (there.stat().st_size - before) // 2)


def full_from(at: int) -> Callable[[int, str, str, int], None]:
    """Return what lets a disk be full from an operation on."""

    def meet(number: int, what: str, path: str, descriptor: int) -> None:
        if number >= at and what in NEW:
            if what == "force" and number == at:
                os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    return meet


def stopped_before(at: int) -> Callable[[int, str, str, int], None]:
    """Return what stops a process before an operation."""

    def meet(number: int, *_: Any) -> None:
        if number == at:
            os.kill(os.getpid(), signal.SIGSTOP)

    return meet


def lying(work: Path) -> dict[str, bytes]:
    """Return everything below a folder: the bytes of files, and folders with a slash behind their names."""
    found = {}
    for path in work.rglob("*"):
        name = path.relative_to(work).as_posix()
        if not name.startswith(".said"):
            found[name + "/" if path.is_dir() else name] = b"" if path.is_dir() else path.read_bytes()
    return found


def kind_of(files: dict[str, bytes]) -> int:
    """Return what is the same for folders that differ in names and contents made by chance only."""
    return hash(frozenset((UNFINISHED.sub(r"\1.unfinished", name), b"" if name.endswith(FILE) else content)
                          for name, content in files.items()))  # fmt: skip


class Check:
    """Disturbs commands at their file operations."""

    def __init__(self, folder: Path, only: Sequence[str]) -> None:
        self.folder, self.only = folder, only
        self.bare = folder / "bare"
        self.bare.mkdir()
        (self.bare / "goals.yaml").write_text(faults.GOALS)
        (self.bare / "log.csv").write_text(faults.LOG)
        (self.bare / "shorter.csv").write_text("".join(faults.LOG.splitlines(keepends=True)[:9]))
        (self.bare / "asked.csv").write_text(faults.LOG.replace("won", "best", 1))
        (self.bare / "house.yaml").write_text(faults.HOUSE)
        faults.warm(folder)
        for name in dict.fromkeys(need for command in only for need in TRIED[command].needs):
            self._done(MADE[name], self.bare, partial(choices, 2))
        self.counts, self.wrong = Counter[str](), list[str]()
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
        work = self._emptied()
        work.mkdir()
        for path in self.bare.iterdir():
            if path.name in TRIED[name].needs or path.name not in MADE:
                shutil.copytree(path, work / path.name) if path.is_dir() else shutil.copy(path, work)
        if TRIED[name].before is half_a_run:
            os.chdir(work)
            half_a_run()
            os.chdir(self.folder)
        return work

    def _emptied(self) -> Path:
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        return work

    def _begun(self, name: str, work: Path, journal: int, meet: Callable[[int, str, str, int], None]) -> Child:
        """Give a command in the folder, with something to meet before its operations."""
        first, operations = TRIED[name].before, Operations(work, journal, meet)

        def before() -> None:
            if first is not half_a_run:
                first()
            operations.listen()

        return Child(TRIED[name].words, work, before)

    def undisturbed(self, name: str) -> list[str]:
        """Give a command, keep what lies there before each of its file operations, and return those."""
        if name not in self.operations:
            work, journal = self._work(name), self.folder / "journal"
            shutil.rmtree(self.folder / "copies", ignore_errors=True)
            file = os.open(journal, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            child = self._begun(name, work, file, Copies(work, self.folder / "copies").keep)
            os.close(file)
            if code := child.wait():
                raise RuntimeError(f"{name}: exit code {code}: {child.said()[-800:]}")
            child.said()
            self.operations[name] = journal.read_text().splitlines()
            self.wanted[name] = lying(work)
        return self.operations[name]

    def trial(self, name: str, how: str, at: int) -> str:
        """Disturb a command at its operation `at` and give it again; return what is wrong then, "" if nothing."""
        if how == KILLED:
            shutil.copytree(self.folder / "copies" / str(at), self._emptied(), symlinks=True)
            return self._again(name)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        work = self._work(name)
        child = self._begun(name, work, nowhere, (full_from if how == FULL else stopped_before)(at))
        os.close(nowhere)
        done, fault = False, ""
        if how == STOPPED:
            os.waitpid(child.pid, os.WUNTRACED)
            done, fault = succeeds(Child(TRIED[name].words, work, self._first(name)))
            os.kill(child.pid, signal.SIGCONT)
        also, other = succeeds(child)
        if fault or other:
            return f"strange: {fault or other}"
        return "both were refused" if how == STOPPED and not (done or also) else self._again(name)

    def by_itself(self, name: str, ways: Sequence[str], chance: random.Random, most: int | None) -> None:
        """Disturb a command in ways, in a fork that loads all it needs by giving it once: its own forks load nothing."""
        result = self.folder / "result.json"
        result.unlink(missing_ok=True)
        pid = os.fork()
        if pid == 0:
            try:
                self._load(name)
                for how in ways:
                    number = len(self.undisturbed(name))
                    self.run(name, how, sorted(chance.sample(range(number), min(number, most or number))))
                result.write_text(json.dumps([self.counts, self.wrong]))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        if not result.exists():
            self.wrong.append(f"{name}: was not tried")
            return
        counts, self.wrong = json.loads(result.read_text())
        self.counts = Counter(counts)

    def _load(self, name: str) -> None:
        """Give a command in this process, for what it loads."""
        from ..cli.main import main

        command = TRIED[name]
        os.chdir(self._work(name))
        self._first(name)()
        sys.argv = ["newdawn", *command.words]
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere), suppress(SystemExit):
            main.main(list(command.words), prog_name="newdawn", standalone_mode=True)
        os.chdir(self.folder)

    def _first(self, name: str) -> Callable[[], None]:
        command = TRIED[name]
        return command.before if command.before is not half_a_run else lambda: None

    def _again(self, name: str) -> str:
        """Give a disturbed command again; return what is wrong then, "" if nothing."""
        command, work = TRIED[name], self.folder / "work"
        child = Child(command.words, work, self._first(name))
        code, output = child.wait(), child.said()
        refused = command.once and code == 2 and len(output.splitlines()) == 1
        if refused and command.then:
            child = Child(command.then, work, command.before)
            code, output, refused = child.wait(), child.said(), False
        if code and not refused:
            return f"stuck: {output[-300:]}"
        return differing(lying(work), self.wanted[name])

    def run(self, name: str, how: str, places: Sequence[int]) -> None:
        """Disturb a command at these operations, and tell the result; of kills that leave the same, one is tried."""
        operations, began = self.undisturbed(name), time.monotonic()
        tried: dict[int, str] = {}
        for at in places:
            kind = kind_of(lying(self.folder / "copies" / str(at))) if how == KILLED else at
            fault = tried[kind] = tried[kind] if kind in tried else self.trial(name, how, at)
            what = next((word for word in ("stuck", "strange") if fault.startswith(word)), "other bytes or left behind")
            self.counts[f"{how}: {what if fault else 'sound'}"] += 1
            if fault:
                self.wrong.append(f"{name}: {how} before operation {at} ({operations[at]}): {fault}")
                click.echo(self.wrong[-1], err=True)
        words = f"{name}, {how}: {len(places)} of {len(operations)} operations, {len(tried)} of them tried"
        click.echo(f"{words} in {time.monotonic() - began:.0f} s", err=True)


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(TRIED)), help="Only these commands.")
@click.option("--most", type=click.IntRange(1), help="Of each command, this many operations at random [default: all].")
@click.option("--draw", type=click.IntRange(1), help="This many operations at random, of all commands together.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of what is drawn.")
@click.option("--disturbed", "ways", multiple=True, type=click.Choice([KILLED, FULL, STOPPED]), help="How [default: killed].")
def main(only: tuple[str, ...], most: int | None, draw: int | None, seed: int, ways: tuple[str, ...]) -> None:
    """Disturb every command that writes at each of its file operations; exit code 1 if one cannot be repeated."""
    chance = random.Random(seed)
    names = list(only or TRIED)
    drawn = Counter(chance.choice(names) for _ in range(draw)) if draw else None
    with tempfile.TemporaryDirectory(prefix="newdawn-crashes-") as place:
        check = Check(Path(place).resolve(), [name for name in names if drawn is None or name in drawn])
        for name in check.only:
            seeded = random.Random(chance.getrandbits(32))
            check.by_itself(name, ways or [KILLED], seeded, most if drawn is None else drawn[name])
    for what, count in sorted(check.counts.items()):
        click.echo(f"{count:5}  {what}")
    click.echo("\n".join(check.wrong))
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()
