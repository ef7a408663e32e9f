"""The military and science wonders of the base game, from both sides: who controls one, and who does not."""

import pytest
from table import (
    AROUND,
    BOTS,
    ENDS,
    LAST_SPACE,
    PAIRS,
    PASS,
    Table,
    bare_state,
    card_codes,
    inwards,
    printed_rules,
    rome_with,
    rules_with,
    table_of_three,
    table_with,
    table_with_wonder,
    used_work,
)

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, diplomacy, pieces, science
from newdawn.simulator.engine.barbarians import move_barbarians
from newdawn.simulator.engine.choosing import LOG_CARD, LOG_COMBAT
from newdawn.simulator.engine.science import raise_cards, upgrade_cards
from newdawn.simulator.engine.start_effects import start_of_turn
from newdawn.simulator.engine.turn import begin_turn
from newdawn.simulator.rules import codes

HOME, AWAY = (0, 0), (-4, 0)  # capitals of seats 0 and 1
HOLDERS = ["own", "rival", "nobody"]
OTHERS = ["rival", "nobody"]
MARBLE, MERCURY, OIL, DIAMOND = range(4)


board = table_with_wonder


def start(t, *choices):
    """Resolve the start of a turn of seat 0."""
    t.g.current = 0
    begin_turn(t.r, t.g)
    t.script(*choices)
    t.call(start_of_turn, 0)
    t.require_script_done()


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


# --- bonuses in combat: wonder, attack, defence

BONUS = {
    "Petra": (0, 2),
    "Terracotta Army": (2, 0),
    "Alhambra": (2, 2),
    "Ruhr Valley": (0, 5),
    "Pentagon": (2, 0),
}
BONUSES = [pytest.param(w, *bonus, marks=pytest.mark.effect(w)) for w, bonus in BONUS.items()]


@pytest.mark.rule("B9.5")
@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("wonder", "attack", "defence"), BONUSES)
@pytest.mark.parametrize("target", ["token", "city"])
@pytest.mark.parametrize("holder", HOLDERS)
def test_bonus_against_a_rival(wonder, attack, defence, target, holder):
    t = board(wonder, holder)
    if target == "token":
        t.token(1, (2, 0))
    else:
        t.city(1, (2, 0))
    ground = 1 if target == "token" else 2
    expected = (1 + (attack if holder == "own" else 0), ground + (defence if holder == "rival" else 0))
    assert fight(t) == expected


@pytest.mark.rule("B9.6")
@pytest.mark.parametrize(("wonder", "attack", "defence"), BONUSES)
def test_bonus_when_a_capital_is_attacked(wonder, attack, defence):
    t = board(wonder, "rival")
    t.token(0, (-2, 0))
    assert fight(t, AWAY) == (1, 2 + defence)
    assert attack >= 0


@pytest.mark.rule("B9.5")
@pytest.mark.parametrize(("wonder", "attack", "defence"), BONUSES)
@pytest.mark.parametrize("holder", HOLDERS)
def test_bonus_against_barbarians_and_city_states(wonder, attack, defence, holder):
    t = board(wonder, holder)
    t.barbarian("A", (2, 0))
    t.city_state("Seoul", (0, 2))
    mine = attack if holder == "own" else 0
    assert fight(t, barbarian=True) == (1 + mine, 1)  # nobody's wonder helps a barbarian
    assert fight(t, (0, 2)) == (1 + mine, 8)
    assert defence >= 0


@pytest.mark.rule("B8.7")
@pytest.mark.parametrize(("wonder", "attack", "defence"), BONUSES)
def test_the_bonus_goes_with_the_city(wonder, attack, defence):
    t = board()
    t.city(1, (0, 2))
    t.wonder(wonder, (0, 2))
    t.beat((0, 2))
    t.token(1, (2, 0))
    assert fight(t) == (1 + attack, 1)
    assert defence >= 0


