"""The main figures by who played: values with each player, whether they depend on it, and what they are over players."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy  # loads its parts when they are first used
from scipy import special

from ...simulator.errors import UserError, counted
from ...strategies import registry
from ..stats import rates
from ..stats.bands import over_players
from ..stats.inference import ALL, QUANTILE, SIGNIFICANT, Ends, exact_ends, widened
from ..stats.rates import CLUSTERED, CONFIDENCE, SMALL_SAMPLE, as_cases, wilson
from ..stats.verdicts import (
    CHANGE,
    DECIDED,
    DEPENDS,
    DIFFERENT,
    FAR,
    STRENGTH,
    Verdict,
    adjusted_p,
    certainty_of,
    games_to_decide,
    having,
    judged,
    quantile_for,
    read,
    verdict_cells,
    verdict_columns,
    verdict_of,
    weakest,
)
from .decoded_games import Games
from .paired_figures import COLUMNS, ROUNDS, Subjects
from .paired_figures import figures_of as headline_of
from .read import sample_of

# --- The main figures of the same game, played by different strategies
#
# A way is a run: games whose seats are all played by one strategy, or drawn from the same ones. Each figure has in each way a
# value with n and intervals: Wilson's for shares, Student's for means over games. Two questions are answered.
#
# Does it depend on who plays? Verdicts (`stats.verdicts`) are about the pairwise differences between ways, against the margin
# (`margin_of`). Their intervals hold for all figures and pairs of ways together (95%; C. Bonferroni 1936); each is made of the
# two figures' own intervals (MOVER: G. Zou and A. Donner, Statistics in Medicine 27, 2008), exact ones for shares. A figure
# depends on who plays if some pair differs by more than the margin; it is alike if all pairs differ by less. A way with too few
# games to be alike with any (fewer than 100, or its own interval is wider than the margin) is named (`open`) and left out of
# the verdict.
#
# What is it over players? Over the good players, each with its own games: a mean with interval and verdict, how much players
# differ, a prediction for another good player, and who deviates (`stats.bands`). Where fewer than two good players are among
# the ways, all of them count. What a house rule changes, compared in several ways (`changes_by_way`), has the same columns,
# with 0 for the fair share. The games of different ways count as independent: common seeds make their figures alike, if
# anything, so intervals are too wide rather than too narrow.

SEPARATED = "; "  # between ways named in a cell: a way's name may hold commas
MANY_PLAYERS = 10  # players from which Student's tails are near the normal ones
BAND = (
    "mean", "mean_low", "mean_high", "mean_all_low", "mean_all_high", "tau", "prediction_low", "prediction_high",
)  # fmt: skip
# Means a game over the whole table of players.
DEEDS = {
    "capitals beaten": ("seats", "capitals_beaten"),
    "cities founded": ("seats", "cities_built"),
    "cities lost": ("seats", "cities_lost"),
    "reinforced control tokens at the end": ("seats", "reinforced_tokens"),
    "world wonders built": ("wonders", "round_built"),
    "captures of world wonders": ("wonders", "captures"),
}
DIFFERENCE = {"difference": "value", "low": "value_low", "high": "value_high", "difference_all_low": "value_all_low",
              "difference_all_high": "value_all_high"}  # fmt: skip
PAIRED = ("value_pair_low", "value_pair_high")  # ends from which intervals of differences between ways are made
NUMBERS = [column for table, column in DEEDS.values() if table == "seats"]


@dataclass
class StrategySums:
    """Sums over the games of one strategy: memory does not grow with the games."""

    players: int
    subjects: Subjects
    n: np.ndarray  # (figures,) games that count
    total: np.ndarray
    squares: np.ndarray

    def values(self) -> tuple[np.ndarray, Ends]:
        """Return each figure, and the ends of its intervals; NaN where no game counts."""
        figures = [figure for _, figure in figures_of(self.subjects)]
        shares, deeds = (np.array([kind(figure) for figure in figures]) for kind in (is_share, DEEDS.__contains__))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self.total / self.n
            error = np.sqrt(np.maximum(self.squares / self.n - mean**2, 0) / (self.n - 1))
            squares = self.squares - self.total * mean
        wins, cases = as_cases(np.where(shares, self.total, 0), self.n, np.where(shares, squares, 0))
        exactly = exact_ends(wins, cases)

        def ends(confidence: float) -> tuple[np.ndarray, np.ndarray]:
            single = confidence <= CONFIDENCE  # Wilson's holds on average; of several questions each has to hold
            low, high = wilson(wins, cases, confidence) if single else exactly(confidence)
            reach = scipy.stats.t.isf((1 - confidence) / 2, self.n - 1) * error
            least, most = _of_counts(self.total, self.n, confidence)
            few = deeds & (self.total < CLUSTERED)  # spread poorly known: at least Poisson's
            below = np.where(few, np.fmin(mean - reach, least), mean - reach)
            above = np.where(few, np.fmax(mean + reach, most), mean + reach)
            return np.where(shares, low, below), np.where(shares, high, above)

        return mean, ends


def _of_counts(total: np.ndarray, n: np.ndarray, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the exact intervals of Poisson counts a game (F. Garwood, Biometrika 28, 1936)."""
    tail = (1 - confidence) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(total > 0, special.gammaincinv(np.maximum(total, 1e-9), tail), 0.0) / n
        return low, special.gammaincinv(total + 1, 1 - tail) / n


