"""The game as a whole: how long, who goes first, when is it decided, what runs out?"""

from __future__ import annotations

import shlex
from functools import partial

import numpy as np
import pandas as pd

from ...simulator.errors import counted, half
from ..pages import plots
from ..pages.cells import number, rate, rate_of
from ..pages.chart_messages import MARKS, share_message, some_rows, tall
from ..pages.report_parts import VERDICT, Chart, Column, Finding, Part, Source, chapter
from ..pages.sentences import _missed, _more, _points, _rows
from ..stats.inference import ENDS
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import STRENGTH, Verdict, differs, having, judged, lies_above, weakest, weakest_difference
from ..tables import game, win_rates
from ..tables.city_spaces import settling
from ..tables.leader_strength import turn_order
from .how_many_games import games_needed

# --- The tables of a report's parts


def mended(source: Source) -> pd.DataFrame | None:
    """Return the other leaders with the one furthest off at its fair share (`Source.mended`)."""
    return source.mended


def order_table(source: Source) -> pd.DataFrame | None:
    """Return the advantage of each place in the turn order; None if it cannot be distinguished from that of leaders."""
    if source.places_of:
        return None
    frame = turn_order(source.outcomes, source.factors)
    return judged(frame, "points", source.margin, source.games, family="turn order")


def rounds_table(source: Source) -> pd.DataFrame:
    """Return how long games took."""
    return game.rounds(source.run)


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


def shortages_table(source: Source) -> pd.DataFrame:
    """Return which components were used up."""
    source.ruleset  # noqa: B018  (raises if the run has no rules)
    return game.shortages(source.run)


def boards_table(source: Source) -> pd.DataFrame | None:
    """Return where winners and others had cities, from games played again; None if none are wanted."""
    if source.boards == 0:
        return None
    from ...simulator.replay.log_in_words import settled  # loads the engine

    frame = settling(settled(source.run.path, source.boards))
    return frame.assign(**{f"percentage_points{end}": 100 * frame[f"difference{end}"] for end in ENDS})


def precision_table(source: Source) -> pd.DataFrame:
    """Return how many games questions of the wanted precision need."""
    # In few games not every leader of the pool was played.
    pool = max(len(source.run.manifest["plan"].get("leaders", ())), len(source.outcomes.levels["leader"]))
    leaders = win_rates.leaders(source.run)
    rates = dict(zip(leaders["leader"], leaders["win_rate"], strict=True))
    margin = source.margin / 100
    return games_needed(source.half_width, source.run.players, pool, rates=rates, box=source.run.box, margin=margin)


# --- Findings


def length_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say how many games are unfinished."""
    row = game.length(source.run).iloc[0]
    if not row["unfinished"]:
        return []
    unfinished = rate(row["unfinished_rate"], row["unfinished_rate_low"], row["unfinished_rate_high"])
    return [Finding(f"{counted(row['unfinished'], 'game')} ({unfinished}) reached the round cap without a winner.", "measured")]


def order_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether moving first or last is an advantage."""
    clear = frame[differs(frame)]
    games = counted(frame["n"].iloc[0], "game")
    if clear.empty:
        if having(frame, {Verdict.WITHIN}).all():
            text = f"All places in the turn order are {STRENGTH.within}, within the margin of the fair share"
            return [Finding(f"{text} ({games}).", weakest(frame["certainty"]))]
        return [Finding(f"No place in the turn order has a detectable advantage ({games}).{_missed(frame)}", "open")]
    row = _rows(clear.sort_values("points", key=abs, ascending=False, kind="stable"))[0]
    largest = f"place {row['order']} {_points(row)} against the fair share, {row['verdict']}"
    certainty = weakest([weakest_difference(clear), row["certainty"]])
    return [Finding(f"The turn order matters: {largest}{_more(clear)} ({games}).", certainty)]


def boards_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say where winners have cities more or less often than the others."""
    games = int(frame["games"].max()) if len(frame) and frame["games"].notna().any() else 0
    different = frame[differs(frame)]
    if frame.empty or frame["small_sample"].all():
        return [Finding(f"Not enough games to compare where winners have their cities ({games} are too few).", "untested")]
    if different.empty:
        where = "Where cities stand around the capital does not differ detectably between winners and others"
        return [Finding(f"{where} ({counted(games, 'game')}).", "open")]
    more = int((different["difference"] > 0).sum())
    near, far = int(different["distance"].min()), int(different["distance"].max())
    text = (
        f"Association, not effect. Of the {len(frame)} spaces around the capital, winners have cities more often on {more} and "
        f"less often on {len(different) - more} ({counted(games, 'game')} played again). They lie {near} to {far} spaces away."
    )
    return [Finding(text, weakest_difference(different))]


def precision_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether the leaders' intervals are as narrow as wanted, and how many games would make them so."""
    if source.decided == 0:
        return [Finding("Nobody won any of these games, so no number of games can be planned.", "limit")]
    leaders, games = source.leaders, source.games
    reach = 50 * (leaders["adjusted_rate_all_high"] - leaders["adjusted_rate_all_low"])
    widest, name, wanted = float(reach.max()), leaders["leader"].iloc[int(reach.argmax())], 100 * source.half_width
    reached = f"The leaders' win rates are known to ±{widest:.2f} points or better (widest: {name})"
    if widest <= wanted:
        return [Finding(f"{reached}, as precise as wanted (±{wanted:.2g}).", "measured")]
    if games < SMALL_SAMPLE:
        return [Finding(f"{reached}; {counted(games, 'game')} are too few to say how many ±{wanted:.2g} needs.", "limit")]
    needed = int(np.ceil(games * (widest / wanted) ** 2 / 100)) * 100
    command = f"newdawn extend {shlex.quote(str(source.run.path))} --games {needed}"
    return [Finding(f"{reached}. ±{wanted:.2g} needs about {counted(needed, 'game')} in all: `{command}`.", "limit")]


