"""What every test may count on, whoever started it, and in which order files are given to processes side by side."""

import gc
import os
import re
import signal
import sys

import pytest

# Tables printed under test are as wide as they are, as in a pipe: pytest-xdist gives its workers 80 columns, a shell its own.
os.environ.pop("COLUMNS", None)
# Two test processes on two cores: threads of linear algebra would only wait for each other's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The test processes, and all that tests start, read each other's byte code: it is not made anew by every one.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# What a shell starts in the background is deaf to Ctrl-C, and so would be the commands that tests stop by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Nothing that is made while tests are collected goes away again: a quarter of that time would be spent looking for garbage.
gc.disable()


def pytest_collection_finish():
    """Look for garbage in what the tests make from now on only."""
    gc.freeze()
    gc.enable()


def pytest_configure(config):
    """Let pytest-xdist keep the order of files. It would begin with those of many tests, which are the shortest here."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


class Backwards(pytest.Dir):
    """A folder whose files are collected from the last to the first."""

    def collect(self):
        return reversed(list(super().collect()))


def pytest_collect_directory(path, parent):
    """Let every other process begin at the end: the first to come to a file keeps it compiled, assertions and all."""
    worker = getattr(parent.config, "workerinput", {}).get("workerid", "gw0")
    return Backwards.from_parent(parent, path=path) if int(worker.removeprefix("gw")) % 2 else None


EXTRAS = {"pymoo": "goals", "nbformat": "notebooks", "nbclient": "notebooks"}  # what brings the modules that a test file needs


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Skip the files whose imports an extra brings that is not installed here, and say which."""
    report = yield
    missing = re.search(r"ModuleNotFoundError: No module named '(\w+)", str(report.longrepr)) if report.failed else None
    if missing and missing[1] in EXTRAS:
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: no {missing[1]}: pip install -e '.[{EXTRAS[missing[1]]}]'")
    return report


def pytest_collection_modifyitems(items):
    """Rules come last: many files of seconds, so that at the end no process waits long for another one's."""
    items.sort(key=lambda item: (item.nodeid.startswith("tests/rules/"), item.path))


@pytest.fixture
def forked_guard(monkeypatch):
    """Let guards fork this process where that can be done. What they start otherwise is met in tests without this."""
    from forked_guard import Fork

    from newdawn.simulator.runs import guard

    if sys.platform == "linux":
        monkeypatch.setattr(guard, "_start", Fork)
