"""The economy wonders of the base game, from both sides: who controls one, and who does not."""

import pytest
from table import PASS, Table, card_codes, rome_with, rules_with, table_of_three, table_with, table_with_wonder

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, turn
from newdawn.simulator.engine.choosing import LOG_CARD, LOG_COMBAT

HOME, AWAY = (0, 0), (-4, 0)  # capitals of seats 0 and 1
HOLDERS = ["own", "rival", "nobody"]


board = table_with_wonder


def line(length, wonder=None, holder="own", **kwargs):
    """A row of spaces, the own capital at its left end, the rival's at its right end."""
    t = Table(spaces=[(q, 0) for q in range(length)], leaders=("Egypt", "Aztec"), **kwargs)
    t.capital(0, (0, 0))
    t.capital(1, (length - 1, 0))
    if wonder:
        t.wonder(wonder, (0, 0) if holder == "own" else (length - 1, 0))
    return t


# --- price of all of them

PRICES = {
    "Stonehenge": (7, "marble", "mercury"),
    "Hanging Gardens": (8, "marble", "diamond"),
    "Forbidden City": (9, "marble", "oil"),
    "Chichen Itza": (10, "marble", "mercury"),
    "Sydney Opera House": (10, "marble", "diamond"),
    "Eiffel Tower": (12, "marble", "oil"),
    "Colossus": (7, "diamond", "oil"),
    "Great Lighthouse": (8, "diamond", "mercury"),
    "Machu Picchu": (10, "diamond", "mercury"),
    "Great Zimbabwe": (9, "diamond", "oil"),
    "Estadio do Maracana": (10, "diamond", "marble"),
    "Big Ben": (10, "diamond", "mercury"),
    "Petra": (7, "oil", "diamond"),
    "Terracotta Army": (8, "oil", "marble"),
    "Alhambra": (10, "oil", "marble"),
    "Venetian Arsenal": (10, "oil", "diamond"),
    "Ruhr Valley": (11, "oil", "mercury"),
    "Pentagon": (12, "oil", "diamond"),
    "Oracle": (8, "mercury", "marble"),
    "Pyramids": (9, "mercury", "oil"),
    "Porcelain Tower": (9, "mercury", "diamond"),
    "Potala Palace": (10, "mercury", "marble"),
    "Oxford University": (10, "mercury", "marble"),
    "Kremlin": (11, "mercury", "oil"),
}


@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("wonder", [pytest.param(w, marks=pytest.mark.effect(w)) for w in PRICES])
def test_price_and_accepted_resources(wonder):
    cost, *accepted = PRICES[wonder]
    for kind in names.RESOURCES:
        for short in (0, 1):
            t = Table(radius=2, leaders=("Aztec", "Egypt"))
            t.capital(0, (0, 0))
            t.deck(wonder)
            missing = cost - 1 - short  # the card lies in slot 1
            t.give_resources(0, **{kind: missing // 2})
            t.trade(0, "industry", missing % 2)
            t.script()
            t.resolve(0, "Pottery", slot=1)
            offered = decisions.WONDER_OPTION + names.WONDERS.index(wonder) in t.options(decisions.INDUSTRY)
            assert offered == (kind in accepted and not short), (kind, short)


@pytest.mark.rule("B8.7")
def test_every_wonder_has_a_price():
    assert set(PRICES) == set(names.WONDERS)


# --- Colossus


@pytest.mark.effect("Colossus")
def test_colossus_shares_six_extra_steps_among_the_caravans():
    t = line(22, "Colossus")
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (8, 0)), (decisions.CARAVAN, 1), (decisions.CARAVAN_TO, (6, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=0) == t.row_spaces(*range(1, 11))  # 4 + 6
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(*range(1, 7))  # 4 + the 2 left


@pytest.mark.effect("Colossus")
def test_own_steps_left_over_are_not_shared():
    t = line(22, "Colossus")
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (1, 0)), (decisions.CARAVAN, 1), (decisions.CARAVAN_TO, (10, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(*range(1, 11))


@pytest.mark.effect("Colossus")
def test_one_caravan_may_use_all_extra_steps():
    t = line(22, "Colossus")
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (10, 0)), (decisions.CARAVAN, 1), (decisions.CARAVAN_TO, (4, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(*range(1, 5))


@pytest.mark.effect("Colossus")
def test_no_extra_steps_without_colossus():
    t = line(22, "Colossus", "rival")
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (4, 0)))
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO) == t.row_spaces(*range(1, 5))


@pytest.mark.effect("Colossus")
@pytest.mark.effect("Currency")
def test_extra_steps_continue_after_a_removed_barbarian():
    t = line(22, "Colossus")
    t.barbarian("A", (3, 0))
    t.script(
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (3, 0)),
        (decisions.CARAVAN_TO, (9, 0)),
        (decisions.CARAVAN, 1),
        (decisions.CARAVAN_TO, (1, 0)),
    )
    t.resolve(0, "Currency", slot=1)
    assert t.options(decisions.CARAVAN_TO, nth=1) == t.row_spaces(0, 1, 2, *range(4, 11))
    assert t.options(decisions.CARAVAN_TO, nth=2) == t.row_spaces(*range(1, 6))  # 4 + 1: five extra steps are gone


