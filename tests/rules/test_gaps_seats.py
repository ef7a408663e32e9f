"""Rules hold for every seat, every resource, every card: most other tests let seat 0 act against seat 1."""

import pytest
from table import PASS, Table

from newdawn.simulator import names
from newdawn.simulator.engine import combat, decisions, diplomacy, industry, start_effects, turn

SEATS = [(0, 1), (1, 0), (2, 0), (1, 2)]  # who acts, and against whom
LEADERS = ("Egypt", "Aztec", "Egypt")
each_pair = pytest.mark.parametrize(("p", "q"), SEATS)


def board(p, q, **kw):
    """Return a table with the capitals of seats `p` and `q`, two spaces apart."""
    t = Table(leaders=LEADERS, **kw)
    t.capital(p, (0, 0))
    t.capital(q, (3, 0))
    return t


def start(t, p, *choices):
    t.g.current = p
    t.script(*choices)
    t.call(start_effects.start_of_turn, p)
    t.require_script_done()


# --- attacks


def defended(p, q, **kw):
    """Return a table where a token of seat `q` on hills faces the capital of seat `p`."""
    t = board(p, q, terrain={(1, 0): "hills"}, **kw)
    t.token(q, (1, 0))
    return t


@each_pair
@pytest.mark.rule("B9.6")
@pytest.mark.parametrize("wonder", [None, "Petra", "Alhambra", "Ruhr Valley"])
def test_the_defenders_bonuses_count_for_every_seat(p, q, wonder):
    t = defended(p, q)
    if wonder:
        t.wonder(wonder, (3, 0))
    bonus = int(t.r.ability_amount[t.r.wonder_first[names.WONDERS.index(wonder)]]) if wonder else 0
    combat = t.attack(p, "Masonry", 1, (1, 0), (1, 3))
    assert (combat.attack, combat.defence) == (1 + 1, 3 + 2 + bonus)


@each_pair
@pytest.mark.rule("B9.7")
def test_every_seat_may_spend_trade_tokens_in_defence(p, q):
    t = defended(p, q)
    t.trade(q, "military", 2)
    combat = t.attack(p, "Masonry", 1, (1, 0), (1, 3), (decisions.SPEND_TRADE, 2))
    assert combat.defence == 3 + 2 + 2
    assert t.trade_on(q, "military") == 0
    assert [seat for kind, seat, _ in t.asked() if kind == decisions.SPEND_TRADE] == [q]


@each_pair
@pytest.mark.rule("B9.12")
def test_an_attack_returns_the_cards_from_every_seat(p, q):
    t = defended(p, q)
    for card in names.DIPLOMACY_CARDS:
        t.diplomacy(p, q, card)
    t.attack(p, "Masonry", 1, (1, 0), (1, 6))
    assert set(t.g.diplomacy[q].tolist()) == {-1}


@pytest.mark.rule("B9.2")
@pytest.mark.rule("B9.1")
def test_a_military_card_offers_reinforcing_attacking_and_passing():
    t = defended(0, 1)
    t.script()
    t.resolve(0, "Masonry", 1)
    asked = [options for kind, _, options in t.asked() if kind == decisions.MILITARY]
    assert asked == [[decisions.MILITARY_REINFORCE, decisions.MILITARY_ATTACK, PASS]]


@pytest.mark.rule("B10.3")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
def test_the_city_of_a_conqueror_elsewhere_is_an_ordinary_city(name):
    t = board(0, 1)
    t.conquered(1, name, (-2, 0))
    t.city(1, (1, 0))
    t.attack(0, "Flight", 5, (1, 0), (6, 1))
    assert "city_state_fate" not in t.asked_kinds()
    assert t.owner((1, 0)) == 0
    assert int(t.g.city_state_owner[names.CITY_STATES.index(name)]) == 1


