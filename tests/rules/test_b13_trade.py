"""B13: trade tokens."""

from functools import partial

import pytest
from table import PASS, Table, bare_state, printed_rules, rules_with, table_with, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import culture, decisions, trade
from newdawn.simulator.engine.choosing import LOG_COMBAT

KINDS = ("culture", "science", "economy", "industry", "military")

board = partial(table_with, (0, 0), radius=4, leaders=("Egypt", "Aztec"))


def visit_city_state(t):
    t.city_state("Seoul", (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.TAKE_DIPLOMACY, PASS))
    t.resolve(0, "Foreign Trade", slot=1)


def visit_rival(t, *cards):
    t.city(1, (2, 0))
    t.script(
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (2, 0)),
        *((decisions.PLACE_TRADE, h) for h in cards),
        (decisions.TAKE_DIPLOMACY, PASS),
    )
    t.resolve(0, "Foreign Trade", slot=1)


# --- B13.1


@pytest.mark.rule("B13.1")
@pytest.mark.parametrize(("before", "after"), [(0, 2), (1, 3), (2, 3), (3, 3)])
def test_at_most_three_on_a_card_and_the_excess_is_lost(before, after):
    t = board()
    t.trade(0, "science", before)
    visit_city_state(t)
    assert t.trade_on(0, "science") == after
    assert t.g.trade[0].sum() == after  # nothing goes to another card


@pytest.mark.rule("B13.1")
def test_a_full_card_takes_no_freely_placed_token():
    t = board()
    t.trade(0, "culture", 3)
    t.trade(0, "science", 2)
    visit_rival(t, names.SCIENCE, names.ECONOMY)
    assert t.options(decisions.PLACE_TRADE, nth=0) == {names.SCIENCE, names.ECONOMY, names.INDUSTRY, names.MILITARY}
    assert t.options(decisions.PLACE_TRADE, nth=1) == {names.ECONOMY, names.INDUSTRY, names.MILITARY}
    assert t.trade_on(0, "science") == 3
    assert t.trade_on(0, "economy") == 1


@pytest.mark.rule("B13.1")
def test_with_every_card_full_freely_placed_tokens_are_lost():
    t = board()
    for kind in KINDS:
        t.trade(0, kind, 3)
    t.city(1, (2, 0))
    t.script(
        (decisions.SPEND_TRADE, 0), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.TAKE_DIPLOMACY, PASS)
    )
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.g.trade[0].sum() == 15
    assert "place_trade" not in t.asked_kinds()


@pytest.mark.rule("B13.1")
def test_a_card_has_room_for_so_many_trade_tokens():
    r = printed_rules()
    for kind in (-1, 0, 3):
        g, w = bare_state(), used_work()
        for h in range(5):
            g.card[1, h] = h * names.N_LEVELS
        g.trade[1, :6] = (0, r.max_trade, 0, r.max_trade - 1, 0, 0)
        expected = [h for h in (0, 2, 3, 4) if kind in (-1, h)]
        assert trade.list_room(r, g, w, 1, kind) == len(expected)
        assert w.option[: len(expected)].tolist() == expected


# --- B13.2: what a token does on each card, and that only the card's own tokens count


@pytest.mark.rule("B13.2")
@pytest.mark.parametrize("kind", ["culture", "science"])
def test_culture_one_more_control_token(kind):
    t = board()
    t.trade(0, kind, 1)
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (0, 1)),
        *([(decisions.PLACE_TOKEN, (-1, 1))] if kind == "culture" else []),
    )
    t.resolve(0, "Early Empire", slot=1)
    assert t.g.space_count[0] - 1 == (3 if kind == "culture" else 2)
    assert t.asked_kinds().count("place_token") == (3 if kind == "culture" else 2)
    assert t.trade_on(0, kind) == (0 if kind == "culture" else 1)


@pytest.mark.rule("B13.2")
@pytest.mark.parametrize("spent", [0, 1, 2])
def test_science_one_more_dial_space(spent):
    t = board()
    t.trade(0, "science", 2)
    t.trade(0, "culture", 3)
    t.script((decisions.SPEND_TRADE, spent))
    t.resolve(0, "Astrology", slot=4)
    assert t.options(decisions.SPEND_TRADE) == {0, 1, 2}
    assert t.g.dial[0] == 4 + spent
    assert t.trade_on(0, "science") == 2 - spent
    assert t.trade_on(0, "culture") == 3


@pytest.mark.rule("B13.2")
@pytest.mark.parametrize(("kind", "reach"), [("economy", 4), ("industry", 3)])
def test_economy_one_more_space_for_caravans(kind, reach):
    t = Table(spaces=[(q, 0) for q in range(9)], leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.trade(0, kind, 1)
    t.script(
        *([(decisions.SPEND_TRADE, 1)] if kind == "economy" else []), (decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0))
    )
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.options(decisions.CARAVAN_TO) == t.spaces(*((q, 0) for q in range(1, reach + 1)))
    assert t.trade_on(0, kind) == (0 if kind == "economy" else 1)


