"""Sentences of the first screen, of what confirms a value and of comparisons agree with their tables, over many small runs."""

import re

import numpy as np
import pytest
from said import unreadable
from test_first import mixed_run, screen
from test_sentences import RUNS, a_run, as_words, clear, close

from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.questions.tuning import conclusion, parse_target
from newdawn.analysis.stats.verdicts import CHANGE, ORDER, far
from newdawn.analysis.tables import targets
from newdawn.analysis.tables.paired_figures import FIGURES, Moments, compared
from newdawn.analysis.tables.targets import confirm, near_enough

SIGNED = r"([+−]?\d+\.\d) \[([+−]?\d+\.\d), ([+−]?\d+\.\d)\]"
MARGINS = {"leaders-by-card": 2.0, "leaders-with-strategies": 2.0, "order": 2.0, "card-sets": 1.0}
OPENING = {
    "leaders-by-card": "Victory cards matter to ",
    "order": "The turn order matters: ",
    "leaders-with-strategies": "",  # whoever it is
    "card-sets": "Game length depends on the victory cards: ",
}
NAMING = {
    "leaders-by-card": ["leader", "card"], "leaders-with-strategies": ["leader", "strategy"], "order": ["order"],
    "card-sets": ["cards"],
}  # fmt: skip
FIGURE = {"card-sets": "rounds_difference", "leaders-with-strategies": "interaction"}
CASES = {"leaders-by-card": "n_with", "leaders-with-strategies": "decided"}


@pytest.fixture(scope="module", params=[*RUNS, (3000, None, 9)], ids=lambda run: f"{run[0]} games, {run[1]}")
def shown(request):
    games, spread, seed = request.param
    source = Source(mixed_run(games, seed) if spread is None else a_run(games, spread, seed))
    found, frames = screen(source, [*NAMING, "leaders"])
    return found, frames, source


def test_every_sentence_of_the_first_screen_is_true(shown):
    found, frames, source = shown
    assert 1 <= len(found.findings) <= 3
    assert unreadable(found.findings) == []
    for finding in found.findings:
        key = next((key for key, words in OPENING.items() if words and finding.text.startswith(words)), None)
        key = "leaders-with-strategies" if "leader and strategy are worth alone" in finding.text else key
        if finding.text.startswith("With "):
            _mended(finding, source.mended)
        elif key:
            _outside(finding, key, frames[key])
        elif " is too " in finding.text:
            _too(finding, frames["leaders"], len(source.strategies) > 1)
        else:
            assert finding.text.startswith("No leader is detectably off the fair share") or re.match(
                r"All \d+ leaders", finding.text
            )
            _within(finding, frames["leaders"])
    assert [(word, sorted(names)) for word, names in _groups(frames["leaders"])] == [
        (one.words, sorted(one.names)) for one in found.verdicts
    ]
    assert dict(found.meanings)["Who played"].startswith("All seats" if len(source.strategies) == 1 else "Seats")


def _groups(frame):
    """Each leader stands under its verdict, those beyond the margin first."""
    words = ("too strong", "too weak", "above, size unclear", "below, size unclear", "balanced", "undecided", "not compared")
    rows = {word: frame["verdict"] == word for word in words}
    return [(word, list(frame.loc[here, "leader"])) for word, here in rows.items() if here.any()]


def _mended(finding, frame):
    """Who would be off, with its interval and badge, and how many of the others have which verdict."""
    assert frame is not None
    off = far(frame)
    words = r"(\d+) (too strong|too weak|(?:above|below) \(size unclear\)|balanced|undecided|not compared)"
    told = {word.replace(" (", ", ").removesuffix(")"): int(n) for n, word in re.findall(words, finding.text)}
    counts = frame.drop(index=off.index[:1])["verdict"].value_counts().to_dict()
    assert told == counts
    if off.empty:
        assert "none of the others is shown to be beyond the margin" in finding.text
        assert finding.certainty == "open" or (frame["verdict"] == "balanced").all()
        return
    row = off.iloc[0]
    assert f" {row['leader']} would be {row['verdict']}: " in finding.text
    rates = [100 * np.clip(row[f"adjusted_rate{end}"], 0, 1) for end in ("", "_all_low", "_all_high")]
    figures = re.search(r"([\d.]+)% \[([\d.]+), ([\d.]+)\]", finding.text).groups()
    assert all(close(text, value) for text, value in zip(figures, rates, strict=True))
    sure = frame.loc[~frame["verdict"].isin(("undecided", "not compared")), "certainty"]
    assert finding.certainty == max(sure, key=ORDER.index)


def _outside(finding, key, frame):
    """The largest of the rows outside the margin, with its figure, interval and n."""
    name = FIGURE.get(key, "points")
    row = far(frame, name).to_dict("records")[0]
    assert finding.certainty == row["certainty"]
    assert all(as_words(row, one) in finding.text.replace(" and ", ", ") for one in NAMING[key])
    assert all(close(text, row[f"{name}{end}"]) for text, end in zip(*_figures(finding.text), strict=True))
    assert min(abs(row[f"{name}_all_low"]), abs(row[f"{name}_all_high"])) > MARGINS[key]
    counts = [f"n = {row[CASES.get(key, 'n')]:,.0f}"]
    counts += [f"n = {row['n_without']:,} without"] if key == "leaders-by-card" else []
    assert all(count in finding.text for count in counts)


def _figures(piece):
    return re.findall(SIGNED, piece)[-1], ("", "_all_low", "_all_high")


