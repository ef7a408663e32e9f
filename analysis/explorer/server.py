"""The explorer as a server on this machine only (`local`): one page, and JSON answers to it.

It reads no path from a request: runs are numbers, games are numbers.
"""

from __future__ import annotations

from .desk import Desk
from .films import Films
from .local import LocalHandler, LocalServer, page_of


class Handler(LocalHandler):
    """Answers one connection."""

    server: Explorer

    def get(self, path: str, parts: list[str], query: str) -> bool:
        """Answer a question."""
        desk = self.server.desk
        if path == "/":
            return self.send_page(title=", ".join(desk.titles))
        if path == "/api/about":
            return self.send_json(200, desk.about())
        if parts[:2] == ["api", "view"]:
            return self.send_json(200, desk.answer("/".join(parts[2:]), query))
        if parts[:2] == ["api", "film"] and len(parts) == 4:
            return self.send_json(200, self.server.films.state(*desk.game(parts[2], parts[3])))
        return parts[0] == "film" and len(parts) == 3 and self._film(*parts[1:])

    def post(self, parts: list[str]) -> bool:
        """Do something: look for new games, or have a game played again."""
        if parts == ["api", "look"]:
            return self.send_json(200, self.server.desk.look())
        if parts[:2] == ["api", "film"] and len(parts) == 4:
            return self.send_json(200, self.server.films.order(*self.server.desk.game(parts[2], parts[3])))
        return False

    def _film(self, run: str, game: str) -> bool:
        content = self.server.films.page(*self.server.desk.game(run, game))
        if content is None:
            return self.refuse(404, "this game has not been replayed yet; its page has a button for that")
        return self.send_film(content)


class Explorer(LocalServer):
    """The server of a desk."""

    def __init__(self, desk: Desk, films: Films, port: int = 0) -> None:
        self.desk, self.films = desk, films
        template = page_of("newdawn.analysis.explorer", "explorer.html.j2", script="explorer.js", style="explorer.css")
        super().__init__(template, Handler, port)
