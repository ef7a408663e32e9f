"""Strategies made to do harm, or made by mistake: each ends in one line that says where, and nothing else is harmed."""

import importlib
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile import jit
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.record import RULES
from newdawn.simulator.runs import guard, guard_process
from newdawn.simulator.runs.run_plan import available_leaders, make_plan, plan_by

pytestmark = pytest.mark.skipif(jit.JIT_OFF, reason="plain Python says itself where an error is")

MODULE = '''"""Does harm."""

import numpy as np

from newdawn.simulator.engine.map import is_token
from newdawn.simulator.engine.compile.jit import jit, strategy


@strategy
def good(r, g, w, seat, kind, n, u):
    return 0


@strategy
def too_high(r, g, w, seat, kind, n, u):
    return n


@strategy
def negative(r, g, w, seat, kind, n, u):
    return -1


@strategy
def divides(r, g, w, seat, kind, n, u):
    return n // g.round_cap * (n // (seat - seat))


@strategy
def cheats(r, g, w, seat, kind, n, u):
    g.dial[seat] = 20
    return 0


@strategy
def rewrites(r, g, w, seat, kind, n, u):
    r.wonder_cost[0] = 0
    return 0


@strategy
def raises(r, g, w, seat, kind, n, u):
    if kind == 3:
        raise ValueError("what now?")
    return 0


@jit
def far_away(g, seat):
    return g.dial[seat + 100_000_000]


@strategy
def reads_beyond(r, g, w, seat, kind, n, u):
    return far_away(g, seat) % n


@strategy
def crashes(r, g, w, seat, kind, n, u):
    return 1 if is_token(g, 1 << 40) else 0


@strategy
def loops(r, g, w, seat, kind, n, u):
    k = 0
    while kind == 3:
        k += 1
    return k


@strategy
def later_too_high(r, g, w, seat, kind, n, u):
    return n if g.round_number > 3 else 0


@strategy
def later_raises(r, g, w, seat, kind, n, u):
    if g.round_number > 3:
        raise ValueError("what now?")
    return 0
'''
FRACTION = """from newdawn.simulator.engine.compile.jit import strategy


@strategy
def half(r, g, w, seat, kind, n, u):
    return n / 2
"""
SEEN = {
    "too_high": "answers 3, expected 0 to 2",
    "negative": "answers -1, expected 0 to 2",
    "divides": "raises ZeroDivisionError: integer division by zero",
    "cheats": "changes the game",
    "rewrites": "changes the rules",
    "reads_beyond": "raises IndexError: index is out of bounds",
}
FAULTS = {
    "raises": r"decision \d+ \(card\): raises ValueError: what now\?",
    "crashes": r"decision \d+ \(\w+\): crashes \(SIG\w+\)",
    "loops": r"decision \d+ \(card\): gives no answer for 1\.5 seconds, an endless loop\?",
}


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A working folder with the module in it; its name has not been imported before."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "hostile_bots.py").write_text(MODULE, "utf-8")
    (folder / "hostile_half.py").write_text(FRACTION, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "path", [str(folder), *sys.path])
        importlib.import_module("hostile_bots")
        yield folder
    sys.modules.pop("hostile_bots", None)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(guard, "DECISION_SECONDS", 1.5)
    monkeypatch.setattr(guard, "LEAST_GAMES", 1)


def a_plan(*names, **changes):
    r = load_ruleset().compile()
    strategies = [name if name == "random" else f"hostile_bots:{name}" for name in names]
    base = {"players": 2, "games": 40, "seed": 1, "available_leaders": available_leaders(r), "round_cap": 6}
    return make_plan(strategies=strategies, **(base | changes)), r


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


class Seen(Exception):
    """What a guarded strategy did."""


@pytest.mark.parametrize("name", SEEN)
def test_what_is_wrong_with_an_answer_is_seen(here, tmp_path, monkeypatch, name):
    def fault(_self, what):
        raise Seen(what)

    monkeypatch.setattr(guard_process.Guarded, "fault", fault)
    place = np.zeros(guard.ASKED + 1, np.int64)
    one = guard_process.Guarded(0, getattr(sys.modules["hostile_bots"], name), place, tmp_path)
    game = [np.zeros(1, dtype) for dtype in (RULES, state.STATE, state.WORK)]
    game[0]["wonder_cost"] = 7
    game[1]["round_cap"] = 1
    with pytest.raises(Seen, match=SEEN[name]):
        one.ask(*(record.ctypes.data for record in game), 1, 3, 3, 1)
    assert place[guard.SEAT] == 1
    assert place[guard.ASKED] == 1


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_strategy_game_seat_and_decision(here, name):
    plan, r = a_plan(name, "random")
    fault = guard.guarded_fault(plan, r)
    assert fault is not None
    assert re.fullmatch(rf"strategy hostile_bots:{name}: game 0, seat [12], {FAULTS[name]}", fault), fault


@pytest.mark.soak
def test_a_good_one_is_found_good_and_asked_once_a_process_only(here, monkeypatch):
    plan, r = a_plan("good")
    guard.vet(plan, r)
    monkeypatch.setattr(guard, "guarded_fault", None)
    guard.vet(plan, r)


