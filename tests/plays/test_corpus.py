"""Forty shapes of logs: what each is read as, with which option, or what it is refused with. The table is in the docs, too.

Thirty shapes were collected; ten (`blind_`) were written from what programs, forms and sheets export, before the reader was.
"""

import os
import shlex
from pathlib import Path

import pytest

from newdawn.scripts.cli.plays import import_
from newdawn.simulator.errors import UserError
from newdawn.simulator.plays import asked
from newdawn.simulator.plays.log import read_log
from newdawn.simulator.rules import load_ruleset

CORPUS = Path(__file__).parent / "corpus"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "log-shapes.md"
READ, REFUSED = "read", "refused"
REST = 39  # but the one of another game

# File(s), its shape, the option that it needs, and what it is read as: a play a line, the winner with a star, a program in
# brackets; or the words with which it is refused.
SHAPES = [
    ("seats.csv", "a row a seat: play, date, player, leader, won", "",
     "2026-11-20 Ann Rome*, Ben Egypt | 2026-11-21 Ann Aztec, Ben Japan*"),
    ("place_only.csv", "a row a seat, the result as `place` 1, 2, 3", "--columns won=place:1",
     "Ann Rome*, Ben Egypt, Cleo Aztec | Ann Egypt, Ben Rome*, Cleo Japan"),
    ("rank_heading.csv", "a row a seat, `Game` with numbers, `Rank` 1st, 2nd", "",
     "Ann Rome*, Ben Egypt | Ann Egypt, Ben Rome*"),
    ("score_only.csv", "a row a seat, a score and no winner", "--columns won=score:highest",
     "Ann Rome*, Ben Egypt | Ann Japan, Ben Rome*"),
    ("winner_each_row.csv", "a row a seat, the winner's name in each", "", "Ann Rome, Ben Egypt* | Ann Japan*, Ben Rome"),
    ("pair_in_player.csv", "person and leader in one cell: Ann (Rome)", "", "Ann Rome*, Ben Egypt | Ann Japan, Ben Rome*"),
    ("dates_no_play.csv", "a row a seat, known by its date only", "--columns play=Date",
     "2026-11-20 Ann Rome*, Ben Egypt | 2026-11-21 Ann Japan, Ben Rome*"),
    ("unknown_heading.csv", "the leader under a heading of one's own", '--columns "leader=Nation played"',
     "Ann Rome*, Ben Egypt"),
    ("slashed_dates.csv", "dates like 03/04/2026", "--dates day-first", "2026-04-03 Ann Rome*, Ben Egypt"),
    ("unicode_text.txt", "Excel's 'Unicode text' (UTF-16, tabs)", "", "Jürgen Rome*, Zoé Egypt"),
    ("workbook.xlsx", "a workbook with dates, times, ticks", "",
     "2026-11-20 105 min Ann Rome*, Ben Egypt | 2026-11-27 120 min Ann Japan, Ben Rome*"),
    ("misspelt_leader.csv", "a leader that is not near enough to a name", "", "unknown leader 'Rmoe'"),
    ("pairs_in_list.csv", "a row a play, with a list of persons and their leaders", "",
     "2026-11-20 Ann Rome, Ben Egypt*, Cleo Aztec | 2026-11-21 Ann Japan, Cleo Scythia*"),
    ("banned_leader_column.csv", "a row a play with a column a person, and one of leaders that were banned",
     "--columns seat=Cleo,ignore=Banned",
     "2026-11-20 Ann Rome, Ben Egypt*, Cleo Aztec | 2026-11-21 Ann Rome*, Ben Egypt, Cleo Japan | "
     "2026-11-22 Ann Sumeria*, Ben Egypt, Cleo Japan"),
    ("gform_timestamp.csv", "a form: `Timestamp`, a column a person, one of whom never won", "--columns seat=Cleo",
     "2026-11-20 Ann Rome, Ben Egypt*, Cleo Aztec | 2026-11-27 Ann Japan*, Ben Scythia, Cleo France"),
    ("gform_notes.csv", "a form: `Notes`, `Location`, lengths as 1:45 and 2h", "--columns seat=Cleo",
     "2026-11-20 105 min Ann Rome, Ben Egypt*, Cleo Aztec | 2026-11-21 120 min Ann Rome*, Ben Egypt, Cleo Japan"),
    ("no_leaders.csv", "a column a person with points in it: nobody noted leaders", "", "unknown leader '3'"),
    ("team_2v2_noteamcol.csv", "two against two, without a column of teams", "--shared-wins teams",
     "teams: Ann Rome*, Ben Egypt*, Cleo Aztec, Dan Japan | teams: Ann Rome, Ben Egypt, Cleo Aztec*, Dan Japan* | "
     "teams: Ann Rome*, Ben Egypt*, Cleo Aztec, Dan Japan | teams: Ann Rome, Ben Egypt, Cleo Aztec*, Dan Japan*"),
    ("team_column.csv", "two against two, with a column of teams, beside an ordinary play", "",
     "Ann Rome*, Ben Egypt | teams: Ann Rome*, Ben Egypt*, Cleo Aztec, Dan Japan"),
    ("coop_two_all_win.csv", "plays that everybody won", "--shared-wins teams",
     " | ".join(["together: Ann Rome*, Ben Egypt*, Cleo Japan*"] * 4)),
    ("automa.csv", "the automated player at the table", "", "Ann Japan, Ben Rome* | Ann Rome*, [Automa] Egypt"),
    ("ai_or_person.csv", "a player called Ai", "--persons Ai", "Ann Rome*, Ai Egypt | Ann Japan, Ben Rome*"),
    ("bgstats_startposition.json", "BG Stats with starting positions, one player anonymous", "",
     "2024-01-01 90 min P1 Rome*, P2 Egypt, ? Japan"),
    ("bgstats_anonymous_twice.json", "BG Stats with the anonymous player twice at a table", "",
     "2024-01-01 90 min P1 Rome*, ? Egypt, ? Japan | 2024-01-01 90 min P1 Rome, ? Egypt*, ? Japan"),
    ("bgstats_board_fullwidth.json", "BG Stats with full-width slashes between victory cards", "",
     "2024-01-01 90 min P1 Rome*, P2 Egypt"),
    ("bgstats_german_title.json", "BG Stats, the game under its German title", "", "2024-01-01 90 min P1 Rome*, P2 Egypt"),
    ("bgstats_eclipse.json", "BG Stats with another game called New Dawn", "", "nothing: 1 play of other games"),
    ("bgg_two_pages.xml", "two pages of BoardGameGeek in one file", "",
     "2024-01-01 90 min P1 Rome*, P2 Egypt | 2024-01-02 90 min P1 Rome*, P2 Egypt"),
    ("nemestats.json", "NemeStats, the leader beside the name", "", "2026-11-20 Ann Rome*, Ben Egypt"),
    ("same_game_iso.csv + same_game_b.json", "one game in a table and in BoardGameGeek's JSON", "",
     "2026-11-20 Ann Rome*, Ben Egypt"),
    ("blind_bgstats_teams_and_bot.json", "BG Stats: a play of teams, one with a program, an ordinary one", "",
     "2026-11-20 110 min Ann Sumeria, Ben France*, Cleo Scythia | 2026-11-20 95 min Ann Rome*, [Automa] Egypt | "
     "teams: 2026-11-19 120 min Ann Rome*, Ben Egypt*, Cleo Aztec, Dan Japan"),
    ("blind_nemestats_notes.json", "NemeStats, the leaders in the notes, another game beside it", "",
     "2026-11-17 Ann Rome, Ben Egypt*, Cleo Aztec"),
    ("blind_nemestats_sheet.csv", "NemeStats' table of plays, which has no leaders", "", "column 'leader' is missing"),
    ("blind_scorepal.csv", "ScorePal: a row a seat, no number of the play, 2h 10m, 20 Nov 2026, 1st", "--columns play=Date",
     "2026-11-20 130 min Ann Rome*, Ben Egypt, Cleo Aztec | 2026-11-27 105 min Ann Japan, Ben Rome*"),
    ("blind_bga_list.csv", "Board Game Arena: lists of names, ranks and leaders in cells", "",
     "Ann Rome, Ben Egypt*, Cleo Aztec | Ann Japan*, Cleo Rome"),
    ("blind_bga_tables.json", "Board Game Arena's tables (JSON), which have no leaders", "", "do not say who had which leader"),
    ("blind_form_grid.csv", "a form with a grid: `Which leader did each play? [Ann]`", "",
     "2026-11-20 105 min Ann Rome, Ben Egypt* | 2026-11-27 130 min Ann Japan*, Ben Scythia, Cleo France"),
    ("blind_form_checkboxes.csv", "a form with lists: who played, and their leaders",
     '--columns "leader=Leaders in the same order"',
     "2026-11-20 Ann Rome, Ben Egypt*, Cleo Aztec | 2026-11-27 Ann Japan*, Cleo Scythia"),
    ("blind_sheet_blocks.csv", "a sheet with a title, game and date in the first row of each block only",
     "--columns play=Game:down", "2026-11-20 Ann Rome, Ben Egypt*, Cleo Aztec | 2026-11-27 Ann Japan*, Ben Rome"),
    ("blind_sheet_turned.csv", "a sheet with a column a play", "--columns turned",
     "2026-11-20 Ann Rome, Ben Egypt*, Cleo Aztec | 2026-11-27 Ann Japan*, Ben Scythia | "
     "2026-12-04 Ann Egypt, Ben Rome, Cleo France*"),
]  # fmt: skip


