"""What the page of a game shows, as JSON: the board, the players' boards, what happened, the question and its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...simulator.engine.core import state
from ...simulator.errors import UserError
from ...simulator.replay import film
from ...simulator.replay.board import HALF_HEIGHT, Board, draw_ground, draw_pieces, draw_tile_edges, hexagon
from ...simulator.replay.outcome import claimed, headline, needed
from ...simulator.replay.player_board import player_board
from ...simulator.replay.words import Words
from ...simulator.sitting.question import Question
from .places import axial, places
from .played import Played
from .reckoning import worst
from .tiles import lying, sides

TURN, EVENT = "Turn ", "Event dial "  # how the log begins what comes next


def view(played: Played) -> dict[str, Any]:
    """Return all that the page shows now."""
    sitting, question = played.sitting, played.question
    words = Words(sitting.rules, sitting.state)
    words.at = sitting.coordinates or words.at
    board = Board(words.r, words.g, words.at, film.UNIT)
    options = [] if question is None else _options(question)
    players = range(int(words.g.players)) if sitting.laid else range(0)
    return {
        "choice": len(played.who),
        "stamp": played.stamp,
        "over": sitting.over,
        "when": sitting.table.when() if sitting.laid else "Set-up: laying the map",
        "seat": -1 if question is None else question.seat,
        "question": "" if question is None else question.text,
        "kind": "" if question is None else question.kind,
        "options": options,
        "undo": any(seat in played.kept.own for seat in played.who),
        "headline": headline(sitting.table) if sitting.over else "",
        "leaders": [words.short(seat) for seat in range(int(words.g.players))],
        "map": _map(board, options),
        "boards": [player_board(words, seat) for seat in players],
        "wonders": _wonders(words),
        "turns": turns_of([*sitting.lines, *sitting.so_far]),
    }


def _options(question: Question) -> list[dict[str, Any]]:
    """Return the options with what they are called and where they lie."""
    options = zip(question.options, question.words, strict=True)
    return [{"words": words, "places": places(question, value), "sides": sides(question, value)} for value, words in options]


def _map(board: Board, options: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the map as SVG, space by space, with the places beside it where something may be laid."""
    draws = {"ground": draw_ground, "edges": draw_tile_edges, "pieces": draw_pieces}
    marked = sorted({place for option in options for place in option["places"]})
    spots = {place: board.centre_of(*at) for place in marked if (at := axial(place)) is not None}
    size = HALF_HEIGHT * board.unit
    left, top = board.corner[0], board.corner[1]
    right, bottom = left + board.map_width + 2 * film.MARGIN, top + board.map_height + 2 * film.MARGIN
    if spots:
        left, right = (
            min(left, *(x - 2 * size for x, _ in spots.values())),
            max(right, *(x + 2 * size for x, _ in spots.values())),
        )
        top, bottom = (
            min(top, *(y - 2 * size for _, y in spots.values())),
            max(bottom, *(y + 2 * size for _, y in spots.values())),
        )
    return {
        "box": [round(number, 1) for number in (left, top, right - left, bottom - top)],
        "spaces": [{name: film.drawn(draw, board, s) for name, draw in draws.items()} for s in range(board.n)],
        "corners": [_points(board.hexagon(s, 0.94)) for s in range(board.n)],
        "spots": {place: _points(hexagon(centre, 0.9 * size)) for place, centre in spots.items()},
    }


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _wonders(words: Words) -> list[dict[str, Any]]:
    """Return the world wonders that can be built."""
    return [{"place": f"wonder/{k}", "name": words.wonder(k)}
            for k in range(len(words.titles.wonder)) if words.g.wonder_place[k] == state.WONDER_FACE_UP]  # fmt: skip


def turns_of(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Return the log in parts: the set-up, turns, and what happens between rounds; title, and lines with their depth."""
    parts: list[dict[str, Any]] = [{"title": "Set-up", "lines": []}]
    for line in lines:
        words = line.strip()
        if words.startswith(TURN):
            parts.append({"title": words, "lines": []})
            continue
        if words.startswith(EVENT):
            parts.append({"title": "Between the rounds", "lines": []})
        parts[-1]["lines"].append([(len(line) - len(words)) // len(film.INDENT), words])
    return parts


# ---------------------------------------------------------------------- tile, hint and end


def tile(played: Played, stamp: int, index: int) -> dict[str, Any]:
    """Return how an option of the question of this stamp would lay a map tile, as SVG; "" if another one is asked by now."""
    question = played.question
    asked = question is not None and stamp == played.stamp and index < len(question)
    return {"svg": lying(question, index) if asked and question is not None else ""}


def hint(played: Played) -> dict[str, Any]:
    """Return what the thinker would do, and the chances to win that it sees."""
    found, question = played.hint(), played.question
    assert question is not None
    return {"picked": found.picked, "words": question.words[found.picked], "before": found.before,
            "chances": {str(k): chance for k, chance in found.chances.items()}}  # fmt: skip


def end(played: Played) -> dict[str, Any]:
    """Return how a game came out: who has claimed what, the chances after each turn, the choices that cost most."""
    if not played.sitting.over:
        raise UserError("end: the game is not over")
    game, costs = played.sitting.table, played.reckon()
    return {
        "seats": [
            {"leader": game.words.short(seat), "won": bool(game.state.winner[seat]), "needed": needed(game),
             "claims": [{"round": number, "agenda": agenda} for number, agenda in claimed(game, seat)]}
            for seat in range(game.plan.players)
        ],
        "curve": [{"turn": turn, "round": told[0], "chances": told[1]} for turn, told in sorted(played.curve.items())],
        "costs": [{"seat": seat, "choices": [vars(cost) | {"lost": cost.lost} for cost in worst(costs, seat)],
                   "n": sum(cost.seat == seat for cost in costs)} for seat in played.kept.own],
    }  # fmt: skip
