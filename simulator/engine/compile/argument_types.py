"""How numba sees what engine functions take: its type by the name of the parameter (see `jit`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numba
import numpy as np
from numba import types

from ... import names
from ...rules.record import RULES
from .. import state
from . import direct_calls

# A strategy is passed by the address of its compiled code (its number in `PLAIN_STRATEGIES` when JIT is off).
BOTS = np.dtype([("address", "i8", (names.MAX_PLAYERS,)), ("observer", "i8")], align=True)


_words = types.Record.__repr__


def _words_once(record: types.Record) -> str:
    """Return numba's words for a record; it asks for them in every step of compiling, an eighth of the time."""
    kept = vars(record)
    if "words" not in kept:
        kept["words"] = _words(record)
    return str(kept["words"])


if direct_calls.ARE_USED:
    types.Record.__repr__ = _words_once  # type: ignore[method-assign, assignment]


def record_dtype(fields: Any) -> np.dtype:
    """Return the dtype of the fields whose rows are records in plain Python, too: `np.empty(1, dtype)[0].field`."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


def record_type(dtype: np.dtype) -> types.Type:
    """Return the numba type of one record of the dtype."""
    return numba.typeof(np.zeros(1, dtype).view(np.recarray)[0])


RULES_TYPE = record_type(RULES)
STATE_TYPE = record_type(state.STATE)
WORK_TYPE = record_type(state.WORK)
BOTS_TYPE = record_type(BOTS)
RECORD_TYPES = {"rules": RULES_TYPE, "state": STATE_TYPE, "work": WORK_TYPE, "bots": BOTS_TYPE}
RECORD_NAMES = {id(record): name for name, record in RECORD_TYPES.items()}  # numba has one object a type

PARAMETERS: dict[str, types.Type] = {"r": RULES_TYPE, "g": STATE_TYPE, "w": WORK_TYPE, "bots": BOTS_TYPE, "u": types.uint64}
FLOATS = frozenset({"x", "value", "weight"})
_declared: dict[str, dict[str, types.Type]] = {}  # by module
_meanings: dict[str, tuple[types.Type, str]] = {}  # of a name in this program, and the module that had it first


def declare_parameters(module: str, **kinds: types.Type) -> None:
    """Say what the functions of a module (its ``__name__``) take by these names. Elsewhere they mean what is said there."""
    _declared.setdefault(module, {}).update(kinds)


def parameter_type(module: str, name: str) -> types.Type:
    """Return the type of a parameter of this name in the functions of a module."""
    kinds = _declared.get(module, {}) | PARAMETERS
    return kinds.get(name, types.float64 if name in FLOATS else types.int64)


def mean_the_same(module: str, names: Iterable[str]) -> None:
    """Raise TypeError if a parameter of a function of this program has another type than in a module imported before."""
    for name in names:
        kind = parameter_type(module, name)
        other, where = _meanings.setdefault(name, (kind, module))
        if kind != other:
            raise TypeError(f"{module}: parameter {name} is {kind}, in {where} it is {other}; expected one type everywhere")
