"""Do the intervals, verdicts and plans of `analysis` keep their promises? Measured on samples of a large run.

    OPENBLAS_NUM_THREADS=1 python -m newdawn.scripts.checks.calibrate results/large --games 500,2000 --repeats 150 --jobs 16

(On a busy machine the threads of the linear algebra wait for each other; with one, pairs of leaders take a tenth of the time.)

The run is the truth: samples of its games, drawn without replacement, are analysed like runs. For coverage it should be fifty
times as large as the samples. The measures:

    coverage     how often intervals cover the figure of the whole run, each on its own and all of a table together, and how
                 often a verdict against the margin is wrong
    lot          false positives by table of a report, on its first screen, and anywhere in it, with winners and lengths
                 permuted at random
    unfinished   the same, with three games of ten won by nobody
    mixed        the same for findings on leaders, with several strategies and leaders permuted (a run with --strategy-pool)
    pools        the same with strategies drawn in unbalanced mixes (90/6/4; 18/1/1; most leaders tied to a strategy), and
                 winners drawn by the strategies' chances
    ways         wrong verdicts on three ways, the third with a tenth of the games: on equal ones, and on ways that differ by
                 exactly the margin in every share
    plays        games of the run taken for real plays, and compared with the run: how often intervals cover the truth, and how
                 often people are said to differ from it
    power        how often differences with a promised power of 80% are found (`newdawn plan`, fresh games to decide a tuned
                 value or a goal, games of `ways`, plays to find the nearest strategy, detectable differences of
                 `newdawn sensitivity`)
    many         how often the intervals of all leaders of the run hold together, and those of partial pooling each, with
                 winners drawn by known log odds (18 leaders: a run of the box)
    players      how often the mean over players, and the prediction for another one, cover the truth; simulated
    looks        false verdicts on leaders with winners drawn by lot and 1 to 7 looks, each with twice the games of the one
                 before: by intervals of one look, and by those that hold over all looks
    until        games that a run takes until it is clear, relative to a fixed plan, by the true difference; simulated

Each sample has a random generator of its own, so the figures are the same whatever the number of processes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd
from scipy import stats

from ... import analysis
from ...analysis.pages.report_parts import Source
from ...analysis.questions import game
from ...analysis.questions import sensitivity as moving
from ...analysis.questions.cards import card_set_leaders_table, card_sets_table, wonders_table
from ...analysis.questions.how_many_games import games_needed
from ...analysis.questions.leaders import (
    leaders_by_card_table,
    leaders_by_strategy_table,
    leaders_table,
    leaders_with_strategies_table,
    pairs_table,
    winning_times_table,
)
from ...analysis.questions.tuning import parse_target
from ...analysis.questions.until_decided import still_open
from ...analysis.stats.bands import Asked, Ratio, over_players
from ...analysis.stats.inference import QUANTILE, SIGNIFICANT, exact_ends, normal_ends, together, two_sided
from ...analysis.stats.rates import POINTS, ROUNDS, wilson
from ...analysis.stats.sample_sizes import SHARES, Looks, hopeless
from ...analysis.stats.sample_sizes import held as over_looks
from ...analysis.stats.verdicts import (
    DIFFERENT,
    FAR,
    HIGHER,
    LOWER,
    STRENGTH,
    Outcome,
    Verdict,
    cases_to_differ,
    detectable,
    differs,
    error_that_decides,
    games_for_all,
    having,
    judged,
    quantile_for,
    read,
    verdict_columns,
)
from ...analysis.tables import figures_by_strategy as by_way
from ...analysis.tables.decoded_games import CARDS, SEPARATOR
from ...analysis.tables.logit import balanced_rates, chances
from ...analysis.tables.paired_figures import COLUMNS, Moments, Subjects, differences, game_figures
from ...analysis.tables.paired_figures import ROUNDS as ROUNDS_FIGURE
from ...analysis.tables.read import Run, open_run, sample_of
from ...analysis.tables.real_plays import WITHOUT, StrategyRuns, agreement, forecast_of, leaders_beside, pooled, seated
from ...analysis.tables.rendering import render
from ...analysis.tables.targets import FIGURES, confirm
from ...simulator.errors import UserError

TABLES = ("games", "seats", "wonders", "agendas")
KEYS = (
    "leader", "strategy", "component", "opponent", "order", "card", "cards", "agenda", "agendas", "wonder", "behind", "round",
)  # fmt: skip
# Tables of `analysis` with intervals.
MEASURED = (
    "leaders", "leaders_by_strategy", "strengths", "leader_spread", "turn_order", "by_cards", "matchups", "winning_agendas",
    "winning_times", "wonders", "wonder_builders", "victory", "agenda_users", "card_sets", "card_set_leaders", "length",
    "reasons", "shortages", "lead", "comebacks", "predictability",
)  # fmt: skip
MARGINS = dict.fromkeys(("strengths", "turn_order", "by_cards", "card_set_leaders"), ("points", POINTS))
MARGINS |= {"leaders": ("difference", POINTS / 100), "card_sets": ("rounds_difference", ROUNDS)}
Counts = dict[Any, np.ndarray]  # by table, or table and figure: numbers to add up over samples
# Tables of the report with verdicts; in BY_LOT nothing differs if winners are drawn by lot, in OF_LEADERS if leaders are.
REPORTED = {
    "leaders": leaders_table, "pairs": pairs_table, "order": game.order_table, "leaders by card": leaders_by_card_table,
    "card sets": card_sets_table, "leaders by card set": card_set_leaders_table, "wonders": wonders_table,
    "times of winners": winning_times_table, "leaders by strategy": leaders_by_strategy_table,
    "leaders with strategies": leaders_with_strategies_table,
}  # fmt: skip
BY_LOT = tuple(REPORTED)[:8]
FIRST_SCREEN = ("order", "leaders by card", "card sets", "leaders with strategies")  # tables besides leaders that it may name
OF_LEADERS = ("leaders", "pairs", "leaders by card", "leaders by card set", "leaders by strategy", "leaders with strategies")
UNFINISHED = 0.3
PLAYS = np.array([0.0, -1.2, -2.0])  # log odds of three players
POOLS = {"90/6/4": (0.9, 0.06, 0.04), "18/1/1": (0.9, 0.05, 0.05), "tied": (0.9, 0.06, 0.04)}
TIED = 0.9  # share of a leader's seats played by its own strategy
SPREAD_OF_LEADERS = (0.0, 0.35)  # standard deviations of log odds
OF_PLAYS = {
    "win_rate": "people's win rates", "estimated_rate": "plays and simulation together", "points": "differences from the run",
}  # fmt: skip


class SampledRun(Run):
    """Some games of a run, in memory, with the interface of a run."""

    def __init__(self, whole: Run, frames: Mapping[str, pd.DataFrame]) -> None:
        self.path, self.manifest, self.frames = whole.path, whole.manifest, dict(frames)
        self.of_games: dict[str, np.ndarray] = {}

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the wanted tables, in one piece."""
        yield {table: self.frames[table][list(columns)] for table, columns in wanted.items()}

    def drawn(self, rng: np.random.Generator, games: int) -> SampledRun:
        """Return this many of the games, drawn without replacement."""
        ids = np.sort(rng.choice(self.frames["games"]["game_id"].to_numpy(), games, replace=False))
        return SampledRun(self, {name: self._rows(name, ids) for name in self.frames})

    def _rows(self, name: str, ids: np.ndarray) -> pd.DataFrame:
        """Return the rows of these games of a table; sorts the table by game first."""
        if name not in self.of_games:
            self.frames[name] = self.frames[name].sort_values("game_id", kind="stable", ignore_index=True)
            self.of_games[name] = self.frames[name]["game_id"].to_numpy()
        first, last = (np.searchsorted(self.of_games[name], ids, side) for side in ("left", "right"))
        return self.frames[name].iloc[np.concatenate([np.arange(*ends) for ends in zip(first, last, strict=True)])]

    def by_lot(self, rng: np.random.Generator) -> SampledRun:
        """Return the games with winners and lengths permuted: no leader, place or card makes a difference."""
        seats = self.frames["seats"].sort_values(["game_id", "seat"])
        won = rng.permuted(seats["won"].to_numpy().reshape(-1, self.players), axis=1).ravel()
        games = self.frames["games"]
        games = games.assign(rounds=rng.permutation(games["rounds"].to_numpy()))
        return SampledRun(self, self.frames | {"seats": seats.assign(won=won), "games": games})

    def stopped(self, rng: np.random.Generator, share: float) -> SampledRun:
        """Return the games with a random share of them won by nobody."""
        games, seats = self.frames["games"], self.frames["seats"]
        out = rng.random(len(games)) < share
        ending = pd.Categorical(np.where(out, "round_cap", games["ending"].astype(str)))
        lost = np.isin(seats["game_id"].to_numpy(), games["game_id"].to_numpy()[out])
        seats = seats.assign(won=np.where(lost, 0.0, seats["won"].to_numpy()))
        return SampledRun(self, self.frames | {"seats": seats, "games": games.assign(ending=ending)})

    def of_pool(self, rng: np.random.Generator, pool: str) -> SampledRun:
        """Return the games with strategies drawn from a pool, and winners by their strength: leaders make no difference."""
        seats = self.frames["seats"].sort_values(["game_id", "seat"])
        player = rng.choice(len(PLAYS), len(seats), p=POOLS[pool])
        if pool == "tied":
            own = seats["leader"].cat.codes.to_numpy() % len(PLAYS)
            player = np.where(rng.random(len(seats)) < TIED, own, player)
        drawn = (PLAYS[player] + rng.gumbel(size=len(seats))).reshape(-1, self.players)
        won = (drawn == drawn.max(axis=1, keepdims=True)).astype(float).ravel()
        strategy = pd.Categorical(np.array(["first", "second", "third"])[player])
        games = self.frames["games"].assign(ending="victory")
        return SampledRun(self, self.frames | {"seats": seats.assign(won=won, strategy=strategy), "games": games})

    def with_odds(self, rng: np.random.Generator, odds: np.ndarray) -> SampledRun:
        """Return the games with winners drawn by these log odds of the leaders alone."""
        seats = self.frames["seats"].sort_values(["game_id", "seat"])
        drawn = (odds[seats["leader"].cat.codes.to_numpy()] + rng.gumbel(size=len(seats))).reshape(-1, self.players)
        won = (drawn == drawn.max(axis=1, keepdims=True)).astype(float).ravel()
        games = self.frames["games"].assign(ending="victory")
        return SampledRun(self, self.frames | {"seats": seats.assign(won=won), "games": games})

    def dealt_anew(self, rng: np.random.Generator) -> SampledRun:
        """Return the games with the leaders of each game permuted; strategies and winners stay."""
        seats = self.frames["seats"].sort_values(["game_id", "seat"])
        codes = rng.permuted(seats["leader"].cat.codes.to_numpy().reshape(-1, self.players), axis=1).ravel()
        names = np.array(seats["leader"].cat.categories, object)
        leader = pd.Categorical(names[codes], list(names))
        return SampledRun(self, self.frames | {"seats": seats.assign(leader=leader)})


