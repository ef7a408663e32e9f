"""Places of the map: how often their holders win, and who begins on them (table `places`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.runs.columns import START, TILE
from ..stats.inference import against_share, points_above
from ..stats.rates import (
    SMALL_SAMPLE,
    as_cases,
    clustered_rate_columns,
)
from .associations import Holding, associated
from .decoded_games import WHOLE, CodeNames
from .read import Runs, Selection, added, as_runs, sample_of

# --- Places of the map: win rates of those who hold one at the end, and by where seats began
#
# Runs have the table `places` if played with `newdawn run --places`.

KINDS = {"natural_wonder": "natural wonder", "city_state": "city-state"}
BEGUN, HELD = START.format(""), TILE.format("")
HOLDING = Holding("at_places", lambda words: words.place, compared=lambda name: not name.startswith(BEGUN))


def kinds_of(rules: Mapping[str, Any], places: Sequence[str]) -> dict[str, str]:
    """Return the kind of each place that a seat can hold: natural wonder, city-state, tile, or resource."""
    by_name = dict.fromkeys(names.RESOURCES, "resource") | {
        name: word for kind, word in KINDS.items() for name in names_of(rules, kind)
    }
    return {name: by_name.get(name, "tile") for name in places if name in by_name or name.startswith(HELD)}


def place_wins(runs: Runs) -> pd.DataFrame:
    """Return for each place how often seats won that held it at the end, against comparable seats.

    Columns: place, kind, and those of `associated`: an association, for who is ahead takes more. A seat holds a tile if it has
    more of its spaces than any other, and a resource if it has a space on which that is printed. Places that nobody held are
    left out.
    """
    frame = associated(runs, CodeNames(), HOLDING, "places of winners").rename(columns={"name": "place"})
    kinds = kinds_of(as_runs(runs)[0].manifest["ruleset"]["data"], frame["place"].tolist())
    frame = frame[frame["place"].isin(kinds)]
    frame.insert(1, "kind", [kinds[name] for name in frame["place"]])
    number = frame["place"].str.removeprefix(HELD).where(frame["kind"] == "tile", "0").astype(int)
    return frame.assign(number=number).sort_values(["kind", "number", "place"], ignore_index=True).drop(columns="number")


def start_places(runs: Runs) -> pd.DataFrame:
    """Return how often seats won by the tile on which their capital lies, one row per tile.

    Columns: place ('start on tile 5'), tile, n (seats of decided games), wins, win_rate with its interval, fair_share, points
    (win_rate less the fair share, percentage points) with its intervals, p, p_adjusted, small_sample. Where the map is fixed
    and the start places are dealt, as in the first game's and users' maps, this is the effect of the start place.
    """
    sample = sample_of(runs, ("occupied", "outcome", "won", "decided", "at_places"))
    total = added(_begun(s) for s in sample)
    names = np.array(sample.words.place, object)
    rows = [code for code, name in enumerate(names) if name.startswith(BEGUN) and total["n"][code] > 0]
    n, wins, squares, fair = (total[name][rows] for name in ("n", "wins", "squares", "fair"))
    squares = squares - wins**2 / np.maximum(n, 1)
    frame = pd.DataFrame({"place": names[rows], "tile": [int(name.removeprefix(BEGUN)) for name in names[rows]]})
    frame = frame.assign(n=n.astype(np.int64), wins=wins, **clustered_rate_columns(wins, n, squares, "win_rate"))
    frame["fair_share"] = fair / n
    frame = frame.assign(**against_share("win_rate", *as_cases(wins, n, squares), frame["fair_share"], family="start places"))
    frame = frame.assign(**points_above(frame, "win_rate", frame["fair_share"]))
    return frame.assign(small_sample=n < SMALL_SAMPLE).sort_values("tile", ignore_index=True)


def _begun(s: Selection) -> dict[str, np.ndarray]:
    """Return seats of decided games, wins, squares and fair shares by place; places held are counted along."""
    games, events = s.games, s.games.at_places
    counted = s.counting.ravel()[events.at] & games.decided[events.at // games.players]
    what, share = events.what[counted].astype(np.int64), s.wins[events.at[counted]] / WHOLE
    size = len(games.words.place)
    return {
        "n": np.bincount(what, minlength=size).astype(float), "wins": np.bincount(what, share, size),
        "squares": np.bincount(what, share**2, size), "fair": np.bincount(what, minlength=size) / games.players,
    }  # fmt: skip
