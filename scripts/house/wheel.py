"""Make the wheel of this platform and this Python: the pure one, and all compiled functions with their digests.

    python -m newdawn.scripts.house.wheel dist/newdawn_balance_lab-0.1.0-py3-none-any.whl dist

The functions are those of the sources here, which must be the pure wheel's; numba and NumPy are those installed. What
is not in the compile cache is compiled: a minute or two on two idle processors. The wheel has numba's own tags, since it is of
use where that numba can be installed. With another numba it works like the pure one.
"""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from email.parser import Parser
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import click

from ...simulator import compile_cache, names
from ...simulator.errors import UserError

# Commands that a first evening begins with: Python can call what is called in them without anything being compiled.
GAMES = ("--players", "2", "--games", "4", "--seed", "1", "--strategies", "planner", "--quiet")
COMMANDS = (
    ("run", *GAMES, "--out", "plain"),
    ("run", *GAMES, "--out", "counted", "--rounds", "--focus-cards", "--places"),
    ("replay", "--run", "plain", "--html", "game.html"),
)


def play_first_games() -> None:
    """Give the commands, for each box, in a folder that is thrown away."""
    from ..cli.main import main

    for box in names.BOXES:
        with tempfile.TemporaryDirectory() as folder:
            for command in COMMANDS:
                words = [str(Path(folder) / word) if word in ("plain", "counted", "game.html") else word for word in command]
                main([*words, "--box", box] if command[0] == "run" else words, standalone_mode=False)


def packed() -> Iterator[tuple[str, bytes]]:
    """Yield path in the wheel and content of the file of each compiled function, and of those that Python has called."""
    from ...simulator.engine.compile import code_files, direct_calls, jit

    if not direct_calls.ARE_USED:
        raise UserError("numba: this version, or its settings, are not such that compiled functions can be packed")
    for path in compile_cache.compiled_sources():
        parts = path.relative_to(compile_cache.ROOT).with_suffix("").parts
        import_module(".".join(("newdawn", *(part for part in parts if part != "__init__"))))
    functions = [function for function in jit.JITTED if jit.is_ours(function.py_func)]
    jit.ready(*functions)
    play_first_games()
    place = "newdawn" / code_files.PACKED.resolve().relative_to(compile_cache.ROOT)
    for file in (file for function in functions for file in function.files()):
        content = file.read()
        if content is None:
            raise UserError(f"{file.path}: is not kept, so it cannot be packed")
        yield (place / file.packed.name).as_posix(), code_files.seal(file.owner, content)


def tags(wheel: str) -> list[str]:
    """Return the tags that a wheel's file WHEEL names."""
    return Parser().parsestr(wheel).get_all("Tag", [])


def joined(each: Sequence[str]) -> str:
    """Return tags as they stand in the name of a wheel."""
    return "-".join(".".join(dict.fromkeys(parts)) for parts in zip(*(tag.split("-") for tag in each), strict=True))


def write_wheel(pure: Path, files: Mapping[str, bytes], each: Sequence[str], folder: Path) -> Path:
    """Write the wheel that has the files of the pure one and these, and these tags; return its path."""
    name, version = pure.name.split("-")[:2]
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(pure) as archive:
        date = archive.getinfo(f"{info}/METADATA").date_time
        content = {entry: archive.read(entry) for entry in archive.namelist() if not entry.endswith("/")}
    del content[f"{info}/RECORD"]
    head = [
        line
        for line in content[f"{info}/WHEEL"].decode().split("\n")
        if line and line.split(":")[0] not in ("Tag", "Root-Is-Purelib")
    ]
    lines = [*head, "Root-Is-Purelib: false", *(f"Tag: {tag}" for tag in each), ""]
    content[f"{info}/WHEEL"] = "\n".join(lines).encode()
    content |= files
    content[f"{info}/RECORD"] = "".join([*map(_recorded, content.items()), f"{info}/RECORD,,\n"]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-{joined(each)}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for entry, data in content.items():
            archive.writestr(_entry(entry, date), data)
    return path


def _recorded(file: tuple[str, bytes]) -> str:
    digest = urlsafe_b64encode(hashlib.sha256(file[1]).digest()).rstrip(b"=").decode()
    return f"{file[0]},sha256={digest},{len(file[1])}\n"


def _entry(name: str, date: Any) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date)
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    return entry


@click.command()
@click.argument("pure", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(pure: Path, folder: Path) -> None:
    """Make of the PURE wheel the one of this platform, and write it into the FOLDER."""
    try:
        each = tags(metadata.distribution("numba").read_text("WHEEL") or "")
        if not each:
            raise UserError("numba: was not installed from a wheel, whose tags are needed")
        files = dict(packed())
        path = write_wheel(pure, files, each, folder)
    except UserError as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"{path}: {len(files)} compiled files, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
