"""The strategies by name.

To add one, write it in a module of this package and add a line here. Nothing is imported, let alone compiled, before a
strategy is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from simulator.errors import unknown


@dataclass(frozen=True)
class Strategy:
    """A name users type, the function behind it, and one sentence about how it plays."""

    name: str
    module: str
    function: str
    description: str


STRATEGIES = (
    Strategy(
        "opportunist",
        "strategies.opportunist",
        "choose_opportunist",
        "works towards the cheapest set of agendas it sees on the victory cards in play",
    ),
    Strategy("random", "strategies.basic", "choose_random", "picks any legal option with equal chance"),
)
DEFAULT = "opportunist"


def names() -> list[str]:
    """Return the names of all strategies."""
    return [strategy.name for strategy in STRATEGIES]


def find(name: str) -> Strategy:
    """Return the strategy of that name (in any case); raise UserError with the nearest name if there is none."""
    for strategy in STRATEGIES:
        if strategy.name == name.strip().lower():
            return strategy
    raise unknown("strategy", name, names())


def load(name: str) -> Any:
    """Return the jitted function of the strategy; its module is imported now."""
    strategy = find(name)
    return getattr(import_module(strategy.module), strategy.function)
