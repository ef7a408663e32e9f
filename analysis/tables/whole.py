"""What a change of the rules does to the whole game: what it mends, what it throws off. Start at `whole_of`.

Everything is in units of what matters (two points of a share, one round). *Mended*: how much nearer the target's figure comes.
*Others*: how much nearer the other leaders come to their shares, all added up, less what chance explains of that (of eighteen
leaders in few games more than what is mended). *Thrown off*: what moves away; of another leader
only what is further off than before and than by sharing, for wins are zero-sum. If one leader wins less, the others win more;
where strengths are like weights (R. Luce, Individual Choice Behavior, 1959), each of them in proportion to what it wins of the
games with that leader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..stats.inference import QUANTILE
from ..stats.verdicts import quantile_for
from .paired_figures import FIRST_PLAYER, ROUNDS, SPREAD, UNFINISHED, margin_of
from .targets import FIRST_LEADER, MARGIN, SEAT_SPREAD, Target, figures_with, leader_rates

SPREADS = (SPREAD[1], SEAT_SPREAD[1])


@dataclass(frozen=True)
class Whole:
    """What a change gains in units of what matters, with the standard error from the pairs of games.

    `thrown`: figures that it throws off, and by how much; of leaders, those shown to end further off than by sharing, and by
    more than the margin.
    """

    mended: float
    others: float
    gain: float
    error: float
    mended_error: float = 0.0
    thrown: Mapping[str, float] = field(default_factory=dict)
    beyond: Mapping[str, float] = field(default_factory=dict)  # of each other leader: how much further off than by sharing

    def comes_nearer(self, changes: int) -> bool:
        """Return whether it is shown that the target's figure comes nearer, by intervals that hold for this many changes."""
        return self.mended > quantile_for(changes) * self.mended_error

    @property
    def spoils(self) -> str:
        """The figure that it spoils most; "" if it spoils nothing.

        Spoiled is a leader shown to end further off than by sharing, by more than the margin, and any figure thrown off by
        more than the change mends.
        """
        worst = [name for name, size in self.thrown.items() if size > self.mended or name in self.beyond]
        return max(worst, key=lambda name: self.thrown[name], default="")


