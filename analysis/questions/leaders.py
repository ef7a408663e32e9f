"""Leaders: who is too strong, with whom, against whom, by what cards and when?"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, half
from ...simulator.rules.load import from_data
from ...simulator.rules.show import Doubt, doubts_about
from ...strategies.registry import DEFAULT
from ..pages import plots
from ..pages.cells import number, points, rate, rate_of
from ..pages.chart_messages import BARS, message, share_message, tall
from ..pages.chart_svg import matrix_width
from ..pages.report_parts import GOOD_PLAYERS, VERDICT, Chart, Column, Finding, Named, Part, Source, chapter
from ..pages.sentences import GROUPS, LARGE, MOST, ROUNDS, _missed, _points, _rows, _some, answers, in_short, quoted, some_of
from ..stats.claims import CouldBeFirst, Differ, Lie, Limit, Nothing, Stand, Undecided, Untested, WholeTable, extreme_first
from ..stats.inference import ALL
from ..stats.rates import FEW_CASES
from ..stats.verdicts import (
    CHANGE,
    DIFFERENT,
    HIGHER,
    LOWER,
    STRENGTH,
    Verdict,
    could_reach,
    differs,
    far,
    having,
    judged,
    lies_above,
    read,
)
from ..tables import reference_results, victory_cards, win_rates
from ..tables.leader_strength import by_cards, leader_spread, strengths
from ..tables.matchup import interactions, matchups
from ..tables.victory_cards import BETWEEN
from . import game
from .open_readings import RATE_OF


def leaders_table(source: Source) -> pd.DataFrame:
    """Return the leaders by strength, with verdicts; none where each leader was played by strategies of its own."""
    return reference_results.with_good_players(source.judged, source.run, "leader", RATE_OF)


def strategies_table(source: Source) -> pd.DataFrame | None:
    """Return the strategies by strength; None if only one played, or each leader had its own."""
    if len(source.strategies) < 2 or "strategy" not in source.factors:
        return None
    frame = strengths(source.outcomes, factors=source.factors, factor="strategy")
    return judged(frame, "points", source.margin, source.games, family="strategies")


def leaders_by_strategy_table(source: Source) -> pd.DataFrame | None:
    """Return the leaders by strategy; None if one strategy played, or each leader had its own."""
    if len(source.strategies) < 2:
        return None
    source.need_winners()
    frame = win_rates.leaders_by_strategy(source.run)
    return judged(frame, "points", source.margin, source.games, family="leaders by strategy") if len(frame) else None


def leaders_with_strategies_table(source: Source) -> pd.DataFrame | None:
    """Return how far each leader's strength depends on the strategy; None if the games cannot show it."""
    if len(source.strategies) < 2 or not source.several_leaders or source.players_of:
        return None
    source.need_winners()
    frame, family = interactions(source.outcomes, 1 / source.run.players), "leaders with strategies"
    return judged(frame, "interaction", source.margin, source.games, CHANGE, family=family)


def pairs_table(source: Source) -> pd.DataFrame | None:
    """Return the matchups; None if fewer than three leaders meet, or each has places of its own."""
    if len(source.outcomes.levels["leader"]) < 3 or source.places_of:
        return None
    return matchups(source.outcomes, source.factors)


def leaders_by_card_table(source: Source) -> pd.DataFrame | None:
    """Return the leaders' win rates with and without each victory card in play; None if they cannot be compared."""
    if not source.several_leaders or source.places_of:
        return None
    frame = by_cards(source.run, source.factors)
    return judged(frame, "points", source.margin, source.games, CHANGE, family="leaders by card")


def spread_table(source: Source) -> pd.DataFrame | None:
    """Return how far apart the leaders are; None if there is one leader only, or they cannot be compared."""
    if not source.several_leaders or source.untestable:
        return None
    return leader_spread(source.outcomes, factors=source.factors)


def winning_agendas_table(source: Source) -> pd.DataFrame:
    """Return by which agendas each leader wins."""
    source.need_winners()
    return victory_cards.winning_agendas(source.run)


def winning_times_table(source: Source) -> pd.DataFrame:
    """Return when each leader wins; the column `claims` has the median rounds of the winners' claims as text."""
    source.need_winners()
    frame = victory_cards.winning_times(source.run)
    medians = frame[[name for name in frame.columns if name.startswith("claim_")]]
    return frame.assign(claims=[" · ".join(half(x) for x in row if x == x) for row in medians.to_numpy()])


