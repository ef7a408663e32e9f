"""Answers of commands, kept in a folder: `keep` writes one, `open_kept` reads it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, counted, listed
from ...simulator.file_ownership import check_files, write_files
from ...simulator.kept_files import EXPERIMENT, FINDINGS, LADDERS, MIXED, as_text, check_digest, digest_of, opened, read
from ...simulator.reading import content_of, csv_of, json_in, plainly
from ..stats.verdicts import KEY, KEYS, playable
from .rendering import EFFECTS, EFFECTS_TABLE, render

EFFECTS_FILE = f"{EFFECTS_TABLE}.csv"
RATINGS, SPREAD, PAIRS = "ratings", "spread", "pairs"  # tables of a ladder that pages show
WHAT = "what newdawn keeps of an answer"
VERSION = 3  # 2: verdicts by their words alone, which do not say which verdict it is
AGAIN = "the command that found it, given again, writes it anew"
CHANGES, AGAINST = "changes", "rules compared with"  # a key of `words` and one of `facts`, of comparisons
CAVEATS = "caveats"  # key of `words`: cautions on the rules, a line each
NOTES = "notes"  # key of `words`: notes on how the games were played, a line each
ADDRESS = "address"  # key of `words`: that of the lab's page which asks the same question
# Commands, and tables of their answers, that pages of other questions read, too.
SEARCHED = {"balance": "moves", "tune": "confirmed"}  # the table of the values that fresh games judged
CHANGE_FILE = "change.yaml"  # the advised house rule, beside the page
SENSITIVITY, MOVED_NUMBERS = "sensitivity", "changes"
VARIANTS = "compare variants", "variants"  # a command, and the table of its answer
FAIR, COALITION = ("fair", "people"), ("coalition", "coalitions")
DIFFERENCES = "differences"  # of `newdawn compare`
AT_TABLES, BY_PLAYERS = "--players", ("by_players", "verdicts")  # ends a command about several numbers of players
ABILITY = "leader"  # the kind of experiments that take away a leader's ability
TARGET_ROW = "target"  # table of the target figure under the rules where a search began, confirmed


@dataclass(frozen=True)
class KeptAnswer:
    """An answer kept in a folder: the command that found it, its provenance, sentences, and the tables in full."""

    command: str  # "compare", "tune" …
    title: str
    facts: Mapping[str, str]
    tables: Mapping[str, pd.DataFrame]
    sentences: Sequence[str] = ()
    box: str = names.BOXES[0]
    line: str = ""  # the command line that reproduces it
    words: Mapping[str, str] = field(default_factory=dict)  # texts of the page by key: the target figure …
    numbers: Mapping[str, float] = field(default_factory=dict)  # numbers of the page by key: the wanted value …

    @property
    def players(self) -> int:
        """Return the number of players, the first of several; 0 if the answer does not say."""
        return next(iter(self.counts), 0)

    @property
    def counts(self) -> list[int]:
        """Return all numbers of players of the answer."""
        return [int(count) for count in re.findall(r"\d+", self.facts.get("players", ""))]


UNTIL_DECIDED = "--until-decided"  # of `newdawn compare`


def again(line: str, games: float | None, option: str = "--games") -> str:
    """Return a command line with another number of games; "" without one, or if no machine can play this many.

    One that ends by itself continues only if what it named as the most was too few.
    """
    number, words = None if games is None else playable(games), shlex.split(line)
    if number is None or words[:1] != ["newdawn"]:
        return ""
    if UNTIL_DECIDED in words:
        option = "--most-games"
        named = [words[at + 1] for at, word in enumerate(words[:-1]) if word == option]
        named += [word.partition("=")[2] for word in words if word.startswith(f"{option}=")]
        if not named or number <= int(named[-1]):
            return ""
    rest = [word for at, word in enumerate(words) if option not in (word, words[at - 1])]
    return shlex.join([*(word for word in rest if not word.startswith(f"{option}=")), option, str(number)])


def names_of(tables: Sequence[str]) -> list[str]:
    """Return the names of the files of an answer with these tables."""
    return [FINDINGS, *(f"{name}.{how}" for name in tables for how in ("csv", "json"))]


def check(out: Path, tables: Sequence[str]) -> None:
    """Raise UserError, before any game is played, if keeping an answer in `out` would overwrite foreign files."""
    check_files(out, names_of(tables), "findings")


def keep(out: Path, kept: KeptAnswer) -> None:
    """Write the answer into the folder; raise UserError if it cannot be written, or would replace foreign files."""
    facts = {key: getattr(kept, key) for key in ("command", "title", "box", "line")}
    facts |= {"facts": dict(kept.facts), "sentences": list(kept.sentences), "words": dict(kept.words)}
    facts["numbers"] = dict(kept.numbers)
    facts["tables"] = list(kept.tables)
    files: dict[str, str] = {}
    for name, frame in kept.tables.items():
        files |= {f"{name}.csv": frame.to_csv(index=False, lineterminator="\n"), f"{name}.json": render(frame, "json") + "\n"}
    facts["files"] = {name: digest_of(text.encode()) for name, text in files.items()}
    write_files(out, {**files, FINDINGS: as_text({"version": VERSION} | facts)}, "findings")


def open_kept(path: Path) -> KeptAnswer | None:
    """Return the answer kept in a folder; None if there is none. Raises UserError naming the file that cannot be read."""
    for name, answer in ((FINDINGS, _findings), (EXPERIMENT, _experiment), *((name, _ladder) for name in LADDERS)):
        if (path / name).is_file():
            with plainly(path / name, WHAT, again=AGAIN):
                kept = answer(path / name)
                for table in kept.tables.values():
                    _check_verdicts(table, path / name)
                return kept
    return None


def _check_verdicts(table: pd.DataFrame, path: Path) -> None:
    """Raise UserError for a table of a version that kept verdicts by their words alone, ValueError for an unknown verdict."""
    for name in table.columns:
        if not str(name).endswith("verdict"):
            continue
        if f"{name}{KEY}" not in table:
            raise UserError(f"{path}: kept by another version of newdawn (no column {name}{KEY}); {AGAIN}")
        for key in table[f"{name}{KEY}"].dropna().unique():
            if key and key not in KEYS:
                raise ValueError(f"{name}{KEY}: {key!r} is no verdict")


def _findings(path: Path) -> KeptAnswer:
    content = json_in(path, WHAT, AGAIN)
    if content["version"] != VERSION:
        raise UserError(f"{path}: kept by another version of newdawn ({content['version']}); expected {VERSION}; {AGAIN}")
    content = opened(path, content, WHAT, AGAIN)
    tables = {name: _read_table(path.with_name(f"{name}.csv"), content.get("files")) for name in content["tables"]}
    parts = {key: content[key] for key in ("command", "title", "facts", "sentences", "box", "line", "words", "numbers")}
    _check_kinds(parts)
    return KeptAnswer(tables=tables, **parts)


def _check_kinds(parts: Mapping[str, Any]) -> None:
    """Raise ValueError for a part of an answer with a wrong type."""
    for key in ("command", "title", "box", "line"):
        if type(parts[key]) is not str:
            raise ValueError(f"{key}: expected a text")
    for key in ("facts", "words"):
        if not all(type(word) is str for word in dict(parts[key]).values()):
            raise ValueError(f"{key}: expected texts by name")
    if not all(type(number) in (int, float) for number in dict(parts["numbers"]).values()):
        raise ValueError("numbers: expected numbers by name")
    if not isinstance(parts["sentences"], list) or not all(type(word) is str for word in parts["sentences"]):
        raise ValueError("sentences: expected a list of texts")
    if parts["box"] not in names.BOXES:
        raise ValueError(f"box: expected one of {', '.join(names.BOXES)}")


def _experiment(path: Path) -> KeptAnswer:
    """Return the answer of `newdawn experiment`."""
    content, effects = read(path, WHAT, AGAIN, unsealed=True), path.with_name(EFFECTS_FILE)
    if not effects.is_file():
        raise UserError(f"{effects}: is missing; the experiment's command, given again, writes it")
    kind, plan, rules = content["experiment"]["kind"], content["plan"], content["ruleset"]
    facts = facts_of(rules, [plan["players"]], plan["seed"], plan["strategies"]) | {
        "leaders": ", ".join(plan["leaders"]),
        "given at the beginning of round": str(content["experiment"]["round"]),
        "engine": content["engine"],
    }
    varied = "leader's ability" if kind == "leader" else kind
    title = f"Experiment: what a {varied} is worth"
    beside = _effects(path)
    tables = {EFFECTS_TABLE: _read_table(effects, beside.get("files"))}
    facts["compared"] = f"{counted(int(tables[EFFECTS_TABLE]['n'].max()), 'pair')} of games each"
    box, line = rules.get("box", names.BOXES[0]), str(beside.get("line", ""))
    return KeptAnswer("experiment", title, facts, tables, box=box, line=line, words={"kind": kind})


def _ladder(path: Path) -> KeptAnswer:
    """Return the ratings of `newdawn ladder`."""
    content = read(path, WHAT, AGAIN, unsealed=True)
    source = content.pop("provenance")
    facts = facts_of(source["ruleset"], [source["players"]], source["seed"], source["strategies"])
    facts |= {"compared": counted(int(source["games"]), "game"), "engine": source["engine"]}
    tables = {name: pd.DataFrame(rows) for name, rows in content.items() if rows}
    title = "Ladder of strategies" if path.stem == MIXED else "One strategy against copies of another"
    return KeptAnswer(path.stem, title, facts, tables, box=source["ruleset"].get("box", names.BOXES[0]), line=source["command"])


def facts_of(ruleset: Mapping[str, Any], players: Sequence[int], seed: int, strategies: Sequence[str]) -> dict[str, str]:
    """Return the provenance of games, as texts by name."""
    return {
        "rules": f"{ruleset['name']}, SHA-256 {ruleset['digest']}", "players": listed([str(count) for count in players]),
        "seed": str(seed), "strategies": ", ".join(dict.fromkeys(strategies)),
    }  # fmt: skip


def _effects(path: Path) -> Mapping[str, Any]:
    """Return the content kept beside an experiment's effects (digests of their files, the command line); {} of old versions."""
    beside = path.with_name(EFFECTS)
    return dict(read(beside, WHAT, AGAIN)) if beside.is_file() else {}


def _read_table(path: Path, digests: Mapping[str, str] | None) -> pd.DataFrame:
    """Return the table of a CSV file, checked against its digest, if there is one."""
    content = content_of(path, expected=WHAT)
    if digests is not None:
        check_digest(path, digest_of(content), digests[path.name], AGAIN)
    table: pd.DataFrame = csv_of(content, path, WHAT, AGAIN)
    return table


# --- The games of an experiment

BATCH_FILE = re.compile(r"pairs-(\d{10,})-(\d{5,})\.parquet")


def batches_in(out: Path, games: int) -> list[tuple[int, int, Path]]:
    """Return first game, number of games and file of each finished batch of an experiment that lies within this many games."""
    batches = []
    for path in sorted(out.glob("pairs-*.parquet")):
        name = BATCH_FILE.fullmatch(path.name)
        if name and int(name[1]) < games:
            batches.append((int(name[1]), int(name[2]), path))
    return batches


def games_in(out: Path) -> int:
    """Return how many games of an experiment are finished in its folder; 0 of any other file or folder."""
    return sum(n for _, n, _ in batches_in(out, 2**62))
