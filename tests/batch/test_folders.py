"""Extending, merging, verifying and locking run folders."""

import json
import re
import shutil
from dataclasses import replace

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from newdawn.analysis.tables.read import open_run
from newdawn.scripts.cli import run as cli_folders
from newdawn.simulator import compile_cache, file_ownership
from newdawn.simulator.engine.compile import ahead
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import manifest, run, run_folder
from newdawn.simulator.runs import verify as batch_verify
from newdawn.simulator.runs.run import Means, Workers, extend_games, resume_games, run_games
from newdawn.simulator.runs.run_folder import LABEL_KEY, TABLES, Segment, cut, parquet_bytes, shard_file
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.simulator.runs.verify import merge_runs, verify

ONE = Means(jobs=1)


@pytest.fixture(scope="module")
def ruleset():
    return load_ruleset()


@pytest.fixture(scope="module")
def plan(ruleset):
    return plan_by(ruleset.compile(), players=2, games=250, seed=3, strategies=["random"], round_cap=3)


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
    with pytest.raises(UserError, match="--games: 300 is too few; the run has 420"):
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
            here, there = (pq.read_schema(shard_file(*place)) for place in ((out, table, index), (one, table, 0)))
            assert here.equals(there)
            assert here.metadata.keys() == there.metadata.keys()
            assert here.metadata[LABEL_KEY].decode() == manifest.labels(manifest.read(out))[index]
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
    with pytest.raises(UserError, match=r"games 0 to 249 of seed 3 are in .*both, too; only runs of different seeds"):
        merge_runs([out, one], tmp_path / "more")


def altered(source, target, change):
    shutil.copytree(source, target)
    content = json.loads((target / manifest.FILE).read_text())
    change(content)
    manifest.write(target, content)
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
    labels = manifest.labels(manifest.read(copy))
    run_folder.write_files(copy, 0, files | {"seats": parquet_bytes(changed, labels[0])})  # with checksums of its own
    others = {name: pq.read_table(shard_file(copy, name, 2)) for name in TABLES}
    run_folder.write_files(copy, 1, {name: parquet_bytes(table, labels[1]) for name, table in others.items()})
    (copy / "games" / "part-000099.parquet").write_bytes(b"")
    wrong = "\n".join(verify(copy, 250).wrong)
    assert "game 0 has other rows in `seats` than when it is replayed" in wrong
    assert "part-000001.parquet: expected 1 rows for each of the games 100 to 199" in wrong
    assert "part-000099.parquet: does not belong to the run; remove it" in wrong


def test_verify_advises_to_resume_only_where_that_helps(copy):
    (copy / "games" / "part-000099.parquet").write_bytes(b"")
    said = CliRunner().invoke(cli_folders.verify, [str(copy), "--sample", "0"])
    assert (said.exit_code, "newdawn resume" in said.output) == (1, False)
    shard_file(copy, "seats", 1).unlink()
    assert "newdawn resume" in CliRunner().invoke(cli_folders.verify, [str(copy), "--sample", "0"]).output


@pytest.mark.parametrize("change", [{"data": {}}, {"box": "terra-incognita"}, {"name": None}, {"data": None}, {"digest": "0"}])
def test_rules_of_a_manifest_that_are_not_those_of_its_digest_are_refused(copy, change):
    found = manifest.read(copy)
    manifest.write(copy, found | {"ruleset": found["ruleset"] | change})
    with pytest.raises(UserError, match=r"manifest.json: its rules do not match its digest"):
        manifest.read(copy)


def test_other_engine(copy, monkeypatch):
    for module in (manifest, batch_verify, compile_cache):
        monkeypatch.setattr(module, "source_digest", lambda: "x")
    with pytest.raises(UserError, match="--sample 0 checks the rest"):
        verify(copy, 1)
    assert verify(copy, 0).games == 250
    with pytest.raises(UserError, match="was started with another version of this program"):
        resume_games(copy, ONE)


