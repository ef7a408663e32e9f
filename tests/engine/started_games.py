"""Helpers of the set-up tests: games, and plain-Python views of their maps."""

from __future__ import annotations

import numpy as np
import yaml
from printed_files import printed_file

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, map, setup, state
from newdawn.simulator.engine.choosing import LOG_TILE
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies.archetypes import choose_random, observe_options

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
BOTS = seat_strategies(choose_random)
OBSERVED = seat_strategies(choose_random, observe_options)
LAYOUTS = ("four_tiles_column", "four_tiles_block")


TILES = {tile["number"]: tile for tile in printed_file("tiles")["tiles"]}


def compile_rules(tmp_path, overlay=None):
    """Compile the printed rules with an overlay given as a dictionary."""
    if overlay is None:
        return load_ruleset().compile()
    path = tmp_path / "overlay.yaml"
    path.write_text(yaml.safe_dump(overlay), "utf-8")
    return load_ruleset([path]).compile()


def blank_game(players=4, seed=1, number=0, leaders=None):
    """Return the record as `start_game` expects it."""
    g = state.new_state()
    g.players = players
    g.leader[:players] = range(players) if leaders is None else leaders
    g.round_cap = 100
    choosing.seed_streams(g, seed, number)
    return g


def start(r, players=4, seed=1, number=0, leaders=None, w=None):
    """Set up a game with random tile laying; return it with its workspace, log on."""
    g = blank_game(players, seed, number, leaders)
    w = state.new_work() if w is None else w
    w.log_on = 1
    w.log_n = 0
    setup.start_game(r, g, w, BOTS)
    return g, w


def started_map(r, players=4, seed=1, number=0):
    """Return a game whose map building has come as far as the core."""
    g = blank_game(players, seed, number)
    w = state.new_work()
    w.log_on = 1
    choosing.clear_question(w)
    setup.clear_spaces(g)
    setup.clear_things(r, g)
    setup.clear_seats(g)
    map.clear_grid(w)
    setup.deal_and_lay_core(r, g, w)
    return g, w


def cells(g):
    """Return {(q, r): space index}."""
    return {(int(g.axial_q[s]), int(g.axial_r[s])): s for s in range(g.n_spaces)}


def around(cell):
    """Return the six neighbours of a cell, clockwise from east."""
    return [(cell[0] + dq, cell[1] + dr) for dq, dr in STEPS]


def log_rows(w, code):
    """Return the rows of the log with this code."""
    rows = np.array(w.log[: w.log_n])
    return rows[rows[:, 0] == code]


def laid_tiles(w):
    """Return what was laid: (seat, tile, side, rotation, q, r) by turn."""
    return [tuple(int(value) for value in row[1:7]) for row in log_rows(w, LOG_TILE)]


def shape(side, rotation):
    """Return the offsets of a tile's spaces, turned by the rule the data files state."""
    spaces = [tuple(space) for space in data_geometry()["side_b" if side else "side_a"]]
    for _ in range(rotation):
        spaces = [(-r, q + r) for q, r in spaces]
    return spaces


_GEOMETRY = printed_file("tiles")["geometry"]


def data_geometry():
    """Return the geometry block of tiles.yaml."""
    return _GEOMETRY


SHAPES = [shape(side, rotation) for side in (0, 1) for rotation in range(6)]


def placed(option):
    """Return (shape code, cells) of a PLACE_TILE option."""
    code, rest = divmod(option, names.GRID * names.GRID)
    q, r = rest // names.GRID - names.GRID_ORIGIN, rest % names.GRID - names.GRID_ORIGIN
    return code, [(q + dq, r + dr) for dq, dr in SHAPES[code]]


def naive_places(g, core_spaces, need=4):
    """Return the legal places of a tile, read straight off B14.3."""
    spaces = cells(g)
    core = {cell for cell, s in spaces.items() if s < core_spaces}
    at_core = {int(g.tile[s]) for cell, s in spaces.items() if s >= core_spaces and core & set(around(cell))} - {0}
    second = {cell for cell, s in spaces.items() if int(g.tile[s]) in at_core}
    reach = [(q + dq, r + dr) for q, r in spaces for dq in range(-5, 6) for dr in range(-5, 6)]
    beside = {cell: spaces.keys() & set(around(cell)) for cell in {near for cell in spaces for near in around(cell)}}
    by_goal = {"core": [], "second": []}
    for q, r in sorted(set(reach)):
        for code, offsets in enumerate(SHAPES):
            covered = {(q + dq, r + dr) for dq, dr in offsets}
            if covered & spaces.keys():
                continue
            touched = set().union(*(beside[own] for own in covered if own in beside))
            if len(touched) < need:
                continue
            option = (code * names.GRID + q + names.GRID_ORIGIN) * names.GRID + r + names.GRID_ORIGIN
            for name, goal in (("core", core), ("second", second)):
                if touched & goal:
                    by_goal[name].append(option)
    return by_goal["core"] or by_goal["second"], not by_goal["core"]


def naive_holes(g):
    """Return the empty cells that cannot be reached from outside."""
    spaces = cells(g)
    q0, q1 = min(q for q, _ in spaces) - 1, max(q for q, _ in spaces) + 1
    r0, r1 = min(r for _, r in spaces) - 1, max(r for _, r in spaces) + 1
    seen = {(q0, r0)}
    stack = [(q0, r0)]
    while stack:
        for cell in around(stack.pop()):
            if q0 <= cell[0] <= q1 and r0 <= cell[1] <= r1 and cell not in seen and cell not in spaces:
                seen.add(cell)
                stack.append(cell)
    return {(q, r) for q in range(q0, q1 + 1) for r in range(r0, r1 + 1)} - seen - set(spaces)
