"""What users read is written as docs/contributing/writing.md says: retired phrases stay out."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
RETIRED = re.compile(
    r"\bhangs? on\b|\bin (the|these|the same) hands( of)?\b|\bnot told\b|\btold (apart|from)\b|\btell \w+ apart\b"
    r"|\bfound where nothing is\b|\bother can be first\b|\bnot shown[: ]+that\b|\bnot known with these games\b"
    r"|\bcannot be told from\b"
    r"|\bgames do not tell\b|\bways? of playing\b(?! (it|a turn|its turn|the turn)\b)|\bforetells?\b"
    r"|\bis not possible; expected\b|\bnames no place\b|\bwhat comes of\b|\bheld? .* against the simulation\b"
    r"|\b(the same command|newdawn resume[^`]*`) goes on\b|\bwhatever it comes\b",
    re.IGNORECASE,
)
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
CODE = [path for room in ("analysis", "scripts", "simulator", "strategies") for path in (ROOT / room).rglob("*.py")]
TEMPLATES = [*(ROOT / "analysis").rglob("*.j2"), *(ROOT / "analysis").rglob("*.js"), *(ROOT / "simulator").rglob("*.js")]
TRANSLATED = {
    re.compile(entry["pattern"]): entry["better"]
    for entry in yaml.safe_load((ROOT / "tests" / "translated_phrases.yaml").read_text("utf-8"))
}
STYLE = ROOT / "docs" / "contributing" / "writing.md"  # names them


@cache
def texts(path: Path) -> list[str]:
    """Return what a Python file may print: its texts, but for docstrings of what is private.

    Of the rooms where figures are made and told also docstrings and comments: people read them to know what a figure means.
    """
    if path.is_relative_to(ROOT / "analysis") or path.is_relative_to(ROOT / "scripts"):
        return path.read_text("utf-8").splitlines()
    tree = ast.parse(path.read_text("utf-8"))
    private = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and isinstance(node.body[0], ast.Expr)
        if not (isinstance(node, ast.FunctionDef) and "command" in ast.dump(ast.Module(node.decorator_list, [])))
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in private
    ]


@pytest.mark.parametrize("path", [path for path in PAGES if path != STYLE], ids=lambda path: path.name)
def test_pages_are_free_of_retired_phrases(path):
    assert [line for line in path.read_text("utf-8").splitlines() if RETIRED.search(line)] == []


def test_programs_and_templates_are_free_of_retired_phrases():
    found = {path: texts(path) for path in CODE} | {path: path.read_text("utf-8").splitlines() for path in TEMPLATES}
    assert [f"{path.relative_to(ROOT)}: {text}" for path, said in found.items() for text in said if RETIRED.search(text)] == []


def test_a_retired_phrase_is_noticed():
    for said in (
        "36 of 51 figures hang on the players", "Not shown: that any leader wins", "in the same hands",
        "cannot be told from who played them", "Leaders by way of playing", "28 are not known with these games",
    ):  # fmt: skip
        assert RETIRED.search(said), said
    assert not RETIRED.search("who is told that a change hangs")


def explained(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file's docstrings and comments, with their numbers."""
    source = path.read_text("utf-8")
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node, clean=False) is not None:
            said = node.body[0]
            yield from ((number, lines[number - 1]) for number in range(said.lineno, said.end_lineno + 1))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def better(line: str) -> list[str]:
    """Return what to write instead of the translated constructions of a line."""
    return [f"{found[0]!r}: write {instead!r}" for pattern, instead in TRANSLATED.items() if (found := pattern.search(line))]


def test_docstrings_and_comments_read_as_if_written_in_english():
    rooms = [path for room in ("analysis", "scripts") for path in sorted((ROOT / room).rglob("*.py"))]
    assert [
        f"{path.relative_to(ROOT)}:{number}: {advice}"
        for path in rooms for number, line in explained(path) for advice in better(line)
    ] == []  # fmt: skip


def test_a_translated_construction_is_noticed():
    assert len(TRANSLATED) >= 30
    assert better("Return by leader the sentences.") == ["'Return by ': write 'Return, by leader, … (set off by commas)'"]
    for said in ("a row a leader", "raise UserError if there is none such", "of them each", "of games with so many players"):
        assert better(said), said
    assert better("so many games that it ends; the game goes on to the end") == []
