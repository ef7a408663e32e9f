"""Chromium with its driver, where they are installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SWITCHES = (
    "headless=new", "no-sandbox", "disable-gpu", "disable-background-networking", "disable-component-update", "disable-sync",
    "no-first-run", "hide-scrollbars", "window-size=1400,1000",
)  # fmt: skip

LONGEST = 60  # seconds for an answer
# One call that waits in the page, for repeated calls cost more than the game.
SETTLED = """
const done = arguments[0];
const needed = () => ["question", "options", "mine", "ghost"].map(byId).concat(document.querySelector(".scroll"));
const below = () => innerWidth < 1200 || now.over ? [] : needed()
  .filter((one) => !one.hidden && one.getBoundingClientRect().bottom > innerHeight + 1).map((one) => one.id || one.className);
const look = () => busy || now === null ? setTimeout(look, 5) : done({ below: below(),
  over: now.over, kind: now.kind, choice: now.choice, n: now.options.length, undo: now.undo,
  wide: document.documentElement.scrollWidth > innerWidth, error: byId("error").hidden ? "" : byId("error").textContent});
look();
"""


@contextmanager
def opened() -> Iterator[Any]:
    """Open a browser without a window, with a log of its console."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for switch in SWITCHES:
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(LONGEST)
    try:
        yield driver
    finally:
        driver.quit()


def settled(driver: Any) -> dict[str, Any]:
    """Wait until the page of a table is up to date; return what it shows."""
    return dict(driver.execute_async_script(SETTLED))
