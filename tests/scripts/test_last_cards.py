"""Offers of the last victory card: found where a line of the turn claims it, apart from what players try."""

import numpy as np
import pytest
from table import Table

from newdawn.scripts.checks.last_cards import OFFERED, LineSearch, Offer, offers_of, table
from newdawn.simulator import names
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.registry import find

WARMONGER, TECHNOPHILE = 1, 4  # victory cards: one defeated capital; 24 spaces of the technology dial


def before(victory: int, kind: str, place: int) -> Table:
    """A seat that lacks one card, at the start of its turn, with its card of a type in a place of the row."""
    t = Table(victory=(victory,), radius=4)
    t.capital(0, (0, 0))
    t.capital(1, (2, 0))
    t.g.weights[:2] = find("planner").weights(2)[0]
    row, now = t.g.row[0], t.row(0).index(kind)
    row[now], row[place] = row[place], row[now]
    return t


@pytest.mark.parametrize(("short", "offered"), [(1, 1.0), (20, 0.0)])
def test_a_card_that_a_line_of_the_turn_claims_is_offered(short, offered):
    t = before(TECHNOPHILE, "science", 4)
    t.g.dial[0] = 24 - short
    search = LineSearch(t.r)
    assert search.offer(t.g, 0) == offered
    if offered:
        assert t.row(0)[search.line[0]] == "science"


@pytest.mark.parametrize(("tokens", "place"), [(9, 4), (0, 0)])
def test_a_card_that_needs_luck_is_no_offer(tokens, place):
    """The capital nearby falls for certain to nine trade tokens in the last slot, and seldom to none in the first."""
    t = before(WARMONGER, "military", place)
    t.card(0, "Mass Production" if tokens else "Masonry")
    t.trade(0, "military", tokens)
    share = LineSearch(t.r).offer(t.g, 0)
    assert share >= OFFERED if tokens else share == 0


def test_a_target_that_the_planner_would_not_choose_is_found():
    """With weights that make a defeated capital worth nothing the planner attacks something else; the line does not."""
    t = before(WARMONGER, "military", 4)
    t.card(0, "Mass Production")
    t.trade(0, "military", 9)
    t.barbarian("A", (1, 0))
    t.g.weights[:2] = 0
    search = LineSearch(t.r)
    assert search.offer(t.g, 0) >= OFFERED
    assert search.line[[2, 4]].any()  # another option than its own at a question of the turn
    kept = t.g.tobytes()
    search.offer(t.g, 0)
    assert t.g.tobytes() == kept


def test_offers_are_taken_missed_or_left_out_and_a_winner_has_taken_its_own():
    ruleset = load_ruleset()
    plan = plan_by(ruleset.compile(), players=4, games=3, seed=77203, strategies=[find("planner")])
    offers = []
    for k in range(plan.games):
        game = Game(ruleset, plan, k)
        found = list(offers_of(game))
        assert game.state.ending == names.VICTORY
        again = Game(ruleset, plan, k)
        for _ in again.turns():
            pass
        assert again.state.tobytes() == game.state.tobytes()  # looking changes no game
        offers += found
    assert {offer.outcome for offer in offers} <= {"taken", "missed", "left out"}
    for offer in offers:
        assert offer.claims >= OFFERED
        if offer.outcome == "missed":
            assert offer.wins > offer.wins_taken
    assert any(offer.outcome == "taken" for offer in offers)


def test_the_share_taken_leaves_out_turns_that_win_as_often():
    kinds = ["taken"] * 6 + ["missed"] * 2 + ["left out"] * 5
    shown = table([Offer(0, k, 0, 1.0, kind, np.nan, np.nan) for k, kind in enumerate(kinds)])
    assert (shown["offers"], shown["missed"], shown["left out"]) == (13, 2, 5)
    assert shown["taken of taken and missed"].startswith("75.0% [")
    assert table([])["taken of taken and missed"] == "none offered"
