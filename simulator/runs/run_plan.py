"""Which games are played: players, leaders, seats, seeds and strategies, checked before anything is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np

from .. import names, user_modules
from ..errors import UserError, counted, named, unknown
from ..rules.ruleset_contents import printed_names, written
from .columns import LIBRARY_SIZE, OPTIONAL, ROUNDS, ROUNDS_TABLE, SEATING

# --- Who may sit at the table
#
# Strategies stand on the engine, so the simulator does not import them: it loads the module that finds them by the entry point
# `newdawn.strategies` of the installed package (pyproject.toml).

GROUP, PROVIDER = "newdawn.strategies", "packaged"


class SeatedStrategy(Protocol):
    """A strategy as a run sees it."""

    @property
    def name(self) -> str:
        """What users type, and what the tables say."""

    @property
    def function(self) -> str:
        """The function that answers: module:name."""

    @property
    def source(self) -> str:
        """A digest of the file of a user's own function; "" = the function is one of the package."""

    @property
    def packaged(self) -> bool:
        """False for the user's own, which the manifest keeps."""

    def load(self) -> Any:
        """Return the jitted function that answers the choices."""

    def weights(self, players: int, box: str = names.BOXES[names.BASE_BOX]) -> np.ndarray:
        """Return its weights in the box: int32, one row a leader (names.LEADERS)."""

    def as_dict(self) -> dict[str, Any]:
        """Return its entry in a manifest."""


class Strategies(Protocol):
    """The module that knows the strategies."""

    DEFAULT: str

    def find(self, word: str) -> SeatedStrategy:
        """Return the strategy by name, profile or user's function; raise UserError if there is none."""

    def written(self, entry: Mapping[str, Any]) -> SeatedStrategy:
        """Return the strategy that `SeatedStrategy.as_dict` wrote."""

    def check_box(self, strategy: SeatedStrategy, box: str) -> None:
        """Raise UserError if the strategy does not know the box (names.BOXES)."""

    def chance(self, opinions: np.ndarray) -> Any | None:
        """Return the compiled function for a seat's chance to win; None if none of these weights has a value network."""


@lru_cache(maxsize=1)
def strategies() -> Strategies:
    """Return the module of the strategies; raise UserError if the installed package names none."""
    for point in entry_points(group=GROUP):
        if point.name == PROVIDER:
            module: Strategies = point.load()
            return module
    raise UserError("this installation names no strategies (entry point newdawn.strategies); install the package again")


# --- What to play: a validated plan of games, cut into shards

ROUND_CAP = 200
MIN_PLAYERS = 2
MAX_SEED = 2**63 - 1
MOST_GAMES = 10**9  # months of play
MAX_ROUND_CAP = 30_000
LIMITS = {
    "players": (MIN_PLAYERS, max(names.MOST_PLAYERS.values())), "games": (1, MOST_GAMES), "seed": (0, MAX_SEED),
    "round_cap": (1, MAX_ROUND_CAP),
}  # fmt: skip
SHARDS = 64  # a run is cut into about this many
SMALLEST_SHARD, USUAL_SHARD = 100, 10_000
MOST_SHARDS = 3_999  # of five files each; beyond, shards grow


@dataclass(frozen=True)
class OwnColumn:
    """A column of the table `rounds` that a user's function fills (engine/compile/user_functions.py)."""

    name: str
    function: str  # module:name
    source: str  # a digest of its file


def own_column(place: str) -> OwnColumn:
    """Return the column of a user's function, path/to/file.py:function or module:function; raise UserError if there is none."""
    module, name = user_modules.parts(place)
    if not name.isidentifier():
        raise UserError(f"--column: '{place}' names no function; expected path/to/file.py:function or module:function")
    if name in [column.name for column in ROUNDS]:
        raise UserError(f"--column: '{name}' is a column that rounds have anyway; rename the function")
    source = user_modules.digest_of(module)
    if not source:
        raise UserError(f"--column: there is no {'file' if module.endswith(user_modules.FILE) else 'module'} '{module}' here")
    return OwnColumn(name, place, source)


