"""Three jobs of a designer, each from question to hand-out in at most four commands: what the answers name, and whom for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
from click.testing import CliRunner

from newdawn.analysis.questions.search_page import advice_line
from newdawn.analysis.report import one_page
from newdawn.analysis.stats.best import Standing
from newdawn.analysis.tables.kept_answers import open_kept
from newdawn.scripts.cli.main import main

BY_PLANNER = ("--strategies", "planner", "--jobs", 2, "--quiet")
MOST = 4  # commands of a job


def asked(*commands):
    """Give the commands of a job one after the other, and return what each printed."""
    assert len(commands) <= MOST
    printed = []
    for command in commands:
        result = CliRunner().invoke(main, [str(word) for word in command])
        assert result.exit_code == 0, result.output
        printed.append(" ".join(result.stdout.split()))
    return printed


def hand_out(folder):
    """Return the words of the page to hand round."""
    text = re.sub(
        r"<style>.*?</style>|<svg.*?</svg>|<[^>]+>", " ", (folder / "report" / one_page.PAGE).read_text("utf-8"), flags=re.S
    )
    words = " ".join(text.split())
    assert len(words.split()) <= one_page.WORDS
    assert "planner" in words.partition("Who played")[2]
    return words


def standings(folder):
    """Return the standings of the variants in the table of a kept answer, by number of players."""
    frame = pd.read_csv(folder / "variants.csv")
    return {n: dict(zip(part["variant"], map(Standing, part["standing"]), strict=True)) for n, part in frame.groupby("players")}


def test_the_smallest_change_that_mends_scythia(tmp_path):
    """A: one command searches, with the side effects; one makes the page."""
    out = tmp_path / "mend"
    search = ("balance", "--leader", "Scythia", "--to", "25%", "--parameters", "leaders.scythia.abilities.combat.amount")
    told, _ = asked(
        (*search, "--screen", 20, "--games", 40, "--fresh", 60, *BY_PLANNER, "--out", out), ("report", out, "--one-page")
    )
    assert "planner" in told
    words, line = hand_out(out), advice_line(open_kept(out))
    assert words.startswith("Balance: win rate of Scythia at 25.0% What brings the win rate of Scythia to 25%?")
    assert "combat" in line  # the change that is advised, or that is undecided
    assert line.rstrip(".").replace("`", "") in told
    assert "What to play tonight" in words


def test_a_fan_leader_and_a_fan_wonder_at_three_and_four_players(tmp_path):
    """B: both beside the printed game, at both tables; the answer says which holds at both."""
    out = tmp_path / "fan"
    told, _ = asked(
        ("compare", "printed", "seafarer", "crystal_palace", "--players", "3,4", "--games", 300, *BY_PLANNER, "--out", out),
        ("report", out, "--one-page"),
    )
    assert told.startswith("3 and 4 players, seed 1, strategies: planner; 1,800 games in all")
    by_table = standings(out)
    assert set(by_table) == {3, 4}
    first = open_kept(out).sentences[0]
    assert "at 3 and 4 players" in first
    # Whoever is not shown to be worse at both tables is named as possible, and whoever is worse at both as not the best.
    for name in by_table[3]:
        if all(by_table[n][name] is not Standing.NOT_BEST for n in (3, 4)):
            assert name in first
    words = hand_out(out)
    assert "at 3 and 4 players" in words


def rule(folder, name, text):
    (folder / f"{name.replace(' ', '_')}.yaml").write_text(f"name: {name}\n{text}\n", "utf-8")


def test_three_rules_with_two_variants_each(tmp_path):
    """C: a folder of six files beside the printed game; the sentence names the best, and those that could be as good."""
    folder, out = tmp_path / "rules", tmp_path / "best"
    folder.mkdir()
    for amount in (1, 2):
        rule(folder, f"combat {amount}", f"leaders: {{scythia: {{abilities: {{combat: {{amount: {amount}}}}}}}}}")
    for cost in (4, 9):
        rule(folder, f"Petra for {cost}", f"wonders: {{petra: {{cost: {cost}}}}}")
    for cards in (2, 4):
        rule(folder, f"{cards} cards", f"victory_cards: {{rules: {{base: {{cards_in_play: {cards}}}}}}}")
    compare = ("compare", "printed", folder, "--games", 400, "--until-best", *BY_PLANNER, "--out", out)
    told, _, as_json = asked(compare, ("report", out, "--one-page"), (*compare[:-2], "--json"))
    kept, named = open_kept(out), standings(out)[4]
    assert len(named) == 7
    first = kept.sentences[0]
    possible = [name for name, standing in named.items() if standing is not Standing.NOT_BEST]
    best_of_all = [name for name, standing in named.items() if standing in (Standing.BEST, Standing.AS_GOOD)]
    assert first.startswith(" and ".join(best_of_all)) if len(best_of_all) in (1, 2) else "could be the best" in first
    assert all(name in first for name in possible)
    assert first in told
    assert told.startswith("4 players, seed 1, strategies: planner; ")
    assert first.rstrip(".") in hand_out(out)
    answer = json.loads(as_json)
    assert answer["strategies"] == ["planner"]
    assert [row["standing"] for row in answer["rows"]] == [standing.value for standing in named.values()]
    assert len({rules["digest"] for rules in answer["rulesets"]}) == 7


def test_no_job_needs_more_than_the_commands_of_the_tutorial():
    text = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text("utf-8")
    jobs = text.partition("## Three jobs")[2].split("### ")[1:]
    commands = [re.findall(r"^newdawn .*$", job, re.M) for job in jobs]
    assert [0 < len(lines) <= MOST for lines in commands] == [True] * 3
