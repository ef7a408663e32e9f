"""Games of the lab as the engine in the page returns them, and Node to count them."""

import json
import re
import shutil
import subprocess
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import newdawn
from newdawn.analysis.tables.decoded_games import CARDS
from newdawn.analysis.web.page_texts import page_files, words
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import keys
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.runs.columns import WONDERS
from newdawn.simulator.runs.run_folder import victory_card_names

NODE = shutil.which("node")
STATIC = Path(newdawn.__file__).parent / "analysis" / "web" / "static"
needs_node = pytest.mark.skipif(not NODE, reason="no Node is installed here")

ASKED = {
    "games": ("game_id", "rounds", "ending", *CARDS), "seats": ("game_id", "seat", "leader", "order", "won"),
    "wonders": ("game_id", "wonder", "in_deck", "round_revealed", "round_built", "builder", "captures"),
    "agendas": ("game_id", "seat", "agenda", "round"),
}  # fmt: skip


def names_of(r, facts):
    """Return the names of the rules by their codes; `facts`: type and era by wonder."""
    found = {kind: written(r, kind) for kind in ("leader", "agenda", "wonder")}
    return found | {"card": list(victory_card_names(r)), "facts": {name: facts[name] for name in found["wonder"]}}


def facts_of(run):
    frame = run.read("wonders", [column.name for column in WONDERS if column.name in ("wonder", "type", "era")])
    return {str(row.wonder): (str(row.type), str(row.era)) for row in frame.drop_duplicates("wonder").itertuples()}


def columns_of(run, known):
    """Return the tables as codes and numbers, nothing null: -1 for a word or seat, 0 for a round."""
    words = {"ending": names.ENDINGS, **dict.fromkeys(CARDS, known["card"])} | known
    found = {}
    for table, asked in ASKED.items():
        frame = run.read(table, list(asked))
        found[table] = {}
        for name in asked:
            column = frame[name]
            if name in words:
                codes = {word: code for code, word in enumerate(words[name])}
                values = column.astype(object).map(codes).fillna(-1).to_numpy(int)
            else:
                values = column.fillna(-1 if name == "builder" else 0).to_numpy()
            found[table][name] = [v.item() for v in np.asarray(values)]
    return found


def node(script, given, seconds=120):
    """Run a module with `given` as JSON on its standard input, so many seconds at most; return what it prints, JSON, too."""
    found = subprocess.run(
        [NODE, "--input-type=module", "-e", script.replace("STATIC", STATIC.as_uri())],
        input=json.dumps(given), capture_output=True, text=True, timeout=seconds, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


# --- The page with games that were played before, in the place of the engine

RANGE = re.compile(r"(-?\d+) to (\d+)")


def rows_of_form(box):
    """Return what house rules can change by a number, a switch or a word: key, title, section, kind, value, values or range."""
    found = []
    for key in keys(load_ruleset(box=box)):
        section, *steps = key.path.split(".")
        title = f"{steps[0].replace('_', ' ').title()}: {' '.join(steps[1:]).replace('_', ' ')}"
        row = {"key": key.path, "title": title, "section": section, "text": key.text, "value": key.value}
        limits = RANGE.fullmatch(key.allowed)
        if isinstance(key.value, bool):
            found.append(row | {"kind": "switch", "values": [True, False]})
        elif isinstance(key.value, int) and limits:
            found.append(row | {"kind": "number", "range": [int(limits[1]), int(limits[2])]})
        elif isinstance(key.value, str) and " or " in key.allowed:
            found.append(row | {"kind": "choice", "values": re.split(", | or ", key.allowed)})
    return found


def engines(rows):
    """Return the rows as the engine has them: a range of numbers by its ends."""
    found = [row | ({"least": row["range"][0], "most": row["range"][1]} if "range" in row else {}) for row in rows]
    return [{name: value for name, value in row.items() if name != "range"} for row in found]


def about(box, known):
    """Return what engine.json says of a box."""
    players = [{"name": name, "description": text, "slow": False, "weights": {str(n): {} for n in range(2, 6)}}
               for name, text in (("planner", "plans a few turns ahead"), ("random", "chooses by lot"))]  # fmt: skip
    facts = [known["facts"][name] for name in known["wonder"]]
    return {
        "players": list(range(2, names.MOST_PLAYERS[box] + 1)), "leaders": known["leader"], "agendas": known["agenda"],
        "victoryCards": known["card"], "wonders": known["wonder"], "wonderTypes": [kind for kind, _ in facts],
        "wonderEras": [era for _, era in facts], "strategies": players, "default": "planner",
    }  # fmt: skip


def write_site(folder, box, sides, known, more=()):
    """Write the folder of the page, with two recorded runs in the place of the engine; `more`: boxes with a form only."""
    files = {path.name: path.read_bytes() for path in STATIC.iterdir() if path.is_file()}
    files["engine.js"] = (Path(__file__).parent / "recorded.js").read_bytes()
    boxes = {one: about(one, known) for one in (box, *more)}
    made = {f"form-{one}.json": {"rows": engines(rows_of_form(one))} for one in boxes}
    made["engine.json"] = {"version": "recorded", "boxes": boxes}
    made |= {f"recorded-{box}.json": [columns_of(run, known) for run in sides], "words.json": words()}
    files |= {name: json.dumps(value).encode() for name, value in made.items()}
    for name, content in (files | page_files(files)).items():
        (folder / name).write_bytes(content)


@contextmanager
def served(folder):
    """Serve a folder as any web host does; yield its address and what ends it."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stopped = []

    def stop():
        if not stopped:
            stopped.append(True)
            server.shutdown()
            server.server_close()

    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", stop
    finally:
        stop()