@pytest.fixture(scope="module")
def data():
    return load_ruleset().data


def answers_of(line):
    """Return the answers of a command line."""
    params = import_.make_context("import", ["x", *shlex.split(line)]).params
    return asked.Answers(
        asked.columns_of(params["columns"]), params["dates"] or "", params["shared_wins"] or "", params["programs"],
        params["persons"], params["sheet"],
    )  # fmt: skip


def in_words(play):
    seats = [
        f"{person or (f'[{program}]' if program else '?')} {leader}{'*' if won else ''}"
        for person, program, leader, won in zip(play.people, play.strategies, play.leaders, play.won, strict=True)
    ]
    facts = [f"{play.kind}:" if play.kind != "single" else "", play.date, f"{play.minutes} min" if play.minutes else ""]
    return " ".join([*filter(None, facts), ", ".join(seats)])


def paths_of(files):
    return [CORPUS / name for name in files.split(" + ")]


def outcome_of(files, line, data):
    """Return what the files are read as, or the words with which they are refused."""
    pytest.importorskip("openpyxl") if files.endswith(".xlsx") else None
    try:
        log = read_log(paths_of(files), data, "base", answers=answers_of(line))
    except UserError as error:
        return REFUSED, str(error)
    if log.questions or log.faults:
        return REFUSED, "\n".join(map(str, (*log.questions, *log.faults)))
    if not log.plays:
        return READ, f"nothing: {'; '.join(f'{n} play {why}' for why, n in log.left.items())}"
    return READ, " | ".join(sorted(map(in_words, log.plays)))