@pytest.mark.rule("B9.5")
@pytest.mark.effect("Terracotta Army")
@pytest.mark.effect("Alhambra")
def test_bonuses_of_several_wonders_add_up():
    t = board("Terracotta Army")
    t.city(0, (0, 3))
    t.wonder("Alhambra", (0, 3))
    t.wonder("Ruhr Valley", AWAY)
    t.city(1, (-2, 3))
    t.wonder("Petra", (-2, 3))
    t.token(1, (2, 0))
    assert fight(t) == (5, 8)


# --- Petra and barbarians


def barbarian_moves(thing, holder="own", rules=None, **kwargs):
    """A barbarian at (1, 0) moves east, onto something of seat 0 at (2, 0)."""
    t = Table(radius=4, leaders=("Egypt", "Aztec"), rules=rules, **kwargs)
    t.capital(1, AWAY)
    if thing == "capital":
        t.capital(0, (2, 0))
    else:
        t.capital(0, (0, 4))
        if thing == "city":
            t.city(0, (2, 0))
        else:
            t.token(0, (2, 0), reinforced=thing == "reinforced token")
    t.city(0, (0, -4))
    t.wonder("Petra", {"own": (0, -4), "rival": AWAY, "nobody": (4, -4)}[holder])
    t.barbarian("A", (1, 0))
    return t


def move_east(t):
    t.dice(1)
    t.script()
    t.call(move_barbarians)
    return t.coordinates[t.g.barbarian_space[0]]


@pytest.mark.rule("B11.2")
@pytest.mark.effect("Petra")
@pytest.mark.parametrize(
    ("thing", "piece"), [("city", "city"), ("capital", "capital"), ("reinforced token", "reinforced_token")]
)
def test_petra_bars_barbarians_who_then_go_the_opposite_way(thing, piece):
    t = barbarian_moves(thing)
    t.trade(0, "science", 2)
    assert move_east(t) == (0, 0)
    assert t.piece((2, 0)) == piece
    assert t.trade_on(0, "science") == 2


@pytest.mark.rule("B11.2")
@pytest.mark.effect("Petra")
def test_petra_does_not_keep_barbarians_from_unreinforced_tokens():
    t = barbarian_moves("token")
    assert move_east(t) == (2, 0)
    assert t.piece((2, 0)) == "none"


@pytest.mark.effect("Petra")
@pytest.mark.parametrize("holder", OTHERS)
@pytest.mark.parametrize(("thing", "piece", "stands"), [("city", "none", (2, 0)), ("reinforced token", "token", (1, 0))])
def test_barbarians_raid_as_ever_without_controlling_petra(holder, thing, piece, stands):
    t = barbarian_moves(thing, holder)
    assert move_east(t) == stands
    assert t.piece((2, 0)) == piece


@pytest.mark.effect("Petra")
@pytest.mark.parametrize("thing", ["city", "reinforced token"])
def test_ruling_a_barbarian_barred_by_petra_stays(tmp_path, thing):
    t = barbarian_moves(thing, rules=rules_with(tmp_path, rulings={"petra_barred_barbarian": "stays"}))
    assert move_east(t) == (1, 0)
    assert t.piece((2, 0)) == thing.replace(" ", "_")


@pytest.mark.effect("Petra")
def test_a_barbarian_barred_on_both_sides_stays():
    t = barbarian_moves("city")
    t.token(0, (0, 0), reinforced=True)
    assert move_east(t) == (1, 0)
    assert t.piece((0, 0)) == "reinforced_token"


@pytest.mark.effect("Petra")
def test_the_opposite_way_of_a_barred_barbarian_raids_what_is_there():
    t = barbarian_moves("city")
    t.token(1, (0, 0))
    assert move_east(t) == (0, 0)
    assert t.piece((0, 0)) == "none"


@pytest.mark.effect("Petra")
def test_petra_bars_barbarians_that_come_over_water():
    t = barbarian_moves("city", terrain={(1, 0): "water"})
    t.g.barbarians[t.g.barbarian_space[0]] -= 1
    t.barbarian("A", (0, 0))
    assert move_east(t) == (-1, 0)
    assert t.piece((2, 0)) == "city"


