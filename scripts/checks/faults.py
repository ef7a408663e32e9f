"""Faults of the machine by the hundred, for every command that writes: is its result the same, or refused in one line?

    python -m newdawn.scripts.checks.faults --kills 10 --twice 2 --flips 500 --memory --clock --short --closed

Kills: a command is killed at a random moment and given again. Twice: it is given twice at once in one folder. Flips: one bit
of a file of a finished folder is flipped, and the folder is read again. Memory: it has 2 GB of addresses. Clock: the time of
day goes back while it runs. Short: files end at 4 kB (`ulimit -f 4`). Closed: its folder can only be read, before it has
written anything and when all is done. Faults are other bytes or answers than those of an undisturbed command, tracebacks,
refusals of more than a line, and files left behind. Each command runs in a fork.
"""

from __future__ import annotations

import ctypes
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import click

from ...simulator.compile_cache import ROOT

GAME = ["--players", "2", "--seed", "3", "--strategies", "random", "--round-cap", "6"]
SMALL = [*GAME, "--jobs", "2", "--quiet"]
GOALS = """name: small
players: 2
ways: [random]
goals:
  - {figure: median-length, at_least: 2}
changes:
  at_most: 1
  numbers:
    - {path: wonders.petra.cost, by: 1}
budget: {games: 1000}
"""
LOG = "play,leader,won\n" + "".join(f"{play},Rome,{'no' if play % 3 else 'yes'}\n{play},Egypt,{'yes' if play % 3 else 'no'}\n"
                                     for play in range(12))  # fmt: skip
