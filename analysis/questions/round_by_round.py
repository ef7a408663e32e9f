"""The course of games round by round: does being ahead win, can one come back, when is a game decided?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import half
from ...simulator.runs.columns import ROUNDS_TABLE
from ..pages import plots
from ..pages.cells import number, rate_of
from ..pages.chart_messages import some_rows
from ..pages.report_parts import OF_FIRST, VERDICT, Chart, Column, Finding, Part, chapter, of_table
from ..stats.claims import AsMeasured, Differ, Nothing, Stand, Untested, extreme_first, first_round
from ..stats.inference import ALL
from ..stats.rates import POINTS
from ..stats.verdicts import AHEAD, DIFFERENT, FAR, HIGHER, Verdict, differs, having, judged
from ..tables import round_figures
from ..tables.win_rates import number_of_games

PHRASES = {
    "cities": "cities", "spaces": "friendly spaces", "dial": "spaces of the dial", "wonders": "world wonders",
    "trade": "trade tokens", "agendas": "victory cards", "combats_won": "combats won", "chance": "chance to win",
}  # fmt: skip
MIDDLE = 8  # the round of the sentences, in the middle of a game
SIZES = {"cities": 0.5, "spaces": 2.0, "wonders": 0.25}  # measures with sentences on their course: how much more counts
SPOKEN = tuple(SIZES)
DRAWN = "cities"  # the measure of the charts
COUNTABLE = ("cities", "wonders", "agendas")  # measures with sentences on deficits of 1 and 2
COLOURS = (plots.BLUE, plots.ORANGE, plots.GREEN, plots.PINK, plots.MUTED)


def phrase(measure: str) -> str:
    """Return a measure in words; a user's column has its own name."""
    return PHRASES.get(measure, measure.replace("_", " "))