# --- Great Lighthouse


def lighthouse_sites(t, slot=1, card="Pottery"):
    t.script()
    t.resolve(0, card, slot)
    return {s for s in t.options(decisions.INDUSTRY) if s < decisions.WONDER_OPTION}


@pytest.mark.effect("Great Lighthouse")
@pytest.mark.rule("B8.3")
def test_great_lighthouse_opens_the_empty_map_edge():
    t = Table(radius=4, leaders=("Egypt", "Aztec"), terrain={(4, -4): "hills", (0, 4): "water"})
    t.capital(0, HOME)
    t.capital(1, (-4, 0))
    t.wonder("Great Lighthouse", HOME)
    t.barbarian("A", (4, 0))
    t.resource("oil", (4, -1))
    t.caravan(1, (4, -2))
    t.token(1, (4, -3))
    found = lighthouse_sites(t)
    edge = {s for q, r in t.coordinates if max(abs(q), abs(r), abs(q + r)) == 4 for s in [t.at((q, r))]}
    taken = t.spaces((4, 0), (4, -1), (4, -2), (4, -3), (4, -4), (0, 4))
    near_the_rival = t.spaces((-4, 0), (-4, 1), (-3, -1))
    assert found & edge == edge - taken - near_the_rival
    near = t.spaces(*[(q, r) for q, r in t.coordinates if max(abs(q), abs(r), abs(q + r)) == 2])
    assert found - edge == near  # spaces within 2 as ever, nothing in the ring between


@pytest.mark.effect("Great Lighthouse")
@pytest.mark.parametrize("holder", ["rival", "nobody"])
def test_the_far_map_edge_stays_closed_without_great_lighthouse(holder):
    t = board("Great Lighthouse", holder)
    assert t.at((4, 0)) not in lighthouse_sites(t)


@pytest.mark.effect("Great Lighthouse")
def test_a_city_is_built_on_the_far_map_edge():
    t = board("Great Lighthouse")
    t.script((decisions.INDUSTRY, (4, 0)))
    t.resolve(0, "Pottery", slot=1)
    assert (t.piece((4, 0)), t.owner((4, 0))) == ("city", 0)


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


# --- Machu Picchu


@pytest.mark.effect("Machu Picchu")
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize(("slot", "acts_as"), [(1, 3), (2, 3), (3, 3), (4, 4), (5, 5)])
def test_machu_picchu_slots_1_and_2_act_as_3(holder, slot, acts_as):
    t = board("Machu Picchu", holder)
    t.script()
    t.resolve(0, "Astrology", slot)
    assert t.g.dial[0] == (acts_as if holder == "own" else slot)


