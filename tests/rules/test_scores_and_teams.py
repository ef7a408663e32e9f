"""Two ways to win that only house rules have: victory points, and partners who win together."""

import numpy as np
import pytest
from click.testing import CliRunner
from table import Table, bare_state, printed_rules, table_with

from newdawn.analysis.explorer.filters import Loaded
from newdawn.analysis.questions.compare import caveats
from newdawn.analysis.tables.decoded_games import CodeNames
from newdawn.analysis.tables.logit import fit_logit, outcomes
from newdawn.analysis.tables.read import open_run
from newdawn.scripts.checks.soak import soak
from newdawn.scripts.cli.main import main
from newdawn.simulator import names
from newdawn.simulator.engine import winning
from newdawn.simulator.engine.abilities import ALL_SEATS, refresh
from newdawn.simulator.engine.battle import list_targets_on
from newdawn.simulator.engine.combat import may_be_attacked
from newdawn.simulator.engine.counts import metric
from newdawn.simulator.engine.pieces import has_pact, is_guarded
from newdawn.simulator.engine.winning import check_victory, score, won_by
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.edit import find, parameters
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.show import patch_notes

POINTS = {"victory_cards": 5, "cities": 1, "world_wonders": 2}
SPACES = [(-4, 0), (4, 0), (0, 4), (0, -4)]
BASE, TI = names.BOXES


def house(box=BASE, **overlay):
    return with_overlay(load_ruleset(box=box), overlay, "house")


def table(box=BASE, n=4, **overlay):
    """Four capitals, no victory card claimed, round 5."""
    leaders = ("Rome", "Egypt", "France", "Aztec")[:n]
    t = Table(leaders=leaders, victory=(0, 1, 2), rules=house(box, **overlay).compile(), radius=4)
    for p, space in enumerate(SPACES[:n]):
        t.capital(p, space)
    t.g.round_number = 5
    t.g.stale = ALL_SEATS
    refresh(t.r, t.g)
    return t


def winners(t):
    check_victory(t.r, t.g, t.w)
    return [p for p in range(t.g.players) if t.g.winner[p]] if t.g.ending == names.VICTORY else []


# --- victory points


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("box", names.BOXES)
def test_a_score_counts_each_thing_so_many_times_as_it_has_points(box):
    t = table(box, scores={"points": POINTS, "after_round": 9})
    t.city(1, (3, 0))
    t.wonder("Petra", (3, 0))
    t.g.claimed[1, 0] = t.g.claimed[2, 1] = 1
    assert [score(t.r, t.g, p) for p in range(4)] == [1, 2 + 2 + 5, 1 + 5, 1]


@pytest.mark.parametrize("box", names.BOXES)
def test_a_score_is_the_sum_of_what_agendas_count(box):
    """Every word there is, against a sum in plain Python."""
    words = [word for word in names.POINTS if box == TI or word not in names.TI_POINTS]
    t = table(box, scores={"points": {word: place + 1 for place, word in enumerate(words)}, "first_to": 999})
    t.city(0, (-3, 0))
    t.token(0, (-3, 1), (-2, 0))
    t.g.claimed[0, :2], t.g.dial_reached[0], t.g.trade[0, 1], t.g.resources[0, 2] = 1, 7, 2, 1
    expected = sum((k + 1) * metric(t.r, t.g, 0, names.POINTS[word], -1) for k, word in enumerate(words))
    assert score(t.r, t.g, 0) == expected > 7


@pytest.mark.rule("B3.4")
@pytest.mark.parametrize(("after", "expected"), [(5, [1]), (4, [1]), (6, []), (0, [])])
def test_after_the_round_the_highest_score_wins(after, expected):
    t = table(scores={"points": POINTS, "after_round": after, "first_to": 99})
    t.city(1, (3, 0))
    assert winners(t) == expected


