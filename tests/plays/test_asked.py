"""Nothing is guessed: what is asked, how it is answered, and one key for a game over all files."""

import json
from datetime import date

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from newdawn.analysis.tables.play_kinds import kinds_of, kinds_table
from newdawn.analysis.tables.read import open_plays
from newdawn.scripts.cli import plays as command
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.plays import asked, writing
from newdawn.simulator.plays.asked import Answers, columns_of, line_of
from newdawn.simulator.plays.log import read_log
from newdawn.simulator.plays.values import date_orders, dates_of, list_of, minutes_of, pair_of, rank_of
from newdawn.simulator.rules import load_ruleset

BANNED = "Date,Ann,Ben,Cleo,Winner,Banned\n2026-11-20,Rome,Egypt,Aztec,Ben,Scythia\n2026-11-21,Rome,Egypt,Japan,Ann,Scythia\n"
TEAMS = "play,player,leader,won\n1,Ann,Rome,yes\n1,Ben,Egypt,yes\n1,Cleo,Aztec,no\n1,Dan,Japan,no\n"
SINGLE = "2,Ann,Rome,yes\n2,Ben,Egypt,no\n"


@pytest.fixture(scope="module")
def rules():
    return load_ruleset()


@pytest.fixture
def log_of(tmp_path, rules):
    def log_of(*texts, answers="", **more):
        paths = []
        for k, text in enumerate(texts):
            paths.append(tmp_path / f"{'abc'[k]}.{'json' if text.startswith('{') else 'csv'}")
            paths[-1].write_text(text, encoding="utf-8")
        return read_log(paths, rules.data, "base", answers=Answers(columns_of([answers]), **more.pop("given", {})), **more)

    return log_of


def call(*words, **more):
    return CliRunner().invoke(main, [str(word) for word in words], **more)


# --- Values


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("105", 105), ("105 min", 105), ("1:45", 105), ("1:45:30", 105), ("2h", 120), ("2 h 10 m", 130), ("1h45", 105),
        ("1.5 hours", 90), ("1,5 Std.", 90), ("2 Stunden", 120), ("90:00", None), ("soon", None), ("", None), ("1:75", None),
    ],
)  # fmt: skip
def test_lengths(text, minutes):
    assert minutes_of(text) == minutes


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2026-11-20", {"2026-11-20"}), ("2026/11/20 10:14:02 PM", {"2026-11-20"}), ("20.11.26", {"2026-11-20"}),
        ("20/11/2026", {"2026-11-20"}), ("11/20/2026 21:14", {"2026-11-20"}), ("03/04/2026", {"2026-04-03", "2026-03-04"}),
        ("03.04.2026", {"2026-04-03"}), ("Fri, 20 Nov 2026", {"2026-11-20"}), ("November 20th, 2026", {"2026-11-20"}),
        ("20. März 2026", {"2026-03-20"}), ("5 juillet 2026", {"2026-07-05"}), ("1795215600", {"2026-11-20"}),
        ("31/02/2026", set()), ("soon", set()), ("2026", set()), ("20/11/202", set()),
    ],
)  # fmt: skip
def test_days(text, days):
    assert set(dates_of(text).values()) == days


@given(st.dates(min_value=date(2000, 1, 1), max_value=date(2099, 12, 31)))
def test_every_day_is_read_as_itself_in_the_order_that_it_was_written_in(day):
    assert dates_of(f"{day:%d/%m/%Y}")[names.DAY_FIRST] == dates_of(f"{day:%m/%d/%Y}")[names.MONTH_FIRST] == day.isoformat()
    assert set(dates_of(day.isoformat()).values()) == {day.isoformat()}
    assert names.DAY_FIRST in date_orders([f"{day:%d/%m/%Y}"])


def test_one_date_tells_the_order_of_all():
    assert date_orders(["03/04/2026", "20/04/2026"]) == {names.DAY_FIRST}
    assert date_orders(["20/04/2026", "04/20/2026"]) == set()


@given(st.text(max_size=30))
def test_no_text_breaks_a_reading(text):
    for function in (dates_of, minutes_of, rank_of, list_of, lambda one: pair_of(one, str.istitle)):
        function(text)


