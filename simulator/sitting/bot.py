"""Functions of users in plain Python as strategies: slow, but anything of Python's can be used in them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any

from ..engine.core.functions import FromPython, Table, WrongAnswer, said
from ..engine.core.jit import Compiled
from ..foreign import line_of
from .question import Question


class Bot(FromPython):
    """A strategy that asks a function of a user's: question -> index of an option."""

    def __init__(self, function: Callable[[Question], int]) -> None:
        super().__init__()
        self.function = function
        self.__doc__ = function.__doc__

    def answer(self, table: Table, seat: int, kind: int, n: int, u: int) -> int:
        """Return the function's answer; raise WrongAnswer if it has none, or that is no index of an option."""
        try:
            found = self.function(Question(table, seat, kind, n, u))
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:
            raise WrongAnswer(f"{said(error)}{line_of(error)}") from error
        try:
            chosen = index(found)
        except TypeError:
            raise WrongAnswer(f"answers {_short(found)}, expected a whole number from 0 to {n - 1}") from None
        if not 0 <= chosen < n:
            raise WrongAnswer(f"answers {_short(chosen)}, expected 0 to {n - 1}")
        return chosen


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"{text[:37]}..."


def takes_a_question(function: Any) -> bool:
    """Say whether this is a function for `Bot`: in Python, of one parameter."""
    if isinstance(function, Compiled) or not callable(function):
        return False
    try:
        inspect.signature(function).bind(None)
    except (TypeError, ValueError):
        return False
    return True


@cache  # compiled code knows only its address
def bot(function: Callable[[Question], int]) -> Bot:
    """Return the strategy that asks the function, the same one each time."""
    return Bot(function)
