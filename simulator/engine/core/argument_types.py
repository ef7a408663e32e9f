"""How numba sees the records that engine functions take."""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from ... import limits
from ...rules.record import RULES
from . import state

# A strategy is passed by the address of its compiled code (its number in `PLAIN_STRATEGIES` when JIT is off).
BOTS = np.dtype([("address", "i8", (limits.MAX_PLAYERS,)), ("observer", "i8")], align=True)


_words = types.Record.__repr__


def _words_once(record: types.Record) -> str:
    """Return numba's words for a record; it asks for them in every step of compiling, an eighth of the time."""
    kept = vars(record)
    if "words" not in kept:
        kept["words"] = _words(record)
    return str(kept["words"])


types.Record.__repr__ = _words_once  # type: ignore[method-assign, assignment]


def record_type(dtype: np.dtype) -> types.Type:
    """Return the numba type of one record of the dtype."""
    return numba.typeof(np.zeros(1, dtype).view(np.recarray)[0])


RULES_TYPE = record_type(RULES)
STATE_TYPE = record_type(state.STATE)
WORK_TYPE = record_type(state.WORK)
BOTS_TYPE = record_type(BOTS)
RECORD_TYPES = {"rules": RULES_TYPE, "state": STATE_TYPE, "work": WORK_TYPE, "bots": BOTS_TYPE}
