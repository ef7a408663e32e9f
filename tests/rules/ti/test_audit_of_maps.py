"""The audit of the expansion's map: tiles laid and stacked are all there are, forts, ground; and that it sees violations."""

import numpy as np
import pytest
from frontier_games import GAMES, blank, started
from table import Table, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import audit, setup, state, turn
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.archetypes import choose_random


def audited(g, r=None):
    """Return the violation that the audit of the map reports."""
    w = state.new_work()
    audit.audit_map(ti_rules() if r is None else r, g, w)
    return int(w.violation)


@pytest.mark.parametrize(("players", "number"), GAMES)
def test_every_game_begins_in_order(players, number):
    assert audited(started(players, number).g) == audit.OK


def lose_a_tile(g):
    g.stack_n -= 1


def double_a_tile(g):
    g.stack[0] = g.stack[1]


def stack_a_laid_tile(g):
    g.stack[0] = g.tile[0]


def stack_a_capital_tile(g):
    g.stack[0] = g.tile[g.capital[0]]


def lose_a_space(g):
    g.tile[0] = g.tile[15]


def no_water(g):
    g.water_tokens = -1


def fort_of_grass(g):
    g.terrain[fort(g)] = names.GRASSLAND


def resource_on_a_fort(g):
    g.resource[fort(g)] = 1


def two_forts_of_a_seat(g):
    g.tile[fort(g)] = g.tile[fort(g, 1)]


def fort_of_nobody(g):
    g.tile[fort(g)] = names.FORT_TILE + 4


def city_beside_a_fort(g):
    s = next(n for n in g.neighbour[fort(g)] if n >= 0 and g.city_state[n] < 0)
    g.owner[s], g.piece[s] = 0, names.CITY


def no_edge(g):
    g.edge[fort(g)] = 1 - g.edge[fort(g)]


def no_coast(g):
    g.coastal[3] = 1 - g.coastal[3]


def wrong_neighbour(g):
    g.neighbour[0] = g.neighbour[0, ::-1].copy()


def one_way(g):
    s = next(s for s in range(g.n_spaces) if g.edge[s] and g.neighbour[s, 0] >= 0)
    g.neighbour[g.neighbour[s, 0], 3] = -1


def fort(g, seat=0):
    return next(s for s in range(g.n_spaces) if g.tile[s] == names.FORT_TILE + seat)


TILES_SPOILT = (lose_a_tile, double_a_tile, stack_a_laid_tile, stack_a_capital_tile, lose_a_space, no_water)
FORTS_SPOILT = (fort_of_grass, resource_on_a_fort, two_forts_of_a_seat, fort_of_nobody, city_beside_a_fort)


@pytest.mark.parametrize(
    ("spoil", "violation"),
    [
        *((spoil, audit.TILES) for spoil in TILES_SPOILT),
        *((spoil, audit.FORT) for spoil in FORTS_SPOILT),
        *((spoil, audit.GROUND) for spoil in (no_edge, no_coast, wrong_neighbour, one_way)),
    ],
)
def test_the_audit_sees(spoil, violation):
    g = np.frombuffer(started(4, 0).g.tobytes(), state.STATE).copy().view(np.recarray)[0]
    assert audited(g) == audit.OK
    spoil(g)
    assert audited(g) == violation


def test_a_given_stack_is_all_that_belongs_to_a_users_map(tmp_path):
    from test_ti_maps import GOOD
    from yaml import safe_dump

    file = tmp_path / "map.yaml"
    file.write_text(safe_dump({**GOOD, "stack": [21, 3]}), "utf-8")
    r = load_ruleset(map_file=file, box="terra-incognita").compile()
    g = blank(2)
    setup.start_game(r, g, state.new_work(), seat_strategies(choose_random))
    assert audited(g, r) == audit.OK
    g.stack[0] = 5
    assert audited(g, r) == audit.TILES


@pytest.mark.rule("T7.3")
@pytest.mark.parametrize("players", [2, 5])
def test_random_games_keep_to_it(players):
    r, g, w = ti_rules(), blank(players, 9), state.new_work()
    g.round_cap = 9
    bots = seat_strategies(choose_random, audit.observe_audit)
    setup.start_game(r, g, w, bots)
    spaces = int(g.n_spaces)
    turn.play_game(r, g, w, bots)
    assert w.violation == audit.OK, (audit.VIOLATIONS[w.violation], w.violation_at)
    assert g.n_spaces >= spaces


def test_the_base_game_is_not_asked_for_tiles():
    t = Table()
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    audit.audit(t.r, t.g, t.w)
    assert t.w.violation not in (audit.TILES, audit.FORT, audit.GROUND)
