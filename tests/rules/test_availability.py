"""Cards and agendas that house rules take out of the game."""

from __future__ import annotations

import numpy as np
import pytest
from table import Table, card_codes

from newdawn.simulator import names
from newdawn.simulator.engine import science
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.show import show
from newdawn.simulator.runs.run import Silent, play_range
from newdawn.simulator.runs.run_plan import plan_by

PRINTED = load_ruleset()


def without(**overlay):
    return with_overlay(PRINTED, overlay, "mine.yaml")


def test_nobody_can_take_a_focus_card_that_is_not_in_the_game():
    t = Table(radius=2, leaders=["Rome", "Egypt"])
    t.capital(0, (0, 0))
    t.capital(1, (2, 0))
    code = card_codes()["Currency"]
    assert any(t.w.option[i] // 8 == code for i in range(science.list_upgrades(t.r, t.g, t.w, 0, 0, 2, 0)))
    rules = without(focus_cards={"currency": {"available": False}})
    r = rules.compile()
    n = science.list_upgrades(r, t.g, t.w, 0, 0, 2, 0)
    assert n == 4
    assert not any(t.w.option[i] // 8 == code for i in range(n))
    assert "not in the game with these rules" in " ".join(show(rules, "Currency"))


def test_level_one_cards_stay():
    with pytest.raises(UserError, match=r"mine.yaml: focus_cards.base.pottery.available: cannot be false: every player begins"):
        without(focus_cards={"pottery": {"available": False}})


def test_a_card_with_one_agenda_out_shows_the_other_twice():
    rules = without(victory_cards={"explorer": {"available": False}})
    old, new = PRINTED.compile(), rules.compile()
    card = int(np.flatnonzero((old.agenda_name == names.AGENDAS.index("Explorer")).any(axis=1))[0])
    assert new.agenda_name[card].tolist() == [names.AGENDAS.index("Aesthetic")] * 2
    for field in ("agenda_metric", "agenda_target", "agenda_type", "agenda_metric2", "agenda_target2"):
        assert new[field][card, 0] == new[field][card, 1] == old[field][card, 1]
    changed = [field for field in old.dtype.names if np.any(old[field] != new[field])]
    assert all(field.startswith("agenda_") for field in changed)
    assert any("not in the game" in line for line in show(rules, "Explorer"))
    assert any("alone on one victory card" in line for line in show(rules, "Aesthetic"))


@pytest.mark.parametrize("name", ["Warmonger", "Explorer", "Scholarly"])
def test_nobody_claims_an_agenda_that_is_not_in_the_game(name):
    rules = without(victory_cards={name.lower(): {"available": False}})
    r = rules.compile()
    plan = plan_by(r, players=3, games=100, seed=2)
    rows = play_range(plan, r, 0, 60, Silent())
    claimed = set(rows.agendas["agenda"])
    assert names.AGENDAS.index(name) not in claimed
    assert len(claimed) >= 5
    assert (rows.games["ending"] == names.VICTORY).mean() > 0.9


def test_both_agendas_of_a_card_cannot_go():
    with pytest.raises(UserError, match="cannot be false for both agendas of a card: make the card itself unavailable"):
        without(victory_cards={"explorer": {"available": False}, "aesthetic": {"available": False}})


def test_the_number_of_an_agenda_that_is_out_cannot_be_changed():
    with pytest.raises(UserError, match="cannot be changed: with these rules the engine does not read it"):
        without(victory_cards={"explorer": {"available": False, "condition": {"at_least": 12}}})
