"""The first screen: at most three sentences, the largest first, what to do next, and what one way of playing hides."""

import re

import numpy as np
import pandas as pd
import pytest
from known import draw, seated, tables
from scipy import special
from test_report import Known

from newdawn.analysis.pages import plots
from newdawn.analysis.pages.cells import points, rate
from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.report.first_screen import first
from newdawn.analysis.report.page import PARTS, limits
from newdawn.analysis.stats.inference import ALL, normal_ends, together, two_sided
from newdawn.analysis.stats.rates import wilson
from newdawn.analysis.stats.verdicts import far, judged
from newdawn.analysis.tables import reference_results
from newdawn.analysis.tables.logit import outcomes
from newdawn.analysis.tables.matchup import interactions
from newdawn.analysis.tables.win_rates import leaders_by_strategy
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
    assert 1 <= len(texts) <= 3
    pairs = frames["leaders-with-strategies"].set_index(["leader", "strategy"])
    bold = pairs.loc[("Japan", "bold")]
    said = next(text for text in texts if text.startswith("Japan with bold wins "))
    size = points(bold["interaction"], bold["interaction_all_low"], bold["interaction_all_high"])
    alone = f"points beyond what leader and strategy are worth alone (n = {bold['decided']:,.0f})."
    assert said == f"Japan with bold wins {size} {alone}"
    assert bold["verdict"] == "raised"
    assert not set(pairs.drop("Japan")["verdict"]) & {"raised", "lowered"}
    hands = frames["leaders-by-strategy"].set_index(["leader", "strategy"])
    assert hands.loc[("Japan", "bold"), "verdict"] == "too strong"
    assert hands.loc[("Japan", "calm"), "verdict"] != "too strong"
    # Beside each other: the rate over all games and under each way of playing, with its interval.
    assert len(shown.headings) == 5 + 3
    row, bold = next(row for row in shown.rows if row[0] == "Japan"), hands.loc[("Japan", "bold")]
    assert row[5].startswith(rate(bold["win_rate"], bold["win_rate_low"], bold["win_rate_high"]))
    assert row[5].endswith("▲")
    assert dict(shown.meanings)["Who played"].startswith("Seats were played by `bold`, `calm` and `wild`, programs")
    assert "by equally strong players" in dict(shown.meanings)["Win rate"]


def test_a_strong_strategy_does_not_make_leaders_depend_on_it():
    """Strengths of leaders and strategies that add up on log odds, however large: no pair is told to be special."""
    for seed in range(4):
        frame = interactions(outcomes(mixed_run(10_000, 20 + seed, bonus=0.0)), 0.25)
        assert not (frame["p_adjusted"] <= 0.01).any()
        assert len(frame) == 24


@pytest.mark.calibration
def test_interactions_cover_and_are_found_where_they_are():
    """A pair's interaction is what it gains while all others add up: nothing, or Japan's bonus in bold hands."""
    for bonus in (0.0, 0.9):
        truth = 100 * (special.expit(special.logit(0.25) + bonus) - 0.25)
        asked, held, together, falsely = 0, 0, 0, 0
        for seed in range(60):
            frame = interactions(outcomes(mixed_run(1500, 300 + seed, bonus)), 0.25)
            falsely += bool((frame["p_adjusted"] <= 0.05).any())
            rows = frame if bonus == 0 else frame[(frame["leader"] == names.LEADERS[JAPAN]) & (frame["strategy"] == "bold")]
            asked += len(rows)
            held += int(((rows["interaction_low"] <= truth) & (truth <= rows["interaction_high"])).sum())
            together += bool(((rows["interaction_all_low"] <= truth) & (truth <= rows["interaction_all_high"])).all())
        assert 0.93 < held / asked < 0.97 if bonus == 0 else held >= 53
        assert together >= 54
        assert falsely <= 7 if bonus == 0 else falsely >= 45


def test_sentences_are_ranked_by_size_and_true():
    source = Source(mixed_run(9000, 2))
    shown, frames = screen(source)
    weak = next(text for text in (finding.text for finding in shown.findings) if " is too weak" in text)
    leaders = frames["leaders"]
    outside = far(leaders)
    row = outside.loc[outside["points"].abs().idxmax()]
    won = rate(row["adjusted_rate"], row["adjusted_rate_all_low"], row["adjusted_rate_all_high"])
    said = f"{row['leader']} is too weak: among equal players it would win {won} (n = {row['decided']:,.0f} decided games)"
    assert weak.startswith(f"{said}, {-row['points']:.1f} points")
    # Everybody is named among the verdicts, once, with what they mean.
    assert {one.words: one.names for one in shown.verdicts} == {
        word: list(part["leader"]) for word, part in leaders.groupby("verdict", sort=False)
    }  # fmt: skip
    for verdict in (one for one in shown.verdicts if one.words in ("too strong", "too weak")):
        assert verdict.meaning == f"more than 2 points {'above' if verdict.words == 'too strong' else 'below'} 25.0%"
    # The figure in points of a sentence is the largest of its subject.
    found = (re.search(r"(\d+\.\d)(?: \[[^\]]*\])? points", one.text) for one in shown.findings)
    sizes = [float(one[1]) for one in found if one]
    assert len(sizes) > 1
    assert sizes == sorted(sizes, reverse=True)


