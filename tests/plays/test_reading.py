"""Logs of real plays: what is read, in which spellings, and that every fault has its line and nothing is guessed."""

import json
import random
import time

import pandas as pd
import pytest

from newdawn.analysis.tables.read import open_plays
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.plays import plays_folder, writing
from newdawn.simulator.plays.headings import template
from newdawn.simulator.plays.log import Log, read_log
from newdawn.simulator.plays.spelling import leaders, victory_cards
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run_folder import victory_card_names

BASE, TI = names.BOXES


@pytest.fixture(scope="module")
def rules():
    return {box: load_ruleset((), None, box) for box in names.BOXES}


def log_of(path, text, rules, box=BASE, game=""):
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return read_log([path], rules[box].data, box, game)


# --- Spellings


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("Rome", "Rome"), ("ROMA", "Rome"), ("Trajan - Rome", "Rome"), ("blue (Rome)", "Rome"), ("Ägypten", "Egypt"),
        ("Egipt", "Egypt"), ("Cleopatra (Egypt)", "Egypt"), ("Roosvelt", "America"), ("aztecs", "Aztec"),
        ("Scithia", "Scythia"), ("Rome/Egypt", None), ("Zulu", None),
        ("Gilgamesh", "Sumeria"), ("Greece", None), ("Persia", None), ("red", None), ("", None),
    ],
)  # fmt: skip
def test_a_leader_in_any_spelling_near_enough(rules, word, name):
    assert leaders(rules[BASE].data).find(word) == name


def test_leaders_of_the_box_only_and_no_name_of_another_civilization(rules):
    found = leaders(rules[TI].data)
    assert found.find("Holland") == "Netherlands"
    assert found.find("The Incas") == "Inca"
    others = ["Greece", "Germany", "India", "Persia", "Korea", "Russia", "Norway", "Brazil", "Arabia", "Mongolia", "Australia"]
    assert [word for word in others if found.find(word)] == []
    # Each way of writing means one leader, and its own.
    for name in found.names:
        assert found.find(name.upper()) == name


def test_a_victory_card_by_either_agenda(rules):
    for box in names.BOXES:
        cards = victory_cards(rules[box].data)
        assert set(cards.names) == set(victory_card_names(rules[box].compile()))
    found = victory_cards(rules[BASE].data)
    assert found.find("money grubber") == found.find("Civilised") == found.find("Civilized / Money Grubber")
    assert found.find("Fortified") is None


def test_what_was_read_by_likeness_is_told(rules, tmp_path):
    log = log_of(tmp_path / "a.csv", "play,leader,won\n1,Egipta,yes\n1,Rom,no\n", rules)
    assert log.plays[0].leaders == ("Egypt", "Rome")
    assert log.read_as == {"Egipta": "Egypt"}  # Rom is a word for Rome


# --- CSV


def test_the_template_is_a_log_that_is_read(rules, tmp_path):
    (play,) = log_of(tmp_path / "a.csv", template(), rules).plays
    assert play.leaders == ("Rome", "Egypt", "Aztec")
    assert play.won == (0, 1, 0)
    assert play.order == (1, 2, 3)
    assert play.people == ("Anna", "Ben", "Cleo")
    assert (play.rounds, play.minutes, play.date) == (14, 135, "2026-11-20")
    assert play.cards == ("Civilized / Money Grubber", "Populous / Preservationist", "Explorer / Aesthetic")


def test_semicolons_other_names_of_columns_other_games_and_shared_wins(rules, tmp_path):
    text = "\ufeffPlay ID;color;Win;Name;Game Name\n" + "".join(
        f"{row}\n" for row in ("7;Rome;1;A;Civilization: A New Dawn", "7;Egypt;x;B;", "8;red;1;A;Chess", "8;blue;0;B;Chess")
    )
    log = log_of(tmp_path / "a.csv", text.replace("Play ID", "play_id"), rules)
    assert [play.won for play in log.plays] == [(0.5, 0.5)]
    assert log.left == {"of other games": 1}
    assert not log.faults


