"""Playing games into rows: dealing leaders, a batch of games, the rows of finished games."""

from __future__ import annotations

import numba
from numba import literal_unroll, types

from .. import names
from ..engine import state
from ..engine.choosing import LOG_LEADER, LOG_LEADER_BANNED, below, clear_question, log, seed_streams
from ..engine.compile.argument_types import declare_parameters
from ..engine.compile.jit import expansion, jit
from ..engine.map import is_fort, is_token
from ..engine.pieces import mature_cities, reinforced_tokens, wonder_held
from ..engine.setup import first_to_be, start_game
from ..engine.turn import play_game
from ..engine.winning import score
from .columns import AGENDA_ROW, COUNTER_ARRAYS, COUNTERS, GAME_ROW, SEAT_ROW, SEATING, WONDER_ROW

# --- Leaders (B2.1): dealt by lot; by house rules also banned first, and chosen from several dealt or from all left
#
# House rules use a random stream of their own: maps, decks and strategies stay those of the printed rules on the same seed, and
# so does the first leader dealt to each seat unless somebody bans it.

NO_LEADER = -1

declare_parameters(__name__, seating=numba.from_dtype(SEATING))


@jit
def is_banned(r, g, leader):
    """Has anyone banned the leader?"""
    for seat in range(g.players):
        for k in range(r.leader_bans):
            if g.leader_ban[seat, k] == leader:
                return True
    return False


@jit
def is_left(r, g, leader):
    """Can the leader still be dealt, banned or chosen?"""
    for seat in range(g.players):
        for k in range(r.leaders_dealt):
            if g.leader_offer[seat, k] == leader:
                return False
    return not is_banned(r, g, leader)


@jit
def draw_leader(r, g, seating, stream, by_rank):
    """Return a leader drawn from those left; with `by_rank` 1 from those ranked highest."""
    best, n = 0, 0
    for pick in range(seating.n_leaders):
        leader = int(seating.leaders[pick])
        rank = int(r.leader_rank[leader]) * by_rank
        if is_left(r, g, leader) and (n == 0 or rank <= best):
            n = n + 1 if rank == best else 1
            best = rank
    left = below(g, stream, n)
    for pick in range(seating.n_leaders):
        leader = int(seating.leaders[pick])
        if is_left(r, g, leader) and int(r.leader_rank[leader]) * by_rank == best:
            if left == 0:
                return leader
            left -= 1
    return NO_LEADER


@jit
def ban_leaders(r, g, w, seating):
    """Let everyone in turn order ban the highest ranked leader left, as many times as the rules say."""
    first = first_to_be(r, g)
    for seat in range(g.players):
        g.leader_offer[seat, 0] = NO_LEADER
    for k in range(r.leader_bans):
        for place in range(g.players):
            seat = (first + place) % int(g.players)
            leader = draw_leader(r, g, seating, state.STREAM_DEAL, 1)
            g.leader_ban[seat, k] = leader
            log(w, LOG_LEADER_BANNED, seat, leader, 0, 0, 0, 0)
    for seat in range(g.players):
        if not is_banned(r, g, g.leader[seat]):
            g.leader_offer[seat, 0] = g.leader[seat]


@jit
def choose_leader(r, g, seat):
    """Return which of its leaders the seat plays: one by lot, or the one ranked highest."""
    if r.leader_choice == names.CHOICE_RANDOM:
        return below(g, state.STREAM_DEAL, r.leaders_dealt)
    best = 0
    for k in range(1, r.leaders_dealt):
        if r.leader_rank[g.leader_offer[seat, k]] < r.leader_rank[g.leader_offer[seat, best]]:
            best = k
    return best


@jit
def deal_more_leaders(r, g, w, seating):
    """Deal every seat the leaders that it lacks, and let it play one of them.

    All are dealt before anyone chooses: nobody gets a leader that another declined.
    """
    for deal in range(r.leaders_dealt):
        for seat in range(g.players):
            if g.leader_offer[seat, deal] == NO_LEADER:
                g.leader_offer[seat, deal] = draw_leader(r, g, seating, state.STREAM_DEAL, 0)
    for seat in range(g.players):
        g.leader[seat] = g.leader_offer[seat, choose_leader(r, g, seat)]
        log(w, LOG_LEADER, seat, g.leader[seat], 0, 0, 0, 0)


