"""House rules about winning, combat, caravans and the start: what each does at the table; the printed game has none."""

from __future__ import annotations

import numpy as np
import pytest
import yaml
from table import BOTS, Table, rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, decisions, economy, setup, state, turn
from newdawn.simulator.engine import combat as engine_combat
from newdawn.simulator.engine.barbarians import roll_direction
from newdawn.simulator.engine.map import clear_grid
from newdawn.simulator.engine.treatment import give_start_bonus
from newdawn.simulator.engine.winning import check_victory
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.compile import win_percent
from newdawn.simulator.rules.edit import change, find, parameters, steps
from newdawn.simulator.rules.load import with_overlay

PRINTED = load_ruleset()
CARDS = (0, 1, 2)


def combat(tmp_path, **settings):
    return rules_with(tmp_path, components={"combat": settings})


def winning(tmp_path, **settings):
    return rules_with(tmp_path, victory_cards={"rules": {"base": settings}})


def bonus(tmp_path, **whose):
    return rules_with(tmp_path, components={"start_bonus": whose})


# --- the printed game has none of it


def test_the_printed_game_is_as_the_box_says():
    r = PRINTED.compile()
    assert (r.die_sides, r.dice, r.attacker_wins_ties, r.claims_spared, r.round_limit) == (6, 1, 0, 0, 0)
    assert r.may_attack[:5].all()
    assert not r.target_bonus.any()
    assert not r.start_bonus.any()
    assert [names.RANKINGS[code] for code in r.tie_break] == ["most_world_wonders", "most_friendly_spaces", "none"]


# --- claiming n of k cards


def seats(rules=None, n=2, first=0):
    t = Table(leaders=("Rome", "Egypt", "France", "Aztec")[:n], victory=CARDS, rules=rules, radius=4)
    for p, space in enumerate([(-4, 0), (4, 0), (0, 4), (0, -4)][:n]):
        t.capital(p, space)
    t.g.first = t.g.current = first
    return t


def winners(t):
    check_victory(t.r, t.g, t.w)
    return [p for p in range(t.g.players) if t.g.winner[p]] if t.g.ending == names.VICTORY else []


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("which", [(0, 1), (0, 2), (1, 2)])
def test_two_of_three_cards_win_where_the_rules_say_so(tmp_path, which):
    for rules, expected in ((winning(tmp_path, cards_needed=2), [1]), (None, [])):
        t = seats(rules)
        t.g.claimed[1, list(which)] = 1
        assert winners(t) == expected


@pytest.mark.rule("B3.3")
def test_one_of_three_cards_does_not_win_where_two_are_needed(tmp_path):
    t = seats(winning(tmp_path, cards_needed=2))
    t.g.claimed[1, 0] = 1
    assert winners(t) == []
    assert t.g.ending == names.RUNNING


@pytest.mark.rule("B3.3")
def test_the_rankings_that_break_a_tie_are_those_of_the_rules(tmp_path):
    """Seat 0 has more cards, seat 1 a world wonder: which comes first is a rule."""
    by_claims = ["most_claimed_cards", "most_world_wonders"]
    for rankings, expected in ((by_claims, [0]), (["most_world_wonders"], [1]), ([], [0, 1])):
        t = seats(winning(tmp_path, cards_needed=2, tie_break=rankings))
        t.g.claimed[0, :3] = t.g.claimed[1, :2] = 1
        t.wonder("Petra", (4, 0))
        assert winners(t) == expected


# --- a round limit


@pytest.mark.rule("B3.4")
def test_after_the_last_round_the_best_placed_player_wins(tmp_path):
    for limit, expected in ((5, [1]), (6, []), (0, [])):
        t = seats(winning(tmp_path, round_limit=limit), 3)
        t.g.round_number = 5
        t.g.claimed[1, 0] = 1
        t.wonder("Petra", (-4, 0))
        assert winners(t) == expected


@pytest.mark.rule("B3.4")
def test_the_rankings_at_the_round_limit_are_those_of_the_rules(tmp_path):
    t = seats(winning(tmp_path, round_limit=5, at_round_limit=["most_world_wonders", "most_claimed_cards"]))
    t.g.round_number = 5
    t.g.claimed[1, 0] = 1
    t.wonder("Petra", (-4, 0))
    assert winners(t) == [0]


