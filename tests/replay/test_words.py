"""Every row of the turn log and every decision has a sentence."""

import pytest
from table import ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine import choosing, decisions
from newdawn.simulator.replay.log_in_words import CODES, START_DEEDS, LogSentences
from newdawn.simulator.replay.space_names import column_name, space_name

# Plausible numbers after the code: seat, then five columns.
ROWS = {
    "LOG_ROUND": (-1, 7, 0, 0, 0, 0),
    "LOG_TURN": (0, 25, 0, 0, 0, 0),
    "LOG_EVENT": (-1, 3, 4, 0, 0, 0),
    "LOG_CARD": (0, 2, 3, 8, 0, 0),
    "LOG_RESET": (0, 2, 2, 0, 0, 0),
    "LOG_CHOICE": (0, decisions.START_EFFECT, decisions.FX_ORACLE, -1, 3, 0),
    "LOG_TOKEN": (0, 5, 1, 0, 0, 0),
    "LOG_TOKEN_OFF": (1, 5, -1, 0, 0, 0),
    "LOG_TOKEN_FLIP": (1, 5, 2, 0, 0, 0),
    "LOG_CITY": (0, 5, 0, 0, 0, 0),
    "LOG_CITY_LOST": (1, 5, 0, 0, 0, 0),
    "LOG_RESOURCE": (0, 3, 1, 0, 0, 0),
    "LOG_NATURAL_WONDER": (0, 4, 5, 0, 0, 0),
    "LOG_TRADE": (0, 2, 2, decisions.SOURCE_ARRIVAL, 0, 0),
    "LOG_DIAL": (0, 3, 6, 0, 0, 0),
    "LOG_UPGRADE": (0, 2, 10, 11, 0, 0),
    "LOG_CARAVAN": (0, 0, -1, 5, 0, 0),
    "LOG_ARRIVAL": (0, 0, 5, 3, -1, 0),
    "LOG_DIPLOMACY": (0, 0, 1, 2, 1, 0),
    "LOG_WONDER": (0, 2, 5, 0, 0, 0),
    "LOG_WONDER_MOVED": (0, 2, 5, 1, 0, 0),
    "LOG_WONDER_REVEALED": (-1, 2, 0, 0, 0, 0),
    "LOG_ATTACK": (0, 2, 5, 1, -1, 0),
    "LOG_COMBAT": (0, 5, 10, 4, 9, 1),
    "LOG_CITY_STATE": (0, 3, 0, 0, 0, 0),
    "LOG_BARBARIAN": (-1, 0, 5, 6, 0, 0),
    "LOG_BARBARIAN_DIE": (-1, 4, 2, 0, 0, 0),
    "LOG_AGENDA": (0, 1, 1, 1, 0, 0),
    "LOG_WIN": (0, 60, 0, 0, 0, 0),
    "LOG_SWAP": (0, 1, 3, 0, 0, 0),
    "LOG_TILE": (0, 7, 1, 2, -3, 4),
    "LOG_CAPITAL": (0, 5, 0, 0, 0, 0),
    "LOG_HOLE": (-1, 5, 0, 0, 0, 0),
    "LOG_NATURAL_WONDER_USED": (0, 3, 0, 0, 0, 0),
    "LOG_ARMY": (0, 0, -1, 5, 0, 0),
    "LOG_FORT": (0, 5, 0, 0, 0, 0),
    "LOG_EXPLORE": (0, 5, 17, 1, 0, 0),
    "LOG_DISTRICT": (0, 5, 1, 1, 0, 0),
    "LOG_DISTRICT_USED": (0, 5, 1, 0, 0, 0),
    "LOG_GOVERNMENT": (0, 2, 2, -1, 0, 0),
    "LOG_WONDER_TRADE": (-1, 2, 1, 0, 0, 0),
    "LOG_REROLL": (0, 0, 2, 5, 0, 0),
    "LOG_AGENDA_LOST": (0, 1, 0, 0, 0, 0),
    "LOG_IBRAHIM": (1, 0, 0, 0, 0, 0),
    "LOG_CITY_TAKEN": (0, 5, 1, 0, 0, 0),
    "LOG_LEADER_BANNED": (0, 1, 0, 0, 0, 0),
    "LOG_LEADER": (0, 1, 1, 0, 0, 0),
    "LOG_NATURAL_WONDER_CARD": (0, 3, 2, 0, 0, 0),
    "LOG_TRADE_LOST": (0, -1, 2, decisions.SOURCE_ARRIVAL, 0, 0),
    "LOG_WONDER_DRAFTED": (0, 2, 0, 0, 0, 0),
    "LOG_FIRST": (0, 0, 0, 0, 0, 0),
    "LOG_MOMENT": (0, 3, 5, 3, 1, 0),
    "LOG_ABILITY": (0, 0, 0, 0, 0, 0),
}

