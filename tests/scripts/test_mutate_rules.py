"""The mutator itself: which breaks it makes of a function, and that it tells noticed from unnoticed ones."""

import ast
import json
import os
import subprocess
import sys

import pytest

from newdawn.scripts.checks.breaks import ROOT, functions_of, hint_parameters, home, mutants_of, substance
from newdawn.scripts.checks.mutation import EQUIVALENT, MODULES, listed_as, read_equivalent, report, spread
from newdawn.scripts.checks.reach import KeptReach, Reach, bits_of, marks_of

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="it needs a system that can fork")

SOURCE = '''
@jit
def reach(g, w, n):
    """Docstring."""
    k = 0
    for s in range(1, n):
        if g.owner[s] >= 0 and not g.taken[s]:
            w.option[k] = s
            k += 1
        else:
            continue
    if k > 0:
        log(w, LOG_TOKEN, 3)
    w.ask_left = 7
    g.stat_arrivals[0] += 1
    return min(k, n) == -1 or True
'''


def breaks(source):
    functions = functions_of("made_up", source)
    return [m for f in functions for m in mutants_of(f, hint_parameters(functions))]


def changes(statement, **kwargs):
    """Return what becomes of one statement inside a function that does something after it."""
    found = breaks(f"def f(g, w, p, n):\n    {statement}\n    return p\n")
    return {m.change for m in found if m.line == 2}


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("x = 5", {"x = 6", "x = 4"}),
        ("x = -1", {"x = -2", "x = -0"}),
        ("x = p < n", {"x = p <= n"}),
        ("x = p <= n", {"x = p < n"}),
        ("x = p > n", {"x = p >= n"}),
        ("x = p == n", {"x = p != n"}),
        ("x = p + n", {"x = p - n"}),
        ("x = p and n", {"x = p or n"}),
        ("x = not p", {"x = p"}),
        ("x = True", {"x = False"}),
        ("x = min(p, n)", {"x = max(p, n)"}),
        ("x = range(n)", {"x = range(n - 1)"}),
        ("x = range(p, n)", {"x = range(p, n - 1)", "x = range(p + 1, n)"}),
    ],
)
def test_each_kind_of_break_is_made(statement, broken):
    assert changes(statement) == {f"`{statement}` -> `{b}`" for b in broken}


def test_calls_assignments_to_the_state_and_returns_are_dropped():
    assert changes("f(p)") == {"`f(p)` dropped"}
    assert changes("g.owner[p] = n") == {"`g.owner[p] = n` dropped"}
    assert changes("if p: return") == {"`return` dropped"}
    assert "`p += n` dropped" in changes("p += n")
    assert "`p += n` -> `p -= n`" in changes("p += n")


def test_the_log_hints_and_figures_are_set_apart():
    records = {m.change.split("`")[1].split(",")[0] for m in breaks(SOURCE) if m.record}
    assert records == {"if k > 0", "log(w", "w.ask_left = 7", "g.stat_arrivals[0] += 1"}


def test_what_is_only_handed_on_to_the_log_is_set_apart():
    source = """
def move(g, w, s, by):
    log(w, LOG_MOVE, s, by)
    g.owner[s] = 4
def raid(g, w, s, why):
    move(g, w, s + 1, why + 3)
def all_raids(g, w):
    raid(g, w, 5, 6)
"""
    found = breaks(source)
    assert {m.change for m in found if m.record and "move(" in m.change} == {
        f"`move(g, w, s + 1, why + 3)` -> `move(g, w, s + 1, why {b})`" for b in ("- 3", "+ 4", "+ 2")
    }
    assert {m.change for m in found if m.record and "raid(" in m.change} == {
        f"`raid(g, w, 5, 6)` -> `raid(g, w, 5, {b})`" for b in (5, 7)
    }
    assert "`raid(g, w, 5, 6)` -> `raid(g, w, 4, 6)`" in {m.change for m in found if not m.record}


def test_local_numbers_that_are_only_written_down_are_set_apart():
    source = """
def spend(g, w, amount, token):
    kept = left = taken = 0
    for _ in range(amount):
        kept += int(token > 5)
        left += 1
        taken += pay(g, token)
        g.trade -= 1
    if left > 2:
        return 3
    log(w, LOG_TRADE, kept, taken)
    return 4
"""
    records = {m.change.split("`")[1] for m in breaks(source) if m.record}
    assert records == {"log(w, LOG_TRADE, kept, taken)", "kept += int(token > 5)"}


def test_every_break_compiles_to_other_code_and_leaves_the_function_as_it_was():
    (function,) = functions_of("made_up", SOURCE)
    before, unbroken = ast.dump(function.node), substance(function.code())
    found = mutants_of(function, {})
    assert len(found) > 20
    assert "`continue` dropped" not in {m.change for m in found}  # it is the last in its loop
    for mutant in found:
        assert mutant.code().co_name == "reach"
        assert substance(mutant.code()) != unbroken, mutant.name
        assert ast.dump(function.node) == before


@pytest.mark.soak
def test_every_module_named_is_there_and_every_break_listed_as_changing_nothing_can_be_made():
    functions = [f for module in MODULES for f in functions_of(module, (ROOT / home(module)).read_text("utf-8"))]
    hints = hint_parameters(functions)
    listed = read_equivalent(EQUIVALENT)
    made = {name for f in functions for mutant in mutants_of(f, hints) for name in listed_as(mutant.name)}
    assert set(listed) - made == set()


