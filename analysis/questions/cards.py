"""Cards: which world wonders, victory cards, agendas and focus cards go with winning, and which are never used?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import counted, half, listed
from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ..pages import plots
from ..pages.cells import points_of, rate, rate_of
from ..pages.chart_messages import BARS, MARKS, message, some_rows, tall
from ..pages.report_parts import GOOD_PLAYERS, OF_FIRST, VERDICT, Chart, Column, Finding, Part, Source, chapter, of_table
from ..pages.sentences import LARGE, MOST, ROUNDS, _missed, _points, _rows, answers, goes_with_winning, of_row, some_of
from ..stats.claims import AsMeasured, Differ, FewCases, Nothing, Stand, Undecided, Untested, extreme_first
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import (
    CHANGE,
    LOWER,
    USE,
    Verdict,
    differs,
    having,
    judged,
    lies_above,
    lies_below,
)
from ..tables import focus_card_use, game, reference_results, victory_cards, win_rates
from ..tables.focus_card_use import UNUSED
from ..tables.kept_answers import games_in
from ..tables.paired_figures import BUILD_RATE, CLAIM_RATE
from ..tables.victory_cards import BETWEEN
from ..tables.win_rates import claim_rounds, number_of_games
from .expansion import read_effects

# --- World wonders, victory cards and agendas


def wonders_table(source: Source) -> pd.DataFrame:
    """Return the world wonders with their costs, and how their builders fared: an association."""
    costs = {wonder["name"]: wonder["cost"] for wonder in source.ruleset["wonders"].values() if wonder.get("available")}
    frame = win_rates.wonders(source.run)
    frame.insert(1, "cost", frame["wonder"].map(costs).astype(float))
    return reference_results.with_good_players(frame, source.run, "wonder", BUILD_RATE)


def effects_table(source: Source) -> pd.DataFrame | None:
    """Return the table of the experiment's file; None if none was given."""
    if source.effects is None:
        return None
    frame = read_effects(source.effects)
    return judged(frame, "points", source.margin, games_in(source.effects) or int(frame["n"].max()), CHANGE)


def agendas_table(source: Source) -> pd.DataFrame:
    """Return the victory cards and agendas. Claimants are not tested against the average seat: who wins must have claimed."""
    return reference_results.with_good_players(win_rates.victory(source.run), source.run, "agenda", CLAIM_RATE)


def agenda_users_table(source: Source) -> pd.DataFrame:
    """Return which leader claims which agenda."""
    return victory_cards.agenda_users(source.run)


def card_sets_table(source: Source) -> pd.DataFrame:
    """Return how long the games are with each combination of victory cards."""
    frame = victory_cards.card_sets(source.run)
    return judged(frame, "rounds_difference", source.margin_rounds, source.games, CHANGE, family="length by card set")


def card_set_leaders_table(source: Source) -> pd.DataFrame | None:
    """Return how the leaders fare with each combination of victory cards; None if there is one leader only."""
    if not source.several_leaders:
        return None
    frame = victory_cards.card_set_leaders(source.run)
    return judged(frame, "points", source.margin, source.games, CHANGE, family="leaders by card set")


def timing_table(source: Source) -> pd.DataFrame:
    """Return in which rounds agendas were claimed."""
    return claim_rounds(source.run)


def reasons_table(source: Source) -> pd.DataFrame:
    """Return by which agendas games were won."""
    source.need_winners()
    return game.reasons(source.run)


DEAD = 0.1  # share of the games with its card below which an agenda is hardly ever claimed


# --- Findings on wonders


