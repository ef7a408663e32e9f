"""The parts of a report, in the order of the page: headings, charts, words. A new part is a line in PARTS."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from ...simulator.wording import counted, half
from .. import plots
from ..statistics.answer import differs
from ..statistics.rates import FEW_CASES, SMALL_SAMPLE
from ..summaries.claims import BETWEEN
from . import expansion, findings, tables
from .charts import matrix_width
from .part import Chart, Column, Part
from .shared import (
    AGENDA,
    BARS,
    CARD,
    CARD_SET,
    DIFFERENCE,
    FEW,
    GAMES,
    LEADER,
    MARKS,
    STRATEGY,
    VERDICT,
    WONDER,
    P,
    chapter,
    message,
    share_message,
    some_rows,
    tall,
)


def _strength_columns(factor: str) -> tuple[Column, ...]:
    return (
        Column(factor, factor),
        Column("rank", "place", "count", "place by estimated strength"),
        Column("decided", "decided games", "count", "games with it at the table that somebody won"),
        Column("adjusted_rate", "win rate at balanced tables [95% all]", "rate", "share of decided games won"),
        Column("points", "points above fair share [95% all]", "points", "percentage points"),
        P,
        VERDICT,
        Column("rank_best", "possible places", "range", "hold for all rows together with 95%"),
        Column("win_rate", "win rate as played [95%]", "rate", "share of all games won, shared wins in parts"),
        FEW,
    )


def _stronger_first(frame: pd.DataFrame) -> pd.DataFrame:
    """Return each pair of leaders once, as seen by the one that wins most of what one of the two won."""
    one, other = frame["leader"].astype(str), frame["opponent"].astype(str)
    pair = one.where(one < other, other) + BETWEEN + other.where(one < other, one)
    worse = frame["win_rate"].isna() | (frame["win_rate"] < 0.5)
    kept = pair[worse.sort_values(kind="stable").index].drop_duplicates().index
    return frame[frame.index.isin(kept)]


def _one_of_mirrored(frame: pd.DataFrame) -> pd.DataFrame:
    """Return of a leader's two agendas of a card the one it won with more often, where all its wins used one of them."""
    both = frame.groupby(["leader", "card"])[["wins"]].transform("sum")["wins"]
    second = frame.duplicated(["leader", "card"])
    return frame[~(second & np.isclose(both, frame["n"]))]


# --- What charts say


def _builders(frame: pd.DataFrame) -> str:
    """Say whose builders won most or least beside the average seat."""
    sized = frame.assign(points=frame["builder_win_rate"] - frame["average_share"])
    return message("points", "Builders of {wonder} win {word} often than the average seat")(sized)


def _how_long(frame: pd.DataFrame) -> str:
    """Say when half of the games are over, and how many rounds most take."""
    early, half_of_them, late = (frame.loc[frame["share_so_far"] >= share, "rounds"].min() for share in (0.05, 0.5, 0.95))
    if not late > early:
        return ""
    most = frame.loc[frame["rounds"].between(early, late), "share"].sum()
    return f"Half of the games are over by round {half_of_them:g}; {100 * most:.0f}% take {early:g} to {late:g}"


def _decided_from(frame: pd.DataFrame) -> str:
    """Say from which round on, and until the last that is drawn, the sole leader wins more than its share."""
    shown = frame[(frame["leading"] >= SMALL_SAMPLE) & ~frame["small_sample"]]
    above = (shown["leader_win_rate_low"] > shown["fair_share"])[::-1].cummin()[::-1]
    return f"From round {shown.loc[above, 'round'].iloc[0]} on the sole leader wins more than its share" if above.any() else ""


def _claimed_first(frame: pd.DataFrame) -> str:
    """Say from which to which round the medians of the agendas' claims go."""
    known = frame[~frame["small_sample"]].sort_values("median", kind="stable")
    if len(known) < 2 or known["median"].iloc[0] == known["median"].iloc[-1]:
        return ""
    first, last = known.iloc[0], known.iloc[-1]
    early, late = half(first["median"]), half(last["median"])
    return f"Median rounds of claims go from {early} ({first['agenda']}) to {late} ({last['agenda']})"


