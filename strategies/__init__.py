"""The players: jitted functions that answer every question of the game, and their weights.

    planning    the planner: weights -> plan -> worth -> cards -> planner
    archetypes  strategies that prefer one way to win, on top of the planner; random and scripted play
    learned     players who look ahead with a value network; network_files reads the networks
    training_data  recording positions and lessons for them
    explained_choices  strategies that choose alike and record what they compare, for replays
    registry    all strategies by name, their traits, and a user's own; profiles: their weights as YAML
    autoplayer  the publisher's rule

A strategy of your own imports what it needs from here:

    from newdawn.strategies import choose_planner, decisions, strategy

and the decorators `deed`, for functions that house rules call at moments, and `column`, for columns of the table `rounds`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..simulator.engine.compile.jit import column, deed, strategy
    from .planning.planner import choose_planner

__all__ = ["choose_planner", "column", "decisions", "deed", "strategy"]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that nothing is compiled before a strategy plays."""
    match name:
        case "decisions":
            return import_module("newdawn.simulator.engine.decisions")
        case "column" | "deed" | "strategy":
            return getattr(import_module("newdawn.simulator.engine.compile.jit"), name)
        case "choose_planner":
            return import_module("newdawn.strategies.planning.planner").choose_planner
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
