"""Play and write the results under results/reference: python -m newdawn.scripts.checks.play_reference.

The games and the ladders' tables go to a folder of their own (about 250 MB for the base game). Kept in results/reference are
the text of each report, its manifest, the leaders' win rates (`newdawn plan` starts from them), the charts that the
documentation shows, and the ladders; `newdawn report results/reference-runs/4p` writes the rest: page, charts and tables.
After a stop, give the same command again: runs are resumed, and results of an engine that plays the same games are left alone.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pandas as pd

from ...analysis.tables import reference_results
from ...analysis.tables.figures_by_strategy import verdicts
from ...analysis.tables.kept_answers import open_kept
from ...simulator import names
from ...simulator.compile_cache import same_games, source_digest
from ...simulator.rules import load_ruleset
from ...simulator.rules.ruleset_contents import names_of
from ...simulator.rules.show import doubts_about
from ...strategies.registry import DEFAULT
from ..cli import shared
from ..cli.shared import PATH

REFERENCE = Path("results/reference")  # relative to the top of the repository, as in the texts of reports and ladders
TOP = Path(__file__).resolve().parents[2]
GAMES = {  # by box and number of players
    names.BOXES[0]: {4: 1_000_000, 3: 300_000, 2: 300_000},
    names.BOXES[names.TI_BOX]: {4: 1_000_000, 5: 300_000, 3: 300_000, 2: 300_000},
}
SHOWN = (names.BOXES[0], 4)  # whose charts the documentation shows
KEPT = ("leaders",)  # tables
BESIDE = {"planner": 0.2, "thinker": 0.005, "styles": 0.05}  # other strategies, and their share of the games
STYLES = {  # strong styles, drawn for each seat (docs/evidence/players.md)
    names.BOXES[0]: "architect,conqueror",
    names.BOXES[names.TI_BOX]: "conqueror",
}
# Games of each good player, with four players. They differ in how far they look; the styles copy the default except for a
# taste, so that with them players would seem to differ less than they do. One more, trained anew, shares no network with them
# (docs/evidence/who-plays.md).
GOOD_PLAYERS = {
    names.BOXES[0]: {"fast": 6000, DEFAULT: 6000, "adept": 3000, "thinker": 1000},
    names.BOXES[names.TI_BOX]: {"fast": 4000, DEFAULT: 4000, "adept": 1500, "thinker": 300},
}
ANEW = {  # options of its training; it plays as many games as the default
    names.BOXES[0]: {"games": 3000, "lessons": 4000, "stages": 3, "seed": 515_001},
    names.BOXES[names.TI_BOX]: {"games": 2500, "lessons": 3000, "stages": 3, "epochs": 3, "judge": 200, "seed": 515_003},
}
TAUGHT = ("games", "lessons")  # of these, what a trial has fewer of; at least LEAST_TAUGHT
LEAST_TAUGHT = 50
LEAST = 2  # games of a run
TRAINED = "trained anew"  # what the file calls that player
WEIGHED = 20_000  # pairs of games for each open reading about a leader
OPPONENTS = "planner,random,autoplayer,opportunist,expander,builder,scholar,merchant,warrior,explorer"
OF_BOX = {names.BOXES[0]: "", names.BOXES[names.TI_BOX]: ",pathfinder,urbanist,castellan"}


def ladders(box: str) -> dict[str, tuple[int, tuple[object, ...]]]:
    """Return the ladders of a box by name: games, and further options."""
    return {
        "ladder": (20_000, ("--seed", 1)),
        "against": (10_000, ("--strategies", DEFAULT, "--against", OPPONENTS + OF_BOX[box], "--seed", 3)),
    }


def newdawn(*arguments: object) -> None:
    """Run a command; exit with its code if it fails."""
    click.echo(f"newdawn {' '.join(map(str, arguments))}", err=True)
    done = subprocess.run([sys.executable, "-m", "newdawn.scripts.cli.start", *map(str, arguments)], cwd=TOP)
    if done.returncode:
        raise SystemExit(done.returncode)


def engine_of(file: Path, *keys: str) -> str | None:
    """Return the engine named in a JSON file, None if there is no such file."""
    try:
        value = json.loads(file.read_text("utf-8"))
        for key in (*keys, "engine"):
            value = value[key]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return str(value)


def in_box(box: str) -> tuple[str, ...]:
    """Return the option that names the box, none for the base game."""
    return () if box == names.BOXES[0] else ("--box", box)


def weigh_readings(box: str, out: Path, share: float) -> None:
    """Measure for reports how much open readings about leaders change their win rates."""
    ruleset = load_ruleset(box=box)
    about_leaders = [
        doubt for leader in names_of(ruleset.data, "leader") for doubt in doubts_about(ruleset, leader) if doubt.overlay
    ]
    only = [argument for name in dict.fromkeys(doubt.name for doubt in about_leaders) for argument in ("--only", name)]
    games = max(LEAST, round(WEIGHED * share))
    command = ["rules", "disputes", *in_box(box), *only, "--games", str(games), "--format", "csv"]
    click.echo(f"newdawn {shlex.join(command)}", err=True)
    program = [sys.executable, "-m", "newdawn.scripts.cli.start"]
    done = subprocess.run([*program, *command], cwd=TOP, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(done.returncode)
    (TOP / out / "readings.csv").write_text(done.stdout, "utf-8")


def play(box: str, players: int, games: int, runs: Path, reference: Path) -> None:
    """Play the games of this many players, some by other strategies, and write their report and manifest."""
    run, out = runs / f"{players}p", reference / f"{players}p"
    if same_games(engine_of(TOP / out / "manifest.json")):
        return
    newdawn("run", *plan_of(box, players, games, DEFAULT), "--out", run, "--quiet")
    beside: list[object] = []
    for name, share in BESIDE.items():
        other = runs / f"{players}p-{name}"
        newdawn("run", *plan_of(box, players, max(LEAST, round(games * share)), name), "--out", other, "--quiet")
        beside += ["--beside", other]
    charts = () if (box, players) == SHOWN else ("--no-charts",)
    newdawn("report", run, *beside, "--no-page", *charts, "--tables", ",".join(KEPT), "--out", out)
    copy_json(TOP / run / "manifest.json", TOP / out / "manifest.json")


def copy_json(file: Path, to: Path) -> None:
    """Copy a JSON file with one line per row of a table, in fewer bytes."""
    parts = []
    for key, value in json.loads(file.read_text("utf-8")).items():
        rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in value) if isinstance(value, list) else ""
        parts.append(f"{json.dumps(key)}: " + (f"[\n{rows}\n]" if rows else json.dumps(value, ensure_ascii=False)))
    to.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def plan_of(box: str, players: int, games: int, strategy: str) -> tuple[object, ...]:
    """Return the options of a run, with the same seed for all strategies."""
    seats = ("--strategy-pool", STYLES[box]) if strategy == "styles" else ("--strategies", strategy)
    return (*in_box(box), "--players", players, "--games", games, "--seed", 1, *seats, "--round-cap", 200)


def keep_good_players(box: str, players: int, share: float, runs: Path, out: Path) -> None:
    """Write each figure's mean over good players, and its prediction for another one."""
    file = TOP / out / f"{players}p" / reference_results.GOOD_PLAYERS
    if file.is_file() and pd.read_csv(file)["engine"].map(same_games).all():
        return
    trained, answer = runs / f"{players}p-trained", runs / f"{players}p-good-players"
    fewer = {name: max(LEAST_TAUGHT, round(ANEW[box][name] * share)) for name in TAUGHT}
    options = [part for name, value in (ANEW[box] | fewer).items() for part in (f"--{name}", value)]
    newdawn("strategies", "train", *in_box(box), "--players", players, *options, "--out", trained)
    anew = trained / f"my_{DEFAULT}.yaml"
    played = GOOD_PLAYERS[box] | {str(anew): GOOD_PLAYERS[box][DEFAULT]}
    games = [max(LEAST, round(number * share)) for number in played.values()]
    newdawn("ways", *in_box(box), "--players", players, "--strategies", ",".join(played), "--games",
            ",".join(map(str, games)), "--seed", 470 + names.BOXES.index(box), "--out", answer, "--quiet")  # fmt: skip
    saved = open_kept(TOP / answer)
    assert saved is not None
    keep_bands(saved.tables["ways"].replace({"way": {anew.stem: TRAINED}}), box, file)