HOUSE = "wonders: {petra: {cost: 5}}\n"
NETWORK = str(ROOT / "strategies" / "learned" / "networks" / "base_2p.npz")
RUN = ["run", *SMALL, "--games", "600", "--out", "run"]
OTHER = [*RUN[:4], "4", *RUN[5:-1], "other"]  # another seed
PLANNED = ["--strategies", "planner", "--games", "100", "--jobs", "2", "--quiet"]
ENDED = [*RUN[:5], *PLANNED, "--out", "ended"]  # games that are won
# Name: arguments, and the name of what it writes. Each continues, or plays again, when it is given again.
COMMANDS: dict[str, tuple[list[str], str]] = {
    "run": ([*RUN[:-1], "new"], "new"),
    "report": (["report", "run", "--boards", "0", "--quiet", "--out", "new"], "new"),
    "balance": (["balance", "--target", "game-length=12", "--parameters", "victory_cards.rules.base.*", "--screen", "100",
                 "--fresh", "200", "--games", "200", "--levers", "1", "--players", "2", "--seed", "3",
                 "--strategies", "planner",
                 "--jobs", "2", "--quiet", "--out", "new"], "new"),
    "goals": (["goals", "goals.yaml", "--jobs", "2", "--quiet", "--out", "new"], "new"),
    "tune": (["tune", "--parameter", "wonders.petra.cost", "--target", "game-length=4", "--range", "6:7", "--games", "200",
              "--fresh", "200", *SMALL, "--out", "new"], "new"),
    "compare": (["compare", "printed", "cheaper_wonders", "--games", "300", *SMALL, "--out", "new"], "new"),
    "sensitivity": (["sensitivity", "--parameters", "wonders.p*.cost", "--games", "100", *SMALL, "--out", "new"], "new"),
    "experiment": (["experiment", "grant", "--wonder", "Petra", "--games", "900", *SMALL, "--out", "new"], "new"),
    "train": (["strategies", "train", "--players", "2", "--games", "60", "--stages", "1", "--epochs", "1", "--judge", "8",
               "--lessons", "60", "--jobs", "2", "--out", "new"], "new"),
    "strategies tune": (["strategies", "tune", "planner", "--weights", "deny,room", "--against", "random", "--players", "2",
                         "--games", "8", "--generations", "4", "--held-out", "40", "--jobs", "2", "--out",
                         "mine.yaml"], "mine"),
    "ladder": (["ladder", "--strategies", "random,autoplayer", "--players", "2", "--games", "300", "--jobs", "2", "--quiet",
                "--out", "new"], "new"),
    "coalition": (["coalition", "--leaders", "Rome,Egypt", "--player", "quick", "--games", "4", "--players", "2", "--jobs",
                   "2", "--quiet", "--out", "new"], "new"),
    "fair": (["fair", "--players", "Ann,Ben", "--games", "100", "--jobs", "2", "--quiet", "--out", "new"], "new"),
    "restrict": (["restrict", "--player", "planner", "--without", "cities", "--games", "40", "--players", "2", "--jobs", "2",
                  "--quiet", "--out", "new"], "new"),
    "plays import": (["plays", "import", "log.csv", "--out", "new"], "new"),
    "plays compare": (["plays", "compare", "plays", "--with", "ended", "--out", "new"], "new"),
    "plays new": (["plays", "new", "new.csv"], "new"),
    "replay": (["replay", "--run", "run", "--game", "3", "--html", "new.html"], "new"),
    "replay, pictures": (["replay", "--run", "run", "--game", "3", "--every-round", "new", "--board", "new.png", "--log",
                          "new.txt"], "new"),
    "extend": (["extend", "run", "--games", "900", "--jobs", "2", "--quiet"], "run"),
    "merge": (["merge", "run", "other", "--quiet", "--out", "new"], "new"),
    "ways": (["ways", "--strategies", "random,autoplayer", "--games", "60", *GAME[:4], *GAME[6:], "--jobs", "2", "--quiet",
              "--out", "new"], "new"),
    "strategies average": (["strategies", "average", NETWORK, NETWORK, "--out", "new.npz"], "new"),
    "web pack": (["web", "pack", "house.yaml", "--out", "new.newdawn"], "new"),
    "new": (["new", "new"], "new"),
}  # fmt: skip
ONCE = {"plays new", "strategies average", "new"}  # refused in a line if done already
# Commands that write but are not disturbed here, and why.
UNTRIED = {
    "adapt": "a training like `strategies train`, and then an answer like `compare`",
    "play": "it waits for people; each choice is kept whole (tests/analysis/test_play.py)",
    "resume": "what `run` does when it is given again",
    "web build": "takes minutes, and writes its files as `report` does",
}
# Commands that read the folder of a command: the answer must be the same, or a line.
READERS: dict[str, list[list[str]]] = {
    "run": [["leaders", "new", "--json"], ["verify", "new", "--sample", "2"]],
    "compare": [["report", "new", "--out", "page"]],
    "ladder": [["report", "new", "--out", "page"]],
    "experiment": [["report", "new", "--out", "page"]],
    "plays import": [["leaders", "new", "--json"]],
    "balance": [COMMANDS["balance"][0]],
    "goals": [COMMANDS["goals"][0]],
    "sensitivity": [COMMANDS["sensitivity"][0]],
    "train": [COMMANDS["train"][0]],
    "strategies tune": [COMMANDS["strategies tune"][0]],
}
TIMES = re.compile(rb"\d+ s\b|about \d+ min")
GIGABYTES = 2
SHORT = 4 << 10  # bytes of a file


class Child:
    """A command in a process of its own, in a folder."""

    def __init__(
        self, arguments: Sequence[str], work: Path, before: Callable[[], None] = lambda: None, log: Path | None = None
    ) -> None:
        self.log = log or work / f".said{random.getrandbits(32)}"
        self.pid = os.fork()
        if self.pid:
            return
        code = 70
        try:
            os.setsid()
            os.chdir(work)
            file = os.open(self.log, os.O_WRONLY | os.O_CREAT)
            os.dup2(file, 1), os.dup2(file, 2)
            sys.argv = ["newdawn", *arguments]
            before()
            from ..cli.main import main

            code = int(main.main(list(arguments), prog_name="newdawn", standalone_mode=True) or 0)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)

    def wait(self, seconds: float = 600) -> int:
        """Return the exit code; the number of the signal, below 0, of a process that was killed."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        self.kill()
        return self.wait() and -99

    def kill(self) -> None:
        """Kill it, with the processes that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def said(self) -> str:
        """Return its output, and delete the log."""
        text = self.log.read_text("utf-8", "replace") if self.log.exists() else ""
        self.log.unlink(missing_ok=True)
        return text


