"""The files of the printed game as they are written, read without the program."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import yaml


@cache
def printed_file(stem: str) -> Any:
    """Return one file as it stands in the YAML. Do not change it: it is read once for all tests."""
    text = (resources.files("newdawn.simulator") / "data" / f"{stem}.yaml").read_text("utf-8")
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
