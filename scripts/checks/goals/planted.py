"""Does the search for goals find and undo spoiled numbers, leave others alone, and do its intervals hold?

    python -m newdawn.scripts.checks.goals.planted --out build/goals

The goals are the printed game: every leader's win rate, the build rate of every world wonder and the claim rate of every agenda
within a few points of their printed values, and the median length within a round. *Spoiled*: this many numbers, drawn at random
from those that take the game HARM further from its goals, are moved as far as they can come back from. The search knows neither
which nor how many. A number is undone if the advised point moves it back at least half of the way. *Null*: the printed game
itself, with other seeds. After each trial the advised point is played again with other seeds, and the intervals of the
confirmation have to agree with these games.

Each trial is a line of OUT/trials.jsonl, so a stopped check continues where it stopped; at the end it prints the table.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click
import numpy as np

from ....analysis.goals.games import Bands, Choice, GoalsTable, GoalsTables, Space, distance_of
from ....analysis.goals.seek import Sought, seek
from ....analysis.goals.stages import ratio_of
from ....analysis.goals.wishes import KINDS, Figure, Goals, NumberEntry, Wish, catalogue, subjects
from ....analysis.questions.possible_changes import Lever, levers, reach_of
from ....analysis.stats.bands import agree
from ....analysis.stats.rates import wilson
from ....simulator.errors import counted
from ....simulator.rules import load_ruleset
from ....simulator.rules.edit import change
from ....simulator.rules.load import Ruleset

PATTERNS = ("leaders.*.abilities.*", "leaders.*.start_trade_tokens.*", "wonders.*.cost")
FELT = 0.1  # build rate from which a wonder's cost has an effect
HARM = 4.0  # effect of a spoiled number, in margins: a figure eight points outside its band
LOOK = 6_000  # games to measure it
REACH = {"win-rate": 0.06, "build-rate": 0.06, "claim-rate": 0.06}
TRUTH = 8_000  # games of the printed rules, for the centres of the bands
SEEDS = {"truth": 777, "look": 778, "again": 90_000}
ALLOWED = 3  # changes in trials of the printed game
ENOUGH = 8_000  # fresh games in these; with fewer no band is shown to be met
TRIALS = "trials.jsonl"


@dataclass(frozen=True)
class TrialSettings:
    """Who plays, and how many games a trial may take."""

    players: int
    way: str
    games: int
    fresh: int

    @property
    def table(self) -> GoalsTable:
        """The table that plays."""
        return GoalsTable(self.players, self.way)


class PlantedCheck:
    """The printed game, goals that it meets, and trials of the search for them."""

    def __init__(self, settings: TrialSettings, out: Path, jobs: int) -> None:
        self.settings, self.out, self.jobs = settings, out, jobs
        self.printed = load_ruleset()
        self.figures = catalogue(self.printed)

    def tables(self, seed: int, folder: str | None = None) -> GoalsTables:
        """Return tables that play games of a seed, kept in a folder of that name."""
        return GoalsTables(self.printed, self.figures, seed, None if folder is None else self.out / folder, self.jobs)

    @cached_property
    def truth(self) -> np.ndarray:
        """The figures of games of the printed rules."""
        tables = self.tables(SEEDS["truth"], "truth")
        with tables.open():
            return tables.play(self.settings.table, self.printed, TRUTH)

    def rate(self, figure: Figure) -> float:
        """Return a figure of the printed game."""
        y, m = self.truth[:, self.figures.index(figure)].sum(axis=0, dtype=float)
        return float(y / m) if m else 0.0

    def goals(self, at_most: int) -> Goals:
        """Return goals that the printed rules meet: bands around their figures."""
        players, wishes = self.settings.players, []
        for at, (word, reach) in enumerate(REACH.items()):
            for name in subjects(self.printed, KINDS[word], players):
                rate = self.rate(figure := Figure(KINDS[word], (name,)))
                wishes.append(Wish(at, figure, players, max(0.0, rate - reach), rate + reach))
        median = float(np.median(self.truth[:, self.figures.index(Figure(KINDS["game-length"])), 0]))
        wishes.append(Wish(len(REACH), Figure(KINDS["median-length"]), players, median - 1, median + 1))
        numbers = tuple(NumberEntry(path=path) for path in PATTERNS)
        return Goals(
            "planted", "the printed game", self.printed.box, tuple(wishes), (self.settings.way,), numbers=numbers,
            at_most=at_most, games=self.settings.games,
        )  # fmt: skip

    # --- Spoiled numbers

    def spoil(self, places: int, seed: int) -> tuple[Ruleset, dict[str, tuple[int, int]]]:
        """Return the rules with this many numbers spoiled, and these by name with both values."""
        rng = np.random.default_rng([places, seed])
        rules, far = self.printed, 0.0
        moved: dict[str, tuple[int, int]] = {}
        for at in rng.permutation(len(self.harmful)):
            lever, value = self.harmful[at]
            if len(moved) == places or card_of(lever.name) in map(card_of, moved):
                continue
            spoiled = change(rules, dict.fromkeys(lever.parameters, value))
            if (further := self.distance(spoiled)) >= far + HARM:
                rules, far = spoiled, further
                moved[lever.name] = (lever.value, value)
        return rules, moved

    @cached_property
    def harmful(self) -> list[tuple[Lever, int]]:
        """The single changes, each as far as it goes, that take the printed game at least HARM from its goals."""
        cache = self.out / "harmful.json"
        if not cache.exists():
            cache.write_text(json.dumps(self._harmful()), "utf-8")
        by_name = {lever.name: lever for lever in levers(self.printed, PATTERNS)}
        return [(by_name[name], value) for name, value in json.loads(cache.read_text("utf-8"))]

    def _harmful(self) -> list[tuple[str, int]]:
        far = [
            (choice.lever, value)
            for choice in Space.of(self.printed, self.goals(1)).choices
            if self._felt(choice.lever.name)
            for value in ends(choice)
        ]
        return [
            (lever.name, value)
            for lever, value in far
            if self.distance(change(self.printed, dict.fromkeys(lever.parameters, value))) >= HARM
        ]

    def _felt(self, name: str) -> bool:
        kind, key, *_ = name.split(".")
        if kind == "wonders":
            return self.rate(Figure(KINDS["build-rate"], (self.printed.data["wonders"][key]["name"],))) >= FELT
        return "start_trade_tokens" not in name or name.endswith(".*")

    def distance(self, ruleset: Ruleset) -> float:
        """Return how far a ruleset is from the goals."""
        with self.looking.open():
            games = self.looking.play(self.settings.table, ruleset, LOOK)
        return distance_of(Bands(self.goals(1), self.figures), {self.settings.table: games})[0]

    @cached_property
    def looking(self) -> GoalsTables:
        """The tables that measure distances."""
        return self.tables(SEEDS["look"], "look")

    # --- Trials

    def trial(self, places: int, seed: int) -> dict[str, Any]:
        """Spoil this many numbers, none for the null, and let the search undo them; return the outcome."""
        rules, moved = self.spoil(places, seed) if places else (self.printed, {})
        began, folder = time.monotonic(), self.out / f"trial-{places}-{seed}"
        goals = self.goals(places + 1 if places else ALLOWED)
        fresh = self.settings.fresh if places else ENOUGH
        sought = seek(goals, rules, seed=seed, out=folder, jobs=self.jobs, fresh=fresh)
        front = sought.answer.front
        row = front.iloc[sought.answer.advised]
        outcome = {
            "places": places, "seed": seed, "undone": undone(sought, moved), "cards": cards(sought, moved),
            "changes": int(row["changes"]), "met": int(row["met"]), "missed": int(row["missed"]), "wishes": int(row["wishes"]),
            "from": round(float(front["distance"].iloc[0]), 2), "to": round(float(row["distance"]), 2),
            "curse": [round(gap, 2) for gap in curse(sought)], "agree": self.again(sought, seed), "within": within(sought),
            "spoiled": moved, "notes": row["what"], "seconds": round(time.monotonic() - began),
        }  # fmt: skip
        shutil.rmtree(folder)
        return outcome

    def again(self, sought: Sought, seed: int) -> list[int]:
        """Play the advised point with other seeds; return how many figures agree with the confirmation, out of how many."""
        course, n = sought.course, self.settings.fresh
        ruleset = sought.space.ruleset_of(sought.answer.points[sought.answer.advised])
        assert ruleset is not None
        tables = self.tables(SEEDS["again"] + seed)
        with course.tables.open(), tables.open():
            confirmed = course.tables.play(self.settings.table, ruleset, n, fresh=True)
            again = tables.play(self.settings.table, ruleset, n)
        both = [{self.settings.table: games} for games in (confirmed, again)]
        intervals = [[ratio_of(column, games).interval() for games in both] for column in course.bands.columns]
        held = [agree(first[:3], second[:3]) for first, second in intervals if first[3] and second[3]]
        return [sum(held), len(held)]


def ends(choice: Choice) -> list[int]:
    """Return the lowest and the highest value of a number from which its printed value is in reach."""
    own = choice.lever.value
    back = [value for value in choice.values if abs(value - own) <= reach_of(value)]
    return list(dict.fromkeys([*back[:1], *back[-1:]]))


def undone(sought: Sought, moved: dict[str, tuple[int, int]]) -> int:
    """Return how many of the numbers stand in the advised point, moved back at least half of the way."""
    point = sought.answer.points[sought.answer.advised]
    own = {sought.space.choices[lever].lever.name: value for lever, value in point}
    back = [abs(own[name] - value) >= abs(was - value) / 2 for name, (was, value) in moved.items() if name in own]
    return sum(back)


def cards(sought: Sought, moved: dict[str, tuple[int, int]]) -> int:
    """Return on how many of the cards with a spoiled number the advised point changes any number."""
    point = sought.answer.points[sought.answer.advised]
    touched = {card_of(sought.space.choices[lever].lever.name) for lever, _ in point}
    return sum(card_of(name) in touched for name in moved)


def card_of(name: str) -> str:
    """Return the leader or wonder of a number."""
    return name.split(".")[1]


def curse(sought: Sought) -> list[float]:
    """Return for each chosen point its distance from the goals by fresh games, less the one expected by the model."""
    expected = sought.course.bands.distance(sought.result.expected[0])
    confirmed = sought.answer.front["distance"].to_numpy()
    return [float(gap) for gap in confirmed[1:] - expected[1:]]


def within(sought: Sought) -> dict[str, list[int]]:
    """Return, by kind, how many figures of the chosen points agree with the model, and how many there are."""
    frame = sought.answer.expected
    if not len(frame):
        return {}
    return {
        str(kind): [int(rows["within"].sum()), len(rows)]
        for kind, rows in frame[frame["point"] > 0].groupby("kind", sort=False)
    }


# --- The table


def table_lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table."""
    for places in sorted({row["places"] for row in rows}):
        own = [row for row in rows if row["places"] == places]
        seconds = f"{np.median([row['seconds'] for row in own]):.0f} s a trial"
        if places == 0:
            alone = sum(row["changes"] == 0 for row in own)
            yield f"nothing spoiled: changed nothing in {alone} of {counted(len(own), 'seed')}, {seconds}"
            continue
        whole = sum(row["undone"] == places for row in own)
        far, left, changes = (np.mean([row[key] for row in own]) for key in ("from", "to", "changes"))
        numbers, on_cards = (sum(row[key] for row in own) for key in ("undone", "cards"))
        yield (
            f"{counted(places, 'place')} spoiled: all found and undone in {whole} of {counted(len(own), 'seed')} "
            f"({numbers} of {places * len(own)} numbers, a change on {on_cards} of their cards); {changes:.1f} changes; "
            f"distance {far:.1f} → {left:.1f}, {seconds}"
        )
    yield f"confirmation against other seeds: {_share([row['agree'] for row in rows])}"
    for kind in dict.fromkeys(kind for row in rows for kind in row["within"]):
        yield f"model against fresh games, {kind}: {_share([row['within'][kind] for row in rows if kind in row['within']])}"
    if every := [counts for row in rows for counts in row["within"].values()]:
        yield f"model against fresh games, all: {_share(every)}"
    curses = np.array([gap for row in rows for gap in row["curse"]])
    if len(curses) > 1:
        error = curses.std(ddof=1) / np.sqrt(len(curses))
        yield f"winner's curse: confirmed less expected distance {curses.mean():+.2f} ± {1.96 * error:.2f} (n = {len(curses)})"


