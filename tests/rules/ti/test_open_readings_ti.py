"""Readings of the expansion that the rulebook leaves open: switches in both readings that no other file tries."""

import pytest
from battles import ruled
from table import PASS, Table, card_codes, table_with_the_rival_far_off, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, districts, pieces, science, state, turn
from newdawn.simulator.engine.choosing import LOG_EXPLORE
from newdawn.simulator.engine.pieces import settle_loans

WIN, LOSE = (6, 1), (1, 6)
HOME_TILE, AWAY_TILE, WILD_TILE = 7, 9, 3  # two capital tiles and one without a star
STACK = [13, 12, 5]
CAMPUS = 0


def table(ruling=None, option=None, leaders=("Rome", "Egypt"), radius=4, **kw):
    """Return a table with the capital of seat 0 in the middle and that of seat 1 in the west, and one ruling chosen."""
    rules = ruled(ruling, option) if option else None
    return table_with_the_rival_far_off(rules, radius, leaders=leaders, **kw)


def offered(t, kind, nth=0):
    """Return the spaces that the nth decision of the kind offers."""
    return {t.coordinates[s] for s in t.options(kind, nth) if s < decisions.EXPLORE}


def where(t, p=0, a=0):
    s = int(t.g.army[p, a])
    return t.coordinates[s] if s >= 0 else None


# --- T2.3 Venetian Arsenal and a card that acts as from slot 5


@pytest.mark.rule("T2.3", "T12.23")
@pytest.mark.effect("Venetian Arsenal")
@pytest.mark.parametrize(("option", "asked"), [(None, True), ("lies_there", False), ("acts_there", True)])
@pytest.mark.parametrize("shift", ["Taj Mahal", "government"])
def test_venetian_arsenal_and_a_card_that_acts_as_from_slot_5(option, asked, shift):
    t = table("repeated_slot", option)
    t.wonder("Venetian Arsenal", (0, 0))
    kinds = ("growth", "culture", "economy", "industry", "science", "military")
    t.g.row[0, :6] = [t.holder(0, kind) for kind in kinds]
    first = []
    if shift == "government":
        t.g.government[0], t.g.government_type[0] = t.holder(0, "science"), names.SCIENCE
    else:
        t.city(0, (-2, 0))
        t.wonder("Oracle", (-2, 0))
        t.city(0, (0, -2))
        t.wonder("Taj Mahal", (0, -2))
        first = [(decisions.START_EFFECT, PASS)]
    again = [(decisions.REPEAT_CARD, 1), (decisions.SCIENCE, 1)] if asked else []
    t.script(*first, (decisions.CARD, 4), (decisions.SCIENCE, 1), *again)
    t.take_turn(0)
    assert ("repeat_card" in t.asked_kinds()) == asked
    assert int(t.g.dial[0]) >= (6 if asked else 5)


@pytest.mark.rule("T2.3")
@pytest.mark.effect("Venetian Arsenal")
def test_what_lies_in_the_sixth_place_is_repeated_in_both_readings():
    for option in ("lies_there", "acts_there"):
        t = table("repeated_slot", option)
        t.wonder("Venetian Arsenal", (0, 0))
        kinds = ("growth", "culture", "economy", "industry", "military", "science")
        t.g.row[0, :6] = [t.holder(0, kind) for kind in kinds]
        t.script((decisions.CARD, 5), (decisions.SCIENCE, 1), (decisions.REPEAT_CARD, 1), (decisions.SCIENCE, 1))
        t.take_turn(0)
        assert int(t.g.dial[0]) == 6, option


# --- T4.3 Chichen Itza's forests