def test_ranks_pairs_and_lists():
    assert [rank_of(text) for text in ("1", "1st", "#2", "2.", "3ème", "first", "1er", "11", "winner", "")] == [
        1, 1, 2, 2, None, 1, 1, 11, None, None,
    ]  # fmt: skip
    is_leader = {"Rome", "Egypt"}.__contains__
    for text in ("Ann (Rome)", "Rome: Ann", "Ann - Rome", "Ann [Rome]", "Ann as Rome"):
        assert pair_of(text, is_leader) == ("Ann", "Rome")
    assert pair_of("Rome (Egypt)", is_leader) is pair_of("Ann (Greece)", is_leader) is pair_of("Ann-Rome", is_leader) is None
    assert list_of("Ann, Ben") == list_of("Ann & Ben") == list_of("Ann\nBen") == ["Ann", "Ben"]


# --- Columns


def test_a_column_of_leaders_that_no_winner_names_is_asked_about_and_read_as_answered(log_of):
    log = log_of(BANNED)
    assert line_of(log.questions) == "--columns seat=Cleo,ignore=Banned"
    assert log.plays == []
    assert [play.leaders for play in log_of(BANNED, answers="seat=Cleo,ignore=Banned").plays] == [
        ("Rome", "Egypt", "Aztec"), ("Rome", "Egypt", "Japan"),
    ]  # fmt: skip
    assert [len(play.leaders) for play in log_of(BANNED, answers="ignore=Cleo,ignore=Banned").plays] == [2, 2]


def test_a_person_whose_leaders_are_not_known_is_asked_about_and_not_dropped(log_of):
    text = "Date,Ann,Ben,Cleo,Winner\n2026-11-20,Rome,Egypt,Huns,Ben\n2026-11-21,Rome,Egypt,Goths,Ann\n"
    assert line_of(log_of(text).questions) == "--columns ignore=Cleo"
    assert "unknown leader 'Huns'" in str(log_of(text, answers="seat=Cleo").faults[0])


def test_the_example_of_the_manual(log_of):
    text = "game id,Player,leader,rank,Banned\n1,Ann,Rome,2,Egypt\n1,Ben,Japan,1,Egypt\n"
    (play,) = log_of(text, answers="won=rank:1,person=Player,ignore=Banned").plays
    assert (play.people, play.won) == (("Ann", "Ben"), (0, 1))


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ("won", "expected what a column is and its heading"), ("won=", "expected what a column is"),
        ("winer=Won", "did you mean"), ("leader=Leeder", "no column 'Leeder'; expected one of play, player, leader, won"),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused_with_the_nearest_that_is(log_of, answers, said):
    with pytest.raises(UserError, match=said):
        log_of(TEAMS, answers=answers)


def test_a_heading_with_a_comma_or_a_colon(log_of):
    text = 'play,"Who, then?",leader,Result: end\n1,Ann,Rome,1\n1,Ben,Egypt,2\n'
    (play,) = log_of(text, answers='"person=Who, then?",won=Result: end:1').plays
    assert (play.people, play.won) == (("Ann", "Ben"), (1, 0))


# --- Dates, wins of several, programs


def test_dates_that_contradict_each_other_are_asked_about_and_the_impossible_is_a_fault(log_of):
    days = ("20/04/2026", "04/20/2026", "03/04/2026")
    text = "play,date,leader,won\n" + "".join(f"{k},{day},Rome,yes\n{k},,Egypt,no\n" for k, day in enumerate(days))
    (question,) = log_of(text).questions
    assert question.option == "--dates"
    log = log_of(text, given={"dates": names.DAY_FIRST})
    assert [play.date for play in log.plays] == ["2026-04-20", "2026-04-20", "2026-04-03"]
    assert log.notes[0].endswith("dates are read day-first: '03/04/2026' as 2026-04-03")


