"""The soak goes on where it was stopped, and finds in parts what it finds at once."""

import json

import pytest
from click.testing import CliRunner

from newdawn.scripts.checks import soak

QUICK = ["--seed", "3", "--round-cap", "6", "--jobs", "1"]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(soak, "CHUNK", 4)


def called(*args):
    return CliRunner().invoke(soak.main, [*QUICK, *map(str, args)])


def test_it_goes_on_where_it_was_stopped(tmp_path):
    at_once, in_parts = tmp_path / "at_once.json", tmp_path / "in_parts.json"
    assert called("--games", 12, "--json", at_once).exit_code == 0
    assert called("--games", 8, "--json", in_parts).exit_code == 0
    assert "12 games of random" in called("--games", 12, "--json", in_parts).output
    found = [json.loads(file.read_text()) | {"seconds": 0} for file in (at_once, in_parts)]
    assert found[0] == found[1]


def test_when_its_minutes_are_over_it_says_what_is_left(tmp_path):
    said = called("--games", 12, "--minutes", 0, "--json", tmp_path / "found.json")
    assert (said.exit_code, "stopped before 12: the same command continues" in said.output) == (0, True)


def test_what_another_soak_found_is_not_added_to(tmp_path):
    file = tmp_path / "found.json"
    called("--games", 4, "--json", file)
    said = called("--games", 4, "--json", file, "--seed", 4)
    assert (said.exit_code, "seed is 3, expected 4" in said.output) == (2, True)


def test_other_readings_are_the_same_in_parts(monkeypatch):
    drawn, seen = soak.drawn, []
    monkeypatch.setattr(soak, "DRAWN", 3)
    monkeypatch.setattr(soak, "drawn", lambda *how, **more: (seen.append(how[1]), drawn(*how, **more))[1])
    at_once = soak.soak(8, 3, round_cap=4, box="terra-incognita", switches=5)
    assert seen == [0, 1, 2]
    parts = [soak.soak(n, 3, first, round_cap=4, box="terra-incognita", switches=5) for first, n in ((0, 4), (4, 4))]
    assert soak.together(parts).decisions == at_once.decisions
    assert seen[3:] == [0, 1, 1, 2]
    assert at_once.decisions != soak.soak(8, 3, round_cap=4, box="terra-incognita").decisions
    assert (at_once.games, at_once.violation) == (8, 0)
