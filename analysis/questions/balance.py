"""Balance and sensitivity: which numbers bring a figure to its target, and which matter most?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted, listed, unknown, with_minus
from ...simulator.kept_files import UNREADABLE, Journal, describe, digest_of, held, writing
from ...simulator.rules.edit import Parameter, overlay_of, parameters, same_play, steps
from ...simulator.rules.load import Ruleset
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.runs.manifest import provenance
from ...simulator.runs.run import Interrupted, Observer, Silent
from ...simulator.runs.run_plan import Plan
from ..pages import plots
from ..pages.cells import points_of
from ..pages.report_parts import HINT, Chart, Column, Finding, Part
from ..pages.screen_parts import First, Stands
from ..pages.sentences import FOUND_CHAPTER, MOST_EXAMPLES, PAIRED, Made, _in_points
from ..stats import rates
from ..stats.inference import ALL
from ..stats.rates import SMALL_SAMPLE
from ..stats.verdicts import differs
from ..tables.kept_answers import KeptAnswer
from ..tables.paired_figures import FIRST_PLAYER, ROUNDS, SPREAD, margin_of
from ..tables.targets import (
    GROUPS,
    MARGIN,
    MATTERS,
    NOT_KNOWN,
    OFF,
    ON,
    OPEN,
    RULES,
    TOO_SMALL,
    WORSE,
    Target,
    changes,
    confirm,
    figure_words,
    figures_with,
    level,
    side_effects,
    steps_judged,
    too_few,
)
from .compare import scaled
from .moves import Lever, Playable, Unplayable, levers
from .tuning import Candidate, candidate_of, halve, play_figures

# --- Balance: which single numbers of the rules, moved how far, bring a figure to its target, and what else they move
#
# Levers. A lever is a number of the rules, or numbers beside each other that have one value and move together (a leader's
# trade tokens on each of its cards). Rulesets that move one lever are played on the same seeds as the rules, in three stages:
#
# 1. *Screening.* Every lever is moved down and up, by a step (a tenth, at least 1) and as far as it will be searched (half,
# at least 3): three trade tokens on a card are hardly more than two, and much more than none. The moves that bring the figure
# nearest to the target (the gain over the pairs of games, less its standard error) play four times as many games. 2. *Search.*
# The best levers are moved further, in the direction that helped, by the successive halving of `tuning`. 3. *Confirmation.*
# The best value of each lever and its runner-up play fresh games, by which nothing was chosen. Their figures (`confirm`) hold
# together with 95%, each with a verdict against the target; everything else they move is the difference from the rules on the
# same fresh seeds, with intervals that hold for all of them together.
#
# Ranking. What is on target comes first, the smallest side effect on top; then what is undecided, and what misses, by its
# distance. The side effect is the largest change of anything else in units of what matters (one round, two points): length,
# first player, a wider leader spread, and what another leader gains or loses beyond what all others do (their rates sum to
# one).
#
# Every piece of games is appended to a file of its ruleset when it is played, so a command that was stopped can go on.

VERSION = 4  # 3: win rates by turn order of all games, decided or not; 2: without digests; 1: without these rates and effects
COMMAND, FILE = "balance", "balance.json"
TABLES = MOVES, UNCHANGED = "moves", "rules"  # the values that fresh games judged; the rules as they are
FRESH_FROM = 10_000_000  # number of the first fresh game
PIECE = 1_000  # games between two writes to disk
EXAMPLES = 3
AGAIN = 4  # in the second round of screening: so many times the games, for so many moves a searched lever


@dataclass(frozen=True)
class Effort:
    """How many games each stage plays, and how many levers are searched."""

    screen: int = 300
    search: int = 2_000
    fresh: int = 12_000
    levers: int = 5


@dataclass
class Advice:
    """The values to change, and the rules as they are on the same fresh games.

    `moves` has a row for each confirmed value, the best first: `lever`, `was`, `value`, the columns of `confirm`, `side` (the
    largest side effect in units of what matters) and for each figure `<figure>` (its difference from the rules) with `_low`,
    `_high` (all differences together, 95%), `_verdict` and `_certainty`. `rules` holds the same of the rules, and their
    figures with intervals of their own. `screened` has a row for each lever that came through the screening, `overlays` the
    house rule of each row of `moves`.
    """

    target: Target
    margin: float | None
    moves: pd.DataFrame
    rules: dict[str, Any]
    screened: pd.DataFrame
    overlays: list[dict[str, Any]]
    left_out: dict[str, str] = field(default_factory=dict)  # changes that cannot be played at this table, with reasons


def balance(
    plan: Plan, ruleset: Ruleset, target: Target, globs: tuple[str, ...] = ("*",), effort: Effort | None = None,
    margin: float | None = None, out: Path | None = None, jobs: int = 1, observer: Observer | None = None,
    keep: bool = True,
) -> Advice:  # fmt: skip
    """Find the levers that bring the target's figure to its value; see the module for the method.

    `margin` is how near to the target is near enough (a share, or rounds). With `keep` no ability is left without effect.
    Before the search the observer hears if the fresh games are too few for the margin. Games are kept in the folder `out`.
    Raises UserError if no lever can be moved, or if the folder is of other games; KeyboardInterrupt passes.
    """
    effort, observer = effort or Effort(), observer or Silent()
    candidates = levers(ruleset, globs, keep)
    playable = Playable([plan])
    observer.note(f"looking which moves of {len(candidates)} numbers and blocks of numbers are legal")
    with RulesetGames(out, plan, ruleset, jobs, observer).open() as games:
        if note := too_few(games.search(ruleset, effort.screen), target, margin, effort.fresh, 1 + 2 * effort.levers):
            observer.note(note)
        steps = _screen(games, ruleset, candidates, target, effort, playable)
        chosen = [(row["lever"], row["side"]) for row in steps.head(effort.levers).to_dict("records") if row["gain"] > 0]
        if not chosen:
            now = figure_words(_level(games.search(ruleset, effort.screen), target)[0], target.figure)
            raise UserError(
                f"target {target.text}: none of the {len(candidates)} numbers is shown to bring it nearer than the rules do "
                f"({now} in {effort.screen:,} games); name others (--parameters), or play more games (--screen)"
            )
        finalists = _search(games, ruleset, chosen, target, effort, playable)
        return _confirm(games, ruleset, finalists, target, effort, margin, steps, playable)


def not_numbers(ruleset: Ruleset, figure: str = "") -> str:
    """Return a sentence on what is not searched, since it is no number, of the leader or wonder of the figure, or of all."""
    subject = figure.rsplit(" of ", 1)[-1]
    whole = [entry for section in ("leaders", "wonders") for entry in ruleset.data[section].values()]
    own = [entry for entry in whole if subject in (entry.get("civ"), entry.get("name"))]
    numbered = {entry.path for entry in parameters(ruleset)}
    abilities = []
    for section in ("leaders", "wonders"):
        for key, entry in ruleset.data[section].items():
            if entry not in (own or whole) or not entry.get("available", True):
                continue
            for ability in entry.get("abilities") or {}:
                if not any(path.startswith(f"{section}.{key}.abilities.{ability}.") for path in numbered):
                    whose = entry.get("civ", entry.get("name"))
                    abilities.append(f"{entry.get('ability_name', ability)} ({whose})")
    abilities = list(dict.fromkeys(abilities))
    unsearched = [
        *abilities[:EXAMPLES],
        *([f"{len(abilities) - EXAMPLES} more abilities"] if len(abilities) > EXAMPLES else []),
    ]
    leader = not own or any("civ" in entry for entry in own)
    unsearched += ["the order of the focus row"] if leader else []
    unsearched += [] if own else ["the conditions of agendas"]
    return f"Not looked at, because it is no number: {listed(unsearched)}." if unsearched else ""


# --- The stages


def _screen(
    games: RulesetGames, ruleset: Ruleset, candidates: Sequence[Lever], target: Target, effort: Effort, playable: Playable
) -> pd.DataFrame:
    """Return the best move of each lever, the best lever first; the best moves have played more games."""
    moves = [
        (lever, side, far, changed)
        for lever in candidates
        for side in (-1, 1)
        for far, changed in enumerate(lever.near_and_far(ruleset, side))
        if not same_play(ruleset, changed, games.plan.players)
        and playable.allows(f"{lever.name} = {lever.in_rules(changed)}", changed)
    ]
    if not moves:
        raise UserError(f"--parameters: none of the {len(candidates)} numbers named can be moved by a step under these rules")
    for n, which in ((effort.screen, ""), (AGAIN * effort.screen, "the best ")):
        rulesets = [changed for *_, changed in moves]
        with games.stage(
            f"screening {which}{len(moves)} moves, {n:,} games each", [(changed, n) for changed in [ruleset, *rulesets]]
        ):
            base = games.search(ruleset, n)
            gains, played = [], []
            for move in moves:
                try:
                    gains.append(_gain(base, games.search(move[-1], n), target, bool(move[2])))
                except Unplayable as error:
                    playable.leave_out(f"{move[0].name} = {move[0].in_rules(move[-1])}", error)
                    continue
                played.append(move)
            moves = played
        lever, side, far, _ = zip(*moves, strict=True)
        frame = pd.DataFrame(gains, columns=pd.Index(["gain", "error"])).assign(n=n, lever=lever, side=side, far=far)
        frame["name"] = [moved.name for moved in lever]
        # A move that changes nothing has no error; it must come after one that helps and is noisy.
        careful = (frame["gain"] - frame["error"]).where(frame["gain"] > 0, -np.inf)
        frame = frame.assign(careful=careful).sort_values(["careful", "name"], ascending=[False, True], kind="stable")
        moves = [moves[at] for at in frame.index[: AGAIN * effort.levers]]
    return frame.drop_duplicates("name").reset_index(drop=True)


def _level(values: np.ndarray, target: Target, figure: str | None = None) -> tuple[float, float, float, int]:
    """Return a figure (default: the target's) in games, with its interval and n."""
    return level(values, figure or target.figure, leaders=target.leaders)


def _gain(base: np.ndarray, moved: np.ndarray, target: Target, far: bool) -> tuple[float, float]:
    """Return how much nearer to the target a lever can bring the figure, and the standard error from the pairs of games.

    A far move that goes beyond the target counts as reaching it: a value between may reach it.
    """
    (before, base_terms), (after, moved_terms) = target.loss(base), target.loss(moved)
    if target.wanted is not None:
        beyond = (_level(base, target)[0] - target.wanted) * (_level(moved, target)[0] - target.wanted) < 0
        after, moved_terms = (-after, -moved_terms) if beyond and far else (after, moved_terms)
    error = float((base_terms - moved_terms).std(ddof=1) / np.sqrt(len(base_terms)))
    return min(before - after, before), error


def _search(
    games: RulesetGames,
    ruleset: Ruleset,
    chosen: Sequence[tuple[Lever, int]],
    target: Target,
    effort: Effort,
    playable: Playable,
) -> list[tuple[Lever, Candidate]]:
    """Return the best value and the runner-up of each lever, moved on in the direction that helped."""
    finalists = []
    for lever, side in chosen:
        tried = [candidate_of((lever.value,), ruleset)]
        for value in range(lever.value + side, lever.value + side * (lever.reach + 1), side):
            changed = lever.moved(ruleset, value)
            if changed is None or not playable.allows(f"{lever.name} = {value}", changed):
                break
            tried.append(candidate_of((value,), changed, f"{lever.name} = {value}"))
        with games.stage(f"searching {lever.name}", [(candidate.ruleset, effort.search) for candidate in tried]):
            best = halve(lambda rules, first, n: games.search(rules, first + n)[first:], tried, target, effort.search, playable)
        finalists += [(lever, candidate) for candidate in best if candidate is not tried[0]][:2]
    return finalists


def _confirm(
    games: RulesetGames, ruleset: Ruleset, finalists: Sequence[tuple[Lever, Candidate]], target: Target, effort: Effort,
    margin: float | None, steps: pd.DataFrame, playable: Playable,
) -> Advice:  # fmt: skip
    """Return the values with their figures in fresh games, and all that they move, ranked."""
    rulesets = [ruleset, *(candidate.ruleset for _, candidate in finalists)]
    with games.stage(f"confirming {len(finalists)} values", [(rules, effort.fresh) for rules in rulesets], fresh=True):
        fresh, confirmed = [games.fresh(ruleset, effort.fresh)], []
        for finalist in finalists:
            try:
                fresh.append(games.fresh(finalist[1].ruleset, effort.fresh))
            except Unplayable as error:
                playable.leave_out(finalist[1].label, error)
                continue
            confirmed.append(finalist)
    finalists = confirmed
    if not finalists:
        raise UserError(f"target {target.text}: no change that was found can be played in {effort.fresh:,} fresh games; "
                        f"{playable.words()[:-1]}")  # fmt: skip
    frame = confirm(fresh, target, margin)
    moved = side_effects(fresh, target.leaders)
    rows = []
    for place, (lever, candidate) in enumerate(finalists, 1):
        part = moved[moved["place"] == place].set_index("figure")
        row: dict[str, Any] = {"lever": lever.name, "was": lever.value, "value": candidate.values[0], "place": place}
        row |= {"target_value" if name == "value" else str(name): value for name, value in frame.iloc[place].items()}
        for figure, effect in zip(map(str, part.index), part.to_dict("records"), strict=True):
            row |= {f"{figure}{end}": effect[f"difference_all{end}"] for end in ("_low", "_high")}
            row |= {figure: effect["difference"], **{f"{figure}_{name}": effect[name] for name in ("verdict", "certainty")}}
        leaders = [name for group, name in figures_with(target.leaders) if group == "leaders"]
        others = [name for name in leaders if name in part.index and name != target.figure]
        rows.append(row | _side(part["difference"], target, others))
    table = pd.DataFrame(rows)
    order = table["verdict"].map(_order)
    key = np.where(table["verdict"] == ON, table["side"], table["loss"])
    table = table.assign(_order=order, _key=key).sort_values(["_order", "_key", "lever"], kind="stable", ignore_index=True)
    own = dict(frame.iloc[0]) | {
        figure: _level(fresh[0], target, figure)[:3]
        for figure in dict.fromkeys([target.figure, ROUNDS, SPREAD[1], FIRST_PLAYER])
    }
    chosen = [finalists[place - 1] for place in table["place"]]
    overlays = [overlay_of(ruleset, dict.fromkeys(lever.parameters, candidate.values[0])) for lever, candidate in chosen]
    table = table.drop(columns=["_order", "_key", "place"])
    return Advice(target, margin, table, own, steps, overlays, playable.left_out)


def _order(verdict: str) -> int:
    """Return the rank of a verdict: on target or better than the rules first, then undecided, then off."""
    return {OFF: 2, WORSE: 3, OPEN: 1, RULES: 1}.get(verdict, 0 if verdict == ON or verdict.startswith("better") else 1)


def _side(difference: pd.Series, target: Target, others: Sequence[str]) -> dict[str, Any]:
    """Return the largest side effect in units of the margin (`side`), and its figure (`side_of`).

    Another leader's change counts only beyond what the others gain or lose on average (`side_beyond`).
    """
    beyond: pd.Series | None = None
    sizes = {name: abs(difference[name]) / margin_of(name) for name in (ROUNDS, FIRST_PLAYER) if name != target.figure}
    if target.figure != SPREAD[1]:
        sizes[SPREAD[1]] = max(difference[SPREAD[1]], 0.0) / margin_of(SPREAD[1])
    if target.figure != SPREAD[1] and len(others) > 1:
        beyond = difference[list(others)] - difference[list(others)].mean()
        furthest = str(beyond.abs().idxmax())
        sizes[furthest] = float(abs(beyond[furthest]) / MARGIN)
    measured = {name: float(size) for name, size in sizes.items() if not np.isnan(size)}
    largest = max(measured, key=lambda name: measured[name])
    alone = float(beyond[largest]) if beyond is not None and largest in beyond.index else np.nan
    return {"side": measured[largest], "side_of": largest, "side_beyond": alone}


# --- Games, written to disk piece by piece


@dataclass(frozen=True)
class OtherFigures:
    """Other figures than the headline figures: their names, and functions like `play_figures` and `play_some` for them."""

    figures: tuple[str, ...]
    play: Callable[[Plan, Ruleset, int, int, int, Observer], np.ndarray]
    some: Callable[[Plan, Ruleset, np.ndarray, int, Observer], np.ndarray] | None = None


@dataclass(frozen=True)
class Alike:
    """Figures of a ruleset that another plays alike, but for the games marked in `other`, which have to be played."""

    figures: np.ndarray  # (games, figures, 2)
    other: np.ndarray  # (games,)


class RulesetGames:
    """Plays games of rulesets and keeps their figures, in memory and (with a folder) in a file for each ruleset."""

    def __init__(
        self, out: Path | None, plan: Plan, ruleset: Ruleset, jobs: int, observer: Observer, other: OtherFigures | None = None
    ) -> None:
        self.out, self.plan, self.jobs, self.observer, self.other = out, plan, jobs, observer, other
        figures = {} if other is None else {"figures": other.figures}
        self.header = provenance({"balance": VERSION, **figures}, plan, ruleset)
        self.played: dict[tuple[str, int], np.ndarray] = {}
        self.charge: Callable[[int], None] | None = None  # called with the number of games before their first use
        self.charged: dict[tuple[str, int], int] = {}
        self.journals: dict[tuple[str, int], Journal] = {}
        self.digests: dict[int, tuple[Ruleset, str]] = {}  # a digest takes milliseconds

    def _digest(self, ruleset: Ruleset) -> str:
        if id(ruleset) not in self.digests:
            self.digests[id(ruleset)] = ruleset, ruleset.digest()
        return self.digests[id(ruleset)][1]

    @contextmanager
    def open(self) -> Iterator[RulesetGames]:
        """Hold the folder; raise UserError if it is of other games, or of something else."""
        if self.out is None:
            yield self
            return
        with held(self.out, FILE, "games") as path:
            describe(path, self.header, "games")
            yield self

    @contextmanager
    def stage(self, note: str, games: Sequence[tuple[Ruleset, int]], fresh: bool = False) -> Iterator[None]:
        """Tell the observer what comes next, and how many of its games are played already."""
        ready = sum(min(n, self.ready(ruleset, fresh)) for ruleset, n in games)
        self.observer.note(note)
        self.observer.begin(sum(n for _, n in games), ready)
        try:
            yield
        finally:
            self.observer.end()

    def ready(self, ruleset: Ruleset, fresh: bool = False) -> int:
        """Return how many games of a ruleset are played already."""
        return len(self._kept(ruleset, FRESH_FROM if fresh else 0))

    def search(self, ruleset: Ruleset, n: int, alike: Alike | None = None) -> np.ndarray:
        """Return the figures of the first n games, by which levers and values are chosen."""
        return self._figures(ruleset, 0, n, alike)

    def fresh(self, ruleset: Ruleset, n: int, alike: Alike | None = None) -> np.ndarray:
        """Return the figures of n games by which nothing was chosen."""
        return self._figures(ruleset, FRESH_FROM, n, alike)

    def _figures(self, ruleset: Ruleset, first: int, n: int, alike: Alike | None) -> np.ndarray:
        figures, key = self._kept(ruleset, first), (self._digest(ruleset), first)
        if self.charge is not None and n > self.charged.get(key, 0):
            new = slice(self.charged.get(key, 0), n)
            self.charge(n - new.start if alike is None else int(alike.other[new].sum()))
            self.charged[key] = n
        while len(figures) < n:
            size = min(PIECE, n - len(figures))
            played = self._piece(ruleset, first, slice(len(figures), len(figures) + size), alike)
            self._append(ruleset, first, played)
            figures = np.concatenate([figures, played])
        self.played[key] = figures
        return figures[:n]

    def _piece(self, ruleset: Ruleset, first: int, part: slice, alike: Alike | None) -> np.ndarray:
        size = part.stop - part.start
        if alike is None or self.other is None or self.other.some is None:
            play = play_figures if self.other is None else self.other.play
            return play(self.plan, ruleset, first + part.start, size, self.jobs, self.observer)
        figures, other = np.array(alike.figures[part]), alike.other[part]
        self.observer.add(int((~other).sum()))
        if other.any():
            games = first + part.start + np.flatnonzero(other)
            figures[other] = self.other.some(self.plan, ruleset, games, self.jobs, self.observer)
        return figures

    def _journal(self, ruleset: Ruleset, first: int) -> Journal:
        """Return the file of the games of a ruleset: pieces of games, each an array of their figures."""
        assert self.out is not None
        key = self._digest(ruleset), first
        if key not in self.journals:
            about = {"games": digest_of(self.header), "first": first, "figures": self._figure_names(ruleset)}
            rules = {"name": ruleset.name, "digest": key[0]}
            path = self.out / f"{'fresh' if first else 'search'}-{key[0][:20]}.games"
            self.journals[key] = Journal(path, {**about, "ruleset": rules, "engine": self.header["engine"]}, "games")
        return self.journals[key]

    def _figure_names(self, ruleset: Ruleset) -> list[str]:
        if self.other is not None:
            return list(self.other.figures)
        return [name for _, name in figures_with(names_of(ruleset.data, "leader"))]

    def _kept(self, ruleset: Ruleset, first: int) -> np.ndarray:
        """Return the figures of the games that were played; a piece that a kill left incomplete is cut off."""
        key = self._digest(ruleset), first
        if key not in self.played:
            shape = (len(self._figure_names(ruleset)), 2)
            pieces = [] if self.out is None else self._journal(ruleset, first).read()
            arrays = [np.frombuffer(content, "<f4").reshape(-1, *shape) for _, content in pieces]
            self.played[key] = np.concatenate([np.zeros((0, *shape), np.float32), *arrays])
        return self.played[key]

    def _append(self, ruleset: Ruleset, first: int, played: np.ndarray) -> None:
        if self.out is not None:
            with writing(self.out, "games"):
                self._journal(ruleset, first).append({"n": len(played)}, np.ascontiguousarray(played, "<f4").tobytes())


# --- One-at-a-time sensitivity: which numbers of the rules the headline figures depend on
#
# Each number is moved one step down and one step up (a tenth, at least 1; see rules/edit.py) while all the
# others stay, and the changed rules are played on the same seeds as the unchanged ones, which are played once. Differences
# are those of pairs of games. The intervals hold for all differences of the table together (`inference.together`), and a
# difference is significant if its interval leaves 0 out: 5% for any false finding in the whole table. It matters if its whole
# interval lies beyond the margin (one round, two percentage points), does not if all of it lies within, and is otherwise
# undecided. One at a time means that interactions of two numbers are not seen.
#
# Changes are ranked by size: those that matter first, then significant ones, each by its largest significant difference in
# margins (a p value would rank them by certainty, which depends on the number of games). A true difference of `detectable`
# would have been significant in 80% of such analyses; it is a median over the changes that moved the figure, for where no game
# changed there is no spread to work it out from.
#
# Results are appended to a file, one line a change, so an analysis that was stopped goes on where it was.

SENSITIVITY_VERSION = 3  # 2: without digests; 1: without the pairs of games that changed, and no interval where none did
SENSITIVITY, SENSITIVITY_FILE = "sensitivity", "sensitivity.jsonl"
CHANGES = "changes"  # its kept table
COLUMNS = (
    "parameter", "printed", "value", "group", "figure", "a", "b", "difference", "low", "high", "difference_all_low",
    "difference_all_high", "p", "p_adjusted", "significant", "verdict", "certainty", "detectable", "n", "changed",
)  # fmt: skip
PLAYED = ("parameter", "printed", "value", "group", "figure", "a", "b", "difference", "low", "high", "p", "n", "changed")


@dataclass(frozen=True)
class Change:
    """A number moved by a step."""

    parameter: Parameter
    value: int
    ruleset: Ruleset

    @property
    def label(self) -> str:
        """The change in words."""
        return f"{self.parameter.path} = {self.value}"


def planned(plan: Plan, ruleset: Ruleset, globs: tuple[str, ...] = ("*",), playable: Playable | None = None) -> list[Change]:
    """Return all legal steps of the numbers whose paths fit the patterns, in the order of the data.

    Steps that cannot be played at the table are left out; `playable` remembers them.
    """
    numbers, playable = parameters(ruleset, globs), playable or Playable([plan])
    moved = [Change(number, value, changed) for number in numbers for value, changed in steps(ruleset, number, plan.players)]
    moved = [change for change in moved if playable.allows(change.label, change.ruleset)]
    if not moved:
        why = f"; {playable.words()[:-1]}" if playable.left_out else ""
        raise UserError(f"--parameters: none of the {len(numbers)} numbers named can be moved by a step under these rules{why}")
    return moved


def sensitivity(
    plan: Plan,
    ruleset: Ruleset,
    moved: Sequence[Change],
    out: Path | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
    playable: Playable | None = None,
) -> pd.DataFrame:
    """Play the unchanged rules and every change on the same seeds; return one row a change and figure (COLUMNS).

    A change whose games end with an error is left out, and `playable` remembers it. With the folder `out` each finished change
    is appended to a file there, and what is in it is not played again. Raises Interrupted on Ctrl-C, UserError if the file is
    of other games.
    """
    observer = observer or Silent()
    results, games, leaders = Results(out, plan, ruleset), plan.games, names_of(ruleset.data, "leader")
    with results.open():
        missing = [change for change in moved if (change.parameter.path, change.value) not in results.done]
        observer.begin(games * (len(moved) + bool(missing)), games * (len(moved) - len(missing)))
        try:
            base = play_figures(plan, ruleset, 0, games, jobs, observer) if missing else None
            for change in missing:
                assert base is not None
                try:
                    played = play_figures(plan, change.ruleset, 0, games, jobs, observer)
                except Unplayable as error:
                    if playable is not None:
                        playable.leave_out(change.label, error)
                    continue
                results.add(change, changes(base, played, leaders=leaders))
        except KeyboardInterrupt:
            raise Interrupted(games * len(results.done), games * len(moved)) from None
        finally:
            observer.end()
    return table(results.rows, moved)


def read(out: Path, plan: Plan, ruleset: Ruleset) -> list[dict[str, Any]]:
    """Return the rows of the changes that are finished in the folder, for `table`."""
    results = Results(out, plan, ruleset)
    with results.open():
        return results.rows


def table(
    rows: Sequence[dict[str, Any]], moved: Sequence[Change] | None = None, groups: Sequence[str] = GROUPS
) -> pd.DataFrame:
    """Return the rows of results as a DataFrame (COLUMNS), corrected over all of them, the largest changes first.

    `moved` and `groups` choose the changes and the groups of figures asked about; only these enter the correction.
    """
    for group in groups:
        if group not in GROUPS:
            raise unknown("group of figures", group, GROUPS)
    frame = pd.DataFrame(rows, columns=[*PLAYED])
    if moved is not None:
        chosen = {(change.parameter.path, change.value) for change in moved}
        frame = frame[[key in chosen for key in zip(frame["parameter"], frame["value"], strict=True)]]
    frame = frame[frame["group"].isin(list(groups))]
    frame = steps_judged(frame)
    size = frame["size"]
    order = {
        "matters": size.where(frame["verdict"] == MATTERS, 0.0),
        "clear": size.where(frame["significant"], 0.0),
        "size": size,
    }
    change = [frame["parameter"], frame["value"]]
    ranked = frame.assign(**{name: values.groupby(change).transform("max") for name, values in order.items()}).sort_values(
        [*order, "parameter", "value"], ascending=[*[False] * len(order), True, True], kind="stable", ignore_index=True
    )
    return ranked[list(COLUMNS)]


def detectable(frame: pd.DataFrame) -> pd.Series:
    """Return for each figure that was moved the smallest difference that these games could be expected to show (a median)."""
    moved = frame[frame["changed"] > 0]
    return moved.groupby("figure", sort=False)["detectable"].median()


def counts(frame: pd.DataFrame) -> str:
    """Return in words how many of the differences matter, and how many do not."""
    number = {verdict: int((frame["verdict"] == verdict).sum()) for verdict in (MATTERS, TOO_SMALL, NOT_KNOWN)}
    by = f"by more than {rates.ROUNDS:g} round or {rates.POINTS:g} points"
    matter, small, open_ = (number[verdict] for verdict in (MATTERS, TOO_SMALL, NOT_KNOWN))
    return (
        f"{matter} of {counted(len(frame), 'difference')} {'matters' if matter == 1 else 'matter'}, {by}; "
        f"{small} {'is' if small == 1 else 'are'} too small to matter; {open_} {'is' if open_ == 1 else 'are'} {NOT_KNOWN}"
    )


class Results:
    """The append-only file of a sensitivity analysis: a line about the games, then a line for each finished change."""

    def __init__(self, out: Path | None, plan: Plan, ruleset: Ruleset) -> None:
        self.out = out
        self.file: Journal | None = None
        self.rows: list[dict[str, Any]] = []
        self.done: set[tuple[str, int]] = set()
        self.header = provenance({"sensitivity": SENSITIVITY_VERSION}, plan, ruleset, but=())

    @contextmanager
    def open(self) -> Iterator[None]:
        """Read what is in the file and keep other analyses out of its folder; raise UserError if it is of other games."""
        if self.out is None:
            yield
            return
        with held(self.out, SENSITIVITY_FILE, "results") as path:
            self.file = Journal(path, self.header, "results")
            try:
                for line, _ in self.file.read():
                    self._take(line)
            except UNREADABLE:
                raise UserError(f"{path}: not the results of a sensitivity analysis; choose another folder (--out)") from None
            yield

    def _take(self, line: dict[str, Any]) -> None:
        self.done.add((line["parameter"], line["value"]))
        shared = {key: line[key] for key in ("parameter", "printed", "value")}
        self.rows += [shared | figure for figure in line["figures"]]

    def add(self, change: Change, figures: pd.DataFrame) -> None:
        """Keep the figures of a change, and write them to disk at once."""
        rows = [
            {key: None if isinstance(value, float) and np.isnan(value) else value for key, value in row.items()}
            for row in figures.to_dict("records")
        ]
        parameter = change.parameter
        line = {"parameter": parameter.path, "printed": parameter.value, "value": change.value, "figures": rows}
        if self.file is not None and self.out is not None:
            with writing(self.out, "changes"):
                self.file.append(line)
        self._take(line)


def _matter(frame: pd.DataFrame, size: str = "difference") -> pd.Series:
    """Return differences in units of what matters: one round, two percentage points."""
    matter: pd.Series = frame[size] / frame["figure"].map(margin_of)
    return matter


def _moved(kept: KeptAnswer) -> Made:
    """Return the page of `newdawn sensitivity`."""
    changes = kept.tables[CHANGES]
    sizes = (*(f"difference{end}" for end in ALL), "detectable")
    steps = (changes["printed"].astype(str) + " → " + changes["value"].astype(str)).map(with_minus)
    frame = scaled(changes.drop(columns=["low", "high"]), sizes).assign(
        what=changes["parameter"] + ": " + steps,
        matter=_matter(changes), small_sample=changes["n"] < SMALL_SAMPLE,
    )  # fmt: skip

    def sentence(row: Any) -> str:
        size = points_of(row, "difference")
        return f"{row['what']}: {row['figure']} {size} {row['unit']} (n = {row['n']:,.0f})."

    columns = (
        "what", "figure", "unit", "n", Column("changed", "changed", "count", "pairs of games that differ in it"),
        ("difference", "difference [95% all]"), "p_adjusted", Column("verdict", "does it matter?", "text"),
        ("detectable", "found with 80% chance from"), HINT,
    )  # fmt: skip
    matters = frame[frame["verdict"] == MATTERS]

    def drawn(shown: pd.DataFrame) -> pd.DataFrame:
        return shown[(shown["unit"] == "points") & differs(shown)].head(20)

    def draw(shown: pd.DataFrame, ax: Any) -> None:
        most = drawn(shown)
        labels, axis = most["what"] + " (" + most["figure"] + ")", "percentage points, 95% for all differences together"
        plots.column(ax, most, labels, "difference", axis, filled=most["verdict"] == MATTERS, reference=0)

    part = Part(
        "moved", "Numbers moved by a step", lambda source: frame, columns, rows=300, chapter=FOUND_CHAPTER,
        note="What a step of each number does to the headline figures, the largest first.",
        charts=(Chart(
            "moved", "The largest changes that are shown", "Shares only; rounds are in the table. Filled: matters.", draw,
            lambda shown: 1.1 + 0.24 * len(drawn(shown)), worth=lambda shown: len(drawn(shown)) > 0,
            message=lambda shown: _moving(shown[shown["verdict"] == MATTERS]),
        ),),
    )  # fmt: skip
    numbers = list(dict.fromkeys(matters["parameter"]))
    verdicts = [Stands("matters", numbers[:12], "up")] if numbers else []
    largest = matters.sort_values("matter", key=np.abs, ascending=False, kind="stable").head(MOST_EXAMPLES).to_dict("records")
    findings = [Finding(sentence(row), row["certainty"]) for row in largest]
    start = "" if findings else "No number matters detectably. "
    findings.append(Finding(f"{start}{counts(frame)}.", "measured" if largest else "open"))
    return [part], First(findings, verdicts=verdicts, chart="moved"), (PAIRED,)


_moving = _in_points("difference", "{what} matters most: the {figure} is {size} points {word}")
