"""Where a run comes from, and the commands that play it again."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ...simulator import names
from ...simulator.compile_cache import source_digest
from ...simulator.errors import UserError
from ...simulator.rules import describe_diff, load_ruleset
from ...simulator.rules.checks import ROOM, as_given, path_of
from ...simulator.rules.overlay import WHOLE
from ...simulator.rules.ruleset_contents import box_of, section
from ...simulator.runs import manifest
from ...simulator.runs.run_plan import available_leaders
from ..tables.read import Run

# --- Where a run comes from, and the commands that play it again

RULES_FILE, MAP_FILE = "house_rules.yaml", "map.yaml"


@dataclass(frozen=True)
class Provenance:
    """Where a run comes from: facts by name, changes to the printed rules, commands to play it again and the files they need.

    `changes` is None for an answer about rules, whose page lists them elsewhere.
    """

    facts: dict[str, str]
    changes: list[str] | None
    commands: list[str]
    files: dict[str, str]
    note: str = ""


def provenance(run: Run) -> Provenance:
    """Return where the run comes from, as far as its manifest says."""
    try:
        contents = manifest.contents(run.path)
    except UserError as error:
        return Provenance({"run": str(run.path)}, [], [], {}, f"The manifest does not tell how to play it again: {error}")
    changes = describe_diff(contents.ruleset, load_ruleset(box=box_of(contents.ruleset.data)))
    files = rules_files(contents.ruleset)
    notes = []
    if files is None:
        notes.append("The rules cannot be written as house rules for this version; the run's manifest holds them in full.")
    if contents.engine != source_digest():
        notes.append(f"The games were played by engine {contents.engine}; this report was made by engine {source_digest()}.")
    lines = [] if files is None else commands(contents, files)
    return Provenance(_facts(run, contents), changes, lines, files or {}, " ".join(notes))


def _facts(run: Run, contents: manifest.Contents) -> dict[str, str]:
    plan, described = contents.plan, run.manifest
    seeds = list(dict.fromkeys(str(segment.seed) for segment in contents.segments))
    return {
        "games": f"{plan.games:,} planned, {plan.players} players, round cap {plan.round_cap}",
        "seed": ", ".join(seeds),
        "leaders": f"{', '.join(plan.leaders)} ({'drawn for each game' if plan.leaders_drawn else 'seats rotate'})",
        "strategies": f"{', '.join(plan.strategies)}{' (drawn for each seat)' if plan.strategies_drawn else ''}",
        "rules": f"{contents.ruleset.name}, SHA-256 {contents.ruleset.digest()}",
        "engine": contents.engine,
        "table schema": str(described.get("schema_version", "?")),
        "versions": ", ".join(f"{name} {version}" for name, version in described.get("versions", {}).items()),
        "played on": ", ".join(str(value) for value in described.get("host", {}).values()),
    }


def commands(contents: manifest.Contents, files: Mapping[str, str]) -> list[str]:
    """Return the commands that play the run again under the rules in `files`: one a seed, and the merge of several."""
    plan = contents.plan
    rules = given(contents, {name: name for name in files})
    games: dict[int, int] = {}
    for segment in contents.segments:
        games[segment.seed] = max(games.get(segment.seed, 0), segment.end)
    leaders = "" if plan.leaders_drawn and len(plan.leaders) == len(available_leaders(contents.ruleset.compile())) else _names(
        "--leader-pool" if plan.leaders_drawn else "--leaders", plan.leaders
    )  # fmt: skip
    strategies = _names("--strategy-pool" if plan.strategies_drawn else "--strategies", plan.strategies)
    common = f"{leaders}{strategies}{rules} --round-cap {plan.round_cap}"
    outs = {seed: "again" if len(games) == 1 else f"again-{seed}" for seed in games}
    lines = [
        f"newdawn run --players {plan.players} --games {n} --seed {seed}{common} --out {outs[seed]}"
        for seed, n in games.items()
    ]
    if len(games) > 1:
        lines.append(f"newdawn merge {' '.join(outs.values())} --out again")
    return lines


def given(contents: manifest.Contents, files: Mapping[str, str]) -> str:
    """Return the options for box, house rules and map; `files` maps RULES_FILE and MAP_FILE to their paths."""
    box = "" if contents.ruleset.box == names.BOXES[0] else f" --box {contents.ruleset.box}"
    options = ((RULES_FILE, "--rules"), (MAP_FILE, "--map"))
    return box + "".join(f" {option} {shlex.quote(files[name])}" for name, option in options if name in files)


def _names(option: str, names: tuple[str, ...]) -> str:
    return f" {option} {shlex.quote(','.join(names))}"


# --- House rules as a file


def rules_files(ruleset: Any) -> dict[str, str] | None:
    """Return the house rules and the map that turn the printed rules into these, as YAML files by name.

    None if these files give other rules, as for a run of another version of the program.
    """
    box = box_of(ruleset.data)
    printed = load_ruleset(box=box).data
    changed = _changed(ruleset.data, printed)
    _write_own(changed, printed)
    content = {}
    if ruleset.data["map"]["mode"] == "user":
        content[MAP_FILE] = ruleset.data["map"]["user_map"]
        changed["map"] = {key: value for key, value in changed["map"].items() if key not in ("mode", "user_map")}
    changed = {key: value for key, value in changed.items() if value}
    if changed:
        for_box = {} if box == names.BOXES[0] else {"box": box}
        content[RULES_FILE] = {"name": ruleset.name, **for_box, **changed}
    texts = {name: yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=120) for name, value in content.items()}
    return texts if _digest(texts, box) == ruleset.digest() else None


def _write_own(changed: dict[str, Any], printed: Mapping[str, Any]) -> None:
    """Put new content (leaders, wonders …) back into the form in which house rules write it. Changes `changed`."""
    for file in ROOM:
        path = path_of(file, section(printed))
        new, old = changed, printed
        for key in path.split("."):
            new, old = new.get(key, {}), old[key]
        for key in [key for key in new if key not in old]:
            new[key] = as_given(path, new[key])


def _digest(texts: Mapping[str, str], box: str) -> str | None:
    """Return the digest of the rules in these files; None if they cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder) / name for name in texts}
        for name, file in files.items():
            file.write_text(texts[name], "utf-8")
        try:
            overlays = [files[RULES_FILE]] if RULES_FILE in files else []
            digest: str = load_ruleset(overlays, files.get(MAP_FILE), box).digest()
        except UserError:
            return None
    return digest


def _changed(new: Mapping[str, Any], old: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Return the values of `new` that differ from those of `old`, nested as they are."""
    changed: dict[str, Any] = {}
    for key in [*new, *(key for key in old if key not in new)]:
        place = f"{path}.{key}" if path else str(key)
        a, b = new.get(key), old.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping) and place not in WHOLE:
            inner = _changed(a, b, place)
            if inner:
                changed[key] = inner
        elif a != b or (key in new) != (key in old):
            changed[key] = a
    return changed