def _too(finding, frame, among_equals):
    assert ("among equal players it would win" in finding.text) == among_equals
    outside = far(frame)
    row = outside.loc[outside["points"].abs().idxmax()]
    word, side = ("strong", "above") if row["points"] > 0 else ("weak", "below")
    leader, told, *figures, n, points, where, fair = re.fullmatch(
        r"(\w+) is too (\w+): (?:it wins|among equal players it would win) "
        r"([\d.]+)% \[([\d.]+), ([\d.]+)\] (?:of its decided games )?\(n = ([\d,]+)(?: decided games)?\), "
        r"([\d.]+) points (\w+) the fair share of ([\d.]+)%\.", finding.text
    ).groups()  # fmt: skip
    assert (leader, told, where, n) == (row["leader"], word, side, f"{row['decided']:,.0f}")
    rates = [100 * np.clip(row[f"adjusted_rate{end}"], 0, 1) for end in ("", "_all_low", "_all_high")]
    assert all(close(text, value) for text, value in zip(figures, rates, strict=True))
    assert close(points, abs(row["points"]))
    assert close(fair, 100 * row["fair_share"])
    assert clear(row, "points", (1 if word == "strong" else -1) * 2.0)
    assert finding.certainty == row["certainty"]


def _within(finding, frame):
    assert far(frame).empty
    if finding.text.startswith("All "):
        assert (frame["verdict"] == "balanced").all()
        assert frame["points_all_low"].min() >= -2
        assert frame["points_all_high"].max() <= 2
        return
    words = r"(\d+) (?:is|are) (balanced|undecided|not compared|(?:above|below) \(size unclear\))"
    told = {word.replace(" (", ", ").removesuffix(")"): int(n) for n, word in re.findall(words, finding.text)}
    assert told == frame["verdict"].value_counts().to_dict()


TARGETS = ["win-rate:Egypt=25%", "win-rate:Japan=40%", "game-length=18", "first-player=25%", "build-rate:Petra=40%"]


def fresh_games(rng, games, values, names):
    """Return the figures of the games of several values: rates and lengths that differ from value to value."""
    found = []
    for _ in range(values):
        figures = np.ones((games, len(names), 2))
        figures[:, :, 0] = rng.random((games, len(names))) < rng.uniform(0.2, 0.45, len(names))
        figures[:, 0, 0] = rng.normal(rng.uniform(16, 20), 3, games).round()
        found.append(figures)
    return found


@pytest.mark.parametrize("text", TARGETS)
@pytest.mark.parametrize("games", [40, 400, 6000])
def test_what_is_said_of_a_value_is_what_its_fresh_games_show(text, games):
    target = parse_target(text)
    for seed in range(6):
        frame = confirm(fresh_games(np.random.default_rng([seed, games]), games, 3, targets.FIGURES), target)
        reach, words = near_enough(target, None), ["now", "one", "other"]
        for row in frame.to_dict("records"):
            inside = target.wanted - reach <= row["low"] and row["high"] <= target.wanted + reach
            outside = row["low"] > target.wanted + reach or row["high"] < target.wanted - reach
            assert row["verdict"] == ("on target" if inside else "off target" if outside else "undecided")
            assert (row["games_fewest"] > 0) == (row["verdict"] == "undecided")
        said = conclusion(words, frame, target)
        assert unreadable([said]) == []
        row = next(row for word, row in zip(words, frame.to_dict("records"), strict=True) if f" {word}" in said)
        best = next(words for words in ("on target", "undecided", "off target") if words in set(frame["verdict"]))
        assert row["verdict"] == best
        assert said.startswith(
            {"on target": "Take ", "off target": "Of 3 values played on fresh games none reaches "}.get(
                best, "Undecided whether "
            )
        )
        scale = 1 if target.figure == "rounds" else 100
        value, low, high = re.search(r"([\d.]+)%? \[([\d.]+)%?, ([\d.]+)%?\]", said).groups()
        assert all(close(one, scale * row[name]) for one, name in ((value, "value"), (low, "low"), (high, "high")))
        assert f"n = {row['n']:,.0f}" in said
        assert row["loss"] == frame.loc[frame["verdict"] == best, "loss"].min()


@pytest.mark.parametrize("games", [60, 900, 5000])
def test_a_comparison_says_raised_and_lowered_where_its_intervals_do(games):
    for seed in range(4):
        a, b = fresh_games(np.random.default_rng([seed, games]), games, 2, FIGURES)
        moments = Moments.empty()
        moments.add(a, b)
        frame = compared(moments, 0.02)
        told = set()
        for row in frame.to_dict("records"):
            low, high, margin = row["difference_all_low"], row["difference_all_high"], row["margin"]
            assert margin == (1.0 if row["figure"] == "rounds" else 0.02)
            if games < 100:
                assert (row["verdict"], row["certainty"]) == (CHANGE.not_compared, "untested")
                continue
            assert (row["verdict"] == CHANGE.far_above) == (low > margin)
            assert (row["verdict"] == CHANGE.far_below) == (high < -margin)
            assert row["verdict"].startswith("raised") == (low > 0 and high > margin)
            assert row["verdict"].startswith("lowered") == (high < 0 and low < -margin)
            assert (row["verdict"] == CHANGE.within) == (-margin <= low and high <= margin)
            assert (row["games_fewest"] > games) == (row["verdict"] not in (CHANGE.far_above, CHANGE.within, CHANGE.far_below))
            assert row["n_a"] == row["n_b"] == row["n"] == games
            told.add(row["verdict"])
        assert games == 60 or len(told) > 1
