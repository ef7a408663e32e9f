"""The manifest of a run folder: what was played, by which rules and which program."""

from __future__ import annotations

import json
import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from analysis.schema import SCHEMA_VERSION, TABLES
from simulator.batch.plan import Plan
from simulator.compile_cache import source_digest
from simulator.errors import UserError

FILE = "manifest.json"
PROBE = ".newdawn-probe"


def build(plan: Plan, ruleset: Any) -> dict[str, Any]:
    """Return the manifest of a run. It holds no time and no path: the same run has the same manifest."""
    return {
        "program": "newdawn-balance-lab",
        "schema_version": SCHEMA_VERSION,
        "plan": plan.as_dict(),
        "shard_games": plan.shard_games(),
        "engine": source_digest(),
        "ruleset": {"name": ruleset.name, "digest": ruleset.digest(), "data": ruleset.data},
        "versions": {
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in ("numba", "numpy", "pyarrow")},
        },
    }


def read(out: Path) -> dict[str, Any]:
    """Return the manifest of a run folder; raise UserError if there is none or it cannot be read."""
    path = out / FILE
    if not path.is_file():
        raise UserError(f"{out}: not a run folder: expected a file {FILE} in it, as `newdawn run` writes it")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version = manifest["schema_version"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path}: not a manifest of `newdawn run`: expected JSON with a schema_version") from None
    if version != SCHEMA_VERSION:
        raise UserError(f"{path}: tables of schema version {version}; this program reads version {SCHEMA_VERSION}")
    return manifest


def open_folder(out: Path, manifest: dict[str, Any]) -> None:
    """Make `out` the folder of this run: a new or empty one, or one in which the same run was begun.

    Anything else is an error and leaves the folder as it was.
    """
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: is a file; expected a folder for the tables (--out)")
    begun = (out / FILE).is_file()
    if begun:
        _check_same(out, read(out), manifest)
    elif out.is_dir() and any(out.iterdir()):
        raise UserError(f"{out}: holds other files; expected a new or empty folder, or one of the same run (--out)")
    try:
        for name in TABLES:
            (out / name).mkdir(parents=True, exist_ok=True)
        for unfinished in out.glob("*/.*.unfinished"):
            unfinished.unlink()
        probe = out / PROBE
        probe.write_bytes(b"")
        probe.unlink()
        if not begun:
            write(out, manifest)
    except OSError as error:
        raise UserError(f"{out}: cannot be written to: {error.strerror or error} (--out)") from None


def write(out: Path, manifest: dict[str, Any]) -> None:
    """Write the manifest, whole or not at all."""
    unfinished = out / f".{FILE}.unfinished"
    with unfinished.open("w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=1, ensure_ascii=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(out / FILE)


def _check_same(out: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Raise UserError naming the first difference between the run in the folder and the one asked for."""
    for key, value in new["plan"].items():
        if old["plan"].get(key) != value:
            raise UserError(
                f"{out}: holds another run: its {key} is {old['plan'].get(key)}, not {value}; "
                "choose another folder (--out) or repeat its settings to continue it"
            )
    if old["ruleset"]["digest"] != new["ruleset"]["digest"]:
        raise UserError(
            f"{out}: holds a run with other rules ('{old['ruleset']['name']}'); choose another folder (--out)"
        )
    if old["engine"] != new["engine"] or old["shard_games"] != new["shard_games"]:
        raise UserError(f"{out}: was begun with another version of this program; choose another folder (--out)")
