"""A seat at a table in the page: the same answers give the same game, view, file and hint as in the lab."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest
from pages import NODE

from newdawn.analysis.explorer import play
from newdawn.analysis.explorer.play import PeoplesGame, Thinker
from newdawn.analysis.web import build
from newdawn.simulator import kept_files, names
from newdawn.simulator.errors import UserError
from newdawn.simulator.plays.log import read_log
from newdawn.simulator.replay.interactive_game import game_of, new_game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.strategies import registry

WHOLE = "NEWDAWN_WHOLE_SOAK" in os.environ  # hours: forty games, 100,000 questions, 100 positions
HERE = Path(__file__).parent
DEAL = {"box": "base", "names": ["me", "planner", "me"], "seed": 4}
BEYOND = {"box": "terra-incognita", "names": ["me", "planner", "me"], "seed": 4}
TEAMS = {"teams.partners": names.PARTNERS[1]}


def in_page(folder, task, seconds=600, **given):
    """Return what a task of seat.mjs answers."""
    asked = json.dumps({"folder": str(folder), "task": task, **given})
    found = subprocess.run(
        [NODE, str(HERE / "seat.mjs")], input=asked, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert found.returncode == 0, found.stderr[-2000:]
    return json.loads(found.stdout)


def ruleset_of(deal):
    """Return the rules of a deal."""
    printed = load_ruleset(box=deal["box"])
    overlay: dict = {}
    for path, value in deal.get("changes", {}).items():
        *steps, last = path.split(".")
        at = overlay
        for step in steps:
            at = at.setdefault(step, {})
        at[last] = value
    return with_overlay(printed, overlay, "tried") if overlay else printed


def saved(deal):
    """Return the game of a deal as the lab begins it."""
    leaders = tuple(name for name, word in zip(deal["leaders"]["names"], deal["names"], strict=True) if word == "me") \
        if "leaders" in deal else ()  # fmt: skip
    kept = new_game(deal.get("ruleset") or ruleset_of(deal), tuple(deal["names"]), deal["seed"], leaders)
    if "leaders" in deal:
        assert list(kept.plan.leaders) == deal["leaders"]["names"]
    return kept


def plain(value):
    return json.loads(json.dumps(value))


@pytest.fixture(autouse=True)
def unreckoned(request, monkeypatch):
    """Choices are not reckoned, which takes longer than to play, unless a test is about that."""
    if "thinker" not in request.node.name:
        monkeypatch.setattr(Thinker, "cost", lambda *asked: None)


def by_lot(question):
    return question.bits % len(question)


def played(deal, looks=()):
    """Play a deal as a page does, people by lot; return the game and its views."""
    game, views = PeoplesGame(saved(deal)), []
    at = 0
    while game.question is not None:
        if at in looks:
            views.append([at, plain(play.view(game))])
        game.answer(by_lot(game.question))
        at += 1
    return game, [*views, [-1, plain(play.view(game))]]


def first_difference(lab, page, path=""):
    """Return where two values differ, "" if they do not."""
    if isinstance(lab, dict) and isinstance(page, dict):
        if lab.keys() != page.keys():
            return f"{path}: keys {sorted(lab.keys() ^ page.keys())}"
        return next(filter(None, (first_difference(lab[key], page[key], f"{path}.{key}") for key in lab)), "")
    if isinstance(lab, list) and isinstance(page, list) and len(lab) == len(page):
        return next(
            filter(None, (first_difference(*pair, f"{path}[{k}]") for k, pair in enumerate(zip(lab, page, strict=True)))), ""
        )
    return "" if lab == page else f"{path}: {lab!r:.300} is here {page!r:.300}"


def check_same(table, deal, looks=()):
    ruleset = deal.get("ruleset")
    asked = {key: value for key, value in deal.items() if key != "ruleset"}
    game, views = played(deal, looks)
    found = in_page(table, "play", deal=asked, looks=list(looks))
    lines, answered = game.sitting.lines, [list(pair) for pair in game.kept.answered]
    for name, mine, page in (
        ("choices", list(game.kept.choices), found["choices"]), ("lines", lines, found["lines"]),
        ("answered", answered, found["answered"]), ("views", views, found["views"]),
    ):  # fmt: skip
        assert first_difference(mine, page, name) == "", (asked, ruleset and ruleset.name)


@pytest.mark.parametrize("deal", [
    DEAL, BEYOND,
    {"box": "base", "names": ["planner", "me"], "seed": 8, "changes": {"wonders.petra.cost": 5}},
    {"box": "base", "names": ["me", "quick", "me", "planner"], "seed": 2, "changes": TEAMS},
], ids=str)  # fmt: skip
def test_the_same_answers_give_the_same_game_and_views_as_in_the_lab(deal, table):
    check_same(table, deal, looks=(0, 3, 11, 30))


def test_house_rules_of_a_file_are_played_alike(table, tmp_path):
    ruleset = load_ruleset(["seafarer"])
    (tmp_path / "rules.json").write_bytes(build.pack(ruleset))
    deal = {"box": ruleset.box, "names": ["me", "planner"], "seed": 5, "pack": str(tmp_path / "rules.json")}
    check_same(table, deal | {"ruleset": ruleset}, looks=(2, 20))


def drawn_deals(n, seed=61):
    """Return deals by lot: both boxes, 2 to 5 players, teams, dealt leaders."""
    rng = random.Random(seed)
    found = []
    for k in range(n):
        box = names.BOXES[k % 2]
        players = rng.randint(2, names.MOST_PLAYERS[box])
        others = [one.name for one in registry.STRATEGIES if not one.slow and players in one_counts(one, box)]
        line_up = ["me", *(rng.choice(["me", *others]) for _ in range(players - 1))]
        rng.shuffle(line_up)
        changes = TEAMS if players == names.TEAM_PLAYERS and rng.random() < 0.5 else {}
        found.append({"box": box, "names": line_up, "seed": rng.randrange(10**6), "changes": changes})
    return found


def one_counts(strategy, box):
    try:
        registry.check_box(strategy, box)
        return [int(n) for n in build.about_player(strategy, box)["weights"]]
    except UserError:
        return []


@pytest.mark.soak
@pytest.mark.parametrize("k", range(0, 40, 5) if not WHOLE else range(40))
def test_games_by_lot_are_the_same(k, table):
    check_same(table, drawn_deals(40)[k], looks=tuple(range(k % 7, 80, 17)))


def test_interrupted_questions_leave_memory_as_it_was(table):
    found = in_page(table, "interrupt", deal=DEAL, n=300)
    assert found == {"asked": 300, "changed": 0}


@pytest.mark.soak
@pytest.mark.parametrize("deal", [DEAL, BEYOND, DEAL | {"names": ["me", "quick"]}], ids=str)
def test_many_interrupted_questions_leave_memory_as_it_was(deal, table):
    found = in_page(table, "interrupt", deal=deal, n=100_000 if WHOLE else 1_500, seconds=7200)
    assert found["changed"] == 0


@pytest.mark.parametrize("deal", [DEAL, BEYOND], ids=str)
def test_taking_back_and_choosing_again_is_the_same_game(deal, table):
    assert in_page(table, "back", deal=deal, times=5) == []


@pytest.mark.parametrize("deal", [
    DEAL, BEYOND, DEAL | {"changes": {"wonders.petra.cost": 5, "leaders.rome.start_bonus.trade_tokens": 3}},
], ids=str)  # fmt: skip
def test_a_game_begun_in_the_page_goes_on_in_the_lab(deal, table):
    content = in_page(table, "file", deal=deal, n=20)
    kept = game_of(Path("game.json"), content)
    assert kept.ruleset.digest() == ruleset_of(deal).digest()
    assert not kept.aged
    mine, begun = saved(deal), PeoplesGame(kept)
    assert begun.kept.plan == mine.plan
    whole, _ = played(deal)
    while begun.question is not None:
        begun.answer(by_lot(begun.question))
    assert list(begun.kept.choices) == list(whole.kept.choices)
    assert begun.sitting.lines == whole.sitting.lines


@pytest.mark.parametrize("deal", [DEAL | {"changes": {"wonders.petra.cost": 5}}, BEYOND], ids=str)
def test_a_log_of_the_page_is_imported_and_checked(deal, table, tmp_path):
    content = in_page(table, "file", deal=deal, n=10**6, people={"0": "Zoë"})
    ruleset = ruleset_of(deal)
    (tmp_path / "log.json").write_text(json.dumps(content))
    log = read_log([tmp_path / "log.json"], ruleset.data, ruleset.box)
    if not content["games"][0]["summary"]["won"]:
        assert sum(log.left.values()) == 1
        return
    (play,) = log.plays
    assert play.people == ("Zoë", "", "")
    assert play.strategies == ("", "planner", "")
    content["games"][0]["summary"]["won"] = [seat for seat in range(3) if not play.won[seat]]
    del content["digest"]
    (tmp_path / "false.json").write_text(kept_files.as_text(content))
    log = read_log([tmp_path / "false.json", tmp_path / "log.json"], ruleset.data, ruleset.box)
    assert [str(fault).rpartition("game 1: ")[2] for fault in log.faults] == [
        "summary: played again, the game ends otherwise than the log says"
    ]
    assert len(log.plays) == 1


@pytest.mark.parametrize("deal", [DEAL, BEYOND], ids=str)
def test_a_game_begun_in_the_lab_goes_on_in_the_page(deal, table):
    begun = PeoplesGame(saved(deal))
    for _ in range(15):
        begun.answer(by_lot(begun.question))
    found = in_page(table, "go", text=begun.kept.as_text(), rows={})
    assert found["at"] == len(begun.kept.choices)
    whole, _ = played(deal)
    assert found["choices"] == list(whole.kept.choices)
    assert found["lines"] == whole.sitting.lines


def test_the_thinker_says_the_same_in_the_page(table):
    deal, at = {"box": "base", "names": ["me", "planner", "planner"], "seed": 4}, [1, 8, 14]
    found = in_page(table, "think", deal=deal, at=at)
    game = PeoplesGame(saved(deal))
    game.thinker.plan = None
    hints, costs = [], []
    for k in range(max(at) + 1):
        chosen = by_lot(game.question)
        if k in at:
            hint = game.hint()
            hints.append(
                {"picked": hint.picked, "before": hint.before, "chances": {str(k): v for k, v in hint.chances.items()}}
            )
            cost = game.thinker.cost(game.sitting, chosen)
            if cost is not None:
                costs.append({"best": cost.best, "chance": cost.chance})
        game._answer(chosen)
        game.go_on()
    assert found["hints"] == plain(hints)
    assert [{key: one[key] for key in ("best", "chance")} for one in found["costs"]] == costs


def test_an_address_is_a_deal_and_a_challenge(table):
    deal = {"box": "base", "names": ["me", "quick"], "leaders": {"kind": "lineup", "names": ["Rome", "Egypt"]}, "seed": 7,
            "changes": {"wonders.petra.cost": 5}}  # fmt: skip
    found = in_page(table, "address", deal=deal, result={"won": True, "round": 15, "claims": 3, "leader": "Rome"})
    assert {key: found["deal"][key] for key in deal} == deal
    assert found["wrong"] == []
    assert found["rival"] == {"won": True, "round": 15, "claims": 3, "leader": "Rome"}
    for wrong in ("#box=moon", "#seats=quick,quick", "#seats=me,nobody", "#seats=me,quick&seed=-1", "#seats=me,quick&x=1"):
        assert len(in_page(table, "address", text=wrong)["wrong"]) == 1, wrong


@pytest.mark.parametrize(("deal", "n"), [
    (BEYOND, 12),
    *(pytest.param(deal | {"seed": 11}, 100 if WHOLE else 30, marks=pytest.mark.soak) for deal in (DEAL, BEYOND)),
], ids=str)  # fmt: skip
def test_what_a_seat_must_not_know_is_not_in_its_view(deal, n, table):
    assert in_page(table, "hidden", deal=deal, n=n) == []
