"""Is every command that the lab prints run to its end? Next steps of reports, examples of `--help`, README and docs.

    python -m newdawn.scripts.checks.printed_commands --out build/printed

Only the numbers of a command are made small. The files and runs that it names are made first: what a reader would have by then.
A command fails if its exit code is not 0, or if what it was printed for is not in its answer: the leader it asks about.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import traceback
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import click
from click.testing import CliRunner

from ...analysis.report import build
from ...analysis.tables.read import open_run
from ...simulator import names
from ...simulator.rules import load_ruleset
from ...simulator.runs.columns import OPTIONAL
from ...simulator.runs.run import run_games
from ...simulator.runs.run_plan import plan_by
from ..cli.main import main as lab

ROOT = Path(__file__).resolve().parent.parent.parent
SMALL = {
    "--games": "24", "--fresh": "24", "--screen": "10", "--budget": "0.1", "--adapt-games": "20", "--sample": "2",
    "--play": "10", "--half-width": "20%", "--until-half-width": "20%",
}  # fmt: skip
LIMITED = {
    "extend": {"--games": "90"},
    "balance": {"--games": "20"},
    "fair": {"--games": "100"},
    "goals": {"--all-games": "60000", "--fresh": "60"},
}
RUN = {"games": 60, "players": 4, "seed": 3, "strategies": ["planner"]}
# Not tried here, and why.
UNTRIED = {
    "play": "waits for a person", "explore": "waits for a browser", "bench": "measures", "web": "builds a page",
    "plays": "needs plays of people; tests/plays", "strategies": "trains for minutes; tests/strategies", "merge": "tests/batch",
    "ladder": "needs many games of each pair; tests/scripts", "resume": "of a stopped run; tests/batch",
    "adapt": "trains; tests/scripts", "replay": "tests/replay",
}  # fmt: skip
OPEN = re.compile(
    r"[…<>{}|$]|\bDIR\b|\bNAME\b|\bFILE\b|\bA B\b|--adapt\b|--effects\b|results/balance\b|--beside\b|--until-best\b|--vary\b|my_module|://|\.npz"
)


def of_help(command: click.Command = lab) -> Iterator[str]:
    """Yield the examples of every `--help`."""
    for line in (command.help or "").splitlines():
        if line.strip().startswith("newdawn "):
            yield re.split(r"\s{3,}|\s#", line.strip())[0]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from of_help(inner)


def of_texts() -> Iterator[str]:
    """Yield the commands in code blocks of the README and the documentation."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for block in re.findall(r"^```sh\n(.*?)^```", path.read_text("utf-8"), re.M | re.S):
            lines = block.replace("\\\n", " ").splitlines()
            yield from (line.split(" #")[0].strip() for line in lines if line.startswith("newdawn "))


def of_reports(folder: Path, tables: Sequence[tuple[str, int]]) -> Iterator[str]:
    """Yield the next steps of reports of runs, (box, players)."""
    for box, players in tables:
        rules, place = load_ruleset(box=box), folder / f"run-{box}-{players}"
        if not place.exists():
            run_games(plan_by(rules.compile(), **(RUN | {"games": 1200, "players": players})), rules, place, 1)
        report = build(open_run(place), boards=0)
        yield from (step.command for step in report.first.steps if step.command)


def tried(commands: Iterator[str]) -> list[str]:
    """Return the different commands that can be tried."""
    whole = dict.fromkeys(command for command in commands if not OPEN.search(command.replace("> ", "")))
    return [command for command in whole if shlex.split(command)[1] not in UNTRIED]


def small(command: str) -> list[str]:
    """Return the words of a command with small numbers."""
    words = shlex.split(command.split(" > ")[0])[1:]
    options = SMALL | LIMITED.get(words[0], {})
    known: click.Command = lab
    at = 0
    while isinstance(known, click.Group) and at < len(words):
        inner = known.get_command(click.Context(known), words[at].removeprefix("--"))
        if inner is None:
            break
        known, at = inner, at + 1
    takes = {option for param in known.params for option in param.opts}
    for option, value in options.items():
        if option in words:
            place = words.index(option) + 1
            several = "," in words[place]
            words[place] = ",".join([value] * len(words[place].split(","))) if several else value
        elif option in takes and option in ("--games", "--fresh", "--screen", "--all-games") and "--until-decided" not in words:
            words += [option, value]
    if "--minutes" in words:
        words[words.index("--minutes") + 1] = "0.1"
        words = words if "--all-games" not in words else [word for word in words if word not in ("--all-games", "60000")]
    if words[0] == "balance" and "--minutes" not in words:
        words += ["--minutes", "0.1"]
    if "--map" in words and "--players" not in words:
        words += ["--players", "2"]  # those of the map that is made for it
    return words + (["--quiet"] if "--quiet" in takes else [])


def prepare(words: Sequence[str], runs: Path) -> None:
    """Make the files and runs that a command names, where it is run."""
    for before, word in zip(["", *words], words, strict=False):
        for name in word.split(","):
            path = Path(name)
            if before == "--out" or path.exists() or path.is_absolute():
                continue
            if name.endswith(".yaml"):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(_file(before, name, words), "utf-8")
            elif re.match(r"(results|out)/\w+$", name):
                path.parent.mkdir(exist_ok=True)
                shutil.copytree(runs / "first", path)
            elif name.endswith(".csv") and before == "--effects":
                path.write_text("", "utf-8")


def _file(option: str, name: str, words: Sequence[str]) -> str:
    """Return what a reader's file holds, by the option before it."""
    if name == "goals.yaml" or words[0] == "goals":
        return _printed("rules", "new", "goals")
    if "atlantis" in name:
        return _printed("rules", "new", "leader", "Atlantis")
    if option == "--map":
        return (ROOT / "simulator" / "data" / "maps" / "mirror_two.yaml").read_text("utf-8")
    if option in ("--strategies", "--against"):
        return (ROOT / "strategies" / "profiles" / "planner.yaml").read_text("utf-8")
    return "name: cheaper Petra\nwonders:\n  petra: {cost: 5}\n"


def _printed(*words: str) -> str:
    return CliRunner().invoke(lab, words).stdout


def problem(command: str, runs: Path, place: Path) -> str:
    """Run a command in a folder of its own; return what is wrong with how it ends, "" for nothing."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    words = small(command)
    with chdir(place):
        prepare(words, runs)
        found = CliRunner().invoke(lab, words)
    if found.exit_code:
        told = found.output.strip().splitlines()[-1:] or [""]
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            told = traceback.format_exception(found.exception)[-1:]
        return f"exit code {found.exit_code}: {told[0].strip()}"
    if "--leader" in words and words[0] in ("balance", "coalition"):
        leader = words[words.index("--leader") + 1]
        return "" if leader in found.output else f"nothing is said of {leader}"
    return ""


def prepared(folder: Path) -> Path:
    """Play the run that commands read; return the folder of runs."""
    if not (folder / "first").exists():
        rules = load_ruleset()
        run_games(replace(plan_by(rules.compile(), **RUN), tables=OPTIONAL), rules, folder / "first", 1)
    return folder


TABLES = [(box, players) for box in names.BOXES for players in range(2, names.MOST_PLAYERS[box] + 1)]


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--every", type=int, default=1, show_default=True, help="Run each so-manieth command only.")
def main(out: Path, every: int) -> None:
    """Run every printed command, and end with 1 if one of them fails."""
    out = out.resolve()
    runs, failed = prepared(out / "runs"), 0
    commands = tried(iter([*of_help(), *of_texts(), *of_reports(out / "runs", TABLES)]))[::every]
    for at, command in enumerate(commands):
        if wrong := problem(command, runs, out / f"{at}"):
            failed += 1
            click.echo(f"{command}\n    {wrong}")
    click.echo(f"{len(commands) - failed} of {len(commands)} printed commands end as they should")
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "120")
    main()
