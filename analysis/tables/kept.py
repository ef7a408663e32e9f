"""Tables for reading (text, CSV, Markdown, JSON), and answers kept in a folder."""

from __future__ import annotations

import json
import re
import shlex
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, counted, listed, printable
from ...simulator.keeping import as_text, check_digest, digest_of, opened, read
from ...simulator.ours import check_files, write_files
from ...simulator.reading import content_of, csv_of, json_in, plainly
from ..stats.answer import playable, verdict_words
from .meanings import format_of

# --- Showing a DataFrame
#
# As a table for the eye, as CSV, JSON or Markdown.
#
# A table may be narrowed (`narrow`): it then leaves out what is for a second look (DETAIL), gives up further columns if that
# is not enough for the width (GIVES_WAY), and says which. Figures, intervals, n and marks of small samples always stay; what
# is still too wide, such as a matrix, is continued below under its first column.

FORMATS = ("table", "csv", "json", "markdown")
# How a column is shown `meanings` says. `<name>_low` and `<name>_high` beside any of them are its interval; where it has
# another one that holds for all rows together, `<name>_all_low` and `<name>_all_high`, that is shown: verdicts are read off it.
VERDICT = "verdict"  # of `analysis.stats.answer`: one cell with the games that would decide it, without its certainty
BESIDE_VERDICT = frozenset({"games_fewest", "games_most", "certainty"})
# Columns by their headings: those a narrowed table leaves out, and those that make room in it, the first one first.
DETAIL = frozenset(
    {
        "p", "log odds", "error", "odds ratio", "captures", "round p25", "round p75", "rounds p25", "rounds p75",
        "lead round p25", "lead round p75", "chance first", "chi2", "df",
    }
)  # fmt: skip
GIVES_WAY = (
    "unfinished", "unfinished rate", "cards", "games needed", "pairs needed", "pairing", "not given", "per production",
    "type", "median seen", "era", "p5", "p25", "p75", "p95", "leads in", "copies finish", "fair share", "others rate",
    "expected", "wins", "cost", "revealed", "decided", "rounds median", "claim 5", "claim 4", "claim 3", "rank best",
    "rank worst", "median round", "p adjusted", "p holm", "p (Holm)", "built", "claims", "winner share", "B", "A",
)  # fmt: skip
IN_FAVOUR = {"win rate": "adjusted rate"}  # gives way, too, where the other column is in the table
SHORTEST = 20  # characters of a text that are left on a line if it has to be broken
GAP = 2  # blanks between two columns


class Screen(NamedTuple):
    """What a table is shown on: its width in characters (None: any), and whether every column is wanted."""

    width: int | None = None
    wide: bool = False


def render(frame: pd.DataFrame, how: str, screen: Screen | None = None) -> str:
    """Return the frame as text. CSV and JSON hold every column in full; the other two are rounded for reading.

    A table is narrowed if it is for a screen that does not want every column.
    """
    if how == "csv":
        return frame.to_csv(index=False, lineterminator="\n").rstrip("\n")
    if how == "json":
        return json.dumps(rows_of(frame), indent=1)
    shown = for_reading(frame)
    if how == "markdown":
        return _markdown(shown)
    return _table(shown) if screen is None or screen.wide else narrow(shown, screen.width)


