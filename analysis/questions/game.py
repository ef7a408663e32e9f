"""The game as a whole: how long, who goes first, when is it decided, what runs out?"""

from __future__ import annotations

import shlex
from functools import partial

import numpy as np
import pandas as pd

from ...simulator.errors import counted
from ..pages import plots
from ..pages.cells import number, rate, rate_of
from ..pages.chart_messages import MARKS, share_message, some_rows, tall
from ..pages.report_parts import VERDICT, Chart, Column, Finding, Part, Source, chapter
from ..pages.sentences import LARGE, _missed, _points, _rows
from ..stats.claims import AsMeasured, Differ, Limit, Nothing, Stand, Untested, extreme_first
from ..stats.inference import ENDS
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import STRENGTH, Verdict, differs, far, having, judged
from ..tables import game, win_rates
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


def shortages_table(source: Source) -> pd.DataFrame:
    """Return which components were used up."""
    source.ruleset  # noqa: B018  (raises if the run has no rules)
    return game.shortages(source.run)


def boards_table(source: Source) -> pd.DataFrame | None:
    """Return where winners and others had cities, from games played again; None if none are wanted."""
    if source.elsewhere is None:
        return None
    frame = source.elsewhere()
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
    text = f"{counted(row['unfinished'], 'game')} ({unfinished}) reached the round cap without a winner."
    return [Finding(AsMeasured(pd.DataFrame([row])), text)]


def order_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether moving first or last is an advantage."""
    games, clear = counted(frame["n"].iloc[0], "game"), extreme_first(frame[differs(frame)], "points")
    beyond, within = far(frame), having(frame, {Verdict.WITHIN}).all()
    if len(beyond):
        return [Finding(Stand(beyond), f"The turn order matters: {place_words(beyond)} ({games}).")]
    if within and clear.empty:
        text = f"All places in the turn order are {STRENGTH.within}, within the margin of the fair share"
        return [Finding(Stand(frame), f"{text} ({games}).")]
    if within:
        small = f"too small to matter: {place_words(clear)}; all places are {STRENGTH.within}"
        text = f"The turn order makes a difference {small}"
        return [Finding(Stand(frame), f"{text} ({games}).")]
    if len(clear):
        text = f"The turn order makes a difference; whether one that matters is open: {place_words(clear)}"
        return [Finding(Differ(clear), f"{text} ({games}).")]
    missed = _missed(frame)
    claim = Nothing(frame, beside=[*LARGE.values()])
    return [Finding(claim, f"No place in the turn order has a detectable advantage ({games}).{missed}")]


def place_words(rows: pd.DataFrame) -> str:
    """Return the first of some places with its distance from the fair share, and how many more there are."""
    row = _rows(rows)[0]
    more = f" ({len(rows) - 1} more: table)" if len(rows) > 1 else ""
    return f"place {row['order']} {_points(row)} against the fair share{more}"


def boards_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say where winners have cities more or less often than the others."""
    games = int(frame["games"].max()) if len(frame) and frame["games"].notna().any() else 0
    different = frame[differs(frame)]
    if frame.empty or frame["small_sample"].all():
        text = f"Not enough games to compare where winners have their cities ({games} are too few)."
        return [Finding(Untested(frame, beside=[games]), text)]
    row = _rows(frame)[0]
    many = f"{number(row['more_cities'], row['more_cities_low'], row['more_cities_high'], 2)} cities more than the others"
    played = counted(games, "game")
    findings = [
        Finding(
            AsMeasured(frame.head(1), beside=[games]), f"Association, not effect. Winners have {many} ({played} played again)."
        )
    ]
    if different.empty:
        where = "Given how many cities a seat has, where they stand does not differ detectably between winners and others"
        return [*findings, Finding(Nothing(frame, beside=[games]), f"{where} ({played}).")]
    more = int((different["difference"] > 0).sum())
    near, far_off = int(different["distance"].min()), int(different["distance"].max())
    text = (
        f"Association, not effect. Given how many they have, winners' cities stand more often on {more} of {len(frame)} "
        f"spaces around the capital and less often on {len(different) - more} ({played}), {near} to {far_off} spaces away."
    )
    return [*findings, Finding(Differ(different, beside=[len(frame), more, len(different) - more, games]), text)]


def precision_findings(frame: pd.DataFrame, source: Source) -> list[Finding]:
    """Say whether the leaders' intervals are as narrow as wanted, and how many games would make them so."""
    if source.decided == 0:
        return [Finding(Limit(), "Nobody won any of these games, so no number of games can be planned.")]
    leaders, games = source.leaders, source.games
    reach = 50 * (leaders["adjusted_rate_all_high"] - leaders["adjusted_rate_all_low"])
    widest, name, wanted = float(reach.max()), leaders["leader"].iloc[int(reach.argmax())], 100 * source.half_width
    reached = f"The leaders' win rates are known to ±{widest:.2f} points or better (widest: {name})"
    beside = [widest, wanted, games]
    if widest <= wanted:
        return [Finding(AsMeasured(leaders, beside=beside), f"{reached}, as precise as wanted (±{wanted:.2g}).")]
    if games < SMALL_SAMPLE:
        text = f"{reached}; {counted(games, 'game')} are too few to say how many ±{wanted:.2g} needs."
        return [Finding(Limit(leaders, beside=beside), text)]
    needed = int(np.ceil(games * (widest / wanted) ** 2 / 100)) * 100
    command = f"newdawn extend {shlex.quote(str(source.run.path))} --games {needed}"
    text = f"{reached}. ±{wanted:.2g} needs about {counted(needed, 'game')} in all: `{command}`."
    return [Finding(Limit(leaders, beside=[*beside, needed]), text)]


def _how_long(frame: pd.DataFrame) -> str:
    """Say when half of the games are over, and how many rounds most take."""
    early, half_of_them, late = (frame.loc[frame["share_so_far"] >= share, "rounds"].min() for share in (0.05, 0.5, 0.95))
    if not late > early:
        return ""
    most = frame.loc[frame["rounds"].between(early, late), "share"].sum()
    return f"Half of the games are over by round {half_of_them:g}; {100 * most:.0f}% take {early:g} to {late:g}"


def _settled(frame: pd.DataFrame) -> str:
    """Say on how many spaces winners and others differ."""
    spaces = int((differs(frame) & ~frame["small_sample"]).sum())
    if not spaces:
        return "On no space winners are shown to settle differently (association)"
    return f"Winners settle differently on {counted(spaces, 'space')} (association)"


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
        method=(
            "Games played again. Winners against others of the same table, space by space: the share of a seat's cities "
            "that lie there, times the average number of cities. Blank: seen in fewer than 100 games."
        ),
        charts=tuple(
            Chart(
                f"boards-{key}", title, caption, partial(plots.plot_settling, value=value),
                worth=some_rows, message=_settled if key == "difference" else lambda frame: "",
            )
            for key, title, caption, value in (
                ("winners", "Where winners have cities", "Share with a city on the space.", "winner_rate"),
                ("others", "Where the others have cities", "The same for the others.", "other_rate"),
                ("difference", "Winners minus others, given their cities", "Framed: differs. An association.", "difference"),
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
