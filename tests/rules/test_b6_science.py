"""B6: science cards and the technology dial."""

import pytest
from table import PASS, Table, card_codes, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, science, trade, winning
from newdawn.simulator.engine.choosing import LOG_AGENDA, LOG_CHOICE
from newdawn.simulator.engine.science import advance_dial
from newdawn.simulator.rules import codes

LEVEL_SPACES = {3: 2, 6: 2, 10: 3, 14: 3, 19: 4, 24: 4}
MARBLE, MERCURY, OIL, DIAMOND = range(4)


def table(dial=0, **how):
    """Return a table with two capitals; the dial of seat 0 stands on `dial`."""
    t = table_with((0, 0), (3, 0), **how)
    t.g.dial[0] = t.g.dial_reached[0] = dial
    return t


def study(t, slot, card="Astrology"):
    """Seat 0 resolves a science card; return where its dial stands then."""
    t.resolve(0, card, slot)
    return int(t.g.dial[0])


def taking(t, name):
    """Return the script entry that takes the focus card in place of the row's card of its type."""
    code = card_codes()[name]
    return decisions.UPGRADE, code * 8 + t.holder(0, names.FOCUS_TYPES[code // names.N_LEVELS])


def offered(t, nth=0):
    """Return the names of the cards that the nth question about a level offered."""
    by_code = {code: name for name, code in card_codes().items()}
    return {by_code[value // 8] for value in t.options(decisions.UPGRADE, nth)}


def of_level(level):
    return {name for name, code in card_codes().items() if code % names.N_LEVELS == level - 1}


def card_of(t, kind):
    """Return the name of the row's card of the focus type."""
    by_code = {code: name for name, code in card_codes().items()}
    return by_code[int(t.g.card[0, t.holder(0, kind)])]


# --- B6.1


@pytest.mark.rule("B6.1")
@pytest.mark.rule("B4.2")
@pytest.mark.parametrize("card", ["Astrology", "Mathematics", "Replaceable Parts", "Nuclear Power"])
def test_a_science_card_may_be_resolved_to_no_effect(card):
    t = table(dial=2)
    t.trade(0, "science", 2)
    t.script((decisions.SCIENCE, 0))
    t.w.option[:2] = 7  # of another question
    assert study(t, 5, card) == 2
    assert t.asked() == [(decisions.SCIENCE, 0, [0, 1])]
    assert (t.trade_on(0, "science"), t.g.trade[0].sum(), t.g.resources[0].sum()) == (2, 2, 0)


@pytest.mark.rule("B6.1")
@pytest.mark.effect("Astrology")
@pytest.mark.parametrize("slot", [1, 2, 3, 4, 5])
def test_the_dial_advances_by_the_slot_number(slot):
    assert study(table(), slot) == slot


@pytest.mark.rule("B6.1")
@pytest.mark.parametrize("spent", [0, 1, 2, 3])
def test_and_by_one_for_each_trade_token_spent(spent):
    t = table()
    t.trade(0, "science", 3)
    t.script((decisions.SPEND_TRADE, spent))
    assert study(t, 2) == 2 + spent
    assert t.trade_on(0, "science") == 3 - spent


@pytest.mark.rule("B6.1")
def test_trade_tokens_are_spent_from_a_science_card_in_the_place_of_the_culture_card():
    t = table_with((0, 0))
    t.g.card[0, names.CULTURE] = names.SCIENCE * names.N_LEVELS + 1
    t.g.trade[0, names.CULTURE] = 3
    t.script((decisions.SCIENCE, 1), (decisions.SPEND_TRADE, 2))
    before = int(t.g.dial[0])
    t.call(science.resolve_science, 0, names.CULTURE, 1)
    t.require_script_done()
    assert (int(t.g.dial[0]) - before, int(t.g.trade[0, names.CULTURE])) == (3, 1)


@pytest.mark.rule("B6.1")
def test_only_the_own_dial_moves():
    t = table(dial=4)
    study(t, 2)
    assert int(t.g.dial[1]) == 0


# --- B6.2


@pytest.mark.rule("B6.2")
@pytest.mark.effect("tech dial")
@pytest.mark.parametrize("space", range(1, 25))
def test_each_level_space_pays_a_card_of_exactly_its_level_and_no_other_space_pays(space):
    t = table(dial=space - 1)
    assert study(t, 1) == space
    level = LEVEL_SPACES.get(space)
    assert t.asked_kinds()[1:] == (["upgrade"] if level else [])
    assert offered(t) == (of_level(level) if level else set())


@pytest.mark.rule("B6.2")
@pytest.mark.parametrize("space", LEVEL_SPACES)
def test_passing_a_level_space_pays_like_reaching_it(space):
    t = table(dial=space - 1)
    study(t, 2)
    assert offered(t) == of_level(LEVEL_SPACES[space])


@pytest.mark.rule("B6.2")
def test_the_card_replaces_that_of_its_type_in_the_same_slot_with_its_tokens():
    t = table(dial=2)
    t.trade(0, "culture", 2)
    t.trade(0, "economy", 1)
    t.conquered(0, "Kumasi", (0, 3))  # a city-state's token on the culture card
    row, slot, holder = t.row(0), t.slot_of(0, "culture"), t.holder(0, "culture")
    t.script(taking(t, "Drama and Poetry"))
    study(t, 1)
    assert card_of(t, "culture") == "Drama and Poetry"
    assert (t.row(0), t.slot_of(0, "culture")) == (row, slot)
    assert (t.trade_on(0, "culture"), t.trade_on(0, "economy")) == (2, 1)
    assert int(t.g.city_state_holder[names.KUMASI]) == holder == t.holder(0, "culture")


@pytest.mark.rule("B6.2")
def test_the_upgraded_card_works_at_once_and_keeps_the_city_state_token_usable():
    t = table(dial=2)
    t.conquered(0, "Kumasi", (0, 3))
    t.script(taking(t, "Drama and Poetry"))
    study(t, 1)
    t.script(*[(decisions.PLACE_TOKEN, s) for s in [(1, 0), (0, 1), (-1, 0)]])
    t.resolve(0, "Drama and Poetry", slot=1)
    assert t.owner((-1, 0)) == 0  # paid with the city-state's token


@pytest.mark.rule("B6.2")
def test_taking_a_card_may_be_declined():
    t = table(dial=2)
    t.script((decisions.UPGRADE, PASS))
    study(t, 1)
    assert card_of(t, "culture") == "Early Empire"


@pytest.mark.rule("B6.2")
def test_a_card_in_the_row_is_not_offered_again_but_a_replaced_one_is_back_in_the_deck():
    t = table(dial=5)
    t.card(0, "Drama and Poetry")
    study(t, 1)
    assert offered(t) == of_level(2) - {"Drama and Poetry"}
    t = table(dial=5)
    t.card(0, "Civil Service")
    t.script(taking(t, "Drama and Poetry"))
    study(t, 1)
    t.g.dial[0] = 9
    t.script(taking(t, "Civil Service"))
    study(t, 1)
    assert card_of(t, "culture") == "Civil Service"


@pytest.mark.rule("B6.2")
def test_a_level_may_be_skipped():
    t = table(dial=18)
    t.script(taking(t, "Mass Media"))
    study(t, 1)
    assert card_of(t, "culture") == "Mass Media"


@pytest.mark.rule("B6.2")
def test_two_levels_in_one_move_pay_two_cards():
    t = table(dial=2)
    t.script(taking(t, "Drama and Poetry"), taking(t, "Animal Husbandry"))
    assert study(t, 4) == 6
    assert (offered(t, 0), offered(t, 1)) == (of_level(2), of_level(2) - {"Drama and Poetry"})
    assert (card_of(t, "culture"), card_of(t, "industry")) == ("Drama and Poetry", "Animal Husbandry")


@pytest.mark.rule("B6.2")
def test_two_levels_in_one_move_pay_each_its_own_level():
    t = table(dial=5)
    assert study(t, 5) == 10
    assert (offered(t, 0), offered(t, 1)) == (of_level(2), of_level(3))


@pytest.mark.rule("B6.2")
def test_the_science_card_itself_may_be_replaced():
    t = table(dial=2)
    t.trade(0, "science", 2)
    t.script((decisions.SPEND_TRADE, 0), taking(t, "Mathematics"))
    study(t, 1)
    assert card_of(t, "science") == "Mathematics"
    assert t.trade_on(0, "science") == 2


@pytest.mark.rule("B3.2")
@pytest.mark.rule("B6.2")
def test_the_card_for_the_dial_is_claimed_before_the_new_card_is_chosen():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), victory=(names.AGENDAS.index("Technophile") // 2,))
    t.g.dial[0] = t.g.dial_reached[0] = 23
    t.script()
    t.resolve(0, "Astrology", 1)
    assert "upgrade" in t.asked_kinds()
    kinds = [row[0] if row[0] != LOG_CHOICE else ("choice", row[2]) for row in t.w.log[: t.w.log_n].tolist()]
    assert kinds.index(LOG_AGENDA) < kinds.index(("choice", decisions.UPGRADE))


@pytest.mark.rule("B6.2")
@pytest.mark.parametrize("had", [False, True])
def test_the_ability_that_a_house_rule_gives_a_card_acts_as_soon_as_the_card_is_in_the_row(tmp_path, had):
    abilities = {"Currency": {"abilities": [{"effect": "city_range", "amount": 2}]}}
    if had:
        abilities["Foreign Trade"] = {"abilities": [{"effect": "production", "amount": 1}]}
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), rules=rules_with(tmp_path, focus_cards=abilities))
    before = [int(t.g.power[0, what]) for what in (codes.CITY_RANGE, codes.PRODUCTION)]
    science.replace_card(t.r, t.g, t.w, 0, t.holder(0, "economy"), card_codes()["Currency"])
    t.call(winning.settle)
    assert before == [0, int(had)]
    assert [int(t.g.power[0, what]) for what in (codes.CITY_RANGE, codes.PRODUCTION)] == [2, 0]


# --- B6.3


@pytest.mark.rule("B6.3")
@pytest.mark.parametrize(("dial", "slot", "after"), [(24, 1, 15), (24, 5, 19), (23, 2, 15), (20, 5, 15), (22, 5, 17)])
def test_after_24_comes_15(dial, slot, after):
    assert study(table(dial), slot) == after


@pytest.mark.rule("B6.3")
def test_15_pays_nothing_and_leaving_24_does_not_pay_it_again():
    t = table(24)
    study(t, 1)
    assert t.asked_kinds() == ["science"]


@pytest.mark.rule("B6.3")
def test_the_level_iv_spaces_pay_again():
    t = table(24)
    for space, levels in [(19, 1), (24, 1)]:
        t.script()
        assert study(t, 5) == space
        assert t.asked_kinds()[1:] == ["upgrade"] * levels
        assert offered(t) == of_level(4)


@pytest.mark.rule("B6.3")
def test_a_long_move_can_pay_both_on_either_side_of_24():
    t = table(23)
    t.trade(0, "science", 3)
    t.script((decisions.SPEND_TRADE, 1), taking(t, "Mass Media"))
    assert study(t, 5) == 19  # 24, 15 … 19
    assert (offered(t, 0), offered(t, 1)) == (of_level(4), of_level(4) - {"Mass Media"})


@pytest.mark.rule("B6.3")
def test_a_move_of_any_length_pays_every_level_space_it_passes():
    t = table(0)
    steps = 24 + 10 * 30  # the dial once, and its last ten spaces thirty times
    t.call(advance_dial, 0, steps)
    assert int(t.g.dial[0]) == 24
    assert t.asked_kinds() == ["upgrade"] * (len(LEVEL_SPACES) + 2 * 30)


# --- the cards


@pytest.mark.effect("Astrology")
def test_astrology_only_advances_the_dial():
    t = table()
    study(t, 1)
    assert t.asked_kinds() == ["science"]
    assert int(t.g.trade[0].sum()) == int(t.g.resources[0].sum()) == 0


@pytest.mark.effect("Mathematics")
@pytest.mark.parametrize("kind", ["culture", "science", "economy", "industry", "military"])
def test_mathematics_first_gives_a_trade_token_on_any_own_card(kind):
    t = table()
    t.script((decisions.PLACE_TRADE, t.holder(0, kind)), *[(decisions.SPEND_TRADE, 0)] * (kind == "science"))
    assert study(t, 2, "Mathematics") == 2
    assert t.trade_on(0, kind) == 1
    assert int(t.g.trade[0].sum()) == 1


@pytest.mark.effect("Mathematics")
def test_the_trade_token_of_mathematics_can_be_spent_for_its_dial():
    t = table()
    t.script((decisions.PLACE_TRADE, t.holder(0, "science")), (decisions.SPEND_TRADE, 1))
    assert study(t, 2, "Mathematics") == 3
    assert t.trade_on(0, "science") == 0


@pytest.mark.effect("Mathematics")
def test_mathematics_does_not_fill_a_full_card():
    t = table()
    t.trade(0, "culture", 3)
    study(t, 1, "Mathematics")
    assert t.options(decisions.PLACE_TRADE) == {t.holder(0, k) for k in ["science", "economy", "industry", "military"]}


@pytest.mark.effect("Replaceable Parts")
def test_replaceable_parts_first_gives_a_resource_of_a_type_not_held():
    t = table()
    t.give_resources(0, oil=2, marble=1)
    t.script((decisions.GAIN_RESOURCE, DIAMOND))
    assert study(t, 2, "Replaceable Parts") == 2
    assert t.options(decisions.GAIN_RESOURCE) == {MERCURY, DIAMOND}
    assert t.g.resources[0].tolist() == [1, 0, 2, 1]
    assert int(t.g.supply[DIAMOND]) == 7


@pytest.mark.effect("Replaceable Parts")
def test_replaceable_parts_gives_nothing_to_who_holds_every_type():
    t = table()
    t.give_resources(0, oil=1, marble=1, mercury=1, diamond=1)
    assert study(t, 2, "Replaceable Parts") == 2
    assert t.g.resources[0].tolist() == [1, 1, 1, 1]


@pytest.mark.effect("Replaceable Parts")
def test_resources_of_a_rival_do_not_matter():
    t = table()
    t.give_resources(1, oil=1)
    study(t, 1, "Replaceable Parts")
    assert OIL in t.options(decisions.GAIN_RESOURCE)


def wonder_holder(**kw):
    t = table(**kw)
    t.natural_wonder("Crater Lake", (1, 0))  # mercury
    t.natural_wonder("Mt. Everest", (2, 0))  # oil
    t.token(0, (1, 0))
    t.token(1, (2, 0))
    study(t, 1, "Replaceable Parts")
    return t.options(decisions.GAIN_RESOURCE)


@pytest.mark.effect("Replaceable Parts")
def test_a_natural_wonder_is_no_held_resource_for_replaceable_parts():
    assert wonder_holder() == {MARBLE, MERCURY, OIL, DIAMOND}


@pytest.mark.effect("Replaceable Parts")
def test_with_the_other_ruling_an_own_natural_wonder_is_a_held_resource(tmp_path):
    rules = rules_with(tmp_path, rulings={"replaceable_parts_held": "natural_wonders_too"})
    assert wonder_holder(rules=rules) == {MARBLE, OIL, DIAMOND}


@pytest.mark.rule("B6.1")
@pytest.mark.parametrize("place", [0, -1])
def test_any_natural_wonder_counts_as_a_resource_held_where_the_ruling_says_so(place):
    t = table_with((0, 0), (3, 0))
    t.r = t.r.copy()
    t.r.natural_wonder_counts_as_held = 1
    i = range(t.r.n_natural_wonders)[place]
    t.g.natural_wonder_owner[i] = 0
    assert trade.holds_resource(t.r, t.g, 0, t.r.natural_wonder_resource[i])


def under_strike(**kw):
    """Return a table with own and rival tokens around (0, -2)."""
    t = table(**kw)
    t.city(1, (-1, -1))
    t.token(0, (0, -2))
    t.token(0, (1, -3), reinforced=True)
    t.token(1, (0, -1), (2, -3), (0, -3))
    t.token(1, (1, -2), reinforced=True)
    t.script((decisions.STRIKE, (0, -2)))
    return t


def seen(t):
    spaces = [(0, -2), (1, -3), (0, -1), (0, -3), (1, -2), (2, -3), (-1, -1)]
    return [(t.piece(s), t.owner(s)) for s in spaces]


@pytest.mark.effect("Nuclear Power")
def test_the_strike_of_nuclear_power_destroys_tokens_on_a_space_and_around_it_and_turns_reinforced_ones():
    t = under_strike()
    left = t.g.tokens_left[:2].tolist()
    assert study(t, 5, "Nuclear Power") == 5
    gone = ("none", -1)
    assert seen(t) == [gone, ("token", 0), gone, gone, ("token", 1), ("token", 1), ("city", 1)]
    assert t.g.tokens_left[:2].tolist() == [left[0] + 1, left[1] + 2]


@pytest.mark.effect("Nuclear Power")
def test_with_the_other_ruling_the_strike_spares_own_tokens(tmp_path):
    t = under_strike(rules=rules_with(tmp_path, rulings={"nuclear_strike": "spares_own"}))
    study(t, 5, "Nuclear Power")
    gone = ("none", -1)
    assert seen(t) == [("token", 0), ("reinforced_token", 0), gone, gone, ("token", 1), ("token", 1), ("city", 1)]


@pytest.mark.effect("Nuclear Power")
@pytest.mark.parametrize("slot", [1, 2, 3, 4])
def test_nuclear_power_strikes_from_slot_5_only(slot):
    t = under_strike()
    before = seen(t)
    t.script()
    assert study(t, slot, "Nuclear Power") == slot
    assert "strike" not in t.asked_kinds()
    assert seen(t) == before


@pytest.mark.effect("Nuclear Power")
def test_spent_trade_tokens_do_not_make_slot_4_a_strike():
    t = under_strike()
    t.trade(0, "science", 3)
    t.script((decisions.SPEND_TRADE, 3))
    study(t, 4, "Nuclear Power")
    assert "strike" not in t.asked_kinds()


@pytest.mark.effect("Nuclear Power")
def test_the_strike_may_be_declined_and_comes_before_the_dial():
    t = under_strike()
    before = seen(t)
    t.g.dial[0] = 2
    t.script((decisions.STRIKE, PASS))
    study(t, 5, "Nuclear Power")
    assert seen(t) == before
    assert t.asked_kinds()[:2] == ["science", "strike"]
    assert "upgrade" in t.asked_kinds()[2:]


@pytest.mark.effect("Nuclear Power")
def test_a_strike_may_hit_any_space_or_none():
    t = table_with((0, 0), radius=1)
    t.w.option[:] = 7  # as an earlier question may have left it
    t.script((decisions.STRIKE, PASS))
    t.resolve(0, "Nuclear Power", 5)
    asked = next(options for kind, _, options in t.asked() if kind == decisions.STRIKE)
    assert asked == [*range(t.g.n_spaces), PASS]


@pytest.mark.effect("Nuclear Power")
@pytest.mark.parametrize("space", [(-3, 0), (3, 0)])
def test_a_strike_reaches_both_ends_of_the_list_of_spaces(space):
    t = Table()
    t.token(1, space)
    t.w.mark[:] = 0
    t.script((decisions.STRIKE, (space[0] - space[0] // 3, 0)))
    t.resolve(0, "Nuclear Power", 5)
    assert t.owner(space) == -1
