"""What abilities do in games, read a second time: written apart from the program, in plain Python, from docs/abilities.md.

The games are played in a process of their own: Python looks over the compiled engine's shoulder there (`hooks`). A longer
comparison is `python -m newdawn.scripts.checks.second_reading`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from newdawn.scripts.checks import refusals

GAMES = Path(__file__).parent / "games.py"


def asked(*tasks):
    """Do the tasks in a process of their own; return their answers."""
    command = [sys.executable, str(GAMES), json.dumps(tasks)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def answers():
    printed = [["printed", {"box": box, "games": 6}] for box in ("base", "terra-incognita")]
    words = [["unlike", {"box": box, "number": 57, "abilities": 1500}] for box in ("base", "terra-incognita")]
    words.append(["unlike", {"box": "base", "number": 58, "abilities": 25, "whole": True}])
    drawn = ["compare", {"box": "terra-incognita", "contents": [57], "games": 6, "cap": 12}]
    contract = ["noticed", {"box": "terra-incognita", "number": 2, "abilities": 3000}]
    sensible = [["sensible", {"box": box, "first": 0, "number": 16}] for box in ("base", "terra-incognita")]
    return asked(["breaks", {"box": "base", "number": 3}], *printed, *words, contract, drawn, *sensible)


@pytest.mark.parametrize("box", [1, 2])
def test_printed_abilities_do_what_the_page_says(answers, box):
    assert answers[box]["wrong"] == []
    assert answers[box]["counts"]["numbers of a seat"] > 1000


@pytest.mark.parametrize("nth", [3, 4, 5])
def test_what_can_come_true_is_taken_and_all_else_refused(answers, nth):
    sense, unlike = answers[nth]
    assert unlike == []
    assert sense > 5


def test_content_that_makes_sense_is_accepted(answers):
    for box, contents in zip(("base", "terra-incognita"), answers[8:], strict=True):
        assert [(rules, said) for rules in contents if (said := refusals.refusal(box, rules))] == []


def test_drawn_content_does_what_the_page_says(answers):
    assert answers[7]["wrong"] == []
    assert answers[7]["counts"]["games"] == 6
    assert sum(answers[7]["acted"].values()) > 100


@pytest.mark.parametrize(("nth", "breaks"), [(0, 12), (6, 7)])
def test_what_is_broken_on_purpose_is_noticed(answers, nth, breaks):
    found = dict(answers[nth])
    assert found.pop("nothing") == 0
    assert len(found) == breaks
    assert [name for name, differences in found.items() if not differences] == []
