"""The ladder: balanced tables, ratings that cover known strengths, pairs and ways counted right."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from newdawn.analysis.questions import ladder
from newdawn.analysis.tables import strategy_strength as strength
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.registry import find

NAMES = [f"s{k}" for k in range(6)]
STRENGTHS = np.array([0.9, 0.4, 0.1, -0.2, -0.5, -0.7])


# --- who sits where


@pytest.mark.parametrize(("strategies", "players"), [(6, 4), (5, 3), (9, 2), (3, 4), (2, 4), (2, 3)])
def test_tables_are_balanced(strategies, players):
    seated = ladder.line_ups(strategies, players, 4_000, 1)
    assert seated.shape == (4_000, players)
    counts = np.bincount(seated.ravel(), minlength=strategies)
    assert counts.max() / counts.min() < 1.1
    if strategies >= players:
        assert all(len(set(row)) == players for row in seated.tolist())
    for first in range(0, 40 * players, players):  # one table plays so many games, and the kernel rotates it
        assert (seated[first : first + players] == seated[first]).all()


def test_tables_come_once_each_before_any_comes_again():
    seated = ladder.line_ups(6, 4, 15 * 4 * 2, 3)
    tables = np.sort(seated[::4], axis=1)
    assert len(np.unique(tables[:15], axis=0)) == len(np.unique(tables[15:], axis=0)) == 15


def test_a_game_depends_on_seed_and_number_alone():
    long, short = ladder.line_ups(7, 4, 900, 5), ladder.line_ups(7, 4, 200, 5)
    assert (long[:200] == short).all()
    assert not (ladder.line_ups(7, 4, 200, 6) == short).all()


@pytest.fixture(scope="module")
def rules():
    return load_ruleset().compile()


@pytest.mark.parametrize("meet", [ladder.meet, lambda r, *both, **how: ladder.meet_as(r, "Rome", *both, **how)])
def test_two_strategies_that_meet_have_two_names(rules, meet):
    with pytest.raises(UserError, match="strategy random: plays against itself; expected another, or a copy under a name"):
        meet(rules, find("random"), find("random"), players=2, games=4, seed=1)


def play(rules, games, jobs=1, names=("random", "autoplayer", "opportunist"), players=2):
    return ladder.play_ladder([find(name) for name in names], rules, players=players, games=games, seed=4, jobs=jobs)


@pytest.fixture(scope="module")
def played(rules):
    return play(rules, 130)


def test_games_are_the_same_with_more_workers_and_when_more_are_played(rules, played):
    for other in (play(rules, 130, jobs=3), play(rules, 210)):
        for name, frame in played.frames.items():
            longer = other.frames[name]
            pd.testing.assert_frame_equal(frame, longer[longer["game_id"] < 130].reset_index(drop=True))


def test_seats_are_those_of_the_line_ups(played):
    seats = played.frames["seats"]
    seated = ladder.line_ups(3, 2, 130, 4)
    library = sorted(["random", "autoplayer", "opportunist"])
    for row in seats.head(40).itertuples():
        assert row.strategy == library[seated[row.game_id][(row.seat + row.game_id) % 2]]


def test_report_of_real_games(played):
    found = ladder.report(played, 130)
    assert found.games == 130
    assert not found.stopped
    assert found.ratings["strategy"].iloc[0] == "opportunist"
    assert found.pairs["n"].sum() == 2 * 130
    assert found.ways["n"].sum() == 2 * 130
    assert set(found.characters["measure"]) == set(strength.MEASURES)


def test_stopping_leaves_what_is_done(rules):
    class Stop:
        done = 0

        def add(self, games):
            self.done += games

        begin = note = end = lambda self, *_: None

    def pieces():
        plan = ladder.mixed_plan(rules, [find("random"), find("autoplayer")], 2, 250, 1)
        yield from ladder.seated_pieces(plan, rules, "strategies", ladder.line_ups(2, 2, 100, 1), 1, Stop())
        raise KeyboardInterrupt

    found, stopped = ladder.until_stopped(pieces())
    assert stopped
    assert sum(len(rows.games) for rows in found) == 100


def test_one_strategy_is_no_ladder(rules):
    with pytest.raises(UserError, match="two or more"):
        play(rules, 10, names=("random", "random"))


# --- ratings


def drawn(rng, games, strengths, players=4):
    """Games of which the winner is drawn from the Plackett-Luce model: strategy, turn order and leader matter."""
    seated = ladder.line_ups(len(strengths), players, games, int(rng.integers(1 << 30)))
    seated = np.array([np.roll(row, -k % players) for k, row in enumerate(seated)])
    leaders = np.argsort(rng.random((games, len(names.LEADERS))), axis=1)[:, :players]
    order = (np.arange(players) - rng.integers(0, players, (games, 1))) % players
    utility = strengths[seated] + 0.1 * (1.5 - order) + np.linspace(-0.4, 0.4, len(names.LEADERS))[leaders]
    best = np.argmax(utility + rng.gumbel(size=utility.shape), axis=1)
    ids = np.repeat(np.arange(games), players)
    seats = pd.DataFrame(
        {"game_id": ids, "seat": np.tile(np.arange(players), games), "order": order.ravel() + 1,
         "won": (np.arange(players) == best[:, None]).ravel().astype(float),
         "leader": pd.Categorical.from_codes(leaders.ravel(), list(names.LEADERS)),
         "strategy": pd.Categorical.from_codes(seated.ravel(), NAMES[: len(strengths)])}
    )  # fmt: skip
    card = pd.Categorical.from_codes(np.zeros(games, int), [f"{names.AGENDAS[0]} / {names.AGENDAS[1]}"])
    frame = pd.DataFrame({"game_id": np.arange(games)} | {f"card_{k}": card for k in range(1, 6)})
    return ladder.LadderGames(players, {"seats": seats, "games": frame})


@pytest.mark.calibration
def test_intervals_of_ratings_cover_known_strengths():
    rng = np.random.default_rng(8)
    truth = strength.RATING * (STRENGTHS - STRENGTHS.mean())
    inside, ranks_right = [], 0
    for _ in range(50):
        frame = strength.rated(drawn(rng, 400, STRENGTHS)).set_index("strategy").loc[NAMES]
        inside.append(((frame["rating_low"] <= truth) & (truth <= frame["rating_high"])).to_numpy())
        ranks_right += ((frame["rank_best"] <= np.arange(1, 7)) & (np.arange(1, 7) <= frame["rank_worst"])).all()
    assert 0.915 <= np.mean(inside) <= 0.985
    assert ranks_right >= 45


def test_who_differs_from_the_average_is_read_off_the_interval_that_holds_for_all():
    rng = np.random.default_rng(12)
    for _ in range(6):
        frame = strength.rated(drawn(rng, 300, 0.6 * STRENGTHS))
        outside = (frame["rating_all_low"] > 0) | (frame["rating_all_high"] < 0)
        assert (outside == (frame["p_adjusted"] <= 0.05)).all()
        assert (frame["rating_all_low"] < frame["rating_low"]).all()


@pytest.mark.calibration
def test_intervals_of_the_spread_of_ratings_cover():
    rng, truth = np.random.default_rng(48), strength.RATING * STRENGTHS.std(ddof=1)
    rows = [strength.rating_spread(drawn(rng, 400, STRENGTHS)).iloc[0] for _ in range(200)]
    assert 0.92 <= np.mean([row["spread_low"] <= truth <= row["spread_high"] for row in rows]) <= 0.98
    assert np.mean([row["spread"] for row in rows]) == pytest.approx(truth, rel=0.05)


def test_the_spread_of_ratings_grows_with_skill_and_is_said():
    rng = np.random.default_rng(13)
    little, much = (strength.rating_spread(drawn(rng, 2_000, by * STRENGTHS)).iloc[0] for by in (0.2, 1.0))
    assert little["spread_high"] < much["spread_low"]
    said = strength.spread_words(much)
    assert said.startswith(f"Spread of the ratings: {much['spread']:.0f} [{much['spread_low']:.0f}, ")
    assert strength.rating_spread(drawn(rng, 300, np.zeros(6))).iloc[0]["spread_low"] == 0


@pytest.mark.calibration
def test_equal_strategies_are_rarely_told_apart():
    rng = np.random.default_rng(9)
    found = [(strength.rated(drawn(rng, 300, np.zeros(6)))["p_adjusted"] < 0.05).any() for _ in range(40)]
    assert sum(found) <= 6


def test_the_average_is_that_of_the_strategies_that_won():
    rng = np.random.default_rng(10)
    frame = strength.rated(drawn(rng, 600, np.array([0.5, 0.0, -0.5, -30.0]), players=3))
    assert frame["rating"].sum() == pytest.approx(0, abs=1e-6)
    last = frame.iloc[-1]
    assert last["strategy"] == "s3"
    assert last["wins"] == 0
    assert np.isnan(last[["rating", "rating_low", "p_adjusted", "rank_best"]].astype(float)).all()
    assert last["win_rate_high"] > 0
    assert frame["rank"].tolist() == [1, 2, 3, 4]


def test_if_only_one_ever_won_there_is_nothing_to_compare():
    with pytest.raises(UserError, match="only s0 ever won"):
        strength.rated(drawn(np.random.default_rng(1), 60, np.array([30.0, 0, 0, 0])))


def test_hardly_a_win_and_hardly_a_loss_are_flagged():
    """Who nearly always wins has a rating as rough as who hardly ever does."""
    frame = strength.rated(drawn(np.random.default_rng(11), 240, np.array([7.0, 0.0, 0.0, 0.0]), players=2)).set_index(
        "strategy"
    )
    assert (frame["n"] >= 100).all()
    assert frame.loc["s0", "n"] - frame.loc["s0", "wins"] < 10
    assert frame["small_sample"].to_dict() == {"s0": True, "s1": False, "s2": False, "s3": False}


def test_a_share_of_no_wins_has_an_interval():
    """Mean ± errors would be 0 ± 0, and hold a rate of 1% in 63 of 100 repeats."""
    low, high = ladder.share(np.zeros(50)).interval()
    assert (low, round(high, 3)) == (0, 0.071)
    rng = np.random.default_rng(12)
    covered = 0
    for wins in rng.random((1000, 100)) < 0.01:
        low, high = ladder.share(wins.astype(float)).interval()
        covered += low <= 0.01 <= high
    assert covered > 900
    assert np.isnan(ladder.share(np.ones(1)).error)


# --- counting, by hand


def by_hand():
    """Three games of two: a beats b, a and b share, c beats a; c wins the last by Civilized."""
    seats = pd.DataFrame(
        [(0, 0, "a", 1.0, 3), (0, 1, "b", 0.0, 1), (1, 0, "b", 0.5, 2), (1, 1, "a", 0.5, 2), (2, 0, "c", 1.0, 3),
         (2, 1, "a", 0.0, 0)],
        columns=["game_id", "seat", "strategy", "won", "agendas"],
    )  # fmt: skip
    games = pd.DataFrame({"game_id": [0, 1, 2], "rounds": [10, 20, 30], "card_1": "Civilized / Money Grubber"})
    claims = pd.DataFrame([(2, 0, "Civilized"), (0, 0, "Money Grubber")], columns=["game_id", "seat", "agenda"])
    return ladder.LadderGames(2, {"seats": seats, "games": games, "agendas": claims})


def test_pairs():
    found = strength.pairs(by_hand().frames["seats"]).set_index(["strategy", "opponent"])
    assert found.loc[("a", "b"), ["n", "wins", "win_rate"]].tolist() == [2, 1.5, 0.75]
    assert found.loc[("b", "a"), ["n", "wins", "win_rate"]].tolist() == [2, 0.5, 0.25]
    assert found.loc[("a", "c"), "win_rate"] == 0
    assert ("b", "c") not in found.index
    assert found["small_sample"].all()
    matrix = strength.pairs_matrix(found.reset_index(), ["a", "b", "c"]).set_index("strategy")
    assert matrix.loc["a"].tolist() == ["-", "75.0%", "0.0%"]
    assert matrix.loc["b", "c"] == "-"


def test_ways_to_win():
    found = strength.ways(by_hand()).set_index("strategy")
    assert found.loc["a", ["n", "wins"]].tolist() == [3, 1.5]
    assert found.loc["a", "rounds"] == pytest.approx((10 * 1 + 20 * 0.5) / 1.5)
    assert found.loc["c", "rounds"] == 30
    assert np.isnan(found.loc["c", "rounds_low"])
    values = np.array([10.0, 14.0, 21.0, 22.0])
    reach = strength._reach_of_mean(values - values.mean(), np.ones(4))
    ends = stats.ttest_1samp(values, 0).confidence_interval()
    assert (values.mean() - reach, values.mean() + reach) == pytest.approx((ends.low, ends.high))


def test_agendas_of_wins():
    found = strength.agendas_used(by_hand()).set_index(["strategy", "agenda"])
    assert found.loc[("a", "Money Grubber"), ["n", "used", "share"]].tolist() == [2, 1, 0.5]
    assert found.loc[("c", "Civilized"), ["n", "used", "share"]].tolist() == [1, 1, 1]
    assert set(found.index.get_level_values("agenda")) == {"Civilized", "Money Grubber"}
    # Nothing is said of agendas that no winner had in play, such as those of the other box.
    assert strength.agendas_matrix(found.reset_index())["agenda"].tolist() == ["Civilized", "Money Grubber"]
    assert strength.agendas_matrix(strength.agendas_used(by_hand()).iloc[:0]).columns.tolist() == ["agenda"]


def test_claims_of_every_agenda_of_the_box_are_counted():
    for box, agendas in (("base", names.AGENDAS), ("terra-incognita", (*names.AGENDAS, *names.TI_AGENDAS))):
        r = load_ruleset(box=box).compile()
        found = ladder.play_ladder([find("planner"), find("random")], r, players=2, games=4, seed=1)
        measured = strength.measures(found.frames)
        assert [name for name in measured if name.endswith(" claimed")] == [f"{agenda} claimed" for agenda in agendas]
        claims = measured[[name for name in measured if name.endswith(" claimed")]].to_numpy().sum()
        assert claims == len(found.frames["agendas"]) > 0
        shown = strength.characters_matrix(strength.characters(found.frames))
        assert shown["measure"].tolist() == list(measured.columns[2:])


def test_characters_compare_with_the_others_of_the_same_game(played):
    found = strength.characters(played.frames)
    seats = strength.measures(played.frames)
    assert len(seats) == 260
    mine = found[(found["strategy"] == "opportunist") & (found["measure"] == "cities")].iloc[0]
    games = seats[seats["strategy"] == "opportunist"]["game_id"]
    here = seats[seats["game_id"].isin(games)]
    own, rest = (here[(here["strategy"] == "opportunist") == side]["cities"].mean() for side in (True, False))
    assert mine["mean"] == pytest.approx(own)
    assert mine["difference"] == pytest.approx(own - rest)
    assert mine["n"] == len(games)


def test_against_copies(rules):
    random, autoplayer = find("random"), find("autoplayer")
    found, stopped = ladder.against([autoplayer], [random, autoplayer], rules, players=3, games=30, seed=2)
    assert not stopped
    row = found.iloc[0]
    assert (len(found), row["opponent"], row["copies"], row["n"]) == (1, "random", 2, 30)
    assert row["win_rate_low"] <= row["win_rate"] <= row["win_rate_high"]
    assert row["win_rate"] > 0.8
    assert row["wins"] == pytest.approx(ladder.meet(rules, autoplayer, random, players=3, games=30, seed=2).sum())
    with pytest.raises(UserError, match="no opponent left"):
        ladder.against([random], [random], rules, players=3, games=3, seed=2)
