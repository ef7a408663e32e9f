"""Reading files that others may have written: one function a format, and one line of error for any bad file.

Start at `plainly`: every error of a parser's or of ours becomes a UserError that names the file. Sizes are checked before
anything is built, numbers are finite, and texts hold no control characters (`clean`).
"""

from __future__ import annotations

import errno
import io
import json
import math
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from .errors import UserError, as_named, nearest_file

MOST_CHARACTERS = 1_000_000  # of a text that people write
MOST_BYTES = 20_000_000  # of a file that we write; one with games may say more
MOST_CELLS = 100_000_000  # of a table
MOST_COLUMNS = 1_000  # of a CSV file
MOST_VALUES = 100_000  # of YAML; an alias counts as all values that it stands for
DEEPEST = 40
LONGEST_NUMBER = 40  # characters
LONGEST_NAME = 200  # of a file, in a file

# Control characters but line ends and tabs, signs that change the direction of writing, halves of surrogate pairs.
OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
NO_MEMORY = "it takes more memory than is free; nothing is wrong with the file"


@contextmanager
def plainly(path: Any, expected: str, error: type[UserError] = UserError, again: str = "") -> Iterator[None]:
    """Turn any error of reading a file into one line that names the file and what was `expected`.

    `again`: what to do about it, as the end of the sentence.
    """
    end = f"; {again}" if again else ""
    try:
        yield
    except UserError:
        raise
    except OSError as wrong:
        if wrong.errno == errno.ENOMEM:
            raise error(f"{path}: cannot be read: {NO_MEMORY}", file=str(path)) from None
        reason = wrong.strerror or str(wrong) or type(wrong).__name__
        near = nearest_file(path, [path.suffix.lower()]) if isinstance(path, Path) and path.suffix else ""
        raise error(f"{path}: cannot be read: {reason}{near}{end}", file=str(path)) from None
    except UnicodeDecodeError as wrong:
        raise error(f"{path}: is not text in UTF-8 (byte {wrong.start:,}); expected {expected}{end}", file=str(path)) from None
    except MemoryError:
        raise error(f"{path}: cannot be read: {NO_MEMORY}", file=str(path)) from None
    except Exception as wrong:  # each parser has errors of its own, and so have the objects they build
        reason = f"is missing {wrong}" if isinstance(wrong, KeyError) else str(wrong) or type(wrong).__name__
        raise error(f"{path}: cannot be read as {expected}: {reason[:300]}{end}", file=str(path)) from None


def content_of(path: Any, most: int = MOST_BYTES, expected: str = "a file of newdawn") -> bytes:
    """Return the bytes of a file, which may have no end (a device); raise UserError for more than `most`."""
    with plainly(path, expected):
        if not isinstance(path, Path):
            content = path.read_bytes()
        else:
            with path.open("rb") as file:
                content = file.read(most + 1)
        if len(content) > most:
            raise UserError(f"{path}: has more than {most:,} bytes; expected {expected}", file=str(path))
        return bytes(content)


def text_of(path: Any, what: str, source: str = "", hint: str = "") -> str:
    """Return a text that people write; raise UserError if it is none, or too long.

    `what`: the kind of file; `source`: its name for the user; `hint`: the nearest name, for an error.
    """
    source = source or str(path)
    try:
        with path.open("rb") as file:
            content: bytes = file.read(4 * MOST_CHARACTERS + 1)
        text = content.decode("utf-8") if len(content) <= 4 * MOST_CHARACTERS else ""
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError, as is what is not UTF-8
        reason = "not a text file" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None) or str(error)
        raise UserError(f"{source}: cannot read the {what}: {reason}{hint}", file=source) from None
    if len(content) > 4 * MOST_CHARACTERS or len(text) > MOST_CHARACTERS:
        raise UserError(f"{source}: more than {MOST_CHARACTERS:,} characters; is this the right file?", file=source)
    return text


def clean(value: Any, where: str = "") -> Any:
    """Return a file's data as they are; raise ValueError for a number that is not finite and for control characters."""
    open_values = [(where, value)]
    while open_values:
        place, item = open_values.pop()
        if isinstance(item, str):
            if match := OBEYED.search(item):
                raise ValueError(
                    f"{place or 'a text'}: holds the character {match[0]!a}; expected text without control characters"
                )
        elif isinstance(item, float):
            if not math.isfinite(item):
                raise ValueError(f"{place or 'a number'}: {item} is not finite; expected a whole number or another finite one")
        elif isinstance(item, Mapping):
            for key, inside in item.items():
                if isinstance(key, str):
                    open_values.append((place, key))
                open_values.append((f"{place}.{key}" if place else str(key), inside))
        elif isinstance(item, list | tuple | set):
            open_values += [(place, inside) for inside in item]
    return value


