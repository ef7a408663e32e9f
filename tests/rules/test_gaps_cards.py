"""Cards and wonders in situations that breaking the engine on purpose showed to be untested."""

from functools import partial

import pytest
from table import BOTS, PASS, Table, card_codes, disc, rules_with, table_with

from newdawn.simulator import limits, names
from newdawn.simulator.engine import (
    agendas,
    barbarians,
    culture,
    decisions,
    industry,
    pieces,
    science,
    start_effects,
    trade,
    turn,
)
from newdawn.simulator.engine.choosing import LOG_AGENDA, LOG_CHOICE, LOG_TOKEN_OFF
from newdawn.simulator.engine.science import raise_cards, upgrade_cards
from newdawn.simulator.rules import codes

AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]

board = partial(table_with, (0, 0), leaders=("Egypt", "Aztec"))


def start(t, *choices):
    t.g.current = 0
    t.script(*choices)
    t.call(start_effects.start_of_turn, 0)
    t.require_script_done()


def offered(t, kind):
    return [options for k, _, options in t.asked() if k == kind]


# --- culture


@pytest.mark.rule("B5.1")
@pytest.mark.rule("B1.6")
def test_the_last_trade_token_pays_for_a_control_token_taken_off_the_map():
    t = board()
    t.token(0, (3, 0))
    t.trade(0, "culture", 1)
    t.g.tokens_left[0] = 2
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (0, 1)),
        (decisions.TAKE_OFF, (3, 0)),
        (decisions.PLACE_TOKEN, (-1, 0)),
    )
    t.resolve(0, "Early Empire", 1)
    assert [t.owner(s) for s in [(1, 0), (0, 1), (-1, 0), (3, 0)]] == [0, 0, 0, -1]
    assert t.trade_on(0, "culture") == 0


@pytest.mark.rule("B9.3")
@pytest.mark.effect("Mass Media")
def test_mass_media_counts_from_a_space_taken_this_turn_too():
    t = board()
    t.token(0, (2, 0))
    t.token(1, (3, 0))
    t.g.taken[t.at((2, 0))] = 1  # only an attack does not set out from there
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((3, 0))


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B3.2")
def test_who_satisfies_an_agenda_without_a_token_left_takes_one_off_the_map():
    t = Table(leaders=("Egypt", "Aztec"), victory=range(5))
    t.capital(0, (0, 0))
    t.token(0, (1, 0), (0, 1))
    t.g.tokens_left[0] = 0
    t.g.capitals_beaten[0] = 1
    t.g.dirty = 1
    t.script((decisions.TAKE_OFF, (0, 1)))
    t.call(lambda r, g, w, bots: None)
    t.require_script_done()
    assert offered(t, decisions.TAKE_OFF) == [sorted(t.spaces((1, 0), (0, 1)))]
    assert (t.owner((1, 0)), t.owner((0, 1))) == (0, -1)
    assert sum(map(bool, t.g.claimed[0].tolist())) == 1
    assert int(t.g.tokens_left[0]) == 0


@pytest.mark.effect("Stonehenge")
def test_stonehenge_spreads_from_every_token_of_the_chain_when_a_later_one_is_done():
    hills = [(1, 0), (2, 0), (3, 0), (2, 1), (1, 1), (-2, 0)]
    t = board(terrain=dict.fromkeys(hills, "hills"))
    t.wonder("Stonehenge", (0, 0))
    t.w.chain[:] = t.at((-3, 0))  # an earlier chain went by there
    t.script(
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, (2, 0)),
        (decisions.PLACE_TOKEN, (3, 0)),
        (decisions.PLACE_TOKEN, PASS),  # nothing more from (3, 0)
        (decisions.PLACE_TOKEN, PASS),  # nor from (2, 0)
        (decisions.PLACE_TOKEN, PASS),  # nor from (1, 0)
        (decisions.PLACE_TOKEN, PASS),
    )
    t.resolve(0, "Early Empire", 2)
    expected = [
        t.spaces((2, 0), (1, 1)),  # from (1, 0)
        t.spaces((3, 0), (2, 1), (1, 1)),  # from (2, 0)
        t.spaces((2, 1)),  # from (3, 0)
        t.spaces((2, 1), (1, 1)),  # back at (2, 0)
        t.spaces((1, 1)),  # back at (1, 0)
    ]
    assert [t.options(decisions.PLACE_TOKEN, nth) for nth in range(1, 6)] == expected


