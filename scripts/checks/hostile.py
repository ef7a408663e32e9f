"""Wrong input by the thousand: mutated files, house rules and command lines, each of which must be answered properly.

    python -m newdawn.scripts.checks.hostile --overlays 1000 --calls 300
    python -m newdawn.scripts.checks.hostile --overlays 0 --calls 0 --files 1000

Both boxes in turn. An answer is a result, or one line and exit code 2. Faults are tracebacks, anything that takes longer than
--seconds, and silence: house rules that are accepted without effect and without a note, and commands that succeed without
output.
"""

from __future__ import annotations

import faulthandler
import io
import json
import os
import random
import shutil
import sys
import tempfile
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np
import pandas as pd
import yaml

from ...simulator import names
from ...simulator.compile_cache import source_digest

NASTY: tuple[Any, ...] = (
    None, -1, 0, 1, 2, 3, 7, 99, 255, 256, 40_000, 2**31, 2**63, 10**30, -(2**40), 0.5, float("nan"), float("inf"), True, False,
    "", " ", "x", "Rome", "0", "-1", "ä\u202e", "x" * 300, [], [[]], [1, 1], ["Rome", "Rome"], {}, {"x": 1}, {"cost": {}},
)  # fmt: skip
SCRIBBLES = ("", ":", "- ", "\t", "[", "}", "&a ", "*a", "\0", "9", "é", "\n")
WORDS = (
    "", " ", "-1", "0", "x", "1e9", "nan", "inf", "9" * 400, "5001%", "--", "-", ",", "a,,b", "rome", "Rom", "Rome,Rome",
    "planner,planer", "no/such/file", "/dev/null", "/dev/zero", ".", "/", "..", "\u202e", "x" * 5000, "*", "[", "a=b",
    "wonders.petra.cost", "module:function", "os:system", "mine.yaml", "{}", "'", "%s", "\\", "1:2", "9,1", "2,3,4",
)  # fmt: skip
SPLICES = (
    "\0", "\x1b[2J", "\ud800", "\\ud800", '"\\ud800"', "!!bool foo", "!!int ''", "!!timestamp x",
    "!!python/object:os.system {}",
    "1:2", "NaN", "-Infinity", "1e999", "9" * 5000, "[" * 2000, "{" * 50, '"', ",", "\n", "&a [*a]", "<<: *x", "\ufeff",
    "\u202e", "<!DOCTYPE x>", "<a>" * 100, "\r", "\x85", "é", "? [1, 2] : 3\n", "%YAML 9.9\n", "---\n",
)  # fmt: skip
TITLE = "Civilization: A New Dawn"  # in people's logs
LONGEST = 2_000  # characters of a line


def mutated_overlay(chance: random.Random, printed: dict[str, Any], texts: list[str]) -> str:
    """Return house rules with something wrong in them, as text."""
    from ...simulator.rules.printed_game import leaves

    kind = chance.randrange(6)
    if kind == 0:  # a text with some characters changed
        text = list(chance.choice(texts))
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text))
            text[at : at + chance.randint(0, 3)] = chance.choice(SCRIBBLES)
        return "".join(text)
    if kind == 1:  # cut off
        whole = chance.choice(texts)
        return whole[: chance.randrange(len(whole))]
    path, value = chance.choice(list(leaves(printed)))
    steps = path.split(".")
    if kind == 2:  # another value at the end, or half-way
        steps, value = steps[: chance.randint(1, len(steps))], chance.choice(NASTY)
    elif kind == 3:  # a key with a letter more or less
        at = chance.randrange(len(steps))
        steps[at] = steps[at][: chance.randrange(len(steps[at]) + 1)] + chance.choice(["", "x", " ", "."]) + steps[at][1:]
    elif kind == 4:  # a number nearby, or a switch thrown
        value = not value if isinstance(value, bool) else value + chance.randint(-9, 9) if isinstance(value, int) else value
    else:  # a step too deep
        steps.append(chance.choice(["x", "0", "cost", "name"]))
    for step in reversed(steps):
        value = {step: value}
    return yaml.safe_dump(value, allow_unicode=True)