# --- Findings


def leaders_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Findings on leaders: who differs from the fair share, by how much, and which open readings matter."""
    if source.untestable:
        return [not_compared(source)]
    names = [str(name) for name in frame.loc[having(frame, DIFFERENT), "leader"]]
    findings = _strengths(frame, "leader", source.margin, source.among_equals)
    return [*findings, *_first(frame, "leader"), *open_readings(source, names)]


def open_readings(source: Source, leaders: Iterable[str]) -> list[Finding]:
    """Return a sentence for each open reading of the rules about one of the leaders, and one for all that were not measured."""
    readings = weighty_readings(source, leaders)
    findings = quoted(
        [f"An open reading of the rules, {doubt.title}: {weight_of(leader, row)}" for leader, doubt, row in readings if row],
        Limit,
    )
    unmeasured = [(leader, doubt) for leader, doubt, row in readings if not row]
    if unmeasured:
        names = some_of([f"{doubt.title} ({leader})" for leader, doubt in unmeasured])
        overlays = [doubt.name for _, doubt in unmeasured if doubt.overlay]
        option = f" --only {shlex.quote(overlays[0])}" if len(overlays) == 1 else ""
        how = f" `newdawn rules disputes --box {source.run.box} --games 2000{option}` weighs them." if overlays else ""
        findings += quoted([f"Open readings of the rules whose weight is not known: {names}.{how}"], Limit)
    return findings


def weighty_readings(source: Source, leaders: Iterable[str]) -> list[tuple[str, Doubt, dict[str, str] | None]]:
    """Return each open reading of the rules about one of the leaders, with its measured effect (None: not measured), except for
    those shown to change that leader's win rate by less than the margin; none for rules that this version cannot read.

    The effects, by the printed rules, are from `newdawn rules disputes --games`; they are kept with the reference results.
    """
    try:
        ruleset = from_data(source.ruleset, "")
    except UserError:
        return []
    measured = {(row["doubt"], row["measure"]): row for row in reference_results.readings(source.run.box)}
    readings = []
    for leader in dict.fromkeys(leaders):
        for doubt in doubts_about(ruleset, leader):
            row = measured.get((doubt.name, f"{RATE_OF}{leader}"))
            if row is None or could_reach(row, "change", source.margin / 100):
                readings.append((leader, doubt, row))
    return readings


def weight_of(leader: str, row: dict[str, str]) -> str:
    """Say what the other reading changes for the leader, or that this is undecided."""
    change, low, high = (100 * float(row[name]) for name in ("change", "change_low", "change_high"))
    size = f"{points(change, low, high)} points (played by {DEFAULT}, n = {int(row['n']):,} pairs of games)."
    if read(low, high, 0.0) in DIFFERENT:
        return f"the other reading changes the win rate of {leader} by {size}"
    return f"it is {STRENGTH.undecided} whether the other reading changes the win rate of {leader}: {size}"


READINGS = "readings"  # the key of the part


def readings_table(source: Source) -> pd.DataFrame | None:
    """Return what the rulebook leaves open about the leaders of the run, and what the other reading changes."""
    rows = []
    for leader, doubt, row in weighty_readings(source, source.outcomes.levels["leader"]):
        asks, here, other = (text.replace("_", " ") for text in (doubt.about, doubt.chosen, doubt.other))
        asks = asks if doubt.ruling or doubt.kind == "ruling" else f"{doubt.name}: sources differ"
        size = "not measured" if row is None else points(*(100 * float(row[f"change{end}"]) for end in plots.EACH))
        rows.append((leader, asks, here, other, size, 0 if row is None else int(row["n"])))
    return pd.DataFrame(rows, columns=["leader", "question", "here", "other", "change", "n"]) if rows else None


def not_compared(source: Source) -> Finding:
    """Say that leaders cannot be compared, since each had strategies or places of its own."""
    if not source.players_of:
        places = _some([f"{leader} at {own}" for leader, own in source.places_of.items()])
        names = ",".join(list(source.places_of)[: source.run.players])
        return Finding(
            Untested(source.leaders, named=[places]),
            f"No verdict on leaders: they cannot be distinguished from their places in the turn order ({places}). To compare "
            f"leaders, name one a player, who then take every place: --leaders {names}.",
        )
    played = _some([f"{leader} by {strategies}" for leader, strategies in source.players_of.items()])
    return Finding(
        Untested(source.leaders, named=[played, *source.strategies]),
        f"No verdict on leaders: their strength cannot be distinguished from that of who played them ({played}). "
        f"To compare leaders, draw the strategy of each seat: --strategy-pool {','.join(source.strategies)}.",
    )


def strategies_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which strategies win more than their share: leaders' figures depend on them."""
    return _strengths(frame, "strategy", source.margin)


