"""Which of several could be the best, and a race that plays only those that still could. Start with `with_the_best`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from .inference import SIGNIFICANT
from .sample_sizes import Looks
from .verdicts import certainty_of as certainty
from .verdicts import weakest

# --- Multiple comparisons with the best
#
# The best of k is the one with the smallest true value θ. On the event that none of the other k - 1 looks better than the
# best by more than its one-sided bound at 5% / (k - 1), all of this holds together (J. Hsu, Annals of Statistics 12, 1984; with
# Bonferroni's bounds instead of Dunnett's, which allow any correlation, as common seeds have it: B. Nelson and F. Matejcik,
# Management Science 41, 1995):
#
#     the best is among those that are not shown to be worse than another                  (`could_be_best`),
#     and none of these lies further from the best than its upper bounds against them say      (`at_most`).
#
# In a race the bounds hold over all looks (`Looks`), so whoever is shown to be worse than another leaves it for good. It ends
# when one is left, or when one is shown to lie within the margin of the best, whichever that is: who takes it loses nothing
# that matters (the indifference zone of R. Bechhofer, Annals of Mathematical Statistics 25, 1954, as a good selection).
#
# Of several that are equally good any one may stand for the best. That another of them is called not the best says only that it
# is not better than all others, so who leaves a race for it takes nothing along.
#
# Of several tables (of 3 and of 4 players, say) the bounds are those of all their comparisons together, so what is shown at
# each of them holds at all (`in_common`).

Ends = Callable[[int, int, float], tuple[float, float]]  # i, j, confidence -> the interval of θ_i - θ_j


class Standing(Enum):
    """What is known of one of several."""

    BEST = "the best"
    AS_GOOD = "as good as the best"  # could be the best, and is at most the margin worse
    POSSIBLE = "could be the best"
    NOT_BEST = "not the best"


CHOSEN = frozenset({Standing.BEST, Standing.AS_GOOD})  # who takes it loses nothing that matters


@dataclass(frozen=True)
class Place:
    """One of several against the best: its standing, and by how much at most it is worse (NaN: not known)."""

    standing: Standing
    at_most: float


def certainty_of(standings: Iterable[Standing | None]) -> str:
    """Return how sure a sentence on these standings is: they rest on bounds that hold together in 95% of answers."""
    return weakest("open" if standing is Standing.POSSIBLE else certainty(SIGNIFICANT) for standing in standings)


def in_common(standings: Sequence[Standing]) -> Standing | None:
    """Return what holds of one of several at all tables, from its standing at each; None if no standing does."""
    kinds = set(standings)
    if kinds == {Standing.NOT_BEST}:
        return Standing.NOT_BEST
    if Standing.NOT_BEST in kinds:
        return None
    if kinds == {Standing.BEST}:
        return Standing.BEST
    return Standing.AS_GOOD if Standing.POSSIBLE not in kinds else Standing.POSSIBLE


def one_sided(others: int, looks: Looks | None = None, tables: int = 1) -> float:
    """Return the confidence of the two-sided intervals whose ends are one-sided bounds for this many comparisons together.

    `others`: with how many each is compared; `tables`: at how many tables, this one included.
    """
    questions = tables * max(others, 1) / 2
    questions = questions if looks is None else looks.questions(questions)
    return 1 - SIGNIFICANT / questions


def with_the_best(ends: Ends, k: int, margin: float, confidence: float) -> list[Place]:
    """Return the places of k values, the smaller the better; `ends` gives the interval of the difference of two of them."""
    if k == 1:
        return [Place(Standing.BEST, 0.0)]
    low, high = np.full((k, k), -np.inf), np.full((k, k), -np.inf)
    for i in range(k):
        for j in range(i):
            low[i, j], high[i, j] = ends(i, j, confidence)
            low[j, i], high[j, i] = -high[i, j], -low[i, j]
    possible = low.max(axis=1) <= 0
    # Except for rounding, the smallest estimate is always possible.
    rivals = [possible & (np.arange(k) != i) for i in range(k)]
    at_most = [max(0.0, high[i, others].max()) if others.any() else 0.0 for i, others in enumerate(rivals)]
    standings = [_standing(bool(possible[i]), int(possible.sum()), reach, margin) for i, reach in enumerate(at_most)]
    known = [reach if np.isfinite(reach) else np.nan for reach in at_most]
    return [Place(standing, reach) for standing, reach in zip(standings, known, strict=True)]


def _standing(possible: bool, number: int, at_most: float, margin: float) -> Standing:
    if not possible:
        return Standing.NOT_BEST
    if number == 1:
        return Standing.BEST
    return Standing.AS_GOOD if at_most <= margin else Standing.POSSIBLE


def decided(places: Sequence[Place]) -> bool:
    """Is nothing left to decide: is one shown to be the best, or to lie within the margin of it?"""
    return any(place.standing in CHOSEN for place in places)


# --- Distances and their differences


def distance_difference(a: float, reach_a: float, b: float, reach_b: float, correlation: float) -> tuple[float, float]:
    """Return the interval of |α| - |β| for estimates a and b with half-widths and the correlation of their errors.

    By MOVER (G. Zou and A. Donner, Statistics in Medicine 27, 2008): where an interval contains 0 its distance's ends at 0, and
    the reaches add up.
    """
    low_a, high_a, low_b, high_b = max(abs(a) - reach_a, 0), abs(a) + reach_a, max(abs(b) - reach_b, 0), abs(b) + reach_b
    shared = correlation * np.sign(a) * np.sign(b)
    gap = abs(a) - abs(b)
    below, above = (abs(a) - low_a, high_b - abs(b)), (high_a - abs(a), abs(b) - low_b)
    clear = low_a > 0 and low_b > 0
    reach = [float(np.sqrt(max(x * x + y * y - 2 * shared * x * y, 0))) if clear else x + y for x, y in (below, above)]
    return gap - reach[0], gap + reach[1]
