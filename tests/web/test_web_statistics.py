"""The page's statistics are the lab's: the same tables of the same games, to the printed digit, and the same sentences."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pages import columns_of, facts_of, names_of, needs_node, node
from scipy import special, stats

from newdawn import analysis
from newdawn.analysis.pages import report_parts
from newdawn.analysis.pages.cells import cells
from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions import compare, leaders
from newdawn.analysis.questions.compare import with_whom
from newdawn.analysis.questions.game import order_table
from newdawn.analysis.stats import verdicts
from newdawn.analysis.tables import paired_figures
from newdawn.analysis.web.page_texts import TABLES, words
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import plan_by

pytestmark = needs_node

ROME = {"leaders": {"rome": {"start_trade_tokens": {"culture": 3, "science": 3}}}}
NEARLY = {"wonders": {"petra": {"cost": 6}}}
# box, players, games, house rules, strategy, leaders named
ASKED = (
    ("base", 4, 300, ROME, "planner", None), ("base", 3, 60, NEARLY, "planner", None), ("base", 4, 9, {}, "planner", None),
    ("base", 4, 200, NEARLY, "planner", ("Rome", "Egypt", "Japan", "Aztec")),
    *(pytest.param(asked, marks=pytest.mark.soak) for asked in (
        ("base", 2, 5000, {}, "random", None), ("base", 4, 3000, ROME, "planner", None),
        ("terra-incognita", 5, 800, ROME, "planner", None), ("terra-incognita", 3, 400, NEARLY, "planner", None),
        ("base", 4, 300, NEARLY, "random", ("Rome", "Egypt", "Japan", "Aztec")),
    )),
)  # fmt: skip
SCRIPT = (Path(__file__).parent / "tables.mjs").read_text("utf-8")


def rules(box, overlay):
    return with_overlay(load_ruleset(box=box), overlay, "tried") if overlay else load_ruleset(box=box)


@pytest.fixture(scope="module", params=ASKED, ids=lambda asked: f"{asked[0]}-{asked[1]}-{asked[2]}")
def both(request, tmp_path_factory):
    """Return a run by house rules, the run by the printed ones, and what the page says of them."""
    box, players, games, overlay, strategy, line_up = request.param
    sides = []
    for ruleset in (rules(box, {}), rules(box, overlay)):
        r, folder = ruleset.compile(), tmp_path_factory.mktemp("web") / "run"
        plan = plan_by(r, players=players, games=games, seed=5, strategies=[strategy], leaders=line_up, round_cap=200)
        run_games(plan, ruleset, folder, 1)
        sides.append(analysis.open_run(folder))
    known = names_of(r, facts_of(sides[1]))
    given = {"words": words(), "names": known, "players": players, "sides": [columns_of(run, known) for run in sides]}
    return sides, r, node(SCRIPT, given)


def equal(frame, rows, leaving=()):
    """Compare the columns that both have, in the order of the rows."""
    assert len(frame) == len(rows)
    for name in frame.columns:
        if name in leaving:
            continue
        theirs = [row.get(name) for row in rows]
        if pd.api.types.is_numeric_dtype(frame[name]) and not pd.api.types.is_bool_dtype(frame[name]):
            mine = frame[name].to_numpy(float)
            numbers = np.array([np.nan if x is None else float(x) for x in theirs])
            np.testing.assert_allclose(numbers, mine, rtol=1e-6, atol=1e-9, err_msg=name)
        else:
            assert [None if x is None or x != x else x for x in theirs] == [None if x != x else x for x in frame[name]], name


LEFT_OUT = ("odds_ratio", "odds_ratio_low", "odds_ratio_high", "error", "rank_best", "rank_worst", "chance_first", "unfinished",
            "pooled_rate", "pooled_rate_low", "pooled_rate_high", "log_odds", "players")  # fmt: skip


def printed_as(key, frame, found):
    declared = words()["tables"][key]["columns"]
    columns = [report_parts.Column(**one) for one in declared if one["name"] != "good_players"]  # of the lab's own games
    assert [[one.text for one in row] for row in cells(frame, columns)] == found["printed"][key]


def test_leaders_and_places(both):
    sides, _, found = both
    source = Source(sides[1])
    if len(source.judged) and "log_odds" not in source.judged:
        assert "too few" in found["found"]["leaders"]["untold"]
        return
    equal(source.judged, found["found"]["leaders"], LEFT_OUT)
    printed_as("leaders", source.judged, found)
    order = order_table(source)
    equal(order, found["found"]["order"], LEFT_OUT)
    printed_as("order", order, found)
    said = leaders._strengths(source.judged, "leader", source.margin)
    assert [[one.text, one.certainty] for one in said] == [[one["text"], one["certainty"]] for one in found["said"]["leaders"]]


def test_wonders_victory_cards_and_length(both):
    sides, _, found = both
    for key, frame in {
        "wonders": analysis.wonders(sides[1]), "agendas": analysis.victory(sides[1]), "length": analysis.rounds(sides[1]),
    }.items():  # fmt: skip
        equal(frame, found["found"][key])
        printed_as(key, frame, found)
    equal(analysis.length(sides[1]), found["found"]["game"])


def dashed(rows):
    """Return cells with a dash for what is nothing: pandas has both NaN and ''."""
    return [[text or "–" for text in row] for row in rows]


def test_comparisons(both):
    sides, r, found = both
    frame = compare.compare_tables(sides[0], sides[1], subjects=paired_figures.subjects_of(r))
    renamed = {"low": "difference_low", "high": "difference_high"}
    equal(frame.rename(columns=renamed), found["found"]["compared"], ("own_verdict", "own_verdict_key", "own_certainty"))
    whole = with_whom(compare.in_units(frame))
    if whole["own"].isna().all():
        whole = whole.assign(own_verdict=np.nan)
    columns = [report_parts.Column(**one) for key in ("compared", "shifts") for one in words()["tables"][key]]
    shown = [[one.text for one in row] for row in cells(whole, columns)]
    assert dashed(shown) == dashed(found["printed"]["compared"])
    said = compare.compared_findings(whole)
    assert [[one.text, one.certainty] for one in said] == [[one["text"], one["certainty"]] for one in found["said"]["compared"]]


def test_numbers_are_rounded_as_python_rounds_them():
    values = [0.25, 0.35, -0.25, 6.25, 6.75, 12.5, 0.125, 1234.55, 1e6 + 0.25, -0.04, 0.0, 2.675, 99.95, -1234.75, 1 / 3]
    script = """
    import { fixed } from "STATIC/format.js"; import fs from "node:fs";
    console.log(JSON.stringify(JSON.parse(fs.readFileSync(0)).map((x) => [0, 1, 2, 3].map((digits) => fixed(x, digits)))));
    """
    assert node(script, values) == [[f"{x:,.{digits}f}" for digits in range(4)] for x in values]


def test_games_that_would_decide_are_worded_as_the_lab_words_them():
    given = [
        [fewest, fewest * times] for fewest in (2, 31, 100, 201, 601, 1_000, 12_345, 1e7, 1e8) for times in (1, 1.02, 30, 1e7)
    ]
    script = """
    import { speak } from "STATIC/words.js"; import { gamesWords } from "STATIC/format.js"; import fs from "node:fs";
    const [words, given] = JSON.parse(fs.readFileSync(0));
    speak(words);
    console.log(JSON.stringify(given.map((ends) => gamesWords(...ends))));
    """
    assert node(script, [words(), given]) == [verdicts.games_words(*ends) for ends in given]


def test_special_functions_are_scipys():
    rng = np.random.default_rng(1)
    given = []
    for _ in range(60):
        a = float(rng.choice([0.5, 1, 3, 7.3, 25, 300, 5000]) * (1 + rng.random()))
        b, p = float(rng.choice([0.5, 3, 40, 2000]) * (1 + rng.random())), float(rng.choice([1e-6, 0.025, 0.3, 0.5, 0.975]))
        x, z = float(a * math.exp(rng.normal() / 2)), float(rng.normal() * 3)
        y = float(np.clip(rng.normal(a / (a + b), 0.1), 1e-3, 0.999))
        n, far = int(rng.integers(10, 100_000)), float(rng.random() * 3000)
        given += [
            ("gammainc", [a, x], special.gammainc(a, x)), ("gammaincc", [a, x], special.gammaincc(a, x)),
            ("gammaincinv", [a, p], special.gammaincinv(a, p)), ("betainc", [a, b, y], special.betainc(a, b, y)),
            ("betaincinv", [a, b, p], special.betaincinv(a, b, p)), ("ndtr", [z], special.ndtr(z)),
            ("ndtri", [p], special.ndtri(p)), ("binomialQuantile", [0.025, n], stats.binom.ppf(0.025, n, 0.5)),
            ("studentAbove", [0.025, n], stats.t.isf(0.025, n)), ("chdtr", [b, x], special.chdtr(b, x)),
            ("chndtr", [far, b, far * (1 + z / 50)], special.chndtr(far, b, far * (1 + z / 50))),
        ]  # fmt: skip
    script = """
    import * as special from "STATIC/special.js"; import fs from "node:fs";
    console.log(JSON.stringify(JSON.parse(fs.readFileSync(0)).map(([name, given]) => special[name](...given))));
    """
    found = node(script, [(name, args) for name, args, _ in given])
    np.testing.assert_allclose(found, [float(want) for _, _, want in given], rtol=1e-9, atol=1e-12)


def test_words_are_json_and_name_the_tables_of_the_report():
    found = json.loads(json.dumps(words(), allow_nan=False))
    assert {*TABLES, "compared", "shifts", "variants"} == set(found["tables"])
    assert set(found["verdicts"]["STRENGTH"]) == set(found["scale"]) == set(found["told"]) == set(found["tones"])
    assert found["mostPlayers"] == names.MOST_PLAYERS
