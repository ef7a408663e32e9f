"""Putting a decision to the strategy of a seat."""

from simulator.engine import decisions
from simulator.engine.invariants import audit
from simulator.engine.jit import jit
from simulator.engine.log import LOG_CHOICE, log
from simulator.engine.rng import next_bits
from simulator.engine.state import MAX_ASKED, STREAM_BOT

PASS = decisions.PASS


@jit
def record_asked(w, seat, kind, n, k):
    """Keep what was asked and answered, for tests."""
    if w.asked_n < MAX_ASKED and w.asked_options_n + n <= MAX_ASKED * 16:
        w.asked[w.asked_n, 0] = kind
        w.asked[w.asked_n, 1] = seat
        w.asked[w.asked_n, 2] = n
        w.asked[w.asked_n, 3] = w.option[k]
        w.asked_n += 1
        for i in range(n):
            w.asked_options[w.asked_options_n] = w.option[i]
            w.asked_options_n += 1


@jit
def choose(r, g, w, bots, seat, kind, n):
    """Return the option value that `seat` picks among ``w.option[:n]``.

    A matter with one option is settled without asking, so that random streams do not depend on trivial questions. An
    index out of range is the strategy's error; the first option is taken so that the game stays legal.
    """
    if w.audit_on != 0:
        audit(r, g, w)
    k = 0
    if n > 1:
        g.stat_decisions += 1
        k = bots[seat](r, g, w, seat, kind, n, next_bits(g, STREAM_BOT + seat))
        if k < 0 or k >= n:
            k = 0
    if w.asked_on != 0:
        record_asked(w, seat, kind, n, k)
    picked = w.option[k]
    if n > 1:
        log(w, LOG_CHOICE, seat, kind, picked, w.ask_space, n, w.ask_source)
    return picked
