"""Plays as BoardGameGeek gives them: the XML of its interface (xmlapi2/plays), or the same as JSON.

The leader is what was noted as team or colour of a player. Programs that turn the XML into JSON write an attribute as `id`,
`@id` or `-id`, and one child as itself instead of a list; all are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .noted import Noted, NotedSeat, Reader, Source, is_this_game


def fits(source: Source) -> bool:
    """Say whether the file holds such plays."""
    if source.root is not None:
        return bool(source.root.tag == "plays")
    return _list_of_plays(source.data) is not None


def read(source: Source, game: str) -> Iterator[Noted]:
    """Yield the plays."""
    plays = _from_xml(source.root)["play"] if source.root is not None else _list_of_plays(source.data)
    for number, play in enumerate(_listed(plays), 1):
        where = f"play {number}"
        yield _play(where, _plain(play), game) if isinstance(play, dict) else Noted(where)


def _from_xml(node: Any) -> dict[str, Any]:
    """Return an element as JSON has it: attributes, and a list of children for each tag."""
    found: dict[str, Any] = dict(node.attrib)
    for child in node:
        found.setdefault(child.tag, []).append(_from_xml(child))
    return found | {"play": found.get("play", [])} if node.tag == "plays" else found


def _list_of_plays(data: Any) -> Any:
    """Return the plays in JSON; None if there are none with players."""
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


def _play(where: str, play: dict[str, Any], game: str) -> Noted:
    item = _plain(next(iter(_listed(play.get("item"))), None))
    title = str(item.get("name") or play.get("name") or "")
    if title and not is_this_game(title, game):
        return Noted(where, left="of other games")
    if _text(play, "incomplete") in ("1", "true"):
        return Noted(where, left="not played to the end")
    date = _text(play, "date") or _text(play, "playdate")
    where = f"{where} ({date})" if date else where
    if _text(play, "quantity") not in ("", "1"):
        return Noted(where, left="logged as several plays in one, which does not say who won which")
    inside = play.get("players")
    listed = [
        seat for part in _listed(inside) for seat in (_listed(part.get("player", part)) if isinstance(part, dict) else [])
    ]
    seats = tuple(_seat(f"{where}, player {k}", _plain(seat)) for k, seat in enumerate(listed, 1) if isinstance(seat, dict))
    minutes = _text(play, "length")
    return Noted(where, seats, _text(play, "id") or _text(play, "playid"), date, minutes="" if minutes == "0" else minutes)


def _seat(where: str, seat: dict[str, Any]) -> NotedSeat:
    person = _text(seat, "username") or _text(seat, "name")
    return NotedSeat(where, _text(seat, "color"), _text(seat, "win"), person, _text(seat, "startposition"))


def _text(data: dict[str, Any], key: str) -> str:
    return "" if data.get(key) is None else str(data[key]).strip()


READER = Reader(
    "BoardGameGeek", fits, read,
    {"leader": "color", "won": "win", "person": "name", "order": "startposition", "minutes": "length", "date": "date"},
)  # fmt: skip
