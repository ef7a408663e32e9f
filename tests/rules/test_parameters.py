"""The numbers of a ruleset: all of them, by their paths, and one step away."""

from __future__ import annotations

import numpy as np
import pytest

from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.edit import LEVEL_SPACES, Parameter, change, find, parameters, steps

PRINTED = load_ruleset()


def test_every_number_the_engine_reads_is_listed_with_its_value():
    found = {parameter.path: parameter.value for parameter in parameters(PRINTED)}
    assert found["wonders.petra.cost"] == PRINTED.data["wonders"]["petra"]["cost"]
    assert sum(path.startswith("wonders.") and path.endswith(".cost") for path in found) == 24
    assert found["leaders.egypt.abilities.wonder_cost.amount"] == -1
    assert found[f"{LEVEL_SPACES}.3"] == 3
    assert not any(path.endswith((".available", ".ability_works", ".name")) for path in found)
    assert "wonders.colosseum.cost" not in found  # of the expansion
    assert len(found) > 200


def test_patterns_choose():
    costs = parameters(PRINTED, ("wonders.*.cost",))
    assert len(costs) == 24
    both = parameters(PRINTED, ("wonders.*.cost", "dials.*"))
    assert len(both) > 30
    assert len(set(both)) == len(both)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("wonders.petr.cost", "wonders.petr: unknown key.*did you mean 'petra'"),
        ("wonders.petra.costs", "did you mean 'cost'"),
        ("wonder.petra.cost", "did you mean 'wonders'"),
        ("wonders.petra.name", "expected the path of a whole number, such as wonders.petra.cost; this is 'Petra'"),
        ("wonders.petra.available", "this is True"),
        ("wonders.petra", "expected a mapping"),
    ],
)
def test_an_unknown_path_is_named_with_the_nearest(path, message):
    with pytest.raises(UserError, match=message):
        find(PRINTED, path)
    with pytest.raises(UserError):
        parameters(PRINTED, (path,))


def test_a_pattern_that_fits_nothing_is_refused():
    with pytest.raises(UserError, match=r"no number of the ruleset matches wonder.\*; did you mean 'wonders.\*'"):
        parameters(PRINTED, ("wonder.*",))
    with pytest.raises(UserError, match=r"matches leaders.scythai.\*; did you mean 'leaders.scythia.\*'"):
        parameters(PRINTED, ("wonders.*.cost", "leaders.scythai.*"))  # one that fits does not hide one that does not
    with pytest.raises(UserError, match=r"matches x\*y; try 'wonders.\*.cost'"):
        parameters(PRINTED, ("x*y",))


def test_short_paths_of_overlays_are_understood():
    long = "victory_cards.base.explorer_aesthetic.agendas.explorer.condition.at_least"
    assert find(PRINTED, "victory_cards.explorer.condition.at_least") == Parameter(long, 15) == find(PRINTED, long)
    assert find(PRINTED, f"{LEVEL_SPACES}.3") == Parameter(f"{LEVEL_SPACES}.3", 3)


def test_a_step_is_a_tenth_at_least_one():
    assert [Parameter("", value).step for value in (0, 1, 7, 15, 24, 31, -20)] == [1, 1, 1, 2, 2, 3, 2]


def test_steps_are_the_legal_ones_around_the_value():
    def values(path, players=4):
        return [value for value, _ in steps(PRINTED, find(PRINTED, path), players)]

    assert values("wonders.petra.cost") == [6, 8]
    assert values("components.per_player.base.cities") == [6]  # more do not fit
    assert values("components.per_player.base.control_tokens") == [28, 34]
    assert values("components.limits.wonders_per_city") == []
    assert values("components.wonder_decks.base.2.ancient") == []  # no difference to four players
    assert values("components.wonder_decks.base.2.ancient", players=2) == [0, 2]
    assert values(f"{LEVEL_SPACES}.24") == [22]  # the dial ends there
    # Pottery's level cannot move: each level has one card of the type.
    assert values("focus_cards.base.pottery.level") == []


def test_only_the_number_changes():
    old = PRINTED.compile()
    new = change(PRINTED, {find(PRINTED, "wonders.petra.cost"): 9}).compile()
    assert [field for field in old.dtype.names if np.any(old[field] != new[field])] == ["wonder_cost"]
    moved = change(PRINTED, {find(PRINTED, f"{LEVEL_SPACES}.3"): 4}).compile()
    assert np.flatnonzero(moved.dial_level).tolist() == [4, 6, 10, 14, 19, 24]
    assert moved.dial_level[4] == old.dial_level[3]
    with pytest.raises(UserError, match="space 6 already has a level"):
        change(PRINTED, {find(PRINTED, f"{LEVEL_SPACES}.3"): 6})
    with pytest.raises(UserError, match=r"wonders.petra.cost = 0: wonders.petra.cost: expected at least 1"):
        change(PRINTED, {find(PRINTED, "wonders.petra.cost"): 0})
