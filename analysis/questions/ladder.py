"""Ladder: how strong are strategies, how do they win, and which mixture of them does none beat?"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError
from ...simulator.kept_files import COPIES, MIXED
from ...simulator.rules.ruleset_contents import written
from ...simulator.runs.games_in_memory import Arrays, Piece
from ...simulator.runs.games_in_memory import played as kept_or_played
from ...simulator.runs.run import Observer, Player, Rows, Silent, play_range, tables_of
from ...simulator.runs.run_plan import Plan, plan_by
from ...strategies.registry import Strategy
from ..pages import plots
from ..pages.cells import number, rate, rate_of
from ..pages.report_parts import HINT, Chart, Column, Finding, Part
from ..pages.screen_parts import First
from ..pages.sentences import FOUND_CHAPTER, MOST_EXAMPLES, Made, by_verdict, more_games, of_row, quoted
from ..stats.claims import AsMeasured, Untested
from ..stats.rates import WinShare
from ..tables.kept_answers import PAIRS, RATINGS, SPREAD, KeptAnswer
from ..tables.strategy_strength import (
    agendas_used,
    by_game,
    characters,
    meeting,
    mixture,
    pairs,
    rated,
    rating_spread,
    spread_words,
    unfinished_apart,
    ways,
)

# --- Tables at which strategies meet
#
# Games are played in memory, in threads, by the kernel of runs; they depend only on the ruleset, the line-up, the seed and
# their number.

PIECE = 25  # games a thread plays at a time; Ctrl-C loses an unfinished piece
WHOLE = ("games", "seats", "wonders", "agendas")  # the tables that every run has


@dataclass(frozen=True)
class LadderGames:
    """Games played in memory, as the tables of a run; `analysis.tables.logit` reads it like a run."""

    players: int
    frames: dict[str, pd.DataFrame]

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.frames["games"])

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the wanted tables, all at once."""
        yield {table: self.frames[table][list(columns)] for table, columns in wanted.items()}


# --- One line-up


def table_plan(r: np.record, seats: Sequence[Strategy], games: int, seed: int) -> Plan:
    """Return the plan of a table with one strategy a player; seats rotate, so each sits everywhere equally often."""
    return plan_by(r, players=len(seats), games=games, seed=seed, strategies=list(seats))


def play(plan: Plan, r: np.record, jobs: int, observer: Observer | None = None) -> Rows:
    """Play a plan in threads and return its rows, in the order of the games."""
    return joined(list(table_pieces(plan, r, jobs, observer)))


def table_pieces(plan: Plan, r: np.record, jobs: int, observer: Observer | None = None) -> Iterator[Rows]:
    """Play a plan in threads and yield the rows of one range of games after the other."""
    watcher = observer or Silent()
    pieces = (Piece(plan, r, first, n, partial(_play_table, plan, r, first, n, watcher)) for first, n in ranges(plan.games))
    for arrays in kept_or_played(pieces, jobs, watcher):
        yield Rows(*arrays)


def _play_table(plan: Plan, r: np.record, first: int, n: int, observer: Observer, stop: threading.Event) -> Arrays | None:
    """Return the arrays of the rows of a range of games; None if `stop` was set before the end."""
    rows = play_range(plan, r, first, n, observer, stop)
    return None if rows is None else [getattr(rows, name) for name in WHOLE]


def shares(rows: Rows, plan: Plan, name: str) -> np.ndarray:
    """Return the shares of the wins: one a seat of the strategy, in the order of the games."""
    seats = rows.seats
    return seats["won"][seats["strategy"] == plan.library().index(name)]


def _shares_or(nobody: float, rows: Rows, plan: Plan, name: str) -> np.ndarray:
    """Return the share of each win of a strategy with one seat a game; `nobody` where nobody won."""
    decided = rows.games["ending"] == names.ENDINGS.index("victory")
    return np.where(decided, shares(rows, plan, name), nobody)


def share(won: np.ndarray) -> WinShare:
    """Return the mean of the shares of a strategy with one seat a game."""
    error = float(won.std(ddof=1) / np.sqrt(len(won))) if len(won) > 1 else np.nan
    return WinShare(float(won.mean()), error, len(won))


def _check_two(strategy: Strategy, others: Strategy) -> None:
    """Raise UserError if two strategies have one name: seats are distinguished by the names of those who play them."""
    if strategy.name == others.name:
        raise UserError(f"strategy {strategy.name}: plays against itself; expected another, or a copy under a name of its own")


