"""Functions of users, compiled with a line for what is wrong: strategies, and those that a ruleset calls at moments."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

from ... import user_modules
from ...errors import UserError
from ...rules.record import RULES
from .. import state
from .jit import JIT_OFF, Compiled, ready, strategy_address

# --- Functions of users, compiled with a line for what is wrong
#
# Strategies, and those that a ruleset calls at moments (`effect: own_function`). `FromPython` is a strategy in plain Python,
# as compiled code calls it.

# How the engine calls a strategy: rules, game and workspace come as addresses.
CALL = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64,
    ctypes.c_uint64,
)  # fmt: skip
MOST_TABLES = 256  # remembered: a worker thread has one


def places(r: np.record) -> list[tuple[str, str]]:
    """Return where the functions of a compiled ruleset are (module:name), with the digests of their files."""
    texts = [bytes(row).rstrip(b"\0").decode() for row in r.function_text[: r.n_functions]]
    return [(place, digest) for place, _, digest in (text.partition("#") for text in texts)]


def compiled(what: str, function: Any, decorator: str, otherwise: str = "") -> Any:
    """Return the function, compiled now, to say in a line what is wrong with it; `otherwise`: what else it might be."""
    if JIT_OFF:
        return function
    if not isinstance(function, Compiled):
        how = f"decorate its function with @{decorator} (from newdawn.strategies import {decorator})"
        raise UserError(f"{what}: {how}{otherwise}")
    try:
        ready(function)
    except Exception as error:
        raise UserError(f"{what}: {function.__module__} cannot be compiled: {user_modules.in_a_line(error)}") from None
    return function


def load(r: np.record) -> list[Any]:
    """Import and compile the functions of the ruleset, write their addresses into it and return them.

    Raises UserError if a function is not there, not what it was when the rules were read, or cannot be compiled.
    """
    functions = []
    for number, (place, digest) in enumerate(places(r)):
        what, module = f"own function {place}", place.partition(":")[0]
        if user_modules.digest_of(module) != digest:
            raise UserError(f"{what}: {module} has changed since its house rules were read, or is missing")
        functions.append(compiled(what, user_modules.imported(what, place), "deed"))
        r.function_address[number] = strategy_address(functions[-1])
    return functions


# --- strategies in plain Python


def record_at(address: int, dtype: np.dtype, writeable: bool = True) -> Any:
    """Return the record that lies at an address."""
    memory = (ctypes.c_char * dtype.itemsize).from_address(address)
    record = np.ndarray((1,), dtype, memory)
    record.flags.writeable = writeable
    return record.view(np.recarray)[0]


class GameRecords:
    """The records of a game, and what of them a strategy in Python is asked with: reading a field of a record takes long."""

    def __init__(self, rules: Any, game: Any, work: Any) -> None:
        self.rules, self.game, self.work = rules, game, work
        self.options, self.notes = work.option, game.notes


class CalledTable(GameRecords):
    """A table as the engine shows it to a strategy: only its notes can be written to."""

    def __init__(self, r_at: int, g_at: int, w_at: int) -> None:
        game = record_at(g_at, state.STATE)
        super().__init__(record_at(r_at, RULES, False), record_at(g_at, state.STATE, False), record_at(w_at, state.WORK, False))
        self.notes = game.notes
        fault = (ctypes.c_char * 4).from_address(w_at + state.WORK.fields["fault_n"][1])  # type: ignore[index]
        self.fault = np.ndarray((1,), np.int32, fault)


_tables: dict[tuple[int, int, int], CalledTable] = {}
_raised = threading.local()


class WrongAnswer(Exception):
    """A strategy in Python has no answer that is the index of an option; the message says what it does."""


class FromPython:
    """A strategy in Python. Compiled code calls it by the `address` of a function of C's, Python like a compiled one."""

    def __init__(self) -> None:
        self.callback = CALL(self._called)  # it has to stay: compiled code has no more than its address

    @property
    def address(self) -> int:
        """Where the function lies that compiled code calls."""
        return ctypes.cast(self.callback, ctypes.c_void_p).value or 0

    def answer(self, table: GameRecords, seat: int, kind: int, n: int, u: int) -> int:
        """Return the index of the option that the seat chooses."""
        raise NotImplementedError

    def __call__(self, r: Any, g: Any, w: Any, seat: int, kind: int, n: int, u: int) -> int:
        return self.answer(GameRecords(r, g, w), seat, kind, n, int(u))

    def _called(self, r_at: int, g_at: int, w_at: int, seat: int, kind: int, n: int, u: int) -> int:
        """Answer compiled code, into which nothing can be raised: an error is kept for whoever plays the game (`taken_error`).

        It finds an answer that is none, and after that nobody is asked until the game stops.
        """
        key = (r_at, g_at, w_at)
        table = _tables.get(key)
        if table is None:
            if len(_tables) > MOST_TABLES:
                _tables.clear()
            table = _tables[key] = CalledTable(*key)
        if table.fault[0]:
            return 0
        try:
            return self.answer(table, seat, kind, n, u)
        except BaseException as error:
            _raised.error = error
            return -1


def taken_error() -> BaseException | None:
    """Return what a strategy in Python has raised in this thread, once."""
    error, _raised.error = getattr(_raised, "error", None), None
    return error


def said(error: BaseException) -> str:
    """Return in words what a function of a user's has done wrong."""
    if isinstance(error, WrongAnswer):
        return str(error)
    return f"raises {type(error).__name__}: {' '.join(str(error).split()) or 'without a word'}"
