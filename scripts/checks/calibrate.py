"""Do the intervals, verdicts and plans of `analysis` keep what they promise? Measured on samples of a large run.

    python -m newdawn.scripts.checks.calibrate results/large --games 500,2000 --repeats 150

The run is the truth: samples of its games, drawn without putting back, are analysed like runs of their own. It should be
fifty times as large as the samples. Three tables: how often intervals hold the figure of the whole run, each for itself
and all of a table together, and how often a verdict against the margin is wrong; how often something is found where
nothing is (winners drawn by lot, lengths dealt anew); and how often what a plan promises to find with 80% is found.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from newdawn import analysis
from newdawn.analysis.statistics.inference import SIGNIFICANT
from newdawn.analysis.statistics.margins import POINTS, ROUNDS
from newdawn.analysis.statistics.rates import wilson
from newdawn.analysis.tables.read import Run, open_run
from newdawn.analysis.tables.render import render
from newdawn.analysis.trials.compare import FIGURES, LEADER_FIGURES, Moments, differences, game_figures
from newdawn.analysis.trials.planning import games_needed
from newdawn.analysis.trials.relevance import BALANCED, OUTSIDE, judged

TABLES = ("games", "seats", "wonders", "agendas")
KEYS = ("leader", "opponent", "order", "card", "cards", "agenda", "agendas", "wonder", "behind", "round")
# What the commands and the report print intervals of. The reasons of victory have too many rows to be judged one by one, and
# the interval of `skill` is about the forecast at hand, which a larger run betters.
ASKED = (
    "leaders", "strengths", "leader_spread", "turn_order", "by_cards", "matchups", "winning_agendas", "winning_times",
    "wonders", "victory", "agenda_users", "card_sets", "card_set_leaders", "length", "lead", "comebacks", "predictability",
)  # fmt: skip
MARGINS = dict.fromkeys(("strengths", "turn_order", "by_cards", "card_set_leaders"), ("points", POINTS))
MARGINS |= {"leaders": ("difference", POINTS / 100), "card_sets": ("rounds_difference", ROUNDS)}
NULLS = ("strengths", "turn_order", "by_cards", "card_sets", "card_set_leaders")


class Sample(Run):
    """Some games of a run, in memory, with the interface of a run."""

    def __init__(self, whole: Run, frames: Mapping[str, pd.DataFrame]) -> None:
        self.path, self.manifest, self.frames = whole.path, whole.manifest, dict(frames)

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the wanted tables, in one piece."""
        yield {table: self.frames[table][list(columns)] for table, columns in wanted.items()}

    def drawn(self, rng: np.random.Generator, games: int) -> Sample:
        """Return so many of the games, drawn without putting back."""
        ids = self.frames["games"]["game_id"].to_numpy()
        kept = np.zeros(int(ids.max()) + 1, bool)
        kept[rng.choice(ids, games, replace=False)] = True
        return Sample(self, {name: frame[kept[frame["game_id"].to_numpy()]] for name, frame in self.frames.items()})

    def by_lot(self, rng: np.random.Generator) -> Sample:
        """Return the games with winners drawn by lot and lengths dealt anew: no leader, place or card makes a difference."""
        seats = self.frames["seats"].sort_values(["game_id", "seat"])
        won = rng.permuted(seats["won"].to_numpy().reshape(-1, self.players), axis=1).ravel()
        games = self.frames["games"]
        games = games.assign(rounds=rng.permutation(games["rounds"].to_numpy()))
        return Sample(self, self.frames | {"seats": seats.assign(won=won), "games": games})


def whole_run(folder: Path) -> Sample:
    """Read the run into memory."""
    run = open_run(folder)
    return Sample(run, {name: run.read(name) for name in TABLES})


def _ask(name: str, run: Run) -> pd.DataFrame:
    frame = getattr(analysis, name)(run)
    return frame.set_index([key for key in KEYS if key in frame] or pd.Index([0] * len(frame)))


# --- Coverage


