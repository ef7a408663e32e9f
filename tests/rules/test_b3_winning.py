"""B3: rounds, the event dial, victory cards and winning."""

import pytest
from table import BOTS, Table, rules_with, table_with

from newdawn.simulator import names
from newdawn.simulator.engine import audit, decisions, pieces, turn, winning
from newdawn.simulator.engine.winning import check_victory

CARDS = (0, 1, 2)  # three victory cards
APPEAR, NOTHING, MOVE, TRADE, MOVE_AGAIN = range(5)  # sections of the event dial


def seats(n=2, claimed=(), first=0, rules=None, **kw):
    """Return a table with `n` capitals far apart; the seats in `claimed` have every victory card."""
    t = Table(leaders=("Rome", "Egypt", "France", "Aztec")[:n], victory=CARDS, rules=rules, radius=4, **kw)
    for p, space in enumerate([(-4, 0), (4, 0), (0, 4), (0, -4)][:n]):
        t.capital(p, space)
        if p in claimed:
            t.g.claimed[p, : len(CARDS)] = 1
    t.g.first = t.g.current = first
    return t


def winners(t):
    """Let the first player look for a winner; return the winners' seats."""
    check_victory(t.r, t.g, t.w)
    return [p for p in range(t.g.players) if t.g.winner[p]] if t.g.ending == names.VICTORY else []


def step(t):
    return int(turn.play_step(t.r, t.g, t.w, BOTS))


def turn_takers(t):
    return [seat for kind, seat, _ in t.asked() if kind == decisions.CARD]


# --- B3.1


@pytest.mark.rule("B3.1")
def test_turns_go_clockwise_from_the_first_player():
    t = seats(3, first=1)
    for _ in range(6):
        step(t)
    assert turn_takers(t) == [1, 2, 0, 1, 2, 0]


@pytest.mark.rule("B3.1")
def test_the_event_dial_moves_before_each_turn_of_the_first_player_but_the_very_first():
    t = seats(3, first=2)
    t.g.round_number = 0
    sections = []
    for _ in range(10):
        step(t)
        sections.append(int(t.g.event))
    assert sections == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]


@pytest.mark.rule("B3.1")
def test_after_the_last_section_comes_the_first():
    t = seats()
    t.g.event = MOVE_AGAIN
    step(t)
    assert int(t.g.event) == APPEAR


@pytest.mark.rule("B3.1")
@pytest.mark.parametrize("section", [APPEAR, NOTHING, MOVE, TRADE, MOVE_AGAIN])
def test_the_section_the_arrow_reaches_is_resolved_and_no_other(section):
    t = seats(terrain=dict.fromkeys([(-3, 0), (-3, -1), (-4, 1)], "water"))  # the capital of seat 0 is mature
    t.barbarian("A", (0, 0))
    t.barbarian("B", (2, 0))
    t.g.barbarian_space[1] = -1  # beaten
    t.g.barbarians[t.at((2, 0))] = 0
    t.g.event = (section - 1) % 5
    t.dice(1)
    turn.begin_round(t.r, t.g, t.w, BOTS)
    moved = int(t.g.barbarian_space[0]) != t.at((0, 0))
    appeared = int(t.g.barbarian_space[1]) >= 0
    paid = int(t.g.trade[0].sum()) > 0
    assert [appeared, moved, paid] == [section == APPEAR, section in (MOVE, MOVE_AGAIN), section == TRADE]


@pytest.mark.rule("B3.1")
def test_the_dial_has_turned_before_the_first_player_takes_the_turn():
    t = seats(terrain=dict.fromkeys([(-3, 0), (-3, -1), (-4, 1)], "water"))
    t.g.event = MOVE
    step(t)
    assert t.asked_kinds()[0] == "place_trade"
    assert "card" in t.asked_kinds()[1:]