def test_what_this_program_brings_along_is_not_guarded(monkeypatch):
    monkeypatch.setattr(guard, "guarded_fault", None)
    r = load_ruleset().compile()
    guard.vet(plan_by(r, players=2, games=2, seed=1), r)


def test_a_run_ends_with_one_line_and_code_2(here, tmp_path):
    result = call("run", "--players", 2, "--games", 4, "--strategies", "hostile_bots:cheats", "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert "strategy hostile_bots:cheats: game 0, seat" in result.output.splitlines()[-1]
    assert "changes the game" in result.output.splitlines()[-1]


def test_a_fraction_is_no_answer(here, tmp_path):
    result = call("run", "--players", 2, "--games", 4, "--strategies", "hostile_half:half", "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert "half answers with float64, expected a whole number, the index of an option" in result.output


@pytest.mark.parametrize(("name", "what"), [
    ("later_too_high", r"answers \d+, expected 0 to"), ("later_raises", r"raises ValueError: what now\?"),
])  # fmt: skip
def test_what_begins_only_in_later_games_is_named_as_well(here, tmp_path, monkeypatch, capfd, name, what):
    monkeypatch.setattr(guard, "vet", lambda plan, r: setattr(sys, "unraisablehook", guard._note_error))
    result = call(
        "run", "--players", 2, "--games", 100, "--strategies", f"hostile_bots:{name}", "--jobs", 1, "--quiet",
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert result.exit_code == 2, result.output
    place = rf"error: strategy hostile_bots:{name}: game \d+, seat [12], decision \d+ \(\w+\): {what}"
    assert re.match(place, result.output), result.output
    assert "Exception ignored" not in capfd.readouterr().err


@pytest.mark.parametrize(("code", "said"), [(-11, "SIGSEGV"), (0xC0000005, "0xC0000005")])
def test_a_crash_is_said_as_the_system_says_it(tmp_path, code, said):
    """Unix ends a process by a signal, Windows with a number."""
    place = np.zeros(guard.ASKED + 1, np.int64)
    assert guard._verdict(["strategy mine"], code, tmp_path, place, False).endswith(f": crashes ({said})")


@pytest.mark.parametrize("name", ["loops", "crashes"])
@pytest.mark.soak
def test_check_never_says_ok_of_these(here, name):
    result = call("strategies", "check", f"hostile_bots:{name}", "--games", 4, "--jobs", 1)
    assert result.exit_code == 1, result.output
    assert f"FAILED  every answer is legal, repeatable and changes nothing: strategy hostile_bots:{name}: game" in result.output
    assert "ok  " not in result.output


# --- Ctrl-C


START = "from newdawn.scripts.cli.start import main; main()"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_second_ctrl_c_ends_an_endless_loop_in_compiled_code(here, tmp_path):
    code = (
        "import sys; from newdawn.scripts.cli.main import watch; watch()\n"
        "import hostile_bots, numpy as np\n"
        "from newdawn.simulator.engine.state import new_state, new_work\n"
        "from newdawn.simulator.rules.record import RULES\n"
        "from newdawn.simulator.engine.compile.jit import ready\n"
        "r = np.zeros(1, RULES).view(np.recarray)[0]\n"
        "ready(hostile_bots.loops)\n"
        "print('now', flush=True)\n"
        "hostile_bots.loops(r, new_state(), new_work(), 0, 3, 2, np.uint64(1))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "now\n"
    time.sleep(2)  # the loop has begun by then, even on a busy machine
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said.strip() == "stopped at once; finished work is kept"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("module", ["click", "numba", "newdawn.simulator.engine.turn"])
def test_ctrl_c_while_the_program_is_loaded_is_no_traceback(module, tmp_path):
    """Stop the command where it imports a module: the import hook sends the signal."""
    code = (
        "import sys, os, signal, time\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT); time.sleep(5)\n"
        "sys.meta_path.insert(0, Stop())\n"
        f"sys.argv = ['newdawn', 'run', '--games', '2', '--out', {str(tmp_path / 'run')!r}]\n" + START
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode in (-signal.SIGINT, 130)
    assert "Traceback" not in done.stderr
    assert done.stderr.strip() in ("", "stopped")


def test_the_engine_keeps_the_first_illegal_answer(here):
    import hostile_bots

    from newdawn.simulator.engine.choosing import choose
    from newdawn.simulator.engine.compile.jit import seat_strategies

    g, w = state.new_state(), state.new_work()
    r = load_ruleset().compile()
    bots = seat_strategies(hostile_bots.too_high)
    w.option[:2] = (5, 7)
    assert choose(r, g, w, bots, 1, 3, 2) == 5
    assert choose(r, g, w, bots, 0, 4, 2) == 5
    kept = (w.fault_n, w.fault_seat, w.fault_kind, w.fault_decision, w.fault_answer)
    assert [int(value) for value in kept] == [2, 1, 3, 1, 2]
