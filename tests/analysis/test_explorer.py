"""The explorer's answers: under any filter they are those of `newdawn.analysis` for the same games and seats."""

import json
from contextlib import suppress
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newdawn import analysis
from newdawn.analysis.explorer import filters, views
from newdawn.analysis.explorer.filters import NAMES, Filter, Loaded, contrast, read_filter, select
from newdawn.analysis.explorer.server import ExplorerRuns
from newdawn.analysis.explorer.views import DEEDS, effects_of
from newdawn.analysis.pages.report_parts import Source
from newdawn.analysis.stats.inference import rate_difference
from newdawn.analysis.stats.verdicts import STRENGTH, read
from newdawn.analysis.tables.decoded_games import CARDS, WHOLE, CodeNames
from newdawn.analysis.tables.expansion import associations
from newdawn.analysis.tables.read import Sample
from newdawn.analysis.tables.win_rates import wonders
from newdawn.scripts.bench.explorer import CARDS as VICTORY_CARDS
from newdawn.scripts.bench.explorer import STRATEGIES, bytes_of, write_run
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError

GAMES, SHARD = 900, 400
VIEWS = ("leaders", "wonders", "victory", "length", "leader/Rome", "wonder/Petra", "card/Populous%20%2F%20Preservationist")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return analysis.open_run(write_run(tmp_path_factory.mktemp("explorer") / "run", GAMES, SHARD))


@pytest.fixture(scope="module")
def desk(run):
    return ExplorerRuns([run])


@pytest.fixture(scope="module")
def tables(run):
    return {name: run.read(name) for name in ("games", "seats", "wonders", "agendas")}


class Kept:
    """The tables that plain pandas leaves under a filter, with the interface of a run."""

    players, planned_games, manifest = 4, GAMES, {}

    def __init__(self, tables):
        self.tables = tables

    def pieces(self, wanted):
        yield {name: self.tables[name][list(columns)].reset_index(drop=True) for name, columns in wanted.items()}


def plainly(tables, wanted):
    """Apply the filter with pandas: games and seats that it chooses, and what these built and claimed."""
    games, seats, wonders, agendas = (tables[name] for name in ("games", "seats", "wonders", "agendas"))
    ids = set(games["game_id"])
    for name in wanted.table:
        ids &= set(seats.loc[seats["leader"] == name, "game_id"])
    for name in wanted.card:
        ids &= set(games.loc[(games[CARDS].astype(object) == name).any(axis=1), "game_id"])
    for name in wanted.deck:
        ids &= set(wonders.loc[(wonders["wonder"] == name) & wonders["in_deck"], "game_id"])
    if wanted.players:
        ids = ids if "4" in wanted.players else set()
    if wanted.winner:
        won = set(seats.loc[seats["leader"].isin(wanted.winner) & (seats["won"] > 0), "game_id"])
        ids &= won | (set(games.loc[games["ending"] != "victory", "game_id"]) if "nobody" in wanted.winner else set())
    for text in wanted.rounds:
        first, last = (int(end) for end in (text.split("-") * 2)[:2])
        ids &= set(games.loc[games["rounds"].between(first, last), "game_id"])
    keep = seats["game_id"].isin(ids)
    for name in ("leader", "strategy"):
        if getattr(wanted, name):
            keep &= seats[name].isin(getattr(wanted, name))
    if wanted.seat:  # people count from 1
        keep &= (seats["seat"] + 1).isin([int(value) for value in wanted.seat])
    for name in ("order",):
        if getattr(wanted, name):
            keep &= seats[name].isin([int(value) for value in getattr(wanted, name)])
    if wanted.won:
        keep &= seats["won"] > 0
    place = pd.MultiIndex.from_frame(seats[["game_id", "seat"]])
    for name in wanted.built:
        mine = wonders[(wonders["wonder"] == name) & wonders["builder"].notna()].astype({"builder": int})
        keep &= place.isin(pd.MultiIndex.from_frame(mine[["game_id", "builder"]]))
    for name in wanted.claimed:
        keep &= place.isin(pd.MultiIndex.from_frame(agendas.loc[agendas["agenda"] == name, ["game_id", "seat"]]))
    seats = seats[keep]
    ids, place = set(seats["game_id"]), pd.MultiIndex.from_frame(seats[["game_id", "seat"]])
    wonders = wonders[wonders["game_id"].isin(ids)].copy()
    others = ~pd.MultiIndex.from_arrays([wonders["game_id"], wonders["builder"].fillna(-1).astype(int)]).isin(place)
    wonders.loc[others, ["round_built", "builder"]] = np.nan
    agendas = agendas[pd.MultiIndex.from_frame(agendas[["game_id", "seat"]]).isin(place)]
    return Kept({"games": games[games["game_id"].isin(ids)], "seats": seats, "wonders": wonders, "agendas": agendas})


