"""A browser for tests of pages, where there is one (Chromium with its driver)."""

import pytest

from newdawn.scripts.checks.browser.chromium import CHROMIUM, DRIVER, opened, settled

__all__ = ["needs_browser", "opened", "settled"]

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium with its driver is installed here")