def for_reading(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame as text, rates in per cent, intervals in the column of their figure."""
    columns: dict[str, list[str]] = {}
    records = frame.to_dict("records")
    for name in frame.columns:
        if name.endswith(("_low", "_high")) and name.removesuffix("_low").removesuffix("_high").removesuffix("_all") in frame:
            continue
        if "games_fewest" in frame and name in BESIDE_VERDICT:
            continue
        columns[name.replace("_", " ")] = [_cell(name, row) for row in records]
    if "small sample" in columns and not any(columns["small sample"]):
        del columns["small sample"]
    return pd.DataFrame(columns)


def _cell(name: str, row: dict[Any, Any]) -> str:
    """Return one value as text, with its interval if it has one."""
    value = row[name]
    if name == VERDICT and isinstance(value, str):
        return verdict_words(row)
    if isinstance(value, str):
        return printable(value)  # names of others' files may stand in it
    if isinstance(value, bool | np.bool_):
        return "few" if value else ""
    if pd.isna(value):
        return "-"
    text = _number(name, value)
    kind = "_all" if f"{name}_all_low" in row else ""
    low, high = (row.get(f"{name}{kind}_{end}") for end in ("low", "high"))
    if low is None or pd.isna(low):
        return text
    return f"{text:>6} [{_number(name, low)}, {_number(name, high)}]"


def _number(name: str, value: Any) -> str:
    kind = format_of(name)
    if kind == "rate" or name == "skill":
        return f"{value:.1%}"
    if kind == "points":
        return f"{100 * value if name == 'difference' else value:+.1f}"
    if kind == "p":
        return f"{value:.3f}" if value >= 0.001 else "<0.001"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if kind == "ratio":
        return f"{value:.2f}"
    return f"{value:,.1f}"


def _is_text(column: pd.Series) -> bool:
    return any(value[:1].isalpha() for value in column)


def narrow(shown: pd.DataFrame, width: int | None) -> str:
    """Return the table without what is for a second look and, if there is a width, fitted to it."""
    hidden = [name for name in shown.columns if name in DETAIL or (name == "unfinished" and set(shown[name]) == {"0"})]
    kept = shown.drop(columns=hidden)
    for name in (*GIVES_WAY, *IN_FAVOUR):
        if width is None or _width(kept) <= width:
            break
        if name in kept.columns[1:] and IN_FAVOUR.get(name, name) in kept.columns:
            hidden.append(name)
            kept = kept.drop(columns=name)
    if width is not None and _width(kept) > width:
        kept = _with_short_lines(kept, max(SHORTEST, width // 4))
    text = "\n\n".join(_table(part) for part in _parts(kept, width))
    if not hidden:
        return text
    named = ", ".join(name for name in shown.columns if name in hidden)
    note = f"({counted(len(hidden), 'more column')} with --wide: {named})"
    return f"{text}\n{prose(note, width)}"


def prose(text: str, width: int | None) -> str:
    """Return the text with its lines broken at the width, if there is one."""
    if width is None:
        return text
    broken = (textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""] for line in text.split("\n"))
    return "\n".join("\n".join(lines) for lines in broken)


def _with_short_lines(shown: pd.DataFrame, longest: int) -> pd.DataFrame:
    """Return the table with its long texts broken into lines."""
    return shown.apply(lambda column: column.map(lambda cell: prose(cell, longest)) if _is_text(column) else column)


def _width(shown: pd.DataFrame) -> int:
    """Return the width of the table in characters."""
    return sum(_widths(shown)) + GAP * (len(shown.columns) - 1)


def _widths(shown: pd.DataFrame) -> list[int]:
    return [max(len(line) for cell in (name, *shown[name]) for line in cell.split("\n")) for name in shown.columns]


def _parts(shown: pd.DataFrame, width: int | None) -> list[pd.DataFrame]:
    """Return the table in parts that fit the width, each with the first column and as many of the others as it can take."""
    if width is None or _width(shown) <= width:
        return [shown]
    first, *widths = _widths(shown)
    parts, used = [[0]], first
    for column, wide in enumerate(widths, 1):
        if used + GAP + wide > width and len(parts[-1]) > 1:
            parts.append([0])
            used = first
        parts[-1].append(column)
        used += GAP + wide
    return [shown.iloc[:, part] for part in parts]


def _table(shown: pd.DataFrame) -> str:
    """Return aligned columns, text to the left and numbers to the right; a cell may have several lines."""
    widths, sides = _widths(shown), ["<" if _is_text(shown[name]) else ">" for name in shown.columns]
    lines = []
    for cells in (list(shown.columns), *shown.to_numpy().tolist()):
        for row in zip_longest(*(cell.split("\n") for cell in cells), fillvalue=""):
            padded = (f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True))
            lines.append((" " * GAP).join(padded).rstrip())
    return "\n".join(lines)


def _markdown(shown: pd.DataFrame) -> str:
    rule = ["---" if _is_text(shown[name]) else "---:" for name in shown.columns]
    rows = [list(shown.columns), rule, *shown.to_numpy().tolist()]
    return "\n".join("| " + " | ".join(cell.strip().replace("|", "\\|") for cell in row) + " |" for row in rows)


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as JSON knows them."""
    return [{str(key): _json_value(value) for key, value in row.items()} for row in frame.to_dict("records")]


def _json_value(value: Any) -> Any:
    """Return the value as JSON knows it: NaN becomes null."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value


# --- What commands that play games for a question keep of their answer
#
# `findings.json` and a CSV and a JSON file a table.
#
# `newdawn report` makes a page of such a folder (analysis/report/answered.py), and of what `newdawn experiment`
# and `newdawn ladder` leave, which have files of their own.

FILE = "findings.json"
EXPERIMENT, EFFECTS, LADDERS = "experiment.json", "effects.json", ("ladder.json", "against.json")
WHAT = "what newdawn keeps of an answer"
VERSION = 2  # 1: without digests
READ = (1, VERSION)
AGAIN = "the command that found it, given again, writes it anew"
CHANGES, AGAINST = "changes", "rules compared with"  # a word and a fact of comparisons
CAVEATS = "caveats"  # a word: what must be known of the rules to read the figures right, a line each
NOTES = "notes"  # a word: what must be known of how the games were played, a line each
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
    tables = {name: _read_table(path.with_name(f"{name}.csv"), found.get("files")) for name in found["tables"]}
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
    kept = _effects(path)
    tables = {"effects": _read_table(effects, kept.get("files"))}
    box, line = rules.get("box", names.BOXES[0]), str(kept.get("line", ""))
    return Kept("experiment", title, facts, tables, box=box, line=line, words={"kind": kind})


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


def _effects(path: Path) -> Mapping[str, Any]:
    """Return what is kept beside an experiment's effects: digests of their files, and the command; nothing of old versions."""
    beside = path.with_name(EFFECTS)
    return dict(read(beside, WHAT, AGAIN)) if beside.is_file() else {}


def _read_table(path: Path, digests: Mapping[str, str] | None) -> pd.DataFrame:
    """Return the table of a CSV file, which must have its digest, if there are any."""
    content = content_of(path, expected=WHAT)
    if digests is not None:
        check_digest(path, digest_of(content), digests[path.name], AGAIN)
    found: pd.DataFrame = csv_of(content, path, WHAT, AGAIN)
    return found
