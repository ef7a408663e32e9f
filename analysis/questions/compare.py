"""Compare: what does a house rule change? Two rulesets on the same seeds."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator import names
from ...simulator.errors import UserError, unknown
from ...simulator.rules.contents import has_teams, written
from ...simulator.rules.load import not_aimed_at
from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ...simulator.runs.run import in_threads
from ...simulator.wording import counted
from ..pages.parts import Finding, points, points_of
from ..pages.sentences import (
    _sentence,
)
from ..stats import rates
from ..stats.answer import CHANGE, DIFFERENT, Verdict, games_words, having, judged, still_needed, verdict_of, weakest
from ..stats.inference import (
    ALL,
    RARE_FEW,
    SIGNIFICANT,
    Ends,
    around,
    newcombe,
    normal_ends,
    rare_interval,
    rare_reach,
    sign_test,
    spread_difference,
    together,
    two_sided,
    unseen,
)
from ..stats.looks import Looks
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE
from ..tables.columns import SEPARATOR, WHOLE, Games, Words, wanted
from ..tables.focus_cards import takeable, takers

# --- Two rulesets on the same seeds
#
# What a house rule changes, with intervals.
#
# Game k of both runs has the same seed, so the same map, decks, leaders and seats as far as the rules allow (common random
# numbers; P. Glasserman and D. Yao, Management Science 38, 1992). Every headline figure is a ratio Σy / Σm over games: wins
# of a leader over decided games with the leader, games in which a wonder was built over games that had it in a deck, rounds
# over games. The difference of the two ratios gets its error from the linearised terms of each *pair* of games (the delta
# method), so whatever the pairs have in common cancels, and nothing is assumed where they differ. `pairing` is the variance
# of the same difference from unpaired seeds over that from paired ones: by this factor pairing saves games. One figure is no
# ratio: the leader spread, the standard deviation of the leaders' true win rates without what chance adds
# (`analysis.stats.inference`; its `pairing` is the square of the ratio of the intervals' widths).
#
# Many figures. Intervals `low` to `high` are 95% each. Verdicts (`compared`, by `statistics.answer`) are read off the
# interval that holds for all figures together, `difference_all_low` to `difference_all_high` (Bonferroni;
# `inference.together`). Where fewer than FEW pairs differ, the normal approximation is not trusted: p is then that of the
# exact sign test, if larger, and a rate's interval is that of two Poisson counts, the pairs that went up and those that went
# down (`rare_interval`). Of lengths and of the spread intervals are no narrower than what may be there unseen (`rare_reach`,
# `unseen`): no change in 400 pairs is not "±0.00".
#
# Shared shifts. Wins are zero-sum: what one leader no longer wins the others do. So beside the whole change of each other
# leader there is `shared`, what all leaders but the one that changes most change on the average, and `own`, what is left of
# it.
#
# Precision. `enough` says whether the interval's half-width is at most the wanted one; for the rounds the wanted width is
# relative to the first ruleset's mean. `games_needed` is the number of pairs that would do.
#
# Stopping. `until` plays on until all figures in focus are narrow enough: the fixed-width rule of Y. Chow and H. Robbins
# (Annals of Mathematical Statistics 36, 1965). It looks at the interval's width only, never at the difference or its p value,
# and not before LEAST_GAMES pairs; so intervals keep their coverage and tests their error rate, up to terms that vanish with
# the width (measured in tests/analysis/test_compare.py). Stopping when a figure becomes significant would not, unless its
# intervals hold over all looks: with `decided` they do (`statistics.looks`), at the looks of their own design.

LEAST_GAMES = 1_000  # pairs before the first look at the width
MOST_GAMES = 10_000_000
CHUNK = 250  # games a worker plays at a time
Z = float(stats.norm.ppf(0.5 + CONFIDENCE / 2))

GROUPS = ("game", "leaders", "agendas", "wonders", "cards")
FIRST_LEADER = 3


@dataclass(frozen=True)
class Subjects:
    """Whose figures are compared: leaders, agendas and world wonders, by name."""

    leaders: tuple[str, ...] = names.LEADERS
    agendas: tuple[str, ...] = names.AGENDAS
    wonders: tuple[str, ...] = names.WONDERS
    # Focus cards with the leader who has each alone, where they are counted.
    cards: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """Group and name of each figure, in the order of `game_figures`."""
        return (
            ("game", "rounds"),
            ("game", "unfinished games"),
            ("game", "win rate of the first player"),
            *(("leaders", f"win rate of {name}") for name in self.leaders),
            *(("agendas", f"claim rate of {name}") for name in self.agendas),
            *(("wonders", f"build rate of {name}") for name in self.wonders),
            *(("cards", f"take rate of {name}") for name, _ in self.cards),
        )

    @property
    def first_agenda(self) -> int:
        return FIRST_LEADER + len(self.leaders)

    @property
    def first_wonder(self) -> int:
        return self.first_agenda + len(self.agendas)

    @property
    def first_card(self) -> int:
        return self.first_wonder + len(self.wonders)

    @property
    def leader_figures(self) -> slice:
        return slice(FIRST_LEADER, self.first_agenda)


def subjects_of(*records: Any) -> Subjects:
    """Return all that any of the compiled rulesets has: the printed names first, then own ones in the order they appear."""
    found: dict[str, dict[str, None]] = {"leader": {}, "agenda": {}, "wonder": {}}
    for r in records:
        for kind, known in found.items():
            known.update(dict.fromkeys(written(r, kind)))
    return Subjects(*(tuple(known) for known in found.values()))


PRINTED = Subjects()
FIGURES = PRINTED.figures
LEADER_FIGURES = PRINTED.leader_figures
SPREAD = ("game", "leader spread")
OPEN = (Verdict.UNDECIDED, Verdict.NOT_COMPARED)

Frames = Mapping[str, pd.DataFrame]
COLUMNS = ("rounds", "decided", "order", "leader", "won", "present", "cards", "claims", "deck", "erected")
WANTED = wanted(COLUMNS)
COUNTED = wanted((*COLUMNS, "held"))  # of games that have counted focus cards


# --- From tables to figures


def game_figures(frames: Frames, first: int, n: int, subjects: Subjects = PRINTED) -> np.ndarray:
    """Return (games, figures, 2): numerator and denominator of each figure in the games first … first + n - 1."""
    at = frames["games"]["game_id"].to_numpy() - first
    if len(at) != n or not np.array_equal(np.sort(at), np.arange(n)):
        raise UserError(f"games {first} to {first + n - 1}: not all of them are in the tables")
    values = np.empty((n, len(subjects.figures), 2))
    values[at] = figures_of(Games(frames, len(frames["seats"]) // n, Words()), subjects)
    return values


def figures_of(games: Games, subjects: Subjects) -> np.ndarray:
    """Return (games, figures, 2): numerator and denominator of each figure in each of the games."""
    values = np.zeros((len(games), len(subjects.figures), 2))
    values[:, :2, 1] = 1
    values[:, 0, 0] = games.rounds
    values[:, 1, 0] = ~games.decided
    values[:, 2, 1] = games.decided  # of win rates only decided games count
    values[:, 2, 0] = _won(games, games.order == 1)
    present, cards, claims, deck, built = games.present, games.cards, games.claims, games.deck, games.erected
    for code, name in enumerate(games.words.leader):
        place = FIRST_LEADER + subjects.leaders.index(name)
        values[:, place, 0], values[:, place, 1] = _won(games, games.leader == code), (present >> code & 1) * games.decided
    for code, card in enumerate(games.words.card):
        for agenda in card.split(SEPARATOR):
            values[cards >> code & 1 == 1, subjects.first_agenda + subjects.agendas.index(agenda), 1] = 1
    agendas = np.array([subjects.agendas.index(name) for name in games.words.agenda], np.int64)
    values[claims.at // games.players, subjects.first_agenda + agendas[claims.what], 0] = 1
    for code, name in enumerate(games.words.wonder):
        place = subjects.first_wonder + subjects.wonders.index(name)
        values[:, place, 0], values[:, place, 1] = (deck & built) >> code & 1, deck >> code & 1
    for place, (_, took, might) in enumerate(takers(games, subjects.cards) if subjects.cards else (), subjects.first_card):
        values[:, place, 0], values[:, place, 1] = took, might
    return values


def _won(games: Games, seats: np.ndarray) -> np.ndarray:
    """Return the share of the win that these seats have in each game."""
    return (games.won * seats).sum(axis=1) / WHOLE


@dataclass
class Moments:
    """Sums over pairs of games, all that the comparison needs: memory does not grow with the games."""

    n: int
    sums: np.ndarray  # (figures, 4): y and m of the first ruleset, y and m of the second
    products: np.ndarray  # (figures, 4, 4)
    ups: np.ndarray  # (figures,) pairs with the larger y in the second ruleset
    downs: np.ndarray
    leaders: slice | None = None  # the figures whose spread is asked for
    joint: np.ndarray | None = None  # (4 leaders, 4 leaders) products of all their sums
    changed: int = 0  # pairs in which any of these figures differs

    @classmethod
    def empty(cls, figures: int = len(FIGURES), leaders: slice | None = None) -> Moments:
        """Return the moments of no games; with `leaders`, these figures' spread gets a row in `differences`."""
        size = 0 if leaders is None else 4 * len(range(figures)[leaders])
        zeros = (np.zeros((figures, 4)), np.zeros((figures, 4, 4)), np.zeros(figures), np.zeros(figures))
        return cls(0, *zeros, leaders, np.zeros((size, size)))

    def add(self, a: np.ndarray, b: np.ndarray) -> None:
        """Add pairs of games, as `game_figures` returns them for the two rulesets."""
        pairs = np.concatenate([a, b], axis=2)
        self.n += len(pairs)
        self.sums += pairs.sum(axis=0)
        by_figure = pairs.transpose(1, 2, 0)
        self.products += by_figure @ by_figure.transpose(0, 2, 1)
        self.ups += (b[:, :, 0] > a[:, :, 0]).sum(axis=0)
        self.downs += (b[:, :, 0] < a[:, :, 0]).sum(axis=0)
        if self.leaders is not None:
            own = pairs[:, self.leaders].reshape(len(pairs), -1)
            # Not own.T @ own: BLAS would start threads for it, which cost far more than they save.
            self.joint = self.joint + np.einsum("ni,nj->ij", own, own)
            self.changed += int(np.any(a[:, self.leaders, 0] != b[:, self.leaders, 0], axis=1).sum())


