"""Why the planner chose: the worths it gave its options, for readers of a replay (`strategies.told`).

`choose_planner_told` keeps what is about to be compared in ``w.asked`` and then chooses as the planner does.
"""

from ...simulator.engine.core import decisions, state
from ...simulator.engine.core.jit import jit, strategy
from .cards import card_score
from .plan import make_plan
from .planner import OF_PIECES, choose_planner, other_option_worth, pass_worth, piece_option_worth, plan_is_old

MOST_OPTIONS = 64  # of one decision; a choice among more is not explained


@jit
def compares_worths(kind):
    """Does the planner answer this kind of decision by the highest worth?"""
    return (
        kind != decisions.PLACE_TILE
        and kind != decisions.LAY_TILE
        and kind != decisions.UPGRADE
        and kind != decisions.SPEND_TRADE
        and kind != decisions.CARAVAN_TO
    )


@jit
def is_explained(kind, n):
    """Is the choice among `n` options one whose worths are kept?"""
    return compares_worths(kind) and n <= MOST_OPTIONS


@jit
def is_card(kind, v):
    """Is the option `v` a place of the row whose card would be resolved?"""
    return kind == decisions.CARD or (kind == decisions.OTHER_CARD and v != decisions.PASS)


@jit
def option_worth(r, g, w, p, kind, v):
    """Return the worth by which the planner compares the option `v` of a decision of this kind with the others."""
    if kind == decisions.CARD:
        return card_score(r, g, w, p, v)
    if v == decisions.PASS:
        return pass_worth(g, w, p, kind)
    if OF_PIECES[kind]:
        return piece_option_worth(r, g, w, p, kind, v)
    return other_option_worth(r, g, w, p, kind, v)


@jit
def keep_worths(r, g, w, seat, kind, n):
    """Keep a decision in `w.asked` (kind, seat, number of options, where they begin) and `w.asked_options`.

    There each option has its value, its worth and its subject: the card, for a choice of card, else the space the decision
    is about (-1: none).
    """
    if w.asked_n >= state.MAX_ASKED or w.asked_options_n + 3 * n > state.MAX_ASKED * 16:
        return
    if plan_is_old(g, seat):
        make_plan(r, g, w, seat)
    w.asked[w.asked_n, 0] = kind
    w.asked[w.asked_n, 1] = seat
    w.asked[w.asked_n, 2] = n
    w.asked[w.asked_n, 3] = w.asked_options_n
    w.asked_n += 1
    for k in range(n):
        v = int(w.option[k])
        w.asked_options[w.asked_options_n] = v
        w.asked_options[w.asked_options_n + 1] = option_worth(r, g, w, seat, kind, v)
        w.asked_options[w.asked_options_n + 2] = int(g.card[seat, g.row[seat, v]]) if is_card(kind, v) else int(w.ask_space)
        w.asked_options_n += 3


@strategy
def choose_planner_told(r, g, w, seat, kind, n, u):
    """Choose as `choose_planner` does, and keep the worths of the options."""
    if is_explained(kind, n):
        keep_worths(r, g, w, seat, kind, n)
    return choose_planner(r, g, w, seat, kind, n, u)
