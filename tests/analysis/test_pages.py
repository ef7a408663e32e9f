"""Pages as a browser shows them, on a telephone, a small and a large screen, by day and night: nothing is cut or overlaps.

One run a box, one report of it, one browser. What is looked for: layout.js.
"""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from in_browser import needs_browser, opened, out_of_reach
from test_ladder import STRENGTHS, drawn
from test_sentences_of_answers import changes, differences, effects

from newdawn import analysis
from newdawn.analysis.explorer.server import Explorer, ExplorerRuns, Films
from newdawn.analysis.pages.chart_svg import svg
from newdawn.analysis.report import answer_page, build
from newdawn.analysis.report.page import PARTS, html
from newdawn.analysis.tables import strategy_strength as strength
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.simulator import names
from newdawn.simulator.replay.film import write_film
from newdawn.simulator.replay.player_boards import player_board
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import available_leaders, make_plan, plan_by
from newdawn.strategies.explained_choices import explained

pytestmark = needs_browser

LOOKS = ((390, "light"), (1024, "light"), (1440, "light"), (1024, "dark"))  # where a text lies is the same by day and night
LAYOUT = (Path(__file__).parent / "layout.js").read_text("utf-8")
GAMES = 150


@pytest.fixture(scope="module")
def browser():
    with opened() as browser:
        yield browser


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return a run of each box: all of its leaders, players that know what they do."""
    found = {}
    for box in names.BOXES:
        ruleset, folder = load_ruleset(box=box), tmp_path_factory.mktemp("pages") / box
        leaders = available_leaders(ruleset.compile())
        plan = make_plan(available_leaders=leaders, players=4, games=GAMES, seed=3, strategies=["planner"], box=box)
        run_games(plan, ruleset, folder, 1)
        found[box] = analysis.open_run(folder)
    return found


def faults(browser, looks=LOOKS):
    """Return what is wrong with the page that is open, at every width, light, and in the middle one also dark."""
    found = []
    for width, theme in looks:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": theme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.execute_script("dispatchEvent(new Event('resize'))")
        limits = {"SMALLEST": 8, "NEARLY": 72 if width > 600 else 0, "FILL": 0.8, "PALEST": 4}
        settings = "".join(f"const {name} = {value};" for name, value in limits.items())
        found += [f"{width} {theme}: {fault}" for fault in browser.execute_script(settings + LAYOUT)]
    return found


def show(browser, folder, page, script=""):
    """Open a page, its text given, in the browser."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    browser.get(path.as_uri())
    browser.execute_script(script)


@pytest.mark.soak
@pytest.mark.parametrize("box", names.BOXES)
def test_a_report(browser, runs, box, tmp_path):
    show(browser, tmp_path, html(build(runs[box], boards=60)), "document.getElementById('unfold').click()")
    assert faults(browser) == []
    assert out_of_reach(browser) == []
    if box == names.BOXES[names.BASE_BOX]:
        return
    # As many leaders as there may be, in the place of the chart of this run's 18.
    leaders = [f"Leader {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWX"]
    pairs = [(a, b) for a in leaders for b in leaders if a != b]
    frame = pd.DataFrame(pairs, columns=["leader", "opponent"]).assign(win_rate=np.linspace(0, 1, len(pairs)))
    (chart,) = next(part for part in PARTS if part.key == "matchups").charts
    chart = svg(partial(chart.draw, frame), "many", "24 leaders", chart.height(frame), chart.width(frame))
    browser.execute_script("document.querySelector('#matchups .picture').innerHTML = arguments[0]", chart)
    assert browser.execute_script("return document.querySelectorAll('#matchups .picture text').length") > 24 * 24
    assert faults(browser, LOOKS[:3]) == []
    whole = "const box = document.querySelector('#matchups .picture'); return box.scrollWidth <= box.clientWidth"
    assert browser.execute_script(whole)


ANSWERS = {
    "compare": {"differences": lambda: differences(1, 3000)},
    "experiment": {"effects": lambda: effects(1, 3000)},
    "sensitivity": {"changes": lambda: changes(1, 3000)},
    "ladder": {"ratings": lambda: strength.rated(drawn(np.random.default_rng(1), 300, STRENGTHS))},
}


@pytest.mark.parametrize("command", ANSWERS)
def test_the_page_of_an_answer(browser, command, tmp_path):
    tables = {name: made() for name, made in ANSWERS[command].items()}
    kept = KeptAnswer(command, "What a change does", {}, tables, words={"a": "A", "b": "B", "kind": "wonder"})
    show(browser, tmp_path, html(answer_page.build(kept, tmp_path)), "document.getElementById('unfold').click()")
    assert faults(browser) == []
    assert out_of_reach(browser) == []


