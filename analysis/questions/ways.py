"""Ways: which figures hold for all strategies, and which depend on who plays?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats

from ...simulator.errors import UserError
from ...simulator.rules.contents import agenda_names, names_of
from ...simulator.runs.folder import Place
from ...simulator.wording import counted
from ...strategies import registry
from ..pages import plots
from ..pages.parts import Chart, Column, Finding, First, Part, Source
from ..pages.sentences import Made, by_verdict, more_games
from ..stats import rates
from ..stats.answer import (
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
    verdict_of,
    verdict_words,
    weakest,
)
from ..stats.inference import ALL, QUANTILE, SIGNIFICANT, Ends, exact_ends, widened
from ..stats.players_band import over_players
from ..stats.rates import CLUSTERED, CONFIDENCE, SMALL_SAMPLE, as_cases, wilson
from ..tables.columns import Games
from ..tables.kept import Kept
from ..tables.read import Run, asked, open_run
from . import compare
from .compare import COLUMNS, Subjects

# --- Does it depend on who plays? The main figures of the same game, played in several ways
#
# A way is a run: games whose seats are all played by one strategy, or drawn from the same ones. Each figure has in each way a
# value with n and intervals: Wilson's for shares, Student's for means over games. Two things are said of it.
#
# Does it depend on who plays? Verdicts (`statistics.answer`) are about the differences between ways, two by two, against the
# margin (`margin_of`). Their intervals hold for all figures and pairs of ways together (95%; C. Bonferroni 1936); each is
# made of the two figures' own intervals (MOVER: G. Zou and A. Donner, Statistics in Medicine 27, 2008), exact ones for
# shares. A figure depends on who plays if some pair is further apart than the margin, it is alike if all pairs are within. A
# way with too few games to be alike with any (fewer than 100, or its own interval reaches further than the margin) leaves
# that open for itself alone (`open`): the other ways decide.
#
# What is it over players? Of the good players, each with the games it has, an average with interval and verdict, how far
# players differ, what another good player would make of it, and who deviates (`stats.players_band`). Where fewer than two
# good players are among the ways, all of them count. What a house rule changes, compared in several ways (`changes_by_way`),
# is asked the same, with 0 for the fair share. The games of different ways count as separate: common seeds make their figures
# alike, if anything, and intervals wider than they need be.

ROUNDS_FIGURE, FIRST_PLAYER = "rounds", "win rate of the first player"
SEPARATED = "; "  # ways named in a cell: a way's name may hold commas
EXAMPLES = 3  # figures that are said in words
MANY_PLAYERS = 10  # from here Student's tails are near the normal ones
BAND = (
    "mean", "mean_low", "mean_high", "mean_all_low", "mean_all_high", "tau", "prediction_low", "prediction_high",
)  # fmt: skip

# What seats and wonders did: means a game, of the whole table of players.
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
PAIRED = ("value_pair_low", "value_pair_high")  # the ends that intervals of differences between ways are made of
NUMBERS = [column for table, column in DEEDS.values() if table == "seats"]


@dataclass
class Way:
    """Sums over the games of one strategy: all that is needed, so that memory does not grow with the games."""

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
            single = confidence <= CONFIDENCE  # Wilson's holds on the average; of many questions each has to hold
            low, high = wilson(wins, cases, confidence) if single else exactly(confidence)
            reach = stats.t.isf((1 - confidence) / 2, self.n - 1) * error
            least, most = _of_counts(self.total, self.n, confidence)
            few = deeds & (self.total < CLUSTERED)  # too few for their spread to be known: no less than Poisson's
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
    """Say whether a figure is a share, and no mean of numbers."""
    return figure != ROUNDS_FIGURE and figure not in DEEDS


def figures_of(subjects: Subjects) -> tuple[tuple[str, str], ...]:
    """Return group and name of each figure: those of a comparison of rulesets, then what the players do."""
    return (*subjects.figures, *(("deeds", deed) for deed in DEEDS))


def way_of(run: Any, subjects: Subjects) -> Way:
    """Add up the games of a run, shard by shard; it is anything with `players` and `pieces`."""
    size = len(figures_of(subjects))
    way = Way(run.players, subjects, np.zeros(size), np.zeros(size), np.zeros(size))
    for s in asked(run, (*COLUMNS, "captured"), NUMBERS):
        values = values_of(s.games, subjects)
        y, m = values[:, :, 0], values[:, :, 1]
        way.n += m.sum(axis=0)
        way.total += y.sum(axis=0)
        way.squares += (y * y).sum(axis=0)
    return way


def values_of(games: Games, subjects: Subjects) -> np.ndarray:
    """Return (games, figures, 2): numerator and denominator of each figure of `figures_of` in each of the games."""
    return np.concatenate([compare.figures_of(games, subjects), _deeds(games)], axis=1)


def _deeds(games: Games) -> np.ndarray:
    """Return (games, deeds, 2): what the players of each game did, and 1."""
    found = np.ones((len(games), len(DEEDS), 2))
    for k, (_, column) in enumerate(DEEDS.values()):
        if column == "round_built":
            found[:, k, 0] = np.bitwise_count(games.erected)
        elif column == "captures":
            found[:, k, 0] = np.bincount(games.captured.at, games.captured.when, len(games))
        else:
            found[:, k, 0] = games.number(column).sum(axis=1)
    return found


def subjects_of_run(run: Any) -> Subjects:
    """Return the leaders, agendas and wonders of a run's ruleset; the base game's for a run that keeps no rules."""
    data = run.manifest.get("ruleset", {}).get("data")
    if not data:
        return Subjects()
    return Subjects(tuple(names_of(data, "leader")), tuple(agenda_names(data)), tuple(names_of(data, "wonder")))


def open_ways(folders: Sequence[Place]) -> dict[str, Run]:
    """Return the runs in the folders by the names of their ways: who plays, or the folder's name where two are the same.

    Raises UserError for a folder without a run, one named twice, or other rules or numbers of players than the first has.
    """
    runs = [open_run(folder) for folder in folders]
    for folder, run in zip(folders, runs, strict=True):
        if [other.resolve() for other in folders].count(folder.resolve()) > 1:
            raise UserError(f"{folder}: is named twice; expected each run once")
        rules, first = (one.manifest.get("ruleset", {}) for one in (run, runs[0]))
        if rules.get("digest") != first.get("digest"):
            own, others = (one.get("name", "unknown rules") for one in (rules, first))
            raise UserError(f"{folder}: played by other rules ({own}) than {folders[0]} ({others}); expected the same")
        if run.players != runs[0].players:
            raise UserError(f"{folder}: games of {run.players} players; expected {runs[0].players} as in {folders[0]}")
    names = [", ".join(dict.fromkeys(run.manifest["plan"].get("strategies", []))) for run in runs]
    twice = len(set(names)) < len(names)
    return {str(folder) if twice else name: run for folder, name, run in zip(folders, names, runs, strict=True)}


def ways(runs: Mapping[str, Any], subjects: Subjects) -> pd.DataFrame:
    """Return one row a figure and strategy.

    Columns: group, figure, way, n (games that count), value, value_low, value_high (95% alone), value_all_low, value_all_high
    (for all figures and ways together), value_pair_low, value_pair_high (what intervals of differences are made of), fair (the
    fair share of a win rate, else NaN), small_sample. Figures that no way has are left out. Raises UserError for fewer than
    two ways, or ways with other numbers of players.
    """
    if len(runs) < 2:
        raise UserError(f"{counted(len(runs), 'strategy', 'strategies')}; expected two or more to compare")
    players = {name: run.players for name, run in runs.items()}
    if len(set(players.values())) > 1:
        raise UserError(f"games of {', '.join(f'{n} players ({name})' for name, n in players.items())}; expected one number")
    return beside({name: way_of(run, subjects) for name, run in runs.items()})


def beside(added: Mapping[str, Way]) -> pd.DataFrame:
    """Return the table of `ways` from the sums over the games of each way."""
    subjects = next(iter(added.values())).subjects
    known = np.stack([way.n > 1 for way in added.values()])
    alone, paired = _level(int(known.sum())), _level(_pairs(known.sum(axis=0)))
    frames = []
    for name, way in added.items():
        value, ends = way.values()
        columns = {"value": value}
        for kind, confidence in (("", CONFIDENCE), ("_all", alone), ("_pair", paired)):
            columns |= dict(zip((f"value{kind}_low", f"value{kind}_high"), ends(confidence), strict=True))
        frame = pd.DataFrame(list(figures_of(subjects)), columns=["group", "figure"]).assign(way=name, n=way.n.astype(np.int64))
        fair = np.where(frame["figure"].str.startswith("win rate"), 1 / way.players, np.nan)
        frames.append(frame.assign(**columns, fair=fair, place=range(len(frame)))[way.n > 1])
    found = pd.concat(frames, ignore_index=True).sort_values("place", kind="stable", ignore_index=True)
    return found.drop(columns="place").assign(small_sample=found["n"] < SMALL_SAMPLE)


def _level(questions: int) -> float:
    """Return the confidence of each of so many intervals, all of which hold together with 95%."""
    return 1 - SIGNIFICANT / max(1, questions)


def _pairs(ways_of_figures: Any) -> int:
    """Return how many pairs of ways there are, over all figures, by the number of ways that have each."""
    counts = np.asarray(ways_of_figures, np.int64)
    return int((counts * (counts - 1) // 2).sum())


def margin_of(figure: str) -> float:
    """Return within which values count as alike."""
    if is_share(figure):
        return rates.POINTS / 100
    return rates.ROUNDS if figure == ROUNDS_FIGURE else rates.DEEDS


def changes_by_way(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return what a house rule changes, one row a figure and way, as a table for `verdicts`: `value` is the difference B - A.

    `frames` are `compare.differences` of each way, with `tables` the number of ways, so that intervals hold for all. Beside the
    columns of `ways` there are `a`, `b` and `p_adjusted`; figures that one of the rulesets does not have are left out.
    """
    parts = []
    for name, frame in frames.items():
        part = frame.rename(columns=DIFFERENCE).assign(way=name, n=frame[["n_a", "n_b"]].min(axis=1), place=range(len(frame)))
        parts.append(part[part["p"].notna()])
    found = pd.concat(parts, ignore_index=True).sort_values("place", kind="stable", ignore_index=True)
    questions = _pairs(found.groupby(["group", "figure"]).size())
    ends = widened(found["value"], found["value_low"], found["value_high"])(_level(questions))
    found = found.assign(**dict(zip(PAIRED, ends, strict=True)))
    columns = ["group", "figure", "way", "n", "a", "b", *DIFFERENCE.values(), *PAIRED, "p_adjusted"]
    return found[columns].assign(fair=0.0, small_sample=found["n"] < SMALL_SAMPLE)


