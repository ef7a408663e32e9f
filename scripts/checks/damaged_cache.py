"""Damaged compile caches: does the program play the same games with one, or say why not in one line?

    python -m newdawn.scripts.checks.damaged_cache --trials 500 --seed 1

Every trial damages a copy of a good cache in one of the ways of DAMAGES and plays a few games with it, in a process of its own.
Faults are other games, a process that ends in any other way, more than one line besides the progress of compiling, and damage
that is still there afterwards although it could have been mended. It needs a system that can fork.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

PATTERN = "*.code"
PROGRESS = re.compile(r"compiling the engine|another process is compiling the engine")
NOBODY = 65534  # a user who may not write into others' folders
GAMES, PLAYERS = 3, 2
WHOLE = 0.05  # share of caches removed in whole while in use; few, for then everything is compiled anew


def some(folder: Path, chance: random.Random) -> list[Path]:
    """Return one to three files of the cache."""
    return chance.sample(sorted(folder.glob(PATTERN)), chance.randint(1, 3))


def flip_bits(folder: Path, chance: random.Random) -> None:
    """Flip one bit of a file, or many."""
    for path in some(folder, chance):
        content = bytearray(path.read_bytes())
        for _ in range(chance.choice((1, 1, 1, 100))):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)


def cut_short(folder: Path, chance: random.Random) -> None:
    """Cut off the end of a file."""
    for path in some(folder, chance):
        os.truncate(path, chance.randrange(path.stat().st_size))


def empty(folder: Path, chance: random.Random) -> None:
    """Empty a file."""
    for path in some(folder, chance):
        path.write_bytes(b"")


def scribble(folder: Path, chance: random.Random) -> None:
    """Replace the content of a file, or append to it."""
    for path in some(folder, chance):
        rubbish = chance.randbytes(chance.randrange(1, 4000))
        path.write_bytes(rubbish if chance.random() < 0.5 else path.read_bytes() + rubbish)


def exchange(folder: Path, chance: random.Random) -> None:
    """Exchange the files of two functions, or copy one over the other."""
    path, other_path = chance.sample(sorted(folder.glob(PATTERN)), 2)
    first, second = path.read_bytes(), other_path.read_bytes()
    path.write_bytes(second)
    if chance.random() < 0.5:
        other_path.write_bytes(first)


def block(folder: Path, chance: random.Random) -> None:
    """Replace a file by a link to nowhere, or to another function's file."""
    for path in some(folder, chance):
        path.unlink()
        path.symlink_to(chance.choice((folder / "nowhere", *folder.glob(PATTERN))))


def lose(folder: Path, chance: random.Random) -> None:
    """Remove a file."""
    for path in some(folder, chance):
        path.unlink()


def lose_in_use(folder: Path, chance: random.Random) -> None:
    """Have some files, sometimes all, removed while in use (`suffer`)."""
    lost = [folder] if chance.random() < WHOLE else chance.sample(sorted(folder.glob(PATTERN)), 8)
    (folder / "remove").write_text("\n".join([str(chance.uniform(0.0, 1.0)), *map(str, lost)]))


def forbid_writing(folder: Path, chance: random.Random) -> None:
    """Damage a file in a folder that cannot be written to (`suffer`)."""
    chance.choice((flip_bits, cut_short, empty, exchange))(folder, chance)
    (folder / "read-only").write_text("")


def fill_disk(folder: Path, chance: random.Random) -> None:
    """Damage a file with a full disk (`suffer`)."""
    chance.choice((flip_bits, cut_short, empty, exchange))(folder, chance)
    (folder / "full").write_text(str(chance.choice((0, 10, 4096))))


DAMAGES: dict[str, Callable[[Path, random.Random], None]] = {
    "bits flipped": flip_bits, "cut short": cut_short, "emptied": empty, "scribbled": scribble, "exchanged": exchange,
    "links": block, "lost": lose, "removed while in use": lose_in_use, "read-only": forbid_writing, "disk full": fill_disk,
}  # fmt: skip


def suffer(folder: Path) -> bool:
    """Bring about the damages that are not in the files; return whether damage can be mended."""
    if (folder / "remove").exists():
        seconds, *lost = (folder / "remove").read_text().splitlines()
        for path in lost:
            remove = shutil.rmtree if Path(path) == folder else os.unlink
            timer = threading.Timer(float(seconds), remove, (path,))
            timer.daemon = True
            timer.start()
        return False
    if (folder / "read-only").exists():
        folder.chmod(0o555)
        if os.getuid() == 0:
            os.seteuid(NOBODY)
        return False
    if (folder / "full").exists():
        import resource

        most = int((folder / "full").read_text())
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        return False
    return True


