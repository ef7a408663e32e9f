"""What the planner does in Terra Incognita, on built boards: each test is a move that was silly once, or would be."""

import numpy as np
import pytest
from table import PASS, ti_rules, ti_table_with

from newdawn.simulator import names
from newdawn.simulator.engine import decisions, state
from newdawn.simulator.engine.exploring import list_tile_places, mark_space
from newdawn.simulator.engine.map import hex_distance, rebuild_grid
from newdawn.simulator.replay.stepper import Game
from newdawn.simulator.rules.load import load_ruleset
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.planning import plan, weights
from newdawn.strategies.planning.armies import armies_worth, danger, fort_stake, nearest_exploration, piece_worth, stake
from newdawn.strategies.planning.cards import choose_caravan_space
from newdawn.strategies.planning.expansion import lands_around, possible_yield
from newdawn.strategies.planning.planner import choose_planner
from newdawn.strategies.planning.worth import tile_fits_beside, tile_worth, upgrade_worth
from newdawn.strategies.registry import find

TI = "terra-incognita"


def table(leaders=("Rome", "Egypt"), radius=5, **kw):
    """Return a table of planners: the capital of seat 0 in the middle, that of seat 1 in the west, of seat 2 in the east."""
    t = ti_table_with(*((0, 0), (-radius, 0), (radius, 0))[: len(leaders)], leaders=leaders, radius=radius, **kw)
    t.g.weights[: len(leaders)] = find("planner").weights(len(leaders), TI)[0]
    return t


def ask(t, kind, *options, p=0, **about):
    """Ask the planner of seat `p`, spaces as (q, r), and return the option it chooses."""
    codes = [t.at(option) if isinstance(option, tuple) else option for option in options]
    t.w.option[: len(codes)] = codes
    for name, value in about.items():
        t.w[f"ask_{name}"] = value
    return options[choose_planner(t.r, t.g, t.w, p, kind, len(codes), np.uint64(1))]


def army_to(t, *options, a=0, slot=5, left=3, p=0):
    """Ask where army `a` goes."""
    return ask(t, decisions.ARMY_TO, *options, PASS, p=p, space=a, slot=slot, holder=t.holder(p, "military"), left=left)


def spend(t, attack, defence, die, tokens, theirs, space, target, side="attack"):
    """Ask seat 0 what it spends in a combat with seat 1 over the space."""
    t.trade(0, "military", tokens)
    t.trade(1, "military", theirs)
    t.trade(1, "science", 2)  # to be had in its capital
    t.g.weights[0, weights.FIGHT_PRICE] = 60
    source = decisions.SOURCE_ATTACK if side == "attack" else decisions.SOURCE_DEFENCE
    return ask(
        t,
        decisions.COMBAT_SPEND,
        decisions.SPEND_ONE,
        decisions.SPEND_REROLL,
        PASS,
        attack=attack,
        defence=defence,
        die=die,
        source=source,
        holder=t.holder(0, "military"),
        space=t.at(space),
        target=target,
        seat=1,
    )


def fort_game(claimed_by, others=3):
    """Return a table with both fort cards and others in play and a fort of that seat at (2, 0), for which it has the first."""
    forts = ti_rules().agenda_metric[:, 0] == names.METRIC_FORTS
    t = table(victory=[*np.flatnonzero(forts), *np.flatnonzero(~forts)[:others]])
    t.fort((2, 0), 0)
    t.city(claimed_by, (2, 0))
    t.g.claimed[claimed_by, 0] = 1
    return t


# --- combats


def test_tokens_are_not_spent_where_the_defender_answers_each_of_them():
    t = table()
    assert spend(t, attack=8, defence=8, die=6, tokens=1, theirs=1, space=(-5, 0), target=state.TARGET_CAPITAL) == PASS
    assert (
        spend(t, attack=8, defence=8, die=6, tokens=2, theirs=1, space=(-5, 0), target=state.TARGET_CAPITAL)
        == decisions.SPEND_ONE
    )
    assert (
        spend(t, attack=8, defence=8, die=6, tokens=1, theirs=0, space=(-5, 0), target=state.TARGET_CAPITAL)
        == decisions.SPEND_ONE
    )
    assert spend(t, attack=9, defence=8, die=6, tokens=1, theirs=0, space=(-5, 0), target=state.TARGET_CAPITAL) == PASS


