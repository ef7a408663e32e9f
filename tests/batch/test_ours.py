"""Nothing is removed or written over that this program did not make."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from newdawn.simulator import compile_cache, file_ownership
from newdawn.simulator.errors import UserError
from newdawn.simulator.runs import run_folder

VERSION = "0123456789abcd{:02x}-{}"
HERE, HOUR, DAY = "0123456789abcdef", 3600, 24 * 3600
STRANGERS = {"photo.jpg": b"\xff\xd8", "thesis.txt": b"four years of work", "folder/deep/notes.md": b"notes"}


def put_strangers(out):
    """Put somebody's files into the folder, and return what is in them by path."""
    for name, content in STRANGERS.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return {out / name: content for name, content in STRANGERS.items()}


def untouched(strangers):
    return all(path.is_file() and path.read_bytes() == content for path, content in strangers.items())


# --- the compile cache


def version(root, number, marked=True, machine=HERE, used=0):
    """Make the folder of a version, last used so many seconds ago, or earlier with each number."""
    path = root / VERSION.format(number, machine)
    path.mkdir()
    if marked:
        file_ownership.mark_folder(path)
    (path / "play.code").write_text("")
    when = time.time() - (used or (number + 2) * HOUR)
    os.utime(path, (when, when))
    return path


def test_prune_keeps_the_folders_used_last(tmp_path):
    folders = [version(tmp_path, number) for number in range(5)]
    compile_cache.prune(tmp_path, folders[0], kept=3)
    assert [path.exists() for path in folders] == [True, True, True, False, False]


def test_prune_keeps_what_was_used_in_the_last_hour(tmp_path):
    """Somebody may still be playing with it."""
    current, *used = [version(tmp_path, number, used=60 * (number + 1)) for number in range(6)]
    old = version(tmp_path, 7)
    compile_cache.prune(tmp_path, current, kept=3)
    assert all(path.exists() for path in (current, *used))
    assert not old.exists()


def test_other_machines_with_the_same_home_leave_a_folder_in_use_alone(tmp_path):
    ours_in_use = version(tmp_path, 0, used=20 * DAY)
    others = [version(tmp_path, number, machine=f"{number:016x}") for number in range(1, 5)]
    forgotten = version(tmp_path, 9, used=31 * DAY)
    for current in others:
        compile_cache.prune(tmp_path, current)
    assert ours_in_use.exists()
    assert all(path.exists() for path in others)
    assert not forgotten.exists()


def test_prune_removes_nothing_without_our_name_and_our_mark(tmp_path):
    current = version(tmp_path, 0)
    strangers = put_strangers(tmp_path)
    unmarked = version(tmp_path, 1, marked=False)
    misnamed = version(tmp_path, 2).rename(tmp_path / "0123456789abcdef")
    other_mark = version(tmp_path, 3)
    (other_mark / file_ownership.MARK).write_text("somebody's")
    elsewhere = version(tmp_path, 4).rename(tmp_path / "elsewhere")
    link = tmp_path / VERSION.format(5, HERE)
    link.symlink_to(elsewhere)
    old = version(tmp_path, 6)
    compile_cache.prune(tmp_path, current, kept=1)
    assert untouched(strangers)
    assert all(path.exists() for path in (current, unmarked, misnamed, other_mark, elsewhere, link))
    assert not old.exists()


def test_a_folder_in_which_something_lies_is_not_marked(tmp_path):
    put_strangers(tmp_path)
    file_ownership.mark_folder(tmp_path)
    file_ownership.remove_folder(tmp_path)
    assert not file_ownership.is_our_folder(tmp_path)
    assert (tmp_path / "thesis.txt").exists()


