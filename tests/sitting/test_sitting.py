"""A game that stops at questions: it is the game of the run, whoever answers, and answers can be taken back."""

import random

import pytest

from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay import interactive_game as module
from newdawn.simulator.replay.interactive_game import Sitting
from newdawn.simulator.replay.stepper import play_logged
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Player
from newdawn.simulator.runs.run_plan import available_leaders, make_plan

LINE_UP = ["planner", "random", "planner"]


def plan_of(box, games=200, players=3, **settings):
    ruleset = load_ruleset(box=box)
    leaders = available_leaders(ruleset.compile())
    settings = {"strategies": LINE_UP, "seed": 7, "box": box, **settings}
    return ruleset, make_plan(players=players, games=games, available_leaders=leaders, **settings)


def put_to_ours(sitting):
    """Answer the question as the strategy that the plan has for the seat."""
    line_up = sitting.plan.strategies
    seat = (sitting.question.seat + sitting.game) % len(line_up)
    return sitting.question.put(sitting.plan.strategy(line_up[seat]).load())


def play_on(sitting, choose=put_to_ours):
    while not sitting.over:
        sitting.answer(choose(sitting))


def check_games(box, games, asked=None):
    ruleset, plan = plan_of(box)
    player = Player(plan, ruleset.compile())
    rows = player.rows(1)
    for game in games:
        player.play(game, 1, rows, 0, 0)
        sitting = Sitting(ruleset, plan, game, asked)
        play_on(sitting)
        assert sitting.state.tobytes() == player.states[0].tobytes()
        asked_for = int(player.states[0].stat_decisions)
        assert len(sitting.choices) == asked_for if asked is None else 0 < len(sitting.choices) < asked_for
    assert sitting.lines == play_logged(ruleset, plan, game)


@pytest.mark.parametrize("box", names.BOXES)
def test_a_game_that_waits_is_the_game_of_the_run(box):
    check_games(box, range(2))
    check_games(box, [2], asked=[1, 2])


@pytest.mark.soak
@pytest.mark.parametrize("box", names.BOXES)
def test_hundreds_of_games_that_wait_are_those_of_the_run(box):
    check_games(box, range(200))


def check_undo(box, game, places):
    ruleset, plan = plan_of(box)
    sitting = Sitting(ruleset, plan, game)
    questions = []
    while not sitting.over:
        questions.append((sitting.question.seat, sitting.question.kind, sitting.question.options, sitting.question.bits))
        sitting.answer(put_to_ours(sitting))
    choices, end = list(sitting.choices), sitting.state.tobytes()
    for place in places(len(choices)):
        sitting.undo(len(choices) - place)
        question = sitting.question
        assert sitting.choices == choices[:place]
        assert (question.seat, question.kind, question.options, question.bits) == questions[place]
        play_on(sitting)
        assert sitting.choices == choices
        assert sitting.state.tobytes() == end


@pytest.mark.parametrize("box", names.BOXES)
def test_answers_taken_back_anywhere_lead_to_the_same_game(box):
    check_undo(box, 4, lambda n: [0, 1, n - 1, *random.Random(1).sample(range(n), 9)])


@pytest.mark.soak
@pytest.mark.parametrize("box", names.BOXES)
def test_every_answer_can_be_taken_back(box):
    check_undo(box, 5, range)


def test_another_answer_after_taking_one_back_is_another_game():
    ruleset, plan = plan_of("base")
    sitting = Sitting(ruleset, plan, 0)
    play_on(sitting, lambda sitting: 0)
    first, end = list(sitting.choices), sitting.state.tobytes()
    sitting.undo(len(first) - 40)
    play_on(sitting, lambda sitting: len(sitting.question) - 1 if len(sitting.choices) == 40 else 0)
    assert sitting.choices[:40] == first[:40]
    assert sitting.choices[40] != 0
    assert sitting.state.tobytes() != end


def test_many_games_wait_side_by_side_and_may_be_left():
    ruleset, plan = plan_of("base", seed=3)
    alone = []
    for game in range(4):
        sitting = Sitting(ruleset, plan, game)
        play_on(sitting)
        alone.append(sitting.state.tobytes())
    kept = [Sitting(ruleset, plan, game) for game in range(4)]
    left = [Sitting(ruleset, plan, game) for game in range(4)]
    while not all(sitting.over for sitting in kept):
        for sitting in [*kept, *left]:
            if not sitting.over:
                sitting.answer(put_to_ours(sitting))
        if left and len(left[0].choices) > 30:
            left.pop().close()
    assert [sitting.state.tobytes() for sitting in kept] == alone


def test_a_question_says_in_numbers_and_words_what_is_asked_and_seen():
    ruleset = load_ruleset()
    sitting = Sitting.of(ruleset, ["me", "planner"], seed=5, leaders=["Rome", "Egypt"])
    assert sitting.asked == {0}
    while sitting.question.kind != "card":
        sitting.answer(0)
    question = sitting.question
    assert question.text == "Which focus card do you resolve?"
    assert question.words == [f"{card['name']} ({card['type']} I) in slot {card['slot']}" for card in question.board()["row"]]
    assert question.options == [0, 1, 2, 3, 4]
    assert len(question) == 5
    assert question.board()["leader"] == "Rome"
    assert question.board(1)["leader"] == "Egypt"
    assert question.about["slot"] >= 0
    assert int(question.game.round_number) == 1
    assert question.random.random() == question.random.random()
    with pytest.raises(ValueError, match="read-only"):
        question.game.round_number = 9
    assert "slot 5" in repr(question)


@pytest.mark.parametrize("game", range(3))
def test_seats_by_name_sit_where_they_are_named_in_every_game(game):
    sitting = Sitting.of(load_ruleset(), ["me", "random", "planner"], 5, game, ["Rome", "Egypt", "Japan"])
    assert sitting.asked == {0}
    assert sitting.question.seat == 0
    assert [sitting.question.board(seat)["leader"] for seat in range(3)] == ["Rome", "Egypt", "Japan"]
    while not sitting.lines:  # the set-up
        sitting.answer(0)
    assert [line.partition("played by ")[2] for line in sitting.lines[1:4]] == ["me", "random", "planner"]
    sitting.close()
    assert sitting.over


def test_what_cannot_be_answered_is_refused():
    ruleset, plan = plan_of("base")
    with pytest.raises(UserError, match=r"asked: \[0, 3\] is not valid; expected seats from 0 to 2"):
        Sitting(ruleset, plan, 0, [0, 3])
    sitting = Sitting(ruleset, plan, 0)
    n = len(sitting.question)
    for wrong in (-1, n):
        with pytest.raises(UserError, match=f"answer: {wrong} is not valid; expected a whole number from 0 to {n - 1}"):
            sitting.answer(wrong)
    with pytest.raises(UserError, match="answers to take back: 1 is not valid; expected a whole number from 0 to 0"):
        sitting.undo()
    sitting.close()
    with pytest.raises(UserError, match="the game is over"):
        sitting.answer(0)


def test_without_greenlet_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(module, "greenlet", None)
    with pytest.raises(UserError, match=r"needs greenlet; install it with: .*python.* -m pip install greenlet$"):
        Sitting(*plan_of("base"))
