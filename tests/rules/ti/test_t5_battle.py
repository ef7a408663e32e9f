"""T5.6-T5.9, T5.11, T5.13: what an army attacks, the combat, and what a victory changes."""

import pytest
from battles import LOSE, WIN, changed, fight, front, home, ruled, targets
from table import FIRST_SPACE, PASS, Table, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import battle, decisions, pieces
from newdawn.simulator.engine.choosing import LOG_CHOICE, LOG_REROLL
from newdawn.simulator.rules.load import load_ruleset, with_overlay

DIFFICULTY = {"grassland": 1, "hills": 2, "forest": 3, "desert": 4, "mountain": 5, "water": 1, "natural_wonder": 5}
ENEMY = (1, 0)


# --- T5.6 the target


@pytest.mark.rule("T5.6")
def test_a_barbarian_is_attacked_first_whatever_else_is_there():
    t = front()
    t.city(1, ENEMY)
    t.army(1, ENEMY)
    t.caravan(1, ENEMY)
    assert targets(t, ENEMY) == {("army", 1), ("caravan", 1), ("city", 1)}
    t.barbarian("A", ENEMY)
    assert targets(t, ENEMY) == {("barbarian", None)}


@pytest.mark.rule("T5.6")
@pytest.mark.rule("T11.1")
def test_otherwise_any_piece_of_any_rival_on_the_space_and_no_own_one():
    t = front(leaders=("Rome", "Egypt", "France"))
    t.token(1, ENEMY)
    t.army(1, ENEMY, 0)
    t.army(1, ENEMY, 1)
    t.army(2, ENEMY)
    t.caravan(2, ENEMY)
    t.army(0, ENEMY)
    t.caravan(0, ENEMY)
    assert targets(t, ENEMY) == {("token", 1), ("army", 1), ("army", 2), ("caravan", 2)}
    assert targets(t, ENEMY, p=1) == {("army", 0), ("caravan", 0), ("army", 2), ("caravan", 2)}


@pytest.mark.rule("T5.6")
@pytest.mark.parametrize("piece", ["token", "district", "city", "capital", "city_state", "fort", "nothing"])
def test_what_stands_on_the_space_is_a_target(piece):
    t = front()
    target = {"capital": ("capital", 1), "city": ("city", 1), "token": ("token", 1), "district": ("token", 1),
              "city_state": ("city_state", None), "fort": ("fort", None)}  # fmt: skip
    if piece == "fort":
        t.fort(ENEMY)
    elif piece == "district":
        t.token(1, ENEMY)
        t.g.district[t.at(ENEMY)] = 1 + names.CAMPUS
    elif piece == "city_state":
        t.city_state("Carthage", ENEMY)
    elif piece != "nothing":
        getattr(t, piece)(1, ENEMY)
    assert targets(t, ENEMY) == ({target[piece]} if piece in target else set())
    assert (t.call(battle.choose_target, 0, t.at(ENEMY)) == -1) == (piece == "nothing")


@pytest.mark.rule("T5.6")
@pytest.mark.rule("T6.3")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_controlled_fort_is_the_city_on_it(owner):
    t = front()
    t.fort(ENEMY)
    t.city(owner, ENEMY)
    assert targets(t, ENEMY) == (set() if owner == 0 else {("city", 1)})


@pytest.mark.rule("T5.6")
def test_one_of_several_targets_is_chosen_a_single_one_is_not_asked_for():
    t = front()
    t.token(1, ENEMY)
    fight(t, ENEMY, WIN)
    assert "army_target" not in t.asked_kinds()
    t = front()
    t.token(1, ENEMY)
    t.army(1, ENEMY)
    code = names.TARGETS.index("army") * 8 + 1
    combat = fight(t, ENEMY, WIN, (decisions.ARMY_TARGET, code))
    assert t.options(decisions.ARMY_TARGET) == {code, names.TARGETS.index("token") * 8 + 1}
    assert combat.won
    assert (t.g.armies[t.at(ENEMY)], t.owner(ENEMY)) == (0, 1)


@pytest.mark.rule("T5.6")
@pytest.mark.parametrize("target", names.TARGETS)
def test_a_house_rule_may_forbid_a_target(target):
    put = {
        "fort": lambda t: t.fort(ENEMY), "caravan": lambda t: t.caravan(1, ENEMY), "army": lambda t: t.army(1, ENEMY),
        "city_state": lambda t: t.city_state("Kumasi", ENEMY), "barbarian": lambda t: t.barbarian("A", ENEMY),
        "token": lambda t: t.token(1, ENEMY), "city": lambda t: t.city(1, ENEMY), "capital": lambda t: t.capital(1, ENEMY),
    }  # fmt: skip
    may = [int(word != target) for word in names.TARGETS]
    for word, place in put.items():
        t = front(rules=changed(may_attack=may))
        place(t)
        assert bool(targets(t, ENEMY)) == (word != target)


