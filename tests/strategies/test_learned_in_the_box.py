"""What learned players see of Terra Incognita: its agendas, pieces and dial, and what armies threaten."""

import numpy as np
import pytest

from newdawn.analysis.learning.strategy_checks import new_game, spoil
from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.counts import city_tiles, forts_held, givers
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies.learned import facts as at
from newdawn.strategies.learned.situation import chance_soon, new_facts, read_situation, turns_of
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import find

RULES = load_ruleset(box=names.BOXES[names.TI_BOX]).compile()
WORK = state.new_work()


def board(game: int = 3, players: int = 4, turns: int = 40) -> np.record:
    """A game of planners between two turns, after so many of them."""
    g = new_game(game, players, [find("planner").weights(players, names.BOXES[names.TI_BOX])] * players, 100)
    bots = seat_strategies(choose_planner)
    start_game(RULES, g, WORK, bots)
    for _ in range(turns):
        play_step(RULES, g, WORK, bots)
    return g


def read(g: np.record) -> np.ndarray:
    found = new_facts()
    read_situation(RULES, g, WORK, found)
    return found[: g.players]


@pytest.fixture(scope="module", params=[2, 5])
def table(request):
    return board(players=request.param)


def test_facts_of_the_box_are_finite_of_the_order_of_one_and_in_use():
    seen = np.zeros(at.N_FACTS, bool)
    for game in range(40):
        found = read(board(game, turns=20 + game))
        assert np.isfinite(found).all()
        assert np.abs(found).max() <= 8
        seen |= (found != 0).any(axis=0)
    unused = [name for k, name in enumerate(at.NAMES) if k >= at.N_BASE and not seen[k]]
    assert [name for name in unused if not name.startswith("last_step")] == []  # some agendas are hardly ever one piece away


def test_facts_only_look_and_hang_on_nothing_else(table):
    before = table.tobytes()
    first = read(table)
    WORK.dist[:] = 55
    spoil(WORK)
    assert (read(table) == first).all()
    assert table.tobytes() == before


def test_facts_of_the_box_are_what_they_say(table):
    found = read(table)
    for p in range(table.players):
        assert (found[p, at.DISTRICT : at.DISTRICT + 5] == (table.district_space[p] >= 0)).all()
        government = found[p, at.GOVERNMENT : at.GOVERNMENT + len(names.GOVERNMENTS)]
        assert government.sum() == (table.government[p] >= 0)
        assert table.government[p] < 0 or government[table.government_type[p]] == 1
        assert found[p, at.UNIQUE] == (table.unique_round[p] > 0)
        assert found[p, at.FORTS] == pytest.approx(forts_held(table, p) / 2)
        assert found[p, at.CITY_TILES] == pytest.approx(city_tiles(RULES, table, p, 0) / 5)
        assert found[p, at.GIVERS] == pytest.approx(givers(table, p) / 4)
        assert found[p, at.TILES_LEFT] == pytest.approx(table.stack_n / 6)
        assert found[p, at.ARMIES_HOME] == pytest.approx((table.army[p] == state.ON_CARD).sum() / 2)
        assert found[p, at.ARMIES_OUT] == pytest.approx((table.army[p] >= 0).sum() / 2)
    icons = int(RULES.event_icons[(table.event + 1) % RULES.event_sections])
    shown = [icons >> k & 1 for k in range(6)]
    assert list(found[0, at.EVENT_NOW : at.EVENT_NOW + 3]) == shown[:3]
    assert list(found[0, at.BOX_EVENT_NOW : at.BOX_EVENT_NOW + 3]) == shown[3:]


def test_what_armies_may_beat_is_what_threatens_their_rivals():
    struck = 0.0
    for game in range(6):
        found = read(board(game, turns=60))
        assert 2 * found[:, at.STRIKE_CITIES].sum() == pytest.approx(found[:, at.RISK_CITIES].sum(), abs=1e-4)
        assert found[:, at.STRIKE_TOKENS].sum() == pytest.approx(found[:, at.RISK_TOKENS].sum(), abs=1e-4)
        assert found[:, at.STRIKE_FIGURES].sum() == pytest.approx(found[:, at.RISK_FIGURES].sum(), abs=1e-4)
        struck += float(found[:, at.STRIKE_CITIES].sum())
    assert struck > 0


