"""The explorer's server, on this machine only: views, the games behind each figure, films of games."""

from __future__ import annotations

import json
import secrets
import shlex
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

import jinja2
import numpy as np
import pandas as pd

from ...simulator import names
from ...simulator.errors import FIRST_SEAT, UserError, printable, unknown
from ...simulator.file_ownership import TemporaryFolder
from ...simulator.runs.columns import FOCUS_CARDS_TABLE
from ...simulator.runs.run_folder import Place
from ...simulator.user_modules import environment
from ..tables.decoded_games import WHOLE, CodeNames, Events, Games
from ..tables.read import Run, Sample, Selection
from . import views
from .filters import Filter, Loaded, contrast, read_filter, select, shown_columns
from .views import Shape, table

# --- A server of one page on this machine only, for the explorer and the table
#
# It listens on 127.0.0.1 and answers only requests to that name (against pages elsewhere whose name points here) that no other
# site's page sends. Requests have no content.

HOST = "127.0.0.1"
PAGE_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'"
)
FILM_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "sandbox allow-scripts"
)
TIMEOUT = 30  # seconds a connection may be silent
# Each has a thread; of more, the one that has been silent longest is ended, and where all are being answered, others wait.
MOST_CONNECTIONS = 64
HTML = "text/html; charset=utf-8"


