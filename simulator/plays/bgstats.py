"""The export of BG Stats (JSON): games, players, and plays whose `playerScores` are the seats. The role is the leader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import names
from .noted import Noted, NotedSeat, Reader, Source, is_expansion, is_this_game


def fits(source: Source) -> bool:
    """Say whether the file is such an export."""
    data = source.data
    if not isinstance(data, dict) or not isinstance(data.get("plays"), list):
        return False
    return any(isinstance(play, dict) and "playerScores" in play for play in data["plays"]) or "games" in data


def read(source: Source, game: str) -> Iterator[Noted]:
    """Yield the plays."""
    titles = {str(one.get("id")): _text(one, "name", "bggName") for one in _entries(source.data, "games")}
    people = {str(one.get("id")): _text(one, "name") for one in _entries(source.data, "players")}
    for number, play in enumerate(source.data["plays"], 1):
        where = f"play {number}"
        yield _play(where, play, titles, people, game) if isinstance(play, dict) else Noted(where)


def _play(where: str, play: dict[str, Any], titles: dict[Any, str], people: dict[Any, str], game: str) -> Noted:
    if not is_this_game(titles.get(str(play.get("gameRefId")), ""), game):
        return Noted(where, left="of other games")
    if play.get("ignored") is True:
        return Noted(where, left="ignored in BG Stats")
    date = str(play.get("playDate") or "").partition(" ")[0]
    where = f"{where} ({date})" if date else where
    more = [titles.get(str(one.get("gameRefId")), "") for one in _entries(play, "expansionPlays")]
    box = names.BOXES[names.TI_BOX if any(map(is_expansion, more)) else names.BASE_BOX]
    seats = tuple(_seat(f"{where}, player {k}", seat, people) for k, seat in enumerate(_entries(play, "playerScores"), 1))
    return Noted(
        where, seats, str(play.get("uuid") or ""), date, _number(play, "rounds"), _number(play, "durationMin"),
        _text(play, "board"), box,
    )  # fmt: skip


def _seat(where: str, seat: dict[str, Any], people: dict[Any, str]) -> NotedSeat:
    order, first = _number(seat, "seatOrder"), seat.get("startPlayer")
    return NotedSeat(
        where, _text(seat, "role"), str(seat.get("winner", "")), people.get(str(seat.get("playerRefId")), ""),
        place=order, first="yes" if first is True else "",
    )  # fmt: skip


def _entries(data: Any, name: str) -> list[dict[str, Any]]:
    found = data.get(name) if isinstance(data, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(data: dict[str, Any], *keys: str) -> str:
    """Return what stands under these keys, one after the other: a game has a name of its own and one of BGG's."""
    return " ".join(str(data[key]).strip() for key in keys if data.get(key) not in (None, ""))


def _number(data: dict[str, Any], key: str) -> str:
    """Return a number as text; BG Stats writes 0 where nothing was noted."""
    return "" if data.get(key) in (None, 0, "0", "") else str(data[key])


READER = Reader(
    "BG Stats", fits, read,
    {"leader": "role", "won": "winner", "person": "player", "order": "seatOrder", "place": "seatOrder", "first": "startPlayer",
     "rounds": "rounds", "minutes": "durationMin", "cards": "board", "date": "playDate"},
)  # fmt: skip
