"""A replay is the same game as in the run, and its log the same text every time."""

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.stepper import Game, play_logged
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import manifest
from newdawn.simulator.runs.run_plan import plan_by


@pytest.fixture(scope="module")
def ruleset():
    return load_ruleset()


def plan_of(ruleset, **settings):
    defaults = {"players": 3, "games": 4, "seed": 11, "strategies": ["random"], "round_cap": 12}
    return plan_by(ruleset.compile(), **{**defaults, **settings})


def test_the_log_is_the_same_every_time(ruleset):
    plan = plan_of(ruleset)
    log = play_logged(ruleset, plan, 2)
    assert log == play_logged(ruleset, plan, 2)
    assert log != play_logged(ruleset, plan, 3)
    assert not any("unknown" in line for line in log)
    assert log[0].startswith("Seed 11, game 2: 3 players")
    assert log[-1].startswith("Unfinished: stopped at the round cap of 12 after 36 turns")


def test_choices_are_added_not_exchanged(ruleset):
    plan = plan_of(ruleset)
    every = play_logged(ruleset, plan, 1, choices=True)
    assert any("[1 of" in line for line in every)
    assert sum(line.startswith("Round") for line in every) == 12


def test_a_replay_is_the_game_of_the_run(ruleset, tmp_path):
    """Leaders, strategies, rounds and what the seats hold agree with the tables of the run."""
    import pandas as pd

    from newdawn.simulator.runs.run import Silent, run_games

    leaders = ["Rome", "Egypt", "Japan"]
    plan = plan_of(ruleset, leaders=leaders, round_cap=20)
    run_games(plan, ruleset, tmp_path / "run", 1, Silent())
    seats = pd.read_parquet(tmp_path / "run" / "seats")
    games = pd.read_parquet(tmp_path / "run" / "games")
    for number in (0, 3):
        game = Game(ruleset, plan, number)
        for _ in game.turns():
            pass
        g = game.state
        rows = seats[seats.game_id == number].sort_values("seat")
        assert [game.words.short(seat) for seat in range(3)] == [str(name) for name in rows.leader]
        assert np.array_equal(rows.cities, g.city_count[:3])
        assert np.array_equal(rows.dial, g.dial[:3])
        assert np.array_equal(rows.trade_gained, g.stat_trade_gained[:3])
        row = games[games.game_id == number].iloc[0]
        assert (row.rounds, row.decisions) == (g.round_number, g.stat_decisions)


def test_a_game_outside_the_plan_is_refused(ruleset):
    with pytest.raises(UserError, match="expected a whole number from 0 to 3"):
        Game(ruleset, plan_of(ruleset), 4)


def run(*words):
    return CliRunner().invoke(main, ["replay", *words])


def test_the_command_prints_a_log_and_draws_boards(tmp_path):
    words = ["--seed", "11", "--game", "2", "--players", "3", "--strategies", "random"]
    log, board = tmp_path / "log.txt", tmp_path / "board.svg"
    done = run(*words, "--round", "2", "--every-round", str(tmp_path / "all"), "--log", str(log), "--board", str(board))
    assert done.exit_code == 0, done.output
    drawn = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert drawn == [".newdawn", *(f"round-00{number}.svg" for number in range(3))]
    assert "Round 2" in log.read_text(encoding="utf-8")
    assert "Round 3" not in log.read_text(encoding="utf-8")
    assert "Round 2, after turn 6" in board.read_text(encoding="utf-8")


def test_logs_and_boards_replace_each_other_but_nobody_elses_files(tmp_path):
    game = ["--seed", "11", "--players", "2", "--strategies", "random", "--round", "0"]
    log, boards = tmp_path / "log.txt", tmp_path / "all"
    for _ in range(2):
        assert run(*game, "--log", str(log), "--every-round", str(boards)).exit_code == 0
    log.write_text("mine")
    (boards / "round-001.svg").write_text("mine")
    refused = run(*game, "--log", str(log))
    assert (refused.exit_code, log.read_text()) == (2, "mine")
    assert "already exists and is not a log of a game" in refused.output
    refused = run(*game, "--every-round", str(boards))
    assert (refused.exit_code, (boards / "round-001.svg").read_text()) == (2, "mine")
    assert "round-001.svg: already exists" in refused.output


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [("--html", "a.html", "not a page"), ("--board", "a.svg", "not a picture"), ("--board", "a.png", "not a picture")],
)
def test_a_page_or_picture_replaces_one_of_its_kind_only(tmp_path, option, name, said):
    game = ["--seed", "11", "--players", "2", "--strategies", "random", "--round", "0"]
    file = tmp_path / name
    first = [(run(*game, option, str(file)).exit_code, file.read_bytes()) for _ in range(2)]
    assert first[0] == first[1]
    assert first[0][0] == 0
    file.write_text("mine")
    refused = run(*game, option, str(file))
    assert (refused.exit_code, file.read_text()) == (2, "mine")
    assert refused.output == f"error: {option}: '{file}' already exists and is {said}; choose another name\n"


def test_a_log_that_is_not_finished_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr("newdawn.scripts.cli.play.follow", lambda *_: 1 / 0)
    words = ["--seed", "11", "--players", "2", "--strategies", "random", "--log", str(tmp_path / "log.txt")]
    assert isinstance(run(*words).exception, ZeroDivisionError)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--board", "x.gif"], ".svg or .png"),
        (["--game", "-1"], "expected a whole number from 0"),
        (["--game", str(10**20)], "--game: 100000000000000000000 is not valid; expected a whole number from 0 to"),
        (["--round", "-2"], "expected a whole number from 0"),
        (["--players", "7"], "players: 7"),
        (["--leaders", "Rom,Egypt", "--players", "2"], "did you mean 'Rome'"),
        (["--run", "nowhere"], "not a run folder"),
        (["--run", "nowhere", "--seed", "3"], "give either --run or --seed"),
        (["--strategies", "randon"], "did you mean 'random'"),
    ],
)
def test_errors_are_one_line(words, expected):
    done = run(*words)
    assert done.exit_code == 2
    assert expected in done.output
    assert len(done.output.strip().splitlines()) == 1


def test_a_game_of_another_version_is_told_with_a_note(tmp_path):
    out = tmp_path / "run"
    words = ["run", "--players", "2", "--games", "2", "--strategies", "random", "--round-cap", "3", "--jobs", "1", "--quiet"]
    assert CliRunner().invoke(main, [*words, "--out", str(out)]).exit_code == 0
    note = "was played by another version of this program"
    assert note not in run("--run", str(out), "--round", "0").output
    manifest.write(out, manifest.read(out) | {"engine": "0123"})
    told = run("--run", str(out), "--round", "0")
    assert told.exit_code == 0, told.output
    assert note in told.output


def test_a_manifest_whose_games_do_not_add_up_is_refused(tmp_path):
    out = tmp_path / "run"
    words = ["run", "--players", "2", "--games", "2", "--strategies", "random", "--round-cap", "3", "--jobs", "1", "--quiet"]
    assert CliRunner().invoke(main, [*words, "--out", str(out)]).exit_code == 0
    written = manifest.read(out)
    for games in (-4, 1):
        written["segments"][0]["games"] = games
        manifest.write(out, written)
        told = run("--run", str(out))
        assert told.exit_code == 2, told.output
        wrong = "the games of its segments are not those of its plan" if games > 0 else "expected whole numbers from 0"
        assert wrong in told.output
