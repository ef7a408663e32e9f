"""Which versions of numba this program knows from inside, and whether this one is such.

Compiled functions call each other in a way of their own (`direct`), and only their machine code is kept (`code_cache`). That
rests on functions inside numba, which other versions may change. So it is done only where the version was tried and the source
of those functions is what it was then. Elsewhere everything is left to numba: the same games, slower, and said in a line.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
from collections.abc import Iterable
from importlib import import_module

import numba

RELIED_ON = (
    "numba.np.arrayobj fix_integer_index",  # replaced
    "numba.core.cpu CPUContext.create_cfunc_wrapper",  # replaced
    "numba.core.types Record.__repr__",  # replaced
    "numba.core.callconv CPUCallConv.call_function",
    "numba.core.callconv CPUCallConv.get_function_type",
    "numba.core.callconv CPUCallConv.get_arguments",
    "numba.core.cpu CPUContext.get_executable",
    "numba.core.compiler CompileResult._reduce",
    "numba.core.compiler CompileResult._rebuild",
    "numba.core.codegen CPUCodeLibrary.serialize_using_object_code",
    "numba.core.codegen CPUCodeLibrary._unserialize",
    "numba.core.codegen JitEngine",
)
TRIED, DIGEST = ("0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68"), "8338c8fce4faf478"  # the same source in all
TOLD = "NEWDAWN_TOLD_OF_NUMBA"  # in the environment of the processes that this one starts: they need not say it again


def digest(places: Iterable[str] = RELIED_ON) -> str:
    """Return the digest of the source of places in numba; "" if something of it is not there."""
    found = hashlib.sha256()
    try:
        for place in places:
            module, _, path = place.partition(" ")
            part = import_module(module)
            for name in path.split("."):
                part = getattr(part, name)
            found.update(inspect.getsource(part).encode())
    except (ImportError, AttributeError, OSError, TypeError):
        return ""
    return found.hexdigest()[:16]


def are_known() -> bool:
    """Was this version of numba tried, and are its insides what they were then?"""
    return ".".join(numba.__version__.split(".")[:2]) in TRIED and digest() == DIGEST


numba.config.reload_config()  # type: ignore[attr-defined]  # a user may have imported numba before the processor was named
ARE_KNOWN = are_known()
# Who asks numba for bounds checks wants to hear of errors, which functions that call each other directly cannot tell of.
ARE_USED = ARE_KNOWN and not vars(numba.config)["BOUNDSCHECK"]


def tell() -> None:
    """Say once, for this process and those it starts, that the insides are not known."""
    if not ARE_KNOWN and TOLD not in os.environ:
        os.environ[TOLD] = "1"
        line = f"numba {numba.__version__} is new to this program, which plays the same games with it, but slower"
        print(f"{line} (tried: {', '.join(TRIED)})", file=sys.stderr)