class LocalServer(ThreadingHTTPServer):
    """A server of one page. Port 0 takes a free one; raises UserError if the port cannot be had."""

    daemon_threads = True
    allow_reuse_address = False
    request_queue_size = 128  # connections that wait to be taken: a browser opens several at once

    def __init__(self, template: jinja2.Template, handler: type[LocalHandler], port: int = 0) -> None:
        self.template = template
        self.lock, self.connections = threading.Condition(), set[Any]()
        self.silent = OrderedDict[Any, None]()  # those that wait for a request
        try:
            super().__init__((HOST, port), handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UserError(f"--port: {port} cannot be used: {reason}; leave the option out for a free port") from None

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own; if there are too many, wait for one to end, the longest silent one."""
        with self.lock:
            while len(self.connections) >= MOST_CONNECTIONS:
                if self.silent:
                    oldest, _ = self.silent.popitem(last=False)
                    with suppress(OSError):
                        oldest.shutdown(socket.SHUT_RDWR)
                self.lock.wait()
            self.silent[request] = None
            self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        with self.lock:
            self.silent.pop(request, None)
            self.connections.discard(request)
            self.lock.notify()
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error in a connection, unless the browser went away in the middle of an answer."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            self.say(error)

    def say(self, error: BaseException | None, request: str = "") -> None:
        """Print an error in an answer, and its place in the program, in one line."""
        frames = traceback.extract_tb(error.__traceback__) if error is not None else []
        where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
        line = printable(f"error: {request[:200]}: {type(error).__name__}: {str(error)[:300]}{where}")
        with suppress(OSError, ValueError):  # the terminal may be gone
            print(line, file=sys.stderr, flush=True)

    def hosts(self) -> tuple[str, ...]:
        """Return the names by which a request may call the server."""
        port = self.server_address[1]
        return f"{HOST}:{port}", f"localhost:{port}"


def page_of(package: str, page: str, **parts: str) -> jinja2.Template:
    """Return the template of a page, with the files beside it as variables (`parts`)."""
    folder = resources.files(package)
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.globals |= {name: (folder / file).read_text("utf-8") for name, file in parts.items()}
    return environment.from_string((folder / page).read_text("utf-8"))


NO_PAGE = "no such page"


class LocalHandler(BaseHTTPRequestHandler):
    """Answers one connection. `get` and `post` return whether the page exists; others are refused."""

    server: LocalServer
    server_version, sys_version = "newdawn", ""
    timeout = TIMEOUT
    protocol_version = "HTTP/1.1"
    begun = False  # whether an answer has begun

    def get(self, path: str, parts: list[str], query: str) -> bool:
        """Send an answer; return False if there is no such page. `parts` are those of the path."""
        raise NotImplementedError

    def post(self, parts: list[str]) -> bool:
        """Carry out a command; return False if there is no such command."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Answer a GET request."""
        if self._welcome() and (target := self._target()) is not None:
            self._answered(self.get, target.path, target.path.removeprefix("/").split("/"), target.query)

    def do_POST(self) -> None:
        """Answer a POST request."""
        if self._welcome(changes=True) and (target := self._target()) is not None:
            self._answered(self.post, target.path.removeprefix("/").split("/"))

    def _target(self) -> SplitResult | None:
        """Return the address of a request; refuse one that cannot be parsed."""
        with suppress(ValueError):
            if self.path.startswith("/"):
                return urlsplit(self.path)
        self.refuse(400, "the address cannot be read; expected a path of this server")
        return None

    def _answered(self, answer: Any, *address: Any) -> None:
        self.begun = False
        with self.server.lock:
            self.server.silent.pop(self.connection, None)
        try:
            if not answer(*address):
                self.refuse(404, NO_PAGE)
        except UserError as error:
            self.refuse(400, str(error))
        except (ConnectionError, TimeoutError):
            raise
        except Exception as error:  # ours: printed, and sent to the page unless its answer has begun
            self.server.say(error, f"{self.command} {self.path}")
            self.close_connection = True
            if not self.begun:
                self.refuse(500, f"this page cannot be made ({type(error).__name__}); the terminal says more")
        finally:
            with self.server.lock:
                self.server.silent[self.connection] = None
                self.server.lock.notify()

    def _welcome(self, changes: bool = False) -> bool:
        """Refuse requests to another name, from other sites' pages, or with content; return whether to answer."""
        if self.headers.get_all("Host") not in [[host] for host in self.server.hosts()]:
            self.refuse(403, f"this server answers only to {self.server.url}")
        elif self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self.refuse(403, "this server does not answer other sites' pages")
        elif not self._from_here(changes):
            self.refuse(403, "only this server's own page may ask for this")
        elif self.headers.get("Content-Length", "0") != "0" or self.headers.get("Transfer-Encoding"):
            self.refuse(400, "requests have no content here")
        else:
            return True
        return False

    def _from_here(self, changes: bool) -> bool:
        """Return whether every Origin of a request is this server; a request that changes something must have one."""
        own = [f"http://{host}" for host in self.server.hosts()]
        origins = self.headers.get_all("Origin") or []
        return all(origin in own for origin in origins) and (len(origins) == 1 or not (origins or changes))

    def send_page(self, **values: Any) -> bool:
        """Send the server's page, which may fetch only from here."""
        return self.send_page_as(200, values)

    def send_page_as(self, status: int, values: Mapping[str, Any]) -> bool:
        """Send the server's page with a status."""
        nonce = secrets.token_urlsafe(16)
        text = self.server.template.render(nonce=nonce, **values)
        return self.send(status, HTML, text.encode(), PAGE_POLICY.format(nonce=nonce))

    def send_film(self, content: bytes) -> bool:
        """Send the page of a replay, which runs in a sandbox."""
        return self.send(200, HTML, content, FILM_POLICY)

    def send_json(self, status: int, answer: Any) -> bool:
        """Send an answer as JSON."""
        content = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
        return self.send(status, "application/json; charset=utf-8", content, "default-src 'none'")

    def refuse(self, status: int, message: str) -> bool:
        """Send an error, and end the connection: the rest of a bad request is not read."""
        self.close_connection = True
        return self.send_json(status, {"error": " ".join(message.split())})

    def send(self, status: int, kind: str, content: bytes, policy: str) -> bool:
        """Send content of some kind; return True."""
        self.begun = True
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind), ("Content-Length", str(len(content))), ("Content-Security-Policy", policy),
            ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):  # fmt: skip
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)
        return True

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the terminal quiet."""


# --- The games behind a figure

PAGE = 50  # games listed at a time
LIST = Shape("games", ("game",), ("rounds", "ending", "line_up", "counted", "cards"))
SEATS = Shape("seats", ("seat",), ("leader", "strategy", "order", "share", "claims", "built"))
SHEET = "claims and wonders with their rounds"


def listing(selections: Sequence[Selection], words: CodeNames, runs: Sequence[int], start: int) -> dict[str, Any]:
    """Return a page of the chosen games from number `start` on, and the number of all chosen games and counted seats."""
    chosen = [np.flatnonzero(s.chosen) for s in selections]
    before, rows, links = 0, [], {}
    for s, run, here in zip(selections, runs, chosen, strict=True):
        for at in here[max(0, start - before) : max(0, start + PAGE - before)]:
            name = f"{int(s.games.game_id[at]):,}" if len(runs) == 1 else f"run {run}, {int(s.games.game_id[at]):,}"
            links[name] = f"game/{run}/{int(s.games.game_id[at])}"
            rows.append({"game": name, **_facts(s.games, at, words), "counted": _counted(s, at)})
        before += len(here)
    frame = pd.DataFrame(rows, columns=["game", *LIST.columns])
    shown = table("games", "", LIST, [frame], lambda row: {"game": links[row["game"]]}, "the seats that count are the filter's")
    seats = sum(int(np.count_nonzero(s.counting)) for s in selections)
    return {"title": "Games", "games": before, "seats": seats, "from": start, "page": PAGE, "summary": [], "warnings": [],
            "sections": [shown]}  # fmt: skip


def _facts(games: Games, at: int, words: CodeNames) -> dict[str, Any]:
    """Return the cells of a game in the list."""
    winners = [words.leader[games.leader[at, seat]] for seat in np.flatnonzero(games.won[at])]
    line_up = ", ".join(words.leader[code] for code in games.leader[at])
    return {"rounds": int(games.rounds[at]), "ending": f"won by {' and '.join(winners)}" if winners else "unfinished",
            "line_up": line_up, "cards": ", ".join(_bits(games.cards[at], words.card))}  # fmt: skip


def _counted(s: Selection, at: int) -> str:
    seats = np.flatnonzero(s.counting[at])
    return "all" if len(seats) == s.games.players else ", ".join(str(seat + FIRST_SEAT) for seat in seats)


def _bits(bits: int, names: Sequence[str]) -> list[str]:
    return sorted(name for code, name in enumerate(names) if int(bits) >> code & 1)


def place(games: Games, game_id: int) -> int:
    """Return the index of a game in the columns; raise UserError if it is not there."""
    indices = np.flatnonzero(games.game_id == game_id)
    if not len(indices):
        raise UserError(f"game: {game_id} is not among the {len(games):,} finished games of the run")
    return int(indices[0])


def sheet(games: Games, words: CodeNames, run: int, game_id: int) -> dict[str, Any]:
    """Return one game: who sat where, what they claimed and built, and what they had at the end."""
    at, held = place(games, game_id), shown_columns(games)
    claims, built = _by_seat(games.claims, games, at, words.agenda), _by_seat(games.built, games, at, words.wonder)
    rows, ends = [], []
    for seat in range(games.players):
        rows.append({
            "seat": seat + FIRST_SEAT, "leader": words.leader[games.leader[at, seat]],
            "strategy": words.strategy[games.strategy[at, seat]], "order": int(games.order[at, seat]),
            "share": games.won[at, seat] / WHOLE, "claims": claims[seat] or "none", "built": built[seat] or "none",
        })  # fmt: skip
        ends.append({"seat": seat + FIRST_SEAT, **{name: int(games.number(name)[at, seat]) for name in held}})
    facts = _facts(games, at, words)
    return {
        "title": f"Game {game_id:,}", "summary": [], "warnings": [], "replay": {"run": run, "game": game_id},
        "facts": [f"{facts['ending']} in round {facts['rounds']}", f"victory cards in play: {facts['cards'] or 'none'}"],
        "sections": [
            table("seats", "Seats", SEATS, [pd.DataFrame(rows)], note=SHEET),
            table("holdings", "At the end of the game", Shape("seats", ("seat",), tuple(held)), [pd.DataFrame(ends)]),
        ],
    }  # fmt: skip


def _by_seat(events: Events, games: Games, at: int, names: Sequence[str]) -> list[str]:
    """Return for each seat of a game what happened, with the rounds, as text."""
    texts = []
    for seat in range(games.players):
        here = np.flatnonzero(events.at == at * games.players + seat)
        here = here[np.argsort(events.when[here], kind="stable")]
        texts.append(", ".join(f"{names[events.what[i]]} ({int(events.when[i])})" for i in here))
    return texts


# --- Games played again to watch, on demand
#
# `newdawn replay --html` makes each in a process of its own, one at a time; compiling the engine may take a minute the first
# time. The pages are in a temporary folder, which is removed at the end.

LIMIT = 900.0  # seconds a game may take, compiling included
KEPT = 50  # films kept

Command = Callable[[Place, int, Path], Sequence[str]]  # (folder of a run, game, file to write) -> command


@dataclass
class Film:
    """The film of a game. `state` is "waiting", "working", "ready" or "failed"."""

    run: Place
    game: int
    file: Path
    state: str = "waiting"
    message: str = ""
    began: float = field(default_factory=time.monotonic)


class Films:
    """The films of a desk; `command` returns the command that makes one."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.folder = TemporaryFolder("newdawn-explore-")
        self.films: dict[tuple[Place, int], Film] = {}
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.closed = False

    def order(self, run: Place, game: int) -> dict[str, Any]:
        """Start making a film, unless it exists or is being made; return its state."""
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
        """Stop the film being made and remove the folder."""
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
                command = list(self.command(film.run, film.game, film.file))
                self.process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
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
    """Return the error or note from a command's stderr, or else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("error:", "note:"))]
    return (marked or lines or [""])[-1][:500]


# --- The runs on the desk, and the view of an address

VIEWS_KEPT = 12  # selections kept, for going back to a view
ALL = "all"  # the runs pooled
MOST_QUERY = 4000  # characters of an address


def rules_of(run: Run) -> str:
    """Return the name of a run's rules, with the box if it is not the base game."""
    name = str(run.manifest.get("ruleset", {}).get("name", "unknown rules"))
    return name if run.box == names.BOXES[0] else f"{name}, {run.box}"