@pytest.mark.rule("B11.2")
@pytest.mark.effect("Petra")
@pytest.mark.parametrize("direction", range(6))
def test_petra_turns_a_barbarian_round_whatever_its_way(direction):
    q, r = AROUND[direction]
    t = Table()
    t.city(0, (0, 0))
    t.wonder("Petra", (0, 0))
    t.barbarian("A", (-q, -r))
    t.dice(direction + 1)
    t.call(move_barbarians)
    assert t.barbarian_at("A") == (-2 * q, -2 * r)
    assert t.owner((0, 0)) == 0


@pytest.mark.rule("B11.2")
@pytest.mark.effect("Petra")
@pytest.mark.parametrize("space", ENDS)
def test_between_two_cities_of_petras_owner_a_barbarian_stays(space):
    t = Table()
    t.city(0, space)
    t.token(0, inwards(inwards(space)), reinforced=True)
    t.wonder("Petra", space)
    t.barbarian("A", inwards(space))
    t.dice(4 if space == LAST_SPACE else 1)
    t.call(move_barbarians)
    assert t.barbarian_at("A") == inwards(space)
    assert t.piece(inwards(inwards(space))) == "reinforced_token"


# --- Venetian Arsenal


def arsenal(holder="own", last="science", wonder="Venetian Arsenal"):
    """Seat 0 with a row whose card in slot 5 is of the given type."""
    t = board(wonder, holder)
    order = [k for k in ("economy", "industry", "military", "culture", "science") if k != last] + [last]
    t.g.row[0, :5] = [t.holder(0, k) for k in order]
    return t


def slots_resolved(t):
    return [(row[3], row[6]) for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_CARD]


@pytest.mark.rule("B4.2")
@pytest.mark.effect("Venetian Arsenal")
def test_venetian_arsenal_repeats_a_card_of_slot_5_from_slot_1():
    t = arsenal()
    t.script((decisions.CARD, 4), (decisions.UPGRADE, PASS), (decisions.REPEAT_CARD, 1), (decisions.UPGRADE, PASS))
    t.take_turn(0)
    assert t.g.dial[0] == 6
    assert [slot for slot, _ in slots_resolved(t)] == [5, 1]
    assert t.asked_kinds().count("repeat_card") == 1
    assert t.row(0)[0] == "science"  # and one reset


@pytest.mark.effect("Venetian Arsenal")
def test_venetian_arsenal_is_optional():
    t = arsenal()
    t.script((decisions.CARD, 4), (decisions.UPGRADE, PASS), (decisions.REPEAT_CARD, 0))
    t.take_turn(0)
    assert t.g.dial[0] == 5


@pytest.mark.effect("Venetian Arsenal")
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_venetian_arsenal_repeats_no_card_of_another_slot(place):
    t = arsenal()
    t.script((decisions.CARD, place))
    t.take_turn(0)
    assert "repeat_card" not in t.asked_kinds()


@pytest.mark.effect("Venetian Arsenal")
@pytest.mark.parametrize("holder", OTHERS)
def test_no_repeating_without_controlling_venetian_arsenal(holder):
    t = arsenal(holder)
    t.script((decisions.CARD, 4))
    t.take_turn(0)
    assert t.g.dial[0] == 5
    assert "repeat_card" not in t.asked_kinds()


@pytest.mark.effect("Venetian Arsenal")
def test_venetian_arsenal_works_again_next_turn():
    t = arsenal()
    for kind in ("science", "culture"):
        assert t.row(0)[4] == kind
        t.script((decisions.CARD, 4), (decisions.REPEAT_CARD, 1))
        t.take_turn(0)
    assert [slot for slot, _ in slots_resolved(t)] == [5, 1, 5, 1]


@pytest.mark.effect("Venetian Arsenal")
@pytest.mark.effect("Machu Picchu")
def test_machu_picchu_makes_the_repetition_act_as_slot_3():
    t = arsenal()
    t.city(0, (3, 0))
    t.wonder("Machu Picchu", (3, 0))
    t.script((decisions.CARD, 4), (decisions.REPEAT_CARD, 1))
    t.take_turn(0)
    assert t.g.dial[0] == 8
    assert slots_resolved(t) == [(5, 5), (1, 3)]


