"""Compiled functions that a wheel brings are used as they are, or not at all; code is for any processor of the platform."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode

import llvmlite.binding as llvm
import pytest
from numba.core.registry import cpu_target

from newdawn.scripts.house import wheel
from newdawn.simulator import compile_cache
from newdawn.simulator.engine.compile import code_files, direct_calls, jit

ROOT = compile_cache.ROOT


# --- which file is read


def one(r, g, p):
    """Stand for a function that is kept."""
    return p


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Return the folders of packed files and of the user's cache; the function is packed."""
    packed, cache = tmp_path / "packed", tmp_path / "cache"
    monkeypatch.setattr(code_files, "PACKED", packed)
    monkeypatch.setattr(code_files, "FOLDER", cache)
    file = code_files.CodeFile(one, (int,))
    packed.mkdir()
    file.packed.write_bytes(code_files.seal(file.owner, b"packed"))
    return packed, cache


def test_a_packed_file_is_read_and_never_written_to(places):
    packed, cache = places
    file = code_files.CodeFile(one, (int,))
    assert file.read() == b"packed"
    file.write(b"compiled here")
    file.remove()
    assert file.read() == b"packed"
    assert not list(cache.glob("*.code"))
    assert [path.name for path in packed.iterdir()] == [file.packed.name]


def test_packed_files_are_read_where_nothing_can_be_kept(places, monkeypatch):
    packed, _ = places
    monkeypatch.setattr(code_files, "FOLDER", None)
    file = code_files.CodeFile(one, (int,))
    before = file.packed.read_bytes()
    assert file.read() == b"packed"
    file.write(b"compiled here")
    file.remove()
    assert [path.read_bytes() for path in packed.iterdir()] == [before]


@pytest.mark.parametrize(
    "damage", [lambda code: code[:-1], lambda code: code + b"x", lambda code: b"", lambda code: code[::-1]]
)
def test_a_damaged_packed_file_counts_as_not_there(places, damage):
    file = code_files.CodeFile(one, (int,))
    file.packed.write_bytes(damage(file.packed.read_bytes()))
    assert file.read() is None
    file.write(b"compiled here")
    assert file.read() == b"compiled here"


def test_a_packed_file_of_another_version_counts_as_not_there(places, monkeypatch):
    content = code_files.CodeFile(one, (int,)).packed.read_bytes()
    monkeypatch.setattr("newdawn.simulator.engine.compile.code_files.compile_cache.version", lambda: "another")
    file = code_files.CodeFile(one, (int,))
    assert file.read() is None
    file.packed.write_bytes(content)  # under the name of this version's
    assert file.read() is None


PLAY = """
import os, sys
from pathlib import Path
import numba
if sys.argv[2:] == ["other code first"]:
    numba.njit(lambda x: x + 1)(1)
from newdawn.simulator.engine import choosing as rng
from newdawn.simulator.engine.compile import ahead, code_files, jit
ahead.FEW, code_files.PACKED = 10**9, Path(sys.argv[1])
compiled = []
compile_one = jit.Compiled.compile
jit.Compiled.compile = lambda self: (compiled.append(self.kept.path.name), compile_one(self))
functions = [f for f in jit.JITTED if f.__module__ == rng.__name__]
jit.ready(*functions)
print(rng.mix(jit.np.uint64(1)), *sorted(compiled))
"""