def try_overlay(file: Path, box: str) -> str:
    """Return the outcome of house rules of a box: 'refused', 'accepted', or 'silent' (no effect, and no note).

    A game is begun with accepted rules.
    """
    from ...simulator.errors import UserError
    from ...simulator.rules import describe_diff, load_ruleset
    from ...simulator.runs.run import Silent, play_range
    from ...simulator.runs.run_plan import plan_by, player_counts

    try:
        ruleset = load_ruleset([file], box=box)
        r = ruleset.compile()
        plan = plan_by(r, players=min(player_counts(r)), games=1, seed=1, strategies=["random"], round_cap=5)
        play_range(plan, r, 0, 1, Silent())
    except UserError as error:
        if len(str(error).splitlines()) != 1:
            raise RuntimeError(f"more than a line: {error}") from None
        return "refused"
    return "accepted" if describe_diff(ruleset, load_ruleset(box=box)) or ruleset.notes else "silent"


def calls(run: Path, experiment: Path) -> list[list[str]]:
    """Return short calls of every command."""
    game = ["--players", "2", "--seed", "1", "--strategies", "random", "--round-cap", "4"]
    small = [*game, "--games", "4"]
    box = ["--box", names.BOXES[names.TI_BOX]]
    return [
        ["run", *small, "--jobs", "1", "--out", "new"],
        ["run", "--players", "2", "--games", "4", "--leaders", "Rome,Egypt", "--round-cap", "3", "--out", "new"],
        ["resume", str(run), "--jobs", "1"], ["extend", str(run), "--games", "400", "--jobs", "1"],
        ["verify", str(run), "--sample", "1"], ["merge", str(run), "--out", "merged"],
        *[[command, str(run)] for command in ("leaders", "wonders", "victory", "strengths", "matchups", "game")],
        ["leaders", str(run), "--by", "seat", "--format", "csv"], ["game", str(run), "--part", "length"],
        ["report", str(run), "--boards", "0", "--out", "report"],
        ["compare", "printed", "cheaper_wonders", *small], ["plan", "--half-width", "1%", "--players", "2"],
        ["experiment", "grant", "--wonder", "Petra", *small], ["experiment", "grant", *small, "--out", str(experiment)],
        ["experiment", "ban", "wonder", "Petra", *small],
        ["tune", "--parameter", "wonders.petra.cost", "--target", "game-length=4", "--range", "6:7", *small],
        ["sensitivity", "--parameters", "wonders.petra.cost", *small],
        ["replay", *game, "--game", "1", "--round", "1"], ["replay", "--run", str(run), "--game", "3", "--round", "1"],
        ["strategies"], ["strategies", "show", "planner"], ["strategies", "weights", "planner"],
        ["ladder", "--strategies", "random,autoplayer", "--players", "2", "--games", "4"],
        ["rules", "check", "cheaper_wonders"], ["rules", "diff", "cheaper_wonders"], ["rules", "show", "Petra"],
        ["rules", "list", "petra", "cost"], ["rules", "list", "wonders.*.cost", "--rules", "cheaper_wonders"],
        ["run", *small, *box, "--jobs", "1", "--out", "new"], ["compare", "printed", "peaceful_game", *small, *box],
        ["replay", *game, *box, "--game", "1", "--round", "1"], ["rules", "check", "peaceful_game", *box],
        ["experiment", "grant", "--district", "Campus", *small, *box], ["rules", "list", "army", *box],
        ["tune", "--parameter", "wonders.petra.cost", "--target", "seat-spread", "--range", "6:7", *small, *box],
        ["rules", "show", "Georgia", *box], ["rules", "where", "Georgia", *box], ["rules", "diff", "peaceful_game", *box],
    ]  # fmt: skip


