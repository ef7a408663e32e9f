"""The lab in a page, in Chromium: does it play the games that Python plays here, to the byte?

    newdawn web build lab
    python -m newdawn.scripts.checks.web lab --games 1000
    python -m newdawn.scripts.checks.web lab --games 60 --player planner --player quick

Both boxes, every number of players, every strategy of the page (slow ones if they are named). Results are lines of
FOLDER.checked.jsonl beside the folder, so a check that was stopped continues where it stopped. Exit code 1: some table differs.
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
from ...simulator.runs.run import Player
from ...simulator.runs.run_plan import plan_by
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
    """Serves files without a log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the folder on this machine; yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def pieces(info: dict[str, Any], games: int, seed: int, named: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield the pieces of games to compare."""
    for box, about in info["boxes"].items():
        for strategy in about["strategies"]:
            if strategy["name"] not in named if named else strategy["slow"]:
                continue
            for players in map(int, strategy["weights"]):
                piece = SLOW_PIECE if strategy["slow"] else PIECE
                for first in range(0, games, piece):
                    n = min(piece, games - first)
                    yield {"box": box, "player": strategy["name"], "players": players, "seed": seed, "first": first, "games": n}


def here(piece: dict[str, Any]) -> dict[str, str]:
    """Return the digests of the tables of games played by Python."""
    r = load_ruleset(box=piece["box"]).compile()
    plan = plan_by(r, players=piece["players"], games=piece["games"], seed=piece["seed"], strategies=[piece["player"]])
    player = Player(plan, r)
    rows = player.rows(piece["games"])
    used = player.play(piece["first"], piece["games"], rows, 0, 0)
    tables = {name: getattr(rows, name)[: used if name == "agendas" else None].tobytes() for name in ROWS}
    return {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()}


def there(driver: Any, piece: dict[str, Any]) -> dict[str, str]:
    """Return the digests of the page."""
    strategies = {"kind": "all", "names": [piece["player"]]}
    plan = {"box": piece["box"], "players": piece["players"], "seed": piece["seed"], "strategies": strategies}
    return dict(driver.execute_async_script(PLAY, plan, piece["first"], piece["games"]))


def compared(driver: Any, piece: dict[str, Any]) -> dict[str, Any]:
    """Return the piece with the tables that differ, and the speed of the page."""
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
    log = folder.with_name(f"{folder.name}.checked.jsonl")
    lines = log.read_text("utf-8").splitlines() if log.is_file() else []
    earlier = [json.loads(line) for line in lines]
    keys = ("box", "player", "players", "seed", "first", "games")
    done = {tuple(result[key] for key in keys) for result in earlier if result["version"] == info["version"]}
    wrong = [result for result in earlier if result["version"] == info["version"] and result["differs"]]
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
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            played += piece["games"]
            wrong += [result] if result["differs"] else []
            click.echo(json.dumps(result))
    for result in wrong:
        click.echo(f"differs: {result}", err=True)
    click.echo(f"{played} games compared now, {len(earlier)} pieces before; {len(wrong)} pieces differ")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
