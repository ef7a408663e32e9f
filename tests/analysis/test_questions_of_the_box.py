"""What the lab says of Terra Incognita: found in games of known truth, and nothing where nothing is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from known import KnownRun

from newdawn import analysis
from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions import expansion as parts
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.runs.columns import DISTRICT_NAMES, GOVERNMENT_NAMES

LEADER = names.TI_LEADERS[0]
ASSOCIATED = ("districts", "governments", "exploring", "forts", "unique_cards")


class Boxed(KnownRun):
    """A run of the expansion in memory."""

    box = "terra-incognita"
    path = "drawn"


def boxed(rng, games=4000, players=4, worth=0.0):
    """Return games in which a Campus adds `worth` to a seat's log odds, and nothing else matters."""
    likely = rng.random((games, 1)) < 0.5  # in some games everybody builds: seats of a game are not independent
    campus = rng.random((games, players)) < np.where(likely, 0.8, 0.2)
    utility = worth * campus + rng.gumbel(size=(games, players))
    won = (utility == utility.max(axis=1, keepdims=True)).astype(float)
    places = {"game_id": np.repeat(np.arange(games), players), "seat": np.tile(np.arange(players), games)}
    seats = pd.DataFrame(places | {"won": won.ravel()})
    seats = seats.assign(**{f"placed_{name}": rng.integers(0, 2, len(seats)) for name in DISTRICT_NAMES})
    seats = seats.assign(placed_campus=campus.ravel().astype(int))
    seats = seats.assign(**{f"turns_{name}": rng.poisson(0.7, len(seats)) for name in GOVERNMENT_NAMES})
    seats = seats.assign(tiles_explored=rng.poisson(1.0, len(seats)), forts_taken=rng.poisson(1.0, len(seats)))
    leader = np.array(names.TI_LEADERS, object)[rng.integers(0, len(names.TI_LEADERS), len(seats))]
    taken = np.where(rng.random(len(seats)) < 0.5, rng.integers(1, 12, len(seats)).astype(float), np.nan)
    seats = seats.assign(leader=pd.Categorical(leader), unique_card_round=taken)
    return Boxed({"games": pd.DataFrame({"game_id": np.arange(games)}), "seats": seats}, players)


def test_what_goes_with_winning_is_found_and_only_that():
    frame = analysis.districts(boxed(np.random.default_rng(1), worth=0.5)).set_index("district")
    campus = frame.loc["campus"]
    assert campus["association_all_low"] > 3
    assert campus["p_adjusted"] < 0.001
    assert not (frame.drop(index="campus")["p_adjusted"] <= 0.05).any()
    assert campus["n"] + campus["n_without"] == 16_000
    assert campus["association"] == pytest.approx(100 * (campus["win_rate"] - campus["rate_without"]))
    assert campus["share"] == pytest.approx(campus["n"] / 16_000)


@pytest.mark.calibration
def test_intervals_cover_nothing_where_nothing_is():
    """200 runs of games where no district matters, though seats of a game place alike: 95% of the intervals hold 0."""
    held = []
    for seed in range(200):
        frame = analysis.districts(boxed(np.random.default_rng(seed), games=400))
        held.append((frame["association_low"] <= 0) & (frame["association_high"] >= 0))
    share = np.mean(held)
    assert 0.93 < share < 0.97


def test_numbers_of_tiles_and_forts_are_rows():
    run = boxed(np.random.default_rng(2))
    for name, column in (("exploring", "tiles"), ("forts", "forts")):
        frame = getattr(analysis, name)(run)
        assert list(frame[column]) == ["0", "1", "2", "3 or more"]
        assert frame["n"].sum() == 16_000
        assert frame["wins"].sum() == pytest.approx(4000)


def test_a_unique_card_is_compared_within_its_leader():
    run = boxed(np.random.default_rng(3))
    frame = analysis.unique_cards(run).set_index("leader")
    seats = run.tables["seats"]
    own = seats[seats["leader"] == LEADER]
    assert frame.loc[LEADER, "n"] == own["unique_card_round"].notna().sum()
    assert frame.loc[LEADER, "n"] + frame.loc[LEADER, "n_without"] == len(own)
    assert frame.loc[LEADER, "median_round"] == own["unique_card_round"].median()
    assert not (frame["p_adjusted"] <= 0.05).any()


def test_wonders_that_left_were_followed_by_another():
    rows = [  # wonder, revealed, built
        ("Oracle", 1, None), ("Stonehenge", 5, 5), ("Big Ben", 5, None), ("Petra", 9, None), ("Kremlin", None, None),
    ]  # fmt: skip
    wonders = pd.DataFrame(rows, columns=["wonder", "round_revealed", "round_built"]).astype({"round_built": float})
    wonders = wonders.assign(game_id=0, type="culture", era="ancient", in_deck=True)
    frame = analysis.wonders_left(Boxed({"games": pd.DataFrame({"game_id": [0]}), "wonders": wonders}, 4)).set_index("wonder")
    assert frame["left"].to_dict() == {"Oracle": 1, "Big Ben": 1, "Petra": 0, "Stonehenge": 0, "Kremlin": 0}
    assert frame.loc["Oracle", "left_rate"] == 1
    assert frame["small_sample"].all()


@pytest.mark.parametrize("name", [*ASSOCIATED, "wonders_left"])
def test_the_base_game_has_none_of_it(name):
    run = boxed(np.random.default_rng(0), games=10)
    run.box = "base"
    with pytest.raises(UserError, match="a run of the base game; expected one with --box terra-incognita"):
        getattr(analysis, name)(run)
    assert all(part.frame(Source(run)) is None for part in parts.PARTS)


@pytest.mark.parametrize("name", ASSOCIATED)
def test_sentences_agree_with_their_rows_and_claim_no_effect(name):
    run = boxed(np.random.default_rng(4), worth=0.6)
    part = next(one for one in parts.PARTS if one.key == name.replace("_", "-"))
    frame = getattr(analysis, name)(run)
    for finding in part.findings(frame, Source(run)):
        shown = finding.certainty in ("shown", "strong")
        assert finding.text.startswith(
            "Association, not effect." if shown else ("No", "Exploring is not", "Taking forts is not")
        )
        for row in frame.to_dict("records") if shown else ():
            if f": {row[frame.columns[0]]} " in finding.text:
                assert f"(n = {row['n']:,} seats with it, {row['n_without']:,} without)" in finding.text
                assert f"{row['association']:+.1f} [{row['association_all_low']:+.1f}" in finding.text.replace("−", "-")
    assert "effect" not in " ".join(frame.columns)
