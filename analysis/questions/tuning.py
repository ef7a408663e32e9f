"""Tune: which value of a number meets a target? The search, and its confirmation by fresh games."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

import joblib
import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import UserError, counted, named, unknown
from ...simulator.rules.edit import Parameter, change, empties
from ...simulator.rules.load import Ruleset
from ...simulator.rules.ruleset_contents import names_of, printed_names, written
from ...simulator.runs.run import Observer, Player, Rows, Silent, play_listed, tables_of
from ...simulator.runs.run_plan import Plan
from ..pages.cells import counted_margin
from ..stats.verdicts import MOST_GAMES, InSearch, Outcome, games_words, outcome_of
from ..tables.kept_answers import SEARCHED
from ..tables.paired_figures import FIRST_PLAYER, ROUNDS, SPREAD, game_figures, subjects_of
from ..tables.targets import (
    FIRST_LEADER,
    NEVER,
    PLACES,
    SPREADS,
    Target,
    confirm,
    figure_words,
    figures_with,
    levels_together,
    loss_table,
    near_enough,
    too_few,
    unfinished_beside,
)
from .experiment import Experiment, grant, play_pairs
from .possible_changes import Playable, Unplayable

# --- Figures of games played in memory, for questions that play many rulesets on the same seeds (`tables.targets`)

CHUNK, MOST = 100, 500  # games a worker plays at a time, at least and at most; each piece has a fixed cost
Read = Callable[[Any, np.record, Rows], np.ndarray]  # (plan, rules, rows of some games) -> (games, figures, 2)


def figures_of(plan: Any, r: np.record, rows: Rows) -> np.ndarray:
    """Return the figures (games, figures, 2) of some games: the sum and the number of cases of each."""
    frames = {name: part.to_pandas() for name, part in tables_of(plan, r, rows).items()}
    for frame in frames.values():  # the games need not be numbered without gaps
        frame["game_id"] = np.searchsorted(rows.games["game_id"], frame["game_id"])
    subjects = subjects_of(r)
    compared = game_figures(frames, 0, len(rows.games), subjects)
    place = {figure: index for index, figure in enumerate(figures_with(subjects.leaders))}
    values = np.zeros((len(rows.games), len(place), 2), np.float32)
    shared = [index for index, figure in enumerate(subjects.figures) if figure in place]
    values[:, [place[subjects.figures[index]] for index in shared]] = compared[:, shared]
    seats = frames["seats"]
    at = (seats["game_id"].to_numpy(), PLACES.start + seats["order"].to_numpy() - 1)
    decided = np.bincount(at[0], seats["won"], len(values)) > 0
    values[(*at, 0)], values[(*at, 1)] = seats["won"], decided[at[0]]
    return values


def play_figures(
    plan: Any, ruleset: Any, first: int, n: int, jobs: int, observer: Observer, read: Read = figures_of
) -> np.ndarray:
    """Play games first … first + n - 1 of the plan under the ruleset; return their figures (`read`), in order."""
    return play_some(plan, ruleset, np.arange(first, first + n), jobs, observer, read)


def play_some(plan: Any, ruleset: Any, games: np.ndarray, jobs: int, observer: Observer, read: Read = figures_of) -> np.ndarray:
    """Play the games of these ascending numbers; return their figures in order; raise Unplayable if one ends with an error."""
    r = ruleset.compile()
    leaders = len(written(r, "leader"))
    stop = threading.Event()

    def played(part: np.ndarray) -> np.ndarray | None:
        rows = play_listed(plan, r, part, observer, stop)
        return None if rows is None else read(plan, r, rows)

    size = min(MOST, max(CHUNK, -(-len(games) // jobs)))
    pieces = [games[start : start + size] for start in range(0, len(games), size)]
    parallel = joblib.Parallel(max(1, min(jobs, len(pieces))), backend="threading")
    try:
        Player(plan, r)  # imports the engine here, once, and checks that the plan fits the rules
        parts: list[np.ndarray] = parallel(joblib.delayed(played)(piece) for piece in pieces)
    except UserError as error:
        raise Unplayable(str(error)) from None
    finally:
        stop.set()  # after Ctrl-C: the threads end within one chunk
    return np.concatenate(parts) if parts else np.zeros((0, FIRST_LEADER + leaders, 2), np.float32)


# --- Targets: a figure, and the value it should have

RATES = {  # by the word of a target: the kind of its name, and the beginning of the figure's name
    "win-rate": ("leader", "win rate of"),
    "claim-rate": ("agenda", "claim rate of"),
    "build-rate": ("wonder", "build rate of"),
}
TARGETS = (
    *SPREADS, "game-length=ROUNDS", "first-player=SHARE",
    *(f"{word}:{what.upper()}=SHARE" for word, (what, *_) in RATES.items()), "effect:WONDER=POINTS",
)  # fmt: skip


def parse_target(text: str, leaders: Sequence[str] = names.LEADERS, box: str = names.BOXES[0]) -> Target:
    """Return the target that a text such as 'win-rate:Egypt=25%' means in the box; raise UserError if it means none."""
    leaders = tuple(leaders)
    what, _, number = text.partition("=")
    word, _, name = what.strip().partition(":")
    if word in SPREADS:
        if number or name:
            raise UserError(f"target '{text}': {word} takes no value; it is made as small as possible")
        return Target(text, SPREADS[word][0], leaders=leaders)
    if word == "game-length" and not name:
        rounds = _number(text, number) if number else None
        if rounds is not None and not 0 < rounds < float("inf"):
            raise UserError(f"target '{text}': expected a number of rounds above 0; game-length alone: the shortest")
        return Target(text, "rounds", rounds, leaders)
    if word == "first-player" and not name:
        return Target(text, FIRST_PLAYER, _share(text, number), leaders)
    if word in RATES:
        what, figure = RATES[word]
        name = named(what, name, leaders if word == "win-rate" else printed_names(box, what))
        return Target(text, f"{figure} {name}", _share(text, number), leaders)
    if word == "effect":
        name = named("wonder", name, printed_names(box, "wonder"))
        return Target(text, f"effect of {name}", _points(text, number), leaders, granted=name)
    raise unknown("target", text, TARGETS)


def _points(text: str, number: str) -> float:
    """Return the effect wanted, as a share."""
    if not number:
        raise UserError(f"target '{text}': expected the points wanted of a seat's chance to win, such as {text.strip()}=5%")
    points = _number(text, number.strip().removesuffix("%")) / (100 if number.strip().endswith("%") else 1)
    if not -1 < points < 1:
        raise UserError(f"target '{text}': expected points between -100% and 100%")
    return points


def _share(text: str, number: str) -> float:
    """Return the share wanted."""
    if not number:
        rate = text.strip().partition(":")[0].replace("-", " ")
        raise UserError(f"target '{text}': expected the {rate} wanted, such as {text.strip()}=25%")
    share = _number(text, number.strip().removesuffix("%")) / (100 if number.strip().endswith("%") else 1)
    if not 0 < share < 1:
        raise UserError(f"target '{text}': expected a share between 0% and 100%")
    return share


def parse_margin(target: Target, text: str | None) -> float | None:
    """Return the margin around the target, from a text such as '2%' (shares) or '0.5' (rounds); None: the default."""
    if text is None:
        return None
    if target.wanted is None:
        raise UserError(f"--margin: target {target.text} has no value to be near; leave --margin out")
    is_share = target.figure != ROUNDS
    number = text.strip().removesuffix("rounds").removesuffix("%").strip()
    try:
        margin = float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        margin = float("nan")
    if not 0 < margin < (0.5 if is_share else float("inf")) or (not is_share and "%" in text):
        raise UserError(f"--margin '{text}': expected {'a share such as 2%' if is_share else 'a number of rounds such as 0.5'}")
    return margin


def _number(text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise UserError(f"target '{text}': '{number}' is not a number") from None


# --- Sentences on fresh games


def advised(confirmed: pd.DataFrame) -> int:
    """Return the index of the value to take: of those with the best verdict the nearest to the target on fresh games."""
    rank = confirmed["verdict_key"].map(list(Outcome.__members__).index)
    return int(pd.DataFrame({"rank": rank, "loss": confirmed["loss"]}).sort_values(["rank", "loss"], kind="stable").index[0])


def _none(values: int) -> str:
    """Return the beginning of a sentence; values that dropped out of the search did not play fresh games."""
    return f"Of {counted(values, 'value')} played on fresh games none"


def conclusion(
    labels: Sequence[str], confirmed: pd.DataFrame, target: Target, margin: float | None = None, at: int | None = None
) -> str:
    """Return a sentence on fresh games and the target; `labels` are those of the values, `at` is the one to take."""
    at = advised(confirmed) if at is None else at
    row = confirmed.iloc[at]
    outcome = outcome_of(row)
    figure, n = target.figure, f"n = {row['n']:,.0f}"
    interval = f"{figure_words(row['value'], figure)} [{figure_words(row['low'], figure)}, {figure_words(row['high'], figure)}]"
    if target.wanted is None:
        if outcome is Outcome.BETTER:
            return f"Take {labels[at]}: {figure} {interval}, less than under the rules ({n})."
        return f"{_none(len(confirmed) - 1)} does measurably better than the rules ({labels[at]}): {figure} {interval} ({n})."
    unit, scale = ("round", 1) if figure == ROUNDS else ("point", 100)
    wanted = f"{figure_words(target.wanted, figure)} ± {counted_margin(near_enough(target, margin) * scale, unit)}"
    if outcome is Outcome.ON:
        return f"Take {labels[at]}: {figure} {interval} reaches {wanted} ({n})."
    nearest = f"The nearest is {labels[at]} with {figure} {interval} ({n})."
    rules = (
        confirmed["role"].str.startswith("rules") if "role" in confirmed else [label == Outcome.RULES.value for label in labels]
    )
    own = confirmed.loc[rules, "value"].tolist()
    if own and nearer_to(target.wanted, own[0], row["value"]):
        nearest += RULES_NEARER.format(figure_words(own[0], figure))
    if outcome is Outcome.OFF:
        return f"{_none(len(confirmed))} reaches {wanted}. {nearest}"
    return f"{Outcome.OPEN.value.capitalize()} whether a value reaches {wanted}. {nearest} {deciding(row)}"


COMMAND = "tune"
TABLES = VALUES, CONFIRMED = "values", SEARCHED[COMMAND]  # all values tried; those that fresh games judged
RULES_NEARER = " The rules as they are lie nearer: {}."


def nearer_to(wanted: float, own: float, other: float) -> bool:
    """Return whether the figure under the rules lies nearer to the wanted one than another does."""
    return bool(abs(own - wanted) < abs(other - wanted))


def deciding(row: Any) -> str:
    """Return how many fresh games would decide an open verdict, as a sentence."""
    games = games_words(row["games_fewest"], row["games_most"])
    return f"{games[0].upper()}{games[1:]}{' would decide (--fresh)' if row['games_fewest'] <= MOST_GAMES else ''}."


# --- Tuning a rule: which value of a number brings a figure nearest to the target
#
# Search. The numbers of the rules are small whole numbers, with few legal values, and their figures are noisy. So the
# search is successive halving (Z. Karnin, T. Koren and O. Somekh, ICML 2013; K. Jamieson and A. Talwalkar, AISTATS 2016) over
# all values in the range: all play a few games, the better half plays twice as many, and so on. Unlike the continuous
# minimisers of SciPy it asks for legal values only and does not take noise for slope; unlike a model-based
# search (Optuna) it shows every value in the table. All values play the same seeds, so they are compared in pairs of games,
# and games played in an earlier stage are used again. The value of the rules stays in to the end.
#
# Loss: the variance of the true win rates (`leader-spread`, `seat-spread`), or the distance of the mean
# length, of a rate or of an effect from the wanted one. For an effect each game is played in pairs, too, as in
# experiment.py. Differences of losses from the best value have the error of the pairs (linearised) and p values corrected by
# Holm's method over all pairs of values, for any of them might have come out best by luck; a value that is not significantly
# worse is *within noise*.
#
# The winner of a search looks better than it is, because luck helped to choose it. So the best value, the runner-up and that
# of the rules play fresh games at the end, by which none of them was chosen: these figures (`confirmed`) are the
# ones to believe. They decide whether a value reaches the target, and which value to take.

FRESH = 3  # times the games of the last stage confirm: a verdict needs a narrower interval than a choice
FEWEST = 100  # games of the first stage
MOST_VALUES = 64


def value_range(parameter: Parameter) -> range:
    """Return the values searched by default: up to half less and half more, at least 3 each way.

    Values that leave an ability without effect are left out at the ends.
    """
    own, reach = parameter.value, max(3, abs(parameter.value) // 2)
    values = [value for value in range(own - reach, own + reach + 1) if not empties(parameter.path, own, value)]
    return range(values[0], values[-1] + 1)


@dataclass
class Candidate:
    """Values of the parameters, their ruleset, and the figures of the games played with them."""

    values: tuple[int, ...]
    ruleset: Ruleset
    figures: np.ndarray
    label: str = ""  # the values in words

    @property
    def games(self) -> int:
        """Games played so far."""
        return len(self.figures)


def candidate_of(values: tuple[int, ...], ruleset: Ruleset, label: str = "") -> Candidate:
    """Return a candidate that has not played yet."""
    figures = figures_with(names_of(ruleset.data, "leader"))
    return Candidate(values, ruleset, np.zeros((0, len(figures), 2), np.float32), label)


@dataclass
class Tuned:
    """The result of a search: one row per value (`table`), and the figures of fresh games (`confirmed`, or None).

    `best` came out first in the search; `confirmed` has a row for the rules' values, the first and the second (`values`,
    `role`, the columns of `confirm`), and `advice` is the index of the one to take.
    """

    parameters: list[Parameter]
    target: Target
    table: pd.DataFrame
    best: tuple[int, ...]
    confirmed: pd.DataFrame | None
    reason: str
    margin: float | None = None
    left_out: dict[str, str] = field(default_factory=dict)  # values that cannot be played at this table, with reasons

    @property
    def advice(self) -> int:
        """Return the row of `confirmed` to take."""
        assert self.confirmed is not None
        return advised(self.confirmed)


def candidates(
    ruleset: Ruleset, numbers: Sequence[Parameter], ranges: Sequence[range], playable: Playable | None = None
) -> list[Candidate]:
    """Return every legal combination of values, the rules' own first; raise UserError if there are too many or too few.

    Combinations that cannot be played at the tables of `playable` are left out.
    """
    if prod(len(values) for values in ranges) > MOST_VALUES:
        raise UserError(f"--range: more than {MOST_VALUES} combinations of values; expected narrower ranges")
    own = tuple(parameter.value for parameter in numbers)
    candidates, problem = [candidate_of(own, ruleset)], ""
    for values in product(*ranges):
        if values == own:
            continue
        try:
            changed = change(ruleset, dict(zip(numbers, values, strict=True)))
        except UserError as error:
            problem = str(error)
            continue
        label = assigned(numbers, values)
        if playable is not None and not playable.allows(label, changed):
            problem = playable.left_out[label]
            continue
        candidates.append(candidate_of(values, changed, label))
    if len(candidates) == 1:
        raise UserError(f"--range: it contains no other legal value{f' ({problem})' if problem else ''}")
    return candidates


def assigned(numbers: Sequence[Parameter], values: Sequence[int]) -> str:
    """Return numbers with their values, in words."""
    return ", ".join(f"{number.path} = {value}" for number, value in zip(numbers, values, strict=True))


def stages(values: int, games: int) -> list[int]:
    """Return the games of each stage: the last has all, each earlier one half as many, one stage a halving."""
    halvings = max(1, int(np.ceil(np.log2(values))))
    planned = [max(min(FEWEST, games), games >> (halvings - 1 - stage)) for stage in range(halvings)]
    return sorted(set(planned))


Play = Callable[[Ruleset, int, int], np.ndarray]  # (ruleset, first game, number of games) -> figures


def tune(
    plan: Plan, ruleset: Ruleset, numbers: Sequence[Parameter], target: Target, ranges: Sequence[range] | None = None,
    jobs: int = 1, observer: Observer | None = None, margin: float | None = None,
    fresh: int | None = None,
) -> Tuned:  # fmt: skip
    """Search the values of the numbers for the smallest loss; the best ones play `plan.games` games.

    `margin` is how near to the target is near enough (a share, or rounds; default: `margin_of`), `fresh` how many games
    confirm (default: FRESH times as many). On Ctrl-C the search ends with the games played so far.
    """
    observer = observer or Silent()
    playable = Playable([plan])
    pool = candidates(ruleset, numbers, ranges or [value_range(parameter) for parameter in numbers], playable)
    fresh = fresh or FRESH * plan.games
    total = (_games_to_play(len(pool), plan.games) + 3 * fresh) * (1 if target.granted is None else 2)

    def play(rules: Ruleset, first: int, n: int) -> np.ndarray:
        values = play_figures(plan, rules, first, n, jobs, observer)
        if target.granted is not None:
            figure = [name for _, name in figures_with(target.leaders)].index(target.figure)
            values[:, figure] = play_effect(grant(plan, rules, [target.granted]), first, n, jobs, observer)
        return values

    observer.begin(total, 0)
    try:
        return search(play, pool, list(numbers), target, plan.games, margin, fresh, observer, playable)
    finally:
        observer.end()


def play_effect(experiment: Experiment, first: int, n: int, jobs: int, observer: Observer) -> np.ndarray:
    """Play pairs of games, with and without the experiment's one treatment; return (n, 2): the effect in each pair, and 1 if it
    was given and someone won both games, else 0.
    """
    stop = threading.Event()
    starts = range(first, first + n, CHUNK)
    parallel = joblib.Parallel(max(1, min(jobs, len(starts))), backend="threading")
    try:
        parts = parallel(
            joblib.delayed(play_pairs)(experiment, start, min(CHUNK, first + n - start), stop, observer) for start in starts
        )
    finally:
        stop.set()  # after Ctrl-C: the threads end within one chunk
    values = np.zeros((n, 2), np.float32)
    for pairs in parts:
        given = pairs[(pairs["outcome"] == names.TREATED_YES) & pairs["decided_without"] & pairs["decided_with"]]
        at = given["game_id"] - first
        values[at, 0], values[at, 1] = given["won_with"] - given["won_without"], 1
    return values


def search(
    play: Play, pool: list[Candidate], numbers: list[Parameter], target: Target, games: int, margin: float | None = None,
    fresh: int | None = None, observer: Observer | None = None, playable: Playable | None = None,
) -> Tuned:  # fmt: skip
    """Return the result of the search among the candidates, the rules' own first, with games played by `play`."""
    reason, confirmed, playable = "the games asked for", None, playable or Playable(())
    try:
        own = pool[0]
        own.figures = play(own.ruleset, 0, stages(len(pool), games)[0])
        if (note := too_few(own.figures, target, margin, fresh or games, 3)) and observer is not None:
            observer.note(note)
        best, second, *_ = [*halve(play, pool, target, games, playable), own]

        def play_fresh(rules: Ruleset) -> np.ndarray:
            return play(rules, games, fresh or games)

        confirmed = _confirmed(play_fresh, pool[0], best, second, target, margin)
        pool = [candidate for candidate in pool if candidate is own or candidate.label not in playable.left_out]
    except KeyboardInterrupt:
        pool = [candidate for candidate in pool if candidate.games > 1 and candidate.label not in playable.left_out]
        if len(pool) < 2:
            raise
        best = _best_so_far(pool, target)
        reason = "stopped early by hand: results are biased if you chose the moment by them"
    return Tuned(
        numbers,
        target,
        loss_table(
            [(candidate.values, candidate.figures) for candidate in pool],
            pool.index(best),
            [number.path for number in numbers],
            target,
        ),
        best.values,
        confirmed,
        reason,
        margin,
        playable.left_out,
    )


