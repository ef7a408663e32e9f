"""Wrong input by the thousand: mutated house rules and command lines, each of which must be answered, not suffered.

    python -m newdawn.scripts.checks.hostile --overlays 1000 --calls 300

Both boxes in turns. An answer is a result, or one line and exit code 2. Counted as faults are tracebacks, what takes longer
than --seconds, and silence: house rules that are accepted, change nothing and do not say so, and commands that succeed
without a word.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import yaml

from ...simulator import names

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


def mutated_overlay(chance: random.Random, printed: dict[str, Any], texts: list[str]) -> str:
    """Return house rules with something wrong in them, as text."""
    from ...simulator.rules.node import leaves

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
    """Return what becomes of house rules of a box: 'refused', 'accepted', or 'silent' if they change nothing and do not say so.

    A game is begun with what is accepted.
    """
    from ...simulator.batch.run import Silent, play_range
    from ...simulator.errors import UserError
    from ...simulator.games.plan import plan_by, player_counts
    from ...simulator.rules import describe_diff, load_ruleset

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
    """Return calls of every command that succeed in no time."""
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
    """Return a call with one word wrong, gone, or too many."""
    words = list(chance.choice(valid))
    at = chance.randrange(len(words))
    change = chance.randrange(4)
    if change == 0:
        del words[at]
    elif change == 1:
        words.insert(at, chance.choice(WORDS))
    else:
        words[at] = chance.choice(WORDS)
    return words


def damage(chance: random.Random, folder: Path) -> str:
    """Damage one file of a folder; return what was done."""
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


def try_call(words: list[str]) -> str:
    """Return what becomes of a call: 'refused', 'done', or 'silent' if it succeeds without a word."""
    from click.testing import CliRunner

    from ..cli.main import main

    done = CliRunner().invoke(main, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    if done.exit_code not in (0, 1, 2):
        raise RuntimeError(f"exit code {done.exit_code}: {done.output[-200:]}")
    if done.exit_code == 2 and not done.output.strip().splitlines()[-1].startswith(("error: ", "Commands:", "  ")):
        raise RuntimeError(f"exit code 2 without a line that says why: {done.output[-200:]!r}")
    return "refused" if done.exit_code == 2 else "done" if done.output.strip() else "silent"


class Trials:
    """Counts what becomes of trials, and tells of faults."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def tried(self, what: str, trial: Callable[[], str]) -> None:
        """Make a trial. One that hangs in compiled code ends the process, after it was named."""
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
    """Try so many mutated house rules."""
    from ...simulator.rules.loading.load import PACKAGED, packaged_names
    from ...simulator.rules.loading.packaged import printed_data

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
    """Try so many calls: two of three with a wrong word, the others on a damaged folder."""
    chance, trials = random.Random(seed), Trials(seconds)
    whole = {name: folder / name for name in ("run", "experiment")}
    valid = calls(*whole.values())
    try_call([*valid[0][:-1], str(whole["run"])])
    try_call(next(words for words in valid if str(whole["experiment"]) in words))
    for index in range(number):
        work = folder / f"work{index}"
        work.mkdir()
        os.chdir(work)
        for name, path in whole.items():
            if path.exists():
                shutil.copytree(path, work / name)
        valid = calls(work / "run", work / "experiment")
        if index % 3:
            words, done = mutated_call(chance, valid), ""
        else:
            done = damage(chance, work / chance.choice([name for name in whole if (work / name).exists()]))
            words = chance.choice([call for call in valid if any(str(work) in word for word in call)])
        said = " ".join(word if len(word) < 60 else word[:57] + "..." for word in words).replace(f"{work}/", "")
        trials.tried(f"{said}{f' ({done})' if done else ''}", lambda words=words: try_call(words))  # type: ignore[misc]
        os.chdir(folder)
    return trials


def tellings(name: str, trials: Trials) -> Iterator[str]:
    """Yield what is to be said of the trials."""
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(trials.counts.items()))
    yield f"{sum(trials.counts.values()):,} {name}: {counts}"
    yield from (f"  {fault}" for fault in trials.faults)


@click.command()
@click.option("--overlays", type=click.IntRange(0), default=1000, show_default=True, help="Mutated house rules to try.")
@click.option("--calls", "call_number", type=click.IntRange(0), default=300, show_default=True, help="Calls to try.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the mutations.")
@click.option("--seconds", type=float, default=120.0, show_default=True, help="What takes longer is a hang.")
def main(overlays: int, call_number: int, seed: int, seconds: float) -> None:
    """Try wrong input by the thousand; exit code 1 if any of it is suffered."""
    here, found = Path.cwd(), []
    with tempfile.TemporaryDirectory(prefix="newdawn-hostile-") as name:
        try:
            found.append(("mutated house rules", overlay_trials(overlays, seed, seconds, Path(name))))
            if call_number:
                found.append(("calls", call_trials(call_number, seed, seconds, Path(name).resolve())))
        finally:
            os.chdir(here)
    for what, trials in found:
        click.echo("\n".join(tellings(what, trials)))
    sys.exit(1 if any(trials.faults for _, trials in found) else 0)


if __name__ == "__main__":
    main()
