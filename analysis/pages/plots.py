"""Pictures of the tables: every function draws one DataFrame into one matplotlib `ax`.

Colours are those of Okabe and Ito (distinct with every common colour blindness) and the maps cividis and PuOr. Marks show the
verdicts, so that nothing depends on colour alone: filled dots lie beyond the margin, half-filled ones differ, size unclear,
squares lie within it, and open dots are the others. Without a margin a filled dot differs. Intervals hold for all rows of the
table together (95%).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import with_minus
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import DIFFERENT, FAR, Verdict, differs, having
from ..tables.matchup import matchup_matrix
from ..tables.victory_cards import BETWEEN

BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
MUTED = "#808080"
PAPER = "white"  # the face of open marks
# Ink on coloured cells, the same on any background of the page.
ON_LIGHT, ON_DARK = "#000000", "#fefefe"
EACH = ("", "_low", "_high")  # endings of columns: a figure and its own interval
HEX_RADIUS = 1 / sqrt(3)  # of hexagons whose centres are 1 apart


# --- Intervals, one below the other


def forest(
    ax: Any, labels: Sequence[str], value: Any, low: Any, high: Any, *,
    filled: Any = None, half: Any = False, square: Any = False, reference: float | None = None, reference_label: str = "",
    color: str = BLUE,
) -> None:  # fmt: skip
    """Draw one value with its interval a row, from the top; `reference` is a dashed line, open marks are not `filled`.

    Marks may be `half` filled, or `square` and filled, instead. All arrays have the length of `labels`; values are in the unit
    of the axis. NaN ends draw no interval.
    """
    value, low, high = (np.asarray(values, float) for values in (value, low, high))
    filled = np.full(len(value), True) if filled is None else np.asarray(filled, bool)
    half, square = (np.broadcast_to(np.asarray(marks, bool), len(value)) for marks in (half, square))
    y = np.arange(len(value))[::-1]
    if reference is not None:
        ax.axvline(reference, color=MUTED, linewidth=1, linestyle="--", label=reference_label or None, zorder=1)
    marks = {"o": (color, filled), "s": (color, square), "half": (color, half), "open": (PAPER, ~(filled | half | square))}
    for mark, (face, part) in marks.items():
        if part.any():
            reach = np.nan_to_num(np.stack([value - low, high - value])[:, part])
            style: dict[str, Any] = {"fmt": mark if len(mark) == 1 else "o", "fillstyle": "left" if mark == "half" else "full"}
            style |= {"color": color, "markerfacecolor": face, "markerfacecoloralt": PAPER}
            style |= {"capsize": 3, "markersize": 5, "linewidth": 1.3}
            ax.errorbar(value[part], y[part], xerr=np.maximum(reach, 0), zorder=2, **style)
    ax.set_yticks(y, list(labels))
    ax.set_ylim(-0.6, len(value) - 0.4)
    ax.grid(axis="x", linewidth=0.5, alpha=0.4)
    ax.set_axisbelow(True)


def column(
    ax: Any, frame: pd.DataFrame, labels: Iterable[str], name: str, axis: str, *,
    ends: Sequence[str] = ALL, filled: Any = None, scale: float = 1.0, **style: Any,
) -> None:  # fmt: skip
    """Draw a column of a table with its intervals, one row per line; marks are those of its verdicts (see above)."""
    if filled is None:
        style |= marks_of(frame)
        filled = style.pop("filled", None)
    forest(ax, list(labels), *(scale * frame[f"{name}{end}"] for end in ends), filled=filled, **style)
    ax.set_xlabel(axis)


def marks_of(frame: pd.DataFrame) -> dict[str, Any]:
    """Return which marks of a table are filled, half-filled and square: by its verdicts, or without a margin by its tests."""
    if "games_fewest" in frame:  # `answer.judged`
        unclear = DIFFERENT - FAR
        return {"filled": having(frame, FAR), "half": having(frame, unclear), "square": having(frame, {Verdict.WITHIN})}
    return {"filled": differs(frame)} if "p_adjusted" in frame else {}


def plot_strengths(frame: pd.DataFrame, ax: Any) -> None:
    """Draw a forest plot of `strength.strengths`: adjusted win rates against the fair share."""
    labels = frame[frame.columns[list(frame.columns).index("rank") - 1]]
    _against_fair_share(ax, frame, labels, "win rate, % of the games that somebody won")


def plot_turn_order(frame: pd.DataFrame, ax: Any) -> None:
    """Draw a forest plot of `strength.turn_order`: what each place in the turn order wins, in % of decided games."""
    _against_fair_share(ax, frame, [f"place {order}" for order in frame["order"]], "win rate, % of decided games")


def _against_fair_share(ax: Any, frame: pd.DataFrame, labels: Iterable[str], axis: str) -> None:
    """Draw adjusted win rates against the fair share."""
    fair = 100 * float(frame["fair_share"].iloc[0])
    column(ax, frame, labels, "adjusted_rate", axis, scale=100, reference=fair, reference_label=f"fair share {fair:.1f}%")
    _legend_above(ax)


def plot_association(frame: pd.DataFrame, ax: Any) -> None:
    """Draw a table of `claims.associations`: what goes with winning, one row per line; rows with few cases are left out."""
    shown = frame[~frame["small_sample"]]
    axis = "association: percentage points with it minus without it"
    column(ax, shown, shown[frame.columns[0]], "association", axis, reference=0)


def plot_gifts(frame: pd.DataFrame, ax: Any) -> None:
    """Draw the effects of experiments (`expansion.read_gifts`), in percentage points of the chance to win."""
    column(ax, frame, frame["what"], "points", "effect, percentage points of the chance to win", reference=0)


def plot_winning_times(frame: pd.DataFrame, ax: Any) -> None:
    """Draw a forest plot of `claims.winning_times`: how much longer the games are that each leader wins, in rounds."""
    axis, others = "mean length of the games won, rounds more than the other leaders' wins", "the other leaders' wins"
    column(ax, frame, frame["leader"], "rounds_difference", axis, reference=0, reference_label=others)
    _legend_above(ax)


def plot_card_sets(frame: pd.DataFrame, ax: Any) -> None:
    """Draw a forest plot of `claims.card_sets`: how much longer games with these victory cards in play are, in rounds."""
    labels = [cards.replace(BETWEEN, "\n") for cards in frame["cards"]]
    axis, others = "mean length, rounds more than games with other cards", "games with other cards"
    column(ax, frame, labels, "rounds_difference", axis, reference=0, reference_label=others)
    ax.tick_params(axis="y", labelsize="small")
    for edge in range(1, len(frame)):
        ax.axhline(edge - 0.5, color=MUTED, linewidth=0.3)
    _legend_above(ax)


def _by_cost(frame: pd.DataFrame, ax: Any, columns: Sequence[str], **style: Any) -> None:
    """Draw a forest of 100 × `columns`, grouped by the column `cost`, the cheapest on top."""
    shown = frame[frame[columns[0]].notna()].sort_values(["cost", columns[0]], ascending=[True, False])
    value, low, high = (100 * shown[name] for name in columns)
    forest(ax, list(shown["wonder"]), value, low, high, **marks_of(shown), **style)
    costs = shown["cost"].to_numpy()
    y = np.arange(len(shown))[::-1]
    side = ax.twinx()
    side.set_ylim(ax.get_ylim())
    places = [(float(y[costs == cost].mean()), cost) for cost in dict.fromkeys(costs)]
    side.set_yticks([place for place, _ in places], [f"{cost:g}" for _, cost in places])
    side.tick_params(length=0)
    side.set_ylabel("cost, production")
    for edge in np.flatnonzero(np.diff(costs)):
        ax.axhline(y[edge] - 0.5, color=MUTED, linewidth=0.6)


def plot_wonder_association(frame: pd.DataFrame, ax: Any) -> None:
    """Draw how often the builders of each world wonder won, by its cost: an association, not what a wonder is worth.

    Columns: wonder, cost (production), builder_win_rate with its interval, average_share (shares), p_adjusted.
    """
    average = 100 * float(frame["average_share"].dropna().iloc[0])
    columns = [f"builder_win_rate{end}" for end in ALL]
    _by_cost(frame, ax, columns, color=ORANGE, reference=average, reference_label=f"average seat {average:.1f}%")
    ax.set_xlabel("wins of the builders, % of games (association)")
    _legend_above(ax)


def plot_wonder_effect(frame: pd.DataFrame, ax: Any) -> None:
    """Draw what being given a world wonder at random changed in the chance to win, by its cost.

    Columns: wonder (or arm, as in `experiment.effects`), cost (production), effect with its intervals (shares),
    p_adjusted.
    """
    frame = frame.rename(columns={"arm": "wonder"})
    columns = [f"effect{end}" for end in ALL]
    _by_cost(frame, ax, columns, color=BLUE, reference=0, reference_label="no effect")
    ax.set_xlabel("effect on the chance to win, percentage points")
    _legend_above(ax)


def _legend_above(ax: Any, columns: int = 3) -> None:
    """Put the legend above the axes, where no interval lies."""
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, ncols=columns, handlelength=1.6)


# --- Matrices and distributions


def plot_matchups(frame: pd.DataFrame, ax: Any) -> None:
    """Draw `matchup.matchups` as a heat map: how often the row's leader beats the column's."""
    square = 100 * matchup_matrix(frame)
    _heat_map(ax, square, square, middle=50, label="wins of the row, % of games one of the two won")
    ax.set_xlabel("opponent")


def plot_winning_agendas(frame: pd.DataFrame, ax: Any) -> None:
    """Draw `claims.winning_agendas` as a heat map: numbers are the wins of a leader that used an agenda, in %.

    The colour is the difference from the other leaders' wins, in percentage points; bold numbers differ significantly.
    """
    there = set(frame["agenda"])
    columns = [*(agenda for agenda in names.AGENDAS if agenda in there), *sorted(there - set(names.AGENDAS))]
    used, gap, clear = (
        frame.assign(clear=differs(frame)).pivot(index="leader", columns="agenda", values=name)[columns]
        for name in ("use_rate", "points", "clear")
    )
    bold = clear.fillna(False).astype(bool)
    _heat_map(ax, 100 * used, gap, label="against the other leaders' wins, points", bold=bold, size=9)


def _heat_map(
    ax: Any, numbers: pd.DataFrame, colours: pd.DataFrame, *, label: str, middle: float = 0, bold: Any = None, size: Any = None
) -> None:
    """Draw a table of whole numbers on cells coloured by another table of the same shape, from orange to purple."""
    values, shade = numbers.to_numpy(), colours.to_numpy()
    bold = np.zeros(values.shape, bool) if bold is None else np.asarray(bold)
    reach = max(float(np.nanmax(np.abs(shade - middle), initial=0)), 1.0)
    rows, columns = (np.arange(count + 1) - 0.5 for count in values.shape)
    style = {"cmap": "PuOr", "vmin": middle - reach, "vmax": middle + reach, "edgecolors": PAPER, "linewidth": 0.6}
    image = ax.pcolormesh(columns, rows, np.ma.masked_invalid(shade), **style)
    ax.invert_yaxis()
    ax.set_xticks(range(len(numbers.columns)), numbers.columns, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(numbers)), numbers.index)
    ax.tick_params(length=0)
    for (i, j), value in np.ndenumerate(values):
        if not np.isnan(value):
            ink = ON_LIGHT if np.isnan(shade[i, j]) else _ink_on(image.to_rgba(shade[i, j]))
            weight = "bold" if bold[i, j] else "normal"
            ax.text(j, i, with_minus(f"{value:.0f}"), ha="center", va="center", color=ink, fontweight=weight, fontsize=size)
    colour_bar(ax, image, label)


def _ink_on(rgba: Sequence[float]) -> str:
    """Return the ink that is more readable on a colour, by the luminance of WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgba[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return ON_LIGHT if luminance > 0.179 else ON_DARK


def plot_rounds(frame: pd.DataFrame, ax: Any) -> None:
    """Draw `game.rounds` as bars: won games, and unfinished ones on top.

    The few games that end long after all others share one bar at the right end.
    """
    games = frame["victories"] + frame["unfinished"]
    n, last = games.sum(), _last_round(frame["rounds"], games)
    at = frame["rounds"].clip(upper=last)
    won, unfinished = (100 * frame[name].groupby(at).sum() / n for name in ("victories", "unfinished"))
    ax.bar(won.index, won, width=0.9, color=BLUE, label="won")
    if frame["unfinished"].any():
        ax.bar(won.index, unfinished, width=0.9, bottom=won, color=ORANGE, label="unfinished")
        _legend_above(ax)
    ax.xaxis.get_major_locator().set_params(integer=True)
    if last < frame["rounds"].max():
        late = games[frame["rounds"] >= last].sum()
        at_end = (last, (won + unfinished)[last])
        ax.annotate(f"round {last} or later: {late:,}", at_end, (0, 4), textcoords="offset points", ha="right")
    ax.set_xlabel("length of the game, rounds")
    ax.set_ylabel("share of games, %")


def _last_round(rounds: pd.Series, games: pd.Series) -> int:
    """Return the last round with a bar of its own: the last, unless 99.5% of the games ended long before."""
    ordered = rounds.sort_values()
    share = games[ordered.index].cumsum() / games.sum()
    most = int(ordered[share >= 0.995].iloc[0])
    last = int(rounds.max())
    return last if last <= 1.5 * most else most + 2


def plot_predictability(frame: pd.DataFrame, ax: Any) -> None:
    """Draw `game.predictability` by round: how often one seat leads alone, and how often that seat wins in the end."""
    shown = frame[~frame["small_sample"]]
    rounds, ends = shown["round"], ("leader_win_rate_low", "leader_win_rate_high")
    shown = shown.assign(**{name: shown[name].where(shown["leading"] >= SMALL_SAMPLE) for name in ("leader_win_rate", *ends)})
    ax.plot(rounds, 100 * shown["leader_win_rate"], "-", color=BLUE, linewidth=1.8, label="who leads alone wins in the end")
    ax.fill_between(rounds, *(100 * shown[end] for end in ends), color=BLUE, alpha=0.2, linewidth=0)
    ax.plot(rounds, 100 * shown["leading_rate"], "--", color=ORANGE, linewidth=1.5, label="one seat leads alone")
    ax.plot(rounds, 100 * shown["fair_share"], ":", color=MUTED, linewidth=1.3, label="fair share")
    ax.set_ylim(0, 100)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.grid(axis="y", linewidth=0.5, alpha=0.4)
    ax.set_axisbelow(True)
    ax.set_xlabel("at the end of round")
    ax.set_ylabel("share of games, %")
    _legend_above(ax, columns=2)


def plot_calibration(frame: pd.DataFrame, ax: Any) -> None:
    """Draw `learning.fit.calibration`: how often seats with a predicted chance won, a line for each stretch of rounds."""
    colours = (BLUE, ORANGE, GREEN, PINK, MUTED)
    ax.plot([0, 100], [0, 100], ":", color=MUTED, linewidth=1.3, label="as said")
    for k, (rounds, shown) in enumerate(frame[frame["n"] >= SMALL_SAMPLE].groupby("rounds", sort=False)):
        style = "-" if k < len(colours) else "--"
        line = {"color": colours[k % len(colours)], "linewidth": 1.5, "markersize": 4}
        ax.plot(100 * shown["said"], 100 * shown["won"], style, marker="o", label=f"rounds {rounds}", **line)
    ax.set_xlim(0, 100)
    ax.set_ylim(0, 100)
    ax.set_xlabel("chance given, %")
    ax.set_ylabel("won, %")
    ax.legend(fontsize="small")


def plot_agenda_timing(frame: pd.DataFrame, ax: Any) -> None:
    """Draw when agendas are claimed: median (dot), quartiles (thick) and 5% and 95% quantiles (thin) of the claims, in rounds.

    Columns: agenda, p5, p25, median, p75, p95, as `counts.claim_rounds` returns them.
    """
    shown = frame[frame["claims"] > 0].sort_values(["median", "p95", "agenda"])
    y = np.arange(len(shown))[::-1]
    ax.hlines(y, shown["p5"], shown["p95"], color=BLUE, linewidth=1.3, label="5% to 95% quantile")
    ax.hlines(y, shown["p25"], shown["p75"], color=BLUE, linewidth=5, label="quartiles")
    ax.plot(shown["median"], y, "o", color=BLUE, markerfacecolor=PAPER, markersize=6, label="median")
    ax.set_yticks(y, shown["agenda"])
    ax.set_ylim(-0.6, len(shown) - 0.4)
    ax.set_xlim(left=0)
    ax.grid(axis="x", linewidth=0.5, alpha=0.4)
    ax.set_axisbelow(True)
    ax.set_xlabel("round of the claim")
    _legend_above(ax)


# --- The board


def plot_settling(frame: pd.DataFrame, ax: Any, value: str = "winner_rate") -> None:
    """Draw a column of `claims.settling` on the spaces around the capital, the middle of the map to the right.

    `value` is 'winner_rate' or 'other_rate' (how many of these seats had a city there, %) or 'difference' (percentage
    points; spaces that differ significantly have a frame).
    """
    # Spaces that few maps have near the capital show chance only and are left blank.
    frame = frame.assign(**frame[["winner_rate", "other_rate", "difference"]].where(~frame["small_sample"]))
    numbers = 100 * frame[value].to_numpy()
    difference = value == "difference"
    if difference:
        reach = max(float(np.nanmax(np.abs(numbers), initial=0)), 1.0)
        cmap, low, high = "PuOr", -reach, reach
        label = "winners minus others, percentage points"
    else:
        most = 100 * float(np.nanmax(frame[["winner_rate", "other_rate"]].to_numpy(), initial=0))
        cmap, low, high = "cividis", 0.0, max(most, 1.0)
        label = f"{'winners' if value == 'winner_rate' else 'others'} with a city there, %"
    significant = differs(frame).to_numpy() if difference else np.full(len(frame), False)
    cells = hexagons(ax, frame["q"], frame["r"], numbers, significant, cmap, low, high)
    reach = max(map(abs, (*ax.get_xlim(), *ax.get_ylim())))  # the capital in the middle
    ax.set_xlim(-reach, reach)
    ax.set_ylim(reach, -reach)
    ax.plot(0, 0, "*", color=ORANGE, markersize=11, markeredgecolor=ON_DARK, markeredgewidth=0.6)
    ax.text(0.5, -0.02, "★ capital; middle of the map →", transform=ax.transAxes, ha="center", va="top")
    colour_bar(ax, cells, label)


def centres(q: Any, r: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the centres of hexagons at axial coordinates, y downwards as on the board."""
    q, r = np.asarray(q, float), np.asarray(r, float)
    return q + r / 2, r * sqrt(3) / 2


def hexagons(ax: Any, q: Any, r: Any, values: Any, framed: Any, cmap: str, low: float, high: float) -> Any:
    """Draw hexagons at axial coordinates, y downwards as on the board, coloured by values; `framed` says which have a frame."""
    from matplotlib.collections import PolyCollection

    x, y = centres(q, r)
    corner = HEX_RADIUS * np.array([(cos(pi / 3 * k - pi / 6), sin(pi / 3 * k - pi / 6)) for k in range(6)])
    shapes = np.stack([x, y], axis=1)[:, None, :] + corner[None, :, :]
    # Framed ones last, so that no neighbour covers their frames.
    order = np.argsort(framed, kind="stable")
    cells = PolyCollection(
        list(shapes[order]),
        array=np.ma.masked_invalid(np.asarray(values, float)[order]),
        cmap=cmap,
        edgecolors=np.where(framed[order], ON_LIGHT, MUTED).tolist(),
        linewidths=np.where(framed[order], 2.0, 0.3).tolist(),
    )
    cells.set_clim(low, high)
    ax.add_collection(cells)
    ax.set_xlim(x.min(initial=0) - 0.8, x.max(initial=0) + 0.8)
    ax.set_ylim(y.max(initial=0) + 0.8, y.min(initial=0) - 0.8)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return cells


def colour_bar(ax: Any, image: Any, label: str) -> None:
    bar = ax.figure.colorbar(image, ax=ax, label=label, shrink=0.8, pad=0.02)
    bar.outline.set_visible(False)
