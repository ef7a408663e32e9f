"""Reading runs: the schema is kept, damaged and foreign folders are refused."""

import hashlib
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from synthetic import write_run

from newdawn.analysis.tables.read import open_run
from newdawn.simulator.errors import UserError
from newdawn.simulator.runs.run_folder import TABLES, as_markdown


@pytest.fixture
def folder(tmp_path):
    return write_run(tmp_path / "run", games=20, shard=7)


@pytest.mark.parametrize("name", list(TABLES))
def test_tables_come_back_as_they_were_written(folder, name):
    frame = open_run(folder).read(name)
    assert list(frame.columns) == TABLES[name].names()
    kinds = {column.name: column.type for column in TABLES[name].columns if not column.optional}
    assert {key: str(frame[key].dtype) for key in kinds} == kinds


def test_schema_on_disk_is_the_documented_one(folder):
    for name, table in TABLES.items():
        for path in (folder / name).glob("*.parquet"):
            assert pq.read_schema(path).equals(table.arrow_schema())


def test_the_first_games_end_with_a_shard(folder):
    run = open_run(folder)
    assert [len(run.first(n).read("games")) for n in (0, 1, 7, 8, 20, 100)] == [0, 7, 7, 14, 20, 20]
    assert len(run.read("games")) == 20
    assert run.first(8).read("seats").equals(run.read("seats").query("game_id < 14"))


def test_unfinished_shard_is_left_out(folder):
    (folder / "games" / "part-000001.parquet").unlink()  # the table that appears last
    run = open_run(folder)
    assert run.shards == ["part-000000.parquet", "part-000002.parquet"]
    assert len(run.read("games")) == 13


@pytest.mark.parametrize("table", ["seats", "wonders", "agendas"])
def test_a_finished_shard_that_has_lost_a_table_is_named(folder, table):
    (folder / table / "part-000001.parquet").unlink()
    with pytest.raises(UserError, match=rf"{table}.part-000001.parquet: is missing, though its shard was finished; .*resume"):
        open_run(folder)


def test_a_shard_with_checksums_and_without_its_games_is_named(folder):
    (folder / "checksums").mkdir(exist_ok=True)
    (folder / "checksums" / "part-000001.sha256").write_text("")
    (folder / "games" / "part-000001.parquet").unlink()
    with pytest.raises(UserError, match=r"games.part-000001.parquet: is missing"):
        open_run(folder)


def test_other_schema_version_is_refused(folder):
    (folder / "manifest.json").write_text(json.dumps({"schema_version": 0}))
    with pytest.raises(UserError, match="schema version 0; this program reads version 1"):
        open_run(folder)


def test_table_of_other_schema_version_is_refused(folder):
    path = folder / "games" / "part-000000.parquet"
    pq.write_table(pq.read_table(path).replace_schema_metadata({b"newdawn_schema": b"7"}), path)
    with pytest.raises(UserError, match=r"part-000000.parquet: table of schema version 7"):
        open_run(folder).read("games")


def test_damaged_table_is_named(folder):
    path = folder / "seats" / "part-000001.parquet"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UserError, match=r"part-000001.parquet: cannot be read as Parquet"):
        open_run(folder).read("seats")


def test_a_changed_bit_is_noticed_wherever_it_is(folder):
    path = folder / "seats" / "part-000001.parquet"
    whole = path.read_bytes()
    (folder / "checksums").mkdir()
    (folder / "checksums" / "part-000001.sha256").write_text(f"{hashlib.sha256(whole).hexdigest()}  seats/{path.name}\n")
    assert len(open_run(folder).read("seats")) > 0
    random = np.random.default_rng(5)
    for place in random.integers(0, len(whole), 60):
        content = bytearray(whole)
        content[place] ^= 1 << int(random.integers(8))
        path.write_bytes(content)
        with pytest.raises(UserError, match=r"part-000001.parquet: has changed since .*; `newdawn resume .*` plays"):
            open_run(folder).read("seats", ["won"])


def test_unreadable_checksums_are_named(folder):
    (folder / "checksums").mkdir()
    (folder / "checksums" / "part-000002.sha256").write_text("not a checksum\n")
    with pytest.raises(UserError, match=r"part-000002.sha256: no readable checksums"):
        open_run(folder).read("games")


def test_foreign_folder_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"not a run folder: expected a file manifest.json"):
        open_run(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(UserError, match="cannot be read as a manifest"):
        open_run(tmp_path)


@pytest.mark.parametrize("plan", [None, 7, {}, {"players": "x"}])
def test_a_manifest_without_its_plan_is_refused(folder, plan):
    content = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(content | {"plan": plan}))
    with pytest.raises(UserError, match=r"manifest.json: damaged.* plan.players: expected a whole number"):
        open_run(folder)


def test_every_column_is_documented():
    text = as_markdown()
    for table in TABLES.values():
        for column in table.columns:
            assert column.meaning
            assert f"| `{column.name}` |" in text