@jit
def draft_leaders(r, g, w, seating):
    """Let everyone in turn take a leader from those left: the one ranked highest, or one by lot."""
    players = int(g.players)
    first = first_to_be(r, g)
    for seat in range(players):
        g.leader_offer[seat, 0] = NO_LEADER
    for place in range(players):
        nth = place if r.pick_order == names.IN_TURN_ORDER else players - 1 - place
        seat = (first + nth) % players
        g.leader_offer[seat, 0] = draw_leader(r, g, seating, state.STREAM_DEAL, int(r.leader_choice == names.CHOICE_RANKING))
        g.leader[seat] = g.leader_offer[seat, 0]
        log(w, LOG_LEADER, seat, g.leader[seat], place + 1, 0, 0, 0)


@jit
def give_leaders(r, g, w, seating, game):
    """Give each seat its leader: from the line-up, which rotates over the seats, or drawn from the pool."""
    players = int(g.players)
    for seat in range(players):
        for k in range(r.leaders_dealt):
            g.leader_offer[seat, k] = NO_LEADER
        for k in range(r.leader_bans):
            g.leader_ban[seat, k] = NO_LEADER
    for seat in range(players):
        g.leader[seat] = seating.leaders[(seat + game) % players]
        if seating.leaders_drawn != 0:
            g.leader[seat] = draw_leader(r, g, seating, state.STREAM_LEADERS, 0)
        g.leader_offer[seat, 0] = g.leader[seat]
    if seating.leaders_drawn == 0:
        return
    if r.leader_bans > 0:
        ban_leaders(r, g, w, seating)
    if r.leader_source == names.FROM_ALL_LEFT:
        draft_leaders(r, g, w, seating)
    elif r.leaders_dealt > 1 or r.leader_bans > 0:
        deal_more_leaders(r, g, w, seating)


# --- Playing a batch of games without returning to Python, and reading the rows off each finished game

PARAMETERS = {
    "library": types.int64[::1],
    "opinions": types.int32[:, :, ::1],
    "seating": numba.from_dtype(SEATING),
    "states": numba.from_dtype(state.STATE)[::1],
    "game_rows": numba.from_dtype(GAME_ROW)[::1],
    "seat_rows": numba.from_dtype(SEAT_ROW)[::1],
    "wonder_rows": numba.from_dtype(WONDER_ROW)[::1],
    "agenda_rows": numba.from_dtype(AGENDA_ROW)[::1],
}
declare_parameters(__name__, **PARAMETERS)


@jit
def seat_players(r, g, w, opinions, seating, seat_rows, row, game):
    """Give each seat of the game its leader, its strategy and the weights; the seats' rows begin at `row`.

    Line-ups rotate: seat s of game k has entry (s + k) modulo the number of players, so that leaders and strategies
    that are both given as line-ups move together and everyone sits everywhere equally often. Leaders are drawn before
    strategies: another strategy pool leaves the leaders alone.
    """
    players = int(g.players)
    give_leaders(r, g, w, seating, game)
    for seat in range(players):
        seat_rows[row + seat].leader = g.leader[seat]
        pick = (seat + game) % players
        if seating.strategies_drawn != 0:
            pick = below(g, state.STREAM_LEADERS, seating.n_strategies)
        seat_rows[row + seat].strategy = seating.strategies[pick]
        for k in range(names.WEIGHTS):
            g.weights[seat, k] = opinions[seating.strategies[pick], g.leader[seat], k]


@jit
def forget(w):
    """Clear what the last game left in the workspace, so that no game can depend on the one before it."""
    clear_question(w)
    w.memo_seat = -1
    w.script_pos = 0
    w.fault_n = 0
    w.dist[:, :] = 0
    w.queue[:] = 0
    w.mark[:] = 0


@jit
def read_game(g, game_rows, row, game):
    """Fill the game's own row and return the number of winners."""
    game_rows[row].game_id = game
    game_rows[row].decisions = g.stat_decisions
    game_rows[row].turns = g.turn
    game_rows[row].rounds = g.round_number
    game_rows[row].map_spaces = g.n_spaces
    game_rows[row].ending = g.ending
    game_rows[row].first_seat = g.opened
    game_rows[row].core_side = g.core_side
    game_rows[row].treated_seat = g.treated_seat
    game_rows[row].treated = g.treated
    winners = 0
    for seat in range(g.players):
        won = g.ending == names.VICTORY and g.winner[seat] != 0
        game_rows[row].winner[seat] = 1 if won else 0
        winners += 1 if won else 0
    for place in range(names.MAX_IN_PLAY):
        game_rows[row].card[place] = g.victory_card[place] if place < g.victory_count else -1
    return winners