def test_the_start_bonus_comes_in_the_first_round_and_in_no_other(tmp_path):
    r = rules_with(tmp_path, components={"start_bonus": {"everyone": {"trade_tokens": 2}}})
    for number in (0, 1):
        t = table_with((0, 0), (3, 0), rules=r, victory=(0,))
        t.g.round_number, t.g.ending = number, names.RUNNING
        t.g.trade[:] = 0
        t.script()
        turn.begin_round(t.r, t.g, t.w, BOTS)
        assert t.g.trade[:2].sum(axis=1).tolist() == ([2, 2] if number == 0 else [0, 0])


# --- B3.2


def on_the_brink(p=0, **kw):
    """Return a table where seat `p` misses one step of the dial for Technophile (victory card 4)."""
    t = Table(leaders=("Rome", "Egypt"), victory=(4,), **kw)
    t.capital(0, (-3, 0))
    t.capital(1, (3, 0))
    t.g.dial[p] = t.g.dial_reached[p] = 23
    return t


@pytest.mark.rule("B3.2")
def test_a_card_is_claimed_the_moment_an_agenda_is_satisfied_with_one_control_token():
    t = on_the_brink()
    t.resolve(0, "Astrology", slot=1)
    assert int(t.g.claimed[0, 0]) == 1
    assert int(t.g.tokens_left[0]) == 30
    assert int(t.g.claimed[1, 0]) == 0


@pytest.mark.rule("B3.2")
def test_both_agendas_of_a_card_use_one_token():
    t = on_the_brink()
    t.city(0, (-1, 0))
    t.wonder("Oracle", (-3, 0))
    t.wonder("Pyramids", (-1, 0))
    t.resolve(0, "Astrology", slot=1)
    t.resolve(0, "Astrology", slot=1)
    assert int(t.g.claimed[0, 0]) > 0
    assert int(t.g.tokens_left[0]) == 30


@pytest.mark.rule("B3.2")
def test_several_players_may_have_a_token_on_the_same_card():
    t = on_the_brink(0)
    t.g.dial[1] = t.g.dial_reached[1] = 23
    t.resolve(0, "Astrology", slot=1)
    t.resolve(1, "Astrology", slot=1)
    assert t.g.claimed[:2, 0].tolist() == [1, 1]


@pytest.mark.rule("B3.2")
@pytest.mark.rule("B1.6")
def test_without_a_control_token_anywhere_a_card_is_not_claimed_until_one_comes_back():
    t = on_the_brink()
    t.token(0, (-2, 0))
    t.g.tokens_left[0] = 0
    pieces.swap_token(t.g, t.w, 1, t.at((-2, 0)), names.TOKEN)  # a rival takes the last one on the map
    t.g.tokens_left[0] = 0
    t.resolve(0, "Astrology", slot=1)
    assert (int(t.g.claimed[0, 0]), int(t.g.tokens_left[0])) == (0, 0)
    audit.audit_victory(t.r, t.g, t.w, 0)
    assert t.w.violation == audit.OK
    t.g.tokens_left[0] = 1
    t.token(0, (-2, 1))
    t.call(take_off, t.at((-2, 1)))
    assert (int(t.g.claimed[0, 0]), int(t.g.tokens_left[0])) == (1, 0)


@pytest.mark.rule("B3.2")
@pytest.mark.rule("B1.6")
def test_without_a_control_token_left_one_of_the_map_goes_to_the_claimed_card():
    t = on_the_brink()
    t.token(0, (-2, 0), (-2, 1))
    t.g.tokens_left[0] = 0
    t.script((decisions.SCIENCE, 1), (decisions.TAKE_OFF, (-2, 0)))
    t.resolve(0, "Astrology", slot=1)
    assert (int(t.g.claimed[0, 0]), int(t.g.tokens_left[0])) == (1, 0)
    assert (t.owner((-2, 0)), t.owner((-2, 1))) == (-1, 0)


def take_off(r, g, w, bots, s):
    pieces.take_token_off(r, g, w, s, -1)


