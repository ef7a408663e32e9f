"""A browser for tests of pages, where there is one (Chromium with its driver)."""

from importlib import resources
from importlib.util import find_spec

import pytest

from newdawn.scripts.checks.browser.chromium import CHROMIUM, DRIVER, opened, settled

__all__ = ["needs_browser", "opened", "out_of_reach", "settled"]

needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER and find_spec("selenium") and find_spec("axe_core_python")),
    reason="no Chromium with its driver, or no Selenium and axe: pip install -e '.[test-all]'",
)


def out_of_reach(browser):
    """Return what the rules of axe find wrong with the page that is open, for those who hear it or have no mouse."""
    browser.execute_script((resources.files("axe_core_python") / "axe.min.js").read_text("utf-8"))
    asked = """const done = arguments[0];
        axe.run({resultTypes: ["violations"]}).then(found => done(found.violations.flatMap(
            one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)}`))));"""
    return browser.execute_async_script(asked)