def use_cache(code, **environment):
    """Run code in a process whose user has neither home nor entry in the list of users; return what it prints."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "XDG_", "HOME"))}
    homeless = "import os, pwd; pwd.getpwuid = lambda uid: {}['nobody']\n"
    command = [sys.executable, "-c", homeless + code]
    done = subprocess.run(command, cwd=compile_cache.ROOT, env=clean | environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a user without an entry is a matter of POSIX")
def test_a_user_without_a_home_has_a_folder_of_its_own_among_the_temporary_files(tmp_path):
    strangers = put_strangers(tmp_path)
    for number in range(8):
        (tmp_path / f"project{number}").mkdir()
        (tmp_path / f"project{number}" / "work.txt").write_text("")
    code = "from newdawn.simulator import compile_cache; print(compile_cache.use_compile_cache())"
    found = Path(use_cache(code, TMPDIR=str(tmp_path)))
    assert found.parent == tmp_path / f"newdawn-cache-{os.getuid()}"
    assert found.parent.stat().st_mode & 0o077 == 0
    assert file_ownership.is_our_folder(found)
    assert untouched(strangers)
    assert len(list(tmp_path.glob("project*/work.txt"))) == 8


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="a matter of POSIX")
@pytest.mark.parametrize("how", ["open to all", "a link"])
def test_no_code_is_run_from_a_folder_that_others_can_write_to(tmp_path, how):
    spare = tmp_path / f"newdawn-cache-{os.getuid()}"
    (tmp_path / "other").mkdir()
    if how == "a link":
        spare.symlink_to(tmp_path / "other")
    else:
        spare.mkdir()
        spare.chmod(0o777)
    code = "from newdawn.simulator import compile_cache; print(compile_cache.use_compile_cache())"
    assert use_cache(code, TMPDIR=str(tmp_path)) == "None"
    assert not list((tmp_path / "other").iterdir())


# --- run folders


SHARDS = run_folder.cut([run_folder.Segment(1, 0, 4, 2)])


def staged(out, name, files):
    path = out / run_folder.STAGING / name
    path.mkdir(parents=True)
    for file in files:
        (path / file).write_bytes(b"")
    return path


def test_tidying_up_a_run_leaves_strangers_in_its_staging_folder(tmp_path):
    strangers = put_strangers(tmp_path / run_folder.STAGING)
    mine = staged(tmp_path, "part-000000.0123abcd", ["games.parquet"])
    mixed = staged(tmp_path, "part-000001.0123abcd", ["games.parquet", "thesis.txt"])
    other = staged(tmp_path, "part-of-my-thesis", ["games.parquet"])
    link = tmp_path / run_folder.STAGING / "part-000001.89abcdef"
    link.symlink_to(other)
    run_folder.recover(tmp_path, SHARDS)
    run_folder.close(tmp_path)
    assert untouched(strangers)
    assert not mine.exists()
    assert [path.name for path in mixed.iterdir()] == ["thesis.txt"]
    assert [path.name for path in other.iterdir()] == ["games.parquet"]
    assert link.is_symlink()


def test_an_empty_staging_folder_is_removed(tmp_path):
    staged(tmp_path, "part-000000.0123abcd", ["games.parquet", "sha256.part"])
    run_folder.close(tmp_path)
    assert not list(tmp_path.iterdir())


def test_dropping_a_shard_removes_its_files_only(tmp_path):
    for table in ("games", "seats"):
        (tmp_path / table).mkdir()
        for name in ("part-000000.parquet", "part-000001.parquet", "part-000000.parquet.bak", "mine.parquet"):
            (tmp_path / table / name).write_bytes(b"")
    strangers = put_strangers(tmp_path / "games")
    run_folder.drop(tmp_path, 0)
    assert untouched(strangers)
    assert {path.name for path in (tmp_path / "seats").iterdir()} == {
        "part-000001.parquet", "part-000000.parquet.bak", "mine.parquet",
    }  # fmt: skip


@pytest.mark.parametrize("content", ["locked by my editor", "process 1"])
def test_a_lock_of_another_program_is_left_alone(tmp_path, content):
    (tmp_path / file_ownership.FILE).write_text(content)
    with pytest.raises(UserError, match="not a lock of this program"), file_ownership.hold(tmp_path):
        pass
    assert (tmp_path / file_ownership.FILE).read_text() == content


def test_a_lock_is_no_link_to_somebodys_file(tmp_path):
    (tmp_path / "empty").write_text("")
    (tmp_path / file_ownership.FILE).symlink_to(tmp_path / "empty")
    with pytest.raises(OSError, match="symbolic links"), file_ownership.hold(tmp_path):
        pass
    assert (tmp_path / "empty").exists()


def test_our_own_lock_left_by_a_killed_process_is_taken_over(tmp_path):
    (tmp_path / file_ownership.FILE).write_text("process 123 on a machine")
    with file_ownership.hold(tmp_path):
        assert str(os.getpid()) in (tmp_path / file_ownership.FILE).read_text()
    assert not (tmp_path / file_ownership.FILE).exists()


def test_what_a_killed_writer_had_not_finished_is_removed_by_the_next_and_nothing_else(tmp_path):
    left = [".findings.json.0123abcd.unfinished", ".a.b.csv.00000000.unfinished"]
    others = [
        ".unfinished",
        "x.0123abcd.unfinished",
        ".a.0123ABCD.unfinished",
        ".a.0123abc.unfinished",
        ".a.0123abcd.unfinishe",
    ]
    for name in (*left, *others):
        (tmp_path / name).write_text("")
    (tmp_path / ".link.0123abcd.unfinished").symlink_to(tmp_path / others[0])
    with file_ownership.held(tmp_path / "game.json"):
        assert all((tmp_path / name).exists() for name in left)
    file_ownership.write_files(tmp_path, {"report.html": "one"}, "report")
    assert not any((tmp_path / name).exists() for name in left)
    assert all((tmp_path / name).exists() for name in (*others, ".link.0123abcd.unfinished"))
    (tmp_path / ".game.json.0123abcd.unfinished").write_text("")
    with file_ownership.held(tmp_path / "game.json"):
        assert not (tmp_path / ".game.json.0123abcd.unfinished").exists()


KILLED = """
import os, sys
from newdawn.simulator.file_ownership import TemporaryFolder
folder = TemporaryFolder("newdawn-test-")
open(f"{folder.name}/film.html", "w").close()
os._exit(9)
"""


def test_temporary_folders_of_killed_processes_are_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("newdawn-test-theirs", "newdawn-other-x"):
        (tmp_path / name).mkdir()
    subprocess.run([sys.executable, "-c", KILLED], env=os.environ | {"TMPDIR": str(tmp_path)}, check=False)
    theirs = {tmp_path / "newdawn-test-theirs", tmp_path / "newdawn-other-x"}
    assert len(set(tmp_path.iterdir()) - theirs) == 1
    with file_ownership.TemporaryFolder("newdawn-test-") as one, file_ownership.TemporaryFolder("newdawn-test-") as other:
        assert set(tmp_path.iterdir()) == {*theirs, Path(one), Path(other)}
    assert set(tmp_path.iterdir()) == theirs


# --- files in a folder of the user's choice


def test_files_of_ours_are_written_again_and_strangers_stay(tmp_path):
    strangers = put_strangers(tmp_path)
    file_ownership.write_files(tmp_path, {"report.html": "one"}, "report")
    file_ownership.write_files(tmp_path, {"report.html": "two", "leaders.csv": "n"}, "report")
    assert (tmp_path / "report.html").read_text() == "two"
    assert file_ownership.ours_in(tmp_path) == {"report.html", "leaders.csv"}
    assert untouched(strangers)
    assert not list(tmp_path.glob(".*.unfinished"))


@pytest.mark.parametrize("name", ["report.html", file_ownership.MARK])
def test_a_file_of_somebody_is_not_written_over(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(UserError, match=f"{name}: already exists and was not written by newdawn; choose another folder"):
        file_ownership.write_files(tmp_path, {"leaders.csv": "n", "report.html": "two"}, "report")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "mine"}


def test_a_file_beside_ours_that_is_not_listed_is_not_written_over(tmp_path):
    file_ownership.write_files(tmp_path, {"report.html": "one"}, "report")
    (tmp_path / "rules.yaml").write_text("mine")
    with pytest.raises(UserError, match=r"rules\.yaml: already exists"):
        file_ownership.write_files(tmp_path, {"report.html": "two", "rules.yaml": "theirs"}, "report")
    assert (tmp_path / "report.html").read_text() == "one"
    assert (tmp_path / "rules.yaml").read_text() == "mine"


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_is_there_whole_and_never_over_another(tmp_path, monkeypatch, links):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")  # a file system without links

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    file_ownership.write_new(tmp_path / "one", b"first")
    with pytest.raises(FileExistsError):
        file_ownership.write_new(tmp_path / "one", b"second")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"one": b"first"}


def test_a_file_of_another_kind_is_not_written_over(tmp_path):
    file_ownership.check_over(tmp_path / "a.html", b"<!DOCTYPE", "a page", "--html")
    (tmp_path / "a.html").write_text("")
    file_ownership.check_over(tmp_path / "a.html", b"<!DOCTYPE", "a page", "--html")
    (tmp_path / "a.html").write_text("<!DOCTYPE html>")
    file_ownership.check_over(tmp_path / "a.html", b"<!DOCTYPE", "a page", "--html")
    (tmp_path / "a.html").write_text("name: mine")
    with pytest.raises(UserError, match=r"--html: '.*a\.html' already exists and is not a page; choose another name"):
        file_ownership.check_over(tmp_path / "a.html", b"<!DOCTYPE", "a page", "--html")


def test_a_file_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    def full(_descriptor):
        raise OSError(28, "No space left on device")

    (tmp_path / "games.csv").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        file_ownership.write_whole(tmp_path / "games.csv", b"new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"games.csv": "old"}