def _settled(frame: pd.DataFrame) -> str:
    """Say on how many spaces winners and others differ."""
    found = int((differs(frame) & ~frame["small_sample"]).sum())
    return f"Winners settle differently on {counted(found, 'space')} (association)" if found else ""


# --- The parts, in chapters

LEADERS = chapter(
    "Leaders",
    Part(
        "leaders", "Leaders", tables.leaders, _strength_columns("leader"),
        method=(
            "A conditional logit of who won each table (McFadden 1974), corrected for opponents, turn order and strategy. "
            "Errors are clustered by game; games that nobody won are left out. Verdicts go by [95% all] (Bonferroni). The "
            "games named decide with 80% chance: the fewest and the most for a true rate within its own interval of 95%."
        ),
        charts=(Chart(
            "leaders", "Leaders: win rate against the fair share",
            f"Win rates at balanced tables; dashed: the fair share. {MARKS}",
            plots.plot_strengths, tall(0.27), message=share_message("leader"),
        ),),
        findings=findings.leaders,
    ),
    Part(
        "mended", "The others, were the one furthest off mended", tables.mended,
        (
            LEADER, Column("decided", "decided games", "count"),
            Column("rate_now", "win rate as it is", "rate", "at balanced tables"),
            Column("adjusted_rate", "win rate then [95% all]", "rate", "with the one furthest off at its fair share"),
            Column("points", "points above fair share then [95% all]", "points", "percentage points"), P, VERDICT, FEW,
        ),
        note="Wins are zero-sum: what one leader wins too many the others lack.",
        method=(
            "The others, with the one furthest off at its fair share: in the model of who wins its log odds are set so, all "
            "else as it is (delta method)."
        ),
        findings=findings.mended,
    ),
    Part(
        "spread", "How far apart the leaders are", tables.spread,
        (
            Column("leaders", "leaders", "count"), GAMES,
            Column("spread", "leader spread, points [95%]", "number", "standard deviation of the true win rates"),
            Column("widest", "best less worst, points", "number", "of the estimated win rates, chance included"), FEW,
        ),
        note="The standard deviation of the true win rates, without what chance adds.",
        method="The variance of the win rates at balanced tables less that of their errors (noncentral χ²).",
        findings=findings.spread,
    ),
    Part(
        "strategies", "Strategies", tables.strategies, _strength_columns("strategy"),
        note="How strong the players are, corrected for leader and turn order.",
        findings=findings.strategies,
    ),
    Part(
        "leaders-by-strategy", "Leaders by strategy", tables.leaders_by_strategy,
        (
            STRATEGY, LEADER, Column("n", "decided games", "count", "games that somebody won"),
            Column("win_rate", "win rate [95%]", "rate", "of these games played by the strategy"),
            Column("others_rate", "other leaders", "rate", "played by the same strategy"), DIFFERENCE, P, VERDICT, FEW,
        ),
        note="Win rates as played, against the other leaders that the same strategy played.",
        method="Two rates over the same games (delta method, by game); not corrected for turn order and opponents.",
        findings=findings.leaders_by_strategy, rows=100,
    ),
    Part(
        "leaders-with-strategies", "Leaders that depend on who plays them", tables.leaders_with_strategies,
        (
            LEADER, STRATEGY, Column("decided", "decided games", "count", "games with both that somebody won"),
            Column("interaction", "beyond leader and strategy, points [95% all]", "points", "at the fair share"),
            P, VERDICT, FEW,
        ),
        note="What a pair wins beyond what leader and strategy are worth in all other pairs.",
        method=(
            "The model of who wins, with log odds for every pair; what leader and strategy leave of them, at the fair share."
        ),
        findings=findings.leaders_with_strategies, rows=100,
    ),
    Part(
        "matchups", "Pairs of leaders", tables.pairs,
        (
            LEADER, Column("opponent", "opponent"), Column("n", "games", "count", "decided games with both at the table"),
            Column("decided", "won by one of them", "number", "games, shared wins in parts"),
            Column("win_rate", "won by the first [95%]", "rate", "of the games one of the two won"),
            Column("expected", "expected", "rate", "by the strengths of the two alone"),
            Column("surplus", "misfit of the strengths, points [95%]", "points", "won less expected"),
            Column("remainder", "left over, points [95% all]", "points", "after strengths and each leader's own noise"), P, FEW,
        ),
        note="How many the first won of the games, with both at the table, that one of the two won.",
        method="Against what strengths predict. p asks what is left when each leader has a noise of its own (Bhat 1995).",
        charts=(Chart(
            "matchups", "Pairs: who wins when both are at the table",
            "% of the games one of the two won that the row won; 50 is even.",
            plots.plot_matchups, lambda frame: max(3.9, 1.4 + 0.27 * frame["leader"].nunique()),
            width=lambda frame: matrix_width(frame["opponent"].nunique()),
            message=message("remainder", "{leader} does {word} against {opponent} than strengths predict", "better", "worse"),
        ),),
        findings=findings.pairs, once=_stronger_first, rows=80,
    ),
    Part(
        "leaders-by-card", "Leaders by victory card", tables.leaders_by_card,
        (
            CARD, LEADER, Column("n_with", "games with it", "count"), Column("rate_with", "win rate with it", "rate"),
            Column("n_without", "games without", "count"), Column("rate_without", "win rate without", "rate"),
            Column("points", "difference, points [95% all]", "points", "percentage points, with the card less without"), P,
            VERDICT, FEW,
        ),
        note="Cards are dealt at random: effects of a card instead of another.",
        method=f"A model with the card and one without. Fewer than {FEW_CASES} wins or losses on a side are not tested.",
        findings=findings.cards, rows=60,
    ),
    Part(
        "leaders-agendas", "How leaders win: agendas", tables.winning_agendas,
        (
            LEADER, AGENDA, Column("n", "wins with the card in play", "number", "wins of the leader, shared ones in parts"),
            Column("use_rate", "won with the agenda [95%]", "rate", "of these wins"),
            Column("others_rate", "other leaders' wins", "rate", "that used the agenda"), DIFFERENCE, P, FEW,
        ),
        note="How many of a leader's wins with the card in play used the agenda.",
        method="A leader's wins against the others' (Newcombe; Welch). The two agendas of a card are one question.",
        charts=(Chart(
            "leaders-agendas", "How leaders win: agendas",
            "% of a leader's wins with the card in play that used the agenda. Colour: against the others. Bold: differs.",
            plots.plot_winning_agendas, lambda frame: 1.8 + 0.27 * frame["leader"].nunique(),
            width=lambda frame: matrix_width(frame["agenda"].nunique()),
            message=message("points", "{leader} wins by {agenda} {word} often than the other leaders"),
        ),),
        findings=findings.winning_agendas, once=_one_of_mirrored, rows=80,
    ),
    Part(
        "leaders-timing", "How leaders win: timing", tables.winning_times,
        (
            LEADER, Column("winners", "wins", "count", "shared ones count fully"),
            Column("rounds_mean", "mean rounds [95%]", "number", "length of the games it won"),
            Column("rounds_p25", "25%", "rounds", "so many of its wins came by this round"),
            Column("rounds_median", "median", "rounds"), Column("rounds_p75", "75%", "rounds"),
            Column("claims", "1st · 2nd · … claim", "text", "median rounds of the winner's claims"),
            Column("rounds_difference", "difference, rounds [95% all]", "points", "from all other leaders' wins"), P, FEW,
        ),
        charts=(Chart(
            "leaders-timing", "How leaders win: timing",
            f"Mean length of the games a leader won, less that of the others' wins. {BARS}",
            plots.plot_winning_times, tall(0.27),
            message=message("rounds_difference", "{leader} wins {size} rounds {word} than the others", "later", "earlier"),
        ),),
        findings=findings.winning_times,
    ),
)  # fmt: skip
CARDS = chapter(
    "Cards and world wonders",
    Part(
        "wonders", "World wonders: association with winning", tables.wonders,
        (
            WONDER, Column("type", "type"), Column("era", "era"), Column("cost", "cost, production", "rounds"),
            Column("n", "games in a deck", "count"), Column("built", "built", "count"),
            Column("build_rate", "built, of games in a deck [95%]", "rate"),
            Column("median_round", "median round", "rounds", "round in which it was built"),
            Column("builder_win_rate", "builders won [95% all]", "rate", "an association, not the wonder's worth"), P, FEW,
        ),
        note="Who is ahead builds more: what a wonder is worth, `newdawn experiment` says.",
        method="The score test against the average seat, for wonders built 100 times or more.",
        charts=(Chart(
            "wonders", "World wonders: association with winning, by cost",
            f"How often the builder won, cheapest wonders on top. {BARS}",
            plots.plot_wonder_association, lambda frame: 1.1 + 0.2 * int((frame["built"] > 0).sum()),
            worth=lambda frame: bool((frame["built"] > 0).any()), message=_builders,
        ),),
        findings=findings.wonders,
    ),
    Part(
        "effects", "World wonders: effect of having one", tables.effects,
        (
            WONDER, Column("cost", "cost, production", "rounds"), GAMES,
            Column("points", "effect, points [95% all]", "points", "change of the chance to win, percentage points"),
            Column("points_per_cost", "points per production", "ratio"), P, VERDICT, FEW,
        ),
        note="An effect: the wonder was given to a seat at random.",
        method="A randomised experiment; p values are its own, or follow from the intervals.",
        charts=(Chart(
            "effects", "World wonders: effect on winning, by cost",
            f"Change of the chance to win. {MARKS}",
            plots.plot_wonder_effect, tall(0.2),
            message=message("points", "{wonder} {word} the chance to win by {size} points", "raises", "lowers"),
        ),),
        findings=findings.effects, strict=True,
    ),
    Part(
        "agendas", "Victory cards and agendas", tables.agendas,
        (
            CARD, AGENDA, Column("n", "games in play", "count"),
            Column("claim_rate", "claimed by anyone [95%]", "rate", "of the games with the card in play"),
            Column("claims", "claims", "count", "all claims, several in a game"),
            Column("median_round", "median round", "rounds", "round of the claim"),
            Column("winner_share", "share of the wins [95%]", "rate", "of the wins with the card in play, those that used it"),
            Column("claimant_win_rate", "claimants won [95%]", "rate", "nearly a tautology: winners must claim"), FEW,
        ),
        note="Nobody wins without claims, so what claimants won is not tested.",
        findings=findings.agendas,
    ),
    Part(
        "agenda-users", "Which leader claims which agenda", tables.agenda_users,
        (
            CARD, AGENDA, LEADER, Column("n", "games", "count", "with the leader and the card"),
            Column("claims", "claims", "count"), Column("claim_rate", "claimed [95%]", "rate", "of these games"),
            Column("others_rate", "other seats", "rate", "of the same games"), DIFFERENCE, P,
            Column("agenda_share", "of its claims of the card [95%]", "rate"), FEW,
        ),
        findings=findings.agenda_users, rows=80,
    ),
    Part(
        "timing", "When agendas are claimed", tables.timing,
        (
            AGENDA, Column("claims", "claims", "count"),
            Column("p5", "5%", "rounds", "so many of the claims came by this round"), Column("p25", "25%", "rounds"),
            Column("median", "median", "rounds"), Column("p75", "75%", "rounds"), Column("p95", "95%", "rounds"), FEW,
        ),
        charts=(Chart(
            "timing", "When agendas are claimed",
            "Rounds of the claims: 5% to 95%, quartiles and median.",
            plots.plot_agenda_timing, tall(0.27), message=_claimed_first,
        ),),
    ),
    Part(
        "card-sets", "Length by the victory cards in play", tables.card_sets,
        (
            CARD_SET, GAMES, Column("rounds_mean", "mean rounds [95%]", "number"), Column("rounds_median", "median", "rounds"),
            Column("rounds_difference", "difference, rounds [95% all]", "points", "from all games with other cards"), P,
            VERDICT, Column("unfinished_rate", "unfinished [95%]", "rate"), FEW,
        ),
        note="Cards are dealt at random: effects of a combination instead of another.",
        method="One combination against all others (Welch; Newcombe; z test); seats and opponents are not corrected for.",
        charts=(Chart(
            "card-sets", "Length by the victory cards in play",
            f"Mean length of the games, less that with other cards. {MARKS}",
            plots.plot_card_sets, lambda frame: 1.1 + 0.13 * sum(frame["cards"].str.count(r"\|") + 1.2),
            message=message("rounds_difference", "With some victory cards games are {size} rounds {word}", "longer", "shorter"),
        ),),
        findings=findings.card_sets,
    ),
    Part(
        "card-set-leaders", "Leaders by the victory cards in play", tables.card_set_leaders,
        (
            CARD_SET, LEADER, Column("n", "decided games", "count", "games that somebody won"),
            Column("win_rate", "win rate [95%]", "rate"),
            Column("others_rate", "with other cards", "rate"), DIFFERENCE, P, VERDICT, FEW,
        ),
        note="Win rates as played, with these cards instead of others.",
        findings=findings.card_set_leaders, rows=80,
    ),
    Part(
        "reasons", "What games are won by", tables.reasons,
        (
            Column("agendas", "agendas of the winner"), Column("wins", "wins", "number", "shared wins in parts"),
            Column("share", "of all wins", "rate"),
            Column("share_where_possible", "where possible [95%]", "rate", "of the wins with the same cards in play"),
            Column("n", "wins where possible", "number"),
            Column("median_round", "median rounds", "rounds", "length of these games"), FEW,
        ),
        rows=40,
    ),
)  # fmt: skip
COURSE = chapter(
    "The course of the games",
    Part(
        "length", "Length of the game", tables.rounds,
        (
            Column("rounds", "rounds", "rounds"), Column("victories", "won", "count"),
            Column("unfinished", "unfinished", "count"), Column("share", "share of games", "rate"),
            Column("share_so_far", "ended by then", "rate"),
        ),
        charts=(Chart(
            "length", "Length of the game", "Games that ended in each round.",
            plots.plot_rounds, lambda frame: 2.8, message=_how_long,
        ),),
        findings=findings.length,
    ),
    Part(
        "order", "Turn order", tables.order,
        (
            Column("order", "place", "count", "1 = first player"), GAMES,
            Column("adjusted_rate", "win rate [95% all]", "rate", "of decided games, leaders and strategies alike"),
            Column("points", "points above fair share [95% all]", "points"), P, VERDICT,
            Column("win_rate", "win rate as played [95%]", "rate"), FEW,
        ),
        charts=(Chart(
            "order", "Seat advantage: place in the turn order",
            f"Place 1 moves first. {MARKS}",
            plots.plot_turn_order, tall(0.3), message=share_message("order", "Place {}"),
        ),),
        findings=findings.order,
    ),
    Part(
        "lead", "Lead changes", tables.lead,
        (
            GAMES, Column("changes", "lead changes in a game [95%]", "ratio", "times another seat became the only leader"),
            Column("steady_rate", "games without any [95%]", "rate"), Column("victories", "won games", "count"),
            Column("lead_round", "winner leads for good from round", "rounds", "median"),
            Column("lead_round_p25", "25%", "rounds"), Column("lead_round_p75", "75%", "rounds"),
            Column("last_round_rate", "only in the last round [95%]", "rate", "of the won games"), FEW,
        ),
        note="Who has claimed more victory cards than every other at the end of a round leads.",
    ),
    Part(
        "comebacks", "Comebacks", tables.comebacks,
        (
            Column("behind", "behind by at least, cards", "count"), Column("n", "won games", "count"),
            Column("wins", "winner had been behind", "count"), Column("comeback_rate", "rate [95%]", "rate"), FEW,
        ),
        note="Winners who had been so many victory cards behind at the end of a round.",
    ),
    Part(
        "predictability", "How early games are decided", tables.predictability,
        (
            Column("round", "after round", "count"), Column("n", "games going on", "count"),
            Column("leading", "one leads alone", "count", "games"), Column("leading_rate", "rate [95%]", "rate"),
            Column("leader_win_rate", "it wins in the end [95%]", "rate", "unfinished games count as not won"),
            Column("fair_share", "fair share", "rate"),
            Column("auc", "winner predicted by claims [95%]", "rate", "from another seat; 50%: a coin toss"), FEW,
        ),
        method="Winner predicted by claims: the area under the ROC curve, equal numbers counting half.",
        charts=(Chart(
            "predictability", "How early games are decided",
            "How often one seat leads alone in victory cards, and how often it wins (band: 95%).",
            plots.plot_predictability, lambda frame: 3.1,
            worth=some_rows, message=_decided_from,
        ),),
        rows=60,
    ),
    Part(
        "shortages", "What runs out", tables.shortages,
        (
            Column("component", "component"), Column("n", "cases", "count", "seats, or games for what all share"),
            Column("used_up", "used up at the end", "count"), Column("rate", "rate [95%]", "rate"),
        ),
        note="Used up at the end of the game; what came back is missed.",
    ),
    Part(
        "boards", "Where winners settle", tables.boards,
        (
            Column("q", "q", "rounds", "axial coordinate from the capital, east"),
            Column("r", "r", "rounds", "axial coordinate from the capital, south-east"),
            Column("distance", "distance", "rounds", "spaces from the capital"),
            Column("winners", "winners", "count", "winners whose map had the space"),
            Column("winner_rate", "winners with a city [95%]", "rate"), Column("others", "others", "count"),
            Column("other_rate", "others with a city [95%]", "rate"),
            Column("percentage_points", "difference, points [95% all]", "points"), P, FEW,
        ),
        note="Cities at the end, without the capital; the middle of the map lies to the right.",
        method="Games played again; winners and others of a table, space by space. Blank: seen in fewer than 100 games.",
        charts=tuple(
            Chart(
                f"boards-{key}", title, caption, partial(plots.plot_settling, value=value),
                worth=some_rows, message=_settled if key == "difference" else lambda frame: "",
            )
            for key, title, caption, value in (
                ("winners", "Where winners have cities", "Share with a city on the space.", "winner_rate"),
                ("others", "Where the others have cities", "The same for the others.", "other_rate"),
                ("difference", "Winners less others", "Framed: differs. An association.", "difference"),
            )
        ),
        findings=findings.boards, rows=60,
    ),
)  # fmt: skip
PLANNING = chapter(
    "How many games",
    Part(
        "precision",
        "Games that questions need",
        tables.precision,
        (
            Column("question", "question"),
            Column("slowest", "slowest figure", "text", "rates are those of this run"),
            Column("half_width", "± wanted", "rate"),
            Column("games", "games needed", "count", "pairs of games in rows about two rulesets"),
            Column(
                "detectable", "difference found with 80% chance", "rate", "so many points off the verdict beside it is given"
            ),
            Column("verdict", "verdict"),
        ),
        note="The figure that needs most games decides.",
        findings=findings.precision,
    ),
)

PARTS = (*LEADERS, *expansion.PARTS, *CARDS, *COURSE, *PLANNING)
