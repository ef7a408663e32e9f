"""Games that a command plays in memory are kept until its answer is written: whatever stops it, it goes on."""

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.analysis.questions import ladder
from newdawn.analysis.questions.restricted_play import player, restrict
from newdawn.analysis.tables import figures_by_strategy
from newdawn.scripts.cli.main import main
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import games_in_memory, run

GAME = ["--players", "2", "--seed", "3", "--jobs", "2", "--quiet"]
COMMANDS = {
    "ways": ["ways", "--strategies", "random,autoplayer", "--games", "60", *GAME],
    "ladder": ["ladder", "--strategies", "random,autoplayer", "--games", "60", *GAME],
    "against": ["ladder", "--strategies", "random", "--against", "autoplayer", "--games", "60", *GAME],
    "compare": ["compare", "printed", "cheaper_wonders", "--games", "60", "--strategies", "random", *GAME],
    "coalition": ["coalition", "--leaders", "Rome", "--games", "60", "--player", "quick", *GAME],
    "restrict": ["restrict", "--without", "attacks", "--games", "60", "--player", "planner", *GAME],
}


def invoke(words, out, code=0):
    result = CliRunner().invoke(main, [*words, "--out", str(out)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout.replace(str(out), "OUT"), result.stderr


def files(out):
    return {path.name: path.read_bytes() for path in out.iterdir() if path.suffix == ".csv"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_fails_at_its_end_plays_nothing_again(name, tmp_path, monkeypatch):
    whole, lost = tmp_path / "whole", tmp_path / "lost"
    said, _ = invoke(COMMANDS[name], whole)
    assert not (whole / games_in_memory.FILE).exists()
    with monkeypatch.context() as patch:
        patch.setattr("newdawn.simulator.file_ownership.write_files", broken)
        for module in ("newdawn.analysis.tables.kept_answers", "newdawn.scripts.cli.ladder"):
            patch.setattr(f"{module}.write_files", broken)
        with pytest.raises(ZeroDivisionError):
            invoke(COMMANDS[name], lost)
    assert [path.name for path in lost.iterdir()] == [games_in_memory.FILE]
    monkeypatch.setattr(run.Player, "play", broken)
    again, _told = invoke(COMMANDS[name], lost)
    assert (again, files(lost)) == (said, files(whole))
    assert not (lost / games_in_memory.FILE).exists()


def broken(*_, **__):
    raise ZeroDivisionError


def test_games_of_other_rules_or_changed_ones_are_refused(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(figures_by_strategy, "ways", broken)
        with pytest.raises(ZeroDivisionError):
            invoke(COMMANDS["ways"], tmp_path)
    file = tmp_path / games_in_memory.FILE
    _, told = invoke([*COMMANDS["ways"], "--rules", "cheaper_wonders"], tmp_path, code=2)
    assert "holds games of other rules" in told
    assert str(file) in told
    content = bytearray(file.read_bytes())
    content[-20] ^= 1
    file.write_bytes(content)
    _, told = invoke(COMMANDS["ways"], tmp_path, code=2)
    assert "has changed since it was written" in told
    assert str(file) in told
    file.write_bytes(b"my notes")
    _, told = invoke(COMMANDS["ways"], tmp_path, code=2)
    assert file.read_bytes() == b"my notes"


def test_a_folder_that_was_made_for_nothing_is_gone(tmp_path):
    out = tmp_path / "new"
    with pytest.raises(ZeroDivisionError), games_in_memory.kept_games(out, load_ruleset()):
        broken()
    assert not out.exists()


def test_stopped_games_are_kept_and_those_of_another_player_are_others(tmp_path):
    ruleset, planner = load_ruleset(), player("planner")
    r = ruleset.compile()
    plans = [ladder.table_plan(r, [one, planner], 75, 1) for one in (planner, restrict(planner, ["attacks"]))]
    alone = [ladder.play(plan, r, 2) for plan in plans]
    with games_in_memory.kept_games(tmp_path, ruleset):
        next(ladder.table_pieces(plans[0], r, 2)), next(ladder.table_pieces(plans[1], r, 2))
    assert (tmp_path / games_in_memory.FILE).is_file()
    with games_in_memory.kept_games(tmp_path, ruleset):
        kept = [ladder.play(plan, r, 2) for plan in plans]
    for one, other in zip(alone, kept, strict=True):
        for name in ladder.WHOLE:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert not (tmp_path / games_in_memory.FILE).exists()
