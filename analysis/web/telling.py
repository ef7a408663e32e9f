"""What a page needs to tell and draw a game as the lab does: its functions and templates as JavaScript (games/film.js)."""

from __future__ import annotations

import itertools
import json
import math
import types
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from ...simulator.engine import choosing
from ...simulator.replay import board, film, glance, picture, stepper, words
from ...simulator.rules import contents
from .templates import template
from .translated import script

NATIVE: dict[Any, str] = {  # games/python.js has these itself
    contents.written: "written", contents.name_of: "name_of", math.cos: "cos", math.sin: "sin", math.sqrt: "sqrt",
    escape: "escape", quoteattr: "quoteattr", itertools.pairwise: "pairwise", types.SimpleNamespace: "namespace",
}  # fmt: skip
TOLD = (
    words.Words, board.Scene, board.Board, board.draw_pieces, board.draw_ground, board.draw_tile_edges, board.svg_shapes,
    picture.player_board, glance.glance, stepper.headline, film.cards_in_play, film.face_up, film.legend, film.explained,
    stepper.Game.heading, stepper.Game.closing, stepper.Game.scores, stepper.Game.when,
)  # fmt: skip
KINDS = (*contents.PRINTED, "agenda", "card", "given_card")  # of names in the rules
HELPERS = """
const shown = (x) => (x?.safe !== undefined ? x.safe : String(x).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&#34;").replaceAll("'", "&#39;"));
const safe = (x) => ({ safe: x }), rounded = (x, digits) => py.format(x, `.${digits}f`);
const json = (x) => safe(spaced(x).replace(/[<>&']/g, (letter) => `\\\\u00${letter.charCodeAt(0).toString(16)}`));
const spaced = (x) => (Array.isArray(x) ? `[${x.map(spaced).join(", ")}]` : JSON.stringify(x).replace(/[\\u0080-\\uffff]/g, (letter) => `\\\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`));
"""  # noqa: E501


def lab_script() -> bytes:
    """Return the module lab.js."""
    environment = film.environment()
    looks = {
        "board_style": film.resource(film.BOARD_STYLE), "board_script": film.resource(film.BOARD_SCRIPT),
        "fills": board.SEAT_FILL, "inks": board.SEAT_INK, "font": board.FONT, "unit": str(film.UNIT),
    }  # fmt: skip
    constants = {"UNIT": film.UNIT, "MARGIN": board.MARGIN, "LOG_TURN": choosing.LOG_TURN, "LOOKS": looks}
    parts = [
        script({one.__name__: one for one in TOLD}, NATIVE), HELPERS,
        *(f"export const {name} = {json.dumps(value)};\n" for name, value in constants.items()),
        f"export const cards = {template(film.resource(film.CARDS), environment)};\n",
        f"export const film = {template(film.resource(film.TEMPLATE), environment)};\n",
    ]  # fmt: skip
    return "".join(parts).encode()


def fields_of_names() -> dict[str, str]:
    """Return the fields of the rules that hold names, by kind."""
    return {kind: contents.field_of(kind) for kind in KINDS}
