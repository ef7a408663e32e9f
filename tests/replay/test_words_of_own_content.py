"""Replays under house rules and with own content: who gets what by which ability, who explores, and causes before effects."""

import pytest
from table import Table, rules_with, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, combat, decisions, pieces, setup, start_effects
from newdawn.simulator.engine.abilities import gain_by, happen
from newdawn.simulator.replay.log_in_words import LogSentences
from newdawn.simulator.rules import codes

ROME = [
    {"effect": "trade_tokens", "amount": 2, "moment": "city_built"},
    {"effect": "resources", "amount": 1, "moment": "attack_won"},
    {"effect": "advance_dial", "amount": 1, "moment": "token_placed"},
    {"effect": "reinforce", "amount": 1, "moment": "start_of_turn"},
]
TREATY = {"name": "Treaty", "abilities": [{"effect": "trade_tokens", "amount": 1, "moment": "city_built"}]}
CARD = {
    "name": "Owncard",
    "type": "science",
    "level": 2,
    "abilities": [{"effect": "advance_dial", "amount": 1, "moment": "city_built"}],
}
EVERYONE = {"abilities": [{"effect": "trade_tokens", "amount": 1, "moment": "end_of_round"}]}


@pytest.fixture
def t(tmp_path):
    rules = rules_with(
        tmp_path, leaders={"rome": {"abilities": ROME, "start_trade_tokens": {"culture": 3, "science": 1}}},
        diplomacy={"treaty": TREATY}, focus_cards={"owncard": CARD}, everyone=EVERYONE,
    )  # fmt: skip
    t = Table(radius=3, leaders=("Rome", "Egypt"), rules=rules)
    t.capital(0, (0, 0))
    t.capital(1, (3, 0))
    return t


def told(t, deed, *arguments, choices=False):
    """Return the sentences of what the deed does in a turn of seat 0."""
    words = LogSentences(t.r, t.g, choices=choices)
    words.current = t.g.current = 0
    start = int(t.w.log_n)
    deed(*arguments)
    return [line.strip() for line in words.lines(t.w.log[start : t.w.log_n].tolist())]


def row_of(t, effect, holder="leader", code=0):
    """Return the row in RULES of an ability of the holder."""
    first, number = int(t.r[f"{holder}_first"][code]), int(t.r[f"{holder}_n"][code])
    return next(row for row in range(first, first + number) if codes.EFFECTS[t.r.ability_effect[row]] == effect)


def test_trade_tokens_that_the_game_begins_with_are_told(t):
    t.g.trade[0, names.CULTURE], t.g.trade[0, names.SCIENCE] = 3, 1
    assert told(t, setup.log_start_tokens, t.g, t.w, 0) == [
        "gets 3 trade tokens on Early Empire (culture I) [start bonus]",
        "gets 1 trade token on Astrology (science I) [start bonus]",
    ]


def test_what_an_own_ability_gives_names_its_leader_and_effect(t):
    t.script((decisions.PLACE_TRADE, names.SCIENCE), (decisions.PLACE_TRADE, names.SCIENCE))
    lines = told(t, t.call, happen, 0, codes.CITY_BUILT, 0, -1, t.at((1, 0)), -1)
    assert lines == ["gets 2 trade tokens on Astrology (science I) [Rome: trade tokens]"]
    t.script((decisions.GAIN_RESOURCE, names.RESOURCES.index("marble")))
    lines = told(t, t.call, happen, 0, codes.ATTACK_WON, 0, -1, t.at((1, 0)), -1)
    assert lines == ["gets 1 marble [Rome: resources]"]
    assert t.w.giving == 0


def test_an_own_ability_that_finds_no_room_is_named_too(t):
    t.g.trade[0, :5] = 3
    lines = told(t, t.call, happen, 0, codes.CITY_BUILT, 0, -1, t.at((1, 0)), -1)
    assert lines == ["loses 2 trade tokens, for which there is no room on any card [Rome: trade tokens]"]


@pytest.mark.parametrize(
    ("holder", "code", "effect", "named"),
    [
        ("leader", names.ROME, "reinforce", "Rome: reinforce"),
        ("diplomacy", 4, "trade_tokens", "Treaty: trade tokens"),
        ("everyone", 0, "trade_tokens", "everyone: trade tokens"),
        ("card", 20, "advance_dial", "Owncard: advance dial"),
    ],
)
def test_an_ability_goes_by_its_holder_and_effect(t, holder, code, effect, named):
    code = next(k for k in range(len(t.r[f"{holder}_n"])) if t.r[f"{holder}_n"][k]) if holder == "card" else code
    assert LogSentences(t.r, t.g).ability(row_of(t, effect, holder, code)) == named


def test_a_deed_of_an_own_ability_is_told_before_what_it_does(t):
    row = row_of(t, "advance_dial", code=names.ROME)
    lines = told(t, t.call, start_effects.do_deed, 0, row, -1, 1)
    assert lines == ["uses an ability [Rome: advance dial]", "moves the technology dial from 0 to 1"]


def test_a_deed_that_came_to_nothing_says_so(t):
    row = row_of(t, "reinforce", code=names.ROME)
    lines = told(t, t.call, start_effects.do_deed, 0, row, -1, 1)
    assert lines == ["uses an ability [Rome: reinforce], and nothing comes of it"]


def test_the_choice_at_the_start_of_a_turn_is_not_told_beside_what_the_ability_does(t):
    words = LogSentences(t.r, t.g)
    words.current = 0
    chosen = (choosing.LOG_CHOICE, 0, decisions.START_EFFECT, decisions.FX_TRADE_TOKENS, -1, 2, -1)
    row = 1 + row_of(t, "trade_tokens", code=names.ROME)
    placed = (choosing.LOG_CHOICE, 0, decisions.PLACE_TRADE, 2, -1, 5, 0)
    gain = (choosing.LOG_TRADE, 0, 2, 1, decisions.SOURCE_ABILITY, 0, row)
    assert [line.strip() for line in words.lines([chosen, placed, gain])] == [
        "gets 1 trade token on Foreign Trade (economy I) [Rome: trade tokens]"
    ]