@pytest.mark.effect("Machu Picchu")
def test_machu_picchu_raises_terrain_and_production():
    t = board("Machu Picchu", terrain={(1, 0): "forest", (0, 1): "desert"})
    t.script()
    t.resolve(0, "Early Empire", slot=1)
    assert t.at((1, 0)) in t.options(decisions.PLACE_TOKEN)
    assert t.at((0, 1)) not in t.options(decisions.PLACE_TOKEN)
    t.city(0, (3, 0))
    t.deck("Petra")
    t.give_resources(0, oil=2)
    t.script()
    t.resolve(0, "Pottery", slot=1)  # 3 + 4; Petra costs Egypt 6, too much for 1 + 4 and for 3 + 2
    assert decisions.WONDER_OPTION + names.PETRA in t.options(decisions.INDUSTRY)
    t.g.resources[0, 2] = 1
    t.script()
    t.resolve(0, "Pottery", slot=1)
    assert decisions.WONDER_OPTION + names.PETRA not in t.options(decisions.INDUSTRY)


@pytest.mark.effect("Machu Picchu")
@pytest.mark.effect("Capitalism")
def test_machu_picchu_raises_the_second_card_of_capitalism():
    t = board("Machu Picchu")
    t.card(0, "Capitalism")
    t.script((decisions.CARD, 1), (decisions.CARAVAN, PASS), (decisions.OTHER_CARD, 1))
    t.take_turn(0)
    assert t.g.dial[0] == 3


# --- Great Zimbabwe


def visit_seoul(t, *choices):
    t.city_state("Seoul", (2, 0))
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (2, 0)), *choices, (decisions.TAKE_DIPLOMACY, PASS))
    t.resolve(0, "Foreign Trade", slot=1)


@pytest.mark.effect("Great Zimbabwe")
def test_great_zimbabwe_stores_a_gained_token():
    t = board("Great Zimbabwe")
    visit_seoul(t, (decisions.PLACE_TRADE, decisions.BANK), (decisions.PLACE_TRADE, names.SCIENCE))
    assert t.options(decisions.PLACE_TRADE) == {names.SCIENCE, decisions.BANK}
    assert t.g.wonder_bank == 1
    assert t.trade_on(0, "science") == 1


@pytest.mark.effect("Great Zimbabwe")
@pytest.mark.rule("B13.1")
def test_great_zimbabwe_stores_what_a_full_card_would_lose():
    t = board("Great Zimbabwe")
    t.trade(0, "science", 2)
    visit_seoul(t, (decisions.PLACE_TRADE, names.SCIENCE))
    assert t.trade_on(0, "science") == 3
    assert t.g.wonder_bank == 1


@pytest.mark.effect("Great Zimbabwe")
def test_great_zimbabwe_stores_four_tokens_at_most():
    t = board("Great Zimbabwe")
    t.g.wonder_bank = 3
    visit_seoul(t, (decisions.PLACE_TRADE, decisions.BANK))
    assert t.g.wonder_bank == 4
    assert t.trade_on(0, "science") == 1


@pytest.mark.effect("Great Zimbabwe")
@pytest.mark.parametrize("holder", HOLDERS)
def test_only_its_holder_stores_on_great_zimbabwe(holder):
    t = board("Great Zimbabwe", holder)
    t.barbarian("A", (1, 0))
    t.dice(6, 1)
    options = [(decisions.PLACE_TRADE, decisions.BANK)] if holder == "own" else [(decisions.PLACE_TRADE, names.ECONOMY)]
    t.script(
        (decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, decisions.BARBARIAN_OPTION + t.at((1, 0))), *options
    )
    t.resolve(0, "Masonry", slot=5)
    assert t.g.wonder_bank == (1 if holder == "own" else 0)


@pytest.mark.rule("B4.1")
@pytest.mark.effect("Great Zimbabwe")
def test_great_zimbabwe_pays_out_at_the_start_of_the_turn():
    t = board("Great Zimbabwe")
    t.g.wonder_bank = 4
    t.trade(0, "science", 2)
    t.trade(0, "culture", 3)
    t.start_of_turn(
        (decisions.START_EFFECT, decisions.FX_GREAT_ZIMBABWE),
        (decisions.PLACE_TRADE, names.SCIENCE),
        (decisions.PLACE_TRADE, names.ECONOMY),
        (decisions.PLACE_TRADE, names.ECONOMY),
        (decisions.PLACE_TRADE, PASS),
    )
    assert names.CULTURE not in t.options(decisions.PLACE_TRADE, nth=0)  # full
    assert names.SCIENCE not in t.options(decisions.PLACE_TRADE, nth=1)  # full by now
    assert t.trade_on(0, "science") == 3
    assert t.trade_on(0, "economy") == 2
    assert t.g.wonder_bank == 1


