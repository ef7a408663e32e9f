"""A report with its games as one file: packed and unpacked, the explorer's figures, in a browser without a server."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from in_browser import needs_browser, opened, out_of_reach
from pages import STATIC, needs_node, node

from newdawn import analysis
from newdawn.analysis.explorer.server import ExplorerRuns
from newdawn.analysis.tables.decoded_games import Events
from newdawn.analysis.web import build, onefile, python_to_javascript
from newdawn.scripts.cli.main import main
from newdawn.simulator import compile_cache
from newdawn.simulator.engine.compile import webassembly
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.film import page, shoot
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import manifest
from newdawn.simulator.runs.run import Player, run_games
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.explained_choices import explained

GAMES, MOST = 400, 4_000_000
EXPLORED = (Path(__file__).parent / "explored.mjs").read_text("utf-8")
WEB = STATIC.parent.as_uri()
REPORT = "<html><head><title>x</title></head><body><h1>The report</h1><a href='#leaders'>leaders</a></body></html>"


def no_linker(*_):
    raise UserError("the linker for WebAssembly is missing")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run in which players are good enough that wonders are built, change hands, and games end."""
    folder, ruleset = tmp_path_factory.mktemp("onefile") / "first", load_ruleset()
    plan = plan_by(ruleset.compile(), players=4, games=GAMES, seed=7, strategies=["planner"], round_cap=18)
    run_games(plan, ruleset, folder, 1)
    return analysis.open_run(folder)


@pytest.fixture(scope="module")
def file(run, tmp_path_factory):
    """Return the file without the engine, for a machine that cannot make it."""
    path = tmp_path_factory.mktemp("file") / "report-with-games.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webassembly, "built", no_linker)
        path.write_text(onefile.page(REPORT, run, {}), "utf-8")
    return path


def answers(file, paths):
    return node(EXPLORED, {"page": str(file), "paths": paths, "root": WEB})


# --- Packing

UNPACK = """
import fs from "node:fs";
import { numbers, unpacked, expanded } from "WEB/games/packed.js";
const { columns, names, n, players } = JSON.parse(fs.readFileSync(0)), found = new Map();
for (const [name, kind, rows, text] of columns) {
  const content = await expanded(new Uint8Array(Buffer.from(text, "base64")));
  found.set(name, { rows, values: numbers(content, kind) });
}
const mapped = (x) => Object.fromEntries(Object.entries(x).map(([name, value]) => [name, plain(value)]));
const plain = (x) => (ArrayBuffer.isView(x) ? [...x] : mapped(x));
console.log(JSON.stringify(plain(unpacked((name) => found.get(name), names, n, players, 0, 1))));
"""


