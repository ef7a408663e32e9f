"""Check the types of the whole program: `python -m newdawn.scripts.house.types`, with the arguments of mypy.

mypy finds modules by the names of folders only, and here the four folders of the package `newdawn` lie at the top of the
repository. So it is shown a copy in which they lie in a folder of that name (1 MB; links need rights on some systems).
Files are named by where they are in the repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .import_graph import ROOT, TOPS


def lay_out(root: Path, folder: Path) -> None:
    """Copy the sources of the program into a folder of the package's name within the folder."""
    package = folder / "newdawn"
    shutil.rmtree(package, ignore_errors=True)
    for top in TOPS:
        for source in (root / top).rglob("*.py"):
            copy = package / source.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)  # with its time: mypy looks at what has changed since
    shutil.copy2(root / "__init__.py", package)


def checked(root: Path, arguments: list[str]) -> tuple[str, int]:
    """Return what mypy says about the program in the folder, and its exit code."""
    with TemporaryDirectory() as folder:
        lay_out(root, Path(folder))
        command = [sys.executable, "-m", "mypy", "--config-file", str(root / "pyproject.toml")]
        command += ["--cache-dir", str(root / ".mypy_cache"), *(f"--package=newdawn.{top}" for top in TOPS), *arguments]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    return done.stdout.replace(f"newdawn{os.sep}", ""), done.returncode


def main() -> None:
    """Print what mypy says, and end as it does."""
    said, code = checked(ROOT, sys.argv[1:])
    sys.stdout.write(said)
    sys.exit(code)


if __name__ == "__main__":
    main()