@pytest.mark.effect("Great Zimbabwe")
def test_who_lost_great_zimbabwe_gets_nothing_out_of_it():
    t = board("Great Zimbabwe")
    t.g.wonder_bank = 2
    t.city(0, (-2, 0))
    t.g.wonder_token[t.at(HOME)] = -1
    t.wonder("Great Zimbabwe", (-2, 0))
    t.beat((-2, 0), by=1)
    t.start_of_turn()
    assert t.asked_kinds() == []
    assert t.g.trade[0].sum() == 0
    visit_seoul(t)
    assert t.trade_on(0, "science") == 2
    assert "place_trade" not in t.asked_kinds()


@pytest.mark.effect("Great Zimbabwe")
@pytest.mark.parametrize("full", [None, *names.FOCUS_TYPES[:5]])
def test_great_zimbabwe_pays_out_on_any_card_with_room(full):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder("Great Zimbabwe", (0, 0))
    t.g.wonder_bank = 1
    if full:
        t.trade(0, full, int(t.r.max_trade))
    t.start_of_turn((decisions.START_EFFECT, decisions.FX_GREAT_ZIMBABWE), (decisions.PLACE_TRADE, PASS))
    assert t.offers(decisions.PLACE_TRADE) == [[t.holder(0, k) for k in names.FOCUS_TYPES[:5] if k != full] + [PASS]]
    assert int(t.g.wonder_bank) == 1


@pytest.mark.effect("Great Zimbabwe")
def test_great_zimbabwe_is_not_offered_when_every_card_is_full():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder("Great Zimbabwe", (0, 0))
    t.g.wonder_bank = 1
    for kind in names.FOCUS_TYPES[:5]:
        t.trade(0, kind, int(t.r.max_trade))
    t.start_of_turn()
    assert t.asked_kinds() == []


@pytest.mark.effect("Great Zimbabwe")
def test_an_empty_great_zimbabwe_is_not_offered():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder("Great Zimbabwe", (0, 0))
    t.start_of_turn()
    assert t.asked_kinds() == []


# --- Estadio do Maracana


