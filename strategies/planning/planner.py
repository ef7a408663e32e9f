"""The planner: goes for the victory cards that are quickest to claim, and changes its mind when the board does.

Opening: the own capital tile comes first and lies where it touches much land; the first turns go to whatever the plan
rates highest, as a rule science for the early upgrades, a second city, and caravans for trade tokens.

Each turn it first makes a plan (`strategies.planning.plan`): turns left for both agendas of every victory card, the quicker one
of each card, and from that what a city, a coastal space, a dial space … is worth now. The plan is kept in the seat's
notes until its next turn. Then every choice is the option of the highest worth (`strategies.planning.worth`):

- the focus card by what it would bring in its slot now, less a part of what a better slot later would add, and by how
  well its type is timed in that place of the row (`strategies.planning.cards`);
- control tokens on coast, prizes, around cities that are nearly mature, and towards targets; free gains are never
  passed;
- cities where there is room and no barbarian, world wonders of the types the plan needs;
- attacks by exact odds times worth, more against who is ahead; trade tokens in combat only when they turn the result
  and it is worth it; reinforced tokens where something may be lost;
- caravans to where their trade tokens help most.

Leaders' abilities enter by the rules' own functions: what they do to odds, production, difficulty and reach is part of
every worth. It changes its mind when the estimate of the other agenda of a card is clearly lower (weights.KEEP_PLAN). It
plays the same for the same state and never looks at hidden cards.

Its weights are data (`weights.py`, `profiles/`): those of the strategy `planner` come from self-play, those of the
`opportunist` were set by hand.
"""

from __future__ import annotations

import numpy as np
from numba import types

from ...simulator import names
from ...simulator.engine import decisions, state
from ...simulator.engine.choosing import below, below_bits, exp, mix, seed_streams
from ...simulator.engine.compile.argument_types import BOTS, declare_parameters, record_dtype
from ...simulator.engine.compile.jit import address_in_code, inline, jit, strategy
from ...simulator.engine.diplomacy import card_limit
from ...simulator.engine.industry import card_production, is_wonder_option, space_of_city, wonder_cost
from ...simulator.engine.map import is_fort
from ...simulator.engine.pieces import face_up_end, holder_of
from ...simulator.engine.trade import spendable
from ...simulator.engine.turn import acting_as_if, place_of, play_card, play_step, slot_in_place
from . import plan, weights
from .cards import (
    attack_value,
    best_attacks,
    card_score,
    card_worth,
    choose_caravan_space,
    choose_card,
    choose_destination,
    choose_upgrade,
    economy_worth,
    list_reinforcements,
)
from .expansion import choose_expansion
from .plan import barbarian_distance, claim_turns, make_plan, military_tokens
from .worth import (
    choose_tile_place,
    city_worth,
    diplomacy_worth,
    holder_worth,
    loss_worth,
    prize_worth,
    reinforce_worth,
    sum_of_best,
    target_worth,
    token_worth,
    type_worth,
    wonder_worth,
)

NOTHING = -(1 << 30)
ALL_CARAVANS = (1 << names.MAX_CARAVANS) - 1
CAPITAL_TILE = 3  # r.tile_kind
OF_PIECES = decisions.group(  # `piece_option_worth` rates the options of these kinds of decisions
    decisions.PLACE_TOKEN, decisions.TAKE_OFF, decisions.MOVE_TOKEN, decisions.RIVAL_TOKEN, decisions.STRIKE,
    decisions.NAME_TOKEN, decisions.YIELD_TOKEN, decisions.INDUSTRY, decisions.WONDER_CITY, decisions.REINFORCE,
    decisions.ATTACK, decisions.SEOUL_MOVE,
)  # fmt: skip


# --- trade tokens and resources


@jit
def sure_tokens(r, g, w, most):
    """Return the fewest trade tokens with which the attacker wins whatever the defender pays; 0: too few, or no need."""
    effect = max(1, int(r.trade_effect[names.MILITARY]))
    sure = (w.ask_defence - w.ask_attack - int(r.attacker_wins_ties)) // effect + 1
    q = int(w.ask_seat)
    h = holder_of(r, g, q, names.MILITARY) if q >= 0 else -1
    if h >= 0:
        sure += int(spendable(r, g, q, h, -1))
    return sure if 0 < sure <= most else 0