@pytest.mark.rule("B3.4")
def test_who_has_the_cards_wins_at_the_round_limit_before_any_ranking(tmp_path):
    t = seats(winning(tmp_path, round_limit=5, at_round_limit=["most_world_wonders"]))
    t.g.round_number = 5
    t.g.claimed[1, :3] = 1
    t.wonder("Petra", (-4, 0))
    assert winners(t) == [1]


@pytest.mark.rule("B3.4")
def test_a_game_with_a_round_limit_lasts_so_many_rounds(tmp_path):
    t = seats(winning(tmp_path, round_limit=2), 3, first=1)
    t.g.round_number = 0
    turns = 0
    while turn.play_step(t.r, t.g, t.w, BOTS):
        turns += 1
    assert (turns, int(t.g.round_number), int(t.g.ending)) == (6, 2, names.VICTORY)
    assert t.g.winner[:3].any()


# --- combat: ties, bonuses, targets, dice


def front(rules, piece="token", terrain=None):
    """Return a table where seat 0 can attack what seat 1 has on (1, 0): on grassland with difficulty 1."""
    t = Table(rules=rules, terrain=terrain)
    t.capital(0, (0, 0))
    if piece != "capital":
        t.capital(1, (-3, 0))
    getattr(t, piece)(1, (1, 0))
    return t


@pytest.mark.rule("B9.8")
@pytest.mark.parametrize(("dice", "printed", "house"), [((3, 4), False, False), ((3, 3), False, True), ((4, 3), True, True)])
def test_equal_totals_go_to_the_attacker_where_the_rules_say_so(tmp_path, dice, printed, house):
    """Slot 1 against difficulty 1: the dice decide."""
    assert front(None).attack(0, "Masonry", 1, (1, 0), dice).won is printed
    assert front(combat(tmp_path, tie="attacker")).attack(0, "Masonry", 1, (1, 0), dice).won is house


@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("piece", "more"), [("token", 0), ("city", 1), ("capital", 4)])
def test_capitals_alone_and_cities_alone_can_have_a_bonus_in_defence(tmp_path, piece, more):
    rules = combat(tmp_path, defence={"city_bonus": 1, "capital_bonus": 4})
    terrain = {(1, 0): "hills"}
    house = front(rules, piece, terrain).attack(0, "Masonry", 5, (1, 0), (1, 6)).defence
    assert house - front(None, piece, terrain).attack(0, "Masonry", 5, (1, 0), (1, 6)).defence == more


def everything(rules):
    """Seat 0 beside a barbarian, a city-state, and a token, a city and the capital of seat 1."""
    t = Table(rules=rules)
    t.capital(0, (0, 0))
    t.barbarian("A", (1, 0))
    t.city_state("Geneva", (0, 1))
    t.token(1, (-1, 1))
    t.city(1, (-1, 0))
    t.capital(1, (1, -1))
    return t


PLACES = {"barbarian": (1, 0), "city_state": (0, 1), "control_token": (-1, 1), "city": (-1, 0), "capital": (1, -1)}


def listed_targets(t):
    n = engine_combat.list_targets(t.r, t.g, t.w, 0, names.MILITARY * names.N_LEVELS)
    return {t.coordinates[int(v) % decisions.BARBARIAN_OPTION] for v in t.w.option[:n]}


@pytest.mark.rule("B9.2")
@pytest.mark.parametrize("spared", PLACES)
def test_what_may_not_be_attacked_is_no_target(tmp_path, spared):
    assert listed_targets(everything(None)) == set(PLACES.values())
    rules = combat(tmp_path, may_be_attacked={spared: False})
    assert listed_targets(everything(rules)) == set(PLACES.values()) - {PLACES[spared]}


@pytest.mark.rule("B9.2")
def test_a_barbarian_that_may_not_be_attacked_still_keeps_everyone_out_of_a_city_state(tmp_path):
    t = Table(rules=combat(tmp_path, may_be_attacked={"barbarian": False}))
    t.capital(0, (0, 0))
    t.city_state("Geneva", (1, 0))
    t.barbarian("A", (1, 0))
    assert listed_targets(t) == set()


@pytest.mark.rule("B9.4")
@pytest.mark.parametrize(("sides", "dice"), [(20, 1), (6, 2), (4, 2), (1, 1)])
def test_dice_of_other_sizes_and_two_dice_show_every_sum_and_no_other(tmp_path, sides, dice):
    t = Table(rules=combat(tmp_path, die_sides=sides, dice=dice))
    thrown = [int(choosing.roll(t.r, t.g, state.STREAM_DICE)) for _ in range(3000)]
    assert set(thrown) == set(range(dice, dice * sides + 1))
    spread = dice * (sides**2 - 1) / 12
    assert np.mean(thrown) == pytest.approx(dice * (sides + 1) / 2, abs=5 * (spread / 3000) ** 0.5 + 1e-9)


@pytest.mark.rule("B9.4")
def test_a_fight_is_rolled_with_the_dice_of_the_rules(tmp_path):
    fight = front(combat(tmp_path, die_sides=20)).attack(0, "Masonry", 1, (1, 0), (20, 17))
    assert (fight.attack, fight.defence, fight.won) == (21, 18, True)


@pytest.mark.rule("B2.4")
@pytest.mark.parametrize("sides", [2, 20])
def test_the_die_that_moves_barbarians_and_lays_the_core_has_six_sides_with_any_dice(tmp_path, sides):
    house, printed = Table(rules=combat(tmp_path, die_sides=sides, dice=2)), Table()
    assert {int(roll_direction(house.r, house.g, house.w)) for _ in range(200)} == set(range(6))
    cores = []
    for t in (house, printed):
        clear_grid(t.w)
        cores.append([(setup.lay_core(t.r, t.g, t.w, 0), int(t.g.core_side))[1] for _ in range(40)])
        assert 0 < sum(cores[-1]) < 40
    assert cores[0] == cores[1]
    assert house.g.rng[state.STREAM_MAP] == printed.g.rng[state.STREAM_MAP]


@pytest.mark.parametrize(("sides", "dice", "ties"), [(6, 1, 0), (6, 1, 1), (20, 1, 0), (4, 2, 0), (3, 2, 1), (1, 2, 0)])
def test_the_odds_that_players_reckon_with_are_those_of_all_throws(sides, dice, ties):
    sums = [0]
    for _ in range(dice):
        sums = [total + face for total in sums for face in range(1, sides + 1)]
    odds = win_percent(sides, dice, ties)
    middle = len(odds) // 2
    for lead in range(-middle, middle + 1):
        won = sum(a + lead + ties > b for a in sums for b in sums)
        assert odds[middle + lead] == won * 100 // len(sums) ** 2


# --- five caravans


@pytest.mark.rule("B7.1")
def test_up_to_five_caravans_come_with_a_card_that_has_them(tmp_path):
    rules = rules_with(
        tmp_path, components={"per_player": {"base": {"caravans": 5}}}, focus_cards={"foreign_trade": {"caravans": 5}}
    )
    t = Table(rules=rules)
    assert [int(c) for c in t.g.caravan[0]] == [state.ON_CARD] * 5
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    for c, space in enumerate([(1, 0), (0, 1), (-1, 1), (-1, 0), (1, -1)]):
        t.caravan(0, space, c)
    assert economy.list_caravans(t.g, t.w, 0, 0) == 5
    t.script((decisions.CARAVAN, 4))
    t.resolve(0, "Foreign Trade", slot=1)
    assert t.options(decisions.CARAVAN) == set(range(5))


def test_the_printed_game_has_three_caravans():
    assert int(PRINTED.compile().caravans_per_player) == 3
    assert [int(c) for c in Table().g.caravan[0]] == [state.ON_CARD, -2, -2, -2, -2]


# --- what is given before the first turn


def start(rules, *choices, first=0):
    t = Table(rules=rules, leaders=("Rome", "Egypt", "Aztec"), radius=6)
    for p, space in enumerate([(-5, 0), (5, 0), (0, 5)]):
        t.capital(p, space)
    t.deck("Colossus", "Great Lighthouse", "Big Ben")
    t.g.first = first
    t.script(*choices)
    t.call(give_start_bonus)
    return t


def of(t, count):
    return [int(count(t, p)) for p in range(3)]


COUNTED = {
    "cities": lambda t, p: t.g.city_count[p] - 1,
    "control_tokens": lambda t, p: t.r.tokens_per_player - t.g.tokens_left[p],
    "wonders": lambda t, p: sum(t.controls(p, name) for name in ("Colossus", "Great Lighthouse", "Big Ben")),
    "technology_levels": lambda t, p: t.g.dial[p],
    "trade_tokens": lambda t, p: t.g.trade[p].sum(),
    "resources": lambda t, p: t.g.resources[p].sum(),
}


def chosen(what, p):
    """Return what to script: control tokens are declined unless they are asked for."""
    return {"control_tokens": [(decisions.PLACE_TOKEN, {0: (-4, 0), 1: (4, 0), 2: (0, 4)}[p])]}.get(what, [])


@pytest.mark.rule("B2.1")
@pytest.mark.parametrize("what", names.START_BONUSES)
def test_everyone_gets_what_the_rules_give_everyone(tmp_path, what):
    rules = bonus(tmp_path, everyone={what: 1})
    t = start(rules, *[choice for p in range(3) for choice in chosen(what, p)])
    t.require_script_done()
    assert of(t, COUNTED[what]) == [3 if what == "technology_levels" else 1] * 3
    for other in names.START_BONUSES:
        if other != what:
            assert of(t, COUNTED[other]) == [0] * 3, other
    assert of(start(None), COUNTED[what]) == [0] * 3


@pytest.mark.rule("B2.1")
@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("what", names.START_BONUSES)
def test_the_last_in_turn_order_gets_what_the_rules_give_it(tmp_path, what, first):
    last = (first + 2) % 3
    t = start(bonus(tmp_path, last_in_turn_order={what: 1}), *chosen(what, last), first=first)
    expected = [0] * 3
    expected[last] = 3 if what == "technology_levels" else 1
    assert of(t, COUNTED[what]) == expected


@pytest.mark.rule("B2.1")
def test_the_last_gets_both(tmp_path):
    t = start(bonus(tmp_path, everyone={"trade_tokens": 2}, last_in_turn_order={"trade_tokens": 1}))
    assert of(t, COUNTED["trade_tokens"]) == [2, 2, 3]