@pytest.mark.rule("B3.2")
def test_the_token_stays_when_the_condition_is_lost():
    t = Table(victory=(3,))
    t.capital(0, (0, 0))
    t.natural_wonder("Crater Lake", (1, 0))
    t.natural_wonder("Pantanal", (0, 1))
    t.script((decisions.PLACE_TOKEN, (1, 0)), (decisions.PLACE_TOKEN, (0, 1)))
    t.resolve(0, "Early Empire", slot=5)
    assert int(t.g.claimed[0, 0]) == 2
    for s in [(1, 0), (0, 1)]:
        t.call(take_off, t.at(s))
    assert int(t.g.natural_wonder_owner[names.NATURAL_WONDERS.index("Pantanal")]) == -1
    assert int(t.g.claimed[0, 0]) == 2


# --- B3.3


@pytest.mark.rule("B3.3")
def test_a_token_on_every_card_in_play_wins():
    assert winners(seats(claimed=[1])) == [1]


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("missing", CARDS)
def test_one_card_short_does_not_win(missing):
    t = seats(claimed=[1])
    t.g.claimed[1, missing] = 0
    assert winners(t) == []
    assert int(t.g.ending) == names.RUNNING


@pytest.mark.rule("B3.3")
def test_the_epic_game_needs_all_four_cards():
    t = seats(claimed=[0])
    t.g.victory_count = 4
    t.g.victory_card[3] = 4
    assert winners(t) == []
    t.g.claimed[0, 3] = 2
    assert winners(t) == [0]


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_winner_is_looked_for_at_the_start_of_the_first_players_turn_only(first):
    t = seats(3, first=first)
    t.g.event = APPEAR
    step(t)
    t.g.claimed[(first + 1) % 3, :3] = 1
    assert (step(t), step(t)) == (1, 1)
    assert int(t.g.ending) == names.RUNNING
    turns = int(t.g.turn)
    assert step(t) == 0
    assert int(t.g.ending) == names.VICTORY
    assert int(t.g.turn) == turns
    assert t.g.winner[:3].tolist() == [int(p == (first + 1) % 3) for p in range(3)]


@pytest.mark.rule("B3.3")
def test_a_tie_goes_to_the_most_world_wonders_before_friendly_spaces():
    t = seats(claimed=[0, 1])
    t.wonder("Petra", (4, 0))
    t.token(0, (-3, 0), (-2, 0))
    assert winners(t) == [1]


@pytest.mark.rule("B3.3")
def test_a_tie_of_wonders_goes_to_the_most_friendly_spaces():
    t = seats(claimed=[0, 1])
    t.city(0, (-2, 0))
    t.wonder("Petra", (4, 0))
    t.wonder("Oracle", (-4, 0))
    assert winners(t) == [0]


@pytest.mark.rule("B3.3")
def test_wonders_and_spaces_of_a_player_without_all_cards_do_not_matter():
    t = seats(3, claimed=[0, 1])
    t.wonder("Petra", (0, 4))
    t.token(2, (0, 3), (0, 2), (0, 1))
    t.token(1, (3, 0))
    assert winners(t) == [1]


@pytest.mark.rule("B3.3")
def test_a_wonder_in_ruins_counts_for_nobody():
    t = seats(claimed=[0, 1])
    t.wonder("Petra", (0, 0))
    t.token(1, (3, 0))
    assert winners(t) == [1]


@pytest.mark.rule("B3.3b")
@pytest.mark.rule("B3.3")
def test_a_tie_that_is_left_is_shared():
    assert winners(seats(3, claimed=[0, 2])) == [0, 2]


@pytest.mark.rule("B3.3b")
@pytest.mark.parametrize(("first", "winner"), [(0, 0), (1, 2), (2, 2)])
def test_with_the_other_ruling_the_first_in_turn_order_takes_it(tmp_path, first, winner):
    rules = rules_with(tmp_path, rulings={"final_tie": "first_in_turn_order"})
    assert winners(seats(3, claimed=[0, 2], first=first, rules=rules)) == [winner]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_turn_order_as_a_ranking_is_counted_from_the_first_player(first):
    t = table_with((0, 0), (3, 0), (-3, 0), leaders=("Rome", "Egypt", "Aztec"))
    t.g.first = first
    order = sorted(range(3), key=lambda p: winning.ranked(t.r, t.g, p, names.RANK_LAST))
    assert order == [(first + k) % 3 for k in range(3)]


