"""A process that compiles engine functions into the cache for another one (`ahead`), as it names them on stdin."""

from __future__ import annotations

import gc
import os
import signal
import sys
from importlib import import_module

from .ahead import DONE
from .jit import in_order


def compile_one(module: str, name: str) -> None:
    """Compile a function into the cache, which has all that it calls. Nothing can be run afterwards."""
    function = getattr(import_module(module), name)
    for callee in in_order([function])[:-1]:
        callee.pretend()
    if not function.is_ready:
        function.compile()
        if not function.is_kept():
            raise OSError("it cannot be kept")


def work() -> None:
    """Compile what is asked for by lines on stdin, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us gets it, too, and ends us
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    gc.disable()  # a fifth of the time; a worker does not live long
    for line in sys.stdin:
        try:
            compile_one(*line.split())
        except Exception as error:
            print(type(error).__name__, file=answers, flush=True)
        else:
            print(DONE, file=answers, flush=True)


if __name__ == "__main__":
    work()
