"""A log of games that people played in the page: each is played again, and must end as the log says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import kept_files, names
from ..errors import UserError
from ..replay.interactive_game import ME, SavedGame, unsealed_game
from ..rules import load_ruleset
from ..rules.load import with_overlay
from .checking import LogFile, Noted, Reader, Reading
from .played import end_of

# --- The log
#
# What the page writes (analysis/web/games/log.js): a saved game for each entry, of whose rules only the changes are noted where
# a form made them; who the people were, if they wanted that; and in `summary` how it ended, for other readers.

PROGRAM, VERSION = "newdawn-balance-lab log", 1
WHAT = "a log of games that the page wrote"
AGAIN = "take back the change, or a copy of the file"


def is_log(source: LogFile) -> bool:
    """Say whether the file is such a log, sound or not."""
    return isinstance(source.data, dict) and source.data.get("program") == PROGRAM


def read_games(source: LogFile, reading: Reading) -> Iterator[Noted]:
    """Yield the games of the log; raise UserError if it has changed since it was written."""
    content = kept_files.opened(source.path, source.data, WHAT, AGAIN)
    if content.get("version") != VERSION:
        raise UserError(f"{source.path}: version: {content.get('version')!r} is not valid; expected {VERSION}")
    entries = content.get("games")
    if not isinstance(entries, list):
        raise UserError(f"{source.path}: games: expected a list, got {str(entries)[:40]!r}")
    for number, entry in enumerate(entries, start=1):
        where = f"game {number}"
        try:
            yield replace(_game(source, entry), where=where)
        except UserError as error:
            yield Noted(where, faults=(("", str(error).removeprefix(f"{source.path}: ")),))


def _game(source: LogFile, entry: Any) -> Noted:
    """Return a game of the log, played again."""
    if not isinstance(entry, dict) or not isinstance(entry.get("game"), dict):
        raise UserError("game: expected a saved game")
    saved = dict(entry["game"])
    rules = saved.get("ruleset")
    if isinstance(rules, dict) and "data" not in rules:
        saved["ruleset"] = rules | {"data": _data(rules)}
    kept = unsealed_game(source.path, saved)
    noted = end_of(source, kept)
    if noted.left or noted.faults:
        return noted
    said, found = _summary(entry), [seat.won == "yes" for seat in noted.seats]
    if said["won"] != [seat for seat, won in enumerate(found) if won] or said["rounds"] != int(noted.rounds):
        raise UserError("summary: played again, the game ends otherwise than the log says")
    people = _people(entry, kept)
    seats = (replace(seat, person=people.get(place, "")) for place, seat in enumerate(noted.seats))
    return replace(noted, seats=tuple(seats))


def _data(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules that the changes make of the printed game."""
    box, changes = rules.get("box"), rules.get("changes")
    if box not in names.BOXES or not isinstance(changes, dict):
        raise UserError(f"ruleset: expected a box, {' or '.join(names.BOXES)}, and its changes")
    overlay: dict[str, Any] = {}
    for path, value in changes.items():
        *steps, last = str(path).split(".")
        at = overlay
        for step in steps:
            at = at.setdefault(step, {})
            if not isinstance(at, dict):
                raise UserError(f"ruleset: {path}: another change is in its way")
        at[last] = value
    return with_overlay(load_ruleset(box=box), overlay, "changes").data


def _summary(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    said = entry.get("summary")
    if not isinstance(said, dict) or not isinstance(said.get("won"), list) or "rounds" not in said:
        raise UserError("summary: expected who won, and the rounds")
    return said


def _people(entry: Mapping[str, Any], kept: SavedGame) -> dict[int, str]:
    """Return the names of people by seat, of those who wanted that."""
    told = entry.get("people", {})
    known = {str(seat): seat for seat, word in enumerate(kept.seats) if word == ME}
    if not isinstance(told, dict) or not told.keys() <= known.keys():
        raise UserError(f"people: expected names by the seats of people, {', '.join(known)} (from 0)")
    return {known[seat]: str(name) for seat, name in told.items()}


LOG = Reader("log of the page", is_log, read_games, {})
