"""T1: setting up Terra Incognita, from the leaders to the supply; T6.1 where forts are laid."""

from collections import Counter

import pytest
from frontier_games import (
    CAPITALS,
    GAMES,
    OTHERS,
    RANDOM,
    TILES,
    around,
    blank,
    cell_of,
    holes,
    option_of,
    start,
    started,
    tile_places,
)
from printed_files import printed_file
from table import BOTS, Table, state_that_rolls, ti_rules, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, counts, decisions, map, setup, state
from newdawn.simulator.engine.setup import draw_first
from newdawn.simulator.rules.ruleset_contents import written

every_game = pytest.mark.parametrize(("players", "number"), GAMES)
PLAYERS = [2, 3, 4, 5]


def features(game):
    """Return (kind, name, cell) of every symbol printed on the laid tiles."""
    found = []
    for row in game.of(choosing.LOG_TILE):
        _, tile, side, turn, q, r = row
        for feature in TILES[tile]["sides"]["AB"[side]]["features"]:
            dq, dr = _offsets(side, turn)[feature["space"]]
            found += [(kind, name, (q + dq, r + dr)) for kind, name in feature.items() if kind != "space"]
    return found


def _offsets(side, turn):
    from frontier_games import SHAPES

    return SHAPES[side * 6 + turn]


# --- T1.1 to T1.4: what is in the box, leaders, rows


@pytest.mark.rule("T1.1")
def test_the_box_holds_both_games_without_what_the_expansion_replaces():
    r = ti_rules()
    assert len(written(r, "leader")) == 18
    assert (r.card_unique[names.N_CARDS : r.n_cards] >= 0).all()
    assert r.n_cards == names.N_CARDS + 18
    assert (r.card_level[: names.N_CARDS] > 0).all(), "24 standard cards: six types, four levels"
    counts = Counter(zip(r.wonder_type[: r.n_wonders].tolist(), r.wonder_era[: r.n_wonders].tolist(), strict=True))
    assert set(counts.values()) == {3}
    assert len(counts) == 12
    assert (r.n_city_states, r.n_natural_wonders, r.n_diplomacy) == (12, 12, 5)
    assert (r.n_victory_cards, int(r.victory_fort.sum())) == (12, 2)
    assert (r.water_tokens, r.resources_per_type, int(r.tile_in_set.sum())) == (16, 10, 21)
    assert set(r.tile_barbarian[r.tile_barbarian >= 0].tolist()) == set(range(11))
    assert (r.tokens_per_player, r.cities_per_player, r.caravans_per_player, r.armies_per_player) == (34, 7, 3, 2)


@pytest.mark.rule("T1.1")
def test_the_expansions_own_print_replaces_that_of_the_base_game():
    r = ti_rules()
    agendas = written(r, "agenda")
    metrics = {agendas[r.agenda_name[i, a]]: int(r.agenda_metric[i, a]) for i in range(r.n_victory_cards) for a in (0, 1)}
    assert metrics["Technophile"] != names.METRIC_DIAL, "cards of level IV, not the dial"
    assert written(r, "wonder").count("Pentagon") == written(r, "wonder").count("Machu Picchu") == 1
    military = slice(names.MILITARY * names.N_LEVELS, (names.MILITARY + 1) * names.N_LEVELS)
    assert (r.card_armies[military] > 0).all()
    assert not r.card_reinforce[military].any()
    assert "trade" not in [icon for section in printed_file("dials")["event_dial_ti"]["sections"] for icon in section["icons"]]
    assert not any(r.event_icons & names.ICON_TRADE)