def ahead(runs: Any, margin: float = POINTS, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return how often seats that are alone ahead win, with verdicts against the margin (percentage points)."""
    frame = round_figures.ahead(runs, measures)
    return judged(frame, "points", margin, _games(runs), AHEAD, family="who is ahead")


def behind(runs: Any, margin: float = POINTS, measures: Sequence[str] | None = None) -> pd.DataFrame:
    """Return how often seats that are behind win, with verdicts against the margin (percentage points)."""
    frame = round_figures.behind(runs, measures)
    return judged(frame, "points", margin, _games(runs), AHEAD, family="who is behind")


def _games(runs: Any) -> int:
    return runs.games if isinstance(runs, round_figures.RoundGames) else number_of_games(runs)


# --- Sentences


def at_round(frame: pd.DataFrame, wanted: int = MIDDLE) -> pd.DataFrame:
    """Return the rows of the last round with enough games up to the wanted one, or else of the first after it."""
    tested = frame[~frame["small_sample"]]
    early = tested[tested["round"] <= wanted]
    return tested[tested["round"] == (tested["round"].min() if early.empty else early["round"].max())]


def ahead_findings(frame: pd.DataFrame, source: Any = None) -> list[Finding]:
    """Say in which measures being ahead goes with winning, and how often."""
    rows = at_round(frame)
    if rows.empty:
        return [Finding(Untested(frame), "Not enough games to say what follows from being ahead.")]
    clear = rows[having(rows, DIFFERENT)].sort_values("points", key=np.abs, ascending=False, kind="stable")
    when = int(rows["round"].iloc[0])
    if clear.empty:
        text = f"Who is ahead at the end of round {when} wins no more often than its fair share, as far as these games show."
        return [Finding(Nothing(rows), text)]
    row = clear.to_dict("records")[0]
    most = f"Association, not effect. Who is alone ahead in {phrase(row['measure'])} at the end of round {when} wins"
    share = f"{rate_of(row, 'win_rate', ALL)} of the games (fair share {100 * row['fair_share']:.0f}%, n = {row['leading']:,})"
    findings = [Finding(Stand(clear.head(1)), f"{most} {share}.")]
    others = clear[having(clear, HIGHER)].iloc[1:]
    if len(others):
        names = [f"{phrase(other['measure'])} ({100 * other['win_rate']:.0f}%)" for other in others.to_dict("records")]
        findings.append(Finding(Stand(others), f"It also goes with winning to be ahead in {', '.join(names)}."))
    return findings


def behind_findings(frame: pd.DataFrame, source: Any = None) -> list[Finding]:
    """Say how often seats that are one or two behind still win."""
    rows = at_round(frame)
    findings = []
    two = (rows["behind"] <= 2) & ~(rows["behind_most"] < 2)
    measures = rows["measure"] if rows["measure"].nunique() == 1 else COUNTABLE
    for measure in dict.fromkeys(measures):
        for row in rows[(rows["measure"] == measure) & two].to_dict("records"):
            findings.append(Finding(Stand(pd.DataFrame([row])), comeback(row)))
    return findings or [Finding(Untested(frame), "Not enough games to say who comes back.")]


def comeback(row: Any) -> str:
    """Return the sentence on how often seats so far behind win."""
    share = f"{100 * row['fair_share']:.0f}%"
    return (
        f"Seats that are {deficit(row)} {phrase(row['measure'])} behind at the end of round {row['round']} still win "
        f"{rate_of(row, 'win_rate', ALL)} of the games (fair share {share}, n = {row['n']:,})."
    )


def deficit(row: Any) -> str:
    """Return how far behind the seats of a row are: "2", "5 to 8", "4 or more"."""
    low, high = row["behind"], row["behind_most"]
    return f"{low} or more" if pd.isna(high) else f"{low}" if low == high else f"{low} to {high:.0f}"


def decided_findings(frame: pd.DataFrame, row: Any) -> list[Finding]:
    """Say when games are decided."""
    ends = f"[{half(row['settled_round_low'])}, {half(row['settled_round_high'])}]"
    middle = f"in half of the games from round {half(row['settled_round_p25'])} to {half(row['settled_round_p75'])}"
    text = f"The later winner is the favourite to the end from round {half(row['settled_round'])} {ends} on "
    claim = AsMeasured(pd.DataFrame([dict(row)]))
    findings = [
        Finding(claim, f"{text}(median; {middle}; n = {row['n']:,})."),
        Finding(claim, f"The last round decides {rate_of(row, 'last_round_rate')} of the games (n = {row['n']:,})."),
    ]
    for now in at_round(frame).to_dict("records"):
        text = f"The favourite at the end of round {now['round']} wins {rate_of(now, 'favourite_rate')} of the games "
        text += f"(fair share {100 * now['fair_share']:.0f}%, n = {now['n']:,})."
        findings.append(Finding(AsMeasured(pd.DataFrame([now])), text))
    return findings


def course_findings(frame: pd.DataFrame, source: Any = None) -> list[Finding]:
    """Say when winners first have clearly more than the others, how much in the middle of the game, and when they have less."""
    findings = []
    for measure in SPOKEN:
        rows = frame[(frame["measure"] == measure) & ~frame["small_sample"]]
        if len(rows):
            findings += [*_less(rows, measure), _more(rows, measure)]
    return findings


def _less(rows: pd.DataFrame, measure: str) -> list[Finding]:
    """Say in which rounds winners are shown to have less than the others."""
    less = rows[differs(rows) & (rows["lead"] < 0)]
    if less.empty:
        return []
    row = extreme_first(less, "lead").to_dict("records")[0]
    text = (
        f"Winners have fewer {phrase(measure)} than the others at the end of {rounds_words(less['round'])}. Most so at the end "
    )
    text += f"of round {row['round']}: {_lead(row)} (n = {row['n']:,})."
    return [Finding(Differ(less), text)]


def _more(rows: pd.DataFrame, measure: str) -> Finding:
    """Say at which round winners first have more than the others by a size that counts."""
    size, end = SIZES[measure], at_round(rows)
    row = end.to_dict("records")[0]
    now = f"At the end of round {row['round']} the difference is "
    now += f"{_lead(row)} (n = {row['n']:,})."
    claim = first_round(rows, "lead", size)
    if claim.rows.empty:
        text = f"Winners are not shown to have {size:g} {phrase(measure)} more than the others at the end of any round. {now}"
        return Finding(Nothing(end, [size]), text)
    when = first_words(claim.earliest, claim.shown)
    text = f"Winners have {size:g} {phrase(measure)} more than the others for the first time at the end of {when}. {now}"
    return Finding(replace(claim, rows=pd.concat([claim.rows, end])), text)


def _lead(row: Any) -> str:
    """Return how much more winners have, with its interval; what rounds to nothing has no sign."""
    value, low, high = (round(row[f"lead{end}"], 2) + 0.0 for end in ALL)
    return number(value, low, high, 2)


def first_words(earliest: float, shown: float) -> str:
    """Return when something is first so: at one round, or in a range that holds it."""
    return f"round {shown:.0f}" if not earliest < shown else f"one of the rounds {earliest:.0f} to {shown:.0f}"


def rounds_words(rounds: pd.Series) -> str:
    """Return rounds in words: 'round 2', 'rounds 2 to 4', 'rounds 2 and 5', 'some of the rounds 2 to 9'."""
    numbers = sorted({int(each) for each in rounds})
    if len(numbers) == 1:
        return f"round {numbers[0]}"
    whole = numbers[-1] - numbers[0] == len(numbers) - 1
    if len(numbers) == 2 and not whole:
        return f"rounds {numbers[0]} and {numbers[1]}"
    return f"{'' if whole else 'some of the '}rounds {numbers[0]} to {numbers[-1]}"


# --- The parts of a report


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the page: one round (`at_round`), and only seats that are behind; the CSV has all."""
    shown = at_round(frame)
    return shown[shown["behind"] > 0] if "behind" in shown else shown


def _round_axis(ax: Any, label: str) -> None:
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.grid(axis="y", linewidth=0.5, alpha=0.4)
    ax.set_axisbelow(True)
    ax.set_xlabel("at the end of round")
    ax.set_ylabel(label)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, ncols=3, handlelength=1.6)