@pytest.mark.soak
@pytest.mark.parametrize("box", names.BOXES)
def test_a_replay(browser, box, tmp_path):
    ruleset = load_ruleset(box=box)
    players = names.MOST_PLAYERS[box]
    plan = plan_by(ruleset.compile(), players=players, games=1, seed=4, strategies=["planner"])
    game = Game(ruleset, plan, 0, instead=explained)
    write_film(game, tmp_path / "game.html", last_round=8)
    browser.get((tmp_path / "game.html").as_uri())
    assert "The game goes on after round 8" in browser.find_element("css selector", ".headline").text
    marks = 0
    for frame in (0, 3 * players, 8 * players):
        browser.execute_script("show(arguments[0])", frame)
        shown = [len(browser.find_elements("css selector", f"#seat{seat} .pb-change")) for seat in range(players)]
        assert frame or not any(shown), "there is nothing before the set-up"
        marks += sum(shown)
        assert faults(browser) == []
    assert marks
    for seat in range(players):  # the last turn's boards are drawn with all that is in them, and say it without colours
        board, text = player_board(game.words, seat), browser.find_element("css selector", f"#seat{seat}").text
        said = [
            board["leader"],
            f"dial {board['dial']['at']} of {board['dial']['last']}",
            *(card["name"] for card in board["row"]),
        ]
        said += [one["what"] for group in board["has"].values() for one in group if one["n"] != 1]
        for card in board["victory"]:
            parts = [part for agenda in card["agendas"] for part in agenda["parts"]]
            said += [f"✓ {card['claimed']}"] if card["claimed"] else [f"{part['has']} of {part['needs']}" for part in parts]
        assert [words for words in said if words not in text] == []
    boards = "return [...document.querySelectorAll('.seat')].filter(board => board.checkVisibility()).map(board => board.id)"
    choose = "const box = document.getElementById('whose'); box.value = arguments[0]; box.dispatchEvent(new Event('change'));"
    assert len(browser.execute_script(boards)) == players
    assert browser.execute_script(f"{choose} {boards}", "now") == browser.execute_script("return [`seat${frames[now].seat}`]")
    assert browser.execute_script(f"{choose} {boards}", "1") == ["seat1"]


@pytest.fixture(scope="module")
def server(runs):
    desk, films = ExplorerRuns([runs[box] for box in names.BOXES]), Films(lambda run, game, out: ["true"])
    with Explorer(desk, films) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
    films.close()


VIEWS = ("leaders?run=0&beside=1", "leaders?run=1", "leader/Scythia?run=1", "length?run=0&beside=1", "games?run=1")


@pytest.fixture
def window(browser):
    """A window of a laptop, by day."""
    metrics = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
    return browser


def answered_page(browser, address):
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get("about:blank")
    browser.get(address)
    ready = "return document.querySelector('main h2') && !document.querySelector('main.busy')"
    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(ready))


@pytest.mark.parametrize(("view", "limit"), [("leaders?run=1", 300), ("leaders?run=0&beside=1", 400), ("wonders?run=0", 300)])
def test_the_explorers_answer_is_above_the_fold(window, server, view, limit):
    """The first row of figures; the filters are one row that unfolds, every choice has its words, no column is of zeros."""
    answered_page(window, f"{server.url}#{view}")
    top = window.execute_script("return document.querySelector('main tbody td').getBoundingClientRect().top")
    assert top < limit
    assert window.execute_script("return document.getElementById('filter').getBoundingClientRect().height") < 50
    unlabelled = "return [...document.querySelectorAll('select, input')].filter(one => !one.labels.length).map(one => one.id)"
    assert window.execute_script(unlabelled) == []
    columns = """return [...document.querySelectorAll('main table')].flatMap(table => {
        const rows = [...table.tBodies].flatMap(body => [...body.rows]).filter(row => row.cells.length > 1);
        return [...[...table.tHead.rows].at(-1).cells].map((head, i) => [
            head.innerText, rows.map(row => row.cells[i].innerText.trim())]); })"""
    assert [head for head, cells in window.execute_script(columns) if set(cells) <= {"0", "0.0", "-"}] == []
    assert "unfinished" not in window.execute_script("return document.querySelector('.summary').innerText")
    window.execute_script("document.getElementById('conditions').open = true")
    assert window.execute_script("return document.querySelector('[data-name=leader]').getBoundingClientRect().height") > 0
    assert out_of_reach(window) == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("leaders", "no such page"), ("film/0/99999", "99999"), ("#leader/Skythia", "did you mean 'Scythia'"),
        ("#nonsense", "unknown view"), ("#leaders?run=7", "7"), ("#leaders?rounds=x", "x"),
    ],
)  # fmt: skip
def test_a_bad_address_is_answered_in_the_explorers_page(window, server, address, words):
    answered_page(window, f"{server.url}{address}")
    assert words in window.find_element("css selector", "main [role=alert]").text
    assert window.find_element("css selector", "main a").text == "the leaders"
    window.find_element("css selector", "main a").click()
    answered_page(window, window.current_url)
    assert window.find_elements("css selector", "main tbody td")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.soak
def test_the_explorer(browser, server, view):
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(f"{server.url}#{view}")
    browser.refresh()  # with an address that differs behind # only, a browser stays
    ready = "return document.querySelector('main h2') && !document.querySelector('main.busy')"
    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(ready))
    assert faults(browser) == []
    assert out_of_reach(browser) == []
