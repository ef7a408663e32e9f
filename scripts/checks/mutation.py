"""Break the engine in many small places, one at a time, and report which breaks no rule test notices.

    python -m newdawn.scripts.checks.mutation --sample 300 --seed 1
    python -m newdawn.scripts.checks.mutation --modules trade --modules military --jobs 2 --json survivors.json
    python -m newdawn.scripts.checks.mutation --modules armies --modules battle --tests "tests/rules/ti/*.py" --jobs 16

A break (a mutant) changes one number by one, one comparison, + or -, `and` or `or`, drops a `not`, a call, an assignment
or a `return`, flips True and False, swaps min and max, or cuts one end off a range.

The engine runs as plain Python here (compiling each break would take a minute). One process imports the engine and
collects the tests; every break lives in a fork of it, where the code of one function is exchanged in place, so that all
who imported the function see the break and nobody after it does. No file is touched. A first pass with a marker in
front of every statement tells which tests reach it; a break is shown only to those, narrow tests first. A test that
needs ten times its usual time has noticed the break too.

Not broken: what is only written down and never played from (RECORDS below): rows of the log, the hints a question
carries for strategies, figures for the outcome tables.
"""

from __future__ import annotations

import ast
import copy
import gc
import glob
import importlib
import json
import operator
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[2]
ENGINE = "simulator/engine"
MODULES = (
    "hexes", "pieces", "trade", "agendas", "culture", "science", "diplomacy", "economy", "industry", "military",
    "combat", "barbarians", "start_effects", "turn", "play", "setup", "metrics", "loans", "draws", "exploring", "frontier",
    "dial", "growth", "districts", "armies", "battle", "taking", "cities", "counts",
)  # fmt: skip
TESTS = (
    "tests/rules/test_*.py", "tests/rules/ti/test_*.py", "tests/engine/test_setup.py", "tests/engine/test_map.py",
    "tests/engine/test_distances.py",
)  # fmt: skip
EQUIVALENT = ROOT / "tests" / "rules" / "equivalent_mutants.txt"

# Only written down: calls of these functions, and assignments to fields whose names start so.
RECORD_CALLS = ("log", "ask_combat")
RECORDS = ("ask_", "stat_", "wonder_round_", "wonder_builder", "wonder_captures", "claimed_round")

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add}
LOGIC = {ast.And: ast.Or, ast.Or: ast.And}
EXTREMES = {"min": "max", "max": "min"}

UNNOTICED = ("survived", "not reached")
MARKER = "_reached"  # bytes in the globals of every engine module while the reach of the tests is learnt
LEAST_SECONDS, SLOWER = 3.0, 10.0  # a test may take so long, or so many times its usual time

# --- the breaks


def home(module: str) -> str:
    """Return the path of an engine module from the root of the repository; made-up ones of tests lie in ENGINE itself."""
    path = next((ROOT / ENGINE).rglob(f"{module}.py"), ROOT / ENGINE / f"{module}.py")
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Function:
    """One engine function as it stands in its file."""

    module: str
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        return f"{self.module}.{self.node.name}"

    def code(self) -> CodeType:
        """Compile the function as its tree stands now."""
        plain = copy.copy(self.node)
        plain.decorator_list = []
        tree = ast.fix_missing_locations(ast.Module([plain], []))
        module = compile(tree, str(ROOT / home(self.module)), "exec")
        return next(c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == self.node.name)


@dataclass(frozen=True)
class Place:
    """Where a node stands: `parent.field`, or at `index` of the list there. `record`: it is only written down."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    record: bool

    def put(self, node: ast.AST) -> ast.AST:
        """Put another node in the place and return what was there."""
        holder = getattr(self.parent, self.field)
        if self.index is None:
            setattr(self.parent, self.field, node)
            return holder
        old = holder[self.index]
        holder[self.index] = node
        return old


@dataclass(frozen=True)
class Mutant:
    """One break: `new` in a place of the function."""

    function: Function
    statement: int  # number of the statement within the function
    line: int
    place: Place
    new: ast.AST
    change: str
    record: bool  # only changes what is written down

    @property
    def name(self) -> str:
        return f"{self.function.name}: {self.change}"

    def code(self) -> CodeType:
        """Compile the function with the break."""
        old = self.place.put(self.new)
        try:
            return self.function.code()
        finally:
            self.place.put(old)


Hints = dict[str, set[int]]  # by function: positions of the parameters that are only written down


def header(statement: ast.stmt) -> str:
    """Return the statement's own text, without the statements inside it."""
    if isinstance(statement, (ast.If, ast.While)):
        return f"{'if' if isinstance(statement, ast.If) else 'while'} {ast.unparse(statement.test)}"
    if isinstance(statement, ast.For):
        return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
    return ast.unparse(statement).replace("\n", " ")


