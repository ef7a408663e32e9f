"""A browser for tests of pages, where there is one (Chromium with its driver)."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SWITCHES = (
    "headless=new", "no-sandbox", "disable-gpu", "disable-background-networking", "disable-component-update", "disable-sync",
    "no-first-run", "hide-scrollbars", "window-size=1400,1000",
)  # fmt: skip
needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium with its driver is installed here")


@contextmanager
def opened() -> Iterator[Any]:
    """Open a browser without a window, whose console is kept."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for switch in SWITCHES:
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()
