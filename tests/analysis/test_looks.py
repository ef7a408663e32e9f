"""Looking again: bounds as published, verdicts that hold over the looks, runs that are played until they are decided."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from known import KnownRun, known_run

from newdawn.analysis.questions.until_decided import still_open
from newdawn.analysis.stats.sample_sizes import SHARES, Looks, bounds, held, looks_of
from newdawn.analysis.stats.verdicts import STRENGTH, Verdict, judged, verdict_columns
from newdawn.analysis.tables.leader_strength import LeaderStanding
from newdawn.scripts.checks.calibrate import MEASURES
from newdawn.scripts.cli.main import main
from newdawn.simulator import names

DRAWS = 20_000


def taken(most, shares=SHARES):
    """Return the looks at these shares of the most games."""
    looks = Looks(most)
    for share in shares:
        looks = looks.seen(round(share * most))
    return looks


def test_bounds_are_those_published():
    """Of five looks at equal steps, by K. Lan's and D. DeMets' function like Pocock's (Biometrika 70, 1983)."""
    time, error = np.arange(1, 6) / 5, 0.05
    even = error * np.log(1 + (np.e - 1) * time)
    assert bounds(tuple(time), tuple(even)) == pytest.approx([2.438, 2.427, 2.410, 2.397, 2.386], abs=1e-3)
    assert bounds((1.0,), (error,)) == pytest.approx([1.96], abs=1e-3)


def estimates(rng, truth, error, at, draws=DRAWS):
    """Return estimates of an effect at each of the looks, whose error with the last is known."""
    time = np.array(at) / at[-1]
    noise = np.cumsum(rng.normal(size=(draws, len(at))) * np.sqrt(np.diff(np.r_[0, time])), axis=1) / time
    return truth + error * noise, error / np.sqrt(time)


@pytest.mark.parametrize("number", range(1, 8))
@pytest.mark.parametrize("questions", [1, 8])
def test_intervals_hold_over_all_looks(number, questions):
    """However many looks there are, they are all right in 95% of series, at doubling numbers of games as at any other."""
    at = [1000 * 2**k for k in range(number)]
    rng = np.random.default_rng([number, questions])
    reach, looks = [], Looks(at[-1])
    for games in at:
        looks = looks.seen(games)
        reach.append(looks.quantile(questions))
    wrong = np.zeros(DRAWS, bool)
    for _ in range(questions):
        value, error = estimates(rng, 0.0, 1.0, at)
        wrong |= (np.abs(value) > np.array(reach) * error).any(axis=1)
    assert wrong.mean() < 0.05 + 3 * np.sqrt(0.05 * 0.95 / DRAWS)
    assert wrong.mean() > 0.03  # 90% of the error is spent by the most games planned


def test_going_on_beyond_the_most_games_spends_what_is_left():
    looks = taken(10_000)
    assert looks.spent(10_000) == pytest.approx(0.9)
    assert looks.spent(20_000) == pytest.approx(0.95)
    assert looks.spent(1e12) < 1
    assert looks.next(10_000, 100_000) == 15_000
    assert looks.next(10_000, 10_000) is None
    assert [Looks(10_000).next(played, 10_000) for played in (0, 500, 8_000)] == [500, 1_000, 8_500]
    assert looks_of({"looks": {"most": 10_000, "at": list(looks.at)}}) == looks
    assert looks_of({}).at == ()


# Expected games, of those of a plan at which a leader at the fair share is called balanced with 80%.
EXPECTED = {(2.0, False): 0.60, (0.0, False): 1.20, (2.0, True): 0.60, (0.0, True): 1.20}
CLEAR = {0.0: 0.80, 2.0: 0.77}  # of those that are sized, by the same share of the series at least


def played():
    """Return the expected games to a clear verdict, of the fixed plan's, and how often it is clear; by `calibrate`."""
    measure, rng = MEASURES["until"], np.random.default_rng(7)
    known = measure.known(None)
    table = measure.table([measure.ask(None, 0, rng, known) for _ in range(10)])
    return table.set_index("true difference")


@pytest.mark.calibration
def test_playing_until_it_is_clear_saves_games():
    """At twice the margin at most 60% of the fixed plan's games, also until the size is clear; at no difference 120%."""
    found = played()
    for (effect, sized), most in EXPECTED.items():
        row = found.loc[f"{effect:g} margins off, until {'sizes, too' if sized else 'not undecided'}"]
        assert row["games_of_fixed_plan"] < most + 0.01, row
        assert row["clear_rate"] > CLEAR[effect] - 0.02


def first_games(run, n):
    """Return the first games of a run."""
    return KnownRun({name: table[table["game_id"] < n] for name, table in run.tables.items()}, run.players)


@pytest.mark.calibration
@pytest.mark.parametrize("number", range(1, 8))
def test_verdicts_on_equal_leaders_hold_over_the_looks(number):
    """Eight leaders alike, looked at up to seven times: a false verdict in at most 5% of 200 runs, and three of its errors."""
    at, wrong, rng = [250 * 2**k for k in range(number)], 0, np.random.default_rng(number)
    for _ in range(200):
        run, looks = known_run(rng, at[-1], np.zeros(8)), Looks(at[-1])
        for games in at:
            looks = looks.seen(games)
            part = first_games(run, games)
            part.manifest = {"looks": {"most": looks.most, "at": list(looks.at)}}
            frame = judged(LeaderStanding(part).leaders, "points", 2.0, games)
            if ((frame["points_all_low"] > 0) | (frame["points_all_high"] < 0)).any():
                wrong += 1
                break
    assert wrong / 200 < 0.05 + 3 * 0.0154