def plot_course(frame: pd.DataFrame, ax: Any, measure: str) -> None:
    """Draw what winners and the others have of a measure, round by round, with their intervals."""
    shown = frame[(frame["measure"] == measure) & ~frame["small_sample"]]
    for name, text, colour, line in (
        ("winners", "later winners", plots.BLUE, "-"), ("others", "the others", plots.ORANGE, "--"),
    ):  # fmt: skip
        ax.plot(shown["round"], shown[name], line, color=colour, linewidth=1.8, label=text)
        ax.fill_between(shown["round"], shown[f"{name}_low"], shown[f"{name}_high"], color=colour, alpha=0.2, linewidth=0)
    ax.set_ylim(bottom=0)
    _round_axis(ax, phrase(measure))


def plot_ahead(frame: pd.DataFrame, ax: Any) -> None:
    """Draw how often the seat that is alone ahead wins, by measure and round."""
    shown = frame[~frame["small_sample"]]
    for k, (measure, rows) in enumerate(shown.groupby("measure", sort=False)):
        line = "-" if k < len(COLOURS) else "--"
        colour, name = COLOURS[k % len(COLOURS)], phrase(str(measure))
        ax.plot(rows["round"], 100 * rows["win_rate"], line, color=colour, linewidth=1.5, label=name)
    fair = shown.groupby("round")["fair_share"].mean()
    ax.plot(fair.index, 100 * fair, ":", color=plots.MUTED, linewidth=1.3, label="fair share")
    ax.set_ylim(0, 100)
    _round_axis(ax, "wins of who is ahead, %")


def plot_behind(frame: pd.DataFrame, ax: Any, measure: str) -> None:
    """Draw how often seats win by their deficit in a measure, round by round, with intervals."""
    shown = frame[(frame["measure"] == measure) & ~frame["small_sample"]]
    for k, (step, rows) in enumerate(shown.groupby("behind")):
        colour, first = COLOURS[k % len(COLOURS)], rows.to_dict("records")[0]
        text = "nobody ahead" if step == 0 else f"{deficit(first)} behind"
        ax.plot(rows["round"], 100 * rows["win_rate"], "-", color=colour, linewidth=1.6, label=text)
        ends = (100 * rows[f"win_rate_{end}"] for end in ("low", "high"))
        ax.fill_between(rows["round"], *ends, color=colour, alpha=0.18, linewidth=0)
    ax.set_ylim(bottom=0)
    _round_axis(ax, "win rate, %")


