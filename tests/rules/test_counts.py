"""Everything that agendas, points, rankings and abilities can count, on one board where each number is another one."""

import pytest
from table import FIRST_SPACE, LAST_SPACE, Table, bare_state, printed_rules, table_with, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import counts, state, winning
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.rules.ruleset_contents import written

RULES = {"base": printed_rules, "terra-incognita": ti_rules}
FIRST, LAST = (-3, 0), (3, 0)
LEADERS = ("Egypt", "Rome", "Aztec")
P, LAST_CARAVAN = 1, 2
either_box = pytest.mark.parametrize("box", RULES)


def rich_table(box):
    """Return a table where seat 1 has something of everything, at the ends of the lists, and seat 0 other numbers."""
    r = RULES[box]()
    hills = dict.fromkeys([FIRST, LAST, (2, 0), (0, -3)], "hills")
    t = Table(leaders=LEADERS, rules=r, victory=(0, 1, 2), terrain=hills)
    t.capital(P, (0, 0))
    t.capital(0, (0, -3))
    t.city(P, (0, 2))
    t.token(P, FIRST, LAST, (0, 3))
    t.token(P, (1, 0), reinforced=True)
    t.token(0, (2, 0))
    for wonder, space in (("Stonehenge", (0, 0)), (written(r, "wonder")[-1], (0, 2)), ("Petra", (0, -3))):
        t.wonder(wonder, space)
    t.natural_wonder(written(r, "natural_wonder")[-1], (1, 0))
    t.natural_wonder("Cliffs of Dover", (2, 0))
    for seat, name in ((P, written(r, "city_state")[-1]), (P, "Carthage"), (0, "Kumasi")):
        t.city_state_card(seat, name)
    g = t.g
    g.diplomacy[:] = -1
    g.diplomacy[0, r.n_diplomacy - 1] = g.diplomacy[2, 0] = P
    g.diplomacy[P, 2] = 0
    g.trade[:] = 0
    g.trade[P, :5] = (1, 0, 2, 0, 1)
    g.trade[P, names.GROWTH] = 5  # counts where there is a growth card
    g.caravan[P, LAST_CARAVAN], g.caravan[P, 0] = t.at((0, 1)), t.at((0, -1))
    g.card[P, 1] += 2
    g.resources[P] = (0, 2, 0, 1)
    g.claimed[P, 2], g.claimed[0, :2] = 1, 1
    g.stat_trade_gained[P], g.stat_cities_built[P], g.stat_defences_won[P] = 31, 9, 6
    g.stat_arrivals[P] = (3, 8)
    for target in range(names.N_TARGETS):
        g.stat_attacks_won[P, target] = target + 1
    g.dial_reached[P], g.dial[P], g.capitals_beaten[P], g.best_attack[P] = 7, 5, 3, 17
    return t


def expected(box):
    """Return what seat 1 has, by word, with what the word asks for."""
    growth = 5 if box != "base" else 0
    level_one = 5 if box != "base" else 4
    return {
        (names.METRIC_TOKENS, -1): 4,
        (names.METRIC_SPACES, -1): 6,
        (names.METRIC_TERRAIN, names.TERRAINS.index("hills")): 2,
        (names.METRIC_TERRAIN, names.TERRAINS.index("natural_wonder")): 1,
        (names.METRIC_TERRAIN, names.TERRAINS.index("desert")): 0,
        (names.METRIC_WONDERS, -1): 2,
        (names.METRIC_WONDER_TYPES, -1): 2,
        (names.METRIC_ERAS, -1): 2,
        (names.METRIC_ERA, -1): 1,
        (names.METRIC_DIPLOMACY, -1): 4,
        (names.METRIC_TRADE, -1): 4 + growth,
        (names.METRIC_TRADE_GAINED, -1): 31,
        (names.METRIC_CARAVANS, -1): 2,
        (names.METRIC_ARRIVALS, -1): 11,
        (names.METRIC_CITIES_BUILT, -1): 9,
        (names.METRIC_CARDS_FROM_LEVEL, 1): level_one + 1,
        (names.METRIC_CARDS_FROM_LEVEL, 2): 1,
        (names.METRIC_CARDS_FROM_LEVEL, 4): 0,
        (names.METRIC_CARDS_OF_LEVEL, 1): level_one,
        (names.METRIC_CARDS_OF_LEVEL, 3): 1,
        (names.METRIC_CLAIMS, -1): 1,
        (names.METRIC_DEFENCES_WON, -1): 6,
        (names.METRIC_BARBARIANS, -1): 1 + state.TARGET_BARBARIAN,
        (names.METRIC_RIVAL_CITIES, -1): state.TARGET_CITY + state.TARGET_CAPITAL + 2,
        (names.METRIC_ATTACKS_WON, -1): sum(range(1, names.N_TARGETS + 1)),
        (names.METRIC_REINFORCED, -1): 1,
        (names.METRIC_BEST_ATTACK, -1): 17,
        (names.METRIC_GIVERS, -1): 4,
        (names.METRIC_RESOURCES, -1): 4,
        (names.METRIC_DIAL, -1): 7,
        (names.METRIC_CAPITALS_DEFEATED, -1): 3,
        (names.METRIC_CITIES, -1): 2,
        (names.METRIC_NATURAL_WONDERS, -1): 1,
    }


@either_box
def test_every_word_counts_what_it_says(box):
    t = rich_table(box)
    for (what, kind), value in expected(box).items():
        assert counts.metric(t.r, t.g, P, what, kind) == value, (names.METRICS[what], kind)