@pytest.mark.rule("T5.6")
def test_the_house_rule_names_forts_caravans_and_armies(tmp_path):
    forbidden = {"free_fort": False, "caravan": False, "army": False}
    rules = ti_rules_with(tmp_path, components={"combat": {"may_be_attacked": forbidden}})
    assert list(rules.may_attack) == [1, 1, 1, 1, 1, 0, 0, 0]


# --- T5.7 the combat values


@pytest.mark.rule("T5.7")
@pytest.mark.rule("T5.8")
def test_attacker_and_defender_roll_a_die_each():
    t = front()
    t.token(1, ENEMY)
    combat = fight(t, ENEMY, (5, 2), slot=1)
    assert (combat.attack_die, combat.attack, combat.defence_die, combat.defence) == (5, 6, 2, 3)


@pytest.mark.rule("T5.7")
@pytest.mark.effect("Masonry")
@pytest.mark.effect("Iron Working")
@pytest.mark.effect("Mass Production")
@pytest.mark.effect("Flight")
@pytest.mark.parametrize(
    ("card", "bonus", "against_barbarian"),
    [("Masonry", 0, 0), ("Iron Working", 0, 2), ("Mass Production", 2, 2), ("Flight", 3, 3)],
)
@pytest.mark.parametrize("slot", [1, 4])
def test_the_attacker_adds_slot_number_and_the_bonus_of_the_card(card, bonus, against_barbarian, slot):
    t = front()
    t.token(1, ENEMY)
    assert fight(t, ENEMY, (1, 1), card=card, slot=slot).attack == 1 + slot + bonus
    t = front()
    t.barbarian("A", ENEMY)
    assert fight(t, ENEMY, (1, 1), card=card, slot=slot).attack == 1 + slot + against_barbarian


@pytest.mark.rule("T5.7")
@pytest.mark.parametrize("piece", ["token", "city", "caravan", "army"])
def test_leader_wonders_and_diplomacy_serve_both_sides(piece):
    """Terracotta Army +2 in attack, Alhambra +2 always, Defensive Pact +2 in defence against others than its giver."""
    t = front(leaders=("Rome", "Egypt", "France"))
    t.wonder("Terracotta Army", (0, 0))
    t.city(1, (-2, 0))
    t.wonder("Alhambra", (-2, 0))
    getattr(t, piece)(1, ENEMY)
    combat = fight(t, ENEMY, (1, 6), slot=1)
    ground = 2 if piece == "city" else 1
    assert (combat.attack, combat.defence) == (1 + 1 + 2, 6 + ground + 2)
    t.diplomacy(1, 2, "Defensive Pact")
    assert fight(t, ENEMY, (1, 6), slot=1).defence == 6 + ground + 2 + 2


@pytest.mark.rule("T5.7")
def test_scythia_fights_better_over_grassland_also_with_its_armies():
    for terrain, bonus in (("grassland", 3), ("hills", 3), ("forest", 0)):
        t = front(leaders=("Scythia", "Scythia"), terrain={ENEMY: terrain})
        t.army(1, ENEMY)
        combat = fight(t, ENEMY, (1, 1), slot=1)
        assert (combat.attack, combat.defence) == (2 + bonus, 1 + DIFFICULTY[terrain] + bonus)


@pytest.mark.rule("T5.7")
def test_the_military_card_of_the_defender_gives_nothing():
    t = front()
    t.card(1, "Flight")
    t.army(1, ENEMY)
    assert fight(t, ENEMY, (1, 1)).defence == 2


@pytest.mark.rule("T5.7")
def test_city_state_and_uncontrolled_fort_defend_with_a_fixed_number():
    t = front(terrain={ENEMY: "mountain"})
    t.city_state("Kumasi", ENEMY)
    assert fight(t, ENEMY, (1, 1)).defence == 1 + 8
    rules = changed(fort_defence=7)  # the printed 6 is also twice the difficulty of the fort's forest
    for number, r in ((6, None), (7, rules)):
        t = front(rules=r)
        t.fort(ENEMY)
        assert fight(t, ENEMY, (1, 1)).defence == 1 + number


@pytest.mark.rule("T5.7")
def test_the_first_seat_defends_like_any_other():
    t = front(terrain={ENEMY: "hills"})
    t.token(0, ENEMY)
    t.army(0, ENEMY)
    assert fight(t, ENEMY, (1, 1), p=1, target="token", q=0).defence == 1 + 2 + 2
    t.army(0, (0, 1), 1)
    assert fight(t, (0, 1), (1, 1), p=1, target="army", q=0).defence == 1 + 1


@pytest.mark.rule("T5.7")
@pytest.mark.parametrize("terrain", DIFFICULTY)
@pytest.mark.parametrize("piece", ["barbarian", "token", "district", "city", "caravan", "army"])
def test_the_difficulty_of_the_space_defends_it_a_city_twice(piece, terrain):
    if terrain == "water" and piece not in ("caravan", "army"):
        return
    t = front(terrain={ENEMY: terrain})
    put = {
        "barbarian": lambda: t.barbarian("A", ENEMY), "token": lambda: t.token(1, ENEMY), "city": lambda: t.city(1, ENEMY),
        "caravan": lambda: t.caravan(1, ENEMY), "army": lambda: t.army(1, ENEMY), "district": lambda: t.token(1, ENEMY),
    }  # fmt: skip
    put[piece]()
    if piece == "district":
        t.g.district[t.at(ENEMY)] = 1 + names.ENCAMPMENT
    assert fight(t, ENEMY, (1, 1)).defence == 1 + DIFFICULTY[terrain] * (2 if piece == "city" else 1)


@pytest.mark.rule("T5.7")
@pytest.mark.parametrize(("piece", "own", "beside"), [("token", 1, 2), ("city", 0, 2), ("caravan", 0, 0), ("army", 0, 0)])
def test_reinforced_tokens_help_tokens_and_cities_not_figures(piece, own, beside):
    def defence(reinforced, neighbours):
        t = front()
        t.token(1, (2, 0), (1, 1), reinforced=neighbours)
        t.token(1, (0, 1))
        t.token(0, (1, -1), reinforced=True)  # of somebody else: no help
        if piece in ("token", "caravan", "army"):
            t.token(1, ENEMY, reinforced=reinforced)
        else:
            t.city(1, ENEMY)
        if piece == "caravan":
            t.caravan(1, ENEMY)
        if piece == "army":
            t.army(1, ENEMY)
        return fight(t, ENEMY, (1, 1), target=piece, q=1).defence

    ground = 4 if piece == "city" else 2
    ground -= 1 if piece != "city" else 2
    assert defence(reinforced=False, neighbours=False) == 1 + ground
    assert defence(reinforced=True, neighbours=False) == 1 + ground + own
    assert defence(reinforced=True, neighbours=True) == 1 + ground + own + beside


@pytest.mark.rule("T5.7")
@pytest.mark.parametrize("piece", ["token", "city", "capital", "caravan", "army"])
@pytest.mark.parametrize("guards", [0, 1, 2])
def test_an_army_of_the_owner_beside_the_target_guards_it_once(piece, guards):
    t = front()
    if piece in ("token", "city", "capital"):
        getattr(t, piece)(1, ENEMY)
    elif piece == "caravan":
        t.caravan(1, ENEMY)
    else:
        t.army(1, ENEMY, 3)
    for a in range(guards):
        t.army(1, ENEMY, a)
    t.army(0, ENEMY)
    ground = 2 if piece in ("city", "capital") else 1
    assert fight(t, ENEMY, (1, 1), target=piece, q=1).defence == 1 + ground + (2 if guards else 0)


@pytest.mark.rule("T5.7")
def test_armies_of_others_do_not_guard():
    t = front(leaders=("Rome", "Egypt", "France"))
    t.token(1, ENEMY)
    t.army(2, ENEMY)
    t.army(0, ENEMY)
    t.army(1, (1, 1))
    assert fight(t, ENEMY, (1, 1), target="token", q=1).defence == 2


@pytest.mark.rule("T5.7")
@pytest.mark.parametrize("target", ["barbarian", "fort"])
def test_what_nobody_owns_has_no_guard(target):
    t = front()
    t.fort(ENEMY)
    t.army(1, ENEMY)
    if target == "barbarian":
        t.barbarian("A", ENEMY)
    assert fight(t, ENEMY, (1, 1), target=target).defence == 1 + (3 if target == "barbarian" else 6)


def bonus_from(here, beside, rival_beside=False):
    """Return what Scythia's army, at (0, 0), adds by slot 1 to its attack on (1, 0); (0, 1) lies beside both."""
    t = Table(
        rules=ruled("attack_terrain", "attacked_from"), leaders=("Scythia", "Rome"),
        spaces=[(-1, 0), (0, 0), (1, 0), (0, 1)], terrain={(0, 0): here, (0, 1): beside},
    )  # fmt: skip
    t.capital(0, (-1, 0))
    t.token(1, (1, 0), *([(0, 1)] if rival_beside else []))
    t.army(0, (0, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (1, 0)))
    t.resolve(0, "Mass Production", 1)
    return t.combats()[0].attack - 6 - 1


@pytest.mark.rule("B9.5")
@pytest.mark.rule("T5.7")
@pytest.mark.effect("Scythia")
def test_an_army_attacks_from_the_hills_it_stands_on_though_it_could_not_enter_them():
    assert bonus_from(here="hills", beside="water") - bonus_from(here="desert", beside="water") == 3


@pytest.mark.rule("B9.6")
def test_nobody_helps_against_an_attack_on_what_is_nobodys():
    rules = with_overlay(
        load_ruleset(box="terra-incognita"),
        {"leaders": {"rome": {"abilities": [{"effect": "combat", "amount": 9, "when": ["defend"]}]}}}, "test",
    ).compile()  # fmt: skip
    t = Table(leaders=("Egypt", "Aztec", "Egypt", "Aztec", "Rome"), rules=rules, radius=4)
    for p, space in enumerate([(0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)]):
        t.capital(p, space)
    t.city_state("Seoul", (1, 0))
    t.army(0, (1, 0))
    found = fight(t, (1, 0), LOSE, target="city_state")
    assert found.defence == 6 + int(t.r.city_state_defence)


@pytest.mark.rule("B9.5")
@pytest.mark.rule("T5.4")
@pytest.mark.effect("Scythia")
def test_an_army_does_not_attack_from_a_space_beside_that_a_rival_holds():
    alone = bonus_from(here="desert", beside="water")
    assert bonus_from(here="desert", beside="grassland") - alone == 3
    assert bonus_from(here="desert", beside="grassland", rival_beside=True) == alone


# --- T5.8, T5.9 tokens


def spending(t, dice, *choices, **kw):
    return fight(t, ENEMY, dice, *[(decisions.COMBAT_SPEND, choice) for choice in choices], **kw)


@pytest.mark.rule("T5.8")
@pytest.mark.parametrize("target", ["barbarian", "city_state", "fort"])
def test_nobody_spends_tokens_for_what_nobody_owns(target):
    t = front(leaders=("Rome", "Egypt", "France"))
    t.trade(1, "military", 3)
    t.trade(2, "military", 3)
    if target == "barbarian":
        t.barbarian("A", ENEMY)
    elif target == "city_state":
        t.city_state("Kumasi", ENEMY)
    else:
        t.fort(ENEMY)
    fight(t, ENEMY, (1, 1))
    assert "combat_spend" not in t.asked_kinds()


@pytest.mark.rule("T5.9")
def test_each_token_spent_adds_one():
    t = front()
    t.trade(0, "military", 3)
    t.token(1, ENEMY)
    combat = spending(t, (1, 1), decisions.SPEND_ONE, decisions.SPEND_ONE, PASS)
    assert (combat.attack, t.trade_on(0, "military")) == (1 + 1 + 2, 1)


@pytest.mark.rule("T5.9")
def test_a_token_spent_may_roll_the_own_die_again_and_the_new_result_counts():
    t = front()
    t.trade(0, "military", 3)
    t.token(1, ENEMY)
    combat = spending(t, (5, 1, 2, 4), decisions.SPEND_REROLL, decisions.SPEND_REROLL)
    assert (combat.attack_die, combat.attack, combat.defence) == (4, 4 + 1, 2)
    assert t.trade_on(0, "military") == 1
    rows = t.w.log[: t.w.log_n].tolist()
    assert [row[1:5] for row in rows if row[0] == LOG_REROLL] == [[0, 0, 5, 2], [0, 0, 2, 4]]


@pytest.mark.rule("T5.9")
def test_what_was_added_stays_when_the_die_is_rolled_again():
    t = front()
    t.trade(0, "military", 3)
    t.token(1, ENEMY)
    combat = spending(t, (1, 1, 3), decisions.SPEND_ONE, decisions.SPEND_REROLL, decisions.SPEND_ONE)
    assert (combat.attack_die, combat.attack) == (3, 3 + 1 + 2)


@pytest.mark.rule("T5.9")
def test_every_roll_is_known_before_the_next_token():
    t = front()
    t.trade(0, "military", 2)
    t.token(1, ENEMY)
    spending(t, (1, 1, 3), decisions.SPEND_REROLL, decisions.SPEND_ONE)
    assert [(seat, set(options)) for kind, seat, options in t.asked()] == [
        (0, {decisions.SPEND_ONE, decisions.SPEND_REROLL, PASS})
    ] * 2
    rows = [row[0] for row in t.w.log[: t.w.log_n].tolist() if row[0] in (LOG_CHOICE, LOG_REROLL)]
    assert rows == [LOG_CHOICE, LOG_REROLL, LOG_CHOICE]
    assert (t.w.ask_attack, t.w.ask_defence, t.w.ask_die, t.w.ask_target) == (0, 0, 0, -1)  # the combat is over


