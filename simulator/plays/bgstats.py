"""The export of BG Stats (JSON): games, players, and plays whose `playerScores` are the seats.

The role is the leader, or the team, or what the comment says of a person. The turn order is `startPosition`; where that says
the first player only, as `startPlayer` does, the places at the table (`seatOrder`) tell the rest. 0 stands for nothing noted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import names
from .noted import Noted, NotedSeat, Reader, Source, is_anonymous
from .spelling import Titles


def fits(source: Source) -> bool:
    """Say whether the file is such an export."""
    data = source.data
    if not isinstance(data, dict) or not isinstance(data.get("plays"), list):
        return False
    return any(isinstance(play, dict) and "playerScores" in play for play in data["plays"]) or "games" in data


def read(source: Source, games: Titles) -> Iterator[Noted]:
    """Yield the plays."""
    known = {str(one.get("id")): one for one in _entries(source.data, "games")}
    people = {str(one.get("id")): _person(one) for one in _entries(source.data, "players")}
    for number, play in enumerate(source.data["plays"], 1):
        where = f"play {number}"
        yield _play(where, play, known, people, games) if isinstance(play, dict) else Noted(where)


def _play(where: str, play: dict[str, Any], known: dict[str, dict[str, Any]], people: dict[str, str], games: Titles) -> Noted:
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
    seats = tuple(_seat(f"{where}, player {k}", seat, people) for k, seat in enumerate(_entries(play, "playerScores"), 1))
    return Noted(
        where, seats, str(play.get("uuid") or ""), date, _number(play, "rounds"), _number(play, "durationMin"),
        _text(play, "board"), box or names.BOXES[names.BASE_BOX], comment=_text(play, "comments"),
    )  # fmt: skip


def _seat(where: str, seat: dict[str, Any], people: dict[str, str]) -> NotedSeat:
    return NotedSeat(
        where, _text(seat, "role"), str(seat.get("winner", "")), people.get(str(seat.get("playerRefId")), ""),
        order=_number(seat, "startPosition"), place=_number(seat, "seatOrder"),
        first="yes" if seat.get("startPlayer") is True else "", others=(_text(seat, "team"), _text(seat, "comment")),
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


READER = Reader(
    "BG Stats", fits, read,
    {"leader": "role", "won": "winner", "person": "player", "order": "startPosition", "place": "seatOrder",
     "first": "startPlayer", "rounds": "rounds", "minutes": "durationMin", "cards": "board", "date": "playDate"},
)  # fmt: skip
