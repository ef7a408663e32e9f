"""Focus cards, courses and places: a sentence's figures are those of a row, its badge no surer than what that row says.

The commands `cards`, `rounds` and `places` say the same as the report, of the same table.
"""

import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from known import with_places
from said import disagreement, too_sure, unreadable
from test_focus_cards import NAMES, rows_of
from test_rounds import run_of

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions.cards import FOCUS
from newdawn.analysis.questions.places import PLACES
from newdawn.analysis.questions.round_by_round import COURSE_BY_ROUNDS, deficit, phrase
from newdawn.analysis.tables.focus_card_use import facts_of
from newdawn.scripts.cli import run_tables
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError

PARTS = (*FOCUS, *COURSE_BY_ROUNDS, *PLACES)
SAY_NOTHING_OF_ROWS = {"favourites"}  # but of `settled`, and of the round that is spoken of
COMMANDS = {  # part of a command: that of the report, and the columns that name a row
    ("cards", "use"): ("focus-cards", ["card"]), ("cards", "wins"): ("focus-card-wins", ["card"]),
    ("rounds", "ahead"): ("ahead", ["measure", "round"]), ("rounds", "behind"): ("behind", ["measure", "round", "behind"]),
    ("rounds", "course"): ("trajectories", ["measure", "round"]), ("places", "start"): ("start-places", ["place"]),
    ("places", "held"): ("places-held", ["place"]),
}  # fmt: skip


def a_run(games, worth, seed):
    """Return a run with all three tables, in which cards, cities, a start place and a natural wonder are worth so much."""
    rng = np.random.default_rng([seed, games])
    run = with_places(games, seed, start=worth, wonder=worth)
    shares = {"Alpha": 0.6, "Beta": 0.05, "Gamma": 0.1}
    won = run.tables["seats"]["won"].to_numpy().reshape(games, 4)
    has = {name: rng.random(won.shape) < share + 0.2 * worth * won for name, share in shares.items()}
    cities = np.repeat(rng.poisson(1.5, (games, 4, 1)) + np.round(worth * won[:, :, None] * 2), 12, axis=2)
    run.tables["rounds"] = run_of(cities, won, 12).tables["rounds"]
    facts = facts_of(run.manifest["ruleset"]["data"])
    cards = facts.loc[(facts["level"] > 1) & (facts["leader"] == ""), "card"].head(len(NAMES))
    focus_cards = rows_of(has)
    focus_cards["card"] = focus_cards["card"].cat.rename_categories(dict(zip(NAMES, cards, strict=True)))
    run.tables["focus_cards"], run.tables["games"]["rounds"] = focus_cards, 12
    run.manifest["plan"], run.path, run.box = {"tables": ["rounds"]}, Path("drawn"), "base"
    return run


@pytest.fixture(scope="module", params=[(60, 0.8), (400, 0.0), (3000, 0.6)], ids=str)
def told(request):
    source, found = Source(a_run(*request.param, 7)), {}
    for part in PARTS:
        with suppress(UserError):  # too few games to forecast
            found[part.key] = (frame := part.frame(source)), part.findings(frame, source)
    return found


def test_figures_and_badges_are_those_of_the_rows_that_are_named(told):
    assert set(told) >= {key for key, _ in COMMANDS.values()}
    for key, (frame, findings) in told.items():
        assert unreadable(findings) == []
        if "measure" in frame:
            frame = frame.assign(measure=frame["measure"].map(phrase))
        if "behind" in frame:
            frame = frame.assign(behind=[deficit(row) for row in frame.to_dict("records")])
        for finding in findings if key not in SAY_NOTHING_OF_ROWS else ():
            rows = frame[[name in finding.text for name in frame["measure"]]] if "measure" in frame else frame
            assert disagreement(key, rows, [finding]) is None
            assert too_sure(key, rows, [finding]) is None


def test_what_is_planted_is_said(told):
    """A badge is only held to its rows where something is found."""
    sure = {key for key, (_, findings) in told.items() if any(one.certainty in ("strong", "shown") for one in findings)}
    if told["places-held"][0]["n"].max() == 3000:
        assert sure >= {"focus-cards", "focus-card-wins", "ahead", "behind", "trajectories", "start-places", "places-held"}


@pytest.mark.parametrize("command", COMMANDS, ids=" --part ".join)
def test_a_command_says_what_the_report_says(command, monkeypatch):
    """One table, whichever way it is asked for, and whichever of its rows: intervals, verdicts and sentences are the same."""
    name, part = command
    key, keys = COMMANDS[command]
    run = a_run(400, 0.6, 9)
    run.need = lambda wanted: None
    frame = next(one for one in PARTS if one.key == key).frame(Source(run))
    monkeypatch.setattr(run_tables, "pooled", lambda folders: [run])
    monkeypatch.setattr(run_tables, "heading", lambda runs: "")
    extra = ["--measure", "cities"] if name == "rounds" else []
    result = CliRunner().invoke(main, [name, "drawn", "--part", part, "--json", *extra])
    assert result.exit_code == 0, result.output
    shown = pd.DataFrame(json.loads(result.stdout))
    known = frame.set_index(keys).loc[shown.set_index(keys).index].reset_index()
    assert len(shown)
    for column in shown.columns.intersection(frame.columns):
        if pd.api.types.is_float_dtype(known[column]):
            np.testing.assert_allclose(
                shown[column].to_numpy(float), known[column].replace(np.inf, np.nan), rtol=1e-9, err_msg=column
            )
        else:
            assert shown[column].tolist() == known[column].tolist(), column
