"""What the tables of restricted play say, in words: a sentence a row, and answers to what designers ask.

Every sentence says what its row shows by the interval that holds for the whole table, and no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...strategies.planning import restrictions
from ..statistics.answer import DIFFERENT, HIGHER, LOWER, read, verdict_of
from ..statistics.inference import ALL

WAR, WONDERS, SKILL = "Is war necessary?", "Can one win without world wonders?", "How much is skill, how much is luck?"
QUESTIONS = {"attacks": WAR, "world wonders": WONDERS, "looking ahead": SKILL}
# What is said to a question about a piece of the game: more than half of the chance to win depends on it, less, or either.
MOST, SOME, EITHER, GAIN, OPEN = "most", "some", "either", "gain", "open"
ANSWERS = {
    WAR: {
        MOST: "For these players, yes", SOME: "It helps, for less than half of the wins",
        EITHER: "It helps; whether by half is undecided", GAIN: "No", OPEN: "Undecided",
    },
    WONDERS: {
        MOST: "Hardly", SOME: "Yes, but less often", EITHER: "Less often; whether half as often is undecided",
        GAIN: "Yes, even more often", OPEN: "No detectable difference",
    },
}  # fmt: skip
LEFT = "What a player wins without looking ahead is luck and plain good play; these rows cannot separate the two"

CONTROL = (
    "Trained as long without a restriction, it wins {after:.1%} of its games instead of {before:.1%}. Losses after training "
    "are measured against that."
)
CHANCE = (
    "The intervals cover the chance of the games, not that of the trainings: there is one training each, and another seed "
    "trains another player."
)


def points(row: Any, name: str) -> str:
    """Return a difference in percentage points with the interval that holds for the whole table."""
    value, low, high = (row[f"{name}{end}"] for end in ALL)
    return f"{value:+.1f} points [{low:+.1f}, {high:+.1f}]"


def size(row: Any, name: str) -> str:
    """Return how large a difference is, whichever way, with its interval."""
    low, high = row[f"{name}_all_low"], row[f"{name}_all_high"]
    low, high = (-high, -low) if row[name] < 0 else (low, high)
    return f"{abs(row[name]):.1f} points [{low:.1f}, {high:.1f}]"


def whom(row: Any, players: int) -> str:
    """Return whom a row is about."""
    return f"Of {players} players, one who {restrictions.meaning(row['restriction'])}"


def sentence(row: Any, players: int) -> str:
    """Return what a row of `restricted.table` says."""
    words = whom(row, players)
    if verdict_of(row["verdict"]) not in DIFFERENT:
        return f"{words} does not win detectably more or less often: {points(row, 'points')}."
    return f"{words} {'loses' if row['points'] < 0 else 'gains'} {size(row, 'points')} of its chance to win."


def beside(row: Any, players: int, a: str, b: str) -> str:
    """Return what a row of `restricted.side_by_side` says of rulesets A and B."""
    start = (
        f"{whom(row, players)}: {row['a_points']:+.1f} points of its chance to win under {a}, {row['b_points']:+.1f} under {b}."
    )
    if verdict_of(row["verdict"]) not in DIFFERENT:
        return f"{start} The difference is not detectable: {points(row, 'change')}."
    return f"{start} Under {b} doing without costs {size(row, 'change')} {'less' if row['change'] > 0 else 'more'}."


def trained(row: Any, players: int) -> str:
    """Return what a row of `restricted.side_by_side` says of players as they are (A), and trained to do without (B)."""
    before, after = (f"{row[name]:+.1f}" for name in ("a_points", "b_points"))
    start = f"{whom(row, players)}: {before} points of its chance to win, {after} once trained for that."
    if verdict_of(row["verdict"]) not in DIFFERENT:
        return f"{start} Training makes no detectable difference: {points(row, 'change')}."
    verb = "makes up for" if row["change"] > 0 else "adds"
    return f"{start} Training {verb} {size(row, 'change')}."


def weight(row: Any) -> str:
    """Return how much depends on what a row's player does without: a key of ANSWERS."""
    if verdict_of(row["verdict"]) not in DIFFERENT:
        return OPEN
    if row["points"] > 0:
        return GAIN
    against_half = read(row["points_all_low"], row["points_all_high"], 0.0, -50 * row["share"])
    return MOST if against_half in LOWER else SOME if against_half in HIGHER else EITHER


def answer(row: Any) -> tuple[str, str] | None:
    """Return the question that a row of `restricted.table` answers, and the answer; None if it answers none."""
    question = QUESTIONS.get(row["restriction"])
    if question is None:
        return None
    return question, (skill(row) if question == SKILL else f"{ANSWERS[question][weight(row)]}: {wins(row)}.")


def skill(row: Any) -> str:
    """Return what the row of one who looks no turn ahead says about skill."""
    if verdict_of(row["verdict"]) not in DIFFERENT:
        return f"Looking ahead makes no detectable difference: {wins(row)}."
    if row["points"] > 0:
        return f"Looking ahead is no help to these players: {wins(row)}."
    return f"Looking ahead is worth {size(row, 'points')}: {wins(row)}. {LEFT}."


def wins(row: Mapping[Any, Any]) -> str:
    """Return what the row's player wins, and how that compares."""
    whose = f"one who {restrictions.meaning(row['restriction'])} wins {row['restricted']:.1%} of its games"
    return f"{whose}, others {row['share']:.1%}: {points(row, 'points')} (n = {row['n']:,} pairs)"