def keep_bands(table: pd.DataFrame, box: str, file: Path) -> None:
    """Write the mean of each figure of `ways` over all its players, and the prediction for another one."""
    found = verdicts(table, list(dict.fromkeys(table["way"])))
    rows = found.loc[found["mean"].notna(), ["figure", *reference_results.BAND.values(), "players"]].round(5)
    rows.assign(rules=load_ruleset((), None, box).digest(), engine=source_digest()).to_csv(
        file, index=False, lineterminator="\n"
    )


@click.command()
@click.option("--runs", type=PATH, default=Path("results/reference-runs"), show_default=True, help="Folder for the games.")
@click.option("--out", type=PATH, help="Folder for the results [default: results/reference, in it a folder for the expansion].")
@shared.box
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), default=1.0, help="Share of the games, for a trial.")
def main(runs: Path, out: Path | None, box: str, share: float) -> None:
    """Play the reference results and write what is kept of them. The same command continues after a stop."""
    # The expansion is beside the base game, in folders of its own.
    apart = () if box == names.BOXES[0] else (box,)
    out, runs = out or REFERENCE.joinpath(*apart), runs.joinpath(*apart)
    (TOP / out).mkdir(parents=True, exist_ok=True)
    for name, (games, settings) in ladders(box).items():  # first, for the reports mention them
        if not same_games(engine_of(TOP / out / f"{name}.json", "provenance")):
            newdawn("ladder", *in_box(box), *settings, "--games", max(LEAST, round(games * share)), "--out", runs)
            shutil.copyfile(TOP / runs / f"{name}.md", TOP / out / f"{name}.md")
            copy_json(TOP / runs / f"{name}.json", TOP / out / f"{name}.json")
    weigh_readings(box, out, share)
    for players, games in GAMES[box].items():
        play(box, players, max(LEAST, round(games * share)), runs, out)
    keep_good_players(box, 4, share, runs, out)


if __name__ == "__main__":
    main()
