"""Sensitivity: every step is played once, results survive, and differences are those of pairs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from newdawn.analysis.questions import sensitivity as moving
from newdawn.analysis.questions.sensitivity import COLUMNS, planned, sensitivity, table
from newdawn.analysis.questions.tuning import play_figures
from newdawn.analysis.stats.inference import two_sided
from newdawn.analysis.tables import paired_figures, targets
from newdawn.analysis.tables.paired_figures import SPREAD
from newdawn.analysis.tables.targets import FIGURES, FIRST_LEADER, PLACES, SEAT_SPREAD, changes, leader_rates, levels
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Interrupted, Silent
from newdawn.simulator.runs.run_plan import plan_by

PRINTED = load_ruleset()
GLOBS = ("wonders.petra.cost", "components.per_player.base.cities", "victory_cards.rules.base.cards_in_play")


def plan_of(**changes):
    settings = {"players": 3, "games": 40, "seed": 5, "strategies": ["random"], "round_cap": 10} | changes
    return plan_by(PRINTED.compile(), **settings)


def figures(rng, n, same, games=None):
    """Return the figures of n games in which nothing has an effect; `games` are those of the other ruleset."""
    values = np.ones((n, len(FIGURES), 2))
    values[:, 0, 0] = rng.normal(20, 4, n)
    values[:, 1:, 0] = rng.random((n, len(FIGURES) - 1)) < 0.25
    if games is not None:
        kept = rng.random(n) < same
        values[kept] = games[kept]
    return values


# --- Figures


def test_figures_of_games_are_those_of_the_comparison():
    """The same games, read off their tables by `analysis.questions.compare`."""
    from newdawn.simulator.runs.run import play_range, tables_of

    plan, r = plan_of(round_cap=200, strategies=["opportunist"]), PRINTED.compile()
    rows = play_range(plan, r, 0, 40, Silent())
    frames = {name: part.to_pandas() for name, part in tables_of(plan, r, rows).items()}
    wanted = paired_figures.game_figures(frames, 0, 40)
    here = [figure for figure in FIGURES if figure in paired_figures.FIGURES]
    places, own = [paired_figures.FIGURES.index(figure) for figure in here], [FIGURES.index(figure) for figure in here]
    found = play_figures(plan, PRINTED, 0, 40, 2, Silent())
    assert np.allclose(found[:, own], wanted[:, places])
    others = np.delete(found, [*own, *range(PLACES.start + 1, PLACES.stop)], axis=1)
    assert (others == 0).all()  # the expansion's agendas and wonders, in none of the games
    assert np.array_equal(found[25:], play_figures(plan, PRINTED, 25, 15, 1, Silent()))


def test_levels_and_changes_name_every_figure():
    rng = np.random.default_rng(1)
    a = figures(rng, 500, 0)
    b = figures(rng, 500, 0.5, a)
    level = levels(a).set_index("figure")
    assert set(level.index) == {figure for _, figure in FIGURES} | {SPREAD[1], SEAT_SPREAD[1]}
    assert (level["low"] <= level["value"]).all()
    assert (level["value"] <= level["high"]).all()
    change = changes(a, b)
    assert list(change["figure"][:4]) == ["rounds", "unfinished games", "win rate of the first player", SPREAD[1]]
    assert change.set_index("figure").loc["rounds", "difference"] == pytest.approx((b - a)[:, 0, 0].mean())
    assert len(changes(a, b, ["game"])) == 4
    same = changes(a, a)
    assert (same["difference"] == 0).all()
    assert (same["p"] == 1).all()
    without = a.copy()
    without[:, FIRST_LEADER] = 0  # a leader nobody had
    assert "win rate of America" not in set(levels(without)["figure"])


def test_the_variance_of_the_leaders_is_unbiased_and_its_error_that_of_repeats():
    rng, rates, found = np.random.default_rng(3), 0.25 + 0.06 * np.linspace(-1, 1, 8), []
    for _ in range(400):
        values = np.ones((300, len(FIGURES), 2))
        values[:, FIRST_LEADER:, 0] = rng.random((300, 8)) < rates
        variance, terms = leader_rates(values).variance()
        found.append((variance, terms.std(ddof=1) / np.sqrt(300)))
    variance, error = np.array(found).T
    assert abs(variance.mean() - rates.var(ddof=1)) < 3 * variance.std() / 20
    assert np.median(error) == pytest.approx(variance.std(), rel=0.2)


@pytest.mark.calibration
def test_nothing_is_found_where_nothing_is():
    """Tables of 12 changes without effect, 48 differences each: any significant one in about 5% of 15 tables."""
    rng, false = np.random.default_rng(2), 0
    for _ in range(15):
        a, rows = figures(rng, 150, 0), []
        for value in range(12):
            part = changes(a, figures(rng, 150, 0.6, a), ["game"])
            rows += [{"parameter": "x", "printed": 0, "value": value} | row for row in part.to_dict("records")]
        false += bool(table(rows)["significant"].any())
    assert false <= 2  # 5% and two standard errors of 15 tables


def rows_of(changed):
    """Return rows as results have them, from {value: differences of (rounds, leader spread)} with errors of 0.1 and 0.01."""
    rows = []
    for value, gaps in changed.items():
        for figure, gap, error in zip(("rounds", SPREAD[1]), gaps, (0.1, 0.01), strict=True):
            reach = 1.959964 * error
            row = {"parameter": "x", "printed": 0, "value": value, "group": "game", "figure": figure, "a": 1.0, "b": 1.0 + gap}
            row |= {"difference": gap, "low": gap - reach, "high": gap + reach, "n": 100, "changed": 50}
            rows.append(row | {"p": float(two_sided(gap, error))})
    return rows


def test_changes_are_ranked_by_size_the_clear_ones_first():
    """A round counts as two percentage points; what is not significant comes last, however large."""
    found = table(rows_of({1: (0.5, 0.0), 2: (0.0, 0.06), 3: (-2.0, 0.0), 4: (0.05, 0.024), 5: (0.0, 0.001)}))
    assert found["value"].drop_duplicates().tolist() == [2, 3, 1, 4, 5]  # 3 margins, 2, 0.5; then 1.2 that is not clear
    assert found.groupby("value")["significant"].any().tolist() == [True, True, True, False, False]


def test_a_difference_is_significant_if_its_printed_interval_leaves_0_out():
    """Intervals of the figures alone would leave 0 out in one row of twenty, beside 'not significant'."""
    rng = np.random.default_rng(6)
    gaps = {value: (rng.normal(0, 0.3), rng.normal(0, 0.03)) for value in range(40)}
    found = table(rows_of(gaps))
    outside = (found["difference_all_low"] > 0) | (found["difference_all_high"] < 0)
    assert 10 < outside.sum() < 70
    assert (outside == found["significant"]).all()
    assert (outside == (found["p_adjusted"] <= 0.05)).all()
    alone = (found["low"] > 0) | (found["high"] < 0)
    assert (alone & ~outside).any()
    assert not (outside & ~alone).any()


@pytest.mark.calibration
def test_a_difference_called_detectable_is_found_in_80_per_cent():
    """10 differences; one is true and as large as `detectable` says."""
    rng = np.random.default_rng(4)
    true = table(rows_of(dict.fromkeys(range(5), (0.0, 0.0))))["detectable"].min()
    found = 0
    for _ in range(300):
        gaps = {value: (rng.normal(0, 0.1), rng.normal(0, 0.01)) for value in range(5)}
        gaps[0] = (gaps[0][0], gaps[0][1] + true)
        frame = table(rows_of(gaps))
        found += bool(frame.loc[(frame["value"] == 0) & (frame["figure"] == SPREAD[1]), "significant"].iloc[0])
    assert 0.74 < found / 300 < 0.88


# --- Played games


def test_every_step_of_every_number_named():
    moved = planned(plan_of(), PRINTED, GLOBS)
    assert [(change.parameter.path.split(".")[-1], change.value) for change in moved] == [
        ("cities", 6), ("cost", 6), ("cost", 8), ("cards_in_play", 2), ("cards_in_play", 4),
    ]  # fmt: skip
    with pytest.raises(UserError, match="none of the 1 numbers named can be moved"):
        planned(plan_of(), PRINTED, ("components.limits.wonders_per_city",))


def test_what_moves_the_game_is_ranked_first():
    plan = plan_of(strategies=["opportunist"], round_cap=200)
    frame = sensitivity(plan, PRINTED, planned(plan, PRINTED, GLOBS), jobs=2)
    assert list(frame.columns) == list(COLUMNS)
    assert len(frame) == 5 * 12
    assert set(frame["parameter"][:12]) == {"victory_cards.rules.base.cards_in_play"}
    rounds = frame[frame["figure"] == "rounds"].set_index(["parameter", "value"])
    assert rounds.loc[("victory_cards.rules.base.cards_in_play", 2), "difference"] < 0
    assert rounds.loc[("victory_cards.rules.base.cards_in_play", 4), "difference"] > 0
    assert rounds.loc[("victory_cards.rules.base.cards_in_play", 2), "significant"]
    assert frame["a"].groupby(frame["figure"]).nunique().max() == 1  # the unchanged rules are the same in all


class Stopper(Silent):
    """Presses Ctrl-C after so many games."""

    def __init__(self, games):
        self.left = games

    def add(self, games):
        self.left -= games
        if self.left < 0:
            raise KeyboardInterrupt


def test_a_stopped_analysis_goes_on(tmp_path):
    plan = plan_of(games=32)
    moved = planned(plan, PRINTED, GLOBS)
    out = tmp_path / "out"
    with pytest.raises(Interrupted) as stopped:
        sensitivity(plan, PRINTED, moved, out, 1, Stopper(32 * 3))
    assert (stopped.value.done, stopped.value.games) == (64, 160)
    file = out / moving.SENSITIVITY_FILE
    assert len(file.read_bytes().splitlines()) == 3
    with file.open("ab") as torn:  # a kill in the middle of a line
        torn.write(b'{"digest": "00", "parameter": "wonders.petra.cost", "val')
    frame = sensitivity(plan, PRINTED, moved, out, 1)
    assert len(file.read_bytes().splitlines()) == 6
    whole = sensitivity(plan, PRINTED, moved, jobs=2)
    assert frame.equals(whole)
    before = file.read_bytes()
    assert sensitivity(plan, PRINTED, moved, out).equals(whole)  # nothing left to play
    assert file.read_bytes() == before
    assert table(moving.read(out, plan, PRINTED), moved[:2])["value"].nunique() == 1


def test_results_of_other_games_are_refused(tmp_path):
    plan = plan_of(games=4)
    moved = planned(plan, PRINTED, GLOBS[:1])
    sensitivity(plan, PRINTED, moved, tmp_path)
    with pytest.raises(UserError, match="holds other results: their 'games' is not"):
        sensitivity(plan_of(games=5), PRINTED, moved, tmp_path)
    with pytest.raises(UserError, match="holds results of other rules"):
        sensitivity(plan, load_ruleset(["four_trade_tokens"]), moved, tmp_path)
    (tmp_path / moving.SENSITIVITY_FILE).write_text(json.dumps([1]) + "\n")
    with pytest.raises(UserError, match="not results that this version keeps"):
        sensitivity(plan, PRINTED, moved, tmp_path)
    with pytest.raises(UserError, match="unknown group of figures 'wonders'"):
        table([], groups=["wonders"])


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    plan = plan_of(games=4)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(UserError, match="holds other files; expected a new or empty folder"):
        sensitivity(plan, PRINTED, planned(plan, PRINTED, GLOBS[:1]), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]
    with pytest.raises(UserError, match="is a file; expected a folder"):
        sensitivity(plan, PRINTED, planned(plan, PRINTED, GLOBS[:1]), tmp_path / "manifest.json")


def test_a_change_matters_by_the_margin_and_not_against_zero():
    """Errors of 0.1 rounds and a point, ten questions: intervals are 2.8 times as wide on either side."""
    whole = table(rows_of({1: (0.4, 0.0), 2: (1.5, 0.0), 3: (-1.1, 0.0), 4: (0.0, 0.06), 5: (0.0, 0.015)}))
    found = whole.set_index(["value", "figure"])["verdict"]
    assert found[1, "rounds"] == targets.TOO_SMALL  # significant, and less than a round
    assert found[2, "rounds"] == targets.MATTERS
    assert found[3, "rounds"] == targets.NOT_KNOWN
    assert (found[4, SPREAD[1]], found[5, SPREAD[1]]) == (targets.MATTERS, targets.NOT_KNOWN)
    said = moving.counts(whole)
    assert said.startswith(
        "2 of 10 differences matter, by more than 1 round or 2 points; 3 are too small to matter; 5 are undecided"
    )


def test_what_matters_comes_first():
    """1.9 rounds known to matter come before 4 points that may be fewer than 2."""
    rows = rows_of({1: (1.9, 0.0), 2: (0.0, 0.04)})
    rows[-1] |= {"low": 0.01, "high": 0.07, "p": 1e-5}
    assert table(rows)["value"].drop_duplicates().tolist() == [1, 2]


def test_what_would_have_been_seen_is_a_median_of_what_moved():
    """Where nothing moved an interval says little of what would have been seen; such changes are most of all."""
    rows = rows_of({1: (0.2, 0.01), 2: (0.3, 0.01), 3: (0.0, 0.0), 4: (0.0, 0.0), 5: (0.0, 0.0)})
    for row in rows[4:]:
        row |= {"changed": 0, "low": -0.01, "high": 0.01, "p": 1.0}
    found = moving.detectable(table(rows))
    moved = table(rows).query("changed > 0 and figure == 'rounds'")["detectable"]
    assert found["rounds"] == pytest.approx(moved.median())
    assert found["rounds"] > 0.3
    for row in rows:
        row["changed"] = 0
    assert moving.detectable(table(rows)).empty


def test_a_step_that_moves_no_game_is_not_known_to_move_none():
    rng = np.random.default_rng(9)
    a = figures(rng, 400, 0)
    part = changes(a, a, ["game"])
    found = table([{"parameter": "x", "printed": 1, "value": 2} | row for row in part.to_dict("records")])
    rounds = found.set_index("figure").loc["rounds"]
    assert rounds["changed"] == 0
    assert rounds["difference_all_low"] < -0.05 < 0.05 < rounds["difference_all_high"]
    assert rounds["verdict"] == targets.TOO_SMALL