FAULTS = [
    ("1,Rmo,yes,1,,\n1,Egypt,no,2,,", "row 2: leader: unknown leader 'Rmo'", "did you mean 'Rome'?"),
    ("1,,yes,1,,\n1,Egypt,no,2,,", "row 2: leader: is empty", "expected the leader"),
    ("1,Rome,yes,1,,\n1,Rome,no,2,,", "row 3: leader: 'Rome' appears twice", "expected each leader once"),
    ("1,Rome,perhaps,1,,\n1,Egypt,no,2,,", "row 2: won: 'perhaps'", "expected yes or no"),
    ("1,Rome,no,1,,\n1,Egypt,no,2,,", "rows 2-3: won: no seat won", "expected one winner"),
    (",Rome,yes,1,,", "row 2: play: is empty", "expected number or name"),
    ("1,Rome,yes,1,,", "row 2: 1 seat", "expected 2 to 4"),
    ("1,Rome,yes,1,,\n1,Egypt,no,3,,", "rows 2-3: order: 1, 3", "expected each of 1 to 2 once"),
    ("1,Rome,yes,1,soon,\n1,Egypt,no,2,,", "rows 2-3: rounds: 'soon'", "expected a whole number"),
    ("1,Rome,yes,1,12,\n1,Egypt,no,2,13,", "rows 2-3: rounds: '12 and 13'", "expected a whole number"),
    ("1,Rome,yes,1,,Warlord\n1,Egypt,no,2,,", "rows 2-3: cards: unknown victory card 'Warlord'", "Warmonger"),
]


@pytest.mark.parametrize(("rows", "where", "expected"), FAULTS)
def test_a_fault_is_one_line_with_file_row_field_and_what_was_expected(rules, tmp_path, rows, where, expected):
    path = tmp_path / "a.csv"
    good = "9,Aztec,yes,,,\n9,Japan,no,,,\n"
    log = log_of(path, f"play,leader,won,order,rounds,cards\n{rows}\n{good}", rules)
    (line,) = map(str, log.faults)
    assert line.startswith(f"{path}: {where}")
    assert expected in line
    assert "\n" not in line
    assert ("Aztec", "Japan") in [play.leaders for play in log.plays]


