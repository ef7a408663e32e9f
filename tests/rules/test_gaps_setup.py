"""Setting up, seen without playing a whole map: what breaking the engine on purpose showed to be noticed late."""

import pytest
from table import Table, printed_rules, rules_with

from newdawn.simulator import limits, names
from newdawn.simulator.engine import choosing, map, setup, state
from newdawn.simulator.engine.map import KIND_CAPITAL

LEADERS = ("Rome", "Egypt", "Aztec", "France")


def decks(players, seed):
    """Return the decks of wonders of a game, by focus type."""
    t = Table(leaders=LEADERS[:players])
    choosing.seed_streams(t.g, seed, 0)
    setup.stack_wonders(t.r, t.g, t.w)
    return t, [t.g.deck[kind, : t.g.deck_size[kind]].tolist() for kind in range(len(names.FOCUS_TYPES))]


def test_what_an_earlier_game_left_is_cleared_away_before_the_map_is_laid():
    r, g = printed_rules(), state.new_state()
    for name in g.dtype.names:
        g[name] = 5
    setup.clear_things(r, g)
    for name in ("barbarian_space", "natural_wonder_owner", "city_state_owner"):
        assert (g[name] == setup.NOT_IN_GAME).all(), name
    nothing = (
        "barbarian_home", "natural_wonder_space", "natural_wonder_holder", "city_state_space", "city_state_holder",
        "city_state_guest", "wonder_space", "wonder_builder", "deck", "victory_card",
    )  # fmt: skip
    for name in nothing:
        assert (g[name] == -1).all(), name
    assert g.supply.tolist() == [r.resources_per_type] * len(g.supply)
    assert g.water_tokens == r.water_tokens


def test_tiles_up_to_the_last_number_are_dealt():
    t = Table()
    r = t.r.copy()
    r.tile_in_set[limits.MAX_TILES - 1], r.tile_kind[limits.MAX_TILES - 1] = 1, 3
    setup.mark_tiles(r, t.w, 3)
    assert t.w.mark[limits.MAX_TILES - 1] == 1


@pytest.mark.rule("B2.5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_deck_holds_wonders_of_its_type_era_by_era_as_many_as_the_players_ask(players):
    t, found = decks(players, seed=1)
    for kind, deck in enumerate(found):
        if not (t.r.wonder_type[: t.r.n_wonders] == kind).any():
            assert deck == []
            continue
        assert len(set(deck)) == len(deck)
        assert {int(t.r.wonder_type[i]) for i in deck} == {kind}
        expected = [era for era in range(3) for _ in range(t.r.deck_count[players, era])]
        assert [int(t.r.wonder_era[i]) for i in deck] == expected


@pytest.mark.rule("B2.5")
def test_the_only_card_of_a_deck_lies_face_up(tmp_path):
    t = Table(leaders=LEADERS[:2], rules=rules_with(tmp_path))
    t.r.deck_count[2] = [1, 0, 0]
    setup.stack_wonders(t.r, t.g, t.w)
    top = [int(t.g.deck[kind, 0]) for kind in range(len(names.FOCUS_TYPES)) if t.g.deck_size[kind] == 1]
    assert len(top) == 4
    assert [int(t.g.wonder_place[wonder]) for wonder in top] == [state.WONDER_FACE_UP] * 4
    assert [int(t.g.wonder_round_revealed[wonder]) for wonder in top] == [1] * 4


@pytest.mark.rule("B2.5")
def test_the_decks_are_shuffled_anew_for_each_game():
    assert len({str(decks(4, seed)[1]) for seed in range(20)}) == 20
    first = {decks(2, seed)[1][0][0] for seed in range(20)}
    assert first == {names.WONDERS.index("Stonehenge"), names.WONDERS.index("Hanging Gardens")}


@pytest.mark.rule("B2.4")
def test_the_faces_of_the_barbarian_die_go_round_clockwise_from_any_side():
    t = Table()
    starts = set()
    for seed in range(30):
        choosing.seed_streams(t.g, seed, 0)
        setup.draw_directions(t.g)
        faces = t.g.barbarian_die[1:7].tolist()
        assert faces == [(faces[0] + k) % 6 for k in range(6)]
        starts.add(faces[0])
    assert starts == set(range(6))


@pytest.mark.rule("B2.6")
def test_the_victory_cards_are_drawn_anew_for_each_game_and_each_is_in_play_once():
    t = Table()
    drawn = set()
    for seed in range(30):
        choosing.seed_streams(t.g, seed, 0)
        setup.draw_victory_cards(t.r, t.g, t.w)
        cards = t.g.victory_card[: t.g.victory_count].tolist()
        assert len(set(cards)) == len(cards) == t.r.victory_in_play
        assert set(cards) <= set(range(t.r.n_victory_cards))
        drawn.add(tuple(cards))
    assert len(drawn) > 10


@pytest.mark.rule("B14.2")
def test_every_natural_wonder_tile_the_first_of_the_box_included_can_come_into_the_core():
    t = Table()
    kind = map.KIND_NATURAL_WONDER
    every = {i for i in range(limits.MAX_TILES) if t.r.tile_in_set[i] != 0 and t.r.tile_kind[i] == kind}
    assert 0 in every
    choosing.seed_streams(t.g, 1, 0)
    setup.draw_keys(t.g, t.w, state.STREAM_MAP, t.r.tile_keys)
    assert setup.draw_tiles(t.r, t.w, kind, len(every)) == sum(1 << i for i in every)


@pytest.mark.rule("B14.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_is_dealt_two_tiles_beside_the_capital_tile_and_no_third(players):
    t = Table(leaders=LEADERS[:players])
    choosing.seed_streams(t.g, 1, 0)
    map.clear_grid(t.w)
    setup.clear_spaces(t.g)
    setup.deal_and_lay_core(t.r, t.g, t.w)
    hands = t.g.tile_hand[:players].tolist()
    assert [len([tile for tile in hand if tile > 0]) for hand in hands] == [3] * players
    kinds = [[int(t.r.tile_kind[tile - 1]) == map.KIND_CAPITAL for tile in hand[:3]] for hand in hands]
    assert kinds == [[True, False, False]] * players


@pytest.mark.rule("B14.2")
def test_dealt_tiles_are_neither_in_the_core_nor_capital_tiles():
    t = Table(leaders=LEADERS)
    free = [i for i in range(limits.MAX_TILES) if t.r.tile_in_set[i] and t.r.tile_kind[i] != KIND_CAPITAL]
    core = sum(1 << i for i in free[:4])
    choosing.seed_streams(t.g, 1, 0)
    setup.draw_keys(t.g, t.w, state.STREAM_MAP, t.r.tile_keys)
    setup.deal_tiles(t.r, t.g, t.w, core)
    dealt = t.g.tile_hand[:4, 1 : 1 + int(t.r.dealt_tiles)].ravel().tolist()
    assert len(dealt) == 8
    assert {tile - 1 for tile in dealt} <= set(free[4:])


def test_at_the_start_nobody_has_taken_a_unique_card():
    assert Table(leaders=LEADERS).g.unique_round[:4].tolist() == [0] * 4
