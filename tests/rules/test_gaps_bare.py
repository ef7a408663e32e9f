"""What every game asks all the time, each on a state with nothing in it but what the question is about."""

import pytest
from table import BOTS, printed_rules, ti_rules, used_work

from newdawn.simulator import limits, names
from newdawn.simulator.engine.board import abilities, agendas, counts, decks, exploring, hexes, pieces, trade
from newdawn.simulator.engine.cards import combat, culture, industry, military, science, start_effects
from newdawn.simulator.engine.core import decisions, state
from newdawn.simulator.engine.course import turn, winning
from newdawn.simulator.rules import ability_codes as codes

NOWHERE = (
    "owner", "natural_wonder", "wonder_token", "city_state", "resource", "wonder_space", "city_state_guest", "neighbour",
    "card", "diplomacy", "natural_wonder_holder", "city_state_holder", "natural_wonder_space", "city_state_space",
    "district_space", "row", "cities", "capital", "government", "given_card", "barbarian_space",
)  # fmt: skip
NOT_THERE = ("natural_wonder_owner", "city_state_owner", "caravan", "army")
SEATS = range(limits.MAX_PLAYERS)
ENDS = [0, 1, 200]  # spaces


def bare(players=3, line=0):
    """Return a state with nothing in it; `line`: that many spaces of grassland in a row."""
    g = state.new_state()
    for field in NOWHERE:
        g[field] = -1
    for field in NOT_THERE:
        g[field] = -2
    g.players, g.round_number, g.n_spaces = players, 1, line
    for s in range(line):
        g.neighbour[s, 0] = s + 1 if s + 1 < line else -1
        g.neighbour[s, 3] = s - 1
        g.axial_q[s], g.tile[s] = s, 1
    return g


# --- wonders and who has them


@pytest.mark.rule("B8.7")
@pytest.mark.parametrize("s", ENDS)
@pytest.mark.parametrize("wonder", [0, 23])
def test_a_wonder_is_controlled_by_who_holds_its_space(s, wonder):
    g = bare()
    assert not any(pieces.controls(g, p, wonder) for p in SEATS)
    g.owner[-1] = 1  # where no space is
    assert not any(pieces.controls(g, p, wonder) for p in SEATS)
    g.wonder_space[wonder], g.wonder_token[s] = s, wonder
    assert not any(pieces.controls(g, p, wonder) for p in SEATS)
    for owner in SEATS:
        g.owner[s] = owner
        assert [p for p in SEATS if pieces.controls(g, p, wonder)] == [owner]
    g.owner[s] = -1
    for cs in (0, 7):
        g.city_state[s] = cs
        assert not any(pieces.controls(g, p, wonder) for p in SEATS)
        g.city_state_guest[cs] = 2
        assert [p for p in SEATS if pieces.controls(g, p, wonder)] == [2]


def test_a_wonder_won_is_one_that_was_not_had_before():
    for wonder in (0, 5):
        g = bare()
        assert combat.wonder_to_win(g, 0, 3) == -1
        g.wonder_token[3], g.wonder_space[wonder], g.owner[3] = wonder, 3, 1
        assert (combat.wonder_to_win(g, 0, 3), combat.wonder_to_win(g, 1, 3)) == (wonder, -1)


@pytest.mark.rule("B8.6")
def test_a_city_has_room_for_one_wonder():
    g, w = bare(), used_work()
    g.cities[1, :3], g.city_count[1] = (0, 4, 9), 3
    for wonder in (0, 5):
        g.wonder_token[4] = wonder
        assert industry.city_without_wonder(printed_rules(), g, w, 1) == 2
        assert w.option[:2].tolist() == [0, 9]


def test_where_a_wonder_is_put_everybodys_numbers_are_written_anew():
    for wonder, s in ((0, 0), (5, 7)):
        g = bare()
        industry.put_wonder(g, wonder, s)
        assert (g.wonder_token[s], g.wonder_space[wonder], g.stale, g.dirty) == (wonder, s, abilities.ALL_SEATS, 1)