def some(words, most=2):
    return st.lists(st.sampled_from(list(words)), max_size=most, unique=True).map(tuple)


FILTERS = st.builds(
    Filter,
    table=some(names.LEADERS),
    card=some(VICTORY_CARDS),
    deck=some(names.WONDERS[:3]),
    players=some(["4", "3"], 1),
    winner=some([*names.LEADERS, "nobody"], 3),
    rounds=some(["17", "14-18"], 1),
    leader=some(names.LEADERS, 3),
    seat=some("1234"),
    order=some("1234"),
    strategy=some(STRATEGIES),
    won=some(["yes"]),
    built=some(names.WONDERS[:4], 1),
    claimed=some(names.AGENDAS, 1),
)


def same(mine, theirs):
    pd.testing.assert_frame_equal(mine, theirs, check_dtype=False, rtol=1e-9)


def sample_of(desk, wanted):
    return Sample(desk.words, [select(desk.loaded[0].games, wanted, desk.words)])


def plain_sums(kept):
    """Count with pandas alone, by name: seats and wins of leaders, wonders in decks and built, claims and claimants' wins."""
    seats, wonders, agendas = (kept.tables[name] for name in ("seats", "wonders", "agendas"))
    won = seats.set_index(["game_id", "seat"])["won"]
    built = wonders[wonders["round_built"].notna()].astype({"wonder": str, "builder": int})
    built = built.assign(won=won.reindex(pd.MultiIndex.from_frame(built[["game_id", "builder"]])).to_numpy())
    claims = agendas.astype({"agenda": str})
    claims = claims.assign(won=won.reindex(pd.MultiIndex.from_frame(claims[["game_id", "seat"]])).to_numpy())
    decks = wonders.loc[wonders["in_deck"], "wonder"].astype(str).value_counts()
    return seats.astype({"leader": str}).groupby("leader")["won"].agg(["size", "sum"]), decks, [
        frame.groupby(key).agg(n=("won", "size"), wins=("won", "sum"), median=(when, "median"))
        for frame, key, when in ((built, "wonder", "round_built"), (claims, "agenda", "round"))
    ]  # fmt: skip


def counted_right(kept):
    """Hold the tables of `analysis` to what pandas counts."""
    leaders, decks, happened = plain_sums(kept)
    found = analysis.leaders(kept).set_index("leader").sort_index()
    assert found["n"].tolist() == leaders["size"].tolist()
    assert found["wins"].to_numpy() == pytest.approx(leaders["sum"].to_numpy())
    wonders, victory = analysis.wonders(kept).set_index("wonder"), analysis.victory(kept).set_index("agenda")
    assert wonders["n"][wonders["n"] > 0].to_dict() == decks.to_dict()
    for frame, plain, number, rate in zip(
        (wonders, victory), happened, ("built", "claims"), ("builder_win_rate", "claimant_win_rate"), strict=True
    ):
        frame = frame[frame[number] > 0].loc[plain.index]
        assert frame[number].tolist() == plain["n"].tolist()
        assert (frame[rate] * frame[number]).to_numpy() == pytest.approx(plain["wins"].to_numpy())
        assert frame["median_round"].tolist() == plain["median"].tolist()


def agree(desk, tables, wanted):
    """Compare all tables; return how many games the filter leaves."""
    sample = sample_of(desk, wanted)
    chosen, kept = sample.selections[0], plainly(tables, wanted)
    assert chosen.games.game_id[chosen.chosen].tolist() == kept.tables["games"]["game_id"].tolist()
    assert int(chosen.counting.sum()) == len(kept.tables["seats"])
    if len(kept.tables["games"]):
        counted_right(kept)
        for by in (None, "seat", "order", "players", "strategy"):
            same(analysis.leaders(sample, by), analysis.leaders(kept, by))
        same(analysis.wonders(sample), analysis.wonders(kept))
        same(analysis.victory(sample), analysis.victory(kept))
        facts, length = views.overview(sample), analysis.length(kept).iloc[0]
        assert facts["unfinished_rate_high"] == pytest.approx(length["unfinished_rate_high"])
        assert facts["rounds_mean_low"] == pytest.approx(length["mean_low"], nan_ok=True)
        if (kept.tables["seats"]["won"] > 0).any():
            same(analysis.winning_times(sample), analysis.winning_times(kept))
    return len(kept.tables["games"])