def leaders_by_strategy_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders do better or worse than the others that the same strategy played."""
    return answers(
        frame,
        "No leader does detectably better or worse than the others that the same strategy played",
        "Leaders do better or worse than the others that the same strategy played",
        lambda row: f"{row['leader']} played by {row['strategy']} {_points(row)} (n = {row['n']:,})",
    )


def leaders_with_strategies_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders are stronger or weaker with a strategy than the two are by themselves."""
    return answers(
        frame,
        "No leader's strength depends detectably on the strategy that plays it",
        "Some leaders' strength depends on the strategy that plays them",
        lambda row: f"{row['leader']} with {row['strategy']} {_points(row, 'interaction')} (n = {row['decided']:,.0f})",
        size="interaction",
        noun="pair",
    )


def _strengths(frame: pd.DataFrame, factor: str, margin: float, among_equals: bool = False) -> list[Finding]:
    """Return one finding for each of the rows furthest beyond the margin, and one that names those of each other verdict."""
    off = far(frame)
    findings = [_strength(row, factor, among_equals) for row in _rows(off.head(MOST))]
    rest, points = frame.drop(index=off.index[:MOST]), f"{margin:g} point{'' if margin == 1 else 's'}"
    for verdict, start in GROUPS.items():
        part = rest[having(rest, {verdict})]
        if len(part):
            opening = start.format(also="also " if having(frame, {verdict}).sum() > len(part) else "", margin=points)
            text = f"{opening[0].upper()}{opening[1:]}{some_of([str(name) for name in part[factor]])}."
            missed = _missed(part) if verdict is Verdict.UNDECIDED else ""
            findings.append(Finding(Stand(part, beside=[margin, *LARGE.values()]), f"{text}{missed}"))
    return findings


def _strength(row: dict[Any, Any], factor: str, among_equals: bool) -> Finding:
    """Say how far the row is from the fair share; where strategies differ, by the model and as played."""
    side, sign = ("above", 1) if row["points"] > 0 else ("below", -1)
    size = number(sign * row["points"], *sorted(sign * row[f"points{end}"] for end in ALL[1:]))
    wins, played = "it wins", ""
    if among_equals:
        wins, played = "it would win", f", among equal players; it won {rate(row['wins'] / row['decided'])} as played"
    text = (
        f"{row[factor]} is {row['verdict']}: {wins} {rate(row['adjusted_rate'])}, {size} points {side} the fair share{played}"
    )
    claim = Stand(pd.DataFrame([row]), beside=[row["wins"] / row["decided"]])
    return Finding(claim, f"{text} (n = {row['decided']:,.0f}).")


