"""The twin and the engine agree on random boards: reach, distances, maturity, combat, legal spaces, prices, barbarians."""

from __future__ import annotations

import numpy as np
import pytest
from boards import SEED, played, printed_rules, random_bots, strewn
from compare import Comparison, compare_board, compare_march
from hypothesis import given, settings
from hypothesis import strategies as st
from table import Table

from newdawn.simulator import names
from newdawn.simulator.engine import abilities, combat, state
from newdawn.simulator.rules import load_ruleset

GAMES = st.integers(0, 10**6)
PLAYERS = st.integers(2, 4)
# A wrong number is seen within 12 boards (the last test but one); `scripts.checks.twin` compares as many as one likes.
BOARDS = settings(max_examples=15, derandomize=True, deadline=None)

# Every ruling read the other way.
OTHER = {
    "barbarian_at_capital": "goes_back",
    "barbarian_order": "reverse",
    "destroyed_city_on_city_state": "owner_keeps_token",
    "petra_barred_barbarian": "stays",
    "chichen_itza_difficulty": "ignored",
    "city_on_wonder_ruin": "forbidden",
    "mature_beside_city": "city_counts",
    "barbarian_over_water": "counts_from_start",
    "carthage_defended_space": "does_not_count",
    "crowded_barbarian": "last_in_order",
}


@pytest.fixture(scope="module")
def other_rules(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "other.yaml"
    path.write_text("rulings:\n" + "".join(f"  {key}: {word}\n" for key, word in OTHER.items()), "utf-8")
    return load_ruleset([path]).compile()


def compare(r, g, seed, rulings=None):
    """Compare one board and demand that nothing differs."""
    out = Comparison()
    w = state.new_work()
    compare_board(r, g, w, np.random.default_rng([SEED, seed]), out, rulings)
    compare_march(r, g, w, random_bots(), out, rulings)
    assert out.differences == []
    assert out.total() > 500


@BOARDS
@given(GAMES, PLAYERS)
def test_twin_and_engine_agree_on_boards_strewn_with_pieces(game, players):
    compare(printed_rules(), strewn(printed_rules(), game, players), game)


@BOARDS
@given(GAMES, PLAYERS, st.integers(0, 240))
def test_twin_and_engine_agree_on_boards_of_random_play(game, players, turns):
    compare(printed_rules(), played(printed_rules(), state.new_work(), game, players, turns), game)


@pytest.mark.soak
def test_twin_and_engine_agree_under_the_other_rulings(other_rules):
    for game in range(20):
        compare(other_rules, strewn(other_rules, game, 2 + game % 3), game, OTHER)


def test_the_comparison_notices_a_wrong_engine():
    """A number changed in the compiled rules has to be seen: the twin reads the printed data itself."""
    wrong = {
        "terrain_difficulty": lambda r: r.terrain_difficulty.__setitem__(2, 4),
        "city_defence_factor": lambda r: setattr(r, "city_defence_factor", 3),
        "Petra's bonus": lambda r: r.ability_amount.__setitem__(r.wonder_first[names.PETRA], 3),
        "wonder_cost": lambda r: r.wonder_cost.__setitem__(5, 13),
        "card_city_range": lambda r: r.card_city_range.__setitem__(slice(None), 6),
        "barred_barbarian_turns_back": lambda r: setattr(r, "barred_barbarian_turns_back", 0),
    }
    for name, change in wrong.items():
        r = load_ruleset().compile()
        change(r)
        out = Comparison()
        for game in range(12):
            w = state.new_work()
            g = strewn(printed_rules(), game, 4)
            g.stale = abilities.ALL_SEATS
            abilities.refresh(r, g)  # what abilities give is written by the wrong engine, too
            compare_board(r, g, w, np.random.default_rng([SEED, game]), out)
            if out.differences:
                break
        assert out.differences, name


@pytest.mark.effect("Carthage")
def test_carthage_counts_its_distance_in_spaces_of_the_map():
    """A city two hexes away as the crow flies, but six spaces around a gap in the map, does not help."""
    arc = [(0, 0), (-1, 0), (-2, 0), (-2, 1), (-2, 2), (-1, 2), (0, 2)]
    t = Table(spaces=[*arc, (5, 5)], leaders=("Rome", "Egypt"))
    t.capital(0, (0, 2))
    t.capital(1, (5, 5))
    t.city_state_card(0, "Carthage")
    t.barbarian("A", (0, 0))
    card = 16  # Masonry
    without = t.r.card_combat_barbarian[card]
    assert combat.attack_bonus(t.r, t.g, t.w, 0, card, t.at((0, 0)), 0, -1) == without
    t.barbarian("B", (-2, 2))  # four steps from the capital's end of the arc: two from the capital itself
    assert combat.attack_bonus(t.r, t.g, t.w, 0, card, t.at((-2, 2)), 0, -1) == without + 1
