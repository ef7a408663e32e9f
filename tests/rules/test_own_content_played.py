"""`rules check --play` says what new and changed things did: won, built, claimed."""

import json
import re

from click.testing import CliRunner

from newdawn.analysis.questions.abilities_played import acted
from newdawn.analysis.questions.own_content import deeds
from newdawn.scripts.cli.main import main
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import why_unfinished


def test_each_new_thing_is_told_with_its_number():
    files = ["crystal_palace", "seafarer", "three_leaders"]
    result = CliRunner().invoke(main, ["rules", "check", *files, "--play", "25"])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    for leader in ("atlantis", "carthago", "phoenicia"):
        said = next(line for line in lines if line.startswith(f"leaders.{leader}: "))
        assert re.search(r"won \d+\.\d% \[\d+\.\d%, \d+\.\d%\] of \d+ games? \(fair share: 33\.3%\)$", said), said
    assert any(re.match(r"wonders\.crystal_palace: built in .+%\] of the \d+ games? with it", line) for line in lines)
    assert any(
        re.match(r"victory_cards\.base\.seafarer_hermit\.agendas\.seafarer: claimed \d+ times? in", line) for line in lines
    )
    did = json.loads(CliRunner().invoke(main, ["rules", "check", *files, "--play", "25", "--json"]).stdout)["did"]
    assert {deed["what"] for deed in did} == {"leader", "wonder", "agenda"}
    assert all(0 <= deed["wins"] <= max(deed["n"], deed["times"]) for deed in did)


def test_each_deed_is_told_with_how_often_it_acted_and_a_line_of_a_replay(tmp_path):
    """Of every kind of content; one that cannot come about is named: a won attack gives the giver's card back (B9.12)."""
    house = tmp_path / "house.yaml"
    gift = {"effect": "resources", "amount": 1, "moment": "attack_won", "giver": "only"}
    visit = {"effect": "trade_tokens", "amount": 1, "moment": "arrival"}
    content = {
        "everyone": {"abilities": [{"effect": "trade_tokens", "amount": 1, "moment": "end_of_round", "once": True}]},
        "leaders": {"rome": {"abilities": [{"effect": "advance_dial", "amount": 1, "moment": "token_placed"}]}},
        "diplomacy": {"research": {"name": "Research", "abilities": [gift]}},
        "city_states": {"havana": {"name": "Havana", "type": "economy", "in_place_of": "kabul", "abilities": [visit]}},
    }
    house.write_text(json.dumps(content), "utf-8")
    told = {one.path: one for one in acted(load_ruleset([house]), 12)}
    assert told["diplomacy.base.research.abilities.resources"].times == 0
    everyone = told["everyone.abilities.trade_tokens"]
    assert (everyone.seats, everyone.wins) == (36, 12.0)
    told_line = r"for example game 0, round 2: “.+ gets 1 trade token on .+ \[everyone: trade tokens\]”; players who had it won"
    assert re.search(told_line, everyone.sentence())
    assert "never seen held back by `once`" in everyone.sentence()
    rome = told["leaders.rome.abilities.advance_dial"]
    assert rome.times > 12 >= rome.seats
    assert "dial" in rome.line
    havana = told["city_states.havana.abilities.trade_tokens"]
    assert (havana.games, 0 < havana.seats < 36) == (12, True)