def coverage(whole: Sample, games: int, repeats: int, rng: np.random.Generator, asked: Sequence[str] = ASKED) -> pd.DataFrame:
    """Return for each interval how often it holds the figure of the whole run.

    `each`: of all rows that are no small samples, with its Wilson interval as if rows were independent; `together`: of the
    samples, those in which the intervals of all tested rows hold; `wrong`: those with a wrong verdict against the margin.
    """
    truth = {name: _ask(name, whole) for name in asked}
    counts: dict[tuple[str, str], np.ndarray] = {}
    for _ in range(repeats):
        sample = whole.drawn(rng, games)
        for name in asked:
            for figure, found in _held(name, _ask(name, sample), truth[name], games).items():
                counts[name, figure] = counts.get((name, figure), np.zeros(5)) + found
    rows = []
    for (name, figure), (held, n, jointly, tables, wrong) in counts.items():
        low, high = wilson(held, n)
        row = {"table": name, "figure": figure, "rows": int(n), "each_rate": held / n if n else np.nan}
        row |= {"each_rate_low": float(low), "each_rate_high": float(high)}
        rows.append(row | {"together_rate": jointly / tables if tables else np.nan,
                           "wrong_rate": wrong / repeats if figure == MARGINS.get(name, ("",))[0] else np.nan})  # fmt: skip
    return pd.DataFrame(rows)


def _held(name: str, frame: pd.DataFrame, truth: pd.DataFrame, games: int) -> dict[str, np.ndarray]:
    """Return by figure: intervals that hold the truth, intervals, whether all together hold it, 1 if any, wrong verdicts."""
    truth = truth.reindex(frame.index)
    sound = ~frame["small_sample"].to_numpy(bool) if "small_sample" in frame else np.full(len(frame), True)
    tested = frame["p"].notna().to_numpy() & sound if "p" in frame else sound
    lows = [str(column).removesuffix("_low") for column in frame if str(column).endswith("_low")]
    figures = dict.fromkeys(low.removesuffix("_all") for low in lows)
    figures.pop("skill", None)
    found = {}
    for figure in figures:
        result, true = np.zeros(5), truth[figure].to_numpy(float)
        if f"{figure}_low" in frame:
            inside, known = _inside(frame, figure, true)
            result[:2] = inside[sound & known].sum(), (sound & known).sum()
        if f"{figure}_all_low" in frame:
            inside, known = _inside(frame, f"{figure}_all", true)
            some = tested & known
            result[2:4] = inside[some].all(), some.any()
            result[2] *= result[3]
        if figure == MARGINS.get(name, ("",))[0]:
            margin = MARGINS[name][1]
            verdict = judged(frame, figure, margin, games)["verdict"].to_numpy()
            outside = np.abs(true) > margin
            result[4] = bool((((verdict == BALANCED) & outside) | ((verdict == OUTSIDE) & ~outside)).any())
        found[figure] = result
    return found


