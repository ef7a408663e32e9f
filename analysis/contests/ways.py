"""Do findings hang on who plays? The main figures of the same game, played in several ways.

A way of playing is a run: games whose seats are all held by the same player, or drawn from the same ones. Each figure has in
each way a value with n and intervals: Wilson's for shares, normal ones for means over games. The intervals `value_all_low` to
`value_all_high` hold for all figures and ways together (95%; C. Bonferroni 1936), and verdicts are read off them alone, so that
any false verdict is in at most 5% of such tables:

    hangs on the players    the intervals of two ways do not meet
    alike                   all ways lie within the margin of each other, wherever in their intervals the true values are
    not told                neither

For win rates, which have a fair share, also what `holds` for all ways: above it, below it, or above for some and below for
others. The same is asked of what a house rule changes, compared in several ways (`changes_by_way`), with 0 for the fair share.
Ways may share seeds; nothing is assumed about that, so common seeds make nothing sharper here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from ...simulator.batch.places import Place
from ...simulator.errors import UserError
from ...simulator.rules.contents import agenda_names, names_of
from ...simulator.wording import counted
from ..statistics.inference import SIGNIFICANT
from ..statistics.margins import POINTS, ROUNDS
from ..statistics.rates import CONFIDENCE, SMALL_SAMPLE, wilson
from ..tables.cases import asked
from ..tables.columns import Games
from ..tables.read import Run, open_run
from ..trials import compare
from ..trials.compare import COLUMNS, Subjects

HANGS, ALIKE, NOT_TOLD = "hangs on the players", "alike", "not told"
FAIR = ABOVE, BELOW, BOTH = "above the fair share for all", "below the fair share for all", "above for some, below for others"
CHANGE = RAISED, LOWERED, EITHER = "raised for all", "lowered for all", "raised for some, lowered for others"
ROUNDS_FIGURE, FIRST_PLAYER = "rounds", "win rate of the first player"
EXAMPLES = 8  # figures that are told in words

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
NUMBERS = [column for table, column in DEEDS.values() if table == "seats"]


@dataclass
class Way:
    """Sums over the games of one way of playing: all that is needed, so that memory does not grow with the games."""

    players: int
    subjects: Subjects
    n: np.ndarray  # (figures,) games that count
    total: np.ndarray
    squares: np.ndarray

    def values(self, confidence: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return value, low and high of each figure; NaN where no game counts."""
        shares = np.array([is_share(figure) for _, figure in figures_of(self.subjects)])
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self.total / self.n
            error = np.sqrt(np.maximum(self.squares / self.n - mean**2, 0) / (self.n - 1))
        reach = stats.norm.isf((1 - confidence) / 2) * error
        low, high = wilson(self.total, self.n, confidence)
        return mean, np.where(shares, low, mean - reach), np.where(shares, high, mean + reach)


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
        values = np.concatenate([compare.figures_of(s.games, subjects), _deeds(s.games)], axis=1)
        y, m = values[:, :, 0], values[:, :, 1]
        way.n += m.sum(axis=0)
        way.total += y.sum(axis=0)
        way.squares += (y * y).sum(axis=0)
    return way


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
    """Return one row a figure and way of playing.

    Columns: group, figure, way, n (games that count), value, value_low, value_high (95% alone), value_all_low, value_all_high
    (for all figures and ways together), fair (the fair share of a win rate, else NaN), small_sample. Figures that no way has
    are left out. Raises UserError for fewer than two ways, or ways with other numbers of players.
    """
    if len(runs) < 2:
        raise UserError(f"{counted(len(runs), 'way')} of playing; expected two or more to set beside each other")
    players = {name: run.players for name, run in runs.items()}
    if len(set(players.values())) > 1:
        raise UserError(f"games of {', '.join(f'{n} players ({name})' for name, n in players.items())}; expected one number")
    added = {name: way_of(run, subjects) for name, run in runs.items()}
    known = np.stack([way.n > 1 for way in added.values()])
    tail = SIGNIFICANT / max(1, int(known.sum()))
    frames = []
    for name, way in added.items():
        value, low, high = way.values(CONFIDENCE)
        _, all_low, all_high = way.values(1 - tail)
        frame = pd.DataFrame(list(figures_of(subjects)), columns=["group", "figure"])
        frame = frame.assign(
            way=name, n=way.n.astype(np.int64), value=value, value_low=low, value_high=high, value_all_low=all_low,
            value_all_high=all_high, fair=np.where(frame["figure"].str.startswith("win rate"), 1 / way.players, np.nan),
            place=range(len(frame)),
        )  # fmt: skip
        frames.append(frame[way.n > 1])
    found = pd.concat(frames, ignore_index=True).sort_values("place", kind="stable", ignore_index=True)
    return found.drop(columns="place").assign(small_sample=found["n"] < SMALL_SAMPLE)


def margin_of(figure: str, margin: float = POINTS / 100, margin_rounds: float = ROUNDS) -> float:
    """Return within which values count as alike: shares and rounds have a margin, what players do has none (NaN)."""
    return margin_rounds if figure == ROUNDS_FIGURE else margin if is_share(figure) else np.nan


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
    columns = ["group", "figure", "way", "n", "a", "b", *DIFFERENCE.values(), "p_adjusted"]
    return found[columns].assign(fair=0.0, small_sample=found["n"] < SMALL_SAMPLE)


