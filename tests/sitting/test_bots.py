"""Strategies in plain Python: the same games as compiled ones, the same guards, and one line for what is wrong."""

import json
import re
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import guard, run_folder
from newdawn.simulator.runs import run_plan as plans
from newdawn.simulator.runs.run import Player, Silent, play_range, run_games
from newdawn.simulator.runs.run_plan import available_leaders, make_plan
from newdawn.strategies.registry import find

DOCS = Path(__file__).resolve().parents[2] / "docs" / "strategies.md"
FILE = '''"""Bots of a test."""

import json

from newdawn.strategies import choose_planner, strategy


@strategy
def compiled_first(r, g, w, seat, kind, n, u):
    return 0


def first(question):
    return 0


def plans(question):
    return question.put(choose_planner)


def chance(question):
    return question.random.randrange(len(question))


def high(question):
    return len(question)


def nothing(question):
    return None


def half(question):
    return 0.5


def broken(question):
    return {}[question.kind]


def leaves(question):
    raise SystemExit(0)


def spoils(question):
    question.game.round_number = 9
    return 0


asked = 0


def late(question):
    global asked
    asked += 1
    return 0 if asked < 6000 else json.loads("?")


def two(question, more):
    return 0


def interrupted(question):
    raise KeyboardInterrupt
'''


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working folder with bots in a file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "bots.py").write_text(FILE, "utf-8")
    return tmp_path


def plan_of(*strategies, games=8, players=2, box="base", trusted=True, **more):
    ruleset = load_ruleset(box=box)
    r = ruleset.compile()
    settings = {"seed": 4, "box": box, "available_leaders": available_leaders(r), **more}
    plan = make_plan(players=players, games=games, strategies=strategies, **settings)
    if trusted:
        guard.trust(plan, r)
    return plan, ruleset


def rows_of(*strategies, games=4, **more):
    plan, ruleset = plan_of(*strategies, games=games, round_cap=60, **more)
    return play_range(plan, ruleset.compile(), 0, games, Silent())


def same(one, two):
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in ("games", "seats", "wonders", "agendas"))


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.parametrize("box", ["base", "terra-incognita"])
def test_a_function_that_returns_0_plays_like_the_compiled_one_that_does(here, box):
    first = rows_of("bots.py:first", box=box)
    assert same(first, rows_of("bots.py:compiled_first", box=box))
    assert not same(first, rows_of("bots.py:chance", box=box))


def test_a_function_that_asks_the_planner_plays_like_the_planner(here):
    assert same(rows_of("bots.py:plans"), rows_of("planner"))


def test_chance_comes_from_the_question(here):
    assert same(rows_of("bots.py:chance", "planner"), rows_of("bots.py:chance", "planner"))


def test_a_bot_is_named_by_its_file_wherever_that_lies(here):
    (here / "deep").mkdir()
    (here / "bots.py").rename(here / "deep" / "json.py")  # the name of an installed module
    one = find("deep/json.py:first")
    assert one.name == "json.py:first"
    assert one.function == "deep/json.py:first"
    assert one.load() is find("deep/json.py:first").load()
    assert json.dumps(1) == "1"


def line(text):
    """Return the number of the line of FILE that says this."""
    return next(number for number, said in enumerate(FILE.splitlines(), 1) if said.strip() == text)


