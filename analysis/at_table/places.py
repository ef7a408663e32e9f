"""Where an option lies on the table, so that it can be clicked: a space, a place beside the map, a focus card, a world wonder.

Places are texts: `space/12`, `spot/3/-4` (axial coordinates, where a tile or token would lie), `card/0/2` (seat, place in its
focus row), `wonder/7`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...simulator import limits, names
from ...simulator.engine.core import decisions
from ...simulator.sitting.question import Question

SPOT = "spot"
SPACES = frozenset({
    decisions.PLACE_TOKEN, decisions.TAKE_OFF, decisions.RIVAL_TOKEN, decisions.STRIKE, decisions.NAME_TOKEN,
    decisions.YIELD_TOKEN, decisions.WONDER_CITY, decisions.REINFORCE, decisions.CITY_SPACE, decisions.TAKE_CITY,
    decisions.DISPLACED_TOKEN, decisions.DISTRICT, decisions.ARMY_CITY,
})  # fmt: skip
FIGURES = frozenset({decisions.CARAVAN, decisions.ARMY, decisions.ARMY_AGAIN, decisions.ARMY_LOST})
OWN_CARDS = frozenset({decisions.PLACE_TRADE, decisions.LOSE_TRADE, decisions.NATURAL_WONDER_CARD, decisions.GOVERNMENT})
RIVAL_CARDS = frozenset({decisions.LOOT, decisions.GIVE_TRADE})
ROW = frozenset({decisions.CARD, decisions.OTHER_CARD, decisions.NON_AGGRESSION})
SPOTS = frozenset({decisions.PLACE_TILE, decisions.PLACE_FORT, decisions.WATER_SPACE})


def space(number: int) -> str:
    """Return the place of a space."""
    return f"space/{number}"


def card(question: Question, seat: int, holder: int) -> list[str]:
    """Return the place of the focus card that a holder stands for."""
    row = [int(held) for held in question.game.row[seat]]
    return [f"card/{seat}/{row.index(holder)}"] if holder in row else []


def spot(value: int) -> str:
    """Return the place of a free space of the grid."""
    q, r = divmod(value % (limits.GRID * limits.GRID), limits.GRID)
    return f"{SPOT}/{q - limits.GRID_ORIGIN}/{r - limits.GRID_ORIGIN}"


def _figure(question: Question, value: int) -> list[str]:
    caravan = question.code == decisions.CARAVAN
    where = int((question.game.caravan if caravan else question.game.army)[question.seat, value])
    if where >= 0:
        return [space(where)]
    return card(question, question.seat, names.ECONOMY if caravan else names.MILITARY)


def _industry(question: Question, value: int) -> list[str]:
    if value >= decisions.CITY_ON_CARAVAN:
        return [space(value % 1000)]
    return [f"wonder/{value - decisions.WONDER_OPTION}"] if value >= decisions.WONDER_OPTION else [space(value)]


def _district_space(question: Question, value: int) -> list[str]:
    if value >= decisions.ARMY_OPTION:
        return [space((value - decisions.ARMY_OPTION) % 256)]
    return [space(value % decisions.BARBARIAN_OPTION)]


OTHERS: dict[int, Callable[[Question, int], list[str]]] = {
    decisions.MOVE_TOKEN: lambda question, value: [space(value // 256), space(value % 256)],
    decisions.CARAVAN_TO: lambda question, value: [space(value % decisions.EXPLORE)],
    decisions.ARMY_TO: lambda question, value: [space(value % decisions.EXPLORE)],
    decisions.INDUSTRY: _industry,
    decisions.ATTACK: lambda question, value: [space(value % decisions.BARBARIAN_OPTION)],
    decisions.SEOUL_MOVE: lambda question, value: [
        space(int(question.game.barbarian_space[value // 256])), space(value % 256)
    ],
    decisions.SWAP_CARDS: lambda question, value: [f"card/{question.seat}/{place}" for place in divmod(value, 8)],
    decisions.UPGRADE: lambda question, value: card(question, question.seat, value % 8),
    decisions.PLACE_DISTRICT: lambda question, value: [space(value // 8)],
    decisions.DISTRICT_SPACE: _district_space,
}  # fmt: skip


def places(question: Question, value: int) -> list[str]:
    """Return where an option of a question lies; nothing for one that is in the list only."""
    kind = question.code
    if value == decisions.PASS:
        return []
    if kind in SPACES:
        return [space(value)]
    if kind in SPOTS:
        return [spot(value)]
    if kind in ROW:
        return [f"card/{question.seat}/{value}"]
    if kind in FIGURES:
        return _figure(question, value)
    if kind in OWN_CARDS:
        return card(question, question.seat, value)
    if kind in RIVAL_CARDS:
        return card(question, question.about["seat"], value)
    found: list[str] = OTHERS[kind](question, value) if kind in OTHERS else []
    return found


def axial(place: str) -> tuple[int, int] | None:
    """Return the coordinates of a place beside the map; None if it is another one."""
    kind, *numbers = place.split("/")
    return (int(numbers[0]), int(numbers[1])) if kind == SPOT else None