@pytest.mark.rule("T1.2")
@pytest.mark.parametrize("players", PLAYERS)
def test_every_seat_has_the_same_pieces_the_fifth_too(players):
    g, r = started(players).g, ti_rules()
    for p in range(players):
        assert (g.tokens_left[p], g.cities_left[p], g.city_count[p]) == (34, 7, 1)
        assert (g.diplomacy[p] == -1).all()
        assert (g.district_space[p] == -1).all()
        assert not g.resources[p].any()
        assert not g.trade[p].any()
        assert (g.row[p] >= 0).all()
    assert (g.leader[players:] == -1).all()
    assert (g.capital[players:] == -1).all()
    assert r.core_tiles_for[players] == (2 if players < 4 else 4)


def test_at_the_start_nobody_has_a_district_on_the_map():
    g = state.new_state()
    g.players = 2
    setup.clear_seats(g)
    assert (g.district_space == -1).all()
    assert [counts.districts_on_map(g, p) for p in range(2)] == [0, 0]


@pytest.mark.rule("T1.3")
@every_game
def test_the_dial_stands_at_zero_and_nobody_has_a_government(players, number):
    g = started(players, number).g
    assert not g.dial[:players].any()
    assert (g.government == -1).all()
    assert len(set(g.leader[:players].tolist())) == players


@pytest.mark.rule("T1.4")
@pytest.mark.parametrize("leader", [entry["civ"] for entry in printed_file("leaders")["leaders"]])
def test_the_row_is_that_of_the_leader_sheet_with_growth_on_the_far_left(leader):
    r = ti_rules()
    sheet = next(entry for entry in printed_file("leaders")["leaders"] if entry["civ"] == leader)
    code = written(r, "leader").index(leader)
    g = blank(2, leaders=[code, (code + 1) % 18])
    setup.clear_seats(g)
    setup.seat_player(r, g, 0)
    cards = [int(g.card[0, h]) for h in g.row[0]]
    kinds = [names.FOCUS_TYPES[r.card_type[card]] for card in cards]
    assert kinds == ["growth", *[kind for kind in sheet["start_row_ti"] if kind != "growth"]]
    assert all(r.card_level[card] == 1 for card in cards)
    unique = sheet["unique_card"]
    own = [names.FOCUS_TYPES[r.card_type[card]] for card in cards if r.card_unique[card] == code]
    assert own == ([unique["type"]] if unique["level"] == 1 else []), "a unique card of level I takes its type's place"
    assert all(r.card_unique[card] in (-1, code) for card in cards)
    assert r.slot_number.tolist() == [1, 1, 2, 3, 4, 5]
    assert g.army[0].tolist() == [state.ON_CARD, state.NOT_OWNED, state.NOT_OWNED, state.NOT_OWNED], (
        "one army on the military card"
    )
    assert g.caravan[0].tolist() == [state.ON_CARD] + [state.NOT_OWNED] * 4, "one caravan on the economy card"


# --- T1.5, T1.6: tiles, first player, core


@pytest.mark.rule("T1.5")
@every_game
def test_each_player_has_one_capital_tile_and_the_others_leave_the_game(players, number):
    game = started(players, number)
    g = game.g
    laid = [row[1] for row in game.of(choosing.LOG_TILE)]
    own = [tile for tile in laid if tile in CAPITALS]
    assert len(own) == len(set(own)) == players
    assert not set(g.stack[: g.stack_n].tolist()) & set(CAPITALS)
    assert sorted([*g.stack[: g.stack_n].tolist(), *[row[0] for row in game.core()]]) == sorted(OTHERS)
    assert not g.stack[g.stack_n :].any()
    assert not g.tile_hand.any()


@pytest.mark.rule("T1.5")
def test_capital_tiles_first_player_and_stack_are_drawn_at_random():
    r = ti_rules()
    dealt, firsts, bottoms = set(), set(), set()
    for number in range(60):
        g, w = blank(3, number), state.new_work()
        setup.deal_capital_tiles(r, g, w)
        draw_first(g)
        setup.shuffle_stack(r, g, w)
        dealt.add(int(g.tile_hand[0, 0]))
        firsts.add(int(g.first))
        bottoms.add(int(g.stack[0]))
        assert sorted(g.stack[: g.stack_n].tolist()) == sorted(OTHERS)
    assert dealt == set(CAPITALS)
    assert firsts == {0, 1, 2}
    assert bottoms == set(OTHERS), "the core is made of whatever tiles lie at the bottom"