class ExplorerRuns:
    """Runs in memory. Several threads may ask; requests are answered one at a time."""

    def __init__(
        self, runs: Sequence[Run], effects: Mapping[str, pd.DataFrame] | None = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:  # fmt: skip
        self.words = CodeNames()
        self.loaded = [Loaded(run, self.words) for run in runs]
        self.effects = effects or {}
        self.lock = threading.Lock()
        self.kept: OrderedDict[tuple[int, Filter], Selection] = OrderedDict()
        for number, loaded in enumerate(self.loaded):
            tell(f"reading {loaded.run.path} ({number + 1} of {len(runs)})")
            loaded.look()
        self.titles = _titles([run.path for run in runs])

    def about(self) -> dict[str, Any]:
        """Return the runs, and the names that the page's form offers."""
        runs = [
            {"title": title, "games": len(loaded.games), "planned": loaded.run.planned_games, "players": loaded.games.players,
             "rules": rules_of(loaded.run), "expansion": loaded.run.box == names.BOXES[names.TI_BOX],
            "focus": FOCUS_CARDS_TABLE in loaded.run.tables,
             "seed": loaded.run.manifest["plan"].get("seed")}
            for title, loaded in zip(self.titles, self.loaded, strict=True)
        ]  # fmt: skip
        words = self.words
        kinds = {"leaders": words.leader, "strategies": words.strategy, "cards": words.card, "wonders": words.wonder,
                 "agendas": words.agenda}  # fmt: skip
        seats = max(loaded.games.players for loaded in self.loaded)
        return {"runs": runs, "seats": seats, **{kind: sorted(names) for kind, names in kinds.items()}}

    def look(self) -> dict[str, Any]:
        """Read games finished since; return `about` with the number of new ones."""
        with self.lock:
            new = sum(loaded.look() for loaded in self.loaded)
            self.forget()
            return {**self.about(), "new": new}

    def forget(self) -> None:
        """Drop the kept selections."""
        self.kept.clear()

    def answer(self, path: str, query: str) -> dict[str, Any]:
        """Return a view under the filter of the query; raise UserError if there is no such view."""
        fields = split_query(query)
        parts = [unquote(part) for part in path.split("/")]
        first, beside, by, start = (_single(fields, name) for name in ("run", "beside", "by", "from"))
        with self.lock:
            wanted = read_filter(fields, self.words)
            sides = [self._runs("run", first or "0"), *([self._runs("beside", beside)] if beside is not None else [])]
            if parts[0] == "games" and len(parts) == 1:
                return listing(self._selections(sides[0], wanted), self.words, sides[0], _whole("from", start or "0"))
            if parts[0] == "game" and len(parts) == 3:
                run, number = self._runs("run", parts[1])[0], _whole("game", parts[2])
                return sheet(self.loaded[run].games, self.words, run, number)
            if start is not None:
                raise UserError("from: only the view 'games' has it")
            return {**views.view(self._request(wanted, sides), parts, by), "contrast": self._contrast(sides)}

    def _contrast(self, sides: Sequence[list[int]]) -> dict[str, Any] | None:
        """Return the differences of two runs side by side; None for pooled runs."""
        if len(sides) != 2 or any(len(runs) != 1 for runs in sides):
            return None
        first, second = (self.loaded[runs[0]].run.manifest for runs in sides)
        return contrast(first, second)

    def _request(self, wanted: Filter, sides: Sequence[list[int]]) -> views.ViewRequest:
        def sides_of(condition: Filter) -> list[views.Side]:
            return [
                views.Side(
                    self._title(runs),
                    Sample(self.words, self._selections(runs, condition), [self.loaded[run].run.manifest for run in runs]),
                    any(self.loaded[run].run.has_teams for run in runs),
                )
                for runs in sides
            ]  # fmt: skip

        return views.ViewRequest(wanted, self.words, sides_of, self.effects)

    def _title(self, runs: list[int]) -> str:
        return self.titles[runs[0]] if len(runs) == 1 else f"all {len(runs)} runs"

    def _selections(self, runs: list[int], wanted: Filter) -> list[Selection]:
        return [self._selection(run, wanted) for run in runs]

    def _selection(self, run: int, wanted: Filter) -> Selection:
        key = (run, wanted)
        if key not in self.kept:
            self.kept[key] = select(self.loaded[run].games, wanted, self.words)
            if len(self.kept) > VIEWS_KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]

    def _runs(self, name: str, text: str) -> list[int]:
        """Return the numbers of the runs that a field of an address names."""
        numbers = [str(number) for number in range(len(self.loaded))]
        if text == ALL:
            return [int(number) for number in numbers]
        if text not in numbers:
            raise unknown(name, text[:40], [*numbers, ALL])
        return [int(text)]

    def game(self, run: str, game_id: str) -> tuple[Place, int]:
        """Return the folder of a run and the number of one of its games; raise UserError if there is no such game."""
        with self.lock:
            loaded = self.loaded[self._runs("run", run)[0]]
            number = _whole("game", game_id)
            place(loaded.games, number)
            return loaded.run.path, number


