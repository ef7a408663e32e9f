"""Rules data: load, validate, overlay house rules, compile to the RULES record.

The names below are loaded on first use: the engine imports `rules.record` from here and needs no YAML and no pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.rules.load import Ruleset, load_ruleset
    from simulator.rules.overlay import describe_diff

__all__ = ["Ruleset", "describe_diff", "load_ruleset"]

_HOMES = {"Ruleset": "load", "load_ruleset": "load", "describe_diff": "overlay"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
