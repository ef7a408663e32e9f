"""Leaders that are banned and drafted: who bans and takes whom, in which order, and what stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from test_leader_deal import deals, plan_of, seated

from newdawn.scripts.checks.soak import soak
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import with_overlay
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.runs.run import Silent, play_range

ORDERS = names.PICK_ORDERS


def house(box=names.BOXES[0], **deal):
    return with_overlay(load_ruleset(box=box), {"components": {"leader_deal": deal}}, "draft")


def known(box):
    return written(load_ruleset(box=box).compile(), "leader")


def ranked(box, seed):
    """Return a ranking of all leaders of a box."""
    return [str(name) for name in np.random.default_rng(seed).permutation(known(box))]


def draft(box, ranking, **deal):
    return house(box, choose_from="all_left", choice="ranking", ranking=ranking, **deal)


def games(ruleset, n, **changes):
    """Return games of the ruleset as they stand after the set-up, with their opening lines."""
    plan = plan_of(ruleset, box=ruleset.box, **changes)
    return [Game(ruleset, plan, k) for k in range(n)]


def twin(ranking, first, players, bans, order):
    """Return by seat who bans whom and who plays whom, as the rule says it."""
    left, banned, played = list(ranking), {}, {}
    seats = [(first + k) % players for k in range(players)]
    for _ in range(bans):
        for seat in seats:
            banned.setdefault(seat, []).append(left.pop(0))
    for seat in seats if order == ORDERS[names.IN_TURN_ORDER] else reversed(seats):
        played[seat] = left.pop(0)
    return banned, played


@pytest.mark.rule("B2.1")
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("bans", [0, 1])
@pytest.mark.parametrize(("box", "players"), [(names.BOXES[0], 2), (names.BOXES[0], 4), (names.BOXES[1], 5)])
def test_everyone_bans_and_takes_the_highest_left_in_the_ranking(box, players, bans, order):
    """The first player of the draft is the one that the set-up draws later, in both boxes."""
    ranking, names_of = ranked(box, players), known(box)
    ruleset = draft(box, ranking, bans_per_player=bans, pick_order=order)
    rows = play_range(plan_of(ruleset, box=box, players=players), ruleset.compile(), 0, 12, Silent())
    first = [int(seat) for seat in rows.games["first_seat"]]
    assert len(set(first)) > 1
    for game, g in enumerate(seated(ruleset, 12, players=players)):
        banned, played = twin(ranking, first[game], players, bans, order)
        assert [names_of[code] for code in g.leader[:players]] == [played[seat] for seat in range(players)]
        assert g.leader[:players].tolist() == rows.seats["leader"][game * players : (game + 1) * players].tolist()
        for seat in range(players):
            assert [names_of[code] for code in g.leader_ban[seat, :bans]] == banned.get(seat, [])


def test_without_a_draft_nobody_bans_and_the_first_player_is_the_same():
    """Asking who will be first draws nothing: maps, first players and strategies are those of the printed rules."""
    changes = {"strategies": None, "strategy_pool": ["random", "opportunist"], "players": 3}
    rulesets = (load_ruleset(), draft(names.BOXES[0], ranked(names.BOXES[0], 1), bans_per_player=1))
    rows = [play_range(plan_of(rules, **changes), rules.compile(), 0, 20, Silent()) for rules in rulesets]
    for name in ("first_seat", "core_side", "card"):
        assert np.array_equal(rows[0].games[name], rows[1].games[name])
    assert np.array_equal(rows[0].seats["strategy"], rows[1].seats["strategy"])
    assert not np.array_equal(rows[0].seats["leader"], rows[1].seats["leader"])


def test_leaders_that_the_ranking_does_not_name_come_last_and_by_lot():
    played, _ = deals(draft(names.BOXES[0], ["Rome", "Japan"]), 600, players=3)
    rome, japan = (names.LEADERS.index(name) for name in ("Rome", "Japan"))
    assert all({rome, japan} <= set(game) for game in played)
    third = np.bincount(played[(played != rome) & (played != japan)], minlength=8)
    assert third[[rome, japan]].sum() == 0
    others = np.delete(third, [rome, japan])
    assert np.all(np.abs(others - 100) < 4 * np.sqrt(100))


def test_bans_without_a_draft_leave_the_deal_to_chance():
    """The two highest in the ranking are never dealt; who was not dealt them by the printed rules plays what it was dealt."""
    ruleset = house(bans_per_player=1, ranking=["Scythia", "Aztec"])
    played, _ = deals(ruleset, 600, players=2)
    printed, _ = deals(load_ruleset(), 600, players=2)
    banned = [names.LEADERS.index(name) for name in ("Scythia", "Aztec")]
    assert not np.isin(played, banned).any()
    kept = ~np.isin(printed, banned)
    assert np.array_equal(played[kept], printed[kept])
    counts = np.delete(np.bincount(played.ravel(), minlength=8), banned)
    assert np.all(np.abs(counts - 200) < 4 * np.sqrt(200))
    assert all(len(set(game)) == 2 for game in played)


def test_bans_without_a_ranking_are_by_lot():
    played, _ = deals(house(bans_per_player=2), 800, players=2)
    counts = np.bincount(played.ravel(), minlength=8)
    assert np.all(np.abs(counts - 200) < 4 * np.sqrt(200))


def test_everyone_may_be_dealt_several_of_those_not_banned():
    ranking = list(names.LEADERS)
    for g in seated(house(leaders_per_player=2, bans_per_player=1, choice="ranking", ranking=ranking), 40, players=2):
        offers = np.array(g.leader_offer[:2, :2])
        assert offers.min() >= 2  # the first two of the ranking are banned
        assert len(set(offers.ravel())) == 4
        assert g.leader[:2].tolist() == offers.min(axis=1).tolist()


def test_a_line_up_is_neither_banned_nor_drafted():
    ruleset, line_up = load_ruleset(["leader_draft"]), ["Rome", "Egypt", "Scythia"]
    played, _ = deals(ruleset, 30, leaders=line_up)
    plain, _ = deals(load_ruleset(), 30, leaders=line_up)
    assert np.array_equal(played, plain)


def test_the_log_tells_who_bans_and_takes_whom():
    ruleset = load_ruleset(["leader_draft"])
    (game,) = games(ruleset, 1, players=2)
    first = int(game.state.first) + 1  # seats count from 1 where people read them
    told = [line.strip() for line in game.opening if "bans" in line or "chooses" in line]
    assert told == [
        f"Seat {first} bans Scythia", f"Seat {3 - first} bans Aztec",
        f"Seat {3 - first} chooses Japan from all leaders left", f"Seat {first} chooses Rome from all leaders left",
    ]  # fmt: skip
    (game,) = games(load_ruleset(["choose_of_two_leaders"]), 1, players=2)
    dealt = [line.strip() for line in game.opening if "is dealt" in line]
    assert len(dealt) == 2
    for seat, line in enumerate(dealt):
        one, other = (names.LEADERS[code] for code in game.state.leader_offer[seat, :2])
        assert line == f"Seat {seat + 1} is dealt {one} and {other}, and plays {names.LEADERS[game.state.leader[seat]]}"
    (game,) = games(load_ruleset(), 1, players=2)
    assert not [line for line in game.opening if "dealt" in line or "bans" in line]


def test_a_pool_too_small_for_the_bans_is_refused():
    ruleset = load_ruleset(["leader_draft"])
    plan = plan_of(ruleset, players=3, leader_pool=names.LEADERS[:5])
    message = "the rules deal 1 leader to each of 3 players, who ban 1 each, 6 in all; there are 5"
    with pytest.raises(UserError, match=message):
        play_range(plan, ruleset.compile(), 0, 1, Silent())


def test_the_commands_say_that_a_line_up_leaves_nothing_to_choose(tmp_path):
    options = ("run", "--players", "2", "--games", "2", "--strategies", "random", "--round-cap", "2", "--quiet", "--jobs", "1")
    said = {}
    for name, leaders in (("drawn", "--leader-pool"), ("named", "--leaders")):
        pool = "Rome,Egypt" if name == "named" else "Rome,Egypt,Japan,Aztec"
        more = ("--rules", "leader_draft", leaders, pool, "--out", str(tmp_path / name))
        result = CliRunner().invoke(main, [*options, *more])
        assert result.exit_code == 0, result.output
        said[name] = "nobody bans or chooses a leader" in result.output
    assert said == {"drawn": False, "named": True}


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({"bans_per_player": 5}, "bans_per_player: expected at most 4, got 5"),
        ({"bans_per_player": 4}, "bans_per_player: expected at most 3, so that 8 leaders do for two players"),
        ({"bans_per_player": 2, "leaders_per_player": 3}, "leaders_per_player: expected at most 2, so that 8 leaders do"),
        ({"choose_from": "pool"}, "choose_from: expected 'dealt' or 'all_left', got 'pool'"),
        ({"pick_order": "reverse"}, "pick_order: expected 'turn_order' or 'reverse_turn_order', got 'reverse'; did you mean"),
        ({"choose_from": "all_left", "leaders_per_player": 2}, "leaders_per_player: expected 1 with choose_from: all_left"),
    ],
)
def test_a_wrong_draft_is_refused(deal, message):
    with pytest.raises(UserError, match=message):
        house(**deal)


@pytest.mark.parametrize(
    ("deal", "notes"),
    [
        ("choose_from: all_left", ["choose_from: with choice: random it changes nothing"]),
        ("choice: ranking, ranking: [Rome]", ["choice: changes nothing, for one leader is dealt"]),
        ("ranking: [Rome]", ["ranking: changes nothing with choice: random"]),
        ("pick_order: reverse_turn_order", ["pick_order: changes nothing, for players choose from leaders of their own"]),
        ("choose_from: all_left, choice: ranking, ranking: [Rome]", []),
        ("bans_per_player: 1, ranking: [Rome]", []),
        ("bans_per_player: 3", ["leaders: 8 are available, 4 for each player: not enough for 3 or 4 players"]),
    ],
)
def test_what_is_said_in_vain_is_noted(deal, notes, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(f"components: {{leader_deal: {{{deal}}}}}", "utf-8")
    found = load_ruleset([file]).notes
    assert len(found) == len(notes), found
    assert all(note in text for note, text in zip(notes, found, strict=True))


@pytest.mark.parametrize("box", names.BOXES)
def test_drafted_games_break_no_invariant(box):
    found = soak(games=6, seed=3, round_cap=30, box=box, strategies=("planner", "random"), rules=("leader_draft",))
    assert (found.games, found.violation) == (6, 0)
