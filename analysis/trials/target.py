"""What a search for a rule is to reach: a figure (`headline`), and the value it should have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...simulator import names
from ...simulator.errors import UserError, named, unknown
from ...simulator.rules.contents import printed_names
from .compare import SPREAD
from .headline import ROUNDS, SEAT_SPREAD, figures_with, leader_rates, seat_rates

# Word of a target: what it is the rate of, and the figure's name.
RATES = {
    "win-rate": ("leader", "win rate of"),
    "claim-rate": ("agenda", "claim rate of"),
    "build-rate": ("wonder", "build rate of"),
}
FIRST_PLAYER = "win rate of the first player"
SPREADS = {"leader-spread": (SPREAD[1], leader_rates), "seat-spread": (SEAT_SPREAD[1], seat_rates)}
TARGETS = (
    *SPREADS, "game-length=ROUNDS", "first-player=SHARE",
    *(f"{word}:{what.upper()}=SHARE" for word, (what, *_) in RATES.items()), "effect:WONDER=POINTS",
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """What is wanted: a figure, and the value it should have (None: as small as possible)."""

    text: str
    figure: str
    wanted: float | None = None
    leaders: tuple[str, ...] = names.LEADERS  # of the ruleset, by their codes
    granted: str | None = None  # the wonder whose effect is asked for: each game is played with it given to a seat, too

    def loss(self, values: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss in the games (headline.py), and its linearised term for each game."""
        for figure, rates in SPREADS.values():
            if self.figure == figure:
                return rates(values).variance()
        index = [figure for _, figure in figures_with(self.leaders)].index(self.figure)
        y, m = values[:, index, 0].astype(float), values[:, index, 1].astype(float)
        if m.sum() == 0:
            raise UserError(f"target {self.text}: what it asks about occurs in none of the games")
        value = y.sum() / m.sum()
        terms = (y - value * m) / m.mean()
        if self.wanted is None:
            return float(value), terms
        return abs(float(value) - self.wanted), np.sign(value - self.wanted) * terms


def parse_target(text: str, leaders: Sequence[str] = names.LEADERS, box: str = names.BOXES[0]) -> Target:
    """Return the target that a text such as 'win-rate:Egypt=25%' means in the box; raise UserError if it means none."""
    known = tuple(leaders)
    what, _, number = text.partition("=")
    word, _, name = what.strip().partition(":")
    if word in SPREADS:
        if number or name:
            raise UserError(f"target '{text}': {word} takes no value; it is made as small as possible")
        return Target(text, SPREADS[word][0], leaders=known)
    if word == "game-length" and not name:
        rounds = _number(text, number) if number else None
        if rounds is not None and not 0 < rounds < float("inf"):
            raise UserError(f"target '{text}': expected a number of rounds above 0; game-length alone: the shortest")
        return Target(text, "rounds", rounds, known)
    if word == "first-player" and not name:
        return Target(text, FIRST_PLAYER, _share(text, number), known)
    if word in RATES:
        what, figure = RATES[word]
        found = named(what, name, known if word == "win-rate" else printed_names(box, what))
        return Target(text, f"{figure} {found}", _share(text, number), known)
    if word == "effect":
        found = named("wonder", name, printed_names(box, "wonder"))
        return Target(text, f"effect of {found}", _points(text, number), known, granted=found)
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
    """Return how near to the target is near enough, from a text such as '2%' (shares) or '0.5' (rounds); None: the default."""
    if text is None:
        return None
    if target.wanted is None:
        raise UserError(f"--margin: target {target.text} has no value to be near; leave --margin out")
    is_share = target.figure != ROUNDS
    number = text.strip().removesuffix("rounds").removesuffix("%").strip()
    try:
        found = float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        found = float("nan")
    if not 0 < found < (0.5 if is_share else float("inf")) or (not is_share and "%" in text):
        raise UserError(f"--margin '{text}': expected {'a share such as 2%' if is_share else 'a number of rounds such as 0.5'}")
    return found


def _number(text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise UserError(f"target '{text}': '{number}' is no number") from None
