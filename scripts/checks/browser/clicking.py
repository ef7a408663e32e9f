"""The page of a table in Chromium: opened, answered by list, keyboard and place, and checked after each answer."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ....simulator.errors import UserError
from .chromium import settled

WAYS = ("list", "keyboard", "place")
BUTTON = """
const button = document.querySelector(`#options button[data-index="${arguments[0]}"]`);
button.scrollIntoView({block: "center"});
return button;
"""
PLACE = """
const buttons = [...document.querySelectorAll("#options button")];
return buttons.findIndex((button) => Number(button.dataset.index) === arguments[0]);
"""
PICK = """
const at = (place) => document.querySelector(`[data-place="${place}"]`);
const element = now.options[arguments[0]].places.map(at).find(Boolean);
if (!element) return false;
const several = optionsAt(element.dataset.place).length > 1;
element.dispatchEvent(new MouseEvent("click", {bubbles: true}));
if (several || laysTile()) document.querySelector(`#options button[data-index="${arguments[0]}"]`).click();
return true;
"""


@dataclass
class Seen:
    """Counts of the decisions met."""

    kinds: Counter[str] = field(default_factory=Counter)
    answered_by: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0


@contextmanager
def on_the_page(driver: Any, saved: Any, width: int) -> Iterator[Any]:
    """Open the page of a saved game on a screen so wide; yield its table."""
    from ....analysis.explorer.play import PlayTable, TableServer

    table = PlayTable(saved)
    server = TableServer(table)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        _size(driver, width)
        driver.get(server.url)
        yield table
    finally:
        server.shutdown()
        server.server_close()
        table.close()


def answered(driver: Any, table: Any, page: dict[str, Any], way: str, chosen: int, seen: Seen) -> dict[str, Any]:
    """Answer the page's question with an option, check the result, and return what the page shows then."""
    begun = time.monotonic()
    way = _answer(driver, way, chosen)
    after = settled(driver)
    seen.slowest = max(seen.slowest, time.monotonic() - begun)
    seen.kinds[page["kind"]] += 1
    seen.answered_by[way] += 1
    made = table.played.kept.choices
    at, kind = page["choice"], page["kind"]
    check(len(made) > at and made[at] == chosen, f"{kind}: another choice by {way} than the one that was made")
    check(not after["wide"], f"{kind}: the page is wider than the screen")
    check(not after["below"], f"{after['kind']}: below the window is what a choice needs: {', '.join(after['below'])}")
    check(not after["error"], f"{kind}: {after['error']}")
    return after


def _answer(driver: Any, way: str, chosen: int) -> str:
    """Answer in a way, or by the list if that is not possible; return the way."""
    from selenium.webdriver.common.by import By

    if way == "place" and driver.execute_script(PICK, chosen):
        return way
    if way == "keyboard" and (place := int(driver.execute_script(PLACE, chosen))) < 9:
        driver.find_element(By.TAG_NAME, "body").send_keys(str(place + 1))
        return way
    driver.execute_script(BUTTON, chosen).click()
    return "list"


def check_console(driver: Any) -> None:
    """Raise UserError if the page's console has a new error."""
    severe = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    check(not severe, f"console: {severe}")


def _size(driver: Any, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def check(right: bool, message: str) -> None:
    """Raise UserError if something is not right."""
    if not right:
        raise UserError(f"wrong: {message}")