# --- spaces


@pytest.mark.rule("B1.3")
def test_an_empty_space_holds_nothing_at_all():
    for field, values in (
        ("piece", (names.TOKEN, names.CAPITAL)), ("barbarians", (1, 2)), ("caravans", (1, 2)), ("armies", (1, 2)),
        ("resource", (0, 1, 3)), ("city_state", (0, 1, 7)), ("wonder_token", (0, 1, 23)),
    ):  # fmt: skip
        g = bare()
        assert hexes.is_empty(g, 3)
        for value in values:
            g[field][3] = value
            assert not hexes.is_empty(g, 3), (field, value)
            assert hexes.is_empty(g, 2)
    for n in (0, 7):
        g = bare()
        g.natural_wonder[3], g.natural_wonder_owner[n] = n, -1
        assert not hexes.is_empty(g, 3)
        for p in SEATS:
            g.natural_wonder_owner[n] = p
            assert hexes.is_empty(g, 3)


def test_what_is_beside_a_space_is_found_on_every_side():
    for d in range(6):
        for n in (0, 5):
            g = bare()
            g.neighbour[3, d] = n
            for p in SEATS:
                g.owner[n], g.piece[n] = p, names.TOKEN
                assert [q for q in SEATS if hexes.next_to_friendly(g, q, 3)] == [p]
                assert not any(hexes.next_to_city_of(g, q, 3) for q in SEATS)
                assert not hexes.next_to_any_city(g, 3)
                for piece in (names.CITY, names.CAPITAL):
                    g.piece[n] = piece
                    assert [q for q in SEATS if hexes.next_to_city_of(g, q, 3)] == [p]
                    assert hexes.next_to_any_city(g, 3)
            g.owner[n], g.piece[n] = -1, 0
            assert not any(hexes.next_to_friendly(g, q, 3) for q in SEATS)
            for cs in (0, 7):
                g.city_state[n] = cs
                assert hexes.next_to_any_city(g, 3)


def test_around_a_space_is_what_lies_on_its_six_sides():
    for d in range(6):
        for n in (0, 5):
            g, w = bare(), used_work()
            g.neighbour[3, d] = n
            w.mark[:] = 0
            culture.mark_around(g, w, 3)
            assert [s for s in range(limits.MAX_SPACES) if w.mark[s]] == [n]


def test_what_is_beside_cities_or_districts_is_marked_and_all_where_borders_count():
    r = ti_rules()
    for source, expected in (
        (decisions.SOURCE_CULTURE, [0, 2, 4, 6]),
        (decisions.SOURCE_DISTRICT_TOKEN, [0, 2, 5]),
        (decisions.SOURCE_NEW_CITY, [2, 4]),
        (decisions.SOURCE_BORDER, list(range(7))),
        (decisions.SOURCE_MOUNTAIN, list(range(7))),
        (decisions.SOURCE_APADANA, [0, 6]),
    ):
        g, w = bare(line=7), used_work()
        g.cities[1, :2], g.city_count[1] = (1, 5), 2
        g.district_space[1, 0], g.district_space[1, names.N_DISTRICTS - 1] = 1, 6
        g.tile[[0, 6]] = 9
        anchor = 9 if source == decisions.SOURCE_APADANA else 3
        culture.mark_beside(r, g, w, 1, source, anchor)
        assert [s for s in range(7) if w.mark[s]] == expected, source


def test_distances_are_counted_from_any_space_to_any_other():
    for start, limit, reached in ((0, 9, 7), (6, 2, 3), (3, 1, 3)):
        g, w = bare(line=7), used_work()
        assert hexes.flood_through_anything(g, w, 0, start, limit) == reached
        assert w.dist[0, :7].tolist() == [abs(s - start) if abs(s - start) <= limit else -1 for s in range(7)]
        assert sorted(w.queue[:reached].tolist()) == [s for s in range(7) if abs(s - start) <= limit]
        w.mark[:] = 1
        w.queue[0] = start
        assert hexes.flood(g, w, 1, 1, limit) == reached
        assert w.dist[1, :7].tolist() == w.dist[0, :7].tolist()


