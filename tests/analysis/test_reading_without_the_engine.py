"""Reading is not playing: what reads a run needs no engine, no compiler and no pictures, and says the same without them."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main

BLOCKED = ("numba", "llvmlite", "matplotlib", "newdawn.simulator.engine", "newdawn.strategies.planning.planner")
PLAYS = "play,leader,won,player\n" + "".join(
    f"{play},{leader},{'yes' if leader == winner else 'no'},{person}\n"
    for play, winner in enumerate(("Rome", "Japan", "Rome", "Egypt") * 3)
    for leader, person in (("Rome", "A"), ("Egypt", "B"), ("Japan", "C"))
)
COMMANDS = (
    "leaders RUN", "leaders BOX --by players", "strengths RUN", "matchups RUN", "wonders RUN", "wonders RUN --by leader",
    "victory RUN", "victory RUN --by leader", "victory RUN --by combination", "cards RUN", "cards RUN --part wins",
    "places RUN", "places RUN --part held", "rounds RUN", "rounds RUN --part behind", "rounds RUN --part decided",
    "rounds RUN --part course", "game RUN", "game BOX", "game BOX --part districts --format json", "plan RUN",
    "plan --players 3", "verify RUN --sample 0", "plays kinds PLAYS", "plays compare PLAYS --with RUN",
    "leaders RUN --format csv",
)  # fmt: skip
# Runs in a process of its own: prints what each command and each function of `analysis` says.
READ = """
import json, sys
blocked, commands, folders = json.loads(sys.stdin.read())
sys.modules.update(dict.fromkeys(blocked))
from click.testing import CliRunner
from newdawn import analysis
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
said = {}
for command in commands:
    result = CliRunner().invoke(main, [folders.get(word, word) for word in command.split()])
    said[command] = [result.exit_code, repr(result.exception), result.output]
run, box = (analysis.open_run(folders[name]) for name in ("RUN", "BOX"))
plays = analysis.open_plays(folders["PLAYS"])
calls = {name: (lambda f: f(run)) for name in analysis.FUNCTIONS}
for name in ("districts", "governments", "exploring", "forts", "unique_cards", "wonders_left"):
    calls[name] = lambda f: f(box)
calls |= {
    "open_run": lambda f: f(folders["RUN"]).planned_games,
    "open_plays": lambda f: f(folders["PLAYS"]).manifest,
    "matchup_matrix": lambda f: f(analysis.matchups(run)),
    "over_players": lambda f: f([0.1, 0.2, 0.15], [0.01, 0.02, 0.01], ["a", "b", "c"]),
    "agreement": lambda f: f({"run": run, "again": run}),
    "settling": lambda f: f(analysis.place_wins(run)),
    "compare_plays": lambda f: f(plays, {"run": run}).tables,
    "compare_tables": lambda f: f(run, run),
    "games_needed": lambda f: f(0.01, 3),
}
for name, call in calls.items():
    try:
        answer = call(getattr(analysis, name))
    except (UserError, KeyError) as error:  # such as games too few for a model
        answer = repr(error)
    said[name] = answer.to_csv() if hasattr(answer, "to_csv") else repr(answer)
print(json.dumps({"said": said, "imported": [name for name in blocked if sys.modules.get(name)]}))
"""


def call(*words):
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Runs of both boxes, the first with all optional tables, and real plays."""
    place = tmp_path_factory.mktemp("read")
    tables = ["--rounds", "--focus-cards", "--places"]
    call("run", "--games", "120", "--players", "3", "--jobs", "1", "--quiet", *tables, "--out", place / "run")
    call("run", "--games", "20", "--players", "3", "--jobs", "1", "--quiet", "--box", "terra-incognita", "--out", place / "box")
    (place / "plays.csv").write_text(PLAYS, "utf-8")
    call("plays", "import", place / "plays.csv", "--out", place / "plays")
    return {name.upper(): str(place / name) for name in ("run", "box", "plays")}


def read(folders, blocked):
    asked = json.dumps([blocked, COMMANDS, folders])
    result = subprocess.run([sys.executable, "-c", READ], input=asked, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-3000:]
    return json.loads(result.stdout.splitlines()[-1])


def test_reading_commands_and_functions_say_the_same_without_engine_compiler_and_pictures(folders):
    free, alone = read(folders, ()), read(folders, BLOCKED)
    assert alone["imported"] == []
    assert {command: free["said"][command][:2] for command in COMMANDS} == {command: [0, "None"] for command in COMMANDS}
    assert alone["said"] == free["said"]


def test_a_report_without_games_played_again_needs_no_engine(folders, tmp_path):
    """Its pictures need matplotlib, no more."""
    block = "import sys; sys.modules.update(dict.fromkeys(sys.argv.pop(1).split()))"
    code = f"{block}; from newdawn.scripts.cli.main import main; main()"
    engine = " ".join(name for name in BLOCKED if name != "matplotlib")
    words = ["report", folders["RUN"], "--boards", "0", "--no-charts", "--quiet", "--out", str(tmp_path)]
    result = subprocess.run([sys.executable, "-c", code, engine, *words], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr[-3000:]
    assert (tmp_path / "report.html").is_file()