def test_a_lead_the_defender_could_turn_is_made_sure():
    t = table()
    assert (
        spend(t, attack=9, defence=8, die=6, tokens=1, theirs=1, space=(-5, 0), target=state.TARGET_CAPITAL)
        == decisions.SPEND_ONE
    )


def test_a_low_die_is_rolled_again_where_tokens_do_not_suffice():
    t = table()
    assert (
        spend(t, attack=5, defence=7, die=1, tokens=1, theirs=0, space=(-5, 0), target=state.TARGET_CAPITAL)
        == decisions.SPEND_REROLL
    )
    assert spend(t, attack=5, defence=7, die=5, tokens=1, theirs=0, space=(-5, 0), target=state.TARGET_CAPITAL) == PASS


def test_the_defender_has_the_last_word_and_spends_no_more_than_it_takes():
    t = table()
    about = {"space": (0, 0), "target": state.TARGET_CITY, "side": "defence"}
    assert spend(t, attack=9, defence=8, die=6, tokens=1, theirs=3, **about) == decisions.SPEND_ONE
    assert spend(t, attack=8, defence=8, die=6, tokens=3, theirs=3, **about) == PASS


# --- where armies go


def test_an_army_does_not_attack_in_vain_what_gave_it_a_diplomacy_card():
    t = table(terrain={(2, 0): "mountain"})
    t.city(1, (2, 0))
    t.army(0, (0, 0))
    t.diplomacy(0, 1, "Defensive Pact")
    assert army_to(t, (2, 0), slot=1) == PASS
    t.g.terrain[t.at((2, 0))] = names.GRASSLAND
    assert army_to(t, (2, 0), slot=5) == (2, 0)


def test_an_army_attacks_a_rival_army_beside_it_if_there_is_nothing_better():
    t = table()
    t.army(0, (1, 0))
    t.army(1, (2, 0))
    assert army_to(t, (2, 0), (1, 1)) == (2, 0)


def test_a_caravan_on_its_way_is_attacked():
    t = table()
    t.army(0, (1, 0))
    t.caravan(1, (2, 0))
    assert army_to(t, (2, 0), (1, 1)) == (2, 0)


def test_weighing_a_combat_leaves_alone_what_the_army_reaches():
    """Carthage's bonus counts distances around the space that is attacked: those of the army are counted elsewhere."""
    worth = []
    for out_of_reach in ((-5, 5), (5, -1)):
        t = table(radius=6)
        t.army(0, (1, 0))
        t.token(1, (4, 0))
        t.city(1, out_of_reach)
        t.city_state("Carthage", (0, -6))
        t.city_state_card(0, "Carthage")
        h = t.holder(0, "military")
        assert t.r.card_army_move[t.g.card[0, h]] == 3
        worth.append(armies_worth(t.r, t.g, t.w, 0, h, 5, 5))
    assert worth[0] == worth[1] > 0


def test_an_army_explores_if_it_has_nothing_to_attack():
    t = table()
    t.army(0, (0, 1))
    t.g.stack[0], t.g.stack_n = 12, 1
    assert army_to(t, (1, 1), decisions.EXPLORE + t.at((0, 5))) == decisions.EXPLORE + t.at((0, 5))


def explored_game(rounds):
    """Return a game of Terra Incognita of four planners after so many rounds."""
    ruleset = load_ruleset(box=TI)
    game = Game(ruleset, plan_by(ruleset.compile(), players=4, games=1, seed=4, strategies=["planner"]), 0)
    for _ in game.turns():
        if game.state.round_number > rounds:
            break
    return game


@pytest.mark.parametrize("rounds", [1, 8])
def test_a_tile_is_looked_for_only_where_one_fits(rounds):
    game = explored_game(rounds)
    r, g, w, p = game.rules, game.state, game.work, 0
    fits = {}
    for s in np.flatnonzero(g.edge[: g.n_spaces]):
        rebuild_grid(g, w)
        mark_space(g, w, s)
        fits[s] = list_tile_places(r, g, w) > 0
        assert tile_fits_beside(r, g, w, s) == fits[s]
    assert set(fits.values()) == {True, False}
    blind = [decisions.EXPLORE + s for s in fits if not fits[s]]
    w.option[: len(blind) + 1] = [*blind, PASS]
    assert nearest_exploration(r, g, w, p, len(blind) + 1) == -1
    near = min((s for s in fits if fits[s]), key=lambda s: hex_distance(g, s, int(g.capital[p])))
    w.option[: len(blind) + 2] = [*blind, decisions.EXPLORE + near, PASS]
    assert nearest_exploration(r, g, w, p, len(blind) + 2) == len(blind)


