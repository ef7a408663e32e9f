"""Archetypes play in character, measurably, and are no straw men."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game
from newdawn.analysis.questions import ladder
from newdawn.analysis.tables.strategy_strength import MEASURES, characters
from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_game
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies import registry
from newdawn.strategies.registry import ARCHETYPES, TRAITS, find

RULES = load_ruleset().compile()
GAMES = 720


@pytest.fixture(scope="module")
def played():
    return ladder.play_ladder([find(name) for name in ARCHETYPES], RULES, players=4, games=GAMES, seed=11)


@pytest.fixture(scope="module")
def figures(played):
    return characters(played.frames)


def test_there_are_six():
    assert set(ARCHETYPES) == {"expander", "builder", "scholar", "merchant", "warrior", "explorer"}
    assert {measure for name in ARCHETYPES for measure in TRAITS[name].leads_in} <= set(MEASURES)


@pytest.mark.parametrize("name", ARCHETYPES)
def test_each_leads_in_what_it_declares(figures, name):
    best = figures.loc[figures.groupby("measure")["mean"].idxmax()].set_index("measure")["strategy"]
    mine = figures[figures["strategy"] == name].set_index("measure")
    for measure in TRAITS[name].leads_in:
        assert best[measure] == name, measure
        assert mine.loc[measure, "difference_low"] > 0, measure
        assert mine.loc[measure, "p_holm"] < 0.05, measure


def test_they_end_their_games_and_nobody_is_a_straw_man(played):
    assert (played.frames["games"]["ending"] == "victory").mean() >= 0.99
    assert (played.frames["games"]["rounds"] <= 60).mean() >= 0.99
    seats = played.frames["seats"]
    rates = seats.groupby(seats["strategy"].astype(str))["won"].mean()
    assert rates.min() > 0.12
    assert rates.max() < 0.42


@pytest.mark.soak
def test_the_land_of_the_explorer_lies_by_the_water_more_than_that_of_others():
    names = list(ARCHETYPES)
    coast, land = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    work = state.new_work()
    for game in range(240):
        seats = [names[(game + k) % 6] for k in ((0, 1, 2, 3) if game % 2 else (0, 2, 3, 5))]
        g = new_game(game, 4, [find(name).weights(4) for name in seats], 60)
        bots = seat_strategies([find(name).load() for name in seats])
        start_game(RULES, g, work, bots)
        play_game(RULES, g, work, bots)
        for seat, name in enumerate(seats):
            coast[name] += int(g.coast_count[seat])
            land[name] += int(g.space_count[seat])
    shares = {name: coast[name] / land[name] for name in names}
    assert max(shares, key=lambda name: shares[name]) == "explorer", shares


def test_they_beat_random_and_the_autoplayer():
    for name in ARCHETYPES:
        won = ladder.meet(RULES, find(name), find("random"), players=4, games=24, seed=5)
        assert won.mean() >= 0.95, name
    won = np.concatenate(
        [ladder.meet(RULES, find(name), find("autoplayer"), players=4, games=32, seed=5) for name in ARCHETYPES]
    )
    assert won.mean() > 0.4


def test_a_profile_says_only_what_differs():
    from newdawn.strategies import profiles

    for name in ARCHETYPES:
        profile = profiles.find(name)
        base = profiles.resolve(profiles.find(profile.like))
        assert profile.weights
        assert all(base.weights[weight] != value for weight, value in profile.weights.items()), name
        assert registry.find(name).description == profile.description