@pytest.mark.rule("T4.3")
@pytest.mark.effect("Chichen Itza")
@pytest.mark.parametrize(("option", "forest"), [(None, True), ("districts_too", True), ("tokens_only", False)])
def test_districts_on_the_forests_of_chichen_itza(option, forest):
    t = table("chichen_itza_districts", option, terrain={(3, 0): "forest"})
    t.wonder("Chichen Itza", (0, 0))
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), (decisions.PLACE_DISTRICT, t.at((1, 0)) * 8 + CAMPUS))
    t.resolve(0, "Irrigation", 3)
    assert ((3, 0) in {t.coordinates[v // 8] for v in t.options(decisions.PLACE_DISTRICT)}) == forest
    t.script((decisions.PLACE_TOKEN, PASS))
    t.resolve(0, "Early Empire", 3)
    assert (3, 0) in offered(t, decisions.PLACE_TOKEN), "a control token may go there all the same"


@pytest.mark.rule("T4.10", "B5.2")
@pytest.mark.effect("Chichen Itza")
@pytest.mark.parametrize(("option", "forest"), [(None, True), ("any_effect", True), ("beside_cities", False)])
def test_tokens_beside_districts_on_the_forests_of_chichen_itza(option, forest):
    t = table("chichen_itza_effects", option, terrain={(3, 0): "forest"})
    t.wonder("Chichen Itza", (0, 0))
    t.script((decisions.GROWTH, decisions.GROWTH_DISTRICT), (decisions.PLACE_DISTRICT, t.at((0, 1)) * 8 + CAMPUS))
    t.resolve(0, "Engineering", 3)
    assert ((3, 0) in offered(t, decisions.PLACE_TOKEN)) == forest
    assert (0, 2) in offered(t, decisions.PLACE_TOKEN)


# --- T12.4 Akkad, Flight and a pact


def pact(option, card="Akkad", **kw):
    """Return a table where seat 0 holds the pact of seat 1, whose token lies east of it."""
    t = table("pact_in_passing", option, **kw)
    t.token(1, (1, 0), (1, -1), (0, 1), (0, -1), (-1, 0), (-1, 1))
    t.diplomacy(0, 1, "Non-Aggression Pact")
    if card == "Akkad":
        t.city_state_card(0, "Akkad")
    t.army(0, (0, 0))
    return t


@pytest.mark.rule("T12.4", "T12.2", "T5.4")
@pytest.mark.effect("Akkad", "Non-Aggression Pact")
@pytest.mark.parametrize(("option", "passes"), [(None, False), ("blocked", False), ("may_pass", True)])
@pytest.mark.parametrize("card", ["Akkad", "Flight"])
def test_an_army_that_may_not_attack_the_tokens_it_could_pass(option, passes, card):
    t = pact(option, card)
    t.script((decisions.ARMY, 0), *([(decisions.ARMY_TO, (2, 0))] if passes else []))
    t.resolve(0, "Flight" if card == "Flight" else "Masonry", 5)
    assert ((2, 0) in offered(t, decisions.ARMY_TO)) == passes
    assert (1, 0) not in offered(t, decisions.ARMY_TO), "it can end there by an attack only, which the pact forbids"
    assert t.combats() == []
    assert where(t) == ((2, 0) if passes else (0, 0))


@pytest.mark.rule("T12.4", "T12.2")
@pytest.mark.effect("Akkad", "Non-Aggression Pact")
def test_what_akkad_does_not_pass_stays_closed_to_the_holder_of_the_pact():
    t = pact("may_pass")
    t.caravan(1, (1, 0))
    t.army(1, (1, -1))
    t.script((decisions.ARMY, 0))
    t.resolve(0, "Masonry", 5)
    reached = offered(t, decisions.ARMY_TO)
    assert not {(1, 0), (1, -1)} & reached


# --- T6.6 Open Borders


@pytest.mark.rule("T6.6", "B1.4")
@pytest.mark.effect("Open Borders")
@pytest.mark.parametrize(("option", "mature"), [(None, False), ("like_own_cities", False), ("like_tokens", True)])
def test_a_city_of_the_giver_beside_an_own_city(option, mature):
    t = table("open_borders_cities", option)
    t.conquered(1, "Geneva", (1, 0))
    t.token(0, (0, 1), (-1, 1), (-1, 0), (0, -1))
    t.diplomacy(0, 1, "Open Borders")
    assert not t.mature(0, (0, 0)), "a space is still bare"
    t.token(1, (1, -1))
    assert t.mature(0, (0, 0)) == mature


@pytest.mark.rule("T6.6")
@pytest.mark.effect("Open Borders")
def test_neither_an_own_city_nor_a_city_of_another_player_counts_with_open_borders():
    for owner in (0, 2):
        t = table("open_borders_cities", "like_tokens", leaders=("Rome", "Egypt", "France"))
        t.conquered(owner, "Geneva", (1, 0))
        t.token(0, (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
        t.diplomacy(0, 1, "Open Borders")
        assert not t.mature(0, (0, 0))


@pytest.mark.rule("T6.6")
@pytest.mark.effect("Open Borders")
def test_where_own_cities_count_those_of_the_giver_do_too():
    t = table("mature_beside_city", "city_counts")
    t.conquered(1, "Geneva", (1, 0))
    t.token(0, (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    t.diplomacy(0, 1, "Open Borders")
    assert t.mature(0, (0, 0))


# --- T7.1 exploring in passing


def edge_of_home(option, **kw):
    """Return a row of spaces along the map's edge: the capital's tile in the west, (2, 0) its last space, then a wild tile."""
    spaces = [(q, row) for q in range(6) for row in (0, 1)]
    t = Table(rules=ruled("explore_in_passing", option) if option else ti_rules(), spaces=spaces, **kw)
    for (q, _), s in t.index.items():
        t.g.tile[s] = HOME_TILE if q <= 2 else WILD_TILE
    t.capital(0, (0, 0))
    t.g.stack[: len(STACK)] = STACK
    t.g.stack_n = len(STACK)
    return t


def explored(t):
    return [t.coordinates[row[2]] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_EXPLORE]


READINGS = pytest.mark.parametrize(
    ("option", "passing"), [(None, False), ("where_it_may_stay", False), ("where_it_passes", True)]
)


@pytest.mark.rule("T7.1")
@READINGS
def test_a_caravan_that_passes_a_city_state(option, passing):
    t = edge_of_home(option)
    t.city_state("Geneva", (2, 0))
    t.caravan(0, (1, 0))
    here = decisions.EXPLORE + t.at((2, 0))
    t.script((decisions.CARAVAN, 0), *([(decisions.CARAVAN_TO, here), (decisions.CARAVAN_TO, (3, 0))] if passing else []))
    t.resolve(0, "Foreign Trade", 3)
    assert (here in t.options(decisions.CARAVAN_TO)) == passing
    assert explored(t) == ([(2, 0)] if passing else [])
    if passing:
        assert t.coordinates[t.g.caravan[0, 0]] == (3, 0)
        assert PASS not in next(options for kind, _, options in t.asked()[::-1] if kind == decisions.CARAVAN_TO), (
            "it cannot stay"
        )
        assert t.g.stat_arrivals[0].sum() == 0


@pytest.mark.rule("T7.1", "B7.5")
def test_having_explored_in_passing_it_may_also_arrive_there():
    t = edge_of_home("where_it_passes")
    t.city_state("Geneva", (2, 0))
    t.caravan(0, (1, 0))
    t.script(
        (decisions.CARAVAN, 0),
        (decisions.CARAVAN_TO, decisions.EXPLORE + t.at((2, 0))),
        (decisions.CARAVAN_TO, (2, 0)),
        (decisions.TAKE_DIPLOMACY, PASS),
    )
    t.resolve(0, "Foreign Trade", 3)
    assert t.g.caravan[0, 0] == state.ON_CARD
    assert t.g.stat_arrivals[0].tolist() == [1, 0]
    assert int(t.g.caravans.sum()) == 0


@pytest.mark.rule("T7.1", "B7.4")
def test_a_caravan_does_not_explore_where_it_could_neither_arrive_nor_go_on():
    t = edge_of_home("where_it_passes")
    t.city_state("Geneva", (2, 0))
    t.g.arrived[t.at((2, 0))] = 1
    t.caravan(0, (1, 0))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 3)
    assert decisions.EXPLORE + t.at((2, 0)) in t.options(decisions.CARAVAN_TO), (
        "one step to get there, one to explore, one to go on"
    )
    t.caravan(0, (0, 0))
    t.script((decisions.CARAVAN, 0))
    t.resolve(0, "Foreign Trade", 3)
    assert decisions.EXPLORE + t.at((2, 0)) not in t.options(decisions.CARAVAN_TO)


@pytest.mark.rule("T7.1", "T12.2")
@pytest.mark.effect("Akkad")
@READINGS
def test_an_army_that_passes_a_rivals_token(option, passing):
    t = edge_of_home(option)
    t.token(1, (2, 0))
    t.city_state_card(0, "Akkad")
    t.army(0, (1, 0))
    here = decisions.EXPLORE + t.at((2, 0))
    t.script((decisions.ARMY, 0), *([(decisions.ARMY_TO, here), (decisions.ARMY_TO, (3, 0))] if passing else []))
    t.resolve(0, "Masonry", 3)
    assert (here in t.options(decisions.ARMY_TO)) == passing
    assert explored(t) == ([(2, 0)] if passing else [])
    if passing:
        assert where(t) == (3, 0)
        assert t.combats() == []


@pytest.mark.rule("T7.1", "T5.12")
@pytest.mark.effect("Akkad")
def test_having_explored_in_passing_it_may_attack_there_and_falls_back_as_ever():
    t = edge_of_home("where_it_passes")
    t.token(1, (2, 0))
    t.city_state_card(0, "Akkad")
    t.army(0, (1, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, decisions.EXPLORE + t.at((2, 0))), (decisions.ARMY_TO, (2, 0)))
    t.resolve(0, "Masonry", 3)
    assert [c.won for c in t.combats()] == [True]
    assert (where(t), t.owner((2, 0))) == ((2, 0), 0)


@pytest.mark.rule("T7.1", "T12.3")
@pytest.mark.effect("Antananarivo")
def test_from_a_city_on_loan_an_army_explores_and_goes_on_or_not_at_all():
    for steps, explores in ((1, True), (2, False)):
        t = edge_of_home("where_it_passes")
        t.city_state("Antananarivo", (2, 0))
        t.city_state_card(0, "Antananarivo")
        t.g.current, t.g.in_turn = 0, 1
        settle_loans(t.r, t.g, t.w)
        t.army(0, (2 - steps, 1))
        t.script((decisions.ARMY, 0))
        t.resolve(0, "Masonry", 3)
        assert (decisions.EXPLORE + t.at((2, 0)) in t.options(decisions.ARMY_TO)) == explores


# --- B9.5 the terrain of an attack, with armies


@pytest.mark.rule("B9.5", "T5.7")
@pytest.mark.effect("Scythia")
@pytest.mark.parametrize(("option", "from_hills", "onto_hills"), [(None, 0, 3), ("fought_over", 0, 3), ("attacked_from", 3, 0)])
def test_which_terrain_gives_an_attacking_army_its_bonus(option, from_hills, onto_hills):
    def bonus(terrain):
        spaces = [(q, 0) for q in range(5)]
        t = Table(
            rules=ruled("attack_terrain", option) if option else ti_rules(), leaders=("Scythia", "Rome"), spaces=spaces,
            terrain={(q, 0): "forest" for q in range(5)} | terrain,
        )  # fmt: skip
        t.capital(0, (0, 0))
        t.token(1, (2, 0))
        t.army(0, (1, 0))
        t.dice(*WIN)
        t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)))
        t.resolve(0, "Masonry", 5)
        return t.combats()[0].attack - 6 - 5

    assert bonus({(1, 0): "hills"}) == from_hills
    assert bonus({(2, 0): "hills"}) == onto_hills
    assert bonus({}) == 0


@pytest.mark.rule("B9.5", "T5.7")
@pytest.mark.effect("Scythia")
@pytest.mark.parametrize("option", ["fought_over", "attacked_from"])
def test_a_defender_looks_at_its_own_space_in_both_readings(option):
    t = Table(
        rules=ruled("attack_terrain", option), leaders=("Rome", "Scythia"), spaces=[(q, 0) for q in range(5)],
        terrain={(1, 0): "forest", (2, 0): "hills"},
    )  # fmt: skip
    t.capital(0, (0, 0))
    t.token(1, (2, 0))
    t.army(0, (1, 0))
    t.dice(*LOSE)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)))
    t.resolve(0, "Masonry", 5)
    assert t.combats()[0].defence == 6 + 2 + 3


