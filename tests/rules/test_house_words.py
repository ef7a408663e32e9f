"""What every table invents: abilities of everyone, by round, for who is behind or ahead; targets that are spared."""

import numpy as np
import pytest
from table import Table

from newdawn.scripts.checks.soak import soak
from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state, treatment, turn
from newdawn.simulator.engine.abilities import ALL_SEATS, refresh
from newdawn.simulator.engine.barbarians import barbarians_appear, move_barbarians
from newdawn.simulator.engine.battle import list_targets_on
from newdawn.simulator.engine.combat import ground_defence, may_be_attacked
from newdawn.simulator.engine.counts import lead
from newdawn.simulator.engine.industry import wonder_acts
from newdawn.simulator.engine.pieces import is_mature
from newdawn.simulator.engine.winning import check_victory
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import codes
from newdawn.simulator.rules.edit import parameters
from newdawn.simulator.rules.load import load_ruleset, with_overlay
from newdawn.simulator.rules.ruleset_contents import written
from newdawn.simulator.rules.sentences import sentences
from newdawn.simulator.runs.run import Silent, play_range
from newdawn.simulator.runs.run_plan import plan_by

GIFT = {"effect": "trade_tokens", "amount": 1, "card": "science", "moment": "end_of_round"}


def rules(*abilities, box=names.BOXES[0]):
    """The printed game of a box in which every player has these abilities."""
    return with_overlay(load_ruleset(box=box), {"everyone": {"abilities": list(abilities)}}, "house")


def table(*abilities, box=names.BOXES[0], ruleset=None):
    """Rome and Egypt, each with a capital, and a city of Egypt's next to it."""
    t = Table(radius=4, rules=(ruleset or rules(*abilities, box=box)).compile(), victory=(0, 1, 2))
    t.capital(0, (0, 0))
    t.capital(1, (4, 0))
    t.city(1, (3, 0))
    return t


def at_round(t, number):
    """Let the round begin, so that abilities begin and end."""
    t.g.round_number, t.g.stale = number, ALL_SEATS
    refresh(t.r, t.g)


# --- everyone


@pytest.mark.parametrize("box", names.BOXES)
def test_what_everyone_can_do_is_done_by_every_seat_besides_its_leaders_own(box):
    t = table(GIFT, box=box)
    t.call(turn.end_round)
    assert [t.trade_on(p, "science") for p in range(2)] == [1, 1]
    both = with_overlay(rules(GIFT, box=box), {"leaders": {"rome": {"abilities": {"more": {**GIFT, "amount": 2}}}}}, "both")
    t = table(ruleset=both)
    t.call(turn.end_round)
    assert [t.trade_on(p, "science") for p in range(2)] == [3, 1]


def test_what_everyone_can_do_is_said_and_can_be_tuned():
    found = rules({"effect": "culture_tokens", "amount": 1, "from_round": 5}, GIFT)
    assert sentences(found.compile(), "everyone", 0)[0] == "control tokens of a culture card: +1, from round 5 on"
    paths = {one.path for one in parameters(found, ("everyone.*",))}
    assert {f"everyone.abilities.culture_tokens.{key}" for key in ("amount", "from_round")} <= paths


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"effect": "culture_token", "amount": 1}, "did you mean 'culture_tokens'"),
        ({"effect": "culture_tokens", "amount": 1, "from_round": 0}, "from_round: expected .* 1"),
        ({"effect": "culture_tokens", "amount": 1, "form_round": 5}, "did you mean 'from_round'"),
        ({"effect": "trade_bank", "amount": 1}, "one world wonder only"),
        (
            {"effect": "production", "amount": 1, "if": {"cities_behind": 1}},
            "got 'cities_behind'; it is for combat, wonder_cost and deeds",
        ),
        ({**GIFT, "moment": "built"}, "built"),
    ],
)
def test_what_is_wrong_with_it_is_one_line(wrong, message):
    with pytest.raises(UserError, match=message) as caught:
        rules(wrong)
    assert "everyone" in str(caught.value)
    assert "\n" not in str(caught.value)


# --- rounds


@pytest.mark.parametrize("box", names.BOXES)
def test_a_number_holds_in_its_rounds(box):
    t = table({"effect": "culture_tokens", "amount": 1, "from_round": 3, "until_round": 4}, box=box)
    for number, tokens in ((0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 0)):
        at_round(t, number)
        assert t.g.power[0, codes.CULTURE_TOKENS] == tokens


def test_a_deed_is_done_in_its_rounds():
    t = table({**GIFT, "from_round": 2})
    for number, tokens in ((1, 0), (2, 1), (3, 2)):
        at_round(t, number)
        t.call(turn.end_round)
        assert t.trade_on(0, "science") == tokens