def wonders_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which wonders are associated with winning; never that they cause it."""
    tested, clear = int(frame["p_adjusted"].notna().sum()), frame[differs(frame)]
    findings: list[Finding] = []
    above = clear["builder_win_rate"] > clear["average_share"]
    for word, part in (("more", clear[above]), ("less", clear[~above])):
        if len(part):
            row = _rows(extreme_first(_beside_average(part), "points"))[0]
            most = ". Shown to differ most" if len(part) > 1 else ""
            many = f"Builders of {len(part)} of {counted(tested, 'world wonder')} won {word} than the average seat"
            text = f"Association, not effect. {many}{most}: {_association(row)}."
            findings.append(Finding(Differ(part, beside=[tested]), text))
    if not tested:
        text = f"Not enough games for a test: each world wonder was built fewer than {SMALL_SAMPLE} times."
        return [Finding(Untested(frame, beside=[SMALL_SAMPLE]), text)]
    if not findings:
        text = f"No world wonder is detectably associated with winning ({tested} of {len(frame)} tested)."
        missed = _beside_average(frame[frame["p_adjusted"].notna()])
        claim = Nothing(missed, beside=[len(frame), *LARGE.values()])
        findings.append(Finding(claim, f"{text}{_missed(missed)}"))
    few = frame["small_sample"]
    if few.any():
        text = f"{few.sum()} of {len(frame)} world wonders were built fewer than {SMALL_SAMPLE} times: not tested."
        findings.append(Finding(FewCases(frame[few], beside=[len(frame), SMALL_SAMPLE]), text))
    return findings


def _beside_average(frame: pd.DataFrame) -> pd.DataFrame:
    """Return wonders with `points`, what their builders won less what the average seat did, and its interval."""
    ends = {f"points{end}": 100 * (frame[f"builder_win_rate{end}"] - frame["average_share"]) for end in ALL}
    return frame.assign(**ends)


def _association(row: dict[Any, Any]) -> str:
    won = rate_of(row, "builder_win_rate", ALL)
    return f"{row['wonder']} {won} (built {counted(row['built'], 'time')})"


def effects_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what having a wonder does to the chance to win."""
    return answers(
        frame,
        "No world wonder changes the chance to win detectably",
        "Given at random, world wonders change the chance to win",
        lambda row: f"{row['wonder']} {_points(row)} for {row['cost']:.0f} production (n = {row['n']:,})",
        noun="world wonder",
    )


# --- Findings on victory cards


def agendas_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which agendas are hardly ever claimed."""
    dead = frame[lies_below(frame, "claim_rate", DEAD) & ~frame["small_sample"]].sort_values("claim_rate", kind="stable")
    findings = [
        Finding(
            AsMeasured(pd.DataFrame([row])),
            f"{row['agenda']} is hardly ever claimed: in {rate_of(row, 'claim_rate')} of the games (n = {row['n']:,}).",
        )
        for row in _rows(dead.head(MOST))
    ]
    if len(dead) > MOST:
        others = some_of([str(name) for name in dead["agenda"].iloc[MOST:]])
        text = f"Also claimed in less than {rate(DEAD)} of the games with their cards: {others}."
        findings.append(Finding(AsMeasured(dead, beside=[DEAD, len(dead) - 2 * MOST]), text))
    return findings


def agenda_users_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leader claims an agenda more or less often than the other seats."""
    return answers(
        frame.sort_values("points", ascending=False),
        "No leader claims detectably different agendas from the other seats",
        "Leaders claim different agendas",
        lambda row: f"{row['leader']} claims {row['agenda']}, {_points(row)} against the other seats (n = {row['n']:,})",
        question=("leader", "card"),
    )


def card_sets_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say with which cards the games are longest and shortest."""
    if len(frame) < 2:
        return [Finding(AsMeasured(frame), "All games had the same victory cards in play.")]
    return answers(
        frame,
        "Game length does not depend detectably on which victory cards are in play",
        "Game length depends on the victory cards in play",
        lambda row: f"{_points(row, ROUNDS)} with {_cards(row)} (n = {row['n']:,})",
        size=ROUNDS,
    )


def _cards(row: dict[Any, Any]) -> str:
    return listed(row["cards"].split(BETWEEN))


def card_set_leaders_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say which leaders fare better or worse with a combination of cards."""
    return answers(
        frame,
        "No leader's win rate depends detectably on the combination of victory cards in play",
        "Some leaders' win rates depend on the combination of victory cards in play",
        lambda row: f"{row['leader']} {_points(row)} with {_cards(row)} (n = {row['n']:,})",
    )


# --- Messages of charts


def _builders(frame: pd.DataFrame) -> str:
    """Say which wonder's builders won most or least often, beside the average seat."""
    return message("points", "Builders of {wonder} win {word} often than the average seat")(_beside_average(frame))


def _claimed_first(frame: pd.DataFrame) -> str:
    """Say from which to which round the medians of the agendas' claims go."""
    tested = frame[~frame["small_sample"]].sort_values("median", kind="stable")
    if len(tested) < 2 or tested["median"].iloc[0] == tested["median"].iloc[-1]:
        return ""
    first, last = tested.iloc[0], tested.iloc[-1]
    early, late = half(first["median"]), half(last["median"])
    return f"Median rounds of claims go from {early} ({first['agenda']}) to {late} ({last['agenda']})"