@cache
def whole_run(folder: Path) -> SampledRun:
    """Read the run into memory, once a process."""
    run = open_run(folder)
    return SampledRun(run, {name: run.read(name) for name in TABLES})


def _ask(name: str, run: Run) -> pd.DataFrame:
    frame = getattr(analysis, name)(run)
    return frame.set_index([key for key in KEYS if key in frame] or pd.Index([0] * len(frame)))


# --- Coverage


def covered(whole: SampledRun, games: int, rng: np.random.Generator, truth: Mapping[str, pd.DataFrame]) -> Counts:
    """Draw a sample and return how its intervals cover the truth, by table and figure (`_held`); `truth`: tables of the run."""
    sample = whole.drawn(rng, games)
    counts: Counts = {}
    for name, true in truth.items():
        counts |= {(name, figure): held for figure, held in _held(name, _ask(name, sample), true, games).items()}
    return counts


def coverage_table(samples: Sequence[Counts]) -> pd.DataFrame:
    """Return for each interval how often it covers the figure of the whole run.

    `each`: share of rows without small samples, with its Wilson interval as if rows were independent; `together`: share of
    samples in which the intervals of all tested rows hold; `wrong`: of samples with a wrong verdict against the margin.
    """
    rows = []
    for (name, figure), (held, n, jointly, samples_tested, wrong) in _added(samples).items():
        row = {"table": name, "figure": figure, "rows": int(n)} | _rate("each_rate", held, n)
        row |= _rate("together_rate", jointly, samples_tested)
        rows.append(row | {"wrong_rate": wrong / len(samples) if figure == MARGINS.get(name, ("",))[0] else np.nan})
    return pd.DataFrame(rows)


