"""Balance: which single changes of the rules bring a figure to its target? Start at `balance`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator.errors import UserError, counted
from ...simulator.kept_files import Journal, describe, digest_of, held, writing
from ...simulator.rules.load import Ruleset
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.runs.manifest import provenance
from ...simulator.runs.run import Observer, Silent
from ...simulator.runs.run_plan import Plan
from ..pages.cells import counted_margin
from ..stats.claims import Claim, Stand, Undecided
from ..stats.verdicts import DIFFERENT, JUDGEMENT, Outcome, having, outcome_of, round_up
from ..tables.kept_answers import SEARCHED
from ..tables.paired_figures import FIRST_PLAYER, ROUNDS, SPREAD, UNFINISHED, margin_of
from ..tables.targets import (
    MARGIN,
    NEVER,
    Target,
    confirm,
    figure_words,
    figures_with,
    level,
    near_enough,
    side_effects,
    too_few,
)
from ..tables.whole import Whole, behind, mended, shares_of, whole_of
from .budget import FILE as BUDGET
from .budget import PLAYING, announced, keep_effort, kept_effort, timed
from .possible_changes import (
    OWN,
    SCOPES,
    USED,
    Move,
    Playable,
    Unplayable,
    between,
    concerned,
    moves_of,
    not_looked_at,
    subject_of,
    value_words,
)
from .tuning import play_figures, play_some

# --- Balance: which single changes of the rules bring a figure to its target, and what they do to the whole game
#
# *What may change*: what is on the leader's own card, what it uses, rules for all; other leaders' cards only if asked
# (`moves.moves_of`). Numbers are moved by a step or further, lists, orders and switches get other words. What cannot be played
# at the table is left out. Rulesets with one change play the seeds of the rules, in three stages:
#
# 1. *Screening.* Every number is moved down and up as far as it goes (half of it, at least 3). The fifth that takes the
# figure furthest towards the target plays three times as many games; what is on the card itself, or used, stays in. Of these
# the best levers get the values between. 2. *Halving.* All of their values play on the same seeds; the half that gains the
# whole game most plays twice as many games, and so on (successive halving; Z. Karnin, T. Koren and O. Somekh, ICML 2013).
# 3. *Fresh games*, by which nothing was chosen, of at most five changes and of the rules. The figures (`confirm`) hold together
# with 95%, each with a verdict against the target; everything else they move is the difference from the rules on the same fresh
# seeds, with intervals that hold for all of them together.
#
# *Order.* What counts is what the whole game gains (`tables.whole`): how much nearer the target's figure comes, and all other
# leaders to their shares, less what is thrown off. A change that throws another figure further off than it mends, or another
# leader off by more than sharing explains, spoils the game and is not advised, nor is one that is not shown to come nearer.
# whose gains are not shown to differ from the largest, what is on target comes first, then what is on the leader's card.
#
# Every piece of games is appended to a file of its ruleset when it is played, so a command that was stopped can continue.

VERSION = 5  # 4: with effects; 3: win rates by turn order of all games, decided or not; 2: without digests
COMMAND, FILE = "balance", "balance.json"
TABLES = MOVES, UNCHANGED = SEARCHED[COMMAND], "rules"  # the values that fresh games judged; the rules as they are
FEWEST = 10  # games of a stage, however small the budget
CASES = 6  # of what the target asks about, in the games of a stage
FRESH_FROM = 10_000_000  # number of the first fresh game
PIECE = 1_000  # games between two writes to disk
STAY, AGAIN = 5, 3  # a fifth of the moves stays after the first round, and plays three times as many games
VALUES = 6  # between the rules' value and the furthest one
FINALISTS, OF_ONE = 5, 2  # changes that play fresh games, and how many of one number
SETUP = 0.03  # seconds to check and load the rules of a move
ADVISED, SPOILS, UNSHOWN = "gains", "spoils", "no gain shown"
NO_MOVES = ("lever", "was", "value", "low", "high", "target_value", "n", "verdict", "loss", "advice")
NAMED = 3  # changes in a sentence


@dataclass(frozen=True)
class Effort:
    """How many games a change plays in the first round of the screening, at the end of the search, and fresh; and how many
    levers are searched.
    """

    screen: int = 60
    search: int = 1_500
    fresh: int = 12_000
    levers: int = 8
    fewest: int = FEWEST  # of any of them

    def scaled(self, by: float) -> Effort:
        """Return the effort with times as many games."""
        screen, search, fresh = (max(self.fewest, round(by * n)) for n in (self.screen, self.search, self.fresh))
        return Effort(screen, search, fresh, self.levers, self.fewest)

    def rounds(self) -> list[int]:
        """Return the games of each round of the halving."""
        games = [min(self.search, AGAIN * self.screen)]
        while games[-1] < self.search:
            games.append(min(self.search, 2 * games[-1]))
        return games

    def games(self, moves: int, own: int) -> int:
        """Return about how many games a search of this many moves plays, some of them on the leader's own card."""
        again = max(moves // STAY, self.levers) + own
        alive, total, before = min(moves, self.levers * VALUES + own), self.screen * (moves + 1), 0
        total += AGAIN * self.screen * min(moves, again)
        for n in self.rounds():
            total, before = total + alive * (n - before), n
            alive = max(FINALISTS, -(-alive // 2))
        return int(total + min(moves, FINALISTS) * self.fresh + self.fresh)


@dataclass
class Advice:
    """The changes that were confirmed, and the rules as they are on the same fresh games.

    `moves` has a row for each confirmed change, the best first: `lever`, `was`, `value` (as house rules write them), `scope`,
    the columns of `confirm` (the figure is `target_value`), those of `Whole` (`mended`, `others`, `gain`, `gain_error`),
    `advice` (ADVISED, SPOILS or UNSHOWN), the figure that it `spoils`, by `spoils_by`, `side` (the largest side effect in units
    of what matters) and for each figure `<figure>` (its difference from the rules) with `_low`, `_high` (all differences
    together, 95%), `_verdict` and `_certainty`. `rules` holds the same for the rules, and their figures with intervals of their
    own. `screened` has a row for
    each move that came through the first rounds, `overlays` the house rule of each row of `moves`.
    """

    target: Target
    margin: float | None
    moves: pd.DataFrame
    rules: dict[str, Any]
    screened: pd.DataFrame
    overlays: list[dict[str, Any]]
    left_out: dict[str, str] = field(default_factory=dict)  # changes that cannot be played at this table, with reasons
    untried: str = ""  # a sentence on what was not looked at
    played: int = 0  # games
    fresh: int = 0  # fresh games of each change

    @property
    def advised(self) -> bool:
        """Whether the first of the changes is advice."""
        return len(self.moves) > 0 and self.moves["advice"].iloc[0] == ADVISED

    @property
    def met(self) -> bool:
        """Whether the rules as they are reach the target, so that nothing was searched."""
        return outcome_of(self.rules) is Outcome.ON


def balance(
    plan: Plan, ruleset: Ruleset, target: Target, globs: tuple[str, ...] = ("*",), effort: Effort | None = None,
    margin: float | None = None, out: Path | None = None, jobs: int = 1, observer: Observer | None = None,
    keep: bool = True, others: bool = False, minutes: float | None = None, most: int | None = None,
    shares: Mapping[str, float] | None = None,
) -> Advice:  # fmt: skip
    """Find the single changes that bring the target's figure to its value and gain the whole game most; see the module.

    `margin` is how near to the target is near enough (a share, or rounds). With `keep` no ability is left without effect.
    `others`: other leaders' cards may change, too. `minutes` or `most` games in all scale the effort. `shares`: what each
    leader should win (default: the fair share, and the target's). Games are kept in the folder `out`. The observer hears how
    many games there will be, how long they take, and if the fresh games are too few for the margin. Raises UserError if
    nothing can be changed, or if the folder holds other games; KeyboardInterrupt passes.
    """
    effort, observer = effort or Effort(), observer or Silent()
    playable, subject = Playable([plan]), subject_of(ruleset, target.figure)
    observer.note("looking which changes are legal and can be played at this table")
    moves = moves_of(ruleset, playable, subject, globs, others, keep)
    if not moves:
        why = f"; {playable.words()[:-1]}" if playable.left_out else ""
        raise UserError(f"--parameters: nothing named can be changed under these rules{why}")
    own = sum(move.scope == OWN for move in moves)
    with RulesetGames(out, plan, ruleset, jobs, observer).open() as games:
        speed = None if games.ready(ruleset) else games.speed(ruleset)
        effort = _enough(games, ruleset, target, effort)
        effort = _effort(games, effort, len(moves), own, speed, minutes, most)
        total = effort.games(len(moves), own)
        observer.note(announced(total, None if speed is None else total / speed + SETUP * len(moves)))
        if margin is not None and (
            note := too_few(games.search(ruleset, effort.screen), target, margin, effort.fresh, 1 + FINALISTS)
        ):
            observer.note(note)
        search = Search(games, ruleset, target, effort, playable, shares)
        with games.stage("the rules as they are", [(ruleset, effort.fresh)], fresh=True):
            rules = confirm([search.fresh(ruleset)], target, margin)
        met = outcome_of(rules.iloc[0]) is Outcome.ON
        with games.whole(0 if met else total - effort.fresh):
            screened, finalists = (_unscreened(), []) if met else search.finalists(moves)
            advice = search.confirmed(finalists, screened, margin)
    advice.untried = "" if advice.met else not_looked_at(ruleset, moves, playable, subject, others, tuple(globs) == ("*",))
    advice.fresh = effort.fresh
    advice.played = sum(games.used.values())
    return advice


def _enough(games: RulesetGames, ruleset: Ruleset, target: Target, effort: Effort) -> Effort:
    """Return the effort with at least as many games as it takes to see CASES cases of what the target asks about."""
    n = FEWEST
    while n < effort.search and target.cases(games.search(ruleset, n)) < CASES:
        n += n // 2
    return replace(effort, screen=max(n, effort.screen), search=max(n, effort.search), fresh=max(n, effort.fresh), fewest=n)


def _effort(
    games: RulesetGames, effort: Effort, moves: int, own: int, speed: float | None, minutes: float | None, most: int | None
) -> Effort:
    """Return the effort that the minutes or the games in all allow; a folder keeps the effort it began with."""
    if most is not None:
        least = effort.scaled(0).games(moves, own)
        if most < least:
            raise UserError(
                f"--all-games: {most:,} is too few for {counted(moves, 'change')}; expected at least {round_up(least):,}, "
                "or fewer values (--parameters)"
            )
        return _fitting(effort, most, moves, own)
    if minutes is None:
        return effort
    path = None if games.out is None else games.out / BUDGET
    if path is not None and (kept := kept_effort(path, Effort, minutes)) is not None:
        return kept
    speed = speed or games.speed(games.ruleset, fresh=True)
    chosen = _fitting(effort, int(speed * max(1.0, 60 * minutes * PLAYING - SETUP * moves)), moves, own)
    if path is not None:
        keep_effort(path, chosen, minutes)
    return chosen


def _fitting(effort: Effort, games: int, moves: int, own: int) -> Effort:
    """Return the largest multiple of an effort whose search plays at most this many games, or the smallest effort."""
    low, high = 0.0, 1.0
    while effort.scaled(high).games(moves, own) < games:
        low, high = high, 2 * high
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if effort.scaled(middle).games(moves, own) <= games else (low, middle)
    return effort.scaled(low)


def _unscreened() -> pd.DataFrame:
    return pd.DataFrame(columns=["lever", "value", "scope", "toward", "n"])


# --- The stages


@dataclass
class Tried:
    """A move and its games so far."""

    move: Move
    figures: np.ndarray


class Search:
    """The stages of a search: screening, halving, fresh games."""

    def __init__(
        self, games: RulesetGames, ruleset: Ruleset, target: Target, effort: Effort, playable: Playable,
        shares: Mapping[str, float] | None,
    ) -> None:  # fmt: skip
        self.games, self.ruleset, self.target, self.effort, self.playable = games, ruleset, target, effort, playable
        self.shares = shares

    def fresh(self, ruleset: Ruleset) -> np.ndarray:
        """Return the fresh games of rules; those that a change cannot touch are those of the rules as they are."""
        n, alike = self.effort.fresh, None
        if ruleset is not self.ruleset:
            alike = alike_of(self.games.fresh(self.ruleset, n), self.ruleset, ruleset, self.target.leaders)
        return self.games.fresh(ruleset, n, alike)

    def played(self, moves: Sequence[Move], n: int) -> list[Tried]:
        """Return the moves with n games each; one whose games end with an error is left out."""
        base = self.games.search(self.ruleset, n)
        alike = [alike_of(base, self.ruleset, move.ruleset, self.target.leaders) for move in moves]
        found = []
        for move, figures in zip(moves, self.games.many([move.ruleset for move in moves], n, alike), strict=True):
            if isinstance(figures, Unplayable):
                self.playable.leave_out(move.label, figures)
            elif not self.target.cases(figures):
                self.playable.leave_out(move.label, f"{NEVER} its games")
            else:
                found.append(Tried(move, figures))
        return found

    def finalists(self, moves: Sequence[Move]) -> tuple[pd.DataFrame, list[Move]]:
        """Return the moves that came through the first round, and those that play fresh games."""
        screened = self.screened(moves)
        frame = pd.DataFrame(
            [(tried.move.path, value_words(tried.move.value), SCOPES[tried.move.scope], toward, len(tried.figures))
             for tried, toward in screened],
            columns=_unscreened().columns,
        )  # fmt: skip
        helping = [tried.move for tried, toward in screened if toward > 0 or tried.move.scope == OWN]
        own = [move for move in helping if move.scope == OWN]
        others = [move for move in helping if move.scope != OWN]
        chosen, levers = list[Move](own), set[tuple[str, int]]()
        for move in others:
            if len(levers) < self.effort.levers or (move.path, move.side) in levers:
                chosen.append(move)
                levers.add((move.path, move.side))
        more = [new for move in chosen for new in between(self.ruleset, self.playable, move, VALUES)]
        alive = list({move.label: move for move in [*chosen, *more]}.values())
        return frame, self.halved(alive)

    def screened(self, moves: Sequence[Move]) -> list[tuple[Tried, float]]:
        """Return the moves that stay after the first round with how far they go towards the target, the furthest first."""
        self.games.observer.note(f"screening {counted(len(moves), 'change')}, {counted(self.effort.screen, 'game')} each")
        first = self.ordered(self.played(moves, self.effort.screen))
        stay = max(self.effort.levers, -(-len(first) // STAY))
        best = [tried.move for place, (tried, toward) in enumerate(first) if _stays(tried.move, place < stay, toward)]
        n = AGAIN * self.effort.screen
        self.games.observer.note(f"screening the best {len(best)}, {counted(n, 'game')} each")
        return self.ordered(self.played(best, n))

    def ordered(self, tried: Sequence[Tried]) -> list[tuple[Tried, float]]:
        """Return moves with how far they take the figure towards the target, the furthest first.

        A number moved as far as it goes may go beyond the target, for a value between may reach it.
        """
        far = [(one, self.toward(one)) for one in tried]
        return sorted(far, key=lambda pair: (-pair[1], pair[0].move.label))

    def toward(self, tried: Tried) -> float:
        """Return how far a move takes the figure towards the target, in units of what matters."""
        base = self.games.search(self.ruleset, len(tried.figures))
        nearer = mended(base, tried.figures, self.target)[0]
        if self.target.wanted is None:
            return nearer
        before, after = (_level(games, self.target)[0] for games in (base, tried.figures))
        way = (after - before) * np.sign(self.target.wanted - before) / margin_of(self.target.figure)
        return float(way) if tried.move.end and way > 0 else nearer

    def halved(self, moves: Sequence[Move]) -> list[Move]:
        """Return the finalists: the moves that gain the whole game most, at most OF_ONE of a number."""
        alive = list(moves)
        for n in self.effort.rounds():
            self.games.observer.note(f"searching {counted(len(alive), 'change')}, {counted(n, 'game')} each")
            tried = self.played(alive, n)
            gains = [self.whole(self.games.search(self.ruleset, n), one.figures) for one in tried]
            ranked = sorted(zip(tried, gains, strict=True), key=lambda pair: (-_worth(pair[1]), pair[0].move.label))
            ranked = [pair for pair in ranked if pair[1].mended > -pair[1].mended_error]  # it may yet help
            alive = [one.move for one, _ in ranked[: max(2 * FINALISTS, -(-len(ranked) // 2))]]
        chosen: list[Move] = []
        for move in alive:
            if len(chosen) < FINALISTS and sum(move.path == other.path for other in chosen) < OF_ONE:
                chosen.append(move)
        return chosen

    def whole(self, base: np.ndarray, moved: np.ndarray) -> Whole:
        """Return what changed rules do to the whole game."""
        return whole_of(base, moved, self.target, shares_of(self.target, base, self.shares))

    # --- Fresh games

    def confirmed(self, finalists: Sequence[Move], screened: pd.DataFrame, margin: float | None) -> Advice:
        """Return the finalists with their figures in fresh games, and all that they move, ranked."""
        target = self.target
        base, fresh, moves = self.fresh(self.ruleset), list[np.ndarray](), list[Move]()
        if finalists:
            self.games.observer.note(f"confirming {counted(len(finalists), 'change')}, {self.effort.fresh:,} fresh games each")
        for move in finalists:
            try:
                played = self.fresh(move.ruleset)
                if not target.cases(played):
                    raise Unplayable(f"{NEVER} its games")
            except Unplayable as error:
                self.playable.leave_out(move.label, error)
                continue
            fresh.append(played)
            moves.append(move)
        frame = confirm([base, *fresh], target, margin)
        own = dict(frame.iloc[0]) | {
            figure: _level(base, target, figure)[:3]
            for figure in dict.fromkeys([target.figure, ROUNDS, SPREAD[1], FIRST_PLAYER])
        }
        if not moves:
            return Advice(target, margin, pd.DataFrame(columns=[*NO_MOVES]), own, screened, [], self.playable.left_out)
        table = pd.DataFrame(self._rows(moves, [base, *fresh], frame))
        place = _ranked(table)
        table = table.iloc[place].reset_index(drop=True)
        overlays = [dict(moves[at].overlay) for at in place]
        return Advice(target, margin, table, own, screened, overlays, self.playable.left_out)

    def _rows(self, moves: Sequence[Move], fresh: Sequence[np.ndarray], frame: pd.DataFrame) -> list[dict[str, Any]]:
        moved = side_effects(fresh, self.target.leaders)
        rows = []
        for place, move in enumerate(moves, 1):
            part = moved[moved["place"] == place].set_index("figure")
            was, value = (each if move.lever else value_words(each) for each in (move.was, move.value))
            row: dict[str, Any] = {"lever": move.path, "was": was, "value": value}
            row |= {"scope": SCOPES[move.scope], "near": move.scope}
            row |= {"target_value" if name == "value" else str(name): value for name, value in frame.iloc[place].items()}
            for figure, effect in zip(map(str, part.index), part.to_dict("records"), strict=True):
                row |= {f"{figure}{end}": effect[f"difference_all{end}"] for end in ("_low", "_high")}
                row |= {figure: effect["difference"], **{f"{figure}_{name}": effect[name] for name in JUDGEMENT}}
            whole = self.whole(fresh[0], fresh[place])
            row |= {"mended": whole.mended, "others": whole.others, "gain": whole.gain, "gain_error": whole.error}
            row |= {"spoils": whole.spoils, "spoils_by": self._by(fresh, place, whole.spoils)}
            row["advice"] = _advice(whole, len(moves), outcome_of(frame.iloc[0]) is not Outcome.OPEN)
            rows.append(row | _side(part["difference"], self.target, whole))
        return rows

    def _by(self, fresh: Sequence[np.ndarray], place: int, figure: str) -> float:
        """Return how much a change moves a figure; NaN for none."""
        if not figure:
            return np.nan
        return _level(fresh[place], self.target, figure)[0] - _level(fresh[0], self.target, figure)[0]


def _stays(move: Move, among_best: bool, toward: float) -> bool:
    """Return whether a move stays after the first round: always what is on the leader's card, what is used if it may help."""
    return among_best or move.scope == OWN or (move.scope == USED and toward > 0)


def _worth(whole: Whole) -> float:
    """Return what a change gains the whole game; what spoils it comes after all that does not."""
    return whole.gain if not whole.spoils else min(whole.gain, 0.0) - 1_000


def _advice(whole: Whole, changes: int, missed: bool) -> str:
    """Return whether a change is advice: it spoils nothing, gains the whole game, and comes nearer to a missed target."""
    if whole.spoils:
        return SPOILS
    shown = missed and whole.gain > 0 and whole.comes_nearer(changes)
    return ADVISED if shown else UNSHOWN


def _ranked(table: pd.DataFrame) -> list[int]:
    """Return the rows in order: advice before all else, what gains the whole game most first.

    Of those whose gain is not shown to differ from the largest, what is on target is first, then what is on the leader's card.
    """
    kind = table["advice"].map([ADVISED, UNSHOWN, SPOILS].index).to_numpy()
    gain, error = (table[name].to_numpy(float) for name in ("gain", "gain_error"))
    tied = np.ones(len(table))
    for word in set(kind):
        own = np.flatnonzero(kind == word)
        tied[own] = behind(gain[own], error[own])
    keys = pd.DataFrame({"kind": kind, "tied": tied, "order": table["verdict_key"].map(_order), "near": table["near"]})
    keys.loc[keys["tied"] > 0, ["order", "near"]] = 0
    keys = keys.assign(gain=-gain, lever=table["lever"])
    return [int(at) for at in keys.sort_values(list(keys.columns), kind="stable").index]


def _order(key: str) -> int:
    """Return the rank of an outcome: on target or better than the rules first, then what is open, then off."""
    return {Outcome.ON: 0, Outcome.BETTER: 0, Outcome.OFF: 2, Outcome.WORSE: 3}.get(Outcome[key], 1)


def _level(values: np.ndarray, target: Target, figure: str | None = None) -> tuple[float, float, float, int]:
    """Return a figure (default: the target's) in games, with its interval and n."""
    return level(values, figure or target.figure, leaders=target.leaders)


def _side(difference: pd.Series, target: Target, whole: Whole) -> dict[str, Any]:
    """Return the largest side effect in units of what matters (`side`), and its figure (`side_of`).

    Of another leader only how much further off than by sharing it ends counts (`side_beyond`).
    """
    sizes = {name: abs(difference[name]) / margin_of(name) for name in (ROUNDS, FIRST_PLAYER) if name != target.figure}
    if target.figure != SPREAD[1]:
        sizes[SPREAD[1]] = max(difference[SPREAD[1]], 0.0) / margin_of(SPREAD[1])
    sizes |= {name: size for name, size in whole.beyond.items() if size > 0}
    measured = {name: float(size) for name, size in sizes.items() if not np.isnan(size)}
    largest = max(measured, key=lambda name: measured[name])
    beyond = MARGIN * whole.beyond[largest] if largest in whole.beyond else np.nan
    return {"side": measured[largest], "side_of": largest, "side_beyond": beyond}


def alike_of(base: np.ndarray, rules: Ruleset, other: Ruleset, leaders: Sequence[str]) -> Alike | None:
    """Return the rules' games with those marked that the other rules may change; None: any of them."""
    found = concerned(rules.data, other.data)
    names = [name for _, name in figures_with(leaders)]
    titles = [f"{word.replace('-', ' ')} of {name}" for word, name in found or ()]
    if not titles or any(title not in names for title in titles):
        return None
    places = [names.index(title) for title in titles]
    unfinished = base[:, names.index(UNFINISHED), 0] > 0  # win rates are of decided games
    return Alike(base, np.asarray((base[:, places, 1] > 0).any(axis=1) | unfinished))


# --- The answer in a sentence


def decision(advice: Advice, notes: Sequence[str]) -> str:
    """Return what to change, in a sentence or two; `notes` are the confirmed changes as patch notes."""
    target, rules = advice.target, advice.rules
    figure, goal = target.figure, wanted_words(target, advice.margin)
    if advice.met:
        return f"Nothing has to change: the rules as they are reach {goal}."
    aim = f"bring the {figure} nearer to {goal}" if goal else f"lower the {figure}"
    if outcome_of(rules) is Outcome.OPEN and goal:
        nearest = f" The nearest change: {notes[0]}." if notes else ""
        return (
            f"It is {Outcome.OPEN.value} whether the rules as they are miss {goal}; more fresh games tell (--fresh).{nearest}"
        )
    if not notes:
        return f"No single change that was tried is shown to {aim}: change nothing."
    row = advice.moves.iloc[0]
    if row["advice"] == SPOILS:
        rows = zip(notes, advice.moves.to_dict("records"), strict=True)
        which = [f"{note} ({spoiled(each)})" for note, each in rows if each["advice"] == SPOILS]
        more = f"; {len(which) - NAMED} more" if len(which) > NAMED else ""
        return f"Nothing does it without spoiling something else: {'; '.join(which[:NAMED])}{more}."
    if row["advice"] == UNSHOWN:
        return f"No single change is shown to {aim} and to gain the whole game; the nearest: {notes[0]}."
    if outcome_of(row) is Outcome.ON:
        return f"To reach {goal}, change this: {notes[0]}."
    if outcome_of(row) is Outcome.OPEN:
        return f"Best for the whole game: {notes[0]}; whether it reaches {goal} is {Outcome.OPEN.value}."
    if goal:
        return f"Best for the whole game: {notes[0]}. It does not reach {goal}."
    return f"To {aim}, change this: {notes[0]}."


def concluded(rules: pd.DataFrame, moves: pd.DataFrame, wanted: bool) -> Claim:
    """Return the claim of a decision: the verdicts that it rests on. `wanted`: a value, not the smallest figure."""
    at_rules = outcome_of(rules.iloc[0])
    if at_rules is Outcome.ON:
        return Stand(rules)
    if (at_rules is Outcome.OPEN and wanted) or moves.empty or moves["advice"].iloc[0] == UNSHOWN:
        return Undecided(moves)
    if moves["advice"].iloc[0] == SPOILS:
        return _spoiling(moves[moves["advice"] == SPOILS])
    first = moves.head(1)
    return Undecided(first) if outcome_of(first.iloc[0]) is Outcome.OPEN else Stand(first)


def _spoiling(moves: pd.DataFrame) -> Claim:
    """Return the claim that each of these changes spoils a figure: that the figure is shown to move."""
    moved = [{name: row.get(f"{row['spoils']}_{name}") for name in JUDGEMENT} for row in moves.to_dict("records")]
    spoilt = moves.assign(**{name: np.array([each[name] for each in moved], object) for name in JUDGEMENT})
    return Stand(spoilt) if having(spoilt, DIFFERENT).all() else Undecided(spoilt)


def spoiled(row: Mapping[Any, Any]) -> str:
    """Return what a change spoils, in words: 'win rate of Egypt +85.3 points'."""
    name = row["spoils"]
    unit = "rounds" if name == ROUNDS else "points"
    return f"{name} {figure_words(row['spoils_by'], name, signed=True).removesuffix('%')} {unit}"


def wanted_words(target: Target, margin: float | None) -> str:
    """Return the target in words: '25.0% ± 2 points'; "" if the smallest figure is wanted."""
    if target.wanted is None:
        return ""
    unit, scale = ("round", 1) if target.figure == ROUNDS else ("point", 100)
    return f"{figure_words(target.wanted, target.figure)} ± {counted_margin(near_enough(target, margin) * scale, unit)}"


# --- Games, written to disk piece by piece


@dataclass(frozen=True)
class OtherFigures:
    """Other figures than the headline figures: their names, and functions like `play_figures` and `play_some` for them."""

    figures: tuple[str, ...]
    play: Callable[[Plan, Ruleset, int, int, int, Observer], np.ndarray]
    some: Callable[[Plan, Ruleset, np.ndarray, int, Observer], np.ndarray] | None = None


@dataclass(frozen=True)
class Alike:
    """Figures of a ruleset that another plays alike, except for the games marked in `other`, which have to be played."""

    figures: np.ndarray  # (games, figures, 2)
    other: np.ndarray  # (games,)


class RulesetGames:
    """Plays games of rulesets and keeps their figures, in memory and (with a folder) in a file for each ruleset."""

    def __init__(
        self, out: Path | None, plan: Plan, ruleset: Ruleset, jobs: int, observer: Observer, other: OtherFigures | None = None
    ) -> None:
        self.out, self.plan, self.ruleset, self.jobs, self.observer, self.other = out, plan, ruleset, jobs, observer, other
        figures = {} if other is None else {"figures": other.figures}
        self.header = provenance({"balance": VERSION, **figures}, plan, ruleset)
        self.played: dict[tuple[str, int], np.ndarray] = {}
        self.charge: Callable[[int], None] | None = None  # called with the number of games before their first use
        self.charged: dict[tuple[str, int], int] = {}
        self.journals: dict[tuple[str, int], Journal] = {}
        self.digests: dict[int, tuple[Ruleset, str]] = {}  # a digest takes milliseconds
        self.used: dict[tuple[str, int], int] = {}  # games of each ruleset that were asked for
        self.inside = False  # a `whole` counts the games of all stages

    def _digest(self, ruleset: Ruleset) -> str:
        if id(ruleset) not in self.digests:
            self.digests[id(ruleset)] = ruleset, ruleset.digest()
        return self.digests[id(ruleset)][1]

    @contextmanager
    def open(self) -> Iterator[RulesetGames]:
        """Hold the folder; raise UserError if it holds other games, or something else."""
        if self.out is None:
            yield self
            return
        with held(self.out, FILE, "games") as path:
            describe(path, self.header, "games")
            yield self

    @contextmanager
    def stage(self, note: str, games: Sequence[tuple[Ruleset, int]], fresh: bool = False) -> Iterator[None]:
        """Tell the observer what comes next, and how many of its games are already played."""
        ready = sum(min(n, self.ready(ruleset, fresh)) for ruleset, n in games)
        self.observer.note(note)
        self.observer.begin(sum(n for _, n in games), ready)
        try:
            yield
        finally:
            self.observer.end()

    @contextmanager
    def whole(self, games: int) -> Iterator[None]:
        """Tell the observer how many games all stages will use together; games that are ready count when they are used."""
        self.observer.begin(games, 0)
        self.inside = games > 0
        try:
            yield
        finally:
            self.inside = False
            self.observer.end()

    def speed(self, ruleset: Ruleset, fresh: bool = False) -> float:
        """Return how many games a second are played here, by the first ones, which are kept."""
        observer, self.observer = self.observer, Silent()
        try:
            return timed(lambda n: (self.fresh if fresh else self.search)(ruleset, n), self.jobs)
        finally:
            self.observer = observer

    def many(self, rulesets: Sequence[Ruleset], n: int, alike: Sequence[Alike | None]) -> list[np.ndarray | Unplayable]:
        """Return the figures of the first n games of several rulesets; in their place the error with which games ended.

        With enough rulesets each worker plays one of them, for few games of one keep only one worker busy.
        """
        apart = len(rulesets) >= 2 * self.jobs and self.jobs > 1

        def one(at: int) -> np.ndarray | Unplayable:
            try:
                return self._figures(rulesets[at], 0, n, alike[at], 1 if apart else self.jobs)
            except Unplayable as error:
                return error

        if not apart:
            return [one(at) for at in range(len(rulesets))]
        pool = ThreadPoolExecutor(self.jobs)
        try:
            return list(pool.map(one, range(len(rulesets))))
        finally:
            pool.shutdown(cancel_futures=True)

    def ready(self, ruleset: Ruleset, fresh: bool = False) -> int:
        """Return how many games of a ruleset are already played."""
        return len(self._kept(ruleset, FRESH_FROM if fresh else 0))

    def search(self, ruleset: Ruleset, n: int, alike: Alike | None = None) -> np.ndarray:
        """Return the figures of the first n games, by which levers and values are chosen."""
        return self._figures(ruleset, 0, n, alike)

    def fresh(self, ruleset: Ruleset, n: int, alike: Alike | None = None) -> np.ndarray:
        """Return the figures of n games by which nothing was chosen."""
        return self._figures(ruleset, FRESH_FROM, n, alike)

    def _figures(self, ruleset: Ruleset, first: int, n: int, alike: Alike | None, jobs: int | None = None) -> np.ndarray:
        figures, key = self._kept(ruleset, first), (self._digest(ruleset), first)
        if self.inside and (ready := min(n, len(figures)) - self.used.get(key, 0)) > 0:
            self.observer.add(ready)
        self.used[key] = max(n, self.used.get(key, 0))
        if self.charge is not None and n > self.charged.get(key, 0):
            new = slice(self.charged.get(key, 0), n)
            self.charge(n - new.start if alike is None else int(alike.other[new].sum()))
            self.charged[key] = n
        while len(figures) < n:
            size = min(PIECE, n - len(figures))
            played = self._piece(ruleset, first, slice(len(figures), len(figures) + size), alike, jobs or self.jobs)
            self._append(ruleset, first, played)
            figures = np.concatenate([figures, played])
        self.played[key] = figures
        return figures[:n]

    def _piece(self, ruleset: Ruleset, first: int, part: slice, alike: Alike | None, jobs: int) -> np.ndarray:
        size = part.stop - part.start
        some = play_some if self.other is None else self.other.some
        if alike is None or some is None or alike.other[part].all():
            play = play_figures if self.other is None else self.other.play
            return play(self.plan, ruleset, first + part.start, size, jobs, self.observer)
        figures, other = np.array(alike.figures[part]), alike.other[part]
        self.observer.add(int((~other).sum()))
        if other.any():
            games = first + part.start + np.flatnonzero(other)
            figures[other] = some(self.plan, ruleset, games, jobs, self.observer)
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
