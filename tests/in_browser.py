"""A browser for tests of pages, where there is one (Chromium with its driver)."""

from importlib import resources

import pytest

from newdawn.scripts.checks.browser.chromium import CHROMIUM, DRIVER, opened, settled

__all__ = ["needs_browser", "opened", "out_of_reach", "settled"]

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium with its driver is installed here")


def out_of_reach(browser):
    """Return what the rules of axe find wrong with the page that is open, for those who hear it or have no mouse."""
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed here")
    browser.execute_script((resources.files(axe) / "axe.min.js").read_text("utf-8"))
    asked = """const done = arguments[0];
        axe.run({resultTypes: ["violations"]}).then(found => done(found.violations.flatMap(
            one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)}`))));"""
    return browser.execute_async_script(asked)