def _held(name: str, frame: pd.DataFrame, truth: pd.DataFrame, games: int) -> dict[str, np.ndarray]:
    """Return, by figure, intervals that cover the truth, intervals, whether all do together, 1 if any, wrong verdicts."""
    truth = truth.reindex(frame.index)
    sound = ~frame["small_sample"].to_numpy(bool) if "small_sample" in frame else np.full(len(frame), True)
    tested = frame["p"].notna().to_numpy() & sound if "p" in frame else sound
    lows = [str(column).removesuffix("_low") for column in frame if str(column).endswith("_low")]
    figures = dict.fromkeys(low.removesuffix("_all") for low in lows)
    counts = {}
    for figure in figures:
        result, true = np.zeros(5), truth[figure].to_numpy(float)
        if f"{figure}_low" in frame:
            inside, valid = _inside(frame, figure, true)
            result[:2] = inside[sound & valid].sum(), (sound & valid).sum()
        if f"{figure}_all_low" in frame:
            inside, valid = _inside(frame, f"{figure}_all", true)
            some = tested & valid
            result[2:4] = inside[some].all(), some.any()
            result[2] *= result[3]
        if figure == MARGINS.get(name, ("",))[0]:
            margin = MARGINS[name][1]
            verdicts = judged(frame, figure, margin, games)
            inside, beyond = having(verdicts, {Verdict.WITHIN}), having(verdicts, FAR)
            outside = np.abs(true) > margin
            wrong_side = (having(verdicts, HIGHER) & (true <= 0)) | (having(verdicts, LOWER) & (true >= 0))
            result[4] = bool(((inside & outside) | (beyond & ~outside) | wrong_side).any())
        counts[figure] = result
    return counts


