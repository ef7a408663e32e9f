"""The page in a browser, with recorded games in the place of the engine: a walk, stop and go on, addresses, accessibility."""

import csv
import io
import json
import re
import time
from pathlib import Path

import pandas as pd
import pytest
from in_browser import needs_browser
from pages import STATIC, needs_node, node, rows_of_form, served, write_site
from steps import LOOKS, OVER, PICTURES, again, change, click, faults, open_page, play, put, size, text, until

from newdawn.analysis.questions import compare
from newdawn.analysis.web.page_texts import page_files, words
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import edit, load_ruleset

BOX, GAMES = "base", 400  # those of the fixture `recorded`


# --- In the browser


@needs_browser
def test_a_walk_from_the_link_to_the_answer(browser, address, tmp_path):
    """Does this rule make Rome too strong? At most 12 clicks and 3 minutes."""
    start, clicks, folder = time.monotonic(), 0, Path(PICTURES or tmp_path)

    def step(name):
        browser.save_screenshot(str(folder / f"{name}.png"))

    size(browser, 1400)
    open_page(browser, address)
    step("1-link")
    click(browser, "look")
    browser.find_element("id", "look").send_keys("rome tokens")
    step("2-search")
    for kind in ("culture", "science"):
        field = browser.find_element("id", f"key-leaders.rome.start_trade_tokens.{kind}")
        field.click()
        field.clear()
        field.send_keys("3\t")
        clicks += 1
    step("3-rule")
    assert text(browser, "changes").splitlines() == [
        "Rome: start trade tokens culture 0 → 3", "Rome: start trade tokens science 0 → 3",
    ]  # fmt: skip
    put(browser, "games", 2400)
    click(browser, "play")
    clicks += 3  # the search, the games, Play
    first, tables = until(
        browser,
        "return document.querySelector('#charts svg') && ['first', 'tables'].map(id => document.getElementById(id).innerText)",
    )
    assert "So far" in first
    assert "too strong" not in tables, "no verdict before all games are played"
    step("4-playing")
    until(browser, OVER)
    step("5-answer")
    headline = browser.find_element("css selector", "#first h2").text
    assert headline.startswith("Rome is too strong: it wins ")
    assert "Against the printed rules, with leaders as they were dealt, Rome's win rate is raised: " in text(browser, "first")
    browser.execute_script("document.getElementById('part-leaders').scrollIntoView()")
    step("6-table")
    assert clicks <= 12
    assert time.monotonic() - start < 180
    assert headline.split(" points")[0] in until(browser, "return document.getElementById('spoken').textContent")
    assert browser.get_log("browser") == []


@needs_browser
def test_nothing_is_hard_to_see_or_to_hear(browser, address):
    open_page(browser, address)
    put(browser, "games", 300)
    click(browser, "example-2")
    until(browser, OVER)
    assert faults(browser, LOOKS[:1]) == []


