"""The parts of a report, in the order of the page. A new part is a line in PARTS."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis import game, plots, summaries
from analysis.compare import games_needed
from analysis.inference import holm, two_sided
from analysis.matchup import matchups
from analysis.order import turn_order
from analysis.rates import SMALL_SAMPLE
from analysis.report import findings
from analysis.report.effects import read_effects
from analysis.report.part import Chart, Column, Part, Source
from analysis.settling import settling
from analysis.strength import by_cards, strengths
from analysis.timing import claim_rounds
from simulator.errors import UserError

FEW_CASES = 10  # wins, or losses, below which normal intervals are not trusted

# --- Tables


def leaders(source: Source) -> pd.DataFrame:
    """Return the leaders by strength, corrected as far as these games allow, or by their plain win rates."""
    if source.decided == 0:
        raise UserError("nobody won any of these games")
    try:
        return _careful(strengths(source.outcomes, factors=source.factors))
    except UserError as error:
        source.notes.append(f"Leaders: plain win rates, not corrected for turn order, opponents and strategies: {error}.")
    return plain_leaders(source)


def _careful(frame: pd.DataFrame) -> pd.DataFrame:
    """Mark the rows with hardly a win, or hardly a loss: normal intervals are not to be trusted there."""
    return frame.assign(small_sample=frame["small_sample"] | _rare(frame["win_rate"], frame["n"]))


def _rare(rate: pd.Series, n: pd.Series) -> pd.Series:
    return n * np.minimum(rate, 1 - rate) < FEW_CASES


def plain_leaders(source: Source) -> pd.DataFrame:
    """Return plain win rates in the columns of `strengths`: p values are those of the score test.

    Unfinished games are in these rates, so the fair share is that of the games that somebody won.
    """
    frame = summaries.leaders(source.run)
    frame["fair_share"] *= source.decided
    ends = ("", "_low", "_high")
    frame = frame.assign(**{f"adjusted_rate{end}": frame[f"win_rate{end}"] for end in ends})
    frame = frame.assign(**{f"points{end}": 100 * (frame[f"win_rate{end}"] - frame["fair_share"]) for end in ends})
    places = frame["rank"].str.split("-")
    frame["rank_best"], frame["rank_worst"] = places.str[0].astype(int), places.str[-1].astype(int)
    return frame.assign(rank=np.arange(1, len(frame) + 1), **_tested(frame["fair_share"], frame["win_rate"], frame["n"]))


def _against_average(frame: pd.DataFrame, rate: str, n: str, source: Source) -> dict[str, Any]:
    """Return the share of the average seat (the fair share of the games that somebody won) and the test against it."""
    average = frame["fair_share"] * source.decided
    return {"average_share": average, **_tested(average, frame[rate], frame[n])}


def _tested(average: pd.Series, rate: pd.Series, n: pd.Series) -> dict[str, Any]:
    """Return p values of rates against a share: Wilson's interval as a test. Below SMALL_SAMPLE cases nothing is tested."""
    error = np.sqrt(average * (1 - average) / n.where(n >= SMALL_SAMPLE))
    p = two_sided(rate - average, error)
    return {"p": p, "p_holm": holm(p)}


def strategies(source: Source) -> pd.DataFrame | None:
    """Return the strategies by strength; None if only one played, or each leader had its own."""
    if len(source.strategies) < 2 or "strategy" not in source.factors:
        return None
    return _careful(strengths(source.outcomes, factors=source.factors, factor="strategy"))


def pairs(source: Source) -> pd.DataFrame | None:
    """Return the matchups; None at tables where fewer than three leaders meet."""
    if len(source.outcomes.levels["leader"]) < 3:
        return None
    return matchups(source.outcomes, source.factors)


def leaders_by_card(source: Source) -> pd.DataFrame | None:
    """Return the leaders' win rates with and without each victory card in play; None if there is one leader only."""
    if len(source.outcomes.levels["leader"]) < 2:
        return None
    frame = by_cards(source.outcomes, source.factors)
    frame["small_sample"] = _rare(frame["rate_with"], frame["n_with"]) | _rare(frame["rate_without"], frame["n_without"])
    frame["p"] = frame["p"].mask(frame["small_sample"])
    return frame.assign(p_holm=holm(frame["p"]))


def order(source: Source) -> pd.DataFrame:
    """Return the advantage of each place in the turn order."""
    return turn_order(source.outcomes, source.factors)


def wonders(source: Source) -> pd.DataFrame:
    """Return the world wonders with their costs, and how their builders fared: an association."""
    costs = {wonder["name"]: wonder["cost"] for wonder in source.ruleset["wonders"].values() if wonder.get("available")}
    frame = summaries.wonders(source.run)
    frame.insert(1, "cost", frame["wonder"].map(costs).astype(float))
    return frame.assign(**_against_average(frame, "builder_win_rate", "built", source))


