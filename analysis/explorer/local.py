"""A server on this machine only, for one page of ours: the rules of safety that the explorer and the table share.

It listens on 127.0.0.1 and answers requests that name it so (a page elsewhere whose name was made to point here is turned
away), and none that another site's page sends. A request has no content: what it asks for is its address.
"""

from __future__ import annotations

import json
import secrets
import sys
import traceback
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import jinja2

from ...simulator.errors import UserError, printable

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
HTML = "text/html; charset=utf-8"


class LocalServer(ThreadingHTTPServer):
    """A server of one page. Port 0 takes a free one; raises UserError if the port cannot be had."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, template: jinja2.Template, handler: type[LocalHandler], port: int = 0) -> None:
        self.template = template
        try:
            super().__init__((HOST, port), handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UserError(f"--port: {port} cannot be used: {reason}; leave the option out for a free port") from None

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong in a connection; a browser that goes away in the middle of an answer is no error of ours."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            self.say(error)

    def say(self, error: BaseException | None, asked: str = "") -> None:
        """Say in one line of the terminal what went wrong in an answer, and where in the program."""
        frames = traceback.extract_tb(error.__traceback__) if error is not None else []
        where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
        line = printable(f"error: {asked[:200]}: {type(error).__name__}: {str(error)[:300]}{where}")
        with suppress(OSError, ValueError):  # the terminal may be gone
            print(line, file=sys.stderr, flush=True)

    def hosts(self) -> tuple[str, ...]:
        """Return the names by which a request may call the server."""
        port = self.server_address[1]
        return f"{HOST}:{port}", f"localhost:{port}"


def page_of(package: str, page: str, **parts: str) -> jinja2.Template:
    """Return the template of a page; files that lie beside it are put into it by name."""
    folder = resources.files(package)
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.globals |= {name: (folder / file).read_text("utf-8") for name, file in parts.items()}
    return environment.from_string((folder / page).read_text("utf-8"))


class LocalHandler(BaseHTTPRequestHandler):
    """Answers one connection. `get` and `post` say what there is; what is not there is refused."""

    server: LocalServer
    server_version, sys_version = "newdawn", ""
    timeout = TIMEOUT
    protocol_version = "HTTP/1.1"
    begun = False  # has an answer been begun?

    def get(self, path: str, parts: list[str], query: str) -> bool:
        """Answer a question; return False if there is no such page. `parts` are those of the path."""
        raise NotImplementedError

    def post(self, parts: list[str]) -> bool:
        """Do something; return False if it is not there to be done."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Answer a question."""
        if self._welcome() and (target := self._target()) is not None:
            self._answered(self.get, target.path, target.path.removeprefix("/").split("/"), target.query)

    def do_POST(self) -> None:
        """Do something."""
        if self._welcome(changes=True) and (target := self._target()) is not None:
            self._answered(self.post, target.path.removeprefix("/").split("/"))

    def _target(self) -> SplitResult | None:
        """Return what a request asks for; refuse what cannot be parsed."""
        with suppress(ValueError):
            if self.path.startswith("/"):
                return urlsplit(self.path)
        self.refuse(400, "the address cannot be read; expected a path of this server")
        return None

    def _answered(self, answer: Any, *asked: Any) -> None:
        self.begun = False
        try:
            if not answer(*asked):
                self.refuse(404, "no such page")
        except UserError as error:
            self.refuse(400, str(error))
        except (ConnectionError, TimeoutError):
            raise
        except Exception as error:  # of ours: said here, and in the page unless its answer has begun
            self.server.say(error, f"{self.command} {self.path}")
            self.close_connection = True
            if not self.begun:
                self.refuse(500, f"this page cannot be made ({type(error).__name__}); the terminal says more")

    def _welcome(self, changes: bool = False) -> bool:
        """Turn away requests to another name and from other sites' pages."""
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
        """Does every Origin that a request names lie here? One that changes something has to name it once."""
        own = [f"http://{host}" for host in self.server.hosts()]
        origins = self.headers.get_all("Origin") or []
        return all(origin in own for origin in origins) and (len(origins) == 1 or not (origins or changes))

    def send_page(self, **values: Any) -> bool:
        """Send the server's page, which may fetch from here only."""
        nonce = secrets.token_urlsafe(16)
        text = self.server.template.render(nonce=nonce, **values)
        return self.send(200, HTML, text.encode(), PAGE_POLICY.format(nonce=nonce))

    def send_film(self, content: bytes) -> bool:
        """Send the page of a replay, which is shut up in a sandbox."""
        return self.send(200, HTML, content, FILM_POLICY)

    def send_json(self, status: int, answer: Any) -> bool:
        """Send an answer."""
        content = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
        return self.send(status, "application/json; charset=utf-8", content, "default-src 'none'")

    def refuse(self, status: int, message: str) -> bool:
        """Say in one sentence what is wrong, and end the connection: what follows of a bad request is not read."""
        self.close_connection = True
        return self.send_json(status, {"error": " ".join(message.split())})

    def send(self, status: int, kind: str, content: bytes, policy: str) -> bool:
        """Send an answer of some kind, and say that it was sent."""
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