def test_without_a_filter_the_answers_are_those_of_the_run(desk, tables, run):
    assert agree(desk, tables, Filter()) == GAMES
    sample = sample_of(desk, Filter())
    same(analysis.leaders(sample), analysis.leaders(run))
    builders = analysis.wonder_builders(run)
    mine = analysis.wonder_builders(sample, "Petra").reset_index(drop=True)
    same(mine, builders[builders["wonder"] == "Petra"].reset_index(drop=True))
    users = analysis.agenda_users(run).set_index(["agenda", "leader"])
    for card in VICTORY_CARDS:
        for row in views.claimants_of(sample, card).itertuples():
            theirs = users.loc[(row.agenda, row.leader)]
            assert (row.n, row.claims, row.claim_rate_low) == (theirs["n"], theirs["claims"], theirs["claim_rate_low"])


@pytest.mark.parametrize("wanted", [
    Filter(table=("Rome",)), Filter(leader=("Rome",), seat=("1",)), Filter(winner=("nobody",)), Filter(strategy=("planner",)),
    Filter(card=(VICTORY_CARDS[0],), won=("yes",)), Filter(built=("Petra",)), Filter(claimed=("Warmonger",), rounds=("10-16",)),
    Filter(deck=("Petra",), order=("1", "2")),
])  # fmt: skip
def test_under_each_condition_the_answers_are_those_of_plain_pandas(desk, tables, wanted):
    assert 0 < agree(desk, tables, wanted) < GAMES


@pytest.mark.soak
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wanted=FILTERS)
def test_under_any_conditions_the_answers_are_those_of_plain_pandas(desk, tables, wanted):
    agree(desk, tables, wanted)


def test_opponents_and_cards_are_counted_seat_by_seat(desk, tables):
    sample = sample_of(desk, Filter(leader=("Rome",)))
    seats, games = tables["seats"], tables["games"]
    rome = seats[seats["leader"] == "Rome"]
    opponents = views.opponents_of(sample).set_index("opponent")
    with_egypt = rome[rome["game_id"].isin(seats.loc[seats["leader"] == "Egypt", "game_id"])]
    assert (opponents.loc["Egypt", "n"], opponents.loc["Egypt", "wins"]) == (len(with_egypt), with_egypt["won"].sum())
    assert "Rome" not in opponents.index
    card = VICTORY_CARDS[1]
    there = rome["game_id"].isin(games.loc[(games[CARDS].astype(object) == card).any(axis=1), "game_id"])
    known = (there.sum(), rome["won"][there].sum(), rome["won"][~there].mean())
    by_card = views.by_card(sample).set_index("card").loc[card]
    by_leader = views.leaders_with_card(sample, card).set_index("leader").loc["Rome"]
    for row in (by_card, by_leader):
        assert (row["n"], row["wins"], row["others_rate"]) == pytest.approx(known)
    ends = views.holdings(sample).set_index("what").loc["cities"]
    assert (ends["n"], ends["mean"]) == (len(rome), pytest.approx(rome["cities"].mean()))


def test_an_opponent_is_compared_with_the_games_without_it(desk, tables):
    rome = tables["seats"].query("leader == 'Rome'")
    egypt = rome["game_id"].isin(tables["seats"].loc[tables["seats"]["leader"] == "Egypt", "game_id"])
    row = views.opponents_of(sample_of(desk, Filter(leader=("Rome",)))).set_index("opponent").loc["Egypt"]
    with_it, without = rome["won"][egypt].mean(), rome["won"][~egypt].mean()
    assert (row["win_rate"], row["others_rate"]) == pytest.approx((with_it, without))
    assert row["points"] == pytest.approx(100 * (with_it - without))
    section = next(each for each in desk.answer("leader/Rome", "")["sections"] if each["name"] == "opponents")
    place = [column["name"] for column in section["columns"]].index("win_rate")
    for one in section["rows"]:
        cells = dict(zip([column["name"] for column in section["columns"]], one["cells"], strict=True))
        assert cells["win_rate"]["shade"] == pytest.approx(np.clip(cells["points"]["value"] / 20, -1, 1))
        assert one["cells"][place]["clear"] == (cells["p_adjusted"]["value"] <= 0.05)


# ---------------------------------------------------------------------- tiers, and what differs between two runs


