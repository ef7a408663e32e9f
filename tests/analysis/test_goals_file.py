"""Goals files: what they mean, and that whatever is wrong is one line with file, place, expectation and nearest name."""

import pytest
from wished import GOALS, PRINTED, goals_file, goals_of

from newdawn.analysis.goals import games
from newdawn.analysis.goals.games import Space
from newdawn.analysis.goals.wishes import GOALS as TEMPLATE
from newdawn.analysis.goals.wishes import KINDS, read_goals
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay

ONE = "goals:\n  - {{figure: win-rate, of: Scythia, at_most: 30%}}\n"


def wrong(tmp_path, text):
    with pytest.raises(UserError) as error:
        Space.of(PRINTED, read_goals(goals_file(tmp_path, text), PRINTED))
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith(str(tmp_path / "goals.yaml"))
    assert error.value.file == str(tmp_path / "goals.yaml")
    return message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("goals:\n  - {{figure: winrate, at_most: 30%}}\n", ["goals.0.figure", "did you mean 'win-rate'"]),
        ("goals:\n  - {{figure: win-rate, of: Scythai, at_most: 30%}}\n", ["goals.0.of", "did you mean 'Scythia'"]),
        ("goals:\n  - {{figure: build-rate, ovf: Petra, at_most: 30%}}\n", ["goals.0.ovf", "unknown key", "did you mean 'of'"]),
        ("goals:\n  - {{figure: win-rate}}\n", ["goals.0", "has no band", "between"]),
        ("goals:\n  - {{figure: win-rate, between: [30%, 20%]}}\n", ["goals.0", "30.0% to 20.0% is not a band"]),
        ("goals:\n  - {{figure: win-rate, between: [20%]}}\n", ["goals.0.between", "at least 2"]),
        ("goals:\n  - {{figure: win-rate, at_most: 30}}\n", ["goals.0.at_most", "a share such as 25%", "got 30"]),
        ("goals:\n  - {{figure: median-length, at_most: 30%}}\n", ["goals.0.at_most", "a number of rounds"]),
        ("goals:\n  - {{figure: median-length, of: Petra, at_most: 30}}\n", ["goals.0.of", "does not use it"]),
        ("goals:\n  - {{figure: longer-than, at_most: 30%}}\n", ["goals.0.rounds", "is missing"]),
        ("goals:\n  - {{figure: government-rate, at_least: 5%}}\n", ["goals.0.figure", "unknown figure"]),
        ("goals:\n  - {{figure: matchup, of: Rome, against: Rome, at_most: 60%}}\n", ["goals.0", "two leaders"]),
        ("goals:\n  - {{figure: win-rate, players: 7, at_most: 60%}}\n", ["goals.0.players", "expected 2 to 4 players"]),
        (ONE + "  - {{figure: win-rate, of: Scythia, at_least: 40%}}\n", ["goals.1", "goals.0", "bands that meet"]),
        (ONE + "box: terra\n", ["box", "unknown box"]),
        (ONE + "ways: []\n", ["ways", "at least 1"]),
        (ONE + "change: {{}}\n", ["change", "unknown key", "did you mean 'changes'"]),
        (ONE + "changes: {{at_most: 0}}\n", ["changes.at_most", "at least 1"]),
        (ONE + "changes: {{numbers: [{{path: 'leader.*'}}]}}\n", ["changes.numbers.0.path", "no number"]),
        (ONE + "changes: {{numbers: [{{path: wonders.petra.cots}}]}}\n", ["changes.numbers.0.path", "did you mean 'cost'"]),
        (ONE + "changes: {{numbers: [{{path: wonders.petra.cost, from: 9, to: 4}}]}}\n", ["changes.numbers.0", "empty range"]),
        (ONE + "changes: {{words: [{{path: leaders.scythia.start_rwo}}]}}\n", ["changes.words.0.path", "did you mean"]),
        (ONE + "changes: {{numbers: [{{path: wonders.petra.cost, from: 40}}]}}\n", ["changes.numbers.0", "another legal"]),
        (ONE + "changes: {{leave: [leaders.roma.abilities]}}\n", ["changes.leave.0", "nothing", "did you mean 'leaders.rom"]),
        ("goals:\n  - {{figure: win-rate, at_least: 30%}}\n", ["goals.0", "every leader", "30.0%", "25.0%"]),
        ("goals:\n  - {{figure: seat-win-rate, between: [26%, 30%]}}\n", ["goals.0", "every seat", "25.0%"]),
        (
            "goals:\n  - {{figure: median-length, at_most: 16}}\n  - {{figure: longer-than, rounds: 20, at_least: 60%}}\n",
            ["goals.1", "goals.0", "bands that meet"],
        ),
        (
            "goals:\n  - {{figure: longer-than, rounds: 20, at_least: 30%}}\n"
            "  - {{figure: longer-than, rounds: 18, at_most: 20%}}\n",
            ["goals.0", "goals.1", "bands that meet"],
        ),
        ("goals:\n  - {{figure: skill, of: planner, at_least: 40%}}\n", ["goals.0", "`of` and `against`, a strategy each"]),
        (
            "goals:\n  - {{figure: skill, of: planer, against: random, at_least: 40%}}\n",
            ["goals.0.of", "did you mean 'planner'"],
        ),
        (
            "goals:\n  - {{figure: skill, of: random, against: Random, at_least: 40%}}\n",
            ["goals.0", "random against random; expected two strategies"],
        ),
        (
            "goals:\n  - {{figure: skill, of: quick, against: random, wanted: {{Rome: {{Egypt: 50%}}}}}}\n",
            ["goals.0.wanted", "does not use it"],
        ),
        (
            "players: 2\ngoals:\n  - {{figure: skill, of: quick, against: planner, at_least: 60%}}\n"
            "  - {{figure: skill, of: planner, against: quick, at_least: 45%}}\n",
            ["goals.0", "goals.1", "may add up to 100%"],
        ),
        (
            "goals:\n  - {{figure: matchup, of: Rome, against: Egypt, at_most: 40%}}\n"
            "  - {{figure: matchup, of: Egypt, against: Rome, between: [45%, 55%]}}\n",
            ["goals.0", "goals.1", "may add up to 100%"],
        ),
        (ONE + "budget: {{minutes: 5, games: 5000}}\n", ["budget", "expected one of the two"]),
        ("goals: []\n", ["goals", "at least 1"]),
        ("- 1\n", ["expected a mapping"]),
    ],
)  # fmt: skip
def test_wrong_goals_are_one_line(tmp_path, text, parts):
    message = wrong(tmp_path, text)
    for part in parts:
        assert part in message


