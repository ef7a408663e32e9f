"""Figures in bands: verdicts, badges and planned games are those of the intervals that the rows show."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from newdawn.analysis.goals import page
from newdawn.analysis.stats.bands import Asked, Ratio, is_more, too_few_for, without_noise
from newdawn.analysis.stats.verdicts import FAR, ORDER, WISH, Verdict, verdict_cells
from newdawn.analysis.tables.kept_answers import KeptAnswer
from newdawn.simulator.errors import counted

BANDS = [(0.2, 0.3), (0.25, np.inf), (-np.inf, 0.25)]


def games(rng, rate, n=1_500):
    return Ratio((rng.random(n) < rate).astype(float), np.ones(n))


@pytest.mark.parametrize(("low", "high"), BANDS)
def test_verdict_and_badge_are_read_back_from_the_intervals(low, high):
    rng, asked, seen = np.random.default_rng(1), Asked(4, 9), set()
    for _ in range(300):
        figure = games(rng, rng.uniform(0.1, 0.4))
        verdict, certainty = asked.verdict(figure, low, high), asked.certainty(figure, low, high)
        (least, most), (below, above) = (figure.interval(level)[1:3] for level in (1 - 0.05 / 4, 1 - 0.05 / 36))
        assert (verdict is Verdict.WITHIN) == (low <= least and most <= high)
        assert (verdict in FAR) == (below > high or above < low)
        assert (certainty == "open") == (verdict is Verdict.UNDECIDED)
        # Strong evidence is a verdict that stands at 0.1%, not at 5%: about, for intervals are not quite normal.
        less, more = (Asked(4 * times, 9).verdict(figure, low, high) is verdict for times in (25, 100))
        assert verdict is Verdict.UNDECIDED or more <= (certainty == "strong") <= less
        seen.add((verdict, certainty))
    assert {(Verdict.WITHIN, "shown"), (Verdict.WITHIN, "strong"), (Verdict.UNDECIDED, "open")} <= seen
    assert any(verdict in FAR for verdict, _ in seen)


def test_a_wish_is_as_sure_as_the_least_sure_figure_that_it_needs():
    asked, cases = Asked(1, 2), ((2_250, 9_000), (410, 1_500), (750, 1_500), (270, 900))
    sure, just, out, unclear = (Ratio((np.arange(n) < wins).astype(float), np.ones(n)) for wins, n in cases)
    band = (0.2, 0.3)
    assert asked.certainty(sure, *band) == "strong"
    assert asked.certainty(just, *band) == "shown"
    assert asked.of_several([(sure, *band), (just, *band)]) == (Verdict.WITHIN, "shown")
    assert asked.of_several([(sure, *band), (out, *band)]) == (Verdict.FAR_ABOVE, "strong")
    assert asked.of_several([(sure, *band), (unclear, *band)]) == (Verdict.UNDECIDED, "open")


@pytest.mark.calibration
@pytest.mark.parametrize(("low", "high"), BANDS)
@pytest.mark.parametrize("truth", [0.22, 0.27, 0.33])
def test_the_planned_games_tell_as_often_as_promised(low, high, truth):
    asked, repeats, rng, told = Asked(7, 20), 400, np.random.default_rng(3), 0
    n = int(asked.games_for((truth, truth), float(np.sqrt(truth * (1 - truth))), 1, low, high))
    for _ in range(repeats):
        told += asked.verdict(games(rng, truth, n), low, high) is not Verdict.UNDECIDED
    assert 0.75 <= told / repeats <= 0.87


def test_differences_and_narrow_bands():
    assert is_more(2.0, 1.0)
    assert not is_more(2.0, 1.0, questions=2)  # the quantile of two is 2.24
    assert too_few_for(0.05, 0.01, 1_000, 1) is None
    assert too_few_for(0.01, 0.01, 1_000, 1) > 8_000


def test_the_distance_is_without_what_chance_adds():
    """Thirty figures at the edges of their bands: chance alone puts each 0.4 errors outside, and 0.16 are left."""
    rng, found, plain = np.random.default_rng(4), [], []
    for _ in range(400):
        value = rng.normal(0, 1, 30)
        found.append(without_noise(value, rng.normal(value, 1, (500, 30)), np.asarray)[0] / 30)
        plain.append(np.maximum(value, 0).mean())
    assert np.mean(found) < 0.19 < 0.38 < np.mean(plain)


# --- What the page says of goals


MEANT = {"met": Verdict.WITHIN, "missed": Verdict.FAR_BELOW, "undecided": Verdict.UNDECIDED}


def answer(rows, changes=1):
    """Return an answer of the search: a row a wish of the rules, and of the point that is advised."""
    frame = pd.DataFrame(rows).assign(
        goal=range(len(rows)), wish=range(len(rows)), way="planner", players=4, band="20.0% to 30.0%", wanted_low=0.2,
        wanted_high=0.3, unit="share", value=0.25, low=0.24, high=0.26, n=6_000, far=0.0,
    )  # fmt: skip
    missed = frame.assign(point=0, **verdict_cells(Verdict.FAR_ABOVE, WISH))
    both = pd.concat([missed, frame.assign(point=1)], ignore_index=True)
    count = frame["verdict"].value_counts()
    front = pd.DataFrame({"point": [0, 1], "changes": [0, changes], "price": [0, changes], "distance": [3.0, 0.0],
                          "distance_low": [2.0, 0.0], "distance_high": [4.0, 0.4], "front": True, "n": 6_000,
                          "met": int(count.get(WISH.within, 0)), "missed": int(count.get(WISH.far_above, 0)),
                          "open": int(count.get(WISH.undecided, 0)), "wishes": len(rows), "at_end": "", "nearer": True,
                          "better": True, "what": "Petra: cost 9", "house_rule": "x", "advised": [False, True]})  # fmt: skip
    line = "newdawn goals goals.yaml --fresh 6000"
    return KeptAnswer("goals", "Goals", {"players": "4"}, {"front": front, "goals": both}, ["One change meets all wishes."],
                "base", line, {"goals": "x"})  # fmt: skip


@pytest.mark.parametrize("verdicts", [["met"] * 3, ["met", "missed", "undecided"], ["undecided"] * 3, ["missed"] * 3])
@pytest.mark.parametrize("sure", ["strong", "shown"])
def test_sentences_and_badges_of_goals_are_those_of_their_rows(verdicts, sure):
    rows = [
        {"figure": f"win rate of {name}", **verdict_cells(MEANT[verdict], WISH),
         "certainty": "open" if verdict == WISH.undecided else sure if k else "shown",
         "games_fewest": 20_400.0 if verdict == WISH.undecided else np.nan}
        for k, (name, verdict) in enumerate(zip(("Rome", "Egypt", "Japan"), verdicts, strict=True))
    ]  # fmt: skip
    parts, first, _ = page.made(answer(rows))
    named = {stands.words.split(":")[0]: stands.names for stands in first.verdicts}
    for word in set(verdicts):
        assert named[word] == [counted(sum(row["verdict"] == word for row in rows), "win rate")]
    assert set(named) == set(verdicts)
    whole = set(verdicts) == {"met"}
    weakest = max((row["certainty"] for row in rows), key=ORDER.index)
    assert first.findings[0].certainty == (weakest if whole else "measured")
    goals = next(part for part in parts if part.key == "goals")
    said = goals.findings(goals.frame(SimpleNamespace()), SimpleNamespace())[0]
    missed = [row for row in rows if row["verdict"] == "missed"]
    for row in missed:
        assert row["figure"] in said.text
    assert said.certainty == (max((row["certainty"] for row in missed), key=ORDER.index) if missed else "open")
    commands = [step.command for step in first.steps]
    assert any("--fresh 21000" in command for command in commands) == ("undecided" in verdicts)
    assert any("--adapt" in command for command in commands)