VALUES = {
    decisions.PLACE_TILE: ((1 * 6 + 2) * names.GRID + 3 + names.GRID_ORIGIN) * names.GRID + 1 + names.GRID_ORIGIN,
    decisions.LAY_TILE: 7,
    decisions.MOVE_TOKEN: 5 * 256 + 6,
    decisions.UPGRADE: 9 * 8 + 2,
    decisions.INDUSTRY: decisions.WONDER_OPTION + 2,
    decisions.PAY: decisions.PAY_NATURAL_WONDER + 1,
    decisions.ATTACK: decisions.BARBARIAN_OPTION + 5,
    decisions.GENEVA_SWAP: 1 * 64 + 2 * 8 + 1,
    decisions.SEOUL_MOVE: 2 * 256 + 6,
    decisions.POTALA: 1 * 8 + 2,
    decisions.PLACE_FORT: (3 + names.GRID_ORIGIN) * names.GRID + 1 + names.GRID_ORIGIN,
    decisions.WATER_SPACE: (3 + names.GRID_ORIGIN) * names.GRID + 1 + names.GRID_ORIGIN,
    decisions.CARAVAN_TO: decisions.EXPLORE + 5,
    decisions.STACK_ORDER: 2 * 17 + 1,
    decisions.PLACE_DISTRICT: 5 * 8 + 1,
    decisions.DISTRICT_SPACE: decisions.BARBARIAN_OPTION + 5,
}


@pytest.fixture
def words(rules, game):
    words = LogSentences(rules, game)
    words.sentence((choosing.LOG_TURN, 0, 25, 0, 0, 0, 0))
    return words


def test_the_rows_above_are_all_there_are():
    assert sorted(ROWS) == sorted(CODES)
    assert sorted(CODES.values()) == list(range(len(CODES)))


@pytest.mark.parametrize("name", list(ROWS))
def test_every_row_has_a_sentence(words, name):
    text = words.sentence((CODES[name], *ROWS[name]))
    assert text
    assert not any(bad in text for bad in ("unknown", "nothing", "nobody", "no card", "None", "?"))


@pytest.mark.parametrize("kind", range(len(decisions.KINDS)))
def test_every_decision_has_words(rules, game, kind):
    words = LogSentences(rules, game, choices=True)
    text = words.sentence((choosing.LOG_CHOICE, 0, kind, VALUES.get(kind, 1), 5, 4, 0))
    assert decisions.KINDS[kind].replace("_", " ") in text
    assert text.endswith("[1 of 4]")
    declined = words.sentence((choosing.LOG_CHOICE, 0, kind, decisions.PASS, 5, 4, 0))
    assert declined


def test_a_combat_is_added_up(words):
    """The rulebook's fight with trade tokens: 8 against 9, two tokens make it 10."""
    g = words.g
    space = next(s for s in range(g.n_spaces) if g.owner[s] == 1 and g.piece[s] == 1)
    g.terrain[space] = 1
    g.natural_wonder[space] = -1
    rows = [
        (choosing.LOG_CARD, 0, 4, 5, 16, 0, 5),
        (choosing.LOG_ATTACK, 0, 2, space, 1, -1, 0),
        (choosing.LOG_TRADE, 0, 4, -2, decisions.SOURCE_ATTACK, 0, 0),
        (choosing.LOG_COMBAT, 0, 3, 10, 5, 9, 1),
    ]
    lines = words.lines(rows)
    assert lines[-1].strip() == ("die 3 + slot 5 + trade 2 = 10 against die 5 + hills 2 + bonuses 2 = 9: the attacker wins")


def test_tokens_gained_one_by_one_are_one_line(words):
    gain = (choosing.LOG_TRADE, 0, 2, 1, decisions.SOURCE_ARRIVAL, 0, 0)
    assert len(words.lines([gain, gain])) == 1
    assert "2 trade tokens" in words.lines([gain, gain])[0]


def test_a_wonder_that_changes_hands_does_not_lie_in_ruins(words):
    rows = [(choosing.LOG_WONDER_MOVED, -1, 2, 5, 1, 0, 0), (choosing.LOG_WONDER_MOVED, 0, 2, 5, -1, 0, 0)]
    lines = words.lines(rows)
    assert len(lines) == 1
    assert "now controls" in lines[0]
    assert "ruins" in words.lines(rows[:1])[0]


