"""Where `newdawn` begins."""

import signal

# Before anything else is imported: Ctrl-C then ends the process without a word, not in a traceback of half an import.
signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> None:
    """Run the command."""
    from .main import main as newdawn
    from .shared.interrupt import watch

    watch()
    try:
        newdawn()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
