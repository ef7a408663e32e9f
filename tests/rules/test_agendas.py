"""The ten agendas of the victory cards (B3.2): claimed the moment they are satisfied, and not a moment before."""

import pytest
from table import BOTS, ENDS, PASS, Table, bare_state, disc, printed_rules, table_with, used_work

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, decisions, winning

WEST = 3
WONDERS_OF = {
    "Money Grubber": ("economy", ["Colossus", "Great Lighthouse", "Great Zimbabwe", "Big Ben"]),
    "Paranoid": ("military", ["Terracotta Army", "Petra", "Alhambra", "Ruhr Valley"]),
    "Aesthetic": ("culture", ["Stonehenge", "Hanging Gardens", "Chichen Itza", "Eiffel Tower"]),
    "Scholarly": ("science", ["Oracle", "Pyramids", "Potala Palace", "Kremlin"]),
}


def playing(agenda, **kw):
    """Return a table where the victory card of the agenda is in play."""
    return Table(victory=(names.AGENDAS.index(agenda) // 2,), **kw)


def claimed(t, agenda, p=0):
    """Did seat `p` claim the card with this agenda?"""
    return int(t.g.claimed[p, 0]) == names.AGENDAS.index(agenda) % 2 + 1


def unclaimed(t, p=0):
    return int(t.g.claimed[p, 0]) == 0


def place(t, space, slot=5, p=0):
    """Seat `p` places one control token with a culture card; return how many tokens that and what follows used up."""
    before = int(t.g.tokens_left[p])
    t.script((decisions.PLACE_TOKEN, space))
    t.resolve(p, "Early Empire", slot)
    return before - int(t.g.tokens_left[p])


def destroy(t, space, letter="A"):
    """A barbarian walks onto the space from the east."""
    q, r = space
    t.barbarian(letter, (q + 1, r))
    t.call(barbarians.raid, names.LETTERS.index(letter), WEST)


# --- Civilized: 8 cities on the map, the capital included

EIGHTH = (1, 1)


def cities(n, **kw):
    """Return a table with `n` cities of seat 0, none near `EIGHTH`."""
    t = playing("Civilized", radius=4, **kw)
    t.capital(0, (0, 0))
    for space in [(3, 0), (-3, 0), (0, 3), (0, -3), (3, -3), (-3, 3)][: n - 1]:
        t.city(0, space)
    return t


def build_city(t):
    t.script((decisions.INDUSTRY, EIGHTH))
    t.resolve(0, "Pottery", slot=1)


@pytest.mark.effect("Civilized")
@pytest.mark.rule("B3.2")
def test_civilized_is_claimed_with_the_eighth_city_and_one_token():
    t = cities(7)
    t.script()
    t.resolve(0, "Astrology", slot=1)
    assert unclaimed(t)
    build_city(t)
    assert claimed(t, "Civilized")
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Civilized")
def test_seven_cities_are_not_civilized():
    t = cities(6)
    t.city(1, (4, -4))
    t.token(0, (1, 0))
    build_city(t)
    assert int(t.g.city_count[0]) == 7
    assert unclaimed(t)


@pytest.mark.effect("Civilized")
@pytest.mark.rule("B3.2")
def test_civilized_stays_claimed_when_a_city_is_destroyed_and_is_not_claimed_twice():
    t = cities(7)
    build_city(t)
    destroy(t, (-3, 0))
    assert int(t.g.city_count[0]) == 7
    assert claimed(t, "Civilized")
    t.city(0, (-3, 0))
    t.resolve(0, "Astrology", slot=1)
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Civilized")
def test_a_conquered_city_counts_for_civilized():
    t = cities(7)
    t.city(1, (1, 1))
    t.dice(6, 1)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (1, 1)))
    t.resolve(0, "Masonry", slot=5)
    assert claimed(t, "Civilized")


# --- two wonders of a type


def wonder_table(agenda, held, offered, holder=0):
    """A wonder `held` by a seat and another one to build; seat 0 can pay anything."""
    t = playing(agenda, radius=4)
    t.capital(0, (0, 0))
    t.city(0, (-3, 0))
    t.capital(1, (4, 0))
    t.wonder(held, (0, 0) if holder == 0 else (4, 0))
    t.deck(offered)
    t.g.resources[0] = 8
    return t


