"""Figures of the reference results that texts quote are those of results/reference; other measured figures name their command.

NEWDAWN_WRITE_README=1 pytest tests/test_reference_quotes.py writes them anew, after the reference was played again.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "results" / "reference"
README = "README.md"
GUIDE, PLAYERS, TUTORIAL = "CONTRIBUTING.md", "docs/evidence/players.md", "docs/tutorial.md"
WHO_PLAYS = "docs/evidence/who-plays.md"
# Where figures of the reference stand, {so} for each of them.
QUOTES = [
    (README, "Win rates of the eight leaders in {games} games"),
    (GUIDE, "Scythia wins {Scythia_all} of its games"),
    (PLAYERS, "`quick` wins {least} ({least_against}) to {most}% ({most_against}) (n = {n_against} each),"),
    (PLAYERS, "each), {autoplayer}% against the autoplayer, {random_won} against random players (the reference,"),
    (PLAYERS, "Among three random players `quick` leaves {random_unfinished} of {n_against} games unfinished"),
    (PLAYERS, "and takes {random_rounds} rounds in the mean"),
    (WHO_PLAYS, "({games} games each, seed 1;"),
    (WHO_PLAYS, "| Scythia wins | 51.8% | {Scythia}% |"),
    (WHO_PLAYS, "| Japan | 33.0% | {Japan}% |"),
    (WHO_PLAYS, "| America | 20.5% | {America}% |"),
    (WHO_PLAYS, "| Money Grubber is claimed | 34.7% | {Money_Grubber}% |"),
    (WHO_PLAYS, "| Aesthetic | 33.8% | {Aesthetic}% |"),
    (WHO_PLAYS, "| the Colossus is built | 34.7% | {Colossus}% |"),
    (WHO_PLAYS, "| the Great Lighthouse | 33.4% | {Great_Lighthouse}% |"),
]
CLAIMED = "claimed by anyone [95%]"
# A figure with its interval, and what says where it is from: a command, a seed, a file. A section needs one of them.
MEASURED = re.compile(r"\d%? \[[+−-]?\d[\d.]*%?, [+−-]?\d[\d.]*%?\]")
SOURCE = re.compile(r"newdawn \w|python -m\s+newdawn|results/reference|seeds? \d|--seed")


def percent(rate: float | str) -> str:
    return f"{100 * float(rate):.1f}"


def rows(file: str) -> list[list[str]]:
    """Return the cells of the tables of a page of the reference."""
    lines = (REFERENCE / file).read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]


def against() -> dict[str, str]:
    """Return what the page says of the default player against copies of each other one."""
    played = {row[1]: row for row in rows("against.md") if len(row) == 9 and row[0] == "quick"}
    rate = {name: float(row[5].partition("%")[0]) for name, row in played.items()}
    low = rate.keys() - {"planner", "random", "autoplayer"}
    least, most = min(rate[name] for name in low), max(rate[name] for name in low)
    random = played["random"]
    number = f"{sum(int(random[place].replace(',', '') or 0) for place in (3, 8)):,}"  # decided and unfinished
    return {
        "least": f"{least}", "least_against": ", ".join(name for name in played if name in low and rate[name] == least),
        "most": f"{most}", "most_against": ", ".join(name for name in played if name in low and rate[name] == most),
        "n_against": number, "autoplayer": f"{rate['autoplayer']}", "random_rounds": random[7],
        "random_won": "all" if rate["random"] == 100 else f"{rate['random']}%",
        "random_unfinished": "none" if random[8] == "0" else random[8],
    }  # fmt: skip


@cache
def figures() -> dict[str, str]:
    """Return what is quoted of the reference, as it is written."""
    plan = json.loads((REFERENCE / "4p" / "manifest.json").read_text("utf-8"))["plan"]
    found = {"games": f"{plan['games']:,}"} | against()
    with (REFERENCE / "4p" / "leaders.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found[row["leader"]] = percent(row["win_rate"])
            rate, low, high = (percent(row[f"adjusted_rate{end}"]) for end in ("", "_all_low", "_all_high"))
            found[f"{row['leader']}_all"] = f"{rate}% [{low}, {high}]"
    report = rows("4p/report.md")
    width, at = next((len(row), row.index(CLAIMED)) for row in report if CLAIMED in row[:4])
    for name in ("Aesthetic", "Money Grubber"):  # claimed in this share of the games with the card
        found[name.replace(" ", "_")] = next(
            row[at].partition("%")[0] for row in report if len(row) == width and row[1] == name
        )
    for name in ("Colossus", "Great Lighthouse"):  # built in this share of all games
        found[name.replace(" ", "_")] = next(row[6].partition("%")[0] for row in report if len(row) > 9 and row[0] == name)
    return found


def pattern(quote: str) -> re.Pattern[str]:
    """Return what finds a quote with whatever figures, over ends of lines."""
    words = re.sub(r"\\?\{\w+\\?\}", "§", re.escape(quote))
    return re.compile(re.sub(r"(?:\\ )+", r"\\s+", words).replace("§", r"[^()]+?"))


def spaced(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(("file", "quote"), QUOTES, ids=lambda part: part[:30])
def test_figures_quoted_of_the_reference_are_those_of_its_files(file, quote):
    path = ROOT / file
    text, right = path.read_text("utf-8"), quote.format_map(figures())
    found = pattern(quote).findall(text)
    assert found, f"{file} has no more: {quote}"
    if os.environ.get("NEWDAWN_WRITE_README") and spaced(found[0]) != right:
        path.write_text(text.replace(found[0], right), "utf-8")
    assert {spaced(one) for one in found} == {right}


def test_other_figures_are_found_over_ends_of_lines():
    quote = "wins {least} ({least_against}) to {most}%"
    assert pattern(quote).findall("it wins 1.0 (a,\nb) to\n2.0% of") == ["wins 1.0 (a,\nb) to\n2.0%"]
    assert pattern(quote).findall("it wins 1.0 (a,\nb) of") == []
    assert pattern("({games} games each, seed 1;").findall("(9 games, seed 1) and (1,000 games each,\nseed 1;") == [
        "(1,000 games each,\nseed 1;"
    ]


def sections() -> list[tuple[str, str]]:
    """Return the sections of the README and the docs that people write, by file and heading."""
    files = [ROOT / README, *sorted((ROOT / "docs").rglob("*.md"))]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files if path.name != "analysis.md"}
    return [(f"{name}: {part.partition(chr(10))[0]}", part) for name, text in texts.items()
            for part in re.split(r"^(?=#+ )", text, flags=re.M)]  # fmt: skip


def test_measured_figures_name_the_command_or_the_file_that_they_are_from():
    assert [where for where, text in sections() if MEASURED.search(text) and not SOURCE.search(text)] == []
    measured = [where for where, text in sections() if MEASURED.search(text)]
    assert len(measured) > 15


@pytest.mark.soak
def test_the_screen_of_the_readme_is_what_its_first_command_prints(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "125")  # a page has room for so many
    text = (ROOT / README).read_text("utf-8")
    command = re.search(r"newdawn (run .*?) --out", text)
    screen = re.search(r"```text\n(.*?)```", text, re.S)
    assert command
    assert screen
    said = CliRunner().invoke(main, [*shlex.split(command[1]), "--out", str(tmp_path / "first")])
    assert said.exit_code == 0, said.output
    printed = "".join(said.stdout.splitlines(keepends=True)[: screen[1].count("\n")])
    if os.environ.get("NEWDAWN_WRITE_README"):
        (ROOT / README).write_text(text.replace(screen[1], printed), "utf-8")
    assert screen[1] == printed
    first = printed.partition("Scythia ")[2].split()[0]
    assert f"Scythia would win {first} of its games" in text


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.soak
def test_the_table_of_the_tutorial_is_what_its_command_prints(tmp_path, monkeypatch):
    path = ROOT / TUTORIAL
    text = path.read_text("utf-8")
    rule = re.search(r"Save this as `(.*?)`:\n\n```yaml\n(.*?)```", text, re.S)
    command = re.search(r"newdawn (compare printed .* --games \d+)", text)
    quoted = re.search(r"^\| figure .*?(?=\n\n)", text, re.M | re.S)
    assert rule
    assert command
    assert quoted
    monkeypatch.chdir(tmp_path)
    Path(rule[1]).write_text(rule[2], "utf-8")
    said = CliRunner().invoke(main, [*shlex.split(command[1]), "--quiet", "--format", "markdown"])
    assert said.exit_code == 0, said.output
    head, _, *printed = map(cells, (line for line in said.stdout.splitlines() if line.startswith("|")))
    of = {row[0]: dict(zip(head, row, strict=True)) for row in printed}
    shown, under, *lines = quoted[0].splitlines()
    right = [f"| {' | '.join(of[cells(line)[0]][column] for column in cells(shown))} |" for line in lines]
    if os.environ.get("NEWDAWN_WRITE_README"):
        path.write_text(text.replace(quoted[0], "\n".join([shown, under, *right])), "utf-8")
    assert lines == right
