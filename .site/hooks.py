"""Pages of the site that are generated from the program: commands, functions of `analysis`, the gallery of charts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from newdawn.analysis import FUNCTIONS
from newdawn.analysis.report.subjects import PARTS
from newdawn.scripts.house.types import lay_out

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "results" / "reference" / "4p"
COMMANDS = """# Commands

Generated from the program: what `newdawn COMMAND --help` says, on one page.

::: mkdocs-click
    :module: newdawn.scripts.cli.main
    :command: main
    :prog_name: newdawn
    :depth: 1
    :style: table
"""


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


def gallery() -> str:
    """Return the page of the charts of a report, those of the reference run of four players."""
    lines = ["# Gallery of charts", "", "The charts of `newdawn report`, drawn from a million four-player games of the printed"]
    lines += ["game. Each is a function of `newdawn.analysis.plots` that draws a DataFrame on axes of yours."]
    for part in PARTS:
        for chart in part.charts:
            if (REFERENCE / f"{chart.key}.svg").is_file():
                lines += ["", f"## {chart.title}", "", f"![{chart.title}](charts/{chart.key}.svg)", "", chart.caption]
    return "\n".join(lines) + "\n"


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages and the charts they show."""
    pages = {"reference/commands.md": COMMANDS, "reference/functions.md": functions(), "gallery.md": gallery()}
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    for chart in sorted(REFERENCE.glob("*.svg")):
        files.append(File.generated(config, f"charts/{chart.name}", abs_src_path=str(chart)))
    return files
