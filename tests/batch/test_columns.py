"""Columns are declared once: rows, tables and readers follow from the declarations."""

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.runs import columns, run_folder

ROWS = {"games": columns.GAME_ROW, "seats": columns.SEAT_ROW, "wonders": columns.WONDER_ROW, "agendas": columns.AGENDA_ROW}
DECLARED = [(table, column) for table, found in run_folder.tables_in(names.BOXES[1]).items() for column in found.columns]


@pytest.mark.parametrize(("table", "column"), DECLARED, ids=lambda each: getattr(each, "name", each))
def test_a_column_has_its_place_in_the_row_and_no_other(table, column):
    if column.derived:
        assert column.name not in ROWS[table].names
        return
    field = ROWS[table][column.field or column.name]
    assert len(column.at) == len(field.shape)
    assert all(place < size for place, size in zip(column.at, field.shape, strict=True))
    assert np.can_cast(field.base, columns.KINDS[column.type])
    others = [other for name, other in DECLARED if name == table and other is not column]
    assert (column.field or column.name, column.at) not in [(other.field or other.name, other.at) for other in others]


def test_whatever_the_game_counts_is_in_a_column():
    read = {column.field for column in (*columns.SEATS, *columns.EXPANSION)}
    assert {*columns.COUNTERS, *columns.COUNTER_ARRAYS} <= read
    assert {field for field in read if field} <= set(columns.SEAT_ROW.names)


def test_what_is_in_text_has_its_names():
    for _, column in DECLARED:
        assert bool(column.words) == (column.type == "category" and not column.derived), column.name