def verdicts(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a figure of `ways` or `changes_by_way`: does it depend on who plays, and what is it over players?

    Columns: group, figure, ways (number), least and most (the smallest and the largest value), margin; one, other (the pair of
    ways that is furthest apart for sure, or else as it seems, of those that decide), n_one, n_other, difference (one less
    other) with its interval `difference_all_low` to `difference_all_high` (all figures and pairs together), verdict, certainty,
    games_fewest and games_most (of the way with the most, the others in proportion), `open` (ways with too few games to be
    alike with any); then, over `players`: mean with mean_low to mean_high (95%) and mean_all_low to mean_all_high (all
    figures together), tau, prediction_low, prediction_high, deviates, and the verdict `stands` on the mean with its
    `stands_certainty`.
    """
    pairs, games = _pairs_of(table), float(table["n"].max())
    rows = []
    for (group, figure), part in table.groupby(["group", "figure"], sort=False):
        row = {"group": group, "figure": figure, "ways": len(part), "least": part["value"].min(), "most": part["value"].max()}
        own = pairs[(pairs["group"] == group) & (pairs["figure"] == figure)]
        rows.append(row | {"margin": margin_of(str(figure)), "open": _too_few(part)} | _depends(own, len(pairs)))
    return _over_players(pd.DataFrame(rows), table, games)


def _too_few(part: pd.DataFrame) -> str:
    """Return the ways of a figure that have too few games to be alike with any."""
    return SEPARATED.join(part["way"][_few(part)])


def _few(part: pd.DataFrame) -> pd.Series:
    """Mark the ways of a figure that have too few games to be alike with any."""
    value, low, high = (part[name] for name in ("value", *PAIRED))
    wide = np.maximum(high - value, value - low) > margin_of(str(part["figure"].iloc[0]))
    return pd.Series(wide | (part["n"] < SMALL_SAMPLE))


def _pairs_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a figure and pair of ways: which is larger, by how much, what that says, and what would decide it.

    `decides`: both ways have enough games. `far` and `within` are the fewest games that show the pair to be further apart than
    the margin, or to be on either side of it, `most` the most.
    """
    parts = []
    for (group, figure), part in table.groupby(["group", "figure"], sort=False):
        value, low, high = (part[name].to_numpy(float) for name in ("value", *PAIRED))
        one, other = np.triu_indices(len(part), 1)
        one, other = np.where(value[one] >= value[other], (one, other), (other, one))
        gap, few, names, n = value[one] - value[other], _few(part).to_numpy(), part["way"].to_numpy(), part["n"].to_numpy()
        parts.append(pd.DataFrame({
            "group": group, "figure": figure, "one": names[one], "other": names[other], "n_one": n[one], "n_other": n[other],
            "difference": gap, "difference_all_low": gap - np.hypot(value[one] - low[one], high[other] - value[other]),
            "difference_all_high": gap + np.hypot(high[one] - value[one], value[other] - low[other]),
            "decides": ~few[one] & ~few[other], "margin": margin_of(str(figure)),
        }))  # fmt: skip
    found = pd.concat(parts, ignore_index=True)
    ends = [found[f"difference{end}"].to_numpy(float) for end in ALL]
    verdicts = [read(low, high, margin) for low, high, margin in zip(*ends[1:], found["margin"], strict=True)]
    found = found.assign(verdict=pd.Series(verdicts, dtype=object))
    quantile, games = quantile_for(max(1, len(found))), float(table["n"].max())
    error = (ends[2] - ends[1]) / 2 / quantile
    asked = (ends[0] - QUANTILE * error, ends[0] + QUANTILE * error, error, games, found["margin"].to_numpy(), quantile)
    far, (within, most) = games_to_decide(*asked, FAR)[0], games_to_decide(*asked)
    return found.assign(far=far, within=within, most_games=most)


def _depends(pairs: pd.DataFrame, questions: int) -> dict[str, Any]:
    """Return the verdict on a figure from its pairs of ways, and the pair that is furthest apart."""
    verdict = _verdict(pairs)
    if pairs.empty:
        return {"verdict": DEPENDS.of(verdict), "certainty": "untested", "games_fewest": np.nan, "games_most": np.nan}
    decides, low = pairs["decides"].to_numpy(), pairs["difference_all_low"].to_numpy()
    deciding = decides if verdict not in DIFFERENT and decides.any() else np.full(len(pairs), True)
    row = pairs.iloc[np.lexsort((pairs["difference"], np.maximum(low, 0), deciding))[-1]]
    kept = ["one", "other", "n_one", "n_other", "difference", "difference_all_low", "difference_all_high"]
    found = row[kept].to_dict() | {"verdict": DEPENDS.of(verdict), "games_fewest": np.nan, "games_most": np.nan}
    if verdict is Verdict.NOT_COMPARED:
        return found | {"certainty": "untested"}
    # As sure as the pair that says it; that all are alike, as the least sure of them.
    wanted = FAR if verdict is Verdict.FAR_ABOVE else DIFFERENT if verdict is Verdict.ABOVE else {verdict}
    rows = pairs[pairs["verdict"].isin(wanted) & (decides | (verdict is not Verdict.WITHIN))].to_dict("records")
    p = [
        adjusted_p(
            one["verdict"], one["difference"], one["difference_all_low"], one["difference_all_high"], one["margin"], questions
        )
        for one in rows
    ]
    found["certainty"] = certainty_of((max if verdict is Verdict.WITHIN else min)(p, default=np.nan))
    if verdict not in DECIDED:
        found["games_fewest"] = min(pairs["far"].min(), pairs["within"].max())
        found["games_most"] = pairs["most_games"].max()
    return found


def _verdict(pairs: pd.DataFrame) -> Verdict:
    """Return what the pairs of ways of a figure say together."""
    said, decides = set(pairs["verdict"]), pairs.loc[pairs["decides"], "verdict"]
    if said & FAR:
        return Verdict.FAR_ABOVE
    if len(decides) and set(decides) == {Verdict.WITHIN}:
        return Verdict.WITHIN
    if said & DIFFERENT:
        return Verdict.ABOVE
    compared = (pairs[["n_one", "n_other"]].min(axis=1) >= SMALL_SAMPLE).any()
    return Verdict.UNDECIDED if compared else Verdict.NOT_COMPARED


def _over_players(found: pd.DataFrame, table: pd.DataFrame, games: float) -> pd.DataFrame:
    """Add what each figure is over players, and how that stands to the fair share, or of a change to 0."""
    players, fair = band_ways(table), _fair(table)
    by_figure = dict(iter(table[table["way"].isin(players)].groupby(["group", "figure"], sort=False)))
    asked = table.groupby(["group", "figure"])["fair"].first().notna()
    rows = []
    for key in zip(found["group"], found["figure"], strict=True):
        part = by_figure.get(key, table.iloc[:0])
        row: dict[str, Any] = dict.fromkeys(BAND, np.nan) | {"players": SEPARATED.join(part["way"]), "deviates": ""}
        if len(part) > 1:
            error = (part["value_high"] - part["value_low"]) / 2 / QUANTILE
            band = over_players(part["value"].to_numpy(), error.to_numpy(), list(part["way"]), int(asked.sum()))
            numbers = (band.estimate, band.low, band.high, band.all_low, band.all_high, band.tau)
            row |= dict(zip(BAND, (*numbers, band.prediction_low, band.prediction_high), strict=True))
            row["deviates"] = SEPARATED.join(band.deviates)
        rows.append(row)
    bands = pd.DataFrame(rows)
    compared = np.array([bool(asked[key]) for key in zip(found["group"], found["figure"], strict=True)])
    ends = list(BAND[:5])
    tested = bands[ends].where(np.broadcast_to(compared[:, None], (len(bands), len(ends))))
    words = CHANGE if is_change(table) else STRENGTH
    told = judged(tested, "mean", found["margin"], games, words, fair, max(1, int(asked.sum())))
    few = len(players) < MANY_PLAYERS  # Student's tails are heavier than those of the certainty
    sure = [weakest((one, "shown")) if few else one for one in told["certainty"]]
    found = pd.concat([found, bands], axis=1)
    return found.assign(stands=np.where(compared, told["verdict"], ""), stands_certainty=np.where(compared, sure, ""))


def band_ways(table: pd.DataFrame) -> list[str]:
    """Return the ways that a figure over players is of: the good ones if there are several, else all."""
    good = good_ways(table)
    return good if len(good) > 1 else list(dict.fromkeys(table["way"]))


def _fair(table: pd.DataFrame) -> float:
    """Return what shares are compared with; NaN where nobody won a game that counts."""
    known = table["fair"].dropna()
    return float(known.iloc[0]) if len(known) else np.nan


def is_change(table: pd.DataFrame) -> bool:
    """Say whether a table is of `changes_by_way`: its values are differences."""
    return "p_adjusted" in table


# --- In words


def unit_of(figure: str) -> tuple[float, int, str]:
    """Return by what differences of a figure are multiplied to be shown, their digits and their unit."""
    if is_share(figure):
        return 100, 1, "points"
    return (1, 2, "rounds") if figure == ROUNDS_FIGURE else (1, 2, "a game")


def shown_value(row: Any) -> str:
    """Return the value of a row with the interval that holds for all, in its unit; differences have a sign."""
    scale, digits, _ = unit_of(row["figure"])
    value, low, high = (scale * row[f"value{end}"] for end in ALL)
    if "p_adjusted" in row:
        return f"{value:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"
    return f"{value:.{digits}f}{'%' if scale == 100 else ''} [{low:.{digits}f}, {high:.{digits}f}]"


def shown_verdict(row: Any) -> str:
    """Return the verdict on a figure, with the games that would decide it, and the ways that it leaves out."""
    left_out = row["open"] and verdict_of(row["verdict"]) is Verdict.WITHIN
    return f"{row['verdict']} ({row['open']}: too few games)" if left_out else verdict_words(row)


def shown_band(row: Any) -> str:
    """Return what a figure is over players: average with interval, what another player would make of it, who deviates."""
    if np.isnan(row["mean"]):
        return ""
    scale, digits, _ = unit_of(row["figure"])
    value, low, high, least, most = (
        f"{scale * row[name]:.{digits}f}" for name in ("mean", "mean_low", "mean_high", "prediction_low", "prediction_high")
    )
    deviates = f"; not {row['deviates']}" if row["deviates"] else ""
    return f"{value} [{low}, {high}], another {least} to {most}{deviates}"


def sentences(table: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """Return in words what figures are over players, and which depend on who plays."""
    return [text for text, _ in said(table, found)]


def said(table: pd.DataFrame, found: pd.DataFrame) -> list[tuple[str, str]]:
    """Return these sentences, each with how sure it is."""
    texts = [*_standing(table, found), *_depending(found, is_change(table))]
    noun = "change" if is_change(table) else "figure"
    counts = found["verdict"].value_counts()
    rest = ", ".join(f"{counts[word]} {word}" for word in dict.fromkeys(map(DEPENDS.of, Verdict)) if word in counts)
    texts.append((f"Of {counted(len(found), noun)}: {rest}.", "measured"))
    left_out = found.loc[having(found, {Verdict.WITHIN}), "open"]
    for way in dict.fromkeys(table["way"]):
        few = sum(way in names.split(SEPARATED) for names in left_out)
        if few:
            texts.append((f"{way}: too few games to be called alike, so left out of {counted(few, noun)}.", "few"))
    return texts


def good_ways(table: pd.DataFrame) -> list[str]:
    """Return the ways in which all players are of those that beat the planner (`registry.GOOD`)."""
    return [way for way in dict.fromkeys(table["way"]) if set(re.findall(r"[^\W\d]\w*", way)) <= set(registry.GOOD)]


def _standing(table: pd.DataFrame, found: pd.DataFrame) -> list[tuple[str, str]]:
    """Say which figures stand beyond the margin over players, what another player would make of them, and who deviates."""
    change, players = is_change(table), band_ways(table)
    good = "the good players" if set(players) <= set(good_ways(table)) else "these players"
    named = f"{good} ({', '.join(players)})"
    far = found[found["stands"].isin([words.of(one) for words in (STRENGTH, CHANGE) for one in FAR])]
    if far.empty:
        nothing = "figure is raised or lowered" if change else "leader or place is too strong or too weak"
        texts = [(f"No {nothing} by detectably more than the margin over {named}.", "open")]
    else:
        size = (far["mean"] - _fair(table)).abs() / far["margin"]
        most = far.loc[size.sort_values(ascending=False, kind="stable").index]
        texts = [(_stands(row, named, change), row["stands_certainty"]) for row in most.head(EXAMPLES).to_dict("records")]
        if len(far) > EXAMPLES:
            rest = weakest(most["stands_certainty"].iloc[EXAMPLES:])
            texts.append((f"{len(far) - EXAMPLES} more stand beyond the margin over {good}: table.", rest))
    for way in players:
        own = [row["figure"] for row in found.to_dict("records") if way in row["deviates"].split(SEPARATED)]
        if own:
            more = f" ({len(own) - EXAMPLES} more: table)" if len(own) > EXAMPLES else ""
            texts.append((f"{way} deviates from what the others predict: {', '.join(own[:EXAMPLES])}{more}.", "shown"))
    return texts


def _stands(row: Any, named: str, change: bool) -> str:
    scale, digits, unit = unit_of(row["figure"])
    form = f"+.{digits}f" if change else f".{digits}f"
    value, low, high, least, most = (
        f"{scale * row[name]:{form}}" for name in ("mean", "mean_all_low", "mean_all_high", "prediction_low", "prediction_high")
    )
    mark = f" {unit}" if change else "%" if scale == 100 else f" {unit}"
    size = f"{value}{mark} [{low}, {high}]" if mark == "%" else f"{value} [{low}, {high}]{mark}"
    start = f"Over {named} {whom(row['figure'], change)} is {row['stands']}: {size} on average."
    return f"{start} Another such player would make it {least} to {most}{mark}."


def _depending(found: pd.DataFrame, change: bool) -> list[tuple[str, str]]:
    """Say which figures differ by more than the margin, those furthest beyond it first."""
    most, noun = found[having(found, FAR)], "change" if change else "figure"
    words = f"({rates.POINTS:g} points, {rates.ROUNDS:g} round, {rates.DEEDS:g} deeds a game)"
    if most.empty:
        return [(f"No {noun} depends on who plays by detectably more than the margin {words}.", "open")]
    size = (most["difference_all_low"] / most["margin"]).sort_values(ascending=False, kind="stable")
    first, *others = (_pair(row) for row in most.loc[size.index].head(EXAMPLES).to_dict("records"))
    texts = ". ".join([first, *(f"{text[0].upper()}{text[1:]}" for text in others)])
    many = f"{len(most)} of {counted(len(found), noun)} {'depends' if len(most) == 1 else 'depend'} on who plays"
    text = f"{many}: two strategies differ by more than the margin {words}. Furthest apart: {texts}."
    return [(text, weakest(most["certainty"]))]


def _pair(row: Any) -> str:
    scale, digits, unit = unit_of(row["figure"])
    gap, low, high = (f"{scale * row[f'difference{end}']:+.{digits}f}" for end in ALL)
    games = f"(n = {row['n_one']:,.0f} and {row['n_other']:,.0f})"
    return f"{row['figure']}, {row['one']} minus {row['other']} {gap} [{low}, {high}] {unit} {games}"


def whom(figure: str, change: bool = False) -> str:
    """Return whom a win rate is of; the whole figure, if a change of it is told."""
    return figure if change else figure.removeprefix("win rate of ")


# --- The chapter on several strategies
#
# The main figures by who played, and which findings hold for all of them.
#
# The page of `newdawn ways` is made of it, and the report of a run that is looked at beside others (`newdawn report
# --beside`).

CHAPTER = "Strategies compared"
GROUPS = {
    "leaders": "Leaders under each strategy", "game": "The game under each strategy",
    "agendas": "Agendas under each strategy", "wonders": "World wonders under each strategy",
    "deeds": "What players do under each strategy",
}  # fmt: skip
METHOD = (
    "Each strategy played a run of its own. Over the good players, each figure has an average, and what another of them would "
    "make of it (random effects, Hartung and Knapp 2001; Nagashima and others 2019). Whether strategies agree on it is read "
    f"off differences of two strategies (MOVER: Zou and Donner 2008), against a margin of {rates.POINTS:g} points, "
    f"{rates.ROUNDS:g} round or {rates.DEEDS:g} deeds a game. A strategy with fewer than 100 games, or a wider interval "
    "than the margin, is left out of verdicts that figures are alike."
)


def keys() -> list[str]:
    """Return the keys of the parts that there can be."""
    return [f"ways-{group}" for group in GROUPS]


def parts_of(table: pd.DataFrame, verdicts: pd.DataFrame, first_sentences: bool = True) -> list[Part]:
    """Return the parts on what `contests.ways` found; the first one has the sentences about all figures."""
    names, change = list(dict.fromkeys(table["way"])), is_change(table)
    wide = _wide(table, verdicts, names)
    columns = (
        Column("figure", "figure"), Column("unit", "unit"), Column("games", "games", "text", "that count, of each way"),
        *(Column(f"way{k}", f"{name} [95% all]", "points" if change else "number") for k, name in enumerate(names)),
        Column("difference", "largest difference [95% all]", "points", "of two ways; points, rounds, or deeds a game"),
        Column("depends", "does it depend on who plays?"), Column("band", "over players [95%], another, but not"),
        Column("stands", "verdict over players"),
        Column("small_sample", "few?", "flag", "few games of a way: take the row as a hint"),
    )  # fmt: skip
    present = [group for group in GROUPS if (wide["group"] == group).any()]
    parts = []
    for group in present:
        said = findings(table, verdicts) if first_sentences and group == present[0] else []
        parts.append(
            Part(
                f"ways-{group}", GROUPS[group], partial(_of_group, wide, group), columns, chapter=CHAPTER,
                note="The same figures by who played; intervals hold for all of them together.",
                method=METHOD if group == present[0] else "",
                charts=(Chart(
                    f"ways-{group}", GROUPS[group], f"95% for all figures and ways together; filled: {DEPENDS.far_above}.",
                    partial(_draw, names=names), partial(_height, names=names), worth=lambda frame: bool(_shares(frame).any()),
                    message=_depends_message,
                ),),
                findings=partial(_said, said),
            )
        )  # fmt: skip
    return parts


def chapter_beside(run: Run, folders: Sequence[Place]) -> list[Part]:
    """Return the chapter on a run beside others of the same rules; raise UserError if they cannot be set beside it."""
    runs = open_ways([run.path, *folders])
    table = ways(runs, subjects_of_run(run))
    return parts_of(table, verdicts(table))


def _of_group(wide: pd.DataFrame, group: str, source: Source) -> pd.DataFrame:
    return wide[wide["group"] == group].reset_index(drop=True)


def findings(table: pd.DataFrame, verdicts: pd.DataFrame) -> list[Finding]:
    """Return what is said of all figures."""
    return [Finding(text, certainty) for text, certainty in said(table, verdicts)]


def _said(said: Sequence[Finding], frame: pd.DataFrame, source: Source) -> list[Finding]:
    return list(said)


def _shares(frame: pd.DataFrame) -> pd.Series:
    return frame["unit"].isin(("%", "points"))


def _wide(table: pd.DataFrame, verdicts: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return one row a figure, with value and interval of each way in per cent or numbers."""
    rows = []
    for verdict in verdicts.to_dict("records"):
        part = table[(table["figure"] == verdict["figure"]) & (table["group"] == verdict["group"])]
        share = is_share(str(verdict["figure"]))
        row: dict[Any, Any] = dict(verdict) | {"small_sample": bool(part["small_sample"].any())}
        row |= {"depends": shown_verdict(verdict), "band": shown_band(verdict)}
        row["unit"] = "rounds" if verdict["figure"] == ROUNDS_FIGURE else "a game"
        if share:
            row["unit"] = "points" if is_change(table) else "%"
        row |= {f"difference{end}": (100 if share else 1) * verdict.get(f"difference{end}", np.nan) for end in ALL}
        row["games"] = " / ".join(dict.fromkeys(f"{n:,}" for n in part["n"]))
        by_way: Mapping[str, Any] = {one["way"]: one for one in part.to_dict("records")}
        for k, name in enumerate(names):
            for end in ALL:
                row[f"way{k}{end}"] = (100 if share else 1) * by_way[name][f"value{end}"] if name in by_way else np.nan
        rows.append(row)
    return pd.DataFrame(rows)


def _depends_message(frame: pd.DataFrame) -> str:
    """Say which of the figures drawn depends most on who plays, if one is shown to."""
    found = frame[_shares(frame) & having(frame, FAR)]
    if found.empty:
        return ""
    most = found.sort_values("difference", key=abs, ascending=False, kind="stable").iloc[0]
    return f"Who plays moves the {most['figure']} by up to {abs(most['difference']):.1f} points"


def _draw(frame: pd.DataFrame, ax: Any, names: Sequence[str]) -> None:
    """Draw each share, one line a strategy."""
    shown = frame[_shares(frame)]
    labels = [f"{whom(figure)}, {name}" for figure in shown["figure"] for name in names]
    columns = [[f"way{k}{end}" for k in range(len(names))] for end in ALL]
    ends = [shown[some].to_numpy().ravel() for some in columns]
    filled = np.repeat(having(shown, FAR).to_numpy(), len(names))
    change = (shown["unit"] == "points").any()
    plots.forest(ax, labels, *ends, filled=filled, reference=0 if change else None)
    ax.set_xlabel("percentage points" if change else "%")


def _height(frame: pd.DataFrame, names: Sequence[str]) -> float:
    return 1.1 + 0.22 * len(names) * int(_shares(frame).sum())


def _ways(kept: Kept) -> Made:
    """Return the page of `newdawn ways`, or of a comparison by several strategies."""
    texts = ("open", "players", "deviates", "stands", "stands_certainty")  # CSV has no empty text
    table, verdicts = kept.tables["ways"], kept.tables["verdicts"]
    verdicts = verdicts.astype(dict.fromkeys(texts, object)).fillna(dict.fromkeys(texts, ""))
    asked = verdicts[verdicts["stands"] != ""]
    asked = asked.assign(whom=[whom(str(figure)) for figure in asked["figure"]], verdict=asked["stands"])
    leaders = by_verdict(asked[asked["group"] == "leaders"], "whom")
    screen = First(findings(table, verdicts), verdicts=leaders, chart="ways-leaders", steps=more_games(kept, verdicts))
    return parts_of(table, verdicts, first_sentences=False), screen, ()
