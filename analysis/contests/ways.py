"""Does it depend on who plays? The main figures of the same game, played in several ways.

A way is a run: games whose seats are all played by one strategy, or drawn from the same ones. Each figure has in each way a
value with n and intervals: Wilson's for shares, Student's for means over games. Verdicts are about the differences
between ways, two by two, against the margin (`margin_of`). Their intervals hold for all figures and pairs of ways together
(95%; C. Bonferroni 1936), so that any false verdict is in at most 5% of such tables; each is made of the two figures' own
intervals (MOVER: G. Zou and A. Donner, Statistics in Medicine 27, 2008), exact ones for shares:

    differs by more than the margin    some pair of ways does: its whole interval lies beyond
    differs by less than the margin    all pairs lie within, some interval leaves 0 out
    alike within the margin            all pairs lie within
    undecided                          none of these is shown

A way with too few games to be alike with any (fewer than 100, or its own interval reaches further than the margin) leaves that
open for itself alone (`open`): the other ways decide. For win rates, which have a fair share, there is also what `holds` for
all ways: above it, below it, or above for some and below for others, by intervals that hold for all figures and ways together.
The same is asked of what a house rule changes, compared in several ways (`changes_by_way`), with 0 for the fair share. The
games of different ways count as separate: common seeds make their figures alike, if anything, and intervals wider than they
need be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats

from ...simulator.batch.places import Place
from ...simulator.errors import UserError
from ...simulator.rules.contents import agenda_names, names_of
from ...simulator.wording import counted
from ...strategies import registry
from ..statistics import margins
from ..statistics.inference import ALL, SIGNIFICANT, Ends, exact_ends, widened
from ..statistics.rates import CLUSTERED, CONFIDENCE, SMALL_SAMPLE, as_cases, wilson
from ..tables.cases import asked
from ..tables.columns import Games
from ..tables.read import Run, open_run
from ..trials import compare
from ..trials.compare import COLUMNS, Subjects

MORE, LESS = "differs by more than the margin", "differs by less than the margin"
ALIKE, NOT_KNOWN = "alike within the margin", "undecided"
FAIR = ABOVE, BELOW, BOTH = "above the fair share for all", "below the fair share for all", "above for some, below for others"
CHANGE = RAISED, LOWERED, EITHER = "raised for all", "lowered for all", "raised for some, lowered for others"
ROUNDS_FIGURE, FIRST_PLAYER = "rounds", "win rate of the first player"
SEPARATED = "; "  # ways named in a cell: a way's name may hold commas
EXAMPLES = 3  # figures that are said in words

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
        return margins.POINTS / 100
    return margins.ROUNDS if figure == ROUNDS_FIGURE else margins.DEEDS


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
    """Return one row a figure of `ways` or `changes_by_way`: does it depend on who plays?

    Columns: group, figure, ways (number), least and most (the smallest and the largest value), one, other (the pair of ways
    that is furthest apart for sure, or else as it seems, of those that decide), n_one, n_other, difference (one less other)
    with its interval `difference_all_low` to `difference_all_high` (all figures and pairs together), `within` (no pair of the
    ways that decide is further apart), margin, verdict, `open` (ways with too few games to be alike with any), and `holds`:
    what holds for all.
    """
    words = CHANGE if is_change(table) else FAIR
    rows = []
    for (group, figure), part in table.groupby(["group", "figure"], sort=False):
        low, high = part["value_all_low"].to_numpy(), part["value_all_high"].to_numpy()
        row = {"group": group, "figure": figure, "ways": len(part), "least": part["value"].min(), "most": part["value"].max()}
        row |= _verdict(part, margin_of(str(figure)))
        rows.append(row | {"holds": _beside(part["fair"].iloc[0], low, high, words)})
    return pd.DataFrame(rows)


def _verdict(part: pd.DataFrame, margin: float) -> dict[str, Any]:
    """Return the verdict on a figure, whose rows are its ways."""
    value, low, high = (part[name].to_numpy(float) for name in ("value", *PAIRED))
    few = (np.maximum(high - value, value - low) > margin) | (part["n"].to_numpy() < SMALL_SAMPLE)
    one, other = np.triu_indices(len(part), 1)
    one, other = np.where(value[one] >= value[other], (one, other), (other, one))
    gap = value[one] - value[other]
    least = gap - np.hypot(value[one] - low[one], high[other] - value[other])
    most = gap + np.hypot(high[one] - value[one], value[other] - low[other])
    within, beyond = margins.against_margin(least, most, margin)
    decide = ~few[one] & ~few[other]
    verdict = NOT_KNOWN
    if beyond.any():
        verdict = MORE
    elif decide.any() and within[decide].all():
        verdict = LESS if (least[decide] > 0).any() else ALIKE
    found: dict[str, Any] = {"margin": margin, "verdict": verdict, "open": SEPARATED.join(part["way"].to_numpy()[few])}
    if not len(gap):
        return found
    deciding = decide if verdict != MORE and decide.any() else np.full(len(gap), True)
    at = np.lexsort((gap, np.maximum(least, 0), deciding))[-1]
    names, n = part["way"].to_numpy(), part["n"].to_numpy()
    pair = {"one": names[one[at]], "other": names[other[at]], "n_one": n[one[at]], "n_other": n[other[at]]}
    ends = {"difference": gap[at], "difference_all_low": least[at], "difference_all_high": most[at]}
    return found | pair | ends | {"within": np.abs([least[decide], most[decide]]).max() if decide.any() else np.nan}


def is_change(table: pd.DataFrame) -> bool:
    """Say whether a table is of `changes_by_way`: its values are differences."""
    return "p_adjusted" in table


def _beside(fair: float, low: np.ndarray, high: np.ndarray, words: Sequence[str]) -> str:
    """Return how the intervals lie to the fair share, if all say it; "" for what has none or is undecided."""
    above, below = low > fair, high < fair
    return words[0] if above.all() else words[1] if below.all() else words[2] if above.any() and below.any() else ""


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
    """Return the verdict on a figure, with the ways that it leaves out."""
    left_out = row["open"] and row["verdict"] in (LESS, ALIKE)
    return f"{row['verdict']} ({row['open']}: too few games)" if left_out else str(row["verdict"])


def sentences(table: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """Return in words which findings hold for all strategies, and which depend on who plays."""
    said = [*_holding(table, found), *_depending(found, is_change(table))]
    noun = "change" if is_change(table) else "figure"
    counts = {verdict: int((found["verdict"] == verdict).sum()) for verdict in (LESS, ALIKE, NOT_KNOWN)}
    rest = [f"{counts[LESS]} differ by less than the margin", f"{counts[ALIKE]} are alike within it"]
    said.append(f"Of {counted(len(found), noun)}, {', '.join(rest)}; {counts[NOT_KNOWN]} are undecided.")
    left_out = found.loc[found["verdict"].isin((LESS, ALIKE)), "open"]
    said += _between_good(table, noun)
    for way in dict.fromkeys(table["way"]):
        few = sum(way in names.split(SEPARATED) for names in left_out)
        if few:
            said.append(f"{way}: too few games to be called alike, so left out of {counted(few, noun)}.")
    return said


def good_ways(table: pd.DataFrame) -> list[str]:
    """Return the ways in which all players are of those that beat the planner (`registry.GOOD`)."""
    return [way for way in dict.fromkeys(table["way"]) if set(re.findall(r"[^\W\d]\w*", way)) <= set(registry.GOOD)]


def _between_good(table: pd.DataFrame, noun: str) -> list[str]:
    """Say how much depends on which of the good players play, where others are there, too."""
    good = good_ways(table)
    if len(good) < 2 or len(good) == len(set(table["way"])):
        return []
    found = verdicts(table[table["way"].isin(good)])
    more = found[found["verdict"] == MORE]
    many = f"{len(more)} of {counted(len(found), noun)} {'differs' if len(more) == 1 else 'differ'}"
    said = f"Between the good players alone ({', '.join(good)}), {many} by more than the margin."
    if more.empty:
        return [said]
    furthest = (more["difference_all_low"] / more["margin"]).sort_values(ascending=False, kind="stable").index[:EXAMPLES]
    return [f"{said} Furthest beyond it: {', '.join(more.loc[furthest, 'figure'])}."]


def _holding(table: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """Say what holds for all ways, and what is one thing for some and another for others."""
    names, change = ", ".join(dict.fromkeys(table["way"])), is_change(table)
    said = []
    for words in (RAISED, LOWERED) if change else (ABOVE, BELOW):
        some = found[found["holds"] == words]
        if len(some):
            most = some.head(EXAMPLES).to_dict("records")
            texts = "; ".join(f"{whom(row['figure'], change)} {_range(row, change)}" for row in most)
            start = f"{words[0].upper()}{words[1:]} of {names}"
            said.append(f"{start}: {texts}{_further(len(some))}.")
    if not said:
        nothing = "figure is raised or lowered" if change else "leader or place is above or below its share"
        said.append(f"No {nothing} detectably for all of {names}.")
    rows = dict(iter(table.groupby("figure", sort=False)))
    turning = found.loc[found["holds"].isin((BOTH, EITHER)), "figure"]
    for figure in turning[:EXAMPLES]:
        words = "raised for some and lowered" if change else "above the fair share for some and below"
        said.append(f"{whom(figure, change)} is {words} for others. {_by_way(rows[figure])}.")
    if len(turning) > EXAMPLES:
        said.append(f"{len(turning) - EXAMPLES} more turn around with who plays: table.")
    return said


def _further(n: int) -> str:
    return f" ({n - EXAMPLES} more: table)" if n > EXAMPLES else ""


def _depending(found: pd.DataFrame, change: bool) -> list[str]:
    """Say which figures differ by more than the margin, those furthest beyond it first."""
    most, noun = found[found["verdict"] == MORE], "change" if change else "figure"
    words = f"({margins.POINTS:g} points, {margins.ROUNDS:g} round, {margins.DEEDS:g} deeds a game)"
    if most.empty:
        return [f"No {noun} depends on who plays by detectably more than the margin {words}."]
    size = (most["difference_all_low"] / most["margin"]).sort_values(ascending=False, kind="stable")
    first, *others = (_pair(row) for row in most.loc[size.index].head(EXAMPLES).to_dict("records"))
    texts = ". ".join([first, *(f"{text[0].upper()}{text[1:]}" for text in others)])
    many = f"{len(most)} of {counted(len(found), noun)} {'depends' if len(most) == 1 else 'depend'} on who plays"
    return [f"{many}: two strategies differ by more than the margin {words}. Furthest apart: {texts}."]


def _pair(row: Any) -> str:
    scale, digits, unit = unit_of(row["figure"])
    gap, low, high = (f"{scale * row[f'difference{end}']:+.{digits}f}" for end in ALL)
    games = f"(n = {row['n_one']:,} and {row['n_other']:,})"
    return f"{row['figure']}, {row['one']} less {row['other']} {gap} [{low}, {high}] {unit} {games}"


def whom(figure: str, change: bool = False) -> str:
    """Return whom a win rate is of; the whole figure, if a change of it is told."""
    return figure if change else figure.removeprefix("win rate of ")


def _range(row: Any, change: bool) -> str:
    scale, digits, unit = unit_of(row["figure"])
    least, most = (scale * row[end] for end in ("least", "most"))
    return f"({least:+.{digits}f} to {most:+.{digits}f} {unit})" if change else f"({least:.1f}% to {most:.1f}%)"


def _by_way(part: pd.DataFrame) -> str:
    """Return the way whose interval lies highest, and the one whose interval lies lowest."""
    ends = part.loc[[part["value_all_low"].idxmax(), part["value_all_high"].idxmin()]].to_dict("records")
    high, low = (f"{row['way']} {shown_value(row)} (n = {row['n']:,})" for row in ends)
    return f"Highest: {high}. Lowest: {low}"
