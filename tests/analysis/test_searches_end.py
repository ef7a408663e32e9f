"""No change that cannot be played ends a search or an experiment: at every table of both boxes, with drafts and own content."""

from __future__ import annotations

import os

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.analysis.questions.possible_changes import levers, words_of
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import names_of, slug

DEAL = "components.leader_deal.*"
DRAFT = "name: a draft\ncomponents:\n  leader_deal:\n    {part}: {{leaders_per_player: 2, choice: ranking}}\n"
SMALL = ("--jobs", "1", "--quiet")
TABLES = [(box, players) for box in names.BOXES for players in range(2, names.MOST_PLAYERS[box] + 1)]
HOWS = ("as dealt", "named", "pool", "draft", "own")
# Every way of sitting down at every table; without NEWDAWN_WHOLE_SOAK, one at each, in turn.
IN_TURN = [
    (*table, how) for k, table in enumerate(TABLES)
    for how in (HOWS if "NEWDAWN_WHOLE_SOAK" in os.environ else [HOWS[k % len(HOWS)]])
]  # fmt: skip


def table_of(box, players, how, folder):
    """Return the options of a table, and those of who sits there."""
    leaders = names_of(load_ruleset(box=box).data, "leader")
    options, seats = ["--box", box], ["--players", str(players), "--strategies", "planner"]
    if how == "named":
        seats += ["--leaders", ",".join(leaders[:players])]
    elif how == "pool":
        seats += ["--leader-pool", ",".join(leaders[: 2 * players])]
    elif how in ("draft", "own"):
        path = folder / "rules.yaml"
        own = CliRunner().invoke(main, ["rules", "new", "leader", "Atlantis"]).stdout
        path.write_text(DRAFT.format(part="base" if box == "base" else "ti") if how == "draft" else own, "utf-8")
        options += ["--rules", str(path)]
    return options, seats, leaders[0]


def drawn(box, players, n=25):
    """Return a draw of what may be changed, with the deal of the leaders, which few tables can play."""
    rules, rng = load_ruleset(box=box), np.random.default_rng([players, names.BOXES.index(box)])
    paths = sorted({lever.name for lever in levers(rules)} | {entry.path for entry in words_of(rules)})
    return [*map(str, rng.permutation(paths)[:n]), DEAL]


def asked(box, players, how, folder):
    options, seats, leader = table_of(box, players, how, folder)
    some, deal = ",".join(drawn(box, players)), "base" if box == "base" else "ti"
    dealt = f"components.leader_deal.{deal}.leaders_per_player"
    goals, row = folder / "goals.yaml", f"leaders.{slug(leader)}.start_row"
    goals.write_text(
        f"box: {box}\nplayers: {players}\nways: [planner]\ngoals: [{{figure: game-length, between: [4, 5]}}]\n"
        f"changes: {{at_most: 1, numbers: [{{path: {dealt}, from: 1, to: 4}}], words: [{{path: {row}}}]}}\n",
        "utf-8",
    )
    few = ["--parameters", some, "--screen", "10", "--games", "20", "--fresh", "20"]
    return {
        "balance": ["balance", "--target", "game-length=9", *few, *options, *seats],
        "balance of a leader": ["balance", "--leader", leader, "--to", "40%", *few, *options, *seats],
        "tune": ["tune", "--parameter", dealt, "--range", "1:4", "--target", "game-length=9", "--games", "8", "--fresh", "8",
                 *options, *seats],
        "sensitivity": ["sensitivity", "--parameters", f"{DEAL},wonders.petra.cost", "--games", "8", *options, *seats],
        "goals": ["goals", str(goals), "--all-games", "9000", "--fresh", "40", *options],
        "experiment": ["experiment", "ablate", "leader-ability", "--each", "--games", "8", *options, *seats],
        "restrict": ["restrict", "--games", "8", "--player", "planner", "--players", str(players), *options],
    }  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize(("box", "players", "how"), IN_TURN)
def test_no_change_ends_a_search(box, players, how, tmp_path):
    whole = asked(box, players, how, tmp_path)
    # Every table is asked everything; every way of sitting down at it a part, in turn.
    at = HOWS.index(how) + players
    for place, (name, words) in enumerate(whole.items()):
        if how == "as dealt" or place % len(HOWS) in (at % len(HOWS), (at + 1) % len(HOWS)):
            found = CliRunner().invoke(main, [*words, "--out", str(tmp_path / name.replace(" ", "-")), *SMALL])
            assert found.exit_code == 0, f"newdawn {' '.join(words)}\n{found.output[-600:]}"
