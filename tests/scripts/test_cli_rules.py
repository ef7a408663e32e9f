"""`newdawn rules`: show, coverage and disputes."""

import json

import pytest
import yaml
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.scripts.cli.rules import DOUBTS
from newdawn.simulator import names
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.printed_game import ruling_options
from newdawn.simulator.rules.show import KINDS, doubts, other_ruleset, statements, subjects


def call(*arguments, code=0):
    result = CliRunner().invoke(main, ["rules", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def show(*words):
    return call("show", *words).stdout


@pytest.fixture
def house(tmp_path):
    def write(**overlay):
        path = tmp_path / "house.yaml"
        path.write_text(yaml.safe_dump(overlay), "utf-8")
        return path

    return write


# --- show


def test_everything_printed_can_be_shown():
    data = load_ruleset().data
    found = {subject.name for subject in subjects(data)}
    cards = {card["name"] for card in data["focus_cards"]["base"].values()}
    assert {
        *cards,
        *names.LEADERS,
        *names.WONDERS,
        *names.CITY_STATES,
        *names.DIPLOMACY_CARDS,
        *names.NATURAL_WONDERS,
        *names.AGENDAS,
        *names.EVENT_ICONS[:3],
    } <= found
    assert {*statements(), *ruling_options(), "tech dial", "event dial", "B8", "Warmonger / Paranoid"} <= found


def test_every_subject_is_described_without_a_gap():
    ruleset = load_ruleset()
    r = ruleset.compile()
    for subject in subjects(ruleset.data):
        lines = subject.describe(r)
        assert lines, subject.name
        assert all(line.strip() and "none," not in line for line in lines), subject.name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Petra", ["cost 7, paid with oil or diamond", "+2 defending", "petra_barred_barbarian"]),
        ("Currency", ["2 caravans, up to 4 steps", "it may use the rest of its steps"]),
        ("Iron Working", ["2 attacks within 3", "+1, against barbarians +3"]),
        ("Nationalism", ["1, 2, 3, 4 and 7", "within 4"]),
        ("Egypt", ["cost of world wonders: −1", "Wonders are 1 cheaper."]),
        ("brussels", ["industry", "−1 for each own mature city", "12A space 0"]),
        ("joint_war", ["+2 attacking, not against the giver"]),
        ("Warmonger", ["1 or more rival capitals defeated, or 2 or more conquered city-states"]),
        ("civilized / money grubber", ["Civilized: 8 or more cities", "2 or more world wonders of type economy"]),
        ("tech dial", ["from 0 to 24", "after 24 is 15", "19: level IV"]),
        ("event dial", ["section 4: trade", "section 2: nothing"]),
        ("trade", ["1 trade token for each own mature city", "section 4"]),
        ("Crater Lake", ["mercury", "2B space 1"]),
        ("win_check", ["in force: after_event_dial"]),
        ("b9.6", ["city state defence: 8", "Military"]),
        ("B3.3a", ["switch win_check: after_event_dial"]),
        ("T4.1", ["T4 Growth cards and districts"]),
        ("B8", ["B8.1", "B8.7"]),
    ],
)
def test_show_says_what_the_engine_believes(name, words):
    shown = show(name)
    assert all(word in shown for word in words), shown


def test_show_draws_a_tile():
    both, one = show("tile", "12"), show("12b")
    assert all(word in both for word in ("side A", "side B", "city-state Brussels", "city-state Seoul", "barbarian H"))
    assert "side A" not in one
    assert one.index("9 grassland") < one.index("7 forest") < one.index("0 grassland") < one.index("3 forest")


def test_show_reads_house_rules(house):
    file = house(wonders={"petra": {"cost": 9}}, components={"limits": {"trade_tokens_per_focus_card": 5}})
    shown = show("Petra", "--rules", file)
    assert "cost 9, paid" in shown
    assert "the printed game:\n  cost 7, paid" in shown
    assert "max trade: 5" in show("B13.1", "--rules", file)
    assert "house rules" not in show("Colossus", "--rules", file)


def test_show_reads_a_chosen_ruling(house):
    file = house(rulings={"petra_barred_barbarian": "stays", "win_check": "before_event_dial"})
    assert "stays where it is" in show("Petra", "--rules", file)
    assert "in force: before_event_dial" in show("win_check", "--rules", file)