def test_an_army_stands_guard_on_a_fort_that_a_victory_card_hangs_on():
    t = fort_game(claimed_by=0)
    t.army(0, (1, 1))
    t.army(1, (4, 0))
    assert army_to(t, (0, 1), (2, 0), (1, 2), slot=1) == (2, 0)
    t.army(0, (2, 0))
    assert army_to(t, (0, 1), (1, 1), (1, 2), slot=1) == PASS  # and stays there


def test_an_army_does_not_guard_what_no_rival_is_near():
    t = fort_game(claimed_by=0)
    far, near = t.at((5, -5)), t.at((-4, 0))
    t.army(1, None)
    assert danger(t.r, t.g, 0, far) == 0
    assert danger(t.r, t.g, 0, near) == 100


def test_an_army_guards_a_fort_that_a_barbarian_is_near():
    t = fort_game(claimed_by=0, others=1)
    t.army(0, (1, 1))
    t.army(1, None)
    t.g.weights[0, [weights.BARBARIAN_REWARD, weights.BARBARIAN_NEAR]] = 0  # else it would be attacked next time
    assert army_to(t, (0, 1), (2, 0), (1, 2), slot=1) == PASS
    t.g.notes[0, plan.STANDING] = 0  # another turn
    t.barbarian("A", (3, 0))
    assert army_to(t, (0, 1), (2, 0), (1, 2), slot=1) == (2, 0)


def test_the_way_to_prey_is_counted_around_water():
    water = {(1, r): "water" for r in range(-5, 4)}
    t = table(terrain=water)
    t.fort((3, -2), 0)
    t.trade(0, "military", 3)
    t.army(0, (0, 2))
    t.g.weights[0, weights.ARMY_STEP] = 9
    t.g.weights[0, weights.ATTACK_PERCENT] = 100
    assert army_to(t, (0, 3), (0, 0), (-1, 2)) == (0, 3)  # as the crow flies (0, 0) is nearer


# --- forts


def test_a_fort_is_worth_the_victory_cards_that_hang_on_it():
    t = fort_game(claimed_by=0)
    s = t.at((2, 0))
    held = stake(t.r, t.g, 0, s)
    t.g.claimed[0, 0] = 0
    assert held - stake(t.r, t.g, 0, s) == t.g.weights[0, weights.FORT_TURNS] * t.g.weights[0, weights.FORT_HOLD] // 100


def test_the_fort_of_a_rival_is_worth_more_the_more_it_has_claimed():
    t = fort_game(claimed_by=1)
    s = t.at((2, 0))
    once = fort_stake(t.r, t.g, 0, 1, s)
    t.g.claimed[1, 1] = 1  # Expeditionary, which one fort cannot hold: a card all the same
    assert fort_stake(t.r, t.g, 0, 1, s) > once > 0


def test_a_plan_for_a_fort_knows_how_far_it_is():
    t = fort_game(claimed_by=1, others=0)
    t.g.claimed[1, 0] = 0
    t.fort((0, 3), 1)
    ask(t, decisions.DIAL_ANYWAY, 1, PASS)
    assert t.g.notes[0, plan.WAR_TARGET] == t.at((0, 3))


# --- districts, leaders, cards


def test_a_campus_goes_beside_own_mountains():
    t = table(terrain={(1, -1): "mountain", (2, -1): "mountain", (-1, 1): "grassland"})
    t.token(0, (1, -1))
    options = [t.at(space) * 8 + names.CAMPUS for space in ((-1, 1), (1, 0))]
    assert ask(t, decisions.PLACE_DISTRICT, *options, slot=5) == options[1]


def test_a_district_that_would_bring_nothing_gives_way_to_one_that_does():
    t = table(terrain={(1, -1): "forest", (2, -1): "forest"})
    t.token(0, (1, -1))
    options = [t.at((1, 0)) * 8 + district for district in (names.CAMPUS, names.INDUSTRIAL_ZONE)]
    assert ask(t, decisions.PLACE_DISTRICT, *options, slot=5) == options[1]


def test_a_space_counts_once_for_the_district_on_it():
    t = table(terrain={(1, -1): "mountain", (0, 1): "mountain", (-1, 1): "mountain"})
    t.token(0, (0, 1))
    alone, beside = t.at((1, -1)), t.at((-1, 1))
    assert possible_yield(t.r, t.g, 0, names.CAMPUS, lands_around(t.g, 0, alone)) == 2  # halves
    assert possible_yield(t.r, t.g, 0, names.CAMPUS, lands_around(t.g, 0, beside)) == 4


