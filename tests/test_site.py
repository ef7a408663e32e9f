"""Pages of the documentation's site that .site/hooks.py generates."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from newdawn.simulator.rules.edit import phrases

pytest.importorskip("mkdocs", reason="pip install -e '.[docs]'")
HOOKS = Path(__file__).resolve().parent.parent / ".site" / "hooks.py"


@pytest.fixture(scope="module")
def words():
    spec = importlib.util.spec_from_file_location("hooks", HOOKS)
    assert spec
    assert spec.loader
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return hooks.synonyms()


def test_the_site_finds_what_rules_list_understands(words):
    headings = [word for heading in re.findall(r"^## (.*)$", words, re.M) for word in heading.split(", ")]
    assert headings == list(phrases())
    assert {phrase.note for phrase in phrases().values()} - {""} <= set(words.splitlines())


def test_words_lead_to_keys(words):
    gold = words.partition("## gold, money")[2].partition("\n## ")[0]
    assert "There is no money in the game" in gold
    assert "- `" in gold
    assert "more: `newdawn rules list gold`" in gold
    without = [part for part in words.split("\n## ")[1:] if "- `" not in part and not part.partition("\n")[2].strip()]
    assert without == []
