"""Tuning: the search finds what is there, says what is noise, and reads its targets."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

from newdawn.analysis.questions import tuning
from newdawn.analysis.questions.experiment import grant, run
from newdawn.analysis.questions.tuning import (
    Candidate,
    candidates,
    conclusion,
    deciding,
    parse_margin,
    parse_target,
    play_figures,
    search,
    stages,
    tune,
    value_range,
)
from newdawn.analysis.stats.inference import QUANTILE
from newdawn.analysis.stats.verdicts import games_to_decide
from newdawn.analysis.tables.targets import FIGURES, FIRST_LEADER, PLACES, confirm, levels
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import Parameter, find
from newdawn.simulator.runs.run import Silent
from newdawn.simulator.runs.run_plan import plan_by

PRINTED = load_ruleset()
PETRA = FIGURES.index(("effects", "effect of Petra"))
EGYPT = FIRST_LEADER + names.LEADERS.index("Egypt")


@lru_cache(maxsize=16)
def drawn(seed):
    """Return the luck of 10,000 games: of each leader, and of the length."""
    rng = np.random.default_rng(seed)
    return rng.random((10_000, 8)), rng.normal(0, 4, 10_000)


class KnownGames:
    """Plays games whose figures are known functions of the value; all values see the same luck in game k."""

    def __init__(
        self, rounds=lambda value: 20.0, egypt=lambda value: 0.25, slope=lambda value: 0.0, seats=lambda value: 0.0,
        effect=lambda value: 0.0, seed=1,
    ):  # fmt: skip
        self.rounds, self.egypt, self.slope, self.seed = rounds, egypt, slope, seed
        self.seats, self.effect = seats, effect
        self.played = {}

    def play(self, value, first, n):
        self.played[value] = self.played.get(value, 0) + n
        luck, length = (part[first : first + n] for part in drawn(self.seed))
        values = np.zeros((n, len(FIGURES), 2), np.float32)
        values[:, :, 1] = 1
        values[:, 0, 0] = self.rounds(value) + length
        rates = 0.25 + self.slope(value) * np.linspace(-1, 1, 8)
        rates[names.LEADERS.index("Egypt")] = self.egypt(value)
        values[:, FIRST_LEADER:, 0] = luck < rates
        values[:, PLACES, 0] = luck[:, 1:6] < 0.25 + self.seats(value) * np.linspace(-1, 1, 5)
        values[:, PETRA, 0] = np.where(luck[:, 0] < abs(self.effect(value)), np.sign(self.effect(value)), 0)
        return values


def found_by(games, target, values=range(1, 9), own=4, n=3200, margin=None):
    """Search the values with games of `games`; a ruleset is stood for by its value."""
    number = Parameter("wonders.petra.cost", own)
    none = np.zeros((0, len(FIGURES), 2), np.float32)
    order = [own, *(value for value in values if value != own)]
    tried = [Candidate((value,), value, none) for value in order]
    return search(games.play, tried, [number], parse_target(target), n, margin)


@pytest.mark.parametrize(
    ("target", "games", "best"),
    [
        ("game-length=17", KnownGames(rounds=lambda value: 14 + value), 3),
        ("game-length", KnownGames(rounds=lambda value: 14 + value), 1),
        ("win-rate:Egypt=25%", KnownGames(egypt=lambda value: 0.05 * value), 5),
        ("leader-spread", KnownGames(slope=lambda value: 0.04 * abs(value - 6)), 6),
        ("seat-spread", KnownGames(seats=lambda value: 0.06 * abs(value - 2)), 2),
        ("effect:Petra=12%", KnownGames(effect=lambda value: 0.04 * value), 3),
        ("effect:Petra=-8%", KnownGames(effect=lambda value: 0.04 * (value - 7)), 5),
    ],
)
def test_the_best_value_is_found_and_confirmed(target, games, best):
    result = found_by(games, target)
    assert result.best == (best,)
    table = result.table.set_index("wonders.petra.cost")
    assert table.loc[best, "verdict"] == "first in the search"
    assert (table.loc[table.index != best, "verdict"] == "worse").sum() >= 4
    assert (table["n"] >= 100).all()
    assert result.confirmed is not None
    assert games.played[best] == games.played[4] == 6400  # the search's games, and as many fresh ones
    assert games.played[8] < 3200
    confirmed = result.confirmed.set_index("role")
    assert confirmed.loc["first in the search", "values"] == (best,)
    assert confirmed["values"].iloc[0] == (4,)
    assert (confirmed["n"] == 3200).all()
    assert result.confirmed["values"].iloc[result.advice] == (best,)
    assert result.confirmed["verdict"].iloc[result.advice] in ("on target", "undecided", "better than the rules")


def test_when_no_value_reaches_the_target_it_says_so():
    """Egypt wins 30% or 35%, wanted are 25%: the nearest is named, and called off target."""
    result = found_by(KnownGames(egypt=lambda value: 0.3 if value < 5 else 0.35), "win-rate:Egypt=25%", own=6)
    confirmed = result.confirmed
    assert set(confirmed["verdict"]) == {"off target"}
    words = [f"cost = {values[0]}" for values in confirmed["values"]]
    said = conclusion(words, confirmed, result.target)
    row = confirmed.iloc[result.advice]
    nearest = words[result.advice]
    assert said.startswith(
        f"Of 3 values played on fresh games none reaches 25.0% ± 2 points. The nearest is {nearest} with win rate of Egypt"
    )
    assert f"{100 * row['value']:.1f}% [{100 * row['low']:.1f}%, {100 * row['high']:.1f}%]" in said
    assert row["low"] > 0.27


def test_the_runner_up_is_taken_if_fresh_games_say_so():
    """The search's games flatter value 3; on fresh games value 5 is on target, and it is the one to take."""
    games = KnownGames(egypt=lambda value: {3: 0.32, 5: 0.25}.get(value, 0.45))
    play = games.play

    def flattering(value, first, n):
        values = play(value, first, n)
        if value == 3 and first < 3200:
            values[:, EGYPT, 0] = np.arange(first, first + n) % 4 == 0
        return values

    games.play = flattering
    result = found_by(games, "win-rate:Egypt=25%")
    assert result.best == (3,)
    assert result.confirmed["values"].iloc[result.advice] == (5,)
    assert result.confirmed.set_index("role")["verdict"].to_dict() == {
        "rules": "off target", "first in the search": "off target", "second in the search": "undecided",
    }  # fmt: skip
    wider = found_by(games, "win-rate:Egypt=25%", margin=0.04)
    assert wider.confirmed.set_index("role").loc["second in the search", "verdict"] == "on target"


