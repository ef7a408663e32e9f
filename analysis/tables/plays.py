"""Reading a folder of real plays (`simulator/plays`): its tables, a part for each number of players.

A part is read like a run. Plays in which strategies played seats are in the tables, but summaries count those of people alone.
What was not noted is not there: a summary that asks for it gets the plays in which it is known, and
if these are none, one line says what the folder lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.batch import places
from ...simulator.batch.places import Place
from ...simulator.errors import UserError
from ...simulator.plays import folder
from ...simulator.plays.folder import CARDS, PEOPLE, TABLES
from ...simulator.wording import counted, listed
from .read import Run, open_run

MAY_BE_NULL = {*CARDS[1:], "player", "date", "winner_seats", "source"}  # null says something, or nothing is asked of it


class PlaysOf(Run):
    """The plays with one number of players, with the interface of a run."""

    def __init__(self, whole: Plays, part: folder.Part) -> None:
        self.path, self.manifest = whole.path, whole.manifest | {"plan": {"strategies": [PEOPLE]}}
        self.part = part

    def __repr__(self) -> str:
        return f"<Plays {self.path}: {counted(self.part.plays, 'play')} of {counted(self.players, 'person', 'people')}>"

    @property
    def players(self) -> int:
        """Number of people at the table."""
        return self.part.players

    @property
    def planned_games(self) -> int:
        """Number of plays."""
        return self.part.plays

    def read(self, table: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a whole table, or the named columns of it; raise UserError if plays do not have them."""
        lacking = [name for name in columns or () if name not in TABLES.get(table, ())]
        if table not in TABLES or lacking:
            what = listed(f"`{name}`" for name in lacking) if table in TABLES else "a table"
            raise UserError(
                f"{self.path}: real plays lack {what} of `{table}`, which this needs; runs of `newdawn run` have it"
            )
        found = folder.read_part(self.path, self.manifest, table, self.part.name).to_pandas()
        return found[list(columns)] if columns is not None else found

    def pieces(self, wanted: Mapping[str, Sequence[str]]) -> Iterator[dict[str, pd.DataFrame]]:
        """Yield the wanted columns of the plays in which all of them are known, in one piece."""
        frames = {table: self.read(table, ["game_id", *(name for name in names if name != "game_id")])
                  for table, names in wanted.items()}  # fmt: skip
        known = np.ones(self.planned_games, bool)
        ids = self.read("games", ["game_id"])["game_id"].to_numpy()
        for table, frame in frames.items():
            for name in set(frame) - MAY_BE_NULL:
                unknown = frame.loc[frame[name].isna(), "game_id"]
                known &= ~np.isin(ids, unknown)
                if not known.any():
                    raise UserError(
                        f"{self.path}: real plays of {self.players} lack `{name}` of `{table}`: it was noted in none of them"
                    )
        kept = ids[known]
        yield {table: frame[frame["game_id"].isin(kept)].reset_index(drop=True) for table, frame in frames.items()}


class Plays:
    """A folder of plays: a part for each number of players."""

    def __init__(self, path: Place | str) -> None:
        self.path = places.place(path)
        self.manifest: dict[str, Any] = folder.read_manifest(self.path)
        self.all_parts = [PlaysOf(self, folder.Part(**part)) for part in self.manifest["parts"]]

    @property
    def parts(self) -> list[PlaysOf]:
        """The plays of people alone, by number of players."""
        return [part for part in self.all_parts if not part.part.strategies]

    @property
    def with_strategies(self) -> int:
        """Number of plays in which strategies played seats."""
        return len(self) - sum(part.planned_games for part in self.parts)

    def __len__(self) -> int:
        return sum(part.planned_games for part in self.all_parts)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{part.planned_games} of {part.players}" for part in self.all_parts)
        return f"<Plays {self.path}: {counted(len(self), 'play')} ({sizes})>"

    def _repr_html_(self) -> str:
        return f"<code>{escape(repr(self))}</code>"

    @property
    def box(self) -> str:
        """What was played, a word of names.BOXES."""
        return str(self.manifest["ruleset"]["box"])

    def table(self, name: str, people: bool = False) -> pd.DataFrame:
        """Return a whole table, of all numbers of players; with `people`, of the plays of people alone."""
        return pd.concat([part.read(name) for part in (self.of_people() if people else self.all_parts)], ignore_index=True)

    def of_people(self) -> list[PlaysOf]:
        """Return the parts that can be counted; raise UserError if there are none."""
        if not self.parts:
            raise UserError(f"{self.path}: strategies played seats in all {len(self)} plays; expected some of people alone")
        return self.parts


def open_plays(path: Place | str) -> Plays:
    """Return the plays in the folder; raise UserError if it is none of plays."""
    return Plays(path)


def opened(path: Place | str) -> list[Run]:
    """Return the run in the folder, or the parts of its plays: what summaries that need no more can count."""
    place = places.place(path)
    return list(Plays(place).of_people()) if folder.is_plays(place) else [open_run(place)]
