"""The engine as plain Python plays the games of the compiled engine: NUMBA_DISABLE_JIT=1, for debuggers and for
`scripts/checks/mutation.py`.

NumPy's small integers overflow there where compiled code counts on in 64 bits. And an index below zero counts from the end
there, which compiled code does not ask for (engine/compile/jit.py): here it is an error.
"""

import hashlib
import operator
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile.jit import jit
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import kernel
from newdawn.simulator.runs.run import Silent, play_range
from newdawn.simulator.runs.run_plan import plan_by

ROOT = Path(__file__).resolve().parents[2]


class FromTheBeginning(np.ndarray):
    """An array without indices below zero."""

    def __getitem__(self, index):
        return super().__getitem__(not_below_zero(index))

    def __setitem__(self, index, value):
        super().__setitem__(not_below_zero(index), value)


def not_below_zero(index):
    """Return the index of an array, one number or several, if it is none that counts from the end."""
    for number in index if isinstance(index, tuple) else (index,):
        if not isinstance(number, slice) and operator.index(number) < 0:
            raise IndexError(f"index {index} counts from the end")
    return index


class Strict:
    """A record whose arrays have no indices below zero."""

    def __init__(self, record):
        self.__dict__.update(record=record, arrays={})

    def __getattr__(self, name):
        value = getattr(self.record, name)
        if not isinstance(value, np.ndarray):
            return value
        return self.arrays.setdefault(name, value.view(FromTheBeginning))

    def __setattr__(self, name, value):
        setattr(self.record, name, value)

    __getitem__, __setitem__ = __getattr__, __setattr__


class StrictStates:
    """The kernel's two games (`play_batch`); the one that is played is strict."""

    def __init__(self, states):
        self.states = states

    def __getitem__(self, place):
        return Strict(self.states[0]) if place == 0 else self.states[place]

    def __setitem__(self, place, value):
        self.states[place] = value


def strictly() -> None:
    """Let an index below zero be an error."""
    play_batch = kernel.play_batch
    kernel.play_batch = lambda r, w, bots, states, *others: play_batch(
        Strict(r), Strict(w), bots, StrictStates(states), *others
    )


def digest(strategy: str, players: int, rounds: int) -> str:
    """Return a digest of the rows of one game among copies of the strategy."""
    r = load_ruleset().compile()
    plan = plan_by(r, players=players, games=1, seed=11, strategies=[strategy], round_cap=rounds)
    rows = play_range(plan, r, 0, 1, Silent())
    return hashlib.sha256(b"".join(table.tobytes() for table in (rows.games, rows.seats, rows.wonders))).hexdigest()


SHORT = (("random", 4, 30), ("autoplayer", 3, 8))  # strategy, players, most rounds
LONG = (("planner", 2, 99), ("fast", 2, 3), ("quick", 2, 2))


@pytest.mark.parametrize("games", [SHORT, pytest.param(LONG, marks=pytest.mark.soak)])
def test_plain_python_plays_the_same_games(games):
    code = f"import test_plain_python as test; test.quietly(); test.strictly(); test.play_all({games})"
    folders = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": folders}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.split() == [digest(*game) for game in games]


def play_all(games) -> None:
    """Print the digests of the games: in one process, since plain Python takes seconds to start."""
    for game in games:
        print(digest(*game))


def quietly() -> None:
    """Let the random numbers wrap around unsaid (engine/rng.py counts modulo 2**64); any other warning is an error."""
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning, "newdawn.simulator.engine.choosing")


@jit
def last_mark(w):
    """Read an array's last place, as a strategy of a user's might."""
    return w.mark[-1]


def test_a_users_function_may_count_from_the_end():
    w = state.new_work()
    w.mark[len(w.mark) - 1] = 7
    assert last_mark(w) == 7


def test_an_index_below_zero_is_seen():
    with pytest.raises(IndexError, match="counts from the end"):
        getattr(last_mark, "py_func", last_mark)(Strict(state.new_work()))
