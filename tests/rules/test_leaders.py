"""The eight leaders of the base game: what each can do, when not, and what another leader cannot."""

import pytest
from table import AROUND, BOTS, LAST_SPACE, PASS, Table, bare_state, rules_with, table_with, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, industry, pieces, trade, turn, winning
from newdawn.simulator.engine.choosing import LOG_COMBAT
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.ruleset_contents import written

ROWS = {
    "America": "military science industry culture economy",
    "Aztec": "science culture economy military industry",
    "Egypt": "science economy industry military culture",
    "France": "military science economy industry culture",
    "Japan": "industry economy military science culture",
    "Rome": "science economy military culture industry",
    "Scythia": "culture military science economy industry",
    "Sumeria": "economy culture science military industry",
}
LAKE = names.NATURAL_WONDERS.index("Crater Lake")  # mercury


def without(tmp_path, leader):
    """Return rules under which the ability of the leader does not work."""
    return rules_with(tmp_path, leaders={leader.lower(): {"ability_works": False}})


def players(leader, rival="Egypt", rules=None, **kw):
    """Return a table where seat 0 plays the leader, its capital in the middle."""
    t = Table(leaders=(leader, rival), rules=rules, **kw)
    t.capital(0, (0, 0))
    return t


def combats(t):
    """Return the totals of every combat so far: (attacker's, defender's)."""
    rows = t.w.log[: t.w.log_n].tolist()
    return [(row[3], row[5]) for row in rows if row[0] == LOG_COMBAT]


def fight(t, p, target, dice, slot=1, card="Masonry"):
    """Seat `p` attacks the target with the dice; return the totals."""
    t.dice(*dice)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, target))
    t.resolve(p, card, slot)
    return combats(t)[-1]


@pytest.mark.rule("B2.2")
@pytest.mark.parametrize("leader", ROWS)
def test_the_starting_row_is_that_of_the_leader_sheet(leader):
    assert players(leader).row(0) == ROWS[leader].split()


# --- America: natural wonder tokens lie on focus cards and pay as a trade token of the card or as their resource


def american(leader="America", rules=None, card="science"):
    """Seat 0 places a control token on Crater Lake; its token goes on the card of the focus type."""
    t = players(leader, rules=rules)
    t.natural_wonder("Crater Lake", (1, 0))
    if leader == "America" and (rules is None or rules.leader_ability[names.AMERICA]):
        # the card is chosen at once, before the second token
        t.script(
            (decisions.PLACE_TOKEN, (1, 0)), (decisions.NATURAL_WONDER_CARD, t.holder(0, card)), (decisions.PLACE_TOKEN, PASS)
        )
    else:
        t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", slot=5)
    return t


@pytest.mark.effect("America")
def test_america_puts_a_gained_natural_wonder_on_any_own_card():
    t = american()
    assert t.options(decisions.NATURAL_WONDER_CARD) == {0, 1, 2, 3, 4}
    assert int(t.g.natural_wonder_holder[LAKE]) == t.holder(0, "science")


@pytest.mark.effect("America")
@pytest.mark.rule("B4.3")
def test_america_spends_it_as_a_trade_token_of_that_card_once_a_turn_and_places_it_anew():
    t = american()
    t.script((decisions.SPEND_TRADE, 1), (decisions.NATURAL_WONDER_CARD, t.holder(0, "culture")))
    t.resolve(0, "Astrology", slot=2)
    assert int(t.g.dial[0]) == 3
    assert int(t.g.natural_wonder_owner[LAKE]) == 0
    assert int(t.g.natural_wonder_holder[LAKE]) == t.holder(0, "culture")
    t.script((decisions.PLACE_TOKEN, (0, 1)), (decisions.PLACE_TOKEN, (-1, 1)))  # the same turn: no third control token
    t.resolve(0, "Early Empire", slot=1)
    assert t.asked_kinds() == ["place_token", "place_token"]


@pytest.mark.effect("America")
def test_in_the_next_turn_it_pays_on_its_new_card():
    t = american()
    t.script((decisions.SPEND_TRADE, 1), (decisions.NATURAL_WONDER_CARD, t.holder(0, "culture")))
    t.resolve(0, "Astrology", slot=1)
    place = t.row(0).index("culture")
    t.script(
        (decisions.CARD, place),
        *[(decisions.PLACE_TOKEN, s) for s in AROUND[1:4]],
        (decisions.NATURAL_WONDER_CARD, t.holder(0, "culture")),
    )
    t.take_turn(0)
    assert t.owner(AROUND[3]) == 0


