"""Positions to learn from, in memory and as files."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...simulator.errors import UserError
from ...simulator.ours import write_whole
from ...simulator.reading import arrays_in, plainly

HELD_OUT = 10  # one game in so many is kept from the fit, to measure the loss


@dataclass(frozen=True)
class Games:
    """Positions to learn from: facts (n, seats, N_FACTS), share of the win (n, seats), and game, round and mover (n, 3)."""

    facts: np.ndarray
    shares: np.ndarray
    moments: np.ndarray

    def only(self, chosen: np.ndarray) -> Games:
        """Return the chosen positions."""
        return Games(self.facts[chosen], self.shares[chosen], self.moments[chosen])

    def small(self) -> Games:
        """Return the same with facts in half the room."""
        return Games(self.facts.astype(np.float16), self.shares, self.moments)


def joined(games: Iterable[Games]) -> Games:
    """Return the positions of all, one after the other."""
    each = list(games)
    parts = ([one.facts for one in each], [one.shares for one in each], [one.moments for one in each])
    return Games(*(np.concatenate(part) for part in parts))


POSITIONS, STUDIES = "position", "study"  # the two kinds of positions in a file: of games, and of ways of turns that were tried


AGAIN = "remove it: the same command plays its games again"
MOST_BYTES = 1 << 30  # of a file


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], of: str) -> None:
    """Write arrays into a file, whole or not at all; `of`: the training that it belongs to. May raise OSError."""
    content = io.BytesIO()
    np.savez(content, **arrays, of=np.array(f"{of} {path.name}"))  # type: ignore[arg-type]
    write_whole(path, content.getvalue())


def read_arrays(path: Path, of: str | None = None) -> dict[str, np.ndarray]:
    """Return what `write_arrays` wrote; raise UserError if it is damaged, or of another training or place in it."""
    found = arrays_in(path, "games of a training", MOST_BYTES, finite=False, again=AGAIN)
    said = str(found.pop("of", ""))
    if of is not None and said != f"{of} {path.name}":
        raise UserError(f"{path}: is not of this training, or has another's name; {AGAIN}")
    return found


def save(path: Path, positions: Games, studies: Games, of: str = "") -> None:
    """Write the positions of games and of studies into a file; `of`: the training that it belongs to."""
    arrays: dict[str, Any] = {}
    for name, games in ((POSITIONS, positions), (STUDIES, studies)):
        arrays |= {f"{name}_facts": games.facts, f"{name}_shares": games.shares, f"{name}_moments": games.moments}
    write_arrays(path, arrays, of)


def gathered(parts: Sequence[tuple[Path, str]], held_out: bool | None = False, of: str | None = None) -> Games:
    """Return the positions of kinds (POSITIONS, STUDIES) in files that `save` wrote, one after the other.

    held_out: only those of games kept from the fit, or only the others; None: all. `of`: the training that all are of. They
    fill their room as they are read, so that no more than they, and a file, is ever in memory.
    """
    chosen = []
    for path, kind in parts:
        with plainly(path, "games of a training", again=AGAIN):
            kept_out = read_arrays(path, of)[f"{kind}_moments"][:, 0] % HELD_OUT == 0
        chosen.append(np.ones(len(kept_out), bool) if held_out is None else kept_out == held_out)
    n, at = sum(int(one.sum()) for one in chosen), 0
    whole = Games(np.empty(0), np.empty(0), np.empty(0))
    for (path, kind), one in zip(parts, chosen, strict=True):
        with plainly(path, "games of a training", again=AGAIN):
            kept = read_arrays(path, of)
            found = Games(*(kept[f"{kind}_{part}"] for part in ("facts", "shares", "moments"))).only(one)
        if not at:
            whole = Games(
                *(np.empty((n, *array.shape[1:]), array.dtype) for array in (found.facts, found.shares, found.moments))
            )
        end = at + len(found.shares)
        whole.facts[at:end], whole.shares[at:end], whole.moments[at:end] = found.facts, found.shares, found.moments
        at = end
    return whole
