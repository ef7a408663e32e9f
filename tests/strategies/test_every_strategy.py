"""What every strategy must do, asked of all of this package; and that the checks notice those that do not."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from newdawn.analysis.learning import strategy_checks
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.choosing import below_bits
from newdawn.simulator.engine.compile.jit import seat_strategies, strategy
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_game
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.runs.guard_process import frozen
from newdawn.strategies import registry
from newdawn.strategies.planning import weights
from newdawn.strategies.registry import ALWAYS, NEVER, TRAITS, Strategy, find, traits_of

RULES = load_ruleset().compile()
TI_RULES = load_ruleset(box=names.BOXES[names.TI_BOX]).compile()
NAMES = registry.packaged()
BOTH = [(name, box) for name in NAMES for box in names.BOXES if find(name).box in ("", box)]
# Of the players that think long the thinker does it here, in the base game; all of them do in the soaks.
THINKS = ("thinker", names.BOXES[0])
PLAYED = [
    pytest.param(name, box, marks=pytest.mark.soak if find(name).slow and (name, box) != THINKS else ()) for name, box in BOTH
]


def player(name: str) -> Strategy:
    """The strategy; a slow one with a few simulations a turn only."""
    found = find(name)
    if not found.slow:
        return found
    profile = found.resolved()
    return registry.of_profile(name, replace(profile, weights=profile.weights | {"simulations": 4, "simulated_rounds": 1}))


def rules_of(box: str) -> np.record:
    """The printed rules of a box."""
    return TI_RULES if box == names.BOXES[names.TI_BOX] else RULES


def rules_for(name: str) -> np.record:
    """The rules of the box that the strategy plays, the base game if it plays all."""
    return rules_of(find(name).box)


def test_strategies_of_this_package_have_names_and_descriptions_of_their_own():
    assert len(set(NAMES)) == len(NAMES)
    assert all(entry.description and entry.packaged for entry in registry.STRATEGIES)
    assert set(TRAITS) <= set(NAMES)


@pytest.mark.parametrize(("name", "box"), PLAYED)
def test_every_answer_is_legal_repeatable_and_leaves_the_game_alone(name, box):
    watch = strategy_checks.Watch()
    result = strategy_checks.answers(player(name), rules_of(box), games=2, round_cap=16, watch=watch)
    assert result.passed, result.text
    assert watch.seen > 250
    assert len(watch.kinds) > 10
    assert strategy_checks.chance_used(watch) == traits_of(name).chance


@pytest.mark.parametrize(("name", "box"), PLAYED)
def test_the_same_seed_gives_the_same_games(name, box):
    result = strategy_checks.same_games(player(name), rules_of(box), games=3)
    assert result.passed, result.text


@pytest.mark.parametrize("name", [name for name in NAMES if traits_of(name).finishes])
def test_games_among_copies_end_by_victory(name):
    for players in (2, 3, 4):
        result = strategy_checks.endings(player(name), rules_for(name), players, games=4 if find(name).slow else 40)
        assert result.passed, result.text


@pytest.mark.parametrize("name", NAMES)
def test_it_says_how_it_plays(name):
    text = registry.docstring(find(name))
    assert len(text) > 50
    if TRAITS.get(name) and TRAITS[name].leads_in:
        assert all(word in text for word in ("Opening:", "Priorities:", "It changes its mind when"))


def test_the_page_on_strategies_has_a_line_for_each():
    page = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text("utf-8")
    table = page.partition("| strategy | what it is |\n")[2].partition("\n\n")[0]
    named = [name for line in table.splitlines() for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(named) == sorted(NAMES)


# --- strategies that do not behave


def test_only_the_notes_of_the_own_seat_may_change():
    g, w = state.new_state(), state.new_work()
    seat = np.int8(4)  # as the engine hands it over where it runs as plain Python
    before = frozen(g, w, seat, 0)
    g.notes[seat] = 7
    assert frozen(g, w, seat, 0) == before
    g.notes[seat - 1] = 7
    assert frozen(g, w, seat, 0) != before


@strategy
def choose_too_high(r, g, w, seat, kind, n, u):
    return n


@strategy
def choose_by_chance(r, g, w, seat, kind, n, u):
    return below_bits(u, n)


def test_asked_again_a_strategy_finds_nonsense_in_all_its_scratch_memory():
    w, clean = state.new_work(), state.new_work()
    strategy_checks.spoil(w)
    spoilt = {name for name in w.dtype.names if (np.asarray(w[name]) != np.asarray(clean[name])).any()}
    assert spoilt == set(state.SCRATCH) - set(state.LASTING)


@strategy
def choose_and_meddle(r, g, w, seat, kind, n, u):
    if kind == decisions.CARD:
        g.trade[seat, 0] = 3
    return 0


@strategy
def choose_and_read_a_rivals_notes(r, g, w, seat, kind, n, u):
    g.notes[(seat + 1) % g.players, 0] = 1
    return 0


@strategy
def choose_and_sort_the_options(r, g, w, seat, kind, n, u):
    w.option[0] = w.option[n - 1]
    return 0


@strategy
def choose_by_what_lies_about(r, g, w, seat, kind, n, u):
    return 0 if w.score[0] < 0 else n - 1


@strategy
def choose_and_count(r, g, w, seat, kind, n, u):
    g.notes[seat, 0] += 1
    return g.notes[seat, 0] % n


@strategy
def choose_and_count_for_ever(r, g, w, seat, kind, n, u):
    w.script_pos += 1
    return 0


def own(function) -> Strategy:
    return Strategy(function.__name__, f"{__name__}:{function.__name__}", "of this test")


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (choose_too_high, "expected 0 to"),
        (choose_and_meddle, "card: changed the game"),
        (choose_and_read_a_rivals_notes, "changed the game"),
        (choose_and_sort_the_options, "changed the options"),
        (choose_by_what_lies_about, "when asked again"),
        (choose_and_count_for_ever, "changed the workspace"),
    ],
)
def test_faults_are_noticed(function, fault, monkeypatch):
    monkeypatch.setattr(Strategy, "load", lambda self: function if self.name == function.__name__ else choose_by_chance)
    result = strategy_checks.answers(own(function), RULES, games=1, round_cap=3)
    assert not result.passed
    assert fault in result.text


@pytest.mark.parametrize(("function", "needs"), [(choose_and_count, NEVER), (choose_by_chance, ALWAYS)])
def test_own_notes_and_chance_are_allowed(function, needs, monkeypatch):
    monkeypatch.setattr(Strategy, "load", lambda self: function if self.name == function.__name__ else choose_by_chance)
    watch = strategy_checks.Watch()
    result = strategy_checks.answers(own(function), RULES, games=1, round_cap=4, watch=watch)
    assert result.passed, result.text
    assert strategy_checks.chance_used(watch) == needs


def test_games_that_do_not_end_are_noticed():
    result = strategy_checks.endings(find("random"), RULES, 2, games=30, least=1.0)
    assert not result.passed
    assert "n = 30" in result.text


def test_an_endless_loop_is_noticed():
    never = threading.Event()
    assert strategy_checks.in_time(lambda: never.wait(), strategy_checks.Watch(), 0.3) is None
    never.set()


def test_errors_of_a_check_are_handed_on():
    def broken():
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        strategy_checks.in_time(broken, strategy_checks.Watch(), 5)


# --- the autoplayer


def board(players=2):
    g = strategy_checks.new_game(1, players, [find("autoplayer").weights(players)] * players, 60)
    bots = seat_strategies(find("autoplayer").load())
    start_game(RULES, g, state.new_work(), bots)
    return g, bots


def test_the_autoplayer_always_resolves_the_last_slot():
    g, bots = board()
    play_game(RULES, g, state.new_work(), bots)
    resolved = g.stat_resolved[:2].sum(axis=1)
    for seat in range(2):
        last = int(g.stat_resolved[seat, :, 5].sum())
        assert last > 0
        # Only Capitalism and wonders let a card work from another slot.
        assert last >= 0.7 * g.stat_resolved[seat].sum()
    assert resolved.sum() > 0


def test_the_autoplayer_orders_spaces_for_tokens():
    from newdawn.strategies.autoplayer import token_order

    g, _ = board()
    plain = [
        s
        for s in range(g.n_spaces)
        if g.natural_wonder[s] < 0 and g.resource[s] < 0 and s not in g.barbarian_home and g.owner[s] < 0
    ]
    s = plain[0]
    order = [token_order(RULES, g, 0, s)]
    g.terrain[s] = 4
    order.append(token_order(RULES, g, 0, s))
    g.barbarian_home[0], g.barbarian_space[0] = s, s
    order.append(token_order(RULES, g, 0, s))
    g.resource[s] = 1
    order.append(token_order(RULES, g, 0, s))
    g.natural_wonder[s] = 0
    g.natural_wonder_owner[0] = -1
    order.append(token_order(RULES, g, 0, s))
    assert order == sorted(order)
    assert len(set(order)) == len(order)
    beside = int(next(t for t in g.neighbour[g.capital[0]] if t >= 0))
    away = next(t for t in plain if t not in g.neighbour[g.capital[0]])
    for t in (beside, away):
        g.terrain[t], g.resource[t], g.natural_wonder[t] = 0, -1, -1
        g.barbarian_home[g.barbarian_home == t] = -1
    assert token_order(RULES, g, 0, beside) > token_order(RULES, g, 0, away)


def test_the_autoplayer_sends_caravans_to_new_city_states_first():
    from newdawn.strategies.autoplayer import visit_order

    g, _ = board()
    cs = int(np.flatnonzero(g.city_state_owner == -1)[0])
    there = int(g.city_state_space[cs])
    new = visit_order(g, 0, there)
    rival = visit_order(g, 0, int(g.capital[1]))
    g.city_state_cards[cs, 0] = 1
    assert new > rival > visit_order(g, 0, there) > visit_order(g, 0, int(g.capital[0])) == 0


def test_the_autoplayer_prefers_wonders_that_serve_an_agenda_then_cheap_ones():
    from newdawn.strategies.autoplayer import industry_order, missing_for_agenda

    g, _ = board()
    wanted = {kind for kind in range(5) if missing_for_agenda(RULES, g, 0, kind) < 99}
    assert wanted
    assert wanted != set(range(5))
    order = {
        int(w): industry_order(RULES, g, 0, decisions.WONDER_OPTION + int(w))
        for w in range(RULES.n_wonders)
        if RULES.wonder_available[w]
    }
    best = max(order, key=lambda w: order[w])
    assert RULES.wonder_type[best] in wanted
    same = [w for w in order if RULES.wonder_type[w] == RULES.wonder_type[best]]
    assert RULES.wonder_cost[best] == min(RULES.wonder_cost[w] for w in same)
    assert all(value > industry_order(RULES, g, 0, 5) for value in order.values())


# --- questions that come up seldom


def answer(name, g, kind, options, **ask):
    """Return the option the strategy picks for seat 0."""
    w = state.new_work()
    w.option[: len(options)] = options
    for field, value in ask.items():
        w[f"ask_{field}"] = value
    k = find(name).load()(RULES, g, w, 0, kind, len(options), np.uint64(1))
    return options[int(k)]


THINKING = [name for name in NAMES if name != "random"]


def seated(name):
    """Return a game whose seat 0 has the opinions of the strategy."""
    g, _ = board()
    g.weights[0] = find(name).weights(2)[0]
    return g


@pytest.mark.parametrize("name", THINKING)
def test_science_cards_are_carried_out_and_tokens_that_are_kept_spent_first(name):
    g = seated(name)
    assert answer(name, g, decisions.SCIENCE, [0, 1]) == 1
    kept = decisions.KEPT_CITY_STATE + 3
    assert answer(name, g, decisions.SPEND_TOKEN, [kept, decisions.PLAIN_TOKEN], holder=1) == kept


@pytest.mark.parametrize("name", THINKING)
def test_a_conquest_is_worth_a_control_token_from_the_map(name):
    g = seated(name)
    land = [s for s in range(g.n_spaces) if g.owner[s] < 0 and g.terrain[s] != names.WATER][:2]
    g.owner[land], g.piece[land], g.coastal[land] = 0, names.TOKEN, 1
    options = [*land, decisions.PASS]
    assert answer(name, g, decisions.TAKE_OFF, options, source=decisions.SOURCE_CONQUEST, space=3) in land


@pytest.mark.parametrize("name", THINKING)
def test_a_rivals_trade_token_goes_where_it_is_of_least_use(name):
    g = seated(name)
    g.weights[0, weights.SUPPLY : weights.SUPPLY + names.N_TYPES] = 100
    g.trade[1] = 0
    left, *_, full = g.row[1, :5].tolist()
    g.trade[1, full] = 2
    best = left if name == "autoplayer" else full  # what is resolved last, what can use it least
    assert answer(name, g, decisions.GIVE_TRADE, sorted(g.row[1, :5].tolist()), seat=1) == best