@pytest.mark.rule("T1.6")
@every_game
def test_the_core_is_laid_from_the_bottom_of_the_stack_as_the_layout_says(players, number):
    game = started(players, number)
    core = game.core()
    layout = printed_file("map_layouts")["core"]["two_tiles" if players < 4 else "four_tiles_column"]
    assert {side for _, side, *_ in core} == {int(game.g.core_side)}
    entries = layout["AB"[game.g.core_side]]
    assert [tuple(row[2:5]) for row in core] == [(e["rotation"], e["q"], e["r"]) for e in entries]
    assert len(core) == (2 if players < 4 else 4)


@pytest.mark.rule("T1.6")
def test_the_tiles_of_the_core_are_the_lowest_of_one_stack_for_any_number_of_players():
    for number in (0,):
        orders = []
        for players in PLAYERS:
            game = started(players, number)
            orders.append([*[row[0] for row in game.core()], *game.g.stack[: game.g.stack_n].tolist()])
        assert orders[0] == orders[1] == orders[2] == orders[3]


@pytest.mark.rule("T1.6")
def test_one_die_tells_the_side_of_the_core():
    r = ti_rules()
    sides = []
    for number in range(80):
        g, w = blank(2, number), state.new_work()
        setup.clear_spaces(g)
        map.clear_grid(w)
        setup.deal_capital_tiles(r, g, w)
        setup.shuffle_stack(r, g, w)
        setup.lay_core_from_stack(r, g, w)
        sides.append(int(g.core_side))
        assert (g.n_spaces, g.stack_n) == (2 * names.TILE_SPACES, 14)
    assert 20 < sum(sides) < 60


@pytest.mark.rule("T1.6")
@pytest.mark.parametrize("face", range(1, 7))
def test_the_die_tells_the_side_of_the_core(face):
    t = Table(rules=ti_rules())
    t.g.rng[state.STREAM_MAP] = state_that_rolls((face,), 1, 6)
    t.g.stack_n = t.g.n_spaces = 0
    map.clear_grid(t.w)
    setup.lay_core_from_stack(t.r, t.g, t.w)
    assert t.g.core_side == int(face > t.r.core_side_a_max)


@pytest.mark.rule("T1.6")
def test_the_core_lies_on_side_a_or_side_b():
    sides = set()
    for number in range(8):
        game = started(2, number)
        sides.add(int(game.g.core_side))
        assert {side for _, side, *_ in game.core()} == {int(game.g.core_side)}
    assert sides == {0, 1}


# --- T1.7, T6.1: forts


def before_fort(game, k):
    """Return the cells laid before the k-th fort, of those the core's, and the forts."""
    forts = [game.cell(row[1]) for row in game.of(choosing.LOG_FORT)]
    first = [row[0] for row in game.rows].index(choosing.LOG_FORT)
    filled = set()
    seen = -1
    for row in game.rows[first:]:
        seen += row[0] == choosing.LOG_FORT
        if seen >= k:
            break
        if row[0] == choosing.LOG_HOLE:
            filled.add(game.cell(row[2]))
    return game.core_cells() | set(forts[:k]) | filled, set(forts[:k])


