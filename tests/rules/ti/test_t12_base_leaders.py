"""What is particular about the leaders of the base game in Terra Incognita."""

import pytest
from leader_boards import board, march, play, visit
from table import BOTS, ti_rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, districts, turn, winning
from newdawn.simulator.engine.industry import wonder_cost
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.ruleset_contents import written

WIN, LOSE, TIE = (6, 1), (1, 6), (3, 3)


@pytest.mark.effect("America")
@pytest.mark.rule("T12.20")
def test_americas_natural_wonders_lie_on_any_card_of_the_row_beside_three_trade_tokens():
    t = board("America", "Egypt")
    t.natural_wonder("Pantanal", (0, 0))
    i = written(t.r, "natural_wonder").index("Pantanal")
    t.g.natural_wonder_holder[i] = -2
    t.g.dirty = 1
    growth = t.holder(0, "growth")
    t.trade(0, "growth", 3)
    t.script((decisions.NATURAL_WONDER_CARD, growth))
    winning.settle(t.r, t.g, t.w, BOTS)
    assert t.options(decisions.NATURAL_WONDER_CARD) == set(range(6))
    assert (t.g.natural_wonder_holder[i], t.trade_on(0, "growth")) == (growth, 3)


@pytest.mark.effect("America")
@pytest.mark.rule("T12.20")
@pytest.mark.rule("T4.1")
def test_americas_natural_wonder_reinforces_with_the_growth_card_once_a_turn_and_is_laid_anew():
    t = board("America", "Egypt")
    t.natural_wonder("Pantanal", (0, 0))
    i = written(t.r, "natural_wonder").index("Pantanal")
    t.g.natural_wonder_holder[i] = t.holder(0, "growth")
    t.token(0, (1, 0), (0, 1))
    t.script((decisions.REINFORCE, (1, 0)), (decisions.NATURAL_WONDER_CARD, t.holder(0, "growth")))
    t.resolve(0, "Sanitation", 1)
    assert t.piece((1, 0)) == "reinforced_token"
    assert t.piece((0, 1)) == "token"  # used this turn, although it lies there again
    assert t.g.natural_wonder_used[i] == 1


@pytest.mark.effect("America")
@pytest.mark.rule("T12.20")
def test_americas_natural_wonder_on_the_military_card_pays_in_attack_and_defence():
    for attacker in (0, 1):
        t = board("America", "Egypt")
        t.natural_wonder("Pantanal", (0, 0))
        i = written(t.r, "natural_wonder").index("Pantanal")
        t.g.natural_wonder_holder[i] = t.holder(0, "military")
        t.token(1 - attacker, (1, 0))
        t.army(attacker, (1, -1))
        pays = (decisions.COMBAT_SPEND, decisions.SPEND_ONE), (decisions.NATURAL_WONDER_CARD, t.holder(0, "growth"))
        combat = march(t, attacker, (1, 0), TIE, *pays, slot=1)
        assert (combat.attack, combat.defence) == ((5, 4) if attacker == 0 else (4, 5))
        assert t.asked_kinds().count("combat_spend") == 1
        assert t.g.natural_wonder_holder[i] == t.holder(0, "growth")


@pytest.mark.effect("Scythia")
@pytest.mark.rule("T12.21")
@pytest.mark.parametrize(
    ("prepare", "bonus"),
    [
        (lambda t: t.city_state("Seoul", (1, 0)), 3),
        (lambda t: t.fort((1, 0), 1), 0),
        (lambda t: t.army(1, (1, 0)), 3),
    ],
)
def test_scythia_fights_better_for_a_city_state_and_not_for_a_fort(prepare, bonus):
    t = board("Scythia", "Egypt")
    prepare(t)
    combat = march(t, 0, (1, 0), LOSE, slot=3)
    assert combat.attack == combat.attack_die + 3 + bonus


@pytest.mark.effect("Sumeria")
@pytest.mark.rule("T12.1")
def test_sumeria_gets_its_resource_for_a_barbarian_struck_by_an_encampment():
    for leader, resources in (("Sumeria", 1), ("Rome", 0)):
        t = board(leader, "Egypt")
        t.district(0, "Encampment", (1, 0))
        t.barbarian("A", (1, 1))
        t.script((decisions.DISTRICT_EFFECT, 0))
        t.call(districts.use_district, 0, names.ENCAMPMENT)
        assert t.g.resources[0].sum() == resources
        assert t.g.trade[0].sum() == 1


