"""Twelve things broken on purpose, five in the rules as they are compiled and seven in the engine: each has to be noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import games

from newdawn.simulator.rules import codes

ROW = ["economy", "culture", "industry", "military", "science"]
# Clean as it stands: every break below changes what it does.
RULES: dict[str, Any] = {
    "components": {"start_bonus": {"everyone": {"trade_tokens": 3, "resources": 4, "control_tokens": 2}}},
    "everyone": {
        "abilities": [
            {"effect": "combat", "amount": 2, "when": ["attack"], "terrain": ["grassland", "hills"]},
            {"effect": "culture_tokens", "amount": 1, "until_round": 2},
            {"effect": "trade_tokens", "amount": 1, "moment": "token_placed", "terrain": ["hills", "forest"]},
            {"effect": "trade_tokens", "amount": 1, "moment": "arrival", "target": ["city", "capital"]},
            {"effect": "resources", "amount": 1, "moment": "attack_won", "resource": "oil"},
            {"effect": "trade_tokens", "amount": 1, "moment": "end_of_round", "unless": {"cities": 3}},
            {"effect": "advance_dial", "amount": 1, "moment": "city_built"},
            {"effect": "control_tokens", "amount": 1, "moment": "wonder_built"},
            {"effect": "trade_tokens", "amount": 1, "moment": "token_lost"},
            {"effect": "pay_trade_tokens", "amount": 1, "moment": "end_of_round", "if": {"cities": 3}},
        ]
    },
    "leaders": {
        "own0": {"name": "Own0", "start_row": ROW, "abilities": [
            {"effect": "trade_tokens", "amount": 1, "moment": "token_placed", "once": True, "card": "military"}]}
    },
}  # fmt: skip


def set_all(column: str, value: Callable[[int], int]) -> games.Rows:
    """Return what changes a column of all gains."""

    def rows(r: Any) -> None:
        for row in range(r.n_abilities):
            if r.ability_effect[row] in (codes.TRADE_TOKENS, codes.RESOURCES) or column == "until_round":
                r[f"ability_{column}"][row] = value(int(r[f"ability_{column}"][row]))

    return rows


def swapped(moment: int) -> int:
    return {codes.ATTACK_WON: codes.ATTACK_LOST, codes.ATTACK_LOST: codes.ATTACK_WON}.get(moment, moment)


COMPILED: dict[str, games.Rows] = {
    "targets do not matter": set_all("target", lambda bits: -1),
    "terrain does not matter": set_all("terrain", lambda bits: -1),
    "once a turn is forgotten": set_all("once", lambda value: 0),
    "attacks won are those lost": set_all("moment", swapped),
    "rounds never end": set_all("until_round", lambda value: 0),
}
Meddling = Callable[[Any, Any], Any]
ENGINE: dict[str, tuple[str, Meddling]] = {
    "a trade token goes astray": ("gain_trade", lambda call, a: call((*a[4:6], max(0, a[6] - 1), a[7]))),
    "arrivals go by unseen": ("happen", lambda call, a: None if a[5] == codes.ARRIVAL else call()),
    "losses go by untold": ("happen", lambda call, a: None if a[5] == codes.TOKEN_LOST else call()),
    "a tribute is too small": ("give_up_trade", lambda call, a: call((a[4], max(0, a[5] - 1), a[6]))),
    "deeds that wait are dropped": ("do_deed", lambda call, a: None if games.WATCH.following else call()),
    "the dial goes one space farther": ("advance_dial", lambda call, a: call((a[4], a[5] + 1))),
    "rounds end without a moment": ("end_round", lambda call, a: None),
}


def noticed(box: str, number: int) -> dict[str, int]:
    """Play a few games under each break; return how many differences were seen, and how many with nothing broken."""
    found = {"nothing": _differences(box, number, games.as_it_is)}
    for name, rows in COMPILED.items():
        found[name] = _differences(box, number, rows)
    for name, (function, meddling) in ENGINE.items():
        games.MEDDLE[function] = meddling
        found[name] = _differences(box, number, games.as_it_is)
        games.MEDDLE.clear()
    return found


def _differences(box: str, number: int, rows: games.Rows) -> int:
    watch = games.WATCH
    watch.differences.clear()
    games.play(RULES if box == "base" else {"box": box, **RULES}, box, range(number), "broken", 12, rows)
    return len(watch.differences)
