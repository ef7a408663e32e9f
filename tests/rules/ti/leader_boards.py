"""Boards on which leaders use their powers, and what they do there."""

from table import ti_table_with

from newdawn.simulator.engine import decisions


def board(*leaders, rules=None, **kw):
    """Return a table: the capital of seat 0 in the middle, that of seat 1 at the edge (seat 2: at the other edge)."""
    leaders = leaders or ("Rome", "Egypt")
    return ti_table_with(*((0, 0), (3, 0), (-3, 0))[: len(leaders)], rules=rules, leaders=leaders, **kw)


def march(t, p, to, dice, *more, card="Masonry", slot=5):
    """Let the first army of seat `p` enter the space and attack there; return the combat."""
    t.dice(*dice)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, to), *more)
    t.resolve(p, card, slot)
    return t.combats()[-1]


def visit(t, p, to, *more, card="Foreign Trade", slot=5):
    """Let the first caravan of seat `p` go to the space."""
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, to), *more)
    t.resolve(p, card, slot)


def place(t, *spaces, card="Early Empire", slot=5):
    t.script(*((decisions.PLACE_TOKEN, space) for space in spaces))
    t.resolve(0, card, slot)


def play(t, place, *more, p=0):
    """Let seat `p` take a turn with the card in the place of the row."""
    t.script((decisions.CARD, place), *more)
    t.take_turn(p)
