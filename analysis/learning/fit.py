"""Fitting networks: positions and lessons recorded from games, values and policies descended on them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...simulator import limits, names
from ...simulator.engine import state
from ...simulator.engine.compile.argument_types import BOTS
from ...simulator.engine.compile.jit import seat_strategies, strategy_address
from ...simulator.errors import UserError
from ...simulator.ours import write_whole
from ...simulator.reading import arrays_in, plainly
from ...simulator.rules.contents import written
from ...simulator.runs.columns import SEAT_ROW
from ...simulator.runs.plan import Plan
from ...strategies.learned import networks, policy
from ...strategies.learned.facts import N_FACTS
from ...strategies.learned.marks import ASKED, N_MARKS, OWN
from ...strategies.learned.networks import DEEPER, HIDDEN, PARTS, chances
from ...strategies.learned.policy import COMPARED, N_SITUATION, SCALE, UNITS
from ...strategies.learned.policy import DEEPER as learned_DEEPER
from ...strategies.learned.policy import PARTS as learned_PARTS
from ...strategies.learned.situation import new_facts
from ...strategies.learned.value import new_hidden
from ...strategies.learned.ways import choose_way
from ...strategies.planning import weights
from ...strategies.training import CHOICES, STUDIED, play_lessons, play_recorded

# --- Fitting a value network to positions and who won, and how good its chances are
#
# Two hidden layers, so that the gradient is a dozen lines, and Adam (Kingma, Ba: "Adam: a method for stochastic
# optimization", ICLR 2015, algorithm 1) is as many: NumPy trains it in minutes, the same bits every time on a machine, and
# asks nobody to install gigabytes of a framework. A position is an array (seats, N_FACTS); its label is the share of the win
# of each seat, and the loss is the cross entropy between that and the network's chances. Where several ways of a turn were
# tried (`strategies.training`), players choose by the differences between them, which are small beside those between
# games: they count once more, squared (`contrast`).

BATCH = 1024
RATE = 2e-3  # falls to zero in a half cosine
DECAY = 1e-5  # of the weights, each step (decoupled)
CONTRAST = 40.0  # what the squared errors of differences between the ways of a turn count, beside the cross entropy
AKIN = 0.5  # so alike are at least the weights of networks that went on from the same one
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
        """Return what to subtract at step `number` (from 1)."""
        self.mean += (1 - BETA_1) * (gradient - self.mean)
        self.square += (1 - BETA_2) * (gradient * gradient - self.square)
        mean = self.mean / (1 - BETA_1**number)
        square = self.square / (1 - BETA_2**number)
        return rate * mean / (np.sqrt(square) + EPSILON)


def first_network(seed: int) -> np.record:
    """Return a network before training: He's uniform weights in the first layer, small ones in the last."""
    rng = np.random.default_rng(seed)
    net = networks.new_network()
    net.first[:] = rng.normal(0, np.sqrt(2 / 40), (N_FACTS, HIDDEN))  # some 40 facts of a seat are not zero
    net.second[:] = rng.normal(0, np.sqrt(2 / HIDDEN), (HIDDEN, DEEPER))
    net.third[:] = rng.normal(0, 0.1, DEEPER)
    return net


