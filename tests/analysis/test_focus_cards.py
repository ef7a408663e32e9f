"""Focus cards: use and association with winning, on games whose answers are known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from known import KnownRun, category, draw, seated, tables

from newdawn.analysis.questions import cards as question
from newdawn.analysis.stats.verdicts import LOWER, having
from newdawn.analysis.tables.decoded_games import RESOLVED
from newdawn.analysis.tables.focus_card_use import focus_card_wins, focus_cards

NAMES = ("Alpha", "Beta", "Gamma", "Own")
RULES = {
    "focus_cards": {"base": {
        "alpha": {"name": "Alpha", "type": "culture", "level": 2}, "beta": {"name": "Beta", "type": "science", "level": 2},
        "gamma": {"name": "Gamma", "type": "science", "level": 3},
        "gone": {"name": "Gone", "type": "science", "level": 4, "available": False},
        "never": {"name": "Never", "type": "culture", "level": 4},
    }},
    "leaders": {"rome": {"civ": "Rome", "unique_card": {"name": "Own", "type": "culture", "level": 2}}},
}  # fmt: skip
MANIFEST = {"ruleset": {"data": RULES}}
ROME = 5  # in names.LEADERS


def rows_of(has, taken=7, slots=(0, 0, 0, 0, 1), replaced=np.nan):
    """Return the table `focus_cards` for who has which card: {name: (games, seats)}."""
    parts = []
    for code, there in has.items():
        game, seat = np.nonzero(there)
        part = pd.DataFrame(
            {"game_id": game, "seat": seat.astype(np.int8), "card": category(np.full(len(game), NAMES.index(code)), NAMES)}
        )
        parts.append(part.assign(taken=float(taken), replaced=replaced, **dict(zip(RESOLVED, slots, strict=True))))
    found = pd.concat(parts, ignore_index=True)
    return found.sort_values(["game_id", "seat"], kind="stable", ignore_index=True)


def run_of(rng, n, has, utility=None, strength=None, players=4, unfinished=0.0, pieces=3):
    """Return a run in which seats win by the leaders' strength, and cards are had as `has(leaders, order)` says."""
    leaders, order, cards = seated(rng, n, players)
    total = np.zeros((n, players)) if strength is None else np.asarray(strength)[leaders]
    there = has(leaders, order)
    for name, worth in (utility or {}).items():
        total = total + worth * there[name]
    found = tables(leaders, order, cards, draw(rng, total, unfinished=unfinished), rng=rng)
    return KnownRun(found | {"focus_cards": rows_of(there)}, players, pieces, MANIFEST)


def test_use_is_counted():
    leaders, order = np.tile([0, ROME], (4, 1)), np.tile([0, 1], (4, 1))
    won = np.tile([1.0, 0.0], (4, 1))
    found = tables(leaders, order, np.tile([0, 1, 3], (4, 1)), won)
    alpha, own = np.array([[1, 1], [1, 0], [0, 0], [0, 0]]), np.array([[0, 1], [0, 1], [0, 1], [0, 0]])
    rows = pd.concat([
        rows_of({"Alpha": alpha}, taken=5, slots=(0, 0, 1, 0, 1)), rows_of({"Own": own}, taken=9, slots=(0, 0, 0, 0, 0)),
        rows_of({"Beta": np.ones((4, 2), int)}, taken=np.nan, slots=(1, 0, 0, 0, 0), replaced=3.0),
    ], ignore_index=True).sort_values(["game_id", "seat"], kind="stable", ignore_index=True)  # fmt: skip
    frame = focus_cards(KnownRun(found | {"focus_cards": rows}, 2, 2, MANIFEST)).set_index("card")
    assert sorted(frame.index) == ["Alpha", "Beta", "Gamma", "Never", "Own"]  # not what the rules take out
    assert frame.loc["Alpha", ["n", "taken", "take_rate", "median_round", "had", "resolved"]].tolist() == [8, 3, 3 / 8, 5, 3, 2]
    assert frame.loc["Alpha", [f"{name}_rate" for name in RESOLVED]].tolist() == [0, 0, 0.5, 0, 0.5]
    assert frame.loc["Own", ["n", "taken", "take_rate", "unused_rate"]].tolist() == [4, 3, 3 / 4, 1]  # of Rome's seats
    assert frame.loc["Own", "leader"] == "Rome"
    assert frame.loc["Beta", ["n", "taken", "had", "replaced_rate"]].tolist() == [0, 0, 8, 1]  # in the row from the start
    assert frame.loc["Never", ["n", "taken", "take_rate", "had"]].tolist() == [8, 0, 0, 0]


def test_a_dead_card_is_called_dead_and_no_other():
    rng = np.random.default_rng(1)
    shares = {"Alpha": 0.6, "Beta": 0.05, "Gamma": 0.1, "Own": 0.5}
    frame = question.use(run_of(rng, 3000, lambda leaders, order: {
        name: (rng.random(leaders.shape) < share) & ((leaders == ROME) | (name != "Own")) for name, share in shares.items()
    }))  # fmt: skip
    assert question.dead(frame)["card"].tolist() == ["Never", "Beta"]
    assert frame.set_index("card").loc[["Alpha", "Own"], "verdict"].tolist() == ["in use", "in use"]
    assert frame.set_index("card").loc["Gamma", "verdict"] == "undecided"
    said = question.dead_cards(frame)
    assert said[0].text.startswith("Never is dead: 0.0% [0.0, 0.1] of the seats that might take it do (n = 12,000).")


