"""Pictures of map tiles that are not on the map yet: both sides of one to choose, and how one would lie."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...simulator import limits
from ...simulator.engine.board.mapping import lay_at, rebuild_grid
from ...simulator.engine.core import decisions, state
from ...simulator.engine.course.setup import clear_seats, clear_spaces, clear_things
from ...simulator.replay.board import MARGIN, Board, draw_ground, draw_pieces
from ...simulator.replay.film import UNIT, drawn
from ...simulator.sitting.question import Question

SIDES = 2
SHAPES = 6  # ways a side can be turned
MIDDLE = (limits.GRID_ORIGIN * limits.GRID) + limits.GRID_ORIGIN  # the place (0, 0)


def number_of(kind: int, value: int) -> int:
    """Return the number of the tile that an option is about, 0 if it is about none."""
    if value == decisions.PASS or kind not in (decisions.LAY_TILE, decisions.EXPLORED_TILE, decisions.STACK_ORDER):
        return 0
    return value // 2 if kind == decisions.STACK_ORDER else value


def sides(question: Question, value: int) -> list[dict[str, Any]]:
    """Return both sides of the tile of an option as SVG with its view box; nothing for another option."""
    tile = number_of(question.code, value)
    return [_alone(question, tile, side * SHAPES * limits.GRID**2 + MIDDLE) for side in range(SIDES)] if tile else []


def _alone(question: Question, tile: int, place: int) -> dict[str, Any]:
    game = np.zeros(1, state.STATE).view(np.recarray)[0]
    game.players = question.game.players
    clear_spaces(game)
    clear_things(question.rules, game)
    clear_seats(game)
    board = Board(question.rules, _laid(question, game, tile, place), unit=UNIT)
    left, top = board.corner
    return {"box": [round(left), round(top), round(board.map_width + 2 * MARGIN), round(board.map_height + 2 * MARGIN)],
            "svg": _spaces(board, 0)}  # fmt: skip


def lying(question: Question, index: int) -> str:
    """Return the tile of a question as an option would lay it, as SVG on the map; "" for a question about something else."""
    if question.code != decisions.PLACE_TILE:
        return ""
    game = np.array([question.game], state.STATE).view(np.recarray)[0]
    before = int(game.n_spaces)
    laid = _laid(question, game, question.about["space"], question.options[index])
    return _spaces(Board(question.rules, laid, question.told.at, UNIT), before)


def _laid(question: Question, game: Any, tile: int, place: int) -> Any:
    work = state.new_work()
    rebuild_grid(game, work)
    lay_at(question.rules, game, work, question.seat, tile, place)
    return game


def _spaces(board: Board, first: int) -> str:
    """Return the spaces of the map from one on."""
    return "".join(drawn(draw, board, s) for draw in (draw_ground, draw_pieces) for s in range(first, board.n))