def test_the_waters_at_the_edge_lie_side_by_side_the_first_and_the_last_included():
    for start in (0, 6):
        g, w = bare(line=7), used_work()
        w.mark[:] = 1
        for s in (0, 2, 6):
            g.terrain[s], g.edge[s] = names.WATER, 1
        w.queue[0] = start
        assert hexes.flood_over_edge(g, w, 0, 1, 1) == 4
        beside = 1 if start == 0 else 5
        assert {s: int(w.dist[0, s]) for s in range(7) if w.dist[0, s] >= 0} == dict.fromkeys([0, 2, 6, beside], 1) | {start: 0}


# --- figures, cards, pacts


def test_figures_are_found_wherever_they_stand():
    for s in ENDS:
        for k in (0, limits.MAX_CARAVANS - 1):
            g = bare()
            assert (pieces.caravan_on(g, 1, s), pieces.caravans_of(g, 1, s)) == (-1, 0)
            assert not pieces.rival_caravan_on(g, 0, s)
            g.caravan[1, k], g.caravans[s] = s, 1
            assert (pieces.caravan_on(g, 1, s), pieces.caravans_of(g, 1, s)) == (k, 1)
            assert [p for p in range(3) if pieces.rival_caravan_on(g, p, s)] == [0, 2]
        for k in (0, limits.MAX_ARMIES - 1):
            g = bare()
            assert (pieces.army_on(g, 1, s), pieces.armies_of(g, 1, s)) == (-1, 0)
            assert not pieces.rival_army_on(g, 0, s)
            g.army[1, k], g.armies[s] = s, 1
            assert (pieces.army_on(g, 1, s), pieces.armies_of(g, 1, s)) == (k, 1)
            assert [p for p in range(3) if pieces.rival_army_on(g, p, s)] == [0, 2]
            pieces.army_to_card(g, 1, k)
            assert (g.army[1, k], g.armies.sum()) == (state.ON_CARD, 0)
            pieces.army_to_card(g, 1, k)
            assert g.armies.sum() == 0


@pytest.mark.rule("T12.4")
def test_a_pact_is_held_with_its_giver_only_and_guards_its_pieces():
    for p, q in ((0, 1), (2, 0), (1, 4)):
        g = bare(5)
        g.power[p, codes.NON_AGGRESSION] = 1 << q
        assert [(a, b) for a in SEATS for b in range(-1, 5) if pieces.has_pact(g, a, b)] == [(p, q)]
        g.owner[3] = q
        assert [a for a in SEATS if pieces.is_guarded(g, a, 3)] == [p]
        g.dirty = 0
        pieces.note_strike(g, p, q)
        assert (g.strikes, g.dirty) == (0, 0)
        pieces.note_strike(g, q, p)
        assert (g.strikes, g.dirty) == (1 << (p * limits.MAX_PLAYERS + q), 1)
        g.armies[3] = 1
        assert all(pieces.is_guarded(g, a, 3) for a in SEATS)


def test_the_holder_of_a_card_is_the_fullest_of_its_type():
    r = printed_rules()
    for kind in range(5):
        g = bare()
        assert pieces.holder_of(r, g, 1, kind) == -1
        for h in (0, 4, 2):
            g.card[1, h] = kind * names.N_LEVELS
            assert pieces.holder_of(r, g, 1, kind) == min(h for h in range(6) if g.card[1, h] >= 0)
        for h in (4, 2):
            g.trade[1] = 0
            g.trade[1, h] = 1
            assert pieces.holder_of(r, g, 1, kind) == h
        assert pieces.holder_of(r, g, 1, (kind + 1) % 5) == -1
        assert turn.other_holder(r, g, 1, 0, kind) == 2
        assert turn.other_holder(r, g, 1, 2, kind) == 0
        assert turn.other_holder(r, g, 1, 0, (kind + 1) % 5) == -1


