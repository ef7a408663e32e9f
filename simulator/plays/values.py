"""What a cell of a log means, in the ways people write it: dates, lengths, ranks, several values in a cell, lists.

Nothing is guessed: a function returns None, or more than one possibility, where a text may mean several things.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime

from ..names import DATE_ORDERS, DAY_FIRST, MONTH_FIRST
from .spelling import folded

# --- Dates

NUMBERS = re.compile(r"\s*(\d{1,4})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{1,4})(?!\d)")
DAY_NAMED = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.)?[\s-]*(?:de\s+)?([^\W\d_]{3,})\.?,?[\s-]*(?:de\s+)?(\d{4})(?!\d)"
)
NAME_DAY = re.compile(r"([^\W\d_]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")
SECONDS = re.compile(r"(1\d{9})(\d{3})?")  # since 1970, as programs write it: 2001 to 2033
MONTHS = (
    ("jan", "ene", "gen", "sty"), ("feb", "fev", "lut"), ("mar", "mrz"), ("apr", "avr", "abr", "kwi"),
    ("may", "mai", "mag", "maj"), ("jun", "juin", "giu", "cze"), ("jul", "juil", "lug", "lip"),
    ("aug", "aou", "ago", "sie"), ("sep", "set", "wrz"), ("oct", "okt", "ott", "paz"), ("nov", "lis"),
    ("dec", "dez", "dic", "gru"),
)  # fmt: skip
CENTURY = 2000


def dates_of(text: str) -> dict[str, str]:
    """Return the days that a text may mean, YYYY-MM-DD by the order of day and month; equal where the order is certain."""
    if found := SECONDS.fullmatch(text.strip()):
        return _certain(datetime.fromtimestamp(int(found[1]), UTC).date())
    if found := NUMBERS.match(text):
        first, sign, second, last = found[1], found[2], int(found[3]), found[4]
        if len(first) == 4:
            return _certain(_day(int(first), second, int(last)))
        year = int(last) + (CENTURY if len(last) == 2 else 0)
        days = {DAY_FIRST: _day(year, second, int(first))}
        if sign != ".":
            days[MONTH_FIRST] = _day(year, int(first), second)
        known = {order: day.isoformat() for order, day in days.items() if day is not None and len(last) in (2, 4)}
        return known if len(known) > 1 else dict.fromkeys(DATE_ORDERS, next(iter(known.values()))) if known else {}
    for pattern, (day, month) in ((DAY_NAMED, (1, 2)), (NAME_DAY, (2, 1))):
        if (found := pattern.search(text)) and (number := _month(found[month])):
            return _certain(_day(int(found[3]), number, int(found[day])))
    return {}


def date_orders(texts: Iterable[str]) -> set[str]:
    """Return the orders of day and month in which all of the dates can be read, of those that have such an order."""
    orders = set(DATE_ORDERS)
    for text in texts:
        found = NUMBERS.match(text)
        if found and len(found[1]) < 4 and found[2] != ".":
            first, second = int(found[1]), int(found[3])
            if first > 12 >= second:
                orders &= {DAY_FIRST}
            elif second > 12 >= first:
                orders &= {MONTH_FIRST}
    return orders


def has_order(text: str) -> bool:
    """Say whether a date may mean two days."""
    return len(set(dates_of(text).values())) > 1


def _certain(day: date | None) -> dict[str, str]:
    return {} if day is None else dict.fromkeys(DATE_ORDERS, day.isoformat())


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(word: str) -> int:
    """Return the number of a month by its name in one of the languages of the game's editions, 0 for another word."""
    letters = folded(word)
    return next((k for k, names in enumerate(MONTHS, 1) if letters.startswith(names)), 0)


# --- Lengths, in minutes

HOURS_MINUTES = re.compile(r"(\d{1,2}):([0-5]\d)(?::[0-5]\d)?")
HOURS = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:h|hrs?|hours?|std\.?|stunden?|heures?|uur|ore|godz\.?)\s*(?:(\d{1,2})\s*(?:m|min|mins|minutes|minuten)?\.?)?"
)
MINUTES = re.compile(r"(\d+)(?:[.,]0+)?\s*(?:'|m|mins?\.?|minutes?|minuten?)?")
MOST_HOURS = 24  # "90:00" may mean minutes and seconds


def minutes_of(text: str) -> int | None:
    """Return the minutes that a text means: "105", "105 min", "1:45", "2h", "1h45", "2 h 10 m", "1.5 hours"."""
    word = text.strip().lower()
    if found := HOURS_MINUTES.fullmatch(word):
        return int(found[1]) * 60 + int(found[2]) if int(found[1]) < MOST_HOURS else None
    if found := MINUTES.fullmatch(word):
        return int(found[1]) if len(found[1]) < 7 else None
    if found := HOURS.fullmatch(word):
        hours = float(found[1].replace(",", "."))
        return round(hours * 60) + int(found[2] or 0) if hours < MOST_HOURS else None
    return None


# --- Ranks

RANK = re.compile(r"#?(\d{1,2})(?:\.0)?\s*(?:st|nd|rd|th|er|ere|e|\.|º|ª|°|\))?", re.IGNORECASE)
RANK_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth")


def rank_of(text: str) -> int | None:
    """Return the rank that a text means: "1", "1st", "#1", "1.", "first"."""
    word = text.strip().lower()
    if word in RANK_WORDS:
        return RANK_WORDS.index(word) + 1
    found = RANK.fullmatch(word)
    return int(found[1]) if found else None


def number_of(text: str) -> float | None:
    """Return the number that a text is, or None."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None


# --- Several values in a cell

IN_BRACKETS = re.compile(r"\s*(.+?)\s*[(\[（]\s*([^()\[\]（）]+?)\s*[)\]）]\s*")
BESIDE = re.compile(r"\s*[:=–—|／@]\s*|\s+-\s+|\s*/\s*|\s+(?:as|als|with|mit)\s+")
LISTED = ("\n", ";", "|", "•", ",", "，", "、", "／")  # the first that is there stands between the entries
AND = re.compile(r"\s*(?:[&+]|\b(?:and|und|et)\b)\s*", re.IGNORECASE)


def pair_of(text: str, is_leader: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return the person and the leader of a cell that holds both: "Ann (Rome)", "Rome: Ann"; None if it is not that."""
    found = IN_BRACKETS.fullmatch(text)
    parts = [found[1], found[2]] if found else [part for part in BESIDE.split(text) if part.strip()]
    if len(parts) != 2:
        return None
    leaders = [is_leader(part) for part in parts]
    if leaders == [False, True]:
        return parts[0].strip(), parts[1].strip()
    return (parts[1].strip(), parts[0].strip()) if leaders == [True, False] else None


def list_of(text: str) -> list[str]:
    """Return the entries of a list in a cell; one, if it is none."""
    for sign in LISTED:
        if sign in text:
            return [part.strip() for part in text.split(sign) if part.strip()]
    return [part.strip() for part in AND.split(text) if part.strip()]
