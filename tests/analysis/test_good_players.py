"""What good players make of a figure stands beside it where the reference results are of the same rules."""

from types import SimpleNamespace

import pandas as pd
import pytest

from newdawn.analysis.tables import figures_by_strategy, reference_results
from newdawn.analysis.tables.paired_figures import PRINTED, WIN_RATE
from newdawn.scripts.checks import reference_bands
from newdawn.scripts.checks.play_reference import TRAINED, keep_bands
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import load_ruleset

FRAME = pd.DataFrame({"leader": ["Rome", "Own leader"], "win_rate": [0.2, 0.3]})


def played(digest, players=4, box="base"):
    return SimpleNamespace(box=box, players=players, manifest={"ruleset": {"digest": digest}})


@pytest.fixture
def known(tmp_path, monkeypatch):
    monkeypatch.setattr(reference_results, "FOLDER", tmp_path)
    (tmp_path / "4p").mkdir()
    rows = {
        "figure": [f"{WIN_RATE}Rome"],
        "mean": [0.25],
        "prediction_low": [0.22],
        "prediction_high": [0.29],
        "rules": ["abc"],
    }
    pd.DataFrame(rows).to_csv(tmp_path / "4p" / reference_results.GOOD_PLAYERS, index=False)


def test_each_row_has_the_range_of_another_good_player(known):
    found = reference_results.with_good_players(FRAME, played("abc"), "leader", WIN_RATE)
    assert found.loc[0, ["good_players", "good_players_low", "good_players_high"]].tolist() == [0.25, 0.22, 0.29]
    assert found.loc[1, "good_players":].isna().all()


@pytest.mark.parametrize("run", [played("other rules"), played("abc", players=3), played("abc", box="terra-incognita")])
def test_nothing_is_said_of_other_rules_or_tables(known, run):
    assert reference_results.with_good_players(FRAME, run, "leader", WIN_RATE).columns.tolist() == FRAME.columns.tolist()


@pytest.mark.parametrize(("old", "new"), [
    ("mean", "meen"), ("0.25", "x"), ("0.25", ""), ("0.25", "0.75"), ("0.25", "nan"), ("figure", "\x00"), ("rules", ""),
    ("0.29", "inf\nwin rate of Rome,0.25,0.22,0.29,abc"),
])  # fmt: skip
def test_a_damaged_file_is_told_in_a_line(known, tmp_path, old, new):
    file = tmp_path / "4p" / reference_results.GOOD_PLAYERS
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(UserError, match=f"{file}: cannot be read.*; it came with the program: install that again") as told:
        reference_results.with_good_players(FRAME, played("abc"), "leader", WIN_RATE)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(("name", "content", "ask"), [
    ("4p/leaders.csv", "leader,rate\nRome,0.3\n", lambda: reference_results.leader_rates(4)),
    ("4p/leaders.csv", "leader,win_rate\nRome,x\n", lambda: reference_results.leader_rates(4)),
    ("4p/manifest.json", "{}", lambda: reference_results.played_by(4)),
    ("readings.csv", b"\xff", lambda: reference_results.readings("base")),
    ("ladder.json", "{", lambda: reference_results.reference_ladder("base", 4)),
    ("ladder.json", "[]", lambda: reference_results.reference_ladder("base", 4)),
])  # fmt: skip
def test_other_damaged_files_that_came_with_the_program_are_told_in_a_line(known, tmp_path, name, content, ask):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=f"{tmp_path / name}: .*; it came with the program: install that again"):
        ask()


def test_the_ranges_kept_are_over_all_players_one_of_another_training_too(known, tmp_path):
    """Two that agree, and one 10 points away: the range without it would be narrow."""
    wins = {"quick": 0.25, "adept": 0.26, TRAINED: 0.36}
    rows = [
        {
            "group": "leaders",
            "figure": f"{WIN_RATE}Rome",
            "way": way,
            "n": 4_000,
            "fair": 0.25,
            "small_sample": False,
            "value": rate,
        }
        | {
            f"value{kind}_{end}": rate + step
            for kind in ("", "_pair", "_all")
            for end, step in (("low", -0.01), ("high", 0.01))
        }
        for way, rate in wins.items()
    ]
    file = tmp_path / "4p" / reference_results.GOOD_PLAYERS
    keep_bands(pd.DataFrame(rows), "base", file)
    run = played(load_ruleset((), None, "base").digest())
    rome = reference_results.with_good_players(FRAME, run, "leader", WIN_RATE).loc[0]
    assert 0.25 < rome["good_players"] < 0.36 < rome["good_players_high"]
    assert pd.read_csv(file)["players"].tolist() == [f"quick; adept; {TRAINED}"]


@pytest.mark.parametrize("box", ["base", "terra-incognita"])
def test_the_packaged_ranges_are_of_the_printed_rules(box):
    run = played(load_ruleset((), None, box).digest(), box=box)
    found = reference_results.with_good_players(FRAME, run, "leader", WIN_RATE)
    assert found.loc[0, "good_players_low"] < found.loc[0, "good_players"] < found.loc[0, "good_players_high"]


def test_a_player_that_was_left_out_is_held_against_the_bands(known, monkeypatch):
    values = pd.Series(float("nan"), [figure for _, figure in figures_by_strategy.figures_of(PRINTED)])
    values[f"{WIN_RATE}Rome"] = 0.31
    own = [0.0]  # how far the interval of the figure itself reaches

    def read():
        return values.to_numpy(), lambda confidence: (values.to_numpy() - own[0], values.to_numpy() + own[0])

    monkeypatch.setattr(reference_bands, "way_of", lambda run, subjects: SimpleNamespace(values=read))
    found = reference_bands.held(played("abc")).set_index("group")
    assert found.loc["all", ["n", "inside", "furthest"]].tolist() == [1, 0, f"{WIN_RATE}Rome"]
    assert found.loc["all", "beyond"] == pytest.approx(0.02)
    own[0] = 0.03
    assert reference_bands.held(played("abc")).set_index("group").loc["all", "beyond"] == pytest.approx(0.06 - 0.05)
    own[0] = 0.05
    assert reference_bands.held(played("abc"))["inside"].tolist() == [1, 1]
    values[f"{WIN_RATE}Rome"], own[0] = 0.23, 0.0
    assert reference_bands.held(played("abc"))["inside"].tolist() == [1, 1]
    with pytest.raises(UserError, match="no good players of these rules"):
        reference_bands.held(SimpleNamespace(**vars(played("other")), path="RUN"))
