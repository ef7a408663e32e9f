"""A file of plays, opened: text in the letters it is in, JSON, XML, or the sheet of a workbook."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from ..errors import UserError, install
from ..reading import OBEYED, content_of, json_of, plainly, xml_of
from . import formats
from .asked import SHEET
from .checking import LogFile, Reading

LARGEST = 1 << 28  # bytes: nobody has so many plays
MOST_CELLS = 5_000_000  # of a workbook's sheet
WINDOWS_TEXT = re.compile(r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]*")
WORKBOOK, OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # how such files begin
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def opened(path: Path, reading: Reading) -> LogFile | None:
    """Read a file, None if something is to be asked first; raise UserError if it is nothing that plays may stand in."""
    content = content_of(path, LARGEST, "a log of plays")
    if content.startswith(WORKBOOK):
        return _workbook(path, content, reading)
    if content.startswith(OLD_WORKBOOK):
        raise UserError(f"{path}: is a workbook of an old kind (xls); expected xlsx, or CSV: save it as one", file=str(path))
    with plainly(path, "CSV, JSON or XML; in Excel, save it as 'CSV UTF-8'"):
        text, note = _decoded(content)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return LogFile(path, text, data=json_of(text, path))
    if start == "<":
        return LogFile(path, text, root=xml_of(formats.joined(text), path))
    if found := OBEYED.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise UserError(
            f"{path}: row {line}: holds the character {found[0]!a}; expected text: CSV, JSON or XML", file=str(path)
        )
    return LogFile(path, text, note=note)


def _decoded(content: bytes) -> tuple[str, str]:
    """Return the text of a file, and what is to be known of it: a table may be in the letters of Excel's for Windows."""
    if content.startswith(UTF_16):
        return content.decode("utf-16"), "read as UTF-16, as Excel saves 'Unicode text'"
    try:
        return content.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
        if text.lstrip()[:1] in ("{", "[", "<") or not WINDOWS_TEXT.fullmatch(text):
            raise
    return text, "read as Windows-1252, as Excel saves CSV; if letters are wrong, save it as 'CSV UTF-8'"


# --- Workbooks


def _workbook(path: Path, content: bytes, reading: Reading) -> LogFile | None:
    """Return the only sheet of a workbook that has rows, or the one that was named."""
    try:
        import openpyxl
    except ImportError:
        raise UserError(
            f"{path}: a workbook needs openpyxl; install it with: {install('openpyxl')} (or save the sheet as CSV)",
            file=str(path),
        ) from None
    expected = "a workbook (xlsx); save it as xlsx, or as CSV"
    with plainly(path, expected):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(one.file_size for one in packed.infolist()) > LARGEST:
                raise UserError(f"{path}: holds more than {LARGEST:,} bytes; expected a log of plays", file=str(path))
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = {sheet.title: rows for sheet in book.worksheets if (rows := _rows(sheet, path))}
    if not sheets:
        raise UserError(f"{path}: is empty; expected a sheet with a row of columns", file=str(path))
    wanted = reading.answers.sheet
    if wanted:
        name = next((title for title in sheets if title.casefold() == wanted.casefold()), "")
        if not name:
            raise UserError(f"{path}: no sheet '{wanted}' ({SHEET}); expected one of {', '.join(sheets)}", file=str(path))
    elif len(sheets) == 1:
        (name,) = sheets
    else:
        reading.ask(f"it has {len(sheets)} sheets", SHEET, *((title, f"the plays are in '{title}'") for title in sheets))
        return None
    return LogFile(path, rows=sheets[name], note=f"the sheet '{name}'")


def _rows(sheet: Any, path: Path) -> list[tuple[int, list[str]]]:
    """Return the rows with something in them, as texts, with their numbers."""
    rows, cells = [], 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        cells += len(row)
        if cells > MOST_CELLS:
            raise UserError(f"{path}: sheet '{sheet.title}' has more than {MOST_CELLS:,} cells; expected a log of plays")
        texts = [_text(value) for value in row]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            rows.append((number, texts))
    return rows


def _text(value: Any) -> str:
    """Return what a cell holds, as a CSV file would have it."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return f"{value.hour}:{value.minute:02}"
    if isinstance(value, timedelta):
        minutes = int(value.total_seconds()) // 60
        return f"{minutes // 60}:{minutes % 60:02}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return OBEYED.sub(" ", str(value)).strip()