@pytest.mark.effect("Mass Production")
def test_mass_production_never_asks_which_of_both():
    t = board()
    t.token(0, (1, 0))
    t.token(1, (2, 0))
    t.script()
    t.resolve(0, "Mass Production", 3)
    assert t.asked_kinds() == ["attack", "reinforce"]


# --- counting


ISLAND = [(0, 0), (1, 0)]


@pytest.mark.rule("B7.3")
def test_a_count_that_has_run_out_of_spaces_ends_there():
    """On an island of two spaces every step is counted long before the caravan's are used up."""
    water = [s for s in disc(3) if s not in ISLAND and max(abs(s[0]), abs(s[1]), abs(s[0] + s[1])) < 3]
    t = board(terrain=dict.fromkeys(water, "water"))
    t.w.queue[:] = 0  # whatever an earlier count has left there
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)))
    t.resolve(0, "Foreign Trade", 1)
    assert t.options(decisions.CARAVAN_TO) == t.spaces((1, 0))


@pytest.mark.rule("B8.1")
@pytest.mark.effect("Animal Husbandry")
def test_two_caravans_on_one_space_count_like_one():
    spaces = [(q, 0) for q in range(12)]
    found = []
    for caravans in ([9], [9, 9], [9, 9, 9]):
        t = Table(spaces=spaces, leaders=("Aztec", "Egypt"))
        t.capital(0, (0, 0))
        for c, q in enumerate(caravans):
            t.caravan(0, (q, 0), c)
        t.script()
        t.resolve(0, "Animal Husbandry", 1)
        found.append(t.options(decisions.INDUSTRY))
    assert found[0] == found[1] == found[2]
    assert found[0] & {8, 10}


# --- combat


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Big Ben")
@pytest.mark.parametrize("beside", [0, 1, 2, 3])
def test_big_ben_counts_each_of_three_caravans(beside):
    t = board()
    t.wonder("Big Ben", (0, 0))
    t.token(1, (2, 0))
    for c in range(3):
        t.caravan(0, [(1, 0), (2, -1), (1, 1)][c] if c < beside else (-2, c), c)
    combat = t.attack(0, "Masonry", 1, (2, 0), (1, 6))
    each = int(t.r.ability_amount[t.r.wonder_first[names.BIG_BEN]])
    assert each > 0
    assert combat.attack == 1 + 1 + each * beside


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Big Ben")
@pytest.mark.parametrize("space", [(-3, 0), (3, 0)])
def test_big_ben_counts_a_caravan_at_either_end_of_the_list_of_spaces(space):
    t = board()
    t.wonder("Big Ben", (0, 0))
    target = (2, 0) if space[0] > 0 else (-2, 0)
    t.token(1, target)
    t.caravan(0, space)
    combat = t.attack(0, "Masonry", 1, target, (1, 6))
    assert combat.attack == 2 + int(t.r.ability_amount[t.r.wonder_first[names.BIG_BEN]])


@pytest.mark.rule("B9.12")
@pytest.mark.parametrize("attacker", [0, 1])
def test_the_victim_of_an_attack_keeps_the_attackers_cards(attacker):
    t = board()
    victim = 1 - attacker
    t.token(attacker, (1, 1))
    t.token(victim, (2, 0))
    t.diplomacy(attacker, victim, "Embassy")
    t.diplomacy(victim, attacker, "Embassy")
    t.attack(attacker, "Masonry", 1, (2, 0), (1, 6))
    assert int(t.g.diplomacy[victim, names.EMBASSY]) == -1
    assert int(t.g.diplomacy[attacker, names.EMBASSY]) == victim


