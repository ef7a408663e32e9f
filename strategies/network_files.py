"""Files of networks, values and policies, and which are in use (their `STORE`). Nothing here is compiled."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..simulator import limits
from ..simulator.errors import UserError
from ..simulator.ours import write_whole
from ..simulator.reading import arrays_in, clean, plainly
from .learned import facts, marks, networks, policy
from .learned.facts import N_FACTS
from .learned.networks import PLACES
from .profiles import is_path


@dataclass(frozen=True)
class Kind:
    """A kind of network: where those of the package lie, where those in use lie, its parts, and what it sees."""

    folder: str
    store: np.ndarray
    parts: tuple[str, ...]
    sees: tuple[str, ...]  # facts of a situation, and what is said of an option behind them
    rows: Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]]  # by part, its rows for facts and marks of these numbers


VALUE = Kind("networks", networks.STORE, networks.PARTS, tuple(facts.NAMES), lambda known, _: {"first": known, "direct": known})
POLICY = Kind(
    "policies", policy.STORE, policy.PARTS, (*facts.NAMES, *marks.NAMES),
    lambda known, said: {
        "situation": np.concatenate([known, N_FACTS + known, np.arange(2 * N_FACTS, policy.N_SITUATION)]),
        "marks": said,
        "direct": said,
    },
)  # fmt: skip

WHAT = "a network that `newdawn strategies train` wrote"
MOST_BYTES = 8_000_000  # of a network; the largest has half a million
PACKAGED = "packaged"  # in a profile: the network of the package for the box that is played

_places: dict[str, int] = {}
_loaded: set[tuple[str, str, int]] = set()


def in_box(name: str, box: str) -> str:
    """Return the name of a profile's network in a box: those of the package are called like the boxes."""
    return box if name == PACKAGED else name


def knows(name: str) -> list[int]:
    """Return for which numbers of players there is such a network."""
    return [players for players in range(2, limits.MAX_PLAYERS + 1) if file_of(name, players).is_file()]


def file_of(name: str, players: int, kind: Kind = VALUE) -> Path:
    """Return the file of a network for so many players, or for any number if there is only that.

    It is of the package by a plain name, else beside that path.
    """
    path = Path(name) if is_path(name) else Path(__file__).parent / "learned" / kind.folder / name
    own, common = path.with_name(f"{path.name}_{players}p.npz"), path.with_name(f"{path.name}.npz")
    return common if common.is_file() and not own.is_file() else own


def write(path: Path, net: np.record, about: dict[str, Any], kind: Kind = VALUE) -> None:
    """Write a network into a file, whole or not at all, with what it was trained on. May raise OSError."""
    arrays: dict[str, Any] = {part: net[part] for part in kind.parts}
    content = io.BytesIO()
    np.savez(content, facts=np.array(kind.sees), about=np.array(json.dumps(about)), **arrays)
    write_whole(path, content.getvalue())


def _known(sees: tuple[str, ...], kind: Kind) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the numbers of the facts and of the marks that a network sees; None if this program does not know what it sees."""
    known = kind.sees[:N_FACTS], kind.sees[N_FACTS:]
    first = sees.index(known[1][0]) if known[1] and known[1][0] in sees else len(sees)
    seen = sees[:first], sees[first:]
    if bool(known[1]) != bool(seen[1]):
        return None  # a value, not a policy
    if any(set(ours) - set(all_) for ours, all_ in zip(seen, known, strict=True)):
        return None
    facts_seen, marks_seen = (
        np.array([all_.index(name) for name in ours], int) for ours, all_ in zip(seen, known, strict=True)
    )
    return facts_seen, marks_seen


def read(path: Path, kind: Kind = VALUE) -> tuple[np.record, dict[str, Any]]:
    """Read a network and what is said about it; raise UserError if it is none, or sees facts that this program does not know.

    Facts and marks that came later than the network count for nothing in it.
    """
    net = np.zeros(1, kind.store.dtype).view(np.recarray)[0]
    file = arrays_in(path, WHAT, MOST_BYTES)
    with plainly(path, WHAT):
        sees = tuple(str(name) for name in file["facts"])
        known = _known(sees, kind)
        if known is None:
            raise UserError(f"{path}: trained on facts that this version does not know; train it again")
        if any(len(set(part.tolist())) < len(part) for part in known):
            raise UserError(f"{path}: names a fact twice; expected {WHAT}")
        rows = kind.rows(*known)
        for part in kind.parts:
            where = rows.get(part, np.arange(len(net[part])))
            expected = (len(where), *net[part].shape[1:])
            if file[part].shape != expected:
                raise UserError(f"{path}: {part} has the shape {file[part].shape}, expected {expected}")
            if file[part].dtype.kind != "f":
                raise UserError(f"{path}: {part} holds {file[part].dtype}, expected numbers with a point")
            with np.errstate(over="ignore"):
                net[part][where] = file[part]
            if not np.isfinite(net[part]).all():
                raise UserError(f"{path}: {part} holds numbers that are too large")
        about = clean(json.loads(str(file["about"])))
        if not isinstance(about, dict):
            raise UserError(f"{path}: about: expected what a training says of itself")
        return net, about


def digest(name: str, kind: Kind = VALUE) -> str:
    """Return the digest of the files of a network for all numbers of players that there are."""
    found = hashlib.sha256()
    for players in range(2, limits.MAX_PLAYERS + 1):
        path = file_of(name, players, kind)
        if path.is_file():
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def place(name: str) -> int:
    """Return the place in the stores that belongs to a name; it is the same one while the process lives."""
    if name not in _places:
        if len(_places) == PLACES - 1:
            raise UserError(f"networks: more than {PLACES - 1} at a time")
        _places[name] = len(_places) + 1
    return _places[name]


def use(name: str, players: int, kind: Kind = VALUE) -> int:
    """Load the network for so many players, if it is not yet, and return its place in the store."""
    if (kind.folder, name, players) not in _loaded:
        if not is_path(name) and not file_of(name, players, kind).is_file():
            raise UserError(
                f"no learned player of the package knows {name} with {players} players; expected planner, or one of your own "
                f"that `newdawn strategies train --box {name} --players {players}` has trained"
            )
        put(name, players, read(file_of(name, players, kind), kind)[0], kind)
    return place(name)


def put(name: str, players: int, net: np.record, kind: Kind = VALUE) -> int:
    """Put a network into the store without a file (training does), and return its place."""
    where = place(name)
    kind.store[where, players] = net
    _loaded.add((kind.folder, name, players))
    return where
