"""Learned players: the facts they see, the value and its twin in NumPy, the ways of a turn, and looking ahead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from numba import njit

from newdawn.analysis.learning.strategy_checks import new_game, spoil
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.compile.jit import seat_strategies
from newdawn.simulator.engine.setup import start_game
from newdawn.simulator.engine.turn import play_step
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.load import load_ruleset
from newdawn.strategies import network_files
from newdawn.strategies.learned import facts as at
from newdawn.strategies.learned import value
from newdawn.strategies.learned.candidate_turns import OPTIONS, RANKS, STEPS, WAYS, choose_way, random_way, ranked, set_way
from newdawn.strategies.learned.facts import N_FACTS
from newdawn.strategies.learned.lookahead import best_way, copy_game, deepen, keep_best, new_search, read_shares, try_way
from newdawn.strategies.learned.policy import N_MARKS
from newdawn.strategies.learned.situation import new_facts, read_situation
from newdawn.strategies.learned.value import forget_scores, new_evaluation, read_chances
from newdawn.strategies.planning import weights
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.registry import LEARNER, find
from newdawn.strategies.training_data import POSITION, STUDIED, new_training, study

RULES = load_ruleset().compile()
WORK = state.new_work()
KEY = np.uint64(2**40 + 17)
SEEN = np.empty(names.MAX_SLOTS)


def board(game: int = 3, players: int = 4, turns: int = 30) -> np.record:
    """A game between two turns, after so many of planners whose network is the package's."""
    g = new_game(game, players, [LEARNER.weights(players)] * players, 100)
    bots = seat_strategies(choose_planner)
    start_game(RULES, g, WORK, bots)
    for _ in range(turns):
        play_step(RULES, g, WORK, bots)
    return g


def read(g: np.record) -> np.ndarray:
    found = new_facts()
    read_situation(RULES, g, WORK, found)
    return found[: g.players]


def chances_of(g: np.record, seat: int) -> np.ndarray:
    """The chances of all seats by the network of one."""
    evaluation = new_evaluation()
    assert read_chances(RULES, g, WORK, seat, evaluation) == evaluation.chances[seat]
    return evaluation.chances[: g.players]


@njit
def copy(to, g):
    copy_game(to, g)


def tried(g: np.record, seat: int, candidate: int, rounds: int) -> tuple[float, np.record]:
    """What a way of playing the turn is worth, and where it leads."""
    search = new_search()
    copy(search.imagined, g)
    value = try_way(RULES, WORK, seat, candidate, rounds, search)
    return value, search.tried


@pytest.fixture(scope="module", params=[2, 3, 4])
def table(request):
    return board(players=request.param)


# --- facts


def test_every_fact_has_a_name_a_meaning_and_a_number_of_the_order_of_one():
    assert len(set(at.NAMES)) == len(at.NAMES) == len(at.MEANINGS) == N_FACTS
    for game in range(6):
        for turns in (0, 25, 55):
            found = read(board(game, turns=turns))
            assert np.isfinite(found).all()
            assert np.abs(found).max() <= 8


def test_facts_only_look(table):
    before = table.tobytes()
    first = read(table)
    WORK.dist[:] = 55
    spoil(WORK)
    assert (read(table) == first).all()
    assert table.tobytes() == before


def test_facts_are_what_they_say(table):
    found = read(table)
    for p in range(table.players):
        claimed = int((table.claimed[p, : table.victory_count] != 0).sum())
        assert found[p, at.CLAIMED] == pytest.approx(claimed / 5)
        assert found[p, at.LEFT] == pytest.approx((table.victory_count - claimed) / 5)
        assert found[p, at.CITIES] == pytest.approx(table.city_count[p] / 5)
        assert found[p, at.SPACES] == pytest.approx(table.space_count[p] / 20)
        assert found[p, at.LEADER : at.LEADER + 18].argmax() == table.leader[p]
        assert found[p, at.NEXT_IN : at.NEXT_IN + names.MAX_PLAYERS].argmax() == (p - table.current) % table.players
        assert found[p, at.TRADE_ALL] == pytest.approx(table.trade[p].sum() / 10)
        assert (found[p, at.LACK : at.LACK + len(names.AGENDAS)] <= found[p, at.OPEN : at.OPEN + len(names.AGENDAS)]).all()