@pytest.mark.soak
@pytest.mark.skipif(jit.JIT_OFF or not direct_calls.ARE_USED, reason="nothing is compiled into files of machine code")
def test_packed_functions_are_not_compiled_and_damaged_ones_are(tmp_path):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}

    def play(packed, cache, *arguments):
        command = [sys.executable, "-c", PLAY, str(tmp_path / packed), *arguments]
        environment = clean | {"NUMBA_CACHE_DIR": str(tmp_path / cache)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        said, *compiled = done.stdout.split()
        return said, compiled, sorted(path.name for path in (tmp_path / cache).glob("*.code"))

    # A process whose numba has begun to compile for its own processor plays as well, and keeps none of that.
    first, everything, kept = play("nothing", "native", "other code first")
    assert everything
    assert not kept
    assert play("nothing", "packed")[:2] == (first, everything)
    packed = tmp_path / "packed"
    packed.chmod(0o555)
    assert play("packed", "cache") == (first, [], [])
    packed.chmod(0o755)
    shutil.copytree(packed, tmp_path / "damaged")
    (tmp_path / "damaged" / everything[0]).write_bytes(b"")
    assert play("damaged", "cache") == (first, everything[:1], everything[:1])


# --- for any processor


@pytest.mark.skipif(jit.JIT_OFF, reason="nothing is compiled")
def test_code_is_compiled_for_any_processor_of_the_platform():
    assert cpu_target.target_context.codegen().magic_tuple()[1:] == tuple(compile_cache.any_processor().values())


@pytest.mark.parametrize(("lacks", "name"), [("", "x86-64-v3"), ("avx512f", "x86-64-v3"), ("bmi2", "generic")])
def test_processors_of_x86_have_two_levels(monkeypatch, lacks, name):
    has = {feature: feature != lacks for feature in (*compile_cache.LEVEL_HAS, "sse2", "avx512f")}
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: has)
    assert compile_cache.any_processor.__wrapped__() == {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}


def test_other_platforms_have_one(monkeypatch):
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: {"neon": True, "fp-armv8": True})
    assert compile_cache.any_processor.__wrapped__()["NUMBA_CPU_NAME"] == "generic"


def test_code_belongs_to_a_platform_not_to_a_processor_unless_the_user_names_one(monkeypatch):
    before = compile_cache.machine_digest()
    with monkeypatch.context() as patch:
        patch.setattr(llvm, "get_host_cpu_name", lambda: "another")
        patch.setenv("NUMBA_NUM_THREADS", "1")
        patch.setattr(compile_cache.platform, "python_version", lambda: "3.11.99")
        assert compile_cache.machine_digest() == before
    for key, value in (("NUMBA_CPU_NAME", "znver4"), ("NUMBA_OPT", "1")):
        with monkeypatch.context() as patch:
            patch.setenv(key, value)
            assert compile_cache.machine_digest() != before


@pytest.mark.parametrize(("package", "version", "same"), [
    ("numpy", "{}.{}.99", True), ("numpy", "{}.99.0", False), ("numba", "{}.{}.99", False), ("llvmlite", "{}.{}.99", False),
])  # fmt: skip
def test_code_belongs_to_a_numba_and_to_what_numba_asks_of_numpy(monkeypatch, package, version, same):
    before, found = compile_cache.machine_digest(), compile_cache.metadata.version
    other = version.format(*found(package).split("."))
    monkeypatch.setattr(compile_cache.metadata, "version", lambda name: other if name == package else found(name))
    assert (compile_cache.machine_digest() == before) is same


# --- the wheel


def test_the_wheel_has_the_pure_ones_files_the_packed_ones_and_numbas_tags(tmp_path):
    pure = tmp_path / "lab-1.0-py3-none-any.whl"
    info = "lab-1.0.dist-info"
    with zipfile.ZipFile(pure, "w") as archive:
        archive.writestr("lab/__init__.py", "")
        archive.writestr(f"{info}/METADATA", "Name: lab\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n\n")
        archive.writestr(f"{info}/RECORD", "")
    tags = wheel.tags("Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_27_x86_64\nTag: cp311-cp311-manylinux_2_28_x86_64\n\n")
    path = wheel.write_wheel(pure, {"lab/packed/a.code": b"code"}, tags, tmp_path / "dist")
    assert path.name == "lab-1.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    assert content["lab/packed/a.code"] == b"code"
    assert set(content) == {
        "lab/__init__.py",
        "lab/packed/a.code",
        *(f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD")),
    }
    assert content[f"{info}/WHEEL"].decode().splitlines() == [
        "Wheel-Version: 1.0", "Generator: x", "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in tags),
    ]  # fmt: skip
    recorded = dict(line.split(",", 1) for line in content.pop(f"{info}/RECORD").decode().splitlines())
    assert recorded.pop(f"{info}/RECORD") == ","
    assert recorded == {
        name: f"sha256={urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
        for name, data in content.items()
    }
