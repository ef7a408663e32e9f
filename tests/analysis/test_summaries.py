"""Summaries of a run whose every answer is known."""

import pytest
from synthetic import write_run

from newdawn.analysis.stats.rates import wilson
from newdawn.analysis.tables.read import open_run
from newdawn.analysis.tables.win_rates import leaders, overview, victory, wonders
from newdawn.simulator.errors import UserError


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return open_run(write_run(tmp_path_factory.mktemp("synthetic") / "run"))


def test_overview_counts_unfinished_games(run):
    facts = overview(run)
    assert (facts["games"], facts["victories"], facts["unfinished"]) == (200, 180, 20)
    assert facts["rounds"]["50%"] == 14.5


def test_the_share_of_the_games_said_to_lie_in_a_range_is_that_of_the_range(run):
    """Games of 10 to 19 rounds, 20 each: from the 5% to the 95% quantile lie all of them, not 90%."""
    from newdawn.analysis.tables.game import lead, length
    from newdawn.scripts.cli.run_tables import heading

    facts, row = overview(run), length(run).iloc[0]
    assert (facts["rounds"]["5%"], facts["rounds"]["95%"], facts["rounds_share"]) == (10, 19, 1.0)
    assert "100.0% of the games from 10 to 19" in heading([run])
    assert (row["p5"], row["p95"], row["middle"]) == (10, 19, 1.0)
    assert lead(run).iloc[0]["lead_middle"] > 0.5


def test_leaders_win_rates_count_shared_wins_in_parts_and_unfinished_games(run):
    frame = leaders(run).set_index("leader")
    assert list(frame.index) == ["Rome", "Egypt"]
    assert frame.loc["Rome", "wins"] == 120 + 10
    assert frame.loc["Egypt", "wins"] == 40 + 10
    assert list(frame["n"]) == [200, 200]
    assert list(frame["unfinished"]) == [20, 20]
    assert frame.loc["Rome", "win_rate"] == 0.65
    assert frame.loc["Rome", "difference"] == pytest.approx(0.15)
    # Of 200 games 120 are won and 20 shared: they vary by 120 + 20 / 4 less 130² / 200, not by 130 · 70 / 200.
    effect = (125 - 130**2 / 200) / (130 * 70 / 200)
    assert frame.loc["Rome", "win_rate_low"] == pytest.approx(wilson(130 / effect, 200 / effect)[0])
    assert list(frame["rank"]) == ["1", "2"]
    assert not frame["small_sample"].any()


@pytest.mark.parametrize("by", ["seat", "order", "players", "strategy"])
def test_leaders_by_group_add_up(run, by):
    frame = leaders(run, by)
    assert frame.groupby("leader")["n"].sum().to_dict() == {"Rome": 200, "Egypt": 200}
    assert by in frame.columns


def test_leaders_by_unknown_grouping(run):
    with pytest.raises(UserError, match="unknown grouping 'seats'"):
        leaders(run, "seats")


def test_wonders_rates_have_their_denominators(run):
    frame = wonders(run).set_index("wonder")
    assert list(frame["n"]) == [200, 200, 0]
    assert list(frame["built"]) == [200, 100, 0]
    assert frame.loc["Petra", "median_round"] == 6
    assert frame.loc["Oracle", "median_round"] == 9
    assert frame.loc["Oracle", "build_rate"] == 0.5
    assert frame.loc["Petra", "builder_win_rate"] == 0.65
    # Of the even games of ten (0, 2, 4, 6, 8) Egypt wins number 6 and half of number 8.
    assert frame.loc["Oracle", "builder_win_rate"] == pytest.approx(1.5 / 5)
    assert frame.loc["Petra", "captures"] == 200
    assert frame.loc["Kremlin", "small_sample"]
    assert frame.isna().loc["Kremlin", "builder_win_rate"]


def test_victory_claims_and_winners(run):
    frame = victory(run).set_index("agenda")
    assert set(frame["n"]) == {200}
    assert frame.loc["Civilized", "claims"] == 200  # 180 games, 20 of them twice
    assert frame.loc["Civilized", "claim_rate"] == 0.9
    assert frame.loc["Civilized", "claimant_win_rate"] == pytest.approx(180 / 200)
    assert frame.loc["Civilized", "winner_share"] == 1
    assert frame.loc["Money Grubber", "claims"] == 40
    assert frame.loc["Money Grubber", "claimant_win_rate"] == 0
    assert frame.loc["Money Grubber", "median_round"] == 8
    assert frame.loc["Scholarly", "claims"] == 0
    assert frame.isna().loc["Scholarly", "median_round"]


def test_pooled_runs_count_twice(run):
    assert leaders([run, run])["n"].sum() == 2 * leaders(run)["n"].sum()
    assert wonders([run, run], "players")["built"].sum() == 2 * wonders(run)["built"].sum()
    assert set(victory([run, run], "players")["players"]) == {2}