def _reasons_in_short(frame: pd.DataFrame) -> str:
    """Say by which agendas most games are won."""
    if frame.empty:
        return "No game was won."
    row = frame.sort_values("share", ascending=False, kind="stable").iloc[0]
    return f"Most often by {row['agendas'].replace(' + ', ', ')}: {rate(row['share'])} of all wins (n = {row['wins']:,.0f})."


CARDS = chapter(
    "Cards and world wonders",
    Part(
        "wonders", "World wonders: association with winning", wonders_table,
        (
            "wonder", "type", "era", "cost", ("n", "games in a deck"), "built",
            ("build_rate", "built, of games in a deck [95%]"), GOOD_PLAYERS,
            ("median_round", "median round", "round in which it was built"),
            ("builder_win_rate", "builders won [95% all]", "an association, not the wonder's worth"), "p_adjusted",
            "small_sample",
        ),
        note="Who is ahead builds more: what a wonder is worth, `newdawn experiment` says.",
        method="The score test against the average seat, for wonders built 100 times or more.",
        charts=(Chart(
            "wonders", "World wonders: association with winning, by cost",
            f"How often the builder won, cheapest wonders on top. {BARS}",
            plots.plot_wonder_association, lambda frame: 1.1 + 0.2 * int((frame["built"] > 0).sum()),
            worth=lambda frame: bool((frame["built"] > 0).any()), message=_builders,
        ),),
        findings=wonders_findings,
    ),
    Part(
        "effects", "World wonders: effect of having one", effects_table,
        (
            "wonder", "cost", "n", ("points", "effect, points [95% all]", "change of the chance to win, percentage points"),
            Column("points_per_cost", "points per production", "ratio"), "p_adjusted", VERDICT, "small_sample",
        ),
        note="An effect: the wonder was given to a seat at random.",
        method="A randomised experiment; p values are its own, or follow from the intervals.",
        charts=(Chart(
            "effects", "World wonders: effect on winning, by cost",
            f"Change of the chance to win. {MARKS}",
            plots.plot_wonder_effect, tall(0.2),
            message=message("points", "{wonder} {word} the chance to win by {size} points", "raises", "lowers"),
        ),),
        findings=effects_findings, strict=True,
    ),
    Part(
        "agendas", "Victory cards and agendas", agendas_table,
        (
            "card", "agenda", ("n", "games in play"),
            ("claim_rate", "claimed by anyone [95%]", "of the games with the card in play"), GOOD_PLAYERS,
            ("claims", "claims", "all claims, several in a game"), ("median_round", "median round", "round of the claim"),
            ("winner_share", "share of the wins [95%]", "of the wins with the card in play, those that used it"),
            ("claimant_win_rate", "claimants won [95%]", "nearly a tautology: winners must claim"), "small_sample",
        ),
        note="Nobody wins without claims, so what claimants won is not tested.",
        findings=agendas_findings,
    ),
    Part(
        "agenda-users", "Which leader claims which agenda", agenda_users_table,
        (
            "card", "agenda", "leader", ("n", "games", "with the leader and the card"), "claims",
            ("claim_rate", "claimed [95%]", "of these games"), ("others_rate", "other seats", "of the same games"), "points",
            "p_adjusted", ("agenda_share", "of its claims of the card [95%]"), "small_sample",
        ),
        findings=agenda_users_findings, rows=80,
    ),
    Part(
        "timing", "When agendas are claimed", timing_table,
        (
            "agenda", "claims", ("p5", "5%", "so many of the claims came by this round"), ("p25", "25%"), "median",
            ("p75", "75%"), ("p95", "95%"), "small_sample",
        ),
        charts=(Chart(
            "timing", "When agendas are claimed",
            "Rounds of the claims: 5% to 95%, quartiles and median.",
            plots.plot_agenda_timing, tall(0.27), message=_claimed_first,
        ),),
    ),
    Part(
        "card-sets", "Length by the victory cards in play", card_sets_table,
        (
            "cards", "n", "rounds_mean", "rounds_median",
            ("rounds_difference", "difference, rounds [95% all]", "from all games with other cards"), "p_adjusted", VERDICT,
            ("unfinished_rate", "unfinished [95%]"), "small_sample",
        ),
        note="Cards are dealt at random: effects of a combination instead of another.",
        method="One combination against all others (Welch; Newcombe; z test); seats and opponents are not corrected for.",
        charts=(Chart(
            "card-sets", "Length by the victory cards in play",
            f"Mean length of the games minus that with other cards. {MARKS}",
            plots.plot_card_sets, lambda frame: 1.1 + 0.13 * sum(frame["cards"].str.count(r"\|") + 1.2),
            message=message("rounds_difference", "With some victory cards games are {size} rounds {word}", "longer", "shorter"),
        ),),
        findings=card_sets_findings,
    ),
    Part(
        "card-set-leaders", "Leaders by the victory cards in play", card_set_leaders_table,
        (
            "cards", "leader", ("n", "decided games", "games that somebody won"), "win_rate",
            ("others_rate", "with other cards"), "points", "p_adjusted", VERDICT, "small_sample",
        ),
        note="Win rates as played, with these cards instead of others.",
        findings=card_set_leaders_findings, rows=80,
    ),
    Part(
        "reasons", "What games are won by", reasons_table,
        (
            ("agendas", "agendas of the winner"), Column("wins", "wins", "number", "shared wins in parts"),
            ("share", "of all wins"),
            ("share_where_possible", "where possible [95%]", "of the wins with the same cards in play"),
            Column("n", "wins where possible", "number"), ("median_round", "median rounds", "length of these games"),
            "small_sample",
        ),
        rows=40, summary=_reasons_in_short,
    ),
)  # fmt: skip


