"""The whole game as one record, and the workspace beside it.

`STATE` is the game: copy it and you have copied the game, compare two byte by byte and you have compared the games.
`WORK` is scratch space of the process that plays (options of the current decision, search queues, logs); the rules take nothing
in it from one decision to the next, so it is never part of a game.
"""

from __future__ import annotations

import numpy as np

from .. import counters, names
from ..rules import codes
from . import decisions

# Random streams (choosing.py): each has its own generator, so that a changed rule does not change the draws of others.
STREAMS = (
    "leaders", "map", "wonders", "victory", "first_player", "dice", "bot0", "bot1", "bot2", "bot3", "bot4", "deal", "treatment",
)  # fmt: skip
STREAM_LEADERS, STREAM_MAP, STREAM_WONDERS, STREAM_VICTORY, STREAM_FIRST, STREAM_DICE, STREAM_BOT = range(7)
STREAM_DEAL, STREAM_TREATMENT = 11, 12

ON_CARD = -1  # a caravan waiting on its economy card, an army on its military card
NOT_OWNED = -2  # a figure not yet in the game

# Where a wonder is.
WONDER_BOX, WONDER_DECK, WONDER_FACE_UP, WONDER_BUILT = range(4)

NOTES = 76  # numbers that a strategy may note for its seat