def effects(source: Source) -> pd.DataFrame | None:
    """Return the table of the experiment's file; None if none was given."""
    return None if source.effects is None else read_effects(source.effects)


def agendas(source: Source) -> pd.DataFrame:
    """Return the victory cards and agendas."""
    frame = summaries.victory(source.run)
    return frame.assign(**_against_average(frame, "claimant_win_rate", "claims", source))


def timing(source: Source) -> pd.DataFrame:
    """Return in which rounds agendas were claimed."""
    return claim_rounds(source.run)


def reasons(source: Source) -> pd.DataFrame:
    """Return by which agendas games were won."""
    if source.decided == 0:
        raise UserError("nobody won any of these games")
    return game.reasons(source.run)


def rounds(source: Source) -> pd.DataFrame:
    """Return how long games took."""
    return game.rounds(source.run)


def shortages(source: Source) -> pd.DataFrame:
    """Return which components were used up."""
    source.ruleset  # noqa: B018  (says what is wrong if there are no rules to count by)
    return game.shortages(source.run)


def boards(source: Source) -> pd.DataFrame | None:
    """Return where winners and others had cities, from games played again; None if none are wanted."""
    if source.boards == 0:
        return None
    from simulator.replay.settled import settled  # loads the engine

    frame = settling(settled(source.run.path, source.boards))
    ends = ("", "_low", "_high")
    return frame.assign(**{f"percentage_points{end}": 100 * frame[f"difference{end}"] for end in ends})


def precision(source: Source) -> pd.DataFrame:
    """Return how many games questions of the wanted precision need."""
    return games_needed(source.half_width, source.run.players, len(source.outcomes.levels["leader"]))


# --- Columns that several tables have

N = Column("n", "games", "count", "games with it at the table, unfinished ones included")
FEW = Column("small_sample", "few?", "flag", f"fewer than {SMALL_SAMPLE} cases, or {FEW_CASES} wins or losses")
P = Column("p_holm", "corrected p", "p", "p value after Holm's correction over the table")


def _strength_columns(factor: str) -> tuple[Column, ...]:
    return (
        Column("rank", "place", "count", "place by estimated strength"),
        Column(factor, factor),
        N,
        Column("adjusted_rate", "win rate at balanced tables [95%]", "rate", "share of decided games won"),
        Column("points", "points above fair share [95%]", "points", "percentage points"),
        P,
        Column("rank_best", "possible places", "range", "hold for all rows together with 95%"),
        Column("win_rate", "win rate as played [95%]", "rate", "share of all games won, shared wins in parts"),
        FEW,
    )


# --- The parts

WITH_WINNER = "Games that nobody won say nothing about who wins; the model leaves them out and the plain rates count them."

