"""Several variants in the page: the table and the sentences of `newdawn compare`, the columns of the form, and the address."""

from pathlib import Path

import pytest
from in_browser import needs_browser
from pages import columns_of, facts_of, names_of, needs_node, node, rows_of_form
from steps import OVER, again, change, click, open_page, play, put, text, until
from test_web_page import BOX, CULTURE, asked
from test_web_statistics import equal, rules

from newdawn import analysis
from newdawn.analysis.pages import report_parts
from newdawn.analysis.pages.cells import cells
from newdawn.analysis.questions.compare import WANTED
from newdawn.analysis.questions.variants import findings
from newdawn.analysis.tables.paired_figures import game_figures, subjects_of
from newdawn.analysis.tables.variants import LEAST_SPREAD, Tally, placed, variants
from newdawn.analysis.web.page_texts import words
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import plan_by

SCRIPT = (Path(__file__).parent / "variants.mjs").read_text("utf-8")
TOKENS = {"leaders": {"rome": {"start_trade_tokens": {"culture": 3, "science": 3, "industry": 3}}}}
MILDER = {"leaders": {"scythia": {"abilities": {"combat": {"amount": 1}}}}}
DEAR = {"wonders": {"petra": {"cost": 40}}}


@needs_node
@pytest.mark.parametrize(
    ("overlays", "games"),
    [
        ((MILDER, TOKENS), 400),
        ((DEAR,), 300),
        ((MILDER, TOKENS, DEAR), 40),
    ],
)
def test_table_and_sentences_are_those_of_the_lab(overlays, games, tmp_path_factory):
    rulesets = [rules(BOX, {}), *(rules(BOX, overlay) for overlay in overlays)]
    runs = []
    for ruleset in rulesets:
        r, folder = ruleset.compile(), tmp_path_factory.mktemp("variants") / "run"
        run_games(plan_by(r, players=4, games=games, seed=3, strategies=["planner"]), ruleset, folder, 1)
        runs.append(analysis.open_run(folder))
    labels, playing = ["printed", *"ABC"[: len(overlays)]], list(range(len(runs)))
    subjects = subjects_of(*(ruleset.compile() for ruleset in rulesets))
    tally, first = Tally(len(runs), subjects), 0
    for pieces in zip(*(run.pieces(WANTED) for run in runs), strict=True):
        n = len(pieces[0]["games"])
        tally.add(playing, [game_figures(piece, first, n, subjects) for piece in pieces])
        first += n
    places = dict(enumerate(placed(tally, playing, LEAST_SPREAD, 4, len(runs) - 1)))
    frame = variants(tally, labels, places, LEAST_SPREAD, 4)
    known = names_of(rulesets[0].compile(), facts_of(runs[0]))
    given = {
        "words": words(),
        "names": known,
        "players": 4,
        "labels": labels,
        "sides": [columns_of(run, known) for run in runs],
    }
    found = node(SCRIPT, given)
    equal(frame, found["rows"])
    columns = [report_parts.Column(**one) for one in words()["tables"]["variants"]["columns"]]
    assert [[cell.text for cell in row] for row in cells(frame, columns)] == found["printed"]
    assert [[one.text, one.certainty] for one in findings(frame)] == [[one["text"], one["certainty"]] for one in found["said"]]


VARIANTS = """
import { speak } from "STATIC/words.js"; import { address, commands, read, variantsOf, yamlOf } from "STATIC/question.js";
import fs from "node:fs";
const { words, info, rows, question } = JSON.parse(fs.readFileSync(0)); speak(words);
const { question: again, wrong } = read(address(question), info, () => rows);
const files = variantsOf(question).map((one) => yamlOf(question, rows, one));
console.log(JSON.stringify({ again, wrong, commands: commands(question), files }));
"""


@needs_node
def test_an_address_and_commands_hold_all_variants(tmp_path):
    question = asked({CULTURE: 3}, others=[{"wonders.petra.cost": 5}, {"wonders.petra.cost": 6, CULTURE: 1}])
    info = {"version": "x", "boxes": {BOX: {
        "players": [4], "leaders": [], "agendas": [], "victoryCards": [], "wonders": [], "wonderTypes": [], "wonderEras": [],
        "strategies": [{"name": "planner", "weights": {"4": {}}}],
    }}}  # fmt: skip
    found = node(VARIANTS, {"words": words(), "info": info, "rows": rows_of_form(BOX), "question": question})
    assert (found["again"], found["wrong"]) == (question, [])
    files = "house_rules_a.yaml house_rules_b.yaml house_rules_c.yaml"
    assert found["commands"] == [f"newdawn compare printed {files} --players 4 --games 500 --seed 9 --strategies planner"]
    named = []
    for letter, content in zip("abc", found["files"], strict=True):
        (tmp_path / f"house_rules_{letter}.yaml").write_text(content, "utf-8")
        named.append(load_ruleset([tmp_path / f"house_rules_{letter}.yaml"], box=BOX).name)
    assert named[1:] == ["Petra: cost 7 → 5", "Petra: cost 7 → 6; Rome: start trade tokens culture 0 → 1"]


@needs_browser
def test_columns_of_the_form_are_variants_and_the_answer_says_which_is_best(browser, address):
    open_page(browser, address)
    put(browser, "games", 200)
    browser.find_element("id", "look").send_keys("rome tokens")
    change(browser, CULTURE, 3)
    click(browser, "another")
    click(browser, "play")
    assert text(browser, "wrong") == "Variant B changes nothing; change a rule in its column, or remove it."
    change(browser, CULTURE, 3, "B")
    click(browser, "play")
    assert text(browser, "wrong") == "Variants A and B are the same rules; change one of them, or remove it."
    change(browser, CULTURE, 2, "B")
    play(browser)
    assert text(browser, "first").startswith(
        "A: Rome: start trade tokens culture 0 → 3; B: Rome: start trade tokens culture 0 → 2 · "
    )
    headline = browser.find_element("css selector", "#first h2").text
    assert "could be the best" in headline or "as good as each other" in headline or "is the best of 3" in headline
    rows = browser.execute_script("return [...document.querySelectorAll('#part-variants tbody th')].map(one => one.innerText)")
    assert rows == ["printed", "Rome: start trade tokens culture 0 → 3", "Rome: start trade tokens culture 0 → 2"]
    assert "newdawn compare printed house_rules_a.yaml house_rules_b.yaml" in text(browser, "along")
    found = text(browser, "found")
    again(browser, browser.current_url)
    until(browser, OVER)
    assert text(browser, "found") == found
    browser.find_element("id", "look").send_keys("rome tokens")
    for letter in ("C", "D"):
        click(browser, "another")
        change(browser, CULTURE, "ABCD".index(letter) + 2, letter)
    assert not browser.find_elements("id", "another")
