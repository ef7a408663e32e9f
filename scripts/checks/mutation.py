"""Break the engine in many small places, one at a time, and report which breaks no rule test notices.

    python -m newdawn.scripts.checks.mutation --sample 300 --seed 1
    python -m newdawn.scripts.checks.mutation --modules trade --modules military --jobs 2 --json survivors.json
    python -m newdawn.scripts.checks.mutation --modules armies --modules battle --tests "tests/rules/ti/*.py" --jobs 16

`breaks` says what a break is. The engine runs as plain Python here (compiling each break would take a minute). One process
imports the engine and collects the tests; every break is made in a fork of it, by exchanging the code of one function in place,
so that all importers of the function see it. No file is changed.

A first pass with a marker in front of every statement finds the tests that reach it (kept by `reach`); only those run against a
break, narrow ones first. Tests that take longer than --seconds are left out, and a test that takes ten times its usual time has
noticed the break. Limits are processor seconds, so that other work on the machine does not count.
"""

from __future__ import annotations

import gc
import glob
import json
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, groupby
from pathlib import Path
from types import CodeType
from typing import Any

import click

from ..cli.progress import LINE_SECONDS, clock
from .breaks import ROOT, Function, Mutant, functions_of, hint_parameters, home, mutants_of
from .reach import MARKER, KeptReach, Reach, bits_of, live_function, marked_code, marks_of, quicken

MODULES = (
    "armies", "barbarians", "battle", "combat", "counts", "culture", "diplomacy", "districts", "economy",
    "exploring", "growth", "industry", "map", "pieces", "science", "setup", "start_effects", "trade", "turn", "winning",
)  # fmt: skip
TESTS = (
    "tests/rules/test_*.py", "tests/rules/ti/test_*.py", "tests/engine/test_setup.py", "tests/engine/test_map.py",
    "tests/engine/test_distances.py",
)  # fmt: skip
EQUIVALENT = ROOT / "tests" / "rules" / "equivalent_mutants.txt"

UNNOTICED = ("survived", "not reached")
LEAST_SECONDS, SLOWER = 3.0, 10.0  # limit of a test on a broken engine: seconds, or times its usual time
PATIENCE = 40.0  # times that limit on the clock, for tests that wait for ever
LIMITS = tuple(getattr(signal, name) for name in ("SIGPROF", "SIGALRM") if hasattr(signal, name))  # both but on Windows

# --- Running the tests


class TooLong(BaseException):
    """A test exceeds its limit."""


def give_up(*_: Any) -> None:
    """Stop the running test."""
    raise TooLong


class TaskProgress:
    """Prints the progress of a long task, and its remaining time."""

    def __init__(self, task: str, total: int) -> None:
        self.task, self.total, self.done = task, total, 0
        self.begun = self.printed = time.monotonic()

    def add(self, done: int) -> None:
        """Count this many more as done, and print a line if it is time."""
        self.done += done
        now = time.monotonic()
        if now - self.printed >= LINE_SECONDS:
            self.printed = now
            left = (now - self.begun) / self.done * (self.total - self.done)
            click.echo(f"{self.task}: {self.done} of {self.total}, {clock(left)} left", err=True)


Ended = tuple[Any, int, Any]  # subject of a fork, its exit status, and its result, if it has one