@pytest.mark.rule("B13.1")
def test_a_card_has_room_for_so_many_trade_tokens():
    r = printed_rules()
    for kind in (-1, 0, 3):
        g, w = bare(), used_work()
        for h in range(5):
            g.card[1, h] = h * names.N_LEVELS
        g.trade[1, :6] = (0, r.max_trade, 0, r.max_trade - 1, 0, 0)
        expected = [h for h in (0, 2, 3, 4) if kind in (-1, h)]
        assert trade.list_room(r, g, w, 1, kind) == len(expected)
        assert w.option[: len(expected)].tolist() == expected


def test_every_victory_card_claimed_counts():
    g = bare()
    g.victory_count = 3
    assert pieces.claims(g, 1) == 0
    for i, agenda in ((0, 1), (2, 2)):
        g.claimed[1, i] = agenda
    assert [pieces.claims(g, p) for p in range(3)] == [0, 2, 0]


def test_wonders_held_are_those_of_the_type_or_all():
    g = bare()
    g.wonders_held[1] = (1, 0, 2, 0, 3, 0)
    assert [pieces.wonder_held(printed_rules(), g, 1, kind) for kind in range(-1, 6)] == [6, 1, 0, 2, 0, 3, 0]


# --- owners


@pytest.mark.parametrize("s", ENDS)
@pytest.mark.parametrize(("old", "new"), [(-1, 0), (-1, 2), (0, 1), (2, 0), (1, -1), (1, 1)])
def test_a_space_that_changes_hands_takes_its_wonders_along(s, old, new):
    for n, wonder in ((0, 0), (7, 23)):
        g, w = bare(), used_work()
        w.log_on = 0
        g.owner[s], g.coastal[s] = old, 1
        g.space_count[:3], g.coast_count[:3] = 5, 3
        g.natural_wonder[s], g.wonder_token[s] = n, wonder
        g.natural_wonder_owner[n], g.natural_wonder_holder[n] = old, 4
        g.wonders_gained = g.dirty = g.stale = 0
        pieces.set_owner(g, w, new, s, names.TOKEN)
        assert (g.owner[s], g.piece[s], g.dirty) == (new, names.TOKEN, 1)
        change = [(p == new) - (p == old) for p in range(3)]
        assert g.space_count[:3].tolist() == [5 + k for k in change]
        assert g.coast_count[:3].tolist() == [3 + k for k in change]
        assert g.natural_wonder_owner[n] == new
        assert g.natural_wonder_holder[n] == (4 if old == new else -1)
        assert g.stale == (0 if old == new else sum(1 << p for p in {old, new} - {-1}))
        assert g.wonders_gained == (1 << wonder if new >= 0 and old != new else 0)
        assert g.wonder_captures[wonder] == (new >= 0 and old != new)


def test_a_natural_wonders_token_waits_for_its_card_with_america_only():
    for p in range(3):
        g, w = bare(), used_work()
        w.log_on = 0
        g.natural_wonder[3] = 0
        g.power[p, codes.ROOSEVELT_COROLLARY] = 1
        for new in range(3):
            pieces.set_owner(g, w, new, 3, names.TOKEN)
            assert g.natural_wonder_holder[0] == (pieces.PENDING if new == p else -1)


# --- conditions and abilities


def test_an_ability_of_the_start_of_the_turn_is_used_as_often_as_it_is_listed():
    g = bare()
    g.listed[1, :4], g.listed_n[1] = (7, 3, 7, 7), 4
    for used, left in ((0, [0, 1, 2, 3]), (1, [1, 2, 3]), (2, [1, 3]), (3, [1])):
        g.ability_used[7] = used
        assert [k for k in range(4) if not start_effects.is_used(printed_rules(), g, 1, k)] == left


def test_an_ability_acts_in_its_rounds():
    r = printed_rules().copy()
    for number in range(6):
        g = bare()
        g.round_number = number
        for begin, end in ((0, 0), (3, 0), (0, 3), (1, 1), (2, 4)):
            r.ability_from_round[0], r.ability_until_round[0] = begin, end
            now = max(1, number)
            assert bool(counts.in_its_time(r, g, 0)) == (now >= begin and (end == 0 or now <= end)), (number, begin, end)


