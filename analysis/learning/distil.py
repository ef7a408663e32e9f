"""Fitting a policy network to lessons (`strategies.training.lessons`): what each option of a choice led to.

Only differences within a choice count: the loss is the squared error of what the policy says of an option, less its mean over
the options of the choice, against the same of what the option led to. Gradients by hand and Adam, as for values (`fit`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from ...simulator.reading import plainly
from ...strategies.learned import policies
from ...strategies.learned.marks import ASKED, N_MARKS, OWN
from ...strategies.learned.policies import DEEPER, N_SITUATION, PARTS, SCALE, UNITS
from .fit import descend
from .games import AGAIN, HELD_OUT, read_arrays, write_arrays

BATCH = 1024  # choices
EPOCHS = 16
RATE = 2e-3
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


def save(path: Path, turns: Turns, of: str = "") -> None:
    """Write recorded turns into a file, most of it in half the room; `of`: the training that it belongs to."""
    kept = {part: getattr(turns, part) for part in TURN_PARTS}
    small = {part: array.astype(np.float16) if part in HALVED else array for part, array in kept.items()}
    write_arrays(path, small, of)


def load(path: Path, of: str | None = None) -> Turns:
    """Read what `save` wrote; raise UserError if it is damaged, or not of the training `of`."""
    kept = read_arrays(path, of)
    with plainly(path, "lessons of a training", again=AGAIN):
        return Turns(*(kept[part] for part in TURN_PARTS))


def first_policy(seed: int) -> np.record:
    """Return a policy before training."""
    rng = np.random.default_rng(seed)
    net = policies.new_policy()
    net.situation[:] = rng.normal(0, np.sqrt(1 / 80), (N_SITUATION, UNITS))
    net.marks[:] = rng.normal(0, np.sqrt(2 / 12), (N_MARKS, UNITS))
    net.second[:] = rng.normal(0, np.sqrt(2 / UNITS), (UNITS, DEEPER))
    net.third[:] = rng.normal(0, 0.1, DEEPER)
    return net


def gradients(
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
    by_deeper = (rows[:, None] * net.third) * (deeper.reshape(-1, DEEPER) > 0)
    by_hidden = (by_deeper @ net.second.T) * (hidden.reshape(-1, UNITS) > 0)
    flat = marks.reshape(-1, N_MARKS)
    by_choice = by_hidden.reshape(n, options, UNITS).sum(axis=1)
    return float((error**2).sum() / n), {
        "situation": situations.T @ by_choice,
        "marks": flat.T @ by_hidden,
        "first_bias": by_hidden.sum(axis=0),
        "second": hidden.reshape(-1, UNITS).T @ by_deeper,
        "second_bias": by_deeper.sum(axis=0),
        "third": deeper.reshape(-1, DEEPER).T @ rows,
        "direct": flat.T @ rows,
    }


def fit(
    lessons: Lessons, *, seed: int, epochs: int | None = None, start: np.record | None = None,
    report: Callable[[int, float], None] | None = None,
) -> np.record:  # fmt: skip
    """Return a policy fitted to the lessons; `start`: one to go on from. The same arguments give the same policy."""
    if start is None:
        net, rate, usual = first_policy(seed), RATE, EPOCHS
    else:
        net, rate, usual = start.copy(), RATE_ON, EPOCHS_ON
        net.direct[OWN : OWN + len(ASKED)] -= MARGINS

    def by_batch(chosen: np.ndarray) -> tuple[float, dict[str, np.ndarray]]:
        situations = lessons.situations[lessons.turn[chosen]].astype(np.float32)
        return gradients(net, situations, lessons.marks[chosen].astype(np.float32), lessons.worths[chosen])

    descend(net, PARTS, len(lessons.turn), np.random.default_rng([seed, 2]), epochs or usual, BATCH, rate, by_batch, report)
    net.direct[OWN : OWN + len(ASKED)] += MARGINS
    return net


def gains(net: np.record, lessons: Lessons) -> np.ndarray:
    """Return, for each choice, by how much more the policy's option led to a win than the planner's."""
    found = []
    for at in range(0, len(lessons.turn), 10_000):
        part = lessons.only(np.arange(at, min(at + 10_000, len(lessons.turn))))
        marks = part.marks.astype(np.float32)
        said = policies.scores(net, part.situations[part.turn].astype(np.float32), marks)
        said = np.where(np.isnan(part.worths), -np.inf, said)
        row = np.arange(len(said))
        own = marks[:, :, OWN : OWN + len(ASKED)].sum(axis=2).argmax(axis=1)
        found.append(part.worths[row, said.argmax(axis=1)] - part.worths[row, own])
    return np.concatenate(found)
