"""Setting up a game (B2)."""

from __future__ import annotations

import itertools

import pytest
from printed_files import printed_file
from started_games import (
    SHAPES,
    TILES,
    cells,
    compile_rules,
    laid_tiles,
    start,
)
from table import Table, printed_rules, rules_with

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, setup, state
from newdawn.simulator.engine.setup import draw_directions, draw_first

WONDERS = {wonder["name"]: wonder for wonder in printed_file("wonders")["wonders"]}
ERA = {names.WONDERS.index(name): w["era"] for name, w in WONDERS.items() if name in names.WONDERS}
WONDER_TYPE = {names.WONDERS.index(name): w["type"] for name, w in WONDERS.items() if name in names.WONDERS}


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    return compile_rules(tmp_path_factory.mktemp("rules"))


def decks(g):
    """Return {type: wonder codes from the top}."""
    return {
        names.FOCUS_TYPES[kind]: g.deck[kind, : g.deck_size[kind]].tolist()
        for kind in range(names.N_TYPES)
        if g.deck_size[kind] > 0
    }


# --- players


@pytest.mark.rule("B2.1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pieces_of_each_player(rules, players):
    g, _ = start(rules, players)
    box = printed_file("components")["per_player"]["base"]
    for p in range(players):
        assert g.tokens_left[p] == box["control_tokens"]
        assert g.cities_left[p] == box["cities"]
        assert (g.dial[p], g.dial_reached[p]) == (0, 0)
        assert (g.diplomacy[p] == -1).all(), "all diplomacy cards are still with their giver"
        assert not g.resources[p].any()
        assert not g.trade[p].any()
        assert not g.claimed[p].any()
    assert (g.leader[players:] == -1).all()
    assert (g.card[players:] == -1).all()
    assert (g.caravan[players:] == state.NOT_OWNED).all()


@pytest.mark.rule("B2.2")
@pytest.mark.parametrize("leader", names.LEADERS)
def test_row_is_that_of_the_leader_sheet(rules, leader):
    sheet = next(entry for entry in printed_file("leaders")["leaders"] if entry["civ"] == leader)
    others = [code for code in range(8) if names.LEADERS[code] != leader][:3]
    g, _ = start(rules, leaders=[names.LEADERS.index(leader), *others])
    row = [names.FOCUS_TYPES[g.card[0, h] // names.N_LEVELS] for h in g.row[0, :5]]
    assert row == sheet["start_row"]
    assert all(g.card[0, h] % names.N_LEVELS == 0 for h in g.row[0, :5]), "level I"
    assert g.row[0, 5] == -1
    assert g.card[0, names.GROWTH] == -1


@pytest.mark.rule("B2.2")
def test_one_caravan_waits_on_the_economy_card(rules):
    g, _ = start(rules)
    for p in range(4):
        assert g.caravan[p, 0] == state.ON_CARD
        assert (g.caravan[p, 1:] == state.NOT_OWNED).all()
    assert not g.caravans.any()


@pytest.mark.rule("B2.2")
def test_head_start_tokens_of_house_rules(tmp_path):
    r = compile_rules(tmp_path)
    r.trade_tokens_start[names.ROME, names.SCIENCE] = 2
    r.trade_tokens_start[names.ROME, names.CULTURE] = 9
    g, _ = start(r, leaders=[names.AZTEC, names.ROME, names.EGYPT, names.FRANCE])
    assert g.trade.sum() == 2 + r.max_trade
    assert g.trade[1, names.SCIENCE] == 2


# --- map


def printed_symbols(g, w):
    """Return {kind: {name: space}} of all symbols on the laid tiles, read from tiles.yaml."""
    found = {"resource": [], "natural_wonder": {}, "city_state": {}, "barbarian": {}}
    spaces = cells(g)
    for _, number, side, rotation, q, row in laid_tiles(w):
        face = TILES[number]["sides"]["AB"[side]]
        for feature in face["features"]:
            dq, dr = SHAPES[side * 6 + rotation][feature["space"]]
            s = spaces[q + dq, row + dr]
            for kind in found:
                if kind == "resource" and kind in feature:
                    found[kind].append((s, feature[kind]))
                elif kind in feature:
                    found[kind][feature[kind]] = s
    return found


@pytest.mark.rule("B2.3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_printed_symbol_gets_its_token(rules, players):
    for number in range(12):
        g, w = start(rules, players, number=number)
        printed = printed_symbols(g, w)
        n = g.n_spaces
        lying = [(s, names.RESOURCES[g.resource[s]]) for s in range(n) if g.resource[s] >= 0]
        assert sorted(lying) == sorted(printed["resource"])
        for code, name in enumerate(names.NATURAL_WONDERS):
            s = printed["natural_wonder"].get(name, -1)
            assert (g.natural_wonder_space[code], g.natural_wonder_owner[code]) == (s, -1 if s >= 0 else -2)
            assert s < 0 or (g.natural_wonder[s], g.terrain[s]) == (code, names.NATURAL_WONDER)
        for code, name in enumerate(names.CITY_STATES):
            s = printed["city_state"].get(name, -1)
            assert (g.city_state_space[code], g.city_state_owner[code]) == (s, -1 if s >= 0 else -2)
            assert g.city_state_cards_left[code] == (2 if s >= 0 else 0)
            assert s < 0 or (g.city_state[s], g.terrain[s]) == (code, names.GRASSLAND)
        for code, letter in enumerate(names.LETTERS):
            s = printed["barbarian"].get(letter, -1)
            assert g.barbarian_space[code] == (s if s >= 0 else -2)
            assert g.barbarian_home[code] == s
        assert g.barbarians.sum() == len(printed["barbarian"])
        assert all(g.barbarians[s] == 1 for s in printed["barbarian"].values())
        assert (g.natural_wonder >= 0).sum() == len(printed["natural_wonder"]) >= 2
        assert (g.city_state >= 0).sum() == len(printed["city_state"]) >= 2
        assert not g.city_state_cards.any()


@pytest.mark.rule("B2.3")
def test_terrain_is_the_printed_one(rules):
    g, w = start(rules)
    spaces = cells(g)
    for _, number, side, rotation, q, row in laid_tiles(w):
        terrain = TILES[number]["sides"]["AB"[side]]["terrain"]
        for i, (dq, dr) in enumerate(SHAPES[side * 6 + rotation]):
            assert names.TERRAINS[g.terrain[spaces[q + dq, row + dr]]] == terrain[i]


@pytest.mark.rule("B2.7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_supply_is_what_is_not_on_the_map(rules, players):
    for number in range(10):
        g, _ = start(rules, players, number=number)
        for kind in range(4):
            on_map = int((g.resource[: g.n_spaces] == kind).sum())
            assert g.supply[kind] == 8 - on_map


@pytest.mark.rule("B2.7")
@pytest.mark.rule("B1.6")
def test_symbols_stay_bare_when_tokens_run_out(tmp_path):
    r = compile_rules(tmp_path)
    r.resources_per_type = 1
    g, w = start(r)
    symbols = printed_symbols(g, w)["resource"]
    for kind, name in enumerate(names.RESOURCES):
        wanted = sum(resource == name for _, resource in symbols)
        assert (g.resource == kind).sum() == min(wanted, 1)
        assert g.supply[kind] == 1 - min(wanted, 1)


# --- first player and direction


@pytest.mark.rule("B2.4")
def test_direction_token_first_player_and_event_dial(rules):
    rotations, firsts = set(), set()
    for number in range(60):
        g, _ = start(rules, number=number)
        faces = g.barbarian_die[1:7].tolist()
        assert faces == [(faces[0] + k) % 6 for k in range(6)], "the faces go round the token clockwise"
        rotations.add(faces[0])
        firsts.add(int(g.first))
        assert g.current == g.first
        assert (g.event, g.round_number, g.turn, g.ending) == (0, 0, 0, names.RUNNING)
    assert rotations == set(range(6))
    assert firsts == set(range(4))


@pytest.mark.rule("B2.4")
def test_event_section_at_the_start_is_not_resolved(rules):
    """The first section brings barbarians; those on the map stand where their letters are, as B2.3 put them."""
    g, _ = start(rules)
    assert (g.barbarian_space == g.barbarian_home)[g.barbarian_space >= 0].all()
    assert g.event == rules.event_start


@pytest.mark.rule("B2.4")
def test_the_first_player_and_the_barbarians_ways_are_drawn_anew_for_each_game():
    found = set()
    for seed in range(6):
        t = Table(leaders=("Egypt", "Rome", "Aztec"))
        t.g.barbarian_die[:] = 0
        choosing.seed_streams(t.g, seed, 0)
        draw_directions(t.g)
        draw_first(t.g)
        assert sorted(t.g.barbarian_die[1:].tolist()) == list(range(6))
        assert t.g.current == t.g.first
        found.add((int(t.g.first), int(t.g.barbarian_die[1])))
    assert len(found) > 2


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


# --- wonders


@pytest.mark.rule("B2.5")
@pytest.mark.parametrize(("players", "eras"), [(2, (1, 1, 2)), (3, (1, 2, 2)), (4, (2, 2, 2))])
def test_wonder_decks(rules, players, eras):
    expected = [era for era, count in zip(names.ERAS, eras, strict=True) for _ in range(count)]
    for number in range(10):
        g, _ = start(rules, players, number=number)
        assert set(decks(g)) == {"culture", "economy", "science", "military"} | set(WONDER_TYPE.values())
        for kind, cards in decks(g).items():
            assert [ERA[card] for card in cards] == expected
            assert {WONDER_TYPE[card] for card in cards} == {kind}
            assert len(set(cards)) == len(cards)
            assert [g.wonder_place[card] for card in cards] == [state.WONDER_FACE_UP] + [state.WONDER_DECK] * (len(cards) - 1)
            assert g.wonder_round_revealed[cards].tolist() == [1] + [0] * (len(cards) - 1)
        assert not g.deck_next.any()
        in_decks = set(itertools.chain(*decks(g).values()))
        assert len(in_decks) == 4 * sum(eras)
        assert all((g.wonder_place[card] == state.WONDER_BOX) == (card not in in_decks) for card in range(24))
        assert (g.wonder_space == -1).all()
        assert (g.wonder_builder == -1).all()


@pytest.mark.rule("B2.5")
def test_wonder_decks_are_shuffled(rules):
    tops = [decks(start(rules, 2, number=n)[0])["culture"] for n in range(60)]
    ancient = [cards[0] for cards in tops]
    assert len(set(ancient)) == 2
    assert 15 < ancient.count(ancient[0]) < 45
    assert len({tuple(cards) for cards in tops}) == 8, "2 ancient, 2 medieval, 2 orders of the modern cards"


@pytest.mark.rule("B2.5")
def test_draws_do_not_depend_on_what_else_is_drawn(rules, tmp_path):
    """Fewer players or a removed wonder leave the order of the other cards as it was: pairs of runs stay comparable."""
    removed = compile_rules(tmp_path)
    removed.wonder_available[names.PETRA] = 0
    for number in range(10):
        full = decks(start(rules, number=number)[0])
        few = decks(start(rules, 2, number=number)[0])
        without = decks(start(removed, number=number)[0])
        for kind, cards in full.items():
            kept = [card for card in cards if card in few[kind]]
            assert kept == few[kind]
            assert [card for card in cards if card != names.PETRA] == without[kind]


@pytest.mark.rule("B2.5")
def test_wonders_out_of_the_box_are_in_no_deck():
    t = Table()
    t.r = t.r.copy()
    out = [0, 7, 23]
    t.r.wonder_available[out] = 0
    setup.stack_wonders(t.r, t.g, t.w)
    assert not set(out) & set(t.g.deck.ravel().tolist())


LEADERS = ("Rome", "Egypt", "Aztec", "France")


def stacked_decks(players, seed):
    """Return the decks of wonders of a game, by focus type."""
    t = Table(leaders=LEADERS[:players])
    choosing.seed_streams(t.g, seed, 0)
    setup.stack_wonders(t.r, t.g, t.w)
    return t, [t.g.deck[kind, : t.g.deck_size[kind]].tolist() for kind in range(len(names.FOCUS_TYPES))]


@pytest.mark.rule("B2.5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_deck_holds_wonders_of_its_type_era_by_era_as_many_as_the_players_ask(players):
    t, found = stacked_decks(players, seed=1)
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
    assert len({str(stacked_decks(4, seed)[1]) for seed in range(20)}) == 20
    first = {stacked_decks(2, seed)[1][0][0] for seed in range(20)}
    assert first == {names.WONDERS.index("Stonehenge"), names.WONDERS.index("Hanging Gardens")}


# --- victory cards


@pytest.mark.rule("B2.6")
def test_three_random_victory_cards(rules):
    seen = set()
    for number in range(40):
        g, _ = start(rules, number=number)
        cards = g.victory_card.tolist()
        assert g.victory_count == 3
        assert len(set(cards[:3])) == 3
        assert cards[3:] == [-1, -1]
        assert all(0 <= card < rules.n_victory_cards for card in cards[:3])
        seen |= set(cards[:3])
    assert len(seen) == rules.n_victory_cards == 5


@pytest.mark.rule("B2.6")
def test_epic_game_has_four(rules, tmp_path):
    epic = compile_rules(tmp_path)
    epic.victory_in_play = 4
    for number in range(10):
        long_game = start(epic, number=number)[0].victory_card.tolist()
        assert start(rules, number=number)[0].victory_card.tolist()[:3] == long_game[:3]
        assert len(set(long_game[:4])) == 4
        assert min(long_game[:4]) >= 0


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


# --- the record as a whole


@pytest.mark.parametrize("players", [2, 3, 4])
def test_same_seed_same_game_whatever_the_workspace_did_before(rules, players):
    fresh, _ = start(rules, players, seed=8, number=5)
    _, used = start(rules, 4, seed=1, number=1)
    again, _ = start(rules, players, seed=8, number=5, w=used)
    other, _ = start(rules, players, seed=8, number=6)
    assert fresh.tobytes() == again.tobytes()
    assert fresh.tobytes() != other.tobytes()


def test_log_does_not_depend_on_the_workspace(rules):
    _, fresh = start(rules, seed=8, number=5)
    _, used = start(rules, 2, seed=1, number=1)
    used.ask_source, used.ask_space = 7, 99
    start(rules, seed=8, number=5, w=used)
    assert fresh.log[: fresh.log_n].tolist() == used.log[: used.log_n].tolist()


def test_spaces_beyond_the_map_are_empty(rules):
    g, _ = start(rules)
    empty = state.new_state()
    for field in ("owner", "resource", "natural_wonder", "city_state", "wonder_token"):
        assert (g[field][g.n_spaces :] == -1).all()
    for field in ("piece", "barbarians", "caravans", "taken", "arrived", "terrain", "tile"):
        assert (g[field][g.n_spaces :] == empty[field][g.n_spaces :]).all()
    assert state.STATE["owner"].shape == g.owner.shape


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


def test_at_the_start_nobody_has_taken_a_unique_card():
    assert Table(leaders=LEADERS).g.unique_round[:4].tolist() == [0] * 4