def succeeds(child: Child) -> tuple[bool, str]:
    """Wait for a command; return whether it succeeds, and what is wrong: "" also of one that is refused in one line."""
    code, output = child.wait(), child.said()
    refused = [line for line in output.splitlines() if line.startswith("error: ")]
    sound = "Traceback" not in output and (code == 0 or (code == 2 and len(refused) == 1))
    return code == 0, "" if sound else f"exit code {code}: {output[-600:]}"


def without_rights() -> None:
    """Give up the right of root to write where nobody may (Linux)."""
    header, rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capset(header, rights)


def closed(work: Path, shut: bool) -> None:
    """Take away, or give back, the right to write into a folder and all that is in it."""
    for path in [work, *work.rglob("*")]:
        path.chmod((path.stat().st_mode & 0o555) | (0 if shut else 0o200))


def left(work: Path, name: str) -> dict[str, bytes]:
    """Return the files that a command has written, by name."""
    return {
        path.relative_to(work).as_posix(): path.read_bytes()
        for path in work.rglob("*") if path.is_file() and path.relative_to(work).parts[0].startswith(name)
    }  # fmt: skip


def differing(files: dict[str, bytes], wanted: dict[str, bytes]) -> str:
    """Return which file differs from what is wanted, "" if none; times in the files are ignored."""
    for name in sorted(files.keys() | wanted.keys()):
        content, expected = files.get(name), wanted.get(name)
        if content is None or expected is None:
            return f"{name} is {'missing' if content is None else 'too many'}"
        if TIMES.sub(b"", content) != TIMES.sub(b"", expected):
            return f"{name} differs"
    return ""


def warm(folder: Path) -> None:
    """Load what all commands need before processes are forked."""
    from click.testing import CliRunner

    from ...analysis.report import page  # noqa: F401
    from ..cli import main

    arguments = [*GAME, "--games", "4", "--jobs", "1", "--quiet", "--out", str(folder / "warm")]
    CliRunner().invoke(main.main, ["run", *arguments])


