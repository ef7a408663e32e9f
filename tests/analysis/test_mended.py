"""What the others would be if the leader furthest off won its fair share: checked on games whose strengths are known."""

import numpy as np
import pandas as pd
import pytest
from known import known_run
from test_first import screen
from test_report import Known, found, part

from newdawn.analysis.pages.cells import rate
from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.tables.leader_strength import once_mended
from newdawn.analysis.tables.logit import balanced_rates, fit_logit, outcomes
from newdawn.simulator import names

SCYTHIA = names.LEADERS.index("Scythia")


def strengths(**log_odds):
    return np.array([log_odds.get(name, 0.0) for name in names.LEADERS])


def known_rates(strength):
    """The win rates at balanced tables of four of leaders with these log odds."""
    data = outcomes(known_run(np.random.default_rng(0), 3000, np.zeros(8)), cards=False)
    fit = fit_logit(data)
    order = [names.LEADERS.index(name) for name in data.levels["leader"]]
    parameters = np.zeros(len(fit.parameters))
    parameters[fit.places["leader"]] = (strength - strength.mean())[order][:-1]
    rates, _, _ = balanced_rates(type(fit)(**{**vars(fit), "parameters": parameters}), data, "leader")
    return pd.Series(rates, data.levels["leader"])


def test_with_the_strong_one_mended_the_others_stand_as_if_it_had_never_been():
    """Scythia takes from all: seven equal leaders look too weak, and would be at their fair share."""
    source = Source(Known(strengths(Scythia=0.9), games=60_000))
    assert set(source.judged.set_index("leader")["verdict"].drop("Scythia")) <= {"too weak", "below, size unclear"}
    frame = source.mended
    assert set(frame["leader"]) == set(names.LEADERS) - {"Scythia"}
    assert set(frame["mended"]) == {"Scythia"}
    assert (frame["verdict"] == "balanced").all()
    now = source.judged.set_index("leader")
    for row in frame.to_dict("records"):
        assert row["rate_now"] == pytest.approx(now.loc[row["leader"], "adjusted_rate"])
        assert row["points_all_low"] < row["points_low"] < row["points"] < row["points_high"] < row["points_all_high"]
    said = screen(source, ("leaders", "mended"))[0].findings
    assert said[0].text.startswith("Scythia is too strong: ")
    assert said[1].text == "With Scythia at 25.0%, none of the others is shown to be beyond the margin: 7 balanced."
    below = [one for one in found("mended", source) if one.text.startswith("Below the fair share now")]
    assert len(below) == 1
    assert "would not be shown to be with Scythia mended: " in below[0].text
    assert below[0].certainty == "open"


def test_who_is_strong_besides_is_stronger_than_it_looks():
    source = Source(Known(strengths(Scythia=0.9, Aztec=0.35), games=20_000))
    shown, frames = screen(source, ("leaders", "mended"))
    row = frames["mended"].set_index("leader").loc["Aztec"]
    assert row["verdict"] == "too strong"
    assert row["points"] > row["points_now"] + 2
    text = next(one.text for one in shown.findings if one.text.startswith("With "))
    assert text.startswith(f"With Scythia at 25.0%, Aztec would be too strong: {rate(row['adjusted_rate'])[:-1]}% [")
    at = shown.headings.index("with Scythia at 25.0% [95% all]")
    cells = {line[0]: line[at] for line in shown.rows}
    assert cells["Scythia"] == "–"
    assert cells["Aztec"].endswith(", too strong")
    assert "at its fair share" in shown.note
    texts = [one.text for one in found("mended", source)]
    assert any(text.startswith("Aztec would be too strong with Scythia at 25.0%: ") for text in texts)


def test_nothing_is_mended_where_nobody_is_shown_to_be_off():
    source = Source(Known(np.zeros(8), games=3000))
    assert source.mended is None
    assert part("mended").frame(source) is None
    assert not any(one.text.startswith("With ") for one in screen(source)[0].findings)


def test_the_mended_leader_wins_its_fair_share_and_the_others_the_rest():
    data = outcomes(known_run(np.random.default_rng(3), 4000, strengths(Scythia=1.2, Rome=-0.5)), cards=False)
    for leader in ("Scythia", "Rome"):
        frame = once_mended(data, leader)
        assert frame["adjusted_rate"].sum() + frame["fair_share"].iloc[0] == pytest.approx(2.0)  # 8 leaders at 25%
        assert np.sign(frame["points"] - frame["points_now"]).eq(1 if leader == "Scythia" else -1).all()


@pytest.mark.calibration
def test_intervals_of_the_mended_hold():
    """Those of a figure in 95%, those of all rows together in 95% of runs, of strengths that all differ."""
    strength = strengths(Scythia=0.8, Aztec=0.3, Rome=-0.4, Egypt=0.15)
    truth = known_rates(_mended(strength))
    held, together, rows = 0, 0, 0
    for seed in range(200):
        frame = once_mended(outcomes(known_run(np.random.default_rng(seed), 1500, strength), cards=False), "Scythia")
        true = truth[frame["leader"]].to_numpy()
        held += int(((frame["adjusted_rate_low"] <= true) & (true <= frame["adjusted_rate_high"])).sum())
        together += bool(((frame["adjusted_rate_all_low"] <= true) & (true <= frame["adjusted_rate_all_high"])).all())
        rows += len(frame)
    assert 0.93 < held / rows < 0.97
    assert together >= 183


def _mended(strength):
    """These log odds with Scythia's such that it wins a quarter, by bisection."""
    low, high = -3.0, 3.0
    for _ in range(40):
        middle = (low + high) / 2
        moved = np.where(np.arange(8) == SCYTHIA, middle, strength)
        low, high = (middle, high) if known_rates(moved)["Scythia"] < 0.25 else (low, middle)
    return np.where(np.arange(8) == SCYTHIA, low, strength)
