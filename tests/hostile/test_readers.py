"""Every reader of files, called directly with thousands of files that are damaged, mistaken or made to do harm."""

import io
import json
import time
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from newdawn.scripts.checks import hostile
from newdawn.simulator import compile_cache, kept_files, reading
from newdawn.simulator.errors import UserError, printable
from newdawn.simulator.reading import yaml_of
from newdawn.strategies import network_files, profiles

SLOW = {
    "house rules": 30,
    "map": 30,
    "manifest of a run": 25,
    "game at the table": 40,
    "games of a search": 50,
    "description of games": 50,
}  # which check whole rules
MUTATIONS = 120


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    return hostile.readers(tmp_path_factory.mktemp("readers"))


NAMES = (
    "house rules", "map", "profile", "goals", "value network", "policy network", "games of a training", "lessons",
    "settings of a training", "findings", "table of an answer", "experiment", "effects", "a table of effects", "pairs",
    "ladder", "description of games", "games of a search", "effort", "search for weights", "game at the table", "plays as CSV",
    "plays of BoardGameGeek", "plays as XML", "plays of BG Stats", "plays in a workbook", "answers on logs",
    "manifest of plays", "manifest of a run", "manifest, to be reported", "table of a run", "checksums of a run",
    "weights of readings", "tests of rules", "measurements",
)  # fmt: skip


def test_all_readers_are_asked(readers):
    assert tuple(readers) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_file_is_one_line(readers, name):
    trials = hostile.mutations(name, readers[name], SLOW.get(name, MUTATIONS), 7, 600)
    assert trials.faults == []
    assert trials.counts["refused"] > trials.counts.total() / 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: !!bool foo", "a value that cannot be read"),
        ('a: !!int ""', "a value that cannot be read"),
        ("a: !!timestamp x", "a value that cannot be read"),
        ("a: !!set {x}", "the tag 'set' is not read"),
        ("a: 1:2", "1:2 is a number to the base of 60; expected a plain number, or a text in quotes"),
        ("a: 1:2.5", "to the base of 60"),
        ("a: 010", "010 is a number to the base of 8"),
        ("a: .inf", "a: inf is not finite"),
        ("a: {b: [.nan]}", "a.b: nan is not finite"),
        (r'a: "\ud800"', "not valid YAML"),
        (r'a: "\e[2J"', r"a: holds the character '\x1b'"),
        ('"\\u202ea": 1', r"holds the character '\u202e'"),
    ],
)
def test_yaml_that_says_something_else_than_it_seems(text, said):
    with pytest.raises(UserError) as raised:
        yaml_of(text, "house.yaml")
    assert said in str(raised.value)
    assert str(raised.value).startswith("house.yaml")


def test_yaml_that_says_what_it_seems():
    text = "a: 0\nb: -7\nc: 0x1f\nd: 1.5\ne: '1:2'\nf: 1_000\ng: |\n  two\n  lines\n1: one\n"
    assert yaml_of(text, "") == {
        "a": 0, "b": -7, "c": 31, "d": 1.5, "e": "1:2", "f": 1000, "g": "two\nlines\n", "1": "one",
    }  # fmt: skip


def network(path, **changes):
    arrays = {part: np.zeros(network_files.VALUE.store.dtype[part].shape, np.float32) for part in network_files.VALUE.parts}
    arrays |= {"facts": np.array(network_files.VALUE.sees), "about": np.array("{}")}
    np.savez_compressed(path, **arrays | changes)
    return path


FIRST = network_files.VALUE.parts[0]
SHAPE = network_files.VALUE.store.dtype[FIRST].shape


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({FIRST: np.full(SHAPE, np.inf)}, "holds numbers that are not finite"),
        ({FIRST: np.full(SHAPE, 1e300)}, "holds numbers that are too large"),
        ({FIRST: np.full(SHAPE, "1.0")}, "expected numbers with a point"),
        ({FIRST: np.zeros(SHAPE, complex)}, "expected numbers or texts"),
        ({"facts": np.array([network_files.VALUE.sees[0]] * len(network_files.VALUE.sees))}, "names a fact twice"),
        ({"about": np.array("[1]")}, "about: expected what a training says"),
        ({"more": np.zeros((20_000, 20_000), np.int8)}, "more than 8,000,000 bytes in it"),
    ],
)
def test_a_network_holds_finite_numbers_and_little_room(tmp_path, changes, said):
    network_files.read(network(tmp_path / "good_2p.npz"))
    with pytest.raises(UserError, match=said):
        network_files.read(network(tmp_path / "bad_2p.npz", **changes))


def test_a_shape_that_the_file_does_not_hold_takes_no_memory(tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 40,)})
    with zipfile.ZipFile(tmp_path / "large.npz", "w") as archive:
        archive.writestr("first.npy", header.getvalue())
    with pytest.raises(UserError, match=r"first: has 0 bytes, expected 8,796,093,022,208"):
        reading.arrays_in(tmp_path / "large.npz", "a network")


@pytest.mark.parametrize("text", ["a," * 100_000 + "a\n1\n", "a\n" + "1," * 100_000 + "1\n"])
def test_a_table_of_more_columns_than_there_are_takes_no_time(text):
    began = time.monotonic()
    with pytest.raises(UserError, match="more than 1,000 columns"):
        reading.csv_of(text.encode(), "wide.csv", "a table")
    assert time.monotonic() - began < 5


