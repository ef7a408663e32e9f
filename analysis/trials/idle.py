"""Own content that never comes to anything: abilities with and without which, on the same seeds, every game is the same, and
agendas that nobody claims.

For `newdawn rules check FILE --play`. A leader's abilities are looked at with the leader at the table; a wonder's in games in
which a random seat is given the wonder in round 1, so that it does not wait for somebody to build it; all others as games go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...simulator import names
from ...simulator.batch.run import Player
from ...simulator.games.plan import Plan, available_leaders, plan_by
from ...simulator.rules.contents import OWN, agenda_names, entries, section, slug
from ...simulator.rules.loading.abilities import ability_holders
from ...simulator.rules.loading.load import Ruleset, with_overlay
from ...simulator.rules.loading.packaged import printed_data

PLAYERS = 3
CHUNK = 25  # games played before the two are compared
SEED = 1


def idle_abilities(ruleset: Ruleset, games: int) -> Iterator[tuple[str, int]]:
    """Yield path and games of every ability that house rules have added and without which all of the games are the same."""
    printed = {path: entry["abilities"] for path, entry in ability_holders(printed_data(ruleset.box))}
    for path, entry in ability_holders(ruleset.data):
        for key, ability in entry["abilities"].items():
            added = key not in printed.get(path, {}) and entry.get("available", True)
            if added and ability.get("works", True) and is_idle(ruleset, f"{path}.abilities.{key}", games):
                yield f"{path}.abilities.{key}", games


def unclaimed_agendas(ruleset: Ruleset, games: int) -> Iterator[tuple[str, int]]:
    """Yield path and games of every own agenda that nobody claims in all of the games."""
    part = section(ruleset.data)
    own = {
        agenda["name"]: f"victory_cards.{part}.{key}.agendas.{word}"
        for key, card in ruleset.data["victory_cards"][part].items()
        for word, agenda in card["agendas"].items()
        if card.get("set") == OWN and card["available"] and agenda["available"]
    }
    player = Player(_plan(ruleset, None), ruleset.compile()) if own else None
    for first in range(0, games, CHUNK):
        if player is None or not own:
            return
        rows = player.rows(min(CHUNK, games - first))
        used = player.play(first, min(CHUNK, games - first), rows, 0, 0)
        for code in set(rows.agendas["agenda"][:used].tolist()):
            own.pop(agenda_names(ruleset.data)[code], None)
    yield from ((path, games) for path in own.values())


def is_idle(ruleset: Ruleset, path: str, games: int) -> bool:
    """Are all of so many games the same without the ability at the path?"""
    without = with_overlay(ruleset, _off(path), f"without {path}")
    stem, key = path.split(".")[:2]
    code = list(entries(ruleset.data, "wonder")).index(key) if stem == "wonders" else 0
    plan = _plan(ruleset, ruleset.data["leaders"][key]["civ"] if stem == "leaders" else None)
    players = [Player(plan, rules.compile()) for rules in (ruleset, without)]
    for player in players:
        blank = player.states[1]
        blank.treatment, blank.treatment_what = (names.TREAT_WONDER, code) if stem == "wonders" else (names.TREAT_NONE, 0)
        blank.treatment_round = 1
    for first in range(0, games, CHUNK):
        size = min(CHUNK, games - first)
        one, other = (_play(player, first, size) for player in players)
        if one != other:
            return False
    return True


def _play(player: Player, first: int, n: int) -> bytes:
    rows = player.rows(n)
    used = player.play(first, n, rows, 0, 0)
    return b"".join(np.asarray(part).tobytes() for part in (rows.games, rows.seats, rows.wonders, rows.agendas[:used]))


def _off(path: str) -> Mapping[str, Any]:
    value: Any = False
    for word in reversed([*path.split("."), "works"]):
        value = {word: value}
    return dict(value)


def _plan(ruleset: Ruleset, leader: str | None) -> Plan:
    """Return games of three planners: the leader with two others, or three drawn from all."""
    r = ruleset.compile()
    line_up = [leader, *(name for name in available_leaders(r) if slug(name) != slug(leader))][:PLAYERS] if leader else None
    return plan_by(r, players=PLAYERS, games=1, seed=SEED, leaders=line_up)
