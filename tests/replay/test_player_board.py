"""Players' boards say what the state holds, in forced positions of both boxes, and count agendas as the game does."""

import json
from itertools import pairwise

import numpy as np
import pytest
from table import Table, rules_with, table_with, ti_rules

from newdawn.simulator import names
from newdawn.simulator.engine.counts import agenda_met
from newdawn.simulator.replay.log_in_words import LogSentences
from newdawn.simulator.replay.player_boards import changes, player_board
from newdawn.simulator.replay.space_names import space_name
from newdawn.simulator.replay.stepper import Game, headline
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.runs.run_plan import plan_by


def board_of(t, seat=0):
    """Return the board of a seat; it stays what it is as JSON."""
    board = player_board(LogSentences(t.r, t.g), seat)
    assert json.loads(json.dumps(board)) == board
    return board


def items(t, group, seat=0):
    """Return the items of a group as (number, what, note)."""
    return [(one["n"], one["what"], one["note"]) for one in board_of(t, seat)["has"][group]]


def card_of(t, kind, seat=0):
    return next(card for card in board_of(t, seat)["row"] if card["type"] == kind)


def victory_code(r, agenda):
    """Return the victory card with the agenda, and which of its two it is."""
    code = written(r, "agenda").index(agenda)
    return next((card, half) for card in range(int(r.n_victory_cards)) for half in (0, 1) if r.agenda_name[card, half] == code)


def shown(t, agenda, seat=0):
    """Return the agenda of the one victory card in play."""
    (card,) = board_of(t, seat)["victory"]
    return next(one for one in card["agendas"] if one["name"] == agenda)


# ---------------------------------------------------------------------- what lies in front of a player


def test_the_focus_row_with_slots_levels_and_tokens():
    t = table_with((0, 0), (-3, 0), leaders=["Rome", "Egypt"])
    t.card(0, "Currency")
    t.trade(0, "economy", 2)
    t.caravan(0, (1, 0), c=1)
    row = board_of(t)["row"]
    assert [card["slot"] for card in row] == [1, 2, 3, 4, 5]
    assert [card["type"] for card in row] == t.row(0)
    card = card_of(t, "economy")
    assert (card["name"], card["level"], card["tokens"], card["waiting"]) == ("Currency", "II", 2, 1)
    assert card["slot"] == t.slot_of(0, "economy")
    assert all(other["acts"] == other["slot"] for other in row)


def test_a_government_shifts_the_slot_and_lies_on_its_card():
    t = Table(rules=ti_rules(), leaders=["Rome", "Egypt"])
    t.capital(0, (0, 0))
    t.g.government[0], t.g.government_type[0] = t.holder(0, "culture"), names.CULTURE
    card = card_of(t, "culture")
    place = board_of(t)["row"].index(card)
    assert card["guests"] == ["Republic"]
    assert card["acts"] == t.r.slot_number[min(place + 2, 5)]
    assert items(t, "government") == [(None, "Republic", f"{card['name']} acts 2 slots further right")]
    assert [one["slot"] for one in board_of(t)["row"]] == [1, 1, 2, 3, 4, 5]


def test_a_place_without_a_card_is_empty():
    t = Table()
    t.g.card[0, t.g.row[0, 1]] = -1
    assert board_of(t)["row"][1]["name"] == ""


@pytest.mark.parametrize(("at", "then"), [(0, (3, "II")), (3, (6, "II")), (23, (24, "IV")), (24, (19, "IV")), (17, (19, "IV"))])
def test_the_dial_says_which_space_brings_a_card_next(at, then):
    t = Table()
    t.g.dial[0] = at
    dial = board_of(t)["dial"]
    assert (dial["at"], dial["last"], dial["next"], dial["level"]) == (at, 24, *then)


