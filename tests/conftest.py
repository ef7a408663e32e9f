"""What every test may count on, whoever started it, and in which order files are given to processes side by side."""

import os

# Tables printed under test are as wide as they are, as in a pipe: pytest-xdist gives its workers 80 columns, a shell its own.
os.environ.pop("COLUMNS", None)
# Two test processes on two cores: threads of linear algebra would only wait for each other's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_configure(config):
    """Let pytest-xdist keep the order of files. It would begin with those of many tests, which are the shortest here."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_collection_modifyitems(items):
    """Rules come last: many files of seconds, so that at the end no process waits long for another one's."""
    items.sort(key=lambda item: item.nodeid.startswith("tests/rules/"))
