"""What a sentence claims of rows, and how sure that is: a row's verdict is not yet what a sentence on several rows says.

Start with `Claim`; `pages.report_parts.say` makes a finding of a claim and its words, and refuses a figure that the claim's
rows do not have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used

from .best import Standing
from .best import certainty_of as certainty_of_standings
from .inference import QUANTILE, SIGNIFICANT
from .verdicts import certainty_of, lies_above, lies_below, sure_to_lie, weakest, weakest_difference


@dataclass(frozen=True)
class Claim:
    """What a sentence says of `rows`; `beside` are figures of the question itself: a margin, a size, how many were tested;
    `named` are names in it that the rows do not have, figures in them or not.

    A sentence that claims nothing but what these games have is `AsMeasured`. There is no claim that fits any sentence.
    """

    rows: pd.DataFrame
    beside: Sequence[float] = field(default=(), kw_only=True)
    named: Sequence[str] = field(default=(), kw_only=True)

    @property
    def certainty(self) -> str:
        """Return how sure the claim is: a key of `pages.report_parts.CERTAINTIES`."""
        raise NotImplementedError

    def figures(self) -> Iterator[float]:
        """Yield all figures that a sentence of this claim may name."""
        yield from self.beside
        yield from (len(self.rows), len(self.rows) - 1)
        for name in self.rows.columns:
            values = self.rows[name]
            if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
                yield from values.dropna().astype(float)

    def names(self) -> Iterator[str]:
        """Yield all texts of the rows, which a sentence may quote, figures in them or not."""
        yield from self.named
        for name in self.rows.columns:
            if self.rows[name].dtype == object or isinstance(self.rows[name].dtype, pd.CategoricalDtype | pd.StringDtype):
                yield from {str(value) for value in self.rows[name].dropna()}


@dataclass(frozen=True)
class Differ(Claim):
    """Each of these rows differs from what it is compared with, by any amount."""

    @property
    def certainty(self) -> str:
        """Return that of the least certain difference."""
        return weakest_difference(self.rows)


@dataclass(frozen=True)
class Stand(Claim):
    """Each of these rows has the verdict that its `verdict_key` says: beyond the margin, within it, or of unclear size.

    `of` is the beginning of its columns where a row has several verdicts: "stands", say.
    """

    of: str = ""

    @property
    def certainty(self) -> str:
        """Return that of the least certain verdict."""
        return weakest(self.rows[f"{self.of}_certainty" if self.of else "certainty"])


@dataclass(frozen=True)
class Undecided(Claim):
    """Some of these rows have no verdict yet, so a sentence on all of them together is open."""

    @property
    def certainty(self) -> str:
        """Return that it is open."""
        return "open"


@dataclass(frozen=True)
class Lie(Claim):
    """The own interval of each of these rows lies above `value`, or below it; else it is open where they lie."""

    name: str
    value: float = 0.0

    @property
    def certainty(self) -> str:
        """Return whether all lie clear of it, of few cases a hint."""
        above, below = lies_above(self.rows, self.name, self.value), lies_below(self.rows, self.name, self.value)
        clear = bool(above.all() or below.all())
        return weakest(sure_to_lie(row, clear) for row in self.rows.to_dict("records"))

    def figures(self) -> Iterator[float]:
        """Yield those of the rows, and the value."""
        yield self.value
        yield from super().figures()


@dataclass(frozen=True)
class WholeTable(Claim):
    """The table as a whole differs from what its model says; which rows do is open. `p` is adjusted for its family."""

    p: float

    @property
    def certainty(self) -> str:
        """Return that of the whole table's test."""
        return certainty_of(self.p)

    def figures(self) -> Iterator[float]:
        """Yield those of the rows, and p."""
        yield self.p
        yield from super().figures()


@dataclass(frozen=True)
class FirstRound(Claim):
    """The first round at which an effect of a stated size is shown: not before `earliest`, and by `shown` (NaN: never)."""

    size: float
    earliest: float
    shown: float

    @property
    def certainty(self) -> str:
        """Return that of simultaneous intervals: the round lies between the two in 95% of runs."""
        return "shown" if self.shown == self.shown else "open"

    def figures(self) -> Iterator[float]:
        """Yield those of the rows, the size, and the two rounds."""
        yield from (self.size, self.earliest, self.shown)
        yield from super().figures()


