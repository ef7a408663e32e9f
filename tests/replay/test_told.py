"""What the engine writes into the turn log, in words: a reader has to be able to follow the pieces by them."""

import pytest
from table import ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import barbarians, culture, decisions, districts, pieces, state, trade
from newdawn.simulator.replay.log_in_words import LogSentences

WIN, EAST = (6, 1), 0


@pytest.fixture
def t():
    return ti_table_with((0, 0))


def told(t, deed, *arguments, turn_of=0):
    """Return the sentences of what the deed does in a turn of the seat."""
    words = LogSentences(t.r, t.g)
    words.current = t.g.current = turn_of
    start = int(t.w.log_n)
    deed(*arguments)
    return [line.strip() for line in words.lines(t.w.log[start : t.w.log_n].tolist())]


@pytest.mark.parametrize("reinforced", [False, True])
def test_a_district_that_is_moved_is_not_turned_over(t, reinforced):
    t.district(0, "Campus", (1, 0), reinforced=reinforced)
    t.script((decisions.MOVE_TOKEN, t.at((1, 0)) * 256 + t.at((2, 0))))
    lines = told(t, t.call, culture.move_token, 0)
    assert lines[:2] == ["takes its own Campus off N16 (grassland)", "places the Campus on O16 (grassland)"]
    assert lines[2:] == ["the Campus of Rome (seat 1) on O16 (grassland) is reinforced"] * reinforced


def test_a_district_that_is_turned_beaten_or_built_over_goes_by_its_name(t):
    t.district(1, "Campus", (1, 0), reinforced=True)
    t.token(0, (-1, 0))
    t.district(0, "Encampment", (-2, 0))
    assert "the Campus of Egypt" in told(t, pieces.flip_token, t.g, t.w, t.at((1, 0)), names.REINFORCED)[0]
    lines = told(t, pieces.swap_token, t.g, t.w, 0, t.at((1, 0)), 1)
    assert lines[0] == "the Campus of Egypt (seat 2) on N16 (grassland) is removed by Rome"
    over = [told(t, pieces.put_city, t.r, t.g, t.w, 0, t.at(space))[0] for space in ((-1, 0), (-2, 0), (0, 2))]
    assert [line.partition(" in place of ")[2] for line in over] == ["its own control token", "its own Encampment", ""]


def test_an_army_that_beat_a_district_and_cannot_stay_goes_back(t):
    """T5.12: the guard is beaten, the district still stands."""
    t.district(1, "Campus", (2, 0))
    t.army(1, (2, 0))
    t.dice(*WIN)
    t.script((decisions.ARMY, 0), (decisions.ARMY_TO, (2, 0)), (decisions.ARMY_TARGET, state.TARGET_ARMY * 8 + 1))
    lines = told(t, t.resolve, 0, "Masonry", 5)
    assert "army 1 of Rome (seat 1) goes back from O16 (grassland) to N16 (grassland)" in lines


def test_a_barbarian_that_is_barred_says_so(t):
    t.wonder("Petra", (0, 0))
    t.barbarian("A", (-1, 0))
    lines = told(t, t.call, barbarians.raid, 0, EAST)
    assert lines == ["barbarian A is barred and turns round, from L16 (grassland) to K16 (grassland)"]


def test_a_barbarian_that_is_barred_on_both_sides_stays_and_says_so(t):
    t.wonder("Petra", (0, 0))
    t.city(0, (-2, 0))
    t.barbarian("A", (-1, 0))
    assert told(t, t.call, barbarians.raid, 0, EAST) == ["barbarian A is barred and stays on L16 (grassland)"]


def test_a_barbarian_that_turns_back_at_the_edge_says_so(t):
    t.barbarian("A", (3, 0))
    t.barbarian("B", (2, 0))
    lines = told(t, t.call, barbarians.raid, 0, EAST)
    assert lines == ["barbarian A turns back at the map's edge, from P16 (grassland) to O16 (grassland)"]
    t.g.terrain[t.at((3, 0))] = names.WATER
    assert told(t, t.call, barbarians.raid, 1, EAST) == ["barbarian B is turned back at the edge and stays on O16 (grassland)"]
    t.barbarian("C", (-2, 0))
    assert "moves from" in told(t, t.call, barbarians.raid, 2, EAST)[0]


@pytest.mark.parametrize(
    ("tokens", "comes"),
    [
        (0, "gets 1 trade token on Astrology (science I) [district]"),
        (3, "loses 1 trade token, for which there is no room on the science card [district]"),
    ],
)
@pytest.mark.parametrize("choices", [False, True])
def test_trade_tokens_of_a_district_that_find_no_room_are_told(t, tokens, comes, choices):
    t.g.terrain[t.at((1, 0))] = names.MOUNTAIN
    t.district(0, "Campus", (1, 0))
    t.trade(0, "science", tokens)
    t.script((decisions.DISTRICT_EFFECT, 0))
    words = LogSentences(t.r, t.g, choices=choices)
    words.current = t.g.current = 0
    t.call(districts.use_district, 0, names.CAMPUS)
    lines = words.lines(t.w.log[: t.w.log_n].tolist())
    used = [line for line in lines if "uses the Campus" in line]
    assert [line.endswith("for the mountains around") for line in used] == [True]
    assert lines[-1].strip() == comes


@pytest.mark.parametrize(
    ("tokens", "amount", "said"),
    [
        (1, 1, "uses 1 token that stays on Astrology (science I) [science card]"),
        (2, 2, "gives 1 trade token from Astrology (science I), uses 1 token that stays on it [science card]"),
    ],
)
def test_a_token_that_stays_is_not_given(t, tokens, amount, said):
    """B10.2: the token of a conquered city-state is used and not given away."""
    t.conquered(0, "Seoul", (2, 0))
    t.trade(0, "science", 2)
    spent = (decisions.KEPT_CITY_STATE + t.city_state_code("Seoul"), decisions.PLAIN_TOKEN)
    t.script(*[(decisions.SPEND_TOKEN, token) for token in spent[:tokens]])
    assert told(t, t.call, trade.spend, 0, t.holder(0, "science"), amount, -1, decisions.SOURCE_SCIENCE) == [said]


def test_resources_that_palenque_spends_are_not_given_from_the_card(t):
    t.city_state_card(0, "Palenque")
    t.give_resources(0, oil=1)
    t.trade(0, "science", 1)
    assert told(t, t.call, trade.spend, 0, t.holder(0, "science"), 2, -1, decisions.SOURCE_SCIENCE) == [
        "pays 1 oil",
        "gives 1 trade token from Astrology (science I), uses 1 resource as a trade token of it [science card]",
    ]
