"""What tables play differently: agendas for the first who claim them, cards always in play, drafted wonders, who goes first,
a smaller map. Each beside the printed reading."""

import numpy as np
import pytest
from table import Table

from newdawn.scripts.checks.soak import soak
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state, treatment, turn
from newdawn.simulator.engine.choosing import LOG_AGENDA, LOG_FIRST, LOG_WONDER_DRAFTED
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.board import Board
from newdawn.simulator.replay.film import face_up
from newdawn.simulator.replay.stepper import Game, play_logged
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.rules.show import show
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.planning import weights
from newdawn.strategies.planning.plan import claim_turns

CIVILIZED = 0  # the first victory card: Civilized or Money Grubber
FIRST_COME = {"victory_cards": {"civilized": {"claims_at_most": 1}}}
DRAFT = {"components": {"drafted_wonders": 2}}


def house(overlay, box=names.BOXES[0]):
    return with_overlay(load_ruleset(box=box), overlay, "house")


def game_of(overlay, box=names.BOXES[0], strategy="planner", players=3, seed=1):
    ruleset = house(overlay, box)
    return Game(ruleset, plan_by(ruleset.compile(), players=players, games=1, seed=seed, strategies=[strategy]), 0)


# --- an agenda for the first who claims it


def both_meet_civilized(overlay):
    """Two players who both satisfy Civilized by 2 cities, of whom the second one claims first if it is its turn."""
    rules = house({**overlay, "victory_cards": {**overlay.get("victory_cards", {})}}).compile()
    rules.agenda_target[CIVILIZED, 0] = 2
    t = Table(radius=4, victory=(CIVILIZED,), rules=rules)
    t.capital(0, (-3, 0))
    t.capital(1, (3, 0))
    t.city(0, (-1, 0))
    t.city(1, (1, 0))
    t.g.current = 1
    t.g.dirty = 1
    t.call(lambda *_: None)
    return t


@pytest.mark.rule("B3.2")
@pytest.mark.parametrize(("overlay", "claimed"), [({}, [1, 1]), (FIRST_COME, [0, 1])])
def test_an_agenda_is_for_everyone_or_for_the_first_who_claims_it(overlay, claimed):
    t = both_meet_civilized(overlay)
    assert t.g.claimed[:2, 0].tolist() == claimed
    assert [row[1] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_AGENDA] == [
        seat for seat in (1, 0) if claimed[seat]
    ]


def test_the_other_agenda_of_its_card_can_still_be_claimed_and_the_planner_knows():
    t = both_meet_civilized(FIRST_COME)
    assert claim_turns(t.r, t.g, t.w, 0, 0, 0) == weights.OUT_OF_THE_QUESTION
    t.r.agenda_target[CIVILIZED, 1] = 0
    t.g.dirty = 1
    t.call(lambda *_: None)
    assert t.g.claimed[:2, 0].tolist() == [2, 1]


def test_the_number_for_all_agendas_gives_way_to_an_agenda_s_own():
    overlay = {"victory_cards": {"rules": {"claims_per_agenda": 2}, "civilized": {"claims_at_most": 1}}}
    r = house(overlay).compile()
    assert r.agenda_room[:2].tolist() == [[1, 2], [2, 2]]
    assert "only the first player can claim it" in " ".join(show(house(overlay), "Civilized"))


def test_a_card_whose_one_agenda_is_out_of_the_game_counts_both_halves_as_one():
    t = both_meet_civilized({"victory_cards": {"civilized": {"claims_at_most": 1}, "money_grubber": {"available": False}}})
    assert sorted(t.g.claimed[:2, 0] > 0) == [False, True]


# --- a victory card that is always in play