def with_operator(node: Any, new: ast.AST) -> ast.AST:
    """Return the node with another operator."""
    changed = copy.copy(node)
    changed.op = new
    return changed


def with_argument(node: ast.Call, index: int, change: ast.operator) -> ast.Call:
    """Return the call with one added to an argument, or taken off it."""
    changed = copy.copy(node)
    changed.args = list(node.args)
    changed.args[index] = ast.BinOp(node.args[index], change, ast.Constant(1))
    return changed


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """Return what may stand in the place of the expression."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            if type(op) in COMPARISONS:
                changed = copy.copy(node)
                changed.ops = [*node.ops[:k], COMPARISONS[type(op)](), *node.ops[k + 1 :]]
                yield changed
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield with_operator(node, ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield with_operator(node, LOGIC[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from call_variants(node, node.func.id)


def call_variants(node: ast.Call, name: str) -> Iterator[ast.AST]:
    """Return the range with an end cut off (numbers in it have variants of their own), or min for max."""
    if name in EXTREMES:
        changed = copy.copy(node)
        changed.func = ast.Name(EXTREMES[name], ast.Load())
        yield changed
    if name == "range":
        stop = min(1, len(node.args) - 1)
        if not isinstance(node.args[stop], ast.Constant):
            yield with_argument(node, stop, ast.Sub())
        if stop == 1 and not isinstance(node.args[0], ast.Constant):
            yield with_argument(node, 0, ast.Add())


def droppable(statement: ast.stmt) -> bool:
    """May the statement be left out? (Without the first value of a local name nothing runs at all: no news.)"""
    if isinstance(statement, ast.Assign):
        return not isinstance(statement.targets[0], (ast.Name, ast.Tuple))
    return isinstance(statement, (ast.Expr, ast.AugAssign, ast.Return, ast.Continue, ast.Break))


def is_record(statement: ast.stmt) -> bool:
    """Does the statement only write down what happened, or hints for strategies?"""
    if isinstance(statement, ast.Expr):
        call = statement.value
        return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in RECORD_CALLS
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        target = target.value if isinstance(target, ast.Subscript) else target
        return isinstance(target, ast.Attribute) and target.attr.startswith(RECORDS)
    return isinstance(statement, ast.If) and not statement.orelse and all(is_record(s) for s in statement.body)


def statements(node: ast.AST) -> Iterator[tuple[ast.AST, str, int, ast.stmt]]:
    """Return every statement inside the node with its place, docstrings left out."""
    for field in ("body", "orelse"):
        for index, statement in enumerate(getattr(node, field, None) or []):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            yield node, field, index, statement
            yield from statements(statement)


def expressions(node: ast.AST, hints: Hints, record: bool = False) -> Iterator[Place]:
    """Return every expression of a statement's own text with its place."""
    skip = hints.get(node.func.id, set()) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else set()
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            yield Place(node, field, None, value, record)
            yield from expressions(value, hints, record)
        elif isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, ast.expr):
                    written_down = record or (field == "args" and index in skip)
                    yield Place(node, field, index, each, written_down)
                    yield from expressions(each, hints, written_down)


def hint_parameters(functions: list[Function]) -> Hints:
    """Return the parameters (by function, their positions) that the functions only write down or hand on to such."""
    names = {f.node.name: [a.arg for a in f.node.args.args] for f in functions}
    hints: Hints = {name: set(range(len(parameters))) for name, parameters in names.items()}
    changed = True
    while changed:
        changed = False
        for function in functions:
            used = used_in_play(function, hints)
            mine = hints[function.node.name]
            played = {i for i in mine if names[function.node.name][i] in used}
            changed = changed or bool(played)
            mine -= played
    return hints