@pytest.mark.effect("America")
def test_it_does_not_pay_on_another_card_than_its_own():
    t = american(card="economy")
    t.script()
    t.resolve(0, "Astrology", slot=2)
    assert "spend_trade" not in t.asked_kinds()
    assert int(t.g.dial[0]) == 2


def oracle_in_reach(t):
    """Seat 0 may build the Oracle (8, paid with mercury or marble) with an industry card in slot 5."""
    t.deck("Oracle")
    t.script()
    t.give_resources(0, mercury=1)
    return names.WONDERS.index("Oracle")


@pytest.mark.effect("America")
@pytest.mark.parametrize("card", ["science", "industry"])
def test_america_may_spend_it_as_its_resource_on_whatever_card_it_lies(card):
    t = american(card=card)
    oracle = oracle_in_reach(t)
    t.script(
        (decisions.INDUSTRY, decisions.WONDER_OPTION + oracle),
        (decisions.PAY, decisions.PAY_NATURAL_WONDER + LAKE),
        (decisions.NATURAL_WONDER_CARD, t.holder(0, "military")),
    )
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, "Oracle")
    assert int(t.g.natural_wonder_holder[LAKE]) == t.holder(0, "military")


@pytest.mark.effect("America")
def test_america_may_spend_it_as_a_trade_token_of_the_industry_card_for_a_wonder_it_is_no_resource_of():
    t = american(card="industry")
    t.deck("Petra")  # 7, paid with oil or diamond
    t.give_resources(0, oil=1)
    petra = names.WONDERS.index("Petra")
    t.script()
    t.resolve(0, "Pottery", slot=3)
    assert decisions.WONDER_OPTION + petra not in t.options(decisions.INDUSTRY)  # 3 + 2 + 1
    t.script(
        (decisions.INDUSTRY, decisions.WONDER_OPTION + petra),
        (decisions.PAY, decisions.PAY_TRADE),
        (decisions.NATURAL_WONDER_CARD, t.holder(0, "industry")),
    )
    t.resolve(0, "Pottery", slot=4)
    assert t.controls(0, "Petra")


@pytest.mark.effect("America")
def test_the_choice_of_card_ends_when_the_natural_wonder_is_lost():
    t = american()
    t.script((decisions.STRIKE, (1, 0)))
    t.resolve(0, "Nuclear Power", slot=5)
    assert int(t.g.natural_wonder_holder[LAKE]) == -1
    assert int(t.g.dial[0]) == 5
    assert "spend_trade" not in t.asked_kinds()


@pytest.mark.effect("America")
def test_other_leaders_keep_natural_wonders_off_their_cards():
    t = american("Rome")
    assert "natural_wonder_card" not in t.asked_kinds()
    t.script()
    t.resolve(0, "Astrology", slot=2)
    assert "spend_trade" not in t.asked_kinds()


@pytest.mark.effect("America")
def test_america_without_its_ability_keeps_them_off_as_well(tmp_path):
    t = american(rules=without(tmp_path, "America"))
    assert "natural_wonder_card" not in t.asked_kinds()
    t.script()
    t.resolve(0, "Astrology", slot=2)
    assert "spend_trade" not in t.asked_kinds()
    oracle = oracle_in_reach(t)
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + oracle), (decisions.PAY, decisions.PAY_NATURAL_WONDER + LAKE))
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, "Oracle")


def test_a_natural_wonders_token_waits_for_its_card_with_america_only():
    for p in range(3):
        g, w = bare_state(), used_work()
        w.log_on = 0
        g.natural_wonder[3] = 0
        g.power[p, codes.ROOSEVELT_COROLLARY] = 1
        for new in range(3):
            pieces.set_owner(g, w, new, 3, names.TOKEN)
            assert g.natural_wonder_holder[0] == (pieces.PENDING if new == p else -1)


@pytest.mark.parametrize("america", [False, True])
def test_a_natural_wonder_that_is_used_waits_for_a_card_with_america_only(america):
    for i in (0, 7):
        g, w = bare_state(), used_work()
        w.log_on = 0
        g.natural_wonder_owner[i] = 2
        g.power[2, codes.ROOSEVELT_COROLLARY] = int(america)
        industry.use_natural_wonder(g, w, i)
        assert g.natural_wonder_used[i] == 1
        assert g.natural_wonder_holder[i] == (pieces.PENDING if america else -1)


