"""Fitting value and policy networks to positions and lessons recorded from games."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.engine import state
from ...simulator.engine.compile.jit import seat_strategies, strategy_address
from ...simulator.errors import UserError
from ...simulator.file_ownership import write_whole
from ...simulator.reading import arrays_in, plainly
from ...simulator.rules.ruleset_contents import written
from ...simulator.runs.run_plan import Plan
from ...strategies.learned import policy, value
from ...strategies.learned.facts import N_FACTS
from ...strategies.learned.policy import ASKED, N_MARKS, N_SITUATION, OWN, SCALE, UNITS
from ...strategies.learned.policy import DEEPER as learned_DEEPER
from ...strategies.learned.policy import PARTS as learned_PARTS
from ...strategies.learned.value import DEEPER, HIDDEN, PARTS, chances
from ...strategies.planning import weights
from ...strategies.training_data import LESSON, POSITION, STUDIED, new_training, play_lessons, play_recorded

# --- Fitting a value network to positions and who won, and the quality of its chances
#
# NumPy suffices: with two hidden layers, gradient and Adam (Kingma, Ba: "Adam: a method for stochastic optimization", ICLR
# 2015, algorithm 1) are a dozen lines each and train in minutes, with the same bits every time on a machine. A position is an
# array (seats, N_FACTS); its label is each seat's share of the win, and the loss is the cross entropy between labels and the
# network's chances. Players choose between ways of a turn (`strategies.training_data`) by differences that are small compared
# with those between games, so these enter the loss once more, squared (`contrast`).

BATCH = 1024
RATE = 2e-3  # falls to zero in a half cosine
DECAY = 1e-5  # of the weights at each step (decoupled)
CONTRAST = 40.0  # weight of the squared errors between ways of a turn, beside the cross entropy
AKIN = 0.5  # smallest `likeness` of networks with the same start
STRETCHES = ((1, 3), (4, 6), (7, 9), (10, 12), (13, 15), (16, 18), (19, 10_000))
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


@dataclass
class Adam:
    """The running means of Adam for one array."""

    mean: np.ndarray
    square: np.ndarray

    @classmethod
    def of(cls, array: np.ndarray) -> Adam:
        """Return the state before the first step."""
        return cls(np.zeros_like(array), np.zeros_like(array))

    def step(self, gradient: np.ndarray, number: int, rate: float) -> np.ndarray:
        """Return what to subtract at step `number` (from 1; Kingma, Ba 2015, algorithm 1)."""
        self.mean += (1 - BETA_1) * (gradient - self.mean)
        self.square += (1 - BETA_2) * (gradient * gradient - self.square)
        mean = self.mean / (1 - BETA_1**number)
        square = self.square / (1 - BETA_2**number)
        return rate * mean / (np.sqrt(square) + EPSILON)


def first_network(seed: int) -> np.record:
    """Return a network before training: He's initial weights (K. He and others, ICCV 2015), small ones in the last layer."""
    rng = np.random.default_rng(seed)
    net = value.new_network()
    net.first[:] = rng.normal(0, np.sqrt(2 / 40), (N_FACTS, HIDDEN))  # some 40 facts of a seat are not zero
    net.second[:] = rng.normal(0, np.sqrt(2 / HIDDEN), (HIDDEN, DEEPER))
    net.third[:] = rng.normal(0, 0.1, DEEPER)
    return net


