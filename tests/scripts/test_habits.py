"""The counts of habits: what is counted is what the log tells."""

import re
from collections import Counter

import numpy as np
import pytest

from newdawn.scripts.checks.habits import HabitReader, Habits, Unspoken, read_games
from newdawn.simulator import names
from newdawn.simulator.engine import choosing, state
from newdawn.simulator.engine.turn import BY_VENETIAN_ARSENAL, CHOSEN
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.runs.run_plan import make_plan, plan_by
from newdawn.strategies.registry import find

GAMES, SEED = 4, 77101


@pytest.fixture(scope="module")
def habits() -> Habits:
    return read_games("planner", GAMES, SEED)


@pytest.fixture(scope="module")
def turns() -> list[list[str]]:
    """The turns of each game in words, one list a game."""
    ruleset = load_ruleset()
    plan = plan_by(ruleset.compile(), players=4, games=GAMES, seed=SEED, strategies=[find("planner")])
    return [["\n".join(lines) for lines in Game(ruleset, plan, game).turns()] for game in range(GAMES)]


def test_military_cards_world_wonders_and_paid_attacks_are_those_of_the_log(habits, turns):
    told = [turn for game in turns for turn in game]
    military = [turn for turn in told if re.search(r"(plays|resolves) .*\(military", turn)]
    assert habits.counts["military"] == len(military) > 20
    reinforce = [turn for turn in military if "is reinforced" in turn and "attacks " not in turn]
    assert habits.counts["reinforce"] == len(reinforce)
    assert habits.counts["wonders"] == sum(" builds " in turn for turn in told) > 5
    combats = [combat for turn in told for combat in re.split(r"attacks (?=the|barbarian)", turn)[1:]]
    paid = [combat for combat in combats if "[attack]" in combat]
    assert habits.counts["paid attacks"] == len(paid) > 5
    assert habits.counts["paid and lost"] == sum("the attack fails" in combat for combat in paid)
    assert habits.counts["answered"] == sum("the attack fails" in combat and "[defence]" in combat for combat in paid)


def test_a_city_is_counted_as_often_as_it_is_taken(habits, turns):
    for game, most in zip(turns, habits.city_most, strict=True):
        lost = Counter(re.findall(r"the city of .* on (\w+) \(.*\) is lost to", "\n".join(game)))
        assert most == max(lost.values(), default=0)
    assert max(habits.city_most) > 1


def test_shares_are_of_what_they_are_said_to_be(habits):
    c = habits.counts
    assert c["games"] == GAMES == len(habits.natural_most)
    assert 0 < c["threats reduced"] <= c["threats"]
    assert 0 < c["could reduce"] <= c["tried"] == c["threats"]
    assert 0 < c["carried out"] <= c["threatening turns"]
    homes = [name for name in c if name.startswith("in ")]
    assert sum(c[name] for name in homes) == c["wonders"]
    assert all(c[f"lost {name[3:]}"] <= c[name] for name in homes)
    table = habits.table()
    assert table["… that reinforce"].endswith(f"({c['reinforce']} of {c['military']})")
    assert {1.0 <= level <= 4.0 for level in table["levels"].values()} == {True}


def test_weak_turns_and_losses_are_those_of_the_log(habits, turns):
    c = habits.counts
    assert c["seats"] == 4 * GAMES
    told = "\n".join(turn for game in turns for turn in game)
    assert (
        c["cities lost to barbarians"]
        == len(re.findall(r"the city of .* is lost to (?:the )?barbarian|the city of .* destroyed", told))
        > 0
    )
    assert c["tokens reinforced"] == told.count("is reinforced") > 0
    played = re.findall(r"^    plays .*\((\w+) I+V?\) from slot (\d)", told, re.MULTILINE)
    assert c["science from slot 1"] == played.count(("science", "1"))
    assert len(played) > 200
    runs = 0
    for game in turns:
        last = {}
        for turn in game:
            for seat, kind in re.findall(r"Turn \d+: .*\(seat (\d)\)\n(?:    .*\n)*?    plays .*\((\w+) I+V?\)", turn):
                runs += last.get(seat) == kind
                last[seat] = kind
    assert c["the type of the turn before"] == runs > 0


BOX = names.BOXES[names.TI_BOX]