@pytest.mark.rule("T1.7")
@every_game
def test_a_fort_may_lie_wherever_two_core_spaces_and_no_fort_or_city_state_are_beside_it(players, number):
    game = started(players, number)
    core, city_states = game.core_cells(), game.city_states()
    asked = game.asked[decisions.PLACE_FORT]
    first = int(game.g.first)
    assert [seat for seat, _ in asked] == [(first + k) % players for k in range(players)], "clockwise from the first player"
    assert [row[0] for row in game.of(choosing.LOG_FORT)] == [seat for seat, _ in asked]
    for k, (_, options) in enumerate(asked):
        taken, forts = before_fort(game, k)
        free = {near for cell in core for near in around(cell)} - taken
        legal = {
            cell
            for cell in free
            if sum(near in core for near in around(cell)) >= 2 and not any(near in forts | city_states for near in around(cell))
        }
        assert {cell_of(option) for option in options} == legal
        assert len(options) == len(legal)


@pytest.mark.rule("T6.1")
@every_game
def test_a_fort_is_a_forest_space_of_its_own(players, number):
    game = started(players, number)
    g, spaces = game.g, game.spaces()
    forts = [s for s in range(g.n_spaces) if g.tile[s] >= names.FORT_TILE]
    assert sorted(int(g.tile[s]) - names.FORT_TILE for s in forts) == list(range(players)), "each by the seat that laid it"
    for s in forts:
        assert g.terrain[s] == names.FOREST
        assert (g.owner[s], g.piece[s]) == (-1, 0), "it gives its owner nothing"
        near = [spaces.get(cell, -1) for cell in around((int(g.axial_q[s]), int(g.axial_r[s])))]
        assert g.neighbour[s].tolist() == near, "edge and neighbour like any space"
        assert g.edge[s] == (-1 in near)


@pytest.mark.rule("T1.7")
@pytest.mark.parametrize(
    ("core", "places"),
    [
        ([(0, 0), (1, 0)], {(0, 1), (1, -1)}), ([(0, 0), (0, 1)], {(1, 0), (-1, 1)}), ([(0, 0), (1, -1)], {(0, -1), (1, 0)}),
        ([(0, 1), (0, 0)], {(1, 0), (-1, 1)}), ([(1, -1), (0, 0)], {(0, -1), (1, 0)}), ([(0, 0)], set()),
    ],
)  # fmt: skip
def test_every_place_around_the_core_is_looked_at(core, places):
    r, g, w = ti_rules(), blank(2), state.new_work()
    setup.clear_spaces(g)
    map.clear_grid(w)
    for cell in core:
        map.add_space(g, w, *cell, 1, names.GRASSLAND)
    n = setup.list_fort_places(r, g, w)
    assert {cell_of(option) for option in w.option[:n].tolist()} == places
    assert n == len(places)
    map.add_space(g, w, 5, 5, CAPITALS[0], names.GRASSLAND)
    assert setup.list_fort_places(r, g, w) == n, "spaces of capital tiles are no core"


@pytest.mark.rule("T1.7")
def test_a_player_without_a_place_for_the_fort_does_without():
    r, g, w = ti_rules(), blank(2), state.new_work()
    setup.clear_spaces(g)
    map.clear_grid(w)
    map.add_space(g, w, 0, 0, 1, names.GRASSLAND)
    setup.lay_fort(r, g, w, BOTS, 0)
    assert g.n_spaces == 1


@pytest.mark.rule("T1.7")
@pytest.mark.parametrize("p", [0, 1])
def test_who_lays_its_fort_is_at_turn(p):
    t = ti_table_with((0, 0), (3, 0))
    t.g.tile[: t.g.n_spaces] = 13
    t.g.current = 1 - p
    t.script()
    setup.lay_fort(t.r, t.g, t.w, BOTS, p)
    assert t.g.current == p


def small_map(core, capital_spaces):
    """Return a map of core spaces and spaces of a capital tile, as a map of one's own may be before the forts are laid."""
    g, w = blank(2), state.new_work()
    setup.clear_spaces(g)
    map.clear_grid(w)
    for cell in core:
        map.add_space(g, w, *cell, 1, names.GRASSLAND)
    for cell in capital_spaces:
        map.add_space(g, w, *cell, CAPITALS[0], names.GRASSLAND)
    return g, w


