"""Several face-up world wonders of a type: what may be built, what is turned up then, and what nobody knows."""

import numpy as np
import pytest
from table import Table, bare_state, printed_rules, used_work

from newdawn.scripts.checks.soak import soak
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, known_to_seat, pieces, state, treatment, turn
from newdawn.simulator.engine.pieces import take_face_up
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.planning.plan import face_up
from newdawn.strategies.planning.planner import shuffle_hidden


def showing(n, box=names.BOXES[0]):
    return with_overlay(load_ruleset(box=box), {"components": {"face_up_wonders": n}}, "house")


def table(n, box=names.BOXES[0]):
    """Rome with two cities and all the marble, and a deck of culture wonders."""
    t = Table(radius=4, rules=showing(n, box).compile())
    t.capital(0, (0, 0))
    t.capital(1, (4, 0))
    t.city(0, (-3, 0))
    t.deck(*culture(t))
    t.give_resources(0, marble=5, mercury=5, oil=5, diamond=5)
    return t


def culture(t):
    """Return the culture wonders of the box by era, as they lie in a deck."""
    r = t.r
    codes = [w for w in range(int(r.n_wonders)) if r.wonder_type[w] == names.CULTURE]
    return [written(r, "wonder")[w] for w in sorted(codes, key=lambda w: int(r.wonder_era[w]))][: names.DECK_SIZE]


def offered(t):
    """Return the wonders among the options of an industry card in the last slot."""
    t.resolve(0, "Pottery", slot=5)
    options = next(options for kind, _, options in reversed(t.asked()) if kind == decisions.INDUSTRY)
    return {option for option in options if option >= decisions.WONDER_OPTION}


def face_up_now(t):
    return {written(t.r, "wonder")[w] for w in np.flatnonzero(t.g.wonder_place == state.WONDER_FACE_UP)}


class Twin:
    """A deck as the rule says it: the cards left in it, of which the first n lie face up."""

    def __init__(self, cards, n):
        self.left, self.n = list(cards), n

    def up(self):
        return set(self.left[: self.n])


@pytest.mark.rule("B2.5")
@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("n", [1, 2, 3, names.DECK_SIZE])
def test_as_many_lie_face_up_as_the_rules_say_whichever_is_taken(n, box):
    dice = np.random.default_rng(n)
    for _ in range(6):
        t = table(n, box)
        twin = Twin(culture(t), n)
        while twin.left:
            assert face_up_now(t) == twin.up()
            name = sorted(twin.up())[dice.integers(len(twin.up()))]
            wonder = written(t.r, "wonder").index(name)
            if dice.random() < 0.3:  # given by an experiment, from wherever it lies
                name = twin.left[dice.integers(len(twin.left))]
                wonder = written(t.r, "wonder").index(name)
                assert treatment.take_from_deck(t.r, t.g, t.w, wonder) == 1
            else:
                take_face_up(t.r, t.g, t.w, wonder)
            t.g.wonder_place[wonder] = state.WONDER_BOX
            twin.left.remove(name)
        kind = names.CULTURE
        assert t.g.deck_next[kind] == t.g.deck_size[kind]
        assert sorted(t.g.deck[kind, : t.g.deck_size[kind]].tolist()) == sorted(
            written(t.r, "wonder").index(name) for name in culture(t)
        )


@pytest.mark.rule("B8.6")
@pytest.mark.parametrize("face_up", [1, 2])
def test_a_card_that_leaves_its_deck_makes_room_for_the_next(face_up):
    r = printed_rules().copy()
    r.face_up_wonders = face_up
    kind = int(r.wonder_type[5])
    mine = [i for i in range(r.n_wonders) if r.wonder_type[i] == kind][:4]
    for at in range(face_up):
        g, w = bare_state(), used_work()
        w.log_on = 0
        g.deck[kind, :4], g.deck_size[kind], g.deck_next[kind] = mine, 4, 0
        g.wonder_place[mine] = state.WONDER_DECK
        g.wonder_place[mine[:face_up]] = state.WONDER_FACE_UP
        pieces.take_face_up(r, g, w, mine[at])
        left = [i for i in mine if i != mine[at]]
        end = pieces.face_up_end(r, g, kind)
        assert g.deck[kind, int(g.deck_next[kind]) : 4].tolist() == left
        assert g.deck[kind, int(g.deck_next[kind]) : end].tolist() == left[:face_up]
        assert all(g.wonder_place[i] == state.WONDER_FACE_UP for i in left[:face_up])
        assert g.wonder_place[left[-1]] == state.WONDER_DECK