def test_a_table_of_more_rows_than_fit_takes_no_memory(tmp_path):
    some = pa.table({"n": np.zeros(10_000_000, np.int8)})
    with pq.ParquetWriter(tmp_path / "large.parquet", some.schema, compression="zstd") as file:
        for _ in range(11):
            file.write_table(some)
    assert (tmp_path / "large.parquet").stat().st_size < 1_000_000
    before = pa.total_allocated_bytes()
    with pytest.raises(UserError, match=r"110,000,000 rows; expected at most 100,000,000"):
        reading.parquet_of(tmp_path / "large.parquet", tmp_path / "large.parquet", "play it anew")
    assert pa.total_allocated_bytes() == before


@pytest.mark.parametrize("name", ["./a\\0b", "./" + "x" * 400])
def test_a_profile_cannot_name_a_file_that_there_cannot_be(tmp_path, name):
    (tmp_path / "mine.yaml").write_text(f'like: quick\nnetwork: "{name}"\n')
    with pytest.raises(UserError, match=r"mine\.yaml"):
        profiles.read(tmp_path / "mine.yaml")


def test_what_is_said_of_a_file_is_one_line_that_a_terminal_only_shows():
    assert printable("a\nb\x1b[2J\u202e\ud800é") == "a b\\x1b[2J\\u202e\\ud800é"
    assert str(UserError("x\x07\ny")) == "x\\x07 y"


# --- Kept files


def test_a_kept_file_knows_whether_it_was_changed(tmp_path):
    path = tmp_path / "kept.json"
    kept_files.write(path, {"minutes": 1.5, "words": "é"})
    assert kept_files.read(path, "an effort") == {"minutes": 1.5, "words": "é"}
    path.write_text(path.read_text("utf-8").replace("1.5", "1.6"), "utf-8")
    with pytest.raises(UserError, match="has changed since it was written"):
        kept_files.read(path, "an effort")
    path.write_text('{"minutes": 1.5}')
    with pytest.raises(UserError, match="of an earlier version of this program, which cannot be checked"):
        kept_files.read(path, "an effort")
    assert kept_files.read(path, "an effort", unsealed=True) == {"minutes": 1.5}


def journal(path, **changes):
    header = {"ruleset": {"name": "printed", "digest": "0"}, "engine": compile_cache.source_digest(), "seed": 1}
    return kept_files.Journal(path, header | changes, "games")


def test_a_journal_gives_back_what_was_put_into_it(tmp_path):
    one = journal(tmp_path / "a.games")
    assert one.read() == []
    one.append({"n": 1}, b"\n{}\n")
    one.append({"n": 2})
    again = journal(tmp_path / "a.games")
    assert again.read() == [({"n": 1, "bytes": 4}, b"\n{}\n"), ({"n": 2}, b"")]
    again.append({"n": 3}, b"x")
    assert len(journal(tmp_path / "a.games").read()) == 3
    with pytest.raises(UserError, match="holds other games: their 'seed' is not what is asked for"):
        journal(tmp_path / "a.games", seed=2).read()
    journal(tmp_path / "old.games", engine="old").append({"n": 1})
    with pytest.raises(UserError, match="holds games of another version"):
        journal(tmp_path / "old.games").read()


def test_a_journal_that_was_cut_off_goes_on_and_one_that_was_changed_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_files.os, "fsync", lambda _: None)
    path = tmp_path / "a.games"
    one = journal(path)
    for n in range(4):
        one.append({"n": n}, bytes([n]) * 50)
    whole = path.read_bytes()
    for end in (*range(0, len(whole), 7), len(whole) - 1):
        path.write_bytes(whole[:end])
        again = journal(path)
        found = again.read()
        for n in range(len(found), 4):
            again.append({"n": n}, bytes([n]) * 50)
        assert path.read_bytes() == whole
    same = 0
    for bit in range(0, 8 * len(whole), 37):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        again = journal(path)
        try:
            found = again.read()
        except UserError:
            continue
        same += 1  # what looks cut off is cut off, and put there again
        for n in range(len(found), 4):
            again.append({"n": n}, bytes([n]) * 50)
        assert path.read_bytes() == whole
    assert same < 15


def test_another_programs_file_is_no_journal_and_stays(tmp_path):
    for content in (b"mine", b"{}\n", b"[1]\n", b'{"a": 1}\n'):
        (tmp_path / "a.games").write_bytes(content)
        with pytest.raises(UserError, match="not games that this version keeps"):
            journal(tmp_path / "a.games").read()
        assert (tmp_path / "a.games").read_bytes() == content


def test_versions_that_play_the_same_games_are_named_in_sets(monkeypatch):
    now = compile_cache.source_digest()
    assert compile_cache.same_games(now)
    assert not compile_cache.same_games("before")
    monkeypatch.setattr(compile_cache, "ALIKE", (frozenset({"before", now}), frozenset({"other", "older"})))
    assert compile_cache.same_games("before")
    assert not compile_cache.same_games("older")
    assert not compile_cache.same_games(["before"])
    assert json.loads(kept_files.as_text({"engine": now}))["engine"] == now
