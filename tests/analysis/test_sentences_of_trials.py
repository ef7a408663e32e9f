"""Sentences of the first screen, of what confirms a value and of comparisons agree with their tables, over many small runs."""

import re

import numpy as np
import pytest
from test_first import mixed_run, screen
from test_sentences import RUNS, a_run, as_words, clear, close

from newdawn.analysis.report.part import Source, evidence
from newdawn.analysis.trials import headline
from newdawn.analysis.trials.compare import FIGURES, Moments, differences, verdict
from newdawn.analysis.trials.confirm import OFF, ON, OPEN, conclusion, confirm, near_enough
from newdawn.analysis.trials.target import parse_target

SIGNED = r"([+−]?\d+\.\d) \[([+−]?\d+\.\d), ([+−]?\d+\.\d)\]"
MARGINS = {"leaders-by-card": 2.0, "leaders-with-strategies": 2.0, "order": 2.0, "card-sets": 1.0}
OPENING = {
    "leaders-by-card": "Leaders hang on the victory cards in play",
    "order": "Moving early or late matters",
    "leaders-with-strategies": "Leaders' strength depends on who plays them",
    "card-sets": "The length hangs on the victory cards",
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
    assert 1 <= len(found.findings) <= 5
    for finding in found.findings:
        key = next((key for key, words in OPENING.items() if finding.text.startswith(words)), None)
        if key:
            _outside(finding, key, frames[key])
        elif finding.text.startswith("Too "):
            _too(finding, frames["leaders"])
        elif finding.text.startswith("No leader is shown") or re.match(r"All \d+ leaders", finding.text):
            _within(finding, frames["leaders"])
        else:
            assert finding.certainty == "limit", finding.text
            assert len(source.strategies) == 1


def _outside(finding, key, frame):
    """Rows outside the margin, the largest first, each with its figure, interval and n."""
    name = FIGURE.get(key, "points")
    outside = frame[frame["verdict"] == "outside"].sort_values(name, key=abs, ascending=False, kind="stable")
    head, named = finding.text.split(": ", 1)
    assert f"({len(outside)} of {len(frame)} by more than ±{MARGINS[key]:g}" in head
    pieces = named.removesuffix(".").removesuffix(" and more").split("; ")
    assert len(pieces) == min(3, len(outside))
    assert finding.text.endswith(" and more.") == (len(outside) > 3)
    assert finding.certainty == evidence(outside["p_adjusted"].min())
    for piece, row in zip(pieces, outside.to_dict("records"), strict=False):
        assert all(as_words(row, one) in piece.replace(" and ", ", ") for one in NAMING[key])
        assert all(close(text, row[f"{name}{end}"]) for text, end in zip(*_figures(piece), strict=True))
        assert min(abs(row[f"{name}_all_low"]), abs(row[f"{name}_all_high"])) > MARGINS[key]
        assert f"{row[CASES.get(key, 'n')]:,.0f}" in piece


def _figures(piece):
    return re.findall(SIGNED, piece)[-1], ("", "_all_low", "_all_high")


def _too(finding, frame):
    sign = 1 if finding.text.startswith("Too strong") else -1
    outside = frame[(frame["verdict"] == "outside") & (sign * frame["points"] > 0)].sort_values("points", ascending=sign < 0)
    told = re.findall(r"(\w+) wins ([\d.]+)% \[([\d.]+), ([\d.]+)\], ([+−]?[\d.]+) points \(n = ([\d,]+)\)", finding.text)
    assert [leader for leader, *_ in told] == list(outside["leader"])
    for (_, *figures, n), row in zip(told, outside.to_dict("records"), strict=True):
        ends = ("", "_all_low", "_all_high")
        rates = [100 * np.clip(row[f"adjusted_rate{end}"], 0, 1) for end in ends]
        assert all(close(text, value) for text, value in zip(figures, [*rates, row["points"]], strict=True))
        assert clear(row, "points", sign * 2.0)
        assert n == f"{row['decided']:,.0f}"


def _within(finding, frame):
    assert not (frame["verdict"] == "outside").any()
    if finding.text.startswith("All "):
        assert (frame["verdict"] == "balanced").all()
        assert frame["points_all_low"].min() >= -2
        assert frame["points_all_high"].max() <= 2
        return
    for word, part in frame.groupby("verdict"):
        piece = re.search(rf"{word}: ([^;.]+)", finding.text).group(1)
        assert sorted(re.findall(r"[A-Z]\w+", piece)) == sorted(part["leader"])
    assert ("would decide" in finding.text) == (frame["verdict"] == "undecided").any()


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
        frame = confirm(fresh_games(np.random.default_rng([seed, games]), games, 3, headline.FIGURES), target)
        reach, words = near_enough(target, None), ["now", "one", "other"]
        for row in frame.to_dict("records"):
            inside = target.wanted - reach <= row["low"] and row["high"] <= target.wanted + reach
            outside = row["low"] > target.wanted + reach or row["high"] < target.wanted - reach
            assert row["verdict"] == (ON if inside else OFF if outside else OPEN)
            assert (row["games_needed"] > 0) == (row["verdict"] == OPEN)
        said = conclusion(words, frame, target)
        row = next(row for word, row in zip(words, frame.to_dict("records"), strict=True) if f" {word}" in said)
        best = ON if ON in set(frame["verdict"]) else OPEN if OPEN in set(frame["verdict"]) else OFF
        assert row["verdict"] == best
        assert said.startswith({ON: "Take ", OFF: "No value tried reaches ", OPEN: "Undecided whether "}[best])
        scale = 1 if target.figure == "rounds" else 100
        value, low, high = re.search(r"([\d.]+)%? \[([\d.]+)%?, ([\d.]+)%?\]", said).groups()
        assert all(close(one, scale * row[name]) for one, name in ((value, "value"), (low, "low"), (high, "high")))
        assert f"n = {row['n']:,.0f}" in said
        assert row["loss"] == frame.loc[frame["verdict"] == best, "loss"].min()


@pytest.mark.parametrize("games", [60, 900, 5000])
def test_a_comparison_says_higher_and_lower_where_its_intervals_do(games):
    for seed in range(4):
        a, b = fresh_games(np.random.default_rng([seed, games]), games, 2, FIGURES)
        moments = Moments.empty()
        moments.add(a, b)
        frame = differences(moments, 0.02)
        told = set()
        for row in frame.to_dict("records"):
            word = verdict(row)
            assert (word == "higher") == (row["difference_all_low"] > 0)
            assert (word == "lower") == (row["difference_all_high"] < 0)
            if word in ("undecided", "no difference found"):
                wanted = 0.02 * (row["a"] if row["figure"] == "rounds" else 1)
                assert (word == "no difference found") == (row["half_width"] <= wanted)
            assert row["n_a"] == row["n_b"] == games
            told.add(word)
        assert told <= {"higher", "lower", "undecided", "no difference found"}
        assert games == 60 or len(told) > 1