class FaultCheck:
    """Disturbs commands, and compares their files with those of undisturbed ones."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.wanted: dict[str, dict[str, bytes]] = {}
        self.seconds: dict[str, float] = {}
        self.bare = folder / "bare"
        self.bare.mkdir()
        (self.bare / "goals.yaml").write_text(GOALS)
        (self.bare / "log.csv").write_text(LOG)
        (self.bare / "house.yaml").write_text(HOUSE)
        warm(folder)
        for arguments in (RUN, OTHER, ENDED, ["plays", "import", "log.csv", "--out", "plays"]):
            self.done(arguments, self.bare)

    def done(self, arguments: Sequence[str], work: Path) -> str:
        """Run a command to its end, and return its output; raise RuntimeError if it fails."""
        child = Child(arguments, work)
        code, output = child.wait(), child.said()
        if code:
            raise RuntimeError(f"{' '.join(arguments)}: exit code {code}: {output[-500:]}")
        return output

    def work(self) -> Path:
        """Return a new folder with the files that commands need."""
        work = Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copytree(self.bare, work, dirs_exist_ok=True)
        return work

    def undisturbed(self, name: str) -> None:
        """Record the files of an undisturbed command, and how long it takes."""
        if name in self.wanted:
            return
        work, (arguments, out) = self.work(), COMMANDS[name]
        began = time.monotonic()
        self.done(arguments, work)
        self.seconds[name] = time.monotonic() - began
        self.wanted[name] = left(work, out)
        shutil.rmtree(work)

    def tell(self, kind: str, name: str, fault: str, work: Path) -> None:
        """Count a trial, and record its fault, if there is one."""
        self.counts[f"{kind}: {'fault' if fault else 'sound'}"] += 1
        if fault:
            self.faults.append(f"{kind}, {name}: {fault}")
            click.echo(self.faults[-1], err=True)
        shutil.rmtree(work, ignore_errors=True)

    def again(self, name: str, work: Path) -> str:
        """Give a disturbed command again; return what is wrong then, or ''."""
        arguments, out = COMMANDS[name]
        child = Child(arguments, work)
        code, output = child.wait(), child.said()
        if code and not (name in ONCE and code == 2 and len(output.splitlines()) == 1):
            return f"given again, it ends with {code}: {output[-300:]}"
        return differing(left(work, out), self.wanted[name])

    def killed(self, name: str) -> None:
        """Kill a command at a random moment, once or more, and give it again."""
        self.undisturbed(name)
        work, (arguments, _) = self.work(), COMMANDS[name]
        for _ in range(self.chance.choice((1, 1, 2))):
            child = Child(arguments, work)
            time.sleep(self.chance.random() * self.seconds[name])
            child.kill()
            child.wait()
            child.said()
        self.tell("kill", name, self.again(name, work), work)

    def twice(self, name: str) -> None:
        """Give a command twice at once in one folder: both may succeed, or one is refused in a line."""
        self.undisturbed(name)
        work, (arguments, _) = self.work(), COMMANDS[name]
        both = [Child(arguments, work)]
        time.sleep(self.chance.choice((0, 0.3, 0.8)) * self.seconds[name])
        both.append(Child(arguments, work))
        done, faults = zip(*map(succeeds, both), strict=True)
        fault = next(filter(None, faults), "") or ("" if any(done) else "both were refused")
        self.tell("twice", name, fault or self.again(name, work), work)

    def limited(self, name: str) -> None:
        """Give a command little memory: it must succeed, or be refused in a line."""
        self.undisturbed(name)
        work, (arguments, _) = self.work(), COMMANDS[name]

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))

        _, fault = succeeds(Child(arguments, work, limit))
        self.tell("memory", name, fault or self.again(name, work), work)

    def short(self, name: str) -> None:
        """Let files end at a few kilobytes: a command must succeed, or be refused in a line, and can be given again."""
        self.undisturbed(name)
        work, (arguments, _) = self.work(), COMMANDS[name]

        def limit() -> None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the answer has room
            resource.setrlimit(resource.RLIMIT_FSIZE, (SHORT, SHORT))

        _, fault = succeeds(Child(arguments, work, limit))
        self.tell("short", name, fault or self.again(name, work), work)

    def shut(self, name: str) -> None:
        """Give a command where it can write nothing, with nothing written yet, and with all."""
        self.undisturbed(name)
        work, (arguments, out) = self.work(), COMMANDS[name]
        fault = ""
        for wanted in (left(work, out), self.wanted[name]):
            closed(work, True)
            child = Child(arguments, work, without_rights, log=self.folder / "said")
            done, fault = succeeds(child)
            closed(work, False)
            if not fault and done and not wanted:
                fault = "succeeded, though nothing could be written"
            fault = fault or differing(left(work, out), wanted)
            if fault or wanted == self.wanted[name]:
                break
            fault = self.again(name, work)
        self.tell("closed", name, fault, work)

    def set_back(self, name: str) -> None:
        """Let the time of day go back while a command runs, among files of the future."""
        self.undisturbed(name)
        work, (arguments, out) = self.work(), COMMANDS[name]
        for path in work.rglob("*"):
            os.utime(path, (time.time() + 1e7,) * 2)

        def turn() -> None:
            real, began = time.time, time.time()
            time.time = lambda: began - 40 * (real() - began) - 1e8  # type: ignore[assignment]

        child = Child(arguments, work, turn)
        code, output = child.wait(), child.said()
        fault = differing(left(work, out), self.wanted[name]) if code == 0 else f"exit code {code}: {output[-300:]}"
        self.tell("clock", name, fault, work)

    def flipped(self, name: str, number: int) -> None:
        """Flip bits of a command's files, one at a time, and run the commands that read them."""
        work, (arguments, out) = self.work(), COMMANDS[name]
        self.done(arguments, work)
        answers = {" ".join(question): self._answer(question, work)[1] for question in READERS[name]}
        self.wanted[name] = left(work, out)
        files = sorted(path for path in self.wanted[name] if self.wanted[name][path])
        for _ in range(number):
            question = self.chance.choice(READERS[name])
            file = self.chance.choice(files)
            content = bytearray(self.wanted[name][file])
            content[self.chance.randrange(len(content))] ^= 1 << self.chance.randrange(8)
            (work / file).write_bytes(content)
            code, output = self._answer(question, work)
            fault = ""
            if code in (1, 2):
                lines = [line for line in output.splitlines() if line.startswith(("error: ", "wrong", "damaged"))]
                fault = "" if lines or (code == 1 and output.strip()) else f"exit code {code} without a line: {output[-200:]}"
            elif code or "Traceback" in output:
                fault = f"exit code {code}: {output[-300:]}"
            elif output != answers[" ".join(question)]:
                fault = "another answer"
            self.counts[f"flip, {name}: {'refused' if code else 'the same'}"] += 1
            if fault:
                self.tell("flip", name, f"{file}: {fault}", self.folder / "nothing")
            for path in left(work, out).keys() - self.wanted[name].keys():
                (work / path).unlink()
            for path, before in self.wanted[name].items():
                if not (work / path).is_file() or (work / path).read_bytes() != before:
                    (work / path).write_bytes(before)
        shutil.rmtree(work)

    def _answer(self, question: Sequence[str], work: Path) -> tuple[int, str]:
        """Return the exit code and the output, with the report if one was written."""
        child = Child(question, work)
        code, output = child.wait(), child.said()
        page = work / "page" / "report.md"
        output += page.read_text("utf-8") if page.is_file() else ""
        shutil.rmtree(work / "page", ignore_errors=True)
        return code, re.sub(TIMES.pattern.decode(), "", output)


