"""T3: winning with four of five cards, fort cards, and what the agendas of the expansion count; T10: variants."""

import pytest
from table import AROUND, BOTS, Table, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import counts, diplomacy, pieces, science, turn, winning
from newdawn.simulator.engine.choosing import LOG_AGENDA_LOST
from newdawn.simulator.engine.pieces import claims
from newdawn.simulator.engine.trade import take_resource
from newdawn.simulator.engine.winning import check_victory, settle
from newdawn.simulator.rules.ruleset_contents import written


def card_of(agenda):
    """Return the code of the victory card with the agenda, and which of its two it is."""
    r = ti_rules()
    code = written(r, "agenda").index(agenda)
    card = next(c for c in range(r.n_victory_cards) if code in r.agenda_name[c].tolist())
    return card, r.agenda_name[card].tolist().index(code)


FORTIFIED, EXPEDITIONARY = card_of("Fortified")[0], card_of("Expeditionary")[0]


def table(*victory, **how):
    return ti_table_with((0, 0), (3, 0), victory=victory, **how)


def met(t, agenda, p=0):
    """Is the agenda satisfied by the seat?"""
    return bool(counts.agenda_met(t.r, t.g, p, *card_of(agenda)))


def five(claims, leaders=("Rome", "Egypt"), **kw):
    """Return a table with both fort cards and three others, on which each seat has so many tokens, from the last card on."""
    others = [card_of(name)[0] for name in ("Civilized", "Warmonger", "Explorer")]
    t = table(FORTIFIED, EXPEDITIONARY, *others, leaders=leaders, **kw)
    for p, n in enumerate(claims):
        for i in range(5 - n, 5):
            t.g.claimed[p, i] = 1
            t.g.tokens_left[p] -= 1
    t.g.dirty = 0
    return t


def winners(t):
    check_victory(t.r, t.g, t.w)
    return [p for p in range(t.g.players) if t.g.winner[p]] if t.g.ending == names.VICTORY else []


# --- T3.1, T3.2


@pytest.mark.rule("T3.1")
@pytest.mark.parametrize(("claims", "won"), [((3, 3), []), ((4, 3), [0]), ((3, 4), [1]), ((5, 4), [0]), ((4, 5), [1])])
def test_four_of_five_cards_win_and_most_cards_first(claims, won):
    assert winners(five(claims)) == won


@pytest.mark.rule("T3.1")
def test_ties_go_to_wonders_then_to_friendly_spaces_then_are_shared():
    t = five((4, 4))
    assert winners(t) == [0, 1]
    t = five((4, 4))
    t.token(1, (2, 0))
    assert winners(t) == [1]
    t = five((4, 4))
    t.token(1, (2, 0))
    t.wonder("Stonehenge", (0, 0))
    assert winners(t) == [0]


@pytest.mark.rule("T3.1")
@pytest.mark.rule("T9.1")
def test_the_winner_is_looked_for_before_the_dial_turns():
    t = five((4, 0))
    event = int(t.g.event)
    assert turn.play_step(t.r, t.g, t.w, BOTS) == 0
    assert (t.g.ending, t.g.event) == (names.VICTORY, event)


@pytest.mark.rule("T3.2")
@pytest.mark.rule("T9.1")
def test_what_the_dial_brings_counts_from_then_on_but_wins_at_the_next_rounds_end():
    t = five((3, 0))
    t.fort((-1, 0))
    t.city(0, (-1, 0))  # claimed when the dial settles
    assert turn.play_step(t.r, t.g, t.w, BOTS) == 1
    assert (t.g.ending, claims(t.g, 0)) == (names.RUNNING, 4)
    assert turn.play_step(t.r, t.g, t.w, BOTS) == 1  # seat 1's turn
    assert turn.play_step(t.r, t.g, t.w, BOTS) == 0
    assert t.g.ending == names.VICTORY


@pytest.mark.rule("T3.1")
def test_nobody_wins_in_the_middle_of_a_round():
    t = five((0, 4))
    t.g.current = 1
    assert turn.play_step(t.r, t.g, t.w, BOTS) == 1
    assert t.g.ending == names.RUNNING


# --- T10.1: the peaceful game


PEACE = {
    "fort_cards_in_play": 0, "cards_needed": "all in play", "check": "start of the first player turn",
    "tie_break": ["most_world_wonders", "most_friendly_spaces"],
}  # fmt: skip


@pytest.mark.rule("T10.1")
@pytest.mark.parametrize(("claims", "won"), [(2, False), (3, True)])
def test_a_peaceful_game_is_won_with_all_three_cards_after_the_dial_has_turned(tmp_path, claims, won):
    t = table(*(card_of(name)[0] for name in ("Civilized", "Warmonger", "Explorer")), rules=peace(tmp_path))
    t.g.claimed[0, :claims] = 1
    event = int(t.g.event)
    turn.play_step(t.r, t.g, t.w, BOTS)
    assert (t.g.ending == names.VICTORY) == won
    assert t.g.event == event + 1


@pytest.mark.rule("T10.1")
def test_a_fort_won_in_a_peaceful_game_is_a_city_and_claims_nothing(tmp_path):
    t = table(*(card_of(name)[0] for name in ("Civilized", "Warmonger", "Explorer")), rules=peace(tmp_path))
    t.fort((-1, 0))
    t.city(0, (-1, 0))
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0].sum() == 0


def peace(tmp_path):
    return ti_rules_with(tmp_path, victory_cards={"rules": PEACE})


# --- T3.3: fort cards


def forts(n, *cards):
    """Return a table with the fort cards where seat 0 has a city on each of `n` forts."""
    t = table(*cards)
    for k, space in enumerate([(-2, 0), (0, 2)][:n]):
        t.fort(space, k)
        t.city(0, space)
    settle(t.r, t.g, t.w, BOTS)
    return t


@pytest.mark.rule("T3.3")
@pytest.mark.effect("Fortified")
@pytest.mark.effect("Expeditionary")
@pytest.mark.parametrize("n", [0, 1, 2])
def test_forts_held_claim_the_fort_cards(n):
    t = forts(n, FORTIFIED, EXPEDITIONARY)
    assert [bool(c) for c in t.g.claimed[0, :2]] == [n >= 1, n >= 2]
    assert t.g.claimed[1].sum() == 0


@pytest.mark.rule("T3.3")
def test_an_uncontrolled_fort_claims_nothing():
    t = table(FORTIFIED)
    t.fort((-1, 0))
    t.token(0, (-1, 1))
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] == 0


@pytest.mark.rule("T3.3")
@pytest.mark.effect("Fortified")
@pytest.mark.effect("Expeditionary")
def test_a_fort_cards_token_returns_when_the_fort_is_lost_and_may_be_placed_again():
    t = forts(2, FORTIFIED, EXPEDITIONARY)
    left = int(t.g.tokens_left[0])
    pieces.take_city_off(t.g, t.w, t.at((-2, 0)), -1)
    settle(t.r, t.g, t.w, BOTS)
    assert [bool(c) for c in t.g.claimed[0, :2]] == [True, False]
    assert t.g.tokens_left[0] == left + 1
    assert [row[1:3] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_AGENDA_LOST] == [[0, 1]]
    pieces.take_city_off(t.g, t.w, t.at((0, 2)), -1)
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0].sum() == 0
    t.city(0, (0, 2))
    settle(t.r, t.g, t.w, BOTS)
    assert (bool(t.g.claimed[0, 0]), t.g.tokens_left[0]) == (True, left + 1)


@pytest.mark.rule("T3.3")
@pytest.mark.rule("B3.2")
def test_all_other_tokens_stay_for_good():
    card, half = card_of("Industrious")
    t = table(card)
    for name, space in zip(names.DISTRICTS, AROUND, strict=False):
        t.district(0, name, space)
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] == half + 1
    pieces.take_token_off(t.r, t.g, t.w, t.at((1, 0)), -1)
    settle(t.r, t.g, t.w, BOTS)
    assert not met(t, "Industrious")
    assert t.g.claimed[0, 0] == half + 1


@pytest.mark.rule("T3.3")
@pytest.mark.parametrize("p", range(3))
def test_a_token_on_a_fort_card_comes_back_whoevers_it_is(p):
    r = ti_rules()
    t = Table(leaders=("Egypt", "Rome", "Aztec"), rules=r)
    card = next(c for c in range(r.n_victory_cards) if r.victory_must_stay[c])
    other = next(c for c in range(r.n_victory_cards) if not r.victory_must_stay[c])
    t.g.victory_card[:2], t.g.victory_count = (other, card), 2
    t.g.claimed[p, :2] = 1
    left = int(t.g.tokens_left[p])
    winning.return_lost_claims(r, t.g, t.w)
    assert t.g.claimed[p, :2].tolist() == [1, 0]
    assert t.g.tokens_left[p] == left + 1


# --- T3.4: what agendas count


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Expansionist")
def test_expansionist_counts_tiles_with_own_cities_and_a_fort_is_one():
    t = table(radius=4)
    spots = [(-2, 0), (0, 2), (2, -3), (-4, 4), (-2, 3)]
    for k, space in enumerate(spots):
        t.city(0, space)
        t.g.tile[t.at(space)] = 2 + k
    assert met(t, "Expansionist")
    t.g.tile[t.at(spots[0])] = 1  # the capital's tile
    assert not met(t, "Expansionist")
    t.fort(spots[0], 0)
    assert met(t, "Expansionist")
    t.fort(spots[1], 1)
    assert met(t, "Expansionist")
    t.fort(spots[1], 0)  # the same fort's number: one tile
    assert not met(t, "Expansionist")


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Provincial")
def test_provincial_counts_tiles_with_mature_cities():
    t = table(radius=5)
    spots = [(0, 0), (-3, 0), (0, 3), (-3, 3)]
    for k, space in enumerate(spots):
        if k:
            t.city(0, space)
        t.g.tile[t.at(space)] = 1 + k
        t.token(0, *[(space[0] + q, space[1] + r) for q, r in AROUND])
    assert met(t, "Provincial")
    t.fort(spots[3], 0)
    assert met(t, "Provincial")
    pieces.take_token_off(t.r, t.g, t.w, t.at((-2, 0)), -1)
    assert not met(t, "Provincial")


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Defensive")
@pytest.mark.parametrize("districts", [0, 1])
def test_defensive_counts_reinforced_tokens_and_districts(districts):
    t = table(radius=4)
    spaces = [s for s in t.coordinates if s not in ((0, 0), (3, 0))][:15]
    for _ in range(districts):
        t.district(0, "Campus", spaces.pop(), reinforced=True)
    t.token(0, *spaces, reinforced=True)
    assert met(t, "Defensive")
    pieces.flip_token(t.g, t.w, t.at(spaces[0]), names.TOKEN)
    assert not met(t, "Defensive")


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Explorer")
def test_districts_and_fort_cities_count_for_explorer():
    t = table(radius=3)
    t.district(0, "Campus", (-3, 0))
    t.fort((-3, 3))
    t.city(0, (-3, 3))
    assert counts.metric(t.r, t.g, 0, names.METRIC_COAST, -1) == 2


@pytest.mark.effect("Civilized")
@pytest.mark.effect("Preservationist")
def test_cities_and_natural_wonders_are_counted_in_this_box_too():
    t = ti_table_with((0, 0), (3, 0))
    t.city(0, (-2, 0))
    t.natural_wonder("Mt. Everest", (-1, 1))
    t.token(0, (-1, 1))
    counted = {what: counts.metric(t.r, t.g, 0, what, -1) for what in (names.METRIC_CITIES, names.METRIC_NATURAL_WONDERS)}
    assert counted == {names.METRIC_CITIES: 2, names.METRIC_NATURAL_WONDERS: 1}


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Devastating")
@pytest.mark.parametrize(("best", "won"), [(15, False), (16, True), (20, True)])
def test_devastating_asks_for_a_won_attack_with_sixteen(best, won):
    t = table()
    t.g.best_attack[0] = best
    assert met(t, "Devastating") == won
    assert not met(t, "Devastating", 1)


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Diplomatic")
def test_diplomatic_counts_givers_not_cards():
    t = table(leaders=("Rome", "Egypt", "France", "Aztec"))
    for card in ("Joint War", "Embassy"):
        t.diplomacy(0, 1, card)
    t.diplomacy(0, 2, "Embassy")
    t.city_state("Carthage", (-3, 0))
    t.city_state("Kumasi", (-3, 2))
    t.city_state_card(0, "Carthage")
    assert counts.givers(t.g, 0) == 3
    assert not met(t, "Diplomatic")
    t.city_state_card(0, "Kumasi")
    assert met(t, "Diplomatic")
    assert not met(t, "Diplomatic", 1)


@pytest.mark.rule("T3.4")
@pytest.mark.rule("B3.2")
@pytest.mark.effect("Diplomatic")
def test_a_city_states_card_claims_diplomatic_at_once():
    card, half = card_of("Diplomatic")
    t = table(card, leaders=("Rome", "Egypt", "France", "Aztec"))
    for giver in (1, 2, 3):
        t.diplomacy(0, giver, "Embassy")
    t.city_state("Carthage", (-3, 0))
    diplomacy.gain_city_state_card(t.g, t.w, 0, t.city_state_code("Carthage"))
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] == half + 1


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Hoarder")
@pytest.mark.parametrize("resources", [3, 4])
def test_hoarder_counts_resource_and_natural_wonder_tokens(resources):
    t = table()
    t.give_resources(0, oil=resources - 1, marble=1)
    t.natural_wonder("Mt. Everest", (-1, 0))
    assert not met(t, "Hoarder")
    t.token(0, (-1, 0))
    assert met(t, "Hoarder") == (resources == 4)


