"""The first screen of a report: what a designer would act on, the largest first, and who wins in whose hands."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ..statistics.rates import wilson
from ..summaries.claims import BETWEEN
from ..tables import reference
from ..tables.render import about
from ..trials.relevance import BALANCED, OUTSIDE, UNDECIDED, UNTESTED, shown
from .findings import open_readings, unlike_players
from .part import Finding, Source, evidence, listed, points, rate

SENTENCES = 5
EXAMPLES = 3
MANY_UNFINISHED = 0.01  # share of the games
OPEN_READINGS = 2
ALL = ("", "_all_low", "_all_high")


@dataclass(frozen=True)
class First:
    """The first screen: verdicts with the names they concern, a chart (its key), sentences, and a table of texts.

    The table of a run has the leaders' rates under each way of playing.
    """

    findings: list[Finding]
    headings: list[str]
    rows: list[list[str]]
    note: str = ""
    verdicts: list[Verdict] = field(default_factory=list)
    chart: str = ""


@dataclass(frozen=True)
class Verdict:
    """A verdict and whom it concerns; `tone` is how it looks: up, down, even or open."""

    words: str
    names: list[str]
    tone: str


def first(frames: Mapping[str, pd.DataFrame], source: Source) -> First:
    """Return the first screen of a run; `frames` are the tables of the report's parts by key."""
    found = [
        *_leaders(frames.get("leaders"), source),
        *_outside(frames.get("leaders-with-strategies"), source.margin, DEPENDS, _pair, "interaction"),
        *_outside(frames.get("order"), source.margin, "Moving early or late matters", _place),
        *_outside(frames.get("leaders-by-card"), source.margin, "Leaders hang on the victory cards in play", _card),
        *_outside(frames.get("card-sets"), source.margin_rounds, "The length hangs on the victory cards", _set, ROUNDS),
        *_outside(frames.get("effects"), source.margin, "World wonders decide games", _wonder),
    ]
    cut, hidden = _unfinished(source), [*_readings(frames.get("leaders"), source), *_hidden(source)]
    ranked = [finding for _, finding in sorted(found, key=lambda one: -one[0])][: SENTENCES - len(cut) - len(hidden)]
    return First([*cut, *ranked, *hidden], *_table(frames, source), _verdicts(frames.get("leaders")), "leaders")


def _unfinished(source: Source) -> list[Finding]:
    """Say first how many games nobody won, if they are more than a few: all that follows is about the others."""
    unfinished = source.games - round(source.decided * source.games)
    if unfinished <= MANY_UNFINISHED * source.games:
        return []
    low, high = wilson(unfinished, source.games)
    text = (
        f"Nobody won {rate(unfinished / source.games, float(low), float(high))} of the games (n = {source.games:,}): they were "
        "stopped at the round cap. Win rates are those of the other games."
    )
    return [Finding(text, "limit")]


def _verdicts(frame: pd.DataFrame | None) -> list[Verdict]:
    """Return which leaders are too strong, too weak, balanced, and not told yet."""
    if frame is None:
        return []
    outside, above = frame["verdict"] == OUTSIDE, frame["points"] > 0
    groups = (
        ("too strong", outside & above, "up"), ("too weak", outside & ~above, "down"),
        (BALANCED, frame["verdict"] == BALANCED, "even"), (UNDECIDED, frame["verdict"] == UNDECIDED, "open"),
        (UNTESTED, frame["verdict"] == UNTESTED, "open"),
    )  # fmt: skip
    return [Verdict(words, [str(x) for x in frame.loc[rows, "leader"]], tone) for words, rows, tone in groups if rows.any()]


ROUNDS = "rounds_difference"
DEPENDS = "Leaders' strength depends on who plays them"
Sized = tuple[float, Finding]  # the size of what is found, in margins
Row = Mapping[Any, Any]


def _points(row: Row, name: str = "points") -> str:
    return f"{points(*(row[f'{name}{end}'] for end in ALL))} {'rounds' if name == ROUNDS else 'points'}"


