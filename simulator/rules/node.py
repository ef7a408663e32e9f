"""The data as a tree of paths: its leaves, and reading it so that it is known what was read.

The loader refuses to change what the engine does not use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Node:
    """A dictionary of the data that remembers which of its values were read."""

    def __init__(self, value: Mapping[str, Any], path: str, seen: set[str]) -> None:
        self.value, self.path, self.seen = value, path, seen

    def __getitem__(self, key: str) -> Any:
        return self._wrap(key, self.value[key])

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self.value else default

    def optional(self, key: str) -> Node:
        """Return the dictionary under `key`, an empty one if there is none."""
        return self[key] if self.value.get(key) is not None else Node({}, self._join(key), self.seen)

    def items(self) -> Iterator[tuple[str, Any]]:
        return ((key, self[key]) for key in self.value)

    def read_all(self) -> None:
        """Note that all values were read."""
        for _, value in self.items():
            if isinstance(value, Node):
                value.read_all()

    def _join(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _wrap(self, key: str, value: Any) -> Any:
        path = self._join(key)
        if isinstance(value, Mapping):
            return Node(value, path, self.seen)
        self.seen.add(path)
        return value


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield path and value of everything in nested dictionaries that is no dictionary itself."""
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, item in value.items():
        yield from leaves(item, f"{path}.{key}" if path else key)
