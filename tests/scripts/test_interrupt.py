"""Ctrl-C is not lost where compiled code calls back into Python and drops what is raised there."""

import functools
import os
import signal
import sys
import time

import numba
import numpy as np
import pytest

from newdawn.scripts.cli import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")


@pytest.fixture
def handlers():
    """Keep this process's own handlers."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)}
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_it_is_raised_at_once_in_code_of_ours():
    with pytest.raises(KeyboardInterrupt):
        main._stop(signal.SIGINT, sys._getframe())


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("inner", [np.__file__, functools.__file__])
def test_it_is_raised_a_little_later_where_it_would_be_dropped(inner):
    """np.recarray looks up attributes in Python, also when numba asks for them; and numba asks with what functools makes."""
    within = {"stop": main._stop, "sys": sys}
    exec(compile("def looked_up(): stop(2, sys._getframe())", inner, "exec"), within)
    exec(compile("def asked(): looked_up()", numba.__file__, "exec"), within)
    within["asked"]()  # nothing is raised here
    with pytest.raises(KeyboardInterrupt):
        time.sleep(2)