def _inside(frame: pd.DataFrame, name: str, true: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = (frame[f"{name}_{end}"].to_numpy(float) for end in ("low", "high"))
    return (low <= true + 1e-12) & (true - 1e-12 <= high), ~(np.isnan(low) | np.isnan(true))


# --- Error rates and power


def false_findings(whole: Sample, games: int, repeats: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return how often anything at all is found in a table where winners are drawn by lot and lengths dealt anew."""
    found = dict.fromkeys(NULLS, 0)
    for _ in range(repeats):
        sample = whole.drawn(rng, games).by_lot(rng)
        for name in NULLS:
            found[name] += bool((_ask(name, sample)["p_adjusted"] <= SIGNIFICANT).any())
    return _rates("false_rate", found, repeats)


def _rates(name: str, found: Mapping[str, int], repeats: int) -> pd.DataFrame:
    low, high = wilson(list(found.values()), repeats)
    frame = pd.DataFrame({"table": list(found), "repeats": repeats, name: np.array(list(found.values())) / repeats})
    return frame.assign(**{f"{name}_low": low, f"{name}_high": high})


def power(whole: Sample, games: int, repeats: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return how often a planned difference is found: of a leader from the fair share, and between two rulesets."""
    frames, n = whole.frames, len(whole.frames["games"])
    first = int(frames["games"]["game_id"].min())
    figures = game_figures(frames, first, n)
    rates = figures[:, LEADER_FIGURES, 0].sum(axis=0) / figures[:, LEADER_FIGURES, 1].sum(axis=0)
    names = [figure.removeprefix("win rate of ") for _, figure in FIGURES[LEADER_FIGURES]]
    plan = _plan_of(games, whole.players, 4, dict(zip(names, rates, strict=True)))
    slowest = str(plan["slowest"]).split(" at ")[0]
    column, found = LEADER_FIGURES.start + names.index(slowest), {"two rulesets": 0, "against the fair share": 0}
    for _ in range(repeats):
        a, b = (figures[rng.choice(n, int(plan["games"]), replace=False)] for _ in range(2))
        moments = Moments.empty(leaders=LEADER_FIGURES)
        moments.add(a, _raised(b, column, float(plan["detectable"]), rng))
        frame = differences(moments)
        found["two rulesets"] += bool(frame.loc[frame["figure"] == f"win rate of {slowest}", "significant"].iloc[0])
        found["against the fair share"] += _found_from_fair(whole, slowest, games, rng)
    return _rates("power_rate", found, repeats)


def _plan_of(games: int, players: int, row: int, rates: Mapping[str, float]) -> Any:
    """Return the row of a plan that takes about so many games."""
    unit = games_needed(0.01, players, rates=rates).iloc[row]
    return games_needed(0.01 * float(np.sqrt(unit["games"] / games)), players, rates=rates).iloc[row]


def _raised(figures: np.ndarray, column: int, gap: float, rng: np.random.Generator) -> np.ndarray:
    """Return the figures of games with a leader's win rate raised: some of the games it lost are won by it."""
    changed = figures.copy()
    seated, won = changed[:, column, 1] > 0, changed[:, column, 0]
    rate = won[seated].mean()
    turned = seated & (won < 1) & (rng.random(len(won)) < gap / (1 - rate))
    changed[turned, LEADER_FIGURES, 0] = 0
    changed[turned, column, 0] = 1
    return changed


def _found_from_fair(whole: Sample, leader: str, games: int, rng: np.random.Generator) -> bool:
    """Say whether a leader is told from the fair share where all are equal but it, which is as strong as is detectable."""
    fair = 1 / whole.players
    gap = float(_plan_of(games, whole.players, 2, {leader: fair})["detectable"])
    gap = float(_plan_of(games, whole.players, 2, {leader: fair + gap})["detectable"])
    sample = whole.drawn(rng, games).by_lot(rng)
    seats = sample.frames["seats"]
    won = seats["won"].to_numpy().reshape(-1, whole.players).copy()
    here = (seats["leader"] == leader).to_numpy().reshape(-1, whole.players)
    turned = here.any(axis=1) & ((won * here).sum(axis=1) < 1) & (won.sum(axis=1) > 0)
    turned &= rng.random(len(won)) < gap / (1 - fair)
    won[turned] = here[turned]
    sample.frames["seats"] = seats.assign(won=won.ravel())
    frame = _ask("strengths", sample)
    return bool((frame.loc[[leader], "p_adjusted"] <= SIGNIFICANT).all())


MEASURES: dict[str, Callable[..., pd.DataFrame]] = {"coverage": coverage, "false": false_findings, "power": power}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of a large run")
    parser.add_argument("--games", default="500,2000", help="sizes of the samples")
    parser.add_argument("--repeats", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", choices=list(MEASURES), action="append", help="default: all of them")
    parser.add_argument("--format", default="table", choices=["table", "csv", "json", "markdown"])
    given = parser.parse_args(arguments)
    whole = whole_run(given.run)
    for games in (int(size) for size in given.games.split(",")):
        for measure in given.measure or MEASURES:
            found = MEASURES[measure](whole, games, given.repeats, np.random.default_rng([given.seed, games]))
            print(f"\n{measure}: {given.repeats} samples of {games:,} games\n")
            print(render(found, given.format), flush=True)


if __name__ == "__main__":
    main()
