"""Games that `newdawn play` kept, read as real plays."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from newdawn.analysis.tables.read import open_plays, opened
from newdawn.scripts.cli.main import main
from newdawn.simulator import kept_files, names
from newdawn.simulator.engine.pieces import claims
from newdawn.simulator.errors import UserError
from newdawn.simulator.plays import writing
from newdawn.simulator.plays.log import read_log
from newdawn.simulator.replay.interactive_game import new_game
from newdawn.simulator.rules import load_ruleset

SEATS = ("me", "planner", "me", "quick")


@pytest.fixture(scope="module", params=names.BOXES)
def finished(request):
    """A game of either box that was played to its end."""
    return played(load_ruleset(box=request.param), SEATS, 5)


@pytest.fixture(scope="module")
def base():
    return played(load_ruleset(), ("me", "me", "planner"), 6)


def played(ruleset, seats, seed):
    """Return a finished game, in which everybody answers as a planner."""
    kept = new_game(ruleset, seats, seed)
    sitting, planner = kept.sitting(), kept.plan.strategy("planner").load()
    while not sitting.over:
        sitting.answer(sitting.question.put(planner))
    sitting.close()
    return replace(kept, choices=sitting.choices)


def read(path, ruleset):
    return read_log([path], ruleset.data, ruleset.box)


def test_a_kept_game_has_the_winner_and_leaders_of_its_replay(finished, tmp_path):
    path = tmp_path / "game.json"
    finished.write(path)
    (play,) = read(path, finished.ruleset).plays
    again = finished.sitting()
    for chosen in finished.choices:
        again.answer(chosen)
    g, table = again.state, again.table
    n = len(SEATS)
    assert again.closing.startswith("Victory of ")
    assert play.leaders == tuple(table.words.short(seat) for seat in range(n))
    winners = [seat for seat in range(n) if g.winner[seat]]
    assert [seat for seat in range(n) if play.won[seat]] == winners
    assert all(table.words.leader(seat) in again.closing for seat in winners)
    assert play.rounds == int(g.round_number)
    assert play.claimed == tuple(int(claims(g, seat)) for seat in range(n))
    assert play.cards == tuple(table.words.victory_card(int(g.victory_card[k])) for k in range(int(g.victory_count)))
    assert play.order.index(1) == int(g.first)
    assert sorted(play.order) == [1, 2, 3, 4]
    assert play.strategies == ("", "planner", "", "quick")
    assert play.people == ("",) * n


def test_bots_are_in_the_tables_by_name_and_summaries_count_people_alone(base, tmp_path):
    base.write(tmp_path / "game.json")
    (tmp_path / "log.csv").write_text("play,leader,won\n1,Rome,yes\n1,Egypt,no\n1,Aztec,no\n")
    log = read_log([tmp_path / "game.json", tmp_path / "log.csv"], base.ruleset.data, "base")
    out = tmp_path / "plays"
    writing.write(out, log, base.ruleset, [])
    plays = open_plays(out)
    assert len(plays) == 2
    assert plays.with_strategies == 1
    by_game = plays.table("seats").groupby("game_id")["strategy"].agg(list).tolist()
    assert sorted(by_game) == [["people", "people", "people"], ["people", "people", "planner"]]
    assert set(plays.table("seats", people=True)["leader"]) == {"Rome", "Egypt", "Aztec"}
    assert [part.planned_games for part in opened(out)] == [1]
    writing.write(out, read(tmp_path / "game.json", base.ruleset), base.ruleset, [])
    with pytest.raises(UserError, match="programs or strategies played seats, or teams played, in all 1 plays"):
        opened(out)


def test_a_folder_of_games_of_every_kind(base, tmp_path):
    games, out = tmp_path / "played", tmp_path / "plays"
    base.write(games / "a.json")
    base.write(games / "copy.json")
    replace(base, choices=base.choices[:3]).write(games / "begun.json")
    replace(base, choices=base.choices[:-1]).write(games / "unfinished.json")
    capped = replace(base, plan=replace(base.plan, round_cap=1))
    sitting = capped.sitting()
    while not sitting.over:
        sitting.answer(len(sitting.question) - 1)
    replace(capped, choices=sitting.choices).write(games / "stopped.json")
    other = tmp_path / "mine.yaml"
    other.write_text("rulings: {final_tie: first_in_turn_order}\n")
    foreign = load_ruleset([other])
    replace(base, ruleset=foreign).write(games / "mine.json")
    result = CliRunner().invoke(main, ["plays", "import", str(games), "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["plays"] == 1
    left = dict(found["left_alone"])
    assert left.pop("in the files twice") == 1
    assert left.pop(f"not played to the end ({games}/begun.json: the map is being laid)") == 1
    assert any(why.startswith(f"not played to the end ({games}/unfinished.json: round ") for why in left)
    assert any(why.startswith(f"without a winner ({games}/stopped.json: unfinished: stopped at") for why in left)
    assert left["by other rules than those of this import (--rules)"] == 1
    assert len(left) == 3


def test_bad_files_are_one_line_each_and_the_good_ones_are_imported_if_asked(base, tmp_path):
    base.write(tmp_path / "good.json")
    whole = json.loads((tmp_path / "good.json").read_text("utf-8"))
    del whole["digest"], whole["answered"]
    changes = {
        "seats.json": ({"seats": ["me"]}, "seats: expected 3 names, one of them 'me', got me"),
        "version.json": ({"version": 4}, "version: 4 is not valid; expected 3"),
        "changed.json": ({"digest": "0"}, "has changed since it was written (its digest differs)"),
        "digest.json": ({"ruleset": whole["ruleset"] | {"digest": "0"}}, "ruleset: its rules do not match its digest"),
        "choice.json": ({"choices": [*base.choices[:4], 999]}, "choices[4]: 999 is not valid; expected"),
        "long.json": ({"choices": [*base.choices, 0]}, f"choices[{len(base.choices)}]: the game is over"),
    }
    for name, (change, _) in changes.items():
        sealed = kept_files.as_text(whole | {"version": 1} | change)
        (tmp_path / name).write_text(json.dumps(json.loads(sealed) | change), "utf-8")
    (tmp_path / "what.json").write_text("{}")
    words = ["plays", "import", *map(str, sorted(tmp_path.glob("*.json"))), "--out", str(tmp_path / "plays")]
    refused = CliRunner().invoke(main, words)
    assert refused.exit_code == 2
    lines = refused.output.splitlines()
    for name, (_, said) in changes.items():
        assert [line.startswith(f"{tmp_path / name}: {said}") for line in lines if str(tmp_path / name) in line] == [True]
    assert ["no plays in a known format; expected" in line for line in lines if "what.json" in line] == [True]
    assert len(lines) == len(changes) + 2
    assert "7 faults in 7 files: nothing was imported" in lines[-1]
    result = CliRunner().invoke(main, [*words, "--skip-unknown"])
    assert result.exit_code == 0, result.output
    assert len(open_plays(tmp_path / "plays")) == 1


def test_an_empty_folder_is_one_line(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=r"holds no logs of plays; expected files that end in \.bgsplay, \.csv"):
        read_log([tmp_path / "empty"], load_ruleset().data, "base")