def build_wonder(t, wonder):
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + names.WONDERS.index(wonder)))
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, wonder)


@pytest.mark.effect("Money Grubber")
@pytest.mark.effect("Paranoid")
@pytest.mark.effect("Aesthetic")
@pytest.mark.effect("Scholarly")
@pytest.mark.parametrize("agenda", WONDERS_OF)
def test_the_second_wonder_of_the_type_claims(agenda):
    _, (first, _, second, _) = WONDERS_OF[agenda]
    t = wonder_table(agenda, first, second)
    t.resolve(0, "Astrology", slot=1)
    assert unclaimed(t)
    left = int(t.g.tokens_left[0])
    build_wonder(t, second)
    assert claimed(t, agenda)
    assert int(t.g.tokens_left[0]) == left - 1


@pytest.mark.effect("Money Grubber")
@pytest.mark.effect("Paranoid")
@pytest.mark.effect("Aesthetic")
@pytest.mark.effect("Scholarly")
@pytest.mark.parametrize("agenda", WONDERS_OF)
@pytest.mark.parametrize("other", WONDERS_OF)
def test_two_wonders_of_different_types_do_not(agenda, other):
    t = wonder_table(agenda, WONDERS_OF[other][1][1], WONDERS_OF[agenda][1][3])
    build_wonder(t, WONDERS_OF[agenda][1][3])
    assert claimed(t, agenda) == (agenda == other)


@pytest.mark.effect("Money Grubber")
@pytest.mark.effect("Paranoid")
@pytest.mark.effect("Aesthetic")
@pytest.mark.effect("Scholarly")
@pytest.mark.parametrize("agenda", WONDERS_OF)
def test_a_wonder_of_a_rival_does_not_count(agenda):
    _, (first, _, second, _) = WONDERS_OF[agenda]
    t = wonder_table(agenda, first, second, holder=1)
    build_wonder(t, second)
    assert unclaimed(t)
    assert unclaimed(t, 1)


@pytest.mark.effect("Money Grubber")
@pytest.mark.effect("Paranoid")
@pytest.mark.effect("Aesthetic")
@pytest.mark.effect("Scholarly")
@pytest.mark.rule("B3.2")
@pytest.mark.parametrize("agenda", WONDERS_OF)
def test_a_lost_wonder_does_not_take_the_claim_away(agenda):
    _, (first, _, second, _) = WONDERS_OF[agenda]
    t = wonder_table(agenda, first, second)
    build_wonder(t, second)  # asked where to put it, the last city is taken: (-3, 0)
    destroy(t, (-3, 0))
    assert not t.controls(0, second)
    assert claimed(t, agenda)


# --- Warmonger: a rival capital beaten, or two conquered city-states held


def attack(t, *targets, p=0):
    """Seat `p` attacks with slot 5 and good dice until each target is beaten."""
    for space in targets:
        t.dice(6, 1)
        t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, space))
        t.resolve(p, "Flight", slot=5)


def war(**kw):
    t = playing("Warmonger", radius=4, **kw)
    t.capital(0, (0, 0))
    t.capital(1, (2, 0))
    return t


@pytest.mark.effect("Warmonger")
def test_warmonger_by_a_beaten_rival_capital():
    t = war()
    attack(t, (2, 0))
    assert claimed(t, "Warmonger")
    assert (t.owner((2, 0)), t.piece((2, 0))) == (1, "capital")
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Warmonger")
def test_an_attack_on_a_capital_that_fails_is_not_enough():
    t = war()
    t.dice(1, 6)
    t.script((decisions.MILITARY, decisions.MILITARY_ATTACK), (decisions.ATTACK, (2, 0)))
    t.resolve(0, "Masonry", slot=1)
    assert unclaimed(t)


@pytest.mark.effect("Warmonger")
def test_a_beaten_rival_city_is_not_enough():
    t = war()
    t.city(1, (0, 2))
    attack(t, (0, 2))
    assert t.owner((0, 2)) == 0
    assert unclaimed(t)


