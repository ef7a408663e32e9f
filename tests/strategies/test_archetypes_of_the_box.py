"""The archetypes that only Terra Incognita has play in character, are no straw men, and are refused in the base game."""

import pytest

from newdawn.analysis.questions import ladder
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies import registry
from newdawn.strategies.registry import ARCHETYPES, OWN_OF_EXPANSION, TRAITS, find

GAMES = 720
COLUMNS = {"tiles explored": "tiles_explored", "districts": "districts", "forts taken": "forts_taken"}


@pytest.fixture(scope="module")
def seats():
    rules = load_ruleset(box=names.BOXES[names.TI_BOX]).compile()
    tried = [*ARCHETYPES, *OWN_OF_EXPANSION]
    played = ladder.play_ladder([find(name) for name in tried], rules, players=4, games=GAMES, seed=11)
    assert (played.frames["games"]["ending"] == "victory").mean() >= 0.99
    return played.frames["seats"].astype({"strategy": str})


def test_there_are_three():
    assert set(OWN_OF_EXPANSION) == {"pathfinder", "urbanist", "castellan"}


@pytest.mark.parametrize("name", OWN_OF_EXPANSION)
def test_each_leads_in_what_it_declares(seats, name):
    for measure in TRAITS[name].leads_in:
        means = seats.groupby("strategy")[COLUMNS[measure]].mean()
        assert means.idxmax() == name, measure


def test_none_is_a_straw_man(seats):
    rates = seats.groupby("strategy")["won"].mean()
    assert rates.min() > 0.09
    assert rates.max() < 0.42


@pytest.mark.parametrize("name", OWN_OF_EXPANSION)
def test_the_base_game_is_not_for_them(name):
    with pytest.raises(UserError, match=f"strategy {name}: plays terra-incognita only, not base; add --box terra-incognita"):
        registry.check_box(find(name), names.BOXES[names.BASE_BOX])
    assert name not in registry.fast()
    assert name in registry.fast(names.BOXES[names.TI_BOX])