@dataclass(frozen=True)
class Most(Claim):
    """The first of these rows has the largest figure, and the others are not distinguishable from it."""

    @property
    def certainty(self) -> str:
        """Return whether it is shown to be alone."""
        return "shown" if len(self.rows) == 1 else "measured"


@dataclass(frozen=True)
class CouldBeFirst(Claim):
    """Which of these rows could be the strongest, by ranks that hold for all of them together in 95% of runs (`rank_best`)."""

    @property
    def certainty(self) -> str:
        """Return whether only one could be, of few cases a hint."""
        if (self.rows["rank_best"] == 1).sum() != 1:
            return "open"
        return "few" if self.rows["small_sample"].any() else "shown"


@dataclass(frozen=True)
class AmongBest(Claim):
    """What is known of some of these variants against the best of them: their `standing` (`best.with_the_best`).

    `of` are those that the sentence says something of that must be shown; the rows have all.
    """

    of: Collection[str] = ()

    @property
    def certainty(self) -> str:
        """Return that of bounds which hold together in 95% of answers; open if one of them only could be the best."""
        standings = self.rows.loc[self.rows["variant"].astype(str).isin(self.of), "standing"]
        return certainty_of_standings(None if pd.isna(standing) else Standing(standing) for standing in standings)


@dataclass(frozen=True)
class Deviate(Claim):
    """A player lies outside what the others predict in each of these rows: its name is in `deviates` (`bands.over_players`)."""

    player: str

    @property
    def certainty(self) -> str:
        """Return that of prediction intervals which hold for all figures and players together."""
        return certainty_of(SIGNIFICANT) if self.rows["deviates"].str.contains(self.player, regex=False).all() else "open"

    def names(self) -> Iterator[str]:
        """Yield the player, and the texts of the rows."""
        yield self.player
        yield from super().names()


@dataclass(frozen=True)
class Nothing(Claim):
    """None of these rows is shown to differ; `detectable` are the sizes that could have been missed, by what is said."""

    detectable: Sequence[float] = ()

    @property
    def certainty(self) -> str:
        """Return that it is open: not shown is not absent."""
        return "open"

    def figures(self) -> Iterator[float]:
        """Yield those of the rows, and the sizes."""
        yield from self.detectable
        yield from super().figures()


@dataclass(frozen=True)
class Untested(Claim):
    """These rows have too few cases for a test."""

    rows: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def certainty(self) -> str:
        """Return that nothing was compared."""
        return "untested"


@dataclass(frozen=True)
class FewCases(Claim):
    """What these rows have is a hint only: of too few cases."""

    @property
    def certainty(self) -> str:
        """Return that it is a hint."""
        return "few"


@dataclass(frozen=True)
class Limit(Claim):
    """What the figures cannot say: who played, what was not looked at; no figure but those of the question, or of its rows."""

    rows: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def certainty(self) -> str:
        """Return that it is no finding."""
        return "limit"


@dataclass(frozen=True)
class Quoted(Claim):
    """A sentence that a command said of its games and kept with them: one of the texts of the rows, as it was."""

    @property
    def certainty(self) -> str:
        """Return that it is given again, and not judged anew."""
        return "measured"

    def figures(self) -> Iterator[float]:
        """Yield none: the sentence itself is quoted."""
        yield from ()


@dataclass(frozen=True)
class AsMeasured(Claim):
    """What these games had, with its interval; nothing is tested."""

    @property
    def certainty(self) -> str:
        """Return that it is a figure only."""
        return "measured"


# --- Which rows a claim is of


def first_round(rows: pd.DataFrame, name: str, size: Any, sign: int = 1) -> FirstRound:
    """Return the claim on the first round at which a figure is at least `size` (`sign` -1: at most -size).

    `rows` are those of one measure by `round`, with intervals that hold for all of them together. The first round whose true
    figure is so large is not later than the first whose interval lies beyond the size, and not earlier than the first whose
    interval reaches it: with more games the two meet, while the first round of a mere difference goes to the first of all.
    """
    ordered = rows.sort_values("round", kind="stable")
    low, high = (
        sign * ordered[f"{name}_all_{end}"].to_numpy(float) for end in (("low", "high") if sign > 0 else ("high", "low"))
    )
    sizes = np.broadcast_to(np.asarray(size, float), len(ordered))
    shown, possible = low >= sizes, ~(high < sizes)
    when = ordered["round"].to_numpy(float)
    at = ordered.iloc[[int(np.argmax(shown))]] if shown.any() else ordered.iloc[:0]
    earliest = float(when[np.argmax(possible)]) if possible.any() else np.nan
    return FirstRound(at, float(np.max(sizes, initial=0)), earliest, float(at["round"].iloc[0]) if len(at) else np.nan)


