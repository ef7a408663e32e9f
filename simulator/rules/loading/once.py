"""YAML in which no key is there twice."""

from __future__ import annotations

from typing import Any

import yaml

YamlLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MERGE = "tag:yaml.org,2002:merge"  # the key `<<`, which may be repeated


class OnceLoader(YamlLoader):  # type: ignore[misc]
    """Refuses a key that is there twice; YAML itself would keep the last one in silence."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Return the mapping; raise a YAMLError that points at the second of two equal keys."""
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == MERGE:
                continue
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"'{key.value}' is there twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)