def halve(play: Play, pool: list[Candidate], target: Target, games: int, playable: Playable) -> list[Candidate]:
    """Play the stages; return those that have played all games, the smallest loss first. The first candidate stays in.

    Another one is left out if its games end with an error, or if what the target asks about never occurs in them.
    """
    alive = list(pool)
    for goal in stages(len(pool), games):
        for candidate in [candidate for candidate in alive if candidate.games < goal]:
            try:
                more = play(candidate.ruleset, candidate.games, goal - candidate.games)
            except Unplayable as error:
                if candidate is pool[0]:
                    raise
                playable.leave_out(candidate.label, error)
                alive.remove(candidate)
                continue
            candidate.figures = np.concatenate([candidate.figures, more])
            if candidate is not pool[0] and not target.cases(candidate.figures):
                playable.leave_out(candidate.label, f"{NEVER} its games")
                alive.remove(candidate)
        ranked = sorted(alive, key=lambda candidate: target.loss(candidate.figures)[0])
        better = ranked[: max(2, -(-len(alive) // 2))]
        alive = better if pool[0] in better or goal == games else [*better, pool[0]]
    played = [each for each in pool if each.games == games and each.label not in playable.left_out]
    return sorted(played, key=lambda candidate: target.loss(candidate.figures)[0])


def _confirmed(
    play: Callable[[Ruleset], np.ndarray], own: Candidate, best: Candidate, second: Candidate, target: Target,
    margin: float | None,
) -> pd.DataFrame:  # fmt: skip
    """Return the figures of fresh games: of the rules' values, the first and the second of the search, each once."""
    roles: dict[tuple[int, ...], list[str]] = {}
    for candidate, role in ((own, "rules"), (best, InSearch.FIRST.value), (second, InSearch.SECOND.value)):
        roles.setdefault(candidate.values, []).append(role)
    rulesets = {candidate.values: candidate.ruleset for candidate in (own, best, second)}
    fresh = [play(rulesets[values]) for values in roles]
    frame = confirm(fresh, target, margin)
    frame.insert(0, "values", list(roles))
    frame.insert(1, "role", [" and ".join(parts) for parts in roles.values()])
    frame = pd.concat([frame, unfinished_beside(fresh)], axis=1)
    for figure in (ROUNDS, SPREAD[1]):
        levels = levels_together(fresh, figure, target.leaders)
        name = figure.replace(" ", "_")
        frame = frame.assign(**{f"{name}{end}": [row[i] for row in levels] for i, end in enumerate(("", "_low", "_high"))})
    return frame


def _best_so_far(pool: list[Candidate], target: Target) -> Candidate:
    """Return the best of the candidates with most games."""
    most = max(candidate.games for candidate in pool)
    return min(
        (candidate for candidate in pool if candidate.games == most), key=lambda candidate: target.loss(candidate.figures)[0]
    )


def _games_to_play(values: int, games: int) -> int:
    """Return how many games a search plays, at most."""
    total, alive, before = 0, values, 0
    for goal in stages(values, games):
        total += alive * (goal - before)
        before, alive = goal, max(2, -(-alive // 2)) + 1
    return total
