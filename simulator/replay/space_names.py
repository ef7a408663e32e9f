"""What the spaces of a map are called: C12, by column and row."""

from __future__ import annotations

from typing import Any

# Where the space A1 lies (axial coordinates): hardly a map of the printed tiles reaches further up or to the left.
A1 = (-12, -15)


def column_name(number: int) -> str:
    """Return A … Z, AA, AB … for 0, 1, …; left of A the same in small letters (a, b, …)."""
    if number < 0:
        return column_name(-number - 1).lower()
    return (column_name(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def place_name(q: int, r: int) -> str:
    """Return the name of a place of the grid, on the map or beside it: it stays whatever is laid."""
    return f"{column_name(int(q) - A1[0])}{int(r) - A1[1] + 1}"


def space_name(g: Any, space: int) -> str:
    """Return the name of a space of the map."""
    if not 0 <= space < int(g.n_spaces):
        return f"no space ({space})"
    return place_name(g.axial_q[space], g.axial_r[space])