def turns_of(moments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where each turn begins among the positions, and how many ways of it there are, given `Games.moments`.

    Neighbours of the same game, round and mover are ways of one turn; a position of a game stands alone.
    """
    begins = np.flatnonzero(np.r_[True, (moments[1:] != moments[:-1]).any(axis=1)])
    return begins, np.diff(np.r_[begins, len(moments)])


def contrast(chances: np.ndarray, shares: np.ndarray, turns: np.ndarray, movers: np.ndarray) -> tuple[float, np.ndarray]:
    """Return what errors of the differences between the ways of a turn add to the loss, and its gradient by the scores.

    chances, shares: (n, seats); turns: (n,) which turn a position is a way of, from 0; movers: (n,) whose turn it is. An error
    is what the mover's chance lies above its label, less the mean of that over the ways of the turn.
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
    """Return the loss of a batch (cross entropy, and the `contrast` of turns), and its gradient by each part of the network."""
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
    """Go through n examples by Adam, in batches drawn by `rng`, the rate falling in a half cosine; change `net` and return it.

    `by_batch`: the mean loss of the examples of some numbers, and its gradient by part; `report`: told epoch and mean loss.
    """
    states = {part: Adam.of(net[part]) for part in parts}
    steps = epochs * -(-n // batch)
    number = 0
    for epoch in range(epochs):
        losses = []
        order = rng.permutation(n)
        for at in range(0, n, batch):
            loss, by = by_batch(np.sort(order[at : at + batch]))
            losses.append(loss)
            now = rate * 0.5 * (1 + np.cos(np.pi * number / steps))
            number += 1
            for part in parts:
                net[part] -= states[part].step(by[part], number, now)
                net[part] *= 1 - DECAY * now / rate
        if report is not None:
            report(epoch + 1, float(np.mean(losses)))
    return net


def fit(
    facts: np.ndarray, shares: np.ndarray, moments: np.ndarray | None = None, *, seed: int, epochs: int = 8,
    start: np.record | None = None, rate: float = RATE, report: Callable[[int, float], None] | None = None,
) -> np.record:  # fmt: skip
    """Return a network fitted to the positions; `start`: one to go on from. The same arguments give the same network.

    moments: (n, 3) game, round and mover, where ways of turns are among the positions (`turns_of`): these stay together.
    """
    net = first_network(seed) if start is None else start.copy()
    n = len(facts)
    if moments is None:
        moments = np.stack([np.arange(n), np.zeros(n, np.int64), np.zeros(n, np.int64)], axis=1)  # each stands alone
    begins, many = turns_of(moments)
    movers = moments[:, 2]

    def by_batch(chosen: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        turns = np.repeat(np.arange(len(chosen)), many[chosen])
        first = np.cumsum(many[chosen]) - many[chosen]
        rows = begins[chosen][turns] + np.arange(len(turns)) - first[turns]
        return gradients(net, facts[rows].astype(np.float32), shares[rows], turns, movers[rows])

    batch = max(1, BATCH * len(begins) // n)  # so many turns are BATCH positions, on an average
    return descend(net, PARTS, len(begins), np.random.default_rng([seed, 1]), epochs, batch, rate, by_batch, report)


def mean(nets: Sequence[np.record]) -> np.record:
    """Return the network whose weights are the means of those of networks that went on from the same one.

    What the chance of a training did to each is averaged out; networks of different beginnings have units that do not
    correspond, and their mean is none (Wortsman and others: "Model soups", ICML 2022).
    """
    net = nets[0].copy()
    for part in PARTS:
        net[part] = np.mean([one[part] for one in nets], axis=0, dtype=np.float64)
    return net


def likeness(one: np.record, other: np.record) -> float:
    """Return the correlation of the first layers of two networks: near 1 if they share a beginning, near 0 if they do not."""
    return float(np.corrcoef(one.first.ravel(), other.first.ravel())[0, 1])


def mixed_labels(net: np.record, facts: np.ndarray, shares: np.ndarray, moments: np.ndarray, weight: float) -> np.ndarray:
    """Return labels with less chance in them than who won: TD(weight) over the kept positions of each game.

    Sutton: "Learning to predict by the methods of temporal differences", Machine Learning 3 (1988). The label of a game's
    last position is who won; any other's is `weight` of the label of the next position kept, and for the rest what `net`
    says of that position.
    """
    mixed = shares.copy()
    said = values(net, facts)
    for i in range(len(facts) - 2, -1, -1):
        if moments[i + 1, 0] == moments[i, 0]:
            mixed[i] = weight * mixed[i + 1] + (1 - weight) * said[i + 1]
    return mixed


def values(net: np.record, facts: np.ndarray) -> np.ndarray:
    """Return the chances of all positions, some at a time."""
    parts = [facts[at : at + 20_000] for at in range(0, len(facts), 20_000)]
    return np.concatenate([chances(net, part if part.dtype == np.float64 else part.astype(np.float32)) for part in parts])


def losses(net: np.record, facts: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the cross entropy of each position."""
    return -(shares * np.log(np.maximum(values(net, facts), 1e-9))).sum(axis=1)


def loss_by_round(net: np.record, facts: np.ndarray, shares: np.ndarray, rounds: np.ndarray) -> pd.DataFrame:
    """Return the log loss by stretches of rounds, with its standard error, and that of equal chances for all.

    Columns: rounds (text), n (positions), log_loss, error (positions of a game are not independent: a lower bound), uniform.
    """
    found = losses(net, facts, shares)
    rows = []
    for first, last in [*STRETCHES, (1, int(rounds.max()))]:
        chosen = (rounds >= first) & (rounds <= last)
        n = int(chosen.sum())
        if n > 1:
            error = float(found[chosen].std(ddof=1) / np.sqrt(n))
            words = f"{first}-{last}" if (first, last) in STRETCHES[:-1] else f"{first} on" if first > 1 else "all"
            rows.append([words, n, float(found[chosen].mean()), error, float(np.log(shares.shape[1]))])
    return pd.DataFrame(rows, columns=["rounds", "n", "log_loss", "error", "uniform"])


def calibration(net: np.record, facts: np.ndarray, shares: np.ndarray, rounds: np.ndarray) -> pd.DataFrame:
    """Return how often seats won that were given such a chance, by stretches of rounds and tenths of the chance.

    Columns: rounds (text), n (seats in positions), said (mean chance), won (mean share of the win).
    """
    said = values(net, facts).reshape(-1)
    won = shares.reshape(-1)
    at = np.repeat(rounds, shares.shape[1])
    rows = []
    for first, last in STRETCHES:
        for tenth in range(10):
            chosen = (at >= first) & (at <= last) & (np.minimum(9, (said * 10).astype(int)) == tenth)
            if chosen.any():
                words = f"{first}-{last}" if last < STRETCHES[-1][1] else f"{first} on"
                rows.append([words, int(chosen.sum()), float(said[chosen].mean()), float(won[chosen].mean())])
    return pd.DataFrame(rows, columns=["rounds", "n", "said", "won"])


# --- Positions to learn from, in memory and as files

HELD_OUT = 10  # one game in so many is kept from the fit, to measure the loss


@dataclass(frozen=True)
class Games:
    """Positions to learn from: facts (n, seats, N_FACTS), share of the win (n, seats), and game, round and mover (n, 3)."""

    facts: np.ndarray
    shares: np.ndarray
    moments: np.ndarray

    def only(self, chosen: np.ndarray) -> Games:
        """Return the chosen positions."""
        return Games(self.facts[chosen], self.shares[chosen], self.moments[chosen])

    def small(self) -> Games:
        """Return the same with facts in half the room."""
        return Games(self.facts.astype(np.float16), self.shares, self.moments)


def joined(games: Iterable[Games]) -> Games:
    """Return the positions of all, one after the other."""
    each = list(games)
    parts = ([one.facts for one in each], [one.shares for one in each], [one.moments for one in each])
    return Games(*(np.concatenate(part) for part in parts))


POSITIONS, STUDIES = "position", "study"  # the two kinds of positions in a file: of games, and of ways of turns that were tried


AGAIN = "remove it: the same command plays its games again"
MOST_BYTES = 1 << 30  # of a file


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], of: str) -> None:
    """Write arrays into a file, whole or not at all; `of`: the training that it belongs to. May raise OSError."""
    content = io.BytesIO()
    np.savez(content, **arrays, of=np.array(f"{of} {path.name}"))  # type: ignore[arg-type]
    write_whole(path, content.getvalue())


def read_arrays(path: Path, of: str | None = None) -> dict[str, np.ndarray]:
    """Return what `write_arrays` wrote; raise UserError if it is damaged, or of another training or place in it."""
    found = arrays_in(path, "games of a training", MOST_BYTES, finite=False, again=AGAIN)
    said = str(found.pop("of", ""))
    if of is not None and said != f"{of} {path.name}":
        raise UserError(f"{path}: is not of this training, or has another's name; {AGAIN}")
    return found


def save(path: Path, positions: Games, studies: Games, of: str = "") -> None:
    """Write the positions of games and of studies into a file; `of`: the training that it belongs to."""
    arrays: dict[str, Any] = {}
    for name, games in ((POSITIONS, positions), (STUDIES, studies)):
        arrays |= {f"{name}_facts": games.facts, f"{name}_shares": games.shares, f"{name}_moments": games.moments}
    write_arrays(path, arrays, of)


def gathered(parts: Sequence[tuple[Path, str]], held_out: bool | None = False, of: str | None = None) -> Games:
    """Return the positions of kinds (POSITIONS, STUDIES) in files that `save` wrote, one after the other.

    held_out: only those of games kept from the fit, or only the others; None: all. `of`: the training that all are of. They
    fill their room as they are read, so that no more than they, and a file, is ever in memory.
    """
    chosen = []
    for path, kind in parts:
        with plainly(path, "games of a training", again=AGAIN):
            kept_out = read_arrays(path, of)[f"{kind}_moments"][:, 0] % HELD_OUT == 0
        chosen.append(np.ones(len(kept_out), bool) if held_out is None else kept_out == held_out)
    n, at = sum(int(one.sum()) for one in chosen), 0
    whole = Games(np.empty(0), np.empty(0), np.empty(0))
    for (path, kind), one in zip(parts, chosen, strict=True):
        with plainly(path, "games of a training", again=AGAIN):
            kept = read_arrays(path, of)
            found = Games(*(kept[f"{kind}_{part}"] for part in ("facts", "shares", "moments"))).only(one)
        if not at:
            whole = Games(
                *(np.empty((n, *array.shape[1:]), array.dtype) for array in (found.facts, found.shares, found.moments))
            )
        end = at + len(found.shares)
        whole.facts[at:end], whole.shares[at:end], whole.moments[at:end] = found.facts, found.shares, found.moments
        at = end
    return whole


# --- Fitting a policy network to lessons (`strategies.training`)
#
# What each option of a choice led to.
#
# Only differences within a choice count: the loss is the squared error of what the policy says of an option, less its mean
# over the options of the choice, against the same of what the option led to. Gradients by hand and Adam, as for values
# (`fit`).

POLICY_BATCH = 1024  # choices
EPOCHS = 16
POLICY_RATE = 2e-3
EPOCHS_ON, RATE_ON = 4, 1e-3  # of a policy that goes on from another
MARGINS = (0.05, 0.1, 0.1)  # by `marks.ASKED`: so much higher must an option's score be than that of the planner's own


@dataclass(frozen=True)
class Turns:
    """Recorded turns, as `lessons.play_lessons` fills them.

    situations: (turns, N_SITUATION); marks: (turns, choices, options, N_MARKS); worths: (turns, choices, options), NaN where
    there is no option; moments: (turns, 3), game, round and seat.
    """

    situations: np.ndarray
    marks: np.ndarray
    worths: np.ndarray
    moments: np.ndarray


TURN_PARTS = tuple(field.name for field in fields(Turns))
HALVED = ("situations", "marks")  # kept in half the room


@dataclass(frozen=True)
class Lessons:
    """Choices to learn from.

    situations: (turns, N_SITUATION); turn: (n,) which of them; marks: (n, options, N_MARKS); worths: (n, options), the chance
    to win that each option led to, NaN where there is no option; game: (n,) its number.
    """

    situations: np.ndarray
    turn: np.ndarray
    marks: np.ndarray
    worths: np.ndarray
    game: np.ndarray

    @property
    def held_out(self) -> np.ndarray:
        """Which choices are of games kept from the fit."""
        return np.asarray(self.game % HELD_OUT == 0)

    def only(self, chosen: np.ndarray) -> Lessons:
        """Return the chosen ones."""
        return Lessons(self.situations, self.turn[chosen], self.marks[chosen], self.worths[chosen], self.game[chosen])


def lessons_of(turns: Sequence[Turns]) -> Lessons:
    """Return the choices of recorded turns."""
    situations, marks, worths, moments = (
        np.concatenate([getattr(one, part) for one in turns]) for part in ("situations", "marks", "worths", "moments")
    )
    turn, choice = np.nonzero((~np.isnan(worths)).sum(axis=2) > 1)
    return Lessons(situations, turn, marks[turn, choice], worths[turn, choice], moments[turn, 0])


def save_turns(path: Path, turns: Turns, of: str = "") -> None:
    """Write recorded turns into a file, most of it in half the room; `of`: the training that it belongs to."""
    kept = {part: getattr(turns, part) for part in TURN_PARTS}
    small = {part: array.astype(np.float16) if part in HALVED else array for part, array in kept.items()}
    write_arrays(path, small, of)


def load_turns(path: Path, of: str | None = None) -> Turns:
    """Read what `save` wrote; raise UserError if it is damaged, or not of the training `of`."""
    kept = read_arrays(path, of)
    with plainly(path, "lessons of a training", again=AGAIN):
        return Turns(*(kept[part] for part in TURN_PARTS))


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
    there = ~np.isnan(worths)
    count = there.sum(axis=1, keepdims=True)
    said_first = (situations @ net.situation + net.first_bias)[:, None, :] + marks @ net.marks
    hidden = np.maximum(np.float32(0), said_first)
    deeper = np.maximum(np.float32(0), hidden @ net.second + net.second_bias)
    scores = np.where(there, deeper @ net.third + marks @ net.direct, 0.0)
    wanted = np.where(there, worths, 0.0) * SCALE
    error = np.where(there, scores - wanted, 0.0)
    error = np.where(there, error - error.sum(axis=1, keepdims=True) / count, 0.0)
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
    """Return a policy fitted to the lessons; `start`: one to go on from. The same arguments give the same policy."""
    if start is None:
        net, rate, usual = first_policy(seed), POLICY_RATE, EPOCHS
    else:
        net, rate, usual = start.copy(), RATE_ON, EPOCHS_ON
        net.direct[OWN : OWN + len(ASKED)] -= MARGINS

    def by_batch(chosen: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        situations = lessons.situations[lessons.turn[chosen]].astype(np.float32)
        return policy_gradients(net, situations, lessons.marks[chosen].astype(np.float32), lessons.worths[chosen])

    descend(
        net,
        learned_PARTS,
        len(lessons.turn),
        np.random.default_rng([seed, 2]),
        epochs or usual,
        POLICY_BATCH,
        rate,
        by_batch,
        report,
    )
    net.direct[OWN : OWN + len(ASKED)] += MARGINS
    return net


def gains(net: np.record, lessons: Lessons) -> np.ndarray:
    """Return, for each choice, by how much more the policy's option led to a win than the planner's."""
    found = []
    for at in range(0, len(lessons.turn), 10_000):
        part = lessons.only(np.arange(at, min(at + 10_000, len(lessons.turn))))
        marks = part.marks.astype(np.float32)
        said = policy.scores(net, part.situations[part.turn].astype(np.float32), marks)
        said = np.where(np.isnan(part.worths), -np.inf, said)
        row = np.arange(len(said))
        own = marks[:, :, OWN : OWN + len(ASKED)].sum(axis=2).argmax(axis=1)
        found.append(part.worths[row, said.argmax(axis=1)] - part.worths[row, own])
    return np.concatenate(found)


# --- Playing the games of a plan in memory for the positions they leave
#
# Importing it compiles the learned players.

ROUNDS = 40  # of a game, on an average, that there is room for


def _room(n: int, players: int) -> Games:
    """Return room for so many positions."""
    facts, shares = np.zeros((n, players, N_FACTS), np.float32), np.zeros((n, players), np.float32)
    return Games(facts, shares, np.zeros((n, 3), np.int32))


class Recorder:
    """Plays the games of a plan in memory and returns positions."""

    def __init__(self, plan: Plan, r: Any, stray: Sequence[int], network: int, ahead: int = 0) -> None:
        """`stray`: for each strategy of the plan's library the percent of its turns played at random.

        `network`: place of the network that studies judge by (`networks.STORE`); `ahead`: weights.SIMULATED_AHEAD of all.
        """
        self.plan, self.r = plan, r
        strategies = [plan.strategy(name) for name in plan.library()]
        functions = [one.load() for one in strategies]
        self.library = np.array([strategy_address(function) for function in functions])
        self.opinions = np.stack([one.weights(plan.players, names.BOXES[r.box]) for one in strategies]).copy()
        self.opinions[:, :, weights.NETWORK] = network
        self.opinions[:, :, weights.SIMULATED_AHEAD] = ahead
        for k, percent in enumerate(stray):
            self.opinions[k, :, weights.STRAY] = percent
        self.seated = np.zeros(2, BOTS).view(np.recarray)
        self.seated[0] = seat_strategies(functions)
        self.seated[1] = seat_strategies(choose_way)

    def _seated(self, play: Callable[..., int]) -> Callable[..., int]:
        """Return the function with what games are played with: rules, players, memory for games and what networks read."""
        return partial(
            play,
            self.r,
            state.new_work(),
            self.seated,
            np.zeros(4, state.STATE).view(np.recarray),
            np.zeros(2, state.STATE).view(np.recarray),
            self.library,
            self.opinions,
            self.plan.seating(written(self.r, "leader")).view(np.recarray)[0],
            np.zeros(limits.MAX_PLAYERS, SEAT_ROW).view(np.recarray),
            new_facts(),
            new_hidden(),
            np.zeros(limits.MAX_PLAYERS),
        )

    def play(self, first: int, n: int, one_in: int, study_one_in: int) -> tuple[Games, Games]:
        """Play n games from game `first`; return every so many-th position of theirs, and what studies found (0: none)."""
        plan, turns = self.plan, n * ROUNDS * self.plan.players
        positions = _room(turns // one_in, plan.players)
        studies = _room(turns * STUDIED // study_one_in if study_one_in else 0, plan.players)
        found = np.zeros(1, np.int64)
        kept = self._seated(play_recorded)(
            positions.facts,
            positions.shares,
            positions.moments,
            studies.facts,
            studies.shares,
            studies.moments,
            found,
            plan.seed,
            first,
            n,
            plan.players,
            plan.round_cap,
            one_in,
            study_one_in,
        )
        studies = studies.only(np.arange(int(found[0])))
        decided = studies.shares.sum(axis=1) > 0.99  # at the round cap nobody wins
        return positions.only(np.arange(kept)), studies.only(decided)

    def teach(self, first: int, n: int, one_in: int) -> Turns:
        """Play n games from game `first` and return lessons of every so many-th of their turns (late in the game, of more)."""
        plan, turns = self.plan, 2 * n * ROUNDS * self.plan.players // one_in
        marks = np.zeros((turns, CHOICES, COMPARED, N_MARKS), np.float32)
        kept = Turns(
            np.zeros((turns, N_SITUATION), np.float32),
            marks,
            np.zeros(marks.shape[:3], np.float32),
            np.zeros((turns, 3), np.int64),
        )
        found = self._seated(play_lessons)(
            kept.situations,
            kept.marks,
            kept.worths,
            kept.moments,
            plan.seed,
            first,
            n,
            plan.players,
            plan.round_cap,
            one_in,
        )
        return Turns(*(getattr(kept, part)[:found] for part in TURN_PARTS))