def test_a_theater_square_goes_where_there_is_room_for_its_tokens():
    t = table(radius=4)
    t.city(0, (0, 4))
    for space in t.coordinates[:]:
        if t.owner(space) < 0 and space[1] >= 1:
            t.g.owner[t.at(space)] = 1
    t.g.owner[t.at((0, 3))] = -1
    full, free = (t.at(space) * 8 + names.THEATER_SQUARE for space in ((0, 3), (0, -1)))
    assert ask(t, decisions.PLACE_DISTRICT, full, free, slot=5) == free
    assert possible_yield(t.r, t.g, 0, names.THEATER_SQUARE, lands_around(t.g, 0, t.at((0, 3)))) == 0


def test_a_district_that_yields_nothing_is_worth_less_of_itself():
    t = table()
    options = [t.at((1, 0)) * 8 + names.CAMPUS, t.at((1, 0)) * 8 + names.COMMERCIAL_HUB]
    t.g.weights[0, weights.DISTRICT_BASE + names.CAMPUS] = 1000
    t.g.notes[0, plan.BASE_PERCENT] = 100
    assert ask(t, decisions.PLACE_DISTRICT, *options, slot=5) == options[0]
    t.g.weights[0, weights.BARREN] = 10
    assert ask(t, decisions.PLACE_DISTRICT, *options, slot=5) == options[1]


def test_an_attack_of_a_small_chance_is_left_for_later():
    t = table()
    t.army(0, (1, 0))
    t.token(1, (2, 0), (3, 0), (2, 1), reinforced=True)
    t.g.notes[0, plan.NEED_FIGHT] = 500
    t.g.notes[0, plan.STAMP] = t.g.turn + 1
    t.g.weights[0, weights.LEAST_CHANCE] = 0
    assert army_to(t, (2, 0), slot=1) == (2, 0)
    t.g.weights[0, weights.LEAST_CHANCE] = 60
    assert army_to(t, (2, 0), slot=1) == PASS


def test_a_capital_is_worth_the_trade_tokens_that_can_be_looted():
    t = table()
    poor = piece_worth(t.r, t.g, 0, t.at((-5, 0)), state.TARGET_CAPITAL, 1)
    t.trade(1, "science", 1)
    some = piece_worth(t.r, t.g, 0, t.at((-5, 0)), state.TARGET_CAPITAL, 1)
    t.trade(1, "science", 3)
    rich = piece_worth(t.r, t.g, 0, t.at((-5, 0)), state.TARGET_CAPITAL, 1)
    assert rich - some == some - poor == t.g.weights[0, weights.TRADE_TOKEN]


def diplomacy_cards(*cards):
    """Return the numbers of the diplomacy cards."""
    return [(*names.DIPLOMACY_CARDS, *names.TI_DIPLOMACY_CARDS).index(card) for card in cards]


@pytest.mark.parametrize("pact", ["Defensive Pact", "Joint War"])
def test_a_pact_against_nobody_else_is_the_last_to_be_taken(pact):
    cards = diplomacy_cards(pact, "Embassy")
    assert ask(table(), decisions.TAKE_DIPLOMACY, *cards, seat=1) == cards[1]
    t = table(leaders=("Rome", "Egypt", "Scythia"))
    assert ask(t, decisions.TAKE_DIPLOMACY, *cards, seat=1) == cards[0]


def test_a_joint_war_comes_before_a_pact_that_forbids_attacks():
    t = table(leaders=("Rome", "Egypt", "Scythia"))
    cards = diplomacy_cards("Non-Aggression Pact", "Defensive Pact", "Joint War", "Embassy")
    assert ask(t, decisions.TAKE_DIPLOMACY, *cards, PASS, seat=1) == cards[2]
    del cards[2]
    assert ask(t, decisions.TAKE_DIPLOMACY, *cards, PASS, seat=1) == cards[1]
    t.g.diplomacy[1, cards[1]] = 0  # it would have to give back the Defensive Pact
    assert ask(t, decisions.TAKE_DIPLOMACY, cards[0], cards[2], PASS, seat=1) == PASS