def test_leaders_stand_in_tiers_by_their_intervals_for_all_together(desk):
    section = desk.answer("leaders", "")["sections"][0]
    columns = [column["name"] for column in section["columns"]]
    shown = [i for tier in section["tiers"] for i in tier["rows"]]
    assert sorted(shown) == list(range(len(section["rows"])))
    for tier in section["tiers"]:
        for i in tier["rows"]:
            cell = section["rows"][i]["cells"][columns.index("adjusted_rate")]
            low, high = cell["all"]
            assert low < cell["low"] < cell["high"] < high, "the interval for all leaders together is the wider one"
            verdict = read(100 * low, 100 * high, 2.0, 100 * cell["fair"])
            assert tier["title"].lower() == STRENGTH.of(verdict)
    assert not desk.answer("leaders", "by=seat")["sections"][0]["tiers"]


def test_the_explorer_and_the_report_give_one_verdict(desk, run):
    """Of all games of a run: the same table, and the same place of each leader; of seats chosen one by one none."""
    section = desk.answer("leaders", "")["sections"][0]
    columns, judged = [column["name"] for column in section["columns"]], Source(run).judged.set_index("leader")
    groups = {i: tier["title"].lower() for tier in section["tiers"] for i in tier["rows"]}
    assert len(section["rows"]) == len(judged)
    for i, row in enumerate(section["rows"]):
        cells = dict(zip(columns, row["cells"], strict=True))
        known = judged.loc[cells["leader"]["value"]]
        assert groups[i] == cells["verdict"]["value"] == known["verdict"]
        assert cells["points"]["value"] == pytest.approx(known["points"])
        assert cells["decided"]["value"] == known["decided"]
    alone = desk.answer("leaders", "order=2")["sections"][0]
    assert not alone["tiers"]
    assert "No verdicts" in alone["note"]
    half = desk.answer("leaders", "card=Populous%20%2F%20Preservationist")["sections"][0]
    assert half["tiers"]
    assert filters.by_verdict([{"verdict_key": "WITHIN"}, {"verdict_key": "FAR_BELOW"}]) == [
        {"title": "Too weak", "rows": [1]}, {"title": "Balanced", "rows": [0]}
    ]  # fmt: skip


def test_verdicts_of_a_run_that_was_looked_at_hold_over_the_looks(run):
    """On the page of leaders and on that of one: the row of the same table, with the wider intervals of the run's looks."""
    whole, narrow = ExplorerRuns([run]), {}
    run = whole.loaded[0].run
    for looked in (False, True):
        run.manifest.pop("looks", None)
        if looked:
            run.manifest["looks"] = {"most": GAMES, "at": [200, 450, GAMES]}
        for path in ("leaders", "leader/Rome"):
            section = whole.answer(path, "")["sections"][0]
            columns = [column["name"] for column in section["columns"]]
            rows = {row["cells"][0]["value"]: dict(zip(columns, row["cells"], strict=True)) for row in section["rows"]}
            known = Source(run).judged.set_index("leader").loc["Rome"]
            cell = rows["Rome"]["adjusted_rate"]
            assert cell["all"] == pytest.approx([known["adjusted_rate_all_low"], known["adjusted_rate_all_high"]])
            assert rows["Rome"]["verdict"]["value"] == known["verdict"]
            narrow[looked, path] = cell["all"][1] - cell["all"][0]
    assert narrow[True, "leaders"] > 1.02 * narrow[False, "leaders"]
    assert narrow[True, "leader/Rome"] == pytest.approx(narrow[True, "leaders"])


def test_world_wonders_have_one_table(desk, run):
    """The interval that is shown of builders is the one of the test, everywhere: the report adds costs."""
    section = desk.answer("wonders", "")["sections"][0]
    columns = [column["name"] for column in section["columns"]]
    known = wonders(run).set_index("wonder")
    assert known["p_adjusted"].notna().any()
    for row in section["rows"]:
        cells = dict(zip(columns, row["cells"], strict=True))
        own = known.loc[cells["wonder"]["value"]]
        text = cells["builder_win_rate"]["text"]
        assert own["builder_win_rate"] != own["builder_win_rate"] or f"{100 * own['builder_win_rate_all_low']:.1f}" in text


def test_rows_of_two_runs_are_grouped_by_the_direction_of_what_is_detected():
    points = [(5.0, 0.01), (5.0, 0.2), (-4.0, 0.05), (None, None), (1.0, None)]
    found = {tier["title"]: tier["rows"] for tier in filters.by_difference(points, "a", "b")}
    assert found == {"Higher in b than in a": [0], "No detectable difference": [1, 4], "Lower in b than in a": [2],
                     "In only one of the two": [3]}  # fmt: skip