@pytest.mark.rule("B9.5", "T5.7")
@pytest.mark.effect("Scythia")
def test_an_army_comes_by_the_way_that_serves_it_best_if_it_has_the_steps():
    """Entering from the hills takes a step more than straight through the forest."""
    for steps_short, bonus in ((0, 3), (1, 0)):
        spaces = [(0, 0), (1, 0), (2, 0), (3, 0), (2, 1), (1, 1), (0, 1)]
        t = Table(
            rules=ruled("attack_terrain", "attacked_from"), leaders=("Scythia", "Rome"), spaces=spaces,
            terrain=dict.fromkeys(spaces, "forest") | {(2, 1): "hills"},
        )  # fmt: skip
        t.capital(0, (0, 0))
        t.token(1, (3, 0))
        t.army(0, (1 - steps_short, 0))
        t.dice(*WIN)
        t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (3, 0)))
        t.resolve(0, "Masonry", 5)
        assert t.combats()[0].attack - 6 - 5 == bonus, steps_short


# --- T4.8 the Encampment and Open Borders; T5.5 an army that steps out beside a barbarian; T12.26 surplus figures


@pytest.mark.rule("T4.8")
@pytest.mark.effect("Open Borders")
@pytest.mark.parametrize(("option", "offered"), [(None, 0), ("own_tokens", 0), ("giver_tokens_too", 1)])
def test_the_encampment_and_the_tokens_of_the_giver_of_open_borders(option, offered):
    t = table("open_borders_encampment", option)
    t.district(0, "Encampment", (1, 0), reinforced=True)
    t.token(1, (2, 0))
    assert districts.list_plain_tokens(t.r, t.g, t.w, 0, t.at((1, 0))) == 0  # without the card it is a rival's token
    t.diplomacy(0, 1, "Open Borders")
    assert districts.list_plain_tokens(t.r, t.g, t.w, 0, t.at((1, 0))) == offered