def mended_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Findings on the other leaders if the one furthest off won its fair share: who is then off, and who no longer is."""
    findings = []
    for row in _rows(far(frame).head(MOST)):
        text = f"{row['leader']} would be {row['verdict']} with {row['mended']} at {rate(row['fair_share'])}: "
        text += f"{rate_of(row, 'adjusted_rate', ALL)} instead of {rate(row['rate_now'])} (n = {row['decided']:,.0f})."
        findings.append(Finding(Stand(pd.DataFrame([row])), text))
    now = source.judged.set_index("leader")
    for kind, word in ((HIGHER, "above"), (LOWER, "below")):
        was = frame["leader"].isin(now.index[having(now, kind)])
        names = [str(name) for name in frame.loc[was & ~having(frame, kind), "leader"]]
        if names:
            which = f"{word} the fair share now, and would not be shown to be with {frame['mended'].iloc[0]} mended"
            claim = Undecided(frame, beside=[len(names) - MOST])
            findings.append(Finding(claim, f"{word[0].upper()}{which[1:]}: {some_of(names)}."))
    return findings or [in_short(frame)]


def _first(frame: pd.DataFrame, factor: str) -> list[Finding]:
    """Say who may be the strongest."""
    names = [str(name) for name in frame.loc[frame["rank_best"] == 1, factor]]
    claim = CouldBeFirst(frame)
    if len(names) == 1:
        return [Finding(claim, f"{names[0]} is the strongest {factor}; no other is plausibly strongest.")]
    if len(names) == len(frame):
        return [Finding(claim, f"Undecided which {factor} is the strongest: any of them may be.")]
    few = [len(names), len(names) - MOST]
    return [Finding(replace(claim, beside=few), f"The strongest {factor} is one of {len(names)}: {some_of(names)}.")]


def pairs_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which pairs deviate from what the leaders' strengths and unequal noise predict."""
    once = frame[frame["leader"] < frame["opponent"]]
    special = extreme_first(once[differs(once)], "remainder")
    tested = counted(once["p_adjusted"].notna().sum(), "pair")
    asked = once[once["p_adjusted"].notna()]
    if asked.empty:
        return [Finding(Untested(once), "No pair of leaders can be tested: these tables fit any strengths.")]
    if special.empty and differs(once.iloc[0], "whole_p"):
        row = _rows(once)[0]
        text = f"Pairs of leaders deviate as a whole from what their strengths predict (χ² {row['whole_chi2']:.1f} where "
        text += f"{row['whole_df']} would be usual); which ones is open ({tested} tested)."
        return [Finding(WholeTable(once, row["whole_p"], beside=[len(asked)]), text)]
    if special.empty:
        nothing = f"No pair of leaders deviates detectably from what their strengths predict ({tested} tested)."
        return [Finding(Nothing(once, beside=[len(asked), *LARGE.values()]), f"{nothing}{_missed(asked, 'remainder')}")]
    row = _rows(special)[0]
    most = f"{row['leader']} against {row['opponent']} {_points(row, 'remainder')}"
    many = f"Of {tested} of leaders {len(special)} {'deviates' if len(special) == 1 else 'deviate'} from what strengths and "
    shown = " Shown to deviate most:" if len(special) > 1 else ""
    text = f"{many}unequal noise predict{'.' if shown else ':'}{shown} {most}."
    return [Finding(Differ(special, beside=[len(asked)]), text)]


def cards_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders profit or suffer from a victory card in play."""
    return answers(
        frame,
        "No leader's win rate depends detectably on which victory cards are in play",
        "Some leaders' win rates depend on which victory cards are in play",
        lambda row: (
            f"{row['leader']} {_points(row)} with {row['card']} (n = {row['n_with']:,} and {row['n_without']:,} without it)"
        ),
    )


def spread_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how far apart the leaders are, and whether they may all be equal."""
    row = _rows(frame)[0]
    size = number(row["spread"], row["spread_low"], row["spread_high"])
    text = f"their spread is {size} points (n = {row['n']:,})"
    unequal = bool(lies_above(row, "spread", 0))
    return [Finding(Lie(frame.head(1), "spread"), f"The leaders {'are not' if unequal else 'may be'} equal: {text}.")]


def winning_agendas_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders win by agendas that the others use less."""
    return answers(
        frame.sort_values("points", ascending=False),
        "No leader wins by detectably different agendas",
        "Leaders win by different agendas",
        lambda row: f"{row['leader']} by {row['agenda']}, {_points(row)} against the others' wins (n = {row['n']:,.0f})",
        question=("leader", "card"),
    )


def winning_times_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders win in shorter or longer games than the others."""
    return answers(
        frame, "No leader wins detectably earlier or later than the others",
        "Leaders win earlier or later than the others",
        lambda row: f"{row['leader']} {_points(row, ROUNDS)} (n = {row['winners']:,})",
        size=ROUNDS, noun="leader",
    )  # fmt: skip


POOLED = Column(
    "pooled_rate", "drawn to the fair share [95%]", "rate",
    "win rate at balanced tables, less what chance adds to the distances of all: a better guess in few games", optional=True,
)  # fmt: skip


