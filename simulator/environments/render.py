"""A game of an environment in words and as a picture, as the one who is asked sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.core.functions import Table
from ..replay.picture import board_scene
from ..replay.player_board import player_board
from ..replay.scene import pixels
from ..replay.words import Words
from ..sitting.question import Question
from ..wording import counted
from .actions import action_of
from .tables import Asked, Tables

METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 2}
SHOWN = 40  # options of a question in words


def rendered(tables: Tables, i: int, asked: Asked, mode: str | None) -> str | np.ndarray | None:
    """Return the game at table i in the render mode: a text, a picture, or nothing where the text was printed."""
    if mode == "rgb_array":
        return pixels(board_scene(tables.rules, tables.game(i)))
    if mode == "human":
        print(in_words(tables, i, asked))
        return None
    return in_words(tables, i, asked)


def in_words(tables: Tables, i: int, asked: Asked) -> str:
    """Return the game at table i in words: every seat, then the question with the action that each option is."""
    words = Words(tables.rules, tables.game(i))
    seats = [_seat(player_board(words, seat)) for seat in range(tables.plan.players)]
    return "\n".join([f"Round {int(words.g.round_number)}", *seats, *_question(tables, i, asked)])


def _seat(board: dict[str, Any]) -> str:
    row = ", ".join(f"{card['acts']} {card['name']}" + f" ({card['tokens']})" * bool(card["tokens"]) for card in board["row"])
    cities = counted(len(board["has"]["cities"]), "city", "cities")
    claimed = f"{board['claimed']} of {board['needed']} victory cards"
    return f"{board['seat']} {board['leader']}: {claimed}, dial {board['dial']['at']}, {cities}; {row}"


def _question(tables: Tables, i: int, asked: Asked) -> list[str]:
    seat, kind, n = asked
    if not n:
        return ["The game is over"]
    work = tables.works[i]
    question = Question(Table(tables.rules, tables.game(i), work), seat, kind, n, 0)
    lines = [f"  action {action_of(work, kind, k)}: {words}" for k, words in enumerate(question.words[:SHOWN])]
    return [question.text, *lines, *[f"  and {n - SHOWN} more"] * (n > SHOWN)]
