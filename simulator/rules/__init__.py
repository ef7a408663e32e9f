"""Rules data: load, validate, overlay house rules, compile to the RULES record; show and describe them.

    record   the RULES record: every number the engine reads
    ability_codes  the words of abilities, each declared once by the means of `declare`; `card_parts`: those of focus cards
    contents what a ruleset contains, by code and name
    node     the data as a tree of paths, and which of them were read
    models   what the data must look like
    loading  YAML -> models -> overlay -> Ruleset -> RULES record
    showing  rules in words: statements, cards, disputes, which test proves what
    writing  what helps to write house rules: keys, search, a schema for editors, templates

The names below are loaded on first use: the engine imports `rules.record` from here and needs no YAML and no pydantic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .load import Ruleset, load_ruleset
    from .overlay import describe_diff

__all__ = ["Ruleset", "describe_diff", "load_ruleset"]

_HOMES = {"Ruleset": "load", "load_ruleset": "load", "describe_diff": "overlay"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