def acting(t):
    """Return the focus types of the cards resolved, in order."""
    return [names.FOCUS_TYPES[row[4] // names.N_LEVELS] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CARD]


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Estadio do Maracana")
def test_maracana_resolves_and_resets_the_economy_card_after_another():
    t = board("Estadio do Maracana")
    t.script(
        (decisions.CARD, 4),  # culture
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, PASS),
        (decisions.EXTRA_ECONOMY, 1),
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (2, 0)),
    )
    t.take_turn(0)
    assert acting(t) == ["culture", "economy"]
    assert t.row(0) == ["culture", "economy", "science", "industry", "military"]  # economy was reset first
    assert t.asked_kinds().count("extra_economy") == 1


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Estadio do Maracana")
def test_ruling_maracana_resolves_the_economy_card_before_the_other(tmp_path):
    t = board("Estadio do Maracana", rules=rules_with(tmp_path, rulings={"maracana_order": "before"}))
    t.script(
        (decisions.CARD, 4),
        (decisions.EXTRA_ECONOMY, 1),
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, (2, 0)),
        (decisions.PLACE_TOKEN, (1, 0)),
        (decisions.PLACE_TOKEN, PASS),
    )
    t.take_turn(0)
    assert acting(t) == ["economy", "culture"]
    assert t.row(0) == ["culture", "economy", "science", "industry", "military"]


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize(
    ("reading", "slots"), [("after", [("culture", 4), ("economy", 5)]), ("before", [("economy", 5), ("culture", 5)])]
)
def test_maracana_before_lets_the_chosen_card_act_from_the_slot_it_has_moved_to(tmp_path, reading, slots):
    t = board("Estadio do Maracana", rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.g.row[0, :5] = [t.holder(0, kind) for kind in ("science", "industry", "military", "culture", "economy")]
    t.script((decisions.CARD, 3), (decisions.EXTRA_ECONOMY, 1))
    t.take_turn(0)
    rows = [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CARD]
    assert [(names.FOCUS_TYPES[row[4] // names.N_LEVELS], row[3]) for row in rows] == slots
    assert t.row(0) == ["culture", "economy", "science", "industry", "military"]


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Estadio do Maracana")
def test_maracana_asks_with_the_slot_number_the_economy_card_acts_with():
    t = board("Estadio do Maracana")
    t.city(0, (0, 3))
    t.wonder("Machu Picchu", (0, 3))
    t.script((decisions.CARD, 4), (decisions.EXTRA_ECONOMY, 0))  # economy lies in slot 2
    t.take_turn(0)
    assert t.w.ask_slot == 3


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize("reading", ["after", "before"])
def test_maracana_does_not_work_with_the_economy_card_itself(tmp_path, reading):
    t = board("Estadio do Maracana", rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.script((decisions.CARD, 1), (decisions.CARAVAN, PASS))
    t.take_turn(0)
    assert acting(t) == ["economy"]
    assert "extra_economy" not in t.asked_kinds()


@pytest.mark.effect("Estadio do Maracana")
def test_maracana_does_not_add_a_second_economy_card_to_an_economy_card():
    t = board("Estadio do Maracana")
    t.g.card[0, names.CULTURE] = card_codes()["Currency"]  # brought there by Oxford University
    t.script((decisions.CARD, 1), (decisions.CARAVAN, PASS))
    t.take_turn(0)
    assert acting(t) == ["economy"]


@pytest.mark.effect("Estadio do Maracana")
def test_maracana_is_optional():
    t = board("Estadio do Maracana")
    t.script((decisions.CARD, 0), (decisions.EXTRA_ECONOMY, 0))
    t.take_turn(0)
    assert acting(t) == ["science"]
    assert t.row(0) == ["science", "economy", "industry", "military", "culture"]


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize("holder", ["rival", "nobody"])
@pytest.mark.parametrize("reading", ["after", "before"])
def test_no_extra_economy_card_without_controlling_maracana(tmp_path, holder, reading):
    t = board("Estadio do Maracana", holder, rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.script((decisions.CARD, 0))
    t.take_turn(0)
    assert acting(t) == ["science"]


@pytest.mark.effect("Estadio do Maracana")
def test_maracana_works_again_next_turn():
    t = board("Estadio do Maracana")
    for _ in range(2):
        t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1), (decisions.CARAVAN, PASS))
        t.take_turn(0)
    assert acting(t) == ["science", "economy"] * 2


def with_capitalism(t):
    """Put Capitalism in slot 5 of a row whose other cards ask nothing, but for science."""
    t.g.card[0, t.holder(0, "economy")] = card_codes()["Capitalism"]
    t.g.row[0, :5] = [t.holder(0, kind) for kind in ("industry", "military", "culture", "science", "economy")]
    return t


SECOND_BY_CAPITALISM = [
    (decisions.CARD, 4),
    (decisions.CARAVAN, PASS),
    (decisions.OTHER_CARD, 4),  # science has moved to slot 5
    (decisions.SCIENCE, 0),
]


@pytest.mark.rule("T12.24")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize(("times", "offered"), [(None, True), ("each", True), ("once_a_turn", True)])
def test_maracana_goes_with_capitalisms_second_card(tmp_path, times, offered):
    rulings = {} if times is None else {"maracana_times": times}
    t = with_capitalism(board("Estadio do Maracana", rules=rules_with(tmp_path, rulings=rulings)))
    t.script(*SECOND_BY_CAPITALISM, (decisions.EXTRA_ECONOMY, 1), (decisions.CARAVAN, PASS))
    t.take_turn(0)
    assert acting(t) == ["economy", "science", "economy"]
    assert t.asked_kinds().count("other_card") == 1  # Capitalism: once a turn
    assert t.asked_kinds().count("extra_economy") == int(offered)


@pytest.mark.rule("T12.24")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize(("times", "economies"), [(None, 2), ("each", 2), ("once_a_turn", 1)])
@pytest.mark.parametrize("order", ["after", "before"])
def test_maracana_works_each_time_a_card_is_resolved_or_once_a_turn(tmp_path, times, economies, order):
    rulings = {"maracana_order": order} | ({} if times is None else {"maracana_times": times})
    t = with_capitalism(board("Estadio do Maracana", rules=rules_with(tmp_path, rulings=rulings)))
    t.script(
        (decisions.CARD, 2),  # culture
        (decisions.EXTRA_ECONOMY, 1),
        (decisions.OTHER_CARD, t.row(0).index("science") + 1),
        *[(decisions.EXTRA_ECONOMY, 1)] * (economies == 2),
    )
    t.take_turn(0)
    again = ["economy"] * (economies - 1)
    assert acting(t) == (
        ["culture", "economy", "science", *again] if order == "after" else ["economy", *again, "science", "culture"]
    )
    assert t.asked_kinds().count("other_card") == 1


@pytest.mark.rule("T12.24")
@pytest.mark.effect("Estadio do Maracana", "Venetian Arsenal")
@pytest.mark.parametrize(
    ("times", "resolved"), [("each", "science economy science economy"), ("once_a_turn", "science economy science")]
)
def test_maracana_goes_between_the_two_resolutions_by_venetian_arsenal(tmp_path, times, resolved):
    t = board("Estadio do Maracana", rules=rules_with(tmp_path, rulings={"maracana_times": times}))
    t.city(0, (0, 3))
    t.wonder("Venetian Arsenal", (0, 3))
    t.g.row[0, :5] = [t.holder(0, kind) for kind in ("economy", "industry", "military", "culture", "science")]
    t.script(
        (decisions.CARD, 4),
        (decisions.SCIENCE, 1),
        (decisions.EXTRA_ECONOMY, 1),
        (decisions.CARAVAN, PASS),
        (decisions.REPEAT_CARD, 1),
        (decisions.SCIENCE, 1),
        *[(decisions.EXTRA_ECONOMY, 1), (decisions.CARAVAN, PASS)] * (times == "each"),
    )
    t.take_turn(0)
    assert " ".join(acting(t)) == resolved
    assert t.row(0)[0] == "science"


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.rule("B4.2")
@pytest.mark.parametrize("reading", ["after", "before"])
def test_maracana_declined_resets_the_chosen_card_only(tmp_path, reading):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.wonder("Estadio do Maracana", (0, 0))
    row = t.row(0)
    place = row.index("culture")
    t.script(
        (decisions.CARD, place), *([(decisions.PLACE_TOKEN, PASS)] if reading == "after" else []), (decisions.EXTRA_ECONOMY, 0)
    )
    t.take_turn(0)
    assert t.row(0) == ["culture", *row[:place], *row[place + 1 :]]


@pytest.mark.effect("Oxford University")
@pytest.mark.effect("Estadio do Maracana")
def test_without_an_economy_card_maracana_offers_nothing():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder("Estadio do Maracana", (0, 0))
    t.card_in_place_of(0, "economy", "Drama and Poetry")
    t.script((decisions.CARD, t.row(0).index("science")))
    t.take_turn(0)
    assert "extra_economy" not in t.asked_kinds()


@pytest.mark.effect("Oxford University")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize("reading", ["after", "before"])
def test_maracana_finds_the_economy_card_in_the_place_of_the_culture_card(tmp_path, reading):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.wonder("Estadio do Maracana", (0, 0))
    t.card_in_place_of(0, "economy", "Drama and Poetry")
    t.card_in_place_of(0, "culture", "Currency")
    place = next(k for k, h in enumerate(t.g.row[0].tolist()) if h == names.CULTURE)
    assert place > 1
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1))
    t.take_turn(0)
    assert set(t.g.row[0, :2].tolist()) == {names.CULTURE, names.SCIENCE}


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.effect("Capitalism")
@pytest.mark.parametrize("reading", ["after", "before"])
def test_capitalism_resolved_by_maracana_lets_one_more_card_act_once(tmp_path, reading):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"), rules=rules_with(tmp_path, rulings={"maracana_order": reading}))
    t.wonder("Estadio do Maracana", (0, 0))
    t.card(0, "Capitalism")
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1))
    t.take_turn(0)
    assert t.asked_kinds().count("other_card") == 1


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.parametrize("sees", [0, 1])
def test_the_extra_economy_card_acts_from_the_slot_it_is_shifted_to_whatever_the_ruling_on_as_if(sees):
    t = rome_with({"effect": "slot_shift", "amount": 1, "type": ["economy"]})
    t.r = t.r.copy()
    t.r.machu_picchu_sees_as_if = sees
    t.wonder("Estadio do Maracana", (0, 0))
    lies_in = t.slot_of(0, "economy")
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1))
    t.take_turn(0)
    rows = [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CARD and row[5] == turn.BY_MARACANA]
    assert [row[6] for row in rows] == [min(lies_in + 1, 5)]


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.effect("Venetian Arsenal")
@pytest.mark.parametrize(
    ("wonder", "card", "kind"),
    [("Estadio do Maracana", "science", decisions.EXTRA_ECONOMY), ("Venetian Arsenal", None, decisions.REPEAT_CARD)],
)
def test_a_card_more_is_offered_as_yes_or_no(wonder, card, kind):
    t = table_of_three(0, 1)
    t.wonder(wonder, (0, 0))
    place = t.row(0).index(card) if card else 4
    t.script((decisions.CARD, place))
    t.take_turn(0)
    assert [options for k, _, options in t.asked() if k == kind] == [[0, 1]]