def test_rounds_begin_and_end_in_the_course_of_a_game():
    t = table({"effect": "attack_range", "amount": 2, "until_round": 1})
    t.g.round_number = 0
    t.call(turn.begin_round)
    assert t.g.power[0, codes.ATTACK_RANGE] == 2
    t.call(turn.begin_round)
    assert t.g.power[0, codes.ATTACK_RANGE] == 0


@pytest.mark.parametrize(("number", "oil"), [(4, 0), (5, 2)])
def test_what_a_wonder_does_when_built_is_done_in_its_rounds(number, oil):
    ability = {"effect": "resources", "amount": 2, "resource": "oil", "moment": "built", "from_round": 5}
    t = table(ruleset=with_overlay(load_ruleset(), {"wonders": {"pyramids": {"abilities": [ability]}}}, "house"))
    code = written(t.r, "wonder").index("Pyramids")
    t.g.round_number, t.g.wonder_space[code] = number, t.g.capital[0]
    t.call(wonder_acts, 0, code, 1)
    assert t.g.resources[0, names.RESOURCES.index("oil")] == oil


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"from_round": 5}, ", from round 5 on"),
        ({"until_round": 4}, ", until round 4"),
        ({"from_round": 2, "until_round": 4}, ", in rounds 2 to 4"),
        ({"from_round": 2, "until_round": 2}, ", in round 2"),
    ],
)
def test_the_sentence_names_the_rounds(more, said):
    assert sentences(rules({**GIFT, **more}).compile(), "everyone", 0)[0].endswith(said)


# --- behind and ahead


@pytest.mark.parametrize(
    ("own", "others", "behind", "ahead"), [(1, (3, 2), 2, 0), (3, (3, 1), 0, 0), (4, (1, 2), 0, 2), (0, (0, 0), 0, 0)]
)
@pytest.mark.parametrize("what", ["claims", "cities", "spaces"])
def test_who_is_behind_and_ahead_and_by_how_much(what, own, others, behind, ahead):
    g = np.zeros(1, state.STATE).view(np.recarray)[0]
    g.players, g.victory_count = 3, names.MAX_IN_PLAY
    for p, n in enumerate((own, *others)):
        if what == "claims":
            g.claimed[p, :n] = 1
        else:
            g[{"cities": "city_count", "spaces": "space_count"}[what]][p] = n
    assert lead(g, 0, codes.COUNTS.index(f"{what}_behind")) == behind
    assert lead(g, 0, codes.COUNTS.index(f"{what}_ahead")) == ahead


def test_help_for_who_is_behind_in_claims_and_for_nobody_else():
    t = table({**GIFT, "if": {"claims_behind": 1}})
    t.call(turn.end_round)
    assert [t.trade_on(p, "science") for p in range(2)] == [0, 0]
    t.g.claimed[1, 0] = 1
    t.call(turn.end_round)
    assert [t.trade_on(p, "science") for p in range(2)] == [1, 0]


# --- spared targets


def test_targets_are_spared_by_who_may_not_attack_them_and_by_nobody_else():
    spares = {"leaders": {"rome": {"abilities": [{"effect": "spares", "target": ["city"]}]}}}
    t = table(ruleset=with_overlay(load_ruleset(), spares, "house"))
    t.city(0, (0, 1))
    at_round(t, 1)
    assert not may_be_attacked(t.r, t.g, 0, t.at((3, 0)), 0)
    assert may_be_attacked(t.r, t.g, 1, t.at((0, 1)), 0)
    assert may_be_attacked(t.r, t.g, 0, int(t.g.capital[1]), 0)


@pytest.mark.parametrize(("number", "allowed"), [(4, False), (5, True)])
def test_no_attacks_on_cities_before_round_five(number, allowed):
    t = table({"effect": "spares", "target": ["city", "capital"], "until_round": 4})
    at_round(t, number)
    assert bool(may_be_attacked(t.r, t.g, 0, t.at((3, 0)), 0)) is allowed


@pytest.mark.parametrize(("number", "allowed"), [(4, False), (5, True)])
def test_armies_spare_targets_too(number, allowed):
    t = table({"effect": "spares", "target": ["city"], "until_round": 4}, box=names.BOXES[names.TI_BOX])
    at_round(t, number)
    assert bool(list_targets_on(t.r, t.g, 0, t.at((3, 0)))) is allowed


# --- numbers and rankings


def with_rules(overlay, box=names.BOXES[0], **settings):
    """A table of Rome and Egypt under house rules."""
    t = Table(radius=4, rules=with_overlay(load_ruleset(box=box), overlay, "house").compile(), **settings)
    t.capital(0, (0, 0))
    t.capital(1, (4, 0))
    return t


