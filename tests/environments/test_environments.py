"""Environments for learning agents: their games are those of runs, agents see what they may know, others' tests pass."""

import random
import re
from pathlib import Path
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from newdawn.scripts.bench import environments as bench
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.choosing import below_bits, mix
from newdawn.simulator.engine.compile.user_functions import GameRecords
from newdawn.simulator.engine.known_to_seat import hide_unknown
from newdawn.simulator.environments import pettingzoo, seat, spaces, versions
from newdawn.simulator.environments.batch import Batch
from newdawn.simulator.environments.observe import ABOUT, ACTIONS, ARRAYS, action_of, option_of, table
from newdawn.simulator.environments.spaces import OVER, VERSION, Setting, Tables, look, observation_space, option_for, seen_by
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.interactive_game import Question
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run import Player
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.registry import find

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "environments.md"
MOST = {"base": 4, "terra-incognita": 5}
LINE_UP = ("planner", "random", "planner", "planner", "random")
BY_BOX = pytest.mark.parametrize("box", names.BOXES)


def plan_of(box, players, games=1000):
    ruleset = load_ruleset(box=box)
    line_up = LINE_UP[:players]
    return ruleset, plan_by(ruleset.compile(), players=players, games=games, seed=7, strategies=line_up)


def put(tables, i, asked):
    """Return the option that the strategy of the seat chooses, by way of its action."""
    r, g, w = tables.records(i)
    who, kind, n = asked
    bits = mix(g.rng[state.STREAM_BOT + who])  # as the engine drew them
    chosen = find(tables.plan.library()[tables.rows[i][who].strategy]).load()(r, g, w, who, kind, n, bits)
    return int(option_of(w, kind, n, int(action_of(w, kind, chosen))))


# --- the games of a run


def rows_and_state(ruleset, plan, game):
    player = Player(plan, ruleset.compile())
    rows = player.rows(1)
    player.play(game, 1, rows, 0, 0)
    return rows, player.states[0].tobytes()


def check_games(box, players, games, waiting, at_once=3):
    """Play games of a plan at tables side by side: they end like those of a run, to the last byte."""
    ruleset, plan = plan_of(box, players)
    tables = Tables(ruleset, plan, at_once, waiting)
    for first in range(0, games, at_once):
        asked = [tables.begin(i, first + i) for i in range(at_once)]
        while any(question[2] for question in asked):
            for i in range(at_once):
                if asked[i][2]:
                    asked[i] = tables.answer(i, put(tables, i, asked[i]))
        for i in range(at_once):
            rows, end = rows_and_state(ruleset, plan, first + i)
            assert tables.game(i).tobytes() == end
            assert tables.shares(i) == rows.seats["won"].tolist()
    tables.close()


@BY_BOX
def test_a_game_at_a_table_is_the_game_of_the_run(box):
    check_games(box, MOST[box], 3, {"planner"})


@pytest.mark.soak
@BY_BOX
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_hundreds_of_games_of_a_box_at_tables_are_those_of_the_run(box, players):
    if players <= MOST[box]:
        check_games(box, players, 60, {"planner"})
        check_games(box, players, 9, None)


@BY_BOX
def test_a_batch_plays_the_games_of_the_run(box):
    """`me` has the weights of `random`: answered by its choices, the games are those of a run of it."""
    seats = ("me", "random")
    batch = Batch(5, seats, box)
    batch.reset(3)
    won = {}
    while len(won) < 8:
        g = [batch.tables.game(i) for i in range(5)]
        options = [
            below(mix(g[i].rng[state.STREAM_BOT + who]), n)
            for i, (who, n) in enumerate(zip(batch.seat, batch.options, strict=True))
        ]
        numbers = batch.game.copy()
        batch.step([action_of(batch.tables.works[i], batch.kind[i], k) for i, k in enumerate(options)])
        for i in np.flatnonzero(batch.ended | batch.stopped):
            won[int(numbers[i])] = (batch.rewards[i].tolist(), bool(batch.ended[i]))
        assert (batch.rewards[~(batch.ended | batch.stopped)] == 0).all()
    ruleset = load_ruleset(box=box)
    plan = plan_by(ruleset.compile(), players=2, games=1000, seed=3, strategies=["random"])
    for game, (shares, ended) in won.items():
        rows, _ = rows_and_state(ruleset, plan, game)
        assert rows.seats["won"].tolist() == shares
        assert (rows.games["ending"][0] == names.VICTORY) == ended


def below(bits, n):
    return int(below_bits(bits, n))