def foreign(source, target, index):
    """Copy a shard of another run, with its checksums, over that of a run."""
    for table in TABLES:
        shutil.copy(shard_file(source, table, index), shard_file(target, table, index))
    shutil.copy(run_folder.checksum_file(source, index), run_folder.checksum_file(target, index))


def test_a_shard_of_another_run_is_refused_by_all_and_played_anew_by_resume(one, two, plan, ruleset, copy, tmp_path):
    foreign(two, copy, 0)
    path = shard_file(copy, "games", 0)
    said = rf"{path}: holds games that do not belong there \(label [0-9a-f]{{32}}, expected [0-9a-f]{{32}}\)"
    with pytest.raises(UserError, match=rf"{said}; `newdawn resume {copy}` plays"):
        open_run(copy).read("games")
    assert re.search(said, verify(copy, 0).wrong[0])
    with pytest.raises(UserError, match=f"{said}; repair it first"):
        merge_runs([copy, two], tmp_path / "both")
    assert extend_games(copy, 250, ONE) == 100
    assert contents(copy) == contents(one)
    run_games(replace(plan, games=60), ruleset, tmp_path / "short", jobs=1)  # the same games, but not as many
    foreign(tmp_path / "short", copy, 0)
    assert resume_games(copy, ONE) == 100
    assert contents(copy) == contents(one)


def test_a_table_in_the_place_of_another_is_refused_by_all_and_played_anew_by_resume(one, two, copy, tmp_path):
    files = {table: shard_file(copy, "games" if table == "seats" else table, 0).read_bytes() for table in TABLES}
    run_folder.drop(copy, 0)
    run_folder.write_files(copy, 0, files)  # with checksums made to fit
    said = f"{shard_file(copy, 'seats', 0)}: holds the table games; expected seats"
    with pytest.raises(UserError, match=f"{said}; `newdawn resume"):
        open_run(copy).read("seats")
    assert said in verify(copy, 0).wrong[0]
    with pytest.raises(UserError, match=f"{said}; repair it first"):
        merge_runs([copy, two], tmp_path / "both")
    resume_games(copy, ONE)
    assert contents(copy) == contents(one)


def contents(out):
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def test_a_foreign_shard_without_checksums_or_beyond_the_last_is_not_read(two, copy):
    foreign(two, copy, 1)
    run_folder.checksum_file(copy, 1).unlink()
    with pytest.raises(UserError, match=r"part-000001.parquet: holds games that do not belong there"):
        open_run(copy).read("seats")
    resume_games(copy, ONE)
    for table in TABLES:
        shutil.copy(shard_file(copy, table, 0), shard_file(copy, table, 7))
    with pytest.raises(UserError, match=r"part-000007.parquet: does not belong to this run of 3 shards; remove it"):
        open_run(copy).read("seats")


def test_a_missing_shard_of_a_finished_run_is_wrong_and_of_a_stopped_one_is_not(copy):
    run_folder.drop(copy, 1)
    run_folder.drop(copy, 2)
    lost = verify(copy, 5)
    assert lost.wrong == [
        f"{shard_file(copy, 'games', 1)}: is missing with all tables of its games, and 1 more shard of the run: 150 games"
    ]
    assert (lost.games, lost.shards, lost.replayed) == (100, 1, 5)
    run_folder.begin(copy)
    assert verify(copy, 0).wrong == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"seed": 3,\n  "round_cap"', '"seed": 4,\n  "round_cap"', "was edited or damaged"),
        ('"Rome"', '"Rime"', "was edited or damaged"),
        ('"random"', '"randem"', "was edited or damaged"),
        ('"engine": "', '"engine": "0', "was edited or damaged"),
        ('"players": 2', '"players": "2"', "plan.players: expected a whole number"),
    ],
)
def test_a_manifest_that_was_changed_is_said_in_one_line(copy, old, new, message):
    path = copy / manifest.FILE
    text = path.read_text("utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), "utf-8")
    for use in (open_run, lambda out: resume_games(out, ONE), lambda out: verify(out, 1)):
        with pytest.raises(UserError, match=message) as error:
            use(copy)
        assert str(path) in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"leaders": ["Egipt", "Rome"]}, r"unknown leader 'Egipt'.*did you mean 'Egypt'\?"),
        ({"strategies": ["randem"]}, r"unknown strategy 'randem'.*did you mean 'random'\?"),
        ({"seed": 4}, "its plan.seed is 4, that of its segments 3"),
    ],
)
def test_a_wrong_name_in_a_manifest_made_by_hand_is_said_in_one_line(plan, ruleset, tmp_path, change, message):
    content = manifest.build(plan, ruleset)
    manifest.write(tmp_path, content | {"plan": content["plan"] | change})
    with pytest.raises(UserError, match=message) as error:
        resume_games(tmp_path, ONE)
    assert "\n" not in str(error.value)