def test_a_pattern_that_leaves_nothing_is_named_before_values_are_tried(tmp_path, monkeypatch):
    """To try the values of every number takes seconds."""
    monkeypatch.setattr(games, "changed", None)
    wrong(tmp_path, ONE + "changes: {{leave: [leaders.roma.abilities]}}\n")


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(UserError, match=r"goals.yaml: cannot read the goals: No such file"):
        read_goals(tmp_path / "goals.yaml", PRINTED)


def test_each_stands_for_all_and_players_for_each_number_of_them(tmp_path):
    text = (
        "players: [4, 2]\ngoals:\n  - {{figure: win-rate, between: [0.2, 30%]}}\n  - {{figure: seat-win-rate, at_least: 20%}}\n"
    )
    goals = goals_of(tmp_path, text=text)
    leaders = [wish for wish in goals.wishes if wish.kind.word == "win-rate"]
    assert len(leaders) == 16
    assert {(wish.low, wish.high) for wish in leaders} == {(0.2, 0.3)}
    places = [wish.title for wish in goals.wishes if wish.kind.word == "seat-win-rate"]
    assert len(places) == 6  # four places, and two
    assert goals.players == [4, 2]
    assert [entry.path for entry in goals.numbers] == ["leaders.*", "wonders.*"]


def test_a_table_of_leaders_is_a_wish_for_each_pair(tmp_path):
    text = "goals:\n  - {{figure: matchup, wanted: {{Scythia: {{Egypt: 55%, Rome: 0.5}}}}, within: 4%}}\n"
    wishes = goals_of(tmp_path, text=text).wishes
    assert [wish.title for wish in wishes] == [
        "wins of Scythia against Egypt",
        "wins of Scythia against Rome",
    ]
    assert wishes[0].low == pytest.approx(0.51)
    assert wishes[1].high == pytest.approx(0.54)


def test_a_later_entry_gives_numbers_another_price_and_some_are_left(tmp_path):
    text = ONE + (
        "changes:\n  numbers:\n    - {{path: 'wonders.*.cost', by: 1}}\n"
        "    - {{path: wonders.petra.cost, from: 6, to: 9, price: 3}}\n"
        "  leave: [wonders.colossus.*]\n"
    )
    space = Space.of(PRINTED, goals_of(tmp_path, text=text))
    by_name = {choice.lever.name: choice for choice in space.choices}
    assert by_name["wonders.petra.cost"].price == 3
    assert by_name["wonders.petra.cost"].values == (6, 8, 9)
    assert by_name["wonders.oracle.cost"].values == (7, 9)
    assert "wonders.colossus.cost" not in by_name


@pytest.mark.parametrize("box", ["base", "terra-incognita"])
def test_the_template_is_read_with_every_line_of_it(tmp_path, box):
    path = tmp_path / "goals.yaml"
    lines = TEMPLATE.format(name="mine").splitlines()
    goals = "\n".join(line.replace("# - {", "- {") if line.strip().startswith("# - {") else line for line in lines)
    path.write_text(goals.replace("# box: terra-incognita", f"box: {box}"), "utf-8")
    found = read_goals(path, load_ruleset(box=box))
    named = {wish.kind.word for wish in found.wishes}
    assert named >= {kind.word for kind in KINDS.values() if not kind.expansion} - {"unique-card-rate"}
    assert found.others == ("quick",)


