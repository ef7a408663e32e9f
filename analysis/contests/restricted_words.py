"""What the tables of restricted play say, in words: a sentence a row, and answers to what designers ask.

Every sentence says what its row tells apart by the interval that holds for the whole table, and no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...strategies.planning import restrictions
from ..statistics.inference import SIGNIFICANT

WAR, WONDERS, SKILL = "Is war necessary?", "Can one win without world wonders?", "How much is skill, how much is luck?"
QUESTIONS = {"attacks": WAR, "world wonders": WONDERS, "looking ahead": SKILL}
# What is said to a question about a piece of the game: more than half of the chance to win depends on it, less, or either.
MOST, SOME, EITHER, GAIN, OPEN = "most", "some", "either", "gain", "open"
ANSWERS = {
    WAR: {
        MOST: "For these players, yes", SOME: "It helps, but less than half of the chance to win depends on it",
        EITHER: "It helps; whether half of the chance to win depends on it is undecided", GAIN: "No", OPEN: "No evidence",
    },
    WONDERS: {
        MOST: "Hardly", SOME: "Yes, but less often", EITHER: "Less often; whether half as often is undecided",
        GAIN: "Yes, even more often", OPEN: "No evidence that it makes a difference",
    },
}  # fmt: skip
LEFT = "What is left to one who does not look ahead is luck, and what it does well all the same; these rows do not part the two"

CONTROL = (
    "Trained as long without a restriction it wins {after:.1%} of its games, as it is {before:.1%}; what it loses once trained "
    "is measured against the former."
)
CHANCE = (
    "The intervals hold the chance of the games, not that of the trainings: one training each, and another seed makes another "
    "player of it."
)


def is_told(row: Any) -> bool:
    """Does the row tell its difference from nothing?"""
    return bool(row["p_adjusted"] <= SIGNIFICANT)


def points(row: Any, name: str) -> str:
    """Return a difference in percentage points with the interval that holds for the whole table."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_all_low", "_all_high"))
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
    if not is_told(row):
        return f"{words} is not shown to win more or less often: {points(row, 'points')}, which may be chance."
    return f"{words} {'loses' if row['points'] < 0 else 'gains'} {size(row, 'points')} of its chance to win."


def beside(row: Any, players: int, a: str, b: str) -> str:
    """Return what a row of `restricted.side_by_side` says of rulesets A and B."""
    words = (
        f"{whom(row, players)}: {points(row, 'a_points')} of its chance to win under {a}, {points(row, 'b_points')} under {b}"
    )
    if not is_told(row):
        return f"{words}; the difference of {points(row, 'change')} may be chance."
    return f"{words}; under {b} doing without costs {size(row, 'change')} {'less' if row['change'] > 0 else 'more'}."


def trained(row: Any, players: int) -> str:
    """Return what a row of `restricted.side_by_side` says of players as they are (A), and trained to do without (B)."""
    words = (
        f"{whom(row, players)}: {points(row, 'a_points')} of its chance to win as it is, {points(row, 'b_points')} once it has "
        "trained for that"
    )
    if not is_told(row):
        return f"{words}; what training changes, {points(row, 'change')}, may be chance."
    verb = "makes up for" if row["change"] > 0 else "adds"
    return f"{words}; training {verb} {size(row, 'change')}."


def weight(row: Any) -> str:
    """Return how much depends on what a row's player does without: a key of ANSWERS."""
    if not is_told(row):
        return OPEN
    if row["points"] > 0:
        return GAIN
    half = -50 * row["share"]
    return MOST if row["points_all_high"] < half else SOME if row["points_all_low"] > half else EITHER


def answer(row: Any) -> tuple[str, str] | None:
    """Return the question that a row of `restricted.table` answers, and the answer; None if it answers none."""
    question = QUESTIONS.get(row["restriction"])
    if question is None:
        return None
    return question, (skill(row) if question == SKILL else f"{ANSWERS[question][weight(row)]}: {wins(row)}.")


def skill(row: Any) -> str:
    """Return what the row of one who looks no turn ahead says about skill."""
    if not is_told(row):
        return f"No evidence that looking ahead makes a difference: {wins(row)}."
    if row["points"] > 0:
        return f"Looking ahead is no help to these players: {wins(row)}."
    return f"Looking ahead is worth {size(row, 'points')}: {wins(row)}. {LEFT}."


def wins(row: Mapping[Any, Any]) -> str:
    """Return what the row's player wins, and how that compares."""
    low, high = row["restricted_low"], row["restricted_high"]
    return (
        f"one who {restrictions.meaning(row['restriction'])} wins {row['restricted']:.1%} [{low:.1%}, {high:.1%}]"
        f" of its games, one without a restriction {row['share']:.1%}: {points(row, 'points')} (n = {row['n']:,} pairs)"
    )