def used_in_play(function: Function, hints: Hints) -> set[str]:
    """Return the names in the function that do more than being written down."""
    used: set[str] = set()
    in_record: set[int] = set()
    for _, _, _, statement in statements(function.node):
        if is_record(statement) or id(statement) in in_record:
            in_record.update(id(s) for *_, s in statements(statement))
            continue
        used.update(p.node.id for p in expressions(statement, hints) if isinstance(p.node, ast.Name) and not p.record)
    return used


def substance(code: CodeType) -> tuple[Any, ...]:
    """Return what makes the code do what it does."""
    return code.co_code, code.co_consts, code.co_names, code.co_varnames


def mutants_of(function: Function, hints: Hints) -> list[Mutant]:
    """Return every break of one function."""
    found: list[Mutant] = []
    in_record: set[int] = set()
    last, unbroken = function.node.body[-1], substance(function.code())
    for number, (parent, field, index, statement) in enumerate(statements(function.node)):
        record = is_record(statement) or id(statement) in in_record
        if record:
            in_record.update(id(s) for *_, s in statements(statement))
        before = header(statement)
        places = [(p, new) for p in expressions(statement, hints) for new in variants(p.node)]
        whole = Place(parent, field, index, statement, False)
        if isinstance(statement, ast.AugAssign) and type(statement.op) in ARITHMETIC:
            places.append((whole, with_operator(statement, ARITHMETIC[type(statement.op)]())))
        if droppable(statement) and statement is not last:
            places.append((whole, ast.Pass()))
        for place, new in places:
            old = place.put(new)
            after = header(getattr(parent, field)[index])
            place.put(old)
            change = f"`{before}` dropped" if after == "pass" else f"`{before}` -> `{after}`"
            mutant = Mutant(function, number, statement.lineno, place, new, change, record or place.record)
            if substance(mutant.code()) != unbroken:
                found.append(mutant)
    return found


def functions_of(module: str, source: str) -> list[Function]:
    """Return the functions of a module's source."""
    return [Function(module, node) for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]


# --- which tests reach which statement


def marked_code(function: Function, first: int) -> tuple[CodeType, int]:
    """Return the function's code with a marker in front of each statement, and how many; numbers start at `first`."""
    places = list(statements(function.node))
    marked = copy.deepcopy(function.node)
    for k, (parent, field, _, statement) in reversed(list(enumerate(list(statements(marked))))):
        body = getattr(parent, field)
        body.insert(body.index(statement), ast.parse(f"{MARKER}[{first + k}] = 1").body[0])
    return Function(function.module, marked).code(), len(places)


def live_function(function: Function) -> FunctionType:
    """Return the engine function that is imported."""
    module = importlib.import_module(f"newdawn.{home(function.module)[:-3].replace('/', '.')}")
    live = getattr(module, function.node.name)
    assert isinstance(live, FunctionType), f"{function.name} is compiled: NUMBA_DISABLE_JIT must be set first"
    return live


def writer(name: str) -> Any:
    """Return a function that sets the field of a record."""
    return lambda record, value: operator.setitem(record, name, value)


def quicken() -> None:
    """Make plain-Python play several times as quick: numpy looks up record fields in Python code, and a grid is cleared
    cell by cell."""
    import numpy as np

    from ...simulator.engine.board import mapping
    from ...simulator.engine.core import state
    from ...simulator.engine.core.jit import BOTS
    from ...simulator.games.rows import AGENDA_ROW, GAME_ROW, SEAT_ROW, SEATING, WONDER_ROW
    from ...simulator.rules.record import RULES

    np.seterr(over="ignore")  # random numbers wrap around
    record: Any = np.record
    slow = record.__getattribute__
    # All records that compiled code writes: what is left out would be set on the Python object, and the field stay as it was.
    dtypes = (state.STATE, state.WORK, RULES, BOTS, SEATING, GAME_ROW, SEAT_ROW, WONDER_ROW, AGENDA_ROW)
    methods = set(dir(record)) - {"round"}  # of agenda rows; nobody rounds a record
    fields = {name for dtype in dtypes for name in dtype.names or ()} - methods
    del record.__getattribute__, record.__setattr__, record.__getitem__
    for name in fields:
        setattr(record, name, property(operator.itemgetter(name), writer(name)))
    record.__getattr__ = slow

    # (lambda: its one name is looked up in the module of the function that gets its code)
    mapping.clear_grid.__code__ = eval("lambda w: w.grid.fill(NO_SPACE)").__code__