@pytest.mark.parametrize("last", [1, 3])
def test_points_decide_after_the_last_round(last):
    r = printed_rules().copy()
    r.scored, r.points_round = 1, last
    for number in range(1, 6):
        g = bare_state()
        g.round_number = number
        assert bool(winning.points_decide(r, g)) == (number >= last)


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize(("first_to", "expected"), [(2, [1]), (3, [])])
def test_who_has_so_many_points_wins_at_once(first_to, expected):
    t = table(scores={"points": POINTS, "first_to": first_to})
    t.city(1, (3, 0))
    assert winners(t) == expected


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("enough", [1, 2])
def test_so_many_points_win_at_once(enough):
    r = printed_rules().copy()
    r.scored, r.points_to_win, r.points[names.METRIC_CITIES] = 1, enough, 1
    for cities in range(4):
        g = bare_state()
        g.city_count[2] = cities
        assert bool(winning.points_decide(r, g)) == (cities >= enough)
        assert [winning.team_score(r, g, p) for p in range(3)] == [0, 0, cities]


def test_points_that_win_at_once_win_nothing_where_the_rules_name_none():
    t = table_with((0, 0), (3, 0))
    assert t.r.points_to_win == 0
    assert not winning.points_decide(t.r, t.g)


@pytest.mark.rule("B3.3")
def test_of_several_with_enough_points_the_highest_score_wins_and_ties_are_broken():
    t = table(scores={"points": {"cities": 1}, "first_to": 2})
    for p, space in ((1, (3, 0)), (2, (0, 3)), (2, (1, 3))):
        t.city(p, space)
    assert winners(t) == [2]
    for wonder, expected in ((None, [1, 2]), ("Petra", [1])):
        t = table(
            scores={"points": {"cities": 1}, "first_to": 2}, victory_cards={"rules": {"tie_break": ["most_world_wonders"]}}
        )
        t.city(1, (3, 0))
        t.city(2, (0, 3))
        if wonder:
            t.wonder(wonder, (3, 0))
        assert winners(t) == expected


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize(("printed", "expected"), [(True, [3]), (False, [1])])
def test_claimed_cards_win_before_points_unless_the_rule_switches_them_off(printed, expected):
    t = table(scores={"points": {"cities": 1}, "after_round": 5, "printed_victory": printed})
    t.city(1, (3, 0))
    t.g.claimed[3, :3] = 1
    assert winners(t) == expected


