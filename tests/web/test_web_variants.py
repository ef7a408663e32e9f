"""Several variants in the page: the table and the sentences of `newdawn compare`, the columns of the form, and the address."""

from pathlib import Path

import numpy as np
import pytest
from in_browser import needs_browser
from known import VICTORY_CARDS, known_run
from pages import columns_of, facts_of, names_of, needs_node, node, rows_of_form
from steps import OVER, again, change, click, open_page, play, put, text, until
from test_web_page import BOX, CULTURE, asked
from test_web_statistics import equal, rules

from newdawn import analysis
from newdawn.analysis.pages import report_parts
from newdawn.analysis.pages.cells import cells
from newdawn.analysis.questions.compare import WANTED
from newdawn.analysis.questions.variants import findings
from newdawn.analysis.tables.paired_figures import PRINTED, game_figures, subjects_of
from newdawn.analysis.tables.variants import Goal, Tally, placed, variants
from newdawn.analysis.web.page_texts import words
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import plan_by

SCRIPT = (Path(__file__).parent / "variants.mjs").read_text("utf-8")
TOKENS = {"leaders": {"rome": {"start_trade_tokens": {"culture": 3, "science": 3, "industry": 3}}}}
MILDER = {"leaders": {"scythia": {"abilities": {"combat": {"amount": 1}}}}}
DEAR = {"wonders": {"petra": {"cost": 40}}}


def agreed(sides, subjects, known, columns, players, leader=""):
    """Compare what the page says of several rulesets with what the lab says; `sides`: their games, in pieces."""
    labels, playing, goal = ["printed", *"ABCD"[: len(columns) - 1]], list(range(len(columns))), Goal(leader)
    tally, first = Tally(len(columns), subjects), 0
    for pieces in zip(*sides, strict=True):
        n = len(pieces[0]["games"])
        tally.add(playing, [game_figures(piece, first, n, subjects) for piece in pieces])
        first += n
    places = dict(enumerate(placed(tally, playing, goal, players, len(columns) - 1)))
    frame = variants(tally, labels, places, goal, players)
    given = {"words": words(), "names": known, "players": players, "labels": labels, "sides": columns, "leader": leader}
    found = node(SCRIPT, given)
    equal(frame, found["rows"])
    shown = [report_parts.Column(**one) for one in words()["tables"]["variants"]["columns"]]
    shown = [column for column in shown if column.name in frame or not column.optional]
    assert [[cell.text for cell in row] for row in cells(frame, shown)] == found["printed"]
    assert [[one.text, one.certainty] for one in findings(frame, goal)] == [
        [one["text"], one["certainty"]] for one in found["said"]
    ]
    return frame


@needs_node
def test_table_and_sentences_are_those_of_the_lab(tmp_path_factory):
    rulesets, runs = [rules(BOX, {}), *(rules(BOX, overlay) for overlay in (MILDER, TOKENS, DEAR))], []
    for ruleset in rulesets:
        r, folder = ruleset.compile(), tmp_path_factory.mktemp("variants") / "run"
        run_games(plan_by(r, players=4, games=400, seed=3, strategies=["planner"]), ruleset, folder, 1)
        runs.append(analysis.open_run(folder))
    known = names_of(rulesets[0].compile(), facts_of(runs[0]))
    subjects = subjects_of(*(ruleset.compile() for ruleset in rulesets))
    columns = [columns_of(run, known) for run in runs]
    agreed([run.pieces(WANTED) for run in runs], subjects, known, columns, 4)
    agreed([run.pieces(WANTED) for run in runs[:2]], subjects, known, columns[:2], 4, "Scythia")


KNOWN = {"leader": names.LEADERS, "agenda": names.AGENDAS, "wonder": names.WONDERS, "card": VICTORY_CARDS}
KNOWN["facts"] = dict.fromkeys(names.WONDERS, ("culture", "early"))
DRAWN = [(seed, (400, 3_000)[seed % 2], 3 + seed % 2, 2 + seed % 4, ("", "Rome", "Japan")[seed % 3]) for seed in range(9)]


@needs_node
@pytest.mark.parametrize(
    ("seed", "games", "players", "rulesets", "leader"), [*DRAWN, (9, 30, 4, 3, "Rome"), (10, 400, 4, 2, "Egypt")]
)
def test_drawn_games_are_told_as_the_lab_tells_them(seed, games, players, rulesets, leader):
    """Rulesets of drawn strengths on the same seats, some equal to the first; few games, and games that nobody wins."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([0.0, 0.1, 0.6], rulesets)
    base, nobody = rng.normal(0, 0.4, len(names.LEADERS)), 1.0 if seed == 10 else 0.05 * (seed % 3)
    strengths = [base, *(base + size * rng.normal(0, 1, len(base)) for size in sizes[1:])]
    runs = [
        known_run(np.random.default_rng([seed, games]), games, own, players=players, unfinished=nobody) for own in strengths
    ]
    columns = [columns_of(run, KNOWN) for run in runs]
    frame = agreed([run.pieces(WANTED) for run in runs], PRINTED, KNOWN, columns, players, leader)
    assert len(frame) == rulesets


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
    others = [{"wonders.petra.cost": 5}, {"wonders.petra.cost": 6, CULTURE: 1}]
    question = asked({CULTURE: 3}, others=others, leader="Rome")
    info = {"version": "x", "boxes": {BOX: {
        "players": [4], "leaders": ["Rome", "Egypt"], "agendas": [], "victoryCards": [], "wonders": [], "wonderTypes": [],
        "wonderEras": [], "strategies": [{"name": "planner", "weights": {"4": {}}}],
    }}}  # fmt: skip
    found = node(VARIANTS, {"words": words(), "info": info, "rows": rows_of_form(BOX), "question": question})
    assert (found["again"], found["wrong"]) == (question, [])
    files = "house_rules_a.yaml house_rules_b.yaml house_rules_c.yaml"
    options = "--players 4 --games 500 --seed 9 --strategies planner --leader Rome"
    assert found["commands"] == [f"newdawn compare printed {files} {options}"]
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
    # Whom the best is best for: the same games answer again, and the address holds it.
    put(browser, "best", "Rome")
    until(browser, "return document.getElementById('first').innerText.includes('the best has Rome nearest to its fair share')")
    until(browser, OVER)
    assert "Rome's distance from its fair share" in text(browser, "found")
    assert "leader=Rome" in browser.current_url
    assert "--leader Rome" in text(browser, "along")
    browser.find_element("id", "look").send_keys("rome tokens")
    for letter in ("C", "D"):
        click(browser, "another")
        change(browser, CULTURE, "ABCD".index(letter) + 2, letter)
    assert not browser.find_elements("id", "another")
