"""Cards and wonders in situations that breaking the engine on purpose showed to be untested."""

import pytest
from table import PASS, Table, disc

from simulator import names
from simulator.engine import start_effects
from simulator.engine.decisions import (
    CARAVAN,
    CARAVAN_TO,
    FX_EIFFEL_TOWER,
    FX_GENEVA,
    FX_GREAT_ZIMBABWE,
    INDUSTRY,
    NAME_TOKEN,
    PLACE_TOKEN,
    PLACE_TRADE,
    START_EFFECT,
    TAKE_OFF,
)

AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def board(**kw):
    t = Table(leaders=("Egypt", "Aztec"), **kw)
    t.capital(0, (0, 0))
    return t


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
    t.script((PLACE_TOKEN, (1, 0)), (PLACE_TOKEN, (0, 1)), (TAKE_OFF, (3, 0)), (PLACE_TOKEN, (-1, 0)))
    t.resolve(0, "Early Empire", 1)
    assert [t.owner(s) for s in [(1, 0), (0, 1), (-1, 0), (3, 0)]] == [0, 0, 0, -1]
    assert t.trade_on(0, "culture") == 0


@pytest.mark.effect("Stonehenge")
def test_stonehenge_spreads_from_every_token_of_the_chain_when_a_later_one_is_done():
    hills = [(1, 0), (2, 0), (3, 0), (2, 1), (1, 1)]
    t = board(terrain=dict.fromkeys(hills, "hills"))
    t.wonder("Stonehenge", (0, 0))
    t.script(
        (PLACE_TOKEN, (1, 0)),
        (PLACE_TOKEN, (2, 0)),
        (PLACE_TOKEN, (3, 0)),
        (PLACE_TOKEN, PASS),  # nothing more from (3, 0)
        (PLACE_TOKEN, PASS),  # nor from (2, 0)
        (PLACE_TOKEN, PASS),  # nor from (1, 0)
        (PLACE_TOKEN, PASS),
    )
    t.resolve(0, "Early Empire", 2)
    expected = [
        t.spaces((2, 0), (1, 1)),  # from (1, 0)
        t.spaces((3, 0), (2, 1), (1, 1)),  # from (2, 0)
        t.spaces((2, 1)),  # from (3, 0)
        t.spaces((2, 1), (1, 1)),  # back at (2, 0)
        t.spaces((1, 1)),  # back at (1, 0)
    ]
    assert [t.options(PLACE_TOKEN, nth) for nth in range(1, 6)] == expected


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
    t.script((CARAVAN, 0), (CARAVAN_TO, (1, 0)))
    t.resolve(0, "Foreign Trade", 1)
    assert t.options(CARAVAN_TO) == t.spaces((1, 0))


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
        found.append(t.options(INDUSTRY))
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
    each = int(t.r.wonder_attack[names.BIG_BEN])
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
    assert combat.attack == 2 + int(t.r.wonder_attack[names.BIG_BEN])


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
    start(t, (START_EFFECT, FX_GREAT_ZIMBABWE), (PLACE_TRADE, PASS))
    assert offered(t, PLACE_TRADE) == [[t.holder(0, k) for k in names.FOCUS_TYPES[:5] if k != full] + [PASS]]
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
    assert offered(t, START_EFFECT) == ([[FX_GENEVA, PASS]] if left else [])


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_may_be_declined_after_all():
    t = board()
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (-3, 0), (0, 3), (3, 0))
    before = t.g.owner.tolist()
    start(t, (START_EFFECT, FX_EIFFEL_TOWER), (NAME_TOKEN, PASS))
    assert t.g.owner.tolist() == before
    assert t.asked_kinds() == ["start_effect", "name_token"]


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