def test_a_game_that_was_left_leaves_no_trace():
    setting = Setting()
    tables = setting.tables(1)
    asked = tables.begin(0, 0)
    for _ in range(30):
        asked = tables.answer(0, asked[2] - 1)
    tables.leave(0)
    ends = []
    for found in (tables, setting.tables(1)):
        asked = found.begin(0, 1)
        while asked[2]:
            asked = found.answer(0, 0)
        ends.append(found.game(0).tobytes())
    assert ends[0] == ends[1]


# --- what a seat may know


def hidden_changed(r, g, seat):
    """Return the game with all changed that the seat does not know: by hand, not by the function under test."""
    chance = random.Random(5)
    other = np.frombuffer(bytearray(g.tobytes()), state.STATE).view(np.recarray)[0]
    other.rng[:] = [chance.getrandbits(64) for _ in other.rng]
    n = int(g.stack_n)
    other.stack[:n] = chance.sample(other.stack[:n].tolist(), n)
    for kind in range(names.N_TYPES):
        for era in range(names.N_ERAS):
            below_top = range(int(g.deck_next[kind]) + 1, int(g.deck_size[kind]))
            places = [k for k in below_top if r.wonder_era[g.deck[kind, k]] == era]
            down = np.isin(g.wonder_place, (state.WONDER_BOX, state.WONDER_DECK)) & (g.wonder_round_revealed == 0)
            same = (r.wonder_type == kind) & (r.wonder_era == era) & (r.wonder_available != 0)
            unseen = np.flatnonzero(down & same).tolist()
            chance.shuffle(unseen)
            other.wonder_place[unseen] = state.WONDER_BOX
            for place, wonder in zip(places, unseen, strict=False):
                other.deck[kind, place] = wonder
                other.wonder_place[wonder] = state.WONDER_DECK
    for p in range(names.MAX_PLAYERS):
        if p != seat:
            other.weights[p] += 7
            other.notes[p] += 3
            other.leader_offer[p] = (other.leader_offer[p] + 1) % 5
    other.treatment, other.treatment_what, other.treatment_round, other.treated_seat = 1, 3, 9, 1
    other.treatment_amount = other.treated = 2
    return other


HIDDEN = {"rng", "stack", "deck", "wonder_place", "weights", "notes", "leader_offer"} | {
    name for name in state.STATE.names if name.startswith("treat")
}


def played(box, players, steps, seed=2):
    """Return a game by lot, stopped at a question."""
    tables = Setting(box, ("me",) * players).tables(1)
    chance = random.Random(seed)
    asked = tables.begin(0, 0, seed)
    for _ in range(steps):
        found = tables.answer(0, chance.randrange(asked[2]))
        asked = found if found[2] else tables.begin(0, 1, seed)
    return tables, asked


def differs(one, two):
    """Return the fields in which two games differ."""
    return {name for name in state.STATE.names if not np.array_equal(one[name], two[name])}


@BY_BOX
@pytest.mark.parametrize("steps", [5, 60, 700])
def test_games_that_differ_in_what_is_hidden_look_alike(box, steps):
    for players in (3, MOST[box]):
        tables, asked = played(box, players, steps)
        r, g, w = tables.records(0)
        for looking in range(players):
            twin = hidden_changed(r, g, looking)
            assert {"rng", "weights", "notes"} <= differs(g, twin) <= HIDDEN
            seen, other = (look(r, game, w, looking, asked) for game in (g, twin))
            for name, array in seen["observation"].items():
                assert np.array_equal(array, other["observation"][name]), name
            assert np.array_equal(seen["action_mask"], other["action_mask"])
            for game in (one := copied(g), two := copied(twin)):
                hide_unknown(r, game, looking)
            assert one.tobytes() == two.tobytes()
            assert differs(g, one) <= HIDDEN
            assert np.array_equal(one.notes[looking], g.notes[looking])


def copied(g):
    return np.frombuffer(bytearray(g.tobytes()), state.STATE).view(np.recarray)[0]


def test_the_changes_of_that_test_reach_decks_boxes_and_the_stack():
    tables, _ = played("terra-incognita", 4, 120)
    r, g, _ = tables.records(0)
    assert {"deck", "wonder_place", "stack"} <= differs(g, hidden_changed(r, g, 0))
    assert g.stack_n > 2
    assert (g.wonder_place == state.WONDER_BOX).sum() > 12 - 2


# What a question itself is about, of what chance has brought: a combat being fought, the tile drawn.
COMBAT_FIELDS = {"attack", "defence", "die", "target"}
BY_CHANCE = {"spend_trade": COMBAT_FIELDS, "combat_spend": COMBAT_FIELDS, "place_tile": {"space"}}


