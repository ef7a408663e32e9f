"""One question at several tables, of 3 and of 4 players say: which verdicts hold at all of them? Start with `joined`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from ...simulator.errors import listed
from .verdicts import HIGHER, JUDGEMENT, LOWER, TOLD, Verdict, judged, quantile_for, questions_of, verdict_of, weakest

# --- Tables at once
#
# A question asked at several tables (numbers of players) is asked of each on its own games. The intervals of every table are
# those for the questions of all tables together (Bonferroni), so all verdicts, of all tables, hold in 95% of answers. What each
# of them implies then holds at all tables with the same certainty: nothing is averaged over tables, whose players differ. A
# figure that is raised at one table and undecided at the other is not called raised; the answer says at which it is.

NOT_EVERYWHERE = "not at every table"


def at_players(counts: Iterable[int]) -> str:
    """Return 'at 3 and 4 players'."""
    return f"at {listed(list(counts))} players"


def in_common(verdicts: Collection[Verdict]) -> Verdict | None:
    """Return the verdict that each of these implies; None if there is none."""
    kinds = set(verdicts)
    if len(kinds) == 1:
        return next(iter(kinds))
    if kinds <= HIGHER:
        return Verdict.ABOVE
    if kinds <= LOWER:
        return Verdict.BELOW
    return Verdict.UNDECIDED if kinds <= {Verdict.UNDECIDED, Verdict.NOT_COMPARED} else None


def for_tables(frame: pd.DataFrame, name: str, margin: float, games: float, tables: int) -> pd.DataFrame:
    """Return a table of `judged` with intervals, p values and verdicts that hold for this many such tables together.

    Intervals are taken as normal on either side. `games`: those played at this table.
    """
    questions = questions_of(frame)
    times = quantile_for(questions * tables) / quantile_for(questions)
    ends = {f"{name}_all_{end}": frame[name] + times * (frame[f"{name}_all_{end}"] - frame[name]) for end in ("low", "high")}
    wider = frame.assign(**ends, p_adjusted=np.minimum(1, frame["p_adjusted"] * tables))
    return judged(wider, name, margin, games, questions=questions * tables)


def joined(tables: Mapping[int, pd.DataFrame], keys: Sequence[str]) -> pd.DataFrame:
    """Return one row per figure: what holds at all tables, from tables of `judged` by their number of players.

    Columns: the keys, `verdict` and `verdict_key` (that each table's implies, else NOT_EVERYWHERE and ""), `certainty` (of the
    least certain), `holds` (at which tables it does, or what is found at each), `everywhere` (whether one verdict holds at
    all), `games_fewest` and `games_most` (of each table, to decide all that is open in the row). A figure that a table lacks is
    not compared there.
    """
    rows = []
    by_key = {players: frame.set_index(list(keys))[[*JUDGED]] for players, frame in tables.items()}
    for key in dict.fromkeys(key for frame in by_key.values() for key in frame.index):
        own = {players: frame.loc[[key]].iloc[0] for players, frame in by_key.items() if key in frame.index}
        missing = [players for players in tables if players not in own]
        words = {players: str(row["verdict"]) for players, row in own.items()} | dict.fromkeys(missing, "not compared")
        kinds = {players: verdict_of(row) for players, row in own.items()} | dict.fromkeys(missing, Verdict.NOT_COMPARED)
        common = in_common(kinds.values())
        row = dict(zip(keys, key if isinstance(key, tuple) else (key,), strict=True))
        row |= {"verdict": NOT_EVERYWHERE if common is None else _word(common, words, kinds)}
        row |= {"verdict_key": "" if common is None else common.name}
        row |= {"certainty": weakest([*(str(x["certainty"]) for x in own.values()), *["untested"] * bool(missing)])}
        if common is None:
            row["certainty"] = weakest(str(x["certainty"]) for n, x in own.items() if kinds[n] not in OPEN)
        row |= {
            "holds": at_players(tables) if common is not None else _by_verdict(words, kinds),
            "everywhere": common is not None,
        }
        for name in ("games_fewest", "games_most"):
            row[name] = max((float(x[name]) for x in own.values() if not np.isnan(x[name])), default=np.nan)
        rows.append(row)
    return pd.DataFrame(rows)


JUDGED = (*JUDGEMENT, "games_fewest", "games_most")
OPEN = (Verdict.UNDECIDED, Verdict.NOT_COMPARED)


def _word(common: Verdict, words: Mapping[int, str], kinds: Mapping[int, Verdict]) -> str:
    """Return the name of a verdict that all tables imply: that of a table which has it."""
    return next(word for players, word in words.items() if kinds[players] is common)


def _by_verdict(words: Mapping[int, str], kinds: Mapping[int, Verdict]) -> str:
    """Return 'raised at 4 players; undecided at 3 players', the clearest first."""
    first = {word: min(TOLD.index(kinds[n]) for n, own in words.items() if own == word) for word in words.values()}
    order = sorted(first, key=lambda word: first[word])
    return "; ".join(f"{word} {at_players(n for n, own in words.items() if own == word)}" for word in order)
