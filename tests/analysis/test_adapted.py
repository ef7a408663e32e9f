"""What adapting changes of an answer: four games a seed; false findings as rare as stated, planted changes found."""

import itertools

import numpy as np
import pytest
from known import seated
from test_compare import JAPAN, PLANTED, row

from newdawn.analysis.questions import adapted
from newdawn.analysis.questions.adapted import collect, side_by_side
from newdawn.analysis.stats.inference import QUANTILE
from newdawn.analysis.stats.rates import CONFIDENCE
from newdawn.analysis.stats.verdicts import JUDGEMENT
from newdawn.analysis.tables import paired_figures as paired
from newdawn.analysis.tables.paired_figures import FIGURES, FIRST_LEADER, LEADER_FIGURES, PRINTED, Fours, changes
from newdawn.simulator.errors import UserError, with_sign

FIRST_PLAYER, UNFINISHED = 2, 1
NOTHING = np.zeros(8)


def four_runs(rng, n, utilities):
    """Return the figures of n seeds played four times, with these log odds; three of four games share their luck.

    Agendas and wonders are in three of four games, and claimed or built in three of ten of these.
    """
    leaders, order, _ = seated(rng, n, 4)
    noise = rng.gumbel(size=leaders.shape)
    blank = np.zeros((n, len(FIGURES), 2))
    blank[:, :FIRST_LEADER, 1] = 1
    np.put_along_axis(blank[:, LEADER_FIGURES, 1], leaders, 1, axis=1)
    blank[:, LEADER_FIGURES.stop :, 1] = rng.random((n, len(FIGURES) - LEADER_FIGURES.stop)) < 0.75
    found = []
    for utility in utilities:
        values = blank.copy()
        own = np.where(rng.random((n, 1)) < 0.75, noise, rng.gumbel(size=noise.shape)) + np.asarray(utility)[leaders]
        won = (own == own.max(axis=1, keepdims=True)).astype(float)
        values[:, 0, 0] = rng.poisson(20, n)
        values[:, FIRST_PLAYER, 0] = won[order == 0]
        np.put_along_axis(values[:, LEADER_FIGURES, 0], leaders, won, axis=1)
        values[:, LEADER_FIGURES.stop :, 0] = blank[:, LEADER_FIGURES.stop :, 1] * (rng.random((n, 34)) < 0.3)
        found.append(values)
    return found


def summed(four, leaders=None):
    fours = Fours.empty(four[0].shape[1], leaders)
    fours.add(four)
    return fours


def test_the_error_is_that_of_the_fours():
    """Where every game counts, it is the textbook's interval of a mean."""
    four = four_runs(np.random.default_rng(1), 400, [NOTHING, PLANTED, NOTHING, 8 * PLANTED])
    found = row(changes(summed(four)), "win rate of the first player")
    a, b, c, d = (one[:, FIRST_PLAYER, 0] for one in four)
    change = (d - c) - (b - a)
    assert found["change"] == pytest.approx(change.mean())
    assert found["high"] - found["change"] == pytest.approx(QUANTILE * change.std(ddof=1) / 20)
    parts = Fours.empty()
    for at in range(0, 400, 130):
        parts.add([one[at : at + 130] for one in four])
    assert np.allclose(changes(parts)[["change", "low", "p"]], changes(summed(four))[["change", "low", "p"]], equal_nan=True)


@pytest.mark.calibration
def test_nothing_is_found_where_players_answer_alike():
    """Both kinds of players see the same large effect: any false finding among all figures in 5% of 200 repeats."""
    rng, any_false, single, tests = np.random.default_rng(2), 0, 0, 0
    for _ in range(200):
        frame = changes(summed(four_runs(rng, 500, [NOTHING, 4 * PLANTED, NOTHING, 4 * PLANTED])))
        any_false += bool((frame["p_adjusted"] <= 1 - CONFIDENCE).any())
        single += int((frame["p"] < 0.05).sum())
        tests += len(frame)
    assert any_false <= 17  # 5% and two and a half standard errors
    assert 0.03 < single / tests < 0.06


