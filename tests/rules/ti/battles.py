"""Combats of armies on the small table: an army enters the space (put there by the test or not), a target is attacked."""

from functools import partial

import numpy as np
from printed_files import printed_file
from table import BOTS, Combat, ti_rules, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import battle, state, winning

WIN, LOSE = (6, 1), (1, 6)


def ruled(key, word) -> np.record:
    """Return the printed rules of the expansion with another reading (much faster than with an overlay)."""
    ruling = printed_file("rulings")[key]
    return changed(**{ruling["field"]: ruling["options"][word]})


def changed(**fields) -> np.record:
    """Return the printed rules of the expansion with other numbers."""
    r = ti_rules().copy()
    for field, value in fields.items():
        r[field] = value
    return r


front = partial(ti_table_with, (0, 0))  # (1, 0) is where the enemy stands


def home(t, p, kind) -> int:
    """Return how many armies or caravans of the seat are on their card."""
    return int(((t.g.army if kind == "army" else t.g.caravan)[p] == state.ON_CARD).sum())


def targets(t, space, p=0) -> set[tuple[str, int | None]]:
    """Return what seat `p` may attack on the space: the kind of target and whose it is."""
    bits = int(battle.list_targets_on(t.r, t.g, p, t.at(space)))
    codes = [code for code in range(64) if bits >> code & 1]
    return {(names.TARGETS[code // 8], code % 8 if code % 8 != battle.NOBODY else None) for code in codes}


def fight(t, space, dice, *choices, p=0, card="Masonry", slot=1, target=None, q=-1, a=0) -> Combat:
    """Let an army of seat `p` attack on the space, the target named or the one chosen there. `t.outcome`: how it ended."""
    t.g.current = p
    s, h = t.at(space), t.card(p, card)
    winning.settle(t.r, t.g, t.w, BOTS)
    t.script(*choices)
    t.dice(*dice)
    if target is None:
        code = int(t.call(battle.choose_target, p, s))
        kind, q = code // 8, code % 8 if code % 8 != battle.NOBODY else -1
    else:
        kind = names.TARGETS.index(target)
    t.outcome = int(t.call(battle.fight, p, h, slot, s, kind, q, a))
    t.require_script_done()
    return t.combats()[-1]