@each_pair
@pytest.mark.rule("B10.3")
@pytest.mark.parametrize("name", [names.CITY_STATES[0], names.CITY_STATES[-1]])
@pytest.mark.parametrize("fate", [0, 1])
def test_a_conquered_city_state_is_taken_or_freed_whoever_holds_it(p, q, name, fate):
    t = board(p, q)
    cs = names.CITY_STATES.index(name)
    t.conquered(q, name, (1, 0))
    t.attack(p, "Flight", 5, (1, 0), (6, 1), (decisions.CITY_STATE_FATE, fate))
    asked = [(seat, options) for kind, seat, options in t.asked() if kind == decisions.CITY_STATE_FATE]
    assert asked == [(p, [0, 1])]
    assert int(t.g.city_state_owner[cs]) == (p if fate == 0 else -1)
    assert int(t.g.city_state_cards[cs, p]) == fate


@pytest.mark.rule("B9.9")
@pytest.mark.parametrize("letter", [names.LETTERS[0], names.LETTERS[-1]])
def test_a_barbarian_of_any_letter_is_beaten(letter):
    t = board(0, 1)
    t.barbarian(letter, (1, 0))
    t.attack(0, "Masonry", 5, (1, 0), (6, 1), barbarian=True)
    assert int(t.g.barbarian_space[names.LETTERS.index(letter)]) == -1
    assert int(t.g.barbarians[t.at((1, 0))]) == 0


@pytest.mark.rule("B1.6")
@pytest.mark.rule("B9.9")
def test_an_attacker_without_any_control_token_still_removes_the_beaten_one():
    t = board(0, 1)
    t.token(1, (1, 0))
    t.g.tokens_left[0] = 0
    left = int(t.g.tokens_left[1])
    t.attack(0, "Masonry", 5, (1, 0), (6, 1))
    assert t.owner((1, 0)) == -1
    assert t.g.tokens_left[:2].tolist() == [0, left + 1]


@pytest.mark.rule("B8.4")
@pytest.mark.parametrize("name", names.CITY_STATES)
def test_no_city_is_built_beside_any_city_state(name):
    t = board(0, 1)
    t.token(0, (-1, 0), (-1, 1))
    t.city_state(name, (-3, 0))
    t.script()
    t.resolve(0, "Pottery", 1)
    assert t.options(decisions.INDUSTRY) & t.spaces((-2, 0), (-3, 1), (-2, 2)) == t.spaces((-2, 2))


# --- effects at the start of the turn


@each_pair
@pytest.mark.effect("Forbidden City")
def test_forbidden_city_removes_tokens_of_every_seat(p, q):
    t = board(p, q)
    t.wonder("Forbidden City", (0, 0))
    t.token(q, (1, 0))
    start(t, p, (decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (1, 0)))
    assert t.owner((1, 0)) == -1


@each_pair
@pytest.mark.effect("Forbidden City")
def test_forbidden_city_may_be_declined_after_all(p, q):
    t = board(p, q)
    t.wonder("Forbidden City", (0, 0))
    t.token(q, (1, 0))
    before = t.g.owner.tolist()
    start(t, p, (decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, PASS))
    assert t.g.owner.tolist() == before


@each_pair
@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_names_tokens_of_every_seat(p, q):
    t = board(p, q)
    t.wonder("Eiffel Tower", (0, 0))
    first, last = (-3, 0), (2, 1)
    t.token(q, first, last, (0, 3))
    start(
        t,
        p,
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, first),
        (decisions.NAME_TOKEN, last),
        (decisions.YIELD_TOKEN, last),
    )
    assert t.options(decisions.NAME_TOKEN) == t.spaces(first, last, (0, 3))
    assert (t.owner(first), t.owner(last)) == (q, p)


@pytest.mark.effect("Eiffel Tower")
def test_eiffel_tower_finds_tokens_at_the_ends_of_the_list_of_spaces():
    t = Table(leaders=LEADERS)
    t.capital(0, (0, 0))
    t.wonder("Eiffel Tower", (0, 0))
    t.token(1, (-3, 0), (3, 0))
    start(
        t,
        0,
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, (3, 0)),
        (decisions.YIELD_TOKEN, (3, 0)),
    )
    assert t.owner((3, 0)) == 0


