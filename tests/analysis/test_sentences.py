"""Every sentence of a report agrees with its table: sign, size, interval, verdict, n and certainty, over many small runs."""

import re

import numpy as np
import pandas as pd
import pytest
from known import draw, seated, tables
from test_report import Known, found, part

from newdawn.analysis.pages.report_parts import CERTAINTIES, Source
from newdawn.analysis.report.first_screen import first
from newdawn.analysis.stats.verdicts import DECIDED, ORDER, Verdict, certainty_of, verdict_of
from newdawn.analysis.stats.verdicts import read as verdict_of_interval
from newdawn.analysis.tables.victory_cards import BETWEEN
from newdawn.simulator import names

# key: (figure, columns that name a row, columns of n, columns that make a question)
TESTED = {
    "leaders-by-card": ("points", ["leader", "card"], ["n_with", "n_without"], []),
    "leaders-agendas": ("points", ["leader", "agenda"], ["n"], ["leader", "card"]),
    "leaders-timing": ("rounds_difference", ["leader"], ["winners"], []),
    "agenda-users": ("points", ["leader", "agenda"], ["n"], ["leader", "card"]),
    "card-sets": ("rounds_difference", ["cards"], ["n"], []),
    "card-set-leaders": ("points", ["leader", "cards"], ["n"], []),
}
RUNS = [(60, 0.5, 1), (90, 0.8, 2), (250, 0.0, 3), (250, 1.2, 4), (600, 0.3, 5), (1500, 0.6, 6), (1500, 0.0, 7), (4000, 0.3, 8)]
FIGURE = re.compile(r"([+−]?\d+\.\d) \[([+−]?\d+\.\d), ([+−]?\d+\.\d)\] (?:points|rounds)")


def a_run(games, spread, seed):
    """Return a run whose leaders differ by so much, also with the cards in play, and whose games differ in length."""
    rng = np.random.default_rng(seed)
    leaders, order, cards = seated(rng, games, 4)
    by_card = rng.normal(0, spread, (len(names.LEADERS), 5))
    strength = rng.normal(0, spread, len(names.LEADERS))
    utility = strength[leaders] + by_card[leaders, cards[:, :1]] - 0.2 * spread * order
    length = rng.poisson(18, games) + np.round(3 * spread * (cards == 0).any(axis=1) + spread * leaders[:, 0] / 2).astype(int)
    run = Known(strength, games=1)
    run.frames = tables(leaders, order, cards, draw(rng, utility, shared=0.02), rounds=length, rng=rng)
    claims = run.frames["agendas"]
    turned = rng.random(len(claims)) < 0.2 * spread  # some leaders claim more by the second agenda
    other = claims["card"].astype(str).str.split(" / ").str[1]
    claims.loc[turned, "agenda"] = other[turned]
    return run


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: f"{run[0]} games, spread {run[1]}")
def source(request):
    return Source(a_run(*request.param))


def read(text):
    return float(text.replace("−", "-").replace("+", ""))


def close(text, value):
    """A figure in a text is the value, rounded."""
    return abs(read(text) - value) <= 0.0501


def clear(row, name, null=0.0):
    return row[f"{name}_all_low"] > null or row[f"{name}_all_high"] < null


def as_words(row, column):
    return row[column].replace(BETWEEN, ", ") if column == "cards" else str(row[column])


def row_of(frame, piece, naming):
    """Return the one row that a piece of a sentence names."""
    plain = piece.replace(" and ", ", ")
    hits = [row for row in frame.to_dict("records") if all(as_words(row, name) in plain for name in naming)]
    assert len(hits) == 1, piece
    return hits[0]


def could_be_missed(frame, name):
    """How large a difference the intervals leave possible; beyond 25 points, or 5 rounds, that it is more."""
    reach = frame[[f"{name}_all_low", f"{name}_all_high"]].abs().max().max()
    most, unit = (5, "rounds") if name == "rounds_difference" else (25, "points")
    if reach > most:
        return f"Even differences of more than {most} {unit} could be missed."
    return f"Differences of up to {reach:.1f} {unit} could be missed."


