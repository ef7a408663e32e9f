"""T12.4-T12.8, T12.20, T12.23: what single cards, leaders and wonders change in the combats of armies."""

import pytest
from battles import LOSE, WIN, changed, fight, front, home, ruled, targets
from table import PASS, bare_state, card_codes

from newdawn.simulator import names
from newdawn.simulator.engine import battle, decisions, pieces
from newdawn.simulator.rules import codes

ENEMY = (1, 0)
MARBLE, MERCURY, OIL, DIAMOND = range(4)
THREE = ("Rome", "Egypt", "France")


# --- T12.4 Non-Aggression Pact


def pact(leaders=THREE, **kw):
    """Return a table on which seat 0 holds the pact of seat 1."""
    t = front(leaders=leaders, **kw)
    t.diplomacy(0, 1, "Non-Aggression Pact")
    return t


@pytest.mark.rule("T12.4")
@pytest.mark.effect("Non-Aggression Pact")
def test_the_holder_cannot_choose_pieces_of_the_giver_as_targets():
    t = pact()
    t.token(1, ENEMY)
    t.army(1, ENEMY)
    t.caravan(1, ENEMY)
    assert targets(t, ENEMY) == set()
    t.army(2, ENEMY)
    assert targets(t, ENEMY) == {("army", 2)}
    t.barbarian("A", ENEMY)
    assert targets(t, ENEMY) == {("barbarian", None)}


@pytest.mark.rule("T12.4")
@pytest.mark.parametrize("seat", [1, 2])
def test_the_giver_and_others_are_not_bound(seat):
    t = pact()
    t.token(0, ENEMY)
    assert targets(t, ENEMY, p=seat) == {("token", 0)}


@pytest.mark.rule("T12.4")
def test_figures_of_the_giver_stay_when_the_holder_beats_another_player_there():
    t = pact()
    t.token(2, ENEMY)
    t.army(1, ENEMY)
    t.caravan(1, ENEMY)
    t.army(2, ENEMY)
    fight(t, ENEMY, WIN, slot=5, target="token", q=2)
    assert (home(t, 1, "army"), home(t, 1, "caravan"), home(t, 2, "army")) == (0, 0, 1)


@pytest.mark.rule("T12.4")
@pytest.mark.parametrize("piece", ["token", "city", "army", "caravan"])
@pytest.mark.parametrize("dice", [WIN, LOSE])
def test_when_the_giver_attacks_the_holder_may_swap_its_military_card_for_the_pact(piece, dice):
    t = pact(terrain={(-1, 0): "mountain"})
    getattr(t, piece)(0, (-1, 0))
    before = t.row(0)
    fight(t, (-1, 0), dice, (decisions.NON_AGGRESSION, 5), p=1, slot=5)
    place = before.index("military")
    after = list(before)
    after[place], after[5] = before[5], before[place]
    assert t.row(0) == after
    assert t.options(decisions.NON_AGGRESSION) == set(range(6)) - {place}
    assert not (t.g.diplomacy[1] == 0).any()
    assert [(seat, t.w.ask_seat) for kind, seat, _ in t.asked() if kind == decisions.NON_AGGRESSION] == [(0, 1)]


@pytest.mark.rule("T12.4")
def test_the_holder_is_offered_each_other_place_of_the_row_once_and_to_keep_the_pact():
    t = pact()
    t.token(0, (-1, 0))
    t.w.option[:] = 77
    fight(t, (-1, 0), WIN, (decisions.NON_AGGRESSION, PASS), p=1, slot=5)
    (offer,) = [options for kind, _, options in t.asked() if kind == decisions.NON_AGGRESSION]
    assert offer == [k for k in range(6) if k != t.row(0).index("military")] + [PASS]


@pytest.mark.rule("T12.4")
def test_the_holder_may_keep_the_pact():
    t = pact()
    t.token(0, (-1, 0))
    before = t.row(0)
    fight(t, (-1, 0), WIN, (decisions.NON_AGGRESSION, PASS), p=1, slot=5)
    assert t.row(0) == before
    assert (t.g.diplomacy[1] == 0).any()


@pytest.mark.rule("T12.4")
def test_the_holder_answers_after_the_attack():
    """The capital has been looted before the holder is asked."""
    t = pact()
    t.trade(0, "science", 2)
    loot = (decisions.LOOT, t.holder(0, "science"))
    fight(t, (0, 0), WIN, loot, (decisions.NON_AGGRESSION, PASS), p=1, slot=5, target="capital", q=0)
    kinds = t.asked_kinds()
    assert kinds.index("non_aggression") > kinds.index("loot")


@pytest.mark.rule("T12.4")
def test_a_figure_destroyed_beside_the_target_is_a_strike_too():
    t = pact()
    t.token(2, ENEMY)
    t.caravan(0, ENEMY)
    fight(t, ENEMY, WIN, (decisions.NON_AGGRESSION, PASS), p=1, slot=5, target="token", q=2)
    assert home(t, 0, "caravan") >= 1
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.NON_AGGRESSION] == [0]


@pytest.mark.rule("T12.4")
@pytest.mark.parametrize("attacker", [1, 2])
def test_only_the_givers_strike_at_the_holder_counts(attacker):
    t = pact()
    t.token(2 if attacker == 1 else 0, (-1, 0))
    fight(t, (-1, 0), WIN, p=attacker, slot=5)
    assert "non_aggression" not in t.asked_kinds()


@pytest.mark.rule("T12.4")
def test_a_pact_is_held_with_its_giver_only_and_guards_its_pieces():
    for p, q in ((0, 1), (2, 0), (1, 4)):
        g = bare_state(5)
        g.power[p, codes.NON_AGGRESSION] = 1 << q
        assert [(a, b) for a in range(names.MAX_PLAYERS) for b in range(-1, 5) if pieces.has_pact(g, a, b)] == [(p, q)]
        g.owner[3] = q
        assert [a for a in range(names.MAX_PLAYERS) if pieces.is_guarded(g, a, 3)] == [p]
        g.dirty = 0
        pieces.note_strike(g, p, q)
        assert (g.strikes, g.dirty) == (0, 0)
        pieces.note_strike(g, q, p)
        assert (g.strikes, g.dirty) == (1 << (p * names.MAX_PLAYERS + q), 1)
        g.armies[3] = 1
        assert all(pieces.is_guarded(g, a, 3) for a in range(names.MAX_PLAYERS))


# --- T12.5 resources in combat


@pytest.mark.rule("T12.5")
@pytest.mark.rule("T5.9")
@pytest.mark.effect("Jebel Barkal")
def test_jebel_barkal_each_resource_spent_adds_two_in_attack():
    t = front()
    t.wonder("Jebel Barkal", (0, 0))
    t.give_resources(0, oil=2, marble=1)
    t.token(1, ENEMY)
    combat = fight(
        t,
        ENEMY,
        (1, 1),
        (decisions.COMBAT_SPEND, decisions.SPEND_RESOURCE + OIL),
        (decisions.COMBAT_SPEND, decisions.SPEND_RESOURCE + OIL),
        (decisions.COMBAT_SPEND, PASS),
    )
    assert combat.attack == 1 + 1 + 4
    assert list(t.g.resources[0]) == [1, 0, 0, 0]
    assert t.g.supply[OIL] == t.r.resources_per_type
    assert t.options(decisions.COMBAT_SPEND) == {decisions.SPEND_RESOURCE + OIL, decisions.SPEND_RESOURCE + MARBLE}
    assert t.options(decisions.COMBAT_SPEND, 2) == {decisions.SPEND_RESOURCE + MARBLE}


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Jebel Barkal")
@pytest.mark.parametrize("kind", range(names.N_RESOURCES))
def test_jebel_barkal_takes_every_kind_of_resource(kind):
    t = front()
    t.wonder("Jebel Barkal", (0, 0))
    t.g.resources[0, kind] = 1
    t.token(1, ENEMY)
    assert fight(t, ENEMY, (1, 1), (decisions.COMBAT_SPEND, decisions.SPEND_RESOURCE + kind)).attack == 1 + 1 + 2
    assert t.g.resources[0].sum() == 0


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Jebel Barkal")
def test_jebel_barkal_serves_in_defence_beside_tokens_and_rerolls():
    t = front()
    t.city(1, (-2, 0))
    t.wonder("Jebel Barkal", (-2, 0))
    t.give_resources(1, diamond=1)
    t.trade(1, "military", 2)
    t.army(1, ENEMY)
    choices = [
        (decisions.COMBAT_SPEND, decisions.SPEND_RESOURCE + DIAMOND),
        (decisions.COMBAT_SPEND, decisions.SPEND_REROLL),
        (decisions.COMBAT_SPEND, decisions.SPEND_ONE),
    ]
    combat = fight(t, ENEMY, (6, 1, 5), *choices)
    assert combat.defence == 5 + 1 + 2 + 1


@pytest.mark.rule("T12.5")
def test_resources_add_nothing_without_the_wonder_nor_do_natural_wonders():
    t = front()
    t.give_resources(0, oil=2)
    t.token(1, ENEMY)
    fight(t, ENEMY, LOSE)
    assert t.asked() == []
    t = front()
    t.wonder("Jebel Barkal", (0, 0))
    t.token(0, (0, 1))
    t.natural_wonder("Grand Mesa", (0, 1))
    t.token(1, ENEMY)
    fight(t, ENEMY, LOSE)
    assert t.asked() == []


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Palenque")
def test_palenque_resources_are_trade_tokens_of_the_attack():
    t = front()
    t.city_state_card(0, "Palenque")
    t.give_resources(0, mercury=2)
    t.token(1, ENEMY)
    combat = fight(
        t, ENEMY, (1, 1, 4), (decisions.COMBAT_SPEND, decisions.SPEND_ONE), (decisions.COMBAT_SPEND, decisions.SPEND_REROLL)
    )
    assert combat.attack == 4 + 1 + 1
    assert t.g.resources[0, MERCURY] == 0


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Palenque")
def test_palenque_the_attacker_says_which_is_spent():
    t = front()
    t.city_state_card(0, "Palenque")
    t.give_resources(0, mercury=1)
    t.trade(0, "military", 1)
    t.token(1, ENEMY)
    fight(
        t,
        ENEMY,
        (1, 1),
        (decisions.COMBAT_SPEND, decisions.SPEND_ONE),
        (decisions.SPEND_TOKEN, decisions.RESOURCE_TOKEN + MERCURY),
        (decisions.COMBAT_SPEND, PASS),
    )
    assert (t.g.resources[0, MERCURY], t.trade_on(0, "military")) == (0, 1)


@pytest.mark.rule("T12.5")
@pytest.mark.effect("Palenque")
def test_palenque_does_not_serve_in_defence():
    t = front()
    t.city_state_card(1, "Palenque")
    t.give_resources(1, mercury=1)
    t.token(1, ENEMY)
    fight(t, ENEMY, LOSE)
    assert t.asked() == []


# --- T12.6 Carthage


def carthage(rules=None):
    t = front(rules=rules, radius=4)
    t.city_state_card(0, "Carthage")
    t.token(1, (2, 0))
    return t


@pytest.mark.rule("T12.6")
@pytest.mark.effect("Carthage")
def test_carthage_city_state_tokens_and_own_cities_within_two_of_the_defended_space():
    t = carthage()  # the own capital is two steps away
    assert fight(t, (2, 0), (1, 6), slot=1).attack == 2 + 1
    t.city_state("Kabul", (4, 0))
    t.city_state("Kumasi", (2, -4))  # too far
    t.city(1, (3, -2))  # a rival's
    assert fight(t, (2, 0), (1, 6), slot=1).attack == 2 + 2
    t.conquered(0, "Seoul", (2, 2))
    assert fight(t, (2, 0), (1, 6), slot=1).attack == 2 + 3


@pytest.mark.rule("T12.6")
@pytest.mark.effect("Carthage")
def test_carthage_counts_the_defended_space_itself():
    t = front(radius=4)
    t.city_state_card(0, "Carthage")
    t.city_state("Kumasi", (3, 0))
    t.army(1, (3, 0))
    assert fight(t, (3, 0), (1, 6), slot=1, target="army", q=1).attack == 2 + 1


@pytest.mark.rule("T12.6")
@pytest.mark.effect("Carthage")
def test_carthage_serves_in_defence_too():
    t = front(radius=4)
    t.city_state_card(1, "Carthage")
    t.capital(1, (3, 0))
    t.army(1, (2, 0))
    assert fight(t, (2, 0), (1, 1), slot=1).defence == 2 + 1


@pytest.mark.rule("T12.6")
@pytest.mark.parametrize(("reading", "bonus"), [("on_map_near", 2), ("won_anywhere", 3)])
def test_whether_carthage_counts_tokens_on_the_map_or_won_ones_is_a_switch(reading, bonus):
    """One token on the map near by, two won far away; the capital counts by either reading."""
    t = carthage(ruled("carthage_tokens", reading))
    t.city_state("Kabul", (4, 0))
    t.conquered(0, "Seoul", (-2, 0))
    t.conquered(0, "Kumasi", (-4, 0))
    assert fight(t, (2, 0), (1, 6), slot=1).attack == 2 + bonus


# --- T12.7 Siege Tactics, and China


def walls(leaders=("Georgia", "Egypt", "Georgia")):
    """Return a table with a reinforced token of seat 1 among two others."""
    t = front(leaders=leaders)
    t.token(1, ENEMY, (2, 0), (1, 1), reinforced=True)
    return t


@pytest.mark.rule("T12.7")
@pytest.mark.effect("China")
@pytest.mark.parametrize(("leader", "worth"), [("Egypt", 1), ("China", 2)])
def test_reinforced_tokens_of_china_are_worth_two(leader, worth):
    assert fight(walls(("Rome", leader)), ENEMY, (1, 1)).defence == 1 + 1 + 3 * worth


@pytest.mark.effect("China")
def test_reinforced_tokens_of_china_add_nothing_to_its_attacks():
    t = front(leaders=("China", "Rome"))
    t.token(0, (0, 1), (1, -1), reinforced=True)
    t.token(1, ENEMY)
    combat = fight(t, ENEMY, (1, 1), slot=1)
    assert (combat.attack, combat.defence) == (2, 2)


@pytest.mark.effect("China")
def test_reinforced_tokens_beside_a_city_of_china():
    t = front(leaders=("Rome", "China"))
    t.city(1, ENEMY)
    t.token(1, (2, 0), (1, 1), reinforced=True)
    assert fight(t, ENEMY, (1, 1), slot=1).defence == 1 + 2 + 4


@pytest.mark.rule("T12.7")
@pytest.mark.effect("Siege Tactics")
@pytest.mark.parametrize(("leader", "worth"), [("Egypt", 0), ("China", 1)])
def test_siege_tactics_reinforced_tokens_give_one_less_in_its_owners_turn(leader, worth):
    combat = fight(walls(("Georgia", leader)), ENEMY, (1, 1), card="Siege Tactics", slot=1)
    assert combat.defence == 1 + 1 + 3 * worth
    assert combat.attack == 1 + 1 + 2


@pytest.mark.rule("T12.7")
@pytest.mark.effect("Siege Tactics")
@pytest.mark.parametrize("kind", names.FOCUS_TYPES)
def test_siege_tactics_works_wherever_it_lies_in_the_row(kind):
    """Oxford University may have brought it in the place of any card; another military card is resolved."""
    t = walls(("Georgia", "Egypt"))
    h = t.holder(0, kind)
    t.g.card[0, t.holder(0, "military")] = t.g.card[0, h]
    t.g.card[0, h] = card_codes("terra-incognita")["Siege Tactics"]
    t.dice(1, 1)
    t.call(battle.fight, 0, h, 1, t.at(ENEMY), names.TARGETS.index("token"), 1, 0)
    assert t.combats()[-1].defence == 2


@pytest.mark.rule("T12.7")
@pytest.mark.effect("Siege Tactics")
def test_siege_tactics_helps_nobody_in_another_players_turn():
    t = walls(("Rome", "Georgia"))
    t.card(1, "Siege Tactics")
    assert fight(t, ENEMY, (1, 1)).defence == 1 + 1 + 3


@pytest.mark.rule("T12.7")
@pytest.mark.effect("Siege Tactics")
def test_siege_tactics_never_makes_reinforced_tokens_weaken_their_owner():
    rules = changed(reinforced_bonus=0)
    t = front(leaders=("Georgia", "Egypt"), rules=rules)
    t.token(1, ENEMY, (2, 0), reinforced=True)
    assert fight(t, ENEMY, (1, 1), card="Siege Tactics", slot=1).defence == 2


