"""Figures of games, and of two rulesets on the same seeds, compared pair by pair of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from scipy import special

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.rules.ruleset_contents import written
from ..stats import rates
from ..stats.inference import (
    ALL,
    ENDS,
    RARE_FEW,
    SIGNIFICANT,
    Ends,
    newcombe,
    normal_ends,
    normal_together,
    rare_interval,
    rare_reach,
    sign_test,
    spread_difference,
    together,
    two_sided,
    unseen,
)
from ..stats.rates import CONFIDENCE, SMALL_SAMPLE
from ..stats.sample_sizes import Looks
from ..stats.verdicts import CHANGE, DIFFERENT, JUDGEMENT, Labels, Verdict, having, judged, verdict_cells
from .decoded_games import SEPARATOR, WHOLE, CodeNames, Games, wanted
from .focus_card_use import takers

# --- The headline figures of games: rounds, unfinished games, and the rates of leaders, agendas and world wonders

ROUNDS, UNFINISHED, FIRST_PLAYER, WIN_RATE = "rounds", "unfinished games", "win rate of the first player", "win rate of "
CLAIM_RATE, BUILD_RATE = "claim rate of ", "build rate of "
GROUPS = ("game", "skill", "places", "leaders", "agendas", "wonders", "cards")
FIRST_LEADER = 3


@dataclass(frozen=True)
class Subjects:
    """The leaders, agendas, world wonders and others whose figures are compared, by name."""

    leaders: tuple[str, ...] = names.LEADERS
    agendas: tuple[str, ...] = names.AGENDAS
    wonders: tuple[str, ...] = names.WONDERS
    # Focus cards, each with the only leader who may have it, where they are counted.
    cards: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    # Strategies whose wins measure how much skill decides, where different ones sit at one table.
    players: tuple[str, ...] = field(default=(), kw_only=True)
    # Places where seats begin, of a fixed map.
    starts: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def figures(self) -> tuple[tuple[str, str], ...]:
        """Group and name of each figure, in the order of `game_figures`."""
        return (
            ("game", ROUNDS),
            ("game", UNFINISHED),
            ("game", FIRST_PLAYER),
            *(("leaders", f"{WIN_RATE}{name}") for name in self.leaders),
            *(("agendas", f"{CLAIM_RATE}{name}") for name in self.agendas),
            *(("wonders", f"{BUILD_RATE}{name}") for name in self.wonders),
            *(("cards", f"take rate of {name}") for name, _ in self.cards),
            *(("skill", f"{WIN_RATE}{name}") for name in self.players),
            *(("places", f"{WIN_RATE}{name}") for name in self.starts),
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
    def first_player(self) -> int:
        return self.first_card + len(self.cards)

    @property
    def first_start(self) -> int:
        return self.first_player + len(self.players)

    @property
    def needed(self) -> dict[str, list[str]]:
        """The columns of the tables that the figures are made of."""
        more = {"held": self.cards, "strategy": self.players, "at_places": self.starts}
        return wanted((*COLUMNS, *(name for name, subjects in more.items() if subjects)))

    @property
    def leader_figures(self) -> slice:
        return slice(FIRST_LEADER, self.first_agenda)


def subjects_of(*records: Any) -> Subjects:
    """Return the subjects that any of the compiled rulesets has: printed names first, then new ones as they appear."""
    by_kind: dict[str, dict[str, None]] = {"leader": {}, "agenda": {}, "wonder": {}}
    for r in records:
        for kind, subjects in by_kind.items():
            subjects.update(dict.fromkeys(written(r, kind)))
    return Subjects(*(tuple(subjects) for subjects in by_kind.values()))


PRINTED = Subjects()
FIGURES = PRINTED.figures
LEADER_FIGURES = PRINTED.leader_figures
SPREAD = ("game", "leader spread")
Frames = Mapping[str, pd.DataFrame]
COLUMNS = ("rounds", "decided", "order", "leader", "won", "present", "cards", "claims", "deck", "erected")
WANTED = wanted(COLUMNS)


def game_figures(frames: Frames, first: int, n: int, subjects: Subjects = PRINTED) -> np.ndarray:
    """Return (games, figures, 2): numerator and denominator of each figure in the games first … first + n - 1."""
    at = frames["games"]["game_id"].to_numpy() - first
    if len(at) != n or not np.array_equal(np.sort(at), np.arange(n)):
        raise UserError(f"games {first} to {first + n - 1}: not all of them are in the tables")
    values = np.empty((n, len(subjects.figures), 2))
    values[at] = figures_of(Games(frames, len(frames["seats"]) // n, CodeNames()), subjects)
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
    for place, name in enumerate(subjects.players, subjects.first_player):
        seats = games.strategy == (games.words.strategy.index(name) if name in games.words.strategy else -1)
        values[:, place, 0], values[:, place, 1] = _won(games, seats), seats.any(axis=1) * games.decided
    for place, name in enumerate(subjects.starts, subjects.first_start):
        events, starts = games.at_places, games.words.place
        seats = np.zeros(games.leader.shape, bool)
        seats.flat[events.at[events.what == (starts.index(name) if name in starts else -1)]] = True
        values[:, place, 0], values[:, place, 1] = _won(games, seats), seats.any(axis=1) * games.decided
    return values


def _won(games: Games, seats: np.ndarray) -> np.ndarray:
    """Return the share of the win of these seats in each game."""
    return (games.won * seats).sum(axis=1) / WHOLE


def margin_of(figure: str) -> float:
    """Return the smallest change of the figure that matters: one round, or two percentage points."""
    return rates.ROUNDS if figure == ROUNDS else rates.POINTS / 100


# --- Two rulesets on the same seeds: what a house rule changes, with intervals
#
# Game k of both runs has the same seed, so the same map, decks, leaders and seats as far as the rules allow (common random
# numbers; P. Glasserman and D. Yao, Management Science 38, 1992). Every headline figure is a ratio Σy / Σm over games: wins
# of a leader over decided games with the leader, games in which a wonder was built over games that had it in a deck, rounds
# over games. The difference of the two ratios gets its error from the linearised terms of each *pair* of games (the delta
# method), so whatever the pairs have in common cancels, and nothing is assumed where they differ. `pairing` is the variance
# of the same difference from unpaired seeds over that from paired ones: by this factor pairing saves games. One figure is not a
# ratio: the leader spread, the standard deviation of the leaders' true win rates (`stats.inference.rate_spread`; its `pairing`
# is the squared ratio of the intervals' widths).
#
# Many figures. Intervals `low` to `high` are 95% each. Verdicts (`compared`, by `stats.verdicts`) come from the simultaneous
# intervals, `difference_all_low` to `difference_all_high` (Bonferroni; `inference.together`). Where fewer than RARE_FEW pairs
# differ, the normal approximation is not trusted: p is then that of the exact sign test, if larger, and a rate's interval is
# that of two Poisson counts, the pairs that went up and those that went down (`rare_interval`). Intervals of lengths and of the
# spread allow for changes that these pairs did not show (`rare_reach`, `unseen`): no change in 400 pairs is not "±0.00".
#
# Shared shifts. Wins are zero-sum: what one leader no longer wins the others do. So the change of each leader but the one that
# changes most is split into `shared`, the mean change of these leaders, and `own`, its difference from that mean.
#
# Precision. `enough` says whether the interval's half-width is at most the wanted one; for the rounds the wanted width is
# relative to the first ruleset's mean. `games_needed` is the number of pairs that would suffice.


@dataclass
class Moments:
    """Sums over pairs of games from which the comparison is made: memory does not grow with the games."""

    n: int
    sums: np.ndarray  # (figures, 4): y and m of the first ruleset, y and m of the second
    products: np.ndarray  # (figures, 4, 4)
    ups: np.ndarray  # (figures,) pairs with the larger y in the second ruleset
    downs: np.ndarray
    leaders: slice | None = None  # the figures whose spread is compared
    joint: np.ndarray | None = None  # (4 leaders, 4 leaders) products of all their sums
    changed: int = 0  # pairs in which any of these figures differs

    def __add__(self, other: Moments) -> Moments:
        joint = None if self.joint is None or other.joint is None else self.joint + other.joint
        return Moments(
            self.n + other.n, self.sums + other.sums, self.products + other.products, self.ups + other.ups,
            self.downs + other.downs, self.leaders, joint, self.changed + other.changed,
        )  # fmt: skip

    @classmethod
    def empty(cls, figures: int = len(FIGURES), leaders: slice | None = None) -> Moments:
        """Return the moments of no games; with `leaders`, the spread of these figures gets a row in `differences`."""
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
            # Not own.T @ own: BLAS would start threads for it, which cost more than they save.
            self.joint = self.joint + np.einsum("ni,nj->ij", own, own)
            self.changed += int(np.any(a[:, self.leaders, 0] != b[:, self.leaders, 0], axis=1).sum())


def differences(
    moments: Moments, half_width: float | None = None, figures: Sequence[tuple[str, str]] = FIGURES, tables: int = 1,
    looks: Looks | None = None, trainings: Trainings | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return one row per figure: both values, the difference with its intervals, and games needed.

    Rates and their differences are shares (0.01 = one percentage point). Figures that one of the rulesets lacks have no
    difference and do not count in the corrections. `tables`: number of tables of figures tested together, this one included.
    `looks`: the looks at these games over which the intervals then hold. `trainings`: how much more than chance the trainings
    of the players add; the intervals hold for these, too.
    """
    n, corrected = moments.n, (lambda questions: questions) if looks is None else looks.questions
    if n < 2:
        raise UserError(f"{n} of the 2 pairs of games that a difference with an interval needs; play more games")
    mean = moments.sums / n
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = mean[:, 0] / mean[:, 1], mean[:, 2] / mean[:, 3]
        weights = np.stack([-1 / mean[:, 1], a / mean[:, 1], 1 / mean[:, 3], -b / mean[:, 3]], axis=1)
    covariance = (moments.products / n - mean[:, :, None] * mean[:, None, :]) * n / (n - 1)
    paired = _spread(weights, covariance)
    unpaired = _spread(weights[:, :2], covariance[:, :2, :2]) + _spread(weights[:, 2:], covariance[:, 2:, 2:])
    with np.errstate(invalid="ignore"):  # in neither ruleset
        error, gap = np.sqrt(paired / n), b - a
    # Rounding errors of pairs that are all equal are no difference.
    equal = (moments.ups + moments.downs == 0) & (np.abs(gap) < 1e-12)
    gap, error = np.where(equal, 0.0, gap), np.where(equal, 0.0, error)
    p = two_sided(gap, error)
    changed = moments.ups + moments.downs
    exact = [sign_test(up, k) if 0 < k < RARE_FEW else 0.0 for up, k in zip(moments.ups, changed, strict=True)]
    p = np.where(np.isnan(gap), np.nan, np.maximum(p, exact))
    group, figure = map(list, zip(*figures, strict=True))
    rare = (changed < RARE_FEW) & ~np.isnan(gap)
    length = np.array(figure) == "rounds"
    ends = _with_unseen(_pair_ends(moments, gap, error, rare & ~length), moments, rare & length, covariance)
    own = 1 - SIGNIFICANT / corrected(1)
    low, high = ends(own)
    columns = {"a": a, "b": b, "difference": gap, "low": low, "high": high, "half_width": np.full(len(gap), np.nan), "p": p}
    columns |= {"n_a": moments.sums[:, 1].astype(np.int64), "n_b": moments.sums[:, 3].astype(np.int64)}
    columns["changed"] = changed.astype(np.int64)
    with np.errstate(divide="ignore", invalid="ignore"):
        columns |= {"pairing": np.where(equal, np.nan, unpaired / paired), "few": changed < RARE_FEW}
    if moments.leaders is not None:
        spread = spread_of_leaders(moments)
        row, place = _spread_row(moments, spread, own), group.count(SPREAD[0])
        columns = {name: np.insert(column, place, row[name]) for name, column in columns.items()}
        group.insert(place, SPREAD[0])
        figure.insert(place, SPREAD[1])
        ends = _with_row(ends, place, spread)
    gap = columns["difference"]
    if trainings is not None:
        columns["p"], ends = trainings.p(group, columns["p"]), trainings.ends(group, gap, ends)
        columns["low"], columns["high"] = ends(own)
    columns["half_width"] = reach = np.maximum(gap - columns["low"], columns["high"] - gap)
    columns |= together("difference", columns["p"], ends, corrected(max(1, tables * int((~np.isnan(columns["p"])).sum()))))
    if half_width is not None:
        wanted = np.where(np.array(figure) == "rounds", half_width * columns["a"], half_width)
        columns |= {"enough": reach <= wanted, "games_needed": np.ceil(n * (reach / wanted) ** 2)}
    played = (columns["n_a"] > 0) | (columns["n_b"] > 0)
    # One table from all columns: many times faster than adding one after the other.
    return pd.DataFrame({"group": group, "figure": figure, **columns, "pairs": n})[played].reset_index(drop=True)