@pytest.mark.calibration
def test_intervals_and_verdicts_of_fresh_games_are_right_together():
    """Three values, truth on the edge of the margin, off and on target: false verdicts in at most 5% of 200 searches."""
    rng, target, wrong, covered = np.random.default_rng(9), parse_target("win-rate:Egypt=25%"), 0, 0
    truth = (0.27, 0.31, 0.25)
    for _ in range(200):
        fresh = []
        for rate in truth:
            values = np.ones((1500, len(FIGURES), 2), np.float32)
            values[:, FIRST_LEADER:, 0] = rng.random((1500, 8)) < rate
            fresh.append(values)
        frame = confirm(fresh, target)
        covered += bool(((frame["low"] <= list(truth)) & (list(truth) <= frame["high"])).all())
        said = frame["verdict"].tolist()
        wrong += said[0] != "undecided" or said[1] == "on target" or said[2] == "off target"
    assert covered / 200 > 0.92
    assert wrong / 200 < 0.05 + 2 * 0.015


def test_undecided_values_say_how_many_games_would_tell():
    rng, target = np.random.default_rng(10), parse_target("win-rate:Egypt=25%")
    values = np.ones((800, len(FIGURES), 2), np.float32)
    values[:, FIRST_LEADER:, 0] = rng.permuted(np.tile(np.arange(800) % 100 < 26, (8, 1)), axis=1).T
    frame = confirm([values], target)
    assert frame["verdict"].tolist() == ["undecided"]
    assert "26.0% [23.1%, 29.1%] (n = 800). At least 3,300 games would decide (--fresh)." in conclusion(
        ["the rules"], frame, target
    )


@pytest.mark.calibration
@pytest.mark.parametrize(
    ("rate", "verdict"), [(0.25, "on target"), (0.26, "on target"), (0.29, "off target"), (0.30, "off target")]
)
def test_so_many_games_tell_with_the_chance_that_is_promised(rate, verdict):
    """Were the value known, the fewest and the most games that decide would be one number: there 77 to 85% are promised.

    400 repeats have a standard error of 2%. An interval around it is a range, whose fewest decide what is decided soonest.
    """
    rng, target = np.random.default_rng(11), parse_target("win-rate:Egypt=25%")
    egypt = FIRST_LEADER + names.LEADERS.index("Egypt")

    def games(n, wins):
        values = np.ones((n, len(FIGURES), 2), np.float32)
        values[:, egypt, 0] = np.arange(n) < wins
        return values

    first = confirm([games(400, round(400 * rate))], target).iloc[0]
    assert first["verdict"] == "undecided"
    error = (first["high"] - first["low"]) / 2 / QUANTILE
    fewest, most = (float(one) for one in games_to_decide(rate - 0.25, rate - 0.25, error, 400, 0.02, QUANTILE))
    assert first["games_fewest"] <= fewest == most <= first["games_most"]
    told = [
        confirm([games(int(most), rng.binomial(int(most), rate))], target)["verdict"].iloc[0] == verdict for _ in range(400)
    ]
    assert 0.73 < np.mean(told) < 0.89