@pytest.mark.rule("B1.6")
@pytest.mark.effect("Eiffel Tower")
def test_who_has_no_token_left_may_leave_eiffel_tower_alone_even_after_naming():
    t = board(0, 1)
    t.wonder("Eiffel Tower", (0, 0))
    t.token(0, (-1, 0), (0, -1))
    t.token(1, (-3, 0), (0, 3), (2, 1))
    t.g.tokens_left[0] = 0
    before = t.g.owner.tolist()
    start(
        t,
        0,
        (decisions.START_EFFECT, decisions.FX_EIFFEL_TOWER),
        (decisions.NAME_TOKEN, (-3, 0)),
        (decisions.NAME_TOKEN, (0, 3)),
        (decisions.TAKE_OFF, PASS),
    )
    assert t.g.owner.tolist() == before


@each_pair
@pytest.mark.effect("Geneva")
@pytest.mark.parametrize("old", range(len(names.DIPLOMACY_CARDS)))
@pytest.mark.parametrize("new", range(len(names.DIPLOMACY_CARDS)))
def test_geneva_swaps_any_card_for_any_other_of_the_same_player(p, q, old, new):
    t = board(p, q)
    t.city_state_card(p, "Geneva")
    t.g.diplomacy[q, old] = p
    swap = q * 64 + old * 8 + new
    if old == new:
        t.call(diplomacy.swap_diplomacy, p, 1)
        assert swap not in t.options(decisions.GENEVA_SWAP)
        return
    t.script((decisions.GENEVA_SWAP, swap))
    t.call(diplomacy.swap_diplomacy, p, 1)
    assert t.options(decisions.GENEVA_SWAP) == {q * 64 + old * 8 + c for c in range(4) if c != old}
    assert [int(t.g.diplomacy[q, c]) for c in (old, new)] == [-1, p]


@pytest.mark.effect("Geneva")
def test_geneva_may_be_declined():
    t = board(0, 1)
    t.city_state_card(0, "Geneva")
    t.g.diplomacy[1, 0] = 0
    t.script((decisions.GENEVA_SWAP, PASS))
    t.call(diplomacy.swap_diplomacy, 0, 1)
    t.require_script_done()
    assert t.g.diplomacy[1, :4].tolist() == [0, -1, -1, -1]


@each_pair
@pytest.mark.effect("Potala Palace")
def test_potala_palace_takes_no_card_that_any_player_holds_already(p, q):
    t = board(p, q)
    other = 3 - p - q
    t.g.diplomacy[q, 0] = other
    t.script((decisions.POTALA, PASS))
    t.call(diplomacy.take_diplomacy, p, 2)
    t.require_script_done()
    givers = [seat for seat in range(3) if seat != p]
    assert t.options(decisions.POTALA) == {giver * 8 + c for giver in givers for c in range(4)} - {q * 8}


# --- wonders and natural wonders


def americas(used=0):
    """Return a table where America has Crater Lake's token on its culture card."""
    t = Table(leaders=("America", "Aztec"))
    t.capital(0, (0, 0))
    i = names.NATURAL_WONDERS.index("Crater Lake")
    t.natural_wonder("Crater Lake", (3, 0))
    t.token(0, (3, 0))
    t.g.natural_wonder_holder[i] = t.holder(0, "science")
    t.g.natural_wonder_used[i] = used
    t.g.dirty = 0
    return t, i


@pytest.mark.rule("B4.3")
@pytest.mark.effect("America")
@pytest.mark.parametrize("spent", [0, 1])
def test_americas_natural_wonder_is_used_only_if_it_is_spent(spent):
    t, i = americas()
    t.script((decisions.SPEND_TRADE, spent))
    t.resolve(0, "Astrology", 2)
    assert t.options(decisions.SPEND_TRADE) == {0, 1}
    assert int(t.g.natural_wonder_used[i]) == spent
    assert int(t.g.dial[0]) == 2 + spent