@jit
def combat_tokens(r, g, w, p, most):
    """Return how many trade tokens to spend in combat: what turns or protects the result, if that is worth it."""
    effect = max(1, int(r.trade_effect[names.MILITARY]))
    s = int(w.ask_space)
    ties = int(r.attacker_wins_ties)
    if w.ask_source == decisions.SOURCE_DEFENCE:
        need = (w.ask_attack - w.ask_defence + ties + effect - 1) // effect
        return need if 0 < need <= most and loss_worth(r, g, p, s) >= g.weights[p, weights.FIGHT_WORTH] else 0
    barbarian = w.ask_target == 0
    worth = g.weights[p, weights.BARBARIAN_REWARD] if barbarian else target_worth(r, g, p, s)
    if g.weights[p, weights.SURE_FIGHT] != 0:
        return sure_tokens(r, g, w, most) if worth >= g.weights[p, weights.FIGHT_WORTH] else 0
    need = max(0, (w.ask_defence - w.ask_attack - ties) // effect + 1)
    if need > most or (need > 0 and worth < g.weights[p, weights.FIGHT_WORTH]):
        return 0
    if w.ask_seat >= 0 and worth >= g.weights[p, weights.PREMIUM_WORTH]:
        theirs = military_tokens(r, g, int(w.ask_seat))
        if need + theirs <= most:
            return need + theirs
    return need


@inline
def on_its_way(w):
    """Return the bit of the caravan that is on its way, 0 for none."""
    return 1 << int(w.ask_caravan) if w.ask_caravan >= 0 else 0


@jit
def caravans_worth(r, g, w, p, more):
    """Return the worth of the caravans' remaining moves with `more` steps, that of a caravan on its way included."""
    waiting = economy_worth(r, g, w, p, w.ask_holder, w.ask_slot, int(g.caravan_steps) + more, w.ask_moved | on_its_way(w))
    if w.ask_caravan < 0:
        return waiting
    others = ALL_CARAVANS & ~on_its_way(w)
    return waiting + economy_worth(r, g, w, p, w.ask_holder, w.ask_slot, int(w.ask_left) + more, others)


@jit
def caravan_tokens(r, g, w, p, most):
    """Return how many trade tokens give the caravans the reach that pays best; in the box, one of a full card costs nothing,
    since the next one would find no room."""
    spare = 1 if r.box == names.TI_BOX and most >= r.max_trade else 0
    best = 0
    best_worth = NOTHING
    for k in range(most + 1):
        worth = caravans_worth(r, g, w, p, k * int(r.trade_effect[names.ECONOMY]))
        worth -= max(0, k - spare) * g.weights[p, weights.TRADE_TOKEN] // 2
        if worth > best_worth:
            best = k
            best_worth = worth
    return best


@jit
def choose_spending(r, g, w, p, n):
    """Return how many of the card's trade tokens to spend (the options are 0, 1, 2 …)."""
    if w.ask_source == decisions.SOURCE_ATTACK or w.ask_source == decisions.SOURCE_DEFENCE:
        return combat_tokens(r, g, w, p, n - 1)
    if w.ask_source == decisions.SOURCE_ECONOMY:
        return caravan_tokens(r, g, w, p, n - 1)
    return n - 1


@jit
def payment_worth(r, g, w, p, v):
    """Worth of paying with this: natural wonders are kept; trade tokens pay what resources would overpay."""
    if v == decisions.PAY_TRADE:
        return 0 if g.trade[p, w.ask_holder] < w.ask_left else g.weights[p, weights.TRADE_TOKEN] * 4
    if v >= decisions.PAY_NATURAL_WONDER:
        return g.weights[p, weights.TRADE_TOKEN] * 8
    return g.weights[p, weights.TRADE_TOKEN] * 3 - int(g.notes[p, plan.RESOURCE_WORTH + v]) + 4 * int(g.resources[p, v])


# --- the worth of an option


@jit
def rival_token_worth(r, g, w, p, s):
    """Worth of weakening or taking the rival token on the space; Forbidden City only removes it."""
    worth = target_worth(r, g, p, s)
    if g.piece[s] == names.REINFORCED or w.ask_source == decisions.SOURCE_FORBIDDEN_CITY:
        return worth // 3 + 1
    return worth + 1


@jit
def strike_worth(r, g, p, middle):
    """Worth of a strike: what rivals lose around the space, less what the seat loses itself."""
    worth = 0
    for d in range(-1, 6):
        s = middle if d < 0 else int(g.neighbour[middle, d])
        if s < 0 or g.owner[s] < 0 or (g.piece[s] != names.TOKEN and g.piece[s] != names.REINFORCED):
            continue
        here = g.weights[p, weights.TOKEN_BASE] if g.piece[s] == names.TOKEN else g.weights[p, weights.TOKEN_BASE] // 3
        if g.owner[s] != p:
            worth += here
        elif r.strike_spares_own == 0:
            worth -= 2 * here
    return worth


@jit
def shelter_worth(r, g, p, s):
    """Worth of a city as the home of a world wonder: the capital never falls to barbarians, hills protect."""
    worth = int(g.weights[p, weights.SHELTER_GROUND]) * int(r.terrain_difficulty[g.terrain[s]])
    worth += min(4, barbarian_distance(g, s))
    if g.piece[s] == names.CAPITAL:
        worth += int(g.weights[p, weights.SHELTER_CAPITAL])
    if r.box == names.TI_BOX and is_fort(g, s):
        worth -= int(g.weights[p, weights.FORT_SHELTER])
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.owner[t] == p and g.piece[t] == names.REINFORCED:
            worth += 2
    return worth


@jit
def threat(g, p, s):
    """How much a barbarian on the space threatens seat `p` rather than its rivals."""
    worth = 0
    for d in range(6):
        t = g.neighbour[s, d]
        if t >= 0 and g.owner[t] >= 0:
            worth += 2 if g.owner[t] == p else -1
    return worth


@jit
def swap_worth(r, g, p, a, b):
    """Worth of swapping the cards in two places of the row: the type that matters more should stand farther right."""
    first = type_worth(r, g, p, int(g.row[p, a]))
    second = type_worth(r, g, p, int(g.row[p, b]))
    return (int(r.slot_number[b]) - int(r.slot_number[a])) * (first - second)


@jit
def industry_worth(r, g, w, p, v):
    """Worth of a city on the space, or of a world wonder less what it costs beyond the slot."""
    if not is_wonder_option(v):
        return city_worth(r, g, p, space_of_city(v))
    wonder = v - decisions.WONDER_OPTION
    price = int(wonder_cost(r, g, p, wonder)) - card_production(r, g, p, w.ask_holder, w.ask_slot)
    return wonder_worth(r, g, p, wonder) - max(0, price) * g.weights[p, weights.PRODUCTION_PRICE]


@jit
def military_worth(r, g, w, p, v):
    """Worth of using the military card to attack or to reinforce."""
    h = holder_of(r, g, p, names.MILITARY)
    if v == decisions.MILITARY_ATTACK:
        return best_attacks(r, g, w, p, h, w.ask_slot, w.ask_slot)
    if v == decisions.MILITARY_REINFORCE:
        return sum_of_best(w, list_reinforcements(r, g, w, p), w.ask_slot, 0)
    return 0


@jit
def gift_worth(r, g, w, p, h):
    """Worth of a trade token that the rival `ask_seat` gets on the card of holder `h`: the less use it has for it."""
    q = int(w.ask_seat)
    kind = int(r.card_type[g.card[q, h]])
    return -int(g.weights[p, weights.SUPPLY + kind]) * (5 - int(g.trade[q, h]))


@jit
def diplomacy_gain(r, g, w, p, c):
    """Worth of taking a diplomacy card, less that of the one given back for it (B7.5)."""
    if w.ask_seat < 0:
        return g.weights[p, weights.DIPLOMACY]
    held = 0
    lost = weights.OUT_OF_THE_QUESTION
    for k in range(r.n_diplomacy):
        if g.diplomacy[w.ask_seat, k] == p:
            held += 1
            lost = min(lost, diplomacy_worth(r, g, p, w.ask_seat, k))
    new_giver = int(g.notes[p, plan.NEED_GIVER]) if held == 0 else 0
    return diplomacy_worth(r, g, p, w.ask_seat, c) + new_giver - (lost if held >= card_limit(r, g, p, w.ask_seat) else 0)


@jit
def piece_option_worth(r, g, w, p, kind, v):
    """Worth of an option about spaces and the pieces on them."""
    if kind == decisions.PLACE_TOKEN:
        return token_worth(r, g, p, v)
    if kind == decisions.TAKE_OFF or kind == decisions.YIELD_TOKEN:
        return -loss_worth(r, g, p, v)
    if kind == decisions.MOVE_TOKEN:
        return token_worth(r, g, p, v % 256) - prize_worth(r, g, p, v // 256) - loss_worth(r, g, p, v // 256)
    if kind == decisions.RIVAL_TOKEN or kind == decisions.NAME_TOKEN:
        return rival_token_worth(r, g, w, p, v)
    if kind == decisions.STRIKE:
        return strike_worth(r, g, p, v)
    if kind == decisions.INDUSTRY:
        return industry_worth(r, g, w, p, v)
    if kind == decisions.WONDER_CITY:
        return shelter_worth(r, g, p, v)
    if kind == decisions.REINFORCE:
        return reinforce_worth(r, g, p, v)
    if kind == decisions.ATTACK:
        barbarian = 1 if v >= decisions.BARBARIAN_OPTION else 0
        return attack_value(r, g, w, p, w.ask_holder, w.ask_slot, v - barbarian * decisions.BARBARIAN_OPTION, barbarian)
    if kind == decisions.SEOUL_MOVE:
        return threat(g, p, int(g.barbarian_space[v // 256])) - threat(g, p, v % 256)
    return 0


@jit
def other_option_worth(r, g, w, p, kind, v):
    """Worth of an option about cards, trade tokens, resources and diplomacy."""
    if kind == decisions.GAIN_RESOURCE:
        return int(g.notes[p, plan.RESOURCE_WORTH + v]) - 2 * int(g.resources[p, v])
    if kind == decisions.SWAP_RESOURCE:
        return int(g.notes[p, plan.RESOURCE_WORTH + v % 8]) - int(g.notes[p, plan.RESOURCE_WORTH + v // 8])
    if kind == decisions.PLACE_TRADE:
        return holder_worth(r, g, p, v)
    if kind == decisions.LOSE_TRADE:
        return -holder_worth(r, g, p, v)
    if kind == decisions.LOOT:
        return int(g.trade[w.ask_seat, v])
    if kind == decisions.NATURAL_WONDER_CARD:
        return type_worth(r, g, p, v)
    if kind == decisions.PAY:
        return payment_worth(r, g, w, p, v)
    if kind == decisions.TAKE_DIPLOMACY:
        return diplomacy_gain(r, g, w, p, v)
    if kind == decisions.RETURN_DIPLOMACY:
        return -diplomacy_worth(r, g, p, w.ask_seat, v)
    if kind == decisions.POTALA:
        return diplomacy_worth(r, g, p, v // 8, v % 8)
    if kind == decisions.GENEVA_SWAP:
        return diplomacy_worth(r, g, p, v // 64, v % 8) - diplomacy_worth(r, g, p, v // 64, v // 8 % 8)
    if kind == decisions.SWAP_CARDS:
        return swap_worth(r, g, p, v // 8, v % 8)
    if kind == decisions.MILITARY:
        return military_worth(r, g, w, p, v)
    if kind == decisions.OTHER_CARD:
        h = int(g.row[p, v])
        slot = acting_as_if(r, g, p, h, int(w.ask_slot))
        return card_worth(r, g, w, p, h, slot, slot) - g.weights[p, weights.EXTRA_CARD_WORTH]
    if kind == decisions.EXTRA_ECONOMY and v > 0:
        h, slot = int(w.ask_holder), int(w.ask_slot)
        if v >= decisions.EXTRA_OTHER:
            h = v - decisions.EXTRA_OTHER
            slot = int(slot_in_place(r, g, p, int(place_of(r, g, p, h))))
        return card_worth(r, g, w, p, h, slot, slot) - g.weights[p, weights.EXTRA_CARD_WORTH]
    if kind == decisions.GIVE_TRADE:
        return gift_worth(r, g, w, p, v)
    if kind == decisions.START_EFFECT or kind == decisions.CARAVAN:
        return 1
    if (kind == decisions.REPEAT_CARD or kind == decisions.SCIENCE) and v == 1:
        return 1
    return 0


@jit
def pass_worth(g, w, p, kind):
    """Worth of passing: what an option has to beat. Free gains are never passed."""
    if kind == decisions.PLACE_TOKEN:
        return NOTHING if w.ask_cost == 0 else g.weights[p, weights.TOKEN_FOR_TRADE]
    if kind == decisions.TAKE_OFF:
        if w.ask_source == decisions.SOURCE_CONQUEST:
            return NOTHING  # what was conquered is worth more than the least of the own tokens
        return -g.weights[p, weights.TAKE_OFF_LIMIT]
    if kind == decisions.MOVE_TOKEN:
        return g.weights[p, weights.MOVE_MARGIN]
    return 0


@jit
def choose_best(r, g, w, p, kind, n, but):
    """Return the index of the option of the highest worth, the first if several are equal; PASS must be beaten.

    `but`: an index that is out of the question (-1: none).
    """
    pieces = OF_PIECES[kind]
    best = n - 1
    best_worth = NOTHING - 1
    if w.option[n - 1] == decisions.PASS:
        best_worth = pass_worth(g, w, p, kind)
        n -= 1
    for k in range(n):
        if k == but:
            continue
        v = int(w.option[k])
        worth = piece_option_worth(r, g, w, p, kind, v) if pieces else other_option_worth(r, g, w, p, kind, v)
        if worth > best_worth:
            best = k
            best_worth = worth
    return best


@jit
def plan_is_old(g, p):
    """Must the seat make a plan: at the first decision of its own turn, and before its first turn?"""
    stamp = int(g.notes[p, plan.STAMP])
    return stamp == 0 or (g.current == p and stamp != g.turn + 1)


@strategy
def choose_planner(r, g, w, seat, kind, n, u):
    """Choose an option as the module docstring says."""
    if kind == decisions.PLACE_TILE:
        return choose_tile_place(r, g, w, seat, n, u)
    if kind == decisions.LAY_TILE:
        for k in range(n):
            if r.tile_kind[w.option[k] - 1] == CAPITAL_TILE:
                return k
        return 0
    if kind == decisions.PLACE_FORT:
        return below_bits(u, n)
    if plan_is_old(g, seat):
        make_plan(r, g, w, seat)
    if kind == decisions.CARD:
        return choose_card(r, g, w, seat, n)
    if kind == decisions.UPGRADE:
        return choose_upgrade(r, g, w, seat, n)
    if kind == decisions.SPEND_TRADE:
        return choose_spending(r, g, w, seat, n)
    if kind == decisions.CARAVAN_TO:
        return choose_caravan_space(r, g, w, seat, n) if r.box == names.TI_BOX else choose_destination(r, g, w, seat, n)
    if decisions.OF_EXPANSION[kind] and r.box == names.TI_BOX:
        return choose_expansion(r, g, w, seat, kind, n)
    return choose_best(r, g, w, seat, kind, n, -1)


# --- Why the planner chose: the worths of its options, for readers of a replay (`strategies.explained_choices`)
#
# `choose_planner_explained` records the options and their worths in ``w.asked`` and then chooses as the planner does.

MOST_OPTIONS = 64  # of one decision; a choice among more is not explained


@jit
def compares_worths(kind):
    """Does the planner answer this kind of decision by the highest worth?"""
    return (
        kind != decisions.PLACE_TILE
        and kind != decisions.LAY_TILE
        and kind != decisions.UPGRADE
        and kind != decisions.SPEND_TRADE
        and kind != decisions.CARAVAN_TO
    )


@jit
def is_explained(kind, n):
    """Are the worths of a choice among `n` options recorded?"""
    return compares_worths(kind) and n <= MOST_OPTIONS


@jit
def is_card(kind, v):
    """Is the option `v` a place of the row whose card would be resolved?"""
    return kind == decisions.CARD or (kind == decisions.OTHER_CARD and v != decisions.PASS)


@jit
def option_worth(r, g, w, p, kind, v):
    """Return the worth by which the planner compares the option `v` of a decision of this kind with the others."""
    if kind == decisions.CARD:
        return card_score(r, g, w, p, v)
    if v == decisions.PASS:
        return pass_worth(g, w, p, kind)
    if OF_PIECES[kind]:
        return piece_option_worth(r, g, w, p, kind, v)
    return other_option_worth(r, g, w, p, kind, v)


@jit
def keep_worths(r, g, w, seat, kind, n):
    """Record a decision in `w.asked` (kind, seat, number of options, where they begin) and `w.asked_options`.

    There each option has its value, its worth and its subject: the card for a choice of card, else the space of the decision
    (-1: none).
    """
    if w.asked_n >= state.MAX_ASKED or w.asked_options_n + 3 * n > state.MAX_ASKED * 16:
        return
    if plan_is_old(g, seat):
        make_plan(r, g, w, seat)
    w.asked[w.asked_n, 0] = kind
    w.asked[w.asked_n, 1] = seat
    w.asked[w.asked_n, 2] = n
    w.asked[w.asked_n, 3] = w.asked_options_n
    w.asked_n += 1
    for k in range(n):
        v = int(w.option[k])
        w.asked_options[w.asked_options_n] = v
        w.asked_options[w.asked_options_n + 1] = option_worth(r, g, w, seat, kind, v)
        w.asked_options[w.asked_options_n + 2] = int(g.card[seat, g.row[seat, v]]) if is_card(kind, v) else int(w.ask_space)
        w.asked_options_n += 3


@strategy
def choose_planner_explained(r, g, w, seat, kind, n, u):
    """Choose as `choose_planner` does, and record the worths of the options."""
    if is_explained(kind, n):
        keep_worths(r, g, w, seat, kind, n)
    return choose_planner(r, g, w, seat, kind, n, u)


# --- Search: the planner's choice of a card, checked by playing the rest of the game out many times
#
# At the choice of its card the seat copies the game for every simulation and lets planners play on for some rounds; the
# planner's estimates of everybody's turns to the win give its prospects. The cards rated highest are tried, with the planner's
# best use of each and with its second best first step (another space for the city or the token, another target …).
# Simulations are shared out by sequential halving (Karnin, Koren, Somekh: "Almost optimal exploration in multi-armed bandits",
# ICML 2013); the n-th simulations of all candidates use the same dice, and the planner's own choice is kept unless another is
# clearly better.
#
# It uses only what a player knows: dice are thrown again, hidden world wonders shuffled again, rivals are planners with its own
# weights. The weights `simulations` and `simulated_rounds` hold the number of simulations a turn and their length. Slow: to
# check what the planner misses, not for millions of games.

USES = 2  # the planner's best use of a card, and its second best
CARDS = 3  # so many cards are tried
HALVINGS = 3
SCALE = 1000  # prospects of a won game
EVEN_TURNS = 300.0  # turns (in hundredths) by which one has to be ahead for odds of e to 1
CLEARLY = 1.0  # standard errors
GAME, WORKSPACE, SEATS = record_dtype(state.STATE), record_dtype(state.WORK), record_dtype(BOTS)
SEED_SHIFT = np.uint64(1)

declare_parameters(__name__, candidates=types.int64[::1], alive=types.int64[::1], gain=types.float64[::1])


@jit
def is_first_step(kind):
    """Is this a decision that gives the use of a card its direction?"""
    return (
        kind == decisions.PLACE_TOKEN
        or kind == decisions.INDUSTRY
        or kind == decisions.MILITARY
        or kind == decisions.ATTACK
        or kind == decisions.REINFORCE
    )


@strategy
def choose_use(r, g, w, seat, kind, n, u):
    """Play like the planner, but take its second best option at the first step of a turn whose notes say so."""
    best = choose_planner(r, g, w, seat, kind, n, u)
    if g.notes[seat, plan.SECOND_STEP] == 0 or g.current != seat or not is_first_step(kind):
        return best
    if g.notes[seat, plan.SECOND_AT] == 0:
        g.notes[seat, plan.SECOND_AT] = g.stat_decisions
    if g.notes[seat, plan.SECOND_AT] != g.stat_decisions:
        return best
    return choose_best(r, g, w, seat, kind, n, best)


use_address = address_in_code(choose_use)


@jit
def shuffle_hidden(r, g):
    """Shuffle the unseen world wonders, those in the box too (B2.5)."""
    hidden = np.empty(names.MAX_WONDERS, np.int64)
    for kind in range(names.N_TYPES):
        for era in range(len(names.ERAS)):
            n = 0
            for wonder in range(r.n_wonders):
                unseen = g.wonder_place[wonder] == state.WONDER_DECK or g.wonder_place[wonder] == state.WONDER_BOX
                if unseen and r.wonder_available[wonder] != 0 and r.wonder_type[wonder] == kind and r.wonder_era[wonder] == era:
                    hidden[n] = wonder
                    n += 1
            for k in range(face_up_end(r, g, kind), g.deck_size[kind]):
                if r.wonder_era[g.deck[kind, k]] == era and n > 0:
                    pick = below(g, state.STREAM_WONDERS, n)
                    g.wonder_place[g.deck[kind, k]] = state.WONDER_BOX
                    g.deck[kind, k] = hidden[pick]
                    n -= 1
                    hidden[pick] = hidden[n]
        for k in range(face_up_end(r, g, kind), g.deck_size[kind]):
            g.wonder_place[g.deck[kind, k]] = state.WONDER_DECK


@jit
def shuffle_tiles(g):
    """Shuffle the unseen tiles of the stack (T7.1)."""
    for k in range(int(g.stack_n) - 1, 0, -1):
        pick = below(g, state.STREAM_MAP, k + 1)
        tile = g.stack[k]
        g.stack[k] = g.stack[pick]
        g.stack[pick] = tile


@jit
def prepare(r, g, seat, key):
    """Make the copy a game as the seat imagines it: other dice, other hidden cards and tiles, planners on all seats."""
    seed_streams(g, key, 0)
    shuffle_hidden(r, g)
    shuffle_tiles(g)
    for p in range(names.MAX_PLAYERS):
        if p != seat:
            for k in range(g.weights.shape[1]):
                g.weights[p, k] = g.weights[seat, k]
            for k in range(g.notes.shape[1]):
                g.notes[p, k] = 0


@jit
def turns_left(r, g, w, p):
    """Return how many turns seat `p` still needs by the planner's estimate: the quicker agenda of each card to claim."""
    turns = 0
    for i in range(g.victory_count):
        need = 0
        if g.claimed[p, i] == 0:
            need = min(claim_turns(r, g, w, p, i, 0), claim_turns(r, g, w, p, i, 1))
        w.claim_turns[i] = need
        turns += need
    for _ in range(r.claims_spared):  # nobody goes for the slowest cards if house rules spare some
        slowest = 0
        for i in range(g.victory_count):
            slowest = i if w.claim_turns[i] > w.claim_turns[slowest] else slowest
        turns -= int(w.claim_turns[slowest])
        w.claim_turns[slowest] = 0
    return turns


@jit
def prospects(r, g, w, seat):
    """Return the seat's chance to win as the planner's estimates have it, 0 … SCALE: the softmax of the turns left."""
    total = 0.0
    mine = 0.0
    for p in range(g.players):
        chance = exp(-turns_left(r, g, w, p) / EVEN_TURNS)
        total += chance
        if p == seat:
            mine = chance
    return int(SCALE * mine / total)


@jit
def play_out(r, g, w, bots, seat, holder):
    """Play on from the choice of the card for some rounds; return the seat's chance to win then, 0 … SCALE."""
    last = int(g.round_number) + int(g.weights[seat, weights.SIMULATED_ROUNDS])
    play_card(r, g, w, bots, seat, holder)
    g.current = (g.current + 1) % g.players
    while g.round_number <= last and play_step(r, g, w, bots) != 0:
        pass
    if g.ending != names.VICTORY:
        return prospects(r, g, w, seat)
    winners = 0
    for p in range(g.players):
        winners += g.winner[p]
    return SCALE * g.winner[seat] // winners


@jit
def list_candidates(r, g, w, seat, places, candidates):
    """List what is tried, as place of the row * USES + use: the cards the planner rates highest, all but the last both ways."""
    n = 0
    tried = np.zeros(names.MAX_SLOTS, np.int64)
    for rank in range(min(places, CARDS)):
        best = -1
        best_score = 0
        for place in range(places):
            if tried[place] == 0:
                score = card_score(r, g, w, seat, place)
                if best < 0 or score > best_score:
                    best = place
                    best_score = score
        tried[best] = 1
        for use in range(USES if rank < CARDS - 1 else 1):
            candidates[n] = best * USES + use
            n += 1
    return n


@jit
def drop_worst(gain, alive, n, many):
    """Take the worst candidates, but never the planner's own, out of the search; return how many."""
    for k in range(many):
        worst = -1
        for c in range(1, n):
            if alive[c] != 0 and (worst < 0 or gain[c] < gain[worst]):
                worst = c
        if worst < 0:
            return k
        alive[worst] = 0
    return many


@jit
def best_candidate(r, g, w, seat, places, u):
    """Return the candidate (`list_candidates`) with the best prospects, the planner's own choice if none is clearly better."""
    candidates = np.zeros(names.MAX_SLOTS * USES, np.int64)
    n = list_candidates(r, g, w, seat, places, candidates)
    games = np.zeros(1, GAME)
    work = np.zeros(1, WORKSPACE)
    bots = np.zeros(1, SEATS)
    for p in range(names.MAX_PLAYERS):
        bots[0].address[p] = use_address()
    bots[0].observer = -1
    gain = np.zeros(n)  # sums over the simulations, against the planner's own choice
    square = np.zeros(n)
    alive = np.ones(n, np.int64)
    left = n
    done = 0
    rounds = HALVINGS
    for halving in range(rounds):
        each = max(2, int(g.weights[seat, weights.SIMULATIONS]) // (rounds * left))
        for k in range(done, done + each):
            key = np.int64(mix(u + np.uint64(k)) >> SEED_SHIFT)
            own = 0
            for c in range(n):
                if alive[c] != 0:
                    games[0] = g
                    prepare(r, games[0], seat, key)
                    games[0].notes[seat, plan.SECOND_STEP] = candidates[c] % USES
                    games[0].notes[seat, plan.SECOND_AT] = 0
                    chance = play_out(r, games[0], work[0], bots[0], seat, int(g.row[seat, candidates[c] // USES]))
                    if c == 0:
                        own = chance
                    gain[c] += chance - own
                    square[c] += (chance - own) * (chance - own)
        done += each
        if halving < rounds - 1:
            left -= drop_worst(gain, alive, n, left // 2)
    best = 0
    for c in range(1, n):
        spread = np.sqrt(max(0.0, square[c] - gain[c] * gain[c] / done))
        if alive[c] != 0 and gain[c] > max(gain[best], CLEARLY * spread):
            best = c
    return candidates[best]


@strategy
def choose_search(r, g, w, seat, kind, n, u):
    """Choose a card by simulation and everything else as the planner does."""
    if kind == decisions.CARD and g.weights[seat, weights.SIMULATIONS] > 0:
        choose_planner(r, g, w, seat, kind, n, u)  # makes the plan of the turn
        best = best_candidate(r, g, w, seat, n, u)
        g.notes[seat, plan.SECOND_STEP] = best % USES
        g.notes[seat, plan.SECOND_AT] = 0
        return best // USES
    return choose_use(r, g, w, seat, kind, n, u)
