"""Ladder: how strong are strategies, how do they win, and which mixture of them does none beat?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError
from ...simulator.runs.run import Observer
from ...strategies.registry import Strategy
from ..pages import plots
from ..pages.parts import HINT, Chart, Column, Finding, First, P, Part, number, rate, rate_of
from ..pages.sentences import FOUND_CHAPTER, MOST_EXAMPLES, Made, _said, by_verdict, more_games
from ..tables.kept import Kept
from ..tables.strategies import (
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
from . import arena
from .arena import Played

# --- All strategies against each other at mixed tables
#
# Who is how strong, who beats whom, and how each wins.
#
# Design. `analysis.questions.arena.line_ups` draws the tables without replacement and rotates the seats; leaders are drawn
# evenly, whoever plays them. So strategies meet as often as chance and the number of games allow, and neither seat nor leader
# favours one of them.
#
# What the games tell: `tables.strategies`.


@dataclass(frozen=True)
class Ladder:
    """What the games of a ladder tell, as far as they were played."""

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
        """Was it stopped before the end?"""
        return self.games < self.planned


def play(
    strategies: Sequence[Strategy],
    r: np.record,
    *,
    players: int,
    games: int,
    seed: int,
    jobs: int = 1,
    observer: Observer | None = None,
) -> Played | None:
    """Play the games of a ladder, or what is done of them at Ctrl-C; None if that is nothing."""
    if len({strategy.name for strategy in strategies}) < 2:
        raise UserError("strategies: a ladder needs two or more different ones")
    plan = arena.mixed_plan(r, strategies, players, games, seed)
    seated = arena.line_ups(len(plan.library()), players, games, seed)
    pieces, _ = arena.until_stopped(arena.seated_pieces(plan, r, "strategies", seated, jobs, observer))
    return arena.played(plan, r, arena.joined(pieces)) if pieces else None


def report(played: Played, planned: int) -> Ladder:
    """Return what the games tell."""
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


# --- one against copies of another


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

    Every pair plays the same games (seed and number), so their maps, decks and leaders are the same. What is done of a
    pair at Ctrl-C counts.
    """
    meetings = [(one, other) for one in strategies for other in opponents if one.name != other.name]
    if not meetings:
        raise UserError("strategies: no opponent left; expected a strategy that is not also in --against")
    rows = []
    stopped = False
    for one, other in meetings:
        plan = arena.table_plan(r, [one, *[other] * (players - 1)], games, seed)
        pieces, stopped = arena.until_stopped(arena.table_pieces(plan, r, jobs, observer))
        if pieces:
            found = arena.joined(pieces)
            won, decided = arena.shares(found, plan, one.name), found.games["winner"].sum(axis=1) > 0
            rows.append(meeting(one.name, other.name, players, won, decided, found.games["rounds"]))
        if stopped:
            break
    return pd.DataFrame(rows), stopped


def _laddered(kept: Kept) -> Made:
    """Return the page of `newdawn ladder`."""
    parts, said, verdicts = [], _said(kept), []
    if "ratings" in kept.tables:
        ratings = kept.tables["ratings"]

        def draw(frame: pd.DataFrame, ax: Any) -> None:
            plots.column(ax, frame, frame["strategy"], "rating", "rating; 400 are odds of 10 to 1", reference=0)

        columns = (
            Column("strategy", "strategy"), Column("n", "games", "count"), Column("rating", "rating [95% all]", "number"),
            Column("win_rate", "win rate [95%]", "rate"), P, Column("verdict", "verdict", "verdict"),
            Column("rank_best", "possible places", "range"), HINT,
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
            said.append(Finding(f"{row['strategy']}: rating {size} (n = {row['n']:,}).", row["certainty"]))
        for row in kept.tables["spread"].to_dict("records") if "spread" in kept.tables else ():
            said.append(Finding(spread_words(row)))
        for row in ratings[ratings["rating"].isna()].to_dict("records"):
            said.append(Finding(f"{row['strategy']} never won and has no rating (n = {row['n']:,}).", row["certainty"]))
    for name, title in (("against", "Win rates against copies"), ("pairs", "Pairs of strategies")):
        if name in kept.tables:
            parts.append(_strategies(kept.tables[name], name, title))
    if "against" in kept.tables:
        certainty, apart = unfinished_apart(kept.tables["against"])
        if len(apart):
            each = [
                f"{rate(row['unfinished_share'])} with {row['strategy']} against {row['opponent']}"
                for row in apart.to_dict("records")
            ]
            said.append(Finding(f"Games that nobody won: {' to '.join(each)}. Win rates are of decided games only.", certainty))
        for row in kept.tables["against"].head(MOST_EXAMPLES).to_dict("records"):
            won = rate_of(row, "win_rate")
            said.append(Finding(f"{row['strategy']} wins {won} against {row['opponent']} (n = {row['n']:,}).", "measured"))
    steps = more_games(kept, kept.tables["ratings"]) if "ratings" in kept.tables else []
    return parts, First(said, verdicts=verdicts, chart="strength" if "ratings" in kept.tables else "versus", steps=steps), ()


def _strongest(ratings: pd.DataFrame) -> str:
    """Say which strategy is the strongest, if only one may be."""
    first = ratings.loc[ratings["rank_best"] == 1, "strategy"] if "rank_best" in ratings else ratings["strategy"]
    return f"{first.iloc[0]} is the strongest" if len(first) == 1 and len(ratings) > 1 else ""


def _strategies(frame: pd.DataFrame, name: str, title: str) -> Part:
    """Return the part on win rates of strategies against each other."""
    columns = [Column("strategy", "strategy"), Column("opponent", "opponent"), Column("n", "games", "count"),
             Column("win_rate", "win rate [95%]", "rate")]  # fmt: skip
    some = frame.assign(pair=frame["strategy"] + " against " + frame["opponent"])

    def draw(rows: pd.DataFrame, ax: Any) -> None:
        plots.column(ax, rows, rows["pair"], "win_rate", "win rate, % (95% each)", ends=plots.EACH, scale=100)

    key = "versus" if name == "against" else "meetings"
    return Part(key, title, lambda source: some, columns, note="Win rate of the first in games with the second at the table.",
                charts=(Chart(key, title, "95% each.", draw, lambda rows: 1.1 + 0.24 * len(rows)),) if len(some) <= 30 else (),
                chapter=FOUND_CHAPTER)  # fmt: skip
