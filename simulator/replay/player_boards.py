"""The players' boards and the legend, beside the picture of the map."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

from .. import names
from ..engine import state
from ..engine.counts import agenda_met, metric
from ..engine.pieces import controls, is_mature
from ..engine.turn import slot_in_place
from ..engine.winning import score
from ..errors import FIRST_SEAT, counted
from ..rules.ruleset_contents import name_of
from ..rules.sentences import counted_by
from .board import (
    DISTRICT_MARKS,
    LEGEND,
    MARGIN,
    TITLE,
    WIDTH,
    WONDER_FILL,
    Board,
    Scene,
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
    write_scene,
)
from .expansion_words import named
from .log_in_words import ROMAN
from .space_names import space_name

# --- A player's board in the game's words
#
# `player_board` gives what lies in front of a player, what is on the map and what is still needed to win as dicts, lists,
# texts and numbers, so that a page can have them as JSON; player_board.js draws them and marks what differs from an earlier
# board. What a player has is in groups of items:
#
#     {"what": "control tokens", "n": 9, "note": "3 reinforced"}      `n` None: not counted

Item = dict[str, Any]


class NamedGame(Protocol):
    """A game with the names of everything in it (`words.Words`, `board.Board`)."""

    r: Any
    g: Any
    titles: SimpleNamespace


def player_board(table: NamedGame, seat: int) -> dict[str, Any]:
    """Return the board of a seat; the same position gives the same dict."""
    return {
        "seat": seat + FIRST_SEAT,
        "leader": leader(table, seat),
        "first": seat == int(table.g.first),
        "claimed": sum(1 for card in range(int(table.g.victory_count)) if table.g.claimed[seat, card]),
        "needed": int(table.g.victory_count - table.r.claims_spared),
        "points": int(score(table.r, table.g, seat)) if table.r.scored else None,  # victory points of house rules
        "dial": dial(table, seat),
        "row": focus_row(table, seat),
        "has": holdings(table, seat),
        "victory": victory_cards(table, seat),
    }


def leader(table: NamedGame, seat: int) -> str:
    """Return the name of the seat's leader."""
    return named(table.titles.leader, int(table.g.leader[seat]), "player")


def item(what: str, n: int | None = None, note: str = "") -> Item:
    """Return an item of a group, with its number where it is counted."""
    return {"what": what, "n": n, "note": note}


# --- technology dial and focus row


def dial(table: NamedGame, seat: int) -> dict[str, Any]:
    """Return the place of the technology dial, and the next space that brings a focus card, with its level."""
    r, at = table.r, int(table.g.dial[seat])
    last, after = int(r.dial_last), int(r.dial_after_last)
    ahead = [*range(at + 1, last + 1), *range(after, last + 1)]  # after the last space it goes on from an earlier one (B6.3)
    paying = next((space for space in ahead if r.dial_level[space]), 0)
    return {"at": at, "last": last, "next": paying, "level": ROMAN[r.dial_level[paying]] if paying else ""}


def focus_row(table: NamedGame, seat: int) -> list[dict[str, Any]]:
    """Return the places of the focus row from the left, each with its slot and card; without a card `name` is "".

    `acts` is the slot number the card is resolved with: a government or an ability can shift it. `tokens` are trade tokens,
    `guests` the other tokens on the card, `waiting` the caravans or armies that have not set out.
    """
    return [_place(table, seat, place) for place in range(int(table.r.slots))]


