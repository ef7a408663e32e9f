"""The README says what is true: its commands exist, its tables are those of the schema, its house rule is understood."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from newdawn.scripts.cli.main import COMMANDS
from newdawn.simulator.batch import schema
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.loading.load import packaged_names

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"


@pytest.fixture(scope="module")
def text():
    return README.read_text("utf-8")


def test_every_command_is_mentioned(text):
    for name in COMMANDS:
        assert f"newdawn {name}" in text or f"`{name} DIR`" in text, name


def test_tables_are_those_of_the_schema(text):
    """NEWDAWN_WRITE_README=1 pytest tests/test_readme.py writes them anew."""
    tables = schema.as_markdown().strip() + "\n"
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    if os.environ.get("NEWDAWN_WRITE_README"):
        README.write_text(text[:start] + tables + text[end:], "utf-8")
        return
    assert text[start:end] == tables


def test_the_house_rule_of_the_example_is_understood(text, tmp_path):
    example = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert example
    (tmp_path / "mine.yaml").write_text(example[1], "utf-8")
    printed, mine = load_ruleset(), load_ruleset([tmp_path / "mine.yaml"])
    assert mine.digest() != printed.digest()
    assert mine.compile().max_trade == 4


def test_the_packaged_house_rules_are_named(text):
    for name in packaged_names("house rules"):
        assert f"`{name}`" in text, name


def test_links_lead_somewhere(text):
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("http"):
            assert (README.parent / target).exists(), target
