"""Sentences and badges of real plays are read back from the rows of their tables."""

import re

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.questions import plays
from newdawn.analysis.stats.verdicts import ORDER, PEOPLE, Nearness, Verdict, verdict_cells
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.analysis.tables.real_plays import EQUAL

NEAREST, FURTHER, OPEN = Nearness
SURE = {Verdict.FAR_ABOVE: ("strong", "shown"), Verdict.UNDECIDED: ("open",), FURTHER: ("strong", "shown"), OPEN: ("open",)}


def weakest(rows):
    return max((row["certainty"] for row in rows), key=ORDER.index)


def tables(seed):
    """Draw the tables of a comparison: every combination of verdicts comes up."""
    rng = np.random.default_rng(seed)

    def row(verdicts, **more):
        verdict = verdicts[rng.integers(len(verdicts))]
        cells = verdict_cells(verdict, PEOPLE if isinstance(verdict, Verdict) else None)
        return cells | {"certainty": rng.choice(SURE[verdict]), **more}

    ways = ["quick", "warrior", "planner"][: rng.integers(1, 4)]
    told = (Verdict.FAR_ABOVE, Verdict.UNDECIDED)
    tests = [row(told, way=way, plays=120, p=0.01, p_adjusted=0.02, skill=0.0, detectable=18.0, chi2=9.0, df=7) for way in ways]
    leaders = [
        row(told, leader=leader, way=way, n=40, wins=12, win_rate=0.3, win_rate_low=0.2, win_rate_high=0.45,
            expected_rate=0.25, expected_rate_low=0.24, expected_rate_high=0.26, fair_share=0.25, points=5.0,
            points_all_low=1.0, points_all_high=9.0, p=float(rng.random()), p_adjusted=0.5, detectable=20.0, small_sample=True)
        for leader in ("Rome", "Egypt", "Japan") for way in ways
    ]  # fmt: skip
    others = [row((FURTHER, OPEN), way=way) for way in (*ways[1:], EQUAL)]
    sure = all(one["verdict"] == FURTHER.value for one in others)
    best = verdict_cells(NEAREST if sure else OPEN) | {"way": ways[0], "certainty": weakest(others) if sure else "open"}
    near = pd.DataFrame([best, *others]).assign(plays=120, score=-1.2, chance_of_winner=0.3, behind=0.1)
    unclear = near["verdict"].eq(OPEN.value) & (near.index > 0)
    near = near.assign(plays_fewest=np.where(unclear, 450.0, np.nan), plays_most=np.where(unclear, np.inf, np.nan))
    estimates = pd.DataFrame(
        {
            "leader": ["Rome"],
            "n": 40,
            "win_rate": 0.3,
            "players": 4,
            "simulated_rate": 0.25,
            "estimated_rate": 0.27,
            "estimated_rate_low": 0.2,
            "estimated_rate_high": 0.3,
            "weight": 0.4,
        }
    )
    frames = {"agreement": pd.DataFrame(tests), "leaders": pd.DataFrame(leaders), "nearest": near, "estimates": estimates}
    return frames, tests, leaders, near.to_dict("records")


@pytest.mark.parametrize("seed", range(40))
def test_sentences_and_badges_are_those_of_their_rows(seed):
    frames, tests, leaders, near = tables(seed)
    said = plays.from_tables(frames)
    for words, verdict in (("do not win as often", PEOPLE.far_above), ("No detectable difference", PEOPLE.undecided)):
        rows = [row for row in tests if row["verdict"] == verdict]
        found = [one for one in said if words in one.text and "single" not in one.text]
        assert len(found) == bool(rows)
        for one in found:
            assert re.findall(r"`(\w+)` \(adjusted", one.text) == [row["way"] for row in rows]
            assert one.certainty == weakest(rows)
    clear = sorted((row for row in leaders if row["verdict"] == PEOPLE.far_above), key=lambda row: row["p"])
    named = [one for one in said if ": people win " in one.text]
    assert [one.certainty for one in named] == [row["certainty"] for row in clear[: plays.EXAMPLES]]
    assert [one.text.split(":")[0] for one in named] == [row["leader"] for row in clear[: plays.EXAMPLES]]
    rest = [one for one in said if "more differ" in one.text]
    assert [one.certainty for one in rest] == ([weakest(clear[plays.EXAMPLES :])] if len(clear) > plays.EXAMPLES else [])
    first, others = near[0], near[1:]
    sure = [
        one for one in said if "is nearest to people:" in one.text or (one.certainty != "measured" and "predicts" in one.text)
    ]
    assert len(sure) == (first["verdict"] == NEAREST.value)
    for one in sure:
        assert one.certainty == weakest(others)
    assert any("450 plays" in one.text for one in said) == any(row["verdict"] == OPEN.value for row in others)
    flat = others[-1]["verdict"] == OPEN.value
    assert any("not predict winners detectably better" in one.text for one in said) == flat


def test_the_page_shows_each_strategy_under_its_verdict():
    frames, tests, *_ = tables(3)
    kept = KeptAnswer(plays.COMMAND, "People", {}, frames, [said.text for said in plays.from_tables(frames)], "base", "")
    _, first, _ = plays.page(kept)
    assert {stands.words: stands.names for stands in first.verdicts} == {
        "people's leaders differ" if verdict == PEOPLE.far_above else verdict: ways
        for verdict in (PEOPLE.far_above, PEOPLE.undecided)
        if (ways := [row["way"] for row in tests if row["verdict"] == verdict])
    }
    badges = {said.text: said.certainty for said in plays.from_tables(frames)}
    assert {finding.text: finding.certainty for finding in first.findings} == badges