@pytest.mark.soak
def test_a_planted_change_is_covered_and_found():
    """Japan gains by the rule only when players have adapted."""
    rng, covered, found = np.random.default_rng(3), 0, 0
    many = summed(four_runs(rng, 60_000, [NOTHING, NOTHING, NOTHING, 6 * PLANTED]))
    truth = row(changes(many), "win rate of Japan")["change"]
    assert truth == pytest.approx(0.205, abs=0.01)
    for _ in range(100):
        frame = side_by_side([summed(four_runs(rng, 1_000, [NOTHING, NOTHING, NOTHING, 6 * PLANTED]), LEADER_FIGURES)])
        japan = row(frame, "win rate of Japan")
        covered += japan["low"] <= truth <= japan["high"]
        found += japan["verdict"] in ("raised", "raised, size unclear")
        assert japan["change"] == pytest.approx(japan["adapted_difference"] - japan["unaware_difference"])
    assert covered >= 90
    assert found >= 95


def trained(rng, games, utilities, chance):
    """Return the fours of two trainings, each of which moves what every leader, agenda and wonder brings by chance."""
    parts = []
    for _ in range(2):
        moved = [one if k < 2 else one + rng.normal(0, chance, 8) for k, one in enumerate(np.asarray(utilities, float))]
        four = four_runs(rng, games, moved)
        for one in four[2:]:
            held, there = one[:, LEADER_FIGURES.stop :, 0], one[:, LEADER_FIGURES.stop :, 1]
            taste = rng.normal(0, chance / 10, 34) + np.where(np.arange(34) < 10, 0, rng.normal(0, chance / 5))
            held[:] = there * (rng.random(there.shape) < 0.3 + taste)  # who builds more builds all wonders more
        parts.append(summed(four, LEADER_FIGURES))
    return parts


@pytest.mark.calibration
@pytest.mark.parametrize("chance", [0.0, 0.3])
def test_what_trainings_do_by_chance_is_found_in_five_per_cent(chance):
    """Players who have adapted answer alike, but for the chance of their trainings; not counting it finds some mostly."""
    rng, found, alone = np.random.default_rng(11), 0, 0
    for _ in range(100):
        parts = trained(rng, 400, [NOTHING] * 4, chance)
        frame = side_by_side(parts)
        found += bool((frame[["p_adjusted", "adapted_p_adjusted"]] <= 1 - CONFIDENCE).any(axis=None))
        alone += bool((side_by_side([parts[0] + parts[1]])["adapted_p_adjusted"] <= 1 - CONFIDENCE).any())
    assert found <= 12
    assert chance == 0 or alone > 60


def test_a_change_beyond_the_chance_of_trainings_is_found():
    rng = np.random.default_rng(12)
    frame = side_by_side(trained(rng, 2_000, [NOTHING, NOTHING, NOTHING, 12 * PLANTED], 0.1))
    japan = row(frame, "win rate of Japan")
    assert japan["verdict"] == "raised"
    apart = side_by_side(trained(rng, 2_000, [NOTHING] * 4, 0.5))
    assert apart.loc[apart["apart"] >= adapted.MUCH, "games_fewest"].isna().all()  # trainings leave it open, not too few games
    assert (apart["apart"] >= adapted.MUCH).all()
    alone = row(side_by_side([trained(rng, 2_000, [NOTHING] * 4, 0.0)[0]]), "win rate of Japan")
    width, of_half = (found["change_all_high"] - found["change_all_low"] for found in (japan, alone))
    assert width > of_half / np.sqrt(2)


def test_both_answers_are_those_of_the_comparison():
    four = four_runs(np.random.default_rng(4), 300, [NOTHING, PLANTED, NOTHING, 4 * PLANTED])
    frame = side_by_side([summed(four, LEADER_FIGURES)])
    moments = paired.Moments.empty(leaders=LEADER_FIGURES)
    moments.add(four[2], four[3])
    alone = paired.compared(moments)
    assert frame["figure"].tolist() == alone["figure"].tolist()
    for column in adapted.KEPT:
        own, there = frame[f"adapted_{column}"], alone[column]
        alike = own.equals(there) if column in JUDGEMENT else np.allclose(own, there, equal_nan=True)
        assert alike, column
    spread = row(frame, "leader spread")
    assert spread["verdict"] == "not compared"
    assert np.isnan(spread["p_adjusted"])
    assert not np.isnan(spread["adapted_difference"])