def test_settling_without_news_does_nothing_and_with_news_everything():
    r = printed_rules()
    for stale in (1, 2, 4):
        g, w = bare(), used_work()
        g.leader[:] = 0
        g.stale, g.dirty = stale, 0
        agendas.settle(r, g, w, BOTS)
        assert (g.stale, g.dirty) == (0, 0)


def test_house_rules_that_count_anything_are_looked_at_every_time():
    for beyond, claimed in ((0, 0), (1, 1)):
        r = printed_rules().copy()
        r.agendas_beyond = beyond
        g, w = bare(1), used_work()
        w.log_on = 0
        g.victory_count, g.tokens_left[0], g.dirty = 1, 1, 0
        r.agenda_metric[g.victory_card[0], 0] = names.METRIC_CITIES
        r.agenda_target[g.victory_card[0], 0] = 0
        agendas.settle(r, g, w, BOTS)
        assert (g.claimed[0, 0], g.tokens_left[0]) == (claimed, 1 - claimed)


# --- a turn


def test_what_counts_per_turn_is_forgotten_to_the_last():
    fields = (
        "natural_wonder_used", "city_state_used", "used_this_turn", "caravan_home", "army_explored", "army_lost",
        "caravan_explored", "attacks_won_this_turn", "cards_replaced",
    )  # fmt: skip
    g = bare(line=7)
    for field in (*fields, "taken", "arrived"):
        g[field] = 1
    g.ability_used[:] = 1
    r = ti_rules()
    turn.begin_turn(r, g)
    for field in fields:
        assert not g[field].any() if g[field].shape else g[field] == 0, field
    assert not g.taken[:7].any()
    assert not g.arrived[:7].any()
    assert not g.ability_used[: r.n_abilities].any()


@pytest.mark.rule("B4.2")
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("to", [0, 2, 4])
def test_the_card_that_was_resolved_goes_to_its_place_and_the_others_keep_their_order(place, to):
    r = printed_rules().copy()
    r.reset_place = to
    g, w = bare(), used_work()
    w.log_on = 0
    g.row[1, :5] = (3, 1, 4, 0, 2)
    h = int(g.row[1, place])
    others = [k for k in (3, 1, 4, 0, 2) if k != h]
    turn.reset_card(r, g, w, 1, h)
    assert g.row[1, :5].tolist() == [*others[:to], h, *others[to:]]
    assert turn.place_of(r, g, 1, h) == to


@pytest.mark.rule("B9.8")
def test_a_tie_is_the_defenders_or_by_a_house_rule_the_attackers():
    for ties, won in ((0, [False, False, True]), (1, [False, True, True])):
        r = printed_rules().copy()
        r.attacker_wins_ties = ties
        assert [bool(combat.wins(r, total, 7)) for total in (6, 7, 8)] == won


@pytest.mark.rule("B8.6")
@pytest.mark.parametrize("face_up", [1, 2])
def test_a_card_that_leaves_its_deck_makes_room_for_the_next(face_up):
    r = printed_rules().copy()
    r.face_up_wonders = face_up
    kind = int(r.wonder_type[5])
    mine = [i for i in range(r.n_wonders) if r.wonder_type[i] == kind][:4]
    for at in range(face_up):
        g, w = bare(), used_work()
        w.log_on = 0
        g.deck[kind, :4], g.deck_size[kind], g.deck_next[kind] = mine, 4, 0
        g.wonder_place[mine] = state.WONDER_DECK
        g.wonder_place[mine[:face_up]] = state.WONDER_FACE_UP
        decks.take_face_up(r, g, w, mine[at])
        left = [i for i in mine if i != mine[at]]
        end = decks.face_up_end(r, g, kind)
        assert g.deck[kind, int(g.deck_next[kind]) : 4].tolist() == left
        assert g.deck[kind, int(g.deck_next[kind]) : end].tolist() == left[:face_up]
        assert all(g.wonder_place[i] == state.WONDER_FACE_UP for i in left[:face_up])
        assert g.wonder_place[left[-1]] == state.WONDER_DECK