def split_query(query: str) -> dict[str, list[str]]:
    """Return the fields of an address; raise UserError if it cannot be parsed."""
    if len(query) > MOST_QUERY:
        raise UserError(f"the address is too long; expected at most {MOST_QUERY} characters")
    try:
        return parse_qs(query, keep_blank_values=True, strict_parsing=bool(query), errors="strict", max_num_fields=100)
    except ValueError:
        raise UserError("the address cannot be read; expected NAME=VALUE&NAME=VALUE in UTF-8") from None


def _single(fields: dict[str, list[str]], name: str) -> str | None:
    """Remove a field that may occur once from the fields of an address; return its value."""
    values = fields.pop(name, [])
    if len(values) > 1:
        raise UserError(f"{name}: given {len(values)} times; expected once")
    return values[0] if values else None


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise UserError(f"{name}: '{text[:40]}': expected a whole number")
    return int(text)


def _titles(paths: Sequence[Place]) -> list[str]:
    """Return short names of folders that distinguish them."""
    short = [path.resolve().name for path in paths]
    return short if len(set(short)) == len(short) else [str(path) for path in paths]


# --- The server of the explorer: one page, and JSON answers to it. Runs and games are numbers in an address, never paths.


class Handler(LocalHandler):
    """Answers one connection."""

    server: Explorer

    def get(self, path: str, parts: list[str], query: str) -> bool:
        """Send the page, a view, or a film."""
        desk = self.server.desk
        if path == "/":
            return self.send_page(title=", ".join(desk.titles), problem="")
        if path == "/api/about":
            return self.send_json(200, desk.about())
        if parts[:2] == ["api", "view"]:
            return self.send_json(200, desk.answer("/".join(parts[2:]), query))
        if parts[:2] == ["api", "film"] and len(parts) == 4:
            return self.send_json(200, self.server.films.state(*desk.game(parts[2], parts[3])))
        return parts[0] == "film" and len(parts) == 3 and self._film(*parts[1:])

    def post(self, parts: list[str]) -> bool:
        """Look for new games, or have a game played again."""
        if parts == ["api", "look"]:
            return self.send_json(200, self.server.desk.look())
        if parts[:2] == ["api", "film"] and len(parts) == 4:
            return self.send_json(200, self.server.films.order(*self.server.desk.game(parts[2], parts[3])))
        return False

    def refuse(self, status: int, message: str) -> bool:
        """Send an error, as a page if someone typed the address into a browser."""
        asks = self.path.startswith("/") and not self.path.startswith("/api/") and "text/html" in self.headers.get("Accept", "")
        if status not in (400, 404) or self.command != "GET" or not asks:
            return super().refuse(status, message)
        self.close_connection = True
        expected = "; expected /, or one of the addresses that this page leads to" if message == NO_PAGE else ""
        problem = " ".join(f"{message}{expected}".split())
        return self.send_page_as(status, {"title": ", ".join(self.server.desk.titles), "problem": problem})

    def _film(self, run: str, game: str) -> bool:
        content = self.server.films.page(*self.server.desk.game(run, game))
        if content is None:
            return self.refuse(404, "this game has not been replayed yet; its page has a button for that")
        return self.send_film(content)


class Explorer(LocalServer):
    """The server of a desk."""

    def __init__(self, desk: ExplorerRuns, films: Films, port: int = 0) -> None:
        self.desk, self.films = desk, films
        template = page_of("newdawn.analysis.explorer", "explorer.html.j2", script="explorer.js", style="explorer.css")
        super().__init__(template, Handler, port)
