"""A game at the table: answered through the server's JSON, taken back, kept and gone on with, and what the thinker says."""

import http.client
import json
import random
import re
import shlex
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from in_browser import needs_browser, opened, out_of_reach, settled

from newdawn.analysis.explorer import play as views
from newdawn.analysis.explorer.play import (
    OTHERS,
    Cost,
    PeoplesGame,
    PlayTable,
    TableServer,
    Thinker,
    on_cards,
    places,
    printed_cards,
    watched,
    worst,
)
from newdawn.scripts.checks.browser.clicking import Seen
from newdawn.scripts.checks.browser.play import click_game
from newdawn.scripts.cli import play
from newdawn.scripts.cli.main import main
from newdawn.simulator import kept_files, names
from newdawn.simulator.engine import decisions
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay import film, interactive_game
from newdawn.simulator.replay.interactive_game import Branch, new_game, read
from newdawn.simulator.replay.stepper import play_logged
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Player

TABLES = [(box, n) for box in names.BOXES for n in range(2, names.MOST_PLAYERS[box] + 1)]


def game(box="base", seats=("me", "quick", "planner"), cap=4, seed=3, leaders=()):
    kept = new_game(load_ruleset(box=box), seats, seed, leaders)
    kept.plan = replace(kept.plan, round_cap=cap)
    return kept


def play_on(played, rng, stop=10**9):
    while played.question is not None and len(played.who) < stop:
        played.answer(rng.randrange(len(played.question)))


@pytest.fixture
def unreckoned(monkeypatch):
    """Choices are not reckoned: that takes longer than to play."""
    monkeypatch.setattr(Thinker, "cost", lambda *asked: None)


def served(kept, path=None):
    table = PlayTable(kept, path)
    server = TableServer(table)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return table, server


def ask(server, path, method="POST", **headers):
    there = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=60)
    there.request(method, path, headers={"Origin": server.url[:-1], "Content-Length": "0"} | headers)
    answer = there.getresponse()
    content = answer.read()
    there.close()
    return answer.status, json.loads(content) if answer.getheader("Content-Type").startswith("application/json") else content


def close(table, server):
    server.shutdown()
    server.server_close()
    table.close()


# ---------------------------------------------------------------------- playing through the server


def on_page(place, view):
    """Say whether the page can draw a place."""
    kind, *numbers = place.split("/")
    if kind == "space":
        return int(numbers[0]) < len(view["map"]["spaces"])
    if kind == "card":
        return view["boards"][int(numbers[0])]["row"][int(numbers[1])]["name"] != ""
    return place in (view["map"]["spots"] if kind == "spot" else [wonder["place"] for wonder in view["wonders"]])


@pytest.mark.parametrize(("box", "players"), TABLES)
def test_a_game_can_be_played_through_the_servers_answers_alone(box, players, unreckoned, monkeypatch):
    monkeypatch.setattr(film, "drawn", lambda draw, board, space: "")  # what takes longest; tests of boards draw
    seats = ("me", *("me", "planner", "quick", "random")[: players - 1])
    table, server = served(game(box, seats, cap=2))
    rng, view = random.Random(players), ask(server, "/api/view", "GET")[1]
    asked, seen = set(), 0
    while not view["over"]:
        asked.add(view["seat"])
        assert seats[view["seat"]] == "me"
        assert view["question"].endswith(("?", ")"))
        assert len(view["options"]) > 1
        for place in {place for option in view["options"] for place in option["places"]}:
            assert on_page(place, view), f"{place} of {view['kind']}"
            seen += 1
        status, view = ask(server, f"/api/answer/{view['stamp']}/{rng.randrange(len(view['options']))}")
        assert status == 200
    assert asked == {seat for seat, word in enumerate(seats) if word == "me"}
    assert seen > 20
    assert view["headline"]
    assert view["turns"][-1]["lines"][-1][1].startswith(("Unfinished", "Victory"))
    end = ask(server, "/api/end", "GET")[1]
    assert [seat["leader"] for seat in end["seats"]] == view["leaders"]
    assert len(end["curve"]) == 1 + 2 * players
    assert all(abs(sum(each["chances"]) - 1) < 1e-6 for each in end["curve"][:-1])
    close(table, server)


def test_the_page_needs_nothing_from_elsewhere():
    table, server = served(game())
    content = ask(server, "/", "GET")[1].decode()
    text = content.replace("http://www.w3.org/2000/svg", "")
    assert not any(word in text for word in ("http://", "https://", "src=", "@import", "url("))
    close(table, server)