# --- start of the turn


@pytest.mark.effect("Great Zimbabwe")
@pytest.mark.parametrize("full", [None, *names.FOCUS_TYPES[:5]])
def test_great_zimbabwe_pays_out_on_any_card_with_room(full):
    t = board()
    t.wonder("Great Zimbabwe", (0, 0))
    t.g.wonder_bank = 1
    if full:
        t.trade(0, full, int(t.r.max_trade))
    start(t, (decisions.START_EFFECT, decisions.FX_GREAT_ZIMBABWE), (decisions.PLACE_TRADE, PASS))
    assert offered(t, decisions.PLACE_TRADE) == [[t.holder(0, k) for k in names.FOCUS_TYPES[:5] if k != full] + [PASS]]
    assert int(t.g.wonder_bank) == 1


@pytest.mark.effect("Great Zimbabwe")
def test_great_zimbabwe_is_not_offered_when_every_card_is_full():
    t = board()
    t.wonder("Great Zimbabwe", (0, 0))
    t.g.wonder_bank = 1
    for kind in names.FOCUS_TYPES[:5]:
        t.trade(0, kind, int(t.r.max_trade))
    start(t)
    assert t.asked_kinds() == []


@pytest.mark.effect("Geneva")
@pytest.mark.parametrize("left", [0, 1])
def test_geneva_is_offered_for_a_single_possible_swap(left):
    t = Table(leaders=("Egypt", "Aztec", "Rome"))
    t.capital(0, (0, 0))
    t.city_state_card(0, "Geneva")
    t.g.diplomacy[1, 0] = 0
    t.g.diplomacy[1, 1 + left : 4] = 2
    start(t)
    assert offered(t, decisions.START_EFFECT) == ([[decisions.FX_GENEVA, PASS]] if left else [])


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_may_be_declined_after_all():
    t = board()
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (-3, 0), (0, 3), (3, 0))
    before = t.g.owner.tolist()
    start(t, (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER), (decisions.NAME_TOKEN, PASS))
    assert t.g.owner.tolist() == before
    assert t.asked_kinds() == ["start_effect", "name_token"]


# --- turns and rounds


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.rule("B4.2")
@pytest.mark.parametrize("reading", ["after", "before"])
def test_maracana_declined_resets_the_chosen_card_only(tmp_path, reading):
    t = board(rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.wonder("Estadio do Maracana", (0, 0))
    row = t.row(0)
    place = row.index("culture")
    t.script(
        (decisions.CARD, place), *([(decisions.PLACE_TOKEN, PASS)] if reading == "after" else []), (decisions.EXTRA_ECONOMY, 0)
    )
    t.take_turn(0)
    assert t.row(0) == ["culture", *row[:place], *row[place + 1 :]]


@pytest.mark.rule("B3.3a")
@pytest.mark.parametrize(("reading", "won"), [("after_event_dial", True), ("before_event_dial", False)])
def test_a_card_claimed_while_the_dial_turns_wins_only_if_the_winner_is_looked_for_afterwards(tmp_path, reading, won):
    rules = rules_with(tmp_path, rulings={"win_check": reading})
    warmonger = next(c for c in range(5) if names.METRIC_CAPITALS_DEFEATED in rules.agenda_metric[c].tolist())
    t = Table(leaders=("Egypt", "Aztec"), victory=(warmonger,), rules=rules, radius=4)
    t.capital(0, (-4, 0))
    t.capital(1, (4, 0))
    t.g.capitals_beaten[0] = 1  # not looked at yet
    t.g.dirty = 1
    t.g.event = 0  # the next section shows no icon
    t.script()
    turn.begin_round(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] > 0
    assert (int(t.g.ending) == names.VICTORY) == won


@pytest.mark.rule("B7.5")
def test_a_visit_offers_each_card_the_rival_still_has_and_none():
    t = board()
    t.capital(1, (2, 0))
    t.g.diplomacy[1, 2] = 0
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)))
    t.resolve(0, "Foreign Trade", 1)
    assert offered(t, decisions.TAKE_DIPLOMACY) == [[0, 1, 3, PASS]]


