"""What the reference results in the repository say, where they are at hand (`results/reference`)."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from ...simulator import names

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


def ladder(box: str, players: int) -> dict[str, Any] | None:
    """Return the ladder of strategies in a box: ratings, and the agendas by which each wins; None if there is none of games
    of so many players: with two or three, other strategies are strong.
    """
    path = _file(box, "ladder.json")
    found = None if path is None else json.loads(path.read_text("utf-8"))
    return found if found and found["provenance"]["players"] == players else None
