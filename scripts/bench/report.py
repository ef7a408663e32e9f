"""What `newdawn bench` found: measurements with their repeats, as JSON and for reading.

A measurement is a list of values of the same thing, measured again and again: medians and spreads are made of it when
it is read, and `scripts/bench/compare.py` compares two.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from ...simulator.errors import UserError
from ...simulator.reading import json_in, plainly

KIND = "newdawn-bench"
SCHEMA_VERSION = 2


@dataclass(frozen=True)
class Measurement:
    """One thing measured `len(values)` times, in the unit; `better` says which way is better: "more" or "less"."""

    name: str
    unit: str
    better: str
    values: list[float]

    def text(self) -> str:
        """Return median and range."""
        middle = f"{median(self.values):,.{digits(median(self.values))}f} {self.unit}"
        if len(self.values) == 1 or min(self.values) == max(self.values):
            return middle
        places = digits(median(self.values))
        return f"{middle} ({min(self.values):,.{places}f} to {max(self.values):,.{places}f})"


@dataclass(frozen=True)
class Report:
    """All measurements of one call of `newdawn bench`, and where and of what they are."""

    machine: dict[str, Any]
    program: dict[str, Any]
    settings: dict[str, Any]
    measurements: list[Measurement]

    def as_json(self) -> str:
        """Return the report as `read` wants it."""
        return json.dumps({"kind": KIND, "schema_version": SCHEMA_VERSION, **asdict(self)}, indent=1)

    def as_text(self) -> str:
        """Return the report for reading: medians, and the least and the most of the repeats."""
        machine, width = self.machine, max(len(m.name) for m in self.measurements)
        lines = [f"{machine['cores']} cores ({machine['cpu']}), Python {machine['python']}, load {machine['load']}"]
        lines += [f"medians of {self.settings['repeats']} repeats (least to most)", ""]
        lines += [f"{m.name:{width}}  {m.text()}" for m in self.measurements]
        return "\n".join(lines)


def digits(value: float) -> int:
    """Return how many decimal places the value is shown with."""
    return 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2


def read(path: Path) -> Report:
    """Read a report; raise UserError if the file is none, or of another version."""
    found = json_in(path, "JSON that `newdawn bench --json` prints")
    if isinstance(found, dict) and "kind" not in found and {"machine", "speed", "memory"} <= found.keys():
        found = {"kind": KIND, "schema_version": 1}  # had no repeats, and did not say what it was
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise UserError(f"{path}: is no report of `newdawn bench --json`; expected kind '{KIND}'")
    version = found.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UserError(
            f"{path}: schema_version {version} is of another version of `newdawn bench`; expected {SCHEMA_VERSION}: "
            "measure again, or compare with the version that wrote it"
        )
    with plainly(path, "a whole report of `newdawn bench --json`"):
        measurements = [Measurement(**row) for row in found["measurements"]]
        report = Report(found["machine"], found["program"], found["settings"], measurements)
        for m in measurements:
            if not m.values or not all(isinstance(v, int | float) and v > 0 for v in m.values):
                raise UserError(f"{path}: measurements: '{m.name}' has no values, or such as are not above 0")
        report.as_text()
        return report