def _pair_ends(moments: Moments, gap: np.ndarray, error: np.ndarray, rare: np.ndarray) -> Ends:
    """Return the ends of the figures' intervals: normal ones, or exact ones where few pairs differ."""
    usual = normal_ends(gap, error)
    counts = (moments.ups[rare], moments.downs[rare], moments.sums[rare][:, [1, 3]].mean(axis=1))
    # Where denominators differ between the games of a pair, the counts do not hold all of the difference; and where nearly all
    # cases have the same outcome, little is known of the rates' difference, however many pairs differ.
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
    """Return the ends with the intervals of means widened by what changes too rare to be seen may add.

    A pair that changes is taken to differ by as much as those that did, or as games of different seeds do, whichever is more.
    """
    if not rare.any():
        return ends
    ups, downs, products = moments.ups[rare], moments.downs[rare], moments.products[rare]
    squares = products[:, 0, 0] + products[:, 2, 2] - 2 * products[:, 0, 2]
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
    """Return the ends of the intervals with that of the leaders' spread inserted at a place."""

    def both(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        own = (np.nan, np.nan) if spread is None else spread(confidence)[3:5]
        low, high = (np.insert(end, place, value) for end, value in zip(ends(confidence), own, strict=True))
        return low, high

    return both


def leaders_rates(moments: Moments) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """Return for each ruleset the leaders at its tables and their win rates, and the covariance of all these rates."""
    assert moments.leaders is not None
    assert moments.joint is not None
    n, sums = moments.n, moments.sums[moments.leaders] / moments.n
    size, flat = len(sums), sums.ravel()
    products = (moments.joint / n - np.outer(flat, flat)) / (n - 1)  # covariance of the means
    seated, rates, slopes = [], [], []
    for side in (0, 2):
        present = np.flatnonzero(sums[:, side + 1] > 0)
        rate = sums[present, side] / sums[present, side + 1]
        slope = np.zeros((len(present), size, 4))
        slope[np.arange(len(present)), present, side] = 1 / sums[present, side + 1]
        slope[np.arange(len(present)), present, side + 1] = -rate / sums[present, side + 1]
        seated.append(present)
        rates.append(rate)
        slopes.append(slope.reshape(len(present), 4 * size))
    slope = np.concatenate(slopes)
    return seated, rates, slope @ products @ slope.T


def spread_of_leaders(moments: Moments, paired: bool = True) -> SpreadOf | None:
    """Return the function from a confidence to the leaders' spreads and their difference; None for fewer than two leaders.

    Not `paired`: as if each ruleset had been played on seeds of its own.
    """
    _, rates, covariance = leaders_rates(moments)
    if min(len(rate) for rate in rates) < 2:
        return None
    n, k = moments.n, len(rates[0])
    if not paired:
        covariance[:k, k:] = covariance[k:, :k] = 0
    if not paired or moments.changed >= RARE_FEW:
        return lambda confidence: spread_difference(rates[0], rates[1], covariance, confidence)
    # A win passing from one leader to another moves two rates: the change of the spread per unseen change.
    lever = np.sqrt(2 / (k - 1)) * n / float(moments.sums[moments.leaders, 1].mean())

    def with_unseen(confidence: float) -> tuple[float, float, float, float, float, float]:
        a, b, gap, low, high, p = spread_difference(rates[0], rates[1], covariance, confidence)
        reach = lever * unseen(moments.changed, n, confidence)
        return a, b, gap, min(low, gap - reach), max(high, gap + reach), p

    return with_unseen


def _spread_row(moments: Moments, spread: SpreadOf | None, confidence: float = CONFIDENCE) -> dict[str, Any]:
    """Return the row of the leaders' spread, the standard deviation of their true win rates (`inference.rate_spread`)."""
    row: dict[str, Any] = {"n_a": moments.n, "n_b": moments.n, "changed": moments.changed, "few": moments.changed < RARE_FEW}
    row |= {"half_width": np.nan, "pairing": np.nan}
    if spread is None:
        return row | dict.fromkeys(("a", "b", "difference", "low", "high", "p"), np.nan)
    estimate, unpaired = spread(confidence), spread_of_leaders(moments, paired=False)
    row |= dict(zip(("a", "b", "difference", "low", "high", "p"), estimate, strict=True))
    if moments.changed == 0 and estimate[0] == estimate[1]:
        return row | {"difference": 0.0, "p": 1.0}
    assert unpaired is not None
    low, high = unpaired(confidence)[3:5]
    return row | {"pairing": ((high - low) / (estimate[4] - estimate[3])) ** 2}


def _spread(weights: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    return np.maximum(np.einsum("fi,fij,fj->f", weights, covariance, weights), 0)


def compared(
    moments: Moments, half_width: float | None = None, figures: Sequence[tuple[str, str]] = FIGURES, tables: int = 1,
    looks: Looks | None = None, trainings: Trainings | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return `differences` with their verdicts: n, small_sample, margin, the columns of `answer.judged`, and shared shifts.

    `shared` and `own` (with intervals, `own_verdict`, `own_certainty`) are of all leaders but the one that changes most, if any
    is shown to change; else NaN.
    """
    frame = differences(moments, half_width, figures, tables, looks, trainings)
    fewer = frame[["n_a", "n_b"]].min(axis=1)
    frame = frame.assign(n=fewer, small_sample=fewer < SMALL_SAMPLE, margin=frame["figure"].map(margin_of))
    frame = verdicts(frame, "difference", moments.n)
    return frame if moments.leaders is None else _with_shifts(frame, moments, tables, looks)


def verdicts(frame: pd.DataFrame, name: str, games: float, labels: Labels = CHANGE) -> pd.DataFrame:
    """Return a table of changes with the columns of `answer.judged`; `low` and `high` are each row's own interval."""
    alone = {"low": f"{name}_low", "high": f"{name}_high"}
    table = judged(frame.rename(columns=alone), name, frame["margin"], games, labels)
    return table.rename(columns={new: old for old, new in alone.items()})


OWN_VERDICT = tuple(f"own_{name}" for name in JUDGEMENT)


def _with_shifts(frame: pd.DataFrame, moments: Moments, tables: int, looks: Looks | None) -> pd.DataFrame:
    """Return the table with the shared shift of all leaders but the one that changes most, and each one's own change."""
    columns = ["shared", *(f"own{end}" for end in ENDS)]
    frame = frame.assign(**dict.fromkeys(columns, np.nan), own_verdict="", own_verdict_key="", own_certainty="")
    seated, rates, covariance = leaders_rates(moments)
    at = frame.index[(frame["group"] == "leaders") & frame["difference"].notna()]
    moved = having(frame.loc[at], DIFFERENT).to_numpy()
    if len(at) < 3 or len(at) != len(seated[0]) or not np.array_equal(seated[0], seated[1]) or not moved.any():
        return frame
    k, gap = len(at), rates[1] - rates[0]
    most = int(np.argmax(np.where(moved, np.abs(gap), 0)))
    others = np.delete(np.arange(k), most)
    contrast = np.zeros((k - 1, k))
    contrast[:, others] = np.eye(k - 1) - 1 / (k - 1)
    both = np.hstack([-contrast, contrast])
    own, error = contrast @ gap, np.sqrt(np.maximum(np.diag(both @ covariance @ both.T), 0))
    questions = tables * (k - 1) if looks is None else looks.questions(tables * (k - 1))
    part = frame.loc[at[others], ["margin", "small_sample"]]
    part = part.assign(**normal_together("own", own, error, questions=questions))
    part = judged(part, "own", part["margin"], moments.n, CHANGE)
    part = part.assign(**{name: part[name.removeprefix("own_")] for name in OWN_VERDICT}, shared=gap[others].mean())
    frame.loc[at[others], [*columns, *OWN_VERDICT]] = part[[*columns, *OWN_VERDICT]]
    return frame


UNFINISHED_COLUMNS = (
    "unfinished_a", "unfinished_b", "unfinished", "unfinished_all_low", "unfinished_all_high", "unfinished_verdict",
    "unfinished_verdict_key", "unfinished_certainty",
)  # fmt: skip


def unfinished(moments: Moments) -> dict[str, np.ndarray]:
    """Return UNFINISHED_COLUMNS, one row per figure: the shares of games that nobody won and their difference, in points.

    `moments` are of games played (m) and of those that nobody won (y). All rows hold together.
    """
    figures = [("game", str(index)) for index in range(len(moments.sums))]
    table = compared(moments, figures=figures).set_index("figure").reindex([figure for _, figure in figures])
    names = dict(zip(UNFINISHED_COLUMNS, ("a", "b", *(f"difference{end}" for end in ALL)), strict=False))
    columns = {new: 100 * table[old].to_numpy(float) for new, old in names.items()}
    without = verdict_cells(Verdict.NOT_COMPARED, CHANGE) | {"certainty": "untested"}
    return columns | {
        f"unfinished_{name}": table[name].astype(object).fillna(value).to_numpy(object) for name, value in without.items()
    }


def unfinished_of(a: Sequence[np.ndarray], b: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return `unfinished` for the games of each figure, given as each game's share of the win, NaN where nobody won."""
    moments, sides = Moments.empty(len(a)), np.zeros((2, max(map(len, (*a, *b))), len(a), 2))
    for side, games in enumerate((a, b)):
        for figure, shares in enumerate(games):
            sides[side, : len(shares), figure, 0], sides[side, : len(shares), figure, 1] = np.isnan(shares), 1
    moments.add(*sides)
    return unfinished(moments)


# --- What a difference depends on: the difference of two differences, from four games a seed
#
# The two rulesets are compared twice on the same seeds: by players who have not noticed, and by players who have adapted. So
# each seed is four games, and adapting changes a figure by a difference of two differences,
#
#     change = (b - a by players who have adapted) - (b - a by players who have not noticed),
#
# of ratios Σy / Σm. Its error comes from the linearised terms of each *four* of games (the delta method, as for a pair), so
# what the four have in common cancels. All changes are tested together (`inference.together`). Where fewer than RARE_FEW seeds
# show any change, p is that of the exact sign test, if larger, and the interval at least that of two Poisson counts
# (`rare_interval`). The leaders' spread is not a ratio: it is in both comparisons, but its change is not tested.

# Players are trained more than once under each ruleset, and each training plays a part of the seeds. What they find differs by
# the chance of the games and that of the trainings. How much the second adds is estimated as for overdispersed counts (R.
# Wedderburn, Biometrika 61, 1974): from the squared differences between trainings over what chance of the games makes them, in
# the mean of all figures, or of a figure's group if that is more. Intervals are wider by its root, and Student's, with one
# degree of freedom for FREEDOM figures: who builds more builds all wonders more (docs/evidence/statistics.md).

FREEDOM = 4


@dataclass(frozen=True)
class Trainings:
    """How many times the variance by the chance of games differs between trainings: by group of figures, and over all."""

    factors: Mapping[str, float]
    factor: float
    freedom: float

    @classmethod
    def of(cls, name: str, parts: Sequence[pd.DataFrame]) -> Trainings:
        """Return what the tables of `differences` or `changes` of each training tell; `name`: the column of the estimates."""
        by_part = [part.set_index(["group", "figure"]) for part in parts]
        enough = pd.concat([~part["few"].astype(bool) & (part["high"] > part["low"]) for part in by_part], axis=1)
        figures = enough.index[enough.eq(True).all(axis=1) & (enough.index.get_level_values("figure") != SPREAD[1])]
        estimate, low, high = (
            np.stack([part.loc[figures, column].to_numpy(float) for part in by_part]) for column in (name, "low", "high")
        )
        variance = ((high - low) / 2 / -float(special.ndtri((1 - CONFIDENCE) / 2))) ** 2
        mean = (estimate / variance).sum(axis=0) / (1 / variance).sum(axis=0)
        squares = pd.Series(((estimate - mean) ** 2 / variance).sum(axis=0) / (len(parts) - 1), figures, dtype=float)
        factor = max(1.0, float(squares.mean())) if len(squares) else 1.0
        factors = {str(group): max(factor, float(own.mean())) for group, own in squares.groupby(level="group")}
        return cls(factors, factor, max(1.0, len(squares) * (len(parts) - 1) / FREEDOM))

    def times(self, group: Sequence[str]) -> np.ndarray:
        """Return how many times as wide as by the chance of games the intervals of these groups are."""
        return np.sqrt([self.factors.get(one, self.factor) for one in group])

    def p(self, group: Sequence[str], p: np.ndarray) -> np.ndarray:
        """Return p values that count the trainings, too."""
        z = -special.ndtri(np.asarray(p, float) / 2)
        return np.where(np.isnan(z), np.nan, np.minimum(1.0, 2 * scipy.stats.t.sf(z / self.times(group), self.freedom)))

    def ends(self, group: Sequence[str], middle: np.ndarray, ends: Ends) -> Ends:
        """Return the ends of intervals that count the trainings, too."""
        own = self.times(group)

        def wider(confidence: float) -> tuple[np.ndarray, np.ndarray]:
            tail = (1 - confidence) / 2
            times = own * float(scipy.stats.t.isf(tail, self.freedom)) / -float(special.ndtri(tail))
            low, high = ends(confidence)
            return middle - times * (middle - low), middle + times * (high - middle)

        return wider


SIGNS = np.array([1, -1, -1, 1])  # of A and B by players who have not noticed, A and B by players who have


@dataclass
class Fours:
    """Sums over seeds of their four games: A and B by players who have not noticed, A and B by players who have."""

    unaware: Moments
    adapted: Moments
    sums: np.ndarray  # (figures, 8): y and m of the four
    products: np.ndarray  # (figures, 8, 8)
    ups: np.ndarray  # (figures,) changes upwards of y, added up
    downs: np.ndarray
    moved: np.ndarray  # (figures, 2) seeds that changed y upwards, and downwards

    def __add__(self, other: Fours) -> Fours:
        return Fours(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))

    @classmethod
    def empty(cls, figures: int = len(FIGURES), leaders: slice | None = None) -> Fours:
        """Return the sums of no games; with `leaders`, the spread of these figures gets a row in both comparisons."""
        moments = (Moments.empty(figures, leaders), Moments.empty(figures, leaders))
        return cls(*moments, *(np.zeros((figures, *shape)) for shape in ((8,), (8, 8), (), (), (2,))))

    def add(self, four: Sequence[np.ndarray]) -> None:
        """Add seeds: four arrays (games, figures, 2), as `game_figures` returns them."""
        self.unaware.add(four[0], four[1])
        self.adapted.add(four[2], four[3])
        by_figure = np.concatenate(four, axis=2).transpose(1, 2, 0)
        self.sums += by_figure.sum(axis=2)
        self.products += by_figure @ by_figure.transpose(0, 2, 1)
        change = np.tensordot(SIGNS, np.stack([figures[:, :, 0] for figures in four]), axes=1)
        self.ups += np.maximum(change, 0).sum(axis=0)
        self.downs += np.maximum(-change, 0).sum(axis=0)
        self.moved += np.stack([(change > 0).sum(axis=0), (change < 0).sum(axis=0)], axis=1)


def changes(fours: Fours, figures: Sequence[tuple[str, str]] = FIGURES, trainings: Trainings | None = None) -> pd.DataFrame:
    """Return one row per figure: by how much adapting changes B - A, in shares or rounds (formula above).

    Columns: group, figure, change, low, high (95% alone), p, p_adjusted, change_all_low, change_all_high (all changes
    together), n (games of the figure, the fewest of the four), margin, seeds, few, and the columns of `answer.judged`. Figures
    that one of the rulesets lacks have no change.
    """
    n = fours.unaware.n
    if n < 2:
        raise UserError(f"{n} of the 2 seeds that a difference with an interval needs; play more games")
    mean = fours.sums / n
    y, m = mean[:, 0::2], mean[:, 1::2]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = y / m
        weights = np.stack([SIGNS / m, -SIGNS * ratio / m], axis=2).reshape(len(mean), 8)
    covariance = (fours.products / n - mean[:, :, None] * mean[:, None, :]) * n / (n - 1)
    variance = np.maximum(np.einsum("fi,fij,fj->f", weights, covariance, weights), 0)
    gap, error = ratio @ SIGNS, np.sqrt(variance / n)
    moved = fours.moved.sum(axis=1)
    equal = (moved == 0) & (np.abs(gap) < 1e-12)  # a rounding error is not a change
    gap, error = np.where(equal, 0.0, gap), np.where(equal, 0.0, error)
    exact = [sign_test(up, k) if 0 < k < RARE_FEW else 0.0 for (up, _), k in zip(fours.moved, moved, strict=True)]
    p = np.where(np.isnan(gap), np.nan, np.maximum(two_sided(gap, error), exact))
    frame = pd.DataFrame(list(figures), columns=["group", "figure"])
    is_rate = (frame["figure"] != ROUNDS).to_numpy()
    ends = _four_ends(fours, gap, error, (moved < RARE_FEW) & is_rate & ~np.isnan(gap))
    if trainings is not None:
        of_group = list(frame["group"])
        p, ends = trainings.p(of_group, p), trainings.ends(of_group, gap, ends)
    low, high = ends(CONFIDENCE)
    frame = frame.assign(change=gap, low=low, high=high, **together("change", p, ends))
    cases = fours.sums[:, 1::2].min(axis=1).astype(np.int64)
    margin = frame["figure"].map(margin_of)
    frame = frame.assign(n=cases, small_sample=cases < SMALL_SAMPLE, margin=margin, seeds=n, few=moved < RARE_FEW)
    return verdicts(frame, "change", n)


def _four_ends(fours: Fours, gap: np.ndarray, error: np.ndarray, rare: np.ndarray) -> Ends:
    """Return the ends of the changes' intervals: normal ones; where few seeds show a change, at least those of the counts."""
    usual = normal_ends(gap, error)
    # Twice the pairs: a difference of shares lies between -1 and 1, a difference of two between -2 and 2.
    counts = (fours.ups[rare], fours.downs[rare], 2 * fours.sums[rare][:, 1::2].mean(axis=1))

    def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
        low, high = usual(confidence)
        below, above = rare_interval(*counts, confidence)
        low[rare], high[rare] = np.fmin(low[rare], 2 * below), np.fmax(high[rare], 2 * above)
        return low, high

    return ends
