"""Files of value and policy networks, and loading them into their `STORE`. Nothing here is compiled."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..simulator import names
from ..simulator.errors import UserError
from ..simulator.file_ownership import write_whole
from ..simulator.reading import arrays_in, clean, plainly
from .learned import facts, policy, value
from .learned.facts import N_FACTS
from .learned.value import PLACES
from .profiles import is_path


@dataclass(frozen=True)
class Kind:
    """A kind of network: folder of the packaged ones, store of those in use, parts, and inputs."""

    folder: str
    store: np.ndarray
    parts: tuple[str, ...]
    sees: tuple[str, ...]  # names of the inputs: facts of a situation, then marks of an option
    rows: Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]]  # numbers of facts and marks -> rows of each part for them


VALUE = Kind("networks", value.STORE, value.PARTS, tuple(facts.NAMES), lambda facts, _: {"first": facts, "direct": facts})
POLICY = Kind(
    "policies", policy.STORE, policy.PARTS, (*facts.NAMES, *policy.NAMES),
    lambda facts, marks: {
        "situation": np.concatenate([facts, N_FACTS + facts, np.arange(2 * N_FACTS, policy.N_SITUATION)]),
        "marks": marks,
        "direct": marks,
    },
)  # fmt: skip

WHAT = "a network that `newdawn strategies train` wrote"
MOST_BYTES = 8_000_000  # of a file; the largest has half a million
PACKAGED = "packaged"  # in a profile: the packaged network for the box in play

_places: dict[str, int] = {}
_loaded: set[tuple[str, str, int]] = set()


def in_box(name: str, box: str) -> str:
    """Return the name of a profile's network in a box; packaged networks have the names of the boxes."""
    return box if name == PACKAGED else name


def knows(name: str) -> list[int]:
    """Return the numbers of players with a network of this name."""
    return [players for players in range(2, names.MAX_PLAYERS + 1) if file_of(name, players).is_file()]


def file_of(name: str, players: int, kind: Kind = VALUE) -> Path:
    """Return the file of a network for so many players, or that for any number if there is no other.

    A plain name is a packaged network, a path a user's.
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


def read(path: Path, kind: Kind = VALUE) -> tuple[np.record, dict[str, Any]]:
    """Return a network and the notes on its training; raise UserError if it is damaged, or sees unknown facts.

    Facts and marks that the network does not see have the weight 0.
    """
    net = np.zeros(1, kind.store.dtype).view(np.recarray)[0]
    file = arrays_in(path, WHAT, MOST_BYTES)
    with plainly(path, WHAT):
        sees = tuple(str(name) for name in file["facts"])
        inputs = kind.sees[:N_FACTS], kind.sees[N_FACTS:]  # facts, marks
        first_mark = sees.index(inputs[1][0]) if inputs[1] and inputs[1][0] in sees else len(sees)
        seen = sees[:first_mark], sees[first_mark:]
        # A value network has no marks, a policy has some.
        if bool(inputs[1]) != bool(seen[1]) or any(set(some) - set(every) for some, every in zip(seen, inputs, strict=True)):
            raise UserError(f"{path}: trained on facts that this version does not know; train it again")
        if any(len(set(some)) < len(some) for some in seen):
            raise UserError(f"{path}: names a fact twice; expected {WHAT}")
        fact_rows, mark_rows = (
            np.array([every.index(name) for name in some], int) for some, every in zip(seen, inputs, strict=True)
        )
        rows = kind.rows(fact_rows, mark_rows)
        for part in kind.parts:
            place = rows.get(part, np.arange(len(net[part])))
            expected = (len(place), *net[part].shape[1:])
            if file[part].shape != expected:
                raise UserError(f"{path}: {part} has the shape {file[part].shape}, expected {expected}")
            if file[part].dtype.kind != "f":
                raise UserError(f"{path}: {part} holds {file[part].dtype}, expected numbers with a point")
            with np.errstate(over="ignore"):
                net[part][place] = file[part]
            if not np.isfinite(net[part]).all():
                raise UserError(f"{path}: {part} holds numbers that are too large")
        about = clean(json.loads(str(file["about"])))
        if not isinstance(about, dict):
            raise UserError(f"{path}: about: expected what a training says of itself")
        return net, about


def digest(name: str, kind: Kind = VALUE) -> str:
    """Return the digest of a network's files for all numbers of players."""
    sha = hashlib.sha256()
    for players in range(2, names.MAX_PLAYERS + 1):
        path = file_of(name, players, kind)
        if path.is_file():
            sha.update(path.read_bytes())
    return sha.hexdigest()[:16]


def place(name: str) -> int:
    """Return the place of a name in the stores, the same as long as the process lives."""
    if name not in _places:
        if len(_places) == PLACES - 1:
            raise UserError(f"networks: more than {PLACES - 1} at a time")
        _places[name] = len(_places) + 1
    return _places[name]


def use(name: str, players: int, kind: Kind = VALUE) -> int:
    """Load the network for so many players once, and return its place in the store."""
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
    at = place(name)
    kind.store[at, players] = net
    _loaded.add((kind.folder, name, players))
    return at