def test_known_breaks_that_change_nothing_do_not_count():
    rows = [
        {"name": "hexes.a: x", "place": "hexes.py:1", "result": "survived", "noticed_by": None, "tests": 1},
        {"name": "hexes.b: y", "place": "hexes.py:2", "result": "survived", "noticed_by": None, "tests": 1},
        {"name": "hexes.c: z", "place": "hexes.py:3", "result": "too slow", "noticed_by": None, "tests": 1},
    ]
    figures = report(rows, {"hexes.a: x": "cannot be seen"})
    assert (figures["breaks"], figures["noticed"], figures["equivalent"]) == (2, 1, 1)
    assert [row["name"] for row in figures["survivors"]] == ["hexes.b: y"]


TESTS = """
from table import Table

def test_room():
    t = Table(radius=1)
    for _ in range(4):
        t.call(gain_trade, 0, 0, 1, -1)
    assert t.g.trade[0].tolist().count(3) == 1

def test_nothing():
    t = Table(radius=1)
    t.call(gain_trade, 0, 0, 1, -1)

from newdawn.simulator.engine.trade import gain_trade
"""


SLOW = """
import time

def test_for_ever():
    while True:
        time.process_time()

def test_in_vain():
    time.sleep(3600)
"""


def mutate(tmp_path, file, *words):
    """Let breaks be tried on a file of tests; return the rows of the result, and what was said."""
    out = tmp_path / "out.json"
    command = [sys.executable, "-m", "newdawn.scripts.checks.mutation", "--modules", "trade", "--tests", str(file), *words]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    done = subprocess.run(
        [*command, "--json", str(out)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    return {row["name"]: row for row in json.loads(out.read_text("utf-8"))["results"]}, done.stdout + done.stderr


@forks
@pytest.mark.soak
def test_a_break_is_noticed_if_and_only_if_a_test_fails(tmp_path):
    """gain_trade limits what lies on a card; the made-up tests look at nothing but that limit, and never at resources."""
    file = tmp_path / "test_made_up.py"
    file.write_text(TESTS, "utf-8")
    rows, said = mutate(tmp_path, file)
    limit = "if card >= 0 and (kind < 0 or r.card_type[card] == kind) and (g.trade[p, h] < r.max_trade)"
    noticed = rows[f"trade.list_room: `{limit}` -> `{limit.replace('< r.', '<= r.')}`"]
    assert noticed["result"] == "noticed"
    assert noticed["noticed_by"].endswith("test_room")
    assert rows["trade.pay_resource: `g.resources[p, kind] -= 1` dropped"]["result"] == "not reached"
    unseen = rows["trade.put_trade: `if h == BANK` -> `if h != BANK`"]
    assert unseen["result"] == "noticed"  # the tokens go to the bank
    assert "breaks" in said
    assert len(list((tmp_path / "caches" / "newdawn" / "reach").iterdir())) == 1


FIRST = {"hexes.step": 0, "hexes.ring": 5}


def test_what_a_file_of_tests_reaches_is_kept_until_it_changes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = tmp_path / "test_made_up.py"
    file.write_text(TESTS, "utf-8")
    marks = bytes([0, 0, 1, 0, 1, 1, 0])
    reach = Reach(2.0, {"a": 1.5, "b": 2.0}, {"a": bits_of(marks)}, ["b"])
    kept = KeptReach(FIRST)
    assert kept.load(file, ["a"], 2.0) is None
    kept.save(file, reach)
    assert KeptReach(FIRST).load(file, ["a", "b"], 2.0) == reach
    assert KeptReach(FIRST).load(file, ["a", "b"], 2.5) is None  # b may need no more than that
    assert marks_of(reach.reached["a"]) == "0010110"
    assert KeptReach({"hexes.step": 0, "hexes.ring": 6}).load(file, ["a"], 2.0) is None  # other numbers of statements
    assert KeptReach(FIRST).load(file, ["a", "c"], 2.0) is None  # a test that is new
    file.write_text(TESTS + "# more", "utf-8")
    assert KeptReach(FIRST).load(file, ["a", "b"], 2.0) is None
    next((tmp_path / "newdawn" / "reach").iterdir()).write_text("{", "utf-8")
    assert KeptReach(FIRST).load(file, ["a", "b"], 2.0) is None


@forks
@pytest.mark.soak
def test_a_test_that_does_not_end_is_left_out(tmp_path):
    file = tmp_path / "test_slow.py"
    file.write_text(SLOW + TESTS, "utf-8")
    rows, said = mutate(tmp_path, file, "--sample", "2", "--seconds", "0.2")
    assert len(rows) == 2
    left_out = [line.rpartition("::")[2] for line in said.splitlines() if line.startswith("left out,")]
    assert left_out == ["test_for_ever", "test_in_vain"]


FIELDS = """
import numpy as np
from newdawn.scripts.checks.reach import quicken
from newdawn.simulator.runs import columns as rows
from newdawn.simulator.engine.state import STATE, WORK
from newdawn.simulator.rules.record import RULES

quicken()
for dtype in (STATE, WORK, RULES, rows.SEATING, rows.GAME_ROW, rows.SEAT_ROW, rows.WONDER_ROW, rows.AGENDA_ROW):
    record = np.zeros(1, dtype).view(np.recarray)[0]
    for name in dtype.names:
        setattr(record, name, 1)
        assert (record[name] == 1).all() and np.all(getattr(record, name) == 1), name
print("all fields")
"""


def test_every_record_keeps_what_is_written_to_it_in_quick_play():
    """Rows of finished games did not, so that tests that look at them failed on the unbroken engine."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", FIELDS]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "all fields\n", done.stderr


def test_a_sample_is_reported_with_its_interval():
    assert spread({"noticed": 45, "breaks": 50}) == ", 95% interval for all breaks 78.6% to 95.7%"