@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("always", [True, False])
def test_a_card_always_in_play_is_and_the_others_are_drawn(always, box):
    there, others = [], set()
    for seed in range(20):
        g = game_of({"victory_cards": {"warmonger_paranoid": {"always_in_play": always}}}, box, "random", seed=seed).state
        cards = g.victory_card[: g.victory_count].tolist()
        assert len(set(cards)) == len(cards)
        there.append(1 in cards)
        others |= set(cards)
    assert all(there) == always
    assert len(others) > 4


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        ({"populous_preservationist": {"always_in_play": True, "available": False}}, "the card is not in the game"),
        ({"rules": {"cards_in_play": 1}, "populous_preservationist": {"always_in_play": True},
          "warmonger_paranoid": {"always_in_play": True}}, "expected at most 1 such cards, as many as are in play, got 2"),
    ],
)  # fmt: skip
def test_cards_that_cannot_all_be_in_play_are_refused(overlay, message):
    with pytest.raises(UserError, match=message):
        house({"victory_cards": overlay})


# --- drafted wonders


@pytest.mark.parametrize("box", names.BOXES)
def test_players_draft_in_turn_order_and_back_and_the_decks_go_on(box):
    game = game_of(DRAFT, box, "random")
    turns = game.turns()
    next(turns)
    rows = [row for row in game.rows if row[0] == LOG_WONDER_DRAFTED]
    first = int(game.state.opened)
    order = [(first + k) % 3 for k in range(3)]
    assert [row[1] for row in rows] == [*order, *reversed(order)]
    wonders = [row[2] for row in rows]
    assert len(set(wonders)) == 6
    assert (game.state.wonder_place[wonders] == state.WONDER_FACE_UP).all()
    up = np.flatnonzero((game.state.wonder_place == state.WONDER_FACE_UP) & (game.state.wonder_drafted == 0))
    kinds = game.rules.wonder_type[up].tolist()
    assert len(set(kinds)) == len(kinds)  # one of each type, as without a draft


def test_a_page_says_whose_a_drafted_wonder_is():
    game = game_of(DRAFT)
    next(game.turns())
    board = Board(game.rules, game.state)
    for k in np.flatnonzero(game.state.wonder_drafted):
        owner = game.words.short(int(game.state.wonder_drafted[k]) - 1)
        assert f"{board.titles.wonder[k]} ({owner} alone)" in face_up(board)


@pytest.mark.rule("B8.5")
def test_only_who_has_drafted_a_wonder_may_build_it_and_no_other_is_turned_up_then():
    t = Table(radius=4, rules=house({"components": {"drafted_wonders": 1}}).compile())
    culture = [written(t.r, "wonder")[w] for w in range(int(t.r.n_wonders)) if t.r.wonder_type[w] == names.CULTURE][:3]
    codes = [written(t.r, "wonder").index(name) for name in culture]
    t.deck(*culture)
    for p, space in ((0, (0, 0)), (1, (4, 0))):
        t.capital(p, space)
        t.give_resources(p, marble=3, mercury=3, oil=3, diamond=3)
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + codes[0]))
    t.call(treatment.draft_wonder, 0)
    assert t.g.wonder_drafted[codes].tolist() == [1, 0, 0]
    assert (t.g.wonder_place[codes] == state.WONDER_FACE_UP).tolist() == [True, True, False]

    def offered(p):
        t.script()
        t.resolve(p, "Pottery", slot=5)
        return {option - decisions.WONDER_OPTION for option in t.options(decisions.INDUSTRY)} & set(codes)

    assert offered(1) == {codes[1]}
    assert offered(0) == {codes[0], codes[1]}
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + codes[0]))
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, culture[0])
    assert (t.g.wonder_place[codes] == state.WONDER_FACE_UP).tolist() == [False, True, False]


def test_the_printed_game_drafts_nothing():
    assert not game_of({}).state.wonder_drafted.any()
    plan = plan_by(load_ruleset().compile(), games=1, players=2, seed=1, round_cap=2)
    assert not any("drafts" in line for line in play_logged(load_ruleset(), plan, 0))


# --- who goes first


