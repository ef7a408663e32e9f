"""Restricted play: what a part of the game is worth, measured by what a player loses by doing without it.

After A. Jaffe and others, "Evaluating competitive game balance with restricted play", AIIDE 2012. Every game is played twice
on the same seed: one seat, which rotates, plays with a restriction or without, all others play without. The loss is the mean
difference of that seat's share of the win. The player is otherwise the same, with the same weights and network: it has not
learned to do without, so the loss is an upper bound for one who has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from newdawn.analysis.contests import arena
from newdawn.analysis.statistics.inference import SIGNIFICANT, around, normal_ends, together, two_sided
from newdawn.analysis.statistics.rates import CONFIDENCE, SMALL_SAMPLE, wilson
from newdawn.simulator.errors import UserError
from newdawn.simulator.names import BOXES
from newdawn.simulator.rules.contents import written
from newdawn.strategies import profiles, registry
from newdawn.strategies.planning.restrictions import AGENDA, known_in, meaning
from newdawn.strategies.registry import Strategy


def agendas_of(r: Any) -> list[str]:
    """Return the agendas on the victory cards of the rules, by their codes."""
    names, codes = written(r, "agenda"), np.unique(r.agenda_name)
    return [names[code] for code in codes[codes >= 0]]


def check(names: Sequence[str], r: Any, where: str) -> None:
    """Raise UserError, beginning with `where`, for what is no restriction under the rules, and for one that is named twice."""
    for name in names:
        profiles.check_restrictions([name], where, agendas_of(r))
        if not name.startswith(AGENDA) and name not in known_in(r.box):
            raise UserError(f"{where}: {name}: none in the {BOXES[r.box]} game; expected {', '.join(known_in(r.box))}")
    if len(set(names)) < len(names):
        raise UserError(f"{where}: names a restriction twice")


def player(name: str) -> Strategy:
    """Return the strategy of the name as one that heeds restrictions; raise UserError if it cannot."""
    found = registry.find(name)
    profile = found.resolved()
    if profile is None or found.function not in registry.HEEDS:
        expected = "planner, adept, thinker, master or a profile like them"
        raise UserError(f"strategy {name}: knows no restrictions; expected {expected}")
    return registry.of_profile(found.name, replace(profile, function=registry.HEEDS[found.function]))


def restrict(one: Strategy, names: Sequence[str]) -> Strategy:
    """Return the player of `player` with restrictions, under a name of its own."""
    profile = one.resolved()
    assert profile is not None
    found = [*profile.restrictions, *(name for name in names if name not in profile.restrictions)]
    profiles.check_restrictions(found, f"strategy {one.name}", profiles.ignored_agendas(found))
    changed = replace(profile, restrictions=found)
    return replace(one, name=f"{one.name} without", own=registry.as_text(asdict(changed)))


def restricted(
    r: Any, one: Strategy, names: Sequence[str], *, players: int, games: int, seed: int, jobs: int = 1,
    say: Callable[[str], None] = lambda text: None,
) -> pd.DataFrame:  # fmt: skip
    """Return what the player loses by each restriction, a row each.

    Columns: restriction, meaning, n (pairs), share (without a restriction), restricted (share with it), points (their
    difference in percentage points, restricted less free) with points_low and points_high (95%, normal), p, p_adjusted,
    points_all_low and points_all_high (for the whole table together), small_sample. Both games of a
    pair have the same seed, and the seat that is restricted in one is counted in both.
    """
    free = arena.meet(r, restrict(one, []), one, players=players, games=games, seed=seed, jobs=jobs)
    rows = []
    for name in names:
        say(name)
        won = arena.meet(r, restrict(one, [name]), one, players=players, games=games, seed=seed, jobs=jobs)
        difference = 100 * (won - free)
        points = float(difference.mean())
        rows.append([name, meaning(name), len(won), free.mean(), won.mean(), points, standard_error(difference)])
    found = pd.DataFrame(rows, columns=["restriction", "meaning", "n", "share", "restricted", "points", "error"])
    lost, error = found.pop("points").to_numpy(), found.pop("error").to_numpy()
    found = found.assign(**around("points", lost, error))
    found = found.assign(**together("points", two_sided(lost, error), normal_ends(lost, error)))
    return found.assign(small_sample=found["n"] < SMALL_SAMPLE)


def standard_error(difference: np.ndarray) -> float:
    """Return the standard error of the mean of differences in percentage points.

    If no pair differs, nothing is known but how rare such pairs are: Wilson's upper end for none of n takes its place.
    """
    if not difference.any():
        return 100 * float(wilson(0, len(difference))[1]) / NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    return float(difference.std(ddof=1) / np.sqrt(len(difference)))


def sentence(row: Any, players: int) -> str:
    """Return what a row of `restricted` says."""
    words = f"one who {meaning(row.restriction)}"
    low, high = row.points_all_low, row.points_all_high
    if not row.p_adjusted <= SIGNIFICANT:
        size = f"{row.points:+.1f} points [{low:+.1f}, {high:+.1f}]"
        return f"Of {players} players, {words} wins about as often: {size}, which may be chance."
    verb, low, high = ("loses", -high, -low) if row.points < 0 else ("gains", low, high)  # how much, whichever way
    return f"Of {players} players, {words} {verb} {abs(row.points):.1f} points [{low:.1f}, {high:.1f}] of its chance to win."
