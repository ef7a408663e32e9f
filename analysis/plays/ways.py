"""Strategies, and the chances that each gives the seats of real plays.

A way is the runs of one strategy (or mix). For each number of players it has a model of who wins (`analysis.models.logit`) by
leader and place in the turn order, and another by leader alone for plays whose turn order nobody noted. Plays of so many
players are held against games of so many only: how much a leader is worth is not the same at a small table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...simulator.errors import UserError
from ..models.logit import Fit, fit_logit, order_factor
from ..models.seatings import Outcomes, outcomes, present
from ..tables.read import Run
from .seated import Seated, coded

WITH_ORDER, WITHOUT = ("leader", "order"), ("leader",)


@dataclass
class Way:
    """The runs of one strategy."""

    name: str
    runs: Sequence[Run]

    @cached_property
    def outcomes(self) -> Outcomes:
        """The games, equal tables counted together."""
        return outcomes(list(self.runs), WITH_ORDER, cards=False)

    @property
    def players(self) -> list[int]:
        """Numbers of players of which there are games."""
        return sorted({run.players for run in self.runs})

    @property
    def games(self) -> int:
        """Number of games."""
        return self.outcomes.games

    def fit(self, players: int, factors: Sequence[str]) -> Fit:
        """Return the model of who wins games of so many players; raise UserError naming the way if there is none."""
        try:
            return fit_logit(self._of(players), factors)
        except UserError as error:
            raise UserError(f"{self.name}, games of {players}: {error}") from None

    def _of(self, players: int) -> Outcomes:
        if players not in self._parts:
            self._parts[players] = present(self.outcomes.with_players(players))
        return self._parts[players]

    @cached_property
    def _parts(self) -> dict[int, Outcomes]:
        return {}  # kept, for fits are kept by the object

    def knows(self, plays: Seated) -> np.ndarray:
        """Return which plays have as many players as games of this way, and leaders that played there."""
        known = np.zeros(len(plays), bool)
        for players in self.players:
            code = coded(plays.leaders, {name: k for k, name in enumerate(self._of(players).levels["leader"])})
            known |= (plays.players == players) & ((code[plays.leader] >= 0) | ~plays.there).all(axis=1)
        return known


@dataclass(frozen=True)
class Foretold:
    """What a way says of plays: seats' sums of effects, and how these move with its models' parameters, which are estimates."""

    way: Way
    utility: np.ndarray  # (plays, seats), -inf where there is no seat
    design: np.ndarray  # (plays, seats, parameters)
    covariance: np.ndarray  # of the parameters


def foretold(way: Way, plays: Seated) -> Foretold:
    """Return what the way says of plays that it knows."""
    found = []
    for players in way.players:
        for factors, mask in ((WITH_ORDER, plays.ordered), (WITHOUT, ~plays.ordered)):
            some = mask & (plays.players == players)
            if some.any():
                found.append((some, way.fit(players, factors), players))
    size = sum(len(fit.parameters) for _, fit, _ in found)
    design, covariance = np.zeros((*plays.leader.shape, size)), np.zeros((size, size))
    parameters = np.zeros(size)
    start = 0
    for some, fit, players in found:
        part = slice(start, start + len(fit.parameters))
        design[some, :, part] = _design(plays.where(some), fit, players)
        covariance[part, part], parameters[part] = fit.covariance, fit.parameters
        start = part.stop
    return Foretold(way, np.where(plays.there, design @ parameters, -np.inf), design, covariance)


def _design(plays: Seated, fit: Fit, players: int) -> np.ndarray:
    """Return the rows of the model's parameters for each seat."""
    found = np.zeros((*plays.leader.shape, len(fit.parameters)))
    if "leader" in fit.bases:
        code = coded(plays.leaders, {name: k for k, name in enumerate(fit.factors["leader"])})[plays.leader]
        found[:, :, fit.places["leader"]] = np.where(plays.there[:, :, None], fit.bases["leader"][code], 0)
    order = order_factor(players)
    if order in fit.bases:
        found[:, :, fit.places[order]] = np.where(plays.there[:, :, None], fit.bases[order][plays.order], 0)
    return found


def ways_of(runs: Mapping[str, Run]) -> list[Way]:
    """Return the ways of the runs in these folders: those of one strategy and rules together, by who plays."""
    groups: dict[tuple[str, str], list[str]] = {}
    for folder, run in runs.items():
        who = ", ".join(dict.fromkeys(run.manifest["plan"].get("strategies", []))) or folder
        groups.setdefault((who, str(run.manifest.get("ruleset", {}).get("digest"))), []).append(folder)
    names = [who for who, _ in groups]
    found = []
    for (who, _), folders in groups.items():
        name = who if names.count(who) == 1 else f"{who} ({', '.join(folders)})"
        found.append(Way(name, [runs[folder] for folder in folders]))
    return found