def test_wrong_requests_are_refused_in_a_sentence_and_change_nothing(unreckoned):
    table, server = served(game())
    before = ask(server, "/api/view", "GET")[1]
    n, at, other = len(before["options"]), before["stamp"], "the game has gone on, or choices were taken back"
    for path, said in (
        (f"/api/answer/{at}/{n}", f"answer: {n} is not valid; expected a whole number from 0 to {n - 1}"),
        (f"/api/answer/{at + 1}/0", other),
        (f"/api/answer/{at}/-1", "'-1' is not valid; expected a whole number from 0"),
        (f"/api/answer/{at}/²", "expected a whole number from 0"),
        (f"/api/answer/{at}/9999999999", "expected a whole number from 0"),
        (f"/api/undo/{at + 7}", other),
        (f"/api/undo/{at}", "undo: there is no choice of yours to take back"),
        (f"/api/hint/{at + 1}", other),
    ):
        status, found = ask(server, path.replace("²", "%C2%B2"))
        assert status == 400
        assert said in found["error"]
    assert ask(server, "/api/end", "GET")[0] == 400
    assert ask(server, "/replay", "GET")[1]["error"] == "replay: the map is not laid yet; there is nothing to watch"
    for path, method in (("/api/answer/0", "POST"), ("/api/answer/0/0", "GET"), ("/etc/passwd", "GET"), ("/api/", "POST")):
        assert ask(server, path, method)[0] == 404
    assert ask(server, f"/api/answer/{at}/0", Origin="http://example.org")[0] == 403
    assert ask(server, "/api/view", "GET", Host="example.org")[0] == 403
    assert ask(server, "/api/view", "GET", **{"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert ask(server, "/api/view", "GET")[1] == before
    close(table, server)


def test_two_pages_cannot_answer_for_each_other(unreckoned):
    """Another one took back and chose otherwise: a question of the same number is not the one that this page shows."""
    table, server = served(game(seats=("me", "me")))
    first = ask(server, "/api/view", "GET")[1]
    shown = ask(server, f"/api/answer/{first['stamp']}/0")[1]
    again = ask(server, f"/api/undo/{shown['stamp']}")[1]
    assert again == first
    other = ask(server, f"/api/answer/{again['stamp']}/1")[1]
    assert (other["choice"], other["over"]) == (shown["choice"], False)
    status, refused = ask(server, f"/api/answer/{shown['stamp']}/0")
    assert (status, refused["error"]) == (
        400, "the game has gone on, or choices were taken back, since this page was shown; reload it",
    )  # fmt: skip
    assert table.played.kept.choices == [1]
    with ThreadPoolExecutor(4) as pool:
        asked = list(pool.map(lambda k: ask(server, f"/api/answer/{other['stamp']}/{k % 2}")[0], range(4)))
    assert sorted(asked) == [200, 400, 400, 400], "of requests at once only one answers the question"
    close(table, server)


# ---------------------------------------------------------------------- undo, file, replay


@pytest.mark.parametrize("box", names.BOXES)
def test_choices_taken_back_anywhere_lead_to_the_same_game(box, unreckoned):
    played = PeoplesGame(game(box, cap=3))
    play_on(played, random.Random(1))
    choices, end, who, curve = list(played.kept.choices), played.sitting.state.tobytes(), list(played.who), dict(played.curve)
    for steps in (1, 7, 10**9):
        for _ in range(steps):
            if 0 not in played.who:
                break
            before = len(played.who)
            played.undo()
            assert len(played.who) == max(k for k in range(before) if who[k] == 0)
            assert played.question.seat == 0
        assert played.kept.choices == choices[: len(played.who)]
        while played.question is not None:
            played.answer(choices[len(played.who)])
        assert (played.kept.choices, played.who, played.curve) == (choices, who, curve)
        assert played.sitting.state.tobytes() == end
    while 0 in played.who:
        played.undo()
    with pytest.raises(UserError, match="there is no choice of yours"):
        played.undo()
    played.sitting.close()


def test_a_game_of_a_seat_that_does_as_a_strategy_is_the_game_of_the_run(unreckoned):
    """Whoever sits there: the other seats play as in a run."""
    kept = game(seats=("me", "planner", "quick"), cap=12)
    played, random_ = PeoplesGame(kept), kept.plan.strategy("me").load()
    while played.question is not None:
        played.answer(played.question.put(random_))
    player = Player(kept.plan, kept.ruleset.compile())
    player.play(0, 1, player.rows(1), 0, 0)
    assert played.sitting.state.tobytes() == player.states[0].tobytes()
    assert played.sitting.lines == play_logged(kept.ruleset, kept.plan, 0)


def test_a_kept_game_goes_on_where_it_stood(tmp_path, unreckoned):
    path = tmp_path / "new folder" / "game.json"
    table = PlayTable(game(seats=("me", "thinker", "quick"), cap=5), path)
    rng = random.Random(2)
    while len(table.played.who) < 45:
        table.answer(table.played.stamp, rng.randrange(len(table.played.question)))
    again = PlayTable(read(path), tmp_path / "copy.json")
    before, after = (one.do(lambda one=one: views.view(one.played)) for one in (table, again))
    assert after == before
    for one in (table, again):
        one.do(lambda one=one: play_on(one.played, random.Random(3)))
    assert again.played.kept.choices == table.played.kept.choices
    assert again.played.sitting.state.tobytes() == table.played.sitting.state.tobytes()
    again.undo(again.played.stamp)
    assert read(tmp_path / "copy.json").choices == again.played.kept.choices
    table.close()
    again.close()


class Asked:
    """A question with options in words."""

    def __init__(self, kind, *words):
        self.kind, self.words = kind, words

    def __len__(self):
        return len(self.words)

    def word(self, index):
        return self.words[index]


def test_a_choice_is_tied_to_its_question(tmp_path, unreckoned):
    table = PlayTable(game(cap=2), tmp_path / "game.json")
    while len(table.played.who) < 12:
        table.answer(table.played.stamp, 0)
    table.undo(table.played.stamp)
    kept = read(tmp_path / "game.json")
    table.close()
    assert len(kept.answered) == len(kept.choices) > 0
    assert {kind for kind, _ in kept.answered} <= set(decisions.KINDS)
    kept.choices, kept.answered = [1], [("card", "science")]
    assert kept.chosen(0, Asked("card", "culture", "science", "economy")) == 1
    assert kept.chosen(0, Asked("card", "culture", "military", "science")) == 2, "an option came before it"
    with pytest.raises(UserError, match=r"choices\[0\]: answered 'card' \(science\), but this version asks 'city' here"):
        kept.chosen(0, Asked("city", "culture", "science"))
    with pytest.raises(UserError, match=r"choices\[0\]: 'science' \(card\) is not among the options that this version offers"):
        kept.chosen(0, Asked("card", "culture", "military"))
    kept.answered = []  # of the version before
    assert kept.chosen(0, Asked("city", "x", "y")) == 1


def test_files_of_versions_that_called_spaces_otherwise_go_by_the_numbers_of_choices(tmp_path, unreckoned):
    table = PlayTable(game(cap=1), tmp_path / "game.json")
    while not table.played.sitting.laid:
        table.answer(table.played.stamp, 0)
    choices, whole = list(table.played.kept.choices), table.played.kept.as_dict()
    table.close()
    old = tmp_path / "old.json"
    said = [[kind, words.replace("L", "C")] for kind, words in whole["answered"]]
    old.write_text(kept_files.as_text(whole | {"version": 2, "answered": said}), "utf-8")
    played = PeoplesGame(read(old))
    assert played.kept.choices == choices
    assert [words for _, words in played.kept.answered] == [words for _, words in whole["answered"]]


def test_a_choice_is_kept_where_a_strategy_fails_after_it(tmp_path, unreckoned, monkeypatch):
    table = PlayTable(game(cap=1), tmp_path / "game.json")

    def fails(played):
        raise UserError("strategy bot.py:f: no answer")

    monkeypatch.setattr(PeoplesGame, "go_on", fails)
    with pytest.raises(UserError, match="no answer"):
        table.answer(table.played.stamp, 1)
    assert read(tmp_path / "game.json").choices == table.played.kept.choices != []
    table.close()


def test_every_game_is_a_page_to_watch(unreckoned):
    played = PeoplesGame(game(cap=3))
    play_on(played, random.Random(4), 25)
    unfinished = watched(played.kept)
    assert "The game is running, round" in unfinished
    assert [name for name in ("quick", "planner", "me") if f'"{name}"' not in unfinished] == []
    frames = json.loads(unfinished.split('type="application/json">')[1].split("</script>")[0])
    told = [words for frame in frames for _, words in frame["lines"]]
    log = [*played.sitting.lines, *played.sitting.so_far]
    assert told[:-1] == [line.strip() for line in log[log.index("Set-up:") + 1 :]]
    assert any(frame["choices"] for frame in frames), "what the strategies compared is told"
    play_on(played, random.Random(4))
    assert "Unfinished: stopped at the round cap of 3" in watched(played.kept)


def test_what_is_wrong_with_a_file_is_said_in_a_line(tmp_path, unreckoned):
    kept = game("terra-incognita", cap=3)
    table = PlayTable(kept, tmp_path / "game.json")
    while len(table.played.who) < 20:
        table.answer(table.played.stamp, 0)
    table.close()
    whole = json.loads((tmp_path / "game.json").read_text("utf-8"))
    choices = whole["choices"]
    assert len(whole["answered"]) == len(choices)
    del whole["digest"]
    for change, said in (
        ({"program": "x"}, "program: not a game of `newdawn play`"),
        ({"version": 4}, "version: 4 is not valid; expected 3"),
        ({"seats": ["me"]}, "seats: expected 3 names, one of them 'me', got me"),
        ({"seats": 3}, "seats: expected a list, got '3'"),
        ({"game": 5}, "game: 5 is not valid; expected a whole number from 0 to 0"),
        ({"game": True}, "game: expected a whole number, got 'True'"),
        ({"ruleset": {}}, "ruleset.data: expected an object, got 'None'"),
        ({"ruleset": whole["ruleset"] | {"digest": "0"}}, "ruleset: its rules do not match its digest"),
        ({"plan": {}}, "plan: incomplete, or of another version"),
        *(
            ({"plan": whole["plan"] | {field: wrong}}, f"plan: incomplete, or of another version of this program ({field}: ")
            for field, wrong in (
                ("round_cap", "me"),
                ("round_cap", None),
                ("seed", 2**70),
                ("seed", {}),
                ("games", [[]]),
                ("players", 9),
                ("leaders_drawn", 2**70),
                ("strategies_drawn", 1),
                ("leaders", [[]]),
                ("strategies", "quick"),
            )
        ),
        (
            {"plan": whole["plan"] | {"leaders": ["Rom", "Egypt", "Japan"], "leaders_drawn": False}},
            "plan: unknown leader 'Rom'",
        ),
        ({"choices": [0, -1]}, "choices[1]: -1 is not valid"),
        ({"choices": [0.5]}, "choices[0]: 0.5 is not valid"),
        (
            {"choices": [*choices[:5], 999], "answered": [], "version": 1},
            "choices[5]: 999 is not valid; expected a whole number from 0 to",
        ),
    ):
        path = tmp_path / "wrong.json"
        path.write_text(kept_files.as_text(whole | change), "utf-8")
        answer = CliRunner().invoke(main, ["play", "--no-open", "--continue", str(path)])
        assert answer.exit_code == 2, change
        lines = [line for line in answer.output.splitlines() if line.startswith("error")]
        assert lines[0].startswith(f"error: {path}: {said}"), lines
        assert len(lines) == 1
    for content, said in (("{", "read as JSON"), ("[]", "program: not a game"), ("[" * 10**6, "read as JSON")):
        path.write_text(content, "utf-8")
        assert said in CliRunner().invoke(main, ["play", "--continue", str(path)]).output


@pytest.mark.parametrize(("words", "said"), [
    (["--seats", "quick,quick"], "--seats: no person plays; expected at least one 'me'"),
    (["--seats", "me"], "players: 1 is not valid"),
    (["--seats", "me,qick"], "unknown strategy 'qick'"),
    (["--leader", "Rom"], "--leader: unknown leader 'Rom'"),
    (["--leader", "Rome,Egypt"], "--leader: 2 named for 1 seats of people"),
    (["--continue", "no.json"], "no.json: cannot be read"),
    (["--continue", "theer.json"], "theer.json: cannot be read: No such file or directory; did you mean 'there.json'?"),
    (["--continue", "no.json", "--seed", "2"], "--seed: the file 'no.json' already says that"),
    (["--html", "x.html"], "--html: needs a saved game"),
    (["--save", "there.json"], "--save: 'there.json' already exists"),
])  # fmt: skip
def test_wrong_options_are_refused_in_a_line(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.json").write_text("mine", "utf-8")
    answer = CliRunner().invoke(main, ["play", "--no-open", *words])
    assert answer.exit_code == 2
    assert said in answer.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.json"]


SETTINGS = {"seats": ("me", "random"), "seed": 1, "leaders": (), "rules_files": (), "map_file": None, "box": "base"}


def test_games_begun_at_once_have_files_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        opened_ = list(pool.map(lambda _: play.begun(None, SETTINGS).__enter__(), range(4)))
    assert sorted(path.name for _, path in opened_) == [f"game-{number}.json" for number in (1, 2, 3, 4)]
    for kept, path in opened_:
        assert read(path).as_text() == kept.as_text()
    with pytest.raises(UserError, match="already exists"), play.begun(opened_[0][1], SETTINGS):
        pass


def test_without_greenlet_nothing_is_begun(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(interactive_game, "greenlet", None)
    answer = CliRunner().invoke(main, ["play", "--no-open"])
    assert (answer.exit_code, answer.output.count("\n")) == (2, 1)
    assert f"install it with: {shlex.join([sys.executable])} -m pip install greenlet" in answer.output
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_open_at_one_table_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with play.begun(None, SETTINGS) as (kept, path):
        kept.choices = [0]
        kept.write(path)
        busy = CliRunner().invoke(main, ["play", "--no-open", "--continue", str(path)])
        assert busy.exit_code == 2
        assert re.fullmatch(rf"error: {path}: process \d+ on .* has this game open; end it, or give this .*\n", busy.output)
        page = CliRunner().invoke(main, ["play", "--continue", str(path), "--html", "page.html"])
        assert page.exit_code == 2
        assert "there is nothing to watch" in page.output
        with play.continued(path, tmp_path / "copy.json") as (other, copy):
            assert (other.choices, copy.name) == ([0], "copy.json")
    with play.continued(path, None) as (again, _):
        assert again.choices == [0]
    assert [file.name for file in path.parent.iterdir()] == ["game-1.json"], "no lock is left"
    (tmp_path / "copy.json").write_text("another game", "utf-8")
    with pytest.raises(UserError, match=r"--save: '.*copy\.json' already exists"), play.continued(path, tmp_path / "copy.json"):
        pass


def test_a_page_to_watch_does_not_write_the_game_again(tmp_path, unreckoned):
    """It may be going on in another window, whose choices would be lost."""
    path = tmp_path / "game.json"
    table = PlayTable(game(cap=1), path)
    while not table.played.sitting.laid:
        table.answer(table.played.stamp, 0)
    table.close()
    path.write_text(before := path.read_text("utf-8") + "\n", "utf-8")
    assert CliRunner().invoke(main, ["play", "--continue", str(path), "--html", str(tmp_path / "x.html")]).exit_code == 0
    assert path.read_text("utf-8") == before
    same = CliRunner().invoke(main, ["play", "--continue", str(path), "--html", str(path)])
    assert (same.exit_code, "is the saved game itself" in same.output) == (2, True)
    assert path.read_text("utf-8") == before


def test_a_kept_game_is_written_as_a_page_by_the_command(tmp_path, unreckoned):
    table = PlayTable(game(cap=3), tmp_path / "game.json")
    table.do(lambda: play_on(table.played, random.Random(1)))
    table.keep()
    table.close()
    out = tmp_path / "game.html"
    answer = CliRunner().invoke(main, ["play", "--continue", str(tmp_path / "game.json"), "--html", str(out)])
    assert answer.exit_code == 0, answer.output
    assert "Unfinished: stopped at the round cap of 3" in out.read_text("utf-8")


def test_leaders_go_to_the_seats_of_people():
    kept = game(seats=("quick", "me", "me"), leaders=("rome", "Egypt"))
    assert kept.plan.leaders[1:] == ("Rome", "Egypt")
    assert len(set(kept.plan.leaders)) == 3


# ---------------------------------------------------------------------- what the thinker says


@pytest.mark.parametrize("box", names.BOXES)
def test_a_hint_is_legal_tells_chances_and_leaves_the_game_as_it_is(box, unreckoned):
    played = PeoplesGame(game(box, cap=2))
    while played.question is not None:
        before = played.sitting.state.tobytes()
        hint = played.hint()
        assert played.sitting.state.tobytes() == before
        assert played.hint() == hint, "the same question, the same hint"
        assert 0 <= hint.picked < len(played.question)
        assert all(0 <= chance <= 1 for chance in hint.chances.values())
        assert (hint.before is None) == (not played.sitting.laid)
        if played.sitting.laid:
            assert set(hint.chances) == set(range(len(played.question)))
        played.answer(hint.picked)


def test_a_branch_is_the_turn_of_the_game(unreckoned):
    """Played on with the choices of the game, it comes to the game as it was after the turn."""
    played = PeoplesGame(game(seats=("me", "planner", "random"), cap=6))
    play_on(played, random.Random(5), 30)
    choices, at = list(played.kept.choices), len(played.who)
    branch = Branch(played.sitting)
    begun = played.sitting.turn_begun[1]
    play_on(played, random.Random(6))
    after = played.kept.choices[at:]
    played.undo()
    again = PeoplesGame(replace(played.kept, choices=[*choices]))
    for chosen in after:
        if branch.question is None:
            break
        branch.answer(chosen)
        again.sitting.answer(chosen)
    assert branch.question is None
    assert again.sitting.turn_begun[1] > begun
    fields = [name for name in branch.state.dtype.names if name != "notes"]
    after = again.sitting.turn_begun[0][0]
    assert [name for name in fields if not np.array_equal(branch.state[name], after[name])] == []


def test_a_choice_costs_nothing_if_it_is_the_thinkers_and_bad_ones_cost_most():
    played = PeoplesGame(game(seats=("me", "planner", "planner"), cap=4, seed=8))
    rng = random.Random(1)
    while played.question is not None:
        hint = played.hint()
        picked = hint.picked if len(played.who) % 2 else rng.randrange(len(played.question))
        at = len(played.who)
        played.answer(picked)
        if at in played.costs:
            cost = played.costs[at]
            assert cost.best == pytest.approx(hint.chances[hint.picked])
            assert cost.lost == 0 if picked == hint.picked else cost.lost >= 0
    costs = played.reckon()
    assert [cost.at for cost in costs] == sorted(played.costs)
    dear = worst(costs, 0)
    assert 0 < len(dear) <= 3
    assert dear[0].lost == max(cost.lost for cost in costs)
    again = PeoplesGame(replace(played.kept, choices=list(played.kept.choices)))
    assert again.costs == {}
    assert [(cost.at, cost.done, cost.better) for cost in again.reckon()] == [
        (cost.at, cost.done, cost.better) for cost in costs
    ]


def test_the_dearest_choices_come_first_and_trifles_are_left_out():
    costs = [Cost(at, at % 2, 1, "?", "a", "b", 0.5, 0.5 + lost) for at, lost in enumerate((0.1, 0.3, 0.004, 0.2, 0.05, -0.1))]
    assert [cost.at for cost in worst(costs, 0)] == [0, 4]
    assert [cost.at for cost in worst(costs, 1, most=1)] == [1]


# ---------------------------------------------------------------------- places


def test_places_of_options_lie_where_their_values_say():
    class Asked:
        seat, about = 0, {"seat": 1}
        game, rules = (sitting := PeoplesGame(game(cap=1)).sitting).state, sitting.rules

        def __init__(self, kind):
            self.code = kind

    def of(kind, value):
        return places(Asked(kind), value)

    grid, origin = names.GRID, names.GRID_ORIGIN
    assert of(decisions.PLACE_TOKEN, 7) == ["space/7"]
    assert of(decisions.PLACE_TOKEN, decisions.PASS) == []
    tile = of(decisions.PLACE_TILE, ((1 * 6 + 5) * grid + 3 + origin) * grid - 4 + origin)
    assert (tile[0], len(set(tile))) == ("spot/3/-4", names.TILE_SPACES)
    assert of(decisions.PLACE_FORT, (-2 + origin) * grid + 1 + origin) == ["spot/-2/1"]
    assert of(decisions.MOVE_TOKEN, 5 * 256 + 9) == ["space/5", "space/9"]
    assert of(decisions.CARAVAN_TO, decisions.EXPLORE + 12) == of(decisions.CARAVAN_TO, 12) == ["space/12"]
    assert of(decisions.INDUSTRY, decisions.WONDER_OPTION + 4) == ["wonder/4"]
    assert of(decisions.INDUSTRY, decisions.CITY_ON_ARMY + 8) == of(decisions.INDUSTRY, 8) == ["space/8"]
    assert of(decisions.ATTACK, decisions.BARBARIAN_OPTION + 6) == of(decisions.ATTACK, 6) == ["space/6"]
    assert of(decisions.DISTRICT_SPACE, decisions.ARMY_OPTION + 2 * 256 + 3) == ["space/3"]
    assert of(decisions.PLACE_DISTRICT, 11 * 8 + 2) == ["space/11"]
    assert of(decisions.CARD, 2) == ["card/0/2"]
    assert of(decisions.SWAP_CARDS, 1 * 8 + 3) == ["card/0/1", "card/0/3"]
    assert of(decisions.LOOT, int(Asked.game.row[1, 3])) == ["card/1/3"]
    assert of(decisions.CARAVAN, 0)[0].startswith("card/0/")
    assert of(decisions.PAY, 2) == []
    assert set(OTHERS) <= set(range(len(decisions.KINDS)))


def test_a_tile_is_shown_from_both_sides_and_as_it_would_lie(unreckoned):
    played = PeoplesGame(game(seats=("me", "me", "me")))
    chosen = views.view(played)["options"][1]
    assert chosen["words"].startswith("tile ")
    assert chosen["words"].count(": ") == len(chosen["sides"]) == 2
    for side in chosen["sides"]:
        assert side["svg"].count('class="space') == names.TILE_SPACES
        assert "owner-" not in side["svg"], "nobody's pieces lie on it"
        assert "caravan" not in side["svg"]
    played.answer(1)
    before = played.sitting.state.tobytes()
    n = int(played.sitting.state.n_spaces)
    at = played.stamp
    shown = views.tile(played, at, 2)["svg"]
    assert played.sitting.state.tobytes() == before
    played.answer(2)
    laid = views.view(played)["map"]["spaces"][n : n + names.TILE_SPACES]
    assert shown == "".join(space["ground"] for space in laid) + "".join(space["pieces"] for space in laid)
    assert views.tile(played, at, 2) == views.tile(played, played.stamp, 999) == {"svg": ""}, (
        "the question is another one by now"
    )


def test_what_a_choice_needs_is_shown_with_it(unreckoned):
    """What cards do stands beside them; doing nothing is known as such; a turn is told in a line."""
    played = PeoplesGame(game(seats=("me", "quick", "quick"), cap=8))
    kinds = set()
    while played.question is not None:
        view = views.view(played)
        kind, options = view["kind"], view["options"]
        if kind in ("card", "upgrade"):
            assert all(option["does"] or option["nothing"] for option in options), kind
            kinds.add(kind)
        if kind == "card":
            slots = [int(place["acts"]) for place in view["boards"][0]["row"]]
            assert not any("slot number" in option["does"] for option in options)
            assert len(options) == len(slots)
        assert all(option["words"].startswith("do nothing") == option["nothing"] for option in options), kind
        assert all(not option["shape"] or len(option["places"]) == names.TILE_SPACES for option in options)
        does = [k for k, option in enumerate(options) if not option["nothing"]]
        science = [k for k in does if "(science" in options[k]["words"]]
        played.answer(science[0] if kind == "card" else does[0])
    assert kinds == {"card", "upgrade"}
    turns = [turn for turn in views.view(played)["turns"] if turn["title"].startswith("Turn")]
    assert all(" in slot " in turn["glance"] for turn in turns)
    assert set(played.cards) >= {place["name"] for board in view["boards"] for place in board["row"]}


def test_a_card_that_house_rules_change_says_what_it_does_now(tmp_path):
    house = tmp_path / "house.yaml"
    house.write_text("focus_cards: {early_empire: {tokens: 4}}\n", "utf-8")
    known = printed_cards("base")
    printed, changed = (on_cards(ruleset.compile(), known) for ruleset in (load_ruleset(), load_ruleset([house])))
    assert printed["Early Empire"] == "2 tokens next to own cities."
    assert changed["Early Empire"].startswith("place up to 4 control tokens")
    assert {name for name in printed if printed[name] != changed[name]} == {"Early Empire"}


# ---------------------------------------------------------------------- in a browser


@needs_browser
def test_a_map_tile_is_pointed_at_turned_and_laid(unreckoned):
    from selenium.webdriver.common.by import By

    table, server = served(game(seats=("me", "quick"), cap=1))
    with opened() as driver:
        size = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(server.url)
        assert settled(driver)["kind"] == "lay_tile"
        assert not driver.find_element(By.ID, "ghost").is_displayed()
        driver.find_element(By.CSS_SELECTOR, "#options button").click()
        assert settled(driver)["kind"] == "place_tile"
        turns = driver.execute_script("return now.options.map((option) => option.shape.join())")
        assert len(set(turns)) > 2
        driver.execute_script("pointAt(now.options[0].places[4])")
        shown = driver.execute_script("return ghost")
        assert driver.execute_script(f"return now.options[{shown}].places.includes(now.options[0].places[4])")
        driver.execute_script("keepTile(at)")
        assert driver.find_element(By.ID, "turn").is_enabled()
        driver.find_element(By.ID, "turn").click()
        turned = driver.execute_script("return ghost")
        assert turns[turned] != turns[shown]
        assert turns[turned].split(",")[0] == turns[shown].split(",")[0], "the same side"
        driver.find_element(By.ID, "flip").click()
        flipped = driver.execute_script("return ghost")
        assert turns[flipped].split(",")[0] != turns[turned].split(",")[0], "the other one"
        driver.find_element(By.ID, "lay").click()
        settled(driver)
        assert table.played.kept.choices[1] == flipped
    close(table, server)


def test_buttons_wait_for_the_page(unreckoned):
    table, server = served(game(cap=1))
    status, content = ask(server, "/", "GET")
    assert status == 200
    for name in (b"undo", b"hint", b"file", b"all"):
        button = re.search(rb'<button type="button" id="' + name + rb'"[^>]*>', content)
        assert button
        assert b"disabled" in button[0], name
    close(table, server)


@pytest.mark.soak
@needs_browser
@pytest.mark.parametrize("box", names.BOXES)
def test_a_whole_game_is_clicked_and_nothing_a_choice_needs_is_below_the_window(box):
    click_games(box, [(2, 1)])


@needs_browser
@pytest.mark.soak
@pytest.mark.parametrize("box", names.BOXES)
def test_so_are_ten_games(box):
    most = names.MOST_PLAYERS[box]
    click_games(box, [(2 + k % (most - 1), 11 + 2 * k) for k in range(5)])  # five of each box


def click_games(box, games):
    """Click whole games of so many players by their seeds, those of an odd seed in a window of 1400 by 900."""
    seen = Seen()
    with opened() as driver:
        for players, seed in games:
            click_game(driver, box, players, seed, seen)
    assert seen.answered_by.keys() == {"list", "keyboard", "place"}
    assert len(seen.kinds) > 10


@needs_browser
def test_turns_can_be_clicked_typed_and_taken_back_on_any_screen():
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    table, server = served(game(seats=("me", "quick"), cap=3))
    with opened() as driver:
        for width, scheme in ((390, "dark"), (1440, "light")):
            size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 500}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            scheme_ = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme_)
            driver.get(server.url)
            settled(driver)
            assert driver.execute_script("return document.documentElement.scrollWidth") <= width
            paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
            top = driver.execute_script("return document.getElementById('question').getBoundingClientRect().top")
            assert 0 < top < 400, "the question is in sight"
            assert driver.find_element(By.CSS_SELECTOR, "a[href='#log']").is_displayed() == (width == 390)
            assert driver.find_elements(By.CSS_SELECTOR, "#map text") == driver.find_elements(
                By.CSS_SELECTOR, "#map [aria-hidden] text"
            )
            assert driver.find_elements(By.CSS_SELECTOR, "#wonders button") == [], "nothing can be built yet"
            scrolls = driver.find_element(By.CSS_SELECTOR, ".scroll").get_attribute("tabindex")
            larger = "at.scrollWidth > at.clientWidth || at.scrollHeight > at.clientHeight"
            assert (scrolls == "0") == driver.execute_script(f"const at = byId('map').parentElement; return {larger}")
        while driver.execute_script("return now.kind") != "card":
            driver.find_element(By.CSS_SELECTOR, "#options button").click()
            settled(driver)
        for width, theme in ((1400, "light"), (390, "light"), (390, "dark"), (1400, "dark")):  # who hears it finds all of it
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            features = [{"name": "prefers-color-scheme", "value": theme}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            driver.execute_script("dispatchEvent(new Event('resize'))")
            assert out_of_reach(driver) == []
        driver.execute_script(
            "document.querySelector('.pb-has li').append(boardChange('was 11 by water or the edge of the map '.repeat(9)))"
        )
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 1440, "long marks of changes wrap"
        at = driver.execute_script("return now.choice")
        assert driver.find_elements(By.CSS_SELECTOR, "li[role]") == [], "a list that holds buttons instead of items is none"
        assert len(driver.find_elements(By.CSS_SELECTOR, ".pb-row > li > .pb-card.open")) == 5
        card = driver.find_element(By.CSS_SELECTOR, ".pb-card.open")
        assert card.get_attribute("aria-label") in driver.find_element(By.ID, "options").text
        body = driver.find_element(By.TAG_NAME, "body")
        body.send_keys("h")
        settled(driver)
        assert driver.find_element(By.ID, "advice").text.startswith("The thinker would choose: ")
        assert len(driver.find_elements(By.CSS_SELECTOR, "#options .chance")) == 5
        body.send_keys("2")
        settled(driver)
        assert driver.execute_script("return now.choice") > at
        body.send_keys("u")
        settled(driver)
        assert driver.execute_script("return now.choice") == at
        body.send_keys(Keys.ARROW_DOWN)
        driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        assert driver.switch_to.active_element.get_attribute("data-index") == "1"
        driver.find_element(By.CSS_SELECTOR, ".pb-card.open").click()
        settled(driver)
        assert table.played.kept.choices[at] == 0
        driver.refresh()
        settled(driver)
        assert driver.execute_script("return now.choice") == len(table.played.who)
        clicked = set()
        while not driver.execute_script("return now.over"):
            marks = driver.find_elements(By.CSS_SELECTOR, "#map .target")
            kind = "map" if marks and "map" not in clicked else "list"
            (marks if kind == "map" else driver.find_elements(By.CSS_SELECTOR, "#options button"))[0].send_keys(Keys.ENTER)
            clicked.add(kind)
            settled(driver)
        assert clicked == {"map", "list"}
        settled(driver)
        driver.implicitly_wait(20)
        assert driver.find_element(By.CSS_SELECTOR, "#end svg").get_attribute("aria-label").startswith("Chances to win")
        assert "The choices that cost" in driver.find_element(By.ID, "end").text
        assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
    close(table, server)