@pytest.mark.rule("T12.7")
@pytest.mark.effect("Siege Tactics")
def test_siege_tactics_has_its_bonus_against_barbarians_too():
    t = front(leaders=("Georgia", "Egypt"))
    t.barbarian("A", ENEMY)
    assert fight(t, ENEMY, (1, 1), card="Siege Tactics", slot=1).attack == 2 + 2


# --- unique military cards of other leaders


@pytest.mark.effect("Horseback Riding")
@pytest.mark.effect("Scorched Earth")
@pytest.mark.parametrize("card", ["Horseback Riding", "Scorched Earth"])
def test_cards_without_a_bonus(card):
    t = front(leaders=("Rome", "Egypt"))
    t.token(1, ENEMY)
    assert fight(t, ENEMY, (1, 6), card=card, slot=2).attack == 3
    t.barbarian("A", ENEMY)
    assert fight(t, ENEMY, (1, 6), card=card, slot=2).attack == 3


def scorch(t, dice=WIN, again=0, card="Scorched Earth", **kw):
    return fight(t, ENEMY, dice, *([(decisions.ARMY_AGAIN, again)] if again is not None else []), card=card, slot=5, **kw)


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
def test_scorched_earth_the_beaten_token_is_not_replaced_and_figures_go_home():
    t = front(leaders=("Zulu", "Egypt", "France"))
    t.token(1, ENEMY)
    t.army(2, ENEMY)
    left = int(t.g.tokens_left[0])
    scorch(t, target="token", q=1)
    assert t.outcome == battle.MOVES_ON
    assert (t.owner(ENEMY), t.piece(ENEMY), t.g.tokens_left[0]) == (-1, "none", left)
    assert home(t, 2, "army") == 1
    assert t.g.attacks_won_this_turn == 1


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
def test_scorched_earth_may_be_declined():
    t = front(leaders=("Zulu", "Egypt"))
    t.token(1, ENEMY)
    scorch(t, again=PASS)
    assert (t.outcome, t.owner(ENEMY)) == (battle.WON, 0)


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
def test_scorched_earth_works_once_a_turn():
    t = front(leaders=("Zulu", "Egypt"))
    t.token(1, ENEMY)
    scorch(t)
    t.token(1, ENEMY)
    scorch(t, again=None)
    assert (t.outcome, t.owner(ENEMY)) == (battle.WON, 0)
    assert "army_again" not in t.asked_kinds()


@pytest.mark.rule("T12.8")
@pytest.mark.effect("Scorched Earth")
@pytest.mark.parametrize("piece", ["city", "army", "caravan", "barbarian", "fort"])
def test_scorched_earth_needs_a_control_token_as_target(piece):
    t = front(leaders=("Zulu", "Egypt"))
    put = {
        "city": lambda: t.city(1, ENEMY), "army": lambda: t.army(1, ENEMY), "caravan": lambda: t.caravan(1, ENEMY),
        "barbarian": lambda: t.barbarian("A", ENEMY), "fort": lambda: t.fort(ENEMY),
    }  # fmt: skip
    put[piece]()
    scorch(t, again=None)
    assert t.outcome == battle.WON
    assert "army_again" not in t.asked_kinds()


@pytest.mark.rule("T12.8")
@pytest.mark.parametrize(("dice", "card"), [(LOSE, "Scorched Earth"), (WIN, "Iron Working")])
def test_a_lost_attack_or_another_card_burns_nothing(dice, card):
    t = front(leaders=("Zulu", "Egypt"), terrain={ENEMY: "mountain"})
    t.token(1, ENEMY, reinforced=True)
    scorch(t, dice, again=None, card=card)
    assert "army_again" not in t.asked_kinds()


@pytest.mark.rule("T12.8")
def test_a_natural_wonder_whose_token_is_burnt_goes_back_to_its_space():
    t = front(leaders=("Zulu", "Egypt"))
    t.token(1, ENEMY)
    t.natural_wonder("Grand Mesa", ENEMY)
    scorch(t)
    assert t.outcome == battle.MOVES_ON
    assert t.g.natural_wonder_owner[names.NATURAL_WONDERS.index("Grand Mesa")] == -1


