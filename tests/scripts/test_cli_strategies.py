"""Strategies on the command line: looking at them, checking, tuning, and playing with one's own."""

import json
import pickle
import random
import re
import shutil
import sys
from contextlib import contextmanager

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from newdawn.analysis.learning import tune_weights
from newdawn.scripts.cli.main import main
from newdawn.simulator import kept_files
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies import profiles
from newdawn.strategies.planning import weights
from newdawn.strategies.registry import find

MODULE = '''"""Takes what comes first."""

from newdawn.simulator.engine.compile.jit import strategy


@strategy
def choose_first(r, g, w, seat, kind, n, u):
    return 0


@strategy
def choose_too_high(r, g, w, seat, kind, n, u):
    return n


def choose_uncompiled(r, g, w, seat, kind, n, u):
    return 0
'''


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@contextmanager
def working_in(folder):
    """Work in the folder, which has a module and a profile of a user's; yields the module's name."""
    name = f"my_bots_{abs(hash(str(folder))) % 10**9}"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "path", list(sys.path))
        (folder / f"{name}.py").write_text(MODULE, "utf-8")
        (folder / "mine.yaml").write_text("like: opportunist\nweights: {deny: 60}\n", "utf-8")
        yield name
    sys.modules.pop(name, None)


@pytest.fixture
def here(tmp_path):
    """A working folder with a module and a profile of a user's."""
    with working_in(tmp_path) as name:
        yield name


# --- looking


def test_traits():
    lines = call("strategies", "--traits").output.splitlines()
    warrior = next(line for line in lines if line.startswith("warrior"))
    assert "attacks on players" in warrior
    assert next(line for line in lines if line.startswith("random")).split()[1] == "always"


@pytest.mark.parametrize("name", ["explorer", "autoplayer", "opportunist"])
def test_show(name):
    output = call("strategies", "show", name).output
    assert output.startswith(f"{name}: ")
    assert "Opening" in output
    assert "uses chance: to lay out the map" in output


def test_show_own(here):
    assert "Takes what comes first." in call("strategies", "show", f"{here}:choose_first").output
    assert "Opening" in call("strategies", "show", "mine.yaml").output


def test_weights_are_listed_with_their_meaning(here):
    lines = call("strategies", "weights", "mine.yaml").output.splitlines()
    assert len(lines) == len(weights.NAMES)
    deny = next(line for line in lines if line.startswith("deny "))
    assert deny.split()[1] == "60"
    assert weights.MEANINGS["deny"] in deny
    (here_profile := profiles.Path("by_leader.yaml")).write_text("like: opportunist\nleaders: {Rome: {deny: 1}}\n")
    assert re.search(r"^deny .*differs by leader", call("strategies", "weights", here_profile).output, re.MULTILINE)
    assert len(call("strategies", "weights").output.splitlines()) == len(weights.NAMES)


# --- checking


@pytest.mark.parametrize("name", ["mine.yaml", pytest.param("choose_first", marks=pytest.mark.soak)])
def test_check_passes(here, name):
    """Games among copies of choose_first hardly ever end."""
    player = name if name.endswith(".yaml") else f"{here}:{name}"
    result = call("strategies", "check", player, "--games", 10, "--jobs", 1, "--least-ended", 0)
    assert result.exit_code == 0, result.output
    assert result.output.count("ok    ") == 5
    assert "all checks passed" in result.output


def test_check_fails_with_code_1_and_says_what(here):
    result = call("strategies", "check", f"{here}:choose_too_high", "--games", 10, "--jobs", 1)
    assert result.exit_code == 1, result.output
    assert re.search(r"FAILED  every answer is legal.*expected 0 to", result.output)
    assert re.search(r"\b(1 check|[2-5] checks) failed", result.output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "oportunist"], "did you mean 'opportunist'"),
        (["check", "none.yaml"], "cannot read the profile"),
        (["check", "no_such_module_here:f"], "there is no module 'no_such_module_here'"),
        (["check", "MODULE:choose_frist"], "has no choose_frist; did you mean 'choose_first'"),
        (["check", "MODULE:choose_uncompiled"], "decorate its function with @strategy"),
        (["check", "broken:f"], "broken cannot be imported: SyntaxError"),
        (["check", "untyped:f"], "untyped cannot be compiled: KeyError: 'nonsense'"),
        (["show", "nobody"], "unknown strategy 'nobody'"),
        (["weights", "random"], "has no weights"),
        (["tune", "random", "--out", "x.yaml"], "has no weights"),
        (["tune", "opportunist", "--out", "x.txt"], "ends in .yaml"),
        (["tune", "opportunist", "--out", "no/such/x.yaml"], "there is no folder"),
        (["tune", "opportunist", "--out", "x.yaml", "--weights", "denny"], "no weight matches 'denny'"),
        (["tune", "opportunist", "--out", "x.yaml", "--against", "nobody"], "unknown strategy 'nobody'"),
    ],
)
def test_bad_input(here, arguments, message):
    profiles.Path("broken.py").write_text("def f(:\n", "utf-8")
    untyped = "from newdawn.strategies import strategy\n@strategy\ndef f(r, g, w, seat, kind, n, u):\n    return g.nonsense\n"
    profiles.Path("untyped.py").write_text(untyped, "utf-8")
    result = call("strategies", *[argument.replace("MODULE", here) for argument in arguments])
    sys.modules.pop("broken", None)
    sys.modules.pop("untyped", None)
    assert result.exit_code == 2, result.output
    last = result.output.strip().splitlines()[-1]
    assert last.startswith("error: ")
    assert message in last


