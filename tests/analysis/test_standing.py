"""One verdict on leaders, wherever it is given; and which of two rates a sentence says, the model's or the one as played."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from known import draw, seated, tables
from test_first import mixed_run, screen
from test_report import Known
from test_sentences import close

from newdawn.analysis.pages.report_parts import Source, column_of
from newdawn.analysis.questions.leaders import LEADERS, leaders_findings, leaders_table, spread_table
from newdawn.analysis.report.first_screen import _table as first_screen
from newdawn.analysis.stats.verdicts import far
from newdawn.analysis.tables.leader_strength import LeaderStanding
from newdawn.analysis.tables.read import open_run
from newdawn.scripts.cli.main import main
from newdawn.simulator import names

AMONG_EQUALS = re.compile(
    r"(\w+) is too \w+: it would win ([\d.]+)%, \S+ \[\S+ \S+\] points (?:above|below) the fair share, among equal players; "
    r"it won ([\d.]+)% as played \(n = ([\d,]+)\)\."
)


def favoured_run(games, seed):
    """Return a run of equal leaders and three strategies of different strength; Japan mostly falls to the strong one."""
    rng = np.random.default_rng(seed)
    leaders, order, cards = seated(rng, games, 4)
    strategy = np.where((leaders == 4) & (rng.random(leaders.shape) < 0.7), 0, rng.integers(0, 3, leaders.shape))
    run = Known(np.zeros(8), games=1)
    run.frames = tables(leaders, order, cards, draw(rng, np.array([1.2, 0.0, 0.0])[strategy]), strategies=strategy, rng=rng)
    return run


@pytest.mark.parametrize("seed", range(3))
def test_a_sentence_says_which_rate_is_the_models_and_which_as_played(seed):
    source = Source(mixed_run(6000, seed))
    frame = leaders_table(source).set_index("leader")
    told = [AMONG_EQUALS.fullmatch(one.text) for one in leaders_findings(frame.reset_index(), source)]
    told = [match.groups() for match in told if match]
    assert [leader for leader, *_ in told] == list(far(frame).index[:3])
    for leader, would, won, n in told:
        row = frame.loc[leader]
        assert close(would, 100 * row["adjusted_rate"])
        assert close(won, 100 * row["wins"] / row["decided"])
        assert n == f"{row['decided']:,.0f}"


def test_with_one_strategy_there_is_one_rate():
    rng = np.random.default_rng(4)
    leaders, order, cards = seated(rng, 4000, 4)
    run = Known(np.zeros(8), games=1)
    run.frames = tables(leaders, order, cards, draw(rng, 1.0 * (leaders == 6)), rng=rng)
    source = Source(run)
    said = [one.text for one in leaders_findings(leaders_table(source), source)]
    plain = re.compile(r"^\w+ is too \w+: it wins [\d.]+%, .* points (above|below) the fair share \(n = [\d,]+\)\.$")
    assert any(plain.search(text) for text in said)
    assert not any("as played" in text or "equal players" in text for text in said)


def test_what_a_strong_player_wins_is_no_verdict_on_its_leader():
    """As played Japan wins far more than its share; among equal players it does not."""
    run = favoured_run(6000, 1)
    frame = LeaderStanding(run).leaders.set_index("leader")
    assert frame.loc["Japan", "win_rate"] > 0.3
    assert frame.loc["Japan", "points_all_low"] < 0 < frame.loc["Japan", "points_all_high"]
    shown, _ = screen(Source(run))
    assert not any(one.text.startswith("Too ") and "Japan" in one.text for one in shown.findings)
    assert "among equal players" in shown.note


def drafted_run(games, seed, fixed):
    """Return a run of equal leaders in which the first player wins most: one place a leader, or (not `fixed`) mostly one."""
    rng = np.random.default_rng(seed)
    leaders, order, cards = seated(rng, games, 4)
    leaders = np.where(np.full(leaders.shape, fixed) | (rng.random((games, 1)) < 0.8), order, leaders)
    run = Known(np.zeros(8), games=1)
    run.frames = tables(leaders, order, cards, draw(rng, 1.0 * (order == 0)), rng=rng)
    return run


def test_what_a_place_wins_is_no_verdict_on_the_leader_chosen_from_it():
    """As played America wins far more than its share, for it is the first to be chosen; at balanced tables it does not."""
    frame = LeaderStanding(drafted_run(6000, 3, fixed=False)).leaders.set_index("leader")
    assert frame.loc["America", "win_rate"] > 0.35
    assert frame.loc["America", "points_all_low"] < 0 < frame.loc["America", "points_all_high"]
    assert "places" not in frame


def test_no_verdict_on_leaders_that_cannot_be_told_from_their_places():
    source = Source(drafted_run(3000, 3, fixed=True))
    frame = leaders_table(source)
    assert (frame["verdict"] == "not compared").all()
    assert dict(zip(frame["leader"], frame["places"], strict=True)) == {
        "America": "1", "Aztec": "2", "Egypt": "3", "France": "4",
    }  # fmt: skip
    (said,) = leaders_findings(frame, source)
    start = "No verdict on leaders: they cannot be distinguished from their places in the turn order (America at 1,"
    assert said.text.startswith(start)
    assert said.text.endswith("--leaders America,Aztec,Egypt,France.")
    shown, _ = screen(source)
    assert shown.findings[0].text.startswith("No verdict on leaders: they cannot be distinguished from their places")
    assert [verdict.meaning for verdict in shown.verdicts] == ["places of their own"]
    assert spread_table(source) is None


def test_leaders_dealt_by_lot_have_no_places_of_their_own():
    assert LeaderStanding(mixed_run(3000, 5)).places_of == {}


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("standing") / "run"
    options = ("--players", 2, "--games", 400, "--strategy-pool", "random,opportunist", "--round-cap", 80, "--jobs", 1)
    result = call("run", *options, "--quiet", "--out", out)
    assert result.exit_code == 0, result.output
    return out


def test_the_command_and_the_report_give_one_verdict(folder):
    source = Source(open_run(folder))
    report = leaders_table(source).set_index("leader")
    rows = {row["leader"]: row for row in json.loads(call("leaders", folder, "--format", "json").stdout)}
    assert set(rows) == set(report.index)
    for leader, row in rows.items():
        for name in ("points", "points_all_low", "points_all_high"):
            assert row[name] == pytest.approx(report.loc[leader, name])
        assert row["verdict"] == report.loc[leader, "verdict"]
    text = call("leaders", folder, "--wide").output
    assert "adjusted rate, points, rank, verdict: among equal players" in " ".join(text.split())
    assert "verdict" not in json.loads(call("leaders", "--by", "strategy", folder, "--format", "json").stdout)[0]


def many_leaders(games, spread=0.0):
    """Return a run of 18 leaders whose log odds lie so far apart."""
    rng = np.random.default_rng(6)
    leaders, order, cards = seated(rng, games, 4)
    leaders = np.argsort(rng.random((games, 18)), axis=1)[:, :4]
    won = draw(rng, rng.normal(0, spread, 18)[leaders])
    run = Known(np.zeros(8), games=games)
    frames = tables(np.zeros_like(leaders), order, cards, won, rng=rng)
    code = pd.Categorical.from_codes(leaders.ravel(), [*names.LEADERS, *names.TI_LEADERS][:18])
    run.frames = frames | {"seats": frames["seats"].sort_values(["game_id", "seat"]).assign(leader=code, won=won.ravel())}
    return run


def test_many_leaders_with_few_games_have_rates_by_partial_pooling():
    """Of equal leaders they lie nearer to the fair share; with 500 games each, or with few leaders, there are none."""
    run = many_leaders(800)
    frame = LeaderStanding(run).leaders
    assert len(frame) == 18
    raw, pooled = ((frame[name] - 0.25).abs() for name in ("adjusted_rate", "pooled_rate"))
    assert pooled.mean() < 0.6 * raw.mean()
    assert ((frame["pooled_rate_low"] < 0.25) & (frame["pooled_rate_high"] > 0.25)).all()
    assert "pooled_rate" not in LeaderStanding(many_leaders(3_000)).leaders
    assert "pooled_rate" not in LeaderStanding(Known(np.zeros(8), games=300)).leaders
    part = LEADERS[0]
    columns = [column_of(column).name for column in part.columns]
    assert columns.index("pooled_rate") > columns.index("adjusted_rate")
    frames = {"leaders": leaders_table(Source(run))}
    headings, rows, _ = first_screen(frames, Source(run))
    assert "drawn to the fair share [95%]" in headings
    assert all(len(row) == len(headings) for row in rows)


def test_the_others_once_one_is_mended_hold_over_the_looks():
    run = Known(np.array([0.6, *np.zeros(7)]), games=4_000)
    alone = Source(run).mended
    run.manifest = run.manifest | {"looks": {"most": 4_000, "at": [500, 1_000, 2_000, 4_000]}}
    wider = Source(run).mended
    assert alone is not None
    assert wider is not None
    width, before = (frame["points_all_high"] - frame["points_all_low"] for frame in (wider, alone))
    assert (width / before).min() > 1.02
