"""Boards on which caravans move, and their moves."""

from functools import partial

from table import row_with_capital, table_with

from newdawn.simulator.engine import decisions

line = partial(row_with_capital, leaders=("Egypt", "Aztec"))
board = partial(table_with, (0, 0), leaders=("Egypt", "Aztec"))


def move(*steps, c=0):
    """Script the moves of one caravan."""
    return [(decisions.CARAVAN, c), *((decisions.CARAVAN_TO, s) for s in steps)]


def caravan_at(t, p, c=0):
    """Return the coordinates of the caravan, or ON_CARD, or NOT_OWNED."""
    s = int(t.g.caravan[p, c])
    return t.coordinates[s] if s >= 0 else s