# --- single questions


@pytest.mark.parametrize(("p", "q"), [(0, 1), (1, 0), (3, 4)])
def test_own_land_is_the_own_and_that_of_who_shares_it(p, q):
    for s in ENDS:
        g = bare(5)
        g.power[p, codes.SHARED_LAND] = 1 << q
        for owner in range(-1, 5):
            g.owner[s] = owner
            assert [a for a in SEATS if pieces.is_own_land(g, a, s)] == [
                a for a in SEATS if a == owner or (a == p and owner == q)
            ]


@pytest.mark.rule("B10.1")
@pytest.mark.parametrize("guest", [-1, 0, 2])
def test_a_city_state_that_is_claimed_has_no_guest_any_more(guest):
    r = ti_rules()
    for cs in (0, int(r.n_city_states) - 1):
        g = bare()
        g.city_state_guest[cs] = guest
        g.card[1, 2] = int(r.city_state_type[cs]) * names.N_LEVELS
        g.stale = g.dirty = 0
        pieces.claim_city_state(r, g, state.new_work(), 1, cs)
        assert (g.city_state_owner[cs], g.city_state_holder[cs], g.city_state_guest[cs], g.dirty) == (1, 2, -1, 1)
        assert g.stale == (1 << guest if guest >= 0 else 0)


@pytest.mark.parametrize("america", [False, True])
def test_a_natural_wonder_that_is_used_waits_for_a_card_with_america_only(america):
    for i in (0, 7):
        g, w = bare(), used_work()
        w.log_on = 0
        g.natural_wonder_owner[i] = 2
        g.power[2, codes.ROOSEVELT_COROLLARY] = int(america)
        industry.use_natural_wonder(g, w, i)
        assert g.natural_wonder_used[i] == 1
        assert g.natural_wonder_holder[i] == (pieces.PENDING if america else -1)


def listening(moment, **conditions):
    """Return rules and a bare state where seat 1 waits for the moment with an ability, in row 0, under these conditions."""
    r, g, w = printed_rules().copy(), bare(line=3), used_work()
    w.log_on = 0
    r.ability_moment[0], r.ability_effect[0], r.ability_amount[0] = moment, codes.RESOURCES, 0
    r.ability_target[0], r.ability_type[0], r.ability_terrain[0], r.ability_giver[0] = 255, 255, 255, 0
    r.ability_if[0], r.ability_unless[0], r.ability_per[0], r.ability_once[0] = 0, 0, 0, 0
    for field, value in conditions.items():
        r[field][0] = value
    g.listed[1, 0], g.listed_n[1], g.moments[1], g.listed_giver[1, 0] = 0, 1, 1 << moment, 0
    return r, g, w


NOT_CULTURE = 255 & ~(1 << names.CULTURE)


@pytest.mark.parametrize(
    ("conditions", "acts"),
    [
        ({}, True),
        ({"ability_type": NOT_CULTURE}, True),
        ({"ability_giver": codes.GIVER_NEVER}, True),
        ({"ability_giver": codes.GIVER_ONLY}, False),
        ({"ability_terrain": 1 << names.HILLS}, True),
        ({"ability_terrain": 1}, False),
        ({"ability_target": 1 << state.TARGET_TOKEN}, True),
        ({"ability_target": 1 << state.TARGET_CITY}, False),
    ],
)
def test_a_control_token_placed_is_heard_of_with_its_space_and_nothing_else(conditions, acts):
    r, g, w = listening(codes.TOKEN_PLACED, **conditions)
    g.terrain[1], g.dirty, g.stale = names.HILLS, 0, 0
    culture.token_placed(r, g, w, BOTS, 1, 5, 1)
    assert bool(g.ability_used[0]) == acts