@pytest.mark.effect("America")
@pytest.mark.rule("B5.1")
def test_a_natural_wonder_pays_for_a_control_token_taken_off_the_map_whatever_its_resource_could_pay():
    t = Table(leaders=("America", "Egypt"))
    t.capital(0, (0, 0))
    i = names.NATURAL_WONDERS.index("Cliffs of Dover")  # marble, which every wonder of culture accepts
    t.natural_wonder("Cliffs of Dover", (3, 0))
    t.token(0, (3, 0), (-3, 0))
    t.g.natural_wonder_owner[i], t.g.natural_wonder_holder[i] = 0, t.holder(0, "culture")
    t.g.tokens_left[0] = 2
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (0, 1)),
        (decisions.TAKE_OFF, (-3, 0)),
        (decisions.PLACE_TOKEN, (-1, 0)),
    )
    t.resolve(0, "Early Empire", 1)
    assert t.owner((-1, 0)) == 0


@pytest.mark.effect("America")
@pytest.mark.rule("B4.3")
def test_what_a_natural_wonder_pays_costs_no_trade_token():
    t = Table(leaders=("America", "Egypt"))
    t.capital(0, (0, 0))
    i = names.NATURAL_WONDERS.index("Cliffs of Dover")
    t.natural_wonder("Cliffs of Dover", (3, 0))
    t.token(0, (3, 0))
    t.g.natural_wonder_owner[i], t.g.natural_wonder_holder[i] = 0, t.holder(0, "science")
    t.trade(0, "science", 2)
    t.script((decisions.SPEND_TRADE, 2), (decisions.SPEND_TOKEN, decisions.KEPT_NATURAL_WONDER + i))
    t.resolve(0, "Astrology", 1)
    assert t.trade_on(0, "science") == 1
    assert int(t.g.dial[0]) == 3


def america_by_crater_lake(card):
    """Seat 0 plays America; its natural wonder, which pays as mercury, lies on the card of the focus type."""
    t = Table(leaders=("America", "Aztec"))
    t.capital(0, (0, 0))
    t.natural_wonder("Crater Lake", (1, 0))
    t.token(0, (1, 0))
    t.g.natural_wonder_holder[names.NATURAL_WONDERS.index("Crater Lake")] = t.holder(0, card)
    return t


@pytest.mark.effect("America")
@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("tokens", [1, 2])
def test_a_natural_wonder_that_pays_for_the_first_wonder_as_a_resource_is_no_trade_token_too(tokens):
    t = america_by_crater_lake("industry")
    t.deck("Stonehenge")  # wonder 0: 7, marble or mercury
    t.give_resources(0, marble=1)
    t.trade(0, "industry", tokens)
    t.resolve(0, "Pottery", slot=1)  # 1 + 2 for the marble + 2 for the natural wonder + the trade tokens
    assert (
        t.options(decisions.INDUSTRY) >= {decisions.WONDER_OPTION}
        if tokens == 2
        else decisions.WONDER_OPTION not in t.options(decisions.INDUSTRY)
    )


@pytest.mark.effect("America")
@pytest.mark.rule("B9.7")
def test_a_natural_wonder_spent_in_combat_is_placed_anew_before_the_combat_is_decided():
    t = america_by_crater_lake("military")
    t.barbarian("A", (0, 1))
    t.attack(0, "Masonry", 1, (0, 1), (6, 1), (decisions.SPEND_TRADE, 1), barbarian=True)
    assert t.asked_kinds() == ["military", "attack", "spend_trade", "natural_wonder_card", "place_trade"]


@pytest.mark.rule("B4.3")
@pytest.mark.effect("America")
def test_the_last_natural_wonder_of_the_list_spends_as_a_trade_token():
    t = Table(leaders=("America", "Aztec"))
    last, h = t.r.n_natural_wonders - 1, t.holder(0, "science")
    t.g.natural_wonder_owner[last], t.g.natural_wonder_holder[last] = 0, h
    assert trade.spendable(t.r, t.g, 0, h, -1) == 1