def turns_of(moments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first position of each turn, and the number of its ways, given `RecordedGames.moments`.

    Neighbours with the same game, round and mover are ways of one turn; a position of a game is a turn by itself.
    """
    begins = np.flatnonzero(np.r_[True, (moments[1:] != moments[:-1]).any(axis=1)])
    return begins, np.diff(np.r_[begins, len(moments)])


def contrast(chances: np.ndarray, shares: np.ndarray, turns: np.ndarray, movers: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the loss of the differences between the ways of a turn, and its gradient by the scores.

    chances, shares: (n, seats); turns: (n,) number of the position's turn; movers: (n,) the seat whose turn it is. The error is
    the mover's chance less its label, less the mean of that over the ways of the turn.
    """
    row = np.arange(len(turns))
    error = chances[row, movers] - shares[row, movers]
    error -= (np.bincount(turns, error) / np.bincount(turns))[turns]
    share = CONTRAST / len(turns)
    own = np.zeros_like(chances)
    own[row, movers] = 1.0
    by_score = (2.0 * share * error * chances[row, movers])[:, None] * (own - chances)
    return float(share * (error**2).sum()), by_score


def gradients(
    net: np.record, facts: np.ndarray, shares: np.ndarray, turns: np.ndarray | None = None, movers: np.ndarray | None = None
) -> tuple[float, dict[str, np.ndarray]]:
    """Return the loss of a batch (cross entropy and `contrast` of turns), and its gradient by part of the network."""
    n, seats, _ = facts.shape
    rows = facts.reshape(-1, N_FACTS)
    hidden = np.maximum(np.float32(0), rows @ net.first + net.first_bias)
    deeper = np.maximum(np.float32(0), hidden @ net.second + net.second_bias)
    scores = (deeper @ net.third + rows @ net.direct).reshape(n, seats)
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    total = odds.sum(axis=1, keepdims=True)
    loss = float(((np.log(total) - scores) * shares).sum() / n)
    by_score = (odds / total - shares) / n
    if turns is not None and movers is not None:
        more, by_contrast = contrast(odds / total, shares, turns, movers)
        loss += more
        by_score = by_score + by_contrast
    by_score = by_score.reshape(-1).astype(np.float32)
    by_deeper = np.outer(by_score, net.third) * (deeper > 0)
    by_hidden = (by_deeper @ net.second.T) * (hidden > 0)
    return loss, {
        "first": rows.T @ by_hidden,
        "first_bias": by_hidden.sum(axis=0),
        "second": hidden.T @ by_deeper,
        "second_bias": by_deeper.sum(axis=0),
        "third": deeper.T @ by_score,
        "direct": rows.T @ by_score,
    }


def descend(
    net: np.record, parts: Sequence[str], n: int, rng: np.random.Generator, epochs: int, batch: int, rate: float,
    by_batch: Callable[[np.ndarray], tuple[float, dict[str, np.ndarray]]], report: Callable[[int, float], None] | None,
) -> np.record:  # fmt: skip
    """Return `net`, changed by Adam's descent on n examples in batches drawn by `rng`, with a rate falling in a half cosine.

    `by_batch`: examples -> their mean loss, and its gradient by part; `report` gets epoch and mean loss.
    """
    states = {part: Adam.of(net[part]) for part in parts}
    steps = epochs * -(-n // batch)
    number = 0
    for epoch in range(epochs):
        losses = []
        order = rng.permutation(n)
        for start in range(0, n, batch):
            loss, gradient = by_batch(np.sort(order[start : start + batch]))
            losses.append(loss)
            rate_now = rate * 0.5 * (1 + np.cos(np.pi * number / steps))
            number += 1
            for part in parts:
                net[part] -= states[part].step(gradient[part], number, rate_now)
                net[part] *= 1 - DECAY * rate_now / rate
        if report is not None:
            report(epoch + 1, float(np.mean(losses)))
    return net


def fit(
    facts: np.ndarray, shares: np.ndarray, moments: np.ndarray | None = None, *, seed: int, epochs: int = 8,
    start: np.record | None = None, rate: float = RATE, report: Callable[[int, float], None] | None = None,
) -> np.record:  # fmt: skip
    """Return a network fitted to the positions, from the network `start` if given; the same arguments give the same network.

    moments: (n, 3) game, round and mover, if there are ways of turns among the positions (`turns_of`); these stay together.
    """
    net = first_network(seed) if start is None else start.copy()
    n = len(facts)
    if moments is None:
        moments = np.stack([np.arange(n), np.zeros(n, np.int64), np.zeros(n, np.int64)], axis=1)  # each a turn by itself
    begins, counts = turns_of(moments)
    movers = moments[:, 2]

    def by_batch(chosen: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        turns = np.repeat(np.arange(len(chosen)), counts[chosen])
        first = np.cumsum(counts[chosen]) - counts[chosen]
        rows = begins[chosen][turns] + np.arange(len(turns)) - first[turns]
        return gradients(net, facts[rows].astype(np.float32), shares[rows], turns, movers[rows])

    batch = max(1, BATCH * len(begins) // n)  # turns, of BATCH positions on average
    return descend(net, PARTS, len(begins), np.random.default_rng([seed, 1]), epochs, batch, rate, by_batch, report)


def mean(nets: Sequence[np.record]) -> np.record:
    """Return the network with the mean weights of networks with the same start.

    The mean averages out the noise of training; the units of networks with different starts do not correspond
    (Wortsman and others: "Model soups", ICML 2022).
    """
    net = nets[0].copy()
    for part in PARTS:
        net[part] = np.mean([each[part] for each in nets], axis=0, dtype=np.float64)
    return net


def likeness(net: np.record, other: np.record) -> float:
    """Return the correlation of the first layers of two networks: near 1 if they have the same start, else near 0."""
    return float(np.corrcoef(net.first.ravel(), other.first.ravel())[0, 1])


def mixed_labels(net: np.record, facts: np.ndarray, shares: np.ndarray, moments: np.ndarray, weight: float) -> np.ndarray:
    """Return labels with less noise than who won: TD(weight) over the recorded positions of each game.

    Sutton: "Learning to predict by the methods of temporal differences", Machine Learning 3 (1988). The label of a game's last
    position is who won; of any other, `weight` times the label of the next recorded position plus (1 - `weight`) times the
    chances of `net` there.
    """
    mixed = shares.copy()
    predicted = values(net, facts)
    for i in range(len(facts) - 2, -1, -1):
        if moments[i + 1, 0] == moments[i, 0]:
            mixed[i] = weight * mixed[i + 1] + (1 - weight) * predicted[i + 1]
    return mixed


def values(net: np.record, facts: np.ndarray) -> np.ndarray:
    """Return the chances of all positions (n, seats), computed in pieces."""
    parts = [facts[at : at + 20_000] for at in range(0, len(facts), 20_000)]
    return np.concatenate([chances(net, part if part.dtype == np.float64 else part.astype(np.float32)) for part in parts])


def losses(net: np.record, facts: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the cross entropy of each position."""
    return -(shares * np.log(np.maximum(values(net, facts), 1e-9))).sum(axis=1)


def loss_by_round(net: np.record, facts: np.ndarray, shares: np.ndarray, rounds: np.ndarray) -> pd.DataFrame:
    """Return the log loss by stretch of rounds, with its standard error, and that of equal chances.

    Columns: rounds (text), n (positions), log_loss, error (a lower bound: positions of a game are dependent), uniform.
    """
    of_positions = losses(net, facts, shares)
    rows = []
    for first, last in [*STRETCHES, (1, int(rounds.max()))]:
        chosen = (rounds >= first) & (rounds <= last)
        n = int(chosen.sum())
        if n > 1:
            error = float(of_positions[chosen].std(ddof=1) / np.sqrt(n))
            label = f"{first}-{last}" if (first, last) in STRETCHES[:-1] else f"{first} on" if first > 1 else "all"
            rows.append([label, n, float(of_positions[chosen].mean()), error, float(np.log(shares.shape[1]))])
    return pd.DataFrame(rows, columns=["rounds", "n", "log_loss", "error", "uniform"])


def calibration(net: np.record, facts: np.ndarray, shares: np.ndarray, rounds: np.ndarray) -> pd.DataFrame:
    """Return how often seats won, by stretch of rounds and tenth of their predicted chance.

    Columns: rounds (text), n (seats in positions), said (mean predicted chance), won (mean share of the win).
    """
    predicted = values(net, facts).reshape(-1)
    won = shares.reshape(-1)
    round_of = np.repeat(rounds, shares.shape[1])
    rows = []
    for first, last in STRETCHES:
        for tenth in range(10):
            chosen = (round_of >= first) & (round_of <= last) & (np.minimum(9, (predicted * 10).astype(int)) == tenth)
            if chosen.any():
                label = f"{first}-{last}" if last < STRETCHES[-1][1] else f"{first} on"
                rows.append([label, int(chosen.sum()), float(predicted[chosen].mean()), float(won[chosen].mean())])
    return pd.DataFrame(rows, columns=["rounds", "n", "said", "won"])


# --- Positions to learn from, in memory and as files

HELD_OUT = 10  # one game in this many is held out to measure the loss


@dataclass(frozen=True)
class RecordedGames:
    """Positions to learn from: facts (n, seats, N_FACTS), share of the win (n, seats), and game, round and mover (n, 3)."""

    facts: np.ndarray
    shares: np.ndarray
    moments: np.ndarray

    def only(self, chosen: np.ndarray) -> RecordedGames:
        """Return the chosen positions."""
        return RecordedGames(self.facts[chosen], self.shares[chosen], self.moments[chosen])

    def small(self) -> RecordedGames:
        """Return the same with facts as float16."""
        return RecordedGames(self.facts.astype(np.float16), self.shares, self.moments)


def joined(games: Iterable[RecordedGames]) -> RecordedGames:
    """Return the positions of all games, concatenated."""
    parts = zip(*((part.facts, part.shares, part.moments) for part in games), strict=True)
    return RecordedGames(*map(np.concatenate, parts))


POSITIONS, STUDIES = "position", "study"  # kinds of positions in a file: of games, and of studied ways of turns
AGAIN = "remove it: the same command plays its games again"
MOST_BYTES = 1 << 30  # of a file


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], of: str) -> None:
    """Write arrays into a file, whole or not at all; `of`: its training. May raise OSError."""
    content = io.BytesIO()
    np.savez(content, **arrays, of=np.array(f"{of} {path.name}"))  # type: ignore[arg-type]
    write_whole(path, content.getvalue())


def read_arrays(path: Path, of: str | None = None) -> dict[str, np.ndarray]:
    """Return the arrays of `write_arrays`; raise UserError if the file is damaged, renamed or of another training than `of`."""
    arrays = arrays_in(path, "games of a training", MOST_BYTES, finite=False, again=AGAIN)
    mark = str(arrays.pop("of", ""))
    if of is not None and mark != f"{of} {path.name}":
        raise UserError(f"{path}: is not of this training, or has another's name; {AGAIN}")
    return arrays


def save(path: Path, positions: RecordedGames, studies: RecordedGames, of: str = "") -> None:
    """Write the positions of games and of studies into a file; `of`: its training."""
    arrays: dict[str, Any] = {}
    for name, games in ((POSITIONS, positions), (STUDIES, studies)):
        arrays |= {f"{name}_facts": games.facts, f"{name}_shares": games.shares, f"{name}_moments": games.moments}
    write_arrays(path, arrays, of)


def gathered(parts: Sequence[tuple[Path, str]], held_out: bool | None = False, of: str | None = None) -> RecordedGames:
    """Return the positions of parts (file of `save`, kind: POSITIONS or STUDIES), concatenated.

    held_out: only those of held-out games (True), or only the others (False); None: all. `of`: the training of all files. They
    are read into one array file by file, so that memory holds no more than they and one file.
    """
    chosen = []
    for path, kind in parts:
        with plainly(path, "games of a training", again=AGAIN):
            is_held_out = read_arrays(path, of)[f"{kind}_moments"][:, 0] % HELD_OUT == 0
        chosen.append(np.ones(len(is_held_out), bool) if held_out is None else is_held_out == held_out)
    n, at = sum(int(mask.sum()) for mask in chosen), 0
    whole = RecordedGames(np.empty(0), np.empty(0), np.empty(0))
    for (path, kind), mask in zip(parts, chosen, strict=True):
        with plainly(path, "games of a training", again=AGAIN):
            arrays = read_arrays(path, of)
            positions = RecordedGames(*(arrays[f"{kind}_{part}"] for part in ("facts", "shares", "moments"))).only(mask)
        if not at:
            filled = (positions.facts, positions.shares, positions.moments)
            whole = RecordedGames(*(np.empty((n, *array.shape[1:]), array.dtype) for array in filled))
        end = at + len(positions.shares)
        whole.facts[at:end], whole.shares[at:end], whole.moments[at:end] = positions.facts, positions.shares, positions.moments
        at = end
    return whole


# --- Fitting a policy network to lessons (`strategies.training_data`): the chance to win that each option of a choice led to
#
# Only differences within a choice count: scores and labels are taken less their mean over the options of the choice, and the
# loss is the squared error between them.

POLICY_BATCH = 1024  # choices
EPOCHS = 16
POLICY_RATE = 2e-3
EPOCHS_ON, RATE_ON = 4, 1e-3  # for a policy with a start
MARGINS = (0.05, 0.1, 0.1)  # by `policy.ASKED`: how much an option's score must exceed that of the planner's own


@dataclass(frozen=True)
class Turns:
    """Recorded turns, as `training.play_lessons` fills them.

    situations: (turns, N_SITUATION); marks: (turns, choices, options, N_MARKS); worths: (turns, choices, options), NaN where
    there is no option; moments: (turns, 3), game, round and seat.
    """

    situations: np.ndarray
    marks: np.ndarray
    worths: np.ndarray
    moments: np.ndarray


TURN_PARTS = tuple(field.name for field in fields(Turns))
HALVED = ("situations", "marks")  # stored as float16


@dataclass(frozen=True)
class Lessons:
    """Choices to learn from.

    situations: (turns, N_SITUATION); turn: (n,) the row of the choice's situation; marks: (n, options, N_MARKS); worths:
    (n, options), the chance to win that each option led to, NaN where there is no option; game: (n,) its number.
    """

    situations: np.ndarray
    turn: np.ndarray
    marks: np.ndarray
    worths: np.ndarray
    game: np.ndarray

    @property
    def held_out(self) -> np.ndarray:
        """Which choices are of held-out games."""
        return np.asarray(self.game % HELD_OUT == 0)

    def only(self, chosen: np.ndarray) -> Lessons:
        """Return the chosen choices."""
        return Lessons(self.situations, self.turn[chosen], self.marks[chosen], self.worths[chosen], self.game[chosen])


def lessons_of(turns: Sequence[Turns]) -> Lessons:
    """Return the choices of recorded turns."""
    situations, marks, worths, moments = (
        np.concatenate([getattr(each, part) for each in turns]) for part in ("situations", "marks", "worths", "moments")
    )
    turn, choice = np.nonzero((~np.isnan(worths)).sum(axis=2) > 1)
    return Lessons(situations, turn, marks[turn, choice], worths[turn, choice], moments[turn, 0])


def save_turns(path: Path, turns: Turns, of: str = "") -> None:
    """Write recorded turns into a file, HALVED parts as float16; `of`: its training."""
    arrays = {part: getattr(turns, part) for part in TURN_PARTS}
    write_arrays(path, arrays | {part: arrays[part].astype(np.float16) for part in HALVED}, of)


def load_turns(path: Path, of: str | None = None) -> Turns:
    """Return the turns of `save_turns`; raise UserError if the file is damaged, or not of the training `of`."""
    arrays = read_arrays(path, of)
    with plainly(path, "lessons of a training", again=AGAIN):
        return Turns(*(arrays[part] for part in TURN_PARTS))


def first_policy(seed: int) -> np.record:
    """Return a policy before training."""
    rng = np.random.default_rng(seed)
    net = policy.new_policy()
    net.situation[:] = rng.normal(0, np.sqrt(1 / 80), (N_SITUATION, UNITS))
    net.marks[:] = rng.normal(0, np.sqrt(2 / 12), (N_MARKS, UNITS))
    net.second[:] = rng.normal(0, np.sqrt(2 / UNITS), (UNITS, learned_DEEPER))
    net.third[:] = rng.normal(0, 0.1, learned_DEEPER)
    return net


def policy_gradients(
    net: np.record, situations: np.ndarray, marks: np.ndarray, worths: np.ndarray
) -> tuple[float, dict[str, np.ndarray]]:
    """Return the loss of a batch of choices, and its gradient by each part of the policy."""
    n, options, _ = marks.shape
    offered = ~np.isnan(worths)
    count = offered.sum(axis=1, keepdims=True)
    first = (situations @ net.situation + net.first_bias)[:, None, :] + marks @ net.marks
    hidden = np.maximum(np.float32(0), first)
    deeper = np.maximum(np.float32(0), hidden @ net.second + net.second_bias)
    scores = np.where(offered, deeper @ net.third + marks @ net.direct, 0.0)
    target = np.where(offered, worths, 0.0) * SCALE
    error = np.where(offered, scores - target, 0.0)
    error = np.where(offered, error - error.sum(axis=1, keepdims=True) / count, 0.0)
    by_score = (2.0 / n * error).astype(np.float32)
    rows = by_score.reshape(-1)
    by_deeper = (rows[:, None] * net.third) * (deeper.reshape(-1, learned_DEEPER) > 0)
    by_hidden = (by_deeper @ net.second.T) * (hidden.reshape(-1, UNITS) > 0)
    flat = marks.reshape(-1, N_MARKS)
    by_choice = by_hidden.reshape(n, options, UNITS).sum(axis=1)
    return float((error**2).sum() / n), {
        "situation": situations.T @ by_choice,
        "marks": flat.T @ by_hidden,
        "first_bias": by_hidden.sum(axis=0),
        "second": hidden.reshape(-1, UNITS).T @ by_deeper,
        "second_bias": by_deeper.sum(axis=0),
        "third": deeper.reshape(-1, learned_DEEPER).T @ rows,
        "direct": flat.T @ rows,
    }


def fit_policy(
    lessons: Lessons, *, seed: int, epochs: int | None = None, start: np.record | None = None,
    report: Callable[[int, float], None] | None = None,
) -> np.record:  # fmt: skip
    """Return a policy fitted to the lessons, from the policy `start` if given; the same arguments give the same policy."""
    if start is None:
        net, rate, usual = first_policy(seed), POLICY_RATE, EPOCHS
    else:
        net, rate, usual = start.copy(), RATE_ON, EPOCHS_ON
        net.direct[OWN : OWN + len(ASKED)] -= MARGINS

    def by_batch(chosen: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        situations = lessons.situations[lessons.turn[chosen]].astype(np.float32)
        return policy_gradients(net, situations, lessons.marks[chosen].astype(np.float32), lessons.worths[chosen])

    rng = np.random.default_rng([seed, 2])
    descend(net, learned_PARTS, len(lessons.turn), rng, epochs or usual, POLICY_BATCH, rate, by_batch, report)
    net.direct[OWN : OWN + len(ASKED)] += MARGINS
    return net


def gains(net: np.record, lessons: Lessons) -> np.ndarray:
    """Return, by choice, the chance to win that the policy's option led to, less that of the planner's option."""
    parts = []
    for at in range(0, len(lessons.turn), 10_000):
        part = lessons.only(np.arange(at, min(at + 10_000, len(lessons.turn))))
        marks = part.marks.astype(np.float32)
        scores = policy.scores(net, part.situations[part.turn].astype(np.float32), marks)
        scores = np.where(np.isnan(part.worths), -np.inf, scores)
        row = np.arange(len(scores))
        own = marks[:, :, OWN : OWN + len(ASKED)].sum(axis=2).argmax(axis=1)
        parts.append(part.worths[row, scores.argmax(axis=1)] - part.worths[row, own])
    return np.concatenate(parts)


# --- Playing the games of a plan in memory and recording positions

ROUNDS = 40  # upper bound of an average game's rounds


class Recorder:
    """Plays the games of a plan in memory and records positions and lessons."""

    def __init__(self, plan: Plan, r: Any, stray: Sequence[int], network: int, ahead: int = 0) -> None:
        """`stray`: by strategy of the plan's library, the percent of its turns played at random.

        `network`: place of the network that studies judge by (`networks.STORE`); `ahead`: weights.SIMULATED_AHEAD of all.
        """
        self.plan, self.r = plan, r
        strategies = [plan.strategy(name) for name in plan.library()]
        functions = [strategy.load() for strategy in strategies]
        training = self.training = new_training()
        training["bots"] = seat_strategies(functions)
        training["seating"] = plan.seating(written(r, "leader"))[0]
        training.seed, training.players, training.round_cap = plan.seed, plan.players, plan.round_cap
        for k, (strategy, function, percent) in enumerate(zip(strategies, functions, stray, strict=True)):
            training.library[k] = strategy_address(function)
            opinions = training.opinions[k]
            opinions[:] = strategy.weights(plan.players, names.BOXES[r.box])
            opinions[:, weights.NETWORK] = network
            opinions[:, weights.SIMULATED_AHEAD] = ahead
            opinions[:, weights.STRAY] = percent

    def play(self, first: int, n: int, one_in: int, study_one_in: int) -> tuple[RecordedGames, RecordedGames]:
        """Play n games from game `first`; return every `one_in`-th position, and those of studied turns (none if 0)."""
        players, turns = self.plan.players, n * ROUNDS * self.plan.players
        positions = np.zeros(turns // one_in, POSITION)
        studies = np.zeros(turns * STUDIED // study_one_in if study_one_in else 0, POSITION)
        recorded = play_recorded(self.r, state.new_work(), self.training, positions, studies, first, n, one_in, study_one_in)
        played, studied = (
            RecordedGames(rows["facts"][:, :players].copy(), rows["shares"][:, :players].copy(), rows["moment"].copy())
            for rows in (positions[:recorded], studies[: self.training.studied])
        )
        return played, studied.only(studied.shares.sum(axis=1) > 0.99)  # at the round cap nobody wins

    def teach(self, first: int, n: int, one_in: int) -> Turns:
        """Play n games from game `first`; return lessons of every `one_in`-th turn, late in the game of twice as many."""
        lessons = np.zeros(2 * n * ROUNDS * self.plan.players // one_in, LESSON)
        taught = play_lessons(self.r, state.new_work(), self.training, lessons, first, n, one_in)
        return Turns(*(lessons[part][:taught].copy() for part in ("situation", "marks", "worths", "moment")))
