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
BUTTON = """
const button = document.querySelectorAll("#options button")[arguments[0]];
button.scrollIntoView({block: "center"});
return button;
"""
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
                        click.echo(
                            f"{box}, {n} players, seed {seed + game}: {sum(seen.kinds.values())} questions of "
                            f"{len(seen.kinds)} kinds, {time.monotonic() - begun:.0f} s, slowest answer {seen.slowest:.2f} s"
                        )
    _tell(seen)


def _tell(seen: Seen) -> None:
    from ....simulator.engine.core.decisions import KINDS

    click.echo("; ".join(f"{where}: {n}" for where, n in sorted(seen.games.items())))
    click.echo(f"answered by {dict(seen.ways)}; slowest answer {seen.slowest:.2f} s")
    click.echo(f"kinds met: {', '.join(f'{kind} {n}' for kind, n in seen.kinds.most_common())}")
    click.echo(f"{len(seen.kinds)} of {len(KINDS)} kinds met; not met: {', '.join(k for k in KINDS if k not in seen.kinds)}")


def _play(driver: Any, box: str, n: int, seed: int, seen: Seen) -> None:
    """Click one game, of which half the seats are people's."""
    from ....analysis.at_table.played import Table
    from ....analysis.at_table.server import TableServer
    from ....simulator.rules import load_ruleset
    from ....simulator.sitting.kept import new_game

    seats = tuple(("me", "quick", "thinker", "me", "planner")[:n])
    table = Table(new_game(load_ruleset(box=box), seats, seed))
    server = TableServer(table)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        _size(driver, WIDTHS[seed % 2])
        driver.get(server.url)
        _click(driver, table, random.Random(seed), seen)
        _check_end(driver)
        check_console(driver)
    finally:
        server.shutdown()
        server.server_close()
        table.close()


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
        page = answered(driver, table, page, rng, _chosen(table, rng, page["n"]), seen)


def answered(driver: Any, table: Any, page: dict[str, Any], rng: random.Random, chosen: int, seen: Seen) -> dict[str, Any]:
    """Answer what the page asks with an option, check what comes of it, and return what the page shows then."""
    begun = time.monotonic()
    way = _answer(driver, rng, chosen)
    after = settled(driver)
    seen.slowest = max(seen.slowest, time.monotonic() - begun)
    seen.kinds[page["kind"]] += 1
    seen.ways[way] += 1
    made = table.played.kept.choices
    at, kind = page["choice"], page["kind"]
    check(len(made) > at and made[at] == chosen, f"{kind}: another choice by {way} than the one that was made")
    check(not after["wide"], f"{kind}: the page is wider than the screen")
    check(not after["error"], f"{kind}: {after['error']}")
    return after


def _chosen(table: Any, rng: random.Random, n: int) -> int:
    """Return the option to choose."""
    if rng.random() > WELL or not table.played.sitting.laid:
        return rng.randrange(n)
    found: int = table.do(lambda: _well(table.played))
    return found


def _well(played: Any) -> int:
    """Return what the planner would do: the thinker takes longer, and is asked by the page anyway."""
    from ....simulator.games.players import strategies
    from ....simulator.sitting.branch import Branch

    planner, branch = strategies().find("planner"), Branch(played.sitting)
    asked, g = branch.question, branch.state
    g.weights[asked.seat] = planner.weights(int(g.players), played.kept.ruleset.box)[g.leader[asked.seat]]
    picked = asked.put(planner.load())
    played.thinker.finish(branch, picked)
    return int(picked)


def _answer(driver: Any, rng: random.Random, chosen: int) -> str:
    """Answer in one of three ways; return it."""
    from selenium.webdriver.common.by import By

    way = rng.choice(("list", "keyboard", "place"))
    if way == "place" and driver.execute_script(PICK, chosen):
        return way
    if way == "keyboard" and chosen < 9:
        driver.find_element(By.TAG_NAME, "body").send_keys(str(chosen + 1))
        return way
    driver.execute_script(BUTTON, chosen).click()
    return "list"


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


def check_console(driver: Any) -> None:
    """Stop if the page's console has an error since the last look at it."""
    severe = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    check(not severe, f"console: {severe}")


def _check_end(driver: Any) -> None:
    from selenium.webdriver.common.by import By

    driver.implicitly_wait(60)
    check(bool(driver.find_elements(By.CSS_SELECTOR, "#end svg")), "there is no end")
    driver.implicitly_wait(0)
    settled(driver)
    check(driver.find_element(By.ID, "question").text != "", "there is no headline")


def _size(driver: Any, width: int) -> None:
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def check(right: bool, said: str) -> None:
    if not right:
        raise UserError(f"wrong: {said}")


if __name__ == "__main__":
    main()
