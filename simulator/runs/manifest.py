"""The manifest of a run folder: what was played, by which rules and which program.

It carries a digest of itself, and the tables' files carry labels made of it, so that changed manifests and files of other runs
are noticed. Old runs without labels can be read, but not continued.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from .. import file_ownership, names, user_modules
from ..compile_cache import same_games, source_digest
from ..errors import UserError, nearest
from ..kept_files import answer_in
from ..reading import json_in, plainly
from ..rules.ruleset_contents import box_of, digest_of
from . import run_folder
from .run_folder import SCHEMA_VERSION, TABLES, Place, Segment, Shard, cut, segments_of
from .run_plan import Plan, check_seats

FILE = "manifest.json"
WHAT = "a manifest of `newdawn run`, JSON with a schema_version"
DIGEST = "digest"
LOOKS = "looks"  # at a run that is played until it is decided: see analysis/questions/how_many_games.py
LABEL_DIGITS = 32
TABLES_THERE, SAME_RUN = "tables", "one of the same run"  # what a folder is for, and may hold, if it is refused
OTHER_RULES = "its rules do not match its digest; it was edited or damaged"


def build(plan: Plan, ruleset: Any, segments: Sequence[Segment] | None = None) -> dict[str, Any]:
    """Return the manifest of a run. It holds no time and no path: the same run on the same machine has the same one."""
    segments = segments or [Segment(plan.seed, 0, plan.games, plan.shard_games())]
    return {
        "program": "newdawn-balance-lab",
        "schema_version": SCHEMA_VERSION,
        "plan": plan.as_dict(),
        "segments": [segment.as_dict() for segment in segments],
        "engine": source_digest(),
        "ruleset": {"name": ruleset.name, "box": ruleset.box, "digest": ruleset.digest(), "data": ruleset.data},
        "versions": {
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in ("numba", "numpy", "pyarrow")},
        },
        "host": {"system": platform.platform(), "machine": platform.machine(), "processors": os.cpu_count()},
    }


def provenance(settings: Mapping[str, Any], plan: Plan, ruleset: Any, but: Sequence[str] = ("games",)) -> dict[str, Any]:
    """Return the description of a trial's folder: all that decides what is played there.

    `but`: entries of the plan that do not matter for that.
    """
    written = build(plan, ruleset)
    entries = {key: value for key, value in written["plan"].items() if key not in but}
    common = {key: written[key] for key in ("program", "engine", "ruleset", "versions", "host")}
    description: dict[str, Any] = json.loads(json.dumps({**settings, "plan": entries, **common}))
    return description


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _rules(manifest: dict[str, Any]) -> Any:
    """Return the digest of the rules in a manifest."""
    ruleset = manifest.get("ruleset")
    return ruleset.get("digest") if isinstance(ruleset, dict) else ruleset


def own_digest(manifest: dict[str, Any]) -> str:
    """Return the digest of everything in a manifest that decides about games, and of the looks at them."""
    parts = [manifest.get(key) for key in ("schema_version", "plan", "segments", "engine")] + [_rules(manifest)]
    return _digest([*parts, manifest[LOOKS]] if LOOKS in manifest else parts)


def _identity(manifest: dict[str, Any]) -> str:
    """Return the digest of what all shards of a run share, even when it is extended or merged."""
    plan = {key: value for key, value in manifest["plan"].items() if key not in ("games", "seed")}
    return _digest([plan, _rules(manifest), manifest["engine"]])


def labels(manifest: dict[str, Any]) -> dict[int, str] | None:
    """Return the labels of the shards by their numbers; None for an old run without labels."""
    if DIGEST not in manifest:
        return None
    identity = _identity(manifest)
    return {shard.index: label(identity, shard) for shard in cut(segments_of(manifest))}


def label(identity: str, shard: Shard) -> str:
    """Return what the tables of a shard carry: a digest of plan, rules, engine, seed, games and their ids."""
    return _digest([identity, shard.seed, shard.game, shard.n, shard.first_id])[:LABEL_DIGITS]


@dataclass(frozen=True)
class Contents:
    """What a manifest describes. `identity`: a digest that all its shards share; None in an old run without labels."""

    plan: Plan
    ruleset: Any
    segments: list[Segment]
    engine: str
    identity: str | None = None

    def label(self, shard: Shard) -> str | None:
        """Return the label that the tables of a shard carry."""
        return None if self.identity is None else label(self.identity, shard)

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of its tables."""
        return (*TABLES, *self.plan.tables)

    @property
    def shards(self) -> list[Shard]:
        """The shards of the run, finished or not."""
        return cut(self.segments)

    def locate(self, game_id: int) -> tuple[int, int]:
        """Return the seed and the number of a game of the run."""
        for segment in self.segments:
            if game_id < segment.games:
                return segment.seed, segment.first + game_id
            game_id -= segment.games
        raise IndexError(game_id)


