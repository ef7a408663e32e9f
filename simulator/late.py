"""Modules and functions of the program by their names, imported when they are used. Start with `Late`.

What only reads games names this way what plays them: it needs neither the engine nor a compiler, unless it is asked to play.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


def module(name: str) -> Any:
    """Import a module of the program by its name, such as `strategies.network_files`."""
    return import_module(f"newdawn.{name}")


@dataclass(frozen=True)
class Late:
    """A function by its name, such as `analysis.questions.variants:page`; its module is imported by the first call."""

    place: str  # module:function

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Call the function."""
        name, _, function = self.place.partition(":")
        return getattr(module(name), function)(*values, **named)