def plot_favourites(frame: pd.DataFrame, ax: Any) -> None:
    """Draw how often the favourite wins, and how many games are decided, by round."""
    shown = frame[~frame["small_sample"]]
    ax.plot(shown["round"], 100 * shown["favourite_rate"], "-", color=plots.BLUE, linewidth=1.8, label="the favourite wins")
    ends = (100 * shown[f"favourite_rate_{end}"] for end in ("low", "high"))
    ax.fill_between(shown["round"], *ends, color=plots.BLUE, alpha=0.2, linewidth=0)
    ax.plot(shown["round"], 100 * shown["settled_rate"], "--", color=plots.ORANGE, linewidth=1.5, label="decided by then")
    ax.plot(shown["round"], 100 * shown["fair_share"], ":", color=plots.MUTED, linewidth=1.3, label="fair share")
    ax.set_ylim(0, 100)
    _round_axis(ax, "share of games, %")


def _some_of(measure: str) -> Any:
    return lambda frame: bool(((frame["measure"] == measure) & ~frame["small_sample"]).any())


def _snowball(frame: pd.DataFrame) -> str:
    """Say in which measure being ahead goes most with winning, if that is beyond the margin."""
    rows = at_round(frame)
    clear = rows[having(rows, FAR & HIGHER)].sort_values("points", ascending=False, kind="stable")
    if clear.empty:
        return ""
    row = clear.iloc[0]
    return f"Who is ahead in {phrase(row['measure'])} after round {row['round']} wins {100 * row['win_rate']:.0f}% of the games"


def _come_back(frame: pd.DataFrame, measure: str) -> str:
    """Say how often seats that are two behind win."""
    rows = at_round(frame)
    rows = rows[(rows["measure"] == measure) & (rows["behind"] == 2) & having(rows, DIFFERENT | {Verdict.WITHIN})]
    if rows.empty:
        return ""
    row = rows.iloc[0]
    return f"Two {phrase(measure)} behind after round {row['round']}, seats win {100 * row['win_rate']:.0f}% of the games"


ASSOCIATION = "An association: who is ahead in one thing is ahead in others."
COURSE_BY_ROUNDS = chapter(
    "Round by round",
    Part(
        "ahead", "Does being ahead win?", of_table(ROUNDS_TABLE, lambda source: ahead(source.rounds, source.margin)),
        (
            ("measure", "ahead in"), "round", ("n", "games going on"), ("leading", "one alone ahead", "games"),
            ("win_rate", "it wins [95% all]"), "fair_share", ("points", "points above it [95% all]"), "p_adjusted", VERDICT,
        ),
        note=ASSOCIATION, findings=ahead_findings, once=_shown,
        method=OF_FIRST.format("`newdawn rounds`"),
        charts=(Chart(
            "ahead", "Does being ahead win?", "How often the seat wins that is alone ahead after the round.",
            plot_ahead, lambda frame: 3.4, worth=some_rows, message=_snowball,
        ),),
    ),
    Part(
        "behind", "Can one come back?",
        of_table(ROUNDS_TABLE, lambda source: behind(source.rounds, source.margin, measures=COUNTABLE)),
        (
            ("measure", "behind in"), "round", ("behind", "behind by", "or more, up to the next row"), ("n", "seats"),
            ("win_rate", "won [95% all]"), "fair_share", ("points", "points above it [95% all]"), "p_adjusted", VERDICT,
        ),
        note=ASSOCIATION, method="Deficits are against the best other seat; seats of one game are one case.",
        findings=behind_findings, once=_shown,
        charts=(Chart(
            "behind", f"Win rate by deficit: {phrase(DRAWN)}",
            "Seats by how far behind the best other seat they are after the round (bands: 95%).",
            partial(plot_behind, measure=DRAWN), lambda frame: 3.1, worth=_some_of(DRAWN),
            message=partial(_come_back, measure=DRAWN),
        ),),
    ),
    Part(
        "trajectories", "What winners have, round by round",
        of_table(ROUNDS_TABLE, lambda source: round_figures.trajectories(source.rounds)),
        (
            ("measure", "what"), "round", "n", Column("winners", "winners [95%]", "ratio"),
            Column("others", "others [95%]", "ratio"), Column("lead", "difference [95% all]", "ratio"), "p_adjusted",
        ),
        note="Means over the games that had the round; who is ahead wins, and who wins gets ahead.",
        findings=course_findings, once=_shown,
        charts=(Chart(
            "course", f"Winners and others: {phrase(DRAWN)}", "Means after each round (bands: 95%).",
            partial(plot_course, measure=DRAWN), lambda frame: 2.9, worth=_some_of(DRAWN),
        ),),
    ),
)  # fmt: skip
