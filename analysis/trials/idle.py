"""Abilities that never come to anything: played with and without each of them, on the same seeds, every game is the same.

For `newdawn rules check FILE --play`. A leader's abilities are looked at with the leader at the table; a wonder's in games in
which a random seat is given the wonder in round 1, so that it does not wait for somebody to build it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from newdawn.simulator.batch.run import Player
from newdawn.simulator.games.plan import Plan, available_leaders, make_plan
from newdawn.simulator.names import TREAT_NONE, TREAT_WONDER
from newdawn.simulator.rules.contents import OWN, entries, names_of, slug
from newdawn.simulator.rules.loading.load import Ruleset, with_overlay

PLAYERS = 3
CHUNK = 25  # games played before the two are compared
SEED = 1


def idle_abilities(ruleset: Ruleset, games: int) -> Iterator[tuple[str, int]]:
    """Yield path and games of every ability of own leaders and own wonders without which all of the games are the same."""
    for kind, stem in (("leader", "leaders"), ("wonder", "wonders")):
        for code, (key, entry) in enumerate(entries(ruleset.data, kind).items()):
            if entry["set"] != OWN or not entry["available"]:
                continue
            for name, ability in entry["abilities"].items():
                path = f"{stem}.{key}.abilities.{name}"
                if ability.get("works", True) and is_idle(ruleset, kind, code, path, games):
                    yield path, games


def is_idle(ruleset: Ruleset, kind: str, code: int, path: str, games: int) -> bool:
    """Are all of so many games the same without the ability at the path?"""
    without = with_overlay(ruleset, _off(path), f"without {path}")
    plan = _plan(ruleset, names_of(ruleset.data, kind)[code] if kind == "leader" else None)
    players = [Player(plan, rules.compile()) for rules in (ruleset, without)]
    for player in players:
        blank = player.states[1]
        blank.treatment, blank.treatment_what = (TREAT_WONDER, code) if kind == "wonder" else (TREAT_NONE, 0)
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
    available = available_leaders(ruleset.compile())
    line_up = [leader, *(name for name in available if slug(name) != slug(leader))][:PLAYERS] if leader else None
    return make_plan(players=PLAYERS, games=1, seed=SEED, available_leaders=available, box=ruleset.box, leaders=line_up)