def side_by_side(box, seed):
    """Yield what the one who is asked sees in two games that were alike, until chance has brought something else."""
    tables, chance = Setting(box, ("me",) * (2 + seed % 3)).tables(2), random.Random(seed)
    asked = [tables.begin(k, 0, seed) for k in (0, 1)]
    split = chance.randrange(20, 500)
    for step in range(split + 400):
        if step == split:
            g = tables.game(1)
            g.rng[:] = [chance.getrandbits(64) for _ in g.rng]
            g.stack[: g.stack_n] = chance.sample(g.stack[: g.stack_n].tolist(), int(g.stack_n))
        option = chance.randrange(asked[0][2])
        asked = [tables.answer(k, option) for k in (0, 1)]
        if tuple(asked[0]) != tuple(asked[1]) or not asked[0][2]:
            break
        if step >= split:
            one, two = (look(*tables.records(k), asked[0][0], asked[0])["observation"] for k in (0, 1))
            if any(not np.array_equal(one[name], two[name]) for name in one if name != "about"):
                break
            yield decisions.KINDS[asked[0][1]], one["about"], two["about"]
    tables.close()


def about_what_is_over(box, seeds):
    """Return what `about` says of chance that is over, and how many pairs of observations were compared."""
    told, n = set(), 0
    for seed in seeds:
        for kind, one, two in side_by_side(box, seed):
            n += 1
            told |= {(kind, ABOUT[k]) for k in np.flatnonzero(one != two) if ABOUT[k] not in BY_CHANCE.get(kind, ())}
    return told, n


@BY_BOX
def test_observations_that_are_equal_otherwise_say_the_same_about_the_question(box):
    """Dice that fell without leaving a trace are over: what a question is about tells nothing of them."""
    told, n = about_what_is_over(box, range(40))
    assert told == set()
    assert n > 400


@pytest.mark.soak
@BY_BOX
def test_thousands_of_observations_say_nothing_of_dice_that_are_over(box):
    told, n = about_what_is_over(box, range(1000, 1150))
    assert told == set()
    assert n > 1_500


def test_only_the_one_who_is_asked_sees_the_question():
    tables, asked = played("base", 3, 200)
    for looking in range(3):
        seen = look(*tables.records(0), looking, asked)
        own = looking == asked[0]
        assert seen["observation"]["asked"] == (asked[0] - looking) % 3
        assert seen["observation"]["kind"] == (asked[1] if own else -1)
        assert seen["action_mask"].any() == own
        assert seen["observation"]["about"].any() == own
        assert bool(seen["observation"]["options"]) == own


@BY_BOX
def test_seats_count_from_the_one_that_looks(box):
    players = MOST[box]
    tables, asked = played(box, players, 600)
    r, g, w = tables.records(0)
    n = int(g.n_spaces)
    for looking in range(players):
        seen = look(r, g, w, looking, asked)["observation"]
        order = [(looking + k) % players for k in range(players)]
        assert seen["leader"][:players].tolist() == g.leader[order].tolist()
        assert seen["dial"][:players].tolist() == g.dial[order].tolist()
        assert seen["claimed"][:players].tolist() == g.claimed[order].tolist()
        back = np.where(seen["owner"][:n] >= 0, (seen["owner"][:n] + looking) % players, -1)
        assert back.tolist() == g.owner[:n].tolist()
        rows = [[int(g.card[p, h]) for h in g.row[p, : int(r.slots)]] for p in order]
        assert seen["row_card"][:players, : int(r.slots)].tolist() == rows
        assert seen["leader"][players:].tolist() == [-1] * (names.MAX_PLAYERS - players)
        given = {(p, c): int(g.diplomacy[p, c]) for p in range(players) for c in range(names.MAX_DIPLOMACY)}
        told = {(order[k], c): int(seen["diplomacy"][k, c]) for k in range(players) for c in range(names.MAX_DIPLOMACY)}
        assert {key: (holder + looking) % players if holder >= 0 else -1 for key, holder in told.items()} == given


def test_what_else_a_question_says_is_in_the_order_of_its_names():
    tables, asked = played("base", 2, 100)
    w = tables.works[0]
    for number, name in enumerate(ABOUT):
        w[f"ask_{name}"] = 100 + number
    assert look(*tables.records(0), asked[0], asked)["observation"]["about"].tolist() == list(range(100, 100 + len(ABOUT)))


# --- observations and actions fit their spaces


