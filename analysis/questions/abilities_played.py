"""How often abilities of house rules acted in games, with a line of a replay where one did (`newdawn rules check FILE --play`).

Start with `acted`: it plays games turn by turn and finds out after each which abilities were used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...simulator import names
from ...simulator.engine.abilities import GIVER_BITS
from ...simulator.engine.turn import begin_round, take_turn
from ...simulator.errors import counted
from ...simulator.replay.stepper import Game
from ...simulator.rules import codes
from ...simulator.rules.load import Ruleset
from ...simulator.rules.printed_game import printed_data
from ...simulator.rules.ruleset_contents import ability_holders, card_codes, entries, section
from ...simulator.rules.sentences import sentence
from ..pages.cells import rate
from ..stats.rates import with_ends
from .own_content import plan_of

# Words in the line of a replay that reports a deed; the line of a gain names the ability.
TELLING = {
    "control_tokens": "control token", "reinforce": "reinforce", "advance_dial": "dial", "swap_cards": "swap",
    "resources": "resource", "trade_tokens": "trade token", "explore": "explore", "take_diplomacy": "diplomacy",
    "push_barbarian": "barbarian", "raise_cards": "takes", "upgrade_cards": "takes", "resolve_district": "district",
}  # fmt: skip


@dataclass
class AbilityPlayed:
    """What a deed of house rules did in games: how often it acted, in how many seats' games, and how many of those won."""

    path: str
    games: int
    times: int = 0
    seats: int = 0
    wins: float = 0.0
    line: str = ""
    users: set[int] = field(default_factory=set, repr=False)  # seats of the game being played

    def facts(self) -> dict[str, Any]:
        """Return what it did for programs."""
        return {"path": self.path, "games": self.games, "times": self.times, "seats": self.seats, "wins": self.wins,
                "line": self.line}  # fmt: skip

    def sentence(self) -> str:
        """Return the sentence on what it did."""
        if not self.times:
            return f"never acted in {counted(self.games, 'game')}"
        won, low, high = (rate(share) for share in with_ends(self.wins, self.seats))
        often = (
            f"acted in {counted(self.times, 'turn')} in {counted(self.games, 'game')} ({self.times / self.games:.1f} a game)"
        )
        return f"{often}; players whom it served won {won} [{low}, {high}] of {self.seats:,}; for example {self.line}"


def acted(ruleset: Ruleset, games: int) -> list[AbilityPlayed]:
    """Play games and return what each deed added by house rules did, except those of world wonders that come with the building.

    A leader's deeds are looked for in games with that leader, all others in games of leaders drawn by lot.
    """
    r = ruleset.compile()
    found: list[AbilityPlayed] = []
    for leader, rows in _rows(ruleset, r).items():
        found += _played(ruleset, leader, rows, games)
    return found


def _rows(ruleset: Ruleset, r: Any) -> dict[str, dict[int, str]]:
    """Return the paths of the deeds to look for by row of the RULES record, by the leader who has to be at the table, or ""."""
    printed = {path: entry["abilities"] for path, entry in ability_holders(printed_data(ruleset.box))}
    firsts = _firsts(ruleset, r)
    wanted: dict[str, dict[int, str]] = {}
    for path, entry in ability_holders(ruleset.data):
        in_order = sorted(entry["abilities"].items(), key=lambda item: (codes.EFFECTS.index(item[1]["effect"]), item[0]))
        working = [(key, ability) for key, ability in in_order if ability.get("works", True)]
        if path not in firsts or not entry.get("available", True):
            continue
        for row, (key, ability) in enumerate(working, firsts[path]):
            new = key not in printed.get(path, {}) and "moment" in ability
            if new and codes.MOMENT[ability["moment"]].only == "":
                own_leader = path.split(".")[1] if path.startswith("leaders.") and path.count(".") == 1 else ""
                leader = ruleset.data["leaders"][own_leader]["civ"] if own_leader else ""
                wanted.setdefault(leader, {})[row] = f"{path}.abilities.{key}"
    return wanted


def _firsts(ruleset: Ruleset, r: Any) -> dict[str, int]:
    """Return the first row of the RULES record of each entry with abilities, by its path."""
    data, box = ruleset.data, section(ruleset.data)
    stems = {"leader": "leaders", "wonder": "wonders", "city_state": "city_states", "natural_wonder": "natural_wonders",
             "diplomacy": f"diplomacy.{box}"}  # fmt: skip
    firsts = {"everyone": int(r.everyone_first[0])}
    for kind, stem in stems.items():
        for code, key in enumerate(entries(data, kind)):
            firsts[f"{stem}.{key}"] = int(r[f"{kind}_first"][code])
            if kind == "leader":
                firsts[f"{stem}.{key}.given_card"] = int(r.given_card_first[code])
                firsts[f"{stem}.{key}.unique_card"] = int(r.card_first[names.N_CARDS + code])
    for key, code in card_codes(data).items():
        firsts[f"focus_cards.{box}.{key}"] = int(r.card_first[code])
    return firsts


def _played(ruleset: Ruleset, leader: str, rows: dict[int, str], games: int) -> list[AbilityPlayed]:
    """Return what the deeds in these rows did in games with the leader, or with leaders by lot."""
    plan = replace(plan_of(ruleset, leader or None), games=games)
    found = {row: AbilityPlayed(path, games) for row, path in rows.items()}
    for number in range(games):
        game = Game(ruleset, plan, number)
        for used in _steps(game):
            acting = [(row, int(used[row])) for row in rows if used[row]]
            for row, bits in acting:
                seats = {bit // GIVER_BITS for bit in range(bits.bit_length()) if bits >> bit & 1}
                found[row].times += len(seats)
                found[row].users |= seats
            unquoted = [row for row, _ in acting if not found[row].line]
            lines = game.drain() if unquoted else []
            for row in unquoted:
                found[row].line = f"game {number}, round {int(game.state.round_number)}: “{_line(game, row, lines)}”"
            game.work.log_n = 0
        for one in found.values():
            one.seats += len(one.users)
            one.wins += sum(float(game.state.winner[seat]) / max(1, int(game.state.winner.sum())) for seat in one.users)
            one.users.clear()
    return list(found.values())


def _steps(game: Game) -> Iterator[Any]:
    """Play the game as `play_step` does, and yield after each turn and before each round who has used each ability since."""
    g = game.state
    arguments = game.rules, g, game.work, game.bots
    while True:
        if g.current == g.first:
            before = g.ability_used.copy()
            begin_round(*arguments)
            yield g.ability_used & ~before
            if g.ending != names.RUNNING:
                return
        take_turn(*arguments)
        g.current = (g.current + 1) % g.players
        yield g.ability_used.copy()


def _line(game: Game, row: int, lines: list[str]) -> str:
    """Return the line of a replay that reports the deed in a row, or what the deed does in words."""
    effect = codes.EFFECTS[game.rules.ability_effect[row]]
    told = [line.strip() for line in lines]
    named = [line for line in told if line.endswith("[ability]") and TELLING.get(effect, "") in line]
    told_of = named or [line for line in told if TELLING.get(effect, "\0") in line][-1:]  # deeds come last
    return told_of[0] if told_of else sentence(game.rules, row)
