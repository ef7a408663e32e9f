"""The server of a game at the table, on this machine only: its page, its view, and people's choices.

Addresses name the stamp of the question and the index of the answer.
"""

from __future__ import annotations

import json

from ...simulator.errors import UserError
from ...simulator.replay.board import SEAT_FILL, SEAT_INK
from ...simulator.replay.film import BOARD_SCRIPT, BOARD_STYLE, UNIT, legend, resource
from ..explorer.server import LocalHandler, LocalServer, page_of
from .view import Table, end, hint, tile, view, watched


class Handler(LocalHandler):
    """Answers one connection."""

    server: TableServer

    def get(self, path: str, parts: list[str], query: str) -> bool:
        """Send the page, the game as it stands, its end, the game as a file, or its replay."""
        table = self.server.table
        if path == "/":
            return self.send_page(**self.server.values())
        if path == "/api/view":
            return self._view()
        if path == "/api/file":
            return self.send_json(200, json.loads(table.do(table.played.kept.as_text)))
        if path == "/api/end":
            return self.send_json(200, table.do(lambda: end(table.played)))
        if path == "/replay":
            return self.send_film(table.do(lambda: watched(table.played.kept)).encode())
        return False

    def post(self, parts: list[str]) -> bool:
        """Carry out `answer/<stamp of the question>/<index>`, `undo/<stamp>`, `hint/<stamp>`, `tile/<stamp>/<index>`."""
        table = self.server.table
        if parts[:2] == ["api", "answer"] and len(parts) == 4:
            table.answer(number(parts[2]), number(parts[3]))
            return self._view()
        if parts[:2] == ["api", "undo"] and len(parts) == 3:
            table.undo(number(parts[2]))
            return self._view()
        if parts[:2] == ["api", "tile"] and len(parts) == 4:
            return self.send_json(200, table.do(lambda: tile(table.played, number(parts[2]), number(parts[3]))))
        if parts[:2] == ["api", "hint"] and len(parts) == 3:
            return self.send_json(200, table.about(number(parts[2]), hint))
        return False

    def _view(self) -> bool:
        table = self.server.table
        return self.send_json(200, table.do(lambda: view(table.played)))


def number(text: str) -> int:
    """Return a number of an address."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise UserError(f"'{text[:40]}' is not valid; expected a whole number from 0")
    return int(text)


class TableServer(LocalServer):
    """The server of a table."""

    def __init__(self, table: Table, port: int = 0) -> None:
        self.table = table
        super().__init__(
            page_of("newdawn.analysis.at_table", "table.html.j2", script="table.js", style="table.css"), Handler, port
        )

    def values(self) -> dict[str, object]:
        """Return the variables of the page's template."""
        kept, (signs, size) = self.table.played.kept, legend(self.table.played.sitting.rules)
        return {
            "title": f"Seed {kept.plan.seed}", "seats": list(kept.seats), "own": kept.own, "fills": SEAT_FILL, "inks": SEAT_INK,
            "board_style": resource(BOARD_STYLE), "board_script": resource(BOARD_SCRIPT), "unit": UNIT,
            "cards": self.table.played.cards, "legend": signs, "legend_size": size,
        }  # fmt: skip
