"""A report to hand over: films of typical games, the page as PDF, and all of it as one zip file."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import yaml

from ...simulator.errors import UserError
from ...simulator.file_ownership import write_files
from ...simulator.rules.ruleset_contents import slug
from ..tables.read import Run

PDF, ZIP, RULES = "report.pdf", "report.zip", "rules.yaml"
WITH_GAMES = "report-with-games.html"  # analysis/web/onefile.py
ONE_PAGE, ONE_PAGE_PDF = "one-page.html", "one-page.pdf"  # one_page.py
FILES = (PDF, ZIP, RULES, WITH_GAMES, ONE_PAGE, ONE_PAGE_PDF)
BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)  # fmt: skip
SWITCHES = ("headless", "disable-gpu", "no-first-run", "no-pdf-header-footer")  # of the browser
LONGEST = 120  # seconds to print
EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every file in a zip file, so that the same report gives the same file


def film_file(leader: str) -> str:
    """Return the name of the file beside the page that shows a game of a leader."""
    return f"game-of-{slug(leader).replace('_', '-')}.html"


def browser(option: str = "--pdf") -> str:
    """Return the browser that prints pages; raise UserError, about this option, if there is none."""
    program = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if program is None:
        raise UserError(
            f"{option}: no Chromium, Chrome or Edge is installed here, which would print the page; install one, or open the "
            "page in any browser and print it"
        )
    return program


def write_pdf(page: Path, program: str, name: str = PDF) -> Path:
    """Print a page as a PDF of this name beside it; return the PDF's path."""
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / name
        root = hasattr(os, "geteuid") and os.geteuid() == 0  # browsers run as root only without a sandbox
        switches = [*SWITCHES, f"user-data-dir={folder}/user", f"print-to-pdf={pdf}", *(["no-sandbox"] if root else [])]
        command = [program, *(f"--{switch}" for switch in switches), page.resolve().as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=LONGEST, check=True)
            content = pdf.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise UserError(f"--pdf: {program} could not print {page}: {error}; print the page in a browser instead") from None
    write_files(page.parent, {name: content}, "report")
    return page.parent / name


def rules_of(run: Run) -> str:
    """Return the rules that the games were played by, in full, as YAML."""
    data = run.manifest.get("ruleset", {}).get("data", {})
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)


def write_zip(files: Iterable[Path], folder: Path, name: str) -> Path:
    """Write the files of a report into one zip file in their folder, under a folder of that name; return it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}", EPOCH)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    write_files(folder, {ZIP: packed.getvalue()}, "report")
    return folder / ZIP