@pytest.mark.effect("Sumeria")
@pytest.mark.rule("T12.1")
@pytest.mark.parametrize(("option", "resources"), [("counts", 1), ("does_not_count", 0)])
def test_sumeria_gets_its_resource_for_a_barbarian_removed_by_currency(tmp_path, option, resources):
    t = board("Sumeria", "Egypt", rules=ti_rules_with(tmp_path, rulings={"epic_quest_currency": option}))
    t.barbarian("A", (1, 0))
    visit(t, 0, (1, 0), card="Currency")
    assert t.g.resources[0].sum() == resources


@pytest.mark.effect("Sumeria")
def test_sumerias_armies_bring_its_resource_as_well():
    t = board("Sumeria", "Egypt")
    t.barbarian("A", (1, 0))
    march(t, 0, (1, 0), WIN, (decisions.PLACE_TRADE, t.holder(0, "growth")), (decisions.GAIN_RESOURCE, 2))
    assert t.g.resources[0, 2] == 1


@pytest.mark.effect("Aztec")
@pytest.mark.parametrize(("dice", "swaps"), [(WIN, True), (LOSE, False)])
def test_the_aztec_swap_any_two_of_the_six_cards_after_a_military_card_that_won(dice, swaps):
    t = board("Aztec", "Egypt")
    t.token(1, (1, 0))
    t.dice(*dice)
    place = turn.place_of(t.r, t.g, 0, t.holder(0, "military"))
    more = [(decisions.SWAP_CARDS, 5)] if swaps else []
    play(t, place, (decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)), *more)
    assert len(t.options(decisions.SWAP_CARDS)) == (15 if swaps else 0)


@pytest.mark.effect("Japan")
@pytest.mark.parametrize(("leader", "enters"), [("Japan", True), ("Rome", False)])
def test_japans_armies_enter_mountains_by_the_sea_from_slot_3(leader, enters):
    t = board(leader, "Egypt", terrain={(1, 0): "mountain", (2, 0): "water", (-1, 0): "mountain"})
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 3)
    assert (t.at((1, 0)) in t.options(decisions.ARMY_TO)) == enters
    assert t.at((-1, 0)) not in t.options(decisions.ARMY_TO)


@pytest.mark.effect("Rome")
def test_rome_starts_caravans_in_any_own_city_and_armies_in_mature_ones():
    for leader, starts in (("Rome", True), ("Egypt", False)):
        t = board(leader, "France", radius=4)
        t.city(0, (-4, 4))
        t.script((decisions.CARAVAN, 0))
        t.resolve(0, "Foreign Trade", 5)
        assert (t.at((-4, 3)) in t.options(decisions.CARAVAN_TO)) == starts
        t.script((decisions.ARMY, 0))
        t.resolve(0, "Masonry", 5)
        assert t.options(decisions.ARMY_TO)
        assert t.at((-4, 3)) not in t.options(decisions.ARMY_TO)


@pytest.mark.effect("Egypt")
@pytest.mark.effect("France")
def test_egypt_and_france_have_their_powers_in_this_box():
    t = board("Egypt", "France")
    oracle = written(t.r, "wonder").index("Oracle")
    assert wonder_cost(t.r, t.g, 0, oracle) == wonder_cost(t.r, t.g, 1, oracle) - 1
    t.wonder("Oracle", (3, 0))
    t.script(*((decisions.PLACE_TOKEN, space) for space in ((2, 0), (2, 1), (3, -1))))
    t.resolve(1, "Early Empire", 1)
    assert t.g.space_count[1] == 1 + 3


def test_start_effects_know_every_deed():
    deeds = [effect for effect, deed in enumerate(codes.IS_DEED) if deed]
    kinds = [decisions.START_KIND[effect] for effect in (*deeds, codes.TRADE_BANK)]
    assert sorted(kinds) == list(range(len(decisions.START_EFFECTS)))