STATE = np.dtype(
    [
        ("rng", "u8", (len(STREAMS),)),
        # --- course of the game
        ("players", "i1"),
        ("first", "i1"),  # seat of the first player
        ("opened", "i1"),  # seat of the first player of round 1: by house rules another one follows
        ("current", "i1"),  # seat whose turn it is
        ("round_number", "i2"),  # 1 in the first round; "round" is a method of NumPy records
        ("turn", "i4"),  # turns begun so far
        ("in_turn", "i1"),  # 1 = within a turn, not between rounds
        ("round_cap", "i2"),
        ("event", "i1"),  # section index of the event dial
        ("ending", "i1"),  # names.ENDINGS
        ("winner", "i1", (names.MAX_PLAYERS,)),  # 1 = among the winners
        ("barbarian_die", "i1", (7,)),  # direction of each die face 1-6 (B2.4)
        # --- map; a space is an index below n_spaces
        ("core_side", "i1"),
        ("n_spaces", "i2"),
        ("axial_q", "i1", (names.MAX_SPACES,)),
        ("axial_r", "i1", (names.MAX_SPACES,)),
        ("neighbour", "i2", (names.MAX_SPACES, 6)),  # clockwise from east, -1 = off the map
        ("tile", "i1", (names.MAX_SPACES,)),  # tile number, 0 = water token in a hole
        ("terrain", "i1", (names.MAX_SPACES,)),
        ("coastal", "i1", (names.MAX_SPACES,)),  # 1 = next to water or on the map edge
        ("edge", "i1", (names.MAX_SPACES,)),  # 1 = on the map edge
        ("water_tokens", "i1"),  # left in the box
        ("tile_hand", "i1", (names.MAX_PLAYERS, 4)),  # tile numbers still to be laid, 0 = none
        # --- pieces on spaces
        ("owner", "i1", (names.MAX_SPACES,)),  # seat of the city or control token, -1 = none
        ("piece", "i1", (names.MAX_SPACES,)),  # names.PIECES
        ("resource", "i1", (names.MAX_SPACES,)),  # resource token lying there, -1 = none
        ("natural_wonder", "i1", (names.MAX_SPACES,)),  # natural wonder whose space it is, -1 = none
        ("city_state", "i1", (names.MAX_SPACES,)),  # city-state whose space it is, -1 = none (also when conquered)
        ("wonder_token", "i1", (names.MAX_SPACES,)),  # world wonder token lying there, -1 = none
        ("barbarians", "i1", (names.MAX_SPACES,)),  # barbarians there (two at once only while they move)
        ("caravans", "i1", (names.MAX_SPACES,)),  # caravans there, of all players
        ("taken", "i1", (names.MAX_SPACES,)),  # 1 = taken by an attack this turn (B9.3)
        # --- barbarians, by letter
        ("barbarian_space", "i2", (names.MAX_BARBARIANS,)),  # -1 = waiting off the map, -2 = not in the game
        ("barbarian_home", "i2", (names.MAX_BARBARIANS,)),
        # --- players
        ("leader", "i1", (names.MAX_PLAYERS,)),
        ("leader_offer", "i1", (names.MAX_PLAYERS, names.MAX_DEALT)),  # leaders dealt to the seat, or its own
        ("leader_ban", "i1", (names.MAX_PLAYERS, names.MAX_BANS)),  # leaders that the seat has banned
        ("dial", "i1", (names.MAX_PLAYERS,)),
        ("dial_reached", "i1", (names.MAX_PLAYERS,)),  # highest space ever reached
        ("row", "i1", (names.MAX_PLAYERS, names.MAX_SLOTS)),  # holder in each place from the left
        # A holder is a card's seat for the whole game: it moves along the row with its tokens while its card is upgraded.
        ("card", "i1", (names.MAX_PLAYERS, names.N_TYPES)),  # card code by holder, -1 = holder not in the game
        ("trade", "i1", (names.MAX_PLAYERS, names.N_TYPES)),  # trade tokens by holder
        ("resources", "i1", (names.MAX_PLAYERS, names.N_RESOURCES)),
        ("supply", "i1", (names.N_RESOURCES,)),
        ("tokens_left", "i1", (names.MAX_PLAYERS,)),
        ("cities_left", "i1", (names.MAX_PLAYERS,)),
        ("capital", "i2", (names.MAX_PLAYERS,)),  # space of the capital
        ("city_count", "i1", (names.MAX_PLAYERS,)),  # cities on the map, capital included
        ("cities", "i2", (names.MAX_PLAYERS, names.MAX_CITIES)),  # their spaces, the first city_count entries, capital first
        ("space_count", "i2", (names.MAX_PLAYERS,)),  # friendly spaces
        ("coast_count", "i2", (names.MAX_PLAYERS,)),  # friendly spaces next to water or on the map edge
        ("caravan", "i2", (names.MAX_PLAYERS, names.MAX_CARAVANS)),  # space, ON_CARD or NOT_OWNED
        ("caravan_home", "i1", (names.MAX_CARAVANS,)),  # 1 = of the current player, back on its card this turn (B7.4)
        ("caravan_steps", "i2"),  # of each caravan with the economy card being resolved, trade tokens spent included (B7.2)
        ("capitals_beaten", "i1", (names.MAX_PLAYERS,)),
        ("attacks_won_this_turn", "i1"),
        ("cards_replaced", "i1"),  # own cards that the current player has replaced in the row this turn
        ("arrived", "i1", (names.MAX_SPACES,)),  # caravans that arrived there this turn (B7.4)
        ("used_this_turn", "i1", (codes.N_USED,)),  # uses of a once-a-turn effect (codes.USED_*)
        # --- numbers of the abilities of leader, wonders and cards (abilities.py)
        ("stale", "i1"),  # bits of the seats for which a card or wonder changed hands since they were computed
        ("power", "i2", (names.MAX_PLAYERS, codes.N_POWERS)),  # by effect
        ("combat", "i2", (names.MAX_PLAYERS, 2, names.N_TARGETS, names.N_TERRAINS)),  # bonus by codes.SIDES, TARGET_*, terrain
        ("cost_change", "i2", (names.MAX_PLAYERS, names.N_TYPES, names.N_ERAS)),  # of world wonders, by type and era
        # difficulty in the own turn, by purpose, next to water, terrain
        ("ground", "i2", (names.MAX_PLAYERS, codes.N_DOINGS, 2, names.N_TERRAINS)),
        # place of the row from which cards act, by type and place
        ("acting_place", "i1", (names.MAX_PLAYERS, names.N_TYPES, names.MAX_SLOTS)),
        ("wonders_held", "i1", (names.MAX_PLAYERS, names.N_TYPES)),
        ("newest_era", "i1", (names.MAX_PLAYERS,)),  # of the own wonders, 1 = ancient; 0 = none
        ("moments", "i4", (names.MAX_PLAYERS,)),  # bits of the moments that an own ability waits for (codes.MOMENTS)
        ("watched", "i4", (names.MAX_PLAYERS,)),  # the same of abilities of diplomacy cards that the seat gave, or once gave
        ("listed_n", "i1", (names.MAX_PLAYERS,)),  # abilities that wait for a moment or depend on the situation:
        ("listed", "i2", (names.MAX_PLAYERS, names.MAX_LISTED)),  # rows of RULES
        ("listed_giver", "i1", (names.MAX_PLAYERS, names.MAX_LISTED)),  # giver of its diplomacy card, else -1
        ("unlisted", "i2"),  # 1 + row of an ability for which a list had no room, 0 = none: the game ends with an error
        ("ability_used", "i4", (names.MAX_ABILITIES,)),  # who has used it this turn (abilities.use_bit)
        ("to_do_n", "i2"),  # deeds of abilities that wait until the card has been resolved:
        (
            "to_do",
            "i2",
            (names.MAX_TO_DO, 5),
        ),  # seat, row of RULES, space or -1, amount; cause: see doing
        ("lost_n", "i2"),  # pieces lost by players whose abilities wait for that, until the card has been resolved:
        ("lost", "i2", (names.MAX_LOST, 5)),  # seat, moment, space, other seat or -1; cause: see doing
        ("doing", "i2"),  # number of the deed in that list that is being done and sets off others, from 1; 0 = none
        # --- tokens beside the map
        ("natural_wonder_owner", "i1", (names.MAX_NATURAL_WONDERS,)),  # seat; -1 = lies on its space; -2 = not in the game
        ("natural_wonder_space", "i2", (names.MAX_NATURAL_WONDERS,)),
        ("natural_wonder_used", "i1", (names.MAX_NATURAL_WONDERS,)),  # 1 = used this turn
        ("natural_wonder_holder", "i1", (names.MAX_NATURAL_WONDERS,)),  # America: holder it lies on, -1 = none
        ("city_state_owner", "i1", (names.MAX_CITY_STATES,)),  # conqueror; -1 = free; -2 = not in the game
        ("city_state_space", "i2", (names.MAX_CITY_STATES,)),
        ("city_state_holder", "i1", (names.MAX_CITY_STATES,)),  # holder its token lies on, -1 = none
        ("city_state_used", "i1", (names.MAX_CITY_STATES,)),  # 1 = its token was spent this turn
        ("city_state_lent", "i1", (names.MAX_CITY_STATES,)),  # 1 = an own city of the current player (Antananarivo)
        ("city_state_guest", "i1", (names.MAX_CITY_STATES,)),  # seat that last had it as an own city, with a wonder there, -1
        ("city_state_cards", "i1", (names.MAX_CITY_STATES, names.MAX_PLAYERS)),  # 1 = player holds a diplomacy card of it
        ("city_state_cards_left", "i1", (names.MAX_CITY_STATES,)),  # cards beside the map, face up
        ("diplomacy", "i1", (names.MAX_PLAYERS, names.MAX_DIPLOMACY)),  # [giver, card] -> holder, -1 = with the giver
        ("given_card", "i1", (names.MAX_PLAYERS,)),  # seat to which this one gave its leader's card (Ibrahim), -1 = nobody
        ("allies", "i1", (names.MAX_PLAYERS,)),  # bits of the seats of which this one may hold any number of diplomacy cards
        ("attack_terrains", "i2"),  # bits of the terrains from which the current attack can come, 0 = unknown
        ("in_attack", "i1"),  # 1 = an army attacks: strikes are answered afterwards
        ("strikes", "i4"),  # bits holder * MAX_PLAYERS + giver: the giver of a Non-Aggression Pact struck at its holder
        # --- wonders
        ("deck", "i1", (names.N_TYPES, names.DECK_SIZE)),  # wonder codes from the top, by focus type
        ("deck_size", "i1", (names.N_TYPES,)),
        ("deck_next", "i1", (names.N_TYPES,)),  # index of the first face-up card; = deck_size when the deck is used up
        ("wonder_place", "i1", (names.MAX_WONDERS,)),  # WONDER_*
        ("wonder_space", "i2", (names.MAX_WONDERS,)),  # space of its token, -1
        ("wonders_gained", "i8"),  # bits of the wonders that players gained without building, until their abilities have acted
        ("wonder_drafted", "i1", (names.MAX_WONDERS,)),  # 1 + the only seat that may build it, 0 = every seat
        ("wonder_bank", "i2"),  # trade tokens on Great Zimbabwe
        # --- victory
        ("victory_count", "i1"),  # cards in play
        ("victory_card", "i1", (names.MAX_IN_PLAY,)),  # card code of each
        ("claimed", "i1", (names.MAX_PLAYERS, names.MAX_IN_PLAY)),  # 0 = no, 1 or 2 = claimed by the first or second agenda
        ("claimed_round", "i2", (names.MAX_PLAYERS, names.MAX_IN_PLAY)),
        ("dirty", "i1"),  # 1 = something an agenda counts has changed since the last check
        # --- Terra Incognita: the stack of tiles, armies, districts, governments
        ("stack", "i1", (names.MAX_TILES,)),  # tile numbers from the bottom up
        ("stack_n", "i1"),
        ("armies", "i1", (names.MAX_SPACES,)),  # armies there, of all players
        ("army", "i2", (names.MAX_PLAYERS, names.MAX_ARMIES)),  # space, ON_CARD or NOT_OWNED
        ("army_explored", "i1", (names.MAX_ARMIES,)),  # 1 = of the current player, has explored this turn (T7.1)
        ("caravan_explored", "i1", (names.MAX_CARAVANS,)),
        ("water_laid", "i1"),  # water tokens laid by the economy card being resolved (Shipbuilding)
        ("army_start", "i2", (names.MAX_ARMIES,)),  # of the current player: space where the move began
        ("army_back", "i2", (names.MAX_ARMIES,)),  # space it goes back to if it cannot stay after an attack (T5.12); -1 = none
        ("army_lost", "i1", (names.MAX_ARMIES,)),  # 1 = of the current player, has lost an attack this turn (T5.10)
        ("district", "i1", (names.MAX_SPACES,)),  # 0 = none, else 1 + names.DISTRICTS; the piece there is its control token
        ("district_space", "i2", (names.MAX_PLAYERS, names.N_DISTRICTS)),  # -1 = with its owner
        ("government", "i1", (names.MAX_PLAYERS,)),  # holder that carries the government token, -1 = none
        ("government_type", "i1", (names.MAX_PLAYERS,)),  # focus type of that token
        ("wonder_trade", "i1", (names.MAX_WONDERS,)),  # trade tokens on a face-up wonder (T9.2)
        ("best_attack", "i2", (names.MAX_PLAYERS,)),  # highest total of a won attack
        # --- randomised experiments (treatment.py); all 0 in a normal game
        ("treatment", "i1"),  # gift to a random seat, names.TREATMENTS
        ("treatment_what", "i2"),  # wonder, resource, district, government or focus card; -1 = of the player's choice
        ("treatment_amount", "i2"),
        ("treatment_round", "i2"),  # at the beginning of this round; 0 = never
        ("treated_seat", "i1"),  # seat drawn
        ("treated", "i1"),  # names.TREATED_*
        *counters.FIELDS,  # figures for the outcome tables
        # --- weights of each seat's strategy (strategies/planning/weights.py)
        ("weights", "i4", (names.MAX_PLAYERS, names.WEIGHTS)),
        # --- the strategies' notes: the only part of the state that a strategy may write, and only its seat's row
        ("notes", "i4", (names.MAX_PLAYERS, NOTES)),
    ],
    align=True,
)