# --- T12.20 America


@pytest.mark.rule("T12.20")
@pytest.mark.effect("America")
@pytest.mark.parametrize("attacks", [True, False])
def test_america_a_natural_wonder_pays_once_a_turn_in_attack_and_defence_and_is_laid_anew(attacks):
    p = 0 if attacks else 1
    t = front(leaders=("America", "Egypt") if attacks else ("Egypt", "America"))
    i = names.NATURAL_WONDERS.index("Grand Mesa")
    t.token(p, (-1, 0))
    t.natural_wonder("Grand Mesa", (-1, 0))
    h = t.holder(p, "military")
    t.g.natural_wonder_holder[i] = h
    t.token(1, ENEMY)
    science = t.holder(p, "science")
    combat = fight(t, ENEMY, (3, 3), (decisions.COMBAT_SPEND, decisions.SPEND_ONE), (decisions.NATURAL_WONDER_CARD, science))
    assert (combat.attack, combat.defence) == ((5, 4) if attacks else (4, 5))
    assert t.g.natural_wonder_holder[i] == science
    t.g.natural_wonder_holder[i] = h
    fight(t, ENEMY, (3, 3))
    assert "combat_spend" not in t.asked_kinds()


# --- T12.23 Kremlin, and who else asks what is attacked


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Kremlin")
@pytest.mark.parametrize(
    ("target", "owner", "bonus"),
    [
        ("token", 1, 4),
        ("army", 1, 4),
        ("army", None, 0),
        ("caravan", 1, 4),
        ("caravan", None, 0),
        ("army", 2, 0),
        ("army", 0, 0),
    ],
)
def test_kremlin_a_target_in_the_space_of_a_rival_with_fewer_reinforced_tokens(target, owner, bonus):
    """Seat 1 has no reinforced token, the attacker one, seat 2 two: figures of seat 1 count by whose space they stand on."""
    t = front(leaders=THREE)
    t.wonder("Kremlin", (0, 0))
    t.token(0, (-1, 0), reinforced=True)
    t.token(2, (-2, 0), (-3, 0), reinforced=True)
    if owner is not None:
        t.token(owner, ENEMY)
    if target == "army":
        t.army(1, ENEMY)
    if target == "caravan":
        t.caravan(1, ENEMY)
    assert fight(t, ENEMY, (1, 6), slot=1, target=target, q=1).attack == 2 + bonus


@pytest.mark.rule("T12.23")
@pytest.mark.effect("Kremlin")
def test_kremlin_an_army_on_the_space_of_a_third_player_is_in_that_ones_space():
    t = front(leaders=THREE)
    t.wonder("Kremlin", (0, 0))
    t.token(0, (-1, 0), reinforced=True)
    t.token(1, (-2, 0), (-3, 0), reinforced=True)
    t.token(2, ENEMY)
    t.army(1, ENEMY)
    assert fight(t, ENEMY, (1, 6), slot=1, target="army", q=1).attack == 2 + 4


@pytest.mark.effect("Kabul")
@pytest.mark.parametrize(
    ("piece", "bonus"),
    [
        ("city", 3),
        ("capital", 3),
        ("city_state", 3),
        ("token", 0),
        ("army", 0),
        ("caravan", 0),
        ("fort", 0),
        ("city on a fort", 3),
    ],
)
def test_kabul_helps_against_cities_and_city_states_also_those_on_forts(piece, bonus):
    t = front()
    t.city_state_card(0, "Kabul")
    put = {
        "city": lambda: t.city(1, ENEMY), "capital": lambda: t.capital(1, ENEMY), "token": lambda: t.token(1, ENEMY),
        "city_state": lambda: t.city_state("Kumasi", ENEMY), "army": lambda: t.army(1, ENEMY),
        "caravan": lambda: t.caravan(1, ENEMY), "fort": lambda: t.fort(ENEMY),
        "city on a fort": lambda: (t.fort(ENEMY), t.city(1, ENEMY)),
    }  # fmt: skip
    put[piece]()
    assert fight(t, ENEMY, LOSE, slot=1).attack == 2 + bonus