def test_a_fault_beside_leaders_and_winner_costs_the_fact_and_not_the_play(rules, tmp_path):
    log = log_of(tmp_path / "a.csv", "play,leader,won,order,rounds\n1,Rome,yes,1,soon\n1,Egypt,no,3,soon\n", rules)
    assert [(play.order, play.rounds) for play in log.plays] == [(None, None)]
    assert len(log.faults) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"), (b"play,leeder,won\n", "column 'leader' is missing"), (b"play,leader,role,won\n", "appears twice"),
        (b'play,leader,won\n1,"Rome,yes\n', "not a row of a CSV file"),
        (b"\xff\xfe\x00", "not text"), (b"a\0b", "expected text: CSV, JSON or XML"), (b"{", "cannot be read as JSON"),
        (b"<plays", "cannot be read as valid XML"),
        (b"<games/>", "no plays in a known format"), (b"[1, 2]", "no plays in a known format"),
        (b'{"a": 1}', "no plays in a known format"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><plays>&a;</plays>', "document type"), (b"[" * 100_000, "cannot be read as JSON"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_log_gets_one_line(rules, tmp_path, content, said):
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises(UserError, match=said) as error:
        read_log([path], rules[BASE].data, BASE)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_said_with_the_nearest_that_is(rules, tmp_path):
    (tmp_path / "plays.csv").write_text("", "utf-8")
    with pytest.raises(UserError, match=r"playz\.csv: cannot be read: .*; did you mean 'plays\.csv'\?"):
        read_log([tmp_path / "playz.csv"], rules[BASE].data, BASE)


# --- BG Stats


def seat(who, role, winner=False, order=0, start=False):
    return {"playerRefId": who, "role": role, "winner": winner, "seatOrder": order, "startPlayer": start, "score": "3"}


def exported(**more):
    play = {
        "uuid": "a", "playDate": "2026-01-02 20:15:00", "durationMin": 120, "rounds": 0, "gameRefId": 1, "board": "",
        "playerScores": [seat(1, "Rome", True, 3), seat(2, "Egypt", False, 1), seat(3, "Aztec", False, 2, True)],
    } | more  # fmt: skip
    games = [
        {"id": 1, "name": "Civ", "bggName": "Civilization: A New Dawn"}, {"id": 2, "name": "Chess"},
        {"id": 3, "name": "Civilization: A New Dawn - Terra Incognita"},
    ]  # fmt: skip
    return {"games": games, "players": [{"id": k, "name": name} for k, name in enumerate("ABC", 1)], "plays": [play]}


def test_bg_stats_seat_order_is_turned_to_the_first_player(rules, tmp_path):
    (play,) = log_of(tmp_path / "a.json", exported(), rules).plays
    assert play.leaders == ("Rome", "Egypt", "Aztec")
    assert play.won == (1, 0, 0)
    assert play.order == (2, 3, 1)  # clockwise from the Aztec, who began
    assert play.people == ("A", "B", "C")
    assert (play.minutes, play.rounds, play.date, play.key) == (120, None, "2026-01-02", "a")


def test_bg_stats_without_a_first_player_knows_no_turn_order(rules, tmp_path):
    scores = [seat(1, "Rome", True, 1), seat(2, "Egypt", False, 2)]
    (play,) = log_of(tmp_path / "a.json", exported(playerScores=scores), rules).plays
    assert play.order is None


def test_bg_stats_other_games_other_boxes_ignored_and_doubled_plays_are_left_alone(rules, tmp_path):
    data = exported()
    (play,) = data["plays"]
    more = [{"gameRefId": 2}, {"expansionPlays": [{"gameRefId": 3}]}, {"ignored": True}, {}]
    data["plays"] += [play | one | ({"uuid": str(k)} if one else {}) for k, one in enumerate(more)]
    log = log_of(tmp_path / "a.json", data, rules)
    assert len(log.plays) == 1
    assert not log.faults
    assert sorted(log.left) == [
        "ignored in BG Stats", "in the files twice", "of other games", "of the other box (--box terra-incognita)"
    ]  # fmt: skip
    assert len(log_of(tmp_path / "a.json", data, rules, TI).plays) == 1


def test_bg_stats_faults_name_the_play_and_its_field(rules, tmp_path):
    path = tmp_path / "a.json"
    scores = [seat(1, "Rome", True), seat(2, "Nowhere")]
    log = log_of(path, exported(playerScores=scores, board="Populous; Foo"), rules)
    first, second = map(str, log.faults)
    assert first.startswith(f"{path}: play 1 (2026-01-02), player 2: role: unknown leader 'Nowhere'")
    assert second.startswith(f"{path}: play 1 (2026-01-02): board: unknown victory card 'Foo'")
    broken = exported()
    broken["plays"] += [17, {"gameRefId": 1}]
    assert len(log_of(path, broken, rules).plays) == 1


# --- BoardGameGeek

XML = """<?xml version="1.0" encoding="utf-8"?>
<plays username="a" total="3"><play id="5" date="2026-03-04" quantity="1" length="90" incomplete="0">
<item name="Civilization: A New Dawn" objectid="233247"/><players>
<player username="a" name="Ann" startposition="2" color="Japan" win="0"/>
<player username="" name="Bo" startposition="1" color="Sumer" win="1"/></players></play>
<play id="6" date="2026-03-05" incomplete="1"><item name="Civilization: A New Dawn"/></play>
<play id="7" date="2026-03-05" quantity="2"><item name="Civilization: A New Dawn"/></play>
<play id="8"><item name="Chess"/></play></plays>"""


def in_json(prefix):
    player = [{"username": "a", "name": "Ann", "startposition": "2", "color": "Japan", "win": "0"},
              {"username": "", "name": "Bo", "startposition": "1", "color": "Sumer", "win": "1"}]  # fmt: skip
    attributes = {"id": "5", "date": "2026-03-04", "quantity": "1", "length": "90", "incomplete": "0"}
    play = {f"{prefix}{key}": value for key, value in attributes.items()}
    play["item"] = {f"{prefix}name": "Civilization: A New Dawn"}
    play["players"] = {"player": [{f"{prefix}{key}": value for key, value in one.items()} for one in player]}
    return {"plays": {"play": [play]}}


@pytest.mark.parametrize("content", [XML, in_json(""), in_json("@"), in_json("-")])
def test_plays_of_board_game_geek(rules, tmp_path, content):
    log = log_of(tmp_path / "a", content, rules)
    (play,) = log.plays
    assert not log.faults
    assert play.leaders == ("Japan", "Sumeria")
    assert play.won == (0, 1)
    assert play.order == (2, 1)
    assert play.people == ("a", "Bo")
    assert (play.minutes, play.date, play.key) == (90, "2026-03-04", "5")
    if content is XML:
        assert log.left.total() == 3


def test_a_game_by_another_name(rules, tmp_path):
    text = XML.replace("Civilization: A New Dawn", "Unsere Runde").replace('objectid="233247"', "")
    assert not log_of(tmp_path / "a", text, rules).plays
    assert len(log_of(tmp_path / "a", text, rules, game="unsere runde").plays) == 1


def spoiled(value, rng, junk):
    """Return the value with one part of it, somewhere, replaced by junk."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        found = value.copy()
        key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        found[key] = spoiled(value[key], rng, junk)
        return found
    return rng.choice(junk)


@pytest.mark.parametrize("whole", [exported(), in_json("@"), in_json("")], ids=["BG Stats", "with @", "without"])
def test_whatever_stands_in_json_is_read_left_or_refused_in_a_line(rules, tmp_path, whole):
    junk = [None, 0, -1, 1.5, True, "", "Rome", "\n", [], {}, [None], {"a": []}, "9" * 400, [[1]], 10**30]
    rng = random.Random(1)
    kept = Log()
    for _ in range(150):
        data = spoiled(spoiled(whole, rng, junk), rng, junk)
        try:
            log = log_of(tmp_path / "a.json", data, rules)
        except UserError:
            continue
        assert all(str(fault).count("\n") == 0 for fault in log.faults)
        kept.plays += log.plays
    writing.write(tmp_path / "plays", kept, rules[BASE], [])
    assert kept.plays


# --- The folder


def test_the_folder_holds_what_is_known_and_is_written_anew(rules, tmp_path):
    rows = "1,Rome,yes,A,1,12,Civilized\n1,Egypt,no,B,2,12,\n2,Rome,no,A,,,\n2,Egypt,no,B,,,\n2,Aztec,yes,C,,,\n"
    header = "play,leader,won,player,order,rounds,cards\n"
    out = tmp_path / "plays"
    log = log_of(tmp_path / "a.csv", header + rows, rules)
    manifest = writing.write(out, log, rules[BASE], [])
    assert manifest["kind"] == "plays"
    assert [(part["players"], part["plays"]) for part in manifest["parts"]] == [(2, 1), (3, 1)]
    seats, games = pd.read_parquet(out / "seats"), pd.read_parquet(out / "games")
    assert list(seats["leader"]) == ["Rome", "Egypt", "Rome", "Egypt", "Aztec"]
    assert list(seats["won"]) == [1, 0, 0, 0, 1]
    assert list(seats["order"].fillna(0)) == [1, 2, 0, 0, 0]
    assert list(games["players"]) == [2, 3]
    assert list(games["rounds"].fillna(0)) == [12, 0]
    assert list(games["card_1"].fillna("")) == ["Civilized / Money Grubber", ""]
    one = log_of(tmp_path / "a.csv", header + rows.partition("2,Rome")[0], rules)
    writing.write(out, one, rules[BASE], [])
    assert len(pd.read_parquet(out / "games")) == 1
    assert [path.name for path in (out / "seats").iterdir()] == ["part-000000.parquet"]


def test_nothing_but_tables_is_removed_whatever_a_manifest_names(rules, tmp_path):
    log, out, theirs = log_of(tmp_path / "a.csv", template(), rules), tmp_path / "plays", tmp_path / "theirs.txt"
    theirs.write_text("mine")
    manifest = writing.write(out, log, rules[BASE], [])
    manifest["files"] |= {"../theirs.txt": "", str(theirs): ""}
    (out / "manifest.json").write_text(json.dumps(manifest))
    writing.write(out, log, rules[BASE], [])
    assert theirs.read_text() == "mine"


@pytest.mark.parametrize(
    "change", [{"parts": [{"name": 1}]}, {"parts": None}, {"schema_version": 9}, {"ruleset": None}, {"files": 3}]
)
def test_a_damaged_manifest_is_one_line(rules, tmp_path, change):
    out = tmp_path / "plays"
    manifest = writing.write(out, log_of(tmp_path / "a.csv", template(), rules), rules[BASE], [])
    (out / "manifest.json").write_text(json.dumps(manifest | change))
    with pytest.raises(UserError, match=r"manifest.json: (cannot be read as the manifest of plays|schema version)"):
        plays_folder.read_manifest(out)


def test_a_changed_table_is_noticed(rules, tmp_path):
    out = tmp_path / "plays"
    writing.write(out, log_of(tmp_path / "a.csv", template(), rules), rules[BASE], [])
    (out / "seats" / "part-000000.parquet").write_bytes(b"PAR1")
    with pytest.raises(UserError, match="has changed since it was written"):
        open_plays(out).table("seats")


def test_nothing_of_others_is_written_over(rules, tmp_path):
    log = log_of(tmp_path / "a.csv", template(), rules)
    for out in (tmp_path, tmp_path / "a.csv"):
        with pytest.raises(UserError, match=r"holds other files|is a file"):
            writing.write(out, log, rules[BASE], [])
    assert (tmp_path / "a.csv").read_text() == template()


def test_a_play_of_very_many_seats_takes_no_time(tmp_path, rules):
    began = time.process_time()
    log = log_of(tmp_path / "log.csv", "play,leader,won\n" + "1,Rome,yes\n" * 40_000, rules)
    assert time.process_time() - began < 10  # the square of their number would be half a minute
    assert "40,000 seats: expected 2 to 4" in str(log.faults[0])
