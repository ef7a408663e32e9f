"""When is a game decided? Three views of one question, reconciled: start with `views`.

By the victory cards claimed (who leads alone, and from when for good), and by all that the seats have (the favourite).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from ...simulator.errors import counted, half
from ...simulator.runs.columns import ROUNDS_TABLE
from ..pages import plots
from ..pages.cells import number, rate_of
from ..pages.chart_messages import some_rows
from ..pages.report_parts import Chart, Column, Finding, Part, Source, chapter, of_table
from ..stats.claims import AsMeasured, Differ, FirstRound, Nothing, Untested, first_round
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import differs, lies_below
from ..tables import game, round_figures
from .round_by_round import decided_findings, first_words, plot_favourites, rounds_words

EDGE = 10  # points above the fair share: the size of a lead's worth whose first round is told

# --- The tables


def lead_table(source: Source) -> pd.DataFrame:
    """Return how often the lead changes, and when the winner takes it."""
    return game.lead_of(source.courses)


def comebacks_table(source: Source) -> pd.DataFrame:
    """Return how often winners had been behind."""
    source.need_winners()
    return game.comebacks_of(source.courses)


def predictability_table(source: Source) -> pd.DataFrame:
    """Return how well the claims so far predict the winner, by round."""
    source.need_winners()
    return game.predictability(source.run)


def _favourites(read: round_figures.RoundGames) -> pd.DataFrame:
    frame, row = round_figures.decided(read)
    frame.attrs["settled"] = row.iloc[0].to_dict()
    return frame


LEADS, FOR_GOOD, FAVOURITE = "who leads alone", "the winner leads for good", "the winner is the favourite to the end"


def views(source: Source) -> pd.DataFrame | None:
    """Return one row per view: the `round`, from where to where (`least`, `most`), and the games or seats that it is of.

    Of who leads alone: the first round in which it is shown to win EDGE points more than the fair share, with the earliest that
    this leaves possible; of the other two medians, with the quarters of the games. None where nobody won.
    """
    if not source.decided:
        return None
    rows = [
        _view(
            LEADS,
            f"it wins {EDGE} points more than the fair share, first shown",
            *_edge(_tested(game.predictability(source.run))),
        )
    ]
    lead = lead_table(source).iloc[0]
    if lead["victories"]:
        ends = lead["lead_round"], lead["lead_round_p25"], lead["lead_round_p75"]
        rows.append(_view(FOR_GOOD, "in victory cards, median", *ends, lead["victories"]))
    if ROUNDS_TABLE in source.run.tables:
        settled = _favourites(source.rounds).attrs["settled"]
        middle, least, most = (settled[f"settled_round{end}"] for end in ("", "_p25", "_p75"))
        rows.append(_view(FAVOURITE, "by all that the seats have, median", middle, least, most, settled["n"]))
    return pd.DataFrame(rows)


def _view(view: str, meaning: str, middle: float, least: float, most: float, n: float) -> dict[str, Any]:
    return {"view": view, "meaning": meaning, "round": middle, "least": least, "most": most, "n": int(n)}


def _edge(frame: pd.DataFrame) -> tuple[float, float, float, float]:
    claim = edge(frame)
    return claim.shown, claim.earliest, claim.shown, claim.rows["leading"].sum()


def _tested(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rounds of `game.predictability` with enough games in which one seat leads alone."""
    return frame[(frame["leading"] >= SMALL_SAMPLE) & ~frame["small_sample"]]


def edge(frame: pd.DataFrame) -> FirstRound:
    """Return the claim on the first round at whose end who leads alone wins EDGE points more than the fair share."""
    return first_round(frame, "leader_win_rate", frame["fair_share"] + EDGE / 100)


# --- Findings


def views_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say what the views say together: they ask different things, so that their rounds differ."""
    rows = {str(row["view"]): row for row in frame.to_dict("records")}
    findings = []
    if texts := [
        f"By {what}, half of the games are decided from round {half(rows[view]['round'])} on ({_quarters(rows[view])})."
        for view, what in ((FAVOURITE, "all that seats have"), (FOR_GOOD, "victory cards alone")) if view in rows
    ]:  # fmt: skip
        findings.append(Finding(AsMeasured(frame), f"{' '.join(texts)} Decided: the later winner is ahead to the end."))
    lead = rows.get(LEADS)
    if lead is not None and lead["round"] == lead["round"]:
        claim = FirstRound(frame[frame["view"] == LEADS], EDGE, lead["least"], lead["round"])
        text = "A lead in victory cards is worth something before that."
        findings.append(Finding(claim, f"{text} {_first_worth(claim)} (n = {lead['n']:,})."))
    return findings


def _quarters(row: Any) -> str:
    return f"the middle half: round {half(row['least'])} to {half(row['most'])}; n = {row['n']:,}"


def _first_worth(claim: FirstRound) -> str:
    """Return from when on a lead is worth EDGE points."""
    when = first_words(claim.earliest, claim.shown)
    return f"First after {when}, who leads alone wins {EDGE} points more than the fair share"


def leading_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say from when on who leads alone wins clearly more than its share, and in which rounds it wins less."""
    tested = _tested(frame)
    if tested.empty:
        return [Finding(Untested(frame, beside=[SMALL_SAMPLE]), f"Nobody leads alone in {SMALL_SAMPLE} games of any round.")]
    less = tested[differs(tested) & lies_below(tested, "leader_win_rate", tested["fair_share"], "_all")]
    findings = []
    if len(less):
        row = less.sort_values("leader_win_rate", kind="stable").to_dict("records")[0]
        text = f"After {rounds_words(less['round'])} who leads alone in victory cards wins less than the fair share. "
        text += f"Least after round {row['round']}: {rate_of(row, 'leader_win_rate', ALL)} (n = {row['leading']:,})."
        findings.append(Finding(Differ(less), text))
    claim = edge(tested)
    if claim.rows.empty:
        text = f"Who leads alone is not shown to win {EDGE} points more than the fair share after any round."
        return [*findings, Finding(Nothing(tested, [EDGE]), text)]
    row = claim.rows.to_dict("records")[0]
    text = f"{_first_worth(claim)}. After round {row['round']} it wins {rate_of(row, 'leader_win_rate', ALL)} "
    return [*findings, Finding(replace(claim, beside=[EDGE]), f"{text}(n = {row['leading']:,}).")]


