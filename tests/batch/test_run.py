"""Run folders: the same bytes however they were made, and nothing overwritten."""

import json

import pandas as pd
import pytest

from newdawn.analysis.tables.read import open_run
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import manifest
from newdawn.simulator.runs.run import Interrupted, Silent, run_games
from newdawn.simulator.runs.run_folder import TABLES, shard_file
from newdawn.simulator.runs.run_plan import make_plan, plan_by


@pytest.fixture(scope="module")
def ruleset():
    return load_ruleset()


@pytest.fixture(scope="module")
def plan(ruleset):
    return plan_by(ruleset.compile(), players=2, games=450, seed=3, strategies=["random"], round_cap=4)


@pytest.fixture(scope="module")
def run_folder(plan, ruleset, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "one"
    assert run_games(plan, ruleset, out, jobs=1) == 450
    return out


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(("jobs", "backend"), [(2, "threads"), (3, "threads"), (2, "processes")])
def test_same_bytes_whatever_the_workers(plan, ruleset, run_folder, tmp_path, jobs, backend):
    run_games(plan, ruleset, tmp_path / "two", jobs=jobs, backend=backend)
    assert contents(tmp_path / "two") == contents(run_folder)


def test_tables_open_with_pandas(run_folder):
    for name, table in TABLES.items():
        frame = pd.read_parquet(run_folder / name)
        assert list(frame.columns) == table.names()
    seats = pd.read_parquet(run_folder / "seats")
    assert len(seats) == 900
    assert seats["game_id"].is_monotonic_increasing
    assert set(seats["strategy"]) == {"random"}
    assert isinstance(seats["leader"].dtype, pd.CategoricalDtype)


class StopAfter(Silent):
    def __init__(self, games):
        self.left = games

    def add(self, games):
        self.left -= games
        if self.left <= 0:
            raise KeyboardInterrupt


def test_stopped_run_is_continued_to_the_same_bytes(plan, ruleset, run_folder, tmp_path):
    out = tmp_path / "stopped"
    with pytest.raises(Interrupted) as stopped:
        run_games(plan, ruleset, out, jobs=1, observer=StopAfter(250))
    assert stopped.value.done == 200
    assert len(pd.read_parquet(out / "games")) == 200
    shard_file(out, "wonders", 0).unlink()
    assert run_games(plan, ruleset, out, jobs=2) == 350
    assert contents(out) == contents(run_folder)
    assert run_games(plan, ruleset, out) == 0


def test_a_run_goes_on_with_the_shards_it_was_begun_with(plan, ruleset, run_folder, tmp_path, monkeypatch):
    """The size of shards may change from version to version: it decides about files, never about games."""
    old = tmp_path / "old"
    with monkeypatch.context() as older:
        older.setattr("newdawn.simulator.runs.run_plan.SMALLEST_SHARD", 150)
        run_games(plan, ruleset, old, jobs=1)
    before = contents(old)
    for name in TABLES:
        shard_file(old, name, 1).unlink()
    (old / "checksums" / "part-000001.sha256").unlink()
    assert run_games(plan, ruleset, old, jobs=1) == 150
    assert contents(old) == before
    assert len(list((old / "games").iterdir())) == 3 < len(list((run_folder / "games").iterdir()))
    for name in TABLES:
        pd.testing.assert_frame_equal(open_run(old).read(name), open_run(run_folder).read(name))


def test_folder_of_another_run_is_left_alone(plan, ruleset, run_folder):
    before = contents(run_folder)
    other = make_plan(players=2, games=450, seed=4, available_leaders=plan.leaders, strategies=["random"], round_cap=4)
    with pytest.raises(UserError, match="holds another run: its seed is 3, not 4"):
        run_games(other, ruleset, run_folder)
    assert contents(run_folder) == before


def test_folder_with_other_files_is_refused(plan, ruleset, tmp_path):
    (tmp_path / "thesis.txt").write_text("dear")
    with pytest.raises(UserError, match="holds other files"):
        run_games(plan, ruleset, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_folder_that_cannot_be_written_is_refused_before_playing(plan, ruleset, tmp_path):
    (tmp_path / "file").write_text("")
    for out, message in ((tmp_path / "file", "is a file"), (tmp_path / "file" / "out", "cannot be written to")):
        with pytest.raises(UserError, match=message):
            run_games(plan, ruleset, out)


def test_manifest_describes_the_run(plan, ruleset, run_folder):
    content = manifest.read(run_folder)
    assert content["plan"] == plan.as_dict()
    assert content["ruleset"]["digest"] == ruleset.digest()
    assert content["ruleset"]["data"] == ruleset.data


def test_lack_of_memory_that_zstd_calls_an_input_error_is_a_lack_of_memory(plan, ruleset, tmp_path, monkeypatch):
    def no_memory(*_arguments, **_options):
        raise OSError("ZSTD compression failed: Allocation error : not enough memory")

    monkeypatch.setattr("pyarrow.parquet.write_table", no_memory)
    with pytest.raises(UserError, match=r"ran out of memory; finished games are kept: `newdawn resume .*` continues"):
        run_games(plan, ruleset, tmp_path / "out", jobs=1)


def test_a_run_by_rules_of_another_version_is_refused_in_one_line(tmp_path, plan, ruleset):
    data = json.loads(json.dumps(ruleset.data))
    del data["components"]
    old = type(ruleset)(ruleset.name, data)
    content = manifest.build(plan, old) | {"engine": "0123456789abcdef"}
    manifest.write(tmp_path, content)
    assert manifest.contents(tmp_path).engine == "0123456789abcdef"  # what it says can be read
    with pytest.raises(UserError, match=r"was made by another version of this program.*they lack 'components'") as error:
        manifest.playable(tmp_path)
    assert "\n" not in str(error.value)