def test_one_strategy_says_what_it_hides():
    name = next(row["strategy"] for row in reference_results.reference_ladder(names.BOXES[0], 4)["ratings"][::-1]
                if reference_results.neglected(row["strategy"], names.BOXES[0], 4))  # fmt: skip
    known = Known(np.zeros(8), games=3000)
    known.manifest = {"plan": {"games": 3000}}
    seats = known.frames["seats"]
    known.frames["seats"] = seats.assign(strategy=pd.Categorical([name] * len(seats)))
    shown, _ = screen(Source(known))
    played = dict(shown.meanings)["Who played"]
    assert played.startswith(f"All seats were played by `{name}`, a program of this tool.")
    assert "`quick` plays better. A leader whose strength these players do not use looks weaker" in played
    ladder = reference_results.reference_ladder(names.BOXES[0], 4)
    rating = next(row for row in ladder["ratings"] if row["strategy"] == name)
    assert f"It wins {rate(rating['win_rate'], rating['win_rate_low'], rating['win_rate_high'])} of its games" in played
    hidden = reference_results.neglected(name, names.BOXES[0], 4)
    assert hidden in [one.text for one in limits(Source(known))]
    agenda, _, other = re.search(r"wins by ([\w ]+) in ([\d.]+)% .*\. With (\w+) it is ", hidden).groups()
    by = {(row["strategy"], row["agenda"]): row for row in ladder["agendas"]}
    own, theirs = by[name, agenda], by[other, agenda]
    assert theirs["share_low"] > own["share_high"]
    assert len(shown.findings) <= 3
    assert shown.findings[0].text.startswith(("No leader is detectably off", "All 8 leaders are balanced"))


def test_no_leader_is_judged_by_its_player():
    """Each leader has a strategy of its own: that nothing can be said is said first. With drawn strategies it can."""
    run = mixed_run(3000, 5, bonus=0.0)
    seats = run.frames["seats"]
    names = seats["strategy"].cat.categories
    own = names[seats["leader"].cat.codes.to_numpy() % len(names)]
    run.frames["seats"] = seats.assign(strategy=pd.Categorical(own, names))
    shown, frames = screen(Source(run), (*KEYS, "spread"))
    first_words = shown.findings[0]
    assert first_words.text == "No verdict on leaders: their strength cannot be distinguished from that of who played them."
    assert set(frames["leaders"]["verdict"]) == {"not compared"}
    assert frames["spread"] is None
    assert [verdict.words for verdict in shown.verdicts] == ["not compared"]
    leaders = next(part for part in PARTS if part.key == "leaders")
    (section,) = leaders.findings(frames["leaders"], Source(run))
    assert section.text.startswith(f"{first_words.text[:-1]} (America by ")
    assert section.text.endswith(f"--strategy-pool {','.join(names)}.")
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
    assert f"Japan is too strong: it wins {rate(*(japan[f'adjusted_rate{end}'] for end in ALL))}" in "".join(
        one.text for one in shown.findings
    )
    assert f"(n = {japan['decided']:,.0f})" in "".join(one.text for one in shown.findings)


def test_each_box_has_a_ladder_of_its_own():
    base, box = (reference_results.reference_ladder(name, 4) for name in names.BOXES)
    assert "castellan" in {row["strategy"] for row in box["ratings"]} - {row["strategy"] for row in base["ratings"]}


def test_leaders_within_the_margin_are_said_to_be_balanced():
    shown, frames = screen(Source(Known(np.zeros(8), games=40_000, seed=3)))
    assert set(frames["leaders"]["verdict"]) == {"balanced"}
    assert shown.findings[0].text.startswith("All 8 leaders are balanced within ±2 points of the fair share")


def test_without_the_reference_the_screen_still_says_it(monkeypatch):
    monkeypatch.setattr(reference_results, "reference_ladder", lambda box, players: None)
    shown, _ = screen(Source(Known(np.zeros(8), games=300)))
    played = dict(shown.meanings)["Who played"]
    assert "reference ladder" not in played
    assert "plays better. A leader whose strength these players do not use looks weaker" in played