def test_an_army_threatens_what_it_can_reach_with_its_card_and_no_more():
    g = board(turns=40)
    p, q = 0, 1
    g.army[:] = np.where(g.army >= 0, state.ON_CARD, g.army)
    g.armies[:] = 0
    h = next(h for h in range(names.N_TYPES) if RULES.card_type[g.card[p, h]] == names.MILITARY)
    g.row[p] = [x for x in g.row[p] if x != h] + [h]
    g.army[p] = [-2, -2, -2, -2]
    assert read(g)[p, at.STRIKE_CAPITAL] == 0
    beside = next(int(s) for s in g.neighbour[g.capital[q]] if s >= 0 and g.terrain[s] != names.WATER)
    g.army[p, 0] = beside
    g.armies[beside] = 1
    near = read(g)
    assert near[p, at.STRIKE_CAPITAL] > 0
    assert near[q, at.RISK_CAPITAL] >= near[p, at.STRIKE_CAPITAL] - 1e-6
    assert near[q, at.FOES_NEAR] > 0
    g.trade[p, h] = 3
    assert read(g)[p, at.STRIKE_CAPITAL] >= near[p, at.STRIKE_CAPITAL]


def test_a_card_of_the_box_is_open_until_it_is_claimed_and_says_what_is_lacking():
    g = board(turns=0)
    before = read(g)
    of_box = [
        (i, int(RULES.agenda_name[g.victory_card[i], a]) - at.AGENDAS_KNOWN)
        for i in range(g.victory_count) for a in range(2) if RULES.agenda_name[g.victory_card[i], a] >= at.AGENDAS_KNOWN
    ]  # fmt: skip
    assert of_box
    for i, name in of_box:
        assert before[0, at.BOX_OPEN + name] == 1
        assert 0 < before[0, at.BOX_LACK + name] <= 1
        g.claimed[0, i] = 1
        after = read(g)
        assert after[0, at.BOX_OPEN + name] == after[0, at.BOX_LACK + name] == 0
        assert after[1, at.BOX_OPEN + name] == 1


def test_what_an_agenda_of_the_box_still_takes_hangs_on_what_stands_nearest_to_it():
    g = board()
    facts = new_facts()
    facts[0, at.SITES], facts[0, at.WONDER_HOMES] = 0.2, 1
    easy = facts.copy()
    easy[0, at.STRIKE_FORT], easy[0, at.HOPE_FORT], easy[0, at.WONDER_NOW] = 0.7, 0.9, 1

    def turns(what: int, lack: float, seen: np.ndarray) -> float:
        return turns_of(0, what, 0, lack, seen)

    def soon(what: int, lack: int, seen: np.ndarray) -> float:
        return chance_soon(g, 0, what, 0, lack, seen)

    assert turns(names.METRIC_FORTS, 1, easy) < turns(names.METRIC_FORTS, 1, facts) < turns(names.METRIC_FORTS, 2, facts)
    assert turns(names.METRIC_TILES, 2, facts) == turns(names.METRIC_CITIES, 2, facts)
    assert turns(names.METRIC_BEST_ATTACK, 1, facts) == turns(names.METRIC_BEST_ATTACK, 9, facts)
    rates = [turns(what, 1, facts) for what in (names.METRIC_REINFORCED, names.METRIC_DISTRICTS, names.METRIC_ERAS)]
    assert rates == sorted(set(rates))
    assert soon(names.METRIC_FORTS, 1, easy) == pytest.approx(0.7)
    assert soon(names.METRIC_FORTS, 2, easy) == soon(names.METRIC_FORTS, 1, facts) == 0
    for what in (names.METRIC_ERA, names.METRIC_ERAS, names.METRIC_WONDER_TYPES):
        assert [soon(what, 1, seen) for seen in (facts, easy)] == [0, 1]
    assert soon(names.METRIC_TILES, 1, facts) == (1 if g.cities_left[0] > 0 else 0)
