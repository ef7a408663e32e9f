"""The lab in a page, in Chromium: does it play the games that Python plays here, to the byte?

    newdawn web build lab
    python -m newdawn.scripts.checks.web lab --games 1000
    python -m newdawn.scripts.checks.web lab --games 60 --player planner --player quick

Both boxes, every number of players, every player of the page (the slow ones if they are named). What was compared is noted in
FOLDER.checked.jsonl beside the folder, a line for each piece of games: a check that was stopped goes on where it was. Exit
code 1 means that some table differs.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from ...analysis.web.build import ROWS
from ...simulator.errors import UserError
from ...simulator.rules import load_ruleset
from ...simulator.runs.plan import plan_by
from ...simulator.runs.run import Player
from .browser.chromium import CHROMIUM, DRIVER, opened

PIECE, SLOW_PIECE = 50, 2  # games: a browser has two minutes to answer
OPEN = """
const done = arguments[0];
import("/engine.js")
  .then(({openEngine}) => openEngine(async name => {
    const answer = await fetch("/" + name);
    if (!answer.ok) throw new Error(answer.statusText);
    return new Uint8Array(await answer.arrayBuffer());
  }))
  .then(engine => { globalThis.engine = engine; done(""); }, error => done(error.message));
"""
PLAY = """
const [plan, first, games, done] = arguments;
(async () => {
  const tables = await engine.play(plan, await engine.rules(plan.box), first, games), found = {};
  for (const [name, bytes] of Object.entries(tables.bytes)) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    found[name] = Array.from(digest, byte => byte.toString(16).padStart(2, "0")).join("");
  }
  return found;
})().then(done, error => done({error: error.message}));
"""


class Quiet(SimpleHTTPRequestHandler):
    """Hands out files and says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the folder on this machine meanwhile; give the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def pieces(info: dict[str, Any], games: int, seed: int, named: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield what is to be compared."""
    for box, about in info["boxes"].items():
        for one in about["strategies"]:
            if one["name"] not in named if named else one["slow"]:
                continue
            for players in map(int, one["weights"]):
                piece = SLOW_PIECE if one["slow"] else PIECE
                for first in range(0, games, piece):
                    n = min(piece, games - first)
                    yield {"box": box, "player": one["name"], "players": players, "seed": seed, "first": first, "games": n}


def here(piece: dict[str, Any]) -> dict[str, str]:
    """Return the digests of the tables of games played by Python."""
    r = load_ruleset(box=piece["box"]).compile()
    plan = plan_by(r, players=piece["players"], games=piece["games"], seed=piece["seed"], strategies=[piece["player"]])
    player = Player(plan, r)
    rows = player.rows(piece["games"])
    used = player.play(piece["first"], piece["games"], rows, 0, 0)
    found = {name: getattr(rows, name)[: used if name == "agendas" else None].tobytes() for name in ROWS}
    return {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}


def there(driver: Any, piece: dict[str, Any]) -> dict[str, str]:
    """Return those of the page."""
    strategies = {"kind": "all", "names": [piece["player"]]}
    plan = {"box": piece["box"], "players": piece["players"], "seed": piece["seed"], "strategies": strategies}
    return dict(driver.execute_async_script(PLAY, plan, piece["first"], piece["games"]))


def compared(driver: Any, piece: dict[str, Any]) -> dict[str, Any]:
    """Return the piece with the tables that differ, and how many games a second the page played."""
    started = time.perf_counter()
    page = there(driver, piece)
    seconds = time.perf_counter() - started
    python = here(piece)
    other = [page["error"]] if "error" in page else [name for name in python if page.get(name) != python[name]]
    return piece | {"differs": other, "games_per_second": round(piece["games"] / seconds, 1)}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--games", default=1_000, show_default=True, help="Games of each box, player and number of players.")
@click.option("--seed", default=1, show_default=True)
@click.option("--player", "named", multiple=True, help="Only this player (repeatable) [default: all that are not slow].")
def main(folder: Path, games: int, seed: int, named: tuple[str, ...]) -> None:
    """Compare the games of a page in Chromium with those of Python."""
    if not (CHROMIUM and DRIVER):
        raise UserError("no Chromium with its driver is installed here")
    info = json.loads((folder / "engine.json").read_text("utf-8"))
    noted = folder.with_name(f"{folder.name}.checked.jsonl")
    lines = noted.read_text("utf-8").splitlines() if noted.is_file() else []
    known = [json.loads(line) for line in lines]
    keys = ("box", "player", "players", "seed", "first", "games")
    done = {tuple(one[key] for key in keys) for one in known if one["version"] == info["version"]}
    wrong = [one for one in known if one["version"] == info["version"] and one["differs"]]
    played = 0
    with served(folder) as address, opened() as driver:
        driver.set_script_timeout(600)
        driver.get(f"{address}/engine.json")
        if error := driver.execute_async_script(OPEN):
            raise UserError(f"{folder}: {error}")
        for piece in pieces(info, games, seed, named):
            if tuple(piece[key] for key in keys) in done:
                continue
            result = compared(driver, piece) | {"version": info["version"]}
            with noted.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            played += piece["games"]
            wrong += [result] if result["differs"] else []
            click.echo(json.dumps(result))
    for one in wrong:
        click.echo(f"differs: {one}", err=True)
    click.echo(f"{played} games compared now, {len(known)} pieces before; {len(wrong)} pieces differ")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