@BY_BOX
@pytest.mark.parametrize("players", [2, 5])
def test_observations_lie_in_their_space_and_actions_name_options(box, players):
    batch = Batch(6, ("me",) * min(players, MOST[box]), box)
    batch.reset(4)
    ranges = {array.name: array for array in ARRAYS}
    met = set()
    for bits in np.random.default_rng(1).integers(2**63, size=900):
        for name, seen in (*batch.observations.items(), ("action_mask", batch.mask)):
            assert seen.min() >= ranges[name].low, name
            assert seen.max() <= ranges[name].high, name
        for i in range(batch.n):
            n, kind, w = int(batch.options[i]), int(batch.kind[i]), batch.tables.works[i]
            assert batch.mask[i].sum() == n, decisions.KINDS[kind]
            assert batch.observations["option"][i, :n].tolist() == w.option[:n].tolist()
            if kind not in met:
                actions = [int(action_of(w, kind, k)) for k in range(n)]
                assert sorted(actions) == np.flatnonzero(batch.mask[i]).tolist()
                assert [int(option_of(w, kind, n, action)) for action in actions] == list(range(n))
                assert int(option_of(w, kind, n, next(a for a in range(ACTIONS) if a not in actions))) == -1
                met.add(kind)
        batch.step(batch.sample(int(bits)))
    assert len(met) > 20


def test_the_space_of_observations_holds_what_is_observed():
    env = pettingzoo.raw_env(players=3)
    env.reset(seed=1)
    for agent in env.agents:
        assert env.observation_space(agent).contains(env.observe(agent))
    assert env.observation_space("player_0") == observation_space()


def test_a_function_of_a_users_sees_what_the_environment_shows():
    tables, asked = played("base", 2, 300)
    r, g, w = tables.records(0)
    question = Question(GameRecords(r, g, w), *asked, 0)
    seen, shown = seen_by(question), look(r, g, w, asked[0], asked)
    assert all(np.array_equal(seen["observation"][name], shown["observation"][name]) for name in shown["observation"])
    actions = np.flatnonzero(seen["action_mask"])
    assert sorted(option_for(question, action) for action in actions) == list(range(len(question)))


# --- others' tests


@BY_BOX
@pytest.mark.filterwarnings("ignore:Observation", "ignore:.*probably should be gymnasium.spaces")  # it is a dict of arrays
def test_petting_zoo_is_content(box):
    settings = {"box": box, "players": 3, "round_cap": 2}
    api_test(pettingzoo.env(**settings), num_cycles=120)
    seed_test(lambda: pettingzoo.env(**settings), num_cycles=40)
    api_test(pettingzoo.turned_env(**settings), num_cycles=20)
    parallel_api_test(pettingzoo.parallel_env(**settings), num_cycles=20)
    parallel_seed_test(lambda: pettingzoo.parallel_env(**settings), num_cycles=20)


def test_petting_zoo_is_content_with_pictures_and_the_end_of_games(monkeypatch):
    monkeypatch.setattr(spaces, "pixels", lambda scene: np.zeros((len(scene.shapes), 2, 3), np.uint8))  # a second each
    render_test(lambda render_mode: pettingzoo.env(render_mode=render_mode), {"ansi": lambda text: "action" in text})
    max_cycles_test(SimpleNamespace(env=pettingzoo.turned_env, parallel_env=pettingzoo.parallel_env))
    env = pettingzoo.raw_env(max_cycles=3)
    env.reset(seed=1)
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_gymnasium_is_content():
    env = gymnasium.make(f"NewDawn-v{VERSION}", against=("random",), render_mode="rgb_array")
    check_env(env.unwrapped, skip_render_check=True)
    gymnasium.make(f"NewDawnTerraIncognita-v{VERSION}", against=("random",) * 4).reset(seed=1)
    env.reset(seed=1)
    picture = env.render()
    assert picture.ndim == 3
    assert picture.std() > 10


# --- the course of an episode


def play_out(env, choose):
    env.reset(seed=2)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(choose(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


def test_the_reward_is_the_share_of_the_win_at_the_end():
    env = pettingzoo.raw_env(players=2)
    chance = random.Random(3)
    play_out(env, chance.choice)
    assert all(env.terminations.values())
    assert sum(env.rewards.values()) == 1.0
    assert env.rewards == dict(zip(env.possible_agents, env.tables.shares(0), strict=True))
    short = pettingzoo.raw_env(players=2, round_cap=3)
    play_out(short, chance.choice)
    assert all(short.truncations.values())
    assert set(short.rewards.values()) == {0.0}
    assert short.asked is OVER
    assert "over" in short.render()


def test_seeds_name_games_and_games_are_counted_on():
    env = seat.Seat(against=("random",), round_cap=2)
    first, info = env.reset(seed=5)
    assert info == {"seed": 5, "game": 0, "seat": 0}
    assert env.reset()[1] == {"seed": 5, "game": 1, "seat": 1}  # line-ups move on by one seat
    again = env.reset(seed=5)[0]
    assert all(np.array_equal(first["observation"][name], again["observation"][name]) for name in first["observation"])
    assert seat.Seat(against=("random",)).reset()[1]["seed"] != seat.Seat(against=("random",)).reset()[1]["seed"]


@BY_BOX
def test_what_was_played_before_is_not_seen_in_a_game(box):
    env = pettingzoo.raw_env(players=3, box=box)

    def seen(seed, steps):
        env.reset(seed=seed)
        chance, found = random.Random(seed), []
        for _ in range(steps):
            one = env.observe(env.agent_selection)
            found.append([array.tobytes() for array in one["observation"].values()])
            env.step(int(chance.choice(np.flatnonzero(one["action_mask"]))))
        return found

    first = seen(1, 60)
    seen(7, 400)
    assert seen(1, 60) == first


def test_one_seat_plays_a_whole_game_against_ours():
    env = seat.Seat(against=("planner", "random"))
    seen, _ = env.reset(seed=1)
    over = False
    while not over:
        assert np.array_equal(env.action_masks(), seen["action_mask"].astype(bool))
        seen, reward, won, stopped, info = env.step(int(np.flatnonzero(seen["action_mask"])[-1]))
        over = won or stopped
    assert won
    assert reward == env.tables.shares(0)[info["seat"]]
    assert seen["observation"]["asked"] == -1


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: pettingzoo.env(players=7), "players: 7 is not valid; expected a whole number from 2 to 4"),
        (lambda: pettingzoo.env(box="bass"), "box: 'bass' is not known; expected base or terra-incognita"),
        (lambda: Batch(2, ("planner", "random")), "seats: planner, random; expected 'me' at least once"),
        (lambda: Batch(2, ("me", "plannner")), "plannner"),
        (lambda: Batch(1).reset(-1), "seed: -1 is not valid"),
        (lambda: pettingzoo.env().reset(seed=-1), "seed: -1 is not valid"),
        (lambda: Batch(0), "games: 0 is not valid"),
        (lambda: seat.Seat(against=("me",)), "against: me; expected strategies only"),
        (lambda: Batch(2).step(np.zeros(3, int)), "expected one action for each of 2 games"),
        (lambda: Batch(2).step(np.array([4000, 4000])), "actions: 4000 is not legal in game 0; expected one of its mask"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(make, line):
    with pytest.raises(UserError, match=re.escape(line)):
        make()


def test_an_action_that_is_not_legal():
    raw = pettingzoo.raw_env()
    raw.reset(seed=1)
    with pytest.raises(UserError, match="action: 4000 is not legal"):
        raw.step(4000)
    wrapped = pettingzoo.env()
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(4000)
    assert wrapped.rewards[agent] == -1
    assert all(wrapped.terminations.values())
    together = pettingzoo.parallel_env()
    together.reset(seed=1)
    infos = together.step(dict.fromkeys(together.agents, 4000))[-1]
    assert all(info["illegal"] for info in infos.values())
    env = seat.Seat(against=("random",))
    env.reset(seed=1)
    _, reward, over, _, info = env.step(4000)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    assert not env.reset(seed=1)[1].get("illegal")


# --- speed, versions, docs


def test_the_speed_of_both_boxes_is_told():
    told = bench.as_text(bench.measured(rounds=2, seconds=0.01, games=2), {"base": 1234.5}, bench.machine())
    found = [int(number.replace(",", "")) for number in re.findall(r": ([\d,]+) decisions a second", told)]
    assert len(found) == 4
    assert min(found) > 500
    assert "base: 1,234 turns a second" in told


@BY_BOX
def test_agents_of_this_version_meet_the_games_of_this_version(box):
    """If this fails what agents see has changed: raise spaces.VERSION and note the digest of the new version."""
    assert versions.digest(box) == versions.VERSIONS[VERSION][box]


def test_the_name_says_version_box_and_house_rules():
    assert Setting().name == f"newdawn_v{VERSION}"
    assert Setting("terra-incognita").name == f"newdawn_terra_incognita_v{VERSION}"
    assert re.fullmatch(f"newdawn_[0-9a-f]{{8}}_v{VERSION}", Setting(rules=["epic_game"]).name)
    assert pettingzoo.raw_env().metadata["name"] == str(pettingzoo.raw_env()) == Setting().name


def test_the_page_has_the_arrays_that_are_declared():
    assert table() in DOCS.read_text("utf-8")


def test_the_programs_on_the_page_run():
    programs = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert len(programs) == 3
    for program in programs:
        exec(compile(program, DOCS.name, "exec"), {})