def test_a_table_is_widened_for_its_looks():
    """Verdicts, p values and ranks of a run with looks are those of its wider intervals."""
    strength = np.where(np.array(names.LEADERS) == "Japan", 0.35, 0.0)
    run = known_run(np.random.default_rng(5), 3_000, strength)
    alone, looks = LeaderStanding(run).leaders, taken(3_000)
    run.manifest = {"looks": {"most": 3_000, "at": list(looks.at)}}
    standing = LeaderStanding(run)
    frame = standing.leaders
    assert "Played until it was decided, with 20 looks" in standing.notes[0]
    for end, factor in (("", looks.quantile() / 1.96), ("_all", looks.quantile(8) / 2.734)):
        width, before = (one[f"points{end}_high"] - one[f"points{end}_low"] for one in (frame, alone))
        assert (width / before).to_numpy() == pytest.approx(factor, rel=2e-3)
    out = (frame["points_all_low"] > 0) | (frame["points_all_high"] < 0)
    assert (out == (frame["p_adjusted"] <= 0.05)).all()
    assert (frame["p_adjusted"] >= alone["p_adjusted"]).all()
    assert (frame["rank_best"] <= alone["rank_best"]).all()
    assert held(alone, {"points": 0.0}, Looks(1)) is alone


def test_what_is_clear():
    """A leader above its share, by however much, is clear unless the size counts; one of too few games never is."""
    told = [Verdict.FAR_ABOVE, Verdict.ABOVE, Verdict.WITHIN, Verdict.UNDECIDED, Verdict.NOT_COMPARED]
    names = pd.DataFrame(verdict_columns(told, STRENGTH))
    assert still_open(names, False).tolist() == [False, False, False, True, True]
    assert still_open(names, True).tolist() == [False, True, False, True, True]


def call(*words):
    return CliRunner().invoke(main, [str(word) for word in words])


SETTINGS = ["--players", 2, "--strategies", "opportunist", "--leaders", "Scythia,Rome", "--jobs", 1, "--until-decided"]


def test_a_run_is_played_until_it_is_decided(tmp_path):
    """Scythia against Rome is clear after few games; the folder says how often it was looked at, and so do its pages."""
    out = tmp_path / "run"
    result = call("run", *SETTINGS, "--games", 8_000, "--out", out)
    assert result.exit_code == 0, result.output
    noted = json.loads((out / "manifest.json").read_text())
    games = noted["plan"]["games"]
    assert 400 <= games < 8_000
    assert noted["looks"]["at"][-1] == games
    assert f"{games:,} games: every verdict on the 2 leaders is clear" in result.output
    again = call("run", *SETTINGS, "--games", 8_000, "--out", out)
    assert again.exit_code == 0
    assert json.loads((out / "manifest.json").read_text())["looks"] == noted["looks"]
    assert call("resume", out, "--jobs", 1).exit_code == 0
    assert json.loads((out / "manifest.json").read_text())["looks"] == noted["looks"]
    assert call("report", out, "--out", tmp_path / "report").exit_code == 0
    assert "Played until it was decided" in next((tmp_path / "report").glob("*.html")).read_text("utf-8")
    for words, message in (
        (["run", *SETTINGS, "--games", 9_000, "--out", out], "holds a run that is played with most 8000, not 9000"),
        (["extend", out, "--games", 9_000], "was played until it was decided"),
        (["merge", out, out, "--out", tmp_path / "merged"], "cannot be merged"),
        (["run", "--sized"], "--sized: only with --until-decided"),
    ):
        wrong = call(*words)
        assert wrong.exit_code == 2, words
        assert message in wrong.output


@pytest.mark.soak
def test_a_stopped_run_goes_on_looking(tmp_path, monkeypatch):
    """Stopped between the looks, and with a look that was noted but not taken: the tables and looks are those of one go."""
    from newdawn.analysis.questions import until_decided

    whole, parts = tmp_path / "whole", tmp_path / "parts"
    asked = [*SETTINGS, "--leaders", "Rome,Egypt", "--sized", "--games", 2_000]
    assert call("run", *asked, "--out", whole).exit_code == 0
    judge, seen = until_decided.verdicts, []

    def stopping(out, margin):
        seen.append(out)
        if len(seen) in (1, 3):
            raise KeyboardInterrupt
        return judge(out, margin)

    monkeypatch.setattr(until_decided, "verdicts", stopping)
    assert call("run", *asked, "--out", parts).exit_code != 0
    assert call("resume", parts, "--jobs", 1).exit_code != 0
    monkeypatch.setattr(until_decided, "verdicts", judge)
    assert call("run", *asked, "--out", parts).exit_code == 0
    one, other = ((folder / "manifest.json").read_text() for folder in (whole, parts))
    assert one == other
    files = sorted(path.relative_to(whole) for path in whole.rglob("*.parquet"))
    assert all((whole / path).read_bytes() == (parts / path).read_bytes() for path in files)


def test_a_run_of_a_fixed_number_of_games_goes_on_until_it_is_decided(tmp_path):
    out = tmp_path / "run"
    fixed = [word for word in SETTINGS if word != "--until-decided"]
    assert call("run", *fixed, "--games", 150, "--out", out).exit_code == 0
    wrong = call("run", *SETTINGS, "--games", 4_000, "--out", out)
    assert "extend" in wrong.output
    result = call("extend", out, "--until-decided", "--games", 4_000, "--jobs", 1)
    assert result.exit_code == 0, result.output
    looks = json.loads((out / "manifest.json").read_text())["looks"]
    assert looks["at"][0] == 150
    assert call("extend", out, "--until-decided", "--games", 100, "--jobs", 1).exit_code == 2
