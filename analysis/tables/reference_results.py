"""The reference results that come with the package, and how they describe players."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from ...simulator import names, reading
from ...strategies.registry import DEFAULT, STRATEGIES, STYLES
from ..stats.rates import POINTS
from ..stats.verdicts import lies_above
from .kept_answers import RATINGS

# --- The reference results (`results/reference`), which an installed program may lack

FOLDER = Path("results") / "reference"
WHAT, AGAIN = "reference results of newdawn", "it came with the program: install that again"


def _file(box: str, *parts: str) -> Path | None:
    """Return a file of a box's reference results; None where the program was installed without them."""
    apart = () if box == names.BOXES[0] else (box,)
    paths = (parent.joinpath(FOLDER, *apart, *parts) for parent in Path(__file__).resolve().parents)
    return next((path for path in paths if path.is_file()), None)


def leader_rates(players: int, box: str = names.BOXES[0]) -> dict[str, float]:
    """Return the win rate of each leader in the reference games of this many players; {} without these results."""
    path = _file(box, f"{players}p", "leaders.csv")
    if path is None:
        return {}
    with reading.plainly(path, WHAT, again=AGAIN):
        return {row["leader"]: float(row["win_rate"]) for row in _rows(path)}


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(reading.content_of(path).decode().splitlines(), strict=True))


def played_by(players: int, box: str = names.BOXES[0]) -> list[str]:
    """Return who played the reference games of this many players; [] without these results."""
    path = _file(box, f"{players}p", "manifest.json")
    if path is None:
        return []
    manifest = reading.json_in(path, WHAT, AGAIN)
    with reading.plainly(path, WHAT, again=AGAIN):
        return list(manifest["plan"]["strategies"])


def readings(box: str) -> list[dict[str, str]]:
    """Return the changes of leaders' win rates by readings of the rules in a box; [] without these results.

    Made by `newdawn rules disputes --games 2000 --only … --format csv`.
    """
    path = _file(box, "readings.csv")
    if path is None:
        return []
    with reading.plainly(path, WHAT, again=AGAIN):
        return _rows(path)


GOOD_PLAYERS = "good-players.csv"
BAND = {"good_players": "mean", "good_players_low": "prediction_low", "good_players_high": "prediction_high"}


def with_good_players(frame: pd.DataFrame, run: Any, name: str, figure: str) -> pd.DataFrame:
    """Return the table of a run with each row's mean over good players, and the 95% prediction for another one.

    The name of a row's figure is `figure` and the content of the column `name`. Columns: good_players, good_players_low,
    good_players_high; none where the reference results are of other rules.
    """
    reference = good_players(run.box, run.players, run.manifest.get("ruleset", {}).get("digest"))
    if reference is None:
        return frame
    rows = reference.reindex(figure + frame[name].astype(str))
    return frame.assign(**{column: rows[column].to_numpy() for column in BAND})


def good_players(box: str, players: int, rules: Any) -> pd.DataFrame | None:
    """Return, by figure, its mean over good players and the prediction (the columns of `with_good_players`); None without them.

    `rules`: the digest of the rules that these are to be of.
    """
    path = _file(box, f"{players}p", GOOD_PLAYERS)
    if path is None:
        return None
    reference = reading.csv_in(path, WHAT, AGAIN)
    with reading.plainly(path, WHAT, again=AGAIN):
        if (reference["rules"] != rules).any():
            return None
        figures = reference.set_index("figure")[list(BAND.values())].astype(float).set_axis(list(BAND), axis=1)
        mean, low, high = (figures[column] for column in BAND)
        if not (figures.index.is_unique and ((low <= mean) & (mean <= high)).all()):
            raise ValueError("expected each figure once, its mean within its interval")
        return figures


def reference_ladder(box: str, players: int) -> dict[str, Any] | None:
    """Return the ladder of strategies in a box, ratings and agendas used; None without one for this many players."""
    path = _file(box, "ladder.json")
    if path is None:
        return None
    ladder = _ladder_in(path)
    with reading.plainly(path, WHAT, again=AGAIN):
        return ladder if ladder["provenance"]["players"] == players else None


@cache
def _ladder_in(path: Path) -> dict[str, Any]:
    """Return the ladder that a file holds: every first screen asks several times, and nothing changes it."""
    ladder: dict[str, Any] = reading.json_in(path, WHAT, AGAIN)
    return ladder


