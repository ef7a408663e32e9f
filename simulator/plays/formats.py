"""Logs of plays as programs export them: BoardGameGeek, BG Stats, NemeStats, Board Game Arena."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .. import names
from ..errors import UserError
from .checking import LogFile, Noted, NotedSeat, Reader, Reading
from .spelling import Titles, is_anonymous
from .values import rank_of

# --- Plays as BoardGameGeek gives them
#
# The XML of its interface (xmlapi2/plays), or the same as JSON.
#
# It gives a hundred plays at a time; pages that were saved one after the other in one file are read as one. The leader is
# what was noted as team or colour of a player, or what the comment says of a person. Programs that turn the XML into JSON
# write an attribute as `id`, `@id` or `-id`, and one child as itself instead of a list; all are read.

TEXT = "#text"  # of an element
NO_DATE = "0000-00-00"  # of a play whose day was not noted
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


def read_bgg(source: LogFile, reading: Reading) -> Iterator[Noted]:
    """Yield the plays."""
    if source.root is not None:
        plays = [play for page in _pages(source.root) for play in _from_xml(page)["play"]]
    else:
        plays = _list_of_plays(source.data)
    for number, play in enumerate(_listed(plays), 1):
        where = f"play {number}"
        yield _bgg_play(where, _plain(play), reading.games) if isinstance(play, dict) else Noted(where)


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
    title, number = str(item.get("name") or play.get("name") or ""), _text(item, "objectid")
    box = games.box(title, number=number) if title or number else ""
    if box is None:
        return Noted(where, left="of other games")
    if _text(play, "incomplete") in ("1", "true"):
        return Noted(where, left="not played to the end")
    date = _text(play, "date") or _text(play, "playdate")
    date = "" if date == NO_DATE else date
    where = f"{where} ({date})" if date else where
    if _text(play, "quantity") not in ("", "1"):
        return Noted(where, left="logged as several plays in one, which does not say who won which")
    inside = play.get("players")
    listed = [
        seat for part in _listed(inside) for seat in (_listed(part.get("player", part)) if isinstance(part, dict) else [])
    ]
    seats = tuple(_bgg_seat(f"{where}, player {k}", _plain(seat)) for k, seat in enumerate(listed, 1) if isinstance(seat, dict))
    minutes = _text(play, "length")
    return Noted(
        where, seats, _text(play, "id") or _text(play, "playid"), date,
        minutes="" if minutes == "0" else minutes, box=box, comment=_comment(play),
    )  # fmt: skip


def _bgg_seat(where: str, seat: dict[str, Any]) -> NotedSeat:
    person = _text(seat, "username") or _text(seat, "name")
    return NotedSeat(
        where, _text(seat, "color"), _text(seat, "win"), "" if is_anonymous(person) else person,
        _text(seat, "startposition"),
        others=tuple(_text(seat, key) for key in ("colour", "team", "role", "comment")),
    )  # fmt: skip


def _comment(play: dict[str, Any]) -> str:
    """Return the comment on a play: an element of text in XML, a text or an entry with one in JSON."""
    found = [one.get(TEXT, "") if isinstance(one, dict) else one for one in _listed(play.get("comments"))]
    return "\n".join(one.strip() for one in found if isinstance(one, str))


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


def read_bgs(source: LogFile, reading: Reading) -> Iterator[Noted]:
    """Yield the plays."""
    known = {str(one.get("id")): one for one in _entries(source.data, "games")}
    people = {str(one.get("id")): _person(one) for one in _entries(source.data, "players")}
    for number, play in enumerate(source.data["plays"], 1):
        where = f"play {number}"
        yield _bgs_play(where, play, known, people, reading.games) if isinstance(play, dict) else Noted(where)


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
        _text(play, "board"), box or names.BOXES[names.BASE_BOX], comment=_text(play, "comments"),
        teams=play.get("usesTeams") is True,
    )  # fmt: skip


def _bgs_seat(where: str, seat: dict[str, Any], people: dict[str, str]) -> NotedSeat:
    return NotedSeat(
        where, _text(seat, "role"), str(seat.get("winner", "")), people.get(str(seat.get("playerRefId")), ""),
        order=_number(seat, "startPosition"), place=_number(seat, "seatOrder"),
        first="yes" if seat.get("startPlayer") is True else "", others=(_text(seat, "team"), _text(seat, "comment")),
        team=_text(seat, "team"),
    )  # fmt: skip


def _person(data: dict[str, Any]) -> str:
    """Return the name of a person, "" for the anonymous player, who is somebody else each time."""
    name = _text(data, "name")
    return "" if data.get("isAnonymous") is True or is_anonymous(name) else name


def _titles(data: dict[str, Any]) -> tuple[str, ...]:
    """Return what a game is called: by its owner, and by BoardGameGeek."""
    return _text(data, "name"), _text(data, "bggName")


def _entries(data: Any, name: str) -> list[dict[str, Any]]:
    found = data.get(name) if isinstance(data, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(data: dict[str, Any], key: str) -> str:
    return "" if data.get(key) is None else str(data[key]).strip()


def _number(data: dict[str, Any], key: str) -> str:
    """Return a number as text; BG Stats writes 0 where nothing was noted."""
    return "" if data.get(key) in (None, 0, "0", "") else str(data[key]).strip()


BGS = Reader(
    "BG Stats", is_bgs, read_bgs,
    {"leader": "role", "won": "winner", "person": "player", "order": "startPosition", "place": "seatOrder",
     "first": "startPlayer", "rounds": "rounds", "minutes": "durationMin", "cards": "board", "date": "playDate"},
)  # fmt: skip


# --- Plays as NemeStats gives them (JSON)
#
# `playedGames`, whose `playerGameResults` have a rank; the leader stands beside the name, or in the notes.


def is_nemestats(source: LogFile) -> bool:
    """Say whether the file holds such plays."""
    return isinstance(source.data, dict) and isinstance(source.data.get("playedGames"), list)


def read_nemestats(source: LogFile, reading: Reading) -> Iterator[Noted]:
    """Yield the plays."""
    reading.columns = [("gameRank", "who won: 1"), ("playerName, notes", "person, leader")]
    for number, play in enumerate(source.data["playedGames"], 1):
        where = f"play {number}"
        yield _nemestats_play(where, play, reading.games) if isinstance(play, dict) else Noted(where)


def _nemestats_play(where: str, play: dict[str, Any], games: Titles) -> Noted:
    title, number = _text(play, "gameDefinitionName"), _number(play, "boardGameGeekGameDefinitionId")
    box = games.box(title, number=number) if title or number else ""
    if box is None:
        return Noted(where, left="of other games")
    date = _text(play, "datePlayed").partition("T")[0]
    where = f"{where} ({date})" if date else where
    seats = []
    for k, seat in enumerate(_entries(play, "playerGameResults"), 1):
        rank = rank_of(_text(seat, "gameRank"))
        seats.append(
            NotedSeat(
                f"{where}, player {k}", "", "?" if rank is None else "yes" if rank == 1 else "no", _text(seat, "playerName")
            )
        )
    return Noted(where, tuple(seats), _text(play, "playedGameId"), date, box=box, comment=_text(play, "notes"))


NEMESTATS = Reader(
    "NemeStats", is_nemestats, read_nemestats,
    {"leader": "playerName", "won": "gameRank", "person": "playerName", "date": "datePlayed", "comment": "notes"},
)  # fmt: skip


# --- Tables of Board Game Arena (JSON), which know people and ranks, and not leaders


def is_bga(source: LogFile) -> bool:
    """Say whether the file holds such tables."""
    data = source.data.get("data", source.data) if isinstance(source.data, dict) else None
    tables = data.get("tables") if isinstance(data, dict) else None
    return isinstance(tables, list) and any(isinstance(one, dict) and "player_names" in one for one in tables)


def read_bga(source: LogFile, reading: Reading) -> Iterator[Noted]:
    """Refuse the tables with what would work."""
    raise UserError(
        f"{source.path}: tables of Board Game Arena do not say who had which leader; expected a table of plays that does: "
        "`newdawn plays new plays.csv` writes one to fill in, and `newdawn plays import plays.csv` reads it",
        file=str(source.path),
    )
    yield


BGA = Reader("Board Game Arena", is_bga, read_bga, {})