@pytest.mark.parametrize("missing", [1, 2])
def test_a_step_towards_the_last_victory_card_is_worth_more(missing):
    needs = []
    for percent in (0, 100):
        t = table(victory=range(5))  # of which four win
        t.g.weights[0, weights.LAST_PERCENT] = percent
        t.g.claimed[0, : 4 - missing] = 1
        ask(t, decisions.DIAL_ANYWAY, 1, PASS)
        notes = t.g.notes[0]
        needs.append(notes[plan.NEED_CITY : plan.WAR_TARGET].sum() + notes[plan.NEED_GIVER : plan.NEED_SPACE].sum())
    assert (needs[1] > needs[0]) == (missing == 1)


def test_a_theater_square_comes_before_a_campus_without_mountains():
    t = table()
    options = [t.at((1, 0)) * 8 + district for district in (names.CAMPUS, names.THEATER_SQUARE)]
    assert ask(t, decisions.PLACE_DISTRICT, *options, slot=5) == options[1]


def test_an_encampment_sends_home_the_army_that_threatens_most():
    t = table()
    t.token(0, (2, 0))
    t.army(1, (3, 0))
    t.army(1, (-3, 0), a=1)
    near, far = (decisions.ARMY_OPTION + 256 + t.at(space) for space in ((3, 0), (-3, 0)))
    assert ask(t, decisions.DISTRICT_SPACE, far, near, space=t.at((1, 0))) == near
    assert ask(t, decisions.DISTRICT_SPACE, near, far, space=t.at((1, 0))) == near


def test_a_city_in_place_of_a_caravan_is_weighed_by_its_space():
    t = table()
    for letter, space in zip("ABCD", ((2, 0), (3, 0), (2, 1), (3, -1)), strict=True):
        t.barbarian(letter, space)
    bad, good = decisions.CITY_ON_CARAVAN + t.at((3, 1)), decisions.CITY_ON_CARAVAN + t.at((-2, 3))
    about = {"slot": 3, "holder": t.holder(0, "industry")}
    assert ask(t, decisions.INDUSTRY, bad, good, PASS, **about) == good
    assert ask(t, decisions.INDUSTRY, t.at((3, 1)), good, PASS, **about) == good


def test_the_ottoman_gives_ibrahim_to_the_nearest_rival_at_once_and_leaves_it_there():
    t = table(leaders=("Ottoman", "Egypt", "Rome"))
    t.g.capital[2] = t.at((2, 0))
    assert ask(t, decisions.GIVE_IBRAHIM, 1, 2, PASS) == 2
    t.g.given_card[0] = 2
    assert ask(t, decisions.GIVE_IBRAHIM, 1, PASS) == PASS


def test_craftsmanship_moves_the_dial_without_a_wonder():
    assert ask(table(), decisions.DIAL_ANYWAY, 1, PASS) == 1


def test_astronomy_lays_the_tile_with_more_on_it():
    t = table()
    worth = [tile_worth(t.r, t.g, 0, tile) for tile in range(1, 22)]
    poor, rich = 1 + int(np.argmin(worth)), 1 + int(np.argmax(worth))
    assert ask(t, decisions.EXPLORED_TILE, poor, rich, PASS) == rich
    assert ask(t, decisions.EXPLORED_TILE, rich, poor, PASS) == rich


def test_a_broken_pact_lets_the_military_card_climb_only_if_it_matters_more():
    t = table()
    military = t.row(0).index("military")
    other = next(k for k in range(military + 1, t.r.slots)) if military + 1 < t.r.slots else None
    if other is None:
        pytest.skip("Rome's military card lies last")
    h = int(t.g.row[0, other])
    ask(t, decisions.DIAL_ANYWAY, 1, PASS)  # makes the plan
    t.g.notes[0, plan.TYPE_WORTH + names.MILITARY] = 90
    t.g.notes[0, plan.TYPE_WORTH + t.r.card_type[t.g.card[0, h]]] = 10
    assert ask(t, decisions.NON_AGGRESSION, other, PASS, seat=1) == other
    t.g.notes[0, plan.TYPE_WORTH + names.MILITARY] = 5
    assert ask(t, decisions.NON_AGGRESSION, other, PASS, seat=1) == PASS


def test_a_caravan_explores_rather_than_go_where_it_arrives_nowhere():
    t = table()
    t.caravan(0, (0, 4))
    t.g.stack[0], t.g.stack_n = 12, 1
    about = {"space": 0, "left": 2, "slot": 5, "holder": t.holder(0, "economy")}
    explores = decisions.EXPLORE + t.at((0, 5))
    assert ask(t, decisions.CARAVAN_TO, (0, 3), explores, PASS, **about) == explores


def test_a_caravan_stays_if_it_could_only_explore_where_no_tile_fits():
    game = explored_game(8)
    r, g, w, p = game.rules, game.state, game.work, 0
    rebuild_grid(g, w)
    blind = [decisions.EXPLORE + s for s in np.flatnonzero(g.edge[: g.n_spaces]) if not tile_fits_beside(r, g, w, s)]
    w.option[: len(blind) + 1] = [*blind, PASS]
    w.chain[:] = 0  # what lies behind the counts of spaces tells nothing about such an option
    assert choose_caravan_space(r, g, w, p, len(blind) + 1) == len(blind)


# --- weights by box


def test_weights_of_a_box_are_those_of_the_profile_but_for_what_it_says_for_the_box(tmp_path):
    profile = tmp_path / "mine.yaml"
    profile.write_text("like: planner\nboxes: {terra-incognita: {exploring: 777, city_base: 1}}\n", "utf-8")
    mine, planner = find(str(profile)), find("planner")
    assert (mine.weights(4) == planner.weights(4)).all()
    changed = mine.weights(4, TI)[0] != planner.weights(4, TI)[0]
    assert {weights.NAMES[k] for k in np.flatnonzero(changed)} == {"exploring", "city_base"}


# --- the end of the round


def last_round(claims):
    """Return a table on which seat 1 has claimed so many of five victory cards, one for the fort beside the army of seat 0."""
    t = fort_game(claimed_by=1)
    t.g.claimed[1, :claims] = 1
    t.token(1, (3, 0), (2, 1), reinforced=True)
    t.army(0, (1, 0))
    return t


@pytest.mark.parametrize("claims", [3, 4])
def test_a_fort_that_decides_the_game_is_attacked_at_any_odds(claims):
    t = last_round(claims)
    assert army_to(t, (2, 0), slot=5) == ((2, 0) if claims == 4 else PASS)


def test_who_has_claimed_more_at_the_end_of_the_round_lets_the_others_forts_be():
    t = last_round(claims=4)
    decides = fort_stake(t.r, t.g, 0, 1, t.at((2, 0)))
    t.g.claimed[0, :] = 1
    assert fort_stake(t.r, t.g, 0, 1, t.at((2, 0))) < decides == t.g.weights[0, weights.RESCUE]


@pytest.mark.parametrize("claims", [1, 4])
def test_a_fort_that_victory_cards_hang_on_is_guarded_before_a_barbarian_is_attacked(claims):
    t = fort_game(claimed_by=0)
    t.g.claimed[0, :claims] = 1
    t.army(0, (1, 1))
    t.army(1, (4, 0))
    t.barbarian("A", (1, 2))
    assert army_to(t, (2, 0), (1, 2)) == (2, 0)
    t.g.notes[0, plan.STANDING] = 0  # another turn
    t.g.weights[0, weights.GUARD_FIRST] = 0
    assert army_to(t, (2, 0), (1, 2)) == (1, 2)


def test_a_world_wonder_stands_where_it_is_not_attacked_for_the_fort():
    t = fort_game(claimed_by=0)
    t.city(0, (-2, 0))
    assert ask(t, decisions.WONDER_CITY, (2, 0), (-2, 0)) == (-2, 0)


def test_a_city_that_is_taken_by_an_effect_is_one_that_a_victory_card_hangs_on():
    t = fort_game(claimed_by=1)
    t.city(1, (-2, 2))
    t.city(1, (1, -3))
    assert ask(t, decisions.TAKE_CITY, (-2, 2), (2, 0), (1, -3), PASS) == (2, 0)


def test_a_unique_card_is_worth_what_the_profile_says_for_its_leader():
    prices = find("planner").weights(2, TI)
    japan = names.LEADERS.index("Japan")
    assert prices[japan][weights.UNIQUE_CARD] > prices[names.LEADERS.index("Egypt")][weights.UNIQUE_CARD]
    t = table(leaders=("Japan", "Egypt"))
    card = int(np.flatnonzero(t.r.card_unique[:] == japan)[0])
    h = t.holder(0, "industry")
    ask(t, decisions.DIAL_ANYWAY, 1, PASS)  # makes the plan
    worth = upgrade_worth(t.r, t.g, 0, card, h)
    t.g.weights[0, weights.UNIQUE_CARD] += 50
    assert upgrade_worth(t.r, t.g, 0, card, h) == worth + 50
