"""The explorer as a server on this machine only: one page, and JSON answers to it.

It listens on 127.0.0.1 and answers requests that name it so (a page elsewhere whose name was made to point here is turned
away), and none that another site's page sends. It reads no path from a request: runs are numbers, games are numbers.
"""

from __future__ import annotations

import json
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import jinja2

from ...simulator.errors import UserError
from .desk import Desk
from .films import Films

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


class Explorer(ThreadingHTTPServer):
    """The server of a desk. Port 0 takes a free one; raises UserError if the port cannot be had."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, desk: Desk, films: Films, port: int = 0) -> None:
        self.desk, self.films = desk, films
        self.template = _page()
        try:
            super().__init__((HOST, port), Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UserError(f"--port: {port} cannot be used: {reason}; leave the option out for a free port") from None

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no error of ours."""

    def hosts(self) -> tuple[str, ...]:
        """Return the names by which a request may call the server."""
        port = self.server_address[1]
        return f"{HOST}:{port}", f"localhost:{port}"


def _page() -> jinja2.Template:
    """Return the page's template: script and style are put into it."""
    folder = resources.files("newdawn.analysis.explorer")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    parts = {"script": "explorer.js", "style": "explorer.css"}
    environment.globals |= {name: (folder / file).read_text("utf-8") for name, file in parts.items()}
    return environment.from_string((folder / "explorer.html.j2").read_text("utf-8"))


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: Explorer
    server_version, sys_version = "newdawn", ""
    timeout = TIMEOUT
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer a question."""
        if not self._welcome():
            return
        target = urlsplit(self.path)
        parts = target.path.removeprefix("/").split("/")
        try:
            if target.path == "/":
                self._send_page()
            elif target.path == "/api/about":
                self._send_json(200, self.server.desk.about())
            elif parts[0] == "api" and parts[1:2] == ["view"]:
                self._send_json(200, self.server.desk.answer("/".join(parts[2:]), target.query))
            elif parts[0] == "api" and parts[1:2] == ["film"] and len(parts) == 4:
                self._send_json(200, self.server.films.state(*self.server.desk.game(parts[2], parts[3])))
            elif parts[0] == "film" and len(parts) == 3:
                self._send_film(*parts[1:])
            else:
                self._refuse(404, "there is no such page here")
        except UserError as error:
            self._refuse(400, str(error))

    def do_POST(self) -> None:
        """Do something: look for new games, or have a game played again."""
        if not self._welcome(changes=True):
            return
        parts = urlsplit(self.path).path.removeprefix("/").split("/")
        try:
            if parts == ["api", "look"]:
                self._send_json(200, self.server.desk.look())
            elif parts[:2] == ["api", "film"] and len(parts) == 4:
                self._send_json(200, self.server.films.order(*self.server.desk.game(parts[2], parts[3])))
            else:
                self._refuse(404, "there is no such page here")
        except UserError as error:
            self._refuse(400, str(error))

    def _welcome(self, changes: bool = False) -> bool:
        """Turn away requests to another name and from other sites' pages."""
        if self.headers.get_all("Host") not in [[host] for host in self.server.hosts()]:
            self._refuse(403, f"this server answers to {self.server.url} only")
        elif self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(403, "this server does not answer other sites' pages")
        elif changes and self.headers.get("Origin") not in [f"http://{host}" for host in self.server.hosts()]:
            self._refuse(403, "only the explorer's own page may ask for this")
        elif self.headers.get("Content-Length", "0") != "0" or self.headers.get("Transfer-Encoding"):
            self._refuse(400, "a request has no content here")
        else:
            return True
        return False

    def _send_page(self) -> None:
        nonce = secrets.token_urlsafe(16)
        text = self.server.template.render(nonce=nonce, title=", ".join(self.server.desk.titles))
        self._send(200, "text/html; charset=utf-8", text.encode(), PAGE_POLICY.format(nonce=nonce))

    def _send_film(self, run: str, game: str) -> None:
        content = self.server.films.page(*self.server.desk.game(run, game))
        if content is None:
            self._refuse(404, "this game has not been played again yet; the page of the game has a button for it")
        else:
            self._send(200, "text/html; charset=utf-8", content, FILM_POLICY)

    def _send_json(self, status: int, answer: Any) -> None:
        content = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
        self._send(status, "application/json; charset=utf-8", content, "default-src 'none'")

    def _refuse(self, status: int, message: str) -> None:
        """Say in one sentence what is wrong, and end the connection: what follows of a bad request is not read."""
        self.close_connection = True
        self._send_json(status, {"error": " ".join(message.split())})

    def _send(self, status: int, kind: str, content: bytes, policy: str) -> None:
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

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the terminal quiet."""