def made_up(seed, n, players, longest):
    """Return games with all that columns can hold: rounds beyond a byte, two claims by one agenda, captures of the unbuilt."""
    rng = np.random.default_rng(seed)
    words = SimpleNamespace(card=[*"abcde"], wonder=[*"uvwxyz"], agenda=[*"klm"])

    def events(names, places, many):
        at = rng.choice(places * names, min(many, places * names), replace=False)
        return Events.of(at % places, at // places, rng.integers(1, longest + 1, len(at)))

    def by_name(names, many):
        """Return events of which a name has one a game, by seat."""
        once = events(names, n, many)
        return Events.of(once.at * players + rng.integers(0, players, len(once.at)), once.what, once.when)

    claims = [events(3, n * players, many) for many in (n, n // 3)]
    whole = [np.concatenate([getattr(one, end) for one in claims]) for end in ("at", "what", "when")]
    order = np.lexsort((whole[2], whole[0]))
    shape = n, players
    return SimpleNamespace(
        words=words, game_id=rng.choice(10 * n, n, replace=False) if seed % 2 else np.arange(5, 5 + n),
        rounds=rng.integers(1, longest + 1, n), decided=rng.random(n) < 0.8, cards=rng.integers(0, 32, n),
        occupied=np.ones(shape, bool),
        leader=rng.integers(0, 12, shape), strategy=rng.integers(0, 3, shape), order=rng.integers(1, players + 1, shape),
        won=rng.choice([0, 12, 30, 60], shape), deck=rng.integers(0, 64, n), revealed=events(6, n, 2 * n), built=by_name(6, n),
        captured=events(6, n, n), claims=Events.of(*(end[order] for end in whole)),
    )  # fmt: skip


@needs_node
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(2, 5), st.sampled_from([20, 255, 256, 1000]))
def test_what_is_packed_comes_out(seed, n, players, longest):
    games = made_up(seed, n, players, longest)
    columns = []
    for name, column in onefile.packed(games).items():
        kind, content = onefile.written(column)
        rows = len(column) if column.ndim > 1 else 1
        columns.append([name, kind, rows, base64.b64encode(onefile.squeezed(content)).decode()])
    script = UNPACK.replace("WEB", WEB)
    found = node(script, {"columns": columns, "names": vars(games.words), "n": n, "players": players})
    assert found["ids"] == games.game_id.tolist()
    assert found["games"]["rounds"] == games.rounds.tolist()
    assert found["games"]["ending"] == (~games.decided).astype(int).tolist()
    in_play = [column for name, column in found["games"].items() if name.startswith("card_")]
    bits = [sum(1 << column[game] for column in in_play if column[game] >= 0) for game in range(n)]
    assert bits == games.cards.tolist()
    for name in ("leader", "strategy", "order"):
        assert found["seats"][name] == getattr(games, name).ravel().tolist()
    assert [round(60 * share) for share in found["seats"]["won"]] == games.won.ravel().tolist()
    wonders, claims = found["wonders"], found["agendas"]
    rows = list(zip(wonders["wonder"], wonders["game_id"], strict=True))
    assert rows == [(wonder, game) for wonder in range(6) for game in range(n)]
    assert wonders["in_deck"] == [games.deck[game] >> wonder & 1 for wonder, game in rows]
    for events, column in ((games.revealed, "round_revealed"), (games.captured, "captures")):
        assert there(rows, wonders[column]) == sorted(zip(events.what, events.at, events.when, strict=True))
    game, seat = np.divmod(games.built.at, players)
    built = sorted(zip(games.built.what, game, games.built.when, seat, strict=True))
    assert there(rows, wonders["round_built"], wonders["builder"]) == built
    told = zip(claims["agenda"], claims["game_id"], claims["seat"], claims["round"], strict=True)
    game, seat = np.divmod(games.claims.at, players)
    assert sorted(told) == sorted(zip(games.claims.what, game, seat, games.claims.when, strict=True))


def there(rows, values, *more):
    """Return name, game and values of the rows in which something happened."""
    return [(*row, value, *others) for row, value, *others in zip(rows, values, *more, strict=True) if value]


def test_a_hundred_thousand_games_fit(run, file):
    index = json.loads(re.search(r'id="newdawn-index">([^<]*)<', file.read_text("utf-8"))[1])
    size = sum(size for name, (_, size) in index.items() if name.startswith("columns/"))
    assert size / GAMES * 100_000 * 4 / 3 < MOST  # more games take less room each


def test_a_seat_without_a_row_is_refused():
    games = made_up(1, 3, 4, 20)
    games.occupied[1, 2] = False
    with pytest.raises(UserError, match=r"^one file: a seat of these games has no row"):
        onefile.packed(games)


# --- Figures

ONE_WINS = "winner=Rome&winner=nobody"
FILTERS = (
    "", "table=Rome", "leader=Rome&leader=Egypt", "seat=1", "order=4&won=yes", "card=Civilized / Money Grubber", ONE_WINS,
    "rounds=13-16", "deck=Petra&players=4", "built=Petra", "built=Petra&built=Stonehenge", "claimed=Technophile",
    "strategy=planner", "rounds=3", "winner=nobody",
)  # fmt: skip
VIEWS = ("leaders", "wonders", "victory", "length")


@pytest.fixture(scope="module")
def both(run, file):
    """Return what the server and the file answer to the same questions."""
    # Who alone wins is beyond the model of who wins: the order of the others is chance in the last digit.
    asked = [(view, one) for one in FILTERS for view in VIEWS if (view, one) != ("leaders", ONE_WINS)]
    paths = [f"{view}?{quote(one, safe='=&')}" for view, one in asked]
    paths += [f"leaders?by={by}" for by in ("seat", "order", "players", "strategy")]
    paths += ["games", "games?from=50&leader=Rome", "game/0/7", f"game/0/{GAMES - 1}"]
    desk = ExplorerRuns([run])
    mine = {path: json.loads(json.dumps(desk.answer(*(path.split("?") if "?" in path else (path, ""))))) for path in paths}
    found = answers(file, ["/api/about", *(f"/api/view/{path}" for path in paths)])
    return {"about": desk.about()} | mine, {"about": found["/api/about"]} | {path: found[f"/api/view/{path}"] for path in paths}


def comparable(found, lab):
    """Return an answer without what the file leaves to the lab: pages of leaders, wonders and cards, possible places, and what
    seats held in the end."""
    found = json.loads(json.dumps(found))
    for side in found.get("summary", ()):
        side["text"] = {name: text.strip() for name, text in side["text"].items() if name != "small sample"}
    found["sections"] = [section for section in found.get("sections", ()) if section["name"] != "holdings"]
    for section in found["sections"]:
        section["note"] = section["note"].partition(" The rank is")[0]
        ranks = [k for k, column in enumerate(section.get("columns", ())) if column["name"] == "rank"]
        for k in ranks:
            assert lab, "the file shows no places"
            for cells in (section["columns"], *(row["cells"] for row in section["rows"])):
                del cells[k]
        for row in section.get("rows", ()):
            for cell in row["cells"]:
                if not str(cell.get("page", "")).startswith("game/"):
                    cell.pop("page", None)
    return found


def differences(lab, found, path=""):
    """Return where two answers differ; numbers may by rounding in the last digits, what is printed may not."""
    if isinstance(lab, dict) and isinstance(found, dict):
        keys = sorted({*lab, *found})
        return [one for key in keys for one in differences(lab.get(key, "nothing"), found.get(key, "nothing"), f"{path}/{key}")]
    if isinstance(lab, list) and isinstance(found, list) and len(lab) == len(found):
        return [one for k, pair in enumerate(zip(lab, found, strict=True)) for one in differences(*pair, f"{path}/{k}")]
    if isinstance(lab, float) and isinstance(found, int | float):
        return [] if np.isclose(lab, found, rtol=1e-6, atol=1e-9) else [f"{path}: {lab} is here {found}"]
    return [] if lab == found else [f"{path}: {lab!r} is here {found!r}"]


@needs_node
def test_the_file_answers_as_the_explorer(both):
    lab, found = both
    assert found.pop("about") == lab["about"]
    apart = {path: differences(comparable(lab[path], True), comparable(one, False)) for path, one in found.items()}
    assert {path: one for path, one in apart.items() if one} == {}
    judged = [row["cells"] for row in found["leaders?"]["sections"][0]["rows"]]
    assert judged
    assert found["leaders?"]["sections"][0]["tiers"]
    assert found["leaders?rounds=3"]["sections"] == []
    assert found["leaders?rounds=3"]["summary"][0]["games"] == 0


@needs_node
def test_what_cannot_be_asked_is_said_in_a_sentence(file):
    wrong = {
        "view/nothing": "unknown view 'nothing': expected one of leaders, wonders, victory, length, games",
        "view/leaders?by=colour": "unknown grouping of the leaders 'colour': expected one of seat, order, players, strategy",
        "view/leaders?leader=Narnia": "unknown leader 'Narnia': expected one of ",
        "view/leaders?colour=red": "unknown condition 'colour': expected one of ",
        "view/length?rounds=20-13": "rounds: '20-13': expected a round, or a range such as 13-23",
        "view/length?rounds=1&rounds=2": "rounds: appears twice; expected one round, or a range such as 13-23",
        "view/games?from=-1": "from: '-1': expected a whole number",
        "view/leaders?from=1": "from: only the view 'games' has it",
        "view/leaders?beside=1": "beside: there is one run in this file; expected 0",
        "view/game/0/99999": "game: 99999 is not among the 400 finished games of the run",
        "view/game/0/x": "game: 'x': expected a whole number",
        f"view/leaders?{'&'.join(f'rounds={k}' for k in range(21))}": "rounds: 21 values; expected at most 20",
    }  # fmt: skip
    found = answers(file, [f"/api/{path}" for path in wrong])
    for path, sentence in wrong.items():
        assert found[f"/api/{path}"]["error"].startswith(sentence)


# --- The command


def test_a_run_that_is_too_large_is_refused(run, monkeypatch):
    monkeypatch.setattr(onefile, "MOST_GAMES", 100)
    found = CliRunner().invoke(main, ["report", str(run.path), "--one-file"])
    assert found.exit_code == 2
    assert "--one-file: " in found.stderr
    assert "has 400 games; expected at most 100" in found.stderr
    assert f"`newdawn explore {run.path}`" in found.stderr.replace("\n", " ")


def test_one_file_needs_the_page(run):
    found = CliRunner().invoke(main, ["report", str(run.path), "--one-file", "--no-page"])
    assert found.exit_code == 2
    assert "--one-file and --no-page: expected one of the two" in found.stderr


def test_players_in_python_are_left_to_the_lab(run, monkeypatch):
    monkeypatch.setattr(build, "functions", list)
    assert onefile._unplayable(run) == "planner is a strategy in Python, which no page can run"
    monkeypatch.setattr(onefile, "own_functions", lambda _: ["mine:act"])
    assert onefile._unplayable(run) == "House rules of these games call a Python function, which no page can run"
    monkeypatch.setattr(compile_cache, "same_games", lambda _: False)
    assert onefile._unplayable(run) == "These games were played by another version of the lab"


# --- In a browser, as a file


@pytest.fixture(scope="module")
def browser():
    with opened() as browser:
        yield browser


@pytest.fixture(scope="module")
def written(run, tmp_path_factory):
    """Return the file that the command writes."""
    out = tmp_path_factory.mktemp("written")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webassembly, "built", no_linker)
        asked = ["report", str(run.path), "--one-file", "--boards", "0", "--no-charts", "--out", str(out), "--quiet"]
        assert CliRunner().invoke(main, asked, catch_exceptions=False).exit_code == 0
    return out / "report-with-games.html"


UNTIL = """
const done = arguments[0], end = Date.now() + 1000 * SECONDS, look = () => {
  const found = (() => { SCRIPT })();
  found || Date.now() > end ? done(found) : setTimeout(look, 20);
};
look();
"""


def until(browser, script, seconds=50):
    """Return what a script comes to as soon as that is something."""
    return browser.execute_async_script(UNTIL.replace("SCRIPT", script).replace("SECONDS", str(seconds)))


def go(browser, file, place):
    browser.get("about:blank")
    browser.get(f"{file.as_uri()}{place}")


@needs_browser
def test_the_file_opens_without_a_server(written, browser):
    go(browser, written, "")
    line = browser.find_element("css selector", "#newdawn-games a")
    assert line.text == "Explore the 400 games of this report"
    assert until(browser, "return document.querySelector('h2.headline')") is not None, "the report is the page"
    assert out_of_reach(browser) == []
    line.click()
    rows = until(browser, "return document.getElementById('views') && document.querySelectorAll('#leaders tbody tr').length")
    assert rows > 8
    assert browser.execute_script("return document.querySelector('h2').textContent") == "Leaders"
    for width in (1400, 390):
        browser.set_window_size(width, 1000)
        assert out_of_reach(browser) == []
    browser.set_window_size(1400, 1000)
    browser.execute_script(
        "const field = document.querySelector('[data-name=table]'); field.value = 'Rome'; "
        "field.dispatchEvent(new Event('change'))"
    )
    assert until(browser, "return location.hash.includes('table=Rome') && document.querySelector('#set li')") is not None
    browser.find_element("link text", "← the report").click()
    assert until(browser, "return document.querySelector('#newdawn-games')") is not None
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []


def test_the_tables_of_the_report_are_in_the_file(written):
    html = written.read_text("utf-8")
    index, whole = (re.search(rf'id="newdawn-{part}">([^<]*)<', html)[1] for part in ("index", "bytes"))
    at, size = json.loads(index)["beside/leaders.csv"]
    content = zlib.decompress(base64.b64decode(whole)[at : at + size], -zlib.MAX_WBITS)
    assert content == (written.parent / "leaders.csv").read_bytes()
    assert html.count('href="leaders.csv"') == 1


@needs_browser
def test_games_are_left_to_the_lab_where_the_engine_is_not_in_the_file(written, run, browser):
    go(browser, written, "#explore/game/0/7")
    until(browser, "return document.getElementById('watch')").click()
    told = until(browser, "return document.querySelector('#watch + div').textContent")
    command = f"newdawn replay --run {run.path} --game 7 --html game-7.html"
    assert told == f"The engine is not in this file; the lab replays its games: {command}"


@needs_browser
@pytest.mark.parametrize(("place", "said"), [
    ("nothing", "unknown view 'nothing'"), ("leaders?leader=Narnia", "unknown leader 'Narnia'"),
    ("game/0/9999", "game: 9999 is not among the 400"), ("%E0%A4%A/<script>", "unknown view"),
])  # fmt: skip
def test_a_bad_address_is_answered_in_the_page(place, said, written, browser):
    go(browser, written, f"#explore/{place}")
    assert said in until(browser, "return document.querySelector('[role=alert]')?.textContent")
    assert browser.execute_script("return document.querySelector('main a').getAttribute('href')") == "#explore/leaders"


@needs_browser
def test_counts_in_words_agree_with_what_is_counted(written, browser):
    go(browser, written, "#explore/games?from=9999")
    told = "return document.querySelector('.pages')?.innerText.replaceAll('\\n', ' ')"
    assert until(browser, told) == "← earlier no more than 400 games match"
    browser.find_element("link text", "← earlier").click()
    until(browser, f"{told}.includes('games 351 to 400 of 400')")
    go(browser, written, "#explore/length")
    titles = until(browser, "return [...document.querySelectorAll('svg rect title')].map(one => one.textContent)")
    assert [text for text in titles if ": 1 games" in text] == []


@needs_browser
def test_a_damaged_file_says_so(written, browser, tmp_path):
    damaged = tmp_path / "damaged.html"
    text = written.read_text("utf-8")
    begin = text.index('id="newdawn-bytes">') + 19
    damaged.write_text(text[:begin] + "!" + text[begin + 1 :], "utf-8")
    go(browser, damaged, "#explore/leaders")
    told = until(browser, "return document.querySelector('#newdawn-wrong')?.textContent")
    assert told.startswith("The games in this file are damaged; get the file again.")


# --- With the engine: the games again, to the byte

REPLAYED = """
import fs from "node:fs";
const { page, games, folder } = JSON.parse(fs.readFileSync(0)), html = fs.readFileSync(page, "utf-8");
const part = (id) => new RegExp(`id="${id}">([^<]*)<`).exec(html)[1], index = JSON.parse(part("newdawn-index"));
const all = new Uint8Array(Buffer.from(part("newdawn-bytes"), "base64")), { expanded } = await import(`${folder}/games/packed.js`);
const read = async (name) => expanded(all.subarray(index[name][0], index[name][0] + index[name][1]));
const { film } = await import(`${folder}/games/replay.js`), run = JSON.parse(new TextDecoder().decode(await read("run.json"))), found = [];
for (const game of games) {
  const { tables, page: text } = await film(run, game, read), coded = ([name, bytes]) => [name, Buffer.from(bytes).toString("base64")];
  found.push({ rows: Object.fromEntries(Object.entries(tables.bytes).map(coded)), page: text });
}
console.log(JSON.stringify(found));
"""  # noqa: E501
POOL = {"strategy_pool": ["planner", "random"]}
AGAIN = (("base", 4, ["planner"], {}), ("terra-incognita", 3, ["quick"], {}), ("base", 2, None, POOL))


@pytest.mark.soak
@needs_node
@pytest.mark.parametrize("asked", AGAIN, ids=str)
def test_games_are_played_again_to_the_byte(asked, tmp_path):
    box, players, strategies, more = asked
    ruleset, folder = load_ruleset(box=box), tmp_path / "run"
    plan = plan_by(ruleset.compile(), players=players, games=30, seed=9, strategies=strategies, **more)
    run_games(plan, ruleset, folder, 1)
    run, path = analysis.open_run(folder), tmp_path / "file.html"
    path.write_text(onefile.page(REPORT, run, {}), "utf-8")
    for name in ("static", "games"):
        shutil.copytree(STATIC.parent / name, tmp_path / name)
    (tmp_path / "games" / "lab.js").write_bytes(python_to_javascript.lab_script())
    games, contents = [0, 17, 29], manifest.contents(folder)
    found = node(REPLAYED, {"page": str(path), "games": games, "folder": tmp_path.as_uri()}, seconds=300)
    player = Player(contents.plan, contents.ruleset.compile())
    for game, replayed in zip(games, found, strict=True):
        rows = player.rows(1)
        used = player.play(game, 1, rows, 0, 0)
        tables = {name: getattr(rows, name) for name in ("games", "seats", "wonders", "agendas")}
        tables["agendas"] = tables["agendas"][:used]
        assert replayed["rows"] == {name: base64.b64encode(table.tobytes()).decode() for name, table in tables.items()}
        lab = Game(contents.ruleset, contents.plan, game, instead=explained)
        assert replayed["page"] == page(lab, shoot(lab))


@pytest.mark.soak
@needs_browser
def test_a_game_is_watched_in_the_page(run, browser, tmp_path):
    path = tmp_path / "whole.html"
    path.write_text(onefile.page(REPORT, run, {}), "utf-8")
    go(browser, path, "#explore/game/0/7")
    until(browser, "return document.getElementById('watch')").click()
    assert until(
        browser, "return document.querySelector('iframe.film')?.contentDocument?.getElementById('told')?.children.length"
    )
    line = browser.execute_script("return document.querySelector('#watch + div p').innerText")
    assert line.startswith("Played again: the same game")
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []
