"""T2: the row of six cards, shifts to the right, unique cards; T8: governments on the row."""

from functools import partial

import pytest
from table import AROUND, PASS, card_codes, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, science, turn
from newdawn.simulator.engine.choosing import LOG_CARD, LOG_GOVERNMENT

PLACES = range(6)

table = partial(ti_table_with, (0, 0), (3, 0))


def lay_row(t, *kinds, p=0):
    """Lay the row of the seat from the left by focus types (words)."""
    for place, kind in enumerate(kinds):
        t.g.row[p, place] = t.holder(p, kind)


def govern(t, kind, p=0):
    """Put the government token of the type on the card of the type."""
    t.g.government[p] = t.holder(p, kind)
    t.g.government_type[p] = names.FOCUS_TYPES.index(kind)


def acts(t, kind, place, p=0):
    """Return the slot number the card of the type acts with from the place of the row."""
    h = t.holder(p, kind)
    other = int(t.g.row[p, place])
    t.g.row[p, turn.place_of(t.r, t.g, p, h)] = other
    t.g.row[p, place] = h
    return int(turn.slot_in_place(t.r, t.g, p, place))


def acted(t):
    """Return place, printed slot number and the slot number acted with of every card resolved."""
    return [(row[2], row[3], row[6]) for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CARD]


# --- T2.1


@pytest.mark.rule("T2.1")
def test_both_leftmost_places_are_the_first_slot():
    assert [int(n) for n in ti_rules().slot_number[:6]] == [1, 1, 2, 3, 4, 5]
    t = table()
    assert [acts(t, "culture", place) for place in PLACES] == [1, 1, 2, 3, 4, 5]


@pytest.mark.rule("T2.1")
@pytest.mark.parametrize("place", PLACES)
def test_a_reset_card_goes_to_the_far_left(place):
    t = table()
    lay_row(t, "growth", "culture", "science", "economy", "industry", "military")
    before = t.row(0)
    turn.reset_card(t.r, t.g, t.w, 0, int(t.g.row[0, place]))
    assert t.row(0) == [before[place], *before[:place], *before[place + 1 :]]


@pytest.mark.rule("T2.1")
def test_any_of_the_six_cards_may_be_played():
    t = table()
    lay_row(t, "growth", "culture", "science", "economy", "military", "industry")
    t.script((decisions.CARD, 5))
    t.take_turn(0)
    assert t.options(decisions.CARD) == set(PLACES)
    assert t.row(0) == ["industry", "growth", "culture", "science", "economy", "military"]


# --- T2.2 to T2.4: shifts


@pytest.mark.rule("T2.2")
@pytest.mark.rule("T8.2")
@pytest.mark.parametrize(
    ("kind", "slots"),
    [
        ("culture", [2, 3, 4, 5, 5, 5]), ("growth", [2, 3, 4, 5, 5, 5]), ("economy", [2, 3, 4, 5, 5, 5]),
        ("military", [2, 3, 4, 5, 5, 5]), ("science", [1, 2, 3, 4, 5, 5]), ("industry", [1, 2, 3, 4, 5, 5]),
    ],
)  # fmt: skip
def test_a_government_shifts_its_card_by_places(kind, slots):
    t = table()
    govern(t, kind)
    assert [acts(t, kind, place) for place in PLACES] == slots


@pytest.mark.rule("T8.2")
def test_a_government_shifts_no_other_card():
    t = table()
    govern(t, "culture")
    assert [acts(t, "science", place) for place in PLACES] == [1, 1, 2, 3, 4, 5]
    assert [acts(t, "culture", place, p=1) for place in PLACES] == [1, 1, 2, 3, 4, 5]


@pytest.mark.rule("T2.2")
@pytest.mark.rule("T8.2")
def test_only_the_resolving_is_shifted_the_card_resets_from_its_real_place():
    t = table()
    t.token(0, *AROUND)
    lay_row(t, "culture", "growth", "science", "economy", "industry", "military")
    govern(t, "growth")
    t.script(
        (decisions.CARD, 1),
        (decisions.GROWTH, decisions.GROWTH_REINFORCE),
        *[(decisions.REINFORCE, space) for space in AROUND[:3]],
    )
    t.take_turn(0)
    assert acted(t) == [(1, 1, 3)]
    assert t.row(0)[:3] == ["growth", "culture", "science"]
    assert t.g.government[0] == t.holder(0, "growth")


@pytest.mark.rule("T2.3")
@pytest.mark.effect("Machu Picchu")
@pytest.mark.parametrize(("place", "slot"), [(0, 4), (1, 5), (2, 5), (3, 5)])
def test_shifts_of_several_cards_add_up(place, slot):
    t = table()
    t.wonder("Machu Picchu", (0, 0))
    govern(t, "culture")
    assert acts(t, "culture", place) == slot


@pytest.mark.rule("T2.3")
@pytest.mark.effect("Nuclear Power")
@pytest.mark.parametrize(("place", "strikes"), [(4, True), (3, False)])
def test_a_text_that_asks_for_a_slot_sees_the_shifted_one(place, strikes):
    t = table()
    kinds = ["growth", "culture", "economy", "military", "industry"]
    lay_row(t, *kinds[:place], "science", *kinds[place:])
    t.card(0, "Nuclear Power")
    govern(t, "science")
    t.script((decisions.CARD, place), (decisions.SCIENCE, 1))
    t.take_turn(0)
    assert ("strike" in t.asked_kinds()) == strikes


@pytest.mark.rule("T2.4")
@pytest.mark.effect("Capitalism")
@pytest.mark.parametrize("governed", [True, False])
def test_as_if_in_the_first_slot_is_the_far_left_and_shifts_count_from_there(governed):
    t = table()
    t.token(0, *AROUND)
    lay_row(t, "culture", "science", "industry", "economy", "growth", "military")
    t.card(0, "Capitalism")
    if governed:
        govern(t, "growth")
    reinforced = AROUND[: 2 if governed else 1]
    more = [
        (decisions.OTHER_CARD, 4),
        (decisions.GROWTH, decisions.GROWTH_REINFORCE),
        *[(decisions.REINFORCE, space) for space in reinforced],
    ]
    t.script((decisions.CARD, 3), *more)
    t.take_turn(0)
    assert t.row(0)[0] == "economy"
    assert acted(t)[-1] == (4, 1, 2 if governed else 1)
    assert t.row(0)[4] == "growth"  # it stays where it is
    assert sum(t.piece(space) == "reinforced_token" for space in AROUND) == len(reinforced)


@pytest.mark.rule("T2.4")
@pytest.mark.effect("Capitalism")
def test_machu_picchu_sees_the_far_left_that_capitalism_names():
    t = table()
    t.wonder("Machu Picchu", (0, 0))
    assert turn.acting_as_if(t.r, t.g, 0, t.holder(0, "culture"), 1) == 2


# --- T2.5: Machu Picchu


@pytest.mark.rule("T2.5")
@pytest.mark.effect("Machu Picchu")
@pytest.mark.parametrize(("ruling", "slots"), [("by_number", [2, 3, 4, 3, 4, 5]), ("two_leftmost", [2, 3, 2, 3, 4, 5])])
def test_machu_picchu_looks_at_three_places_or_two_by_ruling(tmp_path, ruling, slots):
    t = table(rules=ti_rules_with(tmp_path, rulings={"machu_places": ruling}))
    t.wonder("Machu Picchu", (0, 0))
    assert [acts(t, "industry", place) for place in PLACES] == slots


# --- T2.6: replacing a card


def replace(t, name, kind, p=0):
    """Replace the card of the type in the row by the card of the name."""
    h = t.holder(p, kind)
    science.replace_card(t.r, t.g, t.w, p, h, card_codes("terra-incognita")[name])
    return h


@pytest.mark.rule("T2.6")
@pytest.mark.parametrize(("ruling", "stays"), [("stays_on_its_type", True), ("leaves", False)])
def test_a_government_token_stays_on_a_better_card_of_its_type_by_ruling(tmp_path, ruling, stays):
    t = table(rules=ti_rules_with(tmp_path, rulings={"government_on_replace": ruling}))
    govern(t, "culture")
    t.trade(0, "culture", 2)
    h = replace(t, "Drama and Poetry", "culture")
    assert t.g.government[0] == (h if stays else -1)
    assert t.g.trade[0, h] == 2


@pytest.mark.rule("T2.6")
@pytest.mark.parametrize("ruling", ["stays_on_its_type", "leaves"])
def test_a_government_token_leaves_a_card_of_another_type(tmp_path, ruling):
    t = table(rules=ti_rules_with(tmp_path, rulings={"government_on_replace": ruling}))
    govern(t, "culture")
    replace(t, "Engineering", "culture")
    assert t.g.government[0] == -1


@pytest.mark.rule("T2.6")
def test_a_government_token_elsewhere_is_not_concerned():
    t = table()
    govern(t, "growth")
    replace(t, "Drama and Poetry", "culture")
    assert t.g.government[0] == t.holder(0, "growth")


# --- T2.7: unique cards


def upgrades(t, level, p=0):
    """Return the names of the cards of the level that the seat may take."""
    names_of = {code: name for name, code in card_codes("terra-incognita").items()}
    n = science.list_upgrades(t.r, t.g, t.w, p, 0, level, 0)
    return {names_of[int(option) // 8] for option in t.w.option[:n]}


@pytest.mark.rule("T2.7")
@pytest.mark.parametrize(("leader", "card", "level"), [("Rome", "Military Engineering", 2), ("Netherlands", "Cartography", 3)])
def test_a_unique_card_may_be_taken_at_exactly_its_level_by_its_leader(leader, card, level):
    t = table(leaders=(leader, "Egypt"))
    assert [card in upgrades(t, at) for at in (1, 2, 3, 4)] == [at == level for at in (1, 2, 3, 4)]
    assert card not in upgrades(t, level, p=1)


@pytest.mark.rule("T2.7")
def test_a_unique_card_is_taken_when_the_dial_reaches_its_level():
    t = table(leaders=("Rome", "Egypt"))
    h = t.holder(0, "growth")
    code = card_codes("terra-incognita")["Military Engineering"]
    t.script((decisions.UPGRADE, code * 8 + h))
    t.call(science.advance_dial, 0, 3)
    t.require_script_done()
    assert t.g.card[0, h] == code


@pytest.mark.rule("T2.7")
def test_a_card_that_leaves_the_row_can_be_taken_again():
    t = table(leaders=("Rome", "Egypt"))
    replace(t, "Military Engineering", "growth")
    assert "Military Engineering" not in upgrades(t, 2)
    assert "Engineering" in upgrades(t, 2)
    replace(t, "Engineering", "growth")
    assert "Military Engineering" in upgrades(t, 2)


@pytest.mark.rule("T2.7")
@pytest.mark.rule("B6.2")
def test_growth_cards_are_gained_like_all_others():
    t = table()
    assert {"Engineering", "Drama and Poetry"} <= upgrades(t, 2)
    assert "Sanitation" in upgrades(t, 3)
    assert "Globalization" in upgrades(t, 4)


# --- T8.1: choosing a government


def change(t, *choices, p=0):
    t.script(*choices)
    t.call(turn.change_government, p)
    t.require_script_done()


@pytest.mark.rule("T8.1")
@pytest.mark.effect("government")
def test_a_government_is_of_the_type_of_a_card_in_the_first_slot():
    t = table()
    lay_row(t, "growth", "culture", "science", "economy", "industry", "military")
    growth, culture = t.holder(0, "growth"), t.holder(0, "culture")
    change(t, (decisions.GOVERNMENT, culture))
    assert t.options(decisions.GOVERNMENT) == {growth, culture}
    assert (t.g.government[0], t.g.government_type[0]) == (culture, names.CULTURE)


@pytest.mark.rule("T8.1")
def test_an_older_government_goes_back():
    t = table()
    lay_row(t, "growth", "culture", "science", "economy", "industry", "military")
    govern(t, "military")
    change(t, (decisions.GOVERNMENT, t.holder(0, "growth")))
    assert (t.g.government[0], t.g.government_type[0]) == (t.holder(0, "growth"), names.GROWTH)
    assert [row[2:5] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_GOVERNMENT] == [
        [t.holder(0, "growth"), names.GROWTH, t.holder(0, "military")]
    ]


@pytest.mark.rule("T8.1")
def test_nobody_must_change_the_government():
    t = table()
    govern(t, "military")
    change(t, (decisions.GOVERNMENT, PASS))
    assert t.g.government[0] == t.holder(0, "military")


@pytest.mark.rule("T8.1")
def test_the_same_government_on_the_same_card_is_no_choice():
    t = table()
    lay_row(t, "growth", "culture", "science", "economy", "industry", "military")
    govern(t, "growth")
    change(t, (decisions.GOVERNMENT, PASS))
    assert t.options(decisions.GOVERNMENT) == {t.holder(0, "culture")}


@pytest.mark.rule("T8.1")
@pytest.mark.effect("government")
def test_governments_are_chosen_clockwise_from_the_first_player():
    t = table(leaders=("Rome", "Egypt", "France"))
    t.capital(2, (-3, 0))
    t.g.first = t.g.current = 2
    t.script()
    t.call(turn.change_governments)
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.GOVERNMENT] == [2, 0, 1]


@pytest.mark.rule("T8.2")
def test_a_government_stays_on_its_card_when_that_resets():
    t = table()
    lay_row(t, "growth", "culture", "science", "economy", "industry", "military")
    govern(t, "industry")
    t.script((decisions.CARD, 4))
    t.take_turn(0)
    assert t.g.government[0] == t.g.row[0, 0] == t.holder(0, "industry")


@pytest.mark.rule("T8.2")
def test_the_shifts_are_those_of_the_six_governments():
    shifts = {kind: int(ti_rules().government_shift[code]) for code, kind in enumerate(names.FOCUS_TYPES)}
    assert shifts == {"culture": 2, "growth": 2, "economy": 2, "military": 2, "science": 1, "industry": 1}