def test_show_says_what_is_out_of_the_game(house):
    file = house(
        wonders={"petra": {"available": False}},
        leaders={"rome": {"available": False}, "egypt": {"ability_works": False}},
        victory_cards={"warmonger_paranoid": {"available": False}},
    )
    assert "not in the game" in show("Petra", "--rules", file)
    assert "not in the game" in show("Rome", "--rules", file)
    assert "does not work" in show("Egypt", "--rules", file)
    assert "not in the game" in show("Paranoid", "--rules", file)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Petr", "did you mean 'Petra'?"),
        ("B14.22", "did you mean 'B14.2'?"),
        ("tile 22", "unknown tile 22: expected 1 to 16"),
        ("17A", "unknown tile 17 (it is in the box terra-incognita"),
        ("China", "'China' is in the box terra-incognita: add --box terra-incognita"),
        ("???", "unknown name '???'"),
    ],
)
def test_show_of_an_unknown_name_is_one_line(name, message):
    result = call("show", *name.split(), code=2)
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


# --- coverage


@pytest.fixture
def tests(tmp_path):
    def write(*markers):
        lines = ["import pytest", *(f"@pytest.mark.{marker}" for marker in markers), "def test_a(): ..."]
        (tmp_path / "test_a.py").write_text("\n".join(lines), "utf-8")
        return tmp_path

    return write


def test_coverage_shows_tests_and_gaps_and_fails(tests):
    folder = tests('rule("B8.4")', 'effect("Petra")')
    shown = call("coverage", "--tests", folder, code=1).stdout
    assert f"B8.4: Cities never stand beside a city or a city-state.\n      {folder.name}/test_a.py::test_a" in shown
    assert shown.count("NO TEST") == 153
    assert "2 of 155 entries are proven by tests; without a test: B1.1, " in shown


def test_coverage_succeeds_when_everything_is_proven(tests):
    from newdawn.simulator.rules.coverage import expected

    folder = tests(*(f"{entry.marker}({entry.name!r})" for entry in expected()))
    assert "155 of 155 entries are proven by tests\n" in call("coverage", "--tests", folder).stdout


def test_coverage_formats_hold_the_same_entries(tests):
    folder = tests('rule("B8.4")')
    found = json.loads(call("coverage", "--tests", folder, "--format", "json", code=1).stdout)
    markdown = call("coverage", "--tests", folder, "--format", "markdown", code=1).stdout.splitlines()
    rows = [line.split(" | ") for line in markdown if line.startswith("| ")][2:]
    assert [row[1] for row in rows] == [entry["name"] for entry in found["entries"]]
    assert len(found["uncovered"]) == 154
    assert [entry["tests"] for entry in found["entries"] if entry["proven"]] == [[f"{folder.name}/test_a.py::test_a"]]


def test_coverage_names_unknown_markers(tests):
    result = call("coverage", "--tests", tests('effect("Petro")'), code=2)
    assert "unknown effect 'Petro' in a marker; did you mean 'Petra'?" in result.stderr


def test_coverage_without_tests_is_one_line(tmp_path):
    result = call("coverage", "--tests", tmp_path / "missing", code=2)
    assert "no test files" in result.stderr
    assert len(result.stderr.splitlines()) == 1


# --- disputes


def test_disputes_lists_every_ruling_and_dispute():
    shown = call("disputes").stdout
    notes = load_ruleset().data["disputes"]
    for key, ruling in ruling_options().items():
        others = [option for option in ruling["options"] if option != ruling["default"]]
        assert all(f"\n{key}\n" in shown or f"\n{key}: {option}\n" in shown for option in others)
    assert all(f"\n{entry['what']}\n" in shown for entry in notes["general"])
    assert all(f"\n{e['tile']}{e['side']} space {e['space']}\n" in shown for e in notes["tile_spaces"])


def test_disputes_name_the_switch():
    shown = call("disputes", "--only", "Oxford University cost", "--only", "Petra, barred barbarian").stdout
    assert "switch: wonders.oxford_university.cost: 9" in shown
    assert "switch: rulings.petra_barred_barbarian, see there" in shown


def test_disputes_formats():
    found = json.loads(call("disputes", "--format", "json").stdout)
    assert len(found) == len(doubts(load_ruleset()))
    assert {"kind", "name", "chosen", "other", "changes_play", "switch"} <= set(found[0])
    assert len(call("disputes", "--format", "markdown").stdout.splitlines()) == len(found) + 2


def test_disputes_show_what_house_rules_chose(house):
    file = house(rulings={"win_check": "before_event_dial"})
    shown = call("disputes", "--only", "win_check", "--rules", file).stdout
    assert "chosen: before_event_dial" in shown
    assert "switch: rulings.win_check: after_event_dial" in shown


def test_an_unknown_dispute_is_one_line():
    result = call("disputes", "--only", "win_chek", code=2)
    assert "did you mean 'win_check'?" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_dispute_without_a_switch_cannot_be_measured():
    result = call("disputes", "--games", 2, "--only", "Kabul diplomacy", code=2)
    assert "'Kabul diplomacy' cannot be played the other way: none: which targets" in result.stderr


