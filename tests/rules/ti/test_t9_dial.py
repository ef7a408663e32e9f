"""T9: the event dial of the expansion and its wonder icon; T6.6: cities beside cities and forts."""

from functools import partial

import pytest
from table import AROUND, BOTS, ti_rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, industry, state, turn
from newdawn.simulator.engine.choosing import LOG_EVENT
from newdawn.simulator.rules.ruleset_contents import written

ANCIENT = ("Stonehenge", "Hanging Gardens", "Forbidden City")  # culture wonders

table = partial(ti_table_with, (0, 0), (3, 0))


def code(t, wonder):
    return written(t.r, "wonder").index(wonder)


def tokens(t, wonder):
    return int(t.g.wonder_trade[code(t, wonder)])


# --- T9.1: the sections


@pytest.mark.rule("T9.1")
def test_the_dial_has_six_sections_without_trade_and_begins_unresolved():
    t = table()
    assert (t.g.event, t.r.event_sections) == (0, 6)
    for _ in range(7):
        t.call(turn.turn_event_dial)
    rows = [(row[2] + 1, row[3]) for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_EVENT]
    appear, move, _, district, govern, wonder = (1 << bit for bit in range(len(names.EVENT_ICONS)))
    assert rows == [(2, move), (3, district), (4, govern | wonder), (5, move), (6, district), (1, appear | wonder), (2, move)]


@pytest.mark.rule("T9.1")
@pytest.mark.parametrize(
    ("section", "appears", "uses", "governs", "tempts"),
    [(1, 1, 0, 0, 1), (2, 0, 0, 0, 0), (3, 0, 1, 0, 0), (4, 0, 0, 1, 1), (5, 0, 0, 0, 0), (6, 0, 1, 0, 0)],
)
@pytest.mark.effect("districts")
@pytest.mark.effect("government")
@pytest.mark.effect("wonder")
def test_each_section_has_its_events(section, appears, uses, governs, tempts):
    t = table(terrain={(1, 0): "mountain"})
    t.district(0, "Campus", (1, 0))
    t.deck(*ANCIENT)
    t.g.barbarian_home[0] = t.at((-3, 3))
    t.g.barbarian_space[0] = -1
    t.g.event = (section - 2) % 6
    t.script()
    t.call(turn.turn_event_dial)
    assert (t.g.barbarian_space[0] >= 0) == bool(appears)
    assert ("district_effect" in t.asked_kinds()) == bool(uses)
    assert ("government" in t.asked_kinds()) == bool(governs)
    assert tokens(t, "Stonehenge") == tempts


@pytest.mark.rule("T9.1")
@pytest.mark.rule("B3.1")
def test_it_turns_at_the_end_of_each_round():
    t = table(victory=(0, 1, 2))
    t.g.round_number = 0
    events = []
    for _ in range(6):
        turn.play_step(t.r, t.g, t.w, BOTS)
        events.append(int(t.g.event))
    assert events == [0, 0, 1, 1, 2, 2]


# --- T9.2: the wonder icon


def tempt(t, times=1):
    for _ in range(times):
        t.call(turn.resolve_icons, names.ICON_WONDER)


@pytest.mark.rule("T9.2")
@pytest.mark.effect("wonder")
def test_a_trade_token_lies_on_each_face_up_wonder():
    t = table()
    t.deck(*ANCIENT)
    t.deck("Colossus", "Great Lighthouse")
    tempt(t)
    assert [tokens(t, w) for w in (*ANCIENT, "Colossus", "Great Lighthouse")] == [1, 0, 0, 1, 0]


@pytest.mark.rule("T9.2")
@pytest.mark.effect("wonder")
def test_a_wonder_that_would_get_its_second_token_leaves_the_game_and_the_next_is_bare():
    t = table()
    t.deck(*ANCIENT)
    tempt(t, 2)
    assert t.g.wonder_place[code(t, "Stonehenge")] == state.WONDER_BOX
    assert t.g.wonder_place[code(t, "Hanging Gardens")] == state.WONDER_FACE_UP
    assert [tokens(t, w) for w in ANCIENT] == [0, 0, 0]
    tempt(t)
    assert [tokens(t, w) for w in ANCIENT] == [0, 1, 0]


@pytest.mark.rule("T9.2")
def test_the_last_wonder_of_a_deck_leaves_it_used_up():
    t = table()
    t.deck("Stonehenge")
    tempt(t, 4)
    kind = names.CULTURE
    assert (t.g.deck_next[kind], t.g.deck_size[kind]) == (1, 1)
    assert t.g.wonder_place[code(t, "Stonehenge")] == state.WONDER_BOX


@pytest.mark.rule("T9.2")
@pytest.mark.parametrize("tempted", [0, 1])
def test_a_card_with_a_token_costs_one_less_and_the_token_goes_when_it_is_built(tempted):
    t = table()
    t.deck(*ANCIENT)
    tempt(t, tempted)
    wonder = code(t, "Stonehenge")
    cost = int(t.r.wonder_cost[wonder]) - tempted
    assert industry.wonder_cost(t.r, t.g, 0, wonder) == cost
    t.give_resources(0, marble=1)
    t.trade(0, "industry", 3)
    slot = cost - 2 - 3
    t.script(
        (decisions.INDUSTRY, decisions.WONDER_OPTION + wonder),
        (decisions.PAY, decisions.PAY_TRADE),
        (decisions.PAY, decisions.PAY_TRADE),
        (decisions.PAY, decisions.PAY_TRADE),
    )
    t.resolve(0, "Pottery", slot)
    assert t.g.wonder_place[wonder] == state.WONDER_BUILT
    assert (t.trade_on(0, "industry"), t.g.resources[0].sum(), tokens(t, "Stonehenge")) == (0, 0, 0)


@pytest.mark.rule("T9.2")
def test_the_wonders_come_last_on_their_section():
    t = table()
    t.deck(*ANCIENT)
    t.g.event = 2
    t.script()
    t.call(turn.turn_event_dial)
    assert t.asked_kinds() == ["government", "government"]
    assert tokens(t, "Stonehenge") == 1


@pytest.mark.rule("T9.2")
def test_a_used_up_deck_tempts_nobody():
    t = table()
    t.deck("Stonehenge")
    for _ in range(4):
        t.call(turn.resolve_icons, names.ICON_WONDER)
    assert t.g.wonder_trade.sum() == 0


# --- T6.6: cities beside cities and forts


@pytest.mark.rule("T6.6")
@pytest.mark.parametrize(("ruling", "mature"), [("never", False), ("city_counts", True)])
def test_a_city_beside_an_own_city_matures_by_ruling(tmp_path, ruling, mature):
    rules = ti_rules_with(tmp_path, rulings={"mature_beside_city": ruling})
    t = table(rules=rules)
    t.conquered(0, "Carthage", (1, 0))
    t.token(0, *AROUND[1:])
    assert t.mature(0, (0, 0)) == mature
    t = table(rules=rules)
    t.fort((1, 0))
    t.token(0, *AROUND[1:])
    assert not t.mature(0, (0, 0))  # an uncontrolled fort is nothing friendly
    t.city(0, (1, 0))
    assert t.mature(0, (0, 0)) == mature
