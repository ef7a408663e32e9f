"""Is every command that the lab prints run to its end? Next steps of reports, examples of `--help`, README and docs.

    python -m newdawn.scripts.checks.printed_commands --out build/printed
    python -m newdawn.scripts.checks.printed_commands --out build/printed --part 2/4 --minutes 10

Only the numbers of a command are made small. The files and runs that it names are made first: what a reader would have by then.
What a command prints and the page of its answer name further commands (next steps); these are run, too, where it was run.
A command fails if its exit code is not 0, if what it was printed for is not in its answer (the leader it asks about), or if it
takes more than SLOW seconds of a processor. OUT/ended.jsonl remembers what ended well: the same check continues with the rest.
"""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import shutil
import time
import traceback
import zlib
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

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
    "replay": {"--game": "7", "--round": "5"},
    "ladder": {"--games": "120"},
    "extend": {"--games": "150"},
    "balance": {"--games": "20"},
    "fair": {"--games": "100"},
    "goals": {"--all-games": "9000", "--fresh": "60"},
}
SLOW = 120  # seconds of a processor, made small
TOLD = {"base": 1200, "terra-incognita": 4000}  # games after which a report proposes to change a leader
NARROW = {"leaders.*'": "leaders.scythia.abilities.*'", "leaders.*.": "leaders.scythia.", ".*.cost": ".petra.cost"}
BESIDE = ("--beside", "--with")  # name a second run
RUN: dict[str, Any] = {"games": 120, "players": 4, "seed": 3, "strategies": ["planner"]}
# Not tried here, and why.
UNTRIED = {
    "play": "waits for a person", "explore": "waits for a browser", "bench": "measures", "web": "builds a page",
    "plays": "needs plays of people; tests/plays", "strategies train": "trains for minutes; tests/strategies",
    "strategies tune": "trains for minutes; tests/strategies", "strategies average": "of trained players; tests/strategies",
}  # fmt: skip
OPEN = re.compile(
    r"[…<>{}$]|\bDIR\b|\bNAME\b|\bFILE\b|\bNUMBER\b|\bA B\b|--effects\b|results/balance\b|my_module|train_agent|://|\.npz|/shared/"
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


def of_reports(folder: Path, tables: Sequence[Table]) -> Iterator[str]:
    """Yield the next steps of the reports of runs."""
    for table in tables:
        place = folder / table.name
        if not place.exists():
            rules = load_ruleset(table.files(folder), box=table.box)
            leaders = {"leaders": table.leaders} if table.leaders else {}
            own = {"games": TOLD[table.box], "players": table.players}
            run_games(plan_by(rules.compile(), **(RUN | own | leaders)), rules, place, 1)
        if table.own:  # its commands name the house rules that the report's folder has
            CliRunner().invoke(lab, ["report", str(place), "--quiet"])
        report = build(open_run(place), boards=0)
        yield from (step.command for step in report.first.steps if step.command)


@dataclass(frozen=True)
class Table:
    """Whose games a report is about: box, players, a line-up if leaders are named, and whether someone's own leader plays."""

    box: str
    players: int
    leaders: tuple[str, ...] = ()
    own: bool = False

    @property
    def name(self) -> str:
        """The folder of its run."""
        return f"run-{self.box}-{self.players}{'-named' if self.leaders else ''}{'-own' if self.own else ''}"

    def files(self, folder: Path) -> list[Path]:
        """Return its house rules, written into the folder."""
        if not self.own:
            return []
        path = folder / "atlantis.yaml"
        path.write_text(_printed("rules", "new", "leader", "Atlantis"), "utf-8")
        return [path]


def of_answers(output: str, place: Path) -> list[str]:
    """Return the commands that an answer proposes, on the screen and on its pages."""
    found = [line.strip().removeprefix("Next: ") for line in output.splitlines()]
    for path in sorted(place.rglob("report.html")):
        copied = re.findall(r'<pre class="copied">(newdawn .*?)</pre>', path.read_text("utf-8"), re.S)
        found += [html.unescape(re.sub(r"<[^>]*>", "", command)) for command in copied]
    return [command for command in found if command.startswith("newdawn ")]


def tried(commands: Iterator[str]) -> list[str]:
    """Return the different commands that can be tried."""
    whole = dict.fromkeys(command.partition(" | ")[0] for command in commands if not OPEN.search(command.replace("> ", "")))
    return [command for command in whole if not _untried(command)]


def _untried(command: str) -> bool:
    words = shlex.split(command)[1:3]
    return words[0] in UNTRIED or " ".join(words) in UNTRIED


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
    if "--until-decided" in words and "--most-games" not in words:
        words += ["--most-games", "200"]
    if "--minutes" in words:
        words[words.index("--minutes") + 1] = "0.1"
        words = words if "--all-games" not in words else [word for word in words if word not in ("--all-games", "9000")]
    if words[0] == "balance" and "--minutes" not in words:
        words += ["--minutes", "0.1"]
    if words[:3] == ["balance", "--leaders", "all"] and "fair" in words:
        words += ["--parameters", "leaders.scythia.abilities.*"]
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
            elif re.match(r"(results|out)/\w+$|[ab]$|one/|two/", name) and before not in BESIDE:
                path.parent.mkdir(exist_ok=True)
                shutil.copytree(runs / ("second" if words[0] == "merge" and before != "merge" else "first"), path)
            elif re.match(r"(results|out)/\w+$", name):
                shutil.copytree(runs / "second", path)
            elif name.endswith(".csv") and before == "--effects":
                path.write_text("", "utf-8")


def _file(option: str, name: str, words: Sequence[str]) -> str:
    """Return what a reader's file holds, by the option before it."""
    if name == "goals.yaml" or words[0] == "goals":
        goals = _printed("rules", "new", "goals")
        for wide, narrow in (
            ("leaders.*'", "leaders.scythia.abilities.*'"),
            ("leaders.*.", "leaders.scythia."),
            (".*.cost", ".petra.cost"),
        ):
            goals = goals.replace(wide, narrow)
        return goals
    if "atlantis" in name:
        return _printed("rules", "new", "leader", "Atlantis")
    if option == "--map":
        return (ROOT / "simulator" / "data" / "maps" / "mirror_two.yaml").read_text("utf-8")
    if option in ("--strategies", "--against"):
        return (ROOT / "strategies" / "profiles" / "planner.yaml").read_text("utf-8")
    return "name: cheaper Petra\nwonders:\n  petra: {cost: 5}\n"


def _printed(*words: str) -> str:
    return CliRunner().invoke(lab, words).stdout


@dataclass(frozen=True)
class Ended:
    """How a command ended: what is wrong ("" if nothing), the commands it names, and its processor time."""

    wrong: str
    named: list[str]
    seconds: float


def problem(command: str, runs: Path, place: Path) -> str:
    """Run a command in a folder of its own; return what is wrong with how it ends, "" for nothing."""
    shutil.rmtree(place, ignore_errors=True)
    return ended(command, runs, place).wrong


def ended(command: str, runs: Path, place: Path) -> Ended:
    """Run a command in a folder, which is made if it is not there; return how it ends."""
    place.mkdir(parents=True, exist_ok=True)
    words, began = small(command), time.process_time()
    with chdir(place):
        prepare(words, runs)
        found = CliRunner().invoke(lab, words)
    seconds = time.process_time() - began
    return Ended(_wrong(words, found, seconds), of_answers(found.output, place), seconds)


def _wrong(words: Sequence[str], found: Result, seconds: float) -> str:
    """Return what is wrong with how a command ended; "" for nothing."""
    if found.exit_code:
        told = found.output.strip().splitlines()[-1:] or [""]
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            told = traceback.format_exception(found.exception)[-1:]
        return f"exit code {found.exit_code}: {told[0].strip()}"
    if seconds > SLOW:
        return f"took {seconds:.0f} s of a processor although its numbers are small"
    if "--leader" in words and words[0] in ("balance", "coalition"):
        leader = words[words.index("--leader") + 1]
        return "" if leader in found.output else f"nothing is said of {leader}"
    return ""


def prepared(folder: Path) -> Path:
    """Play the runs that commands read, with two seeds; return the folder of runs."""
    for name, seed in (("first", RUN["seed"]), ("second", RUN["seed"] + 1)):
        if not (folder / name).exists():
            rules = load_ruleset()
            run_games(replace(plan_by(rules.compile(), **RUN | {"seed": seed}), tables=OPTIONAL), rules, folder / name, 1)
    return folder


TABLES = [
    *(Table(box, players) for box in names.BOXES for players in range(2, names.MOST_PLAYERS[box] + 1)),
    Table("base", 2, ("Scythia", "Rome")),
    Table("base", 4, own=True),
]


class Part(click.ParamType):
    """A part of all, such as 2/4."""

    name = "part"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Return the part's number and how many there are."""
        number, _, parts = str(value).partition("/")
        if not (number.isdigit() and parts.isdigit() and 1 <= int(number) <= int(parts)):
            self.fail(f"'{value}': expected a part of all, such as 2/4", param, ctx)
        return int(number), int(parts)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--part", type=Part(), default="1/1", show_default=True, help="Run one of this many parts only.")
@click.option("--minutes", type=float, help="Of a processor: after them no command is begun.")
@click.option("--again", is_flag=True, help="Run what ended well before, too.")
def main(out: Path, part: tuple[int, int], minutes: float | None, again: bool) -> None:
    """Run every printed command, and end with 1 if one of them fails."""
    began, out = time.process_time(), out.resolve()
    runs, path = prepared(out / "runs"), out / "ended.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() and not again else []
    kept = {shape(row["command"]): row for row in rows if not row["wrong"]}
    commands = tried(iter([*of_help(), *of_texts(), *of_reports(out / "runs", TABLES)]))
    here = {command: out / f"{zlib.crc32(command.encode()):08x}" for command in commands[part[0] - 1 :: part[1]]}
    failed, well = 0, 0
    for command, place in here.items():
        if minutes is not None and time.process_time() - began > 60 * minutes:
            break
        wrong = followed(command, runs, place, kept, path)
        failed, well = failed + len(wrong), well + (not wrong)
        click.echo("".join(wrong), nl=False)
    click.echo(f"{well} of {len(here)} printed commands, with those that their answers name, end as they should; {failed} fail")
    raise SystemExit(bool(failed) or well < len(here))


def shape(command: str) -> str:
    """Return a command without the numbers and folders that each answer has of its own."""
    return re.sub(r"\d{3,}|\d+\.\d+", "0", re.sub(r"(\S*/)+\S+", "FOLDER", command))


def followed(command: str, runs: Path, place: Path, kept: dict[str, Any], path: Path) -> list[str]:
    """Run a command, and those that its answer names; return what is wrong, and remember what ended well."""
    if shape(command) in kept:
        return []
    shutil.rmtree(place, ignore_errors=True)
    wrong, open_commands = [], [command]
    while open_commands:
        each = open_commands.pop(0)
        if shape(each) in kept:
            continue
        found = ended(each, runs, place)
        kept[shape(each)] = {"command": each, "wrong": found.wrong, "seconds": round(found.seconds, 1)}
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(kept[shape(each)], ensure_ascii=False)}\n")
        wrong += [f"{each}\n    {found.wrong}\n"] if found.wrong else []
        open_commands += tried(iter(found.named)) if each == command else []
    return wrong


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "120")
    main()
