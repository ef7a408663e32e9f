"""A reader who knows the game and plain English has no word of a first screen to guess: it is everyday, or explained there."""

from __future__ import annotations

import html as markup
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from test_report import Known
from test_sentences_of_answers import differences

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.report import answer_page
from newdawn.analysis.report.first_screen import first
from newdawn.analysis.report.page import GAMES, PARTS, Report, html, worked_out
from newdawn.analysis.report.provenance import Provenance
from newdawn.analysis.tables.kept_answers import KeptAnswer, open_kept
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.show import subjects
from newdawn.strategies.registry import STRATEGIES

HERE = Path(__file__).parent
REFERENCE = HERE.parents[1] / "results" / "reference" / "goals"
EVERYDAY = set((HERE / "everyday_words.txt").read_text("utf-8").split())
# Of the rulebook: what players say at the table.
GAME = set((HERE / "game_words.txt").read_text("utf-8").split())
GUESSED = 1  # words of a screen that are neither


def words(text):
    return [word.lower() for word in re.findall(r"[A-Za-z]+(?:['’-][A-Za-z]+)*", text)]


def named():
    """The words of all names of the game, and of strategies."""
    found = {word for box in names.BOXES for subject in subjects(load_ruleset(box=box).data) for word in words(subject.name)}
    return found | {word for name in (*GAMES.values(), *(one.name for one in STRATEGIES)) for word in words(name)}


def screen_of(page):
    """Return the text of a page's first screen without commands and code, and the terms that it explains."""
    text = page[page.index('<section id="first"') : page.index("</section>")]
    terms = [*re.findall(r"<dt>(.*?)</dt>", text), *re.findall(r'<dt class="\w+">(.*?)</dt><dd>.*?class="meant"', text)]
    # A paragraph of the explanations that begins with a word and a colon explains it, too.
    terms += re.findall(r"(?:^|[.>] )(\w[\w ]*): ", " ".join(re.findall(r"<dd>(.*?)</dd>", text[text.index('"meanings"') :])))
    plain = re.sub(r"<(pre|code|title|style)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return markup.unescape(re.sub(r"<[^>]+>", " ", plain)), {word for term in terms for word in words(markup.unescape(term))}


def run_with(strength, games):
    source = Source(Known(np.asarray(strength, float), games=games))
    keys = ("leaders", "order", "leaders-by-card", "card-sets")
    sections = worked_out([part for part in PARTS if part.key in keys], source)
    frames = {section.part.key: section.frame for section in sections if section.frame is not None}
    return Report("A run", "games", sections, [], first(frames, source), Provenance({}, [], [], {}))


def compared():
    kept = KeptAnswer("compare", "B against A", {"strategies": "planner", "players": "4"},
                      {"differences": differences(1, 3000)}, words={"a": "printed", "b": "mine"},
                      line="newdawn compare printed mine.yaml --games 3000")  # fmt: skip
    return answer_page.build(kept, Path("x"))


SCREENS = {
    "unbalanced": lambda: run_with([1.0, 0.0, 0.0, 0.0, 0.0, -0.6, 0.0, 0.2], 6000),
    "balanced": lambda: run_with(np.zeros(8), 40_000), "few games": lambda: run_with(np.zeros(8), 400), "compare": compared,
    "goals": lambda: answer_page.build(open_kept(REFERENCE / "balanced_base_game"), Path("x")),
    "goals of the box": lambda: answer_page.build(open_kept(REFERENCE / "terra_incognita_4p"), Path("x")),
}  # fmt: skip


@cache
def screen(name):
    """Return a page, and its first screen as `screen_of` does."""
    report = SCREENS[name]()
    page = html(report)
    return report, page, screen_of(page)


@pytest.mark.parametrize("name", SCREENS)
def test_no_word_has_to_be_guessed(name):
    _, _, (text, explained) = screen(name)
    known = EVERYDAY | GAME | named() | explained
    guessed = sorted({word for word in words(text) if word.removesuffix("'s").removesuffix("’s") not in known})
    assert len(guessed) <= GUESSED, guessed


@pytest.mark.parametrize("name", SCREENS)
def test_the_verdict_comes_first_in_one_sentence(name):
    report, page, (said, _) = screen(name)
    assert 3 <= len(report.first.headline.split()) <= 25
    text = page[page.index('<section id="first"') :]
    assert text.index('class="headline"') < text.index("<dl") < text.index("How sure") < text.index('class="meanings"')
    assert " docs/" not in said