def test_where_a_condition_held_an_ability_back_is_told_for_every_kind_of_content(tmp_path):
    house = tmp_path / "house.yaml"
    token = {"effect": "trade_tokens", "amount": 1, "moment": "token_placed"}
    work = {"name": "Folly", "type": "culture", "era": "ancient", "cost": 1, "resources": ["oil", "marble"]}
    content = {
        "box": "terra-incognita",
        "everyone": {"abilities": [{**token, "terrain": ["forest"]},
                                   {"effect": "wonder_cost", "amount": -1, "if": {"cities": 3}}]},
        "leaders": {"kush": {"name": "Kush", "start_row": ["science", "culture", "economy", "military", "industry"],
                             "abilities": [{**token, "until_round": 5}],
                             "unique_card": {"name": "Poets", "type": "culture", "level": 2, "tokens": 3,
                                             "next_to": "friendly_city", "terrain_limit": "slot", "effect": "three tokens",
                                             "abilities": [{**token, "once": True}]}}},
        "wonders": {"folly": {**work, "abilities": [{**token, "moment": "built", "unless": {"cities": 2}}]}},
        "victory_cards": {"one_two": {"agendas": [
            {"name": "One", "condition": {"metric": "friendly_spaces", "at_least": 6}},
            {"name": "Two", "condition": {"metric": "world_wonders", "at_least": 9}}]}},
    }  # fmt: skip
    house.write_text(json.dumps(content), "utf-8")
    told = {one.path.removeprefix("leaders.kush."): one for one in acted(load_ruleset([house], box="terra-incognita"), 8)}
    forest, cost = told["everyone.abilities.trade_tokens"], told["everyone.abilities.wonder_cost"]
    assert forest.held_line.endswith("”, by `terrain: [forest]`")
    assert re.search(r"“places .+ on .+ \((?!forest)", forest.held_line)
    assert cost.held_line.endswith("by `if: cities: 3`")
    assert (cost.holds, cost.seats) == (True, 24)
    kush = told["abilities.trade_tokens"]
    assert (kush.seats, kush.held_line[-19:]) == (8, "by `until_round: 5`")
    assert "[Kush: trade tokens]" in kush.line
    assert told["unique_card.abilities.trade_tokens"].games == 8
    one, two = (next(one for path, one in told.items() if path.endswith(half)) for half in (".one", ".two"))
    assert re.search(r"claims One", one.line)
    assert re.search(r"at its end: “.+ has \d of 9 ", two.held_line)
    assert two.sentence().startswith("never claimed in 8 games")


def test_what_is_changed_is_told_and_what_is_not_is_left_out(tmp_path):
    house = tmp_path / "house.yaml"
    house.write_text("wonders: {petra: {cost: 1}}\n", "utf-8")
    assert [deed.path for deed in deeds(load_ruleset([house]), 25)] == ["wonders.petra"]
    assert deeds(load_ruleset(), 25) == []


def test_games_that_nobody_wins_are_told_with_the_reason_by_check_run_and_report(tmp_path):
    """Agendas for one player only, all victory cards needed: soon nobody can win."""
    house = tmp_path / "house.yaml"
    house.write_text("victory_cards: {rules: {base: {claims_per_agenda: 1, cards_in_play: 4}}}\n", "utf-8")
    why = "agendas for the first who claim them can leave nobody able to win: let fewer victory cards win"
    checked = CliRunner().invoke(main, ["rules", "check", str(house), "--play", "25"])
    assert checked.exit_code == 0
    found = re.search(
        rf"^nobody won (\d+) of 25 games; {why} \(victory_cards\.rules\.base\.cards_needed\)$", checked.stderr, re.M
    )
    assert int(found[1]) > 0
    facts = json.loads(CliRunner().invoke(main, ["rules", "check", str(house), "--play", "25", "--json"]).stdout)
    assert facts["unfinished"] == int(found[1])
    settings = ["--players", "3", "--games", "25", "--strategies", "planner", "--round-cap", "40"]
    run = CliRunner().invoke(main, ["run", "--rules", str(house), *settings, "--out", str(tmp_path / "run")])
    assert why in next(line for line in run.output.splitlines() if " won, " in line), "the first line of the answer says it"
    report = CliRunner().invoke(main, ["report", str(tmp_path / "run"), "--boards", "0", "--quiet"])
    assert why[1:] in report.output, "the first screen says it too"


def test_of_rules_under_which_somebody_wins_nothing_is_told(tmp_path):
    house = tmp_path / "house.yaml"
    house.write_text("wonders: {petra: {cost: 1}}\n", "utf-8")
    checked = CliRunner().invoke(main, ["rules", "check", str(house), "--play", "25"])
    assert "nobody won" not in checked.output
    assert why_unfinished(load_ruleset().data) == ""


def test_kinds_of_new_content_are_listed_for_an_unknown_one_whether_it_has_a_name_or_not():
    for name in ([], ["Foo"]):
        result = CliRunner().invoke(main, ["rules", "new", "X", *name])
        assert result.exit_code == 2
        assert "goals" in result.output