WRONG = {
    "high": r"answers \d+, expected 0 to \d+",
    "nothing": r"answers None, expected a whole number from 0 to \d+",
    "half": r"answers 0\.5, expected a whole number from 0 to \d+",
    "broken": rf"raises KeyError: 'lay_tile' \(bots\.py, line {line('return {}[question.kind]')}\)",
    "leaves": rf"raises SystemExit: 0 \(bots\.py, line {line('raise SystemExit(0)')}\)",
    "spoils": r"raises ValueError: assignment destination is read-only \(bots\.py, line \d+\)",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_one_line_that_names_file_and_function(here, name):
    with pytest.raises(UserError) as caught:
        rows_of(f"bots.py:{name}", "planner")
    where = rf"strategy bots\.py:{name}: game 0, seat 1, decision \d+ \(lay_tile\): "
    assert re.fullmatch(where + WRONG[name], str(caught.value))


def test_the_guard_finds_a_wrong_answer_before_the_run_begins(here):
    plan, ruleset = plan_of("bots.py:broken", trusted=False)
    fault = guard.guarded_fault(plan, ruleset.compile(), least=1)
    assert re.fullmatch(rf"strategy bots\.py:broken: game 0, seat \d, decision \d+ \(lay_tile\): {WRONG['broken']}", fault)


def test_games_that_were_finished_before_an_error_are_kept(here, monkeypatch):
    monkeypatch.setattr(plans, "SMALLEST_SHARD", 2)
    plan, ruleset = plan_of("bots.py:late", games=40)
    with pytest.raises(
        UserError, match=r"strategy bots\.py:late: game \d+, .*raises JSONDecodeError: .*\(bots\.py, line \d+\)"
    ):
        run_games(plan, ruleset, here / "out", jobs=1)
    finished = run_folder.finished(here / "out")
    assert 0 < len(finished) < 20
    assert sorted(finished) == list(range(len(finished)))
    tables = list((here / "out" / "games").glob("*.parquet"))
    assert len(tables) == len(finished)
    assert all(pq.read_metadata(table).num_rows == 2 for table in tables)


def test_ctrl_c_in_a_bot_is_no_fault_of_its(here):
    with pytest.raises(KeyboardInterrupt):
        rows_of("bots.py:interrupted")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("bots.py", "'bots.py' names no function; expected the function, too, such as bots.py:choose"),
        ("bot.py:first", "there is no file 'bot.py'; expected path/to/bot.py:function; did you mean 'bots.py'?"),
        ("bots.py:two", "bots.py:two: decorate its function with @strategy (from newdawn.strategies import strategy), or let"),
        ("bots.py:frist", "strategy bots.py:frist: bots.py has no frist; did you mean 'first'?"),
        ("cut.py:f", "strategy cut.py:f: cut.py cannot be imported: SyntaxError"),
        ("cut.py", "'cut.py' names no function"),
    ],
)
def test_a_wrong_name_is_one_line_and_code_2(here, word, message):
    (here / "cut.py").write_text("def f(question:\n", "utf-8")
    result = call("run", "--strategies", word, "--games", 2, "--out", "out")
    assert result.exit_code == 2
    assert message in result.output
    assert len(result.output.strip().splitlines()) == 1


def documented():
    """Return the bot of the docs, and the command that plays it."""
    section = DOCS.read_text("utf-8").partition("## A bot in plain Python\n")[2].partition("\n## ")[0]
    lines = [line[4:] for line in section.split("\n`newdawn")[0].splitlines()[1:]]
    return "\n".join(lines).strip() + "\n", re.search(r"`newdawn (run [^`]*)`", section)[1]


def test_the_bot_of_the_docs_plays_is_replayed_and_refused_when_it_has_changed(here):
    bot, command = documented()
    assert len(bot.splitlines()) == 10
    (here / "mybot.py").write_text(bot, "utf-8")
    result = call(*command.replace("200", "12").split(), "--round-cap", 12, "--jobs", 2, "--out", "out")
    assert result.exit_code == 0, result.output
    manifest = json.loads((here / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["plan"]["own"][0]["source"]
    log = call("replay", "--run", "out", "--game", 3)
    assert log.exit_code == 0, log.output
    assert "played by mybot.py:choose" in log.output
    (here / "mybot.py").write_text(bot + "# changed\n", "utf-8")
    for changed in (["extend", "out", "--games", 20], ["verify", "out"], ["replay", "--run", "out", "--game", 3]):
        refused = call(*changed)
        assert refused.exit_code == 2
        assert "strategy mybot.py:choose: mybot.py has changed since the run was started" in refused.output


# --- what takes longer


@pytest.mark.soak
def test_bots_play_in_processes_in_ladders_and_pass_the_checks(here):
    bot, command = documented()
    (here / "mybot.py").write_text(bot, "utf-8")
    for name, more in (("threads", []), ("processes", ["--backend", "processes"])):
        result = call(*command.split(), "--jobs", 2, "--out", name, *more)
        assert result.exit_code == 0, result.output
    for table in ("games", "seats", "wonders", "agendas"):
        shards = sorted((here / "threads" / table).glob("*.parquet"))
        assert shards
        assert all(shard.read_bytes() == (here / "processes" / table / shard.name).read_bytes() for shard in shards)
    assert call("ladder", "--strategies", "mybot.py:choose,random", "--games", 40).exit_code == 0
    checked = call("strategies", "check", "mybot.py:choose", "--games", 20, "--jobs", 1)
    assert checked.exit_code == 0, checked.output


@pytest.mark.soak
def test_the_engine_asks_a_bot_a_hundred_thousand_times_a_second(here):
    plan, ruleset = plan_of("bots.py:first", games=100, players=4)
    player = Player(plan, ruleset.compile())
    rows = player.rows(100)
    began = time.process_time()
    player.play(0, 100, rows, 0, 0)
    assert rows.games["decisions"].sum() / (time.process_time() - began) > 100_000