@pytest.mark.effect("Estadio do Maracana")
@pytest.mark.effect("Venetian Arsenal")
@pytest.mark.parametrize(
    ("wonder", "card", "kind"),
    [("Estadio do Maracana", "science", decisions.EXTRA_ECONOMY), ("Venetian Arsenal", None, decisions.REPEAT_CARD)],
)
def test_a_card_more_is_offered_as_yes_or_no(wonder, card, kind):
    t = board(0, 1)
    t.wonder(wonder, (0, 0))
    place = t.row(0).index(card) if card else 4
    t.script((decisions.CARD, place))
    t.take_turn(0)
    assert [options for k, _, options in t.asked() if k == kind] == [[0, 1]]


@each_pair
@pytest.mark.rule("B9.10")
@pytest.mark.parametrize("wonder", [names.WONDERS[0], names.WONDERS[-1]])
@pytest.mark.parametrize("room", [True, False])
def test_any_wonder_under_a_beaten_capital_moves_if_there_is_room(p, q, wonder, room):
    t = board(p, q)
    t.wonder(wonder, (3, 0))
    if not room:
        t.wonder("Big Ben", (0, 0))
    t.attack(p, "Flight", 5, (3, 0), (6, 1))
    assert t.controls(p, wonder) == room
    assert t.controls(q, wonder) != room
    assert int(t.g.wonder_token[t.at((3, 0))]) == (-1 if room else names.WONDERS.index(wonder))


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize("name", names.NATURAL_WONDERS)
def test_every_natural_wonder_goes_to_who_places_a_token_there_and_back_when_it_leaves(name):
    t = board(0, 1)
    t.natural_wonder(name, (1, 0))
    i = names.NATURAL_WONDERS.index(name)
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", 5)
    assert int(t.g.natural_wonder_owner[i]) == 0
    t.wonder("Forbidden City", (3, 0))
    t.token(1, (2, 0))
    start(t, 1, (decisions.START_EFFECT, decisions.FX_FORBIDDEN_CITY), (decisions.RIVAL_TOKEN, (1, 0)))
    assert int(t.g.natural_wonder_owner[i]) == -1


@pytest.mark.rule("B4.3")
@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("name", names.NATURAL_WONDERS)
def test_every_natural_wonder_pays_once_a_turn_for_a_wonder_that_takes_its_resource(name):
    i = names.NATURAL_WONDERS.index(name)
    t = board(0, 1)
    kind = int(t.r.natural_wonder_resource[i])
    for wonder in range(int(t.r.n_wonders)):
        t.g.natural_wonder_owner[i], t.g.natural_wonder_used[i] = 0, 0
        base = int(industry.most_production(t.r, t.g, 0, t.holder(0, "industry"), 1, wonder))
        t.g.natural_wonder_used[i] = 1
        used = int(industry.most_production(t.r, t.g, 0, t.holder(0, "industry"), 1, wonder))
        t.g.natural_wonder_owner[i], t.g.natural_wonder_used[i] = 1, 0
        rivals = int(industry.most_production(t.r, t.g, 0, t.holder(0, "industry"), 1, wonder))
        accepted = bool(t.r.wonder_pays[wonder, kind])
        assert (base, used, rivals) == (1 + 2 * accepted, 1, 1)


@each_pair
@pytest.mark.effect("Mass Media")
def test_mass_media_weakens_tokens_of_every_seat_but_the_own(p, q):
    t = board(p, q)
    t.token(p, (0, 1))
    t.token(q, (1, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (1, 0)))
    t.resolve(p, "Mass Media", 1)
    assert t.options(decisions.RIVAL_TOKEN) == t.spaces((1, 0))
    assert t.owner((1, 0)) == p


# --- resources


PAIRS = [(a, b) for a in range(4) for b in range(4) if a != b]