def read(out: Place) -> dict[str, Any]:
    """Return the manifest of a run folder; raise UserError if there is none or it cannot be read."""
    path = out / FILE
    with plainly(path, WHAT):
        exists = path.is_file()
        manifest = json_in(path, WHAT) if exists else {}
        version = manifest["schema_version"] if exists else None
    if exists and manifest.get("kind") == "plays":
        raise UserError(
            f"{out}: holds real plays (`newdawn plays import`), not games of `newdawn run`, which this needs; plays are read "
            "by `newdawn plays compare`, `leaders`, `report RUN --beside` and the other summaries that need no more"
        )
    if not exists and (command := answer_in(out) if isinstance(out, Path) else ""):
        raise UserError(
            f"{out}: holds an answer of `newdawn {command}`, not games of `newdawn run`, which this needs; "
            f"`newdawn report {shlex.quote(str(out))}` makes its page"
        )
    if not exists:
        gone = "; there is no such folder" if isinstance(out, Path) and not out.exists() else ""
        hint = f"{gone}{_nearest_run(out)}"
        raise UserError(f"{out}: not a run folder: expected a file {FILE} in it, as `newdawn run` writes it{hint}")
    if version != SCHEMA_VERSION:
        raise UserError(f"{path}: tables of schema version {version}; this program reads version {SCHEMA_VERSION}")
    _check_numbers(path, manifest.get("plan"), "players", "games")
    if DIGEST in manifest:
        _check_numbers(path, manifest["plan"], "seed", "round_cap")
        if manifest[DIGEST] != own_digest(manifest):
            raise UserError(
                f"{path}: was edited or damaged: its plan, segments, engine or rules do not match its digest; "
                "expected it as `newdawn run` wrote it"
            )
        ruleset = manifest.get("ruleset")
        ruleset = ruleset if isinstance(ruleset, dict) else {}
        data = ruleset.get("data")
        if (
            not isinstance(data, dict)
            or digest_of(data) != ruleset.get("digest")
            or ruleset.get("box") != box_of(data)
            or not isinstance(ruleset.get("name"), str)
        ):
            raise UserError(f"{path}: {OTHER_RULES}")
        with plainly(path, WHAT):
            segments_of(manifest), _identity(manifest)
    return manifest


def _check_numbers(path: Place, plan: Any, *keys: str) -> None:
    """Raise UserError if one of these entries of a manifest's plan is no whole number."""
    for key in keys:
        value = plan.get(key) if isinstance(plan, dict) else None
        if type(value) is not int:
            raise UserError(f"{path}: damaged, or of an older version: plan.{key}: expected a whole number, got {value!r}")


def _nearest_run(out: Place) -> str:
    """Return a hint at the run folder beside `out` whose name is nearest, if there is no `out`."""
    if not isinstance(out, Path) or out.exists() or not out.parent.is_dir():
        return ""
    return nearest(str(out), [str(path.parent) for path in out.parent.glob(f"*/{FILE}")])


def contents(out: Place) -> Contents:
    """Read the manifest of a run folder as plan, rules and shards; raise UserError if any of it is missing."""
    from ..rules import Ruleset

    manifest = read(out)
    _check_numbers(out / FILE, manifest["plan"], "seed", "round_cap")
    try:
        plan = Plan.from_dict(manifest["plan"])
        ruleset = Ruleset(manifest["ruleset"]["name"], manifest["ruleset"]["data"])
        segments = segments_of(manifest)
        digest, engine = manifest["ruleset"]["digest"], str(manifest["engine"])
        if sum(segment.games for segment in segments) != plan.games or min(segment.games for segment in segments) < 1:
            raise ValueError("the games of its segments are not those of its plan")
        if segments[0].seed != plan.seed:
            raise ValueError(f"its plan.seed is {plan.seed}, that of its segments {segments[0].seed}")
        identity = _identity(manifest) if DIGEST in manifest else None
    except Exception as error:  # whatever a file with a fitting digest may hold
        raise UserError(f"{out / FILE}: incomplete, or of an older version of this program ({error})") from None
    if identity is None and ruleset.digest() != digest:
        raise UserError(f"{out / FILE}: {OTHER_RULES}")
    return Contents(plan, ruleset, segments, engine, identity)


def playable(out: Place) -> Contents:
    """Return `contents` of a run that this program can play; raise UserError if it cannot.

    Rules and plan are checked like a user's house rules and command, whatever their digest.
    """
    from ..rules.load import from_data, own_functions

    run = contents(out)
    try:
        check_seats(run.plan, from_data(run.ruleset.data, run.ruleset.name).compile())
    except Exception as error:  # anything that rules of another version lack or have
        reason = f"they lack {error}" if isinstance(error, KeyError) else str(error)
        if same_games(run.engine):
            raise UserError(f"{out / FILE}: cannot be played: {reason}") from None
        raise UserError(
            f"{out}: was made by another version of this program (engine {run.engine}, this is {source_digest()}), "
            f"whose rules this one cannot play ({reason}); its tables can be read and reported, to play on use that "
            "version, or play anew into another folder (newdawn run --out)"
        ) from None
    functions = [*(strategy.function for strategy in run.plan.own), *(column.function for column in run.plan.columns)]
    user_modules.tell(out / FILE, [*functions, *own_functions(run.ruleset.data)])
    return run


