"""The engine as plain Python, made faster, and which of its statements each test reaches.

That takes a run of every test, minutes in all. The reach of a file of tests is kept with the user's caches until the file, the
engine, the data or the shared modules of the tests change, so a pass that was cut short continues where it stopped.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib
import json
import operator
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from ...simulator import compile_cache
from .breaks import ROOT, Function, home, statements

MARKER = "_reached"  # bytes in the globals of every engine module during the first pass
PLAYED = (".py", ".yaml")


def marked_code(function: Function, first: int) -> tuple[CodeType, int]:
    """Return the function's code with a marker before each statement, and their number; marks start at `first`."""
    places = list(statements(function.node))
    marked = copy.deepcopy(function.node)
    for k, (parent, block, _, statement) in reversed(list(enumerate(list(statements(marked))))):
        body = getattr(parent, block)
        body.insert(body.index(statement), ast.parse(f"{MARKER}[{first + k}] = 1").body[0])
    return Function(function.module, marked).code(), len(places)


def live_function(function: Function) -> FunctionType:
    """Return the imported engine function."""
    module = importlib.import_module(f"newdawn.{home(function.module)[:-3].replace('/', '.')}")
    live = getattr(module, function.node.name)
    assert isinstance(live, FunctionType), f"{function.name} is compiled: NUMBA_DISABLE_JIT must be set first"
    return live


def writer(name: str) -> Any:
    """Return a function that sets the field of a record."""
    return lambda record, value: operator.setitem(record, name, value)


def quicken() -> None:
    """Make play in plain Python several times as fast: by quick access to record fields, and to clear the grid."""
    import numpy as np

    from ...simulator.engine import map, state
    from ...simulator.engine.compile.argument_types import BOTS
    from ...simulator.rules.record import RULES
    from ...simulator.runs.columns import AGENDA_ROW, GAME_ROW, SEAT_ROW, SEATING, WONDER_ROW

    np.seterr(over="ignore")  # random numbers wrap around
    record: Any = np.record
    slow = record.__getattribute__
    # All records that compiled code writes: fields of others would be set on the Python object only.
    dtypes = (state.STATE, state.WORK, RULES, BOTS, SEATING, GAME_ROW, SEAT_ROW, WONDER_ROW, AGENDA_ROW)
    methods = set(dir(record)) - {"round"}  # a field of agenda rows
    fields = {name for dtype in dtypes for name in dtype.names or ()} - methods
    del record.__getattribute__, record.__setattr__, record.__getitem__
    for name in fields:
        setattr(record, name, property(operator.itemgetter(name), writer(name)))
    record.__getattr__ = slow

    # The global name of the lambda is looked up in the module of the function that gets its code.
    map.clear_grid.__code__ = eval("lambda w: w.grid.fill(NO_SPACE)").__code__


# --- The kept reach


@dataclass
class Reach:
    """What tests reach on the unbroken engine, by their names."""

    limit: float  # seconds for each test
    seconds: dict[str, float] = field(default_factory=dict)  # processor time
    reached: dict[str, str] = field(default_factory=dict)  # a bit a statement, as hexadecimal digits
    failing: list[str] = field(default_factory=list)

    def add(self, other: Reach) -> None:
        """Add the reach of other tests."""
        self.seconds |= other.seconds
        self.reached |= other.reached
        self.failing += other.failing


def bits_of(marks: Sequence[int]) -> str:
    """Return marks, of which each is 0 or 1, as hexadecimal digits."""
    return f"{int('1' + ''.join(map(str, marks)), 2):x}"


def marks_of(bits: str) -> str:
    """Return the marks as a text of 0 and 1."""
    return f"{int(bits, 16):b}"[1:]


class KeptReach:
    """The kept reach of files of tests, in a folder of the user's caches (None: nothing is kept)."""

    def __init__(self, first: dict[str, int]) -> None:
        """`first`: number of the first statement of each function."""
        root = compile_cache.cache_root()
        self.folder = root / "reach" if root else None
        shared = [path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_")]
        engine = [path for top in ("simulator", "strategies") for path in (ROOT / top).rglob("*") if path.suffix in PLAYED]
        self.shared = hashlib.sha256(repr(first).encode())
        for path in sorted([*shared, *engine]):
            self.shared.update(path.read_bytes())

    def path(self, file: Path) -> Path | None:
        """Return the path of the kept reach of a file."""
        name = f"{file.stem}-{hashlib.sha256(str(file).encode()).hexdigest()[:12]}.json"
        return self.folder / name if self.folder else None

    def stamp(self, file: Path) -> str:
        """Return a digest of all that determines the reach of the file's tests."""
        digest = self.shared.copy()
        digest.update(file.read_bytes())
        return digest.hexdigest()

    def load(self, file: Path, tests: list[str], limit: float) -> Reach | None:
        """Return the kept reach of the file's tests; None if it is out of date, or some tests may have needed more time."""
        path = self.path(file)
        try:
            kept = json.loads(path.read_text("utf-8")) if path else {}
        except (OSError, ValueError):
            return None
        if kept.pop("stamp", "") != self.stamp(file):
            return None
        reach = Reach(**kept)
        in_time = reach.limit >= limit or not reach.failing
        return reach if in_time and set(tests) <= reach.seconds.keys() else None

    def save(self, file: Path, reach: Reach) -> None:
        """Keep the reach of the file's tests."""
        path = self.path(file)
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps({"stamp": self.stamp(file), **asdict(reach)}), "utf-8")
        part.replace(path)
