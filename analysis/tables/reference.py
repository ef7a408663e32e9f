"""The reference results that come with the package, and what they say of the players."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from ...simulator import names
from ...strategies.registry import DEFAULT, STRATEGIES, STYLES
from ..stats.rates import POINTS

# --- What the reference results in the repository say, where they are at hand (`results/reference`)

FOLDER = Path("results") / "reference"


def _file(box: str, *parts: str) -> Path | None:
    """Return a file of a box's reference results; None where the program was installed without them."""
    apart = () if box == names.BOXES[0] else (box,)
    found = (parent.joinpath(FOLDER, *apart, *parts) for parent in Path(__file__).resolve().parents)
    return next((path for path in found if path.is_file()), None)


def leader_rates(players: int, box: str = names.BOXES[0]) -> dict[str, float]:
    """Return the win rate of each leader in the reference games of so many players; nothing if it is not known."""
    path = _file(box, f"{players}p", "leaders.csv")
    if path is None:
        return {}
    with path.open(encoding="utf-8") as file:
        return {row["leader"]: float(row["win_rate"]) for row in csv.DictReader(file)}


def readings(box: str) -> list[dict[str, str]]:
    """Return how much readings of the rules that speak of a leader change its win rate in a box (`newdawn rules disputes
    --games 2000 --only … --format csv`); nothing if it is not known."""
    path = _file(box, "readings.csv")
    if path is None:
        return []
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


GOOD_PLAYERS = "good-players.csv"
BAND = {"good_players": "mean", "good_players_low": "prediction_low", "good_players_high": "prediction_high"}


def with_good_players(frame: pd.DataFrame, run: Any, name: str, figure: str) -> pd.DataFrame:
    """Return the table of a run with each row's figure on average over good players, and the range in which that of another one
    would lie (95%). A figure's name is `figure` and what stands in the column `name`.

    Columns: good_players, good_players_low, good_players_high; none where the reference results are of other rules.
    """
    path = _file(run.box, f"{run.players}p", GOOD_PLAYERS)
    if path is None:
        return frame
    known = pd.read_csv(path, index_col="figure")
    if (known["rules"] != run.manifest.get("ruleset", {}).get("digest")).any():
        return frame
    rows = known.reindex(figure + frame[name].astype(str))
    return frame.assign(**{column: rows[source].to_numpy() for column, source in BAND.items()})


def reference_ladder(box: str, players: int) -> dict[str, Any] | None:
    """Return the ladder of strategies in a box: ratings, and the agendas by which each wins; None if there is none of games
    of so many players: with two or three, other strategies are strong.
    """
    path = _file(box, "ladder.json")
    found = None if path is None else _ladder_in(path)
    return found if found and found["provenance"]["players"] == players else None


@cache
def _ladder_in(path: Path) -> dict[str, Any]:
    """Return the ladder that a file holds: every first screen asks several times, and nothing changes it."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


# --- Who sits at the tables, in plain words
#
# What a strategy does, how strong it is, and which one plays better.
#
# Strength is that of the reference ladder (`results/reference`). What it says of a better player is where to look: only games
# of that player tell whether the answer changes (`newdawn ways`).

Row = Mapping[str, Any]
MOST = 3  # strategies that are described
DEEPER = ("thinker", "master")  # not in the ladder, for they are slow: they look further ahead than the ladder's best
AS_STRONG = (DEFAULT, "adept")  # as the ladder's best
SOME, MANY = 300, 2_000  # games of a slow player, and of another
WAYS = (DEFAULT, *STYLES)


def described(strategies: Sequence[str], box: str, seats: int) -> list[str]:
    """Return for each strategy (at most MOST of them) what it does, and how often it wins in the ladder, in sentences."""
    known = {one.name: one.description for one in STRATEGIES}
    rates = _ladder(box, seats)
    texts = []
    for name in strategies[:MOST]:
        does = known.get(name, "a strategy of your own").removesuffix(" (default)").partition(";")[0]
        row = rates.get(name)
        won = "" if row is None else f" It wins {_rate(row)} of its games against the other programs (n = {row['n']:,})."
        texts.append(f"`{name}`: {does}.{won}")
    if len(strategies) > MOST:
        texts.append(f"Also played: {', '.join(strategies[MOST:])}.")
    return texts


def better(strategies: Sequence[str], box: str, seats: int) -> list[str]:
    """Return the strategies that play better than all of these: of the ladder, or, above its best, those that look deeper."""
    if any(name in DEEPER for name in strategies):
        return list(DEEPER[max(DEEPER.index(name) for name in strategies if name in DEEPER) + 1 :])
    if any(name in AS_STRONG for name in strategies):
        return list(DEEPER)
    rates = _ladder(box, seats)
    own = [rates[name]["win_rate_high"] for name in strategies if name in rates]
    return [name for name, row in rates.items() if own and row["win_rate_low"] > max(own)] or [DEFAULT]


def neglected(name: str, box: str, seats: int) -> str:
    """Say which agenda a strategy's wins are shown to lack most against another's, in the reference ladder; '' if none is."""
    ladder = reference_ladder(box, seats)
    found = None if ladder is None else most_neglected(ladder["agendas"], name)
    if found is None:
        return ""
    mine, other = found
    return (
        f"In the reference ladder {name} wins by {mine['agenda']} in {_rate(mine, 'share')} of its wins with the card in play "
        f"(n = {mine['n']:,}). With {other['strategy']} it is {_rate(other, 'share')} (n = {other['n']:,})."
    )


def most_neglected(rows: Sequence[Row], name: str) -> tuple[Row, Row] | None:
    """Return the agenda that a strategy's wins are shown to lack most, against another strategy's: its row, and the other's."""
    known = [row for row in rows if not row["small_sample"]]
    own = {row["agenda"]: row for row in known if row["strategy"] == name}
    pairs = [(own[row["agenda"]], row) for row in known if row["strategy"] != name and row["agenda"] in own]
    apart = [(own, other) for own, other in pairs if other["share_low"] > own["share_high"] + POINTS / 100]
    return max(apart, key=lambda pair: pair[1]["share"] - pair[0]["share"], default=None)


def about_better(strategies: Sequence[str], box: str, seats: int) -> str:
    """Say who plays better, and what that means for what is found."""
    found = better(strategies, box, seats)
    if not found:
        return "No strategy here plays better; people may."
    return f"`{found[0]}` plays better. A leader whose strength these players do not use looks weaker than it is."


def ways(strategies: Sequence[str], box: str, seats: int) -> list[str]:
    """Return strategies that put a finding to the test: those that played, the better ones, and others."""
    names = [*strategies[:2], *better(strategies, box, seats)[:1], *WAYS]
    return list(dict.fromkeys(names))[:3]


def games_of(names: Sequence[str]) -> list[int]:
    """Return how many games of each strategy to ask for: few of the slow ones."""
    return [SOME if name in DEEPER else MANY for name in names]


def _ladder(box: str, seats: int) -> dict[str, Mapping[str, Any]]:
    ladder = reference_ladder(box, seats)
    return {} if ladder is None else {row["strategy"]: row for row in ladder["ratings"]}


def _rate(row: Mapping[str, Any], name: str = "win_rate") -> str:
    value, low, high = (100 * row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return f"{value:.1f}% [{low:.1f}, {high:.1f}]"