@pytest.mark.rule("B2.5")
@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("n", [1, 2, names.DECK_SIZE])
def test_the_set_up_turns_up_so_many_of_each_deck(n, box):
    ruleset = showing(n, box)
    plan = plan_by(ruleset.compile(), players=3, games=1, seed=4, strategies=["random"])
    g = Game(ruleset, plan, 0).state
    for kind in np.flatnonzero(g.deck_size):
        up = [int(g.wonder_place[w]) == state.WONDER_FACE_UP for w in g.deck[kind, : g.deck_size[kind]]]
        assert up == [k < n for k in range(len(up))]


@pytest.mark.rule("B8.5")
@pytest.mark.parametrize("n", [1, 2, 3])
def test_each_face_up_wonder_is_for_sale_and_what_follows_it_is_turned_up(n):
    t = table(n)
    codes = [written(t.r, "wonder").index(name) for name in culture(t)]
    t.g.trade[0] = 3
    assert offered(t) == {decisions.WONDER_OPTION + w for w in codes[:n]}
    last = culture(t)[n - 1]
    t.script((decisions.INDUSTRY, decisions.WONDER_OPTION + codes[n - 1]), (decisions.WONDER_CITY, (-3, 0)))
    t.resolve(0, "Pottery", slot=5)
    assert t.controls(0, last)
    assert face_up_now(t) == {*culture(t)[: n + 1]} - {last}


@pytest.mark.rule("T9.2")
def test_the_event_dial_tempts_builders_of_all_of_them_and_what_is_turned_up_is_bare():
    t = table(2, "terra-incognita")
    first, second, third = (written(t.r, "wonder").index(name) for name in culture(t)[:3])
    t.g.wonder_trade[second] = 1
    t.call(turn.resolve_icons, names.ICON_WONDER)
    assert t.g.wonder_trade[[first, second, third]].tolist() == [1, 0, 0]
    assert t.g.wonder_place[[first, second, third]].tolist() == [state.WONDER_FACE_UP, state.WONDER_BOX, state.WONDER_FACE_UP]
    t.call(turn.resolve_icons, names.ICON_WONDER)  # the first gets its second token and leaves, the third its first
    assert t.g.wonder_trade[[first, second, third]].tolist() == [0, 0, 1]


@pytest.mark.parametrize("n", [1, 2])
def test_a_seat_knows_the_face_up_ones_and_a_search_shuffles_only_the_others(n):
    t = table(n)
    kind, size = names.CULTURE, int(t.g.deck_size[names.CULTURE])
    deck = t.g.deck[kind, :size].tolist()
    seen = t.g.copy()
    known_to_seat.hide_unknown(t.r, seen, 0)
    assert seen.deck[kind, :size].tolist() == [*deck[:n], *[known_to_seat.UNKNOWN] * (size - n)]
    orders = set()
    for seed in range(30):
        g = t.g.copy()
        g.rng[:] = seed
        shuffle_hidden(t.r, g)
        assert g.deck[kind, :n].tolist() == deck[:n]
        orders.add(tuple(g.deck[kind, :size].tolist()))
    assert len(orders) > 1


def test_the_planner_reckons_with_the_wonder_that_it_can_build_most_easily():
    for n, wanted in ((1, 0), (2, 1)):
        t = table(n)
        first, second = (written(t.r, "wonder").index(name) for name in culture(t)[:2])
        t.r.wonder_cost[first], t.r.wonder_cost[second] = 12, 5
        assert face_up(t.r, t.g, 0, names.CULTURE) == (first, second)[wanted]


@pytest.mark.parametrize(
    ("number", "message"),
    [(0, "expected at least 1, got 0"), (13, "expected at most 12, got 13"), ("all", "expected a whole number, got 'all'")],
)
def test_what_no_deck_has_room_for_is_refused(number, message):
    with pytest.raises(UserError, match=f"components.face_up_wonders: {message}"):
        showing(number)


@pytest.mark.parametrize("box", names.BOXES)
def test_games_with_two_of_each_break_no_invariant(box):
    found = soak(games=6, seed=3, round_cap=40, box=box, strategies=("planner", "random"), rules=("two_open_wonders",))
    assert (found.games, found.violation) == (6, 0)