@pytest.mark.rule("T5.5")
@pytest.mark.parametrize(("option", "attacks"), [(None, False), ("stands_there", False), ("attacks", True)])
def test_an_army_that_steps_out_into_a_capital_with_a_barbarian(option, attacks):
    t = table("army_beside_barbarian", option)
    t.barbarian("A", (0, 0))
    t.dice(6, 1)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (0, 0)), *[(decisions.PLACE_TRADE, t.holder(0, "science"))] * attacks)
    t.resolve(0, "Masonry", 5)
    assert int(t.g.barbarian_space[0]) == (-1 if attacks else t.at((0, 0)))
    assert int(t.g.army[0, 0]) == t.at((0, 0))


@pytest.mark.rule("T12.26", "B7.1")
@pytest.mark.effect("Great Library")
@pytest.mark.parametrize(
    ("option", "at_once", "after_the_turn"),
    [
        (None, ("map", "card", "card"), ("map", "card", "card")),
        ("stay", ("map", "card", "card"), ("map", "card", "card")),
        ("until_home", ("map", "gone", "gone"), ("map", "gone", "gone")),
        ("taken_back", ("map", "gone", "gone"), ("map", "gone", "gone")),
    ],
)
def test_caravans_beyond_the_number_of_a_lower_card(option, at_once, after_the_turn):
    t = table("surplus_figures", option)
    h = t.holder(0, "economy")
    t.g.card[0, h] = card_codes("terra-incognita")["Capitalism"]
    t.g.caravan[0, :3] = state.ON_CARD
    t.caravan(0, (1, 0))
    words = {state.ON_CARD: "card", state.NOT_OWNED: "gone"}
    science.replace_card(t.r, t.g, t.w, 0, h, card_codes("terra-incognita")["Foreign Trade"])
    assert tuple(words.get(int(s), "map") for s in t.g.caravan[0, :3]) == at_once
    t.call(turn.close_turn, 0)
    assert tuple(words.get(int(s), "map") for s in t.g.caravan[0, :3]) == after_the_turn


@pytest.mark.rule("T12.26")
@pytest.mark.parametrize(
    ("option", "at_once", "when_home"),
    [("stay", "map map", "card map"), ("until_home", "map map", "gone map"), ("taken_back", "map gone", "card gone")],
)
def test_armies_beyond_the_number_of_a_lower_card(option, at_once, when_home):
    t = table("surplus_figures", option)
    h = t.holder(0, "military")
    t.g.card[0, h] = card_codes("terra-incognita")["Iron Working"]
    t.army(0, (1, 0))
    t.army(0, (2, 0), 1)
    words = {state.ON_CARD: "card", state.NOT_OWNED: "gone"}

    def armies():
        return " ".join(words.get(int(s), "map") for s in t.g.army[0, :2])

    science.replace_card(t.r, t.g, t.w, 0, h, card_codes("terra-incognita")["Masonry"])
    assert armies() == at_once
    assert int(t.g.armies.sum()) == at_once.count("map")
    pieces.return_army(t.g, t.w, 0, 0)
    t.call(turn.close_turn, 0)
    assert armies() == when_home