def _how_long(frame: pd.DataFrame) -> str:
    """Say when half of the games are over, and how many rounds most take."""
    early, half_of_them, late = (frame.loc[frame["share_so_far"] >= share, "rounds"].min() for share in (0.05, 0.5, 0.95))
    if not late > early:
        return ""
    most = frame.loc[frame["rounds"].between(early, late), "share"].sum()
    return f"Half of the games are over by round {half_of_them:g}; {100 * most:.0f}% take {early:g} to {late:g}"


def _decided_from(frame: pd.DataFrame) -> str:
    """Say from which round on, and until the last that is drawn, whoever leads alone wins more than the fair share."""
    shown = frame[(frame["leading"] >= SMALL_SAMPLE) & ~frame["small_sample"]]
    above = lies_above(shown, "leader_win_rate", shown["fair_share"])[::-1].cummin()[::-1]
    if not above.any():
        return ""
    return f"From round {shown.loc[above, 'round'].iloc[0]} on, whoever leads alone wins more than the fair share"


def _settled(frame: pd.DataFrame) -> str:
    """Say on how many spaces winners and others differ."""
    spaces = int((differs(frame) & ~frame["small_sample"]).sum())
    if not spaces:
        return "On no space winners are shown to settle differently (association)"
    return f"Winners settle differently on {counted(spaces, 'space')} (association)"


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


def _leading_in_short(frame: pd.DataFrame) -> str:
    """Say when whoever leads alone wins more than the fair share."""
    return f"{_decided_from(frame) or 'Whoever leads alone is not shown to win more than the fair share'}."


def _shortages_in_short(frame: pd.DataFrame) -> str:
    """Say what is used up most often."""
    if not frame["used_up"].any():
        return "Nothing runs out."
    row = frame.sort_values("rate", ascending=False, kind="stable").iloc[0]
    what = str(row["component"])
    return f"{what[0].upper()}{what[1:]}: used up in {rate_of(row, 'rate')} of {row['n']:,} cases, most of all."


COURSE = chapter(
    "The course of the games",
    Part(
        "length", "Length of the game", rounds_table,
        ("rounds", ("victories", "won"), "unfinished", ("share", "share of games"), ("share_so_far", "ended by then")),
        charts=(Chart(
            "length", "Length of the game", "Games that ended in each round.",
            plots.plot_rounds, lambda frame: 2.8, message=_how_long,
        ),),
        findings=length_findings,
    ),
    Part(
        "order", "Turn order", order_table,
        (
            ("order", "place", "1 = first player"), "n",
            ("adjusted_rate", "win rate [95% all]", "of decided games, leaders and strategies alike"),
            ("points", "points above fair share [95% all]"), "p_adjusted", VERDICT, ("win_rate", "win rate as played [95%]"),
            "small_sample",
        ),
        charts=(Chart(
            "order", "Seat advantage: place in the turn order",
            f"Place 1 moves first. {MARKS}",
            plots.plot_turn_order, tall(0.3), message=share_message("order", "Place {}"),
        ),),
        findings=order_findings,
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
        "predictability", "How early games are decided", predictability_table,
        (
            "round", ("n", "games going on"), ("leading", "one leads alone", "games"), ("leading_rate", "rate [95%]"),
            ("leader_win_rate", "it wins in the end [95%]", "unfinished games count as not won"), "fair_share",
            ("auc", "winner predicted by claims [95%]", "from another seat; 50%: a coin toss"), "small_sample",
        ),
        method="Winner predicted by claims: the area under the ROC curve, equal numbers counting half.",
        charts=(Chart(
            "predictability", "How early games are decided",
            "How often one seat leads alone in victory cards, and how often it wins (band: 95%).",
            plots.plot_predictability, lambda frame: 3.1,
            worth=some_rows, message=_decided_from,
        ),),
        rows=60, summary=_leading_in_short,
    ),
    Part(
        "shortages", "What runs out", shortages_table,
        (
            "component", ("n", "cases", "seats, or games for what all share"), ("used_up", "used up at the end"),
            ("rate", "rate [95%]"),
        ),
        note="Used up at the end of the game; what came back is missed.",
        summary=_shortages_in_short,
    ),
    Part(
        "boards", "Where winners settle", boards_table,
        (
            Column("q", "q", "rounds", "axial coordinate from the capital, east"),
            Column("r", "r", "rounds", "axial coordinate from the capital, south-east"),
            Column("distance", "distance", "rounds", "spaces from the capital"),
            ("winners", "winners", "winners whose map had the space"), ("winner_rate", "winners with a city [95%]"), "others",
            ("other_rate", "others with a city [95%]"), Column("percentage_points", "difference, points [95% all]", "points"),
            "p_adjusted", "small_sample",
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
                ("difference", "Winners minus others", "Framed: differs. An association.", "difference"),
            )
        ),
        findings=boards_findings, rows=60,
    ),
)  # fmt: skip
PLANNING = chapter(
    "How many games",
    Part(
        "precision",
        "Games that questions need",
        precision_table,
        (
            "question",
            ("slowest", "slowest figure", "rates are those of this run"),
            Column("half_width", "± wanted", "rate"),
            ("games", "games needed", "pairs of games in rows about two rulesets"),
            Column(
                "detectable", "difference found with 80% chance", "rate", "so many points off the verdict beside it is given"
            ),
            Column("verdict", kind="text"),
        ),
        note="The figure that needs most games decides.",
        findings=precision_findings,
    ),
)
