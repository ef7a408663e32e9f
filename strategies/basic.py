"""The simplest strategies: random play, and scripted play for tests."""

from ..simulator.engine import state
from ..simulator.engine.choosing import below_bits
from ..simulator.engine.compile.jit import strategy


@strategy
def choose_random(r, g, w, seat, kind, n, u):
    """Pick any legal option with equal chance: tests the engine, and is the weakest on the ladder."""
    return below_bits(u, n)


@strategy
def choose_scripted(r, g, w, seat, kind, n, u):
    """Follow the script in `w.script`: pairs of decision kind and option value.

    An entry is used when its kind is asked and its value is offered. Any other question is answered with the last option,
    PASS where passing is possible. Tests check that `w.script_pos` reached the end.
    """
    if w.script_pos < w.script_n and w.script[w.script_pos, 0] == kind:
        value = w.script[w.script_pos, 1]
        for k in range(n):
            if w.option[k] == value:
                w.script_pos += 1
                return k
    return n - 1


@strategy
def observe_options(r, g, w, seat, kind, n, u):
    """Observer (`seat_strategies`): record the questions in `w.asked` and `w.asked_options`, for tests."""
    if w.asked_n < state.MAX_ASKED and w.asked_options_n + n <= state.MAX_ASKED * 16:
        w.asked[w.asked_n, 0] = kind
        w.asked[w.asked_n, 1] = seat
        w.asked[w.asked_n, 2] = n
        w.asked[w.asked_n, 3] = w.asked_options_n
        w.asked_n += 1
        for i in range(n):
            w.asked_options[w.asked_options_n] = w.option[i]
            w.asked_options_n += 1
    return 0