def test_what_no_number_of_games_decides_is_said_to_be_so():
    """A value whose interval lies on the margin only: no number of games is named, and none is asked for."""
    row = {"games_fewest": 1.2e58, "games_most": np.inf}
    assert deciding(row) == "No number of games that can be played decides."


@pytest.mark.parametrize("margin", ["x", "-1%", "60%", "0"])
def test_a_wrong_margin_is_refused(margin):
    with pytest.raises(UserError, match="expected a share such as 2%"):
        parse_margin(parse_target("win-rate:Egypt=25%"), margin)
    with pytest.raises(UserError, match="has no value to be near"):
        parse_margin(parse_target("leader-spread"), margin)
    assert parse_margin(parse_target("game-length=18"), "0.5 rounds") == 0.5
    assert parse_margin(parse_target("win-rate:Egypt=25%"), "3%") == 0.03


@pytest.mark.calibration
def test_where_nothing_differs_everything_is_within_noise():
    """Also though the best of eight was chosen for looking good: without the correction for that, 11% find something."""
    worse = 0
    for seed in range(60):
        games = KnownGames(egypt=lambda value: 0.2, seed=seed)
        base = games.play

        def own_luck(value, first, n, base=base, seed=seed, games=games):
            games.seed = 1000 * seed + value
            return base(value, first, n)

        games.play = own_luck
        worse += bool((found_by(games, "game-length=18", n=400).table["verdict"] == "worse").any())
    assert worse <= 6  # of 60: 5% and two standard errors


def test_the_rules_own_value_is_kept_to_the_end():
    result = found_by(KnownGames(rounds=lambda value: 14 + value), "game-length=14", own=8)
    table = result.table.set_index("wonders.petra.cost")
    assert table.loc[8, "n"] == table.loc[1, "n"] == 3200
    assert table["printed"].sum() == 1
    stays = found_by(KnownGames(rounds=lambda value: 14 + abs(value - 4)), "game-length=14")
    assert stays.best == (4,)
    assert stays.confirmed is not None
    assert stays.confirmed["role"].tolist() == ["rules and first in the search", "second in the search"]


def test_stopping_by_hand_keeps_what_was_played():
    games = KnownGames(rounds=lambda value: 14 + value)
    play = games.play

    def stopped(value, first, n):
        if first:
            raise KeyboardInterrupt
        return play(value, first, n)

    games.play = stopped
    result = found_by(games, "game-length=14")
    assert "stopped early by hand" in result.reason
    assert result.confirmed is None
    assert len(result.table) == 8


def test_stages_double_and_end_with_all_games():
    assert stages(8, 4000) == [1000, 2000, 4000]
    assert stages(2, 4000) == [4000]
    assert stages(64, 4000) == [125, 250, 500, 1000, 2000, 4000]
    assert stages(64, 50) == [50]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("leader-spred", r"unknown target 'leader-spred'.*did you mean 'leader-spread'"),
        ("leader-spread=3%", "takes no value"),
        ("game-length=long", "'long' is not a number"),
        ("game-length=-3", "expected a number of rounds above 0"),
        ("game-length=nan", "expected a number of rounds above 0"),
        ("win-rate:Egipt=25%", r"unknown leader 'Egipt'.*did you mean 'Egypt'"),
        ("win-rate:Egypt", "expected the win rate wanted, such as win-rate:Egypt=25%"),
        ("win-rate:Egypt=250%", "expected a share between"),
        ("build-rate:Piramids=40%", r"unknown wonder 'Piramids'.*did you mean 'Pyramids'"),
        ("claim-rate:Explorer", "expected the claim rate wanted, such as claim-rate:Explorer=25%"),
        ("first-player=0%", "expected a share between"),
        ("seat-spred", r"unknown target 'seat-spred'.*did you mean 'seat-spread'"),
        ("seat-spread=3%", "seat-spread takes no value"),
        ("effect:Petra", "expected the points wanted of a seat's chance to win, such as effect:Petra=5%"),
        ("effect:Petar=5%", r"unknown wonder 'Petar'.*did you mean 'Petra'"),
        ("effect:Petra=500%", "expected points between -100% and 100%"),
    ],
)
def test_a_wrong_target_is_refused(text, message):
    with pytest.raises(UserError, match=message):
        parse_target(text)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("build-rate:pyramids=40%", "build rate of Pyramids"), ("claim-rate:Money Grubber=40%", "claim rate of Money Grubber"),
        ("first-player=40%", "win rate of the first player"),
    ],
)  # fmt: skip
def test_every_rate_can_be_a_target(text, figure):
    """The loss is the distance of the rate in the games that had the card from what is wanted."""
    values = np.zeros((100, len(FIGURES), 2), np.float32)
    index = [name for _, name in FIGURES].index(figure)
    values[:80, index, 1] = 1
    values[:20, index, 0] = 1
    target = parse_target(text)
    loss, terms = target.loss(values)
    assert (target.figure, loss) == (figure, pytest.approx(0.15))
    assert terms.sum() == pytest.approx(0, abs=1e-5)
    with pytest.raises(UserError, match="in none of the 100 games"):
        target.loss(np.zeros((100, len(FIGURES), 2)))