@pytest.mark.effect("America")
def test_only_the_natural_wonder_that_waits_is_put_on_a_card():
    t = table_with((0, 0), LAST_SPACE, leaders=("America", "Egypt"))
    for k, space in enumerate(((1, 0), (2, 0))):
        t.natural_wonder(written(t.r, "natural_wonder")[k], space)
        t.script()
        pieces.put_token(t.g, t.w, 0, t.at(space), names.TOKEN)
        winning.settle(t.r, t.g, t.w, BOTS)
        assert t.asked_kinds() == ["natural_wonder_card"]


@pytest.mark.rule("B3.2")
@pytest.mark.effect("America")
def test_a_natural_wonder_spent_in_an_attack_is_put_on_a_card_before_the_capital_is_looted():
    t = table_with((0, 0), (0, 2), leaders=("America", "Egypt"))
    t.token(0, (2, 0))
    t.natural_wonder("Cliffs of Dover", (2, 0))
    t.g.natural_wonder_holder[0] = t.holder(0, "military")
    t.trade(0, "military", 0)
    t.g.trade[1, :5] = 1
    t.g.dirty = t.g.stale = 0
    t.attack(0, "Masonry", 5, (0, 2), (6, 1), (decisions.SPEND_TRADE, 1))
    asked = t.asked_kinds()
    assert t.combats()[-1].won
    assert asked.index("natural_wonder_card") < asked.index("loot")


@pytest.mark.rule("B4.3")
@pytest.mark.effect("America")
@pytest.mark.parametrize("spent", [0, 1])
def test_americas_natural_wonder_is_used_only_if_it_is_spent(spent):
    t = america_by_crater_lake("science")
    t.script((decisions.SPEND_TRADE, spent))
    t.resolve(0, "Astrology", 2)
    assert t.options(decisions.SPEND_TRADE) == {0, 1}
    assert int(t.g.natural_wonder_used[LAKE]) == spent
    assert int(t.g.dial[0]) == 2 + spent


# --- Aztec: a military turn with a won attack ends with a swap of two cards


def aztec_turn(leader="Aztec", choice=decisions.MILITARY_ATTACK, swap=True, rules=None):
    """Seat 0 attacks a token beside its capital with the military card from its own slot; return the table."""
    t = players(leader, rules=rules)
    t.token(0, (0, 1))
    t.token(1, (1, 0))
    t.dice(6, 1)
    steps = [(decisions.CARD, t.row(0).index("military")), (decisions.MILITARY, choice)]
    if choice == decisions.MILITARY_ATTACK:
        steps.append((decisions.ATTACK, (1, 0)))
    if swap:
        steps.append((decisions.SWAP_CARDS, 0 * 8 + 4))
    t.script(*steps)
    t.take_turn(0)
    return t


@pytest.mark.effect("Aztec")
def test_aztec_swaps_two_cards_of_the_row_after_the_reset_of_a_winning_military_card():
    t = aztec_turn()
    # reset: military science culture economy industry; then the outermost are swapped
    assert t.row(0) == ["industry", "science", "culture", "economy", "military"]
    assert len(t.options(decisions.SWAP_CARDS)) == 10  # any two of five


@pytest.mark.effect("Aztec")
def test_the_swap_of_aztec_is_optional():
    t = aztec_turn(swap=False)
    assert "swap_cards" in t.asked_kinds()
    assert t.row(0) == ["military", "science", "culture", "economy", "industry"]


@pytest.mark.effect("Aztec")
def test_aztec_does_not_swap_after_a_lost_attack():
    t = players("Aztec", terrain={(1, 0): "mountain"})
    t.token(1, (1, 0))
    t.dice(1, 6)
    t.script(
        (decisions.CARD, t.row(0).index("military")),
        (decisions.MILITARY, decisions.MILITARY_ATTACK),
        (decisions.ATTACK, (1, 0)),
        (decisions.ATTACK, PASS),
    )
    t.take_turn(0)
    assert t.owner((1, 0)) == 1
    assert "swap_cards" not in t.asked_kinds()


@pytest.mark.effect("Aztec")
def test_aztec_does_not_swap_after_reinforcing():
    t = aztec_turn(choice=decisions.MILITARY_REINFORCE, swap=False)
    assert "swap_cards" not in t.asked_kinds()