def verdicts(table: pd.DataFrame, margin: float = POINTS / 100, margin_rounds: float = ROUNDS) -> pd.DataFrame:
    """Return one row a figure of `ways` or `changes_by_way`: do the ways of playing agree about it?

    Columns: group, figure, ways (number), least_way, least, most_way, most (smallest and largest value), apart (the gap that
    two intervals leave at least, 0 where all meet), within (the gap at most), verdict, and `holds`: what holds for all.
    """
    words = CHANGE if is_change(table) else FAIR
    rows = []
    for (group, figure), part in table.groupby(["group", "figure"], sort=False):
        low, high = part["value_all_low"].to_numpy(), part["value_all_high"].to_numpy()
        ranked = part.sort_values("value", kind="stable")
        least, most = ranked.iloc[0], ranked.iloc[-1]
        apart, within = max(0.0, float(low.max() - high.min())), float(high.max() - low.min())
        verdict = HANGS if apart > 0 else ALIKE if within <= margin_of(str(figure), margin, margin_rounds) else NOT_TOLD
        rows.append(
            {
                "group": group, "figure": figure, "ways": len(part), "least_way": least["way"], "least": least["value"],
                "most_way": most["way"], "most": most["value"], "apart": apart, "within": within,
                "verdict": verdict if len(part) > 1 else NOT_TOLD, "holds": _beside(part["fair"].iloc[0], low, high, words),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def is_change(table: pd.DataFrame) -> bool:
    """Say whether a table is of `changes_by_way`: its values are differences."""
    return "p_adjusted" in table


def _beside(fair: float, low: np.ndarray, high: np.ndarray, words: Sequence[str]) -> str:
    """Return how the intervals lie to the fair share, if all say it; "" for what has none or is not told."""
    above, below = low > fair, high < fair
    return words[0] if above.all() else words[1] if below.all() else words[2] if above.any() and below.any() else ""


# --- In words


def shown(row: Any) -> str:
    """Return the value of a row with the interval that holds for all, in its unit; differences have a sign."""
    scale, digits = (100, 1) if is_share(row["figure"]) else (1, 2)
    value, low, high = (scale * row[f"value{end}"] for end in ("", "_all_low", "_all_high"))
    if "p_adjusted" in row:
        return f"{value:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"
    return f"{value:.{digits}f}{'%' if scale == 100 else ''} [{low:.{digits}f}, {high:.{digits}f}]"


def sentences(table: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """Return in words which findings hold for all ways of playing, and which hang on the players."""
    said = [*_holding(table, found), *_hanging(table, found)]
    figures = counted(len(found), "figure")
    alike, unknown = (int((found["verdict"] == verdict).sum()) for verdict in (ALIKE, NOT_TOLD))
    text = f"{alike} of {figures} are alike within the margin for all ways of playing"
    return [*said, f"{text}; {unknown} are not told either way by these games."]


def _holding(table: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """Say what holds for all ways, and what is one thing for some and another for others."""
    names, change = ", ".join(dict.fromkeys(table["way"])), is_change(table)
    said = []
    for words in (RAISED, LOWERED) if change else (ABOVE, BELOW):
        some = found[found["holds"] == words]
        if len(some):
            texts = "; ".join(f"{whom(row['figure'], change)} {_range(row, change)}" for row in some.to_dict("records"))
            said.append(f"Holds for all of {names}: {words.removesuffix(' for all')} are {texts}.")
    if not said:
        nothing = "any figure is raised, or lowered," if change else "a leader or place is above, or below, the fair share"
        said.append(f"Not shown: that {nothing} for all of {names}.")
    rows = dict(iter(table.groupby("figure", sort=False)))
    for figure in found.loc[found["holds"].isin((BOTH, EITHER)), "figure"]:
        words = "raised for some and lowered" if change else "above the fair share for some and below"
        said.append(f"{whom(figure, change)} is {words} for others: {_by_way(rows[figure])}.")
    return said


def _hanging(table: pd.DataFrame, found: pd.DataFrame) -> list[str]:
    """Say which figures hang on the players, those with the widest gaps first."""
    rows = dict(iter(table.groupby("figure", sort=False)))
    hang = found[found["verdict"] == HANGS]
    if hang.empty:
        return []
    size = hang["apart"] / hang["figure"].map(margin_of).fillna(hang["most"].clip(lower=1e-9))
    ranked = hang.loc[size.sort_values(ascending=False, kind="stable").index, "figure"]
    texts = "; ".join(f"{figure}: {_by_way(rows[figure])}" for figure in ranked.head(EXAMPLES))
    more = f"; and {len(hang) - EXAMPLES} more" if len(hang) > EXAMPLES else ""
    many = f"{len(hang)} of {counted(len(found), 'figure')}"
    return [f"{many} hang on the players, whose intervals do not meet: {texts}{more}."]


def whom(figure: str, change: bool = False) -> str:
    """Return whom a win rate is of; the whole figure, if a change of it is told."""
    return figure if change else figure.removeprefix("win rate of ")


def _range(row: Any, change: bool) -> str:
    scale, digits, unit = (100, 1, "points") if is_share(row["figure"]) else (1, 2, "rounds")
    least, most = (scale * row[end] for end in ("least", "most"))
    return f"({least:+.{digits}f} to {most:+.{digits}f} {unit})" if change else f"({least:.1f}% to {most:.1f}%)"


def _by_way(part: pd.DataFrame) -> str:
    return ", ".join(f"{row['way']} {shown(row)} (n = {row['n']:,})" for row in part.to_dict("records"))