def test_a_wonder_does_not_lie_in_ruins_in_a_log_with_choices_either(rules, game):
    rows = [(choosing.LOG_WONDER_MOVED, -1, 2, 5, 1, 0, 0), (choosing.LOG_CITY_LOST, 1, 5, 0, 0, 0, 0)]
    rows += [(choosing.LOG_WONDER_MOVED, 0, 2, 5, -1, 0, 0)]
    lines = LogSentences(rules, game, choices=True).lines(rows)
    assert len(lines) == 2
    assert "now controls" in lines[1]


def test_whose_wonder_it_was_is_told(words):
    assert words.sentence((choosing.LOG_WONDER_MOVED, 0, 2, 5, 1, 0, 0)).endswith(", which Rome had")
    assert "which" not in words.sentence((choosing.LOG_WONDER_MOVED, 0, 2, 5, -1, 0, 0))


def test_of_two_first_slots_is_told_which(words, game):
    """T2.1, T2.2: from the far left two slots to the right is slot 2, from the second place slot 3."""
    ti = LogSentences(ti_rules(), game)
    ti.sentence((choosing.LOG_TURN, 0, 25, 0, 0, 0, 0))
    assert "from slot 1 (far left), acting as slot 2" in ti.sentence((choosing.LOG_CARD, 0, 0, 1, 8, 0, 2))
    assert "from slot 1 (second), acting as slot 3" in ti.sentence((choosing.LOG_CARD, 0, 1, 1, 8, 0, 3))
    assert ti.sentence((choosing.LOG_SWAP, 0, 0, 2, 0, 0, 0)) == "swaps the cards in slots 1 (far left) and 2"
    assert choice(ti, decisions.CARD, 1, 0).endswith("card: slot 1 (second) [1 of 3]")
    assert choice(words, decisions.CARD, 0, 0).endswith("card: slot 1 [1 of 3]")


def test_the_option_of_a_district_is_named(game):
    game.district[5] = 1 + names.DISTRICTS.index("Campus")
    ti = LogSentences(ti_rules(), game)
    said = choice(ti, decisions.DISTRICT_EFFECT, 0, 5)
    assert f"district effect: science tokens for the mountains around, by the district on {ti.place(5)}" in said


def test_a_card_without_effect_is_told(words):
    rows = [(choosing.LOG_CARD, 0, 2, 3, 8, 0, 0), (choosing.LOG_RESET, 0, 2, 2, 0, 0, 0)]
    assert words.lines(rows)[0].endswith("and does nothing")


def test_upgrades_are_remembered(words):
    words.sentence((choosing.LOG_UPGRADE, 0, 2, 10, 11, 0, 0))
    assert "Capitalism (economy IV)" in words.sentence((choosing.LOG_RESET, 0, 2, 2, 0, 0, 0))


def test_choices_are_quiet_unless_asked_for(rules, game):
    row = (choosing.LOG_CHOICE, 0, decisions.PLACE_TOKEN, 5, -1, 3, 0)
    assert LogSentences(rules, game).lines([row]) == []
    assert len(LogSentences(rules, game, choices=True).lines([row])) == 1


def choice(words, kind, value, space):
    """Return the sentence of a choice of seat 0."""
    words.choices = True
    return words.sentence((choosing.LOG_CHOICE, 0, kind, value, space, 3, 0))


def test_the_card_of_a_city_state_goes_by_its_name_and_not_by_that_of_a_players_card(words):
    assert "take diplomacy: Seoul" in choice(words, decisions.TAKE_DIPLOMACY, 0, 3)
    assert "take diplomacy: Joint War" in choice(words, decisions.TAKE_DIPLOMACY, 0, -1)


@pytest.mark.parametrize("kind", [decisions.LOOT, decisions.GIVE_TRADE])
def test_a_rivals_card_is_named_with_its_owner_also_if_it_is_no_longer_of_its_first_type(words, game, kind):
    capital = next(s for s in range(game.n_spaces) if game.owner[s] == 1 and game.piece[s] == names.CAPITAL)
    words.cards[1][0] = 4 * 4  # Oxford University: the first holder has a military card
    assert choice(words, kind, 0, capital).endswith("Masonry (military I) of Rome [1 of 3]")


def test_the_natural_wonder_that_is_put_on_a_card_is_named(words):
    assert f"{names.NATURAL_WONDERS[4]} onto {words.held(0, 2)}" in choice(words, decisions.NATURAL_WONDER_CARD, 2, 4)