@pytest.mark.effect("Aztec")
def test_a_victory_of_an_earlier_turn_does_not_count():
    t = aztec_turn(swap=False)
    t.script((decisions.CARD, t.row(0).index("military")))
    t.take_turn(0)
    assert "swap_cards" not in t.asked_kinds()


@pytest.mark.effect("Aztec")
def test_another_leader_does_not_swap():
    assert "swap_cards" not in aztec_turn("Rome", swap=False).asked_kinds()


@pytest.mark.effect("Aztec")
def test_aztec_without_its_ability_does_not_swap(tmp_path):
    t = aztec_turn(swap=False, rules=without(tmp_path, "Aztec"))
    assert t.owner((1, 0)) == 0
    assert "swap_cards" not in t.asked_kinds()


# --- Egypt: wonders cost 1 less


def affords_oracle(leader, production, rules=None):
    """Can the leader build the Oracle (8) with so much production?"""
    t = players(leader, rival="Aztec", rules=rules)
    t.deck("Oracle")
    t.give_resources(0, mercury=1)
    t.trade(0, "industry", production - 2 - 3)
    t.resolve(0, "Pottery", slot=3)
    return decisions.WONDER_OPTION + names.WONDERS.index("Oracle") in t.options(decisions.INDUSTRY)


@pytest.mark.effect("Egypt")
@pytest.mark.parametrize(("leader", "price"), [("Egypt", 7), ("Rome", 8)])
def test_egypt_builds_wonders_for_1_less_and_others_do_not(leader, price):
    assert [affords_oracle(leader, n) for n in (6, 7, 8)] == [n >= price for n in (6, 7, 8)]


@pytest.mark.effect("Egypt")
def test_egypt_without_its_ability_pays_the_printed_cost(tmp_path):
    assert not affords_oracle("Egypt", 7, without(tmp_path, "Egypt"))


@pytest.mark.effect("Egypt")
def test_egypt_pays_1_less():
    t = players("Egypt", rival="Aztec")
    t.deck("Oracle")
    t.trade(0, "industry", 3)
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + names.WONDERS.index("Oracle")))
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, "Oracle")
    assert t.trade_on(0, "industry") == 1  # 5 + 2 make 7


# --- France: more control tokens by the newest era among the own wonders


def tokens_with(leader, *wonders, rival_wonder=None, card="Early Empire", rules=None):
    """Return how many control tokens a culture card of the leader places."""
    t = players(leader, radius=4, rules=rules)
    spots = [(0, 0), (0, 3), (0, -3)]
    for space in spots[1:]:
        t.city(0, space)
    for wonder, space in zip(wonders, spots, strict=False):
        t.wonder(wonder, space)
    t.capital(1, (4, -1))
    if rival_wonder:
        t.wonder(rival_wonder, (4, -1))
    t.script(*[(decisions.PLACE_TOKEN, s) for s in AROUND])
    before = int(t.g.tokens_left[0])
    h = t.card(0, card)
    t.g.current = 0
    t.call(turn.resolve_card, 0, h, 1, turn.CHOSEN)
    return before - int(t.g.tokens_left[0])


ERAS = [(("Oracle",), 1), (("Porcelain Tower",), 2), (("Kremlin",), 3), (("Oracle", "Kremlin"), 3),
        (("Petra", "Alhambra", "Pyramids"), 2), (("Oracle", "Petra"), 1)]  # fmt: skip


@pytest.mark.effect("France")
@pytest.mark.parametrize(("wonders", "extra"), [((), 0), *ERAS])
def test_france_places_1_2_or_3_more_tokens_by_its_newest_era(wonders, extra):
    assert tokens_with("France", *wonders) == 2 + extra


@pytest.mark.effect("France")
def test_france_has_more_tokens_with_any_culture_card():
    assert tokens_with("France", "Kremlin", card="Mass Media") == 6


@pytest.mark.effect("France")
def test_wonders_of_rivals_do_not_help_france():
    assert tokens_with("France", "Oracle", rival_wonder="Kremlin") == 3


@pytest.mark.effect("France")
@pytest.mark.parametrize("leader", ["Rome", "Japan"])
def test_another_leader_gets_no_more_tokens(leader):
    assert tokens_with(leader, "Kremlin") == 2


@pytest.mark.effect("France")
def test_france_without_its_ability_gets_no_more_tokens(tmp_path):
    assert tokens_with("France", "Kremlin", rules=without(tmp_path, "France")) == 2