# --- Big Ben


def fight(t, space=(2, 0), barbarian=False, slot=1):
    """Seat 0 attacks and loses; return both totals without the dice."""
    t.dice(1, 6)
    t.script(
        (decisions.MILITARY, decisions.MILITARY_ATTACK),
        (decisions.ATTACK, t.at(space) + (decisions.BARBARIAN_OPTION if barbarian else 0)),
    )
    t.resolve(0, "Masonry", slot)
    rows = [row for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_COMBAT]
    _, _, attack_die, attack, defence_die, defence, _ = rows[-1]
    return attack - attack_die, defence - defence_die


@pytest.mark.effect("Big Ben")
@pytest.mark.rule("B9.5")
@pytest.mark.parametrize(("beside", "bonus"), [([], 0), ([(1, 0)], 2), ([(1, 0), (3, 0)], 4), ([(3, 1)], 0), ([(2, 0)], 0)])
def test_big_ben_helps_an_attack_by_own_caravans_next_to_the_space(beside, bonus):
    t = board("Big Ben")
    t.token(1, (2, 0))
    for c, space in enumerate(beside):
        t.caravan(0, space, c)
    assert fight(t) == (1 + bonus, 1)


@pytest.mark.effect("Big Ben")
@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("beside", "bonus"), [([], 0), ([(1, 0)], 2), ([(1, 0), (3, 0)], 4), ([(2, 0)], 0)])
def test_big_ben_helps_the_defence_by_own_caravans_next_to_the_space(beside, bonus):
    t = board("Big Ben", "rival")
    t.token(1, (2, 0))
    for c, space in enumerate(beside):
        t.caravan(1, space, c)
    assert fight(t) == (1, 1 + bonus)


