"""Own city-states, natural wonders, tiles, focus cards, and what own agendas count: understood, played, refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from table import BOTS, Table

from newdawn.analysis.report.provenance import rules_files
from newdawn.simulator import names
from newdawn.simulator.engine import counts, pieces, science, state, winning
from newdawn.simulator.engine.choosing import seed_streams
from newdawn.simulator.engine.compile.jit import ready
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes, load_ruleset
from newdawn.simulator.rules.load import from_data, with_overlay
from newdawn.simulator.rules.ruleset_contents import FIRST_OWN_CARD, written
from newdawn.simulator.rules.show import show
from newdawn.simulator.runs.run import Silent, play_range
from newdawn.simulator.runs.run_plan import plan_by

BOTH = ("base", "terra-incognita")
FACE = "{terrain: [hills, water, water, grassland, grassland, forest, hills, desert, water, grassland]%s}"
OSLO = "features: [{space: 0, city_state: Oslo}]"
KINDS = {
    "city_states": "{havana: {name: Havana, type: economy, in_place_of: carthage, "
    "abilities: [{effect: caravan_steps, amount: 1}]}}",
    "natural_wonders": "{ayers_rock: {name: Ayers Rock, resource: oil, in_place_of: grand_mesa, "
    "abilities: [{effect: production, amount: 2}]}}",
    "tiles": f"{{22: {{kind: plain, sides: {{A: {FACE % ''}, B: {FACE % ''}}}}}}}",
    "focus_cards": "{moon_school: {name: Moon School, type: science, level: 2, first: {trade_tokens: 2}, "
    "abilities: [{effect: dial_spaces, amount: 1}]}}",
}
ALL = "\n".join(f"{stem}: {entry}" for stem, entry in KINDS.items())


@pytest.fixture
def rules(tmp_path):
    def load(text, box="base"):
        file = tmp_path / "house.yaml"
        file.write_text(text, "utf-8")
        return load_ruleset([file], box=box)

    return load


def own(stem, **changes):
    """Return house rules with the entry of the kind, some of its words changed (None: taken away)."""
    import yaml

    entries = yaml.safe_load(KINDS[stem])
    key, entry = next(iter(entries.items()))
    return yaml.safe_dump({stem: {key: {k: v for k, v in {**entry, **changes}.items() if v is not None}}})


def refused(rules, text, box="base"):
    with pytest.raises(UserError) as caught:
        rules(text, box)
    message = str(caught.value)
    assert "\n" not in message
    return message


# --- every kind


@pytest.mark.parametrize("box", BOTH)
def test_own_kinds_survive_the_way_through_a_manifest_and_come_back_as_house_rules(rules, box):
    ruleset = rules(ALL, box)
    again = from_data(json.loads(json.dumps(ruleset.data, sort_keys=True)))
    assert again.compile().tobytes() == ruleset.compile().tobytes()
    assert rules_files(ruleset) is not None


@pytest.mark.parametrize(
    ("path", "field", "value"),
    [
        ("city_states.havana.abilities.caravan_steps.amount", "ability_amount", 3),
        ("natural_wonders.ayers_rock.abilities.production.amount", "ability_amount", 3),
        ("focus_cards.moon_school.abilities.dial_spaces.amount", "ability_amount", 3),
        ("focus_cards.moon_school.first.trade_tokens", "card_trade_first", 1),
    ],
)
def test_any_number_of_own_content_can_be_changed_and_so_tuned(rules, path, field, value):
    ruleset = rules(ALL)
    overlay = value
    for key in reversed(path.split(".")):
        overlay = {key: overlay}
    changed = with_overlay(ruleset, overlay, "test").compile()
    before = ruleset.compile()
    assert int(changed[field].sum()) - int(before[field].sum()) != 0


@pytest.mark.parametrize("name", ["Havana", "Ayers Rock", "Moon School", "tile 22A"])
def test_own_content_is_shown_in_words(rules, name):
    assert len(show(rules(ALL), name)) > 1


@pytest.mark.parametrize(
    ("stem", "changes", "fragment"),
    [
        ("city_states", {"type": None}, "city_states.havana.type: is missing"),
        ("city_states", {"type": "econmy"}, "did you mean 'economy'?"),
        ("city_states", {"in_place_of": "cartage"}, "did you mean 'carthage'?"),
        ("city_states", {"in_place_of": None}, "expected one tile whose features name it, or in_place_of a printed one"),
        ("city_states", {"tile": 3}, "city_states.havana.tile: unknown key"),
        ("city_states", {"copies": 12}, "city_states.havana.copies: expected at most 5"),
        ("city_states", {"name": "Seoul"}, "'Seoul' is the name of city_states.seoul, too"),
        ("city_states", {"abilities": [{"effect": "caravan_step", "amount": 1}]}, "did you mean 'caravan_steps'?"),
        ("natural_wonders", {"resource": "gold"}, "natural_wonders.ayers_rock.resource: expected 'marble', 'mercury'"),
        ("natural_wonders", {"in_place_of": "grand_messa"}, "did you mean 'grand_mesa'?"),
        ("natural_wonders", {"abilities": [{"effect": "resources", "amount": 1, "moment": "built"}]}, "is for world wonders"),
        ("tiles", {"kind": "plane"}, "did you mean 'plain'?"),
        ("tiles", {"sides": {}}, "tiles.tiles.22.sides: expected sides A and B"),
        ("tiles", {"colour": "red"}, "tiles.tiles.22.colour: unknown key: expected one of kind, sides, available"),
        ("focus_cards", {"level": 1}, "a card of level 1 is there in place of a printed one only"),
        ("focus_cards", {"level": 5}, "focus_cards.base.moon_school.level: expected one of 1, 2, 3, 4, got 5"),
        ("focus_cards", {"type": "sience"}, "did you mean 'science'?"),
        ("focus_cards", {"tokens": 2}, "focus_cards.base.moon_school.tokens: unknown key"),
        ("focus_cards", {"in_place_of": "pottery"}, "expected a printed card of type and level of its own"),
        ("focus_cards", {"first": {"trade_token": 1}}, "focus_cards.base.moon_school.first.trade_token: unknown key"),
    ],
)
def test_what_is_wrong_is_one_line_with_the_nearest_word(rules, stem, changes, fragment):
    assert fragment in refused(rules, own(stem, **changes))


@pytest.mark.parametrize("number", ["new", "21b", str(names.MAX_TILES + 1)])
def test_an_own_tile_has_a_number_of_its_own(rules, number):
    assert "expected a number of its own, from 22 to 30" in refused(rules, f"tiles: {KINDS['tiles'].replace('22', number)}")


def test_two_cannot_take_the_same_place(rules):
    text = "city_states: {a: {name: A, type: science, in_place_of: seoul}, b: {name: B, type: science, in_place_of: seoul}}"
    assert "a takes the place of seoul already" in refused(rules, text)


@pytest.mark.parametrize(("stem", "room", "entry"), [
    ("city_states", 8, "{name: X%d, type: science, in_place_of: seoul}"),
    ("natural_wonders", 8, "{name: X%d, resource: oil, in_place_of: pantanal}"),
    ("focus_cards", 16, "{name: X%d, type: science, level: 2}"),
])  # fmt: skip
def test_there_is_room_for_many_and_one_line_beyond(rules, stem, room, entry):
    if "in_place_of" in entry:  # they need places: give each one of an own tile
        entry = entry.split(", in_place_of")[0] + "}"
    lines = "\n".join(f"  x{i}: {entry % i}" for i in range(room + 1))
    assert "there is room for" in refused(rules, f"{stem}:\n{lines}")


# --- city-states and natural wonders


@pytest.mark.parametrize("box", BOTH)
def test_an_own_city_state_lies_where_the_printed_one_did(rules, box):
    printed, r = load_ruleset(box=box).compile(), rules(ALL, box).compile()
    code = written(r, "city_state").index("Havana")
    assert code == int(printed.n_city_states)
    place = np.argwhere(r.tile_city_state == code)
    assert place.tolist() == np.argwhere(printed.tile_city_state == names.CARTHAGE).tolist()
    assert not (r.tile_city_state == names.CARTHAGE).any()
    assert r.city_state_type[code] == names.ECONOMY
    assert r.city_state_copies[code] == 2


def test_an_own_city_state_may_lie_on_an_own_tile(rules):
    face = FACE % f", {OSLO}"
    tile = f"{{kind: city_state, sides: {{A: {face}, B: {face}}}}}"
    text = f"city_states: {{oslo: {{name: Oslo, type: science}}}}\ntiles: {{23: {tile}}}"
    r = rules(text).compile()
    assert np.argwhere(r.tile_city_state == 8).tolist() == [[22, 0, 0], [22, 1, 0]]
    assert r.tile_in_set[22] == 1
    assert "tile" in refused(rules, text.replace("22:", "24:").replace("Oslo}]}", "Olso}]}"))


def test_who_holds_its_diplomacy_card_has_what_an_own_city_state_gives(rules):
    t = Table(rules=rules(ALL).compile())
    assert t.g.power[0, codes.CARAVAN_STEPS] == 0
    t.city_state_card(0, "Havana")
    assert t.g.power[:2, codes.CARAVAN_STEPS].tolist() == [1, 0]


def test_who_holds_an_own_natural_wonder_has_its_abilities_as_long_as_it_does(rules):
    t = Table(rules=rules(ALL).compile())
    t.capital(0, (0, 0))
    t.natural_wonder("Ayers Rock", (1, 0))
    assert t.g.power[0, codes.PRODUCTION] == 0
    pieces.put_token(t.g, t.w, 0, t.at((1, 0)), names.TOKEN)
    winning.settle(t.r, t.g, t.w, BOTS)
    assert t.g.power[0, codes.PRODUCTION] == 2
    pieces.take_token_off(t.r, t.g, t.w, t.at((1, 0)), 1)
    winning.settle(t.r, t.g, t.w, BOTS)
    assert t.g.power[0, codes.PRODUCTION] == 0


def test_a_city_that_gives_a_natural_wonder_back_gives_its_abilities_back(rules):
    t = Table(rules=rules(f"{ALL}\nrulings: {{city_on_natural_wonder: gives_it_back}}").compile())
    t.capital(0, (0, 0))
    t.natural_wonder("Ayers Rock", (2, 0))
    t.token(0, (2, 0))
    assert t.g.power[0, codes.PRODUCTION] == 2
    pieces.put_city(t.r, t.g, t.w, 0, t.at((2, 0)))
    winning.settle(t.r, t.g, t.w, BOTS)
    assert t.g.power[0, codes.PRODUCTION] == 0


def test_a_printed_natural_wonder_may_be_given_abilities(rules):
    t = Table(rules=rules("natural_wonders: {pantanal: {abilities: [{effect: attacks, amount: 1}]}}").compile())
    t.natural_wonder("Pantanal", (0, 0))
    t.token(0, (1, 0))
    assert t.g.power[0, codes.ATTACKS] == 0
    t.g.natural_wonder_owner[names.NATURAL_WONDERS.index("Pantanal")] = 0
    t.refresh()
    assert t.g.power[0, codes.ATTACKS] == 1


# --- tiles


def laid(r, seed):
    g = np.zeros(1, state.STATE).view(np.recarray)[0]
    g.players, g.round_cap = 4, 3
    g.leader[:4] = range(4)
    seed_streams(g, seed, 0)
    start_game(r, g, state.new_work(), BOTS)
    return set(g.tile[: g.n_spaces].tolist()), g.core_side


def test_own_tiles_are_laid_and_tiles_out_of_the_game_are_not(rules):
    more = rules(ALL).compile()
    fewer = rules(f"tiles: {KINDS['tiles'][:-1]}, 12: {{available: false}}}}").compile()  # the base game lays all it has
    found = [laid(more, seed)[0] for seed in range(12)]
    assert any(22 in tiles for tiles in found)
    assert all(12 not in laid(fewer, seed)[0] for seed in range(12))
    printed = [laid(load_ruleset().compile(), seed) for seed in range(12)]
    assert any(12 in tiles for tiles, _ in printed)


@pytest.mark.parametrize("box", BOTH)
def test_there_have_to_be_enough_tiles_and_room_for_them(rules, box):
    data = load_ruleset(box=box).data["tiles"]["tiles"]
    stars = [key for key, tile in data.items() if tile["kind"] == "capital"]
    gone = "\n".join(f"  {key}: {{available: false}}" for key in stars[2:])
    assert "available tiles of kind capital" in refused(rules, f"tiles:\n{gone}", box)
    plain = [key for key, tile in data.items() if tile["kind"] == "plain"]
    if box == "base":
        others = [key for key, tile in data.items() if tile["kind"] == "natural_wonder"]
        gone = "\n".join(f"  {key}: {{available: false}}" for key in others[1:])
        assert "at least 2 available tiles of kind natural_wonder" in refused(rules, f"tiles:\n{gone}", box)
        gone = "\n".join(f"  {key}: {{available: false}}" for key in plain)
        assert rules("tiles: {}\n") is not None
    else:
        tile = KINDS["tiles"][5:-1]
        many = "\n".join(f"  {number}: {tile}" for number in range(22, 26))
        assert "expected at most" in refused(rules, f"tiles:\n{many}", box)


# --- focus cards


@pytest.mark.parametrize("box", BOTH)
def test_an_added_card_is_in_every_deck_beside_the_printed_one(rules, box):
    r = rules(ALL, box).compile()
    t = Table(rules=r)
    n = science.list_upgrades(r, t.g, t.w, 0, 0, 2, 0)
    codes = {int(option) // 8 for option in t.w.option[:n]}
    assert {FIRST_OWN_CARD, names.SCIENCE * names.N_LEVELS + 1} <= codes
    assert (r.card_type[FIRST_OWN_CARD], r.card_level[FIRST_OWN_CARD], r.card_unique[FIRST_OWN_CARD]) == (names.SCIENCE, 2, -1)
    assert r.card_trade_first[FIRST_OWN_CARD] == 2


def test_a_card_in_place_of_a_printed_one_has_its_code(rules):
    r = rules(own("focus_cards", in_place_of="mathematics")).compile()
    code = names.SCIENCE * names.N_LEVELS + 1
    assert bytes(r.card_name[code]).rstrip(b"\0") == b"Moon School"
    assert (r.card_trade_first[code], r.card_level[FIRST_OWN_CARD]) == (2, 0)


def test_the_words_of_a_card_hold_while_it_lies_in_the_row(rules):
    t = Table(rules=rules(ALL).compile())
    h = t.holder(0, "science")
    before = int(t.g.card[0, h])
    science.replace_card(t.r, t.g, t.w, 0, h, FIRST_OWN_CARD)
    winning.settle(t.r, t.g, t.w, BOTS)
    assert t.g.power[:2, codes.DIAL_SPACES].tolist() == [1, 0]
    science.replace_card(t.r, t.g, t.w, 0, h, before)
    winning.settle(t.r, t.g, t.w, BOTS)
    assert t.g.power[0, codes.DIAL_SPACES] == 0


# --- what agendas count


def value(t, metric, kind=-1):
    ready(counts.expansion_metric)  # printed agendas of the base game never ask for it
    return int(counts.metric(t.r, t.g, 0, names.METRICS.index(metric), kind))


COUNTED = [
    ("control_tokens_on_map", -1, lambda t: t.token(0, (1, 0), (2, 0)), 2),
    ("friendly_spaces", -1, lambda t: t.token(0, (1, 0), (2, 0)), 2),
    ("spaces_of_terrain", names.HILLS, lambda t: t.token(0, (1, 0), (2, 0)), 1),
    ("world_wonders", -1, lambda t: t.wonder("Petra", (0, 0)), 1),
    ("diplomacy_cards_held", -1, lambda t: (t.diplomacy(0, 1, "Embassy"), t.city_state_card(0, "Seoul")), 2),
    ("trade_tokens_on_cards", -1, lambda t: (t.trade(0, "science", 2), t.trade(0, "culture", 1)), 3),
    ("trade_tokens_gained", -1, lambda t: t.g.stat_trade_gained.__setitem__(0, 4), 4),
    ("caravans_on_map", -1, lambda t: t.caravan(0, (1, 1)), 1),
    ("caravans_arrived", -1, lambda t: t.g.stat_arrivals.__setitem__((0, slice(None)), [2, 3]), 5),
    ("cities_built", -1, lambda t: t.g.stat_cities_built.__setitem__(0, 2), 2),
    ("attacks_won", -1, lambda t: t.g.stat_attacks_won.__setitem__((0, slice(0, 5)), [1, 2, 3, 4, 5]), 15),
    ("attacks_beaten_off", -1, lambda t: t.g.stat_defences_won.__setitem__(0, 3), 3),
    ("barbarians_defeated", -1, lambda t: t.g.stat_attacks_won.__setitem__((0, slice(0, 5)), [1, 2, 3, 4, 5]), 1),
    ("rival_cities_defeated", -1, lambda t: t.g.stat_attacks_won.__setitem__((0, slice(0, 5)), [1, 2, 3, 4, 5]), 9),
    ("focus_cards_from_level", 2, lambda t: (t.card(0, "Mathematics"), t.card(0, "Drama and Poetry")), 2),
    ("focus_cards_of_level_in_row", 2, lambda t: t.card(0, "Mathematics"), 1),
    ("resource_and_natural_wonder_tokens", -1, lambda t: t.give_resources(0, oil=3), 3),
    ("victory_cards_claimed", -1, lambda t: t.g.claimed.__setitem__((0, slice(0, 2)), 1), 2),
    ("reinforced_control_tokens", -1, lambda t: t.token(0, (1, 0), reinforced=True), 1),
]


@pytest.mark.parametrize(("metric", "kind", "prepare", "more"), COUNTED)
def test_a_metric_counts_what_it_says(metric, kind, prepare, more):
    t = Table(terrain={(1, 0): "hills"}, victory=(0, 1, 2))
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    before = value(t, metric, kind)
    prepare(t)
    assert value(t, metric, kind) - before == more


def test_every_metric_of_house_rules_is_tested_here_or_with_the_expansion():
    own_ones = names.METRICS[names.METRIC_TOKENS :]
    assert set(own_ones) <= {metric for metric, *_ in COUNTED}


def agenda(condition):
    return json.dumps({"victory_cards": {"x_y": {"agendas": [
        {"name": "Mine", "condition": condition}, {"name": "Other", "condition": {"metric": "mature_cities", "at_least": 9}},
    ]}}})  # fmt: skip


TRADER = {"metric": "trade_tokens_on_cards", "at_least": 3}
FOREST = {"metric": "spaces_of_terrain", "terrain": "forest", "at_least": 1}


@pytest.mark.parametrize(("pair", "met"), [("any_of", [0, 1, 1, 1]), ("all_of", [0, 0, 0, 1])])
def test_of_a_pair_one_or_both_have_to_hold(rules, pair, met):
    r = rules(agenda({pair: [TRADER, FOREST]})).compile()
    card = int(np.argwhere(r.agenda_metric == names.METRIC_TRADE)[0][0])
    found = []
    for trade, forest in ((0, 0), (3, 0), (0, 1), (3, 1)):
        t = Table(rules=r, victory=[card], terrain={(1, 0): "forest"})
        t.capital(0, (0, 0))
        t.trade(0, "science", trade)
        if forest:
            t.token(0, (1, 0))
        winning.settle(t.r, t.g, t.w, BOTS)
        found.append(int(t.g.claimed[0, 0] != 0))
    assert found == met


def test_both_sides_of_a_pair_may_count_by_something(rules):
    level = {"metric": "focus_cards_from_level", "level": 3, "at_least": 2}
    r = rules(agenda({"any_of": [FOREST, level]})).compile()
    card, half = np.argwhere(r.agenda_metric == names.METRIC_TERRAIN)[0]
    assert (r.agenda_kind[card, half], r.agenda_kind2[card, half]) == (names.FOREST, 3)


@pytest.mark.parametrize(
    ("condition", "fragment"),
    [
        ({"metric": "spaces_of_terain", "at_least": 1}, "did you mean 'spaces_of_terrain'?"),
        ({"metric": "spaces_of_terrain", "at_least": 1}, "condition.terrain: is missing: spaces_of_terrain needs a terrain"),
        ({"metric": "mature_cities", "level": 2, "at_least": 1}, "level: says nothing: mature_cities counts by no level"),
        ({"any_of": [TRADER], "all_of": [TRADER, FOREST]}, "any_of: expected at least 2 in the list"),
        ({"any_of": [TRADER, FOREST], "all_of": [TRADER, FOREST]}, "expected any_of or all_of, not both"),
        ({"all_of": [TRADER, {"metric": "wonders_of_type", "at_least": 1}]}, "all_of.1.type: is missing"),
        ({"metric": "forts_held", "at_least": 1}, "condition.metric: expected"),
    ],
)
def test_a_wrong_condition_is_one_line(rules, condition, fragment):
    assert fragment in refused(rules, agenda(condition))


def test_what_the_expansion_counts_may_count_there(rules):
    assert rules(agenda({"metric": "forts_held", "at_least": 1}), "terra-incognita").compile().agendas_beyond == 0
    assert rules(agenda(TRADER), "terra-incognita").compile().agendas_beyond == 1
    assert rules(agenda({"metric": "mature_cities", "at_least": 1})).compile().agendas_beyond == 0


# --- played


def played(ruleset, games, box="base"):
    r = ruleset.compile()
    plan = plan_by(r, players=3, games=games, seed=5, strategies=["planner"])
    return r, play_range(plan, r, 0, games, Silent())


@pytest.mark.parametrize("box", BOTH)
def test_games_with_all_own_kinds_end(rules, box):
    text = f"{ALL}\nvictory_cards: {json.dumps(json.loads(agenda({'all_of': [TRADER, FOREST]}))['victory_cards'])}"
    _, rows = played(rules(text, box), 6, box)
    assert (rows.games["ending"] == names.ENDINGS.index("victory")).all()


def test_planted_strong_content_is_used(rules):
    """The planner takes a strong card rather than the printed one, and more of natural wonders that give much."""
    strong = own("focus_cards", abilities=[{"effect": "dial_spaces", "amount": 2}])
    weak = own("focus_cards", abilities=[])
    spaces = {}
    for name, text in (("strong", strong), ("weak", weak)):
        spaces[name] = played(rules(text), 100)[1].games["rounds"].mean()
    assert spaces["strong"] < spaces["weak"] - 0.5, "faster dials win sooner"
    keys = ("cliffs_of_dover", "torres_del_paine", "crater_lake", "mt_everest", "galapagos_islands", "grand_mesa")
    gift = "{abilities: [{effect: trade_tokens, moment: start_of_turn, amount: 3}]}"
    rich = "natural_wonders: {" + ", ".join(f"{key}: {gift}" for key in keys) + "}"
    held = [played(ruleset, 100)[1].seats["natural_wonders"].mean() for ruleset in (rules(rich), load_ruleset())]
    assert held[0] > held[1] * 1.1
