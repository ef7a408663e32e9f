"""Policies: gradients, a fit of choices with a known answer, and what it gains on others."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.analysis.learning import fit
from newdawn.analysis.learning.fit import Lessons, Turns
from newdawn.strategies.learned import policy
from newdawn.strategies.learned.policy import GAP, N_MARKS, N_SITUATION, OWN, SCALE, TYPE

OPTIONS = 5


def made(n: int, seed: int = 1) -> tuple[Lessons, np.ndarray]:
    """Choices among up to five cards: one of a type is good when the first fact is high, bad when it is low; true worths."""
    rng = np.random.default_rng(seed)
    situations = np.zeros((n, N_SITUATION), np.float32)
    situations[:, :4] = rng.normal(size=(n, 4))
    marks = np.zeros((n, OPTIONS, N_MARKS), np.float32)
    marks[:, :, 0] = 1.0
    marks[np.arange(n)[:, None], np.arange(OPTIONS), TYPE + np.argsort(rng.random((n, OPTIONS)), axis=1)] = 1.0
    marks[:, :, GAP] = rng.exponential(0.3, (n, OPTIONS))
    marks[:, 0, GAP], marks[:, 0, OWN] = 0.0, 1.0
    true = 0.03 * situations[:, :1] * marks[:, :, TYPE] - 0.01 * marks[:, :, GAP]
    worths = (0.3 + 0.1 * rng.normal(size=(n, 1)) + true + rng.normal(0, 0.03, true.shape)).astype(np.float32)
    gone = rng.random(n) < 0.3
    worths[gone, OPTIONS - 1] = np.nan
    return Lessons(situations, np.arange(n), marks, worths, np.arange(n)), np.where(np.isnan(worths), np.nan, true)


def test_gradients_are_those_of_the_loss():
    lessons, _ = made(16)
    net = fit.first_policy(3)
    net.first_bias[::2], net.first_bias[1::2] = 8, -8  # units well on or off: no kink lies within a step
    net.second *= 0.1
    net.second_bias[::2], net.second_bias[1::2] = 8, -8
    _, by = fit.policy_gradients(net, lessons.situations, lessons.marks, lessons.worths)
    rng = np.random.default_rng(0)
    for part in policy.PARTS:
        direction = rng.normal(size=net[part].shape)
        ends = []
        for sign in (-1, 1):
            moved = net.copy()
            moved[part] = net[part] + sign * 1e-3 * direction
            exact = (lessons.situations.astype(float), lessons.marks.astype(float), lessons.worths)
            ends.append(fit.policy_gradients(moved, *exact)[0])
        assert (by[part] * direction).sum() == pytest.approx((ends[1] - ends[0]) / 2e-3, rel=5e-3, abs=1e-3), part


def test_a_fit_finds_what_options_are_worth_and_is_the_same_again():
    lessons, _ = made(12_000)
    net = fit.fit_policy(lessons, seed=1, epochs=8)
    net.direct[OWN : OWN + 3] -= fit.MARGINS
    fresh, true = made(3_000, seed=2)
    said = policy.scores(net, fresh.situations, fresh.marks) / SCALE
    there = ~np.isnan(true)
    centred = [np.where(there, x - np.nanmean(np.where(there, x, np.nan), axis=1, keepdims=True), 0.0) for x in (said, true)]
    assert np.corrcoef(centred[0][there], centred[1][there])[0, 1] > 0.9
    short, _ = made(1_500)
    assert fit.fit_policy(short, seed=9, epochs=1).tobytes() == fit.fit_policy(short, seed=9, epochs=1).tobytes()
    assert fit.fit_policy(short, seed=9, epochs=1).tobytes() != fit.fit_policy(short, seed=10, epochs=1).tobytes()


def test_a_fit_that_goes_on_from_a_policy_begins_with_what_that_knows():
    lessons, _ = made(12_000)
    before = fit.fit_policy(lessons, seed=1, epochs=8)
    few, _ = made(1_500, seed=3)
    fresh, _ = made(3_000, seed=2)
    on = fit.fit_policy(few, seed=4, start=before)
    assert on.tobytes() == fit.fit_policy(few, seed=4, start=before).tobytes() != before.tobytes()
    found = [fit.gains(net, fresh).mean() for net in (fit.fit_policy(few, seed=4), on, before)]
    assert found[1] > found[0]
    assert found[1] == pytest.approx(found[2], rel=0.1)
    own = on.direct[OWN : OWN + 3] - before.direct[OWN : OWN + 3]
    assert np.abs(own).max() < 0.05  # what counts for the planner's own is added once


def test_gains_are_what_the_preferred_options_bring_over_the_planners():
    lessons, _true = made(4_000)
    net = fit.fit_policy(lessons, seed=1, epochs=8)
    found = fit.gains(net, lessons)
    assert found.shape == (4_000,)
    assert found.mean() > 0.003
    stubborn = policy.new_policy()
    stubborn.direct[OWN] = 1.0
    assert (fit.gains(stubborn, lessons) == 0).all()
    gap = policy.new_policy()
    gap.direct[GAP] = 1.0
    chosen = np.where(np.isnan(lessons.worths), -1, lessons.marks[:, :, GAP]).argmax(axis=1)
    rows = np.arange(4_000)
    assert fit.gains(gap, lessons) == pytest.approx(lessons.worths[rows, chosen] - lessons.worths[:, 0])


def test_turns_become_choices_where_there_is_one_and_come_back_from_their_file(tmp_path):
    rng = np.random.default_rng(5)
    worths = np.full((3, 4, 6), np.nan, np.float32)
    worths[0, 0, :5], worths[1, 0, :5], worths[1, 2, :2], worths[2, 1, :1] = 0.2, 0.3, 0.4, 0.5
    moments = np.array([[7, 1, 0], [8, 12, 3], [10, 2, 1]])
    turns = Turns(rng.random((3, N_SITUATION)), rng.random((3, 4, 6, N_MARKS)), worths, moments)
    lessons = fit.lessons_of([turns])
    assert lessons.turn.tolist() == [0, 1, 1]
    assert lessons.game.tolist() == [7, 8, 8]
    assert (lessons.marks[2] == turns.marks[1, 2]).all()
    assert not lessons.held_out.any()
    assert fit.lessons_of([turns, turns]).turn.tolist() == [0, 1, 1, 3, 4, 4]
    fit.save_turns(tmp_path / "turns.npz", turns)
    back = fit.load_turns(tmp_path / "turns.npz")
    assert back.situations == pytest.approx(turns.situations, abs=1e-3)
    assert np.array_equal(back.worths, worths, equal_nan=True)
    assert back.moments.tolist() == moments.tolist()
