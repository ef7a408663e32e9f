"""The check of damaged compile caches: what it does to a cache, and that it notices what should not be."""

import faulthandler
import json
import os
import random

import pytest

from newdawn.scripts.checks import damaged_cache


@pytest.fixture
def cache(tmp_path):
    """Return a folder with files as long as those of small functions."""
    for number in range(12):
        (tmp_path / f"f{number}.code").write_bytes(random.Random(number).randbytes(5000))
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


@pytest.mark.parametrize("name", damaged_cache.DAMAGES)
@pytest.mark.parametrize("seed", range(5))
def test_every_damage_leaves_another_folder(cache, name, seed):
    before = contents(cache)
    damaged_cache.DAMAGES[name](cache, random.Random(seed))
    after = contents(cache)
    assert after != before
    assert sum(before[path] == after.get(path) for path in before) >= len(before) - 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="it needs a system that can fork")
@pytest.mark.parametrize(
    ("ending", "fault"),
    [
        ("os.write(answer, good)", ""),
        ("os.write(2, b'a line\\n'); os.write(answer, good)", ""),
        ("os.write(2, b'a line\\nanother\\n'); os.write(answer, good)", "more than a line: a line / another"),
        ("os.write(2, b'compiling the engine 1\\ncompiling the engine 2\\n'); os.write(answer, good)", ""),
        ("os.write(answer, bad)", "2 functions are still not kept"),
        ("os.abort()", "ended with -6: "),
        ("os._exit(3)", "ended with 3: "),
    ],
)
def test_what_should_not_be_is_noticed(cache, monkeypatch, ending, fault):
    scope = {"os": os, **{name: json.dumps({"digest": "x", "left": left}).encode() for name, left in (("good", 0), ("bad", 2))}}

    def play(_folder, _plan, _r, said, answer):
        faulthandler.disable()  # pytest's, which would tell of `abort`
        os.dup2(said, 2)
        exec(ending, scope | {"answer": answer})
        os._exit(0)

    monkeypatch.setattr(damaged_cache, "play", play)
    assert damaged_cache.in_child(cache, None, None)[1] == fault