@pytest.mark.rule("T1.7")
def test_spaces_of_a_capital_tile_beside_a_place_do_not_keep_a_fort_away():
    g, w = small_map([(0, 0), (1, 0)], [(0, 2), (-1, 2)])
    n = setup.list_fort_places(ti_rules(), g, w)
    assert {cell_of(option) for option in w.option[:n].tolist()} == {(0, 1), (1, -1)}


@pytest.mark.rule("T1.7")
def test_a_fort_is_laid_on_the_only_place_there_is():
    g, w = small_map([(0, 0), (1, 0)], [(1, -1)])
    r = ti_rules()
    assert setup.list_fort_places(r, g, w) == 1
    assert w.option[0] == option_of((0, 1))
    setup.lay_fort(r, g, w, RANDOM, 0)
    assert g.n_spaces == 4
    assert (int(g.axial_q[3]), int(g.axial_r[3]), int(g.terrain[3])) == (0, 1, names.FOREST)


# --- T1.8: capitals


@pytest.mark.rule("T1.8")
@every_game
def test_a_capital_tile_may_lie_wherever_it_touches_four_spaces_of_core_and_forts(players, number):
    game = started(players, number)
    first = int(game.g.first)
    order = [(first + k) % players for k in range(players)]
    rows = [row for row in game.of(choosing.LOG_TILE) if row[0] >= 0]
    assert [row[0] for row in rows] == order
    assert decisions.LAY_TILE not in game.asked
    assert [seat for seat, _ in game.asked[decisions.PLACE_TILE]] == order
    counted = game.core_cells() | {game.cell(row[1]) for row in game.of(choosing.LOG_FORT)}
    laid = 0
    taken = set(counted)
    options = iter(game.asked[decisions.PLACE_TILE])
    for row in game.rows:
        if row[0] == choosing.LOG_HOLE:
            taken.add(game.cell(row[2]))
        if row[0] == choosing.LOG_TILE and row[1] >= 0:
            _, offered = next(options)
            assert set(offered) == tile_places(taken, counted, counted)
            assert len(offered) == len(set(offered))
            laid += 1
            _, _, _, side, turn, q, r = row
            taken |= {(q + dq, r + dr) for dq, dr in _offsets(side, turn)}
    assert laid == players


@pytest.mark.rule("T1.8")
@every_game
def test_the_capital_stands_on_the_star_of_the_own_tile(players, number):
    game = started(players, number)
    g = game.g
    for seat, tile, side, turn, q, r in game.of(choosing.LOG_TILE):
        if seat < 0:
            continue
        star = next(f["space"] for f in TILES[tile]["sides"]["AB"[side]]["features"] if "capital" in f)
        dq, dr = _offsets(side, turn)[star]
        s = game.spaces()[q + dq, r + dr]
        assert g.capital[seat] == s
        assert (g.owner[s], g.piece[s]) == (seat, names.CAPITAL)
        assert g.cities[seat, 0] == s
        assert g.coast_count[seat] == g.coastal[s]


@pytest.mark.rule("T1.8")
@pytest.mark.parametrize("star", [(4, 7), (9, 1)])
def test_the_star_of_an_own_tile_may_be_on_any_of_its_spaces(star):
    r = ti_rules().copy()
    r.tile_capital[r.tile_capital[:, 0] >= 0] = star
    game = start(r, 3)
    laid = {seat: (side, turn, q, row) for seat, _, side, turn, q, row in game.of(choosing.LOG_TILE)}
    for seat in range(3):
        side, turn, q, row = laid[seat]
        dq, dr = _offsets(side, turn)[star[side]]
        assert game.g.capital[seat] == game.spaces()[q + dq, row + dr]


# --- T1.9: holes