def is_share(figure: str) -> bool:
    """Return whether a figure is a share instead of a mean."""
    return figure != ROUNDS and figure not in DEEDS


def figures_of(subjects: Subjects) -> tuple[tuple[str, str], ...]:
    """Return group and name of each figure: those of a comparison of rulesets, then the deeds of players."""
    return (*subjects.figures, *(("deeds", deed) for deed in DEEDS))


def way_of(run: Any, subjects: Subjects) -> StrategySums:
    """Return the sums over the games of a run, shard by shard; `run` is anything with `players` and `pieces`."""
    size = len(figures_of(subjects))
    way = StrategySums(run.players, subjects, np.zeros(size), np.zeros(size), np.zeros(size))
    for s in sample_of(run, (*COLUMNS, "captured"), NUMBERS):
        values = values_of(s.games, subjects)
        y, m = values[:, :, 0], values[:, :, 1]
        way.n += m.sum(axis=0)
        way.total += y.sum(axis=0)
        way.squares += (y * y).sum(axis=0)
    return way


def values_of(games: Games, subjects: Subjects) -> np.ndarray:
    """Return (games, figures, 2): numerator and denominator of each figure of `figures_of` in each of the games."""
    return np.concatenate([headline_of(games, subjects), _deeds(games)], axis=1)


def _deeds(games: Games) -> np.ndarray:
    """Return (games, deeds, 2): the deeds of the players of each game, and 1."""
    values = np.ones((len(games), len(DEEDS), 2))
    for k, (_, column) in enumerate(DEEDS.values()):
        if column == "round_built":
            values[:, k, 0] = np.bitwise_count(games.erected)
        elif column == "captures":
            values[:, k, 0] = np.bincount(games.captured.at, games.captured.when, len(games))
        else:
            values[:, k, 0] = games.number(column).sum(axis=1)
    return values


def ways(runs: Mapping[str, Any], subjects: Subjects) -> pd.DataFrame:
    """Return one row per figure and strategy.

    Columns: group, figure, way, n (games that count), value, value_low, value_high (95% alone), value_all_low, value_all_high
    (for all figures and ways together), value_pair_low, value_pair_high (from which intervals of differences are made), fair
    (the fair share of a win rate, else NaN), small_sample. Figures that no way has are left out. Raises UserError for fewer
    than two ways, or ways with different numbers of players.
    """
    if len(runs) < 2:
        raise UserError(f"{counted(len(runs), 'strategy', 'strategies')}; expected two or more to compare")
    players = {name: run.players for name, run in runs.items()}
    if len(set(players.values())) > 1:
        raise UserError(f"games of {', '.join(f'{n} players ({name})' for name, n in players.items())}; expected one number")
    return beside({name: way_of(run, subjects) for name, run in runs.items()})


