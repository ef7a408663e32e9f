"""A CSV file with a row a seat. `newdawn plays new` writes a template; columns may have the names that others give them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from ..errors import UserError, nearest
from .noted import Noted, NotedSeat, Reader, Source, is_this_game

# Column: what it holds, and names that others give it.
COLUMNS = {
    "play": ("number or name of the play, the same for all of its seats", ("id", "playid", "play_id", "game_id")),
    "leader": ("leader of the seat, in any spelling near enough", ("color", "colour", "role", "civ", "civilization")),
    "won": ("yes for the winner (for each of several, if they share the win), no for the others", ("win", "winner")),
    "player": ("who sat there: the same person always by the same name", ("name", "person", "username")),
    "order": ("place in the turn order, 1 for the first player", ("startposition", "start_position", "turn_order")),
    "claimed": ("victory cards that the seat claimed", ("agendas",)),
    "date": ("day of the play, 2026-11-23", ("playdate",)),
    "rounds": ("rounds that the game took", ()),
    "minutes": ("minutes that the game took", ("length", "duration")),
    "cards": ("victory cards in play, by one agenda each, with semicolons between them", ("victory_cards",)),
    "game": ("name of the game, if the file holds others, too", ("gamename", "game_name", "objectname", "item")),
}
NEEDED = ("play", "leader", "won")
COMMENT = "#"
TEMPLATE = (
    ("play", "date", "player", "leader", "order", "won", "rounds", "minutes", "cards"),
    ("1", "2026-11-20", "Anna", "Rome", "1", "no", "14", "135", "Civilized; Populous; Explorer"),
    ("1", "2026-11-20", "Ben", "Egypt", "2", "yes", "14", "135", "Civilized; Populous; Explorer"),
    ("1", "2026-11-20", "Cleo", "Aztec", "3", "no", "14", "135", "Civilized; Populous; Explorer"),
)


def template() -> str:
    """Return a file to begin with: what the columns hold, in comments, and an example to write over."""
    said = [f"# {name}: {meaning}" for name, (meaning, _) in COLUMNS.items() if name in TEMPLATE[0]]
    lines = [
        "# A log of real plays, a row a seat. Lines that begin with # are not read.",
        f"# Needed: {', '.join(NEEDED)}. What you do not know stays empty, and a column that you do not use may go.",
        *said,
        "# The play below is an example: write over it.",
        *(",".join(row) for row in TEMPLATE),
    ]
    return "\n".join(lines) + "\n"


def fits(source: Source) -> bool:
    """Say whether the file may be such a table: what else it is, is tried first."""
    return source.data is None and source.root is None


def read(source: Source, game: str) -> Iterator[Noted]:
    """Yield the plays; raise UserError if the columns are not there."""
    rows = _rows(source)
    header = next(rows, None)
    if header is None:
        raise UserError(f"{source.path}: is empty; expected a row of columns: {', '.join(COLUMNS)}", file=str(source.path))
    at = _columns(source, header[1])
    plays: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, cells in rows:
        row = {name: cells[place].strip() if place < len(cells) else "" for name, place in at.items()}
        if any(row.values()):
            # A row without a play's name is one of its own, so that its fault has a place.
            plays.setdefault(row["play"] or f"(row {number})", []).append((number, row))
    yield from (_play(key, seats, game) for key, seats in plays.items())


def _rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the numbers of their lines."""
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


def _columns(source: Source, header: list[str]) -> dict[str, int]:
    """Return the place of each column; raise UserError if one is missing or there twice."""
    known = {alias: name for name, (_, aliases) in COLUMNS.items() for alias in (name, *aliases)}
    at: dict[str, int] = {}
    for place, cell in enumerate(header):
        name = known.get(cell.strip().lower().replace(" ", "_"))
        if name in at:
            raise UserError(
                f"{source.path}: column '{cell.strip()}': {name} appears twice; expected it once", file=str(source.path)
            )
        if name is not None:
            at[name] = place
    for name in NEEDED:
        if name not in at:
            hint = nearest(name, [cell.strip() for cell in header])
            raise UserError(
                f"{source.path}: column '{name}' is missing: expected {COLUMNS[name][0]} (`newdawn plays new FILE` writes a "
                f"template){hint}",
                file=str(source.path), field=name,
            )  # fmt: skip
    return at


def _play(key: str, rows: list[tuple[int, dict[str, str]]], game: str) -> Noted:
    """Return the play of some rows; what is the same for a play may stand in one of them."""
    numbers = [number for number, _ in rows]
    where = f"row {numbers[0]}" if len(numbers) == 1 else f"rows {min(numbers)}-{max(numbers)}"
    names = {row["game"] for _, row in rows if row.get("game")}
    if not rows[0][1]["play"]:
        return Noted(where, faults=(("play", f"is empty: expected {COLUMNS['play'][0]}"),))
    if names and not any(is_this_game(name, game) for name in names):
        return Noted(where, left="of other games")
    seats = tuple(
        NotedSeat(
            f"row {number}",
            row["leader"],
            row["won"],
            row.get("player", ""),
            row.get("order", ""),
            claimed=row.get("claimed", ""),
        )
        for number, row in rows
    )
    date, rounds, minutes, cards = (_once(rows, name) for name in ("date", "rounds", "minutes", "cards"))
    return Noted(where, seats, date=date, rounds=rounds, minutes=minutes, cards=cards)


def _once(rows: list[tuple[int, dict[str, str]]], name: str) -> str:
    """Return what the rows of a play say of it; all that they say, if that is not one thing."""
    return " and ".join(dict.fromkeys(row[name] for _, row in rows if row.get(name)))


READER = Reader("CSV", fits, read, {"person": "player", **{name: name for name in COLUMNS}})