def other_versions(out: Place) -> str:
    """Return the libraries whose versions differ between the start of the run and now, '' if none do."""
    old = read(out).get("versions", {})
    new = {name: metadata.version(name) for name in ("numba", "numpy", "pyarrow")}
    return ", ".join(f"{name} {old.get(name)} (now {new[name]})" for name in new if old.get(name) != new[name])


def check_folder(out: Place, manifest: dict[str, Any]) -> None:
    """Raise UserError unless `out` is a new or empty folder, or one of the same run. May raise OSError."""
    if isinstance(out, Path):
        file_ownership.check_folder(out, FILE, TABLES_THERE, SAME_RUN)
    elif out.is_file():
        raise UserError(f"{out}: is a file; expected a folder for the {TABLES_THERE} (--out)")
    elif run_folder.names_in(out) and not (out / FILE).is_file():
        raise UserError(f"{out}: holds other files; expected a new or empty folder, or {SAME_RUN} (--out)")
    if (out / FILE).is_file():
        _check_same(out, read(out), manifest)


@contextmanager
def held(out: Place, manifest: dict[str, Any]) -> Iterator[None]:
    """Hold the folder of this run, new or begun, and describe it by the manifest; an address cannot be locked.

    Raises UserError for another's folder. May raise OSError.
    """
    check_folder(out, manifest)
    with ExitStack() as stack:
        if isinstance(out, Path):
            stack.enter_context(file_ownership.opened(out, FILE, TABLES_THERE, SAME_RUN))
            check_folder(out, manifest)
            run_folder.begin(out)  # an empty folder: a run with a manifest and without it would pass for finished
        if not (out / FILE).is_file():
            write(out, manifest)
        if isinstance(out, Path):
            for name in (*TABLES, *manifest["plan"].get("tables", ())):
                (out / name).mkdir(exist_ok=True)
        else:
            run_folder.begin(out)
        yield


def write(out: Place, manifest: dict[str, Any]) -> None:
    """Write the manifest with its digest, whole or not at all. May raise OSError."""
    written = json.loads(json.dumps(manifest))  # as it will be read
    written[DIGEST] = own_digest(written)
    run_folder.write_whole(out / FILE, (json.dumps(written, indent=1, ensure_ascii=False) + "\n").encode())


def check_labelled(out: Place, labelled: bool) -> None:
    """Raise UserError for an old run without labels: added games could not be told from those of other runs."""
    if not labelled:
        raise UserError(
            f"{out}: was made by an earlier version of this program, whose tables do not tell which run they belong to; it can "
            "be read and reported; to go on use that version, or play anew into another folder (newdawn run --out)"
        )


def _check_own(out: Place, old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> None:
    """Raise UserError that names a strategy of the user's whose weights or code differ."""
    before = {entry["name"]: entry for entry in old}
    for entry in new:
        if before.get(entry["name"], entry) != entry:
            raise UserError(
                f"{out}: holds another run: its strategy {entry['name']} is not the same (weights or code have changed); "
                f"choose another folder (--out), or `newdawn resume {out}` continues with those it was started with"
            )


def _check_same(out: Place, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Raise UserError naming the first difference between the run in the folder and the one asked for."""
    for key in dict.fromkeys([*new["plan"], *old["plan"]]):
        value = new["plan"].get(key)
        if key == "own" and old["plan"].get(key) != value:
            _check_own(out, old["plan"].get(key) or [], value)
        if old["plan"].get(key) != value:
            hint = "; `newdawn extend` adds games to it" if key == "games" else ""
            before, now = (plan if plan is not None else "none" for plan in (old["plan"].get(key), value))
            raise UserError(
                f"{out}: holds another run: its {key} is {before}, not {now}; "
                f"choose another folder (--out) or repeat its settings to continue it{hint}"
            )
    seeds = {segment["seed"] for segment in old.get("segments", ())}
    if seeds != {segment["seed"] for segment in new["segments"]}:
        raise UserError(f"{out}: holds merged runs; `newdawn resume` and `newdawn extend` continue them")
    boxes = [run["ruleset"].get("box", names.BOXES[0]) for run in (old, new)]
    if boxes[0] != boxes[1]:
        hint = f"choose another folder (--out) or --box {boxes[0]}"
        raise UserError(f"{out}: holds a run of the box {boxes[0]}, not {boxes[1]}; {hint}")
    if old["ruleset"]["digest"] != new["ruleset"]["digest"]:
        raise UserError(f"{out}: holds a run with other rules ('{old['ruleset']['name']}'); choose another folder (--out)")
    if not same_games(old["engine"]):
        raise UserError(
            f"{out}: was started with another version of this program (engine {old['engine']}, this is {new['engine']}); "
            "finish it with that version, or choose another folder (--out)"
        )
    check_labelled(out, DIGEST in old)