def manifest_of(box="base", name="printed", rules=(), **plan):
    plan = {"players": 4, "leaders": ["Rome", "Egypt"], "leaders_drawn": True, "strategies": ["planner"], "round_cap": 200,
            "strategies_drawn": False} | plan  # fmt: skip
    data = {"leaders": {"rome": {"start": 1}}, "limits": dict(rules)}
    return {"plan": plan, "segments": [{"seed": 1}], "ruleset": {"name": name, "box": box, "data": data}, "engine": "e"}


def test_the_beside_view_names_what_differs_between_the_runs():
    same = contrast(manifest_of(), manifest_of())
    assert (same["differs"], same["rules"]) == ([], [])
    assert same["alike"] == ["box", "rules", "number of players", "leaders", "strategies", "round cap", "seed",
                             "version of the engine"]  # fmt: skip
    other = manifest_of(name="mine", rules={"tokens": 4}, players=3, leaders=["Rome"], strategies=["quick"])
    found = contrast(manifest_of(rules={"tokens": 3}), other)
    assert found["differs"] == [
        ("rules", "printed", "mine"), ("number of players", "4", "3"),
        ("leaders", "Egypt, Rome (drawn for each game)", "Rome (drawn for each game)"), ("strategies", "planner", "quick"),
    ]  # fmt: skip
    assert found["rules"] == ["limits.tokens: 3 -> 4"]
    assert {"box", "seed", "round cap"} <= set(found["alike"])


def test_rules_of_one_name_with_other_values_differ_and_boxes_are_not_compared_value_by_value():
    found = contrast(manifest_of(rules={"tokens": 3}), manifest_of(rules={f"n{i}": i for i in range(20)}))
    assert found["differs"] == [("rules", "printed", "printed, other values")]
    assert (len(found["rules"]), found["more"]) == (12, 9)
    boxes = contrast(manifest_of(), manifest_of("terra-incognita", rules={"tokens": 3}))
    assert (boxes["differs"], boxes["rules"]) == ([("box", "base", "terra-incognita")], [])


def test_the_directions_of_a_beside_view_bear_the_names_of_the_runs(run, tmp_path):
    desk = ExplorerRuns([run, analysis.open_run(write_run(tmp_path / "other", 300))])
    view = desk.answer("leaders", "run=0&beside=1")
    labels = [column["label"] for column in view["sections"][0]["columns"]]
    assert "win rate: other minus run" in labels
    text = json.dumps(view["sections"])
    assert "the first run" not in text
    assert "the second run" not in text
    assert view["contrast"]["alike"]
    assert desk.answer("leaders", "run=0")["contrast"] is None
    assert desk.answer("leaders", "run=all&beside=1")["contrast"] is None


# ---------------------------------------------------------------------- what the page gets


def behind(desk, link):
    return desk.answer("games", urlencode(link))


def cells(section):
    for row in section["rows"]:
        yield from ((column["name"], cell) for column, cell in zip(section["columns"], row["cells"], strict=True))


LONGER = [
    pytest.param(query, marks=pytest.mark.soak) for query in ("leader=Rome&table=Egypt", "strategy=planner&seat=1&seat=2")
]
QUERIES = ["", *LONGER, "built=Petra"]


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("view", VIEWS)
def test_behind_each_figure_are_as_many_games_as_it_says(desk, view, query):
    """Tables of wonders and cards count games in n, all others seats; each shared win is in the list of both winners."""
    found = desk.answer(view, query)
    assert found["sections"]
    json.dumps(found, allow_nan=False)
    links = 0
    for section in found["sections"]:
        for name, cell in cells(section) if section["kind"] == "table" else ():
            if "games" in cell and name in ("n", "built", "claims", "wins", "unfinished"):
                links += 1
                listed = behind(desk, cell["games"])
                numbers, value = (listed["games"], listed["seats"]), cell["value"]
                assert value <= numbers[1] if name == "wins" else value in numbers, (section["name"], name, cell)
        for bar in section["bars"] if section["kind"] == "chart" else ():
            if bar["games"]:
                links += 1
                assert behind(desk, bar["games"])["games"] == bar["n"][0]
    assert links