@pytest.mark.effect("Warmonger")
def test_warmonger_by_the_second_conquered_city_state():
    t = war()
    t.city_state("Seoul", (0, 2))
    t.city_state("Kabul", (-2, 0))
    attack(t, (0, 2))
    assert unclaimed(t)
    attack(t, (-2, 0))
    assert claimed(t, "Warmonger")
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Warmonger")
def test_city_states_conquered_by_a_rival_do_not_count():
    t = war()
    t.conquered(1, "Seoul", (0, 3))
    t.city_state("Kabul", (-2, 0))
    attack(t, (-2, 0))
    assert unclaimed(t)
    assert unclaimed(t, 1)


@pytest.mark.effect("Warmonger")
def test_a_city_state_that_was_lost_again_does_not_count():
    t = war()
    t.conquered(0, "Seoul", (0, 3))
    destroy(t, (0, 3))
    t.city_state("Kabul", (-2, 0))
    attack(t, (-2, 0))
    assert unclaimed(t)


@pytest.mark.effect("Warmonger")
@pytest.mark.rule("B3.2")
def test_warmonger_stays_claimed_when_the_city_states_are_lost():
    t = war()
    t.conquered(0, "Seoul", (0, 3))
    t.city_state("Kabul", (-2, 0))
    attack(t, (-2, 0))
    destroy(t, (0, 3))
    assert int(t.g.city_state_owner[names.SEOUL]) == -1
    assert claimed(t, "Warmonger")


