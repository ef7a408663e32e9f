"""What abilities and agendas of house rules did in games: how often they acted and were held back, with a line of a replay for
each, and how often who had them won (`newdawn rules check FILE --play`). Start with `acted`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...simulator import names
from ...simulator.engine import choosing
from ...simulator.engine.abilities import ACTS
from ...simulator.engine.counts import amount_of, conditions_hold
from ...simulator.engine.pieces import controls
from ...simulator.engine.turn import begin_round, take_turn
from ...simulator.errors import counted, listed
from ...simulator.replay.log_in_words import HELD_BACK
from ...simulator.replay.player_boards import agenda
from ...simulator.replay.stepper import Game
from ...simulator.rules import codes
from ...simulator.rules.load import Ruleset
from ...simulator.rules.printed_game import printed_data
from ...simulator.rules.ruleset_contents import ability_holders, agenda_names, card_codes, entries, section
from ..pages.cells import rate
from ..stats.rates import with_ends
from .own_content import plan_of

# Words in a line of a replay in which what an ability changes can be seen, of effects that hold.
SEEN_IN = {
    "combat": "attacks", "reinforced_worth": "attacks", "attacks": "attacks", "attack_range": "attacks",
    "attack_anywhere": "attacks", "combat_per_resource": "attacks", "wonder_cost": "builds", "production": "builds",
    "culture_tokens": "control token", "tokens_without_city": "control token", "chain_tokens": "control token",
    "following_token": "control token", "dial_spaces": "dial", "caravan_steps": "caravan", "shared_caravan_steps": "caravan",
    "caravans_from_any_city": "caravan", "edge_water_linked": "caravan", "city_range": "builds a city",
    "edge_cities": "builds a city", "waterside_cities": "builds a city", "reinforcements": "reinforce", "slot_shift": "plays",
    "acts_as_slot": "plays", "repeat_card": "plays", "extra_card": "plays", "any_type_upgrade": "takes",
}  # fmt: skip
COUNTING = ("if", "unless")
ROUNDS = ("from_round", "until_round")


@dataclass
class AbilityPlayed:
    """What an ability or agenda of house rules did in games."""

    path: str
    games: int
    holds: bool = False  # it has no moment: `times` are turns of players who have it in force
    agenda: bool = False  # `times` are claims
    conditions: tuple[str, ...] = ()  # keys that may hold it back
    times: int = 0
    held_back: int = 0
    seats: int = 0  # that had it in a game
    wins: float = 0.0  # of these, a shared one in parts
    line: str = ""
    held_line: str = ""
    having: set[int] = field(default_factory=set, repr=False)  # seats of the game being played that have it

    def facts(self) -> dict[str, Any]:
        """Return what it did for programs."""
        return {"path": self.path, "games": self.games, "times": self.times, "held_back": self.held_back, "seats": self.seats,
                "wins": self.wins, "line": self.line, "held_line": self.held_line}  # fmt: skip

    def sentence(self) -> str:
        """Return what it did: how often, the win rate of who had it, and a line for where it acted and where it did not."""
        return "; ".join([self._often(), *self._won(), *self._held()])

    def _often(self) -> str:
        games = counted(self.games, "game")
        if not self.times:
            return f"{'never claimed' if self.agenda else 'never acted'} in {games}"
        what = "claimed" if self.agenda else "in force" if self.holds else "acted"
        unit = "turn" if self.holds else "time"
        return f"{what} {counted(self.times, unit)} in {games} ({self.times / self.games:.1f} a game), for example {self.line}"

    def _won(self) -> Iterator[str]:
        if self.seats:
            won, low, high = (rate(share) for share in with_ends(self.wins, self.seats))
            yield f"players who {'claimed' if self.agenda else 'had'} it won {won} [{low}, {high}] of {self.seats:,}"
        elif not self.agenda:
            yield "nobody had it"

    def _held(self) -> Iterator[str]:
        if self.held_line:
            yield f"held back {counted(self.held_back, 'time')}, for example {self.held_line}"
        elif self.conditions:
            yield f"never seen held back by {listed([f'`{key}`' for key in self.conditions], 'or')}"


def acted(ruleset: Ruleset, games: int) -> list[AbilityPlayed]:
    """Play games and return what each ability and agenda added by house rules did.

    A leader's are looked for in games with that leader, all others in games of leaders drawn by lot.
    """
    r = ruleset.compile()
    wanted = _rows(ruleset, r)
    agendas = _agendas(ruleset, r)
    if agendas:
        wanted.setdefault("", {})
    found: list[AbilityPlayed] = []
    for leader, rows in wanted.items():
        found += _Play(ruleset, leader, rows, {} if leader else agendas, games).all()
    return found


def _rows(ruleset: Ruleset, r: Any) -> dict[str, dict[int, tuple[str, Mapping[str, Any]]]]:
    """Return path and ability to look for by row of the RULES record, by the leader who has to be at the table, or ""."""
    printed = {path: entry["abilities"] for path, entry in ability_holders(printed_data(ruleset.box))}
    firsts = _firsts(ruleset, r)
    wanted: dict[str, dict[int, tuple[str, Mapping[str, Any]]]] = {}
    for path, entry in ability_holders(ruleset.data):
        in_order = sorted(entry["abilities"].items(), key=lambda item: (codes.EFFECTS.index(item[1]["effect"]), item[0]))
        working = [(key, ability) for key, ability in in_order if ability.get("works", True)]
        if path not in firsts or not entry.get("available", True):
            continue
        for row, (key, ability) in enumerate(working, firsts[path]):
            if key not in printed.get(path, {}):
                own_leader = path.split(".")[1] if path.startswith("leaders.") else ""
                leader = ruleset.data["leaders"][own_leader]["civ"] if own_leader else ""
                wanted.setdefault(leader, {})[row] = f"{path}.abilities.{key}", ability
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


def _agendas(ruleset: Ruleset, r: Any) -> dict[int, str]:
    """Return the paths of own agendas by their codes."""
    data, part = ruleset.data, section(ruleset.data)
    printed = {name for card in printed_data(ruleset.box)["victory_cards"][part].values() for name in card["agendas"]}
    listed_names = agenda_names(data)
    return {
        listed_names.index(one["name"]): f"victory_cards.{part}.{key}.agendas.{half}"
        for key, card in data["victory_cards"][part].items()
        for half, one in card["agendas"].items()
        if half not in printed and card["available"] and one["available"]
    }


# --- who has a row


def _holders(g: Any, r: Any, row: int) -> list[int]:
    """Return the seats that have the ability in this row of the RULES record now."""
    return [seat for seat in range(int(g.players)) if any(seat in having for having in _having(g, r, row))]


def _having(g: Any, r: Any, row: int) -> Iterator[list[int]]:
    seats = range(int(g.players))
    if _is_of(r, "everyone", row, 0):
        yield list(seats)
    for p in seats:
        leader = int(g.leader[p])
        if _is_of(r, "leader", row, leader):
            yield [p]
        if g.given_card[p] >= 0 and _is_of(r, "given_card", row, leader):
            yield [int(g.given_card[p])]
        if any(card >= 0 and _is_of(r, "card", row, int(card)) for card in g.card[p]):
            yield [p]
    for code in range(int(r.n_wonders)):
        if _is_of(r, "wonder", row, code):
            yield [p for p in seats if controls(g, p, code)]
    for code in range(int(r.n_city_states)):
        if _is_of(r, "city_state", row, code):
            yield [p for p in seats if g.city_state_cards[code, p]]
    for code in range(int(r.n_natural_wonders)):
        if _is_of(r, "natural_wonder", row, code):
            yield [int(g.natural_wonder_owner[code])]
    for code in range(int(r.n_diplomacy)):
        if _is_of(r, "diplomacy", row, code):
            yield [int(g.diplomacy[giver, code]) for giver in seats]


def _is_of(r: Any, kind: str, row: int, code: int) -> bool:
    first = int(r[f"{kind}_first"][code])
    return first <= row < first + int(r[f"{kind}_n"][code])


# --- playing


class _Play:
    """Games in which some rows of abilities, and some agendas, are looked for."""

    def __init__(
        self,
        ruleset: Ruleset,
        leader: str,
        rows: Mapping[int, tuple[str, Mapping[str, Any]]],
        agendas: Mapping[int, str],
        games: int,
    ) -> None:
        self.ruleset, self.games = ruleset, games
        self.plan = replace(plan_of(ruleset, leader or None), games=games)
        self.abilities = {row: ability for row, (_, ability) in rows.items()}
        self.found = {row: _played(path, ability, games) for row, (path, ability) in rows.items()}
        self.agendas = {
            code: AbilityPlayed(path, games, agenda=True, conditions=("condition",)) for code, path in agendas.items()
        }

    def all(self) -> list[AbilityPlayed]:
        """Play all games and return what was found."""
        for number in range(self.games):
            self.game = Game(self.ruleset, self.plan, number)
            self.game.work.log_on = 2
            self.before = ""  # the line told last
            self._play()
        return [*self.found.values(), *self.agendas.values()]

    def _play(self) -> None:
        g = self.game.state
        arguments = self.game.rules, g, self.game.work, self.game.bots
        while True:
            if g.current == g.first:
                begin_round(*arguments)
                if g.ending != names.RUNNING:
                    break
            seat = int(g.current)
            take_turn(*arguments)
            g.current = (g.current + 1) % g.players
            self._read(seat)
        self._read(-1)
        self._end()

    def _read(self, seat: int) -> None:
        """Read what was noted since the last call, at the end of a turn of the seat (-1: of the game)."""
        work = self.game.work
        rows = work.log[: int(work.log_n)].tolist()
        work.log_n = 0
        told = _told(self.game, rows, self.before)
        self.before = next((line for row, line in reversed(told) if row is None), self.before)
        for place, (row, line) in enumerate(told):
            if row is None:
                continue
            if row[0] == choosing.LOG_MOMENT and row[2] in self.found:
                self._moment(row, line, told[place:])
            elif row[0] == choosing.LOG_AGENDA:
                self._claim(row)
        lines = [line for row, line in told if row is None]
        for number, one in self.found.items():
            holders = _holders(self.game.state, self.game.rules, number)
            one.having.update(holders)
            if seat in holders:
                self._turn(number, one, seat, lines)

    def _moment(self, row: list[int], before: str, later: list[tuple[Any, str]]) -> None:
        """The moment of an ability has come: it acts or is held back."""
        one = self.found[row[2]]
        why, amount = row[4], row[5]
        one.having.add(row[1])
        if why == ACTS and amount != 0:
            one.times += 1
            one.line = one.line or self._quoted(self._deed(row[2], before, [line for other, line in later if other is None]))
        else:
            one.held_back += 1
            one.held_line = one.held_line or f"{self._quoted(before)}, by {self._reason(row[2], why)}"

    def _deed(self, row: int, before: str, later: list[str]) -> str:
        """Return the line that names the ability; of a deed that says no more, with the next one."""
        name = f"[{self.game.words.ability(row)}]"
        for line, follows in zip(later, [*later[1:], ""], strict=True):
            if name in line:
                return f"{line}: {follows}" if line.endswith(f"uses an ability {name}") and follows else line
        return before

    def _reason(self, row: int, why: int) -> str:
        """Return the key of the condition that did not hold, with what it asks."""
        ability = self.abilities[row]
        if why == ACTS:
            return f"`per: {ability.get('per')}`, of which there were none"
        keys = [key for key in HELD_BACK[why].split() if key in ability]
        return listed([f"`{key}: {_plain(ability[key])}`" for key in keys], "or") or HELD_BACK[why]

    def _turn(self, number: int, one: AbilityPlayed, seat: int, lines: list[str]) -> None:
        """Count a turn of a seat that has the ability: the rounds in which it acts; whether one that holds is in force."""
        ability, now = self.abilities[number], int(self.game.state.round_number)
        first = next((line for line in lines if line.startswith("Turn ")), lines[0] if lines else "")
        if not ability.get("from_round", now) <= now <= ability.get("until_round", now):
            keys = listed([f"`{key}: {ability[key]}`" for key in ROUNDS if key in ability], "or")
            one.held_back += 1
            one.held_line = one.held_line or f"{self._quoted(first)}, by {keys}"
        elif one.holds and self._holds_for(number, seat):
            one.times += 1
            seen = next((line for line in lines if SEEN_IN.get(ability["effect"], "\0") in line), "")
            if not one.line or (seen and "“Turn " in one.line):  # the turn itself, where nothing better was seen
                one.line = self._quoted(seen or first)
        elif one.holds:
            one.held_back += 1
            keys = listed([f"`{key}: {_plain(ability[key])}`" for key in (*COUNTING, "per") if key in ability], "or")
            one.held_line = one.held_line or f"{self._quoted(first)}, by {keys}"

    def _holds_for(self, row: int, seat: int) -> bool:
        """Say whether the conditions of an ability that holds are met, for any focus type and against anybody."""
        r, g = self.game.rules, self.game.state
        per = self.abilities[row].get("per")
        counts = per and codes.COUNT[per].scope not in (codes.AT_A_SPACE, codes.ON_THE_TILE)
        holds = partial(amount_of if counts else conditions_hold, r, g, seat, row)
        return any(bool(holds(kind, q)) for kind in range(-1, names.N_TYPES) for q in range(-1, int(g.players)) if q != seat)

    def _claim(self, row: list[int]) -> None:
        card, half = row[4], row[3] - 1
        one = self.agendas.get(int(self.game.rules.agenda_name[card, half]))
        if one is not None:
            one.times += 1
            one.having.add(row[1])
            one.line = one.line or self._quoted(self.game.words.sentence(row).strip("* "))

    def _end(self) -> None:
        """Count who had what and won, and agendas that somebody did not claim."""
        g = self.game.state
        for one in (*self.found.values(), *self.agendas.values()):
            one.seats += len(one.having)
            one.wins += sum(float(g.winner[seat]) / max(1, int(g.winner.sum())) for seat in one.having)
        for place in range(int(g.victory_count)):
            for half in range(2):
                one_agenda = self.agendas.get(int(self.game.rules.agenda_name[int(g.victory_card[place]), half]))
                if one_agenda is not None:
                    self._unclaimed(one_agenda, int(g.victory_card[place]), half)
        for one in (*self.found.values(), *self.agendas.values()):
            one.having.clear()

    def _unclaimed(self, one: AbilityPlayed, card: int, half: int) -> None:
        """Note what a seat that did not claim the agenda had of what it counts."""
        for seat in sorted(set(range(int(self.game.state.players))) - one.having):
            parts = agenda(self.game.words, seat, card, half)["parts"]
            if any(part["has"] < part["needs"] for part in parts):
                one.held_back += 1
                has = listed([f"{part['has']} of {part['needs']} {part['what']}" for part in parts], "and")
                who = self.game.words.leader(seat)
                one.held_line = one.held_line or f"game {self.game.game}, at its end: “{who} has {has}”"

    def _quoted(self, line: str) -> str:
        return f"game {self.game.game}, round {int(self.game.state.round_number)}: “{line.strip()}”"


def _played(path: str, ability: Mapping[str, Any], games: int) -> AbilityPlayed:
    asked = ("target", "type", "terrain", "giver", "once", *COUNTING, "per", *ROUNDS)
    conditions = tuple(key for key in asked if ability.get(key))
    holds = "moment" not in ability
    if holds:  # where it applies is no condition of what is held
        conditions = tuple(key for key in conditions if key in (*COUNTING, "per", *ROUNDS))
    return AbilityPlayed(path, games, holds, conditions=conditions)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {part}" for key, part in value.items())
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list | tuple) else str(value).lower()


def _told(game: Game, rows: list[list[int]], before: str) -> list[tuple[list[int] | None, str]]:
    """Return the lines of a replay in order (None, line), and each wanted row ahead of its consequences,
    with the line before it; `before`: that before all of them."""
    told: list[tuple[list[int] | None, str]] = []
    part: list[list[int]] = []
    for row in [*rows, None]:
        if row is not None and row[0] not in (choosing.LOG_MOMENT, choosing.LOG_AGENDA):
            part.append(row)
            continue
        lines = game.words.lines(part)
        part = []
        told += [(None, line.strip()) for line in lines]
        before = next((line.strip() for line in reversed(lines) if not line.endswith("is turned up")), before)
        if row is not None:
            told.append((row, before))
            part = [row] if row[0] == choosing.LOG_AGENDA else []
    return told
