"""YAML of users: no key is there twice, and no file is too large, however short it is written.

A few lines of aliases of aliases stand for thousands of millions of values, brackets nested a hundred thousand deep for a
crash. Both are counted before anything is built of them.
"""

from __future__ import annotations

from typing import Any

import yaml

from ...errors import UserError

YamlLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_CHARACTERS = 1_000_000
MOST_VALUES = 100_000  # an alias counts as all that it stands for
DEEPEST = 40
LONGEST_NUMBER = 40  # characters
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
                raise yaml.constructor.ConstructorError(None, None, f"'{key.value}' appears twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)

    def construct_number(self, node: Any) -> Any:
        """Return a whole number; raise a YAMLError for one that Python would take minutes to read, or refuse to print."""
        if len(node.value) > LONGEST_NUMBER:
            message = f"a number of {len(node.value)} characters, expected at most {LONGEST_NUMBER}"
            raise yaml.constructor.ConstructorError(None, None, message, node.start_mark)
        return self.construct_yaml_int(node)


OnceLoader.add_constructor("tag:yaml.org,2002:int", OnceLoader.construct_number)


def load(text: str) -> Any:
    """Return what the YAML says; raise a YAMLError if it is none, or too large or too deep."""
    if len(text) > MOST_CHARACTERS:
        raise yaml.YAMLError(f"more than {MOST_CHARACTERS:,} characters")
    depth = 0
    for number, event in enumerate(yaml.parse(text, YamlLoader)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST or number > MOST_VALUES:
            raise _limit("nested too deeply" if depth > DEEPEST else "too many values", event)
    loader = OnceLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _count(node, {})
        return loader.construct_document(node)
    except yaml.YAMLError:
        raise
    except ValueError as error:  # a date that is none, and the like
        raise yaml.YAMLError(f"a value that cannot be read: {error}") from None
    finally:
        loader.dispose()


def _count(node: Any, known: dict[int, int]) -> int:
    """Return the number of values that a node stands for, its aliases followed; raise a YAMLError if they are too many."""
    if id(node) not in known:
        known[id(node)] = MOST_VALUES  # until it is counted: what holds itself is endless
        inside = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
        known[id(node)] = 1 + (0 if isinstance(node, yaml.ScalarNode) else sum(_count(part, known) for part in inside))
    if known[id(node)] >= MOST_VALUES:
        raise _limit(f"stands for more than {MOST_VALUES:,} values; expected no alias (*name) inside what it stands for", node)
    return known[id(node)]


def _limit(problem: str, where: Any) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, where.start_mark)


def read_text(path: Any) -> str:
    """Return the text of a file, which may be without end (a device); raise OSError, UnicodeDecodeError or UserError."""
    with path.open("rb") as file:
        content: bytes = file.read(4 * MOST_CHARACTERS + 1)
    if len(content) > 4 * MOST_CHARACTERS:
        raise UserError(f"{path}: more than {MOST_CHARACTERS:,} characters; is this the right file?")
    return content.decode("utf-8")
