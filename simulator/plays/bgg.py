"""Plays as BoardGameGeek gives them: the XML of its interface (xmlapi2/plays), or the same as JSON.

It gives a hundred plays at a time; pages that were saved one after the other in one file are read as one. The leader is what
was noted as team or colour of a player, or what the comment says of a person. Programs that turn the XML into JSON write an
attribute as `id`, `@id` or `-id`, and one child as itself instead of a list; all are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .noted import Noted, NotedSeat, Reader, Source, is_anonymous
from .spelling import Titles

TEXT = "#text"  # of an element
PAGES = "pages"  # the element around several documents


def joined(text: str) -> str:
    """Return several XML documents, one after the other, as one; one alone as it is."""
    if len(re.findall(r"<plays[\s>]", text)) < 2:
        return text
    return f"<{PAGES}>{re.sub(r'<[?]xml[^>]*[?]>', '', text)}</{PAGES}>"


def fits(source: Source) -> bool:
    """Say whether the file holds such plays."""
    if source.root is not None:
        return all(page.tag == "plays" for page in _pages(source.root))
    return _list_of_plays(source.data) is not None


def read(source: Source, games: Titles) -> Iterator[Noted]:
    """Yield the plays."""
    if source.root is not None:
        plays = [play for page in _pages(source.root) for play in _from_xml(page)["play"]]
    else:
        plays = _list_of_plays(source.data)
    for number, play in enumerate(_listed(plays), 1):
        where = f"play {number}"
        yield _play(where, _plain(play), games) if isinstance(play, dict) else Noted(where)


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


def _play(where: str, play: dict[str, Any], games: Titles) -> Noted:
    item = _plain(next(iter(_listed(play.get("item"))), None))
    title, number = str(item.get("name") or play.get("name") or ""), _text(item, "objectid")
    box = games.box(title, number=number) if title or number else ""
    if box is None:
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
    return Noted(
        where, seats, _text(play, "id") or _text(play, "playid"), date, minutes="" if minutes == "0" else minutes, box=box,
        comment=_comment(play),
    )  # fmt: skip


def _seat(where: str, seat: dict[str, Any]) -> NotedSeat:
    person = _text(seat, "username") or _text(seat, "name")
    return NotedSeat(
        where, _text(seat, "color"), _text(seat, "win"), "" if is_anonymous(person) else person, _text(seat, "startposition"),
        others=tuple(_text(seat, key) for key in ("colour", "team", "role", "comment")),
    )  # fmt: skip


def _comment(play: dict[str, Any]) -> str:
    """Return the comment on a play: an element of text in XML, a text or an entry with one in JSON."""
    found = [one.get(TEXT, "") if isinstance(one, dict) else one for one in _listed(play.get("comments"))]
    return "\n".join(one.strip() for one in found if isinstance(one, str))


def _text(data: dict[str, Any], key: str) -> str:
    return "" if data.get(key) is None else str(data[key]).strip()


READER = Reader(
    "BoardGameGeek", fits, read,
    {"leader": "color", "won": "win", "person": "name", "order": "startposition", "minutes": "length", "date": "date"},
)  # fmt: skip