def test_what_a_player_holds():
    t = table_with((0, 0), (-3, 0), leaders=["Rome", "Egypt"])
    t.city(0, (2, 0))
    t.wonder("Petra", (2, 0))
    t.wonder("Pyramids", (-3, 0))
    t.natural_wonder("Crater Lake", (0, 1))
    t.token(0, (0, 1))
    t.token(0, (1, 0), reinforced=True)
    t.give_resources(0, marble=2)
    t.diplomacy(0, 1, "Embassy")
    t.city_state_card(0, "Seoul")
    t.conquered(0, "Kabul", (0, -3))
    assert items(t, "resources")[0] == (2, "marble", "")
    assert [what for _, what, _ in items(t, "resources")] == ["marble", "Crater Lake"]
    assert items(t, "world wonders") == [(None, "Petra", "ancient military")]
    assert items(t, "diplomacy cards") == [(None, "Embassy", "of Egypt"), (None, "Seoul", "city-state")]
    assert [what for _, what, _ in items(t, "city-states")] == ["Kabul"]
    assert [card["guests"] for card in board_of(t)["row"] if card["guests"]] == [["Kabul"]]
    g = t.g
    assert items(t, "on the map") == [
        (2, "control tokens", "1 reinforced"), (5, "friendly spaces", f"{int(g.coast_count[0])} by water or the map's edge"),
    ]  # fmt: skip
    assert items(t, "left to place") == [(int(g.tokens_left[0]), "control tokens", ""), (int(g.cities_left[0]), "cities", "")]
    assert [note for _, _, note in items(t, "cities")] == ["capital", "", ""]
    assert not {"armies", "government", "districts"} & set(board_of(t)["has"])
    assert items(t, "world wonders", 1) == [(None, "Pyramids", "ancient science")]


def test_what_only_the_expansion_has():
    t = Table(rules=ti_rules(), leaders=["Rome", "Ottoman"])
    t.capital(0, (0, 0))
    t.district(0, "Campus", (1, 0))
    t.card(0, "Mass Production")
    t.army(0, (2, 0), 0)
    t.army(0, None, 1)
    t.g.given_card[1] = 0
    assert items(t, "armies") == [(1, "on the military card", ""), (1, f"on {space_name(t.g, t.at((2, 0)))}", "")]
    assert items(t, "districts") == [(None, "Campus", space_name(t.g, t.at((1, 0))))]
    t.g.cities_left[0] = 0
    assert items(t, "left to place")[1] == (0, "cities", ""), "none is a number, too"
    assert items(t, "on the map")[0] == (0, "control tokens", ""), "a district is no control token of the 34"
    assert items(t, "left to place")[-1] == (4, "districts", "")
    assert items(t, "diplomacy cards") == [(None, "Ibrahim", "of Ottoman")]


# ---------------------------------------------------------------------- what is still needed


def test_an_agenda_says_what_is_there_of_what_is_needed():
    t = table_with((0, 0), (-3, 0), victory=[victory_code(Table().r, "Civilized")[0]])
    t.city(0, (2, 0))
    agenda = shown(t, "Civilized")
    assert agenda == {"name": "Civilized", "met": False, "both": False, "parts": [
        {"what": "cities on the map, the capital among them", "has": 2, "needs": 8}]}  # fmt: skip
    assert {one["name"] for one in board_of(t)["victory"][0]["agendas"]} == {"Civilized", "Money Grubber"}


def test_of_two_conditions_one_will_do_or_both_have_to_hold(tmp_path):
    t = Table(victory=[victory_code(Table().r, "Warmonger")[0]])
    t.g.capitals_beaten[0] = 1
    agenda = shown(t, "Warmonger")
    assert ([part["has"] for part in agenda["parts"]], agenda["met"], agenda["both"]) == ([1, 0], True, False)
    pair = [{"metric": "mature_cities", "at_least": 1}, {"metric": "friendly_spaces", "at_least": 1}]
    card = {"populous_preservationist": {"agendas": {"populous": {"condition": {"all_of": pair}}}}}
    rules = rules_with(tmp_path, victory_cards={"base": card})
    t = Table(rules=rules, victory=[victory_code(rules, "Populous")[0]])
    t.capital(0, (0, 0))
    agenda = shown(t, "Populous")
    assert ([part["has"] for part in agenda["parts"]], agenda["met"], agenda["both"]) == ([0, 1], False, True)


def test_numbers_that_are_no_counts_read_well():
    base = Table(victory=[victory_code(Table().r, "Technophile")[0]])
    base.g.dial_reached[0] = 14
    assert shown(base, "Technophile")["parts"] == [{"what": "space the tech dial has reached", "has": 14, "needs": 24}]
    t = Table(rules=ti_rules(), victory=[victory_code(ti_rules(), "Devastating")[0]])
    t.g.best_attack[0] = 12
    assert shown(t, "Devastating")["parts"] == [{"what": "total of a won attack", "has": 12, "needs": 16}]


