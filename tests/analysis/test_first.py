"""The first screen: at most five sentences, the largest first, and what one way of playing hides."""

import re

import numpy as np
import pandas as pd
import pytest
from known import draw, seated, tables
from scipy import special
from test_report import Known

from newdawn.analysis.models.interaction import interactions
from newdawn.analysis.models.seatings import outcomes
from newdawn.analysis.report.first import ALL, first
from newdawn.analysis.report.part import Source, points, rate
from newdawn.analysis.report.subjects import PARTS
from newdawn.analysis.statistics.rates import wilson
from newdawn.analysis.summaries.hands import leaders_by_strategy
from newdawn.analysis.tables import reference
from newdawn.simulator import names

JAPAN, ROME = names.LEADERS.index("Japan"), names.LEADERS.index("Rome")
KEYS = ("leaders", "leaders-by-strategy", "leaders-with-strategies", "order", "card-sets")
WAYS = ["bold", "calm", "wild"]


def mixed_run(games, seed, bonus=0.9):
    """Return a run of three strategies; Japan is strong in the hands of the bold only, Rome weak in all."""
    rng = np.random.default_rng(seed)
    leaders, order, cards = seated(rng, games, 4)
    strategy = rng.integers(0, 3, leaders.shape)
    utility = 0.5 * (strategy == 0) + bonus * ((leaders == JAPAN) & (strategy == 0)) - 0.5 * (leaders == ROME)
    run = Known(np.zeros(8), games=1)
    run.frames = tables(leaders, order, cards, draw(rng, utility), strategies=strategy, rng=rng)
    return run


def screen(source, keys=KEYS):
    frames = {part.key: part.frame(source) for part in PARTS if part.key in keys}
    return first({key: frame for key, frame in frames.items() if frame is not None}, source), frames


def test_a_leader_that_is_strong_in_warlike_hands_only_is_seen_to_be_so():
    source = Source(mixed_run(9000, 1))
    shown, frames = screen(source)
    texts = [finding.text for finding in shown.findings]
    assert 1 <= len(texts) <= 5
    pairs = frames["leaders-with-strategies"].set_index(["leader", "strategy"])
    bold = pairs.loc[("Japan", "bold")]
    said = next(text for text in texts if text.startswith("Leaders' strength depends on who plays them"))
    size = points(bold["interaction"], bold["interaction_all_low"], bold["interaction_all_high"])
    assert f": Japan with bold (n = {bold['decided']:,.0f}) {size} points" in said
    assert bold["verdict"] == "outside"
    assert set(pairs.drop("Japan")["verdict"]) <= {"undecided", "balanced"}
    hands = frames["leaders-by-strategy"].set_index(["leader", "strategy"])
    assert hands.loc[("Japan", "bold"), "verdict"] == "outside"
    assert hands.loc[("Japan", "calm"), "verdict"] != "outside"
    # Beside each other: the rate over all games and under each way of playing, with its interval.
    assert len(shown.headings) == 4 + 3
    row, bold = next(row for row in shown.rows if row[0] == "Japan"), hands.loc[("Japan", "bold")]
    assert row[4].startswith(rate(bold["win_rate"], bold["win_rate_low"], bold["win_rate_high"]))
    assert row[4].endswith("▲")
    assert not any("All seats were played" in text for text in texts)


def test_a_strong_strategy_does_not_make_leaders_depend_on_it():
    """Strengths of leaders and strategies that add up on log odds, however large: no pair is told to be special."""
    for seed in range(4):
        frame = interactions(outcomes(mixed_run(10_000, 20 + seed, bonus=0.0)), 0.25)
        assert not (frame["p_adjusted"] <= 0.01).any()
        assert len(frame) == 24


@pytest.mark.calibration
def test_interactions_cover_and_are_found_where_they_are():
    """What a bonus of Japan's in bold hands leaves beyond main effects: 0.9 · 7/8 · 2/3 there, less than 0 beside it."""
    own = np.outer(np.where(np.arange(8) == JAPAN, 7 / 8, -1 / 8), [2 / 3, -1 / 3, -1 / 3])
    for bonus in (0.0, 0.9):
        truth = 100 * (special.expit(special.logit(0.25) + bonus * own) - 0.25)
        held, together, falsely = 0, 0, 0
        for seed in range(60):
            frame = interactions(outcomes(mixed_run(1500, 300 + seed, bonus)), 0.25)
            true = truth[
                [names.LEADERS.index(name) for name in frame["leader"]], [WAYS.index(name) for name in frame["strategy"]]
            ]
            held += int(((frame["interaction_low"] <= true) & (true <= frame["interaction_high"])).sum())
            together += bool(((frame["interaction_all_low"] <= true) & (true <= frame["interaction_all_high"])).all())
            falsely += bool((frame["p_adjusted"] <= 0.05).any())
        assert 0.93 < held / (60 * 24) < 0.97
        assert together >= 54
        assert falsely <= 7 if bonus == 0 else falsely >= 45


def test_sentences_are_ranked_by_size_and_true():
    source = Source(mixed_run(9000, 2))
    shown, frames = screen(source)
    weak = next(text for text in (finding.text for finding in shown.findings) if text.startswith("Too weak"))
    leaders = frames["leaders"]
    outside = leaders[(leaders["verdict"] == "outside") & (leaders["points"] < 0)]
    assert re.findall(r"(\w+) wins", weak) == list(outside.sort_values("points")["leader"])
    for row in outside.to_dict("records"):
        won = rate(row["adjusted_rate"], row["adjusted_rate_all_low"], row["adjusted_rate_all_high"])
        assert f"{row['leader']} wins {won}, {points(row['points'])} points (n = {row['decided']:,.0f})" in weak
    # The first figure with a sign in a sentence is the largest of its subject.
    signed = [[float(x.replace("−", "-")) for x in re.findall(r"([+−]\d+\.\d)", one.text)] for one in shown.findings]
    sizes = [abs(x[0]) for x in signed]
    assert sizes == sorted(sizes, reverse=True)