@click.command()
@click.option("--kills", type=click.IntRange(0), default=10, show_default=True, help="Of each command.")
@click.option("--twice", type=click.IntRange(0), default=2, show_default=True, help="Pairs of each command.")
@click.option("--flips", type=click.IntRange(0), default=500, show_default=True, help="Of all folders together.")
@click.option("--memory", is_flag=True, help=f"Each command with {GIGABYTES} GB.")
@click.option("--clock", is_flag=True, help="Each command with a clock set back.")
@click.option("--short", is_flag=True, help=f"Each command with files of at most {SHORT >> 10} kB.")
@click.option("--closed", "shut", is_flag=True, help="Each command in a folder that can only be read.")
@click.option("--only", multiple=True, type=click.Choice(list(COMMANDS)), help="Only these commands.")
@click.option("--seed", type=int, default=1, show_default=True)
def main(
    kills: int, twice: int, flips: int, memory: bool, clock: bool, short: bool, shut: bool, only: tuple[str, ...], seed: int
) -> None:
    """Disturb every command that writes; exit code 1 if there are faults."""
    with tempfile.TemporaryDirectory(prefix="newdawn-faults-") as name:
        check = FaultCheck(Path(name).resolve(), seed)
        for command in only or COMMANDS:
            for _ in range(kills):
                check.killed(command)
            for _ in range(twice):
                check.twice(command)
            if memory:
                check.limited(command)
            if clock:
                check.set_back(command)
            if short:
                check.short(command)
            if shut:
                check.shut(command)
            if flips and command in READERS:
                check.flipped(command, -(-flips // len(READERS)))
            click.echo(f"{command}: {dict(check.counts)}", err=True)
    for what, count in sorted(check.counts.items()):
        click.echo(f"{count:5}  {what}")
    click.echo("\n".join(check.faults))
    sys.exit(1 if check.faults else 0)


if __name__ == "__main__":
    main()