def beside(added: Mapping[str, StrategySums]) -> pd.DataFrame:
    """Return the table of `ways` from the sums over the games of each way."""
    subjects = next(iter(added.values())).subjects
    present = np.stack([way.n > 1 for way in added.values()])
    alone, paired = _level(int(present.sum())), _level(_pairs(present.sum(axis=0)))
    frames = []
    for name, way in added.items():
        value, ends = way.values()
        columns = {"value": value}
        for kind, confidence in (("", CONFIDENCE), ("_all", alone), ("_pair", paired)):
            columns |= dict(zip((f"value{kind}_low", f"value{kind}_high"), ends(confidence), strict=True))
        frame = pd.DataFrame(list(figures_of(subjects)), columns=["group", "figure"]).assign(way=name, n=way.n.astype(np.int64))
        fair = np.where(frame["figure"].str.startswith("win rate"), 1 / way.players, np.nan)
        frames.append(frame.assign(**columns, fair=fair, place=range(len(frame)))[way.n > 1])
    table = pd.concat(frames, ignore_index=True).sort_values("place", kind="stable", ignore_index=True)
    return table.drop(columns="place").assign(small_sample=table["n"] < SMALL_SAMPLE)


def _level(questions: int) -> float:
    """Return the confidence of each of this many intervals that hold together with 95% (Bonferroni)."""
    return 1 - SIGNIFICANT / max(1, questions)


