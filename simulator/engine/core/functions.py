"""Functions of users that a ruleset calls at moments (`effect: own_function`): found by the names that RULES holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from newdawn.simulator import foreign
from newdawn.simulator.engine.core.jit import strategy_address
from newdawn.simulator.errors import UserError


def places(r: np.record) -> list[tuple[str, str]]:
    """Return where the functions of a compiled ruleset are (module:name), with the digests of their files."""
    texts = [bytes(row).rstrip(b"\0").decode() for row in r.function_text[: r.n_functions]]
    return [(place, digest) for place, _, digest in (text.partition("#") for text in texts)]


def load(r: np.record) -> list[Any]:
    """Import and compile the functions of the ruleset, write their addresses into it and return them.

    Raises UserError if a function is not there, not what it was when the rules were read, or cannot be compiled.
    """
    functions = []
    for number, (place, digest) in enumerate(places(r)):
        what, module = f"own function {place}", place.partition(":")[0]
        if foreign.digest_of(module) != digest:
            raise UserError(f"{what}: {module} is not what it was when its house rules were read, or not here")
        functions.append(foreign.compiled(what, foreign.imported(what, place), "deed"))
        r.function_address[number] = strategy_address(functions[-1])
    return functions