def ring_with_a_gap():
    """Return a game whose core leaves one place closed in but for a gap that a fort can fill."""
    g, w = blank(2), state.new_work()
    setup.clear_spaces(g)
    map.clear_grid(w)
    g.water_tokens = 16
    for cell in [*around((0, 0))[1:], (2, 0), (1, 1), (2, -1)]:
        map.add_space(g, w, *cell, 1, names.GRASSLAND)
    return g, w


@pytest.mark.rule("T1.9")
@pytest.mark.parametrize(("ruling", "filled"), [("fill", True), ("leave", False)])
def test_a_place_that_a_fort_closes_in_becomes_water_or_stays_by_the_other_ruling(tmp_path, ruling, filled):
    r = ti_rules_with(tmp_path, rulings={"setup_holes": ruling})
    g, w = ring_with_a_gap()
    setup.put_fort(g, w, 0, 1, 0)
    setup.close_setup_holes(r, g, w)
    water = [s for s in range(g.n_spaces) if g.terrain[s] == names.WATER]
    assert [(int(g.axial_q[s]), int(g.axial_r[s])) for s in water] == ([(0, 0)] if filled else [])
    assert g.water_tokens == (15 if filled else 16)


@pytest.mark.rule("T1.9")
def test_no_hole_is_left_by_the_set_up():
    filled = 0
    for players, number in GAMES:
        game = started(players, number)
        assert not holes(set(game.spaces()))
        filled += len(game.of(choosing.LOG_HOLE))
        assert game.g.water_tokens == 16 - len(game.of(choosing.LOG_HOLE))


@pytest.mark.rule("T1.9")
def test_holes_are_closed_at_once_after_a_fort_and_after_a_capital_tile(monkeypatch):
    """Both steps call the closing of holes: a game without it differs."""
    calls = []
    monkeypatch.setattr(setup, "close_setup_holes", lambda r, g, w: calls.append(int(g.n_spaces)))
    if hasattr(setup.lay_fort, "py_func"):
        pytest.skip("compiled code does not see the replacement")
    start(ti_rules(), 3)
    assert len(calls) == 6


# --- T1.10: populating


@pytest.mark.rule("T1.10")
@every_game
def test_every_printed_symbol_has_its_token(players, number):
    game = started(players, number)
    g, r = game.g, ti_rules()
    spaces = game.spaces()
    printed = features(game)
    lying = sorted((s, names.RESOURCES[g.resource[s]]) for s in range(g.n_spaces) if g.resource[s] >= 0)
    assert lying == sorted((spaces[cell], name) for kind, name, cell in printed if kind == "resource")
    for kind, owner, where in (
        ("natural_wonder", g.natural_wonder_owner, g.natural_wonder_space),
        ("city_state", g.city_state_owner, g.city_state_space),
    ):
        there = {name: spaces[cell] for what, name, cell in printed if what == kind}
        for code, name in enumerate(written(r, kind)):
            assert (owner[code], where[code]) == ((-1, there[name]) if name in there else (-2, -1))
    for code, name in enumerate(written(r, "city_state")):
        cards = 2 if g.city_state_owner[code] == -1 else 0
        assert g.city_state_cards_left[code] == cards, f"cards of {name}: those of absent ones stay aside"
    barbarians = {names.LETTERS.index(name): spaces[cell] for kind, name, cell in printed if kind == "barbarian"}
    for b in range(11):
        assert g.barbarian_space[b] == g.barbarian_home[b] or b not in barbarians
        assert g.barbarian_space[b] == barbarians.get(b, -2)
    for kind in range(names.N_RESOURCES):
        assert g.supply[kind] == 10 - sum(int(g.resource[s]) == kind for s in range(g.n_spaces))


@pytest.mark.rule("T1.10")
def test_the_barbarian_directions_are_fixed_after_the_first_player_is_drawn():
    faces = set()
    for players, number in GAMES:
        g = started(players, number).g
        die = g.barbarian_die[1:7].tolist()
        assert die == [(die[0] + k) % 6 for k in range(6)]
        faces.add(die[0])
        assert g.current == g.first
        assert g.event == ti_rules().event_start
    assert len(faces) > 1