def made_before_there_were_labels(out):
    """Take from a run what tells its tables from those of others."""
    content = manifest.read(out)
    del content[manifest.DIGEST]
    (out / manifest.FILE).write_text(json.dumps(content), "utf-8")
    for index in (0, 1, 2):
        bare = {table: pq.read_table(shard_file(out, table, index)) for table in TABLES}
        schema = {table: {b"newdawn_schema": b"1"} for table in TABLES}
        files = {table: parquet_bytes(bare[table].replace_schema_metadata(schema[table])) for table in TABLES}
        run_folder.write_files(out, index, files)


def test_a_run_made_before_there_were_labels_is_read_and_not_added_to(one, two, copy, tmp_path):
    made_before_there_were_labels(copy)
    pd.testing.assert_frame_equal(open_run(copy).read("seats"), open_run(one).read("seats"))
    report = verify(copy, 3)
    assert (report.wrong, report.replayed, report.labelled) == ([], 3, False)
    message = "whose tables do not tell which run they belong to; it can be read and reported"
    for use in (lambda: resume_games(copy, ONE), lambda: merge_runs([two, copy], tmp_path / "both")):
        with pytest.raises(UserError, match=message):
            use()


def test_lock_is_for_one(tmp_path):
    with file_ownership.hold(tmp_path):
        with pytest.raises(UserError, match=r"process \d+ on .* is writing into this folder"), file_ownership.hold(tmp_path):
            pass
        assert (tmp_path / file_ownership.FILE).exists()
    with file_ownership.hold(tmp_path):
        pass
    assert not (tmp_path / file_ownership.FILE).exists()


def test_busy_is_an_error_of_its_own_and_says_so_whatever_the_file_holds(tmp_path):
    with file_ownership.hold(tmp_path):
        (tmp_path / file_ownership.FILE).write_text("prncess 1")
        with (
            pytest.raises(file_ownership.Busy, match="another process is writing into this folder"),
            file_ownership.hold(tmp_path),
        ):
            pass
    (tmp_path / file_ownership.FILE).write_text("prncess 1")
    message = "is not a lock of this program, or damaged; remove it if nothing uses it"
    with pytest.raises(UserError, match=message) as refused, file_ownership.hold(tmp_path):
        pass
    assert not isinstance(refused.value, file_ownership.Busy)


def test_a_damaged_lock_of_the_compile_cache_makes_nobody_wait(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    (tmp_path / file_ownership.FILE).write_text("prncess 1 on here")
    told = []
    with ahead.alone(told.append):
        pass
    assert told == []


def test_workers_lost_for_good_end_the_run_with_a_message(one, copy, monkeypatch):
    class Lost(Exception):
        pass

    def losing(*_):
        raise Lost
        yield

    monkeypatch.setattr(run, "_in_parallel", losing)
    monkeypatch.setattr(run, "open_workers", lambda *_: opened())
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