@pytest.mark.rule("B1.6")
@pytest.mark.effect("Steam Power")
@pytest.mark.parametrize(("give", "take"), PAIRS)
def test_steam_power_swaps_any_resource_for_any_other(give, take):
    t = board(0, 1)
    t.give_resources(0, **{names.RESOURCES[give]: 1})
    supply = t.g.supply.copy()
    t.script((decisions.CARAVAN, PASS), (decisions.SWAP_RESOURCE, give * 8 + take))
    t.resolve(0, "Steam Power", 1)
    assert t.options(decisions.SWAP_RESOURCE) == {give * 8 + other for other in range(4) if other != give}
    assert t.g.resources[0].tolist() == [int(k == take) for k in range(4)]
    assert (t.g.supply - supply).tolist() == [(k == give) - (k == take) for k in range(4)]


@pytest.mark.rule("B1.6")
@pytest.mark.effect("Steam Power")
@pytest.mark.parametrize("left", [0, 1])
def test_steam_power_takes_the_last_token_of_the_supply_but_no_more(left):
    t = board(0, 1)
    t.give_resources(0, marble=1)
    t.g.supply[1:] = 0
    t.g.supply[3] = left
    t.script((decisions.CARAVAN, PASS), *([(decisions.SWAP_RESOURCE, 3)] if left else []))
    t.resolve(0, "Steam Power", 1)
    assert t.g.resources[0].tolist() == ([0, 0, 0, 1] if left else [1, 0, 0, 0])