def _strength_columns(factor: str) -> tuple[Named, ...]:
    return (
        factor,
        ("rank", "place", "place by estimated strength"),
        ("decided", "decided games", "games with it at the table that somebody won"),
        ("adjusted_rate", "win rate at balanced tables [95% all]", "share of decided games won"),
        ("points", "points above fair share [95% all]", "percentage points"),
        "p_adjusted",
        VERDICT,
        ("rank_best", "possible places", "hold for all rows together with 95%"),
        ("win_rate", "win rate as played [95%]", "share of all games won, shared wins in parts"),
        POOLED,
        GOOD_PLAYERS,
        "small_sample",
    )


def _stronger_first(frame: pd.DataFrame) -> pd.DataFrame:
    """Return each pair of leaders once, with the one first that wins more of the games that one of the two won."""
    first, second = frame["leader"].astype(str), frame["opponent"].astype(str)
    pair = first.where(first < second, second) + BETWEEN + second.where(first < second, first)
    worse = frame["win_rate"].isna() | (frame["win_rate"] < 0.5)
    rows = pair[worse.sort_values(kind="stable").index].drop_duplicates().index
    return frame[frame.index.isin(rows)]


def _one_of_mirrored(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows, but only the more frequent of a card's two agendas where all the leader's wins used one of them."""
    both = frame.groupby(["leader", "card"])[["wins"]].transform("sum")["wins"]
    second = frame.duplicated(["leader", "card"])
    return frame[~(second & np.isclose(both, frame["n"]))]


# --- The parts, in chapters

LEADERS = chapter(
    "Leaders",
    Part(
        "leaders", "Leaders", leaders_table, _strength_columns("leader"),
        method=(
            "A conditional logit of who won each table (McFadden 1974), corrected for opponents, turn order and strategy. "
            "Errors are clustered by game; games that nobody won are left out. Verdicts go by [95% all] (Bonferroni). The "
            "games named decide with 80% chance: the fewest and the most for a true rate within its own interval of 95%."
        ),
        charts=(Chart(
            "leaders", "Leaders: win rate against the fair share",
            "Bars: 95% certain, for all leaders together. Filled: off by more than the margin; half-filled: off, size unclear; "
            "square: within it.",
            plots.plot_strengths, tall(0.27), message=share_message("leader"),
        ),),
        findings=leaders_findings,
    ),
    Part(
        "mended", "The others, were the one furthest off mended", game.mended,
        (
            "leader", "decided", Column("rate_now", "win rate as it is", "rate", "at balanced tables"),
            ("adjusted_rate", "win rate then [95% all]", "with the one furthest off at its fair share"),
            ("points", "points above fair share then [95% all]", "percentage points"), "p_adjusted", VERDICT, "small_sample",
        ),
        note="Wins are zero-sum: what one leader wins too many the others lack.",
        method=(
            "The others, with the one furthest off at its fair share: in the model of who wins its log odds are set so, all "
            "else as it is (delta method)."
        ),
        findings=mended_findings,
    ),
    Part(
        "spread", "How far apart the leaders are", spread_table,
        (
            "leaders", "n", ("spread", "leader spread, points [95%]", "standard deviation of the true win rates"),
            ("widest", "best minus worst, points", "of the estimated win rates, chance included"), "small_sample",
        ),
        note="The standard deviation of the true win rates, without what chance adds.",
        method="The variance of the win rates at balanced tables minus that of their errors (noncentral χ²).",
        findings=spread_findings,
    ),
    Part(
        "strategies", "Strategies", strategies_table, _strength_columns("strategy"),
        note="How strong the players are, corrected for leader and turn order.",
        findings=strategies_findings,
    ),
    Part(
        "leaders-by-strategy", "Leaders by strategy", leaders_by_strategy_table,
        (
            "strategy", "leader", ("n", "decided games", "games that somebody won"),
            ("win_rate", "win rate [95%]", "of these games played by the strategy"),
            ("others_rate", "other leaders", "played by the same strategy"), "points", "p_adjusted", VERDICT, "small_sample",
        ),
        note="Win rates as played, against the other leaders that the same strategy played.",
        method="Two rates over the same games (delta method, by game); not corrected for turn order and opponents.",
        findings=leaders_by_strategy_findings, rows=100,
    ),
    Part(
        "leaders-with-strategies", "Leaders that depend on who plays them", leaders_with_strategies_table,
        (
            "leader", "strategy", ("decided", "decided games", "games with both that somebody won"),
            Column("interaction", "beyond leader and strategy, points [95% all]", "points", "at the fair share"), "p_adjusted",
            VERDICT, "small_sample",
        ),
        note="What a pair wins beyond what leader and strategy are worth in all other pairs.",
        method=(
            "The model of who wins, with log odds for every pair; what leader and strategy leave of them, at the fair share."
        ),
        findings=leaders_with_strategies_findings, rows=100,
    ),
    Part(
        "matchups", "Pairs of leaders", pairs_table,
        (
            "leader", "opponent", ("n", "games", "decided games with both at the table"),
            Column("decided", "won by one of them", "number", "games, shared wins in parts"),
            ("win_rate", "won by the first [95%]", "of the games one of the two won"),
            ("expected", "expected", "by the strengths of the two alone"),
            ("surplus", "misfit of the strengths, points [95%]", "won minus expected"),
            ("remainder", "left over, points [95% all]", "after strengths and each leader's own noise"), "p_adjusted",
            "small_sample",
        ),
        note="How many the first won of the games, with both at the table, that one of the two won.",
        method=(
            "Against what strengths predict. p asks what is left when each leader has a noise of its own (Bhat 1995). All "
            "pairs are tested together first (χ² of their scores). Only then is each (gatekeeping, Westfall and Krishen 2001)."
        ),
        charts=(Chart(
            "matchups", "Pairs: who wins when both are at the table",
            "% of the games one of the two won that the row won; 50 is even.",
            plots.plot_matchups, lambda frame: max(3.9, 1.4 + 0.27 * frame["leader"].nunique()),
            width=lambda frame: matrix_width(frame["opponent"].nunique()),
            message=message("remainder", "{leader} does {word} against {opponent} than strengths predict", "better", "worse"),
        ),),
        findings=pairs_findings, once=_stronger_first, rows=80,
    ),
    Part(
        "leaders-by-card", "Leaders by victory card", leaders_by_card_table,
        (
            "card", "leader", ("n_with", "games with it"), ("rate_with", "win rate with it"), ("n_without", "games without"),
            ("rate_without", "win rate without"),
            ("points", "difference, points [95% all]", "percentage points, with the card minus without"), "p_adjusted", VERDICT,
            "small_sample",
        ),
        note="Cards are dealt at random: effects of a card instead of another.",
        method=f"A model with the card and one without. Fewer than {FEW_CASES} wins or losses on a side are not tested.",
        findings=cards_findings, rows=60,
    ),
    Part(
        "leaders-agendas", "How leaders win: agendas", winning_agendas_table,
        (
            "leader", "agenda", Column("n", "wins with the card in play", "number", "wins of the leader, shared ones in parts"),
            ("use_rate", "won with the agenda [95%]", "of these wins"),
            ("others_rate", "other leaders' wins", "that used the agenda"), "points", "p_adjusted", "small_sample",
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
        findings=winning_agendas_findings, once=_one_of_mirrored, rows=80,
    ),
    Part(
        "leaders-timing", "How leaders win: timing", winning_times_table,
        (
            "leader", ("winners", "wins", "shared ones count fully"),
            ("rounds_mean", "mean rounds [95%]", "length of the games it won"),
            ("rounds_p25", "25%", "so many of its wins came by this round"), "rounds_median", ("rounds_p75", "75%"),
            Column("claims", "1st · 2nd · … claim", "text", "median rounds of the winner's claims"),
            ("rounds_difference", "difference, rounds [95% all]", "from all other leaders' wins"), "p_adjusted", "small_sample",
        ),
        charts=(Chart(
            "leaders-timing", "How leaders win: timing",
            f"Mean length of the games a leader won minus that of the others' wins. {BARS}",
            plots.plot_winning_times, tall(0.27),
            message=message("rounds_difference", "{leader} wins {size} rounds {word} than the others", "later", "earlier"),
        ),),
        findings=winning_times_findings,
    ),
    Part(
        READINGS, "What the rulebook leaves open about these leaders", readings_table,
        (
            "leader", ("question", "what is open"), ("here", "read here as"), "other",
            ("change", "what it changes, points [95%]", "of the leader's win rate"), ("n", "pairs of games"),
        ),
        note=f"Measured under the printed rules, played by {DEFAULT}: the same games, read both ways.",
        summary=lambda frame: f"{counted(len(frame), 'open reading')} may move a leader's win rate by more than the margin.",
    ),
)  # fmt: skip
