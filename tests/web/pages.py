"""Games of the lab as the engine in the page returns them, and Node to count them."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import newdawn
from newdawn.analysis.tables.columns import CARDS
from newdawn.simulator import names
from newdawn.simulator.rules.contents import written
from newdawn.simulator.runs.columns import WONDERS
from newdawn.simulator.runs.folder import victory_card_names

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


def node(script, given):
    """Run a module with `given` as JSON on its standard input; return what it prints, JSON, too."""
    found = subprocess.run(
        [NODE, "--input-type=module", "-e", script.replace("STATIC", STATIC.as_uri())],
        input=json.dumps(given), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)
