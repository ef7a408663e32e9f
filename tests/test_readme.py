"""README and documentation say what is true: tables are the schema's, house rules are understood, links lead somewhere."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import packaged_names
from newdawn.simulator.runs import run_folder

ROOT = Path(__file__).resolve().parent.parent
README, DOCS = ROOT / "README.md", ROOT / "docs"
TABLES, HOUSE_RULES = DOCS / "reference" / "tables.md", DOCS / "how-to" / "house-rules.md"
GENERATED = {
    "../house_rules.schema.json", "../reference/words.md", "charts/leaders.svg", "gallery.md", "reference/commands.md",
    "reference/functions.md",
}  # fmt: skip  # with the site
LINES = 200  # that a newcomer reads


def test_the_readme_is_short():
    assert len(README.read_text("utf-8").splitlines()) <= LINES


def test_tables_are_those_of_the_schema():
    """NEWDAWN_WRITE_README=1 pytest tests/test_readme.py writes them anew."""
    tables = run_folder.as_markdown().strip() + "\n"
    if os.environ.get("NEWDAWN_WRITE_README"):
        TABLES.write_text(tables, "utf-8")
    assert TABLES.read_text("utf-8") == tables


def test_the_house_rule_of_the_example_is_understood(tmp_path):
    example = re.search(r"```yaml\n(.*?)```", HOUSE_RULES.read_text("utf-8"), re.DOTALL)
    assert example
    (tmp_path / "mine.yaml").write_text(example[1], "utf-8")
    printed, mine = load_ruleset(), load_ruleset([tmp_path / "mine.yaml"])
    assert mine.digest() != printed.digest()
    assert mine.compile().max_trade == 4


def test_the_packaged_house_rules_are_named():
    text = HOUSE_RULES.read_text("utf-8")
    for name in packaged_names("house rules"):
        assert f"`{name}`" in text, name


@pytest.mark.parametrize("file", [README, ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))], ids=lambda file: file.name)
def test_links_lead_somewhere(file):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", file.read_text("utf-8")):
        if not target.startswith("http") and target not in GENERATED:
            assert (file.parent / target).exists(), target