# --- rows that Oxford University has changed


def replace(t, p, kind, name):
    """Put a card of another type in the place of the one of this type, as Oxford University allows; return its holder."""
    h = t.holder(p, kind)
    t.g.card[p, h] = card_codes()[name]
    return h


@pytest.mark.effect("Oxford University")
@pytest.mark.effect("Estadio do Maracana")
def test_without_an_economy_card_maracana_offers_nothing():
    t = board()
    t.wonder("Estadio do Maracana", (0, 0))
    replace(t, 0, "economy", "Drama and Poetry")
    t.script((decisions.CARD, t.row(0).index("science")))
    t.take_turn(0)
    assert "extra_economy" not in t.asked_kinds()


@pytest.mark.effect("Oxford University")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize("reading", ["after", "before"])
def test_maracana_finds_the_economy_card_in_the_place_of_the_culture_card(tmp_path, reading):
    t = board(rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.wonder("Estadio do Maracana", (0, 0))
    replace(t, 0, "economy", "Drama and Poetry")
    replace(t, 0, "culture", "Currency")
    place = next(k for k, h in enumerate(t.g.row[0].tolist()) if h == names.CULTURE)
    assert place > 1
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1))
    t.take_turn(0)
    assert set(t.g.row[0, :2].tolist()) == {names.CULTURE, names.SCIENCE}


@pytest.mark.rule("B9.7")
@pytest.mark.effect("Oxford University")
@pytest.mark.parametrize("military_in", [None, "culture"])
def test_the_defender_spends_from_the_military_card_wherever_it_lies_if_there_is_one(military_in):
    t = board()
    t.token(1, (1, 0))
    for kind in names.FOCUS_TYPES[:5]:
        t.trade(1, kind, 1)
    replace(t, 1, "military", "Drama and Poetry")
    if military_in:
        replace(t, 1, military_in, "Iron Working")
    combat = t.attack(0, "Masonry", 1, (1, 0), (1, 3), *([(decisions.SPEND_TRADE, 1)] if military_in else []))
    assert combat.defence == 3 + 1 + (1 if military_in else 0)
    assert int(t.g.trade[1].sum()) == (4 if military_in else 5)


@pytest.mark.rule("B1.3")
@pytest.mark.effect("Great Lighthouse")
@pytest.mark.parametrize("ruin", [None, names.WONDERS[0], names.WONDERS[-1]])
def test_great_lighthouse_needs_an_edge_without_a_ruined_wonder(ruin):
    t = Table(radius=4, leaders=("Egypt", "Aztec"))
    t.capital(0, (0, 0))
    t.wonder("Great Lighthouse", (0, 0))
    if ruin:
        t.wonder(ruin, (4, 0))
    t.script()
    t.resolve(0, "Pottery", 1)
    assert (t.at((4, 0)) in t.options(decisions.INDUSTRY)) == (ruin is None)


# --- more of the same


@pytest.mark.effect("Great Zimbabwe")
def test_an_empty_great_zimbabwe_is_not_offered():
    t = board()
    t.wonder("Great Zimbabwe", (0, 0))
    start(t)
    assert t.asked_kinds() == []


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.effect("Capitalism")
@pytest.mark.parametrize("reading", ["after", "before"])
def test_capitalism_resolved_by_maracana_lets_one_more_card_act_once(tmp_path, reading):
    t = board(rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.wonder("Estadio do Maracana", (0, 0))
    t.card(0, "Capitalism")
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1))
    t.take_turn(0)
    assert t.asked_kinds().count("other_card") == 1