def test_what_only_terra_incognita_has_is_counted_there(habits):
    c = read_games("planner", 3, SEED, box=BOX).counts
    ruleset = load_ruleset(box=BOX)
    plan = plan_by(ruleset.compile(), players=4, games=3, seed=SEED, strategies=[find("planner")])
    attacks = 0
    for game in range(3):
        played = Game(ruleset, plan, game)
        for _ in played.turns():
            pass
        attacks += int(played.state.stat_attacks[:4, state.TARGET_ARMY].sum())
    assert c["attacks on armies"] == attacks
    assert 0 < c["forts bare"] < c["forts seen"]
    assert c["bare forts lost"] <= c["forts lost"]
    assert 0 < c["armies gone on"] <= c["forts bared"]
    assert habits.counts["forts seen"] == 0
    assert not any("fort" in line for line in habits.table())


def at_the_start():
    """The reader of a game of four planners, England's in seat 0, that has not begun."""
    ruleset = load_ruleset(box=BOX)
    plan = make_plan(players=4, games=1, seed=1, available_leaders=["England", "China", "Inca", "Zulu"],
                     leaders=["England", "China", "Inca", "Zulu"], strategies=[find("planner")], box=BOX)  # fmt: skip
    return HabitReader(Unspoken(ruleset, plan, 0), Habits(), 1)


def reader(rows):
    """What is counted of a turn of seat 0 with these rows of the log."""
    found = at_the_start()
    found.g.power[0, codes.LEARNS_FROM_VISITED] = 1
    found.read_faults([[*row, *[0] * (7 - len(row))] for row in rows])
    return found.counts


def test_the_great_library_the_venetian_arsenal_and_englands_zone_are_read_from_their_rows():
    r = load_ruleset(box=BOX).compile()
    low, high = (int(np.flatnonzero((r.card_type == names.SCIENCE) & (r.card_level == level))[0]) for level in (1, 3))
    arrival, falls, rises = (
        [choosing.LOG_ARRIVAL, 0, 0, 9, -1, 1],
        [choosing.LOG_UPGRADE, 0, 1, high, low],
        [choosing.LOG_UPGRADE, 0, 1, low, high],
    )
    c = reader([falls, arrival, falls, rises])
    assert (c["cards learned"], c["cards fallen"]) == (2, 1)
    again, ends, effect = (
        [choosing.LOG_CARD, 0, 0, 5, low, BY_VENETIAN_ARSENAL],
        [choosing.LOG_RESET, 0, 1, 4],
        [choosing.LOG_DIAL, 0, 3, 8],
    )
    c = reader([again, ends, effect, again, effect, ends, again])
    assert (c["repeats"], c["idle repeats"]) == (3, 2)
    zone = [choosing.LOG_DISTRICT_USED, 0, 9, names.INDUSTRIAL_ZONE]
    c = reader(
        [
            [*zone, 0],
            [*zone, 1],
            [choosing.LOG_DISTRICT_USED, 1, 9, names.INDUSTRIAL_ZONE, 1],
            [choosing.LOG_DISTRICT_USED, 0, 9, 0, 1],
        ]
    )
    assert (c["zone uses"], c["zone cities"]) == (2, 1)
    chosen, other = [choosing.LOG_CARD, 0, 0, 1, low, CHOSEN], [choosing.LOG_CARD, 1, 0, 2, low, CHOSEN]
    c = reader([chosen, other, chosen])
    assert (c["science from slot 1"], c["the type of the turn before"]) == (2, 1)


@pytest.mark.parametrize(
    ("now", "owner", "counted"),
    [("there", 0, (1, 1)), ("there", -1, (1, 0)), ("card", 0, (1, 0)), ("fort", 0, (0, 0))],
)
def test_a_fort_is_bared_when_its_last_army_goes(now, owner, counted):
    found = at_the_start()
    g, fort, there = found.g, 0, 1
    g.tile[fort] = names.FORT_TILE
    g.owner[:2], g.owner[fort], g.piece[fort] = -1, 0, names.CITY
    g.cities[0, 0], g.city_count[0] = fort, 1
    g.city_count[1:] = 0
    g.army[0] = state.ON_CARD
    g.army[0, 0] = fort
    found.before[0] = found.game.states[0]
    g.owner[there] = owner
    g.army[0, 0] = {"there": there, "card": state.ON_CARD, "fort": fort}[now]
    found.read_bared()
    assert (found.counts["forts bared"], found.counts["armies gone on"]) == counted
