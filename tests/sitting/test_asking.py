"""Every kind of decision has a sentence, and every option words."""

import re

import numpy as np
import pytest

from newdawn.simulator import names
from newdawn.simulator.engine import decisions
from newdawn.simulator.replay import interactive_game
from newdawn.simulator.replay.interactive_game import Sitting
from newdawn.simulator.replay.space_names import space_name
from newdawn.simulator.rules import load_ruleset

NUMBERS = {"slot": 3, "holder": 1, "left": 2, "cost": 1, "source": 0, "space": 4, "target": 0, "seat": 1, "attack": 7,
           "defence": 9, "die": 3, "wonder": 2, "level": 2, "moved": 0, "caravan": 0}  # fmt: skip


@pytest.fixture(scope="module", params=names.BOXES)
def words(request):
    sitting = Sitting.of(load_ruleset(box=request.param), ["me", "random"], seed=3)
    while not sitting.laid:
        sitting.answer(0)
    yield sitting.question.wording
    sitting.close()


def test_no_kind_of_decision_is_without_a_sentence():
    assert sorted(interactive_game.SENTENCES) == list(range(len(decisions.KINDS)))
    assert set(interactive_game.DECLINED) <= set(interactive_game.SENTENCES)


@pytest.mark.parametrize("kind", range(len(decisions.KINDS)), ids=decisions.KINDS)
def test_a_sentence_asks_one_question_and_says_all_it_knows(words, kind):
    said = interactive_game.sentence(words, 0, kind, NUMBERS)
    assert re.search(r"[A-Z].{10,}\?", said)
    assert not re.search(r"[{}]|nothing|None", said)
    assert len(said.split()) <= 25


def test_the_facts_of_sentences_are_all_used():
    used = set(re.findall(r"{(\w+)}", " ".join(interactive_game.SENTENCES.values())))
    assert used == set(interactive_game.FACTS)


def test_cards_and_figures_are_called_by_what_and_where_they_are(words):
    g = words.g
    card = interactive_game.option(words, 0, decisions.CARD, 2, NUMBERS)
    assert card == f"{words.held(0, int(g.row[0, 2]))} in slot {words.slot(2)}"
    assert interactive_game.option(words, 0, decisions.CARAVAN, 0, NUMBERS) == "number 1, from the economy card"
    assert (
        interactive_game.option(words, 0, decisions.CARAVAN, decisions.PASS, NUMBERS)
        == "do nothing more: move no more caravans"
    )
    assert interactive_game.option(words, 0, decisions.PLACE_TOKEN, 3, NUMBERS) == words.place(3)


def test_spaces_are_called_as_in_the_log_when_the_map_grows():
    sitting = Sitting.of(load_ruleset(box="terra-incognita"), ["pathfinder", "me", "pathfinder"], seed=2)
    while not sitting.laid:
        sitting.answer(0)
    called = [space_name(sitting.state, s) for s in range(int(sitting.state.n_spaces))]
    at = int(sitting.state.axial_q[: len(called)].min()), int(sitting.state.axial_r[: len(called)].min())
    grown = np.array([])
    while not sitting.over and not len(grown):
        sitting.answer(sitting.question.random.randrange(len(sitting.question)))
        g = sitting.state
        grown = np.flatnonzero((g.axial_q[: g.n_spaces] < at[0]) | (g.axial_r[: g.n_spaces] < at[1]))
    assert len(grown), "the map has grown to the left or upwards"
    assert [space_name(g, s) for s in range(len(called))] == called
    assert sitting.question.wording.place(int(grown[0])).startswith(space_name(g, int(grown[0])))
    sitting.close()


@pytest.mark.parametrize("kind", range(len(decisions.KINDS)))
def test_what_does_nothing_is_called_so(words, kind):
    values = {decisions.PASS, interactive_game.NO.get(kind, decisions.PASS)}
    assert all(interactive_game.is_nothing(kind, value) for value in values)
    assert all(interactive_game.option(words, 0, kind, value, NUMBERS).startswith("do nothing") for value in values)