def test_a_fort_card_has_one_agenda_and_what_is_claimed_says_when():
    t = Table(rules=ti_rules(), victory=[victory_code(ti_rules(), "Fortified")[0], victory_code(ti_rules(), "Prolific")[0]])
    t.g.claimed[0, 1], t.g.claimed_round[0, 1] = 1 + victory_code(ti_rules(), "Prolific")[1], 9
    board = board_of(t)
    assert [one["name"] for one in board["victory"][0]["agendas"]] == ["Fortified"]
    assert (board["victory"][1]["claimed"], board["victory"][1]["round"]) == ("Prolific", 9)
    assert board["claimed"] == 1


def game_of(box, **settings):
    ruleset = load_ruleset(box=box)
    defaults = {"players": 3, "games": 1, "seed": 3, "strategies": ["planner"], "round_cap": 40}
    return Game(ruleset, plan_by(ruleset.compile(), **{**defaults, **settings}), 0)


@pytest.fixture(scope="module", params=names.BOXES)
def played(request):
    """A game of a box and the boards after each of its turns, with a copy of the state then."""
    game = game_of(request.param)
    turns = []
    for _ in game.turns():
        boards = [player_board(game.words, seat) for seat in range(3)]
        turns.append((boards, game.states.copy().view(np.recarray)[0]))
    return game, turns


def test_agendas_are_counted_as_the_game_counts_them(played):
    """In every turn of a game: what is met by the board is met by the rules, and what is claimed is what the state says."""
    game, turns = played
    met = 0
    for boards, g in turns:
        for seat, board in enumerate(boards):
            for place, card in enumerate(board["victory"]):
                code, claimed = int(g.victory_card[place]), int(g.claimed[seat, place])
                assert bool(card["claimed"]) == (claimed > 0)
                for one in card["agendas"]:
                    half = next(h for h in (0, 1) if game.words.agenda(code, h) == one["name"])
                    enough = [part["has"] >= part["needs"] for part in one["parts"]]
                    assert (
                        one["met"] == (all if one["both"] else any)(enough) == bool(agenda_met(game.rules, g, seat, code, half))
                    )
                    assert claimed or not one["met"], "an agenda that is satisfied is claimed at once"
                    met += one["met"]
            assert board["claimed"] == sum(bool(card["claimed"]) for card in board["victory"])
            assert len(board["has"]["cities"]) == g.city_count[seat]
    assert met


def test_changes_laid_over_a_board_are_the_next_one(played):
    _, turns = played
    for (before, _), (now, _) in pairwise(turns):
        for old, new in zip(before, now, strict=True):
            assert {**old, **changes(old, new)} == new
    assert changes(turns[0][0][0], turns[0][0][0]) == {}


# ---------------------------------------------------------------------- the headline


def test_the_headline_says_who_won_by_what_in_which_round(played):
    game, turns = played
    (winner,) = [seat for seat in range(3) if game.state.winner[seat]]
    words = headline(game)
    first, rest = words.split(" with ", 1)
    number = int(game.state.round_number)
    assert first == f"{game.words.short(winner)} (seat {winner + 1}, planner) won in round {number}"
    for card in turns[-1][0][winner]["victory"]:
        assert not card["claimed"] or f"{card['claimed']} (round {card['round']})" in rest
    assert rest.startswith(f"{turns[-1][0][winner]['claimed']} victory cards: ")


def test_the_headline_of_a_game_that_nobody_won():
    game = game_of("base", round_cap=2)
    for _ in game.turns():
        pass
    assert headline(game) == "Nobody won: the game was stopped at the round cap of 2. Nobody has claimed a victory card."
    game.state.claimed[1, 0], game.state.claimed_round[1, 0] = 1, 2
    assert headline(game).endswith(f"{game.words.short(1)} (seat 2, planner) has 1 of 3 victory cards.")
    game.state.ending = names.RUNNING
    assert headline(game).startswith("The game goes on after round 2, where this replay ends.")


def test_the_headline_of_ties_and_of_a_round_limit():
    game = game_of("base", round_cap=1)
    g = game.state
    g.ending, g.round_number = names.VICTORY, 9
    g.winner[:2] = 1, 0
    assert headline(game).endswith(
        "with no victory card. Nobody had the 3 victory cards: the ranking at the round limit decided."
    )
    g.claimed[:2, :3], g.claimed_round[:2, :3] = 1, 4
    assert headline(game).endswith(
        f"{game.words.short(1)} (seat 2, planner) had enough victory cards, too: the tie-break decided."
    )
    g.winner[1] = 1
    assert headline(game).startswith("A shared win in round 9: ")