def test_the_printed_game_knows_neither_points_nor_partners():
    t = Table(leaders=("Rome", "Egypt"), victory=(0, 1, 2), radius=4)
    assert (t.r.scored, t.r.printed_victory, t.r.partners) == (0, 1, names.NO_PARTNERS)
    assert won_by(t.r, t.g) == names.NOT_WON


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ({"scores": {"points": {"citys": 1}, "first_to": 9}}, r"scores\.points\.citys: unknown key.*did you mean 'cities'"),
        ({"scores": {"points": POINTS}}, "scores: expected after_round or first_to, or both"),
        ({"scores": {"after_round": 9}}, r"scores\.points: expected points for something"),
        ({"scores": {"printed_victory": False}}, r"scores\.printed_victory: cannot be false without points that win"),
        ({"scores": {"points": {"cities": -1}, "first_to": 9}}, r"scores\.points\.cities: expected at least 0"),
        ({"scores": {"points": {"forts_held": 1}, "first_to": 9}}, "is in the box terra-incognita only"),
        ({"teams": "opposite"}, "teams: expected a mapping with keys such as partners, victory"),
        ({"teams": {"partners": "oposite"}}, "did you mean 'opposite'"),
        ({"teams": {"victory": "together"}}, r"teams\.victory: says nothing without partners"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_in_one_line(overlay, said):
    with pytest.raises(UserError, match=said) as refused:
        house(**overlay)
    assert "\n" not in str(refused.value)


def test_points_are_parameters_patch_notes_and_have_a_warning():
    ruleset = load_ruleset(["victory_points"])
    assert find(ruleset, "scores.points.cities").value == 1
    paths = {one.path: one.value for one in parameters(ruleset, ("scores.*",))}
    assert (paths["scores.after_round"], paths["scores.first_to"], paths["scores.points.victory_cards"]) == (15, 20, 5)
    notes = [str(note) for note in patch_notes(ruleset.data, load_ruleset().data)]
    assert "Victory points for world wonders 0 → 3" in notes
    assert "Claimed victory cards win (yes → no)" in notes
    assert "not for points" in " ".join(ruleset.notes)
    assert "help no partner" in " ".join(load_ruleset(["teams_of_two"]).notes)
    assert not any("not for points" in note for note in load_ruleset(["late_war"]).notes)


# --- partners


@pytest.mark.parametrize(("partners", "of_seat_0"), [("opposite", 2), ("beside", 1)])
def test_partners_do_not_attack_each_other_in_the_base_game(partners, of_seat_0):
    t = table(teams={"partners": partners})
    legal = [bool(may_be_attacked(t.r, t.g, 0, t.at(SPACES[q]), 0)) for q in (1, 2, 3)]
    assert legal == [q != of_seat_0 for q in (1, 2, 3)]
    assert [bool(is_guarded(t.g, 0, t.at(SPACES[q]))) for q in (1, 2, 3)] == [q == of_seat_0 for q in (1, 2, 3)]
    t.g.barbarians[t.at(SPACES[of_seat_0])] = 1  # the barbarian there is nobody's partner
    assert may_be_attacked(t.r, t.g, 0, t.at(SPACES[of_seat_0]), 1)


def test_without_teams_everyone_may_be_attacked():
    t = table()
    assert all(may_be_attacked(t.r, t.g, 0, t.at(SPACES[q]), 0) for q in (1, 2, 3))
    assert not any(has_pact(t.g, 0, q) for q in range(4))


def test_partners_are_no_targets_of_armies_in_the_expansion():
    t = table(TI, teams={"partners": "opposite"})
    assert [list_targets_on(t.r, t.g, 0, t.at(SPACES[q])) != 0 for q in (1, 2, 3)] == [True, False, True]


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize(("victory", "expected"), [("either", []), ("together", [1, 3])])
def test_the_cards_of_both_count_together_where_the_rule_says_so(box, victory, expected):
    rules = {"victory_cards": {"rules": {"cards_needed": 3}}} if box == TI else {}
    t = table(box, teams={"partners": "opposite", "victory": victory}, **rules)
    t.g.victory_count = 3 if box == BASE else 5
    t.g.claimed[1, :2] = t.g.claimed[3, 1:3] = 1
    assert winners(t) == expected


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize("victory", names.TEAM_WINS)
def test_each_card_counts_once(victory):
    t = table(teams={"partners": "opposite", "victory": victory})
    t.g.claimed[1, :2] = t.g.claimed[3, :2] = 1
    assert winners(t) == []


@pytest.mark.rule("B3.3")
@pytest.mark.parametrize(("partners", "team"), [("opposite", [1, 3]), ("beside", [0, 1])])
@pytest.mark.parametrize("victory", names.TEAM_WINS)
def test_who_has_the_cards_alone_wins_with_the_partner(partners, team, victory):
    t = table(teams={"partners": partners, "victory": victory})
    t.g.claimed[1, :3] = 1
    assert winners(t) == team


@pytest.mark.rule("B3.3")
def test_ties_between_teams_are_broken_by_what_partners_have_together():
    """Seat 0 has a wonder, seats 1 and 3 one each: the second team has more, though nobody has more than seat 0."""
    t = table(teams={"partners": "opposite"})
    t.g.claimed[0, :3] = t.g.claimed[1, :3] = 1
    for name, space in (("Petra", SPACES[0]), ("Colossus", SPACES[1]), ("Oracle", SPACES[3])):
        t.wonder(name, space)
    assert winners(t) == [1, 3]


@pytest.mark.rule("B3.3b")
@pytest.mark.parametrize(("final", "expected"), [("shared", [0, 1, 2, 3]), ("first_in_turn_order", [1, 3])])
def test_a_tie_that_is_left_is_shared_by_all_or_goes_to_the_first_players_team(final, expected):
    t = table(teams={"partners": "opposite"})
    t.r.tie_is_shared = final == "shared"
    t.g.claimed[:, :3], t.g.first = 1, 3
    assert winners(t) == expected


@pytest.mark.rule("B3.4")
def test_the_scores_of_partners_count_together():
    t = table(teams={"partners": "beside"}, scores={"points": {"cities": 1}, "after_round": 5})
    for p, space in ((0, (-3, 0)), (0, (-2, 1)), (2, (0, 3)), (3, (0, -3)), (3, (1, -3))):
        t.city(p, space)
    assert winners(t) == [2, 3]


@pytest.mark.parametrize(("players", "box"), [(2, BASE), (3, BASE), (5, TI)])
def test_teams_need_four_players(players, box, tmp_path):
    words = [
        "run",
        "--rules",
        "teams_of_two",
        "--players",
        str(players),
        "--games",
        "2",
        "--box",
        box,
        "--out",
        str(tmp_path / "r"),
    ]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert f"players: teams of two (teams.partners) need 4 players, got {players}" in result.output
    assert not (tmp_path / "r").exists()


# --- whole games


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Runs by the packaged examples."""
    folder = tmp_path_factory.mktemp("runs")
    for name in ("victory_points", "teams_of_two"):
        words = ["run", "--rules", name, "--strategies", "quick", "--games", "12", "--jobs", "1", "--out", str(folder / name)]
        assert CliRunner().invoke(main, words).exit_code == 0
    return folder


def test_a_shared_win_counts_a_half_for_each_partner(played):
    run = open_run(played / "teams_of_two")
    won = np.asarray(run.read("seats", ["won"])["won"]).reshape(-1, 4)
    assert set(won.ravel()) <= {0, 0.5}
    assert (won[:, 0] == won[:, 2]).all()
    assert (won[:, 1] == won[:, 3]).all()


def test_what_needs_single_winners_says_so(played):
    run = open_run(played / "teams_of_two")
    assert outcomes(run).teams
    with pytest.raises(UserError, match="partners win together"):
        fit_logit(outcomes(run))
    assert not outcomes(open_run(played / "victory_points")).teams
    for command, code in (("leaders", 0), ("game", 0), ("strengths", 2), ("matchups", 2)):
        result = CliRunner().invoke(main, [command, str(run.path)])
        assert result.exit_code == code, result.output


def test_a_replay_says_who_won_by_what(played):
    told = CliRunner().invoke(main, ["replay", "--run", str(played / "victory_points"), "--game", "1"]).output
    assert "Victory points: 1 for cities, 2 for mature cities" in told
    assert "Claimed victory cards alone do not win." in told
    assert "by victory points: " in told.splitlines()[-1]
    told = CliRunner().invoke(main, ["replay", "--run", str(played / "teams_of_two"), "--game", "1"]).output
    assert "Partners sit opposite (seats 1 and 3, 2 and 4)" in told
    assert " and " in told.splitlines()[-1]


def test_points_at_the_end_are_a_column_that_the_explorer_shows_where_points_count(played):
    run = open_run(played / "victory_points")
    seats = run.read("seats", ["points", "won", "agendas", "wonders", "mature_cities", "cities"])
    worth = 5 * seats["agendas"] + 3 * seats["wonders"] + 2 * seats["mature_cities"] + seats["cities"]
    assert (seats["points"] == worth).all()
    assert (seats["points"][seats["won"] > 0] > 0).all()
    other = open_run(played / "teams_of_two")
    assert (other.read("seats", ["points"])["points"] == 0).all()
    assert "points" in Loaded(run, CodeNames()).numbers
    assert "points" not in Loaded(other, CodeNames()).numbers


@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("rules", ["victory_points", "teams_of_two"])
def test_games_by_the_examples_break_no_invariant(rules, box):
    found = soak(games=4, seed=3, round_cap=30, box=box, strategies=("planner", "random"), rules=(rules,))
    assert (found.games, found.violation) == (4, 0)


def test_a_comparison_says_what_players_do_not_play_for_and_who_shares_a_win(tmp_path):
    words = ["compare", "printed", "teams_of_two", "--games", "4", "--jobs", "1", "--quiet", "--out", str(tmp_path / "kept")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "note: teams: the strategies play for their own victory cards" in result.output
    assert "note: by teams of two partners share a win, half each" in result.output
    assert CliRunner().invoke(main, ["report", str(tmp_path / "kept")]).exit_code == 0
    page = (tmp_path / "kept" / "report" / "report.md").read_text("utf-8")
    assert "Teams: the strategies play for their own victory cards" in page
    assert "By teams of two partners share a win, half each" in page


def test_caveats_are_those_of_either_side():
    printed, teams, points = load_ruleset(), load_ruleset(["teams_of_two"]), load_ruleset(["victory_points"])
    assert caveats(printed) == caveats(printed, printed) == []
    assert len(caveats(teams, teams)) == 1
    assert len(caveats(teams, printed)) == len(caveats(printed, teams)) == 2
    assert len(caveats(points, printed)) == 1
    assert caveats(points, printed, trained=True) == []
    assert len(caveats(teams, points)) == 3
