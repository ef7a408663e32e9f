"""All parts of the report, both boxes: every interval in a sentence, its figure and its n are those of the row it names."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known import VICTORY_CARDS, category
from said import disagreement, too_sure, unreadable, written
from test_first import mixed_run
from test_questions_of_the_box import ASSOCIATED, boxed
from test_sentences import a_run, clear

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions import expansion
from newdawn.analysis.questions.leaders import _strengths
from newdawn.analysis.report.first_screen import first
from newdawn.analysis.report.page import PARTS
from newdawn.analysis.stats.claims import extreme_first
from newdawn.analysis.stats.inference import around, normal_ends, together, two_sided
from newdawn.analysis.stats.verdicts import certainty_of, far, judged
from newdawn.analysis.tables import game
from newdawn.analysis.tables.decoded_games import CARDS
from newdawn.simulator import names
from newdawn.simulator.errors import UserError

BASE = {
    "leaders", "spread", "strategies", "leaders-by-strategy", "matchups", "leaders-by-card", "leaders-agendas",
    "leaders-timing", "agendas", "agenda-users", "card-sets", "card-set-leaders", "reasons", "length", "order", "lead",
    "comebacks", "predictability", "precision",
}  # fmt: skip
BEYOND = ("too strong", "too weak", "raised", "lowered")
BOX = {"districts", "exploring", "forts", "fort-cards", "governments", "unique-cards", "wonders-left"}


def told(source, parts=PARTS):
    """Return {key: (table, sentences)} of the parts that have something to say."""
    found = {}
    for part in parts:
        try:
            frame = part.frame(source)
        except (UserError, KeyError):  # tables that drawn games do not have
            continue
        if frame is not None:
            about = game.length(source.run) if part.key == "length" else frame
            found[part.key] = about, part.findings(frame, source)
    return found


@pytest.fixture(scope="module", params=["few", "many", "mixed"])
def base(request):
    runs = {"few": lambda: a_run(90, 0.8, 2), "many": lambda: a_run(1500, 0.6, 6), "mixed": lambda: mixed_run(1500, 3)}
    return told(Source(runs[request.param]()))


def test_a_sentence_of_another_row_is_seen():
    """The reader of sentences: a wrong sign, interval, n or name does not pass."""
    frame = pd.DataFrame({"leader": ["Rome", "Egypt"], "n": [300, 400], "points": [-2.0, 3.0], "points_all_low": [-4.0, 1.0]})
    frame = frame.assign(points_all_high=[0.5, 5.0])
    right = "Rome −2.0 [−4.0, +0.5] points (n = 300)"
    assert disagreement("leaders", frame, [written(f"{right}; Egypt +3.0 [+1.0, +5.0] points (n = 400).")]) is None
    wrong = ("Rome +2.0 [−4.0, +0.5] points (n = 300)", "Rome −2.0 [−4.0, −0.5] points (n = 300)",
             "Rome −2.0 [−4.0, +0.5] points (n = 400)", "Egypt −2.0 [−4.0, +0.5] points (n = 300)")  # fmt: skip
    assert all(disagreement("leaders", frame, [written(text)]) for text in wrong)


def test_every_figure_is_that_of_the_row_it_stands_with(base):
    assert set(base) >= BASE - {"strategies", "leaders-by-strategy"}
    assert [disagreement(key, *part) for key, part in base.items() if disagreement(key, *part)] == []


def test_no_badge_is_surer_than_what_its_sentence_says_of_any_name(base):
    assert [found for key, part in base.items() if (found := too_sure(key, *part))] == []


def test_a_badge_of_another_sentence_is_seen():
    """'Strong evidence: also below the fair share: … America' where America is below with p = 0.002."""
    frame = pd.DataFrame({"leader": ["Rome", "America"], "points": [-6.0, -3.1], "p_adjusted": [0.0, 0.002]})
    frame = frame.assign(small_sample=False, verdict=["too weak", "below, size unclear"], certainty=["shown", "shown"])
    assert too_sure("leaders", frame, [written("Also below the fair share: Rome and America.", "strong")])
    assert too_sure("leaders", frame, [written("Rome is too weak.", "strong")])
    assert too_sure("leaders", frame, [written("Rome differs.", "strong"), written("America differs.", "shown")]) is None


@pytest.mark.soak
@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.floats(-15, 15), st.floats(0.2, 4), st.booleans()), min_size=2, max_size=8),
    st.sampled_from([1.0, 2.0]),
)
def test_badges_of_random_tables_hold_for_every_name(rows, margin):
    """Leaders, places in the turn order and cards with whatever estimates, errors and small samples."""
    estimate, error, small = (np.array(column) for column in zip(*rows, strict=True))
    ends = normal_ends(estimate, error)
    frame = pd.DataFrame(
        {"leader": names.LEADERS[: len(rows)], "small_sample": small, "n": 900, "n_with": 900, "n_without": 900}
    )
    frame = frame.assign(order=range(1, len(rows) + 1), card="x / y", decided=900, wins=300.0, fair_share=0.25)
    frame = frame.assign(points=estimate, points_low=ends(0.95)[0], points_high=ends(0.95)[1])
    frame = frame.assign(**together("points", two_sided(estimate, error), ends))
    frame = frame.assign(**{f"adjusted_rate{end}": 0.25 + frame[f"points{end}"] / 100 for end in ("", "_all_low", "_all_high")})
    frame = judged(frame, "points", margin, 4000)
    said = {"leaders": _strengths(frame, "leader", margin)}
    said |= {key: next(part for part in PARTS if part.key == key).findings(frame, None) for key in ("order", "leaders-by-card")}
    for key, findings in said.items():
        assert too_sure(key, frame, findings) is None
        assert disagreement(key, frame, findings) is None
    by_name = "".join(one.text for one in said["leaders"])
    assert len(rows) > 3 or all(str(name) in by_name for name in frame["leader"])


def test_sentences_are_short_and_hold_one_interval(base):
    assert [(key, text) for key, (_, findings) in base.items() for text in unreadable(findings)] == []


def message_agrees(chart, frame):
    """What a chart says has a row that is shown to differ, no small sample; where there is none it says what is drawn."""
    said, (title, caption) = chart.message(frame), chart.heading(frame)
    assert title == (said or chart.title)
    assert caption == chart.caption
    assert len(title.split()) <= 16
    if "p_adjusted" not in frame or said.startswith("All ") or "leading" in frame:  # of a size, not of any difference
        return bool(said)
    shown = frame[(frame["p_adjusted"] <= 0.05) & ~frame["small_sample"].astype(bool)]
    shown = shown[shown["verdict"].isin(BEYOND)] if "verdict" in shown else shown
    assert bool(said) == (len(shown) > 0), said
    named = next((name for name in ("leader", "wonder", "district", "government") if name in frame), None)
    if said and named:
        assert any(re.search(rf"(?<!\w){re.escape(str(word))}(?!\w)", said) for word in shown[named]), said
    return bool(said)


def test_charts_say_what_their_tables_show(base):
    parts = {part.key: part for part in PARTS}
    said = {key: [message_agrees(chart, frame) for chart in parts[key].charts if chart.worth(frame)]
            for key, (frame, _) in base.items() if key != "length"}  # fmt: skip
    assert {key for key, found in said.items() if any(found)} <= {
        "leaders", "order", "matchups", "leaders-agendas", "leaders-timing", "timing", "card-sets", "predictability"
    }  # fmt: skip
    frame, _ = base["leaders"]
    chart = parts["leaders"].charts[0]
    outside = frame[frame["verdict"].isin(BEYOND) & ~frame["small_sample"]]
    if len(outside):
        row = extreme_first(outside, "points").iloc[0]
        times = row["adjusted_rate"] / row["fair_share"]
        size = (
            f"{times:.1f} times its"
            if times >= 1.5
            else f"{abs(row['points']):.1f} points {'more' if times > 1 else 'less'} than its"
        )
        assert chart.heading(frame)[0] == f"{row['leader']} wins {size} fair share"
    undecided = frame.assign(verdict_key="UNDECIDED")  # though some may differ: by how much is not known
    assert chart.heading(undecided) == (chart.title, chart.caption)
    assert chart.message(undecided.assign(verdict_key="WITHIN")) == f"All {len(frame)} are within the margin of the fair share"
    assert chart.message(frame.assign(small_sample=True, verdict_key="UNDECIDED")) == ""


def test_charts_of_the_box_say_what_their_tables_show(box):
    parts = {part.key: part for part in expansion.PARTS}
    for key, (frame, _) in box.items():
        for chart in parts[key].charts:
            if chart.worth(frame):
                message_agrees(chart, frame)


def test_badges_of_the_box_hold_for_every_name(box):
    assert [found for key, part in box.items() if (found := too_sure(key, *part))] == []


def test_the_box_speaks_in_short_sentences(box):
    assert [(key, text) for key, (_, findings) in box.items() for text in unreadable(findings)] == []


def test_strategies_and_leaders_in_their_hands_are_told_apart_or_not(base):
    for key, label in (("strategies", "strategy"), ("leaders-by-strategy", "leader")):
        if key not in base:
            continue
        frame, findings = base[key]
        clear_rows = frame[[clear(row, "points") for row in frame.to_dict("records")]]
        said = [finding for finding in findings if finding.certainty in ("strong", "shown")]
        assert bool(said) == bool((~clear_rows["small_sample"]).any())
        for finding in said:
            for piece in finding.text.split("; ") if key == "strategies" else re.split("; |: ", finding.text):
                named = [row for row in clear_rows.to_dict("records") if piece.startswith(f"{row[label]} ")]
                assert named or not re.search(r"\[", piece), piece


def test_the_spread_and_the_strongest_are_what_their_rows_allow(base):
    frame, (said,) = base["spread"]
    row = frame.iloc[0]
    assert said.text.startswith("The leaders are not equal: " if row["spread_low"] > 0 else "The leaders may be equal: ")
    assert said.certainty == ("few" if row["small_sample"] else "shown" if row["spread_low"] > 0 else "open")
    frame, findings = base["leaders"]
    first, last = list(frame.loc[frame["rank_best"] == 1, "leader"]), findings[-1]
    if len(first) == 1:
        assert last.text == f"{first[0]} is the strongest leader; no other is plausibly strongest."
        assert last.certainty == ("few" if frame["small_sample"].any() else "shown")
    else:
        assert last.certainty == "open"
        named = re.findall("|".join(frame["leader"]), last.text)
        if len(first) == len(frame):
            assert last.text == "Undecided which leader is the strongest: any of them may be."
        else:
            assert f" is one of {len(first)}: " in last.text
            assert named == first[:3]
            assert (f" ({len(first) - 3} more: table)" in last.text) == (len(first) > 3)


def test_pairs_that_are_special_are_those_whose_interval_leaves_0_out(base):
    frame, (said,) = base["matchups"]
    once = frame[frame["leader"] < frame["opponent"]]
    found = once[[clear(row, "remainder") and row["p"] == row["p"] for row in once.to_dict("records")]]
    if found.empty:
        whole = bool((frame["whole_p"] <= 0.05).any())
        assert said.certainty == (
            certainty_of(frame["whole_p"].iloc[0]) if whole else "untested" if once["p"].isna().all() else "open"
        )
        starts = (
            "Pairs of leaders deviate as a whole",
            "No pair of leaders deviates detectably",
            "No pair of leaders can be tested",
        )
        assert said.text.startswith(starts[:1] if whole else starts[1:])
        tested = re.search(r"\((\d+) pairs? tested\)", said.text)
        assert (int(tested.group(1)) if tested else 0) == once["p"].notna().sum()
    else:
        assert re.search(rf" of leaders {len(found)} deviates? from what strengths", said.text)
        assert said.certainty in ("few", certainty_of(found["p_adjusted"].max()))


def test_what_is_only_measured_is_a_table_or_a_picture(base):
    for key in ("reasons", "lead", "comebacks"):
        assert base[key][1] == []
    frame, findings = base["length"]
    assert [one.text.endswith(" reached the round cap without a winner.") for one in findings] == [True] * len(findings)
    assert len(findings) == (frame.iloc[0]["unfinished"] > 0)


def test_agendas_that_are_hardly_ever_claimed_are_named(base):
    frame, findings = base["agendas"]
    dead = frame[(frame["claim_rate_high"] < 0.1) & ~frame["small_sample"]].sort_values("claim_rate")
    assert [finding.text.split(" is hardly ever claimed")[0] for finding in findings[:3]] == list(dead["agenda"][:3])
    assert len(findings) == min(3, len(dead)) + (len(dead) > 3)


def test_precise_enough_goes_by_the_widest_interval(base):
    _, (said,) = base["precision"]
    frame, _ = base["leaders"]
    widest = 50 * (frame["adjusted_rate_all_high"] - frame["adjusted_rate_all_low"]).max()
    assert f"known to ±{widest:.2f} points" in said.text
    assert (", as precise as wanted (±1)." in said.text) == (widest <= 1)
    assert said.certainty == ("measured" if widest <= 1 else "limit")


# --- Terra Incognita


def box_run(games, worth, seed):
    """Return drawn games of the box with fort cards in play, and wonders of which some left."""
    rng = np.random.default_rng(seed)
    run = boxed(rng, games, worth=worth)
    run.manifest = {"plan": {}}
    seats = run.tables["seats"]
    seats["seat"] = np.tile(np.arange(4), games)
    run.tables["seats"] = seats.assign(strategy="bold", order=seats["seat"] + 1)
    fort = names.TI_AGENDAS[-1]
    words = [VICTORY_CARDS[0], fort]
    cards = {name: category(np.full(games, place if place < 2 else -1), words) for place, name in enumerate(CARDS)}
    run.tables["games"] = run.tables["games"].assign(players=4, rounds=20, ending="victory", **cards)
    game_, seat = np.nonzero(seats["won"].to_numpy().reshape(games, 4))
    some = rng.random(len(game_)) < 0.4
    claims = pd.DataFrame({"game_id": game_[some], "seat": seat[some], "round": 9})
    claimed = category(np.ones(len(claims), int), words)
    run.tables["agendas"] = claims.assign(agenda=claimed, card=claimed)
    wonders = pd.DataFrame({"game_id": np.repeat(np.arange(games), 4), "wonder": np.tile(names.WONDERS[:4], games)})
    turned = np.tile([1.0, 4.0, 8.0, np.nan], games)
    built = np.where((rng.random(len(wonders)) < 0.5) & ~np.isnan(turned), turned, np.nan)
    wonders = wonders.assign(type="culture", era="ancient", in_deck=True)
    run.tables["wonders"] = wonders.assign(round_revealed=turned, round_built=built)
    return run


@pytest.fixture(scope="module", params=[(40, 0.0), (300, 1.5), (1500, 0.6), (1500, 0.0)], ids=str)
def box(request):
    games, worth = request.param
    return told(Source(box_run(games, worth, games)), expansion.PARTS)


def test_every_figure_of_the_box_is_that_of_its_row(box):
    assert set(box) == BOX
    assert [disagreement(key, *part) for key, part in box.items() if disagreement(key, *part)] == []


@pytest.mark.parametrize("key", [name.replace("_", "-") for name in ASSOCIATED])
def test_what_goes_with_winning_in_the_box_is_said_as_it_is(box, key):
    """Found is what the interval says, called an association however few the cases; else nothing is shown, or tested."""
    frame, findings = box[key]
    found = frame[[clear(row, "association") and row["p"] == row["p"] for row in frame.to_dict("records")]]
    if frame["p"].isna().all():
        assert [finding.certainty for finding in findings] == ["untested"]
    elif found.empty:
        assert [finding.certainty for finding in findings] == ["open"]
        assert re.match(r"(No|Exploring is not|Taking forts is not) .*detectably associated with winning \(", findings[0].text)
    for finding in findings if len(found) else ():
        assert finding.text.startswith("Association, not effect. ")
        assert finding.certainty in ("few", certainty_of(found["p_adjusted"].max()))
        for row in frame.to_dict("records"):
            example = rf": {re.escape(row[frame.columns[0]])} [+−\d.]+ \[[^]]+\] points \(n = [\d,]+ seats with it"
            assert clear(row, "association") or not re.search(example, finding.text)


def test_forts_are_not_compared_where_a_fort_card_is_in_play(box):
    """'Forts: 0, −29.2 points, strong evidence': who wins has claimed the fort card, so no seat without forts wins."""
    frame, (said,) = box["forts"]
    assert frame["association"].isna().all()
    assert said.text == "Seats are not compared by their forts: with a fort card in play nobody wins without one."
    assert said.certainty == "untested"
    run = box_run(300, 1.5, 300)
    games = run.tables["games"]
    run.tables["games"] = games.assign(**dict.fromkeys(CARDS[:2], games[CARDS[0]]))
    run.tables["agendas"] = run.tables["agendas"].iloc[:0]
    parts = [part for part in expansion.PARTS if part.key == "forts"]
    frame, findings = told(Source(run), parts)["forts"]
    assert frame["association"].notna().any()
    assert all("with a fort card" not in finding.text for finding in findings)


def test_from_few_cases_is_an_association_too():
    """A table all of whose rows are small samples: its sentence must not lose that it is no effect."""
    part = next(one for one in expansion.PARTS if one.key == "districts")
    frame = pd.DataFrame({"district": ["campus"], "n": [60], "n_without": [60], "win_rate": 0.5, "win_rate_low": 0.4})
    frame = frame.assign(win_rate_high=0.6, rate_without=0.2, small_sample=True, p_adjusted=0.01, association=30.0)
    frame = frame.assign(association_all_low=10.0, association_all_high=50.0)
    (said,) = part.findings(frame, None)
    assert said.certainty == "few"
    assert said.text.startswith("Association, not effect. From few cases: ")


def test_what_left_and_what_forts_decide(box):
    frame, (said,) = box["wonders-left"]
    left, shown = frame["left"].sum(), frame["revealed"].sum()
    assert said.text.startswith(f"The wonder icon took {left:,} of {shown:,} world wonders")
    frame, (said,) = box["fort-cards"]
    assert len(frame) == 1
    assert f"{frame['agenda'].iloc[0]} in {100 * frame['winner_share'].iloc[0]:.1f}% [" in said.text


# --- Experiments


def drawn_effects(rng, names, n):
    """Return rows of an experiment: some effects clear, some not."""
    error = 0.5 / np.sqrt(n)
    effect = rng.normal(0, 2.5 * error, len(names))
    frame = pd.DataFrame({"arm": names, "without": 0.25, "with": 0.25 + effect, "n": n, "cost": 7, "small_sample": n < 100})
    p, own = two_sided(effect, error), np.full(len(names), error)
    frame = frame.assign(**around("effect", effect, own), **together("effect", p, normal_ends(effect, own)))
    return frame


@pytest.mark.parametrize("n", [60, 4000])
@pytest.mark.parametrize("key", ["effects", "gifts"])
def test_effects_are_said_as_the_experiment_found_them(tmp_path, key, n):
    for seed in range(6):
        frame = drawn_effects(np.random.default_rng([seed, n]), list(names.WONDERS[:10]), n)
        frame.to_csv(tmp_path / "effects.csv", index=False)
        source = Source(a_run(60, 0.0, 1), **({"effects": tmp_path} if key == "effects" else {"gifts": [tmp_path]}))
        shown, findings = told(source, [part for part in PARTS if part.key == key])[key]
        assert disagreement(key, shown, findings) is None
        found = shown[[clear(row, "points") for row in shown.to_dict("records")]]
        assert len(found) == int((frame["p_adjusted"] <= 0.05).sum())
        (said,) = findings
        assert said.certainty == ("open" if found.empty else "few" if n < 100 else certainty_of(found["p_adjusted"].max()))
        if len(found):
            assert f"({len(found)} of 10 " in said.text
            largest = str(found.loc[found["points"].abs().idxmax(), "wonder" if key == "effects" else "what"])
            assert said.text.split(": ")[1 + (n < 100)].startswith(largest)
        if key == "effects":
            outside = far(shown)
            screen = [one for one in first({key: shown}, source).findings if one.text.startswith("World wonders decide games")]
            assert len(screen) == (len(outside) > 0)
            assert disagreement(key, outside, screen) is None
            if len(outside):
                largest = outside.loc[outside["points"].abs().idxmax()]
                assert f": {largest['wonder']} changes the chance to win by " in screen[0].text
                assert screen[0].certainty == largest["certainty"]


@pytest.mark.parametrize("key", ["leaders-by-card", "card-sets", "card-set-leaders"])
def test_an_effect_of_cards_is_said_to_be_instead_of_others(key):
    """As many cards are always in play, so a card's effect is what it does in the place of another."""
    assert "instead of " in next(part for part in PARTS if part.key == key).note