def barbarian_decides(rules=None):
    """Seat 0 is ahead by one space until the barbarians of the event dial destroy two of its tokens."""
    t = seats(claimed=[0, 1], rules=rules)
    t.token(0, (0, 0), (0, 2))
    t.token(1, (3, 0))
    t.barbarian("A", (-1, 0))
    t.barbarian("B", (-1, 2))
    t.g.event = NOTHING
    t.dice(1)  # east
    return t


@pytest.mark.rule("B3.3a")
def test_the_dial_has_been_turned_before_the_winner_is_looked_for():
    t = barbarian_decides()
    assert step(t) == 0
    assert int(t.g.event) == MOVE
    assert t.g.winner[:2].tolist() == [0, 1]


@pytest.mark.rule("B3.3a")
def test_with_the_other_ruling_the_winner_is_looked_for_before_the_dial_turns(tmp_path):
    t = barbarian_decides(rules_with(tmp_path, rulings={"win_check": "before_event_dial"}))
    assert step(t) == 0
    assert int(t.g.event) == NOTHING
    assert t.g.winner[:2].tolist() == [1, 0]


@pytest.mark.rule("B3.3a")
@pytest.mark.parametrize(("reading", "won"), [("after_event_dial", True), ("before_event_dial", False)])
def test_a_card_claimed_while_the_dial_turns_wins_only_if_the_winner_is_looked_for_afterwards(tmp_path, reading, won):
    rules = rules_with(tmp_path, rulings={"win_check": reading})
    warmonger = next(c for c in range(5) if names.METRIC_CAPITALS_DEFEATED in rules.agenda_metric[c].tolist())
    t = Table(leaders=("Egypt", "Aztec"), victory=(warmonger,), rules=rules, radius=4)
    t.capital(0, (-4, 0))
    t.capital(1, (4, 0))
    t.g.capitals_beaten[0] = 1  # not looked at yet
    t.g.dirty = 1
    t.g.event = 0  # the next section shows no icon
    t.script()
    turn.begin_round(t.r, t.g, t.w, BOTS)
    assert t.g.claimed[0, 0] > 0
    assert (int(t.g.ending) == names.VICTORY) == won


# --- B3.4


@pytest.mark.rule("B3.4")
def test_the_game_goes_on_without_a_winner_until_the_round_cap_and_ends_unfinished():
    t = seats(3, first=1)
    t.g.round_number = 0
    t.g.round_cap = 2
    steps = 0
    while step(t):
        steps += 1
        assert steps <= 6
    assert steps == 6
    assert int(t.g.ending) == names.ROUND_CAP
    assert not t.g.winner[:3].any()


@pytest.mark.rule("B3.4")
def test_who_has_every_card_after_the_last_round_has_still_won():
    t = seats(claimed=[1])
    t.g.round_cap = t.g.round_number = 5
    assert step(t) == 0
    assert int(t.g.ending) == names.VICTORY


def test_a_game_is_played_to_its_end():
    t = table_with((0, 0), (3, 0), victory=(0,))
    t.g.round_number, t.g.round_cap, t.g.ending = 0, 2, names.RUNNING
    t.script()
    turn.play_game(t.r, t.g, t.w, BOTS)
    assert (t.g.ending, t.g.round_number, t.g.turn) == (names.ROUND_CAP, 2, 4)


def test_a_round_limit_of_one_ends_the_game_after_the_first_round():
    t = table_with((0, 0), (3, 0))
    t.r = t.r.copy()
    t.r.round_limit = 1
    assert winning.at_round_limit(t.r, t.g)
