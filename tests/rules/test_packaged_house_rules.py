"""The worked examples of house rules: each is understood, does what its description says, and is found by its name."""

import numpy as np
import pytest
from click.testing import CliRunner

from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.engine.treatment import LEADER
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import describe_diff, load_ruleset
from newdawn.simulator.rules.load import packaged_names
from newdawn.simulator.rules.ruleset_contents import FIRST_OWN_CARD, written

PRINTED = load_ruleset()
EXAMPLES = packaged_names("house rules")

# name: what must hold for (the printed record, the changed record)
FACTS = {
    "america_head_start": lambda old, new: new.trade_tokens_start[names.AMERICA, : names.GROWTH].tolist() == [3] * 5,
    "cheaper_wonders": lambda old, new: (old.wonder_cost - new.wonder_cost)[: old.n_wonders].tolist() == [2] * 24,
    "choose_of_two_leaders": lambda old, new: (
        (old.leaders_dealt, new.leaders_dealt) == (1, 2)
        and np.argsort(new.leader_rank[:8]).tolist()[:2] == [names.SCYTHIA, names.AZTEC]
    ),
    "crystal_palace": lambda old, new: (new.n_wonders, new.wonder_cost[24], new.wonder_n[24]) == (25, 9, 2),
    "doubled_defence": lambda old, new: (old.city_defence_factor, new.city_defence_factor) == (2, 4),
    "draft_pool": lambda old, new: (new.leader_available.sum(), len(written(new, "leader"))) == (8, 13),
    "epic_game": lambda old, new: (old.victory_in_play, new.victory_in_play) == (3, 4),
    "first_come": lambda old, new: (
        (old.agenda_room.sum(), new.agenda_room[:5].tolist()) == (0, [[1, 1]] * 5) and new.claims_spared == 1
    ),
    "four_trade_tokens": lambda old, new: (old.max_trade, new.max_trade) == (3, 4),
    "kush": lambda old, new: (
        (len(written(old, "leader")), written(new, "leader")[-1]) == (18, "Kush")
        and new.card_level[new.card_unique.tolist().index(18)] == 2
    ),
    "last_goes_first": lambda old, new: (old.first_player, new.first_player) == (names.FIRST_STAYS, names.FIRST_BEHIND),
    "late_war": lambda old, new: (old.everyone_n[0], new.everyone_n[0], new.timed_abilities) == (0, 3, 1),
    "leader_draft": lambda old, new: (
        (old.leader_bans, new.leader_bans, new.leader_source, new.pick_order) == (0, 1, names.FROM_ALL_LEFT, names.IN_REVERSE)
        and np.argsort(new.leader_rank[:8]).tolist()[:2] == [names.SCYTHIA, names.AZTEC]
    ),
    "longer_dial": lambda old, new: (new.dial_last, np.flatnonzero(new.dial_level).tolist()) == (30, [4, 8, 13, 18, 24, 30]),
    "new_shores": lambda old, new: (
        (new.n_city_states, new.n_natural_wonders, new.tile_in_set[21], new.n_victory_cards) == (9, 9, 1, 6)
        and (new.natural_wonder_n[8], new.card_n[FIRST_OWN_CARD], new.agendas_beyond) == (1, 1, 1)
    ),
    "no_barbarians": lambda old, new: (old.tile_barbarian >= 0).sum() > 0 == (new.tile_barbarian >= 0).sum(),
    "no_attacks_on_capitals": lambda old, new: (old.may_attack.sum(), new.may_attack[:5].tolist()) == (5, [1, 1, 1, 1, 0]),
    "other_targets": lambda old, new: new.agenda_target[[0, 2, 3], 0].tolist() == [7, 12, 4],
    "peaceful_game": lambda old, new: (
        (old.fort_cards, new.fort_cards, new.victory_in_play) == (2, 0, 3)
        and (old.claims_spared, new.claims_spared) == (1, 0)
        and (old.win_check_after_dial, new.win_check_after_dial) == (0, 1)
    ),
    "scythia_hills_only": lambda old, new: True,
    "second_city_for_sumeria": lambda old, new: (
        old.start_bonus.sum() == 0 and new.start_bonus[LEADER + names.LEADERS.index("Sumeria")].tolist() == [1, 0, 0, 0, 1, 0]
    ),
    "seafarer": lambda old, new: (new.n_victory_cards, written(new, "agenda")[10:]) == (6, ["Hermit", "Seafarer"]),
    "smaller_map": lambda old, new: (
        (old.core_tiles, old.dealt_tiles, new.core_tiles, new.dealt_tiles) == (4, 2, 2, 1)
        and (new.core_natural_wonders, new.core_city_states) == (1, 1)
    ),
    "sturdy_capitals": lambda old, new: (old.city_defence_factor, new.city_defence_factor) == (2, 3),
    "teams_of_two": lambda old, new: (
        (old.partners, new.partners) == (names.NO_PARTNERS, names.OPPOSITE)
        and (old.claims_together, new.claims_together) == (0, 1)
    ),
    "three_gates_on_the_dial": lambda old, new: (
        np.flatnonzero(new.dial_level).tolist() == [8, 16, 24] and new.dial_level[[8, 16, 24]].tolist() == [2, 3, 4]
    ),
    "two_open_wonders": lambda old, new: (old.face_up_wonders, new.face_up_wonders) == (1, 2),
    "two_of_three": lambda old, new: (old.claims_spared, new.claims_spared, new.victory_in_play) == (0, 1, 3),
    "three_leaders": lambda old, new: written(new, "leader")[8:] == ["Atlantis", "Carthago", "Phoenicia"],
    "victory_points": lambda old, new: (
        (old.scored, new.scored, new.points_round, new.points_to_win) == (0, 1, 15, 20)
        and (old.printed_victory, new.printed_victory, old.points.sum(), new.points.sum()) == (1, 0, 0, 11)
    ),
    "weaker_scythia": lambda old, new: True,
    "wonder_draft": lambda old, new: (old.drafted_wonders, new.drafted_wonders) == (0, 1),
    "without_two_wonders": lambda old, new: int(old.wonder_available.sum() - new.wonder_available.sum()) == 2,
}


