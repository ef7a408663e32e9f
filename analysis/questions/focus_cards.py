"""Focus cards: which are taken, when and from where are they resolved, which is dead, and what goes with having one?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ...simulator.wording import counted
from ..pages import plots
from ..pages.parts import (
    BARS,
    FEW,
    OF_FIRST,
    Chart,
    Column,
    Finding,
    P,
    Part,
    Source,
    chapter,
    of_table,
    points_of,
    rate,
    rate_of,
    some_rows,
)
from ..pages.sentences import MOST, goes_with_winning, some_of
from ..stats.answer import LOWER, USE, Verdict, having, judged, weakest
from ..stats.inference import ALL
from ..tables import focus_cards
from ..tables.counts import number_of_games
from ..tables.focus_cards import DEAD

SHOWN, LARGEST = 8, 6  # cards, and associations, on a page; all are in the CSV


def use(runs: Any, margin: float = 0.0) -> pd.DataFrame:
    """Return how focus cards are taken and resolved, with the verdict which of them are dead."""
    frame = focus_cards.focus_cards(runs)
    return judged(frame, "take_rate", margin, number_of_games(runs), USE, DEAD, family="focus cards")


def dead(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `use` that are shown to be dead, the least taken first."""
    return frame[having(frame, LOWER)].sort_values(["take_rate", "card"], kind="stable")


def label(row: Any) -> str:
    """Return a card with the leader that has it alone."""
    return f"{row['card']} ({row['leader']})" if row["leader"] else str(row["card"])


def dead_cards(frame: pd.DataFrame) -> list[Finding]:
    """Say which cards are hardly ever taken, and which that are taken are hardly ever resolved."""
    tested, found = int(frame["p"].notna().sum()), dead(frame)
    if not tested:
        return [Finding("Not enough games: of each focus card too few seats might take it.", "untested")]
    said = [
        Finding(
            f"{label(row)} is dead: {rate_of(row, 'take_rate', ALL)} of the seats that might take it do (n = {row['n']:,}).",
            row["certainty"],
        )
        for row in found.head(MOST).to_dict("records")
    ]
    if len(found) > MOST:
        others = some_of([label(row) for row in found.iloc[MOST:].to_dict("records")])
        text = f"Also taken by less than {rate(DEAD)} of the seats: {others}."
        said.append(Finding(text, weakest(found["certainty"].iloc[MOST:])))
    if not len(found):
        open_ones = frame[having(frame, {Verdict.UNDECIDED})]
        if len(open_ones):
            text = (
                f"No focus card is shown to be dead; of {counted(len(open_ones), 'card')} it is open whether {rate(DEAD)} of "
            )
            said.append(Finding(f"{text}the seats take it.", "open"))
        else:
            text = f"No focus card is dead: each is taken by more than {rate(DEAD)} of the seats ({counted(tested, 'card')})."
            said.append(Finding(text, weakest(frame.loc[frame["p"].notna(), "certainty"])))
    return [*said, *_in_vain(frame)]


def _in_vain(frame: pd.DataFrame) -> list[Finding]:
    """Say which card most of those that have it never resolve."""
    enough = frame[(frame["taken"] >= 100) & (frame["unused_rate_low"] > 0.5)].sort_values("unused_rate", ascending=False)
    if enough.empty:
        return []
    row = enough.to_dict("records")[0]
    more = f"; {len(enough) - 1} more: table" if len(enough) > 1 else ""
    text = f"Taken and mostly never resolved: {label(row)}, in {rate_of(row, 'unused_rate')} of the seats that had it"
    return [Finding(f"{text} (n = {row['had']:,}{more}).")]


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
    """Draw how many of the seats that might take a card do, against the line below which it is dead."""
    shown = least_taken(frame)
    labels = [label(row) for row in shown.to_dict("records")]
    style: dict[str, Any] = {"reference": 100 * DEAD, "reference_label": f"dead below {100 * DEAD:.0f}%"}
    plots.column(ax, shown, labels, "take_rate", "taken, % of the seats that might", scale=100, **style)
    ax.set_xlim(-2, 102)
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)


def _tall(shown: Any) -> Any:
    return lambda frame: 1.3 + 0.22 * len(shown(frame))


def _how_many_dead(frame: pd.DataFrame) -> str:
    found = dead(frame)
    if found.empty:
        return ""
    return f"{counted(len(found), 'focus card')} of {int((frame['n'] > 0).sum())} {'is' if len(found) == 1 else 'are'} dead"


NAMED = (Column("card", "focus card"), Column("type", "type"), Column("level", "level", "count"), Column("leader", "only of"))
FOCUS = chapter(
    "Focus cards",
    Part(
        "focus-cards", "Which focus cards are taken, and resolved", _use,
        (
            *NAMED, Column("n", "seats that might take it", "count"), Column("take_rate", "taken [95% all]", "rate"),
            Column("verdict", "used?", "verdict"), Column("median_round", "in round", "rounds", "median"),
            Column("had", "seats that had it", "count", "those that begin with it, too"),
            Column("resolved", "times resolved", "ratio", "by a seat that had it, on average"),
            Column("unused_rate", "never resolved [95%]", "rate", "of the seats that had it"),
            FEW,
        ),
        note=f"Dead: fewer than {rate(DEAD)} of the seats that might take it do, whoever plays. The fewest first; all: CSV.",
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
        of_table(FOCUS_CARDS_TABLE, lambda source: focus_cards.focus_card_wins(source.first)),
        (
            *NAMED, Column("n", "seats with it", "count"), Column("win_rate", "won with it [95%]", "rate"),
            Column("n_without", "seats without", "count"), Column("rate_without", "won without it", "rate"),
            Column("association", "association, points [95% all]", "points", "among seats alike; no effect"), P, FEW,
        ),
        note="An association: who is ahead takes more cards. What a card is worth, `newdawn experiment grant --card` says. The "
        "largest; all: CSV.",
        method="Seats with a focus card against seats of the same leader, strategy and place without it; a game is one case.",
        findings=wins_findings, once=largest,
    ),
)  # fmt: skip
