"""What the reference results in the repository say, where they are at hand (`results/reference`)."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from ...simulator import names

FOLDER = Path("results") / "reference"


def _file(*parts: str) -> Path | None:
    """Return a file of the reference results; None where the program was installed without them."""
    found = (parent.joinpath(FOLDER, *parts) for parent in Path(__file__).resolve().parents)
    return next((path for path in found if path.is_file()), None)


def leader_rates(players: int) -> dict[str, float]:
    """Return the win rate of each leader in the reference games of so many players; nothing if it is not known."""
    path = _file(f"{players}p", "leaders.csv")
    if path is None:
        return {}
    with path.open(encoding="utf-8") as file:
        return {row["leader"]: float(row["win_rate"]) for row in csv.DictReader(file)}


def ladder(box: str) -> dict[str, Any] | None:
    """Return the ladder of strategies in a box: ratings, and the agendas by which each wins; None if it is not there."""
    apart = () if box == names.BOXES[0] else (box,)
    path = _file(*apart, "ladder.json")
    return None if path is None else json.loads(path.read_text("utf-8"))
