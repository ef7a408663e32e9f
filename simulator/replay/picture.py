"""A whole picture of a game at any moment: the map, its legend, the victory cards, and what each seat has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import names
from ..engine.board.pieces import is_mature
from ..engine.core import state
from ..engine.course.winning import score
from ..wording import counted
from .board import (
    DISTRICT_MARKS,
    LEGEND,
    MARGIN,
    TITLE,
    WIDTH,
    WONDER_FILL,
    Board,
    army_piece,
    caravan_piece,
    draw_ground,
    draw_piece_legend,
    draw_pieces,
    draw_terrain_legend,
    draw_tile_edges,
    initials,
    piece_mark,
    wonder_mark,
)
from .player_board import focus_row, holdings
from .scene import Scene, write_scene
from .words import Coordinates, named

VICTORY_HEIGHT = 62
SEAT_HEIGHT = 104


def draw_board(
    r: Any,
    g: Any,
    path: Path | str,
    title: str = "",
    strategies: tuple[str, ...] = (),
    coordinates: Coordinates | None = None,
) -> Path:
    """Draw the game `g` into a file whose suffix, .svg or .png, names the format.

    `coordinates` are those of the log, if the map may have grown since; `strategies` names them by seat.
    """
    return write_scene(board_scene(r, g, title, strategies, coordinates), path)


def board_scene(
    r: Any, g: Any, title: str = "", strategies: tuple[str, ...] = (), coordinates: Coordinates | None = None
) -> Scene:
    """Return the picture of the game as a scene."""
    board = Board(r, g, coordinates=coordinates)
    legend_height = 640 + 15 * (sum(1 for place in g.wonder_place if place == state.WONDER_BUILT))
    table_top = TITLE + 2 * MARGIN + max(board.map_height, legend_height)
    players = int(g.players)
    height = table_top + VICTORY_HEIGHT + players * SEAT_HEIGHT + MARGIN
    scene = Scene(WIDTH, height)
    scene.text((MARGIN, TITLE / 2 + 4), title or f"Round {int(g.round_number)}", 20, anchor="start", bold=True, kind="title")
    for draw in (draw_ground, draw_tile_edges, draw_pieces):
        for s in range(board.n):
            draw(scene, board, s)
    _draw_legend(scene, board)
    _draw_victory_cards(scene, board, table_top)
    for seat in range(players):
        _draw_seat(scene, board, seat, table_top + VICTORY_HEIGHT + seat * SEAT_HEIGHT, strategies)
    return scene


# ---------------------------------------------------------------------- legend


def _draw_legend(scene: Scene, board: Board) -> None:
    x = WIDTH - MARGIN - LEGEND
    y = TITLE + MARGIN + 6.0
    scene.text((x, y), "Legend", 15, anchor="start", bold=True, kind="legend")
    y = draw_terrain_legend(scene, board.r, x, y + 24)
    y = draw_piece_legend(scene, board.r, x, y + 6)
    y = _legend_names(scene, board, x, y + 6)
    for text in (
        "Coordinates: letter = column, slanting down right,",
        "number = row. East/west changes the letter, NW/SE",
        "the number, NE/SW both. Bold lines: tiles.",
    ):
        scene.text((x, y), text, 10.5, "#444444", "start", kind="legend")
        y += 14


def _legend_names(scene: Scene, board: Board, x: float, y: float) -> float:
    g = board.g
    if board.r.box == names.TI_BOX:
        scene.text((x, y), f"Tiles to explore: {int(g.stack_n)}", 11, anchor="start", bold=True, kind="legend stack")
        y += 15
    for wonder in range(len(board.titles.natural_wonder)):
        if wonder < int(board.r.n_natural_wonders) and g.natural_wonder_owner[wonder] > -2:
            owner = int(g.natural_wonder_owner[wonder])
            name = board.titles.natural_wonder[wonder]
            label = f"{initials(name)} = {name}{board.held_by(owner)}"
            scene.text((x, y), label, 11, "#4b2a68", "start", kind="legend")
            y += 15
    for code in range(int(board.r.n_city_states)):
        if g.city_state_owner[code] >= 0:
            label = f"CS {board.titles.city_state[code]} at {board.at.space(g, int(g.city_state_space[code]))}"
            scene.text((x, y), label + board.held_by(int(g.city_state_owner[code])), 11, anchor="start", kind="legend")
            y += 15
    for district, name in enumerate(names.DISTRICTS):
        if any(g.district_space[seat, district] >= 0 for seat in range(int(g.players))) and board.r.box == names.TI_BOX:
            scene.text((x, y), f"{DISTRICT_MARKS[district]} = {name}", 11, anchor="start", kind="legend district-name")
            y += 15
    for wonder in range(len(board.titles.wonder)):
        if g.wonder_place[wonder] == state.WONDER_BUILT:
            space = int(g.wonder_space[wonder])
            owner = int(g.owner[space]) if 0 <= space < board.n else -1
            name = board.titles.wonder[wonder]
            label = f"{wonder_mark(name, board.titles.wonder)} = {name}{board.held_by(owner)}"
            scene.text((x, y), label, 11, WONDER_FILL, "start", kind="legend wonder-name")
            y += 15
    return y + 6


# ---------------------------------------------------------------------- tables under the map


def _draw_victory_cards(scene: Scene, board: Board, y: float) -> None:
    r, g = board.r, board.g
    scene.text((MARGIN, y), "Victory cards", 13, anchor="start", bold=True, kind="victory")
    shown = int(g.victory_count)
    width = (WIDTH - 2 * MARGIN - 110) / max(shown, 1)
    for place in range(shown):
        card = int(g.victory_card[place])
        x = MARGIN + 110 + place * width
        words = " / ".join(dict.fromkeys(named(board.titles.agenda, int(r.agenda_name[card, a])) for a in (0, 1)))
        scene.text((x, y), f"{place + 1}. {words}", 12.5, anchor="start", bold=True, kind="victory-card")
        claims = [
            f"{board.leader(p)} ({named(board.titles.agenda, int(r.agenda_name[card, which - 1]))},"
            f" round {int(g.claimed_round[p, place])})"
            for p in range(int(g.players))
            if (which := int(g.claimed[p, place])) > 0
        ]
        for line, claim in enumerate(claims[:2] if len(claims) < 3 else ["; ".join(claims[:2]), "; ".join(claims[2:])]):
            scene.text((x, y + 16 + 14 * line), claim, 11 if len(claims) < 3 else 9, "#333333", "start", kind="claim")
    face_up = [
        name + f" ({int(r.wonder_token_cost)})" * int(g.wonder_trade[k])  # a trade token lies on it (T9.2)
        for k, name in enumerate(board.titles.wonder)
        if g.wonder_place[k] == state.WONDER_FACE_UP
    ]
    scene.text((MARGIN, y + 46), "Face-up wonders: " + ", ".join(face_up), 11.5, anchor="start", kind="face-up")


def _draw_seat(scene: Scene, board: Board, seat: int, y: float, strategies: tuple[str, ...]) -> None:
    r, g = board.r, board.g
    scene.line((MARGIN, y), (WIDTH - MARGIN, y), "#bbbbbb", 1, "rule")
    piece_mark(scene, (MARGIN + 18, y + 24), 15, names.CITY, seat)
    name = board.leader(seat)
    scene.text((MARGIN + 42, y + 22), name, 16, anchor="start", bold=True, kind="leader")
    turn = "first player" if seat == g.first else ""
    about = ", ".join(part for part in (strategies[seat] if seat < len(strategies) else "", turn) if part)
    scene.text((MARGIN + 42, y + 40), about, 11, "#444444", "start", kind="strategy")
    claimed = sum(1 for place in range(int(g.victory_count)) if g.claimed[seat, place])
    agendas = f"agendas claimed: {claimed} of {int(g.victory_count - r.claims_spared)}"
    if r.scored:
        agendas += f"; points: {int(score(r, g, seat))}"
    scene.text((MARGIN + 6, y + 62), agendas, 12, anchor="start", bold=True, kind="claimed")
    scene.text((MARGIN + 6, y + 82), f"technology dial: {int(g.dial[seat])}", 12, anchor="start", kind="dial")
    _draw_row(scene, board, seat, MARGIN + 190, y + 12)
    for line, text in enumerate(lines(board, seat)):
        scene.text((MARGIN + 930, y + 20 + 16 * line), text, 11, anchor="start", kind="holdings")


def _draw_row(scene: Scene, board: Board, seat: int, x: float, y: float) -> None:
    """Draw the focus row: a box a card with its slot, name, type, level and trade tokens."""
    width = 145.0 if int(board.r.slots) <= 5 else 121.0
    for place, card in enumerate(focus_row(board, seat)):
        left = x + place * width
        scene.box(left, y, width - 6, 78, "#fafafa", "#666666", 1, "focus-card")
        scene.box(left, y, 22, 78, "#e4e4e4", "#666666", 1, "slot")
        scene.text((left + 11, y + 39), card["slot"], 15, bold=True, kind="slot-number")
        name, tokens = card["name"], card["tokens"]
        if not name:
            continue
        scene.text((left + 28, y + 15), name, 11.5 if len(name) < 15 else 10, anchor="start", bold=True, kind="card-name")
        scene.text((left + 28, y + 33), f"{card['type']} {card['level']}", 11, anchor="start", kind="card-type")
        for k in range(tokens):
            scene.circle((left + 36 + 17 * k, y + 58), 6.5, "#e69f00", "#111111", 1, "trade-token")
        _draw_card_guests(scene, card, seat, left + 36 + 17 * tokens, y + 58)


def _draw_card_guests(scene: Scene, card: dict[str, Any], seat: int, x: float, y: float) -> None:
    """Draw what else lies on a card: tokens of city-states, natural wonders and governments, waiting figures."""
    for guest in card["guests"]:
        scene.box(x - 6, y - 8, 22, 16, "#ffffff", "#111111", 1, "guest")
        scene.text((x + 5, y), initials(guest), 10, bold=True, kind="guest")
        x += 26
    if card["waiting"]:
        waiting_piece = army_piece if card["type"] == names.FOCUS_TYPES[names.MILITARY] else caravan_piece
        waiting_piece(scene, (x + 6, y), 8, seat, 1)
        scene.text((x + 18, y), f"×{card['waiting']}", 10, anchor="start", kind="waiting")


# What the lines beside a focus row say: groups of `player_board.holdings`; what stands on the map is to be seen there.
LINES = ("resources", "world wonders", "diplomacy cards", "left to place")


def lines(board: Board, seat: int) -> list[str]:
    """Return the lines that say what a seat has."""
    g, has = board.g, holdings(board, seat)
    mature = sum(bool(is_mature(board.r, g, seat, int(city))) for city in g.cities[seat, : int(g.city_count[seat])])
    spaces = f"{counted(int(g.space_count[seat]), 'space')}, {int(g.coast_count[seat])} by water or edge"
    cities = f"{counted(int(g.city_count[seat]), 'city', 'cities')}, {mature} mature; {spaces}"
    return [cities, *(f"{name}: {', '.join(map(_told, has[name])) or 'none'}" for name in LINES)]


def _told(item: dict[str, Any]) -> str:
    note = item["note"].removeprefix("of ") if item["note"].startswith("of ") else ""
    n = "" if item["n"] is None else str(item["n"])
    return " ".join(text for text in (n, item["what"], f"({note})" * bool(note)) if text)
