"""What the optional tables of a run hold: focus cards and rounds, by hand and in whole games; columns of users."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from table import card_codes, table_with

from newdawn.simulator.engine import decisions
from newdawn.simulator.engine.science import replace_card
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs import columns, optional_tables, run_folder
from newdawn.simulator.runs.run import Means, Silent, extend_games, play_range, resume_games, run_games, tables_of
from newdawn.simulator.runs.run_plan import Plan, own_column, plan_by
from newdawn.simulator.runs.verify import merge_runs, verify

RULESET = load_ruleset()
R = RULESET.compile()
BOTH = columns.OPTIONAL


def plan_of(games=60, tables=BOTH, **changes):
    settings = {"players": 3, "games": games, "seed": 5, "strategies": ["planner"]} | changes
    return replace(plan_by(R, **settings), tables=tables)


def test_a_hand_played_game_is_counted_as_it_was_played():
    """Rome's row from slot 1: science, economy, military, culture, industry. In round 1 it resolves Astrology from slot 1, so
    the dial goes to 1. In round 2 science lies in slot 1 again, and the dial stands at 2 by hand: one space on, level 2 pays,
    and Rome takes Mathematics in place of Astrology. In round 3 it resolves Mathematics from slot 1, one space further."""
    t = table_with((0, 0), (3, 0))
    g, w, tally = t.g, t.w, np.zeros(optional_tables.TALLY, np.int16)
    optional_tables.begin_cards(g, tally)
    code = card_codes()
    science = t.holder(0, "science")
    own = np.zeros((100, 0))
    rows = np.zeros(100, columns.ROUND_ROW).view(np.recarray)
    filled = 0
    for number, dial, script in (
        (1, 0, [(decisions.CARD, 0)]),
        (2, 2, [(decisions.CARD, 0), (decisions.UPGRADE, code["Mathematics"] * 8 + science)]),
        (3, 3, [(decisions.CARD, 0)]),
    ):
        g.round_number = number
        g.dial[0], g.dial_reached[0] = dial, max(dial, int(g.dial_reached[0]))
        t.script(*script)
        t.w.log_n = 0
        t.take_turn(0)
        optional_tables.read_log(w, tally, number)
        filled = optional_tables.read_round(t.r, g, w, rows, own, np.zeros(0, np.int64), filled, 9)
    seats = np.zeros(100, columns.FOCUS_CARD_ROW).view(np.recarray)
    used = optional_tables.read_cards(t.r, g, tally, seats, 0, 9)
    found = {(int(row.seat), int(row.code)): row for row in seats[:used]}
    astrology, mathematics = found[0, code["Astrology"]], found[0, code["Mathematics"]]
    assert (astrology.taken, astrology.replaced, astrology.resolved.tolist()) == (0, 2, [0, 2, 0, 0, 0, 0])
    assert (mathematics.taken, mathematics.replaced, mathematics.resolved.tolist()) == (2, 0, [0, 1, 0, 0, 0, 0])
    assert len(found) == 5 + 1 + 5  # the rows of both seats, and the card taken
    others = [row for key, row in found.items() if key not in ((0, code["Astrology"]), (0, code["Mathematics"]))]
    assert all((row.taken, row.replaced, row.resolved.sum()) == (0, 0, 0) for row in others)
    mine = rows[:filled][rows[:filled].seat == 0]
    assert mine["round"].tolist() == [1, 2, 3]
    assert mine.dial.tolist() == [1, 3, 4]
    assert mine.cities.tolist() == [1, 1, 1]
    assert mine.spaces.tolist() == [1, 1, 1]  # the capital's


def test_a_card_that_comes_back_keeps_its_first_round():
    t = table_with((0, 0), (3, 0))
    tally, code = np.zeros(optional_tables.TALLY, np.int16), card_codes()
    optional_tables.begin_cards(t.g, tally)
    h = t.holder(0, "culture")
    for number, name in ((3, "Drama and Poetry"), (5, "Civil Service"), (8, "Drama and Poetry")):
        t.w.log_n = 0
        replace_card(t.r, t.g, t.w, 0, h, code[name])
        optional_tables.read_log(t.w, tally, number)
    poetry, service = tally[0, code["Drama and Poetry"]], tally[0, code["Civil Service"]]
    assert (poetry[optional_tables.TAKEN], poetry[optional_tables.IN_ROW]) == (3, 1)
    assert (service[optional_tables.TAKEN], service[optional_tables.REPLACED], service[optional_tables.IN_ROW]) == (5, 8, 0)


def test_counting_moves_no_game():
    plan = plan_of(tables=())
    one, other = (play_range(replace(plan, tables=tables), R, 0, 40, Silent()) for tables in ((), BOTH))
    for name in ("games", "seats", "wonders", "agendas"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_chances_to_win_come_with_value_networks_and_move_no_game():
    plan = plan_of(games=6, players=2, strategies=["fast", "planner"])
    one, other = (play_range(replace(plan, tables=tables), R, 0, 6, Silent()) for tables in ((), BOTH))
    for name in ("games", "seats", "wonders", "agendas"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    found = {name: table.to_pandas() for name, table in tables_of(replace(plan, tables=BOTH), R, other).items()}
    rounds = found["rounds"].merge(found["seats"][["game_id", "seat", "strategy", "won"]], on=["game_id", "seat"])
    learned = rounds["strategy"] == "fast"
    assert rounds["chance"].notna().tolist() == learned.tolist()
    assert rounds["chance"].dropna().between(0, 1).all()
    late = rounds[learned & (rounds["round"] == rounds.groupby("game_id")["round"].transform("max"))]
    assert ((late["chance"] > 0.5) == (late["won"] == 1)).mean() > 0.5


@pytest.fixture(scope="module")
def played():
    plan = plan_of()
    rows = play_range(plan, R, 0, 60, Silent())
    return {name: table.to_pandas() for name, table in tables_of(plan, R, rows).items()}


def test_focus_cards_agree_with_the_seats(played):
    cards, seats = played["focus_cards"], played["seats"]
    facts = {card["name"]: card["type"] for card in RULESET.data["focus_cards"]["base"].values()}
    kind = cards["card"].astype(str).map(facts)
    for slot in columns.SLOTS:
        counted = cards[f"slot_{slot}"].groupby([cards["game_id"], cards["seat"], kind]).sum().unstack(fill_value=0)
        for word in columns.CARD_TYPES:
            assert counted[word].tolist() == seats[columns.card_column(word, slot)].tolist()
    last = cards[cards["replaced"].isna()]
    assert (last.groupby(["game_id", "seat"]).size() == 5).all()  # what lies in the row at the end
    rounds = played["games"].set_index("game_id")["rounds"]
    assert (cards["taken"].dropna() <= rounds[cards.loc[cards["taken"].notna(), "game_id"]].to_numpy()).all()
    assert set(cards.loc[cards["taken"].isna(), "card"]) == {"Early Empire", "Astrology", "Foreign Trade", "Pottery", "Masonry"}


def test_the_last_round_is_what_seats_have_at_the_end(played):
    rounds, seats, games = played["rounds"], played["seats"], played["games"].set_index("game_id")
    assert (rounds.groupby("game_id")["round"].max() == games["rounds"]).all()
    assert (rounds.groupby(["game_id", "round"]).size() == 3).all()
    last = rounds[rounds["round"].to_numpy() == games["rounds"][rounds["game_id"]].to_numpy()]
    won = seats.filter(like="attacks_won_").sum(axis=1) + seats["defences_won"]
    assert last["combats_won"].tolist() == won.tolist()
    claims = played["agendas"]
    number = (games["rounds"][claims["game_id"]].to_numpy() - 2).clip(1)
    early = claims[claims["round"].to_numpy() <= number].groupby(["game_id", "seat"]).size()
    there = rounds[rounds["round"].to_numpy() == (games["rounds"][rounds["game_id"]].to_numpy() - 2).clip(1)]
    counted = there.set_index(["game_id", "seat"])["agendas"]
    assert counted[counted > 0].sort_index().to_dict() == early.sort_index().to_dict()
    assert rounds["chance"].isna().all()  # a planner has no network


def test_both_tables_are_small(played):
    plan = plan_of(games=400)
    rows = play_range(plan, R, 0, 400, Silent())
    for name, most in (("focus_cards", 4), ("rounds", 40)):
        table = tables_of(plan, R, rows)[name]
        assert len(run_folder.parquet_bytes(table)) / len(table) < most


def test_a_run_with_them_is_continued_extended_merged_and_verified(tmp_path):
    one, other, both = tmp_path / "one", tmp_path / "other", tmp_path / "both"
    run_games(plan_of(games=150), RULESET, one, 1)
    whole = {path.name: path.read_bytes() for path in sorted((one / "rounds").iterdir())}
    (one / "rounds" / "part-000001.parquet").unlink()
    assert verify(one, 0).wrong
    assert resume_games(one, Means(jobs=1)) == 50
    assert {path.name: path.read_bytes() for path in sorted((one / "rounds").iterdir())} == whole
    (one / "focus_cards" / "part-000000.parquet").write_bytes(b"damaged")
    assert "focus_cards" in verify(one, 0).wrong[0]
    resume_games(one, Means(jobs=1))
    assert extend_games(one, 200, Means(jobs=1)) == 50
    run_games(plan_of(games=100, seed=6), RULESET, other, 1)
    merge_runs([one, other], both)
    report = verify(both, 4)
    assert (report.games, report.replayed, report.wrong) == (300, 4, [])
    assert pd.read_parquet(both / "rounds")["game_id"].nunique() == 300


def test_runs_with_other_tables_are_kept_apart(tmp_path):
    run_games(plan_of(games=100), RULESET, tmp_path / "one", 1)
    run_games(plan_of(games=100, seed=6, tables=()), RULESET, tmp_path / "plain", 1)
    assert not (tmp_path / "plain" / "rounds").exists()
    with pytest.raises(UserError, match="cannot be merged: its tables is"):
        merge_runs([tmp_path / "one", tmp_path / "plain"], tmp_path / "both")
    with pytest.raises(UserError, match="holds another run: its tables is"):
        run_games(plan_of(games=100, tables=()), RULESET, tmp_path / "one", 1)


def test_a_plan_without_them_is_written_as_before():
    plan = plan_of(tables=())
    assert not {"tables", "columns"} & plan.as_dict().keys()
    assert Plan.from_dict(plan_of().as_dict()) == plan_of()
    with pytest.raises(ValueError, match="tables: expected"):
        Plan.from_dict(plan.as_dict() | {"tables": ["seats"]})


# --- columns of users

HEAD = "from newdawn.strategies import column\n\n\n@column\ndef mine(r, g, w, seat):\n"


@pytest.fixture
def column(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def make(body, name):
        (tmp_path / f"{name}.py").write_text(HEAD + body, "utf-8")
        return own_column(f"{name}.py:mine")

    return make


def counted(own, games=6):
    plan = replace(plan_of(games=games, tables=("rounds",)), columns=(own,))
    return tables_of(plan, R, play_range(plan, R, 0, games, Silent()))["rounds"].to_pandas()


def test_a_column_of_a_user_is_what_its_function_says(column):
    found = counted(column("    return g.city_count[seat] + 0.5\n", "half_cities"))
    assert found["mine"].tolist() == (found["cities"] + 0.5).tolist()


def test_what_is_no_number_is_null(column, forked_guard):
    found = counted(column("    return 1.0 if g.round_number != 3 else float('nan')\n", "no_number"))
    assert found["mine"].isna().tolist() == (found["round"] == 3).tolist()


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("    g.dial[seat] = 1\n    return 2\n", "changes the game"),
        ("    g.notes[seat, 0] = 1\n    return 2\n", "changes the game"),
        ("    w.option[0] = 5\n    w.script_n = 7\n    return 2\n", "changes the workspace"),
        ("    return 1 // (g.round_number - 4)\n", "raises ZeroDivisionError"),
        ("    return g.cities[seat, 77 + g.dial[seat]]\n", "raises IndexError"),
    ],
)
def test_a_column_plays_its_first_games_under_guard(column, forked_guard, body, what):
    name = f"guarded_{sum(body.encode())}"
    with pytest.raises(UserError, match=f"column mine: game 0, seat .*{what}"):
        counted(column(body, name))


def test_a_wrong_column_is_said_in_a_line(column, tmp_path):
    (tmp_path / "own.py").write_text(HEAD.replace("mine", "cities") + "    return 1\n", "utf-8")
    with pytest.raises(UserError, match="is a column that rounds have anyway"):
        own_column("own.py:cities")
    with pytest.raises(UserError, match="there is no file 'nothing"):
        own_column("nothing.py:mine")
    with pytest.raises(UserError, match="names no function"):
        own_column("nothing.py")
    own = column("    return 1\n", "changed_later")
    (tmp_path / "changed_later.py").write_text(HEAD + "    return 2\n", "utf-8")
    with pytest.raises(UserError, match="has changed since it was named"):
        counted(own)
