"""The rows a finished game leaves, as the compiled code writes them: codes and counts, no names.

They follow from the declarations of `columns.py`, and a seat's row from the counters of the game's record as well;
`simulator/batch/tables.py` turns them into the columns users see. Sentinel -1 means "none", but for rounds, where 0 is "never".
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .. import limits
from ..engine.core import state
from . import columns
from .columns import Column

LIBRARY_SIZE = 32  # strategies in one run, counted as often as a pool names them
KINDS = {"bool": "i1", "category": "i1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "float64": "f8"}

# What the game counts for each seat: the kernel copies it into the seat's row. Numbers, and arrays of them.
_COUNTED = {
    name: state.STATE[name].shape[1:]
    for name in state.STATE.names or ()
    if name.startswith("stat_") and state.STATE[name].shape
}
COUNTERS = tuple(name for name, shape in _COUNTED.items() if not shape)
COUNTER_ARRAYS = tuple(name for name, shape in _COUNTED.items() if shape)


def _row(declared: Iterable[Column], *more: tuple[str, str, tuple[int, ...]]) -> np.dtype:
    """Return the row of a table: a field for each column that is not derived, or for several with places in it, and more."""
    fields: dict[str, tuple[str, tuple[int, ...]]] = {name: (kind, shape) for name, kind, shape in more}
    for column in declared:
        name = column.field or column.name
        if not column.derived and name not in _COUNTED:
            before = fields[name][1] if name in fields else column.at
            shape = tuple(max(size, place + 1) for size, place in zip(before, column.at, strict=True))
            fields[name] = (KINDS[column.type], shape)
    widest = sorted(fields.items(), key=lambda field: -np.dtype(field[1][0]).itemsize)
    return np.dtype([(name, *field) for name, field in widest], align=True)


GAME_ROW = _row(
    columns.GAMES,
    ("winner", "i1", (limits.MAX_PLAYERS,)),
    ("treated_seat", "i1", ()),  # of a randomised experiment (engine/course/treatment.py)
    ("treated", "i1", ()),  # names.TREATED_*
)
SEAT_ROW = _row(
    (*columns.SEATS, *columns.EXPANSION), *((name, state.STATE[name].base.str[1:], shape) for name, shape in _COUNTED.items())
)
WONDER_ROW, AGENDA_ROW = _row(columns.WONDERS), _row(columns.AGENDAS)

# Who sits where: a line-up rotates over the seats, a pool is drawn from for each seat.
SEATING = np.dtype(
    [
        ("leaders_drawn", "i1"),  # 1 = `leaders` is a pool, drawn without replacement
        ("n_leaders", "i2"),
        ("leaders", "i1", (limits.MAX_LEADERS,)),
        ("strategies_drawn", "i1"),  # 1 = `strategies` is a pool, drawn with replacement
        ("n_strategies", "i2"),
        ("strategies", "i1", (LIBRARY_SIZE,)),  # places in the library
    ],
    align=True,
)
