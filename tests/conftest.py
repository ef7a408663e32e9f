"""What every test may count on, whoever started it."""

import os

# Tables printed under test are as wide as they are, as in a pipe: pytest-xdist gives its workers 80 columns, a shell its own.
os.environ.pop("COLUMNS", None)
