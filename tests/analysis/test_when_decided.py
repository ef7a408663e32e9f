"""When a game is decided: the sentences of three views agree with their rows, and do not move with the number of games."""

import re

import numpy as np
import pandas as pd
import pytest
from said import unreadable

from newdawn.analysis.questions import round_by_round, when_decided
from newdawn.analysis.stats.inference import against_share, normal_together
from newdawn.analysis.stats.rates import SMALL_SAMPLE, rate_columns

RATES = np.array([0.25, 0.20, 0.23, 0.28, 0.33, 0.40, 0.46, 0.55, 0.65])  # of who leads alone, at four: 35% from round 6 on


def leading(games, seed=0):
    """Return rounds as `game.predictability` has them, of so many games with one seat alone ahead."""
    n = np.full(len(RATES), games)
    wins = np.random.default_rng(seed).binomial(n, RATES)
    frame = pd.DataFrame({"round": np.arange(1, 10), "n": 2 * n, "leading": n, "leader_wins": wins, "fair_share": 0.25})
    frame = frame.assign(**rate_columns(wins, n, "leader_win_rate"), small_sample=False)
    return frame.assign(**against_share("leader_win_rate", wins, n, 0.25, SMALL_SAMPLE, "who leads alone"))


@pytest.mark.parametrize("games", [300, 3_000, 60_000])
def test_the_first_round_of_a_clear_lead_is_not_that_of_a_mere_difference(games):
    """ "From round k on, whoever leads alone wins more" said 12 with 200 games and 3 with 60,000."""
    first = when_decided.edge(leading(games))
    assert first.earliest <= 6 <= first.shown
    assert games < 60_000 or (first.earliest, first.shown) == (6, 6)
    *less, said = when_decided.leading_findings(leading(games), None)
    row = first.rows.iloc[0]
    ends = ", ".join(f"{100 * row[f'leader_win_rate_all_{end}']:.1f}" for end in ("low", "high"))
    assert f"it wins {100 * row['leader_win_rate']:.1f}% [{ends}] (n = {games:,})." in said.text
    assert re.search(r"First after (round 6|one of the rounds \d to \d), who leads alone wins 10 points more", said.text)
    assert said.certainty == "shown"
    assert unreadable([*less, said]) == []
    assert len(less) == (games > 300)
    if less:  # it wins less than its share early on, which was not said at all
        assert less[0].text.startswith("After round")
        assert "who leads alone in victory cards wins less than the fair share. Least after round 2: " in less[0].text
        assert less[0].certainty in ("strong", "shown")


def test_a_lead_that_is_never_worth_so_much_is_said_not_to_be_shown():
    frame = leading(2_000)
    frame = frame.assign(
        **{f"leader_win_rate_all_{end}": frame["fair_share"] + 0.05 for end in ("low", "high")}, p_adjusted=1.0
    )
    (said,) = when_decided.leading_findings(frame, None)
    assert said.text == "Who leads alone is not shown to win 10 points more than the fair share after any round."
    assert said.certainty == "open"
    (few,) = when_decided.leading_findings(frame.assign(leading=20), None)
    assert few.certainty == "untested"


def test_the_three_views_are_told_together():
    rows = [(when_decided.LEADS, 6.0, 5.0, 6.0, 812), (when_decided.FOR_GOOD, 17.0, 15.0, 19.0, 2_400),
            (when_decided.FAVOURITE, 15.0, 12.0, 17.5, 2_400)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["view", "round", "least", "most", "n"]).assign(meaning="")
    whole, lead = when_decided.views_findings(frame, None)
    assert whole.text == (
        "By all that seats have, half of the games are decided from round 15 on "
        "(the middle half: round 12 to 17.5; n = 2,400). "
        "By victory cards alone, half of the games are decided from round 17 on (the middle half: round 15 to 19; n = 2,400). "
        "Decided: the later winner is ahead to the end."
    )
    assert (
        "First after one of the rounds 5 to 6, who leads alone wins 10 points more than the fair share (n = 812)" in lead.text
    )
    assert (whole.certainty, lead.certainty) == ("measured", "shown")
    assert unreadable([whole, lead]) == []
    assert [one.text for one in when_decided.views_findings(frame.assign(round=np.nan).head(1), None)] == []


LEAD = np.array([0.0, -0.06, -0.05, -0.04, 0.0, 0.05, 0.12, 0.2, 0.3, 0.45])  # world wonders that winners have more


@pytest.mark.parametrize("error", [0.05, 0.004])
def test_winners_wonders_are_told_with_both_signs(error):
    """Rounds 2 to 4, where winners have fewer world wonders, were left out; "as early as round 10" was the sample's."""
    lead = LEAD + error * np.random.default_rng(1).normal(size=10)
    rows = pd.DataFrame({"measure": "wonders", "round": np.arange(1, 11), "n": 900, "lead": lead, "small_sample": False,
                         **normal_together("lead", lead, np.full(10, error))})  # fmt: skip
    *fewer, more = round_by_round.course_findings(rows)
    assert len(fewer) == (error < 0.05)
    if fewer:
        least = rows.loc[rows["lead"].idxmin()]
        assert "Winners have fewer world wonders than the others at the end of rounds 2 to 4." in fewer[0].text
        assert f"round {least['round']}: −{abs(least['lead']):.2f} [" in fewer[0].text
        assert fewer[0].certainty == "strong"
        assert "for the first time at the end of round 9." in more.text
    assert f"At the end of round 8 the difference is {rows['lead'].iloc[7]:.2f} [" in more.text
    assert unreadable([*fewer, more]) == []