@pytest.mark.parametrize("bonus", [0, 3, -2])
def test_barbarians_defend_by_more_or_less(bonus):
    t = with_rules({"components": {"combat": {"defence": {"barbarian_bonus": bonus}}}})
    s = t.at((1, 0))
    printed = int(t.r.terrain_difficulty[t.g.terrain[s]])
    assert ground_defence(t.r, t.g, 0, s, state.TARGET_BARBARIAN) == printed + bonus


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_barbarians_move_so_many_spaces_in_one_direction(steps):
    t = with_rules({"dials": {"icon_effects": {"barbarians_move": {"steps": steps}}}})
    t.barbarian("A", (-1, 2))
    start = int(t.g.barbarian_space[0])
    t.call(move_barbarians)
    found = int(t.g.barbarian_space[0])
    ways = [start]
    for direction in range(6):
        s = start
        for _ in range(steps):
            s = int(t.g.neighbour[s, direction])
        ways.append(s)
    assert found in (ways[1:] if steps else ways[:1])


@pytest.mark.parametrize(("most", "back"), [(11, 3), (2, 2), (0, 0)])
def test_so_many_beaten_barbarians_return_at_a_time(most, back):
    t = with_rules({"dials": {"icon_effects": {"barbarians_appear": {"at_most": most}}}})
    for letter, space in (("A", (-1, 2)), ("B", (-2, 0)), ("C", (1, 1))):
        t.barbarian(letter, space)
        s = t.at(space)
        t.g.barbarians[s], t.g.barbarian_home[ord(letter) - 65] = 0, s
        t.g.barbarian_space[ord(letter) - 65] = -1
    t.call(barbarians_appear)
    assert (t.g.barbarian_space[:3] >= 0).sum() == back
    assert (t.g.barbarian_space[:back] >= 0).all()


@pytest.mark.parametrize(("place", "row"), [(1, [3, 0, 1, 2, 4]), (3, [0, 1, 3, 2, 4]), (5, [0, 1, 2, 4, 3])])
def test_a_resolved_card_returns_to_its_place(place, row):
    """The card of the fourth place; the cards between move over."""
    t = with_rules({"components": {"focus_row_reset_to": place}})
    before = t.g.row[0, :5].tolist()
    turn.reset_card(t.r, t.g, t.w, 0, before[3])
    assert t.g.row[0, :5].tolist() == [before[k] for k in row]


@pytest.mark.parametrize(("gaps", "mature"), [(0, False), (1, True)])
def test_a_city_is_mature_with_so_many_tokens_missing(gaps, mature):
    t = with_rules({"components": {"mature_city_gaps": gaps}})
    t.city(0, (-2, 0))
    s = t.at((-2, 0))
    around = [(-3, 0), (-3, 1), (-2, -1), (-2, 1), (-1, -1), (-1, 0)]
    t.token(0, *around[:5])
    assert is_mature(t.r, t.g, 0, s) is mature
    t.token(0, around[5])
    assert is_mature(t.r, t.g, 0, s)


@pytest.mark.parametrize(("place", "seat"), [("first", 1), ("second", 2), ("third", 0), ("last", 0)])
def test_a_place_in_turn_order_has_its_own_start(place, seat):
    found = {"components": {"start_bonus": {f"{place}_in_turn_order": {"trade_tokens": 2}}}}
    t = with_rules(found, leaders=("Rome", "Egypt", "Japan"))
    t.g.first = 1
    t.call(treatment.give_start_bonus)
    assert [int(t.g.trade[p].sum()) for p in range(3)] == [2 * (p == seat) for p in range(3)]


@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("what", ["trade_tokens", "resources", "technology_levels"])
def test_a_leader_has_its_own_start_wherever_it_sits(what, box):
    """Egypt gets it on top of what its place gets; nobody else does, and nobody where Egypt does not play."""
    found = {"leaders": {"egypt": {"start_bonus": {what: 1}}}, "components": {"start_bonus": {"last_in_turn_order": {what: 1}}}}
    field, one = {"trade_tokens": ("trade", 1), "resources": ("resources", 1), "technology_levels": ("dial", 3)}[what]
    for leaders, given in ((("Rome", "Egypt", "Japan"), (0, 1, 1)), (("Egypt", "Rome", "Japan"), (1, 0, 1)),
                           (("Rome", "Japan", "Egypt"), (0, 0, 2)), (("Rome", "Japan", "France"), (0, 0, 1))):  # fmt: skip
        t = with_rules(found, leaders=leaders, box=box)
        t.call(treatment.give_start_bonus)
        assert [int(np.sum(t.g[field][p])) for p in range(3)] == [one * times for times in given]


