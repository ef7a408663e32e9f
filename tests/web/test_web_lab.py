"""What the page answers with its own engine is what the lab answers to the commands that the page prints.

Builds the page, minutes; `NEWDAWN_WEB` may name a folder that `newdawn web build` wrote.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from pages import needs_node, node
from test_web_page import among, asked

from newdawn.scripts.cli.main import main

pytestmark = [needs_node, pytest.mark.soak]

ASK = (Path(__file__).parent / "ask.mjs").read_text("utf-8")
ROME = {"leaders.rome.start_trade_tokens.culture": 3, "leaders.rome.start_trade_tokens.science": 3}
QUESTIONS = {
    "base": [
        asked(ROME, games=600), asked({"wonders.petra.cost": 5}, games=150, players=3, strategies=among("all", "quick")),
        asked({"leaders.egypt.available": False}, games=200, players=2, strategies=among("all", "random")),
        asked(ROME, games=200, leaders=among("lineup", "Rome", "Egypt", "Japan", "Aztec")),
    ],
    "terra-incognita": [
        asked({"leaders.rome.start_bonus.trade_tokens": 5}, games=300, box="terra-incognita", players=5),
        asked(
            {"wonders.petra.cost": 5}, games=100, box="terra-incognita", players=3,
            leaders=among("pool", "Rome", "Zulu", "Inca", "China"),
        ),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(request):
    return Path(os.environ["NEWDAWN_WEB"]) if os.environ.get("NEWDAWN_WEB") else request.getfixturevalue("lab")


def told(*words):
    """Return what a command prints as JSON."""
    found = CliRunner().invoke(main, [*words, "--format", "json"], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def equal(rows, theirs, leaving=()):
    """Compare the columns that both have."""
    assert len(rows) == len(theirs)
    for mine, other in zip(rows, theirs, strict=True):
        for name in (mine.keys() & other.keys()) - {*leaving}:
            a, b = mine[name], other[name]
            if isinstance(a, int | float) and not isinstance(a, bool) and isinstance(b, int | float):
                np.testing.assert_allclose(a, float(b), rtol=1e-6, atol=1e-9, err_msg=f"{name} of {other}")
            else:
                assert (name, a) == (name, b) or not (a or b), other


def in_lab_units(rows):
    """Return the rows of a comparison in the unit of `newdawn compare`: shares, not points."""
    ends = ("", "_all_low", "_all_high")
    sizes = {"a", "b", "shared", *(f"{name}{end}" for name in ("difference", "own") for end in ends)}
    scale = {"points": 100, "rounds": 1}
    return [
        {name: value / scale[row["unit"]] if name in sizes and value is not None else value for name, value in row.items()}
        for row in rows
    ]


@pytest.mark.parametrize("box", QUESTIONS)
def test_the_page_answers_as_the_lab(box, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answers = node(ASK, {"folder": str(folder), "questions": QUESTIONS[box]}, seconds=600)
    for number, found in enumerate(answers):
        (tmp_path / "house_rules.yaml").write_text(found["yaml"], "utf-8")
        compare, run, _ = (line.split()[1:] for line in found["commands"])
        run[-1] = f"results/{number}"
        rows = told(*compare, "--quiet")
        known = [row for row in rows if row["difference"] is not None]
        equal(known, in_lab_units(found["tables"]["compared"]))
        assert CliRunner().invoke(main, [*run, "--quiet"], catch_exceptions=False).exit_code == 0
        equal(told("leaders", run[-1]), found["tables"]["leaders"], ("rank",))
        equal(told("wonders", run[-1]), found["tables"]["wonders"])
        equal(told("victory", run[-1]), found["tables"]["agendas"])
        equal(told("game", run[-1], "--part", "length"), [found["length"]])
        equal(told("game", run[-1], "--part", "rounds"), found["tables"]["length"])
        equal(told("game", run[-1], "--part", "seats"), found["tables"]["order"])
