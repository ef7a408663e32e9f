"""The games that the explorer shows: filters, runs in memory, groups of rows, differences between runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...simulator import names
from ...simulator.errors import FIRST_SEAT, UserError, unknown
from ...simulator.rules import describe_diff
from ...simulator.rules.ruleset_contents import has_points
from ...simulator.runs import columns
from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ...simulator.runs.run_folder import tables_in
from ...simulator.runs.run_plan import MIN_PLAYERS
from ..stats.verdicts import STRENGTH, TOLD, differs, verdict_of
from ..tables.decoded_games import FOCUS_COLUMNS, CodeNames, Games, joined, wanted
from ..tables.expansion import CARD_ROUND, QUESTIONS
from ..tables.focus_card_use import facts_of
from ..tables.read import Run, Selection

# --- The filter of the page, as it stands in an address
#
# Conditions on the game (leaders at the table, victory cards in play, who won …) choose games. Conditions on the seat (leader,
# seat, strategy …) choose the seats counted in them, and all must hold for the same seat; a game without a counted seat is left
# out. Every rate is about the counted seats.

NOBODY = "nobody"  # a value of `winner`: the game was stopped unfinished
YES = "yes"
MOST = max(names.MOST_PLAYERS.values())
SEATS, PLAYERS = range(FIRST_SEAT, MOST + FIRST_SEAT), range(MIN_PLAYERS, MOST + 1)
MOST_VALUES = 20  # of one condition
ROUNDS = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
# Conditions on what happened; rates in the games that they choose are associations.
OUTCOMES = ("winner", "rounds", "won", "built", "claimed")


@dataclass(frozen=True)
class Filter:
    """Conditions by their names in an address; () where there is none."""

    table: tuple[str, ...] = ()  # leaders who sit at the table, all of them
    card: tuple[str, ...] = ()  # victory cards in play, all of them
    deck: tuple[str, ...] = ()  # world wonders in a deck, all of them
    players: tuple[str, ...] = ()  # numbers of players, any of them
    winner: tuple[str, ...] = ()  # leaders who won, any of them, or `nobody`
    rounds: tuple[str, ...] = ()  # in which the game ended: "17", or "13-23"
    leader: tuple[str, ...] = ()  # the seat's, any of them
    seat: tuple[str, ...] = ()  # its number, from 1, any of them
    order: tuple[str, ...] = ()  # its place in the turn order, any of them
    strategy: tuple[str, ...] = ()  # that played it, any of them
    won: tuple[str, ...] = ()  # "yes": the seat won, alone or with others
    built: tuple[str, ...] = ()  # world wonders that the seat built, all of them
    claimed: tuple[str, ...] = ()  # agendas that the seat claimed a card by, all of them

    def narrowed(self, **more: str) -> Filter:
        """Return the filter with these conditions added; a value of a condition in ANY replaces the others."""
        both = {name: (value,) if name in ANY else (*getattr(self, name), value) for name, value in more.items()}
        return replace(self, **{name: tuple(dict.fromkeys(values)) for name, values in both.items()})

    def query(self) -> list[tuple[str, str]]:
        """Return the conditions as pairs for an address."""
        return [(name, value) for name in NAMES for value in getattr(self, name)]

    @property
    def outcomes(self) -> list[str]:
        """Return the conditions on what happened that are set."""
        return [name for name in OUTCOMES if getattr(self, name)]


NAMES = tuple(each.name for each in fields(Filter))
ANY = (
    "players",
    "winner",
    "rounds",
    "leader",
    "seat",
    "order",
    "strategy",
    "won",
)  # conditions of which any value may hold; of others all must


def read_filter(query: Mapping[str, Sequence[str]], words: CodeNames) -> Filter:
    """Return the filter of an address; raise UserError for an unknown condition or value."""
    allowed: dict[str, Sequence[Any]] = {
        "table": words.leader, "leader": words.leader, "card": words.card, "deck": words.wonder, "built": words.wonder,
        "claimed": words.agenda, "strategy": words.strategy, "winner": [*words.leader, NOBODY], "won": [YES],
        "seat": SEATS, "order": SEATS, "players": PLAYERS,
    }  # fmt: skip
    for name, values in query.items():
        if name not in NAMES:
            raise unknown("condition", name[:40], NAMES)
        if len(values) > MOST_VALUES:
            raise UserError(f"{name}: {len(values)} values; expected at most {MOST_VALUES}")
        for value in values:
            if name == "rounds":
                span(value)
            elif value not in [str(option) for option in allowed[name]]:
                raise unknown(name, value[:40], allowed[name])
    if len(query.get("rounds", ())) > 1:
        raise UserError("rounds: appears twice; expected one round, or a range such as 13-23")
    return Filter(**{name: tuple(dict.fromkeys(values)) for name, values in query.items()})


def span(text: str) -> tuple[int, int]:
    """Return the first and the last round of "17" or "13-23"."""
    match = ROUNDS.fullmatch(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if first > last:
        raise UserError(f"rounds: '{text[:40]}': expected a round, or a range such as 13-23")
    return first, last


def select(games: Games, wanted: Filter, words: CodeNames) -> Selection:
    """Return the games and seats that the filter chooses."""
    chosen = np.ones(len(games), bool)
    keeps = np.ones(games.leader.shape, bool)
    for keep in _of_games(games, wanted, words):
        chosen &= keep
    for keep in _of_seats(games, wanted, words):
        keeps &= keep
    keeps &= chosen[:, None]
    return Selection(games, np.asarray(keeps.any(axis=1)), keeps)


def _of_games(games: Games, wanted: Filter, words: CodeNames) -> list[np.ndarray]:
    """Return for each condition on the game which games meet it."""
    masks = [games.present >> words.leader.index(name) & 1 == 1 for name in wanted.table]
    masks += [games.cards >> words.card.index(name) & 1 == 1 for name in wanted.card]
    masks += [games.deck >> words.wonder.index(name) & 1 == 1 for name in wanted.deck]
    if wanted.players:
        masks.append(np.full(len(games), str(games.players) in wanted.players))
    if wanted.winner:
        leaders = [words.leader.index(name) for name in wanted.winner if name != NOBODY]
        won = (_among(games.leader, leaders) & (games.won > 0)).any(axis=1)
        masks.append(won | ~games.decided if NOBODY in wanted.winner else won)
    for text in wanted.rounds:
        first, last = span(text)
        masks.append((games.rounds >= first) & (games.rounds <= last))
    return masks


def _of_seats(games: Games, wanted: Filter, words: CodeNames) -> list[np.ndarray]:
    """Return for each condition on the seat which seats meet it."""
    masks = []
    if wanted.leader:
        masks.append(_among(games.leader, [words.leader.index(name) for name in wanted.leader]))
    if wanted.seat:
        masks.append(np.isin(np.arange(games.players) + FIRST_SEAT, [int(seat) for seat in wanted.seat])[None, :])
    if wanted.order:
        masks.append(_among(games.order, [int(order) for order in wanted.order]))
    if wanted.strategy:
        masks.append(_among(games.strategy, [words.strategy.index(name) for name in wanted.strategy]))
    if wanted.won:
        masks.append(games.won > 0)
    for chosen, names_of, events in ((wanted.built, words.wonder, games.built), (wanted.claimed, words.agenda, games.claims)):
        for name in chosen:
            did = np.zeros(games.leader.size, bool)
            did[events.at[events.what == names_of.index(name)]] = True
            masks.append(did.reshape(games.leader.shape))
    return masks


def _among(codes: np.ndarray, wanted: Sequence[int]) -> np.ndarray:
    """Return where a code is one of a few, by comparisons, which are many times faster than `np.isin` here."""
    hit = np.zeros(codes.shape, bool)
    for code in wanted:
        hit |= codes == code
    return hit


# --- A run in memory: 1,000,000 four-player games take about 0.4 GB

KEPT = (
    "rounds", "decided", "cards", "occupied", "leader", "present", "strategy", "order", "won", "outcome", "deck", "facts",
    "revealed", "built", "captured", "claims", "claim_number",
)  # fmt: skip
DEEDS = (*(number for numbers, *_ in QUESTIONS.values() for number in numbers), CARD_ROUND)  # of seats of Terra Incognita
SHOWN = tuple(column.name for column in (*columns.SEATS, *columns.EXPANSION) if column.shown)


def shown_columns(games: Games) -> list[str]:
    """Return the columns of `seats` that are shown of these games, in the order of their declarations."""
    return [name for name in SHOWN if name in games.numbers]


class Loaded:
    """A run and its games read so far; `look` reads those finished since."""

    def __init__(self, run: Run, words: CodeNames) -> None:
        self.run, self.words = run, words
        self.shards: list[str] = []
        known = [c for c in tables_in(run.box)["seats"].columns if c.name != columns.POINTS or has_points(run.rules)]
        self.numbers = dict.fromkeys(column.name for column in known if column.shown or column.name in DEEDS)
        self.kept = (*KEPT, *(FOCUS_COLUMNS if FOCUS_CARDS_TABLE in run.tables else ()))
        if FOCUS_CARDS_TABLE in run.tables:
            for row in facts_of(run.rules).to_dict("records"):
                words.focus_facts[str(row["card"])] = str(row["type"]), int(row["level"]), str(row["leader"])
            words.focus.extend(card for card in words.focus_facts if card not in words.focus)
        nothing = {name: table.arrow_schema().empty_table().to_pandas() for name, table in run.tables.items()}
        self.games = self._joined([Games(nothing, run.players, words)])

    def _joined(self, parts: list[Games]) -> Games:
        return joined(parts, self.kept, self.numbers)

    def look(self, stop_after: int | None = None) -> int:
        """Read new shards; return how many games are new."""
        fresh = Run(self.run.path)  # with a new list of shards
        new = [shard for shard in fresh.shards if shard not in self.shards][:stop_after]
        before, parts, tables = len(self.games), [self.games], wanted(self.kept, self.numbers)
        for shard in new:
            piece = {name: fresh.read_shard(shard, name, columns).to_pandas() for name, columns in tables.items()}
            parts.append(self._joined([Games(piece, fresh.players, self.words)]))  # without the tables themselves
        if new:
            self.games = self._joined(parts)
            self.run, self.shards = fresh, [*self.shards, *new]
        return len(self.games) - before


# --- Groups of rows: leaders by their verdicts, rows of two runs by their difference

Row = Mapping[str, Any]
FAIR = (
    "Groups: the verdicts of the report on these leaders, read off win rates with all others met equally often (adjusted rate) "
    "and their intervals for all leaders together (95%) against the fair share and the margin. The rank is every place that a "
    "leader can have by these."
)
WITHOUT = "No verdicts: the model of who wins cannot be asked of games and seats chosen so."
DIFFERENCE = (
    "Groups: a difference is detected if p, corrected over all rows, is at most 0.05; the bar is its interval (95%, all rows)."
)


def by_verdict(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the groups of leaders, those beyond the margin first: title and row numbers; without empty ones."""
    groups = [[i for i, row in enumerate(rows) if verdict_of(row) is verdict] for verdict in TOLD]
    titles = [STRENGTH.of(verdict) for verdict in TOLD]
    return _filled([f"{title[0].upper()}{title[1:]}" for title in titles], groups)