class Mutation:
    """A pytest plugin that takes over once the tests are collected."""

    def __init__(self, modules: list[str], names: set[str] | None, sample: int | None, seed: int) -> None:
        self.modules, self.names, self.sample, self.seed = modules, names, sample, seed
        self.jobs, self.seconds, self.minutes, self.folder = 1, 60.0, float("inf"), Path(tempfile.gettempdir())
        self.failed: str | None = None
        self.results: list[dict[str, Any]] = []
        self.records = self.possible = 0
        self.error: str | None = None

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.failed is None:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: Any) -> bool:
        self.session = session
        self.items = session.items
        if session.testsfailed or not self.items:
            self.error = "no tests, or tests that cannot be collected"
            return True
        sources = {m: (ROOT / home(m)).read_text("utf-8") for m in MODULES}
        self.functions = [f for m in MODULES for f in functions_of(m, sources[m])]
        for function in self.functions:
            live_function(function)
        quicken()
        self.warm_up()
        gc.collect()
        gc.freeze()
        self.mark()
        self.run_all(self.learn())
        return True

    def warm_up(self) -> None:
        """Compile the printed rules once for all forks: no engine code runs there."""
        if "table" in sys.modules:
            sys.modules["table"].printed_rules()
            sys.modules["table"].ti_rules()

    def fork(self, work: Callable[[], Any]) -> tuple[int, Path]:
        """Do the work in a fork; return its process number, and the folder of its pickled result."""
        out = Path(tempfile.mkdtemp(dir=self.folder))
        pid = os.fork()
        if pid:
            return pid, out
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            self.session.config._tmp_path_factory._given_basetemp = out / "tmp"
            (out / "result").write_bytes(pickle.dumps(work()))
            os._exit(0)
        finally:
            os._exit(1)

    def in_forks(self, works: Iterator[tuple[Any, Callable[[], Any]]]) -> Iterator[Ended]:
        """Do each work, given with its subject, in a fork of its own, as many at a time as there are jobs."""
        running: dict[int, tuple[Any, Path]] = {}
        for about, work in works:
            pid, out = self.fork(work)
            running[pid] = about, out
            if len(running) == self.jobs:
                yield self.next_ended(running)
        while running:
            yield self.next_ended(running)

    def next_ended(self, running: dict[int, tuple[Any, Path]]) -> Ended:
        """Wait for the next fork to end."""
        pid, status = os.wait()
        about, out = running.pop(pid)
        result = pickle.loads((out / "result").read_bytes()) if status == 0 else None
        shutil.rmtree(out)
        return about, status, result

    def run_test(self, index: int, after: int | None, limit: float) -> None:
        """Run a test; a signal of LIMITS comes after this many seconds of a processor, and if need be again."""
        item = self.items[index]
        self.failed = None
        signal.setitimer(signal.ITIMER_PROF, limit, limit)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE * limit, PATIENCE * limit)
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None if after is None else self.items[after])
        except (Exception, TooLong):  # raised where pytest does not expect it, or in code without lines
            self.failed = item.nodeid
            self.session._setupstate.stack.clear()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    # --- The first pass

    def mark(self) -> None:
        """Number all statements of the engine."""
        self.marked: list[tuple[Function, CodeType]] = []
        self.first: dict[str, int] = {}
        self.statements = 0
        for function in self.functions:
            self.first[function.name] = self.statements
            code, n = marked_code(function, self.statements)
            self.marked.append((function, code))
            self.statements += n

    def learn(self) -> Reach:
        """Return what every test reaches on the unbroken engine, as kept, or by running it once."""
        kept, reach, unknown = KeptReach(self.first), Reach(self.seconds), {}
        for file, group in groupby(range(len(self.items)), key=lambda index: self.items[index].path):
            tests = list(group)
            loaded = kept.load(file, [self.items[index].nodeid for index in tests], self.seconds)
            if loaded is None:
                unknown[file] = tests
            else:
                reach.add(loaded)
        progress = TaskProgress("what tests reach", sum(map(len, unknown.values())))
        works = ((file, partial(self.look, tests)) for file, tests in unknown.items())
        for file, status, result in self.in_forks(works):
            progress.add(len(unknown[file]))
            if status != 0:
                click.echo(f"left out, its process ended: {file}", err=True)
                continue
            kept.save(file, result)
            reach.add(result)
        seconds = sum(reach.seconds.values())
        click.echo(f"{len(self.items)} tests, {seconds:.0f} s of processor time; {self.statements} statements", err=True)
        for name in reach.failing:
            click.echo(f"left out, fails on the unbroken engine or takes too long: {name}", err=True)
        return reach

    def look(self, tests: list[int]) -> Reach:
        """Run the tests with a marker in front of every statement."""
        marks = bytearray(self.statements)
        for function, code in self.marked:
            live = live_function(function)
            live.__globals__[MARKER] = marks
            live.__code__ = code
        for limit in LIMITS:
            signal.signal(limit, give_up)
        reach = Reach(self.seconds)
        for index in tests:
            name = self.items[index].nodeid
            marks[:] = bytes(self.statements)
            begin = time.process_time()
            self.run_test(index, None, self.seconds)
            reach.seconds[name] = time.process_time() - begin
            if self.failed:
                reach.failing.append(name)
            else:
                reach.reached[name] = bits_of(marks)
        return reach

    # --- The breaks

    def try_mutant(self, mutant: Mutant, tests: list[int], reach: Reach) -> str | None:
        """Run the tests on the broken engine and return the first that notices, or None. Runs in a fork."""
        live_function(mutant.function).__code__ = mutant.code()
        for k, index in enumerate(tests):
            after = tests[k + 1] if k + 1 < len(tests) else None
            self.run_test(index, after, max(LEAST_SECONDS, SLOWER * reach.seconds[self.items[index].nodeid]))
            if self.failed is not None:
                return self.failed
        return None

    def chosen(self) -> list[Mutant]:
        """Return the breaks to be tried."""
        hints = hint_parameters(self.functions)
        mutants = [m for f in self.functions if f.module in self.modules for m in mutants_of(f, hints)]
        self.records = sum(m.record for m in mutants)
        mutants = [m for m in mutants if not m.record]
        self.possible = len(mutants)
        if self.names is not None:
            mutants = [m for m in mutants if m.name in self.names]
        if self.sample is not None or self.minutes < float(
            "inf"
        ):  # in random order, so that those tried in time are a sample, too
            mutants = random.Random(self.seed).sample(mutants, min(len(mutants), self.sample or len(mutants)))
        return mutants

    def tests_by_statement(self, reach: Reach) -> list[list[int]]:
        """Return for each statement the tests that reach it, quick and narrow ones first, which notice small breaks soonest."""
        marks = {i: marks_of(reach.reached[item.nodeid]) for i, item in enumerate(self.items) if item.nodeid in reach.reached}
        order = sorted(marks, key=lambda i: (round(reach.seconds[self.items[i].nodeid], 1), marks[i].count("1")))
        return [[i for i in order if marks[i][at] == "1"] for at in range(self.statements)]

    def affordable(self, tests: list[int], reach: Reach) -> list[int]:
        """Return the first of the tests that fit into `seconds`."""
        spent = list(accumulate(reach.seconds[self.items[i].nodeid] for i in tests))
        return [i for i, so_far in zip(tests, spent, strict=True) if so_far <= self.seconds or i == tests[0]]

    def run_all(self, reach: Reach) -> None:
        """Try one break after the other."""
        mutants, reaching = self.chosen(), self.tests_by_statement(reach)
        begun, progress = time.monotonic(), TaskProgress("breaks", len(mutants))

        def works() -> Iterator[tuple[Any, Callable[[], Any]]]:
            for tried, mutant in enumerate(mutants):
                if time.monotonic() - begun > 60 * self.minutes:
                    click.echo(f"time is up: {tried} of {len(mutants)} breaks tried", err=True)
                    return
                tests = self.affordable(reaching[self.first[mutant.function.name] + mutant.statement], reach)
                if tests:
                    yield (mutant, len(tests)), partial(self.try_mutant, mutant, tests, reach)
                else:
                    self.note(mutant, "not reached", None, 0)
                progress.add(1)

        for (mutant, tests), status, result in self.in_forks(works()):
            if status == 0:
                self.note(mutant, "noticed" if result else "survived", result, tests)
            else:
                ended = os.WIFSIGNALED(status) and os.WTERMSIG(status) in LIMITS
                self.note(mutant, "too slow" if ended else "crashed", None, tests)

    def note(self, mutant: Mutant, what: str, test: str | None, tests: int) -> None:
        place = f"{home(mutant.function.module)}:{mutant.line}"
        if what in UNNOTICED:
            click.echo(f"{place} {mutant.name} ({what})", err=True)
        self.results.append({"place": place, "name": mutant.name, "result": what, "noticed_by": test, "tests": tests})