@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("kind", range(4))
@pytest.mark.parametrize("wonder", ["Stonehenge", "Kremlin", "Petra", "Colossus"])
def test_a_resource_of_any_type_the_card_accepts_pays(kind, wonder):
    t = board(0, 1)
    i = names.WONDERS.index(wonder)
    t.deck(wonder)
    accepted = bool(t.r.wonder_pays[i, kind])
    t.give_resources(0, **{names.RESOURCES[kind]: 5})
    t.script(*([(decisions.INDUSTRY, decisions.WONDER_OPTION + i)] if accepted else []))
    t.resolve(0, "Pottery", 5)
    cost = int(industry.wonder_cost(t.r, t.g, 0, i))
    assert t.controls(0, wonder) == accepted
    assert int(t.g.resources[0, kind]) == (5 - -(-(cost - 5) // 2) if accepted else 5)


@pytest.mark.rule("B5.3")
@pytest.mark.parametrize("kind", names.RESOURCES)
def test_a_control_token_collects_a_resource_of_any_type(kind):
    t = board(0, 1)
    t.resource(kind, (1, 0))
    t.script((decisions.PLACE_TOKEN, (1, 0)))
    t.resolve(0, "Early Empire", 1)
    assert t.g.resources[0].tolist() == [int(name == kind) for name in names.RESOURCES]
    assert int(t.g.resource[t.at((1, 0))]) == -1


@pytest.mark.rule("B8.3")
@pytest.mark.parametrize("kind", names.RESOURCES)
def test_a_city_is_built_on_no_resource_of_any_type(kind):
    t = board(0, 1)
    t.token(0, (-1, 0))
    t.resource(kind, (-2, 0))
    t.script()
    t.resolve(0, "Pottery", 1)
    assert t.at((-2, 0)) not in t.options(decisions.INDUSTRY)
    assert t.at((-2, 1)) in t.options(decisions.INDUSTRY)


# --- others


@pytest.mark.rule("B7.2")
def test_caravans_that_wait_on_the_card_are_offered_as_one():
    t = board(0, 1)
    t.script((decisions.CARAVAN, 0), (decisions.CARAVAN_TO, (0, 1)), (decisions.CARAVAN, 1))
    t.resolve(0, "Currency", 1)
    asked = [options for kind, _, options in t.asked() if kind == decisions.CARAVAN]
    assert asked == [[0, PASS], [1, PASS]]


@pytest.mark.effect("Nuclear Power")
@pytest.mark.parametrize("space", [(-3, 0), (3, 0)])
def test_a_strike_reaches_both_ends_of_the_list_of_spaces(space):
    t = Table()
    t.token(1, space)
    t.w.mark[:] = 0
    t.script((decisions.STRIKE, (space[0] - space[0] // 3, 0)))
    t.resolve(0, "Nuclear Power", 5)
    assert t.owner(space) == -1


@pytest.mark.rule("B7.3")
def test_a_caravan_that_can_go_nowhere_stays_on_its_card():
    t = Table(radius=1, terrain=dict.fromkeys([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)], "water"))
    t.capital(0, (0, 0))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 1)
    assert "caravan_to" not in t.asked_kinds()
    assert t.asked_kinds().count("caravan") == 1
    assert t.g.caravans.sum() == 0


@pytest.mark.effect("Urbanization")
@pytest.mark.effect("Chichen Itza")
@pytest.mark.parametrize("controlled", [False, True])
def test_the_tokens_of_urbanization_go_around_the_new_city_and_with_chichen_itza_on_forests(controlled):
    t = Table(leaders=LEADERS, terrain={(-3, 3): "forest", (0, -3): "forest"})
    t.capital(0, (0, 0))
    if controlled:
        t.wonder("Chichen Itza", (0, 0))
    t.script((decisions.INDUSTRY, (2, 0)), (decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Urbanization", 3)
    around = t.spaces((3, 0), (2, 1), (1, 1), (1, 0), (2, -1), (3, -1))
    assert t.options(decisions.PLACE_TOKEN) == around | (t.spaces((-3, 3), (0, -3)) if controlled else set())


@pytest.mark.rule("B12.1")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_trade_icon_pays_every_seat_clockwise_from_the_first_player(first):
    t = Table(radius=4, leaders=LEADERS)
    for p, middle in enumerate([(-3, 0), (3, 0), (0, 3)]):
        t.city(p, middle)
        for q, r in [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]:
            space = (middle[0] + q, middle[1] + r)
            if space in t.index:
                t.token(p, space)
    t.g.first = first
    t.script()
    t.call(turn.pay_mature_cities)
    assert [int(t.g.trade[p].sum()) for p in range(3)] == [1, 1, 1]
    order = [seat for kind, seat, _ in t.asked() if kind == decisions.PLACE_TRADE]
    assert order == [first, (first + 1) % 3, (first + 2) % 3]


# --- a conquered city-state that changes hands again


@pytest.mark.rule("B10.3")
@each_pair
@pytest.mark.parametrize("fate", [0, 1])
def test_a_conquered_city_state_held_by_a_token_can_be_taken_or_freed_and_the_token_returns(p, q, fate):
    t = Table(leaders=LEADERS)
    t.capital(p, (0, 0))
    t.city_state("Seoul", (1, 0))
    seoul = names.CITY_STATES.index("Seoul")
    t.g.city_state[t.at((1, 0))] = -1
    t.g.city_state_owner[seoul], t.g.city_state_holder[seoul] = q, t.holder(q, "science")
    t.token(q, (1, 0), reinforced=True)  # the conqueror had no unused city
    left = int(t.g.tokens_left[q])
    assert t.attack(p, "Flight", 5, (1, 0), (6, 1), (decisions.CITY_STATE_FATE, fate)).won
    assert t.options(decisions.CITY_STATE_FATE) == {0, 1}
    assert int(t.g.tokens_left[q]) == left + 1
    assert int(t.g.city_state_owner[seoul]) == (p if fate == 0 else -1)
    assert t.owner((1, 0)) == (p if fate == 0 else -1)


@pytest.mark.rule("B10.3")
def test_taking_or_freeing_are_the_choices_whatever_was_asked_before():
    t = Table(leaders=LEADERS)
    t.capital(0, (0, 0))
    t.conquered(1, "Seoul", (1, 0))
    t.w.option[:8] = 7  # as an earlier question may have left it
    t.script((decisions.CITY_STATE_FATE, 0))
    t.call(combat.beat_conquered_city_state, 0, t.at((1, 0)), names.CITY_STATES.index("Seoul"))
    t.require_script_done()
    assert t.owner((1, 0)) == 0
