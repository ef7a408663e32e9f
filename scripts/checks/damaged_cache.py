"""Damaged compile caches: does the program play the same games with one, or say in a line why not?

    python -m newdawn.scripts.checks.damaged_cache --trials 500 --seed 1

Every trial damages a copy of a good cache in one of the ways of DAMAGES and plays a few games with it, in a process of its own.
Counted as faults are other games, a process that ends in any other way, more than one line beside the progress of compiling,
and damage that is still there afterwards although it could have been mended. It needs a system that can fork.
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
NOBODY = 65534  # a user who may not write into the folder of another
GAMES, PLAYERS = 3, 2
WHOLE = 0.05  # of the caches that are removed while in use: everything is compiled anew, which takes its time


def some(folder: Path, chance: random.Random) -> list[Path]:
    """Return one to three files of the cache."""
    return chance.sample(sorted(folder.glob(PATTERN)), chance.randint(1, 3))


def flip_bits(folder: Path, chance: random.Random) -> None:
    """One bit of a file is another, or some are."""
    for path in some(folder, chance):
        content = bytearray(path.read_bytes())
        for _ in range(chance.choice((1, 1, 1, 100))):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)


def cut_short(folder: Path, chance: random.Random) -> None:
    """The end of a file is missing."""
    for path in some(folder, chance):
        os.truncate(path, chance.randrange(path.stat().st_size))


def empty(folder: Path, chance: random.Random) -> None:
    """Nothing is left in a file."""
    for path in some(folder, chance):
        path.write_bytes(b"")


def scribble(folder: Path, chance: random.Random) -> None:
    """A file holds something else, or has something behind its end."""
    for path in some(folder, chance):
        rubbish = chance.randbytes(chance.randrange(1, 4000))
        path.write_bytes(rubbish if chance.random() < 0.5 else path.read_bytes() + rubbish)


def exchange(folder: Path, chance: random.Random) -> None:
    """Two functions have each other's file, or one has the other's, too."""
    one, other = chance.sample(sorted(folder.glob(PATTERN)), 2)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    if chance.random() < 0.5:
        other.write_bytes(first)


def block(folder: Path, chance: random.Random) -> None:
    """Where a file should be is a link to nowhere, or one to another function's file."""
    for path in some(folder, chance):
        path.unlink()
        path.symlink_to(chance.choice((folder / "nowhere", *folder.glob(PATTERN))))


def lose(folder: Path, chance: random.Random) -> None:
    """A file is not there."""
    for path in some(folder, chance):
        path.unlink()


def lose_in_use(folder: Path, chance: random.Random) -> None:
    """Some files, sometimes all, are removed while they are used: see `suffer`."""
    lost = [folder] if chance.random() < WHOLE else chance.sample(sorted(folder.glob(PATTERN)), 8)
    (folder / "remove").write_text("\n".join([str(chance.uniform(0.0, 1.0)), *map(str, lost)]))


def forbid_writing(folder: Path, chance: random.Random) -> None:
    """A file is damaged in a folder that cannot be written to: see `suffer`."""
    chance.choice((flip_bits, cut_short, empty, exchange))(folder, chance)
    (folder / "read-only").write_text("")


def fill_disk(folder: Path, chance: random.Random) -> None:
    """A file is damaged, and the disk is full: see `suffer`."""
    chance.choice((flip_bits, cut_short, empty, exchange))(folder, chance)
    (folder / "full").write_text(str(chance.choice((0, 10, 4096))))


DAMAGES: dict[str, Callable[[Path, random.Random], None]] = {
    "bits flipped": flip_bits, "cut short": cut_short, "emptied": empty, "scribbled": scribble, "exchanged": exchange,
    "links": block, "lost": lose, "removed while in use": lose_in_use, "read-only": forbid_writing, "disk full": fill_disk,
}  # fmt: skip


def suffer(folder: Path) -> bool:
    """Bring about what is not in the files themselves; return whether damage can be mended."""
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
    """Return how many functions that were needed are not kept."""
    from ...simulator.engine.compile.jit import JITTED

    return sum(function.is_ready and not function.is_kept() for function in JITTED)


def play(folder: Path, plan: Any, r: Any, said: int, answer: int) -> None:
    """Play in this process, a child that ends with it: errors go to the pipe `said`, what came out to the pipe `answer`."""
    code = 1
    try:
        os.dup2(said, 2)
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
    (reading, answering), (hearing, saying) = os.pipe(), os.pipe()  # no files: a disk may be full
    child = os.fork()
    if child == 0:
        play(folder, plan, r, saying, answering)
    os.close(answering)
    os.close(saying)
    with os.fdopen(reading, "rb") as pipe, os.fdopen(hearing, "r") as words:
        answer, said = pipe.read(), words.read()
    _, status = os.waitpid(child, 0)
    lines = [line for line in said.splitlines() if line and not PROGRESS.match(line)]
    if status or not answer:
        return "", f"ended with {os.waitstatus_to_exitcode(status)}: {' / '.join(lines)}"
    found = json.loads(answer)
    if len(lines) > 1:
        return found["digest"], f"more than a line: {' / '.join(lines)}"
    return found["digest"], f"{found['left']} functions are still not kept" if found["left"] else ""


def run_trials(trials: int, seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """Return how often each damage was tried, and the faults. The cache is `folder`."""
    import numba

    from ...simulator import compile_cache
    from ..cli.bench import make

    for module in ("runs.run", "engine.compile.ahead", "runs.kernel"):  # else every child would have to import them
        import_module(f"newdawn.simulator.{module}")
    import_module("newdawn.strategies.archetypes")
    compile_cache.version()
    numba.njit(lambda x: x + 1)(1)  # so that numba has read all that it compiles with
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
