"""A run's report says anything false in 8% of runs at most: which table may err how often, told the same whoever asks."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from known import draw, seated, tables
from test_first import mixed_run
from test_report import Known
from test_sentences_of_counted import a_run
from test_sentences_of_parts import box_run

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.report.page import PARTS
from newdawn.analysis.stats import inference, verdicts
from newdawn.analysis.stats.inference import FAMILIES, REPORT_ERROR, SHARED, SIGNIFICANT, normal_ends, together, two_sided
from newdawn.analysis.stats.verdicts import games_to_decide, judged, quantile_for
from newdawn.analysis.tables import read
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset

WHOLE = {"leaders"}  # parts with the whole 5%
OF_REPLAYS = {"cities of winners"}  # of games that are played again
# A command of one table: the part of the report, and the columns that name a row.
COMMANDS = {
    ("leaders",): ("leaders", ["leader"]), ("leaders", "--by", "agendas"): ("leaders-agendas", ["leader", "agenda"]),
    ("leaders", "--by", "timing"): ("leaders-timing", ["leader"]), ("strengths",): ("leaders", ["leader"]),
    ("strengths", "--factor", "strategy"): ("strategies", ["strategy"]),
    ("strengths", "--by", "cards"): ("leaders-by-card", ["card", "leader"]),
    ("matchups", "--long"): ("matchups", ["leader", "opponent"]), ("wonders",): ("wonders", ["wonder"]),
    ("victory", "--by", "leader"): ("agenda-users", ["agenda", "leader"]),
    ("victory", "--by", "combination"): ("card-sets", ["cards"]),
    ("victory", "--by", "combination-leaders"): ("card-set-leaders", ["cards", "leader"]),
    ("game", "--part", "seats"): ("order", ["order"]),
}  # fmt: skip


def mixed():
    """Return a run of three strategies, in which world wonders are built by anybody."""
    run, rng = mixed_run(1500, 3), np.random.default_rng(4)
    wonders = run.frames["wonders"]
    builder = np.where(wonders["round_built"].notna(), rng.integers(0, 4, len(wonders)), np.nan)
    run.frames["wonders"] = wonders.assign(round_revealed=np.where(wonders["in_deck"], 2.0, np.nan), builder=builder)
    run.manifest = {"plan": {}, "ruleset": {"data": load_ruleset().data, "box": "base"}}
    return run


def strong_in_one():
    return Known(np.array([0.9, 0, 0, 0, 0, 0, 0, 0]), games=3000)


def in_box():
    run = box_run(300, 1.5, 300)
    run.path = Path("drawn")
    run.manifest = {"plan": {}, "ruleset": {"data": load_ruleset(box="terra-incognita").data, "box": "terra-incognita"}}
    return run


def test_the_tables_of_a_report_share_its_error():
    assert SIGNIFICANT + len(FAMILIES) * SIGNIFICANT / SHARED <= REPORT_ERROR + 1e-12
    assert len(set(FAMILIES)) == len(FAMILIES)
    with pytest.raises(ValueError, match="expected one of"):
        inference.weight_of("wonders")


def test_each_table_of_a_report_has_a_family_of_its_own(monkeypatch):
    """What its intervals are made for is what its verdicts are read with; leaders alone have the whole 5%."""
    tested, read_with = [], []
    real = inference.weight_of
    monkeypatch.setattr(inference, "weight_of", lambda family: (tested.append(family), real(family))[1])
    monkeypatch.setattr(verdicts, "weight_of", lambda family: (read_with.append(family), real(family))[1])
    owner = {}
    for run in (mixed(), strong_in_one(), in_box(), a_run(400, 0.6, 1)):
        read_by_others = Source(run)
        read_by_others.judged  # noqa: B018
        for part in PARTS:
            source = Source(run)
            if part.key != "leaders":
                vars(source).update(vars(read_by_others))
            tested.clear()
            read_with.clear()
            try:
                frame = part.frame(source)
            except (KeyError, UserError):
                continue
            if frame is None or "p_adjusted" not in frame or not tested:
                continue
            assert len(set(tested)) == 1, (part.key, tested)
            assert not read_with or set(read_with) == set(tested), (part.key, tested, read_with)
            owner.setdefault(tested[0], set()).add(part.key)
    assert all(len(parts) == 1 for parts in owner.values()), owner
    assert owner.pop("") == WHOLE
    assert set(owner) == set(FAMILIES) - OF_REPLAYS


def test_games_that_would_decide_are_those_of_the_family_where_no_row_is_near_to_differ():
    """All adjusted p values are 1, so that they do not tell for how many questions the intervals hold."""
    points, error = np.array([0.1, -0.2, 0.3]), np.ones(3)
    frame = pd.DataFrame({"points": points, **together("points", two_sided(points, error), normal_ends(points, error),
                                                       family="turn order")})  # fmt: skip
    assert (frame["p_adjusted"] == 1).all()
    found = judged(frame, "points", 2.0, 500, family="turn order")
    low, high = (frame[f"points_all_{end}"] for end in ("low", "high"))
    fewest, most = games_to_decide(low, high, error, 500, 2.0, quantile_for(3 * SHARED))
    assert found["games_fewest"].tolist() == fewest.tolist()
    assert found["games_most"].tolist() == most.tolist()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_of_one_table_says_what_the_report_says(command, monkeypatch):
    key, keys = COMMANDS[command]
    run = mixed()
    frame = next(one for one in PARTS if one.key == key).frame(Source(run))
    monkeypatch.setattr(read, "opened", lambda folder: [run])
    monkeypatch.setattr(read, "open_run", lambda folder: run)
    result = CliRunner().invoke(main, [command[0], "drawn", *command[1:], "--json"])
    assert result.exit_code == 0, result.output
    shown = pd.DataFrame(json.loads(result.stdout))
    known = frame.set_index(keys).loc[pd.MultiIndex.from_frame(shown[keys]) if len(keys) > 1 else shown[keys[0]]].reset_index()
    assert len(shown) == len(frame)
    for column in shown.columns.intersection(frame.columns):
        if pd.api.types.is_float_dtype(known[column]):
            numbers = known[column].replace([np.inf, -np.inf], np.nan)
            np.testing.assert_allclose(shown[column].to_numpy(float), numbers, rtol=1e-6, atol=1e-9, err_msg=column)
        elif column != "rank":
            assert shown[column].tolist() == known[column].tolist(), column
    assert {"p_adjusted", "verdict"} & set(shown.columns.intersection(frame.columns))


@pytest.mark.calibration
def test_a_report_of_winners_by_lot_hardly_ever_says_anything():
    """Eight tables of 400 games, 300 times: at most 8%, and 2.5 standard errors; the leaders at most 5%."""
    keys = ("leaders", "matchups", "order", "leaders-by-card", "leaders-timing", "card-sets", "card-set-leaders", "wonders")
    rng, said = np.random.default_rng(8), np.zeros(len(keys))
    found, trials = 0, 300
    for _ in range(trials):
        run = mixed()
        leaders, order, cards = seated(rng, 400, 4)
        run.frames = tables(leaders, order, cards, draw(rng, np.zeros((400, 4))), rng=rng)
        source, here = Source(run), []
        for key in keys:
            frame = next(one for one in PARTS if one.key == key).frame(source)
            here.append(bool((frame["p_adjusted"] <= SIGNIFICANT).any()))
        said += here
        found += any(here)
    assert found / trials <= REPORT_ERROR + 2.5 * np.sqrt(REPORT_ERROR * (1 - REPORT_ERROR) / trials)
    assert (said[1:].sum() / trials) <= 0.03 + 2.5 * np.sqrt(0.03 * 0.97 / trials)