def test_a_card_is_repeated_once_a_turn_even_if_two_cards_could_be():
    repeat = {"effect": "repeat_card", "amount": 1, "slots": [1, 2, 3, 4, 5]}
    t = rome_with(repeat)
    t.wonder("Estadio do Maracana", (0, 0))
    t.refresh()
    t.script((decisions.CARD, t.row(0).index("science")), (decisions.EXTRA_ECONOMY, 1), (decisions.REPEAT_CARD, 1))
    t.take_turn(0)
    assert t.asked_kinds().count("repeat_card") == 1


# --- Pentagon


def targets(t):
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK))
    t.resolve(0, "Masonry", slot=1)
    return t.options(decisions.ATTACK)


@pytest.mark.rule("B9.2")
@pytest.mark.effect("Pentagon")
@pytest.mark.parametrize("holder", HOLDERS)
def test_pentagon_attacks_at_any_range(holder):
    t = board("Pentagon", holder, terrain={(-2, 0): "water"})
    t.token(1, (1, 1), (-3, 0), (4, -4))
    t.barbarian("A", (0, -4))
    t.city_state("Seoul", (-2, 4))
    near = t.spaces((1, 1))
    far = t.spaces((-3, 0), (4, -4), AWAY, (-2, 4)) | {decisions.BARBARIAN_OPTION + t.at((0, -4))}
    assert targets(t) == (near | far if holder == "own" else near)


@pytest.mark.effect("Pentagon")
def test_pentagon_attacks_across_the_map():
    t = board("Pentagon")
    t.token(1, (4, -4))
    assert fight(t, (4, -4)) == (3, 1)


# --- Kremlin


@pytest.mark.effect("Kremlin")
@pytest.mark.rule("B9.5")
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize(("own", "rivals"), [(0, 0), (1, 0), (1, 1), (2, 1), (1, 2)])
def test_kremlin_4_against_a_rival_with_fewer_reinforced_tokens(holder, own, rivals):
    t = board("Kremlin", holder)
    t.token(0, *[(0, 4), (1, 3)][:own], reinforced=True)
    t.token(1, *[(-4, 2), (-4, 3)][:rivals], reinforced=True)
    t.token(1, (2, 0), (0, -3))
    if holder == "nobody" and own:
        t.g.wonder_token[t.at((0, 4))] = -1
        t.wonder("Kremlin", (4, 0))
    bonus = 4 if holder == "own" and own > rivals else 0
    assert fight(t) == (1 + bonus, 1)


@pytest.mark.effect("Kremlin")
def test_kremlin_does_not_count_unreinforced_tokens():
    t = board("Kremlin")
    t.token(0, (0, 3), (1, 3))
    t.token(1, (2, 0))
    assert fight(t) == (1, 1)


@pytest.mark.effect("Kremlin")
def test_kremlin_helps_against_a_rivals_city_but_not_barbarians_city_states_or_in_defence():
    t = board("Kremlin")
    t.token(0, (0, 3), reinforced=True)
    t.city(1, (2, 0))
    t.barbarian("A", (1, -2))
    t.city_state("Seoul", (-2, 0))
    assert fight(t) == (5, 2)
    assert fight(t, (1, -2), barbarian=True) == (1, 1)
    assert fight(t, (-2, 0)) == (1, 8)
    t = board("Kremlin", "rival")
    t.token(1, (2, 0))
    t.token(1, (-4, 2), reinforced=True)
    assert fight(t) == (1, 1)


@pytest.mark.effect("Kremlin")
@pytest.mark.parametrize("space", ENDS)
def test_every_reinforced_token_of_the_seat_counts(space):
    t = table_with((0, 0), leaders=["Rome", "Egypt"])
    t.token(0, (1, 0), (0, 1))
    t.token(1, (2, 0), reinforced=True)
    assert pieces.reinforced_tokens(t.g, 0) == 0
    t.token(0, space, (-1, 0), reinforced=True)
    assert pieces.reinforced_tokens(t.g, 0) == 2