@pytest.mark.rule("B7.3")
def test_a_caravan_chosen_and_not_moved_stays_where_it_is():
    t = board()
    t.caravan(0, (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, PASS))
    t.resolve(0, "Foreign Trade", 1)
    assert int(t.g.caravan[0, 0]) == t.at((2, 0))
    assert int(t.g.caravans[t.at((2, 0))]) == 1


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Carthage")
@pytest.mark.parametrize("card", [False, True])
def test_carthage_counts_the_city_fought_for_itself(card):
    """Within two spaces of the fight: that is also the space of the fight."""
    t = board()
    t.city(1, (2, 0))
    if card:
        t.city_state_card(1, "Carthage")
    combat = t.attack(0, "Masonry", 1, (2, 0), (1, 3))
    assert combat.defence == 3 + 2 * 1 + card


# --- Sydney Opera House


@pytest.mark.rule("B1.4")
@pytest.mark.effect("Sydney Opera House")
@pytest.mark.parametrize("controlled", [False, True])
@pytest.mark.parametrize("rivals", [1, 2, 6])
def test_sydney_lets_every_rivals_token_count(controlled, rivals):
    t = Table(leaders=("Egypt", "Aztec", "Rome"))
    t.capital(0, (0, 0))
    for k, space in enumerate(AROUND):
        t.token(0 if k >= rivals else 1 + k % 2, space)
    if controlled:
        t.wonder("Sydney Opera House", (0, 0))
    assert t.mature(0, (0, 0)) == controlled


# --- more of the same


def upgrade(card, holder):
    """The option that puts the card in the place of the one of the holder's number."""
    return card_codes()[card] * 8 + holder


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


@pytest.mark.effect("Embassy")
def test_the_resource_of_an_embassy_may_be_one_already_held():
    t = board(radius=2)
    t.capital(1, (2, 0))
    t.diplomacy(0, 1, "Embassy")
    t.give_resources(0, marble=1, oil=1)
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), (decisions.TAKE_DIPLOMACY, PASS))
    t.resolve(0, "Foreign Trade", 3)
    assert t.options(decisions.GAIN_RESOURCE) == set(range(len(names.RESOURCES)))


@pytest.mark.effect("Porcelain Tower")
@pytest.mark.parametrize(
    ("card", "kind"),
    [("Drama and Poetry", "culture"), ("Mathematics", "science"), ("Currency", "economy"), ("Iron Working", "military")],
)
def test_porcelain_tower_offers_every_card_but_the_one_it_raised(card, kind):
    t = board()
    h = t.holder(0, kind)
    t.script((decisions.UPGRADE, upgrade(card, h)))
    t.call(raise_cards, 0, int(t.r.wonder_first[names.PORCELAIN_TOWER]), 2)
    assert {option % 8 for option in t.options(decisions.UPGRADE, nth=1)} == set(range(5)) - {h}


@pytest.mark.effect("Pyramids")
@pytest.mark.rule("B6.3")
def test_a_single_card_to_raise_is_offered():
    t = board()
    for card in ("Mathematics", "Currency", "Animal Husbandry", "Iron Working"):
        t.card(0, card)
    only = upgrade("Drama and Poetry", t.holder(0, "culture"))
    t.script((decisions.UPGRADE, only))
    t.call(upgrade_cards, 0, int(t.r.wonder_first[names.PYRAMIDS]), 3)
    t.require_script_done()
    assert offered(t, decisions.UPGRADE) == [[only, PASS]]