# --- Japan: deserts and mountains next to water or on the map edge have difficulty 3 on the own turn


def coastal_map(leader="Japan", rules=None):
    """Around a city of seat 0: mountain and desert at the edge, mountain by a lake, desert and mountain inland."""
    terrain = {(3, -1): "mountain", (3, -2): "desert", (1, 0): "mountain", (0, 1): "water", (1, -1): "desert",
               (2, -2): "mountain", (2, 0): "hills"}  # fmt: skip
    t = Table(leaders=(leader, "Egypt"), terrain=terrain, rules=rules)
    t.capital(0, (2, -1))
    t.capital(1, (-3, 0))
    return t


COASTAL, INLAND = [(3, -1), (3, -2), (1, 0)], [(1, -1), (2, -2)]


@pytest.mark.effect("Japan")
@pytest.mark.parametrize(
    ("slot", "coast", "inland"), [(2, [], []), (3, COASTAL, []), (4, COASTAL, [(1, -1)]), (5, COASTAL, INLAND)]
)
def test_japan_sees_difficulty_3_on_coastal_deserts_and_mountains_only(slot, coast, inland):
    t = coastal_map()
    t.resolve(0, "Early Empire", slot)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((2, 0), *coast, *inland)


@pytest.mark.effect("Japan")
@pytest.mark.parametrize(("current", "difficulty"), [(0, 3), (1, 5)])
def test_japan_sees_difficulty_3_on_its_own_turn_only(current, difficulty):
    t = coastal_map()
    t.g.current = current
    assert t.difficulty(0, (3, -1)) == difficulty
    assert t.difficulty(1, (3, -1)) == 5


@pytest.mark.effect("Japan")
def test_coastal_forests_hills_and_grassland_stay_as_they_are_for_japan():
    t = Table(leaders=("Japan", "Egypt"), terrain={(3, 0): "forest", (3, -1): "hills", (3, -2): "grassland"})
    t.g.current = 0
    assert [t.difficulty(0, s) for s in [(3, 0), (3, -1), (3, -2)]] == [3, 2, 1]


@pytest.mark.effect("Japan")
@pytest.mark.parametrize("slot", [3, 4])
def test_another_leader_sees_the_printed_difficulty(slot):
    t = coastal_map("Rome")
    t.resolve(0, "Early Empire", slot)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((2, 0), *([(3, -2), (1, -1)] if slot == 4 else []))


@pytest.mark.effect("Japan")
def test_japan_without_its_ability_sees_the_printed_difficulty(tmp_path):
    t = coastal_map(rules=without(tmp_path, "Japan"))
    t.resolve(0, "Early Empire", slot=3)
    assert t.options(decisions.PLACE_TOKEN) == t.spaces((2, 0))


@pytest.mark.effect("Japan")
def test_japan_eases_caravans_and_cities_as_well():
    t = coastal_map()
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot=3)
    assert t.spaces(*COASTAL) <= t.options(decisions.CARAVAN_TO)
    t = Table(leaders=("Japan", "Egypt"), terrain={(3, -1): "mountain", (3, 0): "mountain", (2, 0): "mountain"})
    t.capital(0, (1, 0))
    t.resolve(0, "Pottery", slot=3)
    assert t.at((3, -1)) in t.options(decisions.INDUSTRY)
    t.script()
    t.resolve(0, "Pottery", slot=2)
    assert t.at((3, -1)) not in t.options(decisions.INDUSTRY)


@pytest.mark.effect("Japan")
@pytest.mark.rule("B9.6")
def test_a_coastal_mountain_defends_with_3_on_japans_turn_and_with_5_on_a_rivals():
    t = coastal_map()
    t.token(1, (3, -1))
    assert fight(t, 0, (3, -1), (2, 2)) == (3, 5)
    t = coastal_map()
    t.token(0, (3, -1))
    t.token(1, (3, 0))
    assert fight(t, 1, (3, -1), (2, 2)) == (3, 7)


# --- Rome: caravans set out from any own city


def caravan_from_far_city(leader="Rome", rules=None):
    """Can a caravan reach the space beside a city far from the capital, from slot 1 with 3 steps?"""
    t = Table(radius=6, leaders=(leader, "Aztec"), rules=rules)
    t.capital(0, (-6, 0))
    t.city(0, (4, 0))
    t.city(1, (0, 5))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot=1)
    return t


