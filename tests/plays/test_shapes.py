"""Logs as people keep them: one small file a shape (tests/plays/shapes, whose README says where each was seen)."""

from pathlib import Path

import pytest

from newdawn.simulator import names
from newdawn.simulator.plays.asked import Answers, columns_of, line_of
from newdawn.simulator.plays.log import read_log
from newdawn.simulator.plays.spelling import Titles
from newdawn.simulator.rules import load_ruleset

BASE, TI = names.BOXES
SHAPES = Path(__file__).parent / "shapes"


@pytest.fixture(scope="module")
def data():
    return {box: load_ruleset((), None, box).data for box in names.BOXES}


@pytest.fixture
def read(data):
    def read(name, box=BASE, game=""):
        log = read_log([SHAPES / name], data[box], box, game)
        assert log.faults == []
        return log

    return read


def test_every_file_is_in_the_list_and_is_tried():
    text, own = (SHAPES / "README.md").read_text("utf-8"), Path(__file__).read_text("utf-8")
    for path in SHAPES.iterdir():
        assert path.name == "README.md" or (f"`{path.name}`" in text and f'"{path.name}"' in own), path.name


def test_the_turn_order_is_the_start_position(read):
    (play,) = read("start_position.json").plays
    assert (play.order, play.first) == ((2, 1, 3), 1)


def test_a_start_player_alone_tells_the_order_of_two_and_who_was_first_of_more(read):
    two, three, seated = read("start_player.json").plays
    assert (two.order, two.first) == ((2, 1), 1)
    assert (three.order, three.first) == (None, 1)
    assert (seated.order, seated.first) == ((3, 1, 2), 1)


def test_full_width_slashes_stand_between_cards_and_roles(read):
    (play,) = read("full_width.json").plays
    assert play.leaders == ("Rome", "Egypt")
    assert play.cards == ("Civilized / Money Grubber", "Populous / Preservationist", "Explorer / Aesthetic")


def test_an_anonymous_player_is_nobody(read):
    (play,) = read("anonymous.json").plays
    assert play.people == ("Ann", "", "")


def test_titles_in_any_language_the_expansion_alone_and_no_other_new_dawn(read):
    log = read("other_titles.json")
    assert [play.key for play in log.plays] == ["a"]
    assert log.others == {"Eclipse / Eclipse: New Dawn for the Galaxy": 2}
    assert [play.key for play in read("other_titles.json", TI).plays] == ["b"]


def test_the_leader_in_the_team_or_a_comment(read):
    team, comment = read("leader_elsewhere.json").plays
    assert team.leaders == comment.leaders == ("Rome", "Egypt")


def test_pages_of_board_game_geek_in_one_file(read):
    first, second = read("two_pages.xml").plays
    assert (first.key, second.key) == ("1", "2")
    assert first.people == second.people == ("ann", "")
    assert second.leaders == ("Rome", "Egypt")  # from the comment


def test_a_column_a_person(read):
    first, second, third = read("wide.csv").plays
    assert (first.people, first.leaders, first.won) == (("Ann", "Ben", "Cleo"), ("Rome", "Egypt", "Japan"), (0, 1, 0))
    assert (first.first, first.minutes, first.date) == (0, 120, "2024-01-01")
    assert (second.people, second.leaders, second.won) == (("Ann", "Cleo"), ("Egypt", "Aztec"), (0, 1))
    assert (third.leaders, third.won) == (("Rome", "Egypt"), (1, 0))


def test_columns_with_numbers(read):
    first, second = read("numbered.csv").plays
    assert (first.people, first.leaders, first.won) == (("Ann", "Ben", "Cleo"), ("Rome", "Egypt", "Japan"), (0.5, 0, 0.5))
    assert (second.people, second.won) == (("Ann", "Ben"), (0, 1))


@pytest.mark.parametrize(
    ("name", "people", "leaders"),
    [("german.csv", ("Jürgen", "Ute"), ("Egypt", "Rome")), ("french.csv", ("Zoé", "Luc"), ("Egypt", "Rome"))],
)
def test_headings_of_other_languages_in_the_letters_of_windows(read, name, people, leaders):
    log = read(name)
    (play,) = log.plays
    assert (play.people, play.leaders, play.won, play.minutes) == (people, leaders, (1, 0), 120)
    (note,) = log.notes
    assert note.startswith(f"{SHAPES / name}: read as Windows-1252, as Excel saves CSV")


# --- What these files do not show


