"""Asking in the page: examples, addresses, files of house rules, Back, the list of questions, a page closed in mid-play."""

import json
import re
from pathlib import Path

import pytest
import yaml
from in_browser import needs_browser
from pages import STATIC, needs_node, node, rows_of_form, served, write_site
from steps import OVER, change, click, open_page, play, put, size, text, until
from test_web_page import BOX, CULTURE, asked, other

import newdawn
from newdawn.analysis.web.page_texts import words

HOUSE = sorted((Path(newdawn.__file__).parent / "simulator" / "data" / "house_rules").glob("*.yaml"))
HEADLINE = "return document.querySelector('#first h2')?.innerText ?? ''"


def place(browser, selector):
    script = "const { top, bottom } = document.querySelector(arguments[0]).getBoundingClientRect(); return [top, bottom]"
    return browser.execute_script(script, selector)


@needs_browser
def test_on_a_phone_examples_and_play_are_in_reach_and_the_answer_comes_into_view(browser, address):
    size(browser, 390, height=844)
    try:
        open_page(browser, address, "#games=200")
        for button in ("#example-0", "#example-1", "#example-2", "#play"):
            top, bottom = place(browser, button)
            assert 0 <= top < bottom <= 844, button
        click(browser, "example-1")
        until(browser, OVER)
        top, bottom = place(browser, "#first h2")
        assert 0 <= top < bottom <= 844
    finally:
        size(browser, 1400)


@needs_browser
def test_an_example_plays_at_once_and_its_headline_is_of_what_it_changes(browser, address):
    open_page(browser, address, "#games=200")
    click(browser, "example-1")
    until(browser, OVER)
    headline = browser.execute_script(HEADLINE)
    assert "Petra's build rate" in headline
    assert text(browser, "first").startswith("Petra: cost 7 → 5 · ")
    assert "weaker than quick, which builds world wonders otherwise and wins " in text(browser, "who")


@needs_browser
def test_good_players_stand_beside_the_figures_of_the_printed_game_alone(browser, address):
    heads = "return [...document.querySelectorAll('#part-leaders thead th')].map(one => one.innerText)"
    for question, there in (("#games=200", True), ("#games=200&compare=no&rule.wonders.petra.cost=5", False)):
        open_page(browser, address, question)
        play(browser)
        assert any(head.startswith("good players") for head in browser.execute_script(heads)) == there


@needs_browser
def test_back_goes_through_the_questions_and_the_kept_answers_are_a_list(browser, address):
    open_page(browser, address)
    put(browser, "games", 120)
    click(browser, "example-1")
    until(browser, OVER)
    browser.find_element("id", "look").clear()
    browser.find_element("id", "look").send_keys("rome tokens")
    change(browser, CULTURE, 3)
    click(browser, "play")
    until(browser, f"{OVER} && document.querySelector('.asked')?.innerText.startsWith('Petra')")
    browser.back()
    until(browser, f"{OVER} && document.querySelector('.asked')?.innerText.startsWith('Petra: cost 7 → 5 ·')")
    browser.back()
    until(browser, "return document.getElementById('example-0')?.checkVisibility()")
    asked_before = until(browser, "return [...document.querySelectorAll('#kept a')].map(one => one.innerText)")
    assert len(asked_before) == 2
    assert all(words.startswith("Petra: cost 7 → 5") for words in asked_before)
    assert "120 games. " in text(browser, "kept")
    browser.find_element("partial link text", "Rome").click()
    until(browser, f"{OVER} && document.querySelector('.asked')?.innerText.includes('Rome')")
    browser.back()
    until(browser, "return document.getElementById('example-0')?.checkVisibility()")
    click(browser, "forget")
    until(browser, "return document.getElementById('kept').hidden")


@needs_browser
def test_a_page_that_is_loaded_again_in_mid_play_has_lost_no_game_that_it_told_of(browser, address):
    open_page(browser, address, "#games=3000&seed=14")
    click(browser, "play")
    count = "return Number(/^([\\d,]+) of/.exec(document.getElementById('pace').innerText)?.[1].replaceAll(',', '') ?? 0)"
    until(browser, f"{count} > 150")
    told = browser.execute_script(f"const told = (() => {{ {count} }})(); location.reload(); return told")
    until(browser, OVER)
    kept = re.match(r"Stopped: ([\d,]+) of 3,000 games", text(browser, "pace"))
    assert kept is not None
    assert int(kept[1].replace(",", "")) >= told > 150


