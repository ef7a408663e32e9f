"""Who may sit at the table. Strategies stand on the engine, so the simulator does not know them: it asks for them.

What it needs of one is a `Strategy`; the module that finds them by name is named by the entry point
`newdawn.strategies` of the installed package (pyproject.toml).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np

from .. import names
from ..errors import UserError

GROUP, PROVIDER = "newdawn.strategies", "packaged"


class Strategy(Protocol):
    """A strategy as a run sees it."""

    @property
    def name(self) -> str:
        """What users type, and what the tables say."""

    @property
    def function(self) -> str:
        """Where the function that answers is: module:name."""

    @property
    def source(self) -> str:
        """A digest of the file of a user's own function; "" = the function is one of the package."""

    @property
    def packaged(self) -> bool:
        """False: the user's own, to be kept in the manifest."""

    def load(self) -> Any:
        """Return the jitted function that answers the choices."""

    def weights(self, players: int, box: str = names.BOXES[names.BASE_BOX]) -> np.ndarray:
        """Return what it cares about in the box: int32, one row a leader (names.LEADERS)."""

    def as_dict(self) -> dict[str, Any]:
        """Return what a manifest keeps of it."""


class Strategies(Protocol):
    """The module that knows the strategies."""

    DEFAULT: str

    def find(self, word: str) -> Strategy:
        """Return the strategy of a name, a profile or a function of a user's; raise UserError if there is none."""

    def written(self, entry: Mapping[str, Any]) -> Strategy:
        """Return the strategy that `Strategy.as_dict` wrote."""

    def check_box(self, strategy: Strategy, box: str) -> None:
        """Raise UserError if the strategy does not know the box (names.BOXES)."""


@lru_cache(maxsize=1)
def strategies() -> Strategies:
    """Return the module that knows the strategies; raise UserError if the installed package names none."""
    for point in entry_points(group=GROUP):
        if point.name == PROVIDER:
            found: Strategies = point.load()
            return found
    raise UserError("this installation names no strategies (entry point newdawn.strategies); install the package again")
