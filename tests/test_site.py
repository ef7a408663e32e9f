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
def hooks():
    spec = importlib.util.spec_from_file_location("hooks", HOOKS)
    assert spec
    assert spec.loader
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return hooks


@pytest.fixture(scope="module")
def words(hooks):
    return hooks.synonyms()


def test_the_gallery_shows_ten_pictures_each_with_its_finding_and_its_command(hooks):
    page = hooks.gallery()
    shown = re.findall(r"^## (.+)\n\n!\[(.+)\]\(charts/([\w-]+)\.svg\)\n\n.*`(newdawn [^`]+)`$", page, re.M)
    assert len(shown) == page.count("\n## ") == 10
    for heading, text, picture, _ in shown:
        assert heading == text
        assert (hooks.REFERENCE / f"{picture}.svg").is_file()
        assert re.search(r"\d|more|less|differ", heading), "a finding, not a subject"


def test_the_start_page_has_a_picture_search_and_the_lab():
    first = (HOOKS.parent.parent / "docs" / "index.md").read_text("utf-8").partition("| you want to")[0]
    assert "charts/leaders.svg" in first
    assert 'for="__search"' in first
    assert 'href="lab/"' in first
    steps = (HOOKS.parent.parent / ".ci" / "run").read_text("utf-8")
    assert re.search(r"newdawn web build .*/lab\b", steps), "the site's step builds it there"


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
