"""A process that compiles engine functions into the cache for another one (`ahead`), as it names them on stdin.

What LLVM and numba take for a function they keep until the process ends: so a worker compiles in forks of itself, one after
the other, each of which ends after a few functions (`work`).
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from importlib import import_module
from typing import TextIO

import numba

from .ahead import DONE
from .jit import in_order

AT_MOST = 100  # functions that a fork compiles: a third of a megabyte and a half each; of 60, all takes 8% longer, of 100 2%
COLLECT = 20  # functions between two collections where a process cannot fork: more memory, and a tenth of the time


def compile_one(module: str, name: str) -> None:
    """Compile a function into the cache, which has all that it calls. Nothing can be run afterwards."""
    function = getattr(import_module(module), name)
    for callee in in_order([function])[:-1]:
        callee.pretend()
    if not function.is_ready:
        function.compile()
        if not function.is_kept():
            raise OSError("it cannot be kept")


def compile_some(answers: TextIO, most: float) -> bool:
    """Compile what is asked for by lines on stdin, at most so many functions; return False if there are no more."""
    done = 0
    while done < most:
        line = sys.stdin.readline()
        if not line:
            return False
        try:
            compile_one(*line.split())
        except Exception as error:
            print(type(error).__name__, file=answers, flush=True)
        else:
            print(DONE, file=answers, flush=True)
        done += 1
        if not hasattr(os, "fork") and done % COLLECT == 0:
            gc.collect()
    return True


def work() -> None:
    """Compile what is asked for by lines on stdin, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us gets it, too, and ends us
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    numba.njit(lambda x: x).compile((numba.types.int64,))  # loads what every compilation needs
    gc.disable()  # a fifth of the time
    gc.collect()
    gc.freeze()
    if not hasattr(os, "fork"):
        compile_some(answers, float("inf"))
        return
    more = True
    while more:
        fork = os.fork()
        if fork == 0:
            os._exit(0 if compile_some(answers, AT_MOST) else 1)
        more = os.waitpid(fork, 0)[1] == 0  # else no more is asked for, or it was ended from outside


if __name__ == "__main__":
    work()