def test_trade_tokens_of_two_abilities_on_one_card_are_two_lines(t):
    words = LogSentences(t.r, t.g)
    rows = [1 + row_of(t, "trade_tokens", "leader", names.ROME), 1 + row_of(t, "trade_tokens", "everyone")]
    gains = [(choosing.LOG_TRADE, 0, 2, 1, decisions.SOURCE_ABILITY, 0, row) for row in (rows[0], *rows)]
    lines = words.lines(gains)
    assert ["2 trade tokens" in lines[0], "1 trade token " in lines[1], len(lines)] == [True, True, 2]


def test_a_printed_ability_goes_by_its_own_name(t):
    assert not t.r.ability_own[: t.r.leader_first[names.ROME]].any()
    t.call(gain_by, 0, row_of(t, "trade_tokens", code=names.ROME), -1, 0, -1)
    assert t.w.giving == 0


@pytest.mark.parametrize(
    ("own", "built", "by"), [(0, 0, "Estadio do Maracana"), (1, 0, "Rome"), (1, 1, "Rome or Estadio do Maracana")]
)
def test_an_extra_card_goes_by_whoever_gives_it(tmp_path, own, built, by):
    extra = [{"effect": "extra_card", "card": "economy"}]
    t = Table(
        radius=3, leaders=("Rome", "Egypt"), rules=rules_with(tmp_path, leaders={"rome": {"abilities": extra}} if own else {})
    )
    t.g.wonder_space[:] = -1
    if built:
        t.wonder("Estadio do Maracana", (0, 0))
    words = LogSentences(t.r, t.g)
    words.current = 0
    said = words.sentence((choosing.LOG_CARD, 0, 2, 3, 8, 1, 3))
    assert said == f"{by}: resolves Foreign Trade (economy I) from slot 3"
    assert words.sentence((choosing.LOG_CARD, 0, 2, 3, 8, 0, 3)).startswith("plays ")


# --- causes before effects


def test_who_takes_a_space_is_told_before_what_lies_there():
    t = ti_table_with((0, 0))
    t.natural_wonder("Crater Lake", (1, 0))
    placed, taken = told(t, pieces.put_token, t.g, t.w, 0, t.at((1, 0)), names.TOKEN)
    assert placed.startswith("places a control token on")
    assert taken.startswith("takes the token of Crater Lake from")
    removed, back = told(t, pieces.take_token_off, t.r, t.g, t.w, t.at((1, 0)), -1)
    assert "is removed by a barbarian" in removed
    assert back.startswith("the token of Crater Lake goes back")


def test_a_city_lost_and_taken_is_told_before_its_wonder():
    t = ti_table_with((0, 0))
    t.city(1, (2, 0))
    t.wonder("Colossus", (2, 0))

    def taken():
        pieces.take_city_off(t.g, t.w, t.at((2, 0)), 0)
        pieces.put_city(t.r, t.g, t.w, 0, t.at((2, 0)))

    lines = told(t, taken)
    assert ["lost to" in lines[0], "places a city" in lines[1], "now controls Colossus" in lines[2]] == [True] * 3


def test_a_city_state_is_conquered_before_its_cards_go_back():
    t = ti_table_with((0, 0))
    t.city_state("Kumasi", (1, 0))
    t.city_state_card(1, "Kumasi")
    lines = told(t, t.call, combat.conquer_city_state, 0, t.at((1, 0)))
    assert lines[0].startswith("conquers Kumasi")
    assert lines[1].endswith("gives back the diplomacy card of Kumasi")


PAID = (choosing.LOG_TRADE, 0, 0, -1, decisions.SOURCE_CULTURE, 0, 0)


@pytest.mark.parametrize("choices", [False, True])
def test_trade_tokens_are_told_before_the_control_token_they_pay_for(t, choices):
    """Where all choices are shown, everything stands as it happened."""
    words = LogSentences(t.r, t.g, choices=choices)
    words.current = 0
    first, second = ((choosing.LOG_TOKEN, 0, space, 1, 0, 0, 0) for space in (5, 6))
    lines = words.lines([first, second, (choosing.LOG_RESOURCE, 0, 1, 1, 0, 0, 0), PAID])
    verbs = [line.split()[0] for line in lines]
    assert verbs == (["places", "places", "gets", "gives"] if choices else ["places", "gives", "places", "gets"])


# --- who explores; what was declined


@pytest.mark.parametrize(
    ("explorer", "who"),
    [(choosing.EXPLORER_CARD, ""), (choosing.EXPLORER_CARAVAN + 1, "caravan 2 "), (choosing.EXPLORER_ARMY, "army 1 ")],
)
def test_the_figure_that_explores_is_named(explorer, who):
    t = ti_table_with((0, 0))
    words = LogSentences(t.r, t.g)
    words.current = 0
    said = words.sentence((choosing.LOG_EXPLORE, 0, t.at((1, 0)), 6, 1, explorer, 0))
    assert said == f"{who}explores from {words.place(t.at((1, 0)))}: tile 6"


def test_a_diplomacy_card_declined_is_told_only_if_asked_for(t):
    row = (choosing.LOG_CHOICE, 0, decisions.TAKE_DIPLOMACY, decisions.PASS, -1, 5, 0)
    assert LogSentences(t.r, t.g).lines([row]) == []
    assert "declines: take diplomacy" in LogSentences(t.r, t.g, choices=True).lines([row])[0]