def test_targets_are_read():
    assert parse_target("win-rate:egypt=25%").wanted == parse_target("win-rate:Egypt=0.25").wanted == 0.25
    assert parse_target("game-length=18").wanted == 18
    assert parse_target("game-length").wanted is None


def test_only_legal_values_are_tried():
    cost = find(PRINTED, "wonders.petra.cost")
    assert [one.values for one in candidates(PRINTED, [cost], [range(-2, 3)])] == [(7,), (1,), (2,)]
    assert list(value_range(cost)) == list(range(4, 11))
    two = candidates(PRINTED, [cost, find(PRINTED, "wonders.oracle.cost")], [range(6, 8), range(7, 9)])
    assert len(two) == 4
    assert two[0].values == (7, 8)
    with pytest.raises(UserError, match=r"it contains no other legal value \(wonders.petra.cost = 0"):
        candidates(PRINTED, [cost], [range(1)])
    with pytest.raises(UserError, match="more than 64 combinations"):
        candidates(PRINTED, [cost, find(PRINTED, "wonders.oracle.cost")], [range(1, 20), range(1, 20)])


def test_real_games_are_shorter_with_fewer_victory_cards():
    plan = plan_by(PRINTED.compile(), players=3, games=60, seed=4, strategies=["opportunist"])
    number = find(PRINTED, "victory_cards.rules.base.cards_in_play")
    result = tune(plan, PRINTED, [number], parse_target("game-length"), [range(1, 5)], jobs=2)
    table = result.table.set_index(number.path)
    assert result.best == (1,)
    assert table.loc[4, "rounds"] > table.loc[1, "rounds"]
    assert tuning.MOST_VALUES >= 4


def test_targets_of_the_expansion_are_known_in_its_box_only():
    text = "build-rate:Jebel Barkal=40%"
    assert parse_target(text, box="terra-incognita").figure == "build rate of Jebel Barkal"
    assert ("wonders", "build rate of Jebel Barkal") in FIGURES
    with pytest.raises(UserError, match="unknown wonder 'Jebel Barkal'"):
        parse_target(text)


def test_win_rates_by_turn_order_are_those_of_the_tables():
    plan = plan_by(PRINTED.compile(), players=3, games=40, seed=4, strategies=["random"], round_cap=60)
    values = play_figures(plan, PRINTED, 0, 40, 1, Silent())
    places = values[:, PLACES]
    finished = 40 - values[:, 1, 0].sum()
    assert 0 < finished < 40
    assert np.array_equal(places[:, :, 1].sum(axis=0), [finished] * 3 + [0, 0])  # three players, decided games
    won = places[:, :, 0].sum(axis=1)
    assert np.allclose(won, 1 - values[:, 1, 0])  # somebody wins, unless the game is not finished
    shown = levels(values)["figure"].tolist()
    assert {"win rate of the third player", "seat spread"} < set(shown)
    assert "win rate of the fourth player" not in shown


def test_the_effect_of_a_wonder_is_that_of_the_experiment():
    plan = plan_by(PRINTED.compile(), players=2, games=60, seed=4, strategies=["opportunist"])
    pairs = run(grant(plan, PRINTED, ["Petra"]), jobs=1)
    given = pairs[(pairs["outcome"] == "given") & pairs["decided_without"] & pairs["decided_with"]]
    found = tuning.play_effect(grant(plan, PRINTED, ["Petra"]), 20, 40, 1, Silent())
    later = given[given["game_id"] >= 20]
    assert found[:, 1].sum() == len(later) > 0
    assert found[:, 0].sum() == pytest.approx((later["won_with"] - later["won_without"]).sum())
    assert np.flatnonzero(found[:, 1]).tolist() == (later["game_id"] - 20).tolist()