@pytest.mark.rule("T5.9")
def test_the_attacker_finishes_before_the_defender_begins_and_nobody_has_a_second_go():
    t = front()
    t.trade(0, "military", 2)
    t.trade(1, "military", 2)
    t.token(1, ENEMY)
    combat = spending(t, (3, 3), decisions.SPEND_ONE, PASS, decisions.SPEND_ONE, PASS)
    assert [seat for _, seat, _ in t.asked()] == [0, 0, 1, 1]
    assert (combat.attack, combat.defence) == (3 + 1 + 1, 3 + 1 + 1)
    assert (t.trade_on(0, "military"), t.trade_on(1, "military")) == (1, 1)


@pytest.mark.rule("T5.9")
@pytest.mark.parametrize("piece", ["token", "army", "caravan"])
def test_the_defender_may_roll_its_own_die_again(piece):
    t = front()
    t.trade(1, "military", 1)
    getattr(t, piece)(1, ENEMY)
    combat = spending(t, (4, 1, 6), decisions.SPEND_REROLL)
    assert (combat.attack_die, combat.defence_die, combat.defence, combat.won) == (4, 6, 7, False)


@pytest.mark.rule("T5.9")
def test_only_tokens_of_the_own_military_card_are_spent():
    t = front()
    t.trade(0, "science", 3)
    t.trade(1, "growth", 3)
    t.token(1, ENEMY)
    fight(t, ENEMY, (1, 1))
    assert t.asked() == []


@pytest.mark.rule("T5.9")
@pytest.mark.effect("Oxford University")
@pytest.mark.parametrize("has_card", [True, False])
def test_tokens_lie_on_the_military_card_wherever_it_is_and_without_one_none_are_spent(has_card):
    """Oxford University may turn the military card into another one, and another one into a military card."""
    t = front()
    culture, military = t.holder(1, "culture"), t.holder(1, "military")
    t.g.card[1, culture], t.g.card[1, military] = t.g.card[1, military] if has_card else 0, 4
    t.g.trade[1] = [1, 0, 0, 0, 1, 1]
    t.token(1, ENEMY)
    fight(t, ENEMY, (1, 1), (decisions.COMBAT_SPEND, decisions.SPEND_ONE)) if has_card else fight(t, ENEMY, (1, 1))
    assert list(t.g.trade[1]) == [0 if has_card else 1, 0, 0, 0, 1, 1]
    assert [seat for _, seat, _ in t.asked()] == ([1] if has_card else [])


@pytest.mark.rule("T5.9")
@pytest.mark.rule("B10.2")
def test_a_city_states_token_is_spent_once_a_turn_and_stays():
    t = front()
    t.conquered(0, "Carthage", (-2, 0))
    h = t.holder(0, "military")
    t.g.city_state_holder[names.CITY_STATES.index("Carthage")] = h
    t.trade(0, "military", 1)
    t.token(1, ENEMY)
    combat = fight(
        t,
        ENEMY,
        (1, 1),
        (decisions.COMBAT_SPEND, decisions.SPEND_ONE),
        (decisions.SPEND_TOKEN, decisions.KEPT_CITY_STATE),
        (decisions.COMBAT_SPEND, decisions.SPEND_ONE),
    )
    assert combat.attack == 1 + 1 + 2
    assert t.options(decisions.SPEND_TOKEN) == {decisions.KEPT_CITY_STATE, decisions.PLAIN_TOKEN}
    assert t.trade_on(0, "military") == 0
    assert t.asked_kinds() == ["combat_spend", "spend_token", "combat_spend"]


@pytest.mark.rule("T5.9")
@pytest.mark.parametrize(("dice", "won"), [((3, 3), False), ((4, 3), True)])
def test_the_higher_total_wins_and_ties_go_to_the_defender(dice, won):
    t = front()
    t.token(1, ENEMY)
    assert fight(t, ENEMY, dice, slot=1).won == won


@pytest.mark.rule("T5.9")
def test_without_the_right_to_roll_again_a_token_only_adds():
    rules = changed(reroll_allowed=0)
    t = front(rules=rules)
    t.trade(0, "military", 1)
    t.token(1, ENEMY)
    spending(t, (1, 1), decisions.SPEND_ONE)
    assert t.options(decisions.COMBAT_SPEND) == {decisions.SPEND_ONE}


SPACE = (1, 0)


@pytest.mark.rule("T5.9")
def test_the_first_player_spends_trade_tokens_in_defence_like_anyone():
    t = front(leaders=("Scythia", "Rome"))
    t.token(0, SPACE)
    t.trade(0, "military", 1)
    fight(t, SPACE, (1, 1), (decisions.COMBAT_SPEND, decisions.SPEND_ONE), p=1, slot=5, target="token", q=0)
    assert t.trade_on(0, "military") == 0


# --- T5.10 a lost attack changes nothing on the space


@pytest.mark.rule("T5.10")
@pytest.mark.parametrize("piece", ["token", "city", "army", "caravan", "barbarian", "city_state", "fort", "capital"])
def test_a_target_that_is_not_beaten_is_unharmed(piece):
    t = front(terrain={ENEMY: "mountain"})
    put = {
        "token": lambda: t.token(1, ENEMY), "city": lambda: t.city(1, ENEMY), "army": lambda: t.army(1, ENEMY),
        "caravan": lambda: t.caravan(1, ENEMY), "barbarian": lambda: t.barbarian("A", ENEMY),
        "city_state": lambda: t.city_state("Kumasi", ENEMY), "fort": lambda: t.fort(ENEMY),
        "capital": lambda: t.capital(1, ENEMY),
    }  # fmt: skip
    put[piece]()
    before = targets(t, ENEMY)
    assert not fight(t, ENEMY, LOSE).won
    assert targets(t, ENEMY) == before
    assert t.g.attacks_won_this_turn == 0
    assert t.g.best_attack[0] == 0


# --- T5.11 a won attack


@pytest.mark.rule("T5.11")
@pytest.mark.parametrize("figure", ["army", "caravan"])
def test_a_beaten_figure_goes_to_its_card_and_nothing_else_changes(figure):
    t = front(leaders=("Rome", "Egypt", "France"))
    t.token(1, ENEMY, reinforced=True)
    t.army(1, ENEMY, 0)
    t.army(1, ENEMY, 1)
    t.caravan(1, ENEMY, 0)
    t.caravan(1, ENEMY, 1)
    t.army(2, ENEMY)
    t.army(0, ENEMY)
    assert fight(t, ENEMY, WIN, slot=5, target=figure, q=1).won
    assert (home(t, 1, "army"), home(t, 1, "caravan")) == ((1, 0) if figure == "army" else (0, 1))
    assert home(t, 2, "army") == home(t, 0, "army") == 0
    assert (t.owner(ENEMY), t.piece(ENEMY)) == (1, "reinforced_token")
    assert (t.g.armies[t.at(ENEMY)], t.g.caravans[t.at(ENEMY)]) == ((3, 2) if figure == "army" else (4, 1))


@pytest.mark.rule("T5.11")
@pytest.mark.rule("B9.9")
def test_a_beaten_barbarian_leaves_the_map_for_a_trade_token():
    t = front()
    t.barbarian("A", ENEMY)
    t.army(0, ENEMY)
    fight(t, ENEMY, WIN, (decisions.PLACE_TRADE, t.holder(0, "growth")))
    assert (t.g.barbarians[t.at(ENEMY)], t.g.barbarian_space[0]) == (0, -1)
    assert t.trade_on(0, "growth") == 1
    assert t.g.army[0, 0] == t.at(ENEMY)


@pytest.mark.rule("T5.11")
@pytest.mark.rule("B10.1")
def test_a_beaten_city_state_is_conquered():
    t = front()
    t.city_state("Kumasi", ENEMY)
    fight(t, ENEMY, WIN, slot=5)
    assert (t.piece(ENEMY), t.owner(ENEMY)) == ("city", 0)
    assert t.g.city_state_owner[names.CITY_STATES.index("Kumasi")] == 0
    assert t.g.city_state_holder[names.CITY_STATES.index("Kumasi")] == t.holder(0, "culture")


@pytest.mark.rule("T5.11")
@pytest.mark.rule("B9.9")
@pytest.mark.parametrize("cities", [0, 1])
def test_a_beaten_city_becomes_one_of_the_attacker_or_a_reinforced_token(cities):
    t = front()
    t.city(1, ENEMY)
    t.wonder("Petra", ENEMY)
    t.g.cities_left[0] = cities
    fight(t, ENEMY, WIN, slot=5)
    assert (t.piece(ENEMY), t.owner(ENEMY)) == ("city" if cities else "reinforced_token", 0)
    assert t.controls(0, "Petra")