BOX = {"peaceful_game": "terra-incognita", "kush": "terra-incognita"}  # of those that are not for the base game


def test_there_are_enough_and_each_is_tested():
    assert len(EXAMPLES) >= 8
    assert sorted(FACTS) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_changes_what_it_says(name):
    printed = load_ruleset(box=BOX.get(name, "base"))
    ruleset = load_ruleset([name], box=printed.box)
    assert FACTS[name](printed.compile(), ruleset.compile())
    assert describe_diff(ruleset, printed)
    assert ruleset.name != name  # it has a title
    assert ruleset.descriptions


def test_no_barbarians_leaves_the_other_marks_and_only_the_trade_event():
    old, new = PRINTED.compile(), load_ruleset(["no_barbarians"]).compile()
    for field in ("tile_resource", "tile_natural_wonder", "tile_city_state", "tile_capital"):
        assert np.array_equal(old[field], new[field]), field
    assert int(np.asarray(old.event_icons).sum()) > int(np.asarray(new.event_icons).sum())


@pytest.mark.parametrize(("name", "field"), [("weaker_scythia", "ability_amount"), ("scythia_hills_only", "ability_terrain")])
def test_scythia_examples_change_scythia_only(name, field):
    old, new = PRINTED.compile(), load_ruleset([name]).compile()
    assert [key for key in old.dtype.names if np.any(old[key] != new[key])] == [field]
    assert np.flatnonzero(old[field] != new[field]).tolist() == [old.leader_first[names.SCYTHIA]]


def test_examples_are_named_on_the_command_line():
    result = CliRunner().invoke(main, ["rules", "check", "cheaper_wonders", "epic_game"])
    assert result.exit_code == 0, result.output
    assert "fine" in result.output


def test_a_file_in_the_folder_wins_over_an_example_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "epic_game").write_text("name: mine\nwonders: {petra: {cost: 3}}\n")
    assert load_ruleset(["epic_game"]).name == "mine"


def test_a_misspelt_example_is_corrected():
    with pytest.raises(UserError, match=r"did you mean 'cheaper_wonders'\?"):
        load_ruleset(["cheeper_wonders"])