# --- Focus cards

SHOWN, LARGEST = 8, 6  # cards, and associations, on a page; the CSV has all


def use(runs: Any, margin: float = 0.0) -> pd.DataFrame:
    """Return how focus cards are taken and resolved, with verdicts on which are dead."""
    frame = focus_card_use.focus_cards(runs)
    return judged(frame, "take_rate", margin, number_of_games(runs), USE, UNUSED, family="focus cards")


def dead(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `use` that are shown to be dead, the least taken first."""
    return frame[having(frame, LOWER)].sort_values(["take_rate", "card"], kind="stable")


def label(row: Any) -> str:
    """Return a card's name, with the leader of a unique card."""
    return f"{row['card']} ({row['leader']})" if row["leader"] else str(row["card"])


def dead_cards(frame: pd.DataFrame) -> list[Finding]:
    """Say which cards are hardly ever taken, and which are taken but hardly ever resolved."""
    tested, dead_ones = int(frame["p"].notna().sum()), dead(frame)
    if not tested:
        return [Finding(Untested(frame), "Not enough games: of each focus card too few seats might take it.")]
    findings = [
        of_row(
            row,
            f"{label(row)} is dead: {rate_of(row, 'take_rate', ALL)} of the seats that might take it do (n = {row['n']:,}).",
        )
        for row in dead_ones.head(MOST).to_dict("records")
    ]
    if len(dead_ones) > MOST:
        others = some_of([label(row) for row in dead_ones.iloc[MOST:].to_dict("records")])
        text = f"Also taken by less than {rate(UNUSED)} of the seats: {others}."
        claim = Stand(dead_ones.iloc[MOST:], beside=[UNUSED, len(dead_ones) - 2 * MOST])
        findings.append(Finding(claim, text))
    if not len(dead_ones):
        undecided = frame[having(frame, {Verdict.UNDECIDED})]
        if len(undecided):
            text = (
                f"No focus card is shown to be dead; of {counted(len(undecided), 'card')} it is open whether {rate(UNUSED)} of "
            )
            findings.append(Finding(Undecided(undecided, beside=[UNUSED]), f"{text}the seats take it."))
        else:
            text = f"No focus card is dead: each is taken by more than {rate(UNUSED)} of the seats ({counted(tested, 'card')})."
            findings.append(Finding(Stand(frame[frame["p"].notna()], beside=[UNUSED]), text))
    return [*findings, *_in_vain(frame)]


def _in_vain(frame: pd.DataFrame) -> list[Finding]:
    """Say which card most of those that have it never resolve."""
    enough = frame[(frame["taken"] >= 100) & lies_above(frame, "unused_rate", 0.5)].sort_values("unused_rate", ascending=False)
    if enough.empty:
        return []
    row = enough.to_dict("records")[0]
    more = f"; {len(enough) - 1} more: table" if len(enough) > 1 else ""
    text = f"Taken and mostly never resolved: {label(row)}, in {rate_of(row, 'unused_rate')} of the seats that had it"
    return [Finding(AsMeasured(enough), f"{text} (n = {row['had']:,}{more}).")]


def wins_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what goes with having a card; never that it causes it."""
    return goes_with_winning(
        frame, "No focus card is detectably associated with winning", "Seats with certain focus cards win more or less often",
        lambda row: f"{label(row)} {points_of(row, 'association')} points (n = {row['n']:,} seats with it, "
        f"{row['n_without']:,} without)", "focus card",
    )  # fmt: skip


def _use(source: Source) -> pd.DataFrame | None:
    """Return the table of a run that has counted focus cards; None for any other."""
    return use(source.first) if FOCUS_CARDS_TABLE in source.run.tables else None


# --- Pictures


def least_taken(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the cards that a page shows: those that the fewest take."""
    return frame[frame["n"] > 0].sort_values(["take_rate", "card"], kind="stable").head(SHOWN)


def largest(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that a page shows: those with the largest association."""
    tested = frame[~frame["small_sample"]].sort_values("association", key=np.abs, ascending=False, kind="stable")
    return tested.head(LARGEST).sort_values("association", ascending=False, kind="stable")


def plot_taken(frame: pd.DataFrame, ax: Any) -> None:
    """Draw how many of the seats that might take a card do, with the line below which a card is dead."""
    shown = least_taken(frame)
    labels = [label(row) for row in shown.to_dict("records")]
    style: dict[str, Any] = {"reference": 100 * UNUSED, "reference_label": f"dead below {100 * UNUSED:.0f}%"}
    plots.column(ax, shown, labels, "take_rate", "taken, % of the seats that might", scale=100, **style)
    ax.set_xlim(-2, 102)
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)


def _tall(shown: Any) -> Any:
    return lambda frame: 1.3 + 0.22 * len(shown(frame))


def _how_many_dead(frame: pd.DataFrame) -> str:
    cards = dead(frame)
    if cards.empty:
        return ""
    return f"{counted(len(cards), 'focus card')} of {int((frame['n'] > 0).sum())} {'is' if len(cards) == 1 else 'are'} dead"


NAMED = (("card", "focus card"), "type", "level", ("leader", "only of"))
FOCUS = chapter(
    "Focus cards",
    Part(
        "focus-cards", "Which focus cards are taken, and resolved", _use,
        (
            *NAMED, ("n", "seats that might take it"), ("take_rate", "taken [95% all]"), ("verdict", "used?"),
            ("median_round", "in round", "median"), ("had", "seats that had it", "those that begin with it, too"),
            Column("resolved", "times resolved", "ratio", "by a seat that had it, on average"),
            ("unused_rate", "never resolved [95%]", "of the seats that had it"), "small_sample",
        ),
        note=f"Dead: fewer than {rate(UNUSED)} of the seats that might take it do, whoever plays. The fewest first; all: CSV.",
        method=f"Seats of one game are one case in the intervals of what is taken. {OF_FIRST.format('`newdawn cards`')}",
        charts=(
            Chart(
                "focus-cards", "Focus cards that the fewest take", f"Seats that take the card. {BARS}", plot_taken,
                _tall(least_taken), worth=some_rows, message=_how_many_dead,
            ),
        ),
        findings=lambda frame, source: dead_cards(frame), once=least_taken,
    ),
    Part(
        "focus-card-wins", "Do seats win that have a focus card? (association)",
        of_table(FOCUS_CARDS_TABLE, lambda source: focus_card_use.focus_card_wins(source.first)),
        (
            *NAMED, ("n", "seats with it"), ("win_rate", "won with it [95%]"), "n_without", "rate_without", "association",
            "p_adjusted", "small_sample",
        ),
        note="An association: who is ahead takes more cards. What a card is worth, `newdawn experiment grant --card` says. The "
        "largest; all: CSV.",
        method="Seats with a focus card against seats of the same leader, strategy and place without it; a game is one case.",
        findings=wins_findings, once=largest,
    ),
)  # fmt: skip
