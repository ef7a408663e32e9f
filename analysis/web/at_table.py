"""The files with which people play and watch in the page: start with `table_files`.

table.html, at_table.* the page of a table, that of `newdawn play` (explorer/play.py), asked of a worker instead of a server
table.json             names of fields, texts of printed cards, and how a person's seat stands in a plan
data-BOX.json          the printed rules, for games that are saved or opened as files
games/                 the scripts of these pages, with lab.js, which `python_to_javascript.py` makes of the lab's functions
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any

from ...simulator.replay.film import BOARD_SCRIPT, BOARD_STYLE, resource
from ...simulator.replay.interactive_game import ME, seated
from ...simulator.rules import load_ruleset
from ..explorer import play
from . import python_to_javascript

PAGES = (
    "here.js",
    "host.js",
    "thinking.js",
    "seat.js",
    "watch.js",
    "watching.js",
)  # scripts that a page or a worker begins with
IMPORT = re.compile(r'from "(?:\.|\.\./static)/([a-z0-9_]+\.js)"')
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)


def table_files(boxes: Iterable[str], static: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files by name; `static`: those of the page that its scripts import, too."""
    scripts = dict(static) | game_scripts(at_table=True)
    needed = {name for page in PAGES for name in modules(page, scripts) if name not in static}
    files = {name: scripts[name].replace(b'"../static/', b'"./') for name in sorted(needed)}
    about = {
        "fields": python_to_javascript.fields_of_names(), "printed": {box: play.printed_cards(box) for box in boxes},
        "me": seated([ME])[0].as_dict(),  # type: ignore[union-attr]
    }  # fmt: skip
    files["table.json"] = _json(about)
    files |= {f"data-{box}.json": _json(load_ruleset(box=box).data) for box in boxes}
    files["table.html"] = play.page_template().render(served=False, nonce="", policy=POLICY).encode()
    files["at_table.js"] = (resources.files(play.__package__) / "play.js").read_bytes()
    files["board.js"] = resource(BOARD_SCRIPT).encode()
    style = (resources.files(play.__package__) / "play.css").read_text("utf-8")
    files["at_table.css"] = f"{style}\n{resource(BOARD_STYLE)}\n{play.seat_style()}".encode()
    assert not files.keys() & static.keys(), "no file of the page has the name of another"
    return files


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def game_scripts(at_table: bool) -> dict[str, bytes]:
    """Return the scripts of games in a page, by name; `at_table`: with what games need that people play."""
    own = resources.files(__package__) / "games"
    scripts = {file.name: file.read_bytes() for file in own.iterdir() if file.name.endswith(".js")}
    return scripts | {"lab.js": python_to_javascript.lab_script(at_table)}


def modules(script: str, scripts: Mapping[str, bytes]) -> list[str]:
    """Return a script after those that it imports."""
    found: list[str] = []
    for name in IMPORT.findall(scripts[script].decode()):
        found += modules(name, scripts)
    return list(dict.fromkeys([*found, script]))