# --- tuning


def tune(*more):
    settings = ["--games", 4, "--generations", 2, "--held-out", 6, "--players", 2, "--weights", "deny,room,leading"]
    return call("strategies", "tune", "mine.yaml", "--against", "random", *settings, "--jobs", 1, *more)


def test_tuning_writes_a_profile_that_says_where_it_comes_from(here):
    result = tune("--out", "tuned.yaml")
    assert result.exit_code == 0, result.output
    assert "generation 2/2" in result.output
    assert re.search(r"against 1 x random: .* before, .* after \[.*\], n = 6", result.output)
    data = yaml.safe_load(profiles.Path("tuned.yaml").read_text("utf-8"))
    assert {"command", "train_seed", "held_out_seed", "held_out_games", "shares"} <= set(data["tuned"])
    assert set(data["weights"]) == set(weights.NAMES)
    old = profiles.resolve(profiles.read(profiles.Path("mine.yaml"))).weights
    changed = {name for name in weights.NAMES if data["weights"][name] != old[name]}
    assert changed <= {"deny", "room", "leading"}
    result = call("run", "--strategies", "tuned.yaml", "--players", 2, "--games", 2, "--round-cap", 2, "--out", "run")
    assert result.exit_code == 0, result.output


def test_tuning_goes_on_where_it_stopped_and_gives_the_same(here):
    whole, parts = tune("--out", "whole.yaml"), tune("--out", "parts.yaml", "--generations", 1)
    assert whole.exit_code == parts.exit_code == 0
    result = tune("--out", "parts.yaml")
    assert "generation 1/" not in result.output
    assert "generation 2/2" in result.output
    first, second = (yaml.safe_load(profiles.Path(name).read_text("utf-8")) for name in ("whole.yaml", "parts.yaml"))
    assert first["weights"] == second["weights"]
    assert first["tuned"]["shares"] == second["tuned"]["shares"]


def test_another_search_is_not_continued(here):
    assert tune("--out", "tuned.yaml").exit_code == 0
    result = tune("--out", "tuned.yaml", "--seed", 5)
    assert result.exit_code == 2
    assert "holds another search" in result.output


def test_a_profile_that_was_not_tuned_here_is_not_overwritten(here):
    before = profiles.Path("mine.yaml").read_bytes()
    result = tune("--out", "mine.yaml")
    assert result.exit_code == 2
    assert "mine.yaml already exists" in result.output
    assert profiles.Path("mine.yaml").read_bytes() == before


def test_a_leader_that_nobody_knows_is_refused_with_the_nearest(here):
    result = tune("--out", "egypt.yaml", "--leader", "Egipt")
    assert result.exit_code == 2
    assert "--leader: unknown leader 'Egipt'" in result.output
    assert "did you mean 'Egypt'?" in result.output
    assert not profiles.Path("egypt.yaml").exists()


def test_how_one_leader_is_played_is_tuned_judged_and_written_for_it_alone(here):
    result = tune("--out", "egypt.yaml", "--leader", "egypt")
    assert result.exit_code == 0, result.output
    assert re.search(r"Egypt against 1 x random: .* before, .* after .*; gained [+-]?\d+\.\d points \[", result.output)
    written = yaml.safe_load(profiles.Path("egypt.yaml").read_text("utf-8"))
    assert list(written["leaders"]) == ["Egypt"]


@pytest.mark.parametrize("stopped_after", [1, 2])
def test_a_search_of_another_process_goes_on_to_the_same_result(here, stopped_after, monkeypatch):
    """Whatever numbers numpy's own generator, which belongs to nobody, would give there."""
    shares = random.Random(8)
    known = {}
    monkeypatch.setattr(tune_weights, "score", lambda task, point, seed: known.setdefault(point.tobytes(), shares.random()))
    task = tune_weights.Task(
        load_ruleset().compile(), find("planner").resolved(), ["deny", "room", "leading"], [find("random")], 2, 4, 3
    )

    def search(state, generations):
        np.random.seed()
        told = []
        point = tune_weights.search(task, generations, 1, lambda *said: told.append(said), state and profiles.Path(state))
        return point, told

    whole, said = search(None, 5)
    search("parts.search", stopped_after)
    point, rest = search("parts.search", 5)
    assert rest == said[stopped_after:]
    assert (point == whole).all()
    assert (search("parts.search", 5)[0] == whole).all()
    fewer, _ = search("parts.search", 2)
    assert (fewer == search(None, 2)[0]).all()