def _inside(frame: pd.DataFrame, name: str, true: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = (frame[f"{name}_{end}"].to_numpy(float) for end in ("low", "high"))
    return (low <= true + 1e-12) & (true - 1e-12 <= high), ~(np.isnan(low) | np.isnan(true))


# --- Error rates


def falsely_found(whole: SampledRun, games: int, rng: np.random.Generator, _: Any) -> Counts:
    """Return in which tables anything is found with winners and lengths permuted."""
    return _said(whole.drawn(rng, games).by_lot(rng), BY_LOT)


def falsely_found_unfinished(whole: SampledRun, games: int, rng: np.random.Generator, _: Any) -> Counts:
    """Return the same with many games won by nobody."""
    return _said(whole.drawn(rng, games).by_lot(rng).stopped(rng, UNFINISHED), BY_LOT)


def falsely_found_of_leaders(whole: SampledRun, games: int, rng: np.random.Generator, _: Any) -> Counts:
    """Return in which tables anything is found on leaders permuted among players of different strength."""
    return _said(whole.drawn(rng, games).dealt_anew(rng), OF_LEADERS)


def falsely_found_in_pools(whole: SampledRun, games: int, rng: np.random.Generator, _: Any) -> Counts:
    """Return the same for equal leaders played by unbalanced pools, by pool and table."""
    counts: Counts = {}
    for pool in POOLS:
        hits_of = _said(whole.drawn(rng, games).of_pool(rng, pool), OF_LEADERS)
        counts |= {f"{pool}: {table}": hits for table, hits in hits_of.items()}
    return counts


def _said(sample: SampledRun, names: Sequence[str]) -> Counts:
    """Return for each table whether a row of it differs, or lies outside the margin; 0 with too few games.

    Then the same for the verdicts of the first screen, and for the whole report.
    """
    source, counts, first = Source(sample), {}, False
    for name in names:
        try:
            frame = REPORTED[name](source)
        except UserError:
            frame = None
        if frame is None:
            counts[name] = np.zeros(1)
            continue
        far = "verdict" in frame and having(frame, FAR).any()
        hit = bool(differs(frame).any() or far)
        counts[name] = np.array([float(hit)])
        first |= bool(hit if name == "leaders" else far and name in FIRST_SCREEN)
    anything = max(float(count[0]) for count in counts.values())
    return counts | {"the first screen": np.array([float(first)]), "the report": np.array([anything])}


def _values(whole: SampledRun) -> tuple[np.ndarray, Subjects]:
    """Return the figures of each game by which strategies are compared, and their subjects."""
    subjects = _subjects(whole)
    parts = [by_way.values_of(s.games, subjects) for s in sample_of(whole, (*COLUMNS, "captured"), by_way.NUMBERS)]
    return np.concatenate(parts), subjects


def wrong_of_ways(whole: SampledRun, games: int, rng: np.random.Generator, truth: tuple[np.ndarray, Subjects]) -> Counts:
    """Return whether any verdict on three strategies is wrong: on equal ways, and on ways that differ by the margin.

    For equal ways *differs* is wrong; for shares at the margin both *by more* and *alike* are.
    """
    figures, subjects = truth
    names = np.array([figure for _, figure in by_way.figures_of(subjects)])
    drawn = [figures[rng.choice(len(figures), n, replace=False)] for n in (games, games, max(2, games // 10))]
    same = _verdicts(drawn, whole, subjects)
    with np.errstate(invalid="ignore"):
        rate = figures[:, :, 0].sum(axis=0) / figures[:, :, 1].sum(axis=0)
    raised = np.array([by_way.is_share(name) for name in names]) & (rate < 1 - POINTS / 100)
    y, m = (drawn[1][:, :, k] for k in (0, 1))
    won = (y < 1) & (m > 0) & raised & (rng.random(y.shape) < POINTS / 100 / (1 - np.where(raised, rate, 0)))
    drawn[1] = np.stack([np.where(won, 1, y), m], axis=2)
    apart = _verdicts(drawn[:2], whole, subjects)
    apart = apart[apart["figure"].isin(names[raised])]
    return {
        "ways that are one: differ": np.array([having(same, DIFFERENT).any()], float),
        "shares at the margin: by more": np.array([having(apart, FAR).any()], float),
        "shares at the margin: alike": np.array([having(apart, {Verdict.WITHIN}).any()], float),
    }


def _verdicts(drawn: Sequence[np.ndarray], whole: SampledRun, subjects: Subjects) -> pd.DataFrame:
    return by_way.verdicts(by_way.beside({name: _way(part, whole, subjects) for name, part in zip("abc", drawn, strict=False)}))


def _way(figures: np.ndarray, whole: SampledRun, subjects: Subjects) -> by_way.StrategySums:
    """Return the sums over some games' figures."""
    y, m = figures[:, :, 0], figures[:, :, 1]
    return by_way.StrategySums(whole.players, subjects, m.sum(axis=0), y.sum(axis=0), (y * y).sum(axis=0))


# --- Real plays


def _as_way(whole: SampledRun) -> tuple[StrategyRuns, dict[str, pd.Series]]:
    """Return the run as a strategy, and the leaders' rates in it: as played, and at balanced tables."""
    way, frame = StrategyRuns("the run", [whole]), analysis.leaders(whole).set_index("leader")
    fit = way.fit(whole.players, WITHOUT)
    balanced, _, _ = balanced_rates(fit, way.outcomes, "leader")
    return way, {"win_rate": frame["win_rate"], "estimated_rate": pd.Series(balanced, fit.factors["leader"])}


def held_of_plays(
    whole: SampledRun, games: int, rng: np.random.Generator, known: tuple[StrategyRuns, dict[str, pd.Series]]
) -> Counts:
    """Take games for plays and return how intervals cover the truth, and whether people are said to differ from the run."""
    way, truth = known
    plays = seated(whole.drawn(rng, games).frames["seats"].assign(player=None))
    forecast = forecast_of(way, plays)
    test, both = agreement(forecast, plays), pooled([forecast], plays, whole.players)
    frame = leaders_beside(plays, [test]).set_index("leader")
    ends = pd.DataFrame({"estimated_rate_low": both.low, "estimated_rate_high": both.high}, list(both.leaders))
    frame = frame.join(ends)
    counts: Counts = {}
    for figure, what in OF_PLAYS.items():
        true = truth[figure].reindex(frame.index).to_numpy(float) if figure in truth else np.zeros(len(frame))
        inside, valid = _inside(frame, figure, true)
        counts[what] = np.array([inside[valid].sum(), valid.sum()], float)
    inside, valid = _inside(frame, "points_all", np.zeros(len(frame)))
    counts["differences, all together"] = np.array([inside[valid].all(), 1], float)
    return counts | {"no wrong difference by the test": np.array([test.p > SIGNIFICANT, 1], float)}


def _held_table(found: Sequence[Counts]) -> pd.DataFrame:
    return pd.DataFrame([{"what": what} | _rate("held_rate", *map(float, counts)) for what, counts in _added(found).items()])


# --- Power


def _rate_table(name: str, found: Sequence[Counts]) -> pd.DataFrame:
    return pd.DataFrame([{"table": table, "repeats": len(found)} | _rate(name, float(hits[0]), len(found))
                         for table, hits in _added(found).items()])  # fmt: skip


def _rate(name: str, cases: float, n: float) -> dict[str, float]:
    low, high = wilson(cases, n)
    return {name: cases / n if n else np.nan, f"{name}_low": float(low), f"{name}_high": float(high)}


def _added(found: Sequence[Counts]) -> dict[Any, np.ndarray]:
    total: dict[Any, np.ndarray] = {}
    for counts in found:
        for key, value in counts.items():
            total[key] = total.get(key, 0) + value
    return total


def _subjects(whole: SampledRun) -> Subjects:
    """Return the leaders, agendas and wonders of a run, of whichever box."""
    cards = [card for name in CARDS for card in whole.frames["games"][name].cat.categories]
    agendas = dict.fromkeys(agenda for card in cards for agenda in card.split(SEPARATOR))
    leaders, wonders = whole.frames["seats"]["leader"], whole.frames["wonders"]["wonder"]
    return Subjects(tuple(leaders.cat.categories), tuple(agendas), tuple(wonders.cat.categories))


def _figures(whole: SampledRun) -> tuple[np.ndarray, Subjects]:
    """Return the figures of each game by which rulesets are compared, and their subjects."""
    subjects = _subjects(whole)
    games = whole.frames["games"]
    return game_figures(whole.frames, int(games["game_id"].min()), len(games), subjects), subjects


def found_as_planned(whole: SampledRun, games: int, rng: np.random.Generator, known: tuple[np.ndarray, Subjects]) -> Counts:
    """Return whether planned differences are found: of a leader from the fair share, and between two rulesets."""
    figures, subjects = known
    columns = subjects.leader_figures
    rates = figures[:, columns, 0].sum(axis=0) / figures[:, columns, 1].sum(axis=0)
    leaders = len(subjects.leaders)
    plan = _plan_of(games, whole.players, leaders, RULESETS, dict(zip(subjects.leaders, rates, strict=True)))
    slowest = str(plan["slowest"]).split(" at ")[0]
    a, b = (figures[rng.choice(len(figures), int(plan["games"]), replace=False)] for _ in range(2))
    moments = Moments.empty(len(subjects.figures), columns)
    moments.add(a, _raised(b, columns, columns.start + subjects.leaders.index(slowest), float(plan["detectable"]), rng))
    frame = differences(moments, None, subjects.figures)
    clear = frame.loc[frame["figure"] == f"win rate of {slowest}", "p_adjusted"].to_numpy() <= SIGNIFICANT
    from_fair = np.array([_found_from_fair(whole, slowest, leaders, games, rng)], float)
    return {"plan, two rulesets": clear[:1], "plan, against the fair share": from_fair} | _promised(rng)


# True distances, in points from the fair share or the target, of the promises of 80%.
TRUTHS = (0.0, 1.0, 3.5, 6.0)
WISHED, RATES_OF_WAYS = (0.25, 0.28, 0.33), (0.3, 0.2)
FROM_FAIR, RULESETS = 3, 5  # rows of a plan
MOST_LOOKS = 7


def _promised(rng: np.random.Generator) -> Counts:
    """Return whether the promised games decide: on tuned values, wishes, leaders in `ways`, plays, steps of a number."""
    decided = {f"fresh games that tell, {truth:g} points off": _confirmed(rng, 0.25 + truth / 100) for truth in TRUTHS}
    decided |= {f"goals, {100 * truth:g}% and a band to 30%": _wish_decided(rng, truth) for truth in WISHED}
    decided |= {f"ways, a leader at {100 * rate:g}%": _way_decided(rng, rate) for rate in RATES_OF_WAYS}
    decided |= {f"plays, the nearest of {number}": _nearest_decided(rng, number) for number in (1, 2, 3)}
    decided["plays, a leader's detectable difference"] = _people_decided(rng)
    decided["sensitivity, difference found"] = _moved(rng)
    return {what: np.array([yes], float) for what, yes in decided.items()}


def _wish_decided(rng: np.random.Generator, truth: float) -> bool:
    """Return whether one of eight wishes, at seven points, gets a verdict in the fresh games promised."""
    wishes, band = Asked(7, 8), (0.2, 0.3)
    n = int(wishes.games_for((truth, truth), float(np.sqrt(truth * (1 - truth))), 1, *band))
    return wishes.verdict(Ratio((rng.random(n) < truth).astype(float), np.ones(n)), *band) is not Verdict.UNDECIDED


def _way_decided(rng: np.random.Generator, rate: float) -> bool:
    """Return whether a leader is found off the fair share, by the interval for all figures of three ways."""
    questions = 150
    n = cases_to_differ(rate, 0.25, questions)
    low, high = exact_ends(rng.binomial(n, rate), n)(1 - SIGNIFICANT / questions)
    return not low <= 0.25 <= high


def _nearest_decided(rng: np.random.Generator, number: int) -> bool:
    """Return whether the nearest of this many strategies and equal chances is found in the plays promised."""
    pairs, gaps = (number + 1) * number // 2, np.full(number, 0.1)
    n = int(games_for_all(gaps, np.ones(number), 1, 0.0, quantile_for(pairs), DIFFERENT))
    behind = gaps[:, None] + (rng.normal(size=n) + rng.normal(size=(number, n))) / np.sqrt(2)  # scores less the best's
    error = behind.std(axis=1, ddof=1) / np.sqrt(n)
    return bool((behind.mean(axis=1) > stats.t.isf(SIGNIFICANT / pairs / 2, n - 1) * error).all())


def _people_decided(rng: np.random.Generator) -> bool:
    """Return whether a detectable difference of people with a leader is found in 120 plays of it."""
    n, share, error, questions = 120, 0.27, 0.01, 16
    rate = share + detectable(n, share, error, questions)
    won, expected = rng.binomial(n, rate) / n, rng.normal(share, error)
    low, _ = exact_ends(won * n, n)(1 - SIGNIFICANT / questions)
    return bool(won - expected > np.hypot(won - low, quantile_for(questions) * error))


def _confirmed(rng: np.random.Generator, truth: float) -> bool:
    """Return whether a tuned value gets its verdict in the fresh games promised, beside two others."""
    target = parse_target("win-rate:Egypt=25%")
    place = [name for _, name in FIGURES].index(target.figure)

    def fresh(won: np.ndarray) -> np.ndarray:
        values = np.zeros((len(won), len(FIGURES), 2), np.float32)
        values[:, place, 0], values[:, place, 1] = won, 1
        return values

    quantile = quantile_for(3)
    error = float(error_that_decides(truth - 0.25, POINTS / 100, quantile))
    # The error of a score interval is that at its end: at the target's margin, or at the value, if that decides it.
    n = int(truth * (1 - truth) / error**2)
    return bool(confirm([fresh(rng.random(n) < truth) for _ in range(3)], target)["verdict_key"].iloc[0] != Outcome.OPEN.name)


def _moved(rng: np.random.Generator) -> bool:
    """Return whether a difference that a sensitivity analysis calls detectable is significant in it."""
    rows = pd.DataFrame({"value": range(40), "parameter": "x", "printed": 0, "group": "game", "figure": ROUNDS_FIGURE})
    rows, error = rows.assign(a=0.0, b=0.0, n=400, changed=200), np.full(40, 0.2)

    def table(gap: np.ndarray) -> pd.DataFrame:
        low, high = gap - QUANTILE * error, gap + QUANTILE * error
        frame = rows.assign(difference=gap, low=low, high=high, p=two_sided(gap, error))
        return moving.table([{str(name): value for name, value in row.items()} for row in frame.to_dict("records")])

    gap = rng.normal(0, error)
    gap[0] += table(np.zeros(40))["detectable"].iloc[0]
    changes = table(gap)
    return bool(changes.loc[changes["value"] == 0, "significant"].iloc[0])


def _plan_of(games: int, players: int, leaders: int, row: int, rates: Mapping[str, float]) -> Any:
    """Return the row of a plan, with this many leaders to draw from, that takes about this many games."""
    unit = games_needed(0.01, players, leaders, rates=rates).iloc[row]
    return games_needed(0.01 * float(np.sqrt(unit["games"] / games)), players, leaders, rates=rates).iloc[row]


def _raised(figures: np.ndarray, leaders: slice, column: int, gap: float, rng: np.random.Generator) -> np.ndarray:
    """Return the figures of games with a leader's win rate raised: some of the games it lost are won by it."""
    changed = figures.copy()
    seated, won = changed[:, column, 1] > 0, changed[:, column, 0]
    rate = won[seated].mean()
    turned = seated & (won < 1) & (rng.random(len(won)) < gap / (1 - rate))
    changed[turned, leaders, 0] = 0
    changed[turned, column, 0] = 1
    return changed


def _found_from_fair(whole: SampledRun, leader: str, leaders: int, games: int, rng: np.random.Generator) -> bool:
    """Return whether a leader of detectable strength is shown to differ if all others are equal."""
    fair = 1 / whole.players
    gap = float(_plan_of(games, whole.players, leaders, FROM_FAIR, {leader: fair})["detectable"])
    sample = whole.drawn(rng, games).by_lot(rng)
    seats = sample.frames["seats"]
    won = seats["won"].to_numpy().reshape(-1, whole.players).copy()
    here = (seats["leader"] == leader).to_numpy().reshape(-1, whole.players)
    turned = here.any(axis=1) & ((won * here).sum(axis=1) < 1) & (won.sum(axis=1) > 0)
    turned &= rng.random(len(won)) < gap / (1 - fair)
    won[turned] = here[turned]
    sample.frames["seats"] = seats.assign(won=won.ravel())
    frame = leaders_table(Source(sample)).set_index("leader")
    return bool(frame["points_all_low"].to_dict()[leader] > POINTS)


# --- Several looks


def looked_at(whole: SampledRun, games: int, rng: np.random.Generator, _: Any) -> Counts:
    """Return whether anything is found on equal leaders with 1 to 7 looks, each with twice the games of the one before."""
    sample = whole.drawn(rng, games).by_lot(rng)
    ids = rng.permutation(sample.frames["games"]["game_id"].to_numpy())
    at = [games >> back for back in reversed(range(MOST_LOOKS))]
    frames = {n: _leaders_in(sample, np.sort(ids[:n])) for n in at}
    counts = {}
    for number in range(1, MOST_LOOKS + 1):
        taken, over, plain = Looks(games), False, False
        for n in at[-number:]:
            taken, frame = taken.seen(n), frames[n]
            over |= _differ(over_looks(frame, {"points": 0.0, "adjusted_rate": frame["fair_share"]}, taken))
            plain |= _differ(frame)
        counts[f"{number} looks, intervals of one"] = np.array([plain], float)
        counts[f"{number} looks, intervals that hold over them"] = np.array([over], float)
    return counts


def _leaders_in(sample: SampledRun, ids: np.ndarray) -> pd.DataFrame:
    """Return the leaders of these games of a sample, looked at once."""
    return Source(SampledRun(sample, {name: sample._rows(name, ids) for name in sample.frames})).leaders


def _differ(frame: pd.DataFrame) -> bool:
    return bool(((frame["points_all_low"] > 0) | (frame["points_all_high"] < 0)).any())


# --- Many leaders, and several players


def of_known_leaders(whole: SampledRun, games: int, rng: np.random.Generator, _: Any) -> Counts:
    """Return how intervals of leaders cover the truth, with known log odds: together, each, and pooled."""
    counts_of: Counts = {}
    for spread in SPREAD_OF_LEADERS:
        sample = whole.drawn(rng, games)
        leaders = sample.frames["seats"]["leader"].cat.categories
        odds = rng.normal(0, spread, len(leaders))
        frame = analysis.strengths(sample.with_odds(rng, odds)).set_index("leader")
        true = pd.Series(_balanced(odds, whole.players), leaders).reindex(frame.index).to_numpy()
        for name, kind in (("adjusted_rate_all", "together"), ("adjusted_rate", "each"), ("pooled_rate", "each, pooled")):
            inside, valid = _inside(frame, name, true)
            counts = [inside.all(), 1] if kind == "together" else [inside.sum(), valid.sum()]
            error = 100 * (frame[name.removesuffix("_all")] - true)
            counts_of[f"log odds {spread:g} apart: {kind}"] = np.array([*counts, float((error**2).mean()), 1], float)
    return counts_of


def _many_table(found: Sequence[Counts]) -> pd.DataFrame:
    """Return how often intervals hold, and the root mean square of the errors in points."""
    rows = [{"intervals": what} | _rate("held_rate", held, n) | {"error": np.sqrt(square / repeats)}
            for what, (held, n, square, repeats) in _added(found).items()]  # fmt: skip
    return pd.DataFrame(rows)


def _balanced(odds: np.ndarray, players: int) -> np.ndarray:
    """Return the win rates of leaders with these log odds over all line-ups."""
    tables = np.array(list(combinations(range(len(odds)), players)))
    won = np.bincount(tables.ravel(), chances(odds[tables]).ravel(), len(odds))
    return np.asarray(won / np.bincount(tables.ravel(), minlength=len(odds)))


PLAYERS = {"3": (1, 1, 1), "4": (1, 1, 1, 1), "4, one with few games": (1, 1, 1, 3), "6, one with few games": (1,) * 5 + (3,)}
PLAYERS_APART = (0.0, 1.0, 3.0)  # errors


def of_players(_: SampledRun, games: int, rng: np.random.Generator, known: Any) -> Counts:
    """Return how the mean over players and the prediction cover the truth, and whether anybody is said to deviate."""
    counts = {}
    for who, errors in PLAYERS.items():
        for apart in PLAYERS_APART:
            error, names = np.array(errors, float), [str(k) for k in range(len(errors))]
            band = over_players(rng.normal(rng.normal(0, apart, len(error)), error), error, names)
            new = rng.normal(0, apart)
            held = (band.low <= 0 <= band.high, band.prediction_low <= new <= band.prediction_high, bool(band.deviates))
            counts[f"{who}; {apart:g} errors apart"] = np.array([*held, 1], float)
    return counts


def _players_table(found: Sequence[Counts]) -> pd.DataFrame:
    return pd.DataFrame([
        {"players": what} | _rate("mean_rate", mean, n) | _rate("next_rate", new, n) | _rate("named_rate", named, n)
        for what, (mean, new, named, n) in _added(found).items()
    ])  # fmt: skip


SERIES = 2_000  # of estimates, drawn for each sample of `until`


def played_until(_: SampledRun, games: int, rng: np.random.Generator, known: Any) -> Counts:
    """Return the games to a clear verdict on one of eight leaders, relative to those that call a fair one balanced."""
    quantile, counts = quantile_for(8), {}
    fixed = (1 / float(error_that_decides(0.0, 1.0, quantile, {Verdict.WITHIN}))) ** 2
    for sized in (False, True):
        for effect in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0):
            time, error = np.array(SHARES), 1 / np.sqrt(1.2 * fixed * np.array(SHARES))
            steps = rng.normal(size=(SERIES, len(time))) * np.sqrt(np.diff(np.r_[0, time]))
            value = effect + np.cumsum(steps, axis=1) / time / np.sqrt(1.2 * fixed)
            left, took, clear = np.full(SERIES, True), np.full(SERIES, 1.2), 0
            for k, share in enumerate(time):
                here = value[left, k]
                tested = together("points", two_sided(here, error[k]), normal_ends(here, error[k]), known[k])
                ends = zip(*(tested[f"points_all_{end}"].tolist() for end in ("low", "high")), strict=True)
                verdicts = verdict_columns([read(low, high, 1.0) for low, high in ends], STRENGTH)
                frame = pd.DataFrame({"points": here, **tested, **verdicts})
                ended = ~still_open(frame, sized).to_numpy()
                clear += int(ended.sum())
                ended |= sized & (k + 1 < len(time)) & hopeless(frame, "points", 1.0, 1 / share)
                took[np.flatnonzero(left)[ended]] = 1.2 * share
                left[left] = ~ended
            goal = "sizes, too" if sized else "not undecided"
            counts[f"{effect:g} margins off, until {goal}"] = np.array([took.sum(), clear, len(took)])
    return counts


def _questions_at_looks() -> list[float]:
    """Return for each look of a run with all looks the number of single-look questions that eight questions count as."""
    looks, questions = Looks(1_000_000), []
    for share in SHARES:
        looks = looks.seen(round(1_000_000 * share))
        questions.append(looks.questions(8))
    return questions


def _until_table(found: Sequence[Counts]) -> pd.DataFrame:
    rows = [(what, took / n, clear / n, int(n)) for what, (took, clear, n) in _added(found).items()]
    return pd.DataFrame(rows, columns=["true difference", "games_of_fixed_plan", "clear_rate", "n"])


class Measure(NamedTuple):
    """A measure: its truth from the whole run (`known`), its counts for a sample (`ask`), and the table of all counts."""

    known: Callable[[SampledRun], Any]
    ask: Callable[[SampledRun, int, np.random.Generator, Any], Counts]
    table: Callable[[Sequence[Counts]], pd.DataFrame]


MEASURES = {
    "coverage": Measure(lambda whole: {name: _ask(name, whole) for name in MEASURED}, covered, coverage_table),
    "lot": Measure(lambda _: None, falsely_found, lambda found: _rate_table("false_rate", found)),
    "unfinished": Measure(lambda _: None, falsely_found_unfinished, lambda found: _rate_table("false_rate", found)),
    "mixed": Measure(lambda _: None, falsely_found_of_leaders, lambda found: _rate_table("false_rate", found)),
    "ways": Measure(_values, wrong_of_ways, lambda found: _rate_table("wrong_rate", found)),
    "power": Measure(_figures, found_as_planned, lambda found: _rate_table("power_rate", found)),
    "looks": Measure(lambda _: None, looked_at, lambda found: _rate_table("false_rate", found)),
    "many": Measure(lambda _: None, of_known_leaders, _many_table),
    "players": Measure(lambda _: None, of_players, _players_table),
    "until": Measure(lambda _: _questions_at_looks(), played_until, _until_table),
    "plays": Measure(_as_way, held_of_plays, _held_table),
    "pools": Measure(lambda _: None, falsely_found_in_pools, lambda found: _rate_table("false_rate", found)),
}


def measured(name: str, run: Path | SampledRun, games: int, repeats: range, seed: int, known: Any) -> list[Counts]:
    """Return the counts of a measure for the samples of these numbers; `run` is a folder, or a run in memory."""
    whole, number = run if isinstance(run, SampledRun) else whole_run(run), list(MEASURES).index(name)
    generators = (np.random.default_rng([seed, games, number, repeat]) for repeat in repeats)
    return [MEASURES[name].ask(whole, games, rng, known) for rng in generators]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the measures asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of a large run")
    parser.add_argument("--games", default="500,2000", help="sizes of the samples")
    parser.add_argument("--repeats", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", choices=list(MEASURES), action="append", help="default: all of them")
    parser.add_argument("--format", default="table", choices=["table", "csv", "json", "markdown"])
    parser.add_argument("--jobs", type=int, default=1, help="processes; each reads the run [default: 1]")
    given = parser.parse_args(arguments)
    whole = whole_run(given.run)
    known = {measure: MEASURES[measure].known(whole) for measure in given.measure or MEASURES}
    shares = [range(first, given.repeats, given.jobs) for first in range(min(given.jobs, given.repeats))]
    with joblib.Parallel(n_jobs=given.jobs) as workers:
        for games in (int(size) for size in given.games.split(",")):
            for name, facts in known.items():
                parts = workers(joblib.delayed(measured)(name, given.run, games, share, given.seed, facts) for share in shares)
                print(f"\n{name}: {given.repeats} samples of {games:,} games\n")
                print(render(MEASURES[name].table([counts for part in parts for counts in part]), given.format), flush=True)


if __name__ == "__main__":
    # By its name: worker processes find functions by the module that they are of, and that of a script is not theirs.
    from .calibrate import main as named

    named()