@pytest.mark.parametrize("sees", [0, 1])
@pytest.mark.parametrize(("why", "shifted"), [(turn.CHOSEN, True), (turn.BY_MARACANA, True), (turn.BY_CAPITALISM, False)])
@pytest.mark.parametrize(
    ("conditions", "acts"),
    [
        ({}, True),
        ({"ability_giver": codes.GIVER_NEVER}, True),
        ({"ability_terrain": 2}, True),
        ({"ability_type": 1 << names.SCIENCE}, True),
        ({"ability_type": NOT_CULTURE & ~(1 << names.SCIENCE)}, False),
    ],
)
def test_a_card_acts_from_its_shifted_slot_where_it_lies_or_sees_it_and_is_heard_of_when_it_is_done(
    sees, why, shifted, conditions, acts
):
    r, g, w = listening(codes.CARD_RESOLVED, **conditions)
    r.machu_picchu_sees_as_if = sees
    h = names.SCIENCE
    g.card[1, h], g.row[1, 2] = h * names.N_LEVELS, h
    g.acting_place[1, h, 2] = 3
    g.current, g.dirty, g.stale, w.script_n = 1, 0, 0, 0
    turn.resolve_card(r, g, w, BOTS, 1, h, 2, why)
    assert w.ask_slot == r.slot_number[3 if shifted or sees else 2]
    assert bool(g.ability_used[0]) == acts


@pytest.mark.rule("B9.2")
def test_a_barbarian_on_an_own_space_is_a_target_and_what_is_near_is_one_too():
    r = printed_rules()
    g, w = bare(line=7), used_work()
    g.owner[3], g.piece[3] = 1, names.CAPITAL
    card = names.MILITARY * names.N_LEVELS
    assert military.list_targets(r, g, w, 1, card) == 0
    for s in (3, 4, 0):
        g.barbarians[:] = 0
        g.barbarians[s] = 1
        near = abs(s - 3) <= r.card_attack_range[card]
        assert military.list_targets(r, g, w, 1, card) == int(near)
        assert not near or w.option[0] == decisions.BARBARIAN_OPTION + s


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("enough", [1, 2])
def test_so_many_points_win_at_once(enough):
    r = printed_rules().copy()
    r.scored, r.points_to_win, r.points[names.METRIC_CITIES] = 1, enough, 1
    for cities in range(4):
        g = bare()
        g.city_count[2] = cities
        assert bool(winning.points_decide(r, g)) == (cities >= enough)
        assert [winning.team_score(r, g, p) for p in range(3)] == [0, 0, cities]


@pytest.mark.parametrize("last", [1, 3])
def test_points_decide_after_the_last_round(last):
    r = printed_rules().copy()
    r.scored, r.points_round = 1, last
    for number in range(1, 6):
        g = bare()
        g.round_number = number
        assert bool(winning.points_decide(r, g)) == (number >= last)


@pytest.mark.effect("Pyramids")
def test_who_declines_an_upgrade_is_not_asked_for_the_next():
    r = printed_rules()
    row = next(row for row in range(r.n_abilities) if r.ability_effect[row] == codes.UPGRADE_CARDS)
    g, w = bare(), used_work()
    w.log_on = w.asked_n = w.script_n = 0
    for h in range(5):
        g.card[1, h] = h * names.N_LEVELS
    science.upgrade_cards(r, g, w, BOTS, 1, row, 3)
    assert w.asked_n == 1


@pytest.mark.rule("T7.2")
def test_the_lowest_tile_of_the_stack_is_taken_and_the_others_keep_their_order():
    g = bare()
    g.stack[:3], g.stack_n = (5, 7, 9), 3
    for tile, left in ((5, [7, 9]), (7, [9]), (9, [])):
        assert exploring.take_bottom(g) == tile
        assert g.stack[: g.stack_n].tolist() == left


@pytest.mark.parametrize("q", range(3))
def test_who_has_the_leaders_card_is_known_whoever_it_is(q):
    g = bare()
    g.given_card[1] = q
    found = [counts.count(ti_rules(), g, 1, codes.OTHER_HAS_GIVEN_CARD, -1, other) for other in range(-1, 3)]
    assert found == [0, *(int(other == q) for other in range(3))]
