"""What content of house rules does in games (`newdawn rules check FILE --play`).

`deeds` counts how often new and changed leaders, wonders and agendas were played, built, claimed and won, `idle_abilities`
finds abilities without which every game stays the same, `unfinished` counts games that nobody wins.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...simulator import names
from ...simulator.errors import counted
from ...simulator.rules.load import Ruleset, with_overlay
from ...simulator.rules.printed_game import printed_data
from ...simulator.rules.ruleset_contents import OWN, ability_holders, agenda_names, entries, section, slug
from ...simulator.runs.run import Player
from ...simulator.runs.run_plan import Plan, available_leaders, plan_by
from ..pages.cells import rate
from ..stats.rates import with_ends

PLAYERS = 3
GAMES_AT_ONCE = 25  # rows in memory
SEED = 1


@dataclass
class Deed:
    """What a leader, wonder or agenda did: `times` of `n` games or seats, and how often that won."""

    path: str
    what: str  # "leader", "wonder", "agenda"
    n: int
    times: int
    wins: float

    @property
    def never(self) -> bool:
        """Whether it is an agenda that nobody claimed."""
        return self.what == "agenda" and not self.times

    def sentence(self) -> str:
        """Return the sentence on what it did."""
        games = counted(self.n, "game")
        if self.what == "leader":
            return f"won {self._rate(self.wins, self.n)} of {games} (fair share: {rate(1 / PLAYERS)})"
        if self.what == "wonder":
            return f"built in {self._rate(self.times, self.n)} of the {games} with it{self._winners('builder')}"
        return f"claimed {counted(self.times, 'time')} in {games} with its card{self._winners('claimant')}"

    def _winners(self, who: str) -> str:
        return f"; its {who} won {self._rate(self.wins, self.times)} of {self.times:,}" if self.times else ""

    @staticmethod
    def _rate(wins: float, n: int) -> str:
        if not n:
            return "none"
        value, low, high = (rate(share) for share in with_ends(wins, n))
        return f"{value} [{low}, {high}]"


def deeds(ruleset: Ruleset, games: int) -> list[Deed]:
    """Play games of three planners and return the deeds of all new and changed leaders, wonders and agendas."""
    data, part = ruleset.data, section(ruleset.data)
    leaders = [slug(key) for key in entries(data, "leader")]
    wonders = list(entries(data, "wonder"))
    agendas = {
        agenda_names(data).index(agenda["name"]): (f"victory_cards.{part}.{key}.agendas.{half}", card["available"])
        for key, card in data["victory_cards"][part].items()
        for half, agenda in card["agendas"].items()
        if agenda["available"]
    }
    paths = {
        **{("leader", code): f"leaders.{key}" for code, key in enumerate(leaders) if data["leaders"][key]["available"]},
        **{("wonder", code): f"wonders.{key}" for code, key in enumerate(wonders) if data["wonders"][key]["available"]},
        **{("agenda", code): path for code, (path, available) in agendas.items() if available},
    }
    wanted = {key: path for key, path in paths.items() if _is_new(ruleset, path)}
    if not wanted:
        return []
    chances: Counter[tuple[str, int]] = Counter()
    times: Counter[tuple[str, int]] = Counter()
    wins: dict[tuple[str, int], float] = defaultdict(float)
    r = ruleset.compile()
    player = Player(plan_of(ruleset, None), r)
    for first in range(0, games, GAMES_AT_ONCE):
        size = min(GAMES_AT_ONCE, games - first)
        rows = player.rows(size)
        used = player.play(first, size, rows, 0, 0)
        won = {(int(row["game_id"]), int(row["seat"])): float(row["won"]) for row in rows.seats[: size * PLAYERS]}
        for row in rows.seats[: size * PLAYERS]:
            _count("leader", row["leader"], 1, float(row["won"]), chances, times, wins)
        for row in rows.wonders[rows.wonders["in_deck"] != 0]:
            built = int(row["round_built"] > 0)
            share = won[int(row["game_id"]), int(row["builder"])] if built else 0.0
            _count("wonder", row["wonder"], built, share, chances, times, wins)
        for row in rows.games[:size]:
            for card in row["card"]:
                for code in {int(name) for name in r.agenda_name[card]} if card >= 0 else ():
                    chances["agenda", code] += 1
        for row in rows.agendas[:used]:
            key = "agenda", int(row["agenda"])
            times[key] += 1
            wins[key] += won[int(row["game_id"]), int(row["seat"])]
    return [Deed(path, key[0], chances[key], times[key], wins[key]) for key, path in wanted.items()]


def unfinished(ruleset: Ruleset, games: int) -> int:
    """Play games of three planners and return how many of them nobody has won by the round cap."""
    player, n = Player(plan_of(ruleset, None), ruleset.compile()), 0
    for first in range(0, games, GAMES_AT_ONCE):
        size = min(GAMES_AT_ONCE, games - first)
        rows = player.rows(size)
        player.play(first, size, rows, 0, 0)
        n += int(np.count_nonzero(rows.games[:size]["ending"] != names.VICTORY))
    return n


def _count(
    what: str, code: Any, times_: int, share: float, chances: Counter[Any], times: Counter[Any], wins: dict[Any, float]
) -> None:
    chances[what, int(code)] += 1
    times[what, int(code)] += times_
    wins[what, int(code)] += share


def _is_new(ruleset: Ruleset, path: str) -> bool:
    """Return whether house rules add the thing at the path, or change something of it."""
    node: Any = ruleset.data
    own = False
    for key in path.split("."):
        node = node[key]
        own |= isinstance(node, Mapping) and node.get("set") == OWN
    return own or any(changed == path or changed.startswith(f"{path}.") for changed in ruleset.changed)


# --- Abilities without which every game is the same
#
# A leader's abilities are tested with the leader at the table, a wonder's in games in which a random seat is given the wonder
# in round 1, all others in ordinary games.


def idle_abilities(ruleset: Ruleset, games: int) -> Iterator[tuple[str, int]]:
    """Yield path and number of games of every ability added by house rules without which all games are the same."""
    printed = {path: entry["abilities"] for path, entry in ability_holders(printed_data(ruleset.box))}
    for path, entry in ability_holders(ruleset.data):
        for key, ability in entry["abilities"].items():
            added = key not in printed.get(path, {}) and entry.get("available", True)
            if added and ability.get("works", True) and is_idle(ruleset, f"{path}.abilities.{key}", games):
                yield f"{path}.abilities.{key}", games


def is_idle(ruleset: Ruleset, path: str, games: int) -> bool:
    """Return whether the first games, this many, are all the same without the ability at the path."""
    without = with_overlay(ruleset, _off(path), f"without {path}")
    stem, key = path.split(".")[:2]
    code = list(entries(ruleset.data, "wonder")).index(key) if stem == "wonders" else 0
    plan = plan_of(ruleset, ruleset.data["leaders"][key]["civ"] if stem == "leaders" else None)
    players = [Player(plan, rules.compile()) for rules in (ruleset, without)]
    for player in players:
        blank = player.states[1]
        blank.treatment, blank.treatment_what = (names.TREAT_WONDER, code) if stem == "wonders" else (names.TREAT_NONE, 0)
        blank.treatment_round = 1
    for first in range(0, games, GAMES_AT_ONCE):
        size = min(GAMES_AT_ONCE, games - first)
        played, played_without = (_play(player, first, size) for player in players)
        if played != played_without:
            return False
    return True


def _play(player: Player, first: int, n: int) -> bytes:
    rows = player.rows(n)
    used = player.play(first, n, rows, 0, 0)
    return b"".join(np.asarray(part).tobytes() for part in (rows.games, rows.seats, rows.wonders, rows.agendas[:used]))


def _off(path: str) -> Mapping[str, Any]:
    value: Any = False
    for key in reversed([*path.split("."), "works"]):
        value = {key: value}
    return dict(value)


def plan_of(ruleset: Ruleset, leader: str | None) -> Plan:
    """Return the plan of games of three planners: the leader with two others, or three drawn from all."""
    r = ruleset.compile()
    line_up = [leader, *(name for name in available_leaders(r) if slug(name) != slug(leader))][:PLAYERS] if leader else None
    return plan_by(r, players=PLAYERS, games=1, seed=SEED, leaders=line_up)