@pytest.mark.parametrize(("shared", "kinds", "won"), [("ties", ["single"], 0.5), ("teams", ["teams"], 0.5), ("leave", [], 0)])
def test_a_win_of_two_among_four_is_what_is_said(log_of, shared, kinds, won):
    (question,) = log_of(TEAMS).questions
    assert "2 of 4 won" in question.about
    log = log_of(TEAMS, given={"shared": shared})
    assert [play.kind for play in log.plays] == kinds
    assert all(play.won[0] == won for play in log.plays)
    assert bool(log.left) == (shared == "leave")


def test_two_winners_among_three_are_a_tie(log_of):
    log = log_of(TEAMS.replace("1,Dan,Japan,no\n", ""))
    assert (log.questions, log.plays[0].won, log.plays[0].kind) == ([], (0.5, 0.5, 0), "single")


def test_a_team_has_one_result_and_everybody_one_team(log_of):
    header = "play,player,leader,team,won\n"
    split = log_of(header + "1,Ann,Rome,N,yes\n1,Ben,Egypt,N,no\n1,Cleo,Aztec,S,no\n1,Dan,Japan,S,no\n")
    assert "'N': some of it won" in str(split.faults[0])
    assert log_of(header + "1,Ann,Rome,N,yes\n1,Ben,Egypt,S,no\n").plays[0].kind == "single"  # a team of one is none


def test_a_program_is_known_by_its_name_or_said_to_be_one(log_of):
    text = "play,player,leader,won\n1,Ann,Rome,yes\n1,Easy Bot,Egypt,no\n2,Ann,Rome,yes\n2,Ai,Egypt,no\n"
    (question,) = log_of(text).questions
    assert [option for option, _, _ in question.ways] == ["--programs", "--persons"]
    log = log_of(text, given={"programs": ("Ai",), "persons": ("Easy Bot",)})
    assert [(play.people, play.strategies) for play in log.plays] == [
        (("Ann", "Easy Bot"), ("", "")), (("Ann", ""), ("", "Ai")),
    ]  # fmt: skip


# --- One game in several files

ONE = "date,play,player,leader,won\n2026-11-20,1,Ann,Rome,yes\n2026-11-20,1,Ben,Egypt,no\n"
BGG = {"id": "1", "date": "2026-11-20", "item": {"name": "Civilization: A New Dawn"},
       "players": [{"name": "ben", "color": "Egypt", "win": "0"}, {"name": "Ann", "color": "Roma", "win": "1"}]}  # fmt: skip


def test_a_game_in_two_formats_counts_once_unless_both_are_to_be_kept(log_of):
    log = log_of(ONE, json.dumps({"plays": [BGG]}))
    assert (len(log.plays), len(log.same), log.left["in the files twice"]) == (1, 1, 1)
    assert len(log_of(ONE, json.dumps({"plays": [BGG]}), keep_both=True).plays) == 2


def test_equal_games_in_one_file_are_two_and_under_two_names_no_more(log_of):
    twice = ONE + ONE.partition("\n")[2].replace(",1,", ",2,")
    assert len(log_of(twice).plays) == 2
    assert len(log_of(twice, twice).plays) == 2
    assert len(log_of(ONE, twice).plays) == 2
    undated = "\n".join(line.partition(",")[2] for line in twice.splitlines())
    assert len(log_of(undated, undated).plays) == 2


@pytest.mark.parametrize(
    "other", [{"date": "2026-11-21"}, {"players": [BGG["players"][0] | {"win": "1"}, BGG["players"][1] | {"win": "0"}]}]
)
def test_another_day_or_result_is_another_game(log_of, other):
    assert len(log_of(ONE, json.dumps({"plays": [BGG | other]})).plays) == 2


def test_a_game_whose_people_are_named_otherwise_is_kept_and_told(log_of):
    log = log_of(ONE, json.dumps({"plays": [BGG]}).replace('"Ann"', '"ann82"'))
    assert len(log.plays) == 2
    assert "may be in an earlier file, too" in log.notes[-1]


# --- The command