@jit
def wonder_owner(g, wonder):
    """Return the seat that controls a wonder at the end (B8.7), -1 if nobody does."""
    if g.wonder_place[wonder] != state.WONDER_BUILT or g.wonder_space[wonder] < 0:
        return -1
    return g.owner[g.wonder_space[wonder]]


@jit
def read_holdings(r, g, seat_rows, row, seat):
    """Count what the seat holds at the end: on the map, on its cards and beside the map."""
    tokens = 0
    for space in range(g.n_spaces):
        if g.owner[space] == seat and is_token(g, space):
            tokens += 1
    natural = 0
    for i in range(r.n_natural_wonders):
        natural += 1 if g.natural_wonder_owner[i] == seat else 0
    conquered = 0
    cards = 0
    for i in range(r.n_city_states):
        conquered += 1 if g.city_state_owner[i] == seat else 0
        cards += 1 if g.city_state_cards[i, seat] != 0 else 0
    for giver in range(g.players):
        for card in range(names.MAX_DIPLOMACY):
            cards += 1 if giver != seat and card < r.n_diplomacy and g.diplomacy[giver, card] == seat else 0
    resources = 0
    for i in range(names.N_RESOURCES):
        resources += g.resources[seat, i]
    trade = 0
    for holder in range(names.N_TYPES):
        trade += g.trade[seat, holder]
    seat_rows[row].tokens = tokens
    seat_rows[row].reinforced_tokens = reinforced_tokens(g, seat)
    seat_rows[row].cities = g.city_count[seat]
    seat_rows[row].mature_cities = mature_cities(r, g, seat)
    seat_rows[row].wonders = wonder_held(r, g, seat, -1)
    seat_rows[row].natural_wonders = natural
    seat_rows[row].city_states = conquered
    seat_rows[row].diplomacy_cards = cards
    seat_rows[row].resources = resources
    seat_rows[row].trade_left = trade
    seat_rows[row].dial = g.dial[seat]


@jit
def read_counters(g, seat_rows, row, seat):
    """Copy all counters of the game's record for the seat."""
    for counter in literal_unroll(COUNTERS):
        seat_rows[row][counter] = g[counter][seat]
    for counter in literal_unroll(COUNTER_ARRAYS):
        seat_rows[row][counter][:] = g[counter][seat]


@expansion
def read_expansion(r, g, seat_rows, row, seat) -> None:
    """Fill the part of a seat's row that only Terra Incognita has."""
    held = 0
    for district in range(names.N_DISTRICTS):
        held += 1 if g.district_space[seat, district] >= 0 else 0
    armies = 0
    for a in range(names.MAX_ARMIES):
        armies += 1 if g.army[seat, a] >= 0 else 0
    forts = 0
    for k in range(g.city_count[seat]):
        forts += 1 if is_fort(g, g.cities[seat, k]) else 0
    seat_rows[row].districts = held
    seat_rows[row].armies_out = armies
    seat_rows[row].forts = forts
    seat_rows[row].government = g.government_type[seat] if g.government[seat] >= 0 else -1
    seat_rows[row].unique_card_round = g.unique_round[seat]


@jit
def read_seat(r, g, seat_rows, row, seat, game, winners):
    """Fill the row of one seat, but for leader and strategy, which were set when it was seated."""
    seat_rows[row].game_id = game
    seat_rows[row].seat = seat
    seat_rows[row].order = (seat - g.opened + g.players) % g.players + 1
    seat_rows[row].won = 0.0
    if winners > 0 and g.winner[seat] != 0:
        seat_rows[row].won = 1.0 / winners
    agendas = 0
    for place in range(g.victory_count):
        agendas += 1 if g.claimed[seat, place] != 0 else 0
    seat_rows[row].agendas = agendas
    seat_rows[row].points = score(r, g, seat) if r.scored != 0 else 0
    read_holdings(r, g, seat_rows, row, seat)
    seat_rows[row].capitals_beaten = g.capitals_beaten[seat]
    read_counters(g, seat_rows, row, seat)
    if r.box == names.TI_BOX:
        read_expansion(r, g, seat_rows, row, seat)