@pytest.mark.parametrize(("files", "_shape", "line", "expected"), SHAPES, ids=[shape[0] for shape in SHAPES])
def test_a_shape_is_read_right_or_refused_with_what_would_work(files, _shape, line, expected, data):
    how, said = outcome_of(files, line, data)
    if how == REFUSED:
        assert not line
        assert expected in said
    else:
        assert said == " | ".join(sorted(expected.split(" | ")))


@pytest.mark.parametrize(("files", "line"), [(shape[0], shape[2]) for shape in SHAPES if shape[2]])
def test_what_needs_an_option_is_refused_without_it_by_the_line_that_works(files, line, data):
    log = read_log(paths_of(files), data, "base")
    offered = asked.line_of(log.questions)
    options = " ".join(str(question) for question in log.questions)
    assert line == offered or line in options
    assert sum(word.startswith("--") for word in shlex.split(line)) == 1


def test_forty_shapes_thirty_and_more_of_them_are_read():
    assert len(SHAPES) == 40
    assert sum(shape[0].startswith("blind_") for shape in SHAPES) == 10
    assert sum(map(is_read, SHAPES)) >= 30
    used = {path for shape in SHAPES for path in paths_of(shape[0])}
    assert used == set(CORPUS.iterdir())


def is_read(shape):
    return "*" in shape[3]  # somebody won


def page():
    """Return the page of the docs: the table of the shapes with their outcomes."""
    rows = []
    for files, shape, line, expected in SHAPES:
        name = files.replace("blind_", "").replace(" + ", ", ")
        if is_read((files, shape, line, expected)):
            outcome = f"read with `{line}`" if line else "read"
        elif expected.startswith("nothing"):
            outcome = "left alone: another game (`--game` names one)"
        else:
            outcome = "refused: " + {
                "unknown": "the fault names row, cell and the nearest leader", "column": "no column has leaders: add one",
                "do": "write the leaders into `newdawn plays new FILE`",
            }[expected.split()[0]]  # fmt: skip
        rows.append(f"| {shape} | `{name}` | {outcome} |")
    read = sum(map(is_read, SHAPES))
    alone = sum(is_read(shape) and not shape[2] for shape in SHAPES)
    return "\n".join([
        "# Forty shapes of logs", "",
        "People keep their plays in these shapes. The table says what",
        "[`newdawn plays import`](../how-to/real-plays.md) does with each.",
        f"Of forty, {read} are read right: {alone} as they are, {read - alone} with one option, which the refusal names.",
        f"One is of another game and is left alone. The other {REST - read} do not say who had which leader, and are refused.",
        "Each is a file in `tests/plays/corpus`, with a test.",
        "The last ten were written from what programs, forms and sheets export, before the reader was.", "",
        "| shape | file | outcome |", "|---|---|---|", *rows, "",
    ])  # fmt: skip


def test_the_table_in_the_docs_is_what_is_tried_here():
    if os.environ.get("NEWDAWN_WRITE_README"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text("utf-8") == page()
