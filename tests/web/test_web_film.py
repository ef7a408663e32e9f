"""The film of a game that a page makes by itself is the lab's, to the byte: its functions and templates, as JavaScript."""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path

import pytest
from pages import STATIC, needs_node, node

from newdawn.analysis.web import build, python_to_javascript
from newdawn.simulator.engine import counts, state
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.film import page, shoot
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.record import RULES
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.explained_choices import explained

POINTS = {"scores": {"points": {"cities": 2, "world_wonders": 1}, "after_round": 8}}
PLAYED = (
    ("base", 4, {}, ["planner"], 2), ("base", 2, POINTS, ["planner", "random"], 1), ("terra-incognita", 3, {}, ["planner"], 4),
    *(pytest.param(asked, marks=pytest.mark.soak) for asked in (
        *(("base", 4, {}, ["planner", "random"] * 2, game) for game in range(5, 15)),
        *(("terra-incognita", 5, {}, ["planner"], game) for game in range(5, 15)), ("base", 3, {}, ["quick"], 1),
    )),
)  # fmt: skip
SCRIPT = """
import fs from "node:fs";
const { folder, steps, asked } = JSON.parse(fs.readFileSync(0)), bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const { filmOf } = await import(`${folder}/games/film.js`), { Fields } = await import(`${folder}/static/engine.js`);
const turns = steps.map((step) => ({ ...step, state: bytes(step.state) }));
console.log(JSON.stringify(await filmOf({ ...asked, rules: bytes(asked.rules), Fields }, turns)));
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """Return a folder with the scripts of the page, those that are made of the lab's functions among them."""
    folder = tmp_path_factory.mktemp("scripts")
    for name in ("static", "games"):
        shutil.copytree(STATIC.parent / name, folder / name)
    (folder / "games" / "lab.js").write_bytes(python_to_javascript.lab_script())
    return folder


def recorded(game: Game) -> list[dict]:
    """Return what a page reads off a game after the set-up and each turn."""

    def seen() -> dict:
        w = game.work
        asked, options = w.asked[: w.asked_n].tolist(), w.asked_options[: w.asked_options_n].tolist()
        w.asked_n = w.asked_options_n = 0
        return {"state": coded(game.states.tobytes()), "log": game.rows, "asked": {"rows": asked, "options": options}}

    return [seen(), *(seen() for _ in game.turns())]


def coded(content: bytes) -> str:
    return base64.b64encode(content).decode()


@needs_node
@pytest.mark.parametrize("asked", PLAYED, ids=str)
def test_the_film_is_that_of_the_lab(asked, scripts):
    box, players, overlay, strategies, number = asked
    ruleset = load_ruleset(box=box)
    ruleset = with_overlay(ruleset, overlay, "tried") if overlay else ruleset
    plan = plan_by(ruleset.compile(), players=players, games=20, seed=3, strategies=strategies, round_cap=60)
    lab = Game(ruleset, plan, number, instead=explained)
    steps = recorded(Game(ruleset, plan, number, instead=explained))
    given = {
        "plan": {"players": players, "seed": 3, "roundCap": 60}, "game": number, "strategies": lab.strategies,
        "rules": coded(ruleset.compile().tobytes()), "fields": python_to_javascript.fields_of_names(),
        "layouts": {"rules": build.layout(RULES), "state": build.layout(state.STATE)},
    }  # fmt: skip
    found = node(SCRIPT, {"folder": scripts.as_uri(), "steps": steps, "asked": given})
    whole = page(lab, shoot(lab))
    assert first_difference(whole, found) == ""


def first_difference(lab: str, page: str) -> str:
    at = next((k for k, (a, b) in enumerate(zip(lab, page, strict=False)) if a != b), min(len(lab), len(page)))
    return "" if lab == page else f"{lab[max(at - 100, 0) : at + 100]!r} is here {page[max(at - 100, 0) : at + 100]!r}"


def outside(x):
    return json.dumps(x)


def test_what_cannot_be_translated_is_named():
    with pytest.raises(UserError, match=r"test_web_film:outside cannot be translated for a page$"):
        python_to_javascript.script({"outside": outside}, {})


@needs_node
def test_bits_beyond_32_are_counted_as_in_python(tmp_path):
    """Forts are tiles with numbers from 31: JavaScript's own operators would take tiles 4 and 36 for one (T3.4)."""
    shutil.copytree(STATIC.parent / "games", tmp_path / "games")
    (tmp_path / "games" / "tiles.js").write_text(python_to_javascript.script({"tiles": counts.city_tiles}, {}), "utf-8")
    tiles = [4, 36, 31, 36, 30, 32, 31, 0]
    ask = """
import fs from "node:fs";
const { folder, tiles } = JSON.parse(fs.readFileSync(0)), lab = await import(`${folder}/games/tiles.js`);
const g = { city_count: [tiles.length], cities: [tiles.map((_, k) => k)], tile: tiles };
console.log(JSON.stringify(lab.tiles(null, g, 0, 0)));
"""
    assert node(ask, {"folder": tmp_path.as_uri(), "tiles": tiles}) == len(set(tiles))


def test_scripts_are_made_alike():
    assert python_to_javascript.lab_script() == python_to_javascript.lab_script()


def test_the_folder_of_the_page_is_that_of_the_package():
    assert {path.name for path in (Path(STATIC).parent / "games").iterdir()} >= {"film.js", "python.js", "replay.js"}
