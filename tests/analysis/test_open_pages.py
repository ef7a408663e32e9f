"""What is open by itself on the page of each kind of answer, and what of it is printed: counted in a browser."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from in_browser import needs_browser, opened
from plays.test_sentences_of_plays import tables as tables_of_plays
from test_report import MOST_WORDS
from test_sentences_of_every_answer import ANSWERS, answered
from test_table_sizes import comparison
from test_variants import race_of

from newdawn.analysis.questions import plays, table_sizes, variants
from newdawn.analysis.questions.table_sizes import answer_of
from newdawn.analysis.report import answer_page, one_page, page
from newdawn.analysis.tables.kept_answers import KeptAnswer, open_kept

REFERENCE = Path(__file__).parents[2] / "results" / "reference" / "goals" / "balanced_base_game"
WHO = {"players": "4", "strategies": "planner"}


def at_two_tables(command):
    found = answer_of({3: comparison(0.5, 0.1, 1, 2_000), 4: comparison(0.5, 0.5, 2, 2_000)})
    return KeptAnswer(command, "B against A", WHO | {"players": "3 and 4"}, found)


def of_plays():
    frames = tables_of_plays(1)[0]
    return KeptAnswer(plays.COMMAND, "People", WHO, frames, [said.text for said in plays.from_tables(frames)])


ELSEWHERE = {
    "move": lambda: replace(answered("ban", 1, 400), command="move"),
    "goals": lambda: open_kept(REFERENCE),
    "plays compare": of_plays,
    variants.COMMAND: lambda: KeptAnswer(
        variants.COMMAND, "A and B", WHO, {variants.TABLE: race_of((0.5, 0.3, 0.1), 2_000, 3).frame}
    ),
    **{command: partial(at_two_tables, command) for command in table_sizes.COMMANDS},
}  # fmt: skip


def test_every_kind_of_answer_is_counted():
    assert set(ANSWERS) | set(ELSEWHERE) == set(answer_page.PAGES)


@pytest.fixture(scope="module")
def browser():
    with opened() as driver:
        yield driver


SEEN = """return [...document.querySelectorAll(arguments[0])].filter(one => one.getClientRects().length && one.checkVisibility(
    {contentVisibilityAuto: true, visibilityProperty: true})).map(one => one.dataset.key || one.innerText)"""


@needs_browser
@pytest.mark.parametrize("command", [*ANSWERS, *ELSEWHERE])
def test_little_is_open_and_what_is_printed_answers_the_question(command, browser, tmp_path, monkeypatch):
    kept = ELSEWHERE[command]() if command in ELSEWHERE else answered(command, 1, 400)
    report, draw = answer_page.build(kept, Path("x")), page._picture

    def drawn(chart, frame):  # what is folded need not be drawn
        return (
            draw(chart, frame) if chart.key == report.first.chart else page.Picture(chart.key, chart.title, chart.caption, "")
        )

    monkeypatch.setattr(page, "_picture", drawn)
    report = replace(report, handout=one_page.fragment(one_page.of_answer(kept, report)))
    (tmp_path / "report.html").write_text(page.html(report), "utf-8")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen"})
    browser.get((tmp_path / "report.html").as_uri())
    assert len(browser.execute_script("return document.body.innerText").split()) <= MOST_WORDS
    assert browser.execute_script(SEEN, "details.part") == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    # The tables of what is shown are printed, and that of the first picture, whatever it shows.
    printed = browser.execute_script(SEEN, "details.part table")
    assert printed
    assert set(printed) == report.bearing
    assert len([section for section in report.sections if section.part.key in printed and not section.shows]) <= 1
    for key in printed:
        assert browser.execute_script(SEEN, f"table[data-key='{key}'] tbody tr"), key
    for step in browser.execute_script(SEEN, ".steps li"):
        assert "newdawn " in step or len(step.split("?")[-1].split()) > 3, step
    # No line on paper stands for what only a click would show.
    assert browser.execute_script(SEEN, ".more:not(.meant-here) > summary") == []
