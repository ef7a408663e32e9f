"""Pages of the site that are generated: commands, functions of `analysis`, words for house rules, results, charts."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
from mkdocs.structure.files import File, Files

from newdawn.analysis import FUNCTIONS
from newdawn.analysis.report.page import GAMES, PARTS
from newdawn.scripts.house.types import lay_out
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset, schema
from newdawn.simulator.rules.edit import KeySearch, keys, phrases

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results" / "reference"
REFERENCE = RESULTS / "4p"
COMMANDS = """# Commands

Generated from the program: what `newdawn COMMAND --help` says, on one page.

::: mkdocs-click
    :module: newdawn.scripts.cli.main
    :command: main
    :prog_name: newdawn
    :depth: 1
    :style: table
"""


RESULTS_HEADING = """# Reference results

Generated from `results/reference`, which `python -m newdawn.scripts.checks.play_reference` plays and writes
([how](../running.md#the-reference-results)); the report of each run lies there as text. Win rates are those at balanced tables.
Their intervals hold for all leaders of a table together (95%). All of it holds for these players.
"""

SYNONYMS_HEADING = """# House rules by other games' words

Generated from the words that `newdawn rules list` understands, so that the search of this site finds them, too: what a word
of other games means here, and which keys of a [house rule](../how-to/house-rules.md) it is about.
"""
KEYS_SHOWN = 5  # of a word


def on_startup(command: str, dirty: bool) -> None:
    """Lay the sources out under their own name, for the page of functions, before plugins look for them."""
    lay_out(ROOT, ROOT / "build" / "sources")


def functions() -> str:
    """Return the page of the functions of `newdawn.analysis`, by room and module."""
    lines = ["# Functions", "", "Generated from the program. `from newdawn import analysis` offers all of these; the columns"]
    lines += ["of their tables are listed under [Columns and intervals](../analysis.md)."]
    module = ""
    for name, its in FUNCTIONS.items():
        if its != module:
            lines += ["", f"## newdawn.analysis.{its}"]
            module = its
        lines += ["", f"::: newdawn.analysis.{its}.{name}"]
    return "\n".join(lines) + "\n"


def plan(folder: Path) -> dict[str, Any]:
    """Return the plan of a run that is kept there."""
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))["plan"]
    return found


def results() -> str:
    """Return the page of the reference results: leaders' win rates for each number of players, ladders."""
    lines = [RESULTS_HEADING]
    for box in names.BOXES:
        folder = RESULTS / ("" if box == names.BOXES[0] else box)
        lines += [f"## {GAMES[box]}", ""]
        for run in sorted(folder.glob("?p"), key=lambda run: (run.name != "4p", run.name)):
            of = plan(run)
            lines += [f"### {of['players']} players", "", f"{of['games']:,} games of {', '.join(of['strategies'])}.", ""]
            lines += ["| leader | n | win rate [95% all] | verdict |", "|---|---:|---:|---|"]
            for row in pd.read_csv(run / "leaders.csv").to_dict("records"):
                rate, low, high = (100 * row[f"adjusted_rate{end}"] for end in ("", "_all_low", "_all_high"))
                lines += [f"| {row['leader']} | {row['n']:,} | {rate:.1f}% [{low:.1f}, {high:.1f}] | {row['verdict']} |"]
            lines += [""]
        for ladder in ("ladder", "against"):
            lines += [*deeper(deeper((folder / f"{ladder}.md").read_text("utf-8").splitlines())), ""]
    return "\n".join(lines) + "\n"


def deeper(lines: list[str]) -> list[str]:
    """Return the lines of a page with its headings a step deeper."""
    return ["#" + line if line.startswith("#") else line for line in lines]


def synonyms() -> str:
    """Return the page of words from other games: a heading for those of one meaning, its note, and the keys it is about."""
    alike: dict[int, list[str]] = {}
    for word, phrase in phrases().items():
        alike.setdefault(id(phrase), []).append(word)
    listed = {box: keys(load_ruleset(box=box)) for box in names.BOXES}
    lines = [SYNONYMS_HEADING]
    for words in alike.values():
        lines += [f"## {', '.join(words)}", "", phrases()[words[0]].note, ""]
        box, found = next(
            ((box, found) for box, its in listed.items() if (found := KeySearch(words[0]).among(its))), (names.BOXES[0], [])
        )
        lines += [f"- `{key.path}`{f': {key.text}' if key.text else ''}" for key in found[:KEYS_SHOWN]]
        if len(found) > KEYS_SHOWN:
            more = f"newdawn rules list {words[0]}{'' if box == names.BOXES[0] else f' --box {box}'}"
            lines += [f"- and {len(found) - KEYS_SHOWN} more: `{more}`"]
        lines += [""]
    return "\n".join(lines)


# The gallery's pictures, the best first, and the command that draws each.
REPORT, WAYS = "newdawn report results/first", "newdawn ways --strategies quick,thinker,conqueror"
PICTURES = {
    "leaders": REPORT, "wonders": REPORT, "leaders-agendas": REPORT, "timing": REPORT, "length": REPORT, "card-sets": REPORT,
    "predictability": REPORT, "boards-difference": REPORT, "ways-leaders": WAYS, "ways-wonders": WAYS,
}  # fmt: skip
TITLE = re.compile(r"<title[^>]*>([^<]+)</title>")


def finding(picture: str) -> str:
    """Return what a chart of the reference run says: its title."""
    title = TITLE.search((REFERENCE / f"{picture}.svg").read_text("utf-8"))
    assert title, f"{picture}.svg has no title"
    return html.unescape(title[1])


def gallery() -> str:
    """Return the page of the best charts, each with its finding and its command."""
    games = f"{plan(REFERENCE)['games']:,}"
    captions = {chart.key: chart.caption for part in PARTS for chart in part.charts}
    lines = ["# Gallery", "", f"Drawn from {games} four-player games of the printed game, as one strategy, `quick`, plays it:"]
    lines += [
        "`newdawn run --players 4 --games 100000 --out results/first`. A report has some thirty charts; these are ten of them."
    ]
    for picture, command in PICTURES.items():
        said = finding(picture)
        lines += [
            "",
            f"## {said}",
            "",
            f"![{said}](charts/{picture}.svg)",
            "",
            f"{captions.get(picture, '')} `{command}`".strip(),
        ]
    return "\n".join(lines) + "\n"


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages, the charts they show, and the schema of house rules for editors."""
    pages = {"reference/commands.md": COMMANDS, "reference/functions.md": functions(), "gallery.md": gallery()}
    pages["evidence/reference.md"] = results()
    pages["reference/words.md"] = "---\nhide: [toc]\n---\n\n" + synonyms()
    pages[schema.FILE] = json.dumps(schema.schema(), ensure_ascii=False)
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    for chart in sorted(REFERENCE.glob("*.svg")):
        files.append(File.generated(config, f"charts/{chart.name}", abs_src_path=str(chart)))
    return files