def by_difference(points: Sequence[tuple[float | None, float | None]], first: str, second: str) -> list[dict[str, Any]]:
    """Return the groups of rows of two runs, by the direction of their difference (second less first) with corrected p."""
    groups: tuple[list[int], ...] = ([], [], [], [])
    for i, (difference, p) in enumerate(points):
        if difference is None:
            groups[3].append(i)
        elif not differs({"p_adjusted": p}):
            groups[1].append(i)
        else:
            groups[0 if difference > 0 else 2].append(i)
    titles = (f"Higher in {second} than in {first}", "No detectable difference", f"Lower in {second} than in {first}",
              "In only one of the two")  # fmt: skip
    return _filled(titles, groups)


def _filled(titles: Sequence[str], groups: Sequence[list[int]]) -> list[dict[str, Any]]:
    return [{"title": title, "rows": rows} for title, rows in zip(titles, groups, strict=True) if rows]


# --- Differences between two runs side by side: box, rules, players, leaders, strategies, seeds, version

MOST_LINES = 12  # changes of rules listed
Fact = tuple[str, str, str]  # what, in the first run, in the second


def contrast(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts in which two manifests differ, those alike, and the changed rules, `more` of which are not listed."""
    old, new = facts(first), facts(second)
    differing: list[Fact] = [(what, old[what], new[what]) for what in old if old[what] != new[what]]
    alike = [what for what in old if old[what] == new[what]]
    lines, more = _rules(first, second)
    if lines and not any(what == "rules" for what, *_ in differing):
        differing.insert(0, ("rules", old["rules"], f"{new['rules']}, other values"))
        alike.remove("rules")
    return {"differs": differing, "alike": alike, "rules": lines, "more": more}


def facts(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return, by name, how a run was played."""
    plan, rules = manifest.get("plan", {}), manifest.get("ruleset", {})
    return {
        "box": str(rules.get("box", names.BOXES[0])),
        "rules": str(rules.get("name", "unknown")),
        "number of players": str(plan.get("players", "unknown")),
        "leaders": _named(plan, "leaders", "drawn for each game"),
        "strategies": _named(plan, "strategies", "drawn for each seat"),
        "round cap": str(plan.get("round_cap", "unknown")),
        "seed": ", ".join(dict.fromkeys(str(part.get("seed")) for part in manifest.get("segments", [plan]))),
        "version of the engine": str(manifest.get("engine", "unknown")),
    }


def _named(plan: Mapping[str, Any], what: str, drawn: str) -> str:
    """Return the names of a pool in alphabetical order, or those of a line-up by seat."""
    values = [str(name) for name in plan.get(what, [])]
    if plan.get(f"{what}_drawn"):
        return f"{', '.join(sorted(values))} ({drawn})"
    return ", ".join(values if len(set(values)) > 1 else values[:1]) or "unknown"


def _rules(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[list[str], int]:
    """Return the differences of the rules, and how many more there are; none for two boxes, which differ in everything."""
    data = [manifest.get("ruleset", {}).get("data") for manifest in (first, second)]
    if None in data or facts(first)["box"] != facts(second)["box"]:
        return [], 0
    old, new = (SimpleNamespace(data=rules) for rules in data)
    lines = describe_diff(new, old)
    return lines[:MOST_LINES], max(0, len(lines) - MOST_LINES)
