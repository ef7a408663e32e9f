"""The answer in words and tables: the conclusion first, then the front, the goals one by one, what else moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...simulator.wording import counted, listed
from ..trials.balance import not_numbers
from .course import Found
from .seek import Sought
from .trained import CHANGED, STANDS, UNSURE
from .verdicts import Answer
from .wishes import MET, MISSED, OPEN, value_words, with_interval

FEW = 5  # named in a sentence
STAND_WORDS = {STANDS: "stand", CHANGED: "are changed by adapting", UNSURE: "are undecided"}


def conclusion(sought: Sought) -> list[str]:
    """Return what was found, in sentences: what to change, what is met, what holds it back, what was not looked at."""
    found = _found(sought)
    if sought.narrow:
        found.append(sought.narrow)
    if sought.course.cut:
        games = f"{sought.course.tables.played:,} of {sought.goals.games or 0:,}"
        found.append(f"The search ended with its games: {games} are played.")
    untouched = not_numbers(sought.space.ruleset)
    return [*found, untouched] if untouched and not sought.found.met else found


def _found(sought: Sought) -> list[str]:
    answer = sought.answer
    row = answer.front.iloc[answer.advised]
    games = f"{row['n']:,} fresh games at {counted(len(sought.course.bands.tables), 'table')}"
    wishes = counted(row["wishes"], "wish", "wishes")
    if answer.all_met and row["changes"] == 0:
        return [f"Change nothing: the rules meet all {wishes} ({games})."]
    if answer.all_met:
        return [f"{_changes(row['changes'])} meet{'s' if row['changes'] == 1 else ''} all {wishes} ({games})."]
    rest = f"{row['missed']} are missed, {row['open']} are undecided"
    if row["changes"] == 0:
        lines = [f"No change brings the game measurably nearer to its goals ({games})."]
        return [*lines, f"The rules meet {row['met']} of {wishes}; {rest}."]
    come, meet = ("comes", "It meets") if row["changes"] == 1 else ("come", "They meet")
    return [
        f"No change within these ranges meets every goal for sure; {_changes(row['changes']).lower()} {come} nearest.",
        f"{meet} {row['met']} of {wishes}, the rules {answer.front['met'].iloc[0]}; {rest} ({games}).",
        *binding(sought),
    ]


def _changes(n: int) -> str:
    text = counted(n, "change")
    names = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
    return text.replace(str(n), names.get(n, str(n)), 1)


def binding(sought: Sought) -> list[str]:
    """Return which ranges the nearest point has used up, and whether it may make more changes."""
    row = sought.answer.front.iloc[sought.answer.advised]
    lines = []
    if row["at_end"]:
        ends = "ends of their ranges" if ";" in row["at_end"] else "end of its range"
        lines.append(f"At the {ends}: {row['at_end']}.")
        lines.append("A wider range (by, from, to) may bring the game nearer to its goals.")
    if row["changes"] == sought.goals.at_most:
        lines.append(f"All {counted(sought.goals.at_most, 'change')} are made: at_most is a limit, too.")
    out = missed(sought.answer)
    return (
        [*lines, f"Still missed: {listed(out[:FEW])}{f', and {len(out) - FEW} more' if len(out) > FEW else ''}."]
        if out
        else lines
    )


def missed(answer: Answer) -> list[str]:
    """Return the wishes that the advised point is shown to miss."""
    own = answer.goals[(answer.goals["point"] == answer.advised) & (answer.goals["verdict"] == MISSED)]
    return list(dict.fromkeys(own["figure"]))


def front_table(answer: Answer) -> pd.DataFrame:
    """Return the points for reading."""
    rows = []
    for row in answer.front.to_dict("records"):
        rows.append(
            {
                "": "→" if row["point"] == answer.advised else "", "changes": row["changes"], "price": f"{row['price']:g}",
                "distance [95%]": distance_words(row),
                MET: row["met"], MISSED: row["missed"], OPEN: row["open"], "what changes": row["what"],
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def distance_words(row: Any) -> str:
    """Return the distance of a point with its interval, whose upper end is rounded up: what may be missed is not 0."""
    return f"{row['distance']:.1f} [{row['distance_low']:.1f}, {np.ceil(10 * row['distance_high'] - 1e-9) / 10:.1f}]"


def goals_table(answer: Answer) -> pd.DataFrame:
    """Return every wish under the rules and under the advised point, for reading."""
    frame = answer.goals
    own = frame[frame["point"] == answer.advised].reset_index(drop=True)
    rules = frame[frame["point"] == 0].reset_index(drop=True)
    several = frame["way"].nunique() > 1
    rows = []
    for before, after in zip(rules.to_dict("records"), own.to_dict("records"), strict=True):
        cells = {"figure": after["figure"], **({"played by": after["way"]} if several else {}), "wanted": after["band"]}
        cells |= {"rules": with_interval(before), "changed": with_interval(after), "n": f"{after['n']:,}"}
        rows.append(cells | {"verdict": after["verdict"]})
    return pd.DataFrame(rows)


def moved_table(answer: Answer) -> pd.DataFrame:
    """Return the figures that nobody wished for and that the advised point moves beyond their margin, for reading."""
    if not len(answer.moved):
        return pd.DataFrame()
    found = answer.moved[(answer.moved["point"] == answer.advised) & answer.moved["beyond"]]
    rows = []
    for row in found.to_dict("records"):
        ends = ("difference", "difference_all_low", "difference_all_high")
        rows.append(
            {
                "figure": f"{row['figure']} ({row['players']} players)", "played by": row["way"],
                "rules": value_words(row["a"], row["unit"]), "changed": value_words(row["b"], row["unit"]),
                "change [95% all]": with_interval(row, ends), "n": f"{row['pairs']:,}",
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def held_table(held: pd.DataFrame) -> pd.DataFrame:
    """Return how many wishes rules and advised point meet with other strategies, for reading."""
    if not len(held):
        return pd.DataFrame()
    rows = []
    for (way, made), group in held.groupby(["way", "changes"], sort=False):
        changes = int(str(made))
        counts = group["verdict"].value_counts()
        which = "the rules" if changes == 0 else f"with {counted(changes, 'change')}"
        rows.append({"played by": way, "": which, **{word: int(counts.get(word, 0)) for word in (MET, MISSED, OPEN)}})
    return pd.DataFrame(rows)


def adapted_table(found: pd.DataFrame) -> pd.DataFrame:
    """Return each wish by players as they are and by players trained under the advised point, for reading."""
    rows = []
    for row in found.to_dict("records"):
        cells = {"figure": row["figure"], "wanted": row["band"]}
        cells["as they are"] = with_interval(row, ("before_value", "before_low", "before_high"))
        cells |= {"trained": with_interval(row), "n": f"{row['n']:,}", "verdict": row["verdict"], "": row["stands"]}
        rows.append(cells)
    return pd.DataFrame(rows)


def adapted_words(found: pd.DataFrame) -> str:
    """Say how many verdicts stand when players have adapted."""
    counts = found["stands"].value_counts()
    known = ", ".join(f"{int(counts.get(word, 0))} {words}" for word, words in STAND_WORDS.items())
    return f"Of {counted(len(found), 'verdict')} by {found['way'].iloc[0]}: {known}."


def model_words(answer: Answer, found: Found) -> str:
    """Say how well the model predicted the fresh games of the points that it chose."""
    own = answer.expected[answer.expected["point"] > 0] if len(answer.expected) else answer.expected
    if not len(own):
        return ""
    share = float(own["within"].mean())
    known = f"n = {len(own):,} figures of {counted(len(found.points), 'point')}"
    return f"Of what the model expected {100 * share:.0f}% lies within its 95% intervals ({known})."