def _share(counts: Sequence[Sequence[int]]) -> str:
    held, n = np.sum(np.array(counts).reshape(-1, 2), axis=0)
    low, high = wilson(held, n)
    return f"{100 * held / max(n, 1):.1f}% [{100 * float(low):.1f}, {100 * float(high):.1f}] of {n:,} figures agree (95%)"


def done(path: Path) -> list[dict[str, Any]]:
    """Return the trials of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--places", default="1,3,6", show_default=True, help="Numbers spoiled.")
@click.option("--seeds", type=int, default=10, show_default=True, help="Trials of each.")
@click.option("--nulls", type=int, default=20, show_default=True, help="Trials with nothing spoiled.")
@click.option("--first", type=int, default=1, show_default=True, help="First seed.")
@click.option("--players", type=int, default=2, show_default=True)
@click.option("--way", default="planner", show_default=True)
@click.option("--all-games", "games", type=int, default=100_000, show_default=True, help="Of a trial.")
@click.option("--fresh", type=int, default=3_000, show_default=True, help="Fresh games of each point.")
@click.option("--jobs", type=int, default=1, show_default=True)
def main(
    out: Path, places: str, seeds: int, nulls: int, first: int, players: int, way: str, games: int, fresh: int, jobs: int
) -> None:  # fmt: skip
    """Check the search for goals."""
    check = PlantedCheck(TrialSettings(players, way, games, fresh), out, jobs)
    out.mkdir(parents=True, exist_ok=True)
    settings, content = out / "settings.json", json.dumps(asdict(check.settings))
    if settings.exists() and settings.read_text("utf-8") != content:
        raise click.ClickException(f"{out}: holds trials with other settings: {settings.read_text('utf-8')}")
    settings.write_text(content, "utf-8")
    wanted = [(count, seed) for seed in range(first, first + seeds) for count in map(int, places.split(",")) if count]
    wanted += [(0, seed) for seed in range(first, first + nulls)]
    rows = done(out / TRIALS)
    missing = [trial for trial in wanted if trial not in {(row["places"], row["seed"]) for row in rows}]
    began = time.monotonic()
    for at, (count, seed) in enumerate(missing):
        row = check.trial(count, seed)
        with (out / TRIALS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        rows.append(row)
        spent = time.monotonic() - began
        minutes = spent / (at + 1) * (len(missing) - at - 1) / 60
        outcome = f"{row['undone']} of {count} undone" if count else f"{row['changes']} changes"
        click.echo(f"trial {len(rows)} of {len(wanted)}, seed {seed}: {outcome}; about {minutes:.0f} min left", err=True)
    click.echo("\n".join(table_lines(rows)))


if __name__ == "__main__":
    main()