# ---------------------------------------------------------------------- YAML

YamlLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TAG = "tag:yaml.org,2002:"
MERGE = f"{TAG}merge"  # the key `<<`, which may be repeated
TAGS = frozenset(f"{TAG}{kind}" for kind in ("str", "int", "float", "bool", "null", "timestamp", "seq", "map", "merge"))


class OnceLoader(YamlLoader):  # type: ignore[misc]
    """Refuses keys that appear twice, tags of objects, and numbers that people read differently from YAML."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Return the mapping; raise a YAMLError that points at the second of two equal keys."""
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == MERGE:
                continue
            if key.value in seen:
                raise _wrong(f"'{key.value}' appears twice", key)
            seen.add(key.value)
        return super().construct_mapping(node, deep)

    def construct_number(self, node: Any) -> Any:
        """Return a number; raise a YAMLError for one that takes Python minutes, or is to the base of 60 or 8."""
        text = node.value
        if len(text) > LONGEST_NUMBER:
            raise _wrong(f"a number of {len(text)} characters, expected at most {LONGEST_NUMBER}", node)
        if ":" in text:
            raise _wrong(f"{text} is a number to the base of 60; expected a plain number, or a text in quotes", node)
        if re.fullmatch("[-+]?0[0-9_]+", text):
            raise _wrong(
                f"{text} is a number to the base of 8; expected one that does not begin with 0, or a text in quotes", node
            )
        return self.construct_yaml_int(node) if node.tag == f"{TAG}int" else self.construct_yaml_float(node)


for _kind in ("int", "float"):
    OnceLoader.add_constructor(f"{TAG}{_kind}", OnceLoader.construct_number)


def _wrong(problem: str, where: Any) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, where.start_mark)


def yaml_of(text: str, source: str, string_keys: bool = True) -> Any:
    """Return the data of a YAML text; raise UserError with line and column where it is not valid or too large.

    `string_keys`: keys become strings, so that the data can be written as JSON and read back the same.
    """
    try:
        data = clean(_yaml(text))
        return _string_keys(data) if string_keys else data
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise UserError(f"{source}{where}: not valid YAML: {problem}", file=source) from None
    except Exception as error:  # a value that does not fit its tag
        reason = str(error) or type(error).__name__
        raise UserError(f"{source}: not valid YAML: a value that cannot be read: {reason[:300]}", file=source) from None


def _string_keys(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _string_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_string_keys(item) for item in value]
    return value


def _yaml(text: str) -> Any:
    """Return the data of a YAML text. Depth and values are counted before anything is built: a few lines of aliases may stand
    for thousands of millions of values, and brackets nested a hundred thousand deep would crash the process."""
    if len(text) > MOST_CHARACTERS:
        raise yaml.YAMLError(f"more than {MOST_CHARACTERS:,} characters")
    depth = 0
    for number, event in enumerate(yaml.parse(text, YamlLoader)):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST or number > MOST_VALUES:
            raise _wrong("nested too deeply" if depth > DEEPEST else "too many values", event)
    loader = OnceLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _count(node, {})
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _count(node: Any, counts: dict[int, int]) -> int:
    """Return the number of values that a node stands for, aliases followed; raise a YAMLError for too many."""
    if id(node) not in counts:
        if node.tag not in TAGS:
            raise _wrong(
                f"the tag {node.tag.removeprefix(TAG)!r} is not read; expected plain texts, numbers, lists and mappings", node
            )
        counts[id(node)] = MOST_VALUES  # until it is counted: a node that holds itself is endless
        inside = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
        counts[id(node)] = 1 + (0 if isinstance(node, yaml.ScalarNode) else sum(_count(part, counts) for part in inside))
    if counts[id(node)] >= MOST_VALUES:
        problem = f"stands for more than {MOST_VALUES:,} values; expected no alias (*name) inside what it stands for"
        raise _wrong(problem, node)
    return counts[id(node)]


# ---------------------------------------------------------------------- JSON and XML


def json_of(text: str | bytes, path: Any, expected: str = "JSON", again: str = "") -> Any:
    """Return the data of a JSON text; raise UserError if it is none, or not `clean`."""
    with plainly(path, expected, again=again):
        return clean(json.loads(text))