@pytest.mark.rule("B3.2")
@pytest.mark.effect("Hoarder")
def test_a_resource_from_the_supply_claims_hoarder_at_once():
    card, half = card_of("Hoarder")
    t = table(card)
    t.give_resources(0, oil=4)
    settle(t.r, t.g, t.w, BOTS)
    take_resource(t.g, t.w, 0, 0)
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] == half + 1


def with_wonders(*wonders):
    """Return a table where seat 0 has cities with the wonders."""
    t = table(radius=5)
    for space, wonder in zip([(0, 0), (-3, 0), (0, 3), (-3, 3)], wonders, strict=False):
        if space != (0, 0):
            t.city(0, space)
        t.wonder(wonder, space)
    return t


@pytest.mark.effect("Prolific")
@pytest.mark.parametrize(("second", "won"), [("Oracle", True), ("Chichen Itza", False), ("Big Ben", False)])
def test_prolific_asks_for_two_wonders_of_one_era(second, won):
    t = with_wonders("Stonehenge", second)
    assert met(t, "Prolific") == won
    assert not met(t, "Prolific", 1)


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Prolific")
@pytest.mark.effect("Progressive")
@pytest.mark.parametrize(
    ("wonders", "most", "eras", "types"),
    [
        ((), 0, 0, 0), (("Big Ben",), 1, 1, 1), (("Big Ben", "Sydney Opera House"), 2, 1, 2),
        (("Big Ben", "Stonehenge"), 1, 2, 2),
    ],
)  # fmt: skip
def test_wonders_are_counted_by_era_and_type(wonders, most, eras, types):
    t = ti_table_with((0, 0), (3, 0))
    for space, wonder in zip(((0, 0), (-2, 0)), wonders, strict=False):
        if space != (0, 0):
            t.city(0, space)
        t.wonder(wonder, space)
    assert counts.most_of_one_era(t.r, t.g, 0) == most
    assert counts.eras_held(t.r, t.g, 0) == eras
    assert counts.wonder_types_held(t.g, 0) == types


@pytest.mark.effect("Progressive")
@pytest.mark.parametrize(("third", "won"), [("Big Ben", True), ("Oracle", False)])
def test_progressive_asks_for_a_wonder_of_each_era(third, won):
    t = with_wonders("Stonehenge", "Chichen Itza", third)
    assert met(t, "Progressive") == won


@pytest.mark.effect("Diversified")
@pytest.mark.parametrize(("third", "won"), [("Oracle", True), ("Chichen Itza", False)])
def test_diversified_asks_for_wonders_of_three_types(third, won):
    t = with_wonders("Stonehenge", "Colossus", third)
    assert met(t, "Diversified") == won


@pytest.mark.effect("Scholarly")
def test_wonders_of_a_type_are_asked_for_in_this_box_too():
    r = ti_rules()
    card = next(c for c in range(r.n_victory_cards) if r.agenda_type[c, 1] == names.SCIENCE)
    t = ti_table_with((0, 0), (3, 0))
    t.city(0, (-2, 0))
    t.wonder("Oracle", (0, 0))
    t.wonder("Stonehenge", (-2, 0))
    assert not counts.agenda_met(t.r, t.g, 0, card, 1)
    t.city(0, (0, 2))
    t.wonder("Pyramids", (0, 2))
    assert counts.agenda_met(t.r, t.g, 0, card, 1)


@pytest.mark.effect("Industrious")
def test_industrious_asks_for_all_five_districts_on_the_map():
    t = table()
    for name, space in list(zip(names.DISTRICTS, AROUND, strict=False))[:4]:
        t.district(0, name, space)
    assert not met(t, "Industrious")
    t.district(0, names.DISTRICTS[4], AROUND[4])
    assert met(t, "Industrious")
    assert not met(t, "Industrious", 1)


@pytest.mark.effect("Technophile")
def test_technophile_asks_for_three_cards_of_level_four_in_the_row():
    t = table()
    for name in ("Mass Media", "Globalization"):
        t.card(0, name)
    t.g.dial_reached[0] = 24
    assert not met(t, "Technophile")
    t.card(0, "Capitalism")
    assert met(t, "Technophile")


@pytest.mark.rule("B3.2")
@pytest.mark.effect("Technophile")
def test_a_third_card_of_level_four_claims_technophile_at_once():
    card, half = card_of("Technophile")
    t = table(card)
    for name in ("Mass Media", "Globalization"):
        t.card(0, name)
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] == 0
    science.replace_card(t.r, t.g, t.w, 0, t.holder(0, "economy"), names.ECONOMY * 4 + 3)
    settle(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] == half + 1