def firsts(overlay, rounds=6):
    """Return who takes the first turn of each round, and how many victory cards and spaces all had at its beginning."""
    game = game_of(overlay, players=3)
    seats, spaces = [], []
    held = [int(n) for n in game.state.space_count[:3]]
    for _ in game.turns():
        rows = [row for row in game.rows if row[0] == turn.LOG_TURN]
        if game.state.round_number > len(seats):
            seats.append(rows[0][1])
            spaces.append(held)
        held = [int(n) for n in game.state.space_count[:3]]
        if len(seats) == rounds:
            break
    return game, seats, spaces


def test_the_first_player_stays_as_printed():
    game, seats, _ = firsts({})
    assert set(seats) == {int(game.state.opened)} == {int(game.state.first)}


def test_or_the_next_player_begins():
    _, seats, _ = firsts({"components": {"first_player": "next_clockwise"}})
    assert seats == [(seats[0] + k) % 3 for k in range(len(seats))]


@pytest.mark.parametrize(
    ("claims", "spaces", "first"),
    [((0, 0, 0), (3, 3, 3), 1), ((1, 0, 1), (1, 5, 1), 1), ((0, 0, 0), (3, 4, 2), 2), ((0, 1, 1), (9, 1, 1), 0)],
)
def test_or_whoever_is_furthest_behind(claims, spaces, first):
    rules = house({"components": {"first_player": "furthest_behind"}}).compile()
    t = Table(leaders=("Rome", "Egypt", "Japan"), victory=(0, 1), rules=rules)
    t.g.first = t.g.current = 1
    t.g.claimed[:3, 0] = claims
    t.g.space_count[:3] = spaces
    turn.change_first_player(t.r, t.g, t.w)
    assert (int(t.g.first), int(t.g.current)) == (first, first)
    assert [row[1] for row in t.w.log[: t.w.log_n].tolist() if row[0] == LOG_FIRST] == ([first] if first != 1 else [])


@pytest.mark.parametrize("word", ["next_clockwise", "furthest_behind"])
def test_everybody_has_one_turn_a_round_and_rows_keep_the_order_of_round_one(word):
    game = game_of({"components": {"first_player": word}}, strategy="random", players=4)
    seen = {}
    for _ in game.turns():
        for row in game.rows:
            if row[0] == turn.LOG_TURN:
                seen.setdefault(int(game.state.round_number), []).append(row[1])
        if game.state.round_number > 8:
            break
    assert all(sorted(seats) == [0, 1, 2, 3] for number, seats in seen.items() if number <= 8)
    assert seen[1][0] == int(game.state.opened)


# --- a smaller map


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_smaller_map_has_fewer_tiles_and_every_capital(players):
    ruleset = load_ruleset(["smaller_map"])
    plan = plan_by(ruleset.compile(), players=players, games=3, seed=2, strategies=["random"])
    for number in range(3):
        g = Game(ruleset, plan, number).state
        assert len(set(g.tile[: g.n_spaces].tolist()) - {0}) == 2 + 2 * players
        assert (g.capital[:players] >= 0).all()


def test_a_core_without_tiles_enough_is_refused():
    with pytest.raises(UserError, match="core_mix: expected 4 tiles in all for the core, got 2"):
        house({"components": {"map_setup": {"core_mix": {"natural_wonder": 1, "city_state": 1}}}})


# --- all of them together, with every piece counted after each turn


@pytest.mark.parametrize("box", names.BOXES)
def test_games_by_all_of_them_keep_every_invariant(box, tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text(
        "components: {drafted_wonders: 2, first_player: furthest_behind}\n"
        "victory_cards: {rules: {claims_per_agenda: 1, cards_needed: 2}, warmonger_paranoid: {always_in_play: true}}\n"
    )
    assert soak(games=3, seed=3, round_cap=40, box=box, strategies=("planner", "random"), rules=(path,)).violation == 0