@pytest.mark.effect("Rome")
def test_caravans_of_rome_set_out_from_any_own_city():
    t = caravan_from_far_city()
    assert t.spaces((5, 0), (1, 0), (-5, 0)) <= t.options(decisions.CARAVAN_TO)
    assert not t.options(decisions.CARAVAN_TO) & t.spaces((0, 4), (0, 6))  # rival city


@pytest.mark.effect("Rome")
def test_caravans_of_another_leader_do_not():
    t = caravan_from_far_city("Egypt")
    assert t.at((-5, 0)) in t.options(decisions.CARAVAN_TO)
    assert not t.options(decisions.CARAVAN_TO) & t.spaces((5, 0), (1, 0))


@pytest.mark.effect("Rome")
def test_rome_without_its_ability_sets_out_from_the_capital_and_mature_cities(tmp_path):
    rules = without(tmp_path, "Rome")
    assert not caravan_from_far_city(rules=rules).options(decisions.CARAVAN_TO) & caravan_from_far_city().spaces((5, 0), (1, 0))


@pytest.mark.effect("Rome")
def test_a_control_token_is_no_city_for_rome():
    t = Table(radius=6, leaders=("Rome", "Aztec"))
    t.capital(0, (-6, 0))
    t.token(0, (4, 0))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.at((5, 0)) not in t.options(decisions.CARAVAN_TO)


# --- Scythia: +3 in combats on grassland and hills


def battle(seat, leader="Scythia", terrain="grassland", target="token", rules=None):
    """Seat 0 attacks a space of seat 1 from slot 1 with equal dice; `seat` plays the leader. Return the totals."""
    leaders = (leader, "Rome") if seat == 0 else ("Rome", leader)
    t = Table(leaders=leaders, terrain={(1, 0): terrain}, rules=rules)
    t.capital(0, (0, 0))
    if target == "token":
        t.token(1, (1, 0))
    elif target == "city":
        t.city(1, (1, 0))
    elif target == "city-state":
        t.city_state("Seoul", (1, 0))
    elif target == "barbarian":
        t.barbarian("A", (1, 0))
        t.dice(2, 2)
        t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, decisions.BARBARIAN_OPTION + t.at((1, 0))))
        t.resolve(0, "Masonry", slot=1)
        return combats(t)[-1]
    return fight(t, 0, (1, 0), (2, 2))


@pytest.mark.effect("Scythia")
@pytest.mark.parametrize(("terrain", "bonus"), [("grassland", 3), ("hills", 3), ("forest", 0), ("desert", 0), ("mountain", 0)])
def test_scythia_attacks_with_3_more_on_grassland_and_hills(terrain, bonus):
    difficulty = ["grassland", "hills", "forest", "desert", "mountain"].index(terrain) + 1
    assert battle(0, terrain=terrain) == (3 + bonus, 2 + difficulty)


@pytest.mark.effect("Scythia")
@pytest.mark.parametrize(("terrain", "bonus"), [("grassland", 3), ("hills", 3), ("forest", 0), ("desert", 0), ("mountain", 0)])
def test_scythia_defends_with_3_more_there(terrain, bonus):
    difficulty = ["grassland", "hills", "forest", "desert", "mountain"].index(terrain) + 1
    assert battle(1, terrain=terrain) == (3, 2 + difficulty + bonus)


@pytest.mark.effect("Scythia")
@pytest.mark.parametrize(("target", "defence"), [("city", 4), ("city-state", 10), ("barbarian", 3)])
def test_the_bonus_of_scythia_counts_against_every_target(target, defence):
    assert battle(0, target=target) == (6, defence)


@pytest.mark.effect("Scythia")
def test_the_bonus_is_for_the_defended_space_not_the_attacking_one():
    t = Table(leaders=("Scythia", "Rome"), terrain={(0, 0): "forest"})
    t.capital(0, (0, 0))
    t.token(1, (1, 0))
    assert fight(t, 0, (1, 0), (2, 2)) == (6, 3)


@pytest.mark.effect("Scythia")
@pytest.mark.parametrize("seat", [0, 1])
def test_scythia_without_its_ability_has_no_bonus(seat, tmp_path):
    assert battle(seat, rules=without(tmp_path, "Scythia")) == (3, 3)