@needs_browser
def test_a_part_of_the_page_that_does_not_come_is_told_of_and_asked_for_again(browser, recorded, tmp_path):
    write_site(tmp_path, BOX, *recorded)
    worker = (tmp_path / "worker.js").read_bytes()
    for name in ("worker.js", "sw.js"):  # as if the network had gone before the browser kept anything
        (tmp_path / name).unlink()
    with served(tmp_path) as (address, _):
        open_page(browser, address, "#games=40")
        click(browser, "play")
        until(browser, "return document.querySelector('#wrong p') && !document.getElementById('play').hidden")
        assert text(browser, "wrong") == (
            "A part of the page could not be loaded: the network is gone, or the folder is not whole. "
            "Go online, then press Play."
        )
        (tmp_path / "worker.js").write_bytes(worker)
        click(browser, "play")
        until(browser, OVER)
        assert text(browser, "wrong") == ""


DROP = """
const files = new DataTransfer(); files.items.add(new File([arguments[1]], arguments[0]));
document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: files }));
"""


@needs_browser
def test_yaml_that_the_page_wrote_is_dropped_in_and_what_no_form_has_is_refused(browser, address):
    open_page(browser, address)
    rows = rows_of_form(BOX)
    ((written, _),) = node(YAML, {"words": words(), "rows": rows, "questions": [asked({"wonders.petra.cost": 5, CULTURE: 3})]})
    browser.execute_script(DROP, "house_rules.yaml", written)
    until(browser, "return document.getElementById('changes')")
    assert sorted(text(browser, "changes").splitlines()) == ["Petra: cost 7 → 5", "Rome: start trade tokens culture 0 → 3"]
    for name, content, said in (
        ("own.yaml", "leaders: {troy: {civ: Troy}}", "leaders.troy.civ is not among the numbers and switches of this page; "
         "newdawn web pack own.yaml makes a file that it opens."),
        ("high.yaml", "wonders:\n  petra:\n    cost: 500\n", "wonders.petra.cost: expected 1 to 99."),
        ("moon.yaml", "box: moon\nwonders: {petra: {cost: 5}}", "box: expected base."),
        ("none.yaml", "name: nothing\n", "changes nothing; expected house rules, such as wonders: {petra: {cost: 5}}."),
        ("list.yml", "- 1\n", "expected a mapping of names to values."),
    ):  # fmt: skip
        browser.execute_script(DROP, name, content)
        until(browser, f"return document.getElementById('wrong').innerText.trim() === {json.dumps(f'{name}: {said}')}")
        assert len(text(browser, "changes").splitlines()) == 2, "what is refused changes nothing"


# --- Without a browser

YAML = """
import { speak } from "STATIC/words.js"; import { yamlOf } from "STATIC/question.js"; import fs from "node:fs";
const { words, rows, questions } = JSON.parse(fs.readFileSync(0)); speak(words);
console.log(JSON.stringify(questions.map((question) => [yamlOf(question, rows), question])));
"""
READ = """
import { leaves, LIST, yaml } from "STATIC/yaml.js"; import fs from "node:fs";
const plain = (value) => (value === LIST ? "LIST" : value instanceof Map ? {} : value);
const told = (text) => {
  try { return leaves(yaml(text)).map(([path, value]) => [path, plain(value)]); } catch (error) { return error.message; }
};
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0)).map(told)));
"""


def leaves(tree, before=""):
    found = []
    for name, value in tree.items():
        if isinstance(value, dict) and value:
            found += leaves(value, f"{before}{name}.")
        else:
            found.append([before + str(name), "LIST" if isinstance(value, list) else value])
    return found