def json_in(path: Any, expected: str = "JSON", again: str = "", most: int = MOST_BYTES) -> Any:
    """Return the data of a JSON file; raise UserError if it cannot be read or is none."""
    return json_of(content_of(path, most, expected), path, expected, again)


def xml_of(text: str, path: Any) -> Any:
    """Return the root of an XML text; a document type is refused, as its entities can turn few bytes into many."""
    from xml.etree import ElementTree

    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise UserError(f"{path}: XML with a document type; expected plays as BoardGameGeek gives them", file=str(path))
    with plainly(path, "valid XML"):
        builder: Any = ElementTree.XMLPullParser(("start", "end"))
        builder.feed(text.lstrip())
        depth, root = 0, None
        for event, node in builder.read_events():
            root = node if root is None else root
            depth += 1 if event == "start" else -1
            if depth > DEEPEST:
                raise ValueError("nested too deeply")
        builder.close()
        if root is None:
            raise ValueError("no element in it")
        for node in root.iter():
            clean([node.tag, node.text or "", *node.attrib.values()], str(node.tag))
        return root


# ---------------------------------------------------------------------- tables and arrays


def csv_of(content: bytes, path: Any, expected: str, again: str = "") -> Any:
    """Return the table in the content of a CSV file as a DataFrame; raise UserError if it is none."""
    import pandas as pd  # 45 MB that workers do without

    with plainly(path, expected, again=again):
        text = clean(content.decode("utf-8"))
        if any(line.count(",") > MOST_COLUMNS for line in text.split("\n")):  # pandas would take minutes for them
            raise ValueError(f"more than {MOST_COLUMNS:,} columns")
        return pd.read_csv(io.StringIO(text)) if text.strip() else pd.DataFrame()


def parquet_of(source: Any, path: Any, again: str, columns: Any = None, error: type[UserError] = UserError) -> Any:
    """Return the Arrow table in a Parquet file (a path, or an Arrow buffer); raise `error` if it cannot be read."""
    import pyarrow.parquet as pq

    # Arrow opens files by names in UTF-8, whatever the locale; Python by the bytes that the system has given.
    named = not isinstance(source, Path) or as_named(str(source)) == str(source)
    with plainly(path, "Parquet", error, again), ExitStack() as stack:
        file = stack.enter_context(pq.ParquetFile(source if named else stack.enter_context(source.open("rb"))))
        rows, width = file.metadata.num_rows, file.metadata.num_columns if columns is None else len(columns)
        if rows * width > MOST_CELLS:  # few bytes may stand for them
            raise ValueError(f"{rows:,} rows; expected at most {MOST_CELLS // max(width, 1):,}")
        return file.read(columns=None if columns is None else list(columns))


def arrays_in(path: Path, expected: str, most: int = MOST_BYTES, finite: bool = True, again: str = "") -> dict[str, np.ndarray]:
    """Return the arrays of an .npz file by name; raise UserError if it is none, is damaged or takes more than `most` bytes.

    Nothing is unpickled; arrays of objects, complex numbers and dates are refused.
    """
    content = content_of(path, most, expected)
    with plainly(path, expected, again=again), zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > most:
            raise ValueError(f"more than {most:,} bytes in it")
        arrays: dict[str, np.ndarray] = {}
        for member in members:
            name = member.filename.removesuffix(".npy")
            if name in arrays:
                raise ValueError(f"{name} is there twice")
            arrays[name] = _array(name, archive.read(member), finite)
        return arrays


def _array(name: str, content: bytes, finite: bool) -> np.ndarray:
    """Return the array in the content of an .npy file; raise ValueError for another size than its header says."""
    stream = io.BytesIO(content)
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
    shape, by_column, kind = readers[np.lib.format.read_magic(stream)](stream)
    if kind.kind not in "biufU" or kind.names is not None:
        raise ValueError(f"{name}: holds {kind}, expected numbers or texts")
    room = math.prod(shape) * kind.itemsize
    if room != len(content) - stream.tell():
        raise ValueError(f"{name}: has {len(content) - stream.tell():,} bytes, expected {room:,}")
    array = np.frombuffer(content, kind, offset=stream.tell()) if room else np.zeros(math.prod(shape), kind)
    if finite and kind.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name}: holds numbers that are not finite")
    return array.reshape(shape, order="F" if by_column else "C")
