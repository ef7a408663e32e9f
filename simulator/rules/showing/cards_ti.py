"""What the engine believes about focus cards and districts of Terra Incognita, in words and numbers (see `describe.py`)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ... import names
from .. import ability_codes as codes
from .phrases import listed, plural

PORTS = {
    codes.ARRIVAL_CITY_STATE: "a city-state",
    codes.ARRIVAL_RIVAL_CITY: "a rival city",
    codes.ARRIVAL_IBRAHIM: "the capital of Ibrahim's holder",
}
FIGURES = {1: "caravan", 2: "army"}


def culture(r: np.record, c: int) -> Iterator[str]:
    """Describe what unique culture cards do besides."""
    if r.card_trade_per_mature[c]:
        yield f"then {plural(r.card_trade_per_mature[c], 'trade token')} for each own mature city, on any own cards"
    if r.card_slot5_mountain_token[c]:
        yield f"from slot 5 {plural(r.card_slot5_mountain_token[c], 'control token')} more on mountains next to friendly spaces"
    if r.card_take_city[c]:
        yield (
            f"from slot 5 {plural(r.card_take_city[c], 'rival city')} within {r.card_take_city_range[c]} of a "
            "friendly city, no capital and without an army, replaced by an unused own one (T12.10)"
        )


def science_first(r: np.record, c: int) -> Iterator[str]:
    """Describe what unique science cards do before the dial."""
    if r.card_look_tiles[c]:
        yield (
            f"first look at {plural(r.card_look_tiles[c], 'tile')} from the bottom of the stack and lay up to "
            f"{r.card_lay_tiles[c]}, from an edge space of the own capital's tile (T12.12)"
        )


def science(r: np.record, c: int) -> Iterator[str]:
    """Describe what unique science cards add to the dial."""
    if r.card_dial_with_wonder[c]:
        yield f"{plural(r.card_dial_with_wonder[c], 'space')} more with a world wonder"
    if r.card_dial_per_resource[c]:
        yield f"{plural(r.card_dial_per_resource[c], 'space')} more for each type of resource held, natural wonders count"


def economy(r: np.record, c: int) -> Iterator[str]:
    """Describe what unique economy cards do besides."""
    if r.card_water_token[c]:
        yield f"up to {plural(r.card_water_token[c], 'water token')} laid beside a caravan before it explores (T12.11)"
    if r.card_arrival_resources[c]:
        ports = listed((words for bit, words in PORTS.items() if r.card_arrival_where[c] & bit), "or")
        yield f"{plural(r.card_arrival_resources[c], 'resource')} for reaching {ports}"
    if r.card_arrival_city[c]:
        yield (
            f"reaching a rival city {r.card_arrival_city_distance[c]} or more from the own capital: a city on a legal space "
            f"within {r.card_arrival_city_range[c]} of it, once a turn"
        )


def industry(r: np.record, c: int) -> Iterator[str]:
    """Describe what industry cards of the expansion do besides."""
    if r.card_production_per_district[c]:
        yield f"{r.card_production_per_district[c]} more production for each own district on the map"
    if r.card_dial_after_wonder[c]:
        yield f"after the wonder option {plural(r.card_dial_after_wonder[c], 'space')} of the dial"
    if r.card_city_on_figure[c]:
        figures = listed((word for bit, word in FIGURES.items() if r.card_city_on_figure[c] & bit), "or")
        yield f"or city on a legal space with an own {figures}, which goes back to its card (T12.16)"


def army(r: np.record, c: int) -> Iterator[str]:
    """Describe a military card of the expansion."""
    water = "water allowed" if r.card_army_water[c] else "no water"
    armies = plural(r.card_armies[c], "army")
    steps = plural(r.card_army_move[c], "step")
    yield f"{armies}, up to {steps} each; difficulty at most the slot number; {water} (T5.1, T5.2)"
    if r.card_pass_through[c]:
        passed = [word.replace("_", "-") for bit, word in enumerate(names.TARGETS) if r.card_pass_through[c] >> bit & 1]
        yield f"spaces with these alone do not stop them: {listed(passed)}, tokens unreinforced (T12.2)"
    reroll = ", or another roll of the own die," if r.reroll_allowed else ""
    yield (
        f"combat: the slot number {r.card_combat[c]:+d}, against barbarians {r.card_combat_barbarian[c]:+d}; "
        f"{r.trade_effect[names.MILITARY]} more{reroll} for each trade token spent (T5.7, T5.9)"
    )
    if r.card_redeploy[c]:
        yield f"{plural(r.card_redeploy[c], 'beaten army')} may set out again (T12.9)"
    if r.card_second_move[c]:
        yield "once a turn an army that beat a control token may leave the space without a token and move again (T12.8)"
    if r.card_reinforced_change[c]:
        yield f"in the own turn each reinforced token counts {r.card_reinforced_change[c]:+d} in defence (T12.7)"


def growth(r: np.record, c: int) -> Iterator[str]:
    """Describe a growth card."""
    yield f"{plural(r.card_districts[c], 'district')} next to friendly cities, difficulty at most the slot number (T4.3)"
    if r.card_displaced_moves[c]:
        yield "the control token it takes the place of may be put beside it (T12.14)"
    if r.card_district_tokens[c]:
        yield f"then {plural(r.card_district_tokens[c], 'control token')} next to own districts"
    if r.card_name_district[c]:
        yield "then a type of district is named, which everyone who has it resolves (T12.22)"
    if r.card_armies_into_cities[c]:
        yield "then armies on the card may enter own cities (T12.15)"
    if r.card_reinforce_by_army[c]:
        yield "and all own tokens in or next to a space with an own army are reinforced"
    if r.card_growth_reinforce[c]:
        yield f"{'then' if r.card_growth_all[c] else 'or'} reinforce up to slot-number control tokens"
    yield f"{plural(r.trade_effect[names.GROWTH], 'token')} reinforced for each trade token spent (T4.1)"


# --- districts, by names.DISTRICTS


def _trade(tokens: int, card: str, per: str) -> str:
    return f"{plural(tokens, 'trade token')} on {card} for each {per}"


def _theater(r: np.record) -> Iterator[str]:
    wheres = ("it", "an own city with a world wonder")
    tokens = [
        f"{plural(number, 'control token')} within {far} of {where}"
        for number, far, where in zip(r.theater_tokens, r.theater_range, wheres, strict=True)
    ]
    yield f"{tokens[0]}, or {tokens[1]}, on any land"


def _campus(r: np.record) -> Iterator[str]:
    yield _trade(r.campus_mountains, "the science card", "mountain or natural wonder space around")


def _hub(r: np.record) -> Iterator[str]:
    yield _trade(r.hub_mature_cities, "any own cards", "own mature city")
    yield f"or {_trade(r.hub_deserts, 'the economy card', 'desert around')}"


def _zone(r: np.record) -> Iterator[str]:
    yield _trade(r.zone_forests, "the industry card", "forest around")
    if r.zone_city:
        price = plural(r.zone_city_price, "trade token")
        yield f"or a city on a legal space within {r.zone_city_range} of a friendly one for {price} of the industry card"


def _camp(r: np.record) -> Iterator[str]:
    reward = plural(r.camp_reward, "trade token")
    yield f"{r.camp_strike} barbarian ({reward}) or rival army within {r.camp_strike_range} destroyed"
    yield f"and, or, {plural(r.camp_reinforce, 'control token')} within {r.camp_reinforce_range} reinforced"


DISTRICTS = (_theater, _campus, _hub, _zone, _camp)
