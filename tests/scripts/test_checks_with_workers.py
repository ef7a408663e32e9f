"""Checks that hand work to other processes do so as they are called: by their command line, with workers."""

import ast
import json
import subprocess
import sys

import pytest

from newdawn.scripts.house.import_graph import ROOT

CHECKS = sorted((ROOT / "scripts").rglob("*.py"))


def hands_out_work(text):
    """Whether a script's `joblib.Parallel` starts processes."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    calls = [call for call in calls if ast.unparse(call.func).endswith("Parallel")]
    return any(not any(one.arg == "backend" for one in call.keywords) for call in calls)


def calls_itself_by_name(text, module):
    """Whether a script, run as one, calls a function of the module of its own name."""
    return f"from .{module.rpartition('.')[2]} import main as named\n" in text


def test_functions_for_workers_are_of_a_module_that_workers_find():
    """`calibrate RUN --jobs 2` failed to un-serialize: its functions were those of `__main__`."""
    found = {}
    for path in CHECKS:
        text, module = path.read_text("utf-8"), ".".join(("newdawn", *path.relative_to(ROOT).with_suffix("").parts))
        if hands_out_work(text) and "__main__" in text:
            found[module] = calls_itself_by_name(text, module)
    assert found == {"newdawn.scripts.checks.calibrate": True, "newdawn.scripts.checks.soak": True}
    assert hands_out_work("joblib.Parallel(n_jobs=2)")
    assert not hands_out_work('joblib.Parallel(2, backend="threading")')


def called(*words):
    return subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("of_a_check") / "run"
    words = ("--games", 400, "--strategies", "random", "--players", 3, "--round-cap", 12, "--quiet", "--out", out)
    made = called("newdawn.scripts.cli.start", "run", *words)
    assert made.returncode == 0, made.stderr
    return out


@pytest.mark.soak
def test_calibrate_finds_with_workers_what_it_finds_alone(run):
    words = ("newdawn.scripts.checks.calibrate", run, "--games", 200, "--repeats", 4, "--measure", "lot", "--jobs")
    both = [called(*words, jobs) for jobs in (1, 2)]
    assert [said.returncode for said in both] == [0, 0], both[1].stderr
    assert both[0].stdout == both[1].stdout != ""


@pytest.mark.soak
def test_the_soak_finds_with_workers_what_it_finds_alone(tmp_path):
    words = ("newdawn.scripts.checks.soak", "--games", 8, "--round-cap", 6, "--jobs")
    both = [called(*words, jobs, "--json", tmp_path / f"{jobs}.json") for jobs in (1, 2)]
    assert [said.returncode for said in both] == [0, 0], both[1].stderr
    found = [json.loads((tmp_path / f"{jobs}.json").read_text("utf-8")) | {"seconds": 0} for jobs in (1, 2)]
    assert found[0] == found[1]