# --- running the tests


@dataclass
class Reach:
    """What the unbroken engine's tests showed: per test its time and the statements it reached."""

    seconds: dict[int, float]
    reached: dict[int, bytes]
    failing: list[str]


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
        sources = {m: (ROOT / home(m)).read_text("utf-8") for m in self.modules}
        functions = [f for m in self.modules for f in functions_of(m, sources[m])]
        for function in functions:
            live_function(function)
        quicken()
        self.warm_up()
        gc.collect()
        gc.freeze()
        self.first: dict[str, int] = {}
        reach = self.learn(functions)
        self.run_all(functions, reach)
        return True

    def warm_up(self) -> None:
        """Compile the printed rules once for all forks: no engine code runs there."""
        if "table" in sys.modules:
            sys.modules["table"].printed_rules()

    def fork(self, work: Any) -> tuple[int, Path]:
        """Run the work in a fork; its result is pickled into the returned file."""
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
        finally:
            os._exit(0)

    def run_test(self, index: int, after: int | None) -> None:
        item = self.items[index]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None if after is None else self.items[after])

    def learn(self, functions: list[Function]) -> Reach:
        """Run every test once on the unbroken engine, in as many processes as there are jobs."""
        codes, n = [], 0
        for function in functions:
            self.first[function.name] = n
            code, count = marked_code(function, n)
            codes.append(code)
            n += count

        def work(share: range) -> Reach:
            marks = bytearray(n)
            for function, code in zip(functions, codes, strict=True):
                live = live_function(function)
                live.__globals__[MARKER] = marks
                live.__code__ = code
            reach = Reach({}, {}, [])
            for index in share:
                marks[:] = bytes(n)
                begin = time.process_time()
                self.failed = None
                self.run_test(index, None)
                reach.seconds[index] = time.process_time() - begin
                reach.reached[index] = bytes(marks)
                if self.failed:
                    reach.failing.append(self.failed)
                    reach.reached[index] = bytes(n)
            return reach

        shares = [range(first, len(self.items), self.jobs) for first in range(self.jobs)]
        reach = Reach({}, {}, [])
        for pid, out in [self.fork(partial(work, share)) for share in shares]:
            os.waitpid(pid, 0)
            part: Reach = pickle.loads((out / "result").read_bytes())
            reach = Reach(reach.seconds | part.seconds, reach.reached | part.reached, reach.failing + part.failing)
            shutil.rmtree(out)
        seconds = sum(reach.seconds.values())
        click.echo(f"{len(self.items)} tests, {seconds:.0f} s of processor time; {n} statements", err=True)
        for name in reach.failing:
            click.echo(f"left out, fails on the unbroken engine: {name}", err=True)
        return reach

    def try_mutant(self, mutant: Mutant, tests: list[int], reach: Reach) -> Any:
        """Start a fork that runs the tests on the broken engine and returns the first that notices, or None."""
        code = mutant.code()

        def work() -> str | None:
            live_function(mutant.function).__code__ = code
            self.failed = None
            for k, index in enumerate(tests):
                signal.setitimer(signal.ITIMER_PROF, max(LEAST_SECONDS, SLOWER * reach.seconds[index]))
                self.run_test(index, tests[k + 1] if k + 1 < len(tests) else None)
                if self.failed is not None:
                    return self.failed
            return None

        return self.fork(work)

    def run_all(self, functions: list[Function], reach: Reach) -> None:
        sources = {m: (ROOT / home(m)).read_text("utf-8") for m in MODULES}
        hints = hint_parameters([f for m in MODULES for f in functions_of(m, sources[m])])
        mutants = [m for f in functions for m in mutants_of(f, hints)]
        self.records = sum(m.record for m in mutants)
        mutants = [m for m in mutants if not m.record]
        self.possible = len(mutants)
        if self.names is not None:
            mutants = [m for m in mutants if m.name in self.names]
        if self.sample is not None or self.minutes < float("inf"):  # in random order: what there is time for is a sample, too
            mutants = random.Random(self.seed).sample(mutants, min(len(mutants), self.sample or len(mutants)))
        # Cheap and narrow tests first: they are the likeliest to see a small break, and see it soonest.
        order = {i: (round(reach.seconds[i], 1), sum(marks)) for i, marks in reach.reached.items()}
        running: dict[int, tuple[Mutant, Path, int]] = {}
        begin = time.monotonic()
        for done, mutant in enumerate(mutants):
            if time.monotonic() - begin > 60 * self.minutes:
                click.echo(f"time is up: {done} of {len(mutants)} breaks tried", err=True)
                break
            at = self.first[mutant.function.name] + mutant.statement
            reaching = sorted((i for i, marks in reach.reached.items() if marks[at]), key=order.__getitem__)
            spent = list(accumulate(reach.seconds[i] for i in reaching))
            tests = [i for i, so_far in zip(reaching, spent, strict=True) if so_far <= self.seconds or i == reaching[0]]
            if not tests:
                self.note(mutant, "not reached", None, 0)
                continue
            pid, out = self.try_mutant(mutant, tests, reach)
            running[pid] = (mutant, out, len(tests))
            if len(running) >= self.jobs:
                self.wait_for_one(running)
            if done % 100 == 99:
                click.echo(f"{done + 1}/{len(mutants)} after {time.monotonic() - begin:.0f} s", err=True)
        while running:
            self.wait_for_one(running)

    def wait_for_one(self, running: dict[int, tuple[Mutant, Path, int]]) -> None:
        pid, status = os.wait()
        mutant, out, n = running.pop(pid)
        if os.WIFSIGNALED(status):
            self.note(mutant, "too slow" if os.WTERMSIG(status) == signal.SIGPROF else "crashed", None, n)
        elif not (out / "result").exists():
            self.note(mutant, "crashed", None, n)
        else:
            test = pickle.loads((out / "result").read_bytes())
            self.note(mutant, "noticed" if test else "survived", test, n)
        shutil.rmtree(out)

    def note(self, mutant: Mutant, what: str, test: str | None, tests: int) -> None:
        place = f"{home(mutant.function.module)}:{mutant.line}"
        if what in UNNOTICED:
            click.echo(f"{place} {mutant.name} ({what})", err=True)
        self.results.append({"place": place, "name": mutant.name, "result": what, "noticed_by": test, "tests": tests})