# --- Oracle


@pytest.mark.rule("B4.1")
@pytest.mark.effect("Oracle")
def test_oracle_swaps_two_neighbouring_cards_with_their_tokens():
    t = board("Oracle")
    t.trade(0, "industry", 2)
    start(t, (decisions.START_EFFECT, decisions.FX_ORACLE), (decisions.SWAP_CARDS, 2 * 8 + 3))
    assert t.options(decisions.SWAP_CARDS) == {0 * 8 + 1, 1 * 8 + 2, 2 * 8 + 3, 3 * 8 + 4}
    assert t.row(0) == ["science", "economy", "military", "industry", "culture"]
    assert t.trade_on(0, "industry") == 2
    assert t.asked_kinds() == ["start_effect", "swap_cards"]


@pytest.mark.effect("Oracle")
def test_the_swapped_card_acts_with_its_new_slot():
    t = board("Oracle")
    t.script((decisions.START_EFFECT, decisions.FX_ORACLE), (decisions.SWAP_CARDS, 0 * 8 + 1), (decisions.CARD, 1))
    t.take_turn(0)
    assert t.g.dial[0] == 2


@pytest.mark.effect("Oracle")
def test_oracle_is_optional():
    t = board("Oracle")
    start(t, (decisions.START_EFFECT, decisions.FX_ORACLE), (decisions.SWAP_CARDS, PASS))
    start(t, (decisions.START_EFFECT, PASS))
    assert t.row(0) == ["science", "economy", "industry", "military", "culture"]


@pytest.mark.effect("Oracle")
@pytest.mark.parametrize("holder", OTHERS)
def test_no_swap_without_controlling_oracle(holder):
    t = board("Oracle", holder)
    start(t)
    assert t.asked_kinds() == []


# --- Pyramids, Porcelain Tower: upgrades when built


def upgrade(card, holder):
    """The option that puts the card in the place of the one of the holder's number."""
    return card_codes()[card] * 8 + holder


def row_cards(t, p=0):
    """Return the level of each focus type's card."""
    return {names.FOCUS_TYPES[c // 4]: int(c % 4 + 1) for c in t.g.card[p] if c >= 0}


def build(wonder, *choices, **cards):
    """Seat 0 builds the wonder; `cards`: a card of higher level by focus type. Return the table."""
    t = board(leaders=("Aztec", "Egypt"))
    for name in cards.values():
        t.card(0, name)
    t.deck(wonder)
    t.give_resources(0, mercury=4)
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + names.WONDERS.index(wonder)), *choices)
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, wonder)
    return t


CULTURE, ECONOMY, INDUSTRY_TYPE, MILITARY_TYPE = 0, 2, 3, 4


@pytest.mark.effect("Pyramids")
def test_pyramids_raise_up_to_three_cards_from_level_1_to_2():
    t = build(
        "Pyramids",
        (decisions.UPGRADE, upgrade("Drama and Poetry", CULTURE)),
        (decisions.UPGRADE, upgrade("Currency", ECONOMY)),
        (decisions.UPGRADE, upgrade("Iron Working", MILITARY_TYPE)),
        science="Replaceable Parts",
    )
    level_2 = ["Drama and Poetry", "Currency", "Animal Husbandry", "Iron Working"]
    assert t.options(decisions.UPGRADE, nth=0) == {
        upgrade(c, h) for c, h in zip(level_2, (CULTURE, ECONOMY, INDUSTRY_TYPE, MILITARY_TYPE), strict=True)
    }
    assert row_cards(t) == {"culture": 2, "science": 3, "economy": 2, "industry": 1, "military": 2}
    assert t.asked_kinds().count("upgrade") == 3
    assert t.g.caravan[0].tolist()[:2] == [-1, -1]  # Currency brought its caravan (B7.1)


@pytest.mark.effect("Pyramids")
def test_pyramids_upgrades_are_optional():
    t = build("Pyramids", (decisions.UPGRADE, upgrade("Currency", ECONOMY)), (decisions.UPGRADE, PASS))
    assert sum(row_cards(t).values()) == 6