# Targets of an attack (names.TARGETS); a district is attacked as a control token.
(TARGET_BARBARIAN, TARGET_CITY_STATE, TARGET_TOKEN, TARGET_CITY, TARGET_CAPITAL, TARGET_FORT, TARGET_CARAVAN, TARGET_ARMY) = (
    range(names.N_TARGETS)
)

MAX_OPTIONS = 4096
MAX_LOG = 8192
LOG_COLUMNS = 7
MAX_SCRIPT = 512
MAX_ASKED = 1024
CHANCES = 256  # bit in the kind of a recorded decision: its options have chances to win in per mille, not worths
UNTRIED = -2_000_000  # instead of the worth or chance of an option that was not evaluated
DIST_LAYERS = 8  # layer 0-1: the engine's; 2-7: the strategies'
MAX_KEYS = max(names.MAX_TILES, names.MAX_WONDERS, names.MAX_VICTORY_CARDS)
SEEN = (  # fields of the board that a learned player remembers
    "axial_q", "axial_r", "tile", "terrain", "coastal", "owner", "piece", "barbarians", "resource", "wonder_token",
    "city_state", "natural_wonder", "armies",
)  # fmt: skip
LASTING = (  # fields of WORK that last: within a turn (the memo), or with the board (learned/board_changes.py)
    "memo", "memo_seat", "memo_turn", *(f"seen_{name}" for name in SEEN), "seen_spaces", "seen_players", "seen_rules",
    "seen_natural_wonder_owner", "seen_army", "around_n", "around", "kept_land_there", "kept_land", "kept_distances_there",
    "kept_target", "kept_distance", "kept_reach_n", "kept_reach_how", "kept_reach",
)  # fmt: skip
# Fields of WORK that a strategy may write, itself or by strategies of the package that it calls. All but the LASTING ones are
# valid for one answer only.
SCRATCH = (
    "score", "space_worth", "space_difficulty", "city_lack", "claim_turns", "enemy", "prey", "prey_now", "prey_later",
    "prey_most", "prey_reached", "tile_worth", "card_score", "option_worth", "ranked", "ranked_worth", "option_kept",
    "option_place",
    "dist", "mark", "queue", "fresh", *LASTING,
)  # fmt: skip

