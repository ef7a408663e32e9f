"""Restricted play: the player keeps to what it may do, and the table says what that costs it."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.analysis.questions import ladder, restricted_play
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.strategies import profiles, registry
from newdawn.strategies.planning import restrictions, weights

NOT_COUNTED = {"reinforcing", "world wonders", "trade in combat", "waiting", "looking ahead"}  # no column of their own
BY_ABILITY = {"exploring", "early cards"}  # an ability may find a tile (Apadana, Astronomy), or have one more card resolved
RULES = load_ruleset().compile()
BOX = load_ruleset(box=names.BOXES[names.TI_BOX]).compile()
GAMES = 12


def seats(without: list[str], name: str = "planner", rules=RULES):
    """The rows of games at whose tables one seat plays with restrictions, and which rows are that seat's."""
    one = restricted_play.player(name)
    mine = restricted_play.restrict(one, without)
    plan = ladder.table_plan(rules, [mine, one, one, one], GAMES, 3)
    rows = ladder.play(plan, rules, 1).seats
    return rows, rows["strategy"] == plan.library().index(mine.name)


def played(rows, without: str) -> int:
    """How often the seats did what they were to do without."""
    players = [state.TARGET_TOKEN, state.TARGET_CITY, state.TARGET_CAPITAL]
    return {
        "attacks": rows["stat_attacks"].sum(),
        "attacks on players": rows["stat_attacks"][:, players].sum(),
        "attacks on capitals": rows["stat_attacks"][:, state.TARGET_CAPITAL].sum(),
        "cities": rows["stat_cities_built"].sum(),
        "caravans": rows["stat_arrivals"].sum(),
        "forts": rows["stat_attacks"][:, state.TARGET_FORT].sum(),
        "districts": rows["stat_districts"][:, :, 0].sum(),
        "exploring": rows["stat_tiles"].sum(),
        "early cards": rows["stat_resolved"][:, :, :5].sum(),
    }[without]


@pytest.mark.parametrize(
    "without", ["attacks", "attacks on players", "attacks on capitals", "cities", "caravans", "early cards"]
)
def test_the_restricted_seat_does_without_and_the_others_do_not(without):
    rows, mine = seats([without])
    assert mine.sum() == GAMES
    assert played(rows[mine], without) == 0
    assert played(rows[~mine], without) > 0


@pytest.mark.parametrize("without", [name for name in restrictions.RESTRICTIONS if name not in NOT_COUNTED])
def test_the_restricted_seat_does_without_in_the_expansion_too(without):
    rows, mine = seats([without], rules=BOX)
    found, usual = played(rows[mine], without), played(rows[~mine], without)
    assert found == 0 if without not in BY_ABILITY else 10 * found < usual
    assert usual > 0


def test_no_growth_card_reinforces_and_no_world_wonder_is_built_in_the_expansion():
    rows, mine = seats(["reinforcing", "world wonders"], rules=BOX)
    free, same = seats([], rules=BOX)
    assert rows["reinforced_tokens"][mine].sum() < 0.7 * free["reinforced_tokens"][same].sum()
    assert rows["wonders"][mine].sum() < free["wonders"][same].sum()


def test_trade_tokens_stay_where_they_are_in_combats_of_the_expansion():
    rows, mine = seats(["trade in combat"], rules=BOX)
    free, same = seats([], rules=BOX)
    assert rows["stat_trade_spent"][mine].sum() < free["stat_trade_spent"][same].sum()


def test_the_other_restrictions_hold_and_barbarians_may_still_be_attacked():
    rows, mine = seats(["attacks on players", "reinforcing", "world wonders", "trade in combat"])
    assert rows["stat_attacks"][mine][:, 0].sum() > 0
    assert rows["reinforced_tokens"][mine].sum() <= rows["stat_attacks"][mine].sum()  # only those of conquests
    free, same = seats([])
    assert rows["wonders"][mine].sum() < free["wonders"][same].sum()


def claims(without: list[str], agenda: str, games: int, name: str) -> int:
    """How often the seat that may be restricted claims a victory card by the agenda."""
    one = restricted_play.player(name)
    mine = restricted_play.restrict(one, without)
    plan = ladder.table_plan(RULES, [mine, one, one], games, 3)
    rows = ladder.play(plan, RULES, 1)
    seats = rows.seats[rows.seats["strategy"] == plan.library().index(mine.name)]
    own = set(zip(seats["game_id"].tolist(), seats["seat"].tolist(), strict=True))
    codes = rows.agendas[rows.agendas["agenda"] == written(RULES, "agenda").index(agenda)]
    return sum((game, seat) in own for game, seat in zip(codes["game_id"].tolist(), codes["seat"].tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "games", "agendas"),
    [
        ("planner", 150, ("Money Grubber", "Aesthetic", "Preservationist")),
        pytest.param("adept", 120, ("Money Grubber", "Explorer", "Preservationist"), marks=pytest.mark.soak),
    ],
)
def test_an_agenda_that_is_ignored_is_claimed_by_chance_only(name, games, agendas):
    for agenda in agendas:
        free, ignoring = (claims(without, agenda, games, name) for without in ([], [f"agenda {agenda}"]))
        assert free > 2
        assert ignoring < free / 2