def meet(
    r: np.record,
    strategy: Strategy,
    others: Strategy,
    *,
    players: int,
    games: int,
    seed: int,
    jobs: int = 1,
    nobody: float = 0.0,
) -> np.ndarray:
    """Return the win share of a strategy in each game against copies of another; `nobody` where nobody won.

    Raises UserError if both have the same name.
    """
    _check_two(strategy, others)
    plan = table_plan(r, [strategy, *[others] * (players - 1)], games, seed)
    return _shares_or(nobody, play(plan, r, jobs), plan, strategy.name)


def meet_as(
    r: np.record, leader: str, strategy: Strategy, others: Strategy, *, players: int, games: int, seed: int, jobs: int = 1
) -> np.ndarray:
    """Return the win share of a strategy that always plays the leader, in each game against copies of another.

    NaN where nobody won. Raises UserError if both have the same name.
    """
    _check_two(strategy, others)
    plan = table_plan(r, [strategy, *[others] * (players - 1)], games, seed)
    return _shares_or(
        np.nan, joined(list(seated_pieces(plan, r, "leaders", deals(r, leader, plan), jobs))), plan, strategy.name
    )


def deals(r: np.record, leader: str, plan: Plan) -> np.ndarray:
    """Return the leaders of each game by their codes, shape (games, players): this one for the first strategy.

    The others are drawn anew when everybody has sat everywhere.
    """
    names = written(r, "leader")
    others = [names.index(name) for name in plan.leaders if name != leader]
    rng = np.random.default_rng([plan.seed, names.index(leader)])
    blocks = -(-plan.games // plan.players)
    drawn = [[names.index(leader), *rng.choice(others, plan.players - 1, replace=False)] for _ in range(blocks)]
    return np.repeat(drawn, plan.players, axis=0)[: plan.games]


# --- Line-ups that change from game to game


def mixed_plan(r: np.record, strategies: Sequence[Strategy], players: int, games: int, seed: int) -> Plan:
    """Return the plan of games among these strategies; `line_ups` says who sits at which table."""
    return plan_by(r, players=players, games=games, seed=seed, strategy_pool=list(strategies))


def line_ups(strategies: int, players: int, games: int, seed: int) -> np.ndarray:
    """Return who plays game 0, 1, … : codes of strategies, shape (games, players).

    A table plays as many games in a row as it has players: the kernel rotates its line-up, so that everybody sits
    everywhere once. All possible tables come in a random order, each once, before any comes again; the order inside a
    line-up is random, too. Game k is the same whatever the number of games. With fewer strategies than players a table has
    several copies of each.
    """
    copies = -(-players // strategies)
    tables = np.unique(list(combinations(np.repeat(np.arange(strategies), copies).tolist(), players)), axis=0)
    blocks = -(-games // players)
    drawn = []
    for cycle in range(-(-blocks // len(tables))):
        rng = np.random.default_rng([seed, cycle])
        drawn.append(rng.permuted(tables[rng.permutation(len(tables))], axis=1))
    return np.repeat(np.concatenate(drawn), players, axis=0)[:games]


def seated_pieces(
    plan: Plan, r: np.record, what: str, seated: np.ndarray, jobs: int, observer: Observer | None = None
) -> Iterator[Rows]:
    """Play the games of `seated` in threads; yield their rows in order.

    `seated`: a line-up a game, shape (games, players), of `what`: "strategies" (codes of ``plan.library()``, see `line_ups`)
    or "leaders" (codes of the ruleset).
    """
    watcher = observer or Silent()
    pieces = (
        Piece(plan, r, first, n, partial(_play_seated, plan, r, what, line_ups, first, watcher), f"{what} {line_ups.tolist()}")
        for first, n in ranges(len(seated))
        for line_ups in (seated[first : first + n],)
    )
    for arrays in kept_or_played(pieces, jobs, watcher):
        yield Rows(*arrays)


def _play_seated(
    plan: Plan, r: np.record, what: str, seated: np.ndarray, first: int, observer: Observer, stop: threading.Event
) -> Arrays | None:
    """Play one game for each line-up, from game `first` on; return the arrays of their rows, None if `stop` was set."""
    player = Player(plan, r)
    player.seating[f"{what}_drawn"] = 0
    player.seating[f"n_{what}"] = plan.players
    rows = player.rows(len(seated))
    agendas = 0
    for k, codes in enumerate(seated):
        if stop.is_set():
            return None
        player.seating[what][: plan.players] = codes
        agendas = player.play(first + k, 1, rows, k, agendas)
        observer.add(1)
    return [rows.games, rows.seats, rows.wonders, rows.agendas[:agendas]]


# --- Pieces and rows


def ranges(games: int) -> Iterator[tuple[int, int]]:
    """Yield the first game and the number of games of each piece."""
    return ((first, min(PIECE, games - first)) for first in range(0, games, PIECE))


def until_stopped(pieces: Iterator[Rows]) -> tuple[list[Rows], bool]:
    """Collect pieces until the end or Ctrl-C; return them and whether they were stopped."""
    collected: list[Rows] = []
    try:
        for piece in pieces:
            collected.append(piece)
    except KeyboardInterrupt:
        return collected, True
    return collected, False


def joined(pieces: Sequence[Rows]) -> Rows:
    """Return the rows of ranges of games, joined."""
    return Rows(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in WHOLE))


def played(plan: Plan, r: np.record, rows: Rows) -> LadderGames:
    """Return the rows as tables."""
    return LadderGames(plan.players, {name: table.to_pandas() for name, table in tables_of(plan, r, rows).items()})


# --- All strategies against each other at mixed tables
#
# `line_ups` draws the tables and rotates the seats, and leaders are drawn evenly, so strategies meet as often as the number of
# games allows, and neither seat nor leader favours one of them. Statistics: `tables.strategy_strength`.


@dataclass(frozen=True)
class Ladder:
    """The results of a ladder, of the games that were played."""

    games: int
    planned: int
    victories: int
    ratings: pd.DataFrame | None  # None: too few games
    why_none: str
    spread: pd.DataFrame | None  # of the ratings
    pairs: pd.DataFrame
    mixture: pd.DataFrame  # that no strategy beats; no rows: two of them never met
    ways: pd.DataFrame  # how each wins
    agendas: pd.DataFrame  # the agendas of its wins
    characters: pd.DataFrame

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before the end."""
        return self.games < self.planned


def play_ladder(
    strategies: Sequence[Strategy],
    r: np.record,
    *,
    players: int,
    games: int,
    seed: int,
    jobs: int = 1,
    observer: Observer | None = None,
) -> LadderGames | None:
    """Return the games of a ladder, those finished at Ctrl-C; None without any."""
    if len({strategy.name for strategy in strategies}) < 2:
        raise UserError("strategies: a ladder needs two or more different ones")
    plan = mixed_plan(r, strategies, players, games, seed)
    seated = line_ups(len(plan.library()), players, games, seed)
    pieces, _ = until_stopped(seated_pieces(plan, r, "strategies", seated, jobs, observer))
    return played(plan, r, joined(pieces)) if pieces else None


def report(played: LadderGames, planned: int) -> Ladder:
    """Return the results of the games."""
    ratings, spread, why_none = None, None, ""
    try:
        ratings, spread = rated(played), rating_spread(played)
    except UserError as error:
        why_none = str(error)
    return Ladder(
        games=played.games,
        planned=planned,
        victories=int((played.frames["games"]["ending"] == "victory").sum()),
        ratings=ratings,
        why_none=why_none,
        spread=spread,
        pairs=pairs(played.frames["seats"]),
        mixture=mixture(by_game(played.frames["seats"])),
        ways=ways(played),
        agendas=agendas_used(played),
        characters=characters(played.frames),
    )


# --- One against copies of another


def against(
    strategies: Sequence[Strategy],
    opponents: Sequence[Strategy],
    r: np.record,
    *,
    players: int,
    games: int,
    seed: int,
    jobs: int = 1,
    observer: Observer | None = None,
) -> tuple[pd.DataFrame, bool]:
    """Play each strategy against tables full of copies of each opponent; return the win rates and whether Ctrl-C ended it.

    Every pair plays the same games (seed and number), so their maps, decks and leaders are the same. Games of a
    pair that are finished at Ctrl-C count.
    """
    meetings = [(own, other) for own in strategies for other in opponents if own.name != other.name]
    if not meetings:
        raise UserError("strategies: no opponent left; expected a strategy that is not also in --against")
    rows = []
    stopped = False
    for own, other in meetings:
        plan = table_plan(r, [own, *[other] * (players - 1)], games, seed)
        pieces, stopped = until_stopped(table_pieces(plan, r, jobs, observer))
        if pieces:
            merged = joined(pieces)
            won, decided = shares(merged, plan, own.name), merged.games["winner"].sum(axis=1) > 0
            rows.append(meeting(own.name, other.name, players, won, decided, merged.games["rounds"]))
        if stopped:
            break
    return pd.DataFrame(rows), stopped


def _laddered(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn ladder`."""
    parts, findings, verdicts = [], quoted(kept.sentences), []
    if RATINGS in kept.tables:
        ratings = kept.tables[RATINGS]

        def draw(frame: pd.DataFrame, ax: Any) -> None:
            plots.column(ax, frame, frame["strategy"], "rating", "rating; 400 are odds of 10 to 1", reference=0)

        columns = (
            "strategy", "n", Column("rating", "rating [95% all]", "number"), "win_rate", "p_adjusted", "verdict", "rank_best",
            HINT,
        )  # fmt: skip
        parts.append(
            Part("strength", "Ratings", lambda source: ratings, columns, chapter=FOUND_CHAPTER,
                 note="400 points of the rating are odds of 10 to 1; ranks hold simultaneously (95%).",
                 charts=(Chart("strength", "Ratings", "95% for all rows together; filled: differs from the average.", draw,
                               lambda frame: 1.1 + 0.27 * len(frame), message=_strongest),))
        )  # fmt: skip
        verdicts = by_verdict(ratings, "strategy")
        for row in ratings[ratings["rating"].notna()].head(MOST_EXAMPLES).to_dict("records"):
            size = number(row["rating"], row["rating_all_low"], row["rating_all_high"], 0)
            findings.append(of_row(row, f"{row['strategy']}: rating {size} (n = {row['n']:,})."))
        for row in kept.tables[SPREAD].to_dict("records") if SPREAD in kept.tables else ():
            findings.append(Finding(AsMeasured(pd.DataFrame([row])), spread_words(row)))
        for row in ratings[ratings["rating"].isna()].to_dict("records"):
            findings.append(of_row(row, f"{row['strategy']} never won and has no rating (n = {row['n']:,})."))
    elif kept.command == MIXED:
        text = "No ratings: these games are too few, or only one strategy won any. More games (`--games`) may give them."
        findings.append(Finding(Untested(), text))
    for name, title in ((COPIES, "Win rates against copies"), (PAIRS, "Pairs of strategies")):
        if name in kept.tables:
            parts.append(_strategies(kept.tables[name], name, title))
    if COPIES in kept.tables:
        claim, apart = unfinished_apart(kept.tables[COPIES])
        if len(apart):
            each = [
                f"{rate(row['unfinished_share'])} with {row['strategy']} against {row['opponent']}"
                for row in apart.to_dict("records")
            ]
            text = f"Games that nobody won: {' to '.join(each)}. Win rates are of decided games only."
            findings.append(Finding(claim, text))
        for row in kept.tables[COPIES].head(MOST_EXAMPLES).to_dict("records"):
            won = rate_of(row, "win_rate")
            text = f"{row['strategy']} wins {won} against {row['opponent']} (n = {row['n']:,})."
            findings.append(Finding(AsMeasured(pd.DataFrame([row])), text))
    steps = more_games(kept, kept.tables[RATINGS]) if RATINGS in kept.tables else []
    return (
        parts,
        First(findings, verdicts=verdicts, chart="strength" if RATINGS in kept.tables else "versus", steps=steps),
        (),
    )


def _strongest(ratings: pd.DataFrame) -> str:
    """Say which strategy is the strongest, if only one can be."""
    first = ratings.loc[ratings["rank_best"] == 1, "strategy"] if "rank_best" in ratings else ratings["strategy"]
    return f"{first.iloc[0]} is the strongest" if len(first) == 1 and len(ratings) > 1 else ""


def _strategies(frame: pd.DataFrame, name: str, title: str) -> Part:
    """Return the part on win rates of strategies against each other."""
    columns = ["strategy", "opponent", "n", "win_rate"]
    named = frame.assign(pair=frame["strategy"] + " against " + frame["opponent"])

    def draw(rows: pd.DataFrame, ax: Any) -> None:
        plots.column(ax, rows, rows["pair"], "win_rate", "win rate, % (95% each)", ends=plots.EACH, scale=100)

    key = "versus" if name == COPIES else "meetings"
    return Part(key, title, lambda source: named, columns, note="Win rate of the first in games with the second at the table.",
                charts=(Chart(key, title, "95% each.", draw, lambda rows: 1.1 + 0.24 * len(rows)),) if len(named) <= 30 else (),
                chapter=FOUND_CHAPTER)  # fmt: skip