def written(tmp_path, text, data, name="a.csv", box=BASE, game=""):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_log([tmp_path / name], data[box], box, game)


@pytest.mark.parametrize(
    ("title", "number", "box"),
    [
        ("Civilization: A New Dawn", "", ""), ("Something", "233247", ""), ("A New Dawn", "", ""), ("Civ: New Dawn", "", ""),
        ("Sid Meier’s Civilization : Une Aube Nouvelle", "", ""), ("Cywilizacja: Nowy początek", "", ""),
        ("Civilization: Un Nuevo Amanecer", "", ""), ("Civilization: Una Nuova Alba", "", ""),
        ("Civilization: Um Novo Amanhecer", "", ""), ("Civilization: Nový úsvit", "", ""),
        ("Цивилизация Сида Мейера: Новый рассвет", "", ""), ("Civilization – Ein neues Zeitalter: Terra Incognita", "", TI),
        ("Eclipse: New Dawn for the Galaxy", "72125", None), ("Jurassic World: Ein neues Zeitalter", "", None),
        ("Sid Meier's Civilization: The Board Game", "77130", None), ("Terra Incognita", "1", None), ("", "", None),
    ],
)  # fmt: skip
def test_a_game_is_known_by_its_number_then_by_its_titles(title, number, box):
    assert Titles().box(title, number=number) == box


def test_the_wanted_game_is_known_by_its_title_or_number():
    assert Titles("our civ").box("Our Civ night") == ""
    assert Titles("72125").box("Eclipse", number="72125") == ""
    assert Titles("our civ").box("Civilization: A New Dawn", number="233247") is None
    assert Titles("!").box("Chess") is None


def test_a_name_that_sits_twice_at_a_table_is_nobodys(tmp_path, data):
    rows = "1,Rome,yes,Guest\n1,Egypt,no,Guest\n2,Rome,yes,Guest\n2,Egypt,no,Ann\n"
    log = written(tmp_path, "play,leader,won,player\n" + rows, data)
    assert [play.people for play in log.plays] == [("", ""), ("", "Ann")]
    assert log.notes == ["nobody is known by a name that sits twice at one table: Guest"]


@pytest.mark.parametrize("between", ["; ", ", ", "／", "、", " | ", " • ", "/", " / "])
def test_cards_are_taken_apart_wherever_they_are_joined(tmp_path, data, between):
    cards = between.join(("Civilized", "Populous", "Explorer"))
    (play,) = written(tmp_path, f'play,leader,won,cards\n1,Rome,yes,"{cards}"\n1,Egypt,no,\n', data).plays
    assert len(play.cards) == 3


def test_a_card_that_is_not_known_says_where_the_text_was_taken_apart(tmp_path, data):
    (fault,) = written(tmp_path, "play,leader,won,cards\n1,Rome,yes,Civilized／Foo\n1,Egypt,no,\n", data).faults
    assert "unknown victory card 'Foo'" in str(fault)
    assert str(fault).endswith("(taken apart at ／)")


def test_two_who_began_are_a_fault(tmp_path, data):
    rows = "1,Rome,yes,1,\n1,Egypt,no,2,yes\n"
    log = written(tmp_path, "play,leader,won,order,first player\n" + rows, data)
    assert [str(fault) for fault in log.faults] == [
        f"{tmp_path / 'a.csv'}: rows 2-3: first: player 2 began; expected player 1, the first in the turn order"
    ]
    assert (log.plays[0].order, log.plays[0].first) == (None, None)


def test_a_winner_who_did_not_play_is_a_fault(tmp_path, data):
    text = "Date,Ann,Ben,Winner\n2024-01-01,Rome,Egypt,Dora\n"
    assert line_of(written(tmp_path, text, data).questions) == "--columns seat=Ann,seat=Ben"  # nobody is named: who are they?
    log = read_log([tmp_path / "a.csv"], data[BASE], BASE, answers=Answers(columns_of(["seat=Ann,seat=Ben"])))
    assert [str(fault) for fault in log.faults] == [
        f"{tmp_path / 'a.csv'}: row 2: won: 'Dora': expected a person or a leader of this row"
    ]


def test_json_in_the_letters_of_windows_is_refused(tmp_path, data):
    (tmp_path / "a.json").write_bytes('{"plays": "ä"}'.encode("cp1252"))
    with pytest.raises(Exception, match="UTF-8"):
        read_log([tmp_path / "a.json"], data[BASE], BASE)