@pytest.mark.rule("T5.11")
@pytest.mark.rule("B9.9")
def test_a_beaten_capital_stays_and_is_looted():
    t = front()
    t.capital(1, ENEMY)
    t.trade(1, "science", 1)
    t.trade(1, "growth", 1)
    science, growth = t.holder(1, "science"), t.holder(1, "growth")
    own = t.holder(0, "military")
    fight(
        t,
        ENEMY,
        WIN,
        (decisions.LOOT, science),
        (decisions.PLACE_TRADE, own),
        (decisions.LOOT, growth),
        (decisions.PLACE_TRADE, own),
        slot=5,
    )
    assert (t.piece(ENEMY), t.owner(ENEMY)) == ("capital", 1)
    assert (t.trade_on(0, "military"), t.trade_on(1, "science"), t.trade_on(1, "growth")) == (2, 0, 0)
    assert t.g.capitals_beaten[0] == 1


@pytest.mark.rule("T5.11")
@pytest.mark.parametrize("reinforced", [False, True])
def test_a_beaten_control_token_becomes_an_unreinforced_one_of_the_attacker(reinforced):
    t = front()
    t.token(1, ENEMY, reinforced=reinforced)
    left = t.g.tokens_left.copy()
    fight(t, ENEMY, WIN, slot=5)
    assert (t.owner(ENEMY), t.piece(ENEMY)) == (0, "token")
    assert list(t.g.tokens_left[:2] - left[:2]) == [-1, 1]


@pytest.mark.rule("T5.11")
@pytest.mark.rule("B10.3")
@pytest.mark.parametrize("fate", [0, 1])
def test_a_beaten_conquered_city_state_is_taken_or_freed(fate):
    t = front()
    t.conquered(1, "Carthage", ENEMY)
    t.army(1, ENEMY)
    fight(t, ENEMY, WIN, (decisions.CITY_STATE_FATE, fate), slot=5, target="city", q=1)
    carthage = names.CITY_STATES.index("Carthage")
    assert t.g.city_state_owner[carthage] == (0 if fate == 0 else -1)
    assert (t.owner(ENEMY), t.piece(ENEMY)) == ((0, "city") if fate == 0 else (-1, "none"))
    assert home(t, 1, "army") == 1


SWEPT = {"token": True, "city": True, "capital": True, "army": False, "caravan": False, "barbarian": False}


@pytest.mark.rule("T5.11")
@pytest.mark.parametrize("target", SWEPT)
def test_with_city_or_token_beaten_all_figures_there_go_home_but_those_of_the_attacker(target):
    t = front(leaders=("Rome", "Egypt", "France"))
    {"city": t.city, "capital": t.capital}.get(target, t.token)(1, ENEMY)
    for q in (1, 2):
        t.army(q, ENEMY)
        t.army(q, (2, 0), 1)
        t.caravan(q, ENEMY)
    t.army(0, ENEMY)
    t.caravan(0, ENEMY)
    if target == "barbarian":
        t.barbarian("A", ENEMY)
    assert fight(t, ENEMY, WIN, slot=5, target=target, q=-1 if target == "barbarian" else 1).won
    gone = 1 if SWEPT[target] else 0
    assert (home(t, 2, "army"), home(t, 2, "caravan")) == (gone, gone)
    assert (home(t, 1, "army"), home(t, 1, "caravan")) == (max(gone, target == "army"), max(gone, target == "caravan"))
    assert (home(t, 0, "army"), home(t, 0, "caravan")) == (0, 0)
    assert t.g.army[2, 1] == t.at((2, 0))


@pytest.mark.rule("T5.11")
def test_no_figure_goes_home_after_a_lost_attack():
    t = front(terrain={ENEMY: "mountain"})
    t.city(1, ENEMY)
    t.caravan(1, ENEMY)
    t.army(1, ENEMY)
    assert not fight(t, ENEMY, LOSE, target="city", q=1).won
    assert home(t, 1, "army") == home(t, 1, "caravan") == 0


@pytest.mark.rule("T5.11")
@pytest.mark.parametrize(("reading", "gone"), [("figures_go_home", 1), ("figures_stay", 0)])
def test_whether_a_beaten_capital_sends_figures_home_is_a_switch(reading, gone):
    t = front(rules=ruled("capital_sweep", reading))
    t.capital(1, ENEMY)
    t.army(1, ENEMY)
    t.caravan(1, ENEMY)
    assert fight(t, ENEMY, WIN, slot=5, target="capital", q=1).won
    assert (home(t, 1, "army"), home(t, 1, "caravan")) == (gone, gone)


# --- T5.13 ties of diplomacy


