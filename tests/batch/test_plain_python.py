"""The engine as plain Python plays the games of the compiled engine: NUMBA_DISABLE_JIT=1, for debuggers and for
`scripts/checks/mutation.py`.

NumPy's small integers overflow there where compiled code counts on in 64 bits.
"""

import hashlib
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from newdawn.simulator.batch.run import Silent, play_range
from newdawn.simulator.games.plan import available_leaders, make_plan
from newdawn.simulator.rules import load_ruleset

ROOT = Path(__file__).resolve().parents[2]


def digest(strategy: str, players: int) -> str:
    """Return a digest of the rows of one game among copies of the strategy."""
    r = load_ruleset().compile()
    plan = make_plan(players=players, games=1, seed=11, available_leaders=available_leaders(r), strategies=[strategy])
    rows = play_range(plan, r, 0, 1, Silent())
    return hashlib.sha256(b"".join(table.tobytes() for table in (rows.games, rows.seats, rows.wonders))).hexdigest()


@pytest.mark.parametrize(("strategy", "players"), [("planner", 4), ("random", 2)])
def test_plain_python_plays_the_same_game(strategy, players):
    code = f"import test_plain_python as test; test.quietly(); print(test.digest({strategy!r}, {players}))"
    folders = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": folders}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == digest(strategy, players)


def quietly() -> None:
    """Let the random numbers wrap around unsaid (engine/rng.py counts modulo 2**64); any other warning is an error."""
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning, "newdawn.simulator.engine.core.rng")