def _place(table: NamedGame, seat: int, place: int) -> dict[str, Any]:
    r, g = table.r, table.g
    slot, holder = int(r.slot_number[place]), int(g.row[seat, place])
    card = int(g.card[seat, holder]) if holder >= 0 else -1
    if card < 0:
        return {"slot": slot, "acts": slot, "name": "", "type": "", "level": "", "tokens": 0, "guests": [], "waiting": 0}
    kind = int(r.card_type[card])
    figures = {names.ECONOMY: g.caravan, names.MILITARY: g.army}
    return {
        "slot": slot,
        "acts": int(slot_in_place(r, g, seat, place)),
        "name": name_of(r, "card", card),
        "type": names.FOCUS_TYPES[kind],
        "level": ROMAN[r.card_level[card]],
        "tokens": int(g.trade[seat, holder]),
        "guests": _guests(table, seat, holder),
        "waiting": int((figures[kind][seat] == state.ON_CARD).sum()) if kind in figures else 0,
    }


def _guests(table: NamedGame, seat: int, holder: int) -> list[str]:
    """Return the tokens on a card beside trade tokens: of conquered city-states, natural wonders (America), the government."""
    r, g = table.r, table.g
    tokens = [table.titles.city_state[c] for c in range(int(r.n_city_states))
             if g.city_state_owner[c] == seat and g.city_state_holder[c] == holder]  # fmt: skip
    tokens += [table.titles.natural_wonder[k] for k in range(int(r.n_natural_wonders))
              if g.natural_wonder_owner[k] == seat and g.natural_wonder_holder[k] == holder]  # fmt: skip
    if r.box == names.TI_BOX and g.government[seat] == holder:
        tokens.append(names.GOVERNMENTS[g.government_type[seat]])
    return tokens


# --- what a player has


def holdings(table: NamedGame, seat: int) -> dict[str, list[Item]]:
    """Return what a seat has, in groups; those of Terra Incognita only there."""
    box = table.r.box == names.TI_BOX
    spaces = enumerate(table.g.district_space[seat])
    districts = [item(names.DISTRICTS[d], note=space_name(table.g, int(s))) for d, s in spaces if s >= 0]
    return {
        "resources": _resources(table, seat),
        "world wonders": _wonders(table, seat),
        "diplomacy cards": _diplomacy(table, seat),
        "city-states": _city_states(table, seat),
        **({"government": _government(table, seat), "districts": districts} if box else {}),
        "cities": _cities(table, seat),
        "on the map": _pieces(table, seat),
        "caravans": _figures(table, table.g.caravan[seat], "economy"),
        **({"armies": _figures(table, table.g.army[seat], "military")} if box else {}),
        "left to place": _left(table, seat),
    }


def _resources(table: NamedGame, seat: int) -> list[Item]:
    r, g = table.r, table.g
    items = [item(name, int(n)) for name, n in zip(names.RESOURCES, g.resources[seat], strict=True) if n > 0]
    wonders = [k for k in range(int(r.n_natural_wonders)) if g.natural_wonder_owner[k] == seat]
    notes = {k: f"natural wonder, {named(names.RESOURCES, int(r.natural_wonder_resource[k]))}" for k in wonders}
    return [*items, *(item(table.titles.natural_wonder[k], note=notes[k]) for k in wonders)]


def _wonders(table: NamedGame, seat: int) -> list[Item]:
    r, g = table.r, table.g
    held = [k for k in range(int(r.n_wonders)) if g.wonder_place[k] == state.WONDER_BUILT and controls(g, seat, k)]
    bank = f", {counted(int(g.wonder_bank), 'trade token')} on it" if g.wonder_bank else ""
    return [
        item(table.titles.wonder[k], note=f"{names.ERAS[r.wonder_era[k]]} {names.FOCUS_TYPES[r.wonder_type[k]]}"
             + bank * (k == names.GREAT_ZIMBABWE))
        for k in held
    ]  # fmt: skip


def drafted(table: NamedGame, wonder: int) -> str:
    """Return the end of a face-up world wonder's name: the leader who drafted it by house rules; "" for nobody."""
    seat = int(table.g.wonder_drafted[wonder]) - 1
    return f" ({leader(table, seat)} alone)" if seat >= 0 else ""