def _largest(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows that are shown to lie outside the margin, the largest first."""
    return frame[frame["verdict"] == OUTSIDE].sort_values(name, key=abs, ascending=False, kind="stable")


def _outside(
    frame: pd.DataFrame | None, margin: float, answer: str, example: Callable[[Row], str], name: str = "points"
) -> list[Sized]:
    """Return one sentence on the rows outside the margin, if there are any."""
    found = pd.DataFrame() if frame is None else _largest(frame, name)
    if frame is None or found.empty:
        return []
    unit = "round" if name == ROUNDS else "point"
    texts = "; ".join(f"{example(row)} {_points(row, name)}" for row in found.head(EXAMPLES).to_dict("records"))
    many = f"{len(found)} of {len(frame)} by more than ±{counted_margin(margin, unit)}"
    text = f"{answer} ({many}): {texts}{' and more' if len(found) > EXAMPLES else ''}."
    return [(float(found[name].abs().max()) / margin, Finding(text, evidence(found["p_adjusted"].min())))]


def counted_margin(margin: float, unit: str) -> str:
    """Return '2 points'."""
    return f"{margin:g} {unit}{'' if margin == 1 else 's'}"


def _pair(row: Row) -> str:
    return f"{row['leader']} with {row['strategy']} (n = {row['decided']:,.0f})"


def _place(row: Row) -> str:
    return f"place {row['order']} (n = {row['n']:,})"


def _card(row: Row) -> str:
    return f"{row['leader']} with {row['card']} (n = {row['n_with']:,} and {row['n_without']:,})"


def _set(row: Row) -> str:
    return f"{listed(row['cards'].split(BETWEEN))} (n = {row['n']:,})"


def _wonder(row: Row) -> str:
    return f"{row['wonder']} (n = {row['n']:,})"


def _leaders(frame: pd.DataFrame | None, source: Source) -> list[Sized]:
    """Say which leaders are too strong and too weak; if none is shown to be, what is known of them."""
    if frame is None:
        return []
    if source.players_of:
        return [(math.inf, unlike_players(source))]
    outside, found = _largest(frame, "points"), []
    for word, part in (("strong", outside[outside["points"] > 0]), ("weak", outside[outside["points"] < 0])):
        if len(part):
            texts = "; ".join(f"{row['leader']} {_leader(row)}" for row in part.to_dict("records"))
            margin = counted_margin(source.margin, "point")
            text = f"Too {word}, by more than {margin} from the fair share of {rate(part['fair_share'].iloc[0])}: {texts}."
            size = float(part["points"].abs().max()) / source.margin
            found.append((size, Finding(text, evidence(part["p_adjusted"].min()))))
    return found or [(0.0, _within(frame, source))]


def _leader(row: Row) -> str:
    won = rate(*(row[f"adjusted_rate{end}"] for end in ALL))
    return f"wins {won}, {points(row['points'])} points (n = {row['decided']:,.0f})"


def _within(frame: pd.DataFrame, source: Source) -> Finding:
    """Say that no leader is shown to lie outside the margin, and what is known."""
    names: dict[str, list[str]] = {}
    for row in frame.to_dict("records"):
        names.setdefault(str(row["verdict"]), []).append(str(row["leader"]))
    margin = f"±{counted_margin(source.margin, 'point')}"
    if len(names.get(BALANCED, ())) == len(frame):
        widest = f"{points(frame['points_all_low'].min())} to {points(frame['points_all_high'].max())}"
        return Finding(f"All {len(frame)} leaders are balanced within {margin} of the fair share ({widest}).", "shown")
    said = [f"{verdict}: {listed(some)}" for verdict, some in names.items()]
    games = frame["games_to_decide"].max()
    more = f" {about(games)[0].upper()}{about(games)[1:]} in all would decide." if names.get(UNDECIDED) else ""
    return Finding(f"No leader is shown to be off the fair share by more than {margin}; {'; '.join(said)}.{more}", "open")


def _readings(frame: pd.DataFrame | None, source: Source) -> list[Finding]:
    """Name the open readings of the rules that what is said of leaders outside the margin rests on."""
    return [] if frame is None else open_readings(source, _largest(frame, "points")["leader"])[:OPEN_READINGS]


# --- What one way of playing hides


def _hidden(source: Source) -> list[Finding]:
    """Say what a run with one strategy cannot show, from the reference ladder."""
    if len(source.strategies) > 1:
        return []
    name, ladder = source.strategies[0], reference.ladder(source.run.box)
    start = f"All seats were played by {name}: leaders whose strength it does not use look weaker than they are."
    ratings = [] if ladder is None else [row for row in ladder["ratings"] if row["strategy"] == name]
    if ladder is None or not ratings:
        return [Finding(f"{start} Other ways of playing are not in this run (option `--strategy-pool`).", "limit")]
    about_ladder = f"in the reference ladder ({ladder['provenance']['games']:,} games of {len(ladder['ratings'])} strategies)"
    text = f"{start} {about_ladder[0].upper()}{about_ladder[1:]} it wins {_interval(ratings[0], 'win_rate')} of its games"
    if neglected := _neglected(ladder["agendas"], name):
        own, other = neglected
        text += (
            f", and {own['agenda']} is in {_interval(own, 'share')} of its wins with the card in play (n = {own['n']:,}), "
            f"but in {_interval(other, 'share')} of those of {other['strategy']} (n = {other['n']:,})"
        )
    return [Finding(f"{text}.", "limit")]


def _interval(row: Row, name: str) -> str:
    return rate(row[name], row[f"{name}_low"], row[f"{name}_high"])


def _neglected(rows: Sequence[Row], name: str) -> tuple[Row, Row] | None:
    """Return the agenda that a strategy's wins lack most, against another strategy's: its row, and the other's."""
    known = [row for row in rows if not row["small_sample"]]
    own = {row["agenda"]: row for row in known if row["strategy"] == name}
    pairs = [(own[row["agenda"]], row) for row in known if row["strategy"] != name and row["agenda"] in own]
    return max(pairs, key=lambda pair: pair[1]["share"] - pair[0]["share"], default=None)


# --- Rates under each way of playing


def _table(frames: Mapping[str, pd.DataFrame], source: Source) -> tuple[list[str], list[list[str]], str]:
    """Return headings, rows and a note: the leaders' rates over all games, and in the hands of each strategy."""
    leaders, hands = frames.get("leaders"), frames.get("leaders-by-strategy")
    if leaders is None:
        return [], [], ""
    margin = counted_margin(source.margin, "point")
    headings = ["leader", "decided games", "win rate at balanced tables [95% all]", f"±{margin}?"]
    rows = [
        [str(row["leader"]), f"{row['decided']:,.0f}", rate(*(row[f"adjusted_rate{end}"] for end in ALL)), shown(row)]
        for row in leaders.to_dict("records")
    ]
    if hands is None:
        return headings, rows, f"All of it in the hands of {source.strategies[0]}." if len(source.strategies) == 1 else ""
    by = {(row["leader"], row["strategy"]): row for row in hands.to_dict("records")}
    for strategy in hands["strategy"].unique():
        mean = hands.loc[hands["strategy"] == strategy]
        headings.append(f"{strategy} (all leaders {rate(mean['wins'].sum() / mean['n'].sum())}) [95%]")
        for row in rows:
            one = by.get((row[0], strategy))
            row.append("–" if one is None else f"{_interval(one, 'win_rate')}, n = {one['n']:,}{_mark(one)}")
    note = "Right: wins as played in the hands of each strategy; ▲ ▼ differ from the other leaders in the same hands."
    return headings, rows, note


def _mark(row: Row) -> str:
    """Return an arrow if the leader differs from the others in the same hands."""
    if row["points_all_low"] > 0 and row["p"] == row["p"]:
        return " ▲"
    return " ▼" if row["points_all_high"] < 0 and row["p"] == row["p"] else ""
