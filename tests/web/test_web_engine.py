"""The engine in a page: the same games as here, to the byte, and one sentence for what is wrong."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from newdawn.analysis.web import build
from newdawn.simulator import names as words
from newdawn.simulator.engine.compile import webassembly
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Player
from newdawn.simulator.runs.run_folder import victory_card_names
from newdawn.simulator.runs.run_plan import plan_by

HERE = Path(__file__).parent
COUNTS = {"base": (2, 3, 4), "terra-incognita": (2, 3, 4, 5)}
PLAYED = [
    *((box, players, ["planner"], 200) for box, counts in COUNTS.items() for players in counts),
    *((box, players, [name], 30) for box, counts in COUNTS.items() for players in counts for name in ("quick", "fast")),
    ("base", 4, ["planner", "quick", "random", "warrior"], 30),
    ("base", 3, ["search"], 3),
    ("terra-incognita", 3, ["thinker"], 2),
]


def natively(box: str, rules=None, **settings) -> dict[str, bytes]:
    """Return the rows of games played here."""
    r = load_ruleset(rules or (), box=box).compile()
    plan = plan_by(r, **settings)
    player = Player(plan, r)
    rows = player.rows(plan.games)
    used = player.play(0, plan.games, rows, 0, 0)
    found = {name: getattr(rows, name) for name in build.ROWS}
    found["agendas"] = found["agendas"][:used]
    return {name: table.tobytes() for name, table in found.items()}


def in_node(lab: Path, folder: Path, asked: list[dict]) -> None:
    """Let Node play what is asked; rows, tables and errors lie in the folder."""
    question = folder / "question.json"
    question.write_text(json.dumps(asked))
    subprocess.run(["node", str(HERE / "play.mjs"), str(lab), str(question), str(folder)], check=True)


def rows_of(folder: Path, k: int) -> dict[str, bytes]:
    assert not (folder / f"{k}-error").exists(), (folder / f"{k}-error").read_text()
    return {name: (folder / f"{k}-{name}").read_bytes() for name in build.ROWS}


def plan(box: str, players: int, strategies: list[str], **more) -> dict:
    kind = "all" if len(strategies) == 1 else "seats"
    return {"box": box, "players": players, "seed": 5, "strategies": {"kind": kind, "names": strategies}, **more}


@pytest.mark.soak
def test_the_same_games_to_the_byte(lab, tmp_path):
    asked = [{"plan": plan(box, players, names), "first": 0, "games": n} for box, players, names, n in PLAYED]
    in_node(lab, tmp_path, asked)
    for k, (box, players, names, n) in enumerate(PLAYED):
        here = natively(box, players=players, games=n, seed=5, strategies=names)
        assert rows_of(tmp_path, k) == here, (box, players, names)


@pytest.mark.soak
def test_leaders_pools_house_rules_and_packs(lab, tmp_path):
    atlantis = tmp_path / "atlantis.yaml"
    atlantis.write_text(
        "leaders:\n  atlantis:\n    name: Atlantis\n    leader: Kleito\n"
        "    start_row: [culture, science, economy, industry, military]\n"
        "    abilities: [{effect: combat, amount: 2}]\n"
    )
    rule = tmp_path / "rule.yaml"
    rule.write_text("wonders: {petra: {cost: 5}}\nleaders: {japan: {available: false}}\n")
    packed = tmp_path / "atlantis.newdawn"
    packed.write_bytes(build.pack(load_ruleset([atlantis])))
    changes = {"wonders.petra.cost": 5, "leaders.japan.available": False}
    line_up = ["Rome", "Egypt", "Aztec"]
    asked = [
        {"plan": plan("base", 3, ["planner"], leaders={"kind": "lineup", "names": line_up}), "first": 0, "games": 20},
        {"plan": plan("base", 4, ["planner"]), "changes": changes, "first": 0, "games": 40},
        {"plan": plan("base", 4, ["planner"]), "pack": str(packed), "first": 0, "games": 40},
        {
            "plan": plan("base", 2, []) | {"strategies": {"kind": "pool", "names": ["planner", "random"]}},
            "first": 0,
            "games": 40,
        },
    ]
    in_node(lab, tmp_path, asked)
    settings = {"games": 40, "seed": 5, "strategies": ["planner"]}
    assert rows_of(tmp_path, 0) == natively("base", players=3, leaders=line_up, **settings | {"games": 20})
    assert rows_of(tmp_path, 1) == natively("base", [rule], players=4, **settings)
    assert rows_of(tmp_path, 2) == natively("base", [atlantis], players=4, **settings)
    pool = {"players": 2, "games": 40, "seed": 5, "strategy_pool": ["planner", "random"]}
    assert rows_of(tmp_path, 3) == natively("base", **pool)
    told = json.loads((tmp_path / "2.json").read_text())
    assert told["names"]["leader"][-1] == "Atlantis"
    assert told["names"]["card"] == victory_card_names(load_ruleset([atlantis]).compile())
    assert sum(told["seats"]["won"]) == pytest.approx(sum(np.array(told["games"]["ending"]) == words.VICTORY), abs=1e-6)


@pytest.mark.soak
def test_what_is_wrong_is_said_in_a_sentence(lab, tmp_path):
    good = plan("base", 4, ["planner"])
    wrong = [
        (good | {"players": 5}, {}, "players: 5 is not valid; expected a whole number from 2 to 4"),
        (
            good | {"leaders": {"kind": "lineup", "names": ["Rome"]}},
            {},
            "leaders: 1 named for 4 players; expected one a player",
        ),
        (good | {"strategies": {"kind": "all", "names": ["planer"]}}, {}, "unknown strategy 'planer'"),
        (good, {"wonders.petra.cost": 500}, "wonders.petra.cost: 500 is not valid"),
        (good, {"scores.after_round": 5}, "scores.points: expected points for something"),
        (good, {"wonders.petra": 5}, "unknown key 'wonders.petra' in the form"),
    ]
    asked = [{"plan": plan_, "changes": changes, "first": 0, "games": 1} for plan_, changes, _ in wrong]
    asked.append({"plan": good, "first": 0, "games": 1_000_000})
    in_node(lab, tmp_path, asked)
    for k, (_, _, sentence) in enumerate(wrong):
        assert (tmp_path / f"{k}-error").read_text().startswith(sentence)
    assert (tmp_path / f"{len(wrong)}-error").read_text().startswith("the memory of this tab is full")


def test_a_new_numba_is_said_in_a_line(monkeypatch):
    monkeypatch.setattr(webassembly, "DIGEST", "other")
    with pytest.raises(UserError, match=r"^numba \S+ is new to this program, which cannot make WebAssembly of its code$"):
        webassembly.check()


def test_a_missing_linker_is_said_in_a_line(monkeypatch):
    monkeypatch.setattr(webassembly, "find_spec", lambda _: None)
    monkeypatch.setattr(webassembly.direct_calls, "digest", lambda places: webassembly.DIGEST)
    with pytest.raises(UserError, match=r"-m pip install ziglang$"):
        webassembly.check()


def test_functions_of_ones_own_are_not_packed(monkeypatch):
    monkeypatch.setattr(build, "own_functions", lambda _: ["mine:act"])
    with pytest.raises(UserError, match=r"^mine:act: a page has no functions of your own"):
        build.pack(load_ruleset())