@needs_browser
@pytest.mark.soak
def test_nothing_at_all_is_hard_to_see_or_to_hear(browser, address):
    open_page(browser, address)
    found = faults(browser)
    put(browser, "games", 300)
    click(browser, "example-2")
    until(browser, OVER)
    browser.execute_script("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    assert found + faults(browser) == []


@needs_browser
def test_stopped_and_gone_on_the_answer_is_that_of_all_games_at_once_on_any_number_of_workers(browser, address):
    found = []
    for workers in (1, 2):
        open_page(browser, address, "#games=400&seed=14&rule.leaders.rome.start_trade_tokens.culture=3", workers)
        click(browser, "play")
        if workers == 2:
            until(browser, "return /^[1-9]/.test(document.getElementById('pace').innerText)")
            click(browser, "stop")
            until(browser, OVER)
            assert "Stopped early by hand" in text(browser, "first")
            assert text(browser, "play") == "Go on"
            some = text(browser, "pace")
            again(browser, browser.current_url)  # as if the tab had been closed
            until(browser, OVER)
            assert text(browser, "pace") == some
            click(browser, "play")
        until(browser, f"{OVER} && document.getElementById('pace').innerText.startsWith('400 of 400')")
        assert "Stopped" not in text(browser, "first")
        browser.execute_script("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        until(browser, "return document.querySelectorAll('#tables table').length > 7")
        found.append(text(browser, "found"))
    assert found[0] == found[1]


@needs_browser
def test_a_bad_address_is_told_in_sentences_and_nothing_else_is_lost(browser, address):
    rules = "rule.wonders.petra.price=3&rule.wonders.petra.cost=0"
    open_page(browser, address, f"#box=moon&players=9&games=x&play=nobody&leaders=pool:Nemo&{rules}&seed=7")
    said = text(browser, "wrong").split("\n\n")
    assert len(said) == 7
    assert said[0] == "The address has box=moon; expected base."
    assert "The address has games=x; expected a whole number from 2 to 1000000." in said
    assert "The address has rule.wonders.petra.cost=0; expected 1 to 99." in said
    assert browser.find_element("id", "seed").get_attribute("value") == "7"
    put(browser, "games", 40)
    play(browser)
    assert text(browser, "wrong") == ""


@needs_browser
def test_full_memory_keeps_the_games_so_far(browser, address):
    open_page(browser, address, "#games=900&seed=13")
    click(browser, "play")
    until(browser, OVER)
    assert text(browser, "wrong") == "The memory of this tab is full; the games so far are kept, and Go on plays the rest."
    assert text(browser, "play") == "Go on"
    assert "by hand" not in text(browser, "first")
    assert browser.find_element("id", "part-leaders")


CULTURE = "leaders.rome.start_trade_tokens.culture"


@needs_browser
def test_a_rule_that_is_changed_while_games_are_played_is_played_next(browser, address):
    open_page(browser, address, f"#games=900&seed=14&rule.{CULTURE}=3")
    assert text(browser, "welcome").startswith("This link asks a question: press Play")
    browser.find_element("id", "look").send_keys("rome tokens")
    click(browser, "play")
    until(browser, "return /^[1-9]/.test(document.getElementById('pace').innerText)")
    change(browser, CULTURE, 4)
    assert "link" not in text(browser, "welcome")
    assert not browser.find_element("id", "stop").is_displayed()
    play(browser, 60)
    assert text(browser, "first").startswith("Rome: start trade tokens culture 0 → 4 · ")


@needs_browser
def test_stop_counts_also_while_the_engine_gets_ready(browser, address):
    open_page(browser, address, "#games=900&seed=14")
    browser.execute_script(
        "const [play, stop] = ['play', 'stop'].map(id => document.getElementById(id)); play.focus(); play.click();"
    )
    assert browser.execute_script("return document.activeElement.id") == "stop"
    open_page(browser, address, "#games=900&seed=14")
    browser.execute_script("document.getElementById('play').click(); document.getElementById('stop').click()")
    until(browser, "return document.getElementById('pace').innerText === 'Stopped: 0 of 900 games'")
    assert text(browser, "play") == "Play"


@needs_browser
def test_stop_is_in_reach_on_a_phone(browser, address):
    size(browser, 390)
    try:
        open_page(browser, address, "#games=900&seed=14")
        browser.find_element("id", "look").send_keys("rome")
        click(browser, "play")
        until(browser, "return document.querySelectorAll('#part-leaders tbody tr').length > 7")
        browser.execute_script("document.getElementById('part-leaders').scrollIntoView()")
        place = browser.execute_script("return document.getElementById('stop').getBoundingClientRect()")
        assert 0 < place["top"] < place["bottom"] <= browser.execute_script("return innerHeight")
        click(browser, "stop")
        until(browser, OVER)
    finally:
        size(browser, 1400)


@needs_browser
def test_few_games_lose_neither_more_games_nor_are_they_compared(browser, address):
    open_page(browser, address)
    play(browser, 400)
    play(browser, 8)
    assert text(browser, "first").endswith(
        "Leaders not compared: 8 games with a winner are too few to estimate 10 effects; play more games."
    )
    again(browser, f"{address}#games=400")
    until(browser, OVER)
    assert text(browser, "pace") == "400 of 400 games"
    play(browser, 60)
    assert text(browser, "first").splitlines()[-1].startswith("A verdict needs 100 decided games of a leader. Go on to ")
    click(browser, "more")
    until(browser, f"{OVER} && !document.getElementById('pace').innerText.startsWith('60 ')")
    assert "A verdict needs" not in text(browser, "first")


@needs_browser
def test_what_was_found_is_not_shown_to_a_link_that_is_not_understood(browser, address):
    open_page(browser, address, "#games=60")
    play(browser)
    for part, said in (("pack=0123456789abcdef", "open the file below"), ("player=3", "which this page does not know")):
        again(browser, f"{address}#games=60&{part}")
        time.sleep(0.5)  # as long as kept games take to be shown
        assert said in text(browser, "wrong")
        assert not text(browser, "found")


@needs_browser
def test_the_answer_is_reached_by_the_keyboard_and_its_link_copied_in_any_browser(browser, address):
    open_page(browser, address, "#games=60&seed=3")
    play(browser)
    put(browser, "games", 900)
    browser.execute_script("document.querySelector('.skip').click()")
    assert browser.execute_script("return document.activeElement.id") == "answer"
    assert "games=900&seed=3" in browser.current_url
    for clipboard in ("undefined", "{ writeText: () => Promise.reject(new Error('not allowed')) }"):
        browser.execute_script(f"Object.defineProperty(navigator, 'clipboard', {{ value: {clipboard}, configurable: true }})")
        click(browser, "copy")
        link = until(browser, "return document.querySelector('#along a')?.href")
        assert "games=60&seed=3" in link, "the games that were played"
        assert "Copied" not in text(browser, "along")


@needs_browser
def test_the_comparison_as_a_file_is_that_of_the_lab(browser, address, recorded):
    open_page(browser, address, f"#games={GAMES}&seed=1&rule.{CULTURE}=3")
    play(browser)
    browser.execute_script(
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return ''; };"
        "document.querySelector('#part-compared button').click()"
    )
    rows = {row["figure"]: row for row in csv.DictReader(io.StringIO(until(browser, "return window.saved")))}
    theirs = compare.compare_tables(*recorded[0]).set_index("figure")
    for name in ("a", "b", "difference", "low", "high", "half_width", "margin", "own", "own_low", "own_all_high"):
        for figure, row in rows.items():
            mine, other = row[name], theirs[name][figure] if name in theirs else None
            assert not mine if pd.isna(other) else float(mine) == pytest.approx(other, rel=1e-6, abs=1e-9), (figure, name)
    assert {row["own_verdict"] for row in rows.values()} == {*theirs["own_verdict"].fillna("")}


@needs_browser
def test_a_leader_whose_verdict_is_open_is_spoken_of_in_words(browser, address):
    open_page(browser, address, "#games=300")
    play(browser)
    verdicts = "[...document.querySelectorAll('.verdicts dt')]"
    leader = browser.execute_script(
        f"return {verdicts}.find(one => one.innerText === 'undecided').nextSibling.innerText.split(', ')[0]"
    )
    again(browser, f"{address}#games=300&compare=no&rule.leaders.{leader.lower()}.start_trade_tokens.culture=1")
    play(browser)
    headline = browser.find_element("css selector", "#first h2").text
    assert headline.startswith(f"Whether {leader} is balanced is undecided: it wins ")


@needs_browser
def test_a_new_build_is_seen_by_those_who_were_here_and_never_mixed_with_the_old_one(browser, recorded, tmp_path):
    write_site(tmp_path, BOX, *recorded)
    with served(tmp_path) as (address, _):
        open_page(browser, address, "#games=40")
        until(browser, "return navigator.serviceWorker.controller !== null")
        page, worker = tmp_path / "index.html", tmp_path / "worker.js"
        old = {path: path.read_bytes() for path in tmp_path.iterdir()}
        page.write_text(page.read_text("utf-8").replace("<h1>New Dawn", "<h1>Newer Dawn"), "utf-8")
        worker.write_text("self.postMessage({ failed: 'the worker of another build' });", "utf-8")
        files = {path.name: path.read_bytes() for path in old} | {"sw.js": (STATIC / "sw.js").read_bytes()}
        for name, content in page_files(files).items():
            (tmp_path / name).write_bytes(content)
        again(browser, f"{address}#games=40")
        until(browser, "return document.getElementById('newer')")
        assert text(browser, "wrong") == ""
        play(browser)
        assert text(browser, "pace") == "40 of 40 games", "the page and its workers are of one build"
        click(browser, "newer")
        until(browser, "return document.querySelector('h1')?.innerText.startsWith('Newer Dawn')")
        assert "games=40" in browser.current_url


@needs_browser
def test_another_box_keeps_what_it_has_and_says_what_it_has_not(browser, recorded, tmp_path):
    write_site(tmp_path, BOX, *recorded, more=["terra-incognita"])
    with served(tmp_path) as (address, _):
        rules = "rule.leaders.zulu.available=false&rule.wonders.petra.cost=5"
        open_page(browser, address, f"#box=terra-incognita&players=4&leaders=pool:Rome,Egypt,Japan,Aztec&{rules}")
        put(browser, "players", 3)
        assert "leaders=pool%3ARome%2CEgypt%2CJapan%2CAztec" in browser.current_url
        put(browser, "box", "base")
        assert text(browser, "gone") == "Not in this box: Zulu: available yes → no."
        assert len(text(browser, "changes").splitlines()) == 1
        browser.find_element("id", "look").send_keys("petra cost")
        change(browser, "wonders.petra.cost", 4)
        assert not browser.find_elements("id", "gone")


@needs_browser
def test_several_strategies_are_not_compared_and_the_lab_is_named(browser, address):
    open_page(browser, address, "#games=200&play=seats:planner,random,planner,planner")
    play(browser)
    assert "not compared: several strategies play" in text(browser, "first")
    assert "--strategies planner,random,planner,planner" in text(browser, "first")
    assert not browser.find_elements("id", "part-leaders")
    assert browser.find_elements("id", "part-wonders")


@needs_browser
def test_it_opens_and_plays_without_a_network(browser, site):
    with served(site) as (address, stop):
        open_page(browser, address, "#games=60")
        until(browser, "return navigator.serviceWorker.controller !== null")
        stop()
        again(browser, f"{address}#games=60&seed=2")
        play(browser)
        assert text(browser, "pace").startswith("60 of 60 games")


@needs_browser
@pytest.mark.parametrize(("name", "content"), [("engine.json", b"<html>not here</html>"), ("words.json", None)])
def test_a_foreign_or_missing_file_is_told_in_one_sentence(browser, recorded, tmp_path, name, content):
    write_site(tmp_path, BOX, *recorded)
    (tmp_path / name).unlink() if content is None else (tmp_path / name).write_bytes(content)
    with served(tmp_path) as (address, _):
        open_page(browser, address)
        said = until(browser, "return document.getElementById('wrong').innerText.trim()").split("\n\n")
    assert len(said) == 1
    assert name in said[0]
    assert "newdawn web build" in said[0] or "damaged" in said[0]


@needs_browser
def test_a_file_of_house_rules_is_opened_and_a_foreign_one_refused(browser, address, tmp_path):
    open_page(browser, address)
    (tmp_path / "song.mp3").write_bytes(b"ID3")
    browser.find_element("id", "pack").send_keys(str(tmp_path / "song.mp3"))
    said = "song.mp3: this file is none that `newdawn web pack` wrote."
    until(browser, f"return document.getElementById('wrong').innerText.trim() === {json.dumps(said)}")
    (tmp_path / "rome.newdawn").write_text(json.dumps({"newdawn": "recorded", "box": BOX, "name": "Six tokens", "rules": "1"}))
    browser.find_element("id", "pack").send_keys(str(tmp_path / "rome.newdawn"))
    until(browser, "return document.getElementById('question').innerText.includes('Six tokens')")
    put(browser, "games", 200)
    play(browser)
    assert text(browser, "first").startswith("Six tokens · ")
    assert browser.find_elements("id", "part-compared")
    assert browser.find_element("css selector", "#first h2").text.startswith("Rome is "), "whose rules the file changes"
    assert "Troy: new" in text(browser, "question")
    assert "The rulesets deal different leaders" in text(browser, "charts")
    assert "--rules house_rules.yaml" in text(browser, "along")
    assert "house_rules.yaml stands for the file that was packed" in text(browser, "along")
    link = browser.current_url
    again(browser, link)
    until(browser, OVER)
    assert text(browser, "first").startswith("Six tokens · "), "the file is kept with the question"
    open_page(browser, address, "#" + link.partition("#")[2])
    assert "open the file below" in text(browser, "wrong")
    browser.find_element("id", "pack").send_keys(str(tmp_path / "rome.newdawn"))
    until(browser, "return document.getElementById('question').innerText.includes('Six tokens')")
    put(browser, "seed", 2)
    click(browser, "example-1")  # an example asks what it says, not of the file
    assert "Six tokens" not in text(browser, "question")
    assert text(browser, "changes").endswith("cost 7 → 5")


# --- Without one


def among(kind, *names):
    return {"kind": kind, "names": list(names)}


def asked(changes, **more):
    first = {"box": BOX, "players": 4, "leaders": among("all"), "strategies": among("all", "planner")}
    first |= {"games": 500, "seed": 9, "changes": changes, "others": [], "leader": "", "pack": None, "compare": True}
    return first | more


@needs_node
def test_an_address_is_read_as_it_was_written():
    rows = rows_of_form(BOX)
    values = {row["key"]: other(row) for row in rows[:: len(rows) // 30]}
    questions = [
        asked({}), asked(values), asked({}, compare=False, players=3, leaders=among("lineup", "Rome", "Egypt", "Japan")),
        asked({}, strategies=among("pool", "planner", "random"), leaders=among("pool", "Rome", "Egypt", "Japan", "Aztec")),
    ]  # fmt: skip
    script = """
    import { speak } from "STATIC/words.js"; import { address, read } from "STATIC/question.js"; import fs from "node:fs";
    const { words, info, rows, questions } = JSON.parse(fs.readFileSync(0)); speak(words);
    console.log(JSON.stringify(questions.map((question) => read(address(question), info, () => rows))));
    """
    info = {"version": "x", "boxes": {BOX: {"players": [2, 3, 4], "leaders": ["Rome", "Egypt", "Japan", "Aztec"],
            "agendas": [], "victoryCards": [], "wonders": [], "wonderTypes": [], "wonderEras": [],
            "strategies": [{"name": name, "weights": {"3": {}, "4": {}}} for name in ("planner", "random")]}}}  # fmt: skip
    found = node(script, {"words": words(), "info": info, "rows": rows, "questions": questions})
    assert found == [{"question": question, "wrong": []} for question in questions]


def other(row):
    """Return another value than the printed one."""
    if "values" in row:
        return next(value for value in row["values"] if value != row["value"])
    return row["value"] + 1 if row["value"] < row["range"][1] else row["value"] - 1


YAML = """
import { speak } from "STATIC/words.js"; import { yamlOf, commands } from "STATIC/question.js"; import fs from "node:fs";
const { words, rows, questions } = JSON.parse(fs.readFileSync(0)); speak(words);
console.log(JSON.stringify(questions.map((question) => [yamlOf(question, rows), commands(question)])));
"""


@needs_node
@pytest.mark.parametrize(("box", "every"), [(BOX, 97), pytest.param("terra-incognita", 11, marks=pytest.mark.soak)])
def test_the_yaml_says_what_the_form_says(box, every, tmp_path):
    rows = rows_of_form(box)
    questions = [asked({row["key"]: other(row)}, box=box) for row in rows[::every]]
    many = {"wonders.petra.cost": 5, "leaders.rome.available": False, "rulings.petra_barred_barbarian": "stays"}
    questions.append(asked(many, box=box))
    refused = 0
    found = node(YAML, {"words": words(), "rows": rows, "questions": questions})
    for question, (written, _) in zip(questions, found, strict=True):
        (tmp_path / "house_rules.yaml").write_text(written, "utf-8")
        try:
            ruleset = load_ruleset([tmp_path / "house_rules.yaml"], box=box)
        except UserError:  # a value that does not go with the rest of the printed rules
            refused += 1
            continue
        now = {key.path: key.value for key in edit.keys(ruleset)}
        assert {path: now[path] for path in question["changes"]} == question["changes"]
    assert refused <= len(questions) // 4


@needs_node
def test_the_commands_are_those_of_the_lab():
    question = asked({"wonders.petra.cost": 5}, leaders={"kind": "pool", "names": ["Rome", "Egypt", "Japan", "Aztec"]})
    ((_, lines),) = node(YAML, {"words": words(), "rows": rows_of_form(BOX), "questions": [question]})
    common = "--players 4 --games 500 --seed 9 --leader-pool Rome,Egypt,Japan,Aztec --strategies planner"
    assert lines == [
        f"newdawn compare printed house_rules.yaml {common}",
        f"newdawn run {common} --rules house_rules.yaml --out results/page", "newdawn leaders results/page",
    ]  # fmt: skip


WORDS = (
    "petra", "rome", "trade tokens", "catch-up", "gold", "army", "cards needed", "draft", "wonder cost", "Petra's price",
    "barbarians move", "victory cards in play", "wonders.*.cost", "first player", "zzzz", "nations trade", "tech",
    "attack bonus", "comeback mechanic", "petra's", "Petra’s", "petra’s cost", "players' tokens", "leaders’",
    "turn order by bid", "two wonders in one turn", "trade tokens per turn", "constructor", "toString", "has own property",
)  # fmt: skip


@needs_node
@pytest.mark.parametrize("box", [BOX, pytest.param("terra-incognita", marks=pytest.mark.soak)])
def test_a_search_finds_what_rules_list_finds(box):
    rules = load_ruleset(box=box)
    rows = [{"key": key.path, "title": key.path, "text": key.text} for key in edit.keys(rules)]
    script = """
    import { speak } from "STATIC/words.js"; import { found } from "STATIC/search.js"; import fs from "node:fs";
    const { words, rows, asked, box } = JSON.parse(fs.readFileSync(0)); speak(words);
    const told = ({ rows, notes }) => [rows.map((row) => row.key), notes];
    console.log(JSON.stringify(asked.map((one) => told(found(rows, one, box)))));
    """
    found = node(script, {"words": words(), "rows": rows, "asked": WORDS, "box": box})
    for phrase, (paths, notes) in zip(WORDS, found, strict=True):
        try:
            mine, said = edit.search(rules, phrase)
        except UserError:
            mine, said = [], notes
        assert (phrase, paths, notes) == (phrase, [key.path for key in mine], said)


@needs_node
@pytest.mark.parametrize("box", [BOX, pytest.param("terra-incognita", marks=pytest.mark.soak)])
def test_nothing_in_the_form_speaks_of_files_and_commands_of_the_lab(box):
    texts = {key.text for key in edit.keys(load_ruleset(box=box))}
    texts |= {entry["note"] for entry in words()["synonyms"].values() if entry["note"] and f"--box {box}" not in entry["note"]}
    script = """
    import { plain } from "STATIC/search.js"; import fs from "node:fs";
    console.log(JSON.stringify(JSON.parse(fs.readFileSync(0)).map(plain)));
    """
    asked = sorted(texts)
    insider = re.compile(r"--|[{}`]|\w_\w|\b(true|false|key)\b|\([BT]\d|docs/|newdawn (?!web pack)|\w\.\w")
    assert [said for said in node(script, asked) if insider.search(said)] == []


@needs_node
def test_tables_as_csv_are_those_of_the_lab():
    rows = [
        {"leader": "Rome", "n": 3, "p": None, "few": True, "x": 0.5},
        {"leader": 'A, "B"', "n": 4, "p": 0.25, "few": False, "x": 1e-9, "own": 2},
    ]
    script = """
    import { csv } from "STATIC/table.js"; import fs from "node:fs";
    console.log(JSON.stringify(csv(JSON.parse(fs.readFileSync(0)))));
    """
    found = list(csv.DictReader(io.StringIO(node(script, rows))))
    assert [row["leader"] for row in found] == ["Rome", 'A, "B"']
    assert [row["p"] for row in found] == ["", "0.25"]
    assert [row["few"] for row in found] == ["True", "False"]
    assert float(found[1]["x"]) == 1e-9
    assert [row["own"] for row in found] == ["", "2"], "a column that the first row lacks"


def test_the_page_needs_nothing_from_elsewhere(site):
    for path in site.iterdir():
        if path.suffix in (".html", ".js", ".css", ".svg"):
            content = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not [word for word in ("http://", "https://", "@import", "eval(") if word in content], path.name
    listed = json.loads((site / "files.json").read_text("utf-8"))
    assert {*listed["files"], "files.json", "sw.js"} == {path.name for path in site.iterdir()}