# --- T1.11, T1.12: wonders, victory cards, supply


@pytest.mark.rule("T1.11")
@every_game
def test_each_deck_has_two_ancient_two_medieval_and_three_modern_wonders(players, number):
    g, r = started(players, number).g, ti_rules()
    for kind in range(names.N_TYPES):
        deck = g.deck[kind, : g.deck_size[kind]].tolist()
        if not deck:
            assert kind in (names.INDUSTRY, names.GROWTH), "four types of wonders"
            continue
        assert [names.ERAS[r.wonder_era[w]] for w in deck] == ["ancient"] * 2 + ["medieval"] * 2 + ["modern"] * 3
        assert {int(r.wonder_type[w]) for w in deck} == {kind}
        assert g.wonder_place[deck[0]] == state.WONDER_FACE_UP
        assert all(g.wonder_place[w] == state.WONDER_DECK for w in deck[1:])
    assert (g.wonder_place[: r.n_wonders] == state.WONDER_BOX).sum() == 8
    assert not g.wonder_trade.any(), "nothing lies on the face-up cards"


@pytest.mark.rule("T1.12")
def test_both_fort_cards_and_three_random_others_are_in_play():
    r = ti_rules()
    seen = set()
    for number in range(40):
        g = blank(2, number)
        setup.draw_victory_cards(r, g, state.new_work())
        cards = g.victory_card[: g.victory_count].tolist()
        assert len(cards) == len(set(cards)) == 5
        assert [int(r.victory_fort[card]) for card in cards] == [1, 1, 0, 0, 0]
        seen |= set(cards)
    assert len(seen) == 12


@pytest.mark.rule("T1.12")
def test_the_victory_cards_in_play_differ_and_the_fort_cards_are_among_them():
    for seed in range(4):
        t = Table(rules=ti_rules())
        t.g.rng[state.STREAM_VICTORY] += seed
        setup.draw_victory_cards(t.r, t.g, t.w)
        cards = t.g.victory_card[: t.g.victory_count].tolist()
        assert len(set(cards)) == len(cards) == t.r.victory_in_play
        assert sum(int(t.r.victory_fort[card]) for card in cards) == t.r.fort_cards


@pytest.mark.rule("T10.1")
def test_a_peaceful_game_has_three_random_cards_all_needed_and_forts_all_the_same(tmp_path):
    rules = {
        "fort_cards_in_play": 0, "cards_needed": "all in play", "check": "start of the first player turn",
        "tie_break": ["most_world_wonders", "most_friendly_spaces"],
    }  # fmt: skip
    r = ti_rules_with(tmp_path, victory_cards={"rules": rules})
    game = start(r, 3)
    g = game.g
    assert g.victory_count == 3
    assert not r.victory_fort[g.victory_card[:3]].any()
    assert (r.claims_spared, r.win_check_after_dial) == (0, 1)
    assert len(game.of(choosing.LOG_FORT)) == 3, "forts are played"
    printed = started(3, 0).g
    assert g.victory_card[:3].tolist() == printed.victory_card[2:5].tolist(), "the random cards are the same ones"


# --- the draws


@pytest.mark.rule("T1.5")
def test_leaders_dealt_change_nothing_else_of_the_set_up():
    r = ti_rules()
    one, two = start(r, 3, leaders=[0, 1, 2]), start(r, 3, leaders=[9, 4, 17])
    assert [row for row in one.rows if row[0] != choosing.LOG_CHOICE] == [
        row for row in two.rows if row[0] != choosing.LOG_CHOICE
    ]
    assert one.g.deck.tolist() == two.g.deck.tolist()


def test_the_same_game_twice_is_the_same_byte_by_byte():
    one, two = start(ti_rules(), 5, 3), start(ti_rules(), 5, 3)
    assert one.g.tobytes() == two.g.tobytes()
