"""Fitting a value network to positions and who won, and how good its chances are.

Two hidden layers, so that the gradient is a dozen lines, and Adam (Kingma, Ba: "Adam: a method for stochastic optimization",
ICLR 2015, algorithm 1) is as many: NumPy trains it in minutes, the same bits every time on a machine, and asks nobody to
install gigabytes of a framework. A position is an array (seats, N_FACTS); its label is the share of the win of
each seat, and the loss is the cross entropy between that and the network's chances. Where several ways of a turn were tried
(`strategies.training.study`), players choose by the differences between them, which are small beside those between games: they
count once more, squared (`contrast`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ...strategies.learned import networks
from ...strategies.learned.facts import N_FACTS
from ...strategies.learned.networks import DEEPER, HIDDEN, PARTS, chances

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
