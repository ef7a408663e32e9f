"""`newdawn new`: a folder to start from, with a commented house rule, goals, a notebook, and a README of six lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .shared import PATH

RULE, NOTEBOOK, README, RUN, ANSWER = "house_rule.yaml", "games.ipynb", "README.md", "games", "answer"
GOALS_FILE, BALANCED = "goals.yaml", "balanced"
HOUSE_RULE = """name: my house rule
description: Petra costs 5 instead of 7, so that it is built more often.
# box: terra-incognita        # with the expansion; add --box terra-incognita to the commands of README.md
wonders:
  petra: {cost: 5}
# Remove the # of a line to try it. `newdawn rules list WORD` finds other keys: list gold, list draft, list catch-up.
# leaders:
#   scythia: {abilities: {combat: {amount: 2}}}                     # its combat bonus; printed: 3
#   rome: {start_trade_tokens: {economy: 1}}                        # on its economy card, before the first turn
#   japan: {available: false}                                       # stays in the box
#   egypt: {start_bonus: {cities: 1}}                               # another city, before the first turn
# components:
#   start_bonus: {last_in_turn_order: {trade_tokens: 1}}            # for the last player
#   face_up_wonders: 2                                              # of each type; printed: 1
#   leader_deal: {bans_per_player: 1}                               # leaders each player bans; list draft finds more
#   combat: {tie: attacker}                                         # who wins a tie; printed: defender
# victory_cards:
#   rules: {cards_in_play: 4}                                       # a longer game
# scores: {points: {victory_cards: 5, cities: 1}, after_round: 15}  # the most points after round 15 win
# teams: {partners: opposite}                                       # seats 0 and 2 against 1 and 3; for four players
"""
STEPS = f"""1. `newdawn rules check {RULE}` and `newdawn rules diff {RULE}`: is the rule understood, and what does it change?
2. `newdawn compare printed {RULE} --games 2000 --out {ANSWER}`: what it changes in the game, on the same seeds.
3. `newdawn report {ANSWER}`: the answer as a page, `{ANSWER}/report/report.html`.
4. `newdawn run --rules {RULE} --games 2000 --out {RUN}`: games to look at; `newdawn report {RUN}` writes their report.
5. `jupyter lab {NOTEBOOK}`: the tables of these games in pandas (Jupyter: `pip install jupyterlab ipykernel`).
6. `newdawn goals {GOALS_FILE} --out {BALANCED}`: the few changes that bring the whole game to the goals of that file.
"""
CELLS = (
    ("markdown", f"# My house rule\n\nThe games are those of step 4 in {README}: `newdawn run --rules {RULE} … --out {RUN}`."),
    ("code", f"""import matplotlib.pyplot as plt
import pandas as pd

from newdawn import analysis

run = analysis.open_run("{RUN}")
facts = analysis.overview(run)
print(f"{{facts['games']:,}} games; median {{facts['rounds']['50%']:.0f}} rounds")"""),
    ("markdown", "A row of `seats` is one seat of one game; `won` is its share of the win."),
    ("code", """seats = pd.read_parquet(run.path / "seats", columns=["game_id", "leader", "won"])
seats.groupby("leader", observed=True)["won"].agg(["mean", "size"]).sort_values("mean", ascending=False).round(3)"""),
    ("markdown", "The win rates of the leaders, corrected for seat and opponents, with 95% intervals."),
    ("code", """strengths = analysis.strengths(run)
strengths[["leader", "n", "adjusted_rate", "adjusted_rate_low", "adjusted_rate_high"]].round(3)"""),
    ("code", """shown = strengths.sort_values("adjusted_rate")
ends = [shown["adjusted_rate"] - shown["adjusted_rate_low"], shown["adjusted_rate_high"] - shown["adjusted_rate"]]
fig, ax = plt.subplots(figsize=(7, 0.4 * len(shown) + 1))
ax.errorbar(shown["adjusted_rate"], shown["leader"].astype(str), xerr=ends, fmt="o")
ax.set_xlabel("win rate (95% interval)")
plt.show()"""),
)  # fmt: skip


@click.command()
@click.argument("folder", type=PATH, metavar="DIR")
def new(folder: Path) -> None:
    """Create a folder to start from: a house rule, goals, a notebook and a README with the next steps.

    \b
    newdawn new my_game

    Existing files are never overwritten.
    """
    from ...analysis.goals.wishes import GOALS
    from ...simulator.errors import UserError
    from ...simulator.ours import write_new
    from ...simulator.rules.schema import COMMENT, FILE, schema

    files = {
        README: f"# {folder.resolve().name}\n\n{STEPS}",
        RULE: COMMENT + HOUSE_RULE,
        GOALS_FILE: GOALS.format(name="my goals"),
        NOTEBOOK: _notebook(),
        FILE: json.dumps(schema(), ensure_ascii=False) + "\n",
    }
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: is a file; expected a folder", file=str(folder))
    there = {name for name in files if (folder / name).exists()}
    mine = {name for name in there if len(there) < len(files) and (folder / name).read_bytes() == files[name].encode()}
    for path in (folder / name for name in files if name in there - mine):  # what a killed command has left is completed
        raise UserError(f"{path}: already exists and is not overwritten; expected another folder", file=str(path))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        if name not in mine:
            write_new(folder / name, text.encode())
    click.echo(f"{folder}: {', '.join(files)}. Begin with {folder / README}.")


def _notebook() -> str:
    """Return the notebook as its file has it."""
    cells: list[dict[str, Any]] = []
    for nth, (kind, source) in enumerate(CELLS):
        cell: dict[str, Any] = {
            "cell_type": kind,
            "id": f"cell-{nth}",
            "metadata": {},
            "source": source.splitlines(keepends=True),
        }
        cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
