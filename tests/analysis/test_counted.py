"""One counting core: summaries, the explorer and ways say the same of the same games, and what plain pandas counts."""

from copy import copy

import numpy as np
import pandas as pd
import pytest
from known import KnownRun

from newdawn import analysis
from newdawn.analysis.explorer import views
from newdawn.analysis.explorer.filters import Filter, select
from newdawn.analysis.explorer.server import ExplorerRuns
from newdawn.analysis.tables import figures_by_strategy as by_way
from newdawn.analysis.tables.decoded_games import CodeNames, Games
from newdawn.analysis.tables.paired_figures import PRINTED
from newdawn.analysis.tables.read import Sample, added, folded
from newdawn.scripts.bench.explorer import write_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Drawn games with shared wins and unfinished games, in shards of different length."""
    return analysis.open_run(write_run(tmp_path_factory.mktemp("counting") / "run", 1_000, 300))


@pytest.fixture(scope="module")
def figures(run):
    """By figure: what `ways` says of the run, set beside itself."""
    return by_way.ways({"one": run, "other": run}, PRINTED).query("way == 'one'").set_index("figure")


@pytest.fixture(scope="module")
def sample(run):
    desk = ExplorerRuns([run])
    return Sample(desk.words, [select(desk.loaded[0].games, Filter(), desk.words)])


@pytest.mark.parametrize(("table", "key", "figure", "rate"), [
    ("leaders", "leader", "win rate of", "win_rate"), ("victory", "agenda", "claim rate of", "claim_rate"),
    ("wonders", "wonder", "build rate of", "build_rate"),
])  # fmt: skip
def test_a_rate_is_the_same_wherever_it_is_asked_for(run, sample, figures, table, key, figure, rate):
    read, held = (getattr(analysis, table)(runs).set_index(key) for runs in (run, sample))
    for name, row in read.iterrows():
        found = figures.loc[f"{figure} {name}"]
        decided = row["n"] - (row["unfinished"] if table == "leaders" else 0)  # win rates of ways are of decided games
        assert (decided, row[rate] * row["n"] / decided) == (found["n"], pytest.approx(found["value"]))
        if decided == row["n"]:
            assert row[f"{rate}_low"] == pytest.approx(found["value_low"])
        assert row[rate] == held.loc[name, rate]


def test_the_length_is_the_same_wherever_it_is_asked_for(run, sample, figures):
    games = run.read("games")
    said = (analysis.length(run)["mean"][0], views.overview(sample)["rounds_mean"], figures.loc["rounds", "value"])
    assert said == pytest.approx([games["rounds"].mean()] * 3)
    facts = analysis.overview(run)
    assert facts["rounds_mean"] == pytest.approx(games["rounds"].mean())
    assert facts["unfinished"] == views.overview(sample)["unfinished"] == (games["ending"] != "victory").sum()


def test_a_large_shard_is_read_in_parts(run, monkeypatch):
    whole = {name: getattr(analysis, name)(run) for name in ("leaders", "wonders", "victory", "length", "lead")}
    monkeypatch.setattr("newdawn.analysis.tables.read.PART", 70)
    monkeypatch.setattr("newdawn.analysis.tables.read.GATHERED", 0)
    wanted = {"games": ["game_id"], "wonders": ["game_id"]}
    parts = [piece["games"]["game_id"].to_numpy() for piece in run.pieces(wanted)]
    assert [len(part) for part in parts[:6]] == [70, 70, 70, 70, 20, 70]
    assert np.concatenate(parts).tolist() == list(range(1_000))
    for name, frame in whole.items():
        pd.testing.assert_frame_equal(getattr(analysis, name)(run), frame)


def test_neighbouring_shards_are_read_together_and_others_apart(run, monkeypatch):
    whole = {name: getattr(analysis, name)(run) for name in ("leaders", "wonders", "victory", "length", "lead")}
    for most, lengths in ((0, [300, 300, 300, 100]), (650, [600, 400]), (10_000, [1000])):
        monkeypatch.setattr("newdawn.analysis.tables.read.GATHERED", most)
        assert [len(piece["games"]) for piece in run.pieces({"games": ["game_id"]})] == lengths
        for name, frame in whole.items():
            pd.testing.assert_frame_equal(getattr(analysis, name)(run), frame)
    gap = copy(run)
    gap.shards = [run.shards[0], *run.shards[2:]]
    assert [len(piece["games"]) for piece in gap.pieces({"games": ["game_id"]})] == [300, 400]


def test_what_comes_later_lengthens_what_is_added_up():
    found = added([{"n": np.array([[1, 2]])}, {"n": np.array([[1], [5]]), "other": np.array([3])}])
    assert found["n"].tolist() == [[2, 2], [5, 0]]
    assert found["other"].tolist() == [3]


def test_no_more_is_kept_than_the_different_rows(monkeypatch):
    """However many parts there are, at most half as many again as the different rows, and a few, are in memory at a time."""
    monkeypatch.setattr("newdawn.analysis.tables.read.ROWS_AT_ONCE", 50)
    most = []

    def together(tables):
        most.append(sum(len(table) for table in tables))
        return pd.concat(tables).groupby("key", as_index=False).sum()

    parts = (pd.DataFrame({"key": range(k % 7, 20 + k % 7), "n": 1}) for k in range(500))
    found = folded(parts, together)
    assert found["n"].sum() == 500 * 20
    assert max(most) <= 1.5 * 26 + 50 + 20


def test_tables_that_lack_a_column_say_what_needs_it():
    played = {"games": pd.DataFrame({"game_id": [0]})}
    with pytest.raises(KeyError, match=r"Games\.rounds needs games\.rounds, which these tables lack"):
        Games(played, 2, CodeNames()).rounds  # noqa: B018
    with pytest.raises(KeyError, match=r"Games\.decided needs games\.ending"):
        Games(played, 2, CodeNames()).decided  # noqa: B018


def test_drawn_games_that_lack_a_column_say_which_they_have():
    run = KnownRun({"games": pd.DataFrame({"game_id": [0, 1]})}, 2)
    with pytest.raises(KeyError, match="table games: these games have no column rounds, only game_id; draw it, too"):
        next(iter(run.pieces({"games": ["game_id", "rounds"]})))
    assert run.read("games").shape == (2, 1)