def one_figure(values):
    """Return the fours of one share: an array (4, games) of its numerators."""
    return summed([np.stack([one, np.ones_like(one)], axis=1)[:, None, :] for one in np.asarray(values, float)])


def test_few_seeds_are_judged_exactly_and_equal_ones_are_no_change():
    few = np.zeros((4, 1000))
    few[3, :5] = 1
    found = changes(one_figure(few), [("game", "unfinished games")]).iloc[0]
    assert found["few"]
    assert found["p"] == pytest.approx(2 * 0.5**5)
    assert found["low"] < 0 < found["change"] < found["high"]
    equal = changes(one_figure(np.zeros((4, 1000))), [("game", "unfinished games")]).iloc[0]
    assert (equal["change"], equal["p"]) == (0, 1)
    assert equal["high"] == pytest.approx(3.69 / 1000, rel=0.01)
    most = changes(one_figure([[0, 0, 0], [1, 1, 1], [1, 1, 1], [0, 0, 0]]), [("game", "unfinished games")]).iloc[0]
    assert most["change"] == -2
    assert most["low"] <= -2


@pytest.mark.calibration
def test_the_interval_of_few_seeds_covers():
    """Rare in all four games, as unfinished games are: 600 times two in 1,000 seeds each."""
    rng, covered = np.random.default_rng(5), 0
    for _ in range(600):
        found = changes(one_figure(rng.random((4, 1000)) < 0.002), [("game", "unfinished games")]).iloc[0]
        covered += found["low"] <= 0 <= found["high"]
    assert covered / 600 > 0.95


def test_figures_of_one_ruleset_only_are_not_tested():
    four = four_runs(np.random.default_rng(6), 200, [NOTHING] * 4)
    four[1][:, JAPAN] = four[3][:, JAPAN] = 0
    frame = side_by_side([summed(four, LEADER_FIGURES)])
    assert row(frame, "win rate of Japan")["verdict"] == "not compared"
    assert frame["change"].isna().sum() == 2  # and the spread
    with pytest.raises(UserError, match="1 of the 2 seeds"):
        changes(summed([one[:1] for one in four]))


def test_ctrl_c_keeps_whole_seeds():
    def played():
        for _ in range(2):  # one chunk of each training
            yield tuple(four_runs(np.random.default_rng(7), 40, [NOTHING] * 4))
        raise KeyboardInterrupt

    answers = collect(played(), PRINTED)
    assert (answers.seeds, answers.stopped) == (80, True)
    assert (answers.frame["apart"] >= 1).all()
    with pytest.raises(KeyboardInterrupt):
        collect(itertools.islice(played(), 1, None), PRINTED)  # of the other training nothing is known


def test_the_sentence_says_what_the_rows_show():
    four = four_runs(np.random.default_rng(8), 2_000, [NOTHING, NOTHING, NOTHING, 8 * PLANTED])
    frame = side_by_side([summed(four, LEADER_FIGURES)])
    found = frame[frame["verdict"].isin(["raised", "raised, size unclear", "lowered", "lowered, size unclear"])]
    assert (frame.loc[frame["verdict"] == "raised", "change_all_low"] > frame.loc[frame["verdict"] == "raised", "margin"]).all()
    said = adapted.sentence(frame)
    assert said.startswith(f"Adapting changes {len(found)} of {int(frame['p_adjusted'].notna().sum())} answers")
    japan = row(frame, "win rate of Japan")
    change = ", ".join(with_sign(100 * japan[f"change{end}"]) for end in ("_all_low", "_all_high"))
    assert f"win rate of Japan: {with_sign(100 * japan['change'])} [{change}] points" in said
    nothing = adapted.sentence(side_by_side([summed(four_runs(np.random.default_rng(9), 200, [NOTHING] * 4), LEADER_FIGURES)]))
    assert nothing.startswith(f"Adapting changes none of the {len(FIGURES)} answers measurably")