def test_each_doubt_that_changes_play_has_a_switch_or_a_reason():
    for doubt in [doubt for box in names.BOXES for doubt in doubts(load_ruleset(box=box))]:
        if doubt.play == "changes":
            assert doubt.overlay or doubt.ruling or doubt.note, doubt.name
        else:
            assert doubt.overlay is None, doubt.name
        assert not doubt.ruling or doubt.ruling in {**ruling_options(names.BOXES[0]), **ruling_options(names.BOXES[1])}


@pytest.mark.parametrize("box", [names.BOXES[0], pytest.param(names.BOXES[1], marks=pytest.mark.soak)])
def test_every_other_reading_is_a_valid_house_rule_that_changes_the_compiled_rules(box, tmp_path):
    printed = load_ruleset(box=box)
    before = printed.compile().tobytes()
    file = tmp_path / "other.yaml"
    for doubt in doubts(printed):
        if doubt.overlay is None:
            continue
        other = other_ruleset(printed, doubt)
        assert other.compile().tobytes() != before, doubt.name
        file.write_text(yaml.safe_dump(doubt.overlay), "utf-8")
        assert load_ruleset([file], box=box).digest() == other.digest(), doubt.name


def test_disputes_measures_both_readings_on_the_same_seeds():
    arguments = ("disputes", "--games", 6, "--players", 2, "--strategies", "random", "--round-cap", 20, "--jobs", 1)
    chosen = ("--only", "barbarian_order", "--only", "Tech dial after 24")
    found = json.loads(call(*arguments, *chosen, "--format", "json").stdout)
    assert {row["doubt"] for row in found} == {"barbarian_order", "Tech dial after 24"}
    assert {"games that differ", "mean length (rounds)", "median length (rounds)"} <= {row["measure"] for row in found}
    assert all(row["change_low"] <= row["change"] <= row["change_high"] for row in found if row["n"] > 1)
    table = call(*arguments, *chosen).stdout
    assert "6 games of 2 players with each reading, seed 1, strategies random" in table
    short = call(*arguments, *chosen, "--summary", "--format", "markdown").stdout.splitlines()
    assert short[2].startswith("| doubt | other reading | games that differ, % | mean length, rounds |")
    assert len(short) == 6


def test_disputes_of_one_kind():
    assert KINDS == DOUBTS
    found = json.loads(call("disputes", "--box", "terra-incognita", "--kind", "ruling", "--format", "json").stdout)
    assert {row["kind"] for row in found} == {"ruling"}
    assert {"setup_holes", "amundsen_needs_city"} <= {row["name"] for row in found}


WRONG = """name: bad
wonders:
  petra: {cost: many, cots: 3}
  petraa: {cost: 3}
components: {combat: {dice: 7}}
victory_cards: {rules: {cards_in_play: 9}}
leaders:
  Atlantis: {name: Atlantis, start_row: [science], abilities: []}
"""


def test_check_tells_all_errors_at_once(tmp_path):
    bad, good, not_yaml = tmp_path / "bad.yaml", tmp_path / "good.yaml", tmp_path / "not.yaml"
    bad.write_text(WRONG)
    good.write_text("wonders: {pyramids: {cost: 5}}\n")
    not_yaml.write_text("a: [")
    result = CliRunner().invoke(main, ["rules", "check", str(bad), str(good), str(not_yaml)])
    assert result.exit_code == 2
    *lines, last = result.stderr.splitlines()
    assert last == f"error: {len(lines)} errors, each as if those above were taken out"
    fields = ("wonders.petra.cots", "wonders.petraa", "wonders.petra.cost", "components.combat.dice",
              "victory_cards.rules.base.cards_in_play", "leaders.Atlantis")  # fmt: skip
    for field in fields:
        assert sum(line.startswith(f"{bad}: {field}") for line in lines) == 1, field
    assert sum(line.startswith(str(not_yaml)) for line in lines) == 1
    assert len(lines) == len(fields) + 1
    assert bad.read_text() == WRONG


def test_what_is_missing_because_it_was_taken_out_is_no_error_of_its_own(tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("wonders: {Atlantis Gate: {name: Atlantis Gate, type: none, era: ancient, cost: 5, abilities: []}}\n")
    result = CliRunner().invoke(main, ["rules", "check", str(bad)])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"error: {bad}: wonders")


def test_check_lists_the_errors_for_programs(tmp_path):
    (tmp_path / "bad.yaml").write_text(WRONG)
    result = CliRunner().invoke(main, ["rules", "check", str(tmp_path / "bad.yaml"), "--json"])
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert not found["fine"]
    assert {error["field"] for error in found["errors"]} >= {"wonders.petra.cots", "components.combat.dice"}