@pytest.mark.parametrize("seated", [2, 3])
def test_the_ladder_of_four_is_not_quoted_for_fewer_players(seated):
    """Its games are of four players; other strategies are strong among two or three."""
    assert reference_results.reference_ladder(names.BOXES[0], seated) is None
    known = Known(np.zeros(8), games=3000)
    known.players = seated
    seats = known.frames["seats"][known.frames["seats"]["seat"] < seated]
    won = seats.groupby("game_id")["seat"].transform("first") == seats["seat"]  # somebody wins each game
    order = seats.groupby("game_id")["order"].rank().astype(int)
    seats = seats.assign(strategy=pd.Categorical(["planner"] * len(seats)), won=won.astype(float), order=order)
    known.frames["seats"] = seats.reset_index(drop=True)
    played = dict(screen(Source(known), ("leaders",))[0].meanings)["Who played"]
    assert played.startswith("All seats were played by `planner`")
    assert "reference ladder" not in played


def test_an_agenda_that_all_win_by_is_neglected_by_nobody():
    """'Fortified is in 100.0% of its wins, but in 100.0% of those of planner': 9,999 of 10,000 and all of 2,000."""
    shares = {("one", "Fortified"): (0.9999, 0.9996, 1.0), ("other", "Fortified"): (1.0, 0.998, 1.0)}
    rows = [{"strategy": s, "agenda": a, "share": x[0], "share_low": x[1], "share_high": x[2], "small_sample": False}
            for (s, a), x in shares.items()]  # fmt: skip
    assert reference_results.most_neglected(rows, "one") is None
    rows[0] |= {"share": 0.3, "share_low": 0.2, "share_high": 0.4}
    own, other = reference_results.most_neglected(rows, "one")
    assert (own["strategy"], other["strategy"]) == ("one", "other")
    rows[0] |= {"share": 0.98, "share_low": 0.97, "share_high": 0.995}  # less, and not shown to be by two points
    assert reference_results.most_neglected(rows, "one") is None


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


def test_a_rate_of_few_games_among_many_leaders_is_no_headline():
    """The largest of 18 rates in 300 games each is as large by chance, too: who is off is said, by how much is not."""
    leaders = (*names.LEADERS, *names.TI_LEADERS)[:18]
    estimate, error = np.r_[16.0, np.zeros(17)], np.full(18, 2.5)
    ends = normal_ends(estimate, error)
    frame = pd.DataFrame({"leader": leaders, "points": estimate, "fair_share": 0.2, "small_sample": False, "wins": 60.0})
    frame = frame.assign(
        points_low=ends(0.95)[0], points_high=ends(0.95)[1], **together("points", two_sided(estimate, error), ends)
    )
    frame = frame.assign(**{f"adjusted_rate{end}": 0.2 + frame[f"points{end}"] / 100 for end in ALL}, rank_best=1)
    chart, source = next(part for part in PARTS if part.key == "leaders").charts[0], Source(Known(np.zeros(8), games=300))
    few, enough = (judged(frame.assign(decided=games), "points", 2.0, 1000) for games in (300, 600))
    (said,) = first({"leaders": few}, source).findings
    assert said.text == f"{leaders[0]} is too strong; by how much, fewer than 500 games of each of 18 leaders do not say."
    assert said.certainty == few["certainty"].iloc[0]
    assert chart.message(few) == ""
    assert first({"leaders": few}, source).verdicts[0].names == [leaders[0]]
    said = first({"leaders": enough}, source).findings[0]
    assert said.text.startswith(f"{leaders[0]} is too strong: it wins 36.0% [")
    assert chart.message(enough) == f"{leaders[0]} wins 1.8 times its fair share"
    few_leaders = judged(frame.head(8).assign(decided=300), "points", 2.0, 1000)
    assert first({"leaders": few_leaders}, source).findings[0].text.startswith(f"{leaders[0]} is too strong: it wins ")


def test_the_chart_the_groups_and_the_sentences_say_the_same():
    """A dot is filled for those that are called too strong or too weak, half-filled where the size is unclear, and so on."""
    source = Source(mixed_run(1500, 3))
    shown, frames = screen(source, ("leaders",))
    marks, frame = plots.marks_of(frames["leaders"]), frames["leaders"]
    groups = {name: group.words for group in shown.verdicts for name in group.names}
    for place, leader in enumerate(frame["leader"]):
        mark = next((mark for mark in ("filled", "half", "square") if np.asarray(marks[mark])[place]), "open")
        expected = {"too strong": "filled", "too weak": "filled", "above, size unclear": "half", "below, size unclear": "half"}
        assert mark == (expected | {"balanced": "square"}).get(groups[leader], "open")
    assert set(groups.values()) >= {"too weak", "undecided"}
