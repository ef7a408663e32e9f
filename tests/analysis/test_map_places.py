"""Places: noted as they are held, taken off the map by house rules, start places judged, a fixed map drawn."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from known import with_places

from newdawn.analysis.questions import places as question
from newdawn.analysis.questions.compare import compared_findings, in_units
from newdawn.analysis.questions.experiment import ban, move
from newdawn.analysis.questions.places import fixed_map, held_findings, start_findings, starts
from newdawn.analysis.stats.verdicts import verdict_of
from newdawn.analysis.tables.map_places import place_wins
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import names_of, written
from newdawn.simulator.runs.columns import PLACES_TABLE, START, TILE
from newdawn.simulator.runs.run import Player
from newdawn.simulator.runs.run_folder import places_table
from newdawn.simulator.runs.run_plan import plan_by

RULES = load_ruleset()


def test_a_start_place_that_wins_more_is_found_and_said():
    frame = starts(with_places(6_000, 1, start=0.5))
    at = frame.set_index("place").loc[START.format(5)]
    true = 100 * (np.exp(0.5) / (np.exp(0.5) + 3) - 0.25)
    assert at["points_all_low"] < true < at["points_all_high"]
    assert at["verdict"] == "too strong"
    assert frame["n"].tolist() == [6_000] * 4
    assert frame["wins"].sum() == pytest.approx(6_000)
    said = start_findings(frame)
    assert said[0].text.startswith("Whoever starts on tile 5 wins ")
    for finding, row in zip(said, frame.sort_values("points", key=abs, ascending=False).to_dict("records"), strict=False):
        assert f"{row['win_rate']:.1%}" in finding.text
        assert finding.certainty == row["certainty"]


def test_start_places_alike_are_undecided_or_balanced():
    frame = starts(with_places(2_000, 2))
    assert {verdict_of(row).value for row in frame.to_dict("records")} <= {"within", "undecided"}
    assert start_findings(frame)[0].text == "No start place is shown to win more or less than its share."


def test_what_goes_with_a_natural_wonder_is_called_an_association():
    frame = place_wins(with_places(6_000, 3, wonder=0.6))
    row = frame.set_index("place").loc[names_of(RULES.data, "natural_wonder")[0]]
    true = 100 * (np.exp(0.6) / (np.exp(0.6) + 3) - (1 - np.exp(0.6) / (np.exp(0.6) + 3)) / 3)
    assert row["association_low"] < true < row["association_high"]
    assert row["kind"] == "natural wonder"
    assert row["n"] == 6_000
    assert held_findings(frame)[0].text.startswith("Association, not effect. ")


def test_each_place_is_of_its_kind_and_where_seats_began_is_none_of_them():
    run = with_places(600, 4, wonder=0.6)
    rows, (first, *_) = run.tables["places"], names_of(RULES.data, "natural_wonder")
    kinds = {first: "natural wonder", "Seoul": "city-state", "tile 12": "tile", "tile 3": "tile", "oil": "resource"}
    held = rows[rows["place"] == first].drop(columns="place")
    whole = [rows.astype({"place": str}), *(held.assign(place=name) for name in kinds if name != first)]
    run.tables["places"] = pd.concat(whole, ignore_index=True).astype({"place": "category"})
    frame = place_wins(run)
    assert dict(zip(frame["place"], frame["kind"], strict=True)) == kinds
    assert frame["place"].tolist()[-2:] == ["tile 3", "tile 12"]
    assert frame["association"].nunique() == 1  # all are held together


@pytest.mark.calibration
def test_intervals_of_what_goes_with_a_place_cover():
    """Of 400 intervals 93 to 97% hold what goes with the natural wonder in truth."""
    odds = np.exp(0.5) / (np.exp(0.5) + 3)
    true, held = 100 * (odds - (1 - odds) / 3), 0
    for seed in range(400):
        row = place_wins(with_places(400, 1_000 + seed, wonder=0.5)).iloc[0]
        held += row["association_low"] <= true <= row["association_high"]
    assert 0.93 <= held / 400 <= 0.97


@pytest.mark.calibration
def test_intervals_of_start_places_cover():
    """Of 4 × 300 intervals of places alike 93 to 97% hold 0, and at most 5% of the tables find anything."""
    frames = [starts(with_places(400, 100 + seed)) for seed in range(300)]
    held = np.concatenate([((frame["points_low"] < 0) & (frame["points_high"] > 0)).to_numpy() for frame in frames])
    assert 0.93 < held.mean() < 0.97
    assert np.mean([(frame["p_adjusted"] <= 0.05).any() for frame in frames]) < 0.075


@pytest.fixture(scope="module")
def noted(tmp_path_factory):
    out = tmp_path_factory.mktemp("places") / "run"
    call = ["run", "--players", "3", "--games", "30", "--seed", "5", "--strategies", "planner", "--jobs", "1", "--quiet"]
    result = CliRunner().invoke(main, [*call, "--places", "--out", str(out)])
    assert result.exit_code == 0, result.output
    return out


def test_a_run_notes_where_seats_began_and_what_they_held(noted):
    rows, seats = pd.read_parquet(noted / "places"), pd.read_parquet(noted / "seats")
    started = rows["place"].astype(str).str.startswith("start on tile ")
    assert (rows[started].groupby("game_id").size() == 3).all()
    assert not rows.duplicated().any()
    keys = pd.MultiIndex.from_frame(seats[["game_id", "seat"]])
    for kind, column in (("natural_wonder", "natural_wonders"), ("city_state", "city_states")):
        mine = rows[rows["place"].astype(str).isin(names_of(RULES.data, kind))]
        counted = mine.groupby(["game_id", "seat"]).size().reindex(keys, fill_value=0)
        assert counted.tolist() == seats[column].tolist()
        assert counted.sum() > 0


def naive_ground(r, g):
    """Return who holds which tiles and resources, read straight off the map: `tile 7` has ten spaces, in order."""
    found, tiles = set(), np.asarray(g.tile[: g.n_spaces])
    for tile in set(tiles.tolist()) & set(range(1, names.MAX_TILES + 1)):
        spaces = np.flatnonzero(tiles == tile)
        owners = [int(one) for one in g.owner[spaces] if one >= 0]
        most = max((owners.count(p) for p in owners), default=0)
        first = {p for p in owners if owners.count(p) == most}
        found |= {(p, TILE.format(tile)) for p in first if len(first) == 1}
        alike = [(np.asarray(r.tile_terrain[tile - 1, side]) == g.terrain[spaces]).sum() for side in (0, 1)]
        for space, kind in zip(spaces, r.tile_resource[tile - 1, int(np.argmax(alike))], strict=True):
            assert g.resource[space] in (-1, kind)
            if kind >= 0 and g.owner[space] >= 0:
                found.add((int(g.owner[space]), names.RESOURCES[kind]))
    return found


@pytest.mark.parametrize(("box", "players"), [("base", 3), ("terra-incognita", 5)])
def test_tiles_and_resources_are_noted_of_whoever_holds_them(box, players):
    r = load_ruleset(box=box).compile()
    plan = replace(plan_by(r, players=players, games=12, seed=4, strategies=["planner"]), tables=(PLACES_TABLE,))
    player, seen = Player(plan, r), set()
    for game in range(12):
        rows = player.rows(1)
        player.play(game, 1, rows, 0, 0)
        table = places_table(np.concatenate(rows.places), r).to_pandas()
        noted = set(zip(table["seat"], table["place"].astype(str), strict=True))
        ground = {(seat, name) for seat, name in noted if name.startswith("tile ") or name in names.RESOURCES}
        assert ground == naive_ground(r, player.states[0])
        assert len(table) == len(noted)
        seen |= {name for _, name in ground}
    assert seen >= set(names.RESOURCES)
    assert len(seen) > 14


def test_its_commands_say_what_the_run_has(noted, tmp_path):
    for part, words in (("start", "start on tile"), ("held", "natural wonder"), ("held", '"kind": "tile"'), ("held", "marble")):
        result = CliRunner().invoke(main, ["places", str(noted), "--part", part, "--json"])
        assert result.exit_code == 0, result.output
        assert words in result.output
    plain = tmp_path / "plain"
    call = ["run", "--players", "2", "--games", "4", "--strategies", "random", "--jobs", "1", "--quiet", "--out", str(plain)]
    assert CliRunner().invoke(main, call).exit_code == 0
    refused = CliRunner().invoke(main, ["places", str(plain)])
    assert refused.exit_code == 2
    assert "newdawn run --places" in refused.output


@pytest.mark.parametrize("box", names.BOXES)
def test_a_city_state_or_natural_wonder_that_is_banned_lies_on_no_tile(box):
    rules = load_ruleset(box=box)
    plain = rules.compile()
    for what, kind, name in (("city-state", "city_state", "Seoul"), ("natural wonder", "natural_wonder", "Grand Mesa")):
        changed = ban(rules, what, name).compile()
        code = written(plain, kind).index(name)
        before, after = (np.asarray(r[f"tile_{kind}"]) for r in (plain, changed))
        assert (before == code).sum() == 1
        assert (after == code).sum() == 0
        assert ((before == after) | (before == code)).all()
        with pytest.raises(UserError, match=name[:4]):
            ban(ban(rules, what, name), what, name)


def test_tiles_that_change_places_lie_as_the_other_did():
    rules = load_ruleset(map_file="mirror_two")
    changed = move(rules, 3, 12)
    before, after = ({one["tile"]: one for one in data["map"]["user_map"]["tiles"]} for data in (rules.data, changed.data))
    for tile in before:
        like = before[{3: 12, 12: 3}.get(tile, tile)]
        assert after[tile] == like | {"tile": tile, "side": before[tile]["side"]}
    assert changed.name == "map Mirror for two + tiles 3 and 12 exchanged"
    assert move(changed, 12, 3).data == rules.data
    for tiles, words in (((3, 5), "tile 5 is not on the map"), ((3, 3), "lies there already")):
        with pytest.raises(UserError, match=words):
            move(rules, *tiles)
    with pytest.raises(UserError, match="--map FILE"):
        move(RULES, 3, 12)


def test_what_start_places_win_is_compared_where_tiles_change_places(tmp_path):
    begun = [START.format(tile) for tile in begins("mirror_two")]
    call = ["experiment", "move", "3", "--with", "12", "--map", "mirror_two", "--players", "2", "--games", "60", "--strategies"]
    result = CliRunner().invoke(main, [*call, "planner", "--jobs", "1", "--quiet", "--json", "--out", str(tmp_path / "moved")])
    assert result.exit_code == 0, result.output
    rows = {row["figure"]: row for row in json.loads(result.stdout)}
    sums = [sum(rows[f"win rate of {name}"][side] for name in begun) for side in ("a", "b")]
    assert sums == [pytest.approx(1)] * 2
    said = compared_findings(in_units(pd.DataFrame(rows.values())))[0].text
    assert "start places' win rates" in said
    assert CliRunner().invoke(main, ["report", str(tmp_path / "moved"), "--quiet"]).exit_code == 0


def begins(map_file):
    spaces = fixed_map(load_ruleset(map_file=map_file).data, 2)
    return [tile for tile, star in zip(spaces["tile"], spaces["star"], strict=True) if star]


def test_a_fixed_map_has_its_stars_on_the_tiles_where_seats_begin():
    rules = load_ruleset(map_file="mirror_two")
    spaces = pd.DataFrame(fixed_map(rules.data, 2))
    assert not spaces.duplicated(["q", "r"]).any()
    assert spaces.groupby("tile").size().nunique() == 1
    assert spaces["star"].sum() == 2
    assert fixed_map(RULES.data, 4) is None
    import matplotlib.pyplot as plt

    frame = pd.DataFrame({"tile": spaces.loc[spaces["star"] == 1, "tile"].tolist(), "points": [2.0, -2.0]})
    frame.attrs["map"] = spaces.to_dict("list")
    figure, ax = plt.subplots()
    question.plot_map(frame, ax)
    assert {text.get_text() for text in ax.texts} == {"★\n+2.0", "★\n−2.0"}
    plt.close(figure)
