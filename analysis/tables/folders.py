"""Folders that keep what trials played, so that the same command continues: of one question, held by one command at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ...simulator import lock
from ...simulator.batch import manifest
from ...simulator.errors import UserError
from ...simulator.games.plan import Plan
from ...simulator.ours import write_whole
from ...simulator.rules.loading.load import Ruleset

TOLD = ("program", "versions", "host")  # in a description only for its readers
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # raised by what is no description


def provenance(asked: Mapping[str, Any], plan: Plan, ruleset: Ruleset, but: Sequence[str] = ("games",)) -> dict[str, Any]:
    """Return the description of a folder: all that decides what is played there; `but`: entries of the plan that do not."""
    written = manifest.build(plan, ruleset)
    entries = {key: value for key, value in written["plan"].items() if key not in but}
    kept = {key: written[key] for key in ("program", "engine", "ruleset", "versions", "host")}
    whole: dict[str, Any] = json.loads(json.dumps({**asked, "plan": entries, **kept}))
    return whole


@contextmanager
def held(out: Path, file: str, things: str) -> Iterator[Path]:
    """Hold a folder for `things`, a new one or one that has the file, and yield the file's path; raise UserError for others."""
    path = out / file
    with ExitStack() as stack:
        with usable(out):
            if out.exists() and not out.is_dir():
                raise UserError(f"{out}: is a file; expected a folder for the {things} (--out)")
            if out.exists() and not path.is_file() and any(one.name != lock.FILE for one in out.iterdir()):
                raise UserError(f"{out}: holds other files; expected a new folder, or that of the same question (--out)")
            out.mkdir(parents=True, exist_ok=True)
            stack.enter_context(lock.hold(out))
        yield path


def describe(path: Path, wanted: Mapping[str, Any], things: str) -> None:
    """Write the description of a folder; raise UserError if there is one of other things."""
    with usable(path.parent):
        if not path.is_file():
            write_whole(path, (json.dumps(wanted, indent=1, ensure_ascii=False) + "\n").encode())
            return
        text = path.read_text("utf-8", errors="replace")
    try:
        check_same(path, json.loads(text), wanted, things)
    except UNREADABLE:
        raise UserError(f"{path}: not the description of a folder of {things}; choose another --out") from None


def check_same(path: Path, old: Mapping[str, Any], wanted: Mapping[str, Any], things: str) -> None:
    """Raise UserError if the things described are not those wanted; for what is no description any of UNREADABLE."""
    if old["ruleset"]["digest"] != wanted["ruleset"]["digest"]:
        raise UserError(f"{path}: holds {things} of other rules ('{old['ruleset']['name']}'); choose another --out")
    if old["engine"] != wanted["engine"]:
        raise UserError(f"{path}: holds {things} of another version of this program; choose another --out")
    for key, value in wanted.items():
        if key in TOLD or old[key] == value:
            continue
        entries = value if isinstance(value, Mapping) else {}
        other = next((entry for entry in entries if old[key].get(entry) != entries[entry]), key)
        raise UserError(f"{path}: holds other {things}: their '{other}' is not what is asked for; choose another --out")


@contextmanager
def usable(out: Path) -> Iterator[None]:
    """Turn an error of the disk's into one line about the folder."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{out}: cannot be used: {error.strerror or error} (--out)") from None


@contextmanager
def writing(out: Path, things: str) -> Iterator[None]:
    """Turn an error of the disk's into one line that says what is kept."""
    try:
        yield
    except OSError as error:
        raise UserError(
            f"{out}: cannot write: {error.strerror}; finished {things} are kept, the same command continues"
        ) from None


def append(path: Path, content: bytes) -> None:
    """Append to a file, on the disk at once. May raise OSError."""
    with path.open("ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
