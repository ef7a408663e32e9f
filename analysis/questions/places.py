"""Places: is every start place of the map worth the same, and what goes with holding a place?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import with_sign
from ...simulator.rules.load import Ruleset
from ...simulator.runs.columns import PLACES_TABLE
from ...simulator.runs.columns import START as START_ON
from ..pages import plots
from ..pages.cells import points_of, rate_of
from ..pages.chart_messages import BARS, some_rows
from ..pages.report_parts import OF_FIRST, Chart, Finding, Part, Source, chapter, of_table
from ..pages.sentences import goes_with_winning
from ..stats.claims import Nothing, Stand, Untested
from ..stats.inference import ALL
from ..stats.rates import POINTS
from ..stats.verdicts import DIFFERENT, STRENGTH, having, judged
from ..tables import map_places
from ..tables.win_rates import number_of_games
from .cards import largest


def starts(runs: Any, margin: float = POINTS) -> pd.DataFrame:
    """Return how often seats win by where they began, with verdicts against the fair share."""
    frame = map_places.start_places(runs)
    return judged(frame, "points", margin, number_of_games(runs), STRENGTH, family="start places")


def start_findings(frame: pd.DataFrame, source: Source | None = None) -> list[Finding]:
    """Say which start places win more or less than their share."""
    if not frame["p"].notna().any():
        return [Finding(Untested(frame), "Not enough games: too few seats began at each place.")]
    clear = frame[having(frame, DIFFERENT)].sort_values("points", key=abs, ascending=False, kind="stable")
    findings = [
        Finding(
            Stand(pd.DataFrame([row])),
            f"Whoever starts on tile {row['tile']} wins {rate_of(row, 'win_rate', ALL)} (n = {row['n']:,}); "
            f"{row['fair_share']:.1%} would be fair: {row['verdict']}.",
        )
        for row in clear.to_dict("records")
    ]
    return findings or [Finding(Nothing(frame), "No start place is shown to win more or less than its share.")]


def held_findings(frame: pd.DataFrame, source: Source | None = None) -> list[Finding]:
    """Say what goes with holding a place at the end; never that it causes it."""
    return goes_with_winning(
        frame, "No place is detectably associated with winning",
        "Seats that hold certain places win more or less often",
        lambda row: f"{row['place']} {points_of(row, 'association')} points (n = {row['n']:,} seats with it)", "place",
    )  # fmt: skip


# --- The map, coloured by what its start places win


def fixed_map(data: Mapping[str, Any], players: int) -> dict[str, list[int]] | None:
    """Return the spaces of the fixed map for this many players: tile, q, r, star (1: a capital's); None if players lay it."""
    r = Ruleset("", dict(data)).compile()
    spaces: dict[str, list[int]] = {"tile": [], "q": [], "r": [], "star": []}
    for i in range(int(r.fixed_tiles) if r.map_mode else 0):
        if r.fixed_players[i, players]:
            tile, side, shape = int(r.fixed_tile[i]), int(r.fixed_side[i]), int(6 * r.fixed_side[i] + r.fixed_rotation[i])
            spaces["tile"] += [tile + 1] * len(r.offset_q[shape])
            spaces["q"] += (r.fixed_q[i] + r.offset_q[shape]).tolist()
            spaces["r"] += (r.fixed_r[i] + r.offset_r[shape]).tolist()
            spaces["star"] += [int(k == r.tile_capital[tile, side]) for k in range(len(r.offset_q[shape]))]
    return spaces if spaces["tile"] else None


def start_names(data: Mapping[str, Any], players: int) -> list[str]:
    """Return the places where seats begin on the fixed map for this many players; none if players lay it."""
    spaces = fixed_map(data, players) or {"tile": [], "star": []}
    return [START_ON.format(tile) for tile, star in zip(spaces["tile"], spaces["star"], strict=True) if star]


def plot_map(frame: pd.DataFrame, ax: Any) -> None:
    """Draw the map with its tiles coloured by how far the start places on them win above or below the fair share."""
    spaces = pd.DataFrame(frame.attrs["map"])
    points = dict(zip(frame["tile"], frame["points"], strict=True))
    values = np.array([points.get(tile, np.nan) for tile in spaces["tile"]], float)
    reach = max(float(np.nanmax(np.abs(values), initial=0)), 1.0)
    stars = spaces["star"].to_numpy(bool)
    cells = plots.hexagons(ax, spaces["q"], spaces["r"], values, stars, "PuOr", -reach, reach)
    for tile, x, y in zip(spaces["tile"][stars], *plots.centres(spaces["q"][stars], spaces["r"][stars]), strict=True):
        if tile in points:
            ax.text(x, y, f"★\n{with_sign(points[tile])}", ha="center", va="center", fontsize=8)
    plots.colour_bar(ax, cells, "above the fair share, points")


def _starts(source: Source) -> pd.DataFrame:
    """Return what start places win, with their map in `attrs`."""
    map_of = fixed_map(source.ruleset, source.run.players)
    frame = starts(source.first if map_of is None else source.run, source.margin)
    frame.attrs["map"] = map_of
    return frame


START = (
    ("place", "start place"), ("n", "seats"), ("win_rate", "won [95% all]"),
    ("points", "above the fair share, points [95% all]"), "verdict", "small_sample",
)  # fmt: skip
HELD = (
    "place", "kind", ("n", "seats that held it"), ("win_rate", "won with it [95%]"), "rate_without", "association",
    "p_adjusted", "small_sample",
)  # fmt: skip
PLACES = chapter(
    "Places of the map",
    Part(
        "start-places", "Is every start place worth the same?", of_table(PLACES_TABLE, _starts), START,
        note="By the tile on which the capital lies. Where players lay the map, tiles differ in where they come to lie.",
        method="Win rates of decided games by start place against the fair share; a game is one case.",
        charts=(
            Chart("start-places", "What start places win", f"Win rate minus the fair share. {BARS}",
                  lambda frame, ax: plots.column(ax, frame, frame["place"], "points", "percentage points", reference=0),
                  lambda frame: 1.2 + 0.3 * len(frame), worth=lambda frame: some_rows(frame) and bool(frame.attrs.get("map"))),
            Chart("start-map", "The map by what its start places win", "★ capitals: win rate minus the fair share, points.",
                  plot_map, lambda frame: 5.0, worth=lambda frame: frame.attrs.get("map") is not None),
        ),
        findings=start_findings,
    ),
    Part(
        "places-held", "Do seats win that hold a place? (association)",
        of_table(PLACES_TABLE, lambda source: map_places.place_wins(source.first)), HELD,
        note="An association: who is ahead takes more. What a place does, `newdawn experiment ban` says. Largest; all: CSV.",
        method="Seats that hold a place at the end against seats of the same leader, strategy and place in the turn order. A "
        "tile is held by who has more of its spaces than any other, a resource by who has a space of it. "
        f"{OF_FIRST.format('`newdawn places`')}",
        findings=held_findings, once=largest,
    ),
)  # fmt: skip