@pytest.mark.rule("B3.2")
@pytest.mark.effect("Mass Media")
def test_a_token_turned_over_elsewhere_brings_no_city_state():
    t = table_with((0, 0), victory=(names.AGENDAS.index("Warmonger") // 2,))
    t.conquered(0, "Seoul", (-2, 0))
    t.token(1, (2, 0))
    t.script((decisions.PLACE_TOKEN, PASS), (decisions.RIVAL_TOKEN, (2, 0)))
    t.resolve(0, "Mass Media", 2)
    assert t.owner((2, 0)) == 0
    assert int(t.g.claimed[0, 0]) == 0  # two conquered city-states are asked for


# --- Explorer: 15 friendly spaces next to water or the map edge

RIM = [s for s in disc(4) if max(abs(s[0]), abs(s[1]), abs(sum(s))) == 4]


def coast(n):
    """Return a table where seat 0 holds `n` spaces on the edge, a city among them, and some inland."""
    t = playing("Explorer", radius=4)
    t.capital(0, (4, 0))
    t.token(0, *[s for s in RIM if s not in ((4, 0), (3, 1), (4, -1))][: n - 1])
    t.token(0, (0, 0), (1, 0))
    return t


@pytest.mark.effect("Explorer")
def test_explorer_is_claimed_with_the_fifteenth_space():
    t = coast(14)
    t.resolve(0, "Astrology", slot=1)
    assert unclaimed(t)
    assert place(t, (3, 1)) == 2  # on the space and on the victory card
    assert claimed(t, "Explorer")


@pytest.mark.effect("Explorer")
@pytest.mark.parametrize(("n", "space"), [(13, (3, 1)), (14, (3, 0))])
def test_fourteen_spaces_or_an_inland_fifteenth_are_not_enough(n, space):
    t = coast(n)
    assert place(t, space) == 1
    assert unclaimed(t)


@pytest.mark.effect("Explorer")
def test_spaces_next_to_water_count_each_once():
    water = [(0, 0), (1, 0)]  # eight spaces around it
    t = playing("Explorer", radius=4, terrain=dict.fromkeys(water, "water"))
    t.capital(0, (-1, 0))
    t.token(0, (0, 1), (1, 1), (2, 0), (2, -1), (1, -1), (0, -1))  # seven with the capital; (-1, 1) is the eighth
    t.token(0, *RIM[:7])
    assert place(t, (-1, 1)) == 2
    assert claimed(t, "Explorer")


@pytest.mark.effect("Explorer")
def test_rival_spaces_do_not_count_for_explorer():
    t = coast(13)
    t.token(1, (4, -1))
    assert place(t, (3, 1)) == 1
    assert unclaimed(t)


@pytest.mark.effect("Explorer")
@pytest.mark.rule("B3.2")
def test_explorer_stays_claimed_when_a_space_is_lost():
    t = coast(14)
    place(t, (3, 1))
    t.script((decisions.STRIKE, (3, 1)))
    t.resolve(0, "Nuclear Power", slot=5)
    assert int(t.g.coast_count[0]) < 15
    assert claimed(t, "Explorer")


# --- Populous: five mature cities

TOWNS = [(0, 0), (3, 0), (-3, 0), (0, 3), (0, -3)]
GAP = (1, 0)  # the only land beside the first town


def islands(n, **kw):
    """Return a sea with `n` one-space islands that hold a city of seat 0 each; the capital has land at `GAP`."""
    land = [*TOWNS, GAP, (4, -4), (-4, 4)]
    t = playing("Populous", radius=4, terrain={s: "water" for s in disc(4) if s not in land}, **kw)
    t.capital(0, TOWNS[0])
    for space in TOWNS[1:n]:
        t.city(0, space)
    t.capital(1, (4, -4))
    return t


@pytest.mark.effect("Populous")
def test_populous_is_claimed_when_the_fifth_city_matures():
    t = islands(5)
    t.resolve(0, "Astrology", slot=1)
    assert unclaimed(t)
    assert place(t, GAP) == 2
    assert claimed(t, "Populous")


@pytest.mark.effect("Populous")
def test_four_mature_cities_are_not_enough():
    t = islands(4)
    assert place(t, GAP) == 1
    assert unclaimed(t)


@pytest.mark.effect("Populous")
def test_mature_cities_of_a_rival_do_not_count():
    t = islands(4)
    t.city(1, (-4, 4))
    place(t, GAP)
    assert unclaimed(t)


@pytest.mark.effect("Populous")
@pytest.mark.rule("B3.2")
def test_an_agenda_satisfied_in_the_turn_of_another_is_claimed_there_and_then():
    t = islands(5, leaders=("Rome", "Egypt"))
    t.g.terrain[t.at((2, -1))] = names.GRASSLAND
    t.city(1, (2, -1))  # a rival city beside the gap
    t.diplomacy(0, 1, "Open Borders")  # tokens of seat 1 help the cities of seat 0 to mature
    assert unclaimed(t)
    t.script((decisions.PLACE_TOKEN, GAP))
    t.resolve(1, "Early Empire", slot=1)
    assert int(t.g.current) == 1
    assert claimed(t, "Populous", 0)
    assert unclaimed(t, 1)


@pytest.mark.effect("Populous")
@pytest.mark.rule("B3.2")
def test_populous_stays_claimed_when_a_city_is_no_longer_mature():
    t = islands(5)
    place(t, GAP)
    t.script((decisions.STRIKE, GAP))
    t.resolve(0, "Nuclear Power", slot=5)
    assert not t.mature(0, (0, 0))
    assert claimed(t, "Populous")


# --- Preservationist: two natural wonders


def lakes(n, others=0):
    """Return a table with three natural wonders; seat 0 holds `n` of them."""
    t = playing("Preservationist", radius=4)
    t.capital(0, (0, 0))
    for name, space in [("Crater Lake", (2, 0)), ("Pantanal", (1, 0)), ("Mt. Everest", (0, 3))]:
        t.natural_wonder(name, space)
    if n:
        t.token(0, (2, 0))
    if others:
        t.token(1, (0, 3))
    return t


@pytest.mark.effect("Preservationist")
def test_preservationist_is_claimed_with_the_second_natural_wonder():
    t = lakes(1)
    t.resolve(0, "Astrology", slot=1)
    assert unclaimed(t)
    assert place(t, (1, 0)) == 2
    assert claimed(t, "Preservationist")


@pytest.mark.effect("Preservationist")
@pytest.mark.parametrize("others", [0, 1])
def test_one_natural_wonder_is_not_enough(others):
    t = lakes(0, others)
    assert place(t, (1, 0)) == 1
    assert unclaimed(t)


@pytest.mark.effect("Preservationist")
def test_resources_are_no_natural_wonders():
    t = lakes(0)
    t.give_resources(0, oil=3, mercury=3)
    place(t, (1, 0))
    assert unclaimed(t)


@pytest.mark.effect("Preservationist")
@pytest.mark.rule("B3.2")
def test_preservationist_stays_claimed_when_a_natural_wonder_is_lost():
    t = lakes(1)
    place(t, (1, 0))
    destroy(t, (2, 0))
    assert int((t.g.natural_wonder_owner == 0).sum()) == 1
    assert claimed(t, "Preservationist")


# --- Technophile: the dial at 24


def scholar(dial):
    t = playing("Technophile")
    t.capital(0, (0, 0))
    t.g.dial[0] = t.g.dial_reached[0] = dial
    return t


@pytest.mark.effect("Technophile")
def test_technophile_is_claimed_when_the_dial_reaches_24():
    t = scholar(22)
    t.resolve(0, "Astrology", slot=1)
    assert int(t.g.dial[0]) == 23
    assert unclaimed(t)
    t.resolve(0, "Astrology", slot=1)
    assert claimed(t, "Technophile")
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Technophile")
def test_a_move_beyond_24_reaches_it_as_well():
    t = scholar(23)
    t.resolve(0, "Astrology", slot=3)
    assert int(t.g.dial[0]) == 16
    assert claimed(t, "Technophile")


@pytest.mark.effect("Technophile")
@pytest.mark.rule("B3.2")
def test_technophile_stays_claimed_when_the_dial_goes_on_to_15():
    t = scholar(23)
    t.resolve(0, "Astrology", slot=1)
    t.resolve(0, "Astrology", slot=1)
    assert int(t.g.dial[0]) == 15
    assert claimed(t, "Technophile")
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.effect("Technophile")
def test_the_dial_of_a_rival_does_not_count():
    t = scholar(10)
    t.g.dial[1] = t.g.dial_reached[1] = 23
    t.resolve(1, "Astrology", slot=1)
    assert unclaimed(t)
    assert claimed(t, "Technophile", 1)


# --- which card


@pytest.mark.rule("B3.2")
@pytest.mark.parametrize("agenda", names.AGENDAS)
def test_every_card_shows_two_agendas(agenda):
    t = playing(agenda)
    card, a = divmod(names.AGENDAS.index(agenda), 2)
    assert int(t.r.agenda_name[card, a]) == names.AGENDAS.index(agenda)
    assert int(t.r.n_victory_cards) == 5


@pytest.mark.rule("B3.2")
def test_an_agenda_of_a_card_not_in_play_claims_nothing():
    t = Table(victory=(0,))
    t.capital(0, (0, 0))
    t.g.dial[0] = t.g.dial_reached[0] = 23
    t.resolve(0, "Astrology", slot=1)
    assert int(t.g.tokens_left[0]) == 31


# --- the token, and when agendas are looked at


@pytest.mark.rule("B3.2")
@pytest.mark.rule("B1.6")
@pytest.mark.parametrize("space", ENDS)
def test_the_only_control_token_left_comes_off_the_map_for_a_victory_card(space):
    t = table_with((0, 0), victory=(names.AGENDAS.index("Scholarly") // 2,))
    t.city(0, (0, 2))
    t.token(0, space)
    t.g.tokens_left[0] = 0
    t.wonder("Oracle", (0, 0))
    t.wonder("Pyramids", (0, 2))
    t.g.dirty = 1
    t.call(winning.settle)
    assert t.g.claimed[0, 0] != 0
    assert t.owner(space) == -1


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
    assert t.offers(decisions.TAKE_OFF) == [sorted(t.spaces((1, 0), (0, 1)))]
    assert (t.owner((1, 0)), t.owner((0, 1))) == (0, -1)
    assert sum(map(bool, t.g.claimed[0].tolist())) == 1
    assert int(t.g.tokens_left[0]) == 0


def test_settling_without_news_does_nothing_and_with_news_everything():
    r = printed_rules()
    for stale in (1, 2, 4):
        g, w = bare_state(), used_work()
        g.leader[:] = 0
        g.stale, g.dirty = stale, 0
        winning.settle(r, g, w, BOTS)
        assert (g.stale, g.dirty) == (0, 0)


def test_house_rules_that_count_anything_are_looked_at_every_time():
    for beyond, claimed in ((0, 0), (1, 1)):
        r = printed_rules().copy()
        r.agendas_beyond = beyond
        g, w = bare_state(1), used_work()
        w.log_on = 0
        g.victory_count, g.tokens_left[0], g.dirty = 1, 1, 0
        r.agenda_metric[g.victory_card[0], 0] = names.METRIC_CITIES
        r.agenda_target[g.victory_card[0], 0] = 0
        winning.settle(r, g, w, BOTS)
        assert (g.claimed[0, 0], g.tokens_left[0]) == (claimed, 1 - claimed)