@pytest.mark.parametrize("key", TESTED)
def test_what_a_table_answers_is_said_as_it_is(source, key):
    name, naming, counts, question = TESTED[key]
    frame = part(key).frame(source)
    said = found(key, source)
    assert all(finding.certainty in CERTAINTIES for finding in said)
    tested = frame[frame["p_adjusted"].notna()]
    answered = tested[[clear(row, name) for row in tested.to_dict("records")]]
    assert (answered.index == tested.index[tested["p_adjusted"] <= 0.05]).all()
    asked = [len(rows.drop_duplicates(question) if question else rows) for rows in (tested, frame)]
    if tested.empty:
        assert [finding.certainty for finding in said] == ["untested"]
        assert said[0].text.startswith("Not enough games for a test: fewer than 100 cases, ")
        return
    if answered.empty:
        assert [finding.certainty for finding in said] == ["open"]
        ends = rf"\({asked[0]} of {asked[1]} \w+ tested\)\. (.* could be missed\.)$"
        (missed,) = re.search(rf"^(?:No|Game length does not) .*detectabl[ye] .*{ends}", said[0].text).groups()
        assert missed == could_be_missed(tested, name)
        return
    ordered = answered.sort_values(name, key=abs, ascending=False)
    if question:
        ordered = ordered.sort_values("points", ascending=False).sort_values("points", key=abs, ascending=False, kind="stable")
        ordered = ordered.drop_duplicates(question)
    few = ordered["small_sample"].to_numpy(bool)
    groups = [group for group in (ordered[~few], ordered[few]) if len(group)]
    assert len(said) == len(groups)
    for finding, group in zip(said, groups, strict=True):
        small = bool(group["small_sample"].iloc[0])
        assert finding.text.startswith("From few cases: ") == small
        assert finding.certainty == ("few" if small else certainty_of(group["p_adjusted"].max()))
        head, named = finding.text.removeprefix("From few cases: ").split(": ", 1)
        assert re.search(
            rf"\({len(group)} of {asked[0]} \w+ tested\){'. Shown to differ most' if len(group) > 1 else ''}$", head
        )
        pieces = [named.removesuffix(".")]
        rows = [row_of(frame, piece, naming) for piece in pieces]
        for piece, row in zip(pieces, rows, strict=True):
            size, low, high = FIGURE.findall(piece)[-1]
            assert close(size, row[name])
            assert close(low, row[f"{name}_all_low"])
            assert close(high, row[f"{name}_all_high"])
            assert clear(row, name)
            assert bool(row["small_sample"]) == small
            assert all(f"{row[count]:,.0f}" in piece for count in counts)
        ends = group[[f"{name}_all_low", f"{name}_all_high"]].abs()
        assert ends.min(axis=1).max() <= abs(rows[0][name]) + 1e-9, "another row lies wholly further off than the named one"


OFF = re.compile(
    r"^(\w+) is (too strong|too weak): it wins ([\d.]+)%, (\d+\.\d) \[([−\d.]+), ([−\d.]+)\] points (above|below) "
    r"the fair share \(n = ([\d,]+)\)\.$"
)
STARTS = {
    "Also too strong, more than 2 points above the fair share: ": "too strong",
    "Also too weak, more than 2 points below the fair share: ": "too weak",
    "Above the fair share, size unclear: ": "above, size unclear",
    "Below the fair share, size unclear: ": "below, size unclear",
    "Balanced, within 2 points of the fair share: ": "balanced", "Undecided: ": "undecided",
    "Not compared, for few games or hardly a win or a loss: ": "not compared",
}  # fmt: skip


def names_of(text):
    """The names at the end of a sentence, at most three, and how many more the table has."""
    text, _, more = text.removesuffix(".").partition(" (")
    listed = re.findall(r"\w+", text.replace(" and ", ", "))
    assert len(listed) == 3 if more else 1 <= len(listed) <= 3
    return listed, int(re.fullmatch(r"(\d+) more: table\)", more)[1]) if more else 0


def test_each_leader_is_told_once_with_its_verdict(source):
    """Those furthest beyond the margin have sentences of their own; a list is as sure as the least sure of its verdict."""
    frame = part("leaders").frame(source).set_index("leader")
    named, sizes, counted = [], [], 0
    for finding in found("leaders", source):
        start = next((start for start in STARTS if finding.text.startswith(start)), "")
        if match := OFF.match(finding.text):
            leader, verdict, won, size, low, high, side, n = match.groups()
            row, sign = frame.loc[leader], 1 if side == "above" else -1
            assert verdict == row["verdict"] == ("too strong" if sign > 0 else "too weak")
            assert close(size, sign * row["points"])
            ends = sorted(sign * row[f"points_all_{end}"] for end in ("low", "high"))
            assert close(low, ends[0])
            assert close(high, ends[1])
            assert ends[0] > 2  # as far from the fair share as the sentence says, on the side that it says
            assert close(won, 100 * row["adjusted_rate"])
            assert n == f"{row['decided']:,.0f}"
            assert finding.certainty == row["certainty"]
            sizes.append(abs(row["points"]))
            named.append(leader)
        elif start:
            listed, _, missed = finding.text.removeprefix(start).partition(". ")
            listed, more = names_of(listed)
            rest = frame[(frame["verdict"] == STARTS[start]) & ~frame.index.isin(named)]
            assert list(rest.index[:3]) == listed
            assert len(listed) + more == len(rest)
            assert finding.certainty == max(rest["certainty"], key=ORDER.index)
            assert missed == (could_be_missed(rest, "points") if start == "Undecided: " else "")
            assert not start.startswith("Also") or len(sizes) == 3
            counted += more
            named += listed
    assert len(set(named)) == len(named)
    assert len(named) + counted == len(frame)
    assert sizes == sorted(sizes, reverse=True)