def test_two_runs_stand_beside_each_other_with_the_difference_of_their_rates(run, tmp_path):
    other = write_run(tmp_path / "other", 300)
    desk = ExplorerRuns([run, analysis.open_run(other)])
    section = desk.answer("leaders", "run=0&beside=1")["sections"][0]
    a, b = (analysis.leaders(each).set_index("leader") for each in (run, analysis.open_run(other)))
    names = [column["name"] for column in section["columns"]]
    assert [column["side"] for column in section["columns"] if column["name"] == "win_rate"] == [0, 1]
    for row in section["rows"]:
        leader = row["cells"][0]["text"]
        cell = row["cells"][names.index("points")]
        # The interval holds for all rows together, so all of them are worked out.
        rows = a.index.intersection(b.index)
        one, two = a.loc[rows], b.loc[rows]
        known = rate_difference("points", two["wins"], two["n"], one["wins"], one["n"])
        known = [known[f"points{end}"][rows.get_loc(leader)] for end in ("", "_all_low", "_all_high")]
        assert [cell["value"], cell["low"], cell["high"]] == pytest.approx(known)
    pooled = desk.answer("leaders", "run=all")["sections"][0]
    both = analysis.leaders([run, analysis.open_run(other)])
    counted = {row["cells"][0]["value"]: row["cells"][1]["value"] for row in pooled["rows"]}
    assert counted == dict(zip(both["leader"], both["n"], strict=True))
    assert desk.answer("games", "run=all&from=895")["sections"][0]["rows"][5]["cells"][0]["page"] == "game/1/0"


def test_small_samples_and_conditions_on_outcomes_are_marked(desk):
    found = desk.answer("leaders", "winner=Rome&rounds=17")
    assert found["warnings"][0].startswith("Games chosen by what happened in them (winner, rounds)")
    assert found["summary"][0]["small_sample"]
    assert all(row["few"] for row in found["sections"][0]["rows"])
    plain = desk.answer("leaders", "")
    assert plain["warnings"] == []
    assert not any(row["few"] for row in plain["sections"][0]["rows"])
    assert "Only seats" in desk.answer("leaders", "strategy=planner")["warnings"][0]


def test_where_no_game_matches_nothing_is_said(desk):
    query = f"card={'&card='.join(VICTORY_CARDS)}".replace(" ", "+")
    found = desk.answer("leaders", query)
    assert (found["summary"][0]["games"], found["sections"]) == (0, [])
    assert desk.answer("games", query)["games"] == 0
    assert desk.answer("leader/Rome", "players=2")["sections"] == []


def test_the_list_of_games_leads_to_the_sheet_of_each(desk, tables):
    listed = desk.answer("games", "leader=Rome&won=yes&from=50")
    section = listed["sections"][0]
    row = dict(list(cells(section))[: len(section["columns"])])
    number = int(row["game"]["page"].split("/")[-1])
    seats = tables["seats"][tables["seats"]["game_id"] == number].sort_values("seat")
    assert "Rome" in row["ending"]["text"]
    assert row["line_up"]["text"] == ", ".join(seats["leader"])
    sheet = desk.answer(row["game"]["page"], "")
    assert sheet["replay"] == {"run": 0, "game": number}
    shown = sheet["sections"][0]["rows"]
    assert [line["cells"][1]["text"] for line in shown] == list(seats["leader"])
    claims = tables["agendas"][tables["agendas"]["game_id"] == number]
    for line, seat in zip(shown, seats["seat"], strict=True):
        mine = claims[claims["seat"] == seat]
        assert all(f"{claim.agenda} ({claim.round})" in line["cells"][5]["text"] for claim in mine.itertuples())


@pytest.mark.parametrize(("path", "query", "said"), [
    ("leaderz", "", "unknown view 'leaderz'"), ("leader/Rom", "", "did you mean 'Rome'"), ("leader/Rome/x", "", "unknown view"),
    ("leaders", "leder=Rome", "unknown condition 'leder'.*did you mean 'leader'"),
    ("leaders", "leader=Rom", "did you mean 'Rome'"),
    ("leaders", "leader=", "unknown leader ''"), ("leaders", "rounds=9-3", "expected a round, or a range"),
    ("leaders", "rounds=٣", "expected a round"), ("leaders", "rounds=1&rounds=2", "appears twice"),
    ("leaders", "run=1", "unknown run '1'"), ("leaders", "run=-1", "unknown run"), ("leaders", "beside=", "unknown beside"),
    ("leaders", "run=0&run=0", "given 2 times"), ("leaders", "by=wonder", "unknown grouping"),
    ("wonders", "by=seat", "unknown grouping"), ("leaders", "from=1", "only the view 'games'"),
    ("games", "from=-1", "expected a whole number"), ("games", "from=" + "9" * 40, "expected a whole number"),
    ("game/0/900", "", "not among the 900 finished games"), ("game/0/x", "", "expected a whole number"),
    ("game/7/1", "", "unknown run"),
    ("leaders", "leader", "cannot be read"), ("leaders", "leader=%ff", "cannot be read"), ("leaders", "a" * 5000, "too long"),
    ("leaders", "&".join(["leader=Rome"] * 50), "50 values"), ("leaders", "seat=00", "unknown seat"),
    ("../../etc/passwd", "", "unknown view"), ("", "", "unknown view"),
])  # fmt: skip
def test_a_strange_question_is_refused_in_one_sentence(desk, path, query, said):
    with pytest.raises(UserError, match=said) as error:
        desk.answer(path, query)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 1000


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.text(max_size=30), query=st.text(max_size=60))
def test_any_question_is_answered_or_refused(desk, path, query):
    with suppress(UserError):
        json.dumps(desk.answer(path, query), allow_nan=False)


