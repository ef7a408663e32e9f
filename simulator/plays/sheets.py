"""Tables of plays, from CSV files and workbooks: which column is what, how a win is told, and each play as it was noted.

Start at `read_sheet`. A row is a seat, or a play: with a column a person ("Ann", "Ben") or columns with numbers ("player 1",
"leader 1"), or with lists in its cells. What a heading and its cells do not tell for certain is asked.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Any

from ..errors import UserError, nearest
from .asked import COLUMNS as OPTION
from .asked import TURNED, entry_of
from .checking import NO, YES, LogFile, Noted, NotedSeat, Reader, Reading
from .headings import (
    AT_THE_TABLE,
    COLUMNS,
    COMMENT,
    IGNORE,
    MAYBE_LEADER,
    NOT_PERSONS,
    OF_SEATS,
    PERSON,
    SCORES,
    SEAT,
    is_one_of,
    known,
    person_of,
)
from .spelling import cited, folded
from .values import list_of, number_of, pair_of, rank_of

WINS = re.compile(
    r"\s*(?:\*|✓|\((?:w|won|win|winner|sieg|sieger|gagné|vainqueur)\))\s*$", re.IGNORECASE
)  # after a winner's leader
BETWEEN = re.compile(r"\s*(?:[,;+&／/|]|\b(?:and|und|et)\b)\s*", re.IGNORECASE)  # names of several winners
DOWN, HIGHEST, LOWEST = "down", "highest", "lowest"  # how a column says a play, a win
FACTS = ("date", "rounds", "minutes", "cards", "comment")  # of a play
LOOKED_AT = 200  # texts of a column from which it is known what it holds
LONGEST = 60  # letters of a text that may be a leader
SEATS_IN_ROWS, LISTS, WIDE = "a row a seat", "a row a play, with lists in its cells", "a row a play"


def is_sheet(source: LogFile) -> bool:
    """Say whether the file may be such a table: what else it is, is tried first."""
    return source.data is None and source.root is None


def read_sheet(source: LogFile, reading: Reading) -> Iterator[Noted]:
    """Yield the plays, none if something is to be asked first; raise UserError if the columns are not there."""
    rows = list(_rows(source))
    if not rows:
        raise UserError(f"{source.path}: is empty; expected a row of columns: {', '.join(COLUMNS)}", file=str(source.path))
    rows = _without_title(rows, reading)
    if reading.answers.turned:
        rows = _turned(rows)
    elif _looks_turned(rows):
        reading.ask(
            "its plays seem to stand side by side, its headings below each other", OPTION, (TURNED, "a play is a column")
        )
        return
    reading.headings = [cell.strip() for cell in rows[0][1] if cell.strip()]
    table = Table(reading, [cell.strip() for cell in rows[0][1]], rows[1:])
    table.understand()
    if not reading.questions:
        table.show()
        yield from table.plays()


# --- Rows


def _rows(source: LogFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the numbers of their lines."""
    if source.rows is not None:
        yield from source.rows
        return
    lines = source.text.split("\n")
    first = next((line for line in lines if line.strip() and not line.startswith(COMMENT)), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(StringIO(source.text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not cells[0].startswith(COMMENT):
                yield reader.line_num, cells
    except csv.Error as error:
        raise UserError(
            f"{source.path}: row {reader.line_num}: not a row of a CSV file: {error}", file=str(source.path)
        ) from None


def _without_title(rows: list[tuple[int, list[str]]], reading: Reading) -> list[tuple[int, list[str]]]:
    """Return the rows from the headings on: a title above them stands alone in its row."""
    while len(rows) > 2 and _filled(rows[0]) == 1 and not known(rows[0][1][0]) and _filled(rows[1]) > 2:
        title = next(cell for cell in rows[0][1] if cell.strip())
        reading.notes.append(f"row {rows[0][0]} is no row of headings and was left out: {cited(title.strip())}")
        rows = rows[1:]
    return rows


def _filled(row: tuple[int, list[str]]) -> int:
    return sum(bool(cell.strip()) for cell in row[1])


def _looks_turned(rows: list[tuple[int, list[str]]]) -> bool:
    first = {known(cells[0]) for _, cells in rows} - {""}
    return len(rows) > 2 and len(first) > 1 and len({known(cell) for cell in rows[0][1]} - {""}) < 2


def _turned(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    width = max(len(cells) for _, cells in rows)
    return [(k + 1, [cells[k] if k < len(cells) else "" for _, cells in rows]) for k in range(width)]


# --- Columns


@dataclass
class Table:
    """A table: its headings and rows, and as far as it is understood the columns of a play and of its seats.

    `at`: the place of each column; `how`: what in it says a play or a win; `seats`: for a row that is a play, the places of
    each seat's columns.
    """

    reading: Reading
    names: list[str]
    rows: list[tuple[int, list[str]]]
    at: dict[str, int] = field(default_factory=dict)
    how: dict[str, str] = field(default_factory=dict)
    seats: list[dict[str, int]] = field(default_factory=list)
    persons: dict[int, str] = field(default_factory=dict)  # by the place of a column of leaders
    left: set[int] = field(default_factory=set)  # columns that are not to be read
    shape: str = ""
    cache: dict[str, bool] = field(default_factory=dict)

    def understand(self) -> None:
        """Find out which column is what; what is not certain is asked, and what is missing raises UserError."""
        said = self._headings()
        announced = self._announced()
        self._play_or_game(said)
        self._leader(said)
        if not announced and "leader" not in self.at:
            self._persons()
        if self.reading.questions:
            return
        if self.seats:
            self.shape = WIDE
        elif "leader" not in self.at:
            raise self._missing("leader")
        else:
            self.shape = LISTS if self._most(self.at["leader"], self._lists_leaders) else SEATS_IN_ROWS
        if self.shape == SEATS_IN_ROWS:
            self._play()
        self._won()

    def _headings(self) -> set[str]:
        """Place the columns by what was said of them, then by their headings; return which of them were said."""
        said: set[str] = set()
        twice: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            given = self.reading.answers.of(name, self.names)
            for one in given:
                role = "player" if one.role == PERSON else one.role
                if role == IGNORE:
                    self.left.add(place)
                elif role == SEAT:
                    self.seats.append({"leader": place})
                    self.persons[place] = person_of(name) or name
                else:
                    said.add(role)
                    self.at[role], self.how[role] = place, one.how
            heading = known(name)
            if heading and (not given or ([one.role for one in given] == ["play"] and heading == "date")):
                twice.setdefault(heading, []).append(place)
        for role, places in twice.items():
            if role in said or self._are_numbered(places):
                continue
            if len(places) > 1:
                self._twice(role, places)
            self.at[role] = places[0]
        return said

    def _are_numbered(self, places: list[int]) -> bool:
        return any(_numbered(self.names[place]) for place in places)

    def _twice(self, role: str, places: list[int]) -> None:
        two = [self.names[place] for place in places]
        ways = " or ".join(f"{OPTION} {entry_of(IGNORE, name)}" for name in reversed(two) if name)
        raise UserError(
            f"{self.reading.file}: column '{two[-1]}': {role} appears twice ({', '.join(two)}); expected it once: {ways}",
            file=self.reading.file,
        )

    def _announced(self) -> bool:
        """Find the columns of seats that have numbers, and those of one person each that say so ("Leader [Ann]"), if any."""
        before = len(self.seats)
        found: dict[str, dict[str, int]] = {}
        for place, name in enumerate(self.names):
            part = _numbered(name)
            if part and place not in self.left and part[0] in OF_SEATS:
                found.setdefault(part[1], {})[part[0]] = place
        self.seats += [found[number] for number in sorted(found, key=int) if "leader" in found[number]]
        for seat in found.values():  # "Player 1" with "Ann (Rome)" in its cells
            if "leader" not in seat and "player" in seat and self._most(seat["player"], self._is_pair):
                self.seats.append(seat | {"leader": seat["player"]})
        for place, name in enumerate(self.names):
            person = person_of(name)
            if person and place not in self.left and place not in self.at.values() and self._most(place, self._is_leader):
                if place not in self.persons:
                    self.seats.append({"leader": place})
                self.persons[place] = person
        self.seats.sort(key=lambda seat: seat["leader"])
        return len(self.seats) > before

    def _play_or_game(self, said: set[str]) -> None:
        """A column "Game" with numbers in it says which play, one with titles of which game."""
        if "play" not in self.at and "game" in self.at and "game" not in said:
            place = self.at["game"]
            texts = self._texts(place)
            if texts and all(number_of(text) is not None for text in texts):
                self.at["play"] = self.at.pop("game")
            elif folded(self.names[place]) == "spiel" and not any(self.reading.games.is_ours(text) for text in texts):
                self.at["play"] = self.at.pop("game")  # in German it is both

    def _leader(self, said: set[str]) -> None:
        """Find the column of leaders: by its heading, one that may be it by its cells, or the persons' with both in it."""
        maybe = [place for place, name in enumerate(self.names) if folded(name) in map(folded, MAYBE_LEADER)]
        if "leader" not in self.at and not self.seats:
            those = [place for place in maybe if place not in self.left and place not in [self.at.get(role) for role in said]]
            good = [place for place in those if self._any(place, self._is_leader)] or those[:1]
            if len(good) > 1:
                self._twice("leader", good)
            if good and (self._any(good[0], self._is_leader) or not self._texts(good[0])):
                self.at["leader"] = good[0]
                if self.at.get("team") == good[0]:
                    del self.at["team"]
        if "leader" in self.at or self.seats or "player" not in self.at:
            return
        if self._most(self.at["player"], self._is_pair) or self._most(self.at["player"], self._lists_pairs):
            self.at["leader"] = self.at["player"]
            return
        for place in self._free():
            if self._most(place, self._is_leader) or self._most(place, self._lists_leaders):
                name = self.names[place]
                self.reading.ask(
                    f"column '{name}' holds leaders: are they those of the seats?", OPTION,
                    (entry_of("leader", name), "the leaders that were played"), (entry_of(IGNORE, name), "something else"),
                )  # fmt: skip

    def _persons(self) -> None:
        """Find the columns of one person each: leaders stand in them, and a winner is named so, or it was said."""
        named = self._named_winners()
        seats = [seat["leader"] for seat in self.seats]
        open_columns: list[int] = []
        strange: list[int] = []
        for place in self._free():
            name = self.names[place]
            if folded(name) in named and self._texts(place):
                seats.append(place)
            elif self._any(place, self._is_leader):
                marked = any(WINS.search(text) and self._is_leader(text) for text in self._texts(place))
                (seats if marked or self._alone_with_winner(place) else open_columns).append(place)
            elif not is_one_of(name, NOT_PERSONS) and self._most(place, _may_be_a_name):
                strange.append(place)
        if len(seats) + len(open_columns) < 2:
            return
        for place in sorted(open_columns + strange):
            name = self.names[place]
            ways = [(entry_of(SEAT, name), f"leaders that {name} played"), (entry_of(IGNORE, name), "something else")]
            if is_one_of(name, NOT_PERSONS) or place in strange:
                ways.reverse()
            holds = f"no leaders that are known ({cited(self._texts(place)[0])})" if place in strange else "leaders"
            self.reading.ask(f"column '{name}' holds {holds}, and no winner is named so: is it a person?", OPTION, *ways)
        self.seats = [{"leader": place} for place in sorted(seats)]
        self.persons |= {place: self.persons.get(place) or self.names[place] for place in seats}

    def _named_winners(self) -> set[str]:
        """Return the names of winners, and of those who began."""
        places = [self.at[role] for role in ("won", "first") if role in self.at]
        return {folded(name) for place in places for text in self._texts(place) for name in BETWEEN.split(text)} - {""}

    def _alone_with_winner(self, place: int) -> bool:
        """Say whether in some row the winner is a leader that stands in this column and no other."""
        if "won" not in self.at:
            return False
        for _, cells in self.rows:
            winner = _cell(cells, self.at["won"])
            if winner and self._is_leader(winner):
                meant = self.reading.leaders.meant(winner)
                here = [k for k in self._free() if self.reading.leaders.meant(_cell(cells, k)) == meant]
                if here == [place]:
                    return True
        return False

    def _play(self) -> None:
        """Find what says which rows are one play."""
        if "play" not in self.at:
            if "date" not in self.at:
                raise self._missing("play")
            name = self.names[self.at["date"]]
            self.reading.ask(
                "no column says which rows are one play", OPTION,
                (entry_of("play", name), f"the rows with the same '{name}' are one play"),
            )  # fmt: skip
            return
        place, seen = self.at["play"], False
        if self.how.get("play") == DOWN:
            return
        for number, cells in self.rows:
            if _cell(cells, place):
                seen = True
            elif seen and any(_cell(cells, self.at[role]) for role in ("leader", "player") if role in self.at):
                name = self.names[place]
                self.reading.ask(
                    f"row {number}: '{name}' is empty", OPTION,
                    (entry_of("play", name, DOWN), "an empty cell means the one above it"),
                )  # fmt: skip
                return

    def _won(self) -> None:
        """Find what says who won."""
        if "won" in self.at:
            return
        if self.shape == WIDE and any("won" in seat for seat in self.seats):
            return
        if self.shape == WIDE and any("rank" in seat for seat in self.seats):
            return
        if "rank" in self.at:
            name, place = self.names[self.at["rank"]], self.at["rank"]
            texts = [text for cell in self._texts(place) for text in (list_of(cell) if self.shape == LISTS else [cell])]
            if texts and all(text.lower() in YES + NO and rank_of(text) is None for text in texts):
                self.at["won"] = self.at.pop("rank")
                return
            ordinal = any(rank_of(text) is not None and not text.strip().isdecimal() for text in texts)
            if is_one_of(name, AT_THE_TABLE) and not ordinal:
                self.reading.ask(
                    f"does '{name}' say how the play ended, or where someone sat?", OPTION,
                    (entry_of("won", name, "1"), "whoever has 1 won"), (entry_of(IGNORE, name), "something else"),
                )  # fmt: skip
            self.at["won"], self.how["won"] = place, "1"
            return
        marks = [seat["leader"] for seat in self.seats] or ([self.at["leader"]] if "leader" in self.at else [])
        if any(WINS.search(text) for place in marks for text in self._texts(place)):
            return
        for place in self._free():
            if is_one_of(self.names[place], SCORES):
                name = self.names[place]
                self.reading.ask(
                    "no column says who won", OPTION, (entry_of("won", name, HIGHEST), f"whoever has the most '{name}' won"),
                    (entry_of("won", name, LOWEST), "whoever has the fewest"),
                )  # fmt: skip
                return
        raise self._missing("won")

    def _missing(self, name: str) -> UserError:
        return UserError(
            f"{self.reading.file}: column '{name}' is missing: expected {COLUMNS[name][0]} ({OPTION} {name}=HEADING names it; "
            f"`newdawn plays new FILE` writes a template){nearest(name, self.names)}",
            file=self.reading.file, field=name,
        )  # fmt: skip

    # Cells

    def _texts(self, place: int) -> list[str]:
        """Return different texts of a column, as many as are looked at."""
        texts: dict[str, None] = {}
        for _, cells in self.rows:
            if text := _cell(cells, place):
                texts[text] = None
                if len(texts) >= LOOKED_AT:
                    break
        return list(texts)

    def _free(self) -> list[int]:
        """Return the columns that have a heading, and are nothing yet."""
        taken = {*self.at.values(), *self.left, *(place for seat in self.seats for place in seat.values())}
        return [place for place, name in enumerate(self.names) if name and place not in taken]

    def _is_leader(self, text: str) -> bool:
        if len(text) > LONGEST:
            return False
        if text not in self.cache:
            self.cache[text] = self.reading.is_leader(WINS.sub("", text))
        return self.cache[text]

    def _is_pair(self, text: str) -> bool:
        return len(text) <= LONGEST and pair_of(WINS.sub("", text), self.reading.is_leader) is not None

    def _lists_leaders(self, text: str) -> bool:
        parts = list_of(text)
        return len(parts) > 1 and sum(self._is_leader(part) or self._is_pair(part) for part in parts) * 2 > len(parts)

    def _lists_pairs(self, text: str) -> bool:
        parts = list_of(text)
        return len(parts) > 1 and sum(map(self._is_pair, parts)) * 2 > len(parts)

    def _most(self, place: int, holds: Callable[[str], bool]) -> bool:
        texts = self._texts(place)
        return bool(texts) and sum(map(holds, texts)) * 2 > len(texts)

    def _any(self, place: int, holds: Callable[[str], bool]) -> bool:
        return any(map(holds, self._texts(place)))

    # What is shown

    def show(self) -> None:
        """Note what each column was read as."""
        self.reading.shape = self.shape
        roles: dict[int, list[str]] = {}
        for role, place in self.at.items():
            roles.setdefault(place, []).append(self._role(role))
        for seat in self.seats:
            for role, place in seat.items():
                person = self.persons.get(place)
                roles.setdefault(place, []).append(f"leaders of {person}" if person else self._role(role))
        for place, name in enumerate(self.names):
            if name:
                self.reading.columns.append((name, ", ".join(roles.get(place, ["not read"]))))
        if "won" not in self.at and not any("won" in seat or "rank" in seat for seat in self.seats):
            self.reading.notes.append("the winner is the leader with a mark: Rome*, Rome (won)")

    def _role(self, role: str) -> str:
        how = self.how.get(role, "")
        if role == "won":
            return {HIGHEST: "who won: the most", LOWEST: "who won: the fewest", "": "who won"}.get(how, f"who won: {how}")
        said = {"player": "person", "play": "which rows are one play"}.get(role, role)
        return f"{said} (empty: the one above)" if role == "play" and how == DOWN else said

    # --- Plays

    def plays(self) -> Iterator[Noted]:
        """Yield the plays as they were noted."""
        if self.shape == SEATS_IN_ROWS:
            above = ""
            plays: dict[str, list[tuple[int, dict[str, str]]]] = {}
            for number, cells in self.rows:
                row = _cells(cells, self.at)
                if any(row.values()):
                    if self.how.get("play") == DOWN:
                        above = row["play"] = row["play"] or above
                    # A row without a play's name is one of its own, so that its fault has a place.
                    plays.setdefault(row["play"] or f"(row {number})", []).append((number, row))
            yield from (self._of_rows(rows) for rows in plays.values())
        else:
            make = self._of_lists if self.shape == LISTS else self._of_row
            yield from (make(number, cells) for number, cells in self.rows)

    def _where(self, *numbers: int) -> str:
        word = "column" if self.reading.answers.turned else "row"
        return f"{word} {numbers[0]}" if len(numbers) == 1 else f"{word}s {min(numbers)}-{max(numbers)}"

    def _of_rows(self, rows: list[tuple[int, dict[str, str]]]) -> Noted:
        """Return the play of some rows; what is the same for a play may stand in one of them."""
        where = self._where(*(number for number, _ in rows))
        titles = list(dict.fromkeys(row["game"] for _, row in rows if row.get("game")))
        if not rows[0][1]["play"]:
            return Noted(where, faults=(("play", f"is empty: expected {COLUMNS['play'][0]}"),))
        box = self.reading.games.box(*titles) if titles else ""
        if box is None:
            return Noted(where, left="of other games")
        both = self.at["leader"] == self.at.get("player")
        seats = []
        for number, row in rows:
            leader, person = row["leader"], row.get("player", "")
            marked = bool(WINS.search(leader)) and "won" not in self.at
            leader = WINS.sub("", leader)
            if both:
                person, leader = pair_of(leader, self.reading.is_leader) or (person, "")
            seats.append(
                NotedSeat(
                    self._where(number), leader, "yes" if marked else row.get("won", ""), person, row.get("order", ""),
                    first="yes" if row.get("first", "").lower() in YES else "", claimed=row.get("claimed", ""),
                    others=(row.get("comment", ""),), team=row.get("team", ""),
                )
            )  # fmt: skip
        won, wrong = self._shares([seat.won for seat in seats], seats)
        facts: dict[str, Any] = {name: _once(rows, name) for name in FACTS}
        seats = [replace(seat, won=one) for seat, one in zip(seats, won, strict=True)]
        return Noted(where, tuple(seats), box=box, faults=wrong, **facts)

    def _of_lists(self, number: int, cells: list[str]) -> Noted:
        """Return the play of a row with lists in its cells."""
        row, where = _cells(cells, self.at), self._where(number)
        box = self.reading.games.box(row["game"]) if row.get("game") else ""
        if box is None:
            return Noted(where, left="of other games")
        leaders = list_of(row["leader"])
        if self.at.get("player") in (None, self.at["leader"]):
            pairs = [pair_of(WINS.sub("", leader), self.reading.is_leader) for leader in leaders]
            persons = [pair[0] if pair else "" for pair in pairs]
            clean = [pair[1] if pair else WINS.sub("", leader) for pair, leader in zip(pairs, leaders, strict=True)]
        else:
            persons, clean = list_of(row["player"]), [WINS.sub("", leader) for leader in leaders]
        if len(persons) != len(clean):
            problem = f"{len(clean)} leaders for {len(persons)} persons: expected as many, in the same order"
            return Noted(where, faults=(("leader", problem),))
        seats = [
            NotedSeat(f"{where}, entry {k}", leader, "", person)
            for k, (leader, person) in enumerate(zip(clean, persons, strict=True), 1)
        ]
        if "won" not in self.at:
            told = ["yes" if WINS.search(leader) else "no" for leader in leaders]
        elif self.how.get("won"):
            told = list_of(row["won"])
            if len(told) != len(seats):
                problem = f"{len(told)} entries for {len(seats)} seats: expected as many, in the same order"
                return Noted(where, faults=(("won", problem),))
        else:
            told = [row["won"]] * len(seats)
        won, wrong = self._shares(told, seats)
        seats = [replace(seat, won=one) for seat, one in zip(seats, won, strict=True)]
        facts: dict[str, Any] = {name: row.get(name, "") for name in FACTS}
        return Noted(where, tuple(seats), box=box, faults=wrong, **facts)

    def _of_row(self, number: int, cells: list[str]) -> Noted:
        """Return the play of a row with columns for each seat."""
        row, where = _cells(cells, self.at), self._where(number)
        box = self.reading.games.box(row["game"]) if row.get("game") else ""
        if box is None:
            return Noted(where, left="of other games")
        seats, told, names = [], [], [folded(name) for name in BETWEEN.split(row.get("won", "")) if folded(name)]
        for k, at in enumerate(self.seats, 1):
            seat = _cells(cells, at)
            leader, person = seat["leader"], seat.get("player", "") or self.persons.get(at["leader"], "")
            if not leader:
                continue
            marked = bool(WINS.search(leader))
            leader = WINS.sub("", leader)
            if at["leader"] == at.get("player"):
                person, leader = pair_of(leader, self.reading.is_leader) or (person, "")
            own = seat.get("won", "")
            if not own and seat.get("rank"):
                own = "yes" if rank_of(seat["rank"]) == 1 else "no"
            told.append(own or ("yes" if marked or str(k) in names else ""))
            begins = folded(row.get("first", ""))
            seats.append(
                NotedSeat(f"{where}, column '{self.names[at['leader']]}'", leader, "", person, seat.get("order", ""),
                          first="yes" if begins and begins in (folded(person), folded(leader), str(k)) else "",
                          claimed=seat.get("claimed", ""), team=seat.get("team", ""))
            )  # fmt: skip
        wrong: tuple[tuple[str, str], ...] = ()
        if "won" in self.at and not any(told):
            told, wrong = self._shares([row["won"]] * len(seats), seats)
        seats = [replace(seat, won=one or "no") for seat, one in zip(seats, told, strict=True)]
        facts: dict[str, Any] = {name: row.get(name, "") for name in FACTS}
        return Noted(where, tuple(seats), box=box, faults=wrong, **facts)

    def _shares(self, told: list[str], seats: list[NotedSeat]) -> tuple[list[str], tuple[tuple[str, str], ...]]:
        """Return for each seat yes or no, by itself, by a rank, by numbers or by names; and what is wrong."""
        how = self.how.get("won", "")
        if how in (HIGHEST, LOWEST):
            numbers = [number_of(text) for text in told]
            if None in numbers:
                return told, (("won", f"{cited(told[numbers.index(None)])}: expected a number for each seat"),)
            best = (max if how == HIGHEST else min)([number for number in numbers if number is not None])
            return ["yes" if number == best else "no" for number in numbers], ()
        if how:
            return ["yes" if folded(text) == folded(how) or rank_of(text) == _rank(how) else "no" for text in told], ()
        if all(text.strip().lower() in YES + NO for text in told) or "won" not in self.at:
            return told, ()
        names = {folded(name) for text in told for name in BETWEEN.split(text) if folded(name)}
        meant = {self.reading.leaders.meant(name) for text in told for name in BETWEEN.split(text)} - {None}
        by_person = ["yes" if folded(seat.person) in names - {""} else "no" for seat in seats]
        by_leader = ["yes" if self.reading.leaders.meant(seat.leader) in meant else "no" for seat in seats]
        own = {folded(seat.person) for seat in seats} | {folded(seat.leader) for seat in seats}
        if "yes" not in by_person + by_leader and self.shape == SEATS_IN_ROWS:
            return told, ()  # the checker says what is wrong, seat by seat
        strange = (
            names
            - own
            - {
                name
                for name in names
                if self.reading.leaders.meant(name) in map(self.reading.leaders.meant, [s.leader for s in seats])
            }
        )
        if strange:
            text = next(text for text in told if text)
            return told, (
                (
                    "won",
                    f"{cited(text)}: expected a person or a leader of this {'play' if self.shape == SEATS_IN_ROWS else 'row'}",
                ),
            )
        return ["yes" if "yes" in pair else "no" for pair in zip(by_person, by_leader, strict=True)], ()


def _may_be_a_name(text: str) -> bool:
    """Say whether a text may be meant as a leader: a word or two, of letters."""
    words = text.split()
    return len(words) < 3 and len(text) > 2 and all(word.isalpha() for word in words) and text.lower() not in YES + NO


def _rank(how: str) -> int:
    rank = rank_of(how)
    return -1 if rank is None else rank


def _numbered(name: str) -> tuple[str, str] | None:
    """Return the column and the number of a heading like "Leader 2" or "P2 leader"."""
    found = re.fullmatch(r"(.*?)[\s_#]*(\d+)", name)
    kind = known(found[1]) if found else ""
    if found and kind:
        return kind, found[2]
    found = re.fullmatch(r"(?:p|player|seat|spieler|joueur)[\s_#]*(\d+)[\s:'s-]+(.+)", name, re.IGNORECASE)
    kind = known(found[2]) if found else ""
    return (kind, found[1]) if found and kind else None


def _cell(cells: list[str], place: int) -> str:
    return cells[place].strip() if place < len(cells) else ""


def _cells(cells: list[str], at: dict[str, int]) -> dict[str, str]:
    return {name: _cell(cells, place) for name, place in at.items()}


def _once(rows: list[tuple[int, dict[str, str]]], name: str) -> str:
    """Return what the rows of a play say of it; all that they say, if that is not one thing."""
    return " and ".join(dict.fromkeys(row[name] for _, row in rows if row.get(name)))


SHEET = Reader("CSV", is_sheet, read_sheet, {"person": "player", **{name: name for name in COLUMNS}})