def test_places_matter_beyond_the_margin_only(source):
    """One rule for the section and the first screen: "matters" was said of +0.9 points, balanced."""
    frame = part("order").frame(source).set_index("order")
    (finding,) = found("order", source)
    some = pd.Series([clear(row, "points") for _, row in frame.iterrows()], frame.index)
    beyond = frame["verdict_key"].isin(["FAR_ABOVE", "FAR_BELOW"])
    balanced = (frame["verdict"] == "balanced").all()
    start = (
        "The turn order matters: " if beyond.any()
        else "All places in the turn order are balanced" if balanced and not some.any()
        else "The turn order makes a difference too small to matter: " if balanced
        else "The turn order makes a difference; whether one that matters is open: " if some.any()
        else "No place in the turn order has a detectable"
    )  # fmt: skip
    assert finding.text.startswith(start)
    told = re.findall(r"place (\d) ([+−\d.]+) \[([+−\d.]+), ([+−\d.]+)\] points against the fair share", finding.text)
    assert len(told) == (beyond.any() or some.any())
    for place, *figures in told:
        row = frame.loc[int(place)]
        assert (beyond if beyond.any() else some)[int(place)]
        assert all(close(text, row[f"points{end}"]) for text, end in zip(figures, ("", "_all_low", "_all_high"), strict=True))
        more = int((beyond if beyond.any() else some).sum()) - 1
        assert (f"({more} more: table)" in finding.text) == (more > 0)
    if not (some.any() or balanced):
        assert finding.text.endswith(f" {could_be_missed(frame, 'points')}")
    rows = frame[beyond] if beyond.any() else frame if balanced else frame[some]
    sure = rows["certainty"] if beyond.any() or balanced else [certainty_of(p) for p in rows["p_adjusted"]]
    assert finding.certainty == max(sure, key=ORDER.index, default="open")
    screen = [one.text for one in first({"order": frame.reset_index()}, source).findings if "turn order" in one.text.lower()]
    assert all(beyond.any() and text.startswith("The turn order matters: ") for text in screen)
    assert f"({frame['n'].iloc[0]:,} game" in finding.text


@pytest.mark.parametrize("key", ["leaders", "leaders-by-card", "card-sets", "card-set-leaders", "order"])
def test_the_verdict_against_the_margin_is_read_off_the_interval(source, key):
    name, margin = ("rounds_difference", 1.0) if key == "card-sets" else ("points", 2.0)
    for row in part(key).frame(source).to_dict("records"):
        low, high = row[f"{name}_all_low"], row[f"{name}_all_high"]
        verdict = verdict_of(row)
        if row["small_sample"] or np.isnan(row["p"]):
            assert row["verdict"] == "not compared"
        else:
            assert verdict is verdict_of_interval(low, high, margin)
        assert (row["games_fewest"] > source.games) == (verdict not in (*DECIDED, Verdict.NOT_COMPARED))
        assert row["certainty"] in ("strong", "shown") or verdict in (Verdict.UNDECIDED, Verdict.NOT_COMPARED)


def test_where_nothing_is_tested_nothing_is_denied():
    """60 games: no side of a card has 100 of a leader. 'No … detectably' would say that something was looked for."""
    for key in ("leaders-by-card", "card-sets", "leaders-timing"):
        (said,) = found(key, Source(a_run(60, 0.0, 9)))
        assert said.certainty == "untested", key
        assert "fewer than 100" in said.text


def test_a_significant_row_of_few_cases_is_not_hidden():
    frame = part("leaders-agendas").frame(Source(a_run(250, 0.0, 3)))
    low = frame["points"].abs() / 2 * np.sign(frame["points"])
    frame = frame.assign(points_all_low=np.minimum(low, 3 * low), points_all_high=np.maximum(low, 3 * low), small_sample=True)
    frame = frame.assign(p_adjusted=np.where(frame.index == 0, 0.01, 0.9))
    (said,) = part("leaders-agendas").findings(frame, None)
    assert said.text.startswith("From few cases: leaders win by different agendas (1 of ")
    assert said.certainty == "few"


def test_examples_are_the_largest_though_p_values_underflow():
    """A million games: p is 0 in all rows. The largest is named, as sure as the least sure, each card of a leader once."""
    frame = pd.DataFrame({"leader": list("ABCD"), "card": "x / y", "n_with": 9000, "n_without": 9000, "small_sample": False})
    frame = frame.assign(points=[3.0, 14.0, -8.0, 1.0], p=[0, 0, 0, 0.001], p_adjusted=[0, 0, 0, 0.04])
    frame = frame.assign(points_all_low=frame["points"] - 0.5, points_all_high=frame["points"] + 0.5)
    (said,) = part("leaders-by-card").findings(frame, None)
    assert re.findall(r"([A-D]) [+−]", said.text) == ["B"]
    assert "(4 of 4 combinations tested). Shown to differ most: B " in said.text
    assert said.certainty == "shown"
    mirrored = frame.iloc[:2].assign(leader="A", agenda=["x", "y"], points=[14.0, -14.0], n=900, use_rate=0.5)
    mirrored = mirrored.assign(points_all_low=[13.0, -15.0], points_all_high=[15.0, -13.0], use_rate_low=0.4, use_rate_high=0.6)
    (said,) = part("leaders-agendas").findings(mirrored, None)
    assert "(1 of 1 combination tested): A by x, " in said.text
    assert "by y" not in said.text
