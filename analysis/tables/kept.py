"""What commands that play games for a question keep of their answer: `findings.json` and a CSV and a JSON file a table.

`newdawn report` makes a page of such a folder (analysis/report/answers/comparisons.py), and of what `newdawn experiment` and
`newdawn ladder` leave, which have files of their own.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.keeping import as_text, check_digest, digest_of, opened, read
from ...simulator.ours import check_files, write_files
from ...simulator.reading import content_of, csv_of, json_in, plainly
from ...simulator.wording import listed
from ..statistics.answer import playable
from .render import render

FILE = "findings.json"
EXPERIMENT, EFFECTS, LADDERS = "experiment.json", "effects.json", ("ladder.json", "against.json")
WHAT = "what newdawn keeps of an answer"
VERSION = 2  # 1: without digests
READ = (1, VERSION)
AGAIN = "the command that found it, given again, writes it anew"
CHANGES, AGAINST = "changes", "rules compared with"  # a word and a fact of comparisons
CAVEATS = "caveats"  # a word: what must be known of the rules to read the figures right, a line each
TARGET_ROW = "target"  # of the table of the rules under which a search began: the figure asked about, confirmed


@dataclass(frozen=True)
class Kept:
    """An answer: the command that found it, where it comes from, sentences about the tables, and the tables in full."""

    command: str  # "compare", "tune" …
    title: str
    facts: Mapping[str, str]
    tables: Mapping[str, pd.DataFrame]
    sentences: Sequence[str] = ()
    box: str = names.BOXES[0]
    line: str = ""  # the command line that finds it again
    words: Mapping[str, str] = field(default_factory=dict)  # what the page calls things: the figure asked about …

    @property
    def players(self) -> int:
        """Return how many sit at a table, the first of several numbers; 0 if the answer does not say."""
        return next(iter(self.counts), 0)

    @property
    def counts(self) -> list[int]:
        """Return all numbers of players that the answer is about."""
        return [int(count) for count in re.findall(r"\d+", self.facts.get("players", ""))]


def again(line: str, games: float | None, option: str = "--games") -> str:
    """Return a command line with another number of games; "" where there is none, or no machine plays so many."""
    number, words = None if games is None else playable(games), shlex.split(line)
    if number is None or words[:1] != ["newdawn"]:
        return ""
    kept = [word for at, word in enumerate(words) if option not in (word, words[at - 1])]
    return shlex.join([*(word for word in kept if not word.startswith(f"{option}=")), option, str(number)])


def names_of(tables: Sequence[str]) -> list[str]:
    """Return the names of the files in which an answer with these tables is kept."""
    return [FILE, *(f"{name}.{how}" for name in tables for how in ("csv", "json"))]


def check(out: Path, tables: Sequence[str]) -> None:
    """Raise UserError, before any game is played, if keeping an answer in `out` would write over what is not ours."""
    check_files(out, names_of(tables), "findings")


def keep(out: Path, kept: Kept) -> None:
    """Write the answer into the folder. Raises UserError if it cannot be written, or would replace what is not ours."""
    facts = {key: getattr(kept, key) for key in ("command", "title", "box", "line")}
    facts |= {"facts": dict(kept.facts), "sentences": list(kept.sentences), "words": dict(kept.words)}
    facts["tables"] = list(kept.tables)
    files: dict[str, str] = {}
    for name, frame in kept.tables.items():
        files |= {f"{name}.csv": frame.to_csv(index=False, lineterminator="\n"), f"{name}.json": render(frame, "json") + "\n"}
    facts["files"] = {name: digest_of(text.encode()) for name, text in files.items()}
    write_files(out, {**files, FILE: as_text({"version": VERSION} | facts)}, "findings")


def open_kept(path: Path) -> Kept | None:
    """Return the answer kept in a folder; None if there is none. Raises UserError naming the file that cannot be read."""
    for name, answer in ((FILE, _findings), (EXPERIMENT, _experiment), *((name, _ladder) for name in LADDERS)):
        if (path / name).is_file():
            with plainly(path / name, WHAT, again=AGAIN):
                return answer(path / name)
    return None


def _findings(path: Path) -> Kept:
    found = json_in(path, WHAT, AGAIN)
    if found["version"] not in READ:
        raise UserError(f"{path}: kept by another version of newdawn ({found['version']}); expected {VERSION}")
    found = opened(path, found, WHAT, AGAIN, unsealed=found["version"] < VERSION)
    tables = {name: _table(path.with_name(f"{name}.csv"), found.get("files")) for name in found["tables"]}
    rest = {key: found[key] for key in ("command", "title", "facts", "sentences", "box", "line", "words")}
    _check_kinds(rest)
    return Kept(tables=tables, **rest)


def _check_kinds(rest: Mapping[str, Any]) -> None:
    """Raise ValueError for a part of an answer that holds something else than it does."""
    for key in ("command", "title", "box", "line"):
        if type(rest[key]) is not str:
            raise ValueError(f"{key}: expected a text")
    for key in ("facts", "words"):
        if not all(type(word) is str for word in dict(rest[key]).values()):
            raise ValueError(f"{key}: expected texts by name")
    if not isinstance(rest["sentences"], list) or not all(type(word) is str for word in rest["sentences"]):
        raise ValueError("sentences: expected a list of texts")
    if rest["box"] not in names.BOXES:
        raise ValueError(f"box: expected one of {', '.join(names.BOXES)}")


def _experiment(path: Path) -> Kept:
    """Return the answer of `newdawn experiment`."""
    found, effects = read(path, WHAT, AGAIN, unsealed=True), path.with_name("effects.csv")
    if not effects.is_file():
        raise UserError(f"{effects}: is missing; the experiment's command, given again, writes it")
    kind, plan, rules = found["experiment"]["kind"], found["plan"], found["ruleset"]
    facts = facts_of(rules, [plan["players"]], plan["seed"], plan["strategies"]) | {
        "leaders": ", ".join(plan["leaders"]),
        "given at the beginning of round": str(found["experiment"]["round"]),
        "engine": found["engine"],
    }
    title = f"Experiment: what a {kind} is worth"
    tables = {"effects": _table(effects, _effects(path))}
    return Kept("experiment", title, facts, tables, box=rules.get("box", names.BOXES[0]), words={"kind": kind})


def _ladder(path: Path) -> Kept:
    """Return the ratings of `newdawn ladder`."""
    found = read(path, WHAT, AGAIN, unsealed=True)
    source = found.pop("provenance")
    facts = facts_of(source["ruleset"], [source["players"]], source["seed"], source["strategies"])
    facts |= {"games": f"{source['games']:,}", "engine": source["engine"]}
    tables = {name: pd.DataFrame(rows) for name, rows in found.items() if rows}
    title = "Ladder of strategies" if path.stem == "ladder" else "One strategy against copies of another"
    return Kept(path.stem, title, facts, tables, box=source["ruleset"].get("box", names.BOXES[0]), line=source["command"])


def facts_of(ruleset: Mapping[str, Any], players: Sequence[int], seed: int, strategies: Sequence[str]) -> dict[str, str]:
    """Return where games come from, in words."""
    return {
        "rules": f"{ruleset['name']}, SHA-256 {ruleset['digest']}", "players": listed([str(count) for count in players]),
        "seed": str(seed), "strategies": ", ".join(dict.fromkeys(strategies)),
    }  # fmt: skip


def _effects(path: Path) -> Mapping[str, str] | None:
    """Return the digests of the files of an experiment's effects; None in a folder of a version that kept none."""
    beside = path.with_name(EFFECTS)
    return dict(read(beside, WHAT, AGAIN)["files"]) if beside.is_file() else None


def _table(path: Path, digests: Mapping[str, str] | None) -> pd.DataFrame:
    """Return the table of a CSV file, which must have its digest, if there are any."""
    content = content_of(path, expected=WHAT)
    if digests is not None:
        check_digest(path, digest_of(content), digests[path.name], AGAIN)
    found: pd.DataFrame = csv_of(content, path, WHAT, AGAIN)
    return found
