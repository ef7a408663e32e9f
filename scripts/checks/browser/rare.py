"""Every kind of decision once in the browser, in games with known seeds, played by strategies up to the question.

Most kinds come in almost any game. For the others there are seeds, with house rules where the printed game comes to them too
seldom. If a seed no longer leads to its kind, the check says so, and another one has to be found.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import yaml

from ....simulator import names
from .chromium import settled
from .clicking import WAYS, Seen, answered, check, check_console, on_the_page

ROUNDS = 200  # random players need many


@dataclass(frozen=True)
class RareGames:
    """Games in which one strategy plays all seats: the seeds with their numbers of players."""

    box: str
    strategy: str
    games: tuple[tuple[int, int], ...]  # seed, players
    rules: dict[str, Any] | None = None


BASE, FRONTIER = names.BOXES
SETTINGS = (
    RareGames(BASE, "planner", ((0, 2), (18, 2), (22, 3), (28, 3), (142, 3), (216, 2))),
    RareGames(BASE, "random", ((1, 3),), {"components": {"per_player": {"base": {"control_tokens": 8}}}}),
    RareGames(BASE, "planner", ((27, 2),), {"diplomacy": {"limits": {"per_other_player": 2}}}),
    RareGames(FRONTIER, "planner", ((0, 2), (2, 4), (8, 2), (10, 4), (42, 4), (140, 2), (144, 2))),
    RareGames(FRONTIER, "random", ((3, 5), (9, 3), (17, 3), (301, 3))),
    RareGames(FRONTIER, "urbanist", ((32, 4), (10, 4))),
    RareGames(FRONTIER, "random", ((12, 5), (27, 4)), {
        "rulings": {"barbarian_vs_armies": "one_army"}, "dials": {"icon_effects": {"barbarians_move": {"steps": 4}}},
        "focus_cards": {"ti": {"masonry": {"armies": 4}}},
    }),
)  # fmt: skip


def found(missing: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield kinds of decisions, each with a saved game at its first question; those found are removed from `missing`."""
    for setting in SETTINGS:
        ruleset = _rules(setting)
        for seed, players in setting.games:
            if missing:
                yield from _met(ruleset, setting.strategy, seed, players, missing)


def _rules(setting: RareGames) -> Any:
    from ....simulator.rules import load_ruleset

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rare.yaml"
        path.write_text(yaml.safe_dump(setting.rules or {}), "utf-8")
        return load_ruleset([path] if setting.rules else [], box=setting.box)


def _met(ruleset: Any, strategy: str, seed: int, players: int, missing: set[str]) -> Iterator[tuple[str, Any]]:
    """Play a game until nothing is missing, and yield it at each question of a missing kind."""
    from ....simulator.replay.interactive_game import ME, SavedGame, plan_of

    plan = replace(plan_of(ruleset, (strategy,) * players, seed), round_cap=ROUNDS)
    saved = SavedGame(ruleset, plan, 0, (ME,) * players)
    sitting, plays = saved.sitting(), plan.strategy(strategy).load()
    try:
        while sitting.question is not None and missing:
            if sitting.question.kind in missing:
                missing.remove(sitting.question.kind)
                yield sitting.question.kind, replace(saved, choices=list(sitting.choices))
            sitting.answer(sitting.question.put(plays))
    finally:
        sitting.close()


def click_rare(driver: Any, seen: Seen) -> None:
    """Answer a question of every kind that is found, by list, keyboard and place, at two widths."""
    from ....simulator.engine.decisions import KINDS

    for number, (kind, kept) in enumerate(found(set(KINDS))):
        with on_the_page(driver, kept, (390, 1440)[number % 2]) as table:
            table.played.reckon = list  # an answer may end the game, and all choices before it were people's
            for k, way in enumerate(WAYS):
                page = settled(driver)
                check(page["kind"] == kind, f"{kind}: the page asks {page['kind']}")
                answered(driver, table, page, way, _option(table, way, k), seen)
                driver.execute_script("undo()")
            check(settled(driver)["kind"] == kind, f"{kind}: another question after taking the answer back")
            check_console(driver)
        click.echo(f"{kind}: answered")


def _option(table: Any, way: str, k: int) -> int:
    """Return an option: for the way "place" one that lies on the table, else the first, second or third."""
    from ....analysis.explorer.play import places

    question = table.played.question
    placed = [index for index, value in enumerate(question.options) if places(question, value)]
    return placed[-1] if way == "place" and placed else k % len(question)
