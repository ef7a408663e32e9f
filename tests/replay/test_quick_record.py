"""Records read fast (replay/stepper.py) show what records of NumPy show, also after a compiled function has written."""

from __future__ import annotations

import numba
import numpy as np

from newdawn.simulator.engine import state
from newdawn.simulator.replay.stepper import quick_record


@numba.njit
def _write(g):
    g.players = 3
    g.owner[7] = 2
    return g.players + g.owner[7]


def test_a_quick_record_is_a_view_that_shows_what_is_written_later():
    rows = np.zeros(1, state.STATE)
    quick, plain = quick_record(rows), rows.view(np.recarray)[0]
    owners = quick.owner
    assert _write(quick) == _write(plain) == 5
    assert (quick.players, owners[7]) == (3, 2)
    plain.players, plain.owner[7] = 4, 1
    assert (quick.players, quick.owner[7]) == (4, 1)
    quick.players = 2
    quick.owner[7] = 0
    assert (plain.players, plain.owner[7]) == (2, 0)


def test_every_field_of_a_quick_record_reads_as_in_a_record_of_numpy():
    rows = np.frombuffer(np.random.default_rng(5).bytes(state.STATE.itemsize), state.STATE).copy()
    quick, plain = quick_record(rows), rows.view(np.recarray)[0]
    for name in state.STATE.names:
        assert np.array_equal(getattr(quick, name), getattr(plain, name), equal_nan=rows[name].dtype.kind == "f"), name
    assert type(quick.players) is type(plain.players)
