"""Counting distances (B7.3, B8.2, B9.3), compared with a search written plainly."""

import numpy as np
import pytest
from started_games import compile_rules, start
from table import FIRST_SPACE, bare_state, table_with, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import map
from newdawn.simulator.engine.map import BLOCKED, END_ONLY

UNREACHED = -1


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    return start(compile_rules(tmp_path_factory.mktemp("rules")), players=3, seed=11)


def plain_distances(g, marks, starts, limit):
    """Return the distance of every space, ring by ring."""
    far = dict.fromkeys(starts, 0)
    ring = set(starts)
    for distance in range(1, limit + 1):
        passable = {s for s in ring if distance == 1 or marks[s] != END_ONLY}
        beside = {int(t) for s in passable for t in g.neighbour[s] if t >= 0 and marks[t] != BLOCKED}
        ring = beside - far.keys()
        far |= dict.fromkeys(ring, distance)
    return [far.get(s, UNREACHED) for s in range(g.n_spaces)]


def flood(g, w, marks, starts, limit):
    w.mark[: g.n_spaces] = marks
    w.queue[: len(starts)] = starts
    w.fresh[:] = 1  # scratch space: whatever was left there
    return map.flood(g, w, 1, len(starts), limit)


@pytest.mark.parametrize("seed", range(60))
def test_distances_are_those_of_a_plain_search(board, seed):
    g, w = board
    random = np.random.default_rng(seed)
    share = random.random()
    marks = random.choice(3, size=g.n_spaces, p=[share * 0.6, 1 - share, share * 0.4])
    starts = random.choice(g.n_spaces, size=random.integers(1, 12), replace=False).tolist()
    limit = int(random.integers(0, 9)) if seed % 3 else int(g.n_spaces)
    reached = flood(g, w, marks, starts, limit)
    expected = plain_distances(g, marks, starts, limit)
    assert w.dist[1, : g.n_spaces].tolist() == expected
    listed = w.queue[:reached].tolist()
    assert sorted(listed) == [s for s, far in enumerate(expected) if far != UNREACHED], "the queue lists what is reached"
    assert [expected[s] for s in listed] == sorted(expected[s] for s in listed), "the nearest first"
    assert w.mark[: g.n_spaces].tolist() == marks.tolist(), "the marks stay as they were"


def test_nothing_is_reached_from_nowhere(board):
    g, w = board
    assert flood(g, w, np.ones(g.n_spaces), [], 5) == 0
    assert (w.dist[1, : g.n_spaces] == UNREACHED).all()


# --- on a row of spaces, and at the edge


def test_distances_are_counted_from_any_space_to_any_other():
    for begin, limit, reached in ((0, 9, 7), (6, 2, 3), (3, 1, 3)):
        g, w = bare_state(line=7), used_work()
        assert map.flood_through_anything(g, w, 0, begin, limit) == reached
        assert w.dist[0, :7].tolist() == [abs(s - begin) if abs(s - begin) <= limit else -1 for s in range(7)]
        assert sorted(w.queue[:reached].tolist()) == [s for s in range(7) if abs(s - begin) <= limit]
        w.mark[:] = 1
        w.queue[0] = begin
        assert map.flood(g, w, 1, 1, limit) == reached
        assert w.dist[1, :7].tolist() == w.dist[0, :7].tolist()


def test_the_waters_at_the_edge_lie_side_by_side_the_first_and_the_last_included():
    for begin in (0, 6):
        g, w = bare_state(line=7), used_work()
        w.mark[:] = 1
        for s in (0, 2, 6):
            g.terrain[s], g.edge[s] = names.WATER, 1
        w.queue[0] = begin
        assert map.flood_over_edge(g, w, 0, 1, 1) == 4
        beside = 1 if begin == 0 else 5
        assert {s: int(w.dist[0, s]) for s in range(7) if w.dist[0, s] >= 0} == dict.fromkeys([0, 2, 6, beside], 1) | {begin: 0}


@pytest.mark.rule("B9.2")
def test_distances_lead_to_no_space_beyond_the_edge_whatever_was_counted_before():
    t = table_with((0, 0))
    t.w.fresh[:] = 1
    assert map.flood_through_anything(t.g, t.w, 0, t.at(FIRST_SPACE), 1) == 4
    assert map.flood_through_anything(t.g, t.w, 0, t.at(FIRST_SPACE), 6) == t.g.n_spaces