@pytest.mark.parametrize(
    ("token", "text"),
    [
        (decisions.PLAIN_TOKEN, "a trade token"),
        (decisions.KEPT_CITY_STATE + 3, "the token of Seoul"),
        (decisions.KEPT_NATURAL_WONDER + 4, f"the token of {names.NATURAL_WONDERS[4]}"),
    ],
)
def test_the_token_that_is_spent_is_named(words, token, text):
    assert f"spend token: {text} [" in choice(words, decisions.SPEND_TOKEN, token, -1)


def test_neighbours_have_neighbouring_coordinates(game):
    names = {space_name(game, s) for s in range(game.n_spaces)}
    assert len(names) == game.n_spaces
    assert [column_name(n) for n in (0, 25, 26, 27, -1)] == ["A", "Z", "AA", "AB", "a"]
    middle = next(s for s in range(game.n_spaces) if game.axial_q[s] == 0 and game.axial_r[s] == 0)
    assert space_name(game, middle) == "M16"
    around = [space_name(game, game.neighbour[middle, d]) for d in range(6)]
    assert around == ["N16", "M17", "L17", "L16", "M15", "N15"]


@pytest.mark.parametrize(("displaced", "end"), [(0, "Campus on {}"), (1, "Campus on {} in place of its own control token")])
def test_a_district_says_what_it_replaces(words, displaced, end):
    assert words.sentence((choosing.LOG_DISTRICT, 0, 5, 1, displaced, 0, 0)) == f"places the {end.format(words.place(5))}"


@pytest.mark.parametrize(
    ("district", "option", "how"),
    [
        (0, 1, "a control token near its own city with a world wonder"), (1, 0, "science tokens for the mountains around"),
        (3, 1, "a city for three trade tokens"), (4, 0, "strikes a foe within reach"), (2, decisions.PASS, "does nothing"),
    ],
)  # fmt: skip
def test_a_district_used_says_which_option(words, district, option, how):
    text = words.sentence((choosing.LOG_DISTRICT_USED, 0, 5, district, option, 0, 0))
    assert text == f"uses the {names.DISTRICTS[district]} on {words.place(5)}: {how}"


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (5, "control token on {}"), (decisions.BARBARIAN_OPTION + 5, "barbarian on {}"),
        (decisions.ARMY_OPTION + 256 + 5, "army of Rome on {}"),
    ],
)  # fmt: skip
def test_what_an_encampment_is_used_on_is_named(words, option, text):
    assert words.option(0, decisions.DISTRICT_SPACE, option, 5) == text.format(words.place(5))


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (decisions.ARMY, 1, "army: number 2"),
        (decisions.ARMY_TO, decisions.EXPLORE + 5, "army to: explore from "),
        (decisions.ARMY_AGAIN, 0, "army again: number 1"),
        (decisions.ARMY_LOST, 1, "army lost: number 2"),
        (decisions.INDUSTRY, decisions.CITY_ON_ARMY + 5, "in place of its own army"),
        (decisions.INDUSTRY, decisions.CITY_ON_CARAVAN + 5, "in place of its own caravan"),
    ],
)
def test_decisions_about_armies_in_words(rules, game, kind, value, said):
    assert said in LogSentences(rules, game, choices=True).sentence((choosing.LOG_CHOICE, 0, kind, value, 5, 4, 0))


def test_an_army_that_returns_and_one_that_goes(words):
    goes = words.sentence((choosing.LOG_ARMY, 0, 0, -1, 5, 0, 0))
    home = words.sentence((choosing.LOG_ARMY, 1, 1, 5, -1, 0, 0))
    assert "moves army 1 from the military card to" in goes
    assert home.strip().startswith("army 2 of ")
    assert home.strip().endswith("to its card")


def told_choice(words, kind, value, space=5, seat=0):
    return words.sentence((choosing.LOG_CHOICE, seat, kind, value, space, 3, 0))


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (decisions.START_EFFECT, decisions.FX_ORACLE, "at the start of the turn: uses Oracle"),
        (decisions.START_EFFECT, decisions.FX_IBRAHIM, "at the start of the turn: may give Ibrahim to another player"),
        (decisions.START_EFFECT, decisions.FX_TRADE_TOKENS, "at the start of the turn: gains trade tokens"),
        (decisions.MILITARY, decisions.MILITARY_ATTACK, "chooses to attack"),
        (decisions.ALLY, 1, "chooses Rome as an ally"),
        (decisions.PAY, decisions.PAY_NATURAL_WONDER + 3, ""),
        (decisions.CITY_STATE_FATE, 0, ""),
        (decisions.OTHER_CARD, 1, ""),
    ],
)
def test_a_choice_is_told_as_a_sentence_unless_another_row_says_it(words, kind, value, said):
    assert told_choice(words, kind, value) == said
    told = words.lines([(choosing.LOG_CHOICE, 0, kind, value, 5, 3, 0), (choosing.LOG_DIAL, 0, 3, 6, 0, 0, 0)])
    assert [line.strip() for line in told] == [*[said] * bool(said), "moves the technology dial from 3 to 6"]