def test_a_filter_is_read_as_it_is_written(desk):
    wanted = Filter(table=("Rome",), card=(VICTORY_CARDS[0],), seat=("1", "2"), won=("yes",))
    words = {}
    for name, value in wanted.query():
        words.setdefault(name, []).append(value)
    assert read_filter(words, desk.words) == wanted
    assert wanted.narrowed(seat="2", table="Egypt").seat == ("2",)
    assert wanted.narrowed(seat="2", table="Egypt").table == ("Rome", "Egypt")
    assert set(NAMES) == set(vars(Filter()))


def test_a_run_that_goes_on_shows_the_shards_that_are_there(tmp_path):
    folder = write_run(tmp_path / "run", 300, 100)
    late = [(path, path.read_bytes()) for path in folder.glob("*/part-000002.parquet")]
    for path, _ in late:
        path.unlink()
    desk = ExplorerRuns([analysis.open_run(folder)])
    assert desk.about()["runs"][0] | {"rules": ""} == {
        "title": "run", "games": 200, "planned": 300, "players": 4, "rules": "", "seed": 1, "expansion": False, "focus": False,
    }  # fmt: skip
    assert desk.look()["new"] == 0
    for path, content in late:
        path.write_bytes(content)
    assert desk.look()["new"] == 100
    same(analysis.leaders(sample_of(desk, Filter())), analysis.leaders(analysis.open_run(folder)))
    loaded = Loaded(analysis.open_run(folder), CodeNames())
    loaded.look()
    assert bytes_of(loaded.games) < 300 * 1000


# ---------------------------------------------------------------------- effects


def test_effects_of_wonders_and_of_abilities_are_on_their_pages(run, tmp_path):
    (tmp_path / "wonders.csv").write_text("wonder,effect,low,high,n,cost\nPetra,0.02,0.01,0.03,400,7\n")
    ablation = tmp_path / "abilities"
    ablation.mkdir()
    (ablation / "experiment.json").write_text(json.dumps({"experiment": {"kind": "leader"}}))
    (ablation / "effects.csv").write_text("arm,effect,effect_low,effect_high,n,p\nRome,-0.05,-0.07,-0.03,50,0.001\n")
    desk = ExplorerRuns([run], effects_of([tmp_path / "wonders.csv", ablation]))
    wonder = desk.answer("wonder/Petra", "")["sections"][0]
    assert wonder["rows"][0]["cells"][2]["text"] == "+2.0 [+1.0, +3.0]"
    leader = desk.answer("leader/Rome", "")["sections"][-1]
    assert leader["name"] == "effects"
    assert leader["rows"][0]["few"]
    assert desk.answer("leader/Egypt", "")["sections"][-1]["rows"] == []


@pytest.mark.parametrize(("text", "said"), [
    ("arm,effect\nRome,1\n", "no column 'effect_low'"),
    ("arm,effect,effect_low,effect_high,n,p\nRom,0,0,0,9,1\n", "'Rom' is not a leader"),
    ("", "cannot be read as a CSV"),
])  # fmt: skip
def test_effects_that_cannot_be_read_are_named(tmp_path, text, said):
    (tmp_path / "experiment.json").write_text(json.dumps({"experiment": {"kind": "leader"}}))
    (tmp_path / "effects.csv").write_text(text)
    with pytest.raises(UserError, match=said):
        effects_of([tmp_path])


def test_an_experiment_on_something_else_is_refused(tmp_path):
    (tmp_path / "experiment.json").write_text(json.dumps({"experiment": {"kind": "gift"}}))
    with pytest.raises(UserError, match="an experiment on a gift"):
        effects_of([tmp_path])
    (tmp_path / "experiment.json").write_text("[1")
    with pytest.raises(UserError, match="cannot be read as an experiment"):
        effects_of([tmp_path])


