"""House rules at the limits of what is accepted, played with every index and every invariant checked.

    python -m newdawn.scripts.checks.limits --sets 2000
    NUMBA_DISABLE_JIT=1 python -m newdawn.scripts.checks.limits --first 17 --sets 1    # where does set 17 fail?

A set makes up to six changes to a box: a number becomes the highest or lowest that the models accept, a switch is flipped,
another ruling chosen, a focus card gets a part that the printed one does not have. Strategies are drawn from the fast ones of
the box. The functions are compiled with the checks of users' functions (NEWDAWN_CHECKED=1, which this command sets). Faults are
indices beyond an array or below zero, divisions by zero, broken invariants, and games that take longer than --seconds.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import click

from ...simulator import compile_cache, names
from .hostile import Trials, tellings

CHANGES = 6
ROUND_CAP = 25
HIGHEST = (99, 63, 40, 24, 20, 18, 12, 9, 7, 6, 5, 4, 3, 2, 1)  # tried in this order until one is accepted
LOWEST = (-99, -20, -9, -1, 0, 1, 2)
REFUSED, HELD = "refused", "held"


@cache
def printed(box: str) -> Any:
    """Return the printed rules of the box."""
    from ...simulator.rules.load import load_ruleset

    return load_ruleset(box=box)


@cache
def places(box: str) -> dict[str, Any]:
    """Return, by path, what can be changed: numbers, switches, rulings that the engine reads, and parts for cards."""
    from ...simulator.rules.load import compiled
    from ...simulator.rules.printed_game import leaves

    data = printed(box).data
    read = compiled(data)[1]
    values = {path: value for path, value in leaves(data) if path in read and isinstance(value, int)}
    rulings = {f"rulings.{key}": choice for key, choice in data["rulings"].items()}
    return values | rulings | dict.fromkeys(card_parts(data), 0)


def card_parts(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths of numbers that house rules may give a focus card which the printed one does not have."""
    from ...simulator.rules.card_parts import parts_of
    from ...simulator.rules.ruleset_contents import section

    box = section(data)
    for key, card in data["focus_cards"][box].items():
        for part in parts_of(card["type"], box):
            group, _, name = part.path.partition(".")
            if name and group not in card and part.column and not part.words:
                yield f"focus_cards.{box}.{key}.{part.path}"


def nested(path: str, value: Any) -> dict[str, Any]:
    """Return the house rules that set the path to this value."""
    for step in reversed(path.split(".")):
        value = {step: value}
    return value


def merged(overlay: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return house rules with the changes of both."""
    both = dict(overlay)
    for key, value in other.items():
        both[key] = merged(both[key], value) if isinstance(value, dict) and isinstance(both.get(key), dict) else value
    return both


def accepted(box: str, overlay: dict[str, Any]) -> bool:
    """Return whether these house rules are accepted."""
    from ...simulator.errors import UserError
    from ...simulator.rules.load import with_overlay

    try:
        with_overlay(printed(box), overlay, "limits")
    except UserError:
        return False
    return True


@cache
def limit(box: str, path: str, values: tuple[int, ...]) -> int | None:
    """Return the first of the values that is accepted at the path, None if none is."""
    return next((value for value in values if accepted(box, nested(path, value))), None)


def drawn_value(dice: random.Random, box: str, path: str, value: Any) -> Any:
    """Return another value for the path: a switch flipped, another choice of a ruling, or a limit of a number."""
    from ...simulator.rules.printed_game import ruling_options

    if path.startswith("rulings."):
        return dice.choice(sorted(ruling_options(box)[path.removeprefix("rulings.")]["options"]))
    if isinstance(value, bool):
        return not value
    return limit(box, path, dice.choice((HIGHEST, LOWEST)))


def drawn_overlay(seed: int, number: int) -> tuple[str, dict[str, Any]]:
    """Return the box and the house rules of a set."""
    dice = random.Random(f"{seed} {number}")
    box = names.BOXES[number % len(names.BOXES)]
    values = places(box)
    overlay: dict[str, Any] = {}
    files: dict[str, list[str]] = {}
    for path in sorted(values):
        files.setdefault(path.partition(".")[0], []).append(path)
    for _ in range(dice.randint(1, CHANGES)):
        path = dice.choice(files[dice.choice(sorted(files))])  # else most changes would be of cards and leaders
        value = drawn_value(dice, box, path, values[path])
        more = merged(overlay, nested(path, value))
        overlay = more if value is not None and accepted(box, more) else overlay
    return box, overlay


def play(box: str, overlay: dict[str, Any], seed: int, number: int) -> str:
    """Play a game by the house rules; return REFUSED or HELD. Raise RuntimeError for a fault."""
    import numpy as np

    from ...simulator.engine import audit, state
    from ...simulator.engine.audit import observe_audit
    from ...simulator.engine.choosing import seed_streams
    from ...simulator.engine.compile.jit import seat_strategies
    from ...simulator.engine.setup import start_game
    from ...simulator.engine.turn import play_game
    from ...simulator.rules.load import with_overlay
    from ...simulator.runs.run_plan import player_counts
    from ...strategies.registry import fast, find

    if not overlay:
        return REFUSED
    r, g, w = with_overlay(printed(box), overlay, "limits").compile(), state.new_state(), state.new_work()
    lot = np.random.default_rng([seed, number])
    players = int(lot.choice(list(player_counts(r))))
    g.players, g.round_cap = players, ROUND_CAP
    g.leader[:players] = lot.permutation(np.flatnonzero(r.leader_available))[:players]
    seats = [find(name) for name in lot.choice(fast(box), size=players)]
    for seat, strategy in enumerate(seats):
        g.weights[seat] = strategy.weights(players, box)[g.leader[seat]]
    bots = seat_strategies([strategy.load() for strategy in seats], observe_audit)
    seed_streams(g, seed, number)
    start_game(r, g, w, bots)
    play_game(r, g, w, bots)
    if w.fault_n != 0:
        raise RuntimeError(f"{seats[w.fault_seat].name} answered {w.fault_answer}, expected 0 to {w.fault_n - 1}")
    if w.violation != 0:
        raise RuntimeError(f"{audit.VIOLATIONS[w.violation]} (at {w.violation_at})")
    return HELD


def with_errors(trial: Callable[[], str]) -> str:
    """Return the outcome of a trial; raise the first error of a strategy, which cannot pass through the engine."""
    errors: list[str] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda raised: errors.append(repr(raised.exc_value))
    try:
        outcome = trial()
    finally:
        sys.unraisablehook = before
    if errors:
        raise RuntimeError(f"in a strategy: {errors[0]}")
    return outcome


@click.command()
@click.option("--sets", type=click.IntRange(1), default=2000, show_default=True, help="Sets of house rules to play.")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first set.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the sets.")
@click.option("--seconds", type=float, default=900.0, show_default=True, help="What takes longer, compiling included, hangs.")
def main(sets: int, first: int, seed: int, seconds: float) -> None:
    """Play house rules at the limits of what is accepted with all checks on; exit code 1 if any game fails."""
    os.environ.setdefault(compile_cache.CHECKED, "1")
    trials = Trials(seconds)
    for number in range(first, first + sets):
        box, overlay = drawn_overlay(seed, number)
        what = f"set {number}, {box}: {json.dumps(overlay)}"
        trials.tried(what, lambda: with_errors(lambda: play(box, overlay, seed, number)))  # noqa: B023  # called at once
    click.echo("\n".join(tellings("sets of house rules at their limits", trials)))
    sys.exit(1 if trials.faults else 0)


if __name__ == "__main__":
    main()
