"""Games played again to watch, on demand: each by `newdawn replay --html` in a process of its own, one at a time.

The engine is compiled in that process, which may take a minute the first time. The pages lie in a temporary folder of ours,
which is removed at the end.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...simulator.batch.places import Place
from ...simulator.foreign import environment

LIMIT = 900.0  # seconds a game may take, compiling included
KEPT = 50  # films that are kept

Command = Callable[[Place, int, Path], Sequence[str]]  # of a run's folder, a game and the file to write


@dataclass
class Film:
    """A game that is being played again, or was. `state` is "waiting", "working", "ready" or "failed"."""

    run: Place
    game: int
    file: Path
    state: str = "waiting"
    message: str = ""
    began: float = field(default_factory=time.monotonic)


class Films:
    """The films of a desk. `command` says how one is made."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.folder = tempfile.TemporaryDirectory(prefix="newdawn-explore-", ignore_cleanup_errors=True)
        self.films: dict[tuple[Place, int], Film] = {}
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.closed = False

    def order(self, run: Place, game: int) -> dict[str, Any]:
        """Have a film made, unless it is there or in the making; return its state."""
        with self.lock:
            film = self.films.get((run, game))
            if film is None or film.state == "failed":
                waiting = sum(each.state in ("waiting", "working") for each in self.films.values())
                if waiting >= 3:
                    return {"state": "failed", "message": "three games are already being replayed; wait for one to finish",
                            **self._shown(run, game)}  # fmt: skip
                self._forget()
                film = Film(run, game, Path(self.folder.name) / f"film-{len(self.films)}-{time.monotonic_ns()}.html")
                self.films[run, game] = film
                threading.Thread(target=self._make, args=(film,), daemon=True).start()
        return self.state(run, game)

    def state(self, run: Place, game: int) -> dict[str, Any]:
        """Return the state of a film, and the command that makes it."""
        film = self.films.get((run, game))
        replay = self._shown(run, game)
        if film is None:
            return {"state": "none", **replay}
        return {"state": film.state, "message": film.message, "seconds": round(time.monotonic() - film.began), **replay}

    def page(self, run: Place, game: int) -> bytes | None:
        """Return a film that is ready, or None."""
        film = self.films.get((run, game))
        return film.file.read_bytes() if film is not None and film.state == "ready" else None

    def close(self) -> None:
        """Stop what is being made and remove the folder."""
        self.closed = True
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def _shown(self, run: Place, game: int) -> dict[str, str]:
        return {"command": f"newdawn replay --run {shlex.quote(str(run))} --game {game} --html game-{game}.html"}

    def _forget(self) -> None:
        """Drop the oldest films when there are many."""
        ready = [key for key, film in self.films.items() if film.state in ("ready", "failed")]
        for key in ready[: max(0, len(ready) - KEPT + 1)]:
            self.films.pop(key).file.unlink(missing_ok=True)

    def _make(self, film: Film) -> None:
        with self.turn:
            if self.closed:
                return
            film.state = "working"
            try:
                words = list(self.command(film.run, film.game, film.file))
                self.process = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    encoding="utf-8", errors="replace", env=environment(),
                )  # fmt: skip
                _, output = self.process.communicate(timeout=LIMIT)
                film.message = _last_line(output)
                done = self.process.returncode == 0 and film.file.is_file()
            except subprocess.TimeoutExpired:
                self.process.kill() if self.process else None
                film.message, done = f"stopped after {LIMIT:.0f} seconds", False
            except OSError as error:
                film.message, done = f"the game cannot be replayed: {error.strerror or error}", False
            film.state = "ready" if done else "failed"


def _last_line(output: str) -> str:
    """Return what matters of a command's words on stderr: its error, or its note."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("error:", "note:"))]
    return (marked or lines or [""])[-1][:500]
