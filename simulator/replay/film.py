"""A whole game as one page to watch: the board with a slider over the turns, what happened in words, why the bots chose."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2

from ..engine import choosing, decisions, state
from ..errors import FIRST_SEAT, UserError, counted
from ..file_ownership import write_alone
from .board import (
    FONT,
    MARGIN,
    SEAT_FILL,
    SEAT_INK,
    Board,
    Scene,
    draw_ground,
    draw_piece_legend,
    draw_pieces,
    draw_terrain_legend,
    draw_tile_edges,
    svg_shapes,
)
from .expansion_words import named
from .player_boards import changes, drafted, player_board
from .stepper import Game, headline

# --- A turn in one line, made of its lines in the log (log_in_words.py)

SPACE = r"([A-Za-z]+-?\d+)(?: \([^()]*\))?"
CARD = r"([^()]+) \([a-z]+ [IV]+\)"
# Deeds of the player at turn, in the order in which they are listed: pattern of the line in the log, and phrase. `{0}` is the
# pattern's first group; a phrase without groups stands once for all its lines, with their number.
DEEDS = tuple(
    (re.compile(pattern), phrase)
    for pattern, phrase in (
        (rf"(?:.+: )?(?:plays|resolves) {CARD} from slot (\d).*", "{0} in slot {1}"),
        (rf"places a city on {SPACE}.*", "city on {0}"),
        (rf"builds ([^()]+) \([^()]*\) in the city on {SPACE}", "builds {0}"),
        (rf"places the (.+) on {SPACE}(?: in place.*)?", "{0} on {1}"),
        (rf"places a (?:reinforced )?control token on {SPACE}.*", "control token"),
        (rf"the (?:control token|[A-Z][A-Za-z ]+) of .+ on {SPACE} is reinforced", "token reinforced"),
        (r"moves the technology dial from (\d+) to (\d+)", "dial to {1}"),
        (rf"replaces {CARD} with {CARD}.*", "{1}"),
        (rf"caravan \d+ arrives at (.+) on {SPACE}", "caravan to {0}"),
        (r"takes the diplomacy card of (.+)", "card of {0}"),
        (r"takes (?:the token of )?([^()]+?)(?: from .*)?", "takes {0}"),
        (rf"attacks ((?:the |barbarian ).+) at {SPACE}", "attacks {0}"),
        (r"die .+: the attacker wins", "attack won"),
        (r"die .+: the attack fails", "attack lost"),
        (r"conquers ([^()]+?),.*", "conquers {0}"),
        (r"(?:(?:caravan|army) \d+ )?explores.*: tile (\d+)(?: .*)?", "explores tile {0}"),
        (r"gets (\d+) trade tokens? on .*", "trade tokens"),
        (r"\*\*\* .+ claims (.+) \(victory card \d+: .*\)", "claims {0}"),
        (r"Event dial to section \d+: (.+)", "event: {0}"),
    )
)
TOKENS = "trade tokens"
NAMED_SEAT = re.compile(r" \(seat \d\)")
ONE_BY_ONE = ("attacks {0}", "dial to {1}")  # of several only the last is listed


def glance(lines: Iterable[str]) -> str:
    """Return a turn in a line, with the event before it; "" where the player at turn did nothing."""
    groups_of: dict[str, list[tuple[str, ...]]] = {}
    for line in lines:
        for pattern, phrase in DEEDS:
            if fits := pattern.fullmatch(line.strip()):
                groups_of.setdefault(phrase, []).append(fits.groups())
                break
    return "; ".join(_phrase(phrase, groups_of[phrase]) for _, phrase in DEEDS if phrase in groups_of)


def _phrase(phrase: str, matches: list[tuple[str, ...]]) -> str:
    if phrase == TOKENS:
        return counted(sum(int(amount) for (amount,) in matches), "trade token")
    if "{" not in phrase:
        noun, _, rest = phrase.partition(" ") if phrase.startswith(("token", "attack")) else (phrase, "", "")
        return f"{counted(len(matches), noun)} {rest}".strip()
    phrases = [phrase.format(*groups) for groups in (matches[-1:] if phrase in ONE_BY_ONE else matches)]
    return NAMED_SEAT.sub("", ", ".join(dict.fromkeys(phrases)))


# --- A whole game as one page to watch
#
# The board with a slider over the turns, the log in words, why the bots chose.
#
# The page is a picture of the empty map, as it is in the end, and a list of frames, one a turn. A frame holds only what
# differs from the one before: the pieces and edges of changed spaces as SVG and the changes of each player's board. A script
# puts them together; nothing is fetched, so the file opens anywhere. Packed, map and frames are compressed to a sixth of the
# size.

TEMPLATE, CARDS = "film.html.j2", "cards.html.j2"
BOARD_STYLE, BOARD_SCRIPT = "player_board.css", "player_board.js"
LEGEND_WIDTH = 560
UNIT = 70.0  # width of a space in the picture, which is drawn to the width of the page
INDENT = "  "  # of the log's lines
YES = 1  # worth of an option that is always taken; beside passing it explains nothing


@dataclass
class Frame:
    """The board after one turn. `pieces`, `edges`, `boards` and `cards` hold changes from the frame before."""

    title: str
    round: int
    seat: int  # whose turn it was, -1 in the set-up and at the end
    lines: list[tuple[int, str]]  # depth and words
    glance: str  # the turn in a line
    choices: list[dict[str, Any]]
    spaces: int  # on the map by now
    pieces: dict[int, str] = field(default_factory=dict)  # SVG by space
    edges: dict[int, str] = field(default_factory=dict)  # those of the map change as it grows
    boards: dict[int, dict[str, Any]] = field(default_factory=dict)  # of players, by seat (player_boards.py)
    cards: str = ""  # HTML of the victory cards


def write_film(stepper: Game, path: Path | str, last_round: int | None = None) -> int:
    """Play the game to the end of a round, or to its own, and write the page; return the number of turns shown."""
    path = Path(path)
    frames = shoot(stepper, last_round)
    try:
        write_alone(path, page(stepper, frames).encode())
    except OSError as error:
        raise UserError(f"--html: '{path}' cannot be written: {error.strerror or error}") from None
    return int(stepper.state.turn)


def shoot(stepper: Game, last_round: int | None = None) -> list[Frame]:
    """Return the frames of the set-up and of each turn to the end of a round, or of the game, with how it ended."""
    camera = Camera(stepper)
    frames = [camera.frame(stepper.opening)]
    players = stepper.plan.players
    for lines in stepper.turns() if last_round != 0 else ():
        frames.append(camera.frame(lines))
        if last_round is not None and int(stepper.state.turn) >= last_round * players:
            break
    frames[-1].lines.append((0, stepper.closing()))
    return frames


class Camera:
    """Takes frames of a game; remembers the last one to tell what has changed."""

    def __init__(self, stepper: Game) -> None:
        self.stepper = stepper
        self.pieces: dict[int, Scene] = {}
        self.edges: dict[int, Scene] = {}
        self.cards = ""
        self.boards: dict[int, dict[str, Any]] = {}
        self.template: Any = environment().from_string(resource(CARDS)).module

    def frame(self, lines: Sequence[str]) -> Frame:
        """Return the board as it stands now."""
        g = self.stepper.state
        board = self.board()
        taken = Frame(
            title=self.stepper.when(),
            round=int(g.round_number),
            seat=next((row[1] for row in self.stepper.rows if row[0] == choosing.LOG_TURN), -1),
            lines=[((len(line) - len(line.lstrip())) // len(INDENT), line.strip()) for line in lines],
            glance=glance(lines),
            choices=explained(self.stepper),
            spaces=board.n,
        )
        self.redraw(self.pieces, taken.pieces, draw_pieces, board)
        self.redraw(self.edges, taken.edges, draw_tile_edges, board)
        cards = str(self.template.cards(cards_in_play(self.stepper), face_up(board)))
        if cards != self.cards:
            self.cards = taken.cards = cards
        for seat in range(int(g.players)):
            now = player_board(self.stepper.words, seat)
            different = changes(self.boards.get(seat, {}), now)
            if different:
                taken.boards[seat] = different
            self.boards[seat] = now
        return taken

    def board(self) -> Board:
        """Return where the spaces of the map lie."""
        stepper = self.stepper
        return Board(stepper.rules, stepper.state, UNIT)

    @staticmethod
    def redraw(before: dict[int, Scene], changes: dict[int, str], draw: Any, board: Board) -> None:
        """Put the SVG of the spaces that differ from `before` into `changes`, and bring `before` up to date."""
        empty = Scene(UNIT, UNIT)
        for space in range(board.n):
            now = scene_of(draw, board, space)
            if now != before.get(space, empty):
                changes[space] = svg_shapes(now)
            before[space] = now


def scene_of(draw: Any, board: Board, space: int) -> Scene:
    """Return the shapes of one space."""
    scene = Scene(UNIT, UNIT)
    draw(scene, board, space)
    return scene


def drawn(draw: Any, board: Board, space: int) -> str:
    """Return the SVG of one space's shapes."""
    return svg_shapes(scene_of(draw, board, space))


