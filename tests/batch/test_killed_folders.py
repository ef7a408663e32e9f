"""What killed commands leave in a folder before it is described is known as ours; who writes there is said."""

import os
import subprocess
import sys

import pytest

from newdawn.simulator import file_ownership
from newdawn.simulator.compile_cache import ROOT
from newdawn.simulator.errors import UserError
from newdawn.simulator.file_ownership import check_folder, is_bare, opened, write_files

EXPECTED = "things", "one of the same things"
HOLD = """
import sys
from newdawn.simulator.file_ownership import hold
from pathlib import Path
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def busy(tmp_path):
    """Return a folder that another process holds, before it has described it."""
    (tmp_path / "data").write_text("not ours, as far as one can see")
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield tmp_path, process.pid
    process.stdin.close()
    process.wait()
    process.stdout.close()


def leave(folder):
    """Leave what killed commands leave."""
    (folder / ".unfinished").mkdir(parents=True)
    (folder / "games" / "deep").mkdir(parents=True)
    (folder / ".lock").write_text("process 12 on somewhere")
    (folder / ".played.games.lock").write_text("")
    (folder / ".manifest.json.0123abcd.unfinished").write_text("{")
    (folder / ".newdawn").write_text(f"{file_ownership.FILES_MARK}findings.json\n")


def test_a_folder_left_by_a_killed_command_is_taken_over_and_cleared(tmp_path):
    leave(tmp_path / "out")
    assert is_bare(tmp_path / "out")
    with opened(tmp_path / "out", "manifest.json", *EXPECTED):
        assert not list((tmp_path / "out").glob(".*.unfinished"))
    assert not (tmp_path / "out" / ".lock").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("notes.txt", ""), ("games/deep/mine.md", "x"), (".lock", "somebody's"), (".newdawn", "somebody's"),
     (".x.lock", "process"), (".x.unfinished", "no name of ours"), (".hidden", "")],
)  # fmt: skip
def test_any_file_of_somebody_elses_makes_it_theirs(tmp_path, name, content):
    out = tmp_path / "out"
    leave(out)
    (out / name).write_text(content)
    before = {path for path in out.rglob("*") if path.name != ".lock"}  # that of a killed one may go
    with pytest.raises(UserError, match="holds other files; expected a new or empty folder, or one of the same things"):
        check_folder(out, "manifest.json", *EXPECTED)
    assert before <= set(out.rglob("*"))
    assert (out / name).read_text() == content


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links")
def test_a_link_is_nobodys_empty_folder(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "games").symlink_to(tmp_path / "empty")
    assert not is_bare(tmp_path / "out")


def test_who_comes_second_is_told_who_writes_there(busy):
    out, process = busy
    for deed in (
        lambda: check_folder(out, "manifest.json", *EXPECTED),
        lambda: opened(out, "manifest.json", *EXPECTED).__enter__(),
        lambda: write_files(out, {"data": "new"}, "things"),
    ):
        with pytest.raises(file_ownership.Busy, match=f"process {process} on .* is writing into this folder"):
            deed()
    assert (out / "data").read_text() == "not ours, as far as one can see"


def test_files_in_folders_below_are_listed_first_and_cleared_and_those_replaced_are_removed(tmp_path):
    write_files(tmp_path, {"games/a": "1", "games/b": "2", "last": "3"}, "things")
    (tmp_path / "games" / ".a.0123abcd.unfinished").write_text("half")
    write_files(tmp_path, {"games/a": "4", "last": "5"}, "things", replaced={"games/a", "games/b"})
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [".newdawn", "a", "last"]
    assert file_ownership.ours_in(tmp_path) == {"games/a", "last"}
    assert (tmp_path / "games" / "a").read_text() == "4"
