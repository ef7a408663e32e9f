"""Every kind of decision at the table: words, options in words, and places where it has some."""

import pytest

from newdawn.analysis.explorer import play as at
from newdawn.analysis.explorer.play import PeoplesGame, Thinker
from newdawn.scripts.checks.browser import rare
from newdawn.simulator.engine import decisions
from newdawn.simulator.engine.decisions import KINDS
from newdawn.simulator.replay import film

# What is about no space, card or world wonder, or where all options lie on the same one.
IN_THE_LIST_ONLY = {
    decisions.LAY_TILE, decisions.START_EFFECT, decisions.SPEND_TRADE, decisions.GAIN_RESOURCE, decisions.SWAP_RESOURCE,
    decisions.TAKE_DIPLOMACY, decisions.RETURN_DIPLOMACY, decisions.PAY, decisions.MILITARY, decisions.CITY_STATE_FATE,
    decisions.GENEVA_SWAP, decisions.EXTRA_ECONOMY, decisions.REPEAT_CARD, decisions.POTALA, decisions.SPEND_TOKEN,
    decisions.SCIENCE, decisions.MOVE_ON, decisions.COMBAT_SPEND, decisions.ARMY_TARGET, decisions.GROWTH,
    decisions.DISTRICT_EFFECT, decisions.NAME_DISTRICT, decisions.EXPLORED_TILE, decisions.STACK_ORDER,
    decisions.GIVE_IBRAHIM, decisions.ALLY, decisions.CONQUER_VISITED, decisions.DIAL_ANYWAY,
}  # fmt: skip
PLACED = at.SPACES | at.FIGURES | at.OWN_CARDS | at.RIVAL_CARDS | at.ROW | at.SPOTS | set(at.OTHERS)


def test_of_every_kind_it_is_said_whether_it_can_be_clicked_on_the_table():
    assert set(range(len(KINDS))) == PLACED | IN_THE_LIST_ONLY
    assert not PLACED & IN_THE_LIST_ONLY


def check(kind, kept):
    """Check what the page would show of a question."""
    played = PeoplesGame(kept)
    view = at.view(played)
    assert view["kind"] == kind
    assert view["question"].endswith(("?", ")")), kind
    words = [option["words"] for option in view["options"]]
    assert len(words) > 1
    assert all(words)
    assert len(set(words)) == len(words), f"{kind}: two options are called alike: {words}"
    shown = {*view["map"]["spots"], *(wonder["place"] for wonder in view["wonders"])}
    shown |= {f"space/{k}" for k in range(len(view["map"]["spaces"]))}
    shown |= {f"card/{seat}/{k}" for seat, board in enumerate(view["boards"]) for k in range(len(board["row"]))}
    places = {place for option in view["options"] for place in option["places"]}
    assert places <= shown
    assert bool(places) == (KINDS.index(kind) in PLACED), kind
    played.sitting.close()


@pytest.fixture
def unreckoned(monkeypatch):
    monkeypatch.setattr(Thinker, "cost", lambda *asked: None)
    monkeypatch.setattr(Thinker, "chances", lambda *asked: [])
    monkeypatch.setattr(film, "drawn", lambda draw, board, space: "")  # what takes longest; tests of boards draw


@pytest.mark.soak
def test_every_kind_is_found_and_has_words_and_places(unreckoned):
    missing = set(KINDS)
    for kind, kept in rare.found(missing):
        check(kind, kept)
    assert missing == set()