@pytest.mark.rule("B3.2")
@pytest.mark.rule("B6.2")
def test_the_card_for_the_dial_is_claimed_before_the_new_card_is_chosen():
    t = board(victory=(names.AGENDAS.index("Technophile") // 2,))
    t.g.dial[0] = t.g.dial_reached[0] = 23
    t.script()
    t.resolve(0, "Astrology", 1)
    assert "upgrade" in t.asked_kinds()
    kinds = [row[0] if row[0] != LOG_CHOICE else ("choice", row[2]) for row in t.w.log[: t.w.log_n].tolist()]
    assert kinds.index(LOG_AGENDA) < kinds.index(("choice", decisions.UPGRADE))


@pytest.mark.rule("B9.10")
def test_a_beaten_capital_without_a_wonder_asks_for_no_city_to_put_one():
    t = board()
    t.city(0, (-2, 0))
    t.capital(1, (2, 0))
    t.token(0, (1, 0))
    assert t.attack(0, "Flight", 5, (2, 0), (6, 1)).won
    assert "wonder_city" not in t.asked_kinds()
    assert set(t.g.wonder_token.tolist()) == {-1}


# --- natural wonders of America, prices, places that are none


def american(card):
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
    t = american("industry")
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
    t = american("military")
    t.barbarian("A", (0, 1))
    t.attack(0, "Masonry", 1, (0, 1), (6, 1), (decisions.SPEND_TRADE, 1), barbarian=True)
    assert t.asked_kinds() == ["military", "attack", "spend_trade", "natural_wonder_card", "place_trade"]


@pytest.mark.effect("Brussels")
@pytest.mark.rule("B8.5")
def test_a_wonder_never_costs_less_than_nothing(tmp_path):
    t = board(rules=rules_with(tmp_path))
    t.r.ability_amount[t.r.city_state_first[names.BRUSSELS]] = -20
    t.token(0, *AROUND)
    t.city_state_card(0, "Brussels")
    assert industry.wonder_cost(t.r, t.g, 0, names.WONDERS.index("Stonehenge")) == 0


@pytest.mark.effect("Seoul")
def test_a_barbarian_off_the_map_cannot_be_pushed_even_where_the_map_fills_the_list_of_spaces():
    t = Table(spaces=[(q, r) for q in range(-8, 8) for r in range(-8, 8)])
    assert t.g.n_spaces == limits.MAX_SPACES
    t.barbarian("A", (0, 0))
    t.call(beat_barbarian_at, t.at((0, 0)))
    assert barbarians.list_pushes(t.r, t.g, t.w) == 0


def beat_barbarian_at(r, g, w, bots, s):
    pieces.beat_barbarian(g, w, 0, s)


@pytest.mark.effect("Civil Service")
def test_a_token_beside_any_friendly_space_is_asked_for_without_a_space_it_spreads_from():
    t = board()
    t.w.ask_space = 7
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, PASS), (decisions.PLACE_TOKEN, (2, 0)))
    t.resolve(0, "Civil Service", slot=1)
    rows = [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CHOICE]
    assert [row[4] for row in rows] == [-1] * len(rows)
    assert t.owner((2, 0)) == 0


@pytest.mark.rule("B4.3")
@pytest.mark.effect("America")
def test_the_last_natural_wonder_of_the_list_spends_as_a_trade_token():
    t = Table(leaders=("America", "Aztec"))
    last, h = t.r.n_natural_wonders - 1, t.holder(0, "science")
    t.g.natural_wonder_owner[last], t.g.natural_wonder_holder[last] = 0, h
    assert trade.spendable(t.r, t.g, 0, h, -1) == 1


# --- what is offered, and nothing else


@pytest.mark.rule("B5.1")
@pytest.mark.effect("Stonehenge")
def test_tokens_that_follow_by_stonehenge_cost_no_trade_token():
    t = board(terrain={(1, 0): "hills", (2, 0): "hills"})
    t.wonder("Stonehenge", (0, 0))
    t.trade(0, "culture", 1)
    t.script((decisions.PLACE_TOKEN, (2, 0)))
    t.w.ask_cost = 7
    t.call(culture.spread_tokens, 0, 1, t.at((1, 0)))
    assert t.owner((2, 0)) == 0
    assert t.w.ask_cost == 0
    assert t.trade_on(0, "culture") == 1