@pytest.mark.effect("Pyramids")
def test_who_declines_an_upgrade_is_not_asked_for_the_next():
    r = printed_rules()
    row = next(row for row in range(r.n_abilities) if r.ability_effect[row] == codes.UPGRADE_CARDS)
    g, w = bare_state(), used_work()
    w.log_on = w.asked_n = w.script_n = 0
    for h in range(5):
        g.card[1, h] = h * names.N_LEVELS
    science.upgrade_cards(r, g, w, BOTS, 1, row, 3)
    assert w.asked_n == 1


@pytest.mark.effect("Pyramids")
@pytest.mark.rule("B6.3")
def test_a_single_card_to_raise_is_offered():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    for card in ("Mathematics", "Currency", "Animal Husbandry", "Iron Working"):
        t.card(0, card)
    only = upgrade("Drama and Poetry", t.holder(0, "culture"))
    t.script((decisions.UPGRADE, only))
    t.call(upgrade_cards, 0, int(t.r.wonder_first[names.PYRAMIDS]), 3)
    t.require_script_done()
    assert t.offers(decisions.UPGRADE) == [[only, PASS]]


@pytest.mark.effect("Porcelain Tower")
def test_porcelain_tower_raises_up_to_two_cards_by_one_level():
    t = build(
        "Porcelain Tower",
        (decisions.UPGRADE, upgrade("Nuclear Power", names.SCIENCE)),
        (decisions.UPGRADE, upgrade("Currency", ECONOMY)),
        science="Replaceable Parts",
        culture="Mass Media",
    )
    choices = {upgrade("Nuclear Power", names.SCIENCE), upgrade("Currency", ECONOMY)}
    choices |= {upgrade("Animal Husbandry", INDUSTRY_TYPE), upgrade("Iron Working", MILITARY_TYPE)}
    assert t.options(decisions.UPGRADE, nth=0) == choices  # one level each; Mass Media has no higher one
    assert t.asked_kinds().count("upgrade") == 2
    assert row_cards(t) == {"culture": 4, "science": 4, "economy": 2, "industry": 1, "military": 1}


@pytest.mark.effect("Porcelain Tower")
def test_porcelain_tower_raises_each_card_once():
    t = build("Porcelain Tower", (decisions.UPGRADE, upgrade("Currency", ECONOMY)), (decisions.UPGRADE, PASS))
    assert upgrade("Steam Power", ECONOMY) not in t.options(decisions.UPGRADE, nth=1)
    assert row_cards(t)["economy"] == 2


@pytest.mark.effect("Porcelain Tower")
@pytest.mark.parametrize(
    ("card", "kind"),
    [("Drama and Poetry", "culture"), ("Mathematics", "science"), ("Currency", "economy"), ("Iron Working", "military")],
)
def test_porcelain_tower_offers_every_card_but_the_one_it_raised(card, kind):
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    h = t.holder(0, kind)
    t.script((decisions.UPGRADE, upgrade(card, h)))
    t.call(raise_cards, 0, int(t.r.wonder_first[names.PORCELAIN_TOWER]), 2)
    assert {option % 8 for option in t.options(decisions.UPGRADE, nth=1)} == set(range(5)) - {h}


@pytest.mark.rule("B6.2")
@pytest.mark.effect("Porcelain Tower")
def test_porcelain_tower_does_not_offer_the_raised_card_again_among_cards_of_higher_levels():
    t = table_with((0, 0), leaders=("Egypt", "Aztec"))
    t.card(0, "Replaceable Parts")  # its next level comes after that of the raised card
    h = t.holder(0, "culture")
    t.script((decisions.UPGRADE, upgrade("Drama and Poetry", h)))
    t.call(raise_cards, 0, int(t.r.wonder_first[names.PORCELAIN_TOWER]), 2)
    expected = [("Currency", "economy"), ("Animal Husbandry", "industry"), ("Iron Working", "military")]
    expected.append(("Nuclear Power", "science"))
    assert t.offers(decisions.UPGRADE)[1] == [upgrade(card, t.holder(0, kind)) for card, kind in expected] + [PASS]