@jit
def read_outcome(r, g, game_rows, seat_rows, k, row, game):
    """Fill the row of the game, the `k`-th, and those of its seats, from `row` on."""
    winners = read_game(g, game_rows, k, game)
    for seat in range(g.players):
        read_seat(r, g, seat_rows, row + seat, seat, game, winners)


@jit
def read_wonders(r, g, wonder_rows, row, game):
    """Fill a row for every wonder of the ruleset, in the deck or not; return the row after the last."""
    for wonder in range(r.n_wonders):
        if r.wonder_available[wonder] != 0:
            built = g.wonder_round_built[wonder] > 0
            wonder_rows[row].game_id = game
            wonder_rows[row].wonder = wonder
            wonder_rows[row].in_deck = 0
            for kind in range(names.N_TYPES):
                for i in range(g.deck_size[kind]):
                    if g.deck[kind, i] == wonder:
                        wonder_rows[row].in_deck = 1
            # Face-up wonders of the set-up count as round 1.
            seen = built or g.wonder_place[wonder] == state.WONDER_FACE_UP
            left = g.wonder_place[wonder] == state.WONDER_BOX and g.wonder_round_revealed[wonder] > 0  # T9.2
            wonder_rows[row].round_revealed = max(1, g.wonder_round_revealed[wonder]) if seen or left else 0
            wonder_rows[row].round_built = g.wonder_round_built[wonder]
            wonder_rows[row].builder = g.wonder_builder[wonder] if built else -1
            wonder_rows[row].owner = wonder_owner(g, wonder)
            wonder_rows[row].captures = g.wonder_captures[wonder]
            row += 1
    return row


@jit
def read_agendas(r, g, agenda_rows, row, game):
    """Fill a row for every claim; return the row after the last."""
    for seat in range(g.players):
        for place in range(g.victory_count):
            which = g.claimed[seat, place]
            if which != 0:
                card = g.victory_card[place]
                agenda_rows[row].game_id = game
                agenda_rows[row].seat = seat
                agenda_rows[row].card = card
                agenda_rows[row].agenda = r.agenda_name[card, which - 1]
                agenda_rows[row].round = g.claimed_round[seat, place]
                row += 1
    return row


@jit
def open_game(r, w, bots, states, library, opinions, seating, seat_rows, row, game, seed, players, round_cap):
    """Set a game up in ``states[0]``, from the blank one behind it, with its seats and their strategies (`play_batch`)."""
    states[0] = states[1]
    g = states[0]
    forget(w)
    seed_streams(g, seed, game)
    g.players = players
    g.round_cap = round_cap
    seat_players(r, g, w, opinions, seating, seat_rows, row, game)
    for seat in range(players):
        bots.address[seat] = library[seat_rows[row + seat].strategy]
    start_game(r, g, w, bots)


@jit
def play_batch(
    r,
    w,
    bots,
    states,
    library,
    opinions,
    seating,
    game_rows,
    seat_rows,
    wonder_rows,
    agenda_rows,
    seed,
    first_game,
    n,
    players,
    round_cap,
):
    """Play the games first_game … first_game + n - 1 and fill their rows; return the number of agenda rows.

    After a game with an illegal answer (``w.fault_…``) it stops and returns -1 less the place of the game in the batch.

    `library` holds the addresses of the strategies (engine/compile/jit.py), `opinions` their weights by leader, `bots` is
    filled anew for each game, and `states` is an array of two games: the first is played on, the second is blank, but for the
    treatment of a randomised experiment (engine/treatment.py). A game depends on the rules, the seating, the strategies'
    weights, the seed and its own number only. `wonder_rows` holds one row a game for each available wonder.
    """
    wonder_row = 0
    agenda_row = 0
    for k in range(n):
        game = first_game + k
        row = k * players
        open_game(r, w, bots, states, library, opinions, seating, seat_rows, row, game, seed, players, round_cap)
        g = states[0]
        play_game(r, g, w, bots)
        if w.fault_n != 0:
            return -1 - k
        read_outcome(r, g, game_rows, seat_rows, k, row, game)
        wonder_row = read_wonders(r, g, wonder_rows, wonder_row, game)
        agenda_row = read_agendas(r, g, agenda_rows, agenda_row, game)
    return agenda_row