def cards_in_play(stepper: Game) -> list[dict[str, Any]]:
    """Return the victory cards in play and who has claimed them."""
    g, words = stepper.state, stepper.words
    cards = []
    for place in range(int(g.victory_count)):
        card = int(g.victory_card[place])
        claims = [
            {"seat": seat + FIRST_SEAT, "leader": words.short(seat), "round": int(g.claimed_round[seat, place]),
             "agenda": words.agenda(card, int(g.claimed[seat, place]) - 1)}
            for seat in range(int(g.players)) if g.claimed[seat, place]
        ]  # fmt: skip
        cards.append({"name": words.victory_card(card), "claims": claims})
    return cards


def face_up(board: Board) -> str:
    """Return the names of the world wonders that can be built, and by whom alone where house rules have a draft."""
    up = (k for k in range(len(board.titles.wonder)) if board.g.wonder_place[k] == state.WONDER_FACE_UP)
    return ", ".join(board.titles.wonder[k] + drafted(board, k) for k in up)


# --- why the bots chose


def explained(stepper: Game) -> list[dict[str, Any]]:
    """Return the decisions of the last turn whose options were compared by worth: the options, the best first.

    The worths, or chances to win, were kept by the strategies of `strategies.explained_choices`.
    """
    work = stepper.work
    taken = [row for row in stepper.rows if row[0] == choosing.LOG_CHOICE]
    explained_choices = []
    at = 0
    for code, seat, n, start in work.asked[: work.asked_n].tolist():
        kind = code & ~state.CHANCES
        options = work.asked_options[start : start + 3 * n].reshape(n, 3).tolist()
        while at < len(taken) and not (taken[at][1:3] == [seat, kind] and taken[at][5] == n):
            at += 1
        if at == len(taken):
            break
        picked = taken[at][3]
        at += 1
        if {worth for _, worth, _ in options} - {options[-1][1], YES}:
            text = _chance if code & state.CHANCES else _worth
            explained_choices.append({
                "seat": seat,
                "asked": named(decisions.KINDS, kind, f"matter {kind}").replace("_", " "),
                "options": [
                    {"words": _option(stepper, seat, kind, value, subject), "worth": worth, "told": text(worth),
                     "picked": value == picked}
                    for value, worth, subject in sorted(options, key=lambda option: -option[1])
                ],
            })  # fmt: skip
    work.asked_n = work.asked_options_n = 0
    return explained_choices


