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


@contextmanager
def opened() -> Iterator[Any]:
    """Open a browser without a window, whose console is kept."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for switch in SWITCHES:
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def settled(driver: Any, seconds: float = 60.0) -> None:
    """Wait until the page of a table shows the answer to what it has asked for."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(driver, seconds, 0.01).until(lambda driver: driver.execute_script("return !busy && now !== null"))