def test_a_learned_player_keeps_to_it_as_well():
    rows, mine = seats(["attacks"], "adept")
    assert played(rows[mine], "attacks") == 0


def test_without_restrictions_it_is_the_planner_itself():
    rows, _ = seats([])
    planner = registry.find("planner")
    plan = ladder.table_plan(RULES, [planner] * 4, GAMES, 3)
    assert np.array_equal(ladder.play(plan, RULES, 1).seats["won"], rows["won"])


def test_the_table_is_the_mean_of_the_paired_differences():
    one = restricted_play.player("planner")
    found = restricted_play.restricted(RULES, one, ["cities", "reinforcing"], players=2, games=60, seed=4)
    free, without = (
        ladder.meet(RULES, restricted_play.restrict(one, names), one, players=2, games=60, seed=4) for names in ([], ["cities"])
    )
    row = found.iloc[0]
    assert row["points"] == pytest.approx(100 * (without - free).mean())
    assert row["points_low"] < row["points"] < row["points_high"]
    assert found["n"].tolist() == [60, 60]
    assert found["small_sample"].all()
    assert (found["p_adjusted"] >= found["p"]).all()
    outside = (found["points_all_low"] > 0) | (found["points_all_high"] < 0)
    assert (outside == (found["p_adjusted"] <= 0.05)).all()


def won_of(*restricted_shares, n=100):
    """What a seat wins without a restriction, every second game, and with each of these."""
    free = np.arange(n) % 2.0
    return restricted_play.RestrictedWins(
        {restricted_play.FREE: free} | {name: change(free) for name, change in restricted_shares}
    )


def test_where_no_pair_differs_the_interval_says_how_little_is_known():
    found = restricted_play.table(won_of(("cities", np.copy))).iloc[0]
    assert found["points"] == 0
    assert found["points_high"] == pytest.approx(3.69, rel=1e-2)  # no pair of 100: below 3.7
    assert restricted_play.table(won_of(("cities", np.copy), n=10_000)).iloc[0]["points_high"] < 0.04


def test_few_changed_pairs_are_judged_exactly():
    """Four pairs of 400, all lost: the sign test's p is 1/8, whatever the mean and its error say."""
    found = restricted_play.table(won_of(("cities", lambda free: np.where(np.arange(400) < 8, 0, free)), n=400)).iloc[0]
    assert found["points"] == pytest.approx(-1)
    assert found["p"] == pytest.approx(2 * 0.5**4)
    assert found["points_low"] < -1 < 0 <= found["points_high"]


def test_games_that_nobody_won_do_not_count():
    found = restricted_play.table(won_of(("cities", lambda free: np.where(np.arange(100) < 50, np.nan, free)))).iloc[0]
    assert (found["share"], found["restricted"], found["points"]) == (0.5, 0.5, 0)


def test_names_of_agendas_are_looked_up_in_the_rules():
    own = load_ruleset(["new_shores"]).compile()
    restricted_play.check(["agenda Landlord"], own, "--without")
    with pytest.raises(UserError, match=r"--without: unknown agenda 'Landlord': expected one of .*"):
        restricted_play.check(["agenda Landlord"], RULES, "--without")
    with pytest.raises(UserError, match="did you mean 'Paranoid'"):
        restricted_play.check(["agenda Paranoyd"], RULES, "--without")
    with pytest.raises(UserError, match="mine: Civilized and Paranoid cannot both be ignored"):
        profiles.check_restrictions(["agenda Paranoid", "agenda Civilized"], "mine")
    with pytest.raises(UserError, match="waiting and early cards exclude each other"):
        profiles.check_restrictions(["early cards", "waiting"])
    result = CliRunner().invoke(main, ["restrict", "--without", "agenda Paranoyd"])
    assert result.exit_code == 2
    assert "did you mean 'Paranoid'" in result.output
    twice = restricted_play.restrict(
        restricted_play.restrict(restricted_play.player("planner"), ["agenda Paranoid"]), ["agenda Paranoid"]
    )
    assert twice.resolved().restrictions == ["agenda Paranoid"]


def test_names_and_players_that_do_not_fit_are_refused():
    with pytest.raises(UserError, match="attacks"):
        profiles.check_restrictions(["atacks"])
    with pytest.raises(UserError, match="does not support restrictions"):
        restricted_play.player("random")
    result = CliRunner().invoke(main, ["restrict", "--without", "cities,cities"])
    assert result.exit_code != 0
    result = CliRunner().invoke(main, ["restrict", "--without", "forts"])
    assert result.exit_code == 2
    assert "--without: forts: none in the base game; expected attacks, " in result.output
    profile = replace(registry.find("planner").resolved(), restrictions=["cities"])
    again = registry.of_profile("mine", type(profile).from_dict(asdict(profile)))
    assert set(again.weights(4)[:, weights.FORBIDDEN]) == {restrictions.CITIES}
    assert again.function == registry.WAY
    warrior = replace(registry.find("warrior").resolved(), restrictions=["attacks"])
    with pytest.raises(UserError, match="does not support restrictions"):
        registry.of_profile("mine", warrior)