@either_box
def test_who_has_nothing_counts_nothing(box):
    t = Table(leaders=LEADERS, rules=RULES[box]())
    own = set(expected(box)) - {(names.METRIC_DIAL, -1)}
    for what, kind in own:
        cards = what in (names.METRIC_CARDS_FROM_LEVEL, names.METRIC_CARDS_OF_LEVEL)
        assert counts.metric(t.r, t.g, 2, what, 4 if cards else kind) == 0, names.METRICS[what]


@either_box
def test_abilities_count_what_they_say(box):
    t = rich_table(box)
    t.g.current, t.g.attacks_won_this_turn, t.g.cards_replaced = P, 3, 2
    last = int(t.r.city_state_type[t.r.n_city_states - 1])
    found = {
        (codes.OWN_WONDERS, -1, -1): 2,
        (codes.CITIES, -1, -1): 2,
        (codes.NATURAL_WONDERS, -1, -1): 1,
        (codes.REINFORCED_TOKENS, -1, -1): 1,
        (codes.REINFORCED_LEAD, -1, 0): 1,
        (codes.REINFORCED_LEAD, -1, -1): 0,  # against nobody nobody leads
        (codes.ATTACKS_WON, -1, -1): 3,
        (codes.CARDS_REPLACED, -1, -1): 2,
        (codes.RESOURCE_TYPES, -1, -1): 2,
        (codes.VICTORY_CARDS, -1, -1): 1,
        (codes.CAPITALS_DEFEATED, -1, -1): 3,
        (codes.DIPLOMACY_CARDS, -1, -1): 4,
        (codes.CARD_GIVERS, -1, -1): 4,
        (codes.RIVAL_CARD_GIVERS, -1, -1): 2,
        (codes.FRIENDLY_SPACES, -1, -1): 6,
        (codes.TOKENS_ON_MAP, -1, -1): 4,
        (codes.RESOURCES_HELD, -1, -1): 4,
        (codes.TRADE_ON_CARDS, -1, -1): 4 + (5 if box != "base" else 0),
        (codes.CARAVANS_OUT, -1, -1): 2,
        (codes.OWN_FORTS, -1, -1): 0,
        (codes.DIAL_SPACE, -1, -1): 7,
        (codes.OTHER_HAS_GIVEN_CARD, -1, 0): 0,
        (codes.OTHER_HAS_GIVEN_CARD, -1, -1): 0,
    }
    for (what, kind, q), value in found.items():
        assert counts.count(t.r, t.g, P, what, kind, q) == value, (codes.COUNTS[what], q)
    assert counts.count(t.r, t.g, P, codes.CITY_STATE_CARD_OF_ITS_TYPE, last, -1) >= 1
    t.g.resources[P] = 0
    assert counts.count(t.r, t.g, P, codes.RESOURCE_TYPES, -1, -1) == 0
    t.g.current = 0
    assert [counts.count(t.r, t.g, P, what, -1, -1) for what in (codes.ATTACKS_WON, codes.CARDS_REPLACED)] == [0, 0]


@either_box
def test_rankings_compare_what_they_say(box):
    t = rich_table(box)
    t.g.first = 2
    found = {
        names.RANK_CLAIMS: 1, names.RANK_WONDERS: 2, names.RANK_SPACES: 6, names.RANK_CITIES: 2, names.RANK_DIAL: 5,
        names.RANK_FIRST: 0, names.RANK_LAST: 2, names.RANK_TRADE: 9 if box != "base" else 4,
    }  # fmt: skip
    for by, value in found.items():
        assert winning.ranked(t.r, t.g, P, by) == value, by


@pytest.mark.parametrize("q", range(3))
def test_who_has_the_leaders_card_is_known_whoever_it_is(q):
    g = bare_state()
    g.given_card[1] = q
    found = [counts.count(ti_rules(), g, 1, codes.OTHER_HAS_GIVEN_CARD, -1, other) for other in range(-1, 3)]
    assert found == [0, *(int(other == q) for other in range(3))]


def test_control_tokens_on_the_map_are_counted_and_nothing_else():
    t = table_with((0, 0))
    assert [counts.tokens_on_map(t.g, p) for p in (0, 1)] == [0, 0]
    t.city(0, (2, 0))
    t.token(0, FIRST_SPACE, (1, 0))
    t.token(1, LAST_SPACE, reinforced=True)
    assert [counts.tokens_on_map(t.g, p) for p in (0, 1)] == [2, 1]


def test_diplomacy_cards_in_hand_are_counted_and_no_others():
    t = table_with((0, 0))
    assert counts.diplomacy_cards(t.r, t.g, 0) == 0
    t.diplomacy(0, 1, "Embassy")
    t.diplomacy(1, 0, "Embassy")
    t.city_state_card(0, "Seoul")
    t.city_state_card(1, "Geneva")
    assert counts.diplomacy_cards(t.r, t.g, 0) == 2


@pytest.mark.rule("B3.2")
@pytest.mark.parametrize("box", names.BOXES)
def test_printed_agendas_count_nothing_beyond_what_their_box_prints(box):
    r = load_ruleset(box=box).compile()
    for card in range(r.n_victory_cards):
        for a in range(2):
            assert not counts.counts_beyond(r, card, a)
    for word in (names.METRIC_TRADE, names.METRIC_TERRAIN, names.METRIC_CLAIMS):
        assert counts.counted_beyond(r.box, word)
        changed = r.copy()
        changed.agenda_metric2[0, 1] = word
        assert counts.counts_beyond(changed, 0, 1)
        assert not counts.counts_beyond(changed, 0, 0)