@pytest.mark.effect("Scythia")
def test_another_leader_has_no_bonus():
    assert battle(0, leader="Sumeria") == (3, 3)


# --- Sumeria: a beaten barbarian also yields a resource


def slay(leader="Sumeria", dice=(6, 1), rules=None):
    """Seat 0 attacks a barbarian."""
    t = players(leader, rules=rules)
    t.barbarian("A", (1, 0))
    t.dice(*dice)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, decisions.BARBARIAN_OPTION + t.at((1, 0))))
    t.resolve(0, "Masonry", slot=1)
    return t


@pytest.mark.effect("Sumeria")
def test_sumeria_takes_any_resource_besides_the_trade_token_for_a_beaten_barbarian():
    t = slay()
    assert t.options(decisions.GAIN_RESOURCE) == {0, 1, 2, 3}
    assert int(t.g.resources[0].sum()) == 1
    assert int(t.g.trade[0].sum()) == 1


@pytest.mark.effect("Sumeria")
def test_sumeria_may_take_a_type_it_holds():
    t = players("Sumeria")
    t.give_resources(0, oil=2)
    t.barbarian("A", (1, 0))
    t.dice(6, 1)
    oil = names.RESOURCES.index("oil")
    t.script(
        (decisions.MILITARY, decisions.MILITARY_ATTACK),
        (decisions.ATTACK, decisions.BARBARIAN_OPTION + t.at((1, 0))),
        (decisions.GAIN_RESOURCE, oil),
    )
    t.resolve(0, "Masonry", slot=1)
    assert int(t.g.resources[0, oil]) == 3


@pytest.mark.effect("Sumeria")
def test_sumeria_gets_none_for_a_lost_attack():
    assert int(slay(dice=(1, 6)).g.resources[0].sum()) == 0


@pytest.mark.effect("Sumeria")
def test_sumeria_gets_none_for_another_target():
    t = players("Sumeria")
    t.token(1, (1, 0))
    fight(t, 0, (1, 0), (6, 1))
    assert t.owner((1, 0)) == 0
    assert int(t.g.resources[0].sum()) == 0


@pytest.mark.effect("Sumeria")
def test_another_leader_only_gets_the_trade_token():
    t = slay("Rome")
    assert (int(t.g.resources[0].sum()), int(t.g.trade[0].sum())) == (0, 1)


@pytest.mark.effect("Sumeria")
def test_sumeria_without_its_ability_only_gets_the_trade_token(tmp_path):
    t = slay(rules=without(tmp_path, "Sumeria"))
    assert (int(t.g.resources[0].sum()), int(t.g.trade[0].sum())) == (0, 1)


def drive_out(rules=None, leader="Sumeria"):
    """A caravan of Currency removes a barbarian; return how many resources that brings."""
    t = players(leader, rules=rules)
    t.barbarian("A", (1, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)))
    t.resolve(0, "Currency", slot=1)
    assert int(t.g.barbarian_space[0]) == -1
    return int(t.g.resources[0].sum())


@pytest.mark.effect("Sumeria")
@pytest.mark.effect("Currency")
def test_a_barbarian_that_currency_removes_was_not_beaten():
    assert drive_out() == 0


@pytest.mark.effect("Sumeria")
@pytest.mark.effect("Currency")
@pytest.mark.parametrize(("leader", "resources"), [("Sumeria", 1), ("Rome", 0)])
def test_with_the_other_ruling_it_was(tmp_path, leader, resources):
    assert drive_out(rules_with(tmp_path, rulings={"currency_removal": "counts_as_defeat"}), leader) == resources


@pytest.mark.effect("America")
@pytest.mark.rule("B1.6")
@pytest.mark.rule("B13.2")
def test_a_natural_wonder_given_up_for_its_control_token_no_longer_pays():
    t = american(card="culture")
    t.g.tokens_left[0] = 2
    t.script((decisions.PLACE_TOKEN, AROUND[1]), (decisions.PLACE_TOKEN, AROUND[2]), (decisions.TAKE_OFF, (1, 0)))
    t.resolve(0, "Early Empire", slot=1)
    assert t.asked_kinds() == ["place_token", "place_token", "take_off"]
    assert int(t.g.natural_wonder_owner[LAKE]) == -1
    assert t.trade_on(0, "culture") == 0
    assert int(t.g.tokens_left[0]) == 1