def test_blocks_and_their_numbers_are_not_changed_together(tmp_path):
    text = ONE + "changes: {{numbers: [{{path: 'leaders.america.start_trade_tokens.*'}}]}}\n"
    space = Space.of(PRINTED, goals_of(tmp_path, text=text))
    block = next(at for at, choice in enumerate(space.choices) if len(choice.lever.parameters) == 5)
    other = next(at for at, choice in enumerate(space.choices) if len(choice.lever.parameters) == 1)
    assert space.point([(other, 1), (block, 2)]) == ((other, 1),)


def test_the_known_goals_are_read(tmp_path):
    assert len(goals_of(tmp_path, text=GOALS).wishes) == 5


def test_lists_orders_and_switches_may_change_too(tmp_path):
    text = ONE + (
        "changes:\n  numbers: [{{path: leaders.scythia.abilities.combat.amount}}]\n"
        "  words: [{{path: 'leaders.scythia.abilities.*', price: 2}}, {{path: leaders.scythia.start_row}}]\n"
    )
    space = Space.of(PRINTED, goals_of(tmp_path, text=text))
    terrain = "leaders.scythia.abilities.combat.terrain"
    by_name = {choice.lever.name: at for at, choice in enumerate(space.choices)}
    hills, grassland = by_name[f"{terrain} = [hills]"], by_name[f"{terrain} = [grassland]"]
    assert space.price(((hills, 1),)) == 2
    assert space.point([(hills, 1), (grassland, 1)]) == ((hills, 1),)  # one list has one value
    both = space.point([(hills, 1), (by_name["leaders.scythia.abilities.combat.amount"], 1)])
    rules = space.ruleset_of(both)
    assert (rules.data["leaders"]["scythia"]["abilities"]["combat"]) == PRINTED.data["leaders"]["scythia"]["abilities"][
        "combat"
    ] | {"amount": 1, "terrain": ["hills"]}
    assert with_overlay(PRINTED, space.overlay(both), "both").digest() == rules.digest()
    assert any("hills" in note for note in space.notes(both))
    assert sum(name.startswith("leaders.scythia.start_row = ") for name in by_name) == 10
    assert space.at_ends(((hills, 1),)) == []


def test_without_entries_all_on_the_cards_of_leaders_and_wonders_may_change(tmp_path):
    goals = goals_of(tmp_path, text=ONE)
    assert [[entry.path for entry in entries] for entries in (goals.numbers, goals.words)] == [["leaders.*", "wonders.*"]] * 2
    only = goals_of(tmp_path, text=ONE + "changes: {{words: [{{path: 'leaders.*'}}]}}\n")
    assert (only.numbers, [entry.path for entry in only.words]) == ((), ["leaders.*"])


def test_files_of_house_rules_are_changes_too(tmp_path):
    (tmp_path / "dear.yaml").write_text("name: dear Petra\nwonders: {petra: {cost: 9}, oracle: {cost: 9}}\n", "utf-8")
    text = ONE + (
        "changes:\n  numbers: [{{path: wonders.petra.cost}}, {{path: leaders.scythia.abilities.combat.amount}}]\n"
        "  files: [{{path: dear.yaml, price: 2}}, {{path: weaker_scythia}}]\n"
    )
    space = Space.of(PRINTED, goals_of(tmp_path, text=text))
    by_name = {choice.lever.name: at for at, choice in enumerate(space.choices)}
    dear, petra, weaker = by_name[str(tmp_path / "dear.yaml")], by_name["wonders.petra.cost"], by_name["weaker_scythia"]
    assert space.price(((dear, 1),)) == 2
    assert space.point([(dear, 1), (petra, 5)]) == ((dear, 1),)  # both say what Petra costs
    both = space.point([(dear, 1), (weaker, 1)])
    rules = space.ruleset_of(both)
    assert [rules.data["wonders"][name]["cost"] for name in ("petra", "oracle")] == [9, 9]
    assert rules.data["leaders"]["scythia"]["abilities"]["combat"]["amount"] == 1
    assert with_overlay(PRINTED, space.overlay(both), "both").digest() == rules.digest()
    with_number = space.point([(dear, 1), (by_name["leaders.scythia.abilities.combat.amount"], 2)])
    assert space.ruleset_of(with_number).data["leaders"]["scythia"]["abilities"]["combat"]["amount"] == 2
    assert any("Petra" in note and "Oracle" in note for note in space.notes(both))
    assert space.at_ends(both) == []


def test_a_file_that_cannot_be_taken_is_named_with_its_place(tmp_path):
    text = ONE + "changes: {{files: [{{path: weaker_scythai}}]}}\n"
    message = wrong(tmp_path, text)
    assert "changes.files.0.path" in message
    assert "weaker_scythia" in message
