"""Count habits of a strategy that a reader of replays would call silly, in games among copies of it.

    python -m newdawn.scripts.checks.habits --strategy quick --games 1000 --seed 77101 --every 5
    python -m newdawn.scripts.checks.habits --strategy thinker --games 60 --seed 77101 --json thinker.json
    python -m newdawn.scripts.checks.habits --strategy quick --box terra-incognita --games 300 --seed 77102

Counts, turn by turn: the uses of military cards, how often cities and natural wonders change hands, where world wonders are
built and how many are lost, the gain of trade tokens in combat, the answers to a rival that may claim its last victory card in
its next turn, and the levels of focus cards; weak turns (science from slot 1, a type twice running), cities lost to barbarians,
tokens reinforced; in Terra Incognita also forts without an army, and what the army left for, attacks on armies, cards of a
lower level by the Great Library, repeats of the Venetian Arsenal without effect, and cities that England buys with its
Industrial Zone.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...simulator import names
from ...simulator.engine import choosing, decisions, state
from ...simulator.engine.compile.jit import seat_strategies
from ...simulator.engine.map import is_fort
from ...simulator.engine.turn import BY_VENETIAN_ARSENAL, CHOSEN
from ...simulator.replay.stepper import Game
from ...simulator.rules import codes
from ...simulator.rules.load import load_ruleset
from ...simulator.rules.ruleset_contents import written
from ...simulator.runs.run_plan import plan_by
from ...strategies.learned import facts as at
from ...strategies.learned.candidate_turns import RANKS, STEPS, WAYS, choose_way
from ...strategies.learned.lookahead import imagine, play_way
from ...strategies.learned.situation import new_facts, read_situation
from ...strategies.registry import find

ROUNDS = (10, 15, 20)  # at their end the levels of the focus cards are recorded
FALL = 0.05  # by which the chance has to fall for a threat to be reduced
THROWS = 3  # of the dice, by which a way to play the turn is tried; most of them have to reduce the threat
WAYS_TRIED = (0, *(rank * RANKS**step for step in range(STEPS) for rank in range(1, RANKS)))  # one other step each
SILENT = {choosing.LOG_CHOICE, choosing.LOG_CARD, choosing.LOG_RESET, choosing.LOG_TRADE_LOST}  # rows without an effect
BUYS_CITY = 1  # the Industrial Zone's second option
THREAT = 0.25  # a rival is a threat from this chance to claim its last victory card in its next turn


class Unspoken(Game):
    """A game whose log stays numbers, for sentences would take longer than the play."""

    def drain(self) -> list[str]:
        n = int(self.work.log_n)
        self.rows = self.work.log[:n].tolist()
        self.work.log_n = 0
        return [""]


@dataclass
class Habits:
    """Counts of some games: `counts` by name; `levels` by round and focus type, a list of card levels."""

    counts: Counter[str] = field(default_factory=Counter)
    city_most: list[int] = field(default_factory=list)  # by game: how often its most-changed city was taken
    natural_most: list[int] = field(default_factory=list)  # and its most-changed natural wonder
    levels: dict[tuple[int, str], list[int]] = field(default_factory=dict)

    def table(self) -> dict[str, Any]:
        """Return the figures by name; shares with both numbers."""
        c = self.counts
        return {
            "games": c["games"],
            "military cards": c["military"],
            "… that reinforce": share(c["reinforce"], c["military"]),
            "… that do neither": share(c["idle military"], c["military"]),
            "most-changed city, times": spread(self.city_most),
            "most-changed natural wonder, times": spread(self.natural_most),
            "world wonders built": c["wonders"],
            **{f"… {home}": share(c[f"in {home}"], c["wonders"]) for home in homes(c)},
            **{f"lost of those in a {home}": share(c[f"lost {home}"], c[f"in {home}"]) for home in homes(c)},
            "attacks the attacker pays for": c["paid attacks"],
            "… and loses": share(c["paid and lost"], c["paid attacks"]),
            "… to tokens of the defender": share(c["answered"], c["paid attacks"]),
            "turns with a threat": c["threats"],
            "… that could reduce it": share(c["could reduce"], c["tried"]),
            "… that do": share(c["threats reduced"], c["threats"]),
            "… that attack the threatening seat": share(c["threats attacked"], c["threats"]),
            "turns without that attack the same": share(c["others attacked"], c["others"]),
            "threats carried out": share(c["carried out"], c["threatening turns"]),
            **{f"{name}, a seat and game": each(c[name], c["seats"]) for name in DEEDS},
            **{name: share(c[part], c[whole]) for name, (part, whole) in SHARES.items() if c["forts seen"]},
            "levels": {
                f"{kind}, round {when}": round(float(np.mean(values)), 2) for (when, kind), values in self.levels.items()
            },
        }


DEEDS = (
    "science from slot 1", "the type of the turn before", "cities lost to barbarians", "tokens reinforced", "attacks on armies",
)  # fmt: skip
SHARES = {
    "forts without an army, at the end of rounds": ("forts bare", "forts seen"),
    "forts lost that had no army": ("bare forts lost", "forts lost"),
    "forts that an army left or was driven from: it won another place": ("armies gone on", "forts bared"),
    "cards changed by the Great Library that fall in level": ("cards fallen", "cards learned"),
    "repeats of the Venetian Arsenal to no effect": ("idle repeats", "repeats"),
    "uses of England's Industrial Zone that buy a city": ("zone cities", "zone uses"),
}


def each(part: int, whole: int) -> str:
    """Return a mean with its sum."""
    return f"{part / whole:.2f} ({part:,})" if whole else "none"


def homes(counts: Counter[str]) -> list[str]:
    """Return the kinds of cities in which a world wonder was built."""
    kinds = (f"{city} on {terrain}" for city in ("capital", "city") for terrain in names.TERRAINS)
    return [home for home in kinds if counts[f"in {home}"]]


def share(part: int, whole: int) -> str:
    """Return a share in per cent with both numbers."""
    return f"{100 * part / whole:.1f}% ({part} of {whole})" if whole else "none"


def spread(values: list[int]) -> str:
    """Return mean and maximum."""
    return f"{np.mean(values):.2f}, at most {max(values)}" if values else "none"


class HabitReader:
    """Reads one game turn by turn into `Habits`."""

    def __init__(self, game: Game, habits: Habits, every: int) -> None:
        self.every = every
        self.game, self.g, self.r = game, game.state, game.rules
        self.habits, self.counts = habits, habits.counts
        self.taken: Counter[int] = Counter()  # cities, by space
        self.moved: Counter[int] = Counter()  # natural wonders
        self.homes: dict[int, tuple[int, str]] = {}  # by world wonder, built and not lost: seat and kind of city
        self.natural = self.g.natural_wonder_owner.copy()
        self.facts = new_facts()
        self.work, self.bots = state.new_work(), seat_strategies(choose_way)
        self.copies = np.zeros(2, state.STATE).view(np.recarray)
        self.before = np.zeros(1, state.STATE)
        self.leaders = written(self.r, "leader")
        self.last = [-1] * int(self.g.players)  # the type of card that each seat resolved in its last turn

    def read(self) -> None:
        """Play and read the game to its end."""
        finish = self.finish(self.g)
        self.before[0] = self.game.states[0]
        for _ in self.game.turns():
            rows = self.game.rows
            seat = next((row[1] for row in rows if row[0] == choosing.LOG_TURN), -1)
            if seat >= 0:
                left = self.left()
                after = self.finish(self.g)
                self.read_turn(rows, seat)
                self.read_threat(rows, seat, finish, after, left)
                finish = after
            self.read_faults(rows)
            self.read_bared()
            self.read_holders()
            self.before[0] = self.game.states[0]
            if int(self.g.current) == int(self.g.first):
                self.read_levels()
                self.read_forts()
        self.counts["games"] += 1
        self.counts["seats"] += int(self.g.players)
        self.habits.city_most.append(max(self.taken.values(), default=0))
        self.habits.natural_most.append(max(self.moved.values(), default=0))

    def left(self) -> np.ndarray:
        """Return how many victory cards each seat has still to claim."""
        n = int(self.g.victory_count)
        return n - (self.g.claimed[: self.g.players, :n] != 0).sum(axis=1)

    def finish(self, g: np.record) -> np.ndarray:
        """Return each seat's chance to claim its last victory card in its next turn (learned/situation.py)."""
        read_situation(self.r, g, self.work, self.facts)
        return self.facts[: g.players, at.FINISH].copy()

    def could_reduce(self, seat: int, q: int, chance: float) -> bool:
        """Return whether the seat could have played its turn so as to reduce the threat of `q` most likely."""
        g = self.before.view(np.recarray)[0]
        tried = [place * WAYS + way for place in range(int(self.r.slots)) for way in WAYS_TRIED]
        return any(self.most_likely_reduces(g, seat, q, chance, way) for way in tried)

    def most_likely_reduces(self, g: np.record, seat: int, q: int, chance: float, way: int) -> bool:
        """Return whether the threat of `q` falls with most throws of the dice if the turn is played in this way."""
        times = 0
        for throw in range(THROWS):
            imagine(self.r, g, seat, throw + 1, self.copies[0])
            play_way(self.r, self.copies[0], self.work, self.bots, seat, way)
            times += bool(self.finish(self.copies[0])[q] < chance - FALL)
            if 2 * times > THROWS or 2 * (throw + 1 - times) > THROWS:
                break
        return 2 * times > THROWS

    def read_turn(self, rows: Iterable[list[int]], seat: int) -> None:
        """Count what a seat did in its turn."""
        military = attacked = reinforced = False
        spent = [0, 0]
        for code, who, *rest in rows:
            if code == choosing.LOG_CARD:
                military |= who == seat and self.r.card_type[rest[2]] == names.MILITARY
            elif code == choosing.LOG_TOKEN_FLIP:
                reinforced |= who == seat and rest[1] == names.REINFORCED
            elif code == choosing.LOG_CITY_LOST and rest[1] >= 0:
                self.taken[rest[0]] += 1
            elif code == choosing.LOG_WONDER:
                self.build(who, rest[0], rest[1])
            elif code == choosing.LOG_ATTACK:
                attacked, spent = True, [0, 0]
            elif code == choosing.LOG_TRADE and rest[2] in (decisions.SOURCE_ATTACK, decisions.SOURCE_DEFENCE):
                spent[rest[2] == decisions.SOURCE_DEFENCE] -= rest[1]
            elif code == choosing.LOG_COMBAT and spent[0] > 0:
                self.counts["paid attacks"] += 1
                self.counts["paid and lost"] += rest[4] == 0
                self.counts["answered"] += rest[4] == 0 and spent[1] > 0
        if military:
            self.counts["military"] += 1
            self.counts["reinforce"] += reinforced and not attacked
            self.counts["idle military"] += not reinforced and not attacked

    def read_faults(self, rows: list[list[int]]) -> None:
        """Count weak turns, losses and unused chances in a turn and the events before it."""
        c, before = self.counts, self.before.view(np.recarray)[0]
        arrived = False
        for k, (code, who, *rest) in enumerate(rows):
            if code == choosing.LOG_CARD:
                self.read_card(rows[k + 1 :], who, *rest[1:4])
            elif code == choosing.LOG_CITY_LOST:
                c["cities lost to barbarians"] += rest[1] < 0
                if is_fort(before, rest[0]):
                    c["forts lost"] += 1
                    c["bare forts lost"] += not has_army(before, rest[0])
            elif code == choosing.LOG_TOKEN_FLIP:
                c["tokens reinforced"] += rest[1] == names.REINFORCED
            elif code == choosing.LOG_ATTACK:
                c["attacks on armies"] += rest[0] == state.TARGET_ARMY
            elif code == choosing.LOG_UPGRADE and arrived and self.g.power[who, codes.LEARNS_FROM_VISITED]:
                c["cards learned"] += 1
                c["cards fallen"] += self.r.card_level[rest[2]] < self.r.card_level[rest[1]]
            elif code == choosing.LOG_DISTRICT_USED and rest[1] == names.INDUSTRIAL_ZONE:
                england = self.leaders[self.g.leader[who]] == "England"
                c["zone uses"] += england
                c["zone cities"] += england and rest[2] == BUYS_CITY
            arrived |= code == choosing.LOG_ARRIVAL and rest[2] < 0

    def read_card(self, after: list[list[int]], seat: int, slot: int, card: int, why: int) -> None:
        """Count a card that a seat resolves; `after`: the rest of the log."""
        kind = int(self.r.card_type[card])
        if why == CHOSEN:
            self.counts["science from slot 1"] += kind == names.SCIENCE and slot == 1
            self.counts["the type of the turn before"] += kind == self.last[seat]
            self.last[seat] = kind
        elif why == BY_VENETIAN_ARSENAL:
            ends = (k for k, row in enumerate(after) if row[0] in (choosing.LOG_CARD, choosing.LOG_RESET))
            self.counts["repeats"] += 1
            self.counts["idle repeats"] += all(row[0] in SILENT for row in after[: next(ends, len(after))])

    def forts(self) -> Iterator[int]:
        """Yield the forts that seats hold."""
        for p in range(int(self.g.players)):
            yield from (int(s) for s in self.g.cities[p, : self.g.city_count[p]] if is_fort(self.g, int(s)))

    def read_forts(self) -> None:
        """Count the forts that seats hold, and those without an army of the seat."""
        for s in self.forts():
            self.counts["forts seen"] += 1
            self.counts["forts bare"] += not has_army(self.g, s)

    def read_bared(self) -> None:
        """Count the forts that lost their last army but not their owner, and those whose army took another place."""
        g, before = self.g, self.before.view(np.recarray)[0]
        for s in self.forts():
            p = int(g.owner[s])
            if before.owner[s] != p or not has_army(before, s) or has_army(g, s):
                continue
            now = [int(t) for t, was in zip(g.army[p], before.army[p], strict=True) if was == s and t >= 0]
            self.counts["forts bared"] += 1
            self.counts["armies gone on"] += any(g.owner[t] == p and before.owner[t] != p for t in now)

    def read_threat(
        self, rows: Iterable[list[int]], seat: int, before: np.ndarray, after: np.ndarray, left: np.ndarray
    ) -> None:
        """Count how a seat's turn answers the greatest threat, if there is one."""
        if before[seat] >= THREAT:
            self.counts["threatening turns"] += 1
            self.counts["carried out"] += left[seat] == 0
        rivals = before.copy()
        rivals[seat] = 0.0
        q = int(rivals.argmax())
        attacked = {row[4] for row in rows if row[0] == choosing.LOG_ATTACK}
        if rivals[q] < THREAT:
            self.counts["others"] += 1
            self.counts["others attacked"] += (seat + 1) % int(self.g.players) in attacked
            return
        self.counts["threats"] += 1
        if self.counts["threats"] % self.every == 0:
            self.counts["tried"] += 1
            self.counts["could reduce"] += self.could_reduce(seat, q, float(before[q]))
        self.counts["threats reduced"] += left[q] > 0 and after[q] < before[q] - FALL
        self.counts["threats attacked"] += q in attacked

    def build(self, seat: int, wonder: int, s: int) -> None:
        """Record where a world wonder is built."""
        city = "capital" if s == self.g.capital[seat] else "city"
        home = f"{city} on {names.TERRAINS[self.g.terrain[s]]}"
        self.homes[wonder] = seat, home
        self.counts["wonders"] += 1
        self.counts[f"in {home}"] += 1

    def read_holders(self) -> None:
        """Count the wonders that have changed hands since the turn before."""
        for wonder, (seat, home) in list(self.homes.items()):
            s = int(self.g.wonder_space[wonder])
            if s < 0 or self.g.owner[s] != seat:
                self.counts[f"lost {home}"] += 1
                del self.homes[wonder]
        for i, q in enumerate(self.natural):
            now = int(self.g.natural_wonder_owner[i])
            self.moved[i] += q >= 0 and now >= 0 and now != q
            self.natural[i] = now if now >= 0 else q

    def read_levels(self) -> None:
        """Record the levels of all seats' cards at the end of ROUNDS."""
        when = int(self.g.round_number)
        if when not in ROUNDS:
            return
        for p in range(int(self.g.players)):
            for card in self.g.card[p]:
                if card >= 0:
                    kind = names.FOCUS_TYPES[self.r.card_type[card]]
                    self.habits.levels.setdefault((when, kind), []).append(int(self.r.card_level[card]))


def has_army(g: np.record, s: int) -> bool:
    """Return whether the owner of a space has an army there."""
    return bool((g.army[g.owner[s]] == s).any())


def read_games(
    strategy: str, games: int, seed: int, players: int = 4, every: int = 1, box: str = names.BOXES[names.BASE_BOX]
) -> Habits:
    """Return the habits in games of copies of a strategy; every `every`-th threat is tried for ways to reduce it."""
    ruleset = load_ruleset(box=box)
    plan = plan_by(ruleset.compile(), players=players, games=games, seed=seed, strategies=[find(strategy)])
    habits = Habits()
    for game in range(games):
        HabitReader(Unspoken(ruleset, plan, game), habits, every).read()
    return habits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", default="quick")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--box", choices=names.BOXES, default=names.BOXES[names.BASE_BOX])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="threats of which one is tried")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    table = read_games(given.strategy, given.games, given.seed, given.players, given.every, given.box).table()
    text = json.dumps(table, indent=1, ensure_ascii=False)
    if given.json:
        given.json.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