def _lead_in_short(frame: pd.DataFrame) -> str:
    """Say how often the lead changes, and when the winner goes ahead for good."""
    row = frame.iloc[0]
    changes = number(row["changes"], row["changes_low"], row["changes_high"], 2)
    for_good = f"; the winner leads for good from round {half(row['lead_round'])}" if row["victories"] else ""
    return f"The lead changes {changes} times a game (n = {row['n']:,}){for_good}."


def _comebacks_in_short(frame: pd.DataFrame) -> str:
    """Say how many winners had been behind."""
    if frame.empty:
        return "No game was won."
    row = frame.iloc[0]
    cards = counted(int(row["behind"]), "victory card")
    return f"{rate_of(row, 'comeback_rate')} of the winners had been behind by at least {cards} (n = {row['n']:,})."


def _leads_from(frame: pd.DataFrame) -> str:
    """Say from when on who leads alone wins clearly more than its share, as the title of a chart."""
    claim = edge(_tested(frame))
    return "" if claim.rows.empty else _first_worth(claim)


def _decided(frame: pd.DataFrame, source: Source) -> list[Finding]:
    return decided_findings(frame, frame.attrs["settled"])


def _every_fourth(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the page: every fourth round with enough games; the CSV has all."""
    return frame[~frame["small_sample"] & (frame["round"] % 4 == 0)]


DECIDED = chapter(
    "When is a game decided?",
    Part(
        "decided", "When is a game decided? Three views", views,
        (
            Column("view", "view", "text"), Column("meaning", "what is asked", "text"), Column("round", "round", "rounds"),
            Column("least", "from", "rounds", "the earliest that is possible; of medians: a quarter of the games"),
            Column("most", "to", "rounds", "of medians: three quarters of the games"), ("n", "games"),
        ),
        note="A lead is worth something long before it is certain; by all that seats have, more is known than by claims alone.",
        method=(
            "From: the first round whose interval reaches the stated size. To: the first whose interval lies beyond it. "
            "Intervals hold for all rounds together."
        ),
        findings=views_findings,
    ),
    Part(
        "lead", "Lead changes", lead_table,
        (
            "n", ("changes", "lead changes in a game [95%]", "times another seat became the only leader"),
            ("steady_rate", "games without any [95%]"), ("victories", "won games"),
            ("lead_round", "winner leads for good from round", "median"), ("lead_round_p25", "25%"), ("lead_round_p75", "75%"),
            ("last_round_rate", "only in the last round [95%]", "of the won games"), "small_sample",
        ),
        note="Who has claimed more victory cards than every other at the end of a round leads.",
        summary=_lead_in_short,
    ),
    Part(
        "comebacks", "Comebacks", comebacks_table,
        (
            ("behind", "behind by at least, cards"), ("n", "won games"), ("wins", "winner had been behind"),
            ("comeback_rate", "rate [95%]"), "small_sample",
        ),
        note="Winners who had been so many victory cards behind at the end of a round.",
        summary=_comebacks_in_short,
    ),
    Part(
        "predictability", "What a lead in victory cards is worth", predictability_table,
        (
            "round", ("n", "games going on"), ("leading", "one leads alone", "games"), ("leading_rate", "rate [95%]"),
            ("leader_win_rate", "it wins in the end [95% all]", "unfinished games count as not won"), "fair_share",
            "p_adjusted",
            ("auc", "winner predicted by claims [95%]", "from another seat; 50%: a coin toss"), "small_sample",
        ),
        method="Winner predicted by claims: the area under the ROC curve, equal numbers counting half.",
        charts=(Chart(
            "predictability", "What a lead in victory cards is worth",
            "How often one seat leads alone in victory cards, and how often it wins (band: 95%).",
            plots.plot_predictability, lambda frame: 3.1,
            worth=some_rows, message=_leads_from,
        ),),
        rows=60, findings=leading_findings,
    ),
    Part(
        "favourites", "The favourite by all that seats have",
        of_table(ROUNDS_TABLE, lambda source: _favourites(source.rounds)),
        (
            "round", ("n", "games going on"), ("favourite_rate", "favourite wins [95%]"), "fair_share",
            ("forecast_rate", "as forecast"), ("skill", "skill of the forecast [95%]", "0: none, 1: certain"),
            ("settled_rate", "decided by then [95%]", "the later winner is the favourite to the end"), "small_sample",
        ),
        note="The favourite has the best chance by all that the seats have after the round.",
        method="Favourites: a conditional logit of what seats have, fitted to the other half of the games (20,000 at most).",
        findings=_decided, once=_every_fourth,
        charts=(Chart(
            "favourites", "The favourite by all that seats have",
            "How often the favourite wins (band: 95%), and games decided by then.",
            plot_favourites, lambda frame: 3.1, worth=some_rows,
        ),),
    ),
)  # fmt: skip