# --- the report


def read_equivalent(path: Path) -> dict[str, str]:
    """Return the known breaks that change nothing, with the reason: lines `name # reason` (`*: change` in any function)."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]
    return {name.strip(): reason.strip() for name, _, reason in (line.partition(" # ") for line in lines)}


def report(results: list[dict[str, Any]], equivalent: dict[str, str]) -> dict[str, Any]:
    """Return the score, module by module, and the survivors."""
    for row in results:
        if row["result"] in UNNOTICED and equivalent.keys() & {row["name"], "*" + row["name"][row["name"].index(":") :]}:
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
    from ...analysis.statistics.rates import wilson

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
@click.option("--sample", type=click.IntRange(1), help="Try so many breaks, drawn at random (default: all).")
@click.option("--seed", default=1, show_default=True, help="Seed of the sample.")
@click.option("--modules", multiple=True, type=click.Choice(MODULES), help="Break only this module (repeatable).")
@click.option("--tests", multiple=True, help="Test files instead of the rule tests (repeatable, * allowed).")
@click.option("--again", type=click.Path(path_type=Path), help="Try only what the run with this --json did not notice.")
@click.option("--seconds", default=60.0, show_default=True, help="Tests shown one break, in seconds of their usual time.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Breaks tried at the same time.")
@click.option("--minutes", type=float, help="Start no break after so many minutes: those tried are a sample of all.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write every break and its result to the file.")
def main(sample, seed, modules, tests, again, seconds, jobs, minutes, json_file) -> None:  # type: ignore[no-untyped-def]
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