@pytest.mark.effect("Big Ben")
@pytest.mark.parametrize(("holder", "caravan_of"), [("own", 1), ("rival", 0), ("nobody", 0), ("nobody", 1)])
def test_caravans_of_the_other_side_do_not_help_big_ben(holder, caravan_of):
    t = board("Big Ben", holder)
    t.token(1, (2, 0))
    t.caravan(caravan_of, (1, 0))
    assert fight(t) == (1, 1)


@pytest.mark.effect("Big Ben")
def test_big_ben_counts_every_caravan_of_a_space_and_helps_against_barbarians():
    t = board("Big Ben")
    t.barbarian("A", (2, 0))
    t.caravan(0, (1, 0), 0)
    t.caravan(0, (1, 0), 1)
    assert fight(t, barbarian=True) == (5, 1)


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Big Ben")
@pytest.mark.parametrize("beside", [0, 1, 2, 3])
def test_big_ben_counts_each_of_three_caravans(beside):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
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
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.wonder("Big Ben", (0, 0))
    target = (2, 0) if space[0] > 0 else (-2, 0)
    t.token(1, target)
    t.caravan(0, space)
    combat = t.attack(0, "Masonry", 1, target, (1, 6))
    assert combat.attack == 2 + int(t.r.ability_amount[t.r.wonder_first[names.BIG_BEN]])