def most(rows: pd.DataFrame, name: str) -> Most:
    """Return the claim on the row with the largest figure, and on those whose own intervals reach its own."""
    ordered = rows.sort_values(name, ascending=False, kind="stable")
    near = ordered[f"{name}_high"].to_numpy(float) >= float(ordered[f"{name}_low"].iloc[0])
    near[0] = True
    return Most(ordered[near])


def near_ends(estimate: Any, low: Any, high: Any, quantile: float = QUANTILE) -> np.ndarray:
    """Return how far from zero figures are at least, drawn to their mean: the near ends of shrunken estimates; 0 where none.

    The largest of many estimates owes much to chance, the more the fewer cases it has. Each is drawn to their mean by the share
    of its variance that is chance (W. James and C. Stein 1961; the variance of the true values by the moments of R. DerSimonian
    and N. Laird, Controlled Clinical Trials 7, 1986), and so is its error. `low` and `high` are intervals of this many standard
    errors on either side.
    """
    value, error = np.asarray(estimate, float), (np.asarray(high, float) - np.asarray(low, float)) / 2 / quantile
    known = np.isfinite(value) & np.isfinite(error) & (error > 0)
    if known.sum() < 2:
        return np.where(known, np.maximum(np.abs(value) - quantile * error, 0), np.nan_to_num(np.abs(value)))
    weight = 1 / error[known] ** 2
    mean = float((weight * value[known]).sum() / weight.sum())
    scale = weight.sum() - (weight**2).sum() / weight.sum()
    true = max(0.0, (float((weight * (value[known] - mean) ** 2).sum()) - (known.sum() - 1)) / scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        kept = true / (true + error**2)
    drawn = mean + kept * (value - mean)
    return np.where(known, np.maximum(np.abs(drawn) - quantile * np.sqrt(kept) * error, 0), np.nan_to_num(np.abs(value)))


def extreme_first(frame: pd.DataFrame, size: str) -> pd.DataFrame:
    """Return rows that are shown to differ, that which is largest beyond doubt first (`near_ends`), then by estimate.

    Of mirrored rows the first in the table stays first.
    """
    kind = "" if f"{size}_low" in frame else "_all"
    ends = near_ends(frame[size], frame[f"{size}{kind}_low"], frame[f"{size}{kind}_high"])
    keys = pd.DataFrame({"near": ends.round(9), "size": frame[size].abs().round(9).to_numpy()}, index=frame.index)
    return frame.loc[keys.sort_values(["near", "size"], ascending=False, kind="stable").index]


def whole_table(scores: np.ndarray, covariance: np.ndarray) -> tuple[float, int, float]:
    """Return χ², its degrees of freedom and p of a whole table of scores whose covariance is known, if none of them is real.

    Directions that the model has used up (no variance left) do not count: a generalised inverse (C. Rao and S. Mitra 1971).
    """
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    used = values > 1e-6 * max(1.0, float(values.max(initial=0)))
    if not used.any():
        return 0.0, 0, 1.0
    part = (vectors.T @ (scores / scale))[used] ** 2 / values[used]
    return float(part.sum()), int(used.sum()), float(scipy.stats.chi2.sf(part.sum(), used.sum()))


def gate(p: Any, p_whole: float, weight: int) -> float:
    """Return the adjusted p value of a table as a whole, of its whole test and its most certain row, half the error each.

    `p` are the rows' adjusted p values, `p_whole` that of the whole table, `weight` as how many questions its family counts
    (`inference.weight_of`). A row is told only where this is significant, at the family's whole error: if nothing in the table
    is real, anything is said in at most that share of runs; if something is, rows err as before (serial gatekeeping: P.
    Westfall and A. Krishen, Journal of Statistical Planning and Inference 99, 2001; the half for a single strong row: a closed
    test, R. Marcus, E. Peritz and K. Gabriel, Biometrika 63, 1976).
    """
    rows = [value for value in np.asarray(p, float) if value == value]
    return min(1.0, 2 * min([weight * p_whole, *rows]))
