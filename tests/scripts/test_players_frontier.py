"""The frontier of the players: its file, what shows it, and the script that measures and draws it."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from newdawn.scripts.bench import frontier
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.strategies import registry
from newdawn.strategies.registry import Measured

ROOT = Path(__file__).resolve().parents[2]


def test_the_file_names_strategies_of_the_package_and_fits_itself():
    rows = registry.frontier()
    assert {row.strategy for row in rows} <= set(registry.packaged())
    assert {(row.box, name) for row in rows for name in ("fast", registry.DEFAULT, "adept")} == {
        (box, name) for box in names.BOXES for name in ("fast", registry.DEFAULT, "adept")
    }
    for row in rows:
        assert row.low < row.wins < row.high
        assert row.n >= 100
        assert row.times > 1
    for box in names.BOXES:
        by_time = sorted((row for row in rows if row.box == box), key=lambda row: row.times)
        wins = [row.wins for row in by_time]
        assert wins == sorted(wins)  # nobody is slower and weaker than another


def test_the_list_of_strategies_shows_wins_and_time():
    text = CliRunner().invoke(main, ["strategies"], catch_exceptions=False).output
    for row in registry.frontier():
        if row.box == names.BOXES[0]:
            line = next(line for line in text.splitlines() if line.startswith(f"{row.strategy} "))
            assert f"{row.wins:.0f}% {row.times:>4.3g}x" in line
    assert "fair share: 25%" in text


def test_the_evidence_shows_the_file():
    text = (ROOT / "docs" / "evidence" / "players.md").read_text("utf-8")
    for row in registry.frontier():
        assert f"{row.wins:.1f} [{row.low:.1f}, {row.high:.1f}], n = {row.n:,} | {row.times} |" in text, row


def test_the_picture_is_that_of_the_file(tmp_path):
    frontier.draw(tmp_path / "drawn.svg")
    text = (tmp_path / "drawn.svg").read_text("utf-8")
    assert text.count("<svg") == 1
    assert (ROOT / "docs" / "frontier.svg").is_file()


def test_what_is_measured_replaces_the_row_of_the_strategy(tmp_path, monkeypatch):
    for module in (registry, frontier):
        monkeypatch.setattr(module, "FRONTIER", tmp_path / "frontier.csv")
    assert registry.frontier() == []
    one, other = (
        Measured("base", "quick", 50.0, 48.0, 52.0, 400, 1, 8.5),
        Measured("base", "fast", 45.0, 43.0, 47.0, 400, 1, 4.0),
    )
    frontier.write([one])
    frontier.write([other])
    frontier.write([one._replace(wins=51.0)])
    assert registry.frontier() == [one._replace(wins=51.0), other]


def test_a_measurement_counts_wins_against_planners_and_time():
    row = frontier.measure("base", "fast", 60, 5)
    assert row.n == 60
    assert row.low < row.wins < row.high
    assert row.times == pytest.approx(4, rel=0.7)
