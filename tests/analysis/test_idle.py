"""What `newdawn rules check --play` says of own content: what never comes to anything is named, what does is not."""

import json
import re

import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main

BOTH = ("base", "terra-incognita")
LEADER = """
leaders:
  atlantis:
    name: Atlantis
    start_row: [{row}]
    abilities:
      - {{effect: trade_tokens, amount: 1, moment: start_of_turn}}
      - {{effect: resources, resource: marble, amount: 1, moment: start_of_turn, if: {{cities: 15}}}}
"""
ROW = "science, culture, economy, military, industry"
ROWS = {"base": ROW, "terra-incognita": f"{ROW}, growth"}
AGENDAS = """
victory_cards:
  dreamer_walker:
    agendas:
      - {name: Dreamer, condition: {metric: cities_on_map_with_capital, at_least: 30}}
      - {name: Walker, condition: {metric: controlled_spaces_next_to_water_or_map_edge, at_least: 1}}
"""


@pytest.fixture
def check(tmp_path):
    def play(text, *options):
        file = tmp_path / "house.yaml"
        file.write_text(text, "utf-8")
        return CliRunner().invoke(main, ["rules", "check", str(file), "--play", "25", *options], catch_exceptions=False)

    return play


@pytest.mark.parametrize("box", BOTH)
def test_an_ability_that_never_acts_is_named_and_one_that_acts_is_not(check, box):
    said = check(LEADER.format(row=ROWS[box]), "--box", box)
    assert said.exit_code == 0
    told, named = sorted((line for line in said.output.splitlines() if ": never" in line), key=len, reverse=True)
    assert named == "leaders.atlantis.abilities.resources: never changed anything in 25 games"
    assert told.startswith("leaders.atlantis.abilities.resources: never acted in 25 games; players who had it won ")
    held_back = r"; held back \d+ times, for example game 0, round 1: “Turn \d: Atlantis \(seat 1\)”, by `if: cities: 15`$"
    assert re.search(held_back, told)


@pytest.mark.parametrize("box", BOTH)
def test_an_agenda_out_of_reach_is_named_and_one_in_reach_is_not(check, box):
    said = json.loads(check(AGENDAS, "--box", box, "--json").stdout)
    part = {"base": "base", "terra-incognita": "ti"}[box]
    assert said["never_acted"] == [{"agenda": f"victory_cards.{part}.dreamer_walker.agendas.dreamer", "games": 25}]
