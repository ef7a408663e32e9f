"""What belongs to a version of the environments: digests of what agents see when certain games are played.

A test compares those of today with the noted ones (VERSIONS): where they differ, agents of this version would meet another
game, and it is time for the next one. `python -m newdawn.simulator.environments.versions` prints them.
"""

from __future__ import annotations

import hashlib

import numpy as np

from .. import names
from ..replay.interactive_game import ME
from .batch import Batch
from .observe import ARRAYS
from .spaces import VERSION

STEPS = 400
# By version and box: the first digits of the digest, and when it came.
VERSIONS: dict[int, dict[str, str]] = {
    1: {"base": "f82c19c3a7382474", "terra-incognita": "1e527aa3c372644e"},
    2: {"base": "e835fee95e1691bd", "terra-incognita": "3e730ac79de7a68e"},  # `about` forgets combats and turns that are over
}


def digest(box: str) -> str:
    """Return the digest of games by lot of a box: of the arrays' declarations, all observations and all rewards."""
    found = hashlib.sha256(repr([(array.name, array.shape, array.dtype.str) for array in ARRAYS]).encode())
    batch = Batch(4, (ME,) * 3, box)
    for bits in np.random.Generator(np.random.PCG64(1)).integers(2**63, size=STEPS):
        batch.step(batch.sample(int(bits)))
        for seen in (*batch.observations.values(), batch.mask, batch.rewards):
            found.update(np.ascontiguousarray(seen).tobytes())
    batch.close()
    return found.hexdigest()[:16]


if __name__ == "__main__":
    for box in names.BOXES:
        print(f"version {VERSION}, {box}: {digest(box)}")