@pytest.mark.effect("Pyramids")
@pytest.mark.effect("Porcelain Tower")
@pytest.mark.parametrize("wonder", ["Oracle", "Kremlin"])
def test_other_wonders_bring_no_cards_when_built(wonder):
    t = build(wonder)
    assert t.asked_kinds() == ["industry"]
    assert sum(row_cards(t).values()) == 5


@pytest.mark.parametrize(
    "wonder", [pytest.param(w, marks=pytest.mark.effect(w)) for w in ("Pyramids", "Porcelain Tower", "Potala Palace")]
)
def test_what_a_wonder_does_when_built_does_not_happen_when_captured(wonder):
    t = board()
    t.city(1, (2, 0))
    t.wonder(wonder, (2, 0))
    t.beat((2, 0))
    assert t.controls(0, wonder)
    assert not {"upgrade", "potala"} & set(t.asked_kinds())


# --- Potala Palace


def card_of(giver, card):
    return giver * 8 + card


@pytest.mark.effect("Potala Palace")
def test_potala_palace_takes_three_player_diplomacy_cards():
    t = board(leaders=("Aztec", "Egypt", "Rome"))
    t.capital(2, (4, 0))
    t.diplomacy(2, 1, "Embassy")
    t.deck("Potala Palace")
    t.give_resources(0, mercury=3)
    choices = [card_of(1, names.JOINT_WAR), card_of(1, names.OPEN_BORDERS), card_of(2, names.EMBASSY)]
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + names.POTALA_PALACE), *((decisions.POTALA, c) for c in choices))
    t.resolve(0, "Pottery", slot=5)
    mine = {card_of(1, c) for c in (names.JOINT_WAR, names.DEFENSIVE_PACT, names.OPEN_BORDERS)}
    theirs = {card_of(2, c) for c in (names.JOINT_WAR, names.DEFENSIVE_PACT, names.EMBASSY, names.OPEN_BORDERS)}
    assert t.options(decisions.POTALA, nth=0) == mine | theirs  # not the card seat 2 holds, and none of the own
    assert t.g.diplomacy[1].tolist()[:4] == [0, -1, 2, 0]
    assert t.g.diplomacy[2].tolist()[:4] == [-1, -1, 0, -1]
    assert t.asked_kinds().count("potala") == 3


def visit(t, *cards):
    """Send a caravan into the rival's city and take the cards one visit after the other."""
    for card in cards:
        begin_turn(t.r, t.g)
        t.script(
            (decisions.CARAVAN, 0),
            (decisions.CARAVAN_TO, (2, 0)),
            (decisions.PLACE_TRADE, names.ECONOMY),
            (decisions.PLACE_TRADE, names.ECONOMY),
            (decisions.TAKE_DIPLOMACY, card),
        )
        t.g.trade[0] = 0
        t.resolve(0, "Foreign Trade", slot=1)


@pytest.mark.effect("Potala Palace")
@pytest.mark.rule("B7.5")
def test_up_to_four_cards_of_each_player_with_potala_palace():
    t = board("Potala Palace")
    t.city(1, (2, 0))
    visit(t, names.JOINT_WAR, names.DEFENSIVE_PACT, names.EMBASSY, names.OPEN_BORDERS)
    assert t.g.diplomacy[1].tolist()[:4] == [0, 0, 0, 0]
    assert decisions.RETURN_DIPLOMACY not in [kind for kind, _, _ in t.asked()]


@pytest.mark.effect("Potala Palace")
@pytest.mark.rule("B7.5")
@pytest.mark.parametrize("holder", OTHERS)
def test_one_card_of_each_player_without_controlling_potala_palace(holder):
    t = board("Potala Palace", holder)
    t.city(1, (2, 0))
    visit(t, names.JOINT_WAR, names.DEFENSIVE_PACT)
    assert t.g.diplomacy[1].tolist()[:4] == [-1, 0, -1, -1]