def behind(gain: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Return which gains are shown to be smaller than the largest."""
    best = int(np.argmax(gain))
    return np.asarray(gain[best] - gain > QUANTILE * np.maximum(error, error[best]))


def shares_of(target: Target, games: np.ndarray, shares: Mapping[str, float] | None = None) -> np.ndarray:
    """Return the share that each leader should win, NaN for those that never sit at the table.

    By default all the same, except for the target's leader if a share is wanted of it; `shares`: others, by leader.
    """
    seats = games[:, FIRST_LEADER:, 1].sum(axis=0)
    playing = seats > 0
    wins = games[:, FIRST_LEADER:, 0].sum()
    wanted = np.where(playing, wins / max(seats.sum(), 1), np.nan)
    at = _leader(target)
    if at is not None and target.wanted is not None and playing[at] and playing.sum() > 1:
        rest = playing.copy()
        rest[at] = False
        wanted[rest] = (wins - target.wanted * seats[at]) / seats[rest].sum()
        wanted[at] = target.wanted
    for name, share in (shares or {}).items():
        if name in target.leaders:
            wanted[target.leaders.index(name)] = share
    return np.where(playing, wanted, np.nan)


def _leader(target: Target) -> int | None:
    """Return the code of the leader whose win rate is the target's figure."""
    name = target.figure.removeprefix("win rate of ")
    return target.leaders.index(name) if name != target.figure and name in target.leaders else None


def mended(base: np.ndarray, moved: np.ndarray, target: Target) -> tuple[float, np.ndarray]:
    """Return how much nearer to the target games under changed rules are, in units of what matters, and the terms by game."""
    (before, own), (after, new) = target.loss(base), target.loss(moved)
    unit = margin_of(target.figure)
    if target.figure in SPREADS:  # their loss is a variance
        (before, own), (after, new) = (_rooted(*pair) for pair in ((before, own), (after, new)))
    return (before - after) / unit, (own - new) / unit


def _rooted(variance: float, terms: np.ndarray) -> tuple[float, np.ndarray]:
    spread = max(variance, 1e-6) ** 0.5
    return spread, terms / (2 * spread)


def whole_of(base: np.ndarray, moved: np.ndarray, target: Target, shares: np.ndarray) -> Whole:
    """Return what changed rules do to the whole game; game k of both has the same seed. `shares` are those of `shares_of`."""
    nearer, terms = mended(base, moved, target)
    alone = float(_error(terms))
    at = _leader(target)
    leaders = np.flatnonzero(~np.isnan(shares))
    others = leaders if at is None else leaders[leaders != at]
    (own, own_terms), (new, new_terms) = (_rates(games, FIRST_LEADER + others) for games in (base, moved))
    before, after = own - shares[others], new - shares[others]
    gains = (np.abs(before) - np.abs(after)) / MARGIN
    of_others = ((np.sign(before) * own_terms - np.sign(after) * new_terms) / MARGIN).sum(axis=1)
    theirs = without_luck(float(gains.sum()), float(_error(of_others)))
    terms = terms + of_others
    expected, factor = _shared(base, moved, at, others)
    drawn = expected - shares[others]
    by_itself, by_sharing = ((np.abs(after) - np.abs(other)) / MARGIN for other in (before, drawn))
    beyond = np.minimum(by_itself, by_sharing)
    errors = np.where(
        by_itself < by_sharing,
        _error((np.sign(after) * new_terms - np.sign(before) * own_terms) / MARGIN),
        _error((np.sign(after) * new_terms - np.sign(drawn) * factor * own_terms) / MARGIN),
    )
    reach = quantile_for(max(1, len(others))) * errors
    names = [f"win rate of {target.leaders[code]}" for code in others]
    further = {name: float(size) for name, size, far in zip(names, beyond, reach, strict=True) if size > max(1.0, far)}
    side = _sides(base, moved, target)
    gain = nearer + theirs - sum(side.values())
    spread = _spread(moved) - _spread(base)
    thrown = {**further, **side, **({SPREAD[1]: spread} if spread > 1 and target.figure != SPREAD[1] else {})}
    off = dict(zip(names, map(float, beyond), strict=True))
    return Whole(nearer, theirs, gain, float(_error(terms)), alone, thrown, off)


def without_luck(size: float, error: float) -> float:
    """Return a size less what chance explains of it, 0 if it may be all of it: the positive part of an estimate that is shrunk
    (W. James and C. Stein, Estimation with Quadratic Loss, Fourth Berkeley Symposium, 1961).
    """
    return size * max(0.0, 1 - (error / size) ** 2) if size else 0.0


def _rates(games: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rates and their linearised terms, (games, rates); of what never occurs 0."""
    y, m = (games[:, places, side].astype(float) for side in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = y.sum(axis=0) / m.sum(axis=0)
        terms = (y - rate * m) / m.mean(axis=0)
    return np.nan_to_num(rate), np.nan_to_num(terms)


def _error(terms: np.ndarray) -> np.ndarray:
    return np.asarray(terms.std(axis=0, ddof=1) / np.sqrt(len(terms)))


def _shared(base: np.ndarray, moved: np.ndarray, at: int | None, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rates of the other leaders if all shared what the target's leader loses or gains, and the factor of each."""
    y, m = (base[:, FIRST_LEADER + others, side].astype(float) for side in (0, 1))
    cases = np.maximum(m.sum(axis=0), 1)
    if at is None:
        return y.sum(axis=0) / cases, np.ones(len(others))
    with_it = base[:, FIRST_LEADER + at, 1] > 0
    before, after = (games[:, FIRST_LEADER + at, 0].astype(float).sum() / max(1, with_it.sum()) for games in (base, moved))
    factor = (1 - after) / max(1 - before, 1e-9)
    shared = (y[~with_it].sum(axis=0) + y[with_it].sum(axis=0) * factor) / cases
    rate = y.sum(axis=0) / cases
    return shared, np.divide(shared, rate, out=np.ones(len(others)), where=rate > 0)


def _sides(base: np.ndarray, moved: np.ndarray, target: Target) -> dict[str, float]:
    """Return how far the other figures of the game are thrown off, as far as that is shown.

    Length and unfinished games by any change, the first player away from its share, agendas beyond the margin, and of these the
    one that is furthest off.
    """
    names = [name for _, name in figures_with(target.leaders)]
    sides: dict[str, float] = {}
    for name in (ROUNDS, UNFINISHED, FIRST_PLAYER):
        if name == target.figure:
            continue
        (own, own_terms), (new, new_terms) = (_rates(games, np.array([names.index(name)])) for games in (base, moved))
        size = abs(float(new[0] - own[0]))
        if name == UNFINISHED:
            size = float(new[0] - own[0])
        elif name == FIRST_PLAYER:
            fair = 1 / max(1.0, float(base[:, FIRST_LEADER:, 1].sum(axis=1).max()))
            size = abs(float(new[0]) - fair) - abs(float(own[0]) - fair)
        size -= QUANTILE * float(_error(new_terms - own_terms)[0])
        if size > 0:
            sides[name] = size / margin_of(name)
    claims = [place for place, name in enumerate(names) if name.startswith("claim rate of ") and name != target.figure]
    seen = np.array([place for place in claims if base[:, place, 1].any() and moved[:, place, 1].any()], int)
    if len(seen):
        (own, own_terms), (new, new_terms) = (_rates(games, seen) for games in (base, moved))
        size = np.abs(new - own) - quantile_for(len(seen)) * _error(new_terms - own_terms) - MARGIN
        worst = int(np.argmax(size))
        if size[worst] > 0:
            sides[names[seen[worst]]] = float(size[worst]) / MARGIN
    return sides


def _spread(games: np.ndarray) -> float:
    """Return the spread of the leaders' win rates in units of what matters."""
    return float(max(leader_rates(games).variance()[0], 0.0) ** 0.5) / MARGIN
