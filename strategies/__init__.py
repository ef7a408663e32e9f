"""The players: jitted functions that answer every choice of the game, and the weights they are given.

    planning    the planner: weights -> plan -> worth -> cards -> planner
    archetypes  strategies that lean towards one way to win, on top of the planner
    learned     players who look ahead with a learned value; their networks are read by network_files
    training    what these are trained on
    told        strategies that choose like these and keep what they compare, for replays
    registry    all of them by name, what each claims to be, and a user's own; profiles: their weights as YAML

basic and autoplayer stand on their own. What a strategy of your own is made of is imported from here:

    from newdawn.strategies import choose_planner, decisions, strategy

and the decorators of functions that house rules call at moments, `deed`, and of those that fill a column of the table `rounds`,
`column`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..simulator.engine.compile.counters import column
    from ..simulator.engine.compile.jit import deed, strategy
    from .planning.planner import choose_planner

__all__ = ["choose_planner", "column", "decisions", "deed", "strategy"]


def __getattr__(name: str) -> Any:
    """Import when first used: nothing is compiled before a strategy is to play."""
    match name:
        case "decisions":
            return import_module("newdawn.simulator.engine.decisions")
        case "column":
            return import_module("newdawn.simulator.engine.compile.counters").column
        case "deed" | "strategy":
            return getattr(import_module("newdawn.simulator.engine.compile.jit"), name)
        case "choose_planner":
            return import_module("newdawn.strategies.planning.planner").choose_planner
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
