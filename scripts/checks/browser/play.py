"""Click whole games at the table in Chromium: python -m newdawn.scripts.checks.browser.play --games 10.

A script answers, mostly as the planner would, by list, keyboard, map, card and world wonder, takes choices back and makes
them again, and reloads the page. It stops at the first fault: a message of the page or its console, something that a choice
needs below a window of 1400 by 900, a choice other than the one clicked, another game after taking back, a question without
options, a missing end. It prints the kinds of decisions met, and the time of the slowest answer.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import click

from ....simulator import names
from ....simulator.errors import UserError
from .chromium import CHROMIUM, DRIVER, opened, settled
from .clicking import WAYS, Seen, answered, check, check_console, on_the_page
from .rare import click_rare

WIDTHS = (390, 1400)
AGAIN, BACK = 0.02, 0.03  # how often the page is reloaded, and choices are taken back
WELL = 0.85  # how often as the planner would, for random play never sees most of the game


@click.command()
@click.option(
    "--games", type=click.IntRange(1), default=10, show_default=True, help="Games for each box and number of players."
)
@click.option("--box", "boxes", type=click.Choice(names.BOXES), multiple=True, default=names.BOXES, help="Only this box.")
@click.option("--players", type=click.IntRange(2, 5), multiple=True, help="Only these numbers of players.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--rare", is_flag=True, help="Instead of whole games: the first question of each kind, in games that are known.")
def main(games: int, boxes: tuple[str, ...], players: tuple[int, ...], seed: int, rare: bool) -> None:
    """Click whole games of both boxes at all numbers of players."""
    if not (CHROMIUM and DRIVER):
        raise click.UsageError("there is no Chromium with its driver here")
    seen = Seen()
    tables = [(box, n) for box in boxes for n in range(2, names.MOST_PLAYERS[box] + 1) if not players or n in players]
    if not tables:
        raise click.UsageError(f"--players: no table of the box has {' or '.join(map(str, players))} seats")
    try:
        with opened() as driver:
            if rare:
                click_rare(driver, seen)
            else:
                _play_all(driver, tables, range(seed, seed + games), seen)
    except UserError as error:
        raise click.ClickException(str(error)) from None
    if not _tell(seen) and rare:
        raise SystemExit(1)


def _play_all(driver: Any, tables: Sequence[tuple[str, int]], seeds: Sequence[int], seen: Seen) -> None:
    """Click a game of each seed at each table, and print the progress."""
    begun = time.monotonic()
    for seed in seeds:
        for box, n in tables:
            click_game(driver, box, n, seed, seen)
            seen.games[f"{box}, {n} players"] += 1
            click.echo(
                f"{box}, {n} players, seed {seed}: {sum(seen.kinds.values())} questions of "
                f"{len(seen.kinds)} kinds, {time.monotonic() - begun:.0f} s, slowest answer {seen.slowest:.2f} s"
            )


def _tell(seen: Seen) -> bool:
    """Print the decisions met; return whether these are all kinds."""
    from ....simulator.engine.decisions import KINDS

    click.echo("; ".join(f"{where}: {n}" for where, n in sorted(seen.games.items())))
    click.echo(f"answered by {dict(seen.answered_by)}; slowest answer {seen.slowest:.2f} s")
    click.echo(f"kinds met: {', '.join(f'{kind} {n}' for kind, n in seen.kinds.most_common())}")
    missing = [kind for kind in KINDS if kind not in seen.kinds]
    click.echo(f"{len(seen.kinds)} of {len(KINDS)} kinds met; not met: {', '.join(missing) or 'none'}")
    return not missing


def click_game(driver: Any, box: str, n: int, seed: int, seen: Seen) -> None:
    """Click one game; people have half of the seats."""
    from ....simulator.replay.interactive_game import new_game
    from ....simulator.rules import load_ruleset

    seats = tuple(("me", "quick", "thinker", "me", "planner")[:n])
    with on_the_page(driver, new_game(load_ruleset(box=box), seats, seed), WIDTHS[seed % 2]) as table:
        _click(driver, table, random.Random(seed), seen)
        _check_end(driver)
        check_console(driver)


def _click(driver: Any, table: Any, rng: random.Random, seen: Seen) -> None:
    page = settled(driver)
    while not page["over"]:
        at = page["choice"]
        check(at == len(table.played.who) and page["n"] > 1, f"{page['kind']}: the page shows choice {at}")
        if rng.random() < AGAIN:
            driver.refresh()
            check(settled(driver)["choice"] == at, "another question after loading the page anew")
            check_console(driver)
        if rng.random() < BACK and page["undo"]:
            _back(driver, table)
        page = answered(driver, table, page, rng.choice(WAYS), _chosen(table, rng, page["n"]), seen)


def _chosen(table: Any, rng: random.Random, n: int) -> int:
    """Return the option to choose."""
    if rng.random() > WELL or not table.played.sitting.laid:
        return rng.randrange(n)
    option: int = table.do(lambda: _well(table.played))
    return option


def _well(played: Any) -> int:
    """Return what the planner would do; the thinker, which the page asks anyway, would take longer."""
    from ....simulator.replay.interactive_game import Branch
    from ....simulator.runs.run_plan import strategies

    planner, branch = strategies().find("planner"), Branch(played.sitting)
    question: Any = branch.question
    g = branch.state
    g.weights[question.seat] = planner.weights(int(g.players), played.kept.ruleset.box)[g.leader[question.seat]]
    picked = question.put(planner.load())
    played.thinker.finish(branch, picked)
    return int(picked)


def _back(driver: Any, table: Any) -> None:
    """Take the last choice of a person back, and make it again."""
    played = table.played
    at, before = len(played.who), (list(played.kept.choices), played.sitting.state.tobytes())
    driver.execute_script("undo()")
    back = settled(driver)["choice"]
    check(back < at and len(played.who) == back, "nothing was taken back")
    driver.execute_script(f"answer({before[0][back]})")
    settled(driver)
    check((played.kept.choices, played.sitting.state.tobytes()) == before, "another game after taking a choice back")


def _check_end(driver: Any) -> None:
    from selenium.webdriver.common.by import By

    driver.implicitly_wait(60)
    check(bool(driver.find_elements(By.CSS_SELECTOR, "#end svg")), "there is no end")
    driver.implicitly_wait(0)
    settled(driver)
    check(driver.find_element(By.ID, "question").text != "", "there is no headline")


if __name__ == "__main__":
    main()
