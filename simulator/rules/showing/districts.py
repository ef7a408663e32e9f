"""What the engine believes about districts, in words and numbers (see `describe.py`)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .phrases import plural


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


# By names.DISTRICTS.
DISTRICTS = (_theater, _campus, _hub, _zone, _camp)