def test_a_win_shared_by_any_number_of_seats_is_a_whole_number_of_its_parts():
    """And twice the parts and one (`Games.outcome`) is a byte."""
    assert all(WHOLE % winners == 0 for winners in range(1, max(names.MOST_PLAYERS.values()) + 1))
    assert np.iinfo(np.int8).max >= 2 * WHOLE + 1


def test_the_filter_knows_the_fifth_seat():
    found = read_filter({"seat": ["5"], "order": ["5"], "players": ["5"]}, CodeNames())
    assert (found.seat, found.order, found.players) == (("5",), ("5",), ("5",))


def test_seats_count_from_1_as_in_replays(desk, tables):
    """Filter, rates by seat, list of games and sheet of one: all by the numbers that a replay has."""
    with pytest.raises(UserError, match="unknown seat '0': expected one of 1, 2, 3, 4, 5"):
        desk.answer("leaders", "seat=0")
    by_seat = desk.answer("leaders", "by=seat")["sections"][0]["rows"]
    assert {row["cells"][0]["text"] for row in by_seat} == {"1", "2", "3", "4"}
    first = tables["seats"].query("seat == 0")["leader"].value_counts()
    for row in by_seat:
        seat, leader, n = row["cells"][:3]
        if seat["value"] == 1:
            assert n["value"] == first[leader["value"]]
            assert ["seat", "1"] in [list(pair) for pair in n["games"]]
    assert desk.answer("leaders", "seat=1")["summary"][0]["seats"] == len(tables["games"])
    assert {row["cells"][4]["text"] for row in desk.answer("games", "seat=4")["sections"][0]["rows"]} == {"4"}
    game = int(tables["games"]["game_id"].iloc[0])
    for section in desk.answer(f"game/0/{game}", "")["sections"]:
        assert [row["cells"][0]["text"] for row in section["rows"]] == ["1", "2", "3", "4"]
    with pytest.raises(UserError, match="players"):
        read_filter({"players": ["6"]}, CodeNames())


# --- Terra Incognita


@pytest.fixture(scope="module")
def boxed(tmp_path_factory):
    """A run of the expansion, of five players."""
    folder = tmp_path_factory.mktemp("boxed") / "run"
    asked = ["run", "--box", "terra-incognita", "--players", "5", "--games", "60", "--strategies", "opportunist", "--jobs", "1"]
    played = CliRunner().invoke(main, [*asked, "--round-cap", "60", "--quiet", "--out", str(folder)])
    assert played.exit_code == 0, played.output
    return analysis.open_run(folder)


class Reduced:
    """The seats of a run that plain pandas leaves, and their games, with the interface of a run."""

    def __init__(self, run, seats):
        self.box, self.path, self.players, self.manifest = run.box, run.path, run.players, run.manifest
        games = run.read("games")
        self.tables = {"games": games[games["game_id"].isin(seats["game_id"])], "seats": seats}

    def pieces(self, wanted):
        yield {name: self.tables[name][list(columns)] for name, columns in wanted.items()}


@pytest.mark.parametrize("wanted", [Filter(), Filter(seat=("1", "4")), Filter(leader=("Zulu", "Rome", "Inca"), won=("yes",))])
def test_what_seats_did_is_counted_as_the_summaries_count_it(boxed, wanted):
    sample = sample_of(ExplorerRuns([boxed]), wanted)
    seats = boxed.read("seats")
    keep = np.ones(len(seats), bool)
    if wanted.seat:
        keep &= seats["seat"].isin([int(seat) - 1 for seat in wanted.seat])
    if wanted.leader:
        keep &= seats["leader"].isin(wanted.leader) & (seats["won"] > 0)
    kept = Reduced(boxed, seats[keep])
    for what, (function, _) in DEEDS.items():
        same(associations(sample, what), getattr(analysis, function)(kept))
    same(analysis.unique_cards(sample), analysis.unique_cards(kept))


def test_the_view_of_the_expansion_stands_beside_a_run_without_it(boxed, run):
    desk = ExplorerRuns([run, boxed])
    assert [each["expansion"] for each in desk.about()["runs"]] == [False, True]
    sections = desk.answer("expansion", "run=1&beside=0")["sections"]
    assert [section["name"] for section in sections] == ["districts", "governments", "exploring", "forts", "unique_cards"]
    assert len(sections[0]["rows"]) == 5
    with pytest.raises(UserError, match="no run here was played with the expansion"):
        desk.answer("expansion", "run=0")
