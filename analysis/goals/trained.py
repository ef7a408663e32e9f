"""Players who have adapted to the point that is advised: which verdicts stand when they play?

The learned player goes on learning under the changed rules (analysis/learning/adapt.py), a network for each number of players.
It plays the fresh games of every wish, before and after. A verdict stands if both give the same one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd

from ...simulator.errors import UserError
from ...strategies import registry
from ..learning import adapt
from ..learning.adapt import Budget
from .seek import Sought, played_by
from .wishes import OPEN

USUAL = "quick"  # who learns if none of the ways that were asked for can
STANDS, CHANGED, UNSURE = "stands", "changed by adapting", "undecided"


def learner(sought: Sought) -> registry.Strategy:
    """Return the player that learns: the first of the ways of the goals that can, or the usual one."""
    ways = [registry.find(way) for way in (*sought.goals.ways, *sought.goals.others, USUAL)]
    found = next((one for one in ways if adapt.learned(one) is not None), None)
    if found is None:
        raise UserError(
            f"--adapt: none of {', '.join(sought.goals.ways)} can learn; expected one of {', '.join(adapt.learners())}"
        )
    return found


def adapted(sought: Sought, budget: Budget, folder: Path, n: int, say: Callable[[str], None]) -> pd.DataFrame:
    """Return a row a wish: its verdict by the player as it is, and by the player trained under the advised point.

    Columns of `of_wishes` for the adapted player, `before_value`, `before_low`, `before_high`, `before_verdict`, `stands`.
    """
    point = sought.answer.points[sought.answer.advised]
    ruleset = sought.space.ruleset_of(point)
    assert ruleset is not None
    one, course = learner(sought), sought.course
    (known,) = adapt.learned_by([one])
    parts, games = [], None
    for players in sought.goals.players:
        lessons = adapt.course_of(
            ruleset, known, budget, folder, players=players, seed=course.seed, jobs=course.tables.jobs, games=games
        )  # fmt: skip
        games = lessons.settings.games
        adapt.train(lessons, partial(_told, say, players))
        adapt.adapted(one, {known: lessons})  # writes the file by which the trained player is named
        trained = str(lessons.folder / f"{adapt.NAME}_{Path(one.name).stem}.yaml")
        wishes = tuple(wish for wish in sought.goals.wishes if wish.players == players)
        goals = replace(sought.goals, wishes=wishes)
        with course.tables.open():
            rows = [played_by(course, goals, [point], [way], n) for way in (one.name, trained)]
        before = rows[0][["value", "low", "high", "verdict"]].add_prefix("before_")
        parts.append(pd.concat([rows[1].drop(columns="point").assign(way=f"{one.name}, trained"), before], axis=1))
    whole = pd.concat(parts, ignore_index=True)
    return whole.assign(stands=[stands(*pair) for pair in zip(whole["before_verdict"], whole["verdict"], strict=True)])


def stands(before: str, after: str) -> str:
    """Say whether a verdict stands when players have adapted."""
    if before == after:
        return STANDS if before != OPEN else UNSURE
    return UNSURE if OPEN in (before, after) else CHANGED


def _told(say: Callable[[str], None], players: int, text: str) -> None:
    say(f"{players} players: {text}")
