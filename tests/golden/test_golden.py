"""Golden games: whole games as turn logs. A changed log means that behaviour moved: name it and say why in the commit.

NEWDAWN_WRITE_GOLDEN=1 pytest tests/golden   writes the logs anew.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
import yaml

from newdawn.simulator.replay.stepper import play_logged
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run_plan import plan_by

HERE = Path(__file__).parent

# name: (players, seed, game, strategies, round cap, overlay)
GAMES = {
    "two_opportunists": (2, 11, 0, ["opportunist"], 200, {}),
    "three_opportunists": (3, 12, 1, ["opportunist"], 200, {}),
    "four_opportunists": (4, 13, 2, ["opportunist"], 200, {}),
    "four_opportunists_block_layout": (4, 14, 3, ["opportunist"], 200, {"map": {"core_layout": "four_tiles_block"}}),
    "four_opportunists_epic": (4, 15, 4, ["opportunist"], 200, {"victory_cards": {"rules": {"base": {"cards_in_play": 4}}}}),
    "two_random": (2, 16, 5, ["random"], 30, {}),
    "three_random_first_game_map": (3, 17, 6, ["random"], 30, {"map": {"mode": "first_game"}}),
    "four_random": (4, 18, 7, ["random"], 30, {}),
    "two_planners": (2, 20, 9, ["planner"], 200, {}),
    "four_planners": (4, 21, 10, ["planner"], 200, {}),
    "four_mixed": (4, 19, 8, ["opportunist", "random", "opportunist", "random"], 200, {}),
}
EXPANSION_GAMES = {
    "ti_two_planners": (2, 31, 0, ["planner"], 200, {}),
    "ti_three_planners": (3, 32, 1, ["planner"], 200, {}),
    "ti_four_planners": (4, 33, 2, ["planner"], 200, {}),
    "ti_five_planners": (5, 34, 3, ["planner"], 200, {}),
    "ti_three_random": (3, 35, 4, ["random"], 40, {}),
    "ti_five_random": (5, 36, 5, ["random"], 40, {}),
    "ti_four_mixed": (4, 37, 6, ["planner", "random", "opportunist", "warrior"], 200, {}),
    "ti_four_block_layout": (4, 38, 7, ["planner"], 200, {"map": {"core_layout": "four_tiles_block"}}),
}


@pytest.mark.parametrize("name", [*GAMES, *EXPANSION_GAMES])
def test_golden_game(name, tmp_path):
    box = "base" if name in GAMES else "terra-incognita"
    players, seed, game, strategies, cap, overlay = (GAMES | EXPANSION_GAMES)[name]
    file = tmp_path / "overlay.yaml"
    file.write_text(yaml.safe_dump(overlay), "utf-8")
    ruleset = load_ruleset([file] if overlay else [], box=box)
    plan = plan_by(ruleset.compile(), players=players, games=game + 1, seed=seed, strategies=strategies, round_cap=cap)
    played = "\n".join(play_logged(ruleset, plan, game, choices=True)) + "\n"
    golden = HERE / f"{name}.log.gz"
    if os.environ.get("NEWDAWN_WRITE_GOLDEN"):
        golden.write_bytes(gzip.compress(played.encode(), mtime=0))
    assert played.splitlines() == gzip.decompress(golden.read_bytes()).decode().splitlines()
