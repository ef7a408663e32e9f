"""Logs of plays, each in its own format: BoardGameGeek, BG Stats, tables as CSV, and games that `newdawn play` kept."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

from .. import names
from ..engine.pieces import claims
from ..errors import UserError, nearest
from ..replay.interactive_game import ME, SavedGame, Sitting, game_of, is_game
from .checking import YES, LogFile, Noted, NotedSeat, Reader, Titles, cited, folded, is_anonymous

# --- Plays as BoardGameGeek gives them
#
# The XML of its interface (xmlapi2/plays), or the same as JSON.
#
# It gives a hundred plays at a time; pages that were saved one after the other in one file are read as one. The leader is
# what was noted as team or colour of a player, or what the comment says of a person. Programs that turn the XML into JSON
# write an attribute as `id`, `@id` or `-id`, and one child as itself instead of a list; all are read.

TEXT = "#text"  # of an element
PAGES = "pages"  # the element around several documents


def joined(text: str) -> str:
    """Return several XML documents, one after the other, as one; one alone as it is."""
    if len(re.findall(r"<plays[\s>]", text)) < 2:
        return text
    return f"<{PAGES}>{re.sub(r'<[?]xml[^>]*[?]>', '', text)}</{PAGES}>"


def is_bgg(source: LogFile) -> bool:
    """Say whether the file holds such plays."""
    if source.root is not None:
        return all(page.tag == "plays" for page in _pages(source.root))
    return _list_of_plays(source.data) is not None


def read_bgg(source: LogFile, games: Titles) -> Iterator[Noted]:
    """Yield the plays."""
    if source.root is not None:
        plays = [play for page in _pages(source.root) for play in _from_xml(page)["play"]]
    else:
        plays = _list_of_plays(source.data)
    for number, play in enumerate(_listed(plays), 1):
        where = f"play {number}"
        yield _bgg_play(where, _plain(play), games) if isinstance(play, dict) else Noted(where)


def _pages(root: Any) -> list[Any]:
    return list(root) if root.tag == PAGES else [root]


def _from_xml(node: Any) -> dict[str, Any]:
    """Return an element as JSON has it: attributes, and a list of children for each tag."""
    found: dict[str, Any] = dict(node.attrib) | ({TEXT: node.text} if node.text and node.text.strip() else {})
    for child in node:
        found.setdefault(child.tag, []).append(_from_xml(child))
    return found | {"play": found.get("play", [])} if node.tag == "plays" else found


def _list_of_plays(data: Any) -> Any:
    """Return the plays in JSON, of a list of pages those of all; None if there are none with players."""
    if isinstance(data, list) and any(isinstance(page, dict) and "plays" in page for page in data):
        pages = [_list_of_plays(page) for page in data]
        return [play for page in pages for play in _listed(page)]
    for key in ("plays", "play"):
        data = data.get(key, data) if isinstance(data, dict) else data
    plays = _listed(data)
    return plays if any(isinstance(play, dict) and "players" in play for play in plays) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _plain(data: Any) -> dict[str, Any]:
    """Return an entry under the names that attributes have in XML; {} for what is none."""
    if not isinstance(data, dict):
        return {}
    return {str(key).lstrip("@-"): value for key, value in data.items()}


def _bgg_play(where: str, play: dict[str, Any], games: Titles) -> Noted:
    item = _plain(next(iter(_listed(play.get("item"))), None))
    title, number = str(item.get("name") or play.get("name") or ""), _bgg_text(item, "objectid")
    box = games.box(title, number=number) if title or number else ""
    if box is None:
        return Noted(where, left="of other games")
    if _bgg_text(play, "incomplete") in ("1", "true"):
        return Noted(where, left="not played to the end")
    date = _bgg_text(play, "date") or _bgg_text(play, "playdate")
    where = f"{where} ({date})" if date else where
    if _bgg_text(play, "quantity") not in ("", "1"):
        return Noted(where, left="logged as several plays in one, which does not say who won which")
    inside = play.get("players")
    listed = [
        seat for part in _listed(inside) for seat in (_listed(part.get("player", part)) if isinstance(part, dict) else [])
    ]
    seats = tuple(_bgg_seat(f"{where}, player {k}", _plain(seat)) for k, seat in enumerate(listed, 1) if isinstance(seat, dict))
    minutes = _bgg_text(play, "length")
    return Noted(
        where, seats, _bgg_text(play, "id") or _bgg_text(play, "playid"), date,
        minutes="" if minutes == "0" else minutes, box=box, comment=_comment(play),
    )  # fmt: skip


def _bgg_seat(where: str, seat: dict[str, Any]) -> NotedSeat:
    person = _bgg_text(seat, "username") or _bgg_text(seat, "name")
    return NotedSeat(
        where, _bgg_text(seat, "color"), _bgg_text(seat, "win"), "" if is_anonymous(person) else person,
        _bgg_text(seat, "startposition"),
        others=tuple(_bgg_text(seat, key) for key in ("colour", "team", "role", "comment")),
    )  # fmt: skip


def _comment(play: dict[str, Any]) -> str:
    """Return the comment on a play: an element of text in XML, a text or an entry with one in JSON."""
    found = [one.get(TEXT, "") if isinstance(one, dict) else one for one in _listed(play.get("comments"))]
    return "\n".join(one.strip() for one in found if isinstance(one, str))


def _bgg_text(data: dict[str, Any], key: str) -> str:
    return "" if data.get(key) is None else str(data[key]).strip()


BGG = Reader(
    "BoardGameGeek", is_bgg, read_bgg,
    {"leader": "color", "won": "win", "person": "name", "order": "startposition", "minutes": "length", "date": "date"},
)  # fmt: skip


# --- The export of BG Stats (JSON)
#
# Games, players, and plays whose `playerScores` are the seats.
#
# The role is the leader, or the team, or what the comment says of a person. The turn order is `startPosition`; where that
# says the first player only, as `startPlayer` does, the places at the table (`seatOrder`) tell the rest. 0 stands for nothing
# noted.


def is_bgs(source: LogFile) -> bool:
    """Say whether the file is such an export."""
    data = source.data
    if not isinstance(data, dict) or not isinstance(data.get("plays"), list):
        return False
    return any(isinstance(play, dict) and "playerScores" in play for play in data["plays"]) or "games" in data


def read_bgs(source: LogFile, games: Titles) -> Iterator[Noted]:
    """Yield the plays."""
    known = {str(one.get("id")): one for one in _entries(source.data, "games")}
    people = {str(one.get("id")): _person(one) for one in _entries(source.data, "players")}
    for number, play in enumerate(source.data["plays"], 1):
        where = f"play {number}"
        yield _bgs_play(where, play, known, people, games) if isinstance(play, dict) else Noted(where)


def _bgs_play(
    where: str, play: dict[str, Any], known: dict[str, dict[str, Any]], people: dict[str, str], games: Titles
) -> Noted:
    game = known.get(str(play.get("gameRefId")), {})
    expansions = [known.get(str(one.get("gameRefId")), {}) for one in _entries(play, "expansionPlays")]
    more = [title for one in expansions for title in _titles(one)]
    box = games.box(*_titles(game), number=_number(game, "bggId"), more=more)
    if box is None:
        return Noted(where, left="of other games")
    if play.get("ignored") is True:
        return Noted(where, left="ignored in BG Stats")
    date = str(play.get("playDate") or "").partition(" ")[0]
    where = f"{where} ({date})" if date else where
    seats = tuple(_bgs_seat(f"{where}, player {k}", seat, people) for k, seat in enumerate(_entries(play, "playerScores"), 1))
    return Noted(
        where, seats, str(play.get("uuid") or ""), date, _number(play, "rounds"), _number(play, "durationMin"),
        _bgs_text(play, "board"), box or names.BOXES[names.BASE_BOX], comment=_bgs_text(play, "comments"),
    )  # fmt: skip


def _bgs_seat(where: str, seat: dict[str, Any], people: dict[str, str]) -> NotedSeat:
    return NotedSeat(
        where, _bgs_text(seat, "role"), str(seat.get("winner", "")), people.get(str(seat.get("playerRefId")), ""),
        order=_number(seat, "startPosition"), place=_number(seat, "seatOrder"),
        first="yes" if seat.get("startPlayer") is True else "", others=(_bgs_text(seat, "team"), _bgs_text(seat, "comment")),
    )  # fmt: skip


def _person(data: dict[str, Any]) -> str:
    """Return the name of a person, "" for the anonymous player, who is somebody else each time."""
    name = _bgs_text(data, "name")
    return "" if data.get("isAnonymous") is True or is_anonymous(name) else name


def _titles(data: dict[str, Any]) -> tuple[str, ...]:
    """Return what a game is called: by its owner, and by BoardGameGeek."""
    return _bgs_text(data, "name"), _bgs_text(data, "bggName")


def _entries(data: Any, name: str) -> list[dict[str, Any]]:
    found = data.get(name) if isinstance(data, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _bgs_text(data: dict[str, Any], key: str) -> str:
    return "" if data.get(key) is None else str(data[key]).strip()


def _number(data: dict[str, Any], key: str) -> str:
    """Return a number as text; BG Stats writes 0 where nothing was noted."""
    return "" if data.get(key) in (None, 0, "0", "") else str(data[key]).strip()


BGS = Reader(
    "BG Stats", is_bgs, read_bgs,
    {"leader": "role", "won": "winner", "person": "player", "order": "startPosition", "place": "seatOrder",
     "first": "startPlayer", "rounds": "rounds", "minutes": "durationMin", "cards": "board", "date": "playDate"},
)  # fmt: skip


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


# --- Games that `newdawn play` kept, as files of choices
#
# Played again, they say who won.
#
# A seat says whether a person or which strategy played it. A file does not say who the person was.


def is_played(source: LogFile) -> bool:
    """Say whether the file is such a game."""
    return is_game(source.data)


def read_played(source: LogFile, games: Titles) -> Iterator[Noted]:
    """Yield the game of the file; what it is called makes no difference, for the file knows what it is."""
    sitting = None
    try:
        kept = game_of(source.path, source.data)
        sitting = kept.sitting()
        for at in range(len(kept.choices)):
            if sitting.question is None:
                raise UserError("the game is over; expected no more")
            sitting.answer(kept.chosen(at, sitting.question))
        yield _noted(source, kept, sitting)
    except UserError as error:
        where = "" if sitting is None else f"choices[{len(sitting.choices)}]"
        said = str(error).removeprefix(f"{source.path}: ").removeprefix(f"{where}: ")
        yield Noted("", faults=((where, said),))
    finally:
        if sitting is not None:
            sitting.close()


def _noted(source: LogFile, kept: SavedGame, sitting: Sitting) -> Noted:
    """Return the play; one without an end is left."""
    if not sitting.over:
        when = sitting.table.when() if sitting.laid else "the map is being laid"
        return Noted("", left=f"not played to the end ({source.path}: {when[:1].lower()}{when[1:]})")
    g, words, seats = sitting.state, sitting.table.words, range(kept.plan.players)
    if not any(g.winner[seat] for seat in seats):
        return Noted("", left=f"without a winner ({source.path}: {sitting.closing[:1].lower()}{sitting.closing[1:]})")
    cards = "; ".join(words.victory_card(int(g.victory_card[k])) for k in range(int(g.victory_count)))
    return Noted(
        "", tuple(_played_seat(kept, sitting, seat) for seat in seats), _key(kept),
        rounds=str(int(g.round_number)), cards=cards, box=kept.ruleset.box, rules=kept.ruleset.digest(),
    )  # fmt: skip


def _played_seat(kept: SavedGame, sitting: Sitting, seat: int) -> NotedSeat:
    g, word = sitting.state, kept.seats[seat]
    return NotedSeat(
        f"seat {seat + 1}", sitting.table.words.short(seat), "yes" if g.winner[seat] else "no",
        order=str((seat - int(g.opened)) % kept.plan.players + 1), claimed=str(int(claims(g, seat))),
        strategy="" if word == ME else word,
    )  # fmt: skip


def _key(kept: SavedGame) -> str:
    """Return what a copy of the file has, too."""
    return hashlib.sha256(repr((kept.ruleset.digest(), kept.plan, kept.game, kept.choices)).encode()).hexdigest()


PLAYED = Reader("newdawn play", is_played, read_played, {})