def _diplomacy(table: NamedGame, seat: int) -> list[Item]:
    r, g, titles = table.r, table.g, table.titles
    others = [giver for giver in range(int(g.players)) if giver != seat]
    cards = [item(titles.diplomacy[card], note=f"of {leader(table, giver)}")
             for giver in others for card in range(int(r.n_diplomacy)) if g.diplomacy[giver, card] == seat]  # fmt: skip
    cards += [item(name_of(r, "given_card", int(g.leader[giver])), note=f"of {leader(table, giver)}")
              for giver in others if g.given_card[giver] == seat]  # fmt: skip
    states = [c for c in range(int(r.n_city_states)) if g.city_state_cards[c, seat]]
    return cards + [item(titles.city_state[c], note="city-state") for c in states]


def _city_states(table: NamedGame, seat: int) -> list[Item]:
    r, g = table.r, table.g
    held = [c for c in range(int(r.n_city_states)) if g.city_state_owner[c] == seat]
    return [item(table.titles.city_state[c], note=names.FOCUS_TYPES[r.city_state_type[c]]) for c in held]


def _government(table: NamedGame, seat: int) -> list[Item]:
    r, g = table.r, table.g
    if g.government[seat] < 0:
        return []
    kind, card = int(g.government_type[seat]), int(g.card[seat, g.government[seat]])
    shift = counted(int(r.government_shift[kind]), "slot")
    return [item(names.GOVERNMENTS[kind], note=f"{name_of(r, 'card', card)} acts {shift} further right")]


def _cities(table: NamedGame, seat: int) -> list[Item]:
    r, g = table.r, table.g
    cities = []
    for s in (int(s) for s in g.cities[seat, : int(g.city_count[seat])]):
        mature = "mature" if is_mature(r, g, seat, s) else ""
        capital = "capital" if g.piece[s] == names.CAPITAL else ""
        cities.append(item(space_name(g, s), note=", ".join(part for part in (capital, mature) if part)))
    return cities


def _pieces(table: NamedGame, seat: int) -> list[Item]:
    """Return how many spaces and control tokens a seat has on the map; districts are not among the tokens (T4.2)."""
    g, n = table.g, int(table.g.n_spaces)
    own = (g.owner[:n] == seat) & (g.district[:n] == 0)
    reinforced = int((own & (g.piece[:n] == names.REINFORCED)).sum())
    tokens = int((own & (g.piece[:n] == names.TOKEN)).sum()) + reinforced
    return [
        item("control tokens", tokens, f"{reinforced} reinforced" if reinforced else ""),
        item("friendly spaces", int(g.space_count[seat]), f"{int(g.coast_count[seat])} by water or the map's edge"),
    ]


def _figures(table: NamedGame, spaces: Iterable[int], card: str) -> list[Item]:
    """Return where the caravans or armies stand: on their card, or on spaces of the map."""
    places = [int(s) for s in spaces if s != state.NOT_OWNED]
    waiting = places.count(state.ON_CARD)
    card_items = [item(f"on the {card} card", waiting)] if waiting else []
    occupied = sorted({s for s in places if s >= 0})
    return card_items + [item(f"on {space_name(table.g, s)}", places.count(s)) for s in occupied]


def _left(table: NamedGame, seat: int) -> list[Item]:
    g = table.g
    items = [item("control tokens", int(g.tokens_left[seat])), item("cities", int(g.cities_left[seat]))]
    if table.r.box == names.TI_BOX:
        items.append(item("districts", int((g.district_space[seat] < 0).sum())))
    return items


# --- victory cards


def victory_cards(table: NamedGame, seat: int) -> list[dict[str, Any]]:
    """Return the victory cards in play: the agenda by which the seat has claimed it, and the seat's progress on each agenda."""
    r, g = table.r, table.g
    cards = []
    for place in range(int(g.victory_count)):
        card, claimed = int(g.victory_card[place]), int(g.claimed[seat, place])
        halves = {int(r.agenda_name[card, half]): half for half in (1, 0)}  # a fort card shows its one agenda twice
        cards.append({
            "claimed": _agenda_name(table, card, claimed - 1) if claimed else "",
            "round": int(g.claimed_round[seat, place]) if claimed else 0,
            "agendas": [agenda(table, seat, card, half) for half in sorted(halves.values())],
        })  # fmt: skip
    return cards