def test_a_search_whose_draws_cannot_be_made_again_is_refused(here):
    assert tune("--out", "tuned.yaml").exit_code == 0
    path = profiles.Path("tuned.search")
    changed = json.loads(re.sub(r'"draws": "...', '"draws": "xyz', path.read_text("utf-8"), count=1))
    path.write_text(json.dumps(changed), "utf-8")
    assert "tuned.search: has changed since it was written" in tune("--out", "tuned.yaml").output
    del changed["digest"]
    kept_files.write(path, changed)
    result = tune("--out", "tuned.yaml")
    assert result.exit_code == 2
    assert "tuned.search: its draws cannot be repeated with this version of cma or numpy" in result.output


MARK = b"newdawn strategies tune\n"
OLD = MARK + pickle.dumps(([], None))


@pytest.mark.parametrize("content", [b"junk\n", OLD, MARK + b"{}", MARK + b'{"version": 2}', MARK + b"{", pickle.dumps([])])
def test_a_file_that_holds_no_search_is_refused(here, content):
    profiles.Path("tuned.search").write_bytes(content)
    result = tune("--out", "tuned.yaml")
    assert result.exit_code == 2
    assert "tuned.search: not a search of this command" in result.output
    assert profiles.Path("tuned.search").read_bytes() == content


# --- playing


def test_a_function_is_given_the_planners_weights_and_no_network(here):
    mine, planner = find(f"{here}:choose_first"), find("planner")
    assert (mine.weights(4) == planner.weights(4)).all()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a run of a user's strategies."""
    folder = tmp_path_factory.mktemp("own")
    with working_in(folder) as name:
        result = call(
            "run", "--players", 3, "--games", 12, "--strategies", f"mine.yaml,{name}:choose_first,random", "--round-cap", 5,
            "--jobs", 1, "--out", "kept",
        )  # fmt: skip
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def run_with_own(played):
    """The name of the module, in a working folder with a run as it was played."""
    shutil.rmtree(played / "run", ignore_errors=True)
    shutil.copytree(played / "kept", played / "run")
    with working_in(played) as name:
        yield name


def test_the_manifest_keeps_strategies_of_ones_own(run_with_own):
    manifest = json.loads(profiles.Path("run/manifest.json").read_text("utf-8"))
    own = {entry["name"]: entry for entry in manifest["plan"]["own"]}
    assert set(own) == {"mine", f"{run_with_own}:choose_first"}
    assert own["mine"]["own"]["weights"]["deny"] == 60
    assert own[f"{run_with_own}:choose_first"]["source"]


def test_runs_with_own_strategies_are_resumed_verified_and_replayed(run_with_own):
    profiles.Path("mine.yaml").unlink()  # the manifest has it
    assert call("extend", "run", "--games", 20, "--jobs", 1).exit_code == 0
    assert call("resume", "run", "--jobs", 1).exit_code == 0
    result = call("verify", "run", "--sample", 4)
    assert result.exit_code == 0, result.output
    assert "4 were replayed" in result.output
    result = call("replay", "--run", "run", "--game", 3)
    assert result.exit_code == 0, result.output
    assert "mine" in result.output


def test_a_changed_module_is_refused(run_with_own):
    profiles.Path(f"{run_with_own}.py").write_text(MODULE.replace("return 0", "return n - 1"), "utf-8")
    for command in (["extend", "run", "--games", 20], ["verify", "run"], ["replay", "--run", "run", "--game", 1]):
        result = call(*command)
        assert result.exit_code == 2, result.output
        assert f"{run_with_own} has changed since the run was started" in result.output


def test_a_changed_profile_is_another_run(run_with_own):
    profiles.Path("mine.yaml").write_text("like: opportunist\nweights: {deny: 61}\n", "utf-8")
    result = call(
        "run", "--players", 3, "--games", 12, "--strategies", f"mine.yaml,{run_with_own}:choose_first,random",
        "--round-cap", 5, "--out", "run",
    )  # fmt: skip
    assert result.exit_code == 2
    assert "holds another run: its strategy mine is not the same" in result.output
    assert len(result.output) < 400


def test_two_strategies_of_one_name(here):
    profiles.Path("other").mkdir()
    profiles.Path("other/mine.yaml").write_text("like: opportunist\nweights: {deny: 1}\n", "utf-8")
    for command in (["run", "--out", "run", "--players", 2, "--strategies"], ["ladder", "--games", 2, "--strategies"]):
        result = call(*command, "mine.yaml,other/mine.yaml")
        assert result.exit_code == 2
        assert "two different ones are named 'mine'" in result.output