# --- The report


def read_equivalent(path: Path) -> dict[str, str]:
    """Return the listed breaks that change nothing, with the reason: lines `name # reason` (`*: change` in any function)."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in (line.partition(" # ") for line in lines)}


def listed_as(name: str) -> set[str]:
    """Return the names under which a break may be listed as equivalent: of its function, or of any."""
    return {name, "*" + name[name.index(":") :]}


def report(results: list[dict[str, Any]], equivalent: dict[str, str]) -> dict[str, Any]:
    """Return the score, module by module, and the survivors."""
    for row in results:
        if row["result"] in UNNOTICED and equivalent.keys() & listed_as(row["name"]):
            row["result"] = "equivalent"
    score: dict[str, dict[str, int]] = {}
    for row in results:
        if row["result"] == "equivalent":
            continue
        module = score.setdefault(row["name"].split(".")[0], {"breaks": 0, "noticed": 0})
        module["breaks"] += 1
        module["noticed"] += row["result"] not in UNNOTICED
    return {
        "breaks": sum(m["breaks"] for m in score.values()),
        "noticed": sum(m["noticed"] for m in score.values()),
        "equivalent": sum(row["result"] == "equivalent" for row in results),
        "modules": score,
        "survivors": [row for row in results if row["result"] in UNNOTICED],
    }


def spread(figures: dict[str, Any]) -> str:
    """Return Wilson's interval for the share that would be noticed of all possible breaks, if these are a random sample."""
    from ...analysis.stats.rates import wilson

    low, high = wilson(figures["noticed"], figures["breaks"])
    return f", 95% interval for all breaks {low:.1%} to {high:.1%}"