def _worth(worth: int) -> str:
    return "–" if abs(worth) >= -state.UNTRIED else str(worth)


def _chance(worth: int) -> str:
    return "not tried" if worth == state.UNTRIED else f"{worth / 10:.1f}%"


def _option(stepper: Game, seat: int, kind: int, value: int, subject: int) -> str:
    words = stepper.words
    if kind in (decisions.CARD, decisions.OTHER_CARD) and value != decisions.PASS:
        return f"{words.card(subject)} in slot {words.slot(value)}"
    return words.option(seat, kind, value, subject)


# --- the page


def environment() -> jinja2.Environment:
    """Return the environment of the templates: strict, with every text escaped."""
    return jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)


def resource(name: str) -> str:
    """Return the text of a file beside this module."""
    return (resources.files("newdawn.simulator.replay") / name).read_text("utf-8")


def page(stepper: Game, frames: Sequence[Frame], packed: bool = False) -> str:
    """Return the page with map, script and style in it, map and frames compressed if `packed`."""
    board = Board(stepper.rules, stepper.state, UNIT)
    ground = [drawn(draw_ground, board, s) for s in range(board.n)]
    frame_data = [vars(frame) for frame in frames]
    signs, size = legend(stepper.rules)
    return (
        environment()
        .from_string(resource(TEMPLATE))
        .render(
            title=f"Seed {stepper.plan.seed}, game {stepper.game}",
            headline=headline(stepper),
            heading=stepper.heading()[1:],
            board_style=resource(BOARD_STYLE),
            board_script=resource(BOARD_SCRIPT),
            strategies=stepper.strategies,
            players=stepper.plan.players,
            leaders=[stepper.words.short(seat) for seat in range(stepper.plan.players)],
            fills=SEAT_FILL,
            inks=SEAT_INK,
            font=FONT,
            top=round(board.corner[1], 1),
            left=round(board.corner[0], 1),
            width=board.map_width + 2 * MARGIN,
            height=board.map_height + 2 * MARGIN,
            ground=ground,
            legend=signs,
            unit=UNIT,
            legend_size=size,
            frames="" if packed else _as_script(frame_data),
            packed=_packed({"frames": frame_data, "ground": ground}) if packed else "",
        )
    )


def legend(r: Any) -> tuple[str, tuple[int, int]]:
    """Return the legend of the board as SVG, and its width and height."""
    scene = Scene(LEGEND_WIDTH, 0)
    height = max(draw_terrain_legend(scene, r, 8, 16), draw_piece_legend(scene, r, 230, 16))
    return svg_shapes(scene), (LEGEND_WIDTH, round(height))


def _packed(data: Any) -> str:
    """Return compressed JSON in base64, for a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _as_script(data: Any) -> str:
    """Return JSON for a script element, in which nothing can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
