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
from in_browser import needs_browser, opened
from test_ladder import STRENGTHS, drawn
from test_sentences_of_answers import changes, differences, effects

from newdawn import analysis
from newdawn.analysis.explorer.server import Desk, Explorer, Films
from newdawn.analysis.pages.parts import svg
from newdawn.analysis.report import answered, build
from newdawn.analysis.report.page import PARTS, html
from newdawn.analysis.tables import strategies as strength
from newdawn.analysis.tables.kept import Kept
from newdawn.simulator import names
from newdawn.simulator.replay.film import write_film
from newdawn.simulator.replay.picture import player_board
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.plan import available_leaders, make_plan, plan_by
from newdawn.simulator.runs.run import run_games
from newdawn.strategies.told import told

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
    kept = Kept(command, "What a change does", {}, tables, words={"a": "A", "b": "B", "kind": "wonder"})
    show(browser, tmp_path, html(answered.build(kept, tmp_path)), "document.getElementById('unfold').click()")
    assert faults(browser) == []


@pytest.mark.soak
@pytest.mark.parametrize("box", names.BOXES)
def test_a_replay(browser, box, tmp_path):
    ruleset = load_ruleset(box=box)
    players = names.MOST_PLAYERS[box]
    plan = plan_by(ruleset.compile(), players=players, games=1, seed=4, strategies=["planner"])
    game = Game(ruleset, plan, 0, instead=told)
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
    desk, films = Desk([runs[box] for box in names.BOXES]), Films(lambda run, game, out: ["true"])
    with Explorer(desk, films) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
    films.close()


VIEWS = ("leaders?run=0&beside=1", "leaders?run=1", "leader/Scythia?run=1", "length?run=0&beside=1", "games?run=1")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.soak
def test_the_explorer(browser, server, view):
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(f"{server.url}#{view}")
    browser.refresh()  # with an address that differs behind # only, a browser stays
    ready = "return document.querySelector('main h2') && !document.querySelector('main.busy')"
    WebDriverWait(browser, 30).until(lambda _: browser.execute_script(ready))
    assert faults(browser) == []