@pytest.mark.rule("T5.13")
@pytest.mark.parametrize("piece", ["token", "city", "capital", "army", "caravan"])
@pytest.mark.parametrize("dice", [WIN, LOSE])
def test_an_attack_on_any_piece_returns_the_cards_of_its_owner(piece, dice):
    t = front(leaders=("Rome", "Egypt", "France"), terrain={ENEMY: "mountain"})
    getattr(t, piece)(1, ENEMY)
    t.diplomacy(0, 1, "Joint War")
    t.diplomacy(0, 1, "Embassy")
    t.diplomacy(0, 2, "Embassy")
    t.diplomacy(1, 0, "Embassy")
    fight(t, ENEMY, dice)
    held = t.g.diplomacy[:3, : t.r.n_diplomacy]
    assert (held[1] == 0).sum() == 0
    assert (held[2] == 0).sum() == 1
    assert (held[0] == 1).sum() == 1


@pytest.mark.rule("T5.13")
def test_an_attack_on_a_city_state_returns_its_card():
    t = front()
    t.city_state("Kumasi", ENEMY)
    t.city_state_card(0, "Kumasi")
    t.city_state_card(1, "Kumasi")
    fight(t, ENEMY, LOSE)
    kumasi = names.CITY_STATES.index("Kumasi")
    assert list(t.g.city_state_cards[kumasi, :2]) == [0, 1]
    assert t.g.city_state_cards_left[kumasi] == 1


@pytest.mark.rule("T5.13")
@pytest.mark.parametrize("piece", ["token", "army", "caravan"])
def test_whether_an_attack_on_a_figure_returns_cards_is_a_switch(piece):
    t = front(rules=ruled("figure_attack_returns_cards", "keeps_them"))
    getattr(t, piece)(1, ENEMY)
    t.diplomacy(0, 1, "Embassy")
    fight(t, ENEMY, WIN)
    assert (t.g.diplomacy[1] == 0).any() == (piece != "token")


# --- what is noted


@pytest.mark.rule("T3.4")
@pytest.mark.effect("Devastating")
def test_the_highest_total_of_a_won_attack_is_kept_tokens_and_rerolls_included():
    t = front()
    t.trade(0, "military", 2)
    t.barbarian("A", ENEMY)
    combat = spending(t, (2, 1, 6), decisions.SPEND_REROLL, decisions.SPEND_ONE, slot=5)
    assert combat.attack == t.g.best_attack[0] == 6 + 5 + 1
    t.barbarian("B", ENEMY)
    fight(t, ENEMY, (3, 1), slot=1)
    assert t.g.best_attack[0] == 12
    assert t.g.attacks_won_this_turn == 2


def test_a_won_attack_on_an_army_claims_at_once_the_card_that_asks_for_its_total():
    r = ti_rules()
    cards = [
        card for card in range(r.n_victory_cards) for a in range(2) if r.agenda_metric[card, a] == names.METRIC_BEST_ATTACK
    ]
    t = ti_table_with((0, 0), (0, 3), victory=(cards[0],))
    a = next(k for k in range(2) if r.agenda_metric[cards[0], k] == names.METRIC_BEST_ATTACK)
    t.army(0, (1, 0))
    t.army(1, (1, 0), 0)
    t.g.best_attack[0] = 0
    t.trade(0, "military", 3)
    target = int(r.agenda_target[cards[0], a])
    slot = target - WIN[0] - 3
    found = fight(t, (1, 0), WIN, *[(decisions.COMBAT_SPEND, decisions.SPEND_ONE)] * 3, target="army", q=1, slot=slot)
    assert found.won
    assert found.attack == target
    assert t.g.claimed[0, 0] != 0
    assert t.g.best_attack[0] == found.attack
    assert t.g.attack_terrains == 0


@pytest.mark.rule("T5.11")
def test_attacks_are_counted_by_their_target():
    t = front()
    t.army(1, ENEMY)
    fight(t, ENEMY, WIN, slot=5)
    t.caravan(1, ENEMY)
    fight(t, ENEMY, (1, 6), slot=1)
    army, wagon = names.TARGETS.index("army"), names.TARGETS.index("caravan")
    assert (t.g.stat_attacks[0, army], t.g.stat_attacks_won[0, army]) == (1, 1)
    assert (t.g.stat_attacks[0, wagon], t.g.stat_attacks_won[0, wagon]) == (1, 0)
    assert (t.g.stat_defences[1], t.g.stat_defences_won[1]) == (2, 1)


def test_a_barbarian_sends_the_armies_of_everybody_home():
    t = ti_table_with((0, 0), (0, 3))
    for p in range(2):
        t.army(p, FIRST_SPACE, p)
    pieces.destroy_armies(t.g, t.w, t.at(FIRST_SPACE))
    assert [p for p in range(2) if t.g.army[p, p] == t.at(FIRST_SPACE)] == []
