"""Are the requirements' lowest versions those installed? `python -m newdawn.scripts.house.floors [EXTRA ...]`

For an environment of the lowest versions that resolve together, as `.ci/run floors` makes one: a requirement that states a
lower version than the one there promises what nobody can install.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import requires, version

from packaging.requirements import Requirement
from packaging.version import Version


def wrong_floors(extras: Sequence[str]) -> list[str]:
    """Return a line for each requirement of the project and these extras whose lowest version is not the one installed."""
    found = []
    for requirement in map(Requirement, requires("newdawn-balance-lab") or ()):
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            stated = min(Version(each.version) for each in requirement.specifier)
            there = Version(version(requirement.name))
            found += [] if there == stated else [f"{requirement.name}: {stated} is stated, {there} is installed"]
    return found


if __name__ == "__main__":
    sys.exit("\n".join(wrong_floors(sys.argv[1:])) or 0)
