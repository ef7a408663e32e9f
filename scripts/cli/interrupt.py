"""Ctrl-C: the first one lets a command finish what it is writing, the second one ends it at once, whatever it does."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

STOPPED = 130  # exit code of a command that was stopped, as in a shell
IMPORTING = "<frozen importlib._bootstrap>"
CALLED_FROM_C = {"numpy", "numba"}  # whose functions are called from compiled code, which may drop what they raise
SOON = 0.01  # seconds
ROOT = Path(__file__).parents[3]  # of this program, which passes on what is raised


def watch() -> None:
    """Make Ctrl-C work as described. Call it in the main thread."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    # Python hears of a signal only between two of its own instructions, which an endless loop in compiled code never
    # reaches; the descriptor hears of it at once, and another thread reads it.
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    threading.Thread(target=_count, args=(reader,), daemon=True).start()
    signal.signal(signal.SIGINT, _stop)


@contextmanager
def continuable(folder: Path) -> Iterator[None]:
    """End a command that Ctrl-C stops with a line that says where its work is kept."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"stopped: what is finished is in {folder}; the same command continues", err=True)
        raise SystemExit(STOPPED) from None


def _count(reader: socket.socket) -> None:
    """Read the numbers of signals; end the process after the second Ctrl-C. Workers notice, and end, too."""
    seen = 0
    while seen < 2:
        seen += reader.recv(64).count(signal.SIGINT)
    _end("stopped at once; finished work is kept")


def _stop(_number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; but end at once in the middle of an import: nothing is to be tidied up then.

    Where it might get lost, it is raised a little later, by a signal that does not count as another Ctrl-C.
    """
    if hasattr(signal, "SIGALRM") and _might_be_dropped(frame):
        signal.signal(signal.SIGALRM, _stop)
        signal.setitimer(signal.ITIMER_REAL, SOON)
        return
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            _end("stopped")
        frame = frame.f_back
    raise KeyboardInterrupt


def _might_be_dropped(frame: FrameType | None) -> bool:
    """Is Python in the middle of what such a function does, be it in a module of others that this calls (functools)?"""
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if not CALLED_FROM_C.isdisjoint(file.parts):
            return True
        if ROOT in file.parents:
            return False
        frame = frame.f_back
    return False


def _end(message: str) -> None:
    os.write(2, f"\n{message}\n".encode())
    os._exit(STOPPED)
