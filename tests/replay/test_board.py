"""The board shows every kind of piece, with real text."""

import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest
from table import Table, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import state
from newdawn.simulator.engine.map import add_space, rebuild_grid
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.board import MARGIN, Board, svg_text, wonder_mark
from newdawn.simulator.replay.player_boards import board_scene, draw_board, focus_row
from newdawn.simulator.rules import load_ruleset


@pytest.fixture
def svg(rules, game):
    return ElementTree.fromstring(svg_text(board_scene(rules, game, "Round 7", ("opportunist",) * 4)))


def marks(svg):
    return Counter(word for element in svg.iter() for word in element.get("class", "").split())


def texts(svg, kind):
    return [element.text for element in svg.iter() if kind in element.get("class", "").split()]


def test_every_kind_of_piece_is_drawn(svg, game):
    found = marks(svg)
    assert found["space"] == game.n_spaces
    assert found["coordinate"] == game.n_spaces
    assert found["owner"] == 28
    # The legend shows one of each, and each seat has a city in the table.
    assert found["token"] == 12 + 1
    assert found["reinforced_token"] == found["reinforced-ring"] == 4 + 1
    assert found["city"] == 8 + 1 + 4
    assert found["capital"] == 4 + 1
    assert found["barbarian"] == 2 + 1
    assert found["city-state"] == 2
    assert found["natural-wonder"] == 1 + 1
    assert found["natural-wonder-taken"] == 1 + 1
    assert found["wonder"] == 1 + 1
    assert found["resource"] == 4 + 4
    assert found["mature"] >= 2
    assert found["tile-edge"] > 100
    for terrain in ("grassland", "hills", "forest", "desert", "mountain", "water", "natural_wonder"):
        assert found[f"terrain-{terrain}"]


def test_armies_are_drawn_on_the_map_on_their_card_and_in_the_legend(game):
    ti = load_ruleset(box="terra-incognita").compile()
    game.army[0, :2] = 5, 5
    game.army[1, :2] = 5, state.ON_CARD
    svg = ElementTree.fromstring(svg_text(board_scene(ti, game)))
    assert marks(svg)["army"] == 2 + 1 + 1
    assert texts(svg, "army-count") == ["2×", "2", "1", "2"]
    assert "army (2× = two)" in texts(svg, "legend")
    assert [card["waiting"] for card in focus_row(Board(ti, game), 1) if card["type"] == "military"] == [1]


def test_no_army_is_drawn_in_the_base_game(svg):
    assert marks(svg)["army"] == 0


def test_words_are_text(svg, game):
    assert texts(svg, "title") == ["Round 7"]
    assert texts(svg, "leader") == ["Egypt", "Rome", "America", "Scythia"]
    assert {"Seoul", "Mohenjo Daro"} == set(texts(svg, "city-state-name"))
    assert "Py" in texts(svg, "wonder-mark")
    assert any(text.startswith("Py = Pyramids: Egypt") for text in texts(svg, "wonder-name"))
    assert any("Rome (Preservationist, round 6)" in text for text in texts(svg, "claim"))
    assert "2×" in texts(svg, "caravan-count")
    assert texts(svg, "face-up") == ["Face-up wonders: Petra"]
    trade = int(game.trade[:4].sum())
    assert marks(svg)["trade-token"] == trade


def test_wonders_have_different_marks():
    assert len({wonder_mark(wonder, names.WONDERS) for wonder in names.WONDERS}) == len(names.WONDERS)


def test_files_are_written(rules, game, tmp_path):
    picture = draw_board(rules, game, tmp_path / "new" / "board.png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    drawing = draw_board(rules, game, tmp_path / "board.svg")
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    assert drawing.read_bytes() == draw_board(rules, game, tmp_path / "again.svg").read_bytes()


@pytest.mark.parametrize("name", ["board.gif", "board"])
def test_other_formats_are_refused(rules, game, tmp_path, name):
    with pytest.raises(UserError, match=r"expected a name that ends in \.svg or \.png"):
        draw_board(rules, game, tmp_path / name)


def test_an_unwritable_place_is_an_error_of_the_user(rules, game, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be written"):
        draw_board(rules, game, tmp_path / "file" / "board.svg")


def test_districts_governments_and_tokens_on_wonders_are_drawn():
    t = Table(rules=ti_rules())
    t.capital(0, (0, 0))
    t.district(0, "Theater Square", (1, 0))
    t.district(1, "Campus", (-1, 0), reinforced=True)
    t.deck("Stonehenge", "Hanging Gardens")
    t.g.wonder_trade[t.g.deck[names.CULTURE, 0]] = 1
    t.g.government[0], t.g.government_type[0] = t.holder(0, "culture"), names.CULTURE
    picture = ElementTree.fromstring(svg_text(board_scene(t.r, t.g)))
    assert sorted(texts(picture, "district-mark")) == ["Ca", "TS"]
    assert texts(picture, "district-name") == ["TS = Theater Square", "Ca = Campus"]
    assert texts(picture, "guest") == [None, "Re"]  # the box and its mark
    assert texts(picture, "face-up") == ["Face-up wonders: Stonehenge (-1)"]


def test_forts_and_the_tiles_left_are_drawn():
    t = Table(rules=ti_rules())
    t.capital(0, (0, 0))
    t.fort((1, 0))
    t.g.stack_n = 3
    picture = ElementTree.fromstring(svg_text(board_scene(t.r, t.g)))
    assert marks(picture)["terrain-fort"] == 1
    assert len(texts(picture, "fort")) == 1 + 1, "the fort and its sign in the legend"
    assert texts(picture, "stack") == ["Tiles to explore: 3"]


def test_with_a_given_unit_spaces_keep_their_places_while_the_map_grows():
    t = Table(rules=ti_rules())
    before = Board(t.r, t.g, unit=70)
    places = [before.centre(s) for s in range(before.n)]
    assert before.corner[0] + before.map_width == pytest.approx(max(x for x, _ in places) + 35 - MARGIN)
    rebuild_grid(t.g, t.w)
    add_space(t.g, t.w, -9, 0, 1, 0)
    after = Board(t.r, t.g, unit=70)
    assert [after.centre(s) for s in range(before.n)] == places
    assert after.corner[0] < before.corner[0]
    assert Board(t.r, t.g).corner[0] == 0, "fitted into the picture the map begins at its left"