@pytest.mark.parametrize("box", names.BOXES)
@pytest.mark.parametrize("what", ["cities", "control_tokens", "wonders"])
def test_what_only_the_board_has_room_for_is_a_leaders_start_too(what, box):
    t = with_rules({"leaders": {"egypt": {"start_bonus": {what: 1}}}}, leaders=("Rome", "Egypt"), box=box)
    t.deck("Colossus", "Great Lighthouse")
    s = t.at((3, 0))
    if what == "control_tokens":
        t.script((decisions.PLACE_TOKEN, (3, 0)))
    t.call(treatment.give_start_bonus)
    assert [int(t.g.city_count[p]) for p in range(2)] == [1, 1 + (what == "cities")]
    assert (int(t.g.owner[s]) == 1) is (what == "control_tokens")
    assert [t.controls(p, "Colossus") for p in range(2)] == [False, what == "wonders"]


def test_an_own_leader_may_have_a_start_of_its_own():
    row = ["science", "culture", "economy", "military", "industry"]
    mine = {"leaders": {"atlantis": {"name": "Atlantis", "start_row": row, "start_bonus": {"cities": 2}}}}
    found = with_overlay(load_ruleset(), mine, "mine")
    assert found.data["leaders"]["atlantis"]["start_bonus"] == {**dict.fromkeys(names.START_BONUSES, 0), "cities": 2}
    code = written(found.compile(), "leader").index("Atlantis")
    assert found.compile().start_bonus[treatment.LEADER + code].tolist() == [2, 0, 0, 0, 0, 0]
    mine["leaders"]["atlantis"]["start_bonus"] = {"citys": 2}
    with pytest.raises(UserError, match=r"leaders.atlantis.start_bonus.citys: unknown key: .*did you mean 'cities'"):
        with_overlay(load_ruleset(), mine, "mine")


@pytest.mark.parametrize(
    ("ranking", "winner"),
    [
        ("most_cities", 1), ("most_trade_tokens", 0), ("furthest_on_technology_dial", 0), ("first_in_turn_order", 1),
        ("last_in_turn_order", 0),
    ],
)  # fmt: skip
def test_ties_are_broken_by_other_rankings(ranking, winner):
    t = with_rules({"victory_cards": {"rules": {"base": {"tie_break": [ranking]}}}}, victory=(0, 1, 2))
    t.city(1, (3, 0))
    t.g.claimed[:2, :3], t.g.trade[0, 0], t.g.dial[0], t.g.first = 1, 2, 5, 1
    check_victory(t.r, t.g, t.w)
    assert t.g.winner[:2].tolist() == [int(p == winner) for p in range(2)]


# --- whole games

HOUSE = """
components:
  combat: {defence: {barbarian_bonus: 2}}
  focus_row_reset_to: 2
  mature_city_gaps: 1
  start_bonus: {second_in_turn_order: {trade_tokens: 1}, third_in_turn_order: {cities: 1}}
dials: {icon_effects: {barbarians_move: {steps: 2}, barbarians_appear: {at_most: 1}}}
everyone:
  abilities:
    - {effect: spares, target: [city, capital, token], until_round: 4}
    - {effect: culture_tokens, amount: 1, from_round: 6}
    - {effect: trade_tokens, amount: 1, moment: start_of_turn, if: {claims_behind: 1}}
    - {effect: combat, amount: 2, when: [defend], if: {spaces_behind: 3}}
    - {effect: wonder_cost, amount: 1, if: {cities_ahead: 1}}
"""


@pytest.mark.parametrize("box", names.BOXES)
def test_games_with_all_of_it_break_no_invariant(box, tmp_path):
    (tmp_path / "house.yaml").write_text(HOUSE, "utf-8")
    found = soak(games=8, seed=3, round_cap=40, box=box, strategies=("planner", "random"), rules=(tmp_path / "house.yaml",))
    assert (found.games, found.violation) == (8, 0)


def test_the_packaged_example_keeps_the_peace_until_round_five():
    """The printed game has attacks on players in these games before round 5, the example none."""
    attacks = []
    for found in (load_ruleset(), load_ruleset(["late_war"])):
        r = found.compile()
        plan = plan_by(r, players=4, games=30, seed=5, strategies=["warrior"], round_cap=4)
        seats = play_range(plan, r, 0, 30, Silent()).seats
        attacks.append(int(seats["stat_attacks"][:, [state.TARGET_TOKEN, state.TARGET_CITY, state.TARGET_CAPITAL]].sum()))
    assert attacks[0] > 0 == attacks[1]