@pytest.mark.rule("B13.2")
@pytest.mark.parametrize(("kind", "built"), [("industry", True), ("military", False)])
def test_industry_one_more_production(kind, built):
    t = board()
    t.g.current = 1
    t.capital(1, (4, 0))
    t.deck("Stonehenge")
    t.trade(1, kind, 2)
    stonehenge = decisions.WONDER_OPTION + names.WONDERS.index("Stonehenge")
    t.script(*([(decisions.INDUSTRY, stonehenge)] if built else []))
    t.resolve(1, "Pottery", slot=5)  # 5 + 2 = 7
    assert t.controls(1, "Stonehenge") == built
    assert t.trade_on(1, kind) == (0 if built else 2)


@pytest.mark.rule("B13.2")
def test_industry_tokens_widen_no_city_distance_and_ease_no_terrain():
    t = Table(spaces=[(q, 0) for q in range(6)], leaders=("Egypt", "Aztec"), terrain={(2, 0): "hills"})
    t.capital(0, (0, 0))
    t.trade(0, "industry", 3)
    t.script()
    t.resolve(0, "Pottery", slot=1)
    assert t.options(decisions.INDUSTRY) == set()
    assert t.trade_on(0, "industry") == 3


def combat(attacker_spends=(), defender_spends=(), attacker_kind="military", defender_kind="military", reinforced=False):
    """Seat 0 attacks a token of seat 1 on grassland from slot 2; return the table and both totals without the dice."""
    t = board()
    t.token(1, (2, 0), reinforced=reinforced)
    t.trade(0, attacker_kind, 3)
    t.trade(1, defender_kind, 3)
    t.dice(1, 6)
    spends = [*((decisions.SPEND_TRADE, n) for n in attacker_spends), *((decisions.SPEND_TRADE, n) for n in defender_spends)]
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)), *spends)
    t.resolve(0, "Masonry", slot=2)
    rows = [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_COMBAT]
    _, _, attack_die, attack, defence_die, defence, _ = rows[0]
    return t, attack - attack_die, defence - defence_die


@pytest.mark.rule("B13.2")
@pytest.mark.rule("B9.7")
@pytest.mark.parametrize(("attacker", "defender"), [(0, 0), (2, 0), (0, 3), (1, 2)])
def test_military_one_more_in_attack_and_defence(attacker, defender):
    t, attack, defence = combat([attacker], [defender])
    assert (attack, defence) == (2 + attacker, 1 + defender)
    assert t.trade_on(0, "military") == 3 - attacker
    assert t.trade_on(1, "military") == 3 - defender
    seats = [seat for kind, seat, _ in t.asked() if kind == decisions.SPEND_TRADE]
    assert seats == [0, 1]  # the attacker first


@pytest.mark.rule("B13.2")
@pytest.mark.parametrize("kind", ["culture", "science", "economy", "industry"])
def test_only_tokens_of_the_military_card_fight(kind):
    t, attack, defence = combat(attacker_kind=kind, defender_kind=kind)
    assert (attack, defence) == (2, 1)
    assert "spend_trade" not in t.asked_kinds()
    assert t.trade_on(0, kind) == t.trade_on(1, kind) == 3


@pytest.mark.rule("B13.2")
def test_military_tokens_do_not_reinforce():
    t = board()
    t.token(0, (1, 0), (0, 1))
    t.trade(0, "military", 3)
    t.script((decisions.MILITARY, 0), (decisions.REINFORCE, (1, 0)))
    t.resolve(0, "Masonry", slot=1)
    assert t.piece((1, 0)) == "reinforced_token"
    assert t.piece((0, 1)) == "token"
    assert t.trade_on(0, "military") == 3


@pytest.mark.rule("B13.2")
@pytest.mark.rule("B4.3")
def test_no_more_than_lie_on_the_card_can_be_spent():
    t = board()
    t.trade(0, "science", 1)
    t.trade(1, "science", 3)
    t.script((decisions.SPEND_TRADE, 1))
    t.resolve(0, "Astrology", slot=1)
    assert t.options(decisions.SPEND_TRADE) == {0, 1}
    assert t.trade_on(1, "science") == 3
    assert t.g.dial[0] == 2


def test_by_a_house_rule_a_trade_token_places_two(tmp_path):
    pays_two = {"trade_token_effect": {"culture": {"control_tokens": 2}}}
    t = table_with((0, 0), rules=rules_with(tmp_path, focus_cards=pays_two))
    t.trade(0, "culture", 1)
    around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)]
    free = int(t.r.card_tokens[t.g.card[0, names.CULTURE]])
    t.script(*((decisions.PLACE_TOKEN, space) for space in around))
    t.g.current = 0
    t.call(culture.resolve_culture, 0, names.CULTURE, 5)
    assert sum(t.owner(space) == 0 for space in around) == free + 2
