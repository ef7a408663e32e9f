"""Click whole games at the table in Chromium: python -m newdawn.scripts.checks.browser.play --games 10.

A script answers, mostly as the thinker would, by list, keyboard, map, card and world wonder, takes choices back and makes them
again, and loads the page anew. It stops at the first thing that is wrong: a message of the page or its console, a choice that
is not the one that was clicked, a game that is another one after taking back, a question without options, a missing end. It
tells which kinds of decisions were met, and how long the slowest answer took.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import click

from ....simulator import names
from ....simulator.errors import UserError
from .chromium import CHROMIUM, DRIVER, opened, settled

WIDTHS = (390, 1440)
AGAIN, BACK = 0.02, 0.03  # how often the page is loaded anew, and choices are taken back
WELL = 0.85  # how often as the thinker would: who plays at random never sees most of the game
PICK = """
const at = (place) => document.querySelector(`[data-place="${place}"]`);
const element = now.options[arguments[0]].places.map(at).find(Boolean);
if (!element) return false;
const several = optionsAt(element.dataset.place).length > 1;
element.dispatchEvent(new MouseEvent("click", {bubbles: true}));
if (several) document.querySelector(`#options button[data-index="${arguments[0]}"]`).click();
return true;
"""


@dataclass
class Seen:
    """What was met."""

    kinds: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0


@click.command()
@click.option(
    "--games", type=click.IntRange(1), default=10, show_default=True, help="Games for each box and number of players."
)
@click.option("--box", "boxes", type=click.Choice(names.BOXES), multiple=True, default=names.BOXES, help="Only this box.")
@click.option("--players", type=click.IntRange(2, 5), multiple=True, help="Only these numbers of players.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
def main(games: int, boxes: tuple[str, ...], players: tuple[int, ...], seed: int) -> None:
    """Click whole games of both boxes at all numbers of players."""
    if not (CHROMIUM and DRIVER):
        raise click.UsageError("there is no Chromium with its driver here")
    seen, begun = Seen(), time.monotonic()
    with opened() as driver:
        for game in range(games):
            for box in boxes:
                for n in range(2, names.MOST_PLAYERS[box] + 1):
                    if not players or n in players:
                        _play(driver, box, n, seed + game, seen)
                        seen.games[f"{box}, {n} players"] += 1
                        click.echo(f"{box}, {n} players, seed {seed + game}: {sum(seen.kinds.values())} questions, "
                                   f"{time.monotonic() - begun:.0f} s")  # fmt: skip
    _tell(seen)


def _tell(seen: Seen) -> None:
    from ....simulator.engine.core.decisions import KINDS

    click.echo("; ".join(f"{where}: {n}" for where, n in sorted(seen.games.items())))
    click.echo(f"answered by {dict(seen.ways)}; slowest answer {seen.slowest:.2f} s")
    click.echo(f"{len(seen.kinds)} of {len(KINDS)} kinds met; not met: {', '.join(k for k in KINDS if k not in seen.kinds)}")


def _play(driver: Any, box: str, n: int, seed: int, seen: Seen) -> None:
    """Click one game, of which half the seats are people's."""
    from ....analysis.at_table.kept import new_game
    from ....analysis.at_table.played import Table
    from ....analysis.at_table.server import TableServer
    from ....simulator.rules import load_ruleset

    seats = tuple(("me", "quick", "thinker", "me", "planner")[:n])
    table = Table(new_game(load_ruleset(box=box), seats, seed))
    server = TableServer(table)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        _size(driver, WIDTHS[seed % 2])
        driver.get(server.url)
        settled(driver)
        _click(driver, table, random.Random(seed), seen)
        _check_end(driver)
    finally:
        server.shutdown()
        server.server_close()
        table.close()


def _click(driver: Any, table: Any, rng: random.Random, seen: Seen) -> None:
    while not driver.execute_script("return now.over"):
        kind, at, n = driver.execute_script("return [now.kind, now.choice, now.options.length]")
        _check(at == len(table.played.who) and n > 1, f"{kind}: the page shows choice {at}")
        if rng.random() < AGAIN:
            driver.refresh()
            settled(driver)
            _check(driver.execute_script("return now.choice") == at, "another question after loading the page anew")
        if rng.random() < BACK:
            _back(driver, table)
        seen.kinds[kind] += 1
        chosen = _chosen(table, rng, n)
        begun = time.monotonic()
        way = _answer(driver, rng, chosen)
        settled(driver)
        seen.slowest = max(seen.slowest, time.monotonic() - begun)
        seen.ways[way] += 1
        _check(table.played.kept.choices[at] == chosen, f"{kind}: another choice by {way} than the one that was made")
        _check_page(driver, kind)


def _chosen(table: Any, rng: random.Random, n: int) -> int:
    """Return the option to choose."""
    played = table.played
    if rng.random() > WELL or not played.sitting.laid:
        return rng.randrange(n)
    found: int = table.do(lambda: played.thinker.look(played.sitting)[0])
    return found


def _answer(driver: Any, rng: random.Random, chosen: int) -> str:
    """Answer in one of three ways; return it."""
    from selenium.webdriver.common.by import By

    way = rng.choice(("list", "keyboard", "place"))
    if way == "place" and driver.execute_script(PICK, chosen):
        return way
    if way == "keyboard" and chosen < 9:
        driver.find_element(By.TAG_NAME, "body").send_keys(str(chosen + 1))
        return way
    button = driver.find_elements(By.CSS_SELECTOR, "#options button")[chosen]
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()
    return "list"


def _back(driver: Any, table: Any) -> None:
    """Take the last choice of a person back, and make it again."""
    played = table.played
    at, before = len(played.who), (list(played.kept.choices), played.sitting.state.tobytes())
    if not driver.execute_script("return now.undo"):
        return
    driver.execute_script("undo()")
    settled(driver)
    back = len(played.who)
    _check(back < at and driver.execute_script("return now.choice") == back, "nothing was taken back")
    driver.execute_script(f"answer({before[0][back]})")
    settled(driver)
    _check((played.kept.choices, played.sitting.state.tobytes()) == before, "another game after taking a choice back")


def _check_page(driver: Any, kind: str) -> None:
    wide, error = driver.execute_script(
        "return [document.documentElement.scrollWidth > innerWidth, byId('error').hidden ? '' : byId('error').textContent]"
    )
    _check(not wide, f"{kind}: the page is wider than the screen")
    _check(not error, f"{kind}: {error}")
    severe = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    _check(not severe, f"{kind}: {severe}")


def _check_end(driver: Any) -> None:
    from selenium.webdriver.common.by import By

    driver.implicitly_wait(60)
    _check(bool(driver.find_elements(By.CSS_SELECTOR, "#end svg")), "there is no end")
    driver.implicitly_wait(0)
    settled(driver)
    _check(driver.find_element(By.ID, "question").text != "", "there is no headline")


def _size(driver: Any, width: int) -> None:
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def _check(right: bool, said: str) -> None:
    if not right:
        raise UserError(f"wrong: {said}")


if __name__ == "__main__":
    main()