# --- The comparison


def differences(
    moments: Moments, half_width: float | None = None, figures: Sequence[tuple[str, str]] = FIGURES, tables: int = 1,
    looks: Looks | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return one row a figure: both values, the difference with its intervals, and games needed.

    Rates and their differences are shares (0.01 = one percentage point). Figures that one of the rulesets does not have
    are left out of the corrections and have no difference. `tables`: of so many this is one, all asked together. `looks`: those
    at these games, over which the intervals then hold.
    """
    n, times = moments.n, (lambda questions: questions) if looks is None else looks.questions
    if n < 2:
        raise UserError(f"{n} of the 2 pairs of games that a difference with an interval needs; play more games")
    mean = moments.sums / n
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = mean[:, 0] / mean[:, 1], mean[:, 2] / mean[:, 3]
        weights = np.stack([-1 / mean[:, 1], a / mean[:, 1], 1 / mean[:, 3], -b / mean[:, 3]], axis=1)
    covariance = (moments.products / n - mean[:, :, None] * mean[:, None, :]) * n / (n - 1)
    paired = _spread(weights, covariance)
    unpaired = _spread(weights[:, :2], covariance[:, :2, :2]) + _spread(weights[:, 2:], covariance[:, 2:, 2:])
    error, gap = np.sqrt(paired / n), b - a
    # What rounding leaves of pairs that are all equal is no difference.
    equal = (moments.ups + moments.downs == 0) & (np.abs(gap) < 1e-12)
    gap, error = np.where(equal, 0.0, gap), np.where(equal, 0.0, error)
    p = two_sided(gap, error)
    changed = moments.ups + moments.downs
    exact = [sign_test(up, k) if 0 < k < RARE_FEW else 0.0 for up, k in zip(moments.ups, changed, strict=True)]
    p = np.where(np.isnan(gap), np.nan, np.maximum(p, exact))
    group, figure = (list(words) for words in zip(*figures, strict=True))
    rare = (changed < RARE_FEW) & ~np.isnan(gap)
    length = np.array(figure) == "rounds"
    ends = _with_unseen(_ends(moments, gap, error, rare & ~length), moments, rare & length, covariance)
    own = 1 - SIGNIFICANT / times(1)
    low, high = ends(own)
    columns = {"a": a, "b": b, "difference": gap, "low": low, "high": high, "half_width": np.full(len(gap), np.nan), "p": p}
    columns |= {"n_a": moments.sums[:, 1].astype(np.int64), "n_b": moments.sums[:, 3].astype(np.int64)}
    columns["changed"] = changed.astype(np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        columns |= {"pairing": np.where(equal, np.nan, unpaired / paired), "few": changed < RARE_FEW}
    if moments.leaders is not None:
        spread = _spread_of_leaders(moments)
        row, place = _spread_row(moments, spread, own), group.count(SPREAD[0])
        columns = {name: np.insert(column, place, row[name]) for name, column in columns.items()}
        group.insert(place, SPREAD[0])
        figure.insert(place, SPREAD[1])
        ends = _with_row(ends, place, spread)
    gap = columns["difference"]
    columns["half_width"] = reach = np.maximum(gap - columns["low"], columns["high"] - gap)
    columns |= together("difference", columns["p"], ends, times(max(1, tables * int((~np.isnan(columns["p"])).sum()))))
    if half_width is not None:
        wanted = np.where(np.array(figure) == "rounds", half_width * columns["a"], half_width)
        columns |= {"enough": reach <= wanted, "games_needed": np.ceil(n * (reach / wanted) ** 2)}
    there = (columns["n_a"] > 0) | (columns["n_b"] > 0)
    # Columns of numbers first: it is many times faster than one after the other into a table.
    return pd.DataFrame({"group": group, "figure": figure, **columns, "pairs": n})[there].reset_index(drop=True)


def _ends(moments: Moments, gap: np.ndarray, error: np.ndarray, rare: np.ndarray) -> Ends:
    """Return the ends of the figures' intervals: normal ones, exact ones where few pairs differ."""
    usual = normal_ends(gap, error)
    counts = (moments.ups[rare], moments.downs[rare], moments.sums[rare][:, [1, 3]].mean(axis=1))
    # Where the denominators differ between the games of a pair, not all of the difference is in those counts: and where nearly
    # all cases are alike, hardly anything is known of how rates differ, however many games do.
    denominators = moments.products[:, 1, 1] + moments.products[:, 3, 3] - 2 * moments.products[:, 1, 3] > 0.5
    apart, cases = denominators[rare], moments.sums.reshape(-1, 2, 2)
    alike = denominators & ~rare & (np.minimum(cases[:, :, 0], cases[:, :, 1] - cases[:, :, 0]) < RARE_FEW).all(axis=1)
    (y, m), (other_y, other_m) = (cases[alike][:, side].T for side in (1, 0))
    separate = newcombe(y, m, other_y, other_m)

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = usual(confidence)
        exactly = rare_interval(*counts, confidence)
        low[rare] = np.where(apart, np.fmin(low[rare], exactly[0]), exactly[0])
        high[rare] = np.where(apart, np.fmax(high[rare], exactly[1]), exactly[1])
        least, most = separate(confidence)
        low[alike], high[alike] = np.fmin(low[alike], least / 100), np.fmax(high[alike], most / 100)
        return low, high

    return ends


def _with_unseen(ends: Ends, moments: Moments, rare: np.ndarray, covariance: np.ndarray) -> Ends:
    """Return the ends with those of means widened where few pairs differ, to what changes unseen may come to.

    A pair that changes is taken to differ by as much as those that did, or as games of other seeds, whichever is more.
    """
    if not rare.any():
        return ends
    ups, downs, found = moments.ups[rare], moments.downs[rare], moments.products[rare]
    squares = found[:, 0, 0] + found[:, 2, 2] - 2 * found[:, 0, 2]
    apart = covariance[rare, 0, 0] + covariance[rare, 2, 2]
    size = np.sqrt(np.maximum(squares / np.maximum(ups + downs, 1), apart))
    gap = (moments.sums[rare, 2] - moments.sums[rare, 0]) / moments.n

    def widened(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = ends(confidence)
        below, above = rare_reach(ups, downs, moments.n, size, confidence)
        low[rare], high[rare] = np.fmin(low[rare], gap - below), np.fmax(high[rare], gap + above)
        return low, high

    return widened


SpreadOf = Callable[[float], tuple[float, float, float, float, float, float]]


def _with_row(ends: Ends, place: int, spread: SpreadOf | None) -> Ends:
    """Return the ends of the intervals with those of the leaders' spread inserted at a place."""

    def both(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        own = (np.nan, np.nan) if spread is None else spread(confidence)[3:5]
        low, high = (np.insert(end, place, one) for end, one in zip(ends(confidence), own, strict=True))
        return low, high

    return both


def _rates_of_leaders(moments: Moments) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """Return for each ruleset which leaders sat at its tables and their win rates, and the covariance of all these rates."""
    assert moments.leaders is not None
    assert moments.joint is not None
    n, sums = moments.n, moments.sums[moments.leaders] / moments.n
    size, flat = len(sums), sums.ravel()
    products = (moments.joint / n - np.outer(flat, flat)) / (n - 1)  # covariance of the means
    seated, rates, slopes = [], [], []
    for side in (0, 2):
        there = np.flatnonzero(sums[:, side + 1] > 0)
        rate = sums[there, side] / sums[there, side + 1]
        slope = np.zeros((len(there), size, 4))
        slope[np.arange(len(there)), there, side] = 1 / sums[there, side + 1]
        slope[np.arange(len(there)), there, side + 1] = -rate / sums[there, side + 1]
        seated.append(there)
        rates.append(rate)
        slopes.append(slope.reshape(len(there), 4 * size))
    slope = np.concatenate(slopes)
    return seated, rates, slope @ products @ slope.T


def _spread_of_leaders(moments: Moments, paired: bool = True) -> SpreadOf | None:
    """Return what gives the leaders' spreads and their difference by its confidence; None for fewer than two leaders.

    Not `paired`: as if the two rulesets had played on seeds of their own.
    """
    _, rates, covariance = _rates_of_leaders(moments)
    if min(len(rate) for rate in rates) < 2:
        return None
    n, k = moments.n, len(rates[0])
    if not paired:
        covariance[:k, k:] = covariance[k:, :k] = 0
    if not paired or moments.changed >= RARE_FEW:
        return lambda confidence: spread_difference(rates[0], rates[1], covariance, confidence)
    # A win that goes from one leader to another moves two rates; were all unseen ones to go so, the spread would by this.
    lever = np.sqrt(2 / (k - 1)) * n / float(moments.sums[moments.leaders, 1].mean())

    def with_unseen(confidence: float) -> tuple[float, float, float, float, float, float]:
        a, b, gap, low, high, p = spread_difference(rates[0], rates[1], covariance, confidence)
        reach = lever * unseen(moments.changed, n, confidence)
        return a, b, gap, min(low, gap - reach), max(high, gap + reach), p

    return with_unseen


def _spread_row(moments: Moments, spread: SpreadOf | None, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Return the row of the leaders' spread: standard deviation of their true win rates (`analysis.stats.inference`)."""
    row: dict[str, Any] = {"n_a": moments.n, "n_b": moments.n, "changed": moments.changed, "few": moments.changed < RARE_FEW}
    row |= {"half_width": np.nan, "pairing": np.nan}
    if spread is None:
        return row | dict.fromkeys(("a", "b", "difference", "low", "high", "p"), np.nan)
    found, alone = spread(confidence), _spread_of_leaders(moments, paired=False)
    row |= dict(zip(("a", "b", "difference", "low", "high", "p"), found, strict=True))
    if moments.changed == 0 and found[0] == found[1]:
        return row | {"difference": 0.0, "p": 1.0}
    assert alone is not None
    low, high = alone(confidence)[3:5]
    return row | {"pairing": ((high - low) / (found[4] - found[3])) ** 2}


def _spread(weights: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    return np.maximum(np.einsum("fi,fij,fj->f", weights, covariance, weights), 0)


def margin_of(figure: str) -> float:
    """Return what counts as a change that matters: one round, or two percentage points."""
    return rates.ROUNDS if figure == "rounds" else rates.POINTS / 100


def compared(
    moments: Moments, half_width: float | None = None, figures: Sequence[tuple[str, str]] = FIGURES, tables: int = 1,
    looks: Looks | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return `differences` with what they say: n, small_sample, margin, the columns of `answer.judged`, and shared shifts.

    `shared` and `own` (with intervals, `own_verdict`, `own_certainty`) are those of the leaders besides the one that changes
    most, where one is shown to change; else NaN.
    """
    frame = differences(moments, half_width, figures, tables, looks)
    fewer = frame[["n_a", "n_b"]].min(axis=1)
    frame = frame.assign(n=fewer, small_sample=fewer < SMALL_SAMPLE, margin=frame["figure"].map(margin_of))
    frame = verdicts(frame, "difference", moments.n)
    return frame if moments.leaders is None else _with_shifts(frame, moments, tables, looks)


def verdicts(frame: pd.DataFrame, name: str, games: float) -> pd.DataFrame:
    """Return a table of changes with the columns of `answer.judged`; `low` and `high` are a row's own interval."""
    alone = {"low": f"{name}_low", "high": f"{name}_high"}
    found = judged(frame.rename(columns=alone), name, frame["margin"], games, CHANGE)
    return found.rename(columns={new: old for old, new in alone.items()})


def _with_shifts(frame: pd.DataFrame, moments: Moments, tables: int, looks: Looks | None) -> pd.DataFrame:
    """Tell apart what the leaders besides the one that changes most share of their changes, and what is left of each."""
    columns = ["shared", *(f"own{end}" for end in ("", "_low", "_high", "_all_low", "_all_high"))]
    frame = frame.assign(**dict.fromkeys(columns, np.nan), own_verdict="", own_certainty="")
    seated, rates, covariance = _rates_of_leaders(moments)
    at = frame.index[(frame["group"] == "leaders") & frame["difference"].notna()]
    moved = frame.loc[at, "verdict"].isin([CHANGE.of(one) for one in DIFFERENT]).to_numpy()
    if len(at) < 3 or len(at) != len(seated[0]) or not np.array_equal(seated[0], seated[1]) or not moved.any():
        return frame
    k, gap = len(at), rates[1] - rates[0]
    most = int(np.argmax(np.where(moved, np.abs(gap), 0)))
    others = np.delete(np.arange(k), most)
    contrast = np.zeros((k - 1, k))
    contrast[:, others] = np.eye(k - 1) - 1 / (k - 1)
    both = np.hstack([-contrast, contrast])
    own, error = contrast @ gap, np.sqrt(np.maximum(np.diag(both @ covariance @ both.T), 0))
    part = frame.loc[at[others], ["margin", "small_sample"]].assign(**around("own", own, error))
    questions = tables * (k - 1) if looks is None else looks.questions(tables * (k - 1))
    part = part.assign(**together("own", two_sided(own, error), normal_ends(own, error), questions))
    part = judged(part, "own", part["margin"], moments.n, CHANGE)
    part = part.assign(own_verdict=part["verdict"], own_certainty=part["certainty"], shared=gap[others].mean())
    frame.loc[at[others], [*columns, "own_verdict", "own_certainty"]] = part[[*columns, "own_verdict", "own_certainty"]]
    return frame


def shared_wins(ruleset: Any, against: Any) -> list[str]:
    """Say that partners share a win by the rules of one side only: then the sides' win rates do not count the same."""
    if has_teams(ruleset.data) == has_teams(against.data):
        return []
    own = ruleset if has_teams(ruleset.data) else against
    shared = f"by {own.name} partners share a win, half each"
    return [f"{shared}: leaders' win rates lie nearer to the fair share there, also where nothing else changes"]


def caveats(ruleset: Any, against: Any = None, trained: bool = False) -> list[str]:
    """Return what must be known of the rules to read figures of them right; `trained`: by players who learned under them."""
    sides = [ruleset] if against is None else [against, ruleset]
    aims = [] if trained else [text for one in sides for text in not_aimed_at(one.data)]
    return [*dict.fromkeys(aims), *(shared_wins(ruleset, against) if against is not None else [])]


def compare_tables(a: Any, b: Any, half_width: float | None = None, subjects: Subjects = PRINTED) -> pd.DataFrame:
    """Compare two runs on the same seeds, shard by shard; see `compared`. `subjects`: where a ruleset has own content."""
    moments, first = Moments.empty(len(subjects.figures), subjects.leader_figures), 0
    for one, two in zip(a.pieces(WANTED), b.pieces(WANTED), strict=True):
        n = len(one["games"])
        moments.add(game_figures(one, first, n, subjects), game_figures(two, first, n, subjects))
        first += n
    return compared(moments, half_width, subjects.figures)


# --- Playing


@dataclass
class Comparison:
    """What a comparison found so far, and why it ended."""

    frame: pd.DataFrame
    pairs: int
    reason: str


def _play(plan: Any, r: Any, subjects: Subjects, first: int, n: int, observer: Any, stop: threading.Event) -> np.ndarray | None:
    """Play games first … first + n - 1 and return their figures; None if stopped."""
    from ...simulator.runs.run import play_range, tables_of

    rows = play_range(plan, r, first, n, observer, stop)
    if rows is None:
        return None
    asked = COUNTED if subjects.cards else WANTED
    frames = {name: table.select(asked[name]).to_pandas() for name, table in tables_of(plan, r, rows).items() if name in asked}
    return game_figures(frames, first, n, subjects)


def games_together(
    sides: Sequence[tuple[Any, Any, Subjects]], first: int, n: int, jobs: int, observer: Any
) -> Iterator[tuple[np.ndarray, ...]]:
    """Play n seeds from `first` on, each by every side (plan, rules, subjects); yield the sides' figures, chunk by chunk."""
    chunks = ((start, min(CHUNK, first + n - start)) for start in range(first, first + n, CHUNK))
    calls = (partial(_play, *side, *chunk, observer) for chunk in chunks for side in sides)
    with closing(in_threads(calls, jobs)) as played:
        yield from zip(*[played] * len(sides), strict=False)


def in_focus(frame: pd.DataFrame, focus: Sequence[str]) -> pd.Series:
    """Mark the figures of the groups in focus that both rulesets have."""
    return frame["group"].isin(focus) & frame["difference"].notna()


def compare(
    plans: tuple[Any, Any],
    rulesets: tuple[Any, Any],
    games: int,
    *,
    half_width: float | None = None,
    until: bool = False,
    focus: Sequence[str] = ("leaders",),
    most_games: int = MOST_GAMES,
    jobs: int = 1,
    observer: Any = None,
    report: Callable[[Comparison], None] | None = None,
    tables: int = 1,
    decided: Decided | None = None,
) -> Comparison:
    """Play `games` pairs of games by the two rulesets and compare every headline figure.

    The plans should differ in nothing but what the rulesets demand; with the same seed the pairs share map, decks and
    leaders. With `until`, batches are added until every figure of the groups in `focus` has at most the `half_width`, or
    `most_games` pairs are played; with `decided`, until it finds all of them so. `report` is called after each batch. On
    Ctrl-C the comparison ends with the pairs that are complete. Nothing is written to disk.
    """
    from ...simulator.runs.run import Player, Silent

    observer = observer or Silent()
    records = [ruleset.compile() for ruleset in rulesets]
    subjects = subjects_of(*records)
    if all(FOCUS_CARDS_TABLE in plan.tables for plan in plans):
        cards = dict.fromkeys(card for r in records for card in takeable(r))
        subjects = replace(subjects, cards=tuple(cards))
    sides = [(plan, r, subjects) for plan, r in zip(plans, records, strict=True)]
    Player(plans[0], records[0])  # import the engine before the clock starts

    def play(first: int, n: int) -> Iterator[tuple[np.ndarray, ...]]:
        observer.begin(2 * n, 0)
        try:
            yield from games_together(sides, first, n, jobs, observer)
        finally:
            observer.end()

    words = {"until": until, "focus": focus, "most_games": most_games, "report": report, "tables": tables, "decided": decided}
    return collect(play, games, half_width, subjects=subjects, **words)  # type: ignore[arg-type]


Play = Callable[[int, int], Iterator[tuple[np.ndarray, ...]]]
Decided = Callable[[pd.DataFrame], "pd.Series[bool]"]  # rows of `differences` -> which of them are clear


def clear(frame: pd.DataFrame) -> pd.Series[bool]:
    """Return which differences are clear: raised or lowered, or within the margin of their figures."""
    return ~having(frame, OPEN)


def collect(
    play: Play,
    games: int,
    half_width: float | None,
    *,
    until: bool = False,
    focus: Sequence[str] = ("leaders",),
    most_games: int = MOST_GAMES,
    report: Callable[[Comparison], None] | None = None,
    subjects: Subjects = PRINTED,
    tables: int = 1,
    decided: Decided | None = None,
) -> Comparison:
    """Compare what `play(first, n)` yields: figures of n pairs of games from number `first` on (`game_figures`)."""
    for word in focus:
        if word not in GROUPS:
            raise unknown("group of figures", word, GROUPS)
    if until and half_width is None:
        raise UserError("half-width: expected one to play until it is reached")
    moments = Moments.empty(len(subjects.figures), subjects.leader_figures)
    goal = min(max(games, LEAST_GAMES), most_games) if until else games
    looks = None if decided is None else Looks(most_games)
    if looks is not None:
        goal = looks.next(0, most_games) or most_games
    while True:
        stopped = False
        try:
            for a, b in play(moments.n, goal - moments.n):
                moments.add(a, b)
        except KeyboardInterrupt:
            stopped = True
            if moments.n < 2:
                raise
        looks = None if looks is None else looks.seen(moments.n)
        frame = compared(moments, half_width, subjects.figures, tables, looks)
        if stopped:
            return Comparison(frame, moments.n, "stopped early by hand: results are biased if you chose the moment by them")
        if decided is not None and looks is not None:
            watched = frame[in_focus(frame, focus)]
            ended = f"{counted(len(looks.at), 'look')}, over which the intervals hold"
            left = int((~decided(watched)).sum())
            if not left:
                return Comparison(frame, moments.n, f"every figure in focus is clear ({ended})")
            further = looks.next(moments.n, most_games)
            if further is None:
                return Comparison(frame, moments.n, f"the most games allowed; {left} figures in focus are undecided ({ended})")
            if report is not None:
                report(Comparison(frame, moments.n, f"{left} of {counted(len(watched), 'figure')} in focus undecided"))
            goal = further
            continue
        if not until:
            return Comparison(frame, moments.n, "the games asked for")
        watched = frame[in_focus(frame, focus)]
        if len(watched) and watched["enough"].all():
            return Comparison(frame, moments.n, "every figure in focus is precise enough")
        if moments.n >= most_games:
            return Comparison(frame, moments.n, "the most games allowed; some figures in focus are not precise enough")
        if report is not None:
            report(Comparison(frame, moments.n, "going on"))
        needed = float(watched["games_needed"].max()) if len(watched) else np.inf
        goal = next_goal(moments.n, needed, most_games)


def next_goal(n: int, needed: float, most_games: int = MOST_GAMES) -> int:
    """Return the number of pairs at which to look next: what seems needed, at least a tenth more, at most twice as many."""
    wanted = -(-int(np.ceil(np.clip(needed, 1.1 * n, 2 * n))) // 100) * 100
    return int(min(wanted, most_games))


ROUNDS = "rounds"


NUMBERS = dict(enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 2))
UNFINISHED, WIN_RATE = "unfinished games", "win rate of "


# --- Comparisons


SHIFTS = ("shared", *(f"own{end}" for end in ALL))
CHANGED = ("a", "b", *(f"difference{end}" for end in ALL), *SHIFTS)


def in_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Return differences in rounds or percentage points, figures in rounds or per cent; `matter` in units of what matters."""
    shifts = {name: np.nan for name in (*SHIFTS, "own_certainty", "own_verdict") if name not in frame}
    found = frame.assign(matter=frame["difference"] / frame["margin"], **shifts)
    return scaled(found, CHANGED)[frame["difference"].notna()]


def scaled(frame: pd.DataFrame, sizes: Iterable[str]) -> pd.DataFrame:
    """Return the table with these sizes of its figures in rounds or percentage points, and their `unit`."""
    scale = np.where(frame["figure"] == ROUNDS, 1.0, 100.0)
    return frame.assign(**{name: frame[name] * scale for name in sizes}, unit=np.where(scale == 1, "rounds", "points"))


def changed(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are shown to change, the largest first."""
    return frame[having(frame, DIFFERENT)].sort_values("matter", key=np.abs, ascending=False, kind="stable")


def change(row: Any) -> str:
    """Return a change of a figure: before, after, difference with its interval, n."""
    mark = "" if row["unit"] == "rounds" else "%"
    size = points_of(row, "difference")
    return f"{row['a']:.1f}{mark} → {row['b']:.1f}{mark}, {size} {row['unit']} (n = {row['n']:,})"


def compared_findings(frame: pd.DataFrame) -> list[Finding]:
    """Sum a comparison up: unfinished games where they differ, what else of the game changed, the leaders, what they share.

    Where of the game nothing is shown to change, the leaders come first.
    """
    leaders, cut = frame[frame["group"] == "leaders"], frame["figure"] == UNFINISHED
    games = int(frame["n"].max())
    found = [
        Finding(f"Games that nobody won: {change(row)}. Win rates are of decided games only.", row["certainty"])
        for row in frame[cut & having(frame, DIFFERENT)].to_dict("records")
    ]
    rest = frame[(frame["group"] != "leaders") & ~(cut & bool(found))]
    of_leaders = [group_finding(leaders, "leaders' win rates", games), *shift_findings(leaders)] if len(leaders) else []
    what = "figures of the game" if len(leaders) else "figures"
    of_rest = [group_finding(rest, what, games)] if len(rest) else []
    return [*found, *(of_rest + of_leaders if len(changed(rest)) else of_leaders + of_rest)]


def group_finding(frame: pd.DataFrame, what: str, games: int) -> Finding:
    """Say how many figures changed and which the most; if none did, how large a change could be missed."""
    found, one = changed(frame), re.sub("(figure|rate)s", r"\1", what)
    if len(found):
        row = found.to_dict("records")[0]
        many = f"{len(found)} of {len(frame)} {what}" if len(frame) > 1 else f"The {one}"
        text = f"{many} changed{', most' if len(found) > 1 else ':'} the {row['figure']}, {change(row)}."
        return Finding(text, weakest(found["certainty"]))
    every = f"{NUMBERS.get(len(frame), len(frame))} {what}"
    if all(verdict_of(name) is Verdict.WITHIN for name in frame["verdict"]):
        alike = f"All {every} are" if len(frame) > 1 else f"The {one} is"
        return Finding(f"{alike} unchanged within the margin; n = {counted(games, 'game')}.", weakest(frame["certainty"]))
    missed = " or ".join(f"{_span(part)} {unit}" for unit, part in frame.groupby("unit", sort=False))
    none = f"None of the {every} changed measurably" if len(frame) > 1 else f"The {one} did not change measurably"
    needed = still_needed(frame)
    whom = "all of them" if len(frame) > 1 else "it"
    more = "" if needed is None else f" {_sentence(games_words(*needed))} would decide {whom}."
    return Finding(f"{none}; with {counted(games, 'game')} changes up to {missed} could be missed.{more}", "open")


def shift_findings(leaders: pd.DataFrame) -> list[Finding]:
    """Tell apart what of the other leaders' changes is only what the one that changes most no longer wins, or wins more."""
    others = leaders[leaders["own"].notna()]
    if others.empty:
        return []
    most = leaders[leaders["own"].isna()].sort_values("difference", key=np.abs, kind="stable").iloc[-1]
    name, size = most["figure"].removeprefix(WIN_RATE), points(others["shared"].iloc[0])
    way = "more" if most["difference"] > 0 else "less"
    start = f"Wins are zero-sum: as {name} wins {way}, the others change by {size} points on average."
    own = others.assign(verdict=others["own_verdict"], certainty=others["own_certainty"], matter=others["own"])
    beyond = changed(own).to_dict("records")
    if beyond:
        row, more = beyond[0], f" ({len(beyond) - 1} more: table)" if len(beyond) > 1 else ""
        text = f"Beyond that {row['figure'].removeprefix(WIN_RATE)} changes by {points_of(row, 'own')} points{more}."
        return [Finding(f"{start} {text}", weakest([row["certainty"], most["certainty"]]))]
    within = all(verdict_of(one) is Verdict.WITHIN for one in own["verdict"])
    text = "Beyond that all stay within the margin." if within else "Beyond that none changes measurably."
    return [Finding(f"{start} {text}", weakest([*own["certainty"], most["certainty"]]) if within else "open")]


def _span(frame: pd.DataFrame) -> str:
    """Return how large a change the intervals leave possible: the least and the most of the rows."""
    reach = np.maximum(frame["difference_all_low"].abs(), frame["difference_all_high"].abs())
    low, high = (f"{end:.0f}" if end >= 1 else f"{end:.1f}" for end in (reach.min(), reach.max()))
    return low if low == high else f"{low}–{high}"