def test_an_association_is_corrected_for_the_leader():
    """Strong leaders take Alpha, which is worth nothing; Beta raises the log odds by one, whoever has it."""
    rng = np.random.default_rng(2)
    strength = np.linspace(-1, 1, 8)

    def has(leaders, order):
        return {
            "Alpha": rng.random(leaders.shape) < 0.2 + 0.6 * (strength[leaders] > 0),
            "Beta": rng.random(leaders.shape) < 0.4,
        }

    frame = focus_card_wins(run_of(rng, 8000, has, {"Beta": 1.0}, strength)).set_index("card")
    assert frame.loc["Alpha", "win_rate"] - frame.loc["Alpha", "rate_without"] > 0.1  # as played
    assert frame.loc["Alpha", "association_low"] < 0 < frame.loc["Alpha", "association_high"]
    assert frame.loc["Beta", "association_all_low"] > 10
    assert np.isnan(frame["p"].get("Gamma", np.nan))  # nobody had it


def test_a_unique_card_is_compared_within_its_leader():
    rng = np.random.default_rng(3)
    strength = np.zeros(8)
    strength[ROME] = 2.0

    def has(leaders, order):
        return {"Own": (leaders == ROME) & (rng.random(leaders.shape) < 0.5), "Alpha": rng.random(leaders.shape) < 0.5}

    row = focus_card_wins(run_of(rng, 4000, has, strength=strength)).set_index("card").loc["Own"]
    assert row["n"] + row["n_without"] == pytest.approx(2000, rel=0.1)
    assert row["association_low"] < 0 < row["association_high"]


def test_what_is_compared_in_a_handful_of_seats_alike_is_not_tested():
    """All have Alpha but those of Rome, who never have it: in all games two seats are otherwise than their like."""
    rng = np.random.default_rng(6)

    def has(leaders, order):
        there = leaders != ROME
        first, other = np.argwhere(there)[0], np.argwhere(~there)[0]
        there[tuple(first)], there[tuple(other)] = False, True
        return {"Alpha": there}

    row = focus_card_wins(run_of(rng, 4000, has)).set_index("card").loc["Alpha"]
    assert min(row["n"], row["n_without"]) > 1000
    assert row["small_sample"]
    assert np.isnan(row["p"])


def test_a_card_of_level_I_that_a_leader_begins_without_is_not_dead():
    rng, rules = np.random.default_rng(7), {**RULES, "focus_cards": {"base": {**RULES["focus_cards"]["base"]}}}
    rules["focus_cards"]["base"]["alpha"] = {"name": "Alpha", "type": "culture", "level": 1}
    run = run_of(rng, 500, lambda leaders, order: {"Alpha": leaders != ROME})
    run.tables["focus_cards"] = run.tables["focus_cards"].assign(taken=np.nan)
    run.manifest = {"ruleset": {"data": rules}}
    row = question.use(run).set_index("card").loc["Alpha"]
    assert (row["n"], row["taken"]) == (0, 0)
    assert np.isnan(row["p"])
    assert "Alpha" not in set(question.dead(question.use(run))["card"])


@pytest.mark.calibration
def test_intervals_of_the_association_cover():
    """Who takes Alpha depends on leader and place; its worth among seats alike is the difference of their chances."""
    rng, strength, covered = np.random.default_rng(4), np.linspace(-0.7, 0.7, 8), {"Alpha": 0, "Beta": 0}

    def has(leaders, order):
        lots = rng.random((2, *leaders.shape))
        together = rng.random((len(leaders), 1)) < 0.5  # in some games nobody has Beta, in others most seats
        return {"Alpha": lots[0] < 0.3 + 0.1 * order + 0.2 * (strength[leaders] > 0), "Beta": together & (lots[1] < 0.8)}

    trials = 400
    for _ in range(trials):
        frame = focus_card_wins(run_of(rng, 600, has, strength=strength, pieces=2)).set_index("card")
        for name in covered:
            covered[name] += bool(frame.loc[name, "association_low"] <= 0 <= frame.loc[name, "association_high"])
    for name, count in covered.items():
        assert 0.93 <= count / trials <= 0.975, name


@pytest.mark.calibration
def test_a_card_at_the_line_is_hardly_ever_called_dead():
    rng, found, trials = np.random.default_rng(5), 0, 400
    for _ in range(trials):
        frame = question.use(run_of(rng, 200, lambda leaders, order: {
            name: rng.random(leaders.shape) < 0.1 for name in ("Alpha", "Beta", "Gamma")
        }, pieces=1))  # fmt: skip
        rows = frame[frame["card"].isin(["Alpha", "Beta", "Gamma"])]
        found += bool(having(rows, LOWER).any() or (rows["verdict"] == "in use").any())
    assert found / trials <= 0.07