def test_import_asks_on_a_terminal_and_remembers_the_answers(tmp_path, monkeypatch):
    file, out = tmp_path / "log.csv", tmp_path / "plays"
    file.write_text(BANNED)
    refused = call("plays", "import", file, "--out", out)
    assert refused.exit_code == 2
    assert "expected an answer, such as --columns seat=Cleo,ignore=Banned" in refused.output
    assert not out.exists()
    monkeypatch.setattr(command, "_on_a_terminal", lambda: True)
    no = call("plays", "import", file, "--out", out, input="1\n1\nn\n")
    assert no.exit_code == 2
    assert not out.exists()
    yes = call("plays", "import", file, "--out", out, input="1\n1\ny\n")
    assert yes.exit_code == 0, yes.output
    assert "Banned  not read" in yes.output
    assert "Persons and their plays: Ann 2, Ben 2, Cleo 2." in yes.output
    monkeypatch.undo()
    again = call("plays", "import", file, "--out", out)
    assert again.exit_code == 0, again.output
    assert "as answered at an import before" in again.output
    assert asked.read(out).columns == [("ignore", "Banned"), ("seat", "Cleo")]
    other = call("plays", "import", file, "--out", out, "--columns", "ignore=Cleo")
    assert "2 plays (2 of 2 players)" in other.output
    (out / asked.FILE).write_text("{}")
    damaged = call("plays", "import", file, "--out", out)
    assert damaged.exit_code == 2
    assert "answers.json" in damaged.output


def test_show_keeps_nothing_and_the_manifest_keeps_the_reading(tmp_path):
    file, out = tmp_path / "log.csv", tmp_path / "plays"
    file.write_text(ONE)
    shown = call("plays", "import", file, "--out", out, "--show")
    assert shown.exit_code == 0
    assert "leader  leader" in shown.output
    assert not out.exists()
    found = json.loads(call("plays", "import", file, "--out", out, "--json").stdout)
    assert found["reading"][0]["columns"][2] == ["player", "person"]


def test_plays_of_teams_and_with_programs_are_counted_apart(tmp_path, rules, log_of):
    automa = "3,Ann,Rome,yes\n3,Automa,Egypt,no\n"
    log = log_of(TEAMS + SINGLE + automa, given={"shared": "teams"})
    out = tmp_path / "plays"
    writing.write(out, log, rules, [])
    plays = open_plays(out)
    assert kinds_of(plays) == {"single": 1, "teams": 1, "together": 0, "programs": 1}
    assert len(plays.table("seats", people=True)) == 2
    frame = kinds_table(plays).set_index(["kind", "leader"])
    assert frame.loc[("teams", "Egypt"), ["wins", "fair_share"]].tolist() == [1, 0.5]
    assert frame.loc[("programs", "Rome"), ["n", "fair_share"]].tolist() == [1, 0.5]
    assert ("programs", "Egypt") not in frame.index  # the program had it
    told = call("plays", "kinds", out)
    assert told.exit_code == 0
    assert "1 play: teams played." in told.output
    assert json.loads(call("plays", "kinds", out, "--json").output)["plays"]["teams"] == 1


# --- Workbooks


def test_a_workbook_of_several_sheets_asks_for_one_and_what_is_no_workbook_says_what_to_save(tmp_path, rules):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in ONE.splitlines():
        book.active.append(row.split(","))
    book.active.title = "Plays"
    book.create_sheet("Ideas").append(["a", "b"])
    book.save(tmp_path / "a.xlsx")
    (question,) = read_log([tmp_path / "a.xlsx"], rules.data, "base").questions
    assert [value for value, _ in question.choices] == ["Plays", "Ideas"]
    assert len(read_log([tmp_path / "a.xlsx"], rules.data, "base", answers=Answers(sheet="plays")).plays) == 1
    with pytest.raises(UserError, match="no sheet 'x'"):
        read_log([tmp_path / "a.xlsx"], rules.data, "base", answers=Answers(sheet="x"))
    for content, said in ((b"PK\x03\x04junk", "cannot be read as a workbook"), (b"\xd0\xcf\x11\xe0", "old kind")):
        (tmp_path / "b.xlsx").write_bytes(content)
        with pytest.raises(UserError, match=said):
            read_log([tmp_path / "b.xlsx"], rules.data, "base")
