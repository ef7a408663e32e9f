"""Where `newdawn` begins."""

import os
import sys

# `python -m` looks into the working folder first: a module called "signal" or "random" there is not Python's.
if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):
    sys.path.append(sys.path.pop(0))

import signal

# Before anything else is imported, so that Ctrl-C ends the process without a traceback of half an import.
signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> None:
    """Run the command."""
    from .main import main as newdawn
    from .main import watch

    watch()
    try:
        newdawn()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