@dataclass(frozen=True)
class Plan:
    """All that decides, with the ruleset, which games are played and what is counted. Build it with `make_plan`."""

    players: int
    games: int
    seed: int
    round_cap: int
    leaders: tuple[str, ...]
    leaders_drawn: bool  # True: `leaders` is a pool; False: a line-up, one a player
    strategies: tuple[str, ...]
    strategies_drawn: bool
    own: tuple[SeatedStrategy, ...] = ()  # the strategies among them that are not of this package
    tables: tuple[str, ...] = ()  # of columns.OPTIONAL
    columns: tuple[OwnColumn, ...] = ()  # of the user's, in the table `rounds`

    def as_dict(self) -> dict[str, Any]:
        """Return the plan for the manifest."""
        plan = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}
        plan["own"] = [strategy.as_dict() for strategy in self.own]
        return {key: value for key, value in plan.items() if value or key not in ("tables", "columns")}

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Plan:
        """Return the plan that `as_dict` wrote; raise TypeError, ValueError, KeyError or AttributeError for anything else."""
        fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in written.items()}
        own = tuple(strategies().written(entry) for entry in written["own"])
        columns = tuple(OwnColumn(**entry) for entry in written.get("columns", ()))
        plan = cls(**fields | {"own": own, "columns": columns})
        plan._check()
        return plan

    def _check(self) -> None:
        """Raise ValueError for a field with a wrong type or value."""
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{name}: {str(value)[:40]!r}; expected a whole number from {low} to {high}")
        for field, drawn in (("leaders", "leaders_drawn"), ("strategies", "strategies_drawn")):
            if type(getattr(self, drawn)) is not bool:
                raise ValueError(f"{drawn}: {str(getattr(self, drawn))[:40]!r}; expected true or false")
            if not isinstance(getattr(self, field), tuple) or any(type(name) is not str for name in getattr(self, field)):
                raise ValueError(f"{field}: expected a list of names")
        if (
            not isinstance(self.tables, tuple)
            or not set(self.tables) <= set(OPTIONAL)
            or (self.columns and ROUNDS_TABLE not in self.tables)
        ):
            raise ValueError(f"tables: expected some of {', '.join(OPTIONAL)}, and {ROUNDS_TABLE} where there are columns")
        if any(type(text) is not str for column in self.columns for text in (column.name, column.function, column.source)):
            raise ValueError("columns: expected texts")

    def strategy(self, name: str) -> SeatedStrategy:
        """Return one of the strategies of the run by its name."""
        return next((strategy for strategy in self.own if strategy.name == name), None) or strategies().find(name)

    def shard_games(self) -> int:
        """Return the games of a shard: many enough to compress well, few enough to share out evenly."""
        usual = int(np.clip(-(-self.games // SHARDS), SMALLEST_SHARD, USUAL_SHARD))
        return max(usual, -(-self.games // MOST_SHARDS))

    def shards(self) -> list[tuple[int, int]]:
        """Return (first game, number of games) of each shard; it depends on the number of games only."""
        size = self.shard_games()
        return [(first, min(size, self.games - first)) for first in range(0, self.games, size)]

    def library(self) -> list[str]:
        """Return the names of the different strategies in the run, in the order of their codes."""
        return sorted(set(self.strategies))

    def seating(self, leaders: Sequence[str] = names.LEADERS) -> np.ndarray:
        """Return the SEATING record for the kernel, as an array of one; `leaders`: the ruleset's, by code."""
        seating = np.zeros(1, SEATING)
        for name in self.leaders:  # a plan can come from a file
            if name not in leaders:
                raise unknown("leader", name, leaders)
        library = self.library()
        line_up = self.strategies * (self.players if len(self.strategies) == 1 else 1)
        strategies = self.strategies if self.strategies_drawn else line_up
        # A pool may name a strategy more than once to draw it more often.
        for kind, codes, drawn in (
            ("leaders", [leaders.index(name) for name in self.leaders], self.leaders_drawn),
            ("strategies", [library.index(name) for name in strategies], self.strategies_drawn),
        ):
            seating[0][f"n_{kind}"] = len(codes)
            seating[0][kind][: len(codes)] = codes
            seating[0][f"{kind}_drawn"] = drawn
        return seating


def make_plan(
    *,
    players: int,
    games: int,
    seed: int,
    available_leaders: Sequence[str],
    player_counts: Sequence[int] | None = None,
    box: str = names.BOXES[0],
    leaders: Sequence[str] | None = None,
    strategies: Sequence[str | SeatedStrategy] | None = None,
    leader_pool: Sequence[str] | None = None,
    strategy_pool: Sequence[str | SeatedStrategy] | None = None,
    round_cap: int = ROUND_CAP,
) -> Plan:
    """Check what the user asked for and return the plan; raise UserError naming what is wrong."""
    check_players_of_box(players, box, player_counts)
    check_number("games", games, 1, MOST_GAMES)
    check_number("seed", seed, 0, MAX_SEED)
    check_number("round cap", round_cap, 1, MAX_ROUND_CAP)
    if leaders is not None and leader_pool is not None:
        raise UserError("leaders: give a line-up (--leaders) or a pool to draw from (--leader-pool), not both")
    if strategies is not None and strategy_pool is not None:
        raise UserError("strategies: give a line-up (--strategies) or a pool to draw from (--strategy-pool), not both")
    chosen = _strategies(strategies, strategy_pool, players, box)
    return Plan(
        players=players,
        games=games,
        seed=seed,
        round_cap=round_cap,
        leaders=_leaders(leaders, leader_pool, players, available_leaders, box),
        leaders_drawn=leaders is None,
        strategies=tuple(strategy.name for strategy in chosen),
        strategies_drawn=strategy_pool is not None,
        own=tuple(sorted({strategy for strategy in chosen if not strategy.packaged}, key=lambda strategy: strategy.name)),
    )


def plan_by(r: np.record, **settings: Any) -> Plan:
    """Return the plan of games by the rules, with the settings of `make_plan`; raise UserError if the rules do not allow it."""
    box = names.BOXES[r.box]
    plan = make_plan(available_leaders=available_leaders(r), player_counts=player_counts(r), box=box, **settings)
    check_deal(plan, r)
    return plan


def available_leaders(r: np.record) -> list[str]:
    """Return the names of the leaders the ruleset has."""
    return [name for code, name in enumerate(written(r, "leader")) if r.leader_available[code]]


def player_counts(r: np.record) -> list[int]:
    """Return the numbers of players for the ruleset's map: all, where players lay it."""
    counts = range(MIN_PLAYERS, names.MOST_PLAYERS[names.BOXES[r.box]] + 1)
    return [n for n in counts if r.map_mode == 0 or r.fixed_players[: r.fixed_tiles, n].any()]


def team_counts(r: np.record) -> list[int]:
    """Return the numbers of players for the ruleset's teams: all, without teams."""
    counts = range(MIN_PLAYERS, names.MOST_PLAYERS[names.BOXES[r.box]] + 1)
    return [n for n in counts if n == names.TEAM_PLAYERS or r.partners == names.NO_PARTNERS]


def check_deal(plan: Plan, r: np.record) -> None:
    """Raise UserError if the teams need other players, or the pool has too few leaders to deal and to ban."""
    if plan.players not in team_counts(r):
        raise UserError(f"players: teams of two (teams.partners) need {names.TEAM_PLAYERS} players, got {plan.players}")
    needed = plan.players * int(r.leaders_dealt + r.leader_bans)
    if plan.leaders_drawn and len(plan.leaders) < needed:
        dealt = f"deal {counted(int(r.leaders_dealt), 'leader')} to each of {plan.players} players"
        banned = f", who ban {r.leader_bans} each" if r.leader_bans else ""
        raise UserError(f"leader pool: the rules {dealt}{banned}, {needed} in all; there are {len(plan.leaders)}")


def check_seats(plan: Plan, r: np.record) -> None:
    """Raise UserError if a saved plan has leaders, strategies or numbers that `make_plan` would refuse under these rules."""
    box = names.BOXES[r.box]
    check_players_of_box(plan.players, box, player_counts(r))
    _leaders(None if plan.leaders_drawn else plan.leaders, plan.leaders, plan.players, available_leaders(r), box)
    library = [plan.strategy(name) for name in plan.strategies]
    if not library:
        raise UserError("strategies: none named")
    drawn = plan.strategies_drawn
    _strategies(None if drawn else library, library if drawn else None, plan.players, box)
    for strategy in plan.own:
        strategy.weights(plan.players, box)  # parses the profile in the plan
    check_deal(plan, r)


def unplayable(plan: Plan, r: np.record) -> str:
    """Return why the plan's table cannot be played by the rules; "" if it can."""
    try:
        check_seats(plan, r)
    except UserError as error:
        return str(error)
    return ""


def chosen_in_vain(plan: Plan, r: np.record) -> str:
    """Return a warning where players would ban or choose leaders, but a line-up names them; else ""."""
    choosable = r.leaders_dealt > 1 or r.leader_bans > 0 or r.leader_source == names.FROM_ALL_LEFT
    if plan.leaders_drawn or not choosable:
        return ""
    return "leaders: --leaders names who is played, so nobody bans or chooses a leader; --leader-pool names a pool for that"


def check_players(players: int, r: np.record) -> None:
    """Raise UserError if the rules' box or map does not allow this number of players."""
    check_players_of_box(players, names.BOXES[r.box], player_counts(r))


def check_players_of_box(players: int, box: str, counts: Sequence[int] | None = None) -> None:
    """Raise UserError if the box, or the map (`counts`), does not allow this number of players."""
    most = names.MOST_PLAYERS[box]
    if not MIN_PLAYERS <= players <= most:
        other = next((name for name, more in names.MOST_PLAYERS.items() if most < players <= more), None)
        hint = f"; {players} can play with --box {other}" if other else ""
        raise UserError(f"players: {players} is not valid; expected a whole number from {MIN_PLAYERS} to {most}{hint}")
    if counts is not None and players not in counts:
        raise UserError(f"players: the map is not for {players}; expected {' or '.join(map(str, counts))}")


def check_number(what: str, value: int, low: int, high: int) -> None:
    """Raise UserError if a number from the user is outside the limits."""
    if not low <= value <= high:
        raise UserError(f"{what}: {value} is not valid; expected a whole number from {low} to {high}")


def _leaders(
    line_up: Sequence[str] | None, pool: Sequence[str] | None, players: int, available: Sequence[str], box: str
) -> tuple[str, ...]:
    leaders: list[str] = []
    for word in line_up or pool or available:
        try:
            leaders.append(named("leader", word, available))
        except UserError:
            printed = {other: [name.lower() for name in printed_names(other, "leader")] for other in names.BOXES}
            other = next((other for other in names.BOXES if word.strip().lower() in printed[other]), None)
            if other and word.strip().lower() not in printed[box]:
                raise UserError(f"leaders: '{word}' is in the box {other}: add --box {other}") from None
            raise
    twice = next((name for name in leaders if leaders.count(name) > 1), None)
    if twice:
        raise UserError(f"leaders: '{twice}' is named twice; two players cannot have the same leader (B2.1)")
    if line_up is not None and len(leaders) != players:
        raise UserError(f"leaders: {len(leaders)} named for {players} players; expected one a player")
    if len(leaders) < players:
        raise UserError(f"leader pool: {len(leaders)} leaders cannot be dealt to {players} players")
    return tuple(leaders)


def _strategies(
    line_up: Sequence[str | SeatedStrategy] | None, pool: Sequence[str | SeatedStrategy] | None, players: int, box: str
) -> list[SeatedStrategy]:
    entries = line_up or pool or [strategies().DEFAULT]
    chosen = [strategies().find(entry) if isinstance(entry, str) else entry for entry in entries]
    for strategy in chosen:
        strategies().check_box(strategy, box)
    if line_up is not None and len(chosen) not in (1, players):
        raise UserError(f"strategies: {len(chosen)} named for {players} players; expected one for all or one a player")
    by_name = {strategy.name: strategy for strategy in chosen}
    if clash := next((strategy for strategy in chosen if by_name[strategy.name] != strategy), None):
        raise UserError(f"strategies: two different ones are named '{clash.name}'")
    if len(chosen) > LIBRARY_SIZE:
        raise UserError(f"strategies: {len(chosen)} named; a run has at most {LIBRARY_SIZE}")
    return chosen
