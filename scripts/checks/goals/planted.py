"""Is what is spoiled found and undone, is what is right left alone, and do the intervals hold?

    python -m newdawn.scripts.checks.goals.planted spoiled --places 1,3,6 --seeds 10 --all-games 300000
    python -m newdawn.scripts.checks.goals.planted null --seeds 20
    python -m newdawn.scripts.checks.goals.planted coverage --games 40000

The goals are the printed game: every leader's win rate, the build rate of every world wonder and the claim rate of every agenda
within a few points of what they are in it, and the median length within a round. *Spoiled*: so many numbers, drawn by lot of
those that a goal can feel, are moved as far as they go; the search knows neither which nor how many. Found is a number that
stands in the advised point moved back at least half of the way. *Null*: the printed game itself. *Coverage*: the intervals of
pieces of a long run against the whole.
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from ....analysis.goals.bands import Bands, distance_of
from ....analysis.goals.changes import Space
from ....analysis.goals.figures import KINDS, Figure, catalogue, subjects
from ....analysis.goals.games import Table, Tables
from ....analysis.goals.seek import Sought, seek
from ....analysis.goals.verdicts import interval
from ....analysis.goals.wishes import Goals, NumberEntry, Wish
from ....simulator.rules import load_ruleset
from ....simulator.rules.loading.load import Ruleset
from ....simulator.rules.loading.parameters import change
from ....simulator.wording import counted

PATTERNS = ("leaders.*.abilities.*", "leaders.*.start_trade_tokens.*", "wonders.*.cost")
FELT = 0.1  # build rate from which a wonder's cost is felt
HARM = 1.0  # distance that each number spoiled adds at least, in units of what matters
LOOK = 1_500  # games that tell the distance
REACH = {"win-rate": 0.06, "build-rate": 0.06, "claim-rate": 0.06}
TRUTH = 8_000  # games of the printed rules that the bands are laid around
PIECE = 400


def goals_around(rules: Ruleset, players: int, way: str, at_most: int, truth: dict[Figure, float], median: float) -> Goals:
    """Return goals that the rules meet: bands around what they come to."""
    wishes = []
    for at, (word, reach) in enumerate(REACH.items()):
        for name in subjects(rules, KINDS[word], players):
            figure = Figure(KINDS[word], (name,))
            wishes.append(Wish(at, figure, players, max(0.0, truth[figure] - reach), truth[figure] + reach))
    wishes.append(Wish(len(REACH), Figure(KINDS["median-length"]), players, median - 1, median + 1))
    numbers = tuple(NumberEntry(path=path) for path in PATTERNS)
    return Goals("planted", "the printed game", rules.box, tuple(wishes), (way,), numbers=numbers, at_most=at_most)


def truth_of(rules: Ruleset, players: int, way: str, jobs: int) -> tuple[dict[Figure, float], float]:
    """Return the figures of the rules in many games of a seed of their own, and the median length."""
    figures = catalogue(rules)
    tables = Tables(rules, figures, 777, None, jobs)
    with tables.open():
        games = tables.play(Table(players, way), rules, TRUTH)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = games[:, :, 0].sum(axis=0, dtype=float) / games[:, :, 1].sum(axis=0, dtype=float)
    rounds = figures.index(Figure(KINDS["game-length"]))
    return dict(zip(figures, map(float, found), strict=True)), float(np.median(games[:, rounds, 0]))


def spoil(
    rules: Ruleset, goals: Goals, truth: dict[Figure, float], places: int, seed: int, jobs: int
) -> tuple[Ruleset, dict[str, tuple[int, int]]]:  # fmt: skip
    """Return the rules with so many numbers moved as far as they go, and these: from which value to which.

    Each of them takes the game further from its goals: what nobody can feel, nobody can find.
    """
    space = Space.of(rules, goals)
    built = {figure.subject[0]: value for figure, value in truth.items() if figure.kind.word == "build-rate"}
    names = {key: entry["name"] for key, entry in rules.data["wonders"].items()}
    bands = Bands(goals, catalogue(rules))
    (table,) = bands.tables

    def felt(lever: Any) -> bool:
        steps = lever.name.split(".")
        if steps[0] == "wonders":
            return built[names[steps[1]]] >= FELT
        return "start_trade_tokens" not in lever.name or lever.name.endswith(".*")

    def distance(changed: Ruleset) -> float:
        tables = Tables(changed, bands.figures, 778, None, jobs)
        with tables.open():
            return _distance(bands, table, tables.play(table, changed, LOOK))

    rng = np.random.default_rng(seed)
    chosen = [choice for choice in space.choices if felt(choice.lever)]
    moved: dict[str, tuple[int, int]] = {}
    found, far = rules, 0.0
    for at in rng.permutation(len(chosen)):
        lever = chosen[at].lever
        if len(moved) == places or lever.name.split(".")[1] in {name.split(".")[1] for name in moved}:
            continue
        value = chosen[at].values[-1] if rng.random() < 0.5 else chosen[at].values[0]
        changed = change(found, dict.fromkeys(lever.parameters, value))
        if (further := distance(changed)) >= far + HARM:
            found, far = changed, further
            moved[lever.name] = (lever.value, value)
    return found, moved


def undone(sought: Sought, moved: dict[str, tuple[int, int]]) -> int:
    """Return how many of the numbers stand in the advised point, moved back at least half of the way."""
    point = sought.answer.points[sought.answer.advised]
    own = {sought.space.choices[lever].lever.name: value for lever, value in point}
    back = [abs(own[name] - value) >= abs(was - value) / 2 for name, (was, value) in moved.items() if name in own]
    return sum(back)


def curse(sought: Sought) -> float:
    """Return how much nearer the model expected the advised point than fresh games say."""
    at = sought.answer.advised
    expected = float(sought.course.bands.distance(sought.found.expected[at])) if len(sought.found.expected) else 0.0
    return float(sought.answer.front["distance"].iloc[at]) - expected


@click.group()
def main() -> None:
    """Check the search for goals."""


PLAYED = [
    click.option("--players", type=int, default=2, show_default=True),
    click.option("--way", default="planner", show_default=True),
    click.option("--jobs", type=int, default=2, show_default=True),
    click.option("--first", type=int, default=1, show_default=True, help="First seed."),
    click.option("--seeds", type=int, default=10, show_default=True),
]


def _played(function: Any) -> Any:
    for option in PLAYED:
        function = option(function)
    return function


@main.command()
@_played
@click.option("--places", default="1,3,6", show_default=True)
@click.option("--all-games", type=int, default=300_000, show_default=True)
@click.option("--fresh", type=int, default=6_000, show_default=True)
def spoiled(players: int, way: str, jobs: int, first: int, seeds: int, places: str, all_games: int, fresh: int) -> None:
    """Spoil the printed game and let the search undo it."""
    printed = load_ruleset()
    truth, median = truth_of(printed, players, way, jobs)
    for count in map(int, places.split(",")):
        for seed in range(first, first + seeds):
            goals = replace(goals_around(printed, players, way, max(2, count + 1), truth, median), games=all_games)
            rules, moved = spoil(printed, goals, truth, count, seed, jobs)
            began = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                sought = seek(goals, rules, seed=seed, out=Path(folder), jobs=jobs, fresh=fresh)
            row = sought.answer.front.iloc[sought.answer.advised]
            inside = sought.answer.expected
            said = {
                "places": count, "seed": seed, "undone": undone(sought, moved), "changes": int(row["changes"]),
                "met": int(row["met"]), "missed": int(row["missed"]), "wishes": int(row["wishes"]),
                "rules_distance": float(sought.answer.front["distance"].iloc[0]), "distance": float(row["distance"]),
                "curse": curse(sought), "within": float(inside["within"].mean()) if len(inside) else None, "spoiled": moved,
                "notes": row["what"], "seconds": round(time.monotonic() - began),
            }  # fmt: skip
            click.echo(json.dumps(said, ensure_ascii=False))


@main.command()
@_played
@click.option("--fresh", type=int, default=6_000, show_default=True)
@click.option("--all-games", type=int, default=100_000, show_default=True)
def null(players: int, way: str, jobs: int, first: int, seeds: int, fresh: int, all_games: int) -> None:
    """Ask for goals that the printed game meets: nothing should be changed."""
    printed = load_ruleset()
    truth, median = truth_of(printed, players, way, jobs)
    goals = replace(goals_around(printed, players, way, 3, truth, median), games=all_games)
    alone = 0
    for seed in range(first, first + seeds):
        sought = seek(goals, printed, seed=seed, jobs=jobs, fresh=fresh)
        row = sought.answer.front.iloc[sought.answer.advised]
        alone += int(row["changes"] == 0)
        click.echo(
            json.dumps({"seed": seed, "changes": int(row["changes"]), "met": int(row["met"]), "wishes": int(row["wishes"])})
        )
    click.echo(f"changed nothing: {alone} of {counted(seeds, 'seed')}")


@main.command()
@_played
@click.option("--games", type=int, default=40_000, show_default=True)
def coverage(players: int, way: str, jobs: int, first: int, seeds: int, games: int) -> None:
    """Compare the intervals of pieces of a long run with the whole run."""
    printed = load_ruleset()
    figures = catalogue(printed)
    truth, median = truth_of(printed, players, way, jobs)
    bands = Bands(goals_around(printed, players, way, 3, truth, median), figures)
    tables = Tables(printed, figures, first, None, jobs)
    with tables.open():
        (table,) = bands.tables
        values = tables.play(table, printed, games)
    hits: dict[str, list[bool]] = {}
    for column in bands.columns:
        whole = interval(column, values)[0]
        for start in range(0, games, PIECE):
            _, low, high, n = interval(column, values[start : start + PIECE])
            if n:
                hits.setdefault(column.kind.word, []).append(bool(low <= whole <= high))
    for word, found in hits.items():
        click.echo(f"{word}: {100 * np.mean(found):.1f}% of {len(found):,} intervals hold the whole run's figure")
    every = [hit for found in hits.values() for hit in found]
    click.echo(
        f"all: {100 * np.mean(every):.1f}% of {len(every):,}; distance of the rules {_distance(bands, table, values):.2f}"
    )


def _distance(bands: Bands, table: Table, values: np.ndarray) -> float:
    return distance_of(bands, {table: values})[0]


if __name__ == "__main__":
    main()
