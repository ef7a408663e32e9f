"""Files of value networks, and which are in use (`networks.STORE`). Nothing here is compiled."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from newdawn.simulator.errors import UserError
from newdawn.simulator.limits import MAX_PLAYERS
from newdawn.strategies.learned.facts import NAMES
from newdawn.strategies.learned.networks import PARTS, PLACES, STORE, new_network
from newdawn.strategies.profiles import is_path

FOLDER = Path(__file__).parent / "learned" / "networks"

_places: dict[str, int] = {}
_loaded: dict[tuple[str, int], bool] = {}


def file_of(name: str, players: int) -> Path:
    """Return the file of a network for so many players: of the package by a plain name, else beside that path."""
    path = Path(name) if is_path(name) else FOLDER / name
    return path.with_name(f"{path.name}_{players}p.npz")


def write(file: Any, net: np.record, about: dict[str, Any]) -> None:
    """Write a network into an open file, with what it was trained on."""
    arrays: dict[str, Any] = {part: net[part] for part in PARTS}
    np.savez(file, facts=np.array(NAMES), about=np.array(json.dumps(about)), **arrays)


def read(path: Path) -> tuple[np.record, dict[str, Any]]:
    """Read a network and what is said about it; raise UserError if it is none, or sees other facts than this program."""
    net = new_network()
    try:
        with np.load(path, allow_pickle=False) as file:
            if [str(name) for name in file["facts"]] != NAMES:
                raise UserError(f"{path}: trained on other facts than this version knows; train it anew")
            for part in PARTS:
                if file[part].shape != net[part].shape:
                    raise UserError(f"{path}: {part} has the shape {file[part].shape}, expected {net[part].shape}")
                net[part] = file[part]
            return net, json.loads(str(file["about"]))
    except (OSError, ValueError, KeyError, EOFError) as error:
        reason = getattr(error, "strerror", None) or "not a network of this program"
        raise UserError(f"{path}: {reason}; expected what `newdawn strategies train` wrote") from None


def digest(name: str) -> str:
    """Return the digest of the files of a network for all numbers of players that there are."""
    found = hashlib.sha256()
    for players in range(2, MAX_PLAYERS + 1):
        path = file_of(name, players)
        if path.is_file():
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def place(name: str) -> int:
    """Return the place in the store that belongs to a network; the same name has the same place while the process lives."""
    if name not in _places:
        if len(_places) == PLACES - 1:
            raise UserError(f"networks: more than {PLACES - 1} at a time")
        _places[name] = len(_places) + 1
    return _places[name]


def use(name: str, players: int) -> int:
    """Load the network for so many players, if it is not yet, and return its place in the store."""
    where = place(name)
    if (name, players) not in _loaded:
        STORE[where, players] = read(file_of(name, players))[0]
        _loaded[name, players] = True
    return where


def put(name: str, players: int, net: np.record) -> int:
    """Put a network into the store without a file (training does), and return its place."""
    where = place(name)
    STORE[where, players] = net
    _loaded[name, players] = True
    return where