def test_a_technology_level_offers_its_card(tmp_path):
    t = start(bonus(tmp_path, everyone={"technology_levels": 2}))
    assert [int(d) for d in t.g.dial[:3]] == [6, 6, 6]
    assert [options[0] % 32 // 8 for kind, _, options in t.asked() if kind == decisions.UPGRADE] == [1] * 6  # level II


def test_a_free_city_stands_where_the_industry_card_allows_and_comes_out_of_the_supply(tmp_path):
    t = start(bonus(tmp_path, everyone={"cities": 1}))
    before = Table(leaders=("Rome", "Egypt", "Aztec")).g.cities_left[:3]
    assert (before - t.g.cities_left[:3]).tolist() == [1, 1, 1]
    asked = t.options(decisions.INDUSTRY)
    assert asked
    assert all(2 <= abs(q + 5) + abs(r) <= 4 for q, r in (t.coordinates[s] for s in asked))


def test_a_free_wonder_is_one_of_the_open_ones_and_the_next_is_turned_up(tmp_path):
    t = start(bonus(tmp_path, last_in_turn_order={"wonders": 1}))
    colossus, lighthouse = names.WONDERS.index("Colossus"), names.WONDERS.index("Great Lighthouse")
    assert int(t.g.wonder_builder[colossus]) == 2
    assert int(t.g.wonder_space[colossus]) == t.at((0, 5))
    assert int(t.g.deck[t.r.wonder_type[colossus], t.g.deck_next[t.r.wonder_type[colossus]]]) == lighthouse


def test_without_a_city_for_it_there_is_no_second_wonder(tmp_path):
    t = start(bonus(tmp_path, last_in_turn_order={"wonders": 2}))
    assert of(t, COUNTED["wonders"]) == [0, 0, 1]


def test_the_bonus_is_given_once_when_round_one_begins(tmp_path):
    t = seats(bonus(tmp_path, everyone={"resources": 1}))
    t.g.round_number = 0
    for _ in range(4):
        turn.play_step(t.r, t.g, t.w, BOTS)
    assert t.g.resources[:2].sum() == 2


# --- impossible values, and the numbers as parameters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("victory_cards: {rules: {base: {cards_needed: 4}}}",
         "victory_cards.rules.base.cards_needed: expected 'all in play' or 1 to 3, the cards in play, got 4"),
        ("victory_cards: {rules: {base: {cards_needed: 0}}}", "expected 'all in play' or 1 to 3, the cards in play, got 0"),
        ("victory_cards: {rules: {base: {cards_needed: true}}}", "'all in play' or 1 to 3, the cards in play, got True"),
        ("victory_cards: {rules: {base: {cards_needed: some}}}", "or 1 to 3, the cards in play, got 'some'"),
        ("victory_cards: {rules: {base: {round_limit: -1}}}", "victory_cards.rules.base.round_limit: expected at least 0"),
        ("victory_cards: {rules: {base: {at_round_limit: [most_money]}}}",
         "victory_cards.rules.base.at_round_limit.0: expected 'most_claimed_cards'"),
        ("victory_cards: {rules: {base: {tie_break: [most_world_wonders, most_world_wonders]}}}", "is named twice"),
        ("components: {combat: {die_sides: 21}}", "components.combat.die_sides: expected at most 20, got 21"),
        ("components: {combat: {dice: 3}}", "components.combat.dice: expected at most 2, got 3"),
        ("components: {combat: {tie: nobody}}", "components.combat.tie: expected 'defender' or 'attacker', got 'nobody'"),
        ("components: {combat: {may_be_attacked: {capitals: false}}}", "did you mean 'capital'?"),
        ("components: {combat: {may_be_attacked: {capital: 0}}}",
         "components.combat.may_be_attacked.capital: expected true or false"),
        ("components: {combat: {defence: {capital_bonus: -1}}}",
         "components.combat.defence.capital_bonus: expected at least 0"),
        ("components: {per_player: {base: {caravans: 6}}}", "components.per_player.base.caravans: expected at most 5, got 6"),
        ("focus_cards: {capitalism: {caravans: 6}}", "focus_cards.base.capitalism.caravans: expected at most 5, got 6"),
        ("components: {start_bonus: {everyone: {cities: 6}}}",
         "components.start_bonus.everyone.cities: expected at most 5, got 6"),
        ("components: {start_bonus: {first: {cities: 1}}}", "expected one of everyone, last_in_turn_order"),
    ],
)  # fmt: skip
def test_an_impossible_value_is_refused_with_what_is_expected(tmp_path, text, expected):
    file = tmp_path / "house.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(UserError) as error:
        load_ruleset([file])
    message = str(error.value)
    assert message.startswith(f"{file}: ")
    assert expected in message
    assert "\n" not in message


NEW = (
    "victory_cards.rules.base.cards_needed", "victory_cards.rules.base.round_limit", "components.combat.dice",
    "components.combat.die_sides", "components.combat.tie", "components.combat.defence.city_bonus",
    "components.combat.defence.capital_bonus", "components.per_player.base.caravans",
    *(f"components.combat.may_be_attacked.{target}" for target in PLACES),
    *(f"components.start_bonus.{whose}.{what}" for whose in ("everyone", "last_in_turn_order") for what in names.START_BONUSES),
)  # fmt: skip


@pytest.mark.parametrize("path", NEW)
def test_each_is_a_parameter_that_can_be_moved(path):
    listed = {parameter.path: parameter for parameter in parameters(PRINTED)}
    assert find(PRINTED, path) == listed[path]
    moved = list(steps(PRINTED, listed[path], 4))
    assert moved
    for value, changed in moved:
        assert find(changed, path).value == value
        assert changed.compile().tobytes() != PRINTED.compile().tobytes()


def test_switches_count_from_zero_and_all_in_play_is_their_number():
    assert find(PRINTED, "components.combat.tie").value == 0
    assert find(PRINTED, "components.combat.may_be_attacked.capital").value == 1
    needed = find(PRINTED, "victory_cards.rules.base.cards_needed")
    epic = with_overlay(PRINTED, yaml.safe_load("victory_cards: {rules: {base: {cards_in_play: 4}}}"), "epic")
    assert (needed.value, find(epic, needed.path).value) == (3, 4)
    assert change(PRINTED, {needed: 2}).compile().claims_spared == 1
    with pytest.raises(UserError, match=r"components.combat.tie: expected 0 to 1, got 2"):
        change(PRINTED, {find(PRINTED, "components.combat.tie"): 2})