def digest_of_games(plan: Any, r: Any) -> str:
    """Play the games of the plan; return a digest of their rows."""
    from ...simulator.runs.run import Silent, play_range

    rows = play_range(plan, r, 0, plan.games, Silent())
    assert rows is not None
    return hashlib.sha256(rows.games.tobytes() + rows.seats.tobytes()).hexdigest()[:16]


def damage_left() -> int:
    """Return how many functions in use are not in the cache."""
    from ...simulator.engine.compile.jit import JITTED

    return sum(function.is_ready and not function.is_kept() for function in JITTED)


def play(folder: Path, plan: Any, r: Any, errors: int, answer: int) -> None:
    """Play in this child process, which then ends: errors go to the pipe `errors`, the result to the pipe `answer`."""
    code = 1
    try:
        os.dup2(errors, 2)
        faulthandler.enable()
        mends = suffer(folder)
        digest = digest_of_games(plan, r)
        os.write(answer, json.dumps({"digest": digest, "left": damage_left() if mends else 0}).encode())
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def in_child(folder: Path, plan: Any, r: Any) -> tuple[str, str]:
    """Play in a child; return the digest of the games and what is wrong, "" if nothing is."""
    (reading, answering), (hearing, saying) = os.pipe(), os.pipe()  # not files, for the disk may be full
    child = os.fork()
    if child == 0:
        play(folder, plan, r, saying, answering)
    os.close(answering)
    os.close(saying)
    with os.fdopen(reading, "rb") as pipe, os.fdopen(hearing, "r") as errors:
        answer, text = pipe.read(), errors.read()
    _, status = os.waitpid(child, 0)
    lines = [line for line in text.splitlines() if line and not PROGRESS.match(line)]
    if status or not answer:
        return "", f"ended with {os.waitstatus_to_exitcode(status)}: {' / '.join(lines)}"
    result = json.loads(answer)
    if len(lines) > 1:
        return result["digest"], f"more than a line: {' / '.join(lines)}"
    return result["digest"], f"{result['left']} functions are still not kept" if result["left"] else ""


def run_trials(trials: int, seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """Return how often each damage was tried, and the faults. The cache is `folder`."""
    import numba

    from ...simulator import compile_cache
    from ..cli.bench import make

    for module in ("runs.run", "engine.compile.ahead", "runs.kernel"):  # so that the children need not import them
        import_module(f"newdawn.simulator.{module}")
    import_module("newdawn.strategies.archetypes")
    compile_cache.version()
    numba.njit(lambda x: x + 1)(1)  # so that numba has loaded its own functions
    good = folder.with_name("good")
    plan, r = make(PLAYERS, GAMES, "random")
    expected, fault = in_child(folder, plan, r)
    if fault:
        return Counter(), [f"a new cache: {fault}"]
    shutil.copytree(folder, good)
    chance, tried, faults = random.Random(seed), Counter[str](), []
    for number in range(trials):
        name = list(DAMAGES)[number % len(DAMAGES)]
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)
        shutil.copytree(good, folder)
        DAMAGES[name](folder, chance)
        digest, fault = in_child(folder, plan, r)
        tried[name] += 1
        if digest != expected or fault:
            faults.append(f"trial {number}, {name}: {fault or 'other games'}")
            click.echo(faults[-1], err=True)
    return tried, faults


@click.command()
@click.option("--trials", type=click.IntRange(1), default=100, show_default=True, help="Caches to damage.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the damages.")
def main(trials: int, seed: int) -> None:
    """Damage the compile cache in every way; exit code 1 if that ever shows in the games or in how a process ends."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="newdawn-damaged-") as name:
        Path(name).chmod(0o755)
        os.environ["NUMBA_CACHE_DIR"] = str(Path(name) / "cache")
        tried, faults = run_trials(trials, seed, Path(name) / "cache")
    for damage, times in tried.items():
        wrong = sum(f", {damage}:" in fault for fault in faults)
        click.echo(f"{damage}: {times - wrong} of {times} played the same games, or said in a line why not")
    click.echo(f"{len(faults)} faults in {sum(tried.values())} trials, {time.monotonic() - began:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
