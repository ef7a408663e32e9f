"""Runs at an address: the same bytes as in a folder, and everything that reads runs reads them there."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import fsspec
import pandas as pd
import pytest
from click.testing import CliRunner

from newdawn.analysis.tables.read import open_run
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import manifest, run_folder
from newdawn.simulator.runs.columns import OPTIONAL
from newdawn.simulator.runs.run import Interrupted, Means, Silent, extend_games, resume_games, run_games
from newdawn.simulator.runs.run_folder import Address, names_in, place
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.simulator.runs.verify import merge_runs, verify

ONE = Means(jobs=1)
STORE = fsspec.filesystem("memory")


@pytest.fixture(scope="module")
def ruleset():
    return load_ruleset()


@pytest.fixture(scope="module")
def plan(ruleset):
    asked = plan_by(ruleset.compile(), players=2, games=250, seed=3, strategies=["random"], round_cap=3)
    return replace(asked, tables=OPTIONAL)


@pytest.fixture(scope="module")
def local(plan, ruleset, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "local"
    run_games(plan, ruleset, out, jobs=1)
    return out


@pytest.fixture(autouse=True)
def emptied():
    yield
    STORE.store.clear()
    STORE.pseudo_dirs[:] = [""]


@pytest.fixture
def away(local):
    for name, content in contents(local).items():
        STORE.pipe_file(f"/studio/run/{name}", content)
    return place("memory://studio/run/")


def contents(out):
    if isinstance(out, Address):
        root = out.address.removeprefix("memory:/")
        return {path.removeprefix(f"{root}/"): STORE.cat_file(path) for path in STORE.find(root)}
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


class Stop(Silent):
    def __init__(self):
        self.left = 120

    def add(self, games):
        self.left -= games
        if self.left < 0:
            raise KeyboardInterrupt


def test_the_same_bytes_as_in_a_folder_also_when_stopped_and_resumed(plan, ruleset, local):
    out = place("memory://studio/run")
    with pytest.raises(Interrupted):
        run_games(plan, ruleset, out, jobs=1, observer=Stop())
    assert run_folder.is_open(out)
    assert verify(out, 0).wrong == []
    assert 0 < resume_games(out, ONE) < 250
    assert contents(out) == contents(local)
    assert run_games(plan, ruleset, out) == 0
    with pytest.raises(UserError, match="holds another run: its seed is 3, not 4"):
        run_games(replace(plan, seed=4), ruleset, out)


def test_what_a_killed_worker_left_and_what_was_damaged_is_played_again(away, local):
    run_folder.checksum_file(away, 0).unlink()  # the last to be put
    seats = run_folder.shard_file(away, "seats", 2)
    seats.write_bytes(seats.read_bytes()[:-50])
    assert len(verify(away, 0).wrong) == 2
    with pytest.raises(UserError, match=r"memory://studio/run/seats/part-000002.parquet: has changed since it was written"):
        open_run(away).read("seats")
    run_folder.shard_file(away, "places", 1).unlink()
    assert len(verify(away, 0).wrong) == 3
    assert resume_games(away, ONE) == 250
    assert contents(away) == contents(local)


def test_extend_and_merge_between_folders_and_addresses(plan, ruleset, away, local, tmp_path):
    run_games(replace(plan, seed=9), ruleset, tmp_path / "other", jobs=1)
    merge_runs([local, tmp_path / "other"], tmp_path / "both")
    merge_runs([away, tmp_path / "other"], place("memory://studio/both"))
    assert contents(place("memory://studio/both")) == contents(tmp_path / "both")
    extend_games(away, 300, ONE)
    assert [segment.games for segment in manifest.contents(away).segments] == [250, 50]
    assert verify(away, 10).wrong == []


def test_tables_are_fetched_once(away, local, monkeypatch):
    fetched = []
    read = Address.read_bytes
    monkeypatch.setattr(Address, "read_bytes", lambda self: fetched.append(self.name) or read(self))
    run = open_run("memory://studio/run")
    for _ in range(3):
        pd.testing.assert_frame_equal(run.read("seats"), open_run(local).read("seats"))
    assert len([name for name in fetched if name.endswith(".parquet")]) == 3


@pytest.mark.parametrize("command", [["leaders"], ["wonders"], ["victory"], ["cards"], ["game", "--part", "rounds"]])
def test_summaries(away, local, command):
    said = [call(*command, where, "--format", "csv") for where in (local, away)]
    assert [one.exit_code for one in said] == [0, 0], said[1].output
    assert said[0].output == said[1].output


def test_report_is_written_on_this_machine(away, local, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for where, out in ((local, "here"), (away, "there")):
        result = call("report", where, "--boards", 2, "--out", out, "--quiet", "--no-page")
        assert result.exit_code == 0, result.output
    same = [name for name in names_in(Path("here")) if name.endswith(".csv")]
    assert same
    assert all(Path("here", name).read_bytes() == Path("there", name).read_bytes() for name in same)
    assert "\nreport: results/report-run/report.html" in call("report", away, "--boards", 0, "--quiet").output
    refused = call("report", away, "--out", "memory://studio/report")
    assert refused.exit_code == 2
    assert "'memory://studio/report' is an address; expected a path on this machine" in refused.output


def test_commands_that_write(away, local):
    result = call("verify", away, "--sample", 2)
    assert result.exit_code == 0, result.output
    assert "250 of 250 games in 3 shards as they were written; 2 were replayed" in result.output
    settings = ["--players", "2", "--games", "250", "--seed", "3", "--strategies", "random", "--round-cap", "3"]
    settings += ["--focus-cards", "--rounds", "--places"]
    result = call("run", *settings, "--jobs", 1, "--out", "memory://studio/new")
    assert result.exit_code == 0, result.output
    assert "tables: memory://studio/new" in result.output
    assert contents(place("memory://studio/new")) == contents(local)
    assert call("replay", "--run", away, "--game", 3).output == call("replay", "--run", local, "--game", 3).output


def test_a_file_address_is_a_folder_of_this_machine(local):
    assert place(f"file://{local}") == local
    assert call("verify", f"file://{local}", "--sample", 0).exit_code == 0


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "gs://studio/run",
            r"gs://studio/run: the driver for gs:// is not installed; install it with: .*python.* -m pip install gcsfs$",
        ),
        ("s3://", r"s3://: not a place; expected a folder, or an address such as s3://bucket/run"),
        ("s3x://studio/run", r"no driver for s3x://; expected a folder, or an address such as s3://bucket/run"),
        ("memory://nowhere/run", r"memory://nowhere/run: not a run folder: expected a file manifest.json in it"),
    ],
)
def test_addresses_that_will_not_do_are_said_in_one_line(monkeypatch, address, message):
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    result = call("leaders", address)
    assert result.exit_code == 2
    assert re.search(message, result.output)
    assert result.output.count("\n") == 1


def test_what_a_driver_raises_is_one_line(monkeypatch):
    def no_credentials(*_arguments, **_options):
        raise RuntimeError("Unable to locate\ncredentials")

    monkeypatch.setattr(type(STORE), "info", no_credentials)
    monkeypatch.setattr(type(STORE), "ls", no_credentials)
    for command in (["leaders"], ["resume"], ["run", "--games", 2, "--out"]):
        result = call(*command, "memory://studio/run")
        assert result.exit_code == 2, result.output
        assert "Unable to locate credentials" in result.output
        assert "Traceback" not in result.output


def test_a_folder_of_other_objects_is_refused(plan, ruleset):
    STORE.pipe_file("/studio/run/thesis.txt", b"")
    with pytest.raises(UserError, match="memory://studio/run: holds other files; expected a new or empty folder"):
        run_games(plan, ruleset, place("memory://studio/run"))
    STORE.pipe_file("/studio/object", json.dumps({}).encode())
    with pytest.raises(UserError, match="memory://studio/object: is a file; expected a folder"):
        run_games(plan, ruleset, place("memory://studio/object"))
