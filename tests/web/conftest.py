"""The folder of the page, built once a session; a folder with recorded games in the place of the engine, and a browser."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from in_browser import opened
from pages import facts_of, names_of, served, write_site

from newdawn import analysis
from newdawn.analysis.web import build
from newdawn.analysis.web.house_rules_form import form_of
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.runs.run import run_games
from newdawn.simulator.runs.run_plan import plan_by

SEATED = ("teams.partners", "wonders.petra.cost", "leaders.rome.start_bonus.trade_tokens")
BOX, PLAYERS, GAMES = "base", 4, 400
ROME = {"leaders": {"rome": {"start_trade_tokens": {"culture": 3, "science": 3}}}}


def built_in(folder: Path) -> Path:
    """Return the folder with the page for both boxes, or skip the test."""
    if shutil.which("node") is None:
        pytest.skip("no Node to run the engine in")
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("no linker for WebAssembly: pip install -e '.[web]'")
    build.build(folder)
    return folder


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the page for both boxes, with the whole form of house rules: minutes of a processor."""
    return built_in(tmp_path_factory.mktemp("lab"))


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the page for both boxes, for a seat at a table: its form has the keys of SEATED only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "cached_form", lambda box: json.dumps(form_of(box, SEATED)).encode())
        return built_in(tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """Return a run by the printed rules and one in which Rome begins with six trade tokens, and the names in them."""
    sides = []
    for ruleset in (load_ruleset(box=BOX), with_overlay(load_ruleset(box=BOX), ROME, "tried")):
        r, folder = ruleset.compile(), tmp_path_factory.mktemp("recorded") / "run"
        run_games(plan_by(r, players=PLAYERS, games=GAMES, seed=1, strategies=["planner"]), ruleset, folder, 1)
        sides.append(analysis.open_run(folder))
    return sides, names_of(r, facts_of(sides[1]))


@pytest.fixture(scope="session")
def site(recorded, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, BOX, *recorded)
    return folder


@pytest.fixture(scope="session")
def address(site):
    with served(site) as (address, _):
        yield address


@pytest.fixture(scope="module")
def browser():
    with opened() as browser:
        yield browser