PARTS: tuple[Part, ...] = (
    Part(
        "leaders", "Leaders", leaders, _strength_columns("leader"),
        note="Win rates against the fair share: one game in as many as there are players.",
        method=(
            "Leaders are compared by a conditional logit of who won each table (McFadden 1974), with leader, place in the "
            "turn order and strategy as factors, so that strong or weak opponents, a good seat or a better player do not "
            "count for the leader. Standard errors take the game as one cluster (sandwich). The win rate at balanced tables "
            "is what the leader would win if all line-ups met equally often in all orders. p values are corrected with "
            "Holm's method: the chance of any false finding in a table is at most 5%. Possible places hold "
            f"simultaneously with 95%. {WITH_WINNER}"
        ),
        charts=(Chart(
            "leaders", "Leaders: win rate against the fair share",
            "Dots: win rates at balanced tables; bars: 95% intervals; filled: differs from the fair share after correction.",
            plots.plot_strengths, lambda frame: 1.1 + 0.27 * len(frame),
        ),),
        findings=findings.leaders,
    ),
    Part(
        "strategies", "Strategies", strategies, _strength_columns("strategy"),
        note="How strong the players themselves are, corrected for leader and turn order.",
        findings=findings.strategies,
    ),
    Part(
        "matchups", "Pairs of leaders", pairs,
        (
            Column("leader", "leader"), Column("opponent", "opponent"),
            Column("n", "games", "count", "decided games with both at the table"),
            Column("decided", "won by one of them", "number", "games, shared wins in parts"),
            Column("win_rate", "won by the first [95%]", "rate", "of the games one of the two won"),
            Column("expected", "expected", "rate", "by the strengths of the two alone"),
            Column("surplus", "surplus, points [95%]", "points", "percentage points above expected"), P, FEW,
        ),
        note="Of the games that one of the two won, both at the table: how many the first of them won.",
        method=(
            "A pair is compared over the games that one of its two leaders won. The expected share follows from the "
            "leaders' strengths; p asks whether the pairing itself matters, corrected over all pairs."
        ),
        charts=(Chart(
            "matchups", "Pairs: who wins when both are at the table",
            "Row against column, % of the games one of the two won; 50 is even; the strongest leader is on top.",
            plots.plot_matchups, lambda frame: 3.9,
        ),),
        findings=findings.pairs, rows=60,
    ),
    Part(
        "leaders-by-card", "Leaders by victory card", leaders_by_card,
        (
            Column("card", "victory card"), Column("leader", "leader"),
            Column("n_with", "games with it", "count"), Column("rate_with", "win rate with it", "rate"),
            Column("n_without", "games without", "count"), Column("rate_without", "win rate without", "rate"),
            Column("points", "difference, points [95%]", "points", "percentage points, with the card less without"), P, FEW,
        ),
        note="Adjusted win rates with a victory card in play and without it. Cards are dealt at random: these are effects.",
        method=(
            "Leaders by card: one model for the games with the card and one for those without; corrected over all rows. "
            f"Nothing is tested where a side has fewer than {FEW_CASES} wins or losses."
        ),
        findings=findings.cards, rows=60,
    ),
    Part(
        "wonders", "World wonders: association with winning", wonders,
        (
            Column("wonder", "world wonder"), Column("type", "type"), Column("era", "era"),
            Column("cost", "cost, production", "rounds"),
            Column("n", "games in a deck", "count"), Column("built", "built", "count"),
            Column("build_rate", "built, of games in a deck [95%]", "rate"),
            Column("median_round", "median round", "rounds", "round in which it was built"),
            Column("builder_win_rate", "builders won [95%]", "rate", "an association, not the wonder's worth"),
            P, FEW,
        ),
        note="An association: who is ahead builds more, so these figures do not say what a wonder is worth.",
        method=(
            "Builders' win rates are associations. Their intervals are Wilson's, and the test against the average seat (the "
            "fair share of the games that somebody won) is the score test that belongs to them, corrected over all wonders "
            "that were built 100 times or more. They do not say what a wonder is worth; only games "
            "that are given the wonder at random do (newdawn experiment)."
        ),
        charts=(Chart(
            "wonders", "World wonders: association with winning, by cost",
            "How often the builder won, cheapest wonders on top. Builders may win more for other reasons. "
            "Filled: differs from the average seat after correction.",
            plots.plot_wonder_association, lambda frame: 1.1 + 0.2 * int((frame["built"] > 0).sum()),
            worth=lambda frame: bool((frame["built"] > 0).any()),
        ),),
        findings=findings.wonders,
    ),
    Part(
        "effects", "World wonders: effect of having one", effects,
        (
            Column("wonder", "world wonder"), Column("cost", "cost, production", "rounds"), Column("n", "games", "count"),
            Column("points", "effect, points [95%]", "points", "change of the chance to win, percentage points"),
            Column("points_per_cost", "points per production", "ratio"), P,
        ),
        note="An effect: the wonder was given to a seat at random in otherwise normal games.",
        method=(
            "Effects of wonders come from a randomised experiment; p values are the experiment's own, or follow from the "
            "intervals, and are corrected over all wonders."
        ),
        charts=(Chart(
            "effects", "World wonders: effect on winning, by cost",
            "Change of the chance to win of a seat that was given the wonder. Filled: not zero after correction.",
            plots.plot_wonder_effect, lambda frame: 1.1 + 0.2 * len(frame),
        ),),
        findings=findings.effects, strict=True,
    ),
    Part(
        "agendas", "Victory cards and agendas", agendas,
        (
            Column("card", "victory card"), Column("agenda", "agenda"),
            Column("n", "games in play", "count"),
            Column("claim_rate", "claimed by anyone [95%]", "rate", "of the games with the card in play"),
            Column("claims", "claims", "count", "all claims, several in a game"),
            Column("median_round", "median round", "rounds", "round of the claim"),
            Column("winner_share", "share of the wins [95%]", "rate", "of the wins with the card in play, those that used it"),
            Column("claimant_win_rate", "claimants won [95%]", "rate", "an association"), P, FEW,
        ),
        note="What the claimants won is an association: who claims is ahead already.",
        method=(
            "Claims: several players may claim a card, so claimants of one game share its win, and the intervals of their "
            "win rates are a little too wide."
        ),
        findings=findings.agendas,
    ),
    Part(
        "timing", "When agendas are claimed", timing,
        (
            Column("agenda", "agenda"), Column("claims", "claims", "count"),
            Column("p5", "5%", "rounds", "so many of the claims came by this round"), Column("p25", "25%", "rounds"),
            Column("median", "median", "rounds"), Column("p75", "75%", "rounds"), Column("p95", "95%", "rounds"), FEW,
        ),
        note="Rounds of the claims that were made; agendas that are hard to reach are claimed late and seldom.",
        charts=(Chart(
            "timing", "When agendas are claimed",
            "Rounds of all claims: middle 90%, middle half and median.",
            plots.plot_agenda_timing, lambda frame: 1.1 + 0.27 * len(frame),
        ),),
    ),
    Part(
        "reasons", "What games are won by", reasons,
        (
            Column("agendas", "agendas of the winner"), Column("wins", "wins", "number", "shared wins in parts"),
            Column("share", "of all wins", "rate"),
            Column("share_where_possible", "where possible [95%]", "rate", "of the wins with the same cards in play"),
            Column("n", "wins where possible", "number"),
            Column("median_round", "median rounds", "rounds", "length of these games"), FEW,
        ),
        note="The combinations of agendas by which games were won, the most frequent first.",
        findings=findings.reasons, rows=40,
    ),
    Part(
        "length", "Length of the game", rounds,
        (
            Column("rounds", "rounds", "rounds"), Column("victories", "won", "count"),
            Column("unfinished", "unfinished", "count"), Column("share", "share of games", "rate"),
            Column("share_so_far", "ended by then", "rate"),
        ),
        note="In which round games ended.",
        charts=(Chart(
            "length", "Length of the game", "Share of the games that ended in each round.",
            plots.plot_rounds, lambda frame: 2.8,
        ),),
        findings=findings.length,
    ),
    Part(
        "order", "Turn order", order,
        (
            Column("order", "place", "count", "1 = first player"), Column("n", "games", "count"),
            Column("adjusted_rate", "win rate [95%]", "rate", "of decided games, leaders and strategies alike"),
            Column("points", "points above fair share [95%]", "points"), P,
            Column("win_rate", "win rate as played [95%]", "rate"),
        ),
        note="What moving first, second … is worth, corrected for leaders and strategies.",
        charts=(Chart(
            "order", "Seat advantage: place in the turn order",
            "Place 1 moves first. Filled: differs from the fair share after correction.",
            plots.plot_turn_order, lambda frame: 1.1 + 0.3 * len(frame),
        ),),
        findings=findings.order,
    ),
    Part(
        "shortages", "What runs out", shortages,
        (
            Column("component", "component"), Column("n", "cases", "count", "seats, or games for what all share"),
            Column("used_up", "used up at the end", "count"), Column("rate", "rate [95%]", "rate"),
        ),
        note="Components that were used up at the end of the game; what ran out and came back is missed.",
        findings=findings.shortages,
    ),
    Part(
        "boards", "Where winners settle", boards,
        (
            Column("q", "q", "rounds", "axial coordinate from the capital, east"),
            Column("r", "r", "rounds", "axial coordinate from the capital, south-east"),
            Column("distance", "distance", "rounds", "spaces from the capital"),
            Column("winners", "winners", "count", "winners whose map had the space"),
            Column("winner_rate", "winners with a city [95%]", "rate"),
            Column("others", "others", "count"), Column("other_rate", "others with a city [95%]", "rate"),
            Column("percentage_points", "difference, points [95%]", "points"), P, FEW,
        ),
        note=(
            "Cities at the end, founded or conquered, without the capital; spaces seen from the capital, turned so that the "
            "middle of the map lies to the right."
        ),
        method=(
            "Boards: a sample of the games was played again from the manifest (a game is a function of rules, plan, seed "
            "and number). Winners and others of the same table are compared space by space, so games are the "
            "units; spaces seen in fewer than 100 games are left blank. What distinguishes winners here is an association."
        ),
        charts=tuple(
            Chart(
                f"boards-{key}", title, caption, partial(plots.plot_settling, value=value),
                worth=lambda frame: not frame["small_sample"].all(),
            )
            for key, title, caption, value in (
                ("winners", "Where winners have cities", "Share of the winners with a city on the space.", "winner_rate"),
                ("others", "Where the others have cities", "The same for the players who did not win.", "other_rate"),
                ("difference", "Winners less others", "Framed: differs after correction. An association.", "difference"),
            )
        ),
        findings=findings.boards, rows=60,
    ),
    Part(
        "precision", "Games that questions need", precision,
        (
            Column("question", "question"), Column("half_width", "± wanted", "rate"),
            Column("games", "games needed", "count", "pairs of games in rows about two rulesets"),
            Column("detectable", "difference found with 80% chance", "rate"),
        ),
        note="For intervals of the wanted half-width.",
        findings=findings.precision,
    ),
)  # fmt: skip