def _pairs(ways_of_figures: Any) -> int:
    """Return the number of pairs of ways over all figures, from the number of ways of each figure."""
    counts = np.asarray(ways_of_figures, np.int64)
    return int((counts * (counts - 1) // 2).sum())


def margin_of(figure: str) -> float:
    """Return the margin of a figure, within which values count as alike."""
    if is_share(figure):
        return rates.POINTS / 100
    return rates.ROUNDS if figure == ROUNDS else rates.DEEDS


def changes_by_way(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the changes by a house rule, one row per figure and way, for `verdicts`: `value` is the difference B - A.

    `frames` are `pairs.differences` of each way, with `tables` the number of ways, so that intervals hold for all. Beside the
    columns of `ways` there are `a`, `b` and `p_adjusted`; figures that one of the rulesets lacks are left out.
    """
    parts = []
    for name, frame in frames.items():
        part = frame.rename(columns=DIFFERENCE).assign(way=name, n=frame[["n_a", "n_b"]].min(axis=1), place=range(len(frame)))
        parts.append(part[part["p"].notna()])
    table = pd.concat(parts, ignore_index=True).sort_values("place", kind="stable", ignore_index=True)
    questions = _pairs(table.groupby(["group", "figure"]).size())
    ends = widened(table["value"], table["value_low"], table["value_high"])(_level(questions))
    table = table.assign(**dict(zip(PAIRED, ends, strict=True)))
    columns = ["group", "figure", "way", "n", "a", "b", *DIFFERENCE.values(), *PAIRED, "p_adjusted"]
    return table[columns].assign(fair=0.0, small_sample=table["n"] < SMALL_SAMPLE)


def verdicts(table: pd.DataFrame, players: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row per figure of `ways` or `changes_by_way`: does it depend on who plays, and what is it over `players`?

    Where none of the ways are named as `players`, they are `band_ways`.

    Columns: group, figure, ways (number), least and most (the smallest and the largest value), margin; one, other (the pair of
    deciding ways that is furthest apart for certain, or else as estimated), n_one, n_other, difference (one less other) with
    its interval `difference_all_low` to `difference_all_high` (all figures and pairs together), verdict, certainty,
    games_fewest and games_most (of the way with the most, the others in proportion), `open` (ways with too few games to be
    alike with any); then, over `players`: mean with mean_low to mean_high (95%) and mean_all_low to mean_all_high (all figures
    together), tau, prediction_low, prediction_high, deviates, and the verdict `stands` on the mean with its `stands_certainty`.
    """
    pairs, games = _pairs_of(table), float(table["n"].max())
    rows = []
    for (group, figure), part in table.groupby(["group", "figure"], sort=False):
        row = {"group": group, "figure": figure, "ways": len(part), "least": part["value"].min(), "most": part["value"].max()}
        own = pairs[(pairs["group"] == group) & (pairs["figure"] == figure)]
        rows.append(
            row
            | {"margin": margin_of(str(figure)), "open": SEPARATED.join(part["way"][_few(part)])}
            | _depends(own, len(pairs))
        )
    return _over_players(pd.DataFrame(rows), table, games, players or band_ways(table))


def _few(part: pd.DataFrame) -> pd.Series:
    """Return which ways of a figure have too few games to be alike with any."""
    value, low, high = (part[name] for name in ("value", *PAIRED))
    wide = np.maximum(high - value, value - low) > margin_of(str(part["figure"].iloc[0]))
    return pd.Series(wide | (part["n"] < SMALL_SAMPLE))


def _pairs_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row per figure and pair of ways: which is larger, by how much, the verdict, and the games that would decide.

    `decides`: both ways have enough games. `far` and `within` are the fewest games that show the pair to differ by more than
    the margin, or on either side of it, `most` the most.
    """
    parts = []
    for (group, figure), part in table.groupby(["group", "figure"], sort=False):
        value, low, high = (part[name].to_numpy(float) for name in ("value", *PAIRED))
        a, b = np.triu_indices(len(part), 1)
        a, b = np.where(value[a] >= value[b], (a, b), (b, a))
        gap, few, names, n = value[a] - value[b], _few(part).to_numpy(), part["way"].to_numpy(), part["n"].to_numpy()
        parts.append(pd.DataFrame({
            "group": group, "figure": figure, "one": names[a], "other": names[b], "n_one": n[a], "n_other": n[b],
            "difference": gap, "difference_all_low": gap - np.hypot(value[a] - low[a], high[b] - value[b]),
            "difference_all_high": gap + np.hypot(high[a] - value[a], value[b] - low[b]),
            "decides": ~few[a] & ~few[b], "margin": margin_of(str(figure)),
        }))  # fmt: skip
    pairs = pd.concat(parts, ignore_index=True)
    ends = [pairs[f"difference{end}"].to_numpy(float) for end in ALL]
    verdicts = [read(low, high, margin) for low, high, margin in zip(*ends[1:], pairs["margin"], strict=True)]
    pairs = pairs.assign(**verdict_columns(verdicts, DEPENDS))
    quantile, games = quantile_for(max(1, len(pairs))), float(table["n"].max())
    error = (ends[2] - ends[1]) / 2 / quantile
    effect = (ends[0] - QUANTILE * error, ends[0] + QUANTILE * error, error, games, pairs["margin"].to_numpy(), quantile)
    far, (within, most) = games_to_decide(*effect, FAR)[0], games_to_decide(*effect)
    return pairs.assign(far=far, within=within, most_games=most)


def _depends(pairs: pd.DataFrame, questions: int) -> dict[str, Any]:
    """Return the verdict on a figure from its pairs of ways, and the pair that is furthest apart."""
    verdict = _verdict(pairs)
    if pairs.empty:
        return verdict_cells(verdict, DEPENDS) | {"certainty": "untested", "games_fewest": np.nan, "games_most": np.nan}
    decides, low = pairs["decides"].to_numpy(), pairs["difference_all_low"].to_numpy()
    deciding = decides if verdict not in DIFFERENT and decides.any() else np.full(len(pairs), True)
    row = pairs.iloc[np.lexsort((pairs["difference"], np.maximum(low, 0), deciding))[-1]]
    columns = ["one", "other", "n_one", "n_other", "difference", "difference_all_low", "difference_all_high"]
    result = row[columns].to_dict() | verdict_cells(verdict, DEPENDS) | {"games_fewest": np.nan, "games_most": np.nan}
    if verdict is Verdict.NOT_COMPARED:
        return result | {"certainty": "untested"}
    # As certain as the pair that decides; that all are alike, as the least certain pair.
    wanted = FAR if verdict is Verdict.FAR_ABOVE else DIFFERENT if verdict is Verdict.ABOVE else {verdict}
    rows = pairs[having(pairs, wanted) & (decides | (verdict is not Verdict.WITHIN))].to_dict("records")
    value, lower, upper = (f"difference{end}" for end in ALL)
    p = [adjusted_p(verdict_of(pair), pair[value], pair[lower], pair[upper], pair["margin"], questions) for pair in rows]
    result["certainty"] = certainty_of((max if verdict is Verdict.WITHIN else min)(p, default=np.nan))
    if verdict not in DECIDED:
        result["games_fewest"] = min(pairs["far"].min(), pairs["within"].max())
        result["games_most"] = pairs["most_games"].max()
    return result


def _verdict(pairs: pd.DataFrame) -> Verdict:
    """Return the verdict on a figure from all its pairs of ways."""
    decides = pairs[pairs["decides"]]
    if having(pairs, FAR).any():
        return Verdict.FAR_ABOVE
    if len(decides) and having(decides, {Verdict.WITHIN}).all():
        return Verdict.WITHIN
    if having(pairs, DIFFERENT).any():
        return Verdict.ABOVE
    compared = (pairs[["n_one", "n_other"]].min(axis=1) >= SMALL_SAMPLE).any()
    return Verdict.UNDECIDED if compared else Verdict.NOT_COMPARED


def _over_players(frame: pd.DataFrame, table: pd.DataFrame, games: float, players: Sequence[str]) -> pd.DataFrame:
    """Return the table with each figure over players, and the verdict on its mean against the fair share, or of a change, 0."""
    fair = fair_of(table)
    by_figure = dict(iter(table[table["way"].isin(players)].groupby(["group", "figure"], sort=False)))
    has_fair = table.groupby(["group", "figure"])["fair"].first().notna()
    rows = []
    for key in zip(frame["group"], frame["figure"], strict=True):
        part = by_figure.get(key, table.iloc[:0])
        row: dict[str, Any] = dict.fromkeys(BAND, np.nan) | {"players": SEPARATED.join(part["way"]), "deviates": ""}
        if len(part) > 1:
            error = (part["value_high"] - part["value_low"]) / 2 / QUANTILE
            band = over_players(part["value"].to_numpy(), error.to_numpy(), list(part["way"]), int(has_fair.sum()))
            numbers = (band.estimate, band.low, band.high, band.all_low, band.all_high, band.tau)
            row |= dict(zip(BAND, (*numbers, band.prediction_low, band.prediction_high), strict=True))
            row["deviates"] = SEPARATED.join(band.deviates)
        rows.append(row)
    bands = pd.DataFrame(rows)
    compared = np.array([bool(has_fair[key]) for key in zip(frame["group"], frame["figure"], strict=True)])
    ends = list(BAND[:5])
    tested = bands[ends].where(np.broadcast_to(compared[:, None], (len(bands), len(ends))))
    labels = CHANGE if is_change(table) else STRENGTH
    verdicts = judged(tested, "mean", frame["margin"], games, labels, fair, max(1, int(has_fair.sum())))
    few = len(players) < MANY_PLAYERS  # Student's tails are heavier than those of the certainty
    certainty = [weakest((each, "shown")) if few else each for each in verdicts["certainty"]]
    frame = pd.concat([frame, _possible(frame["figure"], bands, is_change(table))], axis=1)
    stands: dict[str, Any] = {"stands": verdicts["verdict"], "stands_key": verdicts["verdict_key"]}
    stands["stands_certainty"] = certainty
    return frame.assign(**{name: np.where(compared, values, "") for name, values in stands.items()})


def _possible(figures: pd.Series, bands: pd.DataFrame, change: bool) -> pd.DataFrame:
    """Return the table with the ends of its intervals where figures can lie: shares from 0 to 1, counts from 0."""
    ends, share = [name for name in BAND if name not in ("mean", "tau")], np.array([is_share(figure) for figure in figures])
    least = np.where(share, -1.0, -np.inf) if change else 0.0
    return bands.assign(**bands[ends].clip(least, np.where(share, 1.0, np.inf), axis=0))


def band_ways(table: pd.DataFrame) -> list[str]:
    """Return the ways over which figures are averaged: the good ones if there are several, else all."""
    good = good_ways(table)
    return good if len(good) > 1 else list(dict.fromkeys(table["way"]))


def fair_of(table: pd.DataFrame) -> float:
    """Return the fair share; NaN where nobody won a game that counts."""
    shares = table["fair"].dropna()
    return float(shares.iloc[0]) if len(shares) else np.nan


def is_change(table: pd.DataFrame) -> bool:
    """Return whether a table is one of `changes_by_way`, whose values are differences."""
    return "p_adjusted" in table


def good_ways(table: pd.DataFrame) -> list[str]:
    """Return the ways whose players all beat the planner (`registry.GOOD`)."""
    return [way for way in dict.fromkeys(table["way"]) if set(re.findall(r"[^\W\d]\w*", way)) <= set(registry.GOOD)]
