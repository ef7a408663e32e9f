"""Extending, merging, verifying and locking run folders."""

import json
import shutil
from dataclasses import replace

import pandas as pd
import pyarrow.parquet as pq
import pytest

from newdawn.analysis.tables.read import open_run
from newdawn.simulator import lock
from newdawn.simulator.batch import folder, manifest, run
from newdawn.simulator.batch.backends import Workers
from newdawn.simulator.batch.folder import Segment, cut, shard_file
from newdawn.simulator.batch.merge import merge_runs
from newdawn.simulator.batch.run import Means, extend_games, resume_games, run_games
from newdawn.simulator.batch.schema import TABLES
from newdawn.simulator.batch.verify import verify
from newdawn.simulator.errors import UserError
from newdawn.simulator.games.plan import available_leaders, make_plan
from newdawn.simulator.rules import load_ruleset

ONE = Means(jobs=1)


@pytest.fixture(scope="module")
def ruleset():
    return load_ruleset()


@pytest.fixture(scope="module")
def plan(ruleset):
    leaders = available_leaders(ruleset.compile())
    return make_plan(players=2, games=250, seed=3, available_leaders=leaders, strategies=["random"], round_cap=3)


@pytest.fixture(scope="module")
def one(plan, ruleset, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "one"
    run_games(plan, ruleset, out, jobs=1)
    return out


@pytest.fixture(scope="module")
def two(plan, ruleset, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "two"
    run_games(replace(plan, seed=4, games=120), ruleset, out, jobs=1)
    return out


@pytest.fixture
def copy(one, tmp_path):
    shutil.copytree(one, tmp_path / "copy")
    return tmp_path / "copy"


def rows(out, table):
    return pd.read_parquet(out / table)


def test_extended_run_has_the_rows_of_a_longer_one(plan, ruleset, copy, tmp_path):
    before = {path: path.read_bytes() for table in TABLES for path in (copy / table).glob("*")}
    assert extend_games(copy, 420, ONE) == 170
    assert extend_games(copy, 420, ONE) == 0
    assert all(path.read_bytes() == content for path, content in before.items())
    run_games(replace(plan, games=420), ruleset, tmp_path / "long", jobs=1)
    for table in TABLES:
        pd.testing.assert_frame_equal(rows(copy, table), rows(tmp_path / "long", table), check_categorical=False)
    assert verify(copy, 10).wrong == []
    assert run_games(replace(plan, games=420), ruleset, copy) == 0
    with pytest.raises(UserError, match="--games: 300 is not possible; the run has 420"):
        extend_games(copy, 300, ONE)
    with pytest.raises(UserError, match=r"its games is 420, not 250.*`newdawn extend` adds games"):
        run_games(plan, ruleset, copy)


def test_merged_run_holds_the_games_of_both(one, two, tmp_path):
    out = tmp_path / "both"
    assert merge_runs([one, two], out) == 370
    games = rows(out, "games")
    assert list(games["game_id"]) == list(range(370))
    assert list(games["seed"]) == [3] * 250 + [4] * 120
    for table in TABLES:
        moved = rows(out, table)
        moved = moved[moved["game_id"] >= 250].reset_index(drop=True)
        moved["game_id"] -= 250
        pd.testing.assert_frame_equal(moved, rows(two, table), check_categorical=False)
        for index in (0, 3):
            file = shard_file(out, table, index)
            assert pq.read_schema(file).equals(pq.read_schema(shard_file(one, table, 0)), check_metadata=True)
    report = verify(out, 15)
    assert (report.wrong, report.games, report.replayed) == ([], 370, 15)
    assert manifest.contents(out).locate(300) == (4, 50)
    assert len(open_run(out).read("seats")) == 740


def test_merged_run_can_be_repaired_extended_and_merged_again(one, two, plan, ruleset, tmp_path):
    out = tmp_path / "both"
    merge_runs([two, one], out)
    before = rows(out, "seats")
    shard_file(out, "seats", 3).unlink()
    assert resume_games(out, ONE) == 100
    pd.testing.assert_frame_equal(rows(out, "seats"), before, check_categorical=False)
    assert extend_games(out, 400, ONE) == 30
    assert list(rows(out, "games")["seed"])[-30:] == [3] * 30
    assert manifest.contents(out).locate(399) == (3, 279)
    with pytest.raises(UserError, match="holds merged runs"):
        run_games(replace(plan, seed=4, games=400), ruleset, out)
    with pytest.raises(UserError, match=r"games 0 to 249 of seed 3 are in .*both, too; .* need different seeds"):
        merge_runs([out, one], tmp_path / "more")


def altered(source, target, change):
    shutil.copytree(source, target)
    content = json.loads((target / manifest.FILE).read_text())
    change(content)
    (target / manifest.FILE).write_text(json.dumps(content))
    return target


def test_runs_that_do_not_belong_together_are_not_merged(one, two, plan, ruleset, tmp_path):
    def other_rules(content):
        content["ruleset"]["data"]["name"] = "mine"
        content["ruleset"]["digest"] = replace(ruleset, data=content["ruleset"]["data"]).digest()

    cases = {
        "its round_cap is 9, in": lambda content: content["plan"].update(round_cap=9),
        r"its rules \('printed'\) are not those of": other_rules,
        r"another version of this program \(engine x, in": lambda content: content.update(engine="x"),
    }
    for k, (message, change) in enumerate(cases.items()):
        with pytest.raises(UserError, match=message):
            merge_runs([one, altered(two, tmp_path / str(k), change)], tmp_path / "out")
    unfinished = altered(two, tmp_path / "unfinished", lambda content: None)
    shard_file(unfinished, "games", 1).unlink()
    with pytest.raises(UserError, match="20 of its 120 games missing; finish it first: newdawn resume"):
        merge_runs([one, unfinished], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_verify_tells_what_is_wrong(copy):
    seats = shard_file(copy, "seats", 0)
    table = pq.read_table(seats)
    place = table.schema.get_field_index("cities")
    changed = table.set_column(place, table.schema.field(place), table["dial"].cast(table["cities"].type))
    files = {name: shard_file(copy, name, 0).read_bytes() for name in TABLES}
    sink = copy.parent / "changed.parquet"
    pq.write_table(changed, sink)
    folder.write_files(copy, 0, files | {"seats": sink.read_bytes()})  # with checksums of its own
    folder.write_files(copy, 1, {name: shard_file(copy, name, 2).read_bytes() for name in TABLES})
    (copy / "games" / "part-000099.parquet").write_bytes(b"")
    wrong = "\n".join(verify(copy, 250).wrong)
    assert "game 0 has other rows in `seats` than when it is replayed" in wrong
    assert "part-000001.parquet: expected 1 rows for each of the games 100 to 199" in wrong
    assert "part-000099.parquet: does not belong to the run" in wrong


def test_other_engine(copy):
    altered_manifest = manifest.read(copy) | {"engine": "x"}
    manifest.write(copy, altered_manifest)
    with pytest.raises(UserError, match="--sample 0 checks the rest"):
        verify(copy, 1)
    assert verify(copy, 0).games == 250
    with pytest.raises(UserError, match="was begun with another version of this program"):
        resume_games(copy, ONE)


def test_lock_is_for_one(tmp_path):
    with lock.hold(tmp_path):
        with pytest.raises(UserError, match=r"process \d+ on .* is writing into this folder"), lock.hold(tmp_path):
            pass
        assert (tmp_path / lock.FILE).exists()
    with lock.hold(tmp_path):
        pass
    assert not (tmp_path / lock.FILE).exists()


def test_workers_lost_for_good_end_the_run_with_a_message(one, copy, monkeypatch):
    class Lost(Exception):
        pass

    def losing(*_):
        raise Lost
        yield

    monkeypatch.setattr(run, "_in_parallel", losing)
    monkeypatch.setattr(run.backends, "workers", lambda *_: opened())
    shard_file(copy, "games", 0).unlink()

    from contextlib import nullcontext

    def opened():
        return nullcontext(Workers("loky", 2, (Lost,)))

    with pytest.raises(UserError, match="workers were ended from outside 3 times in a row"):
        resume_games(copy, ONE)


def test_segments_are_cut_one_by_one():
    shards = cut([Segment(1, 0, 250, 100), Segment(7, 40, 120, 60)])
    assert [(s.seed, s.game, s.n, s.first_id) for s in shards] == [
        (1, 0, 100, 0),
        (1, 100, 100, 100),
        (1, 200, 50, 200),
        (7, 40, 60, 250),
        (7, 100, 60, 310),
    ]
