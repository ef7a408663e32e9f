"""How long a search takes on this machine, and how many games a time allows. Start at `timed`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from ...simulator.compile_cache import same_games, source_digest
from ...simulator.errors import UserError, counted
from ...simulator.kept_files import read, write, writing
from ...simulator.reading import plainly
from ..stats.verdicts import round_up

FILE = "effort.json"
TIMED = 200  # games that are timed
PLAYING = 0.8  # share of the minutes spent on games
E = TypeVar("E")


def timed(play: Callable[[int], object], jobs: int, tables: int = 1) -> float:
    """Return how many games a second `play(n)`, which plays the first n games of each table, plays on this machine."""
    ready = 2 * jobs
    play(ready)  # compiles the players
    began = time.monotonic()
    play(ready + TIMED)
    return tables * TIMED / max(time.monotonic() - began, 1e-3)


def kept_effort(path: Path, kind: type[E], minutes: float) -> E | None:
    """Return the effort kept for this many minutes, None if there is none or it was for another number of them."""
    if not path.is_file():
        return None
    label, again = "the effort of a search", "remove it: the same command times its games again"
    kept = read(path, label, again)
    with plainly(path, label, again=again):
        if not same_games(kept["engine"]):
            raise UserError(f"{path}: holds a search of another version of this program; choose another --out")
        effort = kind(**kept["effort"])
        if any(type(n) is not int or n < 1 for n in asdict(effort).values()):  # type: ignore[call-overload]
            raise ValueError("effort: expected whole numbers of games")
        return effort if kept["minutes"] == minutes else None


def keep_effort(path: Path, effort: Any, minutes: float) -> None:
    """Keep the effort that this many minutes allow, for the same command after a stop."""
    with writing(path.parent, "games"):
        write(path, {"minutes": minutes, "effort": asdict(effort), "engine": source_digest()})


def announced(games: int, seconds: float | None) -> str:
    """Return the first line of a search: how many games it plays, and how long that takes on this machine."""
    about = round_up(games)
    if seconds is None:
        return f"about {counted(about, 'game')} in all"
    minutes = seconds / 60
    long = "less than a minute" if minutes < 1 else f"about {counted(round(minutes), 'minute')}"
    return f"about {counted(about, 'game')}, {long} on this machine (--minutes or --all-games: fewer or more)"
