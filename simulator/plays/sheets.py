"""Tables of plays: CSV files with a row a seat, or a row a play."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO

from ..errors import UserError, nearest
from .checking import YES, LogFile, Noted, NotedSeat, Reader, Titles, cited, folded

# --- A CSV file with a row a seat, or a row a play
#
# `newdawn plays new` writes a template; columns may have other names, too.
#
# A row a play has a column a person with the leader in it, and one that says who won ("Anna", "Rome"); or columns with
# numbers: "player 1", "leader 1", "player 2", …

# Column: what it holds, and what others call it in English, German and French; capitals, accents and signs do not matter.
COLUMNS = {
    "play": (
        "number or name of the play, the same for all of its seats",
        "id, play id, game id, partie, spielnummer, nr, numero",
    ),
    "leader": (
        "leader of the seat, in any spelling near enough",
        "color, colour, role, civ, civilization, team, anführer, volk, zivilisation, nation, farbe, dirigeant, civilisation, "
        "couleur",
    ),
    "won": (
        "yes for the winner (for each of several, if they share the win), no for the others",
        "win, winner, winners, sieg, sieger, gewinner, gewonnen, gagné, gagnant, vainqueur, victoire",
    ),
    "player": (
        "who sat there: the same person always by the same name",
        "name, person, username, spieler, spielerin, mitspieler, joueur, joueuse, nom",
    ),
    "order": (
        "place in the turn order, 1 for the first player",
        "start position, turn order, position, startposition, zugreihenfolge, reihenfolge, ordre, ordre du tour",
    ),
    "claimed": ("victory cards that the seat claimed", "agendas, agenden"),
    "date": ("day of the play, 2026-11-23", "playdate, day, datum, tag, jour"),
    "rounds": ("rounds that the game took", "runden, manches, tours"),
    "minutes": ("minutes that the game took", "length, duration, dauer, minuten, spieldauer, durée"),
    "cards": (
        "victory cards in play, by one agenda each, with semicolons between them",
        "victory cards, siegkarten, cartes victoire, cartes de victoire",
    ),
    "game": ("name of the game, if the file holds others, too", "game name, object name, item, spiel, jeu"),
    "comment": (
        "a comment, which may say who had which leader",
        "comments, note, notes, kommentar, bemerkung, commentaire, remarque",
    ),
    "first": ("who began", "start player, first player, startspieler, premier joueur"),
}
OF_SEATS = ("leader", "player", "won", "order", "claimed")  # what the columns with numbers may be
WINS = re.compile(
    r"\s*(?:\*|✓|\((?:w|won|win|winner|sieg|sieger|gagné|vainqueur)\))\s*$", re.IGNORECASE
)  # after a winner's leader
BETWEEN = re.compile(r"\s*(?:[,;+&／/|]|\b(?:and|und|et)\b)\s*", re.IGNORECASE)  # names of several winners
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


def is_sheet(source: LogFile) -> bool:
    """Say whether the file may be such a table: what else it is, is tried first."""
    return source.data is None and source.root is None


def read_sheet(source: LogFile, games: Titles) -> Iterator[Noted]:
    """Yield the plays; raise UserError if the columns are not there."""
    rows = _rows(source)
    header = next(rows, None)
    if header is None:
        raise UserError(f"{source.path}: is empty; expected a row of columns: {', '.join(COLUMNS)}", file=str(source.path))
    names = [cell.strip() for cell in header[1]]
    known = _known(names)
    wide = _wide(names, known)
    if wide:
        yield from (_wide_play(number, cells, names, known, wide, games) for number, cells in rows)
        return
    at = _columns(source, names, known)
    plays: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, cells in rows:
        row = _cells(cells, at)
        if any(row.values()):
            # A row without a play's name is one of its own, so that its fault has a place.
            plays.setdefault(row["play"] or f"(row {number})", []).append((number, row))
    yield from (_sheet_play(key, seats, games) for key, seats in plays.items())


def _cells(cells: list[str], at: dict[str, int]) -> dict[str, str]:
    return {name: cells[place].strip() if place < len(cells) else "" for name, place in at.items()}


def _rows(source: LogFile) -> Iterator[tuple[int, list[str]]]:
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


def _known(names: list[str]) -> list[str]:
    """Return for each name of a column which one it is, "" for none."""
    words = {folded(word): name for name, (_, others) in COLUMNS.items() for word in (name, *others.split(", "))}
    found = [words.get(folded(name), "") for name in names]
    if "play" not in found and "game" in found and folded(names[found.index("game")]) == "spiel":
        found[found.index("game")] = "play"  # in German it is both
    return found


def _columns(source: LogFile, names: list[str], known: list[str]) -> dict[str, int]:
    """Return the place of each column; raise UserError if one is missing or there twice."""
    at: dict[str, int] = {}
    for place, name in enumerate(known):
        if name in at:
            raise UserError(
                f"{source.path}: column '{names[place]}': {name} appears twice; expected it once", file=str(source.path)
            )
        if name:
            at[name] = place
    for name in NEEDED:
        if name not in at:
            raise UserError(
                f"{source.path}: column '{name}' is missing: expected {COLUMNS[name][0]} (`newdawn plays new FILE` writes a "
                f"template){nearest(name, names)}",
                file=str(source.path), field=name,
            )  # fmt: skip
    return at


def _wide(names: list[str], known: list[str]) -> list[dict[str, int]]:
    """Return for each seat of a row that is a play the places of its columns; [] if the rows are seats.

    A column of a person, whose name it bears, holds the leader.
    """
    if not {"leader", "player", "order"}.isdisjoint(known):
        return []
    numbered: dict[str, dict[str, int]] = {}
    for place, name in enumerate(names):
        found = re.fullmatch(r"(.*?)[\s_#]*(\d+)", name)
        kind = _known([found[1]])[0] if found else ""
        if found and kind in OF_SEATS:
            numbered.setdefault(found[2], {})[kind] = place
    seats = [numbered[number] for number in sorted(numbered, key=int) if "leader" in numbered[number]]
    if not seats:
        seats = [{"leader": place} for place, name in enumerate(names) if name and not known[place]]
    return seats if len(seats) > 1 else []


def _wide_play(
    number: int, cells: list[str], names: list[str], known: list[str], wide: list[dict[str, int]], games: Titles
) -> Noted:
    """Return the play of one row."""
    row, where = _cells(cells, {name: place for place, name in enumerate(known) if name}), f"row {number}"
    box = games.box(row["game"]) if row.get("game") else ""
    if box is None:
        return Noted(where, left="of other games")
    winners = {folded(name) for name in BETWEEN.split(row.get("won", "")) if folded(name)}
    seats, named = [], set()
    for k, at in enumerate(wide, 1):
        seat = _cells(cells, at)
        if not seat["leader"]:
            continue
        person = seat.get("player", "") if len(at) > 1 else names[at["leader"]]
        leader = WINS.sub("", seat["leader"])
        own = {folded(person), folded(leader), str(k)}
        named |= own
        won = seat.get("won") or ("yes" if own & winners or leader != seat["leader"] else "no")
        seats.append(
            NotedSeat(f"{where}, column '{names[at['leader']]}'", leader, won, person, seat.get("order", ""),
                      first="yes" if folded(row.get("first", "")) in own else "", claimed=seat.get("claimed", ""))
        )  # fmt: skip
    wrong = (("won", f"{cited(row['won'])}: expected a person or a leader of this row"),) if winners - named else ()
    facts = {name: row.get(name, "") for name in ("date", "rounds", "minutes", "cards", "comment")}
    return Noted(where, tuple(seats), box=box, faults=wrong, **facts)


def _sheet_play(key: str, rows: list[tuple[int, dict[str, str]]], games: Titles) -> Noted:
    """Return the play of some rows; what is the same for a play may stand in one of them."""
    numbers = [number for number, _ in rows]
    where = f"row {numbers[0]}" if len(numbers) == 1 else f"rows {min(numbers)}-{max(numbers)}"
    names = list(dict.fromkeys(row["game"] for _, row in rows if row.get("game")))
    if not rows[0][1]["play"]:
        return Noted(where, faults=(("play", f"is empty: expected {COLUMNS['play'][0]}"),))
    box = games.box(*names) if names else ""
    if box is None:
        return Noted(where, left="of other games")
    seats = tuple(
        NotedSeat(
            f"row {number}", row["leader"], row["won"], row.get("player", ""), row.get("order", ""),
            first="yes" if row.get("first", "").lower() in YES else "", claimed=row.get("claimed", ""),
            others=(row.get("comment", ""),),
        )
        for number, row in rows
    )  # fmt: skip
    date, rounds, minutes, cards, comment = (_once(rows, name) for name in ("date", "rounds", "minutes", "cards", "comment"))
    return Noted(where, seats, date=date, rounds=rounds, minutes=minutes, cards=cards, box=box, comment=comment)


def _once(rows: list[tuple[int, dict[str, str]]], name: str) -> str:
    """Return what the rows of a play say of it; all that they say, if that is not one thing."""
    return " and ".join(dict.fromkeys(row[name] for _, row in rows if row.get(name)))


SHEET = Reader("CSV", is_sheet, read_sheet, {"person": "player", **{name: name for name in COLUMNS}})