def print_report(figures: dict[str, Any], possible: int, records: int, sampled: bool) -> None:
    for row in sorted(figures["survivors"], key=lambda row: (row["place"].split(":")[0], int(row["place"].split(":")[1]))):
        reach = "no test reaches it" if row["result"] == "not reached" else f"{row['tests']} tests pass"
        click.echo(f"{row['place']} {row['name'].split('.', 1)[1]}  ({reach})")
    for module, score in figures["modules"].items():
        click.echo(f"{module:16} {score['noticed']:5} of {score['breaks']:5}  {score['noticed'] / score['breaks']:6.1%}")
    share = figures["noticed"] / max(1, figures["breaks"])
    click.echo(
        f"noticed {figures['noticed']} of {figures['breaks']} breaks ({share:.1%}{spread(figures) if sampled else ''}), "
        f"of {possible} possible ones;"
    )
    click.echo(f"not counted: {figures['equivalent']} known to change nothing, {records} that change only records and hints")


@click.command(help=(__doc__ or "").split("\n")[0])
@click.option("--sample", type=click.IntRange(1), help="Try this many breaks, drawn at random (default: all).")
@click.option("--seed", default=1, show_default=True, help="Seed of the sample.")
@click.option("--modules", multiple=True, type=click.Choice(MODULES), help="Break only this module (repeatable).")
@click.option("--tests", multiple=True, help="Test files instead of the rule tests (repeatable, * allowed).")
@click.option("--again", type=click.Path(path_type=Path), help="Try only what the run with this --json did not notice.")
@click.option("--seconds", default=60.0, show_default=True, help="Tests shown one break, in seconds of their usual time.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Breaks tried at the same time.")
@click.option("--minutes", type=float, help="Start no break after this many minutes: those tried are a sample of all.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write every break and its result to the file.")
def main(sample, seed, modules, tests, again, seconds, jobs, minutes, json_file) -> None:  # type: ignore[no-untyped-def]
    if not hasattr(os, "fork"):
        raise click.ClickException("it needs a system that can fork: Linux or macOS")
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    sys.path.insert(0, str(ROOT / "tests"))
    os.chdir(ROOT)
    import pytest

    files = sorted({file for pattern in tests or TESTS for file in glob.glob(pattern)})
    names = {row["name"] for row in json.loads(again.read_text("utf-8"))["survivors"]} if again else None
    plugin = Mutation(list(modules or MODULES), names, sample, seed)
    with tempfile.TemporaryDirectory() as folder:
        plugin.jobs, plugin.seconds, plugin.minutes, plugin.folder = jobs, seconds, minutes or plugin.minutes, Path(folder)
        options = ["-s", "-oaddopts=", *(f"-pno:{name}" for name in ("terminal", "cacheprovider", "warnings", "faulthandler"))]
        pytest.main([*options, *files], plugins=[plugin])
    if plugin.error or not plugin.results:
        raise click.ClickException(plugin.error or "nothing was tried")
    figures = report(plugin.results, read_equivalent(EQUIVALENT))
    print_report(figures, plugin.possible, plugin.records, sampled=(sample or minutes) is not None and again is None)
    if json_file:
        figures = {**figures, "possible": plugin.possible, "records": plugin.records, "results": plugin.results}
        json_file.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