@needs_node
def test_house_rules_are_read_as_the_lab_reads_them():
    rows = rows_of_form(BOX)
    questions = [asked({row["key"]: other(row) for row in rows[start::7]}) for start in range(7)]
    written = [text for text, _ in node(YAML, {"words": words(), "rows": rows, "questions": questions})]
    texts = [path.read_text("utf-8") for path in HOUSE] + written
    assert len(HOUSE) > 10
    found = node(READ, texts)
    for written, one in zip(texts, found, strict=True):
        assert squeezed(one) == squeezed(leaves(yaml.safe_load(written)))


def squeezed(found):
    """Return paths and values, texts with single spaces."""
    return [[path, " ".join(value.split()) if isinstance(value, str) else value] for path, value in found]


WRONG = {
    "a: 1\na: 2": "line 2: 'a' appears twice", "a:\n\tb: 1": "line 2: expected spaces before a name, not a tab",
    "a: {b: 1": "line 1: a bracket is not closed", "just words": "line 1: expected `name: value`",
    "a: &x 1": "line 1: this page reads no anchors, aliases or tags; write the value out",
    "a: {b: 1, b: 2}": "line 1: 'b' appears twice", "a: {b 1}": "line 1: expected `name: value` between { and }",
    **dict.fromkeys(("a: 'b", 'a: "b'), "line 1: expected quotes around one text, closed on the same line"),
}  # fmt: skip


@needs_node
def test_yaml_that_is_none_is_refused_with_its_line():
    assert node(READ, [*WRONG]) == [*WRONG.values()]


ADDRESS = """
import { speak } from "STATIC/words.js"; import { read } from "STATIC/question.js"; import fs from "node:fs";
const { words, info, rows, asked } = JSON.parse(fs.readFileSync(0)); speak(words);
console.log(JSON.stringify(asked.map((one) => read(one, info, () => rows).wrong)));
"""
INFO = {"version": "x", "boxes": {BOX: {
    "players": [2, 3, 4], "leaders": ["Rome", "Egypt", "Japan", "Aztec"], "agendas": [], "victoryCards": [], "wonders": [],
    "wonderTypes": [], "wonderEras": [], "strategies": [{"name": "planner", "weights": {"3": {}, "4": {}}}],
}}}  # fmt: skip
ONCE = "more than once; expected it once, and the first one stands."
ADDRESSES = {
    "box=toString": "box=toString; expected base.", "box=__proto__": "box=__proto__; expected base.",
    "play=toString:planner": "play=toString:planner; expected one of planner, or pool: or seats: and several of them.",
    "leaders=constructor:Rome":
        "leaders=constructor:Rome; expected pool: or lineup: and different leaders, enough for the players.",
    "games=200&games=300": f"games {ONCE}",
    "rule.wonders.petra.cost=5&rule.wonders.petra.cost=6": f"rule.wonders.petra.cost {ONCE}",
    "hasOwnProperty=1": "hasOwnProperty, which this page does not know.",
}  # fmt: skip


@needs_node
def test_names_that_all_objects_have_and_names_given_twice_are_told():
    given = {"words": words(), "info": INFO, "rows": rows_of_form(BOX), "asked": [f"#{one}" for one in ADDRESSES]}
    assert node(ADDRESS, given) == [[f"The address has {said}"] for said in ADDRESSES.values()]


@needs_node
@pytest.mark.parametrize(
    ("done", "fewest", "most", "next_", "near"),
    [
        (400, 1650, 9000, 1700, True),
        (400, 900, 1200, 1200, True),
        (400, 500_000, 900_000, 1600, False),
        (1000, 999, 1001, 1100, True),
    ],
)
def test_the_games_offered_are_no_fewer_than_those_said_to_decide(done, fewest, most, next_, near):
    script = """
    import { further } from "STATIC/show.js"; import fs from "node:fs";
    console.log(JSON.stringify(further(...JSON.parse(fs.readFileSync(0)))));
    """
    assert node(script, [done, fewest, most]) == {"next": next_, "near": near}


def test_every_script_that_looks_a_name_up_asks_for_own_ones():
    """`box in info.boxes`, `info.boxes[box]` of what somebody typed finds `toString`, too."""
    for path in STATIC.glob("*.js"):
        assert not re.search(r"\bin WORDS\b|boxes\[given|synonyms\[", path.read_text("utf-8")), path.name