def test_one_strategy_says_what_it_hides():
    known = Known(np.zeros(8), games=3000)
    seats = known.frames["seats"]
    known.frames["seats"] = seats.assign(strategy=pd.Categorical(["planner"] * len(seats)))
    shown, _ = screen(Source(known))
    hidden = shown.findings[-1]
    assert hidden.certainty == "limit"
    assert hidden.text.startswith("All seats were played by planner")
    ladder = reference.ladder(names.BOXES[0])
    rating = next(row for row in ladder["ratings"] if row["strategy"] == "planner")
    assert f"it wins {rate(rating['win_rate'], rating['win_rate_low'], rating['win_rate_high'])} of its games" in hidden.text
    agenda, _, other = re.search(r"and (\w+) is in ([\d.]+)% .* of those of (\w+) \(n", hidden.text).groups()
    by = {(row["strategy"], row["agenda"]): row for row in ladder["agendas"]}
    own, theirs = by["planner", agenda], by[other, agenda]
    assert theirs["share_low"] > own["share_high"]
    assert len(shown.findings) <= 5
    assert shown.findings[0].text.startswith(("No leader is shown to be off", "All 8 leaders are balanced"))


def test_no_leader_is_judged_by_its_player():
    """Each leader has a strategy of its own: that nothing can be said is said first. With drawn strategies it can."""
    run = mixed_run(3000, 5, bonus=0.0)
    seats = run.frames["seats"]
    names = seats["strategy"].cat.categories
    own = names[seats["leader"].cat.codes.to_numpy() % len(names)]
    run.frames["seats"] = seats.assign(strategy=pd.Categorical(own, names))
    shown, frames = screen(Source(run), (*KEYS, "spread"))
    first_words = shown.findings[0]
    assert first_words.text.startswith("No verdict on leaders: they cannot be told from who played them (America by ")
    assert first_words.text.endswith(f"--strategy-pool {','.join(names)}.")
    assert set(frames["leaders"]["verdict"]) == {"not tested"}
    assert frames["spread"] is None
    assert [verdict.words for verdict in shown.verdicts] == ["not tested"]
    leaders = next(part for part in PARTS if part.key == "leaders")
    assert leaders.findings(frames["leaders"], Source(run)) == [first_words]
    assert Source(mixed_run(3000, 5)).players_of == {}


@pytest.mark.parametrize("share", [0.3, 0.005])
def test_unfinished_games_are_said_first_and_never_counted_as_decided(share):
    """Of 3,000 games a share ends without a winner: more than 1% come first; n is that of the games somebody won."""
    rng = np.random.default_rng(7)
    leaders, order, cards = seated(rng, 3000, 4)
    won = draw(rng, 0.9 * (leaders == JAPAN))
    won[rng.random(3000) < share] = 0
    run = Known(np.zeros(8), games=1)
    run.frames = tables(leaders, order, cards, won, rng=rng)
    shown, frames = screen(Source(run))
    unfinished = int((won.sum(axis=1) == 0).sum())
    low, high = wilson(unfinished, 3000)
    said = f"Nobody won {rate(unfinished / 3000, float(low), float(high))} of the games (n = 3,000)"
    assert shown.findings[0].text.startswith(said) == (share > 0.01)
    japan = frames["leaders"].set_index("leader").loc["Japan"]
    there = (leaders == JAPAN).any(axis=1)
    assert japan["decided"] == (there & (won.sum(axis=1) > 0)).sum() < there.sum() == japan["n"]
    assert f"Japan wins {rate(*(japan[f'adjusted_rate{end}'] for end in ALL))}" in "".join(one.text for one in shown.findings)
    assert f"(n = {japan['decided']:,.0f})" in "".join(one.text for one in shown.findings)


def test_each_box_has_a_ladder_of_its_own():
    base, box = (reference.ladder(name) for name in names.BOXES)
    assert "castellan" in {row["strategy"] for row in box["ratings"]} - {row["strategy"] for row in base["ratings"]}


def test_leaders_within_the_margin_are_said_to_be_balanced():
    shown, frames = screen(Source(Known(np.zeros(8), games=40_000, seed=3)))
    assert set(frames["leaders"]["verdict"]) == {"balanced"}
    assert shown.findings[0].text.startswith("All 8 leaders are balanced within ±2 points of the fair share")


def test_without_the_reference_the_screen_still_says_it(monkeypatch):
    monkeypatch.setattr(reference, "ladder", lambda box: None)
    shown, _ = screen(Source(Known(np.zeros(8), games=300)))
    assert "--strategy-pool" in shown.findings[-1].text


@pytest.mark.calibration
@pytest.mark.parametrize("bonus", [0.0, 0.9])
def test_intervals_of_leaders_by_strategy_cover(bonus):
    truth = leaders_by_strategy(mixed_run(150_000, 4, bonus)).set_index(["leader", "strategy"])["points"]
    held, n, together = 0, 0, 0
    for seed in range(40):
        frame = leaders_by_strategy(mixed_run(1000, 100 + seed, bonus)).set_index(["leader", "strategy"])
        true = truth.reindex(frame.index)
        held += int(((frame["points_low"] <= true) & (true <= frame["points_high"])).sum())
        together += bool(((frame["points_all_low"] <= true) & (true <= frame["points_all_high"])).all())
        n += len(frame)
    assert 0.93 < held / n < 0.97
    assert together >= 35