def test_hidden_world_wonders_change_no_fact():
    g = board()
    first = read(g)
    for kind in range(names.N_TYPES):
        rest = slice(g.deck_next[kind] + 1, g.deck_size[kind])
        g.deck[kind, rest] = g.deck[kind, rest][::-1].copy()
    assert (read(g) == first).all()


def test_a_military_card_in_a_better_slot_is_a_greater_threat():
    g = board(turns=40)
    for attacker in range(4):
        h = next(h for h in range(names.N_TYPES) if g.card[attacker, h] // names.N_LEVELS == names.MILITARY)
        found = []
        for place in range(RULES.slots):
            row = [x for x in g.row[attacker, : RULES.slots] if x != h]
            g.row[attacker, : RULES.slots] = [*row[:place], h, *row[place:]]
            found.append(read(g))
        strikes = np.array([x[attacker, at.STRIKE_CAPITAL] for x in found])
        risks = np.array([np.delete(x[:, at.RISK_CAPITAL], attacker).sum() for x in found])
        assert (np.diff(strikes) >= 0).all()
        assert (np.diff(risks) >= 0).all()
        assert found[0][attacker, at.LATER_CAPITAL] == strikes[-1]


def test_a_card_claimed_is_no_longer_open_to_the_seat_and_puts_it_ahead():
    g = board()
    g.claimed[:, 0] = 0
    card = int(g.victory_card[0])
    before = read(g)
    name = int(RULES.agenda_name[card, 0])
    g.claimed[0, 0] = 1
    after = read(g)
    assert before[0, at.OPEN + name] == before[1, at.OPEN + name] == after[1, at.OPEN + name] == 1
    assert after[0, at.OPEN + name] == after[0, at.LACK + name] == 0
    assert after[0, at.LEFT] == pytest.approx(before[0, at.LEFT] - 0.2)
    assert after[1, at.RIVAL_AHEAD] >= before[1, at.RIVAL_AHEAD]


# --- the value


def test_the_value_is_that_of_its_twin_in_numpy(table):
    found = read(table)
    net = value.STORE[table.weights[0, weights.NETWORK], table.players]
    expected = value.chances(net, found.astype(np.float64))
    for seat in range(table.players):
        said = chances_of(table, seat)
        assert said.sum() == pytest.approx(1, abs=1e-5)
        assert said == pytest.approx(expected, abs=1e-4)


def test_a_victory_card_claimed_is_worth_something():
    better = 0
    for game in range(12):
        g = board(game)
        before = chances_of(g, 0)[0]
        open_card = next(i for i in range(g.victory_count) if g.claimed[0, i] == 0)
        g.claimed[0, open_card] = 1
        better += chances_of(g, 0)[0] > before
    assert better >= 11


# --- ways


def test_ranks_go_down_the_planners_list():
    g = board(turns=20)
    p = int(g.current)
    choose_planner(RULES, g, WORK, p, decisions.CARD, 5, KEY)  # makes the plan
    free = [s for s in range(g.n_spaces) if g.owner[s] < 0 and g.terrain[s] != names.WATER][:9]
    WORK.option[: len(free)] = free
    WORK.option[len(free)] = decisions.PASS
    n = len(free) + 1
    own = choose_planner(RULES, g, WORK, p, decisions.PLACE_TOKEN, n, KEY)
    found = [ranked(RULES, g, WORK, p, decisions.PLACE_TOKEN, n, own, rank) for rank in range(len(free) + 2)]
    assert found[0] == own
    assert sorted(found[: len(free)]) == list(range(len(free)))
    assert found[len(free)] == own  # there are not so many


def test_only_the_steps_of_the_own_turn_differ_from_the_planner():
    g = board(turns=20)
    p = int(g.current)
    free = [s for s in range(g.n_spaces) if g.owner[s] < 0 and g.terrain[s] != names.WATER][:9]
    n = len(free)
    WORK.option[:n] = free

    def ask(seat, kind):
        return choose_way(RULES, g, WORK, seat, kind, n, KEY)

    own = choose_planner(RULES, g, WORK, p, decisions.PLACE_TOKEN, n, KEY)
    for other_step in range(STEPS):  # at which another option is wanted
        set_way(g, p, RANKS**other_step)
        assert [ask(p, decisions.PLACE_TOKEN) != own for _ in range(STEPS + 1)] == [k == other_step for k in range(STEPS + 1)]
        assert g.notes[p, OPTIONS : OPTIONS + STEPS].tolist() == [n] * STEPS
    set_way(g, p, 1)
    assert ask(p, len(decisions.KINDS) + 5) == choose_planner(RULES, g, WORK, p, len(decisions.KINDS) + 5, n, KEY)
    other = (p + 1) % 4
    set_way(g, other, 1)
    assert ask(other, decisions.PLACE_TOKEN) == choose_planner(RULES, g, WORK, other, decisions.PLACE_TOKEN, n, KEY)


def test_straying_takes_every_card():
    ways = {random_way(5, np.uint64(k * 2**33 + k)) for k in range(400)}
    assert {way // WAYS for way in ways} == set(range(5))
    for step in range(STEPS):
        assert {way // RANKS**step % RANKS for way in ways} == set(range(RANKS))


# --- looking ahead


def test_a_copy_is_the_game_byte_by_byte():
    g = board()
    search = new_search()
    search.imagined.turn = search.bots.observer = 99
    copy(search.tried, g)
    assert search.tried.tobytes() == g.tobytes()
    assert search.imagined.turn == search.bots.observer == 99


def test_a_way_leads_where_playing_it_leads():
    """The position a way is judged by is the one that the turn reaches when it is played that way."""
    g = board(turns=22)
    p = int(g.current)
    choose_planner(RULES, g, WORK, p, decisions.CARD, 5, KEY)
    for candidate in (0, 2 * WAYS + RANKS, 4 * WAYS):
        said, led = tried(g, p, candidate, 0)
        assert led.current == (p + 1) % 4
        assert led.row[p, 0] == g.row[p, candidate // WAYS]  # the card was resolved and reset
        assert said == chances_of(led, p)[p]
        _, led = tried(g, p, candidate, 1)
        assert led.current == p  # all rivals have answered
        assert led.round_number - g.round_number in (0, 1)
        _, later = tried(g, p, candidate, 2)
        assert later.current == p
        assert later.turn == led.turn + 4


def test_the_end_of_a_game_is_worth_the_share_of_the_win():
    g = board()
    evaluation = new_evaluation()
    g.winner[:] = 0
    g.ending = names.ROUND_CAP
    read_shares(g, evaluation)
    assert not evaluation.chances.any()
    g.ending = names.VICTORY
    g.winner[[0, 2]] = 1
    read_shares(g, evaluation)
    assert evaluation.chances[:4].tolist() == [0.5, 0, 0.5, 0]


def test_the_best_ways_come_first_and_hopeless_ones_are_left():
    def listed():
        search = new_search()
        for part, ways in (
            ("candidates", np.arange(6)),
            ("value_of", [0.2, 0.5, 0.45, 0.1, 0.49, 0.3]),
            ("penalty", np.arange(6) / 10),
        ):
            search[part][:6] = ways
        return search

    search = listed()
    assert keep_best(search, 6, 2) == 2
    assert [search[part][:2].tolist() for part in ("candidates", "value_of", "penalty")] == [[1, 4], [0.5, 0.49], [0.1, 0.4]]
    search = listed()
    assert keep_best(search, 6, 6) == 3  # 0.3 is too far from 0.5
    assert search.candidates[:3].tolist() == [1, 4, 2]


def test_simulations_do_not_wear_down_what_the_planner_thinks():
    """Of two ways that lead to the same, that against which less counts is taken, however many simulations there are."""
    g = board(turns=25)
    p = int(g.current)
    choose_planner(RULES, g, WORK, p, decisions.CARD, 5, KEY)
    _, led = tried(g, p, 0, 0)
    steps = sum(1 for step in range(STEPS) if led.notes[p, OPTIONS + step] > 0)
    assert steps < STEPS
    same = RANKS**steps  # another rank at a step that does not come
    g.weights[p, [weights.SIMULATIONS, weights.SIMULATED_ROUNDS]] = 240, 1
    for better in (0, 1):
        search = new_search()
        search.candidates[:2], search.value_of[:2], search.penalty[:2] = (0, same), 0.3, -0.001
        search.penalty[better] = 0
        deepen(RULES, g, WORK, p, 2, KEY, search)
        assert search.candidates[0] == (0, same)[better]
        assert search.penalty[:2].tolist() == [0, -0.001]  # brought along


@pytest.mark.parametrize("deep", [0, 4])
def test_looking_ahead_leaves_game_and_workspace_alone_and_sees_nothing_hidden(deep):
    g = board(turns=24)
    p = int(g.current)
    g.weights[:, weights.SIMULATIONS] = 12
    g.weights[:, weights.SIMULATED_ROUNDS] = 1
    g.weights[:, weights.SIMULATED_WAYS] = deep
    g.weights[:, weights.SIMULATED_CARDS] = 5
    g.weights[:, weights.SIMULATED_STEPS] = 2
    g.weights[:, weights.SIMULATED_THROWS] = 2
    choose_planner(RULES, g, WORK, p, decisions.CARD, 5, KEY)
    WORK.option[:5] = range(5)
    WORK.ask_space, WORK.log_on = 7, 0
    kept = [name for name in WORK.dtype.names if name.startswith("ask_")] + ["chain", "log_on", "log_n"]

    def look():
        return best_way(RULES, g, WORK, p, 5, KEY, SEEN)

    game = g.tobytes()
    work = [np.asarray(WORK[name]).tobytes() for name in kept] + [WORK.option[:5].tobytes()]
    way = look()
    assert 0 <= way < 5 * WAYS
    assert g.notes.tobytes() != b""
    notes = np.dtype(state.STATE).fields["notes"][1]
    assert g.tobytes()[:notes] == game[:notes]
    assert [np.asarray(WORK[name]).tobytes() for name in kept] + [WORK.option[:5].tobytes()] == work
    assert look() == way
    for kind in range(names.N_TYPES):  # hidden cards of a type and era in another order
        for k in range(g.deck_next[kind] + 1, g.deck_size[kind] - 1):
            one, other = (int(x) for x in g.deck[kind, k : k + 2])
            if RULES.wonder_era[one] == RULES.wonder_era[other]:
                g.deck[kind, k], g.deck[kind, k + 1] = other, one
    assert look() == way


def test_it_takes_the_victory_that_lies_before_it():
    """A seat that wins by playing one of its cards plays it."""
    taken = there = 0
    for game in range(40):
        g = board(game, turns=44)
        p = int(g.current)
        choose_planner(RULES, g, WORK, p, decisions.CARD, 5, KEY)
        value = [tried(g, p, place * WAYS, 0)[0] for place in range(5)]
        second, best = sorted(value)[-2:]
        if best > second + 0.25:
            there += 1
            g.weights[p, weights.SIMULATED_CARDS] = 5
            taken += value[best_way(RULES, g, WORK, p, 5, KEY, SEEN) // WAYS] >= best - 0.25
    assert there == 0 or taken >= 0.6 * there


def test_trust_and_margin_lead_back_to_the_planner():
    """With boundless trust it takes the card that the planner rates highest, with a boundless margin the planner's steps."""
    freely = []
    for game in range(8):
        g = board(game, turns=25)
        p = int(g.current)
        WORK.option[:5] = range(5)
        own = choose_planner(RULES, g, WORK, p, decisions.CARD, 5, KEY)
        g.weights[p, weights.SIMULATED_CARDS] = g.weights[p, weights.SIMULATED_STEPS] = 5
        g.weights[p, weights.SIMULATED_TRUST] = g.weights[p, weights.SIMULATED_MARGIN] = 0
        freely.append(best_way(RULES, g, WORK, p, 5, KEY, SEEN))
        g.weights[p, weights.SIMULATED_MARGIN] = 10_000
        assert best_way(RULES, g, WORK, p, 5, KEY, SEEN) % WAYS == 0
        g.weights[p, weights.SIMULATED_TRUST] = 1_000_000
        assert best_way(RULES, g, WORK, p, 5, KEY, SEEN) == own * WAYS
    assert any(way % WAYS for way in freely)
    assert len({way // WAYS for way in freely}) > 1


def test_no_more_options_of_a_step_are_tried_than_the_weights_say():
    ranks = set()
    for game in range(8):
        g = board(game, turns=25)
        p = int(g.current)
        WORK.option[:5] = range(5)
        choose_planner(RULES, g, WORK, p, decisions.CARD, 5, KEY)
        g.weights[p, weights.SIMULATED_STEPS] = 5
        g.weights[p, weights.SIMULATED_MARGIN] = 0
        g.weights[p, weights.SIMULATED_OPTIONS] = 1
        way = best_way(RULES, g, WORK, p, 5, KEY, SEEN) % WAYS
        ranks |= {way // RANKS**step % RANKS for step in range(STEPS)}
    assert ranks == {0, 1}


def test_scores_that_go_on_are_those_that_begin_anew():
    """A score that goes on from other positions is that of its facts alone."""
    evaluation = new_evaluation()
    found = evaluation.chances
    for turns in (5, 40, 6, 20):
        g = board(turns=turns)
        read_chances(RULES, g, WORK, 1, evaluation)
        assert found[:4] == pytest.approx(list(chances_of(g, 1)), abs=1e-5)
    forget_scores(evaluation)
    assert not evaluation.facts[names.MAX_PLAYERS :].any()
    read_chances(RULES, g, WORK, 1, evaluation)
    assert (found[:4] == chances_of(g, 1)).all()


# --- studies


def test_a_study_finds_where_ways_of_a_turn_lead_and_what_follows():
    g = board(turns=21)
    training, studies = new_training(), np.zeros(2 + STUDIED, POSITION)

    def studied(first: int) -> int:
        """Study the turn into the places from `first` on; return the next one."""
        training["begun"], training.studied = g, first
        study(RULES, WORK, training, KEY, studies)
        return int(training.studied)

    training.game = 7
    assert studied(1) == 1 + STUDIED
    positions, found = studies["facts"], studies[1:-1]
    assert not positions[[0, -1]].any()
    assert found["shares"].sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (found["moment"][:, 0] == 7).all()
    assert (found["moment"][:, 2] == g.current).all()
    assert found["facts"][:, (g.current + 1) % 4, at.NEXT_IN].tolist() == [1.0] * STUDIED  # the turn is over
    assert len({position.tobytes() for position in found["facts"]}) > 2  # they are different ways
    again = studies.copy()
    assert studied(1) == 1 + STUDIED
    assert again.tobytes() == studies.tobytes()
    assert studied(len(studies) - 1) == len(studies) - 1  # there is no room for a whole turn


# --- files


def test_networks_of_the_package_are_there_and_say_where_they_come_from():
    for players in (2, 3, 4):
        net, about = network_files.read(network_files.file_of("base", players))
        assert about["players"] == players
        assert np.abs(net.first).max() > 0


def test_a_network_comes_back_as_it_was_written(tmp_path):
    net = value.new_network()
    net.first[:] = np.random.default_rng(1).normal(size=net.first.shape)
    path = tmp_path / "mine_4p.npz"
    network_files.write(path, net, {"players": 4})
    found, about = network_files.read(path)
    assert found.tobytes() == net.tobytes()
    assert about == {"players": 4}


def test_a_network_may_serve_any_number_of_players(tmp_path):
    name = str(tmp_path / "mine")
    assert network_files.file_of(name, 3).name == "mine_3p.npz"
    (tmp_path / "mine.npz").touch()
    (tmp_path / "mine_4p.npz").touch()
    assert [network_files.file_of(name, players).name for players in (3, 4)] == ["mine.npz", "mine_4p.npz"]


def test_files_that_are_no_networks_are_refused_by_name(tmp_path):
    path = tmp_path / "mine_4p.npz"
    with pytest.raises(UserError, match=r"mine_4p\.npz: cannot be read: No such file"):
        network_files.read(path)
    path.write_text("hello")
    with pytest.raises(UserError, match="cannot be read as a network"):
        network_files.read(path)
    other = replace(network_files.VALUE, sees=(*at.NAMES[1:], "other"))
    network_files.write(path, value.new_network(), {}, other)
    with pytest.raises(UserError, match="facts that this version does not know"):
        network_files.read(path)
    network_files.write(path, value.new_network(), {})
    with pytest.raises(UserError, match="facts that this version does not know"):
        network_files.read(path, network_files.POLICY)


def test_facts_that_came_after_a_network_count_for_nothing_in_it(tmp_path):
    path = tmp_path / "mine_4p.npz"
    net = value.new_network()
    net.first[:] = np.random.default_rng(1).normal(size=net.first.shape)
    net.direct[:] = 1
    known = np.delete(np.arange(N_FACTS), [3, N_FACTS - 1])
    np.savez(
        path.open("wb"), facts=np.array(at.NAMES)[known], about=np.array("{}"),
        **{part: net[part][known] if part in ("first", "direct") else net[part] for part in value.PARTS},
    )  # fmt: skip
    found, _ = network_files.read(path)
    net.first[[3, N_FACTS - 1]] = net.direct[[3, N_FACTS - 1]] = 0
    assert found.tobytes() == net.tobytes()


def test_the_packaged_networks_of_the_base_game_do_not_look_at_what_only_the_box_has():
    value, _ = network_files.read(network_files.file_of("base", 4))
    assert (value.first[at.N_BASE :] == 0).all()
    policy, _ = network_files.read(network_files.file_of("base", 4, network_files.POLICY), network_files.POLICY)
    assert (policy.situation[at.N_BASE : N_FACTS] == 0).all()
    assert (policy.situation[N_FACTS + at.N_BASE : 2 * N_FACTS] == 0).all()
    assert (policy.situation[N_FACTS : N_FACTS + at.N_BASE] != 0).any()
    assert (policy.situation[2 * N_FACTS :] != 0).any()


def test_a_profile_may_bring_its_own_network_and_a_run_notices_when_it_changes(tmp_path):
    path = tmp_path / "mine_4p.npz"
    network_files.write(path, value.new_network(), {})
    (tmp_path / "mine.yaml").write_text("like: learner\nnetwork: ./mine\n")
    mine = find(str(tmp_path / "mine.yaml"))
    place = mine.weights(4)[0, weights.NETWORK]
    assert place > 0
    assert place != LEARNER.weights(4)[0, weights.NETWORK]
    assert find("planner").weights(4)[0, weights.NETWORK] == 0
    with pytest.raises(UserError, match="is not the network that the run was started with"):
        replace(mine, network="0123").weights(4)
    with pytest.raises(UserError, match="mine_3p"):
        mine.weights(3)


def test_the_command_lists_what_they_see():
    result = CliRunner().invoke(main, ["strategies", "facts"])
    assert result.exit_code == 0
    listed, _, marked = result.output.partition("\nfacts about an option\n")
    assert len(listed.splitlines()) == N_FACTS
    assert len(marked.splitlines()) == N_MARKS
    assert "risk_capital" in listed
    assert "own_upgrade" in marked