BEGINS = (
    (choosing.LOG_CARD, 0, 0, 1, 0, 0, 1),
    (choosing.LOG_TURN, 0, 26, 0, 0, 0, 0),
    (choosing.LOG_CHOICE, 0, decisions.START_EFFECT, 3, 0, 2, 0),
)


@pytest.mark.parametrize("row", [*BEGINS, None])
@pytest.mark.parametrize("kind", [decisions.START_EFFECT, decisions.STRIKE, decisions.NAME_TOKEN, decisions.MILITARY])
def test_an_effect_that_did_nothing_is_not_told(words, kind, row):
    """What was done later is another matter: it does not make the effect one that did something."""
    rows = [(choosing.LOG_CHOICE, 0, kind, 0, 5, 3, 0), (choosing.LOG_CHOICE, 0, decisions.SEOUL_MOVE, decisions.PASS, 5, 3, 0)]
    later = [] if row is None else [row, (choosing.LOG_DIAL, 0, 3, 6, 0, 0, 0)]
    said = told_choice(words, kind, 0)
    assert said
    assert said not in [line.strip() for line in words.lines([*rows, *later])]


def test_an_alliance_and_a_users_own_function_are_told_anyway(words):
    for kind, value in ((decisions.ALLY, 1), (decisions.START_EFFECT, decisions.FX_OWN_FUNCTION)):
        assert words.lines([(choosing.LOG_CHOICE, 0, kind, value, 5, 3, 0)])


def test_a_card_that_did_nothing_before_another_is_resolved_says_so(words):
    card, other = (choosing.LOG_CARD, 0, 0, 1, 0, 0, 1), (choosing.LOG_CARD, 0, 1, 1, 8, 3, 1)
    assert [
        line.endswith("and does nothing") for line in words.lines([card, other, (choosing.LOG_RESET, 0, 0, 1, 0, 0, 0)])
    ] == [
        True,
        True,
        False,
    ]


def test_a_district_used_in_vain_says_so(words):
    used = (choosing.LOG_DISTRICT_USED, 0, 5, 0, 0, 0, 0)
    assert words.lines([used])[0].endswith(", and nothing comes of it")
    assert not words.lines([used, (choosing.LOG_TOKEN, 0, 5, 1, 0, 0, 0)])[0].endswith("no effect")


def test_figures_that_come_with_a_card_or_leave_with_it_are_told(words):
    assert words.sentence((choosing.LOG_UPGRADE, 0, 2, 10, 11, 1, 2)).endswith(", which brings 1 caravan and 2 armies")
    assert words.sentence((choosing.LOG_CARAVAN, 0, 1, -1, -2, 0, 0)) == "caravan 2 leaves the game from its card"
    assert words.sentence((choosing.LOG_ARMY, 1, 0, 5, -2, 0, 0)).startswith("army 1 of ")
    assert "leaves the game from" in words.sentence((choosing.LOG_ARMY, 1, 0, 5, -2, 0, 0))
    assert words.sentence((choosing.LOG_GOVERNMENT, 0, -1, 2, 2, 0, 0)).startswith("takes back ")


def test_what_was_not_told_is_said_by_the_row_that_follows(words):
    """A natural wonder's token that pays, a conquered city-state kept, Capitalism's second card."""
    assert "uses" in words.sentence((choosing.LOG_NATURAL_WONDER_USED, 0, 3, 0, 0, 0, 0))
    assert words.sentence((choosing.LOG_CITY_STATE, 0, 3, 0, 0, 0, 0)).startswith("conquers")
    assert words.sentence((choosing.LOG_CARD, 0, 1, 1, 8, 3, 1)).startswith("Capitalism: resolves")


def test_every_effect_at_the_start_of_a_turn_has_a_name_or_a_deed():
    without = [name for name in decisions.START_EFFECTS if name not in START_DEEDS and not name[0].isupper()]
    assert without == [], "the declaration in rules/codes.py says what it `does`, or engine/decisions.py gives it a card's name"
