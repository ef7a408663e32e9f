"""Files made to do harm, or made by mistake: one line names the place, at once; what a file says in vain is said."""

import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError
from newdawn.simulator.reading import yaml_of
from newdawn.simulator.rules import load_ruleset
from newdawn.strategies import profiles

NINES = "a: &a [1]\n" + "\n".join(
    f"{name}: &{name} [{', '.join([f'*{below}'] * 9)}]" for below, name in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMBS = {
    "aliases of aliases": (NINES + "\nwonders: {petra: {cost: *i}}", "stands for more than 100,000 values"),
    "an alias in itself": ("wonders: &w {petra: *w}", "expected no alias"),
    "brackets": ("wonders: " + "[" * 500, "nested too deeply"),
    "brackets beyond what the YAML library reads": ("wonders: " + "[" * 100_000, "nest"),  # newer ones refuse it themselves
    "nested mappings": ("wonders: " + "{a: " * 500 + "1" + "}" * 500, "nested too deeply"),
    "a long list": ("wonders: [" + "1," * 200_000 + "]", "too many values"),
    "a long text": ("name: " + "x" * 1_000_001, "more than 1,000,000 characters"),
    "5,000 digits": ("wonders: {petra: {cost: " + "9" * 5000 + "}}", "a number of 5000 characters, expected at most 40"),
    "5,000 hexadecimal digits": ("wonders: {petra: {cost: 0x" + "f" * 5000 + "}}", "a number of 5002 characters"),
    "30 digits": ("wonders: {petra: {cost: " + "9" * 30 + "}}", "expected at most"),
    "no day": ("wonders: {petra: {cost: 2026-13-45}}", "a value that cannot be read"),
    "no number": ("wonders: {petra: {cost: .nan}}", "expected a whole number"),
    "a list as a key": ("wonders: {[1, 2]: 3}", "not valid YAML"),
    "an object of Python's": ("wonders: !!python/object/apply:os.system [ls]", "not valid YAML"),
    "two documents": ("wonders: {}\n---\nwonders: {}", "not valid YAML"),
    "a zero byte": ("wonders: \0", "not valid YAML"),
    "nothing": ("", "expected a mapping"),
}


def call(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def refused(result):
    """Return the one line with which a command refused; it ended with code 2 and without a traceback."""
    assert result.exit_code == 2, result.output[-500:]
    assert len(result.output.strip().splitlines()) == 1
    assert len(result.output) < 2000
    return result.output


@pytest.mark.parametrize("bomb", BOMBS)
def test_house_rules_of_any_kind_are_refused_at_once(bomb, tmp_path):
    text, message = BOMBS[bomb]
    file = tmp_path / "bomb.yaml"
    file.write_bytes(text.encode())
    began = time.monotonic()
    assert message in refused(call("rules", "check", file))
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("bomb", ["aliases of aliases", "brackets", "5,000 digits"])
def test_so_are_maps_profiles_and_rules_to_compare(bomb, tmp_path):
    text, message = BOMBS[bomb]
    file = tmp_path / "bomb.yaml"
    file.write_text(text)
    assert message in refused(call("compare", "printed", file, "--games", 2))
    assert message in refused(call("run", "--map", file, "--games", 2, "--out", tmp_path / "run"))
    assert message in refused(call("run", "--strategies", file, "--games", 2, "--out", tmp_path / "run"))
    with pytest.raises(UserError):
        profiles.read(file)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no file without end")
def test_a_file_without_end_is_refused():
    assert "more than 1,000,000 characters" in refused(call("rules", "check", "/dev/zero"))


def test_aliases_that_stand_for_little_are_read():
    assert yaml_of("a: &one {b: [1, 2]}\nc: *one\nd: [*one, *one]", "a file") == {
        "a": {"b": [1, 2]}, "c": {"b": [1, 2]}, "d": [{"b": [1, 2]}, {"b": [1, 2]}],
    }  # fmt: skip


def test_a_description_changes_nothing_and_that_is_said(tmp_path):
    file = tmp_path / "rome.yaml"
    file.write_text('leaders: {rome: {effect: "Rome is now something else"}}')
    checked = call("rules", "check", file)
    assert checked.exit_code == 0
    assert "note: leaders.rome.effect: is only a description; it changes nothing in the game" in checked.output
    assert "note: these house rules change nothing" in checked.output
    assert "-> Rome is now something else (only a description)" in call("rules", "diff", file).output


def test_a_printed_value_changes_nothing_and_that_is_said(tmp_path):
    file = tmp_path / "same.yaml"
    printed = load_ruleset().data["wonders"]["petra"]["cost"]
    file.write_text(f"wonders: {{petra: {{cost: {printed}}}, pyramids: {{cost: 5}}}}")
    notes = load_ruleset([file]).notes
    assert notes == ("wonders.petra.cost: has its printed value; it changes nothing",)
    file.write_text("wonders: {petra: {cost: 5}}")
    assert load_ruleset([file]).notes == ()


def test_too_few_leaders_for_some_tables_are_said_before_a_run_fails(tmp_path):
    file = tmp_path / "few.yaml"
    banned = ("rome", "egypt", "aztec", "japan", "scythia")
    file.write_text(f"leaders: {{{', '.join(f'{leader}: {{available: false}}' for leader in banned)}}}")
    assert "note: leaders: 3 are available, 1 for each player: not enough for 4 players" in call("rules", "check", file).output


@pytest.mark.parametrize(("overlay", "nearest"), [("wonders: {petr: 1}", "petra"), ("city_states: {genewa: 1}", "geneva")])
def test_an_unknown_key_comes_with_the_list_and_the_nearest(tmp_path, overlay, nearest):
    file = tmp_path / "typo.yaml"
    file.write_text(overlay)
    line = refused(call("rules", "check", file))
    assert f"did you mean '{nearest}'?" in line
    assert all(key in line for key in load_ruleset().data[overlay.split(":")[0]])


def test_the_word_of_an_ability_is_no_description(tmp_path):
    file = tmp_path / "rome.yaml"
    file.write_text("leaders: {rome: {abilities: [{effect: combat, amount: 1, when: [defend]}]}}")
    assert load_ruleset([file]).notes == ()
    assert "leaders.rome.abilities.combat.effect: (none) -> combat\n" in call("rules", "diff", file).output
    assert "only a description" not in call("rules", "diff", file).output


def test_an_ability_or_condition_written_as_a_whole_needs_no_notes(tmp_path):
    file = tmp_path / "petra.yaml"
    file.write_text("wonders: {petra: {abilities: {combat: {effect: combat, amount: 3, when: [defend]}}}}")
    assert load_ruleset([file]).notes == ()
    file.write_text("wonders: {petra: {abilities: {combat: {amount: 2}}}}")
    assert load_ruleset([file]).notes == (
        "wonders.petra.abilities.combat.amount: has its printed value; it changes nothing",
        "these house rules change nothing",
    )


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ("leaders: {rome: {name: X}}", "unknown key: expected one of abilities, effect, start_row, available, ability_works, "
         "start_trade_tokens"),
        ("components: {matur_city: 3}", "unknown key: expected one of per_player, shared, limits, terrain_difficulty, "
         "production, caravan_arrival, combat, mature_city_gaps, wonder_decks, face_up_wonders, drafted_wonders, first_player, "
         "map_setup, leader_deal, start_bonus, focus_row_reset_to; did you mean 'mature_city_gaps'?"),
        ("components: {mature_city: 3}", "cannot be changed: with these rules the engine does not read it; expected one of "
         "per_player, shared,"),
        ("leaders: {rome: {leader: Caesar}}", "the engine does not read it; expected one of abilities, effect, start_row,"),
        ("leaders: {scythia: {abilities: {combat: {foo: 1}}}}", "unknown key: expected one of amount, terrain, works, if, "),
        ("leaders: {rome: {abilities: {combat: {amount: 1}}}}", "expected a new ability with its effect: {effect: combat, …}"),
        ("map: {foo: 1}", "unknown key: expected one of mode, core_layout"),
    ],
)  # fmt: skip
def test_only_keys_that_can_be_changed_are_proposed(tmp_path, overlay, said):
    file = tmp_path / "house.yaml"
    file.write_text(overlay)
    assert said in refused(call("rules", "check", file))