@pytest.mark.rule("B1.3")
@pytest.mark.effect("Drama and Poetry")
def test_drama_and_poetry_offers_each_step_once_and_then_to_leave_the_tokens_where_they_are():
    t = board()
    t.token(0, (3, 0))
    t.w.option[:] = 77
    t.script((decisions.MOVE_TOKEN, PASS))
    t.call(culture.move_token, 0)
    steps = [t.at((3, 0)) * 256 + t.at(s) for s in [(2, 0), (2, 1), (3, -1)]]
    (offer,) = offered(t, decisions.MOVE_TOKEN)
    assert sorted(offer[:-1]) == sorted(steps)
    assert offer[-1] == PASS


@pytest.mark.rule("B8.6")
@pytest.mark.parametrize("held", ["Stonehenge", "Hanging Gardens"])
def test_a_city_with_a_wonder_has_no_room_for_another_whichever_it_is(held):
    t = board()
    t.wonder(held, (0, 0))
    t.deck("Colossus")
    t.give_resources(0, diamond=3, oil=3)
    t.resolve(0, "Urbanization", 5)
    assert [v for options in offered(t, decisions.INDUSTRY) for v in options if v >= decisions.WONDER_OPTION] == []
    t.city(0, (2, 0))
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + names.WONDERS.index("Colossus")))
    t.resolve(0, "Urbanization", 5)
    assert t.controls(0, "Colossus")


@pytest.mark.rule("B6.2")
@pytest.mark.effect("Porcelain Tower")
def test_porcelain_tower_does_not_offer_the_raised_card_again_among_cards_of_higher_levels():
    t = board()
    t.card(0, "Replaceable Parts")  # its next level comes after that of the raised card
    h = t.holder(0, "culture")
    t.script((decisions.UPGRADE, upgrade("Drama and Poetry", h)))
    t.call(raise_cards, 0, int(t.r.wonder_first[names.PORCELAIN_TOWER]), 2)
    expected = [("Currency", "economy"), ("Animal Husbandry", "industry"), ("Iron Working", "military")]
    expected.append(("Nuclear Power", "science"))
    assert offered(t, decisions.UPGRADE)[1] == [upgrade(card, t.holder(0, kind)) for card, kind in expected] + [PASS]


@pytest.mark.rule("B4.1")
@pytest.mark.effect("Forbidden City")
def test_who_leaves_forbidden_city_unused_after_all_takes_nothing_off_the_map():
    t = board()
    t.wonder("Forbidden City", (0, 0))
    t.token(1, (1, 0))
    logged = t.w.log_n
    t.script((decisions.RIVAL_TOKEN, PASS))
    t.call(start_effects.remove_tokens, 0, 1)
    t.require_script_done()
    assert t.owner((1, 0)) == 1
    assert LOG_TOKEN_OFF not in t.w.log[logged : t.w.log_n, 0]


@pytest.mark.rule("B6.2")
@pytest.mark.parametrize("had", [False, True])
def test_the_ability_that_a_house_rule_gives_a_card_acts_as_soon_as_the_card_is_in_the_row(tmp_path, had):
    abilities = {"Currency": {"abilities": [{"effect": "city_range", "amount": 2}]}}
    if had:
        abilities["Foreign Trade"] = {"abilities": [{"effect": "production", "amount": 1}]}
    t = board(rules=rules_with(tmp_path, focus_cards=abilities))
    before = [int(t.g.power[0, what]) for what in (codes.CITY_RANGE, codes.PRODUCTION)]
    science.replace_card(t.r, t.g, t.w, 0, t.holder(0, "economy"), card_codes()["Currency"])
    t.call(agendas.settle)
    assert before == [0, int(had)]
    assert [int(t.g.power[0, what]) for what in (codes.CITY_RANGE, codes.PRODUCTION)] == [2, 0]