# --- Who sits at the tables: what a strategy does, how strong it is, and which one plays better
#
# Strength is that of the reference ladder (`results/reference`). A better player in it is a hint only: whether the answer
# changes, games of that player say (`newdawn ways`).

Row = Mapping[str, Any]
MOST = 3  # strategies described
DEEPER = ("thinker", "master")  # slow, so not in the ladder: they look further ahead than its best
AS_STRONG = (DEFAULT, "adept")  # as strong as the ladder's best
SOME, MANY = 300, 2_000  # games of a slow player, and of any other
WAYS = (DEFAULT, *STYLES)


def described(strategies: Sequence[str], box: str, seats: int) -> list[str]:
    """Return sentences on what each strategy (at most MOST) does, and how often it wins in the ladder."""
    descriptions = {strategy.name: strategy.description for strategy in STRATEGIES}
    rates = _ladder(box, seats)
    texts = []
    for name in strategies[:MOST]:
        does = descriptions.get(name, "a strategy of your own").removesuffix(" (default)").partition(";")[0]
        row = rates.get(name)
        won = "" if row is None else f" It wins {_rate(row)} of its games against the other programs (n = {row['n']:,})."
        texts.append(f"`{name}`: {does}.{won}")
    if len(strategies) > MOST:
        texts.append(f"Also played: {', '.join(strategies[MOST:])}.")
    return texts


def better(strategies: Sequence[str], box: str, seats: int) -> list[str]:
    """Return the strategies better than all of these: from the ladder, or, above its best, those that look deeper."""
    if any(name in DEEPER for name in strategies):
        return list(DEEPER[max(DEEPER.index(name) for name in strategies if name in DEEPER) + 1 :])
    if any(name in AS_STRONG for name in strategies):
        return list(DEEPER)
    rates = _ladder(box, seats)
    own = [rates[name]["win_rate_high"] for name in strategies if name in rates]
    return [name for name, row in rates.items() if own and lies_above(row, "win_rate", max(own))] or [DEFAULT]


def neglected(name: str, box: str, seats: int) -> str:
    """Return a sentence on the agenda a strategy's wins lack most against another's, in the reference ladder; else ''."""
    ladder = reference_ladder(box, seats)
    pair = None if ladder is None else most_neglected(ladder["agendas"], name)
    if pair is None:
        return ""
    own, other = pair
    return (
        f"In the reference ladder {name} wins by {own['agenda']} in {_rate(own, 'share')} of its wins with the card in play "
        f"(n = {own['n']:,}). With {other['strategy']} it is {_rate(other, 'share')} (n = {other['n']:,})."
    )


def most_neglected(rows: Sequence[Row], name: str) -> tuple[Row, Row] | None:
    """Return the agenda a strategy's wins are shown to lack most, as its row and the other strategy's; None without one."""
    large = [row for row in rows if not row["small_sample"]]
    own = {row["agenda"]: row for row in large if row["strategy"] == name}
    pairs = [(own[row["agenda"]], row) for row in large if row["strategy"] != name and row["agenda"] in own]
    apart = [(own, other) for own, other in pairs if lies_above(other, "share", own["share_high"] + POINTS / 100)]
    return max(apart, key=lambda pair: pair[1]["share"] - pair[0]["share"], default=None)


def about_better(strategies: Sequence[str], box: str, seats: int) -> str:
    """Return a sentence on who plays better, and what that means for the findings."""
    players = better(strategies, box, seats)
    if not players:
        return "No strategy here plays better; people may."
    return f"`{players[0]}` plays better. A leader whose strength these players do not use looks weaker than it is."


def ways(strategies: Sequence[str], box: str, seats: int) -> list[str]:
    """Return strategies that put a finding to the test: those that played, a better one, and others."""
    names = [*strategies[:2], *better(strategies, box, seats)[:1], *WAYS]
    return list(dict.fromkeys(names))[:3]


def games_of(names: Sequence[str]) -> list[int]:
    """Return the number of games for each strategy: few for slow ones."""
    return [SOME if name in DEEPER else MANY for name in names]


def _ladder(box: str, seats: int) -> dict[str, Mapping[str, Any]]:
    ladder = reference_ladder(box, seats)
    return {} if ladder is None else {row["strategy"]: row for row in ladder[RATINGS]}


def _rate(row: Mapping[str, Any], name: str = "win_rate") -> str:
    value, low, high = (100 * row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return f"{value:.1f}% [{low:.1f}, {high:.1f}]"
