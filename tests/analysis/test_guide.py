"""`import analysis` is what docs/analysis.md says: functions, columns, intervals."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from known import known_run, with_places
from test_focus_cards import run_of as with_focus_cards
from test_game import MANIFEST
from test_questions_of_the_box import boxed
from test_rounds import drawn as drawn_rounds
from test_rounds import run_of as with_rounds

from newdawn import analysis
from newdawn.analysis.tables.column_meanings import COLUMNS, SHARE, declared, format_of
from newdawn.analysis.tables.rendering import for_reading
from newdawn.scripts.checks import calibrate
from newdawn.scripts.house import guide

PAGE = Path(__file__).resolve().parents[2] / "docs" / "analysis.md"
# The page says in words what these return.
OTHERWISE = (
    "open_run", "overview", "matchup_matrix", "open_plays", "compare_plays", "compare_tables", "games_needed", "agreement",
    "over_players",
)  # fmt: skip


@pytest.fixture(scope="module")
def runs():
    """Return a run of the tables that each has, and what to give to functions that need more, by their names."""
    run = known_run(np.random.default_rng(0), 3000, np.zeros(8))
    run.manifest = MANIFEST
    seats = run.tables["seats"]
    run.tables["seats"] = seats.assign(cities=1, tokens=1)
    wonders = run.tables["wonders"]
    built = wonders["round_built"].notna()
    revealed = np.where(wonders["in_deck"], 1.0, np.nan)
    wonders = wonders.assign(era="ancient", round_revealed=revealed, builder=np.where(built, 1.0, np.nan), captures=0)
    run.tables["wonders"] = wonders
    spaces = pd.DataFrame({"game_id": np.arange(4), "seat": 0, "q": 1, "r": 0, "won": 1.0, "city": True})
    drawn = boxed(np.random.default_rng(0))
    drawn.tables["wonders"] = wonders
    of_box = ("districts", "governments", "exploring", "forts", "unique_cards", "wonders_left")
    rng = np.random.default_rng(0)
    focus = with_focus_cards(rng, 300, lambda leaders, order: {"Alpha": rng.random(leaders.shape) < 0.5})
    values, won, _ = drawn_rounds(rng, 300, 0.4)
    kept = with_rounds(values, won, 2)
    by_rounds = ("trajectories", "ahead", "behind", "favourites", "settled")
    counted = dict.fromkeys(("focus_cards", "focus_card_wins"), focus) | dict.fromkeys(by_rounds, kept)
    counted |= dict.fromkeys(("place_wins", "start_places"), with_places(300, 0))
    given = counted | {"settling": spaces} | dict.fromkeys(of_box, drawn)
    return run, given


@pytest.fixture(scope="module")
def columns(runs):
    run, given = runs
    asked = [name for name in analysis.FUNCTIONS if name not in OTHERWISE]
    return {name: list(getattr(analysis, name)(given.get(name, run)).columns) for name in asked}


def test_every_column_is_explained_and_no_other(columns):
    used, with_interval = set(), set()
    for name, names in columns.items():
        for column in names:
            if column.endswith(("_low", "_high")):
                assert column.rsplit("_", 1)[0].removesuffix("_all") in names
            elif not (column.startswith("claim_") and column[6:].isdigit()) or column == "claim_1":
                assert declared(name, column)[1]
                used |= {column, f"{name}.{column}"}
                with_interval |= {column, f"{name}.{column}"} if f"{column}_low" in names else set()
    assert set(COLUMNS) <= used
    assert {column for column, (_, _, *interval) in COLUMNS.items() if interval} <= with_interval


def test_the_calibration_tries_the_intervals_of_every_table_that_each_run_has(runs, columns):
    with_interval = {name for name, names in columns.items() if any(column.endswith("_low") for column in names)}
    assert with_interval - set(runs[1]) == set(calibrate.MEASURED)


def test_a_share_is_read_in_per_cent(columns):
    """`middle` and `lead_middle` were shown as 0.9: the screens had a list of shares of their own."""
    shares = {column for name, names in columns.items() for column in names if declared(name, column)[0] == SHARE}
    assert {"middle", "lead_middle", "average_share", "win_rate"} <= shares
    for column in shares - {"difference"}:  # percentage points
        assert format_of(column) == "rate"
        assert for_reading(pd.DataFrame({column: [0.932]})).iloc[0, 0] == "93.2%"


def test_figures_of_builders_and_claimants_are_named_associations(columns):
    for column in ("builder_win_rate", "claimant_win_rate"):
        assert "association" in COLUMNS[column][1]
    assert not [name for names in columns.values() for name in names if "effect" in name]


def test_the_page_is_up_to_date(columns):
    """NEWDAWN_WRITE_README=1 pytest tests/analysis/test_guide.py writes it anew."""
    text = guide.as_markdown(columns)
    if os.environ.get("NEWDAWN_WRITE_README"):
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text


def test_the_package_is_light_and_names_what_it_has():
    code = "import sys; from newdawn import analysis; print('numpy' in sys.modules, 'lead' in dir(analysis))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PAGE.parents[1])
    assert found.stdout.strip() == "False True"
    with pytest.raises(AttributeError, match="no attribute 'strenghts'"):
        analysis.strenghts  # noqa: B018


def test_modules_and_functions_have_different_names():
    """A module or a folder of the same name would hide the function once it is imported."""
    modules = {path.stem for path in Path(analysis.__file__).parent.iterdir()}
    assert not modules & set(analysis.FUNCTIONS)