def agenda(table: NamedGame, seat: int, card: int, half: int) -> dict[str, Any]:
    """Return an agenda of a victory card: `met` by the seat now, and of each thing counted how many it `has` and `needs`.

    `both`: of two things counted, both are needed.
    """
    r, at = table.r, (card, half)
    parts = [_counted(table, seat, r.agenda_metric[at], r.agenda_kind[at], r.agenda_target[at])]
    if r.agenda_metric2[at] != names.METRIC_NONE:
        parts.append(_counted(table, seat, r.agenda_metric2[at], r.agenda_kind2[at], r.agenda_target2[at]))
    met = bool(agenda_met(r, table.g, seat, card, half))
    return {"name": _agenda_name(table, card, half), "met": met, "both": bool(r.agenda_both[at]), "parts": parts}


def _counted(table: NamedGame, seat: int, what: int, kind: int, needs: int) -> dict[str, Any]:
    noun = counted_by(int(what), int(kind)).removeprefix("as the ")  # "24 as the space …": here the number stands apart
    return {"what": noun, "has": int(metric(table.r, table.g, seat, int(what), int(kind))), "needs": int(needs)}


def _agenda_name(table: NamedGame, card: int, half: int) -> str:
    return named(table.titles.agenda, int(table.r.agenda_name[card, half]))


# --- from one board to the next


def changes(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return the changed entries of a board: `{**before, **changes}` is the board now."""
    return {key: value for key, value in now.items() if key not in before or before[key] != value}


# --- A whole picture of a game: the map, its legend, the victory cards, and what each seat has

VICTORY_HEIGHT = 62
SEAT_HEIGHT = 104


def draw_board(
    r: Any,
    g: Any,
    path: Path | str,
    title: str = "",
    strategies: tuple[str, ...] = (),
) -> Path:
    """Draw the game `g` into a file, as SVG or PNG by its suffix; `strategies`: their names by seat."""
    return write_scene(board_scene(r, g, title, strategies), path)


def board_scene(r: Any, g: Any, title: str = "", strategies: tuple[str, ...] = ()) -> Scene:
    """Return the picture of the game as a scene."""
    board = Board(r, g)
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


# --- legend


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
            label = f"CS {board.titles.city_state[code]} at {space_name(g, int(g.city_state_space[code]))}"
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


# --- tables under the map


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
        # A trade token lies on it (T9.2), or somebody has drafted it.
        name + f" ({int(r.wonder_token_cost)})" * int(g.wonder_trade[k]) + drafted(board, k)
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


# Groups of `holdings` in the lines beside a focus row; the map shows the others.
LINES = ("resources", "world wonders", "diplomacy cards", "left to place")


def lines(board: Board, seat: int) -> list[str]:
    """Return what a seat has, in lines."""
    g, has = board.g, holdings(board, seat)
    mature = sum(bool(is_mature(board.r, g, seat, int(city))) for city in g.cities[seat, : int(g.city_count[seat])])
    spaces = f"{counted(int(g.space_count[seat]), 'space')}, {int(g.coast_count[seat])} by water or edge"
    cities = f"{counted(int(g.city_count[seat]), 'city', 'cities')}, {mature} mature; {spaces}"
    return [cities, *(f"{name}: {', '.join(map(_item_text, has[name])) or 'none'}" for name in LINES)]


def _item_text(item: dict[str, Any]) -> str:
    note = item["note"].removeprefix("of ") if item["note"].startswith("of ") else ""
    n = "" if item["n"] is None else str(item["n"])
    return " ".join(text for text in (n, item["what"], f"({note})" * bool(note)) if text)
