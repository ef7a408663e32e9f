"""Functions of users, compiled with a line for what is wrong, and those a ruleset calls at moments (`effect: own_function`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import foreign
from ...errors import UserError
from .jit import JIT_OFF, Compiled, ready, strategy_address


def places(r: np.record) -> list[tuple[str, str]]:
    """Return where the functions of a compiled ruleset are (module:name), with the digests of their files."""
    texts = [bytes(row).rstrip(b"\0").decode() for row in r.function_text[: r.n_functions]]
    return [(place, digest) for place, _, digest in (text.partition("#") for text in texts)]


def compiled(what: str, function: Any, decorator: str) -> Any:
    """Return the function, compiled now, to say in a line what is wrong with it."""
    if JIT_OFF:
        return function
    if not isinstance(function, Compiled):
        raise UserError(f"{what}: decorate its function with @{decorator} (from newdawn.strategies import {decorator})")
    try:
        ready(function)
    except Exception as error:
        raise UserError(f"{what}: {function.__module__} cannot be compiled: {foreign.in_a_line(error)}") from None
    return function


def load(r: np.record) -> list[Any]:
    """Import and compile the functions of the ruleset, write their addresses into it and return them.

    Raises UserError if a function is not there, not what it was when the rules were read, or cannot be compiled.
    """
    functions = []
    for number, (place, digest) in enumerate(places(r)):
        what, module = f"own function {place}", place.partition(":")[0]
        if foreign.digest_of(module) != digest:
            raise UserError(f"{what}: {module} is not what it was when its house rules were read, or not here")
        functions.append(compiled(what, foreign.imported(what, place), "deed"))
        r.function_address[number] = strategy_address(functions[-1])
    return functions