def mutated_call(chance: random.Random, valid: list[list[str]]) -> list[str]:
    """Return a call with one argument wrong, missing, or added."""
    arguments = list(chance.choice(valid))
    at = chance.randrange(len(arguments))
    change = chance.randrange(4)
    if change == 0:
        del arguments[at]
    elif change == 1:
        arguments.insert(at, chance.choice(WORDS))
    else:
        arguments[at] = chance.choice(WORDS)
    return arguments


def damage(chance: random.Random, folder: Path) -> str:
    """Damage one file of a folder; return how."""
    file = chance.choice(sorted(path for path in folder.rglob("*") if path.is_file()))
    content = file.read_bytes()
    how = chance.choice(["removed", "cut off", "emptied", "overwritten", "made a folder"])
    if how in ("removed", "made a folder"):
        file.unlink()
    if how == "made a folder":
        file.mkdir()
    elif how != "removed":
        new = {"cut off": content[: len(content) // 2], "emptied": b"", "overwritten": b"[" * 100_000}[how]
        file.write_bytes(new)
    return f"{file.relative_to(folder)} {how}"


def try_call(arguments: list[str]) -> str:
    """Return the outcome of a call: 'refused', 'done', or 'silent' if it succeeds without output."""
    from click.testing import CliRunner

    from ..cli.main import main

    done = CliRunner().invoke(main, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code not in (0, 1, 2):
        raise RuntimeError(f"exit code {done.exit_code}: {done.output[-200:]}")
    if done.exit_code == 2 and not done.output.strip().splitlines()[-1].startswith(("error: ", "Commands:", "  ")):
        raise RuntimeError(f"exit code 2 without a line that says why: {done.output[-200:]!r}")
    return "refused" if done.exit_code == 2 else "done" if done.output.strip() else "silent"


# --- Readers, called directly


@dataclass(frozen=True)
class FileReader:
    """A kind of file: a valid one, and its reader. `sealed`: JSON with a digest, which some mutations get anew."""

    file: Path
    read: Callable[[Path], Any]
    sealed: bool = False


def readers(folder: Path) -> dict[str, FileReader]:
    """Write a valid file of each kind that the program reads into the folder; return them with their readers, by name."""
    import openpyxl

    from ...analysis.goals import seek, wishes
    from ...analysis.learning import fit, train, tune_weights
    from ...analysis.questions import balance, budget, expansion, experiment, open_readings
    from ...analysis.tables import kept_answers
    from ...analysis.tables.read import open_plays, open_run
    from ...simulator import kept_files
    from ...simulator.errors import UserError
    from ...simulator.names import DAY_FIRST
    from ...simulator.plays import asked, writing
    from ...simulator.plays import plays_folder as plays
    from ...simulator.plays.headings import template as sheet
    from ...simulator.plays.log import read_log
    from ...simulator.replay import interactive_game
    from ...simulator.rules import load_ruleset
    from ...simulator.rules.coverage import coverage
    from ...simulator.runs import manifest
    from ...simulator.runs import run_folder as run_folder
    from ...simulator.runs.run import Silent, run_games
    from ...simulator.runs.run_folder import read_table
    from ...simulator.runs.run_plan import plan_by
    from ...strategies import network_files, profiles, registry
    from ..cli import bench

    printed = load_ruleset()
    r = printed.compile()
    plan = plan_by(r, players=2, games=4, seed=1, strategies=["random"], round_cap=4)
    data = Path(__file__).resolve().parents[2] / "simulator" / "data"

    def written(name: str, content: str | bytes) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def copied(path: Path) -> Path:
        return written(path.name, path.read_bytes())

    def opened(name: str) -> Callable[[Path], Any]:
        return lambda path: kept_answers.open_kept(path.parent / name if name else path.parent)

    run_games(plan, printed, folder / "run", 1)
    design = experiment.grant(plan, printed, ["Petra"])
    experiment.run(design, folder / "experiment", 1)
    row = {
        "arm": ["Petra"],
        "effect": [0.01],
        "effect_low": [-0.1],
        "effect_high": [0.12],
        "n": [40],
        "cost": [7.0],
        "p": [0.5],
    }
    experiment.write_effects(folder / "experiment", pd.DataFrame(row))
    pairs = next((folder / "experiment").glob("pairs-*"))
    table = pd.DataFrame({"figure": ["a", "b"], "value": [0.5, 1.5]})
    kept_answers.keep(
        folder / "answer", kept_answers.KeptAnswer("compare", "A title", {"players": "2"}, {"rows": table}, ["One sentence."])
    )
    ruleset = {"name": "printed", "digest": printed.digest(), "box": printed.box}
    source = {"ruleset": ruleset, "players": 2, "seed": 1, "strategies": ["random"], "games": 4, "engine": "0"}
    source["command"] = "ladder"
    (folder / "ladder").mkdir()
    kept_files.write(folder / "ladder" / "ladder.json", {"provenance": source, "rating": [{"strategy": "random", "n": 4}]})
    held = balance.RulesetGames(folder / "games", plan, printed, 1, Silent())
    with held.open():
        held._append(printed, 0, np.zeros((3, len(held._figure_names(printed)), 2), np.float32))
    piece = next((folder / "games").glob("search-*"))

    def games_of(path: Path) -> int:
        again = balance.RulesetGames(path.parent, plan, printed, 1, Silent())
        with again.open():
            return again.ready(printed)

    kept_files.write(folder / budget.FILE, {"minutes": 1.0, "effort": asdict(seek.GoalsEffort()), "engine": source_digest()})
    task = tune_weights.Task(r, registry.find("planner").resolved(), ["deny"], [registry.find("random")], 2, 4, 1)  # type: ignore[arg-type]
    begun = {"program": tune_weights.STATE_MARK, "version": tune_weights.STATE_VERSION, "engine": source_digest()}
    draws = [{"draws": "0123456789abcdef", "shares": [0.5, 0.25]}]
    kept_files.write(folder / "state.search", {**begun, "search": tune_weights._key(task), "generations": draws})
    settings = train.TrainingSettings(printed.digest(), 2, 20, 1, 1, 1)
    kept_files.write(folder / train.SETTINGS, {"engine": source_digest(), "settings": asdict(settings)})
    some = fit.RecordedGames(np.zeros((2, 2, 3)), np.zeros((2, 2)), np.zeros((2, 3), np.int32))
    fit.save(folder / "games_0.npz", some, some, "x")
    fit.save_turns(
        folder / "lessons.npz", fit.Turns(np.zeros((1, 2)), np.zeros((1, 1, 2, 3)), np.zeros((1, 1, 2)), np.zeros(1)), "x"
    )
    game = interactive_game.new_game(printed, ("me", "random"), 1)
    game.choices, game.answered = [0, 1], [("capital", "Rome at A1"), ("focus card", "culture")]
    game.write(folder / "game.json")
    log = written("plays.csv", sheet())
    writing.write(folder / "plays", read_log([log], printed.data, printed.box), printed, [])
    bgg = {"plays": [{"id": 1, "date": "2026-01-02", "item": {"name": TITLE}, "players": [
        {"name": "A", "color": "Rome", "win": 1}, {"name": "B", "color": "Egypt", "win": 0}]}]}  # fmt: skip
    stats = {"games": [{"id": 1, "name": TITLE}], "players": [{"id": 1, "name": "A"}], "plays": [
        {"gameRefId": 1, "playerScores": [{"role": "Rome", "winner": True, "playerRefId": 1}, {"role": "Egypt"}]}]}  # fmt: skip
    seats = '<player name="A" color="Rome" win="1"/><player name="B" color="Egypt" win="0"/>'
    xml = f'<plays><play id="1"><item name="{TITLE}"/><players>{seats}</players></play></plays>'
    machine = {"cores": 2, "cpu": "x", "python": "3", "load": 1.0}
    measured = bench.BenchReport(machine, {}, {"repeats": 1}, [bench.Measurement("games", "1/s", "more", [1.0, 2.0])])

    def log_in(path: Path) -> Any:
        return read_log([path], printed.data, printed.box)

    def workbook(path: Path) -> Path:
        book = openpyxl.Workbook()
        for row in (["play", "player", "leader", "won"], [1, "A", "Rome", 1], [1, "B", "Egypt", 0]):
            book.active.append(row)
        book.save(path)
        return path

    (folder / "answered").mkdir()
    asked.write(folder / "answered", asked.Answers(columns=[("person", "Player"), ("ignore", "Banned")], dates=DAY_FIRST))
    answers = folder / "answered" / asked.FILE

    def whole_run(path: Path) -> Any:
        if damage := run_folder.damage(path.parent.parent, 0):
            raise UserError(damage)

    def tests_in(path: Path) -> None:
        for problem in coverage(path.parent).problems:
            raise UserError(problem)

    def maps(path: Path) -> Any:
        return load_ruleset((), path)

    mirror = data / "maps" / "mirror_two.yaml"
    shard = folder / "run" / "games" / "part-000000.parquet"
    return {
        "house rules": FileReader(copied(data / "house_rules" / "crystal_palace.yaml"), lambda path: load_ruleset([path])),
        "map": FileReader(copied(mirror), maps),
        "profile": FileReader(copied(profiles.FOLDER / "quick.yaml"), profiles.read),
        "goals": FileReader(
            written("goals.yaml", wishes.GOALS.format(name="x")), lambda path: wishes.read_goals(path, printed)
        ),
        "value network": FileReader(copied(network_files.file_of("base", 2)), network_files.read),
        "policy network": FileReader(
            written("policy_2p.npz", network_files.file_of("base", 2, network_files.POLICY).read_bytes()),
            lambda path: network_files.read(path, network_files.POLICY),
        ),
        "games of a training": FileReader(folder / "games_0.npz", lambda path: fit.gathered([(path, fit.POSITIONS)], of="x")),
        "lessons": FileReader(folder / "lessons.npz", lambda path: fit.load_turns(path, "x")),
        "settings of a training": FileReader(folder / train.SETTINGS, train.read_settings, sealed=True),
        "findings": FileReader(folder / "answer" / kept_files.FINDINGS, opened(""), sealed=True),
        "table of an answer": FileReader(folder / "answer" / "rows.csv", opened("")),
        "experiment": FileReader(folder / "experiment" / kept_files.EXPERIMENT, opened(""), sealed=True),
        "effects": FileReader(
            folder / "experiment" / kept_answers.EFFECTS_FILE, lambda path: expansion.read_effects(path.parent)
        ),
        "a table of effects": FileReader(
            written("mine.csv", (folder / "experiment" / kept_answers.EFFECTS_FILE).read_bytes()), expansion.read_effects
        ),
        "pairs": FileReader(pairs, lambda path: experiment.read_pairs(path.parent)),
        "ladder": FileReader(folder / "ladder" / "ladder.json", opened(""), sealed=True),
        "description of games": FileReader(folder / "games" / balance.FILE, games_of, sealed=True),
        "games of a search": FileReader(piece, games_of),
        "effort": FileReader(folder / budget.FILE, lambda path: budget.kept_effort(path, seek.GoalsEffort, 1.0), sealed=True),
        "search for weights": FileReader(folder / "state.search", lambda path: tune_weights._saved(path, task), sealed=True),
        "game at the table": FileReader(folder / "game.json", interactive_game.read, sealed=True),
        "plays as CSV": FileReader(log, log_in),
        "plays of BoardGameGeek": FileReader(written("bgg.json", json.dumps(bgg)), log_in),
        "plays as XML": FileReader(written("bgg.xml", xml), log_in),
        "plays of BG Stats": FileReader(written("stats.json", json.dumps(stats)), log_in),
        "plays in a workbook": FileReader(workbook(folder / "log.xlsx"), log_in),
        "answers on logs": FileReader(answers, lambda path: asked.read(path.parent), sealed=True),
        "manifest of plays": FileReader(folder / "plays" / plays.FILE, lambda path: open_plays(path.parent), sealed=True),
        "manifest of a run": FileReader(folder / "run" / manifest.FILE, lambda path: manifest.playable(path.parent)),
        "manifest, to be reported": FileReader(
            folder / "run" / manifest.FILE, lambda path: open_run(path.parent).read("games")
        ),
        "table of a run": FileReader(shard, read_table),
        "checksums of a run": FileReader(folder / "run" / run_folder.CHECKSUMS / "part-000000.sha256", whole_run),
        "weights of readings": FileReader(
            written(
                f"run/{open_readings.FILE}",
                "doubt,measure,n,change,change_low,change_high\nX,win rate of Rome,40,0.1,-0.1,0.3\n",
            ),
            lambda path: open_readings.weights(SimpleNamespace(run=open_run(path.parent))),  # type: ignore[arg-type]
        ),
        "tests of rules": FileReader(
            written("proofs/test_mine.py", 'import pytest\n\n\n@pytest.mark.rule("B8.4")\ndef test_one():\n    assert [1]\n'),
            tests_in,
        ),
        "measurements": FileReader(written("bench.json", measured.as_json()), bench.read),
    }


def mutated_file(chance: random.Random, content: bytes, sealed: bool) -> bytes:
    """Return the content of a file with something wrong in it: its bytes, its text, a value of its JSON, an array."""
    kind = chance.randrange(7)
    at = chance.randrange(len(content))
    if kind == 0:  # bits
        changed = bytearray(content)
        for _ in range(chance.choice((1, 1, 3, 20))):
            changed[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        return bytes(changed)
    if kind == 1:
        return content[:at]
    if kind == 2:  # a piece again, gone, or of nothing
        end = min(len(content), at + chance.choice((1, 8, 100)))
        return content[:at] + chance.choice((content[at:end] * 2, b"", bytes(end - at))) + content[end:]
    if kind == 3:
        return content[:at] + chance.choice(SPLICES).encode("utf-8", "surrogatepass") + content[at:]
    if content[:2] == b"PK":
        return (_mutated_member if b"[Content_Types].xml" in content else _mutated_arrays)(chance, content)
    try:
        whole = json.loads(content)
    except ValueError:
        lines = content.split(b"\n")
        chance.shuffle(lines) if kind == 4 else lines.insert(chance.randrange(len(lines)), chance.choice(lines))
        return b"\n".join(lines)
    return _mutated_json(chance, whole, sealed)


def _mutated_json(chance: random.Random, whole: Any, sealed: bool) -> bytes:
    """Return JSON with one value replaced, removed or renamed; sometimes with a digest that fits."""
    from ...simulator import kept_files
    from ...simulator.rules.ruleset_contents import digest_of
    from ...simulator.runs import manifest

    node, steps = whole, chance.randrange(1, 7)
    for _ in range(steps):
        inside = node if isinstance(node, dict) else dict(enumerate(node)) if isinstance(node, list) else {}
        if not inside:
            break
        key = chance.choice(list(inside))
        if _ == steps - 1 or not isinstance(inside[key], dict | list) or not inside[key]:
            how = chance.randrange(4)
            if how == 0:
                del node[key]
            elif how == 1 and isinstance(node, dict):
                node[f"{key}x"] = node.pop(key)
            elif how == 2 and type(inside[key]) is int:
                node[key] += chance.choice((-1, 1, 10**6))
            else:
                node[key] = chance.choice((*NASTY, "\ud800", "a\u001b[2J", {"__class__": 1}, "\0" * 5, "x" * 400))
            break
        node = inside[key]
    if chance.randrange(2) and isinstance(whole, dict):
        whole.pop(kept_files.DIGEST, None)
        rules = whole.get("ruleset")
        if isinstance(rules, dict) and isinstance(rules.get("data"), dict):
            rules["digest"] = digest_of(rules["data"])
        if sealed:
            return kept_files.as_text(whole).encode("utf-8", "surrogatepass")
        with suppress(Exception):
            whole[manifest.DIGEST] = manifest.own_digest(whole)
    return json.dumps(whole).encode()


def _mutated_member(chance: random.Random, content: bytes) -> bytes:
    """Return a workbook with something wrong in one of its files, or without it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        wrong = chance.choice(old.namelist())
        for name in old.namelist():
            inside = old.read(name)
            if name == wrong:
                at = chance.randrange(len(inside) + 1)
                splice = chance.choice(SPLICES).encode("utf-8", "surrogatepass")
                inside = chance.choice((b"", inside[:at], inside[:at] + splice + inside[at:]))
            if name != wrong or inside:
                new.writestr(name, inside)
    return made.getvalue()


def _mutated_arrays(chance: random.Random, content: bytes) -> bytes:
    """Return an .npz file with an array of another type, shape or name, or a large one."""
    with np.load(io.BytesIO(content)) as file:
        arrays = dict(file)
    name = chance.choice(list(arrays))
    array, made = arrays[name], io.BytesIO()
    change = chance.randrange(8)
    if change == 0:
        del arrays[name]
    elif change == 1:
        arrays[f"{name}x"] = arrays.pop(name)
    elif change == 2:
        arrays[name] = array[..., None]
    elif change == 3 and array.dtype.kind != "U":
        arrays[name] = array.astype(chance.choice(("U8", "S4", bool, np.int8, "U200")))
    elif change == 4 and array.dtype.kind in "fiu":
        arrays[name] = array.astype(complex)
    elif change == 5 and array.dtype.kind == "f":
        arrays[name] = np.full(array.shape, chance.choice((np.inf, np.nan, 1e300)))
    elif change == 6:
        arrays[name] = np.zeros((3000, 3000), np.int8)
    else:
        arrays[name] = array[::-1] if array.ndim else np.array("\x1b[2J" + str(array))
    with suppress(TypeError, ValueError):
        np.savez_compressed(made, **arrays)
    return made.getvalue()


def try_reader(reader: FileReader, content: bytes) -> str:
    """Return the outcome of a file with this content: 'read', or 'refused' with one printable line.

    The valid file is put back.
    """
    from ...simulator.errors import UNPRINTED, UserError

    whole = {path: path.read_bytes() for path in reader.file.parent.iterdir() if path.is_file()}
    reader.file.write_bytes(content)
    try:
        reader.read(reader.file)
    except UserError as error:
        if UNPRINTED.search(str(error)) or len(str(error)) > LONGEST:
            raise RuntimeError(f"no line for people: {str(error)[:200]!a}") from None
        return "refused"
    finally:
        for path, before in whole.items():
            if not path.is_file() or path.read_bytes() != before:
                path.write_bytes(before)
    return "read"


def reader_trials(number: int, seed: int, seconds: float, folder: Path, only: Sequence[str] = ()) -> Trials:
    """Try this many mutations of each kind of file."""
    trials = Trials(seconds)
    for name, reader in readers(folder).items():
        if not only or name in only:
            mutations(name, reader, number, seed, seconds, trials)
    return trials


def mutations(name: str, reader: FileReader, number: int, seed: int, seconds: float, trials: Trials | None = None) -> Trials:
    """Try this many mutations of a kind of file."""
    trials = trials or Trials(seconds)
    chance, whole = random.Random(f"{seed} {name}"), reader.file.read_bytes()
    if try_reader(reader, whole) != "read":
        trials.faults.append(f"{name}: is refused whole")
    for nth in range(number):
        content = mutated_file(chance, whole, reader.sealed)
        trials.tried(f"{name} {nth}", lambda content=content: try_reader(reader, content))  # type: ignore[misc]
    return trials


class Trials:
    """Counts the outcomes of trials, and collects faults."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def tried(self, what: str, trial: Callable[[], str]) -> None:
        """Make a trial; one that hangs in compiled code ends the process, with a traceback."""
        self.last = what
        faulthandler.dump_traceback_later(self.seconds, exit=True)
        try:
            outcome = trial()
        except Exception as error:
            outcome = "fault"
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            self.faults.append(f"{what}: {type(error).__name__}: {str(error)[:200]} ({place})")
        finally:
            faulthandler.cancel_dump_traceback_later()
        if outcome == "silent":
            self.faults.append(f"{what}: silent")
        self.counts[outcome] += 1


def overlay_trials(number: int, seed: int, seconds: float, folder: Path) -> Trials:
    """Try this many mutated house rules."""
    from ...simulator.rules.load import PACKAGED, packaged_names
    from ...simulator.rules.printed_game import printed_data

    data = Path(__file__).resolve().parents[2] / "simulator" / "data" / PACKAGED["house rules"]
    texts = [(data / f"{name}.yaml").read_text("utf-8") for name in packaged_names("house rules")]
    chance, printed, trials = random.Random(seed), {box: printed_data(box) for box in names.BOXES}, Trials(seconds)
    file = folder / "house.yaml"
    for nth in range(number):
        box = names.BOXES[nth % len(names.BOXES)]
        text = mutated_overlay(chance, printed[box], texts)
        file.write_text(text, "utf-8", errors="replace")
        trials.tried(f"{box}: {json.dumps(text[:300])}", lambda box=box: try_overlay(file, box))  # type: ignore[misc]
    return trials


def call_trials(number: int, seed: int, seconds: float, folder: Path) -> Trials:
    """Try this many calls: two of three with a wrong word, the others on a damaged folder."""
    chance, trials = random.Random(seed), Trials(seconds)
    whole = {name: folder / name for name in ("run", "experiment")}
    valid = calls(*whole.values())
    try_call([*valid[0][:-1], str(whole["run"])])
    try_call(next(arguments for arguments in valid if str(whole["experiment"]) in arguments))
    for index in range(number):
        work = folder / f"work{index}"
        work.mkdir()
        os.chdir(work)
        for name, path in whole.items():
            if path.exists():
                shutil.copytree(path, work / name)
        valid = calls(work / "run", work / "experiment")
        if index % 3:
            arguments, done = mutated_call(chance, valid), ""
        else:
            done = damage(chance, work / chance.choice([name for name in whole if (work / name).exists()]))
            arguments = chance.choice([call for call in valid if any(str(work) in text for text in call)])
        line = " ".join(text if len(text) < 60 else text[:57] + "..." for text in arguments).replace(f"{work}/", "")
        trials.tried(f"{line}{f' ({done})' if done else ''}", lambda arguments=arguments: try_call(arguments))  # type: ignore[misc]
        os.chdir(folder)
    return trials


def tellings(name: str, trials: Trials) -> Iterator[str]:
    """Yield the summary of trials, and their faults."""
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(trials.counts.items()))
    yield f"{sum(trials.counts.values()):,} {name}: {counts}"
    yield from (f"  {fault}" for fault in trials.faults)


@click.command()
@click.option("--overlays", type=click.IntRange(0), default=1000, show_default=True, help="Mutated house rules to try.")
@click.option("--calls", "call_number", type=click.IntRange(0), default=300, show_default=True, help="Calls to try.")
@click.option(
    "--files", "file_number", type=click.IntRange(0), default=0, help="Mutations of each kind of file, read directly."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the mutations.")
@click.option("--seconds", type=float, default=120.0, show_default=True, help="What takes longer is a hang.")
def main(overlays: int, call_number: int, file_number: int, seed: int, seconds: float) -> None:
    """Try wrong input by the thousand; exit code 1 if there are faults."""
    here, results = Path.cwd(), []
    with tempfile.TemporaryDirectory(prefix="newdawn-hostile-") as name:
        try:
            if file_number:
                results.append(("mutated files", reader_trials(file_number, seed, seconds, Path(name) / "files")))
            results.append(("mutated house rules", overlay_trials(overlays, seed, seconds, Path(name))))
            if call_number:
                results.append(("calls", call_trials(call_number, seed, seconds, Path(name).resolve())))
        finally:
            os.chdir(here)
    for what, trials in results:
        click.echo("\n".join(tellings(what, trials)))
    sys.exit(1 if any(trials.faults for _, trials in results) else 0)


if __name__ == "__main__":
    main()