WORK = np.dtype(
    [
        # --- the current decision (choosing.py)
        ("option", "i4", (MAX_OPTIONS,)),
        ("ask_slot", "i4"),  # slot number the card acts with
        ("ask_holder", "i4"),  # holder of the card being resolved, -1 = none
        ("ask_left", "i4"),  # uses left of the effect, this one included
        ("ask_cost", "i4"),  # trade tokens this option costs
        ("ask_source", "i4"),  # SOURCE_* of the effect that asks
        ("ask_space", "i4"),  # space the decision is about, -1
        ("ask_target", "i4"),  # TARGET_* of the current attack
        ("ask_seat", "i4"),  # the other player concerned, -1
        ("ask_attack", "i4"),  # attacker's total so far
        ("ask_defence", "i4"),  # defender's total so far
        ("ask_die", "i4"),  # the asked player's die in a combat of armies, which a trade token rolls again
        ("ask_wonder", "i4"),  # wonder being paid or placed, -1
        ("ask_level", "i4"),  # level of the upgrade offered
        ("ask_moved", "i4"),  # bits of the caravans that are done, while an economy card is resolved
        ("ask_caravan", "i4"),  # caravan that is moving then, -1 = none
        # --- search
        ("dist", "i2", (DIST_LAYERS, names.MAX_SPACES)),
        ("queue", "i2", (names.MAX_SPACES + 1,)),
        ("mark", "i1", (names.MAX_SPACES,)),
        ("fresh", "i1", (names.MAX_SPACES + 1,)),  # 1 = may be entered and is not reached yet; the last: off the map
        ("chain", "i2", (names.MAX_SPACES,)),  # spaces from which Stonehenge still spreads; other short lists
        ("grid", "i2", (names.GRID, names.GRID)),  # space at axial (q, r) + GRID_ORIGIN, -1 = none; while tiles are laid
        # --- laying tiles (map.py): rows of the map as bit sets
        ("row_laid", "i8", (names.GRID,)),  # spaces laid, by row + GRID_ORIGIN
        ("row_counted", "i8", (names.GRID,)),  # spaces that count as touched
        ("row_goal", "i8", (names.GRID,)),  # spaces of which the tile has to touch one
        ("row_beside", "i8", (names.GRID,)),  # those and their neighbours
        # --- drawing at random (engine/setup.py)
        ("key", "f8", (MAX_KEYS,)),  # random key of each tile, wonder or victory card: the lowest is drawn first
        # --- strategies' scratch memory, valid within one call; each field has one use
        ("score", "f8", (MAX_OPTIONS,)),  # for strategies of users
        ("space_worth", "i8", (names.MAX_SPACES,)),  # worth of control tokens on the listed spaces (planning/worth.py)
        ("space_difficulty", "i2", (names.MAX_SPACES,)),  # and the difficulty of each
        ("city_lack", "i8", (names.MAX_CITIES,)),  # control tokens that each own city lacks to be mature (planning/plan.py)
        ("claim_turns", "i8", (names.MAX_IN_PLAY,)),  # turns a seat needs for each victory card in play (planning/planner.py)
        # list of spaces with a target in reach (planning/cards.py, learned/situation.py)
        ("enemy", "i2", (names.MAX_SPACES,)),
        ("prey", "i2", (names.MAX_SPACES,)),  # list of spaces with a target of armies (planning/armies.py)
        ("prey_now", "i8", (names.MAX_SPACES,)),  # by space: worth of the best attack there now,
        ("prey_later", "i8", (names.MAX_SPACES,)),  # from a later slot,
        ("prey_most", "i8", (names.MAX_SPACES,)),  # and at most
        ("prey_reached", "i1", (names.MAX_SPACES,)),  # by space: 1 = an army of the seat reaches it (learned/situation.py)
        ("tile_worth", "i8", (2, names.TILE_SPACES)),  # by side and space: worth of being near it (planning/worth.py)
        ("card_score", "i8", (names.MAX_SLOTS,)),  # the planner's worth of each card (learned/policy.py)
        ("option_worth", "i8", (MAX_OPTIONS,)),  # and of each option of a step (learned/candidate_turns.py):
        ("ranked", "i4", (MAX_OPTIONS,)),  # indices of the best options, best first
        ("ranked_worth", "i8", (MAX_OPTIONS,)),  # and their worths
        ("option_kept", "i4", (MAX_OPTIONS,)),  # all options, while a restricted seat is asked about those it may take
        ("option_place", "i4", (MAX_OPTIONS,)),  # original index of each of those
        ("memo", "f4", (names.MEMO,)),  # valid within a turn (learned/policy.py)
        ("memo_seat", "i4"),  # seat (-1: none) and turn of the memo
        ("memo_turn", "i4"),
        # --- the board as a learned player last read it, and its counts (learned/board_changes.py)
        ("seen_spaces", "i2"),  # 0 = never
        ("seen_players", "i1"),
        ("seen_rules", "i8"),
        *((f"seen_{name}", "i1", (names.MAX_SPACES,)) for name in SEEN),
        ("seen_natural_wonder_owner", "i1", (names.MAX_NATURAL_WONDERS,)),
        ("seen_army", "i2", (names.MAX_PLAYERS, names.MAX_ARMIES)),
        ("around_n", "i2", (names.MAX_SPACES,)),  # spaces within three steps of each, 0 = not listed yet
        ("around", "i2", (names.MAX_SPACES, 37)),
        ("kept_land_there", "i1", (names.MAX_PLAYERS,)),
        ("kept_land", "f4", (names.MAX_PLAYERS, 6)),
        ("kept_distances_there", "i1", (names.MAX_PLAYERS,)),
        ("kept_target", "i2", (names.MAX_PLAYERS, names.MAX_PLAYERS + names.MAX_CITY_STATES)),
        ("kept_distance", "i2", (names.MAX_PLAYERS, names.MAX_PLAYERS + names.MAX_CITY_STATES)),
        ("kept_reach_n", "i2", (names.MAX_PLAYERS,)),
        ("kept_reach_how", "i4", (names.MAX_PLAYERS,)),
        ("kept_reach", "i2", (names.MAX_PLAYERS, names.MAX_SPACES)),
        # --- turn log of a replay (choosing.py)
        ("log_on", "i4"),
        ("log_n", "i4"),
        ("log", "i4", (MAX_LOG, LOG_COLUMNS)),
        # --- scripted decisions of tests (strategies/archetypes.py): pairs of decision kind and option value
        ("script_n", "i4"),
        ("script_pos", "i4"),
        ("script", "i4", (MAX_SCRIPT, 2)),
        # --- record of decisions (strategies/archetypes.py: observe_options): kind, seat, number of options, index of the first
        ("asked_n", "i4"),
        ("asked", "i4", (MAX_ASKED, 4)),
        ("asked_options_n", "i4"),
        ("asked_options", "i4", (MAX_ASKED * 16,)),
        # --- audit (audit.py): code of the first violation, and its space, seat or wonder
        ("violation", "i4"),
        ("violation_at", "i4"),
        ("held_ground", "i2", (names.MAX_PLAYERS, names.MAX_ARMIES)),  # space where it stood with an own piece, -1
        ("times_asked", "i8", (len(decisions.KINDS), 2)),  # by kind of decision, in another player's turn and in the own
        ("giving", "i4"),  # 1 + row of the own ability that gives trade tokens or resources now, for the turn log; 0 = none
        # --- first illegal answer of a strategy (choosing.py): number of options (0 = no such answer), seat …; or OVERFULL if
        # too many deeds of abilities wait, OVERLISTED if a player has too many abilities (abilities.py), and as the answer
        # the row of the one without room
        ("fault_n", "i4"),
        ("fault_seat", "i4"),
        ("fault_kind", "i4"),
        ("fault_decision", "i4"),  # number of the decision in its game, from 1
        ("fault_answer", "i8"),
    ],
    align=True,
)


OVERFULL, OVERLISTED = -1, -2


def new_state() -> np.record:
    """Return an empty game record (all zero); `engine.setup.start_game` fills it."""
    return np.zeros(1, STATE).view(np.recarray)[0]


def new_work() -> np.record:
    """Return an empty workspace."""
    return np.zeros(1, WORK).view(np.recarray)[0]