@pytest.mark.effect("Potala Palace")
@pytest.mark.rule("B7.5")
def test_who_lost_potala_palace_gives_back_every_card_before_taking_another():
    t = board("Potala Palace", "rival")
    t.city(1, (2, 0))
    for card in ("Joint War", "Defensive Pact", "Embassy"):
        t.diplomacy(0, 1, card)
    visit(t, names.OPEN_BORDERS)
    assert t.g.diplomacy[1].tolist()[:4] == [-1, -1, -1, 0]


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.effect("Potala Palace")
def test_potala_palace_takes_no_card_that_any_player_holds_already(p, q):
    t = table_of_three(p, q)
    other = 3 - p - q
    t.g.diplomacy[q, 0] = other
    t.script((decisions.POTALA, PASS))
    t.call(diplomacy.take_diplomacy, p, 2)
    t.require_script_done()
    givers = [seat for seat in range(3) if seat != p]
    assert t.options(decisions.POTALA) == {giver * 8 + c for giver in givers for c in range(4)} - {q * 8}


# --- Oxford University


def science_to_3(t, *choices):
    """Resolve a science card that reaches the first level II space."""
    t.script(*choices)
    t.resolve(0, "Astrology", slot=3)
    return t.options(decisions.UPGRADE)


LEVEL_2 = {
    "Drama and Poetry": CULTURE,
    "Mathematics": names.SCIENCE,
    "Currency": ECONOMY,
    "Animal Husbandry": INDUSTRY_TYPE,
    "Iron Working": MILITARY_TYPE,
}


@pytest.mark.effect("Oxford University")
@pytest.mark.rule("B6.2")
def test_oxford_university_lets_a_non_science_card_become_one_of_another_type():
    t = board("Oxford University")
    t.trade(0, "culture", 2)
    place = t.row(0).index("culture")
    offered = science_to_3(t, (decisions.UPGRADE, upgrade("Iron Working", CULTURE)))
    cards = t.row(0)
    assert cards[place] == "military"
    assert cards.count("military") == 2
    assert "culture" not in cards
    assert t.g.trade[0, CULTURE] == 2  # tokens stay where they lie
    for card in set(LEVEL_2) - {"Mathematics"}:
        for h in (CULTURE, ECONOMY, INDUSTRY_TYPE, MILITARY_TYPE):
            assert upgrade(card, h) in offered
    assert upgrade("Mathematics", names.SCIENCE) in offered


@pytest.mark.effect("Oxford University")
def test_oxford_university_leaves_the_science_card_of_its_type():
    t = board("Oxford University")
    offered = science_to_3(t)
    assert not {upgrade(card, names.SCIENCE) for card in LEVEL_2 if card != "Mathematics"} & offered


@pytest.mark.effect("Oxford University")
@pytest.mark.rule("B6.2")
@pytest.mark.parametrize("holder", OTHERS)
def test_upgrades_keep_their_type_without_controlling_oxford_university(holder):
    t = board("Oxford University", holder)
    assert science_to_3(t) == {upgrade(card, h) for card, h in LEVEL_2.items()}


@pytest.mark.effect("Oxford University")
@pytest.mark.rule("B6.2")
def test_oxford_university_keeps_the_level():
    t = board("Oxford University")
    offered = science_to_3(t)
    assert {names.N_LEVELS * (o // 8 // names.N_LEVELS) + 1 for o in offered} == {o // 8 for o in offered}


# --- where a science wonder's token goes


@pytest.mark.rule("B8.6")
@pytest.mark.effect("Porcelain Tower")
def test_the_token_is_placed_before_the_cards_rise():
    t = board(leaders=("Aztec", "Egypt"))
    t.city(0, (3, 0))
    t.deck("Porcelain Tower")
    t.give_resources(0, mercury=2)
    t.script(
        (decisions.INDUSTRY, decisions.WONDER_OPTION + names.PORCELAIN_TOWER),
        (decisions.WONDER_CITY, (3, 0)),
        (decisions.UPGRADE, PASS),
    )
    t.resolve(0, "Pottery", slot=5)
    assert t.g.wonder_space[names.PORCELAIN_TOWER] == t.at((3, 0))
