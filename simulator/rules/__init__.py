"""Rules data: load, validate, overlay house rules, compile to the RULES record; show and describe them.

    record     the RULES record: every number the engine reads
    codes      the words of abilities, each declared once; card_parts: those of focus cards; contract: what abilities may ask;
               unsayable: what no word says, and the nearest way
    ruleset_contents   codes and names of everything in a ruleset
    board_models, content_models   the models of the data; checks: checks that models cannot make
    printed_game as packaged; overlay: house rules laid over it; load: reading rulesets (start here)
    compile    from a ruleset to the RULES record
    edit       finding and changing numbers; schema: help for writers of house rules
    sentences  rules as sentences; show: statements, open readings, patch notes; patch_words: what those call each value;
               vocabulary: the page of words
    coverage   the tests of each rule, and its places in the program

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
